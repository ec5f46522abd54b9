"""Reads and plays the scenario files of Puerto Rico, strictly."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from porto_cli.core.chance import NotInPileError
from porto_cli.core.errors import InvalidMoveError
from porto_cli.core.message import say
from porto_cli.core.schema import Reader
from porto_cli.core.violation import Violation
from porto_cli.core.yaml import Mapping, Node, Scalar, Sequence, read
from porto_cli.games.puerto_rico.engine.config import BUILDING_OPTIONS, RULEBOOKS, Config
from porto_cli.games.puerto_rico.engine.events import Event
from porto_cli.games.puerto_rico.engine.explain import violations
from porto_cli.games.puerto_rico.engine.generate import count_moves, legal_moves
from porto_cli.games.puerto_rico.engine.moves import Move
from porto_cli.games.puerto_rico.engine.play import apply
from porto_cli.games.puerto_rico.engine.state import State
from porto_cli.games.puerto_rico.notation import expand_move, format_move
from porto_cli.games.puerto_rico.position.expectations import (
    EARN_REASONS,
    RECKON_NAMES,
    SCORE_REASONS,
    compare_reckoned,
    compare_sums,
    read_numbers,
    sum_earns,
    sum_scores,
)
from porto_cli.games.puerto_rico.position.fields import ASKED, fact, read_fact
from porto_cli.games.puerto_rico.position.position import Position, read_position

MOST_LISTED = 200
DEMANDS = ("play", "then", "refuse", "unreadable", "legal", "legal-count", "reckon")
CASE = (*DEMANDS, "title", "why", "cites", "if", "because", "scores", "earns")


class Asked(NamedTuple):
    """A move as it stands in the file, and the node that it stands in."""

    player: str
    text: str
    node: Node


class Case(NamedTuple):
    """One question of a file."""

    title: str
    why: str
    cites: frozenset[str]
    entries: dict[str, Node]
    start: Position
    config: Config
    reader: Reader

    def moves(self, key: str) -> list[Asked]:
        node = self.entries.get(key)
        items = [] if node is None else node.items if isinstance(node, Sequence) else [node]
        return [_asked(item, key, self) for item in items]

    def names(self, key: str) -> list[str]:
        return _texts(self.entries, key, self.reader)


class Scenario(NamedTuple):
    """A file."""

    title: str
    why: str
    cites: frozenset[str]
    cases: tuple[Case, ...]


class Played(NamedTuple):
    """What a case came to, and every difference from what it says."""

    state: State
    events: list[Event]
    differences: list[str]


def load(file: Path) -> Scenario:
    """Raises InvalidFileError."""
    reader = Reader(str(file))
    root = read(file.read_text("utf-8"), reader.file)
    reader.keys(
        root,
        ("porto", "game", "scenario", "players", "cases"),
        ("cites", "why", "options", "artificial", "position"),
    )
    entries = root.entries
    reader.number(entries["porto"], "porto", least=1, most=1)
    reader.one_of(entries["game"], "game", ["puerto-rico"])
    config = _config(root, reader)
    title = reader.text(entries["scenario"], "scenario")
    why = reader.text(entries["why"], "why") if "why" in entries else ""
    cites = _texts(entries, "cites", reader)
    cases = [
        _case(reader.mapping(node, "cases"), root, config, reader)
        for node in reader.sequence(entries["cases"], "cases").items
    ]
    return Scenario(
        title,
        why,
        frozenset(cites),
        tuple(case._replace(title=case.title or title) for case in cases),
    )


def _config(root: Mapping, reader: Reader) -> Config:
    players = tuple(_texts(root.entries, "players", reader))
    options = {"buildings": "base", "rulebook": "printed"}
    if "options" in root.entries:
        given = reader.mapping(root.entries["options"], "options")
        reader.keys(given, (), tuple(options))
        for key, choices in (("buildings", BUILDING_OPTIONS), ("rulebook", RULEBOOKS)):
            if key in given.entries:
                options[key] = reader.one_of(given.entries[key], key, choices)
    return Config(players, **options)


def _case(node: Mapping, root: Mapping, config: Config, reader: Reader) -> Case:
    reader.keys(node, (), CASE)
    entries = node.entries
    assert any(key in entries for key in DEMANDS), node
    assert ("refuse" in entries) == ("because" in entries), node
    laid = reader.mapping(
        root.entries.get("position", Mapping({}, {}, root.line, root.column, True)), "position"
    )
    if "if" in entries:
        laid = _changed(laid, reader.mapping(entries["if"], "if"))
    artificial = "artificial" in root.entries and reader.flag(
        root.entries["artificial"], "artificial"
    )
    cites = (
        _texts(root.entries, "cites", reader)
        + _texts(entries, "cites", reader)
        + _texts(entries, "because", reader)
    )
    return Case(
        reader.text(entries["title"], "title") if "title" in entries else "",
        reader.text(entries["why"], "why") if "why" in entries else "",
        frozenset(cites),
        entries,
        read_position(laid, config, reader, artificial=artificial),
        config,
        reader,
    )


def _changed(node: Mapping, changes: Mapping) -> Mapping:
    """Change some keys of a position, and of mappings only the entries that are named."""
    entries, keys = dict(node.entries), dict(node.keys)
    for key, change in changes.entries.items():
        old = entries.get(key)
        if isinstance(old, Mapping) and isinstance(change, Mapping):
            change = old._replace(entries=old.entries | change.entries, keys=old.keys | change.keys)
        entries[key] = change
        keys[key] = changes.keys[key]
    return node._replace(entries=entries, keys=keys)


def _texts(entries: dict[str, Node], key: str, reader: Reader) -> list[str]:
    return [text for text, _ in reader.texts(entries[key], key)] if key in entries else []


def _asked(node: Node, what: str, case: Case) -> Asked:
    player = ""
    if isinstance(node, Mapping):
        case.reader.keys(node, (), case.config.players)
        ((player, node),) = node.entries.items()
    assert isinstance(node, Scalar), what
    return Asked(player, node.text, node)


def seat_of(asked: Asked, state: State) -> int:
    return state.config.players.index(asked.player) if asked.player else state.seat


def parse(asked: Asked, state: State, reader: Reader) -> Move:
    """Raises InvalidFileError."""
    try:
        return expand_move(asked.text, state, seat_of(asked, state))
    except InvalidMoveError as error:
        reader.fail(asked.node, error.sentence)


def refusals(case: Case, state: State) -> list[Violation]:
    """The violations of the refused move of a case."""
    (asked,) = case.moves("refuse")
    return violations(state, parse(asked, state, case.reader), seat_of(asked, state))


def run(case: Case) -> Played:
    """Play a case and compare. Raises InvalidFileError where the file itself is wrong."""
    state, events = case.start.state, []
    for asked in case.moves("play"):
        move, seat = parse(asked, state, case.reader), seat_of(asked, state)
        found = violations(state, move, seat)
        if found:
            return Played(state, events, [f"{asked.text} is refused: {found}"])
        assert count_moves(state) > MOST_LISTED or move in legal_moves(state, seat), asked.text
        try:
            state, more = apply(state, move, case.start.chance, seat)
        except NotInPileError as error:
            where = Scalar("", *case.start.places[error.stream][1:], True)
            case.reader.fail(where, say("That cannot come up."))
        events += more
    return Played(state, events, [*_differences(case, state, events)])


def _differences(case: Case, state: State, events: list[Event]) -> list[str]:
    entries, config, reader = case.entries, case.config, case.reader
    rows: list[tuple[str, object, object]] = []
    for key, names, sums in (
        ("scores", SCORE_REASONS, sum_scores(events)),
        ("earns", EARN_REASONS, sum_earns(events)),
    ):
        if key in entries:
            expected = read_numbers(entries[key], key, names, config, reader)
            rows += compare_sums(key, expected, sums, config)
    if "reckon" in entries:
        asked = read_numbers(entries["reckon"], "reckon", RECKON_NAMES, config, reader)
        rows += compare_reckoned(asked, state)
    if "then" in entries:
        then = reader.mapping(entries["then"], "then")
        reader.keys(then, (), ASKED)
        for key, node in then.entries.items():
            wanted, there = read_fact(key, node, config, reader), fact(state, key)
            if isinstance(wanted, dict) and isinstance(there, dict):
                rows += [(f"{key} {name}", text, there[name]) for name, text in wanted.items()]
            else:
                rows.append((key, wanted, there))
    if "refuse" in entries:
        found = refusals(case, state)
        rows.append(("refused", sorted(case.names("because")), sorted({one.rule for one in found})))
    if "unreadable" in entries:
        (asked_move,) = case.moves("unreadable")
        rows.append(("unreadable", True, _is_unreadable(asked_move, state)))
    if "legal-count" in entries:
        number = reader.number(entries["legal-count"], "legal-count", most=99999)
        rows.append(("legal-count", number, count_moves(state)))
    if "legal" in entries:
        assert count_moves(state) <= MOST_LISTED
        listed = {format_move(parse(one, state, reader)) for one in case.moves("legal")}
        rows.append(
            ("legal", sorted(listed), sorted(format_move(move) for move in legal_moves(state)))
        )
    return [f"{what}: {wanted!r}, not {there!r}" for what, wanted, there in rows if wanted != there]


def _is_unreadable(asked: Asked, state: State) -> bool:
    try:
        expand_move(asked.text, state, seat_of(asked, state))
    except InvalidMoveError:
        return True
    return False
