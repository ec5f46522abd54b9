"""Self-contained pages, pictures as SVG documents, and the page of a whole game."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import count, pairwise
from pathlib import Path
from typing import NamedTuple

from porto_cli.core import plural
from porto_cli.paper import Chunk, Grid, Heading, Node, Paragraph
from porto_cli.paper.html import (
    Html,
    PageWriter,
    Picture,
    escaped,
    group,
    label,
    tag,
    typed_picture,
    width_of,
)
from porto_cli.term import BOLD

# -- Pages


def data(name: str) -> str:
    """Return the text of a style sheet or script of this package."""
    return Path(__file__).with_name(name).read_text("utf-8")


def page(
    title: str,
    header: Iterable[Node | Html],
    body: Iterable[Node | Html],
    footer: Iterable[Node | Html] = (),
    *,
    style: str = "",
    script: str = "",
    shapes: str = "",
) -> str:
    """Return a self-contained HTML document, whose policy forbids loading or running anything else.

    ``shapes`` are for its pictures, see :func:`shapes_in`.
    """
    write = PageWriter().nodes
    hidden = {"style": "position:absolute", "aria_hidden": "true"}
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        f"style-src 'unsafe-inline'; script-src {_source(script)}\">",
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        tag("title", title),
        f"<style>\n{data('page.css')}{style}</style>",
        "</head>",
        "<body>",
        tag("header", tag("h1", title), *write(header)),
        "<main>",
        *([tag("svg", Html(shapes), width=0, height=0, **hidden)] if shapes else []),
        *write(body),
        "</main>",
        tag("footer", *write(footer)),
        *([f"<script>{script}</script>"] if script else []),
        "</body>",
        "</html>",
        "",
    ]
    return "\n".join(parts)


def _source(script: str) -> str:
    """Return the source of the page's script for its policy, ``'none'`` without a script."""
    if not script:
        return "'none'"
    return f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'"


def with_script(document: str, section: Html, style: str, script: str) -> str:
    """Return a page without a script with a script added, and a section before all others."""
    head, _, body = document.partition("</style>\n</head>")
    head = head.replace("script-src 'none'", f"script-src {_source(script)}")
    body = body.replace("<main>\n", f"<main>\n{section}\n", 1)
    end = "</body>\n</html>\n"
    return f"{head}{style}</style>\n</head>{body.removesuffix(end)}<script>{script}</script>\n{end}"


def in_light(document: str, light: str) -> str:
    """Return a page or picture that is always ``light`` or ``dark``; with ``auto`` it is returned
    as it is, and follows its reader's preference.
    """
    if light not in ("light", "dark"):
        return document
    for mark in ("color-scheme:{}", 'name="color-scheme" content="{}"'):
        document = document.replace(mark.format("light dark"), mark.format(light))
    media = "@media all{" if light == "dark" else "@media not all{"
    return document.replace("@media(prefers-color-scheme:dark){", media)


# -- Pictures


def shapes_in(folder: Path | None, *shapes: str) -> str:
    """Return the style and the shapes that pictures use, needed once per document.

    ``folder`` contains those of a game in ``picture.css`` and ``shapes.svg``; ``shapes`` are more
    of them.
    """
    files = [] if folder is None else [folder / "picture.css", folder / "shapes.svg"]
    read = (file.read_text("utf-8") for file in (Path(__file__).with_name("picture.css"), *files))
    found = ["".join(map(str.strip, text.splitlines())) for text in read]
    return f"<style>{''.join(found[:2])}</style><defs>{''.join(found[2:])}{''.join(shapes)}</defs>"


def figure(pictures: Sequence[Picture]) -> Html:
    """Return the pictures of a page, side by side and equally high."""
    return tag("figure", *map(inline, pictures), class_="pictures")


def inline(picture: Picture, anchor: str | None = None) -> Html:
    """Return a picture of a page, with its share of the width in a row."""
    area, name = f"0 0 {picture.width} {picture.height}", picture.name
    content = Html(picture.drawn())
    drawn = tag("svg", content, id=anchor, viewBox=area, role="img", aria_label=name)
    return tag("div", drawn, style=f"flex:{picture.width / picture.height:.3f} 1 0")


