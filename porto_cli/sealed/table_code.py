"""A code of 15 digits that tells two copies of a game apart, to be read out on the telephone."""

from __future__ import annotations

from nacl.pwhash import argon2id

from porto_cli.sealed.primitives import short_hash

GROUPS = 5
DIGITS = 3
BITS = 49
"""Two copies that differ have the same code by chance once in 2**49 times (10**15)."""
_OPERATIONS = 1
_MEMORY = 8 << 20


def table_code(head: bytes) -> str:
    """Return the code of the hash of a last step: five groups of three digits.

    Digits, because everybody can read them out in any language. The hash is slow and takes memory
    (Argon2id): who signs two versions of a step on purpose can try many to find two with the same
    code, about 2**25 of them, at some milliseconds each.
    """
    salt = short_hash("table code salt")[: argon2id.SALTBYTES]
    raw = argon2id.kdf(16, head, salt, _OPERATIONS, _MEMORY)
    digits = str(int.from_bytes(raw, "big") % 10 ** (GROUPS * DIGITS)).zfill(GROUPS * DIGITS)
    return " ".join(digits[nth : nth + DIGITS] for nth in range(0, len(digits), DIGITS))
