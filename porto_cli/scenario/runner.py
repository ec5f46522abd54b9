"""Scenarios: a position, what is done there, and what must follow.

A scenario file has a title (``scenario``), which game it is (``game``), who plays and by which
options (``players`` and the keys of the game, as in a record), a ``position`` and ``cases``;
instead of players and position it may name or hold a whole ``record``. Every case starts from the
same position, changed by the keys under its ``if``, or in a record from the table after the turn
of its ``turn``. It may ``play`` moves, and then expects:

* ``scores``, ``earns``: what these moves brought, as the game has it
* ``then``: keys of a position, of which only these are compared
* ``refuse`` with ``because``: a move that breaks these rulings, exactly
* ``unreadable``: a text that is not a move at all
* ``legal`` (the complete list) or ``legal-count``
* ``reckon``: the scores if the game ended here

A move is the text of the one to move, or ``{NAME: text}``. ``title``, ``why`` and ``cites`` are
for readers, ``why`` and ``cites`` of the file count for all its cases.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from porto_cli.core.chance import NotInPileError, seeded_chance
from porto_cli.core.files import name_of, read_text
from porto_cli.core.message import FileError, say, shown
from porto_cli.core.yaml import (
    InvalidFileError,
    Node,
    Place,
    read,
    scalar,
)
from porto_cli.game import DEFAULT, Config, Event, Game, GameMeta, State, Step
from porto_cli.installed import ruling
from porto_cli.match.record import OPEN, load, load_node, read_game, read_meta
from porto_cli.match.replay import Replay, after_turn, decisions, replay
from porto_cli.scenario.cases import (
    SEED,
    Difference,
    Expectation,
    Legal,
    LegalCount,
    Played,
    Position,
    Refused,
    Then,
    Unreadable,
    WrittenMove,
    entry_lines,
    is_missing,
    positions_of,
)

_REQUIRED = ("porto", "scenario", "cases")
_OPTIONAL = ("cites", "why", "game", "players")
_LAST = ("artificial", "position", "record")
_CASE = (
    *("title", "why", "cites", "if", "turn", "play", "scores", "earns", "then", "refuse"),
    *("because", "unreadable", "legal", "legal-count", "reckon"),
)
_OF_THE_GAME = ("scores", "earns", "reckon")
"""Keys of a case that not every game has, and that it reads itself."""
_ASKING = tuple(key for key in _CASE[5:] if key != "because")
"""Keys of which a case needs at least one."""
_MOST_MOVES = 999_999_999


class Case(NamedTuple):
    """One question: its moves, played from a start, and what must follow."""

    place: Place
    title: str
    why: str
    cites: tuple[str, ...]
    """The rulings of the case, of its file, and of its refusals."""
    game: Game
    start: Position
    moves: tuple[WrittenMove, ...]
    expectations: tuple[Expectation, ...]
    summary: str
    """What is asked, in the words of the file."""


class Scenario(NamedTuple):
    """A scenario file."""

    file: str
    title: str
    why: str
    cites: tuple[str, ...]
    cases: tuple[Case, ...]


class Result(NamedTuple):
    """The result of a case."""

    case: Case
    after: State
    events: tuple[Event, ...]
    differences: tuple[Difference, ...]
    remarks: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Whether the case has passed."""
        return not self.differences


def run(case: Case) -> Result:
    """Play a case and compare. Raises InvalidFileError where the file itself is wrong."""
    game, start = case.game, case.start
    state = start.state
    events: list[Event] = []
    for written in case.moves:
        seat = written.seat(state)
        move = written.parse(game, state)
        violations = game.violations(state, move, seat)
        if violations:
            wrong = Difference(f"play {written}", "it is legal", " ".join(map(str, violations)))
            return Result(case, state, tuple(events), (wrong,), ())
        if is_missing(game, state, move, seat):
            wrong = Difference(f"play {written}", "among the legal moves", "not among them")
            return Result(case, state, tuple(events), (wrong,), ())
        try:
            state, happened = game.apply(state, move, start.chance, seat)
        except NotInPileError as error:
            raise InvalidFileError(
                start.places[error.stream],
                say(
                    "{thing} cannot come up when {move} is played: it is not face down.",
                    thing=positions_of(game.meta.id).name_of(error.stream, error.thing),
                    move=str(written),
                ),
            ) from None
        events += happened
    played = Played(game, start, state, tuple(events))
    answers = [expectation.evaluate(played) for expectation in case.expectations]
    return Result(
        case,
        state,
        played.events,
        tuple(difference for answer in answers for difference in answer.differences),
        tuple(remark for answer in answers for remark in answer.remarks),
    )


def load_scenario(path: Path, wrong: list[InvalidFileError] | None = None) -> Scenario:
    """Return the scenario of a file. Raises InvalidFileError, FileError.

    With ``wrong`` cases that are not valid are left out, and their errors are added to that.
    """
    return scenario_of_text(read_text(path), name_of(path), wrong)


