"""A menu of questionary that folds long lines, searches word by word and says what is wrong.

:meth:`Menu.lines` draws it at any size.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import questionary
from questionary.prompts.common import InquirerControl

from porto_cli.core.message import Sentence, say
from porto_cli.term.keys import On
from porto_cli.term.prompt import Choice, matches
from porto_cli.term.spans import BOLD, DIM, PLAIN, Line, folded

POINTER = ">"
LAST_DIGIT = 9
"""So many choices can be picked by a digit."""


class Menu(InquirerControl):
    """Choices, one of them pointed at.

    ``search`` lets the choices be narrowed by typing; then digits are text. With ``count`` so
    many choices are to be marked.
    """

    def __init__(
        self, choices: Sequence[Choice[Any]], *, search: bool = False, count: int | None = None
    ) -> None:
        self.on = On.SEARCH if search else On.MENU if count is None else On.MARKS
        self.given = choices
        self.count = count
        self.fault: Sentence | None = None
        # A digit stands before a choice that has no letter of its own.
        free = iter(map(str, range(1, LAST_DIGIT + 1)))
        keys = [not search and (choice.key or next(free, False)) for choice in choices]
        self.found = list(range(len(choices)))
        self._top, self._shown = 0, 1
        titles = (choice.label for choice in choices)
        super().__init__(
            [
                questionary.Choice(title, value=nth, shortcut_key=key)
                for title, nth, key in zip(titles, self.found, keys, strict=True)
            ],
            show_cursor=False,
        )

    @property
    def filtered_choices(self) -> list[questionary.Choice]:
        """The choices that have every word that was typed; questionary looks for one text."""
        return [self.choices[nth] for nth in self.found]

    @property
    def typed(self) -> str:
        """What is searched for."""
        return self.search_filter or ""

    @property
    def chosen(self) -> int | None:
        """The choice that is pointed at, or None if nothing was found."""
        return self.found[self.pointed_at] if self.found else None

    def move(self, steps: int) -> None:
        """Point further down, or up, as far as there is something."""
        self.fault = None
        self.pointed_at = max(0, min(len(self.found) - 1, self.pointed_at + steps))

    def step(self, steps: int) -> None:
        """Point further down, or up, and from one end to the other."""
        before = self.pointed_at
        self.move(steps)
        if self.pointed_at == before:
            self.move(-steps * len(self.found))

    def page(self, pages: int) -> None:
        """Point further down, or up, by as much as is shown at once."""
        self.move(pages * max(1, self._shown - 1))

    def pick(self, key: str) -> bool:
        """Point at the choice of a digit or letter, and mark it; return whether it is chosen."""
        for nth, choice in enumerate(self.choices):
            if choice.shortcut_key == key:
                self.pointed_at = nth
                self.mark()
                return self.count is None
        return False

    def type(self, typed: str) -> None:
        """Search for a text: every word of it, in any order."""
        self.search_filter = "".join(c if c.isprintable() else " " for c in typed) or None
        words = self.typed.split()
        self.found = [nth for nth, one in enumerate(self.given) if matches(one, words)]
        self.pointed_at = self._top = 0

    def mark(self) -> None:
        """Mark the choice that is pointed at, or take its mark away."""
        self.fault = None
        self.selected_options = sorted({*self.selected_options} ^ {self.chosen})

    def is_done(self) -> bool:
        """Tell whether there is a choice, and as many as there have to be; if not, say so."""
        marked = len(self.selected_options)
        if self.count not in (None, marked):
            self.fault = say("Mark {count} of them, not {marked}.", count=self.count, marked=marked)
        return self.chosen is not None and not self.fault

    def lines(self, width: int, rows: int, *, ascii_only: bool = False) -> list[Line]:
        """Draw as much of the menu as the rows hold, always with what is pointed at.

        Marks at the left edge say that there is more above or below.
        """
        below = self.below(width)
        rows = max(1, rows - len(below))
        drawn = [self.entry(at, width, ascii_only)[:rows] for at in range(len(self.found))]
        if not drawn:
            return below
        first, end = self._window([len(entry) for entry in drawn], rows)
        self._shown = end - first
        lines = [line for entry in drawn[first:end] for line in entry]
        up, down = ("^", "v") if ascii_only else ("↑", "↓")
        for nth, mark, more in ((0, up, first), (-1, down, end < len(drawn))):
            if more:
                text, style = lines[nth][0]
                lines[nth] = [(mark, PLAIN), (text[1:], style), *lines[nth][1:]]
        return [*lines, *below]

    def _window(self, heights: list[int], rows: int) -> tuple[int, int]:
        """Return which entries are shown, from the one that was at the top if that works."""
        top = min(self._top, self.pointed_at)
        while sum(heights[top : self.pointed_at + 1]) > rows:
            top += 1
        while top and sum(heights[top - 1 :]) <= rows:
            top -= 1
        end = top
        while end < len(heights) and sum(heights[top : end + 1]) <= rows:
            end += 1
        self._top = top
        return top, end

    def entry(self, at: int, width: int, ascii_only: bool) -> list[Line]:
        """Draw a choice: pointer, digit or letter, mark, label."""
        nth, pointed = self.found[at], at == self.pointed_at
        head = f" {POINTER if pointed else ' '} "
        if self.on is not On.SEARCH:
            head += f"{self.choices[nth].shortcut_key or ' '} "
        if self.count is not None:
            head += "[x] " if nth in self.selected_options else "[ ] "
        label = self.given[nth].label
        if pointed:
            label = [(text, BOLD if style in (PLAIN, DIM) else style) for text, style in label]
        return folded([(head, BOLD if pointed else PLAIN), *label], width, len(head) + 2)

    def below(self, width: int) -> list[Line]:
        """Return what stands below the choices: what is searched for, what is wrong."""
        told, style = self.fault, BOLD
        if self.on is On.SEARCH and not self.typed:
            told, style = say("Search: type some words of it."), DIM
        elif self.on is On.SEARCH and self.found:
            told = say("Search: {typed} (found: {n})", typed=self.typed, n=len(self.found))
            style = PLAIN
        elif self.on is On.SEARCH:
            told = say("Search: {typed} (nothing has all of these words)", typed=self.typed)
        return folded([("   ", PLAIN), (str(told), style)], width, 3) if told else []
