"""A message taken apart into its parts, where it lies in memory (RFC 5322, 2045, 2046, 2231).

The parser of the standard library is not used for what strangers send: it takes a minute for a
header of semicolons, and gigabytes for a message of short lines. Here nothing is copied before it
is asked for, and what is looked at is counted, so that a message is read in a time that follows
from its size, or not at all.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from porto_cli.core.message import Sentence, say
from porto_cli.mail.heads import bytes_of_base64, decoded, decoded_words

LARGEST_HEADS = 1024 * 1024
"""Bytes of the heads of all parts of a message together."""
MOST_PARTS = 500
DEEPEST = 40
"""Levels of parts within parts that are looked into."""
MOST_MARKS = 10_000
"""So many lines may look like the beginning of a part."""
MOST_SCANNED = 512 * 1024 * 1024
"""Bytes that are searched for the beginnings of parts, those within parts again."""
_LONGEST_VALUE = 8192
"""Characters of a header that are looked at."""
_MOST_PARAMETERS = 100
_BEGINNING = 64 * 1024
"""Bytes of a part that is too large, by which it can be told what it is."""
_HEADER = re.compile(rb"([!-9;-~]+)[ \t]*:")
_ENVELOPE = (b"From ", b">From ")
_PARAMETER = re.compile(r';\s*([^\s;="]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"?|([^;]*))', re.DOTALL)
_SECTION = re.compile(r"([^*]+)\*(?:(\d{1,3})(\*)?)?")
_PERCENT = re.compile(rb"%([0-9A-Fa-f]{2})")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_REST_OF_MARK = re.compile(rb"(--)?[ \t]*\r?(?:\n|\Z)")

TOO_MUCH = say("It has more parts than any message of a person, and was not looked into.")
LARGE_HEAD = say(
    "The head of the message is larger than {most} KiB, which no mail program writes; it was not "
    "looked into.",
    most=LARGEST_HEADS >> 10,
)


class TooMuchError(Exception):
    """A message that is not looked into any further; ``sentence`` says why."""

    def __init__(self, sentence: Sentence) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class Head(NamedTuple):
    """The head of a message or of a part; names of headers are in small letters."""

    fields: dict[str, list[str]]

    def raw(self, name: str) -> str:
        """Return what stands behind the first header of a name, as it came; it may be long."""
        return next(iter(self.fields.get(name, ())), "")

    def text(self, name: str, most: int = 2000) -> str:
        """Return a header as people read it, in one line."""
        return " ".join(decoded_words(self.raw(name)[:most]).split())

    def parameters(self, name: str) -> tuple[str, dict[str, str]]:
        """Return the value of a header like Content-Type, and its parameters."""
        return read_parameters(self.raw(name))


def read_parameters(value: str) -> tuple[str, dict[str, str]]:
    """Return a value and the parameters behind it, as in ``text/plain; charset=utf-8``.

    Names are in small letters; values that are encoded (RFC 2231) or in sections are put together.
    """
    value = value[:_LONGEST_VALUE]
    plain: dict[str, str] = {}
    sections: dict[str, dict[int, tuple[str, bool]]] = {}
    for nth, found in enumerate(_PARAMETER.finditer(value)):
        if nth >= _MOST_PARAMETERS:
            break
        name = found[1].lower()
        text = found[3].strip() if found[2] is None else _ESCAPED.sub(r"\1", found[2])
        section = _SECTION.fullmatch(name)
        if section is None:
            plain.setdefault(name, text)
        else:
            encoded = section[2] is None or section[3] is not None
            sections.setdefault(section[1], {})[int(section[2] or 0)] = text, encoded
    plain |= {name: _put_together(parts) for name, parts in sections.items()}
    return value.partition(";")[0].strip().lower(), plain


def _put_together(sections: dict[int, tuple[str, bool]]) -> str:
    charset, data = "utf-8", b""
    for nth, (text, encoded) in sorted(sections.items()):
        if encoded and nth == min(sections) and text.count("'") >= 2:
            charset, _, text = text.split("'", 2)
        raw = text.encode("utf-8", "replace")
        data += _PERCENT.sub(lambda byte: bytes.fromhex(byte[1].decode()), raw) if encoded else raw
    return decoded(data, charset or "utf-8") or data.decode("latin-1")


def read_head(data: bytes, start: int, end: int, most: int) -> tuple[Head, int]:
    """Return the head that begins at a place, and where what it is of begins.

    Raises TooMuchError if it has more than ``most`` bytes.
    """
    fields: dict[str, list[list[bytes]]] = {}
    last: list[bytes] | None = None
    place = start
    while place < end:
        stop = data.find(b"\n", place, min(end, start + most + 1))
        if stop < 0 and end > start + most:
            raise TooMuchError(LARGE_HEAD)
        after = end if stop < 0 else stop + 1
        line = data[place:after].rstrip(b"\r\n")
        if not line:
            place = after
            break
        if line[:1] in (b" ", b"\t"):
            if last is not None:
                last.append(line)
        elif header := _HEADER.match(line):
            last = [line[header.end() :]]
            fields.setdefault(header[1].decode("ascii").lower(), []).append(last)
        elif place != start or not line.startswith(_ENVELOPE):
            break
        place = after
    found = {
        name: [_as_text(b"".join(lines)).strip() for lines in values]
        for name, values in fields.items()
    }
    return Head(found), place


def _as_text(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except ValueError:
        return data.decode("latin-1")


class Leaf(NamedTuple):
    """A part that has no parts."""

    head: Head
    data: bytes
    """All of the message."""
    start: int
    end: int
    forwarded: bool
    """Whether it is in a message within the message."""

    @property
    def kind(self) -> str:
        """The media type, like ``text/plain``."""
        return _kind_of(self.head, "text/plain")

    def content(self, most: int) -> tuple[bytes, bool]:
        """Return the bytes as they were before they were encoded for the way, and whether these
        are all: of more than ``most`` only the beginning is returned.
        """
        how = self.head.raw("content-transfer-encoding").partition(";")[0].strip().lower()
        grows, decode = _CODINGS.get(how, _AS_IT_IS)
        whole = self.end - self.start <= int(most * grows) + 1024
        raw = self.data[self.start : self.end if whole else self.start + _BEGINNING]
        found = decode(raw)
        return (found, whole) if len(found) <= most else (found[:_BEGINNING], False)


def _uudecoded(data: bytes) -> bytes:
    lines = iter(data.split(b"\n"))
    found = []
    for line in lines:
        if line.startswith(b"begin "):
            break
    for line in lines:
        if line.strip() in (b"end", b"`", b""):
            break
        try:
            found.append(binascii.a2b_uu(line.rstrip(b"\r")))
        except binascii.Error:
            break
    return b"".join(found) or data


_Coding = tuple[float, Callable[[bytes], bytes]]
_UU: _Coding = 1.5, _uudecoded
_AS_IT_IS: _Coding = 1.0, bytes
_CODINGS: dict[str, _Coding] = {
    "base64": (1.5, bytes_of_base64),
    "quoted-printable": (3.2, binascii.a2b_qp),
    **dict.fromkeys(("x-uuencode", "uuencode", "uue", "x-uue"), _UU),
}
"""How parts are encoded: at most how many times as long that makes them, and what undoes it."""


def _kind_of(head: Head, otherwise: str) -> str:
    if "content-type" not in head.fields:
        return otherwise
    kind, _ = head.parameters("content-type")
    return kind if kind.count("/") == 1 else "text/plain"


class Message:
    """A message in memory, and what has been looked at of it."""

    def __init__(self, data: bytes) -> None:
        """Read the head. Raises TooMuchError."""
        if b"\n" not in data:
            data = data.replace(b"\r", b"\n")
        self.data = data
        self._heads = LARGEST_HEADS
        self._marks = MOST_MARKS
        self._scanned = MOST_SCANNED
        self.head, self._start = self._head(0, len(data))
        self.too_deep = False
        """Whether parts were left out that are within too many others."""

    def leaves(self) -> Iterator[Leaf]:
        """Return the parts that have no parts, in their order. Raises TooMuchError."""
        waiting = [(self.head, self._start, len(self.data), 0, False)]
        for _ in range(MOST_PARTS):
            if not waiting:
                return
            head, start, end, depth, forwarded = waiting.pop()
            kind = _kind_of(head, "text/plain")
            inner = list(self._parts_of(head, kind, start, end))
            if not inner:
                yield Leaf(head, self.data, start, end, forwarded)
            elif depth >= DEEPEST:
                self.too_deep = True
            else:
                forwarded = forwarded or kind == "message/rfc822"
                waiting += [(*part, depth + 1, forwarded) for part in reversed(inner)]
        if waiting:
            raise TooMuchError(TOO_MUCH)

    def _parts_of(
        self, head: Head, kind: str, start: int, end: int
    ) -> Iterator[tuple[Head, int, int]]:
        if kind.startswith("message/") and kind != "message/delivery-status":
            inner, begin = self._head(start, end)
            yield inner, begin, end
        elif kind.startswith("multipart/"):
            boundary = head.parameters("content-type")[1].get("boundary", "").rstrip()
            otherwise = "message/rfc822" if kind == "multipart/digest" else ""
            for first, last in self._between(boundary, start, end) if boundary else ():
                inner, begin = self._head(first, last)
                if otherwise:
                    inner.fields.setdefault("content-type", [otherwise])
                yield inner, begin, last

    def _head(self, start: int, end: int) -> tuple[Head, int]:
        head, begin = read_head(self.data, start, end, self._heads)
        self._heads -= begin - start
        return head, begin

    def _between(self, boundary: str, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Return where the parts between the lines of a boundary begin and end."""
        self._scanned -= end - start
        if self._scanned < 0:
            raise TooMuchError(TOO_MUCH)
        data, mark = self.data, b"\n--" + boundary.encode("utf-8", "replace")
        begun = -1
        first = data.startswith(mark[1:], start)
        place = start - 1 if first else data.find(mark, start, end)
        while first or place >= 0:
            first = False
            self._marks -= 1
            if self._marks < 0:
                raise TooMuchError(TOO_MUCH)
            rest = _REST_OF_MARK.match(data, place + len(mark), end)
            if rest:
                if begun >= 0:
                    with_return = data[place - 1 : place] == b"\r"
                    yield begun, max(begun, place - with_return)
                if rest[1]:
                    return
                begun = rest.end()
            # The end of this line can be the one before the next mark.
            place = data.find(mark, begun - 1 if rest else place + 1, end)
        if begun >= 0:
            yield begun, end
