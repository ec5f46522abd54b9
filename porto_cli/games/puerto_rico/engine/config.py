"""What never changes in a game: who plays, by which options, and what the box holds for them."""

from __future__ import annotations

from typing import NamedTuple

from porto_cli.games.puerto_rico.engine.components import (
    BARRELS,
    BASE_KINDS,
    BUILDING,
    BUILDING_PLACES,
    CORN,
    INDIGO,
    MOST_PLAYERS,
    NO_COLONISTS,
    PLANTATIONS,
    PROSPECTOR,
    PROSPECTOR_2,
    QUARRIES,
    plus,
)

BASE, DRAFT, RANDOM = "base", "draft", "random"
BUILDING_OPTIONS = (BASE, DRAFT, RANDOM)
"""Which violet buildings are in the game (PR-SETUP-7)."""

PRINTED, GUIDE = "printed", "guide"
RULEBOOKS = (PRINTED, GUIDE)


class Box(NamedTuple):
    """The set-up for a number of players (PR-SETUP-2, PR-TWO-1)."""

    doubloons: int
    colonists: int
    ship: int
    vp: int
    cargo: tuple[int, ...]
    starting_tiles: tuple[int, ...]
    roles: tuple[int, ...]
    turns: int
    """Role cards that the players take in a round (PR-ROUND-1, PR-TWO-2)."""


_SIX = tuple(range(PROSPECTOR))
_SEVEN = (*_SIX, PROSPECTOR)
_EIGHT = (*_SEVEN, PROSPECTOR_2)

BOXES = {
    2: Box(3, 40, 2, 65, (4, 6), (INDIGO, CORN), _SEVEN, 6),
    3: Box(2, 55, 3, 75, (4, 5, 6), (INDIGO, INDIGO, CORN), _SIX, 3),
    4: Box(3, 75, 4, 100, (5, 6, 7), (INDIGO, INDIGO, CORN, CORN), _SEVEN, 4),
    5: Box(4, 95, 5, 122, (6, 7, 8), (INDIGO, INDIGO, INDIGO, CORN, CORN), _EIGHT, 5),
}


class Config:
    """A game: its players, the first governor first and then clockwise, and its options.

    Raises ValueError if there are no such options, or not two to five players.

    ===============  ===========================================================
    ``players``      the names
    ``seats``        how many there are
    ``buildings``    ``base``, ``draft`` or ``random``
    ``rulebook``     ``printed`` or ``guide`` (PR-GUIDE-1 to PR-GUIDE-3)
    ``box``          the set-up for so many players
    ``row``          face-up plantations
    ``barrels``      of each good
    ``plantations``  of each kind, all that the box has
    ``quarries``     all that the box has
    ``copies``       of each building, were it in the game
    ===============  ===========================================================
    """

    __slots__ = (
        "barrels",
        "box",
        "buildings",
        "copies",
        "guide",
        "plantations",
        "players",
        "quarries",
        "row",
        "rulebook",
        "seats",
    )

    def __init__(
        self, players: tuple[str, ...], *, buildings: str = BASE, rulebook: str = PRINTED
    ) -> None:
        if len(players) not in BOXES:
            raise ValueError(f"Puerto Rico has 2 to {MOST_PLAYERS} players, not {len(players)}.")
        if buildings not in BUILDING_OPTIONS:
            raise ValueError(f"{buildings!r} is not one of {BUILDING_OPTIONS}.")
        if rulebook not in RULEBOOKS:
            raise ValueError(f"{rulebook!r} is not one of {RULEBOOKS}.")
        self.players = players
        self.seats = len(players)
        self.buildings = buildings
        self.rulebook = rulebook
        self.guide = rulebook == GUIDE
        self.box = BOXES[self.seats]
        self.row = self.seats + 1
        two = self.seats == 2
        self.barrels = bytes(barrels - 2 * two for barrels in BARRELS)
        self.plantations = bytes(tiles - 3 * two for tiles in PLANTATIONS)
        self.quarries = QUARRIES - 3 * two
        copies = NO_COLONISTS
        for place in BUILDING_PLACES:
            kind = BUILDING[place]
            if two:
                copies = plus(copies, place, 1 if kind.violet else 2)
            else:
                copies = plus(copies, place, kind.copies)
        self.copies = copies

    @property
    def kinds(self) -> int:
        """The violet kinds that are in the game from the start, as far as the option says."""
        return BASE_KINDS if self.buildings == BASE else 0
