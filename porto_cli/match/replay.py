"""From a record to states and events.

State is never stored: it is always replayed, and what the record says came up is compared with what
its seed decides. Making moves is in :mod:`porto_cli.match.play`, taking them back in
:mod:`porto_cli.match.undo`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from porto_cli.core.chance import (
    Chance,
    NothingTypedError,
    NotInPileError,
    TypedChance,
    seeded_chance,
    sha256,
)
from porto_cli.core.characters import quoted, word_of
from porto_cli.core.message import (
    REFUSED,
    InvalidMoveError,
    PortoError,
    RefusedError,
    Violation,
    plural,
    refuse,
    shown,
)
from porto_cli.core.yaml import InvalidFileError, Place, scalar
from porto_cli.game import OVER, UNDO, Config, Event, Game, Move, State, Step
from porto_cli.match.declarations import (
    ORDERING,
    SEAT,
    Declaration,
    begins_with,
    seats_at,
    table_without,
)
from porto_cli.match.names import FINGERPRINT, RESULT
from porto_cli.match.record import OPEN, SEALED, Record
from porto_cli.match.seats import Holder, bots_among
from porto_cli.match.undo import Past, last_standing, replay_undo

if TYPE_CHECKING:
    from porto_cli.match.chain import Chain
    from porto_cli.match.sealed_state import Sealed

LONG, SHORT = 64, 8
"""Hexadecimal digits of a digest, and of a fingerprint, which is its beginning."""


Written = Step | Declaration
"""An item of a record but for its result."""


class Replay(NamedTuple):
    """A record and everything that follows from it. Moves return a new one."""

    record: Record
    opening: State
    state: State
    steps: tuple[Step, ...]
    chain: Chain | None = None
    """The signed steps of a sealed game."""
    sealed: Sealed | None = None
    """What is known of a sealed game besides its table."""
    declarations: tuple[Declaration, ...] = ()
    """The items that are no turns."""

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.record.game

    @property
    def config(self) -> Config:
        """The players and options."""
        return self.record.config

    @property
    def has_sittings(self) -> bool:
        """Whether a seat has changed hands since the beginning."""
        return any(one.order is None for one in self.declarations)

    @property
    def seats(self) -> tuple[Holder, ...]:
        """Who plays the seats now."""
        return seats_at(self.record, self.declarations)

    @property
    def bots(self) -> dict[int, str]:
        """The seats that bots hold now, with their player types."""
        return bots_among(self.seats)

    def bots_at(self, place: int) -> dict[int, str]:
        """Return the seats that bots held at the step with this index."""
        return bots_among(seats_at(self.record, self.declarations, place))

    @property
    def bot_versions(self) -> dict[int, set[int]]:
        """Of which versions the bots are that hold a seat, or have held it, by the seats."""
        found: dict[int, set[int]] = {}
        for seats in (self.record.seats, *(one.seats for one in self.declarations)):
            for seat in bots_among(seats):
                found.setdefault(seat, set()).add(seats[seat].version)
        return dict(sorted(found.items()))

    @property
    def people(self) -> list[int]:
        """The seats that people play now."""
        return [seat for seat, one in enumerate(self.seats) if not one.bot and not one.out]

    @property
    def holders(self) -> tuple[str, ...]:
        """The names of those who play the seats now: the players, or who plays for them."""
        return tuple(one.name for one in self.seats)

    @property
    def digest(self) -> str:
        """The hash of the record's content, SHA-256 as 64 hexadecimal digits.

        It is computed of the record as this program would write it, without comments and title.
        """
        return Digester(self.record).digest(self.written)

    @property
    def written(self) -> Sequence[Written]:
        """The items of the record but for its result, as far as the steps go, in their order."""
        return in_order(self.steps, self.declarations)

    @property
    def fingerprint(self) -> str:
        """The first 8 digits of the digest.

        They protect against accidents only: on purpose one can make two records with the same
        fingerprint, but not two with the same digest.
        """
        return self.digest[:SHORT]

    def known_to(self, seat: int | None) -> Replay:
        """Return the game as a player may know it, or everybody (``None``).

        With the key of the player to move, the table of a sealed game has what comes up next, which
        nobody else can know before the move.
        """
        if self.sealed is None or not self.sealed.is_looking_ahead or seat == self.state.seat:
            return self
        sealed = self.sealed._replace(is_looking_ahead=False)
        return self._replace(state=self.steps[-1].after, sealed=sealed)

    def last_step(self) -> Step | None:
        """Return the last step that was not taken back."""
        last = last_standing(self.steps)
        return self.steps[last] if last >= 0 else None

    def turns(self) -> list[Step]:
        """Return the steps that were not taken back, in order."""
        return standing(self.steps)


def state_before(replay: Replay) -> State:
    """Return the state before the last turn that was not taken back; the first one before any."""
    last = replay.last_step()
    return last.before if last else replay.opening


def chain_of(replay: Replay) -> Chain:
    """Return the signed steps of a sealed game."""
    assert replay.chain is not None
    return replay.chain


def in_order(steps: Sequence[Step], declarations: Sequence[Declaration]) -> Sequence[Written]:
    """Return the items of both, as far as the steps go, in the order of the record."""
    if not declarations:
        return steps
    known = (one for one in declarations if one.place <= len(steps))
    return sorted((*steps, *known), key=lambda one: one.item)


class IllegalMoveError(PortoError):
    """A move that breaks rules: ``violations`` has each of them once."""

    exit_code = REFUSED

    def __init__(self, violations: list[Violation]) -> None:
        super().__init__(violations)
        self.violations = list({str(violation): violation for violation in violations}.values())

    @property
    def sentences(self) -> tuple[str, ...]:
        """A sentence for each rule, preceded by its id."""
        return tuple(f"{violation.rule}: {violation.sentence}" for violation in self.violations)

    @property
    def rulings(self) -> tuple[tuple[str, str], ...]:
        """The rules that it breaks: their ids, and why."""
        return tuple((violation.rule, violation.sentence) for violation in self.violations)


# -- Reading the turns of a record


def replay(record: Record) -> Replay:
    """Replay a record. Raises InvalidFileError where it breaks a rule or contradicts its seed."""
    if record.secrecy == SEALED:
        raise InvalidFileError(
            Place(record.file, *record.lines["secrecy"]),
            "A sealed game cannot be replayed without its seals.",
        )
    game = record.game
    seeded = seeded_chance(record.seed) if record.secrecy == OPEN else None
    opening = _opening(record, seeded)
    seats = {player: seat for seat, player in enumerate(record.config.players)}
    steps: list[Step] = []
    declarations: list[Declaration] = []
    past = Past(record, steps, declarations)
    read_move, apply, chance_entries = game.read_move, game.apply, game.chance_entries
    state = opening
    number = 0
    result_due = False
    digester: Digester | None = None
    try:
        for number, item in enumerate(record.items):
            given = item.entries
            player, text = given[0]
            seat = seats.get(player)
            if result_due or seat is None:
                digester = digester or Digester(record)
                written = in_order(steps, declarations)
                check_result(record, number, state, written, digester, due=result_due)
                result_due = False
            elif len(text) == len(UNDO) and text.lower() == UNDO:
                replay_undo(past, record, number, seat, steps, declarations)
                state = steps[-1].after
            elif begins_with(text, ORDERING) or begins_with(text, SEAT):
                one, state = _declared(record, number, seat, state, len(steps), declarations)
                declarations.append(one)
            else:
                chance = seeded or _typed_in(record, number)
                move, canonical, violations = read_move(text, state, seat)
                if violations:
                    _fail_illegal(record, violations, number)
                after, happened = apply(state, move, chance, seat)
                entries = ((player, canonical), *chance_entries(state, happened))
                step = Step(number, seat, state, after, (move,), tuple(happened), given)
                if entries != given:
                    step = _go_on(record, step, entries, chance)
                    after = step.after
                steps.append(step)
                state = after
                result_due = after.phase == OVER
    except InvalidMoveError as error:
        raise InvalidFileError(record.place(number), error.sentence) from None
    except (NothingTypedError, NotInPileError) as error:
        raise InvalidFileError(record.place(number), game.chance_fault(error)) from None
    if result_due:
        fail_without_result(record)
    return Replay(record, opening, state, tuple(steps), declarations=tuple(declarations))


def _declared(
    record: Record,
    number: int,
    seat: int,
    state: State,
    place: int,
    declarations: Sequence[Declaration],
) -> tuple[Declaration, State]:
    """Return the order of an item, or who plays a seat by it, and the table after it; it comes
    after ``place`` steps and these declarations. Raises InvalidMoveError, InvalidFileError.
    """
    entries = record.items[number].entries
    (player, text), *more = entries
    if begins_with(text, SEAT):
        from porto_cli.match.sitting import declared

        if more:
            record.fail("A new item has to begin after a line that gives a seat.", number, 1)
        try:
            return declared(text, record, number, seat, state, place, declarations)
        except RefusedError as error:
            record.fail(" ".join(error.sentences), number)
    from porto_cli.match.orders import recorded_order

    if state.phase == OVER:
        record.fail("An order has to be before the result.", number)
    if more:
        record.fail("A new item has to begin after an order.", number, 1)
    order = recorded_order(text[len(ORDERING) :], record.game, record.config)
    entries = ((player, ORDERING + order.text),)
    seats = seats_at(record, declarations)
    return Declaration(number, seat, place, entries, seats, order), state


def fail_without_result(record: Record) -> NoReturn:
    """Report that the result is missing after the last turn. Raises InvalidFileError."""
    missing = (
        "The game is over with this turn; the item with the result has to follow. Take the "
        "turn out of the file and play it with the program, which writes the result."
    )
    record.fail(missing, len(record.items) - 1)


def _opening(record: Record, seeded: Chance | None) -> State:
    """Return the initial state; a seed has to agree with the recorded setup."""
    game, config, setup = record.game, record.config, record.deal
    if seeded:
        dealt = game.deal(config, seeded)
        fault = game.deal_fault(setup, dealt)
        if fault:
            raise InvalidFileError(Place(record.file, *record.lines["setup"]), fault)
        setup = dealt
    return game.initial_state(config, setup)


def _fail_illegal(
    record: Record, violations: list[Violation], number: int, entry: int = 0
) -> NoReturn:
    record.fail(" ".join(map(str, violations)), number, entry)


def _go_on(
    record: Record, step: Step, entries: tuple[tuple[str, str], ...], chance: Chance
) -> Step:
    """Compare an item with what came up, and play its other decisions. Raises InvalidFileError.

    ``step`` is its first decision, with the entries of the item; ``entries`` is what it leads to.
    """
    game = record.game
    number, seat, _, state, moves, events, given, *_ = step
    start = 1
    while True:
        place = len(entries)
        if given[start:place] != entries[start:]:
            _compare(record, number, start, entries[start:])
        if place == len(given):
            return step._replace(after=state, moves=moves, events=events, entries=entries)
        follow_up = game.follow_up(state)
        key, text = given[place]
        if follow_up is None or key != follow_up[0] or seat != state.seat:
            record.fail(f"The turn cannot continue with {shown(key)} here.", number, place)
        verb = follow_up[1] + " "
        if not text.lower().startswith(follow_up[1]):
            text = verb + text
        try:
            move, canonical, violations = game.read_move(text, state, seat)
        except InvalidMoveError as error:
            raise InvalidFileError(record.place(number, place), error.sentence) from None
        if violations:
            _fail_illegal(record, violations, number, place)
        after, happened = game.apply(state, move, chance, seat)
        entries += ((key, canonical.removeprefix(verb)), *game.chance_entries(state, happened))
        start = place + 1
        moves += (move,)
        events += tuple(happened)
        state = after


def _compare(record: Record, number: int, start: int, came_up: Sequence[tuple[str, str]]) -> None:
    """Require that an item has what came up, from an entry on. Raises InvalidFileError."""
    game = record.game
    given = record.items[number].entries
    for entry, (key, expected) in enumerate(came_up, start):
        if entry >= len(given) or given[entry][0] != key:
            missing = f"The turn has to continue with '{key}: {expected}'."
            record.fail(missing, number, min(entry, len(given) - 1))
        text = given[entry][1]
        if text == expected:
            continue
        try:
            things = game.read_chance(key, text)
        except InvalidMoveError as error:
            raise InvalidFileError(record.place(number, entry), error.sentence) from None
        if things is None or things != game.read_chance(key, expected):
            wrong = f"{shown(expected)} comes up here, not {shown(text)}."
            record.fail(wrong, number, entry)


def _typed_in(record: Record, number: int) -> TypedChance:
    """Return the chance of an item's moves at a real table: what people typed into it.

    Raises InvalidFileError where that cannot be read.
    """
    streams: dict[str, bytes] = {}
    for entry, (key, text) in enumerate(record.items[number].entries):
        try:
            found = record.game.read_chance(key, text) if entry else None
        except InvalidMoveError as error:
            raise InvalidFileError(record.place(number, entry), error.sentence) from None
        if found:
            stream, things = found
            streams[stream] = streams.get(stream, b"") + things
    return TypedChance(record.game.meta.unordered, **streams)


# -- The result of a finished game


def result_entries(
    game: Game, over: State, written: Sequence[Written], digester: Digester
) -> list[tuple[str, str]]:
    """Return the entries of the item that ends a finished game.

    Its fingerprint is that of everything before it, so that a later accidental change is noticed
    even where no seed contradicts it.
    """
    return [*game.result_entries(over), (FINGERPRINT, digester.digest(written)[:SHORT])]


def check_result(
    record: Record,
    number: int,
    state: State,
    written: Sequence[Written],
    digester: Digester,
    *,
    due: bool,
) -> None:
    """Require that item ``number`` is the result of the game; ``due`` if it has to be here.

    ``written`` are all items before it, which lead to ``state``. Raises InvalidFileError, without
    the right values, which would help to make a changed record valid again.
    """
    item = record.items[number]
    key, _ = item.entries[0]
    if not due and key != RESULT:
        line, _ = item.places[0]
        raise InvalidFileError(
            Place(record.file, line, record.indent + 1),
            "A turn begins with the name of a player "
            f"({', '.join(record.config.players)}), not with {shown(key)}.",
        )
    if not due:
        record.fail("The result comes after the last turn; the game goes on.", number)
    right = result_entries(record.game, state, written, digester)
    for entry, (key, expected) in enumerate(right):
        if entry >= len(item.entries) or item.entries[entry][0] != key:
            keys = ", ".join(key for key, _ in right)
            missing = f"The game is over; {shown(key)} has to be here, one of the keys {keys}."
            record.fail(missing, number, min(entry, len(item.entries) - 1))
        text = item.entries[entry][1]
        if text != expected:
            record.fail(_not_the_result(key, text), number, entry)
    if len(item.entries) > len(right):
        more = f"The result cannot continue with {shown(item.entries[len(right)][0])}."
        record.fail(more, number, len(right))


def _not_the_result(key: str, text: str) -> str:
    if key == FINGERPRINT:
        return (
            f"When the game ended its fingerprint was {text}; now it is different: something "
            "above was changed afterwards."
        )
    return (
        f"This is not how the turns above end: {shown(key)} cannot be {shown(text)}. Either "
        "it or one of them was changed."
    )


# -- Looking at the turns of a game


class Decision(NamedTuple):
    """One move of a turn, and the tables around it."""

    before: State
    move: Move
    after: State
    """With what came up."""
    events: tuple[Event, ...]


def decisions(replay: Replay, step: Step) -> list[Decision]:
    """Return the moves of a step of this game one by one, in order; none if it has no moves."""
    game, record = replay.game, replay.record
    chance: Chance | None = None
    if record.secrecy == OPEN:
        chance = seeded_chance(record.seed)
    elif record.secrecy != SEALED:
        chance = _typed_in(record, step.item)
    found: list[Decision] = []
    state, events = step.before, step.events
    for move in step.moves[:-1]:
        after, happened = (
            game.sealed.apply(state, move, None, step.seat)
            if chance is None
            else game.apply(state, move, chance, step.seat)
        )
        found.append(Decision(state, move, after, tuple(happened)))
        state, events = after, events[len(happened) :]
    if step.moves:
        found.append(Decision(state, step.moves[-1], step.after, events))
    return found


def stands(step: Step) -> bool:
    """Return whether a step is a move that was not taken back."""
    return not step.undone and step.takes_back is None


def standing(steps: Iterable[Step]) -> list[Step]:
    """Return the steps without those taken back, and without the undos."""
    return [step for step in steps if stands(step)]


def after_turn(replay: Replay, turn: int) -> Replay:
    """Return the game as it was after a number of turns, 0 being the setup.

    Turns that were taken back do not count. Raises ValueError if there were fewer.
    """
    place = place_after_turn(replay, turn)
    steps = replay.steps[:place]
    state = steps[-1].after if steps else replay.opening
    given = tuple(one for one in replay.declarations if one.place <= place)
    state = table_without(replay.record, state, given)
    return replay._replace(state=state, steps=steps, declarations=given)


def place_after_turn(replay: Replay, turn: int) -> int:
    """Return the index in ``replay.steps`` after a turn, counted from 1 without those taken back.

    0 is the setup. A turn that is left out follows the one before it. Raises ValueError if there is
    no such turn.
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


