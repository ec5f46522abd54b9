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
    BUILDING_PLACES,
    FIRST_BUILDING,
    GOODS,
    PLACES,
    ROLES,
    VIOLET,
    VIOLET_KINDS,
    buildings_in,
    counts_of,
)
from porto_cli.games.puerto_rico.engine.moves import Move
from porto_cli.games.puerto_rico.engine.play import apply
from porto_cli.games.puerto_rico.engine.setup import begin, deal
from porto_cli.games.puerto_rico.engine.state import (
    CITY_END,
    COLONISTS_END,
    NOBODY,
    OVER,
    VP_END,
    Config,
    Player,
    State,
)
from porto_cli.games.puerto_rico.engine.state import PHASES as PHASES_OF_GAME
from porto_cli.games.puerto_rico.game import PUERTO_RICO, view
from porto_cli.games.puerto_rico.research import actions
from porto_cli.research.tree import Asked, Field, Layout, chance_of, names_of, one_of, shares
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

_FIELDS = (
    ("seat", 1, "the seat of the observer, one of all in turn order"),
    ("to-move", 1, "who is to move, if anyone"),
    (_PHASE, 1, f"one of {', '.join(PHASES)}"),
    ("round", _MOST, "the round, counted from 1"),
    ("governor", 1, "who is governor"),
    ("chooser", 1, "whose role is being played, if any is"),
    ("role", 1, "which role, of all eight"),
    ("taken", 1, "for each role who has taken it in this round"),
    ("role-doubloons", _MOST, "doubloons on each role"),
    ("row", 12, "face-up plantations of each kind"),
    ("stack", 12, "how many of each kind are face down"),
    ("discards", 12, "how many of each kind are discarded"),
    ("quarries", 8, "quarries left"),
    ("supply", 95, "colonists in the supply"),
    ("ship", 95, "colonists on the colonist ship"),
    ("vp-pool", 122, "VP left in the pool"),
    ("goods-supply", 11, "barrels of each good in the supply"),
    ("cargo-goods", 1, "for each cargo ship, the smallest first, its good, if any"),
    ("cargo-barrels", 11, "barrels on each cargo ship"),
    ("trading-house", 4, "barrels of each good in the trading house"),
    ("violet", 1, "which violet buildings are in the game, in the draft up to now"),
    ("copies", 4, "copies left of each building"),
    ("vp", _MOST, "VP chips of each seat; of others at the end"),
    ("doubloons", _MOST, "doubloons of each seat"),
    ("san-juan", 95, "colonists in San Juan of each seat"),
    ("goods", 11, "for each seat its barrels of each good"),
    ("island", 12, "for each seat its plantations, quarries and forests"),
    ("city", 1, "for each seat which buildings it has"),
    ("colonists", 12, "for each seat its colonists on each tile and building"),
    ("produced", 11, "craftsman: barrels of each good that the chooser has produced"),
    ("face-down", 1, "settler: who is to move has used the Hacienda"),
    ("passes", 5, "captain: turns in a row without a load"),
    ("loaded", 1, "captain: which seats have loaded"),
    ("wharf-used", 1, "captain: which seats have used a Wharf"),
    ("small-wharf-used", 1, "captain: which seats have used a Small Wharf"),
    ("end", 1, f"which of {', '.join(_ENDS)} have triggered the end"),
    ("begun", 1, "the actions that the move was begun with, those without a choice too"),
)
"""Name, largest value and meaning; what :func:`_special` lacks is called so in the engine."""
_OF_SEATS = ("doubloons", "san-juan", "goods", "island", "colonists")


def _special(node: Node, table: State, order: Sequence[int]) -> dict[str, Iterable[int]]:
    """Return the fields that are not as they are in the engine. ``order`` begins with who looks."""
    waits = node.pile is None and not node.over
    players = [table.players[seat] for seat in order]
    begun = bytearray(actions.COUNT)
    for action in node.begun:
        begun[action] = 1

    def who(seat: int) -> bytes:
        return one_of(order.index(seat) if seat >= 0 else NOBODY, len(order))

    return {
        "seat": one_of(order[0], len(order)),
        "to-move": who(table.seat if waits else NOBODY),
        _PHASE: one_of(PHASES.index(CHANCE if node.pile else table.phase), len(PHASES)),
        "governor": who(table.governor),
        "chooser": who(table.chooser),
        "role": one_of(table.role, len(ROLES)),
        "taken": b"".join(map(who, table.taken)),
        "stack": counts_of(table.stack),
        "cargo-goods": b"".join(one_of(good, len(GOODS)) for good in table.cargo_goods),
        "trading-house": counts_of(table.trading_house),
        "violet": [table.violet >> place & 1 for place in buildings_in(VIOLET)],
        "copies": table.copies[FIRST_BUILDING:],
        "city": [one.city >> place & 1 for one in players for place in BUILDING_PLACES],
        "loaded": [table.loaded >> seat & 1 for seat in order],
        "wharf-used": [table.wharf_used >> seat & 1 for seat in order],
        "small-wharf-used": [table.small_wharf_used >> seat & 1 for seat in order],
        **{name: [n for one in players for n in _each(one, name)] for name in _OF_SEATS},
        "end": [reason in table.end_triggered for reason in _ENDS],
        "begun": begun,
    }


def _numbers(node: Node, seat: int | None) -> Iterator[bytes]:
    """Yield the fields of a table, in order."""
    seats = node.config.seats
    table: State = view(node.table, seat).table
    order = [((seat or 0) + nth) % seats for nth in range(seats)]
    special = _special(node, table, order)
    known = order if node.over else [seat]
    special["vp"] = [table.players[each].vp if each in known else 0 for each in order]
    for name, most, _ in _FIELDS:
        numbers = special[name] if name in special else _each(table, name)
        yield bytes(numbers) if most < _MOST else bytes(min(most, number) for number in numbers)


def _each(one: State | Player, name: str) -> Iterable[int]:
    """Return the numbers of a fact of the engine."""
    fact = getattr(one, name.replace("-", "_"))
    return [fact] if isinstance(fact, int) else fact


@cache
def fields(players: int) -> tuple[Field, ...]:
    """Return the fields of an observation for a number of players, in order."""
    node = play_on(root(config_of(players)), by_seed(""))
    return tuple(
        Field(name, len(numbers), most, meaning)
        for (name, most, meaning), numbers in zip(_FIELDS, _numbers(node, 0), strict=True)
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
