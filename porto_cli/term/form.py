"""A form: some rows with a number each, which the keys change, and how it looks.

It knows no terminal: keys call its methods, and :meth:`Form.lines` draws it at any size.
"""

from __future__ import annotations

from porto_cli.core.message import Sentence, say
from porto_cli.term.menu import POINTER
from porto_cli.term.prompt import Sheet
from porto_cli.term.spans import BOLD, DIM, PLAIN, Line, folded, padded, width_of

SIGNS = ("●", "○"), ("*", "o")
"""How much there is and how much there could be, and the same in ASCII."""
MOST_SIGNS = 12
"""So many signs stand in a row; larger numbers stand alone."""


class Form:
    """The numbers of a sheet, one row of it pointed at."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.numbers = [share.number for share in sheet.shares]
        self.fault: Sentence | None = None
        self.at = 0
        self._top = 0
        self._shown = 1

    def move(self, rows: int, *, around: bool = False) -> None:
        """Point further down, or up."""
        self.fault = None
        last = len(self.numbers) - 1
        if around and not 0 <= self.at + rows <= last:
            self.at = 0 if rows > 0 else last
        else:
            self.at = max(0, min(last, self.at + rows))

    def page(self, pages: int) -> None:
        """Point further down, or up, by as much as is shown at once."""
        self.move(pages * max(1, self._shown - 1))

    def add(self, more: int) -> None:
        """Change the number that is pointed at, or say why that cannot be."""
        self.put(self.numbers[self.at] + more)

    def put(self, number: int) -> None:
        """Set the number that is pointed at, as far as there is so much."""
        self.fault = None
        most = self.sheet.shares[self.at].most
        wanted = max(0, min(number, most))
        left = self.sheet.total - (sum(self.numbers) - self.numbers[self.at])
        if number > most:
            self.fault = say("There is no room for more than {most} here.", most=most)
        elif wanted > left:
            self.fault = say("Nothing is left for it; first take something away elsewhere.")
        self.numbers[self.at] = min(wanted, left)

    def is_done(self) -> bool:
        """Tell whether the numbers are right; if not, say in the form what is wrong."""
        self.fault = self.sheet.fault(self.numbers)
        return self.fault is None

    def lines(self, width: int, rows: int, *, ascii_only: bool = False) -> list[Line]:
        """Draw as much of the form as the rows hold, always with the row that is pointed at.

        Marks at the left edge say that there is more above or below.
        """
        below = self._below(width)
        rows = max(1, rows - len(below))
        self._shown = min(rows, len(self.numbers))
        last_top = len(self.numbers) - self._shown
        self._top = max(self.at - rows + 1, min(self._top, self.at, last_top))
        end = self._top + self._shown
        labels = min(width // 2, max(width_of(share.label) for share in self.sheet.shares))
        lines = [self._row(nth, labels, width, ascii_only) for nth in range(self._top, end)]
        up, down = ("^", "v") if ascii_only else ("↑", "↓")
        if self._top:
            lines[0] = [(up, PLAIN), (lines[0][0][0][1:], lines[0][0][1]), *lines[0][1:]]
        if end < len(self.numbers):
            lines[-1] = [(down, PLAIN), (lines[-1][0][0][1:], lines[-1][0][1]), *lines[-1][1:]]
        return [*lines, *below]

    def _row(self, nth: int, labels: int, width: int, ascii_only: bool) -> Line:
        """Draw a row: pointer, label, number and bound, signs."""
        share, number = self.sheet.shares[nth], self.numbers[nth]
        pointed = nth == self.at
        style = BOLD if pointed else PLAIN
        line: Line = [
            (f" {POINTER if pointed else ' '} ", style),
            *padded(share.label, labels),
            (f" {number:>2} / {share.most:<2} ", style),
        ]
        there, not_there = SIGNS[ascii_only]
        if share.most <= min(MOST_SIGNS, width - width_of(line)):
            line += [(there * number, style), (not_there * (share.most - number), DIM)]
        return line

    def _below(self, width: int) -> list[Line]:
        """Return what stands below the rows: how it stands, and what is wrong."""
        lines = folded([("   ", PLAIN), (str(self.sheet.standing(self.numbers)), PLAIN)], width, 3)
        if self.fault:
            lines += folded([("   ", PLAIN), (str(self.fault), BOLD)], width, 3)
        return lines
