"""What several views share: houses and contracts, in words and as drawings for a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from porto_cli.core import enumerated, plural
from porto_cli.games.porto.engine import (
    COLORS,
    HOUSES,
    PRIVATE,
    PRIVATE_KINDS,
    PRIVATE_NAMES,
    PUBLIC,
    PUBLIC_NAMES,
    Edition,
    private_kind,
)
from porto_cli.games.porto.engine.scoring import (
    completed_houses,
    counted_with,
    progress,
    scale_of,
    score_private,
)
from porto_cli.games.porto.engine.state import SHOWN, State
from porto_cli.seam import Thing
from porto_cli.term import BOLD, DIM, PLAIN, Line, Screen, Span, beside, width_of

# -- The houses: in words, in their colors, and drawn as fronts side by side
#
# People with protanopia, deuteranopia and tritanopia can tell the five colors apart, too
# (tests/porto/test_svg.py measures it), mostly by their lightness: purple and red are dark, blue
# and green are in the middle, yellow is light. Still, wherever a color is shown, so is its letter
# or its pattern.


class Paint(NamedTuple):
    """How a color is shown. Colors are ``#rrggbb``."""

    letter: str
    """Always lowercase, as names of houses are uppercase: ``r1`` is a card, ``R1`` a house."""
    fill: str
    """The color itself, of a floor or a card."""
    shade: str
    """A darker tone, for every other floor, so that floors can be counted."""
    ink: str
    """The color of text that is readable on both of them."""
    pattern: str
    """A character that fills floors, different from that of an empty space or another color."""

    @property
    def chip(self) -> str:
        """The style of a card, or of another word on the color."""
        return f"bold {self.ink} on {self.fill}"


PAINTS = {
    "blue": Paint("b", "#3675cf", "#2d69bf", "#ffffff", "≈"),
    "green": Paint("g", "#45bf8c", "#3aae7e", "#0c2418", "╱"),
    "purple": Paint("p", "#552a7a", "#4a226c", "#ffffff", "▒"),
    "red": Paint("r", "#c0282d", "#a8201f", "#ffffff", "═"),
    "yellow": Paint("y", "#fbcf35", "#efc022", "#33280a", "*"),
}
"""The colors of the game by name."""

# Styles of things that have no color of the game.
ROOF = "#c46a36"
"""Fired clay."""
TOKEN_STYLE = "bold #b8860b"
STREET = FREE = "#8a8f98"
RIVER = "#3f7f9f"
NEW = "bold #ff3b30"
"""What the last turn has changed; the rulebook outlines it with red dots."""
TO_BE_MET = "bold #2e9e5b"
"""A public contract that can be met this turn."""

House = Mapping[str, Any]


def chip(card: str, count: int = 1) -> tuple[str, str]:
    """Return a card, a space or a color on its color; ``count`` equal cards are one chip."""
    times = f" ×{count}" if count > 1 else ""
    return f"{card}{times}", PAINTS[card.partition("-")[0]].chip


def as_it_is(house: House) -> str:
    """Return a house as it is now: ``blue, 2 of 5 floors``, ``empty, 5 floors``."""
    return f"{house['color'] or 'empty'}, {how_high(house)}"


def how_high(house: House) -> str:
    """Return how many floors a house has and will have."""
    height = f"{house['height']} floors"
    return f"{house['floors']} of {height}" if house["color"] else height


def sides(houses: Mapping[str, House]) -> list[dict[str, House]]:
    """Return the houses of the left and of the right side, each from left to right."""
    return [{name: house for name, house in houses.items() if name[0] == side} for side in "LR"]


class Today(NamedTuple):
    """What the last turns have changed."""

    floors: dict[str, int]
    """The number of new floors of a house, at its top."""
    roofs: set[str]
    """Houses that got their roof."""
    tokens: set[str]
    """Houses whose roof space got a token."""


def changed_by(events: Iterable[Mapping[str, Any]]) -> Today:
    """Return what the events of turns, as a view has them, have changed."""
    built = Today({}, set(), set())
    for event in events:
        match event["event"]:
            case "placed":
                built.floors[event["house"]] = built.floors.get(event["house"], 0) + event["floors"]
            case "roof-placed":
                built.roofs.add(event["house"])
            case "token-moved":
                built.tokens.add(event["roof"])
    return built


