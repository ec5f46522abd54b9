"""Players that a user has written: a function in a file or module, named on the command line.

``mine.py:choose`` is the function ``choose`` of the file ``mine.py``, ``clever.players:choose``
that of a module that is installed. Nothing else names such code: what a file of others says is
never run. A function of one argument gets an observation and returns a move as text, see
:class:`~porto_cli.players.Observer`; one of three is a player as it is.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random
from traceback import extract_tb
from types import ModuleType
from typing import Any

from porto_cli.core.errors import INVALID, FileError, SentenceError
from porto_cli.core.message import say
from porto_cli.game import Move, View, game_of
from porto_cli.players import Observer, Player, seat_of

SUFFIX = ".py"
_LOOKING, _PLAYING = 1, 3
"""Arguments of a function that looks at an observation, and of a player."""


class WrittenPlayerError(SentenceError):
    """A player that a user has written cannot play: why, and where in the code."""

    exit_code = INVALID


@dataclass(frozen=True)
class WrittenPlayer:
    """A player that a user has written; in each process the code is loaded once."""

    game_id: str
    word: str
    """What it was called when it was asked for."""
    source: str
    """The whole path of a file, or the name of a module."""
    function: str

    def __call__(self, view: View, moves: Sequence[Move], luck: Random) -> Move:
        """Return the move that is chosen. Raises WrittenPlayerError if it is none, or illegal."""
        player = self.loaded()
        try:
            move = player(view, moves, luck)
            if move in moves:
                return move
            broken = game_of(self.game_id).violations(view.table, move, seat_of(view))
        except Exception as error:
            raise _failed(self.word, self.source, error) from None
        if broken:
            raise WrittenPlayerError(
                say(
                    "The player {word} has made an illegal move: {reason}",
                    word=self.word,
                    reason=broken[0].sentence,
                )
            )
        return move

    def loaded(self) -> Player:
        """Return the function as a player. Raises FileError, WrittenPlayerError."""
        return _loaded(self.game_id, self.word, self.source, self.function)


def written_player(word: str, game_id: str) -> tuple[str, WrittenPlayer, str]:
    """Return a player that ``FILE.py:FUNCTION`` or ``MODULE:FUNCTION`` names, as it was called,
    and a digest of its code. The code is run.

    Raises FileError if there is no such file, WrittenPlayerError if it has no such player.
    """
    source, _, function = word.rpartition(":")
    if source.endswith(SUFFIX):
        source = os.path.abspath(os.path.expanduser(source))
    player = WrittenPlayer(game_id, word, source, function)
    player.loaded()
    path = source if source.endswith(SUFFIX) else sys.modules[source].__file__
    text = Path(path).read_bytes() if path else b""
    return word, player, hashlib.sha256(text).hexdigest()[:16]


@cache
def _loaded(game_id: str, word: str, source: str, function: str) -> Player:
    module = _module(word, source)
    found: Callable[..., Any] | None = getattr(module, function, None)
    if not callable(found):
        raise WrittenPlayerError(
            say("{source} has no function {function}.", source=source, function=function)
        )
    try:
        wanted = [one for one in inspect.signature(found).parameters.values() if _is_needed(one)]
    except (TypeError, ValueError):
        wanted = []
    if len(wanted) == _LOOKING:
        return Observer(game_id, found)
    if len(wanted) == _PLAYING:
        return found
    raise WrittenPlayerError(
        say(
            "{word} takes {count} arguments. A player takes one, which is what its seat sees, or "
            "three: the view, the moves and a source of luck.",
            word=word,
            count=len(wanted),
        )
    )


def _is_needed(parameter: inspect.Parameter) -> bool:
    by_place = (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
    return parameter.kind in by_place and parameter.default is parameter.empty


def _module(word: str, source: str) -> ModuleType:
    if source.endswith(SUFFIX) and not os.path.isfile(source):
        raise FileError(say("There is no file {file} with a player.", file=source))
    try:
        return _of_a_file(source) if source.endswith(SUFFIX) else import_module(source)
    except ModuleNotFoundError as error:
        if error.name != source.partition(".")[0]:
            raise _failed(word, source, error) from None
        raise WrittenPlayerError(
            say(
                "There is no module {source}; a file is named with its ending, like "
                "mine.py:choose.",
                source=source,
            )
        ) from None
    except (Exception, SystemExit) as error:
        raise _failed(word, source, error) from None


def _of_a_file(path: str) -> ModuleType:
    name = f"porto_player_{hashlib.sha256(path.encode()).hexdigest()[:16]}"
    spec = spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    folder = os.path.dirname(path)
    # At the end, so that what stands beside the file is found, and hides nothing of ours.
    if folder not in sys.path:
        sys.path.append(folder)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _failed(word: str, source: str, error: BaseException) -> WrittenPlayerError:
    """Return what is wrong with a player, with the last line of its own code that led there."""
    lines = [one.lineno for one in extract_tb(error.__traceback__) if one.filename == source]
    what = f"{type(error).__name__}: {error}".rstrip(". ")
    if not lines:
        return WrittenPlayerError(
            say("The player {word} has failed: {what}.", word=word, what=what)
        )
    return WrittenPlayerError(
        say(
            "The player {word} has failed in line {line}: {what}.",
            word=word,
            line=lines[-1],
            what=what,
        )
    )
