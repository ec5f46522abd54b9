"""The end of a game: seeds and what was kept come out, and must be what was fixed before."""

from __future__ import annotations

import pytest

from porto_cli.sealed import (
    GROUP_ORDER,
    GameSecrets,
    add,
    check_opening,
    hash_to_point,
    hash_to_scalar,
    inverse,
    kept_commitment,
    multiply,
)
from porto_cli.sealed.dealing import (
    Join,
    SetupState,
    Unlock,
    Unlocking,
    audit,
    begin,
    is_unlocking_proven,
    opened,
    prove_unlocking,
)
from porto_cli.sealed.dealing import join as joining
from tests.sealed.people import (
    GAME,
    ORDER,
    OTHER_GAME,
    join,
    place,
    player,
    refusal,
    scalar,
    unlock,
    without_proofs,
)


def seed(seat: int, word: str = "") -> bytes:
    return player(seat, word).secrets.seed


@pytest.mark.long
def test_a_revealed_seed_shows_what_was_dealt(dealt: SetupState) -> None:
    for seat in range(3):
        secrets = player(seat).secrets
        known, numbers = audit(dealt, seat, seed(seat), [secrets.release(1), secrets.release(2)])
        assert numbers == dealt.hand(secrets)
        assert known.salt(9) == secrets.salt(9)


@pytest.mark.long
def test_what_others_had_can_be_shown_though_somebody_never_reveals(dealt: SetupState) -> None:
    """Each audit needs the one seed only; nobody asks for that of the player who is gone."""
    assert [audit(dealt, seat, seed(seat))[1] for seat in (0, 2)] == [
        dealt.hand(player(seat).secrets) for seat in (0, 2)
    ]


def test_a_wrong_seed_is_refused(dealt: SetupState) -> None:
    for wrong in (bytes(32), seed(1, "again"), seed(0), seed(1)[:31], seed(1) + b"\0", b""):
        assert refusal(audit, dealt, 1, wrong) == (
            "seed-wrong",
            "What was revealed is not the seed committed to when joining.",
        )


def test_a_seed_of_another_length_is_refused_though_it_was_fixed() -> None:
    """Everything could follow from it; but another program may read 32 bytes and no more."""
    short = GameSecrets(b"short", GAME, 0)
    setup = begin(GAME, 2, 0, 0)
    mine = joining(setup, short, player(0).identity.public, bytes(16), place(setup))
    setup = setup.with_join(mine, place(setup))
    assert refusal(audit, setup, 0, b"short").kind == "seed-wrong"


def with_second_join(setup: SetupState, changed: Join) -> SetupState:
    return setup._replace(joins=(setup.joins[0], changed, setup.joins[2]))


def test_a_chain_that_is_not_of_the_seed_is_found(dealt: SetupState) -> None:
    setup = with_second_join(dealt, dealt.joins[1]._replace(tip=bytes(32)))
    assert refusal(audit, setup, 1, seed(1)).kind == "chain-not-of-seed"


def test_a_release_that_is_not_of_the_seed_is_found(dealt: SetupState) -> None:
    released = [player(1).secrets.release(nth) for nth in (1, 2, 4)]
    assert refusal(audit, dealt, 1, seed(1), released) == (
        "release-not-of-seed",
        "Release number 3 does not follow from the seed.",
    )


