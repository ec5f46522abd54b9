"""What can be done next and by whom: in sentences, with the commands to type."""

from __future__ import annotations

from porto_cli.core.characters import command
from porto_cli.core.message import both, say
from porto_cli.games.puerto_rico import phrases
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
from porto_cli.games.puerto_rico.engine.table_view import table_view
from porto_cli.games.puerto_rico.notation import PLACE_NAMES, format_bundle, format_move

_SETTLER_TURN = (SETTLER_PHASE, LIBRARY_PHASE)


def what_next(state: State, path: str, *, on_a_table: bool = False) -> str:
    """Return who can do what now, one sentence a line, with the commands to type.

    ``path`` is the file as a word of a command; with ``on_a_table`` the players type
    the tiles that come up.
    """
    return "\n".join(map(str, next_sentences(state, path, on_a_table=on_a_table)))


def next_sentences(
    state: State,
    path: str,
    named: str | None = None,
    *,
    on_a_table: bool = False,
    player: str = "",
) -> list[str]:
    """Return the sentences of :func:`what_next`; the commands name a player if ``named`` does.

    ``player`` is who plays the seat to move, if not its own player.
    """
    if state.phase == OVER:
        return [
            phrases.winners(table_view(state)),
            say("To see the final scores: {command}", command=f"porto score {path}"),
        ]
    moves = legal_moves(state, limit=_ENOUGH)
    sentences = [_first(state, moves, path, named, player)]
    sentences += _otherwise(state, moves, path, named)
    count = count_moves(state)
    if count > 1:
        sentences.append(
            say(
                "To see all {count} legal moves: {command}",
                count=f"{count:,}",
                command=command("moves", path, named),
            )
        )
    if on_a_table:
        sentences += _comes_up(state, moves)
    return sentences


_ENOUGH = 200
"""Moves among which the examples are found."""


def commands(state: State, path: str) -> list[str]:
    """Return a command for each legal move, or for the first of very many."""
    return [command(format_move(move), path) for move in legal_moves(state, limit=_ENOUGH)]


_FIRST = {
    DRAFT_PHASE: "{player} chooses a building for the game, for example: {command}",
    ROLE_PHASE: "{player} takes a role, for example: {command}",
    SETTLER_PHASE: "{player} can take a tile, for example: {command}",
    LIBRARY_PHASE: "{player} can take a second tile, for example: {command}",
    MAYOR_PHASE: "{player} places all colonists, for example: {command}",
    BUILDER_PHASE: "{player} can build, for example: {command}",
    PRIVILEGE_PHASE: "{player} can take a barrel more, for example: {command}",
    TRADER_PHASE: "{player} can sell a barrel, for example: {command}",
    CAPTAIN_PHASE: "{player} loads barrels, for example: {command}",
    STORE_PHASE: "{player} cannot store all barrels and keeps some, for example: {command}",
}

_PASS = {
    SETTLER_PHASE: "To take no tile: {command}",
    LIBRARY_PHASE: "To take no second tile: {command}",
    BUILDER_PHASE: "To build nothing: {command}",
    CRAFTSMAN_PHASE: "To produce now: {command}",
    PRIVILEGE_PHASE: "To take nothing: {command}",
    TRADER_PHASE: "To sell nothing: {command}",
    CAPTAIN_PHASE: "To load nothing: {command}",
}


def _first(state: State, moves: list[Move], path: str, named: str | None, player: str) -> str:
    """Return who is to move, with the first move of the kind that the phase is about."""
    player = player or state.config.players[state.seat]
    if state.phase == MAYOR_PHASE:
        placed = command(f"place {added(state)}", path, named)
        return say(_FIRST[MAYOR_PHASE], player=player, command=placed)
    usual = [move for move in moves if not isinstance(move, (Pass, MoveGuest))]
    if usual:
        text = _FIRST[state.phase]
    elif state.phase == CRAFTSMAN_PHASE:
        text = "{player} can move a guest before producing, for example: {command}"
    else:
        text = "{player} can move a guest, for example: {command}"
    guests = [move for move in moves if isinstance(move, MoveGuest)]
    example = (usual or guests or moves)[0]
    return say(text, player=player, command=command(format_move(example), path, named))


def _otherwise(state: State, moves: list[Move], path: str, named: str | None) -> list[str]:
    sentences = []
    guest = next((move for move in moves if isinstance(move, MoveGuest)), None)
    usual = any(not isinstance(move, (Pass, MoveGuest)) for move in moves)
    if state.phase == MAYOR_PHASE:
        sentences += _shorthands(state, path, named)
    if state.phase == ROLE_PHASE:
        sentences += _doubloons(state)
    if any(isinstance(move, Pass) for move in moves):
        sentences.append(say(_PASS[state.phase], command=command("pass", path, named)))
    if guest and usual:
        sentences.append(
            f"To move a guest before that, for example: {command(format_move(guest), path, named)}"
        )
    return sentences


def _doubloons(state: State) -> list[str]:
    """Name the doubloons that lie on cards which can be taken."""
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
        (
            "Type the new row of your table with the last move of the settler, like: --tiles "
            '"corn 2 sugar"'
        )
    ]
    if any(isinstance(move, Take) and move.what == FACE_DOWN for move in moves):
        found.append("Type the tile of the hacienda with the move, like: --tile corn")
    return found
