"""Both games as games of OpenSpiel."""

from __future__ import annotations

import copy
import pickle
import random
from typing import Any

import pytest

from bench.research import searchable, searched_game
from porto_cli.games.porto.engine import PRIVATE
from porto_cli.games.porto.players import PLAYERS
from porto_cli.games.porto.sealing import view
from porto_cli.games.puerto_rico.players import PLAYERS as OF_PUERTO_RICO
from tests.research import walked
from tests.research.games import GAMES, NUMBERS, PORTO, PUERTO_RICO, TABLES, Researched, Table
from tests.shares import one_in

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
np = pytest.importorskip("numpy", reason="OpenSpiel is not installed")

import porto_cli.research.openspiel  # noqa: E402, F401 - registers the games
from porto_cli.research.openspiel import HIDDEN, PlayerBot  # noqa: E402

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=str)
every_number = pytest.mark.parametrize("table", NUMBERS, ids=str)
every_number_of_porto = pytest.mark.parametrize("players", PORTO.tree.players)


def load(game: Researched, players: int, **options: Any) -> Any:
    return pyspiel.load_game(game.id.replace("-", "_"), {"players": players, **options})


def observed_by(state: Any, player: int) -> tuple[Any, ...]:
    return (
        state.information_state_string(player),
        state.information_state_tensor(player) if not state.tree.is_open else (),
        state.observation_string(player),
        state.observation_tensor(player),
        state.legal_actions(player),
    )


@pytest.mark.parametrize("table", one_in(5, TABLES), ids=str)
def test_openspiels_own_test_of_a_game(table: Table) -> None:
    game = load(table.game, table.players, **table.options)
    pyspiel.random_sim_test(game, 1, serialize=table.game is PORTO, verbose=False)


@pytest.mark.slow
@every_number
def test_openspiels_own_test_of_many_games(table: Table) -> None:
    game = load(table.game, table.players)
    pyspiel.random_sim_test(game, 50 if table.game is PUERTO_RICO else 500, False, False)
    pyspiel.random_sim_test(game, 10, serialize=True, verbose=False)


@pytest.mark.parametrize(
    ("text", "game", "option", "value"),
    [
        ("porto(players=3,private_contracts=False)", PORTO, "private_contracts", False),
        ("puerto_rico(players=3,buildings=draft)", PUERTO_RICO, "buildings", "draft"),
    ],
)
def test_the_game_says_what_it_is(text: str, game: Researched, option: str, value: object) -> None:
    loaded = pyspiel.load_game(text)
    assert loaded.num_players() == 3
    assert loaded.num_distinct_actions() == len(game.tree.actions)
    assert (loaded.min_utility(), loaded.max_utility(), loaded.utility_sum()) == (-1, 1, 0)
    assert loaded.max_chance_outcomes() == max(map(len, game.tree.things.values()))
    assert loaded.max_chance_nodes_in_history() == game.tree.longest[1]
    assert loaded.observation_tensor_shape() == [game.tree.row(3).size]
    kinds = pyspiel.GameType.Information
    known = kinds.PERFECT_INFORMATION if game.tree.is_open else kinds.IMPERFECT_INFORMATION
    assert loaded.get_type().information == known
    assert pyspiel.load_game(text.partition("(")[0]).num_players() == game.tree.usual
    again = pyspiel.load_game(str(loaded))
    assert str(again) == str(loaded)
    assert getattr(again.config, option) == value
    with pytest.raises(ValueError, match=f"2 to {game.tree.players[-1]} players"):
        load(game, 6)


