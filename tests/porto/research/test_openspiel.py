"""Porto as a game of OpenSpiel."""

from __future__ import annotations

import copy
import pickle
import random
from typing import Any

import pytest

from porto_cli.games.porto.engine.components import PRIVATE
from porto_cli.games.porto.engine.play import legal_moves
from porto_cli.games.porto.hidden_information import view
from porto_cli.games.porto.players import PLAYERS
from porto_cli.games.porto.research import tree
from porto_cli.players.search import AsPlayer
from tests.research import walked

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
np = pytest.importorskip("numpy", reason="OpenSpiel is not installed")

import porto_cli.research.openspiel  # noqa: E402, F401 - registers the game
from porto_cli.research.openspiel import HIDDEN, PlayerBot, Rollouts  # noqa: E402

every_number = pytest.mark.parametrize("players", [2, 3, 4])
PLAIN, SERIALIZED = 500, 100


def game_of(players: int, **options: Any) -> Any:
    return pyspiel.load_game("porto", {"players": players, **options})


def by_level_3(rng: random.Random, rollouts: int = 1) -> Rollouts:
    return Rollouts(rng, rollouts, AsPlayer("porto", PLAYERS["level-3"]))


def observed_by(state: Any, player: int) -> tuple[Any, ...]:
    return (
        state.information_state_string(player),
        state.information_state_tensor(player),
        state.observation_string(player),
        state.observation_tensor(player),
        state.legal_actions(player),
    )


@every_number
@pytest.mark.parametrize("options", [{}, {"private_contracts": False}, {"seat_first": True}])
def test_openspiels_own_test_of_a_game(players: int, options: dict[str, bool]) -> None:
    pyspiel.random_sim_test(game_of(players, **options), 1, serialize=True, verbose=False)


@pytest.mark.slow
@every_number
def test_openspiels_own_test_of_many_games(players: int) -> None:
    game = game_of(players)
    pyspiel.random_sim_test(game, PLAIN, serialize=False, verbose=False)
    pyspiel.random_sim_test(game, SERIALIZED, serialize=True, verbose=False)


def test_the_game_says_what_it_is() -> None:
    game = pyspiel.load_game("porto(players=3,private_contracts=False)")
    assert game.num_players() == 3
    assert game.num_distinct_actions() == tree.count
    assert (game.min_utility(), game.max_utility(), game.utility_sum()) == (-1, 1, 0)
    assert game.max_chance_nodes_in_history() == tree.longest[1]
    assert not game.config.private_contracts
    assert pyspiel.load_game("porto").num_players() == 2
    again = pyspiel.load_game(str(game))
    assert str(again) == str(game)
    assert not again.config.private_contracts


def test_a_number_of_players_that_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="2 to 4 players"):
        game_of(5)


@every_number
def test_the_tensors_have_the_shape_that_the_game_says(players: int) -> None:
    game = game_of(players)
    state = walked(game, 1)
    size = tree.size(players)
    assert game.observation_tensor_shape() == [size]
    assert game.information_state_tensor_shape() == [size + sum(tree.longest)]
    assert len(state.history()) <= sum(tree.longest)
    early = walked(game, 1, 40)
    before = early.information_state_tensor(0)
    numbers = state.information_state_tensor(0)
    assert early.information_state_tensor(0) == before
    assert bytes(map(int, numbers[:size])) == tree.observation(state.node, 0)
    history = [int(one) for one in numbers[size:]]
    assert history[: len(state.history())] == state.known(0)
    assert not any(history[len(state.history()) :])
    shown = [one for one in history if one]
    assert shown == [
        action + 1 for (action, one) in zip(state.history(), history, strict=False) if one != HIDDEN
    ]
    assert history.count(0) - (len(history) - len(state.history())) == 6 * (players - 1)


