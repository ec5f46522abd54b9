"""Scenarios: a position, moves made there, and what must follow (porto-scenario(5)).

A scenario file has a title (``scenario``), the game (``game``), the players and options
(``players`` and the keys of the game, as in a record), a ``position`` and ``cases``; instead of
players and position it may name or contain a whole ``record``. Every case starts from the same
position, changed by the keys under its ``if``, or with a record from the table after its ``turn``.
It may ``play`` moves, and then expects:

* ``scores``, ``earns``: what these moves brought, in the form of the game
* ``then``: keys of a position, of which only these are compared
* ``refuse`` with ``because``: a move that breaks exactly these rulings
* ``unreadable``: a text that is not a move at all
* ``legal`` (the complete list) or ``legal-count``
* ``reckon``: the scores if the game ended here

A move is a text for the player to move, or ``{NAME: text}``. ``title``, ``why`` and ``cites`` are
for readers; ``why`` and ``cites`` of the file apply to all its cases.

What a position is, and how values are compared, is in :mod:`porto_cli.fields`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

from porto_cli.core import FileError, InvalidMoveError, cited, no_player, plural, usage
from porto_cli.core.chance import NotInPileError, seeded_chance
from porto_cli.core.characters import printable
from porto_cli.core.files import name_of, read_text
from porto_cli.core.yaml import InvalidFileError, Node, Place, read, scalar
from porto_cli.fields import (
    SEED,
    Answers,
    Difference,
    Expectation,
    Field,
    Position,
    compared,
    compared_fields,
    entry_lines,
    lines_of,
)
from porto_cli.games import DEFAULT, Game
from porto_cli.installed import ruling
from porto_cli.match.match import opened
from porto_cli.match.record import OPEN, SEALED, Record, load, load_node, read_game, read_meta
from porto_cli.match.replay import Replay, after_turn, decisions
from porto_cli.seam import UNDO, Config, Event, GameMeta, Move, State, Step

_REQUIRED = ("porto", "scenario", "cases")
_OPTIONAL = ("cites", "why", "game", "players")
_LAST = ("artificial", "position", "record")
_CASE = (
    *("title", "why", "cites", "if", "turn", "play", "scores", "earns", "then", "refuse"),
    *("because", "unreadable", "legal", "legal-count", "reckon"),
)
_OF_THE_GAME = ("scores", "earns", "reckon", "then")
"""Keys of a case that not every game has, and that the game itself reads."""
_ASKING = tuple(key for key in _CASE[5:] if key != "because")
"""Keys of which a case needs at least one, in the order of a report."""
_MOST_MOVES = 999_999_999
MOST_LISTED = 200
"""Maximum number of legal moves that are listed."""


class WrittenMove(NamedTuple):
    """A move as written in the file; ``player`` is empty for the player to move."""

    player: str
    text: str
    node: Node

    def __str__(self) -> str:
        return f"{self.player}: {self.text}" if self.player else self.text

    def seat(self, state: State) -> int:
        """Return the seat that makes the move."""
        seat: int = state.config.players.index(self.player) if self.player else state.seat
        return seat

    def parse(self, game: Game, state: State) -> Move:
        """Return the move in a state. Raises InvalidFileError."""
        return self.node.parsed(lambda _: game.parse_move(self.text, state, self.seat(state)))


class Case(NamedTuple):
    """One case: its moves, played from a start, and what must follow."""

    place: Place
    title: str
    why: str
    cites: tuple[str, ...]
    """The rulings of the case, of its file, and of its refusals."""
    game: Game
    start: Position
    moves: tuple[WrittenMove, ...]
    refused: WrittenMove | None
    """The move that has to be refused, if there is one."""
    because: tuple[str, ...]
    """The rulings that it has to break."""
    expectations: dict[str, Expectation]
    """What must follow, by the keys of the case."""
    reckons: tuple[str, ...]
    """The players whose scores are compared, as if the game ended here."""
    summary: str
    """What the case asks, in the words of the file."""


class Scenario(NamedTuple):
    """A scenario file."""

    title: str
    why: str
    cases: tuple[Case, ...]


class Result(NamedTuple):
    """The result of a case."""

    case: Case
    after: State
    events: tuple[Event, ...]
    differences: tuple[Difference, ...]
    remarks: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether the case passed."""
        return not self.differences


