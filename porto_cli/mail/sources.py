"""Where messages come from: a file, standard input, a maildir, an mbox, a folder of files."""

from __future__ import annotations

import mailbox
import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from glob import escape
from itertools import chain, count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from porto_cli.core import files
from porto_cli.core.files import STANDARD, expanded, name_of, readable
from porto_cli.core.message import FileError
from porto_cli.mail.incoming import (
    LARGEST_MESSAGE,
    Incoming,
    looks_like_a_message,
    read_incoming,
)

_MESSAGE_SUFFIXES = (".eml", ".mail", ".mbs", ".msg", ".emlx")
_ENVELOPE = b"From "
_STUFFED = re.compile(rb"^>(>*From )", re.MULTILINE)
MOST_MESSAGES = 100_000
"""How many messages an mbox may have; the place of each is kept in memory."""
_PIECE = 1024 * 1024
_MUCH_OF_A_HEAD = 64 * 1024
_Read = Callable[..., Incoming]
"""Reads a message, as :func:`read_incoming` does; raises FileError, OSError."""
_Load = Callable[[], Incoming | None]
_Box = mailbox.mbox | mailbox.Maildir
_ERRORS = OSError, mailbox.Error
"""What reading a mailbox raises: it may vanish meanwhile."""


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
    if all(os.path.isdir(path / part) for part in ("cur", "new")):
        return _of_maildir(path)
    if os.path.isdir(path):
        return Source(in_order(_in_brief(_of_files(path))), many=True)
    if _contents(path, len(_ENVELOPE)) == _ENVELOPE and len(box := _mbox(path)) > 1:
        return Source(_of_mbox(box, name), many=True)
    return _of_one(read_incoming(_whole(path), name, path.name))


def source_of(data: bytes) -> Source:
    """Return the messages that came on :func:`standard_input`."""
    name = name_of(Path(STANDARD))
    if data.startswith(_ENVELOPE) and b"\n" + _ENVELOPE in data:
        with TemporaryDirectory() as folder:
            path = Path(folder, "mbox")
            path.write_bytes(data)
            if len(box := _mbox(path)) > 1:
                return Source([*_of_mbox(box, name)], many=True)
    return _of_one(read_incoming(data, name))


def _of_one(message: Incoming) -> Source:
    return Source([Envelope(message, lambda: message)], many=False)


def in_order(messages: Iterable[tuple[Incoming, _Load | None]]) -> Iterator[Envelope]:
    """Yield the messages that may be of a game, by date; one without stays after its neighbor.

    ``messages`` has the head of each one, and what reads all of it if it may be of a game.
    """
    dated: list[tuple[float, Envelope]] = []
    last = 0.0
    for message, load in messages:
        last = message.date or last
        if load:
            brief = message._replace(parts=(), body="", html="", answers=(), in_head=())
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
    return any("porto" in part.text for part in message.parts)


def _mbox(path: Path) -> mailbox.mbox:
    """Return an mbox, whose messages have been found. Raises FileError."""
    with readable(path, _ERRORS):
        with path.open("rb") as file:
            pieces = iter(partial(file.read, _PIECE), b"")
            if sum(piece.count(b"\n" + _ENVELOPE) for piece in pieces) > MOST_MESSAGES:
                raise FileError(
                    f"{path} has more than {MOST_MESSAGES:,} messages; move those of your games "
                    "to a mailbox of their own."
                )
        box = mailbox.mbox(path, create=False)
        len(box)
    return box


def _of_mbox(box: mailbox.mbox, name: str) -> Iterator[Envelope]:
    """Yield the messages of an mbox. What begins like one, with no head after it, is text of the
    message before it, whose writer has not marked it.
    """
    messages: list[list[str]] = []
    for key in box.iterkeys():
        if messages and not looks_like_a_message(_of_box(box, key, _MUCH_OF_A_HEAD)):
            messages[-1].append(key)
        else:
            messages.append([key])
    found = (
        partial(_in_a_box, box, keys, f"message {nth} of {name}")
        for nth, keys in enumerate(messages, 1)
    )
    return in_order(_in_brief(found))


