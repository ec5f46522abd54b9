"""Games to be shown: random ones that are the same in every run, with names of people."""

from __future__ import annotations

import random
from functools import cache

from porto_cli.games.puerto_rico.engine.config import Config
from porto_cli.games.puerto_rico.engine.state import State
from porto_cli.games.puerto_rico.notation import format_move
from porto_cli.games.puerto_rico.ui.history import Step
from tests.puerto_rico.playing import Ply, plies

NAMES = ("Inês", "Joana", "Afonso", "Beatriz", "Tomás")
LONG_NAMES = ("서울 김철수", "M" * 40, "Zoë van der Straaten", "x", "Maximiliana von Hohenheide")


@cache
def game(
    players: int, buildings: str = "base", rulebook: str = "printed", seed: int = 7
) -> tuple[Ply, ...]:
    played = tuple(plies((players, buildings, rulebook), random.Random(seed)))
    return tuple(Ply(named(ply.before), ply.move, named(ply.after), ply.events) for ply in played)


def named(state: State, names: tuple[str, ...] = NAMES) -> State:
    """The same table with other players."""
    other = state.copy()
    config = state.config
    other.config = Config(
        names[: config.seats], buildings=config.buildings, rulebook=config.rulebook
    )
    return other


def steps(played: tuple[Ply, ...]) -> list[Step]:
    return [
        Step(ply.before, ply.before.seat, format_move(ply.move), tuple(ply.events))
        for ply in played
    ]
