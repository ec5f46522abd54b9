"""A game as a tree: each step is one decision, or one thing that comes up.

A :class:`Node` is a value. Of the rules there is nothing here: which tiles come up, and what
follows, is decided by the engine.

>>> node = root(config_of(3))
>>> node.pile.stream, len(outcomes(node))
('tiles', 5)
>>> node = play_on(node, by_seed("arecibo"))
>>> node.table.phase, len(legal(node))
('role', 7)

What a seat may know of a place has one byte for each number, field by field. The seats come in the
order in which they play, who looks first. Nothing is scaled: :func:`most` returns the largest value
of each number, to divide by.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

from porto_cli.core.chance import Chance
from porto_cli.games.puerto_rico.engine.components import (
    FIRST_BUILDING,
    GOODS,
    PLACES,
    ROLES,
    TILES,
    VIOLET,
    VIOLET_KINDS,
    buildings_in,
)
from porto_cli.games.puerto_rico.engine.moves import Move
from porto_cli.games.puerto_rico.engine.play import apply
from porto_cli.games.puerto_rico.engine.setup import begin, deal
from porto_cli.games.puerto_rico.engine.state import (
    CITY_END,
    COLONISTS_END,
    OVER,
    VP_END,
    Config,
    State,
)
from porto_cli.games.puerto_rico.engine.state import PHASES as PHASES_OF_GAME
from porto_cli.games.puerto_rico.game import PUERTO_RICO
from porto_cli.games.puerto_rico.research import actions
from porto_cli.games.puerto_rico.view import view
from porto_cli.research.tree import Asked, Layout, Numbers, chance_of, names_of, shares
from porto_cli.research.tree import Pile as AnyPile
from porto_cli.research.tree import by_seed as by_seed
from porto_cli.research.tree import chosen as chosen
from porto_cli.research.tree import come_up as come_up
from porto_cli.research.tree import outcomes as outcomes
from porto_cli.research.tree import play_on as play_on

PLAYERS = range(2, 6)
"""Numbers of players."""
MOST_OUTCOMES = len(PLACES)
"""Things that come up, tiles and random buildings, are places, and numbered below this."""
NAMES = names_of(PLAYERS)
"""The players, by their seats; the first is the first governor."""
MOST_MOVES = 1_000
"""Moves after which a game ends as the table stands: nobody can be made to end one.