def _of_box(box: _Box, key: str, most: int) -> bytes:
    """Return the beginning of a message, of an mbox with the line before it.

    Raises KeyError, OSError.
    """
    file = box.get_file(key, from_=True) if isinstance(box, mailbox.mbox) else box.get_file(key)
    with file:
        return file.read(most)


def _in_a_box(box: _Box, keys: Sequence[str], name: str, *, in_brief: bool = False) -> Incoming:
    """Return a message of an mbox, which may have to be put together, or of a maildir.

    Raises FileError, OSError.
    """
    data = b""
    try:
        for key in keys:
            data += _of_box(box, key, LARGEST_MESSAGE + 1 - len(data))
    except KeyError:
        raise FileError(f"{name} has vanished.") from None
    _not_too_large(data, name)
    if isinstance(box, mailbox.mbox):
        if not data.startswith(_ENVELOPE):
            raise FileError(f"{name} was changed while it was being read.")
        data = _STUFFED.sub(rb"\1", data)
    return read_incoming(data, name, in_brief=in_brief)


def _of_maildir(path: Path) -> Source:
    """Return the messages of a maildir. Raises FileError."""
    with readable(path, _ERRORS):
        box = mailbox.Maildir(path, create=False)
        # One that is moved from new to cur just now may be in neither the first time.
        keys = sorted({*box.keys(), *box.keys()})
    names = {str(path / key): key for key in keys}

    def move(sources: Iterable[str], folder: str) -> None:
        target = expanded(Path(folder))
        try:
            mailbox.Maildir(target)
            for key in map(names.__getitem__, sources):
                # A mail program may have moved or marked it.
                for file in (*path.glob(f"new/{escape(key)}*"), *path.glob(f"cur/{escape(key)}*")):
                    shutil.move(file, _free(target / "cur", file.name))
        except OSError as error:
            raise FileError(
                f"The messages cannot be moved to {target}: {error.strerror}. All of them "
                "were received."
            ) from None

    found = (partial(_in_a_box, box, [key], name) for name, key in names.items())
    return Source(in_order(_in_brief(found)), many=True, move=move)


def _free(folder: Path, name: str) -> Path:
    """Return where a message of this name can be put without replacing another one."""
    own, colon, flags = name.partition(":")
    names = chain([name], (f"{own}-{nth}{colon}{flags}" for nth in count(1)))
    return next(path for path in map(folder.joinpath, names) if not path.exists())


def _of_files(path: Path) -> Iterator[_Read]:
    """Return what reads the files of a folder that look like messages."""
    with suppress(OSError):
        for file in sorted(path.iterdir()):
            named_so = file.name.isdigit() or file.suffix.lower() in _MESSAGE_SUFFIXES
            if named_so and file.is_file():
                yield partial(_of_file, file)


def _of_file(path: Path, *, in_brief: bool = False) -> Incoming:
    """Return the message of a file. Raises FileError."""
    return read_incoming(_whole(path), str(path), path.name, in_brief=in_brief)


def _whole(path: Path) -> bytes:
    return _not_too_large(_contents(path, LARGEST_MESSAGE + 1), name_of(path))


def _contents(path: Path, size: int) -> bytes:
    """Return the beginning of a file. Raises FileError."""
    with readable(path):
        try:
            with path.open("rb") as file:
                return file.read(size)
        except FileNotFoundError:
            raise FileError(
                f"There is no file {path}. Save the message there, or pipe it into 'porto receive "
                "-'."
            ) from None


def standard_input() -> bytes:
    """Return all that is on standard input. Raises FileError."""
    return _not_too_large(files.standard_input(LARGEST_MESSAGE + 1), name_of(Path(STANDARD)))


def _not_too_large(data: bytes, name: str) -> bytes:
    if len(data) > LARGEST_MESSAGE:
        raise FileError(
            f"{name} is larger than {LARGEST_MESSAGE >> 20} MiB; save the message with "
            "the record as a file of its own."
        )
    return data
