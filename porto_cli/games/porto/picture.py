"""The table as two pictures: the houses along the river with the score track, and what lies in
front of the players.

``shapes.svg`` has the drawings, ``picture.css`` their colors by day and by night; what is the same
for each of the five colors is put together here. Every color has an architecture of its own, so a
house is known without its color too: by the pattern of its walls, its windows, and the letter on
the sign beside its door.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

from porto_cli.core import plural
from porto_cli.games.porto.engine import COLORS, PRIVATE, PRIVATE_NAMES, PUBLIC, PUBLIC_NAMES
from porto_cli.games.porto.engine.scoring import SOLO_WIN
from porto_cli.games.porto.engine.state import OVER
from porto_cli.games.porto.phrases import PAINTS, Paint, as_it_is
from porto_cli.games.porto.shown import track_of, worths
from porto_cli.games.porto.view import LATER, NEVER, NOW
from porto_cli.paper.html import (
    Picture,
    box,
    dotted,
    group,
    label,
    named,
    on_turn,
    owned,
    pale,
    path,
    titled,
    use,
    width_of,
)
from porto_cli.paper.page import shapes_in

View = dict[str, Any]

FRONT = 94
"""How wide a house is."""
GROUND, UPPER, GABLE = 38, 32, 44
"""How high a ground floor, an upper floor and a roof are."""
CARD_WIDTH, CARD_HEIGHT = 84, 104
COIN = 15
"""The radius of a VP token."""


def pictures(seen: View, before: View | None = None, track: int = 0) -> tuple[Picture, Picture]:
    """Draw a table. What is new since ``before`` is dotted; ``track`` is how many VP the score
    track has, see :func:`~porto_cli.games.porto.shown.track_of`.
    """
    return street(seen, before, track), board(seen)


# -- The shapes

_PATTERNS = {
    "blue": (12, 8, "M0 6q3-6 6 0t6 0", 1),
    "green": (8, 8, "M-2 2l4-4M0 8l8-8M6 10l4-4", 1),
    "purple": (10, 10, "M0 2.5h5m0 5h5", 5),
    "red": (16, 10, "M0 .5h16M0 5.5h16M4 .5v5M12 5.5v5", 1),
    "yellow": (10, 10, "M2.5 2.5h.1m5 5h.1", 3),
}
"""What the walls of a color repeat: width, height, lines, and how thick these are. The terminal
shows the like.
"""


@cache
def shapes() -> str:
    """Return the style and the shapes that the pictures use."""
    colors = (
        _pattern(color, paint) + _floors(color, paint) + _cards(color, paint)
        for color, paint in PAINTS.items()
    )
    return shapes_in(Path(__file__).parent, *colors)


def _pattern(color: str, paint: Paint) -> str:
    width, height, lines, thick = _PATTERNS[color]
    drawn = path(
        None,
        lines,
        fill="none",
        stroke=paint.ink,
        stroke_width=thick,
        stroke_linecap="round" if color == "yellow" else "butt",
        opacity=0.22,
    )
    return (
        f'<pattern id="pattern-{color}" width="{width}" height="{height}" '
        f'patternUnits="userSpaceOnUse">{drawn}</pattern>'
    )


def _wall(color: str, paint: Paint, width: int, height: int, corner: int = 0) -> str:
    return "".join(
        box(None, 0, 0, width, height, corner, fill=fill)
        for fill in (paint.fill, f"url(#pattern-{color})")
    )


def _floors(color: str, paint: Paint) -> str:
    """The shapes ``upper-COLOR`` and ``ground-COLOR``, with a cornice below each floor."""
    upper = (
        _wall(color, paint, FRONT, UPPER)
        + use(f"windows-{color}", 0, 0)
        + path(None, f"M0 {UPPER - 1}h{FRONT}", stroke="#f4ead8", stroke_width=2)
    )
    ground = (
        _wall(color, paint, FRONT, GROUND)
        + use("door", 0, 0)
        + label(66, 26.5, paint.letter, "b mid dark", 22)
        + path(None, f"M0 {GROUND - 1}h{FRONT}", stroke="#8d8067", stroke_width=2)
    )
    return group(upper, id=f"upper-{color}") + group(ground, id=f"ground-{color}")


def _cards(color: str, paint: Paint) -> str:
    """The shapes ``card-COLOR``, which has no value, and ``COLOR-1`` to ``COLOR-3``."""
    frame: dict[str, Any] = {"fill": "none", "stroke": "#fff", "stroke_width": 3}
    plain = (
        _wall(color, paint, CARD_WIDTH, CARD_HEIGHT, 9)
        + box(None, 1.5, 1.5, CARD_WIDTH - 3, CARD_HEIGHT - 3, 8, **frame)
        + label(10, 36, paint.letter, "b", 32, ink=paint.ink)
    )
    found = group(plain, id=f"card-{color}")
    for value in (1, 2, 3):
        bars = "".join(f"M{10 + 22 * nth} 84h18v9h-18z" for nth in range(value))
        drawn = (
            use(f"card-{color}", 0, 0)
            + label(75, 72, value, "b serif end", 58, ink=paint.ink)
            + path(None, bars, fill=paint.ink)
        )
        found += group(drawn, id=f"{color}-{value}")
    return found


# -- The houses and the river

WIDTH = 800
MARGIN = 50
PLACES = 7
"""Places for houses on each side, those not in play included."""
PITCH = (WIDTH - 2 * MARGIN) // PLACES
HEADROOM = 22
WALL = 40
"""The height of the wall below a side, with the names of its houses."""
LANE = 60
"""The height of a player's lane on the river."""
SHORE = 34
"""Water above the first lane, with the numbers of the track."""
TRACK_START, TRACK_END = 74, WIDTH - 60


