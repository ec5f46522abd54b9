"""What came up in a turn, as the entries of an item of the record, and back."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from porto_cli.core.chance import NothingTypedError, NotInPileError
from porto_cli.core.message import Sentence, say
from porto_cli.games.porto.engine.components import CARDS
from porto_cli.games.porto.engine.events import Event, Refilled, TimerSkipped, TimerTurned
from porto_cli.games.porto.engine.state import TIMER, State
from porto_cli.games.porto.notation import (
    NONE,
    PUBLIC_NAMES,
    card_names,
    parse_card,
    parse_public,
)

_ROWS = {"cards": "refill", "contracts": "refill-contracts"}
_TIMER_ROWS = {"cards": "timer-refill", "contracts": "timer-refill-contracts"}
"""The key that tells what came up in a row, in a turn or after the timer."""
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


def entries(before: State, events: Iterable[Event]) -> list[tuple[str, str]]:
    """Return what came up after a decision that was made at a table like ``before``."""
    found = []
    rows = _TIMER_ROWS if before.phase == TIMER else _ROWS
    for event in events:
        if type(event) not in _TURNED_UP:
            continue
        if isinstance(event, Refilled):
            found.append(_entry(rows[event.row], event.came_up))
        elif isinstance(event, TimerTurned):
            found.append(_entry("timer", event.turned))
            rows = _TIMER_ROWS
        else:
            found.append(("timer-build", NONE))
    return found


@lru_cache(maxsize=4096)
def _entry(key: str, things: bytes) -> tuple[str, str]:
    """Return an entry that tells what came up; many records and turns share it."""
    names = PUBLIC_NAMES if _STREAM_OF[key] == "contracts" else CARDS
    return key, " ".join([names[thing] for thing in things])


def read(key: str, text: str) -> tuple[str, bytes] | None:
    """Return the stream of an entry and what came up; ``None`` if it tells no chance.

    Raises InvalidMoveError.
    """
    stream = _STREAM_OF.get(key)
    if stream is None:
        return None
    parse = parse_public if stream == "contracts" else parse_card
    return stream, bytes(parse(word) for word in text.split())


def fault(error: NothingTypedError | NotInPileError) -> Sentence:
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
