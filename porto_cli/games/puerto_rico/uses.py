"""What tiles, buildings and barrels are good for at a table, as hints of Puerto Rico say it."""

from __future__ import annotations

from porto_cli.core import enumerated, plural, with_article
from porto_cli.games.puerto_rico import phrases
from porto_cli.games.puerto_rico.engine import (
    CIRCLES,
    CORN,
    GOODS,
    LARGE_MARKET,
    PLACES,
    PRODUCERS,
    QUARRY,
    SALE_PRICES,
    SMALL_MARKET,
    TRADER,
    VIOLET,
    WHARF,
    buildings_in,
    plus,
)
from porto_cli.games.puerto_rico.engine.boards import price
from porto_cli.games.puerto_rico.engine.goods import (
    FACTORY_EARNS,
    LARGE_MARKET_PAYS,
    SMALL_MARKET_PAYS,
    refuse_sale,
    room,
    sale,
    ships_for,
    yields,
)
from porto_cli.games.puerto_rico.engine.moves import Sell
from porto_cli.games.puerto_rico.engine.state import State
from porto_cli.games.puerto_rico.phrases import effects
from porto_cli.installed import lessons_of
from porto_cli.players import Against

NAMES = tuple(name.replace("-", " ") for name in PLACES)
"""Places as they are called in a sentence."""
PLENTY = bytes([99]) * len(GOODS)
"""Barrels in the supply that are more than anybody makes."""


def beyond(these: bytes, those: bytes) -> bytes:
    """Return by how many more each of these numbers is than the other ones."""
    return bytes(max(0, one - other) for one, other in zip(these, those, strict=False))


def is_late(state: State) -> bool:
    """Return whether the game ends in this round, or probably in the next one: three of four games
    between players of level 2 that have come so far do.
    """
    seats, city = state.config.seats, min(one.city_spaces for one in state.players)
    ends = state.vp_pool <= 5 * seats or state.supply <= seats or city <= 2
    return ends or bool(state.end_triggered)


# What tiles and buildings are good for.


def said_of(table: str, thing: str, otherwise: str = "", **facts: object) -> str:
    """Return what a hint says of a thing by a table in ``lessons.toml``, or ``otherwise``: with
    facts about it; Against if one of them is nothing, so that the thing is of no use now.
    """
    hint = lessons_of("puerto-rico")["hint"]
    text: str = hint[table].get(thing, otherwise)
    for fact, why in hint["lacks"].items():
        if f"{{{fact}}}" in text and not facts[fact]:
            return Against(f"It is of no use now: {why.format(**facts)}.")
    return text.format(**facts)


def use_of(state: State, seat: int, place: int) -> str:
    """Return what a quarry or a violet building does for its owner while it is occupied, as far as
    the table tells it; Against if it is of no use.
    """
    player, name = state.players[seat], state.config.players[seat]
    goods = [*map(max, yields(player.circles, PLENTY), player.goods)]
    kinds = [one for one, number in zip(GOODS, goods, strict=True) if number]
    pays = {SMALL_MARKET: SMALL_MARKET_PAYS, LARGE_MARKET: LARGE_MARKET_PAYS}
    earned = pays.get(place, FACTORY_EARNS[len(kinds)])
    # Colonists may not be where all these kinds would be made.
    now = FACTORY_EARNS[sum(map(bool, yields(player.colonists, PLENTY)))]
    at_most = "up to " if place not in pays and now < earned else ""
    facts: dict[str, object] = {
        "name": name,
        "less": phrases.up_to(player.colonists[QUARRY]),
        "kinds": enumerated(kinds, "or"),
        "spaces": player.island_spaces and plural(player.island_spaces, "free space"),
        "quarries": state.quarries,
        "sold": enumerated(one for one in kinds if GOODS.index(one) in state.trading_house),
        "earned": earned and f"{at_most}{phrases.doubloons(earned)}",
        "most": f"{max(goods)} {GOODS[goods.index(max(goods))]}" if max(goods) > 1 else "",
    }
    scores = effects().get(PLACES[place], "").removeprefix("At the end ").removesuffix(".")
    return said_of("uses", PLACES[place], f"at the end it scores {scores}", **facts)


