"""What can be done next and by whom: in sentences, with the commands to type."""

from __future__ import annotations

from porto_cli.core.characters import command
from porto_cli.core.message import both
from porto_cli.games.puerto_rico.engine.components import NO_COLONISTS, ROLES
from porto_cli.games.puerto_rico.engine.moves import FACE_DOWN, Move, MoveGuest, Pass, Place, Take
from porto_cli.games.puerto_rico.engine.play import count_moves, legal_moves
from porto_cli.games.puerto_rico.engine.state import (
    BUILDER_PHASE,
    CAPTAIN_PHASE,
    CRAFTSMAN_PHASE,
    DRAFT_PHASE,
    LIBRARY_PHASE,
    MAYOR_PHASE,
    OVER,
    PRIVILEGE_PHASE,
    ROLE_PHASE,
    SETTLER_PHASE,
    STORE_PHASE,
    TRADER_PHASE,
    State,
)
from porto_cli.games.puerto_rico.notation import PLACE_NAMES, format_bundle, format_move
from porto_cli.games.puerto_rico.render import winners
from porto_cli.games.puerto_rico.view import view

_SETTLER_TURN = (SETTLER_PHASE, LIBRARY_PHASE)


def next_sentences(
    state: State,
    path: str,
    named: str | None = None,
    *,
    on_a_table: bool = False,
    player: str = "",
) -> list[str]:
    """Return who can do what now, with the commands to type.

    ``path`` is the file as a word of a command; the commands name a player if ``named`` does.
    ``player`` is who plays the seat to move, if not its own player. With ``on_a_table`` the players
    type the tiles that are drawn.
    """
    if state.phase == OVER:
        return [winners(view(state)), f"To see the final scores: porto score {path}"]
    moves = legal_moves(state, limit=_ENOUGH)
    sentences = [_first(state, moves, path, named, player)]
    sentences += _otherwise(state, moves, path, named)
    count = count_moves(state)
    if count > 1:
        sentences.append(f"To see all {count:,} legal moves: {command('moves', path, named)}")
    if on_a_table:
        sentences += _comes_up(state, moves)
    return sentences


_ENOUGH = 200
"""Moves among which the examples are found."""


_FIRST = {
    DRAFT_PHASE: "chooses a building for the game",
    ROLE_PHASE: "takes a role",
    SETTLER_PHASE: "may take a tile",
    LIBRARY_PHASE: "may take a second tile",
    MAYOR_PHASE: "places all colonists",
    BUILDER_PHASE: "may build",
    PRIVILEGE_PHASE: "may take one extra barrel",
    TRADER_PHASE: "may sell a barrel",
    CAPTAIN_PHASE: "loads barrels",
    STORE_PHASE: "must choose which barrels to keep",
}
_PASS = {
    SETTLER_PHASE: "take no tile",
    LIBRARY_PHASE: "take no second tile",
    BUILDER_PHASE: "build nothing",
    CRAFTSMAN_PHASE: "produce now",
    PRIVILEGE_PHASE: "take nothing",
    TRADER_PHASE: "sell nothing",
    CAPTAIN_PHASE: "load nothing",
}


def _first(state: State, moves: list[Move], path: str, named: str | None, player: str) -> str:
    """Return who is to move, with the first move of the kind that the phase is about."""
    player = player or state.config.players[state.seat]
    usual = [move for move in moves if not isinstance(move, (Pass, MoveGuest))]
    guests = [move for move in moves if isinstance(move, MoveGuest)]
    if state.phase == MAYOR_PHASE or usual:
        what = _FIRST[state.phase]
    elif state.phase == CRAFTSMAN_PHASE:
        what = "may move a guest before producing"
    else:
        what = "may move a guest"
    if state.phase == MAYOR_PHASE:
        example = f"place {added(state)}"
    else:
        example = format_move((usual or guests or moves)[0])
    return f"{player} {what}, for example: {command(example, path, named)}"


def _otherwise(state: State, moves: list[Move], path: str, named: str | None) -> list[str]:
    sentences = []
    guest = next((move for move in moves if isinstance(move, MoveGuest)), None)
    usual = any(not isinstance(move, (Pass, MoveGuest)) for move in moves)
    if state.phase == MAYOR_PHASE:
        sentences += _shorthands(state, path, named)
    if state.phase == ROLE_PHASE:
        sentences += _doubloons(state)
    if any(isinstance(move, Pass) for move in moves):
        sentences.append(f"To {_PASS[state.phase]}: {command('pass', path, named)}")
    if guest and usual:
        sentences.append(
            f"To move a guest before that, for example: {command(format_move(guest), path, named)}"
        )
    return sentences


def _doubloons(state: State) -> list[str]:
    """Name the doubloons on the role cards that can be taken."""
    lying = [
        f"{ROLES[role]} {state.role_doubloons[role]}"
        for role in state.config.box.roles
        if state.role_doubloons[role]
    ]
    return [f"Doubloons lie on {both(lying)}."] if lying else []


def added(state: State) -> str:
    """Return a placement that is legal: all stay where they are, the new ones fill the gaps."""
    player = state.players[state.seat]
    left = player.san_juan
    added = bytearray(NO_COLONISTS)
    for place in range(len(NO_COLONISTS)):
        added[place] = min(left, player.empty_circles(place))
        left -= added[place]
    if not any(added):
        return format_move(Place(player.colonists)).removeprefix("place ")
    return f"add {format_bundle(bytes(added), PLACE_NAMES)}"


def _shorthands(state: State, path: str, named: str | None) -> list[str]:
    """Explain how colonists move; fewer words suffice if nearly all circles are filled."""
    player = state.players[state.seat]
    empty = sum(player.circles) - player.people
    found = [f"To move others as well: {command('place add PLACE from PLACE', path, named)}"]
    if 0 < empty <= player.people:
        found.append(
            f"To fill all circles but {empty}: {command('place leave PLACE', path, named)}"
        )
    return found


def _comes_up(state: State, moves: list[Move]) -> list[str]:
    """At a real table the players type the tiles that come up."""
    if state.phase not in _SETTLER_TURN:
        return []
    found = [
        "Add the new row of your table to the last move of the settler phase, like: --tiles "
        '"corn 2 sugar"'
    ]
    if any(isinstance(move, Take) and move.what == FACE_DOWN for move in moves):
        found.append("Add the hacienda tile to the move, like: --tile corn")
    return found
