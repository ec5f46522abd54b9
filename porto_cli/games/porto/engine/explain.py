"""Which rules a move breaks, each in a sentence.

A move that :func:`~porto_cli.games.porto.engine.legal_moves.legal_moves` lists breaks none, and one
that breaks none is listed, or is the same choice as one that is.
"""

from __future__ import annotations

from collections.abc import Iterator

from porto_cli.core.message import Violation, violation
from porto_cli.games.porto.engine.components import (
    BIT,
    CARDS,
    COLOR_OF,
    COLORS,
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
from porto_cli.games.porto.engine.moves import (
    KEEP_SEALED,
    Build,
    Claim,
    Draw,
    Keep,
    Move,
    form_faults,
)
from porto_cli.games.porto.engine.state import (
    CONTRACTS,
    KEEP,
    OVER,
    SHOWN,
    TIMER,
    State,
)


def check(state: State, move: Move, seat: int | None = None) -> list[Violation]:
    """Return every rule that the move of this player would break; none if it is legal.

    Raises TypeError for anything but a move, and ValueError for one with a card, contract or house
    that does not exist, and for an unknown phase or seat.
    """
    if seat is None:
        seat = state.seat
    if seat == state.seat and is_legal(state, move):
        return []
    faults = form_faults(move)
    if faults:
        return faults
    demand_phase(state)
    demand_seat(state, seat)
    if state.phase == OVER:
        rule = "P-SOLO-6" if state.config.timer else "P-END-1"
        return [violation(rule, "The game is over.")]
    if isinstance(move, Keep):
        return list(_check_keep(state, move, seat))
    if seat != state.seat:
        return [
            violation("P-SETUP-4", "It is {mover}'s turn, not {player}'s.", **_who(state, seat))
        ]
    out_of_phase = _check_phase(state, move)
    if out_of_phase:
        return [out_of_phase]
    if isinstance(move, Build):
        return list(_check_build(state, move))
    if isinstance(move, Draw):
        return list(_check_draw(state, move))
    if isinstance(move, Claim):
        return list(_check_claim(state, move))
    return list(_check_pass(state))


def _who(state: State, seat: int) -> dict[str, object]:
    return {"player": state.config.players[seat], "mover": state.config.players[state.seat]}


def _check_phase(state: State, move: Move) -> Violation | None:
    phase = state.phase
    if type(move) in MOVES_IN[phase]:
        return None
    if phase == KEEP:
        return violation(
            "P-SETUP-5",
            "{mover} has to keep three private contracts first.",
            **_who(state, state.seat),
        )
    if phase == CONTRACTS:
        return violation(
            "P-PUBLIC-2",
            "{mover} has built and has to say first which public contracts to fulfill, if any.",
            **_who(state, state.seat),
        )
    if phase == TIMER:
        return violation(
            "P-SOLO-4",
            "The timer has turned up {one} and {other}: they have to be built first.",
            one=CARDS[state.turned[0]],
            other=CARDS[state.turned[1]],
        )
    return violation("P-PUBLIC-1", "Public contracts are fulfilled right after building, not now.")


def _check_keep(state: State, move: Keep, seat: int) -> Iterator[Violation]:
    """P-SETUP-5, P-SETUP-6."""
    player = state.config.players[seat]
    if not state.config.private_contracts:
        yield violation("P-SETUP-6", "This game is played without private contracts.")
        return
    if state.is_out(seat):
        yield violation(
            "P-SETUP-5",
            "{player} was given up: the others continue without {player}.",
            player=player,
        )
        return
    if state.seals and state.is_revealing:
        yield from _check_reveal(state, move, seat)
        return
    if state.kept[seat]:
        yield violation(
            "P-SETUP-5", "{player} has already chosen the private contracts to keep.", player=player
        )
    elif not may_keep(state, seat):
        yield violation(
            "P-SETUP-5", "{player} has to keep before their own first turn.", player=player
        )
    if move == KEEP_SEALED:
        if not state.seals:
            yield violation(
                "P-SETUP-5",
                "This game is not sealed: {player} says which three are kept.",
                player=player,
            )
        return
    if state.seals and HIDDEN in state.dealt[seat]:
        yield violation(
            "P-SETUP-5",
            "The private contracts of {player} are sealed: only who has the key of {player} "
            "can choose three of them.",
            player=player,
        )
        return
    count = len(move.places) + len(move.named)
    if count != KEPT:
        yield violation(
            "P-SETUP-5",
            "Of the private contracts {kept} are kept, not {count}.",
            kept=KEPT,
            count=count,
        )
    if len(set(move.places)) < len(move.places):
        yield violation("P-SETUP-5", "A private contract can be kept only once.")
    if move.places and not state.dealt:
        yield violation(
            "P-SETUP-5", "{player}'s deal is not known here: keep by name.", player=player
        )
    for contract in sorted(set(move.named)):
        yield from _check_kept(state, contract, move.named.count(contract), seat)


def _check_reveal(state: State, move: Keep, seat: int) -> Iterator[Violation]:
    """P-END-2 in a sealed game: the three private contracts that were kept, by their names."""
    facts: dict[str, object] = {"player": state.config.players[seat], "kept": KEPT}
    if state.seals[seat] == SHOWN:
        yield violation(
            "P-END-2", "{player} has already revealed the private contracts kept.", **facts
        )
        return
    if move.places or move == KEEP_SEALED:
        yield violation(
            "P-END-2",
            "The last turn is over: {player} reveals the {kept} private contracts that were "
            "kept, by their names.",
            **facts,
        )
        return
    if len(move.named) != KEPT:
        yield violation(
            "P-END-2",
            "{player} has kept {kept} private contracts, not {count}.",
            count=len(move.named),
            **facts,
        )
    known = state.kept[seat] if HIDDEN not in state.kept[seat] else state.dealt[seat]
    for contract in sorted(set(move.named)):
        count = move.named.count(contract)
        if HIDDEN not in known and count > known.count(contract):
            yield violation(
                "P-END-2",
                "{contract} is not among the private contracts that {player} has kept."
                if known is state.kept[seat]
                else "{contract} is not among the private contracts dealt to {player}.",
                contract=PRIVATE[contract].name,
                **facts,
            )
        else:
            yield from _check_copies(state, contract, count, seat)


def _check_kept(state: State, contract: int, count: int, seat: int) -> Iterator[Violation]:
    """P-SETUP-5, for a contract that is kept by its name, ``count`` cards of it."""
    facts = {"contract": PRIVATE[contract].name, "player": state.config.players[seat]}
    if state.dealt and contract not in state.config.private_deck():
        yield violation("P-SETUP-5", "This box has no {contract}.", **facts)
    elif state.dealt and contract in state.dealt[seat]:
        yield violation("P-SETUP-5", "{player} was dealt no other {contract}.", **facts)
    elif state.dealt:
        yield violation(
            "P-SETUP-5", "{contract} is not among the private contracts dealt to {player}.", **facts
        )
    else:
        yield from _check_copies(state, contract, count, seat)


def _check_copies(state: State, contract: int, count: int, seat: int) -> Iterator[Violation]:
    """P-SETUP-5: no more cards of a contract than the box holds, less what others have shown."""
    facts = {"contract": PRIVATE[contract].name}
    copies = state.config.private_deck().count(contract)
    taken = sum(
        kept.count(contract)
        for other, kept in enumerate(state.kept)
        if other != seat and not (state.seals and state.seals[other] != SHOWN)
    )
    if not copies:
        yield violation("P-SETUP-5", "This box has no {contract}.", **facts)
    elif count + taken > copies == 1:
        yield violation(
            "P-SETUP-5", "There is only one {contract}; it cannot be kept again.", **facts
        )
    elif count + taken > copies:
        yield violation(
            "P-SETUP-5",
            "There are only {copies} cards {contract}; no other can be kept.",
            copies=copies,
            **facts,
        )


def _check_draw(state: State, move: Draw) -> Iterator[Violation]:
    """P-DRAW-1."""
    row = state.cards
    values = [VALUE_OF[row[space]] for space in move.spaces if row[space] != EMPTY]
    values += [VALUE_OF[card] for card in move.named]
    count = len(move.spaces) + len(move.named)
    if not count:
        yield violation("P-DRAW-1", "A draw takes at least one card.")
    if count > MOST_CARDS_A_DRAW:
        yield violation(
            "P-DRAW-1",
            "A draw takes at most {most} cards, not {count}.",
            most=MOST_CARDS_A_DRAW,
            count=count,
        )
    if sum(values) > MOST_VALUE_A_DRAW:
        yield violation(
            "P-DRAW-1",
            "The cards of a draw may have a total value of {most}, these have {total}.",
            most=MOST_VALUE_A_DRAW,
            total=sum(values),
        )
    if len(set(move.spaces)) < len(move.spaces):
        yield violation("P-DRAW-1", "A face-up card can be taken only once.")
    for space in move.spaces:
        if row[space] == EMPTY and state.is_waiting:
            yield violation(
                "P-DRAW-2",
                "What comes up in space {space} is not known yet; {player} sees it first.",
                space=space + 1,
                player=state.config.players[state.seat],
            )
        elif row[space] == EMPTY:
            yield violation("P-DRAW-1", "Space {space} is empty.", space=space + 1)
    for card in sorted(set(move.named)):
        lying = [str(space + 1) for space, other in enumerate(row) if other == card]
        if not lying:
            yield violation("P-DRAW-1", "{card} is not among the face-up cards.", card=CARDS[card])
        elif len(lying) == 1:
            yield violation(
                "P-DRAW-1",
                "{card} lies only in space {space}, but the draw needs another one.",
                card=CARDS[card],
                space=lying[0],
            )
        else:
            yield violation(
                "P-DRAW-1",
                "{card} lies only in the spaces {spaces}, but the draw needs another one.",
                card=CARDS[card],
                spaces=", ".join(lying),
            )


def _check_build(state: State, move: Build) -> Iterator[Violation]:
    """P-BUILD-1 to P-BUILD-5, P-TOKEN-1, P-SOLO-4."""
    house = move.house
    yield from _check_cards(state, move)
    if not state.config.heights[house]:
        yield violation(
            "P-SETUP-1",
            "The house {house} is left out with {players} players.",
            house=HOUSES[house],
            players=max(2, state.config.seats),
        )
        return
    color, count, bit = COLOR_OF[move.color], VALUE_OF[move.number], BIT[house]
    started, startable, most_to_add, most_to_start = limits(state, color)
    starts = bool(state.unstarted & bit)
    if not state.room[count] & bit:
        yield violation(
            "P-BUILD-2",
            "{house} has {space} empty floor spaces, but {card} needs {count} floors.",
            house=HOUSES[house],
            space=state.config.heights[house] - state.floors[house],
            card=CARDS[move.number],
            count=count,
        )
    if not starts and not started & bit:
        yield violation(
            "P-BUILD-4",
            "{house} is {color}, so it takes no {other} floors.",
            house=HOUSES[house],
            color=COLORS[state.colors[house]],
            other=COLORS[color],
        )
    if count > (most_to_start if starts else most_to_add):
        yield from _missing_tiles(state, color, count - starts, starts=starts)
    if starts and not startable & bit:
        for neighbor in (LEFT_OF[house], RIGHT_OF[house]):
            if state.colors[neighbor] == color:
                yield violation(
                    "P-BUILD-5",
                    "{house} cannot be started in {color}: its neighbor {neighbor} is {color}.",
                    house=HOUSES[house],
                    color=COLORS[color],
                    neighbor=HOUSES[neighbor],
                )
    yield from _check_token(state, move)


def _check_cards(state: State, move: Build) -> Iterator[Violation]:
    """P-BUILD-1; the timer's own two cards in P-SOLO-4."""
    hand = cards_to_build_with(state)
    if holds_both(hand, move.number, move.color):
        return
    if state.phase == TIMER:
        yield violation(
            "P-SOLO-4",
            "The timer has turned up {one} and {other}: the build has to use both.",
            one=CARDS[state.turned[0]],
            other=CARDS[state.turned[1]],
        )
        return
    cards = (move.number, move.color)
    player = state.config.players[state.seat]
    for card in sorted(set(cards)):
        if card not in hand:
            yield violation(
                "P-BUILD-1", "{card} is not in {player}'s hand.", card=CARDS[card], player=player
            )
        elif move.number == move.color:
            yield violation(
                "P-BUILD-1", "{player} has only one {card}.", card=CARDS[card], player=player
            )


def _missing_tiles(state: State, color: int, upper: int, *, starts: bool) -> Iterator[Violation]:
    """P-BUILD-3, for the upper floors, and a ground floor if the house is started."""
    if starts and not state.ground_left[color]:
        yield violation(
            "P-BUILD-3",
            "There is no {color} ground floor left to start a house with.",
            color=COLORS[color],
        )
    if upper > state.upper_left[color]:
        yield violation(
            "P-BUILD-3",
            "The build needs {upper} {color} upper floors, but only {left} are left.",
            upper=upper,
            color=COLORS[color],
            left=state.upper_left[color],
        )


def _check_token(state: State, move: Build) -> Iterator[Violation]:
    """P-TOKEN-1, P-TOKEN-2."""
    house, roof = move.house, move.token
    if state.floors[house]:
        if roof != NOWHERE:
            yield violation(
                "P-TOKEN-1",
                "{house} has its ground floor, so that no token moves.",
                house=HOUSES[house],
            )
        return
    if not state.ground_tokens[house]:
        if roof != NOWHERE:
            yield violation(
                "P-TOKEN-1",
                "There is no token on the ground floor of {house}.",
                house=HOUSES[house],
            )
        return
    roofs = roofs_for_token(state, house)
    if roof == NOWHERE:
        if roofs:
            yield violation(
                "P-TOKEN-1",
                "The token of {house} moves to an empty roof: add 'token' and one of {roofs}.",
                house=HOUSES[house],
                roofs=", ".join(HOUSES[empty] for empty in HOUSES_IN[roofs]),
            )
    elif not state.config.heights[roof]:
        yield violation(
            "P-SETUP-1",
            "The house {house} is left out with {players} players.",
            house=HOUSES[roof],
            players=max(2, state.config.seats),
        )
    elif not roofs:
        yield violation(
            "P-TOKEN-2",
            "No roof space is empty: the token of {house} leaves the game, so name no roof.",
            house=HOUSES[house],
        )
    elif not roofs & BIT[roof]:
        if state.roof_tokens[roof]:
            yield violation(
                "P-TOKEN-1",
                "The roof space of {roof} is not empty: it has a token of {value} VP.",
                roof=HOUSES[roof],
                value=state.roof_tokens[roof],
            )
        else:
            yield violation(
                "P-TOKEN-1",
                "The roof space of {roof} is not empty: it has its roof.",
                roof=HOUSES[roof],
            )


def _check_claim(state: State, move: Claim) -> Iterator[Violation]:
    """P-PUBLIC-1."""
    if len(set(move.spaces)) + len(set(move.named)) < len(move.spaces) + len(move.named):
        yield violation("P-PUBLIC-1", "A public contract can be fulfilled only once.")
    for space in sorted(set(move.spaces)):
        contract = state.contracts[space]
        if contract == EMPTY:
            yield violation(
                "P-PUBLIC-1", "There is no public contract in space {space}.", space=space + 1
            )
        elif space not in state.claimable:
            yield _not_met(contract, state)
    for contract in sorted(set(move.named)):
        yield violation(
            "P-PUBLIC-1",
            "{contract} is not among the face-up public contracts.",
            contract=PUBLIC[contract].name,
        )


def _not_met(contract: int, state: State) -> Violation:
    built = state.built
    if built is None:
        raise ValueError("A state in phase 'contracts' has a build.")
    facts = {
        "contract": PUBLIC[contract].name,
        "count": built.floors,
        "color": COLORS[COLOR_OF[built.color]],
        "house": HOUSES[built.house],
        "number": CARDS[built.number],
        "color_card": CARDS[built.color],
    }
    if PUBLIC[contract].kind == "cards":
        return violation(
            "P-PUBLIC-1",
            "{contract} is not met exactly: this turn played {number} and {color_card}.",
            **facts,
        )
    if PUBLIC[contract].kind == "house":
        return violation(
            "P-PUBLIC-1",
            "{contract} is not met exactly: {house} is completed this turn in {color}."
            if built.completed
            else "{contract} is not met exactly: this turn completed no house.",
            **facts,
        )
    return violation(
        "P-PUBLIC-1",
        "{contract} is not met exactly: the floors built this turn are {count} in {color}.",
        **facts,
    )


def _check_pass(state: State) -> Iterator[Violation]:
    """P-PASS-1."""
    draws = len(legal_draws(state))
    builds = len(legal_builds(state))
    if draws:
        yield violation(
            "P-PASS-1", "A player may pass only if nothing else is legal; a card can be drawn."
        )
    elif state.is_waiting:
        yield violation(
            "P-PASS-1",
            "A player may pass only if nothing else is legal; what comes up for {player} is "
            "not known yet.",
            player=state.config.players[state.seat],
        )
    elif builds:
        yield violation(
            "P-PASS-1",
            "A player who cannot draw must build; there are {builds} legal builds.",
            builds=builds,
        )
