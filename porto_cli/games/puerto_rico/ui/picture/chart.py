"""What each player earned over the rounds, as lines that dashes, shapes and names tell apart."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import count, pairwise
from typing import NamedTuple

from porto_cli.core.message import Sentence, say
from porto_cli.term import stepping
from porto_cli.term.stepping import Axis
from porto_cli.term.svg import Picture, label

WIDTH = 520
LEFT, RIGHT = 40, 388
"""Where the lines are drawn; to their right stand the names."""
TOP = 34
PLOT_HEIGHT = 130
PLOT_PITCH = PLOT_HEIGHT + 54
NAME_HEIGHT = 19
_LINES = 5
"""Lines of the grid at most, without the lowest."""
_DASHES = ("", "9 5", "2 5", "14 4 3 4", "6 3 2 3")
_SHAPES = (
    "M-5-5h10v10h-10z",
    "M0-7l7 7l-7 7l-7-7z",
    "M0-6l6 11h-12z",
    "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0z",
    "M0 6l-6-11h12z",
)


class Measure(NamedTuple):
    """Something that is counted: for each seat its number in each frame, ``None`` if secret."""

    title: Sentence
    note: Sentence | None
    seats: tuple[tuple[int, ...] | None, ...]


def axis(frames: int) -> Axis:
    """Return the axis of a game of so many frames."""
    return stepping.axis(frames, LEFT, RIGHT)


def bottom(measures: int) -> int:
    """Return where the lowest of the plots ends."""
    return TOP + PLOT_PITCH * (measures - 1) + PLOT_HEIGHT


def chart(
    names: Sequence[str], measures: Sequence[Measure], frames: int, rounds: Sequence[int]
) -> Picture:
    """Draw a plot for each measure, one below the other; ``rounds`` are the frames they begin."""
    across = axis(frames)
    height = bottom(len(measures)) + 44
    pieces = {"paper": f'<rect class="paper" width="{WIDTH}" height="{height}"/>'}
    for nth, measure in enumerate(measures):
        pieces[f"plot-{nth}"] = _plot(names, measure, across, TOP + PLOT_PITCH * nth)
    pieces["rounds"] = _rounds(across, rounds, bottom(len(measures)))
    return Picture(WIDTH, height, pieces)


def _plot(names: Sequence[str], measure: Measure, across: Axis, top: int) -> str:
    known = {seat: line for seat, line in enumerate(measure.seats) if line is not None}
    most = max((max(line) for line in known.values()), default=0)
    step = next(step for step in _steps() if most <= step * _LINES)
    highest = max(step * -(-most // step), step)
    low = top + PLOT_HEIGHT

    def height(number: int) -> float:
        return low - PLOT_HEIGHT * number / highest

    parts = [label(LEFT, top - 12, measure.title, "b", 16)]
    parts += [
        f'<path class="line" d="M{LEFT} {height(mark):.1f}H{RIGHT}"/>'
        + label(LEFT - 7, height(mark) + 4.5, mark, "soft end", 13)
        for mark in range(0, highest + 1, step)
    ]
    ends = dict(zip(known, _apart([height(line[-1]) for line in known.values()], low), strict=True))
    parts += [
        _line(seat, line, names[seat], ends[seat], across, height) for seat, line in known.items()
    ]
    if measure.note:
        parts.append(label(LEFT, low + 17, measure.note, "soft", 13, width=WIDTH - LEFT - 4))
    return "".join(parts)


def _steps() -> Iterator[int]:
    return (step * 10**digits for digits in count() for step in (1, 2, 5))


def _line(
    seat: int,
    line: Sequence[int],
    name: str,
    end: float,
    across: Axis,
    height: Callable[[int], float],
) -> str:
    """The line of a player; only the frames in which it turns are given."""
    points = " ".join(
        f"{across.at(frame):.1f},{height(number):.1f}"
        for frame, number in enumerate(line)
        if not 0 < frame < len(line) - 1 or not line[frame - 1] == number == line[frame + 1]
    )
    last = height(line[-1])
    return (
        f'<g class="player-{seat}"><polyline points="{points}" stroke-width="2.5" '
        f'stroke-dasharray="{_DASHES[seat]}" stroke-linejoin="round" fill="none"/>'
        f'<path d="M{RIGHT + 2} {last:.1f}L{RIGHT + 12} {end:.1f}"/>'
        f'<path transform="translate({RIGHT + 20} {end:.1f})" d="{_SHAPES[seat]}"/></g>'
        + label(RIGHT + 31, end + 5, f"{line[-1]} {name}", "b", 14, width=WIDTH - RIGHT - 34)
    )


def _rounds(across: Axis, rounds: Sequence[int], low: int) -> str:
    """The numbers of the rounds where they begin, as many as there is room for."""
    room = (RIGHT - LEFT) / 22
    step = next(step for step in _steps() if len(rounds) <= room * step)
    marks = "".join(
        f'<path class="line" d="M{across.at(frame):.1f} {low}v6"/>'
        + label(across.at(frame), low + 21, number, "soft mid", 13)
        for number, frame in enumerate(rounds, start=1)
        if (number - 1) % step == 0
    )
    return marks + label((LEFT + RIGHT) / 2, low + 39, say("round"), "soft mid", 13)


def _apart(places: Sequence[float], lowest: float) -> list[float]:
    """Return places from top to bottom that leave room for a name each."""
    apart = list(places)
    order = sorted(range(len(apart)), key=apart.__getitem__)
    for above, below in pairwise(order):
        apart[below] = max(apart[below], apart[above] + NAME_HEIGHT)
    if order:
        apart[order[-1]] = min(apart[order[-1]], lowest)
    for below, above in pairwise(reversed(order)):
        apart[above] = min(apart[above], apart[below] - NAME_HEIGHT)
    return apart
