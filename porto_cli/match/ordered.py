"""What orders do: which of them stand, what they decide, and why one does not fit.

Orders are declared by items of a record that change nothing on the table
(:mod:`porto_cli.match.items`). Whoever's program makes the move before executes them: the
move is an ordinary item then, so that a record never depends on its orders. What they decide
follows from the table as everybody sees it, so that all programs decide the same.
"""

from __future__ import annotations

from typing import NamedTuple

from porto_cli.core.message import InvalidMoveError, RefusedError, shown
from porto_cli.game import OVER, SENSIBLE, Move, Orders, Step
from porto_cli.match.items import ORDERING, Declaration, stands
from porto_cli.match.orders import (
    MOST_VP,
    PASS,
    Instruction,
    Order,
    explained,
    orders_of,
    read_order,
    verbs_of,
    words_of,
)
from porto_cli.match.replay import (
    AnyReplay,
    Replay,
    decisions,
    demand_to_be_in,
    place_after_last_turn,
)

MARK = "ordered"
"""The comment of a move that an order decided."""


class Decided(NamedTuple):
    """A move that an order decides."""

    seat: int
    move: Move


def declare(replay: AnyReplay, text: str, seat: int) -> AnyReplay:
    """Append an order of a player. Raises InvalidMoveError, RefusedError."""
    game, config = replay.game, replay.config
    demand_orders(replay)
    if replay.state.phase == OVER:
        raise RefusedError(["The game is over, so nothing can be ordered."])
    order = read_order(text, game, config)
    if seat in replay.bot_seats:
        raise RefusedError([f"{config.players[seat]} is a bot."])
    demand_to_be_in(replay, seat)
    return with_order(replay, order, seat)


def can_order(replay: Replay) -> bool:
    """Return whether moves can be ordered ahead in a game."""
    return replay.game.orders is not None and not replay.record.machine


def demand_orders(replay: Replay) -> None:
    """Require a game with orders. Raises InvalidMoveError, RefusedError."""
    orders_of(replay.game)
    if not can_order(replay):
        raise RefusedError(["Nothing can be ordered ahead in a game whose turns are signed."])


def with_order(replay: AnyReplay, order: Order, seat: int) -> AnyReplay:
    """Return the game with an order of a player appended."""
    entries = ((replay.config.players[seat], ORDERING + order.text),)
    record, place = replay.record.with_item(entries), len(replay.steps)
    one = Declaration(len(record.items) - 1, seat, place, entries, replay.seats, order)
    return replay._replace(record=record, declarations=(*replay.declarations, one))


def in_force(replay: Replay, seat: int) -> dict[str, Order]:
    """Return the orders of a player that stand, by their kinds."""
    return {kind: order for kind, (order, _) in _standing(replay, seat).items()}


def _standing(replay: Replay, seat: int) -> dict[str, tuple[Order, int]]:
    """Return the orders of a player that stand, by their kinds, and how many steps there were when
    they were given.

    A later order for the same kind replaces an earlier one. An undo of the player takes back all
    that were given before it; so does a change of who plays the seat.
    """
    undos = (
        nth
        for nth, step in enumerate(replay.steps)
        if step.seat == seat and step.takes_back is not None
    )
    last_undo = max(undos, default=-1)
    found: dict[str, tuple[Order, int]] = {}
    for one in replay.declarations:
        if one.seat != seat:
            continue
        if one.order is None or not one.order.kind:
            found.clear()
        if one.order is None or one.place <= last_undo:
            continue
        found.pop(one.order.kind, None)
        if one.order.choices or one.order.old:
            found[one.order.kind] = one.order, one.place
    return {kind: each for kind, each in found.items() if not _is_spent(replay, seat, *each)}


def _is_spent(replay: Replay, seat: int, order: Order, since: int) -> bool:
    """Return whether the time of an order is over.

    One for once covers the next occasion at which its player decides something of its kind.
    """
    orders = orders_of(replay.game)
    if order.always:
        return False
    now = orders.occasion(replay.state)
    return any(
        stands(step)
        and step.seat == seat
        and _is_of(orders, step, order.kind)
        and orders.occasion(step.before) != now
        for step in replay.steps[since:]
    )


