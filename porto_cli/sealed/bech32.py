"""Bech32, the text form of keys (BIP-173): lower or upper case, with a checksum.

Any mistake in up to four characters is noticed, and nearly all others.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

CHARACTERS = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
LONGEST = 90
_CHECKSUM = 6
_GENERATOR = (0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)


def encode(prefix: str, raw: bytes) -> str:
    """Return bytes as Bech32 in lower case. The prefix is in lower case, too."""
    values = _regrouped(raw, 8, 5)
    assert values is not None
    rest = _polymod([*_expanded(prefix), *values, *[0] * _CHECKSUM]) ^ 1
    check = [rest >> 5 * (_CHECKSUM - 1 - nth) & 31 for nth in range(_CHECKSUM)]
    return f"{prefix}1{''.join(CHARACTERS[value] for value in [*values, *check])}"


def decode(text: str) -> tuple[str, bytes] | None:
    """Return the prefix in lower case and the bytes, or None if the text is no valid Bech32."""
    parts = split(text)
    if parts is None:
        return None
    raw = _regrouped(parts[1], 5, 8)
    return None if raw is None else (parts[0], bytes(raw))


def split(text: str) -> tuple[str, list[int]] | None:
    """Return the prefix and the values of five bits of a Bech32 text, or None if it is none."""
    if not 8 <= len(text) <= LONGEST or text not in (text.lower(), text.upper()):
        return None
    if not all("!" <= char <= "~" for char in text):
        return None
    prefix, one, data = text.lower().rpartition("1")
    if not one or not prefix or len(data) < _CHECKSUM:
        return None
    values = [CHARACTERS.find(char) for char in data]
    if -1 in values or _polymod([*_expanded(prefix), *values]) != 1:
        return None
    return prefix, values[:-_CHECKSUM]


def _expanded(prefix: str) -> list[int]:
    return [*(ord(char) >> 5 for char in prefix), 0, *(ord(char) & 31 for char in prefix)]


def _polymod(values: Iterable[int]) -> int:
    check = 1
    for value in values:
        top = check >> 25
        check = (check & 0x1FFFFFF) << 5 ^ value
        for nth, factor in enumerate(_GENERATOR):
            if top >> nth & 1:
                check ^= factor
    return check


def _regrouped(values: Sequence[int], size: int, new_size: int) -> list[int] | None:
    """Return numbers of ``size`` bits as numbers of ``new_size``; what is padded must be zero."""
    waiting = bits = 0
    regrouped = []
    for value in values:
        waiting = waiting << size | value
        bits += size
        while bits >= new_size:
            bits -= new_size
            regrouped.append(waiting >> bits & (1 << new_size) - 1)
        waiting &= (1 << bits) - 1
    if new_size < size:
        if bits:
            regrouped.append(waiting << new_size - bits)
    elif bits >= size or waiting:
        return None
    return regrouped
