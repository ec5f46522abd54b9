"""A form: a menu whose lines have a number each, which the keys change."""

from __future__ import annotations

from porto_cli.core.message import say
from porto_cli.term.keys import On
from porto_cli.term.menu import POINTER, Menu
from porto_cli.term.prompt import Choice, Sheet
from porto_cli.term.spans import BOLD, DIM, PLAIN, Line, folded, padded, width_of

SIGNS = ("●", "○"), ("*", "o")
"""How much there is and how much there could be, and the same in ASCII."""
MOST_SIGNS = 12
"""So many signs stand in a row; larger numbers stand alone."""


class Form(Menu):
    """The numbers of a sheet, one row of it pointed at."""

    def __init__(self, sheet: Sheet) -> None:
        super().__init__([Choice(share.label, None) for share in sheet.shares])
        self.on = On.FORM
        self.sheet = sheet
        self.numbers = [share.number for share in sheet.shares]

    def add(self, more: int) -> None:
        """Change the number that is pointed at, or say why that cannot be."""
        self.put(self.numbers[self.pointed_at] + more)

    def put(self, number: int) -> None:
        """Set the number that is pointed at, as far as there is so much."""
        self.fault = None
        most = self.sheet.shares[self.pointed_at].most
        wanted = max(0, min(number, most))
        left = self.sheet.total - (sum(self.numbers) - self.numbers[self.pointed_at])
        if number > most:
            self.fault = say("There is no room for more than {most} here.", most=most)
        elif wanted > left:
            self.fault = say("Nothing is left for it; first take something away elsewhere.")
        self.numbers[self.pointed_at] = min(wanted, left)

    def is_done(self) -> bool:
        """Tell whether the numbers are right; if not, say in the form what is wrong."""
        self.fault = self.sheet.fault(self.numbers)
        return self.fault is None

    def entry(self, at: int, width: int, ascii_only: bool) -> list[Line]:
        """Draw a row: pointer, label, number and bound, signs."""
        share, number = self.sheet.shares[at], self.numbers[at]
        labels = min(width // 2, max(width_of(share.label) for share in self.sheet.shares))
        pointed = at == self.pointed_at
        style = BOLD if pointed else PLAIN
        line: Line = [
            (f" {POINTER if pointed else ' '} ", style),
            *padded(share.label, labels),
            (f" {number:>2} / {share.most:<2} ", style),
        ]
        there, not_there = SIGNS[ascii_only]
        if share.most <= min(MOST_SIGNS, width - width_of(line)):
            line += [(there * number, style), (not_there * (share.most - number), DIM)]
        return [line]

    def below(self, width: int) -> list[Line]:
        """Return what stands below the rows: how it stands, and what is wrong."""
        standing = [("   ", PLAIN), (str(self.sheet.standing(self.numbers)), PLAIN)]
        return [*folded(standing, width, 3), *super().below(width)]
