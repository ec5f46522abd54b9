"""Replaying a record: its items, as people wrote them, are played; and looking at the turns of a
game one by one.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from typing import Any, NamedTuple, Protocol, Self, TypeVar

from porto_cli.core import InvalidMoveError, RefusedError, cited, plural
from porto_cli.core.chance import Chance, NothingTypedError, NotInPileError, TypedChance
from porto_cli.core.shell import FILE, word_of
from porto_cli.core.yaml import InvalidFileError, MissingKeyError, Place
from porto_cli.games import Game
from porto_cli.match import is_called, seat_named, seats_of
from porto_cli.match.items import (
    ORDERING,
    SEAT,
    SHORT,
    Apply,
    Declaration,
    Digester,
    IllegalMoveError,
    Past,
    Written,
    begun,
    check_result,
    declared,
    demand_legal,
    fail_without_result,
    in_order,
    read_decision,
    seats_at,
    standing,
    stands,
    table_without,
    with_decision,
)
from porto_cli.match.record import Entries, Record
from porto_cli.match.seats import Holder, bots_among
from porto_cli.seam import OVER, UNDO, Advice, Config, Event, Move, State, Step, with_level

# -- Playing the items of a record
#
# State is never stored: it is always replayed, and what came up according to the record is compared
# with what its seed decides.


def followed(
    record: Record, seeded: Chance | None
) -> tuple[State, State, tuple[Step, ...], tuple[Declaration, ...]]:
    """Play the items of a record, with the chance of its seed or, without one, with what they say
    came up. Return the tables before and after them, the steps, and the declarations.

    Raises InvalidFileError where the record breaks a rule or contradicts its seed.
    """
    game = record.game
    state = opening = _opening(record, seeded)
    seats = {player: seat for seat, player in enumerate(record.config.players)}
    steps: list[Step] = []
    declarations: list[Declaration] = []
    past = Past(record, steps, declarations)
    apply = applying(game, seeded) if seeded else None
    number = 0
    result_due = False
    digester: Digester | None = None
    try:
        for number, item in enumerate(record.items):
            player, text = item.entries[0]
            seat, lower = seats.get(player), text.lower()
            if result_due or seat is None:
                written = in_order(steps, declarations)
                digester = digester or Digester(record)
                check_result(record, number, state, written, digester, due=result_due)
                result_due = False
            elif lower == UNDO or lower.startswith((ORDERING, SEAT)):
                if len(item.entries) > 1:
                    record.fail(f"A new item has to begin after {cited(text)}.", number, 1)
                if lower == UNDO:
                    demand_legal(past.check(seat))
                    state = past.take_back(number, seat).after
                else:
                    declaration, state = declared(past, number, seat, text, state)
                    declarations.append(declaration)
            else:
                by = apply or applying(game, typed_in(record, number))
                step = _item(record, number, seat, state, by)
                steps.append(step)
                state = step.after
                result_due = state.phase == OVER
    except (NothingTypedError, NotInPileError) as error:
        record.fail(game.chance_fault(error), number)
    except (InvalidMoveError, RefusedError) as error:
        record.fail(" ".join(error.sentences), number)
    if result_due:
        fail_without_result(record)
    return opening, state, tuple(steps), tuple(declarations)


def _opening(record: Record, seeded: Chance | None) -> State:
    """Return the initial state. Raises InvalidFileError if a seed contradicts the setup."""
    game, config, setup = record.game, record.config, record.deal
    if seeded:
        dealt = game.deal(config, seeded)
        fault = game.deal_fault(config, setup, dealt)
        if fault:
            raise InvalidFileError(Place(record.file, *record.lines["setup"]), fault)
        setup = dealt
    return game.initial_state(config, setup)


def applying(game: Game, chance: Chance) -> Apply:
    """Return the function that makes moves with a chance that knows what comes up."""
    return lambda state, move, seat: game.apply(state, move, chance, seat)


def _item(record: Record, number: int, seat: int, before: State, apply: Apply) -> Step:
    """Make the decisions of an item, and compare its entries with the result. Raises
    InvalidFileError.
    """
    game, given, step = record.game, record.items[number].entries, begun(number, seat, before)
    while (place := len(step.entries)) < len(given):
        try:
            move, text = read_decision(game, step.after, seat, given[place], later=bool(place))
        except (InvalidMoveError, IllegalMoveError) as error:
            record.fail(" ".join(error.sentences), number, place)
        step = with_decision(game, step, (given[place][0], text), move, apply)
        if given[: len(step.entries)] != step.entries:
            _compare(record, number, step.entries, place + 1)
    return step


def _compare(record: Record, number: int, right: Entries, start: int) -> None:
    """Require that an item has the right entries of chance from ``start`` on. Raises
    InvalidFileError.
    """
    game, given = record.game, record.items[number].entries
    for entry, (key, expected) in enumerate(right[start:], start):
        if entry >= len(given) or given[entry][0] != key:
            missing = f"The turn has to continue with '{key}: {expected}'."
            raise MissingKeyError(record.place(number, min(entry, len(given) - 1)), missing)
        text = given[entry][1]
        if text == expected:
            continue
        things = _things(record, number, entry)
        if things is None or things != game.read_chance(key, expected):
            wrong = f"{cited(expected)} comes up here, not {cited(text)}."
            record.fail(wrong, number, entry)


def _things(record: Record, number: int, entry: int) -> tuple[str, bytes] | None:
    """Return the stream of an entry, and what came up. Raises InvalidFileError."""
    try:
        return record.game.read_chance(*record.items[number].entries[entry])
    except InvalidMoveError as error:
        record.fail(error.sentence, number, entry)


def typed_in(record: Record, number: int) -> TypedChance:
    """Return the chance that gives what people typed into an item at a real table.

    Raises InvalidFileError where that cannot be read.
    """
    entries = range(1, len(record.items[number].entries))
    return typed_chance(record.game, [_things(record, number, entry) for entry in entries])


def typed_chance(game: Game, came_up: Iterable[tuple[str, bytes] | None]) -> TypedChance:
    """Return the chance that gives these things, each with its stream."""
    streams: dict[str, bytes] = {}
    for stream, things in filter(None, came_up):
        streams[stream] = streams.get(stream, b"") + things
    return TypedChance(game.meta.unordered, **streams)


# -- Looking at the turns of a game: one by one, since a player's last turn, and whose turn it is


class SignedSteps(Protocol):
    """What can be asked here of the signed steps of a sealed game."""

    @property
    def game(self) -> bytes:
        """The hash that identifies the game."""

    @property
    def table_code(self) -> str:
        """The code by which people compare their copies."""

    @property
    def signers(self) -> Sequence[int]:
        """Who signed each step, by their numbers in seating order."""

    @property
    def hashes(self) -> Sequence[bytes]:
        """The hash before each step, and after the last one: each covers all steps before it, but
        not their signatures.
        """


class SealedFacts(Protocol):
    """What can be asked here of a sealed game besides its table; the rest is for
    :mod:`porto_cli.sealed`.
    """

    order: tuple[int, ...]
    """For each seat its player's number in seating order."""
    given_up: frozenset[int]
    """The seats of players who were given up."""
    awaited: dict[int, frozenset[int]]
    """The seats named as vanished, each with the seats that have named it so far."""
    revealed: dict[int, bytes]
    """The revealed seeds, by numbers in seating order."""

    @property
    def chain(self) -> SignedSteps:
        """The signed steps."""

    @property
    def secrets(self) -> Container[int]:
        """The players, by numbers in seating order, whose keys are at hand."""

    @property
    def stopped(self) -> bool:
        """Whether the game cannot go on, because too many players were given up before the end."""

    @property
    def is_played_out(self) -> bool:
        """Whether the last turn is over: nobody has anything left but to reveal."""

    def undecided(self, gone: int) -> list[int]:
        """Return the seats that have yet to state that a player has vanished."""


