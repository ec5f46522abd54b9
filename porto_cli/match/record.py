"""The record of a game: its text to :class:`Record` and back, and which files are records.

A record is a header (players, edition and options, what the setup turned up) and a list of turns.
Loading is strict and says where something is wrong. Writing appends to the text: what people wrote
into the file stays as it is.

This module knows the form of a record; :mod:`porto_cli.match.items` knows what an item means, and
:mod:`porto_cli.match.replay` plays all of them.
"""

# No ``from __future__ import annotations``, see porto_cli/seam.py.

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple, NoReturn

from porto_cli.core import REFUSED, FileError, SentenceError, cited
from porto_cli.core.characters import find_forbidden
from porto_cli.core.shell import file_word, option, word_of
from porto_cli.core.yaml import (
    LARGEST,
    NOT_A_GAME,
    AnotherKindError,
    DamagedFileError,
    InvalidFileError,
    MissingKeyError,
    Node,
    NotKnownHereError,
    Place,
    flow,
    is_too_large,
    newline_of,
    read,
    scalar,
)
from porto_cli.games import BOX, DEFAULT, GAMES, Game, game_of
from porto_cli.kinds import canonical_lines, read_all
from porto_cli.match import RESULT, name_fault
from porto_cli.match.seats import Holder, bot_lines, player_count_fault, read_seats
from porto_cli.seam import NO_DEAL, Config, Deal, GameMeta

FORMAT = 1
"""The version of the record format."""

OPEN, TABLE, SEALED = "open", "table", "sealed"
SECRECIES = (OPEN, TABLE, SEALED)
HINTS_NOTED, HINTS_NONE = "told", "none"
"""Values of the key ``hints``: hints are noted in the record, or not allowed. Without the key
everybody may take hints, and they are not noted."""
SAID = " says: "
"""The text between a player and their words in a comment, see :mod:`porto_cli.match.said`."""
GENERIC_NAME = "GAME.yaml"
"""A file name to use if the real one is unknown, or must not be in a record."""

Entries = tuple[tuple[str, str], ...]
"""An item of ``turns``: its keys with their texts, in order."""


class Item(NamedTuple):
    """One item of ``turns``: its keys with their texts, in order, and their positions.

    The values of ``result`` and of a game's ``mapping_keys`` are mappings; their text here is
    canonical.
    """

    entries: Entries
    places: tuple[tuple[int, int], ...]
    """Line and column of each value, counted from 1."""


class Header(NamedTuple):
    """The facts of a header except the title; without a deal while a game is being set up."""

    game: Game
    config: Config
    deal: Deal
    secrecy: str
    seed: str = ""
    seats: Iterable[Holder] = ()
    hints: str = ""


