"""The players: what a person would do they do, in every kind of game, and they know no secrets."""

from __future__ import annotations

from random import Random

import pytest

from porto_cli.games import game_of
from porto_cli.games.puerto_rico.engine import COST
from porto_cli.games.puerto_rico.engine.moves import Place
from porto_cli.games.puerto_rico.engine.play import legal_moves
from porto_cli.games.puerto_rico.engine.state import OVER, ROLE_PHASE, State
from porto_cli.games.puerto_rico.game import PUERTO_RICO
from porto_cli.games.puerto_rico.notation import format_move
from porto_cli.games.puerto_rico.players import PLAYERS, priced
from porto_cli.games.puerto_rico.players.appraisal import PRICES, Appraisal, rounds_left
from porto_cli.games.puerto_rico.players.priced import likely_move, scorer
from porto_cli.games.puerto_rico.simulation import SIMULATION
from porto_cli.simulate import Frequency, Start, Tally, simulate
from tests.puerto_rico.playing import KINDS, plies, start
from tests.puerto_rico.tables import expansion, play, table
from tests.shares import one_in

NAMES = ("Inês", "Joana", "Afonso", "Rui", "Ana")


@pytest.fixture(params=["priced", "level-3"])
def player(request):
    return PLAYERS[request.param]


def chosen(player, state: State) -> str:
    """What a player does whose turn it is."""
    moves = SIMULATION.choices(state, Random(1))
    move = player(PUERTO_RICO.view(state, state.seat), moves, Random(1))
    assert not PUERTO_RICO.violations(state, move, state.seat)
    return format_move(move)


# --- rules of thumb ---------------------------------------------------------------------------


def test_ships_before_the_pool_is_empty(player) -> None:
    """The player with most barrels takes the captain, and the VP, before another player does."""
    state = table(
        players=3,
        a={"goods": "corn 5 sugar 4", "vp": 22, "doubloons": 1},
        b={"goods": "corn 1", "vp": 22},
        c={"vp": 22},
        round=13,
        to_move=0,
    )
    assert chosen(player, state) == "role captain"


def test_does_not_produce_for_the_next_captain(player) -> None:
    """The others would fill the ships before its turn comes again."""
    farms = {
        "island": "corn 4 indigo 2",
        "city": "indigo-plant",
        "colonists": "corn 4 indigo 2 indigo-plant 2",
    }
    state = table(players=3, a={"island": "indigo 1", "doubloons": 3}, b=farms, c=farms, supply=30)
    assert chosen(player, state) != "role craftsman"


RULES_OF_THUMB = pytest.mark.parametrize("player", ["priced"], indirect=True)
"""Not level 3: it has never seen tables at which the others have nothing at all."""


@RULES_OF_THUMB
def test_produces_for_itself(player) -> None:
    state = table(
        players=3,
        a={
            "island": "corn 4 indigo 3",
            "city": "indigo-plant",
            "colonists": "corn 4 indigo 3 indigo-plant 3",
        },
        supply=30,
        round=7,
        to_move=0,
    )
    assert chosen(player, state) == "role craftsman"


@RULES_OF_THUMB
def test_sells_coffee_where_there_is_a_market(player) -> None:
    state = table(
        players=3,
        phase="trader",
        a={"goods": "corn 2 coffee 1", "full": "large-market", "doubloons": 4},
        supply=30,
    )
    assert chosen(player, state) == "sell coffee"


def test_takes_a_quarry_at_the_beginning(player) -> None:
    state = table(players=3, phase="settler", row="indigo 2 tobacco 2", round=1)
    assert chosen(player, state) == "take quarry"


def test_settles_for_the_residence_until_the_end(player) -> None:
    state = table(
        players=3,
        phase="settler",
        a={"island": "corn 5 indigo 4", "full": "residence", "colonists": "corn 5 residence 1"},
        row="corn 2 tobacco 2",
        end_triggered=("vp",),
        round=15,
    )
    assert chosen(player, state).startswith("take")


