"""What is done with a record that has come in: it takes the place of the local copy, or not.

Nothing is ever lost. The local copy is replaced only by a version that begins with all of it; one
that parts from it is saved beside it; and where the newcomer lacks comments, the old text is kept.
"""

from __future__ import annotations

import os
import re
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from porto_cli.core import files
from porto_cli.core.errors import FileError
from porto_cli.core.message import Sentence, say
from porto_cli.core.yaml import BYTE_ORDER_MARK
from porto_cli.mail.own_turns import Confirm, demand_own_turns
from porto_cli.mail.records_in import Found
from porto_cli.mail.threads import attachment_name
from porto_cli.match.arrival import Arrival, Verdict, copies_of, free_path, judge
from porto_cli.match.continuation import comments_missing
from porto_cli.match.match import Match, load
from porto_cli.match.record import SEALED, Record
from porto_cli.match.record_files import SUFFIXES
from porto_cli.match.sealed_copies import waiting_copy

CONFLICT = "conflict"
"""What is put behind the name of a record for a version that parts from it."""


class Received(NamedTuple):
    """What was done with a version of a game, or (in a dry run) would be."""

    arrival: Arrival
    other: Match
    """The version that has come in."""
    file: Path | None = None
    """The local copy; for a new game, where it was saved."""
    before: int = 0
    """How many steps the local copy had."""
    match: Match | None = None
    """The local copy as it is now."""
    kept: Path | None = None
    """Where the version is that did not take the place of the local copy, or the old local copy
    with its comments."""
    comments: tuple[str, ...] = ()
    """Those of the old local copy that the new one lacks."""
    notices: tuple[Sentence, ...] = ()


def receive(
    found: Found, folder: Path, into: Path | None, confirm: Confirm, *, dry_run: bool
) -> Received:
    """Receive a version of a game. Raises FileError, and InvalidFileError for ``into``.

    ``into`` names the local copy, or where to save a game that there is none of. Raises
    OwnTurnsError if the version has turns of the user that ``confirm`` does not confirm.
    """
    other = found.match
    if other.record.secrecy == SEALED:
        waiting = waiting_copy(other.record, folder, into)
        if waiting:
            return _begin(found, *waiting, dry_run=dry_run)
    if into is None:
        copies = copies_of(other.replay, folder)
    elif os.path.lexists(into):
        copies = [load(into)]
    else:
        copies = []
    arrival = judge(other, copies)
    if arrival.verdict is Verdict.NEW:
        return _save(arrival, found, folder, into, dry_run=dry_run)
    copy = arrival.copy
    if copy is None:
        return Received(arrival, other)
    result = Received(arrival, other, copy.path, len(copy.replay.steps), copy)
    if arrival.verdict is Verdict.CONTINUES:
        demand_own_turns(copy, other, confirm)
        return _replace(result, copy, dry_run=dry_run)
    if arrival.verdict is Verdict.FORK and copy.path:
        path = free_path(copy.path.parent, beside(copy.path.name))
        if not dry_run:
            files.create(path, text_to_save(other.record))
        return result._replace(kept=path)
    return result


def _save(
    arrival: Arrival, found: Found, folder: Path, into: Path | None, *, dry_run: bool
) -> Received:
    """Save a game that there is no local copy of, never over another file."""
    path = into or free_path(folder, name_of(found.match.record, found.name))
    if not dry_run:
        files.create(path, text_to_save(found.match.record))
        files.note(say("The game was received: {file} has it.", file=path))
    match = found.match if dry_run else load(path)
    return Received(arrival, found.match, path, 0, match)


def _begin(found: Found, path: Path, own: Record, *, dry_run: bool) -> Received:
    """Put a sealed game in the place of the copy that still waited for its set-up."""
    match = found.match
    notices: tuple[Sentence, ...] = ()
    if not dry_run:
        notices = files.replace(path, text_to_save(match.record), was=own.text)
        files.note(say("The game was received: {file} has it.", file=path))
        match = load(path)
    return Received(Arrival(Verdict.CONTINUES), found.match, path, 0, match, notices=notices)


def _replace(result: Received, copy: Match, *, dry_run: bool) -> Received:
    """Put the newcomer in the place of the local copy."""
    path = copy.path
    assert path is not None
    missing = tuple(comments_missing(copy.replay, result.other.replay))
    kept = _free_backup(path) if missing else None
    result = result._replace(comments=missing, kept=kept)
    if dry_run:
        return result._replace(match=result.other)
    if kept:
        files.create(kept, copy.record.text)
    notices = files.replace(
        path, text_to_save(result.other.record, like=copy.record), was=copy.record.text
    )
    files.note(say("The game was received: {file} has it.", file=path))
    return result._replace(match=load(path), notices=notices)


def text_to_save(game: Record, like: Record | None = None) -> str:
    """Return the text to be saved, with the line ends of the file whose place it takes."""
    text = game.text.removeprefix(BYTE_ORDER_MARK).replace("\r\n", "\n")
    if like and "\r\n" in like.text:
        text = text.replace("\n", "\r\n")
    return text


def beside(name: str) -> str:
    """Return what a version is called that parts from the record of this name."""
    stem, point, end = name.rpartition(".")
    return f"{stem}-{CONFLICT}.{end}" if stem and point else f"{name}-{CONFLICT}"


def _free_backup(path: Path) -> Path:
    """Return a name for the old text, as editors call what they keep: no record is called so."""
    for nth in range(1, 10_000):
        kept = path.with_name(f"{path.name}.~{nth}~")
        if not os.path.lexists(kept):
            return kept
    raise FileError(say("There are too many old versions of {file}; delete some.", file=path))


_COPY_NUMBER = re.compile(r"[ _-]?\(\d{1,3}\)$|[ _-](?:copy|Kopie|cópia)$")
_RESERVED = re.compile(r"(?i)(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)")
_NO_RECORD = (".eml", ".txt", ".text", ".mbox", ".html", ".htm", ".dat", ".bin", ".msg")
_MOST = 60


def name_of(record: Record, attachment: str) -> str:
    """Return what to call a new record: like the attachment, its title, or its game."""
    name = PurePosixPath(attachment.replace("\\", "/")).name.strip()
    for suffix in _NO_RECORD:
        if name.lower().endswith(suffix):
            name = name[: -len(suffix)]
    suffix = PurePosixPath(name).suffix
    suffix = suffix if suffix in SUFFIXES else ""
    stem = _COPY_NUMBER.sub("", name.removesuffix(suffix)).strip(" .")
    if not stem or not any(letter.isalnum() for letter in stem):
        title = re.sub(r"[\W_]+", "-", record.title.lower()).strip("-")
        stem = title or record.game.meta.id
    if _RESERVED.match(stem):
        stem = f"game-{stem}"
    safe = attachment_name(record._replace(file=stem[:_MOST] + suffix))
    return f"game{safe}" if safe.startswith((".", "-")) else safe