def scenario_of_text(text: str, file: str, wrong: list[InvalidFileError] | None = None) -> Scenario:
    """Return the scenario of a text, see :func:`load_scenario`; ``file`` names it in errors."""
    root = read(text, file)
    if "turns" in root.keys and "scenario" not in root.keys:
        root.keys["turns"].fail(
            "This file is a record, not a scenario; 'porto show' shows it, and 'porto "
            "scenario --from' makes a scenario of it."
        )
    meta = read_meta(root.mapping())
    root.mapping(_REQUIRED, (*_OPTIONAL, *meta.header_keys, *_LAST))
    root.mapping()["porto"].number(least=1, most=1)
    return _Loading(root, meta).scenario(wrong)


class _Loading:
    def __init__(self, root: Node, meta: GameMeta) -> None:
        self.root = root
        self.entries = root.mapping()
        self.unchecked = "artificial" in self.entries and self.entries["artificial"].flag()
        self.record = self._record(meta)
        if self.record:
            self.game, self.config = self.record.game, self.record.config
        else:
            if "players" not in self.entries:
                root.fail("The key 'players' is missing.")
            self.game, self.config = read_game(root)
        self.positions = self.game.positions
        if self.positions is None and self.record is None:
            root.fail(
                f"{self.game.meta.title} has no positions; a scenario of it has the key 'record'."
            )
        self.expectations = self.positions.expectations if self.positions else {}
        absent = {key for key in _OF_THE_GAME if key not in self.expectations}
        if self.positions is None:
            absent.add("then")
        self.case_keys = tuple(key for key in _CASE if key not in absent)
        self.asking_keys = tuple(key for key in _ASKING if key not in absent)

    def scenario(self, wrong: list[InvalidFileError] | None) -> Scenario:
        title = self.entries["scenario"].text()
        why, cites = self._why(self.root), self._cites(self.root)
        cases = self.entries["cases"]
        if not cases.items():
            cases.fail("There should be at least one case.")
        found: list[Case] = []
        for node in cases.items():
            try:
                found.append(self._case(node, title, cites))
            except InvalidFileError as error:
                if wrong is None:
                    raise
                wrong.append(error)
        return Scenario(self.root.file, title, why, cites, tuple(found))

    def _record(self, meta: GameMeta) -> Replay | None:
        node = self.entries.get("record")
        if node is None:
            return None
        for key in ("game", "players", *meta.header_keys, "artificial", "position"):
            if key in self.root.keys:
                self.root.keys[key].fail(
                    f"A scenario with a 'record' has no {shown(key)}: the record has it."
                )
        if node.is_text:
            folder = Path(self.root.file).parent
            path = folder / node.text()
            # A scenario comes from anybody, and errors quote the file that it names.
            if not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder)):
                node.fail(
                    f"The record {path} was not read: it has to be in the folder of the "
                    "scenario or below it, and links must not lead out of there."
                )
            try:
                # Reading a pipe could block forever; only the name '-' is standard input.
                text = read_text(path.absolute()) if os.path.isfile(path) else None
            except FileError:
                text = None
            if text is None:
                node.fail(f"The record {path} cannot be read.")
            return replay(load(text, str(path)))
        return replay(load_node(node, ""))

    def _why(self, node: Node) -> str:
        if "why" not in node.mapping():
            return ""
        return " ".join(node.mapping()["why"].text().split())

    def _cites(self, node: Node, key: str = "cites") -> tuple[str, ...]:
        if key not in node.mapping():
            return ()
        cites = []
        for text, item in [(item.text(), item) for item in node.mapping()[key].items()]:
            try:
                cites.append(ruling(text).id)
            except KeyError:
                item.fail(f"There is no ruling {shown(text)}; 'porto rules' lists all.")
        return tuple(cites)

    def _case(self, node: Node, title: str, cites: tuple[str, ...]) -> Case:
        case = node
        entries = case.mapping((), self.case_keys)
        if not any(key in entries for key in self.asking_keys):
            case.fail(f"A case has one of the keys {', '.join(self.asking_keys)}.")
        if ("refuse" in entries) != ("because" in entries):
            case.fail("The keys 'refuse' and 'because' need each other.")
        start = self._start(case)
        moves = self._moves(entries["play"], "play") if "play" in entries else ()
        because = self._cites(case, "because")
        return Case(
            place=case.place,
            title=entries["title"].text() if "title" in entries else title,
            why=self._why(case),
            cites=tuple(dict.fromkeys((*self._cites(case), *because, *cites))),
            game=self.game,
            start=start,
            moves=moves,
            expectations=tuple(self._expectations(entries, start.state.config, because)),
            summary=self._summary(entries),
        )

    def _start(self, case: Node) -> Position:
        if self.record:
            return self._start_in_record(case, self.record)
        if "turn" in case.mapping():
            case.keys["turn"].fail("Only a scenario with a 'record' has turns to name.")
        node = self.entries.get("position", Node({}, self.root.place))
        if "if" in case.mapping():
            node = _changed(node, case.mapping()["if"])
        assert self.positions is not None
        return self.positions.read(node, self.config, unchecked=self.unchecked)

    def _start_in_record(self, case: Node, replay: Replay) -> Position:
        if "if" in case.mapping():
            case.keys["if"].fail("A position of a record cannot be changed with 'if'.")
        if "turn" in case.mapping():
            turn = case.mapping()["turn"].number(most=9999)
            try:
                replay = after_turn(replay, turn)
            except ValueError as error:
                case.mapping()["turn"].fail(f"{error}")
        seed = replay.record.seed if replay.record.secrecy == OPEN else SEED
        return Position(replay.state, seeded_chance(seed), {}, replay)

    def _moves(self, node: Node, what: str) -> tuple[WrittenMove, ...]:
        items = [node] if node.is_text or node.is_mapping else node.items()
        return tuple(self._move(item, what) for item in items)

    def _move(self, node: Node, what: str) -> WrittenMove:
        """Read a move: the text of the one to move, or a player with a text."""
        player = ""
        if node.is_mapping and len(node.mapping()) == 1:
            ((player, node),) = node.mapping().items()
            if player not in self.config.players:
                node.fail(
                    f"No player is called {shown(player)}; the players are "
                    f"{', '.join(self.config.players)}."
                )
        text = " ".join(node.text().split())
        return WrittenMove(player, text, node.place)

    def _expectations(
        self, entries: dict[str, Node], config: Config, because: tuple[str, ...]
    ) -> Iterator[Expectation]:
        """Read what a case asks, in the order of the keys of a case, which is that of a report.

        ``config`` is that of its position, which can differ in what the position leaves out.
        """
        for key in self.asking_keys:
            node = entries.get(key)
            if node is None:
                continue
            if key in self.expectations:
                yield self.expectations[key](node, config)
            elif key == "then":
                assert self.positions is not None
                yield Then(
                    {
                        name: self.positions.read_value(name, value, config)
                        for name, value in node.mapping((), self.positions.asked).items()
                    }
                )
            elif key == "refuse":
                yield Refused(self._move(node, key), because)
            elif key == "unreadable":
                yield Unreadable(self._move(node, key))
            elif key == "legal":
                moves = self._moves(node, key)
                yield Legal(moves, node.place)
            elif key == "legal-count":
                yield LegalCount(node.number(most=_MOST_MOVES))

    def _summary(self, entries: dict[str, Node]) -> str:
        """Return what a case asks, in the words of the file."""
        parts = []
        for key in ("play", "refuse", "unreadable"):
            if key in entries:
                parts.append(f"{key} {', '.join(map(str, self._moves(entries[key], key)))}")
        for key in ("legal", "legal-count", "reckon"):
            if key in entries:
                parts.append(key)
        return "; ".join(parts or ["then"])