def _is_of(orders: Orders, step: Step, kind: str) -> bool:
    """Return whether a decision of a step, that of its first move or a later one, is of a kind."""
    found = orders.kind(step.before)
    if step.before.seat != step.seat or not found:
        return False
    if kind in (found, *orders.kinds):
        keys = {key for key, _ in step.entries[1:]}
        return kind == found or not keys.isdisjoint(orders.kinds[kind].verbs)
    return True


def due(replay: Replay) -> Decided | None:
    """Return what an order decides now; ``None`` if none does."""
    found = _tried(replay)
    return found if isinstance(found, Decided) else None


def replaced(replay: Replay, order: Order, seat: int) -> list[str]:
    """Say which order of a player a new one replaces, before it is given."""
    before = in_force(replay, seat).get(order.kind) if order.choices else None
    return [f"This replaces your order: {before.text}"] if before else []


def _tried(replay: Replay) -> Decided | list[str] | None:
    """Return what the order for the decision that waits leads to, if there is one; or why it does
    not fit, a sentence a choice.
    """
    if all(one.order is None for one in replay.declarations) or replay.state.phase == OVER:
        return None
    seat, kind = replay.state.seat, orders_of(replay.game).kind(replay.state)
    standing = _standing(replay, seat).get(kind) if kind else None
    if standing is None:
        return None
    order, since = standing
    reasons = explained(order, replay.game, ()) if order.old else []
    for choice in order.choices:
        found = _move(replay, kind, since, choice)
        if not isinstance(found, str):
            return Decided(seat, found)
        reasons.append(f"{shown(choice.text)}{found}")
    return reasons


def _move(replay: Replay, kind: str, since: int, choice: Instruction) -> Move | str:
    """Return the legal move that a choice leads to, or why there is none now, as the end of a
    sentence about it; ``since`` is how many steps there were when it was ordered.
    """
    state, orders = replay.state, orders_of(replay.game)
    if choice.words and not _was_played(replay, since, choice):
        return f": the condition {shown(choice.condition)} does not hold."
    if choice.move == MOST_VP:
        # What can be done besides, like moving a guest before the production, is of another kind.
        verbs = {verb for verb in orders.kinds[kind].verbs if verb != PASS}
        listed = orders.listed(state, state.seat) or ()
        fitting = [one for one in listed if one["move"].split()[0] in verbs]
        if not fitting:
            return ": no such move is possible."
        most = max(fitting, key=lambda one: one["vp"])
        return replay.game.parse_move(most["move"], state, state.seat)
    if choice.move in (SENSIBLE, orders.kinds[kind].written):
        move = orders.sensible(state, state.seat)
        return " leaves this decision to you." if move is None else move
    try:
        move, _, violations = replay.game.read_move(choice.move, state, state.seat)
    except InvalidMoveError as error:
        return f": {error.sentence}"
    return f": {violations[0].sentence}" if violations else move


def _was_played(replay: Replay, since: int, choice: Instruction) -> bool:
    """Return whether somebody has made the move that a choice needs, for everybody to see."""
    game, verbs = replay.game, verbs_of(replay.game)
    for step in replay.steps[since:]:
        if step.seat == choice.seat and stands(step) and not any(map(game.is_secret, step.moves)):
            (_, first), *further = step.entries
            texts = [first, *(f"{key} {text}" for key, text in further if key in verbs)]
            if any(words_of(text).issuperset(choice.words) for text in texts):
                return True
    return False


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


def not_fitting(replay: Replay, seat: int) -> list[str]:
    """Say to a player who is to move why the order for that does not fit; nothing to others."""
    found = _tried(replay) if replay.state.seat == seat and can_order(replay) else None
    if not found or isinstance(found, Decided):
        return []
    kind = orders_of(replay.game).kind(replay.state)
    return [f"Your order for {shown(kind)} stopped, so the game waits for you:", *found]


def place_after_last_act(replay: Replay, seat: int) -> int:
    """Return the index in ``replay.steps`` after what a player did last: a turn that no order has
    decided, or an order.
    """
    given = max(
        (one.place for one in replay.declarations if one.seat == seat and one.order), default=0
    )
    place = place_after_last_turn(replay, seat)
    while place > given and was_ordered(replay, place - 1):
        earlier = replay._replace(steps=replay.steps[: place - 1])
        place = place_after_last_turn(earlier, seat)
    return max(place, given)
