"""Why a move may be good or bad, in sentences that name no more than its player may know."""

from __future__ import annotations

from collections.abc import Iterator

from porto_cli.core.message import Sentence, say
from porto_cli.games.porto.engine.components import EMPTY, HOUSES, NOWHERE
from porto_cli.games.porto.engine.events import (
    PRIVATE_CONTRACT,
    EndTriggered,
    Event,
    Scored,
    TokenMoved,
)
from porto_cli.games.porto.engine.moves import Claim, Draw, Keep, Move, Pass
from porto_cli.games.porto.engine.play import apply
from porto_cli.games.porto.engine.state import ACT, CONTRACTS, TIMER, State
from porto_cli.games.porto.event_text import reasons
from porto_cli.games.porto.notation import PRIVATE_NAMES, PUBLIC_NAMES, card_names
from porto_cli.games.porto.players import solo_value, value
from porto_cli.games.porto.players.board import Board
from porto_cli.games.porto.players.expected import expected_vp
from porto_cli.games.porto.players.features import row_of
from porto_cli.games.porto.players.levels import weights_for

WORTH_SAYING = 0.3
"""So many VP more or less of a private contract are worth a sentence."""
MANY = 3
"""So many cards that one draw could take are worth a sentence after any move."""


def reasons_of(table: State, state: State, seat: int, move: Move) -> list[Sentence]:
    """Return why a move may be good or bad, the most important reason first.

    ``table`` is what the seat may know; ``state`` is the same with no private contracts but the
    own ones that were kept, see :func:`~porto_cli.games.porto.players.levels.open_table`.
    """
    if isinstance(move, Keep):
        return list(_of_keeping(table, seat, move))
    left, events = _played(state, move)
    found = [*_of_scores(state, events), *_of_end_and_token(left, events)]
    found += _of_private(state, left, seat)
    if isinstance(move, Claim):
        found += _of_what_is_left_out(state, move)
    if left.phase == ACT and left.seat != seat:
        found += _of_next(state, left, move)
    if _goes_on(left, seat):
        found += _of_hand(state, left, seat, move)
    return found


def _played(state: State, move: Move) -> tuple[State, list[Event]]:
    """Return the table after a move and all public contracts that it meets, and what happened."""
    left, events = apply(state, move, None)
    if left.phase == CONTRACTS:
        left, more = apply(left, Claim(left.claimable), None)
        events += more
    return left, events


def _goes_on(left: State, seat: int) -> bool:
    """Tell whether the seat has another turn."""
    if left.config.timer:
        return solo_value.turns_left(left) > 0
    if left.phase not in (ACT, TIMER):
        return False
    return not left.end_round or value.turns_left(left, seat) > 0


def _of_keeping(table: State, seat: int, move: Keep) -> Iterator[Sentence]:
    dealt = table.dealt[seat] if table.dealt and not table.is_revealing else b""
    weights = weights_for(table)
    kept = sorted((dealt[place] for place in move.places), key=lambda one: -weights.keep[one])
    for contract in kept:
        yield say(
            "{contract} turned out to be worth {vp:.1f} VP on average.",
            contract=PRIVATE_NAMES[contract],
            vp=weights.keep[contract],
        )


def _of_scores(state: State, events: list[Event]) -> Iterator[Sentence]:
    if state.phase == TIMER:
        return
    scores = [
        event.score
        for event in events
        if isinstance(event, Scored) and event.kind != PRIVATE_CONTRACT
    ]
    if scores:
        vp = sum(score.vp for score in scores)
        yield say("It scores {vp} VP now: {reasons}.", vp=vp, reasons=reasons(scores))
    else:
        yield say("It scores nothing now.")


