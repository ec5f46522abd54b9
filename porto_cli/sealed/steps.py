"""Signed steps: canonical JSON with a hash and a signature, and the identities that sign it."""

from __future__ import annotations

from collections.abc import Mapping
from json import dumps
from os import urandom
from typing import Any, NamedTuple
from unicodedata import normalize

from nacl.exceptions import BadSignatureError, CryptoError
from nacl.pwhash import argon2id
from nacl.secret import SecretBox
from nacl.signing import SigningKey, VerifyKey

from porto_cli.core import cited
from porto_cli.sealed import (
    SIZE,
    IdentityError,
    PassphraseError,
    ProofError,
    demand,
    fields,
    from_bech32,
    is_point,
    long_hash,
    number,
    short_hash,
    to_bech32,
    to_text,
    unpacked,
)
from porto_cli.sealed import from_text as from_base64

# -- Identities: a secret key as one line, and the public key that follows from it

SECRET_PREFIX = "porto-secret-key-"
PUBLIC_PREFIX = "porto"
PROTECTED = "porto-protected-key-1"
SIGNATURE_SIZE = 64

MOST_OPERATIONS = 6
MOST_MEMORY = 512
"""The limits in passes and MiB for opening a protected key, a few seconds on a slow computer: a
file from somebody else must not be able to stop the machine. Keys were protected with 3 passes over
256 MiB."""


class Identity:
    """A secret of 32 bytes, from which everything else follows.

    ``public`` is the key with which others check signatures, ``master`` the secret from which the
    seeds of games are derived. Signing key and master are different hashes of the secret, so that a
    seed revealed at the end of a game says nothing about the key.
    """

    __slots__ = ("_signing", "master", "public", "secret")

    def __init__(self, secret: bytes) -> None:
        if len(secret) != SIZE:
            raise ValueError("A secret has 32 bytes.")
        self.secret = secret
        self._signing = SigningKey(short_hash("signing key", secret))
        self.public = bytes(self._signing.verify_key)
        self.master = short_hash("game master", secret)

    @classmethod
    def new(cls) -> Identity:
        """Return a new identity, from the operating system's randomness."""
        return cls(urandom(SIZE))

    @classmethod
    def from_text(cls, text: str) -> Identity:
        """Parse a secret line; spaces around it are ignored.

        Raises :class:`~porto_cli.sealed.IdentityError`.
        """
        read = from_bech32(text.strip())
        if read is None or read[0] != SECRET_PREFIX or len(read[1]) != SIZE:
            prefix = f"{SECRET_PREFIX}1".upper()
            raise IdentityError(
                f"This is not a secret key: one begins with {prefix} and is a single "
                f"line of {len(SECRET_PREFIX) + 59} characters, with a checksum that "
                "fits."
            )
        return cls(read[1])

    @property
    def secret_text(self) -> str:
        """The secret as one line, in upper case so that it is not mistaken for the public key."""
        return to_bech32(SECRET_PREFIX, self.secret).upper()

    @property
    def public_text(self) -> str:
        """The public key as a short text, with a checksum."""
        return public_text(self.public)

    def sign(self, message: bytes) -> bytes:
        """Return a signature of 64 bytes (Ed25519, RFC 8032)."""
        return self._signing.sign(message).signature

    def __repr__(self) -> str:
        return f"Identity({self.public_text})"


def verify(public: bytes, message: bytes, signature: bytes) -> bool:
    """Return whether a signature of a message is valid for a public key."""
    if len(signature) != SIGNATURE_SIZE or not is_point(public):
        return False
    try:
        VerifyKey(public).verify(message, signature)
    except BadSignatureError:
        return False
    return True


def public_text(public: bytes) -> str:
    """Return the text of a public key."""
    return to_bech32(PUBLIC_PREFIX, public)


def public_from_text(text: str) -> bytes:
    """Parse the text of a public key; spaces around it are ignored.

    Raises :class:`~porto_cli.sealed.IdentityError`, also for points that are not valid keys: with
    some points of small order, any signature is valid.
    """
    read = from_bech32(text.strip())
    if read is None or read[0] != PUBLIC_PREFIX or not is_point(read[1]):
        prefix = f"{PUBLIC_PREFIX}1"
        raise IdentityError(
            f"{cited(text.strip())} is not a public key: one begins with {prefix} and "
            f"has {len(PUBLIC_PREFIX) + 59} characters, with a checksum that fits."
        )
    return read[1]


def is_protected(text: str) -> bool:
    """Return whether a text claims to be a key with a passphrase."""
    return text.split()[:1] == [PROTECTED]


def unprotect(text: str, passphrase: str) -> Identity:
    """Open a protected line, as former versions wrote it.

    The line contains its parameters: Argon2id with the numbers of passes and MiB, the salt, and a
    secretbox (XSalsa20 and Poly1305) preceded by its nonce.

    Raises :class:`~porto_cli.sealed.PassphraseError` if the passphrase is wrong, and
    :class:`~porto_cli.sealed.IdentityError` if the line is invalid or exceeds the limits, or if
    there is not enough memory.
    """
    operations, memory, salt, sealed = read_protected(text)
    box = SecretBox(_stretched(passphrase, salt, operations, memory))
    try:
        return Identity(box.decrypt(sealed))
    except CryptoError:
        raise PassphraseError(
            "This is not the passphrase of the key, or the key was changed."
        ) from None


