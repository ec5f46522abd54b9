"""How many of much the same an ordinary run tries, and what it tries as one case."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import update_wrapper
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


def for_each(
    names: str | tuple[str, ...], rows: Iterable[Any]
) -> Callable[[Callable[..., None]], Callable[[], None]]:
    """Return a decorator for a test of a table of values: all its rows are one case.

    The arguments are those of ``pytest.mark.parametrize``, for rows that take the same path in no
    time: to report a case takes longer. A failure says in which row it was.
    """
    keys, table = (names,) if isinstance(names, str) else names, list(rows)

    def decorated(test: Callable[..., None]) -> Callable[[], None]:
        def of_all_rows() -> None:
            for row in table:
                values = dict(zip(keys, (row,) if isinstance(names, str) else row, strict=True))
                try:
                    test(**values)
                except (Exception, pytest.fail.Exception) as error:
                    error.add_note(f"in the row {values}")
                    raise

        update_wrapper(of_all_rows, test)
        del of_all_rows.__wrapped__  # type: ignore[attr-defined]
        return of_all_rows

    return decorated
