"""Unlocking something else than what was shuffled: refused, and it is known who did it."""

from __future__ import annotations

import pytest

from porto_cli.sealed.primitives import (
    GROUP_ORDER,
    add,
    hash_to_point,
    hash_to_scalar,
    inverse,
    multiply,
)
from porto_cli.sealed.setup import Setup, Unlock
from porto_cli.sealed.unlock import Unlocking, is_proven, opened, prove
from tests.sealed.people import ORDER, OTHER_GAME, place, player, refusal, scalar, unlock

SECRET = hash_to_scalar("test", b"k")
BASE = hash_to_point("test", b"base")
LOCKED = tuple(hash_to_point("test", b"locked", bytes([nth])) for nth in range(4))
OPENED = opened(LOCKED, SECRET)
OTHER = hash_to_point("test", b"other")
HONEST = Unlocking(b"here", BASE, multiply(SECRET, BASE), LOCKED, OPENED)
PROOF = prove(HONEST, SECRET, b"secret")


def test_an_unlocking_is_proven() -> None:
    assert is_proven(HONEST, PROOF)
    assert len(PROOF) == 64
    assert [multiply(SECRET, point) for point in OPENED] == list(LOCKED)


@pytest.mark.parametrize(
    "statement",
    [
        Unlocking(b"there", BASE, HONEST.base_after, LOCKED, OPENED),
        Unlocking(b"here", OTHER, HONEST.base_after, LOCKED, OPENED),
        Unlocking(b"here", BASE, OTHER, LOCKED, OPENED),
        Unlocking(b"here", BASE, HONEST.base_after, LOCKED[::-1], OPENED),
        Unlocking(b"here", BASE, HONEST.base_after, LOCKED[:3], OPENED[:3]),
        Unlocking(b"here", BASE, HONEST.base_after, OPENED, LOCKED),
    ],
    ids=["context", "base", "base after", "order", "fewer", "turned round"],
)
def test_a_proof_holds_for_one_statement(statement: Unlocking) -> None:
    assert not is_proven(statement, PROOF)


def balanced() -> tuple[bytes, ...]:
    """What is added to one point is taken from another, so that the plain sum still fits."""
    minus = multiply(scalar(-1), OTHER)
    return (add(OPENED[0], OTHER), add(OPENED[1], minus), *OPENED[2:])


@pytest.mark.parametrize(
    "cheat",
    [
        (OPENED[1], OPENED[0], *OPENED[2:]),
        (OTHER, *OPENED[1:]),
        (OPENED[1], *OPENED[1:]),
        balanced(),
        opened(LOCKED, hash_to_scalar("test", b"k2")),
        (*OPENED[:3], multiply(scalar(2), OPENED[3])),
        LOCKED,
    ],
    ids=["swapped", "junk", "twice", "balanced", "another scalar", "doubled", "still locked"],
)
def test_what_was_not_unlocked_cannot_be_proven(cheat: tuple[bytes, ...]) -> None:
    statement = Unlocking(b"here", BASE, HONEST.base_after, LOCKED, cheat)
    assert not is_proven(statement, PROOF)
    for claimed in (SECRET, hash_to_scalar("test", b"k2"), inverse(SECRET)):
        assert not is_proven(statement, prove(statement, claimed, b"secret"))


def test_every_byte_of_a_proof_matters() -> None:
    for nth in range(64):
        changed = bytearray(PROOF)
        changed[nth] ^= 1
        assert not is_proven(HONEST, bytes(changed)), nth
    assert not is_proven(HONEST, PROOF[:63])
    assert not is_proven(HONEST, PROOF + b"\0")
    assert not is_proven(HONEST, b"")


@pytest.mark.parametrize("bad", [bytes(32), ORDER, b"\xff" * 32], ids=["zero", "order", "large"])
def test_scalars_that_are_zero_or_not_reduced_are_refused(bad: bytes) -> None:
    assert not is_proven(HONEST, bad + PROOF[32:])
    assert not is_proven(HONEST, PROOF[:32] + bad)


def test_a_second_form_of_a_scalar_is_refused() -> None:
    for half in (0, 32):
        value = int.from_bytes(PROOF[half : half + 32], "little") + GROUP_ORDER
        changed = PROOF[:half] + value.to_bytes(32, "little") + PROOF[half + 32 :]
        assert not is_proven(HONEST, changed)


def test_what_hides_the_scalar_is_never_used_twice() -> None:
    """Used for two statements it would give the scalar away: (s - s') / (c' - c) is k."""
    other = prove(Unlocking(b"there", BASE, HONEST.base_after, LOCKED, OPENED), SECRET, b"secret")
    (c, s), (c2, s2) = (
        (int.from_bytes(proof[:32], "little"), int.from_bytes(proof[32:], "little"))
        for proof in (PROOF, other)
    )
    k = (s - s2) * pow(c2 - c, -1, GROUP_ORDER) % GROUP_ORDER
    assert k != int.from_bytes(SECRET, "little")


# -- at the table: three players with two of eight things, the last one unlocks first

NOT_PROVEN = (
    "unlock-not-proven",
    2,
    "Player 3's unlocking is not proven: something other than what was shuffled has come out, or"
    " the proof is of another game or step.",
)


def reproven(setup: Setup, mine: Unlock) -> Unlock:
    """Return what was changed, with a proof that the cheater makes for it."""
    who = player(2).secrets
    statement = setup.unlocking_of(2, mine, place(setup))
    return mine._replace(proof=prove(statement, who.scalar, who.proof_secret))


def test_swapped_things_are_refused(three: Setup) -> None:
    mine = unlock(three, player(2))
    for first, other in ((0, 1), (0, 2), (1, 3)):
        slots = list(mine.slots)
        slots[first], slots[other] = slots[other], slots[first]
        cheat = reproven(three, mine._replace(slots=tuple(slots)))
        assert refusal(three.with_unlock, cheat, place(three)) == NOT_PROVEN


def test_junk_is_refused(three: Setup) -> None:
    mine = unlock(three, player(2))
    for junk in (OTHER, three.joins[-1].pile[7], three.joins[-1].pile[0]):
        cheat = reproven(three, mine._replace(slots=(junk, *mine.slots[1:])))
        assert refusal(three.with_unlock, cheat, place(three)) == NOT_PROVEN


def test_another_release_voids_the_proof(three: Setup) -> None:
    mine = unlock(three, player(2))._replace(release=bytes(32))
    assert refusal(three.with_unlock, mine, place(three)).kind == "release-invented"


def test_an_unlock_from_another_game_seat_or_step_is_refused(three: Setup) -> None:
    mine = unlock(three, player(2))
    elsewhere = place(three)._replace(previous=bytes(32))
    assert refusal(three.with_unlock, mine, elsewhere) == NOT_PROVEN
    other = three._replace(game=OTHER_GAME)
    assert refusal(other.with_unlock, mine, place(three)).kind == "release-invented"
    after = three.with_unlock(mine, place(three))
    assert refusal(after.with_unlock, mine, place(after)) == (
        "release-invented",
        0,
        "What Player 1 has released does not belong to the chain that was fixed when joining.",
    )
