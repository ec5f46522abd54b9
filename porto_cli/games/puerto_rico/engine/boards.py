"""The phases that change islands and cities: those of the settler, the mayor and the builder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import islice, product

from porto_cli.core import Refusals, plural
from porto_cli.core.chance import Chance
from porto_cli.games.puerto_rico.engine import (
    BIT,
    BLACK_MARKET,
    BUILDING_PLACES,
    BUILDING_VP,
    CHURCH,
    CIRCLES,
    COLUMN,
    CONSTRUCTION_HUT,
    COST,
    FOREST,
    FOREST_HOUSE,
    GOODS,
    HACIENDA,
    HOSPICE,
    ISLAND_SPACES,
    LARGE,
    LIBRARY,
    NO_COLONISTS,
    NO_GOOD,
    NO_PLACE,
    ONE,
    PLACES,
    QUARRY,
    SAN_JUAN,
    SPACES,
    TILES,
    UNIVERSITY,
    VIOLET,
    buildings_in,
    plus,
)
from porto_cli.games.puerto_rico.engine.effects import (
    begin_phase,
    bring_colonist,
    colonist_available,
    draw_tile,
    earn,
    end_role,
    guest_moves,
    has_tiles,
    next_player,
    return_barrels,
    score,
    trigger_end,
    turn_up_row,
)
from porto_cli.games.puerto_rico.engine.moves import (
    FACE_DOWN,
    PASS,
    Build,
    Built,
    ColonistsDealt,
    Event,
    Move,
    Place,
    Placed,
    ShipRefilled,
    Take,
    TookTile,
)
from porto_cli.games.puerto_rico.engine.state import (
    CITY_END,
    COLONISTS_END,
    LIBRARY_PHASE,
    SETTLER_PHASE,
    Player,
    State,
)

# -- Tiles and colonists: the settler phase, with the Library's second tile, and the mayor phase
#
# In the mayor phase colonists arrive, and each player places all of theirs anew. There can be too
# many placements to list; their number is calculated from the numbers of circles.


_DRAW = Take(FACE_DOWN)


def legal_tiles(state: State) -> list[Move]:
    """Return the legal moves of the phases ``settler`` and ``library``."""
    player = state.players[state.seat]
    if player.island_spaces <= 0:
        return [PASS]
    tiles = _face_up(
        state.row,
        state.quarries > 0 and _may_take_quarry(state),
        player.colonists[FOREST_HOUSE] > 0,
        tile_brings_colonist(state),
    )
    if player.colonists[HACIENDA] and not any(refuse_tile(state, _DRAW)):
        tiles = [_DRAW, *tiles]
    return [*tiles, PASS, *guest_moves(state)]


@cache
def _face_up(row: bytes, quarry: bool, forest: bool, declinable: bool) -> list[Move]:
    moves: list[Move] = []
    for tile in [*(tile for tile, number in enumerate(row) if number), *([QUARRY] * quarry)]:
        moves.append(Take(tile))
        if declinable:
            moves.append(Take(tile, no_colonist=True))
        if forest and tile != QUARRY:
            moves.append(Take(tile, forest=True))
    return moves


def _may_take_quarry(state: State) -> bool:
    """Return whether the player to move may take a quarry (PR-SETTLER-3, PR-B-HUT)."""
    if state.phase == LIBRARY_PHASE:
        return False
    return state.seat == state.chooser or state.players[state.seat].colonists[CONSTRUCTION_HUT] > 0


def tile_brings_colonist(state: State) -> bool:
    """Return whether a colonist would come with a tile taken face up (PR-B-HOSPICE)."""
    return (
        state.players[state.seat].colonists[HOSPICE] > 0
        and state.phase == SETTLER_PHASE
        and colonist_available(state)
    )


def refuse_tile(state: State, move: Take) -> Refusals:
    """Yield why the player to move cannot take this tile like this."""
    player, name = state.players[state.seat], state.config.players[state.seat]
    second = state.phase == LIBRARY_PHASE
    if player.island_spaces <= 0:
        yield "PR-SETTLER-2", f"{name}'s island is full: it has {ISLAND_SPACES} tiles."
    if move.what == FACE_DOWN:
        if second:
            yield "PR-B-HACIENDA", "The Library's second tile must be a face-up plantation."
        elif not player.colonists[HACIENDA]:
            yield "PR-B-HACIENDA", f"{name} has no occupied Hacienda."
        elif state.face_down:
            yield "PR-B-HACIENDA", f"{name} has already drawn a face-down tile this turn."
        elif not has_tiles(state):
            yield "PR-B-HACIENDA", "There is no tile left to draw."
    elif move.what == QUARRY:
        if second:
            yield "PR-SETTLER-3", "The Library's second tile cannot be a quarry."
        elif not _may_take_quarry(state):
            chooser = state.config.players[state.chooser]
            these = f"{chooser}, who took the settler, and owners of an occupied Construction Hut"
            yield "PR-SETTLER-3", f"Only {these} may take a quarry."
        if not second and not state.quarries:
            yield "PR-SETTLER-3", "There is no quarry left."
    elif not state.row[move.what]:
        yield "PR-SETTLER-1", f"There is no face-up {TILES[move.what]} plantation."
    if move.forest:
        if move.what in (QUARRY, FACE_DOWN):
            yield "PR-B-FOREST-HOUSE", "Only a face-up plantation can be turned into a forest."
        elif not player.colonists[FOREST_HOUSE]:
            yield "PR-B-FOREST-HOUSE", f"{name} has no occupied Forest House."
    if move.no_colonist:
        if second:
            yield "PR-B-HOSPICE", "No colonist comes with the Library's second tile."
        elif move.what == FACE_DOWN:
            yield "PR-B-HOSPICE", "No colonist comes with the Hacienda's tile."
        elif move.forest:
            yield "PR-B-HOSPICE", "A forest has no circle, so no colonist comes with it."
        elif not player.colonists[HOSPICE]:
            why = f"{name} has no occupied Hospice, so no colonist comes with the tile."
            yield "PR-B-HOSPICE", why
        elif not colonist_available(state):
            yield "PR-B-HOSPICE", "No colonist is left to come with the tile."


def play_tile(state: State, move: Take, events: list[Event], chance: Chance) -> None:
    """Put a tile on the island; after the Hacienda's tile the turn goes on."""
    seat = state.seat
    player = state.players[seat]
    if move.what == FACE_DOWN:
        tile = draw_tile(state, chance, events)
        if tile == NO_GOOD:
            raise ValueError("There is no tile left to turn up.")
        player.add_tile(tile)
        state.face_down = True
        events.append(TookTile(seat=seat, tile=tile, source="stack", forest=False, colonist=False))
        return
    tile = move.what
    colonist = False
    if tile == QUARRY:
        state.quarries -= 1
        source = "quarries"
    else:
        state.row = plus(state.row, tile, -1)
        source = "row"
    if move.forest:
        player.add_tile(FOREST + tile)
    else:
        player.add_tile(tile)
        if tile_brings_colonist(state) and not move.no_colonist:
            colonist = bring_colonist(state, seat, tile)
    events.append(
        TookTile(seat=seat, tile=tile, source=source, forest=move.forest, colonist=colonist)
    )
    end_tile(state, events, chance)


