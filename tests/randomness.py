"""Keys, nonces and seeds that are the same in every run, so that a failure comes again.

The package asks the operating system for them and takes them from nowhere else, as it should
be. Here its sources are replaced, in tests only.
"""

from __future__ import annotations

import random
import secrets
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from porto_cli.sealed import chain, steps


@contextmanager
def seeded_by(name: str) -> Iterator[None]:
    """Let what is fresh follow from a name: another name, other games with other cards."""
    source = random.Random(name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(steps, "urandom", source.randbytes)
        for module in (secrets, chain):
            patch.setattr(module, "token_hex", lambda size: source.randbytes(size).hex())
        yield
