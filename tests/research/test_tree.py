"""Decisions as numbers, a game as a tree, and what a seat may know as numbers."""

from __future__ import annotations

import copy
import doctest
import json
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain, islice
from random import Random

import pytest

import porto_cli
from porto_cli.core.chance import seeded_chance
from porto_cli.games.porto.engine import EMPTY, HOUSES
from porto_cli.games.porto.engine.cards import Claim, Keep
from porto_cli.games.porto.engine.state import ACT, CONTRACTS
from porto_cli.games.porto.game import Porto
from porto_cli.games.puerto_rico.engine import GOODS, PLACES, ROLES, TILES
from porto_cli.games.puerto_rico.engine.effects import final_scores
from porto_cli.games.puerto_rico.engine.moves import Build, LoadSmallWharf, Place
from porto_cli.research import DONE, Tree, TreeNode
from porto_cli.seam import OVER, Move, Outcome, State
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
    """All legal moves, and nothing else, can be made action by action.

    Of the loads by a Small Wharf there are too many to make them all.
    """
    if tree.game.count_moves(state, state.seat) > LISTED:
        return
    wharf = ["load", "small-wharf"]

    def made(node: TreeNode) -> Iterator[TreeNode]:
        for action in node.legal:
            after = tree.play(node, action)
            if [tree.actions[one] for one in (*node.begun, action)[:2]] == wharf:
                continue
            if after.table is not state or after.move is not None:
                yield after
            elif [tree.actions[one] for one in after.begun[:2]] != wharf:
                yield from made(after)

    listed = tree.game.legal_moves(state, state.seat, LISTED)
    legal = [move for move in listed if not isinstance(move, LoadSmallWharf)]
    whole = tree.at(state)
    assert len([*made(whole)]) == len(legal) or len(listed) == 1
    chance = seeded_chance("any")
    for move in listed:
        node, actions = whole, tree.encode(move)
        while node.table is state and node.move is None:
            node = tree.play(node, actions[len(node.begun)])
        after, _ = tree.game.apply(state, move, chance, state.seat)
        assert tree.play_on(node, chance).table == after


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


def test_the_test_of_actions_notices_a_word_that_is_missing(monkeypatch) -> None:
    tree, whole = PORTO.tree, PORTO.tree.at

    def fewer(state: State) -> TreeNode:
        node = whole(state)
        return node._replace(legal=node.legal[:-1])

    monkeypatch.setattr(tree, "at", fewer)
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
    words = ["build", "hospice", "return", "corn", "vp", "done"]
    assert [tree.actions[one] for one in row] == words
    node = tree.at(state)
    while len(node.begun) < 3:
        node = tree.play(node, row[len(node.begun)])
    assert [tree.actions[one] for one in node.legal] == ["vp", "corn", "indigo"]


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
    for name in ("small-wharf", "0"):  # All moves are loads: that is no decision.
        node = tree.play(node, tree.numbers[name])
    # The sugar has to be loaded then: no decision is left.
    assert node.table.players[0].goods == tables.goods("corn 2")


@every_game
def test_every_action_has_a_name_and_a_number_of_its_own(game: Researched) -> None:
    """Agents that were trained depend on them: docs/research.md has them all."""
    tree = game.tree
    count = {"porto": 55, "puerto-rico": 87}[game.id]
    assert len(set(tree.actions)) == len(tree.actions) == count
    assert [tree.numbers[name] for name in tree.actions] == [*range(count)]


def test_the_actions_of_a_move_are_the_words_of_its_text() -> None:
    for game in GAMES.values():
        tree = game.tree
        for _, move in game.plies(3, "names"):
            if isinstance(move, Place):
                continue
            *words, done = (tree.actions[one] for one in tree.encode(move))
            assert " ".join(words) == str(move)
            assert done == DONE
    place = PUERTO_RICO.tree.encode(Place(bytes([1, 0, 2, *[0] * (len(PLACES) - 3)])))
    assert [PUERTO_RICO.tree.actions[one] for one in place][:4] == ["1", "0", "2", "0"]


def test_a_secret_move_is_one_action() -> None:
    """How many actions it takes would tell what it is."""
    tree = PORTO.tree
    state = PORTO.begun(3, "tram").state
    texts = [tree.actions[action] for action in tree.at(state).legal]
    assert texts == [str(keep) for keep in tree.game.legal_moves(state, state.seat)]
    assert all(text.split()[0] == "keep" for text in texts)


def test_a_move_that_could_go_on_is_ended() -> None:
    tree = PORTO.tree
    node = tree.play(tree.at(PORTO.begun(2, "tram").state), 0)
    while node.table.phase != ACT:
        node = tree.play(node, node.legal[0])
    node = tree.play(node, tree.numbers["@2"])  # Without cards to build with all moves are draws.
    assert [tree.actions[one] for one in node.legal] == ["@4", DONE]
    after = tree.play_on(tree.play(node, tree.numbers[DONE]), seeded_chance("tram"))
    assert after.table.turn == node.table.turn + 1


