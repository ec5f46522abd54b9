"""Orders that are given in one copy of a game while others move, or give orders, in theirs."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

import porto_cli
from porto_cli.match.match import Match
from tests.mail.test_crossing import PLAYERS, begun, copy, received, received_or_forked

NAMES = PLAYERS[:3]


def puerto_rico() -> Match:
    return porto_cli.new_game(NAMES, game="puerto-rico", seed="yauco", first="Ana")


def turns_of(match: Match) -> list[str]:
    return [f"{one.entries[0][0]}: {one.entries[0][1]}" for one in match.replay.written]


def test_an_order_stands_after_as_many_turns_as_in_the_copy_that_it_was_given_in() -> None:
    own, other = puerto_rico(), puerto_rico()
    own.order("settler coffee", "Bea")
    other.play("role settler")
    other.order("settler most-vp", "João")
    for one, two in itertools.permutations((own, other)):
        assert turns_of(received(one, two)) == [
            "Bea: order settler take coffee",
            "Ana: role settler",
            "João: order settler most-vp",
        ]


def test_orders_between_the_same_turns_are_in_seat_order() -> None:
    own, other = puerto_rico(), puerto_rico()
    own.order("settler coffee", "João")
    other.order("settler most-vp", "Bea")
    other.order("builder pass", "Bea")
    assert turns_of(received(own, other)) == [
        "Bea: order settler most-vp",
        "Bea: order builder pass",
        "João: order settler take coffee",
    ]


def test_two_seats_that_change_hands_at_the_same_time_agree_in_all_copies() -> None:
    own, other = puerto_rico(), puerto_rico()
    own.seat_to("to Eva", "Ana")
    other.seat_to("to Rui", "Bea")
    both = received(own, other)
    assert turns_of(both) == ["Ana: seat to Eva", "Bea: seat to Rui"]
    for one in (own, other):
        assert received(one, both).digest == received(both, one).digest == both.digest


def test_an_order_divides_a_turn_that_another_copy_has_as_one_item() -> None:
    own, other = begun(kept=True), begun(kept=True)
    while other.game.follow_up(other.state) is None:
        moves = [one for one in other.legal_moves() if other.text(one).startswith("build")]
        own.play((moves or other.legal_moves())[0])
        other = copy(own)
    own.order("act most-vp", "Dan")
    waits = own.state.seat
    for match in (own, other):
        match.play(match.legal_moves()[0], player=waits)
    assert len(own.replay.steps) == len(other.replay.steps) + 1
    assert received(other, own).digest == own.digest
    assert received(own, other).digest == own.digest


def test_an_undo_of_a_turn_and_an_order_are_merged() -> None:
    own, other = puerto_rico(), puerto_rico()
    own.order("settler coffee", "Bea")
    other.play("role settler")
    other.undo("Ana")
    other.play("role builder")
    both = received(own, other)
    assert turns_of(both)[0] == "Bea: order settler take coffee"
    assert turns_of(both)[1:] == turns_of(other)
    assert received(other, own).digest == both.digest


def test_what_a_bot_did_meanwhile_and_an_order_are_merged() -> None:
    own = porto_cli.new_game(NAMES, seed="tram", first="Ana", bots={"Bea": "greedy"})
    porto_cli.play_bots(own)
    for name in ("Ana", "João"):
        own.play("keep 1 2 3", player=name)
    other = copy(own)
    own.order("act most-vp", "João")
    other.play(other.legal_moves()[0])
    porto_cli.play_bots(other)
    assert received(own, other).state == other.state
    assert received(own, other).digest == received(other, own).digest


def test_comments_go_with_their_item_if_others_are_like_it() -> None:
    start = puerto_rico()
    for words in ("role settler", "take corn", "pass", "pass"):
        start.play(words)
    own, other = start, copy(start)
    other.play("role builder")
    while other.state.phase == "builder":
        other.play("pass")
        other.note(f"comment {len(other.replay.steps)}")
    own.order("builder most-vp", "João")
    text = received(own, other).record.text
    assert [line for line in text.splitlines() if "comment" in line] == [
        line for line in other.record.text.splitlines() if "comment" in line
    ]


IN_PORTO = ("act most-vp", "always act most-vp", "contract sensible", "act pass", "none")
IN_PUERTO_RICO = (
    *("settler most-vp", "always captain most-vp", "store sensible", "settler none", "none"),
    *("mayor sensible", "builder most-vp, else pass", "trader most-vp if Ana plays role"),
)


@pytest.mark.long
@given(st.data())
def test_orders_arrive_in_any_sequence(data: st.DataObject) -> None:
    """Everybody moves, keeps, takes back, orders and receives in an own copy. In whatever sequence
    the copies arrive, all players have the same game then; or all find that the copies fork.
    """
    is_porto = data.draw(st.booleans())
    start = begun(players=3) if is_porto else puerto_rico()
    names, orders = start.players, IN_PORTO if is_porto else IN_PUERTO_RICO
    copies: dict[str, Match] = dict.fromkeys(names, start)
    for _ in range(data.draw(st.integers(3, 16))):
        name = data.draw(st.sampled_from(names))
        match = copy(copies[name])
        deed = data.draw(st.sampled_from(["order", "move", "move", "receive"]))
        if deed == "order":
            match.order(data.draw(st.sampled_from(orders)), name)
        elif deed == "receive":
            other = copies[data.draw(st.sampled_from(names))]
            match = copy(received_or_forked(match, other) or match)
        elif match.seat(name) in match.game.secret_movers(match.state):
            match.play("keep 1 2 3", player=name)
        elif match.to_move() == [name]:
            match.play(data.draw(st.sampled_from(match.legal_moves()[:5])), player=name)
            if data.draw(st.integers(0, 6)) == 0:
                match.undo(name)
        porto_cli.play_bots(match)
        copies[name] = match
    results = set()
    for one, two, three in itertools.permutations(copies.values()):
        left = received_or_forked(received_or_forked(one, two), three)
        right = received_or_forked(one, received_or_forked(two, three))
        results |= {each and each.digest for each in (left, right)}
    assert len(results) == 1
