"""Views of the table as JSON: the shapes that programs rely on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from porto_cli.core.documents import document
from porto_cli.games.porto.engine.moves import PRIVATE_CONTRACT, SOURCES, Score
from porto_cli.games.porto.engine.state import Config
from porto_cli.games.porto.event_text import Turn, as_dict
from porto_cli.games.porto.options import Option
from porto_cli.games.porto.ui.reports import CountedContract, Standing, Standings

GAME = "porto"


def scores_json(scores: Iterable[Score]) -> list[list[object]]:
    """Return scores: a pair of reason and VP for each. All documents have them like this."""
    return [[score.reason, score.vp] for score in scores]


def result_json(standings: Standings) -> dict[str, object]:
    """Return the result of a finished game."""
    return {
        "ranking": [player.name for player in standings.players],
        "scores": {player.name: player.score for player in standings.players},
        "private": {
            player.name: scores_json(_private_scores(player)) for player in standings.players
        },
        "tie_breaks": [tie._asdict() for tie in standings.tie_breaks],
        "level": standings.level,
        **_given_up(standings),
    }


def _given_up(standings: Standings) -> dict[str, object]:
    """Return the players who were given up in a sealed game; empty if there are none."""
    return {"given_up": list(standings.given_up)} if standings.given_up else {}


def _private_scores(player: Standing) -> list[Score]:
    return [Score(PRIVATE_CONTRACT, each.vp, each.contract) for each in player.private or ()]


def moves_json(options: Sequence[Option]) -> dict[str, object]:
    """Return legal moves by their parts, with what they score and what they could fulfill."""
    return document(game=GAME, count=len(options), moves=[option.json() for option in options])


def story_json(
    title: str, turns: Sequence[Turn], standings: Standings, config: Config
) -> dict[str, object]:
    """Return the history, one object for each item of the record, and the result at its end."""
    return document(
        game=GAME,
        title=title,
        turns=[_turn(turn, config) for turn in turns],
        result=result_json(standings) if standings.over else None,
    )


def _turn(turn: Turn, config: Config) -> dict[str, object]:
    return {
        "turn": turn.number,
        "round": turn.round,
        "player": turn.player,
        "kind": turn.kind,
        "moves": list(turn.moves),
        "undone": turn.undone,
        "scores": scores_json(turn.scores),
        "vp": turn.vp,
        "standing": list(turn.standing),
        "events": [as_dict(event, config) for event in turn.events],
    }


def standings_json(standings: Standings, turns: Iterable[Turn]) -> dict[str, object]:
    """Return the standings, and after the end how the private contracts were counted.

    ``turns`` are those of the whole game: where the VP came from.
    """
    scored: dict[str, Counter[tuple[str, str]]] = {
        player.name: Counter() for player in standings.players
    }
    for turn in turns:
        if not turn.undone:
            for score in turn.scores:
                scored[turn.player][score.kind, score.contract] += score.vp
    if standings.private_counted:
        for player in standings.players:
            for score in _private_scores(player):
                scored[player.name][score.kind, score.contract] += score.vp
    return document(
        game=GAME,
        over=standings.over,
        players=[
            {
                "name": player.name,
                "place": player.place,
                "score": player.score,
                "sources": dict(zip(SOURCES, player.sources, strict=True)),
                "scores": scores_json(
                    Score(kind, vp, contract)
                    for (kind, contract), vp in scored[player.name].items()
                ),
                "fulfilled": player.fulfilled,
                "private": None
                if player.private is None
                else [_counted_contract(contract) for contract in player.private],
            }
            for player in standings.players
        ],
        tie_breaks=[tie._asdict() for tie in standings.tie_breaks],
        private_counted=standings.private_counted,
        level=standings.level,
        **_given_up(standings),
    )


def _counted_contract(contract: CountedContract) -> dict[str, object]:
    return {
        "contract": contract.contract,
        "vp": contract.vp,
        "scale": list(contract.scale),
        "groups": [list(group) for group in contract.groups],
        "missing": [list(houses) for houses in contract.missing],
        "missing_colors": list(contract.missing_colors),
    }
