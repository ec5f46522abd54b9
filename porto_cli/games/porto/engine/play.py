"""Building and passing, and the moves of all phases: which are legal, why others are not, and what
each leads to. A game begins in ``state.begin``; where and with which cards a player can build is in
the second part of ``state`` (``limits``, ``sites``).

>>> Build(11, 0, 3, token=5)
<Build red-3 blue-1 L4 token L6>
>>> Placed(1, 10, 0, 3, floors=2, started=True, completed=False, by_timer=False)
<Placed seat=1 number=red-2 color=blue-1 house=L4 floors=2 started>
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from operator import itemgetter
from typing import Any, NamedTuple, Union, get_args

from porto_cli.core import InvalidMoveError, Refusals, Violation, cited, enumerated, plural
from porto_cli.core.chance import Chance
from porto_cli.core.values import Seat
from porto_cli.games.porto.engine import (
    BIT,
    CARDS,
    COLOR_OF,
    COLORS,
    HOUSES,
    HOUSES_IN,
    LEFT_OF,
    MOST_FLOORS_A_TURN,
    NOWHERE,
    ONE,
    RIGHT_OF,
    VALUE_OF,
    parse_card,
    parse_house,
    put,
    put_in,
)
from porto_cli.games.porto.engine.cards import (
    Claim,
    Draw,
    Keep,
    claims_among,
    legal_draws,
    legal_keeps,
    lowest,
    may_keep,
)
from porto_cli.games.porto.engine.scoring import met_by
from porto_cli.games.porto.engine.state import (
    ACT,
    CONTRACTS,
    KEEP,
    OVER,
    PHASES,
    TIMER,
    Built,
    State,
    cards_to_build_with,
    clashes,
    demand_phase,
    demand_seat,
    holds_both,
    limits,
    roofs_for_token,
)
from porto_cli.games.porto.engine.turn import (
    FLOORS,
    GROUND_TOKEN,
    NEIGHBORS,
    ROOF_TOKEN,
    Card,
    Count,
    EndTriggered,
    Event,
    Floors,
    House,
    Roof,
    Scored,
    demand,
    end_timer,
    end_turn,
    event,
    move,
    name_in,
)

# -- Building: the move, its words, why it is not legal, what it leads to

TOKEN = "token"
"""The word before the house whose roof receives the token of a ground floor."""


@event()
class Placed(NamedTuple):
    """Floors were placed in a house.

    ``number``, ``color``  the two cards that were played
    ``house``, ``floors``  where, and how many floors
    ``started``            whether the house had no floors before
    ``completed``          whether it now has its roof
    ``by_timer``           whether it was a build of the solo timer
    """

    seat: Seat
    number: Card
    color: Card
    house: House
    floors: Floors
    started: bool
    completed: bool
    by_timer: bool

    @property
    def in_brief(self) -> str:
        """What was done, without the player: ``built 2 red floors on R1``."""
        floors = plural(self.floors, f"{COLORS[COLOR_OF[self.color]]} floor")
        return f"built {floors} on {HOUSES[self.house]}"

    def told(self, names: Sequence[str]) -> str:
        """Return the event as a sentence."""
        pair = f"{CARDS[self.number]} and {CARDS[self.color]}"
        if self.by_timer:
            return f"The timer {self.in_brief} with {pair}."
        return f"{names[self.seat]} played {pair} and {self.in_brief}."


@event()
class TokenMoved(NamedTuple):
    """The token of the ground floor of ``house`` went to a ``roof``, or to the box (14)."""

    value: Count
    house: House
    roof: Roof

    def told(self, names: Sequence[str]) -> str:
        """Return the event as a sentence."""
        token = f"The {self.value} VP token of {HOUSES[self.house]}"
        if self.roof == NOWHERE:
            return f"{token} left the game, as no roof space was empty."
        if self.roof == self.house:
            return f"{token} moved up to its roof."
        return f"{token} moved to the roof of {HOUSES[self.roof]}."


@event("P-ROOF-1")
class RoofPlaced(NamedTuple):
    """A house was completed; ``token`` is the value that left its roof, or 0."""

    house: House
    token: Count

    def told(self, names: Sequence[str]) -> str:
        """Return the event as a sentence."""
        gone = f"; the {self.token} VP token on its roof left the game" if self.token else ""
        return f"{HOUSES[self.house]} was completed{gone}."


@move("build", ACT, TIMER, words=[TOKEN])
class Build(NamedTuple):
    """Build with two cards (P-BUILD-1).

    ``number``  the card for the number of floors, 0 to 14 in the order of ``CARDS``
    ``color``   the card for their color, 0 to 14
    ``house``   the house, 0 to 13 in the order of ``HOUSES``: L1 to L7, R1 to R7
    ``token``   the house whose roof receives the token of the ground floor; 14 if none does

    The repr has the words of the notation: ``<Build red-3 blue-1 L4 token L6>``.
    """

    number: int
    color: int
    house: int
    token: int = NOWHERE

    # -- Words

    def shown(self) -> list[str]:
        """Return its words."""
        cards = [name_in(CARDS, self.number), name_in(CARDS, self.color)]
        roof = [] if self.token == NOWHERE else [TOKEN, name_in(HOUSES, self.token)]
        return [*cards, name_in(HOUSES, self.house), *roof]

    @staticmethod
    def read(words: list[str], state: State | None = None, seat: int = 0) -> Build:
        """Return the build of these words. Raises InvalidMoveError."""
        if len(words) == 4 or (len(words) == 6 and words[4].lower() == TOKEN):
            verb, number, color, house, *token = words
            try:
                cards = (parse_card(number), parse_card(color))
                place = parse_house(house, *_sides(state))
                return Build(*cards, place, *(_read_roof(one, place, state) for one in token[1:]))
            except InvalidMoveError as error:
                fault = error
            with suppress(InvalidMoveError):
                if number.upper() in HOUSES and parse_card(color) >= 0 and parse_card(house) >= 0:
                    right = " ".join([verb, color, house, number, *token])
                    fault = InvalidMoveError(f"The house comes after the cards: {right}.", [right])
            raise fault
        if len(words) == 6 and words[5].upper() in HOUSES:
            right = " ".join([*words[:4], TOKEN, words[5]])
            raise InvalidMoveError(f"{cited(words[4])} is not {TOKEN!r}: {right}.", [right])
        raise InvalidMoveError(
            "A build names the card for the number of floors, the card for their color and the "
            "house, and where a token moves also its roof, like: build red-3 blue-1 L4 token L6."
        )

    # -- Rules

    def form(self) -> Refusals:
        """Return nothing. Raises TypeError and ValueError for what is no build at all."""
        demand(
            self,
            ((self.number, self.color), len(CARDS)),
            ((self.house,), len(HOUSES)),
            ((self.token,), NOWHERE + 1),
        )
        return iter(())

    def refusals(self, state: State, seat: int) -> Refusals:
        """Yield why it is not legal."""
        house, bit, player = HOUSES[self.house], BIT[self.house], state.config.players[state.seat]
        color, count = COLOR_OF[self.color], VALUE_OF[self.number]
        paint, hand = COLORS[color], cards_to_build_with(state)
        has_cards = holds_both(hand, self.number, self.color)
        if state.phase == TIMER and not has_cards:
            yield "P-SOLO-4", f"The timer drew {drawn_by_timer(state)}: build with both of them."
        elif not has_cards:
            for card in sorted({self.number, self.color}):
                if card not in hand:
                    yield "P-BUILD-1", f"{CARDS[card]} is not in {player}'s hand."
                elif self.number == self.color:
                    yield "P-BUILD-1", f"{player} has only one {CARDS[card]}."
        height = state.config.heights[self.house]
        if not height:
            yield "P-SETUP-1", state.config.unused(self.house)
            return
        started, _, most_to_add, most_to_start = limits(state, color)
        starts = bool(state.unstarted & bit)
        upper, left = count - starts, state.upper_left[color]
        if not state.room[count] & bit:
            room = plural(height - state.floors[self.house], "floor")
            why = f"{house} has room for {room}, but {CARDS[self.number]} builds {count}."
            yield "P-BUILD-2", f"{house} is complete." if state.is_complete(self.house) else why
        if not starts and not started & bit:
            here = COLORS[state.colors[self.house]]
            yield "P-BUILD-4", f"{house} is {here}, so it takes no {paint} floors."
        if count > (most_to_start if starts else most_to_add):
            if starts and not state.ground_left[color]:
                why = f"There is no {paint} ground floor left to start a house with."
                yield "P-BUILD-3", why
            if upper > left:
                floors = plural(upper, f"{paint} upper floor")
                yield "P-BUILD-3", f"This build needs {floors}, but the supply has only {left}."
        for neighbor in clashes(state.colors, self.house, color) if starts else ():
            next_door = f"{HOUSES[neighbor]} next to it is {paint}"
            yield "P-BUILD-5", f"{house} cannot be started in {paint}: {next_door}."
        yield from self._token_refusals(state)

    def _token_refusals(self, state: State) -> Refusals:
        house, roof = HOUSES[self.house], self.token
        roofs = roofs_for_token(state, self.house)
        if roof == NOWHERE:
            if roofs:
                empty = ", ".join(HOUSES[number] for number in HOUSES_IN[roofs])
                why = (
                    f"The token of {house} moves to an empty roof: add 'token' and one of {empty}."
                )
                yield "P-TOKEN-1", why
        elif state.floors[self.house]:
            yield "P-TOKEN-1", f"{house} already has a ground floor, so no token moves."
        elif not state.ground_tokens[self.house]:
            yield "P-TOKEN-1", f"There is no token on the ground floor of {house}."
        elif not state.config.heights[roof]:
            yield "P-SETUP-1", state.config.unused(roof)
        elif not roofs:
            why = f"No roof space is empty, so the token of {house} leaves the game: name no roof."
            yield "P-TOKEN-2", why
        elif not roofs & BIT[roof]:
            value = state.roof_tokens[roof]
            there = f"a token of {value} VP" if value else "its roof"
            yield "P-TOKEN-1", f"The roof space of {HOUSES[roof]} is not empty: it has {there}."

    def play(self, state: State, seat: int, chance: Chance | None, events: list[Event]) -> None:
        """P-BUILD-1, then P-SCORE-1 and P-SCORE-2; contracts that are met wait for a decision."""
        if state.phase == TIMER:
            # P-SOLO-4: placed by all the rules, but nothing scores.
            _place(state, self, events, by_timer=True)
            end_timer(state, chance, events)
            return
        number, color_card, house, _ = self
        mover = state.seat
        left = state.hands[mover].replace(ONE[number], b"", 1).replace(ONE[color_card], b"", 1)
        state.hands = put_in(state.hands, mover, left)
        vps = vps_of(state, self)
        completed = _place(state, self, events, by_timer=False)
        events += scores_of(mover, vps)
        state.scores = put_in(state.scores, mover, state.scores[mover] + sum(vps))
        built = Built(number, color_card, house, VALUE_OF[number], completed)
        claimable = met_by(built, state.contracts)
        if claimable:
            state.built, state.claimable = built, claimable
            state.phase = CONTRACTS
        else:
            end_turn(state, chance, events)


def _sides(state: State | None) -> list[Any]:
    """Return the sides in play, if known, as further arguments of ``parse_house``."""
    return [state.config.sides] if state else []


def _read_roof(word: str, house: int, state: State | None) -> int:
    """Return the house whose roof gets the token of another. Raises InvalidMoveError, which names
    the possible ones.
    """
    try:
        return parse_house(word, *_sides(state))
    except InvalidMoveError:
        free = [HOUSES[roof] for roof in HOUSES_IN[roofs_for_token(state, house)]] if state else []
        if not free:
            raise
    to = f"the token of {HOUSES[house]} can go to the roof of {enumerated(free, 'or')}"
    raise InvalidMoveError(f"{cited(word)} is not a house; {to}.", free, word)


_SCORES = (FLOORS, NEIGHBORS, GROUND_TOKEN, ROOF_TOKEN)
"""What a build scores, in this order."""


def drawn_by_timer(state: State) -> str:
    """Return the two cards that the timer drew."""
    return " and ".join(CARDS[card] for card in state.turned)


def as_built(state: State, build: Build) -> Built:
    """Return a legal build as the contracts see it, without making it."""
    floors = VALUE_OF[build.number]
    completed = state.floors[build.house] + floors == state.config.heights[build.house]
    return Built(build.number, build.color, build.house, floors, completed)


def vps_of(state: State, build: Build) -> tuple[int, int, int, int]:
    """Return the VP of a legal build by a player: for its floors (P-SCORE-1), the neighboring
    floors at their levels (P-SCORE-2), the token of the ground floor and the one on the roof.
    """
    floors, house = state.floors, build.house
    before = floors[house]
    after = before + VALUE_OF[build.number]
    beside = 0
    for height in (floors[LEFT_OF[house]], floors[RIGHT_OF[house]]):
        if height > before:
            beside += (height if height < after else after) - before
    token = roof_token = 0
    if not before:
        token = state.ground_tokens[house]
    if after == state.config.heights[house]:
        roof_token = token if build.token == house else state.roof_tokens[house]
    return after, beside, token, roof_token


def scores_of(seat: int, vps: tuple[int, ...]) -> list[Scored]:
    """Return the events for the VP of a build, which :func:`vps_of` returns."""
    return [Scored(seat, kind, vp) for kind, vp in zip(_SCORES, vps, strict=True) if vp]


def _place(state: State, move: Build, events: list[Event], *, by_timer: bool) -> bool:
    """Put tiles, token and roof in their places, and return whether the house is complete.

    P-BUILD-2, P-BUILD-3, P-TOKEN-1, P-TOKEN-2, P-ROOF-1.
    """
    number, color_card, house, roof = move
    count = VALUE_OF[number]
    color = COLOR_OF[color_card]
    before = state.floors[house]
    after = before + count
    state.floors = put(state.floors, house, after)
    state.discards += ONE[number] + ONE[color_card]
    empty = state.config.heights[house] - after
    if empty < MOST_FLOORS_A_TURN:
        others = ~BIT[house]
        room = enumerate(state.room)
        state.room = tuple([some if floors <= empty else some & others for floors, some in room])
    completed = not empty
    events.append(
        # Keywords would take twice as long.
        Placed(state.seat, number, color_card, house, count, not before, completed, by_timer)
    )
    upper = count
    if not before:
        upper = count - 1
        state.colors = put(state.colors, house, color)
        state.unstarted ^= BIT[house]
        state.painted = put_in(state.painted, color, state.painted[color] | BIT[house])
        state.ground_left = put(state.ground_left, color, state.ground_left[color] - 1)
        token = state.ground_tokens[house]
        if token:
            state.ground_tokens = put(state.ground_tokens, house, 0)
            if roof != NOWHERE:
                state.roof_tokens = put(state.roof_tokens, roof, token)
                state.free_roofs ^= BIT[roof]
            events.append(TokenMoved(token, house, roof))
    if upper:
        state.upper_left = put(state.upper_left, color, state.upper_left[color] - upper)
    if completed:
        roof_token = state.roof_tokens[house]
        if roof_token:
            state.roof_tokens = put(state.roof_tokens, house, 0)
        else:
            state.free_roofs ^= BIT[house]
        state.roofs += 1
        events.append(RoofPlaced(house, roof_token))
        if state.roofs == state.config.roofs_to_end:
            state.end_round = state.round
            events.append(EndTriggered(state.end_round))
    return completed


# -- All builds

Row = tuple[Build, ...]
"""The builds with two cards on one house: one for each roof, then one without a token."""


@cache
def builds_with(number: int, color: int) -> tuple[Row, ...]:
    """Return all builds with two cards, house by house; made once for each two cards."""
    roofs = range(len(HOUSES) + 1)
    return tuple(
        tuple(Build(number, color, house, token) for token in roofs) for house in range(len(HOUSES))
    )


@cache
def _picked(roofs: int) -> Callable[[Row], Row]:
    """Return a function that picks the builds with one of these roofs from a row (P-TOKEN-1)."""
    houses = HOUSES_IN[roofs]
    if len(houses) > 1:
        return itemgetter(*houses)
    only = houses[0] if houses else NOWHERE
    return itemgetter(slice(only, only + 1))


def legal_builds(state: State) -> list[Build]:
    """Return every build that the player to move could make now, from hand or for the timer."""
    builds: list[Build] = []
    add_builds(builds, state, cards_to_build_with(state))
    return builds


def add_builds(moves: list[Any], state: State, cards: bytes) -> None:
    """Add the legal builds with these cards, each once as the color and once as the number."""
    tokens, room = state.ground_tokens, state.room
    # The same as roofs_for_token(), for all houses at once.
    pick_roofs = _picked(state.free_roofs)
    kinds = dict.fromkeys(cards)
    for color_card in kinds:
        started, startable, most_to_add, most_to_start = limits(state, COLOR_OF[color_card])
        for number in kinds:
            if number == color_card and not holds_both(cards, number, color_card):
                continue
            floors = VALUE_OF[number]
            rows = builds_with(number, color_card)
            if floors <= most_to_add:
                for house in HOUSES_IN[started & room[floors]]:
                    moves.append(rows[house][NOWHERE])
            if floors <= most_to_start:
                for house in HOUSES_IN[startable & room[floors]]:
                    if tokens[house]:
                        moves += pick_roofs(rows[house])
                    else:
                        moves.append(rows[house][NOWHERE])


# -- Passing, the move of a player who has no other move


@event("P-PASS-1")
class Passed(NamedTuple):
    """A player could neither draw nor build."""

    seat: Seat

    def told(self, names: Sequence[str]) -> str:
        """Return the event as a sentence."""
        return f"{names[self.seat]} could neither draw nor build, and passed."


@move("pass", ACT)
class Pass(NamedTuple):
    """Do nothing, where nothing can be done (P-PASS-1)."""

    def shown(self) -> list[str]:
        """Return its words: none."""
        return []

    @staticmethod
    def read(words: list[str], state: State | None = None, seat: int = 0) -> Pass:
        """Return the pass of a word alone. Raises InvalidMoveError."""
        if len(words) > 1:
            raise InvalidMoveError("A pass is the single word: pass.")
        return PASS

    def form(self) -> Refusals:
        """Return nothing: a pass has no form."""
        return iter(())

    def refusals(self, state: State, seat: int) -> Refusals:
        """Yield why it is not legal."""
        player, builds = state.config.players[state.seat], len(legal_builds(state))
        if legal_draws(state):
            why = f"{player} may pass only if nothing else is legal; a card can be drawn."
            yield "P-PASS-1", why
        elif state.is_waiting:
            why = f"{player} has not seen the refill yet; pass only if nothing else is legal."
            yield "P-PASS-1", why
        elif builds:
            why = f"{player} may pass only if nothing else is legal; legal builds: {builds}."
            yield "P-PASS-1", why

    def play(self, state: State, seat: int, chance: Chance | None, events: list[Event]) -> None:
        """Make it: the turn ends."""
        events.append(Passed(state.seat))
        end_turn(state, chance, events)


PASS = Pass()


# -- The moves of all phases: which are legal, why others are not, and what each leads to
#
# Each kind of move is a class (in ``cards``, and ``Build`` and ``Pass`` above): its verb and
# phases, fields and words, which rules it breaks, what it does, and the events it leads to.
# ``Move`` is the only list of them. Nothing else decides what is legal: a move listed by
# ``legal_moves`` breaks no rule, and a move that breaks none is listed, or is the same choice as
# one that is.

Move = Union[Keep, Draw, Build, Claim, Pass]  # noqa: UP007 - evaluated at run time
_KINDS: tuple[Any, ...] = get_args(Move)
KINDS = frozenset(_KINDS)
VERBS: dict[str, Any] = {kind.verb: kind for kind in _KINDS}
"""The kinds of moves by their verbs."""
MOVES_IN = {phase: frozenset(kind for kind in _KINDS if phase in kind.phases) for phase in PHASES}
"""The kinds of moves that the player to move can make in each phase."""


def to_move(state: State) -> tuple[int, ...]:
    """Return the seats whose move the game waits for; none when it is over.

    At the end of a game with real cards, or of a sealed one, these are all the seats that have not
    revealed their private contracts.
    """
    if state.phase == OVER:
        return ()
    if state.is_revealing:
        return tuple(seat for seat in range(state.config.seats) if may_keep(state, seat))
    return (state.seat,)


def legal_moves(state: State, seat: int | None = None, limit: int | None = None) -> list[Move]:
    """Return every legal move of the player to move, or of ``seat``. There are never too many to
    list, so ``limit`` is ignored.

    A player who is not to move can at most keep private contracts (P-SETUP-5). In a sealed game,
    whether a pass is legal is unknown before the refill has come up. Raises ValueError for an
    unknown phase or seat.
    """
    phase = state.phase
    if seat is not None and seat != state.seat:
        return [*legal_keeps(state, seat)] if may_keep(state, seat) else []
    if phase == ACT:
        moves: list[Move] = list(legal_draws(state))
        hand = state.hands[state.seat]
        if len(hand) > 1:
            add_builds(moves, state, hand)
        return moves or ([] if state.is_waiting else [PASS])
    if phase == CONTRACTS:
        return list(claims_among(state.claimable))
    if phase == TIMER:
        return [*legal_builds(state)]
    if phase == KEEP:
        return [*legal_keeps(state, state.seat)]
    demand_phase(state)
    return []


def canonical_move(state: State, move: Move) -> Move:
    """Return the listed move that is the same choice as a legal one."""
    if isinstance(move, Draw) and not state.config.timer:
        return lowest(state.cards, move)
    return move


def violations(state: State, move: Move, seat: int | None = None) -> list[Violation]:
    """Return every rule that a move would break, of the player to move or ``seat``; none if it is
    legal.

    Raises TypeError for anything but a move, and ValueError for one with a card, contract or house
    that does not exist, and for an unknown phase or seat.
    """
    seat = state.seat if seat is None else seat
    demand_move(move)
    demand_phase(state)
    demand_seat(state, seat)
    rows = [*move.form()] or [*_refusals(state, move, seat)]
    return [Violation(rule, why) for rule, why in rows]


def demand_move(move: Any) -> None:
    """Raise TypeError for anything but a move."""
    if type(move) not in KINDS:
        raise TypeError(f"{move!r} is not a move.")


def _refusals(state: State, move: Move, seat: int) -> Refusals:
    players = state.config.players
    mover, player = players[state.seat], players[seat]
    if state.phase == OVER:
        yield "P-SOLO-6" if state.config.timer else "P-END-1", "The game is over."
    elif isinstance(move, Keep):
        yield from move.refusals(state, seat)
    elif seat != state.seat:
        yield "P-SETUP-4", f"It is {mover}'s turn, not {player}'s."
    elif type(move) in MOVES_IN[state.phase]:
        yield from move.refusals(state, seat)
    elif state.phase == KEEP:
        yield "P-SETUP-5", f"{mover} must choose three private contracts to keep first."
    elif state.phase == CONTRACTS:
        yield "P-PUBLIC-2", f"{mover} has built and must first say which contracts to fulfill."
    elif state.phase == TIMER:
        yield "P-SOLO-4", f"The timer drew {drawn_by_timer(state)}: build with them first."
    else:
        yield "P-PUBLIC-1", "Public contracts are fulfilled right after building, not now."


def apply(
    state: State, move: Move, chance: Chance | None, seat: int | None = None
) -> tuple[State, list[Event]]:
    """Return the state after a legal move of ``seat``, and what happened.

    The move is not checked: ask :func:`violations` first, or take it from :func:`legal_moves`.
    Without a ``chance`` nothing comes up yet: spaces stay empty, the timer is not turned up, and
    :func:`~porto_cli.games.porto.engine.turn.turn_up` continues from there. The given state is
    never changed. Raises TypeError for anything but a move, ValueError for an unknown phase or
    seat, and whatever ``chance`` raises.
    """
    demand_phase(state)
    demand_move(move)
    new = state.copy()
    events: list[Event] = []
    move.play(new, state.seat if seat is None else seat, chance, events)
    return new, events
