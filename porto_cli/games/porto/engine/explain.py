"""Which rules a move breaks, row by row: the id of the ruling, and why.

A move that :func:`~porto_cli.games.porto.engine.legal_moves.legal_moves` lists breaks none, and one
that breaks none is listed, or is the same choice as one that is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from porto_cli.core.message import Refusals, Violation, plural
from porto_cli.games.porto.engine.components import (
    BIT,
    CARD_SPACES,
    CARDS,
    COLOR_OF,
    COLORS,
    CONTRACT_SPACES,
    DEALT,
    EMPTY,
    HIDDEN,
    HOUSES,
    HOUSES_IN,
    KEPT,
    LEFT_OF,
    NOWHERE,
    PRIVATE,
    PUBLIC,
    RIGHT_OF,
    VALUE_OF,
)
from porto_cli.games.porto.engine.legal_moves import (
    MOST_CARDS_A_DRAW,
    MOST_VALUE_A_DRAW,
    MOVES_IN,
    cards_to_build_with,
    demand_phase,
    demand_seat,
    holds_both,
    is_legal,
    legal_builds,
    legal_draws,
    limits,
    may_keep,
    roofs_for_token,
)
from porto_cli.games.porto.engine.moves import KEEP_SEALED, Build, Claim, Draw, Keep, Move, Pass
from porto_cli.games.porto.engine.state import CONTRACTS, KEEP, OVER, SHOWN, TIMER, State


def check(state: State, move: Move, seat: int | None = None) -> list[Violation]:
    """Return every rule that the move of this player would break; none if it is legal.

    Raises TypeError for anything but a move, and ValueError for one with a card, contract or house
    that does not exist, and for an unknown phase or seat.
    """
    seat = state.seat if seat is None else seat
    if seat == state.seat and is_legal(state, move):
        return []
    rows = [*_form(move)]
    if not rows:
        demand_phase(state)
        demand_seat(state, seat)
        rows = [*_refusals(state, move, seat)]
    return [Violation(rule, why) for rule, why in rows]


_PLACES: dict[type[Move], tuple[str, int, Sequence[object], str, str]] = {
    Draw: ("P-DRAW-1", CARD_SPACES, CARDS, "space", "the face-up cards are in spaces"),
    Claim: ("P-PUBLIC-1", CONTRACT_SPACES, PUBLIC, "space", "the public contracts are in spaces"),
    Keep: ("P-SETUP-5", DEALT, PRIVATE, "private contract", "those dealt are numbered"),
}
"""The places that moves name: how many there are, of which things, and what they are called."""


def _form(move: Any) -> Refusals:
    """Return what is wrong with a move whatever the position; naming a place twice is not."""
    if isinstance(move, Build):
        _demand(
            move,
            ((move.number, move.color), len(CARDS)),
            ((move.house,), len(HOUSES)),
            ((move.token,), NOWHERE + 1),
        )
    elif type(move) in _PLACES:
        rule, last, things, place, where = _PLACES[type(move)]
        spaces, named = move
        _demand(move, (spaces, None), (named, None if move == KEEP_SEALED else len(things)))
        for space in spaces:
            if not 0 <= space < last:
                yield rule, f"There is no {place} {space + 1}; {where} 1 to {last}."
        if any(list(some) != sorted(some) for some in move):
            yield rule, f"Name the {place}s in ascending order."
    elif not isinstance(move, Pass):
        raise TypeError(f"{move!r} is not a move.")


def _demand(move: Move, *fields: tuple[Any, int | None]) -> None:
    """Demand whole numbers, and that each card, contract and house is one of so many."""
    what = f"{tuple(move)} is no {type(move).__name__}"
    for numbers, _ in fields:
        if type(numbers) is not tuple or any(type(number) is not int for number in numbers):
            raise TypeError(f"{what}: it takes whole numbers.")
    for numbers, count in fields:
        for number in numbers:
            if count is not None and not 0 <= number < count:
                raise ValueError(f"{what}: {number} is not one of 0 to {count - 1}.")


def _refusals(state: State, move: Move, seat: int) -> Refusals:
    players = state.config.players
    mover, player = players[state.seat], players[seat]
    if state.phase == OVER:
        yield "P-SOLO-6" if state.config.timer else "P-END-1", "The game is over."
    elif isinstance(move, Keep):
        yield from _keep(state, move, seat)
    elif seat != state.seat:
        yield "P-SETUP-4", f"It is {mover}'s turn, not {player}'s."
    elif type(move) in MOVES_IN[state.phase]:
        yield from _ROWS[type(move)](state, move)
    elif state.phase == KEEP:
        yield "P-SETUP-5", f"{mover} must choose three private contracts to keep first."
    elif state.phase == CONTRACTS:
        yield "P-PUBLIC-2", f"{mover} has built and must first say which contracts to fulfill."
    elif state.phase == TIMER:
        yield "P-SOLO-4", f"The timer drew {_turned(state)}: build with them first."
    else:
        yield "P-PUBLIC-1", "Public contracts are fulfilled right after building, not now."


def _turned(state: State) -> str:
    return " and ".join(CARDS[card] for card in state.turned)


def _keep(state: State, move: Keep, seat: int) -> Refusals:
    player = state.config.players[seat]
    count = len(move.places) + len(move.named)
    if not state.config.private_contracts:
        yield "P-SETUP-6", "This game is played without private contracts."
        return
    if state.is_out(seat):
        yield "P-SETUP-5", f"{player} was given up: the others play on without {player}."
        return
    if state.seals and state.is_revealing:
        yield from _reveal(state, move, seat)
        return
    if state.kept[seat]:
        yield "P-SETUP-5", f"{player} has already chosen which private contracts to keep."
    elif not may_keep(state, seat):
        yield "P-SETUP-5", f"{player} had to keep private contracts before their own first turn."
    if move == KEEP_SEALED:
        if not state.seals:
            yield "P-SETUP-5", f"This game is not sealed, so {player} must name three contracts."
        return
    if state.seals and HIDDEN in state.dealt[seat]:
        why = f"{player}'s private contracts are sealed: only {player}'s key can choose three."
        yield "P-SETUP-5", why
        return
    if count != KEPT:
        yield "P-SETUP-5", f"Keep {KEPT} private contracts, not {count}."
    if len(set(move.places)) < len(move.places):
        yield "P-SETUP-5", "A private contract can be kept only once."
    if move.places and not state.dealt:
        yield "P-SETUP-5", f"{player}'s hand is unknown here; name the contracts to keep."
    for contract in sorted(set(move.named)):
        name = PRIVATE[contract].name
        if not state.dealt:
            yield from _copies(state, contract, move.named.count(contract), seat)
        elif contract not in state.config.private_deck():
            yield "P-SETUP-5", f"This box has no {name}."
        elif contract in state.dealt[seat]:
            yield "P-SETUP-5", f"{player} was dealt no other {name}."
        else:
            yield "P-SETUP-5", f"{name} is not one of the private contracts dealt to {player}."


def _reveal(state: State, move: Keep, seat: int) -> Refusals:
    """In a sealed game: the three private contracts that were kept, by their names."""
    player, kept = state.config.players[seat], state.kept[seat]
    if state.seals[seat] == SHOWN:
        yield "P-END-2", f"{player} has already revealed the private contracts."
        return
    if move.places or move == KEEP_SEALED:
        why = f"The last turn is over: {player} must name the {KEPT} private contracts kept."
        yield "P-END-2", why
        return
    if len(move.named) != KEPT:
        yield "P-END-2", f"{player} kept {KEPT} private contracts, not {len(move.named)}."
    known, how = (kept, "kept by") if HIDDEN not in kept else (state.dealt[seat], "dealt to")
    for contract in sorted(set(move.named)):
        count = move.named.count(contract)
        if HIDDEN in known or count <= known.count(contract):
            yield from _copies(state, contract, count, seat)
        else:
            name = PRIVATE[contract].name
            yield "P-END-2", f"{name} is not one of the private contracts {how} {player}."


def _copies(state: State, contract: int, count: int, seat: int) -> Refusals:
    """No more cards of a contract than the box holds, less what others have shown."""
    name, copies = PRIVATE[contract].name, state.config.private_deck().count(contract)
    taken = sum(
        kept.count(contract)
        for other, kept in enumerate(state.kept)
        if other != seat and not (state.seals and state.seals[other] != SHOWN)
    )
    if not copies:
        yield "P-SETUP-5", f"This box has no {name}."
    elif count + taken > copies == 1:
        yield "P-SETUP-5", f"There is only one {name}; it cannot be kept again."
    elif count + taken > copies:
        yield "P-SETUP-5", f"There are only {copies} {name} cards; no more can be kept."


def _draw(state: State, move: Draw) -> Refusals:
    row, player = state.cards, state.config.players[state.seat]
    taken = [row[space] for space in move.spaces if row[space] != EMPTY]
    total = sum(VALUE_OF[card] for card in (*taken, *move.named))
    count = len(move.spaces) + len(move.named)
    if not count:
        yield "P-DRAW-1", "Draw at least one card."
    if count > MOST_CARDS_A_DRAW:
        yield "P-DRAW-1", f"Draw at most {MOST_CARDS_A_DRAW} cards, not {count}."
    if total > MOST_VALUE_A_DRAW:
        most = MOST_VALUE_A_DRAW
        yield "P-DRAW-1", f"A draw may add up to at most {most}; these cards add up to {total}."
    if len(set(move.spaces)) < len(move.spaces):
        yield "P-DRAW-1", "A face-up card can be taken only once."
    for space in move.spaces:
        if row[space] == EMPTY and state.is_waiting:
            yield "P-DRAW-2", f"Space {space + 1} is still empty; {player} sees the refill first."
        elif row[space] == EMPTY:
            yield "P-DRAW-1", f"Space {space + 1} is empty."
    for card in sorted(set(move.named)):
        spaces = [str(space + 1) for space, other in enumerate(row) if other == card]
        if spaces:
            where = f"{'space' if len(spaces) == 1 else 'spaces'} {', '.join(spaces)}"
            yield "P-DRAW-1", f"{CARDS[card]} is only in {where}; this draw needs one more."
        else:
            yield "P-DRAW-1", f"{CARDS[card]} is not one of the face-up cards."


def _build(state: State, move: Build) -> Refusals:
    house, bit, player = HOUSES[move.house], BIT[move.house], state.config.players[state.seat]
    color, count = COLOR_OF[move.color], VALUE_OF[move.number]
    paint, hand = COLORS[color], cards_to_build_with(state)
    has_cards = holds_both(hand, move.number, move.color)
    if state.phase == TIMER and not has_cards:
        yield "P-SOLO-4", f"The timer drew {_turned(state)}: build with both of them."
    elif not has_cards:
        for card in sorted({move.number, move.color}):
            if card not in hand:
                yield "P-BUILD-1", f"{CARDS[card]} is not in {player}'s hand."
            elif move.number == move.color:
                yield "P-BUILD-1", f"{player} has only one {CARDS[card]}."
    height = state.config.heights[move.house]
    if not height:
        players = max(2, state.config.seats)
        yield "P-SETUP-1", f"{house} is not used with {players} players."
        return
    started, startable, most_to_add, most_to_start = limits(state, color)
    starts = bool(state.unstarted & bit)
    upper, left = count - starts, state.upper_left[color]
    if not state.room[count] & bit:
        room = plural(height - state.floors[move.house], "floor")
        why = f"{house} has room for {room}, but {CARDS[move.number]} builds {count}."
        yield "P-BUILD-2", why
    if not starts and not started & bit:
        here = COLORS[state.colors[move.house]]
        yield "P-BUILD-4", f"{house} is {here}, so it takes no {paint} floors."
    if count > (most_to_start if starts else most_to_add):
        if starts and not state.ground_left[color]:
            yield "P-BUILD-3", f"There is no {paint} ground floor left to start a house with."
        if upper > left:
            floors = plural(upper, f"{paint} upper floor")
            yield "P-BUILD-3", f"This build needs {floors}, but the supply has only {left}."
    if starts and not startable & bit:
        for neighbor in (LEFT_OF[move.house], RIGHT_OF[move.house]):
            if state.colors[neighbor] == color:
                next_door = f"{HOUSES[neighbor]} next to it is {paint}"
                yield "P-BUILD-5", f"{house} cannot be started in {paint}: {next_door}."
    yield from _token(state, move)


def _token(state: State, move: Build) -> Refusals:
    house, roof, roofs = HOUSES[move.house], move.token, roofs_for_token(state, move.house)
    if roof == NOWHERE:
        if roofs:
            empty = ", ".join(HOUSES[number] for number in HOUSES_IN[roofs])
            why = f"The token of {house} moves to an empty roof: add 'token' and one of {empty}."
            yield "P-TOKEN-1", why
    elif state.floors[move.house]:
        yield "P-TOKEN-1", f"{house} already has a ground floor, so no token moves."
    elif not state.ground_tokens[move.house]:
        yield "P-TOKEN-1", f"There is no token on the ground floor of {house}."
    elif not state.config.heights[roof]:
        players = max(2, state.config.seats)
        yield "P-SETUP-1", f"{HOUSES[roof]} is not used with {players} players."
    elif not roofs:
        why = f"No roof space is empty, so the token of {house} leaves the game: name no roof."
        yield "P-TOKEN-2", why
    elif not roofs & BIT[roof]:
        value = state.roof_tokens[roof]
        there = f"a token of {value} VP" if value else "its roof"
        yield "P-TOKEN-1", f"The roof space of {HOUSES[roof]} is not empty: it has {there}."


def _claim(state: State, move: Claim) -> Refusals:
    built = state.built
    if built is None:
        raise ValueError("A state in phase 'contracts' has a build.")
    color, house = COLORS[COLOR_OF[built.color]], HOUSES[built.house]
    this_turn = {
        "cards": f"played {CARDS[built.number]} and {CARDS[built.color]}",
        "house": f"completed {house} in {color}" if built.completed else "completed no house",
        "floors": f"built {plural(built.floors, f'{color} floor')}",
    }
    if any(len(set(some)) < len(some) for some in move):
        yield "P-PUBLIC-1", "A public contract can be fulfilled only once."
    for space in sorted(set(move.spaces)):
        if state.contracts[space] == EMPTY:
            yield "P-PUBLIC-1", f"There is no public contract in space {space + 1}."
        elif space not in state.claimable:
            contract = PUBLIC[state.contracts[space]]
            done = this_turn[contract.kind]
            yield "P-PUBLIC-1", f"{contract.name} is not met exactly: this turn {done}."
    for number in sorted(set(move.named)):
        yield "P-PUBLIC-1", f"{PUBLIC[number].name} is not one of the face-up public contracts."


def _pass(state: State, _: Pass) -> Refusals:
    player, builds = state.config.players[state.seat], len(legal_builds(state))
    if legal_draws(state):
        yield "P-PASS-1", "Pass only if nothing else is legal; a card can be drawn."
    elif state.is_waiting:
        why = f"Pass only if nothing else is legal; {player} has not seen the refill yet."
        yield "P-PASS-1", why
    elif builds:
        yield "P-PASS-1", f"A player who cannot draw must build. Legal builds: {builds}."


_ROWS: dict[type[Move], Callable[[State, Any], Refusals]] = {
    Draw: _draw,
    Build: _build,
    Claim: _claim,
    Pass: _pass,
}
