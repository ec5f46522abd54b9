"""A setup from the first mail to the last, and everything that does not fit into one."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import product

import pytest

from porto_cli.core import INVALID
from porto_cli.sealed import ProofError, first_randomness, multiply, permutation, to_text
from porto_cli.sealed import dealing as setups
from porto_cli.sealed.dealing import Join, SetupState, Unlock, begin
from porto_cli.sealed.steps import Head, SignedStep
from tests.sealed.people import (
    GAME,
    NEUTRAL,
    SMALL,
    Player,
    are_two_versions,
    completed,
    join,
    joined,
    place,
    player,
    refusal,
    sign,
    unlock,
    without_proofs,
)
from tests.shares import for_each


def through_mail(data: dict[str, object]) -> object:
    return json.loads(json.dumps(data))


# -- valid setups


@pytest.mark.long
@pytest.mark.parametrize(("seats", "things", "each"), [(2, 5, 2), (3, 8, 2), (4, 39, 5), (5, 5, 1)])
def test_every_player_gets_things_that_nobody_else_has(seats: int, things: int, each: int) -> None:
    """With every check, and everything through JSON, as it goes from player to player."""
    setup = begin(GAME, seats, things, each)
    for seat in range(seats):
        assert (setup.next_to_join, setup.next_to_unlock) == (seat, None)
        data = through_mail(join(setup, player(seat)).to_json())
        setup = setup.with_join(Join.from_json(data, setup), place(setup))
    for seat in (seats - 1, *range(seats - 1)):
        assert (setup.next_to_join, setup.next_to_unlock) == (None, seat)
        data = through_mail(unlock(setup, player(seat)).to_json())
        setup = setup.with_unlock(Unlock.from_json(data, setup), place(setup))
    assert (setup.next_to_join, setup.next_to_unlock, setup.complete) == (None, None, True)
    hands = [setup.hand(player(seat).secrets) for seat in range(seats)]
    assert [len(hand) for hand in hands] == [each] * seats
    assert len({thing for hand in hands for thing in hand}) == seats * each


def test_what_a_player_gets_follows_from_all_permutations(dealt: SetupState) -> None:
    pile = bytes(range(8))
    for seat in range(3):
        pile = bytes(pile[nth] for nth in player(seat).secrets.permutation(8))
    for seat in range(3):
        assert dealt.hand(player(seat).secrets) == tuple(pile[2 * seat : 2 * seat + 2])


def test_randomness_is_of_all_releases_in_the_order_of_seats(dealt: SetupState) -> None:
    assert dealt.randomness == first_randomness(
        GAME, [player(seat).secrets.release(1) for seat in range(3)]
    )
    for seat in range(3):
        assert dealt.chain(seat).number == 1
        dealt.chain(seat).released(player(seat).secrets.release(2))


def test_without_hidden_things_there_is_nothing_to_shuffle() -> None:
    setup = begin(GAME, 2, 0, 0)
    for seat in range(2):
        data = join(setup, player(seat)).to_json()
        assert set(data) == {"key", "nonce", "commitment", "tip"}
        setup = setup.with_join(Join.from_json(data, setup), place(setup))
    for seat in (1, 0):
        data = unlock(setup, player(seat)).to_json()
        assert set(data) == {"release"}
        setup = setup.with_unlock(Unlock.from_json(data, setup), place(setup))
    assert setup.hand(player(0).secrets) == ()
    assert setup.randomness


def test_a_player_who_drops_out_leaves_a_set_up_that_opens_nothing(three: SetupState) -> None:
    """The last player has unlocked and the others have not: no hand, and no R."""
    started = three.with_unlock(unlock(three, player(2)), place(three))
    assert not started.complete
    for opens in (lambda: started.hand(player(2).secrets), lambda: started.randomness):
        assert refusal(opens) == ("order", "The setup of this game is not complete.")


def test_the_pile_that_nobody_gets_stays_locked(dealt: SetupState) -> None:
    unlocked = {place for seat in range(3) for place in dealt.places_of_others(seat)}
    assert unlocked == set(range(6))


def test_what_was_proven_before_need_not_be_again(
    three: SetupState, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> bool:
        raise AssertionError

    mine = unlock(three, player(2))
    monkeypatch.setattr("porto_cli.sealed.dealing.is_shuffle_proven", fail)
    monkeypatch.setattr("porto_cli.sealed.dealing.is_unlocking_proven", fail)
    setup = begin(GAME, 3, 8, 2)
    for done in three.joins:
        setup = setup.with_join(done, place(setup), proven=True)
    assert setup.with_unlock(mine, place(setup), proven=True).unlocks == (mine,)
    with pytest.raises(AssertionError):
        setup.with_unlock(mine, place(setup))


# -- terms


@for_each(
    ("seats", "things", "each"),
    [(1, 5, 2), (0, 5, 2), (3, 8, 3), (2, 5, 0), (2, 0, 1), (2, 257, 2), (2, 5, -1), (2, -1, 0)],
)
def test_what_cannot_be_dealt_is_refused(seats: int, things: int, each: int) -> None:
    assert refusal(begin, GAME, seats, things, each) == (
        "terms",
        f"{each} hidden things for each of {seats} players cannot be dealt from a pile of"
        f" {things}.",
    )


# -- whose turn


def test_players_take_part_in_their_order_only(three: SetupState, dealt: SetupState) -> None:
    start = begin(GAME, 3, 8, 2)
    for setup, do, seat in (
        (start, join, 1),
        (start, unlock, 0),
        (three, join, 0),
        (three, unlock, 0),
        (dealt, unlock, 2),
    ):
        assert refusal(do, setup, player(seat)) == (
            "order",
            "It is the turn of another player to take part in the setup.",
        )
    assert refusal(three.with_join, three.joins[0], place(three)).kind == "order"
    assert refusal(start.with_unlock, dealt.unlocks[0], place(start)).kind == "order"
    assert refusal(dealt.with_unlock, dealt.unlocks[0], place(dealt)).kind == "order"


def test_secrets_of_another_game_are_refused(three: SetupState) -> None:
    other = player(2, game=b"o" * 32)
    assert refusal(unlock, three, other).kind == "order"


def test_secrets_of_another_attempt_open_nothing(dealt: SetupState) -> None:
    assert refusal(dealt.hand, player(1, "again").secrets) == (
        "secrets-of-another",
        "These are not the secrets that the player has joined with: nothing opens.",
    )


def test_nothing_can_stand_between_the_steps_of_a_set_up(three: SetupState) -> None:
    """Else somebody could be asked to unlock at two heights, after two shuffles of another."""
    later = place(three)._replace(height=5)
    mine = unlock(three, player(2))
    assert refusal(three.with_unlock, mine, later) == (
        "step-height",
        "Step 5 has to be step 4: no other steps come between those of a setup.",
    )
    start = begin(GAME, 3, 8, 2)
    moved = place(start)._replace(height=2)
    assert refusal(start.with_join, three.joins[0], moved).kind == "step-height"


# -- copies


@pytest.mark.parametrize("field", ["tip", "commitment", "nonce"])
def test_a_copied_tip_commitment_or_nonce_is_refused(
    field: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_proofs(monkeypatch)
    setup = joined(3, 8, 2, 2)
    stolen = {field: getattr(setup.joins[0], field)}
    mine = join(setup, player(2))._replace(**stolen)
    assert refusal(setup.with_join, mine, place(setup)) == (
        f"{field}-copied",
        f"The join has a copy of what another player has published in the field '{field}':"
        " the secrets of two players are never the same.",
    )


# -- points


def mixed(point: bytes) -> bytes:
    from porto_cli.sealed import add

    return add(point, SMALL)


BAD_POINTS: list[Callable[[bytes], bytes]] = [
    mixed,
    lambda point: SMALL,
    lambda point: NEUTRAL,
    lambda point: bytes(32),
    lambda point: b"\xff" * 32,
]


@pytest.mark.parametrize("bad", BAD_POINTS)
@pytest.mark.parametrize("nth", [0, 7])
def test_points_outside_the_group_are_refused_in_a_pile(
    bad: Callable[[bytes], bytes], nth: int
) -> None:
    start = begin(GAME, 3, 8, 2)
    mine = join(start, player(0))
    pile = list(mine.pile)
    pile[nth] = bad(pile[nth])
    data = through_mail(mine._replace(pile=tuple(pile)).to_json())
    assert refusal(start.with_join, Join.from_json(data, start), place(start)) == (
        "point",
        f"The field 'pile' must hold points only, but number {nth + 1} is outside the group or not "
        "encoded canonically.",
    )


@pytest.mark.parametrize("bad", BAD_POINTS)
@pytest.mark.parametrize("field", ["base", "key"])
def test_points_outside_the_group_are_refused_as_base_and_key(
    bad: Callable[[bytes], bytes], field: str
) -> None:
    start = begin(GAME, 3, 8, 2)
    mine = join(start, player(0))
    mine = mine._replace(**{field: bad(getattr(mine, field))})
    assert refusal(start.with_join, mine, place(start)).kind == "point"


@pytest.mark.parametrize("bad", BAD_POINTS)
def test_points_outside_the_group_are_refused_in_an_unlock(
    three: SetupState, bad: Callable[[bytes], bytes]
) -> None:
    mine = unlock(three, player(2))
    mine = mine._replace(slots=(*mine.slots[:3], bad(mine.slots[3])))
    assert refusal(three.with_unlock, mine, place(three)).kind == "point"


def test_a_key_is_checked_where_nothing_is_dealt() -> None:
    start = begin(GAME, 2, 0, 0)
    mine = join(start, player(0))._replace(key=SMALL)
    assert refusal(start.with_join, mine, place(start)).kind == "point"


# -- forms


START = begin(GAME, 3, 8, 2)
VALUES: list[object] = [True, 1, 1.5, None, [], ["AA=="], {}, b"AA==", ("AA==",)]


def test_anything_but_text_is_refused() -> None:
    data = {**dict.fromkeys(("key", "base", "commitment", "tip"), to_text(bytes(32)))}
    data |= {"nonce": to_text(bytes(16)), "pile": to_text(bytes(256)), "proof": ""}
    assert Join.from_json(data, START).proof == b""
    for field, value in product(data, VALUES):
        refused_ = refusal(Join.from_json, {**data, field: value}, START)
        assert refused_.kind == "form", (field, value)
        assert refused_.text == (
            f"The field '{field}' has {str(value)!r}, but must be a text in base64."
        )


@for_each(
    "text",
    [
        "A",
        "AA",
        "AA=",
        "AA===",
        "AB==",  # bits behind the last byte
        "AA==\n",
        " AA==",
        "A A==",
        "AA==AA==",
        "__==",
        "Aé==",
        "=",
        "\x00A==",
    ],
)
def test_invalid_base64_is_refused(text: str) -> None:
    data = {"release": text}
    start = begin(GAME, 2, 0, 0)
    for seat in range(2):
        start = start.with_join(join(start, player(seat)), place(start))
    assert refusal(Unlock.from_json, data, start) == (
        "base64",
        "The field 'release' is not base64 as this program writes it: it was cut off, mistyped or"
        " changed on its way.",
    )


def test_fields_of_another_length_are_refused() -> None:
    mine = join(START, player(0)).to_json()
    for field, size in (("key", 32), ("nonce", 16), ("tip", 32), ("pile", 256), ("base", 32)):
        for count in (0, size - 1, size + 1, 2 * size):
            refused_ = refusal(Join.from_json, {**mine, field: to_text(bytes(count))}, START)
            assert refused_.text == (
                f"The field '{field}' has {count} bytes, but must have {size}: it was cut off or"
                " changed."
            )


@pytest.mark.parametrize("data", [None, True, [], "join", 1, [("key", "AA==")]], ids=repr)
def test_anything_but_a_mapping_is_refused(data: object, three: SetupState) -> None:
    for kind, setup in ((Join, START), (Unlock, three)):
        assert refusal(kind.from_json, data, setup).text.startswith(
            "Machine data of a sealed game is a mapping of fields, not "
        )


def test_missing_and_unknown_fields_are_refused() -> None:
    mine = join(START, player(0)).to_json()
    fewer = {field: text for field, text in mine.items() if field != "tip"}
    assert refusal(Join.from_json, fewer, START).text == (
        "Machine data of a sealed game has no field 'tip'."
    )
    for more in ("Tip", "tip ", True, 1):
        assert refusal(Join.from_json, {**mine, more: "AA=="}, START).text == (
            f"Machine data of a sealed game has an unknown field {str(more)!r}."
        )


# -- what is said


def test_an_error_names_the_step_and_who_signed() -> None:
    error = ProofError("It is wrong.")
    assert str(error) == "It is wrong."
    assert error.exit_code == INVALID
    assert str(ProofError("It is wrong.", 7, "Berta")) == (
        "It is wrong.\nThis is in step 7, signed by Berta."
    )
    assert str(ProofError("It is wrong.", 7)) == "It is wrong.\nThis is in step 7."


def test_a_set_up_is_a_value() -> None:
    start = begin(GAME, 3, 8, 2)
    start.with_join(join(start, player(0)), place(start))
    assert start.joins == ()
    with pytest.raises(AttributeError):
        start.joins = ()  # type: ignore[misc]


def test_a_thing_in_the_hand_is_the_thing_of_the_pile(dealt: SetupState) -> None:
    """Whoever sees the secrets can check it with one multiplication."""
    for seat in range(3):
        secrets = player(seat).secrets
        for point, thing in zip(dealt.own(seat), dealt.hand(secrets), strict=True):
            assert multiply(secrets.scalar, dealt.pile_before(0)[thing]) == point


def test_every_seat_sees_its_own_things_only(dealt: SetupState) -> None:
    """With all scalars but the owner's, a place of the owner is no element of the pile."""
    from porto_cli.sealed import inverse

    points = set(dealt.pile_before(0))
    for owner in range(3):
        for other in range(3):
            scalar = inverse(player(other).secrets.scalar)
            seen = {multiply(scalar, point) for point in dealt.own(owner)}
            assert seen <= points if other == owner else seen.isdisjoint(points)


