"""The weights that the stronger players use, from ``weights.json``.

How they were made, and how to make them again, is described in ``docs/players.md``. A file has an
entry for each number of players, ``"2"`` to ``"4"``, and for ``"solo"``, or for some of them, with
these keys:

===================  ============================================================================
recipe               how the weights were made: a list of steps, each with a ``step`` and its
                     parameters, such as ``seed``, ``program`` (its version), ``plan``
features, phases     the columns of ``V``, and when each of its rows is used
V                    for each phase a row with the weight of each feature
completion_columns   the columns of the next ones
completion           for what is left of a game, the chance of each house to be complete at its end
completion_80        the same for a solo player who goes for 80 VP; there is none elsewhere
keep                 for each private contract what it turned out to be worth
pi                   the prices: cv of cards of value 1, 2, 3; dg of leaving 0 to 5 floors; start
                     of starting a house; size of each card beyond three; end, what counts of them
                     once the end is triggered; pw of tokens that others could get
===================  ============================================================================
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

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


PRICED = ("cv", "dg", "start", "size", "end", "pw")
"""How the prices are called in a file, in their order."""


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
    return weights_in(json.loads(FILE.read_text("utf-8"))[key])


def weights_in(entry: dict[str, Any]) -> Weights:
    """Return the weights of an entry that has the form of those of ``weights.json``."""
    keep, pi = entry["keep"], entry["pi"]
    return Weights(
        features=tuple(entry["features"]),
        phases=tuple(entry["phases"]),
        rows=_table(entry["V"]),
        completion=_table(entry["completion"]),
        bold=_table(entry.get("completion_80", ())),
        keep=tuple(keep[contract.name] for contract in PRIVATE),
        prices=Prices(tuple(pi["cv"]), tuple(pi["dg"]), *(pi[name] for name in PRICED[2:])),
    )


def _table(rows: Iterable[Iterable[float]]) -> tuple[tuple[float, ...], ...]:
    return tuple(map(tuple, rows))