# -- Running


def run(case: Case) -> Result:
    """Play a case and compare. Raises InvalidFileError if the file itself is wrong."""
    game, state = case.game, case.start.state
    events: list[Event] = []
    for written in case.moves:
        seat, move = written.seat(state), written.parse(game, state)
        fault: Difference | None = None
        if violations := game.violations(state, move, seat):
            broken = " ".join(map(str, violations))
            fault = Difference(f"play {written}", "it is legal", broken)
        elif _is_missing(game, state, move, seat):
            fault = Difference(f"play {written}", "among the legal moves", "not among them")
        if fault:
            return Result(case, state, tuple(events), (fault,))
        try:
            state, happened = game.apply(state, move, case.start.chance, seat)
        except NotInPileError as error:
            thing = game.thing_name(error.stream, error.thing)
            case.start.nodes[error.stream].fail(
                f"{thing} cannot come up when {written} is played: it is not face down."
            )
        events += happened
    answers = [one for ask in case.expectations.values() for one in ask(state, events)]
    return Result(
        case,
        state,
        tuple(events),
        tuple(one for one in answers if isinstance(one, Difference)),
        tuple(one for one in answers if isinstance(one, str)),
    )


def _is_missing(game: Game, state: State, move: Move, seat: int) -> bool:
    """Return whether a legal move is missing from the list of legal moves.

    False if that is unknown: the list is cut short, or the move is a secret that the program does
    not know either.
    """
    moves = game.legal_moves(state, seat, MOST_LISTED)
    if game.canonical_move(state, move) in moves or (game.is_secret(move) and not moves):
        return False
    return not _is_cut_short(game, state, moves, seat)


def _is_cut_short(game: Game, state: State, moves: list[Move], seat: int) -> bool:
    return len(moves) >= MOST_LISTED and game.count_moves(state, seat) > len(moves)


# -- Reading


def load_scenario(path: Path, wrong: list[InvalidFileError] | None = None) -> Scenario:
    """Return the scenario of a file. Raises InvalidFileError, FileError.

    With ``wrong``, invalid cases are left out, and their errors are added to that list.
    """
    return scenario_of_text(read_text(path), name_of(path), wrong)


def scenario_of_text(text: str, file: str, wrong: list[InvalidFileError] | None = None) -> Scenario:
    """Return the scenario of a text, see :func:`load_scenario`; ``file`` names it in errors."""
    if not _BEGINS.search(text):
        raise InvalidFileError(Place(file, 1, 1), _NO_SCENARIO)
    root = read(text, file, _NO_SCENARIO)
    if "turns" in root and "scenario" not in root:
        root.keys["turns"].fail(
            "This file is a record, not a scenario; 'porto show' shows it, and 'porto scenario "
            "--from' makes a scenario from it."
        )
    meta = read_meta(root.mapping())
    root.mapping(_REQUIRED, (*_OPTIONAL, *meta.header_keys, *_LAST))
    root["porto"].number(1, 1)
    return _Loading(root, meta).scenario(wrong)


_BEGINS = re.compile(r"^[\s{\"'\ufeff]*(porto|scenario|turns)\b[\"']?\s*:", re.MULTILINE)
_NO_SCENARIO = "This is not a scenario; 'porto help scenarios' says what one looks like."


