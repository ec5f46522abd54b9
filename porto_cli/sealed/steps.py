"""Signed steps: canonical JSON, hash, signature, and whether somebody has signed two versions.

Every step is signed over the game id, its height, the hash of the step before it, and its content:
so a signature is valid in one place of one game, and a step cannot be edited, deleted, replaced or
copied from elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from nacl.pwhash import argon2id

from porto_cli.core.message import shown
from porto_cli.sealed import ProofError, player_at
from porto_cli.sealed.encoding import Fields, to_text
from porto_cli.sealed.identity import SIGNATURE_SIZE, Identity, verify
from porto_cli.sealed.primitives import SIZE, long_hash, number, short_hash

LARGEST = 2**53 - 1
"""Larger whole numbers are not the same in every program that reads JSON."""
DEEPEST = 12


def canonical_json(value: object) -> bytes:
    r"""Return the canonical JSON text of a value, in UTF-8: RFC 8785 for texts, whole numbers,
    lists and mappings, and nothing else.

    There are no spaces; keys are ASCII and sorted; only ``"``, ``\`` and the control characters
    below U+0020 are escaped. Raises :class:`~porto_cli.sealed.ProofError` for true, false,
    null, fractions, and everything else that programs read differently.
    """
    from json import dumps

    _check_json(value, 0)
    text = dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        raise _no_json("A text in a step of a sealed game has an unpaired surrogate.") from None


def _check_json(value: object, depth: int) -> None:
    # Not isinstance: True is an int, and subclasses of str may be written differently.
    if type(value) is str:
        return
    if depth >= DEEPEST and type(value) in (list, dict):
        raise _no_json(f"A step of a sealed game is nested more than {DEEPEST} levels deep.")
    if type(value) is int:
        if abs(value) > LARGEST:
            raise _no_json(f"A step of a sealed game can hold no number above {LARGEST}.")
    elif type(value) is list:
        for item in value:
            _check_json(item, depth + 1)
    elif type(value) is dict:
        for key, item in value.items():
            if type(key) is not str or not key.isascii() or not key.isprintable():
                raise _no_json("A key in a step of a sealed game must be in ASCII characters.")
            _check_json(item, depth + 1)
    else:
        raise _no_json(
            "A step of a sealed game holds only texts, whole numbers, lists and mappings, not "
            f"{shown(value)}."
        )


def _no_json(text: str) -> ProofError:
    return ProofError("json", None, text)


def game_id(genesis: object) -> bytes:
    """Return the hash of a genesis: the id of the game, and the hash before the first step."""
    return short_hash("genesis", canonical_json(genesis))


class StepPlace(NamedTuple):
    """The place of a step in a record: its height, and the hash of the step before it."""

    height: int
    previous: bytes


class SignedStep(NamedTuple):
    """A signed step. ``content`` is a mapping of JSON values, with the signer's seat as ``by``."""

    height: int
    previous: bytes
    content: Mapping[str, object]
    signature: bytes

    @property
    def place(self) -> StepPlace:
        """The place of the step; proofs within it are bound to that."""
        return StepPlace(self.height, self.previous)

    @property
    def by(self) -> int:
        """The seat of the signer."""
        return seat_of(self.content)

    def message(self, game: bytes) -> bytes:
        """Return the 64 bytes that are signed."""
        return step_message(game, self.height, self.previous, self.content)

    def hash(self, game: bytes) -> bytes:
        """Return the hash of the step, which the next one names.

        The signature is not in it: signing the same content twice still makes one step.
        """
        return self.message(game)[:SIZE]

    def to_json(self) -> dict[str, object]:
        """Return the step as texts and numbers."""
        return {
            "height": self.height,
            "previous": to_text(self.previous),
            "content": dict(self.content),
            "signature": to_text(self.signature),
        }

    @classmethod
    def from_json(cls, data: object) -> SignedStep:
        """Return a step. Only its form is checked.

        Raises :class:`~porto_cli.sealed.ProofError`.
        """
        fields = Fields(data, ("height", "previous", "content", "signature"), None)
        content = fields.data["content"]
        canonical_json(content)
        seat_of(content)
        assert isinstance(content, dict)
        return cls(
            fields.integer("height"),
            fields.raw("previous", SIZE),
            content,
            fields.raw("signature", SIGNATURE_SIZE),
        )