class Steps(Protocol):
    """The part of the source of a game's steps that is needed to look at the game."""

    sealed: SealedFacts | None = None
    """What is known of a sealed game besides its table; ``None`` in others."""

    def again(self, game: Replay, step: Step) -> Apply:
        """Return the function that makes the moves of a step once more, one by one."""

    def seen(self, game: AnyReplay, *, with_keys: bool) -> AnyReplay:
        """Return a game as everybody may know it, or with what only the keys at hand reveal."""
        return game


class Replay:
    """A record and everything that follows from it, to look at.

    All of its attributes are immutable values, so :meth:`_replace` makes a changed copy. What can
    be done with a game is in :class:`porto_cli.match.match.Match`.
    """

    def __init__(
        self,
        record: Record,
        source: Steps,
        opening: State,
        state: State,
        steps: tuple[Step, ...] = (),
        declarations: tuple[Declaration, ...] = (),
    ) -> None:
        self.record = record
        """The record as it is now, saved or not, including the players' secrets."""
        self.source = source
        self.opening = opening
        self.state = state
        """The table as it is now, *including hidden things* that follow from the record: what is
        face down, and what the players keep secret. A bot that looks at it cheats; see
        ``Match.observe``. In a sealed game it has nothing that takes a key, see :attr:`known`."""
        self.steps = steps
        self.declarations = declarations
        """The items that say what is ordered, or who plays a seat."""

    def _replace(self, **changes: Any) -> Self:
        """Return a copy that differs in these attributes."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__, **changes)
        return other

    # -- Who plays what

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.record.game

    @property
    def config(self) -> Config:
        """The players and options."""
        return self.record.config

    @property
    def chain(self) -> SignedSteps | None:
        """The signed steps of a sealed game; ``None`` in others."""
        return None if self.sealed is None else self.sealed.chain

    @property
    def sealed(self) -> SealedFacts | None:
        """What is known of a sealed game besides its table; ``None`` in others."""
        return self.source.sealed

    @property
    def players(self) -> tuple[str, ...]:
        """The players in turn order."""
        players: tuple[str, ...] = self.config.players
        return players

    @property
    def seats(self) -> tuple[Holder, ...]:
        """Who plays the seats now."""
        return seats_at(self.record, self.declarations)

    @property
    def holders(self) -> tuple[str, ...]:
        """The names of those who play the seats now: the players or their substitutes."""
        return tuple(one.name for one in self.seats)

    def seat_named(self, name: str) -> int:
        """Return the seat that a typed name means, see :func:`porto_cli.match.seats_of`.

        A player's full name means their original seat, whoever plays it now. Any other name is
        looked for among those who play now, then among the original players. Raises
        UnknownNameError.
        """
        seats = seats_of(self.players, name)
        whole = [seat for seat in seats if is_called(self.players[seat], name)]
        return seat_named(self.holders, name, whole or seats_of(self.holders, name) or seats)

    def seat_played_by(self, name: str) -> int:
        """Return the seat of the player with a typed name; raises InvalidMoveError as well if
        somebody else plays it now.
        """
        seat = self.seat_named(name)
        if not seats_of([self.holders[seat]], name):
            raise InvalidMoveError(self.seats[seat].plays(self.players[seat]))
        return seat

    @property
    def people(self) -> list[int]:
        """The seats that people play now."""
        return [seat for seat, holder in enumerate(self.seats) if not holder.bot and not holder.out]

    @property
    def people_to_move(self) -> list[int]:
        """The seats to move now that people play."""
        people = self.people
        return [seat for seat in self.game.to_move(self.state) if seat in people]

    @property
    def bot_seats(self) -> dict[int, str]:
        """The seats that bots hold now, with their player types."""
        return bots_among(self.seats)

    def bots_at(self, place: int) -> dict[int, str]:
        """Return the seats that bots held at the step with this index."""
        return bots_among(seats_at(self.record, self.declarations, place))

    @property
    def bot_versions(self) -> dict[int, set[int]]:
        """The versions of the bots that hold or have held a seat, by seat."""
        found: dict[int, set[int]] = {}
        for seats in (self.record.seats, *(one.seats for one in self.declarations)):
            for seat in bots_among(seats):
                found.setdefault(seat, set()).add(seats[seat].version)
        return dict(sorted(found.items()))

    @property
    def has_sittings(self) -> bool:
        """Whether a seat has changed hands since the beginning."""
        return any(one.order is None for one in self.declarations)

    @property
    def goes_on_by_itself(self) -> bool:
        """Whether somebody's moves may be made without asking: those of bots, or by orders."""
        return bool(self.bot_seats or self.declarations)

    # -- What was played

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.state.phase == OVER)

    @property
    def written(self) -> Sequence[Written]:
        """The items of the record except its result, as far as the steps go."""
        return in_order(self.steps, self.declarations)

    @property
    def digest(self) -> str:
        """The hash of the record's content in canonical form, without comments and title: 64
        hexadecimal digits. Two records with the same fingerprint can be made on purpose, but not
        two with the same digest.
        """
        return Digester(self.record).digest(self.written)

    def digests(self) -> list[str]:
        """Return the digests before the first item and after each one; each item is read once."""
        return list(Digester(self.record).digests(self.written))

    @property
    def fingerprint(self) -> str:
        """The first 8 digits of the digest: a checksum against accidents, not against cheating."""
        return self.digest[:SHORT]

    def last_step(self) -> Step | None:
        """Return the last step that was not taken back."""
        return next(filter(stands, reversed(self.steps)), None)

    def turns(self) -> list[Step]:
        """Return the steps that were not taken back, in order."""
        return standing(self.steps)

    def past(self) -> Past:
        """Return what was played so far, as needed for undos."""
        return Past(self.record, list(self.steps), self.declarations)

    @property
    def known(self) -> Self:
        """The game with what only the keys at hand reveal: in a sealed game what was dealt to their
        player, what was kept of it, and what comes up if that player is next. It must not be passed
        on. Any other game is unchanged.
        """
        return self.source.seen(self, with_keys=True)

    def known_to(self, seat: int | None) -> Self:
        """Return the game as a player may know it with the keys at hand, or as everybody may
        (``None``).

        In a sealed game a player whose key is not at hand is shown what everybody knows. What comes
        up next is known only to the player to move before the move.
        """
        sealed = self.sealed
        is_own = sealed and seat is not None and sealed.order[seat] in sealed.secrets
        game = self.source.seen(self, with_keys=bool(is_own))
        if sealed is None or seat == game.state.seat or not game.steps:
            return game
        return game._replace(state=game.steps[-1].after)


