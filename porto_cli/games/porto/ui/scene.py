"""The houses of both sides, the river with the score track in front of them, and the shapes that
all pictures use: floors, roofs, cards, coins, boats, trees.

``shapes.svg`` has the drawings, ``picture.css`` their colors by day and by night; what is the same
for each of the five colors is put together here. Every color has an architecture of its own, so
that a house is known without its color too: the pattern of its walls, its windows, and the letter
on the sign beside its door.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from porto_cli.core.message import Sentence, say
from porto_cli.games.porto.engine.scoring import SOLO_WIN
from porto_cli.games.porto.observation import House, Player, Table
from porto_cli.games.porto.ui.houses import PAINTS, Paint
from porto_cli.paper.markup import Picture, label, named, use, width_of

FRONT = 94
"""How wide a house is."""
GROUND, UPPER, GABLE = 38, 32, 44
"""How high a ground floor, an upper floor and a roof are."""
CARD_WIDTH, CARD_HEIGHT = 84, 104
COIN = 15
"""The radius of a VP token."""

_PATTERNS = {
    "blue": (12, 8, "M0 6q3-6 6 0t6 0"),
    "green": (8, 8, "M-2 2l4-4M0 8l8-8M6 10l4-4"),
    "purple": (10, 10, "M0 2.5h5m0 5h5"),
    "red": (16, 10, "M0 .5h16M0 5.5h16M4 .5v5M12 5.5v5"),
    "yellow": (10, 10, "M2.5 2.5h.1m5 5h.1"),
}
"""What the walls of a color repeat: width, height, lines. The terminal shows the like."""
_STROKES = {"purple": 5, "yellow": 3}
"""How thick these lines are, if not 1."""


@cache
def definitions() -> str:
    """Return the style and the shapes that all pictures use, to be given once in a page."""
    colors = "".join(
        _pattern(color, paint) + _floors(color, paint) + _cards(color, paint)
        for color, paint in PAINTS.items()
    )
    return f"<style>{_data('picture.css')}</style><defs>{_data('shapes.svg')}{colors}</defs>"


def _data(name: str) -> str:
    text = (Path(__file__).parent / name).read_text("utf-8")
    return "".join(line.strip() for line in text.splitlines())


def _pattern(color: str, paint: Paint) -> str:
    width, height, lines = _PATTERNS[color]
    return (
        f'<pattern id="pattern-{color}" width="{width}" height="{height}" '
        f'patternUnits="userSpaceOnUse"><path d="{lines}" fill="none" stroke="{paint.ink}" '
        f'stroke-width="{_STROKES.get(color, 1)}" '
        f'stroke-linecap="{"round" if color == "yellow" else "butt"}" opacity=".22"/></pattern>'
    )


def _wall(color: str, paint: Paint, width: int, height: int, corner: int = 0) -> str:
    area = f'width="{width}" height="{height}"' + (f' rx="{corner}"' if corner else "")
    return f'<rect {area} fill="{paint.fill}"/><rect {area} fill="url(#pattern-{color})"/>'


def _floors(color: str, paint: Paint) -> str:
    """The shapes ``upper-COLOR`` and ``ground-COLOR``, with a cornice below each floor."""
    return (
        f'<g id="upper-{color}">{_wall(color, paint, FRONT, UPPER)}'
        f'<use href="#windows-{color}"/>'
        f'<path d="M0 {UPPER - 1}h{FRONT}" stroke="#f4ead8" stroke-width="2"/></g>'
        f'<g id="ground-{color}">{_wall(color, paint, FRONT, GROUND)}<use href="#door"/>'
        f'<text class="b mid dark" x="66" y="26.5" font-size="22">{paint.letter}</text>'
        f'<path d="M0 {GROUND - 1}h{FRONT}" stroke="#8d8067" stroke-width="2"/></g>'
    )


def _cards(color: str, paint: Paint) -> str:
    """The shapes ``card-COLOR``, which has no value, and ``COLOR-1`` to ``COLOR-3``."""
    ink = f'style="fill:{paint.ink}"'
    shapes = (
        f'<g id="card-{color}">{_wall(color, paint, CARD_WIDTH, CARD_HEIGHT, 9)}'
        f'<rect x="1.5" y="1.5" width="{CARD_WIDTH - 3}" height="{CARD_HEIGHT - 3}" rx="8" '
        'fill="none" stroke="#fff" stroke-width="3"/>'
        f'<text class="b" {ink} x="10" y="36" font-size="32">{paint.letter}</text></g>'
    )
    for value in (1, 2, 3):
        bars = "".join(f"M{10 + 22 * nth} 84h18v9h-18z" for nth in range(value))
        shapes += (
            f'<g id="{color}-{value}"><use href="#card-{color}"/>'
            f'<text class="b serif end" {ink} x="75" y="72" font-size="58">{value}</text>'
            f'<path d="{bars}" {ink}/></g>'
        )
    return shapes


WIDTH = 800
MARGIN = 50
PLACES = 7
"""Places for houses on each side, those not in play included."""
PITCH = (WIDTH - 2 * MARGIN) // PLACES
HEADER = 122
HEADROOM = 22
WALL = 40
"""The height of the wall below a side, with the names of its houses."""
_HEADING = ((50, "serif b", 36, 22), (84, "b", 22, 14), (110, "", 18, 14))
"""Where the lines of the heading stand, their style, their size and the smallest one."""
LANE = 60
"""The height of a player's lane on the river."""
SHORE = 34
"""Water above the first lane, with the numbers of the track."""
TRACK_START, TRACK_END = 74, WIDTH - 60


