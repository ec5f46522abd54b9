"""Puerto Rico as an environment of PettingZoo."""

from __future__ import annotations

import pickle
import random
from typing import Any

import pytest

import porto_cli
from porto_cli.games.puerto_rico.research import tree
from tests.puerto_rico.research.walks import EVERY_NUMBER, with_chips, with_other_chips
from tests.research import random_action

pytest.importorskip("pettingzoo", reason="PettingZoo is not installed")
pytest.importorskip("numpy", reason="PettingZoo is not installed")

from pettingzoo.test import api_test, seed_test
from pettingzoo.test.performance_benchmark import performance_benchmark

from porto_cli.research.pettingzoo import puerto_rico_v0

every_number = pytest.mark.parametrize("players", EVERY_NUMBER)


@every_number
@pytest.mark.filterwarnings("ignore:Observation")
def test_pettingzoos_own_test(players: int, capsys: pytest.CaptureFixture[str]) -> None:
    api_test(puerto_rico_v0.env(players=players), num_cycles=500)
    assert "Passed API test" in capsys.readouterr().out


@every_number
def test_pettingzoos_own_test_of_seeds(players: int) -> None:
    seed_test(lambda: puerto_rico_v0.env(players=players), num_cycles=200)


@pytest.mark.slow
def test_pettingzoos_own_measurement(capsys: pytest.CaptureFixture[str]) -> None:
    performance_benchmark(puerto_rico_v0.env())
    assert "turns per second" in capsys.readouterr().out


def legal(env: Any) -> list[int]:
    return [int(each) for each in env.last()[0]["action_mask"].nonzero()[0]]


@every_number
def test_who_does_what_it_may_gets_to_the_end(players: int) -> None:
    env, rng = puerto_rico_v0.env(players=players), random.Random(players)
    env.reset(seed=3)
    rewards = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        _, rewards[agent], over, cut, _ = env.last()
        if over or cut:
            env.step(None)
            continue
        observed = env.observe(agent)
        assert env.observation_space(agent).contains(observed)
        others = [other for other in env.agents if other != agent]
        assert not any(env.observe(other)["action_mask"].any() for other in others)
        env.step(random_action(tree, legal(env), rng))
    assert env.agents == []
    assert max(rewards.values()) > 0
    assert sum(rewards.values()) == pytest.approx(0)


@every_number
def test_no_agent_is_told_the_chips_of_the_others(players: int) -> None:
    """PR-SECRET-1: two tables that differ in nothing else look the same."""
    env, rng = puerto_rico_v0.env(players=players, render_mode="ansi"), random.Random(1)
    env.reset(seed=2)
    for _ in range(150):
        env.step(random_action(tree, legal(env), rng))
    node = env.unwrapped.node
    node = node._replace(state=with_chips(node.table))
    for seat, agent in enumerate(env.possible_agents):
        env.unwrapped._go(node)
        seen, shown = env.observe(agent), env.render()
        table = with_other_chips(node.table, seat)
        assert players == 2 or table != node.table
        env.unwrapped._go(node._replace(state=table))
        again = env.observe(agent)
        assert bytes(again["observation"]) == bytes(seen["observation"])
        assert bytes(again["action_mask"]) == bytes(seen["action_mask"])
        assert env.render() == shown


def test_a_seed_is_that_of_a_record() -> None:
    env = puerto_rico_v0.raw_env(players=3)
    env.reset(options={"seed": "arecibo"})
    names = list(env.possible_agents)
    match = porto_cli.new_game(names, game="puerto-rico", seed="arecibo", first=names[0])
    assert env.node.table == match.state
    env.reset(seed=7)
    again = porto_cli.new_game(names, game="puerto-rico", seed="7", first=names[0])
    assert env.node.table == again.state


def test_who_does_what_is_not_legal_loses() -> None:
    env = puerto_rico_v0.env(players=3)
    env.reset(seed=1)
    env.step(0)
    assert env.rewards == {"player_0": -1, "player_1": 0, "player_2": 0}
    assert all(env.terminations.values())
    raw = puerto_rico_v0.raw_env()
    raw.reset(seed=1)
    with pytest.raises(ValueError, match="player_0 cannot do 0 now"):
        raw.step(0)


def test_an_environment_has_the_options_of_a_record_and_can_be_pickled() -> None:
    env = puerto_rico_v0.raw_env(players=4, buildings="draft", rulebook="guide")
    again = pickle.loads(pickle.dumps(env))
    assert (again.config.seats, again.config.buildings, again.config.guide) == (4, "draft", True)
    assert again.observation_space("player_0")["observation"].shape == (tree.size(4),)
    assert again.action_space("player_3").n == tree.count
    with pytest.raises(ValueError, match="no option 'edition'; there are buildings, rulebook"):
        puerto_rico_v0.env(edition="first")
    with pytest.raises(ValueError, match="2 to 5 players"):
        puerto_rico_v0.env(players=6)
