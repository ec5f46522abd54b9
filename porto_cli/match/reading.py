"""The items of a record as people wrote them, played.

State is never stored: it is always replayed, and what the record says came up is compared with what
its seed decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from porto_cli.core.chance import Chance, NothingTypedError, NotInPileError, TypedChance
from porto_cli.core.message import InvalidMoveError, RefusedError, shown
from porto_cli.core.yaml import InvalidFileError, Place
from porto_cli.game import OVER, UNDO, Event, Game, Move, State, Step
from porto_cli.match.items import (
    ORDERING,
    SEAT,
    Apply,
    Declaration,
    Digester,
    IllegalMoveError,
    Past,
    begins_with,
    begun,
    check_result,
    decided,
    fail_without_result,
    in_order,
    read_decision,
    seats_at,
)
from porto_cli.match.record import Record


def followed(
    record: Record, seeded: Chance | None
) -> tuple[State, State, tuple[Step, ...], tuple[Declaration, ...]]:
    """Play the items of a record, with the chance of its seed or with what they say came up. Return
    the tables before and after them, the moves, and what only declares something.

    Raises InvalidFileError where the record breaks a rule or contradicts its seed.
    """
    game = record.game
    state = opening = _opening(record, seeded)
    seats = {player: seat for seat, player in enumerate(record.config.players)}
    steps: list[Step] = []
    declarations: list[Declaration] = []
    past = Past(record, steps, declarations)
    apply = applying(game, seeded) if seeded else None
    number = 0
    result_due = False
    digester: Digester | None = None
    try:
        for number, item in enumerate(record.items):
            player, text = item.entries[0]
            seat = seats.get(player)
            if result_due or seat is None:
                written = in_order(steps, declarations)
                digester = digester or Digester(record)
                check_result(record, number, state, written, digester, due=result_due)
                result_due = False
            elif len(text) == len(UNDO) and text.lower() == UNDO:
                violations = past.check(seat)
                if violations:
                    record.fail(violations[0].sentence, number)
                if len(item.entries) > 1:
                    record.fail("A new item has to begin after 'undo'.", number, 1)
                state = past.take_back(number, seat).after
            elif begins_with(text, ORDERING) or begins_with(text, SEAT):
                one, state = _declared(record, number, seat, state, len(steps), declarations)
                declarations.append(one)
            else:
                by = apply or applying(game, typed_in(record, number))
                steps.append(_item(record, begun(number, seat, state), by))
                state = steps[-1].after
                result_due = state.phase == OVER
    except (NothingTypedError, NotInPileError) as error:
        raise InvalidFileError(record.place(number), game.chance_fault(error)) from None
    if result_due:
        fail_without_result(record)
    return opening, state, tuple(steps), tuple(declarations)


def _opening(record: Record, seeded: Chance | None) -> State:
    """Return the initial state; a seed has to agree with the recorded setup."""
    game, config, setup = record.game, record.config, record.deal
    if seeded:
        dealt = game.deal(config, seeded)
        fault = game.deal_fault(setup, dealt)
        if fault:
            raise InvalidFileError(Place(record.file, *record.lines["setup"]), fault)
        setup = dealt
    return game.initial_state(config, setup)


def applying(game: Game, chance: Chance) -> Apply:
    """Return what makes moves with a chance that knows what comes up."""

    def apply(
        state: State, move: Move, seat: int
    ) -> tuple[State, Sequence[Event], Sequence[tuple[str, str]]]:
        after, events = game.apply(state, move, chance, seat)
        return after, events, game.chance_entries(state, events)

    return apply


def _item(record: Record, step: Step, apply: Apply) -> Step:
    """Make the decisions of an item, and compare it with what follows. Raises InvalidFileError."""
    given, place = record.items[step.item].entries, 0
    while place < len(given):
        key, text = given[place]
        try:
            move, canonical = read_decision(record.game, step, key, text)
        except (InvalidMoveError, IllegalMoveError) as error:
            record.fail(" ".join(error.sentences), step.item, place)
        step = decided(step, key, canonical, move, apply)
        if given[place + 1 : len(step.entries)] != step.entries[place + 1 :]:
            _compare(record, step, place + 1)
        place = len(step.entries)
    return step


def _compare(record: Record, step: Step, start: int) -> None:
    """Require that an item has what came up, from an entry on. Raises InvalidFileError."""
    game, number = record.game, step.item
    given = record.items[number].entries
    for entry, (key, expected) in enumerate(step.entries[start:], start):
        if entry >= len(given) or given[entry][0] != key:
            missing = f"The turn has to continue with '{key}: {expected}'."
            record.fail(missing, number, min(entry, len(given) - 1))
        text = given[entry][1]
        if text == expected:
            continue
        things = _things(record, number, entry)
        if things is None or things != game.read_chance(key, expected):
            wrong = f"{shown(expected)} comes up here, not {shown(text)}."
            record.fail(wrong, number, entry)


def _things(record: Record, number: int, entry: int) -> tuple[str, bytes] | None:
    """Return what came up by an entry, and the stream. Raises InvalidFileError."""
    try:
        return record.game.read_chance(*record.items[number].entries[entry])
    except InvalidMoveError as error:
        record.fail(error.sentence, number, entry)


def typed_in(record: Record, number: int) -> TypedChance:
    """Return the chance of an item's moves at a real table: what people typed into it.

    Raises InvalidFileError where that cannot be read.
    """
    entries = range(1, len(record.items[number].entries))
    return typed_chance(record.game, [_things(record, number, entry) for entry in entries])


def typed_chance(game: Game, came_up: Iterable[tuple[str, bytes] | None]) -> TypedChance:
    """Return the chance by which these things come up, each with its stream."""
    streams: dict[str, bytes] = {}
    for stream, things in filter(None, came_up):
        streams[stream] = streams.get(stream, b"") + things
    return TypedChance(game.meta.unordered, **streams)


def _declared(
    record: Record,
    number: int,
    seat: int,
    state: State,
    place: int,
    declarations: Sequence[Declaration],
) -> tuple[Declaration, State]:
    """Return the order of an item, or who plays a seat by it, and the table after it; it comes
    after ``place`` steps and these declarations. Raises InvalidFileError.
    """
    (player, text), *more = record.items[number].entries
    try:
        if begins_with(text, SEAT):
            from porto_cli.match.sitting import declared

            if more:
                record.fail("A new item has to begin after a line that gives a seat.", number, 1)
            return declared(text, record, number, seat, state, place, declarations)
        from porto_cli.match.orders import recorded_order

        if state.phase == OVER:
            record.fail("An order has to be before the result.", number)
        if more:
            record.fail("A new item has to begin after an order.", number, 1)
        order = recorded_order(text[len(ORDERING) :], record.game, record.config)
    except (InvalidMoveError, RefusedError) as error:
        record.fail(" ".join(error.sentences), number)
    entries = ((player, ORDERING + order.text),)
    return Declaration(number, seat, place, entries, seats_at(record, declarations), order), state
