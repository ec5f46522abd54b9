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

from collections.abc import Mapping, Sequence

from porto_cli.games.porto.engine.components import PRIVATE, VALUES
from porto_cli.games.porto.players import solo_value
from porto_cli.games.porto.players.features import NAMES
from porto_cli.games.porto.players.weights import SOLO, Weights, weights_in
from porto_cli.players.weights_files import are_numbers, demand, demand_recipe, read_entries

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
    return read_entries(text, ROWS, _read)


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


def _read(key: str, entry: object) -> Weights:
    """Return the weights of an entry; raise ValueError if it has another form."""
    chances = ("completion", "completion_80") if key == SOLO else ("completion",)
    keys = {"recipe", "features", "phases", "V", "completion_columns", *chances, "keep", "pi"}
    if not isinstance(entry, dict) or set(entry) != keys:
        raise ValueError(f"The entry {key!r} has to have these keys: {', '.join(sorted(keys))}.")

    demand_recipe(key, entry["recipe"])
    features = list(solo_value.NAMES if key == SOLO else NAMES)
    demand(
        key,
        "features",
        entry["features"] == features,
        "those that this program knows, in its order",
    )
    phases = entry["phases"]
    demand(
        key,
        "phases",
        isinstance(phases, list) and len(phases) == PHASES[key],
        f"a list of {PHASES[key]} names",
    )
    demand(
        key, "completion_columns", entry["completion_columns"] == list(COLUMNS), ", ".join(COLUMNS)
    )
    for name, rows, width in (
        ("V", PHASES[key], len(features)),
        *((name, ROWS[key], len(COLUMNS)) for name in chances),
    ):
        table = entry[name]
        demand(
            key,
            name,
            isinstance(table, list)
            and len(table) == rows
            and all(are_numbers(row, width) for row in table),
            f"a table of {rows} rows of {width} numbers",
        )
    keep = entry["keep"]
    demand(
        key,
        "keep",
        isinstance(keep, dict)
        and set(keep) == {contract.name for contract in PRIVATE}
        and are_numbers(list(keep.values()), len(PRIVATE)),
        "an object with a number for each private contract",
    )
    pi = entry["pi"]
    demand(
        key,
        "pi",
        isinstance(pi, dict)
        and set(pi) == {"cv", "dg", "start", "size", "end", "pw"}
        and are_numbers(pi["cv"], len(VALUES))
        and are_numbers(pi["dg"], GAPS)
        and are_numbers([pi["start"], pi["size"], pi["end"], pi["pw"]], 4),
        f"an object with cv ({len(VALUES)} numbers), dg ({GAPS}), start, size, end and pw",
    )
    return weights_in(entry)
