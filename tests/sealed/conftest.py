from __future__ import annotations

import pytest

from porto_cli.sealed.dealing import SetupState
from tests.sealed.people import completed, joined


@pytest.fixture(scope="session")
def three() -> SetupState:
    """Three players with two of eight things each: everybody has joined, nobody has unlocked."""
    return joined(3, 8, 2, 3)


@pytest.fixture(scope="session")
def dealt(three: SetupState) -> SetupState:
    """The same after everybody has unlocked."""
    return completed(three)
