"""Shuffles that are none: each cheat is really tried, with the best proof the cheater can make."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import permutations

import pytest

from porto_cli.sealed import dealing as proofs
from porto_cli.sealed import (
    hash_to_point,
    hash_to_scalar,
    inverse,
    inverted,
    multiply,
    number,
    permutation,
    short_hash,
    thing_points,
    weighted_sum,
)
from porto_cli.sealed.dealing import (
    Join,
    SetupState,
    Shuffle,
    is_shuffle_proven,
    prove_shuffle,
    shuffled,
    unlock,
)
from tests.sealed.people import (
    GAME,
    ORDER,
    OTHER_GAME,
    completed,
    join,
    joined,
    place,
    player,
    refusal,
    scalar,
)

COUNT = 5
SECRET = hash_to_scalar("test", b"k")
MIX = bytes([3, 0, 4, 2, 1])
BASE = hash_to_point("test", b"base")
PILE = thing_points(GAME, COUNT)
HONEST = Shuffle(b"here", BASE, PILE, multiply(SECRET, BASE), shuffled(PILE, SECRET, MIX))
PROOF = prove_shuffle(HONEST, SECRET, MIX, b"secret")


def changed(**parts: object) -> Shuffle:
    """Return another statement than the one that was proven."""
    facts: dict[str, object] = {
        name: getattr(HONEST, name)
        for name in ("context", "base_before", "before", "base_after", "after")
    }
    return Shuffle(**{**facts, **parts})  # type: ignore[arg-type]


def best_proof(statement: Shuffle, scalar_: bytes, order: bytes, tries: int = 1) -> bytes:
    """Return the best proof a cheater can make of what is not true.

    For every round it guesses what will be asked, and has the answer to that only. After ``tries``
    guesses it takes the proof in which most rounds fit, and hopes.
    """
    best, most = b"", -1
    for attempt in range(tries):
        guess = short_hash("test guess", number(attempt))
        rounds = []
        for nth in range(proofs.ROUNDS):
            seed = short_hash("test seed", number(attempt), number(nth))[:16]
            own, mixed = proofs._choices(statement, nth, seed)
            if not proofs._bit(guess, nth):
                rounds.append((0, seed, proofs._from_before(statement, nth, seed)))
                continue
            made = proofs._commitment(nth, own, statement.base_after, statement.after, mixed)
            rounds.append((1, own + mixed, made))
        challenge = proofs._challenge(statement, [made for _, _, made in rounds])
        fitting = [bit == proofs._bit(challenge, nth) for nth, (bit, _, _) in enumerate(rounds)]
        if sum(fitting) > most:
            most = sum(fitting)
            back = inverse(scalar_)
            places = inverted(order)
            answers = []
            for nth, (bit, answer, _) in enumerate(rounds):
                asked = proofs._bit(challenge, nth)
                if asked == bit:
                    answers.append(answer)
                elif asked:
                    own, mixed = proofs._choices(statement, nth, answer)
                    answers.append(
                        proofs.product(own, back) + bytes(places[there] for there in mixed)
                    )
                else:
                    answers.append(short_hash("test seed", number(attempt), number(nth))[:16])
            best = challenge + b"".join(answers)
        if all(fitting):
            break
    return best


# -- the proof itself


@pytest.mark.long
def test_a_shuffle_is_proven() -> None:
    assert is_shuffle_proven(HONEST, PROOF)
    assert prove_shuffle(HONEST, SECRET, MIX, b"secret") == PROOF, "the same again"
    assert is_shuffle_proven(HONEST, prove_shuffle(HONEST, SECRET, MIX, b"another secret"))


def test_a_proof_of_39_things_has_about_3500_bytes() -> None:
    """40 seeds of 16 bytes and 40 times scalar and order, more or less as the bits fall."""
    assert 10 + 80 * 16 <= len(PROOF) <= 10 + 80 * (32 + COUNT)
    assert 3000 < 10 + 40 * 16 + 40 * (32 + 39) < 4000
    assert proofs.ROUNDS == 80


OTHER = hash_to_point("test", b"other")


@pytest.mark.parametrize(
    "parts",
    [
        {"context": b"there"},
        {"base_before": OTHER},
        {"base_after": OTHER},
        {"before": (OTHER, *PILE[1:])},
        {"before": PILE[::-1]},
        {"after": (OTHER, *HONEST.after[1:])},
        {"after": HONEST.after[::-1]},
        {"base_before": HONEST.base_after, "base_after": HONEST.base_before},
        {"before": HONEST.after, "after": HONEST.before},
    ],
    ids=str,
)
def test_a_proof_holds_for_one_statement(parts: dict[str, object]) -> None:
    assert not is_shuffle_proven(changed(**parts), PROOF)


def answers(proof: bytes) -> Iterator[tuple[int, int, int]]:
    """Return bit, beginning and end of each answer in a proof."""
    start = proofs.ROUNDS // 8
    for nth in range(proofs.ROUNDS):
        bit = proofs._bit(proof, nth)
        end = start + (32 + COUNT if bit else 16)
        yield bit, start, end
        start = end


def replaced(proof: bytes, start: int, new: bytes) -> bytes:
    return proof[:start] + new + proof[start + len(new) :]


def test_every_part_of_a_proof_matters() -> None:
    assert not is_shuffle_proven(HONEST, b"")
    assert not is_shuffle_proven(HONEST, PROOF[:-1])
    assert not is_shuffle_proven(HONEST, PROOF + b"\0")
    assert not is_shuffle_proven(HONEST, PROOF[:5])
    for start in (0, 9, *(start for _, start, _ in list(answers(PROOF))[::19])):
        assert not is_shuffle_proven(HONEST, replaced(PROOF, start, bytes([PROOF[start] ^ 1])))


@pytest.mark.parametrize("bad", [bytes(32), ORDER, b"\xff" * 32], ids=["zero", "order", "large"])
def test_a_scalar_that_is_zero_or_not_reduced_is_refused(bad: bytes) -> None:
    start = next(start for bit, start, _ in answers(PROOF) if bit)
    assert not is_shuffle_proven(HONEST, replaced(PROOF, start, bad))


def test_a_second_form_of_the_same_scalar_is_refused() -> None:
    """A proof has one form only: with another one, the same step would have two hashes."""
    from porto_cli.sealed import GROUP_ORDER

    start = next(start for bit, start, _ in answers(PROOF) if bit)
    value = int.from_bytes(PROOF[start : start + 32], "little") + GROUP_ORDER
    assert not is_shuffle_proven(HONEST, replaced(PROOF, start, value.to_bytes(32, "little")))


@pytest.mark.parametrize("order", [bytes(COUNT), bytes([0, 1, 2, 3, 5]), b"\xff" * COUNT])
def test_an_order_that_is_no_permutation_is_refused(order: bytes) -> None:
    end = next(end for bit, _, end in answers(PROOF) if bit)
    assert not is_shuffle_proven(HONEST, replaced(PROOF, end - COUNT, order))


# -- cheats


def with_duplicate() -> tuple[bytes, ...]:
    return (HONEST.after[1], *HONEST.after[1:])


def with_junk() -> tuple[bytes, ...]:
    return (OTHER, *HONEST.after[1:])


def tagged() -> tuple[bytes, ...]:
    """One thing is multiplied by 7 as well, to be recognized after all the other shuffles."""
    return (multiply(scalar(7), HONEST.after[0]), *HONEST.after[1:])


def with_sum() -> tuple[bytes, ...]:
    weights = [scalar(1), scalar(100), scalar(10000)]
    return (weighted_sum(weights, HONEST.after[1:4]), *HONEST.after[1:])


def shifted() -> tuple[bytes, ...]:
    """All points are moved by the same point: sums of differences would still fit."""
    return tuple(shuffle_add(point) for point in HONEST.after)


def shuffle_add(point: bytes) -> bytes:
    return weighted_sum([scalar(1), scalar(1)], [point, OTHER])


def with_another_scalar() -> tuple[bytes, ...]:
    return shuffled(PILE, hash_to_scalar("test", b"k2"), MIX)


CHEATS = [with_duplicate, with_junk, tagged, with_sum, shifted, with_another_scalar]


@pytest.mark.long
@pytest.mark.parametrize("cheat", CHEATS, ids=lambda cheat: cheat.__name__)
def test_an_invalid_shuffle_cannot_be_proven(cheat: Callable[[], tuple[bytes, ...]]) -> None:
    statement = changed(after=cheat())
    assert not is_shuffle_proven(statement, PROOF)
    assert not is_shuffle_proven(statement, prove_shuffle(statement, SECRET, MIX, b"secret"))
    assert not is_shuffle_proven(statement, best_proof(statement, SECRET, MIX))


@pytest.mark.long
def test_guessing_succeeds_once_in_two_to_the_number_of_rounds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The only bound there is: with 8 rounds some 256 tries are enough, with 80 it takes 2**80.

    This is also the proof that the cheater of these tests does the best that can be done.
    """
    monkeypatch.setattr(proofs, "ROUNDS", 8)
    statement = changed(
        before=PILE[:1], after=(OTHER,), base_after=multiply(SECRET, BASE), base_before=BASE
    )
    assert not is_shuffle_proven(statement, best_proof(statement, SECRET, b"\0", tries=4))
    assert is_shuffle_proven(statement, best_proof(statement, SECRET, b"\0", tries=4096))


