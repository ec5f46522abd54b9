"""Messages as mail programs write them: the standard library's ``email`` behind a cap, and the text
of HTML.

Everything is measured before ``email`` sees it, and only short headers are read, so that no message
takes long or much memory. The parser of HTML is not the library's, which takes minutes
for some hundred kilobytes of unclosed tags.
"""

from __future__ import annotations

import codecs
import re
from binascii import Error as Base64Error
from email import message_from_bytes
from email.errors import MessageError
from email.header import decode_header
from email.message import Message
from email.policy import Compat32
from email.utils import collapse_rfc2231_value, getaddresses
from html import unescape
from typing import NamedTuple

LARGEST_HEADS = 256 * 1024
"""Bytes of the head of a message."""
LARGEST_PART = 8 * 1024 * 1024
"""Bytes of a part as sent; of a larger one only the headers are read."""
LARGEST_PARSED = 32 * 1024 * 1024
"""Bytes of a message without its largest parts."""
MOST_LINES = 3_000_000
"""Lines of a message, counted once more for each level of parts."""
MOST_PARTS = 500
MOST_MARKS = 10_000
"""The most lines that may look like the beginning of a part."""
DEEPEST = 40
"""The most levels of parts within parts that are read."""
LONGEST_VALUE = 8192
"""Characters of a header that are read."""
_HEAD = re.compile(rb"\r?\n\r?\n|\Z")
_LONG_KIND = re.compile(rb"(?im)^content-type:(?:[^\n]|\n[ \t]){%d}" % LONGEST_VALUE)
_BOUNDARY = re.compile(rb"(?i)boundary\*?\d*\*?=")
_KIND = re.compile(rb"(?im)^content-type:[ \t]*([\w/.+-]*)")
NO_TEXT = ("image", "audio", "video", "font", "model")
"""The main types of parts without text."""

_CHARSET_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:+-]{0,39}")
_CHARSET = re.compile(
    r"ascii|utf-|iso8859-|iso2022_|cp\d|koi8-|mac-|tis-620|gb|hz|big5|euc_|johab|shift_jis"
)
"""The beginnings of names of mail's charsets in ``codecs``. Its other codecs are not charsets, or
take quadratic time (punycode)."""


TOO_MUCH = "It has far more parts or lines than an ordinary message, and was not read."
LARGE_HEAD = (
    f"The headers of the message are larger than {LARGEST_HEADS >> 10} KiB, more than any "
    "mail program writes; it was not read."
)


class TooMuchError(Exception):
    """A message is not read any further; the text says why."""


class _AsItIs(Compat32):
    """The headers of a message as they came."""

    def header_fetch_parse(self, name: str, value: str) -> str:
        """Return a value, with bytes outside ASCII as surrogates."""
        return value


def parsed(data: bytes) -> tuple[Message, bool]:
    """Return a message, and whether large parts that may be text were left out.

    Raises TooMuchError.
    """
    if b"\n" not in data:
        data = data.replace(b"\r", b"\n")
    if data.startswith((b"From ", b">From ")):
        data = data.partition(b"\n")[2]
    head = _HEAD.search(data, 0, LARGEST_HEADS + 4)
    if head is None or head.start() > LARGEST_HEADS or _LONG_KIND.search(data):
        raise TooMuchError(LARGE_HEAD)
    is_large = len(data) > LARGEST_PART
    if data.count(b"\n--") > MOST_MARKS and (is_large or _BOUNDARY.search(data)):
        raise TooMuchError(TOO_MUCH)
    data, is_cut = _without_large_parts(data)
    levels = 1 + len(_BOUNDARY.findall(data))
    if len(data) > LARGEST_PARSED or data.count(b"\n") * levels > MOST_LINES:
        raise TooMuchError(TOO_MUCH)
    try:
        return message_from_bytes(data, policy=_AsItIs()), is_cut
    except (MessageError, RecursionError, ValueError, LookupError, TypeError):
        raise TooMuchError(TOO_MUCH) from None


def _without_large_parts(data: bytes) -> tuple[bytes, bool]:
    """Return a message without the contents of its largest parts, and whether one may be text.

    Pictures may have any size, as they are not even parsed.
    """
    if len(data) <= LARGEST_PART:
        return data, False
    is_cut, parts = False, re.split(rb"(?m)^(?=--)", data)
    for index, part in enumerate(parts):
        if len(part) > LARGEST_PART:
            end = _HEAD.search(part, 0, LARGEST_HEADS + 4)
            parts[index] = part[: end.end()] if end else b""
            kind = _KIND.search(parts[index])
            main = kind[1].partition(b"/")[0].decode("latin-1").lower() if kind else "text"
            is_cut = is_cut or main not in NO_TEXT
    return b"".join(parts), is_cut


