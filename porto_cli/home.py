"""The folder of the user's own files, outside of every record: settings, addresses, keys."""

from __future__ import annotations

import os
import sys
from pathlib import Path

VARIABLE = "PORTO_HOME"
"""The environment variable that names another folder."""


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
        from porto_cli.core.message import FileError

        raise FileError(
            "Your home folder is unknown, so there is no place for your settings, "
            f"addresses and keys; name a folder in the environment variable {VARIABLE}."
        ) from None
