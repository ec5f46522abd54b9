"""What would be legal instead: the legal moves nearest to a refused one."""

from __future__ import annotations

from porto_cli.rules.legality import legal_moves
from porto_cli.rules.moves import Build, Draw, Move
from porto_cli.rules.state import State

MOST = 5


def suggestions(state: State, move: Move, seat: int) -> list[Move]:
    """Return up to five legal moves of the same kind, the most similar first."""
    moves = [other for other in legal_moves(state, seat) if type(other) is type(move)]
    if isinstance(move, Build):
        wanted = move
        builds = [other for other in moves if isinstance(other, Build)]
        builds.sort(key=lambda build: _distance(build, wanted))
        return list(builds[:MOST])
    if isinstance(move, Draw):
        spaces = set(move.spaces)
        draws = [other for other in moves if isinstance(other, Draw)]
        draws.sort(key=lambda draw: (-len(spaces & set(draw.spaces)), len(draw.spaces)))
        return list(draws[:MOST])
    return moves[:MOST]


def _distance(build: Build, wanted: Build) -> tuple[int, int, int, int]:
    same_cards = sorted((build.number, build.color)) == sorted((wanted.number, wanted.color))
    return (
        build.house != wanted.house,
        not same_cards,
        build.number != wanted.number,
        build.token != wanted.token,
    )
