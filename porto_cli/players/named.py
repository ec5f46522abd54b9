"""Players by what people write: ``level-5``, ``5``, ``level-5:100``, ``mine.py:choose``.

Behind the name of a player of a game and a colon stand numbers that change it, where it has any:
``level-5:100`` and ``level-5:simulations=100`` are the same. A game has its players, and what they
can be given, as :class:`Players`. Other players are functions that a user has written, see
:mod:`~porto_cli.players.written`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

from porto_cli.core.errors import USAGE, SentenceError
from porto_cli.core.message import say
from porto_cli.game import game_of
from porto_cli.match.levels import level_named
from porto_cli.players import Player, random_player


class Parameter(NamedTuple):
    """A whole number that a player can be given: a keyword of its function, and what it may be."""

    name: str
    least: int
    most: int


class Players(NamedTuple):
    """The players of a game that are programs: any game has one that plays at random."""

    named: Mapping[str, Player] = MappingProxyType({"random": random_player})
    """The ways to play, by their names."""
    parameters: Mapping[str, Sequence[Parameter]] = MappingProxyType({})
    """What can be written after a name: ``level-5:100``."""


class NamedPlayer(NamedTuple):
    """A player and what it is called, in one spelling: ``level-5:100``.

    ``digest`` is that of the text of a player who is no part of the program, and who may be
    another one tomorrow under the same name.
    """

    name: str
    player: Player
    digest: str | None = None


class UnknownPlayerError(SentenceError, ValueError):
    """A text that names no player of the game."""

    exit_code = USAGE


def players_of(game_id: str) -> Mapping[str, Player]:
    """Return the players that come with a game, by their names."""
    return game_of(game_id).players.named


def parameters_of(game_id: str) -> Mapping[str, Sequence[Parameter]]:
    """Return what the players of a game can be given, by the names of those that can."""
    return game_of(game_id).players.parameters


def is_written(word: str, game_id: str) -> bool:
    """Tell whether a text names code of a user, which :func:`player_named` would run."""
    source, _, function = word.rpartition(":")
    if not source or not function.isidentifier() or not word.isprintable():
        return False
    return _known(source.partition(":")[0], game_id) is None


def player_named(word: str, game_id: str) -> NamedPlayer:
    """Return the player of a game that a text names; code of a user is loaded for that.

    Raises UnknownPlayerError, and what :func:`~porto_cli.players.written.written_player` raises.
    """
    if is_written(word, game_id):
        from porto_cli.players.written import written_player

        return NamedPlayer(*written_player(word, game_id))
    typed, colon, numbers = word.partition(":")
    name = _known(typed, game_id)
    if name is None and not colon:
        found = installed_player(typed, game_id)
        if found is not None:
            return found
    if name is None:
        raise UnknownPlayerError(
            say(
                "{word!r} is not a way to play; there are {known}.",
                word=word,
                known=", ".join(players_of(game_id)),
            )
        )
    player = players_of(game_id)[name]
    if not colon:
        return NamedPlayer(name, player)
    parameters = parameters_of(game_id).get(name, ())
    if not parameters:
        raise UnknownPlayerError(
            say("{word!r}: {name} takes no numbers; leave out ':'.", word=word, name=name)
        )
    given = _given(word, name, numbers, parameters)
    return NamedPlayer(_spelled(name, given, parameters), partial(player, **given))


def installed_player(name: str, game_id: str) -> NamedPlayer | None:
    """Return a player that an installed package registers for a game; ``None`` if none does.

    Raises what :func:`~porto_cli.players.written.written_player` raises.
    """
    from porto_cli.installed import player_entries

    entry = player_entries(game_id).get(name)
    if entry is None:
        return None
    from porto_cli.players.written import written_player

    _, player, digest = written_player(entry, game_id)
    return NamedPlayer(name, player, digest)


def _known(typed: str, game_id: str) -> str | None:
    """Return the name in the game that was typed, in any case and with or without ``level-``."""
    return level_named(typed, players_of(game_id))


def _given(word: str, name: str, numbers: str, parameters: Sequence[Parameter]) -> dict[str, int]:
    """Return the numbers behind a name, by the parameters that they are for."""
    first = parameters[0]
    by_name = {parameter.name: parameter for parameter in parameters}
    given: dict[str, int] = {}
    for part in numbers.lower().split(","):
        key, equals, number = part.rpartition("=")
        key = key if equals else first.name
        if key not in by_name or key in given:
            raise UnknownPlayerError(
                say(
                    "{word!r}: what {name} can be given, once each, is {known}, like "
                    "{name}:{example}={least}.",
                    word=word,
                    name=name,
                    known=", ".join(by_name),
                    example=first.name,
                    least=first.least,
                )
            )
        _, least, most = by_name[key]
        # More digits than that are too many in any case.
        is_number = number.isascii() and number.isdigit() and len(number) <= len(str(most))
        if not is_number or not least <= int(number) <= most:
            raise UnknownPlayerError(
                say(
                    "{word!r}: {key} is a whole number from {least} to {most}.",
                    word=word,
                    key=key,
                    least=least,
                    most=most,
                )
            )
        given[key] = int(number)
    return given


def _spelled(name: str, given: Mapping[str, int], parameters: Sequence[Parameter]) -> str:
    """Return a name with its numbers: in their order, and one that is the first alone as it is."""
    if list(given) == [parameters[0].name]:
        return f"{name}:{given[parameters[0].name]}"
    parts = [f"{one.name}={given[one.name]}" for one in parameters if one.name in given]
    return f"{name}:{','.join(parts)}"
