"""Puerto Rico for those who research games: what :mod:`porto_cli.research` wants to know of it.

Colonists to place, and barrels to load by a Small Wharf, are numbers, one place or good after the
other: there can be too many such moves to list.

>>> from porto_cli.games.puerto_rico import Build, Take
>>> tree.encode(Take(0, forest=True))
(2, 25, 11, 86)
>>> [tree.actions[action] for action in tree.encode(Build(25, good=1, vp=True))]
['build', 'hospice', 'return', 'indigo', 'vp', 'done']
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from porto_cli.games.puerto_rico.engine.components import (
    CIRCLES,
    ISLAND_SPACES,
    PLACES,
    ROLES,
    VIOLET_KINDS,
)
from porto_cli.games.puerto_rico.engine.house_rules import USUAL
from porto_cli.games.puerto_rico.engine.moves import LoadSmallWharf, Move, Place
from porto_cli.games.puerto_rico.engine.settler_mayor import fewest_and_most
from porto_cli.games.puerto_rico.engine.state import MAYOR_PHASE, State
from porto_cli.games.puerto_rico.view import PREFIX, Table, view
from porto_cli.research import Many, Tree

_CIRCLED = [place for place, circles in enumerate(CIRCLES) if circles]
"""The places where a colonist can be."""
_PLACED = partial(Place.on, _CIRCLED)
_BY_SMALL_WHARF = ("load", "small-wharf")
_VERBS = ("choose", "role", "take", "build", "sell", "load", "guest", "store", "pass")
_OTHERS = ("none", "face-down", "forest", "no-colonist", "return", "vp", "colonist", "san-juan")
_NUMBERS = tuple(str(number) for number in range(ISLAND_SPACES + 1))
"""Of barrels and colonists, and of the spaces of ships."""
_WORDS = tuple(dict.fromkeys((*_VERBS, *_OTHERS, *ROLES, *PLACES, *_NUMBERS)))


def parts(move: Move) -> Iterator[str]:
    """Yield the words of a move; of colonists, and of barrels by a Small Wharf, the numbers."""
    match move:
        case Place(colonists):
            yield from (str(colonists[place]) for place in _CIRCLED)
        case LoadSmallWharf(goods):
            yield from (*_BY_SMALL_WHARF, *map(str, goods))
        case _:
            yield from str(move).split()


def many(table: State, begun: Sequence[str]) -> Many | None:
    """Return the numbers that a placement, or a load by a Small Wharf, consists of."""
    player = table.players[table.seat]
    if table.phase == MAYOR_PHASE and not begun:
        circles = [player.circles[place] for place in _CIRCLED]
        return Many(0, circles, *fewest_and_most(table, player), _PLACED)
    if (*begun,) == _BY_SMALL_WHARF:
        return Many(len(begun), player.goods, 1, sum(player.goods), LoadSmallWharf)
    return None


_MOST_TURNS = 1_000
"""Games at random take up to 300."""

tree = Tree(
    "puerto-rico",
    players=range(2, 6),
    usual=3,
    options=dict(USUAL),
    is_open=True,
    words=_WORDS,
    longest_move=len(_CIRCLED) + 1,
    table=Table,
    seen=partial(view, reckoned=False),
    prefix=PREFIX,
    bounds={
        **dict.fromkeys(("tiles", "stack_tiles", "tile_discards", "island", "city"), 12),
        **dict.fromkeys(("goods", "goods_supply", "produced", "barrels", "circles"), 12),
        **dict.fromkeys(("colonists", "island_spaces", "city_spaces"), 12),
        **dict.fromkeys(("supply", "ship", "san_juan"), 95),
        "cargo": 3,
        "buildings": 4,
        "prices": 10,
        "vp_pool": 122,
        "quarries": 8,
        "passes": 5,
    },
    without={"name", "score", "result"},
    parts=parts,
    many=many,
    things={"tiles": PLACES, "buildings": PLACES},
    most_turns=_MOST_TURNS,
    longest=(_MOST_TURNS * len(_CIRCLED), VIOLET_KINDS + 6 * (_MOST_TURNS + 1)),
)
"""Puerto Rico, for research."""
