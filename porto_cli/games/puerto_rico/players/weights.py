"""The weights by which tables are valued, from ``weights.json``: read with care, and written.

The file has an entry for each number of players, ``"2"`` to ``"5"``. Other files of this form, for
some of them, are made by ``python -m bench.training puerto-rico``; ``docs/players.md`` tells how.
An entry has these keys:

===================  ============================================================================
recipe               how the weights came about: a list of steps, each with a ``step`` and whatever
                     there is to say of it, such as ``seed``, ``program`` (its version), ``plan``
each of ``NAMES``    the weights of this feature: by itself, by the rounds left, towards the end
===================  ============================================================================
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from porto_cli.players.weights_files import are_numbers, demand, demand_recipe, read_entries

FILE = Path(__file__).with_name("weights.json")
"""The weights that come with the program."""
PLAYERS = ("2", "3", "4", "5")
"""For whom there are weights."""
NAMES = (
    *("constant", "doubloons", "doubloons_above_8", "barrels", "barrels_above_4"),
    *("kinds_held", "dearest_held", "made", "made_corn", "kinds_made", "prices_made"),
    *("dearest_made", "can_be_made", "plants_spare", "tiles_spare", "quarries"),
    *("quarries_empty", "people", "in_san_juan", "spaces_built", "circles_empty", "tiles"),
    *("large_bonus_to_come", "guild_hall", "residence", "fortress", "customs_house"),
    *("city_hall", "effects", "effects_to_come", "harbor", "wharf", "factory", "markets"),
    *("warehouses", "turns_to_wait", "made_by_others", "barrels_of_others"),
)
"""What a row of weights is for: the features, in their order."""
BASES = 3
"""Each feature counts by itself, by the rounds left, and more towards the end."""

Rows = tuple[tuple[float, ...], ...]
"""For each feature its weights."""


@cache
def weights_of(seats: int) -> Rows:
    """Return the weights for so many players that come with the program."""
    return _shipped()[str(seats)]


@cache
def _shipped() -> dict[str, Rows]:
    return read_weights(FILE.read_text("utf-8"))


def read_weights(text: str) -> dict[str, Rows]:
    """Return the weights of a file that has the form of ``weights.json``, for whom it has some.

    Raises ValueError, which says what is wrong, for a text that has another form.
    """
    return read_entries(text, PLAYERS, _read)


def entry_of(rows: Rows, recipe: Sequence[Mapping[str, object]]) -> dict[str, object]:
    """Return weights as an entry of a file; ``recipe`` says how they came about, step by step."""
    return {"recipe": list(recipe), **dict(zip(NAMES, rows, strict=True))}


def _read(key: str, entry: object) -> Rows:
    """Return the weights of an entry; raise ValueError if it has another form."""
    keys = {"recipe", *NAMES}
    if not isinstance(entry, dict) or set(entry) != keys:
        wrong = sorted(keys.symmetric_difference(entry if isinstance(entry, dict) else ()))
        raise ValueError(
            f"The entry {key!r} has to have 'recipe' and each feature that this program knows as "
            f"keys, and no others; missing or too many: {', '.join(wrong)}."
        )
    demand_recipe(key, entry["recipe"])
    for name in NAMES:
        demand(key, name, are_numbers(entry[name], BASES), f"a list of {BASES} numbers")
    return tuple(tuple(entry[name]) for name in NAMES)
