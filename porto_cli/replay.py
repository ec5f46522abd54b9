"""From a record to states and events, and from a move to what is appended to the record.

State is never stored: it is always replayed, and what the record says came up is compared with
what its seed says. Reading and writing share one description of what an item holds
(:func:`_consequences`), so that a record that was written is a record that can be read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from porto_cli.chance import (
    NothingTypedError,
    NotInPileError,
    SeededChance,
    TypedChance,
    sha256,
)
from porto_cli.notation import (
    NONE,
    PRIVATE_NAMES,
    PUBLIC_NAMES,
    UNDO,
    NotationError,
    card_names,
    format_move,
    parse_card,
    parse_move,
    parse_public,
)
from porto_cli.record import OPEN, Record, header
from porto_cli.rules.components import CARDS, HOUSES
from porto_cli.rules.events import Event, Refilled, TimerSkipped, TimerTurned
from porto_cli.rules.legality import Violation, check
from porto_cli.rules.moves import Move
from porto_cli.rules.ranking import level, ranking
from porto_cli.rules.sentence import Sentence, say
from porto_cli.rules.state import (
    CONTRACTS,
    OVER,
    TIMER,
    Chance,
    State,
    begin,
    deal,
)
from porto_cli.rules.turn import apply
from porto_cli.yamltext import InvalidFileError, Place, flow, scalar

R_UNDO = "R-UNDO"
"""The one ruling that is about records, not about the game (see ``porto rules R-UNDO``)."""

_VERB_OF = {"contract": "contract", "timer-build": "build"}
"""The keys that go on with a decision of the player, and the move that they stand for."""
_STREAM_OF = {
    "refill": "cards",
    "timer-refill": "cards",
    "refill-contracts": "contracts",
    "timer-refill-contracts": "contracts",
    "timer": "timer",
}
"""The keys that say what came up, and the stream of chance that it came from."""


class Step(NamedTuple):
    """One item of the record, played."""

    item: int
    """Its place in ``record.items``."""
    seat: int
    before: State
    after: State
    moves: tuple[Move, ...]
    events: tuple[Event, ...]
    entries: tuple[tuple[str, str], ...]
    """The item as this program would write it."""
    undone: bool = False
    """Taken back later."""
    takes_back: int | None = None
    """For an ``undo``: the number of the step that it takes back."""


class Replay(NamedTuple):
    """A record and everything that follows from it. Moves return a new one."""

    record: Record
    opening: State
    state: State
    steps: tuple[Step, ...]

    @property
    def fingerprint(self) -> str:
        """Return the short hash of what the record says: 8 hexadecimal digits.

        It is taken of the record as this program would write it, without comments and title.
        """
        return _fingerprint(self.record, self.steps)

    def last_step(self) -> Step | None:
        """Return the last step that stands."""
        last = _last_standing(self.steps)
        return self.steps[last] if last >= 0 else None

    def turns(self) -> list[Step]:
        """Return the steps that stand, in order."""
        return [step for step in self.steps if not step.undone and step.takes_back is None]


class RefusedError(Exception):
    """A move that breaks rules: ``violations`` says which."""

    def __init__(self, violations: list[Violation]) -> None:
        super().__init__("\n".join(map(str, violations)))
        self.violations = violations


def replay(record: Record) -> Replay:
    """Play a record through. Raises InvalidFileError where it breaks a rule or contradicts."""
    opening = _opening(record)
    chance = SeededChance(record.seed) if record.secrecy == OPEN else None
    state = opening
    steps: list[Step] = []
    result_due = False
    for number, item in enumerate(record.items):
        key, text = item.entries[0]
        if result_due or key == "result":
            _check_result(record, number, steps, result_due)
            result_due = False
            continue
        seat = _seat_of(record, number, key)
        if text.lower() == UNDO:
            _undo(record, number, seat, steps)
            state = steps[-1].after
        else:
            step = _play_item(record, number, seat, state, chance)
            steps.append(step)
            state = step.after
        result_due = state.phase == OVER
    if result_due:
        raise InvalidFileError(
            record.place(len(record.items) - 1),
            say(
                "The game is over with this turn; the result has to follow: {lines}",
                lines="; ".join(f"{key}: {value}" for key, value in result_entries(record, steps)),
            ),
        )
    return Replay(record, opening, state, tuple(steps))


def _opening(record: Record) -> State:
    """Set the table; where there is a seed it has to agree with the recorded setup."""
    setup = record.deal
    if record.secrecy == OPEN:
        dealt = deal(record.game, SeededChance(record.seed))
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
    return begin(record.game, setup)


def _names(what: str, things: bytes) -> list[str]:
    if what == "tokens":
        return [f"{HOUSES[house]}: {value}" for house, value in enumerate(things) if value]
    if what == "contracts":
        return [PUBLIC_NAMES[thing] for thing in things]
    return card_names(things)


def _seat_of(record: Record, number: int, key: str) -> int:
    players = record.game.players
    if key in players:
        return players.index(key)
    line, _ = record.items[number].places[0]
    raise InvalidFileError(
        Place(record.file, line, record.indent + 1),
        say(
            "A turn begins with the name of a player ({players}), not with {key!r}.",
            players=", ".join(players),
            key=key,
        ),
    )


def _play_item(
    record: Record, number: int, seat: int, state: State, seeded: SeededChance | None
) -> Step:
    """Play one item: its move, and what it goes on with."""
    item = record.items[number]
    given = item.entries
    chance: Chance = seeded or _typed_in(record, number)
    before = state
    moves: list[Move] = []
    events: list[Event] = []
    entries: list[tuple[str, str]] = []
    key, text = given[0]
    while True:
        entry = len(entries)
        try:
            move = parse_move(text, state, seat)
        except NotationError as error:
            raise InvalidFileError(record.place(number, entry), error.sentence) from None
        violations = check(state, move, seat)
        if violations:
            raise InvalidFileError(
                record.place(number, entry),
                say("{violations}", violations=" ".join(map(str, violations))),
            )
        canonical = format_move(move, state)
        entries.append((key, canonical.partition(" ")[2] if entry else canonical))
        by_timer = state.phase == TIMER
        try:
            state, happened = apply(state, move, chance, seat)
        except NothingTypedError as error:
            raise InvalidFileError(record.place(number), _missing(error)) from None
        except NotInPileError as error:
            raise InvalidFileError(record.place(number), _impossible(error)) from None
        moves.append(move)
        events += happened
        expected = _consequences(happened, by_timer)
        if expected:
            entry += 1
            if given[entry : entry + len(expected)] != tuple(expected):
                for nth, (key, text) in enumerate(expected, start=entry):
                    _compare(record, number, nth, key, text)
            entries += expected
        if len(entries) == len(given):
            return Step(number, seat, before, state, tuple(moves), tuple(events), tuple(entries))
        key, text = given[len(entries)]
        verb = _VERB_OF.get(key)
        waits = CONTRACTS if key == "contract" else TIMER
        if verb is None or state.phase != waits or seat != state.seat:
            raise InvalidFileError(
                record.place(number, len(entries)),
                say("The turn does not go on with {key!r} here.", key=key),
            )
        if not text.lower().startswith(verb):
            text = f"{verb} {text}"


def _consequences(events: Iterable[Event], by_timer: bool) -> list[tuple[str, str]]:
    """Return the entries that record what came up after a move."""
    entries = []
    prefix = "timer-" if by_timer else ""
    for event in events:
        if isinstance(event, Refilled):
            if event.row == "cards":
                entries.append((prefix + "refill", " ".join([CARDS[c] for c in event.came_up])))
            else:
                names = " ".join([PUBLIC_NAMES[contract] for contract in event.came_up])
                entries.append((prefix + "refill-contracts", names))
        elif isinstance(event, TimerTurned):
            entries.append(("timer", " ".join([CARDS[card] for card in event.turned])))
            prefix = "timer-"
        elif isinstance(event, TimerSkipped):
            entries.append(("timer-build", NONE))
    return entries


def _compare(record: Record, number: int, entry: int, key: str, expected: str) -> None:
    """Demand that an entry says what must have come up."""
    item = record.items[number]
    if entry >= len(item.entries) or item.entries[entry][0] != key:
        where = min(entry, len(item.entries) - 1)
        raise InvalidFileError(
            record.place(number, where),
            say("The turn has to go on with '{key}: {expected}'.", key=key, expected=expected),
        )
    text = item.entries[entry][1]
    if text == expected:
        return
    if key != "timer-build":
        try:
            if _things(key, text) == _things(key, expected):
                return
        except NotationError as error:
            raise InvalidFileError(record.place(number, entry), error.sentence) from None
    raise InvalidFileError(
        record.place(number, entry),
        say("Here comes up {expected!r}, not {text!r}.", expected=expected, text=text),
    )


def _things(key: str, text: str) -> bytes:
    parse = parse_public if _STREAM_OF[key] == "contracts" else parse_card
    return bytes(parse(word) for word in text.split())


def _typed_in(record: Record, number: int) -> TypedChance:
    """Return what people typed into an item, as the chance of its moves."""
    streams: dict[str, bytes] = {}
    for entry, (key, text) in enumerate(record.items[number].entries):
        stream = _STREAM_OF.get(key)
        if stream:
            try:
                streams[stream] = streams.get(stream, b"") + _things(key, text)
            except NotationError as error:
                raise InvalidFileError(record.place(number, entry), error.sentence) from None
    return TypedChance(**streams)


def _missing(error: NothingTypedError) -> Sentence:
    if error.stream == "timer":
        return say("The turn has to say which two timer cards were turned up ('timer: …').")
    if error.stream == "contracts":
        return say("The turn has to say which public contracts came up ('refill-contracts: …').")
    return say("The turn has to say which construction cards came up ('refill: …').")


def _impossible(error: NotInPileError) -> Sentence:
    name = PUBLIC_NAMES if error.stream == "contracts" else card_names(range(15))
    return say(
        "{thing} cannot come up: every one of it lies open, is in a hand or has been played.",
        thing=name[error.thing],
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
    entries = ((taken.before.game.players[seat], UNDO),)
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
    players = record.game.players
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


def result_entries(record: Record, steps: Iterable[Step]) -> list[tuple[str, str]]:
    """Return the entries of the item that ends a finished game.

    Its fingerprint is that of everything before it, so that a change made afterwards shows even
    where no seed contradicts it.
    """
    *_, last = steps = list(steps)
    state = last.after
    players = state.game.players
    entries = [
        (
            "result",
            flow({scalar(players[seat]): str(state.scores[seat]) for seat in ranking(state)}),
        )
    ]
    if state.game.timer:
        entries.append(("level", level(state)))
    if any(state.kept):
        revealed = {
            scalar(player): " ".join(PRIVATE_NAMES[contract] for contract in state.kept[seat])
            for seat, player in enumerate(players)
        }
        entries.append(("private", flow(revealed)))
    entries.append(("fingerprint", _fingerprint(record, steps)))
    return entries


def _check_result(record: Record, number: int, steps: list[Step], due: bool) -> None:
    item = record.items[number]
    if not due:
        raise InvalidFileError(
            record.place(number), say("The result comes after the last turn; the game goes on.")
        )
    right = result_entries(record, steps)
    for entry, (key, expected) in enumerate(right):
        if entry >= len(item.entries) or item.entries[entry][0] != key:
            raise InvalidFileError(
                record.place(number, min(entry, len(item.entries) - 1)),
                say(
                    "The game is over; here has to stand '{key}: {expected}'.",
                    key=key,
                    expected=expected,
                ),
            )
        if item.entries[entry][1] == expected:
            continue
        sentence = say(
            "The game ended with {expected}, not with {text}.",
            expected=expected,
            text=item.entries[entry][1],
        )
        if key == "fingerprint":
            sentence = say(
                "When the game ended its fingerprint was {text}, now it is {expected}: something "
                "above was changed afterwards.",
                expected=expected,
                text=item.entries[entry][1],
            )
        raise InvalidFileError(record.place(number, entry), sentence)
    if len(item.entries) > len(right):
        raise InvalidFileError(
            record.place(number, len(right)),
            say("The result does not go on with {key!r}.", key=item.entries[len(right)][0]),
        )


Remark = Callable[[list[Event]], str]
"""What to write as a comment behind a move, made from what happened; may be empty."""


def play(
    game: Replay, moves: Iterable[Move], seat: int, chance: Chance, remark: Remark | None = None
) -> Replay:
    """Play one or more moves of a player that belong to one turn, and append them.

    Raises RefusedError if a move is illegal, and what ``chance`` raises if it does not say what
    comes up; nothing has happened then.
    """
    state = game.state
    record = game.record
    entries: list[tuple[str, str]] = []
    done: list[Move] = []
    events: list[Event] = []
    goes_on = _goes_on(game, seat)
    for move in moves:
        violations = check(state, move, seat)
        if violations:
            raise RefusedError(violations)
        text = format_move(move, state)
        by_timer = state.phase == TIMER
        if (done or goes_on) and state.phase in (CONTRACTS, TIMER):
            verb, _, rest = text.partition(" ")
            entries.append(("timer-build" if by_timer else verb, rest))
        else:
            entries.append((record.game.players[seat], text))
        state, happened = apply(state, move, chance, seat)
        entries += _consequences(happened, by_timer)
        done.append(move)
        events += happened
    if goes_on:
        record = record.with_more(entries, remark(events) if remark else "")
        last = game.steps[-1]
        step = last._replace(
            after=state,
            moves=(*last.moves, *done),
            events=(*last.events, *events),
            entries=(*last.entries, *entries),
        )
        steps = (*game.steps[:-1], step)
    else:
        record = record.with_item(entries, remark(events) if remark else "")
        step = Step(
            len(record.items) - 1,
            seat,
            game.state,
            state,
            tuple(done),
            tuple(events),
            tuple(entries),
        )
        steps = (*game.steps, step)
    if state.phase == OVER:
        record = record.with_item(result_entries(record, steps))
    return Replay(record, game.opening, state, steps)


def _goes_on(game: Replay, seat: int) -> bool:
    """Tell whether a move of this player belongs to the last item of the record."""
    return (
        game.state.phase in (CONTRACTS, TIMER)
        and bool(game.steps)
        and game.steps[-1].seat == seat
        and game.steps[-1].takes_back is None
        and game.steps[-1].item == len(game.record.items) - 1
    )


def undo(game: Replay, seat: int) -> Replay:
    """Take back the player's last turn by appending an undo. Raises RefusedError."""
    violations = check_undo(game.record, game.steps, seat)
    if violations:
        raise RefusedError(violations)
    record = game.record.with_item([(game.record.game.players[seat], UNDO)])
    steps = list(game.steps)
    _take_back(len(record.items) - 1, seat, steps)
    return Replay(record, game.opening, steps[-1].after, tuple(steps))


def _fingerprint(record: Record, steps: Iterable[Step]) -> str:
    lines = header(record.game, record.deal, secrecy=record.secrecy, seed=record.seed)
    names = [scalar(player) for player in record.game.players]
    for step in steps:
        first, *more = step.entries
        lines.append(f"- {names[step.seat]}: {first[1]}")
        lines += [f"  {key}: {text}" for key, text in more]
    return sha256("\n".join(lines).encode()).hexdigest()[:8]