# -- Drawn for a terminal

LEAST_CELL, MOST_CELL = 4, 14
"""Columns from one house to the next: two walls, a gap, the front."""
BESIDE = 8
"""The least columns for each house with which both sides are drawn beside each other."""
GAP = 2
"""Columns between the two sides, where they are beside each other."""
_ASCII = str.maketrans("│┋·▯▮╱╲▟█▙━≈▒═░▲─●▸", "|:.on/\\/%\\=~#=+^-O>")
_RIVER = "≈≈≈  ≈≈ "


def can_stand(houses: Mapping[str, House], screen: Screen) -> bool:
    """Return whether a screen has room for the fronts of both sides beside each other."""
    return screen.width >= LEAST_CELL * len(houses) + GAP


def row_of_fronts(
    houses: Mapping[str, House], built: Today, after: Mapping[str, House], screen: Screen
) -> list[Line]:
    """Draw both sides beside each other without the street, and with what a move would build;
    ``after`` are the houses after it. The screen has to be wide enough, see :func:`can_stand`.
    """
    lines = _abreast(houses, _even((screen.width - GAP) // len(houses)), built, after)
    del lines[-2]
    return in_alphabet(lines, screen)


def lying(
    houses: Mapping[str, House], built: Today, after: Mapping[str, House], floor: int, top: int
) -> list[Line]:
    """Draw both sides beside each other, with each house in its own row: it lies on its side, its
    ground floor on the left. Neighbors, and floors of the same level, are above each other.

    Each of the up to ``top`` floors takes ``floor`` columns.
    """
    left, right = (
        [_lying(name, house, after[name], floor, built) for name, house in side.items()]
        for side in sides(houses)
    )
    return beside(left, right, lying_columns(floor, top))


def lying_columns(floor: int, top: int) -> int:
    """Return how many columns each side takes: names, ``top`` floors, roofs, blanks."""
    return 3 + floor * top + 4


def _lying(name: str, house: House, then: House, floor: int, built: Today) -> Line:
    old, height = house["floors"], house["height"]
    new = old - built.floors.get(name, 0)
    line = Line()
    for level in range(1, height + 1):
        paint = PAINTS.get(then["color"])
        if paint and level <= old:
            drawn = (paint.letter, "┋" if level > new else paint.pattern, paint.chip)
        elif paint and level <= then["floors"]:
            drawn = (paint.letter if floor > 1 else "+", "+", NEW)
        elif level == 1 and house["ground_token"]:
            drawn = (_token(house["ground_token"], floor), " ", TOKEN_STYLE)
        else:
            drawn = ("·", " ", FREE)
        line.append(_in_the_middle(*drawn, floor))
    # The parenthesis of a token replaces a blank.
    blank = 1 + floor * height - width_of(line)
    roof = _level(name, house, then, height + 1, LEAST_CELL, built)
    return [(name, BOLD), (" " * blank, PLAIN), *line, *roof]


def _in_the_middle(text: str, fill: str, style: str, width: int) -> Span:
    """Return a centered text of this width, right of the middle if the width is even."""
    return text.rjust(width // 2 + 1, fill).ljust(width, fill), style


def street(houses: Mapping[str, House], built: Today, screen: Screen) -> list[Line]:
    """Draw both sides with the river in front of them.

    The sides are beside each other if that leaves enough columns for each house.
    """
    left, right = sides(houses)
    cell = _even((screen.width - GAP) // len(houses))
    if cell >= BESIDE:
        lines = _abreast(houses, cell, built, houses)
    else:
        cell = max(LEAST_CELL, _even(screen.width // max(len(left), len(right))))
        lines = [*_side(left, cell, built, left), [], *_side(right, cell, built, right)]
    # As wide as the street in front of the houses.
    width = width_of(lines[-2]) - 1
    river = (_RIVER * (width // len(_RIVER) + 1))[:width].rstrip()
    lines.append([(river, RIVER)])
    return in_alphabet(lines, screen)


def _abreast(
    houses: Mapping[str, House], cell: int, built: Today, after: Mapping[str, House]
) -> list[Line]:
    """Draw both sides beside each other."""
    left, right = sides(houses)
    top = max(house["height"] for house in houses.values())
    one, other = (_side(side, cell, built, after, top) for side in (left, right))
    return beside(one, other, cell * len(left) + GAP)


def in_alphabet(lines: list[Line], screen: Screen) -> list[Line]:
    """Return lines in ASCII if the screen has nothing else."""
    if not screen.ascii:
        return lines
    return [[(text.translate(_ASCII), style) for text, style in line] for line in lines]


def _even(cell: int) -> int:
    """Return an even number of columns, so a front has a middle."""
    return min(MOST_CELL, cell) // 2 * 2


def _side(
    houses: Mapping[str, House],
    cell: int,
    built: Today,
    then: Mapping[str, House],
    top: int = 0,
) -> list[Line]:
    """Draw houses side by side, standing on the street, with their names below.

    ``then`` are the houses after a move that has not been made yet. There is room for houses of
    the height ``top``.
    """
    top = max(top, *(house["height"] for house in houses.values()))
    lines: list[Line] = [
        [
            span
            for name, house in houses.items()
            for span in (*_level(name, house, then[name], level, cell, built), (" ", PLAIN))
        ]
        for level in range(top + 1, 0, -1)
    ]
    width = cell * len(houses) - 1
    lines.append([("━" * width, STREET), (" ", PLAIN)])
    lines.append(
        [span for name, house in houses.items() for span in _label(name, then[name], cell)]
    )
    return lines


def _label(name: str, house: House, cell: int) -> Line:
    count = f" {house['floors']}/{house['height']}"
    count = count if len(name + count) < cell else ""
    blank = cell - len(name + count)
    left = (blank - 1) // 2
    return [(" " * left, PLAIN), (name, BOLD), (count, DIM), (" " * (blank - left), PLAIN)]


def _level(name: str, house: House, then: House, level: int, cell: int, built: Today) -> Line:
    """Draw a level of a house: 1 is the ground floor, the one above its height the roof.

    ``then`` is the house after a move that has not been made yet.
    """
    front = cell - 3
    if level > house["height"] + 1:
        return [(" " * (cell - 1), PLAIN)]
    if level > house["height"]:
        token = then["roof_token"]
        wall, style, faces = "╱╲", FREE, _token(token, front)
        inner = NEW if name in built.tokens else TOKEN_STYLE
        if token != house["roof_token"]:
            faces, inner = _in_the_middle(str(token) if front > 1 else "+", "+", NEW, front)
        if then["complete"] and not house["complete"]:
            faces, inner = _in_the_middle("▲", "+", NEW, front)
        if house["complete"]:
            wall, style = "▟▙", NEW if name in built.roofs else ROOF
            faces, inner = "█" * front, ROOF
    elif house["floors"] < level <= then["floors"]:
        paint = PAINTS[then["color"]]
        return [
            ("░", f"bold {paint.fill}"),
            _in_the_middle(paint.letter, "+", NEW, front),
            ("░", f"bold {paint.fill}"),
        ]
    elif level > house["floors"]:
        wall, style, inner = "··", FREE, TOKEN_STYLE
        faces = _token(house["ground_token"] if level == 1 else None, front)
    else:
        return _floor(name, house, level, front, built)
    return [(wall[0], style), (faces, inner), (wall[1], style)]


def _token(value: int | None, width: int) -> str:
    text = str(value or "")
    return (f"({text})" if text and width > 1 else text).center(width)


def _floor(name: str, house: House, level: int, front: int, built: Today) -> Line:
    """Draw a floor in its color, with the letter of the color, its pattern, windows or a door."""
    paint = PAINTS[house["color"]]
    tone, other = (paint.fill, paint.shade) if level % 2 == 0 else (paint.shade, paint.fill)
    ink, pattern = f"{paint.ink} on {tone}", f"{other} on {tone}"
    new = level > house["floors"] - built.floors.get(name, 0)
    wall = ("┋", NEW) if new else ("│", ink)
    faces = [" "] * front
    middle = front // 2
    for offset in (2, 4):
        if middle > offset or middle == offset == 2:
            faces[middle - offset] = faces[middle + offset] = "▯"
    faces[middle] = paint.letter
    if level == 1 and middle:
        faces[middle - 1 : middle + 2] = [paint.letter, "▮", paint.letter]
    drawn = ((face, ink) if face != " " else (paint.pattern, pattern) for face in faces)
    return [wall, *drawn, wall]


# -- Contracts
#
# Public and private contracts: what they ask for in the words of the rulebook, what they score, and
# what they lack.

Contract = Mapping[str, Any]
"""A private contract in a document: its name, VP, ``scale``, and whatever else is known."""


def floors(count: int, color: str) -> str:
    """Return a number of floors of a color: ``2 red floors``."""
    return plural(count, f"{color} floor")


def public_contract(name: str) -> str:
    """Return what a public contract asks of a turn (P-PUBLIC-1)."""
    contract = PUBLIC[PUBLIC_NAMES.index(name)]
    color, *others = (COLORS[color] for color in contract.colors)
    if contract.kind == "floors":
        return f"Build exactly {floors(contract.floors, color)}."
    if contract.kind == "house":
        return f"Complete a {color} house."
    if others == [color]:
        return f"Play two {color} cards."
    return f"Play a {color} and a {others[0]} card."


def most_of(own: Iterable[int], table: State) -> dict[str, int]:
    """Return what each of some private contracts can bring at most at a table."""
    return {PRIVATE_NAMES[one]: progress(table, one).most for one in own}


def less_of(most: Mapping[str, int], now: Mapping[str, int]) -> dict[str, int]:
    """Return the private contracts that can bring less ``now`` than before, and how much less."""
    return {name: vp - now[name] for name, vp in most.items() if vp > now[name]}


def private_in_short(name: str, scale: Sequence[int]) -> str:
    """Return what a private contract pays for one, two … in few words, for a menu."""
    first, *more = scale
    paid = [f"{first} VP for {PRIVATE_KINDS[private_kind(name)].short}"]
    return ", ".join([*paid, *(f"{vp} for {count}" for count, vp in enumerate(more, start=2))])


def private_contract(name: str, scale: Sequence[int]) -> str:
    """Return what a private contract pays; ``scale`` is its VP for one, two …

    Completed houses count no matter who built them (P-PRIV-0), so the text asks no one to build.
    """
    contract = PRIVATE[PRIVATE_NAMES.index(name)]
    colors = (COLORS[color] for color in contract.colors)
    paid = (f"{vp} VP for {count}" for count, vp in enumerate(scale, start=1))
    pays = ", ".join(paid) if len(scale) > 1 else f"{scale[0]} VP"
    return f"{PRIVATE_KINDS[contract.kind].counts.format(*colors)}: {pays}."


def contracts(edition: Edition) -> dict[str, Thing]:
    """Return what all contracts of an edition pay, by name, the public ones first."""
    public = {
        one: Thing((public_contract(one), "A public contract."), ("P-PUBLIC-1",))
        for one in PUBLIC_NAMES
    }
    private = {
        name: Thing(
            (private_contract(name, scale_of(edition, nth)), "A private contract."),
            (f"P-PRIV-{private_kind(name).upper()}", "P-PRIV-0"),
        )
        for nth, name in enumerate(PRIVATE_NAMES)
    }
    return public | private


_MOST_HOUSES, _MOST_GROUPS = 5, 3
"""The most houses, and groups of houses, that are named as what a contract can still count."""


def worth(contract: Contract, limit: int | None = None) -> str:
    """Return what a private contract is worth now, what it can still bring, and with which houses;
    it has to have ``most`` and ``ways``. With a ``limit``, the text is shorter and names at most
    that many houses or groups.
    """
    name, vp, most, ways = (contract[key] for key in ("contract", "vp", "most", "ways"))
    full = contract["scale"][-1]
    if most == vp:
        return f"Now {vp} VP{', which is all it pays' if vp == full else '; it can bring no more'}."
    now, nearest = f"{'Now ' if limit is None else ''}{vp} of {most} VP", ways[0]
    kind = private_kind(name)
    if kind == "palette" and len(nearest) == len(COLORS):
        return f"{now}: both sides lack {'every color' if limit is None else 'all'}."
    if kind in ("palette", "side"):
        side = "left" if min(nearest) < "R" else "right"
        named = [*(nearest.values() if kind == "palette" else nearest)]
        if limit is None:
            return f"{now}: the {side} side lacks {enumerated(named)}."
        return f"{now}: {side} lacks {_some(named, limit)}."
    if limit is not None:
        return f"{now}: {_some(['+'.join(way) for way in ways], limit)}."
    most_named = _MOST_HOUSES if len(nearest) == 1 else _MOST_GROUPS
    shown = len(ways) if len(ways) <= most_named else most_named - 1
    named = [enumerated(way) for way in ways[:shown]]
    named += [f"one of {len(ways) - shown} others"] * (len(ways) > shown)
    # Houses of several colors can often have them in another order than in ``ways``.
    first, *others = {color for way in ways for color in way.values()}
    color = "" if others else f"{',' * (len(named) > 1)} in {first}"
    return f"{now}: complete {', or '.join(named)}{color}."


def _some(names: Sequence[str], limit: int) -> str:
    """Return up to ``limit`` names, and how many more there are: ``L3, L4 and 5 more``."""
    more = len(names) - limit
    return f"{', '.join(names[:limit])} and {more} more" if more > 0 else enumerated(names)


def unrevealed(state: State) -> Counter[str]:
    """Return the numbers of private contracts that nobody has revealed, by name."""
    shown = b"".join(state.kept)
    if state.seals:
        sealed = zip(state.kept, state.seals, strict=True)
        shown = b"".join(kept for kept, seal in sealed if seal == SHOWN)
    left = Counter(PRIVATE_NAMES[contract] for contract in state.config.private_deck)
    return left - Counter(PRIVATE_NAMES[contract] for contract in shown)


# -- What private contracts score


def count_contract(state: State, contract: int) -> dict[str, Any]:
    """Count a private contract as if the game ended now, with what it lacks for more.

    ``scale``           the VP it pays for one, two … of what it asks for
    ``groups``          what counted once each: a house, a pair, a trio, a whole side
    ``missing``         alternative sets of started houses that would make it count once more if
                        they were complete; for a side, all houses that the better side lacks
    ``missing_colors``  for a palette, the colors that its better side lacks
    """
    counted = score_private(state, contract)
    kind = PRIVATE[contract].kind
    scale = scale_of(state.config.edition, contract)
    full = len(counted.groups) >= len(scale)
    return {
        "contract": PRIVATE_NAMES[contract],
        "vp": counted.vp,
        "scale": list(scale),
        "groups": [_names(group) for group in counted.groups],
        "missing": [] if full else _missing(state, contract, len(counted.groups)),
        "missing_colors": _missing_colors(state) if kind == "palette" and not full else [],
    }


def _names(houses: Sequence[int]) -> list[str]:
    return [HOUSES[house] for house in houses]


def _missing(state: State, contract: int, groups: int) -> list[list[str]]:
    """Return the smallest sets of houses whose completion would add a group.

    A group has at most three houses, except a side, for which all missing houses are returned.
    """
    unfinished = [
        house
        for house in state.config.houses
        if state.floors[house] and not state.is_complete(house)
    ]
    if PRIVATE[contract].kind == "side":
        sides = state.config.sides
        lacking = [[house for house in side if not state.is_complete(house)] for side in sides]
        return [_names(min(lacking, key=len))]
    for size in (1, 2, 3):
        ways = [
            _names(houses)
            for houses in combinations(unfinished, size)
            if counted_with(state, contract, {one: state.colors[one] for one in houses}) > groups
        ]
        if ways:
            return ways
    return []


def _missing_colors(state: State) -> list[str]:
    """Return the colors missing among the completed houses of the side that has the most colors."""
    completed = completed_houses(state)
    lacking = (
        [COLORS[color] for color, houses in enumerate(completed) if not houses & side]
        for side in state.config.side_sets
    )
    return min(lacking, key=len)


def houses_counted(contract: Contract) -> list[str]:
    """Return which houses a private contract counts, and what it lacks for more; after the game,
    which started houses would have made the difference.
    """
    groups = contract["groups"]
    houses = "; ".join(" ".join(group) for group in groups)
    sentences = [f"Counted: {houses}." if groups else "Nothing counts."]
    if "most" in contract:
        return [*sentences, worth(contract)]
    if contract["missing"]:
        lacking = enumerated([enumerated(group) for group in contract["missing"]], "or")
        more = "one more" if groups else "that"
        more = "the side" if private_kind(contract["contract"]) == "side" else more
        sentences.append(f"If {lacking} had been completed, {more} would have counted.")
    elif contract["missing_colors"]:
        # What could have counted may be on the other side, and says more.
        colors = enumerated(contract["missing_colors"])
        sentences.append(f"The better side lacks a completed house in {colors}.")
    return sentences