AnyReplay = TypeVar("AnyReplay", bound=Replay)


class Decision(NamedTuple):
    """One move of a turn, and the tables around it."""

    before: State
    move: Move
    after: State
    """With what came up."""
    events: tuple[Event, ...]
    entries: Entries
    """Its own, and those of what came up."""


def decisions(replay: Replay, step: Step) -> list[Decision]:
    """Return the moves of a step of this game one by one, each with the tables around it."""
    found: list[Decision] = []
    state, events, entries = step.before, step.events, step.entries
    for move in step.moves[:-1]:
        after, happened = replay.source.again(replay, step)(state, move, step.seat)
        count = 1 + len(replay.game.chance_entries(state, happened))
        found.append(Decision(state, move, after, tuple(happened), entries[:count]))
        state, events, entries = after, events[len(happened) :], entries[count:]
    if step.moves:
        found.append(Decision(state, step.moves[-1], step.after, events, entries))
    return found


def after_turn(replay: AnyReplay, turn: int) -> AnyReplay:
    """Return the game as it was after a number of turns; 0 is the setup.

    Turns that were taken back do not count. Raises ValueError if there were fewer.
    """
    return after_steps(replay, place_after_turn(replay, turn))


def after_steps(replay: AnyReplay, place: int) -> AnyReplay:
    """Return the game as it was after a number of its steps; what was taken back later still
    stands.
    """
    steps = replay.steps[:place]
    taken = {step.takes_back for step in steps}
    steps = tuple(
        step._replace(undone=index in taken) if step.undone else step
        for index, step in enumerate(steps)
    )
    state = steps[-1].after if steps else replay.opening
    given = tuple(one for one in replay.declarations if one.place <= place)
    state = table_without(replay.record, state, given)
    return replay._replace(state=state, steps=steps, declarations=given)


