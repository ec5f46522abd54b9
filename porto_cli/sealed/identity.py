"""Identities: a secret key as one line, and the short public key that follows from it."""

from __future__ import annotations

from os import urandom
from typing import NamedTuple

from nacl.exceptions import BadSignatureError, CryptoError
from nacl.pwhash import argon2id
from nacl.secret import SecretBox
from nacl.signing import SigningKey, VerifyKey

from porto_cli.core.message import shown
from porto_cli.sealed import IdentityError, PassphraseError
from porto_cli.sealed.encoding import from_bech32, to_bech32
from porto_cli.sealed.encoding import from_text as from_base64
from porto_cli.sealed.primitives import SIZE, is_point, short_hash

SECRET_PREFIX = "porto-secret-key-"
PUBLIC_PREFIX = "porto"
PROTECTED = "porto-protected-key-1"
SIGNATURE_SIZE = 64

MOST_OPERATIONS = 6
MOST_MEMORY = 512
"""The most passes and MiB that opening a protected key may take, a few seconds on a slow computer:
a file from somebody else must not be able to stop the machine. Keys were protected with 3 passes
over 256 MiB."""


class Identity:
    """A secret key. Everything else follows from its 32 bytes.

    ``public`` is the key with which others check signatures; ``master`` the secret from which the
    seeds of games are derived. They are different hashes of the secret, so that a seed that is
    revealed at the end of a game says nothing about the key.
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
        """Return the identity of a secret line; spaces around it are ignored.

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
        """Return the 64 bytes of a signature (Ed25519, RFC 8032)."""
        return self._signing.sign(message).signature

    def __repr__(self) -> str:
        return f"Identity({self.public_text})"


def verify(public: bytes, message: bytes, signature: bytes) -> bool:
    """Return True if the owner of a public key has signed a message."""
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
    """Return the public key of a text; spaces around it are ignored.

    Raises :class:`~porto_cli.sealed.IdentityError`, also for points that are not valid keys:
    with some points of small order anything is a valid signature.
    """
    read = from_bech32(text.strip())
    if read is None or read[0] != PUBLIC_PREFIX or not is_point(read[1]):
        prefix = f"{PUBLIC_PREFIX}1"
        raise IdentityError(
            f"{shown(text.strip())} is not a public key: one begins with {prefix} and "
            f"has {len(PUBLIC_PREFIX) + 59} characters, with a checksum that fits."
        )
    return read[1]


def is_protected(text: str) -> bool:
    """Return True if a text claims to be an identity with a passphrase."""
    return text.split()[:1] == [PROTECTED]


def unprotect(text: str, passphrase: str) -> Identity:
    """Return the identity of a protected line, which former versions have written.

    It has its parameters: Argon2id with the numbers of passes and MiB, its salt, and a secretbox
    (XSalsa20 and Poly1305) preceded by its nonce.

    Raises :class:`~porto_cli.sealed.PassphraseError` if the passphrase is wrong, and
    :class:`~porto_cli.sealed.IdentityError` if the line is invalid, exceeds the limits, or if there
    is not enough memory.
    """
    found = read_protected(text)
    box = SecretBox(_stretched(passphrase, found.salt, found.operations, found.memory))
    try:
        return Identity(box.decrypt(found.sealed))
    except CryptoError:
        raise PassphraseError(
            "This is not the passphrase of the key, or the key was changed."
        ) from None


class Protected(NamedTuple):
    """A protected key: how its passphrase is stretched, and what that opens."""

    operations: int
    memory: int
    salt: bytes
    sealed: bytes


def read_protected(text: str) -> Protected:
    """Return the parts of a protected line within the limits of time and memory, without opening
    it. Raises :class:`~porto_cli.sealed.IdentityError`.
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
            return Protected(operations, memory, salt, sealed)
    raise IdentityError(
        f"This is not a key with a passphrase as this program wrote it: {PROTECTED}, "
        "argon2id, two numbers, and two texts in base64, in one line."
    )


def _number(word: str) -> int:
    """Return a whole number; 0 for anything else, and for a number with too many digits."""
    return int(word) if word.isascii() and word.isdecimal() and len(word) <= 10 else 0


def _stretched(passphrase: str, salt: bytes, operations: int, memory: int) -> bytes:
    from unicodedata import normalize

    # The same passphrase typed on another keyboard, or another system, is the same bytes.
    typed = normalize("NFC", passphrase).encode("utf-8", "surrogatepass")
    try:
        return argon2id.kdf(SecretBox.KEY_SIZE, typed, salt, operations, memory << 20)
    except CryptoError:
        raise IdentityError(
            f"There is not enough memory: a passphrase takes {memory} MiB for a moment."
        ) from None