def street(seen: View, before: View | None = None, track: int = 0) -> Picture:
    """Draw the houses and the river, see :func:`pictures`."""
    track = track or track_of(seen)
    players, houses = seen["players"], seen["houses"]
    step = HEADROOM + GABLE + max(_level(house["height"]) for house in houses.values()) + WALL
    bases = {"L": step - WALL, "R": 2 * step - WALL}
    shore = 2 * step
    height = shore + SHORE + LANE * len(players) + 10
    pieces = {"backdrop": _backdrop(houses, bases, height)}
    for name, house in houses.items():
        left, base = place_of(name), bases[name[0]]
        old = before["houses"][name] if before else house
        pieces[f"house-{name}"] = named(f"build {name}", _at(left, base, _house(name, house)))
        pieces[f"tokens-{name}"] = _at(left, base, _tokens(house))
        pieces[f"new-{name}"] = _at(left, base, _new(house, old))
    pieces["track"] = _track(track, shore, height, goal=seen["timer"] is not None)
    for lane, player in enumerate(players):
        x, y = _x(player["score"], track), shore + SHORE + LANE * lane + LANE - 14
        pieces[f"boat-{lane}"] = _boat(player, lane, x, y)
        to_move = player["name"] in seen["to_move"]
        pieces[f"pennant-{lane}"] = use("pennant", x, y) if to_move else ""
    return Picture(WIDTH, height, pieces, "The houses along the river and the score track")


def _level(floors: int) -> int:
    """Return how high so many floors are."""
    return GROUND + UPPER * (floors - 1) if floors else 0


def place_of(house: str) -> int:
    """Return the position of a house in its row."""
    return MARGIN + PITCH * (int(house[1:]) - 1) + (PITCH - FRONT) // 2


def _at(x: float, y: float, drawing: str) -> str:
    return group(drawing, transform=f"translate({x:g} {y:g})")


