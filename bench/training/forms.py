"""The forms of the files of weights of both games: what entries hold, and reading them strictly.

A file is JSON: an object with an entry for each number of players. Every entry has a ``recipe``,
which documents how its weights were made: a list of steps, each with a ``step`` and its parameters,
such as ``seed``, ``program`` (its version), ``plan``. The program itself reads the files that come
with it, and trusts them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from math import isfinite
from typing import Any, TypeVar

from porto_cli.games.porto.engine import PRIVATE
from porto_cli.games.porto.players.evaluation import (
    FILE,
    PRICED,
    SOLO,
    Weights,
    weights_in,
    weights_of,
)
from porto_cli.games.puerto_rico.engine import PLACES
from porto_cli.games.puerto_rico.players import OWN, SHARED, Network, network_in
from porto_cli.games.puerto_rico.players import PRICED as PRICED_BY_NETWORKS

Recipe = Sequence[Mapping[str, object]]
"""How weights came about, step by step."""

# -- Weights of Porto

FEATURES, SOLO_FEATURES = weights_of("2").features, weights_of(SOLO).features
"""The names of the features, in order, as the weights that come with the program have them."""


COLUMNS = (*(f"missing_{floors}" for floors in range(7)), "unstarted")
"""What the columns of these are."""


def read_weights(text: str) -> dict[str, Weights]:
    """Return the weights of a file that has the form of ``weights.json``, for whom it has some.

    Raises ValueError, which says what is wrong, for a text that has another form.
    """
    shipped = json.loads(FILE.read_text("utf-8"))
    return read_entries(text, shipped, lambda key, _: {**shipped[key], "recipe": None}, weights_in)


def entry_of_weights(weights: Weights, recipe: Recipe) -> dict[str, object]:
    """Return weights as an entry of a file; ``recipe`` says how they came about, step by step."""
    entry: dict[str, object] = {
        "recipe": list(recipe),
        "features": weights.features,
        "phases": weights.phases,
        "V": weights.rows,
        "completion_columns": COLUMNS,
        "completion": weights.completion,
    }
    if weights.bold:
        entry["completion_80"] = weights.bold
    entry["keep"] = {contract.name: vp for contract, vp in zip(PRIVATE, weights.keep, strict=True)}
    entry["pi"] = dict(zip(PRICED, weights.prices, strict=True))
    return entry


# -- Networks of Puerto Rico

SEATS = ("2", "3", "4", "5")
"""For whom there are networks."""


def read_networks(text: str) -> dict[str, Network]:
    """Return the networks of a file that has the form of ``value.json``, for whom it has some.

    Raises ValueError, which says what is wrong, for a text that has another form.
    """
    return read_entries(text, SEATS, _like, network_in)


def entry_of_network(network: Network, recipe: Recipe) -> dict[str, object]:
    """Return a network as an entry of a file; ``recipe`` says how it came about, step by step."""
    return {
        "recipe": list(recipe),
        "shared": dict(zip(SHARED, zip(*network.shared, strict=True), strict=True)),
        "own": dict(zip(OWN, zip(*network.own, strict=True), strict=True)),
        "hidden": list(network.hidden),
        "out": list(network.out),
        "direct": dict(zip(OWN, network.direct, strict=True)),
        "doubt": list(network.doubt),
        "prices": dict(zip(PRICED_BY_NETWORKS, network.prices, strict=False)),
        "besides": {
            place: vp for place, vp in zip(PLACES, network.prices.besides, strict=True) if vp
        },
    }


def _like(key: str, entry: dict[str, Any]) -> dict[str, Any]:
    """Return an entry of the form that this one has to have: it has units as it likes, and prices
    of any places besides.
    """
    hidden, besides = entry.get("hidden"), entry.get("besides")
    units = [0.0] * max(1, len(hidden)) if isinstance(hidden, list) else [0.0]
    return {
        "hidden": units,
        "out": units,
        "shared": dict.fromkeys(SHARED, units),
        "own": dict.fromkeys(OWN, units),
        "direct": dict.fromkeys(OWN, 0.0),
        "doubt": [0.0, 0.0],
        "prices": dict.fromkeys(PRICED_BY_NETWORKS, 0.0),
        "besides": {
            place: 0.0 for place in PLACES if not isinstance(besides, dict) or place in besides
        },
    }


# -- Entries of any game

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
