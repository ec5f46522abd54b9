"""A menu: what is to choose from, what is pointed at, marked, searched for, and how it looks.

It knows no terminal: keys call its methods, and :meth:`Menu.lines` draws it at any size.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from porto_cli.core.message import Sentence, say
from porto_cli.term.prompt import Choice
from porto_cli.term.spans import BOLD, DIM, PLAIN, Line, folded, plain

POINTER = ">"
LAST_DIGIT = 9
"""So many choices can be picked by a digit."""


class Menu:
    """Choices, one of them pointed at.

    ``search`` lets the choices be narrowed by typing; then digits are text. With ``count`` so
    many choices are to be marked.
    """

    def __init__(
        self, choices: Sequence[Choice[Any]], *, search: bool = False, count: int | None = None
    ) -> None:
        self.choices = choices
        self.search = search
        self.count = count
        self.typed = ""
        self.marked: set[int] = set()
        self.fault: Sentence | None = None
        self.found = list(range(len(choices)))
        self.at = 0
        self._top = 0
        self._shown = 1

    @property
    def chosen(self) -> int | None:
        """The choice that is pointed at, or None if nothing was found."""
        return self.found[self.at] if self.found else None

    def move(self, steps: int, *, around: bool = False) -> None:
        """Point further down, or up."""
        last = len(self.found) - 1
        if last < 0:
            return
        self.fault = None
        if around and not 0 <= self.at + steps <= last:
            self.at = 0 if steps > 0 else last
        else:
            self.at = max(0, min(last, self.at + steps))

    def page(self, pages: int) -> None:
        """Point further down, or up, by as much as is shown at once."""
        self.move(pages * max(1, self._shown - 1))

    def pick(self, digit: int) -> bool:
        """Point at the choice of a digit; return whether there is one."""
        if self.search or not 1 <= digit <= min(len(self.found), LAST_DIGIT):
            return False
        self.at = digit - 1
        return True

    def type(self, typed: str) -> None:
        """Search for a text: every word of it, in any order."""
        self.typed = typed
        self.found = [
            nth for nth, choice in enumerate(self.choices) if matches(choice, typed.split())
        ]
        self.at = self._top = 0

    def mark(self) -> None:
        """Mark the choice that is pointed at, or take its mark away."""
        self.fault = None
        if self.chosen is not None:
            self.marked ^= {self.chosen}

    def is_done(self) -> bool:
        """Tell whether as many are marked as there have to be; if not, say so in the menu."""
        if self.count in (None, len(self.marked)):
            return True
        self.fault = say(
            "Mark {count} of them, not {marked}.", count=self.count, marked=len(self.marked)
        )
        return False

    def lines(self, width: int, rows: int, *, ascii_only: bool = False) -> list[Line]:
        """Draw as much of the menu as the rows hold, always with what is pointed at.

        Marks at the left edge say that there is more above or below.
        """
        below = self._below(width)
        rows = max(1, rows - len(below))
        drawn = [self._entry(place, width)[:rows] for place in range(len(self.found))]
        if not drawn:
            return below
        first, end = self._window([len(entry) for entry in drawn], rows)
        self._shown = end - first
        lines = [line for entry in drawn[first:end] for line in entry]
        up, down = ("^", "v") if ascii_only else ("↑", "↓")
        if first:
            lines[0] = [(up, PLAIN), (lines[0][0][0][1:], lines[0][0][1]), *lines[0][1:]]
        if end < len(drawn):
            lines[-1] = [(down, PLAIN), (lines[-1][0][0][1:], lines[-1][0][1]), *lines[-1][1:]]
        return [*lines, *below]

    def _window(self, heights: list[int], rows: int) -> tuple[int, int]:
        """Return which entries are shown, from the one that was at the top if that works."""
        top = min(self._top, self.at)
        while sum(heights[top : self.at + 1]) > rows:
            top += 1
        while top and sum(heights[top - 1 :]) <= rows:
            top -= 1
        end = top
        while end < len(heights) and sum(heights[top : end + 1]) <= rows:
            end += 1
        self._top = top
        return top, end

    def _entry(self, place: int, width: int) -> list[Line]:
        """Draw a choice: pointer, digit, mark, label."""
        nth = self.found[place]
        pointed = place == self.at
        head = f" {POINTER if pointed else ' '} "
        if not self.search:
            head += f"{place + 1} " if place < LAST_DIGIT else "  "
        if self.count is not None:
            head += "[x] " if nth in self.marked else "[ ] "
        label = self.choices[nth].label
        if pointed:
            label = [(text, BOLD if style in (PLAIN, DIM) else style) for text, style in label]
        style = BOLD if pointed else PLAIN
        return folded([(head, style), *label], width, len(head) + 2)

    def _below(self, width: int) -> list[Line]:
        """Return what stands below the choices: what is searched for, what is wrong."""
        lines: list[Line] = []
        if self.search:
            lines += folded(self._sought(), width, 3)
        if self.fault:
            lines += folded([("   ", PLAIN), (str(self.fault), BOLD)], width, 3)
        return lines

    def _sought(self) -> Line:
        if not self.typed:
            return [("   ", PLAIN), (str(say("Search: type some words of it.")), DIM)]
        found = len(self.found)
        if not found:
            sentence = say("Search: {typed} (nothing has all of these words)", typed=self.typed)
        else:
            sentence = say("Search: {typed} (found: {count})", typed=self.typed, count=found)
        return [("   ", PLAIN), (str(sentence), PLAIN if found else BOLD)]


def matches(choice: Choice[Any], words: Sequence[str]) -> bool:
    """Tell whether a choice has every one of some words, whatever their order and case."""
    text = f"{plain(choice.label)} {choice.also}".casefold()
    return all(word.casefold() in text for word in words)
