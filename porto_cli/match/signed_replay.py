"""Replaying games with a seed whose turns are signed: what people read, and moves that orders
decide, have to follow from the steps.

An order is signed by its player like a turn. A move that it decides is a step of its own kind,
which names the order by its height, and is signed by whoever makes the move: that need not be the
player, since nothing is left to choose. So every program decides each such move again, with the
orders that stood then, and refuses one that does not follow from the order that it names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from porto_cli.core.message import Sentence, say
from porto_cli.crypto.steps import Step
from porto_cli.match import ordered
from porto_cli.match.chain import JOIN, ORDERED, TURN, Chain, Keys, check, names, remember
from porto_cli.match.record import Record
from porto_cli.match.replay import Replay
from porto_cli.match.replay import replay as replay_items
from porto_cli.match.seals import Seals
from porto_cli.match.seats import RESULT
from porto_cli.match.signed import (
    SignedItem,
    chain_of,
    check_genesis,
    compare_head,
    compare_items,
    entries_of,
    order_in,
)


def replay_signed(record: Record, keys: Keys | None = None) -> Replay:
    """Replay a signed record.

    Raises InvalidFileError where it breaks a rule, contradicts its seed, or differs from what was
    signed.
    """
    assert record.seals is not None
    check_genesis(record.seals)
    compare_head(record, sorted(record.config.players), sorted(names(record.seals.genesis)))
    chain = check(record.seals, keys)
    compare_head(record, record.header(), record.seals.genesis["head"])
    items = signed_items(record.seals, chain)
    compare_items(record, items)
    played = replay_items(record)._replace(chain=chain)
    if any(step.content["kind"] == ORDERED for step in chain.steps[chain.known :]):
        check_ordered(played, items)
    remember(chain, keys)
    return played


def signed_items(seals: Seals, chain: Chain) -> list[SignedItem]:
    """Return the items that the steps make. Raises InvalidFileError."""
    items: list[SignedItem] = []
    for step in chain.steps:
        content, height, by = step.content, step.height, chain.by(step.height)
        if content["kind"] == JOIN and "key" in content:
            continue
        entries, owner = entries_of(step, by), by
        if set(content) == {"by", "kind", "entries", "order"}:
            owner = _orderer(seals, chain, step)
        elif set(content) != {"by", "kind", "entries"} or content["kind"] != TURN:
            seals.fail(
                height, say("Step {height} cannot be part of a game with a seed.", height=height)
            )
        if entries[0].key in chain.players:
            if entries[0].key != owner:
                seals.fail(
                    height,
                    say(
                        "Step {height} makes a turn of {player}, but {by} has signed it.",
                        height=height,
                        player=entries[0].key,
                        by=by,
                    ),
                )
            items.append(entries)
        elif items and items[-1][0].key == owner:
            items[-1] += entries
        else:
            seals.fail(
                height,
                say("Step {height} continues a turn that is not {by}'s.", height=height, by=owner),
            )
    return items


def _orderer(seals: Seals, chain: Chain, step: Step) -> str:
    """Return who gave the order that a step follows. Raises InvalidFileError."""
    number: Any = step.content["order"]
    if not number < step.height or order_in(chain.steps[number - 1]) is None:
        seals.fail(
            step.height,
            say(
                "Step {height}, signed by {by}, names step {number} as an order, which it is not.",
                height=step.height,
                by=chain.by(step.height),
                number=number,
            ),
        )
    return chain.by(number)


def check_ordered(replay: Replay, items: Sequence[SignedItem]) -> None:
    """Require of each move that names an order that this order decides it, as things stood then.

    ``items`` are what was signed. Raises InvalidFileError.
    """
    chain, record = chain_of(replay), replay.record
    assert record.seals is not None
    numbers = (nth for nth, item in enumerate(record.items) if item.entries[0][0] != RESULT)
    places = dict(zip(numbers, items, strict=True))
    heights = {number: item[0].height for number, item in places.items()}
    steps = {step.item: nth for nth, step in enumerate(replay.steps) if step.moves}
    for number, item in places.items():
        moves = (one for one in item if record.game.read_chance(one.key, one.text) is None)
        for made, entry in enumerate(moves):
            order: Any = chain.steps[entry.height - 1].content.get("order")
            if order is None or entry.height <= chain.known:
                continue
            fault: Sentence | None = say("An order decides only moves.")
            if number in steps:
                fault = _fault(replay, steps[number], made, order, heights)
            if fault is not None:
                record.seals.fail(
                    entry.height,
                    say(
                        "Step {height}, signed by {by}, makes the move {move!r} of {player}, and "
                        "says that the order of step {order} decides it. {fault}",
                        height=entry.height,
                        by=entry.by,
                        move=entry.text,
                        player=item[0].key,
                        order=order,
                        fault=fault,
                    ),
                )


def _fault(
    replay: Replay, place: int, made: int, order: int, heights: Mapping[int, int]
) -> Sentence | None:
    """Return why an order does not decide a move, number ``made`` of the step at ``place``;
    ``None`` if it does. ``heights`` are those of all items.
    """
    game, step = replay.game, replay.steps[place]
    then = ordered.before(replay, place, made)
    standing = ordered.in_force(then, step.seat).values()
    if order not in [heights[one.declared.item] for one in standing]:
        return say("By then that order was used up, replaced or taken back.")
    decided = ordered.due(then)
    if decided is None or heights[decided.by.declared.item] != order:
        return say("But that order does not decide this.")
    if game.canonical_move(then.state, decided.move) == game.canonical_move(
        then.state, step.moves[made]
    ):
        return None
    return say("But it decides {move!r}.", move=game.format_move(decided.move, then.state))
