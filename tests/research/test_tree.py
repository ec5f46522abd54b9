"""Decisions as numbers, a game as a tree, and what a seat may know as numbers."""

from __future__ import annotations

import copy
import doctest
from collections import Counter
from collections.abc import Callable
from itertools import islice
from random import Random
from typing import Any

import pytest

import porto_cli
from porto_cli.core.chance import seeded_chance
from porto_cli.game import OVER, Move, Outcome, State
from porto_cli.games.porto.engine.claim import Claim
from porto_cli.games.porto.engine.components import CARDS, EMPTY, HOUSES
from porto_cli.games.porto.engine.draw import Draw
from porto_cli.games.porto.engine.keep import Keep
from porto_cli.games.porto.engine.state import ACT, CONTRACTS
from porto_cli.games.porto.game import Porto
from porto_cli.games.puerto_rico.engine.components import GOODS, PLACES
from porto_cli.games.puerto_rico.engine.effects import final_scores
from porto_cli.games.puerto_rico.engine.moves import Build, LoadSmallWharf, Store, TakeRole
from porto_cli.games.puerto_rico.notation import format_move
from porto_cli.research import ListedMoves, Tree, TreeNode
from tests.conftest import ROOT
from tests.puerto_rico import tables
from tests.research import end_of, nodes
from tests.research.games import GAMES, NUMBERS, PORTO, PUERTO_RICO, TABLES, Researched, Table
from tests.shares import one_in

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=str)
every_number = pytest.mark.parametrize("table", NUMBERS, ids=str)
LISTED = 200


def record(name: str) -> porto_cli.Match:
    return porto_cli.load(ROOT / "records" / f"{name}.yaml")


# -- Actions


def look_at_moves(tree: Tree, state: State) -> None:
    """All legal moves, and nothing else, can be made action by action."""
    if tree.game.count_moves(state, state.seat) > LISTED:
        return
    whole, reached = tree.at(state), set()
    small_wharf = tree.numbers.get("load small-wharf")

    def look(node: TreeNode, begun: tuple[int, ...]) -> None:
        for action in tree.legal(node):
            after = tree.play(node, action)
            if after.table is state and not after.move:
                look(after, after.begun)
            else:
                row, choices = (*begun, action), node.choices
                if row == (small_wharf,):
                    continue
                while following := choices.following(row):
                    row = (*row, *following)
                reached.add(choices.made(row))

    look(whole, whole.begun)
    listed = tree.game.legal_moves(state, state.seat, LISTED)
    legal = {move for move in listed if not isinstance(move, LoadSmallWharf)}
    made = {move for move in reached if not isinstance(move, LoadSmallWharf)}
    assert made == legal or len(legal) == 1
    for move in legal:
        assert whole.choices.made(tree.encode(move)) == move


def look_at_a_game(table: Table, seed: str) -> None:
    game = table.game.plies(table.players, seed, **table.options)
    for state, _ in islice(game, 0, None, 3):
        look_at_moves(table.game.tree, state)


@pytest.mark.parametrize("table", one_in(17, TABLES), ids=str)
def test_every_move_is_a_row_of_actions_and_back(table: Table) -> None:
    look_at_a_game(table, "tram")


@pytest.mark.slow
@every_number
def test_every_move_of_many_games_is_a_row_of_actions_and_back(table: Table) -> None:
    for nth in range(40):
        look_at_a_game(table, f"hunt-{nth}")


def test_the_test_of_actions_notices_a_build_that_is_missing(monkeypatch) -> None:
    following = ListedMoves.following

    def fewer(listed: Any, begun: tuple[int, ...]) -> list[int]:
        found = list(following(listed, begun))
        builds = [action for action in found if action in PORTO.tree.kinds[-1].actions]
        return found[:-1] if len(builds) > 1 else found

    monkeypatch.setattr(ListedMoves, "following", fewer)
    with pytest.raises(AssertionError):
        look_at_a_game(NUMBERS[0], "tram")


