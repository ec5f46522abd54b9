"""Where the shapes of a picture lie: boxes around them, through groups and transformations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple
from xml.etree import ElementTree

from porto_cli.paper.html import width_of

Element = ElementTree.Element
Matrix = tuple[float, float, float, float, float, float]
SAME: Matrix = (1, 0, 0, 1, 0, 0)
_PARTS = {"M": 2, "L": 2, "T": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "A": 7, "Z": 0}
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?"
_UNDRAWN = ("defs", "style", "title", "desc", "script", "symbol", "clipPath", "linearGradient")


class Box(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float


class Drawn(NamedTuple):
    """A shape, the box around it, and the words of the groups that it is in."""

    shape: Element
    box: Box
    words: tuple[str, ...]


def pictures(text: str) -> list[Element]:
    """Return the pictures of a page, or the one that a file is."""
    found = re.findall(r"<svg.*?</svg>", text, re.DOTALL)
    return [ElementTree.fromstring(re.sub(r' xmlns="[^"]*"', "", one)) for one in found]


def drawn(picture: Element, page: Iterable[Element] = ()) -> Iterator[Drawn]:
    """Yield everything that a picture draws, where it lies in the picture's own coordinates.

    Shapes that it uses may be defined in other pictures of the page. Curves lie within their
    control points, so that boxes around them may be a little large.
    """
    defining = (picture, *page)
    shapes = {one.get("id", ""): one for each in defining for one in each.iter() if one.get("id")}
    for child in picture:
        yield from _within(child, SAME, shapes, ())


def _within(
    one: Element, outer: Matrix, shapes: dict[str, Element], words: tuple[str, ...]
) -> Iterator[Drawn]:
    tag = one.tag.rpartition("}")[2]
    if tag in _UNDRAWN:
        return
    matrix = _times(outer, _transformation(one.get("transform", "")))
    if one.get("data-word"):
        words = (*words, one.get("data-word", ""))
    if tag == "use":
        reference = one.get("href", "").removeprefix("#")
        placed = _times(matrix, (1, 0, 0, 1, _number(one, "x"), _number(one, "y")))
        found = shapes[reference]
        children = list(found) if found.tag.rpartition("}")[2] == "symbol" else [found]
        for child in children:
            yield from _within(child, placed, shapes, words)
    elif tag in ("g", "a", "svg"):
        for child in one:
            yield from _within(child, matrix, shapes, words)
    else:
        points = [*_points(one, tag)]
        assert points, f"how to measure <{tag}>?"
        a, b, c, d, e, f = matrix
        xs = [a * x + c * y + e for x, y in points]
        ys = [b * x + d * y + f for x, y in points]
        yield Drawn(one, Box(min(xs), min(ys), max(xs), max(ys)), words)


def _number(one: Element, name: str) -> float:
    return float(one.get(name) or 0)


def _points(one: Element, tag: str) -> Iterator[tuple[float, float]]:
    x, y = _number(one, "x"), _number(one, "y")
    if tag in ("rect", "image"):
        yield x, y
        yield x + _number(one, "width"), y + _number(one, "height")
    elif tag in ("circle", "ellipse"):
        x, y = _number(one, "cx"), _number(one, "cy")
        wide = _number(one, "r") or _number(one, "rx")
        high = _number(one, "r") or _number(one, "ry")
        yield x - wide, y - high
        yield x + wide, y + high
    elif tag == "line":
        yield _number(one, "x1"), _number(one, "y1")
        yield _number(one, "x2"), _number(one, "y2")
    elif tag in ("polyline", "polygon"):
        numbers = [float(number) for number in re.findall(_NUMBER, one.get("points", ""))]
        yield from zip(numbers[::2], numbers[1::2], strict=True)
    elif tag == "text":
        size = _number(one, "font-size")
        width = width_of("".join(one.itertext()), size)
        style = (one.get("class") or "").split()
        left = x - width if "end" in style else x - width / 2 if "mid" in style else x
        yield left, y - size * 0.75
        yield left + width, y + size * 0.25
    elif tag == "path":
        yield from _of_a_path(one.get("d", ""))


def _of_a_path(path: str) -> Iterator[tuple[float, float]]:
    x = y = 0.0
    start = (x, y)
    for command, given in re.findall(r"([a-zA-Z])([^a-zA-Z]*)", path):
        kind, relative = command.upper(), command.islower()
        numbers = _numbers(given, kind == "A")
        size = _PARTS[kind]
        if kind == "Z":
            x, y = start
            continue
        for at in range(0, len(numbers), size):
            part = numbers[at : at + size]
            left, top = (x, y) if relative else (0.0, 0.0)
            if kind == "H":
                x = left + part[0]
            elif kind == "V":
                y = top + part[0]
            else:
                pairs = part[-2:] if kind == "A" else part
                for nth in range(0, len(pairs), 2):
                    x, y = left + pairs[nth], top + pairs[nth + 1]
                    yield x, y
            if kind == "M" and at == 0:
                start = (x, y)
            yield x, y


def _numbers(text: str, is_arc: bool) -> list[float]:
    """Return the numbers of a path; the two flags of an arc may be written without blanks."""
    if not is_arc:
        return [float(number) for number in re.findall(_NUMBER, text)]
    blank = r"[\s,]*"
    arc = re.compile(
        blank.join([rf"({_NUMBER})"] * 3 + ["([01])"] * 2 + [rf"({_NUMBER})"] * 2), re.IGNORECASE
    )
    return [float(number) for found in arc.findall(text) for number in found]


def _transformation(text: str) -> Matrix:
    matrix = SAME
    for name, given in re.findall(r"(\w+)\(([^)]*)\)", text):
        numbers = [float(number) for number in re.findall(_NUMBER, given)]
        if name == "translate":
            step = (1, 0, 0, 1, numbers[0], numbers[1] if len(numbers) > 1 else 0)
        elif name == "scale":
            step = (numbers[0], 0, 0, numbers[-1], 0, 0)
        else:
            assert name == "rotate", f"how does {name}() move things?"
            from math import cos, radians, sin

            turn = radians(numbers[0])
            x, y = numbers[1:] or (0, 0)
            step = (
                *(cos(turn), sin(turn), -sin(turn), cos(turn)),
                x - x * cos(turn) + y * sin(turn),
                y - x * sin(turn) - y * cos(turn),
            )
        matrix = _times(matrix, step)
    return matrix


def _times(one: Matrix, other: Matrix) -> Matrix:
    a, b, c, d, e, f = one
    g, h, i, j, k, m = other
    return (
        *(a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j),
        *(a * k + c * m + e, b * k + d * m + f),
    )