def can_all_work(state: State, seat: int) -> bool:
    """Return whether no colonist of a player would have to be idle: there is work for as many."""
    player, violet = state.players[seat], buildings_in(state.players[seat].city & VIOLET)
    made = yields(player.circles, PLENTY)
    useful = [at for at in (QUARRY, *violet) if not isinstance(use_of(state, seat, at), Against)]
    # A barrel of corn takes one colonist, any other one two.
    work = 2 * sum(made) - made[CORN] + sum(player.circles[at] for at in useful)
    return work >= player.people


def pair_of(state: State, seat: int, place: int, good: int) -> str:
    """Return what a player can make with a new plantation or production building and its partners;
    or what it needs for that: a plantation a building, a building a plantation.
    """
    player, plants, name = state.players[seat], PRODUCERS[good], GOODS[good]
    before = plus(player.circles, place, -1 if place == good else -CIRCLES[place])
    had, has = (yields(circles, PLENTY)[good] for circles in (before, player.circles))
    if has > had:
        is_first = place == CORN and not had
        by = "a colonist on it" if is_first else "enough colonists"
        makes = _makes(state, seat, good, has, had, by)
        return f"{makes} Corn needs no building." if is_first else makes
    tiles, circles = player.circles[good], sum(player.circles[plant] for plant in plants)
    if place != good:
        lacking = 1 + sum(before[plant] for plant in plants) - tiles
        needs = plural(lacking, f"more {name} plantation" if tiles else f"{name} plantation")
        more = " more" if had else ""
        now = f"{state.row[good] or 'none'} face up now"
        return Against(f"To produce{more}, it needs {needs} ({now}).")
    left = state.on_offer & ~player.city
    offered = [
        (price(state, seat, one), one)
        for one in plants
        if left >> one & 1 and CIRCLES[one] >= tiles - circles
    ]
    if not offered:
        return Against("No building is left that could use it.")
    costs, needed = min(offered)
    building = f"{with_article(NAMES[needed])} for {phrases.charge(costs)}"
    return _makes(state, seat, good, min(tiles, circles + CIRCLES[needed]), had, building)


def _makes(state: State, seat: int, good: int, number: int, had: int, by: str) -> str:
    """Return how many barrels of a kind a player can make each time by something more, and what is
    the use of that: the first ones sell.
    """
    name, market = GOODS[good], SALE_PRICES[good]
    use = f"; {name} sells for {phrases.doubloons(market)}" if market else ""
    if had:
        use = ", to ship together"
    return f"With {by}, {state.config.players[seat]} can make {number} {name} each time{use}."


# What barrels are good for.


def sells_for(state: State, good: int) -> int:
    """Return for what the player to move could sell a barrel, as the trading house is now."""
    for move in (Sell(good), Sell(good, post=True)) if state.comes(TRADER) else ():
        # The barrel may be one that the player can still take.
        if {ruling for ruling, _ in refuse_sale(state, move)} <= {"PR-TRADER-1"}:
            earns = sale(state, state.seat, move)
            return sum(number for reason, number in earns if reason != "trader")
    return 0


def dearest(state: State, goods: bytes) -> tuple[int, str]:
    """Return for what one of these barrels could sell at most, and what is in it."""
    kinds = (good for good, number in enumerate(goods) if number)
    return max([(0, ""), *((sells_for(state, good), GOODS[good]) for good in kinds)])


def can_load(state: State, good: int, barrels: int) -> int:
    """Return how many of so many barrels the player to move could load at once, as the ships are
    now.
    """
    if state.players[state.seat].colonists[WHARF]:
        return barrels
    return max([0, *(min(barrels, room(state, at)) for at in ships_for(state, good, 1))])