def since_last_turn(replay: Replay, seat: int) -> tuple[Step, ...]:
    """Return what happened since the last turn of a seat, as it is in the record.

    That is everything after the last of its moves that was not taken back; everything if it has
    none. A secret choice, like keeping private contracts, is not a turn: a player who makes it
    before the first turn wants to know what the others did before that. What was taken back is
    included, with its undo: :func:`standing` leaves it out.
    """
    return replay.steps[place_after_last_turn(replay, seat) :]


def place_after_last_turn(replay: Replay, seat: int) -> int:
    """Return the index in ``replay.steps`` after the last turn of a seat, see
    :func:`since_last_turn`; 0 if it has none.
    """
    for place in range(len(replay.steps) - 1, -1, -1):
        step = replay.steps[place]
        if step.seat == seat and stands(step) and not all(map(replay.game.is_secret, step.moves)):
            return place + 1
    return 0


def demand_to_be_in(replay: Replay, seat: int) -> None:
    """Refuse what a player declares who has left: it would never have an effect, as it ends when
    they come back. Raises RefusedError.
    """
    player = replay.config.players[seat]
    if replay.seats[seat].out:
        refuse(
            f"{player} has left the game: what is ordered or said for {player} now never "
            "counts. To come back first:",
            suggestions=[f"porto {SEAT}{path_of(replay)} {quoted(player)} --back"],
        )