def _backdrop(houses: View, bases: dict[str, int], height: int) -> str:
    first, second = bases.values()
    parts = [
        box("paper", 0, 0, WIDTH, height),
        box("sky", 0, 0, WIDTH, first),
        use("stars", 0, 0),
        use("uptown", 0, first),
        box("haze", 0, first, WIDTH, second - first),
        use("wall", 0, first),
        use("backstreet", 0, second),
        use("wall", 0, second),
    ]
    for side, base in bases.items():
        for house in (f"{side}{number}" for number in range(1, PLACES + 1)):
            x = place_of(house)
            if house not in houses:
                parts += [use("tree", x + 30, base), use("tree", x + 68, base, 0.7)]
                continue
            middle = x + FRONT / 2
            parts.append(box("cap", middle - 24, base + 9, 48, 26, 5))
            parts.append(label(middle, base + 30, house, "b mid", 22))
    return "".join(parts)


def _house(name: str, house: View) -> str:
    color, floors, height = house["color"], house["floors"], house["height"]
    drawn, y = "", 0
    for floor in range(floors):
        y -= UPPER if floor else GROUND
        drawn += use(f"{'upper' if floor else 'ground'}-{color}", 0, y)
    top = _level(house["height"])
    if house["complete"]:
        drawn += use("gable", 0, -top)
    else:
        free = f"M0 {y}V-{top}H{FRONT}V{y}z"
        levels = "".join(f"M0-{_level(n)}h{FRONT}" for n in range(floors + 1, height))
        roof = f"M4-{top}L47-{top + GABLE - 4}L90-{top}"
        drawn += path("free", free + levels + roof)
    return titled(f"{name}: {as_it_is(house)}", drawn)


def _tokens(house: View) -> str:
    middles = {"ground_token": -GROUND / 2, "roof_token": -_level(house["height"]) - COIN - 1}
    return "".join(
        use("coin", FRONT / 2, y) + label(FRONT / 2, y + 7.5, house[token], "b mid dark", 21)
        for token, y in middles.items()
        if house[token]
    )


def _new(house: View, old: View) -> str:
    """The dots around what has changed: floors, the roof, a token on it."""
    outline = ""
    if house["floors"] > old["floors"]:
        low, high = _level(old["floors"]), _level(house["floors"])
        outline += f"M0-{low}V-{high}H{FRONT}V-{low}z"
    top = _level(house["height"])
    if house["complete"] and not old["complete"]:
        outline += f"M-4-{top}L47-{top + GABLE}L98-{top}"
    if house["roof_token"] and not old["roof_token"]:
        y, r = top + COIN + 1, COIN + 3
        outline += f"M{47 - r}-{y}a{r} {r} 0 1 1 {2 * r} 0a{r} {r} 0 1 1-{2 * r} 0"
    return dotted(outline)


def _x(vp: int, track: int) -> float:
    return TRACK_START + (TRACK_END - TRACK_START) * vp / track


def _track(track: int, shore: int, height: int, *, goal: bool) -> str:
    """The water with its scale; the solo player has a goal on it."""
    waves = "".join(
        f"M{x} {y}q8-6 16 0t16 0"
        for row, y in enumerate(range(shore + 48, height - 4, 28))
        for x in range(24 + row % 2 * 90, WIDTH - 40, 180)
    )
    parts = [box("water", 0, shore, WIDTH, height - shore), path("wave", waves)]
    for vp in range(0, track + 1, 10 if track <= 120 else 20):
        x = _x(vp, track)
        parts.append(path("buoy", f"M{x:g} {shore + 32}V{height - 6}"))
        parts.append(label(x, shore + 24, vp, "lit mid", 18))
    if goal:
        parts.append(path("goal", f"M{_x(SOLO_WIN, track):g} {shore + 32}V{height - 6}"))
    return "".join(parts)


def _boat(player: View, lane: int, x: float, y: int) -> str:
    """A player's boat; its mast marks the score."""
    boat = use("boat", x, y) + label(x, y - 18, lane + 1, "b mid dark", 20)
    name, score = player["name"], str(player["score"])
    room = width_of(score, 22) + 12
    at, after, width, end = x + 50, x + 50 + room, WIDTH - 66 - x - room, ""
    if x >= WIDTH / 2:
        at, after, width, end = x - 46, x - 46 - room, x - 62 - room, " end"
    drawn = label(after, y, name, f"lit{end}", 22, width=width)
    return boat + label(at, y, score, f"b lit{end}", 22) + drawn