def read_protected(text: str) -> tuple[int, int, bytes, bytes]:
    """Parse a protected line without opening it: return passes, MiB, salt, and the encrypted key.

    Raises :class:`~porto_cli.sealed.IdentityError`, also if the line exceeds the limits.
    """
    words = text.split()
    if len(words) == 6 and words[:2] == [PROTECTED, "argon2id"]:
        operations, memory = map(_number, words[2:4])
        salt, sealed = map(from_base64, words[4:])
        if operations > MOST_OPERATIONS or memory > MOST_MEMORY:
            raise IdentityError(
                f"Opening this key takes {words[2]} passes over {words[3]} MiB of "
                f"memory, which could stop this computer; the limit is {MOST_OPERATIONS} "
                f"passes over {MOST_MEMORY} MiB. This program has never written such a "
                "key."
            )
        if (
            operations
            and memory
            and salt is not None
            and len(salt) == argon2id.SALTBYTES
            and sealed is not None
            and len(sealed) == SecretBox.NONCE_SIZE + SIZE + SecretBox.MACBYTES
        ):
            return operations, memory, salt, sealed
    raise IdentityError(
        f"This is not a key with a passphrase as this program wrote it: {PROTECTED}, "
        "argon2id, two numbers, and two texts in base64, in one line."
    )


def _number(word: str) -> int:
    """Parse a whole number; 0 stands for anything else, and for too many digits."""
    return int(word) if word.isascii() and word.isdecimal() and len(word) <= 10 else 0


def _stretched(passphrase: str, salt: bytes, operations: int, memory: int) -> bytes:
    # The same passphrase, typed on another keyboard or system, should be the same bytes.
    typed = normalize("NFC", passphrase).encode("utf-8", "surrogatepass")
    try:
        return argon2id.kdf(SecretBox.KEY_SIZE, typed, salt, operations, memory << 20)
    except CryptoError:
        raise IdentityError(
            f"There is not enough memory: a passphrase takes {memory} MiB for a moment."
        ) from None


# -- Signed steps: canonical JSON, hash and signature
#
# The signature of a step covers the game id, its height (its number, from 1), the hash of the step
# before it, and its content. So it is valid in one place of one game only, and a step cannot be
# edited, deleted, inserted, moved, or copied from another game.

LARGEST = 2**53 - 1
"""Not all programs that read JSON keep larger whole numbers exact."""
DEEPEST = 12


def canonical_json(value: object) -> bytes:
    r"""Return the canonical JSON text of a value, in UTF-8: RFC 8785 for texts, whole numbers,
    lists and mappings, and nothing else.

    There are no spaces; keys are ASCII and sorted; only ``"``, ``\`` and the control characters
    below U+0020 are escaped. Raises :class:`~porto_cli.sealed.ProofError` for true, false, null,
    fractions, and everything else that some programs read differently.
    """
    check_plain(value)
    return dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def check_plain(value: object, room: int = DEEPEST) -> None:
    """Require a value that all programs read alike, nested at most ``room`` levels deep.

    Raises ProofError.
    """
    # Not isinstance: True is an int, and subclasses of str may be written differently.
    kind = type(value)
    if kind is str:
        text = str(value)
        whole = text.isascii() or not any("\ud800" <= char <= "\udfff" for char in text)
        demand(whole, "A text in a step of a sealed game has an unpaired surrogate.")
    elif kind is int:
        small = -LARGEST <= value <= LARGEST  # type: ignore[operator]
        demand(small, f"A step of a sealed game can hold no number above {LARGEST}.")
    elif isinstance(value, dict | list) and kind in (dict, list):
        deep = f"A step of a sealed game is nested more than {DEEPEST} levels deep."
        demand(room > 0, deep)
        keys = value if isinstance(value, dict) else ()
        plain = all(type(key) is str and key.isascii() and key.isprintable() for key in keys)
        demand(plain, "A key in a step of a sealed game must be in ASCII characters.")
        for item in value.values() if isinstance(value, dict) else value:
            check_plain(item, room - 1)
    else:
        raise ProofError(
            "A step of a sealed game holds only texts, whole numbers, lists and mappings, not "
            f"{cited(value)}."
        )


def game_id(genesis: object) -> bytes:
    """Return the hash of a genesis: the id of the game, and the hash before the first step."""
    return short_hash("genesis", canonical_json(genesis))


class StepPlace(NamedTuple):
    """The place of a step in the chain: its height, and the hash of the step before it."""

    height: int
    previous: bytes