def _changed(node: Node, changes: Node) -> Node:
    """Return a position with some keys changed; of mappings only the entries that are named."""
    values = dict(node.mapping())
    new = Node(values, node.place, node.name, block=node.block)
    new.keys = node.keys | changes.keys
    for key, change in changes.mapping().items():
        old = values.get(key)
        if old and old.is_mapping and change.is_mapping:
            change = _changed(old, change)
        values[key] = change
    return new


def scenario_text(replay: Replay, turn: int | None = None) -> str:
    """Return a scenario of the table after a number of turns; by default as it is now.

    Its case plays the turn that followed, or counts the legal moves if there was none. Raises
    ValueError if there were fewer turns.
    """
    game, game_id = replay.game, replay.game.meta.id
    positions = positions_of(game_id)
    earlier = replay if turn is None else after_turn(replay, turn)
    step = None if turn is None else _next_turn(replay, turn)
    state = step.before if step else positions.without_secrets(earlier.state)
    title = say(
        "{title} after {turns} turns",
        title=replay.record.title or Path(replay.record.file).name,
        turns=state.turn,
    )
    if step:
        case = [*_played(replay, step), *_indented(positions.consequence_lines(step))]
    else:
        case = [f"- legal-count: {game.count_moves(state, state.seat)}"]
    lines = [
        "porto: 1",
        *([] if game_id == DEFAULT else [f"game: {game_id}"]),
        f"scenario: {scalar(str(title))}",
        *entry_lines("players", tuple(map(scalar, replay.config.players))),
        *positions.header_lines(replay.config),
        "position:",
        *_indented(positions.position_lines(state, step.events if step else ())),
        "cases:",
        *case,
    ]
    return "\n".join(lines) + "\n"


def _next_turn(replay: Replay, turn: int) -> Step | None:
    """Return the turn that was played after a number of turns; a secret choice is not a turn."""
    for step in replay.turns():
        if step.before.turn == turn and step.moves and not replay.game.is_secret(step.moves[-1]):
            return step
    return None


def _played(replay: Replay, step: Step) -> list[str]:
    made = decisions(replay, step)
    texts = [replay.game.format_move(one.move, one.before) for one in made]
    return ["- play:", *(f"  - {text}" for text in texts)]


def _indented(lines: list[str]) -> list[str]:
    return [f"  {line}" for line in lines]
