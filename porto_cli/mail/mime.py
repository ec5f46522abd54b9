"""Messages as mail programs write them: heads, parts (RFC 5322, 2045, 2046, 2047, 2231), and the
text of HTML.

The parsers of the standard library are not used on untrusted messages: that of messages takes a
minute for a header of semicolons, and gigabytes for a message of short lines; that of HTML takes
minutes for some hundred kilobytes of unclosed tags. Here nothing is copied before it is needed, and
everything that is read is counted, also in length and in the charsets that are decoded, so that a
message is read in a time that follows from its size, or not at all.
"""

from __future__ import annotations

import binascii
import codecs
import re
from collections import Counter
from collections.abc import Callable, Iterator
from email.utils import getaddresses
from html import unescape
from string import ascii_letters, ascii_lowercase, ascii_uppercase, digits
from typing import NamedTuple

LARGEST_HEADS = 1024 * 1024
"""Bytes of the heads of all parts of a message together."""
MOST_PARTS = 500
DEEPEST = 40
"""Levels of parts within parts that are read."""
MOST_MARKS = 10_000
"""Maximum number of lines that may look like the beginning of a part."""
MOST_SCANNED = 512 * 1024 * 1024
"""Bytes that are searched for the beginnings of parts, those within parts again."""
_LONGEST_VALUE = 8192
"""Characters of a header that are looked at."""
_MOST_PARAMETERS = 100
_BEGINNING = 64 * 1024
"""Bytes of a part that is too large, by which its kind is recognized."""
_HEADER = re.compile(rb"([!-9;-~]+)[ \t]*:")
_ENVELOPE = (b"From ", b">From ")
_PARAMETER = re.compile(r';\s*([^\s;="]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"?|([^;]*))', re.DOTALL)
_SECTION = re.compile(r"([^*]+)\*(?:(\d{1,3})(\*)?)?")
_PERCENT = re.compile(rb"%([0-9A-Fa-f]{2})")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_REST_OF_MARK = re.compile(rb"(--)?[ \t]*\r?(?:\n|\Z)")

_ENCODED = re.compile(r"=\?([^?\s]{1,60})\?([bq])\?([^?\s]*)\?=", re.IGNORECASE)
_NO_BASE64 = bytes(set(range(256)) - set(f"{ascii_letters}{digits}+/".encode()))
_CHARSET_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:+-]{0,39}")
_CHARSETS = frozenset(
    {
        *("ascii", "utf-8", "utf-8-sig", "utf-7", "utf-16", "utf-16-le", "utf-16-be"),
        *("utf-32", "utf-32-le", "utf-32-be"),
        *(f"iso8859-{part}" for part in range(1, 17)),
        *(f"cp{page}" for page in (*range(1250, 1259), 437, 850, 852, 855, 858, 866, 874)),
        *("cp932", "cp949", "cp950", "koi8-r", "koi8-u", "mac-roman", "mac-cyrillic", "tis-620"),
        *("gb2312", "gbk", "gb18030", "hz", "big5", "big5hkscs", "euc_kr", "johab", "iso2022_kr"),
        *("euc_jp", "euc_jis_2004", "euc_jisx0213", "shift_jis", "shift_jis_2004"),
        *("iso2022_jp", "iso2022_jp_1", "iso2022_jp_2", "iso2022_jp_2004", "iso2022_jp_3"),
        "iso2022_jp_ext",
    }
)
"""The names that codecs has for the charsets of mail. Its other codecs are not charsets, or take a
time that grows with the square of the text (punycode)."""

TOO_MUCH = "It has far more parts than an ordinary message, and was not read."
LARGE_HEAD = (
    f"The headers of the message are larger than {LARGEST_HEADS >> 10} KiB, more than any "
    "mail program writes; it was not read."
)