def end_tile(state: State, events: list[Event], chance: Chance) -> None:
    """Go on with the next player. After the last one, and the Library's second tile, the row is
    refilled (PR-SETTLER-4, PR-B-LIBRARY).
    """
    state.face_down = False
    if state.phase == SETTLER_PHASE:
        if next_player(state):
            return
        if state.players[state.chooser].colonists[LIBRARY]:
            begin_phase(state, LIBRARY_PHASE)
            return
    turn_up_row(state, chance, events)
    end_role(state, events)


def deal_colonists(state: State, no_colonist: bool, events: list[Event]) -> None:
    """Deal the colonists (PR-MAYOR-1, PR-MAYOR-2, PR-B-LIBRARY)."""
    chooser = state.chooser
    wanted = 0 if no_colonist else 1 + (state.players[chooser].colonists[LIBRARY] > 0)
    privilege = min(wanted, state.supply)
    state.supply -= privilege
    each, over = divmod(state.ship, state.config.seats)
    state.ship = 0
    for index, seat in enumerate(state.clockwise(chooser)):
        dealt = each + (index < over)
        if dealt or privilege:
            state.players[seat].san_juan += dealt + privilege
            events.append(ColonistsDealt(seat=seat, colonists=dealt, privilege=privilege))
        privilege = 0


def fewest_and_most(state: State, player: Player) -> tuple[int, int]:
    """Return the least and the most colonists that a placement can use.

    PR-MAYOR-4; by the rules of the guide, PR-GUIDE-2.
    """
    most = min(player.people, sum(player.circles))
    return 0 if state.config.guide else most, most