Games at random take up to 300.
"""


class Pile(AnyPile):
    """A pile: of ``tiles``, or of ``buildings`` where they are random."""

    __slots__ = ()

    def name(self, thing: int) -> str:
        """Return what a thing of this pile is called."""
        return PLACES[thing]


class Node(NamedTuple):
    """A place in the tree: a decision, something that comes up, or the end."""

    config: Config
    state: State | None
    """The table before ``move``; ``None`` while it is set up."""
    pile: Pile | None = None
    """What something comes up from now; ``None`` at a decision and at the end."""
    came_up: bytes = b""
    """What has come up since ``state``, in order, while something is still to come up."""
    begun: tuple[int, ...] = ()
    """The actions of a move that is not yet complete, those included that left no choice."""
    move: Move | None = None
    """The move that was made, while something is still to come up by it."""

    @property
    def table(self) -> State:
        """The table. Raises ValueError while it is set up."""
        if self.state is None:
            raise ValueError("The table is not yet set up.")
        return self.state

    @property
    def over(self) -> bool:
        """Return whether the game has ended."""
        return self.pile is None and self.table.phase == OVER

    def settled(self, came_up: bytes) -> Node:
        """Return the node at which this has come up since ``state``."""
        return _settled(self.config, self.state, self.move, came_up)

    def __deepcopy__(self, memo: dict[int, Any]) -> Node:
        """Return the node itself, as nodes are immutable."""
        return self


def config_of(players: int, **options: Any) -> Config:
    """Return the configuration for a number of players; the options are ``buildings`` and
    ``rulebook``, see :class:`Config`. Raises ValueError.
    """
    if players not in PLAYERS:
        raise ValueError(f"Puerto Rico has {PLAYERS[0]} to {PLAYERS[-1]} players, not {players}.")
    config: Config = PUERTO_RICO.options.new_config(NAMES[:players], **options)
    return config


def root(config: Config) -> Node:
    """Return the beginning: the first tile, or the first random building, comes up."""
    return _settled(config, None, None, b"")


def legal(node: Node) -> list[int]:
    """Return the legal actions, in order; none where something comes up and at the end."""
    return [] if node.pile is not None else actions.next_actions(node.table, node.begun)


def play(node: Node, action: int, chance: Chance | None = None) -> Node:
    """Return the node after a legal action.

    With a ``chance`` what comes up has come up: the same as :func:`play_on`, and quicker.
    """
    return _advanced(node.config, node.table, (*node.begun, action), chance)


def _advanced(
    config: Config, state: State, begun: tuple[int, ...], chance: Chance | None = None
) -> Node:
    """Go on with a move as long as there is one way to."""
    following = actions.next_actions(state, begun)
    while len(following) == 1:
        begun = (*begun, following[0])
        following = actions.next_actions(state, begun)
    if following or state.phase == OVER:
        return Node(config, state, begun=begun)
    move = actions.decode(*begun)
    if chance is None:
        return _settled(config, state, move, b"")
    return _arrived(config, apply(state, move, chance)[0])


def _arrived(config: Config, state: State) -> Node:
    """Return the decision at a table, or the end."""
    if state.turn >= MOST_MOVES and state.phase != OVER:
        state = state.copy()
        state.phase = OVER
    return _advanced(config, state, ())


def _settled(config: Config, state: State | None, move: Move | None, came_up: bytes) -> Node:
    """Let come up what has come up, in order, and find out what comes up next, if anything."""
    chance = chance_of(came_up)
    try:
        if state is None or move is None:
            after = begin(config, deal(config, chance))
        else:
            after, _ = apply(state, move, chance)
    except Asked as asked:
        return Node(config, state, Pile(*asked.pile), came_up, move=move)
    return _arrived(config, after)


def is_secret(node: Node, action: int) -> bool:
    """Return whether one seat alone knows what happened here: never (PR-SECRET-1).

    VP chips lie face down, but everybody has seen them taken.
    """
    return False


def returns(node: Node) -> tuple[float, ...]:
    """Return what each seat has won: who is first 1, or a share of it (PR-RANK-1); the others lose
    it together. Before the end all is 0.
    """
    return shares(PUERTO_RICO.outcome(node.table) if node.pile is None else None, node.config.seats)


def least_return(seats: int) -> float:
    """Return the least that a seat can win: all others share the first place."""
    return -1.0


def longest(config: Config) -> tuple[int, int]:
    """Return how many actions, and how many things that come up, no game has more of."""
    things = config.row + VIOLET_KINDS
    return MOST_MOVES * actions.LONGEST, things + MOST_MOVES * config.row


SETUP, CHANCE = "setup", "chance"
PHASES = (SETUP, CHANCE, *PHASES_OF_GAME)
"""What the game waits for; during setup and when something comes up, for no player."""
_MOST = 255
_ENDS = (COLONISTS_END, CITY_END, VP_END)
_PHASE = "phase"
_SEATS = ("seats",)
"""The players, in the order in which they play, who looks first."""
_VIOLET = [PLACES[place] for place in buildings_in(VIOLET)]
_BUILDINGS = PLACES[FIRST_BUILDING:]

_FIELDS: tuple[tuple[str, int, Sequence[object], str], ...] = (
    ("player", 1, (), "the seat of the observer, one of all in turn order"),
    ("to_move", 1, _SEATS, "who is to move, if anyone"),
    (_PHASE, 1, PHASES, f"one of {', '.join(PHASES)}"),
    ("round", _MOST, (), "the round, counted from 1"),
    ("governor", 1, _SEATS, "who is governor"),
    ("chooser", 1, _SEATS, "whose role is being played, if any is"),
    ("role", 1, ROLES, "which role, of all eight"),
    ("taken", 1, _SEATS, "for each role who has taken it in this round"),
    ("role_doubloons", _MOST, (), "doubloons on each role"),
    ("tiles", 12, GOODS, "face-up plantations of each kind"),
    ("stack_tiles", 12, GOODS, "how many of each kind are face down"),
    ("tile_discards", 12, GOODS, "how many of each kind are discarded"),
    ("quarries", 8, (), "quarries left"),
    ("supply", 95, (), "colonists in the supply"),
    ("ship", 95, (), "colonists on the colonist ship"),
    ("vp_pool", 122, (), "VP left in the pool"),
    ("goods_supply", 11, GOODS, "barrels of each good in the supply"),
    ("cargo_goods", 1, GOODS, "for each cargo ship, the smallest first, its good, if any"),
    ("cargo_barrels", 11, (), "barrels on each cargo ship"),
    ("trading_house", 4, GOODS, "barrels of each good in the trading house"),
    ("violet", 1, _VIOLET, "which violet buildings are in the game, in the draft up to now"),
    ("buildings", 4, _BUILDINGS, "copies left of each building"),
    ("vp", _MOST, (), "VP chips of each seat; of others at the end"),
    ("doubloons", _MOST, (), "doubloons of each seat"),
    ("san_juan", 95, (), "colonists in San Juan of each seat"),
    ("goods", 11, GOODS, "for each seat its barrels of each good"),
    ("island", 12, TILES, "for each seat its plantations, quarries and forests"),
    ("city", 1, _BUILDINGS, "for each seat which buildings it has"),
    ("colonists", 12, PLACES, "for each seat its colonists on each tile and building"),
    ("produced", 11, GOODS, "craftsman: barrels of each good that the chooser has produced"),
    ("face_down", 1, (), "settler: who is to move has used the Hacienda"),
    ("passes", 5, (), "captain: turns in a row without a load"),
    ("loaded", 1, _SEATS, "captain: which seats have loaded"),
    ("wharf_used", 1, _SEATS, "captain: which seats have used a Wharf"),
    ("small_wharf_used", 1, _SEATS, "captain: which seats have used a Small Wharf"),
    ("end_triggered", 1, _ENDS, f"which of {', '.join(_ENDS)} have triggered the end"),
    (
        "begun",
        1,
        range(actions.COUNT),
        "the actions that the move was begun with, those without a choice too",
    ),
)
"""Name, largest value, what it is about, and meaning; most are keys of the view."""


def _numbers(node: Node, seat: int | None) -> Iterator[bytes]:
    """Yield the fields of what a seat may see, in order."""
    facts = _facts(node, view(node.table, seat), seat or 0)
    for name, most, kinds, _ in _FIELDS:
        numbers = _counted(facts[name], facts["seats"] if kinds is _SEATS else kinds)
        yield bytes(numbers) if most < _MOST else bytes(min(most, number) for number in numbers)


def _facts(node: Node, seen: dict[str, Any], first: int) -> dict[str, Any]:
    """Return the view with the facts that it has by role, ship and player one by one."""
    players = (*seen["players"][first:], *seen["players"][:first])
    roles = [seen["roles"].get(role, {"taken": None, "doubloons": 0}) for role in ROLES]
    ships = [load or {"good": None, "barrels": 0} for load in seen["cargo"].values()]
    islands = [player["island"].items() for player in players]
    return {
        **seen,
        "seats": [player["name"] for player in players],
        "player": tuple(player is players[0] for player in seen["players"]),
        "to_move": seen["to_move"] if node.pile is None and not node.over else [],
        _PHASE: CHANCE if node.pile else seen["phase"],
        "taken": tuple(role["taken"] for role in roles),
        "role_doubloons": tuple(role["doubloons"] for role in roles),
        "cargo_goods": tuple(ship["good"] for ship in ships),
        "cargo_barrels": tuple(ship["barrels"] for ship in ships),
        "vp": tuple(player["vp"] or 0 for player in players),
        **{
            name: tuple(player[name] for player in players)
            for name in ("doubloons", "san_juan", "goods")
        },
        "island": tuple({tile: kind["tiles"] for tile, kind in island} for island in islands),
        "city": tuple([*player["city"]] for player in players),
        "colonists": tuple(
            {**player["city"], **{tile: kind["colonists"] for tile, kind in island}}
            for player, island in zip(players, islands, strict=True)
        ),
        "begun": [*{*node.begun}],
    }


def _counted(fact: object, kinds: Sequence[object]) -> Iterable[int]:
    """Return a number for each kind: how often it is there; of a number that itself."""
    match fact:
        case dict():
            return [fact.get(kind, 0) for kind in kinds]
        case tuple():
            return [number for part in fact for number in _counted(part, kinds)]
        case list():
            return [fact.count(kind) for kind in kinds] if fact else bytes(len(kinds))
        case int():
            return (fact,)
    return [kind == fact for kind in kinds]


@cache
def fields(players: int) -> tuple[Numbers, ...]:
    """Return the fields of an observation for a number of players, in order."""
    node = play_on(root(config_of(players)), by_seed(""))
    return tuple(
        Numbers(name, len(numbers), most, meaning)
        for (name, most, _, meaning), numbers in zip(_FIELDS, _numbers(node, 0), strict=True)
    )


_LAYOUT = Layout(fields)
size, most, places = _LAYOUT.size, _LAYOUT.most, _LAYOUT.places


def observation(node: Node, seat: int | None) -> bytes:
    """Return what a seat may know; ``None`` is a bystander, who looks from the first seat."""
    seats, first = node.config.seats, seat or 0
    if node.state is None:
        found = bytearray(size(seats))
        found[first] = found[places(seats)[_PHASE].start + PHASES.index(SETUP)] = 1
        return bytes(found)
    return b"".join(_numbers(node, seat))


def observed(node: Node, seat: int | None) -> str:
    """Return what a seat, or (``None``) a bystander, may know."""
    if node.state is None:
        return "The table is set up."
    lines = PUERTO_RICO.table(node.state, seat)
    if node.pile is not None:
        lines.append(f"something comes up from the {node.pile.stream}")
    if node.begun:
        lines.append(f"begun: {', '.join(map(actions.name, node.begun))}")
    return "\n".join(lines if seat is None else [*lines, f"seen by {node.config.players[seat]}"])


def everything(node: Node) -> str:
    """Return the whole table, with all that is hidden."""
    came_up = f"came up: {' '.join(map(str, node.came_up))}"
    if node.state is None:
        return f"The table is set up; {came_up}"
    chips = " ".join(str(player.vp) for player in node.state.players)
    return f"{observed(node, None)}\nVP chips: {chips}\n{came_up}"


def own(node: Node, seat: int | None) -> str:
    """Return what of the past a seat alone knows: nothing."""
    return "nothing"
