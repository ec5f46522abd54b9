"""Porto as a game of OpenSpiel: importing this module registers ``porto`` with pyspiel.

    import pyspiel
    import porto_cli.games.porto.research.openspiel

    game = pyspiel.load_game("porto(players=3)")

Parameters: ``players`` (2 to 4), ``private_contracts`` (false for the first game) and
``seat_first`` (the other tie-break). A chance outcome is the number of what comes up, see
:class:`~porto_cli.games.porto.research.tree.Pile`.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from porto_cli.core.chance import random_chance
from porto_cli.games.porto.engine.moves import KEEPS, PASS
from porto_cli.games.porto.engine.play import finish
from porto_cli.games.porto.engine.state import ACT, OVER, State
from porto_cli.games.porto.hidden_information import resample, view
from porto_cli.games.porto.players import weights_for
from porto_cli.games.porto.players.candidates import after, move_of, priced_moves
from porto_cli.games.porto.players.search import turned_up
from porto_cli.games.porto.research import RESEARCH, actions, tree
from porto_cli.research.openspiel import CHANCE, TreeGame, TreeState, register, type_of
from porto_cli.research.openspiel import HIDDEN as HIDDEN
from porto_cli.research.openspiel import PlayerBot as PlayerBot
from porto_cli.research.openspiel import RandomRollouts as RandomRollouts

NAME = "porto"
"""What the game is called in OpenSpiel."""


class PortoState(TreeState):
    """A node of the tree, and the way there."""

    research = RESEARCH

    def resample_from_infostate(self, player_id: int, sampler: Callable[[], float]) -> TreeState:
        """Return a state that this player could be in: what the others hide is dealt anew.

        ``sampler`` returns numbers from 0 up to 1. What was dealt to the others, and what they
        kept, differs in the history too; all else is the same. Raises ValueError while the table
        is set up.
        """
        node = self._node
        table: State = resample(view(node.table, player_id), _Luck(sampler))
        game = self.get_game()
        other: PortoState = game.new_initial_state()
        for player, action in self._history_with(table):
            other._replay(player, action)
        other._go(node._replace(state=table))
        other._log = self._log
        return other

    def _history_with(self, table: State) -> list[tuple[int, int]]:
        """Return the history that leads to a table on which the others have other contracts."""
        history = [(each.player, each.action) for each in self.full_history()]
        if table.dealt:
            first = tree.things_in_setup(table.config)
            dealt = b"".join(table.dealt)
            history[first : first + len(dealt)] = [(CHANCE, contract) for contract in dealt]
            for seat, kept in enumerate(table.kept):
                if kept:
                    place = next(nth for nth, (player, _) in enumerate(history) if player == seat)
                    history[place] = (seat, _keeping(table.dealt[seat], kept))
        return history


class PortoGame(TreeGame):
    """The game, with its parameters. Raises ValueError for those that cannot be."""

    research = RESEARCH
    kind = type_of(RESEARCH)
    state = PortoState


class _Luck(Random):
    """A random number generator whose ``random()`` is provided by the caller."""

    def __init__(self, sampler: Callable[[], float]) -> None:
        super().__init__(0)
        self.random = sampler  # type: ignore[method-assign]


def _keeping(dealt: bytes, kept: bytes) -> int:
    """Return the action by which a seat keeps these contracts of its deal."""
    for action, move in zip(actions.KEEPING.actions, KEEPS, strict=True):
        if sorted(dealt[place] for place in move.places) == list(kept):
            return action
    raise ValueError("These contracts were not dealt.")


class PricedRollouts(RandomRollouts):
    """An evaluator for searches: games that everybody plays on as level 3 does.

    What a game cannot yet be played on from is decided at random: which private contracts are
    kept, and where a token goes whose house has been chosen. A search by this and by ours differ
    in nothing but how they search.
    """

    def _end(self, tree: Any, node: Any) -> Any:
        chance = random_chance(self._rng)
        node = tree.play_on(node, chance)
        while not node.over and (node.build is not None or node.table.phase != ACT):
            node = self._any(tree, node, chance)
        state, passed = node.table, 0
        prices = weights_for(state).prices
        while state.phase != OVER and passed < state.config.seats:
            priced = priced_moves(state, prices)
            passed = 0 if priced else passed + 1
            state = turned_up(after(state, move_of(state, priced[0]) if priced else PASS), chance)
        return tree.Node(node.config, state if state.phase == OVER else finish(state)[0])


register(PortoGame)