def test_a_proof_shows_nothing_that_is_the_same_in_two_proofs() -> None:
    """No answer repeats: neither scalar nor order nor seed of one round is used in another."""
    other = prove_shuffle(HONEST, SECRET, MIX, b"another secret")
    shown = [
        proof[start : start + 16] for proof in (PROOF, other) for _, start, _ in answers(proof)
    ]
    assert len(set(shown)) == len(shown) == 160


# -- cheats at the table


def refused_join(setup: SetupState, mine: Join) -> tuple[str, int | None, str]:
    return refusal(setup.with_join, mine, place(setup))


NOT_PROVEN = (
    "The shuffle is not proven: the proof does not fit this game, this step and the pile"
    " before and after it. Nothing was unlocked: all things are still hidden."
)


def cheating_join(setup: SetupState, pile: Sequence[bytes], base: bytes | None = None) -> Join:
    """Return what the next player joins with: another pile, and the best proof for it."""
    who = player(len(setup.joins))
    honest = join(setup, who)
    mine = honest._replace(pile=tuple(pile), base=base or honest.base)
    statement = setup.shuffle_of(who.secrets.seat, mine, place(setup))
    order = who.secrets.permutation(setup.things)
    return mine._replace(proof=best_proof(statement, who.secrets.scalar, order))


