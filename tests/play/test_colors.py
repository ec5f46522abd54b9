"""Colors by which things are known: what is written on them, and pale ones by day and by night."""

from __future__ import annotations

import re

import pytest
from rich.color import Color, ColorSystem

from porto_cli.games.porto.phrases import PAINTS
from porto_cli.games.puerto_rico.phrases import STYLES
from porto_cli.paper.html import EDGE, PAPER
from porto_cli.paper.page import data
from tests.pages import contrast

READ, SEEN = 4.5, 3
"""The least contrast of letters, and of what is no text."""
CHIPS = {
    **{f"a card, {color}": (paint.ink, paint.fill) for color, paint in PAINTS.items()},
    **{f"a floor, {color}": (paint.ink, paint.shade) for color, paint in PAINTS.items()},
    **{name: (style.split()[0], style.split()[-1]) for name, style in STYLES.items()},
}


def colors(sheet: str, pattern: str) -> list[str]:
    """Return the two colors that a style sheet of the pages has for something: by day, by night."""
    found: list[str] = re.findall(pattern + r"(#\w+)", data(sheet))
    assert len(found) == 2, found
    return found


@pytest.mark.parametrize("chip", CHIPS)
def test_what_is_written_on_a_color_can_be_read(chip: str) -> None:
    assert contrast(*CHIPS[chip]) >= READ


def test_violet_is_not_taken_for_indigo_where_there_are_few_colors() -> None:
    """The nearest ones of 256, and how bright they are, for who tells colors by that alone."""
    violet, indigo = (CHIPS[name][1] for name in ("hospice", "indigo"))
    assert contrast(violet, indigo) >= 2
    for system in ColorSystem.EIGHT_BIT, ColorSystem.STANDARD:
        both = {Color.parse(one).downgrade(system).number for one in (violet, indigo)}
        assert len(both) == 2, system
    near = [Color.parse(one).downgrade(ColorSystem.EIGHT_BIT) for one in (violet, indigo)]
    assert contrast(*(one.get_truecolor().hex for one in near)) >= 2


def test_a_chip_has_an_edge_that_is_seen_by_day_and_by_night() -> None:
    """Sugar is nearly as pale as paper."""
    (edge,) = re.findall(r"\.chip{[^}]*box-shadow:0 0 0 1px (#\w+)", data("page.css"))
    assert edge == EDGE
    for page in (*colors("page.css", "--paper:"), PAPER):
        assert contrast(edge, page) >= SEEN


@pytest.mark.parametrize("chip", CHIPS)
def test_words_on_what_is_gone_can_be_read(chip: str) -> None:
    """Buildings of which none is left are pale, their names are not."""
    (opacity,) = re.findall(r"\.gone[^{]*{opacity:([\d.]+)}", data("picture.css"))
    words, cards = (colors("picture.css", rf"\n{what}{{fill:") for what in (".gone text", ".card"))
    for word, card in zip(words, cards, strict=True):
        assert contrast(word, blended(CHIPS[chip][1], card, float(opacity))) >= READ


def blended(color: str, below: str, opacity: float) -> str:
    both = zip(*(bytes.fromhex(one[1:]) for one in (color, below)), strict=True)
    return "#" + "".join(f"{round(a * opacity + b * (1 - opacity)):02x}" for a, b in both)
