"""Files of the weights of players: JSON, an object with an entry for each number of players.

The contents of an entry are up to the game; this module reads such files strictly. Every entry has
a ``recipe``, which documents how its weights were made: a list of steps, each with a ``step`` and
its parameters, such as ``seed``, ``program`` (its version), ``plan``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from math import isfinite
from typing import TypeVar

Made = TypeVar("Made")


def read_entries(
    text: str, keys: Collection[str], read: Callable[[str, object], Made]
) -> dict[str, Made]:
    """Return the entries of a file as ``read`` converts them, by their keys.

    ``keys`` are the valid ones, in the order for messages; ``read`` gets a key and its entry, and
    may raise ValueError. Raises ValueError, with the reason, for a text of another form.
    """
    try:
        entries = json.loads(text)
    except ValueError as error:
        raise ValueError(f"This is no JSON: {error}.") from None
    if not isinstance(entries, dict) or not entries:
        raise ValueError("A file of weights is an object with an entry for each number of players.")
    made: dict[str, Made] = {}
    for key, entry in entries.items():
        if key not in keys:
            raise ValueError(f"There are entries for {', '.join(keys)}, and none for {key!r}.")
        made[key] = read(key, entry)
    return made


def demand(key: str, name: str, holds: bool, form: str) -> None:
    """Raise ValueError unless a value of an entry has the form that it needs."""
    if not holds:
        raise ValueError(f"{name!r} of the entry {key!r} has to be {form}.")


def demand_recipe(key: str, recipe: object) -> None:
    """Raise ValueError unless this is the recipe of an entry."""
    holds = isinstance(recipe, list) and bool(recipe) and all(map(_is_step, recipe))
    demand(key, "recipe", holds, "a list of steps, each an object with a 'step'")


def are_numbers(value: object, count: int) -> bool:
    """Return whether something is a list of finite numbers of the right length."""
    return (
        isinstance(value, list)
        and len(value) == count
        and all(type(number) in (int, float) and isfinite(number) for number in value)
    )


def _is_step(step: object) -> bool:
    return isinstance(step, dict) and isinstance(step.get("step"), str)
