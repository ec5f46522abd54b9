"""Pages and pictures as tests read them: without a browser."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html.parser import HTMLParser
from itertools import groupby
from textwrap import wrap
from xml.etree import ElementTree

VOID = {"meta", "input", "br"}


class Page(HTMLParser):
    """A page as a browser reads it; complains about tags that do not match."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, text: str) -> None:
        if not {"style", "script", "svg"} & set(self.open) and text.strip():
            self.words.append(text.strip())

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]

    @property
    def text(self) -> str:
        return " ".join(self.words)


def paragraphs(words: Iterable[str]) -> str:
    """Return the words of a page or picture for a person: sentences, and between them the rest."""
    parts = groupby(words, key=lambda word: word.endswith((".", ":")))
    return "\n".join(
        line
        for are_sentences, part in parts
        for lines in (part if are_sentences else [" | ".join(part)])
        for line in wrap(lines, 100)
    )


def shapes_of(drawing: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(f"<svg>{drawing}</svg>"))


def written(shapes: Iterable[ElementTree.Element]) -> list[bytes]:
    return [ElementTree.tostring(shape) for shape in shapes]


def seen_in(shapes: list[ElementTree.Element], frame: int) -> Iterator[ElementTree.Element]:
    """What a frame shows of a page's picture, chosen as the page's script chooses it."""
    for shape in shapes:
        start, end = shape.get("data-f"), shape.get("data-t")
        if start is None:
            yield shape
        elif int(start) <= frame and (end is None or frame < int(end)):
            yield from shape


def linear(color: str) -> list[float]:
    """Return how much light of each kind a color ``#rrggbb`` has."""
    values = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    return [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in values]


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colors as WCAG 2 reckons it."""

    def light(color: str) -> float:
        red, green, blue = linear(color)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    dark, bright = sorted(map(light, (one, other)))
    return (bright + 0.05) / (dark + 0.05)
