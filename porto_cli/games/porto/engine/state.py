"""The state of a game, and the building sites on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from porto_cli.core import plural
from porto_cli.core.chance import Chance, drawn
from porto_cli.core.values import Struct
from porto_cli.games.porto.engine import (
    BIT,
    CARD_SPACES,
    COLOR_OF,
    COLORS,
    CONTRACT_SPACES,
    DEALT,
    EMPTY,
    HIDDEN,
    HOUSES,
    LEFT_OF,
    LEFT_SIDE,
    MOST_FLOORS_A_TURN,
    NO_COLOR,
    ONE,
    PRIVATE,
    PUBLIC,
    RIGHT_OF,
    RIGHT_SIDE,
    VALUE_OF,
    Edition,
    card_names,
    set_of,
)

# -- Everything on the table, as a value
#
# A ``Config`` is what never changes during a game; a ``State`` is the table after some moves.
# States are used as values: ``porto_cli.games.porto.engine.play.apply`` returns a new one and
# leaves the old one alone. All piles and rows are ``bytes`` of small integers (see
# ``porto_cli.games.porto.engine``), so a copy is a handful of references.
#
# The state knows no more than the rules need. Face-down piles are *multisets*, kept sorted: a
# ``Chance``, called with the pile, decides which card comes up next. Drawing blindly from a pile is
# the same as shuffling it first, so a state does not reveal the order in which cards will come up.
# It does hold the private contracts, even secret ones.

KEEP, ACT, CONTRACTS, TIMER, OVER = "keep", "act", "contracts", "timer", "over"
"""The phases: what the game is waiting for (JSON and scenarios use the same words)."""
PHASES = frozenset({KEEP, ACT, CONTRACTS, TIMER, OVER})

SHOWN, SEALED, GIVEN_UP = range(3)
"""Who knows a player's private contracts in a sealed game: everyone, as there are none or they were
revealed; only the player; or no one, as the player was given up."""

NOBODY: frozenset[int] = frozenset()

ROOFS_TO_END = {2: 6, 3: 8, 4: 10}
HOUSES_LEFT_OUT = {1: 2, 2: 2, 3: 1, 4: 0}
"""Houses not in play, by the number of players: at the left end of the left side, and at the right
end of the right one (P-SETUP-1)."""
MOST_PLAYERS = 4
TIMERS = (28, 26, 24)


class Deal(NamedTuple):
    """What the setup turns up: P-SETUP-2, P-SETUP-3 and P-SETUP-5.

    ``tokens`` has a value for each of the 14 houses, 0 for those not in play; ``private`` has
    five private contracts for each seat, and is empty if only the players know them. In a
    ``sealed`` game they are ``HIDDEN`` for the seats whose deal the observer does not know.
    """

    tokens: bytes
    cards: bytes
    contracts: bytes
    private: tuple[bytes, ...] = ()
    sealed: bool = False


class Config:
    """What never changes in a game: the players, the box, the options.

    ``players`` are in turn order, the first player first (P-SETUP-4). ``timer`` is the number of
    timer cards in a solo game, 0 in others. ``private_contracts`` is off in the first game variant
    (P-SETUP-6); ``seat_first`` is the other tie-break (P-RANK-2). The decks are all cards in the
    box, sorted.
    """

    def __init__(
        self,
        edition: Edition,
        players: tuple[str, ...],
        *,
        private_contracts: bool = True,
        seat_first: bool = False,
        timer: int = TIMERS[0],
    ) -> None:
        if not 1 <= len(players) <= MOST_PLAYERS:
            raise ValueError(f"Porto has 1 to {MOST_PLAYERS} players, not {len(players)}.")
        self.edition = edition
        self.players = players
        self.seats = len(players)
        self.private_contracts = private_contracts and bool(edition.private)
        self.seat_first = seat_first
        self.timer = timer if self.seats == 1 else 0
        absent = HOUSES_LEFT_OUT[self.seats]
        self.sides = (tuple(LEFT_SIDE[absent:]), tuple(RIGHT_SIDE[: len(RIGHT_SIDE) - absent]))
        self.side_sets = tuple(map(set_of, self.sides))
        self.ends = set_of(end for side in self.sides for end in (side[0], side[-1]))
        self.houses = self.sides[0] + self.sides[1]
        self.heights = tuple(
            edition.heights[house] if house in self.houses else 0
            for house in range(len(HOUSES) + 1)
        )
        self.roofs_to_end = ROOFS_TO_END.get(self.seats, 0)
        self.public = tuple(edition.public.get(contract.family, 0) for contract in PUBLIC)
        self.construction_deck = edition.construction_deck()
        self.public_deck = bytes(
            [index for index, contract in enumerate(PUBLIC) if contract.family in edition.public]
        )
        self.private_deck = b"".join(
            ONE[index] * contract.copies
            for index, contract in enumerate(PRIVATE)
            if contract.kind in edition.private
        )
        self.public_total = len(self.public_deck)

    def faults(self) -> Iterator[str]:
        """Yield what the box lacks for this game, in sentences."""
        cards = len(self.construction_deck)
        needed = CARD_SPACES + self.timer
        if self.timer and cards < needed:
            yield f"The solo game needs {needed} construction cards, but the box holds {cards}."
        contracts = len(self.private_deck)
        needed = DEALT * self.seats
        if self.private_contracts and contracts < needed:
            players = plural(self.seats, "player")
            yield f"Private contracts for {players} take {needed}, but the box holds {contracts}."

    def unused(self, house: int) -> str:
        """Return the sentence that a house is not in play (P-SETUP-1)."""
        return f"The house {HOUSES[house]} is not used with {max(2, self.seats)} players."


class Built(NamedTuple):
    """The build of the current turn: as much of it as contracts ask for."""

    number: int
    color: int
    house: int
    floors: int
    completed: bool


class State(Struct):
    """The whole table between two moves, including what is hidden. Treat it as read-only.

    Which of the face-down cards are in the deck and which in the timer is unknown, so ``deck``
    holds both until the deck runs out and is made anew from the discards (P-DRAW-3). From then on
    ``timer_deck`` is not empty while ``timer_left`` is not 0.
    """

    config: Config

    phase: str
    """``keep``, ``act``, ``contracts``, ``timer`` or ``over``."""
    seat: int = 0
    """The seat to move."""
    turn: int = 0
    """Turns that are over; the round is ``turn // seats + 1``."""

    floors: bytes = bytes(len(HOUSES) + 1)
    """Floors in each house (15 entries, the last one always 0)."""
    colors: bytes = ONE[NO_COLOR] * (len(HOUSES) + 1)
    """Color of each house, ``NO_COLOR`` without tiles (15 entries)."""
    ground_tokens: bytes
    """VP token on each ground-floor space, 0 without (14 entries)."""
    roof_tokens: bytes = bytes(len(HOUSES))
    """VP token on each roof space, 0 without (14 entries)."""
    roofs: int = 0
    """Roofs placed."""
    end_round: int = 0
    """The round in which the end was triggered, 0 before."""

    ground_left: bytes
    """Ground floors left of each color (5 entries)."""
    upper_left: bytes
    """Upper floors left of each color (5 entries)."""
    cards: bytes
    """The five face-up cards, ``EMPTY`` for an empty space."""
    deck: bytes
    """Face-down cards, sorted; those of the timer included, see above."""
    discards: bytes = b""
    """Played and discarded cards, in that order."""
    cards_drawn: int
    """Construction cards that have come up since the start."""
    contracts: bytes
    """The four face-up public contracts, ``EMPTY`` for an empty space."""
    contract_deck: bytes
    """Face-down public contracts, sorted."""

    hands: tuple[bytes, ...]
    """Construction cards of each seat, sorted."""
    scores: tuple[int, ...]
    """VP of each seat."""
    fulfilled: tuple[int, ...]
    """Number of public contracts fulfilled by each seat."""
    dealt: tuple[bytes, ...]
    """The private contracts dealt to each seat; empty if unknown, ``HIDDEN`` in a sealed game."""
    kept: tuple[bytes, ...]
    """The private contracts that each seat keeps; empty if not yet known, ``HIDDEN`` as above."""
    seals: bytes = b""
    """For each seat of a sealed game ``SHOWN``, ``SEALED`` or ``GIVEN_UP``; empty in other games.
    It is the same for all observers, whatever they know."""
    out: frozenset[int] = NOBODY
    """The seats of an open game that nobody plays; their turns are skipped."""

    timer_left: int
    """Face-down timer cards (P-SOLO-1)."""
    timer_deck: bytes = b""
    """These cards, sorted, once they can be told from the deck; see above."""
    turned: bytes = b""
    """The two timer cards that are face up in phase ``timer``."""
    built: Built | None = None
    """The build that waits for its contracts, or ``None``."""
    claimable: tuple[int, ...] = ()
    """Spaces of the public contracts that it meets."""

    # Sets of houses (``BIT``). They follow from floors, colors and tokens, see survey(), and are
    # kept up to date because the legal moves are found with them.

    room: tuple[int, ...]
    """For each number of floors, 0 to 3, the houses in play with room for them."""
    unstarted: int
    """Houses in play without tiles."""
    painted: tuple[int, ...]
    """For each color the houses with tiles of it."""
    free_roofs: int
    """Houses whose roof space has neither a roof nor a token (P-TOKEN-1)."""

    def __repr__(self) -> str:
        """Return what is face up, in the words of the notation; nothing that is hidden."""
        game = self.config
        built = [
            f"{HOUSES[house]} {COLORS[self.colors[house]]} "
            f"{self.floors[house]}/{game.heights[house]}"
            for house in game.houses
            if self.floors[house]
        ]
        contracts = ["none" if one == EMPTY else PUBLIC[one].name for one in self.contracts]
        rows = [f"cards: {' '.join(card_names(self.cards))}", f"contracts: {' '.join(contracts)}"]
        rows += [f"houses: {', '.join(built)}"] if built else []
        for player, score, hand in zip(game.players, self.scores, self.hands, strict=True):
            rows.append(f"{player}: {score} VP {' '.join(card_names(hand))}".rstrip())
        mover = "" if self.phase == OVER else f" {game.players[self.seat]}"
        when = f"round {self.round}, turn {self.current_turn}, {self.phase}{mover}"
        return f"<State {when}; {'; '.join(rows)}>"

    def __deepcopy__(self, memo: dict[int, object]) -> State:
        """Return a copy; both share what they hold, which never changes."""
        return self.copy()

    def survey(self) -> None:
        """Work out the sets of houses from floors, colors and tokens."""
        room, painted = [0] * (MOST_FLOORS_A_TURN + 1), [0] * len(COLORS)
        self.unstarted = self.free_roofs = 0
        for house in self.config.houses:
            bit = BIT[house]
            # A position that has not been checked yet may have more floors than a house takes.
            empty = self.config.heights[house] - self.floors[house]
            for floors in range(min(empty, MOST_FLOORS_A_TURN) + 1):
                room[floors] |= bit
            if not self.floors[house]:
                self.unstarted |= bit
            else:
                painted[self.colors[house]] |= bit
            if not self.roof_tokens[house] and not self.is_complete(house):
                self.free_roofs |= bit
        self.room, self.painted = tuple(room), tuple(painted)

    @property
    def round(self) -> int:
        """The current round, counted from 1; after the last turn the last one."""
        return (self.current_turn - 1) // self.config.seats + 1

    @property
    def current_turn(self) -> int:
        """The current turn, counted from 1; after the last turn the last one."""
        return self.turn + (self.phase != OVER and not self.is_revealing)

    @property
    def is_played_out(self) -> bool:
        """Whether the last turn is over.

        P-END-1: the round after the one that triggered the end is over; P-SOLO-6.
        """
        if self.config.timer:
            return not self.timer_left and not self.turned and self.turn > 0
        return self.end_round > 0 and self.turn >= self.config.seats * (self.end_round + 1)

    @property
    def is_revealing(self) -> bool:
        """Whether the last turn is over and private contracts wait to be revealed (P-END-2).

        This happens at a real table and in a sealed game. Phase ``keep`` has no other meaning at a
        real table, where the game does not wait for what only the players know.
        """
        return self.phase == KEEP and (not self.dealt or (bool(self.seals) and self.is_played_out))

    @property
    def unrevealed(self) -> tuple[int, ...]:
        """The seats that still have to reveal private contracts at the end (P-END-2)."""
        if self.seals:
            return tuple(seat for seat, seal in enumerate(self.seals) if seal == SEALED)
        if self.dealt or not self.config.private_contracts:
            return ()
        return tuple(
            seat for seat, kept in enumerate(self.kept) if not kept and seat not in self.out
        )

    def is_out(self, seat: int) -> bool:
        """Return whether the turns of a seat are skipped and its private contracts do not count:
        nobody plays it, or its player was given up.
        """
        return seat in self.out or (bool(self.seals) and self.seals[seat] == GIVEN_UP)

    def has_shown(self, seat: int) -> bool:
        """Return whether the private contracts of a seat count when the game is over: its player
        has not left, and in a sealed game they were revealed.
        """
        return seat not in self.out and (not self.seals or self.seals[seat] == SHOWN)

    @property
    def is_waiting(self) -> bool:
        """Whether empty spaces in a sealed game wait for the player to move to see the refill."""
        if not self.seals or self.phase not in (ACT, KEEP) or self.is_revealing:
            return False
        return (EMPTY in self.cards and bool(self.deck or self.discards)) or (
            EMPTY in self.contracts and bool(self.contract_deck)
        )

    @property
    def deck_left(self) -> int:
        """Face-down cards of the construction deck, without those of the timer."""
        joined = self.timer_left if not self.timer_deck else 0
        return len(self.deck) - joined

    def is_complete(self, house: int) -> bool:
        """Return whether the house has its roof."""
        return 0 < self.config.heights[house] == self.floors[house]