def test_a_shuffle_that_is_not_of_the_seed_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is a proven shuffle; but its order was chosen, and not by the seed."""
    without_proofs(monkeypatch)
    start = begin(GAME, 2, 5, 2)
    mine = join(start, player(0))
    other = join(start, player(0, "another"))
    for mixed in (mine._replace(pile=mine.pile[::-1]), mine._replace(base=other.base)):
        setup = start.with_join(mixed, place(start))
        assert refusal(audit, setup, 0, seed(0)) == (
            "shuffle-not-of-seed",
            "The shuffle is not the one that follows from the seed.",
        )


def test_an_unlock_that_is_not_of_the_seed_is_found(three: SetupState) -> None:
    mine = unlock(three, player(2))
    junk = mine._replace(slots=(hash_to_point("test", b"junk"), *mine.slots[1:]))
    setup = three.with_unlock(junk, place(three), proven=True)
    assert refusal(audit, setup, 2, seed(2)) == (
        "unlock-not-of-seed",
        "Something other than what was shuffled was unlocked.",
    )


def test_a_set_up_that_was_never_completed_can_be_audited(three: SetupState) -> None:
    assert audit(three, 0, seed(0))[1] == ()


def test_nothing_hidden_is_audited_too() -> None:
    setup = begin(GAME, 2, 0, 0)
    setup = setup.with_join(join(setup, player(0)), place(setup))
    assert audit(setup, 0, seed(0))[1] == ()
    assert refusal(audit, setup, 0, bytes(32)).kind == "seed-wrong"


# -- kept things

SALT = player(1).secrets.salt(12)
DEALT = bytes([3, 5, 5, 8, 9])
KEPT = kept_commitment(GAME, 1, SALT, bytes([8, 5, 3]))


def test_what_was_kept_is_shown_in_any_order() -> None:
    for things in ([3, 5, 8], [5, 8, 3]):
        check_opening(GAME, 1, KEPT, SALT, bytes(things), DEALT)
    twice = kept_commitment(GAME, 1, SALT, bytes([5, 5, 3]))
    check_opening(GAME, 1, twice, SALT, bytes([3, 5, 5]), DEALT)


@pytest.mark.parametrize("things", [[3, 5, 7], [3, 3, 5], [3, 5, 5, 5], [1, 2, 4]], ids=str)
def test_only_dealt_contracts_can_have_been_kept(things: list[int]) -> None:
    """Even if it is what was committed to: the commitment was made without anybody looking."""
    committed = kept_commitment(GAME, 1, SALT, bytes(things))
    assert refusal(check_opening, GAME, 1, committed, SALT, bytes(things), DEALT) == (
        "kept-not-dealt",
        "Something is claimed to have been kept that was not dealt to this player.",
    )


@pytest.mark.parametrize("things", [[3, 5, 9], [3, 5], [3, 5, 5], [], [3, 5, 8, 9]], ids=str)
def test_another_choice_at_the_end_is_refused(things: list[int]) -> None:
    assert refusal(check_opening, GAME, 1, KEPT, SALT, bytes(things), DEALT) == (
        "kept-not-committed",
        "What is claimed to have been kept is not what was committed to when choosing.",
    )


def test_a_copied_commitment_cannot_be_opened_by_another_player() -> None:
    for game, seat in ((GAME, 0), (OTHER_GAME, 1)):
        assert refusal(check_opening, game, seat, KEPT, SALT, bytes([3, 5, 8]), DEALT).kind == (
            "kept-not-committed"
        )
    salt = player(1).secrets.salt(13)
    assert refusal(check_opening, GAME, 1, KEPT, salt, bytes([3, 5, 8]), DEALT).kind == (
        "kept-not-committed"
    )


# --- unlocking --------------------------------------------------------------------------------


SECRET = hash_to_scalar("test", b"k")
BASE = hash_to_point("test", b"base")
LOCKED = tuple(hash_to_point("test", b"locked", bytes([nth])) for nth in range(4))
OPENED = opened(LOCKED, SECRET)
OTHER = hash_to_point("test", b"other")
HONEST = Unlocking(b"here", BASE, multiply(SECRET, BASE), LOCKED, OPENED)
PROOF = prove_unlocking(HONEST, SECRET, b"secret")


def test_an_unlocking_is_proven() -> None:
    assert is_unlocking_proven(HONEST, PROOF)
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
    assert not is_unlocking_proven(statement, PROOF)


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
def test_a_locked_value_cannot_be_proven(cheat: tuple[bytes, ...]) -> None:
    statement = Unlocking(b"here", BASE, HONEST.base_after, LOCKED, cheat)
    assert not is_unlocking_proven(statement, PROOF)
    for claimed in (SECRET, hash_to_scalar("test", b"k2"), inverse(SECRET)):
        assert not is_unlocking_proven(statement, prove_unlocking(statement, claimed, b"secret"))


def test_every_byte_of_a_proof_matters() -> None:
    for nth in range(64):
        changed = bytearray(PROOF)
        changed[nth] ^= 1
        assert not is_unlocking_proven(HONEST, bytes(changed)), nth
    assert not is_unlocking_proven(HONEST, PROOF[:63])
    assert not is_unlocking_proven(HONEST, PROOF + b"\0")
    assert not is_unlocking_proven(HONEST, b"")


@pytest.mark.parametrize("bad", [bytes(32), ORDER, b"\xff" * 32], ids=["zero", "order", "large"])
def test_scalars_that_are_zero_or_not_reduced_are_refused(bad: bytes) -> None:
    assert not is_unlocking_proven(HONEST, bad + PROOF[32:])
    assert not is_unlocking_proven(HONEST, PROOF[:32] + bad)


def test_a_second_form_of_a_scalar_is_refused() -> None:
    for half in (0, 32):
        value = int.from_bytes(PROOF[half : half + 32], "little") + GROUP_ORDER
        changed = PROOF[:half] + value.to_bytes(32, "little") + PROOF[half + 32 :]
        assert not is_unlocking_proven(HONEST, changed)


def test_what_hides_the_scalar_is_never_used_twice() -> None:
    """Used for two statements it would give the scalar away: (s - s') / (c' - c) is k."""
    other = prove_unlocking(
        Unlocking(b"there", BASE, HONEST.base_after, LOCKED, OPENED), SECRET, b"secret"
    )
    (c, s), (c2, s2) = (
        (int.from_bytes(proof[:32], "little"), int.from_bytes(proof[32:], "little"))
        for proof in (PROOF, other)
    )
    k = (s - s2) * pow(c2 - c, -1, GROUP_ORDER) % GROUP_ORDER
    assert k != int.from_bytes(SECRET, "little")


# -- at the table: three players with two of eight things, the last one unlocks first

NOT_PROVEN = (
    "unlock-not-proven",
    "The unlocking is not proven: something other than what was shuffled has come out, or"
    " the proof is of another game or step.",
)


def reproven(setup: SetupState, mine: Unlock) -> Unlock:
    """Return what was changed, with a proof that the cheater makes for it."""
    who = player(2).secrets
    statement = setup.unlocking_of(2, mine, place(setup))
    return mine._replace(proof=prove_unlocking(statement, who.scalar, who.proof_secret))


def test_swapped_things_are_refused(three: SetupState) -> None:
    mine = unlock(three, player(2))
    for first, other in ((0, 1), (0, 2), (1, 3)):
        slots = list(mine.slots)
        slots[first], slots[other] = slots[other], slots[first]
        cheat = reproven(three, mine._replace(slots=tuple(slots)))
        assert refusal(three.with_unlock, cheat, place(three)) == NOT_PROVEN


def test_junk_is_refused(three: SetupState) -> None:
    mine = unlock(three, player(2))
    for junk in (OTHER, three.joins[-1].pile[7], three.joins[-1].pile[0]):
        cheat = reproven(three, mine._replace(slots=(junk, *mine.slots[1:])))
        assert refusal(three.with_unlock, cheat, place(three)) == NOT_PROVEN


@pytest.mark.long
def test_another_release_voids_the_proof(three: SetupState) -> None:
    mine = unlock(three, player(2))._replace(release=bytes(32))
    assert refusal(three.with_unlock, mine, place(three)).kind == "release-invented"


@pytest.mark.long
def test_an_unlock_from_another_game_seat_or_step_is_refused(three: SetupState) -> None:
    mine = unlock(three, player(2))
    elsewhere = place(three)._replace(previous=bytes(32))
    assert refusal(three.with_unlock, mine, elsewhere) == NOT_PROVEN
    other = three._replace(game=OTHER_GAME)
    assert refusal(other.with_unlock, mine, place(three)).kind == "release-invented"
    after = three.with_unlock(mine, place(three))
    assert refusal(after.with_unlock, mine, place(after)) == (
        "release-invented",
        "What was released is not from the chain committed to when joining.",
    )
