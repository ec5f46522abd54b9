"""Bytes as text and back, strictly: everything in a file has exactly one valid form.

Other YAML and JSON readers take ``true`` for 1, ``1.0`` for 1, or skip invalid base64. If two
programs read the same signature differently, they could be shown two different games, so nothing
here is lenient.

Data of a game is in base64. Keys are in Bech32 (BIP-173), lower or upper case: its checksum
detects every error in up to four characters, and nearly all others.
"""

from __future__ import annotations

from binascii import Error, a2b_base64, b2a_base64
from collections.abc import Iterable, Mapping, Sequence

from porto_cli.core.message import shown
from porto_cli.sealed import ProofError, demand
from porto_cli.sealed.primitives import SIZE, is_point


def to_text(raw: bytes) -> str:
    """Return bytes as base64 with padding (RFC 4648, section 4), on one line."""
    return b2a_base64(raw, newline=False).decode()


def from_text(text: str) -> bytes | None:
    """Return the bytes of a base64 text, or None if it is not the canonical text of its bytes."""
    try:
        raw = a2b_base64(text.encode("ascii"), strict_mode=True)
    except (Error, UnicodeEncodeError):
        return None
    return raw if to_text(raw) == text else None


def bytes_of(text: object) -> bytes:
    """Return the bytes of a base64 text whose form was checked."""
    raw = from_text(str(text))
    assert raw is not None
    return raw


def unpacked(data: object, sizes: Mapping[str, int | None]) -> dict[str, bytes]:
    """Return the bytes of a mapping that has exactly these fields, each of a size, if one is given.

    Raises :class:`~porto_cli.sealed.ProofError`.
    """
    return {name: _unpack(name, text, sizes[name]) for name, text in fields(data, sizes).items()}


def fields(data: object, names: Iterable[str]) -> Mapping[str, object]:
    """Require a mapping that has exactly these fields. Raises ProofError."""
    if type(data) is not dict:
        raise ProofError(
            f"Machine data of a sealed game is a mapping of fields, not {shown(data)}."
        )
    for name in names:
        demand(name in data, f"Machine data of a sealed game has no field {name!r}.")
    for name in data.keys() - set(names):
        raise ProofError(f"Machine data of a sealed game has an unknown field {shown(name)}.")
    return data


def _unpack(name: str, text: object, size: int | None) -> bytes:
    if type(text) is not str:
        raise ProofError(f"The field {name!r} has {shown(text)}, but must be a text in base64.")
    raw = from_text(text)
    if raw is None:
        raise ProofError(
            f"The field {name!r} is not base64 as this program writes it: it was cut off, "
            "mistyped or changed on its way."
        )
    if size is not None and len(raw) != size:
        raise ProofError(
            f"The field {name!r} has {len(raw)} bytes, but must have {size}: it was cut "
            "off or changed."
        )
    return raw


def points_in(raw: bytes) -> tuple[bytes, ...]:
    """Return the points in bytes. Whether they are valid is not yet checked, see
    :func:`check_points`.
    """
    return tuple(raw[nth : nth + SIZE] for nth in range(0, len(raw), SIZE))


def check_points(name: str, points: Iterable[bytes]) -> None:
    """Raise :class:`~porto_cli.sealed.ProofError` unless all points of a field are valid."""
    for place, point in enumerate(points, 1):
        demand(
            is_point(point),
            f"The field {name!r} must hold points only, but number {place} is outside the "
            "group or not encoded canonically.",
        )


# -- Bech32


BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
_LONGEST = 90
_CHECKSUM = 6
_GENERATOR = (0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)


def to_bech32(prefix: str, raw: bytes) -> str:
    """Return bytes as Bech32 in lower case. The prefix is in lower case, too."""
    values = _regrouped(raw, 8, 5)
    assert values is not None
    rest = _polymod([*_expanded(prefix), *values, *[0] * _CHECKSUM]) ^ 1
    check = [rest >> 5 * (_CHECKSUM - 1 - nth) & 31 for nth in range(_CHECKSUM)]
    return f"{prefix}1{''.join(BECH32[value] for value in [*values, *check])}"


def from_bech32(text: str) -> tuple[str, bytes] | None:
    """Return the prefix in lower case and the bytes, or None if the text is not valid Bech32."""
    parts = split_bech32(text)
    if parts is None:
        return None
    raw = _regrouped(parts[1], 5, 8)
    return None if raw is None else (parts[0], bytes(raw))


def split_bech32(text: str) -> tuple[str, list[int]] | None:
    """Return the prefix and the five-bit values of a Bech32 text, or None if it is not valid."""
    if not 8 <= len(text) <= _LONGEST or text not in (text.lower(), text.upper()):
        return None
    if not all("!" <= char <= "~" for char in text):
        return None
    prefix, one, data = text.lower().rpartition("1")
    if not one or not prefix or len(data) < _CHECKSUM:
        return None
    values = [BECH32.find(char) for char in data]
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
    """Return numbers of ``size`` bits as numbers of ``new_size``; padding must be zero."""
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
