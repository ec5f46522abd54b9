"""Who won: the places of the players, and the level of a solo game."""

from __future__ import annotations

from porto_cli.games.porto.engine.play import SOLO_WIN
from porto_cli.games.porto.engine.state import State

LOST = "lost"
LEVELS = ((80, "master-builder"), (70, "builder"), (SOLO_WIN, "apprentice"))


def ranking(state: State) -> list[int]:
    """Return the seats from the first place to the last (P-RANK-1, P-RANK-2)."""

    def strength(seat: int) -> tuple[int, int, int]:
        if state.config.seat_first:
            return state.scores[seat], seat, state.fulfilled[seat]
        return state.scores[seat], state.fulfilled[seat], seat

    return sorted(range(state.config.seats), key=strength, reverse=True)


def level(state: State) -> str:
    """Return the level of a finished solo game, or ``lost`` (P-SOLO-6)."""
    for vp, name in LEVELS:
        if state.scores[0] >= vp:
            return name
    return LOST
