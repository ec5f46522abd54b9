"""Scenarios: a position, what is done there, and what must follow.

A scenario file has a title (``scenario``), who plays (``players``, ``edition``, ``options`` as
in a record), a ``position`` and ``cases``; instead of players and position it may name or hold a
whole ``record``. Every case starts from the same position, changed by the keys under its ``if``,
or in a record from the table after the turn that its ``turn`` says. It may ``play`` moves, and
then demands:

* ``scores``: the VP of these moves by their reasons, and ``total``; what is not named is 0
* ``then``: keys of a position, of which only these are compared
* ``refuse`` with ``because``: a move that breaks these rulings, exactly
* ``unreadable``: a text that is no move at all
* ``legal`` (the complete list) or ``legal-count``
* ``reckon``: what the end of the game would give here

A move is the text of the one to move, or ``{NAME: text}``. ``title``, ``why`` and ``cites`` are
for readers, ``why`` and ``cites`` of the file count for all its cases.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from porto_cli.core.chance import NotInPileError, SeededChance
from porto_cli.core.errors import FileError, InvalidMoveError
from porto_cli.core.files import name_of, read_text
from porto_cli.core.message import say
from porto_cli.core.ruling import ruling
from porto_cli.core.schema import Reader
from porto_cli.core.yaml import InvalidFileError, Mapping, Node, Place, Scalar, place_of, read
from porto_cli.games.porto.engine.components import CARDS
from porto_cli.games.porto.engine.events import Event
from porto_cli.games.porto.engine.explain import check
from porto_cli.games.porto.engine.moves import Keep
from porto_cli.games.porto.engine.play import apply
from porto_cli.games.porto.engine.state import Config, State
from porto_cli.games.porto.notation import PRIVATE_NAMES, PUBLIC_NAMES, parse_private, parse_public
from porto_cli.games.porto.position.fields import ASKED, read_fact
from porto_cli.games.porto.position.position import SEED, read_position
from porto_cli.match.record import OPEN, load, load_node, read_game
from porto_cli.match.replay import Replay, after_turn, replay
from porto_cli.scenario.expectations import (
    BUILD_REASONS,
    LEVEL,
    PLACE,
    TOTAL,
    Asked,
    Demand,
    Difference,
    Legal,
    LegalCount,
    Reckoned,
    Refused,
    Scores,
    Start,
    Table,
    Then,
    Unreadable,
    is_listed,
    parse,
    seat_of,
)

_REQUIRED = ("porto", "scenario", "cases")
_OPTIONAL = ("cites", "why", "players", "edition", "options", "artificial", "position", "record")
_CASE = (
    "title",
    "why",
    "cites",
    "if",
    "turn",
    "play",
    "scores",
    "then",
    "refuse",
    "because",
    "unreadable",
    "legal",
    "legal-count",
    "reckon",
)
_DEMANDS = ("play", "scores", "then", "refuse", "unreadable", "legal", "legal-count", "reckon")


class Case(NamedTuple):
    """One question: its moves, played from a start, and what must follow."""

    place: Place
    title: str
    why: str
    cites: tuple[str, ...]
    """The rulings of the case, of its file, and of its refusals."""
    start: Start
    moves: tuple[Asked, ...]
    demands: tuple[Demand, ...]
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
    """What came of a case."""

    case: Case
    after: State
    events: tuple[Event, ...]
    differences: tuple[Difference, ...]
    remarks: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Whether everything is as it must be."""
        return not self.differences


def run(case: Case) -> Result:
    """Play a case and compare. Raises InvalidFileError where the file itself is wrong."""
    start = case.start
    state = start.state
    events: list[Event] = []
    for asked in case.moves:
        seat = seat_of(asked, state)
        move = parse(asked, state)
        violations = check(state, move, seat)
        if violations:
            wrong = Difference(f"play {asked}", "it is legal", " ".join(map(str, violations)))
            return Result(case, state, tuple(events), (wrong,), ())
        if not (isinstance(move, Keep) and move.named) and not is_listed(state, move, seat):
            wrong = Difference(f"play {asked}", "among the legal moves", "not among them")
            return Result(case, state, tuple(events), (wrong,), ())
        try:
            state, happened = apply(state, move, start.chance, seat)
        except NotInPileError as error:
            raise InvalidFileError(
                start.places[error.stream],
                say(
                    "{thing} cannot come up when {move} is played: it does not lie face down.",
                    thing=(PUBLIC_NAMES if error.stream == "contracts" else CARDS)[error.thing],
                    move=str(asked),
                ),
            ) from None
        events += happened
    table = Table(start, state, tuple(events))
    answers = [demand.judge(table) for demand in case.demands]
    return Result(
        case,
        state,
        table.events,
        tuple(difference for answer in answers for difference in answer.differences),
        tuple(remark for answer in answers for remark in answer.remarks),
    )


