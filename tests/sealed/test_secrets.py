"""What follows from a seed, and the chain of values from which joint randomness is made."""

from __future__ import annotations

import hashlib
import hmac

import pytest

from porto_cli.sealed.randomness import Chain, after, first, follows
from porto_cli.sealed.secrets import CHAIN_LENGTH, GameSecrets, chain_link, seed_of
from tests.sealed.people import GAME, OTHER_GAME, refusal

MINE = GameSecrets(bytes(32), GAME, 1)
CHAIN = Chain(GAME, 1, MINE.tip)


def test_a_seed_is_an_hmac_of_game_and_nonce() -> None:
    expected = hmac.new(b"master", GAME + b"nonce", hashlib.sha512).digest()[:32]
    assert seed_of(b"master", GAME, b"nonce") == expected


def test_a_seed_is_new_for_every_game_and_every_attempt_to_join() -> None:
    seeds = {
        seed_of(b"master", GAME, b"a"),
        seed_of(b"master", GAME, b"b"),
        seed_of(b"master", OTHER_GAME, b"a"),
        seed_of(b"retsam", GAME, b"a"),
    }
    assert len(seeds) == 4


def test_everything_that_follows_from_a_seed_differs() -> None:
    values = [MINE.seed, MINE.scalar, MINE.commitment, MINE.proof_secret, MINE.tip, MINE.release(1)]
    values += [MINE.salt(1), MINE.salt(2), MINE.release(CHAIN_LENGTH)]
    assert len(set(values)) == len(values)


def test_a_copied_commitment_or_tip_fits_no_other_seat_and_no_other_game() -> None:
    others = [GameSecrets(bytes(32), GAME, 2), GameSecrets(bytes(32), OTHER_GAME, 1)]
    for field in ("commitment", "tip"):
        assert len({getattr(who, field) for who in (MINE, *others)}) == 3


# -- releases


def test_the_whole_chain_can_be_released_and_not_more() -> None:
    chain = CHAIN
    for nth in range(1, CHAIN_LENGTH + 1):
        assert follows(chain, MINE.release(nth))
        chain = chain.released(MINE.release(nth))
    assert chain.number == CHAIN_LENGTH == 256
    expected = (
        "chain-exhausted",
        1,
        "Player 2 has released all 256 values of the chain: the game is longer than a sealed game"
        " can be.",
    )
    assert refusal(chain.released, bytes(32)) == expected
    assert refusal(MINE.release, 257) == expected
    assert not follows(chain, bytes(32))


def test_an_invented_value_is_refused() -> None:
    assert refusal(CHAIN.released, bytes(32)) == (
        "release-invented",
        1,
        "What Player 2 has released does not belong to the chain that was fixed when joining.",
    )
    assert refusal(CHAIN.released, MINE.release(1)[:31]).kind == "release-invented"


@pytest.mark.parametrize("nth", [2, 3, 256])
def test_a_skipped_value_is_refused(nth: int) -> None:
    assert refusal(CHAIN.released, MINE.release(nth)) == (
        "release-skipped",
        1,
        "Player 2 has skipped a value of the chain: another one is the next.",
    )


def test_a_value_that_was_released_before_is_refused() -> None:
    chain = CHAIN.released(MINE.release(1))
    assert refusal(chain.released, MINE.release(1)) == (
        "release-repeated",
        1,
        "Player 2 has released a value of the chain a second time.",
    )
    chain = chain.released(MINE.release(2))
    assert refusal(chain.released, MINE.release(1)).kind == "release-invented"


def test_values_of_another_seat_game_or_place_fit_nowhere() -> None:
    """The attacker has joined with another player's tip, or with a hash of it."""
    victim = GameSecrets(b"v" * 32, GAME, 0)
    copied = Chain(GAME, 1, victim.tip)
    assert refusal(copied.released, victim.release(1)).kind == "release-invented"
    behind = Chain(GAME, 1, chain_link(GAME, 0, 1, victim.tip))
    assert refusal(behind.released, victim.tip).kind == "release-invented"
    elsewhere = Chain(OTHER_GAME, 0, victim.tip)
    assert refusal(elsewhere.released, victim.release(1)).kind == "release-invented"
    shifted = Chain(GAME, 0, victim.release(1))
    assert refusal(shifted.released, victim.release(2)).kind == "release-invented"


# -- R


def test_randomness_changes_with_every_release_and_with_their_order() -> None:
    values = [MINE.release(1), MINE.release(2)]
    assert first(GAME, values) != first(GAME, values[::-1])
    assert first(GAME, values) != first(OTHER_GAME, values)
    start = first(GAME, values)
    assert after(start, values[0]) != after(start, values[1])
    assert after(after(start, values[0]), values[1]) != after(after(start, values[1]), values[0])
