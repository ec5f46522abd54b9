"""The items of a sealed game: what people read, compared with what was signed.

The steps are what counts. The error for an item that says something else names the item, who signed
it, and what was signed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, NoReturn

from porto_cli.core.message import shown
from porto_cli.core.yaml import InvalidFileError, Place
from porto_cli.crypto.steps import SignedStep
from porto_cli.match.names import RESULT
from porto_cli.match.record import Record


class Signed(NamedTuple):
    """An entry of an item, and the step that has it."""

    key: str
    text: str
    height: int
    by: str
    """Who signed it."""


SignedItem = tuple[Signed, ...]


def entries_in(item: SignedItem) -> tuple[tuple[str, str], ...]:
    """Return the entries of an item as they are in the turns."""
    return tuple((entry.key, entry.text) for entry in item)


def entries_of(step: SignedStep, by: str) -> SignedItem:
    """Return what a step appends to the turns."""
    entries: Any = step.content.get("entries", ())
    return tuple(Signed(key, text, step.height, by) for key, text in entries)


def compare_items(record: Record, signed: Sequence[SignedItem]) -> None:
    """Require that the items are exactly what was signed. Raises InvalidFileError.

    The item of the result is not signed: it follows from the others.
    """
    given = [item for item in record.items if item.entries[0][0] != RESULT]
    numbers = [nth for nth, item in enumerate(record.items) if item.entries[0][0] != RESULT]
    texts = [entries_in(item) for item in signed]
    for nth, item in enumerate(given):
        number = numbers[nth]
        if nth < len(texts) and item.entries == texts[nth]:
            continue
        if nth >= len(texts):
            record.fail(_not_signed(record, number, signed), number)
        if item.entries in texts[nth + 1 : nth + 3]:
            record.fail(_left_out(signed[nth][0]), number)
        if nth + 1 < len(given) and given[nth + 1].entries == texts[nth]:
            record.fail(_not_signed(record, number, signed), number)
        _fail_different(record, number, signed[nth])
    if len(texts) > len(given):
        line = record.human.count("\n") + 1
        raise InvalidFileError(Place(record.file, line, 1), _left_out(signed[len(given)][0]))


def _left_out(entry: Signed) -> str:
    return (
        f"The turn {shown(entry.text)} of {entry.key} should come before this: step "
        f"{entry.height} of the machine part has the signature of {entry.by}. It was "
        "deleted, moved, or the turns are those of an older copy."
    )


def _not_signed(record: Record, number: int, signed: Sequence[SignedItem]) -> str:
    player, move = record.items[number].entries[0]
    if not signed:
        return f"The turn {shown(move)} of {player} is not signed: the machine part has no turns."
    last = signed[-1][-1]
    return (
        f"The turn {shown(move)} of {player} is not signed: it was made up, or the machine "
        f"part, which ends with {shown(last.text)} of {last.by} (step {last.height}), was "
        "cut off or is that of an older copy."
    )


def _fail_different(record: Record, number: int, signed: SignedItem) -> NoReturn:
    """Raise InvalidFileError where an item differs from what was signed."""
    given = record.items[number].entries
    for nth, entry in enumerate(signed):
        if nth >= len(given):
            missing = (
                f"This turn has to continue with '{entry.key}: {entry.text}': step "
                f"{entry.height}, signed by {entry.by}, says so. It was deleted, or the "
                "turns are those of an older copy."
            )
            record.fail(missing, number, len(given) - 1)
        key, text = given[nth]
        if (key, text) == (entry.key, entry.text):
            continue
        if entry.key == entry.by or entry.by == signed[0].by:
            changed = (
                f"The record has '{key}: {text}' here, but {entry.by} has signed '{entry.key}: "
                f"{entry.text}' (step {entry.height}). The turn was changed afterwards."
            )
        else:
            changed = (
                f"The record has '{key}: {text}' here, but what came up is '{entry.key}: "
                f"{entry.text}', as decided by step {entry.height} of {entry.by}. It was changed "
                "afterwards."
            )
        record.fail(changed, number, nth)
    key, text = given[len(signed)]
    more = (
        f"No signature covers '{key}: {text}' in this turn; its last step is "
        f"{signed[-1].height}, by {signed[-1].by}. It was made up, or the machine part is "
        "that of an older copy."
    )
    record.fail(more, number, len(signed))
