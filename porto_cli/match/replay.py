"""From a record to states and events, and from a move to what is appended to the record.

State is never stored: it is always replayed, and what the record says came up is compared with
what its seed says. What an item tells is described in :mod:`porto_cli.games.porto.entries`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import NamedTuple

from porto_cli.core.chance import NothingTypedError, NotInPileError, SeededChance, sha256
from porto_cli.core.errors import REFUSED, PortoError
from porto_cli.core.message import Sentence, say
from porto_cli.core.violation import Violation
from porto_cli.core.yaml import InvalidFileError, Place, flow, scalar
from porto_cli.games.porto.engine.components import HOUSES
from porto_cli.games.porto.engine.events import Event
from porto_cli.games.porto.engine.explain import check
from porto_cli.games.porto.engine.moves import Keep, Move
from porto_cli.games.porto.engine.play import apply
from porto_cli.games.porto.engine.ranking import level, ranking
from porto_cli.games.porto.engine.state import (
    CONTRACTS,
    OVER,
    TIMER,
    Chance,
    State,
    begin,
    deal,
)
from porto_cli.games.porto.entries import (
    Entries,
    compare,
    does_not_go_on,
    entries_of,
    not_told,
    typed_in,
)
from porto_cli.games.porto.notation import (
    PRIVATE_NAMES,
    PUBLIC_NAMES,
    UNDO,
    InvalidMoveError,
    card_names,
    format_move,
    parse_move,
    plain_move,
)
from porto_cli.match.record import FOLLOW_UPS, OPEN, Record, header

R_UNDO = "R-UNDO"
"""The one ruling that is about records, not about the game (see ``porto rules R-UNDO``)."""

LONG, SHORT = 64, 8
"""Hexadecimal digits of a digest, and of a fingerprint, which is its beginning."""

_GOES_ON = {CONTRACTS: ("contract", "contract"), TIMER: ("timer-build", "build")}
"""The phases in which a turn waits for another decision: the key that it goes on with, and the
move that this stands for."""


class Step(NamedTuple):
    """One item of the record, played."""

    item: int
    """Its place in ``record.items``."""
    seat: int
    before: State
    after: State
    moves: tuple[Move, ...]
    events: tuple[Event, ...]
    entries: Entries
    """The item as this program would write it."""
    undone: bool = False
    """Taken back later."""
    takes_back: int | None = None
    """For an ``undo``: the number of the step that it takes back."""


_step_of = partial(tuple.__new__, Step)
"""Make a step of all its fields: ``Step(…)`` does the same, but that is a function in Python."""


class Replay(NamedTuple):
    """A record and everything that follows from it. Moves return a new one."""

    record: Record
    opening: State
    state: State
    steps: tuple[Step, ...]

    @property
    def digest(self) -> str:
        """Return the hash of what the record says, SHA-256 as 64 hexadecimal digits.

        It is taken of the record as this program would write it, without comments and title.
        """
        return _Digester(self.record).digest(self.steps)

    @property
    def fingerprint(self) -> str:
        """Return the first 8 digits of the digest.

        They are a checksum against accidents: somebody who wants to can make two records with the
        same ones, but not two with the same digest.
        """
        return self.digest[:SHORT]

    def last_step(self) -> Step | None:
        """Return the last step that stands."""
        last = _last_standing(self.steps)
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
    """Play a record through. Raises InvalidFileError where it breaks a rule or contradicts.

    First all moves are made, then what the items say is compared with what came up: much of the
    same in a row is faster than item by item.
    """
    opening = _opening(record)
    steps: list[Step] = []
    try:
        state, proofread = _make_moves(record, opening, steps)
    except InvalidFileError:
        # Where an earlier item tells what never came up, that is what went wrong first.
        _proofread(record, steps)
        raise
    _proofread(record, steps, proofread)
    last = len(record.items) - 1
    if state.phase == OVER and steps[-1].item == last:
        raise InvalidFileError(
            record.place(last),
            say(
                "The game is over with this turn; the item with the result has to follow. Take the "
                "turn out of the file and play it with the program, which writes the result."
            ),
        )
    return Replay(record, opening, state, tuple(steps))


def _opening(record: Record) -> State:
    """Set the table; where there is a seed it has to agree with the recorded setup."""
    setup = record.deal
    if record.secrecy == OPEN:
        dealt = deal(record.config, SeededChance(record.seed))
        for what, recorded, right in (
            ("tokens", setup.tokens, dealt.tokens),
            ("cards", setup.cards, dealt.cards),
            ("contracts", setup.contracts, dealt.contracts),
        ):
            if recorded != right:
                raise InvalidFileError(
                    Place(record.file, *record.lines["setup"]),
                    say(
                        "The {what} of the setup are not those of the seed, which are: {right}.",
                        what=what,
                        right=" ".join(_names(what, right)),
                    ),
                )
        setup = dealt
    return begin(record.config, setup)


def _names(what: str, things: bytes) -> list[str]:
    if what == "tokens":
        return [f"{HOUSES[house]}: {value}" for house, value in enumerate(things) if value]
    if what == "contracts":
        return [PUBLIC_NAMES[thing] for thing in things]
    return card_names(things)


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


def _make_moves(record: Record, opening: State, steps: list[Step]) -> tuple[State, int]:
    """Make the moves of all items, add them to ``steps`` and return what they lead to.

    Except for the first steps, as many as the second value says, their entries have still to be
    compared with what came up.
    """
    seeded = SeededChance(record.seed) if record.secrecy == OPEN else None
    seats = {player: seat for seat, player in enumerate(record.config.players)}
    state = opening
    number = 0
    proofread = 0
    result_due = False
    digester: _Digester | None = None
    try:
        for number, item in enumerate(record.items):
            given = item.entries
            player, text = given[0]
            seat = seats.get(player)
            if result_due or seat is None:
                _proofread(record, steps, proofread)
                proofread = len(steps)
                digester = digester or _Digester(record)
                _check_result(record, number, steps, result_due, digester)
                result_due = False
                continue
            plain = plain_move(text, state)
            if plain is None and text.lower() == UNDO:
                _undo(record, number, seat, steps)
                state = steps[-1].after
                continue
            move = plain or parse_move(text, state, seat)
            violations = check(state, move, seat)
            if violations:
                raise _illegal(record, number, 0, violations)
            if plain is None:
                given = ((player, format_move(move, state)), *given[1:])
            chance = seeded or typed_in(record, number)
            after, events = apply(state, move, chance, seat)
            step = _step_of(
                (number, seat, state, after, (move,), tuple(events), given, False, None)
            )
            if after.phase in _GOES_ON and len(given) > 1:
                step = _go_on(record, step, chance)
                after = step.after
            steps.append(step)
            state = after
            result_due = state.phase == OVER
    except InvalidMoveError as error:
        raise InvalidFileError(record.place(number), error.sentence) from None
    except (NothingTypedError, NotInPileError) as error:
        raise InvalidFileError(record.place(number), not_told(error)) from None
    return state, proofread


def _go_on(record: Record, step: Step, chance: Chance) -> Step:
    """Make the other moves of an item."""
    number, seat, before, state, moves, events, given, *_ = step
    while state.phase in _GOES_ON:
        written = entries_of(given[0], before, moves, events)
        compare(record, number, written)
        entry = len(written)
        if entry == len(given):
            break
        key, text = given[entry]
        due, verb = _GOES_ON[state.phase]
        if key != due or seat != state.seat:
            raise does_not_go_on(record, number, entry)
        if not text.lower().startswith(verb):
            text = f"{verb} {text}"
        try:
            move = parse_move(text, state, seat)
        except InvalidMoveError as error:
            raise InvalidFileError(record.place(number, entry), error.sentence) from None
        violations = check(state, move, seat)
        if violations:
            raise _illegal(record, number, entry, violations)
        state, happened = apply(state, move, chance, seat)
        moves = (*moves, move)
        events = (*events, *happened)
    return step._replace(after=state, moves=moves, events=events)


def _illegal(
    record: Record, number: int, entry: int, violations: list[Violation]
) -> InvalidFileError:
    return InvalidFileError(
        record.place(number, entry),
        say("{violations}", violations=" ".join(map(str, violations))),
    )


def _proofread(record: Record, steps: list[Step], start: int = 0) -> None:
    """Compare the items with what came up; in the steps, put right what is only spelled freely."""
    for place in range(start, len(steps)):
        step = steps[place]
        given = step.entries
        if step.takes_back is not None or (len(given) == 1 and _nothing_came_up(step)):
            continue
        entries = entries_of(given[0], step.before, step.moves, step.events)
        if entries != given:
            compare(record, step.item, entries)
            if len(given) > len(entries):
                raise does_not_go_on(record, step.item, len(entries))
            steps[place] = step._replace(entries=entries)


def _nothing_came_up(step: Step) -> bool:
    """Tell that no face-down pile has changed, so that the item has nothing to tell but moves."""
    before, after = step.before, step.after
    return (
        before.deck is after.deck
        and before.contract_deck is after.contract_deck
        and before.timer_deck is after.timer_deck
    )


def _undo(record: Record, number: int, seat: int, steps: list[Step]) -> None:
    violations = check_undo(record, steps, seat)
    if violations:
        raise InvalidFileError(record.place(number), violations[0].sentence)
    if len(record.items[number].entries) > 1:
        raise InvalidFileError(
            record.place(number, 1), say("After 'undo' a new item has to begin.")
        )
    _take_back(number, seat, steps)


def _take_back(number: int, seat: int, steps: list[Step]) -> None:
    place = _last_standing(steps)
    taken = steps[place]
    steps[place] = taken._replace(undone=True)
    before = steps[-1].after
    entries = ((taken.before.config.players[seat], UNDO),)
    steps.append(Step(number, seat, before, taken.before, (), (), entries, takes_back=place))


def _last_standing(steps: Sequence[Step]) -> int:
    """Return the place of the last step that was not taken back, or -1."""
    for place in range(len(steps) - 1, -1, -1):
        if not steps[place].undone and steps[place].takes_back is None:
            return place
    return -1


def check_undo(record: Record, steps: Sequence[Step], seat: int) -> list[Violation]:
    """Return why a player cannot take back a turn; none if it can be done (R-UNDO)."""
    last = _last_standing(steps)
    if last < 0:
        return [Violation(R_UNDO, say("There is no turn to take back."))]
    players = record.config.players
    if steps[-1].seat != seat or steps[last].seat != seat:
        return [
            Violation(
                R_UNDO,
                say(
                    "A turn can be taken back only by the player who moved last, and only until "
                    "somebody else moves; the last to move was {last}.",
                    last=players[steps[-1].seat],
                ),
            )
        ]
    return []


def result_entries(steps: Sequence[Step], digester: _Digester) -> list[tuple[str, str]]:
    """Return the entries of the item that ends a finished game.

    Its fingerprint is that of everything before it, so that a change made afterwards by accident
    shows even where no seed contradicts it.
    """
    state = steps[-1].after
    players = state.config.players
    entries = [
        (
            "result",
            flow({scalar(players[seat]): str(state.scores[seat]) for seat in ranking(state)}),
        )
    ]
    if state.config.timer:
        entries.append(("level", level(state)))
    if any(state.kept):
        revealed = {
            scalar(player): " ".join(PRIVATE_NAMES[contract] for contract in state.kept[seat])
            for seat, player in enumerate(players)
        }
        entries.append(("private", flow(revealed)))
    entries.append(("fingerprint", digester.digest(steps)[:SHORT]))
    return entries


def _check_result(
    record: Record, number: int, steps: list[Step], due: bool, digester: _Digester
) -> None:
    """Demand the result of the game, without telling what would be right: nobody should be
    helped to make a record valid again that was changed.
    """
    item = record.items[number]
    key, _ = item.entries[0]
    if not due and key != "result":
        raise _no_player(record, number, key)
    if not due:
        raise InvalidFileError(
            record.place(number), say("The result comes after the last turn; the game goes on.")
        )
    right = result_entries(steps, digester)
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
    if key == "fingerprint":
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


Remark = Callable[[Sequence[Event]], str]
"""What to write as a comment behind a move, made from what happened; may be empty."""


def play(
    replay: Replay, moves: Iterable[Move], seat: int, chance: Chance, remark: Remark | None = None
) -> Replay:
    """Play one or more moves of a player, and append them: what belongs to one turn as one item.

    Raises IllegalMoveError if a move is illegal, and what ``chance`` raises if it does not say what
    comes up; nothing has happened then.
    """
    rest = list(moves)
    while rest:
        replay = _play_item(replay, rest, seat, chance, remark)
    return replay


def _play_item(
    replay: Replay, rest: list[Move], seat: int, chance: Chance, remark: Remark | None
) -> Replay:
    """Play the first moves, as many as one item tells, and take them off the list."""
    state = replay.state
    record = replay.record
    goes_on = _goes_on(replay, seat, rest[0])
    done: tuple[Move, ...] = ()
    events: tuple[Event, ...] = ()
    while rest and (not done or _is_due(state, seat, rest[0])):
        move = rest[0]
        violations = check(state, move, seat)
        if violations:
            raise IllegalMoveError(violations)
        state, happened = apply(state, move, chance, seat)
        done += (rest.pop(0),)
        events += tuple(happened)
    comment = remark(events) if remark else ""
    player = record.config.players[seat]
    if goes_on:
        *steps, last = replay.steps
        done, events = last.moves + done, last.events + events
        entries = entries_of(last.entries[0], last.before, done, events)
        record = record.with_more(entries[len(last.entries) :], comment)
        steps.append(last._replace(after=state, moves=done, events=events, entries=entries))
    else:
        first = player, format_move(done[0], replay.state)
        entries = entries_of(first, replay.state, done, events)
        record = record.with_item(entries, comment)
        number = len(record.items) - 1
        steps = [*replay.steps, Step(number, seat, replay.state, state, done, events, entries)]
    if state.phase == OVER:
        record = record.with_item(result_entries(steps, _Digester(record)))
    return Replay(record, replay.opening, state, tuple(steps))


def _is_due(state: State, seat: int, move: Move) -> bool:
    """Tell whether a move is the decision that the turn of this player waits for."""
    return state.phase in _GOES_ON and state.seat == seat and not isinstance(move, Keep)


def _goes_on(replay: Replay, seat: int, move: Move) -> bool:
    """Tell whether a move of this player belongs to the last item of the record.

    Private contracts may be kept while a turn waits for a decision; that is an item of its own.
    """
    last = replay.steps[-1] if replay.steps else None
    return (
        last is not None
        and _is_due(replay.state, seat, move)
        and last.seat == seat
        and last.takes_back is None
        and not isinstance(last.moves[-1], Keep)
        and last.item == len(replay.record.items) - 1
    )


def undo(replay: Replay, seat: int) -> Replay:
    """Take back the player's last turn by appending an undo. Raises IllegalMoveError."""
    violations = check_undo(replay.record, replay.steps, seat)
    if violations:
        raise IllegalMoveError(violations)
    record = replay.record.with_item([(replay.record.config.players[seat], UNDO)])
    steps = list(replay.steps)
    _take_back(len(record.items) - 1, seat, steps)
    return Replay(record, replay.opening, steps[-1].after, tuple(steps))


class _Digester:
    """Takes digests of a record as it grows: each step is read once, however many are asked for."""

    def __init__(self, record: Record) -> None:
        lines = header(record.config, record.deal, secrecy=record.secrecy, seed=record.seed)
        self._hash = sha256("\n".join(lines).encode())
        self._lead = {key: f"\n  {key}: " for key in FOLLOW_UPS}
        self._lead |= {player: f"\n- {scalar(player)}: " for player in record.config.players}
        self._read = 0

    def digest(self, steps: Sequence[Step]) -> str:
        """Return the digest up to these steps, which begin with those of the last time."""
        lead = self._lead
        lines = [lead[key] + text for step in steps[self._read :] for key, text in step.entries]
        self._hash.update("".join(lines).encode())
        self._read = len(steps)
        return self._hash.hexdigest()
