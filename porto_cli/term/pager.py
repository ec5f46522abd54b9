"""A long text, shown as much at a time as the screen holds."""

from __future__ import annotations

from collections.abc import Sequence

from porto_cli.core.message import say
from porto_cli.term.spans import DIM, Line, wrapped


class Pager:
    """Where somebody is in a text. It knows no terminal: keys call its methods."""

    def __init__(self) -> None:
        self.top = self._last = 0
        self._room = 1

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

    def go_on(self) -> bool:
        """Go on by a screen; return whether there was no more."""
        ended = self.at_the_end
        self.page(1)
        return ended

    def start(self) -> None:
        """Go to the first line."""
        self.top = 0

    def end(self) -> None:
        """Go to the last line."""
        self.top = self._last

    def lines(self, text: Sequence[Line], width: int, rows: int) -> list[Line]:
        """Return what the screen shows of the text, and below it where that is."""
        count = len(text)
        below = wrapped(str(say("(Enter or Esc: done)")), width, style=DIM)
        self._room = max(1, rows - len(below) - 1)
        if count <= self._room:
            self.top = self._last = 0
            return [*text, [], *below]
        self._room = max(1, rows - len(_where(count, count, count, width)))
        self._last = max(0, count - self._room)
        self.move(0)
        shown = text[self.top : self.top + self._room]
        return [*shown, *_where(self.top + 1, self.top + len(shown), count, width)]


def _where(first: int, last: int, count: int, width: int) -> list[Line]:
    where = say(
        "Lines {first} to {last} of {count} (Space on, b back, Home, End, Esc done)",
        first=first,
        last=last,
        count=count,
    )
    return wrapped(str(where), width, style=DIM)