_SIDE_BY_SIDE = 2
"""Maximum number of pictures side by side; more of them are put in columns."""


def style_for(pictures: Sequence[Picture]) -> str:
    """Return the style sheet that arranges the pictures of a page or a story."""
    return data("many.css" if len(pictures) > _SIDE_BY_SIDE else "two.css") if pictures else ""


class PaperTable(NamedTuple):
    """A table for a page or a picture.

    ``headline``  sentences about whose turn it is
    ``last``      sentences about what happened last
    ``pictures``  the table as it looks
    ``rows``      the same in words
    ``shapes``    the shapes that the pictures use, see :func:`shapes_in`
    """

    headline: Sequence[str] = ()
    last: Sequence[str] = ()
    pictures: Sequence[Picture] = ()
    rows: Sequence[Node] = ()
    shapes: str = ""


def table_page(title: str, sheet: PaperTable, below: Sequence[Node], fingerprint: str) -> str:
    """Return a table as an HTML document that works without scripts and offline.

    ``below`` takes the full width of the page.
    """
    header = [Paragraph([sentence], BOLD) for sentence in sheet.headline]
    return page(
        title,
        [*header, *([Paragraph(sheet.last)] if sheet.last else [])],
        [
            *([figure(sheet.pictures)] if sheet.pictures else []),
            tag("div", *PageWriter().nodes(sheet.rows), class_="words"),
            *below,
        ],
        foot(fingerprint),
        style=style_for(sheet.pictures),
        shapes=sheet.shapes,
    )


def foot(fingerprint: str) -> list[Node]:
    """Return the footer of a page of a game."""
    return [Paragraph([f"Fingerprint of the game: {fingerprint}"])] if fingerprint else []


GAP = 14
_TITLE, _LINE = 44, 26
_MOST = 3
"""Maximum number of lines for a text in the heading; the description has all of it."""


def table_picture(title: str, sheet: PaperTable, described: Sequence[str]) -> str:
    """Return a table as a well-formed SVG document with a title and a description.

    Its colors follow the reader's preference for light or dark. ``described`` is the whole table in
    sentences; without pictures these are drawn.
    """
    pictures = sheet.pictures or [typed_picture(described)]
    column = pictures[0].width
    width = column + 2 * GAP
    columns: Sequence[Sequence[Picture]] = [pictures]
    if len(pictures) > _SIDE_BY_SIDE:
        width += column + GAP
        columns = _halves(pictures, column)
    heading, top = _heading(title, sheet, width - 2 * GAP)
    drawn, height = "", top
    for nth, each in enumerate(columns):
        x, y = GAP + nth * (column + GAP), top
        for picture in each:
            scale = column / picture.width
            area = f'<rect width="{picture.width}" height="{picture.height}"/>'
            drawn += (
                f'<clipPath id="clip-{x}-{y}">{area}</clipPath>'
                f'<g transform="translate({x} {y}) scale({scale:.4g})" '
                f'clip-path="url(#clip-{x}-{y})">{picture.drawn()}</g>'
            )
            y += round(picture.height * scale) + GAP
        height = max(height, y)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" aria-labelledby="t d">'
        f'<title id="t">{escaped(title)}</title>'
        f'<desc id="d">{escaped(" ".join(described))}</desc>{sheet.shapes or shapes_in(None)}'
        f'<rect class="paper" width="{width}" height="{height}"/>{heading}{drawn}</svg>\n'
    )


def _halves(pictures: Sequence[Picture], width: int) -> list[Sequence[Picture]]:
    """Return pictures in two columns, as equal in height as their order allows."""

    def height(column: Sequence[Picture]) -> float:
        return sum(picture.height * width / picture.width + GAP for picture in column)

    halves = ([pictures[:cut], pictures[cut:]] for cut in range(1, len(pictures)))
    return min(halves, key=lambda columns: max(map(height, columns)))


def _heading(title: str, sheet: PaperTable, room: int) -> tuple[str, int]:
    """Return the heading (title, situation, and what happened last) and its height."""
    drawn = label(GAP, _TITLE, title, "serif b", 32, width=room, smallest=20)
    y = _TITLE + 4
    for texts, style, size in ((sheet.headline, "b", 19), (sheet.last, "", 16)):
        for line in _lines(" ".join(texts), size, room):
            y += _LINE
            drawn += label(GAP, y, line, style, size, width=room, smallest=size * 0.9)
    return drawn, y + 16