@pytest.mark.parametrize(
    "move",
    [Keep((), (1, 2, 3)), Claim((0,), (4,))],
    ids=repr,
)
def test_what_no_action_stands_for_is_refused(move: Move) -> None:
    with pytest.raises(ValueError, match="No action represents"):
        PORTO.tree.encode(move)


@every_game
def test_the_doctests_run(game: Researched) -> None:
    result = doctest.testmod(game.module)
    assert result.attempted
    assert not result.failed


def test_what_cannot_be_is_refused() -> None:
    tree = PORTO.tree
    node = tree.root(tree.config_of(2))
    with pytest.raises(ValueError, match="99 cannot come up now"):
        tree.play(node, 99)
    with pytest.raises(ValueError, match="not yet set up"):
        _ = node.table
    node = tree.play_on(node, seeded_chance("tram"))
    with pytest.raises(ValueError, match="Nothing comes up now"):
        tree.chosen(node, seeded_chance("tram"))
    for action in (-1, 55, 10, 54):  # The first decision is which contracts to keep.
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
    node = tree.play_on(tree.root(tree.config_of(players, **options)), chance)
    for state, move in game.plies(players, "foz", **options):
        assert node.table == state
        before = node.table
        actions = tree.encode(move)
        while not node.pile and node.table is before:
            node = tree.play(node, actions[len(node.begun)])
            assert not (node.pile and node.begun)
        node = tree.play_on(node, chance)
    assert node.over
    assert not node.legal