class TooMuchError(Exception):
    """A message that is not read any further; ``sentence`` says why."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


def charset_of(name: str) -> str:
    """Return the name that codecs has for a charset of mail; empty for any other name."""
    if not _CHARSET_NAME.fullmatch(name):
        return ""
    try:
        found = codecs.lookup(name).name
    except LookupError:
        return ""
    return found if found in _CHARSETS else ""


def decoded(data: bytes, charset: str) -> str | None:
    """Return bytes decoded from a charset; None if they are invalid, or it is not one of mail."""
    known = charset_of(charset)
    if not known:
        return None
    try:
        return data.decode(known)
    except ValueError:
        return None


def decoded_words(text: str) -> str:
    """Return a text with its encoded words decoded (RFC 2047); the rest is unchanged."""
    pieces: list[str] = []
    end = 0
    waiting, charset = b"", ""

    def decode() -> None:
        if waiting:
            pieces.append(decoded(waiting, charset) or waiting.decode("latin-1"))

    for found in _ENCODED.finditer(text):
        between = text[end : found.start()]
        name = found[1].partition("*")[0].lower()
        if waiting and (between.strip(" \t\r\n") or name != charset):
            decode()
            waiting = b""
        if between.strip(" \t\r\n") or not end:
            pieces.append(between)
        # Some programs divide a letter of several bytes between two words.
        waiting, charset = waiting + _bytes_of_word(found[2], found[3]), name
        end = found.end()
    decode()
    return "".join([*pieces, text[end:]])


def _bytes_of_word(how: str, text: str) -> bytes:
    data = text.encode("utf-8", "replace")
    if how in "qQ":
        return binascii.a2b_qp(data, header=True)
    return bytes_of_base64(data)


def bytes_of_base64(data: bytes) -> bytes:
    """Return decoded Base64, as far as it is valid."""
    try:
        return binascii.a2b_base64(data + b"===")
    except binascii.Error:
        # One letter too many, as where a line was lost.
        letters = data.translate(None, _NO_BASE64)
        return binascii.a2b_base64(letters[: len(letters) // 4 * 4])


def read_addresses(text: str) -> list[tuple[str, str]]:
    """Return the names, decoded, and the addresses in a header."""
    try:
        found = getaddresses([text])
    except (ValueError, IndexError, TypeError, RecursionError):
        return []
    return [(decoded_words(name), address) for name, address in found if address]


class Headers(NamedTuple):
    """The head of a message or of a part; names of headers are in small letters."""

    fields: dict[str, list[str]]

    def raw(self, name: str) -> str:
        """Return the first header of a name as it came; it may be long."""
        return next(iter(self.fields.get(name, ())), "")

    def text(self, name: str, most: int = 2000) -> str:
        """Return a header as people read it, in one line."""
        return " ".join(decoded_words(self.raw(name)[:most]).split())

    def parameters(self, name: str) -> tuple[str, dict[str, str]]:
        """Return the value of a header like Content-Type, and its parameters."""
        return read_parameters(self.raw(name))


def read_parameters(value: str) -> tuple[str, dict[str, str]]:
    """Return a value and its parameters, as in ``text/plain; charset=utf-8``.

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


def read_head(data: bytes, start: int, end: int, most: int) -> tuple[Headers, int]:
    """Return the head that begins at a place, and where its message or part begins.

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
    return Headers(found), place


def _as_text(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except ValueError:
        return data.decode("latin-1")


class Leaf(NamedTuple):
    """A part that has no parts."""

    head: Headers
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
        """Return the decoded bytes, and whether these are all: of more than ``most`` only the
        beginning is returned.
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
"""How parts are encoded: how many times longer that makes them at most, and the decoder."""


def _kind_of(head: Headers, otherwise: str) -> str:
    if "content-type" not in head.fields:
        return otherwise
    kind, _ = head.parameters("content-type")
    return kind if kind.count("/") == 1 else "text/plain"


class Message:
    """A message in memory, and how much of it has been read."""

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
        """Whether parts were left out because they are nested too deep."""

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
        self, head: Headers, kind: str, start: int, end: int
    ) -> Iterator[tuple[Headers, int, int]]:
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

    def _head(self, start: int, end: int) -> tuple[Headers, int]:
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


# -- The text of HTML
#
# Lines are as they are shown, preformatted text is as it is, and quotations are marked with "> ",
# as in a plain message. Every character is read a few times at most.


_BLOCKS = frozenset(
    {
        *("address", "article", "blockquote", "body", "center", "dd", "div", "dl", "dt", "form"),
        *("h1", "h2", "h3", "h4", "h5", "h6", "header", "footer", "hr", "html", "li", "main"),
        *("ol", "p", "pre", "section", "table", "td", "th", "tr", "ul"),
    }
)
_NO_MARKUP = frozenset({"script", "style", "title", "textarea", "xmp"})
"""Elements in which nothing but their own end is markup."""
_UNSEEN = frozenset({"head", "script", "style", "title", "template", "s", "strike", "del"})
"""Elements that nobody sees, or whose text is struck out: its writer has taken it back."""
_EMPTY = frozenset({"br", "hr", "img", "input", "link", "meta", "wbr", "area", "base", "col"})
_KEEPS_BLANKS = re.compile(r"white-space\s*:\s*(?:pre|break-spaces)")
_HIDES = re.compile(r"display\s*:\s*none|text-decoration[a-z-]*\s*:[^;]*line-through")
_SMALL = str.maketrans(ascii_uppercase, ascii_lowercase)
"""Only these: other letters could become more, and places in the text others."""
_BLANKS = re.compile(r"[ \t\r\n\f]+")
_NAME = re.compile(r"/?[a-z][^\s/>]{0,40}")
_STYLE = re.compile(r"""\sstyle\s*=\s*["']?([^"'>]{0,2000})""")
_DEEPEST = 200
"""Levels of elements that are followed; deeper nesting is not from a mail program."""
_DEEPEST_QUOTATION = 20
"""Levels of quotations that are shown; each makes every line in it longer."""
_LONGEST_TAG = 4000
"""Characters of a tag in which a ``>`` in quotes is not its end."""


