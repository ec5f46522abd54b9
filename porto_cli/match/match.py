"""The Python interface: load a record, look at it, play, save. The commands use the same.

>>> import porto_cli
>>> match = porto_cli.new_game(["Inês", "Joana"], seed="tram", first="Inês")
>>> match.to_move()
['Inês']
>>> _ = match.play("keep 1 2 5", player="Inês")
>>> match.legal_moves()[:3]
[<Draw @1>, <Draw @2>, <Draw @3>]
>>> match.observe("Inês")["moves"][0]["move"]
'draw green-3'
>>> match.play("draw red-2 blue-1")
[<Drew seat=0 cards=red-2,blue-1>, <Refilled row=cards came_up=purple-1,yellow-1>]
>>> match.save("friday.yaml")  # doctest: +SKIP

``porto_cli.load("friday.yaml")`` returns the game of a file, and :class:`Match` says what can be
done with it. All errors are a :class:`~porto_cli.core.message.PortoError`:

* :class:`~porto_cli.core.yaml.InvalidFileError`, a text that is not a valid record
* :class:`~porto_cli.core.message.FileError`, a file that cannot be read or written
* :class:`~porto_cli.core.message.InvalidMoveError`, a text that is not a move
* :class:`~porto_cli.match.replay.IllegalMoveError`, a move against the rules
* :class:`PlayerNotNamedError`, a move that more than one player could make
* :class:`~porto_cli.core.chance.NothingTypedError` and
  :class:`~porto_cli.core.chance.NotInPileError`, for a game on a real table: what came up was not
  given, or cannot come up
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Union

from porto_cli.core import files
from porto_cli.core.chance import (
    Chance,
    NothingTypedError,
    TypedChance,
    seeded_chance,
)
from porto_cli.core.message import USAGE, PortoError, Violation
from porto_cli.core.yaml import InvalidFileError
from porto_cli.game import (
    OVER,
    Config,
    Event,
    Game,
    Move,
    Observation,
    State,
    Step,
)
from porto_cli.match import play as unsigned
from porto_cli.match.declarations import SEAT
from porto_cli.match.names import seat_of
from porto_cli.match.record import (
    OPEN,
    SAID,
    Record,
    changed_by_reading,
    read_again,
    unreadable,
)
from porto_cli.match.record import load as load_record
from porto_cli.match.replay import Replay, chain_of, replay
from porto_cli.match.seats import last_of_people

if TYPE_CHECKING:
    from porto_cli.match.chain import Keys
    from porto_cli.match.ordered import Decided
    from porto_cli.match.orders import Order
    from porto_cli.match.play import Preview

    KeySource = Callable[[bool], Keys]
    """Returns the keys of who is at the keyboard; if asked to, it makes one first."""

PlayerName = Union[str, int]  # noqa: UP007 - evaluated at run time
"""A player: a name, as for ``--as``, or a seat, counted from 0 in turn order."""


class PlayerNotNamedError(PortoError, ValueError):
    """A secret choice for which the player has to be named: one of ``players``."""

    exit_code = USAGE

    def __init__(self, players: Sequence[str], sentence: str) -> None:
        super().__init__(players, sentence)
        self.players = tuple(players)
        self.sentence = sentence

    @property
    def sentences(self) -> tuple[str, ...]:
        """The one sentence."""
        return (self.sentence,)


class Match:
    """A game in progress: a record, and what follows from it.

    ``path`` is the file it came from, or ``None`` for a game that was not saved yet.

    Where a method takes a ``player``, that is a name or a seat, by default the player to move.
    Raises LookupError if there is no such player. A fair program looks at the game through
    :meth:`observe` and :meth:`preview`; ``replay``, ``record`` and ``state`` show everything.
    """

    def __init__(
        self, game: Replay, path: Path | None = None, keys: Keys | KeySource | None = None
    ) -> None:
        self.replay = game
        self.path = path
        self._keys = keys
        self._on_disk = game.record.text if path else None

    @property
    def record(self) -> Record:
        """The record as it is now, saved or not, with the secrets of the players."""
        return self.replay.record

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.record.game

    @property
    def config(self) -> Config:
        """The players and options."""
        return self.record.config

    @property
    def state(self) -> State:
        """The table as it is now, *including hidden things*: what is face down, and what the
        players keep secret. A bot that looks at it cheats; see :meth:`observe`.
        """
        return self.replay.state

    @property
    def players(self) -> tuple[str, ...]:
        """The players in turn order."""
        players: tuple[str, ...] = self.config.players
        return players

    @property
    def people(self) -> list[int]:
        """The seats that people play."""
        return self.replay.people

    @property
    def bots(self) -> dict[str, str]:
        """The players that are bots, with their types: ``{"Rui": "level-4"}``."""
        return {self.players[seat]: bot for seat, bot in self.replay.bots.items()}

    @property
    def goes_on_by_itself(self) -> bool:
        """Whether somebody's moves may be made without asking: those of bots, or by orders."""
        return bool(self.replay.bots or self.replay.declarations)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.state.phase == OVER)

    @property
    def fingerprint(self) -> str:
        """The first 8 digits of the digest: a checksum against accidents, not against cheating."""
        return self.replay.fingerprint

    @property
    def digest(self) -> str:
        """The hash of the record's content: 64 hexadecimal digits."""
        return self.replay.digest

    def seat(self, player: PlayerName | None = None) -> int:
        """Return the seat of a player, by default the player to move. Raises LookupError."""
        if player is None:
            return int(self.state.seat)
        if isinstance(player, int):
            if not 0 <= player < len(self.players):
                raise LookupError(player)
            return player
        if player in self.players:
            return self.players.index(player)
        seat = seat_of(self.replay.holders, player)
        seat = seat_of(self.players, player) if seat is None else seat
        if seat is None:
            raise LookupError(player)
        return seat

    def to_move(self) -> list[str]:
        """Return the names of the players who are to move."""
        return [self.players[seat] for seat in self.game.to_move(self.state)]

    def observe(self, player: PlayerName | None = None) -> Observation:
        """Return what a player may see and do; by default, what a spectator sees.

        It has nothing that is hidden from that player, so that a bot that sees nothing else
        plays fairly.
        """
        seat = None if player is None else self.seat(player)
        return self.game.observe(self.state, seat, self.replay.turns())

    def legal_moves(self, player: PlayerName | None = None) -> list[Move]:
        """Return every legal move of a player, by default of the player to move."""
        return self.game.legal_moves(self.state, self.seat(player))

    def text(self, move: Move) -> str:
        """Return a move that could be made now as text. One that was made is spelled by the table
        before it (:func:`porto_cli.match.replay.decisions`): things may lie elsewhere since.
        """
        return self.game.format_move(move, self.state)

    def move(self, text: str, player: PlayerName | None = None) -> Move:
        """Return the move of a text. Raises InvalidMoveError."""
        return self.game.parse_move(text, self.state, self.seat(player))

    def check(self, move: Move | str, player: PlayerName | None = None) -> list[Violation]:
        """Return every rule that a move would break; none if it is legal.

        Raises InvalidMoveError for a text that is not a move, TypeError and ValueError for a move
        with invalid values.
        """
        seat = self.seat(player)
        return self.game.violations(self.state, self._as_move(move, seat), seat)

    def play(
        self,
        *moves: Move | str,
        player: PlayerName | None = None,
        came_up: TypedChance | None = None,
        remark: bool = True,
    ) -> list[Event]:
        """Play one move, or a build and its contracts, and return what happened.

        ``came_up`` is what came up on a real table (``secrecy: table``). ``remark`` adds the score
        of a build as a comment. For a secret choice, such as keeping private contracts, ``player``
        is required unless there is only one.

        Raises InvalidMoveError, IllegalMoveError, PlayerNotNamedError, and for a real table
        NothingTypedError, NotInPileError; nothing has changed then.
        """
        seat, wanted = self._wanted(moves, player)
        steps = self.replay.steps
        if self.record.seals is None:
            chance = self._chance(came_up)
            self.replay = unsigned.play(self.replay, wanted, seat, chance, remark=remark)
        else:
            from porto_cli.match import sealed_play

            keys = self._keys_for(seat)
            self.replay = sealed_play.play(self.replay, wanted, seat, keys, remark=remark)
        return self._happened_since(steps)

    def play_ordered(self, decided: Decided) -> list[Event]:
        """Make the move that an order of a player decides, and return what happened.

        ``decided`` is from :meth:`ordered_move`. Raises NothingTypedError at a real table, if
        something comes up then.
        """
        from porto_cli.match.ordered import MARK

        steps = self.replay.steps
        chance = self._chance(None)
        self.replay = unsigned.play(
            self.replay, [decided.move], decided.seat, chance, remark=True, mark=MARK
        )
        return self._happened_since(steps)

    def ordered_move(self) -> Decided | None:
        """Return what an order decides now; ``None`` if there is nothing."""
        if not self.replay.declarations or self.record.seals is not None:
            return None
        from porto_cli.match import ordered

        return ordered.due(self.replay)

    def _happened_since(self, steps: tuple[Step, ...]) -> list[Event]:
        """Return what happened since the game had only these steps."""
        events = [event for step in self.replay.steps[len(steps) :] for event in step.events]
        if steps:
            gone_on = self.replay.steps[len(steps) - 1]
            events = [*gone_on.events[len(steps[-1].events) :], *events]
        return events

    def preview(self, *moves: Move | str, player: PlayerName | None = None) -> list[Event]:
        """Return the events that moves would lead to, without making them.

        They do not include what would come up, and what the end of the game would reveal, so that
        nothing hidden can be learned. Raises InvalidMoveError, IllegalMoveError,
        PlayerNotNamedError.
        """
        return list(self.foresee(*moves, player=player).events)

    def foresee(self, *moves: Move | str, player: PlayerName | None = None) -> Preview:
        """Return what :meth:`preview` returns, with the phase and the players to move afterwards.

        Raises InvalidMoveError, IllegalMoveError, PlayerNotNamedError.
        """
        from porto_cli.match.play import preview

        seat, wanted = self._wanted(moves, player)
        return preview(self.game, self.state, wanted, seat)

    def pending_draws(
        self,
        *moves: Move | str,
        player: PlayerName | None = None,
        came_up: TypedChance | None = None,
    ) -> dict[str, int]:
        """Return how many things come up with these moves, by the stream that they come from.

        ``came_up`` is what is known of them already. Raises NotInPileError if that cannot come up.
        """
        counts: dict[str, int] = {}
        typed = came_up or TypedChance()

        def count(stream: str, index: int, pile: bytes, /) -> int:
            counts[stream] = counts.get(stream, 0) + 1
            try:
                return typed(stream, index, pile)
            except NothingTypedError:
                return 0

        seat = self.seat(player)
        state = self.state
        for move in moves:
            state, _ = self.game.apply(state, self._as_move(move, seat), count, seat)
        return counts

    def order(self, text: str, player: PlayerName) -> Order:
        """Order what a player will do when a decision waits, see porto-order(1).

        Raises InvalidMoveError, and RefusedError if it cannot be given now.
        """
        from porto_cli.match.ordered import declare

        seat = self.seat(player)
        self.replay = declare(self.replay, text, seat)
        order = self.replay.declarations[-1].order
        assert order is not None
        return order

    def seat_to(self, text: str, player: PlayerName) -> None:
        """Let a player say who plays their seat from here on: ``to NAME``, ``bot LEVEL version
        NUMBER``, ``out``, or ``back`` for who played it at the beginning.

        Raises InvalidMoveError, RefusedError.
        """
        self.replay = unsigned.sit(self.replay, SEAT + text, self.seat(player))

    def undo(self, player: PlayerName | None = None, *, dry_run: bool = False) -> None:
        """Take back the last turn of a player, by default of the player who moved last, and with it
        the turns that bots have made since.

        To take back a secret choice, ``player`` is required unless there is only one. In a
        ``dry_run`` nothing is signed, so that a sealed game cannot be saved then.

        Raises IllegalMoveError, PlayerNotNamedError.
        """
        if player is None:
            if self.takes_back_a_secret():
                raise PlayerNotNamedError(self.players, self.game.whose_secret(self.players))
            last = last_of_people(self.replay.bots_at, self.replay.steps)
            seat = self.replay.steps[last].seat if last >= 0 else self.people[0]
        else:
            seat = self.seat(player)
        if self.record.seals is None:
            self.replay = unsigned.undo(self.replay, seat)
        else:
            from porto_cli.match import sealed_play

            keys = self._keys_for(seat)
            self.replay = sealed_play.undo(self.replay, seat, keys, dry_run=dry_run)

    def _key_of(self, seat: int) -> bytes:
        """Return the public key with which a seat of a sealed game signs."""
        chain = chain_of(self.replay)
        return chain.keys[chain.players.index(self.players[seat])]

    def _keys_for(self, seat: int) -> Keys:
        """Return the keys with which a seat of a sealed game moves: those given, or those of this
        computer. Raises PortoError.
        """
        from porto_cli.match.chain import not_the_key
        from porto_cli.match.holder import is_without_a_key

        if is_without_a_key(self._keys):
            raise not_the_key(self.players[seat], self._key_of(seat))
        self._keys = keys_of(self._keys, make=True)
        return self._keys

    def own_seats(self) -> list[int]:
        """Return the seats that can be played with the keys at hand; none in games without keys."""
        if self.replay.chain is None:
            return []
        public = keys_of(self._keys, make=False).public
        return [seat for seat in range(len(self.players)) if self._key_of(seat) == public]

    @property
    def notices(self) -> tuple[str, ...]:
        """Notices about the keys for users, such as a lost journal."""
        return tuple(getattr(self._keys, "notices", ()))

    def cannot_reveal(self, player: PlayerName) -> str | None:
        """Return why a player of a sealed game cannot reveal now; ``None`` if they can."""
        from porto_cli.match.sealed_play import can_reveal

        return can_reveal(self.replay, self.seat(player))

    def reveal(self, player: PlayerName) -> None:
        """Publish what a player of a sealed game has hidden. Raises PortoError."""
        from porto_cli.match.sealed_play import reveal

        seat = self.seat(player)
        self.replay = reveal(self.replay, seat, self._keys_for(seat))

    def give_up(self, *others: PlayerName, player: PlayerName | Sequence[int]) -> list[int]:
        """State for a player of a sealed game, or for several with one key, that others have
        vanished. Returns the seats for which it was not stated before. Raises PortoError.
        """
        from porto_cli.match.sealed_play import give_up

        gone = [self.seat(other) for other in others]
        seats = [self.seat(player)] if isinstance(player, str | int) else player
        self.replay, stated = give_up(self.replay, seats, gone, self._keys_for(seats[0]))
        return stated

    def note(self, comment: str) -> None:
        """Write a comment where the next turn will be, unless it is there already."""
        noted = self.record.with_comment(comment)
        if self.record.human.splitlines()[-1:] != noted.human.splitlines()[-1:]:
            self.replay = self.replay._replace(record=noted)

    def takes_back_a_secret(self) -> bool:
        """Return whether an undo would take back a secret choice (P-SETUP-5)."""
        last = last_of_people(self.replay.bots_at, self.replay.steps, standing=True)
        return (
            len(self.people) > 1
            and last >= 0
            and any(self.game.is_secret(move) for move in self.replay.steps[last].moves)
        )

    def save(self, path: str | os.PathLike[str] | None = None) -> tuple[str, ...]:
        """Write the record, by default to the file that it came from.

        It is read back first. Returns a sentence if a power cut could undo it. Raises FileError,
        also if the file has changed since it was loaded; nothing is written then.
        """
        self.read_back()
        text = self.record.text
        notices: tuple[str, ...] = ()
        if path is not None and (self.path is None or Path(path) != self.path):
            files.create(Path(path), text)
            self.path = Path(path)
        elif self.path is None:
            raise ValueError("A new game needs a path to be saved to.")
        elif self._on_disk is None:
            files.create(self.path, text)
        else:
            notices = files.replace(self.path, text, was=self._on_disk)
        self._on_disk = text
        return notices

    def is_saved(self) -> bool:
        """Return whether the file has the record as it is here; not if it was changed since."""
        if self.path is None or self.record.text != self._on_disk:
            return False
        try:
            return files.read_text(self.path) == self._on_disk
        except PortoError:
            return False

    def read_back(self) -> None:
        """Read the record as it is now, replay it in full, and compare.

        Raises FileError if that does not lead to the same game, or if the record has become too
        large. It must not be written then.
        """
        if self.record.text == self._on_disk:
            return
        written = read_again(self.record)
        try:
            again = opened(written, self._keys)
        except InvalidFileError as error:
            raise unreadable(error) from error
        if again.state != self.state or again.digest != self.digest:
            raise changed_by_reading()

    def _wanted(
        self, moves: Sequence[Move | str], player: PlayerName | None
    ) -> tuple[int, list[Move]]:
        """Return the seat and the moves that are meant."""
        seat = self.seat(player)
        wanted = [self._as_move(move, seat) for move in moves]
        if player is None and any(map(self.game.is_secret, wanted)):
            if len(self.players) > 1 and self.game.secret_movers(self.state):
                raise PlayerNotNamedError(self.players, self.game.whose_secret(self.players))
        return seat, self.game.turn_moves(self.state, wanted, seat)

    def _as_move(self, move: Move | str, seat: int) -> Move:
        return self.game.parse_move(move, self.state, seat) if isinstance(move, str) else move

    def _chance(self, came_up: TypedChance | None) -> Chance:
        if self.record.secrecy == OPEN:
            return seeded_chance(self.record.seed)
        return came_up or TypedChance()


