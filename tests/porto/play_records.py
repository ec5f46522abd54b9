"""Plays the games in records/ through the commands, one command a move.

    python -m tests.porto.play_records [FOLDER]

The players are simple: they take what scores most at once. In one game a player draws all she
can instead, until the other one has to pass. The games are what the records say for ever; this
script is kept so that anyone can see where they came from and make more.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path

import porto_cli
from porto_cli.games.porto.engine.build import Build
from porto_cli.games.porto.engine.components import HOUSES, VALUE_OF
from porto_cli.games.porto.engine.draw import Draw
from porto_cli.games.porto.engine.events import Refilled, Scored, TimerTurned
from porto_cli.games.porto.engine.keep import Keep
from porto_cli.games.porto.engine.names import PUBLIC_NAMES, card_names
from porto_cli.games.porto.engine.passing import Pass
from porto_cli.games.porto.engine.play import Move, apply
from porto_cli.games.porto.engine.state import KEEP, Config, deal
from tests.conftest import run_porto

GAMES: dict[str, list[str]] = {
    "two-players.yaml": ["Inês", "Joana", "--seed", "ribeira", "--title", "Friday night"],
    "three-players.yaml": ["Inês", "Joana", "Afonso", "--seed", "clerigos", "--first", "Joana"],
    "four-players-seat-first.yaml": [
        *("Inês", "Joana", "Afonso", "Rui", "--seed", "douro", "--tie-break", "seat-first"),
    ],
    "first-game.yaml": ["Inês", "Joana", "Afonso", "--seed", "bolhao", "--first-game"],
    "solo-won.yaml": ["Inês", "--seed", "solo-77"],
    "solo-lost.yaml": ["Inês", "--seed", "solo-lost", "--timer", "24"],
}
FORCED_PASS = [
    *("Inês", "Joana", "--seed", "foz", "--first", "Inês", "--first-game"),
    *("--title", "Inês takes every card"),
]

Taste = Callable[[porto_cli.Match, Move, random.Random], float]
"""How much a player likes a move."""


class CommandFailedError(Exception):
    """A command that should have worked did not."""


def porto(*args: object) -> None:
    """Run a command that has to work."""
    result = run_porto(*args)
    if result.code:
        raise CommandFailedError(f"porto {' '.join(map(str, args))}\n{result.err}")


def worth(match: porto_cli.Match, move: Move, chooser: random.Random) -> float:
    """Return how much a player likes a move: VP now, a full hand, and a bit of mood."""
    if isinstance(move, Draw):
        hand = len(match.state.hands[match.state.seat])
        return (4.5 - hand) * len(move.spaces) / 2 + 2 + chooser.random()
    if isinstance(move, Keep):
        return chooser.random()
    _, events = apply(match.state, move, lambda stream, index, pile: 0)
    return sum(event.vp for event in events if isinstance(event, Scored)) + chooser.random()


def hoarding(match: porto_cli.Match, move: Move, chooser: random.Random) -> float:
    """Return how much Inês likes a move if she draws all she can, and Joana as little as she can.

    Joana builds small as soon as she has two cards. After the first pass both play on as ever.
    """
    if any(Pass() in step.moves for step in match.replay.steps):
        return worth(match, move, chooser)
    takes_all = match.state.seat == 0
    if isinstance(move, Draw):
        value = sum(VALUE_OF[match.state.cards[space]] for space in move.spaces)
        return 10 * len(move.spaces) - value if takes_all else value - 10 * len(move.spaces)
    if isinstance(move, Build):
        return -100 if takes_all else 10 - VALUE_OF[move.number]
    return 0


def command_of(match: porto_cli.Match, move: Move) -> list[str]:
    """Return a move as the words of its command, without the file."""
    verb, *words = match.text(move).split()
    if isinstance(move, Build) and "token" in words:
        words[words.index("token")] = "--token"
    return [verb, "FILE", *words]


def play_open(
    path: Path, args: list[str], taste: Taste = worth, undone: float = 0.04
) -> porto_cli.Match:
    """Play a game with a seed to its end; ``undone`` is how often a turn is taken back."""
    path.unlink(missing_ok=True)
    porto("new", path, *args)
    chooser = random.Random(path.name)
    while not (match := porto_cli.load(path)).over:
        moves = match.legal_moves()
        move = max(moves, key=lambda move: taste(match, move, chooser))
        command = [path if word == "FILE" else word for word in command_of(match, move)]
        mover = ["--as", match.players[match.state.seat]]
        porto(*command, *mover)
        if chooser.random() < undone:
            porto("undo", path, *mover)
    return match


def play_table(path: Path) -> porto_cli.Match:
    """Play a game with the real box: dice stand for the shuffled decks."""
    path.unlink(missing_ok=True)
    dice = random.Random(path.name)

    def shuffled(stream: str, index: int, pile: bytes, /) -> int:
        return dice.randrange(len(pile))

    names = ("Joana", "Inês")
    edition = porto_cli.new_game(names).record.config.edition
    dealt = deal(Config(edition, names), shuffled)
    tokens = [f"{HOUSES[house]}={value}" for house, value in enumerate(dealt.tokens) if value]
    porto(
        *("new", path, *names, "--secrecy", "table", "--first", "Joana"),
        *("--title", "Sunday with the box", "--tokens", ",".join(tokens)),
        *("--cards", " ".join(card_names(dealt.cards))),
        *("--contracts", " ".join(PUBLIC_NAMES[thing] for thing in dealt.contracts)),
    )
    chooser = random.Random(1)
    while not (match := porto_cli.load(path)).over:
        if match.state.phase == KEEP:
            names_left = match.to_move()
            kept = {
                "Joana": "side pairs-blue+red ends-green",
                "Inês": "palette mirror-red ends-blue",
            }
            porto("keep", path, *kept[names_left[0]].split(), "--as", names_left[0])
            continue
        move = max(match.legal_moves(), key=lambda move: worth(match, move, chooser))
        _, events = apply(match.state, move, shuffled)
        command = [path if word == "FILE" else word for word in command_of(match, move)]
        porto(*command, *came_up(events))
    return match


def came_up(events: list[object]) -> list[str]:
    """Return what the people at the table would type."""
    flags: list[str] = []
    for event in events:
        if isinstance(event, Refilled) and event.row == "cards":
            flags += ["--refill", " ".join(card_names(event.came_up))]
        elif isinstance(event, Refilled):
            names = " ".join(PUBLIC_NAMES[thing] for thing in event.came_up)
            flags += ["--refill-contracts", names]
        elif isinstance(event, TimerTurned):
            flags += ["--timer", " ".join(card_names(event.turned))]
    return flags


def main(folder: Path) -> None:
    """Play all games into a folder."""
    games = {name: play_open(folder / name, args) for name, args in GAMES.items()}
    games["forced-pass.yaml"] = play_open(
        folder / "forced-pass.yaml", FORCED_PASS, hoarding, undone=0
    )
    games["real-table.yaml"] = play_table(folder / "real-table.yaml")
    for name, match in games.items():
        print(name, match.state.turn, "turns", match.state.scores, match.fingerprint)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if sys.argv[1:] else Path(__file__).parents[2] / "records" / "porto")
