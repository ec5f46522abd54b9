"""The builder: prices, buildings, and what the Black Market takes for missing doubloons."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import islice, product

from porto_cli.core.message import Refusals, plural
from porto_cli.games.puerto_rico.engine.components import (
    BIT,
    BLACK_MARKET,
    BUILDING_PLACES,
    BUILDING_VP,
    CHURCH,
    CIRCLES,
    COLUMN,
    COST,
    FOREST_HOUSE,
    GOODS,
    LARGE,
    LIBRARY,
    NO_GOOD,
    NO_PLACE,
    PLACES,
    QUARRY,
    SAN_JUAN,
    SPACES,
    UNIVERSITY,
    VIOLET,
    buildings_in,
    plus,
)
from porto_cli.games.puerto_rico.engine.effects import (
    bring_colonist,
    colonist_available,
    earn,
    end_role,
    guest_moves,
    next_player,
    return_barrels,
    score,
    trigger_end,
)
from porto_cli.games.puerto_rico.engine.moves import PASS, Build, Built, Event, Move
from porto_cli.games.puerto_rico.engine.state import CITY_END, Player, State

MOST_RETURNED = 3
MOST_EXPENSIVE = max(COST)

_BUILDS = {BIT[place]: Build(place) for place in BUILDING_PLACES}
_WITHOUT_COLONIST = {BIT[place]: Build(place, no_colonist=True) for place in BUILDING_PLACES}
_WITH_CIRCLES = sum(BIT[place] for place in BUILDING_PLACES if CIRCLES[place])


def discount(state: State, seat: int) -> int:
    """Return what a player pays less, besides quarries.

    PR-BUILDER-2, PR-B-LIBRARY, PR-B-FOREST-HOUSE.
    """
    player = state.players[seat]
    less = 0
    if seat == state.chooser:
        less = 2 if player.colonists[LIBRARY] else 1
    if player.colonists[FOREST_HOUSE]:
        less += player.forests // 2
    return less


def price(state: State, seat: int, building: int) -> int:
    """Return what a building costs a player now, in doubloons (PR-BUILDER-2, PR-GUIDE-3)."""
    cap = BUILDING_VP if state.config.guide else COLUMN
    quarries = min(state.players[seat].colonists[QUARRY], cap[building])
    return max(0, COST[building] - quarries - discount(state, seat))


@cache
def affordable(doubloons: int, quarries: int, less: int, guide: bool) -> int:
    """Return the set of buildings that cost at most so much, with quarries and what is paid less.

    The doubloons should be capped by ``MOST_EXPENSIVE``.
    """
    cap = BUILDING_VP if guide else COLUMN
    return sum(
        BIT[place]
        for place in BUILDING_PLACES
        if COST[place] - min(quarries, cap[place]) - less <= doubloons
    )


def _within_reach(state: State, player: Player, doubloons: int) -> int:
    """Return the set of buildings that the player could build with a number of doubloons.

    PR-BUILDER-2 to PR-BUILDER-5.
    """
    spaces = player.city_spaces
    if spaces <= 0:
        return 0
    buildings = state.on_offer & ~player.city
    if spaces < 2:
        buildings &= ~LARGE
    return buildings & affordable(
        min(doubloons, MOST_EXPENSIVE),
        player.colonists[QUARRY],
        discount(state, state.seat),
        state.config.guide,
    )


def legal_builds(state: State, limit: int) -> list[Move]:
    """Return what the player to move can build, hardly more than ``limit`` moves."""
    player = state.players[state.seat]
    moves: list[Move] = [PASS]
    if player.city_spaces <= 0:
        return moves
    moves += guest_moves(state)
    reach = _within_reach(state, player, player.doubloons)
    declinable = brings_colonist(state, player, NO_PLACE)
    while reach and len(moves) < limit:
        lowest = reach & -reach
        reach ^= lowest
        moves.append(_BUILDS[lowest])
        if declinable and lowest & _WITH_CIRCLES:
            moves.append(_WITHOUT_COLONIST[lowest])
    if player.colonists[BLACK_MARKET] and len(moves) < limit:
        moves += islice(_black_market_builds(state, player), limit - len(moves))
    return moves


Returned = tuple[int, bool, int]
"""A good or ``NO_GOOD``, whether a VP chip, and the place of a colonist or ``NO_PLACE``."""


def _black_market_builds(state: State, player: Player) -> Iterator[Move]:
    """Yield what can be built by paying in part with other things."""
    within = _within_reach(state, player, player.doubloons + MOST_RETURNED)
    beyond = within & ~_within_reach(state, player, player.doubloons)
    returns: dict[int, list[Returned]] = {}
    for building in buildings_in(beyond):
        missing = price(state, state.seat, building) - player.doubloons
        if missing not in returns:
            returns[missing] = _ways_to_return(player, missing)
        for good, vp, place in returns[missing]:
            yield Build(building, good, vp, place)
            if CIRCLES[building] and brings_colonist(state, player, place):
                yield Build(building, good, vp, place, no_colonist=True)


def _ways_to_return(player: Player, missing: int) -> list[Returned]:
    goods = [good for good, number in enumerate(player.goods) if number]
    places = [place for place, number in enumerate(player.colonists) if number]
    if player.san_juan:
        places.append(SAN_JUAN)
    return [
        (good, vp, place)
        for good, vp, place in product(
            [*goods, NO_GOOD], (True, False) if player.vp > 0 else (False,), [*places, NO_PLACE]
        )
        if (good != NO_GOOD) + vp + (place != NO_PLACE) == missing
    ]


def brings_colonist(state: State, player: Player, returned: int) -> bool:
    """Return whether a colonist would come with a building (PR-B-UNIVERSITY).

    ``returned`` is the place of the colonist that is returned for it, or ``NO_PLACE``.
    """
    at_university = player.colonists[UNIVERSITY] - (returned == UNIVERSITY)
    return at_university > 0 and (returned != NO_PLACE or colonist_available(state))


def refuse_build(state: State, move: Build) -> Refusals:
    """Return why the player to move cannot build this, or so."""
    player, name = state.players[state.seat], state.config.players[state.seat]
    place, building = move.building, PLACES[move.building]
    cost = price(state, state.seat, place)
    missing = max(0, cost - player.doubloons)
    if move.returned:
        if not player.colonists[BLACK_MARKET]:
            yield "PR-B-BLACK-MARKET", f"{name} has no occupied Black Market."
        if move.good != NO_GOOD and not player.goods[move.good]:
            yield "PR-B-BLACK-MARKET", f"{name} has no {GOODS[move.good]} to return."
        if move.vp and player.vp <= 0:
            yield "PR-B-BLACK-MARKET", f"{name} has no VP chip to return."
        if move.colonist == SAN_JUAN and not player.san_juan:
            yield "PR-B-BLACK-MARKET", f"{name} has no colonist in San Juan."
        elif NO_PLACE != move.colonist != SAN_JUAN and not player.colonists[move.colonist]:
            yield "PR-B-BLACK-MARKET", f"{name} has no colonist on {PLACES[move.colonist]}."
        if move.returned != missing:
            yield (
                "PR-B-BLACK-MARKET",
                f"{building} costs {name} {plural(cost, 'doubloon')}, {missing} too many: return "
                f"exactly that many things, not {move.returned}.",
            )
    elif missing:
        why = f"{building} costs {name} {plural(cost, 'doubloon')}; {name} has {player.doubloons}."
        yield "PR-BUILDER-2", why
    if player.city & BIT[place]:
        yield "PR-BUILDER-3", f"{name} already has a {building}."
    if not state.copies[place]:
        never = VIOLET & ~state.violet & BIT[place]
        why = f"There is no {building} in this game." if never else f"No {building} is left."
        yield "PR-BUILDER-4", why
    if SPACES[place] > player.city_spaces:
        spaces = plural(SPACES[place], "city space")
        why = f"{building} needs {spaces}; {name} has {player.city_spaces} left."
        yield "PR-BUILDER-5", why
    if move.no_colonist:
        if not player.colonists[UNIVERSITY]:
            why = f"{name} has no occupied University, so no colonist comes with the building."
            yield "PR-B-UNIVERSITY", why
        elif not CIRCLES[place]:
            yield "PR-B-UNIVERSITY", f"{building} has no circle, so no colonist comes with it."
        elif not player.colonists[UNIVERSITY] - (move.colonist == UNIVERSITY):
            why = "The University's colonist is returned, so no colonist comes with the building."
            yield "PR-B-UNIVERSITY", why
        elif not brings_colonist(state, player, move.colonist):
            yield "PR-B-UNIVERSITY", "No colonist is left to come with the building."


def play_build(state: State, move: Build, events: list[Event]) -> None:
    """Build: the price is settled, things go back, the building comes."""
    seat = state.seat
    player = state.players[seat]
    building = move.building
    cost = price(state, seat, building)
    # PR-B-BLACK-MARKET: a barrel and a colonist go back to the supply; VP are scored below.
    if move.good != NO_GOOD:
        player.goods = plus(player.goods, move.good, -1)
        return_barrels(state, move.good, 1)
    if move.colonist != NO_PLACE:
        player.take_colonist(move.colonist)
        state.supply += 1
    player.add_building(building)
    state.copies = plus(state.copies, building, -1)
    if not state.copies[building]:
        state.on_offer ^= BIT[building]
    colonist = (
        player.colonists[UNIVERSITY] > 0
        and CIRCLES[building] > 0
        and not move.no_colonist
        and bring_colonist(state, seat, building)
    )
    events.append(
        Built(
            seat=seat,
            building=building,
            price=cost,
            good=move.good,
            vp=move.vp,
            returned_colonist=move.colonist,
            colonist=colonist,
        )
    )
    if move.returned:
        score(state, seat, "black-market", -int(move.vp), events)
        earn(state, seat, "black-market", move.returned, events)
    earn(state, seat, "build", -cost, events)
    if player.colonists[CHURCH] and building != CHURCH and COLUMN[building] > 1:
        score(state, seat, "church", 2 if COLUMN[building] == 4 else 1, events)
    if player.city_spaces <= 0:
        trigger_end(state, CITY_END, events)
    end_build(state, events)


def end_build(state: State, events: list[Event]) -> None:
    """Go on with the next player; after the last one the role is over."""
    if not next_player(state):
        end_role(state, events)
