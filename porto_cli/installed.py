"""Games and players of other packages: entry points.

    [project.entry-points."porto.games"]
    nim = "porto_nim:NIM"

    [project.entry-points."porto.players"]
    "nim.perfect" = "porto_nim_players:perfect"

The name of a game is that in a record, its object a :class:`porto_cli.game.Game`. The name of a
player begins with that of its game; its object is what ``FILE.py:FUNCTION`` names as well, see
:mod:`porto_cli.players.written`. The metadata of installed packages is read only when a game or a
player is named that is not in the box, and when all of them are listed; a package is loaded when
its game or its player is asked for.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from porto_cli.core.errors import TROUBLE, SentenceError
from porto_cli.core.message import Sentence, say

GROUP = "porto.games"
PLAYERS_GROUP = "porto.players"
BOX_PACKAGE = "porto_cli."
"""How the entry points of the box begin, which need not be read to be found."""
_FRAME = re.compile(r'File "(.+)", line (\d+)')
"""A frame of a traceback: the file and the line."""


class UnusableGameError(SentenceError):
    """A game of another package that is installed, and cannot be used: why, and what to do."""

    exit_code = TROUBLE


@cache
def _found() -> Mapping[str, tuple[EntryPoint, ...]]:
    """Return the entry points of each name; more than one if several packages claim it."""
    found: dict[str, tuple[EntryPoint, ...]] = {}
    for one in entry_points(group=GROUP):
        if not one.value.startswith(BOX_PACKAGE) and one not in found.get(one.name, ()):
            found[one.name] = (*found.get(one.name, ()), one)
    return found


def names() -> frozenset[str]:
    """Return the names of the games of other packages, whether they can be used or not."""
    return frozenset(_found())


def usable() -> list[str]:
    """Return the names of the games of other packages that can be used, in alphabetic order."""
    from porto_cli.game import BOX, game_of

    found = []
    for name in sorted(names() - BOX.keys()):
        try:
            game_of(name)
        except UnusableGameError:
            continue
        found.append(name)
    return found


def unusable() -> list[Sentence]:
    """Return what is wrong with the games of other packages that cannot be used."""
    from porto_cli.game import BOX, game_of

    told = []
    for name in sorted(names()):
        if name in BOX:
            told.append(
                say(
                    "The package {package} has a game called {name!r}, which is the name of a game "
                    "of porto; it is not used. Uninstall it, or ask its author to rename the game.",
                    package=_packages(name),
                    name=name,
                )
            )
            continue
        try:
            game_of(name)
        except UnusableGameError as error:
            told.append(error.sentence)
    return told


@cache
def player_entries(game_id: str) -> Mapping[str, str]:
    """Return the players of a game that other packages have: names, and ``MODULE:FUNCTION``."""
    game = f"{game_id}."
    return {
        one.name.removeprefix(game): one.value
        for one in entry_points(group=PLAYERS_GROUP)
        if one.name.startswith(game)
    }


def _packages(name: str) -> str:
    found = (one.dist.name if one.dist else one.value for one in _found()[name])
    return " and ".join(dict.fromkeys(found))


# An entry point can name any object; what is returned is checked to be a game.
def load(name: str) -> Any:
    """Return the game of another package. Raises KeyError, UnusableGameError."""
    first, *others = _found()[name]
    if others:
        raise UnusableGameError(
            say(
                "More than one installed package has a game called {name!r}: {packages}. Uninstall "
                "all but one of them.",
                name=name,
                packages=_packages(name),
            )
        )
    try:
        game = first.load()
    except (Exception, SystemExit) as error:
        raise UnusableGameError(
            say(
                "The game {name!r} of the package {package} cannot be loaded ({what}). Install a "
                "newer version of the package, or report this to its author.",
                name=name,
                package=_packages(name),
                what=f"{type(error).__name__}: {error}".rstrip(". "),
            )
        ) from error
    fault = _fault(name, game)
    if fault:
        raise UnusableGameError(fault)
    return game


def failure(error: Exception) -> Sentence | None:
    """Say which game of another package has failed; ``None`` if the error did not pass through the
    code of any.
    """
    from traceback import format_exception

    from porto_cli.game import BOX, loaded

    # As text, because an error from another process comes without its frames.
    frames = _FRAME.findall("".join(format_exception(error)))
    for name in loaded().keys() - BOX.keys():
        for file, line in reversed(frames):
            if _is_of(name, file):
                return say(
                    "The game {name!r} of the package {package} has failed in {file}, line {line} "
                    "({what}). Install a newer version of the package, or report this to its "
                    "author.",
                    name=name,
                    package=_packages(name),
                    file=file,
                    line=line,
                    what=f"{type(error).__name__}: {error}".rstrip(". :"),
                )
    return None


def _is_of(name: str, file: str) -> bool:
    """Tell whether a file belongs to the package, or the module, that a game is in."""
    module = sys.modules.get(_found()[name][0].module.partition(".")[0])
    if module is None or not module.__file__:
        return False
    own = Path(module.__file__)
    return own.parent in Path(file).parents if own.stem == "__init__" else own == Path(file)


def _fault(name: str, game: Any) -> Sentence | None:
    """Say why an object is not a game that can be played under a name."""
    from porto_cli.game import SEAM, Game, GameMeta

    package = _packages(name)
    meta = getattr(game, "meta", None)
    if not isinstance(game, Game) or not isinstance(meta, GameMeta):
        return say(
            "The entry point {name!r} of the package {package} names no game: it has to be an "
            "object of a class derived from porto_cli.game.Game. Report this to its author.",
            name=name,
            package=package,
        )
    if meta.seam != SEAM:
        return say(
            "The game {name!r} of the package {package} was written for version {theirs} of the "
            "interface of games, and this program has version {ours}. Install a newer version of "
            "{older}.",
            name=name,
            package=package,
            theirs=meta.seam,
            ours=SEAM,
            older=package if meta.seam < SEAM else "porto-cli",
        )
    if meta.id != name:
        return say(
            "The package {package} calls its game {name!r} in its metadata and {other!r} in its "
            "code. Report this to its author.",
            package=package,
            name=name,
            other=meta.id,
        )
    return None