def path_of(replay: Replay, file: str | None = None) -> str:
    """Return how commands name the record: as it was read, unless ``file`` is given."""
    return word_of(replay.record.file if file is None else file)


LEFT = -1
"""In place of the seat of a user who has left it: whatever the user does is done for others."""


def player_to_name(replay: Replay, seat: int, user: int | None) -> str | None:
    """Return the player that a command has to name for a move of a seat, or None.

    Nobody has to be named if the seat is to move, and the ``user`` who types the command is not
    known to be another player, or to have left (``LEFT``).
    """
    named = seat != replay.state.seat or user not in (None, seat)
    return replay.holders[seat] if named else None


# -- Digests


class Digester:
    """Computes digests of a record as it grows: each step is read once, however many digests."""

    def __init__(self, record: Record) -> None:
        self._hash = sha256("\n".join(record.header()).encode())
        self._lead = {key: f"\n  {key}: " for key in record.game.meta.item_keys}
        self._lead |= {player: f"\n- {scalar(player)}: " for player in record.config.players}
        self._read = 0

    def digest(self, steps: Sequence[Written]) -> str:
        """Return the digest up to these items, which begin with those of the last call."""
        self._add(steps[self._read :])
        self._read = len(steps)
        return self._hash.hexdigest()

    def digests(self, steps: Sequence[Written]) -> Iterator[str]:
        """Return the digest before the first of all items, and after each of them."""
        yield self._hash.hexdigest()
        for step in steps:
            self._add([step])
            yield self._hash.hexdigest()

    def _add(self, steps: Iterable[Written]) -> None:
        lines = [self._lead[key] + text for step in steps for key, text in step.entries]
        self._hash.update("".join(lines).encode())
