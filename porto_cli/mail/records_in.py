"""The games that stand in a message, read and replayed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from porto_cli.core.message import Sentence, say
from porto_cli.core.yaml import InvalidFileError, Place
from porto_cli.mail.incoming import Incoming, Part
from porto_cli.mail.restore import Candidate, Effort, candidates, goes_on
from porto_cli.match import record
from porto_cli.match.continuation import Relation, compare
from porto_cli.match.match import Match, loads
from porto_cli.match.not_ready import NotReadyError
from porto_cli.match.record import Record

_MOST_TRIED = 60
"""So many texts of one part are read as records; each takes as long as its replay."""
LARGEST_RECORD = 1024 * 1024
"""Characters of a record that is looked for in messages; those of long games have some ten
thousands."""
MOST_EFFORT = 6 * 1024 * 1024
"""What all texts of a message together may cost that are read as records."""


class FoundSetup(NamedTuple):
    """A game in set-up that stands in a message, checked, and what its attachment was called."""

    record: Record
    name: str


Reading = tuple[Match | FoundSetup | None, InvalidFileError | None]
"""What a text was read as, or what is wrong with it."""


class Found(NamedTuple):
    """A game in a message, and what its attachment was called."""

    match: Match
    name: str


class Contents(NamedTuple):
    """What a message holds: its games, each as far as it goes, or why what looks like one is none.

    Versions of a game that part from each other are all there.
    """

    games: tuple[Found, ...] = ()
    setups: tuple[FoundSetup, ...] = ()
    """Sealed games that are still being set up."""
    error: InvalidFileError | None = None
    is_broken: bool = False
    """What was sent as a record is none; not merely something that is quoted."""
    unread: tuple[Sentence, ...] = ()
    """What was not looked into, and why."""


def games_in(incoming: Incoming) -> Contents:
    """Return the games of a message. Raises nothing."""
    games: list[Found] = []
    setups: list[FoundSetup] = []
    error: InvalidFileError | None = None
    broken = False
    effort = Effort(MOST_EFFORT)
    for part in incoming.parts:
        for match, fault in _games_of(part, part.name or incoming.source, effort):
            if isinstance(match, FoundSetup):
                setups.append(match._replace(name=part.name))
            elif match:
                _add(games, Found(match, part.name))
            elif fault and (error is None or fault.place.line > error.place.line):
                error = fault
                broken = broken or bool(part.name) or not incoming.is_message
    any_game = bool(games or setups)
    return Contents(
        tuple(games),
        tuple(setups),
        None if any_game else error,
        broken and not any_game,
        (_TOO_MUCH,) if effort.was_too_little else (),
    )


def _add(games: list[Found], new: Found) -> None:
    """Add a game, unless a version that goes as far is there; a shorter one makes room."""
    for nth, old in enumerate(games):
        relation = compare(old.match.replay, new.match.replay).relation
        if relation in (Relation.SAME, Relation.OLDER):
            return
        if relation is Relation.CONTINUES:
            games[nth] = new
            return
    games.append(new)


def _games_of(part: Part, file: str, effort: Effort) -> Iterator[Reading]:
    """Return the games of a part, or what is wrong with each, in its first reading that has any."""
    for text in part.texts:
        found = list(_games_of_text(text, file, effort))
        if any(match for match, _ in found) or (found and text == part.texts[-1]):
            yield from found
            return


def _games_of_text(text: str, file: str, effort: Effort) -> Iterator[Reading]:
    blocks: dict[int, list[Candidate]] = {}
    for nth, candidate in enumerate(candidates(text, effort)):
        if nth >= _MOST_TRIED:
            break
        blocks.setdefault(candidate.block, []).append(candidate)
    for tried in blocks.values():
        yield _best(tried, file, effort)


def _best(tried: list[Candidate], file: str, effort: Effort) -> Reading:
    """Return the game that goes furthest among the candidates for one record, or what is wrong.

    Where the first one can be read there is nothing to mend.
    """
    best: Match | None = None
    chosen = tried[0]
    error: InvalidFileError | None = None
    left_alone = False
    for candidate in tried:
        if len(candidate.text) > LARGEST_RECORD or not effort.allows(candidate.text):
            left_alone = True
            continue
        try:
            match = loads(candidate.text, file)
        except NotReadyError:
            begun = record.load(candidate.text, file)
            return FoundSetup(begun, ""), None
        except InvalidFileError as fault:
            if error is None or fault.place.line >= error.place.line:
                error = fault
            continue
        if best is None or _length(match) > _length(best):
            best, chosen = match, candidate
        if candidate is tried[0]:
            break
    effort.was_too_little = effort.was_too_little or (left_alone and not best)
    if best and goes_on(chosen, best.players):
        return None, InvalidFileError(Place(file, chosen.text.count("\n") + 1, 0), _TORN)
    return best, error


_TOO_MUCH = say(
    "It holds so much that looks like a record that not all of it was looked into; a record has "
    "{most} KiB at most. Save the one that is meant as a file, and name that.",
    most=LARGEST_RECORD >> 10,
)
_TORN = say(
    "Something stands between the turns that is no part of a record; what comes behind it is not "
    "read. Ask for the record as an attachment."
)


def _length(match: Match) -> int:
    return sum(len(step.entries) for step in match.replay.steps)
