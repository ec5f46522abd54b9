"""What orders do: which of them stand, what they decide, and why one does not fit.

Orders are declared by items of a record that change nothing on the table
(:class:`~porto_cli.match.replay.Declaration`). Whoever's program makes the move before executes
them: the move is an ordinary item then, so that a record never depends on its orders. What they
decide follows from the table as everybody sees it, so that all programs decide the same.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from porto_cli.core.message import InvalidMoveError, RefusedError, Sentence, say
from porto_cli.core.value import NamedTuple
from porto_cli.game import OVER, Game, Move, State, Step
from porto_cli.match.orders import (
    ORDER,
    TURN,
    Choice,
    Condition,
    Counted,
    Listed,
    Order,
    Scope,
    explained,
    orders_of,
    read_order,
)
from porto_cli.match.replay import (
    Declaration,
    Replay,
    decisions,
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
    entries = ((config.players[seat], f"{ORDER} {order.text(config.players)}"),)
    record = replay.record.with_item(entries)
    one = Declaration(len(record.items) - 1, seat, len(replay.steps), entries, order)
    return replay._replace(record=record, declarations=(*replay.declarations, one))


def in_force(replay: Replay, seat: int) -> dict[str, Standing]:
    """Return the orders of a player that stand, by their kinds.

    A later order for the same kind replaces an earlier one. An undo of the player takes back all
    that were given before it; so does a change of who plays the seat.
    """
    undos = [nth for nth, step in enumerate(replay.steps) if step.seat == seat and _is_undo(step)]
    last_undo = undos[-1] if undos else -1
    found: dict[str, Standing] = {}
    for one in replay.declarations:
        order: Order = one.what
        if one.whose == seat:
            found.clear()
        if one.seat != seat or one.sits or one.place <= last_undo:
            continue
        if not order.kind:
            found.clear()
        elif not order.choices:
            found.pop(order.kind, None)
        else:
            found.pop(order.kind, None)
            found[order.kind] = Standing(order, one)
    return {kind: each for kind, each in found.items() if not _is_spent(replay, each)}


def _is_undo(step: Step) -> bool:
    return step.takes_back is not None


def _is_spent(replay: Replay, one: Standing) -> bool:
    """Return whether the time of an order is over.

    One for once covers the next occasion at which its player decides something of its kind.
    """
    orders, order, declared = orders_of(replay.game), one.order, one.declared
    if order.scope is Scope.ALWAYS:
        return False
    if order.scope is Scope.ROUND:
        return orders.round(_table_at(replay, declared.place)) != orders.round(replay.state)
    used = {
        orders.occasion(step.before)
        for step in replay.steps[declared.place :]
        if stands(step) and step.seat == declared.seat and _is_of(replay.game, step, order.kind)
    }
    return bool(used - {_occasion(replay)})


def _occasion(replay: Replay) -> Hashable:
    return orders_of(replay.game).occasion(replay.state)


def _is_of(game: Game, step: Step, kind: str) -> bool:
    """Return whether a decision of a step, that of its first move or a later one, is of a kind."""
    orders = orders_of(game)
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


def _words_of(game: Game, step: Step) -> Iterator[set[str]]:
    """Yield the words of each move of a step."""
    (_, first), *further = step.entries
    yield _words(first)
    verbs = {verb for one in orders_of(game).kinds.values() for verb in one.verbs}
    yield from (_words(f"{key} {text}") for key, text in further if key in verbs)


def _words(text: str) -> set[str]:
    return set(text.lower().split())


def _table_at(replay: Replay, place: int) -> State:
    """Return the table after a number of steps."""
    return replay.steps[place].before if place < len(replay.steps) else replay.state


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
    seat, orders = replay.state.seat, orders_of(replay.game)
    kind = orders.kind(replay.state)
    if not kind:
        return []
    standing = in_force(replay, seat)
    failed: list[Decided | Stopped] = []
    for one in filter(None, map(standing.get, (kind, TURN))):
        reasons = []
        for choice in one.order.choices:
            found = _move(replay, seat, choice, one.declared)
            if not isinstance(found, Sentence):
                return [Decided(seat, found, one)]
            reasons.append(found)
        failed.append(Stopped(one, tuple(reasons)))
    return failed


def _move(replay: Replay, seat: int, choice: Choice, declared: Declaration) -> Move | Sentence:
    """Return the move of a choice, or why there is none now."""
    game, state, pick = replay.game, replay.state, choice.pick
    text = choice.text(replay.config.players)
    if isinstance(pick, Listed):
        found = next(_listed(replay, seat, choice, pick, declared), None)
        return found or say("{choice!r}: no such move is possible.", choice=text)
    if pick in orders_of(game).policies:
        move = orders_of(game).choose(pick, state, seat)
        if move is None:
            return say("{choice!r} leaves this decision to you.", choice=text)
    else:
        try:
            move, _, violations = game.read_move(pick, state, seat)
        except InvalidMoveError as error:
            return say("{choice!r}: {reason}", choice=text, reason=error.sentence)
        if violations:
            return say("{choice!r}: {reason}", choice=text, reason=violations[0].sentence)
    unmet = _unmet(replay, seat, move, choice.conditions, declared)
    if unmet is not None:
        return say(
            "{choice!r}: the condition {condition!r} does not hold.",
            choice=text,
            condition=unmet.text(replay.config.players),
        )
    return move


def _listed(
    replay: Replay, seat: int, choice: Choice, pick: Listed, declared: Declaration
) -> Iterator[Move]:
    """Yield the moves that are asked for, the one to be made first."""
    game, state = replay.game, replay.state
    orders = orders_of(game)
    # What can be done besides, like moving a guest before the production, is of another kind.
    verbs = {verb for verb in orders.kinds[orders.kind(state)].verbs if verb != PASS}
    seen = [
        one
        for one in orders.listed(state, seat)
        if one.move.split()[0] in verbs and _has(_words(one.move), pick)
    ]
    if pick.most_vp:
        seen.sort(key=lambda one: -one.vp)
    for one in seen:
        move, _, violations = game.read_move(one.move, state, seat)
        if not violations and _unmet(replay, seat, move, choice.conditions, declared) is None:
            yield move


def _has(words: set[str], pick: Listed) -> bool:
    return words.issuperset(pick.words) and words.isdisjoint(pick.but)


def _unmet(
    replay: Replay, seat: int, move: Move, conditions: Sequence[Condition], declared: Declaration
) -> Condition | None:
    """Return a condition that does not hold, if there is one."""
    counted = orders_of(replay.game).counted(replay.state, seat, move) if conditions else {}
    for one in conditions:
        if isinstance(one, Counted):
            number = counted.get(one.fact, 0)
            holds = number >= one.number if one.least else number <= one.number
        else:
            holds = any(
                words.issuperset(one.words)
                for step in replay.steps[declared.place :]
                if step.seat == one.seat
                and stands(step)
                and not any(map(replay.game.is_secret, step.moves))
                for words in _words_of(replay.game, step)
            )
        if not holds:
            return one
    return None


def orders_told(replay: Replay, seat: int) -> list[Sentence]:
    """Explain the orders of a player that stand, to that player."""
    return [
        line
        for one in in_force(replay, seat).values()
        for line in explained(one.order, replay.game, replay.config.players)
    ]


# -- Looking at what orders have done


def before(replay: Replay, place: int, made: int = 0) -> Replay:
    """Return a game as it was before a step, or when the step had only so many of its moves."""
    step = replay.steps[place]
    taken = {one.takes_back for one in replay.steps[:place]}
    steps = [one._replace(undone=nth in taken) for nth, one in enumerate(replay.steps[:place])]
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
        for line in (
            say(
                "Your order for {kind!r} stopped, so the game waits for you:",
                kind=one.by.order.kind,
            ),
            *one.reasons,
        )
    ]


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
