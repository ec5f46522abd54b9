"""Games to be shown: random ones that are the same in every run, with names of people; and how
they are shown."""

from __future__ import annotations

import random
from functools import cache
from types import SimpleNamespace
from typing import Any

from porto_cli.cli.show import move_rows
from porto_cli.games.puerto_rico.engine.state import Config, State
from porto_cli.games.puerto_rico.game import PUERTO_RICO
from porto_cli.games.puerto_rico.options import options
from porto_cli.match.match import new_game
from porto_cli.match.replay import Replay
from porto_cli.pages import log, turns_told
from porto_cli.paper import lines, put, sentences
from porto_cli.seam import OVER, Step, Turn
from porto_cli.term import Line, Screen
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
        Step(item, ply.before.seat, ply.before, ply.after, (ply.move,), tuple(ply.events), ())
        for item, ply in enumerate(played)
    ]


def taken_back(step: Step) -> Step:
    """The undo of a step."""
    return step._replace(before=step.after, after=step.before, moves=(), events=(), takes_back=0)


def table_lines(seen: dict[str, Any], screen: Screen, **around: Any) -> list[Line]:
    return lines(PUERTO_RICO.shown.document(seen, **around), screen)


def table_sentences(seen: dict[str, Any], **around: Any) -> list[str]:
    return sentences(PUERTO_RICO.shown.document(seen, **around))


def score_lines(state: State, width: int, seat: int | None = None) -> list[Line]:
    return put(PUERTO_RICO.shown.standing_rows(at(state), seat), Screen(width))


def history(steps: list[Step], seat: int | None = None, *, over: bool = False) -> list[Turn]:
    """The turns of a game as a seat may know them."""
    state = SimpleNamespace(phase=OVER if over else "", config=steps[-1].before.config)
    return [turn for _, turn in turns_told(replay_of(steps, state), seat)]


def replay_of(steps: list[Step], state: State) -> Any:
    """What a log needs of a game: its steps and the table now."""
    return SimpleNamespace(
        game=PUERTO_RICO,
        record=SimpleNamespace(title="Sunday"),
        bot_seats={},
        declarations=(),
        steps=steps,
        state=state,
        config=state.config,
    )


def log_lines(steps: list[Step], state: State, width: int) -> list[Line]:
    return lines(log(replay_of(steps, state)), Screen(width))


def moves_lines(state: State, width: int) -> list[Line]:
    """The legal moves as a list."""
    return put(move_rows(options(state)), Screen(width))


def at(state: State) -> Replay:
    """A game of these players that has come to a table."""
    players = state.config.players
    match = new_game(players, game="puerto-rico", seed="x", first=players[0])
    return match.replay._replace(state=state)