class _Loading:
    """A scenario as it is read, case by case."""

    def __init__(self, root: Node, meta: GameMeta) -> None:
        self.root = root
        self.unchecked = "artificial" in root and root["artificial"].flag()
        self.record = _record(root, meta)
        if self.record:
            self.game, self.config = self.record.game, self.record.config
        else:
            if "players" not in root:
                root.fail("The key 'players' is missing.")
            self.game, self.config = read_game(root)
        self.positions = self.game.positions
        if self.positions is None and self.record is None:
            title = self.game.meta.title
            root.fail(f"{title} has no positions; a scenario of it has the key 'record'.")
        own = {*self.positions.EXPECTATIONS, "then"} if self.positions else set[str]()
        self.case_keys = [key for key in _CASE if key not in _OF_THE_GAME or key in own]
        self.asking_keys = [key for key in self.case_keys if key in _ASKING]

    def scenario(self, wrong: list[InvalidFileError] | None) -> Scenario:
        """Return the scenario, see :func:`load_scenario`."""
        title, why, cites = self.root["scenario"].text(), _why(self.root), _cites(self.root)
        if not self.root["cases"].items():
            self.root["cases"].fail("There should be at least one case.")
        found: list[Case] = []
        for node in self.root["cases"].items():
            try:
                found.append(self.case(node, title, cites))
            except InvalidFileError as error:
                if wrong is None:
                    raise
                wrong.append(error)
        return Scenario(title, why, tuple(found))

    def case(self, node: Node, title: str, cites: tuple[str, ...]) -> Case:
        """Return a case; the title of the file is its default, and the file's rulings are added."""
        node.mapping((), self.case_keys)
        if not any(key in node for key in self.asking_keys):
            node.fail(f"A case has one of the keys {', '.join(self.asking_keys)}.")
        if ("refuse" in node) != ("because" in node):
            node.fail("'refuse' and 'because' go together; a case needs both or neither.")
        start = self.record_start(node, self.record) if self.record else self.start(node)
        because = _cites(node, "because")
        return Case(
            node.place,
            title=node["title"].text() if "title" in node else title,
            why=_why(node),
            cites=tuple(dict.fromkeys((*_cites(node), *because, *cites))),
            game=self.game,
            start=start,
            moves=self.moves(node["play"]) if "play" in node else (),
            refused=self.move(node["refuse"]) if "refuse" in node else None,
            because=because,
            expectations={
                key: self.expectation(key, node[key], start, because)
                for key in self.asking_keys
                if key in node and key != "play"
            },
            reckons=tuple(node["reckon"].keys) if "reckon" in node else (),
            summary=self.summary(node),
        )

    def start(self, case: Node) -> Position:
        """Return the position of a case, changed by its ``if``."""
        if "turn" in case:
            case.keys["turn"].fail("Only a scenario with a 'record' has turns to name.")
        node = self.root.get("position") or Node({}, self.root.place)
        if "if" in case:
            node = _changed(node, case["if"])
        assert self.positions is not None
        return self.positions.read_position(node, self.config, unchecked=self.unchecked)

    def record_start(self, case: Node, replay: Replay) -> Position:
        """Return the table of the record from which a case starts."""
        if "if" in case:
            case.keys["if"].fail("A position of a record cannot be changed with 'if'.")
        if "turn" in case:
            turn = case["turn"].number(most=9999)
            try:
                replay = after_turn(replay, turn)
            except ValueError as error:
                case["turn"].fail(str(error))
        seed = replay.record.seed if replay.record.secrecy == OPEN else SEED
        return Position(replay.state, seeded_chance(seed), {}, replay)

    def moves(self, node: Node) -> tuple[WrittenMove, ...]:
        """Read a list of moves, or a single one."""
        items = node.items() if isinstance(node.value, list) else [node]
        return tuple(self.move(item) for item in items)

    def move(self, node: Node) -> WrittenMove:
        """Read a move: a text for the player to move, or a player with a text."""
        player = ""
        if isinstance(node.value, dict) and len(node.value) == 1:
            ((player, node),) = node.value.items()
            if player not in self.config.players:
                node.fail(no_player(player, self.config.players))
        return WrittenMove(player, " ".join(node.text().split()), node)

    def expectation(
        self, key: str, node: Node, start: Position, because: tuple[str, ...]
    ) -> Expectation:
        """Read what a case expects under a key. The configuration can differ from the file's, so
        the one of the position is used.
        """
        config: Config = start.state.config
        if key == "then":
            assert self.positions is not None
            return _then(self.positions.FIELDS, node, config)
        if key == "refuse":
            return partial(_refused, self.game, self.move(node), because, start.replay)
        if key == "unreadable":
            return partial(_unreadable, self.game, self.move(node))
        if key == "legal":
            node.items()
            return partial(_legal, self.game, self.moves(node), node)
        if key == "legal-count":
            return partial(_legal_count, self.game, node.number(most=_MOST_MOVES))
        assert self.positions is not None
        return self.positions.EXPECTATIONS[key](node, config)

    def summary(self, node: Node) -> str:
        """Return what a case asks, in the words of the file."""
        parts = [
            f"{key} {', '.join(map(str, self.moves(node[key])))}"
            for key in ("play", "refuse", "unreadable")
            if key in node
        ]
        parts += [key for key in ("legal", "legal-count", "reckon") if key in node]
        return "; ".join(parts or ["then"])


