"""What orders do: which of them stand, what they decide, and why one does not fit.

Orders are declared by items of a record that change nothing on the table
(:class:`~porto_cli.match.replay.Declaration`). Whoever's program makes the move before executes
them: the move is an ordinary item then, so that a record never depends on its orders. What they
decide follows from the table as everybody sees it, so that all programs decide the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, cached_property
from typing import NamedTuple

from porto_cli.abilities import ListedMove
from porto_cli.core.message import InvalidMoveError, RefusedError, Sentence, say
from porto_cli.game import OVER, Move, Step
from porto_cli.match.declarations import held_at
from porto_cli.match.orders import (
    TURN,
    AnyOrders,
    Choice,
    Condition,
    Counted,
    Listed,
    Order,
    Scope,
    orders_of,
    read_order,
    words_of,
)
from porto_cli.match.replay import (
    ORDERING,
    Declaration,
    Replay,
    decisions,
    demand_to_be_in,
    place_after_last_turn,
    stands,
)
from porto_cli.match.seats import is_bot

PASS = "pass"
MARK = "ordered"
"""The comment of a move that an order decided."""


class Standing(NamedTuple):
    """An order that stands: what it says, and where the record has it."""

    order: Order
    declared: Declaration


class Decided(NamedTuple):
    """A move that an order decides."""

    seat: int
    move: Move
    by: Standing


class Stopped(NamedTuple):
    """An order that does not fit the decision that waits, and why not: a sentence a choice."""

    by: Standing
    reasons: tuple[Sentence, ...]


def declare(replay: Replay, text: str, seat: int) -> Replay:
    """Append an order of a player. Raises InvalidMoveError, RefusedError."""
    game, config = replay.game, replay.config
    if replay.state.phase == OVER:
        raise RefusedError([say("The game is over, so that nothing can be ordered.")])
    order = read_order(text, game, config, given=True)
    if is_bot(replay.bots, seat):
        raise RefusedError([say("{player} is a bot.", player=config.players[seat])])
    demand_to_be_in(replay, seat)
    return with_order(replay, order, seat)


def with_order(replay: Replay, order: Order, seat: int) -> Replay:
    """Return the game with an order of a player appended."""
    players = replay.config.players
    entries = ((players[seat], ORDERING + order.text(players)),)
    record = replay.record.with_item(entries)
    held = held_at(replay.declarations)
    one = Declaration(len(record.items) - 1, seat, len(replay.steps), entries, order, held=held)
    return replay._replace(record=record, declarations=(*replay.declarations, one))


def in_force(replay: Replay, seat: int) -> dict[str, Standing]:
    """Return the orders of a player that stand, by their kinds.

    A later order for the same kind replaces an earlier one. An undo of the player takes back all
    that were given before it; so does a change of who plays the seat.
    """
    undos = (
        nth
        for nth, step in enumerate(replay.steps)
        if step.seat == seat and step.takes_back is not None
    )
    last_undo = max(undos, default=-1)
    found: dict[str, Standing] = {}
    for one in replay.declarations:
        if one.seat != seat:
            continue
        if one.sits:
            found.clear()
        if one.sits or one.place <= last_undo:
            continue
        order: Order = one.what
        if not order.kind:
            found.clear()
            continue
        found.pop(order.kind, None)
        if order.choices:
            found[order.kind] = Standing(order, one)
    return {kind: each for kind, each in found.items() if not _is_spent(replay, each)}


def _is_spent(replay: Replay, one: Standing) -> bool:
    """Return whether the time of an order is over.

    One for once covers the next occasion at which its player decides something of its kind.
    """
    orders, order, declared = orders_of(replay.game), one.order, one.declared
    if order.scope is Scope.ALWAYS:
        return False
    since = replay.steps[declared.place :]
    if order.scope is Scope.ROUND:
        given_at = since[0].before if since else replay.state
        return orders.round(given_at) != orders.round(replay.state)
    now = orders.occasion(replay.state)
    return any(
        stands(step)
        and step.seat == declared.seat
        and _is_of(orders, step, order.kind)
        and orders.occasion(step.before) != now
        for step in since
    )


def _is_of(orders: AnyOrders, step: Step, kind: str) -> bool:
    """Return whether a decision of a step, that of its first move or a later one, is of a kind."""
    found = orders.kind(step.before)
    if step.before.seat != step.seat or not found:
        return False
    later = {
        name
        for name, one in orders.kinds.items()
        for key, _ in step.entries[1:]
        if key in one.verbs
    }
    return kind in (found, TURN) or kind in later


def due(replay: Replay) -> Decided | None:
    """Return what an order decides now; ``None`` if none does."""
    found = next(iter(_tried(replay)), None)
    return found if isinstance(found, Decided) else None


def stopped(replay: Replay) -> list[Stopped]:
    """Return the orders for the decision that waits, none of which fits it."""
    return [one for one in _tried(replay) if isinstance(one, Stopped)]


def _tried(replay: Replay) -> list[Decided | Stopped]:
    """Return what the orders for the decision that waits lead to: the move that one decides, or
    those that do not fit.
    """
    if all(one.sits for one in replay.declarations) or replay.state.phase == OVER:
        return []
    kind = orders_of(replay.game).kind(replay.state)
    if not kind:
        return []
    standing = in_force(replay, replay.state.seat)
    failed: list[Decided | Stopped] = []
    for one in filter(None, map(standing.get, (kind, TURN))):
        chooser, reasons = _Chooser(replay, kind, one.declared), []
        for choice in one.order.choices:
            found = chooser.move(choice)
            if not isinstance(found, Sentence):
                return [Decided(replay.state.seat, found, one)]
            reasons.append(found)
        failed.append(Stopped(one, tuple(reasons)))
    return failed


class _Chooser:
    """Finds the move that an order leads to, for the decision of a kind that waits."""

    def __init__(self, replay: Replay, kind: str, declared: Declaration) -> None:
        self.replay, self.kind, self.declared = replay, kind, declared
        self.game, self.state, self.seat = replay.game, replay.state, replay.state.seat
        self.orders = orders_of(replay.game)
        # Choices look at the same moves.
        self._counted = cache(lambda move: self.orders.counted(self.state, self.seat, move))

    def move(self, choice: Choice) -> Move | Sentence:
        """Return the move of a choice, or why there is none now."""
        pick, players = choice.pick, self.replay.config.players
        text = choice.text(players)
        if isinstance(pick, Listed):
            fitting = (one for one in self._listed(pick) if not self._unmet(one, choice))
            return next(fitting, None) or say("{choice!r}: no such move is possible.", choice=text)
        if pick in self.orders.policies:
            move = self.orders.choose(pick, self.state, self.seat)
            if move is None:
                return say("{choice!r} leaves this decision to you.", choice=text)
        else:
            try:
                move, _, violations = self.game.read_move(pick, self.state, self.seat)
            except InvalidMoveError as error:
                return say("{choice!r}: {reason}", choice=text, reason=error.sentence)
            if violations:
                return say("{choice!r}: {reason}", choice=text, reason=violations[0].sentence)
        unmet = self._unmet(move, choice)
        if unmet is None:
            return move
        return say(
            "{choice!r}: the condition {condition!r} does not hold.",
            choice=text,
            condition=unmet.text(players),
        )

    def _listed(self, pick: Listed) -> Iterator[Move]:
        """Yield the moves that are asked for, the one to be made first."""
        seen = [
            one
            for one, words in self._possible
            if words.issuperset(pick.words) and words.isdisjoint(pick.but)
        ]
        if pick.most_vp:
            seen.sort(key=lambda one: -one.vp)
        for one in seen:
            yield self.game.parse_move(one.move, self.state, self.seat)

    @cached_property
    def _possible(self) -> list[tuple[ListedMove, set[str]]]:
        """The moves that are listed for the decision, but pass, and their words."""
        # What can be done besides, like moving a guest before the production, is of another kind.
        verbs = {verb for verb in self.orders.kinds[self.kind].verbs if verb != PASS}
        listed = self.orders.listed(self.state, self.seat)
        return [(one, words_of(one.move)) for one in listed if one.move.split()[0] in verbs]

    def _unmet(self, move: Move, choice: Choice) -> Condition | None:
        """Return a condition that does not hold, if there is one."""
        for one in choice.conditions:
            if isinstance(one, Counted):
                number = self._counted(move).get(one.fact, 0)
                holds = number >= one.number if one.least else number <= one.number
            else:
                holds = any(
                    seat == one.seat and words.issuperset(one.words) for seat, words in self._played
                )
            if not holds:
                return one
        return None

    @cached_property
    def _played(self) -> list[tuple[int, set[str]]]:
        """The words of each move since the order was given that everybody has seen, and whose it
        is.
        """
        verbs = {verb for one in self.orders.kinds.values() for verb in one.verbs}
        found = []
        for step in self.replay.steps[self.declared.place :]:
            if stands(step) and not any(map(self.game.is_secret, step.moves)):
                (_, first), *further = step.entries
                texts = [first, *(f"{key} {text}" for key, text in further if key in verbs)]
                found += [(step.seat, words_of(text)) for text in texts]
        return found


# -- Looking at what orders have done


def before(replay: Replay, place: int, made: int = 0) -> Replay:
    """Return a game as it was before a step, or when the step had only so many of its moves."""
    step = replay.steps[place]
    taken = {one.takes_back for one in replay.steps[:place]}
    steps = [
        one._replace(undone=False) if one.undone and nth not in taken else one
        for nth, one in enumerate(replay.steps[:place])
    ]
    state = decisions(replay, step)[made].before if step.moves else step.before
    if made:
        steps.append(step._replace(after=state, moves=step.moves[:made], undone=False))
    given = tuple(one for one in replay.declarations if one.item < step.item)
    return replay._replace(state=state, steps=tuple(steps), declarations=given)


def was_ordered(replay: Replay, place: int, since: int = 0) -> bool:
    """Return whether all moves of a step, or those since one of them, are what the orders of its
    player decided then.
    """
    step, canonical = replay.steps[place], replay.game.canonical_move
    if all(one.seat != step.seat for one in replay.declarations):
        return False
    for made, move in list(enumerate(step.moves))[since:]:
        then = before(replay, place, made)
        decided = due(then)
        if decided is None or canonical(then.state, decided.move) != canonical(then.state, move):
            return False
    return bool(step.moves)


def not_fitting(replay: Replay, seat: int) -> list[Sentence]:
    """Say to a player who is to move why the orders for that do not fit; nothing to others."""
    if replay.state.seat != seat:
        return []
    return [
        line
        for one in stopped(replay)
        if not _is_a_habit(replay, one.by.order)
        for line in (
            say(
                "Your order for {kind!r} stopped, so the game waits for you:",
                kind=one.by.order.kind,
            ),
            *one.reasons,
        )
    ]


def _is_a_habit(replay: Replay, order: Order) -> bool:
    """Return whether an order is only to do what goes without saying, so that it is no news when a
    decision is left to the player.
    """
    policies = orders_of(replay.game).policies
    return order.kind == TURN and all(choice.pick in policies for choice in order.choices)


def place_after_last_act(replay: Replay, seat: int) -> int:
    """Return the index in ``replay.steps`` after what a player did last: a turn that no order has
    decided, or an order.
    """
    given = max(
        (one.place for one in replay.declarations if one.seat == seat and not one.sits), default=0
    )
    place = place_after_last_turn(replay, seat)
    while place > given and was_ordered(replay, place - 1):
        earlier = replay._replace(steps=replay.steps[: place - 1])
        place = place_after_last_turn(earlier, seat)
    return max(place, given)
