"""The engine against the referee: random games of every kind, compared move by move.

A failure names the kind of game and the seed, and lists what was played; `play_game(kind, seed)`
plays it again.
"""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from itertools import count, cycle, product
from time import monotonic

import pytest

from tests.puerto_rico import perft
from tests.puerto_rico.perft import (
    POSITIONS,
    Position,
    divide,
    engine_count,
    reach,
    referee_count,
)
from tests.puerto_rico.referee import (
    BUILDINGS,
    FORESTS,
    GOODS,
    LISTED,
    PRICE,
    PRODUCTION,
    ROLES,
    SHIPS,
    SUPPLY,
    TILES,
    VIOLET,
    VP,
    Referee,
    choices,
    number_of_choices,
    read_bundle,
    write_bundle,
)
from tests.puerto_rico.side_by_side import KINDS, Kind, SideBySide
from tests.shares import one_in

SECONDS = 60
"""How long the hunt takes, about."""
SEED = 1
"""Of the games in the ordinary run; with this one they have every building and every end."""
JUDGED = 4
"""Moves at each decision that both judge, legal or not."""

PLACES = [tile for tile in TILES if tile not in FORESTS] + list(BUILDINGS)


# --- Random play ----------------------------------------------------------------------------------


class Taste:
    """How a game is played: one passes often, another builds what is dear or trades a lot."""

    def __init__(self, rnd: random.Random) -> None:
        self.rnd = rnd
        self.passing = rnd.choice((0.02, 0.3, 1.0))
        self.guests = rnd.choice((0.1, 0.5, 2.0))
        self.dear = rnd.choice((0.0, 1.0, 2.0))
        self.roles = {role: rnd.choice((0.3, 1.0, 3.0)) for role in ROLES[5]}
        self.roles["prospector"] = self.roles["prospector-2"] = 0.2

    def weight(self, text: str) -> float:
        verb, *words = text.split()
        weight = 0.2 if "no-colonist" in words else 1.0
        if verb == "pass":
            return self.passing
        if verb == "guest":
            return self.guests
        if verb == "role":
            return weight * self.roles[words[0]]
        if verb == "build":
            return weight * BUILDINGS[words[0]][0] ** self.dear
        return weight

    def choice(self, referee: Referee) -> str:
        moves = referee.moves()
        if referee.bundles() > LISTED and (not moves or self.rnd.random() < 0.5):
            return random_bundle_move(referee, self.rnd)
        return self.rnd.choices(moves, [self.weight(text) for text in moves])[0]


def random_bundle_move(referee: Referee, rnd: random.Random) -> str:
    """A placement, or a load with the Small Wharf, where there are too many for a list."""
    if referee.phase == "captain":
        goods = spread(referee.player["goods"])
        some = rnd.sample(goods, rnd.randint(1, len(goods)))
        return f"load {write_bundle(Counter(some))} small-wharf"
    most = max(referee.sizes_of_placements())
    size = most if rnd.random() < 0.7 else rnd.choice(referee.sizes_of_placements())
    circles = spread(referee.circles(referee.player))
    rnd.shuffle(circles)
    if rnd.random() < 0.5:
        circles.sort(key=VIOLET.__contains__, reverse=True)
    return f"place {write_bundle(Counter(circles[:size]))}"


def spread(counts: dict[str, int]) -> list[str]:
    return [name for name, number in counts.items() for _ in range(number)]


def give_buildings(game: SideBySide, rnd: random.Random) -> None:
    for seat in range(game.referee.n):
        for building in rnd.sample([*game.referee.violet, *PRODUCTION], rnd.randint(1, 5)):
            if game.referee.copies[building]:
                game.give_building(seat, building)