def leaves(message: Message) -> tuple[list[tuple[Message, Message]], str]:
    """Return the parts without parts, in order, each with its message, which may be within the
    message; and why some are missing, if there are too many.
    """
    found: list[tuple[Message, Message]] = []
    waiting, left_out = [(message, 0, message)], ""
    while waiting and len(found) < MOST_PARTS:
        part, depth, owner = waiting.pop()
        inner = part.get_payload() if part.is_multipart() else None
        if not isinstance(inner, list):
            found.append((part, owner))
        elif depth >= DEEPEST:
            left_out = TOO_DEEP
        else:
            is_message = part.get_content_type() == "message/rfc822"
            parts = [one for one in reversed(inner) if isinstance(one, Message)]
            waiting += [(one, depth + 1, one if is_message else owner) for one in parts]
    return found, TOO_MUCH if waiting else left_out


TOO_DEEP = f"Parts of it that are nested more than {DEEPEST} levels deep were not read."


def raw(part: Message, name: str, most: int = LONGEST_VALUE) -> str:
    """Return the first header of a name, as it came, in one line."""
    value = str(part.get(name, ""))[:most]
    if not value.isascii():
        data = value.encode("utf-8", "surrogateescape")
        value = decoded(data, "utf-8") or data.decode("latin-1")
    return re.sub(r"[\r\n]+", "", value).strip()


def head_text(part: Message, name: str, most: int = 2000) -> str:
    """Return a header as people read it, in one line."""
    return " ".join(decoded_words(raw(part, name, most)).split())


def charset_of(name: str) -> str:
    """Return the ``codecs`` name of a charset of mail; empty for anything else."""
    if not _CHARSET_NAME.fullmatch(name):
        return ""
    try:
        found = codecs.lookup(name).name
    except LookupError:
        return ""
    return found if _CHARSET.match(found) else ""


def decoded(data: bytes, charset: str) -> str | None:
    """Return bytes decoded from a charset; None if they are invalid or it is unknown."""
    known = charset_of(charset)
    if not known:
        return None
    try:
        return data.decode(known)
    except ValueError:
        return None


def decoded_words(text: str) -> str:
    """Return a text with its encoded words decoded (RFC 2047); the rest is unchanged."""
    if "=?" not in text:
        return text
    try:
        words = decode_header(text)
    except (MessageError, Base64Error, ValueError):
        return text
    pieces = []
    for data, charset in words:
        if isinstance(data, str):
            pieces.append(data)
        elif charset is None:
            pieces.append(data.decode("ascii" if data.isascii() else "raw-unicode-escape"))
        else:
            pieces.append(decoded(data, charset.partition("*")[0]) or data.decode("latin-1"))
    return "".join(pieces)


def read_addresses(text: str) -> list[tuple[str, str]]:
    """Return the names, decoded, and the addresses in a header."""
    try:
        found = getaddresses([text])
    except (ValueError, IndexError, TypeError, RecursionError):
        return []
    return [(decoded_words(name), address) for name, address in found if address]


def read_parameters(value: str) -> tuple[str, dict[str, str]]:
    """Return a value and its parameters, as in ``text/plain; charset=utf-8``.

    Names are in lower case; encoded values (RFC 2231) and values in sections are put together.
    """
    carrier: Message = Message()
    carrier["Content-Type"] = re.sub(r"[\r\n]+", "", value[:LONGEST_VALUE])
    try:
        (kind, _), *pairs = carrier.get_params([("", "")])
        named = {name.lower(): collapse_rfc2231_value(text) for name, text in pairs}
    except (ValueError, LookupError, TypeError, IndexError):
        return value.partition(";")[0].strip().lower(), {}
    return kind.strip().lower(), named


def content(part: Message) -> bytes:
    """Return the decoded bytes of a part, as far as they are valid."""
    try:
        found = part.get_payload(decode=True)
    except (ValueError, LookupError, TypeError):
        return b""
    return found if isinstance(found, bytes) else b""


# -- The text of HTML
#
# Lines are as shown, preformatted text is unchanged, and quotations are marked with "> " as in a
# plain message. Every character is read only a few times.


