"""Puerto Rico for those who research games: what :mod:`porto_cli.research` wants to know of it.

A move is one action, but for those of which there can be too many: what a Black Market takes back,
the barrels to store or to load by a Small Wharf, and the colonists to place are one decision each,
thing by thing.

>>> from porto_cli.games.puerto_rico import Build, Take
>>> tree.encode(Take(0, forest=True)), tree.encode(Build(25, good=1, vp=True))
((47,), (82, 225, 229))
>>> [tree.name(action) for action in (47, 82, 225, 229)]
['take corn forest', 'build hospice', 'return indigo', 'return vp']
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from porto_cli.games.puerto_rico.engine.components import (
    BARRELS,
    BUILDING_PLACES,
    CIRCLES,
    FIRST_BUILDING,
    GOODS,
    GUEST_HOUSE,
    ISLAND_SPACES,
    NO_COLONISTS,
    NO_GOOD,
    NO_PLACE,
    PLACES,
    QUARRY,
    ROLES,
    TILES,
    VIOLET,
    VIOLET_KINDS,
    buildings_in,
)
from porto_cli.games.puerto_rico.engine.house_rules import USUAL
from porto_cli.games.puerto_rico.engine.moves import (
    Build,
    LoadSmallWharf,
    Move,
    Place,
    Store,
    place_name,
)
from porto_cli.games.puerto_rico.engine.settler_mayor import fewest_and_most
from porto_cli.games.puerto_rico.engine.state import (
    BOXES,
    CITY_END,
    COLONISTS_END,
    MAYOR_PHASE,
    OVER,
    PHASES,
    VP_END,
    State,
)
from porto_cli.research import Field, Look, Many, Tree, counts, one_of

_BUILDINGS = [PLACES[place] for place in BUILDING_PLACES]
_CIRCLED = [place for place, circles in enumerate(CIRCLES) if circles]
"""The places where a colonist can be."""
_ROOM = [ISLAND_SPACES if place <= QUARRY else CIRCLES[place] for place in _CIRCLED]
_PEOPLED = [PLACES[place] for place in _CIRCLED]
_SHIPS = [*map(str, sorted({spaces for box in BOXES.values() for spaces in box.cargo})), "wharf"]
_BY_SMALL_WHARF = "load small-wharf"
_BARRELS = [f"barrels {good}" for good in GOODS]
_COLONISTS = [f"colonists {name}" for name in _PEOPLED]
TEXTS: dict[str, tuple[list[str], str]] = {
    "choose": (
        [f"choose {PLACES[place]}" for place in buildings_in(VIOLET)],
        "the violet building that comes into the game (draft)",
    ),
    "role": (
        [*(f"role {role}" for role in ROLES), "role mayor no-colonist"],
        "the role card; the last one is the mayor without a colonist of the supply",
    ),
    "take": (
        [
            *(f"take {tile}" for tile in (*TILES[: QUARRY + 1], "face-down")),
            *(f"take {tile} forest" for tile in GOODS),
            *(f"take {tile} no-colonist" for tile in TILES[: QUARRY + 1]),
            *(f"take {one} {other}" for one, other in combinations(GOODS, 2)),
        ],
        "a tile or a barrel; a forest; a tile without a colonist; two barrels",
    ),
    "build": (
        [f"build {name}{alone}" for alone in ("", " no-colonist") for name in _BUILDINGS],
        "the building; then each again without a colonist",
    ),
    "sell": (
        [f"sell {good}{post}" for post in ("", " trading-post") for good in GOODS],
        "the good, to the trading house; then to a trading post",
    ),
    "load": (
        [f"load {good} {ship}" for good in GOODS for ship in _SHIPS],
        "the good and the ship, or the wharf",
    ),
    "guest": (
        [f"guest {name}" for name in _PEOPLED if name != PLACES[GUEST_HOUSE]],
        "the place that a guest goes to",
    ),
    "pass": (["pass"], "decline; before production, produce"),
    "return": (
        [
            *(f"return {good}" for good in GOODS),
            "return vp",
            *(f"return colonist {name}" for name in (*_PEOPLED, "san-juan")),
        ],
        "what a Black Market takes back, one thing after the other",
    ),
    "small-wharf": ([_BY_SMALL_WHARF], "load by the Small Wharf; the barrels follow"),
    "barrels": (
        [f"{good} {number}" for good in _BARRELS for number in range(max(BARRELS) + 1)],
        "how many barrels of the good, one good after the other",
    ),
    "colonists": (
        [
            f"{place} {number}"
            for place, room in zip(_COLONISTS, _ROOM, strict=True)
            for number in range(room + 1)
        ],
        "how many colonists on the place, one place after the other",
    ),
}


def parts(move: Move) -> Iterator[str]:
    """Yield the texts of the actions of a move."""
    match move:
        case Place(colonists):
            yield from (
                f"{name} {colonists[place]}"
                for name, place in zip(_COLONISTS, _CIRCLED, strict=True)
            )
        case Store(goods) | LoadSmallWharf(goods):
            if isinstance(move, LoadSmallWharf):
                yield _BY_SMALL_WHARF
            yield from (f"{name} {number}" for name, number in zip(_BARRELS, goods, strict=True))
        case Build(_, good, vp, colonist):
            yield str(move._replace(good=NO_GOOD, vp=False, colonist=NO_PLACE))
            if good != NO_GOOD:
                yield f"return {GOODS[good]}"
            if vp:
                yield "return vp"
            if colonist != NO_PLACE:
                yield f"return colonist {place_name(colonist)}"
        case _:
            yield str(move)


def many(table: State, begun: Sequence[str]) -> Many | None:
    """Return the numbers that a placement, or a load by a Small Wharf, consists of."""
    player = table.players[table.seat]
    if table.phase == MAYOR_PHASE and not begun:
        circles = [player.circles[place] for place in _CIRCLED]
        return Many(_COLONISTS, circles, *fewest_and_most(table, player), _placement)
    if begun and begun[-1] == _BY_SMALL_WHARF:
        return Many(_BARRELS, player.goods, 1, sum(player.goods), LoadSmallWharf)
    return None


def _placement(numbers: bytes) -> Place:
    colonists = bytearray(NO_COLONISTS)
    for place, number in zip(_CIRCLED, numbers, strict=True):
        colonists[place] = number
    return Place(bytes(colonists))


_ENDS = (COLONISTS_END, CITY_END, VP_END)
_VIOLET = buildings_in(VIOLET)


def _in(places: Sequence[int], these: int) -> bytes:
    """Return which of some places are in a set."""
    return bytes([these >> place & 1 for place in places])


def fields(look: Look) -> Iterator[Field]:
    """Yield what a seat may see. VP chips lie face down (PR-SECRET-1)."""
    table, order = look.table, look.order
    seats = len(order)
    players = [table.players[seat] for seat in order]

    def who(seat: int) -> bytes:
        return one_of(order.index(seat) if seat in order else -1, seats)

    def which(these: int) -> bytes:
        return _in(order, these)

    yield "round", 255, [table.round], "the round, counted from 1"
    yield "governor", 1, who(table.governor), "who is governor"
    yield "chooser", 1, who(table.chooser), "whose role is being played, if any is"
    yield "role", 1, one_of(table.role, len(ROLES)), "which role, of all eight"
    taken = b"".join([who(seat) for seat in table.taken])
    yield "taken", 1, taken, "for each role who has taken it in this round"
    yield "role_doubloons", 255, table.role_doubloons, "doubloons on each role"
    yield "tiles", 12, table.row, "face-up plantations of each kind"
    stack = counts(table.stack, len(GOODS))
    yield "stack_tiles", 12, stack, "how many of each kind are face down"
    yield "tile_discards", 12, table.discards, "how many of each kind are discarded"
    yield "quarries", 8, [table.quarries], "quarries left"
    yield "supply", 95, [table.supply], "colonists in the supply"
    yield "ship", 95, [table.ship], "colonists on the colonist ship"
    yield "vp_pool", 122, [table.vp_pool], "VP left in the pool"
    yield "goods_supply", 11, table.goods_supply, "barrels of each good in the supply"
    cargo = b"".join([one_of(good, len(GOODS)) for good in table.cargo_goods])
    yield "cargo_goods", 1, cargo, "for each cargo ship, the smallest first, its good, if any"
    yield "cargo_barrels", 11, table.cargo_barrels, "barrels on each cargo ship"
    house = counts(table.trading_house, len(GOODS))
    yield "trading_house", 4, house, "barrels of each good in the trading house"
    violet = _in(_VIOLET, table.violet)
    yield "violet", 1, violet, "which violet buildings are in the game, in the draft up to now"
    yield "buildings", 4, table.copies[FIRST_BUILDING:], "copies left of each building"
    known = order if table.phase == OVER else (look.seat,)
    chips = [table.players[seat].vp if seat in known else 0 for seat in order]
    yield "vp", 255, chips, "VP chips of each seat; of others at the end"
    yield "doubloons", 255, [one.doubloons for one in players], "doubloons of each seat"
    yield "san_juan", 95, [one.san_juan for one in players], "colonists in San Juan of each seat"
    goods = b"".join([one.goods for one in players])
    yield "goods", 11, goods, "for each seat its barrels of each good"
    island = b"".join([one.island for one in players])
    yield "island", 12, island, "for each seat its plantations, quarries and forests"
    city = b"".join([_in(BUILDING_PLACES, one.city) for one in players])
    yield "city", 1, city, "for each seat which buildings it has"
    colonists = b"".join([one.colonists for one in players])
    yield "colonists", 12, colonists, "for each seat its colonists on each tile and building"
    produced = table.produced
    yield "produced", 11, produced, "craftsman: barrels of each good that the chooser has produced"
    yield "face_down", 1, [table.face_down], "settler: who is to move has used the Hacienda"
    yield "passes", 5, [table.passes], "captain: turns in a row without a load"
    yield "loaded", 1, which(table.loaded), "captain: which seats have loaded"
    yield "wharf_used", 1, which(table.wharf_used), "captain: which seats have used a Wharf"
    small = which(table.small_wharf_used)
    yield "small_wharf_used", 1, small, "captain: which seats have used a Small Wharf"
    ends = [end in table.end_triggered for end in _ENDS]
    yield "end_triggered", 1, ends, f"which of {', '.join(_ENDS)} have triggered the end"
    begun = bytearray(len(tree.names))
    for action in look.begun:
        begun[action] = 1
    yield "begun", 1, begun, "the actions that the move was begun with, those without a choice too"


_MOST_TURNS = 1_000
"""Games at random take up to 300."""

tree = Tree(
    "puerto-rico",
    players=range(2, 6),
    usual=3,
    options=dict(USUAL),
    is_open=True,
    texts=TEXTS,
    parts=parts,
    many=many,
    phases=PHASES,
    about=fields,
    things={"tiles": PLACES, "buildings": PLACES},
    most_turns=_MOST_TURNS,
    longest=(_MOST_TURNS * len(_COLONISTS), VIOLET_KINDS + 6 * (_MOST_TURNS + 1)),
)
"""Puerto Rico, for research."""
