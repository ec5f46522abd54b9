"""Levels 3 to 5: the chance to win that they go by, how they look ahead, and how it is learned."""

from __future__ import annotations

import json
import pickle
from collections import Counter
from functools import partial
from itertools import product
from math import sqrt
from random import Random

import pytest

from bench.training.forms import SEATS, read_networks
from porto_cli.games import game_of
from porto_cli.games.puerto_rico import players as levels
from porto_cli.games.puerto_rico.engine import QUARRY
from porto_cli.games.puerto_rico.engine.moves import PASS, Move, MoveGuest, TakeRole
from porto_cli.games.puerto_rico.engine.play import apply
from porto_cli.games.puerto_rico.engine.state import OVER, ROLE_PHASE, State
from porto_cli.games.puerto_rico.players import (
    FILE,
    OWN,
    PLAYERS,
    SHARED,
    chances,
    features,
    network_of,
)
from porto_cli.games.puerto_rico.players.priced import likely_move
from porto_cli.simulate import Frequency, Start, Tally, simulate
from tests.puerto_rico.playing import start
from tests.puerto_rico.tables import play, table
from tests.shares import for_each

NAMES = ("Inês", "Joana", "Afonso", "Rui", "Ana")


def shipped() -> dict:
    return json.loads(FILE.read_text("utf-8"))


def chosen(name: str, state: State) -> Move:
    """What a player does at a table."""
    game = game_of("puerto-rico")
    moves = game.legal_moves(state, state.seat)
    move: Move = PLAYERS[name](game.view(state, state.seat), moves, Random(1))
    return move


# --- the chance to win ------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_somebody_wins(seats: int) -> None:
    found = chances(table(players=seats))
    assert len(found) == seats
    assert sum(found) == pytest.approx(1)
    assert min(found) > 0.3 / seats


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_more_of_anything_good_is_a_better_chance(seats: int) -> None:
    before = chances(table(players=seats, round=8, supply=20))[0]
    for more in ({"vp": 12}, {"doubloons": 8}, {"full": "harbor"}, {"goods": "corn 5 coffee 2"}):
        assert chances(table(players=seats, a=more, round=8, supply=20))[0] > before, more


@pytest.mark.long_for("4", "5")
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_more_is_no_worse_chance_at_tables_of_a_game(seats: int) -> None:
    """A network that takes an early VP chip for a bad sign can win and still judge oddly."""
    rnd = Random(seats)
    state, chance = start(seats, "base", "printed", rnd)
    while state.phase != OVER:
        if state.phase == ROLE_PHASE:
            before = chances(state)
            for seat, name in product(range(seats), ("vp", "doubloons")):
                richer = state.copy()
                player = richer.players[seat]
                setattr(player, name, getattr(player, name) + 3)
                assert chances(richer)[seat] > before[seat] - 0.02, (name, seat, state.turn)
        state, _ = apply(state, likely_move(state, rnd, noise=0.5), chance)


def test_a_network_can_be_sent_to_another_process() -> None:
    state, sent = table(players=3), pickle.loads(pickle.dumps(network_of(3)))
    assert levels.outlook(state, sent) == levels.outlook(state)


def test_at_the_end_it_is_who_has_won() -> None:
    end = {"round": 14, "end_triggered": ("vp",), "phase": "over"}
    assert chances(table(players=3, b={"vp": 9}, **end)) == [0, 1, 0]
    assert chances(table(players=3, a={"vp": 9}, b={"vp": 9}, **end)) == [0.5, 0.5, 0]


def test_features_are_named() -> None:
    shared, rows = features(table(players=4, a={"full": "wharf fortress", "doubloons": 9}))
    assert len(shared) == len(SHARED)
    assert {len(row) for row in rows} == {len(OWN)}
    mine, others = (dict(zip(OWN, rows[seat], strict=True)) for seat in (0, 1))
    for name in ("has_wharf", "runs_wharf", "has_fortress"):
        assert (mine[name], others[name]) == (1, 0)
    assert (mine["doubloons"], mine["doubloons_above_8"]) == (9 / 5, 1 / 5)


# --- the file ---------------------------------------------------------------------------------


def test_the_program_says_how_it_learned() -> None:
    assert tuple(shipped()) == SEATS
    for players, entry in shipped().items():
        about = entry["recipe"][0]
        assert about["command"] == f"python -m bench.training puerto-rico --players {players}"
        assert about["seed"]
        assert about["plan"]["first"] > 0
    assert FILE.stat().st_size <= 300_000


