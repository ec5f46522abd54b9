"""What the games of the box offer for orders: kinds of decisions, moves, and what is sensible."""

from __future__ import annotations

import random

import pytest

from porto_cli.core import InvalidMoveError
from porto_cli.games import BOX, Game, game_of
from porto_cli.games.puerto_rico.engine import PLACES
from porto_cli.games.puerto_rico.engine.moves import MoveGuest
from porto_cli.games.puerto_rico.engine.state import MAYOR_PHASE, State
from porto_cli.games.puerto_rico.notation import expand_move
from porto_cli.games.puerto_rico.orders import ORDERS as PUERTO_RICO
from porto_cli.match.match import new_game
from tests.conformance.games import every_kind, played
from tests.puerto_rico.tables import expansion, table
from tests.shares import for_each

PORTO = game_of("porto").orders
NEVER_ORDERED = ("keep", "timer")
"""Phases with a decision that cannot be ordered."""


# -- Any game


@every_kind
def test_every_decision_has_a_kind(kind, seed):
    """But for the secret ones, and builds of Porto's timer."""
    for ply in played(kind, seed).plies:
        found = ply.game.orders.kind(ply.state)
        assert bool(found) != (ply.state.phase in NEVER_ORDERED)
        assert found in ("", *ply.game.orders.kinds)
    over = played(kind, seed).end
    assert over.game.orders.kind(over.state) == "" or over.game.to_move(over.state)


@every_kind
def test_every_legal_move_can_be_ordered(kind, seed):
    """As it is listed, and without its verb if that is the first of its kind."""
    for ply, _ in played(kind, seed).looked_at():
        orders, config = ply.game.orders, ply.state.config
        decision = orders.kind(ply.state)
        for move in ply.game.legal_moves(ply.state, ply.seat, 50) if decision else ():
            text = ply.game.format_move(move, ply.state)
            if isinstance(move, MoveGuest) and decision != "guest":
                with pytest.raises(InvalidMoveError, match="'guest' is not a move of the decision"):
                    orders.move(config, decision, text)
                continue
            assert orders.move(config, decision, text) == text
            verb, _, words = text.partition(" ")
            assert verb in orders.kinds[decision].verbs
            if verb == orders.kinds[decision].verbs[0]:
                assert orders.move(config, decision, words) == text


@every_kind
def test_what_is_sensible_is_a_legal_move(kind, seed):
    for ply in played(kind, seed).plies:
        orders, game, state = ply.game.orders, ply.game, ply.state
        move = orders.sensible(state, ply.seat)
        if move is not None:
            assert orders.kinds[orders.kind(state)].sensible
            assert game.violations(state, move, ply.seat) == []
            assert orders.sensible(state, ply.seat + 1) is None


@every_kind
def test_an_occasion_has_one_kind_of_decision_or_one_turn(kind, seed):
    """Nobody decides at the same occasion of two kinds, but for a build and its contracts."""
    kinds: dict[object, set[str]] = {}
    for ply in played(kind, seed).plies:
        orders = ply.game.orders
        key = (orders.occasion(ply.state), ply.seat)
        kinds.setdefault(key, set()).add(orders.kind(ply.state))
    for found in kinds.values():
        assert len(found) == 1 or found <= {"", "act", "contract"}


@every_kind
def test_what_is_hidden_makes_no_difference(kind, seed):
    for ply, rnd in played(kind, seed).looked_at():
        orders, game = ply.game.orders, ply.game
        decision = orders.kind(ply.state)
        if not decision:
            continue
        for other in (
            ply.registered.otherwise(ply.state, ply.seat, rnd),
            game.resample(game.view(ply.state, ply.seat), rnd),
        ):
            assert orders.kind(other) == decision
            assert orders.occasion(other) == orders.occasion(ply.state)
            assert orders.sensible(other, ply.seat) == orders.sensible(ply.state, ply.seat)


@pytest.mark.parametrize("game", [game_of(name) for name in BOX], ids=list(BOX))
def test_names_are_one_word_in_small_letters(game: Game):
    for name, kind in game.orders.kinds.items():
        assert name == name.lower()
        assert len(name.split()) == 1
        assert set(kind.verbs) <= set(game.meta.verbs)
        assert str(kind.when).startswith("When you ")
        assert str(kind.when).endswith(":")
        assert str(kind.sensible or "None.").endswith(".")


# -- Moves


PORTO_2 = new_game(["Ana", "Bob"], seed="a").state.config
BASE = new_game(["Ana", "Bob", "Eva"], game="puerto-rico", seed="a").state.config
DRAFT = new_game(["Ana", "Bob"], game="puerto-rico", seed="a", buildings="draft").state.config