@every_number
@pytest.mark.parametrize("steps", [30, 60, 120, 170])
def test_a_resampled_state_looks_the_same_and_hides_something_else(
    players: int, steps: int
) -> None:
    game = game_of(players)
    state = walked(game, 3, steps)
    assert not state.is_terminal()
    rng = random.Random(1)
    for player in range(players):
        deals = set()
        for _ in range(6):
            other = state.resample_from_infostate(player, rng.random)
            assert observed_by(other, player) == observed_by(state, player)
            assert other.current_player() == state.current_player()
            assert other.move_number() == state.move_number()
            table, mine = other.node.table, state.node.table
            assert table.dealt[player] == mine.dealt[player]
            assert table.kept[player] == mine.kept[player]
            assert [bool(kept) for kept in table.kept] == [bool(kept) for kept in mine.kept]
            assert _are_in_the_box(b"".join(table.dealt))
            deals.add((table.dealt, table.kept))
            # Its history is true: replayed, it leads to the same place.
            again = game.new_initial_state()
            for action in other.history():
                assert action in again.legal_actions()
                again.apply_action(action)
            assert str(again) == str(other)
            assert [each.player for each in again.full_history()] == [
                each.player for each in other.full_history()
            ]
            assert observed_by(again, player) == observed_by(other, player)
            # And it can be played on.
            other.apply_action(other.legal_actions()[0])
        assert len(deals) > 1


def _are_in_the_box(contracts: bytes) -> bool:
    return all(contracts.count(one) <= PRIVATE[one].copies for one in set(contracts))


def test_resampled_cards_are_those_of_the_box() -> None:
    """Every contract that the player has not is as likely for the others, and kept as likely."""
    state = walked(game_of(2), 3, 60)
    rng = random.Random(4)
    samples = 400
    dealt = b"".join(
        state.resample_from_infostate(0, rng.random).node.table.dealt[1] for _ in range(samples)
    )
    deck = state.get_game().config.private_deck()
    own = state.node.table.dealt[0]
    for contract in set(deck):
        left = deck.count(contract) - own.count(contract)
        expected = samples * 5 * left / (len(deck) - 5)
        assert abs(dealt.count(contract) - expected) < 5 * (expected + 1) ** 0.5


def test_openspiels_sampler_can_be_given() -> None:
    state = walked(game_of(3), 3, 60)
    sampler = pyspiel.UniformProbabilitySampler(0.0, 1.0)
    assert observed_by(state.resample_from_infostate(1, sampler), 1) == observed_by(state, 1)


def test_an_action_that_is_not_legal_is_refused() -> None:
    state = walked(game_of(2), 1, 0)
    history = state.history()
    for action in (66, 99_999):
        with pytest.raises(ValueError, match=f"The action {action} is not legal now"):
            state.apply_action(action)
    assert state.history() == history


def test_during_the_setup_nothing_can_be_resampled() -> None:
    state = game_of(2).new_initial_state()
    with pytest.raises(ValueError, match="not yet set up"):
        state.resample_from_infostate(0, random.random)


@pytest.mark.parametrize("how", ["clone", "deepcopy", "pickle", "serialize"])
def test_a_copy_goes_its_own_way(how: str) -> None:
    game = game_of(3)
    state = walked(game, 5, 80)
    made = {
        "clone": lambda: state.clone(),
        "deepcopy": lambda: copy.deepcopy(state),
        "pickle": lambda: pickle.loads(pickle.dumps(state)),
        "serialize": lambda: game.deserialize_state(state.serialize()),
    }[how]()
    assert (str(made), made.history()) == (str(state), state.history())
    for player in range(3):
        assert observed_by(made, player) == observed_by(state, player)
    before = str(state), observed_by(state, 0)
    legal = made.legal_actions()
    made.apply_action(legal[-1])
    assert (str(state), observed_by(state, 0)) == before
    state.apply_action(legal[-1])
    assert str(made) == str(state)


def test_actions_have_the_names_of_the_notation() -> None:
    state = game_of(2).new_initial_state()
    assert [state.action_to_string(one) for one in state.legal_actions()] == [
        f"token {value}" for value in (1, 2, 3, 4)
    ]
    state = walked(game_of(2), 1, 0)
    names = [state.action_to_string(one) for one in state.legal_actions()]
    assert names[0] == "keep 1 2 3"
    assert state.string_to_action("keep 1 2 5") == 2


def test_what_an_observer_cannot_do_is_refused() -> None:
    game = game_of(2)
    everybody = pyspiel.IIGObservationType(
        perfect_recall=False, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS
    )
    secrets = pyspiel.IIGObservationType(public_info=False, perfect_recall=False)
    for kind in (everybody, secrets):
        with pytest.raises(ValueError, match="all that is public"):
            game.make_py_observer(kind, None)
    with pytest.raises(ValueError, match="no parameters"):
        game.make_py_observer(None, {"scaled": True})


