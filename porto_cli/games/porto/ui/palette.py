"""The colors of the houses, and what tells them apart without color.

The five colors keep apart for people with protanopia, deuteranopia and tritanopia as well
(tests/test_palette.py measures it), mostly by their lightness: purple and red are dark, blue
and green lie in the middle, yellow is light. Still, wherever a color is shown, its letter or
its pattern is shown too.
"""

from __future__ import annotations

from typing import NamedTuple


class Paint(NamedTuple):
    """How a color is shown. Colors are ``#rrggbb``."""

    letter: str
    fill: str
    """The color itself, of a floor or a card."""
    shade: str
    """A darker tone, for every other floor, so that floors can be counted."""
    ink: str
    """What can be read on both of them."""
    pattern: str
    """A character that fills floors; one that is in every encoding follows."""
    ascii_pattern: str

    @property
    def chip(self) -> str:
        """The style of a card, or of another word on the color."""
        return f"bold {self.ink} on {self.fill}"


PAINTS = {
    "blue": Paint("B", "#3675cf", "#2d69bf", "#ffffff", "≈", "~"),
    "green": Paint("G", "#45bf8c", "#3aae7e", "#0c2418", "╱", "/"),
    "purple": Paint("P", "#552a7a", "#4a226c", "#ffffff", "▒", "#"),
    "red": Paint("R", "#c0282d", "#a8201f", "#ffffff", "═", "="),
    "yellow": Paint("Y", "#fbcf35", "#efc022", "#33280a", "·", "."),
}
"""The colors of the game by name."""

# Styles of what has no color of the game.
ROOF = "#c46a36"
"""Fired clay."""
TOKEN = "bold #b8860b"
STREET = FREE = "#8a8f98"
RIVER = "#3f7f9f"
NEW = "bold #ff3b30"
"""What the last turn has changed; the rulebook outlines it with red dots."""
TO_BE_MET = "bold #2e9e5b"
"""A public contract that can be met this turn."""
