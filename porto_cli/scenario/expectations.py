"""What a scenario can demand of a table, and where a table differs from it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Protocol

from porto_cli.core.chance import Chance
from porto_cli.core.errors import InvalidMoveError
from porto_cli.core.message import say
from porto_cli.core.violation import Violation
from porto_cli.core.yaml import InvalidFileError, Place
from porto_cli.games.porto.engine.events import Event, Scored
from porto_cli.games.porto.engine.explain import check
from porto_cli.games.porto.engine.generate import canonical_move, legal_moves
from porto_cli.games.porto.engine.moves import Move
from porto_cli.games.porto.engine.play import finish
from porto_cli.games.porto.engine.ranking import level, ranking
from porto_cli.games.porto.engine.state import OVER, State
from porto_cli.games.porto.notation import PRIVATE_NAMES, UNDO, format_move, parse_move
from porto_cli.games.porto.position.fields import fact
from porto_cli.match.replay import Replay, check_undo

BUILD_REASONS = ("floors", "neighbors", "ground-token", "roof-token")
TOTAL, PLACE, LEVEL = "total", "place", "level"


class Difference(NamedTuple):
    """Where a case went wrong: what was asked, what should be, what is."""

    what: str
    expected: str
    actual: str


class Asked(NamedTuple):
    """A move as it stands in the file; ``player`` is empty for the one to move."""

    player: str
    text: str
    place: Place

    def __str__(self) -> str:
        return f"{self.player}: {self.text}" if self.player else self.text


class Start(NamedTuple):
    """What a case starts from; ``game`` is the record that it comes from, if any."""

    state: State
    chance: Chance
    places: dict[str, Place]
    """Where the file says what comes up, by the stream of chance."""
    replay: Replay | None = None


class Table(NamedTuple):
    """What a case has come to when its moves are played."""

    start: Start
    state: State
    events: tuple[Event, ...]


class Answer(NamedTuple):
    """What a demand found: the differences, and what can be said about it in any case."""

    differences: tuple[Difference, ...] = ()
    remarks: tuple[str, ...] = ()


class Demand(Protocol):
    """Something that must hold when the moves of a case are played."""

    def judge(self, table: Table) -> Answer:
        """Compare it with the table."""
        ...


def seat_of(asked: Asked, state: State) -> int:
    """Return who makes a move."""
    return state.config.players.index(asked.player) if asked.player else state.seat


def parse(asked: Asked, state: State) -> Move:
    """Return the move of a text as the table stands. Raises InvalidFileError."""
    try:
        return parse_move(asked.text, state, seat_of(asked, state))
    except InvalidMoveError as error:
        raise InvalidFileError(asked.place, error.sentence) from None


def is_listed(state: State, move: Move, seat: int) -> bool:
    """Tell whether a move that is not refused is among the legal moves, as it has to be."""
    return canonical_move(state, move) in legal_moves(state, seat)


def _violations(asked: Asked, table: Table) -> list[Violation]:
    state = table.state
    seat = seat_of(asked, state)
    if table.start.replay and asked.text.lower() == UNDO:
        return check_undo(table.start.replay.record, table.start.replay.steps, seat)
    return check(state, parse(asked, state), seat)


class Scores(NamedTuple):
    """The VP of the moves by their reasons, exactly; and their total, if that is asked."""

    vps: dict[str, int]

    def judge(self, table: Table) -> Answer:  # noqa: D102
        actual: dict[str, int] = {}
        for event in table.events:
            if isinstance(event, Scored):
                actual[event.reason] = actual.get(event.reason, 0) + event.vp
        expected = dict(self.vps)
        if set(expected) == {TOTAL}:
            expected |= actual
        actual[TOTAL] = sum(actual.values())
        expected.setdefault(TOTAL, sum(expected.values()))
        return _compare(
            (f"scores {reason}", str(expected.get(reason, 0)), str(actual.get(reason, 0)))
            for reason in dict.fromkeys((*expected, *actual))
        )


class Then(NamedTuple):
    """Some keys of the position that the moves lead to."""

    facts: dict[str, str | tuple[str, ...] | dict[str, str]]

    def judge(self, table: Table) -> Answer:  # noqa: D102
        rows: list[tuple[str, str, str]] = []
        for key, expected in self.facts.items():
            actual = fact(table.state, key)
            if isinstance(expected, dict):
                assert isinstance(actual, dict)
                rows += (
                    (f"{key} {name}", text, actual.get(name, "none"))
                    for name, text in expected.items()
                )
            else:
                rows.append((key, _words(expected), _words(actual)))
        return _compare(rows)


class Refused(NamedTuple):
    """A move that breaks these rulings and no others."""

    move: Asked
    because: tuple[str, ...]

    def judge(self, table: Table) -> Answer:  # noqa: D102
        violations = _violations(self.move, table)
        actual = sorted({violation.rule for violation in violations})
        rows = [
            (
                f"refuse {self.move}",
                " ".join(sorted(self.because)),
                " ".join(actual) or "it is legal",
            )
        ]
        if violations and self._is_listed(table):
            rows.append((f"refuse {self.move}", "not among the legal moves", "among them"))
        return _compare(rows, [str(violation) for violation in violations])

    def _is_listed(self, table: Table) -> bool:
        if self.move.text.lower() == UNDO:
            return False
        seat = seat_of(self.move, table.state)
        return parse(self.move, table.state) in legal_moves(table.state, seat)


class Unreadable(NamedTuple):
    """A text that is no move."""

    move: Asked

    def judge(self, table: Table) -> Answer:  # noqa: D102
        try:
            parse_move(self.move.text, table.state, seat_of(self.move, table.state))
        except InvalidMoveError as error:
            return Answer(remarks=(str(error.sentence),))
        return _compare([(f"unreadable {self.move}", "no move at all", "a move")])


class Legal(NamedTuple):
    """All legal moves of the player to move."""

    moves: tuple[Asked, ...]

    def judge(self, table: Table) -> Answer:  # noqa: D102
        state = table.state
        actual = {format_move(move, state) for move in legal_moves(state)}
        expected = {
            format_move(canonical_move(state, parse(move, state)), state) for move in self.moves
        }
        return _compare(
            [
                ("legal, but not listed", "none", ", ".join(sorted(actual - expected)) or "none"),
                ("listed, but not legal", "none", ", ".join(sorted(expected - actual)) or "none"),
            ]
        )


class LegalCount(NamedTuple):
    """The number of legal moves of the player to move."""

    moves: int

    def judge(self, table: Table) -> Answer:  # noqa: D102
        return _compare([("legal-count", str(self.moves), str(len(legal_moves(table.state))))])


class Reckoned(NamedTuple):
    """What the end of the game gives each player, as the table stands (P-END-2)."""

    players: dict[int, dict[str, str]]
    place: Place

    def judge(self, table: Table) -> Answer:  # noqa: D102
        if table.state.phase == OVER:
            raise InvalidFileError(
                self.place,
                say(
                    "The game is over and reckoned already: ask for the scores under 'then', or "
                    "give a position before the end."
                ),
            )
        state, events = finish(table.state)
        places = ranking(state)
        rows: list[tuple[str, str, str]] = []
        for seat, expected in self.players.items():
            actual = {PRIVATE_NAMES[contract]: "0" for contract in state.kept[seat]}
            actual |= {
                event.contract: str(event.vp)
                for event in events
                if isinstance(event, Scored) and event.seat == seat
            }
            actual[TOTAL] = str(state.scores[seat])
            actual[PLACE] = str(places.index(seat) + 1)
            actual[LEVEL] = level(state)
            rows += (
                (f"reckon {state.config.players[seat]} {name}", value, actual.get(name, "not kept"))
                for name, value in expected.items()
            )
        return _compare(rows)


def _compare(rows: Iterable[tuple[str, str, str]], remarks: Iterable[str] = ()) -> Answer:
    return Answer(
        tuple(Difference(*row) for row in rows if row[1] != row[2]),
        tuple(remarks),
    )


def _words(text: object) -> str:
    return " ".join(text) if isinstance(text, tuple) else str(text)
