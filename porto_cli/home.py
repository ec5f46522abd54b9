"""The folder of the user's own files: settings, addresses and, in a folder that no other user may
read, keys.

Settings and addresses are YAML that people edit as well. They are read strictly, like a record;
:mod:`porto_cli.core.yaml` changes single lines of them.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from porto_cli.core import FileError, files
from porto_cli.core.files import note_read
from porto_cli.core.shell import file_word
from porto_cli.core.yaml import BYTE_ORDER_MARK, Node, decode
from porto_cli.core.yaml import read as read_yaml

VARIABLE = "PORTO_HOME"
"""The environment variable that names another folder."""
SETTINGS, ADDRESSES = "config.yaml", "addresses.yaml"


def folder() -> Path:
    """Return the folder of the user's own files: ``PORTO_HOME``, or where the system keeps the
    settings of programs. It need not exist.

    Raises FileError if it is unknown, as the environment names no home folder.
    """
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named)
    found = _on_linux() if sys.platform == "linux" else None
    return found or _by_the_library()


def _on_linux() -> Path | None:
    """Return the folder if the environment simply names it, as it nearly always does.

    Every command asks for it, and importing the library takes a good part of a short command's
    time.
    """
    if os.environ.get("ANDROID_DATA"):
        return None
    settings = os.environ.get("XDG_CONFIG_HOME", "")
    if settings.startswith("/"):
        return Path(settings, "porto")
    home = os.environ.get("HOME", "")
    if not settings and home.startswith("/"):
        return Path(home, ".config", "porto")
    return None


def _by_the_library() -> Path:
    from platformdirs import user_config_path

    try:
        return user_config_path("porto", appauthor=False)
    except RuntimeError:
        raise FileError(
            "Your home folder is unknown, so there is no place for your settings, "
            f"addresses and keys; name a folder in the environment variable {VARIABLE}."
        ) from None


def has(name: str) -> bool:
    """Return whether the folder has a file of this name."""
    try:
        return os.path.exists(folder() / name)
    except FileError:
        return False


def text_of(file: Path) -> str | None:
    """Return the text of one of the user's files; ``None`` if there is none, or it is not
    accessible.

    Raises FileError for one that cannot be read, InvalidFileError for one that is not UTF-8.
    """
    try:
        status = os.stat(file)
    except OSError:
        return None
    if not stat.S_ISREG(status.st_mode):
        raise FileError(f"{file} is not a regular file.")
    with files.readable(file), file.open("rb") as found:
        note_read(found)
        return decode(found.read(), str(file))


def mapping_of(text: str, file: str, wanted: str) -> Node | None:
    """Return the root of a text that is a block of keys; ``None`` if it has only comments and empty
    lines.

    ``file`` names it in errors, and ``wanted`` says what it should contain. Raises
    InvalidFileError.
    """
    lines = [line.strip() for line in text.removeprefix(BYTE_ORDER_MARK).splitlines()]
    if all(not line or line.startswith("#") for line in lines):
        return None
    root = read_yaml(text, file, wanted)
    if not root.block:
        root.fail(wanted)
    return root


# -- Private files, in a folder that no other user may read
#
# They are written like records (``porto_cli.core.files``), or a line is appended whole or not at
# all. Where the system has permissions (everywhere but on Windows, where a home folder is private
# anyway), files that others could read are closed to them, and the user is warned.

PRIVATE = "keys"
HAS_MODES = os.name == "posix"
FOR_US, FOLDER_FOR_US = 0o600, 0o700
_READ, _WRITTEN = 0o077, 0o022
"""The permissions with which others can look into a file or folder, or change it."""
_SUPERUSER = 0
LARGEST = 4 << 20
"""Maximum number of bytes of a file that is read."""
MOST_NOTES = 500
"""Maximum number of lines in a file of notes; the oldest are removed."""


def private_folder() -> Path:
    """Return the folder of private files; it need not exist. Raises FileError."""
    return folder() / PRIVATE


def private_ready(*below: str) -> bool:
    """Create the private folder, or one in it, if necessary, and close it to others; return whether
    it was open to them.

    Raises FileError, also for a folder of another user.
    """
    was_open, path = home_ready(), folder()
    for part in (PRIVATE, *below):
        path /= part
        _make(path)
        was_open |= close_to_others(path)
    return was_open


def home_ready() -> bool:
    """Create the folder of the user's own files if necessary, and close it to other writers, who
    could replace the folder with the keys. Return whether it was open to them.

    Raises FileError.
    """
    path = folder()
    _make(path)
    return _close(path, _WRITTEN, "change what is in")


def _make(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True, mode=FOLDER_FOR_US)
    except OSError as error:
        raise FileError(
            f"The folder {path}, for your own files, cannot be created: {error.strerror}. "
            f"Set the environment variable {VARIABLE} to use another folder."
        ) from None


def demand_no_other_writer(path: Path) -> None:
    """Require that only the user and the superuser can have written a file.

    Its folder counts as well, and the target of a link. Unlike in :func:`close_to_others`, a file
    that others could change is refused: they may already have changed it. Raises FileError.
    """
    if not os.path.exists(path):
        return
    real = Path(os.path.realpath(path))
    for each in dict.fromkeys((path.parent, real.parent, real)):
        if _open_mode(each, _WRITTEN):
            raise FileError(
                f"Other users of this computer can change {each}, so {path} was not used: it "
                "could make this program run their commands, or send your mail and your password "
                "to them. Check its contents, then close it to others with: chmod go-w "
                f"{file_word(str(each))}"
            )


def close_to_others(path: Path) -> bool:
    """Close a file or folder to others; return whether it was open to them.

    Raises FileError for one of another user, and for one that cannot be closed.
    """
    return _close(path, _READ, "look into")


def _open_mode(path: Path, permissions: int) -> int:
    """Return the mode of a file or folder that gives others some of these permissions; else 0.

    In a sticky folder, like /tmp, users can change only their own files. Raises FileError for one
    of another user; the superuser may own what is not secret.
    """
    if not HAS_MODES:
        return 0
    status = os.stat(path)
    if status.st_uid not in (os.geteuid(), *[_SUPERUSER] * (permissions == _WRITTEN)):
        raise FileError(
            f"{path} belongs to another user of this computer, who could read or change "
            "your private files; it was not used. Set the environment variable "
            f"{VARIABLE} to a folder of your own."
        )
    is_sticky = stat.S_ISDIR(status.st_mode) and status.st_mode & stat.S_ISVTX
    if not status.st_mode & permissions or (is_sticky and permissions == _WRITTEN):
        return 0
    return stat.S_IMODE(status.st_mode)


def _close(path: Path, permissions: int, could: str) -> bool:
    """Take these permissions away from others; if they had them, warn of what they ``could`` do,
    and return True. Raises FileError.
    """
    mode = _open_mode(path, permissions)
    if not mode:
        return False
    with suppress(OSError):
        os.chmod(path, mode & ~permissions)
    if _open_mode(path, permissions):
        raise FileError(
            f"Other users of this computer can look into {path} or change it, and this disk does "
            "not allow closing it to them, so it was not used. Set the environment variable "
            f"{VARIABLE} to a folder on another disk."
        )
    files.warn(f"Other users of this computer could {could} {path}; from now on only you can.")
    return True


def read_private(path: Path) -> str | None:
    """Return the text of a file, which is closed to others; ``None`` if there is none.

    Raises FileError.
    """
    with files.readable(path):
        try:
            with path.open("rb") as file:
                note_read(file)
                close_to_others(path)
                data = file.read(LARGEST + 1)
        except FileNotFoundError:
            return None
    if len(data) > LARGEST:
        raise FileError(
            f"{path} is larger than any file that this program writes there. It was not changed."
        )
    return data.decode("utf-8", "surrogateescape")


def write_private(path: Path, text: str, was: str | None) -> bool:
    """Write a file whose text was ``was`` when it was read, ``None`` if there was no file.

    Returns False and changes nothing if it has changed since then. If two programs write at once,
    one of them succeeds. Raises FileError.
    """
    try:
        if was is None:
            files.create(path, text, private=True)
        else:
            files.replace(path, text, was, private=True)
    except (files.NameTakenError, files.ChangedError):
        return False
    return True


def write_new_private(path: Path, text: str) -> None:
    """Write a new private file. Raises FileError, also if the name is taken."""
    if os.path.lexists(path) or not write_private(path, text, None):
        raise FileError(f"{path} exists already and was not changed; choose another name.")


def write_own(path: Path, text: str) -> None:
    """Write a file in the user's own folder that is not secret, although a new one is private.

    Raises FileError.
    """
    home_ready()
    files.write_output(path, text, private=True)


def note(path: Path, key: str, value: str = "") -> None:
    """Write a line into a file of notes in the user's own folder, in place of the one with the same
    key. Raises FileError.
    """
    home_ready()
    while True:
        text = read_private(path)
        lines = [line for line in (text or "").splitlines() if not line.startswith(key)]
        latest = [*lines, f"{key} {value}".rstrip()][-MOST_NOTES:]
        if write_private(path, "".join(f"{line}\n" for line in latest), text):
            return


@contextmanager
def opened_to_append(path: Path) -> Iterator[BinaryIO]:
    """Open a file for reading and writing, created if necessary, and locked against other programs.

    Raises FileError, also where the file system has no locks.
    """
    with files.locked(path, path.parent) as is_locked:
        if not is_locked:
            raise FileError(
                f"{path} was not written: its disk does not support locks, so two commands could "
                "sign two versions of one move. Set the environment variable "
                f"{VARIABLE} to a folder on another disk."
            )
        is_new = not path.exists()
        try:
            with open(path, "r+b", opener=_made_for_us) as file:
                close_to_others(path)
                yield file
            if is_new:
                files.sync_folder(path, path.parent)
        except OSError as error:
            raise FileError(f"{path} cannot be written: {error.strerror}.") from None


def _made_for_us(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_CREAT, FOR_US)
