"""What people read in a signed record, held against what was signed.

The steps are what counts: an item that says something else than they do was changed afterwards, and
it is said which one, who signed it, and what was signed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from porto_cli.core.message import Sentence, say
from porto_cli.core.yaml import InvalidFileError, Place
from porto_cli.match.record import RESULT, Record


class Signed(NamedTuple):
    """An entry of an item, and the step that says it."""

    key: str
    text: str
    height: int
    by: str
    """Who signed it."""


SignedItem = tuple[Signed, ...]


def entries_in(item: SignedItem) -> tuple[tuple[str, str], ...]:
    """Return the entries of an item as they stand in the turns."""
    return tuple((entry.key, entry.text) for entry in item)


def compare_head(record: Record, given: Sequence[str], agreed: Sequence[str]) -> None:
    """Demand the head that was agreed when the game began. Raises InvalidFileError."""
    if list(given) == list(agreed):
        return
    missing = [line for line in agreed if line not in given]
    new = [line for line in given if line not in agreed]
    key = (new or missing or [""])[0].partition(":")[0].strip()
    place = Place(record.file, *record.lines.get(key, (1, 1)))
    if new and missing:
        raise InvalidFileError(
            place,
            say(
                "The head of the record was changed: here stands {now!r}, and the game began with "
                "{then!r}.",
                now=new[0].strip(),
                then=missing[0].strip(),
            ),
        )
    raise InvalidFileError(
        place,
        say(
            "The head of the record was changed since the game began: {line!r}.",
            line=(new or missing or ["players"])[0].strip(),
        ),
    )


def compare_items(record: Record, signed: Sequence[SignedItem]) -> None:
    """Demand that the items say what was signed, no more and no less. Raises InvalidFileError.

    The item of the result is signed by nobody: it follows from the others.
    """
    given = [item for item in record.items if item.entries[0][0] != RESULT]
    numbers = [nth for nth, item in enumerate(record.items) if item.entries[0][0] != RESULT]
    texts = [entries_in(item) for item in signed]
    for nth, item in enumerate(given):
        number = numbers[nth]
        if nth < len(texts) and item.entries == texts[nth]:
            continue
        if nth >= len(texts):
            raise InvalidFileError(record.place(number), _signed_by_nobody(record, number, signed))
        if item.entries in texts[nth + 1 : nth + 3]:
            raise InvalidFileError(record.place(number), _left_out(signed[nth][0]))
        if nth + 1 < len(given) and given[nth + 1].entries == texts[nth]:
            raise InvalidFileError(record.place(number), _signed_by_nobody(record, number, signed))
        raise _different(record, number, signed[nth])
    if len(texts) > len(given):
        line = record.human.count("\n") + 1
        raise InvalidFileError(
            Place(record.file, line, 1),
            _left_out(signed[len(given)][0]),
        )


def _left_out(entry: Signed) -> Sentence:
    return say(
        "The turn {move!r} of {player} should stand before this: step {height} of the machine "
        "part has the signature of {player}. It was deleted, moved, or the turns are those of an "
        "older copy.",
        move=entry.text,
        player=entry.by,
        height=entry.height,
    )


def _signed_by_nobody(record: Record, number: int, signed: Sequence[SignedItem]) -> Sentence:
    player, move = record.items[number].entries[0]
    if not signed:
        return say(
            "Nobody has signed the turn {move!r} of {player}: the machine part has no turns.",
            move=move,
            player=player,
        )
    last = signed[-1][-1]
    return say(
        "Nobody has signed the turn {move!r} of {player}: it was made up, or the machine part, "
        "which ends with {last!r} of {signer} (step {height}), was cut off or is that of an older "
        "copy.",
        move=move,
        player=player,
        last=last.text,
        signer=last.by,
        height=last.height,
    )


def _different(record: Record, number: int, signed: SignedItem) -> InvalidFileError:
    """Say where an item differs from what was signed."""
    given = record.items[number].entries
    for nth, entry in enumerate(signed):
        if nth >= len(given):
            return InvalidFileError(
                record.place(number, len(given) - 1),
                say(
                    "This turn has to go on with '{key}: {text}': step {height}, signed by {by}, "
                    "says so. It was deleted, or the turns are those of an older copy.",
                    key=entry.key,
                    text=entry.text,
                    height=entry.height,
                    by=entry.by,
                ),
            )
        key, text = given[nth]
        if (key, text) == (entry.key, entry.text):
            continue
        facts = {
            "key": key,
            "text": text,
            "signed_key": entry.key,
            "signed": entry.text,
            "by": entry.by,
            "height": entry.height,
        }
        if entry.key == entry.by or entry.by == signed[0].by:
            return InvalidFileError(
                record.place(number, nth),
                say(
                    "Here stands '{key}: {text}', and {by} has signed '{signed_key}: {signed}' "
                    "(step {height}). The turn was changed afterwards.",
                    **facts,
                ),
            )
        return InvalidFileError(
            record.place(number, nth),
            say(
                "Here stands '{key}: {text}', and what came up is '{signed_key}: {signed}', as "
                "step {height} of {by} decides. It was changed afterwards.",
                **facts,
            ),
        )
    key, text = given[len(signed)]
    return InvalidFileError(
        record.place(number, len(signed)),
        say(
            "Nobody has signed that this turn goes on with '{key}: {text}'; the last step of it is "
            "{height}, by {by}. It was made up, or the machine part is that of an older copy.",
            key=key,
            text=text,
            height=signed[-1].height,
            by=signed[-1].by,
        ),
    )