@for_each(
    ("change", "named"),
    [
        (lambda all_: all_.update({"6": all_.pop("5")}), "'6'"),
        (lambda all_: all_["3"].pop("recipe"), "recipe"),
        (lambda all_: all_["3"].pop("doubt"), "doubt"),
        (lambda all_: all_["3"].update(doubt=[1]), "doubt"),
        (lambda all_: all_["3"].update(hidden=[]), "hidden"),
        (lambda all_: all_["3"]["out"].pop(), "out"),
        (lambda all_: all_["3"]["own"].pop("score"), "own"),
        (lambda all_: all_["3"]["own"]["score"].pop(), "own"),
        (lambda all_: all_["3"].update(shared=[]), "shared"),
        (lambda all_: all_["3"]["direct"].update(score=float("nan")), "direct"),
        (lambda all_: all_["3"]["prices"].pop("barrel"), "prices"),
        (lambda all_: all_["3"]["prices"].update(barrel="much"), "prices"),
        (lambda all_: all_["3"]["besides"].update(castle=1), "besides"),
        (lambda all_: all_["3"].update(besides=[]), "besides"),
        (lambda all_: all_.update({"3": 7}), "'3'"),
    ],
)
def test_a_file_of_another_form_is_refused(change, named: str) -> None:
    entries = shipped()
    change(entries)
    with pytest.raises(ValueError, match=named):
        read_networks(json.dumps(entries))


# --- looking ahead ----------------------------------------------------------------------------


def test_a_role_is_played_to_its_end() -> None:
    after = levels.played(table(players=3), TakeRole(0), network_of(3))
    assert (after.phase, after.roles_taken) == (ROLE_PHASE, 1)


def test_the_last_round_is_counted() -> None:
    """Once the end is sure there is nothing to estimate: the game is played to the end."""
    state = table(players=3, a={"vp": 30}, round=14, end_triggered=("vp",))
    network = network_of(3)
    assert levels.played(state, TakeRole(0), network).phase == OVER
    assert levels.chance_to_win(state, 0, network=network) == 1


def test_the_best_role_is_taken_and_prices_decide_within_roles() -> None:
    state = table(players=3, a={"goods": "corn 4"}, to_move=0, supply=30)
    network = network_of(3)
    after = {
        role: chances(levels.played(state, TakeRole(role), network))[0]
        for role in state.config.box.roles
    }
    taken = chosen("level-3", state)
    assert isinstance(taken, TakeRole)
    assert after[taken.role] == max(after.values())
    settling = play(state, "role settler").state
    assert chosen("level-3", settling) == chosen("priced", settling)


@pytest.mark.parametrize("level", ["level-3", "level-4"])
def test_nobody_puts_off_the_end_for_ever(level: str) -> None:
    """Long after games are over prices decide, which do not know who would lose by the end."""
    early, late = (
        table(players=3, a={"goods": "corn 4"}, to_move=0, supply=30, round=number)
        for number in (5, levels.LONGEST + 1)
    )
    assert chosen(level, early) != chosen("priced", early)
    assert chosen(level, late) == chosen("priced", late)


def test_who_plays_on_does_about_what_level_3_does(monkeypatch) -> None:
    """Everything is misjudged a little, so that not all games are the same; but only a little."""
    state = table(players=3, a={"goods": "corn 4"}, to_move=0, supply=30)
    likely = {levels.soon(state, 0, Random(seed)) for seed in range(20)}
    assert chosen("level-3", state) in likely
    assert len(likely) < 4
    monkeypatch.setattr(levels, "MISJUDGED", 0.0)
    assert levels.soon(state, 0, Random(1)) == chosen("level-3", state)


def test_the_table_after_a_role_counts_before_anybody_plays_on_and_prices_within_roles() -> None:
    state = table(players=3, to_move=0)
    game, network = game_of("puerto-rico"), network_of(3)
    view, moves = game.view(state, 0), game.legal_moves(state, 0)
    few, many = (
        levels.prior(view, moves, network=network, simulations=count) for count in (16, 64)
    )
    best = max(range(len(moves)), key=few.__getitem__)
    assert moves[best] == levels.value_player(view, moves, Random(1))
    chance = chances(levels.played(state, moves[best], network))[0]
    assert (few[best], many[best]) == (0.5 * chance, 0.25 * chance)
    settling = play(state, "role settler").state
    view, moves = game.view(settling, 0), game.legal_moves(settling, 0)
    assert len(set(levels.prior(view, moves, network=network, simulations=16))) > 1


def test_nobody_who_plays_on_refuses_a_tile() -> None:
    settling = play(table(players=3, to_move=0), "role settler").state
    game, network = game_of("puerto-rico"), network_of(3)
    view, moves = game.view(settling, 0), game.legal_moves(settling, 0)
    tried = levels.worth_a_try(view, moves, Random(1), prices=network.prices)
    assert PASS in moves
    assert set(tried) == set(moves) - {PASS}


