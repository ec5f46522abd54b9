"""The settler: tiles for the islands; and the second tile of the Library."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from porto_cli.core.chance import Chance
from porto_cli.core.message import say
from porto_cli.core.violation import Violation
from porto_cli.games.puerto_rico.engine.components import (
    CONSTRUCTION_HUT,
    FOREST,
    FOREST_HOUSE,
    HACIENDA,
    HOSPICE,
    ISLAND_SPACES,
    LIBRARY,
    NO_GOOD,
    QUARRY,
    TILES,
    plus,
)
from porto_cli.games.puerto_rico.engine.events import Event, Passed, TookTile
from porto_cli.games.puerto_rico.engine.gains import bring_colonist, colonist_available
from porto_cli.games.puerto_rico.engine.guests import guest_moves
from porto_cli.games.puerto_rico.engine.moves import FACE_DOWN, PASS, Move, Take
from porto_cli.games.puerto_rico.engine.rounds import begin_phase, end_role, next_player
from porto_cli.games.puerto_rico.engine.state import LIBRARY_PHASE, SETTLER_PHASE, State
from porto_cli.games.puerto_rico.engine.tiles import draw_tile, has_tiles, turn_up_row


def begin_settler(state: State) -> None:
    """Begin with the chooser."""
    begin_phase(state, SETTLER_PHASE)


def has_occasion(state: State) -> bool:
    """Tell whether there is anything to decide: not with a full island (PR-SETTLER-2)."""
    return state.players[state.seat].island_spaces > 0


def legal_tiles(state: State) -> list[Move]:
    """Return what the player to move can do in phase ``settler`` or ``library``."""
    if not has_occasion(state):
        return [PASS]
    colonists = state.players[state.seat].colonists
    if state.phase == LIBRARY_PHASE:
        moves = _takes(state.row, False, bool(colonists[FOREST_HOUSE]), False, False)
    else:
        moves = _takes(
            state.row,
            state.quarries > 0 and _may_take_quarry(state),
            bool(colonists[FOREST_HOUSE]),
            brings_colonist(state),
            may_turn_up(state),
        )
    return [*moves, *guest_moves(state)]


@cache
def _takes(
    row: bytes, quarry: bool, forest: bool, declinable: bool, face_down: bool
) -> tuple[Move, ...]:
    moves: list[Move] = [Take(FACE_DOWN)] if face_down else []
    row_kinds = [tile for tile, number in enumerate(row) if number]
    for tile in [*row_kinds, QUARRY] if quarry else row_kinds:
        moves.append(Take(tile))
        if declinable:
            moves.append(Take(tile, no_colonist=True))
        if forest and tile != QUARRY:
            moves.append(Take(tile, forest=True))
    moves.append(PASS)
    return tuple(moves)


def _may_take_quarry(state: State) -> bool:
    """PR-SETTLER-3, PR-B-HUT."""
    if state.phase == LIBRARY_PHASE:
        return False
    return state.seat == state.chooser or state.players[state.seat].colonists[CONSTRUCTION_HUT] > 0


def may_turn_up(state: State) -> bool:
    """Tell whether the player to move can turn up a tile (PR-B-HACIENDA)."""
    return (
        state.phase == SETTLER_PHASE
        and state.players[state.seat].colonists[HACIENDA] > 0
        and not state.face_down
        and has_tiles(state)
    )


def brings_colonist(state: State) -> bool:
    """Tell whether a colonist would come with a tile taken face up (PR-B-HOSPICE)."""
    return (
        state.phase == SETTLER_PHASE
        and state.players[state.seat].colonists[HOSPICE] > 0
        and colonist_available(state)
    )


def check_tile(state: State, move: Take) -> Iterator[Violation]:
    """PR-SETTLER-1 to PR-SETTLER-3 and the buildings that help to settle."""
    player = state.players[state.seat]
    facts = {"player": state.config.players[state.seat]}
    if player.island_spaces <= 0:
        yield Violation(
            "PR-SETTLER-2",
            say(
                "The island of {player} is full: it has {spaces} tiles.",
                spaces=ISLAND_SPACES,
                **facts,
            ),
        )
    if move.what == FACE_DOWN:
        yield from _check_face_down(state, facts)
    elif move.what == QUARRY:
        yield from _check_quarry(state, facts)
    elif not state.row[move.what]:
        yield Violation(
            "PR-SETTLER-1",
            say("There is no {tile} among the face-up plantations.", tile=TILES[move.what]),
        )
    if move.forest:
        if move.what in (QUARRY, FACE_DOWN):
            yield Violation(
                "PR-B-FOREST-HOUSE", say("Only a face-up plantation can be laid as a forest.")
            )
        elif not player.colonists[FOREST_HOUSE]:
            yield Violation(
                "PR-B-FOREST-HOUSE", say("{player} has no occupied Forest House.", **facts)
            )
    if move.no_colonist:
        yield from _check_no_colonist(state, move, facts)


def _check_face_down(state: State, facts: dict[str, str]) -> Iterator[Violation]:
    if state.phase == LIBRARY_PHASE:
        yield Violation(
            "PR-B-HACIENDA", say("The second tile of the Library is a face-up plantation.")
        )
    elif not state.players[state.seat].colonists[HACIENDA]:
        yield Violation("PR-B-HACIENDA", say("{player} has no occupied Hacienda.", **facts))
    elif state.face_down:
        yield Violation(
            "PR-B-HACIENDA", say("{player} has already turned up a tile this turn.", **facts)
        )
    elif not has_tiles(state):
        yield Violation("PR-B-HACIENDA", say("There is no tile left to turn up."))


def _check_quarry(state: State, facts: dict[str, str]) -> Iterator[Violation]:
    if state.phase == LIBRARY_PHASE:
        yield Violation("PR-SETTLER-3", say("The second tile of the Library cannot be a quarry."))
        return
    if not _may_take_quarry(state):
        yield Violation(
            "PR-SETTLER-3",
            say(
                "Only {chooser}, who has taken the settler, and owners of an occupied "
                "Construction Hut may take a quarry.",
                chooser=state.config.players[state.chooser],
            ),
        )
    if not state.quarries:
        yield Violation("PR-SETTLER-3", say("There is no quarry left."))


def _check_no_colonist(state: State, move: Take, facts: dict[str, str]) -> Iterator[Violation]:
    """PR-B-HOSPICE."""
    if state.phase == LIBRARY_PHASE:
        reason = say("No colonist comes with the second tile of the Library.")
    elif move.what == FACE_DOWN:
        reason = say("No colonist comes with the tile of the Hacienda.")
    elif move.forest:
        reason = say("A forest has no circle, so that no colonist comes with it.")
    elif not state.players[state.seat].colonists[HOSPICE]:
        reason = say(
            "{player} has no occupied Hospice, so that no colonist would come with the tile.",
            **facts,
        )
    elif not colonist_available(state):
        reason = say("There is no colonist left that could come with the tile.")
    else:
        return
    yield Violation("PR-B-HOSPICE", reason)


def play_tile(state: State, move: Take, chance: Chance, events: list[Event]) -> None:
    """Put a tile on the island; after the tile of the Hacienda the turn goes on."""
    seat = state.seat
    player = state.players[seat]
    if move.what == FACE_DOWN:
        tile = draw_tile(state, chance, events)
        if tile == NO_GOOD:
            raise ValueError("There is no tile left to turn up.")
        player.add_tile(tile)
        state.face_down = True
        events.append(TookTile(seat, tile, "stack", False, False))
        return
    tile = move.what
    colonist = False
    if tile == QUARRY:
        state.quarries -= 1
        source = "quarries"
    else:
        state.row = plus(state.row, tile, -1)
        source = "row"
    if move.forest:
        player.add_tile(FOREST + tile)
    else:
        player.add_tile(tile)
        if brings_colonist(state) and not move.no_colonist:
            colonist = bring_colonist(state, seat, tile)
    events.append(TookTile(seat, tile, source, move.forest, colonist))
    _end_turn(state, chance, events)


def pass_tile(state: State, chance: Chance, events: list[Event]) -> None:
    """Take no tile."""
    events.append(Passed(state.seat))
    _end_turn(state, chance, events)


def _end_turn(state: State, chance: Chance, events: list[Event]) -> None:
    """PR-SETTLER-4; PR-B-LIBRARY comes before the new row."""
    state.face_down = False
    if state.phase == SETTLER_PHASE:
        if next_player(state):
            return
        if state.players[state.chooser].colonists[LIBRARY]:
            begin_phase(state, LIBRARY_PHASE)
            return
    turn_up_row(state, chance, events)
    end_role(state, events)
