"""Where a user's own things are, outside of every record: settings, addresses, keys."""

from __future__ import annotations

import os
from pathlib import Path

VARIABLE = "PORTO_HOME"
"""The environment variable that names another folder."""


def folder() -> Path:
    """Return the folder of a user's own things: where the system keeps settings of programs, or
    what ``PORTO_HOME`` says. It need not be there.
    """
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named)
    from platformdirs import user_config_path

    return user_config_path("porto", appauthor=False)
