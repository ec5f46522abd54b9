"""Players of sealed games for the tests: honest ones, whose secrets follow from a word."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import NamedTuple

import pytest

from porto_cli.sealed import (
    GROUP_ORDER,
    NONCE_SIZE,
    GameSecrets,
    ProofError,
    seed_of,
    short_hash,
)
from porto_cli.sealed import dealing as setups
from porto_cli.sealed.dealing import Join, SetupState, Unlock, begin
from porto_cli.sealed.steps import Head, Identity, SignedStep, StepPlace, verify

GAME = short_hash("test", b"game")
OTHER_GAME = short_hash("test", b"another game")

NEUTRAL = (1).to_bytes(32, "little")
"""The neutral element: a point, but one with which everything is equal."""
SMALL = bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05")
"""A point of order eight."""
ORDER = GROUP_ORDER.to_bytes(32, "little")
"""A scalar that is zero, written in another way."""


def scalar(value: int) -> bytes:
    return (value % GROUP_ORDER).to_bytes(32, "little")


class Player(NamedTuple):
    identity: Identity
    nonce: bytes
    secrets: GameSecrets


@cache
def player(seat: int, word: str = "", game: bytes = GAME) -> Player:
    identity = Identity(short_hash("test identity", word.encode(), bytes([seat])))
    nonce = short_hash("test nonce", word.encode(), game, bytes([seat]))[:NONCE_SIZE]
    seed = seed_of(identity.master, game, nonce)
    return Player(identity, nonce, GameSecrets(seed, game, seat))


def place(setup: SetupState) -> StepPlace:
    """Return the place of the next step, as if the steps before it had these hashes."""
    return StepPlace(setup.height + 1, short_hash("test step", setup.game, bytes([setup.height])))


def sign(head: Head, identity: Identity, content: Mapping[str, object]) -> SignedStep:
    """Return the next step, signed without a journal, as a cheater would."""
    step = head.unsigned(content)
    return step._replace(signature=identity.sign(step.message(head.game)))


def are_two_versions(game: bytes, key: bytes, first: SignedStep, second: SignedStep) -> bool:
    """Return whether two steps prove, as the manual page says, that the owner of a key has signed
    two versions of one.
    """
    messages = [step.message(game) for step in (first, second)]
    signed = zip(messages, (first.signature, second.signature), strict=True)
    is_one_height = first.height == second.height and messages[0] != messages[1]
    return is_one_height and all(verify(key, *each) for each in signed)


def join(setup: SetupState, who: Player) -> Join:
    """Return what an honest player joins with; always the same, and proven once."""
    return _join(setup, who, setups.prove_shuffle)


@cache
def _join(setup: SetupState, who: Player, prove: Callable[..., bytes]) -> Join:
    assert setups.prove_shuffle is prove
    return setups.join(setup, who.secrets, who.identity.public, who.nonce, place(setup))


def unlock(setup: SetupState, who: Player) -> Unlock:
    return setups.unlock(setup, who.secrets, place(setup))


def joined(
    seats: int, things: int, each: int, count: int, game: bytes = GAME, word: str = ""
) -> SetupState:
    """Return a setup that the first ``count`` players have joined."""
    setup = begin(game, seats, things, each)
    for seat in range(count):
        mine = join(setup, player(seat, word, game))
        setup = setup.with_join(mine, place(setup), proven=True)
    return setup


def completed(setup: SetupState, word: str = "") -> SetupState:
    """Return the setup after everybody has unlocked."""
    for seat in setup.unlock_order[len(setup.unlocks) :]:
        mine = unlock(setup, player(seat, word, setup.game))
        setup = setup.with_unlock(mine, place(setup), proven=True)
    return setup


def without_proofs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out what takes long, where a test is not about proofs."""
    for what in ("shuffle", "unlocking"):
        monkeypatch.setattr(setups, f"prove_{what}", lambda *_: b"")
        monkeypatch.setattr(setups, f"is_{what}_proven", lambda *_: True)


KINDS = {
    "json": "step of a sealed game (has|holds|can hold|is nested|must be in)",
    "form": "Machine data|must have|must be a text|must be a whole|must name|points instead of",
    "base64": "is not base64",
    "point": "must hold points",
    "terms": "cannot be dealt from",
    "order": "not complete|all seats are taken|not at that point|turn of another player",
    "secrets-of-another": "nothing opens",
    "tip-copied": "in the field 'tip'",
    "commitment-copied": "in the field 'commitment'",
    "nonce-copied": "in the field 'nonce'",
    "step-height": "no other steps come|has the number",
    "step-previous": "does not follow the step",
    "step-signature": "valid signature",
    "shuffle-duplicate": "the same thing twice",
    "shuffle-open": "leaves a thing unchanged",
    "shuffle-not-proven": "shuffle is not proven",
    "unlock-not-proven": "unlocking is not proven",
    "chain-exhausted": "values of the player's chain were released",
    "release-repeated": "same value of the chain was released twice",
    "release-skipped": "was skipped",
    "release-invented": "not from the chain",
    "kept-not-dealt": "not dealt to this player",
    "kept-not-committed": "not what was committed",
    "seed-wrong": "not the seed committed",
    "chain-not-of-seed": "chain joined with does not follow",
    "release-not-of-seed": "Release number",
    "shuffle-not-of-seed": "not the one that follows from",
    "unlock-not-of-seed": "other than what was shuffled",
}
"""In a word, by a part of its sentence, how a step can be wrong."""


class Refusal(NamedTuple):
    kind: str
    text: str


def refusal(action: object, *arguments: object) -> Refusal:
    """Return how an action is refused."""
    assert callable(action)
    with pytest.raises(ProofError) as caught:
        action(*arguments)
    text = str(caught.value)
    found = [kind for kind, part in KINDS.items() if re.search(part, text)]
    return Refusal(found[0] if found else "other", text)
