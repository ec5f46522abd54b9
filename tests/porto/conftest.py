"""Porto is the only game here: nobody is asked which one to play."""

from __future__ import annotations

import pytest

from porto_cli.cli import lesson, lobby, results
from porto_cli.games import GAMES


@pytest.fixture(autouse=True)
def only_porto(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (lesson, lobby, results):
        monkeypatch.setattr(module, "GAMES", {"porto": GAMES["porto"]})