def _record(root: Node, meta: GameMeta) -> Replay | None:
    """Return the game of a scenario with a ``record``; ``None`` if it has a position."""
    node = root.get("record")
    if node is None:
        return None
    for key in ("game", "players", *meta.header_keys, "artificial", "position"):
        if key in root:
            root.keys[key].fail(f"A scenario with a 'record' has no '{key}': the record has it.")
    if not isinstance(node.value, str):
        return _replayed(load_node(node, ""))
    folder = Path(root.file).parent
    path = folder / node.value
    # A scenario may come from a stranger, and errors quote the file that it names.
    if not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder)):
        node.fail(
            f"The record {path} was not read: it has to be in the folder of the scenario or below "
            "it, and links must not lead out of there."
        )
    with suppress(FileError):
        # Reading a pipe could block forever; only the name '-' is standard input.
        if os.path.isfile(path):
            return _replayed(load(read_text(path.absolute()), str(path)))
    node.fail(f"The record {path} cannot be read.")


def _replayed(record: Record) -> Replay:
    """Return the game of a record, which must not be a sealed one."""
    if record.secrecy == SEALED:
        raise InvalidFileError(
            Place(record.file, *record.lines["secrecy"]),
            "A sealed game cannot be replayed without its seals.",
        )
    return opened(record)


def _why(node: Node) -> str:
    return " ".join(node["why"].text().split()) if "why" in node else ""


def _cites(node: Node, key: str = "cites") -> tuple[str, ...]:
    cites = []
    for item in node[key].items() if key in node else ():
        try:
            cites.append(ruling(item.text()).id)
        except KeyError:
            item.fail(f"There is no ruling {cited(item.text())}; 'porto rules' lists all.")
    return tuple(cites)


def _changed(node: Node, changes: Node) -> Node:
    """Return a position with some keys changed; in mappings only the named entries change."""
    values = dict(node.mapping())
    new = Node(values, node.place, node.name, block=node.block)
    new.keys = node.keys | changes.keys
    for key, change in changes.mapping().items():
        old = values.get(key)
        joins = old is not None and old.is_mapping and change.is_mapping
        values[key] = _changed(old, change) if old and joins else change
    return new


# -- What a case of any game can expect


def _then(fields: Mapping[str, Field], node: Node, config: Config) -> Expectation:
    """Return what compares keys of a position."""
    asked = [key for key, field in fields.items() if field.find]
    expected = {
        key: fields[key].kind.read(inner, config) for key, inner in node.mapping((), asked).items()
    }
    return lambda state, events: compared_fields(fields, expected, state)


def _refused(
    game: Game,
    written: WrittenMove,
    because: tuple[str, ...],
    played: Replay | None,
    state: State,
    events: object,
) -> Answers:
    """Compare the rulings that a move breaks; it must not be among the legal moves either."""
    seat, what = written.seat(state), f"refuse {written}"
    listed: list[Move] = []
    if played and written.text.lower() == UNDO:
        # Only a record has turns that can be taken back.
        violations = played.past().check(seat)
        move = None
    else:
        move = written.parse(game, state)
        violations = game.violations(state, move, seat)
        listed = game.legal_moves(state, seat, MOST_LISTED) if violations else []
    broken = sorted({violation.rule for violation in violations})
    yield from compared(what, " ".join(sorted(because)), " ".join(broken) or "it is legal")
    if move in listed:
        yield Difference(what, "not among the legal moves", "among them")
    yield from map(str, violations)


