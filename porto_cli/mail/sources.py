"""Where messages come from: a file, standard input, a maildir, an mbox, a folder of files."""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from porto_cli.core.files import STANDARD, name_of
from porto_cli.core.message import FileError, say
from porto_cli.core.value import NamedTuple
from porto_cli.mail.incoming import LARGEST_MESSAGE, Incoming, read_incoming

_MESSAGE_SUFFIXES = (".eml", ".mail", ".mbs", ".msg", ".emlx")
_ENVELOPE = b"From "
_BETWEEN = re.compile(rb"(?<=\n)\r?\n(From )[^\n]{0,1000}\n(?:>?From |[!-9;-~]{1,80}[ \t]*:)")
"""What is between two messages of an mbox; after it the head of the next one begins."""
_STUFFED = re.compile(rb"^>(>*From )", re.MULTILINE)
_LENGTH = re.compile(rb"^content-length:[ \t]*(\d{1,12})[ \t]*\r?$", re.MULTILINE | re.IGNORECASE)
_HEAD_ENDS = re.compile(rb"\n\r?\n")
_CHUNK = 4 * 1024 * 1024
_FLAGS = ("", "S", "F", "FS", "R", "RS", "P", "PS", "T", "ST")
"""How mail programs mark messages of a maildir that were seen, answered and so on."""
_PIECE = 1024 * 1024
_OVERLAP = 8 * 1024
_MUCH_OF_A_HEAD = 64 * 1024
Load = Callable[[], Incoming]
"""Reads a message. It is read once to know its date, and once more when it is its turn, so that
never more than one is held."""


class Source(NamedTuple):
    """Where messages come from."""

    messages: Iterable[Incoming]
    """Each is read when it is needed; in the order in which they were written, if known."""
    many: bool
    """Whether there may be any number of them, so that old ones are to be expected."""


def open_source(path: Path) -> Source:
    """Return the messages of a file, a folder, or (``-``) of standard input. Raises FileError."""
    name = name_of(path)
    if os.path.isdir(path):
        return Source(_in_order(_of_folder(path)), many=True)
    if str(path) == STANDARD:
        data = _standard_input()
        if not _is_an_mbox(io.BytesIO(data)):
            return Source([read_incoming(data, name)], many=False)
        return Source(_of_mbox(io.BytesIO(data), name), many=True)
    if _contents(path, len(_ENVELOPE)) == _ENVELOPE:
        with path.open("rb") as file:
            if _is_an_mbox(file):
                return Source(_of_mbox_file(path, name), many=True)
    return Source([read_incoming(_whole(path), name, path.name)], many=False)


def _is_an_mbox(file: BinaryIO) -> bool:
    """Return whether a file is an mbox of more than one message."""
    return file.read(len(_ENVELOPE)) == _ENVELOPE and len(list(islice(_starts(file), 2))) > 1


def _in_order(loads: Iterable[Load]) -> Iterator[Incoming]:
    """Yield the messages that may be of a game, by date; one without stays after its neighbor.

    What has vanished in the meantime is left out.
    """
    dated: list[tuple[float, int, Load]] = []
    last = 0.0
    for nth, load in enumerate(loads):
        with suppress(FileError):
            message = load()
            last = message.date or last
            if _may_matter(message):
                dated.append((last, nth, load))
    for _, _, load in sorted(dated, key=lambda each: each[:2]):
        with suppress(FileError):
            yield load()


def _may_matter(message: Incoming) -> bool:
    if message.answers:
        return True
    return any("porto" in text for part in message.parts for text in part.texts)


def _of_mbox_file(path: Path, name: str) -> Iterator[Incoming]:
    try:
        with path.open("rb") as file:
            yield from _of_mbox(file, name)
    except OSError as error:
        raise FileError(
            say("{file} cannot be read: {reason}.", file=path, reason=error.strerror)
        ) from None


def _of_mbox(file: BinaryIO, name: str) -> Iterator[Incoming]:
    return _in_order(
        partial(_message_of_mbox, file, start, end, _nth(nth, name))
        for nth, (start, end) in enumerate(_spans(file), start=1)
    )


def _message_of_mbox(file: BinaryIO, start: int, end: int, name: str) -> Incoming:
    """Return the message between two places of an mbox. Raises FileError."""
    file.seek(start)
    data = _not_too_large(file.read(min(end - start, LARGEST_MESSAGE + 1)), name)
    if not data.startswith(_ENVELOPE):
        raise FileError(say("{mailbox} was changed while it was being read.", mailbox=name))
    return read_incoming(_STUFFED.sub(rb"\1", data), name)


def _spans(file: BinaryIO) -> Iterator[tuple[int, int]]:
    """Return where the messages of an mbox begin and end, as far as it goes now."""
    starts = list(_starts(file))
    size = file.seek(0, os.SEEK_END)
    place = 0
    while place < len(starts):
        start = starts[place]
        place += 1
        end = _given_end(file, start, starts[place], size) if place < len(starts) else 0
        # What looks like the beginning of another message can be text, if the length is given.
        while place < len(starts) and starts[place] < end:
            place += 1
        yield start, starts[place] if place < len(starts) else size