def deal(config: Config, chance: Chance, *, sealed: bool = False) -> Deal:
    """Return the setup of a game: a token on each ground-floor space in play, in the order of the
    houses, both rows, and the private contracts, which are hidden in a ``sealed`` game (P-SETUP-2,
    P-SETUP-3, P-SETUP-5).
    """
    laid, _ = drawn(config.edition.tokens, len(config.houses), "tokens", chance)
    tokens = dict(zip(config.houses, laid, strict=True))
    hidden = (ONE[HIDDEN] * DEALT,) * config.seats if config.private_contracts else ()
    return Deal(
        tokens=bytes(tokens.get(house, 0) for house in range(len(HOUSES))),
        cards=drawn(config.construction_deck, CARD_SPACES, "cards", chance)[0],
        contracts=drawn(config.public_deck, CONTRACT_SPACES, "contracts", chance)[0],
        private=hidden if sealed else deal_private(config, chance),
        sealed=sealed,
    )


def deal_private(config: Config, chance: Chance) -> tuple[bytes, ...]:
    """Return five private contracts for each seat in turn order (P-SETUP-5), if they are played."""
    if not config.private_contracts:
        return ()
    dealt, _ = drawn(config.private_deck, DEALT * config.seats, "private", chance)
    return tuple(dealt[DEALT * seat : DEALT * (seat + 1)] for seat in range(config.seats))