def place_after_turn(replay: Replay, turn: int) -> int:
    """Return the index in ``replay.steps`` after a turn, counted from 1 without those taken back.

    0 is the setup. A turn that was skipped ends with the one before it. Raises ValueError if there
    is no such turn.
    """
    if turn == 0:
        return 0
    for place, step in enumerate(replay.steps):
        if stands(step) and 0 < turn <= step.after.turn:
            return place + 1 if step.before.turn < turn else place
    if turn == replay.state.turn:
        return len(replay.steps)
    turns = plural(replay.state.turn, "turn")
    raise ValueError(f"There is no turn {turn}; the game has {turns} so far.")


def place_after_last_turn(replay: Replay, seat: int) -> int:
    """Return the index in ``replay.steps`` after the last move of a seat that stands; 0 if it has
    none.

    A secret choice, like keeping private contracts, does not count: a player who made it early
    still wants to know what others did before it. The steps from this index on can include moves
    that were taken back, and undos; :func:`standing` leaves them out.
    """
    for place in range(len(replay.steps) - 1, -1, -1):
        step = replay.steps[place]
        if step.seat == seat and stands(step) and not all(map(replay.game.is_secret, step.moves)):
            return place + 1
    return 0


def last_mover(replay: Replay) -> int | None:
    """Return the seat of the person who moved last; ``None`` if nobody has moved."""
    places = replay.past().of_people
    return replay.steps[places[-1]].seat if places else None