def _of_end_and_token(left: State, events: list[Event]) -> Iterator[Sentence]:
    for event in events:
        if isinstance(event, EndTriggered):
            yield say(
                "It triggers the end: the game ends after round {last}.", last=event.round + 1
            )
        elif isinstance(event, TokenMoved) and event.roof != NOWHERE:
            missing = left.config.heights[event.roof] - left.floors[event.roof]
            yield say(
                _TOKEN if missing > 1 else _TOKEN_NEAR,
                vp=event.value,
                house=HOUSES[event.roof],
                missing=missing,
            )


_TOKEN = "Its token of {vp} VP goes to the roof of {house}, which lacks {missing} floors."
_TOKEN_NEAR = "Its token of {vp} VP goes to the roof of {house}, which lacks one floor."
_HELPS = "The private contract {contract} can be expected to bring {vp:.1f} VP more."
_HURTS = "The private contract {contract} can be expected to bring {vp:.1f} VP less."


def _of_private(state: State, left: State, seat: int) -> Iterator[Sentence]:
    """Tell what a move does for the own private contracts; those of others are not known."""
    own = state.kept[seat]
    completion = weights_for(state).completion
    row = value.completion_row(state)
    for contract in own:
        # As much of the game is left before and after: what differs is the houses.
        before, then = (
            expected_vp(one, bytes([contract]), completion, row) for one in (state, left)
        )
        if abs(then - before) >= WORTH_SAYING:
            yield say(
                _HELPS if then > before else _HURTS,
                contract=PRIVATE_NAMES[contract],
                vp=abs(then - before),
            )
    if state.config.private_contracts and not own:
        yield say(
            "The private contracts of {player} are not known here: nothing is reckoned for them.",
            player=state.config.players[seat],
        )


def _of_what_is_left_out(state: State, move: Claim) -> Iterator[Sentence]:
    names = [
        PUBLIC_NAMES[state.contracts[space]]
        for space in state.claimable
        if space not in move.spaces
    ]
    if names:
        yield say("It leaves {contracts} unfulfilled.", contracts=", ".join(names))


def _of_next(state: State, left: State, move: Move) -> Iterator[Sentence]:
    """Tell what a move leaves to the player who is next."""
    hand = left.hands[left.seat]
    before, then = (Board(one).matching(hand).first for one in (state, left))
    facts: dict[str, object] = {
        "player": left.config.players[left.seat],
        "before": before,
        "vp": then,
    }
    if then > before:
        yield say("It lets {player} build for {vp} VP, up from {before}.", **facts)
    elif then < before:
        yield say("It leaves {player} a build for {vp} VP at most, down from {before}.", **facts)
    elif then:
        yield say("{player} can build for {vp} VP, as before.", **facts)
    if left.end_round and value.turns_left(left, left.seat) < 2:
        return
    row = left.cards.replace(bytes([EMPTY]), b"")
    most = row_of(row).most
    if row and (isinstance(move, Draw) or most >= MANY):
        yield say(
            "Of the cards that stay in the row, {player} can draw {count}: {cards}."
            if most > 1
            else "Of the cards that stay in the row, {player} can draw but one: {cards}.",
            count=most,
            cards=" ".join(card_names(row)),
            **facts,
        )


def _of_hand(state: State, left: State, seat: int, move: Move) -> Iterator[Sentence]:
    """Tell what the own hand is worth then."""
    if isinstance(move, Pass):
        return
    hand = left.hands[seat]
    facts: dict[str, object] = {
        "player": left.config.players[seat],
        "count": len(hand),
        "cards": " ".join(card_names(hand)),
        "vp": Board(left).matching(hand).first,
        "before": Board(state).matching(hand).first,
    }
    if state.phase == TIMER:
        yield say("The best two cards in hand score {vp} VP then, before it {before}.", **facts)
    elif not hand:
        yield say("{player} has no cards then.", **facts)
    elif len(hand) == 1:
        yield say("{player} has one card then: {cards}.", **facts)
    elif facts["vp"]:
        yield say("{player} has {count} cards then; the best two score {vp} VP.", **facts)
    else:
        yield say("{player} has {count} cards then, and no build for them.", **facts)