def test_who_has_no_tile_to_take_may_pass_and_leave_a_guest_where_it_is() -> None:
    settling = play(table(players=3, to_move=0), "role settler").state
    prices = network_of(3).prices
    view = game_of("puerto-rico").view(settling, 0)
    tried = levels.worth_a_try(view, [PASS, MoveGuest(QUARRY)], Random(1), prices=prices)
    assert tried[0] == PASS


# --- how well they play -----------------------------------------------------------------------


def share(*names: str, deals: int, simulations: int = 0) -> Frequency:
    players = [PLAYERS[name] for name in names]
    if simulations:
        players[0] = partial(players[0], simulations=simulations)
    config = game_of("puerto-rico").new_config(NAMES[: len(names)])
    games = simulate(Start("puerto-rico", config), players, deals, seed="strength", rotate=True)
    return Tally(len(players), games).won(0)


@pytest.mark.long
@pytest.mark.parametrize("level", ["level-4", "level-5"])
def test_a_few_samples_are_enough_for_a_game_against_greed(level: str) -> None:
    assert share(level, "greedy", deals=1, simulations=1).share >= 0.5


@pytest.mark.long
def test_value_beats_prices() -> None:
    assert share("level-3", "level-2", "level-2", deals=12).share >= 0.5


@pytest.mark.slow
@pytest.mark.parametrize(
    ("names", "deals", "least"),
    [
        (["level-3", "level-2"], 60, 0.85),
        (["level-3", "level-2", "level-2"], 60, 0.75),
        (["level-3", *["level-2"] * 3], 40, 0.68),
        (["level-3", *["level-2"] * 4], 30, 0.55),
        (["level-4", "level-3", "level-3"], 20, 0.4),
    ],
)
def test_how_well_they_play(
    names: list[str], deals: int, least: float, pytestconfig: pytest.Config
) -> None:
    if pytestconfig.option.budget and "level-5" in names:
        pytest.skip("these games take minutes, and are for a run without a budget")
    won = share(*names, deals=deals)
    assert won.high >= least


SEATS_OF_PEOPLE = (0.21, 0.17, 0.31, 0.31)
"""What each seat won of the games of four of a tournament of people."""
MOST_ENDS_BY_VP, LEAST_BUILDERS = 0.6, 0.25
"""In how many games the VP may run out, and how many winners have built, at least."""


@pytest.mark.slow
@pytest.mark.parametrize(("level", "games"), [("level-3", 80), ("level-5", 12)])
def test_a_table_of_four_is_played_as_people_play_it(
    level: str, games: int, pytestconfig: pytest.Config
) -> None:
    """Games end in every way, and who builds wins as well as who ships, from every seat."""
    if pytestconfig.option.budget and level == "level-5":
        pytest.skip("these games take minutes, and are for a run without a budget")
    start = Start("puerto-rico", game_of("puerto-rico").new_config(NAMES[:4]))
    figures, won = Counter[tuple[str, str]](), Counter[int]()
    for result in simulate(start, [PLAYERS[level]] * 4, games, seed="own"):
        for seat in range(4):
            figures.update(result.played[seat].figures)
            won[seat] += result.won[seat]

    def off(share: float) -> float:
        """Return by how much a share may be off in so many games, with 95 %."""
        return 1.96 * sqrt(share * (1 - share) / games)

    ends = {name: number for (of, name), number in figures.items() if of == "ends"}
    assert ends["vp"] <= 0.6 * sum(ends.values())
    assert ends["vp"] / games <= MOST_ENDS_BY_VP + off(MOST_ENDS_BY_VP)
    assert figures["won-by", "shipping"] <= 0.75 * games
    assert figures["won-by", "building"] / games >= LEAST_BUILDERS - off(LEAST_BUILDERS)
    for seat, share in enumerate(SEATS_OF_PEOPLE):
        assert abs(won[seat] / games - share) <= 0.05 + off(share)
    assert level == "level-5" or min(won[seat] for seat in range(4)) >= 0.04 * games


@pytest.mark.long
def test_seeds_decide() -> None:
    state = table(players=3, a={"goods": "corn 4"}, to_move=0, supply=30)
    moves = game_of("puerto-rico").legal_moves(state, 0)
    view = game_of("puerto-rico").view(state, 0)
    for name in ("level-4", "level-5"):
        chosen = [PLAYERS[name](view, moves, Random(3)) for _ in range(2)]  # type: ignore[call-arg]
        assert chosen[0] == chosen[1]
        assert play(state, str(chosen[0])) is not None