class Record(NamedTuple):
    """A record as it was read: header, items, and the text that they came from."""

    file: str
    text: str
    title: str
    game: Game
    config: Config
    secrecy: str
    seed: str
    deal: Deal
    items: tuple[Item, ...]
    lines: dict[str, tuple[int, int]]
    """Line and column of the header's values."""
    dash: int
    """Spaces before the dash of an item."""
    indent: int
    """Spaces before the other keys of an item."""
    machine: str = ""
    """The machine part of a sealed game, at the end of the record's text."""
    settled: bool = True
    """Whether the game can be played. In a sealed one nothing is dealt until it has been set up."""
    seats: tuple[Holder, ...] = ()
    """Who plays the seats at the beginning."""
    hints: str = ""
    """``HINTS_NOTED``, ``HINTS_NONE``, or empty: the agreement about hints."""

    @property
    def human(self) -> str:
        """The text without the machine part."""
        return self.text[: len(self.text) - len(self.machine)]

    def blocks(self) -> list[list[str]]:
        """Return the lines of the :attr:`human` part, with their ends: those before the first item,
        then those of each item, with the comments below it.
        """
        lines = ended(self.human).splitlines(keepends=True)
        starts = [item.places[0][0] - 1 for item in self.items]
        return [lines[start:end] for start, end in pairwise([0, *starts, len(lines)])]

    def place(self, item: int, entry: int = 0) -> Place:
        """Return the position of a value of an item."""
        return Place(self.file, *self.items[item].places[entry])

    def fail(self, sentence: str, item: int, entry: int = 0) -> NoReturn:
        """Raise InvalidFileError at a value of an item."""
        raise InvalidFileError(self.place(item, entry), sentence)

    def with_item(self, entries: Sequence[tuple[str, str]], remark: str = "") -> "Record":
        """Return the record with a new item at its end."""
        # A dash may be on its own line, with keys below it that are indented less than needed here.
        indent = max(self.indent, self.dash + 2)
        empty = self._replace(items=(*self.items, Item((), ())), indent=indent)
        return empty.with_more(entries, remark)

    def with_more(self, entries: Sequence[tuple[str, str]], remark: str = "") -> "Record":
        """Return the record with more entries in its last item."""
        last, line = self.items[-1], ended(self.human).count("\n")
        lines = item_lines(entries, remark, self.dash, self.indent, first=not last.entries)
        places = (
            (number, self.indent + len(scalar(key)) + 3)
            for number, (key, _) in enumerate(entries, start=line + 1)
        )
        item = Item((*last.entries, *entries), (*last.places, *places))
        return self._with_lines(lines)._replace(items=(*self.items[:-1], item))

    def with_comment(self, comment: str) -> "Record":
        """Return the record with a comment where its next turn will be."""
        return self._with_lines([f"# {comment}"])

    def _with_lines(self, lines: list[str]) -> "Record":
        return self._replace(text=with_lines(self.human, lines) + self.machine)


def header_lines(head: Header | Record) -> list[str]:
    """Return the canonical lines of a header without the title."""
    meta = head.game.meta
    return [
        f"porto: {FORMAT}",
        *([] if meta.id == DEFAULT else [f"game: {meta.id}"]),
        f"rules: {meta.rules_version}",
        f"players: [{', '.join(map(scalar, head.config.players))}]",
        *bot_lines(head.seats),
        *head.game.config_lines(head.config),
        f"secrecy: {head.secrecy}",
        *([f"seed: {scalar(head.seed)}"] if head.seed else []),
        *([f"hints: {head.hints}"] if head.hints else []),
        *([] if head.deal is None else setup_lines(head.game, head.config, head.deal)),
    ]


class NotReadyError(SentenceError):
    """A sealed game that is still being set up, with its progress.

    ``digest`` is the hash of its last signed step.
    """

    exit_code = REFUSED

    def __init__(
        self, file: str, done: int, hops: int, player: str, record: Record, digest: str
    ) -> None:
        super().__init__(
            f"{file} is still being set up: step {done} of {hops} is complete. Send it to "
            f"{player}, who continues with: porto join {word_of(file)} {option('--as', player)}"
        )
        self.args = file, done, hops, player, record, digest
        self.file, self.done, self.hops, self.player = file, done, hops, player
        self.record, self.digest = record, digest

    def as_json(self) -> dict[str, object]:
        """Return the progress, for documents."""
        return {"done": self.done, "stations": self.hops, "next": self.player}


def ended(text: str) -> str:
    """Return a text whose last line has a line break like the others."""
    return text if text.endswith("\n") else text + newline_of(text)


def with_lines(text: str, lines: list[str]) -> str:
    """Return a text with lines appended, with the text's line endings."""
    end = newline_of(text)
    return ended(text) + "".join(line + end for line in lines)


def item_lines(
    entries: Iterable[tuple[str, str]], remark: str, dash: int, indent: int, *, first: bool
) -> list[str]:
    """Return an item as lines, or (not ``first``) the lines that continue an item."""
    lines: list[str] = []
    for key, value in entries:
        begins = first and not lines
        lead = " " * dash + "-" + " " * (indent - dash - 1) if begins else " " * indent
        lines.append(f"{lead}{scalar(key)}: {_as_value(value)}")
    if remark:
        lines[0] += f"  # {remark}"
    return lines


