"""The text of an HTML message: lines as they are shown, preformatted text as it is.

What is quoted stands behind ``> ``, as in a plain message.
"""

from __future__ import annotations

import re
from collections import Counter
from html.parser import HTMLParser
from typing import NamedTuple

_BLOCKS = frozenset(
    {
        *("address", "article", "blockquote", "body", "center", "dd", "div", "dl", "dt", "form"),
        *("h1", "h2", "h3", "h4", "h5", "h6", "header", "footer", "hr", "html", "li", "main"),
        *("ol", "p", "pre", "section", "table", "td", "th", "tr", "ul"),
    }
)
_UNSEEN = frozenset({"head", "script", "style", "title", "template"})
_EMPTY = frozenset({"br", "hr", "img", "input", "link", "meta", "wbr", "area", "base", "col"})
_KEEPS_BLANKS = re.compile(r"white-space\s*:\s*(?:pre|break-spaces)")
_HIDES = re.compile(r"display\s*:\s*none")
_BLANKS = re.compile(r"[ \t\r\n\f]+")
_DEEPEST = 200
"""Levels of elements that are followed; what is nested deeper was made to annoy."""


class _Element(NamedTuple):
    tag: str
    preformatted: bool = False
    unseen: bool = False


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[str] = []
        self.line: list[str] = []
        self.stack = [_Element("")]
        self.open: Counter[str] = Counter()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin an element."""
        if tag == "br":
            self._end_line(always=True)
            return
        if tag in _BLOCKS:
            self._end_line()
        if tag in _EMPTY or len(self.stack) > _DEEPEST:
            return
        above = self.stack[-1]
        style = (dict(attrs).get("style") or "").lower()
        preformatted = above.preformatted or tag == "pre" or bool(_KEEPS_BLANKS.search(style))
        unseen = above.unseen or tag in _UNSEEN or bool(_HIDES.search(style))
        self.stack.append(_Element(tag, preformatted, unseen))
        self.open[tag] += 1
        if tag == "li":
            self.line = ["- "]

    def handle_endtag(self, tag: str) -> None:
        """End an element, and those in it that nobody has ended."""
        if not self.open[tag]:
            return
        if tag in _BLOCKS:
            self._end_line()
        while (ended := self.stack.pop().tag) != tag:
            self.open[ended] -= 1
        self.open[tag] -= 1
        if tag == "p":
            self._end_line(always=True)

    def handle_data(self, data: str) -> None:
        """Take text over."""
        here = self.stack[-1]
        if here.unseen:
            return
        if not here.preformatted:
            text = _BLANKS.sub(" ", data)
            after_a_blank = not self.line or self.line[-1].endswith(" ")
            self._add(text.lstrip(" ") if after_a_blank else text)
            return
        first, *others = data.replace("\r\n", "\n").replace("\r", "\n").split("\n")
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
            self.lines.append("> " * self.open["blockquote"] + line)
        self.line = []

    def text(self) -> str:
        """Return what was read."""
        self._end_line()
        return "\n".join(self.lines) + "\n"


def text_of_html(html: str) -> str:
    """Return what an HTML message says, line by line."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return reader.text()
