"""What can be done next and by whom: in sentences, with the commands to type."""

from __future__ import annotations

from collections.abc import Iterator
from operator import sub

from porto_cli.core.message import command, enumerated
from porto_cli.games.puerto_rico.engine.components import ROLES
from porto_cli.games.puerto_rico.engine.moves import FACE_DOWN, Take
from porto_cli.games.puerto_rico.engine.play import count_moves, legal_moves
from porto_cli.games.puerto_rico.engine.settler_mayor import nearest_placement
from porto_cli.games.puerto_rico.engine.state import (
    LIBRARY_PHASE,
    MAYOR_PHASE,
    ROLE_PHASE,
    SETTLER_PHASE,
    State,
)
from porto_cli.games.puerto_rico.notation import PLACE_NAMES, format_bundle, format_move
from porto_cli.games.puerto_rico.words import first_options
from porto_cli.term.spans import plain


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
    player = player or state.config.players[state.seat]
    sentences = []
    for nth, option in enumerate(first_options(state)):
        move = f"place {added(state)}" if option.form else option.move
        what = plain(option.parts[0].label) if nth else f"{player} is to move. {option.heading}"
        like = "" if option.move == "pass" else ", for example"
        sentences.append(f"{what}{like}: {command(move, path, named)}")
    if state.phase == MAYOR_PHASE:
        sentences += _shorthands(state, path, named)
    if state.phase == ROLE_PHASE:
        sentences += _doubloons(state)
    count = count_moves(state)
    if count > 1:
        sentences.append(f"To see all {count:,} legal moves: {command('moves', path, named)}")
    if on_a_table:
        sentences += _comes_up(state)
    return sentences


def _doubloons(state: State) -> list[str]:
    """Name the doubloons on the role cards that can be taken."""
    lying = [
        f"{ROLES[role]} {state.role_doubloons[role]}"
        for role in state.config.box.roles
        if state.role_doubloons[role]
    ]
    return [f"Doubloons lie on {enumerated(lying)}."] if lying else []


def added(state: State) -> str:
    """Return a placement that is legal: all stay where they are, the new ones fill the gaps."""
    player = state.players[state.seat]
    placed = nearest_placement(state)
    added = bytes(map(sub, placed.colonists, player.colonists))
    if not any(added):
        return format_move(placed).removeprefix("place ")
    return f"add {format_bundle(added, PLACE_NAMES)}"


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


def _comes_up(state: State) -> Iterator[str]:
    """At a real table the players type the tiles that come up."""
    if state.phase not in (SETTLER_PHASE, LIBRARY_PHASE):
        return
    yield (
        "Add the new row of your table to the last move of the settler phase, like: --tiles "
        '"corn 2 sugar"'
    )
    if any(isinstance(move, Take) and move.what == FACE_DOWN for move in legal_moves(state)):
        yield "Add the hacienda tile to the move, like: --tile corn"
