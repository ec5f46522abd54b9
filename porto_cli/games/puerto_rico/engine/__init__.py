"""The rules of Puerto Rico as pure functions, which need nothing but the standard library and
``porto_cli.core``. This module has the components and their names, and the house rules. Begin with
``play``: it has ``legal_moves``, the refusals and ``apply``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

# -- The components in the box: goods, tiles, buildings and roles
#
# Inside the engine everything is a small integer; outside it has a name:
#
# * a *good* is 0-4 (``GOODS``), the cheapest first; ``NO_GOOD`` stands for none;
# * a *place* is 0-47 (``PLACES``): anything on a player's board. 0-4 are the plantations (each has
#   the number of its good), 5 the quarry, 6-10 the forests (each over one plantation), 11-47 the
#   buildings. ``SAN_JUAN`` and ``NO_PLACE`` are not places, but can appear instead of one;
# * a *role* is 0-7 (``ROLES``).
#
# The integers follow the order of the tables in the rules, which is the order of a bundle. A
# multiset is ``bytes`` with a number for each good, tile or place; a set of buildings is an ``int``
# with a bit for each place (``BIT``).

GOODS = ("corn", "indigo", "sugar", "tobacco", "coffee")
CORN, INDIGO, SUGAR, TOBACCO, COFFEE = range(5)
NO_GOOD = 5
SALE_PRICES = (0, 1, 2, 3, 4)
BARRELS = (10, 11, 11, 9, 9)
PLANTATIONS = (10, 12, 11, 9, 8)

QUARRY = 5
QUARRIES = 8
FOREST = 6
"""The first forest; the one over a plantation ``p`` is ``FOREST + p``."""
TILES = (*GOODS, "quarry", *(f"forest-{good}" for good in GOODS))

ISLAND_SPACES = 12
CITY_SPACES = 12
HOUSE_SPACES = 4
MOST_PLAYERS = 5
VIOLET_KINDS = 17
"""The number of violet kinds in a game, with every option (PR-SETUP-7)."""


class Building(NamedTuple):
    """A kind of building. ``column`` is the column of the board it is printed in."""

    name: str
    cost: int
    vp: int
    column: int
    circles: int
    spaces: int
    copies: int
    violet: bool
    expansion: bool


FIRST_BUILDING = len(TILES)
_kinds: list[Building] = []


def _declared(kind: Building) -> int:
    """Declare the next kind of building; return its place."""
    _kinds.append(kind)
    return FIRST_BUILDING + len(_kinds) - 1


def _production(name: str, cost: int, vp: int, circles: int, copies: int) -> int:
    facts = name, cost, vp, vp, circles, 1, copies
    return _declared(Building(*facts, violet=False, expansion=False))


def _small(name: str, cost: int, vp: int, *, circles: int = 1, expansion: bool = False) -> int:
    facts = name, cost, vp, vp, circles, 1, 2
    return _declared(Building(*facts, violet=True, expansion=expansion))


def _large(name: str, *, vp: int = 4, circles: int = 1, expansion: bool = False) -> int:
    facts = name, 10, vp, 4, circles, 2, 1
    return _declared(Building(*facts, violet=True, expansion=expansion))


SMALL_INDIGO_PLANT = _production("small-indigo-plant", 1, 1, circles=1, copies=4)
SMALL_SUGAR_MILL = _production("small-sugar-mill", 2, 1, circles=1, copies=4)
INDIGO_PLANT = _production("indigo-plant", 3, 2, circles=3, copies=3)
SUGAR_MILL = _production("sugar-mill", 4, 2, circles=3, copies=3)
TOBACCO_STORAGE = _production("tobacco-storage", 5, 3, circles=3, copies=3)
COFFEE_ROASTER = _production("coffee-roaster", 6, 3, circles=2, copies=3)
SMALL_MARKET = _small("small-market", 1, 1)
AQUEDUCT = _small("aqueduct", 1, 1, expansion=True)
HACIENDA = _small("hacienda", 2, 1)
CONSTRUCTION_HUT = _small("construction-hut", 2, 1)
FOREST_HOUSE = _small("forest-house", 2, 1, expansion=True)
BLACK_MARKET = _small("black-market", 2, 1, expansion=True)
SMALL_WAREHOUSE = _small("small-warehouse", 3, 1)
STOREHOUSE = _small("storehouse", 3, 1, expansion=True)
HOSPICE = _small("hospice", 4, 2)
GUEST_HOUSE = _small("guest-house", 4, 2, circles=2, expansion=True)
OFFICE = _small("office", 5, 2)
LARGE_MARKET = _small("large-market", 5, 2)
TRADING_POST = _small("trading-post", 5, 2, expansion=True)
CHURCH = _small("church", 5, 2, expansion=True)
LARGE_WAREHOUSE = _small("large-warehouse", 6, 2)
SMALL_WHARF = _small("small-wharf", 6, 2, expansion=True)
FACTORY = _small("factory", 7, 3)
LIGHTHOUSE = _small("lighthouse", 7, 3, expansion=True)
UNIVERSITY = _small("university", 8, 3)
HARBOR = _small("harbor", 8, 3)
SPECIALTY_FACTORY = _small("specialty-factory", 8, 3, expansion=True)
LIBRARY = _small("library", 8, 3, expansion=True)
WHARF = _small("wharf", 9, 3)
UNION_HALL = _small("union-hall", 9, 3, expansion=True)
GUILD_HALL = _large("guild-hall")
RESIDENCE = _large("residence")
FORTRESS = _large("fortress")
CUSTOMS_HOUSE = _large("customs-house")
CITY_HALL = _large("city-hall")
STATUE = _large("statue", vp=8, circles=0, expansion=True)
CLOISTER = _large("cloister", expansion=True)

BUILDINGS = tuple(_kinds)
"""All kinds of buildings, in the order of the rules."""

PLACES = (*TILES, *(building.name for building in BUILDINGS))
BUILDING_PLACES = range(FIRST_BUILDING, len(PLACES))
SAN_JUAN = len(PLACES)
NO_PLACE = len(PLACES) + 1

_NO_BUILDING = Building("", 0, 0, 0, 0, 0, 0, violet=False, expansion=False)
BUILDING = (*(_NO_BUILDING for _ in TILES), *BUILDINGS)
"""The building of each place."""
COST = tuple(building.cost for building in BUILDING)
COLUMN = tuple(building.column for building in BUILDING)
BUILDING_VP = tuple(building.vp for building in BUILDING)
SPACES = tuple(building.spaces for building in BUILDING)
CIRCLES = bytes([1] * (QUARRY + 1) + [0] * len(GOODS)) + bytes(kind.circles for kind in BUILDINGS)
"""Circles of one tile or building of each place."""

BIT = tuple(1 << place for place in range(len(PLACES)))


def set_of(places: range | tuple[int, ...] | list[int]) -> int:
    """Return the set of these buildings."""
    return sum(BIT[place] for place in places)


@lru_cache(maxsize=4096)
def buildings_in(buildings: int) -> tuple[int, ...]:
    """Return the buildings of a set, in the order of the rules."""
    return tuple(place for place in range(buildings.bit_length()) if buildings >> place & 1)


VIOLET = set_of([place for place in BUILDING_PLACES if BUILDING[place].violet])
BASE_KINDS = set_of(
    [place for place in BUILDING_PLACES if BUILDING[place].violet and not BUILDING[place].expansion]
)
LARGE = set_of([place for place in BUILDING_PLACES if SPACES[place] == 2])

PRODUCERS = (
    (),
    (SMALL_INDIGO_PLANT, INDIGO_PLANT),
    (SMALL_SUGAR_MILL, SUGAR_MILL),
    (TOBACCO_STORAGE,),
    (COFFEE_ROASTER,),
)
"""The production buildings of each good; corn needs none (PR-CRAFTSMAN-1)."""

ROLES = (
    "settler",
    "mayor",
    "builder",
    "craftsman",
    "trader",
    "captain",
    "prospector",
    "prospector-2",
)
SETTLER, MAYOR, BUILDER, CRAFTSMAN, TRADER, CAPTAIN, PROSPECTOR, PROSPECTOR_2 = range(8)

NO_GOODS = bytes(len(GOODS))
NO_TILES = bytes(len(TILES))
NO_COLONISTS = bytes(len(PLACES))

ONE = tuple(bytes([number]) for number in range(256))
"""Each number as a single byte."""


def plus(counts: bytes, index: int, number: int) -> bytes:
    """Return the counts with ``number``, which may be negative, added at ``index``.

    Raises ValueError if the count would not be 0 to 255, and IndexError if there is no ``index``.
    """
    new = bytearray(counts)
    new[index] += number
    return bytes(new)


_PILE_ORDER = tuple(sorted(range(len(GOODS)), key=GOODS.__getitem__))


def pile_of(counts: bytes) -> bytes:
    """Return plantations as a pile for a chance to choose from, sorted by name."""
    return b"".join(ONE[tile] * counts[tile] for tile in _PILE_ORDER)


def counts_of(pile: bytes) -> bytes:
    """Return how many plantations of each kind are in a pile."""
    return bytes(map(pile.count, range(len(GOODS))))


NONE = "none"


def bundle_text(counts: bytes, names: Sequence[str], between: str = " ") -> str:
    """Return a bundle as people write it, like ``corn 2 indigo``; ``none`` if it is empty."""
    present = [(name, number) for name, number in zip(names, counts, strict=False) if number]
    words = (name if number == 1 else f"{name} {number}" for name, number in present)
    return between.join(words) or NONE


# -- The options of a game: everything about a house rule except the rule itself
#
# These rows make the configuration, the keys of records and positions, the options of
# ``porto new``, the questions of ``porto play``, what describes a game, and the JSON schema.

BASE, DRAFT, RANDOM = "base", "draft", "random"
"""Which violet buildings are in the game (PR-SETUP-7)."""
PRINTED, GUIDE = "printed", "guide"
"""Which rules apply where two rulebooks differ (PR-GUIDE-1 to PR-GUIDE-3)."""


class HouseRule(NamedTuple):
    """An option of a game.

    ``name``      a single word, so it is the same as an option, in records and in programs
    ``help``      what it decides
    ``choices``   its values, the default first, each with its label in a menu
    ``question``  the question of a menu
    ``says``      the explanation in that menu
    ``rules``     its rulings
    ``unusual``   describes a game with a value other than the default, which replaces ``{}``
    ``always``    whether records have it even with its default value. Rules added later are left
                  out then, so running games keep their digests
    """

    name: str
    help: str
    choices: Mapping[str, str]
    question: str
    says: str
    rules: tuple[str, ...]
    unusual: str
    always: bool = False

    @property
    def usual(self) -> str:
        """The default value."""
        return next(iter(self.choices))


HOUSE_RULES = (
    HouseRule(
        "buildings",
        "Which violet buildings are in the game: those of the base game, those that the "
        "players draft, or random ones.",
        {
            BASE: "Those of the base game",
            DRAFT: "The players draft them, with those of the expansion",
            RANDOM: "At random, with those of the expansion",
        },
        "Which violet buildings?",
        "Violet buildings give their owners advantages. For a first game take those of the base "
        "game; drafting or drawing them makes each game different.",
        ("PR-SETUP-7", "PR-DRAFT-1", "PR-DRAFT-2", "PR-DRAFT-3", "PR-RANDOM-1"),
        "with {} buildings",
        always=True,
    ),
    HouseRule(
        "rulebook",
        "Whose rules are played where the online guide and the printed rulebook differ.",
        {PRINTED: "The printed rulebook", GUIDE: "The online guide"},
        "Whose rules, where they differ in three details?",
        "The two rulebooks differ in three details. Without a reason, take the printed one.",
        ("PR-GUIDE-1", "PR-GUIDE-2", "PR-GUIDE-3"),
        "by the rules of the {}",
        always=True,
    ),
)
USUAL = {rule.name: rule.usual for rule in HOUSE_RULES}
"""The default options of a game."""
