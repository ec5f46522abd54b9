"""The end: VP house by house, and who wins."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from porto_cli.games.puerto_rico.engine.components import (
    BUILDING_VP,
    CITY_HALL,
    CLOISTER,
    COFFEE_ROASTER,
    CUSTOMS_HOUSE,
    FOREST,
    FORTRESS,
    GUEST_HOUSE,
    GUILD_HALL,
    INDIGO_PLANT,
    LARGE,
    RESIDENCE,
    SMALL_INDIGO_PLANT,
    SMALL_SUGAR_MILL,
    SUGAR_MILL,
    TOBACCO_STORAGE,
    VIOLET,
    buildings_in,
    plus,
    set_of,
)
from porto_cli.games.puerto_rico.engine.state import OVER, Player, State

SMALL_PRODUCTION = set_of((SMALL_INDIGO_PLANT, SMALL_SUGAR_MILL))
LARGE_PRODUCTION = set_of((INDIGO_PLANT, SUGAR_MILL, TOBACCO_STORAGE, COFFEE_ROASTER))

FEWEST_TILES = 9
"""Tiles up to which a Residence is worth ``RESIDENCE_VP[0]``; each one more counts."""
RESIDENCE_VP = (4, 5, 6, 7)
CLOISTER_VP = (0, 1, 3, 6, 10)
"""By the number of sets of three like tiles."""


def _guild_hall(player: Player) -> int:
    small = (player.city & SMALL_PRODUCTION).bit_count()
    return small + 2 * (player.city & LARGE_PRODUCTION).bit_count()


def _residence(player: Player) -> int:
    more = max(0, sum(player.island) - FEWEST_TILES)
    return RESIDENCE_VP[min(more, len(RESIDENCE_VP) - 1)]


def _fortress(player: Player) -> int:
    return player.people // 3


def _customs_house(player: Player) -> int:
    return player.vp // 4


def _city_hall(player: Player) -> int:
    return (player.city & VIOLET).bit_count()


def _cloister(player: Player) -> int:
    """All forests are of one kind (PR-B-FOREST-HOUSE)."""
    sets = sum(tiles // 3 for tiles in player.island[:FOREST]) + player.forests // 3
    return CLOISTER_VP[min(sets, len(CLOISTER_VP) - 1)]


BONUS: dict[int, Callable[[Player], int]] = {
    GUILD_HALL: _guild_hall,
    RESIDENCE: _residence,
    FORTRESS: _fortress,
    CUSTOMS_HOUSE: _customs_house,
    CITY_HALL: _city_hall,
    CLOISTER: _cloister,
}
"""What each large building is worth while it is occupied, besides its printed VP (PR-SCORE-3)."""


class Reckoning(NamedTuple):
    """The VP of one player at the end.

    ``bonuses`` has the VP of each occupied large building, in the order of the rules;
    ``tie_break`` counts doubloons and barrels, ``place`` is 1 for the winner.
    """

    seat: int
    chips: int
    buildings: int
    bonuses: tuple[tuple[int, int], ...]
    tie_break: int
    place: int

    @property
    def total(self) -> int:
        """All VP."""
        return self.chips + self.buildings + sum(vp for _, vp in self.bonuses)


def homes_of_guests(player: Player) -> list[int]:
    """Return the large buildings that the guests go to when the game ends (PR-SCORE-4)."""
    empty = [
        place for place in buildings_in(player.city & LARGE) if player.empty_circles(place) > 0
    ]
    empty.sort(key=lambda place: -BONUS[place](player))
    return empty[: player.colonists[GUEST_HOUSE]]


def house_guest(player: Player, place: int) -> None:
    """Move a guest to a place."""
    player.colonists = plus(plus(player.colonists, GUEST_HOUSE, -1), place, 1)


def reckon_player(player: Player, seat: int) -> Reckoning:
    """Count the VP of a player whose guests are at home; the place is left at 0.

    PR-SCORE-1 to PR-SCORE-3.
    """
    bonuses = tuple(
        (place, BONUS[place](player))
        for place in buildings_in(player.city & LARGE)
        if player.colonists[place] and place in BONUS
    )
    printed = sum(BUILDING_VP[place] for place in buildings_in(player.city))
    tie_break = player.doubloons + sum(player.goods)
    return Reckoning(seat, player.vp, printed, bonuses, tie_break, 0)


def reckoning(state: State) -> tuple[Reckoning, ...]:
    """Return what each seat has if the game ends as the table stands (PR-SCORE-1 to PR-RANK-1)."""
    counted = []
    for seat, player in enumerate(state.players):
        at_home = player.copy()
        for place in homes_of_guests(player):
            house_guest(at_home, place)
        counted.append(reckon_player(at_home, seat))
    ranks = sorted(((one.total, one.tie_break) for one in counted), reverse=True)
    return tuple(one._replace(place=ranks.index((one.total, one.tie_break)) + 1) for one in counted)


def outcome(state: State) -> tuple[Reckoning, ...] | None:
    """Return the result seat by seat, or None while the game goes on."""
    return reckoning(state) if state.phase == OVER else None
