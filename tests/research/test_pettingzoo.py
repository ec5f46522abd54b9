"""Both games as environments of PettingZoo."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

pytest.importorskip("pettingzoo", reason="PettingZoo is not installed")
pytest.importorskip("numpy", reason="PettingZoo is not installed")

from pettingzoo.test import api_test, seed_test
from pettingzoo.test.performance_benchmark import performance_benchmark

from porto_cli.research import pettingzoo
from porto_cli.research.pettingzoo import porto_v0, puerto_rico_v0
from tests.research.games import GAMES, NUMBERS, Researched, Table

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=str)
every_number = pytest.mark.parametrize("table", NUMBERS, ids=str)


def env_of(table: Table, **options: Any) -> Any:
    return getattr(pettingzoo, table.game.env).env(players=table.players, **options)


@every_number
@pytest.mark.filterwarnings("ignore:Observation")
def test_pettingzoos_own_test(table: Table, capsys: pytest.CaptureFixture[str]) -> None:
    api_test(env_of(table), num_cycles=500)
    assert "Passed API test" in capsys.readouterr().out


@every_number
def test_pettingzoos_own_test_of_seeds(table: Table) -> None:
    seed_test(lambda: env_of(table), num_cycles=200)


@pytest.mark.slow
def test_pettingzoos_own_measurement(capsys: pytest.CaptureFixture[str]) -> None:
    performance_benchmark(puerto_rico_v0.env())
    assert "turns per second" in capsys.readouterr().out


def played(env: Any, seed: int) -> Iterator[str]:
    """Play a random game; yield who is asked each time."""
    rng = Random(seed)
    for agent in env.agent_iter():
        observation, _, over, cut, _ = env.last()
        yield agent
        if over or cut:
            env.step(None)
        else:
            legal = [int(each) for each in observation["action_mask"].nonzero()[0]]
            env.step(rng.choice(legal))


@every_number
def test_who_does_what_it_may_gets_to_the_end(table: Table) -> None:
    env = env_of(table)
    env.reset(seed=3)
    rewards = dict.fromkeys(env.possible_agents, 0.0)
    for agent in played(env, 1):
        rewards[agent] = env.last()[1]
        assert env.observation_space(agent).contains(env.observe(agent))
        for other in env.agents:
            if other != env.agent_selection:
                assert not env.observe(other)["action_mask"].any()
    assert env.agents == []
    assert max(rewards.values()) > 0
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
    assert bytes(two["observation"]) == env.unwrapped.tree.observation(env.unwrapped.node, 0)


@every_game
def test_who_does_what_is_not_legal_loses(game: Researched) -> None:
    table = Table(game, 3, {})
    env = env_of(table)
    env.reset(seed=1)
    actions = range(len(game.tree.actions))
    wrong = next(one for one in actions if one not in env.unwrapped.node.legal)
    env.step(wrong)
    assert env.rewards == {"player_0": -1, "player_1": 0, "player_2": 0}
    assert all(env.terminations.values())
    raw = getattr(pettingzoo, game.env).raw_env()
    raw.reset(seed=1)
    before = raw.node
    with pytest.raises(ValueError, match=f"player_0 cannot do {wrong} now"):
        raw.step(wrong)
    assert raw.node is before


@every_game
def test_a_seed_is_that_of_a_record(game: Researched) -> None:
    env = getattr(pettingzoo, game.env).raw_env(players=3)
    env.reset(seed=7)
    assert env.seed_of_game == "7"
    assert env.node.table == game.begun(3, "7").state
    env.reset(options={"seed": "tram"})
    assert env.node.table == game.begun(3, "tram").state


def test_without_a_seed_each_game_is_another_and_all_follow_from_the_first() -> None:
    games = []
    for env in (porto_v0.raw_env(), porto_v0.raw_env()):
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
    assert not hasattr(fresh, "seed_of_game")
    fresh.reset()
    again.reset()
    assert fresh.seed_of_game != again.seed_of_game


def test_a_seed_that_no_record_can_have_is_refused() -> None:
    env = porto_v0.env()
    for seed in ("two words", "", "\xe4", "x" * 65):
        with pytest.raises(ValueError, match="A seed consists of"):
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
    assert shown.startswith("Porto\nRound 1, turn 1, roofs 0 of 6: player_0 is to move.\n")
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


def test_an_environment_has_the_options_of_a_record_and_can_be_pickled() -> None:
    env = puerto_rico_v0.raw_env(players=4, buildings="draft", rulebook="guide")
    again = pickle.loads(pickle.dumps(env))
    assert (again.config.seats, again.config.buildings, again.config.guide) == (4, "draft", True)
    space = again.observation_space("player_0")
    assert space["observation"].shape == (again.tree.row(4).size,)
    assert space["action_mask"].shape == (len(again.tree.actions),)
    assert again.action_space("player_3").n == len(again.tree.actions)
    with pytest.raises(ValueError, match="no option 'edition'; its options: buildings, rulebook"):
        puerto_rico_v0.env(edition="first")
    with pytest.raises(ValueError, match="2 to 5 players"):
        puerto_rico_v0.env(players=6)
