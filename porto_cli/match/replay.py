"""From a record to states and events, and from a move to what is appended to the record.

State is never stored: it is always replayed, and what the record says came up is compared with
what its seed says. What is written comes from the same methods of the game that read it back.
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
from porto_cli.core.errors import REFUSED, InvalidMoveError, PortoError
from porto_cli.core.message import Sentence, say
from porto_cli.core.violation import Violation
from porto_cli.core.yaml import InvalidFileError, Place, scalar
from porto_cli.game import OVER, Config, Event, Game, Move, State, Step
from porto_cli.match.record import FINGERPRINT, OPEN, RESULT, SEALED, Record, header
from porto_cli.match.undoing import UNDO, check_undo, check_whole_undo, last_standing, take_back

if TYPE_CHECKING:
    from porto_cli.match.chain import Chain
    from porto_cli.match.sealed_knowledge import Sealed

LONG, SHORT = 64, 8
"""Hexadecimal digits of a digest, and of a fingerprint, which is its beginning."""


class Replay(NamedTuple):
    """A record and everything that follows from it. Moves return a new one."""

    record: Record
    opening: State
    state: State
    steps: tuple[Step, ...]
    chain: Chain | None = None
    """The signed steps of a signed or sealed game."""
    sealed: Sealed | None = None
    """What is known of a sealed game besides its table."""

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.record.game

    @property
    def config(self) -> Config:
        """Who plays, by which options."""
        return self.record.config

    @property
    def digest(self) -> str:
        """Return the hash of what the record says, SHA-256 as 64 hexadecimal digits.

        It is taken of the record as this program would write it, without comments and title.
        """
        return Digester(self.record).digest(self.steps)

    @property
    def fingerprint(self) -> str:
        """Return the first 8 digits of the digest.

        They are a checksum against accidents: somebody who wants to can make two records with the
        same ones, but not two with the same digest.
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
        """Return the last step that stands."""
        last = last_standing(self.steps)
        return self.steps[last] if last >= 0 else None

    def turns(self) -> list[Step]:
        """Return the steps that stand, in order."""
        return [step for step in self.steps if not step.undone and step.takes_back is None]


class IllegalMoveError(PortoError):
    """A move that breaks rules: ``violations`` says which, each of them once."""

    exit_code = REFUSED

    def __init__(self, violations: list[Violation]) -> None:
        super().__init__(violations)
        self.violations = list({str(violation): violation for violation in violations}.values())

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """A sentence for each rule, with its id before it."""
        return tuple(
            say("{rule}: {sentence}", rule=violation.rule, sentence=violation.sentence)
            for violation in self.violations
        )

    @property
    def rulings(self) -> tuple[tuple[str, Sentence], ...]:
        """The rules that it breaks: their ids, and why."""
        return tuple((violation.rule, violation.sentence) for violation in self.violations)


def replay(record: Record) -> Replay:
    """Play a record through. Raises InvalidFileError where it breaks a rule or contradicts."""
    if record.secrecy == SEALED:
        raise InvalidFileError(
            Place(record.file, *record.lines["secrecy"]),
            say("A sealed game cannot be played through without its seals."),
        )
    game = record.game
    seeded = seeded_chance(record.seed) if record.secrecy == OPEN else None
    opening = _opening(record, seeded)
    seats = {player: seat for seat, player in enumerate(record.config.players)}
    steps: list[Step] = []
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
                check_result(record, number, steps, result_due, digester)
                result_due = False
            elif len(text) == len(UNDO) and text.lower() == UNDO:
                _undo(record, number, seat, steps)
                state = steps[-1].after
            else:
                chance = seeded or _typed_in(record, number)
                move, canonical, violations = read_move(text, state, seat)
                if violations:
                    raise _illegal(record, number, 0, violations)
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
    return Replay(record, opening, state, tuple(steps))