# -- What lies in front of the players: cards, contracts, supplies, and the players' seats

BOARD_WIDTH = 600
EDGE = 20
PILE_X, PILE_WIDTH = 504, 76
"""Where the face-down piles lie, at the right of the rows."""
CARDS_Y = 36
CONTRACTS_Y = 196
CONTRACT_WIDTH = 108
GAP = 12
SUPPLIES_Y = 356
PLAYERS_Y = 458
HAND = 88
"""How much of a seat the name and the hand take."""
LINE = 28
"""How high a line of private contracts is."""
MINI = 0.44
"""How large the cards of a hand are drawn."""


def board(seen: View) -> Picture:
    """Draw the table in front of the players."""
    used = label(PILE_X + PILE_WIDTH / 2, CARDS_Y + 122, f"{seen['discards']} used", "soft mid", 15)
    pieces = {"discards": used, "roofs": _roofs(seen), "turned": _turned(seen["turned"])}
    for name, y in (("deck", CARDS_Y), ("contract_deck", CONTRACTS_Y)):
        pieces[name], pieces[f"{name}-count"] = _pile(y, seen[name]), _count(y, seen[name])
    cards = [card and named(f"draw {card}", use(card, 0, 0)) for card in seen["cards"]]
    over = seen["phase"] == OVER
    contracts = [one and _contract(one, over=over) for one in seen["public_contracts"]]
    pieces |= _row(seen, "card", cards, CARDS_Y, CARD_WIDTH)
    pieces |= _row(seen, "contract", contracts, CONTRACTS_Y, CONTRACT_WIDTH)
    for place, (color, left) in enumerate(seen["tiles"].items()):
        pieces[f"tiles-{color}"] = _tiles(color, left, EDGE + place * 112)
    y = PLAYERS_Y
    for seat, player in enumerate(seen["players"]):
        private, lines = _private(player, seen, y + HAND + 20)
        height = HAND + LINE * lines
        ground = partial(box, "card") if player["name"] not in seen["to_move"] else on_turn
        pieces[f"seat-{seat}"] = ground(EDGE - 8, y, BOARD_WIDTH - 2 * EDGE + 16, height, 10)
        pieces[f"name-{seat}"] = (
            use("sail", EDGE + 20, y + 47, 0.8)
            + label(EDGE + 20, y + 32, seat + 1, "b mid dark", 17)
            + label(EDGE + 48, y + 31, player["name"], "b", 22, width=250)
        )
        fulfilled = f"{plural(player['fulfilled'], 'contract')} fulfilled"
        right = BOARD_WIDTH - EDGE
        pieces[f"fulfilled-{seat}"] = label(right - 92, y + 30, fulfilled, "soft end", 15)
        pieces[f"score-{seat}"] = label(
            right, y + 32, f"{player['score']} VP", "b end", 24, width=86
        )
        pieces[f"hand-{seat}"] = owned(seat, _hand(player["hand"], y + 42))
        pieces[f"private-{seat}"] = owned(seat, private)
        y += height + 8
    backdrop = (
        box("paper", 0, 0, BOARD_WIDTH, y + 12)
        + label(EDGE, CARDS_Y - 12, "Construction cards", "b", 17)
        + label(EDGE, CONTRACTS_Y - 12, "Public contracts", "b", 17)
    )
    name = "Face-up cards, public contracts, supplies, hands"
    return Picture(BOARD_WIDTH, y + 12, {"backdrop": backdrop, **pieces}, name)