def path_of(replay: Replay, file: str | None = None) -> str:
    """Return the record's file as typed in commands: as it was read, unless ``file`` is given."""
    return word_of(replay.record.file if file is None else file)


def taken_back_last(replay: Replay) -> Step | None:
    """Return the last turn that was taken back and not made again; ``None`` after another move."""
    taken_back: list[Step] = []
    for step in replay.steps:
        if step.takes_back is not None:
            taken_back.append(replay.steps[step.takes_back])
        elif taken_back and taken_back[-1].entries == step.entries:
            taken_back.pop()
        else:
            taken_back.clear()
    return taken_back[-1] if taken_back else None


def due(replay: Replay) -> int | None:
    """Return the seat of a bot that can move now; ``None`` if there is none.

    A bot makes a secret choice as soon as it can, whosever turn it is.
    """
    bots, game, state = replay.bot_seats, replay.game, replay.state
    able = (*game.secret_movers(state), *game.to_move(state)) if bots else ()
    return next((seat for seat in able if seat in bots), None)


def turn_of_a_bot(
    replay: Replay, file: str | None = None, *, when_read: bool = False
) -> list[Advice]:
    """Say it if it is a bot's turn, with the command that makes it move; or if it was
    ``when_read``, and bots may have moved since without being saved.

    This happens only after an interruption, or in an edited record. ``file`` is the record's name
    in commands, by default as it was read.
    """
    bots = replay.bot_seats
    waiting = [seat for seat in replay.game.to_move(replay.state) if seat in bots]
    if not waiting:
        return []
    player = with_level(replay.config.players[waiting[0]], bots[waiting[0]])
    path = path_of(replay, file)
    is_now = "In the file it is still" if when_read else "It is"
    whose = f"{is_now} the turn of {player}, who moves on its own"
    if path == FILE:
        return [Advice(f"{whose} before the next move.")]
    return [Advice(f"{whose} with the next move, or with", f"porto play {path}")]


def who_sits(replay: Replay) -> dict[str, str]:
    """Return a sentence about each seat that changed hands, by its original player."""
    return {
        first.name: one.plays(first.name, f" from turn {one.turn + 1} on")
        for first, one in zip(replay.record.seats, replay.seats, strict=True)
        if one._replace(turn=0) != first
    }


def who_are_bots(replay: Replay) -> list[str]:
    """Return sentences about the bots and the seats that changed hands; possibly none."""
    changed = who_sits(replay)
    bots = (one for one in replay.record.seats if one.bot and one.name not in changed)
    names = ", ".join(with_level(one.name, one.bot) for one in bots)
    return [*([f"Played by the program: {names}."] if names else []), *changed.values()]