def _lines(text: str, size: float, room: float) -> list[str]:
    """Return a text broken into lines; if it is too long, the last line has the rest, to be cut."""
    lines: list[str] = []
    for word in text.split():
        if lines and (len(lines) == _MOST or width_of(f"{lines[-1]} {word}", size) <= room):
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


# -- The page of a whole game: every turn can be read and, with a script, stepped through
#
# The pictures of all frames are combined: each piece is there once for as long as it stays the
# same, with the first frame in which it is visible (``data-f``) and the first in which it is no
# longer (``data-t``). Without a script the pieces of the last frame and all articles are shown;
# with it, the article and the pieces of one frame.


class Frame(NamedTuple):
    """A table of a game, and how it came about.

    ``heading``   like ``Turn 3, round 1: Joana``
    ``body``      what happened since the previous frame
    ``place``     the index of the step that led to it; -1 for the setup
    ``round``     counted from 1; 0 before the first one, ``None`` outside of rounds
    ``numbers``   for each measure, each player's number; ``None`` if it is secret
    ``pictures``  the table; all frames have the same pictures, with the same pieces
    ``anchor``    its name in a URL, by default its number
    """

    heading: str
    body: Sequence[Node | Html]
    place: int
    round: int | None = None
    numbers: Sequence[Sequence[int | None]] = ()
    pictures: Sequence[Picture] = ()
    anchor: str = ""


class Measure(NamedTuple):
    """What a plot of the chart counts, with a note."""

    title: str
    note: str = ""


class Story(NamedTuple):
    """A game from its setup on.

    ``result`` says how it ended; ``below`` is at the end of the page; ``shapes`` are for the
    pictures.
    """

    title: str
    players: Sequence[str]
    frames: Sequence[Frame]
    measures: Sequence[Measure] = ()
    result: str = ""
    below: Sequence[Node | Html] = ()
    fingerprint: str = ""
    shapes: str = ""


def story_page(story: Story, since: int = 0) -> str:
    """Return a game as an HTML document that works offline.

    It opens at the frame that its URL names, or else at the first one for a step from ``since`` on,
    or else at the last one.
    """
    frames = story.frames
    pictures = [moving(each) for each in zip(*(frame.pictures for frame in frames), strict=True)]
    script = data("story.js")
    if since:
        start = next((nth for nth, frame in enumerate(frames) if frame.place >= since), None)
        if start is not None:
            script = script.replace("found < 0 ? last : found", f"found < 0 ? {start} : found")
    shapes = story.shapes or shapes_in(None)
    body = [
        *([figure(pictures)] if pictures else []),
        tag("div", _controls(), _turn_by_turn(frames), class_="side"),
        tag("section", *_course(story), *PageWriter().nodes(story.below), class_="course"),
    ]
    return page(
        story.title,
        [Paragraph([_summary(story)])],
        body,
        foot(story.fingerprint),
        style=data("story.css") + (data("beside.css") if pictures else "") + style_for(pictures),
        script=script,
        shapes=shapes,
    )


def moving(pictures: Sequence[Picture]) -> Picture:
    """Return the pictures of all frames combined into one."""
    painted = {}
    for name in pictures[0].pieces:
        start = 0
        for end, picture in enumerate(pictures, start=1):
            piece = picture.pieces[name]
            if end < len(pictures) and pictures[end].pieces[name] == piece:
                continue
            if piece:
                last = None if end == len(pictures) else end
                seen = {"data_f": start, "data_t": last} if start or last else {}
                painted[f"{name} {start}"] = group(piece, **seen) if seen else piece
            start = end
    height = max(picture.height for picture in pictures)
    return pictures[-1]._replace(height=height, pieces=painted)


def _summary(story: Story) -> str:
    """Return a summary: the players, the number of turns, and how the game ended, if it has."""
    turns = sum(not frame.anchor for frame in story.frames) - 1
    so_far = f" {story.result}" if story.result else " so far."
    counted = f"{plural(turns, 'turn')}{'.' if story.result else ''}"
    return f"{', '.join(story.players)}. {counted}{so_far}"