def has_placing_decision(state: State) -> bool:
    """Return whether the player to move has more than one legal placement."""
    player = state.players[state.seat]
    fewest, most = fewest_and_most(state, player)
    places = len(PLACES) - player.circles.count(0)
    return most > 0 and (fewest < most or (most < sum(player.circles) and places > 1))


def legal_placements(state: State, limit: int) -> list[Move]:
    """Return the legal placements of the player to move, up to ``limit`` of them."""
    player = state.players[state.seat]
    fewest, most = fewest_and_most(state, player)
    if fewest == sum(player.circles):
        return [Place(player.circles)]
    places = [place for place, circles in enumerate(player.circles) if circles]
    room = sum(player.circles)
    # Every row that is begun can be completed, so no more than the limit are ever needed.
    begun = [(bytes(places[0]), left) for left in range(most, fewest - 1, -1)][:limit]
    for place, following in zip(places, [*places[1:], len(PLACES)], strict=True):
        circles = player.circles[place]
        room -= circles
        gap = bytes(following - place - 1)
        cells = [ONE[number] + gap for number in range(circles + 1)]
        begun = [
            (row + cells[number], left - number)
            for row, left in begun
            for number in range(
                circles if circles < left else left, left - room - 1 if left > room else -1, -1
            )
        ][:limit]
    return [Place(row) for row, _ in begun]


def count_placements(state: State) -> int:
    """Return the number of legal placements, without listing them."""
    player = state.players[state.seat]
    fewest, most = fewest_and_most(state, player)
    ways = _ways(bytes(sorted(circles for circles in player.circles if circles)))
    return sum(ways[fewest : most + 1])


@lru_cache(maxsize=4096)
def _ways(circles: bytes) -> tuple[int, ...]:
    """Return the numbers of ways to put 0, 1, 2 … colonists on places with these circles."""
    ways = [1]
    for most in circles:
        longer = [0] * (len(ways) + most)
        for colonists, number in enumerate(ways):
            for more in range(most + 1):
                longer[colonists + more] += number
        ways = longer
    return tuple(ways)


def refuse_placement(state: State, move: Place) -> Refusals:
    """Yield why the player to move cannot place colonists like this."""
    player, name = state.players[state.seat], state.config.players[state.seat]
    placed, people = sum(move.colonists), player.people
    fewest, _ = fewest_and_most(state, player)
    for place, colonists in enumerate(move.colonists):
        if colonists > player.circles[place]:
            circles, where = player.circles[place], PLACES[place]
            room = f"{plural(circles, 'circle')} on {where}; this placement needs {colonists}"
            yield "PR-MAYOR-3", f"{name} has {room if circles else f'no {where}'}."
    if placed > people:
        here = plural(people, "colonist")
        yield "PR-MAYOR-3", f"{name} has {here}; this placement needs {placed}."
    if placed < fewest:
        least = plural(fewest, "colonist")
        yield "PR-MAYOR-4", f"{name} must place {least}; this places {placed}."


def play_placement(state: State, move: Place, events: list[Event]) -> None:
    """Place the colonists; the rest stay in San Juan."""
    player = state.players[state.seat]
    people = player.people
    player.colonists = move.colonists
    player.san_juan = people - sum(move.colonists)
    events.append(Placed(seat=state.seat, colonists=move.colonists, san_juan=player.san_juan))
    if not next_player(state):
        _refill_ship(state, events)
        end_role(state, events)


def _refill_ship(state: State, events: list[Event]) -> None:
    """Refill the colonist ship (PR-MAYOR-6), which can trigger the end (PR-END-1)."""
    empty = sum([player.empty_building_circles() for player in state.players])
    wanted = max(state.config.seats, empty)
    colonists = min(wanted, state.supply)
    state.supply -= colonists
    state.ship += colonists
    events.append(ShipRefilled(colonists=colonists, wanted=wanted))
    if colonists < wanted:
        trigger_end(state, COLONISTS_END, events)


def nearest_placement(state: State, wanted: bytes | None = None) -> Place:
    """Return the legal placement of the player to move that is nearest to a ``wanted`` one.

    By default all colonists stay, and the new ones fill the empty circles, those of the island
    first.
    """
    player = state.players[state.seat]
    fewest, most = fewest_and_most(state, player)
    if wanted is None:
        return Place(filled(player, player.colonists, most))
    placed = bytes(map(min, wanted, player.circles))
    people = max(fewest, min(most, sum(placed)))
    return Place(filled(player, NO_COLONISTS, people, [*enumerate(placed)]))


