"""Where the interface of a game is found; what it offers is :class:`porto_cli.game_ui.GameUi`."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, cast

from porto_cli.game import GAMES

if TYPE_CHECKING:
    from porto_cli.game_ui import GameUi
    from porto_cli.match.replay import Replay


def ui_of(game_id: str) -> GameUi:
    """Return the interface of a game. Raises KeyError if there is none."""
    ui: GameUi = import_module(f"{GAMES[game_id].module}.ui").UI
    return ui


def ui_for(replay: Replay) -> GameUi:
    """Return the interface of the game that is played, sealed or not."""
    ui = ui_of(replay.game.meta.id)
    if replay.sealed is None:
        return ui
    from porto_cli.sealed_ui import SealedUi

    return cast("GameUi", SealedUi(ui))
