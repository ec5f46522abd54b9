"""Games of every kind, and random play through them, for the tests of the engine."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from porto_cli.core.chance import Chance
from porto_cli.games.porto.editions import DEFAULT, shipped
from porto_cli.games.porto.engine import Edition
from porto_cli.games.porto.engine.cards import Keep
from porto_cli.games.porto.engine.play import Move, apply, legal_moves
from porto_cli.games.porto.engine.state import KEEP, OVER, Config, State, begin, deal
from porto_cli.games.porto.engine.turn import Event

BOX = shipped(DEFAULT)

CRAMPED = Edition(
    name="cramped",
    heights=bytes([1, 2, 3, 2, 1, 3, 2, 3, 1, 2, 4, 1, 3, 2]),
    cards_per_value=(3, 2, 1),
    ground_floors=2,
    upper_floors=3,
    tokens=bytes([1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4]),
    public=BOX.public,
    private=BOX.private,
    artificial=True,
)
"""Low houses and few tiles: everything runs out, and a turn can start and complete a house."""

BARE = Edition(
    name="bare",
    heights=BOX.heights,
    cards_per_value=(1, 1, 0),
    ground_floors=1,
    upper_floors=4,
    tokens=BOX.tokens,
    public={"house": 2},
    private={"side": (5,)},
    artificial=True,
)
"""Ten cards and five public contracts: decks are empty all the time, players have to pass."""


@dataclass(frozen=True)
class Kind:
    """A kind of game; ``table`` if only the players know their private contracts."""

    players: int
    edition: Edition = BOX
    private: bool = True
    timer: int = 0
    table: bool = False

    def __str__(self) -> str:
        parts = [f"{self.players}p", self.edition.name]
        parts += [f"timer{self.timer}"] if self.timer else []
        parts += [] if self.private else ["first-game"]
        parts += ["table"] if self.table else []
        return "-".join(parts)

    def config(self) -> Config:
        """Return a game of this kind."""
        return Config(
            self.edition,
            ("Inês", "Joana", "Afonso", "Rui")[: self.players],
            private_contracts=self.private,
            timer=self.timer,
        )

    def begin(self, chance: Chance) -> State:
        """Return a new table."""
        game = self.config()
        setup = deal(game, chance)
        return begin(game, setup._replace(private=()) if self.table else setup)


KINDS = [
    *(Kind(players) for players in (2, 3, 4)),
    *(Kind(1, timer=timer) for timer in (28, 26, 24)),
    *(Kind(players, private=False) for players in (2, 3, 4)),
    Kind(1, private=False, timer=28),
    *(Kind(players, table=True) for players in (2, 4)),
    Kind(1, timer=28, table=True),
    *(Kind(players, CRAMPED) for players in (2, 3, 4)),
    Kind(1, CRAMPED, timer=24),
    *(Kind(players, BARE, private=False) for players in (2, 3, 4)),
]

LONGEST = 250
"""Moves after which a game of an artificial edition is left: it may never end."""


def random_chance(rnd: random.Random) -> Chance:
    """Return a chance that takes any of the pile."""
    return lambda stream, index, pile: rnd.randrange(len(pile))


def revealed(state: State, rnd: random.Random) -> Keep:
    """Return three private contracts that the player to move can have kept at a real table."""
    gone = {contract for kept in state.kept for contract in kept}
    left = [contract for contract in state.config.private_deck if contract not in gone]
    return Keep((), tuple(sorted(rnd.sample(left, 3))))


@dataclass(frozen=True)
class Ply:
    """One move of a random game."""

    before: State
    legal: list[Move]
    move: Move
    events: list[Event]
    after: State


def plies(kind: Kind, rnd: random.Random, chance: Chance | None = None) -> Iterator[Ply]:
    """Play a random game of a kind, with a chance that is random as well if not said."""
    chance = chance or random_chance(rnd)
    state = kind.begin(chance)
    for _ in range(LONGEST):
        if state.phase == OVER:
            return
        legal = legal_moves(state)
        if state.phase == KEEP and kind.table:
            move: Move = revealed(state, rnd)
        else:
            move = rnd.choice(legal)
        after, events = apply(state, move, chance)
        yield Ply(state, legal, move, events, after)
        state = after
