"""A record as a line of the tree: what was decided and what came up, as numbers."""

from __future__ import annotations

from collections.abc import Iterator

from porto_cli.games.porto.engine.moves import Keep, Move
from porto_cli.games.porto.engine.state import KEEP
from porto_cli.games.porto.research import actions
from porto_cli.games.porto.research.tree import (
    PLAYERS,
    Node,
    by_seed,
    chosen,
    come_up,
    play,
    root,
)
from porto_cli.match.record import OPEN
from porto_cli.match.replay import Replay


def line_of(replay: Replay) -> Iterator[tuple[Node, int]]:
    """Yield every node of a game that was recorded, with the action taken there.

    Of a node at which something comes up it is what came up. Private contracts are kept when it is
    the turn of the player for the first time, which is when the tree asks for them, wherever they
    stand in the record. What was taken back is left out. Raises ValueError for a record that does
    not hold all that is hidden, of another game, or of a solo game.
    """
    record, config = replay.record, replay.config
    if record.game.meta.id != "porto" or config.seats not in PLAYERS or record.secrecy != OPEN:
        raise ValueError("Only open games of Porto with 2 to 4 players can be read here.")
    chance = by_seed(record.seed)
    kept: dict[int, Move] = {}
    moves: list[Move] = []
    for step in replay.turns():
        for move in step.moves:
            if isinstance(move, Keep):
                kept[step.seat] = move
            else:
                moves.append(move)
    node = root(config)
    coming = iter(moves)
    while not node.over:
        if node.pile is not None:
            thing = chosen(node, chance)
            yield node, thing
            node = come_up(node, thing)
            continue
        keeps = node.table.phase == KEEP
        decision = kept.get(node.table.seat) if keeps else next(coming, None)
        if decision is None:
            return
        for action in actions.encode(decision):
            yield node, action
            node = play(node, action)