def _turn_by_turn(frames: Iterable[Frame]) -> Html:
    """Return the section with the article of each frame."""
    write = PageWriter().nodes
    articles = (
        tag("article", tag("h3", frame.heading), *write(frame.body), id=frame.anchor or f"turn-{n}")
        for n, frame in enumerate(frames)
    )
    return tag("section", tag("h2", "Turn by turn"), *articles, class_="story", aria_live="polite")


def _controls() -> Html:
    """Return the buttons, which are shown only with a script."""
    keys = {"First": "Home", "Back": "left arrow", "Next": "right arrow", "Last": "End"}
    buttons = (tag("button", name, id=name.lower(), title=f"Key: {keys[name]}") for name in keys)
    slider = tag("input", id="slider", type="range", min=0, value=0, aria_label="Turn")
    all_turns = tag("button", "All turns", id="all", aria_pressed="false")
    label = "Steps through the game"
    return tag("nav", *buttons, slider, all_turns, class_="steps", aria_label=label)


# -- The chart


WIDTH = 520
LEFT, RIGHT = 40, 388
"""The ends of the lines; the names are to the right of them."""
TOP = 34
NAME_HEIGHT = 19
_BELOW = 54
"""The distance between two plots."""
_GRID_LINE = 25
"""The minimum distance between two lines of the grid."""
_DASHES = ("", "9 5", "2 5", "14 4 3 4", "6 3 2 3")
_SHAPES = (
    "M-5-5h10v10h-10z",
    "M0-7l7 7l-7 7l-7-7z",
    "M0-6l6 11h-12z",
    "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0z",
    "M0 6l-6-11h12z",
)


def _course(story: Story) -> Iterator[Html]:
    """Yield the chart, followed by its numbers; nothing if nothing is counted."""
    if not story.measures:
        return
    unit, _ = _ends(story.frames)
    yield tag("h2", f"{unit.capitalize()} by {unit}")
    yield tag("figure", inline(chart(story), "chart"), class_="chart")
    numbers = PageWriter().nodes(_numbers(story))
    yield tag("details", tag("summary", "The numbers of the chart"), *numbers)


def _ends(frames: Sequence[Frame]) -> tuple[str, dict[int, int]]:
    """Return the unit of the scale below the chart, and the last frame of each of its numbers. The
    unit is a round, or a turn in a game without rounds.
    """
    if any(frame.round is not None for frame in frames):
        return "round", {frame.round: nth for nth, frame in enumerate(frames) if frame.round}
    return "turn", {n: n for n, frame in enumerate(frames) if n and not frame.anchor}


def chart(story: Story) -> Picture:
    """Draw a plot for each measure, one below the other, and the cursor, which the script moves."""
    step = (RIGHT - LEFT) / max(len(story.frames) - 1, 1)
    high = 130 if len(story.measures) > 2 else 200
    low = TOP + (high + _BELOW) * (len(story.measures) - 1) + high
    pieces = {"paper": f'<rect class="paper" width="{WIDTH}" height="{low + 44}"/>'}
    for nth, measure in enumerate(story.measures):
        numbers = [frame.numbers[nth] for frame in story.frames]
        top = TOP + (high + _BELOW) * nth
        pieces[f"plot-{nth}"] = _plot(story.players, measure, numbers, step, top, high)
    pieces["scale"] = _scale(story.frames, step, low)
    pieces["cursor"] = (
        f'<path id="cursor" class="cursor" d="M{LEFT} {TOP}V{low}" '
        f'data-start="{LEFT}" data-step="{step:g}"/>'
    )
    return Picture(WIDTH, low + 44, pieces, "Chart; the table below has its numbers")


