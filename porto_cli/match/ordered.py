"""What orders do: which of them stand, what they decide, and why one does not fit.

Orders are declared by items of a record that change nothing on the table
(:mod:`porto_cli.match.items`). Whoever's program makes the move before executes them: the
move is an ordinary item then, so that a record never depends on its orders. What they decide
follows from the table as everybody sees it, so that all programs decide the same.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from porto_cli.core import InvalidMoveError, quoted, refuse, shown
from porto_cli.game import OVER, SENSIBLE, Move
from porto_cli.match.items import SEAT, stands
from porto_cli.match.orders import (
    MOST_VP,
    PASS,
    Instruction,
    Order,
    explained,
    orders_of,
    read_order,
    words_of,
)
from porto_cli.match.replay import (
    Decision,
    Replay,
    after_steps,
    decisions,
    path_of,
    place_after_last_turn,
)

MARK = "ordered"
"""The comment of a move that an order decided."""


def given(replay: Replay, text: str, seat: int) -> Order:
    """Return the order that a player gives now. Raises InvalidMoveError, RefusedError."""
    demand_orders(replay)
    if replay.state.phase == OVER:
        refuse("The game is over, so nothing can be ordered.")
    order, player = read_order(text, replay.game, replay.config), replay.config.players[seat]
    if seat in replay.bot_seats:
        refuse(f"{player} is a bot.")
    if replay.seats[seat].out:
        refuse(
            f"{player} has left the game: what is ordered for {player} now never counts, as it "
            "ends when they come back. To come back first:",
            suggestions=[f"porto {SEAT}{path_of(replay)} {quoted(player)} --back"],
        )
    return order


def can_order(replay: Replay) -> bool:
    """Return whether moves can be ordered ahead in a game."""
    return replay.game.orders is not None and not replay.record.machine


def demand_orders(replay: Replay) -> None:
    """Require a game with orders. Raises InvalidMoveError, RefusedError."""
    orders_of(replay.game)
    if not can_order(replay):
        refuse("Nothing can be ordered ahead in a game whose turns are signed.")


def in_force(replay: Replay, seat: int) -> dict[str, Order]:
    """Return what is left of the orders of a player, by the kinds of the decisions that they wait
    for.
    """
    return {one.order.kind: one.order for one in _standing(replay, seat)}


class _Standing(NamedTuple):
    """What is left of an order: ``since`` how many steps there were when it was given, and on which
    ``occasion`` it was used first.
    """

    order: Order
    since: int
    occasion: Hashable = None


def _standing(replay: Replay, seat: int) -> list[_Standing]:
    """Return the orders of a player that stand, each for other kinds of decisions.

    A later order for the same kind replaces an earlier one. An undo of the player takes back all
    that were given before it; so does a change of who plays the seat.
    """
    given = [one for one in reversed(replay.declarations) if one.seat == seat]
    found: list[_Standing] = []
    for place in range(given[-1].place if given else len(replay.steps), len(replay.steps) + 1):
        while given and given[-1].place == place:
            order = given.pop().order
            if order is None or not order.kind:
                found = []
            if order is not None:
                found = [one for one in found if not order.kinds & one.order.kinds]
                found += [_Standing(order, place)] * bool(order.choices or order.unknown)
        step = replay.steps[place] if found and place < len(replay.steps) else None
        if step is None or step.seat != seat:
            continue
        if step.takes_back is not None:
            found = []
        elif not step.undone:
            for made, one in enumerate(decisions(replay, step)):
                left = (_left(each, replay, place, made, one) for each in found)
                found = [each for each in left if each is not None]
    now = orders_of(replay.game).occasion(replay.state) if found else None
    return [one for one in found if one.order.always or one.occasion in (None, now)]


def _left(
    one: _Standing, replay: Replay, place: int, made: int, decided: Decision
) -> _Standing | None:
    """Return what is left of an order after a decision of its player, that of a move of a step;
    ``None`` once its time is over.

    One for once covers the next occasion at which its player decides something of its kind. If it
    has ``then``, it ends with that decision, and the rest stands if one of its choices was made.
    """
    orders, state = orders_of(replay.game), decided.before
    kind, occasion = orders.kind(state), orders.occasion(state)
    waits_for = {one.order.kind} if one.order.kind in orders.kinds else orders.kinds.keys()
    if state.seat != replay.steps[place].seat or kind not in waits_for or one.order.always:
        return one
    if one.order.then is None:
        return one._replace(occasion=occasion) if one.occasion in (None, occasion) else None
    ordered = _chosen(before(replay, place, made), one)
    is_done = not isinstance(ordered, list) and replay.game.is_same(state, ordered, decided.move)
    return _Standing(one.order.then, one.since) if is_done else None


def due(replay: Replay) -> Move | None:
    """Return the move that an order of who is to move decides now; ``None`` if none does."""
    found = _tried(replay)
    return None if isinstance(found, list) else found


def replaced(replay: Replay, order: Order, seat: int) -> list[str]:
    """Say which orders of a player a new one replaces, before it is given."""
    return [
        f"This replaces your order: {one.text}"
        for one in in_force(replay, seat).values()
        if order.choices and order.kinds & one.kinds
    ]


def _tried(replay: Replay) -> Move | list[str] | None:
    """Return what the order for the decision that waits leads to, if there is one; or why it does
    not fit, a sentence a choice.
    """
    if all(one.order is None for one in replay.declarations) or replay.state.phase == OVER:
        return None
    seat, kind = replay.state.seat, orders_of(replay.game).kind(replay.state)
    standing = _standing(replay, seat) if kind else []
    return next((_chosen(replay, one) for one in standing if one.order.kind == kind), None)


def _chosen(replay: Replay, one: _Standing) -> Move | list[str]:
    """Return the move that an order leads to now, or why it does not fit, a sentence a choice."""
    order = one.order
    reasons = explained(order, replay.game, ()) if order.unknown else []
    for choice in order.choices:
        found = _move(replay, order.kind, one.since, choice)
        if not isinstance(found, str):
            return found
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
    game = replay.game
    return any(
        words_of(game.format_move(one.move, one.before)).issuperset(choice.words)
        for step in replay.steps[since:]
        if step.seat == choice.seat and stands(step)
        for one in decisions(replay, step)
        if not game.is_secret(one.move)
    )


# -- Looking at what orders have done


def before(replay: Replay, place: int, made: int = 0) -> Replay:
    """Return a game as it was before a step, or when the step had only so many of its moves."""
    step, then = replay.steps[place], after_steps(replay, place)
    if not made:
        return then
    state = decisions(replay, step)[made].before
    begun = step._replace(after=state, moves=step.moves[:made], undone=False)
    return then._replace(state=state, steps=(*then.steps, begun))


def was_ordered(replay: Replay, place: int, since: int = 0) -> bool:
    """Return whether all moves of a step, or those since one of them, are what the orders of its
    player decided then.
    """
    step = replay.steps[place]
    if all(one.seat != step.seat for one in replay.declarations):
        return False
    for made, move in list(enumerate(step.moves))[since:]:
        then = before(replay, place, made)
        decided = due(then)
        if decided is None or not replay.game.is_same(then.state, decided, move):
            return False
    return bool(step.moves)


def not_fitting(replay: Replay, seat: int) -> list[str]:
    """Say to a player who is to move why the order for that does not fit; nothing to others."""
    found = _tried(replay) if replay.state.seat == seat and can_order(replay) else None
    if not isinstance(found, list) or not found:
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
