"""Puerto Rico as a game of OpenSpiel."""

from __future__ import annotations

import pickle
import random
from typing import Any

import pytest

import porto_cli
from bench.research import searchable, searched_game
from porto_cli.core.chance import seeded_chance
from porto_cli.games.puerto_rico.players import PLAYERS
from porto_cli.games.puerto_rico.research import tree
from tests.puerto_rico.research.walks import (
    EVERY_NUMBER,
    OPTIONS,
    with_chips,
    with_other_chips,
)
from tests.research import random_action, walked

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")

import porto_cli.research.openspiel  # noqa: E402 - registers the game
from porto_cli.research.openspiel import PlayerBot, Rollouts  # noqa: E402

every_number = pytest.mark.parametrize("players", EVERY_NUMBER)
MANY = 50


def game_of(players: int, **options: Any) -> Any:
    return pyspiel.load_game("puerto_rico", {"players": players, **options})


@pytest.mark.parametrize("players", [2, pytest.param(5, marks=pytest.mark.long)])
def test_openspiels_own_test_of_a_game(players: int) -> None:
    pyspiel.random_sim_test(game_of(players), 1, serialize=False, verbose=False)


@pytest.mark.long
@every_number
def test_openspiels_own_test_with_other_options(players: int) -> None:
    options = OPTIONS[players % len(OPTIONS)]
    pyspiel.random_sim_test(game_of(players, **options), 1, serialize=True, verbose=False)


@pytest.mark.slow
@every_number
def test_openspiels_own_test_of_many_games(players: int) -> None:
    pyspiel.random_sim_test(game_of(players), MANY, serialize=False, verbose=False)


def test_the_game_says_what_it_is() -> None:
    game = pyspiel.load_game("puerto_rico(players=4,buildings=draft)")
    assert game.num_players() == 4
    assert game.num_distinct_actions() == tree.count
    assert (game.min_utility(), game.max_utility(), game.utility_sum()) == (-1, 1, 0)
    assert game.max_chance_outcomes() == max(map(len, tree.things.values()))
    assert game.config.buildings == "draft"
    assert game.observation_tensor_shape() == [tree.size(4)]
    assert game.get_type().information == pyspiel.GameType.Information.PERFECT_INFORMATION
    assert pyspiel.load_game("puerto_rico").num_players() == 3
    assert str(pyspiel.load_game(str(game))) == str(game)
    with pytest.raises(ValueError, match="2 to 5 players"):
        game_of(6)


@every_number
def test_a_game_is_that_of_the_record_with_its_seed(players: int) -> None:
    """With all its moves: what a record of them leads to."""
    names = [*tree.config_of(players).players]
    match = porto_cli.new_game(names, game="puerto-rico", seed="arecibo", first=names[0])
    state, rng, begun = game_of(players).new_initial_state(), random.Random(players), ()
    chance = seeded_chance("arecibo")
    for _ in range(250):
        if state.is_terminal():
            break
        if state.is_chance_node():
            assert state.outcome_by_seed("arecibo") == tree.chosen(state.node, chance)
            state.apply_action(state.outcome_by_seed("arecibo"))
            continue
        begun = state.node.begun
        if not begun:
            assert state.node.table == match.state
        assert state.current_player() == match.state.seat
        before, action = state.node, random_action(tree, state.legal_actions(), rng)
        state.apply_action(action)
        if state.node.move is not None or state.node.table is not before.table:
            row, choices = (*begun, action), before.choices
            if tree.name(action) == "load small-wharf":
                choices = tree.play(before, action).choices
            while following := choices.following(row):
                row = (*row, *following)
            match.play(choices.made(row), player=before.table.seat)


def told(state: Any, player: int) -> tuple[Any, ...]:
    """Return what a player is told of the table as it stands."""
    return (
        state.observation_string(player),
        state.observation_tensor(player),
        state.legal_actions(player),
    )


@every_number
def test_nobody_is_told_the_chips_of_the_others(players: int) -> None:
    """PR-SECRET-1: two tables that differ in nothing else look the same."""
    state = walked(game_of(players), 2, 100)
    node = state.node._replace(state=with_chips(state.node.table))
    for player in range(players):
        other = state.clone()
        table = with_other_chips(node.table, player)
        assert players == 2 or table != node.table
        state._go(node)
        other._go(node._replace(state=table))
        assert told(other, player) == told(state, player)


def test_an_information_state_is_what_everybody_has_seen() -> None:
    state = walked(game_of(3), 4, 100)
    log = " ".join(str(action + 1) for action in state.history())
    for player in range(3):
        expected = f"player {player}; actions: {log}"
        assert state.information_state_string(player) == expected
    other = state.resample_from_infostate(1, random.random)
    assert (str(other), other.history()) == (str(state), state.history())


@pytest.mark.parametrize("how", ["clone", "pickle", "serialize"])
def test_a_copy_goes_its_own_way(how: str) -> None:
    game = game_of(4)
    state = walked(game, 5, 120)
    made = {
        "clone": lambda: state.clone(),
        "pickle": lambda: pickle.loads(pickle.dumps(state)),
        "serialize": lambda: game.deserialize_state(state.serialize()),
    }[how]()
    assert (str(made), made.history()) == (str(state), state.history())
    before, legal = str(state), made.legal_actions()
    made.apply_action(legal[-1])
    assert str(state) == before
    state.apply_action(legal[-1])
    assert str(made) == str(state)


def test_actions_have_the_words_of_the_notation() -> None:
    state = game_of(3).new_initial_state()
    names = [state.action_to_string(one) for one in state.legal_actions()]
    assert names == ["corn", "indigo", "sugar", "tobacco", "coffee"]
    state = walked(game_of(3), 1, 0)
    assert state.action_to_string(state.legal_actions()[0]) == "role settler"
    assert state.string_to_action("role mayor no-colonist") == state.legal_actions()[-1]


@pytest.mark.parametrize("name", ["greedy", "priced"])
def test_players_of_ours_are_bots(name: str) -> None:
    game, rng = game_of(3), random.Random(2)
    bots = [PlayerBot(PLAYERS[name], seat, rng) for seat in range(3)]
    state = game.new_initial_state()
    placed = 0
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(state.outcome_by_seed("arecibo"))
            continue
        action = bots[state.current_player()].step(state)
        assert action in state.legal_actions()
        placed += action in tree.kinds[-1].actions
        state.apply_action(action)
    assert placed
    assert max(state.returns()) > 0


def test_a_search_of_openspiel_plays() -> None:
    from open_spiel.python.algorithms.mcts import MCTSBot

    game, rng = game_of(2), random.Random(2)
    state = walked(game, 3, 60)
    evaluator = Rollouts(rng)
    bot = MCTSBot(game, uct_c=1.4, max_simulations=4, evaluator=evaluator)
    assert bot.step(state) in state.legal_actions()
    won = evaluator.evaluate(state)
    assert won.sum() == pytest.approx(0)


def test_a_search_for_games_of_imperfect_information_plays_as_well() -> None:
    from open_spiel.python.algorithms.ismcts import ISMCTSBot

    game, rollouts = searchable(tree, 2), Rollouts(random.Random(2))
    state = walked(game, 3, 60)
    bot = ISMCTSBot(game, rollouts, uct_c=1.4, max_simulations=4)
    assert bot.step(state) in state.legal_actions()


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3])
def test_a_search_that_knows_only_the_rules_loses(players: int) -> None:
    game = searchable(tree, players)
    for seat in range(players):
        won = searched_game(
            *(game, "arecibo", seat, random.Random(seat)),
            simulations=10,
            rollouts="random",
            against="level-3",
        )
        assert won < 0
