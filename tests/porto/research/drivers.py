"""One face for both adapters, so that one test looks at both.

A driver plays a game with what comes up in the record of a seed. Only what the libraries offer to
everybody is asked of an adapter, but for ``table``, which is the state of the engine.
"""

from __future__ import annotations

from typing import Any

import pytest

from porto_cli.core.chance import Chance, ScriptedChance, seeded_chance
from porto_cli.game import State
from porto_cli.games.porto.research import tree


def chance_of(seed: str, private: bytes = b"") -> Chance:
    """Return the chance of a seed, with these private contracts dealt if any are given."""
    if private:
        return ScriptedChance(seed, {"private": private}, {"private": 0})
    return seeded_chance(seed)


class OpenSpielDriver:
    """A state of OpenSpiel."""

    def __init__(self, players: int, seed: str, private: bytes = b"", **options: bool) -> None:
        pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
        from porto_cli.research import openspiel

        self.game = pyspiel.load_game(openspiel.NAMES["porto"], {"players": players, **options})
        self.state = self.game.new_initial_state()
        self.chance = chance_of(seed, private)
        self.kind = pyspiel.IIGObservationType
        self._settle()

    def _settle(self) -> None:
        while self.state.is_chance_node():
            pile = self.state.node.pile
            thing = pile.things[self.chance(*pile)]
            assert thing in dict(self.state.chance_outcomes())
            self.state.apply_action(thing)

    @property
    def over(self) -> bool:
        return bool(self.state.is_terminal())

    @property
    def player(self) -> int:
        return int(self.state.current_player())

    @property
    def table(self) -> State:
        return self.state.node.table

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
            tuple(state.information_state_tensor(seat)),
            state.observation_string(seat),
            tuple(state.observation_tensor(seat)),
            tuple(state.legal_actions(seat)),
        )

    def returns(self) -> list[float]:
        return list(self.state.returns())


class PettingZooDriver:
    """An environment of PettingZoo."""

    def __init__(self, players: int, seed: str, private: bytes = b"", **options: bool) -> None:
        pytest.importorskip("pettingzoo", reason="PettingZoo is not installed")
        from porto_cli.research.pettingzoo import porto_v0

        self.env = porto_v0.env(players=players, render_mode="ansi", **options)
        with pytest.MonkeyPatch.context() as patch:
            if private:
                patch.setattr(tree, "by_seed", lambda seed: chance_of(seed, private))
            self.env.reset(options={"seed": seed})

    @property
    def over(self) -> bool:
        return all(self.env.terminations.values())

    @property
    def player(self) -> int:
        return int(self.env.possible_agents.index(self.env.agent_selection))

    @property
    def table(self) -> State:
        table: State = self.env.unwrapped.node.table
        return table

    def legal(self) -> list[int]:
        return [int(each) for each in self.env.last()[0]["action_mask"].nonzero()[0]]

    def play(self, action: int) -> None:
        self.env.step(action)

    def seen(self, seat: int) -> tuple[Any, ...]:
        """Return everything that an agent observes."""
        agent = self.env.possible_agents[seat]
        observed = self.env.observe(agent)
        return (
            bytes(observed["observation"]),
            bytes(observed["action_mask"]),
            repr(self.env.infos),
            self.env.render(),
        )

    def returns(self) -> list[float]:
        return [self.env.rewards[agent] for agent in self.env.possible_agents]


DRIVERS = {"openspiel": OpenSpielDriver, "pettingzoo": PettingZooDriver}
Driver = OpenSpielDriver | PettingZooDriver