def test_occupies_a_plantation_together_with_its_plant(player) -> None:
    state = table(
        players=3,
        phase="mayor",
        a={"island": "sugar 1 coffee 1", "city": "small-sugar-mill", "san_juan": 2},
        supply=40,
    )
    assert chosen(player, state) == "place sugar small-sugar-mill"


def test_occupies_the_large_building_before_the_game_ends(player) -> None:
    state = table(
        players=3,
        phase="mayor",
        a={
            "island": "corn 2 indigo 4 quarry 3",
            "city": "fortress small-market hospice",
            "san_juan": 6,
        },
        supply=0,
        end_triggered=("vp",),
        round=14,
    )
    assert "fortress" in chosen(player, state)


def test_builds_a_large_building_with_much_money_at_the_end(player) -> None:
    state = table(
        players=3,
        phase="builder",
        a={
            "doubloons": 10,
            "city": "small-indigo-plant indigo-plant small-sugar-mill sugar-mill coffee-roaster",
            "island": "corn 2",
            "colonists": "corn 2",
            "san_juan": 2,
        },
        supply=4,
        round=14,
    )
    assert chosen(player, state) == "build guild-hall"


def test_stores_the_dearest_barrel(player) -> None:
    state = table(players=3, phase="store", a={"goods": "corn 3 coffee 1"}, supply=30)
    assert chosen(player, state) == "store coffee"


def test_loads_as_much_as_it_can(player) -> None:
    state = table(
        players=3,
        phase="captain",
        a={"goods": "corn 1 indigo 5"},
        cargo={4: "coffee 1", 5: "tobacco 1"},
        supply=30,
    )
    assert chosen(player, state) == "load indigo 6"


def test_moves_a_guest_to_where_one_more_barrel_is_made() -> None:
    state = expansion(
        3,
        "craftsman",
        "guest-house",
        a={"island": "corn 2", "full": "guest-house", "city": "guest-house"},
        b={"island": "corn 1", "colonists": "corn 1"},
    )
    assert chosen(PLAYERS["priced"], state) == "guest corn"


def test_roles_that_are_not_looked_into_would_not_have_been_taken() -> None:
    """The quick choice of a role is that of the worths of all of them."""
    rnd = Random(5)
    states = [ply.before for ply in plies((4, "base", "printed"), rnd)]
    for state in (state for state in states if state.phase == ROLE_PHASE):
        moves, rng = legal_moves(state, limit=200), Random(state.turn)
        worth = scorer(Appraisal(state, PRICES))
        worths = [worth(move) + 0.3 * rng.random() for move in moves]
        assert likely_move(state, Random(state.turn), 0.3) == moves[worths.index(max(worths))]


# --- whole games ------------------------------------------------------------------------------


def played(kind, choose_by, seed: int, moves: int = 9999) -> State:
    rnd, rng = Random(seed), Random(seed)
    state, chance = start(*kind, rnd)
    turn = 0
    while state.phase != OVER and turn < moves:
        move = choose_by[turn % len(choose_by)](
            PUERTO_RICO.view(state, state.seat), SIMULATION.choices(state, rnd), rng
        )
        assert not PUERTO_RICO.violations(state, move, state.seat)
        state, _ = PUERTO_RICO.apply(state, move, chance, state.seat)
        turn += 1
    return state


@pytest.mark.parametrize("kind", one_in(2, KINDS), ids=str)
def test_every_kind_of_game_is_played_to_its_end(kind) -> None:
    """Together with somebody who plays at random, so that all that can happen does."""
    players = [PLAYERS["priced"], PLAYERS["priced"], PLAYERS["random"]]
    state = played(kind, players, 1)
    assert 5 <= state.round <= 25


# --- how it looks ahead -----------------------------------------------------------------------


def test_short_names() -> None:
    assert list(PLAYERS) == [
        *("random", "greedy", "priced"),
        *("level-1", "level-2", "level-3", "level-4", "level-5"),
    ]
    assert PLAYERS["level-2"] is PLAYERS["priced"]