def move_of(kind: str, typed: str) -> str:
    """Return how a move is written in an order; no kind of decision is in both games."""
    if kind in PORTO.kinds:
        return PORTO.move(PORTO_2, kind, typed)
    return PUERTO_RICO.move(BASE, kind, typed)


@for_each(
    ("kind", "typed", "text"),
    [
        ("settler", "qua", "take quarry"),
        ("settler", "TAKE Corn", "take corn"),
        ("settler", "f-d", "take face-down"),
        ("settler", "pass", "pass"),
        ("role", "mayor no-col", "role mayor no-colonist"),
        ("builder", "s-i-p", "build small-indigo-plant"),
        ("craftsman", "coff", "take coffee"),
        ("captain", "corn 5", "load corn 5"),
        ("captain", "corn wharf", "load corn wharf"),
        ("captain", "load cor", "load corn"),
        ("store", "coff corn", "store coffee corn"),
        ("store", "corn 1 coff 2", "store corn 1 coffee 2"),
        ("mayor", "first qua corn 2 s-mar", "place first quarry corn 2 small-market"),
        ("mayor", "FIRST none", "place first none"),
        ("mayor", "leave qua", "place leave quarry"),
        ("mayor", "place add qua from corn 2", "place add quarry from corn 2"),
        ("mayor", "qua corn 2", "place corn 2 quarry"),
        ("act", "b1 red-2", "draw blue-1 red-2"),
        ("act", "draw r2@4 b1", "draw red-2@4 blue-1"),
        ("act", "build r3 b1 l4 TOKEN r2", "build red-3 blue-1 L4 token R2"),
        ("act", "pass", "pass"),
        ("contract", "NONE", "contract none"),
        ("contract", "r+blue 2-g", "contract blue+red 2-green-floors"),
    ],
)
def test_a_move_is_written_in_full(kind, typed, text):
    assert move_of(kind, typed) == text
    assert move_of(kind, text) == text


@for_each(
    ("kind", "typed", "why"),
    [
        ("settler", "build harbor", "begins with take or pass"),
        ("settler", "undo", "begins with take or pass"),
        ("settler", "corn coffee", "'take corn coffee' is never legal"),
        ("settler", "corn forest", "'take corn forest' is never legal"),
        ("craftsman", "quarry", "'take quarry' is never legal in this game"),
        ("library", "corn", "never legal"),
        ("guest", "corn", "never legal"),
        ("guest", "pass", "never legal"),
        ("draft", "harbor", "never legal"),
        ("role", "prospector", "'role prospector' is never legal"),
        ("builder", "library", "'build library' is never legal"),
        ("builder", "harbor return corn", "never legal"),
        ("captain", "corn small-wharf", "never legal"),
        ("trader", "corn trading-post", "never legal"),
        ("mayor", "first library", "never legal"),
        ("mayor", "first", "After 'first' a tile or a building is missing"),
        ("mayor", "", "After 'place' write where the colonists go"),
        # Shorthands that depend on the table stay what they are.
        ("captain", "co", "is too short"),
        ("mayor", "first qua corn 2 s-m", "is too short"),
        ("contract", "2", "is too short"),
        ("contract", "", "Name the public contracts"),
        ("act", "", "A draw names one to three cards"),
        ("act", "b1 b1 b1 b1", "never legal"),
        ("act", "b3 r1", "'draw blue-3 red-1' is never legal in this game"),
        ("act", "b1@6", "in spaces 1 to 5"),
        ("act", "build r3 b1 L1", "never legal"),
        ("act", "build r3 b1", "A build names"),
        ("act", "keep 1 2 3", "begins with draw, build or pass"),
        ("act", "pass now", "single word"),
    ],
)
def test_what_can_never_be_is_refused(kind, typed, why):
    with pytest.raises(InvalidMoveError, match=why):
        move_of(kind, typed)


def test_what_the_options_leave_open_can_be_ordered():
    """Which buildings are in the game is not known before the draft is over."""
    for kind, text in [
        ("draft", "choose library"),
        ("library", "take corn forest"),
        ("settler", "take quarry no-colonist"),
        ("builder", "build statue return vp"),
        ("guest", "guest quarry"),
        ("craftsman", "take corn coffee"),
    ]:
        assert PUERTO_RICO.move(DRAFT, kind, text) == text
    for kind, text in [("library", "take quarry"), ("library", "take face-down")]:
        with pytest.raises(InvalidMoveError, match="never legal"):
            PUERTO_RICO.move(DRAFT, kind, text)


# -- Puerto Rico: what is sensible


def chosen(state: State) -> str | None:
    move = PUERTO_RICO.sensible(state, state.seat)
    return None if move is None else str(move)


