"""How people type and read the names of players: ``4`` and ``level 4`` for ``level-4``."""

from __future__ import annotations

from collections.abc import Collection, Iterable

_LEVEL = "level-"


def level_named(typed: str, names: Collection[str]) -> str | None:
    """Return which of a game's players was typed, in any case and with or without ``level-``."""
    name = typed.lower()
    if name not in names and name.isdigit():
        name = _LEVEL + name
    return name if name in names else None


def shortest(name: str) -> str:
    """Return a name as short as it can be typed: ``4``."""
    return name.removeprefix(_LEVEL)


def in_words(name: str) -> str:
    """Return what people call a player: ``level 4``."""
    return name.replace("-", " ")


def levels_among(names: Iterable[str]) -> list[str]:
    """Return the players that differ in strength alone, the weakest first; none in some games."""
    return [name for name in names if name.startswith(_LEVEL)]
