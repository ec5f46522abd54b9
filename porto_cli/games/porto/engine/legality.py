"""Which moves are legal, and which rules the others break.

:func:`legal_moves` lists the moves, :func:`check` explains: they agree exactly. One choice is
listed once: without a timer it makes no difference which of two equal face-up cards is taken,
so only the draw of the lowest space is listed, while ``check`` allows the others as well
(:func:`same_choice` maps them to the one that is listed).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from operator import itemgetter
from typing import Any

from porto_cli.core.message import say
from porto_cli.core.violation import Violation as Violation
from porto_cli.games.porto.engine.components import (
    BIT,
    CARD_SPACES,
    CARDS,
    COLOR_OF,
    COLORS,
    EMPTY,
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
from porto_cli.games.porto.engine.contracts import is_met
from porto_cli.games.porto.engine.form import form_faults
from porto_cli.games.porto.engine.moves import (
    KEEPS,
    PASS,
    Build,
    Claim,
    Draw,
    Keep,
    Move,
    builds_with,
    claims_among,
    draw_of,
    draws_among,
)
from porto_cli.games.porto.engine.state import ACT, CONTRACTS, KEEP, OVER, PHASES, TIMER, State

MOST_CARDS_A_DRAW = 3
MOST_VALUE_A_DRAW = 3


Row = tuple[Build, ...]
"""The builds of two cards on one house: one for each roof, then one without a token."""


class _Rows(dict[int, tuple[Row, ...]]):
    """The builds of two cards on each house, made when the two cards first meet."""

    def __missing__(self, cards: int) -> tuple[Row, ...]:
        number, color = divmod(cards, len(CARDS))
        rows = self[cards] = tuple(
            builds_with(number, color, house) for house in range(len(HOUSES))
        )
        return rows


class _Picks(dict[int, Callable[[Row], Row]]):
    """Pick out of a row the builds that move the token to one of these roofs (P-TOKEN-1)."""

    def __missing__(self, roofs: int) -> Callable[[Row], Row]:
        houses = HOUSES_IN[roofs]
        pick: Callable[[Row], Row]
        if len(houses) > 1:
            pick = itemgetter(*houses)
        else:
            only = houses[0] if houses else NOWHERE
            pick = itemgetter(slice(only, only + 1))
        self[roofs] = pick
        return pick


_ROWS = _Rows()
_PICKS = _Picks()
_VALUES = bytes(VALUE_OF) + bytes(256 - len(VALUE_OF))


def legal_moves(state: State, seat: int | None = None) -> list[Move]:
    """Return every legal move of the player to move, or of ``seat`` at any time.

    Who is not to move can at most keep private contracts (P-SETUP-5). Where only the players
    know their deal (real cards on a table), what they can keep cannot be listed. Raises ValueError
    for a phase or a seat that there is not.
    """
    phase = state.phase
    if seat is not None and seat != state.seat:
        return list(KEEPS) if may_keep(state, seat) and state.dealt else []
    if phase == ACT:
        moves: list[Move] = list(_legal_draws(state))
        hand = state.hands[state.seat]
        if len(hand) > 1:
            _add_builds(moves, state, hand)
        return moves or [PASS]
    if phase == CONTRACTS:
        return list(claims_among(state.claimable))
    if phase == TIMER:
        return [*legal_builds(state)]
    if phase == KEEP and state.dealt:
        return list(KEEPS)
    demand_phase(state)
    return []


def demand_phase(state: State) -> None:
    """Raise ValueError for a phase that there is not."""
    if state.phase not in PHASES:
        raise ValueError(f"{state.phase!r} is no phase of the game.")


def demand_seat(state: State, seat: int) -> None:
    """Raise ValueError for a seat that there is not."""
    if not 0 <= seat < state.config.seats:
        raise ValueError(f"There is no seat {seat}: the seats are 0 to {state.config.seats - 1}.")


def may_keep(state: State, seat: int) -> bool:
    """Tell whether this player can still choose private contracts (P-SETUP-5)."""
    demand_seat(state, seat)
    if not state.config.private_contracts or state.kept[seat] or state.phase == OVER:
        return False
    return not state.dealt or seat >= state.turn


def to_move(state: State) -> tuple[str, ...]:
    """Return the players whose move the game waits for; nobody when it is over."""
    players = state.config.players
    if state.phase == OVER:
        return ()
    if state.phase == KEEP and not state.dealt:
        return tuple(name for seat, name in enumerate(players) if may_keep(state, seat))
    return (players[state.seat],)


def same_choice(state: State, move: Move) -> Move:
    """Return the listed move that is the same choice as a legal one."""
    if isinstance(move, Draw) and not state.config.timer:
        return _lowest(state.cards, move)
    return move


def _lowest(cards: bytes, draw: Draw) -> Draw:
    taken: list[int] = []
    for space in draw.spaces:
        twin = -1
        while (twin := cards.index(cards[space], twin + 1)) in taken:
            pass
        taken.append(twin)
    return draw_of(tuple(sorted(taken)))


@cache
def _distinct_draws(values: bytes, firsts: bytes) -> tuple[Draw, ...]:
    return tuple(draw for draw in draws_among(values) if draw is _lowest(firsts, draw))


def _legal_draws(state: State) -> tuple[Draw, ...]:
    """P-DRAW-1; in the solo game the space matters, elsewhere equal cards are one choice."""
    cards = state.cards
    values = cards.translate(_VALUES)
    if state.config.timer or len(set(cards)) == CARD_SPACES:
        return draws_among(values)
    return _distinct_draws(values, bytes(map(cards.find, cards)))


def legal_builds(state: State) -> list[Build]:
    """Return every build that the player to move could make now, from hand or for the timer."""
    builds: list[Build] = []
    _add_builds(builds, state, state.turned if state.phase == TIMER else state.hands[state.seat])
    return builds


def _add_builds(moves: list[Any], state: State, cards: bytes) -> None:
    """P-BUILD-1: every card of the hand for the floors, with every other one for their color."""
    heights, built, tokens = state.config.heights, state.floors, state.ground_tokens
    pick_roofs = _PICKS[state.free_roofs]
    kinds = dict.fromkeys(cards)
    for color_card in kinds:
        color = COLOR_OF[color_card]
        started, empty = _sites(state, color)
        upper_left = state.upper_left[color]
        for number in kinds:
            if number == color_card and cards.count(number) < 2:
                continue
            floors = VALUE_OF[number]
            rows = _ROWS[number * len(CARDS) + color_card]
            if floors <= upper_left:
                for house in started:
                    if floors <= heights[house] - built[house]:
                        moves.append(rows[house][NOWHERE])
            if floors - 1 <= upper_left:
                for house in empty:
                    if floors <= heights[house]:
                        if tokens[house]:
                            moves += pick_roofs(rows[house])
                        else:
                            moves.append(rows[house][NOWHERE])


def _sites(state: State, color: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the houses started in a color (P-BUILD-4), and those that may be started in it.

    For the latter a ground floor must be left (P-BUILD-3) and no neighbor may have the color
    (P-BUILD-5).
    """
    started = state.painted[color]
    if not state.ground_left[color]:
        return HOUSES_IN[started], ()
    return HOUSES_IN[started], HOUSES_IN[state.unstarted & ~(started << 1 | started >> 1)]


