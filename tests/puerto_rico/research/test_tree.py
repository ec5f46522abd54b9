"""Decisions as numbers, a game as a tree, and what a seat may know as numbers."""

from __future__ import annotations

import copy
import doctest
import random

import pytest

import porto_cli
from porto_cli.core.chance import seeded_chance
from porto_cli.games.puerto_rico import research
from porto_cli.games.puerto_rico.engine.components import GOODS, PLACES
from porto_cli.games.puerto_rico.engine.effects import final_scores
from porto_cli.games.puerto_rico.engine.moves import Build, LoadSmallWharf, Store, TakeRole
from porto_cli.games.puerto_rico.engine.play import apply, count_moves, legal_moves
from porto_cli.games.puerto_rico.engine.setup import begin, deal
from porto_cli.games.puerto_rico.engine.state import OVER, State
from porto_cli.games.puerto_rico.game import PUERTO_RICO
from porto_cli.games.puerto_rico.notation import format_move, parse_move
from porto_cli.games.puerto_rico.research import tree
from porto_cli.research import TreeNode
from tests.conftest import ROOT
from tests.puerto_rico import tables
from tests.puerto_rico.playing import KINDS, random_move
from tests.puerto_rico.research.walks import (
    EVERY_NUMBER,
    OPTIONS,
    with_chips,
    with_other_chips,
)
from tests.research import end_of, nodes
from tests.shares import one_in

LISTED = 200
PHASES = ("setup", "chance", *tree.phases)
every_number = pytest.mark.parametrize("players", EVERY_NUMBER)


def look_at_moves(state: State) -> None:
    """All legal moves, and nothing else, can be made action by action."""
    if count_moves(state) > LISTED:
        return
    whole, reached = tree.at(state), set()

    def look(node: TreeNode, begun: tuple[int, ...]) -> None:
        for action in tree.legal(node):
            after = tree.play(node, action)
            if after.table is state and not after.move:
                look(after, after.begun)
            else:
                row, choices = (*begun, action), node.choices
                if (*begun, action) == (tree.numbers["load small-wharf"],):
                    continue
                while following := choices.following(row):
                    row = (*row, *following)
                reached.add(choices.made(row))

    look(whole, whole.begun)
    legal = {move for move in legal_moves(state) if not isinstance(move, LoadSmallWharf)}
    made = {move for move in reached if not isinstance(move, LoadSmallWharf)}
    assert made == legal or len(legal) == 1
    for move in legal:
        assert whole.choices.made(tree.encode(move)) == move


@pytest.mark.long_for(
    "(2, 'random', 'printed')",
    "(4, 'base', 'printed')",
    "(5, 'draft', 'printed')",
)
@pytest.mark.parametrize("kind", one_in(4, KINDS), ids=str)
def test_every_move_is_a_row_of_actions_and_back(kind: tuple[int, str, str]) -> None:
    players, buildings, rulebook = kind
    rng, chance = random.Random(str(kind)), seeded_chance("arecibo")
    config = tree.config_of(players, buildings=buildings, rulebook=rulebook)
    state = begin(config, deal(config, chance))
    while state.phase != OVER:
        look_at_moves(state)
        move = random_move(state, rng)
        state, _ = apply(state, move, chance)


def test_what_a_black_market_takes_is_decided_thing_by_thing() -> None:
    """PR-B-BLACK-MARKET: 4 doubloons for a hospice, less 1 for the builder; 1 is there."""
    state = tables.table(
        phase="builder",
        violet="black-market",
        a={"doubloons": 1, "vp": 2, "goods": "corn indigo", "full": "black-market"},
    )
    look_at_moves(state)
    build = Build(PLACES.index("hospice"), good=GOODS.index("corn"), vp=True)
    row = tree.encode(build)
    assert list(map(tree.name, row)) == ["build hospice", "return corn", "return vp"]
    following = tree.legal(tree.play(tree.at(state), row[0]))
    assert list(map(tree.name, following))[:3] == [
        "return corn",
        "return indigo",
        "return vp",
    ]


def test_the_barrels_of_a_small_wharf_are_decided_good_by_good() -> None:
    """PR-B-SMALL-WHARF: any barrels, but at least one."""
    state = tables.table(
        phase="captain",
        violet="small-wharf",
        a={"goods": "corn 2 sugar", "full": "small-wharf"},
    )
    look_at_moves(state)
    node = tree.at(state)
    for name in ("load small-wharf", "barrels corn 0"):
        (action,) = [one for one in tree.legal(node) if tree.name(one) == name]
        node = tree.play(node, action)
    # The sugar has to be loaded then: no decision is left.
    assert node.table.players[0].goods == tables.goods("corn 2")