@pytest.mark.parametrize(
    ("goods", "full", "kept"),
    [
        ("corn 2 coffee", "", "coffee"),
        ("corn 2 indigo", "", "indigo"),
        # The number counts first, then the price.
        ("corn 5 indigo 2 coffee", "small-warehouse", "corn 5 coffee"),
        ("corn 3 coffee 3", "small-warehouse", "corn coffee 3"),
        # 0 + 3 is worth as much as 1 + 2: tobacco is kept.
        ("corn indigo sugar tobacco 4 coffee 4", "large-warehouse", "sugar tobacco 4 coffee 4"),
    ],
)
def test_it_stores_the_most_barrels_and_of_them_the_most_expensive(goods, full, kept):
    state = table(3, "store", a={"goods": goods, "full": full})
    assert chosen(state) == f"store {kept}"


def test_it_decides_between_equal_prices_by_the_most_expensive_good():
    state = expansion(3, "store", "storehouse", a={"goods": "corn 4 indigo 4", "full": ""})
    assert chosen(state) == "store indigo"
    # Two barrels and one: corn and tobacco are worth 3, as are indigo and sugar.
    has = {"goods": "sugar 2 indigo 2 coffee 2 corn 2", "full": "storehouse"}
    state = expansion(3, "store", "storehouse", a=has)
    assert chosen(state) == "store sugar 2 coffee 2"


@pytest.mark.parametrize(
    ("produced", "full", "taken"),
    [
        ("corn 2", "", "take corn"),
        ("corn indigo", "", None),
        ("corn indigo", "library", "take corn indigo"),
        ("corn", "library", "take corn"),
        ("corn indigo sugar", "library", None),
    ],
)
def test_sensible_takes_all_goods_by_privilege_or_asks(produced, full, taken):
    state = expansion(3, "privilege", "library", produced=produced, a={"full": full})
    assert chosen(state) == taken


@for_each(
    ("has", "placed"),
    [
        # Everything is filled.
        ({"island": "corn indigo", "city": "hacienda", "san_juan": 3}, "corn indigo hacienda"),
        # Nothing makes indigo here.
        ({"island": "corn indigo", "city": "hacienda", "san_juan": 2}, "corn hacienda"),
        ({"island": "corn quarry", "city": "hacienda", "san_juan": 2}, None),
        # Two plantations of indigo, and one circle to make it: the other plantation is idle.
        (
            {"island": "indigo 2 corn", "city": "small-indigo-plant", "san_juan": 3},
            "corn indigo small-indigo-plant",
        ),
        ({"island": "indigo 2", "city": "small-indigo-plant", "san_juan": 1}, None),
        # Idle plantations are alike: they are filled in the order of the rules.
        ({"island": "corn tobacco 2 coffee", "san_juan": 3}, "corn tobacco 2"),
        # An idle circle in the city is not like one on the island.
        ({"island": "indigo tobacco", "city": "indigo-plant", "san_juan": 3}, None),
        # Nor are idle plantations for whom a University may bring somebody to a building.
        ({"island": "corn tobacco coffee", "city": "university", "san_juan": 3}, None),
        (
            {"island": "corn tobacco", "city": "university", "san_juan": 3},
            "corn tobacco university",
        ),
    ],
)
def test_sensible_places_colonists_where_it_makes_no_difference(has, placed):
    """By the guide: with the printed rules those who can fill all circles are not asked."""
    state = table(3, "mayor", rulebook="guide", a=has)
    assert chosen(state) == (placed and f"place {placed}")


def test_sensible_leaves_all_else_to_the_player():
    for phase in ("role", "settler", "builder", "trader", "captain"):
        state = table(3, phase, a={"goods": "corn 2 coffee"})
        assert chosen(state) is None


@every_kind
def test_place_first_is_legal_for_every_list_of_places(kind, seed):
    rnd = random.Random(f"{kind}/{seed}")
    for ply in played(kind, seed).plies:
        if ply.state.phase != MAYOR_PHASE:
            continue
        for _ in range(5):
            places = rnd.sample(PLACES, rnd.randrange(1, 6))
            numbers = (rnd.choice(("", " 1", " 2", " 9")) for _ in places)
            words = " ".join(map(str.__add__, places, numbers))
            move = expand_move(f"place first {words}", ply.state)
            assert ply.game.violations(ply.state, move, ply.seat) == [], words


# -- Porto


def test_sensible_fulfills_all_contracts_that_are_met():
    found = False
    for seed in range(6):
        match = new_game(["Ana", "Bob"], seed=f"contracts-{seed}", private_contracts=False)
        rnd = random.Random(seed)
        while not match.over:
            state = match.state
            moves = match.game.legal_moves(state, state.seat)
            if PORTO.kind(state) == "contract":
                move = PORTO.sensible(state, state.seat)
                assert move == max(moves, key=lambda claim: len(claim.spaces))
                found = True
            else:
                assert PORTO.sensible(state, state.seat) is None
            match.play(rnd.choice(moves), player=state.seat)
    assert found
