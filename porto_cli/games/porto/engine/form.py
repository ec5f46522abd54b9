"""The form of a move: what the notation cannot say, but a program can build.

A move that was read from a text, or taken from the legal moves, is well-formed. One that was
built by hand may name a space twice, out of order, or one that there is not; such a move is
refused before anybody looks at what lies there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from porto_cli.core.message import say
from porto_cli.core.violation import Violation
from porto_cli.games.porto.engine.components import (
    CARD_SPACES,
    CARDS,
    CONTRACT_SPACES,
    DEALT,
    HOUSES,
    NOWHERE,
    PRIVATE,
    PUBLIC,
)
from porto_cli.games.porto.engine.moves import (
    KEEP_SEALED,
    Build,
    Claim,
    Draw,
    Keep,
    Move,
    Pass,
)


def form_faults(move: Move) -> list[Violation]:
    """Return what is wrong with the form of a move, whatever lies on the table.

    Raises TypeError for what is no move at all, or has anything but whole numbers in it.
    """
    judge = _JUDGES.get(type(move))
    if judge is None:
        raise TypeError(f"{move!r} is no move.")
    return list(judge(move))


def _draw(move: Draw) -> Iterator[Violation]:
    """P-DRAW-1."""
    _demand_numbers(move, move.spaces, move.named)
    _demand_known(move, move.named, len(CARDS))
    for space in _outside(move.spaces, CARD_SPACES):
        yield Violation(
            "P-DRAW-1",
            say(
                "There is no space {space}; the face-up cards lie in the spaces 1 to {last}.",
                space=space + 1,
                last=CARD_SPACES,
            ),
        )
    if _is_unsorted(move.spaces) or _is_unsorted(move.named):
        yield Violation("P-DRAW-1", say("The spaces of a draw are named in ascending order."))


def _build(move: Build) -> Iterator[Violation]:
    """P-BUILD-1, P-SETUP-1."""
    _demand_numbers(move, tuple(move))
    _demand_known(move, (move.number, move.color), len(CARDS))
    _demand_known(move, (move.house,), len(HOUSES))
    _demand_known(move, (move.token,), NOWHERE + 1)
    return iter(())


def _claim(move: Claim) -> Iterator[Violation]:
    """P-PUBLIC-1."""
    _demand_numbers(move, move.spaces, move.named)
    _demand_known(move, move.named, len(PUBLIC))
    for space in _outside(move.spaces, CONTRACT_SPACES):
        yield Violation(
            "P-PUBLIC-1",
            say(
                "There is no space {space}; the public contracts lie in the spaces 1 to {last}.",
                space=space + 1,
                last=CONTRACT_SPACES,
            ),
        )
    if _is_unsorted(move.spaces) or _is_unsorted(move.named):
        yield Violation(
            "P-PUBLIC-1", say("The spaces of public contracts are named in ascending order.")
        )


def _keep(move: Keep) -> Iterator[Violation]:
    """P-SETUP-5."""
    _demand_numbers(move, move.places, move.named)
    if move == KEEP_SEALED:
        return
    _demand_known(move, move.named, len(PRIVATE))
    for place in _outside(move.places, DEALT):
        yield Violation(
            "P-SETUP-5",
            say(
                "There is no private contract {number}; those of the deal are numbered 1 to "
                "{last}.",
                number=place + 1,
                last=DEALT,
            ),
        )
    if _is_unsorted(move.places) or _is_unsorted(move.named):
        yield Violation(
            "P-SETUP-5", say("The private contracts to keep are named in ascending order.")
        )


def _pass(move: Pass) -> Iterator[Violation]:
    return iter(())


_JUDGES: dict[type[Any], Callable[[Any], Iterator[Violation]]] = {
    Draw: _draw,
    Build: _build,
    Claim: _claim,
    Keep: _keep,
    Pass: _pass,
}


def _demand_numbers(move: Move, *fields: object) -> None:
    for field in fields:
        if type(field) is not tuple or any(type(each) is not int for each in field):
            raise TypeError(f"{tuple(move)} is no {type(move).__name__}: it takes whole numbers.")


def _demand_known(move: Move, things: Sequence[int], count: int) -> None:
    """Demand cards, contracts and houses that there are: nothing could be said of any other."""
    for thing in _outside(things, count):
        raise ValueError(
            f"{tuple(move)} is no {type(move).__name__}: {thing} is not one of 0 to {count - 1}."
        )


def _outside(places: Sequence[int], count: int) -> list[int]:
    return [place for place in places if not 0 <= place < count]


def _is_unsorted(places: Sequence[int]) -> bool:
    """Tell whether places are out of order; for one named twice there is a rule of its own."""
    return list(places) != sorted(places)