def test_what_a_black_market_takes_is_decided_thing_by_thing() -> None:
    """PR-B-BLACK-MARKET: 4 doubloons for a hospice, less 1 for the builder; 1 is there."""
    tree = PUERTO_RICO.tree
    state = tables.table(
        phase="builder",
        violet="black-market",
        a={"doubloons": 1, "vp": 2, "goods": "corn indigo", "full": "black-market"},
    )
    look_at_moves(tree, state)
    build = Build(PLACES.index("hospice"), good=GOODS.index("corn"), vp=True)
    row = tree.encode(build)
    assert list(map(tree.name, row)) == ["build hospice", "return corn", "return vp"]
    following = tree.legal(tree.play(tree.at(state), row[0]))
    assert list(map(tree.name, following))[:3] == ["return corn", "return indigo", "return vp"]


def test_the_barrels_of_a_small_wharf_are_decided_good_by_good() -> None:
    """PR-B-SMALL-WHARF: any barrels, but at least one."""
    tree = PUERTO_RICO.tree
    state = tables.table(
        phase="captain",
        violet="small-wharf",
        a={"goods": "corn 2 sugar", "full": "small-wharf"},
    )
    look_at_moves(tree, state)
    node = tree.at(state)
    for name in ("load small-wharf", "barrels corn 0"):
        node = tree.play(node, tree.numbers[name])
    # The sugar has to be loaded then: no decision is left.
    assert node.table.players[0].goods == tables.goods("corn 2")


FIRSTS = {
    "porto": (0, 10, 35, 51, 52, 66),
    "puerto-rico": (0, 31, 40, 68, 142, 152, 182, 223, 224, 273, 274, 334),
}
"""The first number of each kind of actions: agents that were trained depend on them."""


@every_game
def test_every_action_has_a_name_and_a_number_of_its_own(game: Researched) -> None:
    tree = game.tree
    assert tree.count == {"porto": 3216, "puerto-rico": 492}[game.id]
    assert tuple(kind.first for kind in tree.kinds) == FIRSTS[game.id]
    names = [tree.name(action) for action in range(tree.count)]
    assert len(set(names)) == tree.count
    for action in (-1, tree.count):
        with pytest.raises(ValueError, match="There is no action"):
            tree.name(action)


def test_the_names_of_its_actions_are_the_text_of_a_move() -> None:
    for state, move in PORTO.plies(3, "names"):
        words = " ".join(map(PORTO.tree.name, PORTO.tree.encode(move)))
        if isinstance(move, Draw):
            assert words == " ".join(["draw", *(f"@{space + 1}" for space in move.spaces)])
        else:
            assert PORTO.tree.game.parse_move(words, state, state.seat) == move
    tree = PUERTO_RICO.tree
    state = next(PUERTO_RICO.plies(3, "names"))[0]
    for name in tree.names[:224]:
        move = tree.game.parse_move(name, state, 0)
        assert tree.encode(move) == (tree.numbers[name],)
        assert format_move(move) == name
    store = tree.encode(Store(bytes([1, 0, 2, 0, 0])))
    assert list(map(tree.name, store))[:3] == [
        "barrels corn 1",
        "barrels indigo 0",
        "barrels sugar 2",
    ]


@pytest.mark.parametrize(
    ("game", "move"),
    [
        (PORTO, Draw((), (3,))),
        (PORTO, Keep((), (1, 2, 3))),
        (PORTO, Claim((0,), (4,))),
        (PORTO, Draw((4, 0))),
        (PUERTO_RICO, TakeRole(0, no_colonist=True)),
    ],
    ids=repr,
)
def test_what_no_action_stands_for_is_refused(game: Researched, move: Move) -> None:
    with pytest.raises(ValueError, match="No action represents"):
        game.tree.encode(move)


@every_game
def test_the_doctests_run(game: Researched) -> None:
    result = doctest.testmod(game.module)
    assert result.attempted
    assert not result.failed


def test_what_cannot_be_is_refused() -> None:
    tree = PORTO.tree
    node = tree.root(tree.config_of(2))
    with pytest.raises(ValueError, match="99 cannot come up now"):
        tree.come_up(node, 99)
    with pytest.raises(ValueError, match="not yet set up"):
        _ = node.table
    node = tree.play_on(node, seeded_chance("tram"))
    with pytest.raises(ValueError, match="Nothing comes up now"):
        tree.chosen(node, seeded_chance("tram"))
    for action in (-1, 3216, 52, 66):  # The first decision is which contracts to keep.
        with pytest.raises(ValueError, match=f"The action {action} is not legal now"):
            tree.play(node, action)
    for other, said in ((tree, "2 to 4 players"), (PUERTO_RICO.tree, "2 to 5 players")):
        for players in (1, 6):
            with pytest.raises(ValueError, match=said):
                other.config_of(players)
    with pytest.raises(ValueError, match="'all' is not one of"):
        PUERTO_RICO.tree.config_of(3, buildings="all")


