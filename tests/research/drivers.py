"""One face for both adapters, so that one test looks at both.

A driver plays a game with what comes up in the record of a seed. Only what the libraries offer to
everybody is asked of an adapter, but for the node of the tree, which is set as well.
"""

from __future__ import annotations

from typing import Any

import pytest

from porto_cli.research import TreeNode
from tests.research.games import Table


class OpenSpielDriver:
    """A state of OpenSpiel."""

    def __init__(self, table: Table, seed: str) -> None:
        pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
        from porto_cli.research import openspiel

        name = openspiel.NAMES[table.game.id]
        self.game = pyspiel.load_game(name, {"players": table.players, **table.options})
        self.state = self.game.new_initial_state()
        self.seed = seed
        self._settle()

    def _settle(self) -> None:
        while self.state.is_chance_node():
            thing = self.state.outcome_by_seed(self.seed)
            assert thing in dict(self.state.chance_outcomes())
            self.state.apply_action(thing)

    @property
    def over(self) -> bool:
        return bool(self.state.is_terminal())

    @property
    def player(self) -> int:
        return int(self.state.current_player())

    @property
    def node(self) -> TreeNode:
        node: TreeNode = self.state.node
        return node

    @node.setter
    def node(self, node: TreeNode) -> None:
        self.state._go(node)

    def legal(self) -> list[int]:
        return list(self.state.legal_actions())

    def play(self, action: int) -> None:
        self.state.apply_action(action)
        self._settle()

    def seen(self, seat: int) -> tuple[Any, ...]:
        """Return everything that a player observes."""
        state = self.state
        return (
            state.information_state_string(seat),
            state.observation_string(seat),
            tuple(state.observation_tensor(seat)),
            tuple(state.legal_actions(seat)),
        )

    def returns(self) -> list[float]:
        return list(self.state.returns())


class PettingZooDriver:
    """An environment of PettingZoo."""

    def __init__(self, table: Table, seed: str) -> None:
        pytest.importorskip("pettingzoo", reason="PettingZoo is not installed")
        from porto_cli.research import pettingzoo

        module = getattr(pettingzoo, table.game.env)
        self.env = module.env(players=table.players, render_mode="ansi", **table.options)
        self.env.reset(options={"seed": seed})

    @property
    def over(self) -> bool:
        return all(self.env.terminations.values())

    @property
    def player(self) -> int:
        return int(self.env.possible_agents.index(self.env.agent_selection))

    @property
    def node(self) -> TreeNode:
        node: TreeNode = self.env.unwrapped.node
        return node

    @node.setter
    def node(self, node: TreeNode) -> None:
        self.env.unwrapped._go(node)

    def legal(self) -> list[int]:
        return [int(each) for each in self.env.last()[0]["action_mask"].nonzero()[0]]

    def play(self, action: int) -> None:
        self.env.step(action)

    def seen(self, seat: int) -> tuple[Any, ...]:
        """Return everything that an agent observes."""
        observed = self.env.observe(self.env.possible_agents[seat])
        return (
            bytes(observed["observation"]),
            bytes(observed["action_mask"]),
            repr(self.env.infos),
            self.env.render(),
        )

    def returns(self) -> list[float]:
        return [self.env.rewards[agent] for agent in self.env.possible_agents]


DRIVERS = {"openspiel": OpenSpielDriver, "pettingzoo": PettingZooDriver}
