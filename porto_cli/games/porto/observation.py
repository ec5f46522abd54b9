"""What a seat may see of a game, and what it can do: everything that a fair player needs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from porto_cli.game import Step
from porto_cli.games.porto.engine.components import (
    CARDS,
    COLORS,
    EMPTY,
    HOUSES,
    HOUSES_IN,
    PRIVATE,
    PUBLIC,
    PublicContract,
)
from porto_cli.games.porto.engine.legal_moves import legal_builds, to_move
from porto_cli.games.porto.engine.moves import (
    Event,
    Keep,
    Placed,
    RoofPlaced,
    TokenMoved,
)
from porto_cli.games.porto.engine.scoring import (
    Progress,
    is_met,
    outcome,
    private_vp,
    progress,
)
from porto_cli.games.porto.engine.state import (
    ACT,
    CONTRACTS,
    OVER,
    State,
)
from porto_cli.games.porto.engine.state import KEEP as KEEP_PHASE
from porto_cli.games.porto.events import turn
from porto_cli.games.porto.hidden_information import private_of
from porto_cli.games.porto.notation import PRIVATE_NAMES, PUBLIC_NAMES
from porto_cli.match.replay import SHORT, Replay
from porto_cli.ui_values import Turn

NOW, LATER, NEVER = "now", "later", "never"
"""Whether a public contract can be met: this turn, with the hand of the player to move; later by
any player; or never, as no house can take the floors that it needs."""


class House(NamedTuple):
    """A house in play.

    ``name``          like ``L4``
    ``height``        floor spaces, the ground floor included, the roof space not
    ``color``         the color of its floors; ``None`` before it is started
    ``floors``        how many floors it has
    ``complete``      it has its roof
    ``ground_token``  the VP of the token on its ground-floor space; ``None`` without one
    ``roof_token``    the VP of the token on its roof space; ``None`` without one
    ``new_floors``    how many floors, counted from the top, the last turn has built
    ``new_roof``      the last turn has placed its roof
    ``new_token``     the last turn has moved the token to its roof
    """

    name: str
    height: int
    color: str | None
    floors: int
    complete: bool
    ground_token: int | None
    roof_token: int | None
    new_floors: int
    new_roof: bool
    new_token: bool


class Contract(NamedTuple):
    """A face-up public contract.

    ``name``    like ``3-blue-floors``, ``blue-house`` or ``blue+red``
    ``vp``      what it is worth
    ``chance``  it can be met ``now``, with the hand of who is to move; ``later``; or ``never``, as
                no house can take any more the floors that it asks for
    """

    name: str
    vp: int
    chance: str


class Private(NamedTuple):
    """A private contract.

    ``name``   like ``ends-blue``, ``pairs-blue+red`` or ``palette``
    ``vp``     what it is worth now
    ``scale``  the VP it pays for one, two … of what it asks for
    """

    name: str
    vp: int
    scale: tuple[int, ...]
    progress: Progress | None
    """What it can still bring; ``None`` before it is kept and when the game is over."""


class Player(NamedTuple):
    """A player, as one seat may see it.

    ``name``       as in the record
    ``score``      VP
    ``hand``       construction cards: hands are open
    ``fulfilled``  how many public contracts were fulfilled
    ``private``    the private contracts; ``None`` where this seat may not know them
    ``choosing``   three of them have still to be kept, so that ``private`` is the deal of five
    ``sealed``     this seat looks, but in a sealed game only the player's own key shows ``private``
    ``given_up``   the others of a sealed game go on without; the private contracts count nothing
    """

    name: str
    score: int
    hand: tuple[str, ...]
    fulfilled: int
    private: tuple[Private, ...] | None
    choosing: bool
    sealed: bool = False
    given_up: bool = False


class Table(NamedTuple):
    """Everything on the table that one seat, or a bystander, may see."""

    title: str
    seat: str | None
    """Who looks; ``None`` for a bystander, who sees no private contracts before the end."""
    phase: str
    """``keep``, ``act``, ``contracts``, ``timer`` or ``over``."""
    round: int
    turn: int
    """Turns that are over."""
    current_turn: int
    """The turn that is going on, counted from 1; after the last turn the last one."""
    to_move: tuple[str, ...]
    sides: tuple[tuple[House, ...], tuple[House, ...]]
    """The left and the right side, each from left to right; houses in play only."""
    cards: tuple[str | None, ...]
    """Face-up construction cards in the spaces 1 to 5; ``None`` is an empty space."""
    contracts: tuple[Contract | None, ...]
    deck: int
    discards: int
    contract_deck: int
    tiles: dict[str, tuple[int, int]]
    """Ground floors and upper floors left of each color."""
    players: tuple[Player, ...]
    roofs: int
    """Roofs placed."""
    roofs_to_end: int | None
    """Roofs that trigger the end; ``None`` in the solo game."""
    end_round: int | None
    """The round in which the end was triggered."""
    timer: int | None
    """Face-down timer cards; ``None`` where there is no timer."""
    turned: tuple[str, ...]
    """The two timer cards that have to be built with now, or nothing."""
    digest: str
    last: Turn | None
    """The last turn, unless it was taken back; ``None`` before the first."""
    sealed: bool
    """The game is a sealed one."""
    waiting: bool
    """There spaces are empty until the player to move sees what comes up in them."""
    revealing: bool
    """There the last turn is over, and private contracts are still to be revealed."""

    @property
    def fingerprint(self) -> str:
        """The first digits of the digest."""
        return self.digest[:SHORT]

    @property
    def houses(self) -> tuple[House, ...]:
        """All houses in play."""
        return self.sides[0] + self.sides[1]

    @property
    def last_round(self) -> int | None:
        """The round after which the game ends, once that is known."""
        return None if self.end_round is None else self.end_round + 1


def table(replay: Replay, seat: int | None = None) -> Table:
    """Return the table of a game as a seat, or (``None``) a bystander, may see it.

    For an earlier turn see :func:`~porto_cli.match.replay.after_turn`.
    """
    return table_of(
        replay.state,
        seat,
        title=_printable(replay.record.title),
        digest=replay.digest,
        last=last_turn(replay.turns()),
    )


def _printable(text: str) -> str:
    """Return a text that cannot move the cursor or color the screen of a reader."""
    return "".join(letter if letter.isprintable() else " " for letter in text).strip()


def last_turn(steps: Sequence[Step]) -> Step | None:
    """Return the last step that is a turn: keeping private contracts is none."""
    for step in reversed(steps):
        if not all(isinstance(move, Keep) for move in step.moves):
            return step
    return None


def table_of(
    state: State,
    seat: int | None = None,
    *,
    title: str = "",
    digest: str = "",
    last: Step | None = None,
) -> Table:
    """Return a position as a seat, or (``None``) a bystander, may see it."""
    game = state.config
    events = last.events if last else ()
    solo = bool(game.timer)
    left, right = (tuple(_house(state, house, events) for house in side) for side in game.sides)
    return Table(
        title=title,
        seat=None if seat is None else game.players[seat],
        phase=state.phase,
        round=state.round,
        turn=state.turn,
        current_turn=state.current_turn,
        to_move=tuple(game.players[mover] for mover in to_move(state)),
        sides=(left, right),
        cards=tuple(None if card == EMPTY else CARDS[card] for card in state.cards),
        contracts=_contracts(state),
        deck=state.deck_left,
        discards=len(state.discards),
        contract_deck=len(state.contract_deck),
        tiles={
            color: (ground, upper)
            for color, ground, upper in zip(
                COLORS, state.ground_left, state.upper_left, strict=True
            )
        },
        players=tuple(_player(state, other, seat) for other in range(game.seats)),
        roofs=state.roofs,
        roofs_to_end=game.roofs_to_end or None,
        end_round=state.end_round or None,
        timer=state.timer_left if solo else None,
        turned=tuple(CARDS[card] for card in state.turned),
        digest=digest,
        last=turn(last) if last else None,
        sealed=bool(state.seals),
        waiting=state.is_waiting,
        revealing=bool(state.seals) and state.is_revealing,
    )


def _player(state: State, seat: int, asking: int | None) -> Player:
    private = private_of(state, seat, asking)
    given_up = state.is_out(seat)
    choosing = (
        state.config.private_contracts
        and not state.kept[seat]
        and state.phase != OVER
        and not given_up
    )
    running = not choosing and state.phase != OVER
    return Player(
        name=state.config.players[seat],
        score=state.scores[seat],
        hand=tuple(CARDS[card] for card in state.hands[seat]),
        fulfilled=state.fulfilled[seat],
        private=None
        if private is None
        else tuple(_private(state, card, running) for card in private),
        choosing=choosing,
        sealed=bool(state.seals) and private is None and seat == asking and state.phase != OVER,
        given_up=given_up,
    )


def _private(state: State, contract: int, running: bool) -> Private:
    return Private(
        name=PRIVATE_NAMES[contract],
        vp=private_vp(state, contract),
        scale=state.config.edition.private[PRIVATE[contract].kind],
        progress=progress(state, contract) if running else None,
    )


def _house(state: State, house: int, events: tuple[Event, ...]) -> House:
    floors = state.floors[house]
    return House(
        name=HOUSES[house],
        height=state.config.heights[house],
        color=COLORS[state.colors[house]] if floors else None,
        floors=floors,
        complete=state.is_complete(house),
        ground_token=state.ground_tokens[house] or None,
        roof_token=state.roof_tokens[house] or None,
        new_floors=sum(
            event.floors for event in events if isinstance(event, Placed) and event.house == house
        ),
        new_roof=any(isinstance(event, RoofPlaced) and event.house == house for event in events),
        new_token=bool(state.roof_tokens[house])
        and any(isinstance(event, TokenMoved) and event.roof == house for event in events),
    )


def _contracts(state: State) -> tuple[Contract | None, ...]:
    now = _met_now(state)
    running = state.phase != OVER and not (state.seals and state.is_revealing)
    return tuple(
        None
        if contract == EMPTY
        else Contract(
            PUBLIC_NAMES[contract],
            state.config.public[contract],
            NOW
            if space in now
            else LATER
            if running and can_be_met(state, PUBLIC[contract])
            else NEVER,
        )
        for space, contract in enumerate(state.contracts)
    )


def _met_now(state: State) -> set[int]:
    """Return the spaces of the contracts that who is to move could fulfill this turn."""
    if state.seals and state.is_revealing:
        return set()
    if state.phase == CONTRACTS:
        return set(state.claimable)
    if state.phase not in (ACT, KEEP_PHASE):
        return set()
    outcomes = {outcome(state, build) for build in legal_builds(state)}
    return {
        space
        for space, contract in enumerate(state.contracts)
        if contract != EMPTY and any(is_met(PUBLIC[contract], built) for built in outcomes)
    }


def can_be_met(state: State, contract: PublicContract) -> bool:
    """Return whether anybody could meet a public contract at some time, given the cards.

    That asks for a house that can take such floors. Once there is none there will never be.
    """
    if contract.kind == "floors":
        return _room(state, contract.colors[0]) >= contract.floors
    if contract.kind == "house":
        return _can_be_completed(state, contract.colors[0])
    return any(_room(state, color) for color in contract.colors)


def _startable(state: State, color: int) -> tuple[int, ...]:
    """P-BUILD-3 and P-BUILD-5: the houses that could be started in a color."""
    if not state.ground_left[color]:
        return ()
    painted = state.painted[color]
    return HOUSES_IN[state.unstarted & ~(painted << 1 | painted >> 1)]


def _unfinished(state: State, color: int) -> list[tuple[int, int]]:
    """Return the houses that can take floors of a color: empty spaces, and tiles to fill them."""
    upper = state.upper_left[color]
    heights = state.config.heights
    rooms = [(heights[house], upper + 1) for house in _startable(state, color)]
    rooms += [
        (heights[house] - state.floors[house], upper)
        for house in HOUSES_IN[state.painted[color]]
        if state.floors[house] < heights[house]
    ]
    return rooms


def _room(state: State, color: int) -> int:
    """Return the most floors of a color that any one house can take."""
    return max((min(spaces, tiles) for spaces, tiles in _unfinished(state, color)), default=0)


def _can_be_completed(state: State, color: int) -> bool:
    return any(spaces <= tiles for spaces, tiles in _unfinished(state, color))
