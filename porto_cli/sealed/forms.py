"""Bytes as text and back, strictly: what a file says is of one form, or it is refused.

YAML and JSON readers of others take ``true`` for 1, ``1.0`` for 1, or skip what is no base64. Two
programs that read the same signature differently could be shown two different games, so nothing
here is lenient.
"""

from __future__ import annotations

from binascii import Error, a2b_base64, b2a_base64
from collections.abc import Mapping, Sequence

from porto_cli.sealed.errors import refused
from porto_cli.sealed.primitives import SIZE, is_point


def to_text(raw: bytes) -> str:
    """Return bytes as base64 with padding (RFC 4648, section 4), in one piece."""
    return b2a_base64(raw, newline=False).decode()


def from_text(text: str) -> bytes | None:
    """Return the bytes of a base64 text, or None if it is not the one text for these bytes."""
    try:
        raw = a2b_base64(text.encode("ascii"), strict_mode=True)
    except (Error, UnicodeEncodeError):
        return None
    return raw if to_text(raw) == text else None


class Fields:
    """The fields of something that a player at ``seat`` has published, read strictly.

    Every method raises :class:`~porto_cli.sealed.errors.ProofError` when a field has another form.
    """

    def __init__(self, data: object, names: Sequence[str], seat: int | None) -> None:
        self.seat = seat
        if type(data) is not dict:
            raise refused(
                "form",
                seat,
                "Machine data of a sealed game is a mapping of fields, not {value!r}.",
                value=str(data),
            )
        missing = [name for name in names if name not in data]
        if missing:
            raise refused(
                "form",
                seat,
                "Machine data of a sealed game has no field {field!r}.",
                field=missing[0],
            )
        unknown = [name for name in data if name not in names]
        if unknown:
            raise refused(
                "form",
                seat,
                "Machine data of a sealed game has an unknown field {field!r}.",
                field=str(unknown[0]),
            )
        self.data: Mapping[str, object] = data

    def raw(self, name: str, size: int | None = None) -> bytes:
        """Return the bytes of a field; it has exactly ``size`` of them, if that is given."""
        text = self.data[name]
        if type(text) is not str:
            raise refused(
                "form",
                self.seat,
                "The field {field!r} has {value!r} where there must be a text in base64.",
                field=name,
                value=str(text),
            )
        raw = from_text(text)
        if raw is None:
            raise refused(
                "base64",
                self.seat,
                "The field {field!r} is not base64 as this program writes it:"
                " it was cut off, mistyped or changed on its way.",
                field=name,
            )
        if size is not None and len(raw) != size:
            raise refused(
                "form",
                self.seat,
                "The field {field!r} has {count} bytes where there must be"
                " {size}: it was cut off or changed.",
                field=name,
                count=len(raw),
                size=size,
            )
        return raw

    def points(self, name: str, count: int) -> tuple[bytes, ...]:
        """Return what should be the points of a field, as many as there must be.

        Whether they are some is not yet checked, see :func:`check_points`.
        """
        raw = self.raw(name, count * SIZE)
        return tuple(raw[nth : nth + SIZE] for nth in range(0, len(raw), SIZE))

    def point(self, name: str) -> bytes:
        """Return the one point of a field."""
        return self.points(name, 1)[0]

    def integer(self, name: str, limit: int = 2**53) -> int:
        """Return a number, 0 to ``limit`` - 1. True and False are none."""
        value = self.data[name]
        if type(value) is not int or not 0 <= value < limit:
            raise refused(
                "form",
                self.seat,
                "The field {field!r} has {value!r} in place of a whole number up to {limit}.",
                field=name,
                value=str(value),
                limit=limit - 1,
            )
        return value


def check_points(name: str, points: Sequence[bytes], seat: int | None) -> None:
    """Raise :class:`~porto_cli.sealed.errors.ProofError` unless all points of a field are some."""
    for nth, point in enumerate(points):
        if not is_point(point):
            raise refused(
                "point",
                seat,
                "The field {field!r} does not hold points only: the one in place {place} is outside"
                " the group, or written in a second way.",
                field=name,
                place=nth + 1,
            )
