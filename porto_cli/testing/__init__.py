"""The conformance suite: what holds for every game, for the tests of packages that have one.

    from porto_cli.testing import conformance

    TestNim = conformance("nim")

This needs pytest. Random games of every kind are played through the seam; a failing test names the
kind and the seed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import wraps
from typing import Any

import pytest

pytest.register_assert_rewrite(f"{__name__}.laws")

from porto_cli.testing import laws  # noqa: E402
from porto_cli.testing.games import REGISTERED, GameKind, Registered, plain  # noqa: E402

__all__ = ["GameKind", "Registered", "conformance"]


# Parameter sets are a private class of pytest, and a law is any function of a kind and a seed.
def conformance(games: str | Mapping[str, Registered], played: Iterable[Any] | None = None) -> type:
    """Return a class of tests; assign it to a name that begins with ``Test``.

    ``games`` is the name of a game in which nothing is hidden, or says what has to be known of
    games, by their names. ``played`` are the kinds and seeds, as parameters of pytest: one game of
    each kind if they are left out.
    """
    known = {games: plain(games)} if isinstance(games, str) else games
    REGISTERED.update(known)
    kinds = [kind for registered in known.values() for kind in registered.kinds()]
    params = [pytest.param(kind, 0, id=str(kind)) for kind in kinds] if played is None else played
    over = pytest.mark.parametrize(("kind", "seed"), list(params))
    laws = {name: staticmethod(over(law)) for name, law in _laws()}
    return type("TestConformance", (), laws)


def _laws() -> Iterator[tuple[str, Any]]:
    """Return every law, as a function that can be marked without marking the law itself."""
    for name, law in vars(laws).items():
        if name.startswith("test_"):
            yield name, wraps(law)(lambda kind, seed, law=law: law(kind, seed))
