"""Everything on the table, as a value.

States are values: :func:`~porto_cli.games.puerto_rico.engine.play.apply` returns a new one and
leaves the old one alone. Everything in a state is an ``int``, ``bytes`` or a ``tuple``, except the
players, who are copied, so a new state is a handful of references for each of them.

The stack is a *multiset*, kept sorted by name: a chance, called with the pile, decides which tile
comes up next. So the order of what is face down cannot leak from here.
"""

from __future__ import annotations

from itertools import compress
from operator import gt
from typing import NamedTuple

from porto_cli.core.values import Struct
from porto_cli.games.puerto_rico.engine import (
    BARRELS,
    BASE,
    BASE_KINDS,
    BIT,
    BUILDING_PLACES,
    BUILDINGS,
    CIRCLES,
    CITY_SPACES,
    CORN,
    FIRST_BUILDING,
    FOREST,
    GUEST_HOUSE,
    GUIDE,
    HOUSE_RULES,
    INDIGO,
    ISLAND_SPACES,
    LARGE,
    MOST_PLAYERS,
    NO_COLONISTS,
    NO_GOODS,
    NO_TILES,
    ONE,
    PLANTATIONS,
    QUARRIES,
    QUARRY,
    ROLES,
    SAN_JUAN,
    USUAL,
    plus,
)


class Box(NamedTuple):
    """The setup for a number of players (PR-SETUP-2, PR-TWO-1)."""

    doubloons: int
    colonists: int
    ship: int
    vp: int
    cargo: tuple[int, ...]
    starting_tiles: tuple[int, ...]
    roles: range
    """The role cards; the second prospector is the last."""
    turns: int
    """The number of role cards taken in a round (PR-ROUND-1, PR-TWO-2)."""


BOXES = {
    2: Box(3, 40, 2, 65, (4, 6), (INDIGO, CORN), range(7), 6),
    3: Box(2, 55, 3, 75, (4, 5, 6), (INDIGO, INDIGO, CORN), range(6), 3),
    4: Box(3, 75, 4, 100, (5, 6, 7), (INDIGO, INDIGO, CORN, CORN), range(7), 4),
    5: Box(4, 95, 5, 122, (6, 7, 8), (INDIGO, INDIGO, INDIGO, CORN, CORN), range(8), 5),
}
"""The setup by the number of players."""


class Config:
    """A game: its players, the first governor first and then clockwise, and its options.

    Raises TypeError for an unknown option, and ValueError for an unknown value or unless there are
    two to five players.

    ===============  ===========================================================
    ``players``      the names
    ``seats``        how many there are
    ``options``      the value of each of the ``HOUSE_RULES``, by its name
    ``buildings``    ``base``, ``draft`` or ``random``
    ``rulebook``     ``printed`` or ``guide`` (PR-GUIDE-1 to PR-GUIDE-3)
    ``box``          the setup for this number of players
    ``row``          face-up plantations
    ``barrels``      of each good
    ``plantations``  of each kind, the total
    ``quarries``     the total
    ``copies``       of each building, if it is in the game
    ===============  ===========================================================
    """

    def __init__(self, players: tuple[str, ...], **options: str) -> None:
        if len(players) not in BOXES:
            raise ValueError(f"Puerto Rico has 2 to {MOST_PLAYERS} players, not {len(players)}.")
        self.options = USUAL | options
        if len(self.options) > len(USUAL):
            raise TypeError(f"The options of a game are {', '.join(USUAL)}.")
        for rule in HOUSE_RULES:
            value, choices = self.options[rule.name], tuple(rule.choices)
            if value not in choices:
                raise ValueError(f"{value!r} is not one of {choices}.")
        self.players = players
        self.seats = len(players)
        self.buildings = self.options["buildings"]
        self.rulebook = self.options["rulebook"]
        self.guide = self.rulebook == GUIDE
        self.box = BOXES[self.seats]
        self.row = self.seats + 1
        two = self.seats == 2
        self.barrels = bytes(barrels - 2 * two for barrels in BARRELS)
        self.plantations = bytes(tiles - 3 * two for tiles in PLANTATIONS)
        self.quarries = QUARRIES - 3 * two
        self.copies = NO_TILES + bytes(
            (1 if kind.violet else 2) if two else kind.copies for kind in BUILDINGS
        )

    @property
    def kinds(self) -> int:
        """The violet kinds that the option alone puts into the game."""
        return BASE_KINDS if self.buildings == BASE else 0


