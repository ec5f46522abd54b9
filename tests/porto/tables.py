"""Games and positions to look at, for the tests of what people see."""

from __future__ import annotations

import random
from functools import cache

from porto_cli.core.yaml import read
from porto_cli.games.porto.editions import DEFAULT, shipped
from porto_cli.games.porto.engine.state import Config, State
from porto_cli.games.porto.options import moves
from porto_cli.games.porto.position import read_position
from porto_cli.match.match import new_game
from porto_cli.match.replay import Replay

NAMES = ("Inês", "Joana", "Afonso", "Rui")


@cache
def played(players: int, turns: int = 999, seed: str = "ribeira") -> Replay:
    """Return a game in which all take what scores most, up to a turn or to its end."""
    match = new_game(
        NAMES[:players], seed=seed, first=NAMES[0], title="Friday night", name="friday.yaml"
    )
    rnd = random.Random(4)
    while not match.over and match.state.turn < turns:
        found = moves(match.state)
        good = [move for move in found if move["vp"] == found[0]["vp"] and move["vp"] > 5]
        match.play(
            rnd.choice(good or [move for move in found if move["kind"] == "draw"] or found)["move"],
            player=match.state.seat,
        )
    return match.replay


def laid(text: str, players: int = 2, *, timer: int = 28, **game: bool) -> State:
    """Return the position that a text lays, in the words of scenarios."""
    root = read("position:\n" + "".join(f"  {line}\n" for line in text.split("\n")), "here")
    table = Config(shipped(DEFAULT), NAMES[:players], timer=timer if players == 1 else 0, **game)
    return read_position(root["position"], table, unchecked=False).state
