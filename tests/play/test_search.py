"""A search that knows no game: it plays any of them by what is behind the seam."""

from __future__ import annotations

import pickle
from random import Random
from statistics import mean

import pytest

import porto_cli
from porto_cli.core.chance import seeded_chance
from porto_cli.games import game_of
from porto_cli.players import choose, random_player
from porto_cli.players.named import players_of
from porto_cli.players.search import AsPlayer, Search, Wins
from porto_cli.seam import OVER
from porto_cli.simulate import Start, Tally, simulate

GAMES = {"porto": ["Ana", "Rui"], "puerto-rico": ["Ana", "Rui", "Eva"]}
every_game = pytest.mark.parametrize("game_id", GAMES)


def begun(game_id: str, moves: int, seed: str = "tram"):
    """A game after so many moves at random."""
    match = porto_cli.new_game(GAMES[game_id], game=game_id, seed=seed)
    rng = Random(seed)
    state = match.state
    chance = seeded_chance(seed)
    for _ in range(moves):
        seat = match.game.to_move(state)[0]
        move = AsPlayer(game_id, random_player)(state, seat, rng)
        state, _ = match.game.apply(state, move, chance, seat)
    return match.game, state


@every_game
def test_without_knowing_the_game_it_plays_legal_moves(game_id):
    search = Search(game_id, simulations=6, span=8)
    for moves in (0, 1, 20, 40):
        game, state = begun(game_id, moves)
        seat = game.to_move(state)[0]
        move = choose(search, game, state, seat, Random(1))
        assert not game.violations(state, move, seat)


@every_game
def test_a_search_depends_on_its_seed_alone(game_id):
    game, state = begun(game_id, 25)
    seat = game.to_move(state)[0]
    search = Search(game_id, simulations=12, span=6)
    moves = [choose(search, game, state, seat, Random(seed)) for seed in (3, 3)]
    assert moves[0] == moves[1]


@every_game
def test_it_searches_for_the_time_given(game_id):
    game, state = begun(game_id, 10)
    seat = game.to_move(state)[0]
    view = game.view(state, seat)
    legal = game.legal_moves(state, seat, 5)
    ends = []
    for span in (1, 4, None):
        search = Search(
            game_id, span=span, value=lambda table, _: ends.append((table.turn, table.phase)) or 0.0
        )
        search.sampler(view, legal, 5)(0, 0)
    assert [turn - state.turn for turn, _ in ends[:2]] == [1, 4]
    assert ends[2][1] == OVER


@every_game
def test_all_moves_are_tried_with_the_same_random_numbers(game_id):
    """What comes up first is the same whichever move is made."""
    game, state = begun(game_id, 10)
    seat = game.to_move(state)[0]
    seen = {}

    def policy(table, seat, rng):
        seen.setdefault(nth, set()).add(rng.random())
        return game.legal_moves(table, seat, 1)[0]

    search = Search(game_id, policy=policy, span=2, value=lambda table, seat: 0.0)
    legal = game.legal_moves(state, seat, 4)
    assert len(legal) > 1
    sample = search.sampler(game.view(state, seat), legal, 9)
    for nth in range(3):
        for choice in range(len(legal)):
            sample(choice, nth)
    assert [len(numbers) for numbers in seen.values()] == [1, 1, 1]
    assert len(set.union(*seen.values())) == 3


def test_the_move_is_tried_at_a_table_that_is_imagined():
    """Hidden cards of others are resampled for each playout, and make no difference."""
    match = porto_cli.new_game(["Ana", "Rui"], seed="tram", first="Ana")
    view = match.game.view(match.state, 0)
    dealt = set()

    def value(table, seat):
        dealt.add(bytes(table.dealt[1]))
        assert table.dealt[0] == match.state.dealt[0]
        return 0.0

    sample = Search("porto", span=1, value=value).sampler(
        view, match.game.legal_moves(match.state, 0), 2
    )
    for nth in range(6):
        sample(0, nth)
    assert len(dealt) > 1


def test_the_best_move_is_found_wherever_it_stands():
    game, state = begun("puerto-rico", 0)
    legal = game.legal_moves(state, 0)

    def value(table, seat):
        # Two colonists, so many does nobody have without the mayor's privilege.
        return float(table.players[seat].people == 2)

    search = Search("puerto-rico", simulations=40, span=1, value=value)
    for moves in (legal, legal[::-1]):
        move = search(game.view(state, 0), moves, Random(1))
        assert game.format_move(move, state) == "role mayor"


def test_what_is_known_beforehand_decides_where_nothing_else_does():
    game, state = begun("puerto-rico", 0)
    legal = game.legal_moves(state, 0)

    def credit(view, moves):
        return [float(game.format_move(move, state) == "role trader") for move in moves]

    for weight, wanted in ((0.0, "role trader"), (5.0, "role mayor")):
        search = Search(
            "puerto-rico",
            simulations=20,
            span=1,
            value=lambda table, seat, weight=weight: weight * (table.players[seat].people == 2),
            credit=credit,
        )
        move = search(game.view(state, 0), legal, Random(1))
        assert game.format_move(move, state) == wanted


@every_game
def test_who_wins_is_what_counts(game_id):
    game, state = begun(game_id, 5)
    wins = Wins(game_id)
    assert wins(state, 0) == 0.5
    chance, rng = seeded_chance("end"), Random(1)
    while state.phase != OVER:
        seat = game.to_move(state)[0]
        state, _ = game.apply(
            state, AsPlayer(game_id, random_player)(state, seat, rng), chance, seat
        )
    shares = [wins(state, seat) for seat in range(len(GAMES[game_id]))]
    assert sum(shares) == pytest.approx(1)
    assert max(shares) > 0.3


@every_game
def test_it_can_be_sent_to_another_process(game_id):
    greedy = players_of(game_id)["greedy"]
    search = Search(game_id, policy=AsPlayer(game_id, greedy), value=Wins(game_id), span=5)
    assert pickle.loads(pickle.dumps(search)) == search
    for name, player in players_of(game_id).items():
        assert pickle.dumps(player), name


def some_moves(view, moves, rng):
    """A few of the moves, of each kind."""
    return moves[:: -(-len(moves) // 10)]


def lead(state, seat):
    return state.scores[seat] - state.scores[1 - seat]


GREEDY = AsPlayer("porto", players_of("porto")["greedy"])


@pytest.mark.long
@pytest.mark.parametrize(
    ("search", "other"),
    [
        (Search("porto", simulations=100, propose=some_moves), "random"),
        (Search("porto", simulations=150, value=lead, span=3, policy=GREEDY), "greedy"),
    ],
    ids=["knowing nothing", "by VP ahead"],
)
def test_it_beats_those_who_do_not_look_ahead(search, other):
    """Playing on at random and asking who wins beats random; greedy playouts beat greedy."""
    config = game_of("porto").new_config(GAMES["porto"])
    players = [search, players_of("porto")[other]]
    games = simulate(Start("porto", config), players, 1, seed="strength", rotate=True)
    tally = Tally(2, games)
    assert tally.won(0).share > tally.won(1).share
    assert mean(tally.scores[0].elements()) > mean(tally.scores[1].elements())
