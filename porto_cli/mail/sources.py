"""Where messages come from: a file, standard input, a maildir, an mbox, a folder of files."""

from __future__ import annotations

import io
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from itertools import chain, count, islice
from pathlib import Path
from typing import BinaryIO, NamedTuple

from porto_cli.core.files import STANDARD, expanded, name_of
from porto_cli.core.message import FileError
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
_Read = Callable[..., Incoming]
"""Reads a message, as :func:`read_incoming` does; raises FileError, OSError."""
_Load = Callable[[], Incoming | None]


class Envelope(NamedTuple):
    """A message that may not have to be read further than its head."""

    head: Incoming
    """What its head says of itself; which messages it answers is not kept."""
    load: _Load
    """Reads all of it, which is possible until the next one is asked for; returns None if it has
    vanished in the meantime. Never more than one message is held."""


class Source(NamedTuple):
    """Where messages come from."""

    envelopes: Iterable[Envelope]
    """In the order in which they were written, if known."""
    many: bool
    """Whether there may be any number of them, so that old ones are to be expected."""
    move: Callable[[Iterable[str], str], None] | None = None
    """Moves messages, by what their heads have as ``source``, to another folder, which is made if
    there is none; None where that cannot be done. Raises PortoError."""
    left_out: Callable[[], Iterable[str]] = tuple
    """Tells, after all messages have been read, which could not be, and why."""


def open_source(path: Path) -> Source:
    """Return the messages of a file or a folder. Raises FileError."""
    name = name_of(path)
    if os.path.isdir(path):
        move = _move_files if _is_a_maildir(path) else None
        return Source(in_order(_in_brief(_of_folder(path))), many=True, move=move)
    if _contents(path, len(_ENVELOPE)) == _ENVELOPE:
        with path.open("rb") as file:
            if _is_an_mbox(file):
                return Source(_of_mbox_file(path, name), many=True)
    return _of_one(read_incoming(_whole(path), name, path.name))


def source_of(data: bytes) -> Source:
    """Return the messages that came on :func:`standard_input`."""
    name = name_of(Path(STANDARD))
    if not _is_an_mbox(io.BytesIO(data)):
        return _of_one(read_incoming(data, name))
    return Source(_of_mbox(io.BytesIO(data), name), many=True)


def _of_one(message: Incoming) -> Source:
    return Source([Envelope(message, lambda: message)], many=False)


def _is_an_mbox(file: BinaryIO) -> bool:
    """Return whether a file is an mbox of more than one message."""
    return file.read(len(_ENVELOPE)) == _ENVELOPE and len(list(islice(_starts(file), 2))) > 1


def in_order(messages: Iterable[tuple[Incoming, _Load | None]]) -> Iterator[Envelope]:
    """Yield the messages that may be of a game, by date; one without stays after its neighbor.

    ``messages`` has the head of each one, and what reads all of it if it may be of a game.
    """
    dated: list[tuple[float, Envelope]] = []
    last = 0.0
    for message, load in messages:
        last = message.date or last
        if load:
            brief = message._replace(parts=(), body="", answers=())
            dated.append((last, Envelope(brief, load)))
    for _, envelope in sorted(dated, key=lambda each: each[0]):
        yield envelope


def _in_brief(messages: Iterable[_Read]) -> Iterator[tuple[Incoming, _Load | None]]:
    """Yield what :func:`in_order` takes, without what has vanished in the meantime."""
    for read in messages:
        with suppress(FileError):
            message = read(in_brief=True)
            yield message, partial(_if_there, read) if _may_matter(message) else None


def _if_there(read: _Read) -> Incoming | None:
    with suppress(FileError, OSError):
        return read()
    return None


def _may_matter(message: Incoming) -> bool:
    if message.names_a_game:
        return True
    return any("porto" in text for part in message.parts for text in part.texts)


def _of_mbox_file(path: Path, name: str) -> Iterator[Envelope]:
    try:
        with path.open("rb") as file:
            yield from _of_mbox(file, name)
    except OSError as error:
        raise FileError(f"{path} cannot be read: {error.strerror}.") from None


def _of_mbox(file: BinaryIO, name: str) -> Iterator[Envelope]:
    return in_order(
        _in_brief(
            partial(_message_of_mbox, file, start, end, _nth(nth, name))
            for nth, (start, end) in enumerate(_spans(file), start=1)
        )
    )


def _message_of_mbox(
    file: BinaryIO, start: int, end: int, name: str, *, in_brief: bool = False
) -> Incoming:
    """Return the message between two places of an mbox. Raises FileError, OSError."""
    file.seek(start)
    data = _not_too_large(file.read(min(end - start, LARGEST_MESSAGE + 1)), name)
    if not data.startswith(_ENVELOPE):
        raise FileError(f"{name} was changed while it was being read.")
    return read_incoming(_STUFFED.sub(rb"\1", data), name, in_brief=in_brief)


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
    return f"message {nth} of {name}"


def _is_a_maildir(path: Path) -> bool:
    return os.path.isdir(path / "cur") or os.path.isdir(path / "new")


def _move_files(sources: Iterable[str], folder: str) -> None:
    """Move messages of a maildir to another one. Raises FileError."""
    target = expanded(Path(folder))
    try:
        for part in ("cur", "new", "tmp"):
            (target / part).mkdir(parents=True, exist_ok=True)
        for path in map(Path, sources):
            file = _moved(path) or path
            if file.exists():
                shutil.move(file, _free(target / "cur", file.name))
    except OSError as error:
        raise FileError(
            f"The messages cannot be moved to {target}: {error.strerror}. All of them "
            "were received."
        ) from None


def _free(folder: Path, name: str) -> Path:
    """Return where a message of this name can be put without replacing another one."""
    own, colon, flags = name.partition(":")
    names = chain([name], (f"{own}-{nth}{colon}{flags}" for nth in count(1)))
    return next(path for path in map(folder.joinpath, names) if not path.exists())


def _of_folder(path: Path) -> Iterator[_Read]:
    """Return what reads the messages of a maildir, else of files that look like messages."""
    if _is_a_maildir(path):
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


def _message_of_file(path: Path, *, in_brief: bool = False) -> Incoming:
    """Return the message of a file. Raises FileError."""
    try:
        data = _whole(path)
    except FileError:
        moved = _moved(path)
        if moved is None:
            raise
        data = _whole(moved)
    return read_incoming(data, str(path), path.name, in_brief=in_brief)


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
            f"There is no file {path}. Save the message there, or pipe it into 'porto receive -'."
        ) from None
    except OSError as error:
        raise FileError(f"{path} cannot be read: {error.strerror}.") from None


def _beginning(file: BinaryIO, size: int) -> bytes:
    """Return up to a number of bytes; memory is allocated as they come."""
    pieces = []
    while size > 0 and (piece := file.read(min(size, _PIECE))):
        pieces.append(piece)
        size -= len(piece)
    return b"".join(pieces)


def standard_input() -> bytes:
    """Return all that is on standard input. Raises FileError."""
    if sys.stdin is None or not sys.stdin.readable():
        raise FileError("Standard input cannot be read: it is closed.")
    try:
        data = _beginning(sys.stdin.buffer, LARGEST_MESSAGE + 1)
    except OSError as error:
        raise FileError(f"Standard input cannot be read: {error.strerror}.") from None
    return _not_too_large(data, name_of(Path(STANDARD)))


def _not_too_large(data: bytes, name: str) -> bytes:
    if len(data) > LARGEST_MESSAGE:
        raise FileError(
            f"{name} is larger than {LARGEST_MESSAGE >> 20} MiB; save the message with "
            "the record as a file of its own."
        )
    return data