def without(pile: bytes, cards: bytes) -> bytes:
    """Return a pile without these cards. Raises ValueError if one of them is not in it."""
    rest = bytearray(pile)
    for card in cards:
        rest.remove(card)
    return bytes(rest)


def begin(config: Config, setup: Deal) -> State:
    """Return the state before the first move. Raises ValueError if the box lacks a component."""
    state = State()
    state.config = config
    state.ground_tokens = setup.tokens
    state.ground_left = bytes([config.edition.ground_floors]) * 5
    state.upper_left = bytes([config.edition.upper_floors]) * 5
    state.cards = setup.cards.ljust(CARD_SPACES, bytes([EMPTY]))
    state.deck = without(config.construction_deck, setup.cards)
    state.contracts = setup.contracts.ljust(CONTRACT_SPACES, bytes([EMPTY]))
    state.contract_deck = without(config.public_deck, setup.contracts)
    state.hands = (b"",) * config.seats
    state.scores = (0,) * config.seats
    state.fulfilled = (0,) * config.seats
    state.dealt = setup.private
    state.kept = (b"",) * config.seats
    if setup.sealed:
        state.seals = bytes([SEALED if setup.private else SHOWN]) * config.seats
    state.cards_drawn = len(setup.cards)
    state.timer_left = config.timer
    state.survey()
    state.phase = KEEP if setup.private else ACT
    return state


