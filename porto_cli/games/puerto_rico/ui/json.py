"""Views as JSON: the shapes that programs rely on.

A bundle is a mapping from name to number without the names whose number is 0; players, goods,
tiles, buildings and roles have the names of the notation. What the asking seat
may not know is ``None``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from porto_cli.core.documents import document
from porto_cli.games.puerto_rico import event_text, phrases
from porto_cli.games.puerto_rico.engine.components import (
    FIRST_BUILDING,
    GOODS,
    NO_GOOD,
    PLACES,
    ROLES,
    TILES,
    buildings_in,
)
from porto_cli.games.puerto_rico.engine.state import NOBODY
from porto_cli.games.puerto_rico.engine.table_view import PlayerView, TableView
from porto_cli.games.puerto_rico.event_text import bundle_dict
from porto_cli.games.puerto_rico.options import MoveList, Option
from porto_cli.games.puerto_rico.ui.history import Turn
from porto_cli.games.puerto_rico.ui.scoring import Standing, Standings, standings

GAME = "puerto-rico"


def table_json(
    seen: TableView,
    *,
    title: str = "",
    turn: int | None = None,
    fingerprint: str = "",
    digest: str = "",
) -> dict[str, object]:
    """Return the table; ``turn`` is the number of the decision that comes next."""
    names = seen.config.players
    return document(
        game=GAME,
        title=title,
        phase=seen.phase,
        round=seen.round,
        turn=turn,
        governor=names[seen.governor],
        chooser=_player_or_none(seen.chooser, names),
        to_move=[names[seat] for seat in seen.to_move],
        options=seen.config.options,
        violet=[PLACES[place] for place in buildings_in(seen.violet)],
        roles={
            ROLES[role]: {
                "taken": _player_or_none(seen.taken[role], names),
                "doubloons": seen.role_doubloons[role],
            }
            for role in seen.config.box.roles
        },
        tiles=bundle_dict(seen.row, TILES),
        stack=sum(seen.stack),
        tile_discards=bundle_dict(seen.discards, TILES),
        quarries=seen.quarries,
        supply=seen.supply,
        ship=seen.ship,
        vp_pool=seen.vp_pool,
        goods_supply=bundle_dict(seen.goods_supply, GOODS),
        cargo={
            str(spaces): None if good == NO_GOOD else {"good": GOODS[good], "barrels": barrels}
            for spaces, good, barrels in seen.cargo
        },
        trading_house=[GOODS[good] for good in seen.trading_house],
        buildings=bundle_dict(seen.copies, PLACES),
        players=[_player(player) for player in seen.players],
        end_triggered=list(seen.end_triggered),
        fingerprint=fingerprint,
        digest=digest,
        result=result_json(standings(seen)),
    )


def _player_or_none(seat: int, names: Sequence[str]) -> str | None:
    return None if seat == NOBODY else names[seat]


def _player(player: PlayerView) -> dict[str, object]:
    return {
        "name": player.name,
        "doubloons": player.doubloons,
        "vp": player.vp,
        "goods": bundle_dict(player.goods, GOODS),
        "san_juan": player.san_juan,
        "island": {
            TILES[tile]: {"tiles": number, "colonists": player.colonists[tile]}
            for tile, number in enumerate(player.island[:FIRST_BUILDING])
            if number
        },
        "city": {PLACES[place]: player.colonists[place] for place in buildings_in(player.city)},
        "island_spaces": player.island_spaces,
        "city_spaces": player.city_spaces,
    }


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
    moves = [_move(option) for option in found.options]
    return document(game=GAME, count=found.number, moves=moves)


def _move(option: Option) -> dict[str, object]:
    return {
        "move": option.move,
        "kind": option.kind,
        **option.fields,
        "scores": gains_json(option.scores),
        "earns": gains_json(option.earns),
    }


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
