"""The five colors keep apart, whoever looks, and what is written on them can be read."""

from __future__ import annotations

from itertools import combinations
from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt

import pytest

from porto_cli.games.porto.engine.components import COLORS
from porto_cli.games.porto.ui.palette import PAINTS

# Machado, Oliveira and Fernandes (2009), severity 1, for linear RGB.
EYES = {
    "all colors": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
APART = 15
"""CIEDE2000; 2 is just noticed, 10 is seen at a glance."""


def linear(color: str) -> list[float]:
    values = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    return [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in values]


def luminance(color: str) -> float:
    red, green, blue = linear(color)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def lab(color: str, eyes: str) -> tuple[float, float, float]:
    """CIELAB (D65) of a color as these eyes see it."""
    rgb = linear(color)
    r, g, b = (
        min(1.0, max(0.0, sum(a * c for a, c in zip(row, rgb, strict=True)))) for row in EYES[eyes]
    )
    x = (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047
    y = 0.2126 * r + 0.7152 * g + 0.0722 * b
    z = (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883
    fx, fy, fz = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def difference(one: tuple[float, float, float], other: tuple[float, float, float]) -> float:
    """CIEDE2000 of two colors in CIELAB."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean_c = (hypot(a1, b1) + hypot(a2, b2)) / 2
    gray = 0.5 * (1 - sqrt(mean_c**7 / (mean_c**7 + 25**7)))
    a1, a2 = a1 * (1 + gray), a2 * (1 + gray)
    c1, c2 = hypot(a1, b1), hypot(a2, b2)
    h1, h2 = degrees(atan2(b1, a1)) % 360, degrees(atan2(b2, a2)) % 360
    turn = 0.0 if not c1 * c2 else (h2 - h1 + 180) % 360 - 180
    hue = 2 * sqrt(c1 * c2) * sin(radians(turn / 2))
    mean_l, mean_c = (l1 + l2) / 2, (c1 + c2) / 2
    mean_h = h1 + h2 if not c1 * c2 else (h1 + turn / 2) % 360
    t = (
        1
        - 0.17 * cos(radians(mean_h - 30))
        + 0.24 * cos(radians(2 * mean_h))
        + 0.32 * cos(radians(3 * mean_h + 6))
        - 0.20 * cos(radians(4 * mean_h - 63))
    )
    sl = 1 + 0.015 * (mean_l - 50) ** 2 / sqrt(20 + (mean_l - 50) ** 2)
    sc = 1 + 0.045 * mean_c
    sh = 1 + 0.015 * mean_c * t
    twist = 2 * sqrt(mean_c**7 / (mean_c**7 + 25**7))
    rt = -sin(radians(60 * exp(-(((mean_h - 275) / 25) ** 2)))) * twist
    dl, dc, dh = (l2 - l1) / sl, (c2 - c1) / sc, hue / sh
    return sqrt(dl**2 + dc**2 + dh**2 + rt * dc * dh)


def test_the_measure_measures() -> None:
    """Two pairs of the published test data of CIEDE2000, and what everybody knows."""
    assert difference((50, 2.6772, -79.7751), (50, 0, -82.7485)) == pytest.approx(2.0425, abs=1e-4)
    assert difference((22.7233, 20.0904, -46.6940), (23.0331, 14.9730, -42.5619)) == pytest.approx(
        2.0373, abs=1e-4
    )
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    traffic = ("#b03020", "#6b7b1f")
    normal, protan = (
        difference(lab(traffic[0], eyes), lab(traffic[1], eyes))
        for eyes in ("all colors", "protanopia")
    )
    assert protan < normal / 2


@pytest.mark.parametrize("eyes", EYES)
@pytest.mark.parametrize("tone", ["fill", "shade"])
def test_five_colors_for_everybody(eyes: str, tone: str) -> None:
    seen = {name: lab(getattr(paint, tone), eyes) for name, paint in PAINTS.items()}
    for one, other in combinations(COLORS, 2):
        assert difference(seen[one], seen[other]) > APART, (one, other)


@pytest.mark.parametrize("color", COLORS)
def test_what_is_written_on_a_color_can_be_read(color: str) -> None:
    paint = PAINTS[color]
    assert contrast(paint.ink, paint.fill) >= 4.5
    assert contrast(paint.ink, paint.shade) >= 4.5


def test_color_is_never_alone() -> None:
    assert list(PAINTS) == list(COLORS)
    for feature in ("letter", "pattern", "ascii_pattern"):
        assert len({getattr(paint, feature) for paint in PAINTS.values()}) == len(COLORS)
    for paint in PAINTS.values():
        assert paint.letter.isascii()
        assert paint.ascii_pattern.isascii()
