"""The worth of things in a position, in VP: tiles, buildings, barrels, colonists, roles.

The numbers are in :class:`Prices` and ``EFFECTS``. The VP chips of a single player are not used, as
only the sum of the others' is known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from operator import itemgetter, mul, sub
from typing import NamedTuple

from porto_cli.games.puerto_rico.engine import (
    AQUEDUCT,
    BLACK_MARKET,
    BUILDER,
    BUILDING_VP,
    CAPTAIN,
    CHURCH,
    CIRCLES,
    CITY_HALL,
    CITY_SPACES,
    CLOISTER,
    COLUMN,
    CONSTRUCTION_HUT,
    CORN,
    COST,
    CUSTOMS_HOUSE,
    FACTORY,
    FOREST,
    FOREST_HOUSE,
    FORTRESS,
    GOODS,
    GUEST_HOUSE,
    GUILD_HALL,
    HACIENDA,
    HARBOR,
    HOSPICE,
    HOUSE_SPACES,
    LARGE,
    LARGE_MARKET,
    LARGE_WAREHOUSE,
    LIBRARY,
    LIGHTHOUSE,
    NO_GOOD,
    NO_GOODS,
    OFFICE,
    PLACES,
    PRODUCERS,
    QUARRY,
    RESIDENCE,
    ROLES,
    SALE_PRICES,
    SMALL_MARKET,
    SMALL_WAREHOUSE,
    SMALL_WHARF,
    SPECIALTY_FACTORY,
    STATUE,
    STOREHOUSE,
    TRADER,
    TRADING_POST,
    UNION_HALL,
    UNIVERSITY,
    VIOLET,
    WHARF,
    buildings_in,
)
from porto_cli.games.puerto_rico.engine.boards import MOST_EXPENSIVE, affordable, discount
from porto_cli.games.puerto_rico.engine.effects import BONUS
from porto_cli.games.puerto_rico.engine.goods import (
    FACTORY_EARNS,
    LARGE_MARKET_PAYS,
    SMALL_MARKET_PAYS,
    capacity,
    yields,
)
from porto_cli.games.puerto_rico.engine.state import NOBODY, Player, State


class Prices(NamedTuple):
    """The worth of things, in VP, and how often something happens in a round."""

    doubloon: float = 0.6
    """A doubloon while there is time to build for it."""
    builds: float = 0.6
    """Buildings that a player builds in a round, for the savings of a quarry."""
    crafts: float = 0.75
    """How often goods are produced in a round."""
    trades: float = 0.35
    """Barrels that a player sells in a round."""
    barrel: float = 0.6
    """A barrel in hand, which will be shipped, sold or lost."""
    sale: float = 0.25
    """The share of its price that counts for a barrel in hand."""
    hope: float = 0.15
    """The share that counts for a plantation without its plant, or a plant without plantations."""
    manned: float = 0.8
    """The share that counts for what still needs a colonist."""
    wait: float = 1.2
    """Rounds until a new tile or building works."""
    colonist: float = 0.15
    """A colonist who has nothing to do yet."""
    others: float = 0.7
    """The weight of what a role brings the others, on average."""
    next: float = 0.1
    """The additional weight for the next player."""
    deny: float = 0.15
    """The weight, for each barrel, of what others can then ship."""
    large: float = 0.9
    """The share of the VP of a large building that counts."""
    besides: tuple[float, ...] = (0.0,) * len(PLACES)
    """The extra worth of each tile and building, by its place."""


PRICES = Prices()
"""The prices of ``priced``; levels 3 to 5 have learned others."""

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
"""The VP that an occupied building brings in a round. For a Factory they follow from what its owner
produces; large buildings count at the end."""

DRAFT = (
    *(SMALL_MARKET, HACIENDA, CONSTRUCTION_HUT, SMALL_WAREHOUSE, HOSPICE, LARGE_MARKET),
    *(HARBOR, WHARF),
)
"""The violet buildings preferred in the draft, the best one last, after all others."""


GOOD_OF = {place: good for good, places in enumerate(PRODUCERS) for place in places}
"""The good that each production building makes."""
QUARRIES_USED = (1.0, 0.9, 0.7, 0.4)
"""The weight of each further quarry: not every building is expensive."""
MOST_BUILDS = 5.0
"""The most buildings for which a quarry counts."""


class Circles(NamedTuple):
    """The uses of a player's circles.

    ``pairs``   a plantation and its plant, to occupy together; and for the first pair of each good
                the number of other kinds before it, else -1
    ``violet``  the violet buildings, each once for every circle
    ``kinds``   the number of kinds of goods that can be made
    """

    pairs: tuple[tuple[tuple[int, int], int], ...]
    violet: tuple[int, ...]
    kinds: int


@lru_cache(maxsize=4096)
def read_circles(circles: bytes) -> Circles:
    """Return the uses of circles, given their numbers on each place."""
    pairs: list[tuple[tuple[int, int], int]] = []
    kinds = int(circles[CORN] > 0)
    for good in range(1, len(GOODS)):
        tiles = circles[good]
        plants = [place for place in PRODUCERS[good] for _ in range(circles[place])]
        if tiles and plants:
            used = plants[-tiles:]
            pairs += [((good, place), -1 if nth else kinds) for nth, place in enumerate(used)]
            kinds += 1
    violet = [place for place in buildings_in(VIOLET) for _ in range(circles[place])]
    return Circles(tuple(pairs), tuple(violet), kinds)


_ALONE = tuple((place,) for place in range(len(PLACES)))
"""Each place alone, as one to occupy by itself."""


def rounds_left(state: State) -> float:
    """Return the approximate number of rounds left, including the rest of this one."""
    box = state.config.box
    rest = 1 - state.roles_taken / box.turns
    if state.end_triggered:
        return rest
    chips, made, spaces = 0, 0, CITY_SPACES
    for player in state.players:
        chips += player.vp
        made += sum(player.colonists[:5])
        if player.city_spaces < spaces:
            spaces = player.city_spaces
    by_colonists = state.supply / (1.35 * state.config.seats)
    by_vp = max(0, box.vp - chips) / (1.0 + 0.55 * made)
    return rest + max(0.0, min(by_colonists, by_vp, spaces / 0.8) - 0.5)


class Appraisal:
    """The worth of things at one table.

    ===========  ==============================================================================
    ``rounds``   the number of rounds left
    ``doubloon`` the worth of a doubloon
    ``barrel``   the worth of a barrel, however it is used, by its good
    ``unit``     the worth of one more barrel at each production, by its good
    ``first``    the extra worth of producing a good at all, by the good
    ``waiting``  the rounds in which something acquired now will work
    ``alike``    a cache of the worth of buildings that is the same for all players
    ===========  ==============================================================================
    """

    def __init__(self, state: State, prices: Prices) -> None:
        self.state = state
        self.prices = prices
        self.alike: dict[int, float] = {}
        rounds = self.rounds = rounds_left(state)
        ending = bool(state.end_triggered)
        taken = state.taken
        self.waiting = max(0.0, rounds - prices.wait)
        doubloon = prices.doubloon * min(1.0, 0.2 + rounds / 4)
        if ending and (taken[BUILDER] != NOBODY or rounds <= 0):
            doubloon = 0.02
        self.doubloon = doubloon
        ship = prices.barrel * min(1.0, 0.4 + rounds / 3)
        if ending and (taken[CAPTAIN] != NOBODY or rounds <= 0):
            ship = 0.01
        sale = prices.sale * doubloon
        if ending and taken[TRADER] != NOBODY:
            sale = 0.0
        self.barrel = [ship + sale * price for price in SALE_PRICES]
        self.unit = prices.crafts * prices.barrel
        traded = prices.trades * prices.doubloon
        self.first = [traded * price * 0.5 for price in SALE_PRICES]

    def posts(self, player: Player, rounds: float) -> list[tuple[float, tuple[int, ...]]]:
        """Return what can be occupied in the rounds left, and what that is worth for each colonist.

        The best comes first. A plantation and its plant are occupied together.
        """
        prices = self.prices
        circles = player.circles
        pairs, violet, kinds = read_circles(circles)
        unit = self.unit * rounds
        found: list[tuple[float, tuple[int, ...]]] = [(unit, _ALONE[CORN])] * circles[CORN]
        for pair, before in pairs:
            if before < 0:
                found.append((unit / 2, pair))
                continue
            first = self.first[pair[0]] * rounds
            if circles[FACTORY]:
                more = FACTORY_EARNS[before + 1] - FACTORY_EARNS[before]
                first += more * prices.crafts * prices.doubloon * rounds
            found.append(((unit + first) / 2, pair))
        if circles[QUARRY]:
            quarry = self.doubloon * min(MOST_BUILDS, prices.builds * rounds)
            for nth in range(circles[QUARRY]):
                found.append((quarry * QUARRIES_USED[min(nth, 3)], _ALONE[QUARRY]))
        for place in violet:
            found.append((self.effect(player, place, rounds, kinds), _ALONE[place]))
        found.sort(key=_WORTH, reverse=True)
        return found

    def effect(self, player: Player, place: int, rounds: float, kinds: int) -> float:
        """Return what a violet building brings if it is occupied for a number of rounds."""
        if place in BONUS:
            bonus = BONUS[place]
            # It only has to be occupied when the game ends.
            sure = 1.0 if self.rounds <= 1.2 else max(0.05, 1.6 / self.rounds - 0.3)
            return max(1.0, bonus(player)) * min(1.0, sure)
        if place == FACTORY:
            return FACTORY_EARNS[kinds] * self.prices.crafts * self.prices.doubloon * rounds
        effect = EFFECTS.get(place, 0.0) * rounds
        if place == CONSTRUCTION_HUT and player.island_spaces <= 2:
            return effect / 4
        return effect

    def colonists(self, player: Player, more: int) -> float:
        """Return what additional colonists are worth to a player."""
        if more <= 0:
            return 0.0
        people = player.people
        worth = 0.0
        before = 0
        for each, places in self.posts(player, self.rounds):
            after = before + len(places)
            if after > people:
                worth += each * (min(after, people + more) - max(before, people))
                if after >= people + more:
                    return worth
            before = after
        return worth + self.prices.colonist * (people + more - max(before, people))

    def tile(self, player: Player, tile: int, *, manned: bool = False) -> float:
        """Return what a tile is worth to a player; ``manned`` if a colonist comes with it."""
        prices = self.prices
        rounds = self.rounds if manned else self.waiting
        share = 1.0 if manned else prices.manned
        circles = player.circles
        settled = prices.besides[tile]
        if player.city >> RESIDENCE & 1 and player.island_spaces <= 3:
            settled += 1.0
        if tile >= FOREST:
            return settled + self.doubloon * min(MOST_BUILDS, prices.builds * rounds) / 2
        if tile == QUARRY:
            nth = QUARRIES_USED[min(circles[QUARRY], 3)]
            saved = self.doubloon * min(MOST_BUILDS, prices.builds * rounds)
            return settled + share * saved * nth
        unit = self.unit * rounds
        if tile == CORN:
            return settled + share * unit
        plants = sum([circles[place] for place in PRODUCERS[tile]])
        # Its plant needs a colonist as well.
        if circles[tile] < plants:
            first = 0.0 if circles[tile] else self.first[tile] * rounds
            return settled + share * (unit + first) * 0.85
        if circles[tile]:
            return settled + prices.hope * unit * 0.7
        return settled + prices.hope * (unit + self.first[tile] * rounds)

    def building(self, player: Player, place: int) -> float:
        """Return what a building is worth to a player, not regarding what it costs."""
        if place in self.alike:
            return self.alike[place]
        prices = self.prices
        rounds = self.waiting
        vp = BUILDING_VP[place] + prices.besides[place]
        circles = player.circles
        good = GOOD_OF.get(place)
        if good is not None:
            plants = sum([circles[plant] for plant in PRODUCERS[good]])
            tiles = circles[good]
            unit = self.unit * rounds
            used = min(CIRCLES[place], max(0, tiles - plants))
            spare = min(2, CIRCLES[place] - used)
            first = 0.0 if plants else self.first[good] * rounds
            worth = prices.manned * used * unit * 0.85 + prices.hope * 0.4 * spare * unit
            return vp + worth + (prices.manned if used else prices.hope) * first
        if place in BONUS:
            return vp + prices.large * self.bonus(player, place)
        if place == STATUE:
            return vp
        kinds = read_circles(circles).kinds
        worth = vp + prices.manned * self.effect(player, place, rounds, kinds)
        if place not in (CONSTRUCTION_HUT, FACTORY):
            self.alike[place] = worth
        return worth

    def bonus(self, player: Player, place: int) -> float:
        """Return what a large building can be expected to bring at the end."""
        rounds = min(self.rounds, 6.0)
        if place == GUILD_HALL:
            return BONUS[place](player) + 0.25 * rounds
        if place == RESIDENCE:
            tiles = sum(player.island) + 0.5 * rounds
            return 4 + min(3.0, max(0.0, tiles - 9))
        if place == FORTRESS:
            return (player.people + 1.3 * rounds) / 3
        if place == CUSTOMS_HOUSE:
            state = self.state
            each = (state.config.box.vp - state.vp_left) / state.config.seats
            return (each + sum(player.colonists[:5]) * 0.5 * rounds) / 4
        if place == CITY_HALL:
            return BONUS[place](player) + 1 + 0.35 * rounds
        assert place == CLOISTER
        return BONUS[place](player) + 0.3 * rounds

    def best_building(self, seat: int, *, chooser: bool) -> float:
        """Return what the best building that a player can build brings more than it costs."""
        state = self.state
        player = state.players[seat]
        spaces = player.city_spaces
        if spaces <= 0:
            return 0.0
        less = discount(state, seat)
        if chooser and seat != state.chooser:
            less += 1
        quarries = player.colonists[QUARRY]
        buildings = state.on_offer & ~player.city
        if spaces < 2:
            buildings &= ~LARGE
        buildings &= affordable(min(player.doubloons, MOST_EXPENSIVE), quarries, less, False)
        doubloon = self.doubloon
        best = 0.0
        for place in buildings_in(buildings):
            cost = COST[place] - min(quarries, COLUMN[place]) - less
            worth = self.building(player, place) - max(0, cost) * doubloon
            if worth > best:
                best = worth
        return best

    def goods(self, goods: bytes) -> float:
        """Return what barrels are worth."""
        worth: float = sum(map(mul, goods, self.barrel))
        return worth

    # What a role brings each player, including the privilege of the one who takes it.

    def gains(self, role: int, seat: int) -> Iterator[float]:
        """Yield what each player gains if a seat takes a role, beginning with that seat, clockwise.

        Doubloons on the card are not included. Only the captain can make a player lose something.
        """
        gains: Iterator[float] = getattr(self, ROLES[role].removesuffix("-2"))(seat)
        return gains

    def settler(self, chooser: int) -> Iterator[float]:
        """Everybody takes the best tile that is left."""
        state = self.state
        left = list(state.row)
        for seat in state.clockwise(chooser):
            player = state.players[seat]
            if player.island_spaces <= 0:
                yield 0.0
                continue
            best, what = 0.0, NO_GOOD
            for tile, number in enumerate(left):
                if number:
                    worth = self.tile(player, tile)
                    if worth > best:
                        best, what = worth, tile
            if (seat == chooser or player.colonists[CONSTRUCTION_HUT]) and state.quarries:
                worth = self.tile(player, QUARRY)
                if worth > best:
                    best, what = worth, QUARRY
            if what < NO_GOOD:
                left[what] -= 1
            yield best

    def mayor(self, chooser: int) -> Iterator[float]:
        """Everybody gets colonists."""
        state = self.state
        each, over = divmod(state.ship, state.config.seats)
        for nth, seat in enumerate(state.clockwise(chooser)):
            more = each + (nth < over) + (not nth and state.supply > 0)
            yield self.colonists(state.players[seat], more)

    def builder(self, chooser: int) -> Iterator[float]:
        """Everybody builds what pays best."""
        for seat in self.state.clockwise(chooser):
            yield self.best_building(seat, chooser=seat == chooser)

    def craftsman(self, chooser: int) -> Iterator[float]:
        """Everybody produces."""
        state = self.state
        gains: list[float] = []
        supply = state.goods_supply
        doubloon = self.doubloon
        mine = b""
        for seat in state.clockwise(chooser):
            player = state.players[seat]
            made = yields(player.colonists, supply)
            gain = 0.0
            if made != NO_GOODS:
                supply = bytes(map(sub, supply, made))
                gain = self.goods(made)
            if player.colonists[FACTORY]:
                gain += doubloon * FACTORY_EARNS[len(GOODS) - made.count(0)]
            gains.append(gain)
            if seat == chooser:
                mine = made
        more = [self.barrel[good] for good, number in enumerate(mine) if number and supply[good]]
        if more:
            gains[0] += max(more)
        yield from gains

    def trader(self, chooser: int) -> Iterator[float]:
        """Everybody sells what pays best, as long as there is room."""
        state = self.state
        house = list(state.trading_house)
        for seat in state.clockwise(chooser):
            player = state.players[seat]
            colonists = player.colonists
            extra = int(seat == chooser)
            markets = SMALL_MARKET_PAYS * colonists[SMALL_MARKET]
            markets += LARGE_MARKET_PAYS * colonists[LARGE_MARKET]
            room = len(house) < HOUSE_SPACES
            best, sold = 0.0, NO_GOOD
            for good, number in enumerate(player.goods):
                if not number:
                    continue
                if room and (good not in house or colonists[OFFICE]):
                    where, earns = good, SALE_PRICES[good] + extra + markets
                elif colonists[TRADING_POST]:
                    where, earns = NO_GOOD, SALE_PRICES[good] + extra
                else:
                    continue
                worth = earns * self.doubloon - self.barrel[good]
                if worth > best:
                    best, sold = worth, where
            if sold != NO_GOOD:
                house.append(sold)
            yield best

    def captain(self, chooser: int) -> Iterator[float]:
        """Everybody loads as many barrels as can be, turn by turn; what cannot be kept is lost."""
        state = self.state
        seats = state.config.seats
        players = state.players
        gains = [0.0] * seats
        held = [list(player.goods) for player in players]
        carried = [-1] * len(state.cargo_goods)
        rooms = list(state.config.box.cargo)
        for ship, good in enumerate(state.cargo_goods):
            if good != NO_GOOD:
                carried[ship] = good
                rooms[ship] -= state.cargo_barrels[ship]
        wharves = [player.colonists[WHARF] for player in players]
        barrel = self.barrel
        idle = 0
        seat = chooser
        first = True
        while idle < seats:
            goods = held[seat]
            most, what, where = 0, 0, 0
            for good, number in enumerate(goods) if any(goods) else ():
                if not number:
                    continue
                if good in carried:
                    ship = carried.index(good)
                else:
                    ship = -1
                    for other, kind in enumerate(carried):
                        if kind < 0 and (ship < 0 or rooms[other] > rooms[ship]):
                            ship = other
                    if ship < 0:
                        continue
                number = min(number, rooms[ship])
                if number > most:
                    most, what, where = number, good, ship
            if wharves[seat] and max(goods) > most + (most > 0):
                most = max(goods)
                what, where = goods.index(most), -1
                wharves[seat] = 0
            if most:
                idle = 0
                goods[what] -= most
                if where >= 0:
                    carried[where] = what
                    rooms[where] -= most
                gains[seat] += most * (1 - barrel[what]) + players[seat].colonists[HARBOR]
                if first and seat == chooser:
                    gains[seat] += 1
                    first = False
            else:
                idle += 1
            seat = (seat + 1) % seats
        for seat, left in enumerate(held):
            if any(left):
                gains[seat] -= self.lost(players[seat], left)
        yield from gains[chooser:]
        yield from gains[:chooser]

    def lost(self, player: Player, goods: Sequence[int]) -> float:
        """Return what those barrels are worth that a player cannot store."""
        whole, loose = capacity(player)
        worths = sorted(
            [(number * self.barrel[good], number) for good, number in enumerate(goods) if number],
            reverse=True,
        )[whole:]
        lost = 0.0
        for worth, number in worths:
            kept = min(loose, number)
            loose -= kept
            lost += worth * (number - kept) / number
        return lost

    def prospector(self, chooser: int) -> Iterator[float]:
        """Who takes it earns a doubloon."""
        yield self.doubloon
        yield from [0.0] * (self.state.config.seats - 1)


_WORTH = itemgetter(0)
"""The worth of a post."""