def track_of(*tables: Table) -> int:
    """Return how many VP the score track needs for these tables."""
    most = max(player.score for table in tables for player in table.players)
    return max(60, -(-most // 10) * 10)


def scene(table: Table, track: int = 0, heading: Sequence[str] = ()) -> Picture:
    """Draw the houses and the river.

    ``track`` is the length of the score track in VP. ``heading`` are up to three lines in the
    sky, the first of them large.
    """
    track = track or track_of(table)
    sky = HEADER if heading else 0
    tallest = max(height_of(house) for house in table.houses)
    step = HEADROOM + GABLE + tallest + WALL
    bases = [sky + step * (row + 1) - WALL for row in range(len(table.sides))]
    shore = bases[-1] + WALL
    height = shore + SHORE + LANE * len(table.players) + 10
    pieces = {
        "backdrop": _backdrop(table, bases, height),
        "heading": "".join(
            label(MARGIN, y, line, style, size, width=WIDTH - 2 * MARGIN, smallest=smallest)
            for line, (y, style, size, smallest) in zip(heading, _HEADING, strict=False)
        ),
    }
    for side, base in zip(table.sides, bases, strict=True):
        for house in side:
            left = place_of(house)
            drawn = _at(left, base, _house(house))
            pieces[f"house-{house.name}"] = named(f"build {house.name}", drawn)
            pieces[f"tokens-{house.name}"] = _at(left, base, _tokens(house))
            pieces[f"new-{house.name}"] = _at(left, base, _new(house))
    pieces["track"] = _track(table, track, shore, height)
    for lane, player in enumerate(table.players):
        y = shore + SHORE + LANE * lane + LANE - 14
        x = _x(player.score, track)
        pieces[f"boat-{lane}"] = _boat(player, lane, x, y)
        pieces[f"pennant-{lane}"] = use("pennant", x, y) if player.name in table.to_move else ""
    return Picture(WIDTH, height, pieces)


def height_of(house: House) -> int:
    """Return how high a house is when all its floors are built, without its roof."""
    return _level(house.height)


def _level(floors: int) -> int:
    return GROUND + UPPER * (floors - 1) if floors else 0


def place_of(house: House) -> int:
    """Return the position of a house in its row."""
    return MARGIN + PITCH * (int(house.name[1:]) - 1) + (PITCH - FRONT) // 2


def _at(x: float, y: float, drawing: str) -> str:
    return f'<g transform="translate({x:g} {y:g})">{drawing}</g>' if drawing else ""


def _backdrop(table: Table, bases: list[int], height: int) -> str:
    first, second = bases
    parts = [
        f'<rect class="paper" width="{WIDTH}" height="{height}"/>',
        f'<rect class="sky" width="{WIDTH}" height="{first}"/>',
        use("stars", 0, 0),
        use("uptown", 0, first),
        f'<rect class="haze" y="{first}" width="{WIDTH}" height="{second - first}"/>',
        use("wall", 0, first),
        use("backstreet", 0, second),
        use("wall", 0, second),
    ]
    for side, base in zip(table.sides, bases, strict=True):
        taken = {place_of(house) for house in side}
        for place in range(PLACES):
            x = MARGIN + PITCH * place + (PITCH - FRONT) // 2
            if x not in taken:
                parts.append(use("tree", x + 30, base) + use("tree", x + 68, base, 0.7))
        for house in side:
            middle = place_of(house) + FRONT / 2
            parts.append(
                f'<rect class="cap" x="{middle - 24:g}" y="{base + 9}" width="48" height="26" '
                f'rx="5"/>{label(middle, base + 30, house.name, "b mid", 22)}'
            )
    return "".join(parts)


def _house(house: House) -> str:
    parts = [f"<title>{_tip(house)}</title>"]
    y = 0
    for floor in range(house.floors):
        y -= UPPER if floor else GROUND
        parts.append(use(f"{'upper' if floor else 'ground'}-{house.color}", 0, y))
    top = height_of(house)
    if house.complete:
        parts.append(use("gable", 0, -top))
    else:
        free = f"M0 {y}V-{top}H{FRONT}V{y}z"
        levels = "".join(f"M0-{_level(n)}h{FRONT}" for n in range(house.floors + 1, house.height))
        roof = f"M4-{top}L47-{top + GABLE - 4}L90-{top}"
        parts.append(f'<path class="free" d="{free}{levels}{roof}"/>')
    return "".join(parts)


def _tip(house: House) -> Sentence:
    facts: dict[str, object] = {"house": house.name, "floors": house.floors, "height": house.height}
    if house.color is None:
        return say("{house}: empty, {height} floors", **facts)
    return say("{house}: {color}, {floors} of {height} floors", color=house.color, **facts)


def _tokens(house: House) -> str:
    parts = ""
    if house.ground_token:
        parts += _coin(FRONT / 2, -GROUND / 2, house.ground_token)
    if house.roof_token:
        parts += _coin(FRONT / 2, -height_of(house) - COIN - 1, house.roof_token)
    return parts


def _coin(x: float, y: float, value: int) -> str:
    return use("coin", x, y) + label(x, y + 7.5, value, "b mid dark", 21)


def _new(house: House) -> str:
    """The dots around what the last turn has changed."""
    outline = ""
    if house.new_floors:
        low, high = _level(house.floors - house.new_floors), _level(house.floors)
        outline += f"M0-{low}V-{high}H{FRONT}V-{low}z"
    top = height_of(house)
    if house.new_roof:
        outline += f"M-4-{top}L47-{top + GABLE}L98-{top}"
    if house.new_token:
        y, r = top + COIN + 1, COIN + 3
        outline += f"M{47 - r}-{y}a{r} {r} 0 1 1 {2 * r} 0a{r} {r} 0 1 1-{2 * r} 0"
    return f'<path class="halo" d="{outline}"/><path class="new" d="{outline}"/>' if outline else ""


def _x(vp: int, track: int) -> float:
    return TRACK_START + (TRACK_END - TRACK_START) * vp / track


def _track(table: Table, track: int, shore: int, height: int) -> str:
    waves = "".join(
        f"M{x} {y}q8-6 16 0t16 0"
        for row, y in enumerate(range(shore + 48, height - 4, 28))
        for x in range(24 + row % 2 * 90, WIDTH - 40, 180)
    )
    parts = [
        f'<rect class="water" y="{shore}" width="{WIDTH}" height="{height - shore}"/>',
        f'<path class="wave" d="{waves}"/>',
    ]
    step = 10 if track <= 120 else 20
    for vp in range(0, track + 1, step):
        x = _x(vp, track)
        parts.append(
            f'<path class="buoy" d="M{x:g} {shore + 32}V{height - 6}"/>'
            + label(x, shore + 24, vp, "lit mid", 18)
        )
    if table.timer is not None:
        parts.append(f'<path class="goal" d="M{_x(SOLO_WIN, track):g} {shore + 32}V{height - 6}"/>')
    return "".join(parts)


def _boat(player: Player, lane: int, x: float, y: int) -> str:
    """A player's boat; its mast marks the score."""
    boat = use("boat", x, y) + label(x, y - 18, lane + 1, "b mid dark", 20)
    score = str(player.score)
    room = width_of(score, 22) + 12
    if x < WIDTH / 2:
        left = x + 50
        name = label(left + room, y, player.name, "lit", 22, width=WIDTH - 16 - left - room)
        return boat + label(left, y, score, "b lit", 22) + name
    right = x - 46
    name = label(right - room, y, player.name, "lit end", 22, width=right - room - 16)
    return boat + label(right, y, score, "b lit end", 22) + name