def test_every_action_has_a_name_and_a_number_of_its_own() -> None:
    assert tree.count == 492
    assert [kind.first for kind in tree.kinds] == [
        *(0, 31, 40, 68, 142, 152, 182, 223),
        *(224, 273, 274, 334),
    ]
    names = [tree.name(action) for action in range(tree.count)]
    assert len(set(names)) == tree.count
    for name in names[:224]:
        move = parse_move(name)
        assert tree.encode(move) == (tree.numbers[name],)
        assert format_move(move) == name
    for action in (-1, tree.count):
        with pytest.raises(ValueError, match="There is no action"):
            tree.name(action)


def test_what_no_action_stands_for_is_refused() -> None:
    with pytest.raises(ValueError, match="No action represents"):
        tree.encode(TakeRole(0, no_colonist=True))
    store = tree.encode(Store(bytes([1, 0, 2, 0, 0])))
    assert [tree.name(action) for action in store][:3] == [
        *("barrels corn 1", "barrels indigo 0", "barrels sugar 2")
    ]


def test_the_doctests_run() -> None:
    result = doctest.testmod(research)
    assert result.attempted
    assert not result.failed


@pytest.mark.long_for(
    "{'buildings': 'base', 'rulebook': 'printed'}-5",
    "{'buildings': 'draft', 'rulebook': 'printed'}-2",
    "{'buildings': 'draft', 'rulebook': 'printed'}-4",
    "{'buildings': 'draft', 'rulebook': 'printed'}-5",
)
@every_number
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_one_thing_at_a_time_leads_where_the_engine_goes(
    players: int, options: dict[str, str]
) -> None:
    config, rng = tree.config_of(players, **options), random.Random(players)
    chance = seeded_chance("arecibo")
    state = begin(config, deal(config, chance))
    quick = slow = tree.play_on(tree.root(config), chance)
    while state.phase != OVER:
        assert slow == quick
        assert slow.table == state
        move = random_move(state, rng)
        row = tree.encode(move)
        before = slow.table
        while slow.pile is None and slow.table is before:
            action = row[len(slow.begun)]
            assert len(tree.legal(slow)) > 1
            assert action in tree.legal(slow)
            quick = tree.play(quick, action, chance)
            slow = tree.play(slow, action)
        slow = tree.play_on(slow, chance)
        state, _ = apply(state, move, chance)
    assert slow.over
    assert slow.table == state
    assert not tree.legal(slow)


@every_number
def test_what_comes_up_is_as_likely_as_there_are_tiles_of_it(players: int) -> None:
    """Reckoned from the box: all plantations but those on islands, in the row and discarded."""
    config = tree.config_of(players)
    for node, _ in nodes(tree, players, "likely"):
        if node.pile is None:
            continue
        assert node.pile.stream == "tiles"
        likely = dict(tree.outcomes(node))
        assert sum(likely.values()) == pytest.approx(1)
        left = bytearray(config.plantations)
        if node.state is None:
            for tile in config.box.starting_tiles:
                left[tile] -= 1
            for tile in node.came_up:
                left[tile] -= 1
            assert {tile: n / sum(left) for tile, n in enumerate(left) if n} == likely


def test_random_buildings_come_up_first() -> None:
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
def test_no_game_is_longer_than_is_said(players: int) -> None:
    decisions, things = tree.longest
    game = [node.pile is None for node, _ in nodes(tree, players, "long")]
    assert game.count(True) <= decisions
    assert game.count(False) <= things


