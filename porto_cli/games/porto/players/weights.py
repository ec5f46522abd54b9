"""The numbers that the stronger players decide by, from ``weights.json``.

How they came about, and how to make them again, is told in ``docs/players.md``. What other files of
weights have to be like is in ``weights_file.py``.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import NamedTuple

from porto_cli.games.porto.engine.components import PRIVATE

SOLO = "solo"
"""The key of the solo game; the others are the numbers of players."""
FILE = Path(__file__).with_name("weights.json")
"""The weights that come with the program."""


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
    return {key: weights_in(entry) for key, entry in json.loads(FILE.read_text("utf-8")).items()}


def weights_in(entry: dict[str, object]) -> Weights:
    """Return the weights of an entry that has the form of those of ``weights.json``."""
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


def _table(rows: object) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(row) for row in rows)  # type: ignore[attr-defined]
