"""Hidden information: what a seat may know, states consistent with that, and sealed games.

What is hidden are the private contracts of the others (P-SETUP-5), dealt and kept, and the order
in which cards come up, which no state contains. Face-down piles are known as multisets: all cards
that are not in them have been seen.
"""

from __future__ import annotations

from functools import partial

from porto_cli.core.chance import Chance
from porto_cli.core.chance import drawn as draw_from
from porto_cli.games.porto.engine import DEALT, HIDDEN, KEPT
from porto_cli.games.porto.engine.cards import KEEP_SEALED, Keep
from porto_cli.games.porto.engine.play import Move, apply
from porto_cli.games.porto.engine.state import (
    GIVEN_UP,
    OVER,
    SHOWN,
    Config,
    Deal,
    State,
    deal,
    without,
)
from porto_cli.games.porto.engine.turn import give_up, turn_up
from porto_cli.seam import SealedPile, View

_HIDDEN = tuple(bytes([HIDDEN]) * count for count in range(DEALT + 1))


def view(state: State, seat: int | None) -> View:
    """Return what a seat, or (``None``) a bystander, may know.

    Each private contract of the others is ``HIDDEN`` until the game is over (P-END-2).
    """
    if state.phase == OVER or not state.config.private_contracts:
        return View(seat, state)
    table = state.copy()
    table.dealt = _of_others_hidden(state.dealt, seat)
    table.kept = _of_others_hidden(state.kept, seat)
    return View(seat, table)


def _of_others_hidden(contracts: tuple[bytes, ...], seat: int | None) -> tuple[bytes, ...]:
    return tuple(
        [cards if owner == seat else _HIDDEN[len(cards)] for owner, cards in enumerate(contracts)]
    )


def dealt_anew(view: View, chance: Chance) -> State:
    """Return a table of a running game with the private contracts of the others dealt anew.

    At a real table, where only the players know their deal, a deal is made up for everybody, and
    all players are assumed to have made their choice by their own first turn. In the state of a
    sealed game everything is then known, so nothing is left to be revealed.
    """
    table: State = view.table
    config = table.config
    if not config.private_contracts:
        return table
    looker = view.seat
    own = b"" if looker is None else (table.dealt or table.kept)[looker]
    if HIDDEN in own:
        looker, own = None, b""
    deck = without(config.private_deck, own)
    dealt, kept = [], []
    for seat in range(config.seats):
        hand = own if seat == looker else b""
        more, deck = draw_from(deck, DEALT - len(hand), "private", chance)
        hand += more
        has_kept = bool(table.kept[seat]) or (not table.dealt and seat <= table.turn)
        chosen = table.kept[seat] if seat == looker else b""
        if HIDDEN in chosen:
            chosen = b""
        if has_kept:
            rest = without(hand, chosen)
            chosen += draw_from(rest, KEPT - len(chosen), "private", chance)[0]
        dealt.append(hand)
        kept.append(bytes(sorted(chosen)))
    new = table.copy()
    new.dealt = tuple(dealt)
    new.kept = tuple(kept)
    new.seals = bytes([GIVEN_UP if seal == GIVEN_UP else SHOWN for seal in table.seals])
    return new


class PortoSealing:
    """Sealed games, see :class:`porto_cli.abilities.Sealing`. No computer knows what is hidden in
    them: private contracts are sealed when they are kept, and revealed at the end.
    """

    deal_sealed = staticmethod(partial(deal, sealed=True))
    apply = staticmethod(apply)
    turn_up = staticmethod(turn_up)
    give_up = staticmethod(give_up)

    def sealed_pile(self, config: Config) -> SealedPile | str:
        """Return the private contracts and how many each seat gets, or why it cannot be sealed."""
        if config.seats == 1:
            return "A solo game cannot be sealed: there are no other players to hide anything from."
        if not config.private_contracts:
            return SealedPile(b"", 0)
        return SealedPile(config.private_deck, DEALT)

    def with_hand(self, deal: Deal, seat: int, hand: bytes) -> Deal:
        """Return a sealed deal in which the private contracts of a seat are known."""
        if not deal.sealed or not 0 <= seat < len(deal.private) or len(hand) != DEALT:
            raise ValueError(f"The seat {seat} is not dealt {list(hand)} in this game.")
        return deal._replace(private=(*deal.private[:seat], hand, *deal.private[seat + 1 :]))

    def is_sealed(self, move: Move) -> bool:
        """Return whether a move keeps private contracts without saying which."""
        return isinstance(move, Keep) and move == KEEP_SEALED

    def seal(self, state: State, move: Move, seat: int) -> tuple[Move, bytes]:
        """Return a move as the others see it, and the private contracts that it hides, if any."""
        if not isinstance(move, Keep) or not state.seals or state.is_revealing:
            return move, b""
        dealt = state.dealt[seat]
        if HIDDEN in dealt or not move.places:
            raise ValueError(
                "A move can hide only contracts from the hand of the player who makes it."
            )
        return KEEP_SEALED, bytes(sorted(dealt[place] for place in move.places))

    def unseal(self, state: State, move: Move, hidden: bytes, seat: int) -> Move:
        """Return the choice of these private contracts in place of a sealed one."""
        if not self.is_sealed(move):
            return move
        dealt = state.dealt[seat]
        if any(hidden.count(contract) > dealt.count(contract) for contract in hidden):
            raise ValueError(f"Not all of {list(hidden)} are in the hand of the seat {seat}.")
        places: list[int] = []
        for contract in hidden:
            places.append(
                next(p for p, one in enumerate(dealt) if one == contract and p not in places)
            )
        return Keep(tuple(sorted(places)))

    def reveal(self, hidden: bytes) -> Move:
        """Return the move that names three private contracts at the end (P-END-2)."""
        return Keep((), tuple(sorted(hidden)))

    def revealed(self, state: State, move: Move) -> bytes:
        """Return the private contracts that a move reveals at the end."""
        if not isinstance(move, Keep) or not state.seals or not state.is_revealing:
            return b""
        return bytes(sorted(move.named))

    def unrevealed(self, state: State) -> tuple[int, ...]:
        """Return the seats whose private contracts are still known only to them."""
        return state.unrevealed if state.seals else ()

    def is_waiting(self, state: State) -> bool:
        """Return whether empty spaces still wait for their refill."""
        return state.is_waiting
