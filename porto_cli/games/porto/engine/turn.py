"""The end of a turn: what comes up, the timer, and the end of the game."""

from __future__ import annotations

from collections.abc import Iterable

from porto_cli.core.chance import Chance, drawn
from porto_cli.games.porto.engine import (
    EMPTY,
    HIDDEN,
    ONE,
    PRIVATE,
    VALUE_OF,
)
from porto_cli.games.porto.engine.moves import (
    PRIVATE_CONTRACT,
    Ended,
    Event,
    GivenUp,
    Refilled,
    Reshuffled,
    Scored,
    TimerSkipped,
    TimerTurned,
)
from porto_cli.games.porto.engine.scoring import SOLO_WIN, completed_houses, score_private
from porto_cli.games.porto.engine.state import (
    ACT,
    GIVEN_UP,
    KEEP,
    OVER,
    SHOWN,
    TIMER,
    State,
    can_build,
    demand_seat,
)

_HOLE = bytes([EMPTY])


def turn_up(state: State, chance: Chance) -> tuple[State, list[Event]]:
    """Return a state in which nothing has come up yet, see
    :func:`~porto_cli.games.porto.engine.play.apply`, after it has.

    Both steps together lead to the state that one step with the same chance leads to. After the
    last turn of a sealed game nothing comes up any more.
    """
    new = state.copy()
    events: list[Event] = []
    if new.phase == TIMER and not new.turned:
        _refill(new, chance, events)
        _turn_timer(new, chance, events)
    elif new.phase == OVER and (new.config.timer or new.seals):
        pass
    elif not (new.seals and new.is_revealing):
        _refill(new, chance, events)
    return new, events


def give_up(state: State, seats: Iterable[int]) -> tuple[State, list[Event]]:
    """Return the state of a sealed game that goes on without players who have vanished.

    Their turns are left out and their private contracts count nothing. A turn that was going on
    ends; what comes up then waits for :func:`turn_up`. Raises ValueError where no
    player can be given up, or one of these seats cannot.
    """
    if not state.seals or state.phase == OVER:
        raise ValueError("Players are given up in a sealed game that is not over.")
    new = state.copy()
    seals = bytearray(state.seals)
    events: list[Event] = []
    for seat in sorted(set(seats)):
        demand_seat(state, seat)
        if seals[seat] == GIVEN_UP or (state.is_revealing and seals[seat] == SHOWN):
            raise ValueError(f"The seat {seat} was given up before, or has revealed everything.")
        seals[seat] = GIVEN_UP
        events.append(GivenUp(seat))
    new.seals = bytes(seals)
    if all(seal == GIVEN_UP for seal in seals):
        _finish(new, events)
    elif state.is_revealing:
        reveal(new, events)
    elif seals[new.seat] == GIVEN_UP:
        new.built = None
        new.claimable = ()
        end_turn(new, None, events)
    return new, events


def leave_out(state: State, seats: frozenset[int]) -> State:
    """Return the state of an open game in which nobody plays exactly these seats.

    Their turns are left out and their private contracts count nothing, as in :func:`give_up`.
    """
    if seats == state.out:
        return state
    new = state.copy()
    new.out = seats
    while new.phase in (ACT, KEEP) and not new.is_revealing and new.seat in seats:
        _next_turn(new)
    return new


def _next_turn(state: State) -> None:
    """Go on with the next seat, who keeps private contracts before its first turn (P-SETUP-5)."""
    state.turn += 1
    state.seat = state.turn % state.config.seats
    state.phase = KEEP if state.dealt and not state.kept[state.seat] else ACT


def end_turn(state: State, chance: Chance | None, events: list[Event]) -> None:
    """Refill both rows, then go on with the solo timer, the next player or the end."""
    if chance is not None:
        _refill(state, chance, events)
    if state.timer_left:
        state.phase = TIMER
        if chance is not None:
            _turn_timer(state, chance, events)
        return
    _next_turn(state)
    while (state.out or state.seals) and state.is_out(state.seat) and not state.is_played_out:
        _next_turn(state)
    # Before the end is triggered only the solo game can be over.
    if (state.end_round or state.config.timer) and state.is_played_out:
        reveal(state, events)


def reveal(state: State, events: list[Event]) -> None:
    """P-END-2: who has kept secretly, at a real table or sealed, has to say now which contracts."""
    unrevealed = state.unrevealed
    if unrevealed and _private_contracts_count(state):
        state.phase = KEEP
        state.seat = unrevealed[0]
    else:
        _finish(state, events)


def _private_contracts_count(state: State) -> bool:
    """P-END-2, and in the solo game only after a win (P-SOLO-6)."""
    return not state.config.timer or state.scores[0] >= SOLO_WIN


def finish(state: State) -> tuple[State, list[Event]]:
    """Return the state if the game ended now, and what that would score."""
    new = state.copy()
    events: list[Event] = []
    _finish(new, events)
    return new, events


