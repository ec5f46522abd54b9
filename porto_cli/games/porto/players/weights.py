"""The numbers that the stronger players decide by, from ``weights.json``.

How they came about, and how to make them again, is told in ``docs/players.md``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from math import isfinite
from pathlib import Path
from typing import NamedTuple

from porto_cli.games.porto.engine.components import PRIVATE, VALUES

SOLO = "solo"
"""The key of the solo game; the others are the numbers of players."""
FILE = Path(__file__).with_name("weights.json")
"""The weights that come with the program."""
PHASES = {"2": 7, "3": 7, "4": 7, SOLO: 13}
"""How many rows of weights there are: phases of the game; alone, turns that are left."""
ROWS = {"2": 7, "3": 9, "4": 11, SOLO: 8}
"""How many rows the chances of completion have: roofs to go; alone, fours of timer cards."""
COLUMNS = (*(f"missing_{floors}" for floors in range(7)), "unstarted")
"""What the columns of these are."""
GAPS = 6
"""For how many gaps there is a price."""


class Prices(NamedTuple):
    """What a player who prices moves by rules of thumb goes by, in VP."""

    cards: tuple[float, ...]
    """What a card of the value 1, 2, 3 is worth."""
    gaps: tuple[float, ...]
    """The bonus for leaving 0, 1, 2 … floors of a house to build."""
    start: float
    """The bonus for starting a house."""
    size: float
    """What each card beyond the third in hand adds to the worth of a card."""
    end: float
    """The part of what is worth something only later that counts once the end is triggered."""
    roof: float
    """How much a token counts that others could get by completing the house."""


class Weights(NamedTuple):
    """The numbers for one number of players."""

    features: tuple[str, ...]
    """What a weight of a row is for."""
    phases: tuple[str, ...]
    """When a row is used."""
    rows: tuple[tuple[float, ...], ...]
    """For each phase the weights of the features."""
    completion: tuple[tuple[float, ...], ...]
    """The chance that a house is complete at the end: by what is left of the game, and by how many
    floors are missing, the last one being that of a house without floors."""
    bold: tuple[tuple[float, ...], ...]
    """The same for a solo player who goes for the highest level; empty elsewhere."""
    keep: tuple[float, ...]
    """What each private contract turned out to be worth."""
    prices: Prices


@cache
def weights_of(key: str) -> Weights:
    """Return the weights for ``"2"``, ``"3"`` or ``"4"`` players or for ``"solo"``."""
    return _read()[key]


@cache
def _read() -> dict[str, Weights]:
    return {key: _weights(entry) for key, entry in json.loads(FILE.read_text("utf-8")).items()}


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
    return {key: _weights(entry) for key, entry in entries.items()}


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


def _weights(entry: dict[str, object]) -> Weights:
    keep, pi = entry["keep"], entry["pi"]
    assert isinstance(keep, dict)
    assert isinstance(pi, dict)
    return Weights(
        features=tuple(entry["features"]),  # type: ignore[arg-type]
        phases=tuple(entry["phases"]),  # type: ignore[arg-type]
        rows=_table(entry["V"]),
        completion=_table(entry["completion"]),
        bold=_table(entry.get("completion_80", ())),
        keep=tuple(keep[contract.name] for contract in PRIVATE),
        prices=Prices(
            cards=tuple(pi["cv"]),
            gaps=tuple(pi["dg"]),
            start=pi["start"],
            size=pi["size"],
            end=pi["end"],
            roof=pi["pw"],
        ),
    )


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
    features = list(_features(key))
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


def _features(key: str) -> tuple[str, ...]:
    from porto_cli.games.porto.players import features, solo_value

    return solo_value.NAMES if key == SOLO else features.NAMES


def _table(rows: object) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(row) for row in rows)  # type: ignore[attr-defined]