def _as_value(text: str) -> str:
    """Return the text of an entry, in quotes if it would be misread without them.

    A game's own texts never need them; a player's name within a text can be anything.
    """
    is_misread = " #" in text or ": " in f"{text} "
    return scalar(text) if is_misread and not text.startswith("{") else text


def load(text: str, file: str) -> Record:
    """Return the record of a text; ``file`` names it in errors. Raises InvalidFileError."""
    human, machine = divide(text)
    if is_too_large(text):
        human = text  # read() reports the size.
    root = read(human, file)
    return load_node(root, text, machine)


def read_again(record: Record) -> Record:
    """Return a record that is about to be written, after reading it back from its text.

    Raises FileError if it cannot be read or its turns differ; then it must not be written.
    """
    if is_too_large(record.text):
        raise FileError(
            f"{record.file} is full: with this move it would be larger than the maximum "
            f"of {LARGEST >> 20} MiB. Nothing was written."
        )
    try:
        again = load(record.text, record.file)
    except InvalidFileError as error:
        raise unreadable(error) from error
    if [item.entries for item in again.items] != [item.entries for item in record.items]:
        raise changed_by_reading()
    return again


def unreadable(error: InvalidFileError) -> FileError:
    """Return the error for a record that, once written, could not be read."""
    return FileError(
        f"With this move the record could no longer be read, so nothing was written. {error}"
    )


def changed_by_reading() -> FileError:
    """Return the error for a record that, once written, would be a different game."""
    return FileError(
        "Read back, the record with this move is a different game, so nothing was "
        "written. This is a bug; please report it."
    )


SEALS = "seals"
"""The key of the machine part, the last one of the file."""


def divide(text: str) -> tuple[str, str]:
    """Split a record into the part that people read and the machine part, which may be empty."""
    beginning = text.find(f"\n{SEALS}:") + 1
    return (text[:beginning], text[beginning:]) if beginning else (text, "")


_SETUP = "setup"
_REQUIRED: tuple[str, ...] = ("porto", "rules", "players", _SETUP, "turns")
_BEFORE_THE_SETUP = ("porto", "rules", "players", "secrecy")
_OPTIONAL = ("game", "title", "secrecy", "seed", "bots", "bots-version", "hints")


def load_node(root: Node, text: str, machine: str = "") -> Record:
    """Return the record of a node. ``text`` is what turns are appended to; it ends with
    ``machine``, which the node does not include.
    """
    entries = root.mapping()
    _check_kind(root)
    _check_format(root)
    _refuse_signed(entries)
    meta = read_meta(entries)
    if "rules" in entries:
        played = "The game is played under version {} of the rules, but this program knows versions"
        _demand_known(entries["rules"], meta.rules_version, played)
    secrecy = entries["secrecy"].one_of(SECRECIES) if "secrecy" in entries else OPEN
    settled = secrecy != SEALED or "setup" in entries or "turns" in entries
    required = _REQUIRED if settled else _BEFORE_THE_SETUP
    if game_of(meta.id).setup is None:
        required = tuple(key for key in required if key != _SETUP)
    root.mapping(required, (*_OPTIONAL, *meta.header_keys))
    if settled and list(entries)[-1] != "turns":
        later = list(entries)[-1]
        root.keys[later].fail(f"The key 'turns' has to be the last one; {cited(later)} is.")
    hints = entries["hints"].one_of((HINTS_NOTED, HINTS_NONE)) if "hints" in entries else ""
    seed = _read_seed(entries.get("seed"), secrecy, root)
    _check_machine_part(root, secrecy, text, machine)
    game, config = read_game(root)
    seats = read_seats(root, config.players, meta, seeded=secrecy == OPEN)
    deal = _read_deal(game, config, entries) if settled else None
    items, dash, indent = _read_turns(entries["turns"], root, meta) if settled else _no_turns(root)
    return Record(
        file=root.file,
        text=text,
        title=entries["title"].title() if "title" in entries else "",
        game=game,
        config=config,
        secrecy=secrecy,
        seed=seed,
        deal=deal,
        items=items,
        lines={key: (node.line, node.column) for key, node in entries.items()},
        dash=dash,
        indent=indent,
        machine=machine,
        settled=settled,
        seats=seats,
        hints=hints,
    )


