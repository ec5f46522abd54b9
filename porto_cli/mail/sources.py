"""Where messages come from: a file, standard input, a maildir, an mbox, a folder of files."""

from __future__ import annotations

import mailbox
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from porto_cli.core.errors import FileError
from porto_cli.core.files import STANDARD, name_of
from porto_cli.core.message import say
from porto_cli.mail.incoming import LARGEST_MESSAGE, Incoming, read_incoming

_MESSAGE_SUFFIXES = (".eml", ".mail", ".mbs", ".msg", ".emlx")
_ENVELOPE = b"From "
_ENOUGH = 4 * 1024 * 1024
"""Bytes of an mbox in which a second message has begun; else it is read as one message."""


class Source(NamedTuple):
    """Where messages come from."""

    messages: list[Incoming]
    """In the order in which they were written, as far as they say."""
    many: bool
    """Whether there may be any number of them, so that old ones are to be expected."""


def open_source(path: Path) -> Source:
    """Return the messages of a file, a folder, or (``-``) of standard input. Raises FileError."""
    name = name_of(path)
    if os.path.isdir(path):
        return Source(_in_order(_of_folder(path)), many=True)
    if str(path) == STANDARD:
        data = _standard_input()
        if not _is_an_mbox(data):
            return Source([read_incoming(data, name)], many=False)
        # The library reads an mbox from a file.
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / "mbox"
            copy.write_bytes(data)
            return Source(_in_order(_of_mbox(copy, name)), many=True)
    if _is_an_mbox(_contents(path, _ENOUGH)):
        return Source(_in_order(_of_mbox(path, name)), many=True)
    return Source([read_incoming(_whole(path), name, path.name)], many=False)


def _is_an_mbox(data: bytes) -> bool:
    """Tell whether bytes begin like an mbox of more than one message."""
    return data.startswith(_ENVELOPE) and b"\n\n" + _ENVELOPE in data.replace(b"\r\n", b"\n")


def _in_order(messages: Iterator[Incoming]) -> list[Incoming]:
    """Return the messages that may be of a game, by date; one without stays behind its neighbor."""
    dated: list[tuple[float, int, Incoming]] = []
    last = 0.0
    for nth, message in enumerate(messages):
        last = message.date or last
        if _may_matter(message):
            dated.append((last, nth, message))
    return [message for _, _, message in sorted(dated, key=lambda each: each[:2])]


def _may_matter(message: Incoming) -> bool:
    if message.answers:
        return True
    return any("porto" in text for part in message.parts for text in part.texts)


def _of_mbox(path: Path, name: str) -> Iterator[Incoming]:
    with suppress(mailbox.Error, OSError):
        box = mailbox.mbox(path, create=False)
        try:
            for nth, key in enumerate(box.iterkeys(), start=1):
                yield read_incoming(box.get_bytes(key), _nth(nth, name))
        finally:
            box.close()


def _nth(nth: int, name: str) -> str:
    return str(say("message {number} of {mailbox}", number=nth, mailbox=name))


def _of_folder(path: Path) -> Iterator[Incoming]:
    """Return the messages of a maildir, else of the files in a folder that look like messages."""
    if os.path.isdir(path / "cur") or os.path.isdir(path / "new"):
        files = sorted(
            (each for part in ("cur", "new") for each in _files_of(path / part)),
            key=lambda each: each.name,
        )
    else:
        files = [
            each
            for each in _files_of(path)
            if each.name.isdigit() or each.suffix.lower() in _MESSAGE_SUFFIXES
        ]
    for file in files:
        with suppress(FileError):
            yield read_incoming(_whole(file), str(file), file.name)


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
            return file.read(size)
    except FileNotFoundError:
        raise FileError(
            say(
                "There is no file {file}; save the message there, or pipe it into "
                "'porto receive -'.",
                file=path,
            )
        ) from None
    except OSError as error:
        raise FileError(
            say("{file} cannot be read: {reason}.", file=path, reason=error.strerror)
        ) from None


def _standard_input() -> bytes:
    if sys.stdin is None or not sys.stdin.readable():
        raise FileError(say("Standard input cannot be read: it is closed."))
    try:
        data = sys.stdin.buffer.read(LARGEST_MESSAGE + 1)
    except OSError as error:
        raise FileError(
            say("Standard input cannot be read: {reason}.", reason=error.strerror)
        ) from None
    return _not_too_large(data, name_of(Path(STANDARD)))


def _not_too_large(data: bytes, name: str) -> bytes:
    if len(data) > LARGEST_MESSAGE:
        raise FileError(
            say(
                "{file} is larger than {most} MiB; save the message with the record by itself.",
                file=name,
                most=LARGEST_MESSAGE >> 20,
            )
        )
    return data