def load(path: str | os.PathLike[str], keys: Keys | KeySource | None = None) -> Match:
    """Return the game of a record file; ``-`` reads standard input.

    ``keys`` are those for a sealed game, by default those of this computer.
    Raises FileError, InvalidFileError, and NotReadyError for a game that is still being set up.
    """
    path = Path(path)
    text = files.read_text(path)
    try:
        return Match(opened(load_record(text, files.name_of(path)), keys), path, keys)
    except InvalidFileError as error:
        if text.endswith("\n") or error.place.line <= text.count("\n"):
            raise
        cut = (
            f"{error.sentence} The last line has no end: the rest of the file may be "
            "missing, for example cut off in a mail."
        )
        raise InvalidFileError(error.place, cut) from None


def loads(text: str, file: str = "record", keys: Keys | KeySource | None = None) -> Match:
    """Return the game of a record's text. Raises InvalidFileError, NotReadyError."""
    return Match(opened(load_record(text, file), keys), keys=keys)


def keys_of(keys: Keys | KeySource | None, *, make: bool) -> Keys:
    """Return the given keys, or those of this computer; ``make`` creates one if there are none.

    Raises PortoError.
    """
    if keys is None:
        from porto_cli.match.holder import own

        return own(make=make)
    return keys(make) if callable(keys) else keys


def opened(record: Record, keys: Keys | KeySource | None = None) -> Replay:
    """Replay a record of any kind.

    A sealed game is replayed as far as ``keys``, by default those of this computer, can open it.
    Raises InvalidFileError where it breaks a rule or contradicts itself, and NotReadyError for a
    sealed game that is still being set up.
    """
    if record.seals is None:
        return _with_news(replay(record))
    from porto_cli.match.sealed_replay import replay_sealed

    keys = keys_of(keys, make=False)
    found = replay_sealed(record, keys)
    keys.see(chain_of(found))
    return _with_news(found)


def _with_news(found: Replay) -> Replay:
    if SAID not in found.record.human and not found.has_sittings:
        return found
    from porto_cli.match.said import with_news

    return with_news(found)
