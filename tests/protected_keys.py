"""Keys with a passphrase, as former versions wrote them."""

from __future__ import annotations

from base64 import b64encode
from os import urandom

from nacl.pwhash import argon2id
from nacl.secret import SecretBox

from porto_cli.sealed.steps import Identity


def protected(identity: Identity, passphrase: str) -> str:
    """Return a key as the line that a passphrase opens, at the lowest cost."""
    salt = urandom(argon2id.SALTBYTES)
    key = argon2id.kdf(SecretBox.KEY_SIZE, passphrase.encode(), salt, 1, 1 << 20)
    sealed = bytes(SecretBox(key).encrypt(identity.secret))
    texts = (b64encode(part).decode() for part in (salt, sealed))
    return " ".join(("porto-protected-key-1", "argon2id", "1", "1", *texts))
