"""Hidden information: what a seat may know, states consistent with that, and sealed games.

Hidden are the private contracts of the others (P-SETUP-5), dealt and kept, and the order in which
cards come up, which no state contains. Face-down piles are known as multisets: all that is not in
them has been seen. In a sealed game no computer knows what is hidden: private contracts are sealed
when they are kept, and revealed at the end (see :class:`porto_cli.abilities.Sealing`).
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from porto_cli.core.chance import Chance, drawn, random_chance
from porto_cli.games.porto.engine import DEALT, HIDDEN, KEPT
from porto_cli.games.porto.engine.cards import KEEP_SEALED, Keep
from porto_cli.games.porto.engine.play import Move
from porto_cli.games.porto.engine.play import apply as apply
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
from porto_cli.games.porto.engine.turn import give_up as give_up
from porto_cli.games.porto.engine.turn import turn_up as turn_up
from porto_cli.seam import SealedPile, View

if TYPE_CHECKING:
    from random import Random

deal_sealed = partial(deal, sealed=True)
_HIDDEN = tuple(bytes([HIDDEN]) * count for count in range(DEALT + 1))


def view(state: State, seat: int | None) -> View:
    """Return what a seat, or (``None``) a bystander, may know.

    In the place of each private contract of the others is ``HIDDEN``, until they are revealed when
    the game is over (P-END-2).
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


def resample(view: View, rng: Random) -> State:
    """Return a random state consistent with the view: others get new private contracts."""
    table: State = view.table
    return table if table.phase == OVER else dealt_anew(view, random_chance(rng))


def dealt_anew(view: View, chance: Chance) -> State:
    """Return a table of a running game with the private contracts of the others dealt anew.

    At a real table, where only the players know their deal, one is made up for everybody; who has
    not said what is kept has chosen in time for their own first turn. Of a sealed game all is known
    afterwards, so that nothing is left to be revealed.
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
        more, deck = drawn(deck, DEALT - len(hand), "private", chance)
        hand += more
        has_kept = bool(table.kept[seat]) or (not table.dealt and seat <= table.turn)
        chosen = table.kept[seat] if seat == looker else b""
        if HIDDEN in chosen:
            chosen = b""
        if has_kept:
            rest = without(hand, chosen)
            chosen += drawn(rest, KEPT - len(chosen), "private", chance)[0]
        dealt.append(hand)
        kept.append(bytes(sorted(chosen)))
    new = table.copy()
    new.dealt = tuple(dealt)
    new.kept = tuple(kept)
    new.seals = bytes([GIVEN_UP if seal == GIVEN_UP else SHOWN for seal in table.seals])
    return new


def sealed_pile(config: Config) -> SealedPile | str:
    """Return the private contracts and how many each seat gets; none where none are played."""
    if config.seats == 1:
        return "A solo game cannot be sealed: there are no other players to hide anything from."
    if not config.private_contracts:
        return SealedPile(b"", 0)
    return SealedPile(config.private_deck, DEALT)


def with_hand(deal: Deal, seat: int, hand: bytes) -> Deal:
    """Return a sealed deal in which the private contracts of a seat are known."""
    if not deal.sealed or not 0 <= seat < len(deal.private) or len(hand) != DEALT:
        raise ValueError(f"The seat {seat} is not dealt {list(hand)} in this game.")
    return deal._replace(private=(*deal.private[:seat], hand, *deal.private[seat + 1 :]))


def is_sealed(move: Move) -> bool:
    """Return whether three private contracts are kept without saying which."""
    return isinstance(move, Keep) and move == KEEP_SEALED


def seal(state: State, move: Move, seat: int) -> tuple[Move, bytes]:
    """Hide which private contracts are kept; every other move is as open as it is."""
    if not isinstance(move, Keep) or not state.seals or state.is_revealing:
        return move, b""
    dealt = state.dealt[seat]
    if HIDDEN in dealt or not move.places:
        raise ValueError("A move hides something only from the hand of who makes it.")
    return KEEP_SEALED, bytes(sorted(dealt[place] for place in move.places))


def unseal(state: State, move: Move, hidden: bytes, seat: int) -> Move:
    """Return the choice that the three private contracts are."""
    if not is_sealed(move):
        return move
    dealt = state.dealt[seat]
    if any(hidden.count(contract) > dealt.count(contract) for contract in hidden):
        raise ValueError(f"Not all of {list(hidden)} are in the hand of the seat {seat}.")
    places: list[int] = []
    for contract in hidden:
        places.append(next(p for p, one in enumerate(dealt) if one == contract and p not in places))
    return Keep(tuple(sorted(places)))


def reveal(hidden: bytes) -> Move:
    """Return the move that names three private contracts at the end (P-END-2)."""
    return Keep((), tuple(sorted(hidden)))


def revealed(state: State, move: Move) -> bytes:
    """Return the private contracts that a move at the end names."""
    if not isinstance(move, Keep) or not state.seals or not state.is_revealing:
        return b""
    return bytes(sorted(move.named))


def unrevealed(state: State) -> tuple[int, ...]:
    """Return the seats whose private contracts are still known only to them."""
    return state.unrevealed if state.seals else ()


def is_waiting(state: State) -> bool:
    """Return whether spaces are empty until the player to move sees what comes up in them."""
    return state.is_waiting


def private_of(state: State, seat: int, asking: int | None) -> bytes | None:
    """Return the private contracts of a seat as far as another may see them (P-SETUP-5).

    The seat itself sees the five it was dealt, in their order, until it has kept three. All
    others, and bystanders, see the three kept ones when the game is over (P-END-2).
    In a sealed game the seat itself sees nothing without its key. Nobody sees those of a player who
    was given up, or who has left.
    """
    if not state.config.private_contracts:
        return None if state.phase == OVER and seat in state.out else b""
    if state.phase == OVER:
        return state.kept[seat] if state.has_shown(seat) else None
    if seat != asking:
        return None
    own = state.kept[seat] or (state.dealt[seat] if state.dealt else b"")
    return None if HIDDEN in own else own