@pytest.mark.parametrize("players", PORTO.tree.players)
def test_what_comes_up_is_as_likely_as_there_are_cards_of_it(players: int) -> None:
    """Reckoned from the box: what is neither on the table nor in a hand is in the pile."""
    tree = PORTO.tree
    config = tree.config_of(players)
    box = {
        "tokens": Counter({1: 5, 2: 4, 3: 3, 4: 2}),
        "contracts": Counter(range(35)),
        "cards": Counter({card: (4, 4, 2)[card % 3] for card in range(15)}),
        "private": Counter(config.private_deck),
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
        node = tree.play(node, thing)
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
        (passing,) = node.legal
        assert tree.actions[passing] == "pass"
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
        node = tree.play_on(tree.play(node, rng.choice(node.legal)), seeded_chance("foz"))
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
    assert [tree.actions[one] for one in decisions] == ["keep 3 4 5"]


@every_game
def test_other_records_are_refused(game: Researched) -> None:
    for name in game.others:
        with pytest.raises(ValueError, match=r"open games of [\w ]+ with two or more players"):
            next(game.tree.line_of(record(name).replay))


# -- What is seen


Got = dict[str, bytes]


def look_around(game: Researched, players: int, look: Callable[..., None]) -> None:
    """Look at the numbers that each seat sees in a random game, by their names."""
    tree = game.tree
    where = tree.row(players).places()
    for node, _ in islice(nodes(tree, players, "numbers"), 0, None, 5):
        if node.pile is not None or node.state is None:
            continue
        for seat in range(players):
            seen = tree.observation(node, seat)
            assert len(seen) == tree.row(players).size
            assert all(one <= most for one, most in zip(seen, tree.row(players).most, strict=True))
            got = {name: seen[place] for name, place in where.items()}
            order = [(seat + nth) % players for nth in range(players)]
            assert got["seat"].index(1) == seat
            assert order[got["to_move"].index(1)] == node.table.seat
            assert [one - 1 for one in got["begun"] if one] == [*node.begun]
            look(node, seat, order, got)


def each(got: Got, key: str, players: int) -> bytes:
    """Return the numbers of a key of each player."""
    return b"".join(got[f"players.{nth}.{key}"] for nth in range(players))


@pytest.mark.parametrize("players", PORTO.tree.players)
def test_an_observation_has_the_numbers_of_a_street(players: int) -> None:
    def look(node: TreeNode, seat: int, order: list[int], got: Got) -> None:
        state = node.table
        assert got["turns_over"][0] == state.turn
        assert [*each(got, "score", players)] == [state.scores[one] for one in order]
        assert [*each(got, "fulfilled", players)] == [state.fulfilled[one] for one in order]
        assert [*each(got, "choosing", players)] == [not state.kept[one] for one in order]
        for house in state.config.houses:
            street = f"houses.{HOUSES[house]}"
            assert got[f"{street}.floors"][0] == state.floors[house]
            assert got[f"{street}.height"][0] == state.config.heights[house]
            assert got[f"{street}.ground_token"][0] == state.ground_tokens[house]
            assert got[f"{street}.roof_token"][0] == state.roof_tokens[house]
            assert _each(got[f"{street}.color"], 5) == bytes(
                one for one in [state.colors[house]] if one < 5
            )
        tiles = zip(state.ground_left, state.upper_left, strict=True)
        assert got["tiles"] == bytes(chain.from_iterable(tiles))
        for nth, one in enumerate(order):
            own, who = one == seat, f"players.{nth}"
            assert _unfolded(got[f"{who}.hand"]) == bytes(sorted(state.hands[one]))
            private = state.kept[one] or bytes(sorted(state.dealt[one]))
            assert _unfolded(got[f"{who}.private"]) == (private if own else b"")
            assert _each(got[f"{who}.dealt"], 37) == (state.dealt[one] if own else b"")
        assert _each(got["cards"], 15) == bytes(c for c in state.cards if c != EMPTY)
        assert _each(got["contracts"], 35) == bytes(c for c in state.contracts if c != EMPTY)
        assert _unfolded(got["in_deck"]) == bytes(sorted(state.deck))
        assert _unfolded(got["in_discards"]) == bytes(sorted(state.discards))
        assert _unfolded(got["in_contract_deck"]) == bytes(sorted(state.contract_deck))
        meets = [space for space in range(4) if got["built.meets"][space]]
        assert tuple(meets) == state.claimable
        if state.phase == CONTRACTS:
            built = (state.built.number, state.built.color, state.built.house)
            keys = ("number_card", "color_card", "house")
            assert tuple(got[f"built.{key}"].index(1) for key in keys) == built

    look_around(PORTO, players, look)


@pytest.mark.parametrize("players", PUERTO_RICO.tree.players)
def test_an_observation_has_the_numbers_of_an_island(players: int) -> None:
    def look(node: TreeNode, seat: int, order: list[int], got: Got) -> None:
        table = node.table
        owners = [table.players[one] for one in order]
        assert order[got["governor"].index(1)] == table.governor
        assert [*each(got, "vp", players)] == [table.players[seat].vp] + [0] * (players - 1)
        assert [*each(got, "doubloons", players)] == [one.doubloons for one in owners]
        assert each(got, "goods", players) == b"".join(one.goods for one in owners)
        for nth, owner in enumerate(owners):
            island = [got[f"players.{nth}.island.{tile}.tiles"][0] for tile in TILES]
            assert bytes(island) == owner.island
            city = zip(PLACES[len(TILES) :], owner.colonists[len(TILES) :], strict=True)
            for place, colonists in city:
                assert got[f"players.{nth}.city.{place}"][0] == colonists
        assert got["tiles"][: len(table.row)] == table.row
        assert sum(got["stack_tiles"]) == len(table.stack)
        assert sum(got["trading_house"]) == len(table.trading_house)
        assert got["vp_pool"][0] == table.vp_pool
        taken = [got[f"roles.{role}.taken"] for role in ROLES]
        assert [order[one.index(1)] if any(one) else -1 for one in taken] == [*table.taken]

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
    assert seen[tree.row(3).places()["phase"]].index(1) == 0
    assert tree.observed(node, 1) == "The table is being set up."


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


@pytest.mark.parametrize("table", one_in(4, NUMBERS), ids=str)
def test_what_others_hide_makes_no_difference(table: Table) -> None:
    secrets_do_not_matter(table.game, table.players)


@pytest.mark.parametrize("told", ["observation", "observed"])
@every_game
def test_the_test_of_what_others_hide_notices_a_leak(game, told: str, monkeypatch) -> None:
    monkeypatch.setattr(game.tree, told, lambda node, seat: node.table)
    with pytest.raises(AssertionError):
        secrets_do_not_matter(game, 3)


def test_after_the_end_everybody_sees_what_was_hidden() -> None:
    for game, key in ((PORTO, "private"), (PUERTO_RICO, "vp")):
        tree = game.tree
        *_, (node, action) = nodes(tree, 3, "end")
        end = tree.play(node, action)
        assert end.table.phase == OVER
        seen = tree.observation(end, 1)
        shown = [seen[tree.row(3).places()[f"players.{nth}.{key}"]] for nth in range(3)]
        if game is PORTO:
            assert [*map(_unfolded, shown)] == [end.table.kept[seat] for seat in (1, 2, 0)]
        else:
            assert b"".join(shown) == bytes(end.table.players[seat].vp for seat in (1, 2, 0))


@every_game
def test_a_table_is_shown_in_sentences(game: Researched) -> None:
    tree = game.tree
    node = tree.play_on(tree.root(tree.config_of(3)), seeded_chance("arecibo"))
    *text, rest = tree.observed(node, 1).splitlines()
    assert text == tree.game.table(node.table, 1)
    assert json.loads(rest)["seen by"] == "player_1"
    assert copy.deepcopy(node) is node