def test_a_permutation_is_not_that_of_the_proofs(dealt: SetupState) -> None:
    secrets = player(0).secrets
    assert secrets.permutation(39) == permutation(39, "permutation", secrets.seed)
    assert isinstance(completed(dealt), SetupState)
    assert ProofError.exit_code == INVALID


def test_more_or_fewer_points_than_there_are_places_are_refused(three: SetupState) -> None:
    """What is left over when two lists of different lengths meet would not be proven."""
    start = begin(GAME, 3, 8, 2)
    mine = three.joins[0]
    for pile in (mine.pile[:7], (*mine.pile, SMALL), ()):
        assert refusal(start.with_join, mine._replace(pile=pile), place(start)).text == (
            f"The step of the setup has {len(pile)} points instead of 8."
        )
    done = unlock(three, player(2))
    more = done._replace(slots=(*done.slots, SMALL))
    assert refusal(three.with_unlock, more, place(three)).kind == "form"
    bare = begin(GAME, 2, 0, 0)
    assert refusal(bare.with_join, mine, place(bare)).kind == "form"


def join_and_sign(setup: SetupState, head: Head, who: Player) -> SignedStep:
    mine = setups.join(setup, who.secrets, who.identity.public, who.nonce, head.place)
    return sign(head, who.identity, {"by": who.secrets.seat, "join": mine.to_json()})


def join_of(step: SignedStep, setup: SetupState) -> Join:
    return Join.from_json(step.content["join"], setup)


@pytest.mark.long
def test_a_forked_pile_is_refused_and_proves_who_has_made_two() -> None:
    """The second player has joined in two ways, and shows each to somebody else."""
    head = Head.of_genesis(GAME)
    setup = begin(GAME, 3, 5, 1)
    first = join_and_sign(setup, head, player(0))
    setup = setup.with_join(join_of(first, setup), first.place)
    head = head.after(first, player(0).identity.public)
    again = player(1, "again")._replace(identity=player(1).identity)
    one, other = (join_and_sign(setup, head, who) for who in (player(1), again))
    seen = [setup.with_join(join_of(step, setup), step.place) for step in (one, other)]
    third = join_and_sign(seen[0], head.after(one, player(1).identity.public), player(2))
    assert refusal(seen[1].with_join, join_of(third, seen[1]), third.place).kind == (
        "shuffle-not-proven"
    )
    assert refusal(head.after, third, player(2).identity.public).kind == "step-height"
    assert are_two_versions(GAME, player(1).identity.public, one, other)
