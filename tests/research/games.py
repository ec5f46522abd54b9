"""What the tests of research know of a game, beside what its tree declares."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from random import Random
from typing import Any, NamedTuple

import porto_cli
from porto_cli.core.chance import seeded_chance
from porto_cli.games.porto import simulation as porto
from porto_cli.games.puerto_rico import simulation as puerto_rico
from porto_cli.match.match import Match
from porto_cli.research import Tree, TreeNode
from porto_cli.seam import OVER, Move, State
from tests.conformance.kinds import REGISTERED
from tests.puerto_rico.playing import random_move
from tests.research import nodes


def move_of_any_kind(state: State, rng: Random) -> Move:
    """Return a legal move of Porto; each kind is as likely."""
    by_kind: dict[str, list[Move]] = {}
    for move in porto.tree.game.legal_moves(state, state.seat):
        by_kind.setdefault(type(move).__name__, []).append(move)
    return rng.choice(by_kind[rng.choice(sorted(by_kind))])


class Researched(NamedTuple):
    """A game in a tree, the name of its environment, and the options of its tables.

    ``records`` are lines of the tree, ``others`` are none.
    """

    tree: Tree
    module: Any
    env: str
    options: list[dict[str, Any]]
    random_move: Callable[[State, Random], Move]
    records: tuple[str, ...]
    others: tuple[str, ...]

    def __repr__(self) -> str:
        return self.id

    @property
    def id(self) -> str:
        return self.tree.game_id

    def begun(self, players: int, seed: str, **options: Any) -> Match:
        """Return the record with this seed."""
        names = [*self.tree.config_of(players).players]
        return porto_cli.new_game(names, game=self.id, seed=seed, first=names[0], **options)

    def plies(self, players: int, seed: str, **options: Any) -> Iterator[tuple[State, Move]]:
        """Yield the tables of a random game that the engine plays, and the move made on each."""
        game, chance, rng = self.tree.game, seeded_chance(seed), Random(seed)
        state = self.begun(players, seed, **options).state
        while state.phase != OVER:
            move = self.random_move(state, rng)
            yield state, move
            state, _ = game.apply(state, move, chance, state.seat)

    def otherwise(self, node: TreeNode, seat: int | None, rng: Random) -> TreeNode:
        """Return a node that differs in what a seat does not know, who has seen all turns."""
        return node._replace(state=REGISTERED[self.id].other_secrets(node.table, seat, rng))

    def secret_node(self, players: int) -> TreeNode:
        """Return a decision at a table on which everybody hides something."""
        found = [node for node, _ in nodes(self.tree, players, "secrets") if not node.pile]
        return found[len(found) * 2 // 3]


PORTO = Researched(
    porto.tree,
    porto,
    "porto_v0",
    [{}, {"private_contracts": False}],
    move_of_any_kind,
    ("porto/two-players", "porto/three-players", "porto/four-players-seat-first"),
    ("porto/real-table", "porto/solo-won", "puerto-rico/two-players"),
)
PUERTO_RICO = Researched(
    puerto_rico.tree,
    puerto_rico,
    "puerto_rico_v0",
    [
        {"buildings": "base", "rulebook": "printed"},
        {"buildings": "draft", "rulebook": "printed"},
        {"buildings": "random", "rulebook": "guide"},
    ],
    random_move,
    *(
        ("puerto-rico/two-players", "puerto-rico/four-players-draft"),
        ("puerto-rico/real-table", "porto/two-players"),
    ),
)
GAMES = {game.id: game for game in (PORTO, PUERTO_RICO)}


class Table(NamedTuple):
    """A game with a number of players and options."""

    game: Researched
    players: int
    options: dict[str, Any]

    def __str__(self) -> str:
        return "-".join(map(str, (self.game.id, self.players, *self.options.values())))


NUMBERS = [Table(game, players, {}) for game in GAMES.values() for players in game.tree.players]
TABLES = [
    Table(game, players, options)
    for game in GAMES.values()
    for players, options in product(game.tree.players, game.options)
]