def _read_deal(game: Game, config: Config, entries: dict[str, Node]) -> Deal:
    """Return the value of ``setup``, which only some games have."""
    if game.setup is None:
        return NO_DEAL
    kinds = game.setup.deal_kinds(config)
    found = read_all(kinds, entries[_SETUP], config, required=tuple(kinds))
    return game.setup.deal_of(config, found)


def _check_machine_part(root: Node, secrecy: str, text: str, machine: str) -> None:
    """Require a machine part for a sealed game, and none for others. It is not read here."""
    if secrecy == SEALED and not machine:
        root["secrecy"].fail(
            "The machine part of this game, which begins with 'seals: |' and ends the file, is "
            "missing. It was cut off; ask for a complete copy."
        )
    if secrecy != SEALED and machine:
        raise InvalidFileError(
            Place(root.file, text.count("\n", 0, len(text) - len(machine)) + 1, 1),
            "A machine part begins here, but the game is not sealed: 'secrecy: sealed' "
            "was removed from its header.",
        )


def _check_kind(root: Node) -> None:
    """Refuse a file of another kind, with a sentence that says what it is."""
    if "scenario" in root.keys:
        root.keys["scenario"].fail(
            "This file is a scenario, not a record; 'porto scenario' runs it.", AnotherKindError
        )
    for meta in BOX.values():
        for key, sentence in meta.other_files:
            if key in root.keys and "porto" not in root.keys:
                root.keys[key].fail(sentence, AnotherKindError)


_UPDATE = (
    "Nothing is lost. Update porto the way you installed it, for example with 'pipx upgrade "
    "porto-cli', then try again."
)


def _check_format(root: Node) -> None:
    """Refuse a record of a newer format, before anything else is read."""
    if "porto" not in root:
        root.fail(NOT_A_GAME, DamagedFileError)
    _demand_known(root["porto"], FORMAT, "The record has format {}, but this program reads formats")


def _demand_known(node: Node, newest: int, sentence: str) -> None:
    """Refuse a version above the newest known; the version and ``newest`` complete ``sentence``."""
    version = node.number(least=1)
    if version > newest:
        node.fail(
            f"{sentence.format(version)} up to {newest}: a newer porto is needed. {_UPDATE}",
            NotKnownHereError,
        )


def _refuse_signed(entries: dict[str, Node]) -> None:
    """Refuse a signed game, a kind that existed in earlier versions."""
    if "signed" in entries:
        entries["signed"].fail(
            "This is a signed game, an open game whose turns are signed; porto "
            f"{_LAST_WITH_SIGNED} is the last version that can read it.",
            NotKnownHereError,
        )


_LAST_WITH_SIGNED = "0.2.0"


def read_meta(entries: dict[str, Node]) -> GameMeta:
    """Return the game named by the key ``game`` of a file, by default Porto. Raises
    InvalidFileError.
    """
    node = entries.get("game")
    if node is None:
        return BOX[DEFAULT]
    name = node.text()
    if name not in GAMES:
        node.fail(
            f"This program does not know the game {cited(name)}; it plays "
            f"{', '.join(GAMES)}. Update porto, or install the package that adds this game.",
            NotKnownHereError,
        )
    return GAMES[name]


def _read_seed(node: Node | None, secrecy: str, root: Node) -> str:
    if secrecy != OPEN:
        if node is not None:
            node.fail(f"A game with 'secrecy: {secrecy}' has no seed.")
        return ""
    if node is None:
        root.fail("The key 'seed' is missing; a game with real cards has 'secrecy: table'.")
    seed = node.text()
    if not seed_is_good(seed):
        node.fail("A seed consists of at most 64 letters, digits, '-' and '_'.")
    return seed