def _unreadable(game: Game, written: WrittenMove, state: State, events: object) -> Answers:
    """Try to read a text that is not a move."""
    try:
        game.parse_move(written.text, state, written.seat(state))
    except InvalidMoveError as error:
        yield error.sentence
    else:
        yield Difference(f"unreadable {written}", "no move at all", "a move")


def _legal(
    game: Game, written: tuple[WrittenMove, ...], node: Node, state: State, events: object
) -> Answers:
    """Compare all legal moves of the player to move with a list, whatever its order."""
    moves = game.legal_moves(state, state.seat, MOST_LISTED)
    if _is_cut_short(game, state, moves, state.seat):
        count = game.count_moves(state, state.seat)
        node.fail(f"There are {count} legal moves, too many to list; use 'legal-count'.")
    actual = {game.format_move(move, state) for move in moves}
    expected = {
        game.format_move(game.canonical_move(state, one.parse(game, state)), state)
        for one in written
    }
    for what, only in (
        ("legal, but not listed", actual - expected),
        ("listed, but not legal", expected - actual),
    ):
        yield from compared(what, "none", ", ".join(sorted(only)) or "none")
    yield f"Legal: {', '.join(sorted(actual)) or 'nothing'}."


def _legal_count(game: Game, count: int, state: State, events: object) -> Answers:
    """Compare the number of legal moves of the player to move."""
    found = game.count_moves(state, state.seat)
    yield from compared("legal-count", count, found)
    yield f"{plural(found, 'legal move')}."


# -- A scenario of a running game


def scenario_text(replay: Replay, turn: int | None = None) -> str:
    """Return a scenario of the table after a number of turns; by default of the table now.

    Its case plays the next turn, or counts the legal moves if there was none. Raises ValueError if
    there were fewer turns, WrongUsageError for a game without positions.
    """
    game, positions = replay.game, replay.game.positions
    if positions is None:
        usage(f"{game.meta.title} has no positions, so there are no scenarios of it.")
    earlier = replay if turn is None else after_turn(replay, turn)
    step = None if turn is None else _next_turn(replay, turn)
    state = step.before if step else positions.without_secrets(earlier.state)
    title = f"{replay.record.title or Path(replay.record.file).name} after {state.turn} turns"
    lines = [
        "porto: 1",
        *([] if game.meta.id == DEFAULT else [f"game: {game.meta.id}"]),
        f"scenario: {scalar(printable(title))}",
        *entry_lines("players", replay.config.players),
        *positions.header_lines(replay.config),
        "position:",
        *_indented(lines_of(positions.describe_position(state, step.events if step else ()))),
        "cases:",
    ]
    if step is None:
        lines.append(f"- legal-count: {game.count_moves(state, state.seat)}")
        return "\n".join(lines) + "\n"
    made = decisions(replay, step)
    lines += ["- play:", *(f"  - {game.format_move(one.move, one.before)}" for one in made)]
    for key, plain in positions.consequences(step).items():
        if key == "then" and isinstance(plain, dict):
            lines += ["  then:", *_indented(_indented(lines_of(plain)))]
        else:
            lines += _indented(entry_lines(key, plain))
    return "\n".join(lines) + "\n"


def _next_turn(replay: Replay, turn: int) -> Step | None:
    """Return the turn after a number of turns, if there is one; secret choices are not turns."""
    for step in replay.turns():
        if step.before.turn == turn and step.moves and not replay.game.is_secret(step.moves[-1]):
            return step
    return None


def _indented(lines: list[str]) -> list[str]:
    return [f"  {line}" for line in lines]