# -- The tree


@pytest.mark.parametrize("table", one_in(5, TABLES), ids=str)
def test_one_thing_at_a_time_leads_where_the_engine_goes(table: Table) -> None:
    game, players, options = table
    tree, chance = game.tree, seeded_chance("foz")
    quick = slow = tree.play_on(tree.root(tree.config_of(players, **options)), chance)
    for state, move in game.plies(players, "foz", **options):
        assert slow == quick
        assert slow.table == state
        before = slow.table
        for action in tree.encode(move)[len(slow.begun) :]:
            if slow.pile or slow.table is not before:
                break  # What was left was no choice.
            if action in tree.legal(slow):
                quick = tree.play(quick, action, chance)
                slow = tree.play(slow, action)
                assert not (slow.pile and slow.begun)
        slow = tree.play_on(slow, chance)
    assert slow.over
    assert not tree.legal(slow)


@pytest.mark.parametrize("players", PORTO.tree.players)
def test_what_comes_up_is_as_likely_as_there_are_cards_of_it(players: int) -> None:
    """Reckoned from the box: what is neither on the table nor in a hand is in the pile."""
    tree = PORTO.tree
    config = tree.config_of(players)
    box = {
        "tokens": Counter({1: 5, 2: 4, 3: 3, 4: 2}),
        "contracts": Counter(range(35)),
        "cards": Counter({card: (4, 4, 2)[card % 3] for card in range(15)}),
        "private": Counter(config.private_deck()),
    }
    assert sum(box["private"].values()) == 39
    seen: Counter[str] = Counter()
    for node, _ in nodes(tree, players, "likely"):
        if node.pile is None:
            continue
        stream = node.pile.stream
        seen[stream] += 1
        left = box[stream] - gone(node, stream)
        if stream == "cards" and node.state and sum(left.values()) > len(node.pile.things):
            # Unless they are the deck now (P-DRAW-3), the discards are in no pile.
            left -= Counter(node.state.discards)
        total = sum(left.values())
        assert tree.outcomes(node) == [(thing, left[thing] / total) for thing in sorted(left)]
        for outcome, _ in tree.outcomes(node):
            assert 0 <= outcome < max(map(len, tree.things.values()))
    assert set(seen) == set(box)


def gone(node: TreeNode, stream: str) -> Counter[int]:
    """Count what has come up from a pile of the box, as far as it is still out."""
    houses = len(node.config.houses)
    if node.state is None:
        parts = {"tokens": (0, houses), "cards": (houses, houses + 5)}
        parts["contracts"] = (houses + 5, houses + 9)
        parts["private"] = (houses + 9, None)
        return Counter(node.came_up[slice(*parts[stream])])
    state = node.state
    if stream == "contracts":
        # Cards come up first; what was fulfilled before is known from what is face down.
        cards = state.cards.count(EMPTY)
        there = Counter(state.contract_deck) - Counter(node.came_up[cards:])
        return Counter(range(35)) - there
    on_table = Counter(card for card in state.cards if card != EMPTY)
    return on_table + Counter(b"".join(state.hands)) + Counter(node.came_up)


@pytest.mark.parametrize("players", PUERTO_RICO.tree.players)
def test_what_comes_up_is_as_likely_as_there_are_tiles_of_it(players: int) -> None:
    """Reckoned from the box: all plantations but those on islands, in the row and discarded."""
    tree = PUERTO_RICO.tree
    config = tree.config_of(players)
    for node, _ in nodes(tree, players, "likely"):
        if node.pile is None:
            continue
        assert node.pile.stream == "tiles"
        likely = dict(tree.outcomes(node))
        assert sum(likely.values()) == pytest.approx(1)
        left = bytearray(config.plantations)
        if node.state is None:
            for tile in (*config.box.starting_tiles, *node.came_up):
                left[tile] -= 1
            assert {tile: n / sum(left) for tile, n in enumerate(left) if n} == likely


