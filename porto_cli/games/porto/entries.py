"""What an item of the record tells: the moves of a turn, and what came up after them.

Reading and writing share this one description, so that a record that was written is a record
that can be read.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from porto_cli.core.chance import NothingTypedError, NotInPileError, TypedChance
from porto_cli.core.errors import InvalidMoveError
from porto_cli.core.message import Sentence, say
from porto_cli.core.yaml import InvalidFileError
from porto_cli.games.porto.engine.components import CARDS
from porto_cli.games.porto.engine.events import Event, Refilled, TimerSkipped, TimerTurned
from porto_cli.games.porto.engine.moves import Claim, Move
from porto_cli.games.porto.engine.state import TIMER, State
from porto_cli.games.porto.notation import (
    NONE,
    PUBLIC_NAMES,
    card_names,
    format_move,
    parse_card,
    parse_public,
)
from porto_cli.match.record import Record

Entries = tuple[tuple[str, str], ...]
"""An item: its keys and texts, in order."""

_ROWS = {"cards": ("refill", CARDS), "contracts": ("refill-contracts", PUBLIC_NAMES)}
_TIMER_ROWS = {row: (f"timer-{key}", names) for row, (key, names) in _ROWS.items()}
"""The key that tells what came up in a row, in a turn or after the timer, and how it is named."""
_TURNED_UP = frozenset({Refilled, TimerTurned, TimerSkipped})
"""The events that an item has to tell: nobody could work them out from the moves."""
_STREAM_OF = {
    "refill": "cards",
    "timer-refill": "cards",
    "refill-contracts": "contracts",
    "timer-refill-contracts": "contracts",
    "timer": "timer",
}
"""The keys that say what came up, and the stream of chance that it came from."""


def entries_of(
    first: tuple[str, str], before: State, moves: Sequence[Move], events: Iterable[Event]
) -> Entries:
    """Return the item that tells a turn: its moves, and what came up after them.

    ``first`` is the entry of the first move.
    """
    entries = [first]
    timer_build = ""
    if len(moves) > 1:
        for move in moves[1:]:
            _, _, choice = format_move(move, before).partition(" ")
            if isinstance(move, Claim):
                entries.append(("contract", choice))
            else:
                timer_build = choice
    rows = _TIMER_ROWS if before.phase == TIMER else _ROWS
    for event in events:
        if type(event) not in _TURNED_UP:
            continue
        if isinstance(event, Refilled):
            key, names = rows[event.row]
            came_up = event.came_up
            if len(came_up) == 1:
                entries.append((key, names[came_up[0]]))
            else:
                entries.append((key, " ".join([names[thing] for thing in came_up])))
        elif isinstance(event, TimerTurned):
            entries.append(("timer", " ".join([CARDS[card] for card in event.turned])))
            rows = _TIMER_ROWS
            if timer_build:
                entries.append(("timer-build", timer_build))
        else:
            entries.append(("timer-build", NONE))
    return tuple(entries)


def compare(record: Record, number: int, written: Entries) -> None:
    """Demand that the entries of an item say what must have come up. Raises InvalidFileError."""
    for entry, (key, text) in enumerate(written):
        if key in _STREAM_OF or (key == "timer-build" and text == NONE):
            _compare_entry(record, number, entry, key, text)


def _compare_entry(record: Record, number: int, entry: int, key: str, expected: str) -> None:
    item = record.items[number]
    if entry >= len(item.entries) or item.entries[entry][0] != key:
        where = min(entry, len(item.entries) - 1)
        raise InvalidFileError(
            record.place(number, where),
            say("The turn has to go on with '{key}: {expected}'.", key=key, expected=expected),
        )
    text = item.entries[entry][1]
    if text == expected:
        return
    if key != "timer-build":
        try:
            if _things(key, text) == _things(key, expected):
                return
        except InvalidMoveError as error:
            raise InvalidFileError(record.place(number, entry), error.sentence) from None
    raise InvalidFileError(
        record.place(number, entry),
        say("Here comes up {expected!r}, not {text!r}.", expected=expected, text=text),
    )


def does_not_go_on(record: Record, number: int, entry: int) -> InvalidFileError:
    """Return the error for an entry that has no place in its item."""
    return InvalidFileError(
        record.place(number, entry),
        say(
            "The turn does not go on with {key!r} here.",
            key=record.items[number].entries[entry][0],
        ),
    )


def _things(key: str, text: str) -> bytes:
    parse = parse_public if _STREAM_OF[key] == "contracts" else parse_card
    return bytes(parse(word) for word in text.split())


def typed_in(record: Record, number: int) -> TypedChance:
    """Return what people typed into an item, as the chance of its moves.

    Raises InvalidFileError where that cannot be read.
    """
    streams: dict[str, bytes] = {}
    for entry, (key, text) in enumerate(record.items[number].entries):
        stream = _STREAM_OF.get(key)
        if stream:
            try:
                streams[stream] = streams.get(stream, b"") + _things(key, text)
            except InvalidMoveError as error:
                raise InvalidFileError(record.place(number, entry), error.sentence) from None
    return TypedChance(**streams)


def not_told(error: NothingTypedError | NotInPileError) -> Sentence:
    """Say what an item lacks that tells no chance, or one that cannot be."""
    if isinstance(error, NotInPileError):
        name = PUBLIC_NAMES if error.stream == "contracts" else card_names(range(len(CARDS)))
        return say(
            "{thing} cannot come up: every one of it lies open, is in a hand or has been played.",
            thing=name[error.thing],
        )
    if error.stream == "timer":
        return say("The turn has to say which two timer cards were turned up ('timer: …').")
    if error.stream == "contracts":
        return say("The turn has to say which public contracts came up ('refill-contracts: …').")
    return say("The turn has to say which construction cards came up ('refill: …').")
