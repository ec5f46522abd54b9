"""A turn: what a legal move leads to.

:func:`apply` trusts its move: ask :func:`~porto_cli.games.porto.engine.explain.check` first, or
take the move from :func:`~porto_cli.games.porto.engine.legal_moves.legal_moves`.
"""

from __future__ import annotations

from collections.abc import Iterable

from porto_cli.core.chance import Chance
from porto_cli.games.porto.engine.components import (
    BIT,
    CARDS,
    COLOR_OF,
    EMPTY,
    HIDDEN,
    LEFT_OF,
    MOST_FLOORS_A_TURN,
    NOWHERE,
    PRIVATE,
    PUBLIC,
    RIGHT_OF,
    VALUE_OF,
)
from porto_cli.games.porto.engine.legal_moves import can_build, demand_phase, demand_seat
from porto_cli.games.porto.engine.moves import (
    FLOORS,
    GROUND_TOKEN,
    KEEP_SEALED,
    NEIGHBORS,
    PRIVATE_CONTRACT,
    PUBLIC_CONTRACT,
    ROOF_TOKEN,
    Build,
    Claim,
    Claimed,
    Draw,
    Ended,
    EndTriggered,
    Event,
    GivenUp,
    Keep,
    Kept,
    Move,
    Pass,
    Passed,
    Placed,
    Reshuffled,
    Revealed,
    TimerSkipped,
    TimerTurned,
    drew,
    refilled,
    roof_placed,
    scored,
    token_moved,
)
from porto_cli.games.porto.engine.scoring import (
    SOLO_WIN,
    completed_houses,
    score_private,
    spaces_met,
)
from porto_cli.games.porto.engine.state import (
    ACT,
    CONTRACTS,
    GONE,
    KEEP,
    OVER,
    PHASES,
    SHOWN,
    TIMER,
    Built,
    State,
)

_ONE = tuple(bytes([card]) for card in range(len(CARDS)))
_HOLE = bytes([EMPTY])


def apply(
    state: State, move: Move, chance: Chance | None, seat: int | None = None
) -> tuple[State, list[Event]]:
    """Return the state after a legal move and what happened, ``seat`` being who moves.

    Without a ``chance`` nothing comes up yet: spaces stay empty, the timer is not turned up, and
    :func:`turn_up` goes on from there. The state given is not changed in any case. Raises TypeError
    for anything but a move, ValueError for an unknown phase or seat, and whatever ``chance``
    raises.
    """
    if state.phase not in PHASES:
        demand_phase(state)
    new = state.copy()
    events: list[Event] = []
    kind = type(move)
    if kind is Draw:
        _draw(new, move, chance, events)  # type: ignore[arg-type]
    elif kind is Build:
        if new.phase == TIMER:
            _build_for_timer(new, move, chance, events)  # type: ignore[arg-type]
        else:
            _build(new, move, chance, events)  # type: ignore[arg-type]
    elif kind is Claim:
        _claim(new, move, chance, events)  # type: ignore[arg-type]
    elif kind is Keep:
        _keep(new, move, state.seat if seat is None else seat, events)  # type: ignore[arg-type]
    elif kind is Pass:
        events.append(Passed(new.seat))
        _end_turn(new, chance, events)
    else:
        raise TypeError(f"{move!r} is not a move.")
    return new, events