def test_a_game_that_nobody_ends_is_over_as_it_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of who takes settler, craftsman and trader for ever: the rules know no end of that."""
    monkeypatch.setattr(tree, "most_turns", 40)
    *_, (node, action) = nodes(tree, 3, "short")
    end = tree.play(node, action)
    assert end.over
    assert end.table.turn == 40
    places = [one.place for one in final_scores(end.table)]
    assert [won > 0 for won in tree.returns(end)] == [place == 1 for place in places]


def test_who_shares_the_first_place_shares_what_is_won() -> None:
    """PR-RANK-1: as many VP, and as many doubloons and barrels."""
    state = tables.table(phase="over", a={"vp": 5}, b={"vp": 5}, c={"vp": 3})
    assert tree.returns(TreeNode(state.config, state)) == (0.5, 0.5, -1.0)
    state = tables.table(phase="over")
    assert tree.returns(TreeNode(state.config, state)) == (0.0, 0.0, 0.0)


@pytest.mark.long_for("five-players-random")
@pytest.mark.parametrize(
    "name", ["two-players", "three-players-guide", "four-players-draft", "five-players-random"]
)
def test_a_record_is_a_line_of_the_tree(name: str) -> None:
    match = porto_cli.load(ROOT / "records" / "puerto-rico" / f"{name}.yaml")
    end = end_of(tree, tree.line_of(match.replay))
    assert end.over
    assert end.table == match.state


def test_other_records_are_refused() -> None:
    for path in ("puerto-rico/real-table.yaml", "porto/two-players.yaml"):
        match = porto_cli.load(ROOT / "records" / path)
        with pytest.raises(ValueError, match="open games of Puerto Rico"):
            next(tree.line_of(match.replay))


@pytest.mark.long
@every_number
def test_an_observation_has_the_numbers_of_the_table(players: int) -> None:
    where = tree.places(players)
    for node, _ in nodes(tree, players, "numbers"):
        if node.pile is not None:
            continue
        table = node.table
        for seat in range(players):
            seen = tree.observation(node, seat)
            assert len(seen) == tree.size(players)
            assert all(one <= most for one, most in zip(seen, tree.most(players), strict=True))
            got = {name: seen[place] for name, place in where.items()}
            order = [(seat + nth) % players for nth in range(players)]
            owners = [table.players[each] for each in order]
            assert got["player"].index(1) == seat
            assert order[got["to_move"].index(1)] == table.seat
            assert order[got["governor"].index(1)] == table.governor
            assert PHASES[got["phase"].index(1)] == table.phase
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


def test_before_the_first_decision_nothing_is_on_the_table() -> None:
    node = tree.root(tree.config_of(3))
    seen = tree.observation(node, 1)
    where = tree.places(3)
    assert sum(seen) == 2
    assert seen[where["player"]].index(1) == 1
    assert PHASES[seen[where["phase"]].index(1)] == "setup"
    assert tree.observed(node, 1) == "The table is set up."
    with pytest.raises(ValueError, match="not yet set up"):
        _ = node.table


@pytest.mark.long_for("3", "4", "5")
@every_number
def test_other_chips_of_the_others_make_no_difference(players: int) -> None:
    """PR-SECRET-1. The own chips do, and all are seen when the game is over."""
    differ = 0
    for number, (node, _) in enumerate(nodes(tree, players, "chips")):
        if node.state is None or number % 8:
            continue
        node = node._replace(state=with_chips(node.table))
        for seat in (*range(players), None):
            other = with_other_chips(node.table, seat)
            hidden = node._replace(state=other)
            differ += other != node.table
            assert tree.observation(hidden, seat) == tree.observation(node, seat)
            assert tree.observed(hidden, seat) == tree.observed(node, seat)
            assert tree.legal(hidden) == tree.legal(node)
    assert differ
    state = node.table.copy()
    state.phase = OVER
    end = TreeNode(state.config, state)
    shown = tree.observation(end, 0)[tree.places(players)["vp"]]
    assert list(shown) == [one.vp for one in state.players]


@pytest.mark.parametrize("told", ["observation", "observed"])
def test_the_test_of_other_chips_notices_a_leak(told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def leaking(node: TreeNode, seat: int | None) -> list[int]:
        return [player.vp for player in node.table.players]

    monkeypatch.setattr(tree, told, leaking)
    with pytest.raises(AssertionError):
        test_other_chips_of_the_others_make_no_difference(3)


def test_a_table_is_shown_in_sentences() -> None:
    node = tree.play_on(tree.root(tree.config_of(3)), tree.by_seed("arecibo"))
    text = tree.observed(node, 1).splitlines()
    assert text[1] == "Round 1: player_0 is governor and takes a role."
    assert text[-1] == "seen by player_1"
    assert text[:-1] == PUERTO_RICO.table(node.table, 1)
    assert copy.deepcopy(node) is node


def test_a_game_that_cannot_be_is_refused() -> None:
    for players in (1, 6):
        with pytest.raises(ValueError, match="2 to 5 players"):
            tree.config_of(players)
    with pytest.raises(ValueError, match="'all' is not one of"):
        tree.config_of(3, buildings="all")
    with pytest.raises(ValueError, match="99 cannot come up now"):
        tree.come_up(tree.root(tree.config_of(2)), 99)
