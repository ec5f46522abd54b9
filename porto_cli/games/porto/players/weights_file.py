"""Files of weights in the form of ``weights.json``: read with care, and written.

There is an entry for each number of players, ``"2"`` to ``"4"``, and for ``"solo"``, or for some of
them. It has these keys:

===================  ============================================================================
recipe               how the weights came about: a list of steps, each with a ``step`` and whatever
                     there is to say of it, such as ``seed``, ``program`` (its version), ``plan``
features, phases     what stands in each place of a row of ``V``, and when a row is used
V                    for each phase a row with the weight of each feature
completion_columns   what stands in each place of the next ones
completion           for what is left of a game, the chance of each house to be complete at its end
completion_80        the same for who goes for 80 VP alone; there is none elsewhere
keep                 for each private contract what it turned out to be worth
pi                   the prices: cv of cards of value 1, 2, 3; dg of leaving 0 to 5 floors; start
                     of starting a house; size of each card beyond three; end, what counts of them
                     once the end is triggered; pw of tokens that others could get
===================  ============================================================================
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from math import isfinite

from porto_cli.games.porto.engine.components import PRIVATE, VALUES
from porto_cli.games.porto.players import solo_value
from porto_cli.games.porto.players.features import NAMES
from porto_cli.games.porto.players.weights import SOLO, Weights, weights_in

PHASES = {"2": 7, "3": 7, "4": 7, SOLO: 13}
"""How many rows of weights there are: phases of the game; alone, turns that are left."""
ROWS = {"2": 7, "3": 9, "4": 11, SOLO: 8}
"""How many rows the chances of completion have: roofs to go; alone, fours of timer cards."""
COLUMNS = (*(f"missing_{floors}" for floors in range(7)), "unstarted")
"""What the columns of these are."""
GAPS = 6
"""For how many gaps there is a price."""


def read_weights(text: str) -> dict[str, Weights]:
    """Return the weights of a file that has the form of ``weights.json``, for whom it has some.

    Raises ValueError, which says what is wrong, for a text that has another form.
    """
    try:
        entries = json.loads(text)
    except ValueError as error:
        raise ValueError(f"This is no JSON: {error}.") from None
    if not isinstance(entries, dict) or not entries:
        raise ValueError("A file of weights is an object with an entry for each number of players.")
    for key, entry in entries.items():
        _check(key, entry)
    return {key: weights_in(entry) for key, entry in entries.items()}


def entry_of(weights: Weights, recipe: Sequence[Mapping[str, object]]) -> dict[str, object]:
    """Return weights as an entry of a file; ``recipe`` says how they came about, step by step."""
    prices = weights.prices
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
    entry["pi"] = {
        "cv": prices.cards,
        "dg": prices.gaps,
        "start": prices.start,
        "size": prices.size,
        "end": prices.end,
        "pw": prices.roof,
    }
    return entry


def _check(key: str, entry: object) -> None:
    """Raise ValueError for an entry that has another form than those of ``weights.json``."""
    if key not in ROWS:
        raise ValueError(f"There are entries for {', '.join(ROWS)}, and none for {key!r}.")
    keys = {"recipe", "features", "phases", "V", "completion_columns", "completion", "keep", "pi"}
    if key == SOLO:
        keys.add("completion_80")
    if not isinstance(entry, dict) or set(entry) != keys:
        raise ValueError(f"The entry {key!r} has to have these keys: {', '.join(sorted(keys))}.")

    def demand(name: str, holds: bool, form: str) -> None:
        if not holds:
            raise ValueError(f"{name!r} of the entry {key!r} has to be {form}.")

    def numbers(value: object, count: int) -> bool:
        return (
            isinstance(value, list)
            and len(value) == count
            and all(type(number) in (int, float) and isfinite(number) for number in value)
        )

    recipe = entry["recipe"]
    demand(
        "recipe",
        isinstance(recipe, list) and bool(recipe) and all(_is_step(step) for step in recipe),
        "a list of steps, each an object with a 'step'",
    )
    features = list(solo_value.NAMES if key == SOLO else NAMES)
    demand("features", entry["features"] == features, "those that this program knows, in its order")
    phases = entry["phases"]
    demand(
        "phases",
        isinstance(phases, list) and len(phases) == PHASES[key],
        f"a list of {PHASES[key]} names",
    )
    demand("completion_columns", entry["completion_columns"] == list(COLUMNS), ", ".join(COLUMNS))
    for name, rows, width in (
        ("V", PHASES[key], len(features)),
        *((name, ROWS[key], len(COLUMNS)) for name in keys & {"completion", "completion_80"}),
    ):
        table = entry[name]
        demand(
            name,
            isinstance(table, list)
            and len(table) == rows
            and all(numbers(row, width) for row in table),
            f"a table of {rows} rows of {width} numbers",
        )
    keep = entry["keep"]
    demand(
        "keep",
        isinstance(keep, dict)
        and set(keep) == {contract.name for contract in PRIVATE}
        and numbers(list(keep.values()), len(PRIVATE)),
        "an object with a number for each private contract",
    )
    pi = entry["pi"]
    demand(
        "pi",
        isinstance(pi, dict)
        and set(pi) == {"cv", "dg", "start", "size", "end", "pw"}
        and numbers(pi["cv"], len(VALUES))
        and numbers(pi["dg"], GAPS)
        and numbers([pi["start"], pi["size"], pi["end"], pi["pw"]], 4),
        f"an object with cv ({len(VALUES)} numbers), dg ({GAPS}), start, size, end and pw",
    )


def _is_step(step: object) -> bool:
    return isinstance(step, dict) and isinstance(step.get("step"), str)
