"""A long text, shown as much at a time as the screen holds."""

from __future__ import annotations

from collections.abc import Sequence

from porto_cli.core.message import Sentence, say
from porto_cli.term.spans import DIM, Line, wrapped


class Pager:
    """Where somebody is in a text. It knows no terminal: keys call its methods."""

    def __init__(self) -> None:
        self.top = 0
        self._room = 1
        self._last = 0

    @property
    def at_the_end(self) -> bool:
        """Whether the last line is shown."""
        return self.top >= self._last

    def move(self, lines: int) -> None:
        """Go on by some lines, or back."""
        self.top = max(0, min(self._last, self.top + lines))

    def page(self, pages: int) -> None:
        """Go on by a screen, or back; one line of the screen before stays to be seen."""
        self.move(pages * max(1, self._room - 1))

    def start(self) -> None:
        """Go to the first line."""
        self.top = 0

    def end(self) -> None:
        """Go to the last line."""
        self.top = self._last

    def lines(self, text: Sequence[Line], width: int, rows: int) -> list[Line]:
        """Return what the screen shows of the text, and below it where that is."""
        below = wrapped(str(_all()), width, style=DIM)
        self._room = max(1, rows - len(below) - 1)
        if len(text) > self._room:
            below = wrapped(str(_part(len(text), len(text), len(text))), width, style=DIM)
            self._room = max(1, rows - len(below))
        self._last = max(0, len(text) - self._room)
        self.move(0)
        shown = text[self.top : self.top + self._room]
        if self._last:
            where = _part(self.top + 1, self.top + len(shown), len(text))
            return [*shown, *wrapped(str(where), width, style=DIM)]
        return [*shown, [], *below]


def _all() -> Sentence:
    return say("(Enter or Esc: done)")


def _part(first: int, last: int, count: int) -> Sentence:
    return say(
        "Lines {first} to {last} of {count} (Space on, b back, Home, End, Esc done)",
        first=first,
        last=last,
        count=count,
    )