def shipped_folder() -> Path:
    """Return the folder of the scenarios that come with the program.

    They are part of the installed package; in a checkout they lie beside it.
    """
    package = Path(__file__).parent.parent
    inside = package / "scenarios"
    return inside if inside.is_dir() else package.parent / "scenarios"


def load_scenario(path: Path) -> Scenario:
    """Return the scenario of a file. Raises InvalidFileError, FileError."""
    return scenario_of_text(read_text(path), name_of(path))


def scenario_of_text(text: str, file: str) -> Scenario:
    """Return the scenario of a text; ``file`` names it in errors. Raises InvalidFileError."""
    root = read(text, file)
    reader = Reader(file)
    if "turns" in root.keys and "scenario" not in root.keys:
        reader.fail(
            root.keys["turns"],
            say(
                "This file is a record, not a scenario; 'porto show' shows it, and 'porto "
                "scenario --from' makes a scenario of it."
            ),
        )
    reader.keys(root, _REQUIRED, _OPTIONAL)
    entries = root.entries
    reader.number(entries["porto"], "porto", least=1, most=1)
    return _Loading(root, reader).scenario()


class _Loading:
    def __init__(self, root: Mapping, reader: Reader) -> None:
        self.root = root
        self.reader = reader
        self.entries = root.entries
        self.artificial = "artificial" in self.entries and reader.flag(
            self.entries["artificial"], "artificial"
        )
        self.record = self._record()
        if self.record:
            self.config = self.record.record.config
        else:
            if "players" not in self.entries:
                reader.fail(root, say("The key 'players' is missing."))
            self.game, self.config = read_game(root, reader)

    def scenario(self) -> Scenario:
        reader = self.reader
        title = reader.text(self.entries["scenario"], "scenario")
        why, cites = self._why(self.root), self._cites(self.root)
        cases = reader.sequence(self.entries["cases"], "cases")
        if not cases.items:
            reader.fail(cases, say("There should be at least one case."))
        return Scenario(
            reader.file,
            title,
            why,
            cites,
            tuple(self._case(node, title, cites) for node in cases.items),
        )

    def _record(self) -> Replay | None:
        node = self.entries.get("record")
        if node is None:
            return None
        for key in ("players", "edition", "options", "artificial", "position"):
            if key in self.root.keys:
                self.reader.fail(
                    self.root.keys[key],
                    say("A scenario with a 'record' has no {key!r}: the record says it.", key=key),
                )
        if isinstance(node, Scalar):
            path = Path(self.reader.file).parent / node.text
            try:
                # A pipe could be waited for in vain; the name '-' alone is standard input.
                text = read_text(path.absolute()) if os.path.isfile(path) else None
            except FileError:
                text = None
            if text is None:
                self.reader.fail(node, say("The record {path} cannot be read.", path=path))
            return replay(load(text, str(path)))
        return replay(load_node(self.reader.mapping(node, "record"), "", self.reader))

    def _why(self, node: Mapping) -> str:
        if "why" not in node.entries:
            return ""
        return " ".join(self.reader.text(node.entries["why"], "why").split())

    def _cites(self, node: Mapping, key: str = "cites") -> tuple[str, ...]:
        if key not in node.entries:
            return ()
        cites = []
        for text, item in self.reader.texts(node.entries[key], key):
            try:
                cites.append(ruling(text).id)
            except KeyError:
                self.reader.fail(
                    item, say("There is no ruling {id!r}; 'porto rules' lists all.", id=text)
                )
        return tuple(cites)

    def _case(self, node: Node, title: str, cites: tuple[str, ...]) -> Case:
        reader = self.reader
        case = reader.mapping(node, "cases")
        reader.keys(case, (), _CASE)
        entries = case.entries
        asked = [key for key in _DEMANDS if key in entries]
        if not asked:
            reader.fail(case, say("A case has one of the keys {keys}.", keys=", ".join(_DEMANDS)))
        if ("refuse" in entries) != ("because" in entries):
            reader.fail(case, say("The keys 'refuse' and 'because' need each other."))
        start = self._start(case)
        game = start.state.config
        moves = self._moves(entries["play"], "play") if "play" in entries else ()
        because = self._cites(case, "because")
        return Case(
            place=place_of(case, reader.file),
            title=reader.text(entries["title"], "title") if "title" in entries else title,
            why=self._why(case),
            cites=tuple(dict.fromkeys((*self._cites(case), *because, *cites))),
            start=start,
            moves=moves,
            demands=tuple(self._demands(entries, game, because)),
            summary=self._summary(entries),
        )

    def _start(self, case: Mapping) -> Start:
        if self.record:
            return self._start_in_record(case, self.record)
        if "turn" in case.entries:
            self.reader.fail(
                case.keys["turn"], say("Only a scenario with a 'record' has turns to name.")
            )
        node = self.reader.mapping(
            self.entries.get("position", Mapping({}, {}, self.root.line, self.root.column, True)),
            "position",
        )
        if "if" in case.entries:
            node = _changed(node, self.reader.mapping(case.entries["if"], "if"))
        return Start(*read_position(node, self.config, self.reader, artificial=self.artificial))

    def _start_in_record(self, case: Mapping, replay: Replay) -> Start:
        reader = self.reader
        if "if" in case.entries:
            reader.fail(case.keys["if"], say("What stands in a record cannot be changed."))
        if "turn" in case.entries:
            turn = reader.number(case.entries["turn"], "turn", most=9999)
            try:
                replay = after_turn(replay, turn)
            except ValueError as error:
                reader.fail(case.entries["turn"], say("{why}", why=str(error)))
        seed = replay.record.seed if replay.record.secrecy == OPEN else SEED
        return Start(replay.state, SeededChance(seed), {}, replay)

    def _moves(self, node: Node, what: str) -> tuple[Asked, ...]:
        items = [node] if isinstance(node, (Scalar, Mapping)) else node.items
        return tuple(self._asked(item, what) for item in items)

    def _asked(self, node: Node, what: str) -> Asked:
        """Read a move: the text of the one to move, or a player with a text."""
        reader = self.reader
        player = ""
        if isinstance(node, Mapping) and len(node.entries) == 1:
            ((player, node),) = node.entries.items()
            if player not in self.config.players:
                reader.fail(
                    node,
                    say(
                        "Nobody is called {name!r} here; the players are {players}.",
                        name=player,
                        players=", ".join(self.config.players),
                    ),
                )
        return Asked(player, " ".join(reader.text(node, what).split()), place_of(node, reader.file))

    def _demands(
        self, entries: dict[str, Node], config: Config, because: tuple[str, ...]
    ) -> Iterator[Demand]:
        reader = self.reader
        if "scores" in entries:
            yield Scores(self._scores(entries["scores"]))
        if "then" in entries:
            then = reader.mapping(entries["then"], "then")
            reader.keys(then, (), ASKED)
            yield Then(
                {key: read_fact(key, node, config, reader) for key, node in then.entries.items()}
            )
        if "refuse" in entries:
            yield Refused(self._asked(entries["refuse"], "refuse"), because)
        if "unreadable" in entries:
            yield Unreadable(self._asked(entries["unreadable"], "unreadable"))
        if "legal" in entries:
            yield Legal(self._moves(reader.sequence(entries["legal"], "legal"), "legal"))
        if "legal-count" in entries:
            yield LegalCount(reader.number(entries["legal-count"], "legal-count", most=99999))
        if "reckon" in entries:
            yield self._reckoned(entries["reckon"])

    def _scores(self, node: Node) -> dict[str, int]:
        scores = self.reader.mapping(node, "scores")
        return {
            self._reason(name, scores.keys[name]): self.reader.number(vp, name)
            for name, vp in scores.entries.items()
        }

    def _reason(self, name: str, node: Node) -> str:
        if name in (*BUILD_REASONS, TOTAL):
            return name
        kind, _, contract = name.rpartition(":")
        try:
            if kind == "private":
                return f"private:{PRIVATE_NAMES[parse_private(contract)]}"
            if kind in ("", "contract"):
                return f"contract:{PUBLIC_NAMES[parse_public(contract)]}"
        except InvalidMoveError:
            pass
        self.reader.fail(
            node,
            say(
                "{name!r} is no reason to score; there are {reasons}, the name of a public "
                "contract, private: and the name of a private one, and total.",
                name=name,
                reasons=", ".join(BUILD_REASONS),
            ),
        )

    def _reckoned(self, node: Node) -> Reckoned:
        reader = self.reader
        mapping = reader.mapping(node, "reckon")
        players: dict[int, dict[str, str]] = {}
        reader.keys(mapping, (), self.config.players)
        for player, entry in mapping.entries.items():
            expected = reader.mapping(entry, player)
            found = players[self.config.players.index(player)] = {}
            for name, value in expected.entries.items():
                if name == LEVEL:
                    found[name] = reader.text(value, name)
                    continue
                if name not in (TOTAL, PLACE):
                    name = self._private(name, expected.keys[name])
                found[name] = str(reader.number(value, name))
        return Reckoned(players, place_of(node, reader.file))

    def _private(self, name: str, node: Node) -> str:
        try:
            return PRIVATE_NAMES[parse_private(name)]
        except InvalidMoveError as error:
            self.reader.fail(node, error.sentence)

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


def _changed(node: Mapping, changes: Mapping) -> Mapping:
    """Return a position with some keys changed; of mappings only the entries that are named."""
    entries, keys = dict(node.entries), dict(node.keys)
    for key, change in changes.entries.items():
        old = entries.get(key)
        if isinstance(old, Mapping) and isinstance(change, Mapping):
            change = old._replace(entries=old.entries | change.entries, keys=old.keys | change.keys)
        entries[key] = change
        keys[key] = changes.keys[key]
    return node._replace(entries=entries, keys=keys)
