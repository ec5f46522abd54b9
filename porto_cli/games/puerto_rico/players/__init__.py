"""Programs that play Puerto Rico: one that plays at random, and five levels. Levels 3 to 5 compare
the chances of winning, by a network learned from games.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from math import exp, sqrt, tanh
from operator import mul
from pathlib import Path
from random import Random
from typing import Any

from porto_cli.core.chance import Chance, random_chance
from porto_cli.games.puerto_rico.engine import (
    BUILDING_VP,
    CITY_SPACES,
    CORN,
    FIRST_BUILDING,
    GOODS,
    HOUSE_SPACES,
    ISLAND_SPACES,
    LARGE,
    NO_GOOD,
    PLACES,
    PRODUCERS,
    QUARRY,
    ROLES,
    SALE_PRICES,
    VIOLET,
    buildings_in,
)
from porto_cli.games.puerto_rico.engine.effects import BONUS, final_scores
from porto_cli.games.puerto_rico.engine.moves import Pass, Take, TakeRole
from porto_cli.games.puerto_rico.engine.play import apply, legal_moves
from porto_cli.games.puerto_rico.engine.state import (
    DRAFT_PHASE,
    NOBODY,
    OVER,
    ROLE_PHASE,
    SETTLER_PHASE,
    Player,
    State,
)
from porto_cli.games.puerto_rico.players.appraisal import Appraisal, Prices, rounds_left
from porto_cli.games.puerto_rico.players.priced import (
    NOISE,
    best_move,
    credit,
    greedy_player,
    likely_move,
    priced_player,
    promising,
    role_worths,
    roles_played,
)
from porto_cli.players import Parameter, Players, random_player
from porto_cli.players import Player as AnyPlayer
from porto_cli.players.search import Search
from porto_cli.seam import Move, View

# -- The network of levels 3 to 5, learned from games: chances of winning, and prices
#
# Tables are evaluated between two roles, before the next card is taken. A small network estimates
# each player's VP at the end; the chances of winning follow from the differences. Its weights are
# in ``value.json``, with an entry for each number of players, ``"2"`` to ``"5"``. They are made by
# ``python -m bench.training puerto-rico``, see ``docs/players.md``. An entry has these keys:
#
# ===========  ===================================================================================
# ``recipe``   how the weights were made: a list of steps, each with a ``step`` and its parameters
# ``shared``   for each feature of the table, its weight in each hidden unit
# ``own``      the same for each feature of a player
# ``hidden``   the bias of each hidden unit
# ``out``      the weight of each hidden unit, in VP
# ``direct``   how many VP each feature of a player adds directly
# ``doubt``    two numbers: the lead in VP for odds of e to one, at the end and for each round left
# ``prices``   the ``.appraisal.Prices`` of moves within roles
# ``besides``  the extra worth of tiles and buildings, in VP; 0 for those that are missing
# ===========  ===================================================================================

FILE = Path(__file__).with_name("value.json")
"""The weights that come with the program."""

_VIOLET = buildings_in(VIOLET)
SHARED = (
    *("rounds", "near_end", "ends", "roles_taken", "supply", "pool", "fullest_city"),
    *(f"free_{role}" for role in ROLES),
    *(f"doubloons_{role}" for role in ROLES),
    *("space_on_ships", "empty_ships", "space_in_house"),
    *("mean_score", "mean_barrels", "mean_made", "mean_doubloons", "mean_spaces"),
)
"""The features of a table."""
OWN = (
    *("lead", "score", "doubloons", "doubloons_above_8", "barrels", "barrels_above_4"),
    *(f"held_{good}" for good in GOODS),
    *("kinds_held", "best_sale", "shippable"),
    *(f"made_{good}" for good in GOODS),
    *("made", "kinds_made", "could_be_made", "plants_spare", "tiles_spare"),
    *("quarries", "quarries_empty", "people", "in_san_juan", "circles_empty"),
    *("tiles", "spaces_built", "next", "last"),
    *("large", "bonus_now", "bonus_open"),
    *(f"has_{PLACES[place]}" for place in _VIOLET),
    *(f"runs_{PLACES[place]}" for place in _VIOLET if not LARGE >> place & 1),
)
"""The features of a player."""
_DENSE = OWN.index(f"has_{PLACES[_VIOLET[0]]}")
"""The number of features of a player before those of violet buildings, most of which are 0."""
_HAS = {place: OWN.index(f"has_{PLACES[place]}") for place in _VIOLET}
_RUNS = {place: OWN.index(f"runs_{PLACES[place]}") for place in _VIOLET if not LARGE >> place & 1}
LEAD, SCORE = 10, 30
"""The VP that count as 1 in the first two features of a player."""
PRICED = Prices._fields[:-1]
"""The prices that are single numbers."""
MOST_KNOWN = 20_000
"""The most cities that are remembered."""


Numbers = tuple[float, ...]
Rows = tuple[Numbers, ...]
Outlook = tuple[list[float], list[float]]
"""The expected lead of each player in VP, and the chance of winning of each."""


@dataclass(eq=False)
class Network:
    """The weights for a number of players, see the table of keys above, but by hidden unit."""

    shared: Rows
    own: Rows
    hidden: Numbers
    out: Numbers
    direct: Numbers
    doubt: Numbers
    prices: Prices

    def __post_init__(self) -> None:
        self.dense = tuple(row[:_DENSE] for row in self.own)


@lru_cache(maxsize=MOST_KNOWN)
def _of_city(network: Network, city: tuple[int, int]) -> tuple[float, list[float]]:
    """Return what violet buildings add directly, and to each hidden unit.

    ``city`` are all of them, and those that are occupied. Cities recur, so they are remembered, but
    not in the network: that is sent to other processes.
    """
    features = _city_features(city)
    return (
        sum([network.direct[feature] for feature in features]),
        [sum([row[feature] for feature in features]) for row in network.own],
    )


def _city_features(city: tuple[int, int]) -> list[int]:
    """Return which features of violet buildings are 1."""
    has = [_HAS[place] for place in buildings_in(city[0])]
    return has + [_RUNS[place] for place in buildings_in(city[1] & ~LARGE)]


@cache
def network_of(seats: int) -> Network:
    """Return the network for a number of players that comes with the program."""
    return network_in(json.loads(FILE.read_text("utf-8"))[str(seats)])


def network_in(entry: dict[str, Any]) -> Network:
    """Return the network of an entry in the form of ``value.json``."""
    shared, own, besides = entry["shared"], entry["own"], entry["besides"]
    return Network(
        tuple(zip(*(shared[name] for name in SHARED), strict=True)),
        tuple(zip(*(own[name] for name in OWN), strict=True)),
        tuple(entry["hidden"]),
        tuple(entry["out"]),
        tuple(entry["direct"][name] for name in OWN),
        tuple(entry["doubt"]),
        Prices(**entry["prices"], besides=tuple(besides.get(place, 0.0) for place in PLACES)),
    )


# --- features ---------------------------------------------------------------------------------


def _tally(player: Player) -> tuple[float, list[int], float, float, int]:
    """Return the VP now, the barrels made of each good, the bonuses occupied and open, and the
    barrels held.
    """
    colonists = player.colonists
    vp = float(player.vp)
    now = to_come = 0.0
    for place in buildings_in(player.city):
        vp += BUILDING_VP[place]
        if place in BONUS:
            bonus = BONUS[place](player)
            if colonists[place]:
                now += bonus
            else:
                to_come += bonus
    made = [colonists[CORN]]
    for good in range(1, len(GOODS)):
        manned = 0
        for place in PRODUCERS[good]:
            manned += colonists[place]
        made.append(manned if manned < colonists[good] else colonists[good])
    return vp + now, made, now, to_come, sum(player.goods)


def features(state: State) -> tuple[list[float], list[list[float]]]:
    """Return the features of a table between two roles, and those of each player.

    They are those of ``SHARED`` and ``OWN``, scaled so that most are between 0 and 1.
    """
    shared, rows, cities = _seen(state)
    for row, city in zip(rows, cities, strict=True):
        row += [0.0] * (len(OWN) - _DENSE)
        for feature in _city_features(city):
            row[feature] = 1.0
    return shared, rows


def _seen(state: State) -> tuple[list[float], list[list[float]], list[tuple[int, int]]]:
    """Return the features, those of violet buildings as sets: all, and those that are occupied."""
    config = state.config
    box = config.box
    players = state.players
    seats = config.seats
    tallies = [_tally(player) for player in players]
    mean = sum([tally[0] for tally in tallies]) / seats
    spaces = [player.city_spaces for player in players]
    rounds = rounds_left(state)
    kinds = state.cargo_goods
    cargo = box.cargo
    rooms = [room - full for room, full in zip(cargo, state.cargo_barrels, strict=True)]
    room_of = [0] * len(GOODS)
    empty = empties = 0
    for kind, room in zip(kinds, rooms, strict=True):
        if kind == NO_GOOD:
            empties += 1
            empty = max(empty, room)
        else:
            room_of[kind] = room
    house = state.trading_house
    house_room = HOUSE_SPACES - len(house)
    taken = state.taken
    free = [0.0] * len(ROLES)
    for role in box.roles:
        free[role] = float(taken[role] == NOBODY)
    shared = [
        rounds / 10,
        max(0.0, 1 - rounds / 3),
        float(bool(state.end_triggered)),
        state.roles_taken / box.turns,
        state.supply / box.colonists,
        state.vp_pool / box.vp,
        1 - min(spaces) / CITY_SPACES,
        *free,
        *[number / 3 for number in state.role_doubloons],
        *[0.0] * (len(ROLES) - len(state.role_doubloons)),
        sum(rooms) / 15,
        empties / 3,
        house_room / HOUSE_SPACES,
        mean / 30,
        sum([tally[4] for tally in tallies]) / seats / 5,
        sum([sum(tally[1]) for tally in tallies]) / seats / 5,
        sum([player.doubloons for player in players]) / seats / 5,
        sum(spaces) / seats / CITY_SPACES,
    ]
    rows, cities = [], []
    for seat, player in enumerate(players):
        score, made_of, bonus_now, bonus_open, barrels = tallies[seat]
        made = sum(made_of)
        circles, colonists, goods = player.circles, player.colonists, player.goods
        possible = circles[CORN]
        plants_spare = tiles_spare = 0
        for good in range(1, len(GOODS)):
            tiles = circles[good]
            plants = 0
            for place in PRODUCERS[good]:
                plants += circles[place]
            if tiles > plants:
                tiles_spare += tiles - plants
                possible += plants
            else:
                plants_spare += plants - tiles
                possible += tiles
        sale = shippable = held = loose = 0
        for good, number in enumerate(goods):
            if number:
                held += 1
                if house_room and good not in house:
                    sale = SALE_PRICES[good] + 1
                if room_of[good]:
                    shippable += min(number, room_of[good])
                elif number > loose and good not in kinds:
                    loose = number
        shippable += min(loose, empty)
        doubloons = player.doubloons
        quarries = colonists[QUARRY]
        wait = (seat - state.seat) % seats
        people = player.san_juan + sum(colonists)
        city = player.city
        rows.append(
            [
                (score - mean) / LEAD,
                score / SCORE,
                doubloons / 5,
                (doubloons - 8) / 5 if doubloons > 8 else 0.0,
                barrels / 5,
                (barrels - 4) / 5 if barrels > 4 else 0.0,
                *[number / 3 for number in goods],
                held / 3,
                sale / 5,
                shippable / 5,
                *[number / 3 for number in made_of],
                made / 5,
                (len(GOODS) - made_of.count(0)) / 3,
                (possible - made) / 3,
                plants_spare / 3,
                tiles_spare / 3,
                quarries / 2,
                (circles[QUARRY] - quarries) / 2,
                people / 10,
                player.san_juan / 3,
                (sum(circles[FIRST_BUILDING:]) - sum(colonists[FIRST_BUILDING:])) / 5,
                sum(player.island) / ISLAND_SPACES,
                1 - spaces[seat] / CITY_SPACES,
                float(not wait),
                wait / (seats - 1),
                (city & LARGE).bit_count() / 2,
                bonus_now / 5,
                bonus_open / 5,
            ]
        )
        violet = city & VIOLET
        occupied = 0
        for place in buildings_in(violet):
            if colonists[place]:
                occupied |= 1 << place
        cities.append((violet, occupied))
    return shared, rows, cities


# --- evaluation -------------------------------------------------------------------------------


def chances(state: State, network: Network | None = None) -> list[float]:
    """Return the chance of winning of each player; when the game is over, who has won."""
    if state.phase == OVER:
        places = [one.place for one in final_scores(state)]
        return [(place == 1) / places.count(1) for place in places]
    return outlook(state, network)[1]


def outlook(state: State, network: Network | None = None) -> Outlook:
    """Return the expected lead in VP and the chance of winning of each player in a running game.
    Leads are relative to an unknown level, the same for all.
    """
    network = network or network_of(state.config.seats)
    shared, rows, cities = _seen(state)
    begun = [
        bias + sum(map(mul, weights, shared))
        for bias, weights in zip(network.hidden, network.shared, strict=True)
    ]
    dense, out, direct = network.dense, network.out, network.direct
    vps = []
    for row, city in zip(rows, cities, strict=True):
        vp, more = _of_city(network, city)
        # The last weights are those of violet buildings: they are in what the city adds.
        vp += sum(map(mul, direct, row))
        units = [
            start + added + sum(map(mul, weights, row))
            for start, added, weights in zip(begun, more, dense, strict=True)
        ]
        for share, unit in zip(out, units, strict=True):
            vp += share * tanh(unit)
        vps.append(vp)
    at_the_end, each_round = network.doubt
    doubt = at_the_end + each_round * 10 * shared[0]
    most = max(vps)
    odds = [exp((vp - most) / doubt) for vp in vps]
    total = sum(odds)
    return vps, [one / total for one in odds]


# -- Levels 3 to 5, which compare chances of winning by this network
#
# Level 3 plays each role to its end by prices, evaluates the table, and takes the role with the
# best chance of winning; within roles it uses prices, which were learned, too. That is fast, and
# playing on as level 3 tells more about a table than evaluating it. So levels 4 and 5 make playouts
# from each move, with random tiles, random VP chips of the others and slightly wrong chances, until
# all players have had their roles, and take the mean of the chances at the final tables. As
# playouts are few, level 3's evaluation of a role counts, too.
#
# ====================  ==========================================================================
# ``value_player``      level 3: the table after the role
# ``lookahead_player``  level 4: playouts of a round
# ``far_player``        level 5: more of them
# ====================  ==========================================================================

WIDTH = 8
"""The most moves that are considered: as many as there are roles."""
NARROW = 4
"""The number of roles that are considered in playouts."""
MISJUDGED = 0.02
"""The largest error of chances of winning in playouts."""
PRIOR = 2.0
"""The weight of the chance at the table after a role, relative to the mean of the playouts, times
the square root of their number: the more playouts, the less it counts."""
LONGEST = 30
"""The round after which only prices decide. Otherwise players who fear the end could put it off
forever: as VP chips are hidden, each may believe that another one is ahead."""
SHORT, LONG = 16, 64
"""About how many playouts levels 4 and 5 make for a decision."""


def value_player(
    view: View, moves: Sequence[Move], rng: Random, *, network: Network | None = None
) -> Move:
    """Take the role with the best chance of winning after it; within roles, use prices."""
    state: State = view.table
    network = network or network_of(state.config.seats)
    if len(moves) == 1 or state.phase != ROLE_PHASE or state.round > LONGEST:
        return priced_player(view, moves, rng, prices=network.prices)
    seat = state.seat
    found = promising(view, moves, rng, WIDTH, network.prices)
    return max(found, key=lambda move: chances(played(state, move, network), network)[seat])


def lookahead_player(
    view: View,
    moves: Sequence[Move],
    rng: Random,
    *,
    simulations: int = SHORT,
    network: Network | None = None,
) -> Move:
    """Make playouts from the best moves, and take the one with the best chance of winning."""
    state: State = view.table
    network = network or network_of(state.config.seats)
    if len(moves) == 1 or state.phase == DRAFT_PHASE or state.round > LONGEST:
        return priced_player(view, moves, rng, prices=network.prices)
    search = Search(
        "puerto-rico",
        simulations=simulations,
        propose=partial(worth_a_try, prices=network.prices),
        policy=partial(soon, network=network),
        value=partial(chance_to_win, network=network),
        credit=partial(prior, network=network, simulations=simulations),
        span=state.config.box.turns,
        clock=roles_played,
    )
    return search(view, moves, rng)


far_player = partial(lookahead_player, simulations=LONG)
"""The same with more playouts."""


def worth_a_try(
    view: View, moves: Sequence[Move], rng: Random, *, prices: Prices
) -> Sequence[Move]:
    """Return the moves to make playouts from. If there is a tile to take, passing is not among
    them: sometimes it looks as good, but in whole games it is about 2 VP worse.
    """
    state: State = view.table
    if state.phase == SETTLER_PHASE and any(isinstance(move, Take) for move in moves):
        moves = [move for move in moves if not isinstance(move, Pass)]
    return promising(view, moves, rng, WIDTH, prices)


def soon(state: State, seat: int, rng: Random, *, network: Network | None = None) -> Move:
    """Return the move of a player in a playout, similar to that of level 3."""
    network = network or network_of(state.config.seats)
    if state.phase != ROLE_PHASE:
        return likely_move(state, rng, NOISE, network.prices)
    worth = role_worths(Appraisal(state, network.prices))
    # Assume that nobody declines the colonist.
    roles = [
        move for move in legal_moves(state) if isinstance(move, TakeRole) and not move.no_colonist
    ]
    found = sorted(roles, key=worth, reverse=True)[:NARROW]
    return max(
        found,
        key=lambda move: (
            chances(played(state, move, network), network)[seat] + MISJUDGED * rng.random()
        ),
    )


def chance_to_win(state: State, seat: int, *, network: Network) -> float:
    """Return the chance of winning of a player at a table between two roles."""
    return chances(ended(state, network), network)[seat]


def prior(view: View, moves: Sequence[Move], *, network: Network, simulations: int) -> list[float]:
    """Return the value of each move without playouts: within roles by prices, which decide if
    little differs; for taking a role, by the table after it.
    """
    state: State = view.table
    if state.phase != ROLE_PHASE:
        return credit(view, moves, network.prices)
    seat = state.seat
    weight = PRIOR / sqrt(simulations)
    return [weight * chances(played(state, move, network), network)[seat] for move in moves]


def played(state: State, move: Move, network: Network) -> State:
    """Return the table after a move and the rest of its role, with all players using prices.

    Once the end is triggered the game is played to the end. The random numbers are always the same.
    """
    chance = random_chance(Random(0))
    state, _ = apply(state, move, chance)
    return ended(settled(state, network, chance), network)


def settled(state: State, network: Network, chance: Chance) -> State:
    """Return the table after the current role, with all players using prices."""
    while state.phase not in (DRAFT_PHASE, ROLE_PHASE, OVER):
        state, _ = apply(state, best_move(state, prices=network.prices), chance)
    return state


def ended(state: State, network: Network) -> State:
    """Return the final table if the end is triggered, with all players using prices."""
    if state.end_triggered:
        chance = random_chance(Random(0))
        while state.phase != OVER:
            state, _ = apply(state, best_move(state, prices=network.prices), chance)
    return state


# -- The players
#
# ==============  ================================================================================
# ``priced``      levels 1 and 2, and which moves are considered
# ``appraisal``   the worth of things by rules of thumb
# here            levels 3 to 5, and the network of ``value.json``
# ==============  ================================================================================

PLAYERS: dict[str, AnyPlayer] = {
    "random": random_player,
    "greedy": greedy_player,
    "priced": priced_player,
    "level-1": greedy_player,
    "level-2": priced_player,
    "level-3": value_player,
    "level-4": lookahead_player,
    "level-5": far_player,
}
"""The players by their names."""
PARAMETERS = {name: Parameter("simulations", 1, 1_000_000) for name in ("level-4", "level-5")}
"""What can follow a name: ``level-5:50`` makes 50 playouts before each move."""

ALL = Players(PLAYERS, PARAMETERS)
"""All players of the game."""