def fail_without_result(record: Record) -> NoReturn:
    """Say that the result is missing behind the last turn. Raises InvalidFileError."""
    raise InvalidFileError(
        record.place(len(record.items) - 1),
        say(
            "The game is over with this turn; the item with the result has to follow. Take the "
            "turn out of the file and play it with the program, which writes the result."
        ),
    )


def _opening(record: Record, seeded: Chance | None) -> State:
    """Set the table; where there is a seed it has to agree with the recorded setup."""
    game, config, setup = record.game, record.config, record.deal
    if seeded:
        dealt = game.deal(config, seeded)
        fault = game.deal_fault(setup, dealt)
        if fault:
            raise InvalidFileError(Place(record.file, *record.lines["setup"]), fault)
        setup = dealt
    return game.initial_state(config, setup)


def _no_player(record: Record, number: int, key: str) -> InvalidFileError:
    line, _ = record.items[number].places[0]
    return InvalidFileError(
        Place(record.file, line, record.indent + 1),
        say(
            "A turn begins with the name of a player ({players}), not with {key!r}.",
            players=", ".join(record.config.players),
            key=key,
        ),
    )


def _illegal(
    record: Record, number: int, entry: int, violations: list[Violation]
) -> InvalidFileError:
    return InvalidFileError(
        record.place(number, entry),
        say("{violations}", violations=" ".join(map(str, violations))),
    )


