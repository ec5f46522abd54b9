"""What would be legal instead: the legal moves nearest to one that is refused or incomplete."""

from __future__ import annotations

from porto_cli.games.porto.engine.generate import legal_moves
from porto_cli.games.porto.engine.moves import Build, Claim, Draw, Keep, Move
from porto_cli.games.porto.engine.state import State

MOST = 5


def suggestions(state: State, move: Move, seat: int) -> list[Move]:
    """Return up to five legal moves, the most similar first.

    They are of the same kind as ``move``, unless nothing of that kind is legal now.
    """
    legal = legal_moves(state, seat)
    alike = [other for other in legal if type(other) is type(move)]
    if isinstance(move, Build):
        return builds_with_parts(state, seat, move.number, move.color, move.house, move.token)
    things = _things(move)
    alike.sort(key=lambda other: (-len(things & _things(other)), len(_things(other))))
    return (alike or legal)[:MOST]


def builds_with_parts(
    state: State,
    seat: int,
    number: int | None = None,
    color: int | None = None,
    house: int | None = None,
    token: int | None = None,
) -> list[Move]:
    """Return up to five legal builds, those with these parts first; or what else is legal."""
    legal = legal_moves(state, seat)
    cards = sorted(card for card in (number, color) if card is not None)

    def distance(build: Build) -> tuple[bool, ...]:
        same_cards = cards in (sorted((build.number, build.color)), [build.number], [build.color])
        return (
            house not in (None, build.house),
            bool(cards) and not same_cards,
            number not in (None, build.number),
            color not in (None, build.color),
            token not in (None, build.token),
        )

    builds = sorted((move for move in legal if isinstance(move, Build)), key=distance)
    return list(builds[:MOST]) or legal[:MOST]


def _things(move: Move) -> set[int]:
    """Return the spaces or places that a move names."""
    if isinstance(move, Draw | Claim):
        return set(move.spaces)
    return set(move.places) if isinstance(move, Keep) else set()
