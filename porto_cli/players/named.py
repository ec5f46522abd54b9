"""Players by their names, as people type them, and bots: programs that hold seats in ordinary games
beside people.

A record names the seats that bots hold (:mod:`porto_cli.match.seats`), or gives them one later
(:mod:`porto_cli.match.items`). Their moves follow from it: a bot gets what its seat may know, the
moves, and a random number generator, seeded by the seed, the seat and the number of its decisions
that were not taken back. So a bot decides the same again after an undo, whatever comes up, and
anyone can verify its moves.

>>> import porto_cli
>>> match = porto_cli.new_game(["Ana", "Rui"], seed="tram", first="Ana", bots={"Rui": "level-3"})
>>> [(turn.player, turn.moves) for turn in porto_cli.play_bots(match)]
[('Rui', ('keep',))]
>>> _ = match.play("keep 1 2 3", player="Ana")
>>> _ = match.play("draw blue-1 red-2", player="Ana")
>>> [(turn.player, turn.moves) for turn in porto_cli.play_bots(match)]
[('Rui', ('draw purple-1 purple-2',))]
"""

from __future__ import annotations

import hashlib
import inspect
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random
from traceback import extract_tb
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

from porto_cli.core import INVALID, USAGE, FileError, SentenceError, cited
from porto_cli.core.chance import NothingTypedError
from porto_cli.core.files import FROM_OUTSIDE
from porto_cli.games import game_of
from porto_cli.home import demand_no_other_writer
from porto_cli.match.items import seats_at
from porto_cli.match.orders import MARK
from porto_cli.match.orders import due as ordered
from porto_cli.match.replay import Replay, due
from porto_cli.match.replay import decisions as replayed
from porto_cli.match.seats import BotTurn, level_named
from porto_cli.players import Coach, Player, seat_of
from porto_cli.seam import Move, Observation, State, View
from porto_cli.simulate import simulation_of

if TYPE_CHECKING:
    from porto_cli.match.match import Match

# -- Players by what people write: ``level-5``, ``5``, ``level-5:100``, ``mine.py:choose``
#
# A player's number follows its name and a colon: ``level-5:100`` and ``level-5:simulations=100``
# are the same. A game's players and their numbers are its ``porto_cli.players.Players``.
#
# Other players are functions that a user has written: ``mine.py:choose`` is the function ``choose``
# of the file ``mine.py``, ``clever.players:choose`` that of an installed module. Only the command
# line and the user's settings can name such code; code named by a received file is never run. A
# function with one argument gets an observation and returns a move as text, see ``Observer``; one
# with three is a player itself.


@dataclass(frozen=True)
class Observer:
    """A player who sees what people see: an observation, with moves as text.

    ``choose`` returns one of the moves of an observation of the game, in the notation. This is
    slower than a player who gets the view, but needs no knowledge of the state. To play in other
    processes ``choose`` has to be a function that can be imported there.
    """

    game_id: str
    choose: Callable[[Observation], str]

    def __call__(self, view: View, moves: Sequence[Move], rng: Random) -> Move:
        """Return the move that is chosen. Raises InvalidMoveError for a text that is not a move."""
        seat = seat_of(view)
        game = game_of(self.game_id)
        text = self.choose(game.observe(view.table, seat))
        move = game.parse_move(text, view.table, seat)
        return game.canonical_move(view.table, move)


class NamedPlayer(NamedTuple):
    """A player and its name in the standard spelling: ``level-5:100``.

    ``digest`` is the digest of the source of a player that is not part of the program, whose code
    can change under the same name.
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


def coach_of(game_id: str) -> Coach | None:
    """Return the coach of a game; ``None`` if it has none."""
    return game_of(game_id).coach


def is_written(word: str, game_id: str) -> bool:
    """Return whether a text names a user's code, which :func:`player_named` would run."""
    source, _, function = word.rpartition(":")
    if not source or not function.isidentifier() or not word.isprintable():
        return False
    return level_named(source.partition(":")[0], players_of(game_id)) is None


