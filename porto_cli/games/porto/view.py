"""What a seat may know of a table, for programs that play, and tables that could be true.

Hidden are the private contracts of the others (P-SETUP-5), dealt and kept, and in which order
cards come up, which no state knows. Face-down piles are known as multisets: all that is not among
them has been seen.
"""

from __future__ import annotations

from random import Random

from porto_cli.core.chance import Chance, chance_of
from porto_cli.game import View
from porto_cli.games.porto.engine.components import DEALT, HIDDEN, KEPT
from porto_cli.games.porto.engine.state import GONE, OVER, SHOWN, State, without

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


def resample(view: View, luck: Random) -> State:
    """Return a table as it could be: the private contracts of the others are dealt anew."""
    table: State = view.table
    return table if table.phase == OVER else dealt_anew(view, chance_of(luck))


def dealt_anew(view: View, chance: Chance) -> State:
    """Return a table of a running game with the private contracts of the others dealt anew.

    At a real table, where only the players know their deal, one is made up for everybody; who has
    not said what is kept has chosen in time for the own first turn. Of a sealed game all is known
    afterwards, so that nothing is left to be revealed.
    """
    table: State = view.table
    config = table.config
    if not config.private_contracts:
        return table
    looker, own = view.seat, b""
    if looker is not None:
        own = table.dealt[looker] if table.dealt else table.kept[looker]
    if HIDDEN in own:
        looker, own = None, b""
    deck = without(config.private_deck(), own)
    dealt, kept = [], []
    for seat in range(config.seats):
        hand = own if seat == looker else b""
        hand, deck = _draw(hand, deck, DEALT - len(hand), chance)
        has_kept = bool(table.kept[seat]) or (not table.dealt and seat <= table.turn)
        chosen = table.kept[seat] if seat == looker else b""
        if HIDDEN in chosen:
            chosen = b""
        if has_kept:
            rest = without(hand, chosen)
            chosen, _ = _draw(chosen, rest, KEPT - len(chosen), chance)
        dealt.append(hand)
        kept.append(bytes(sorted(chosen)))
    new = table.copy()
    new.dealt = tuple(dealt)
    new.kept = tuple(kept)
    new.seals = bytes([GONE if seal == GONE else SHOWN for seal in table.seals])
    return new


def _draw(hand: bytes, pile: bytes, count: int, chance: Chance) -> tuple[bytes, bytes]:
    for index in range(count):
        position = chance("private", index, pile)
        hand += pile[position : position + 1]
        pile = pile[:position] + pile[position + 1 :]
    return hand, pile