PHASES = (
    DRAFT_PHASE := "draft",
    ROLE_PHASE := "role",
    SETTLER_PHASE := "settler",
    LIBRARY_PHASE := "library",
    MAYOR_PHASE := "mayor",
    BUILDER_PHASE := "builder",
    CRAFTSMAN_PHASE := "craftsman",
    PRIVILEGE_PHASE := "privilege",
    TRADER_PHASE := "trader",
    CAPTAIN_PHASE := "captain",
    STORE_PHASE := "store",
    OVER := "over",
)
"""What the game is waiting for (JSON, positions and scenarios use the same words)."""

NOBODY = -1
NO_ROLE = -1

END_REASONS = (COLONISTS_END := "colonists", CITY_END := "city", VP_END := "vp")
"""What triggers the end (PR-END-1 to PR-END-3)."""


class Player(Struct):
    """What one player has. Treat it as read-only.

    =============  ==========================================================================
    ``doubloons``  number
    ``vp``         VP chips; other players do not see them (PR-SECRET-1)
    ``goods``      barrels of each good
    ``island``     tiles of each kind, the first eleven places
    ``city``       set of buildings
    ``colonists``  colonists on each place
    ``circles``    circles on each place; follows from island and city (:meth:`survey`)
    ``san_juan``   colonists in San Juan
    =============  ==========================================================================
    """

    doubloons: int = 0
    vp: int = 0
    goods: bytes = NO_GOODS
    island: bytes = NO_TILES
    city: int = 0
    colonists: bytes = NO_COLONISTS
    circles: bytes = NO_COLONISTS
    san_juan: int = 0

    def survey(self) -> None:
        """Work out the circles from island and city."""
        circles = bytearray(NO_COLONISTS)
        circles[: QUARRY + 1] = self.island[: QUARRY + 1]
        for place in BUILDING_PLACES:
            if self.city & BIT[place]:
                circles[place] = CIRCLES[place]
        self.circles = bytes(circles)

    def add_tile(self, tile: int) -> None:
        """Put a tile on the island."""
        self.island = plus(self.island, tile, 1)
        if tile < FOREST:
            self.circles = plus(self.circles, tile, 1)

    def add_building(self, place: int) -> None:
        """Put a building in the city."""
        self.city |= BIT[place]
        self.circles = self.circles[:place] + ONE[CIRCLES[place]] + self.circles[place + 1 :]

    def take_colonist(self, place: int) -> None:
        """Take a colonist away from a place or from San Juan."""
        if place == SAN_JUAN:
            self.san_juan -= 1
        else:
            self.colonists = plus(self.colonists, place, -1)

    @property
    def people(self) -> int:
        """All colonists, including guests and those in San Juan."""
        return self.san_juan + sum(self.colonists)

    @property
    def island_spaces(self) -> int:
        """Free spaces of the island (PR-SETTLER-2)."""
        return ISLAND_SPACES - sum(self.island)

    @property
    def city_spaces(self) -> int:
        """Free spaces of the city (PR-BUILDER-5)."""
        return CITY_SPACES - self.city.bit_count() - (self.city & LARGE).bit_count()

    @property
    def forests(self) -> int:
        """Forests on the island."""
        return sum(self.island[FOREST:])

    def empty_circles(self, place: int) -> int:
        """Return how many circles of a place are empty."""
        return self.circles[place] - self.colonists[place]

    def places_for_guests(self) -> list[int]:
        """Return the places with an empty circle, except the Guest House (PR-B-GUEST-HOUSE)."""
        empty = map(gt, self.circles, self.colonists)
        return [place for place in compress(_EVERY_PLACE, empty) if place != GUEST_HOUSE]

    def empty_building_circles(self) -> int:
        """Return how many circles in the city are empty (PR-MAYOR-6)."""
        return sum(self.circles[FIRST_BUILDING:]) - sum(self.colonists[FIRST_BUILDING:])

    def __repr__(self) -> str:
        return f"Player({self.contents()})"