def player_named(word: str, game_id: str) -> NamedPlayer:
    """Return the player of a game that a text names; a user's code is loaded for that.

    Raises UnknownPlayerError, and what :func:`written_player` raises.
    """
    if is_written(word, game_id):
        return written_player(word, game_id)
    typed, colon, number = word.partition(":")
    # In any case, and with or without 'level-'.
    name = level_named(typed, players_of(game_id))
    if name is None:
        added = None if colon else added_player(typed, game_id)
        if added is None:
            raise UnknownPlayerError(
                f"{cited(word)} is not a known player; there are {', '.join(players_of(game_id))}."
            )
        return added
    player = players_of(game_id)[name]
    if not colon:
        return NamedPlayer(name, player)
    parameter = game_of(game_id).players.parameters.get(name)
    if parameter is None:
        raise UnknownPlayerError(f"{cited(word)}: {name} takes no number; leave out ':'.")
    key, least, most = parameter
    digits = number.lower().removeprefix(f"{key}=")
    # More digits than that are too many in any case.
    is_number = digits.isascii() and digits.isdigit() and len(digits) <= len(str(most))
    if not is_number or not least <= int(digits) <= most:
        raise UnknownPlayerError(
            f"{cited(word)}: {key} is a whole number from {least} to {most}, like {name}:{least}."
        )
    return NamedPlayer(f"{name}:{int(digits)}", partial(player, **{key: int(digits)}))


def added_player(name: str, game_id: str) -> NamedPlayer | None:
    """Return a player that an installed package has for a game, or the settings of the user;
    ``None`` if neither has one of this name. The code is run.

    Raises FileError if somebody else could have written those settings or the file that they
    name, and what :func:`written_player` raises.
    """
    from porto_cli import installed, settings

    entry = installed.player_entries(game_id).get(name)
    if not entry:
        entry = settings.settings().players.get(name)
        if entry is None:
            return None
        for path in (settings.settings_file(), Path(entry.rpartition(":")[0])):
            demand_no_other_writer(path)
    return written_player(entry, game_id)._replace(name=name)


# -- Players that a user has written


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
    """The name by which it was requested."""
    source: str
    """The whole path of a file, or the name of a module."""
    function: str

    def __call__(self, view: View, moves: Sequence[Move], rng: Random) -> Move:
        """Return the move that is chosen. Raises WrittenPlayerError if it is not a legal move."""
        player = _loaded(self)
        with _running(self.word, self.source):
            move = player(view, moves, rng)
            if move in moves:
                return move
            broken = game_of(self.game_id).violations(view.table, move, seat_of(view))
        if broken:
            raise WrittenPlayerError(
                f"The player {self.word} has made an illegal move: {broken[0].sentence}"
            )
        return move


def written_player(word: str, game_id: str) -> NamedPlayer:
    """Return a player that ``FILE.py:FUNCTION`` or ``MODULE:FUNCTION`` names, as it was called.

    The code is run. Raises FileError if there is no such file, WrittenPlayerError if it has no such
    player.
    """
    source, _, function = word.rpartition(":")
    if source.endswith(SUFFIX):
        source = os.path.abspath(os.path.expanduser(source))
    player = WrittenPlayer(game_id, word, source, function)
    _loaded(player)
    path = source if source.endswith(SUFFIX) else sys.modules[source].__file__
    text = Path(path).read_bytes() if path else b""
    return NamedPlayer(word, player, hashlib.sha256(text).hexdigest()[:16])


@cache
def _loaded(player: WrittenPlayer) -> Player:
    word, source = player.word, player.source
    if source.endswith(SUFFIX) and not os.path.isfile(source):
        raise FileError(f"There is no file {source} with a player.")
    with _running(word, source):
        found: Callable[..., Any] | None = getattr(_module(source), player.function, None)
        if not callable(found):
            raise WrittenPlayerError(f"{source} has no function {player.function}.")
        parameters = inspect.signature(found).parameters.values()
    by_place = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    wanted = [one for one in parameters if one.kind in by_place and one.default is one.empty]
    if len(wanted) == _LOOKING:
        return Observer(player.game_id, found)
    if len(wanted) == _PLAYING:
        return found
    raise WrittenPlayerError(
        f"{word} takes {len(wanted)} arguments. A player takes one, which is what its "
        "seat sees, or three: the view, the moves and a random number generator."
    )


def _module(source: str) -> ModuleType:
    try:
        return _of_a_file(source) if source.endswith(SUFFIX) else import_module(source)
    except ModuleNotFoundError as error:
        if error.name != source.partition(".")[0]:
            raise
        raise WrittenPlayerError(
            f"There is no module {source}; a file is named with its ending, like mine.py:choose."
        ) from None


def _of_a_file(path: str) -> ModuleType:
    name = f"porto_player_{hashlib.sha256(path.encode()).hexdigest()[:16]}"
    spec = spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    folder = os.path.dirname(path)
    # At the end, so that modules beside the file are found, and shadow none of ours.
    if folder not in sys.path:
        sys.path.append(folder)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@contextmanager
