"""The reckoning: where the VP of each player come from, as far as the asking seat may know.

Before the end it is what would count if the game ended now. Then nobody knows the VP chips of
others (PR-SECRET-1), nor what follows from them: the Customs House, the total and the place.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from porto_cli.games.puerto_rico.engine.components import PLACES
from porto_cli.games.puerto_rico.engine.observation import Observation, PlayerView
from porto_cli.games.puerto_rico.engine.scoring import (
    Reckoning,
    homes_of_guests,
    house_guest,
    reckon_player,
)
from porto_cli.games.puerto_rico.engine.state import Player

_MANY = 200
"""More VP than anybody has."""


class Standing(NamedTuple):
    """What a player has; ``None`` is what the asking seat may not know.

    ``chips``      VP chips
    ``buildings``  the printed VP of all buildings
    ``bonuses``    the VP of each occupied large building, by its name
    ``total``      all of it
    ``tie_break``  doubloons and barrels
    ``place``      1 is the first place; ``None`` before the end
    """

    name: str
    chips: int | None
    buildings: int
    bonuses: tuple[tuple[str, int | None], ...]
    total: int | None
    tie_break: int
    place: int | None


class Standings(NamedTuple):
    """All players: after the end from the first place to the last, before it in seat order."""

    over: bool
    players: tuple[Standing, ...]

    @property
    def large(self) -> list[str]:
        """The large buildings that count for somebody, in the order of the rules."""
        found = {name for player in self.players for name, _ in player.bonuses}
        return [name for name in PLACES if name in found]

    @property
    def ties(self) -> list[tuple[Standing, Standing]]:
        """Players with the same VP, two neighbors in the ranking at a time (PR-RANK-1)."""
        if not self.over:
            return []
        return [(one, other) for one, other in pairwise(self.players) if one.total == other.total]


def standings(seen: Observation) -> Standings:
    """Return the reckoning as the seat that looks may see it (PR-SCORE-1 to PR-RANK-1)."""
    if seen.outcome is not None:
        ranked = sorted(seen.outcome, key=lambda one: (one.place, one.seat))
        return Standings(
            True,
            tuple(_known(one, seen.players[one.seat].name, place=one.place) for one in ranked),
        )
    return Standings(False, tuple(_so_far(view, seat) for seat, view in enumerate(seen.players)))


def _known(one: Reckoning, name: str, place: int | None = None) -> Standing:
    return Standing(
        name=name,
        chips=one.chips,
        buildings=one.buildings,
        bonuses=tuple((PLACES[building], vp) for building, vp in one.bonuses),
        total=one.total,
        tie_break=one.tie_break,
        place=place,
    )


def _so_far(view: PlayerView, seat: int) -> Standing:
    """Reckon a player; of unknown chips only what holds whatever they are."""
    if view.vp is not None:
        return _known(_reckoned(view, seat, view.vp), view.name)
    fewest, most = _reckoned(view, seat, 0), _reckoned(view, seat, _MANY)
    either = dict(fewest.bonuses), dict(most.bonuses)
    sure = either[0].items() & either[1].items()
    return Standing(
        name=view.name,
        chips=None,
        buildings=fewest.buildings,
        bonuses=tuple(
            (PLACES[building], vp if (building, vp) in sure else None)
            for building, vp in sorted((either[1] | either[0]).items())
        ),
        total=None,
        tie_break=fewest.tie_break,
        place=None,
    )


def _reckoned(view: PlayerView, seat: int, vp: int) -> Reckoning:
    """Reckon a player with so many VP chips, guests at home (PR-SCORE-4)."""
    player = Player()
    player.doubloons = view.doubloons
    player.vp = vp
    player.goods = view.goods
    player.island = view.island
    player.city = view.city
    player.colonists = view.colonists
    player.circles = view.circles
    player.san_juan = view.san_juan
    for place in homes_of_guests(player):
        house_guest(player, place)
    return reckon_player(player, seat)
