"""The harbor: cargo ships, the colonist ship, and on the quay the trading house and supplies."""

from __future__ import annotations

from porto_cli.core.message import Sentence, say
from porto_cli.games.puerto_rico import phrases
from porto_cli.games.puerto_rico.engine.components import GOODS, HOUSE_SPACES, NO_GOOD
from porto_cli.games.puerto_rico.engine.observation import Observation
from porto_cli.games.puerto_rico.ui.picture.shapes import MARGIN, WIDTH, barrel, chip, dotted, frame
from porto_cli.term.svg import Picture, label, use

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


def harbor(seen: Observation, before: Observation | None = None) -> Picture:
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
        pieces[f"supply-{GOODS[good]}"] = _goods(good, number, QUAY_Y + 16)
    pieces["colonists"] = _colonists(seen.supply, QUAY_Y + 116)
    pieces["vp"] = _vp(seen.vp_pool, QUAY_Y + 116)
    pieces["new"] = dotted(_new(seen, before)) if before else ""
    return Picture(WIDTH, height, pieces)


def _new(seen: Observation, before: Observation) -> str:
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
    """A cargo ship; its sail tells how many spaces it has."""
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
    return "".join(parts) + label(middle, y + 44, words, "b lit mid", 14) + "</g>"


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


def _trading_house(seen: Observation, y: float) -> str:
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