def seed_is_good(seed: str) -> bool:
    """Return whether a text can be a seed."""
    return (
        0 < len(seed) <= 64 and seed.isascii() and seed.replace("-", "").replace("_", "").isalnum()
    )


def read_game(root: Node) -> tuple[Game, Config]:
    """Return the game of a file and its configuration, from ``game``, ``players`` and the keys of
    the game. Raises InvalidFileError.
    """
    meta = read_meta(root.mapping())
    node = root["players"]
    players = [(item.text(), item) for item in node.items()]
    fault = player_count_fault(meta, len(players))
    if fault:
        node.fail(fault)
    for nth, (name, place) in enumerate(players):
        fault = name_fault(name, [other for other, _ in players[:nth]], meta)
        if fault:
            place.fail(fault)
    game = game_of(meta.id)
    return game, game.read_config(root, tuple(name for name, _ in players))


def _read_turns(node: Node, root: Node, meta: GameMeta) -> tuple[tuple[Item, ...], int, int]:
    if node.value == "" and node.block:
        return _no_turns(root)
    if not node.block:
        node.fail(
            "The turns have to be a list with one item per line, each after a dash: '- Name: move'."
        )
    mappings = {RESULT, *meta.mapping_keys}
    items = tuple(_read_item(item, mappings) for item in node.items())
    return items, node.column - 1, node.items()[-1].column - 1


def _no_turns(root: Node) -> tuple[tuple[Item, ...], int, int]:
    """Return no items, with the columns where turns will be written."""
    if not root.block:
        root.fail("Each key has to be on its own line, so that turns can follow.")
    return (), root.column - 1, root.column + 1


def _read_item(node: Node, mappings: set[str]) -> Item:
    if not node.is_mapping or not node.block or not node.keys:
        node.fail("A turn has to read '- Name: move'.")
    entries = []
    for key, value in node.mapping().items():
        if key in mappings:
            parts = {name: part.text() for name, part in value.mapping().items()}
            text = flow(
                {
                    scalar(name): part if part.isdigit() else scalar(part)
                    for name, part in parts.items()
                }
            )
        else:
            text = " ".join(value.text().split())
        entries.append((key, text))
    return Item(
        tuple(entries), tuple((value.line, value.column) for value in node.mapping().values())
    )


def new_text(head: Sequence[str], *, title: str = "", name: str = GENERIC_NAME) -> str:
    """Return the text of a new record without turns, from its :func:`header_lines`.

    ``name`` is the file in which it will be saved.
    """
    lines = list(head)
    if title:
        place = next(index for index, line in enumerate(lines) if line.startswith("players:"))
        lines.insert(place, f"title: {scalar(title)}")
    if "\n" in name or find_forbidden(name) is not None:
        name = GENERIC_NAME
    lines.insert(0, f"# Porto game record. Continue with: porto show {file_word(name)}")
    return "\n".join(lines) + "\n"


def setup_lines(game: Game, config: Config, deal: Deal) -> list[str]:
    """Return the canonical lines of what the setup turned up, and the line ``turns:``."""
    if game.setup is None:
        return ["turns:"]
    values = game.setup.deal_values(config, deal)
    lines = canonical_lines(game.setup.deal_kinds(config), values, config)
    return ["setup:", *(f"  {line}" for line in lines), "turns:"]


# -- What is wrong with a file

_IN_A_RECORD = re.compile(r"^[\s{\"']*porto\b[\"']?\s*:", re.MULTILINE)
_A_HEADER = re.compile(r"^(From|To|Subject): ", re.MULTILINE)
"""A header of a mail: no key of a record is like it."""
_IN_A_MAIL = re.compile(rf"{_A_HEADER.pattern}|\bporto: \d", re.MULTILINE)


