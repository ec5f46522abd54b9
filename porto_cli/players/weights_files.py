"""Files of the weights of players: JSON, an object with an entry for each number of players.

Every entry has a ``recipe``, which documents how its weights were made: a list of steps, each with
a ``step`` and its parameters, such as ``seed``, ``program`` (its version), ``plan``. What else it
contains is up to the game, which says so by an example; this module reads such files strictly.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from math import isfinite
from typing import Any, TypeVar

Made = TypeVar("Made")


def read_entries(
    text: str,
    keys: Collection[str],
    like: Callable[[str, dict[str, Any]], dict[str, Any]],
    made: Callable[[dict[str, Any]], Made],
) -> dict[str, Made]:
    """Return what is made of the entries of a file, by their keys.

    ``keys`` are the valid ones, in the order for messages; ``like`` returns for a key and its entry
    an entry of the right form, without the recipe, see :func:`demand_form`. Raises ValueError, with
    the reason, for a text of another form.
    """
    try:
        entries = json.loads(text)
    except ValueError as error:
        raise ValueError(f"This is no JSON: {error}.") from None
    if not isinstance(entries, dict) or not entries:
        raise ValueError("A file of weights is an object with an entry for each number of players.")
    for key, entry in entries.items():
        if key not in keys:
            raise ValueError(f"There are entries for {', '.join(keys)}, and none for {key!r}.")
        recipe = entry.get("recipe") if isinstance(entry, dict) else None
        if not isinstance(recipe, list) or not recipe or not all(map(_is_step, recipe)):
            raise ValueError(
                f"The entry {key!r} has to be an object with a 'recipe': a list of steps, each an "
                "object with a 'step'."
            )
        demand_form(key, entry, {"recipe": None, **like(key, entry)})
    return {key: made(entry) for key, entry in entries.items()}


def demand_form(where: str, value: object, like: object) -> None:
    """Raise ValueError unless a value has the form of another one.

    That is: an object with the same keys, a list as long, the same word, any finite number. For
    ``None`` there is anything.
    """
    match like:
        case dict():
            fits = isinstance(value, dict) and value.keys() == like.keys()
            form = f"an object with {', '.join(sorted(like))}"
        case list() | tuple():
            fits = isinstance(value, list) and len(value) == len(like)
            form = f"a list of {len(like)}"
        case str():
            fits, form = value == like, repr(like)
        case _:
            fits, form = like is None or _is_number(value), "a number"
    if not fits:
        raise ValueError(f"{where} has to be {form}.")
    if isinstance(value, dict) and isinstance(like, dict):
        for key, part in like.items():
            demand_form(f"{where}.{key}", value[key], part)
    elif isinstance(value, list) and isinstance(like, list | tuple):
        for nth, (one, part) in enumerate(zip(value, like, strict=True)):
            demand_form(f"{where}.{nth}", one, part)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def _is_step(step: object) -> bool:
    return isinstance(step, dict) and isinstance(step.get("step"), str)
