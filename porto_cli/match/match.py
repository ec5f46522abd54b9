"""A match: set it up or load it; look at it, play, save. With ``porto_cli`` this is the Python
interface.

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

``porto_cli.load("friday.yaml")`` returns the game of a file, and :class:`Match` has what can be
done with it. All errors derive from :class:`~porto_cli.core.PortoError`:

* :class:`~porto_cli.core.yaml.InvalidFileError`, a text that is not a valid record
* :class:`~porto_cli.core.FileError`, a file that cannot be read or written
* :class:`~porto_cli.core.InvalidMoveError`, a text that is not a move
* :class:`~porto_cli.match.items.IllegalMoveError`, a move against the rules
* :class:`~porto_cli.core.PlayerNotNamedError`, a move that more than one player could make
* :class:`~porto_cli.core.chance.NothingTypedError` and
  :class:`~porto_cli.core.chance.NotInPileError`, for a game on a real table: what came up is
  missing, or impossible
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, Union

from porto_cli.core import PortoError, Violation, files, no_player, refuse, unnamed
from porto_cli.core.chance import Chance, Noted, TypedChance, choose, new_seed, seeded_chance
from porto_cli.core.yaml import InvalidFileError, read
from porto_cli.games import DEFAULT, game_of
from porto_cli.match import seat_named
from porto_cli.match.items import (
    ORDERING,
    SEAT,
    Apply,
    Past,
    Preview,
    begun,
    declared,
    demand_legal,
    in_order,
    made,
    preview,
    result_entries,
)
from porto_cli.match.record import (
    OPEN,
    SAID,
    SEALED,
    TABLE,
    Header,
    Record,
    changed_by_reading,
    explained,
    header_lines,
    new_text,
    read_again,
    unreadable,
)
from porto_cli.match.record import load as load_record
from porto_cli.match.replay import (
    Replay,
    Steps,
    applying,
    followed,
    last_mover,
    typed_in,
)
from porto_cli.match.seats import Holder, is_a_bot, seated
from porto_cli.seam import OVER, UNDO, Deal, Event, GameMeta, Move, Observation, Step

if TYPE_CHECKING:
    from porto_cli.match.items import Order

KeySource = object
"""The keys for a sealed game, or a function that returns those of the person at the keyboard; see
:class:`porto_cli.sealed.source.Sealed`. ``None`` stands for the keys of this computer."""

Comment = Callable[[Sequence[Event]], str]
"""Returns the comment for a move, given what happened; empty for no comment."""


PlayerName = Union[str, int]  # noqa: UP007 - evaluated at run time
"""A player: a name, as for ``--as``, or a seat, counted from 0 in turn order."""


class StepSource(Steps, Protocol):
    """Where the steps of a game come from, and who makes new ones.

    In an open game they follow from its items: with its seed or, at a real table, with what people
    type in. In a sealed one they follow from signed steps, and the items only repeat them. By
    default everything that needs a key is refused.
    """

    def replayed(self, record: Record) -> Match:
        """Replay a record in full and return its game. Raises InvalidFileError where it breaks a
        rule, or contradicts its seed or its signed steps.
        """

    def played(
        self, game: Match, moves: Sequence[Move], seat: int, came_up: Chance | None, note: Comment
    ) -> Match:
        """Return a game after exactly these moves of a seat, each with its comment; ``came_up`` is
        what came up on a real table. Raises IllegalMoveError, PortoError.
        """

    def taken_back(self, game: Match, seat: int, dry_run: bool) -> Match:
        """Return a game after the last turn of a seat was taken back. Raises IllegalMoveError,
        PortoError.
        """

    def own_seats(self, game: Match) -> list[int]:
        """Return the seats that can be played with the keys at hand; none in games without keys."""
        return []

    def cannot_reveal(self, game: Match, seat: int) -> str | None:
        """Return why a player cannot reveal now; ``None`` if they can."""
        return "Players reveal what they have hidden only in a sealed game."

    def revealed(self, game: Match, seat: int) -> Match:
        """Return a game in which a player has published what was hidden. Raises PortoError."""
        refuse(f"{self.cannot_reveal(game, seat)}")

    def given_up(
        self, game: Match, seats: Sequence[int], others: Iterable[int]
    ) -> tuple[Match, list[int]]:
        """Return a game in which players have stated that others have vanished, and the seats for
        which this is new. Raises PortoError.
        """
        refuse("Only in a sealed game do players state that others have vanished.")


class Match(Replay):
    """A game in progress: a record, and what follows from it.

    ``path`` is the file it came from, or ``None`` for a game that was not saved yet.

    Where a method takes a ``player``, this is a name or a seat, by default the player to move; it
    raises LookupError if there is no such player. A fair program looks at the game through
    :meth:`observe` and :meth:`preview`; ``record``, ``state`` and ``steps`` show everything.

    A match of a sealed game holds nothing private. What only the keys at hand can decrypt is in
    :attr:`known`, which everything asked or done for a player uses.

    The methods that act change the match: :meth:`declare` and :meth:`note` set single attributes;
    :meth:`make` (and so :meth:`play`), :meth:`undo`, :meth:`reveal` and :meth:`give_up` get another
    match from the source and take over all of its attributes by :meth:`become`.
    """

    source: StepSource
    path: Path | None = None
    _on_disk: str | None = None

    def become(self, other: Match) -> None:
        """Take over all attributes of another match, which is this game after some act."""
        self.__dict__.update(other.__dict__)

    @property
    def replay(self) -> Match:
        """The game as it is now: a copy that later moves in this match do not change."""
        return self._replace()

    # -- Who plays

    @property
    def bots(self) -> dict[str, str]:
        """The players that are bots, with their types: ``{"Rui": "level-4"}``."""
        return {self.players[seat]: bot for seat, bot in self.bot_seats.items()}

    def seat(self, player: PlayerName | None = None) -> int:
        """Return the seat of a player, by default the player to move. Raises LookupError."""
        if player is None:
            return int(self.state.seat)
        if isinstance(player, int):
            if not 0 <= player < len(self.players):
                raise LookupError(player)
            return player
        return self.seat_named(player)

    def own_seats(self) -> list[int]:
        """Return the seats that can be played with the keys at hand; none in games without keys."""
        return self.source.own_seats(self)

    # -- Looking, and moves that are not made

    def to_move(self) -> list[str]:
        """Return the names of the players to move."""
        return [self.players[seat] for seat in self.game.to_move(self.state)]

    def observe(self, player: PlayerName | None = None) -> Observation:
        """Return what a player may see and do; by default, what a spectator sees.

        Nothing in it is hidden from that player, not even what the keys at hand would reveal about
        others, so a bot that sees nothing else plays fairly.
        """
        seat = None if player is None else self.seat(player)
        known = self.known_to(seat)
        return known.game.observe(known.state, seat, known.turns())

    def legal_moves(self, player: PlayerName | None = None) -> list[Move]:
        """Return every legal move of a player, by default of the player to move."""
        return self.game.legal_moves(self.known.state, self.seat(player))

    def text(self, move: Move) -> str:
        """Return the text of a move that could be made now. For a move that was made, use the table
        before it (:func:`porto_cli.match.replay.decisions`), as things may have moved since.
        """
        return self.game.format_move(move, self.known.state)

    def move(self, text: str, player: PlayerName | None = None) -> Move:
        """Return the move of a text. Raises InvalidMoveError."""
        return self.game.parse_move(text, self.known.state, self.seat(player))

    def check(self, move: Move | str, player: PlayerName | None = None) -> list[Violation]:
        """Return every rule that a move would break; none if it is legal.

        Raises InvalidMoveError for a text that is not a move, TypeError and ValueError for a move
        with invalid values.
        """
        seat = self.seat(player)
        return self.game.violations(self.known.state, self._as_move(move, seat), seat)

    def preview(self, *moves: Move | str, player: PlayerName | None = None) -> list[Event]:
        """Return the events that moves would lead to, without making them.

        They include neither what would come up nor what the end of the game would reveal, so
        nothing hidden can be learned. Raises InvalidMoveError, IllegalMoveError,
        PlayerNotNamedError.
        """
        return list(self.foresee(*moves, player=player).events)

    def foresee(self, *moves: Move | str, player: PlayerName | None = None) -> Preview:
        """Return what moves would lead to, with the phase and the players to move afterward.

        Raises InvalidMoveError, IllegalMoveError, PlayerNotNamedError.
        """
        seat, wanted = self._wanted(moves, player)
        return preview(self.game, self.known.state, wanted, seat)

    def pending_draws(
        self,
        *moves: Move | str,
        player: PlayerName | None = None,
        came_up: TypedChance | None = None,
    ) -> dict[str, int]:
        """Return how many things these moves turn up, by the stream that they come from.

        ``came_up`` is what is already known of them. Raises NotInPileError if that cannot come up.
        """
        chance, seat, state = Noted(came_up), self.seat(player), self.state
        for move in moves:
            state, _ = self.game.apply(state, self._as_move(move, seat), chance, seat)
        return chance.counts

    # -- Acting

    def play(
        self,
        *moves: Move | str,
        player: PlayerName | None = None,
        came_up: TypedChance | None = None,
    ) -> list[Event]:
        """Play one move, or a build and its contracts, and return what happened.

        ``came_up`` is what came up on a real table (``secrecy: table``). The score of a build is
        added as a comment. For a secret choice, such as keeping private contracts, ``player`` is
        required unless there is only one.

        Raises InvalidMoveError, IllegalMoveError, PlayerNotNamedError, and for a real table
        NothingTypedError, NotInPileError; then nothing has changed.
        """
        seat, wanted = self._wanted(moves, player)
        return self.make(wanted, seat, came_up)

    def make(
        self,
        moves: Sequence[Move],
        seat: int,
        came_up: TypedChance | None = None,
        *,
        mark: str = "",
    ) -> list[Event]:
        """Make exactly these moves of a seat, and return what happened; ``mark`` begins the
        comment. Raises what :meth:`play` raises.
        """

        def comment(events: Sequence[Event]) -> str:
            return "; ".join(filter(None, (mark, self.game.remark(events, self.config))))

        before = self.steps
        self.become(self.source.played(self, moves, seat, came_up, comment))
        events = [event for step in self.steps[len(before) :] for event in step.events]
        if before:
            # A decision that the last item was waiting for was added to that item, so what happened
            # begins with the events by which it has grown.
            last = self.steps[len(before) - 1]
            events = [*last.events[len(before[-1].events) :], *events]
        return events

    def order(self, text: str, player: PlayerName) -> Order:
        """Order ahead what a player will do when a decision is due, see porto-order(1).

        Raises InvalidMoveError, and RefusedError if nothing can be ordered now.
        """
        from porto_cli.match.orders import given

        seat = self.seat(player)
        order = given(self, text, seat)
        self.declare(ORDERING + order.text, seat)
        return order

    def seat_to(self, text: str, player: PlayerName) -> None:
        """Say for a player who plays their seat from here on: ``to NAME``, ``bot LEVEL version
        NUMBER``, ``out``, or ``back`` for the one who played it at the beginning.

        Raises InvalidMoveError, RefusedError.
        """
        self.declare(SEAT + text, self.seat(player))

    def declare(self, text: str, seat: int) -> None:
        """Append an item other than a turn: an order of a player, or who plays the seat, with the
        text that it has in a record. Raises InvalidMoveError, RefusedError.
        """
        new, state = declared(self.past(), len(self.record.items), seat, text, self.state)
        holder = self.seats[seat]
        if new.order is None and holder == new.seats[seat]._replace(turn=holder.turn):
            refuse(f"Nothing to change: {holder.plays(self.players[seat])}")
        self.record = self.record.with_item(new.entries)
        self.declarations, self.state = (*self.declarations, new), state

    def undo(self, player: PlayerName | None = None, *, dry_run: bool = False) -> None:
        """Take back the last turn of a player, by default of the player who moved last, together
        with the bots' turns since.

        To take back a secret choice, ``player`` is required unless there is only one. In a
        ``dry_run`` nothing is signed, so a sealed game cannot be saved afterward.

        Raises IllegalMoveError, PlayerNotNamedError.
        """
        if player is None:
            if self.takes_back_a_secret():
                unnamed(self.game.whose_secret(self.players))
            last = last_mover(self)
            seat = self.people[0] if last is None else last
        else:
            seat = self.seat(player)
        self.become(self.source.taken_back(self, seat, dry_run))

    def cannot_reveal(self, player: PlayerName) -> str | None:
        """Return why a player of a sealed game cannot reveal now; ``None`` if they can."""
        return self.source.cannot_reveal(self, self.seat(player))

    def reveal(self, player: PlayerName) -> None:
        """Publish what a player of a sealed game has hidden. Raises PortoError."""
        self.become(self.source.revealed(self, self.seat(player)))

    def give_up(self, *others: PlayerName, player: PlayerName | Sequence[int]) -> list[int]:
        """State for a player of a sealed game, or for several with one key, that others have
        vanished. Returns the seats for which this is new. Raises PortoError.
        """
        seats = [self.seat(player)] if isinstance(player, str | int) else player
        after, stated = self.source.given_up(self, seats, map(self.seat, others))
        self.become(after)
        return stated

    def undone(self, seat: int, past: Past) -> Match:
        """Return the game after this seat has taken back the last turn, which has to be legal.

        ``past`` is what was played so far; the undo is added to it.
        """
        record = self.record.with_item([(self.players[seat], UNDO)])
        undo = past.take_back(len(record.items) - 1, seat)
        return self._replace(record=record, steps=tuple(past.steps), state=undo.after)

    def takes_back_a_secret(self) -> bool:
        """Return whether an undo would take back a secret choice (P-SETUP-5)."""
        last = self.past().standing_of_people[-1:]
        moves = [move for place in last for move in self.steps[place].moves]
        return len(self.people) > 1 and any(map(self.game.is_secret, moves))

    def item_for(self, seat: int, move: Move) -> Step:
        """Return the item that a move of this player belongs to: the last one of the record if it
        is waiting for this move, otherwise a new one without moves.

        What other players do while a turn is waiting for a decision is an item of its own.
        """
        last = self.steps[-1] if self.steps else None
        if (
            last
            and last.seat == seat
            and last.moves
            and not self.game.is_secret(last.moves[-1])
            and last.item == len(self.record.items) - 1
            and self.game.follow_up(last.after) is not None
            and self.game.continues(self.state, move, seat)
        ):
            return last
        return begun(len(self.record.items), seat, self.state)

    def note(self, comment: str) -> None:
        """Write a comment where the next turn will be, unless it is already there."""
        noted = self.record.with_comment(comment)
        if self.record.human.splitlines()[-1:] != noted.human.splitlines()[-1:]:
            self.record = noted

    def _wanted(
        self, moves: Sequence[Move | str], player: PlayerName | None
    ) -> tuple[int, list[Move]]:
        """Return the seat and the complete moves that were asked for."""
        seat = self.seat(player)
        wanted = [self._as_move(move, seat) for move in moves]
        if player is None and any(map(self.game.is_secret, wanted)):
            if len(self.players) > 1 and self.game.secret_movers(self.state):
                unnamed(self.game.whose_secret(self.players))
        return seat, self.game.turn_moves(self.known.state, wanted, seat)

    def _as_move(self, move: Move | str, seat: int) -> Move:
        return self.move(move, seat) if isinstance(move, str) else move

    # -- The file

    def save(self, path: str | os.PathLike[str] | None = None) -> None:
        """Write the record, by default to the file that it came from, after reading it back.

        Warns, as Python does, if a power cut could undo it. Raises FileError, also if the file has
        changed since it was loaded; then nothing is written.
        """
        self.read_back()
        text, to = self.record.text, self.path if path is None else Path(path)
        if to is None:
            raise ValueError("A new game needs a path to be saved to.")
        try:
            if to != self.path or self._on_disk is None:
                files.create(to, text)
            else:
                files.replace(to, text, was=self._on_disk)
        except Warning:
            # Python can be told to raise warnings; this one says that the file is written.
            self.path, self._on_disk = to, text
            raise
        self.path, self._on_disk = to, text

    def is_saved(self) -> bool:
        """Return whether the file still holds exactly this record."""
        if self.path is None or self.record.text != self._on_disk:
            return False
        try:
            return files.read_text(self.path) == self._on_disk
        except PortoError:
            return False

    def read_back(self) -> None:
        """Read the record as it is now, replay it in full, and compare.

        Raises FileError if this does not lead to the same game, or if the record has become too
        large; then it must not be written.
        """
        if self.record.text == self._on_disk:
            return
        written = read_again(self.record)
        try:
            again = self.source.replayed(written)
        except InvalidFileError as error:
            raise unreadable(error) from error
        if again.state != self.state or again.digest != self.digest:
            raise changed_by_reading()


# -- Games whose steps follow from their items


class Open(StepSource):
    """The source of a game whose steps follow from its items, with a seed or, at a real table, with
    what people type in.
    """

    def __init__(self, record: Record) -> None:
        self._seeded = seeded_chance(record.seed) if record.secrecy == OPEN else None

    def replayed(self, record: Record) -> Match:
        """Replay a record in full and return its game. Raises InvalidFileError where it breaks a
        rule or contradicts its seed.
        """
        return Match(record, self, *followed(record, self._seeded))

    def again(self, game: Replay, step: Step) -> Apply:
        """Return the function that makes the moves of a step once more."""
        return applying(game.game, self._seeded or typed_in(game.record, step.item))

    def played(
        self, game: Match, moves: Sequence[Move], seat: int, came_up: Chance | None, note: Comment
    ) -> Match:
        """Return a game after moves, with one item for each turn.

        Raises IllegalMoveError, and NothingTypedError if it is not known what comes up.
        """
        rules, rest = game.game, list(moves)
        apply = applying(rules, self._seeded or came_up or TypedChance())
        while rest:
            record, step = game.record, game.item_for(seat, rest[0])
            goes_on = bool(step.moves)
            steps = game.steps[:-1] if goes_on else game.steps
            after = made(rules, step, rest, game.players[seat], apply, rules.format_move)
            remark = note(after.events[len(step.events) :])
            entries = after.entries[len(step.entries) :]
            write = record.with_more if goes_on else record.with_item
            record, steps = write(entries, remark), (*steps, after)
            if after.after.phase == OVER:
                written = in_order(steps, game.declarations)
                record = record.with_item(result_entries(record, after.after, written))
            game = game._replace(record=record, state=after.after, steps=steps)
        return game

    def taken_back(self, game: Match, seat: int, dry_run: bool) -> Match:
        """Return a game after the bots' turns since the last turn of a seat were taken back one by
        one, and then that turn. Raises IllegalMoveError.
        """
        past = game.past()
        demand_legal(past.check_whole(seat))
        while (place := past.last) >= 0 and (
            (mover := game.steps[place].seat) in game.bots_at(place)
        ):
            game = game.undone(mover, past)
        return game.undone(seat, past)


# -- A new game, and one like another; sealed ones are set up in ``porto_cli.sealed.chain``


def new_game(
    players: Iterable[str],
    *,
    game: str = DEFAULT,
    seed: str | None = None,
    first: str | None = None,
    title: str = "",
    setup: Deal | None = None,
    name: str = "GAME.yaml",
    bots: Mapping[str, str] | None = None,
    hints: str = "",
    **options: Any,
) -> Match:
    """Set up a game and return it, unsaved.

    ``players`` sit clockwise; the ``first`` is chosen at random by default (P-SETUP-4). With
    ``setup``, what was dealt on a real table, the game has ``secrecy: table`` and no seed.
    ``name`` is the file named in the record's first line. ``bots`` are the players that are bots,
    like ``{"Rui": "level-4"}``; :func:`porto_cli.players.named.play_bots` makes their moves.
    ``hints`` is ``"told"`` if hints should be noted in the record, ``"none"`` if they are not
    allowed. The ``options`` are those of the game, for Porto ``private_contracts``, ``seat_first``,
    ``timer`` and ``edition``. Raises ValueError for invalid names, seeds, bots or options.
    """
    played = game_of(game)
    order = list(players)
    seed = (seed or new_seed()) if setup is None else ""
    by_chance = choose(seed, "first", 0, len(order)) if seed and order else 0
    start = by_chance if first is None else seat_named(order, first)
    order = order[start:] + order[:start]
    seats = _seats(played.meta, order, bots or {})
    config = played.new_config(order, **options)
    secrecy = OPEN if setup is None else TABLE
    return _set_up(Header(played, config, setup, secrecy, seed, seats, hints), name, title)


def play_again(match: Match, name: str) -> Match:
    """Set up a game with the same players, bots and options as another one, and return it, unsaved.

    It has a new seed, and the first player is chosen at random. ``name`` is as in :func:`new_game`.
    """
    game, record, seed = match.game, match.record, new_seed()
    start = choose(seed, "first", 0, len(match.players))
    order = (*match.players[start:], *match.players[:start])
    config = game.read_config(read(record.text, name), order)
    seats = _seats(game.meta, order, {one.name: one.bot for one in record.seats if one.bot})
    return _set_up(Header(game, config, None, OPEN, seed, seats, record.hints), name)


def _set_up(head: Header, name: str, title: str = "") -> Match:
    """Return a game with the deal of its header, from a real table, or else the deal of the seed.

    Raises ValueError for names, a seed, a title or bots that no record can have.
    """
    if head.deal is None:
        head = head._replace(deal=head.game.deal(head.config, seeded_chance(head.seed)))
    try:
        return loads(new_text(header_lines(head), title=title, name=name), name)
    except InvalidFileError as error:
        raise ValueError(error.sentence) from None


def _seats(meta: GameMeta, players: Sequence[str], bots: Mapping[str, str]) -> tuple[Holder, ...]:
    """Return who plays the seats. Raises ValueError."""
    for player, name in bots.items():
        if player not in players:
            raise ValueError(no_player(player, players))
        if not is_a_bot(name, meta):
            raise ValueError(f"There is no bot {name!r}; there are {', '.join(meta.bots)}.")
    return seated(players, bots, meta.bots_version)


# -- From a file, or a text


def load(path: str | os.PathLike[str], keys: KeySource = None) -> Match:
    """Return the game of a record file; ``-`` reads standard input.

    ``keys`` are for a sealed game, by default those of this computer. Raises FileError,
    InvalidFileError, and NotReadyError for a game that is still being set up.
    """
    path = Path(path)
    text = ""
    try:
        text = files.read_text(path)
        match = loads(text, files.name_of(path), keys)
    except InvalidFileError as error:
        raise type(error)(*explained(error, text, path)) from None
    match.path, match._on_disk = path, text
    return match


def loads(text: str, file: str = "record", keys: KeySource = None) -> Match:
    """Return the game of a record's text. Raises InvalidFileError, NotReadyError."""
    return opened(load_record(text, file), keys)


def opened(record: Record, keys: KeySource = None) -> Match:
    """Replay a record of any kind.

    A sealed game is replayed as far as ``keys``, by default those of this computer, can open it.
    Raises InvalidFileError where it breaks a rule or contradicts itself, and NotReadyError for a
    sealed game that is still being set up.
    """
    source: StepSource = Open(record)
    if record.secrecy == SEALED:
        # Only sealed games load this module, which imports this one.
        source = import_module("porto_cli.sealed.source").Sealed(keys)
    match = source.replayed(record)
    if SAID not in record.human and not match.has_sittings:
        return match
    # Most games have no such news, and need not load this.
    from porto_cli.match.said import with_news

    return with_news(match)
