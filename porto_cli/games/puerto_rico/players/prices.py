"""The numbers by which things are priced: what VP they can be expected to bring, and how often."""

from __future__ import annotations

from typing import NamedTuple

from porto_cli.games.puerto_rico.engine.components import (
    AQUEDUCT,
    BLACK_MARKET,
    CHURCH,
    CONSTRUCTION_HUT,
    FOREST_HOUSE,
    GUEST_HOUSE,
    HACIENDA,
    HARBOR,
    HOSPICE,
    LARGE_MARKET,
    LARGE_WAREHOUSE,
    LIBRARY,
    LIGHTHOUSE,
    OFFICE,
    SMALL_MARKET,
    SMALL_WAREHOUSE,
    SMALL_WHARF,
    SPECIALTY_FACTORY,
    STOREHOUSE,
    TRADING_POST,
    UNION_HALL,
    UNIVERSITY,
    WHARF,
)


class Prices(NamedTuple):
    """What things are worth, in VP, and how often something happens in a round."""

    doubloon: float = 0.6
    """A doubloon while there is time to build for it."""
    builds: float = 0.6
    """Buildings that a player builds in a round: what a quarry saves."""
    crafts: float = 0.75
    """How often goods are produced in a round."""
    trades: float = 0.35
    """Barrels that a player sells in a round."""
    barrel: float = 0.6
    """A barrel in hand, as it will be shipped or sold or lost."""
    sale: float = 0.25
    """The part of its price that counts for a barrel in hand."""
    hope: float = 0.15
    """The part that counts of a plantation without its plant, or a plant without plantations."""
    manned: float = 0.8
    """The part that counts of what needs a colonist yet."""
    wait: float = 1.2
    """Rounds until a new tile or building works."""
    colonist: float = 0.15
    """A colonist for whom there is nothing to do yet."""
    others: float = 0.7
    """How much it counts what a role brings the others, on average."""
    next: float = 0.1
    """How much more that counts for who comes next."""
    deny: float = 0.15
    """How much it counts, for each barrel, what others can then ship."""
    large: float = 0.9
    """The part of the VP of a large building that counts."""


PRICES = Prices()
"""Those that the players go by."""

EFFECTS = {
    SMALL_MARKET: 0.28,
    AQUEDUCT: 0.5,
    HACIENDA: 0.25,
    CONSTRUCTION_HUT: 0.15,
    FOREST_HOUSE: 0.15,
    BLACK_MARKET: 0.15,
    SMALL_WAREHOUSE: 0.3,
    STOREHOUSE: 0.35,
    HOSPICE: 0.2,
    GUEST_HOUSE: 0.25,
    OFFICE: 0.15,
    LARGE_MARKET: 0.5,
    TRADING_POST: 0.4,
    CHURCH: 0.3,
    LARGE_WAREHOUSE: 0.4,
    SMALL_WHARF: 0.5,
    LIGHTHOUSE: 0.6,
    UNIVERSITY: 0.25,
    HARBOR: 0.9,
    SPECIALTY_FACTORY: 0.6,
    LIBRARY: 0.8,
    WHARF: 0.9,
    UNION_HALL: 0.7,
}
"""What a building brings in a round while it is occupied, in VP. What a Factory does follows from
what its owner produces; large buildings count at the end."""

DRAFT = {
    place: nth
    for nth, place in enumerate(
        (
            *(SMALL_MARKET, HACIENDA, CONSTRUCTION_HUT, SMALL_WAREHOUSE, HOSPICE, LARGE_MARKET),
            *(HARBOR, WHARF),
        )
    )
}
"""Which violet buildings are preferred in the draft, the best one last; any other comes before."""