def test_random_buildings_come_up_first() -> None:
    tree = PUERTO_RICO.tree
    node = tree.root(tree.config_of(3, buildings="random"))
    piles = []
    while node.pile is not None:
        piles.append(node.pile.stream)
        thing = tree.outcomes(node)[0][0]
        assert thing < max(map(len, tree.things.values()))
        assert tree.things[node.pile.stream][thing] in PLACES
        node = tree.come_up(node, thing)
    assert piles == ["buildings"] * 17 + ["tiles"] * 4


@every_number
def test_no_game_is_longer_than_is_said(table: Table) -> None:
    game, players, _ = table
    decisions, things = game.tree.longest
    asked = [node.pile is None for node, _ in nodes(game.tree, players, "long")]
    assert asked.count(True) <= decisions
    assert asked.count(False) <= things


def test_a_game_in_which_everybody_has_to_pass_forever_is_over() -> None:
    """All cards in hands that cannot build: there are no tiles left."""
    tree = PORTO.tree
    state = next(state for state, _ in PORTO.plies(2, "tram") if state.phase == ACT).copy()
    state.cards = bytes([EMPTY] * 5)
    state.deck = state.discards = b""
    state.kept = tuple(bytes(sorted(dealt[:3])) for dealt in state.dealt)
    state.hands = (bytes([2, 2, 5]), bytes([2]))
    state.ground_left = state.upper_left = bytes(5)
    node = tree.at(state)
    while not node.over:
        (passing,) = tree.legal(node)
        assert tree.name(passing) == "pass"
        node = tree.play(node, passing)
    assert node.table.turn == tree.most_turns
    assert node.table.scores == state.scores
    assert sum(tree.returns(node)) == 0


