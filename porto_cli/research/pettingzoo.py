"""Our games as PettingZoo environments: ``porto_v0`` and ``puerto_rico_v0``.

    from porto_cli.research.pettingzoo import porto_v0

    environment = porto_v0.env(players=3, render_mode="ansi")
    environment.reset(seed=7)

``reset(seed=7)`` deals the game of ``porto new --seed 7``; ``reset(options={"seed": "tram"})`` that
of ``porto new --seed tram``. The agents play in the order of their names. Options are ``players``
and those of the game.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, count
from typing import Any

from porto_cli.core.chance import new_seed, seeded_chance
from porto_cli.match.record import seed_is_good
from porto_cli.research import Tree, TreeNode, tree_of

try:
    import numpy as np
    from gymnasium.spaces import Box, Dict, Discrete, Space
    from gymnasium.utils import EzPickle
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError as error:
    raise ModuleNotFoundError(
        "PettingZoo is not installed; 'pip install pettingzoo gymnasium numpy' installs it.",
        name="pettingzoo",
    ) from error

RENDER_MODES = ("ansi", "human")
"""How a table can be shown: as text that is returned, or printed."""
Numbers = dict[str, Any]
"""What an agent observes: ``observation`` and ``action_mask``, both arrays."""


class TreeEnv(AECEnv, EzPickle):
    """A game, one decision per step.

    ``players``      the number of players
    ``render_mode``  ``ansi``: ``render`` returns the table as a bystander sees it; ``human``:
                     it is printed after each step
    ``options``      the options of the game, as in a record

    Raises ValueError for invalid arguments.
    """

    tree: Tree
    node: TreeNode
    """The place in the tree, a value that includes everything hidden."""
    seed_of_game: str
    """The seed that the record of this game would have, set by ``reset``. Everything hidden follows
    from it."""

    def __init__(
        self, *, players: int | None = None, render_mode: str | None = None, **options: bool | str
    ) -> None:
        EzPickle.__init__(self, players=players, render_mode=render_mode, **options)
        super().__init__()
        if render_mode not in (None, *RENDER_MODES):
            raise ValueError(f"There is no render mode {render_mode!r}, only ansi and human.")
        self.render_mode = render_mode
        tree = self.tree
        self.config: Any = tree.config_of(players, **options)
        self.possible_agents = list(self.config.players)
        self.agents = list(self.possible_agents)
        most = np.frombuffer(tree.row(len(self.agents)).most, np.uint8)
        seen = Box(np.zeros_like(most), most, dtype=np.uint8)
        mask = Box(0, 1, (len(tree.actions),), np.int8)
        observed = Dict({"observation": seen, "action_mask": mask})
        self.observation_spaces = dict.fromkeys(self.agents, observed)
        self.action_spaces = dict.fromkeys(self.agents, Discrete(len(tree.actions)))
        self._seeds: Iterator[str] | None = None
        self._start = self.node = tree.root(self.config)

    def observation_space(self, agent: str) -> Space:
        """Return the space of what an agent observes."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space:
        """Return the space of the actions, legal or not."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin another game: with a seed always the same one, without a seed a new one each time.

        The option ``seed`` is the seed of a record. Raises ValueError for an invalid seed.
        """
        given = (options or {}).get("seed", seed)
        if given is not None and not seed_is_good(str(given)):
            raise ValueError("A seed consists of at most 64 letters, digits, '-' and '_'.")
        if given is not None or self._seeds is None:
            first = new_seed() if given is None else str(given)
            self._seeds = chain([first], (f"{first}-{nth}" for nth in count(2)))
        self.seed_of_game = next(self._seeds)
        self._chance = seeded_chance(self.seed_of_game)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._go(self._start)

    def _go(self, node: TreeNode) -> None:
        self.node = self.tree.play_on(node, self._chance)
        self.agent_selection = self.possible_agents[self.node.table.seat]

    def observe(self, agent: str) -> Numbers:
        """Return what an agent may know, and what it can do if it is to move."""
        seat = self.possible_agents.index(agent)
        mask = np.zeros(len(self.tree.actions), np.int8)
        if agent == self.agent_selection:
            mask[list(self.node.legal)] = 1
        numbers = np.frombuffer(self.tree.observation(self.node, seat), np.uint8)
        return {"observation": numbers.copy(), "action_mask": mask}

    def step(self, action: Any) -> None:
        """Make a decision. Raises ValueError for an illegal one."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        number = int(action)
        if number not in self.node.legal:
            raise ValueError(f"{agent} cannot do {number} now; see the action mask.")
        self._cumulative_rewards[agent] = 0.0
        self._go(self.tree.play(self.node, number))
        if self.node.over:
            self.rewards = dict(zip(self.agents, self.tree.returns(self.node), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """Return the table as a bystander sees it, or print it."""
        shown = self.tree.observed(self.node, None)
        if self.render_mode == "human":
            print(f"{shown}\n")
        return shown if self.render_mode == "ansi" else None


class Environment:
    """The environments of a game, like a PettingZoo module with name and version."""

    raw_env: type[TreeEnv]
    """The game itself, one decision a step."""

    def __init__(self, name: str, tree: Tree) -> None:
        metadata = {
            "name": name,
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": 2,
        }
        # Pickling finds the class by this name.
        own = {"__module__": __name__, "__qualname__": f"{name}.raw_env"}
        self.raw_env = type("raw_env", (TreeEnv,), {"tree": tree, "metadata": metadata, **own})

    def env(self, **options: Any) -> AECEnv:
        """Return an environment with PettingZoo's usual wrappers: an illegal action loses at once.

        The options are those of :class:`TreeEnv`.
        """
        env = wrappers.TerminateIllegalWrapper(self.raw_env(**options), illegal_reward=-1)
        env = wrappers.AssertOutOfBoundsWrapper(env)
        return wrappers.OrderEnforcingWrapper(env)


porto_v0 = Environment("porto_v0", tree_of("porto"))
puerto_rico_v0 = Environment("puerto_rico_v0", tree_of("puerto-rico"))
