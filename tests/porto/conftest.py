"""Porto is the only game here: nobody is asked which one to play."""

from __future__ import annotations

import pytest

from porto_cli.cli import lobby
from porto_cli.games import GAMES


@pytest.fixture(autouse=True)
def only_porto(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobby, "GAMES", {"porto": GAMES["porto"]})
