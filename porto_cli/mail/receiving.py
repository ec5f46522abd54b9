"""What is done with a record that has come in: it takes the place of the local copy, or not.

Nothing is ever lost. The local copy is replaced by a version that has all of it, if need be once
both are merged; where a signed version gives way, its steps are signed again. One that really parts
from the local copy is saved beside it; and where the newcomer lacks comments, or steps that do not
count any more, the old text is kept.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from porto_cli.core import files
from porto_cli.core.errors import FileError
from porto_cli.core.message import Sentence, say
from porto_cli.core.yaml import BYTE_ORDER_MARK, InvalidFileError
from porto_cli.mail.own_turns import Confirm, demand_own_turns
from porto_cli.mail.records_in import Found
from porto_cli.mail.refused import remember, version_of, was_refused
from porto_cli.mail.threads import attachment_name
from porto_cli.match import record
from porto_cli.match.arrival import Arrival, Verdict, copies_of, free_path, judge, judge_copy
from porto_cli.match.conflicts import conflict_name, conflicts_of, parted_from
from porto_cli.match.continuation import comments_missing
from porto_cli.match.match import Match, load
from porto_cli.match.not_ready import NotReadyError
from porto_cli.match.record import SEALED, Record
from porto_cli.match.record_files import SUFFIXES, records_of
from porto_cli.match.sealed_copies import compare_steps, waiting_copy

if TYPE_CHECKING:
    from porto_cli.match.opened import KeySource
    from porto_cli.sealed.steps import Step

_ATTEMPTS = 100
"""How often another name is tried for a new file when somebody else takes it first."""


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
    was_known: bool = False
    """It parts from the local copy, and lies beside it already."""
    made_again: tuple[Step, ...] = ()
    """The steps of the local copy that were signed again."""


def receive(
    found: Found,
    folder: Path,
    into: Path | None,
    confirm: Confirm,
    keys: KeySource | None,
    *,
    dry_run: bool,
) -> Received:
    """Receive a version of a game. Raises PortoError, like FileError, and InvalidFileError for
    ``into``; OwnTurnsError if it has turns of the user that ``confirm`` does not confirm.

    ``into`` names the local copy, or where to save a game that there is none of; ``keys`` are those
    with which a step is signed again.
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
    if arrival.verdict is Verdict.MERGED:
        assert arrival.merged
        demand_own_turns(copy, arrival.merged, confirm)
        merged = result._replace(other=arrival.merged)
        return _replace(merged, copy, dry_run=dry_run)._replace(other=other)
    if arrival.verdict is Verdict.REPLACED:
        return _give_way(result, copy, keys, dry_run=dry_run)
    if arrival.verdict is Verdict.FORK and copy.path:
        return _keep_beside(result, copy.path, dry_run=dry_run)
    if arrival.verdict in (Verdict.STAYS, Verdict.OVERRULED):
        if was_refused(version_of(other.replay)):
            return result._replace(arrival=arrival._replace(verdict=Verdict.SETTLED))
        if not dry_run:
            remember(version_of(other.replay))
    return result


def _keep_beside(result: Received, own: Path, *, dry_run: bool) -> Received:
    """Put a version that parts from the local copy beside it, once."""

    def relation(kept: Path) -> Verdict:
        return judge_copy(load(kept), result.other).verdict

    text, version = text_to_save(result.other.record), version_of(result.other.replay)
    kept, is_known = keep_beside(own, text, version, relation, dry_run=dry_run)
    if kept is None:
        return result._replace(arrival=result.arrival._replace(verdict=Verdict.SETTLED))
    return result._replace(kept=kept, was_known=is_known)


def keep_beside(
    own: Path, text: str, version: str, relation: Callable[[Path], Verdict], *, dry_run: bool
) -> tuple[Path | None, bool]:
    """Put a version that parts from the local copy beside it, if it was not put there before.

    Return its path, or ``None`` if people have settled that, and whether it was there already.
    ``relation`` says what it is to a file that was put there. Raises FileError.
    """
    kept, is_known = None, False
    for path in conflicts_of(own):
        with suppress(InvalidFileError, NotReadyError):
            verdict = relation(path)
            if verdict in (Verdict.SAME, Verdict.OLDER, Verdict.CONTINUES):
                kept, is_known = path, verdict is not Verdict.CONTINUES
                break
    if kept and not is_known and not dry_run:
        files.replace(kept, text, was=files.read_text(kept))
    if kept is None and not was_refused(version):
        kept = create_free(own.parent, conflict_name(own.name), text, dry_run=dry_run)
    if not dry_run:
        remember(version)
    return kept, is_known


def unsettled(folder: Path) -> list[tuple[Path, Path]]:
    """Return the records of a folder from which a version beside them parts, and that version."""
    found = []
    for path in records_of(folder):
        own = parted_from(path)
        if own is not None:
            with suppress(InvalidFileError, FileError):
                if _parts(own, path):
                    found.append((own, path))
    return sorted(found)


def _parts(own: Path, conflict: Path) -> bool:
    try:
        return judge_copy(load(own), load(conflict)).verdict is Verdict.FORK
    except NotReadyError:
        one, other = (record.load(files.read_text(path), str(path)) for path in (own, conflict))
        return compare_steps(one, other)[0] is Verdict.FORK


def create_free(folder: Path, name: str, text: str, *, dry_run: bool = False) -> Path:
    """Write a new file under a name, or with a number if there is something already; return where.

    Raises FileError.
    """
    for _ in range(_ATTEMPTS):
        path = free_path(folder, name)
        if dry_run:
            return path
        with suppress(files.NameTakenError):
            files.create(path, text)
            return path
    raise FileError(
        say("There are too many files called like {name} in {folder}.", name=name, folder=folder)
    )


def _give_way(result: Received, copy: Match, keys: KeySource | None, *, dry_run: bool) -> Received:
    """Put a signed version in the place of the local copy, with the own steps that it lacks signed
    again. Raises PortoError.
    """
    path, ruling = copy.path, result.arrival.ruling
    assert path is not None
    assert ruling is not None
    if dry_run:
        return result._replace(match=result.other)
    from porto_cli.mail.giving_way import signed_again

    new, made = signed_again(path, result.other.record.text, ruling, keys)
    overruled = ruling.taken_back is not None
    replaced = _replace(result._replace(other=new), copy, dry_run=False, keep=overruled)
    return replaced._replace(
        other=result.other, made_again=made, notices=(*replaced.notices, *new.notices)
    )


def _save(
    arrival: Arrival, found: Found, folder: Path, into: Path | None, *, dry_run: bool
) -> Received:
    """Save a game that there is no local copy of, never over another file."""
    match = found.match
    text = text_to_save(match.record)
    if into is None:
        path = create_free(folder, name_of(match.record, found.name), text, dry_run=dry_run)
    else:
        path = into
        if not dry_run:
            files.create(path, text)
    if not dry_run:
        files.note(say("The game was received: {file} has it.", file=path))
        match = load(path)
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


def _replace(result: Received, copy: Match, *, dry_run: bool, keep: bool = False) -> Received:
    """Put the newcomer in the place of the local copy. The old text is kept if the newcomer lacks
    comments, or if ``keep`` says so.
    """
    path = copy.path
    assert path is not None
    missing = tuple(comments_missing(copy.replay, result.other.replay))
    kept = _free_backup(path) if missing or keep else None
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