def can_build(state: State, one: int, other: int) -> bool:
    """Tell whether two cards could be built with in any way (P-SOLO-4)."""
    heights, built = state.config.heights, state.floors
    for number, color_card in ((one, other), (other, one)):
        floors, color = VALUE_OF[number], COLOR_OF[color_card]
        started, empty = _sites(state, color)
        upper_left = state.upper_left[color]
        if floors <= upper_left:
            for house in started:
                if floors <= heights[house] - built[house]:
                    return True
        if floors - 1 <= upper_left:
            for house in empty:
                if floors <= heights[house]:
                    return True
    return False


def _is_plain_draw(state: State, draw: Draw) -> bool:
    """P-DRAW-1."""
    if state.phase != ACT or draw.named or draw.spaces not in _SPACES_OF_A_DRAW:
        return False
    row = state.cards
    value = 0
    for space in draw.spaces:
        card = row[space]
        if card == EMPTY:
            return False
        value += VALUE_OF[card]
    return value <= MOST_VALUE_A_DRAW


def _is_plain_build(state: State, build: Build) -> bool:
    """P-BUILD-1 to P-BUILD-5, P-TOKEN-1, P-TOKEN-2, P-SOLO-4."""
    if state.phase == ACT:
        cards = state.hands[state.seat]
    elif state.phase == TIMER:
        cards = state.turned
    else:
        return False
    number, color_card, house, roof = build
    if (
        house < 0
        or roof < 0
        or number not in cards
        or color_card not in cards
        or (number == color_card and cards.count(number) < 2)
    ):
        return False
    floors, color = VALUE_OF[number], COLOR_OF[color_card]
    built, upper_left = state.floors[house], state.upper_left[color]
    if floors > state.config.heights[house] - built:
        return False
    if built:
        return roof == NOWHERE and state.colors[house] == color and floors <= upper_left
    painted = state.painted[color]
    if (
        (painted << 1 | painted >> 1) & BIT[house]
        or not state.ground_left[color]
        or floors - 1 > upper_left
    ):
        return False
    if state.ground_tokens[house] and state.free_roofs:
        return roof != NOWHERE and bool(state.free_roofs & BIT[roof])
    return roof == NOWHERE