def _starts(file: BinaryIO) -> Iterator[int]:
    """Yield where the messages of an mbox seem to begin."""
    last = 0
    yield last
    file.seek(0)
    data, base = b"", 0
    while chunk := file.read(_CHUNK):
        base += max(0, len(data) - _OVERLAP)
        data = data[-_OVERLAP:] + chunk
        for found in _BETWEEN.finditer(data):
            place = base + found.start(1)
            if place > last:
                last = place
                yield place


def _given_end(file: BinaryIO, start: int, end: int, size: int) -> int:
    """Return where a message ends by its own account (Content-Length); 0 if that is not true.

    ``end`` is where it seems to end, ``size`` where the mbox does.
    """
    file.seek(start)
    head = file.read(min(end - start, _MUCH_OF_A_HEAD))
    ends = _HEAD_ENDS.search(head)
    length = _LENGTH.search(head, 0, ends.start() + 1) if ends else None
    if not ends or not length:
        return 0
    given = start + ends.end() + int(length[1])
    file.seek(given)
    after = file.read(8).lstrip(b"\r\n")
    is_true = given <= size and (not after or after.startswith(_ENVELOPE))
    return given if is_true else 0


def _nth(nth: int, name: str) -> str:
    return str(say("message {number} of {mailbox}", number=nth, mailbox=name))


def _of_folder(path: Path) -> Iterator[Load]:
    """Return what reads the messages of a maildir, else of files that look like messages."""
    if os.path.isdir(path / "cur") or os.path.isdir(path / "new"):
        # Messages move from new to cur: one that does so just now is found in both, not in none.
        found = [each for part in ("new", "cur") for each in _files_of(path / part)]
        files = sorted({_message_name(each): each for each in found}.values(), key=_message_name)
    else:
        files = [
            each
            for each in _files_of(path)
            if each.name.isdigit() or each.suffix.lower() in _MESSAGE_SUFFIXES
        ]
    return (partial(_message_of_file, file) for file in files)


def _message_of_file(path: Path) -> Incoming:
    """Return the message of a file. Raises FileError."""
    try:
        return read_incoming(_whole(path), str(path), path.name)
    except FileError:
        moved = _moved(path)
        if moved is None:
            raise
        return read_incoming(_whole(moved), str(path), path.name)


def _moved(path: Path) -> Path | None:
    """Return where a message of a maildir is that a mail program has just moved or marked."""
    if path.exists() or path.parent.name not in ("new", "cur"):
        return None
    name = path.parent.parent / "cur" / _message_name(path)
    marked = (name.with_name(f"{name.name}:2,{flags}") for flags in _FLAGS)
    return next((each for each in marked if each.is_file()), None)


def _message_name(path: Path) -> str:
    """Return what a message of a maildir is called wherever it lies and however it is marked."""
    return path.name.partition(":")[0]


def _files_of(folder: Path) -> list[Path]:
    try:
        return sorted(each for each in folder.iterdir() if each.is_file())
    except OSError:
        return []


def _whole(path: Path) -> bytes:
    return _not_too_large(_contents(path, LARGEST_MESSAGE + 1), name_of(path))


def _contents(path: Path, size: int) -> bytes:
    """Return the beginning of a file. Raises FileError."""
    try:
        with path.open("rb") as file:
            return _beginning(file, size)
    except FileNotFoundError:
        raise FileError(
            say(
                "There is no file {file}. Save the message there, or pipe it into "
                "'porto receive -'.",
                file=path,
            )
        ) from None
    except OSError as error:
        raise FileError(
            say("{file} cannot be read: {reason}.", file=path, reason=error.strerror)
        ) from None


def _beginning(file: BinaryIO, size: int) -> bytes:
    """Return up to a number of bytes; memory is allocated as they come."""
    pieces = []
    while size > 0 and (piece := file.read(min(size, _PIECE))):
        pieces.append(piece)
        size -= len(piece)
    return b"".join(pieces)


def _standard_input() -> bytes:
    if sys.stdin is None or not sys.stdin.readable():
        raise FileError(say("Standard input cannot be read: it is closed."))
    try:
        data = _beginning(sys.stdin.buffer, LARGEST_MESSAGE + 1)
    except OSError as error:
        raise FileError(
            say("Standard input cannot be read: {reason}.", reason=error.strerror)
        ) from None
    return _not_too_large(data, name_of(Path(STANDARD)))


def _not_too_large(data: bytes, name: str) -> bytes:
    if len(data) > LARGEST_MESSAGE:
        raise FileError(
            say(
                "{file} is larger than {most} MiB; save the message with the record as a file of "
                "its own.",
                file=name,
                most=LARGEST_MESSAGE >> 20,
            )
        )
    return data