def explained(error: InvalidFileError, text: str, path: Path) -> tuple[Place, str]:
    """Return the place and the sentence of an error in a file with this text, or without a text:
    that it is no game, or what is wrong, that it may be cut off, and what can be done.
    """
    told, cure, last = error.sentence, error.cure, text.rstrip().count("\n") + 1
    if cure and text.strip():
        if _A_HEADER.search(text) or not _IN_A_RECORD.search(text):
            receive = f" If it is a mail: porto receive {file_word(str(path))}"
            return error.place, f"{NOT_A_GAME}{receive if _IN_A_MAIL.search(text) else ''}"
        lacks = isinstance(error, MissingKeyError)
        ends_there = error.place.line >= last and (lacks or not text.endswith("\n"))
        # Every record has turns, as its last key.
        if ends_there or (lacks and "\nturns:" not in text):
            cut = f"The file may be cut off after line {last}."
            # That it is no YAML at its end says nothing more.
            told = cut if isinstance(error, DamagedFileError) else f"{cut} {told}"
            cure = DamagedFileError.cure
    return error.place, f"{told} {cure}".rstrip()


# -- Which files are records: the one that a typed name means, and those of a folder

SUFFIX = ".yaml"
"""The extension of a new record."""
SUFFIXES = (SUFFIX, ".yml")
"""The extensions of records, which may be left out of a typed name."""
RECORD, SCENARIO = "record", "scenario"
_BEGINNING = 4096
"""Bytes at the beginning of a file by which a record is recognized."""
_MOST = 500
"""Maximum number of files in a folder that are examined."""


def with_suffix(path: Path) -> Path:
    """Return a path with ``.yaml`` added to a name without an extension."""
    return path if has_suffix(path) else path.with_name(path.name + SUFFIX)


def has_suffix(path: Path) -> bool:
    """Return whether a name has an extension: a dot, then letters or digits to the end."""
    name, point, end = path.name.rpartition(".")
    return bool(name and point and end.isalnum())


def meant(path: Path) -> Path:
    """Return the file that a typed name means: the file itself, or one with an extension added; the
    name as it is if there is neither.
    """
    if path.name and (os.path.isdir(path) or not os.path.exists(path)):
        longer = (path.with_name(path.name + suffix) for suffix in SUFFIXES)
        return next(filter(os.path.isfile, longer), path)
    return path


def records_of(folder: Path) -> Iterator[Path]:
    """Yield the files of a folder that begin like a record, the most recently written first."""
    dated = []
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            with suppress(OSError):
                if not entry.name.startswith(".") and entry.is_file():
                    dated.append((-entry.stat().st_mtime, entry.name))
    for _, name in sorted(dated)[:_MOST]:
        path = folder / name
        if kind_of(path) == RECORD:
            yield path


def kind_of(path: Path) -> str:
    """Return what a file seems to be by its beginning: RECORD, SCENARIO, or empty for neither."""
    keys = _first_entries(path)
    if b"porto" not in keys:
        return ""
    return SCENARIO if b"scenario" in keys else RECORD


def game_named_in(path: Path) -> str:
    """Return the game named at the beginning of a file; empty if there is none."""
    value, _, _ = _first_entries(path).get(b"game", b"").partition(b" #")
    return value.strip(b"\"' ").decode("ascii", "replace")


def _first_entries(path: Path) -> dict[bytes, bytes]:
    """Return the keys in the first lines of a file, each with the rest of its line."""
    try:
        with path.open("rb") as file:
            lines = file.read(_BEGINNING).removeprefix(b"\xef\xbb\xbf").splitlines()
    except OSError:
        return {}
    entries = (line.partition(b":") for line in lines if b":" in line)
    return {key.strip(b"\"' "): value for key, _, value in entries}


def the_record() -> Path | None:
    """Return the only record of the current folder; ``None`` if there are none or several."""
    found = [path for path, _ in zip(records_of(Path()), "12", strict=False)]
    return found[0] if len(found) == 1 else None


def only_record() -> str:
    """Return the only record of the current folder as it is typed; empty if there are none or
    several.
    """
    found = the_record()
    return file_word(found.name) if found else ""
