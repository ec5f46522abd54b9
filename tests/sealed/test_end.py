"""The end of a game: seeds and what was kept come out, and must be what was fixed before."""

from __future__ import annotations

import pytest

from porto_cli.sealed.audit import audit
from porto_cli.sealed.kept import check_opening, commitment
from porto_cli.sealed.primitives import hash_to_point
from porto_cli.sealed.secrets import GameSecrets
from porto_cli.sealed.setup import Join, Setup, begin
from porto_cli.sealed.setup import join as joining
from tests.sealed.people import (
    GAME,
    OTHER_GAME,
    join,
    place,
    player,
    refusal,
    unlock,
    without_proofs,
)


def seed(seat: int, word: str = "") -> bytes:
    return player(seat, word).secrets.seed


def test_a_revealed_seed_shows_what_was_dealt(dealt: Setup) -> None:
    for seat in range(3):
        secrets = player(seat).secrets
        audited = audit(dealt, seat, seed(seat), [secrets.release(1), secrets.release(2)])
        assert audited.dealt == dealt.hand(secrets)
        assert audited.secrets.salt(9) == secrets.salt(9)


def test_what_others_had_can_be_shown_though_somebody_never_reveals(dealt: Setup) -> None:
    """Each audit needs the one seed only; nobody asks for that of the player who is gone."""
    assert [audit(dealt, seat, seed(seat)).dealt for seat in (0, 2)] == [
        dealt.hand(player(seat).secrets) for seat in (0, 2)
    ]


def test_a_wrong_seed_is_refused(dealt: Setup) -> None:
    for wrong in (bytes(32), seed(1, "again"), seed(0), seed(1)[:31], seed(1) + b"\0", b""):
        assert refusal(audit, dealt, 1, wrong) == (
            "seed-wrong",
            1,
            "What Player 2 has revealed is not the seed that was fixed when joining.",
        )


def test_a_seed_of_another_length_is_refused_though_it_was_fixed() -> None:
    """Everything could follow from it; but another program may read 32 bytes and no more."""
    short = GameSecrets(b"short", GAME, 0)
    setup = begin(GAME, 2, 0, 0)
    mine = joining(setup, short, player(0).identity.public, bytes(16), place(setup))
    setup = setup.with_join(mine, place(setup))
    assert refusal(audit, setup, 0, b"short").kind == "seed-wrong"


def with_second_join(setup: Setup, changed: Join) -> Setup:
    return setup._replace(joins=(setup.joins[0], changed, setup.joins[2]))


def test_a_chain_that_is_not_of_the_seed_is_found(dealt: Setup) -> None:
    setup = with_second_join(dealt, dealt.joins[1]._replace(tip=bytes(32)))
    assert refusal(audit, setup, 1, seed(1)).kind == "chain-not-of-seed"


def test_a_release_that_is_not_of_the_seed_is_found(dealt: Setup) -> None:
    released = [player(1).secrets.release(nth) for nth in (1, 2, 4)]
    assert refusal(audit, dealt, 1, seed(1), released) == (
        "release-not-of-seed",
        1,
        "Release number 3 of Player 2 does not follow from the seed.",
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
            0,
            "Player 1 has shuffled in another way than the seed says.",
        )


def test_an_unlock_that_is_not_of_the_seed_is_found(three: Setup) -> None:
    mine = unlock(three, player(2))
    junk = mine._replace(slots=(hash_to_point("test", b"junk"), *mine.slots[1:]))
    setup = three.with_unlock(junk, place(three), proven=True)
    assert refusal(audit, setup, 2, seed(2)) == (
        "unlock-not-of-seed",
        2,
        "Player 3 has unlocked something else than what was shuffled.",
    )


def test_a_set_up_that_was_never_completed_can_be_audited(three: Setup) -> None:
    assert audit(three, 0, seed(0)).dealt == ()


def test_nothing_hidden_is_audited_too() -> None:
    setup = begin(GAME, 2, 0, 0)
    setup = setup.with_join(join(setup, player(0)), place(setup))
    assert audit(setup, 0, seed(0)).dealt == ()
    assert refusal(audit, setup, 0, bytes(32)).kind == "seed-wrong"


# -- kept things

SALT = player(1).secrets.salt(12)
DEALT = bytes([3, 5, 5, 8, 9])
KEPT = commitment(GAME, 1, SALT, bytes([8, 5, 3]))


def test_what_was_kept_is_shown_in_any_order() -> None:
    for things in ([3, 5, 8], [5, 8, 3]):
        check_opening(GAME, 1, KEPT, SALT, bytes(things), DEALT)
    twice = commitment(GAME, 1, SALT, bytes([5, 5, 3]))
    check_opening(GAME, 1, twice, SALT, bytes([3, 5, 5]), DEALT)


@pytest.mark.parametrize("things", [[3, 5, 7], [3, 3, 5], [3, 5, 5, 5], [1, 2, 4]], ids=str)
def test_what_was_not_dealt_cannot_have_been_kept(things: list[int]) -> None:
    """Even if it is what was committed to: the commitment was made without anybody looking."""
    committed = commitment(GAME, 1, SALT, bytes(things))
    assert refusal(check_opening, GAME, 1, committed, SALT, bytes(things), DEALT) == (
        "kept-not-dealt",
        1,
        "Player 2 claims to have kept something that was not dealt to that seat.",
    )


@pytest.mark.parametrize("things", [[3, 5, 9], [3, 5], [3, 5, 5], [], [3, 5, 8, 9]], ids=str)
def test_another_choice_at_the_end_is_refused(things: list[int]) -> None:
    assert refusal(check_opening, GAME, 1, KEPT, SALT, bytes(things), DEALT) == (
        "kept-not-committed",
        1,
        "Player 2 claims to have kept something else than what was fixed when it was chosen.",
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