def test_placements_differ_and_are_legal() -> None:
    state = table(
        players=3,
        phase="mayor",
        a={
            "island": "corn 2 indigo 2 quarry 2",
            "full": "harbor",
            "city": "indigo-plant small-market hospice",
            "san_juan": 4,
        },
        supply=30,
    )
    view = PUERTO_RICO.view(state, 0)
    moves = priced.promising(view, [], Random(2), 6, PRICES)
    assert 1 < len(set(moves)) == len(moves) <= priced.PLACEMENTS
    credit = priced.credit(view, moves, PRICES)
    assert credit == sorted(credit, reverse=True)
    for move in moves:
        assert isinstance(move, Place)
        assert not PUERTO_RICO.violations(state, move, 0)


def test_tables_are_compared_when_as_many_roles_have_been_played() -> None:
    state = table()
    assert priced.roles_played(state) == 0
    state = play(state, "role settler").state
    assert priced.roles_played(state) == 0
    while state.phase != ROLE_PHASE:
        state = play(state, format_move(legal_moves(state)[0])).state
    assert priced.roles_played(state) == 1


# --- what tables are worth --------------------------------------------------------------------


def test_the_rounds_left_shrink_until_the_last_one() -> None:
    """Estimated from all that can end the game."""
    rounds = [rounds_left(table(supply=supply)) for supply in (55, 30, 10, 0)]
    assert rounds == sorted(rounds, reverse=True)
    assert rounds_left(table(supply=30, end_triggered=("vp",))) == 1
    assert rounds_left(table(supply=55, a={"vp": 74})) < 2


def test_a_doubloon_is_worth_nothing_when_nobody_builds_any_more() -> None:
    last = table(end_triggered=("vp",), taken=(-1, -1, 0, 1, 2, -1, -1, -1))
    assert Appraisal(last, PRICES).doubloon < 0.1 < Appraisal(table(), PRICES).doubloon


# --- how well they play -----------------------------------------------------------------------


def share(*names: str, deals: int) -> Frequency:
    players = [PLAYERS[name] for name in names]
    config = game_of("puerto-rico").new_config(NAMES[: len(names)])
    games = simulate(Start("puerto-rico", config), players, deals, seed="strength", rotate=True)
    return Tally(len(players), games).won(0)


@pytest.mark.parametrize("others", one_in(3, [1, 2, 3, 4]))
def test_prices_beat_greed(others: int) -> None:
    assert share("priced", *["greedy"] * others, deals=2).share >= 0.8


@pytest.mark.slow
@pytest.mark.parametrize(
    ("names", "deals", "least"),
    [
        (["priced", "greedy", "greedy"], 200, 0.97),
    ],
)
def test_how_well_they_play(names: list[str], deals: int, least: float) -> None:
    won = share(*names, deals=deals)
    assert won.high >= least


@RULES_OF_THUMB
def test_takes_the_colonist_that_comes_with_a_building(player) -> None:
    """PR-B-UNIVERSITY: a building without one is as good as no building until the next mayor."""
    state = table(
        phase="builder",
        a={"doubloons": 5, "full": "university", "island": "indigo 2", "colonists": "indigo 2"},
    )
    for seed in range(20):
        moves = SIMULATION.choices(state, Random(seed))
        move = player(PUERTO_RICO.view(state, state.seat), moves, Random(seed))
        assert "no-colonist" not in format_move(move)
        assert format_move(move).startswith("build ")


@RULES_OF_THUMB
@pytest.mark.parametrize("spaces", [0, 1])
def test_wants_no_builder_without_space_for_what_it_can_pay(player, spaces: int) -> None:
    """PR-BUILDER-5: a large building takes two spaces, and a full city none at all."""
    small = (
        "small-indigo-plant small-sugar-mill small-market hospice construction-hut office "
        "large-market large-warehouse small-warehouse hacienda university factory"
    )
    rich = {"doubloons": 14, "full": " ".join(small.split()[spaces:])}
    large = bytes(n if COST[place] == 10 else 0 for place, n in enumerate(table().copies))
    state = table(a=rich, **({"copies": large} if spaces else {}))
    assert state.players[0].city_spaces == spaces
    assert chosen(player, state) != "role builder"
    space = table(a={**rich, "full": " ".join(small.split()[4:])}, copies=large)
    assert chosen(player, space) == "role builder"