def turn_up(state: State, chance: Chance) -> tuple[State, list[Event]]:
    """Return a state in which nothing has come up yet, see :func:`apply`, after it has.

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
        if seals[seat] == GONE or (state.is_revealing and seals[seat] == SHOWN):
            raise ValueError(f"The seat {seat} was given up before, or has revealed everything.")
        seals[seat] = GONE
        events.append(GivenUp(seat))
    new.seals = bytes(seals)
    if all(seal == GONE for seal in seals):
        _finish(new, events)
    elif state.is_revealing:
        _reveal(new, events)
    elif seals[new.seat] == GONE:
        new.built = None
        new.claimable = ()
        _end_turn(new, None, events)
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
        new.turn += 1
        new.seat = new.turn % new.config.seats
        new.phase = KEEP if new.dealt and not new.kept[new.seat] else ACT
    return new


def _keep(state: State, move: Keep, seat: int, events: list[Event]) -> None:
    """P-SETUP-5; with real cards, only the contracts that are kept are ever named.

    At the end of a sealed game P-END-2.
    """
    demand_seat(state, seat)
    revealing = bool(state.seals) and state.is_revealing
    if revealing:
        state.seals = bytes([*state.seals[:seat], SHOWN, *state.seals[seat + 1 :]])
    if state.dealt and not revealing and move != KEEP_SEALED:
        dealt = state.dealt[seat]
        kept = bytes(sorted(dealt[place] for place in move.places))
    else:
        kept = bytes(sorted(move.named))
    state.kept = (*state.kept[:seat], kept, *state.kept[seat + 1 :])
    events.append(Revealed(seat, kept) if revealing else Kept(seat))
    if state.phase == KEEP:
        if state.is_played_out:
            _reveal(state, events)
        elif seat == state.seat:
            state.phase = ACT


def _draw(state: State, move: Draw, chance: Chance | None, events: list[Event]) -> None:
    """P-DRAW-1."""
    row = bytearray(state.cards)
    taken = b""
    for space in move.spaces:
        taken += _ONE[row[space]]
        row[space] = EMPTY
    state.cards = bytes(row)
    seat = state.seat
    hands = list(state.hands)
    hands[seat] = bytes(sorted(hands[seat] + taken))
    state.hands = tuple(hands)
    events.append(drew(seat, taken))
    _end_turn(state, chance, events)


def _build(state: State, move: Build, chance: Chance | None, events: list[Event]) -> None:
    """P-BUILD-1, then P-SCORE-1 and P-SCORE-2; contracts that are met wait for a decision."""
    number, color_card, house, _ = move
    seat = state.seat
    hands = list(state.hands)
    hands[seat] = hands[seat].replace(_ONE[number], b"", 1).replace(_ONE[color_card], b"", 1)
    state.hands = tuple(hands)
    before = state.floors[house]
    completed, token, roof_token = _place(state, move, events, by_timer=False)
    after = state.floors[house]
    vp = after
    events.append(scored(seat, FLOORS, after))
    beside = neighbors_between(state.floors, house, before, after)
    if beside:
        vp += beside
        events.append(scored(seat, NEIGHBORS, beside))
    if token:
        vp += token
        events.append(scored(seat, GROUND_TOKEN, token))
    if roof_token:
        vp += roof_token
        events.append(scored(seat, ROOF_TOKEN, roof_token))
    scores = list(state.scores)
    scores[seat] += vp
    state.scores = tuple(scores)
    claimable = spaces_met(number, color_card, completed, state.contracts)
    if claimable:
        state.built = Built(number, color_card, house, after - before, completed)
        state.claimable = claimable
        state.phase = CONTRACTS
    else:
        _end_turn(state, chance, events)


def neighbors_between(floors: bytes, house: int, before: int, after: int) -> int:
    """Count the neighboring floors at the levels above ``before`` up to ``after`` (P-SCORE-2)."""
    beside = 0
    for height in (floors[LEFT_OF[house]], floors[RIGHT_OF[house]]):
        if height > before:
            beside += (height if height < after else after) - before
    return beside


def _place(
    state: State, move: Build, events: list[Event], *, by_timer: bool
) -> tuple[bool, int, int]:
    """Put tiles, token and roof in their places.

    Return whether the house is complete, and the values of both tokens.

    P-BUILD-2, P-BUILD-3, P-TOKEN-1, P-TOKEN-2, P-ROOF-1.
    """
    number, color_card, house, roof = move
    count = VALUE_OF[number]
    color = COLOR_OF[color_card]
    before = state.floors[house]
    after = before + count
    floors = bytearray(state.floors)
    floors[house] = after
    state.floors = bytes(floors)
    state.discards += _ONE[number] + _ONE[color_card]
    empty = state.config.heights[house] - after
    if empty < MOST_FLOORS_A_TURN:
        others = ~BIT[house]
        in_play, for_one, for_two, for_three = state.room
        state.room = (
            in_play,
            for_one if empty >= 1 else for_one & others,
            for_two if empty >= 2 else for_two & others,
            for_three & others,
        )
    completed = not empty
    events.append(
        # Keywords would take twice as long.
        Placed(state.seat, number, color_card, house, count, not before, completed, by_timer)
    )
    token = 0
    upper = count
    if not before:
        upper = count - 1
        colors = bytearray(state.colors)
        colors[house] = color
        state.colors = bytes(colors)
        state.unstarted ^= BIT[house]
        painted = state.painted
        state.painted = (*painted[:color], painted[color] | BIT[house], *painted[color + 1 :])
        left = bytearray(state.ground_left)
        left[color] -= 1
        state.ground_left = bytes(left)
        token = state.ground_tokens[house]
        if token:
            tokens = bytearray(state.ground_tokens)
            tokens[house] = 0
            state.ground_tokens = bytes(tokens)
            if roof != NOWHERE:
                tokens = bytearray(state.roof_tokens)
                tokens[roof] = token
                state.roof_tokens = bytes(tokens)
                state.free_roofs ^= BIT[roof]
            events.append(token_moved(token, house, roof))
    if upper:
        left = bytearray(state.upper_left)
        left[color] -= upper
        state.upper_left = bytes(left)
    roof_token = 0
    if completed:
        roof_token = state.roof_tokens[house]
        if roof_token:
            tokens = bytearray(state.roof_tokens)
            tokens[house] = 0
            state.roof_tokens = bytes(tokens)
        else:
            state.free_roofs ^= BIT[house]
        state.roofs += 1
        events.append(roof_placed(house, roof_token))
        if state.roofs == state.config.roofs_to_end:
            state.end_round = state.round
            events.append(EndTriggered(state.end_round))
    return completed, token, roof_token


def _claim(state: State, move: Claim, chance: Chance | None, events: list[Event]) -> None:
    """P-PUBLIC-2: score the contracts chosen; their spaces are refilled when the turn ends."""
    seat = state.seat
    row = bytearray(state.contracts)
    claimed = bytes(row[space] for space in move.spaces)
    events.append(Claimed(seat, claimed))
    if claimed:
        vp = 0
        for space in move.spaces:
            contract = row[space]
            row[space] = EMPTY
            worth = state.config.public[contract]
            vp += worth
            events.append(scored(seat, PUBLIC_CONTRACT, worth, PUBLIC[contract].name))
        state.contracts = bytes(row)
        scores, fulfilled = list(state.scores), list(state.fulfilled)
        scores[seat] += vp
        fulfilled[seat] += len(claimed)
        state.scores, state.fulfilled = tuple(scores), tuple(fulfilled)
    state.built = None
    state.claimable = ()
    _end_turn(state, chance, events)


def _end_turn(state: State, chance: Chance | None, events: list[Event]) -> None:
    """Refill both rows, then go on with the solo timer, the next player or the end."""
    if chance is not None:
        # The same as _refill(), but most turns leave one of the rows as it is.
        if EMPTY in state.cards:
            _refill_cards(state, chance, events)
        if EMPTY in state.contracts:
            _refill_contracts(state, chance, events)
    if state.timer_left:
        state.phase = TIMER
        if chance is not None:
            _turn_timer(state, chance, events)
        return
    state.turn += 1
    state.seat = state.turn % state.config.seats
    while (state.out or state.seals) and state.is_out(state.seat) and not state.is_played_out:
        state.turn += 1
        state.seat = state.turn % state.config.seats
    # Before the end is triggered only the solo game can be over.
    if (state.end_round or state.config.timer) and state.is_played_out:
        _reveal(state, events)
    else:
        state.phase = KEEP if state.dealt and not state.kept[state.seat] else ACT


def _reveal(state: State, events: list[Event]) -> None:
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
            if seat in state.out or (state.seals and state.seals[seat] != SHOWN):
                continue
            for contract in kept:
                if contract == HIDDEN:
                    continue
                vp = score_private(state, contract, completed).vp
                scores[seat] += vp
                events.append(scored(seat, PRIVATE_CONTRACT, vp, PRIVATE[contract].name))
        state.scores = tuple(scores)
    events.append(Ended())


def _refill(state: State, chance: Chance, events: list[Event]) -> None:
    """P-DRAW-2 and P-PUBLIC-3."""
    _refill_cards(state, chance, events)
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
        card = _ONE[deck[chance("cards", index, deck)]]
        deck = deck.replace(card, b"", 1)
        row = row.replace(_HOLE, card, 1)
        came_up += card
        index += 1
        left -= 1
    if came_up:
        state.cards, state.deck = row, deck
        state.cards_drawn = index
        events.append(refilled("cards", came_up))


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
    came_up = b""
    while deck and EMPTY in row:
        position = chance("contracts", state.config.public_total - len(deck), deck)
        contract = deck[position : position + 1]
        deck = deck[:position] + deck[position + 1 :]
        row = row.replace(_HOLE, contract, 1)
        came_up += contract
    if came_up:
        state.contracts, state.contract_deck = row, deck
        events.append(refilled("contracts", came_up))


def _turn_timer(state: State, chance: Chance, events: list[Event]) -> None:
    """P-SOLO-2 and P-SOLO-3: two timer cards take away what lies at their positions."""
    turned = bytes(_timer_card(state, chance) for _ in range(2))
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
        _end_timer(state, chance, events)


def timer_spaces(turned: bytes) -> tuple[int, int]:
    """Return the spaces, counted from 0, that two timer cards empty (P-SOLO-2, P-SOLO-3)."""
    first = VALUE_OF[turned[0]]
    return first - 1, first + VALUE_OF[turned[1]] - 1


def _timer_card(state: State, chance: Chance) -> int:
    index = state.config.timer - state.timer_left
    pile = state.timer_deck or state.deck
    position = chance("timer", index, pile)
    rest = pile[:position] + pile[position + 1 :]
    if state.timer_deck:
        state.timer_deck = rest
    else:
        state.deck = rest
    state.timer_left -= 1
    return pile[position]


def _build_for_timer(state: State, move: Build, chance: Chance | None, events: list[Event]) -> None:
    """P-SOLO-4: placed by all the rules, but nothing scores."""
    _place(state, move, events, by_timer=True)
    _end_timer(state, chance, events)


def _end_timer(state: State, chance: Chance | None, events: list[Event]) -> None:
    """P-SOLO-5 and P-SOLO-6: only now both rows are refilled, but not after the last card."""
    state.turned = b""
    state.turn += 1
    if not state.timer_left:
        _reveal(state, events)
        return
    if chance is not None:
        _refill(state, chance, events)
    state.phase = ACT