def demand_phase(state: State) -> None:
    """Raise ValueError for an unknown phase."""
    if state.phase not in PHASES:
        raise ValueError(f"{state.phase!r} is not a phase of the game.")


def demand_seat(state: State, seat: int) -> None:
    """Raise ValueError if the seat does not exist."""
    if not 0 <= seat < state.config.seats:
        raise ValueError(f"There is no seat {seat}: the seats are 0 to {state.config.seats - 1}.")


# -- Where players can build, and with what: conditions that several rules share
#
# A build has to satisfy ``limits`` (where, and for how many floors the tiles suffice), the ``room``
# of the state, ``holds_both`` and ``roofs_for_token``.


def cards_to_build_with(state: State) -> bytes:
    """Return the hand of the player to move, or the two cards of the timer (P-SOLO-4)."""
    return state.turned if state.phase == TIMER else state.hands[state.seat]


def holds_both(cards: bytes, number: int, color_card: int) -> bool:
    """Return whether both cards are among these: two copies if they are the same (P-BUILD-1)."""
    if number == color_card:
        return cards.count(number) > 1
    return number in cards and color_card in cards


def limits(state: State, color: int) -> tuple[int, int, int, int]:
    """Return the limits of builds in a color.

    First the houses of the color, to which floors can be added (P-BUILD-4), and those that can be
    started in it: without floors, and without a neighbor of the color (P-BUILD-5). Then how many
    floors the tiles suffice for: to add to a house, and to start one, which takes a ground floor;
    0 if none is left (P-BUILD-3).
    """
    started = state.painted[color]
    upper_left = state.upper_left[color]
    return (
        started,
        state.unstarted & ~(started << 1 | started >> 1),
        upper_left,
        upper_left + 1 if state.ground_left[color] else 0,
    )


