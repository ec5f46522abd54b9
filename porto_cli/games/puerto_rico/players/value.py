"""What a table is worth to each player: the VP that can be expected at the end.

The weights come from ``weights.py``. Tables are valued between two roles, when the next card is to
be taken.
"""

from __future__ import annotations

from collections.abc import Sequence

from porto_cli.games.puerto_rico.engine.components import (
    BUILDING_VP,
    CITY_HALL,
    CITY_SPACES,
    CORN,
    CUSTOMS_HOUSE,
    FACTORY,
    FIRST_BUILDING,
    FORTRESS,
    GOODS,
    GUILD_HALL,
    HARBOR,
    LARGE_MARKET,
    LARGE_WAREHOUSE,
    PRICES,
    PRODUCERS,
    QUARRY,
    RESIDENCE,
    SMALL_MARKET,
    SMALL_WAREHOUSE,
    STOREHOUSE,
    VIOLET,
    WHARF,
    buildings_in,
)
from porto_cli.games.puerto_rico.engine.craftsman import FACTORY_EARNS
from porto_cli.games.puerto_rico.engine.scoring import BONUS, reckoning
from porto_cli.games.puerto_rico.engine.state import OVER, Player, State
from porto_cli.games.puerto_rico.players.outlook import rounds_left
from porto_cli.games.puerto_rico.players.prices import EFFECTS
from porto_cli.games.puerto_rico.players.weights import weights_of
from porto_cli.players.chances import rough_chance

SURE, SURE_AT_THE_END = 6.0, 1.0
"""With so many VP of lead a win is taken to be fairly sure."""


def features(player: Player, wait: int, made_in_all: int, barrels_in_all: int) -> list[float]:
    """Return the features of a player who takes the next role card after so many others.

    They are those of ``NAMES`` in ``weights.py``, in that order.
    """
    circles, colonists = player.circles, player.colonists
    goods = player.goods
    made = made_corn = min(colonists[CORN], 9)
    possible = circles[CORN]
    kinds = 1 if made else 0
    prices = dearest = 0
    plants_spare = tiles_spare = 0
    for good in range(1, len(GOODS)):
        tiles = circles[good]
        plants = manned = 0
        for place in PRODUCERS[good]:
            plants += circles[place]
            manned += colonists[place]
        if tiles > plants:
            tiles_spare += tiles - plants
            possible += plants
        else:
            plants_spare += plants - tiles
            possible += tiles
        number = min(colonists[good], manned)
        if number:
            made += number
            kinds += 1
            prices += PRICES[good]
            dearest = PRICES[good]
    barrels = sum(goods)
    held = 0
    for good in range(len(GOODS)):
        if goods[good]:
            held = PRICES[good]
    city = player.city
    to_come = effects = effects_to_come = 0.0
    for place in buildings_in(city & VIOLET):
        bonus = BONUS.get(place)
        if colonists[place]:
            effects += EFFECTS.get(place, 0.0)
        elif bonus is not None:
            to_come += bonus(player)
        else:
            effects_to_come += EFFECTS.get(place, 0.0)
    doubloons = player.doubloons
    quarries = colonists[QUARRY]
    return [
        1.0,
        doubloons,
        doubloons - 8 if doubloons > 8 else 0,
        barrels,
        barrels - 4 if barrels > 4 else 0,
        len(GOODS) - goods.count(0),
        held,
        made,
        made_corn,
        kinds,
        prices,
        dearest,
        possible - made,
        plants_spare,
        tiles_spare,
        quarries,
        circles[QUARRY] - quarries,
        player.san_juan + sum(colonists),
        player.san_juan,
        CITY_SPACES - player.city_spaces,
        sum(circles[FIRST_BUILDING:]) - sum(colonists[FIRST_BUILDING:]),
        sum(player.island),
        to_come,
        city >> GUILD_HALL & 1,
        city >> RESIDENCE & 1,
        city >> FORTRESS & 1,
        city >> CUSTOMS_HOUSE & 1,
        city >> CITY_HALL & 1,
        effects,
        effects_to_come,
        colonists[HARBOR],
        colonists[WHARF],
        FACTORY_EARNS[kinds] if colonists[FACTORY] else 0,
        (colonists[SMALL_MARKET] + 2 * colonists[LARGE_MARKET]) * (kinds > 0),
        colonists[SMALL_WAREHOUSE] + colonists[STOREHOUSE] + 2 * colonists[LARGE_WAREHOUSE],
        wait,
        made_in_all - made,
        barrels_in_all - barrels,
    ]


def bases(rounds: float) -> tuple[float, ...]:
    """Return by what the features are multiplied with so many rounds left."""
    return 1.0, rounds / 10, max(0.0, 1 - rounds / 2)


def score(player: Player) -> float:
    """Return the VP that a player has as the table stands."""
    vp = player.vp
    colonists = player.colonists
    for place in buildings_in(player.city):
        vp += BUILDING_VP[place]
        if colonists[place] and place in BONUS:
            vp += BONUS[place](player)
    return vp


def rows(state: State) -> list[list[float]]:
    """Return the features of each seat."""
    players = state.players
    seats = len(players)
    barrels = sum([sum(player.goods) for player in players])
    made = sum([sum(player.colonists[: len(GOODS)]) for player in players])
    return [
        features(player, (seat - state.seat) % seats, made, barrels)
        for seat, player in enumerate(players)
    ]


def values(state: State) -> list[float]:
    """Return the VP that each seat can be expected to have at the end."""
    if state.phase == OVER:
        return [one.total + 0.01 * one.tie_break for one in reckoning(state)]
    weights = weights_of(state.config.seats)
    shares = bases(rounds_left(state))
    mixed = [sum([a * b for a, b in zip(shares, row, strict=True)]) for row in weights]
    return [
        score(player) + sum([a * b for a, b in zip(mixed, row, strict=True)])
        for player, row in zip(state.players, rows(state), strict=True)
    ]


def margin_of(vps: Sequence[float], seat: int) -> float:
    """Return how many VP a seat is ahead, of those of all seats.

    Half of it is towards the best of the others, half towards their mean.
    """
    others = [*vps]
    own = others.pop(seat)
    return own - (max(others) + sum(others) / len(others)) / 2


def margin(state: State, seat: int) -> float:
    """Return how many VP a player can be expected to be ahead at the end."""
    return margin_of(values(state), seat)


def chance_to_win(state: State, seat: int) -> float:
    """Return about the chance of a player to win."""
    return rough_chance(margin(state, seat), SURE_AT_THE_END if state.phase == OVER else SURE)
