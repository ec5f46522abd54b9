"""What buildings, tiles, goods and roles are and do: for ``porto rules hospice``, the card, menus.

The numbers are those of the engine. What a building does is said once, in ``rulings.toml``: in a
line under ``effects``, and in full in its rulings; what a role does is a line of the card there.
"""

from __future__ import annotations

from functools import cache

from porto_cli.core.message import enumerated
from porto_cli.core.rulings import CardSection
from porto_cli.game import Thing
from porto_cli.games.puerto_rico.engine.components import (
    BARRELS,
    BUILDING,
    BUILDING_PLACES,
    BUILDINGS,
    CORN,
    GOODS,
    PLACES,
    PLANTATIONS,
    PRICES,
    PRODUCERS,
    QUARRIES,
    QUARRY,
    ROLES,
)
from porto_cli.games.puerto_rico.engine.state import BOXES, Config
from porto_cli.games.puerto_rico.phrases import doubloons, rules_of_building
from porto_cli.installed import rulings_of

_FOR_TWO = Config(("", ""))
_RULES_OF_GOODS = ("PR-CRAFTSMAN-1", "PR-TRADER-1", "PR-CAPTAIN-1")


@cache
def effects() -> dict[str, str]:
    """Return what each building does while it is occupied, in one line."""
    return rulings_of("puerto-rico").effects()


def things() -> dict[str, Thing]:
    """Return all that can be looked up, by its name, in the order of the rules."""
    return {
        **{ROLES[role]: _role(ROLES[role]) for role in BOXES[4].roles},
        **{name: _good(good) for good, name in enumerate(GOODS)},
        PLACES[QUARRY]: _quarry(),
        **{PLACES[place]: _building(place) for place in BUILDING_PLACES},
    }


def in_brief() -> list[CardSection]:
    """Return all buildings for the card, a line each: those of the base game, and the others."""
    longest = max(len(kind.name) for kind in BUILDINGS)
    does = "price, VP, and what each does with a colonist"
    found = []
    for title, is_more in (("What the buildings do", False), ("Buildings of the expansion", True)):
        lines = (
            (f"{kind.name:{longest}}  {kind.cost:>2}  {kind.vp}", effects()[kind.name])
            for kind in BUILDINGS
            if kind.expansion == is_more
        )
        found.append(CardSection(f"{title}: {does}", tuple(lines)))
    return found


def _role(name: str) -> Thing:
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
        f"A good; its price is {doubloons(PRICES[good])}. Barrels: {BARRELS[good]}, with two "
        f"players {_FOR_TWO.barrels[good]}. Plantations: {PLANTATIONS[good]}, with two players "
        f"{_FOR_TWO.plantations[good]}."
    )
    return Thing((facts, needs), _RULES_OF_GOODS)


def _quarry() -> Thing:
    facts = (
        f"A tile. Copies: {QUARRIES}, with two players {_FOR_TWO.quarries}. For each with a "
        "colonist a building costs its owner 1 doubloon less, at most as many as the number of its "
        "column."
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
