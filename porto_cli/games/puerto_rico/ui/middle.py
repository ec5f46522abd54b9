"""What lies in the middle of the table: roles and plantations, the harbor, the buildings.

The buildings are by the columns of the board; in the draft, the chosen ones are marked.
"""

from __future__ import annotations

from porto_cli.core.message import Sentence, say
from porto_cli.games.puerto_rico import phrases
from porto_cli.games.puerto_rico.engine.components import (
    BIT,
    BUILDING_PLACES,
    BUILDING_VP,
    COLUMN,
    COST,
    FOREST,
    GOODS,
    HOUSE_SPACES,
    NO_GOOD,
    PLACES,
    QUARRY,
    ROLES,
    SPACES,
    VIOLET,
    VIOLET_KINDS,
)
from porto_cli.games.puerto_rico.engine.setup import kinds_allowed
from porto_cli.games.puerto_rico.engine.state import (
    BUILDER_PHASE,
    DRAFT_PHASE,
    NOBODY,
    PRIVILEGE_PHASE,
)
from porto_cli.games.puerto_rico.ui.board import (
    MARGIN,
    TILE_HEIGHT,
    TILE_WIDTH,
    WIDTH,
    badge,
    barrel,
    chip,
    coin,
    colors,
    dotted,
    frame,
    heading,
    paper,
    tile,
    writing,
)
from porto_cli.games.puerto_rico.ui.table_view import TableView
from porto_cli.paper.markup import Picture, label, named, use

CARDS_Y = 34
CARD_HEIGHT = 58
ACROSS = 3
"""Cards beside each other."""
GAP = 8