def filled(
    player: Player,
    placed: bytes,
    people: int,
    first: Sequence[tuple[int, int | None]] = (),
) -> bytes:
    """Return a placement of ``people`` colonists: those ``placed``, the rest on empty circles.

    These fill the places that come ``first``, each up to its number if there is one, then all
    others in the order of the rules. Places that the player does not have are skipped.
    """
    left = people - sum(placed)
    found = bytearray(placed)
    for place, number in (*first, *((place, None) for place in range(len(NO_COLONISTS)))):
        empty = player.circles[place] - found[place]
        more = max(0, min(left, empty, left if number is None else number))
        found[place] += more
        left -= more
    return bytes(found)


# -- The builder: prices, buildings, and what the Black Market takes for missing doubloons

MOST_RETURNED = 3
MOST_EXPENSIVE = max(COST)

_BUILDS = {BIT[place]: Build(place) for place in BUILDING_PLACES}
_WITHOUT_COLONIST = {BIT[place]: Build(place, no_colonist=True) for place in BUILDING_PLACES}
_WITH_CIRCLES = sum(BIT[place] for place in BUILDING_PLACES if CIRCLES[place])


def discount(state: State, seat: int) -> int:
    """Return the doubloons that a player saves on any building, apart from quarries.

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
    """Return the set of buildings that cost at most ``doubloons``, with quarries and a discount
    (``less``).

    The doubloons should be capped at ``MOST_EXPENSIVE``, as results are cached.
    """
    cap = BUILDING_VP if guide else COLUMN
    return sum(
        BIT[place]
        for place in BUILDING_PLACES
        if COST[place] - min(quarries, cap[place]) - less <= doubloons
    )


def _within_reach(state: State, player: Player, doubloons: int) -> int:
    """Return the set of buildings that the player could build with this many doubloons.

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
    """Return the legal moves of the phase, not many more than ``limit``."""
    player = state.players[state.seat]
    moves: list[Move] = [PASS]
    if player.city_spaces <= 0:
        return moves
    moves += guest_moves(state)
    reach = _within_reach(state, player, player.doubloons)
    declinable = building_brings_colonist(state, player, NO_PLACE)
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
"""What is returned: a good or ``NO_GOOD``, whether a VP chip, and a colonist's place or
``NO_PLACE``."""


def _black_market_builds(state: State, player: Player) -> Iterator[Move]:
    """Yield the builds that are possible only by returning things."""
    within = _within_reach(state, player, player.doubloons + MOST_RETURNED)
    beyond = within & ~_within_reach(state, player, player.doubloons)
    returns: dict[int, list[Returned]] = {}
    for building in buildings_in(beyond):
        missing = price(state, state.seat, building) - player.doubloons
        if missing not in returns:
            returns[missing] = _ways_to_return(player, missing)
        for good, vp, place in returns[missing]:
            yield Build(building, good, vp, place)
            if CIRCLES[building] and building_brings_colonist(state, player, place):
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


def building_brings_colonist(state: State, player: Player, returned: int) -> bool:
    """Return whether a colonist would come with a building (PR-B-UNIVERSITY).

    ``returned`` is the place of the colonist that is returned for it, or ``NO_PLACE``.
    """
    at_university = player.colonists[UNIVERSITY] - (returned == UNIVERSITY)
    return at_university > 0 and (returned != NO_PLACE or colonist_available(state))


def refuse_build(state: State, move: Build) -> Refusals:
    """Yield why the player to move cannot build this like this."""
    player, name = state.players[state.seat], state.config.players[state.seat]
    place, building = move.building, PLACES[move.building]
    cost = price(state, state.seat, place)
    missing = max(0, cost - player.doubloons)
    costs = f"{building} costs {name} {plural(cost, 'doubloon')}"
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
            exactly = f"return exactly that many things, not {move.returned}."
            yield "PR-B-BLACK-MARKET", f"{costs}, {missing} too many: {exactly}"
    elif missing:
        yield "PR-BUILDER-2", f"{costs}; {name} has {player.doubloons}."
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
        elif not building_brings_colonist(state, player, move.colonist):
            yield "PR-B-UNIVERSITY", "No colonist is left to come with the building."


def play_build(state: State, move: Build, events: list[Event]) -> None:
    """Put a building in the city, pay for it, and return things."""
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
            returned=(move.good, move.vp, move.colonist),
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
    """Go on with the next player; after the last one the role ends."""
    if not next_player(state):
        end_role(state, events)