def _go_on(
    record: Record, step: Step, entries: tuple[tuple[str, str], ...], chance: Chance
) -> Step:
    """Compare an item with what came up, and play its other decisions. Raises InvalidFileError.

    ``step`` is its first decision, with what the item says; ``entries`` is what it leads to.
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
            raise InvalidFileError(
                record.place(number, place),
                say("The turn does not go on with {key!r} here.", key=key),
            )
        verb = follow_up[1] + " "
        if not text.lower().startswith(follow_up[1]):
            text = verb + text
        try:
            move, canonical, violations = game.read_move(text, state, seat)
        except InvalidMoveError as error:
            raise InvalidFileError(record.place(number, place), error.sentence) from None
        if violations:
            raise _illegal(record, number, place, violations)
        after, happened = game.apply(state, move, chance, seat)
        entries += ((key, canonical.removeprefix(verb)), *game.chance_entries(state, happened))
        start = place + 1
        moves += (move,)
        events += tuple(happened)
        state = after


def _compare(record: Record, number: int, start: int, came_up: Sequence[tuple[str, str]]) -> None:
    """Demand that an item says what came up, from an entry on. Raises InvalidFileError."""
    game = record.game
    given = record.items[number].entries
    for entry, (key, expected) in enumerate(came_up, start):
        if entry >= len(given) or given[entry][0] != key:
            raise InvalidFileError(
                record.place(number, min(entry, len(given) - 1)),
                say("The turn has to go on with '{key}: {expected}'.", key=key, expected=expected),
            )
        text = given[entry][1]
        if text == expected:
            continue
        try:
            told = game.read_chance(key, text)
        except InvalidMoveError as error:
            raise InvalidFileError(record.place(number, entry), error.sentence) from None
        if told is None or told != game.read_chance(key, expected):
            raise InvalidFileError(
                record.place(number, entry),
                say("Here comes up {expected!r}, not {text!r}.", expected=expected, text=text),
            )


def _typed_in(record: Record, number: int) -> TypedChance:
    """Return what people typed into an item, as the chance of its moves.

    Raises InvalidFileError where that cannot be read.
    """
    streams: dict[str, bytes] = {}
    for entry, (key, text) in enumerate(record.items[number].entries):
        try:
            told = record.game.read_chance(key, text) if entry else None
        except InvalidMoveError as error:
            raise InvalidFileError(record.place(number, entry), error.sentence) from None
        if told:
            stream, things = told
            streams[stream] = streams.get(stream, b"") + things
    return TypedChance(record.game.meta.unordered, **streams)


def _undo(record: Record, number: int, seat: int, steps: list[Step]) -> None:
    violations = check_undo(record, steps, seat)
    if violations:
        raise InvalidFileError(record.place(number), violations[0].sentence)
    if len(record.items[number].entries) > 1:
        raise InvalidFileError(
            record.place(number, 1), say("After 'undo' a new item has to begin.")
        )
    take_back(number, seat, steps)


def result_entries(game: Game, steps: Sequence[Step], digester: Digester) -> list[tuple[str, str]]:
    """Return the entries of the item that ends a finished game.

    Its fingerprint is that of everything before it, so that a change made afterwards by accident
    shows even where no seed contradicts it.
    """
    return [
        *game.result_entries(steps[-1].after),
        (FINGERPRINT, digester.digest(steps)[:SHORT]),
    ]


def check_result(
    record: Record, number: int, steps: list[Step], due: bool, digester: Digester
) -> None:
    """Demand that item ``number`` is the result of the game; ``due`` if here it has to stand.

    Raises InvalidFileError, without telling what would be right: nobody should be helped to make a
    record valid again that was changed.
    """
    item = record.items[number]
    key, _ = item.entries[0]
    if not due and key != RESULT:
        raise _no_player(record, number, key)
    if not due:
        raise InvalidFileError(
            record.place(number), say("The result comes after the last turn; the game goes on.")
        )
    right = result_entries(record.game, steps, digester)
    for entry, (key, expected) in enumerate(right):
        if entry >= len(item.entries) or item.entries[entry][0] != key:
            raise InvalidFileError(
                record.place(number, min(entry, len(item.entries) - 1)),
                say(
                    "The game is over; here has to stand {key!r}, of the keys {keys}.",
                    key=key,
                    keys=", ".join(key for key, _ in right),
                ),
            )
        text = item.entries[entry][1]
        if text != expected:
            raise InvalidFileError(record.place(number, entry), _not_the_result(key, text))
    if len(item.entries) > len(right):
        raise InvalidFileError(
            record.place(number, len(right)),
            say("The result does not go on with {key!r}.", key=item.entries[len(right)][0]),
        )


def _not_the_result(key: str, text: str) -> Sentence:
    if key == FINGERPRINT:
        return say(
            "When the game ended its fingerprint was {text}; now it is another one: something "
            "above was changed afterwards.",
            text=text,
        )
    return say(
        "This is not how the turns above end: {key!r} cannot be {text!r}. Either it or one of them "
        "was changed.",
        key=key,
        text=text,
    )


def play(
    replay: Replay, moves: Iterable[Move], seat: int, chance: Chance, *, remark: bool = False
) -> Replay:
    """Play one or more moves of a player, and append them: what belongs to one turn as one item.

    With ``remark`` what a move brought stands behind it as a comment. Raises IllegalMoveError if a
    move is illegal, and what ``chance`` raises if it does not say what comes up; nothing has
    happened then.
    """
    rest = list(moves)
    while rest:
        replay = _play_item(replay, rest, seat, chance, remark=remark)
    return replay


def _play_item(
    replay: Replay, rest: list[Move], seat: int, chance: Chance, *, remark: bool
) -> Replay:
    """Play the first moves, as many as one item tells, and take them off the list."""
    game, record, state = replay.game, replay.record, replay.state
    goes_on = goes_on_with(replay, seat, rest[0])
    key, verb = (goes_on and game.follow_up(state)) or (record.config.players[seat], "")
    moves: tuple[Move, ...] = ()
    events: tuple[Event, ...] = ()
    entries: list[tuple[str, str]] = []
    while rest and (not moves or game.continues(state, rest[0], seat)):
        move = rest[0]
        if moves:
            key, verb = game.follow_up(state) or (key, verb)
        violations = game.violations(state, move, seat)
        if violations:
            raise IllegalMoveError(violations)
        text = game.format_move(move, state)
        after, happened = game.apply(state, move, chance, seat)
        entries += [(key, text.removeprefix(f"{verb} ")), *game.chance_entries(state, happened)]
        moves += (rest.pop(0),)
        events += tuple(happened)
        state = after
    comment = game.remark(events, record.config) if remark else ""
    if goes_on:
        *steps, last = replay.steps
        record = record.with_more(entries, comment)
        steps.append(
            last._replace(
                after=state,
                moves=last.moves + moves,
                events=last.events + events,
                entries=(*last.entries, *entries),
            )
        )
    else:
        record = record.with_item(entries, comment)
        number = len(record.items) - 1
        new = Step(number, seat, replay.state, state, moves, events, tuple(entries))
        steps = [*replay.steps, new]
    if state.phase == OVER:
        record = record.with_item(result_entries(game, steps, Digester(record)))
    return replay._replace(record=record, state=state, steps=tuple(steps))


def goes_on_with(replay: Replay, seat: int, move: Move) -> bool:
    """Tell whether a move of this player belongs to the last item of the record.

    What somebody may do while a turn waits for a decision is an item of its own.
    """
    last = replay.steps[-1] if replay.steps else None
    return (
        last is not None
        and last.seat == seat
        and last.takes_back is None
        and bool(last.moves)
        and not replay.game.is_secret(last.moves[-1])
        and last.item == len(replay.record.items) - 1
        and replay.game.follow_up(last.after) is not None
        and replay.game.continues(replay.state, move, seat)
    )


def undo(replay: Replay, seat: int) -> Replay:
    """Take back the player's last turn by appending an undo; before it, by one each, the turns that
    bots have made since. Raises IllegalMoveError.
    """
    violations = check_whole_undo(replay.record, replay.steps, seat)
    if violations:
        raise IllegalMoveError(violations)
    bots = replay.record.bots
    while bots and (last := replay.last_step()) and last.seat in bots.seats:
        replay = _undone(replay, last.seat)
    return _undone(replay, seat)


def _undone(replay: Replay, seat: int) -> Replay:
    """Append the undo of a turn that may be taken back."""
    record = replay.record.with_item([(replay.record.config.players[seat], UNDO)])
    steps = list(replay.steps)
    take_back(len(record.items) - 1, seat, steps)
    return replay._replace(record=record, state=steps[-1].after, steps=tuple(steps))


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


def after_turn(replay: Replay, turn: int) -> Replay:
    """Return the game as it was when so many turns were over, 0 being the setup.

    Turns that were taken back do not count. Raises ValueError if there were not so many.
    """
    if turn == 0:
        return replay._replace(state=replay.opening, steps=())
    for place, step in enumerate(replay.steps):
        if not step.undone and step.takes_back is None and step.after.turn == turn:
            return replay._replace(state=step.after, steps=replay.steps[: place + 1])
    raise ValueError(f"There are {replay.state.turn} turns, so that there is no turn {turn}.")


class Digester:
    """Takes digests of a record as it grows: each step is read once, however many are asked for."""

    def __init__(self, record: Record) -> None:
        lines = header(
            record.game,
            record.config,
            record.deal,
            secrecy=record.secrecy,
            seed=record.seed,
            signed=record.signed,
            bots=record.bots,
            hints=record.hints,
        )
        self._hash = sha256("\n".join(lines).encode())
        self._lead = {key: f"\n  {key}: " for key in record.game.meta.item_keys}
        self._lead |= {player: f"\n- {scalar(player)}: " for player in record.config.players}
        self._read = 0

    def digest(self, steps: Sequence[Step]) -> str:
        """Return the digest up to these steps, which begin with those of the last time."""
        lead = self._lead
        lines = [lead[key] + text for step in steps[self._read :] for key, text in step.entries]
        self._hash.update("".join(lines).encode())
        self._read = len(steps)
        return self._hash.hexdigest()

    def digests(self, steps: Sequence[Step]) -> Iterator[str]:
        """Return the digest before the first of all steps, and behind each of them."""
        lead = self._lead
        yield self._hash.hexdigest()
        for step in steps:
            lines = [lead[key] + text for key, text in step.entries]
            self._hash.update("".join(lines).encode())
            yield self._hash.hexdigest()
