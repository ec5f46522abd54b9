"""Moves: plain data. What a player does, without who does it.

A text is one and the same move at any table, so a move does not know its phase: ``take corn``
takes a plantation in one phase and a barrel in another.
"""

from __future__ import annotations

from typing import Any

from porto_cli.games.puerto_rico.engine.components import NO_GOOD, NO_PLACE, QUARRY
from porto_cli.games.puerto_rico.engine.value import Value

FACE_DOWN = 6
"""What a :class:`Take` takes with the Hacienda; 0-4 are goods or plantations, 5 is a quarry."""

WHARF = -1
"""Where a :class:`Load` goes that no cargo ship takes; others name the spaces of the ship."""

_set = object.__setattr__


class Move(Value):
    """What a player can do. A move cannot be changed."""

    __slots__ = ()

    def __init__(self, *facts: object) -> None:
        for name, fact in zip(self.__match_args__, facts, strict=True):
            _set(self, name, fact)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"A move cannot be changed: {name}.")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"A move cannot be changed: {name}.")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), tuple(self.facts().values())


class Choose(Move):
    """Name a violet building for the game (PR-DRAFT-1)."""

    __slots__ = __match_args__ = ("building",)
    building: int

    def __init__(self, building: int) -> None:
        super().__init__(building)


class TakeRole(Move):
    """Take a role card (PR-ROLE-1); the mayor's also without the privilege (PR-MAYOR-1)."""

    __slots__ = __match_args__ = ("role", "no_colonist")
    role: int
    no_colonist: bool

    def __init__(self, role: int, no_colonist: bool = False) -> None:
        super().__init__(role, no_colonist)


class Take(Move):
    """Take a tile (settler, library) or one or two barrels (the craftsman's privilege).

    ``what`` is a plantation or good, ``QUARRY`` or ``FACE_DOWN``; ``second`` another good, the
    dearer one. Raises ValueError for a tile together with a second good.
    """

    __slots__ = __match_args__ = ("what", "second", "forest", "no_colonist")
    what: int
    second: int
    forest: bool
    no_colonist: bool

    def __init__(
        self, what: int, second: int = NO_GOOD, forest: bool = False, no_colonist: bool = False
    ) -> None:
        if second != NO_GOOD:
            if what >= QUARRY or forest or no_colonist:
                raise ValueError("A second good goes with a good, and with nothing else.")
            what, second = min(what, second), max(what, second)
        super().__init__(what, second, forest, no_colonist)


class Place(Move):
    """Place all colonists: how many on each place (PR-MAYOR-3)."""

    __slots__ = __match_args__ = ("colonists",)
    colonists: bytes

    def __init__(self, colonists: bytes) -> None:
        _set(self, "colonists", colonists)


class Build(Move):
    """Build (PR-BUILDER-1), and return up to three things for it (PR-B-BLACK-MARKET).

    ``good`` is ``NO_GOOD`` and ``colonist`` ``NO_PLACE`` where none is returned; ``colonist``
    is the place it leaves, or ``SAN_JUAN``.
    """

    __slots__ = __match_args__ = ("building", "good", "vp", "colonist", "no_colonist")
    building: int
    good: int
    vp: bool
    colonist: int
    no_colonist: bool

    def __init__(
        self,
        building: int,
        good: int = NO_GOOD,
        vp: bool = False,
        colonist: int = NO_PLACE,
        no_colonist: bool = False,
    ) -> None:
        super().__init__(building, good, vp, colonist, no_colonist)

    @property
    def returned(self) -> int:
        """How many things are returned."""
        return (self.good != NO_GOOD) + self.vp + (self.colonist != NO_PLACE)


class Sell(Move):
    """Sell a barrel to the trading house (PR-TRADER-1) or the own trading post."""

    __slots__ = __match_args__ = ("good", "post")
    good: int
    post: bool

    def __init__(self, good: int, post: bool = False) -> None:
        super().__init__(good, post)


class Load(Move):
    """Load all barrels of a good, or as many as fit (PR-CAPTAIN-1).

    ``onto`` is the number of spaces of the cargo ship, or ``WHARF``.
    """

    __slots__ = __match_args__ = ("good", "onto")
    good: int
    onto: int

    def __init__(self, good: int, onto: int) -> None:
        super().__init__(good, onto)


class LoadSmallWharf(Move):
    """Load any barrels by the Small Wharf (PR-B-SMALL-WHARF): how many of each good."""

    __slots__ = __match_args__ = ("goods",)
    goods: bytes

    def __init__(self, goods: bytes) -> None:
        _set(self, "goods", goods)


class Store(Move):
    """Keep these barrels (PR-STORE-1): how many of each good."""

    __slots__ = __match_args__ = ("goods",)
    goods: bytes

    def __init__(self, goods: bytes) -> None:
        _set(self, "goods", goods)


class MoveGuest(Move):
    """Move a guest to an empty circle (PR-B-GUEST-HOUSE); the decision is still to be made."""

    __slots__ = __match_args__ = ("place",)
    place: int

    def __init__(self, place: int) -> None:
        super().__init__(place)


class Pass(Move):
    """Decline (PR-OPTIONAL-1); in the craftsman phase, produce now."""

    __slots__ = ()


PASS = Pass()