@every_number_of_porto
def test_the_tensors_have_the_shape_that_the_game_says(players: int) -> None:
    tree, game = PORTO.tree, load(PORTO, players)
    state = walked(game, 1)
    size = tree.row(players).size
    assert game.observation_tensor_shape() == [size]
    assert game.information_state_tensor_shape() == [size + sum(tree.longest)]
    assert len(state.history()) <= sum(tree.longest)
    numbers = state.information_state_tensor(0)
    assert bytes(map(int, numbers[:size])) == tree.observation(state.node, 0)
    history = [int(one) for one in numbers[size:]]
    assert history[: len(state.history())] == state.known(0)
    assert not any(history[len(state.history()) :])
    hidden = history[: len(state.history())].count(HIDDEN)
    assert hidden == 6 * (players - 1)


@every_number_of_porto
@pytest.mark.parametrize("steps", [30, 120, 170])
def test_a_resampled_state_looks_the_same_and_hides_something_else(
    players: int, steps: int
) -> None:
    game = load(PORTO, players)
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
            dealt = b"".join(table.dealt)
            assert all(dealt.count(one) <= PRIVATE[one].copies for one in set(dealt))
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


def test_resampled_cards_are_those_of_the_box() -> None:
    """Every contract that the player has not is as likely for the others, and kept as likely."""
    state = walked(load(PORTO, 2), 3, 60)
    rng = random.Random(4)
    samples = 400
    dealt = b"".join(
        state.resample_from_infostate(0, rng.random).node.table.dealt[1] for _ in range(samples)
    )
    deck = state.get_game().config.private_deck
    own = state.node.table.dealt[0]
    for contract in set(deck):
        left = deck.count(contract) - own.count(contract)
        expected = samples * 5 * left / (len(deck) - 5)
        assert abs(dealt.count(contract) - expected) < 5 * (expected + 1) ** 0.5


def test_openspiels_sampler_can_be_given() -> None:
    state = walked(load(PORTO, 3), 3, 60)
    sampler = pyspiel.UniformProbabilitySampler(0.0, 1.0)
    assert observed_by(state.resample_from_infostate(1, sampler), 1) == observed_by(state, 1)


def test_what_cannot_be_is_refused() -> None:
    state = walked(load(PORTO, 2), 1, 0)
    history = state.history()
    for action in (54, 99_999):
        with pytest.raises(ValueError, match=f"The action {action} is not legal now"):
            state.apply_action(action)
    assert state.history() == history
    beginning = load(PORTO, 2).new_initial_state()
    with pytest.raises(ValueError, match="not yet set up"):
        beginning.resample_from_infostate(0, random.random)