def play_game(kind: Kind, seed: int, judged: int = JUDGED) -> SideBySide:
    rnd = random.Random(f"{kind} {seed}")
    judge = random.Random(f"{kind} {seed} judged")  # so that what is judged changes no game
    taste = Taste(rnd)
    doubloons = rnd.choice((0, 0, 20, 50))
    vp = rnd.choice((0, 0, VP[kind[0]] // kind[0] - 5))
    game = SideBySide(kind, str(seed), doubloons, vp)
    if kind[1] != "draft" and rnd.random() < 0.5:
        give_buildings(game, rnd)
    try:
        game.compare()
        while not game.over:
            game.compare_moves()
            for _ in range(judged):
                game.compare_judgement(any_move(game.referee, judge))
            game.play(taste.choice(game.referee))
            game.compare()
        game.compare_moves()
        game.compare_reckoning()
    except Exception as error:
        error.add_note(f"{kind}, seed {seed}, after: {' · '.join(game.played)}")
        raise
    return game


# --- Moves that are legal or not ------------------------------------------------------------------


def any_move(referee: Referee, rnd: random.Random) -> str:
    """A well-formed move, mostly of the phase: often nearly legal, seldom legal."""
    if rnd.random() < 0.08:
        return rnd.choice([find for find in ANY.values() if find != other_colonist])(referee, rnd)
    verbs = {
        "draft": ["choose"],
        "role": ["role", "role", "guest", "pass"],
        "settler": ["tile", "tile", "colonist", "guest", "pass"],
        "library": ["tile", "tile", "tile", "guest", "pass"],
        "mayor": ["place"],
        "builder": ["build", "build", "market", "market", "colonist", "guest"],
        "craftsman": ["pass", "guest", "barrels"],
        "privilege": ["barrels", "barrels", "tile", "guest", "pass"],
        "trader": ["sell", "sell", "guest"],
        "captain": ["load", "load", "wharf", "small-wharf", "guest", "pass"],
        "store": ["store", "store", "store", "guest", "pass"],
    }[referee.phase]
    return ANY[rnd.choice(verbs)](referee, rnd)


def maybe(text: str, rnd: random.Random, chance: float = 0.3) -> str:
    return f" {text}" if rnd.random() < chance else ""


def any_role(referee: Referee, rnd: random.Random) -> str:
    role = rnd.choice(ROLES[5])
    return f"role {role}" + (maybe("no-colonist", rnd) if role == "mayor" else "")


def any_tile(referee: Referee, rnd: random.Random) -> str:
    tile = rnd.choice([*GOODS, "quarry", "face-down"])
    return f"take {tile}{maybe('forest', rnd)}{maybe('no-colonist', rnd)}"


def any_barrels(referee: Referee, rnd: random.Random) -> str:
    numbers = sorted(rnd.choices(range(len(GOODS)), k=rnd.choice((1, 2))))
    return f"take {' '.join(GOODS[number] for number in numbers)}"


def any_building(referee: Referee, rnd: random.Random) -> str:
    """Mostly one that is there, or that is owned."""
    if rnd.random() < 0.2:
        return rnd.choice(list(BUILDINGS))
    return rnd.choice([b for b, left in referee.copies.items() if left] + referee.player["city"])


def any_build(referee: Referee, rnd: random.Random) -> str:
    return f"build {any_building(referee, rnd)}{maybe('no-colonist', rnd)}"


def any_payment(referee: Referee, rnd: random.Random) -> str:
    """Black Market."""
    owned = list(referee.player["colonists"]) or ["corn"]
    place = rnd.choice([*owned, rnd.choice([*PLACES, "san-juan"])])
    things = [rnd.choice(GOODS), "vp", f"colonist {place}"]
    kept = sorted(rnd.sample(range(3), rnd.randint(1, 3)))
    returned = " ".join(things[number] for number in kept)
    building = any_building(referee, rnd)
    return f"build {building} return {returned}{maybe('no-colonist', rnd)}"


def other_colonist(referee: Referee, rnd: random.Random) -> str:
    """A legal move, but with `no-colonist` where it has none, and without where it has."""
    moves = [text for text in referee.moves() if text.split()[0] in ("take", "build")]
    if not moves:
        return "pass"
    text = rnd.choice(moves)
    without = text.removesuffix(" no-colonist")
    return without if without != text else f"{text} no-colonist"


def any_placement(referee: Referee, rnd: random.Random) -> str:
    """About as many colonists as there are, about where there are circles."""
    circles = spread(referee.circles(referee.player))
    if rnd.random() < 0.3:
        circles += rnd.choices(PLACES, k=2)
    size = referee.colonists(referee.player) - rnd.choice((0, 0, 0, 1, 2, -1))
    chosen = rnd.sample(circles, max(0, min(size, len(circles))))
    return f"place {write_bundle(Counter(chosen))}"


def any_ship_load(referee: Referee, rnd: random.Random) -> str:
    return f"load {rnd.choice(GOODS)} {rnd.choice([*SHIPS[referee.n], 4, 9])}"


def any_small_wharf(referee: Referee, rnd: random.Random) -> str:
    return f"load {any_goods(referee, rnd)} small-wharf"


def any_goods(referee: Referee, rnd: random.Random) -> str:
    """Some barrels, seldom one more than there are."""
    goods = {good: rnd.randint(0, number) for good, number in referee.player["goods"].items()}
    if rnd.random() < 0.1:
        goods[rnd.choice(GOODS)] += 1
    return write_bundle(goods)


ANY = {
    "choose": lambda referee, rnd: f"choose {rnd.choice([*VIOLET, *VIOLET, *BUILDINGS])}",
    "role": any_role,
    "tile": any_tile,
    "barrels": any_barrels,
    "place": any_placement,
    "build": any_build,
    "market": any_payment,
    "colonist": other_colonist,
    "sell": lambda referee, rnd: f"sell {rnd.choice(GOODS)}{maybe('trading-post', rnd)}",
    "load": any_ship_load,
    "wharf": lambda referee, rnd: f"load {rnd.choice(GOODS)} wharf",
    "small-wharf": any_small_wharf,
    "store": lambda referee, rnd: f"store {any_goods(referee, rnd)}",
    "guest": lambda referee, rnd: f"guest {rnd.choice([*PLACES, *FORESTS])}",
    "pass": lambda referee, rnd: "pass",
}


# --- The games ------------------------------------------------------------------------------------

game_of = cache(play_game)
"""A game that several tests look at."""


@pytest.mark.long_for("2-base-printed", "4-draft-guide", "5-draft-printed")
@pytest.mark.parametrize("kind", one_in(5, KINDS), ids=lambda kind: "-".join(map(str, kind)))
def test_engine_and_referee_play_the_same_game(kind):
    assert game_of(kind, SEED).over


@pytest.mark.long
def test_these_games_have_nearly_everything():
    moves = [text.split() for kind in KINDS for text in game_of(kind, SEED).played]
    ends = set().union(*(game_of(kind, SEED).referee.ends for kind in KINDS))
    assert {words[1] for words in moves if words[0] == "build"} == set(BUILDINGS)
    assert {words[1] for words in moves if words[0] == "role"} == set(ROLES[5])
    assert {words[1] for words in moves if words[0] == "choose"} == set(VIOLET)
    assert {words[-1] for words in moves if words[0] == "load"} >= {"wharf", "small-wharf"}
    assert {words[0] for words in moves} >= {"take", "place", "sell", "store", "guest", "pass"}
    rare = {"face-down", "forest", "return", "vp", "trading-post", "no-colonist"}
    assert rare <= {word for words in moves for word in words}
    assert ends == {"colonists", "city", "vp"}


@pytest.mark.slow
def test_they_play_the_same_games_for_a_while():
    ends = monotonic() + SECONDS
    for kind, seed in zip(cycle(KINDS), count(1000)):
        play_game(kind, seed)
        if monotonic() > ends:
            break


# --- The referee and the comparison themselves ----------------------------------------------------


@pytest.mark.parametrize(
    ("table", "key", "value"),
    [(PRICE, "corn", 1), (SUPPLY, 3, 54), (SHIPS, 3, [4, 5, 7])],
)
def test_another_rule_is_found_and_the_game_is_named(monkeypatch, table, key, value):
    monkeypatch.setitem(table, key, value)
    with pytest.raises(AssertionError) as failure:
        play_game((3, "base", "printed"), 1)
    assert "(3, 'base', 'printed'), seed 1, after: " in failure.value.__notes__[0]


def test_the_chance_is_the_specified_one():
    """As the record's documentation has it, with the seed arecibo."""
    rows = {2: "sugar 3", 3: "corn sugar 3", 4: "corn 2 sugar 2 tobacco"}
    for players, row in {**rows, 5: "corn 2 indigo 2 sugar coffee"}.items():
        assert Referee(list("ABCDE")[:players], seed="arecibo").came_up == {"tiles": row}
    drawn = """
        aqueduct hacienda construction-hut storehouse hospice large-market church small-wharf
        factory specialty-factory library wharf guild-hall residence fortress customs-house cloister
    """
    violet = Referee(list("ABC"), "random", seed="arecibo").violet
    assert sorted(violet) == sorted(drawn.split())


def test_choices_are_counted_as_they_are_listed():
    for limits in ({}, {"corn": 1}, {"corn": 3, "indigo": 1, "quarry": 2, "hospice": 1}):
        rows = [
            dict(zip(limits, row, strict=True)) for row in product(*map(up_to, limits.values()))
        ]
        for size in range(9):
            expected = [row for row in rows if sum(row.values()) == size]
            assert sorted(map(str, choices(limits, size))) == sorted(map(str, expected))
            assert number_of_choices(limits, size) == len(expected)


def up_to(limit: int) -> range:
    return range(limit + 1)


def test_the_worked_example_of_the_captain():
    """PR-CAPTAIN-4: 9, 4, 1 and 1 VP; four tobacco stay on the 5."""
    game = Referee(list("ABCD"))
    game.cargo[6] = {"good": "corn", "barrels": 3}
    goods = ("corn 2 sugar 6", "sugar 2 tobacco 3", "tobacco coffee", "corn indigo")
    for player, bundle in zip(game.players, goods, strict=True):
        player["goods"].update(read_bundle(bundle.split()))
    game.play("role captain")
    assert set(game.moves()) == {"load corn 6", "load sugar 7"}
    game.play("load sugar 7")
    assert set(game.moves()) == {"load sugar 7", "load tobacco 5"}
    game.play("load sugar 7")
    assert set(game.moves()) == {"load tobacco 5", "load coffee 5"}
    game.play("load tobacco 5")
    assert [player["vp"] for player in game.players] == [9, 4, 1, 1]
    assert game.cargo[5] == {"good": "tobacco", "barrels": 4}
    assert game.cargo[6] == game.cargo[7] == {"good": None, "barrels": 0}


# --- perft ------------------------------------------------------------------------------------


DRAFT, OPENING = POSITIONS[:2]


@pytest.mark.long_for("the draft", "payments of a Black Market")
@pytest.mark.parametrize("position", POSITIONS, ids=lambda position: position.title)
def test_engine_and_referee_count_the_same_sequences(position: Position):
    game = reach(position)
    game.compare()
    depths = range(1, len(position.counts) + 1)
    engine = tuple(engine_count(game.state, game.chance, depth) for depth in depths)
    referee = tuple(referee_count(game.referee, depth) for depth in depths)
    assert (engine, referee) == (position.counts, position.counts)


@pytest.mark.long
def test_the_positions_are_of_many_kinds():
    phases = {reach(position).referee.phase for position in POSITIONS}
    assert phases == {"draft", "role", "mayor", "builder", "craftsman", "library", "captain"}
    players, buildings, rulebooks = map(set, zip(*(p.kind.split() for p in POSITIONS), strict=True))
    assert players == {"2", "3", "4", "5"}
    assert buildings == {"base", "draft", "random"}
    assert rulebooks == {"printed", "guide"}


def test_the_draft_counted_by_hand():
    """Each first choice takes itself away, and what has no place anymore (PR-DRAFT-2, -3)."""
    last_of_its_cost = 12  # two kinds each of 1, 3, 4, 6, 7, 9 for one place
    exclude_each_other = 2  # Hacienda, Forest House
    nothing_else = 31 - last_of_its_cost - exclude_each_other
    assert DRAFT.counts[1] == (last_of_its_cost + exclude_each_other) * 29 + nothing_else * 30


def test_the_opening_counted_by_hand():
    by_first = divide(reach(OPENING), 2)
    assert by_first == {first: (number, number) for first, number in BY_HAND.items()}
    assert OPENING.counts[:2] == (len(BY_HAND), sum(BY_HAND.values()))


BY_HAND = {
    "role settler": 1 + 3 + 1,  # pass, the three kinds of the row, a quarry
    "role mayor": 5,  # who has one tile has no choice; the next player has five cards
    "role mayor no-colonist": 5,
    "role builder": 1 + 7,  # pass, and what costs at most 2 doubloons and 1 less
    "role craftsman": 5 + 1,  # nothing to do; the mayor can be taken in two ways
    "role trader": 5 + 1,
    "role captain": 5 + 1,
}


def test_the_command_tells_a_number_that_is_not_as_written(monkeypatch, capsys):
    wrong = OPENING._replace(counts=(7, 42))
    monkeypatch.setattr(perft, "POSITIONS", (DRAFT, wrong))
    perft.main([])
    assert capsys.readouterr().out.splitlines() == [
        "1. the draft: 31 916 25692",
        "2. the opening: 7 41, should be 7 42",
    ]


def test_the_command_tells_below_which_move_the_counts_differ(monkeypatch, capsys):
    """Here the engine takes one tile more for legal than there is."""
    count = perft.count_moves
    monkeypatch.setattr(
        perft, "count_moves", lambda state: count(state) + (state.phase == "settler")
    )
    perft.main(["2"])
    lines = capsys.readouterr().out.splitlines()
    assert "role settler: 6, the referee counts 5" in lines
    assert "role trader: 6" in lines
    perft.main(["2", "role trader"])
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if "referee" in line] == [
        "role settler: 6, the referee counts 5"
    ]


def test_the_command_refuses_a_move_that_is_not_legal(capsys):
    with pytest.raises(SystemExit):
        perft.main(["2", "role settler", "take face-down"])
    assert "'take face-down' is not a legal move here." in capsys.readouterr().err