def _running(word: str, source: str) -> Iterator[None]:
    """Run code of a user: whatever comes out of it is an error of the player, ``sys.exit()``
    included, but for what ends the program from outside.

    Raises WrittenPlayerError.
    """
    try:
        yield
    except (*FROM_OUTSIDE, WrittenPlayerError):
        raise
    except BaseException as error:
        # The last line of its own code that led there.
        lines = [one.lineno for one in extract_tb(error.__traceback__) if one.filename == source]
        where = f" in line {lines[-1]}" if lines else ""
        what = f"{type(error).__name__}: {error}".rstrip(". :")
        raise WrittenPlayerError(f"The player {word} has failed{where}: {what}.") from None


# -- Bots


def play_bots(match: Match) -> list[BotTurn]:
    """Let bots move, and orders decide, until a person has to decide or the game is over; return
    what they have done.

    Nothing is saved. There is nothing to do in a game without bots and orders.
    """
    played: list[BotTurn] = []
    while True:
        count = len(match.steps)
        turn = play_a_bot(match)
        if turn is None:
            return played
        if count == len(match.steps):
            first = played.pop() if played else turn._replace(moves=(), events=())
            turn = turn._replace(moves=first.moves + turn.moves, events=first.events + turn.events)
        played.append(turn)


def play_a_bot(match: Match) -> BotTurn | None:
    """Let the bot, or the order, make one decision whose turn it is; ``None`` if a person has to.

    At a real table an order makes no move after which something comes up.
    """
    seat = due(match)
    if seat is not None:
        return _play(match, seat)
    if not match.declarations:
        return None
    move, seat = ordered(match), int(match.state.seat)
    if move is None:
        return None
    try:
        events = match.make([move], seat, mark=MARK)
    except NothingTypedError:
        return None
    before = replayed(match, match.steps[-1])[-1].before
    return BotTurn(match.players[seat], "", (match.game.format_move(move, before),), tuple(events))


def _play(match: Match, seat: int) -> BotTurn:
    decided = sum(len(step.moves) for step in match.steps if step.seat == seat and not step.undone)
    move = choice(match, match.state, seat, decided)
    text = match.text(move)
    shown = text.split()[0] if match.game.is_secret(move) else text
    events = match.play(move, player=seat)
    return BotTurn(match.players[seat], match.bot_seats[seat], (shown,), tuple(events))


def choice(replay: Replay, state: State, seat: int, decided: int, bot: str = "") -> Move:
    """Return the move that a bot makes in a state of its game.

    ``decided`` is how many decisions of the seat came before it and were not taken back, those of
    people included. ``bot`` is the player type, by default that which holds the seat now.
    """
    game = replay.game
    bot = bot or replay.bot_seats[seat]
    simulation = simulation_of(game.meta.id)
    rng = Random(f"porto/1/{replay.record.seed}/bot-{seat}/{decided}")
    is_next = seat == state.seat
    moves = simulation.choices(state, rng) if is_next else game.legal_moves(state, seat)
    player = _player(bot, game.meta.id)
    return player(game.view(state, seat), moves, rng)


def _player(name: str, game_id: str) -> Player:
    """Return the player that holds a seat: one of the game's, of an installed package, or of the
    user's settings.
    """
    own = players_of(game_id).get(name)
    if own is not None:
        return own
    found = added_player(name, game_id)
    if found is None:
        raise UnknownPlayerError(
            f"There is no player {cited(name)} anymore; 'porto seat' lets another one "
            "play in its place."
        )
    return found.player


class BotMove(NamedTuple):
    """A decision of a bot in a record: what it did, and what it could know before."""

    place: int
    """The place of its step in ``replay.steps``."""
    seat: int
    state: State
    move: Move
    decided: int
    bot: str
    """The player type, of ``version``."""
    version: int


def bot_decisions(replay: Replay) -> Iterator[BotMove]:
    """Yield the decisions of all bots of a game, those included that were taken back."""
    if not replay.bot_versions:
        return
    decided = [0] * len(replay.config.players)
    for place, step in enumerate(replay.steps):
        seat = step.seat
        if step.takes_back is not None:
            decided[seat] -= len(replay.steps[step.takes_back].moves)
            continue
        held = seats_at(replay.record, replay.declarations, place)[seat]
        if not held.bot:
            decided[seat] += len(step.moves)
            continue
        for one in replayed(replay, step):
            yield BotMove(place, seat, one.before, one.move, decided[seat], held.bot, held.version)
            decided[seat] += 1


def expected(replay: Replay, one: BotMove) -> Move | None:
    """Return what a bot would have done instead; ``None`` if it has done that."""
    move = choice(replay, one.state, one.seat, one.decided, one.bot)
    return None if replay.game.is_same(one.state, move, one.move) else move
