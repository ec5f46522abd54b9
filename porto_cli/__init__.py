"""Play the board game Porto by text: one readable file per game, one command per move.

The Python interface is described in :mod:`porto_cli.api`; its names can be taken from here.
"""

__version__ = "0.1.0"
__all__ = ["Match", "load", "loads", "new_game"]

# Type checkers take this for true. Importing 'typing' for it would double the time that
# 'porto --version' takes.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from porto_cli.api import Match, load, loads, new_game


def __getattr__(name: str) -> "Any":
    # The interface is imported when it is asked for, for the same reason.
    if name in __all__:
        from porto_cli import api

        return getattr(api, name)
    raise AttributeError(f"module 'porto_cli' has no attribute {name!r}")
