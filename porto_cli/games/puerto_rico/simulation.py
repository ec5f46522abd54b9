"""Puerto Rico for the laboratory: what is counted in many games, and what
:mod:`porto_cli.research` wants to know of it.

As a tree: colonists to place, and barrels to load by a Small Wharf, are numbers, one place or good
after the other, as there can be too many such moves to list.

>>> from porto_cli.games.puerto_rico import Build, Take
>>> tree.encode(Take(0, forest=True))
(2, 25, 11, 86)
>>> [tree.actions[action] for action in tree.encode(Build(25, good=1, vp=True))]
['build', 'hospice', 'return', 'indigo', 'vp', 'done']
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import compress
from random import Random

from porto_cli.abilities import Counted, Group, Simulation
from porto_cli.core.chance import Chance
from porto_cli.games.puerto_rico.engine import (
    BUILDINGS,
    CIRCLES,
    ISLAND_SPACES,
    ONE,
    PLACES,
    ROLES,
    USUAL,
    VIOLET_KINDS,
    buildings_in,
)
from porto_cli.games.puerto_rico.engine.boards import fewest_and_most
from porto_cli.games.puerto_rico.engine.effects import BONUS, final_scores
from porto_cli.games.puerto_rico.engine.moves import (
    SCORE_REASONS,
    Built,
    Earned,
    EndTriggered,
    Event,
    LoadSmallWharf,
    Move,
    Place,
    Scored,
    TookRole,
)
from porto_cli.games.puerto_rico.engine.play import count_moves, legal_moves
from porto_cli.games.puerto_rico.engine.state import END_REASONS, MAYOR_PHASE, OVER, State
from porto_cli.games.puerto_rico.game import standing
from porto_cli.games.puerto_rico.view import PREFIX, Table, view
from porto_cli.research import Many, Tree
from porto_cli.seam import Outcome

# -- Puerto Rico as a simulation: where VP come from, which roles are taken, what is built

MOST_CHOICES = 200
"""The most moves to choose from; if there are more (placements, loads), a sample of them."""
_SAMPLES = 20
_CHIPS, _AT_THE_END, _ROLES, _ON_ROLES = "chips", "at-the-end", "roles", "role-doubloons"
_BUILT, _WINNERS, _ENDS, _COURSE = "built", "winners-built", "ends", "course"
_WON_BY, _SHIPPING, _MIXED, _BUILDING = "won-by", "shipping", "mixed", "building"
MOST_BY_SHIPPING, LEAST_BY_SHIPPING = 0.55, 0.45
"""A winner with a larger share of VP from chips than the first number has won by shipping; with a
smaller one than the second, by building.
"""
_PRINTED, _ROUNDS, _HAND_OVERS = "buildings", "rounds", "hand-overs"
_LARGE = {place: PLACES[place] for place in BONUS}
_EVERY_PLACE = range(len(PLACES))


class PuertoRicoSimulation(Simulation):
    """What simulations count in games of Puerto Rico."""

    extras = ("tie-break",)
    groups = (
        Group(
            _CHIPS,
            SCORE_REASONS,
            "VP chips, on average",
            heads=("shipping", "captain", "harbor", "union", "church", "market"),
            title_of_running="VP chips of the simulated turns, on average",
        ),
        Group(
            _AT_THE_END,
            (_PRINTED, *_LARGE.values()),
            "VP of buildings, printed and of large ones, on average",
            heads=("printed", *(name.partition("-")[0] for name in _LARGE.values())),
        ),
        Group(_ROLES, ROLES, "How often roles were taken"),
        Group(_ON_ROLES, ROLES, "Doubloons found on the role cards"),
        Group(_BUILT, tuple(one.name for one in BUILDINGS), "How often buildings were built"),
        Group(_WINNERS, tuple(one.name for one in BUILDINGS), "What winners had built"),
        Group(
            _WON_BY,
            (_SHIPPING, _MIXED, _BUILDING),
            "How winners won (shipping: over 55% of VP from chips; building: under 45%)",
        ),
        Group(_ENDS, END_REASONS, "What ended the games"),
        Group(_COURSE, (_ROUNDS, _HAND_OVERS), "Rounds, and moves after which another moved"),
    )

    def redeal(self, state: State, known: int | None, chance: Chance) -> State:
        """Return the state: only the order of the stack is hidden, which chance decides."""
        return state

    def choices(self, state: State, rng: Random) -> list[Move]:
        """Return the legal moves; if there are very many placements, a random selection."""
        if state.phase != MAYOR_PHASE or count_moves(state) <= MOST_CHOICES:
            return legal_moves(state, limit=MOST_CHOICES)
        return list(dict.fromkeys(drawn_placement(state, rng) for _ in range(_SAMPLES)))

    def count(self, before: State, after: State, events: Sequence[Event]) -> Iterator[Counted]:
        """Count chips, roles and their doubloons, buildings, what ended it, changes of player."""
        role = ""
        for event in events:
            if isinstance(event, Scored):
                yield event.seat, (_CHIPS, event.reason), event.vp
            elif isinstance(event, TookRole):
                role = ROLES[event.role]
                yield event.seat, (_ROLES, role), 1
            elif isinstance(event, Earned) and event.reason == "role":
                yield event.seat, (_ON_ROLES, role), event.doubloons
            elif isinstance(event, Built):
                yield event.seat, (_BUILT, PLACES[event.building]), 1
            elif isinstance(event, EndTriggered):
                yield before.seat, (_ENDS, event.reason), 1
        if after.phase != OVER and after.seat != before.seat:
            yield before.seat, (_COURSE, _HAND_OVERS), 1

    def count_end(self, state: State, outcome: Outcome) -> Iterator[Counted]:
        """Count the VP of buildings, how the winners won and what they built, and the rounds."""
        yield 0, (_COURSE, _ROUNDS), state.round
        for one in final_scores(state):
            yield one.seat, ("", "tie-break"), one.tie_break
            yield one.seat, (_AT_THE_END, _PRINTED), one.buildings
            for place, vp in one.bonuses:
                yield one.seat, (_AT_THE_END, _LARGE[place]), vp
            if outcome.won[one.seat]:
                share = state.players[one.seat].vp / max(1, one.total)
                yield one.seat, (_WON_BY, _won_by(share)), 1
                for place in buildings_in(state.players[one.seat].city):
                    yield one.seat, (_WINNERS, PLACES[place]), 1

    def standing(self, state: State) -> Outcome:
        """Return the standing of a game that was broken off."""
        return standing(state)._replace(won=(False,) * state.config.seats)


SIMULATION = PuertoRicoSimulation()
"""The simulation of Puerto Rico."""


def _won_by(share: float) -> str:
    """Return how a player has won, by the share of their VP that is chips."""
    if share > MOST_BY_SHIPPING:
        return _SHIPPING
    return _BUILDING if share < LEAST_BY_SHIPPING else _MIXED


def drawn_placement(state: State, rng: Random) -> Place:
    """Place as many colonists as possible on random circles."""
    player, random = state.players[state.seat], rng.random
    empty = bytearray()
    for place in compress(_EVERY_PLACE, player.circles):
        empty += ONE[place] * player.circles[place]
    colonists = bytearray(len(_EVERY_PLACE))
    for _ in range(min(player.people, len(empty))):
        colonists[empty.pop(int(random() * len(empty)))] += 1
    return Place(bytes(colonists))


# -- What ``porto_cli.research`` wants to know

_CIRCLED = [place for place, circles in enumerate(CIRCLES) if circles]
"""The places for colonists."""
_PLACED = partial(Place.on, _CIRCLED)
_BY_SMALL_WHARF = ("load", "small-wharf")
_VERBS = ("choose", "role", "take", "build", "sell", "load", "guest", "store", "pass")
_OTHERS = ("none", "face-down", "forest", "no-colonist", "return", "vp", "colonist", "san-juan")
_NUMBERS = tuple(str(number) for number in range(ISLAND_SPACES + 1))
"""The numbers of barrels and colonists, and of the spaces of ships."""
_WORDS = tuple(dict.fromkeys((*_VERBS, *_OTHERS, *ROLES, *PLACES, *_NUMBERS)))


def parts(move: Move) -> Iterator[str]:
    """Yield the words of a move; for placements and loads by a Small Wharf, the numbers."""
    match move:
        case Place(colonists):
            yield from (str(colonists[place]) for place in _CIRCLED)
        case LoadSmallWharf(goods):
            yield from (*_BY_SMALL_WHARF, *map(str, goods))
        case _:
            yield from str(move).split()


def many(table: State, begun: Sequence[str]) -> Many | None:
    """Return the numbers that make up a placement or a load by a Small Wharf."""
    player = table.players[table.seat]
    if table.phase == MAYOR_PHASE and not begun:
        circles = [player.circles[place] for place in _CIRCLED]
        return Many(circles, *fewest_and_most(table, player), _PLACED)
    if (*begun,) == _BY_SMALL_WHARF:
        return Many(player.goods, 1, sum(player.goods), LoadSmallWharf)
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
