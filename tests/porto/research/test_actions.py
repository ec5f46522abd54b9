"""Decisions as numbers, a game as a tree, and what a seat may know as numbers."""

from __future__ import annotations

import copy
import doctest
from collections import Counter

import pytest

import porto_cli
from porto_cli.core.chance import seeded_chance
from porto_cli.games.porto import research
from porto_cli.games.porto.engine.claim import Claim
from porto_cli.games.porto.engine.components import CARDS, EMPTY, HOUSES
from porto_cli.games.porto.engine.draw import Draw
from porto_cli.games.porto.engine.keep import Keep
from porto_cli.games.porto.engine.play import legal_moves
from porto_cli.games.porto.engine.state import ACT, CONTRACTS, OVER
from porto_cli.games.porto.notation import parse_move
from porto_cli.games.porto.research import tree
from porto_cli.research import TreeNode
from tests.conftest import ROOT
from tests.porto.research.walks import plies
from tests.research import end_of, nodes

EVERY_NUMBER = [2, 3, 4]


def look_at_moves(players: int, seed: str, moves: int) -> None:
    """Play random games until there were so many moves, and compare all legal ones."""
    made = 0
    while made < moves:
        for state, _ in plies(players, f"{seed}-{made}"):
            node = tree.at(state)
            legal = {tree.encode(move): move for move in legal_moves(state)}
            assert tree.legal(node) == sorted({encoded[0] for encoded in legal})
            for encoded, move in legal.items():
                assert node.choices.made(encoded) == move
                seconds = sorted(one[1:] for one in legal if one[0] == encoded[0])
                after = tree.play(node, encoded[0])
                if len(seconds) > 1:
                    assert [(roof,) for roof in tree.legal(after)] == seconds
            made += 1


@pytest.mark.long
@pytest.mark.parametrize("players", EVERY_NUMBER)
def test_every_move_is_one_action_or_two_and_back(players: int) -> None:
    look_at_moves(players, "tram", 400)


@pytest.mark.parametrize("players", EVERY_NUMBER)
def test_the_names_of_its_actions_are_the_text_of_a_move(players: int) -> None:
    for state, move in plies(players, "names"):
        words = " ".join(map(tree.name, tree.encode(move)))
        if isinstance(move, Draw):
            assert words == " ".join(["draw", *(f"@{space + 1}" for space in move.spaces)])
        else:
            assert parse_move(words, state, state.seat) == move


@pytest.mark.slow
@pytest.mark.parametrize("players", EVERY_NUMBER)
def test_every_move_of_many_games_is_one_action_or_two_and_back(players: int) -> None:
    look_at_moves(players, "hunt", 34_000)


def test_every_action_is_a_move_and_has_a_name_of_its_own() -> None:
    assert tree.count == 3216
    assert [kind.first for kind in tree.kinds] == [0, 10, 35, 51, 52, 66]
    names = [tree.name(action) for action in range(tree.count)]
    assert len(set(names)) == tree.count
    for action in (-1, tree.count):
        with pytest.raises(ValueError, match="There is no action"):
            tree.name(action)


@pytest.mark.parametrize(
    "move", [Draw((), (3,)), Keep((), (1, 2, 3)), Claim((0,), (4,)), Draw((4, 0))], ids=repr
)
def test_what_no_action_stands_for_is_refused(move: porto_cli.game.Move) -> None:
    with pytest.raises(ValueError, match="No action represents"):
        tree.encode(move)


@pytest.mark.parametrize("action", [-1, 3216, 52, 66])
def test_what_is_not_legal_is_refused(action: int) -> None:
    """The first decision is which private contracts to keep."""
    node = tree.play_on(tree.root(tree.config_of(2)), seeded_chance("tram"))
    with pytest.raises(ValueError, match=f"The action {action} is not legal now"):
        tree.play(node, action)


def test_the_doctests_run() -> None:
    result = doctest.testmod(research)
    assert result.attempted
    assert not result.failed


@pytest.mark.parametrize("players", EVERY_NUMBER)
@pytest.mark.parametrize("private_contracts", [True, False])
def test_one_thing_at_a_time_leads_where_the_engine_goes(
    players: int, private_contracts: bool
) -> None:
    for seed in ("tram", "foz"):
        chance = seeded_chance(seed)
        options = {"private_contracts": private_contracts}
        quick = slow = tree.play_on(tree.root(tree.config_of(players, **options)), chance)
        for state, move in plies(players, seed, **options):
            assert slow.table == quick.table == state
            before = slow.table
            for action in tree.encode(move):
                if slow.pile or slow.table is not before:
                    break  # There was only one roof for the token.
                assert action in tree.legal(slow)
                quick = tree.play(quick, action, chance)
                slow = tree.play(slow, action)
                assert not (slow.pile and slow.begun)
            slow = tree.play_on(slow, chance)
            assert slow == quick
        assert slow.over
        assert not tree.legal(slow)


@pytest.mark.parametrize("players", EVERY_NUMBER)
def test_what_comes_up_is_as_likely_as_there_are_cards_of_it(players: int) -> None:
    """Reckoned from the box: what is neither on the table nor in a hand is in the pile."""
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


@pytest.mark.parametrize("players", EVERY_NUMBER)
def test_no_game_is_longer_than_is_said(players: int) -> None:
    decisions, things = tree.longest
    for seed in range(5):
        game = [node.pile is None for node, _ in nodes(tree, players, str(seed))]
        assert game.count(True) <= decisions
        assert game.count(False) <= things


