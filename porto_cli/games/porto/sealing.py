"""Porto as a sealed game: what is dealt to a player alone, and what of a move stays hidden.

See :class:`porto_cli.abilities.Sealing` for what each function means.
"""

from __future__ import annotations

from porto_cli.core.message import Sentence, say
from porto_cli.game import SealedPile
from porto_cli.games.porto.engine.components import DEALT, HIDDEN
from porto_cli.games.porto.engine.moves import KEEP_SEALED, Keep, Move
from porto_cli.games.porto.engine.play import apply as apply
from porto_cli.games.porto.engine.play import give_up as give_up
from porto_cli.games.porto.engine.play import turn_up as turn_up
from porto_cli.games.porto.engine.state import Config, Deal, State
from porto_cli.games.porto.engine.state import deal_sealed as deal_sealed


def sealed_pile(config: Config) -> SealedPile | Sentence:
    """Return the private contracts and how many each seat gets; none where none are played."""
    if config.seats == 1:
        return say(
            "A solo game cannot be sealed: there is nobody from whom anything would be hidden."
        )
    if not config.private_contracts:
        return SealedPile(b"", 0)
    return SealedPile(config.private_deck(), DEALT)


def with_hand(deal: Deal, seat: int, hand: bytes) -> Deal:
    """Return a sealed deal in which the private contracts of a seat are known."""
    if not deal.sealed or not 0 <= seat < len(deal.private) or len(hand) != DEALT:
        raise ValueError(f"The seat {seat} is not dealt {list(hand)} in this game.")
    return deal._replace(private=(*deal.private[:seat], hand, *deal.private[seat + 1 :]))


def is_sealed(move: Move) -> bool:
    """Tell whether three private contracts are kept without saying which."""
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
    """Return whose private contracts are still known to nobody else."""
    return state.unrevealed if state.seals else ()


def is_waiting(state: State) -> bool:
    """Tell whether spaces are empty until the player to move sees what comes up in them."""
    return state.is_waiting