@pytest.fixture(scope="module")
def two_joined() -> SetupState:
    return joined(3, 6, 1, 2)


def sum_attack(setup: SetupState) -> tuple[bytes, ...]:
    """Return the pile in which the last player's own place has a sum of the others' things."""
    mine = player(2).secrets
    honest = shuffled(setup.pile_before(2), mine.scalar, mine.permutation(setup.things))
    weights = [scalar(1), scalar(1000)]
    pile = list(honest)
    pile[2] = weighted_sum(weights, [honest[0], honest[1]])
    return tuple(pile)


@pytest.mark.long
def test_the_sum_attack_would_work_without_the_proof(two_joined: SetupState) -> None:
    """The reason for all of this: one place tells the things of both other players."""
    attacker = player(2)
    setup = two_joined.with_join(
        cheating_join(two_joined, sum_attack(two_joined)), place(two_joined), proven=True
    )
    setup = completed(setup)
    opened = multiply(inverse(attacker.secrets.scalar), setup.own(2)[0])
    points = thing_points(GAME, 6)
    weights = [scalar(1), scalar(1000)]
    found = [
        pair
        for pair in permutations(range(6), 2)
        if weighted_sum(weights, [points[nth] for nth in pair]) == opened
    ]
    victims = [setup.hand(player(seat).secrets)[0] for seat in (0, 1)]
    assert found == [tuple(victims)]


@pytest.mark.long
def test_the_sum_attack_is_refused_before_anything_opens(two_joined: SetupState) -> None:
    mine = cheating_join(two_joined, sum_attack(two_joined))
    assert refused_join(two_joined, mine) == ("shuffle-not-proven", NOT_PROVEN)


