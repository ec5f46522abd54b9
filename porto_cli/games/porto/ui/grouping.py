"""From hundreds of builds to one: first by house or by cards, then by the rest.

Builds are told apart by their house, their two cards and the roof that gets the token. Each step
groups what is left by one of these; the groups keep the order of the options, so what scores
best comes first.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import NamedTuple

from porto_cli.games.porto.move_list import Option

Key = Callable[[Option], Hashable]


def by_house(option: Option) -> Hashable:
    """Tell builds apart by their house."""
    return option.house


def by_cards(option: Option) -> Hashable:
    """Tell builds apart by their cards: the number first, then the color."""
    return option.cards


def by_token(option: Option) -> Hashable:
    """Tell builds apart by the roof that gets the token."""
    return option.token


class Group(NamedTuple):
    """Options that have something in common; there is at least one."""

    options: tuple[Option, ...]

    @property
    def best(self) -> Option:
        """The one that scores most."""
        return max(self.options, key=lambda option: option.vp)

    @property
    def least(self) -> int:
        """What the one that scores least would score."""
        return min(option.vp for option in self.options)


def groups(options: Iterable[Option], key: Key) -> list[Group]:
    """Return the options in groups with equal keys, in the order in which the keys appear."""
    found: dict[Hashable, list[Option]] = {}
    for option in options:
        found.setdefault(key(option), []).append(option)
    return [Group(tuple(members)) for members in found.values()]


def fitting(
    options: Iterable[Option],
    *,
    number: str | None = None,
    color: str | None = None,
    house: str | None = None,
    token: str | None = None,
) -> list[Option]:
    """Return the builds that have these parts, as far as they are said."""
    return [
        option
        for option in options
        if number in (None, option.cards[0])
        and color in (None, option.cards[1])
        and house in (None, option.house)
        and token in (None, option.token)
    ]


def open_steps(options: Sequence[Option], steps: Iterable[Key]) -> list[Key]:
    """Return those of the steps that still tell the options apart."""
    return [key for key in steps if len({key(option) for option in options}) > 1]