class State(Struct):
    """The table between two decisions. Treat it as read-only.

    ====================  ===================================================================
    ``config``            what never changes
    ``phase``             one of ``PHASES``
    ``seat``              the seat to move
    ``round``             counted from 1
    ``chooser``           the seat that chose the current role, or ``NOBODY``
    ``role``              the current role, or ``NO_ROLE``
    ``taken``             the seat that took each role card this round, or ``NOBODY``
    ``role_doubloons``    doubloons on each role card
    ``violet``            set of violet kinds in the game; in the draft, those chosen so far
    ``copies``            copies left of each building
    ``on_offer``          set of buildings with a copy left; follows from copies (:meth:`survey`)
    ``players``           a :class:`Player` for each seat
    ``row``               face-up plantations of each kind
    ``stack``             the face-down ones, sorted by name
    ``discards``          the discarded ones of each kind
    ``tiles_drawn``       how many tiles have come up, the index of the next one
    ``quarries``          quarries left
    ``supply``            colonists in the supply
    ``ship``              colonists on the colonist ship
    ``goods_supply``      barrels of each good in the supply
    ``cargo_goods``       the good on each cargo ship, ``NO_GOOD`` if empty
    ``cargo_barrels``     barrels on each cargo ship
    ``trading_house``     the barrels in it, sorted
    ``end_triggered``     why the game ends with this round, in the order of events
    ``face_down``         settler: the player has used the Hacienda this turn
    ``produced``          craftsman, privilege: barrels that the chooser has produced
    ``passes``            captain: turns in a row without a load
    ``loaded``            captain: set of seats that have loaded
    ``wharf_used``        captain: set of seats that have used a Wharf
    ``small_wharf_used``  captain: set of seats that have used a Small Wharf
    ``turn``              how many decisions have been made; not compared
    ====================  ===================================================================

    A set of seats is an ``int`` with bit ``1 << seat`` for each of them. Which players have acted
    in a phase follows from ``chooser`` and ``seat``.
    """

    not_compared = ("config", "turn")

    config: Config
    phase: str
    seat: int = 0
    round: int = 1
    chooser: int = NOBODY
    role: int = NO_ROLE
    taken: tuple[int, ...] = (NOBODY,) * len(ROLES)
    role_doubloons: tuple[int, ...] = (0,) * len(ROLES)
    violet: int
    copies: bytes
    on_offer: int
    players: list[Player]
    row: bytes
    stack: bytes
    discards: bytes = NO_GOODS
    tiles_drawn: int
    quarries: int
    supply: int
    ship: int
    goods_supply: bytes
    cargo_goods: bytes
    cargo_barrels: bytes
    trading_house: bytes = b""
    end_triggered: tuple[str, ...] = ()
    face_down: bool = False
    produced: bytes = NO_GOODS
    passes: int = 0
    loaded: int = 0
    wharf_used: int = 0
    small_wharf_used: int = 0
    turn: int = 0

    def copy(self) -> State:
        """Return a copy, in which the players are copies, too."""
        new = super().copy()
        new.players = [player.copy() for player in self.players]
        return new

    def survey(self) -> None:
        """Work out what follows from the rest: the circles, and the buildings on offer."""
        self.on_offer = sum(BIT[place] for place in BUILDING_PLACES if self.copies[place])
        for player in self.players:
            player.survey()

    @property
    def governor(self) -> int:
        """The seat of the governor (PR-ROUND-3)."""
        return (self.round - 1) % self.config.seats

    def clockwise(self, first: int) -> list[int]:
        """Return all seats clockwise, beginning with ``first``."""
        return [*range(first, self.config.seats), *range(first)]

    @property
    def roles_taken(self) -> int:
        """Role cards taken in this round."""
        return len(self.taken) - self.taken.count(NOBODY)

    def is_left(self, role: int) -> bool:
        """Return whether a role can still be taken in this round."""
        return self.roles_taken < self.config.box.turns and self.taken[role] == NOBODY

    def comes(self, role: int) -> bool:
        """Return whether a role is played, or can still be taken before the game ends."""
        return self.is_left(role) or self.role == role or not self.end_triggered

    @property
    def vp_left(self) -> int:
        """VP left in the pool; negative if more were taken than there are (PR-VP-1)."""
        return self.config.box.vp - sum([player.vp for player in self.players])

    @property
    def vp_pool(self) -> int:
        """VP left in the pool (PR-VP-1)."""
        return max(0, self.vp_left)


_EVERY_PLACE = range(len(NO_COLONISTS))


def to_move(state: State) -> tuple[int, ...]:
    """Return the seats that have a decision to make; none when the game is over (PR-TURN-1)."""
    return () if state.phase == OVER else (state.seat,)