def test_a_game_that_nobody_ends_is_over_as_it_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of who takes settler, craftsman and trader for ever: the rules know no end of that."""
    tree = PUERTO_RICO.tree
    monkeypatch.setattr(tree, "most_turns", 40)
    *_, (node, action) = nodes(tree, 3, "short")
    end = tree.play(node, action)
    assert end.over
    assert end.table.turn == 40
    places = [one.place for one in final_scores(end.table)]
    assert [won > 0 for won in tree.returns(end)] == [place == 1 for place in places]


def winner_wins(players: int, *, seat_first: bool) -> None:
    """Who wins is who has most VP; a tie is broken, so that somebody always does (P-RANK-1)."""
    tree, rng = PORTO.tree, Random(players)
    node = tree.at(PORTO.begun(players, "foz", seat_first=seat_first).state)
    while not node.over:
        assert tree.returns(node) == (0,) * players
        node = tree.play(node, rng.choice(tree.legal(node)), seeded_chance("foz"))
    table = node.table

    def strength(seat: int) -> tuple[int, int, int]:
        ties = (seat, table.fulfilled[seat]) if seat_first else (table.fulfilled[seat], seat)
        return (table.scores[seat], *ties)

    winner = max(range(players), key=strength)
    losers = pytest.approx(-1 / (players - 1))
    assert tree.returns(node) == tuple(1 if s == winner else losers for s in range(players))


@pytest.mark.parametrize("seat_first", [False, True])
def test_who_wins_is_first(seat_first: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    for players in PORTO.tree.players:
        winner_wins(players, seat_first=seat_first)
    outcome = Porto.outcome

    def upside_down(self: Porto, state: State) -> Outcome | None:
        found = outcome(self, state)
        return found and found._replace(places=tuple(5 - place for place in found.places))

    monkeypatch.setattr(Porto, "outcome", upside_down)
    with pytest.raises(AssertionError):
        winner_wins(4, seat_first=seat_first)


def test_who_shares_the_first_place_shares_what_is_won() -> None:
    """PR-RANK-1: as many VP, and as many doubloons and barrels."""
    tree = PUERTO_RICO.tree
    state = tables.table(phase="over", a={"vp": 5}, b={"vp": 5}, c={"vp": 3})
    assert tree.returns(TreeNode(state.config, state)) == (0.5, 0.5, -1.0)
    state = tables.table(phase="over")
    assert tree.returns(TreeNode(state.config, state)) == (0.0, 0.0, 0.0)


def test_a_copy_of_a_table_shares_what_never_changes() -> None:
    state = next(state for state, _ in PORTO.plies(2, "tram"))
    other = copy.deepcopy(state)
    assert other == state
    assert other is not state
    assert other.config is state.config


# -- Records


@pytest.mark.parametrize(
    ("game", "name"),
    [(game, name) for game in GAMES.values() for name in game.records],
    ids=str,
)
def test_a_record_is_a_line_of_the_tree(game: Researched, name: str) -> None:
    match = record(name)
    end = end_of(game.tree, game.tree.line_of(match.replay))
    assert end.over
    assert end.table == match.state


def test_of_a_game_that_runs_the_line_ends_where_it_stands() -> None:
    tree = PORTO.tree
    match = porto_cli.new_game(["Ana", "Rui"], seed="tram")
    match.play("keep 1 2 3", player=match.players[1])
    assert all(node.pile for node, _ in tree.line_of(match.replay))
    match.play("keep 3 4 5", player=match.players[0])
    decisions = [action for node, action in tree.line_of(match.replay) if not node.pile]
    assert list(map(tree.name, decisions)) == ["keep 3 4 5"]


@every_game
def test_other_records_are_refused(game: Researched) -> None:
    for name in game.others:
        with pytest.raises(ValueError, match=r"open games of [\w ]+ with two or more players"):
            next(game.tree.line_of(record(name).replay))


# -- What is seen


def look_around(game: Researched, players: int, look: Callable[..., None]) -> None:
    """Look at the numbers that each seat sees in a random game, by their names."""
    tree = game.tree
    where, phases = tree.places(players), ("setup", "chance", *tree.phases)
    for node, _ in nodes(tree, players, "numbers"):
        if node.pile is not None or node.state is None:
            continue
        for seat in range(players):
            seen = tree.observation(node, seat)
            assert len(seen) == tree.size(players)
            assert all(one <= most for one, most in zip(seen, tree.most(players), strict=True))
            got = {name: seen[place] for name, place in where.items()}
            order = [(seat + nth) % players for nth in range(players)]
            assert got["player"].index(1) == seat
            assert order[got["to_move"].index(1)] == node.table.seat
            assert phases[got["phase"].index(1)] == node.table.phase
            look(node, seat, order, got)


@pytest.mark.parametrize("players", PORTO.tree.players)
def test_an_observation_has_the_numbers_of_a_street(players: int) -> None:
    def look(node: TreeNode, seat: int, order: list[int], got: dict[str, bytes]) -> None:
        state = node.table
        assert got["turns"][0] == state.turn
        assert list(got["scores"]) == [state.scores[each] for each in order]
        assert list(got["fulfilled"]) == [state.fulfilled[each] for each in order]
        assert list(got["has_kept"]) == [bool(state.kept[each]) for each in order]
        assert got["floors"] == state.floors[:14]
        assert bytes(got["heights"]) == bytes(state.config.heights[:14])
        assert got["ground_tokens"] == state.ground_tokens
        assert got["roof_tokens"] == state.roof_tokens
        assert got["tiles"] == state.ground_left + state.upper_left
        for nth, each in enumerate(order):
            assert _unfolded(got["hands"][15 * nth : 15 * nth + 15]) == state.hands[each]
            kept = _unfolded(got["kept"][37 * nth : 37 * nth + 37])
            assert kept == (state.kept[each] if each == seat else b"")
        assert _each(got["dealt"], 37) == state.dealt[seat]
        assert _each(got["cards"], 15) == bytes(c for c in state.cards if c != EMPTY)
        assert _each(got["contracts"], 35) == bytes(c for c in state.contracts if c != EMPTY)
        assert _unfolded(got["deck"]) == state.deck
        assert _unfolded(got["discards"]) == bytes(sorted(state.discards))
        assert _unfolded(got["contract_deck"]) == state.contract_deck
        assert _each(got["colors"], 5) == bytes(c for c in state.colors if c < 5)
        assert tuple(s for s in range(4) if got["met"][s]) == state.claimable
        if state.end_round:
            assert got["turns_left"][0] == players * (state.end_round + 1) - state.turn
        build = got["build"]
        if not any(build):
            assert state.phase != CONTRACTS
            assert not node.begun
            return
        built = (build.index(1), build.index(1, 15) - 15, build.index(1, 30) - 30)
        if state.phase == CONTRACTS:
            assert built == (state.built.number, state.built.color, state.built.house)
        else:
            words = ["build", CARDS[built[0]], CARDS[built[1]], HOUSES[built[2]]]
            assert PORTO.tree.name(node.begun[0]) == " ".join(words)

    look_around(PORTO, players, look)


@pytest.mark.long
@pytest.mark.parametrize("players", PUERTO_RICO.tree.players)
def test_an_observation_has_the_numbers_of_an_island(players: int) -> None:
    def look(node: TreeNode, seat: int, order: list[int], got: dict[str, bytes]) -> None:
        table = node.table
        owners = [table.players[each] for each in order]
        assert order[got["governor"].index(1)] == table.governor
        assert list(got["vp"]) == [table.players[seat].vp] + [0] * (players - 1)
        assert list(got["doubloons"]) == [one.doubloons for one in owners]
        assert got["goods"] == b"".join(one.goods for one in owners)
        assert got["island"] == b"".join(one.island for one in owners)
        assert got["colonists"] == b"".join(one.colonists for one in owners)
        assert got["tiles"] == table.row
        assert sum(got["stack_tiles"]) == len(table.stack)
        assert sum(got["trading_house"]) == len(table.trading_house)
        assert got["vp_pool"][0] == table.vp_pool
        taken = [got["taken"][nth * players : (nth + 1) * players] for nth in range(8)]
        assert [order[one.index(1)] if any(one) else -1 for one in taken] == list(table.taken)
        begun = [action for action, here in enumerate(got["begun"]) if here]
        assert begun == sorted(node.begun)

    look_around(PUERTO_RICO, players, look)


def _unfolded(counts: bytes) -> bytes:
    return bytes(thing for thing, count in enumerate(counts) for _ in range(count))


def _each(ones: bytes, kinds: int) -> bytes:
    """Return which one of so many kinds each part names, without those that name none."""
    parts = [ones[first : first + kinds] for first in range(0, len(ones), kinds)]
    assert all(sum(part) <= 1 for part in parts)
    return bytes(part.index(1) for part in parts if any(part))


def test_before_the_first_decision_nothing_is_on_the_table() -> None:
    tree = PUERTO_RICO.tree
    node = tree.root(tree.config_of(3))
    seen = tree.observation(node, 1)
    assert sum(seen) == 2
    assert seen[tree.places(3)["phase"]].index(1) == 0
    assert tree.observed(node, 1) == "The table is set up."


def secrets_do_not_matter(game: Researched, players: int) -> None:
    """Who looks is told the same, whatever the others hide."""
    tree, rng, differ = game.tree, Random(1), 0
    for number, (node, _) in enumerate(nodes(tree, players, "secrets")):
        if node.state is None or number % 8:
            continue
        for seat in (*range(players), None):
            hidden = game.otherwise(node, seat, rng)
            differ += hidden.table != node.table
            assert tree.observation(hidden, seat) == tree.observation(node, seat)
            assert tree.observed(hidden, seat) == tree.observed(node, seat)
    assert differ


@pytest.mark.parametrize("table", one_in(3, NUMBERS), ids=str)
def test_what_others_hide_makes_no_difference(table: Table) -> None:
    secrets_do_not_matter(table.game, table.players)


@pytest.mark.parametrize("told", ["observation", "observed"])
@every_game
def test_the_test_of_what_others_hide_notices_a_leak(game, told: str, monkeypatch) -> None:
    monkeypatch.setattr(game.tree, told, lambda node, seat: node.table)
    with pytest.raises(AssertionError):
        secrets_do_not_matter(game, 3)


def test_after_the_end_everybody_sees_what_was_hidden() -> None:
    for game, field in ((PORTO, "kept"), (PUERTO_RICO, "vp")):
        tree = game.tree
        *_, (node, action) = nodes(tree, 3, "end")
        end = tree.come_up(node, action) if node.pile else tree.play(node, action)
        assert end.table.phase == OVER
        shown = tree.observation(end, 1)[tree.places(3)[field]]
        if game is PORTO:
            kept = [_unfolded(shown[first : first + 37]) for first in (0, 37, 74)]
            assert kept == [end.table.kept[seat] for seat in (1, 2, 0)]
        else:
            assert list(shown) == [end.table.players[seat].vp for seat in (1, 2, 0)]


@every_game
def test_a_table_is_shown_in_sentences(game: Researched) -> None:
    tree = game.tree
    node = tree.play_on(tree.root(tree.config_of(3)), tree.by_seed("arecibo"))
    text = tree.observed(node, 1).splitlines()
    assert text[-1] == "seen by player_1"
    shown = tree.game.table(node.table, 1)
    assert text[: len(shown)] == shown
    assert copy.deepcopy(node) is node