@every_game
@pytest.mark.parametrize("how", ["clone", "deepcopy", "pickle", "serialize"])
def test_a_copy_goes_its_own_way(game: Researched, how: str) -> None:
    loaded = load(game, 3)
    state = walked(loaded, 5, 80)
    made = {
        "clone": lambda: state.clone(),
        "deepcopy": lambda: copy.deepcopy(state),
        "pickle": lambda: pickle.loads(pickle.dumps(state)),
        "serialize": lambda: loaded.deserialize_state(state.serialize()),
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


@pytest.mark.parametrize(
    ("game", "chance", "first", "text"),
    [
        (PORTO, [f"token {value}" for value in (1, 2, 3, 4)], "keep 1 2 3", "keep 1 2 5"),
        (
            PUERTO_RICO,
            ["corn", "indigo", "sugar", "tobacco", "coffee"],
            "settler",
            "mayor",
        ),
    ],
    ids=str,
)
def test_actions_have_the_words_of_the_notation(
    game: Researched, chance: list[str], first: str, text: str
) -> None:
    state = load(game, 3).new_initial_state()
    assert [state.action_to_string(one) for one in state.legal_actions()] == chance
    state = walked(load(game, 3), 1, 0)
    assert state.action_to_string(state.legal_actions()[0]) == first
    assert state.action_to_string(state.string_to_action(text)) == text


def test_what_an_observer_cannot_do_is_refused() -> None:
    game = load(PORTO, 2)
    everybody = pyspiel.IIGObservationType(
        perfect_recall=False, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS
    )
    secrets = pyspiel.IIGObservationType(public_info=False, perfect_recall=False)
    for kind in (everybody, secrets):
        with pytest.raises(ValueError, match="all public information"):
            game.make_py_observer(kind, None)
    with pytest.raises(ValueError, match="no parameters"):
        game.make_py_observer(None, {"scaled": True})


def test_an_observer_of_what_is_public_tells_nothing_private() -> None:
    game = load(PORTO, 2)
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
        for nth in range(2):
            for key in ("dealt", "private"):
                assert not observer.tensor[PORTO.tree.row(2).places()[f"players.{nth}.{key}"]].any()
        seen.add((observer.tensor.tobytes(), observer.string_from(other, 0)))
    assert len(seen) == 1


def test_an_information_state_remembers_all_that_its_player_has_known() -> None:
    state = load(PORTO, 2).new_initial_state()
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


def test_in_an_open_game_it_is_what_everybody_has_seen() -> None:
    state = walked(load(PUERTO_RICO, 3), 4, 100)
    log = " ".join(str(action + 1) for action in state.history())
    for player in range(3):
        expected = f"player {player}; actions: {log}"
        assert state.information_state_string(player) == expected
    other = state.resample_from_infostate(1, random.random)
    assert (str(other), other.history()) == (str(state), state.history())


@pytest.mark.parametrize(
    ("game", "player"),
    [(PORTO, PLAYERS["level-3"]), (PUERTO_RICO, OF_PUERTO_RICO["priced"])],
    ids=["porto", "puerto-rico"],
)
def test_players_of_ours_are_bots(game: Researched, player: Any) -> None:
    """What each decides is the move that it makes at the table, action by action."""
    state, chosen, halves = load(game, 3).new_initial_state(), (), 0

    def noted(seen: Any, moves: Any, rng: random.Random) -> Any:
        nonlocal chosen
        move = player(seen, moves, rng)
        chosen = game.tree.encode(move)
        return move

    bots = [PlayerBot(noted, seat, random.Random(seat)) for seat in range(3)]
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(state.outcome_by_seed("tram"))
            continue
        begun = state.node.begun
        action = bots[state.current_player()].step(state)
        assert action in state.legal_actions()
        assert action == chosen[len(begun)]
        halves += bool(begun)
        state.apply_action(action)
    assert halves
    assert max(state.returns()) > 0


def test_a_player_of_ours_is_given_what_its_seat_may_know() -> None:
    state = walked(load(PORTO, 2), 6, 60)
    seat = state.current_player()
    given: list[Any] = []

    def first(seen: Any, moves: Any, rng: Any) -> Any:
        given.append(seen)
        return moves[0]

    PlayerBot(first, seat, random.Random(1)).step(state)
    (seen,) = given
    assert seen == view(state.node.table, seat)
    assert seen.table != state.node.table


def test_searches_of_openspiel_play() -> None:
    """Also the one for games of imperfect information."""
    from open_spiel.python.algorithms.ismcts import ISMCTSBot
    from open_spiel.python.algorithms.mcts import MCTSBot, RandomRolloutEvaluator

    rollouts = RandomRolloutEvaluator(1, np.random.RandomState(2))
    game = load(PUERTO_RICO, 2)
    state = walked(game, 3, 60)
    bot = MCTSBot(game, uct_c=1.4, max_simulations=4, evaluator=rollouts)
    assert bot.step(state) in state.legal_actions()
    game = searchable(PUERTO_RICO.tree, 2)
    state = walked(game, 3, 60)
    bot = ISMCTSBot(game, rollouts, uct_c=1.4, max_simulations=4)
    assert bot.step(state) in state.legal_actions()


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3])
def test_a_search_that_knows_only_the_rules_loses(players: int) -> None:
    game = searchable(PUERTO_RICO.tree, players)
    for seat in range(players):
        won = searched_game(
            *(game, "arecibo", seat, random.Random(seat)),
            simulations=10,
            against="level-3",
        )
        assert won < 0
