"""Drawing construction cards (P-DRAW-1): the move, its words, when it is legal, what it leads to.

Each choice is listed once: without a timer it makes no difference which of two equal face-up cards
is taken, so only the draw of the lowest space is listed; :func:`lowest` returns it for any other.

>>> Draw((0, 3))
<Draw @1 @4>
>>> Drew(0, bytes([10, 0]))
<Drew seat=0 cards=red-2,blue-1>
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from porto_cli.core.message import Refusals
from porto_cli.games.porto.engine.components import CARD_SPACES, CARDS, EMPTY, ONE, VALUE_OF, put_in
from porto_cli.games.porto.engine.events import Drawn, Event, Seat, event
from porto_cli.games.porto.engine.moves import Places, move, spaces_in_order
from porto_cli.games.porto.engine.names import CARD_OF, NOTHING, card_names, parse_card
from porto_cli.games.porto.engine.state import ACT
from porto_cli.games.porto.engine.turn import end_turn

if TYPE_CHECKING:
    from porto_cli.core.chance import Chance
    from porto_cli.games.porto.engine.state import Config, State

MOST_CARDS_A_DRAW = 3
MOST_VALUE_A_DRAW = 3
_PLACES = Places(
    "P-DRAW-1", CARD_SPACES, CARDS, "space", "the face-up cards are in spaces", sign="@"
)
_VALUES = bytes(VALUE_OF) + bytes(256 - len(VALUE_OF))


@event
class Drew(NamedTuple):
    """A player took face-up construction cards, ``cards`` in the order of their spaces."""

    seat: Seat
    cards: Drawn

    def told(self, config: Config) -> str:
        """Return it as a sentence."""
        return f"{config.players[self.seat]} draws {', '.join(card_names(self.cards))}."


drew = cache(Drew)
"""Return the one ``Drew`` of these facts: the same come again and again."""


@move("draw", ACT)
class Draw(NamedTuple):
    """Take face-up construction cards (P-DRAW-1).

    ``spaces``  where they lie: 0 to 4, in ascending order
    ``named``   cards that were asked for and do not lie there; with one the draw is not legal

    The repr counts spaces from 1, as the notation does: ``<Draw @1 @4>``.
    """

    spaces: tuple[int, ...]
    named: tuple[int, ...] = ()

    # -- Words

    def shown(self) -> list[str]:
        """Return its words without a table."""
        return _PLACES.shown(*self)

    def text(self, state: State) -> str:
        """Name its cards; one that is not the lowest of its kind with its space."""
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
        said = [_card_and_space(word) for word in words[1:]]
        # Cards without a space take the lowest of those that are left.
        for card, number in sorted(said, key=lambda one: not one[1]):
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
    def plain(text: str, state: State) -> Draw | None:
        """Return a draw of unlike cards in canonical words, see ``notation.plain_move``."""
        spaces = spaces_in_order(_cards_drawn(text), state.cards)
        return draw_of(spaces) if spaces else None

    @staticmethod
    def in_full(words: list[str]) -> str:
        """Return these words with full names, in their order. Raises InvalidMoveError."""
        cards = [_card_and_space(word) for word in words[1:]]
        names = (f"{CARDS[card]}@{space}" if space else CARDS[card] for card, space in cards)
        return " ".join(["draw", *names])

    # -- Rules

    def is_legal(self, state: State) -> bool:
        """Return whether the player to move may draw like this."""
        return self.spaces in spaces_to_draw(values_of(state.cards)) and not self.named

    def form(self) -> Refusals:
        """Return what is wrong with it whatever the position."""
        return _PLACES.form(self)

    def refusals(self, state: State, seat: int) -> Refusals:
        """Return why it is not legal."""
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
        """Make it, in a state that may be changed (P-DRAW-1)."""
        row = bytearray(state.cards)
        taken = b""
        for space in self.spaces:
            taken += ONE[row[space]]
            row[space] = EMPTY
        state.cards = bytes(row)
        mover = state.seat
        state.hands = put_in(state.hands, mover, bytes(sorted(state.hands[mover] + taken)))
        events.append(drew(mover, taken))
        end_turn(state, chance, events)


draw_of = cache(Draw)
"""Return the one ``Draw`` of these spaces."""


def legal_draws(state: State) -> tuple[Draw, ...]:
    """Return every draw from the row, in the phase of drawing and building.

    In the solo game the space matters, elsewhere equal cards are one choice.
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
    """Return the spaces that a draw may take, by the values of the cards in the row (P-DRAW-1).

    The value of an empty space is 0.
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
    """Return the card of a draw, and the space that is named with it, 0 without one."""
    name, at, space = word.partition("@")
    return parse_card(name), _PLACES.numbered(space, word) + 1 if at else 0


@lru_cache(maxsize=1024)
def _cards_drawn(text: str) -> tuple[int, ...]:
    """Return the cards that a draw names in canonical words; a game has half its draws twice."""
    return tuple(CARD_OF.get(name, NOTHING) for name in text.split(" ")[1:])