def seat_of(content: object) -> int:
    """Return the seat that makes a step. Raises :class:`~porto_cli.sealed.ProofError`."""
    by = content.get("by") if isinstance(content, Mapping) else None
    if type(by) is not int or by < 0:
        raise ProofError(
            "form", None, "A step must name the seat that makes it, by number, in the field 'by'."
        )
    return by


def step_message(game: bytes, height: int, previous: bytes, content: Mapping[str, object]) -> bytes:
    """Return the 64 bytes that are signed. The first 32 are the hash of the step."""
    return long_hash("step", game, number(height), previous, canonical_json(dict(content)))


class Head(NamedTuple):
    """The end of a record: the height and the hash of its last step, or 0 and the game id if it has
    no steps.
    """

    game: bytes
    height: int
    hash: bytes

    @classmethod
    def of_genesis(cls, game: bytes) -> Head:
        """Return the head of a game without steps."""
        return cls(game, 0, game)

    @property
    def place(self) -> StepPlace:
        """The place of the next step."""
        return StepPlace(self.height + 1, self.hash)

    def unsigned(self, content: Mapping[str, object]) -> SignedStep:
        """Return the next step unsigned; a signature changes neither hash nor length."""
        seat_of(content)
        return SignedStep(self.height + 1, self.hash, content, bytes(SIGNATURE_SIZE))

    def sign(self, identity: Identity, content: Mapping[str, object]) -> SignedStep:
        """Return the next step, signed. The caller must remember that this height is signed."""
        step = self.unsigned(content)
        return step._replace(signature=identity.sign(step.message(self.game)))

    def after(self, step: SignedStep, key: bytes) -> Head:
        """Return the head after the next step, which must be signed with a key.

        Raises :class:`~porto_cli.sealed.ProofError` for a step that does not fit.
        """
        seat = step.by
        if step.height != self.height + 1:
            raise ProofError(
                "step-height",
                seat,
                f"A step has the number {step.height}, but {self.height + 1} comes next: a step is "
                "missing, repeated or in the wrong place.",
            )
        if step.previous != self.hash:
            raise ProofError(
                "step-previous",
                seat,
                "A step does not follow the step before it: that one was changed or replaced, or "
                "this one belongs to another game.",
            )
        message = step.message(self.game)
        if not verify(key, message, step.signature):
            raise ProofError(
                "step-signature",
                seat,
                f"A step of {player_at(seat)} does not have a valid signature: it was changed, or "
                "is from another player or another game.",
            )
        return Head(self.game, step.height, message[:SIZE])


def are_two_versions(game: bytes, key: bytes, first: SignedStep, second: SignedStep) -> bool:
    """Return whether two steps prove that the owner of a key has signed two versions of one: both
    have its signature, and one height, but they are not the same.

    No record is needed for that: everybody who knows the key can check it.
    """
    messages = [step.message(game) for step in (first, second)]
    return (
        first.height == second.height
        and messages[0] != messages[1]
        and verify(key, messages[0], first.signature)
        and verify(key, messages[1], second.signature)
    )


GROUPS = 5
DIGITS = 3
BITS = 49
"""Two different copies have the same code with a probability of 1 in 2**49 (10**15)."""
_OPERATIONS = 1
_MEMORY = 8 << 20


def table_code(head: bytes) -> str:
    """Return a code by which people compare their copies on the telephone: five groups of three
    digits.

    ``head`` is the hash of the last step. Digits can be read out in any language. The hash is slow
    and takes memory (Argon2id): somebody who signs two versions of a step on purpose has to try
    about 2**25 of them, at some milliseconds each, to find two with the same code.
    """
    salt = short_hash("table code salt")[: argon2id.SALTBYTES]
    raw = argon2id.kdf(16, head, salt, _OPERATIONS, _MEMORY)
    digits = str(int.from_bytes(raw, "big") % 10 ** (GROUPS * DIGITS)).zfill(GROUPS * DIGITS)
    return " ".join(digits[nth : nth + DIGITS] for nth in range(0, len(digits), DIGITS))
