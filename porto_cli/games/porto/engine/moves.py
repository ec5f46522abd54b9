"""Moves: plain values. What a player does, without who does it.

Cards are named by the *space* they lie in (counted from 0), because that is what decides which
spaces are empty afterwards. A card that was named but does not lie there is kept in ``named``,
so that the rules and not the reader of the notation refuse it; in a legal move it is empty.

A move is shown in the words of the notation, as far as it can be without its table:

>>> Build(11, 0, 3, token=5)
<Build red-3 blue-1 L4 token L6>
>>> Draw((0, 3)), Claim((0, 2)), Claim(()), Keep((0, 1, 4)), Pass()
(<Draw @1 @4>, <Claim 1 3>, <Claim none>, <Keep 1 2 5>, <Pass>)
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from typing import NamedTuple, Union

from porto_cli.core.value import value
from porto_cli.games.porto.engine.components import (
    CARDS,
    DEALT,
    HIDDEN,
    HOUSES,
    KEPT,
    NOWHERE,
    PRIVATE,
    PUBLIC,
)


@value
class Draw(NamedTuple):
    """Take face-up construction cards (P-DRAW-1).

    ``spaces``  where they lie: 0 to 4, in ascending order
    ``named``   cards that were asked for and do not lie there; with one the draw is not legal

    The repr counts spaces from 1, as the notation does: ``<Draw @1 @4>``.
    """

    spaces: tuple[int, ...]
    named: tuple[int, ...] = ()

    def __repr__(self) -> str:
        return _shown("Draw", [f"@{each}" for each in _from_one(self.spaces)], CARDS, self.named)


@value
class Build(NamedTuple):
    """Build with two cards (P-BUILD-1).

    ``number``  the card that says how many floors, 0 to 14 in the order of ``CARDS``
    ``color``   the card that says in which color, 0 to 14
    ``house``   the house, 0 to 13 in the order of ``HOUSES``: L1 to L7, R1 to R7
    ``token``   the house whose roof receives the token of the ground floor; 14 if none does

    The repr has the words of the notation: ``<Build red-3 blue-1 L4 token L6>``.
    """

    number: int
    color: int
    house: int
    token: int = NOWHERE

    def __repr__(self) -> str:
        words = [_name(CARDS, self.number), _name(CARDS, self.color), _name(HOUSES, self.house)]
        if self.token != NOWHERE:
            words += ["token", _name(HOUSES, self.token)]
        return _shown("Build", words)


@value
class Claim(NamedTuple):
    """Fulfill public contracts after a build, or none (P-PUBLIC-2).

    ``spaces``  where they lie: 0 to 3, in ascending order; empty for none
    ``named``   contracts that were asked for and do not lie there; with one it is not legal

    The repr counts spaces from 1, as the notation does: ``<Claim 1 3>``, ``<Claim none>``.
    """

    spaces: tuple[int, ...]
    named: tuple[int, ...] = ()

    def __repr__(self) -> str:
        if not self.spaces and not self.named:
            return "<Claim none>"
        names = [contract.name for contract in PUBLIC]
        return _shown("Claim", _from_one(self.spaces), names, self.named)


@value
class Keep(NamedTuple):
    """Keep three private contracts (P-SETUP-5).

    ``places``  which ones of the five dealt: 0 to 4, in ascending order
    ``named``   the contracts themselves, where the deal is not known (real cards on a table), and
                where they are revealed; three times ``HIDDEN`` in what everybody may see of a
                sealed game, see ``KEEP_SEALED``

    The repr counts places from 1, as the notation does: ``<Keep 1 2 5>``, ``<Keep sealed>``.
    """

    places: tuple[int, ...]
    named: tuple[int, ...] = ()

    def __repr__(self) -> str:
        if (self.places, self.named) == ((), (HIDDEN,) * KEPT):
            return "<Keep sealed>"
        names = [contract.name for contract in PRIVATE]
        return _shown("Keep", _from_one(self.places), names, self.named)


@value
class Pass(NamedTuple):
    """Do nothing, where nothing can be done (P-PASS-1)."""

    def __repr__(self) -> str:
        return "<Pass>"


Move = Union[Draw, Build, Claim, Keep, Pass]  # noqa: UP007 - evaluated at run time


def _shown(
    kind: str, words: Sequence[str], names: Sequence[str] = (), named: Sequence[int] = ()
) -> str:
    return f"<{' '.join([kind, *words, *(_name(names, each) for each in named)])}>"


def _name(names: Sequence[str], index: object) -> str:
    """Return a name; what has none is shown as it is, as the move may be wrong in any way."""
    if isinstance(index, int) and 0 <= index < len(names):
        return names[index]
    return f"?{index!r}"


def _from_one(places: Sequence[object]) -> list[str]:
    return [str(each + 1) if isinstance(each, int) else f"?{each!r}" for each in places]


PASS = Pass()
KEEPS = tuple(Keep(places) for places in combinations(range(DEALT), KEPT))
KEEP_SEALED = Keep((), (HIDDEN,) * KEPT)
"""Keep three private contracts of a sealed game: all that the other players may see of it."""
CLAIM_NONE = Claim(())

draw_of = cache(Draw)
"""Return the one ``Draw`` of these spaces."""
build_of = cache(Build)
"""Return the one ``Build`` of these cards on this house."""


def builds_with(number: int, color: int, house: int) -> tuple[Build, ...]:
    """Return the builds of two cards on a house: one for each roof, then one without a token."""
    return tuple(Build(number, color, house, token) for token in range(len(HOUSES) + 1))
