"""Keeping three private contracts, and revealing them at the end (P-SETUP-5, P-END-2): the move,
its words, when it is legal, what it leads to.

>>> Keep((0, 1, 4))
<Keep 1 2 5>
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from porto_cli.core.message import InvalidMoveError, Refusals, shown
from porto_cli.games.porto.engine.components import DEALT, HIDDEN, KEPT, PRIVATE, put_in
from porto_cli.games.porto.engine.events import Event, PrivateContracts, Seat, event
from porto_cli.games.porto.engine.moves import Places, move
from porto_cli.games.porto.engine.names import PRIVATE_NAMES, parse_private
from porto_cli.games.porto.engine.state import ACT, KEEP, OVER, SEALED, SHOWN
from porto_cli.games.porto.engine.turn import demand_seat, reveal

if TYPE_CHECKING:
    from porto_cli.core.chance import Chance
    from porto_cli.games.porto.engine.state import Config, State

_PLACES = Places("P-SETUP-5", DEALT, PRIVATE_NAMES, "private contract", "those dealt are numbered")
SEALED_WORD = "sealed"
"""The word for private contracts that only their player may see."""


@event
class Kept(NamedTuple):
    """A player (``seat``) has chosen the private contracts; which ones is a secret."""

    seat: Seat

    def told(self, config: Config) -> str:
        """Return it as a sentence."""
        return f"{config.players[self.seat]} has chosen three private contracts."


@event
class Revealed(NamedTuple):
    """A player of a sealed game has shown which private ``contracts`` were kept (P-END-2)."""

    seat: Seat
    contracts: PrivateContracts

    def told(self, config: Config) -> str:
        """Return it as a sentence."""
        kept = ", ".join(PRIVATE_NAMES[contract] for contract in self.contracts)
        return f"{config.players[self.seat]} reveals the private contracts kept: {kept}."


@move("keep", KEEP)
class Keep(NamedTuple):
    """Keep three private contracts (P-SETUP-5).

    ``places``  which ones of the five dealt: 0 to 4, in ascending order
    ``named``   the contracts themselves, where the deal is not known (real cards on a table), and
                where they are revealed; three times ``HIDDEN`` in what everybody may see of a
                sealed game, see ``KEEP_SEALED``

    The repr counts places from 1, as the notation does: ``<Keep 1 2 5>``, ``<Keep sealed>``.
    """

    places: tuple[int, ...]
    named: tuple[int, ...] = ()

    # -- Words

    def shown(self) -> list[str]:
        """Return its words."""
        return [SEALED_WORD] if self == KEEP_SEALED else _PLACES.shown(*self)

    def text(self, state: State) -> str:
        """Return its canonical text."""
        return str(self)

    @staticmethod
    def read(words: list[str], state: State, seat: int) -> Keep:
        """Return the choice of these words. Raises InvalidMoveError."""
        if state.seals and [word.lower() for word in words[1:]] == [SEALED_WORD]:
            return KEEP_SEALED
        dealt = list(state.dealt[seat]) if state.dealt and not state.is_revealing else []
        numbers = [word for word in words[1:] if word.isascii() and word.isdigit()]
        # In a game without private contracts it is for the rules to say so.
        if numbers and not dealt and state.config.private_contracts:
            why = "the private contracts were dealt on a real table, so keep them by their names"
            if state.seals:
                why = "private contracts are revealed by their names"
            raise InvalidMoveError(f"{shown(numbers[0])} cannot be read: {why}.")
        places = [_PLACES.numbered(word, word) for word in numbers]
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

    def is_legal(self, state: State) -> bool:
        """Return ``False``: whether it is legal is seen only by a closer look."""
        return False

    def form(self) -> Refusals:
        """Return what is wrong with it whatever the position."""
        return _PLACES.form(self, hidden=self == KEEP_SEALED)

    def refusals(self, state: State, seat: int) -> Refusals:
        """Return why it is not legal."""
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
        """In a sealed game: the three private contracts that were kept, by their names."""
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
        """P-SETUP-5; with real cards, only the contracts that are kept are ever named.

        At the end of a sealed game P-END-2.
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
"""Keep three private contracts of a sealed game: all that the other players may see of it."""


def may_keep(state: State, seat: int) -> bool:
    """Return whether this player can still choose private contracts (P-SETUP-5).

    At the end of a sealed game: whether they have still to be revealed (P-END-2).
    """
    demand_seat(state, seat)
    if not state.config.private_contracts or state.phase == OVER or seat in state.out:
        return False
    if state.seals and (state.seals[seat] != SEALED or state.is_revealing):
        return state.seals[seat] == SEALED
    if state.kept[seat]:
        return False
    # Who comes back may have missed their own first turn.
    return not state.dealt or seat >= state.turn or seat == state.seat


def legal_keeps(state: State, seat: int) -> list[Keep]:
    """Return what a player can keep, or at the end of a sealed game reveal.

    Where only the players know their deal (real cards on a table), it cannot be listed; in a sealed
    game it is the one move that hides it.
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
    """No more cards of a contract than the box holds, less what others have shown."""
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