def roles(seen: TableView) -> Picture:
    """Draw the role cards and the plantations to be had."""
    cards = seen.config.box.roles
    rows = -(-len(cards) // ACROSS)
    rows_end = CARDS_Y + rows * (CARD_HEIGHT + GAP)
    tiles_y = rows_end + 28
    height = tiles_y + TILE_HEIGHT + 16
    pieces = {
        "paper": paper(height)
        + heading(CARDS_Y - 12, say("Roles"))
        + heading(tiles_y - 12, say("Plantations")),
    }
    width = (WIDTH - 2 * MARGIN - GAP * (ACROSS - 1)) / ACROSS
    for nth, role in enumerate(cards):
        x = MARGIN + (width + GAP) * (nth % ACROSS)
        y = CARDS_Y + (CARD_HEIGHT + GAP) * (nth // ACROSS)
        pieces[f"role-{ROLES[role]}"] = named(f"role {ROLES[role]}", _card(seen, role, x, y, width))
    pieces["row"] = _row(seen, tiles_y)
    pieces["quarries"] = named(
        "take quarry",
        _pile(tile(QUARRY, _QUARRIES_X, tiles_y), seen.quarries, _QUARRIES_X, tiles_y),
    )
    pieces["stack"] = named("take face-down", _stack(sum(seen.stack), tiles_y))
    pieces["discards"] = _discards(seen, tiles_y)
    return Picture(WIDTH, height, pieces)


def _card(seen: TableView, role: int, x: float, y: float, width: float) -> str:
    """A role card: free with its doubloons, or who has taken it in this round."""
    taker, doubloons = seen.taken[role], seen.role_doubloons[role]
    now = role == seen.role
    back = (
        f'<rect class="{"now" if now else "card"}" x="{x:g}" y="{y:g}" width="{width:g}" '
        f'height="{CARD_HEIGHT}" rx="8"/>'
    )
    face = use(ROLES[role].partition("-")[0], x + 20, y + 19) + label(
        x + 38, y + 24, ROLES[role].replace("-", " "), "b", 15, width=width - 42, smallest=11
    )
    if taker == NOBODY:
        return back + face + (_doubloons(doubloons, x, y, width) if doubloons else "")
    if not now:
        face = f'<g class="gone">{face}</g>'
    name = label(x + 38, y + 47, seen.players[taker].name, "", 14, width=width - 44, smallest=11)
    return back + face + badge(taker, x + 20, y + 43) + name


def _doubloons(number: int, x: float, y: float, width: float) -> str:
    lie = min(number, 3)
    coins = "".join(use("coin", x + 20 + 7 * nth, y + 43, 0.8) for nth in range(lie))
    return coins + label(
        x + 36 + 7 * (lie - 1), y + 48, say("+{number}", number=number), "b", 15, width=width - 60
    )


_PITCH = 47
_QUARRIES_X = MARGIN + 6 * _PITCH + 12
_STACK_X = _QUARRIES_X + _PITCH + 16


def _row(seen: TableView, y: float) -> str:
    """The face-up plantations, and a free space where one was taken."""
    tiles = [kind for kind, number in enumerate(seen.row[:FOREST]) for _ in range(number)]
    drawn = "".join(
        named(f"take {PLACES[kind]}", tile(kind, MARGIN + _PITCH * nth, y))
        for nth, kind in enumerate(tiles)
    )
    return drawn + "".join(
        _space(MARGIN + _PITCH * nth, y) for nth in range(len(tiles), seen.config.row)
    )


def _space(x: float, y: float) -> str:
    return (
        f'<rect class="free" x="{x:g}" y="{y:g}" width="{TILE_WIDTH}" height="{TILE_HEIGHT}" '
        'rx="5"/>'
    )


def _pile(top: str, number: int, x: float, y: float) -> str:
    """A pile of tiles with their number on it; a free space where none is left."""
    if not number:
        return _space(x, y)
    under = (
        f'<rect class="card" x="{x + 3:g}" y="{y - 3:g}" width="{TILE_WIDTH}" '
        f'height="{TILE_HEIGHT}" rx="5"/>'
        if number > 1
        else ""
    )
    mark = (
        f'<rect class="card" x="{x + 22:g}" y="{y + 5:g}" width="26" height="20" rx="6"/>'
        + label(x + 35, y + 20, number, "b mid", 14)
    )
    return under + top + mark


def _stack(number: int, y: float) -> str:
    """The face-down plantations."""
    back = (
        f'<rect x="{_STACK_X}" y="{y:g}" width="{TILE_WIDTH}" height="{TILE_HEIGHT}" rx="5" '
        'fill="url(#tile-back)" stroke="#1d3a26"/>'
    )
    return _pile(back, number, _STACK_X, y)


def _discards(seen: TableView, y: float) -> str:
    words = say("{stack} face down", stack=sum(seen.stack))
    if any(seen.discards):
        words = say(
            "{stack} face down, {discards} discarded",
            stack=sum(seen.stack),
            discards=sum(seen.discards),
        )
    return label(WIDTH - MARGIN, y - 12, words, "soft end", 13, width=250)


BERTH_WIDTH, BERTH_HEIGHT = 208, 112
SPACE = 20
"""The side of a space for a barrel."""
SHORE = 30
"""Where the water begins."""
QUAY_Y = SHORE + 2 * BERTH_HEIGHT + 4
QUAY_HEIGHT = 150
_HOUSE_X, _HOUSE_WIDTH = MARGIN, 160
_ARCH = _HOUSE_WIDTH / HOUSE_SPACES
_SUPPLY_X = 186


def harbor(seen: TableView, before: TableView | None = None) -> Picture:
    """Draw the ships in their berths, and the quay; what is new since ``before`` is dotted."""
    height = QUAY_Y + QUAY_HEIGHT
    pieces = {"backdrop": _backdrop(height)}
    for nth in range(3):
        ships = seen.cargo[nth : nth + 1]
        pieces[f"ship-{nth}"] = "".join(_cargo(*ship, *_berth(nth)) for ship in ships)
    pieces["colonist-ship"] = _colonist_ship(seen.ship, *_berth(3))
    pieces["palms"] = "" if len(seen.cargo) > 2 else _islet(*_berth(2))
    pieces["house"] = _trading_house(seen, QUAY_Y + 16)
    for good, number in enumerate(seen.goods_supply):
        drawn = _goods(good, number, QUAY_Y + 16)
        if seen.phase == PRIVILEGE_PHASE:
            drawn = named(f"take {GOODS[good]}", drawn)
        pieces[f"supply-{GOODS[good]}"] = drawn
    pieces["colonists"] = _colonists(seen.supply, QUAY_Y + 116)
    pieces["vp"] = _vp(seen.vp_pool, QUAY_Y + 116)
    pieces["new"] = dotted(_new(seen, before)) if before else ""
    return Picture(WIDTH, height, pieces)


def _new(seen: TableView, before: TableView) -> str:
    """Outline the barrels that were loaded or sold."""
    outlines = ""
    for nth, ((spaces, _, barrels), (_, _, old)) in enumerate(
        zip(seen.cargo, before.cargo, strict=True)
    ):
        x, y = _deck(*_berth(nth), spaces * SPACE)
        if barrels > old:
            outlines += frame(x + SPACE * old, y, SPACE * (barrels - old), SPACE + 4)
    for nth in range(len(before.trading_house), len(seen.trading_house)):
        outlines += frame(_HOUSE_X + _ARCH * nth + 3, QUAY_Y + 66, _ARCH - 6, 50)
    return outlines


def _deck(left: float, top: float, length: float) -> tuple[float, float]:
    """Return where the deck of a ship of this length begins in its berth."""
    return left + (BERTH_WIDTH - length) / 2 - 2, top + 62


def _berth(nth: int) -> tuple[float, float]:
    """Return where a berth begins: two beside each other, two below."""
    return 8 + (BERTH_WIDTH + 8) * (nth % 2), SHORE + BERTH_HEIGHT * (nth // 2)


def _backdrop(height: int) -> str:
    waves = "".join(
        f"M{x} {y}q5-5 10 0t10 0"
        for row, y in enumerate(range(SHORE + 24, QUAY_Y - 10, 26))
        for x in range(12 + row % 2 * 52, WIDTH - 24, 104)
    )
    return (
        f'<rect class="paper" width="{WIDTH}" height="{height}"/>'
        f'<rect fill="url(#dawn)" width="{WIDTH}" height="{SHORE}"/>'
        f'<path class="hill" d="M0 {SHORE}V18Q60 2 120 16T250 14T380 8T{WIDTH} 16V{SHORE}z"/>'
        f'<rect class="water" y="{SHORE}" width="{WIDTH}" height="{QUAY_Y - SHORE}"/>'
        f'<path class="wave" d="{waves}"/>'
        f'<rect class="quay" y="{QUAY_Y}" width="{WIDTH}" height="{QUAY_HEIGHT}"/>'
        f'<rect class="edge" y="{QUAY_Y}" width="{WIDTH}" height="6"/>'
    )


def _hull(x: float, y: float, length: float) -> str:
    """A ship of a length on deck: mast, hull, and the hold that is seen in it."""
    return (
        f'<path class="mast" d="M{x + length / 2:g} {y - 52:g}V{y:g}"/>'
        f'<path class="hull" d="M{x - 14:g} {y - 6:g}L{x:g} {y - 3:g}H{x + length:g}'
        f"L{x + length + 18:g} {y - 10:g}Q{x + length + 14:g} {y + 20:g} "
        f'{x + length - 6:g} {y + 29:g}H{x + 8:g}Q{x - 10:g} {y + 24:g} {x - 14:g} {y - 6:g}z"/>'
    )


def _cargo(spaces: int, good: int, barrels: int, left: float, top: float) -> str:
    """A cargo ship; its sail shows how many spaces it has."""
    length = spaces * SPACE
    x, y = _deck(left, top, length)
    middle = x + length / 2
    parts = [
        f"<g><title>{_freight(spaces, good, barrels, whole=True)}</title>",
        _hull(x, y, length),
        use("sail", middle, y - 8),
        label(middle + 1, y - 26, spaces, "b mid dark", 20),
    ]
    for nth in range(spaces):
        place = x + SPACE * nth
        parts.append(
            f'<rect class="hold" x="{place + 1:g}" y="{y + 1:g}" width="{SPACE - 2}" '
            f'height="{SPACE + 2}" rx="3"/>'
        )
        if nth < barrels:
            parts.append(barrel(good, place + SPACE / 2, y + 12, 0.8))
    words = _freight(spaces, good, barrels, whole=False)
    parts.append(label(middle, y + 44, words, "b lit mid", 14) + "</g>")
    return named(f"load {spaces}", "".join(parts))


def _freight(spaces: int, good: int, barrels: int, *, whole: bool) -> Sentence:
    if good == NO_GOOD:
        return say("cargo ship of {spaces}: empty", spaces=spaces) if whole else say("empty")
    facts: dict[str, object] = {"spaces": spaces, "good": GOODS[good], "barrels": barrels}
    if whole:
        return say("cargo ship of {spaces}: {good} {barrels}", **facts)
    if barrels == spaces:
        return say("{good}: full", **facts)
    return say("{good} {barrels} of {spaces}", **facts)


def _colonist_ship(number: int, left: float, top: float) -> str:
    length = 116.0
    x, y = _deck(left, top, length)
    middle = x + length / 2
    pitch = min(16.0, (length - 16) / max(number - 1, 1))
    start = middle - pitch * (number - 1) / 2
    people = "".join(use("person", start + pitch * nth, y + 12) for nth in range(number))
    words = say("{colonists} on the ship", colonists=phrases.colonists(number))
    return (
        _hull(x, y, length)
        + use("sail", middle, y - 8)
        + use("person", middle + 1, y - 33)
        + f'<rect class="hold" x="{x + 1:g}" y="{y + 1:g}" width="{length - 2:g}" '
        f'height="{SPACE + 2}" rx="3"/>{people}' + label(middle, y + 44, words, "b lit mid", 14)
    )


def _islet(left: float, top: float) -> str:
    """What lies where two players have no third cargo ship."""
    x, y = left + BERTH_WIDTH / 2, top + 82
    return (
        f'<ellipse class="quay" cx="{x:g}" cy="{y:g}" rx="58" ry="13"/>'
        + use("palm", x - 14, y)
        + use("palm", x + 16, y + 4, 0.7)
    )


def _trading_house(seen: TableView, y: float) -> str:
    """Four arches, a barrel in each that is sold."""
    x, width = _HOUSE_X, _HOUSE_WIDTH
    held = seen.trading_house
    free = HOUSE_SPACES - len(held)
    words = say("room for {free}", free=free) if free else say("full")
    parts = [
        f'<rect class="wall" x="{x}" y="{y + 18}" width="{width}" height="104"/>'
        f'<path d="M{x - 6} {y + 20}L{x + 8} {y}H{x + width - 8}L{x + width + 6} {y + 20}z" '
        'fill="url(#roof)" stroke="#7d3517"/>',
        label(x + width / 2, y + 40, say("Trading house"), "b mid", 15),
    ]
    for nth in range(HOUSE_SPACES):
        left = x + _ARCH * nth + 5
        parts.append(
            f'<path class="arch" d="M{left:g} {y + 98}V{y + 66}a{(_ARCH - 10) / 2:g} 17 0 0 1 '
            f'{_ARCH - 10:g} 0V{y + 98}z"/>'
        )
        if nth < len(held):
            parts.append(barrel(held[nth], left + (_ARCH - 10) / 2, y + 80, 1.15))
    return "".join(parts) + label(x + width / 2, y + 115, words, "soft mid", 13)


def _goods(good: int, number: int, y: float) -> str:
    """The barrels of a good in the supply."""
    pitch = (WIDTH - MARGIN - _SUPPLY_X) / len(GOODS)
    middle = _SUPPLY_X + pitch * (good + 0.5)
    drawn = barrel(good, middle, y + 14, 1.15) + label(middle, y + 48, number, "b mid", 17)
    return (drawn if number else f'<g class="gone">{drawn}</g>') + label(
        middle, y + 64, GOODS[good], "mid", 12, width=pitch - 1
    )


def _colonists(number: int, y: float) -> str:
    words = say("colonists left")
    return (
        use("person", _SUPPLY_X + 18, y - 2, 1.2)
        + label(_SUPPLY_X + 34, y + 1, number, "b", 17)
        + label(_SUPPLY_X + 34, y + 16, words, "soft", 12, width=100)
    )


def _vp(number: int, y: float) -> str:
    x = _SUPPLY_X + 142
    return (
        chip("", x, y - 2)
        + label(x + 18, y + 1, number, "b", 17)
        + label(x + 18, y + 16, say("VP left"), "soft", 12, width=WIDTH - x - 24)
    )


TOP = 34
ROW = 26
COLUMN_HEAD = 26
_COLUMN_WIDTH = (WIDTH - 2 * MARGIN - 12) / 2


def market(seen: TableView) -> Picture:
    """Draw the list of buildings: two columns of the board beside each other, two below."""
    columns = {number: _kinds(seen, number) for number in (1, 2, 3, 4)}
    upper = max(len(columns[1]), len(columns[2])) * ROW + COLUMN_HEAD
    lower = max(len(columns[3]), len(columns[4])) * ROW + COLUMN_HEAD
    height = TOP + upper + lower + 14
    pieces = {"paper": paper(height), "heading": _heading(seen)}
    for number, kinds in columns.items():
        x = MARGIN + (_COLUMN_WIDTH + 12) * ((number - 1) % 2)
        y = TOP + upper * ((number - 1) // 2)
        pieces[f"column-{number}"] = _column_head(seen, number, x, y)
        places = {place: y + COLUMN_HEAD + ROW * nth for nth, place in enumerate(kinds)}
        for place in BUILDING_PLACES:
            if COLUMN[place] == number:
                at, name = places.get(place), PLACES[place]
                kind = "" if at is None else _kind(seen, place, x, at)
                pieces[f"kind-{name}"] = named(f"build choose {name}", kind)
                pieces[f"cost-{name}"] = "" if at is None else _cost(seen, place, x, at)
                pieces[f"left-{name}"] = "" if at is None else _left(seen, place, x, at)
    return Picture(WIDTH, height, pieces)


def _kinds(seen: TableView, column: int) -> list[int]:
    """Return the kinds of a column that are in the game, or can be, the cheapest first."""
    draft = seen.phase == DRAFT_PHASE
    kinds = [
        place
        for place in BUILDING_PLACES
        if COLUMN[place] == column
        and (draft or not VIOLET & BIT[place] or seen.violet & BIT[place])
    ]
    return sorted(kinds, key=lambda place: (COST[place], place))


def _heading(seen: TableView) -> str:
    if seen.phase == DRAFT_PHASE:
        chosen = seen.violet.bit_count()
        note = say("{count} of {all} chosen for the game", count=chosen, all=VIOLET_KINDS)
    elif seen.phase == BUILDER_PHASE:
        note = say("What {player} pays now", player=seen.players[seen.to_move[0]].name)
    else:
        note = say("Cost, VP, copies left")
    return heading(TOP - 12, say("Buildings")) + label(
        WIDTH - MARGIN, TOP - 12, note, "soft end", 13, width=300
    )


def _column_head(seen: TableView, number: int, x: float, y: float) -> str:
    """How many quarries count, by the column or by the VP (PR-BUILDER-2, PR-GUIDE-3)."""
    words = say("Up to {number} quarries", number=number)
    if seen.config.guide:
        words = say("Column {number}: quarries up to the VP", number=number)
    elif number == 1:
        words = say("Up to 1 quarry")
    return label(x, y + 17, words, "soft", 12.5, width=_COLUMN_WIDTH) + (
        f'<path class="line" d="M{x:g} {y + 22:g}h{_COLUMN_WIDTH:g}"/>'
    )


_PLATE = _COLUMN_WIDTH - 72
"""How wide the name of a building can be."""


def _kind(seen: TableView, place: int, x: float, y: float) -> str:
    """A kind of building with its VP."""
    _, ground = colors(place)
    name = PLACES[place].replace("-", " ")
    drawn = (
        f'<rect x="{x + 25:g}" y="{y + 2:g}" width="{_PLATE:g}" height="22" rx="4" '
        f'fill="{ground}" stroke="#2d180a" stroke-opacity=".4"/>'
        + label(x + 31, y + 17.5, name, writing(place), 13.5, width=_PLATE - 10, smallest=10)
        + chip(BUILDING_VP[place], x + _PLATE + 36, y + 13, 0.8)
    )
    return _faded(seen, place, drawn)


def _cost(seen: TableView, place: int, x: float, y: float) -> str:
    """What it costs; who is to build sees what is to be paid, and whether it can be."""
    if seen.phase != BUILDER_PHASE or not seen.copies[place]:
        return _faded(seen, place, coin(COST[place], x + 11, y + 13, 0.9))
    cost, can = _offer(seen, place)
    around = (
        f'<rect class="can" x="{x + 24:g}" y="{y + 1:g}" width="{_PLATE + 2:g}" height="24" '
        'rx="5"/>'
    )
    return coin(cost, x + 11, y + 13, 0.9) + (around if can else "")


def _faded(seen: TableView, place: int, drawn: str) -> str:
    return f'<g class="gone">{drawn}</g>' if _is_gone(seen, place) else drawn


def _left(seen: TableView, place: int, x: float, y: float) -> str:
    """The copies left; in the draft, whether the kind is chosen."""
    right = x + _COLUMN_WIDTH
    if seen.phase == DRAFT_PHASE and VIOLET & BIT[place]:
        if seen.violet & BIT[place]:
            return f'<path class="can" d="M{right - 18:g} {y + 13:g}l5 5l9-12"/>'
        return ""
    copies = say("×{copies}", copies=seen.copies[place])
    return _faded(seen, place, label(right, y + 18, copies, "b end", 14))


def _is_gone(seen: TableView, place: int) -> bool:
    """Return whether no player can have a building of this kind any more."""
    if seen.phase == DRAFT_PHASE and VIOLET & BIT[place]:
        return not (seen.violet | kinds_allowed(seen.violet)) & BIT[place]
    return not seen.copies[place]


def _offer(seen: TableView, place: int) -> tuple[int, bool]:
    """Return what the player to move pays now, and whether it is possible."""
    mover = seen.to_move[0]
    player = seen.players[mover]
    cost = seen.shown["prices"][PLACES[place]]
    owned = bool(player.city & BIT[place])
    room = SPACES[place] <= player.city_spaces
    return cost, cost <= player.doubloons and not owned and room
