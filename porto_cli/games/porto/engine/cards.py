"""Three kinds of moves, each from its words to its events: keeping and revealing private contracts
(P-SETUP-5, P-END-2), fulfilling public ones (P-PUBLIC-1 to P-PUBLIC-3), and drawing cards
(P-DRAW-1).

>>> Keep((0, 1, 4))
<Keep 1 2 5>
>>> Claim((0, 2)), Claim(())
(<Claim 1 3>, <Claim none>)
>>> Draw((0, 3))
<Draw @1 @4>
>>> Drew(0, bytes([10, 0]))
<Drew seat=0 cards=red-2,blue-1>
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations
from typing import NamedTuple

from porto_cli.core import InvalidMoveError, Refusals, cited, enumerated, plural
from porto_cli.core.chance import Chance
from porto_cli.core.values import Seat
from porto_cli.games.porto.engine import (
    CARD_SPACES,
    CARDS,
    COLOR_OF,
    COLORS,
    CONTRACT_SPACES,
    DEALT,
    EMPTY,
    HIDDEN,
    HOUSES,
    KEPT,
    NONE,
    ONE,
    PRIVATE,
    PRIVATE_NAMES,
    PUBLIC,
    PUBLIC_NAMES,
    VALUE_OF,
    card_names,
    parse_card,
    parse_private,
    parse_public,
    put,
    put_in,
)
from porto_cli.games.porto.engine.state import (
    ACT,
    CONTRACTS,
    KEEP,
    OVER,
    SEALED,
    SHOWN,
    State,
    demand_seat,
)
from porto_cli.games.porto.engine.turn import (
    PUBLIC_CONTRACT,
    Drawn,
    Event,
    Places,
    PrivateContracts,
    PublicContracts,
    Scored,
    end_turn,
    event,
    move,
    reveal,
)

# -- Keeping private contracts, and revealing them

_DEALT_PLACES = Places(
    "P-SETUP-5", DEALT, PRIVATE_NAMES, "private contract", "those dealt are numbered"
)
SEALED_WORD = "sealed"
"""The word for private contracts that only their player may see."""


@event()
class Kept(NamedTuple):
    """A player (``seat``) has chosen three private contracts; which ones is a secret."""

    seat: Seat

    def told(self, names: Sequence[str]) -> str:
        """Return the event as a sentence."""
        return f"{names[self.seat]} chose three private contracts."


@event()
class Revealed(NamedTuple):
    """A player of a sealed game has shown which private ``contracts`` were kept (P-END-2)."""

    seat: Seat
    contracts: PrivateContracts

    def told(self, names: Sequence[str]) -> str:
        """Return the event as a sentence."""
        kept = enumerated(PRIVATE_NAMES[contract] for contract in self.contracts)
        return f"{names[self.seat]} revealed three private contracts: {kept}."


@move("keep", KEEP)
class Keep(NamedTuple):
    """Keep three private contracts (P-SETUP-5).

    ``places``  which of the five dealt: 0 to 4, in ascending order
    ``named``   the contracts themselves if the deal is unknown (real cards on a table) or they are
                revealed; three times ``HIDDEN`` where a sealed game hides them (``KEEP_SEALED``)

    The repr counts places from 1, as the notation does: ``<Keep 1 2 5>``, ``<Keep sealed>``.
    """

    places: tuple[int, ...]
    named: tuple[int, ...] = ()

    # -- Words

    def shown(self) -> list[str]:
        """Return its words."""
        return [SEALED_WORD] if self == KEEP_SEALED else _DEALT_PLACES.shown(*self)

    @staticmethod
    def read(words: list[str], state: State, seat: int) -> Keep:
        """Return the choice of these words. Raises InvalidMoveError."""
        if state.seals and [word.lower() for word in words[1:]] == [SEALED_WORD]:
            return KEEP_SEALED
        dealt = list(state.dealt[seat]) if state.dealt and not state.is_revealing else []
        numbers = [word for word in words[1:] if word.isascii() and word.isdigit()]
        # In a game without private contracts the rules refuse it, not the parser.
        if numbers and not dealt and state.config.private_contracts:
            why = "the private contracts were dealt on a real table, so keep them by their names"
            if state.seals:
                why = "private contracts are revealed by their names"
            raise InvalidMoveError(f"{cited(numbers[0])} cannot be read: {why}.")
        places = [_DEALT_PLACES.numbered(word, word) for word in numbers]
        named: list[int] = []
        for word in words[1:]:
            if word not in numbers:
                contract = parse_private(word)
                free = (place for place, one in enumerate(dealt) if one == contract)
                place = next((place for place in free if place not in places), None)
                if place is None:
                    named.append(contract)
                else:
                    places.append(place)
        return Keep(tuple(sorted(places)), tuple(sorted(named)))

    # -- Rules

    def form(self) -> Refusals:
        """Return what is wrong with it in any position."""
        return _DEALT_PLACES.form(self, hidden=self == KEEP_SEALED)

    def refusals(self, state: State, seat: int) -> Refusals:
        """Yield why it is not legal."""
        player = state.config.players[seat]
        count = len(self.places) + len(self.named)
        if not state.config.private_contracts:
            yield "P-SETUP-6", "This game is played without private contracts."
            return
        if state.is_out(seat):
            yield "P-SETUP-5", f"{player} was given up: the others play on without {player}."
            return
        if state.seals and state.is_revealing:
            yield from self._reveal_refusals(state, seat)
            return
        if state.kept[seat]:
            yield "P-SETUP-5", f"{player} has already chosen which private contracts to keep."
        elif not may_keep(state, seat):
            why = f"{player} had to keep private contracts before their own first turn."
            yield "P-SETUP-5", why
        if self == KEEP_SEALED:
            if not state.seals:
                why = f"This game is not sealed, so {player} must name three contracts."
                yield "P-SETUP-5", why
            return
        if state.seals and HIDDEN in state.dealt[seat]:
            why = f"{player}'s private contracts are sealed: only {player}'s key can choose three."
            yield "P-SETUP-5", why
            return
        if count != KEPT:
            yield "P-SETUP-5", f"Keep {KEPT} private contracts, not {count}."
        if len(set(self.places)) < len(self.places):
            yield "P-SETUP-5", "A private contract can be kept only once."
        if self.places and not state.dealt:
            yield "P-SETUP-5", f"{player}'s hand is unknown here; name the contracts to keep."
        for contract in sorted(set(self.named)):
            name = PRIVATE[contract].name
            if not state.dealt:
                yield from _copies(state, contract, self.named.count(contract), seat)
            elif contract not in state.config.private_deck:
                yield "P-SETUP-5", f"This box has no {name}."
            elif contract in state.dealt[seat]:
                yield "P-SETUP-5", f"{player} was dealt no other {name}."
            else:
                yield "P-SETUP-5", f"{name} is not one of the private contracts dealt to {player}."

    def _reveal_refusals(self, state: State, seat: int) -> Refusals:
        """At the end of a sealed game, the three contracts kept have to be named (P-END-2)."""
        player, kept = state.config.players[seat], state.kept[seat]
        if state.seals[seat] == SHOWN:
            yield "P-END-2", f"{player} has already revealed the private contracts."
            return
        if self.places or self == KEEP_SEALED:
            why = f"The last turn is over: {player} must name the {KEPT} private contracts kept."
            yield "P-END-2", why
            return
        if len(self.named) != KEPT:
            yield "P-END-2", f"{player} kept {KEPT} private contracts, not {len(self.named)}."
        known, how = (kept, "kept by") if HIDDEN not in kept else (state.dealt[seat], "dealt to")
        for contract in sorted(set(self.named)):
            count = self.named.count(contract)
            if HIDDEN in known or count <= known.count(contract):
                yield from _copies(state, contract, count, seat)
            else:
                name = PRIVATE[contract].name
                yield "P-END-2", f"{name} is not one of the private contracts {how} {player}."

    def play(self, state: State, seat: int, chance: Chance | None, events: list[Event]) -> None:
        """Keep contracts (P-SETUP-5), or reveal them at the end of a sealed game (P-END-2).

        With real cards, only the contracts that are kept are ever named.
        """
        demand_seat(state, seat)
        revealing = bool(state.seals) and state.is_revealing
        if revealing:
            state.seals = bytes([*state.seals[:seat], SHOWN, *state.seals[seat + 1 :]])
        if state.dealt and not revealing and self != KEEP_SEALED:
            dealt = state.dealt[seat]
            kept = bytes(sorted(dealt[place] for place in self.places))
        else:
            kept = bytes(sorted(self.named))
        state.kept = put_in(state.kept, seat, kept)
        events.append(Revealed(seat, kept) if revealing else Kept(seat))
        if state.phase == KEEP:
            if state.is_played_out:
                reveal(state, events)
            elif seat == state.seat:
                state.phase = ACT


KEEPS = tuple(Keep(places) for places in combinations(range(DEALT), KEPT))
KEEP_SEALED = Keep((), (HIDDEN,) * KEPT)
"""Keep three private contracts of a sealed game, as the other players see it."""


def may_keep(state: State, seat: int) -> bool:
    """Return whether this player can still choose private contracts (P-SETUP-5).

    At the end of a sealed game: whether this player has yet to reveal them (P-END-2).
    """
    demand_seat(state, seat)
    if not state.config.private_contracts or state.phase == OVER or seat in state.out:
        return False
    if state.seals and (state.seals[seat] != SEALED or state.is_revealing):
        return state.seals[seat] == SEALED
    if state.kept[seat]:
        return False
    # A player who comes back may have missed their first turn.
    return not state.dealt or seat >= state.turn or seat == state.seat


def legal_keeps(state: State, seat: int) -> list[Keep]:
    """Return what a player can keep, or reveal at the end of a sealed game.

    The list is empty if only the players know their deal (real cards on a table); in a sealed game
    it has the one move that hides the choice.
    """
    if not state.dealt:
        return []
    if not state.seals:
        return list(KEEPS)
    if state.is_revealing:
        kept = state.kept[seat]
        return [Keep((), tuple(kept))] if kept and HIDDEN not in kept else []
    return [KEEP_SEALED] if HIDDEN in state.dealt[seat] else list(KEEPS)


def _copies(state: State, contract: int, count: int, seat: int) -> Refusals:
    """Refuse more cards of a contract than the box holds, less those that others have shown."""
    name, copies = PRIVATE[contract].name, state.config.private_deck.count(contract)
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


# -- Fulfilling public contracts

_CONTRACT_PLACES = Places(
    "P-PUBLIC-1", CONTRACT_SPACES, PUBLIC_NAMES, "space", "the public contracts are in spaces"
)
_HOW = "Name the public contracts to fulfill, or none: contract blue+red, contract none."


@event()
class Claimed(NamedTuple):
    """A player fulfilled these public contracts, or none of them."""

    seat: Seat
    contracts: PublicContracts

    def told(self, names: Sequence[str]) -> str:
        """Return the event as a sentence."""
        met = enumerated(PUBLIC_NAMES[contract] for contract in self.contracts)
        return f"{names[self.seat]} fulfilled {met or 'no public contract'}."


@move("contract", CONTRACTS, words=[NONE])
class Claim(NamedTuple):
    """Fulfill public contracts after a build, or none (P-PUBLIC-2).

    ``spaces``  where they lie: 0 to 3, in ascending order; empty for none
    ``named``   contracts that were named but are not face up; empty in a legal move

    The repr counts spaces from 1, as the notation does: ``<Claim 1 3>``, ``<Claim none>``.
    """

    spaces: tuple[int, ...]
    named: tuple[int, ...] = ()

    # -- Words

    def shown(self) -> list[str]:
        """Return its words; no table is needed."""
        return _CONTRACT_PLACES.shown(*self) or [NONE]

    def text(self, state: State) -> str:
        """Return its text with the names of its contracts; an empty space has its number."""
        row = state.contracts
        names = [
            PUBLIC_NAMES[row[space]] if row[space] != EMPTY else str(space + 1)
            for space in self.spaces
        ]
        names += [PUBLIC_NAMES[contract] for contract in self.named]
        return " ".join(["contract", *(names or [NONE])])

    @staticmethod
    def read(words: list[str], state: State, seat: int) -> Claim:
        """Return the claim of these words. Raises InvalidMoveError."""
        if len(words) == 1:
            raise InvalidMoveError(_HOW)
        if len(words) == 2 and words[1].lower() == NONE:
            return CLAIM_NONE
        spaces: list[int] = []
        named: list[int] = []
        for word in words[1:]:
            if word.isascii() and word.isdigit():
                spaces.append(_CONTRACT_PLACES.numbered(word, word))
                continue
            contract = parse_public(word)
            space = state.contracts.find(contract)
            if space < 0:
                named.append(contract)
            else:
                spaces.append(space)
        return Claim(tuple(sorted(spaces)), tuple(sorted(named)))

    @staticmethod
    def in_full(words: list[str]) -> str:
        """Return these words with full names, in their order. Raises InvalidMoveError."""
        names = [word.lower() for word in words[1:]]
        if not names:
            raise InvalidMoveError(_HOW)
        if names != [NONE]:
            names = [PUBLIC_NAMES[parse_public(name)] for name in names]
        return " ".join(["contract", *names])

    # -- Rules

    def form(self) -> Refusals:
        """Return what is wrong with it in any position."""
        return _CONTRACT_PLACES.form(self)

    def refusals(self, state: State, seat: int) -> Refusals:
        """Yield why it is not legal."""
        built = state.built
        if built is None:
            raise ValueError("A state in phase 'contracts' has a build.")
        color, house = COLORS[COLOR_OF[built.color]], HOUSES[built.house]
        player = state.config.players[state.seat]
        this_turn = {
            "cards": f"played {CARDS[built.number]} and {CARDS[built.color]}",
            "house": f"completed {house} in {color}" if built.completed else "completed no house",
            "floors": f"built {plural(built.floors, f'{color} floor')}",
        }
        if any(len(set(some)) < len(some) for some in self):
            yield "P-PUBLIC-1", "A public contract can be fulfilled only once."
        for space in sorted(set(self.spaces)):
            if state.contracts[space] == EMPTY:
                yield "P-PUBLIC-1", f"There is no public contract in space {space + 1}."
            elif space not in state.claimable:
                contract = PUBLIC[state.contracts[space]]
                done = f"{player} {this_turn[contract.kind]} this turn"
                yield "P-PUBLIC-1", f"{contract.name} is not met exactly: {done}."
        for number in sorted(set(self.named)):
            yield "P-PUBLIC-1", f"{PUBLIC[number].name} is not one of the face-up public contracts."

    def play(self, state: State, seat: int, chance: Chance | None, events: list[Event]) -> None:
        """P-PUBLIC-2: score the contracts; their spaces are refilled when the turn ends."""
        mover, scores = state.seat, scores_of_claim(state, self.spaces)
        events.append(Claimed(mover, bytes([state.contracts[space] for space in self.spaces])))
        if scores:
            events += scores
            for space in self.spaces:
                state.contracts = put(state.contracts, space, EMPTY)
            vp = state.scores[mover] + sum([one.vp for one in scores])
            state.scores = put_in(state.scores, mover, vp)
            fulfilled = state.fulfilled[mover] + len(scores)
            state.fulfilled = put_in(state.fulfilled, mover, fulfilled)
        state.built = None
        state.claimable = ()
        end_turn(state, chance, events)


CLAIM_NONE = Claim(())


def scores_of_claim(state: State, spaces: Iterable[int]) -> list[Scored]:
    """Return the events for the VP of the public contracts in these spaces."""
    claimed = [state.contracts[space] for space in spaces]
    return [
        Scored(state.seat, f"{PUBLIC_CONTRACT}:{PUBLIC_NAMES[one]}", state.config.public[one])
        for one in claimed
    ]


@cache
def claims_among(claimable: tuple[int, ...]) -> tuple[Claim, ...]:
    """Return the choices among the public contracts that are met: any of them (P-PUBLIC-2)."""
    sizes = range(len(claimable) + 1)
    return tuple(Claim(spaces) for size in sizes for spaces in combinations(claimable, size))


# -- Drawing cards
#
# Each choice is listed once: without a timer it makes no difference which of two equal face-up
# cards is taken, so only the draw from the lowest spaces is listed; ``lowest`` finds it for any
# draw.

MOST_CARDS_A_DRAW = 3
MOST_VALUE_A_DRAW = 3
_CARD_PLACES = Places(
    "P-DRAW-1", CARD_SPACES, CARDS, "space", "the face-up cards are in spaces", sign="@"
)
_VALUES = bytes(VALUE_OF) + bytes(256 - len(VALUE_OF))


@event("P-DRAW-1")
class Drew(NamedTuple):
    """A player took face-up construction cards, ``cards`` in the order of their spaces."""

    seat: Seat
    cards: Drawn

    def told(self, names: Sequence[str]) -> str:
        """Return the event as a sentence."""
        return f"{names[self.seat]} drew {enumerated(card_names(self.cards))}."


@move("draw", ACT)
class Draw(NamedTuple):
    """Take face-up construction cards (P-DRAW-1).

    ``spaces``  where they lie: 0 to 4, in ascending order
    ``named``   cards that were named but are not face up; empty in a legal move

    The repr counts spaces from 1, as the notation does: ``<Draw @1 @4>``.
    """

    spaces: tuple[int, ...]
    named: tuple[int, ...] = ()

    # -- Words

    def shown(self) -> list[str]:
        """Return its words; no table is needed."""
        return _CARD_PLACES.shown(*self)

    def text(self, state: State) -> str:
        """Return its text with the names of its cards; a card that is not the lowest of its kind
        has its space.
        """
        cards, spaces = state.cards, self.spaces
        names = [
            CARDS[cards[space]]
            if all(lower in spaces for lower in range(space) if cards[lower] == cards[space])
            else f"{CARDS[cards[space]]}@{space + 1}"
            for space in spaces
        ]
        return " ".join(["draw", *names, *(CARDS[card] for card in self.named)])

    @staticmethod
    def read(words: list[str], state: State, seat: int) -> Draw:
        """Return the draw of these words. Raises InvalidMoveError."""
        free = list(state.cards)
        spaces: list[int] = []
        named: list[int] = []
        asked = [_card_and_space(word) for word in words[1:]]
        # Cards without a space take the lowest one that is left.
        for card, number in sorted(asked, key=lambda one: not one[1]):
            space = number - 1 if number else free.index(card) if card in free else -1
            if space < 0 or free[space] != card:
                named.append(card)
                continue
            spaces.append(space)
            free[space] = EMPTY
        spaces.sort()
        if named:
            return Draw(tuple(spaces), tuple(sorted(named)))
        return draw_of(tuple(spaces))

    @staticmethod
    def in_full(words: list[str]) -> str:
        """Return these words with full names, in their order. Raises InvalidMoveError."""
        cards = [_card_and_space(word) for word in words[1:]]
        if not cards:
            raise InvalidMoveError("A draw names one to three cards, like: draw blue-1 red-2.")
        names = (f"{CARDS[card]}@{space}" if space else CARDS[card] for card, space in cards)
        return " ".join(["draw", *names])

    # -- Rules

    def form(self) -> Refusals:
        """Return what is wrong with it in any position."""
        return _CARD_PLACES.form(self)

    def refusals(self, state: State, seat: int) -> Refusals:
        """Yield why it is not legal."""
        row, player = state.cards, state.config.players[state.seat]
        taken = [row[space] for space in self.spaces if row[space] != EMPTY]
        total = sum(VALUE_OF[card] for card in (*taken, *self.named))
        count = len(self.spaces) + len(self.named)
        if not count:
            yield "P-DRAW-1", "Draw at least one card."
        if count > MOST_CARDS_A_DRAW:
            yield "P-DRAW-1", f"Draw at most {MOST_CARDS_A_DRAW} cards, not {count}."
        if total > MOST_VALUE_A_DRAW:
            most = MOST_VALUE_A_DRAW
            yield "P-DRAW-1", f"A draw may add up to at most {most}; these cards add up to {total}."
        if len(set(self.spaces)) < len(self.spaces):
            yield "P-DRAW-1", "A face-up card can be taken only once."
        for space in self.spaces:
            if row[space] == EMPTY and state.is_waiting:
                why = f"Space {space + 1} is still empty; {player} sees the refill first."
                yield "P-DRAW-2", why
            elif row[space] == EMPTY:
                yield "P-DRAW-1", f"Space {space + 1} is empty."
        for card in sorted(set(self.named)):
            spaces = [str(space + 1) for space, other in enumerate(row) if other == card]
            if spaces:
                where = f"{'space' if len(spaces) == 1 else 'spaces'} {', '.join(spaces)}"
                yield "P-DRAW-1", f"{CARDS[card]} is only in {where}; this draw needs one more."
            else:
                yield "P-DRAW-1", f"{CARDS[card]} is not one of the face-up cards."

    def play(self, state: State, seat: int, chance: Chance | None, events: list[Event]) -> None:
        """Make it (P-DRAW-1)."""
        row = bytearray(state.cards)
        taken = b""
        for space in self.spaces:
            taken += ONE[row[space]]
            row[space] = EMPTY
        state.cards = bytes(row)
        mover = state.seat
        state.hands = put_in(state.hands, mover, bytes(sorted(state.hands[mover] + taken)))
        events.append(Drew(mover, taken))
        end_turn(state, chance, events)


draw_of = cache(Draw)
"""Return the ``Draw`` of these spaces, always the same object."""


def legal_draws(state: State) -> tuple[Draw, ...]:
    """Return every legal draw; equal cards are one choice, except in a solo game, where their
    spaces matter.
    """
    cards = state.cards
    values = values_of(cards)
    if state.config.timer or len(set(cards)) == CARD_SPACES:
        return _draws_among(values)
    return _distinct_draws(values, bytes(map(cards.find, cards)))


def values_of(row: bytes) -> bytes:
    """Return the values of the cards in a row, 0 for an empty space."""
    return row.translate(_VALUES)


@cache
def spaces_to_draw(values: bytes) -> tuple[tuple[int, ...], ...]:
    """Return the sets of spaces that a draw may take, by the values in the row (P-DRAW-1); an empty
    space has the value 0.
    """
    lying = [space for space in range(CARD_SPACES) if values[space]]
    return tuple(
        spaces
        for size in range(1, MOST_CARDS_A_DRAW + 1)
        for spaces in combinations(lying, size)
        if sum(values[space] for space in spaces) <= MOST_VALUE_A_DRAW
    )


@cache
def _draws_among(values: bytes) -> tuple[Draw, ...]:
    return tuple(map(draw_of, spaces_to_draw(values)))


@cache
def _distinct_draws(values: bytes, firsts: bytes) -> tuple[Draw, ...]:
    return tuple(draw for draw in _draws_among(values) if draw is lowest(firsts, draw))


def lowest(cards: bytes, draw: Draw) -> Draw:
    """Return the draw of the same cards that takes the lowest space of each kind."""
    taken: list[int] = []
    for space in draw.spaces:
        twin = -1
        while (twin := cards.index(cards[space], twin + 1)) in taken:
            pass
        taken.append(twin)
    return draw_of(tuple(sorted(taken)))


def _card_and_space(word: str) -> tuple[int, int]:
    """Return the card that a word names, and its space from 1, or 0 if it names none."""
    name, at, space = word.partition("@")
    return parse_card(name), _CARD_PLACES.numbered(space, word) + 1 if at else 0