def _is_plain_claim(state: State, claim: Claim) -> bool:
    """P-PUBLIC-1."""
    spaces = _spaces_to_claim(state.claimable)
    return state.phase == CONTRACTS and claim.spaces in spaces and not claim.named


_IS_PLAIN: dict[type[Any], Callable[[State, Any], bool]] = {
    Draw: _is_plain_draw,
    Build: _is_plain_build,
    Claim: _is_plain_claim,
}


def _is_plain(state: State, move: Move) -> bool:
    """Tell quickly that the move of the player to move is legal; what is not plain may be legal."""
    plain = _IS_PLAIN.get(type(move))
    try:
        return plain is not None and plain(state, move)
    except (TypeError, ValueError, LookupError):
        # It holds something else than the numbers of a move.
        return False


_SPACES_OF_A_DRAW = frozenset(draw.spaces for draw in draws_among(bytes([1] * CARD_SPACES)))
"""Up to three spaces of the row, in order."""


@cache
def _spaces_to_claim(claimable: tuple[int, ...]) -> frozenset[tuple[int, ...]]:
    return frozenset(claim.spaces for claim in claims_among(claimable))


def check(state: State, move: Move, seat: int | None = None) -> list[Violation]:
    """Return every rule that the move of this player would break; none if it is legal.

    Raises TypeError for what is no move, and ValueError for one with a card, contract or house
    that there is not, and for a phase or seat that there is not.
    """
    if seat is None:
        seat = state.seat
    if seat == state.seat and _is_plain(state, move):
        return []
    faults = form_faults(move)
    if faults:
        return faults
    demand_phase(state)
    demand_seat(state, seat)
    if state.phase == OVER:
        rule = "P-SOLO-6" if state.config.timer else "P-END-1"
        return [Violation(rule, say("The game is over."))]
    if isinstance(move, Keep):
        return list(_check_keep(state, move, seat))
    if seat != state.seat:
        return [
            Violation(
                "P-SETUP-4",
                say("It is {mover}'s turn, not {player}'s.", **_who(state, seat)),
            )
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
    if phase == KEEP:
        return Violation(
            "P-SETUP-5",
            say("{mover} has to keep three private contracts first.", **_who(state, state.seat)),
        )
    if phase == CONTRACTS and not isinstance(move, Claim):
        return Violation(
            "P-PUBLIC-2",
            say(
                "{mover} has built and has to say first which public contracts to fulfill, if any.",
                **_who(state, state.seat),
            ),
        )
    if phase == TIMER and not isinstance(move, Build):
        return Violation(
            "P-SOLO-4",
            say(
                "The timer has turned up {one} and {other}: they have to be built first.",
                one=CARDS[state.turned[0]],
                other=CARDS[state.turned[1]],
            ),
        )
    if phase == ACT and isinstance(move, Claim):
        return Violation(
            "P-PUBLIC-1", say("Public contracts are fulfilled right after building, not now.")
        )
    return None


def _check_keep(state: State, move: Keep, seat: int) -> Iterator[Violation]:
    """P-SETUP-5, P-SETUP-6."""
    player = state.config.players[seat]
    if not state.config.private_contracts:
        yield Violation("P-SETUP-6", say("This game is played without private contracts."))
        return
    if state.kept[seat]:
        yield Violation(
            "P-SETUP-5",
            say("{player} has already chosen the private contracts to keep.", player=player),
        )
    elif not may_keep(state, seat):
        yield Violation(
            "P-SETUP-5",
            say("{player} has to keep before the own first turn.", player=player),
        )
    count = len(move.places) + len(move.named)
    if count != KEPT:
        yield Violation(
            "P-SETUP-5",
            say("Of the private contracts {kept} are kept, not {count}.", kept=KEPT, count=count),
        )
    if len(set(move.places)) < len(move.places):
        yield Violation("P-SETUP-5", say("A private contract can be kept only once."))
    if move.places and not state.dealt:
        yield Violation(
            "P-SETUP-5",
            say("{player}'s deal is not known here: keep by name.", player=player),
        )
    for contract in sorted(set(move.named)):
        yield from _check_kept(state, contract, move.named.count(contract), seat)


def _check_kept(state: State, contract: int, count: int, seat: int) -> Iterator[Violation]:
    """P-SETUP-5, for a contract that is kept by its name, ``count`` cards of it."""
    facts = {"contract": PRIVATE[contract].name, "player": state.config.players[seat]}
    copies = state.config.private_deck().count(contract)
    taken = sum(kept.count(contract) for other, kept in enumerate(state.kept) if other != seat)
    if not copies:
        yield Violation("P-SETUP-5", say("This box has no {contract}.", **facts))
    elif state.dealt and contract in state.dealt[seat]:
        yield Violation("P-SETUP-5", say("{player} was dealt no other {contract}.", **facts))
    elif state.dealt:
        yield Violation(
            "P-SETUP-5",
            say("{contract} is not among the private contracts dealt to {player}.", **facts),
        )
    elif count + taken > copies == 1:
        yield Violation(
            "P-SETUP-5", say("There is only one {contract}; it cannot be kept again.", **facts)
        )
    elif count + taken > copies:
        yield Violation(
            "P-SETUP-5",
            say(
                "There are only {copies} cards {contract}; no other can be kept.",
                copies=copies,
                **facts,
            ),
        )


def _check_draw(state: State, move: Draw) -> Iterator[Violation]:
    """P-DRAW-1."""
    row = state.cards
    values = [VALUE_OF[row[space]] for space in move.spaces if row[space] != EMPTY]
    values += [VALUE_OF[card] for card in move.named]
    count = len(move.spaces) + len(move.named)
    if not count:
        yield Violation("P-DRAW-1", say("A draw takes at least one card."))
    if count > MOST_CARDS_A_DRAW:
        yield Violation(
            "P-DRAW-1",
            say(
                "A draw takes at most {most} cards, not {count}.",
                most=MOST_CARDS_A_DRAW,
                count=count,
            ),
        )
    if sum(values) > MOST_VALUE_A_DRAW:
        yield Violation(
            "P-DRAW-1",
            say(
                "The cards of a draw may have a total value of {most}, these have {total}.",
                most=MOST_VALUE_A_DRAW,
                total=sum(values),
            ),
        )
    if len(set(move.spaces)) < len(move.spaces):
        yield Violation("P-DRAW-1", say("A face-up card can be taken only once."))
    for space in move.spaces:
        if row[space] == EMPTY:
            yield Violation("P-DRAW-1", say("Space {space} is empty.", space=space + 1))
    for card in sorted(set(move.named)):
        lying = [str(space + 1) for space, other in enumerate(row) if other == card]
        if not lying:
            yield Violation(
                "P-DRAW-1", say("{card} is not among the face-up cards.", card=CARDS[card])
            )
        elif len(lying) == 1:
            yield Violation(
                "P-DRAW-1",
                say(
                    "{card} lies only in space {space}, the draw asks for another one.",
                    card=CARDS[card],
                    space=lying[0],
                ),
            )
        else:
            yield Violation(
                "P-DRAW-1",
                say(
                    "{card} lies only in the spaces {spaces}, the draw asks for another one.",
                    card=CARDS[card],
                    spaces=", ".join(lying),
                ),
            )


def _check_build(state: State, move: Build) -> Iterator[Violation]:
    """P-BUILD-1 to P-BUILD-5, P-TOKEN-1, P-SOLO-4."""
    house = move.house
    yield from _check_cards(state, move)
    if not state.config.heights[house]:
        yield Violation(
            "P-SETUP-1",
            say(
                "The house {house} is left out with {players} players.",
                house=HOUSES[house],
                players=max(2, state.config.seats),
            ),
        )
        return
    count, color = VALUE_OF[move.number], COLOR_OF[move.color]
    built = state.floors[house]
    space = state.config.heights[house] - built
    if count > space:
        yield Violation(
            "P-BUILD-2",
            say(
                "{house} has {space} empty floor spaces, {card} asks for {count} floors.",
                house=HOUSES[house],
                space=space,
                card=CARDS[move.number],
                count=count,
            ),
        )
    if built and state.colors[house] != color:
        yield Violation(
            "P-BUILD-4",
            say(
                "{house} is {color}, so it takes no {other} floors.",
                house=HOUSES[house],
                color=COLORS[state.colors[house]],
                other=COLORS[color],
            ),
        )
    yield from _check_tiles(state, color, count, started=bool(built))
    if not built:
        for neighbor in (LEFT_OF[house], RIGHT_OF[house]):
            if state.colors[neighbor] == color:
                yield Violation(
                    "P-BUILD-5",
                    say(
                        "{house} cannot be started in {color}: its neighbor {neighbor} is {color}.",
                        house=HOUSES[house],
                        color=COLORS[color],
                        neighbor=HOUSES[neighbor],
                    ),
                )
    yield from _check_token(state, move)


def _check_cards(state: State, move: Build) -> Iterator[Violation]:
    """P-BUILD-1; the timer's own two cards in P-SOLO-4."""
    cards = (move.number, move.color)
    if state.phase == TIMER:
        if sorted(cards) != sorted(state.turned):
            yield Violation(
                "P-SOLO-4",
                say(
                    "The timer has turned up {one} and {other}: the build has to use both.",
                    one=CARDS[state.turned[0]],
                    other=CARDS[state.turned[1]],
                ),
            )
        return
    hand = state.hands[state.seat]
    player = state.config.players[state.seat]
    for card in sorted(set(cards)):
        if card not in hand:
            yield Violation(
                "P-BUILD-1",
                say("{card} is not in {player}'s hand.", card=CARDS[card], player=player),
            )
        elif cards.count(card) > hand.count(card):
            yield Violation(
                "P-BUILD-1",
                say("{player} has only one {card}.", card=CARDS[card], player=player),
            )


def _check_tiles(state: State, color: int, count: int, *, started: bool) -> Iterator[Violation]:
    """P-BUILD-3."""
    if not started and not state.ground_left[color]:
        yield Violation(
            "P-BUILD-3",
            say(
                "There is no {color} ground floor left to start a house with.",
                color=COLORS[color],
            ),
        )
    upper = count if started else count - 1
    if upper > state.upper_left[color]:
        yield Violation(
            "P-BUILD-3",
            say(
                "The build needs {upper} {color} upper floors, but only {left} are left.",
                upper=upper,
                color=COLORS[color],
                left=state.upper_left[color],
            ),
        )


def _check_token(state: State, move: Build) -> Iterator[Violation]:
    """P-TOKEN-1, P-TOKEN-2."""
    house, roof = move.house, move.token
    if state.floors[house]:
        if roof != NOWHERE:
            yield Violation(
                "P-TOKEN-1",
                say(
                    "{house} has its ground floor, so that no token moves.",
                    house=HOUSES[house],
                ),
            )
        return
    if not state.ground_tokens[house]:
        if roof != NOWHERE:
            yield Violation(
                "P-TOKEN-1",
                say("There is no token on the ground floor of {house}.", house=HOUSES[house]),
            )
        return
    roofs = state.empty_roofs()
    if roof == NOWHERE:
        if roofs:
            yield Violation(
                "P-TOKEN-1",
                say(
                    "The token of {house} moves to an empty roof: add 'token' and one of {roofs}.",
                    house=HOUSES[house],
                    roofs=", ".join(HOUSES[empty] for empty in roofs),
                ),
            )
    elif not state.config.heights[roof]:
        yield Violation(
            "P-SETUP-1",
            say(
                "The house {house} is left out with {players} players.",
                house=HOUSES[roof],
                players=max(2, state.config.seats),
            ),
        )
    elif not roofs:
        yield Violation(
            "P-TOKEN-2",
            say(
                "No roof space is empty: the token of {house} leaves the game, so name no roof.",
                house=HOUSES[house],
            ),
        )
    elif roof not in roofs:
        if state.roof_tokens[roof]:
            yield Violation(
                "P-TOKEN-1",
                say(
                    "The roof space of {roof} is not empty: a token of {value} VP lies there.",
                    roof=HOUSES[roof],
                    value=state.roof_tokens[roof],
                ),
            )
        else:
            yield Violation(
                "P-TOKEN-1",
                say("The roof space of {roof} is not empty: it has its roof.", roof=HOUSES[roof]),
            )


def _check_claim(state: State, move: Claim) -> Iterator[Violation]:
    """P-PUBLIC-1."""
    built = state.built
    if built is None:
        raise ValueError("A state in phase 'contracts' has a build.")
    if len(set(move.spaces)) + len(set(move.named)) < len(move.spaces) + len(move.named):
        yield Violation("P-PUBLIC-1", say("A public contract can be fulfilled only once."))
    for space in sorted(set(move.spaces)):
        contract = state.contracts[space]
        if contract == EMPTY:
            yield Violation(
                "P-PUBLIC-1", say("There is no public contract in space {space}.", space=space + 1)
            )
        elif not is_met(PUBLIC[contract], built):
            yield _not_met(contract, state)
    for contract in sorted(set(move.named)):
        yield Violation(
            "P-PUBLIC-1",
            say(
                "{contract} is not among the face-up public contracts.",
                contract=PUBLIC[contract].name,
            ),
        )


def _not_met(contract: int, state: State) -> Violation:
    built = state.built
    assert built is not None
    facts = {
        "contract": PUBLIC[contract].name,
        "count": built.floors,
        "color": COLORS[COLOR_OF[built.color]],
        "house": HOUSES[built.house],
        "number": CARDS[built.number],
        "color_card": CARDS[built.color],
    }
    if PUBLIC[contract].kind == "cards":
        return Violation(
            "P-PUBLIC-1",
            say(
                "{contract} is not met exactly: this turn played {number} and {color_card}.",
                **facts,
            ),
        )
    if PUBLIC[contract].kind == "house":
        return Violation(
            "P-PUBLIC-1",
            say(
                "{contract} is not met exactly: {house} is completed this turn in {color}."
                if built.completed
                else "{contract} is not met exactly: this turn completed no house.",
                **facts,
            ),
        )
    return Violation(
        "P-PUBLIC-1",
        say(
            "{contract} is not met exactly: the floors built this turn are {count} in {color}.",
            **facts,
        ),
    )


def _check_pass(state: State) -> Iterator[Violation]:
    """P-PASS-1."""
    draws = len(_legal_draws(state))
    builds = len(legal_builds(state))
    if draws:
        yield Violation(
            "P-PASS-1",
            say("A player may pass only if nothing else is legal; a card can be drawn."),
        )
    elif builds:
        yield Violation(
            "P-PASS-1",
            say(
                "A player who cannot draw must build; there are {builds} legal builds.",
                builds=builds,
            ),
        )
