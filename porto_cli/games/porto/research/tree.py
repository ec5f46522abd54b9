"""A game as a tree: each step is one decision, or one thing that comes up.

A :class:`Node` is a value. Of the rules there is nothing here: which piles things come from, and
what follows, is decided by the engine.

>>> node = root(config_of(2))
>>> node.pile.stream, len(outcomes(node))
('tokens', 4)
>>> node = play_on(node, by_seed("tram"))
>>> node.state.phase, legal(node) == list(range(10))
('keep', True)

What a seat may know of a place has one byte for each number, field by field. The seats come in the
order in which they play, who looks first. Nothing is scaled: :func:`most` returns the largest value
of each number, to divide by. The sizes are those of the box that comes with porto.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from porto_cli.core.chance import Chance
from porto_cli.games.porto.engine.components import (
    CARD_SPACES,
    CARDS,
    COLORS,
    CONTRACT_SPACES,
    DEALT,
    HOUSES,
    PRIVATE,
    PUBLIC,
)
from porto_cli.games.porto.engine.moves import Build, Move, Pass
from porto_cli.games.porto.engine.play import apply, finish, turn_up
from porto_cli.games.porto.engine.state import (
    ACT,
    CONTRACTS,
    KEEP,
    OVER,
    Config,
    State,
    begin,
    deal,
)
from porto_cli.games.porto.game import PORTO
from porto_cli.games.porto.notation import PRIVATE_NAMES, PUBLIC_NAMES
from porto_cli.games.porto.research import actions
from porto_cli.games.porto.view import view
from porto_cli.research.tree import Asked, Layout, chance_of, names_of, shares
from porto_cli.research.tree import Numbers as Numbers
from porto_cli.research.tree import Pile as AnyPile
from porto_cli.research.tree import by_seed as by_seed
from porto_cli.research.tree import chosen as chosen
from porto_cli.research.tree import come_up as come_up
from porto_cli.research.tree import outcomes as outcomes
from porto_cli.research.tree import play_on as play_on

PLAYERS = range(2, 5)
"""Numbers of players; the solo game is left out, as it has no opponent."""
MOST_OUTCOMES = max(len(CARDS), len(PUBLIC), len(PRIVATE))
"""Things that come up are numbered below this, in each pile anew."""
NAMES = names_of(PLAYERS)
"""The players, by their seats."""


class Pile(AnyPile):
    """A pile: of ``tokens``, ``cards``, ``contracts`` or ``private`` contracts."""

    __slots__ = ()

    def name(self, thing: int) -> str:
        """Return what a thing of this pile is called."""
        if self.stream == "cards":
            return CARDS[thing]
        if self.stream == "contracts":
            return PUBLIC[thing].name
        return PRIVATE[thing].name if self.stream == "private" else f"token {thing}"


class Node(NamedTuple):
    """A place in the tree: a decision, something that comes up, or the end."""

    config: Config
    state: State | None
    """The table; without what has still to come up; ``None`` while it is set up."""
    pile: Pile | None = None
    """What something comes up from now; ``None`` at a decision and at the end."""
    came_up: bytes = b""
    """What has come up since ``state``, in order, while something is still to come up."""
    build: int | None = None
    """The build that waits for the roof for its token, which is not yet on the table."""
    passed: int = 0
    """How many turns were passed, one after the other, up to now."""

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

    @property
    def begun(self) -> tuple[int, ...]:
        """The actions of a move that is not yet complete."""
        return () if self.build is None else (self.build,)

    def settled(self, came_up: bytes) -> Node:
        """Return the node at which this has come up since ``state``."""
        return _settled(self.config, self.state, came_up)

    def __deepcopy__(self, memo: dict[int, Any]) -> Node:
        """Return the node itself, as nodes are immutable."""
        return self


def config_of(players: int, **options: Any) -> Config:
    """Return the configuration for a number of players; the options are ``private_contracts`` and
    ``seat_first``, see :class:`Config`. Raises ValueError.
    """
    if players not in PLAYERS:
        raise ValueError(f"Here Porto has {PLAYERS[0]} to {PLAYERS[-1]} players, not {players}.")
    config: Config = PORTO.new_config(NAMES[:players], **options)
    return config


def root(config: Config) -> Node:
    """Return the beginning: the first token comes up."""
    return _settled(config, None, b"")


def legal(node: Node) -> list[int]:
    """Return the legal actions, in order; none where something comes up and at the end."""
    if node.pile is not None:
        return []
    if node.build is not None:
        return actions.legal_roofs(node.table)
    return actions.legal_actions(node.table)


def play(node: Node, action: int, chance: Chance | None = None) -> Node:
    """Return the node after a legal action.

    With a ``chance`` what comes up has come up: the same as :func:`play_on`, and quicker.
    """
    state = node.table
    if node.build is not None:
        return _moved(node, actions.decode(node.build, action), chance)
    if actions.waits_for_roof(state, action):
        return node._replace(build=action)
    return _moved(node, actions.decode(action), chance)


def _moved(node: Node, move: Move, chance: Chance | None) -> Node:
    passed = node.passed + 1 if isinstance(move, Pass) else 0
    state, _ = apply(node.table, move, chance)
    if passed == node.config.seats and state.phase != OVER:
        # With all the cards in hands that cannot build, nothing would ever happen again.
        return Node(node.config, finish(state)[0])
    if chance is not None or state.phase == CONTRACTS:
        return Node(node.config, state, passed=passed)
    return _settled(node.config, state, b"", passed)


def _settled(config: Config, state: State | None, came_up: bytes, passed: int = 0) -> Node:
    """Let come up what has come up, in order, and find out what comes up next, if anything.

    After a turn that was passed nothing does: there would have been a card to draw.
    """
    chance = chance_of(came_up)
    try:
        after = begin(config, deal(config, chance)) if state is None else turn_up(state, chance)[0]
    except Asked as asked:
        return Node(config, state, Pile(*asked.pile), came_up)
    return Node(config, after, passed=passed)


def is_secret(node: Node, action: int) -> bool:
    """Return whether one seat alone knows what happened here: what it was dealt, and what it keeps.

    ``action`` is the action taken at this node, or what came up (P-SETUP-5).
    """
    if node.pile is not None:
        return node.pile.stream == "private"
    return action in actions.KEEPING.actions


def returns(node: Node) -> tuple[float, ...]:
    """Return what each seat has won: 1 for the first place, and the others lose it together.

    There are no draws (P-RANK-1). Before the end all is 0.
    """
    return shares(PORTO.outcome(node.table) if node.pile is None else None, node.config.seats)


def least_return(seats: int) -> float:
    """Return the least that a seat can win."""
    return -1 / (seats - 1)


def things_in_setup(config: Config) -> int:
    """Return how many things come up before the first move that everybody sees.

    The private contracts of the first seat come up next, then those of the others.
    """
    return len(config.houses) + CARD_SPACES + CONTRACT_SPACES


def longest(config: Config) -> tuple[int, int]:
    """Return how many actions, and how many things that come up, no game has more of.

    Each build adds a floor, and gives back two cards; each draw takes one; who can do neither
    passes, until somebody builds or all have passed.
    """
    seats, cards = config.seats, len(config.construction_deck())
    builds = sum(config.heights)
    drawn = cards + 2 * builds
    passes = (seats - 1) * builds + seats
    private = DEALT * seats if config.private_contracts else 0
    decisions = seats + 3 * builds + drawn + passes
    return decisions, things_in_setup(config) + private + drawn + config.public_total


SETUP, CHANCE, TOKEN = "setup", "chance", "token"
PHASES = (SETUP, CHANCE, KEEP, ACT, TOKEN, CONTRACTS, OVER)
"""What the game waits for; during setup and when something comes up, for no player."""
_MOST = 255


@cache
def fields(players: int) -> tuple[Numbers, ...]:
    """Return the fields of an observation for a number of players, in order."""
    houses, cards, public, private = len(HOUSES), len(CARDS), len(PUBLIC), len(PRIVATE)
    return (
        Numbers("seat", players, 1, "the seat of the observer, one of all in turn order"),
        Numbers("to-move", players, 1, "who is to move, if anyone"),
        Numbers("phase", len(PHASES), 1, f"one of {', '.join(PHASES)}"),
        Numbers("turns", 1, _MOST, "turns that are over"),
        Numbers("turns-left", 1, 2 * players, "turns left once the end is triggered, 0 before"),
        Numbers("roofs", 1, houses, "roofs placed"),
        Numbers("heights", houses, 6, "floors that each house can have, 0 if not in play"),
        Numbers("floors", houses, 6, "floors in each house"),
        Numbers("colors", houses * len(COLORS), 1, "for each house one of the colors, or none"),
        Numbers("ground-tokens", houses, 4, "the token on the ground floor of each house"),
        Numbers("roof-tokens", houses, 4, "the token on the roof space of each house"),
        Numbers("tiles", 2 * len(COLORS), 15, "ground floors left of each color, upper floors"),
        Numbers("cards", CARD_SPACES * cards, 1, "for each space of the row one of the cards"),
        Numbers(
            "contracts", CONTRACT_SPACES * public, 1, "for each space one of the public contracts"
        ),
        Numbers("deck", cards, 4, "how many of each card are face down"),
        Numbers("discards", cards, 4, "how many of each card are discarded"),
        Numbers("contract-deck", public, 1, "which public contracts are face down"),
        Numbers("hands", players * cards, 4, "for each seat how many of each card it holds"),
        Numbers("scores", players, _MOST, "VP of each seat"),
        Numbers("fulfilled", players, public, "public contracts that each seat has fulfilled"),
        Numbers(
            "dealt", DEALT * private, 1, "for each of the five dealt one of the private contracts"
        ),
        Numbers(
            "kept",
            players * private,
            2,
            "for each seat how many of each private contract it keeps; of others at the end",
        ),
        Numbers("has-kept", players, 1, "whether each seat has chosen its private contracts"),
        Numbers("met", CONTRACT_SPACES, 1, "which public contracts the build meets"),
        Numbers(
            "build",
            2 * cards + houses,
            1,
            "the build that waits for its token or contracts: number, color, house",
        ),
    )


_LAYOUT = Layout(fields)
size, most, places = _LAYOUT.size, _LAYOUT.most, _LAYOUT.places


def observation(node: Node, seat: int | None) -> bytes:
    """Return what a seat may know; ``None`` is a bystander, who looks from the first seat."""
    seats = node.config.seats
    first = seat or 0
    if node.state is None:
        numbers = _ONE_OF[seats][first] + bytes(seats) + _PHASE[SETUP]
        return numbers.ljust(size(seats), b"\0")
    seen = view(node.state, seat, foresight=False)
    players = [*seen["players"][first:], *seen["players"][:first]]
    names = [player["name"] for player in players]
    houses = [seen["houses"].get(name, _NO_HOUSE) for name in HOUSES]
    tiles = seen["tiles"].values()
    ended, turns = seen["end_triggered_round"], seen["turns_over"]
    return b"".join(
        [
            _ONE_OF[seats][first],
            _who_moves(node, seen, names),
            _PHASE[_phase(node, seen)],
            bytes([min(turns, _MOST), max(0, seats * (ended + 1) - turns) if ended else 0]),
            bytes([seen["roofs"]]),
            bytes([house["height"] for house in houses]),
            bytes([house["floors"] for house in houses]),
            *[_COLOR[house["color"]] for house in houses],
            bytes([house["ground_token"] or 0 for house in houses]),
            bytes([house["roof_token"] or 0 for house in houses]),
            bytes([left["ground"] for left in tiles]),
            bytes([left["floor"] for left in tiles]),
            *[_CARD[card] for card in seen["cards"]],
            *[_PUBLIC[contract] for contract in seen["contracts"]],
            *_piles(node.state),
            *[_counts(Counter(player["hand"]), _OF_CARDS) for player in players],
            bytes([min(player["score"], _MOST) for player in players]),
            bytes([player["fulfilled"] for player in players]),
            b"".join([_PRIVATE[contract] for contract in players[0]["dealt"] or ()]).ljust(
                DEALT * len(PRIVATE_NAMES), b"\0"
            ),
            *[_counts(Counter(_kept(player)), _OF_PRIVATE) for player in players],
            bytes([not player["choosing"] and player["private"] != [] for player in players]),
            *_build(node, seen["built"]),
        ]
    )


_NO_HOUSE = {"height": 0, "floors": 0, "color": None, "ground_token": None, "roof_token": None}


def _who_moves(node: Node, seen: dict[str, Any], names: list[str]) -> bytes:
    waits = node.pile is None and seen["phase"] != OVER
    return _ONE_OF[len(names)][names.index(seen["to_move"][0])] if waits else bytes(len(names))


def _phase(node: Node, seen: dict[str, Any]) -> str:
    if node.pile is not None:
        return CHANCE
    return TOKEN if node.build is not None else str(seen["phase"])


def _piles(state: State) -> list[bytes]:
    """Return what lies in the piles, as everybody can know who has seen all the rest."""
    piles = ((state.deck, CARDS), (state.discards, CARDS), (state.contract_deck, PUBLIC_NAMES))
    return [bytes([pile.count(kind) for kind in range(len(kinds))]) for pile, kinds in piles]


def _kept(player: dict[str, Any]) -> list[str]:
    """Return the private contracts that a player has kept, where they may be seen."""
    return [] if player["choosing"] else player["private"] or []


def _build(node: Node, built: dict[str, Any] | None) -> Iterator[bytes]:
    """Yield what a build meets, and the build that waits for its token or its contracts."""
    meets = built["meets"] if built else ()
    yield bytes([space in meets for space in range(1, CONTRACT_SPACES + 1)])
    if node.build is not None:
        build = actions.decode(node.build)
        assert isinstance(build, Build)
        yield _CARD[CARDS[build.number]] + _CARD[CARDS[build.color]] + _HOUSE[HOUSES[build.house]]
    elif built:
        yield _CARD[built["number_card"]] + _CARD[built["color_card"]] + _HOUSE[built["house"]]
    else:
        yield bytes(2 * len(CARDS) + len(HOUSES))


def _one_of(things: Sequence[Any]) -> dict[Any, bytes]:
    """Return the numbers that encode each thing; and those of no thing."""
    ones = {this: bytes([this == each for each in things]) for this in things}
    return {**ones, None: bytes(len(things))}


_ONE_OF = {players: _one_of(range(players)) for players in range(2, 5)}
_PHASE, _COLOR = _one_of(PHASES), _one_of(COLORS)
_CARD, _HOUSE = _one_of(CARDS), _one_of(HOUSES)
_PUBLIC, _PRIVATE = _one_of(PUBLIC_NAMES), _one_of(PRIVATE_NAMES)


def _places(kinds: Sequence[str]) -> dict[str, int]:
    return {kind: place for place, kind in enumerate(kinds)}


_OF_CARDS, _OF_PRIVATE = _places(CARDS), _places(PRIVATE_NAMES)


def _counts(counts: Mapping[str, int], places: dict[str, int]) -> bytes:
    """Return for each kind how many there are."""
    numbers = bytearray(len(places))
    for kind, count in counts.items():
        numbers[places[kind]] = count
    return bytes(numbers)


def observed(node: Node, seat: int | None) -> str:
    """Return what a seat, or (``None``) a bystander, may know."""
    if node.state is None:
        return "The table is set up."
    return "\n".join([*_table(node, seat), *([] if seat is None else [own(node, seat)])])


def everything(node: Node) -> str:
    """Return the whole table, with all that is hidden."""
    came_up = f"came up: {' '.join(map(str, node.came_up))}"
    if node.state is None:
        return f"The table is set up; {came_up}"
    secrets = [f"{seat}: {own(node, seat)}" for seat in range(node.config.seats)]
    return "\n".join([*_table(node, None), *secrets, came_up])


def own(node: Node, seat: int | None) -> str:
    """Return what of the past a seat alone knows: the private contracts dealt to it, and kept."""
    if seat is None:
        return "?"
    if node.state is None:
        dealt, kept = _dealt_up_to_now(node, seat), b""
    else:
        dealt = node.state.dealt[seat] if node.state.dealt else b""
        kept = node.state.kept[seat]
    names = [" ".join(PRIVATE[contract].name for contract in some) for some in (dealt, kept)]
    return " keeps ".join(name for name in names if name)


def _dealt_up_to_now(node: Node, seat: int) -> bytes:
    first = things_in_setup(node.config) + DEALT * seat
    return node.came_up[first : first + DEALT]


def _table(node: Node, seat: int | None) -> list[str]:
    """Return what ``porto show --plain`` prints, what waits, and what is known of the piles."""
    table = node.table
    lines = [_waits(node, table), *PORTO.table(table, seat)]
    if table.built is not None:
        built = table.built
        cards = f"{CARDS[built.number]} {CARDS[built.color]} {HOUSES[built.house]}"
        lines.append(f"built: {cards}; meets {' '.join(str(one + 1) for one in table.claimable)}")
    lines.append(f"deck: {_counted(table.deck)}")
    lines.append(f"discards: {_counted(table.discards)}")
    contracts = " ".join(PUBLIC[contract].name for contract in table.contract_deck)
    return [*lines, f"contract deck: {contracts or 'none'}"]


def _waits(node: Node, table: State) -> str:
    if node.pile is not None:
        return f"something comes up from the {node.pile.stream}"
    if node.over:
        return "the game is over"
    waits = f"{table.config.players[table.seat]}, {table.phase}"
    return waits if node.build is None else f"{waits}, {actions.name(node.build)}, token where"


def _counted(pile: bytes) -> str:
    found = sorted(Counter(pile).items())
    return ", ".join(f"{count} {CARDS[card]}" for card, count in found) or "none"
