"""The scores over the rounds, as lines that dashes, shapes and names tell apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count, pairwise

from porto_cli.core.message import say
from porto_cli.term import stepping
from porto_cli.term.stepping import Axis
from porto_cli.term.svg import Picture, label

WIDTH, HEIGHT = 800, 350
LEFT, RIGHT, TOP, BOTTOM = 46, 640, 24, 300
"""Where the lines are drawn; to their right stand the names."""
NAME_HEIGHT = 24
_CHANCES_TOP, CHANCES_BOTTOM, _WHOLE = 396, 546, 560
"""Where the chances to win are drawn below that, and how high the picture is then."""
_DASHES = ("", "9 5", "2 6", "14 4 3 4")
_SHAPES = (
    "M-6-6h12v12h-12z",
    "M0-8l8 8l-8 8l-8-8z",
    "M0-8l8 14h-16z",
    "M-6 0a6 6 0 1 0 12 0a6 6 0 1 0-12 0z",
)


def axis(frames: int) -> Axis:
    """Return the axis of a game of so many frames."""
    return stepping.axis(frames, LEFT, RIGHT)


def chart(names: Sequence[str], scores: Sequence[Sequence[int]], played: int) -> Picture:
    """Draw the score of each player after each turn.

    ``scores`` has those of all players for each frame, from the setup on; ``played`` of the
    frames are turns, what follows them is the end.
    """
    most = max(max(row) for row in scores)
    top = max(10, -(-most // 10) * 10)
    across = axis(len(scores))

    def height(vp: int) -> float:
        return BOTTOM - (BOTTOM - TOP) * vp / top

    pieces = {"grid": _grid(top, height), "rounds": _rounds(across, played, len(names))}
    ends = _apart([height(vp) for vp in scores[-1]], BOTTOM)
    for seat, name in enumerate(names):
        heights = [height(row[seat]) for row in scores]
        pieces[f"line-{seat}"] = _line(
            seat, heights, ends[seat], across, f"{scores[-1][seat]} {name}"
        )
    return Picture(WIDTH, HEIGHT, pieces)


def with_chances(
    picture: Picture, names: Sequence[str], chances: Sequence[Sequence[float]]
) -> Picture:
    """Draw below a chart how likely each player was to win, frame by frame."""
    across = axis(len(chances))
    pieces = dict(picture.pieces)
    pieces["chances"] = label(LEFT, _CHANCES_TOP - 16, say("Chance to win"), "b", 18) + "".join(
        f'<path class="line" d="M{LEFT} {_chance(part / 4):.1f}H{RIGHT}"/>'
        + label(LEFT - 8, _chance(part / 4) + 6, f"{25 * part}%", "soft end", 14)
        for part in range(0, 5, 2)
    )
    ends = _apart([_chance(win) for win in chances[-1]], CHANCES_BOTTOM)
    for seat, name in enumerate(names):
        heights = [_chance(wins[seat]) for wins in chances]
        pieces[f"chance-{seat}"] = _line(
            seat, heights, ends[seat], across, f"{chances[-1][seat]:.0%} {name}"
        )
    return picture._replace(height=_WHOLE, pieces=pieces)


def _chance(win: float) -> float:
    """Return how high a chance to win is drawn."""
    return CHANCES_BOTTOM - (CHANCES_BOTTOM - _CHANCES_TOP) * win


def _line(seat: int, heights: Sequence[float], end: float, across: Axis, text: str) -> str:
    """Draw the line of a player, to a text at its end."""
    points = " ".join(f"{across.at(frame):.1f},{y:.1f}" for frame, y in enumerate(heights))
    return (
        f'<g class="player-{seat}"><polyline points="{points}" stroke-width="3" '
        f'stroke-dasharray="{_DASHES[seat]}" stroke-linejoin="round" fill="none"/>'
        f'<path d="M{RIGHT + 2} {heights[-1]:.1f}L{RIGHT + 16} {end:.1f}"/>'
        f'<path transform="translate({RIGHT + 24} {end:.1f})" d="{_SHAPES[seat]}"/></g>'
        + label(RIGHT + 38, end + 6, text, "b", 18, width=118)
    )


def _grid(top: int, height: Callable[[int], float]) -> str:
    step = 10 if top <= 80 else 20
    return "".join(
        f'<path class="line" d="M{LEFT} {height(vp):.1f}H{RIGHT}"/>'
        + label(LEFT - 8, height(vp) + 6, vp, "soft end", 16)
        for vp in range(0, top + 1, step)
    )


def _rounds(across: Axis, played: int, seats: int) -> str:
    """Numbers of rounds below the turn that each of them ends with."""
    rounds = played // seats
    steps = (step * 10**digits for digits in count() for step in (1, 2, 5))
    step = next(step for step in steps if rounds <= 14 * step)
    marks = "".join(
        label(across.at(number * seats), BOTTOM + 22, number, "soft mid", 16)
        for number in range(0, rounds + 1, step)
    )
    return marks + label((LEFT + RIGHT) / 2, HEIGHT - 4, "round", "soft mid", 16)


def _apart(places: Sequence[float], lowest: float) -> list[float]:
    """Return places from top to bottom that leave room for a name each."""
    apart = list(places)
    order = sorted(range(len(apart)), key=apart.__getitem__)
    for above, below in pairwise(order):
        apart[below] = max(apart[below], apart[above] + NAME_HEIGHT)
    apart[order[-1]] = min(apart[order[-1]], lowest)
    for below, above in pairwise(reversed(order)):
        apart[above] = min(apart[above], apart[below] - NAME_HEIGHT)
    return apart
