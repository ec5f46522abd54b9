"""How many of much the same an ordinary run tries; the others are tried with ``long``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def one_in(share: int, values: Iterable[Any]) -> list[Any]:
    """Return parameters: every so many of them for each run, the ones between for long runs.

    What an ordinary run takes should differ in every respect: choose a share that does not divide
    the period with which options of the values come again.
    """
    return [
        pytest.param(value, marks=[pytest.mark.long] * (nth % share != 0))
        for nth, value in enumerate(values)
    ]