def _plot(
    players: Sequence[str],
    measure: Measure,
    numbers: Sequence[Sequence[int | None]],
    step: float,
    top: int,
    high: int,
) -> str:
    """Draw the lines of those players whose numbers are not secret."""
    lines = {seat: line for seat, line in enumerate(zip(*numbers, strict=True)) if None not in line}
    most = max((max(line) for line in lines.values()), default=0)
    mark = round_step(most, high // _GRID_LINE)
    highest = max(mark * -(-most // mark), mark)
    low = top + high

    def height(number: int) -> float:
        return low - high * number / highest

    parts = [label(LEFT, top - 12, measure.title, "b", 16)]
    parts += [
        f'<path class="line" d="M{LEFT} {height(at):.1f}H{RIGHT}"/>'
        + label(LEFT - 7, height(at) + 4.5, at, "soft end", 13)
        for at in range(0, highest + 1, mark)
    ]
    ends = apart([height(line[-1]) for line in lines.values()], low, NAME_HEIGHT)
    for (seat, line), end in zip(lines.items(), ends, strict=True):
        name = f"{line[-1]} {players[seat]}"
        parts.append(_line(seat, [height(number) for number in line], step, end, name))
    if measure.note:
        parts.append(label(LEFT, low + 17, measure.note, "soft", 13, width=WIDTH - LEFT - 4))
    return "".join(parts)


def _line(seat: int, heights: Sequence[float], step: float, end: float, name: str) -> str:
    """Draw the line of a player, with the name at its end. It has points only where it bends."""
    last = len(heights) - 1
    points = " ".join(
        f"{LEFT + step * frame:.1f},{height:.1f}"
        for frame, height in enumerate(heights)
        if not 0 < frame < last or not heights[frame - 1] == height == heights[frame + 1]
    )
    return (
        f'<g class="player-{seat}"><polyline points="{points}" stroke-width="2.5" '
        f'stroke-dasharray="{_DASHES[seat]}" stroke-linejoin="round" fill="none"/>'
        f'<path d="M{RIGHT + 2} {heights[-1]:.1f}L{RIGHT + 12} {end:.1f}"/>'
        f'<path transform="translate({RIGHT + 20} {end:.1f})" d="{_SHAPES[seat]}"/></g>'
        + label(RIGHT + 31, end + 5, name, "b", 14, width=WIDTH - RIGHT - 34)
    )


def _scale(frames: Sequence[Frame], step: float, low: int) -> str:
    """Draw the numbers of the rounds where these end, as many as there is room for."""
    unit, ends = _ends(frames)
    every = round_step(len(ends), (RIGHT - LEFT) / 22)
    marks = "".join(
        f'<path class="line" d="M{LEFT + step * frame:.1f} {low}v6"/>'
        + label(LEFT + step * frame, low + 21, number, "soft mid", 13)
        for number, frame in ends.items()
        if number % every == 0
    )
    return marks + label((LEFT + RIGHT) / 2, low + 39, unit, "soft mid", 13)


def _numbers(story: Story) -> Iterator[Node]:
    """Yield the numbers at the end of each round in tables."""
    unit, ends = _ends(story.frames)
    rows = [(str(number), frame) for number, frame in ends.items()]
    if story.frames[-1].anchor:
        rows.append(("the end", len(story.frames) - 1))
    for nth, measure in enumerate(story.measures):
        yield Heading(measure.title, 3)
        table: list[list[Chunk]] = [
            [
                [number],
                *(
                    ["secret" if one is None else str(one)]
                    for one in story.frames[frame].numbers[nth]
                ),
            ]
            for number, frame in rows
        ]
        yield Grid((unit, *story.players), table, numbers=range(1, 1 + len(story.players)))


def round_step(span: int, most: float) -> int:
    """Return the smallest of 1, 2, 5, 10, 20 … that goes into a span at most ``most`` times."""
    steps = (int(step * 10**digits) for digits in count() for step in (1, 2, 5))
    return next(step for step in steps if span <= most * step)


def apart(places: Sequence[float], lowest: float, height: float) -> list[float]:
    """Return vertical places, moved apart so that names of a height fit beside them."""
    moved = list(places)
    order = sorted(range(len(moved)), key=moved.__getitem__)
    for above, below in pairwise(order):
        moved[below] = max(moved[below], moved[above] + height)
    if order:
        moved[order[-1]] = min(moved[order[-1]], lowest)
    for below, above in pairwise(reversed(order)):
        moved[above] = min(moved[above], moved[below] - height)
    return moved