def _row(
    seen: View, name: str, drawn: list[str | None], y: int, width: int
) -> Iterator[tuple[str, str]]:
    """Yield each space of a row with what lies in it, and its number below.

    An empty one is marked if something comes up in it that no player has seen yet.
    """
    waiting = seen.get("sealed", {}).get("waiting")
    mark = label(width / 2, CARD_HEIGHT / 2 + 14, "?", "soft mid", 40) if waiting else ""
    empty = box("free", 0, 0, width, CARD_HEIGHT, 9) + mark
    for space, thing in enumerate(drawn):
        number = label(14, CARD_HEIGHT + 18, space + 1, "soft mid", 15)
        yield f"{name}-{space}", _at(EDGE + space * (width + GAP), y, (thing or empty) + number)


def _pile(y: int, count: int) -> str:
    """A face-down pile: no card, one, or several."""
    if not count:
        return box("free", PILE_X, y, PILE_WIDTH, CARD_HEIGHT, 9)
    back: dict[str, Any] = {"fill": "url(#azulejo)", "stroke": "#2c4f86", "stroke_width": 2}
    return "".join(
        box(None, PILE_X + lift, y - lift, PILE_WIDTH, CARD_HEIGHT, 9, **back)
        for lift in range(min(count, 2) * 3 - 3, -1, -3)
    )


def _count(y: int, count: int) -> str:
    middle = PILE_X + PILE_WIDTH / 2
    return box("card", middle - 25, y + 34, 50, 36, 8) + label(middle, y + 60, count, "b mid", 23)


def _contract(contract: View, *, over: bool) -> str:
    """A public contract, and below it whether it can be met now, or never anymore."""
    width, chance = CONTRACT_WIDTH, contract["can_be_met"]
    area = (0, 0, width, CARD_HEIGHT, 9)
    sign, first, second = _asked(contract["contract"])
    drawn = named(
        f"contract {contract['contract']}",
        box("card", *area, stroke_width=2)
        + sign
        + use("coin", width - 19, 19)
        + label(width - 19, 26, contract["vp"], "b mid dark", 20)
        + label(width / 2, 76, first, "mid b", 16, width=width - 8)
        + label(width / 2, 95, second, "mid", 16, width=width - 8),
    )
    if chance == LATER or over:
        return drawn
    if chance == NOW:
        mark = box("can", *area) + path("can", "M30 117l5 5l9-12")
        return drawn + mark + label(50, 122, NOW, "b", 15)
    mark = path("cannot", "M30 111l10 10m0-10l-10 10")
    return pale(drawn) + mark + label(50, 122, NEVER, "soft", 15)


def _asked(name: str) -> tuple[str, str, str]:
    """Return what a public contract asks for: as a drawing of about 60 by 48, and in two lines."""
    contract = PUBLIC[PUBLIC_NAMES.index(name)]
    one, other = COLORS[contract.colors[0]], COLORS[contract.colors[-1]]
    if contract.kind == "cards":
        drawn = use(f"card-{one}", 10, 10, 0.36) + use(f"card-{other}", 36, 18, 0.36)
        words = (f"2 {one}", "cards") if one == other else (f"{one} +", f"{other} card")
        return drawn, *words
    if contract.kind == "house":
        drawn = use("gable", 16, 29, 0.4) + use(f"upper-{one}", 16, 29, 0.4)
        return drawn + use(f"ground-{one}", 16, 41, 0.4), f"1 {one}", "house"
    floors = contract.floors
    drawn = "".join(use(f"upper-{one}", 10, 43 - 17 * nth, 0.54) for nth in range(floors))
    return drawn, f"{floors} {one}", "floor" if floors == 1 else "floors"


def _roofs(seen: View) -> str:
    """Roofs placed, and those that are needed to trigger the end."""
    y, roofs, needed = SUPPLIES_Y, seen["roofs"], seen["roofs_to_end"]
    if needed is None:
        words = f"{seen['timer']} timer cards left; roofs placed: {roofs}"
        return label(EDGE, y, words, "b", 17)
    drawn = "".join(
        use("gable", EDGE + 29 * nth, y, 0.26)
        if nth < roofs
        else path("free", f"M{EDGE + 29 * nth} {y}h24l-12-12z")
        for nth in range(max(needed, roofs))
    )
    room = BOARD_WIDTH - 2 * EDGE - 29 * max(needed, roofs) - 10
    words = f"Roofs: {roofs}; {needed} trigger the end"
    return drawn + label(BOARD_WIDTH - EDGE, y, words, "end", 16, width=room)


