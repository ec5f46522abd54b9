"""The text of an HTML message: lines as they are shown, preformatted text as it is.

What is quoted stands behind ``> ``, as in a plain message. The parser of the standard library is
not used, because it takes minutes for some hundred kilobytes of tags that nobody has ended, and
anybody can send them; here every character is looked at a few times at most.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from html import unescape
from string import ascii_lowercase, ascii_uppercase
from typing import NamedTuple

_BLOCKS = frozenset(
    {
        *("address", "article", "blockquote", "body", "center", "dd", "div", "dl", "dt", "form"),
        *("h1", "h2", "h3", "h4", "h5", "h6", "header", "footer", "hr", "html", "li", "main"),
        *("ol", "p", "pre", "section", "table", "td", "th", "tr", "ul"),
    }
)
_NO_MARKUP = frozenset({"script", "style", "title", "textarea", "xmp"})
"""Elements in which nothing but their own end is markup."""
_UNSEEN = frozenset({"head", "script", "style", "title", "template"})
_EMPTY = frozenset({"br", "hr", "img", "input", "link", "meta", "wbr", "area", "base", "col"})
_KEEPS_BLANKS = re.compile(r"white-space\s*:\s*(?:pre|break-spaces)")
_HIDES = re.compile(r"display\s*:\s*none")
_SMALL = str.maketrans(ascii_uppercase, ascii_lowercase)
"""Only these: other letters could become more, and places in the text others."""
_BLANKS = re.compile(r"[ \t\r\n\f]+")
_NAME = re.compile(r"/?[a-z][^\s/>]{0,40}")
_STYLE = re.compile(r"""\sstyle\s*=\s*["']?([^"'>]{0,2000})""")
_DEEPEST = 200
"""Levels of elements that are followed; what is nested deeper was made to annoy."""
_DEEPEST_QUOTATION = 20
"""Levels of quotations that are shown; each makes every line in it longer."""
_LONGEST_VALUE = 4000
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
            start = _behind(html, end, place + 2)
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
            start = _behind(lower, f"</{tag.name}", start)
            start = _behind(html, ">", start)
            yield tag._replace(is_end=True)
    yield html[start:]


def _behind(text: str, end: str, start: int) -> int:
    """Return the place behind the next end mark; behind everything if there is none."""
    place = text.find(end, start)
    return len(text) if place < 0 else place + len(end)


def _end_of_tag(html: str, start: int) -> int:
    """Return the place behind a tag, in whose quotes a ``>`` can stand."""
    end = _behind(html, ">", start)
    while end - start <= _LONGEST_VALUE and end < len(html):
        if html.count('"', start, end) % 2 == 0:
            return end
        end = _behind(html, ">", end)
    return _behind(html, ">", start)


class _Element(NamedTuple):
    name: str
    preformatted: bool = False
    unseen: bool = False


class _Reader:
    """Sets what is shown of an HTML message in lines."""

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
        """End an element, and those in it that nobody has ended."""
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
    """Return what an HTML message says, line by line."""
    return _Reader().read(html)
