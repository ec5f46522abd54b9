"""The JSON that commands print, of running games at many turns and as several players see them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import partial

from tests.same.bench import Bench
from tests.same.jobs import Job
from tests.same.material import Game
from tests.same.program import HOME, on_table

OTHERS = (
    "log g.yaml --since last",
    "log g.yaml --since 3 --as {player}",
    "seat g.yaml",
    "order g.yaml --as {player}",
    "order g.yaml --as {player} sensible",
    "hint g.yaml --as {player} --moves 5",
    "analyze g.yaml --all --samples 5 -j 1",
    "analyze g.yaml --as {player} --samples 5 -j 1",
    "games .",
    "games . --recursive",
    "me",
    "address",
    "address {player}",
    "undo g.yaml --as {last} --dry-run",
)
"""Commands for some positions of each game; {last} has moved last."""
ONCE = (
    "rules P-BUILD",
    "rules all",
    "rules roof space",
    "rules hospice --game puerto-rico",
    "rules all --game puerto-rico",
    "key",
    "games empty",
)
"""Commands that need no game."""


def of(command: str, bench: Bench) -> Iterator[Job]:
    """Documents of one command about random positions, without end: all games in turn."""
    number = 0
    while bench.has(f"JSON of {command}", command, "g.yaml"):
        for game in bench.games:
            number += 1
            rng = random.Random(f"{bench.seed} {command} {number}")
            yield partial(one, bench, command, game, rng)


def one(bench: Bench, command: str, game: Game, rng: random.Random) -> None:
    """One document; half of the time as a player sees it, and sometimes of an earlier turn."""
    items = rng.choice([0, game.length, *(rng.randint(1, game.length) for _ in range(6))])
    args = [command, "g.yaml"]
    if rng.random() < 0.5:
        args += ["--as", rng.choice(game.players)]
    if command == "show" and items and rng.random() < 0.4:
        args += ["--turn", str(rng.randrange(items))]
    bench.documents(f"JSON of {command}", on_table({"g.yaml": game.cut(items)}), args)


def others(bench: Bench) -> Iterator[Job]:
    """Documents of the other commands."""
    for line in ONCE:
        yield partial(bench.documents, "JSON of others", on_table({"empty/x": ""}), line.split())
    rng = random.Random(f"{bench.seed} others")
    playable = [game for game in bench.games if len(game.players) > 1]
    for line in OTHERS:
        for kind in ("porto", "puerto-rico"):
            game = rng.choice([game for game in playable if game.kind == kind])
            items = rng.randint(10, 40)
            text = game.cut(items)
            last = text.rstrip("\n").rsplit("\n- ", 1)[1].split(":")[0]
            args = [
                word.format(player=rng.choice(game.players), last=last) for word in line.split()
            ]
            bench_files = on_table({"g.yaml": text, "sub/h.yaml": game.text})
            bench_files[f"{HOME}/addresses.yaml"] = addresses(game)
            yield partial(bench.documents, "JSON of others", bench_files, args)


def addresses(game: Game) -> bytes:
    """The address book of somebody who plays this game; nobody has the program but the first."""
    lines = [
        f"{name}: {{address: {address(number)}, program: {'true' if not number else 'false'}}}\n"
        for number, name in enumerate(game.players)
    ]
    return "".join(lines).encode()


def address(number: int) -> str:
    """The address of the player in a seat."""
    return f"player{number}@example.org"