class _Tag(NamedTuple):
    name: str
    style: str
    is_end: bool


def _parts(html: str) -> Iterator[str | _Tag]:
    """Return texts, as they are, and tags; comments and declarations are left out."""
    lower = html.translate(_SMALL)
    start = 0
    while (place := html.find("<", start)) >= 0:
        if lower.startswith(("<!", "<?"), place):
            end = "-->" if lower.startswith("<!--", place) else ">"
            yield html[start:place]
            start = _after(html, end, place + 2)
            continue
        name = _NAME.match(lower, place + 1)
        if not name:
            yield html[start : place + 1]
            start = place + 1
            continue
        yield html[start:place]
        start = _end_of_tag(html, name.end())
        is_end = name[0].startswith("/")
        style = _STYLE.search(lower[name.end() : start]) if not is_end else None
        tag = _Tag(name[0].lstrip("/"), style[1] if style else "", is_end)
        yield tag
        if tag.name in _NO_MARKUP and not is_end:
            start = _after(lower, f"</{tag.name}", start)
            start = _after(html, ">", start)
            yield tag._replace(is_end=True)
    yield html[start:]


def _after(text: str, end: str, start: int) -> int:
    """Return the place after the next end mark; the end of the text if there is none."""
    place = text.find(end, start)
    return len(text) if place < 0 else place + len(end)


def _end_of_tag(html: str, start: int) -> int:
    """Return the place after a tag, which may have a ``>`` in quotes."""
    end = _after(html, ">", start)
    while end - start <= _LONGEST_TAG and end < len(html):
        if html.count('"', start, end) % 2 == 0:
            return end
        end = _after(html, ">", end)
    return _after(html, ">", start)


class _Element(NamedTuple):
    name: str
    preformatted: bool = False
    unseen: bool = False


class _Reader:
    """Sets the visible text of an HTML message in lines."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.line: list[str] = []
        self.stack = [_Element("")]
        self.open: Counter[str] = Counter()

    def read(self, html: str) -> str:
        """Return the text of a message."""
        for part in _parts(html):
            if isinstance(part, str):
                self._text(part)
            elif part.is_end:
                self._end(part.name)
            else:
                self._begin(part)
        self._end_line()
        return "\n".join(self.lines) + "\n"

    def _begin(self, tag: _Tag) -> None:
        name, style = tag.name, tag.style
        if name == "br":
            self._end_line(always=True)
            return
        if name in _BLOCKS:
            self._end_line()
        if name in _EMPTY or len(self.stack) > _DEEPEST:
            return
        above = self.stack[-1]
        preformatted = above.preformatted or name == "pre" or bool(_KEEPS_BLANKS.search(style))
        unseen = above.unseen or name in _UNSEEN or bool(_HIDES.search(style))
        self.stack.append(_Element(name, preformatted, unseen))
        self.open[name] += 1
        if name == "li":
            self.line = ["- "]

    def _end(self, name: str) -> None:
        """End an element, and those in it that were not closed."""
        if not self.open[name]:
            return
        if name in _BLOCKS:
            self._end_line()
        while (ended := self.stack.pop().name) != name:
            self.open[ended] -= 1
        self.open[name] -= 1
        if name == "p":
            self._end_line(always=True)

    def _text(self, text: str) -> None:
        here = self.stack[-1]
        if here.unseen or not text:
            return
        if not here.preformatted:
            text = _unescaped(_BLANKS.sub(" ", text))
            after_a_blank = not self.line or self.line[-1].endswith(" ")
            self._add(text.lstrip(" ") if after_a_blank else text)
            return
        text = _unescaped(text).replace("\r\n", "\n").replace("\r", "\n")
        first, *others = text.split("\n")
        self._add(first)
        for other in others:
            self._end_line(always=True)
            self._add(other)

    def _add(self, text: str) -> None:
        if text:
            self.line.append(text)

    def _end_line(self, *, always: bool = False) -> None:
        line = "".join(self.line).rstrip(" ")
        if line or always:
            self.lines.append("> " * min(self.open["blockquote"], _DEEPEST_QUOTATION) + line)
        self.line = []


def _unescaped(text: str) -> str:
    try:
        return unescape(text)
    except ValueError:
        # A reference to a character with thousands of digits.
        return text


def text_of_html(html: str) -> str:
    """Return the text of an HTML message, line by line."""
    return _Reader().read(html)
