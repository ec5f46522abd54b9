"""Porto is the only game here: nobody is asked which one to play."""

from __future__ import annotations

import pytest

from porto_cli.cli import lobby, progress
from porto_cli.games import GAMES


@pytest.fixture(autouse=True)
def only_porto(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (lobby, progress):
        monkeypatch.setattr(module, "GAMES", {"porto": GAMES["porto"]})