def test_a_game_in_which_everybody_has_to_pass_forever_is_over() -> None:
    """All cards in hands that cannot build: there are no tiles left."""
    state = next(state for state, _ in plies(2, "tram") if state.phase == ACT).copy()
    state.cards, state.contracts = bytes([EMPTY] * 5), state.contracts
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


def test_a_copy_of_a_table_shares_what_never_changes() -> None:
    state = next(state for state, _ in plies(2, "tram"))
    other = copy.deepcopy(state)
    assert other == state
    assert other is not state
    assert other.config is state.config
    other.deck = b""
    assert other != state


@pytest.mark.parametrize("name", ["two-players", "three-players", "four-players-seat-first"])
def test_a_record_is_a_line_of_the_tree(name: str) -> None:
    match = porto_cli.load(ROOT / "records" / "porto" / f"{name}.yaml")
    end = end_of(tree, tree.line_of(match.replay))
    assert end.over
    assert end.table == match.state


def test_of_a_game_that_runs_the_line_ends_where_it_stands() -> None:
    match = porto_cli.new_game(["Ana", "Rui"], seed="tram")
    match.play("keep 1 2 3", player=match.players[1])
    assert all(node.pile for node, _ in tree.line_of(match.replay))
    match.play("keep 3 4 5", player=match.players[0])
    decisions = [action for node, action in tree.line_of(match.replay) if not node.pile]
    assert list(map(tree.name, decisions)) == ["keep 3 4 5"]


@pytest.mark.parametrize("name", ["real-table", "solo-won"])
def test_other_records_are_refused(name: str) -> None:
    match = porto_cli.load(ROOT / "records" / "porto" / f"{name}.yaml")
    with pytest.raises(ValueError, match="open games of Porto with two or more players"):
        next(tree.line_of(match.replay))


@pytest.mark.parametrize("players", EVERY_NUMBER)
def test_an_observation_has_the_numbers_of_the_table(players: int) -> None:
    where = tree.places(players)
    for node, _ in nodes(tree, players, "numbers"):
        if node.pile is not None or node.state is None:
            continue
        state = node.state
        for seat in range(players):
            seen = tree.observation(node, seat)
            assert len(seen) == tree.size(players)
            assert all(one <= most for one, most in zip(seen, tree.most(players), strict=True))
            got = {name: seen[place] for name, place in where.items()}
            order = [(seat + nth) % players for nth in range(players)]
            assert got["player"].index(1) == seat
            assert order[got["to_move"].index(1)] == state.seat
            assert got["turns"][0] == state.turn
            assert list(got["scores"]) == [state.scores[each] for each in order]
            assert list(got["fulfilled"]) == [state.fulfilled[each] for each in order]
            assert list(got["has_kept"]) == [bool(state.kept[each]) for each in order]
            assert got["floors"] == state.floors[:14]
            assert bytes(got["heights"]) == bytes(state.config.heights[:14])
            assert (got["ground_tokens"], got["roof_tokens"]) == (
                state.ground_tokens,
                state.roof_tokens,
            )
            assert got["tiles"] == state.ground_left + state.upper_left
            for nth, each in enumerate(order):
                hand = got["hands"][15 * nth : 15 * nth + 15]
                assert _unfolded(hand) == state.hands[each]
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
            assert ("setup", "chance", *tree.phases)[got["phase"].index(1)] == state.phase
            if state.end_round:
                assert got["turns_left"][0] == players * (state.end_round + 1) - state.turn
            build = got["build"]
            if state.phase == CONTRACTS and state.built:
                assert [build.index(1), build.index(1, 15) - 15, build.index(1, 30) - 30] == [
                    state.built.number,
                    state.built.color,
                    state.built.house,
                ]
            elif node.begun:
                cards = [CARDS[build.index(1)], CARDS[build.index(1, 15) - 15]]
                words = ["build", *cards, HOUSES[build.index(1, 30) - 30]]
                assert tree.name(node.begun[0]) == " ".join(words)
            else:
                assert not any(build)


def _unfolded(counts: bytes) -> bytes:
    return bytes(thing for thing, count in enumerate(counts) for _ in range(count))


def _each(ones: bytes, kinds: int) -> bytes:
    """Return which one of so many kinds each part names, without those that name none."""
    parts = [ones[first : first + kinds] for first in range(0, len(ones), kinds)]
    assert all(sum(part) <= 1 for part in parts)
    return bytes(part.index(1) for part in parts if any(part))


def test_after_the_end_everybody_sees_what_was_kept() -> None:
    *_, (node, action) = nodes(tree, 3, "end")
    end = tree.come_up(node, action) if node.pile else tree.play(node, action)
    assert end.table.phase == OVER
    seen = tree.observation(end, 1)[tree.places(3)["kept"]]
    assert [_unfolded(seen[first : first + 37]) for first in (0, 37, 74)] == [
        end.table.kept[1],
        end.table.kept[2],
        end.table.kept[0],
    ]
    text = tree.observed(end, 1)
    assert text.count("Private contracts of ") == 3
    assert text.splitlines()[-1] == "seen by player_1"


def test_a_game_that_cannot_be_is_refused() -> None:
    for players in (1, 5):
        with pytest.raises(ValueError, match="2 to 4 players"):
            tree.config_of(players)


def test_what_cannot_come_up_is_refused() -> None:
    node = tree.root(tree.config_of(2))
    with pytest.raises(ValueError, match="9 cannot come up now"):
        tree.come_up(node, 9)
    with pytest.raises(ValueError, match="not yet set up"):
        _ = node.table
    node = tree.play_on(node, seeded_chance("tram"))
    with pytest.raises(ValueError, match="Nothing comes up now"):
        tree.chosen(node, seeded_chance("tram"))