def clashes(colors: Sequence[int], house: int, color: int) -> list[int]:
    """Return the neighbors of a house that have a color, for which it cannot be started in this
    color (P-BUILD-5); :func:`limits` has the same for all houses at once.
    """
    return [beside for beside in (LEFT_OF[house], RIGHT_OF[house]) if colors[beside] == color]


def sites(state: State, color: int, floors: int) -> int:
    """Return the houses where a number of floors may be built (P-BUILD-2 to P-BUILD-5)."""
    started, startable, most_to_add, most_to_start = limits(state, color)
    if floors > most_to_add:
        started = 0
    if floors > most_to_start:
        startable = 0
    return (started | startable) & state.room[floors]


def roofs_for_token(state: State, house: int) -> int:
    """Return the houses whose roof can receive the token when this house is started.

    There are none if it has no token (P-TOKEN-1) or no roof space is empty (P-TOKEN-2).
    """
    if state.ground_tokens[house] and not state.floors[house]:
        return state.free_roofs
    return 0


def can_build(state: State, one: int, other: int) -> bool:
    """Return whether any build is possible with two cards (P-SOLO-4)."""
    return bool(
        sites(state, COLOR_OF[other], VALUE_OF[one]) or sites(state, COLOR_OF[one], VALUE_OF[other])
    )