def test_an_observer_of_what_is_public_tells_nothing_private() -> None:
    game = game_of(2)
    kind = pyspiel.IIGObservationType(
        perfect_recall=True, private_info=pyspiel.PrivateInfoType.NONE
    )
    observer = game.make_py_observer(kind, None)
    state = walked(game, 2, 60)
    rng = random.Random(1)
    seen = set()
    for _ in range(5):
        # What the first player knows is resampled by asking what the other one could think.
        other = state.resample_from_infostate(1, rng.random)
        other = other.resample_from_infostate(0, rng.random)
        observer.set_from(other, 0)
        assert not observer.dict["dealt"].any()
        assert not observer.dict["kept"].any()
        seen.add((observer.tensor.tobytes(), observer.string_from(other, 0)))
    assert len(seen) == 1


def test_an_information_state_remembers_all_that_its_player_has_known() -> None:
    state = game_of(2).new_initial_state()
    rng = random.Random(1)
    log = {0: "", 1: ""}
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
        for player in range(2):
            who, _, known = state.information_state_string(player).partition("; actions: ")
            assert who == f"player {player}"
            assert known.startswith(log[player])
            log[player] = known
    first = len(state.get_game().config.houses) + 5 + 4
    for player, known in log.items():
        numbers = [int(one) for one in known.split()]
        hidden = [nth for nth, number in enumerate(numbers) if number == HIDDEN]
        # Five contracts are dealt to the other player, who keeps some of them.
        assert hidden[:5] == [*range(first + 5 - 5 * player, first + 10 - 5 * player)]
        assert len(hidden) == 6
        pairs = zip(state.history(), numbers, strict=True)
        assert all(number in (HIDDEN, action + 1) for action, number in pairs)


def test_a_player_of_ours_is_a_bot() -> None:
    game = game_of(3)
    rng = random.Random(2)
    bots = [PlayerBot(PLAYERS["level-3"], seat, rng) for seat in range(3)]
    state = walked(game, 6, 22 + 15)
    halves = 0
    chosen: Any = None
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(state.outcome_by_seed("tram"))
            continue
        seat, table = state.current_player(), state.node.table
        action = bots[seat].step(state)
        if action in tree.kinds[4].actions:
            halves += 1
            assert action == chosen[1]
        else:
            move = PLAYERS["level-3"](view(table, seat), legal_moves(table), rng)
            chosen = tree.encode(move)
            assert action == chosen[0]
        assert action in state.legal_actions()
        state.apply_action(action)
    assert halves
    assert max(state.returns()) == 1


def test_a_player_of_ours_is_given_what_its_seat_may_know() -> None:
    state = walked(game_of(2), 6, 60)
    seat = state.current_player()
    given: list[Any] = []

    def first(seen: Any, moves: Any, rng: Any) -> Any:
        given.append(seen)
        return moves[0]

    PlayerBot(first, seat, random.Random(1)).step(state)
    (seen,) = given
    assert seen == view(state.node.table, seat)
    assert seen.table != state.node.table


@pytest.mark.parametrize("players", [2, 3, 4])
def test_rollouts_by_level_3_end_in_games_that_are_won(players: int) -> None:
    """From the beginning, from where a roof is chosen and from the last turns: one wins, and the
    others lose it together."""
    for number in range(6):
        state = walked(game_of(players), number, 25 * number)
        if state.is_terminal():
            continue
        won = by_level_3(random.Random(number)).evaluate(state)
        assert sorted(won) == pytest.approx([-1 / (players - 1)] * (players - 1) + [1])


def test_rollouts_by_level_3_know_who_is_ahead() -> None:
    """With one player's score far ahead, that one wins in nearly all of them."""
    state = walked(game_of(2), 8, 90)
    table = state.node.table.copy()
    table.scores = (table.scores[0] + 60, table.scores[1])
    state._go(state.node._replace(state=table))
    won = by_level_3(random.Random(1), 20).evaluate(state)
    assert won[0] > 0.9


def test_rollouts_of_ours_are_those_of_openspiel() -> None:
    """Both play on at random: over many rollouts from one state both win about as often."""
    from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

    state = walked(game_of(2), 8, 150)
    count = 150
    ours = Rollouts(random.Random(1), count).evaluate(state)
    theirs = RandomRolloutEvaluator(count, np.random.RandomState(1)).evaluate(state)
    assert abs(ours[0] - theirs[0]) < 0.5
    assert ours.sum() == pytest.approx(0)
    assert Rollouts(random.Random(1)).prior(state) == [
        (action, 1 / len(state.legal_actions())) for action in state.legal_actions()
    ]