def _turned(cards: list[str]) -> str:
    """The two cards that the solo timer has turned up."""
    x, y = BOARD_WIDTH - EDGE - 90, SUPPLIES_Y - 30
    return "".join(
        named(f"build {card}", use(card, x + 44 * nth, y, 0.48)) for nth, card in enumerate(cards)
    )


def _tiles(color: str, left: View, x: float) -> str:
    """Ground floors and upper floors left of a color."""
    y = SUPPLIES_Y + 20
    return (
        use(f"ground-{color}", x, y, 0.64)
        + label(x + 66, y + 19, f"×{left['ground']}", "b", 17)
        + use(f"upper-{color}", x, y + 30, 0.64)
        + label(x + 66, y + 47, f"×{left['floor']}", "b", 17)
    )


def _hand(cards: list[str], y: float) -> str:
    """Each kind of card once, with how many there are."""
    if not cards:
        return label(EDGE + 8, y + 26, "No cards in hand", "soft", 16)
    kinds = sorted(Counter(cards).items())
    pitch = min(46.0, (BOARD_WIDTH - 2 * EDGE) / len(kinds))
    parts = []
    for nth, (card, count) in enumerate(kinds):
        x = EDGE + pitch * nth
        drawn = use(card, x, y, MINI)
        if count > 1:
            drawn += f'<circle class="card" cx="{x + 33:g}" cy="{y + 4:g}" r="9"/>' + label(
                x + 33, y + 9, count, "b mid", 14
            )
        parts.append(named(f"build {card}", drawn))
    return "".join(parts)


def _private(player: View, seen: View, y: float) -> tuple[str, int]:
    """Draw a player's private contracts in lines that are not too long; return how many these are.

    What a contract brings and still can takes a line of its own.
    """
    unknown = _unknown(player, seen)
    if unknown:
        return label(EDGE, y, unknown, "soft", 16), 1
    choosing, progress = player["choosing"], player["private_progress"]
    notes = worths(player) if progress and not choosing else []
    drawn, lines, left = "", 0, float(BOARD_WIDTH)
    for place, contract in enumerate(player["private_contracts"], start=1):
        found = PRIVATE[PRIVATE_NAMES.index(contract["contract"])]
        kind = "Full side" if found.kind == "side" else found.kind.capitalize()
        says = notes[place - 1] if notes else f"{contract['vp']} VP"
        if choosing:
            kind, says = f"{place} {kind}", ""
        ends = width_of(kind, 16) + 8 + 24 * len(found.colors)
        width = ends + width_of(says, 16) + 22
        if notes or left + width > BOARD_WIDTH - EDGE:
            left, lines = EDGE, lines + 1
        at = y + LINE * (lines - 1)
        one = label(left, at, kind, "", 16)
        for nth, color in enumerate(found.colors):
            paint, x = PAINTS[COLORS[color]], left + width_of(kind, 16) + 6 + 24 * nth
            one += box(None, x, at - 16, 21, 21, 4, fill=paint.fill)
            one += label(x + 10.5, at, paint.letter, "b mid", 15, ink=paint.ink)
        room = BOARD_WIDTH - EDGE - left - ends + 2
        if says:
            one += label(left + ends, at, says, "" if notes else "b", 16, width=room)
        drawn += named(f"keep {place}", one) if choosing else one
        left += width
    return drawn, lines


def _unknown(player: View, seen: View) -> str:
    """Return why private contracts cannot be shown; nothing if they can."""
    if player["given_up"]:
        return "Given up: private contracts unknown"
    if player["name"] in seen.get("sealed", {}).get("key_missing", ()):
        return "Private contracts sealed"
    return "Private contracts face down" if player["private"] is None else ""
