"""What several views share: names and colors, and what can be looked up."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import chain

from porto_cli.core import enumerated, plural, with_article
from porto_cli.games.puerto_rico.engine import (
    BARRELS,
    BIT,
    BUILDING,
    BUILDING_PLACES,
    BUILDINGS,
    CORN,
    FOREST,
    GOODS,
    PLACES,
    PLANTATIONS,
    PRODUCERS,
    QUARRIES,
    QUARRY,
    ROLES,
    SALE_PRICES,
    SAN_JUAN,
    TILES,
    VIOLET,
    buildings_in,
    bundle_text,
)
from porto_cli.games.puerto_rico.engine.moves import (
    BY_SMALL_WHARF,
    BY_WHARF,
    Built,
    ColonistsDealt,
    Event,
    Produced,
    TookGoods,
    TookTile,
    gains_of,
)
from porto_cli.games.puerto_rico.engine.state import (
    BOXES,
    CITY_END,
    COLONISTS_END,
    DRAFT_PHASE,
    VP_END,
    Config,
    Player,
    State,
)
from porto_cli.seam import CardSection, Thing

# -- What several views share: phrases for numbers of things, lists and gains; colors of things

Gain = tuple[str, int]
"""What VP or doubloons are for, and how many: ``("shipping", 3)``."""


def doubloons(number: int) -> str:
    """Return a number of doubloons."""
    return plural(number, "doubloon")


def charge(price: int) -> str:
    """Return what has to be paid: a number of doubloons, or ``free``."""
    return doubloons(price) if price else "free"


def colonists(number: int) -> str:
    """Return a number of colonists."""
    return plural(number, "colonist")


def counted(counts: bytes, names: Sequence[str]) -> list[str]:
    """Return numbers with their names, like ``2 corn``, in the order of the rules; none for 0."""
    return [f"{number} {name}" for name, number in zip(names, counts, strict=False) if number]


def goods(counts: bytes) -> str:
    """Return barrels as a list, or that there are none."""
    return enumerated(counted(counts, GOODS) or ["no barrels"])


def tiles(counts: bytes) -> str:
    """Return tiles as a list, or that there are none."""
    return enumerated(counted(counts, TILES) or ["no tiles"])


def a_tile(tile: int) -> str:
    """Return a tile: ``a quarry``, ``an indigo plantation``."""
    return with_article(TILES[tile] if tile == QUARRY else f"{TILES[tile]} plantation")


def source(place: int) -> str:
    """Return where a colonist comes from: ``from the sugar-mill``, ``from San Juan``."""
    if place == SAN_JUAN:
        return "from San Juan"
    return f"from {a_tile(place) if place < len(TILES) else f'the {PLACES[place]}'}"


def places(counts: bytes) -> str:
    """Return colonists on places as a list, like ``corn 2, quarry``."""
    return bundle_text(counts, PLACES, ", ") if any(counts) else ""


def onto(ship: int) -> str:
    """Return where barrels are loaded: by a wharf, or onto a ship of so many spaces."""
    wharves = {BY_WHARF: "by the wharf", BY_SMALL_WHARF: "by the small wharf"}
    return wharves.get(ship, f"onto {the_ship(ship)}")


def the_ship(spaces: int) -> str:
    """Return a cargo ship as people call it."""
    return f"the {spaces}-space ship"


def reasons(gains: Iterable[Gain]) -> str:
    """Return what VP or doubloons are for, like ``shipping 2, captain 1``."""
    return ", ".join(f"{reason} {number}" for reason, number in gains)


def brought(earns: Sequence[Gain]) -> str:
    """Return what a move brings in doubloons, with the reasons; nothing for nothing.

    What a building costs is left out: its price is given wherever a building is named.
    """
    money = [gain for gain in earns if gain[0] not in (*PRICE, ON_CARD)]
    # A single reason needs no number.
    why = money[0][0] if len(money) == 1 else reasons(money)
    found = [f"+{doubloons(lying)}"] if (lying := on_card(earns)) else []
    return ", ".join([*found, *[f"{doubloons(total(money))} ({why})"][: len(money)]])


ON_CARD = "role"
"""The reason of doubloons that lay on the role card."""


def on_card(earns: Iterable[Gain]) -> int:
    """Return the doubloons that lay on the role card that was taken."""
    return total(gain for gain in earns if gain[0] == ON_CARD)


def the_doubloons(number: int) -> str:
    """Return all doubloons that lie somewhere: ``the 3 doubloons``, or ``the doubloon``."""
    return "the doubloon" if number == 1 else f"the {doubloons(number)}"


PRICE = frozenset({"build", "black-market"})
"""Reasons of what is paid for a building, and of how it is paid."""


def total(gains: Iterable[Gain]) -> int:
    """Return the sum of VP or doubloons."""
    return sum(number for _, number in gains)


def up_to(number: int) -> str:
    """Return how much less a building costs by so many quarries."""
    return f"{'up to ' * (number > 1)}{doubloons(number)}"


def plain(names: str) -> str:
    """Return names of buildings as they are called in a sentence, where they have no hyphens."""
    return names.replace("-", " ")


_NO_REASON = ("shipping", "sale", "trader", "prospector")
"""What VP and doubloons are for that need no reason, if they are for nothing else."""


def summed(gains: Iterable[Gain], amount: Callable[[int], str] = "{} VP".format) -> str:
    """Return the sum of gains, with what it is for; nothing for no gains."""
    sums: dict[str, int] = {}
    for reason, number in gains:
        sums[plain(reason)] = sums.get(plain(reason), 0) + number
    why = reasons(sums.items()) if len(sums) > 1 else "".join(sums)
    text = amount(sum(sums.values())) if sums else ""
    return text if why in ("", *_NO_REASON) else f"{text} ({why})"


def idle(player: Player) -> list[Gain]:
    """Return where colonists have nothing to do yet, with what is lacking there, and how many."""
    found = [("in San Juan", player.san_juan)]
    for good, plants in enumerate(PRODUCERS):
        on, inside = player.colonists[good], sum(player.colonists[plant] for plant in plants)
        circles = sum(player.circles[plant] for plant in plants)
        if on > inside:
            full = "its building is full" if circles else "no building"
            lacks = "its building lacks a colonist" if circles > inside else full
            lacks = f"on {GOODS[good]} ({lacks})"
        else:
            empty = player.empty_circles(good)
            lacks = "a plantation lacks a colonist" if empty else "no plantation for it"
            lacks = f"in {GOODS[good]} buildings ({lacks})"
        found.append((lacks, abs(on - inside) if plants else 0))
    return [one for one in found if one[1]]


def gained(events: Iterable[Event], seat: int, *, told: bool = False) -> list[str]:
    """Return what a seat gets, but the doubloons on the role card: colonists, barrels, VP, and
    unless they are ``told`` otherwise tiles and buildings.
    """
    own = [event for event in events if event.seat == seat]
    scores, earns = gains_of(own)
    found = (got(event) for event in own if not (told and isinstance(event, Built | TookTile)))
    apart = (*PRICE, ON_CARD)
    vp, money = ([gain for gain in gains if gain[0] not in apart] for gains in (scores, earns))
    return [*filter(None, [summed(vp), *chain(*found), summed(money, doubloons)])]


def got(event: Event) -> list[str]:
    """Return what a player gets other than VP and doubloons; nothing for what is unknown."""
    match event:
        case Built(building=building):
            return [with_article(plain(PLACES[building]))]
        case TookTile(tile=tile, source=source, forest=forest) if source != "stack":
            return ["a forest" if forest else a_tile(tile)]
        case ColonistsDealt(colonists=dealt, privilege=more) if dealt + more:
            return [colonists(dealt + more)]
        case Produced(goods=goods):
            return counted(goods, GOODS)
        case TookGoods(goods=goods):
            return counted(goods, [f"extra {name}" for name in GOODS])
    return []


ENDED = {
    COLONISTS_END: "too few colonists for the ship",
    CITY_END: "a full city",
    VP_END: "the last VP of the pool",
}
"""What has ended a game."""


def end_triggered(reason: str) -> str:
    """Return why a round is the last one (PR-END-1 to PR-END-4)."""
    return f"{begun(ENDED[reason])} made this round the last."


def begun(text: str) -> str:
    """Return a text as the beginning of a sentence."""
    return f"{text[0].upper()}{text[1:]}"


_RULES_OF = {
    "small-market": ("PR-B-MARKET",),
    "large-market": ("PR-B-MARKET",),
    "construction-hut": ("PR-B-HUT",),
    "small-warehouse": ("PR-B-WAREHOUSE",),
    "large-warehouse": ("PR-B-WAREHOUSE",),
    "cloister": ("PR-B-CLOISTER", "PR-SCORE-3"),
    **dict.fromkeys(
        ("guild-hall", "residence", "fortress", "customs-house", "city-hall"),
        ("PR-B-LARGE", "PR-SCORE-3"),
    ),
}


def rules_of_building(place: int) -> tuple[str, ...]:
    """Return the ids of the rulings about what a building does."""
    if not VIOLET & BIT[place]:
        return ("PR-CRAFTSMAN-1",)
    return _RULES_OF.get(PLACES[place], (f"PR-B-{PLACES[place].upper()}",))


_GOODS = (
    "#33280a on #f2c230",
    "#ffffff on #2a3f9e",
    "#33280a on #f3efe0",
    "#20150a on #c0935a",
    "#ffffff on #5b3a29",
)
_VIOLET = "#20150a on #b878d0"
STYLES = {
    **dict(zip(GOODS, _GOODS, strict=True)),
    "quarry": "#101418 on #9aa1ab",
    **dict.fromkeys(("forest", *TILES[FOREST:]), "#ffffff on #2f6b3a"),
    **{PLACES[place]: _VIOLET for place in buildings_in(VIOLET)},
    **{PLACES[place]: _GOODS[good] for good, some in enumerate(PRODUCERS) for place in some},
}
"""The styles of tiles and buildings; production buildings look like their good."""


# -- What can be looked up
#
# What buildings, tiles, goods and roles are and do: for ``porto rules hospice``, the card, menus.
#
# The numbers are those of the engine. What a building does is said once, in ``rulings.toml``: in a
# line under ``effects``, and in full in its rulings; what a role does is a line of the card there.

_FOR_TWO = Config(("", ""))
_RULES_OF_GOODS = ("PR-CRAFTSMAN-1", "PR-TRADER-1", "PR-CAPTAIN-1")


@cache
def effects() -> dict[str, str]:
    """Return what each building does while it is occupied, in one line."""
    # Most commands need no rulings.
    from porto_cli.installed import rulings_of

    return rulings_of("puerto-rico").effects()


def things() -> dict[str, Thing]:
    """Return all that can be looked up, by its name, in the order of the rules."""
    return {
        **{ROLES[role]: _role(ROLES[role]) for role in BOXES[4].roles},
        **{name: _good(good) for good, name in enumerate(GOODS)},
        PLACES[QUARRY]: _quarry(),
        **{PLACES[place]: _building(place) for place in BUILDING_PLACES},
    }


def in_brief(state: State | None = None) -> list[CardSection]:
    """Return all buildings for the card, or those that can be in a game, a line each: those of the
    base game, and the others.
    """
    drawn = VIOLET if state is None or state.phase == DRAFT_PHASE else state.violet
    longest = max(len(kind.name) for kind in BUILDINGS)
    heads = (f"{'cost':>{longest + 3}} VP ○", "with a colonist; those for 10 take 2 spaces")
    found = []
    for title, is_more in (("What the buildings do", False), ("Buildings of the expansion", True)):
        lines = tuple(
            (
                f"{kind.name:{longest}} {kind.cost:>2} {kind.vp:>2} {kind.circles}",
                effects()[kind.name],
            )
            for place, kind in zip(BUILDING_PLACES, BUILDINGS, strict=True)
            if kind.expansion == is_more and not VIOLET & BIT[place] & ~drawn
        )
        found += [CardSection(title, (heads, *lines))] if lines else []
    return found


def _role(name: str) -> Thing:
    from porto_cli.installed import rulings_of

    rulings = rulings_of("puerto-rico")
    families = ("PR-CAPTAIN-", "PR-STORE-") if name == "captain" else (f"PR-{name.upper()}-",)
    rules = tuple(one.id for one in rulings.all() if one.id.startswith(families))
    lines = dict(line for section in rulings.card() for line in section.lines)
    card = "A role card, in every game."
    if name == "prospector":
        card = "A role card: none with three players, two with five, else one."
    return Thing((card, lines[name]), rules)


def _good(good: int) -> Thing:
    needs = "A barrel of it takes a colonist on a plantation."
    if good != CORN:
        buildings = enumerated([PLACES[place] for place in PRODUCERS[good]], "or")
        needs = (
            f"A barrel of it takes a colonist on a plantation and one in a building: {buildings}."
        )
    facts = (
        f"A good; its price is {doubloons(SALE_PRICES[good])}. Barrels: {BARRELS[good]}, with two "
        f"players {_FOR_TWO.barrels[good]}. Plantations: {PLANTATIONS[good]}, with two players "
        f"{_FOR_TWO.plantations[good]}."
    )
    return Thing((facts, needs), _RULES_OF_GOODS)


def _quarry() -> Thing:
    facts = (
        f"A tile. Copies: {QUARRIES}, with two players {_FOR_TWO.quarries}. For each with a "
        "colonist a building costs its owner 1 doubloon less: at most 1 in the first column of the "
        "board, up to 4 in the fourth."
    )
    return Thing((facts,), ("PR-SETTLER-3", "PR-BUILDER-2"))


def _building(place: int) -> Thing:
    kind = BUILDING[place]
    facts = (
        f"It costs {doubloons(kind.cost)} and is worth {kind.vp} VP. Column: {kind.column}. Places "
        f"for colonists: {kind.circles}. Copies: {kind.copies}, with two players "
        f"{_FOR_TWO.copies[place]}."
    )
    sort = f"{'large' if kind.spaces > 1 else 'small'} violet" if kind.violet else "production"
    sort = f"A {sort} building{' of the expansion' if kind.expansion else ''}"
    spaces = ": it takes two spaces of the city" if kind.spaces > 1 else ""
    return Thing((f"{sort}{spaces}.", facts, effects()[kind.name]), rules_of_building(place))