@pytest.mark.long
def test_nobody_can_unlock_before_all_shuffles_are_proven(two_joined: SetupState) -> None:
    for seat in range(3):
        refused = refusal(unlock, two_joined, player(seat).secrets, place(two_joined))
        assert refused.kind == "order"


@pytest.mark.long
def test_a_shuffle_that_peeks_is_refused(two_joined: SetupState) -> None:
    """It leaves out the shuffle before it, and so knows the order in which things lie."""
    mine = player(2).secrets
    peeked = shuffled(two_joined.pile_before(0), mine.scalar, mine.permutation(6))
    assert refused_join(two_joined, cheating_join(two_joined, peeked)).text == NOT_PROVEN


@pytest.mark.long
def test_tags_however_small_are_refused(two_joined: SetupState) -> None:
    honest = list(join(two_joined, player(2)).pile)
    for tag in (2, -1):
        pile = [multiply(scalar(tag), honest[0]), *honest[1:]]
        refused = refused_join(two_joined, cheating_join(two_joined, pile))
        assert refused[0] == "shuffle-not-proven", tag
    times_input = [multiply(scalar(2), two_joined.pile_before(2)[0]), *honest[1:]]
    assert refused_join(two_joined, cheating_join(two_joined, times_input)).text == NOT_PROVEN


@pytest.mark.long
def test_a_base_that_does_not_fit_the_pile_is_refused(two_joined: SetupState) -> None:
    """With it the player could later unlock by another number than it has multiplied by."""
    pile = join(two_joined, player(2)).pile
    refused = refused_join(two_joined, cheating_join(two_joined, pile, base=OTHER))
    assert refused.text == NOT_PROVEN


@pytest.mark.long
def test_a_duplicate_is_named(two_joined: SetupState) -> None:
    honest = join(two_joined, player(2)).pile
    mine = cheating_join(two_joined, (honest[1], *honest[1:]))
    assert refused_join(two_joined, mine) == (
        "shuffle-duplicate",
        "The shuffle has the same thing twice: another was thrown out.",
    )


@pytest.mark.long
def test_multiplying_by_one_is_refused_though_it_could_be_proven(two_joined: SetupState) -> None:
    one = scalar(1)
    order = permutation(6, "test")
    who = player(2)
    mine = join(two_joined, who)._replace(
        base=two_joined.base_before(2), pile=shuffled(two_joined.pile_before(2), one, order)
    )
    statement = two_joined.shuffle_of(2, mine, place(two_joined))
    mine = mine._replace(proof=prove_shuffle(statement, one, order, b"secret"))
    assert is_shuffle_proven(statement, mine.proof)
    assert refused_join(two_joined, mine) == (
        "shuffle-open",
        "The shuffle leaves a thing unchanged, so everybody can see where it went.",
    )


@pytest.mark.long
def test_a_proof_from_another_game_seat_or_step_is_refused(two_joined: SetupState) -> None:
    mine = join(two_joined, player(2))
    here = place(two_joined)
    assert two_joined.with_join(mine, here).next_to_join is None
    elsewhere = two_joined._replace(game=OTHER_GAME)
    assert refusal(elsewhere.with_join, mine, here).text == NOT_PROVEN
    more = two_joined._replace(seats=4)
    assert refusal(more.with_join, mine, here).text == NOT_PROVEN
    after_another = here._replace(previous=bytes(32))
    assert refusal(two_joined.with_join, mine, after_another).text == NOT_PROVEN
    # What the second player has published, again from the third: same pile, same proof.
    copied = {"tip": mine.tip, "commitment": mine.commitment, "nonce": mine.nonce}
    again = two_joined.joins[1]._replace(**copied)
    assert refused_join(two_joined, again)[0] == "shuffle-open"


@pytest.mark.long_for("key")
@pytest.mark.parametrize("field", ["key", "nonce", "commitment", "tip"])
def test_nothing_else_in_a_join_can_be_exchanged(two_joined: SetupState, field: str) -> None:
    mine = join(two_joined, player(2))
    other = join(two_joined, player(2, "another"))
    mixed = mine._replace(**{field: getattr(other, field)})
    assert refused_join(two_joined, mixed).text == NOT_PROVEN