_TAG = re.compile(
    r"<(?P<end>/?)(?P<name>[a-zA-Z][^\s<>/]{0,40})(?P<rest>[^<>]*)>|<[!?/][^<>]*>|[^<]+|<"
)
_BLOCKS = frozenset(
    {
        *("address", "article", "blockquote", "body", "center", "dd", "div", "dl", "dt", "form"),
        *("h1", "h2", "h3", "h4", "h5", "h6", "header", "footer", "hr", "html", "li", "main"),
        *("ol", "p", "pre", "section", "table", "td", "th", "tr", "ul"),
    }
)
_UNSEEN = frozenset(
    {
        *("head", "script", "style", "title", "template", "textarea", "xmp", "noscript", "select"),
        *("datalist", "s", "strike", "del"),
    }
)
"""Elements that nobody sees, or with text struck out, which the writer has taken back."""
_NO_MARKUP = frozenset({"script", "style", "title", "textarea", "xmp"})
"""Elements in which only their own end is markup."""
_EMPTY = frozenset({"br", "hr", "img", "input", "link", "meta", "wbr", "area", "base", "col"})
_KEEPS_BLANKS = re.compile(r"(?i)white-space\s*:\s*(?:pre|break-spaces)")
_HIDES = re.compile(
    r"(?i)display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)"
    r"|(?:font-size|opacity|max-height)\s*:\s*0(?![\d.]*[1-9])"
    r"|text-decoration[a-z-]*\s*:[^;]*line-through"
)
_HIDDEN = re.compile(r"(?i)(?:^|\s)hidden(?:[\s=/]|$)")
_VALUE = re.compile(r""""[^"]*"|'[^']*'""")
_LONGEST_STYLE = 2000
_BLANKS = re.compile(r"[ \t\r\n\f]+")
_DEEPEST_ELEMENT = 200
"""The most levels of elements; mail programs do not nest deeper."""
_DEEPEST_QUOTATION = 20
"""The most levels of quotations that are shown; each makes its lines longer."""


class _Element(NamedTuple):
    """An open element: whether its blanks are kept, whether it is unseen, and its level of
    quotation.
    """

    name: str = ""
    keeps: bool = False
    unseen: bool = False
    quoted: int = 0

    def opened(self, name: str, rest: str) -> _Element:
        """Return an element within this one, by its name and attributes."""
        style = rest[:_LONGEST_STYLE]
        keeps = self.keeps or name == "pre" or bool(_KEEPS_BLANKS.search(style))
        unseen = self.unseen or name in _UNSEEN or _is_hidden(style)
        quoted = self.quoted + 1 if name == "blockquote" else self.quoted
        return _Element(name, keeps, unseen, quoted)


def _is_hidden(attributes: str) -> bool:
    """Return whether attributes hide an element, or strike out its text."""
    return bool(_HIDES.search(attributes) or _HIDDEN.search(_VALUE.sub(" ", attributes)))


def _unescaped(text: str) -> str:
    try:
        return unescape(text)
    except ValueError:
        # A reference to a character with thousands of digits.
        return text


def text_of_html(html: str) -> str:
    """Return the text of an HTML message, line by line."""
    first, *others = html.split("<!--")
    # "<!-->" is a whole comment.
    seen = first + "".join(f"--{one}".partition("-->")[2] for one in others)
    lines: list[str] = []
    line: list[str] = []
    stack, raw_text = [_Element()], ""

    def end_line(*, always: bool = False) -> None:
        text = "".join(line)
        text = text if text == "-- " else text.rstrip(" ")
        if text or always:
            lines.append("> " * min(stack[-1].quoted, _DEEPEST_QUOTATION) + text)
        line.clear()

    for found in _TAG.finditer(seen):
        name, inner = (found["name"] or "").lower(), stack[-1]
        if raw_text and not (found["end"] and name == raw_text):
            # Only its own end is markup there.
            continue
        raw_text = ""
        if name and found["end"]:
            if name in (one.name for one in stack):
                if name in _BLOCKS:
                    end_line()
                while stack.pop().name != name:
                    pass
                if name == "p":
                    end_line(always=True)
        elif name:
            if name in _BLOCKS or name == "br":
                end_line(always=name == "br")
            if name not in _EMPTY and len(stack) <= _DEEPEST_ELEMENT:
                stack.append(inner.opened(name, found["rest"]))
                if name == "li":
                    line[:] = ["- "]
            raw_text = name if name in _NO_MARKUP else ""
        elif inner.unseen or found[0][:2] in ("<!", "<?", "</"):
            continue
        elif inner.keeps:
            before, *after = re.sub("\r\n?", "\n", _unescaped(found[0])).split("\n")
            line.append(before)
            for one in after:
                end_line(always=True)
                line.append(one)
        else:
            text = _unescaped(_BLANKS.sub(" ", found[0]))
            line.append(text if line and not line[-1].endswith(" ") else text.lstrip(" "))
    end_line()
    return "\n".join(lines) + "\n"
