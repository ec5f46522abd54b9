"""Views of the table as JSON: the shapes that programs rely on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from porto_cli.core.documents import document
from porto_cli.games.porto.engine.moves import PRIVATE_CONTRACT, PUBLIC_CONTRACT, SOURCES, Score
from porto_cli.games.porto.engine.state import Config
from porto_cli.games.porto.event_text import Turn, as_dict
from porto_cli.games.porto.observation import House, Player, Table
from porto_cli.games.porto.options import BUILD, Option
from porto_cli.games.porto.ui.reports import CountedContract, Standing, Standings

GAME = "porto"


def scores_json(scores: Iterable[Score]) -> list[list[object]]:
    """Return scores: a pair of reason and VP for each. All documents have them like this."""
    return [[score.reason, score.vp] for score in scores]


def table_json(table: Table, standings: Standings | None = None) -> dict[str, object]:
    """Return the table; ``standings`` is for the result of a finished game."""
    return document(
        game=GAME,
        title=table.title,
        phase=table.phase,
        round=table.round,
        turn=table.current_turn,
        turns_over=table.turn,
        to_move=list(table.to_move),
        houses={house.name: _house(house) for house in table.houses},
        cards=list(table.cards),
        contracts=[contract and contract.name for contract in table.contracts],
        deck=table.deck,
        discards=table.discards,
        contract_deck=table.contract_deck,
        tiles={
            color: {"ground": ground, "floor": upper}
            for color, (ground, upper) in table.tiles.items()
        },
        players=[_player(player) for player in table.players],
        roofs=table.roofs,
        end_triggered_round=table.end_round,
        timer=table.timer,
        turned=list(table.turned),
        fingerprint=table.fingerprint,
        digest=table.digest,
        result=result_json(standings) if standings and standings.over else None,
        **_sealed(table),
    )


def _sealed(table: Table) -> dict[str, object]:
    """Return what is particular to a sealed game; nothing for other games."""
    if not table.sealed:
        return {}
    players = table.players
    return {
        "sealed": {
            "waiting": table.waiting,
            "revealing": table.revealing,
            "key_missing": [player.name for player in players if player.sealed],
            "given_up": [player.name for player in players if player.given_up],
        }
    }


def _house(house: House) -> dict[str, object]:
    return {
        "height": house.height,
        "color": house.color,
        "floors": house.floors,
        "complete": house.complete,
        "ground_token": house.ground_token,
        "roof_token": house.roof_token,
    }


def _player(player: Player) -> dict[str, object]:
    return {
        "name": player.name,
        "score": player.score,
        "hand": list(player.hand),
        "fulfilled": player.fulfilled,
        "private": None
        if player.private is None
        else [contract.name for contract in player.private],
        "private_progress": _progress(player),
    }


def _progress(player: Player) -> list[dict[str, object]] | None:
    """Return what kept private contracts bring, for who may see them while the game goes on."""
    if player.private is None:
        return None
    return [
        {
            "contract": contract.name,
            "vp": contract.vp,
            "most": contract.progress.most,
            "ways": [dict(way) for way in contract.progress.ways],
        }
        for contract in player.private
        if contract.progress
    ]


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
    return document(game=GAME, count=len(options), moves=[_move(option) for option in options])


def _move(option: Option) -> dict[str, object]:
    is_build = option.kind == BUILD
    return {
        "move": option.move,
        "kind": option.kind,
        "number_card": option.cards[0] if is_build else None,
        "color_card": option.cards[1] if is_build else None,
        "house": option.house,
        "token": option.token,
        "completes": option.completes,
        "cards": list(option.cards),
        "spaces": list(option.spaces),
        "contracts": [*(name for name, _ in option.contracts), *option.private],
        "vp": option.vp,
        "scores": scores_json(_scores(option)),
    }


def _scores(option: Option) -> list[Score]:
    """Return all that a move can score: of a build also the contracts that it could fulfill."""
    if option.kind != BUILD:
        return list(option.scores)
    return [*option.scores, *(Score(PUBLIC_CONTRACT, vp, name) for name, vp in option.contracts)]


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
