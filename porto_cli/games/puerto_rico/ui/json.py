"""Views as JSON: the shapes that programs rely on.

A bundle is a mapping from name to number without the names whose number is 0; players, goods,
tiles, buildings and roles have the names of the notation. What the asking seat
may not know is ``None``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from porto_cli.core.documents import document
from porto_cli.games.puerto_rico import event_text, phrases
from porto_cli.games.puerto_rico.options import MoveList
from porto_cli.games.puerto_rico.ui.history import Turn
from porto_cli.games.puerto_rico.ui.scoring import Standing, Standings

GAME = "puerto-rico"


def result_json(found: Standings) -> dict[str, object] | None:
    """Return the final scores by player, the first place first; ``None`` before the end."""
    if not found.over:
        return None
    return {player.name: _standing(player) for player in found.players}


def standings_json(found: Standings) -> dict[str, object]:
    """Return the standings, before the end as far as the asking seat may know them."""
    return document(
        game=GAME,
        over=found.over,
        players=[{"name": player.name, **_standing(player)} for player in found.players],
    )


def _standing(player: Standing) -> dict[str, object]:
    """As ``reckon`` in a scenario: each large building that counts has an entry of its own."""
    return {
        "chips": player.chips,
        "buildings": player.buildings,
        **dict(player.bonuses),
        "total": player.total,
        "tie-break": player.tie_break,
        "place": player.place,
    }


def moves_json(found: MoveList) -> dict[str, object]:
    """Return the legal moves, or of too many their number and what a move has to satisfy."""
    if found.options is None:
        return document(game=GAME, count=found.number, **found.demands)
    moves = [option.json() for option in found.options]
    return document(game=GAME, count=found.number, moves=moves)


def gains_json(gains: Iterable[phrases.Gain]) -> list[list[object]]:
    """Return VP or doubloons: a pair of reason and number for each."""
    return [list(gain) for gain in gains]


def history_json(
    title: str, turns: Iterable[Turn], found: Standings, names: Sequence[str]
) -> dict[str, object]:
    """Return the history, one object for each item of the record, and the result at its end."""
    return document(
        game=GAME,
        title=title,
        turns=[_turn(turn, names) for turn in turns],
        result=result_json(found),
    )


def _turn(turn: Turn, names: Sequence[str]) -> dict[str, object]:
    return {
        "turn": turn.number,
        "round": turn.round,
        "governor": turn.governor,
        "role": turn.role,
        "chooser": turn.chooser,
        "player": turn.player,
        "kind": turn.kind,
        "move": turn.move,
        "undone": turn.undone,
        "scores": gains_json(turn.scores),
        "earns": gains_json(turn.earns),
        "events": [event_text.as_dict(event, names) for event in turn.events],
    }
