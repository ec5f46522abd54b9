"""What would be legal instead: the legal moves nearest to one that is refused or incomplete."""

from __future__ import annotations

from porto_cli.games.puerto_rico.engine.components import NO_COLONISTS
from porto_cli.games.puerto_rico.engine.generate import legal_moves
from porto_cli.games.puerto_rico.engine.mayor import fewest_and_most
from porto_cli.games.puerto_rico.engine.moves import Load, LoadSmallWharf, Move, Place, Store
from porto_cli.games.puerto_rico.engine.state import MAYOR_PHASE, Player, State
from porto_cli.games.puerto_rico.notation import format_move

MOST = 5
ENOUGH = 500
"""Moves among which the nearest are found, where there are more."""


def suggestions(state: State, move: Move | None, seat: int) -> list[Move]:
    """Return up to five legal moves of a seat, the most similar first.

    They are of the same kind as ``move``, unless nothing of that kind is legal now.
    """
    if state.phase == MAYOR_PHASE and seat == state.seat:
        wanted = move.colonists if isinstance(move, Place) else None
        return [nearest_placement(state, wanted)]
    legal = legal_moves(state, seat, ENOUGH)
    alike = [other for other in legal if _is_alike(move, other)]
    if move is not None:
        alike.sort(key=lambda other: _distance(move, other))
    return (alike or legal)[:MOST]


def _is_alike(move: Move | None, other: Move) -> bool:
    if isinstance(move, Load | LoadSmallWharf):
        return isinstance(other, Load | LoadSmallWharf)
    return type(other) is type(move)


def _distance(move: Move, other: Move) -> tuple[int, int]:
    """Tell how different two moves are: barrels of bundles, else the words that differ."""
    if isinstance(move, Store | LoadSmallWharf) and isinstance(other, Store | LoadSmallWharf):
        different = sum(abs(a - b) for a, b in zip(move.goods, other.goods, strict=True))
        return type(move) is not type(other), different
    words, others = set(format_move(move).split()), set(format_move(other).split())
    return -len(words & others), len(others)


def nearest_placement(state: State, wanted: bytes | None = None) -> Place:
    """Return a legal placement of the player to move that is most like another one.

    If not said otherwise everybody stays, and the new colonists fill the empty circles, those of
    the island first.
    """
    player = state.players[state.seat]
    fewest, most = fewest_and_most(state, player)
    if wanted is None:
        return Place(_filled(player, player.colonists, most))
    placed = bytes(map(min, wanted, player.circles))
    if sum(placed) > most:
        return Place(_emptied(placed, sum(placed) - most))
    return Place(_filled(player, placed, fewest) if sum(placed) < fewest else placed)


def _filled(player: Player, placed: bytes, people: int) -> bytes:
    """Return a placement of so many colonists; those that are missing fill empty circles."""
    left = people - sum(placed)
    found = bytearray(placed)
    for place in range(len(NO_COLONISTS)):
        more = max(0, min(left, player.circles[place] - placed[place]))
        found[place] += more
        left -= more
    return bytes(found)


def _emptied(placed: bytes, fewer: int) -> bytes:
    """Return a placement with so many colonists less, taken from its last places."""
    found = bytearray(placed)
    for place in reversed(range(len(found))):
        less = min(fewer, found[place])
        found[place] -= less
        fewer -= less
    return bytes(found)
