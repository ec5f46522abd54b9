"""The folder of the user's own files, outside of every record: settings, addresses, keys.

Settings and addresses are YAML that people write as well. They are read strictly, like a record;
:mod:`porto_cli.core.yaml_edit` changes a line of them.
"""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

from porto_cli.core.files import note_read
from porto_cli.core.message import FileError
from porto_cli.core.yaml import BYTE_ORDER_MARK, Node, decode
from porto_cli.core.yaml import read as read_yaml

VARIABLE = "PORTO_HOME"
"""The environment variable that names another folder."""
ADDRESSES = "addresses.yaml"
"""The file with the addresses of players."""


def folder() -> Path:
    """Return the folder of the user's own files: where the system keeps settings of programs, or
    the value of ``PORTO_HOME``. It need not exist.

    Raises FileError if that is unknown: the environment names no home folder.
    """
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named)
    found = _on_linux() if sys.platform == "linux" else None
    return found or _by_the_library()


def _on_linux() -> Path | None:
    """Return the folder where the environment names it plainly, as it nearly always does.

    Every command asks for it, and importing the library takes a good part of a short command.
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


def has_addresses() -> bool:
    """Return whether there is a file with addresses."""
    try:
        return os.path.exists(folder() / ADDRESSES)
    except FileError:
        return False


def text_of(file: Path) -> str | None:
    """Return the text of a file of the user's own; ``None`` if there is none, or none to be seen.

    Raises FileError for one that cannot be read, InvalidFileError for one that is not UTF-8.
    """
    try:
        status = os.stat(file)
    except OSError:
        return None
    if not stat.S_ISREG(status.st_mode):
        raise FileError(f"{file} is not a regular file.")
    try:
        with file.open("rb") as found:
            note_read(found)
            return decode(found.read(), str(file))
    except OSError as error:
        raise FileError(f"{file} cannot be read: {error.strerror}.") from None


def mapping_of(text: str, file: str, wanted: str) -> Node | None:
    """Return the keys of a text, one below the other; ``None`` if it has only comments and empty
    lines.

    ``file`` names it in errors, and ``wanted`` says what it should hold. Raises InvalidFileError.
    """
    lines = [line.strip() for line in text.removeprefix(BYTE_ORDER_MARK).splitlines()]
    if all(not line or line.startswith("#") for line in lines):
        return None
    root = read_yaml(text, file, wanted)
    if not root.block:
        root.fail(wanted)
    return root