class SignedStep(NamedTuple):
    """A step of the chain. ``content`` is a JSON object whose ``by`` is the signer's seat."""

    height: int
    previous: bytes
    content: Mapping[str, Any]
    signature: bytes

    @property
    def place(self) -> StepPlace:
        """The place of the step, to which the proofs within it are bound."""
        return StepPlace(self.height, self.previous)

    @property
    def by(self) -> int:
        """The seat of the signer."""
        return signer_of(self.content)

    def message(self, game: bytes) -> bytes:
        """Return the 64 bytes that are signed. The first 32 are the hash of the step."""
        content = canonical_json(dict(self.content))
        return long_hash("step", game, number(self.height), self.previous, content)

    def hash(self, game: bytes) -> bytes:
        """Return the hash of the step, which the next one names.

        It does not cover the signature: signing the same content twice still makes one step.
        """
        return self.message(game)[:SIZE]

    def to_json(self) -> dict[str, object]:
        """Return the step as a JSON object."""
        return {
            "height": self.height,
            "previous": to_text(self.previous),
            "content": dict(self.content),
            "signature": to_text(self.signature),
        }

    @classmethod
    def from_json(cls, data: object) -> SignedStep:
        """Decode a step. Only its form is checked.

        Raises :class:`~porto_cli.sealed.ProofError`.
        """
        found = fields(data, ("height", "previous", "content", "signature"))
        content, height = found["content"], found["height"]
        canonical_json(content)
        signer_of(content)
        whole = type(height) is int and 0 <= height < 2**53
        demand(
            whole,
            f"The field 'height' has {cited(height)}, but must be a whole number up to {LARGEST}.",
        )
        texts = {name: found[name] for name in ("previous", "signature")}
        raw = unpacked(texts, {"previous": SIZE, "signature": SIGNATURE_SIZE})
        return cls(height, raw["previous"], content, raw["signature"])


def signer_of(content: object) -> int:
    """Return the seat of a step's signer. Raises :class:`~porto_cli.sealed.ProofError`."""
    by = content.get("by") if isinstance(content, Mapping) else None
    if type(by) is not int or by < 0:
        raise ProofError("A step must name the seat that makes it, by number, in the field 'by'.")
    return by


class Head(NamedTuple):
    """The end of a chain: the height and hash of its last step, or 0 and the game id if it is
    empty.
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
        """Return the next step unsigned; a signature changes neither its hash nor its length."""
        signer_of(content)
        return SignedStep(self.height + 1, self.hash, content, bytes(SIGNATURE_SIZE))

    def after(self, step: SignedStep, key: bytes) -> Head:
        """Return the head after the next step, which must fit and be signed with this key.

        Raises :class:`~porto_cli.sealed.ProofError`.
        """
        demand(
            step.height == self.height + 1,
            f"A step has the number {step.height}, but {self.height + 1} comes next: a step is "
            "missing, repeated or in the wrong place.",
        )
        demand(
            step.previous == self.hash,
            "A step does not follow the step before it: that one was changed or replaced, or "
            "this one belongs to another game.",
        )
        message = step.message(self.game)
        demand(
            verify(key, message, step.signature),
            "A step does not have a valid signature of the player named in it: it was changed, or "
            "is from another player or another game.",
        )
        return Head(self.game, step.height, message[:SIZE])


class Chain(NamedTuple):
    """The steps of a game, each signed with its player's key."""

    game: bytes
    """The hash of the genesis, which identifies the game in every signature."""
    players: tuple[str, ...]
    """The names in seating order; ``by`` of a step is an index into it."""
    steps: tuple[SignedStep, ...]
    keys: dict[int, bytes]
    """The public key of each player who has joined."""
    head: Head
    known: int = 0
    """The number of steps whose proofs were checked before."""

    @property
    def table_code(self) -> str:
        """The :func:`table_code` of all steps."""
        return table_code(self.head.hash)

    @property
    def signers(self) -> list[int]:
        """The signer of each step, as an index into the players."""
        return [step.by for step in self.steps]

    @property
    def hashes(self) -> list[bytes]:
        """The hash before each step, and after the last one."""
        return [*(step.previous for step in self.steps), self.head.hash]

    def key_of(self, step: SignedStep) -> bytes:
        """Return the public key that has signed a step."""
        return self.keys[step.by]

    def by(self, height: int) -> str:
        """Return the name of the signer of the step at a height."""
        return self.players[self.steps[height - 1].by]


# -- The table code

GROUPS = 5
DIGITS = 3
BITS = 49
"""The bits of a code: two different copies have the same one with a probability of 1 in 10**15."""
_OPERATIONS = 1
_MEMORY = 8 << 20


def table_code(head: bytes) -> str:
    """Return a code by which people compare their copies by phone: five groups of three digits.

    ``head`` is the hash of the last step. It is hashed slowly, with Argon2id: somebody who signs
    two versions of a step on purpose has to try about 2**25 of them, at several milliseconds each,
    to find two with the same code.
    """
    salt = short_hash("table code salt")[: argon2id.SALTBYTES]
    raw = argon2id.kdf(16, head, salt, _OPERATIONS, _MEMORY)
    digits = str(int.from_bytes(raw, "big") % 10 ** (GROUPS * DIGITS)).zfill(GROUPS * DIGITS)
    return " ".join(digits[start : start + DIGITS] for start in range(0, len(digits), DIGITS))
