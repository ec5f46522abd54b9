"""Porto as an environment of PettingZoo."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from typing import Any

import pytest

import porto_cli
from porto_cli.games.porto.research import tree

pettingzoo = pytest.importorskip("pettingzoo", reason="PettingZoo is not installed")
np = pytest.importorskip("numpy", reason="PettingZoo is not installed")

from pettingzoo.test import api_test, seed_test  # noqa: E402

from porto_cli.research.pettingzoo import porto_v0  # noqa: E402

every_number = pytest.mark.parametrize("players", [2, 3, 4])


@every_number
@pytest.mark.filterwarnings("ignore:Observation")
def test_pettingzoos_own_test(players: int, capsys: pytest.CaptureFixture[str]) -> None:
    api_test(porto_v0.env(players=players), num_cycles=1_000)
    assert "Passed API test" in capsys.readouterr().out


@every_number
def test_pettingzoos_own_test_of_seeds(players: int) -> None:
    seed_test(lambda: porto_v0.env(players=players), num_cycles=400)


def played(env: Any, seed: int) -> Iterator[str]:
    """Play a random game; yield who is asked each time."""
    rng = np.random.RandomState(seed)
    for agent in env.agent_iter():
        observation, _, over, cut, _ = env.last()
        yield agent
        if over or cut:
            env.step(None)
        else:
            env.step(int(rng.choice(observation["action_mask"].nonzero()[0])))


@every_number
def test_who_does_what_it_may_gets_to_the_end(players: int) -> None:
    env = porto_v0.env(players=players)
    env.reset(seed=3)
    rewards = dict.fromkeys(env.possible_agents, 0.0)
    for agent in played(env, 1):
        rewards[agent] = env.last()[1]
        observed = env.observe(agent)
        assert env.observation_space(agent).contains(observed)
        for other in env.agents:
            if other != env.agent_selection:
                assert not env.observe(other)["action_mask"].any()
    assert env.agents == []
    assert sorted(rewards.values())[-1] == 1
    assert sum(rewards.values()) == pytest.approx(0)


def test_what_is_observed_is_the_own_to_change() -> None:
    env = porto_v0.env()
    env.reset(seed=1)
    one = env.observe("player_0")
    one["observation"][:] = 0
    one["action_mask"][:] = 0
    two = env.observe("player_0")
    assert two["observation"].any()
    assert two["action_mask"].sum() == 10
    assert bytes(two["observation"]) == tree.observation(env.unwrapped.node, 0)


@pytest.mark.parametrize("action", [10, 3215])
def test_who_does_what_is_not_legal_loses(action: int) -> None:
    env = porto_v0.env(players=3)
    env.reset(seed=1)
    env.step(action)
    assert env.rewards == {"player_0": -1, "player_1": 0, "player_2": 0}
    assert all(env.terminations.values())


def test_without_the_wrappers_it_is_an_error() -> None:
    env = porto_v0.raw_env()
    env.reset(seed=1)
    before = env.node
    with pytest.raises(ValueError, match="player_0 cannot do 66 now"):
        env.step(66)
    assert env.node is before


def test_a_seed_is_that_of_a_record() -> None:
    env = porto_v0.raw_env(players=3)
    env.reset(seed=7)
    assert env.seed_of_game == "7"
    names = list(env.possible_agents)
    assert env.node.table == porto_cli.new_game(names, seed="7", first=names[0]).state
    env.reset(options={"seed": "tram"})
    assert env.node.table == porto_cli.new_game(names, seed="tram", first=names[0]).state


def test_without_a_seed_each_game_is_another_and_all_follow_from_the_first() -> None:
    one, other = porto_v0.raw_env(), porto_v0.raw_env()
    games = []
    for env in (one, other):
        env.reset(seed=7)
        tables = [env.node.table]
        for _ in range(2):
            env.reset()
            tables.append(env.node.table)
        games.append(tables)
        assert env.seed_of_game == "7-3"
    assert games[0] == games[1]
    assert games[0][0] != games[0][1] != games[0][2]
    fresh, again = porto_v0.raw_env(), porto_v0.raw_env()
    with pytest.raises(ValueError, match="begins with reset"):
        _ = fresh.seed_of_game
    fresh.reset()
    again.reset()
    assert fresh.seed_of_game != again.seed_of_game


@pytest.mark.parametrize("seed", ["two words", "", "ä", "x" * 65])
def test_a_seed_that_no_record_can_have_is_refused(seed: str) -> None:
    env = porto_v0.env()
    with pytest.raises(ValueError, match="A seed is made of"):
        env.reset(options={"seed": seed})


def test_what_nobody_may_know_stands_nowhere() -> None:
    """Everything hidden follows from the seed, so that no agent may observe it."""
    env = porto_v0.env(render_mode="ansi")
    env.reset(options={"seed": "verysecret"})
    for agent in played(env, 2):
        assert "verysecret" not in repr((env.last(), env.infos, env.render(), agent))


def test_the_table_is_rendered_as_a_bystander_sees_it(capsys: pytest.CaptureFixture[str]) -> None:
    env = porto_v0.env(render_mode="ansi")
    env.reset(seed=1)
    env.step(0)
    shown = env.render()
    assert shown.startswith("Round 1, turn 1, roofs 0 of 6: player_0 is to move.\n")
    assert "private" not in shown
    assert "private" in env.unwrapped.tree.observed(env.unwrapped.node, 0).lower()
    assert capsys.readouterr().out == ""
    env = porto_v0.env(render_mode="human")
    env.reset(seed=1)
    env.step(0)
    assert capsys.readouterr().out == f"{shown}\n\n"
    assert porto_v0.raw_env().render_mode is None
    with pytest.raises(ValueError, match="There is no render mode 'rgb_array'"):
        porto_v0.env(render_mode="rgb_array")


def test_an_environment_can_be_pickled() -> None:
    env = porto_v0.raw_env(players=3, private_contracts=False)
    again = pickle.loads(pickle.dumps(env))
    assert again.config.seats == 3
    assert not again.config.private_contracts


def test_the_spaces_are_large_enough() -> None:
    env = porto_v0.env(players=4)
    space = env.observation_space("player_0")
    assert space["observation"].shape == (tree.size(4),)
    assert space["action_mask"].shape == (tree.count,)
    assert env.action_space("player_3").n == tree.count