def _finish(state: State, events: list[Event]) -> None:
    """P-END-2: private contracts score; in a sealed game those that were revealed."""
    state.phase = OVER
    if _private_contracts_count(state):
        scores = list(state.scores)
        completed = completed_houses(state)
        for seat, kept in enumerate(state.kept):
            if not state.has_shown(seat):
                continue
            for contract in kept:
                if contract == HIDDEN:
                    continue
                vp = score_private(state, contract, completed).vp
                scores[seat] += vp
                events.append(Scored(seat, f"{PRIVATE_CONTRACT}:{PRIVATE[contract].name}", vp))
        state.scores = tuple(scores)
    events.append(Ended())


def _refill(state: State, chance: Chance, events: list[Event]) -> None:
    """P-DRAW-2 and P-PUBLIC-3; most turns leave one of the rows as it is."""
    if EMPTY in state.cards:
        _refill_cards(state, chance, events)
    if EMPTY in state.contracts:
        _refill_contracts(state, chance, events)


def _refill_cards(state: State, chance: Chance, events: list[Event]) -> None:
    """P-DRAW-2: fill the empty spaces, the lowest first, as far as there are cards."""
    row, deck = state.cards, state.deck
    left = state.deck_left if state.timer_left else len(deck)
    index = state.cards_drawn
    came_up = b""
    while EMPTY in row:
        if not left:
            if not state.discards:
                break
            deck = _reshuffle(state, deck, events)
            left = len(deck)
        card = ONE[deck[chance("cards", index, deck)]]
        deck = deck.replace(card, b"", 1)
        row = row.replace(_HOLE, card, 1)
        came_up += card
        index += 1
        left -= 1
    if came_up:
        state.cards, state.deck = row, deck
        state.cards_drawn = index
        events.append(Refilled("cards", came_up))


def _reshuffle(state: State, deck: bytes, events: list[Event]) -> bytes:
    """P-DRAW-3: the discards become the deck; what is left of the old one are timer cards."""
    if state.timer_left and not state.timer_deck:
        state.timer_deck = deck
    deck = bytes(sorted(state.discards))
    state.discards = b""
    events.append(Reshuffled(len(deck)))
    return deck


def _refill_contracts(state: State, chance: Chance, events: list[Event]) -> None:
    """P-PUBLIC-3: fill the empty spaces; public contracts are never reshuffled."""
    row, deck = state.contracts, state.contract_deck
    first = state.config.public_total - len(deck)
    came_up, state.contract_deck = drawn(deck, row.count(EMPTY), "contracts", chance, first)
    for contract in came_up:
        row = row.replace(_HOLE, ONE[contract], 1)
    if came_up:
        state.contracts = row
        events.append(Refilled("contracts", came_up))


def _turn_timer(state: State, chance: Chance, events: list[Event]) -> None:
    """P-SOLO-2 and P-SOLO-3: two timer cards take away what lies at their positions."""
    turned = _timer_cards(state, chance)
    cards, contracts = bytearray(state.cards), bytearray(state.contracts)
    gone_cards, gone_contracts = bytearray(), bytearray()
    for space in timer_spaces(turned):
        for row, gone in ((cards, gone_cards), (contracts, gone_contracts)):
            if space < len(row) and row[space] != EMPTY:
                gone.append(row[space])
                row[space] = EMPTY
    state.cards, state.contracts = bytes(cards), bytes(contracts)
    state.discards += bytes(gone_cards)
    state.turned = turned
    events.append(TimerTurned(turned, bytes(gone_cards), bytes(gone_contracts)))
    if not can_build(state, *turned):
        state.discards += turned
        events.append(TimerSkipped())
        end_timer(state, chance, events)


def timer_spaces(turned: bytes) -> tuple[int, int]:
    """Return the spaces, counted from 0, that two timer cards empty (P-SOLO-2, P-SOLO-3)."""
    first = VALUE_OF[turned[0]]
    return first - 1, first + VALUE_OF[turned[1]] - 1


def _timer_cards(state: State, chance: Chance) -> bytes:
    """Turn up two timer cards, from wherever they are."""
    first = state.config.timer - state.timer_left
    turned, rest = drawn(state.timer_deck or state.deck, 2, "timer", chance, first)
    if state.timer_deck:
        state.timer_deck = rest
    else:
        state.deck = rest
    state.timer_left -= 2
    return turned


def end_timer(state: State, chance: Chance | None, events: list[Event]) -> None:
    """P-SOLO-5 and P-SOLO-6: only now both rows are refilled, but not after the last card."""
    state.turned = b""
    state.turn += 1
    if not state.timer_left:
        reveal(state, events)
        return
    if chance is not None:
        _refill(state, chance, events)
    state.phase = ACT
