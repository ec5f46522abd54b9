"""Writes records by a grammar of YAML of its own, and looks at how the program reads them.

    python -m tests.grammar [--seconds N | --files N] [--seed TEXT]
    python -m tests.grammar --show NUMBER [--seed TEXT]

Nothing here is a damaged file: a game is laid out anew, key by key, in one of the ways in which
YAML can be written, with odd names and comments; and now and then something stands in it that no
record may hold. So it is known beforehand what each file says, and whether it may be read.

What is checked: the program and both of PyYAML's readers find in a file what was put into it; what
must not stand there is refused with its place, whichever reader there is; what was read is the same
game after it has been written out canonically, and after a move; and twice as much of anything
takes no more than about twice the time.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import NamedTuple
from unittest.mock import patch

import yaml

import porto_cli
from porto_cli.core.yaml import InvalidFileError, Mapping, Node, Reader, Scalar, Sequence, read
from porto_cli.games.porto.engine.legal_moves import may_keep
from porto_cli.games.porto.engine.moves import Keep
from porto_cli.games.porto.engine.state import KEEP, OVER
from porto_cli.match import play, record, replay, undo
from porto_cli.match.match import Match
from porto_cli.match.record import header, item_lines
from tests.conftest import run_porto
from tests.porto.playing import BARE, CRAMPED

Tree = str | list["Tree"] | dict[str, "Tree"]

# --- the games --------------------------------------------------------------------------------

# fmt: off
NAMES = (
    "Ana", "Inês", "no", "1:30", "~", "- dash", "Who?", "a: b", "#x", "x #y", "Zé 🦜", "가나", "१२",
    "0x1F", "null", "'", '"', "\\", "{a}", "[b", "c]", "%d", "@home", "`", "a,b", "&a", "*a", "!t",
    "|", ">", "? q", "=", "<<", "é" * 40, "❤\ufe0f", "a\u0301", "\U0002f804", "---", "...", "a  b",
)
# fmt: on
GAMES = 300
MOST_TURNS = 12


@cache
def game_of(number: int) -> replay.Replay:
    """Return a game of a few turns, of any kind."""
    rnd = random.Random(number)
    names = rnd.sample(NAMES, rnd.choice((1, 2, 2, 3, 4)))
    box = rnd.choice((None, None, CRAMPED, BARE)) if len(names) > 1 else None
    private = box is not BARE and rnd.random() < 0.7
    dealt = porto_cli.new_game(
        names,
        seed=f"grammar-{rnd.randrange(50)}",
        title=rnd.choice(("", "Friday", "a: b # c", "Zé 🦜\u200d!", "yes", "x" * 900)),
        private_contracts=private,
        seat_first=len(names) > 1 and rnd.random() < 0.3,
        edition=box,
    )
    if rnd.random() < 0.4:
        setup = dealt.record.deal._replace(private=())
        dealt = porto_cli.new_game(
            dealt.players, setup=setup, private_contracts=private, edition=box
        )
    game = dealt.replay
    for _ in range(rnd.randrange(MOST_TURNS) if number % 30 else 200):
        if game.state.phase == OVER:
            break
        game = one_more(game, rnd)
    return game


def one_more(game: replay.Replay, rnd: random.Random) -> replay.Replay:
    """Return a game after any move that could be made, or an undo."""
    state = game.state
    if game.steps and rnd.random() < 0.1:
        seat = game.steps[-1].seat
        if not undo.check_undo(game.record, game.steps, seat):
            return play.undo(game, seat)
    keepers = [seat for seat in range(state.config.seats) if may_keep(state, seat)]
    if not state.dealt and keepers and (state.phase == KEEP or rnd.random() < 0.2):
        seat = rnd.choice(keepers)
        kept = rnd.sample(range(9 * seat, 9 * seat + 9), 3)
        return play.play(game, [Keep((), tuple(sorted(kept)))], seat, _any(rnd))
    match = Match(game)
    name = rnd.choice(match.to_move())
    seat = match.seat(name)
    if game.record.seed:
        match.play(rnd.choice(match.legal_moves(name)), player=name)
        return match.replay
    return play.play(game, [rnd.choice(match.legal_moves(name))], seat, _any(rnd))


def _any(rnd: random.Random) -> Callable[..., int]:
    return lambda stream, index, pile: rnd.randrange(len(pile))


def tree_of(game: replay.Replay) -> dict[str, Tree]:
    """Return what the record of a game says."""
    return yaml.load(game.record.text, yaml.BaseLoader)


# --- the grammar ------------------------------------------------------------------------------

HIDDEN = "\r\x0b\x0c\x1c\x85\u2028\u2029\x00\x07\x1b\x7f\x9b\u200e\u202e\u2066\ufeff\uffff"
"""Some of the characters that no file may hold."""
ESCAPES = {
    "\t": "\\t",
    "\n": "\\n",
    '"': '\\"',
    "\\": "\\\\",
    "\xa0": "\\_",
    " ": "\\ ",
    "/": "\\/",
}
WORDS = ["what?", "it's", "a:", "b", "#c,", "[d]", "{e}", "é", "🦜", "%", "@", "1", "-", "…", "\t"]
WORDS += ["|", ">", "!x", "&y", "*z", "''"]


class Document(NamedTuple):
    """A text, what it says, and what stands in it that must not."""

    text: str
    tree: dict[str, Tree]
    fouls: tuple[str, ...]


class Writer:
    """Lays a tree out as YAML; every choice is made by chance."""

    def __init__(self, rnd: random.Random) -> None:
        self.rnd = rnd
        self.fouls: list[str] = []
        self.fouls_left = rnd.choice((0, 0, 1, 1, 3))
        self.end = rnd.choice(("\n", "\n", "\n", "\r\n"))
        self.wild = rnd.random()
        """How far from the usual layout this document is."""
        self.behind_text = False
        """Whether a comment would belong to the text before it."""

    def odd(self, chance: float = 0.15) -> bool:
        """Return whether to do something that is right but rare."""
        return self.rnd.random() < chance * 2 * self.wild

    def foul(self, name: str, chance: float = 0.01) -> bool:
        """Return whether to do something wrong here."""
        if self.fouls_left and self.rnd.random() < chance:
            self.fouls_left -= 1
            self.fouls.append(name)
            return True
        return False

    def document(self, tree: dict[str, Tree]) -> Document:
        """Write a whole file."""
        root = self.rnd.choice((1, 3)) if self.odd(0.1) else 0
        body = self.block_mapping(tree, root, shuffled=True)
        head = "\ufeff" if self.odd(0.1) else ""
        if self.foul("two byte order marks", 0.04):
            head = "\ufeff\ufeff"
        if self.foul("a directive", 0.04):
            head += self.rnd.choice(("%YAML 1.1", "%TAG ! tag:x,2000:")) + "\n---\n"
        elif self.odd():
            head += self.comment_lines() + "---" + self.comment() + "\n"
        head += self.comment_lines()
        tail = ""
        if self.foul("an end", 0.04):
            tail = "...\n"
        elif self.foul("a second document", 0.04):
            tail = "---\nporto: 1\n"
        elif self.odd() and body.endswith("\n"):
            body = body[:-1]
        text = (head + body + tail).replace("\n", self.end)
        return Document(text, tree, tuple(self.fouls))

    # Mappings and lists in lines of their own

    def block_mapping(self, tree: dict[str, Tree], indent: int, *, shuffled: bool = False) -> str:
        entries = list(tree.items())
        if shuffled and self.odd(0.3):
            *others, last = entries
            self.rnd.shuffle(others)
            entries = [*others, last]
        if self.foul("a key twice"):
            entries.insert(0, self.rnd.choice(entries))
        lines = ""
        for nth, (key, value) in enumerate(entries):
            if nth or not indent:
                lines += self.comment_lines()
            lead = " " * indent if nth or shuffled else ""
            lines += lead + self.key(key) + ":" + self.value(value, indent)
        return lines

    def key(self, text: str) -> str:
        if self.foul("a key behind a question mark"):
            return "? " + self.scalar(text, -1, key=True) + "\n"
        written = self.scalar(text, -1, key=True)
        return written + (" " * self.rnd.choice((1, 2)) if self.odd(0.05) else "")

    def value(self, tree: Tree, indent: int) -> str:
        """Write what stands behind a colon, and the end of the line."""
        if tree == "":
            return self.comment() + "\n"
        if isinstance(tree, str):
            return self.blank() + self.extras() + self.scalar(tree, indent + 1, last=True) + "\n"
        if not tree or (self.rnd.random() < 0.6 and not _has_items(tree)):
            flow = self.flow(tree, indent + 1)
            return self.blank() + self.extras() + flow + self.comment() + "\n"
        extras = self.extras().rstrip()
        lead = (" " + extras if extras else "") + self.comment() + "\n" + self.comment_lines()
        if isinstance(tree, dict):
            deeper = indent + self.rnd.choice((1, 2, 2, 4))
            return lead + " " * deeper + self.block_mapping(tree, deeper)
        deeper = indent + (self.rnd.choice((1, 2, 4)) if self.odd(0.4) else 0)
        return lead + self.block_sequence(tree, deeper)

    def block_sequence(self, items: list[Tree], indent: int) -> str:
        lines = ""
        for item in items:
            lines += self.comment_lines()
            lead = " " * indent + "-"
            if isinstance(item, str):
                lines += lead + self.value(item, indent) if item else f'{lead} ""\n'
            elif isinstance(item, list):
                lines += lead + " " + self.flow(item, indent + 1) + self.comment() + "\n"
            elif self.odd(0.1):
                deeper = indent + self.rnd.choice((1, 2, 5))
                lines += lead + self.comment() + "\n" + " " * deeper
                lines += self.block_mapping(item, deeper)
            else:
                blanks = self.rnd.choice((2, 3)) if self.odd(0.1) else 1
                lines += lead + " " * blanks + self.block_mapping(item, indent + 1 + blanks)
        return lines

    # Mappings and lists in brackets

    def flow(self, tree: Tree, indent: int) -> str:
        if isinstance(tree, str):
            return self.scalar(tree, indent, flow=True) if tree else '""'
        gap = self.gap(indent) if len(tree) > 1 else ""
        if isinstance(tree, list):
            parts = [self.flow(part, indent) for part in tree]
            opening, closing = "[]"
        else:
            opening, closing = "{}"
            parts = []
            for key, value in tree.items():
                lead = self.scalar(key, -1, key=True, flow=True) + ":"
                if self.foul("a question mark in brackets"):
                    lead = "? " + lead
                parts.append(lead + self.blank() + self.flow(value, indent))
        inner = ("," + gap).join(parts)
        if parts and self.odd(0.1):
            inner += ","
        if self.foul("a comment that touches a bracket"):
            return f"{opening}# touched\n{' ' * indent}{inner}{closing}"
        return opening + inner + closing

    def gap(self, indent: int) -> str:
        if self.foul("a tab between words"):
            return "\t"
        if indent > 0 and self.odd(0.2):
            return self.comment() + "\n" + self.comment_lines() + " " * (indent + 1)
        return " " * self.rnd.choice((1, 1, 1, 0, 2)) if self.wild > 0.5 else " "

    # Single texts

    def scalar(
        self,
        text: str,
        indent: int,
        *,
        key: bool = False,
        flow: bool = False,
        last: bool = False,
    ) -> str:
        """Write a text in one of the ways that it can be; ``last`` adds a comment behind it."""
        ways: list[Callable[[], str]] = [lambda: self.double(text, indent, key)]
        if "\n" not in text and "\t" not in text:
            ways.append(lambda: self.single(text, indent, key))
        if _is_plain(text, flow=flow):
            ways += [lambda: self.plain(text, indent, key, flow)] * 6
        if last and not key and not flow and text and text == text.strip() and "\n" not in text:
            if self.odd(0.3):
                return self.behind_bar(text, indent)
        written = self.rnd.choice(ways)()
        if written[-1:] in "'\"" and last and self.foul("a comment that touches a quote"):
            return written + "# touched"
        return written + (self.comment() if last else "")

    def double(self, text: str, indent: int, key: bool) -> str:
        if self.foul("half a character"):
            text += "\0half"
        written = ""
        for nth, char in enumerate(text):
            if char in '"\\\n' or char < " ":
                written += ESCAPES.get(char, f"\\x{ord(char):02x}")
            elif char == " " and not key and 0 < nth < len(text) - 1 and self.may_break(text, nth):
                written += "\n" * self.rnd.choice((1, 1)) + " " * (indent + 1)
            elif self.odd(0.05):
                written += self.escaped(char)
            else:
                written += char
        if self.foul("an escape that steers"):
            char = self.rnd.choice(HIDDEN)
            written += f"\\u{ord(char):04x}"
        written = written.replace("\\x00half", r"\ud83e")
        return f'"{written}"'

    def may_break(self, text: str, nth: int) -> bool:
        return text[nth - 1] != " " and text[nth + 1] != " " and self.odd(0.1)

    def escaped(self, char: str) -> str:
        ways = [f"\\U{ord(char):08x}"]
        if ord(char) < 0x10000:
            ways.append(f"\\u{ord(char):04X}")
        if ord(char) < 0x100:
            ways.append(f"\\x{ord(char):02x}")
        if char in ESCAPES:
            ways.append(ESCAPES[char])
        return self.rnd.choice(ways)

    def single(self, text: str, indent: int, key: bool) -> str:
        return "'" + self.broken(text.replace("'", "''"), indent, key) + "'"

    def plain(self, text: str, indent: int, key: bool, flow: bool) -> str:
        if flow and self.foul("a question mark in brackets"):
            return text + "?"
        if self.foul("a tab between words"):
            return text + "\t"
        return self.broken(text, indent, key)

    def broken(self, text: str, indent: int, key: bool) -> str:
        """Break the lines of a text at some of its single blanks."""
        if key:
            return text
        written = ""
        for nth, char in enumerate(text):
            if char == " " and 0 < nth < len(text) - 1 and self.may_break(text, nth):
                if not _begins_plainly(text[nth + 1]):
                    written += char
                    continue
                written += "\n" + " " * (indent + 1)
            else:
                written += char
        return written

    def behind_bar(self, text: str, indent: int) -> str:
        self.behind_text = True
        sign = self.rnd.choice(("|-", ">-"))
        lead = " " * (indent + self.rnd.choice((0, 1, 3)))
        if self.foul("a number behind a bar"):
            return f"{sign}{len(lead)}\n{lead}{text}"
        if self.foul("a tab between words"):
            return f"{sign}\t\n{lead}{text}"
        return f"{sign}{self.comment()}\n{lead}{text}"

    # What stands between

    def blank(self) -> str:
        if self.foul("a tab between words"):
            return "\t"
        return " " * (self.rnd.choice((1, 2, 5)) if self.odd() else 1)

    def extras(self) -> str:
        if self.foul("an anchor, an alias or a tag", 0.005):
            return self.rnd.choice(("&a ", "!!str ", "!x ", "! ", "!<tag:x> ", "*a "))
        return ""

    def comment(self) -> str:
        """Write a comment behind something, or nothing."""
        if not self.odd(0.2):
            return ""
        if self.foul("a tab before a comment"):
            return "\t# here"
        return " " * self.rnd.choice((1, 2)) + "#" + self.words()

    def comment_lines(self) -> str:
        """Write some lines without meaning, or none."""
        lines = ""
        while not self.behind_text and self.odd(0.1):
            lines += " " * self.rnd.choice((0, 0, 1, 7))
            if self.foul("a tab before a comment"):
                lines += "\t# here"
            elif self.rnd.random() < 0.7:
                lines += "#" + self.words()
            lines += "\n"
        self.behind_text = False
        return lines

    def words(self) -> str:
        text = " ".join(self.rnd.choices(WORDS, k=self.rnd.randrange(6)))
        if self.foul("a character that hides or steers", 0.05):
            text += self.rnd.choice(HIDDEN) + "- Ana: undo"
        return text


def _has_items(tree: Tree) -> bool:
    """Return whether a list holds mappings, as that of the turns does."""
    return isinstance(tree, list) and any(isinstance(item, dict) for item in tree)


def _begins_plainly(char: str) -> bool:
    return char not in "-?:,[]{}#&*!|>'\"%@`=~<" and not char.isspace()


def _is_plain(text: str, *, flow: bool) -> bool:
    """Return whether a text can stand without quotes, by a rule that is stricter than YAML's."""
    return (
        bool(text)
        and text == text.strip()
        and _begins_plainly(text[0])
        and not set(text) & set("\n\t")
        and ": " not in text
        and " #" not in text
        and not text.endswith(":")
        and not text.startswith(("---", "..."))
        and not (flow and set(text) & set(",[]{}?:"))
    )


# --- what is done with it ---------------------------------------------------------------------


@contextmanager
def reader_in_python() -> Iterator[None]:
    """Let the program read with PyYAML's reader in Python, as where there is none in C."""
    with patch.object(yaml, "CSafeLoader", yaml.SafeLoader, create=True):
        yield


def complaint(document: Document, rnd: random.Random) -> str:
    """Return what is wrong with how a document is read, or nothing."""
    try:
        return _complaint(document, rnd)
    except Exception:
        return traceback.format_exc()


def _complaint(document: Document, rnd: random.Random) -> str:
    outcomes = []
    for reader in (_as_it_is, reader_in_python):
        with reader():
            outcomes.append(_outcome(document.text))
    first, second = outcomes
    if isinstance(first, str) != isinstance(second, str):
        return f"The readers differ:\n{first}\n{second}"
    if isinstance(first, str):
        return _refused(document, first)
    if document.fouls:
        return f"Read in spite of {', '.join(document.fouls)}."
    game, root = first
    if _tree(root) != document.tree:
        return f"Read as\n{_tree(root)}"
    bare = document.text.removeprefix("\ufeff")
    for loader in (yaml.BaseLoader, getattr(yaml, "CBaseLoader", yaml.BaseLoader)):
        if yaml.load(bare, loader) != document.tree:
            return f"{loader.__name__} reads\n{yaml.load(bare, loader)}"
    again = _outcome(canonical(game))
    if isinstance(again, str):
        return f"Written out canonically it is refused: {again}"
    if (again[0].state, again[0].digest) != (game.state, game.digest):
        return "Written out canonically it is another game."
    if game.state.phase != OVER:
        Match(one_more(game, rnd)).read_back()
    return ""


@contextmanager
def _as_it_is() -> Iterator[None]:
    yield


def _outcome(text: str) -> tuple[replay.Replay, Mapping] | str:
    """Return the game of a text, or where and why it is refused."""
    try:
        root = read(text, "")
        return replay.replay(record.load_node(root, text, Reader(""))), root
    except InvalidFileError as error:
        lines = text.split("\n")
        if error.place.line > len(lines) + 1 or error.place.column < 0:
            raise AssertionError(f"The place is outside: {error}") from error
        return str(error)


def _refused(document: Document, message: str) -> str:
    if not document.fouls:
        return f"Refused though nothing is wrong: {message}"
    return ""


def _tree(node: Node) -> Tree:
    if isinstance(node, Scalar):
        return node.text
    if isinstance(node, Sequence):
        return [_tree(item) for item in node.items]
    return {key: _tree(value) for key, value in node.entries.items()}


def canonical(game: replay.Replay) -> str:
    """Return the text of a game as the program would write it from the beginning."""
    one = game.record
    lines = header(one.game, one.config, one.deal, secrecy=one.secrecy, seed=one.seed)
    result = {step.item: list(step.entries) for step in game.steps}
    for number, item in enumerate(one.items):
        lines += item_lines(result.get(number, item.entries))
    return "\n".join(lines) + "\n"


def document_of(seed: str, number: int) -> Document:
    """Make a document; the same numbers make the same one."""
    rnd = random.Random(f"{seed}/{number}")
    return Writer(rnd).document(tree_of(game_of(rnd.randrange(GAMES))))


# --- growing files ----------------------------------------------------------------------------


@cache
def _head() -> str:
    return porto_cli.new_game(
        ["Ana", "Bob"], seed="x", first="Ana", private_contracts=False
    ).record.text


def _turns_taken_back(size: int) -> str:
    match = porto_cli.loads(_head())
    match.play(match.legal_moves()[0])
    item = match.record.text[len(_head()) :]
    return _head() + (item + "- Ana: undo\n") * size


def _results(size: int) -> str:
    match, ends = _finished()
    for end in ends[:size]:
        match += end
    return match


@cache
def _finished() -> tuple[str, list[str]]:
    rnd = random.Random(1)
    match = porto_cli.new_game(["Ana", "Bob"], seed="x", edition=CRAMPED)
    while not match.over:
        match.play(rnd.choice(match.legal_moves()), player=match.state.seat)
    moves = match.replay.steps[-1].moves
    ends = []
    whole = match.record.text
    for _ in range(400):
        before = len(match.record.text)
        match.undo()
        match.play(*moves, player=match.players[match.replay.steps[-1].seat])
        ends.append(match.record.text[before:])
    return whole, ends


def _passes(size: int) -> str:
    """Return a game in which no player can ever move."""
    for number in range(100):
        rnd = random.Random(number)
        match = porto_cli.new_game(
            ["Ana", "Bob"], seed=f"{number}", edition=BARE, private_contracts=False
        )
        passes = 0
        while not match.over and passes < 4:
            moves = match.legal_moves()
            first = match.text(moves[0])
            chosen = moves[0] if first.startswith("draw") else rnd.choice(moves)
            match.play(chosen, player=match.state.seat)
            passes = passes + 1 if first == "pass" else 0
        if not match.over:
            names = match.players
            one, other = names[match.state.seat], names[1 - match.state.seat]
            return match.record.text + f"- {one}: pass\n- {other}: pass\n" * size
    raise RuntimeError("no such game")


def _with(line: Callable[[int], str]) -> Callable[[int], str]:
    return lambda size: line(size) + "\n" + _head()


FAMILIES: dict[str, tuple[int, Callable[[int], str], tuple[str, ...]]] = {
    "turns taken back": (
        1_000,
        _turns_taken_back,
        ("verify -", "show -", "log -", "log - --format html", "moves -", "score -", "undo -"),
    ),
    "results": (100, _results, ("verify -", "log -")),
    "passes": (
        400,
        _passes,
        ("verify -", "log -", "log - --format html", "log - --format json", "score -", "pass -"),
    ),
    "a long comment": (500_000, _with(lambda size: "# " + "é\t" * size), ("verify -",)),
    "comments": (50_000, _with(lambda size: "  # a\tb\n" * size), ("verify -",)),
    "empty lines": (200_000, _with(lambda size: " \n" * size), ("verify -",)),
    "a long title": (500_000, _with(lambda size: "title: " + "a b " * size), ("show -",)),
    "a long text of escapes": (
        200_000,
        _with(lambda size: 'title: "' + "\\t" * size + '"'),
        ("show -",),
    ),
    "a text of many lines": (
        100_000,
        _with(lambda size: "title: a\n" + " b\n" * size),
        ("show -",),
    ),
    "a text behind a bar": (
        100_000,
        _with(lambda size: "title: |\n" + " b\tc #\n\n" * size),
        ("show -",),
    ),
    "keys": (30_000, _with(lambda size: "".join(f"k{n}: \n" for n in range(size))), ("verify -",)),
    "a key many times": (30_000, _with(lambda size: "k: 1\n" * size), ("verify -",)),
    "brackets": (30_000, _with(lambda size: "k: [" + "a?, " * size + "]"), ("verify -",)),
    "empty brackets": (30_000, _with(lambda size: "k: [" + "{}, " * size + "]"), ("verify -",)),
    "open brackets": (300_000, _with(lambda size: "k: " + "[" * size), ("verify -",)),
    "dashes": (300_000, _with(lambda size: "k: \n" + "- " * size), ("verify -",)),
    "directives": (300_000, lambda size: "%TAG !a! tag:x:\n" * size, ("verify -",)),
    "directives behind": (300_000, lambda s: "a: 1\n" + "%TAG !a! tag:x:\n" * s, ("verify -",)),
    "tags": (30_000, _with(lambda size: "k: " + "!" + "a" * size + " b"), ("verify -",)),
    "cards in a move": (
        100_000,
        lambda size: f"{_head()}- Ana: draw {'blue-1 ' * size}\n",
        ("verify -",),
    ),
    "cards in a move that is short enough": (
        300,
        lambda size: f"{_head()}- Ana: draw {'blue-1 ' * size}\n",
        ("verify -",),
    ),
    "keys of a turn": (
        10_000,
        lambda size: (
            _head() + "- Ana: draw blue-1\n" + "".join(f"  k{n}: a\n" for n in range(size))
        ),
        ("verify -",),
    ),
    "players": (
        10_000,
        lambda size: "porto: 1\nrules: 1\nplayers:\n" + "".join(f"- 가{n}\n" for n in range(size)),
        ("verify -",),
    ),
}
"""Texts that grow with a number, the number to begin with, and the commands that read them."""

GROWS, FACTOR, SLACK = 4, 2.2, 0.1
"""How many times as large the second text of a family is; how many times as long as by the rule of
three it may take, and how many seconds more, for what else runs on the machine."""


def growth(family: str, command: str, scale: float = 1.0) -> str:
    """Return what is wrong with the time that a command takes for a family, or nothing."""
    size, text, _ = FAMILIES[family]
    small, large = (text(int(size * scale * times)) for times in (1, GROWS))
    for attempt in range(3):
        first, second = (_seconds(command, given, attempt + 1) for given in (small, large))
        if second <= first * GROWS * FACTOR + SLACK:
            return ""
    return f"{family}: {command} takes {first:.2f} s, and {second:.2f} s for {GROWS} times as much"


def _seconds(command: str, text: str, times: int) -> float:
    taken = []
    for _ in range(times):
        start = time.process_time()
        result = run_porto(*command.split(), stdin=text)
        taken.append(time.process_time() - start)
        if result.code not in (0, 1, 3):
            raise AssertionError(f"{command}: exit code {result.code}: {result.err[:500]}")
    return min(taken)


# --- the hunt ---------------------------------------------------------------------------------


class Report(NamedTuple):
    """What a hunt has found."""

    files: int
    read: int
    fouls: Counter[str]
    findings: list[str]


def hunt(
    seed: str, *, files: int = 0, seconds: float = 0, growing: bool = True, most: int = 10
) -> Report:
    """Read so many documents, or as many as so many seconds allow, up to ``most`` findings."""
    start = time.monotonic()
    findings: list[str] = []
    fouls: Counter[str] = Counter()
    number = read = 0
    if growing:
        for family, (_, _, commands) in FAMILIES.items():
            findings += filter(None, (growth(family, command) for command in commands))
    while number < files or time.monotonic() - start < seconds:
        document = document_of(seed, number)
        wrong = complaint(document, random.Random(number))
        if wrong:
            findings.append(f"{number}: {wrong}")
        fouls.update(document.fouls)
        read += not document.fouls
        number += 1
        if len(findings) >= most:
            break
    return Report(number, read, fouls, findings)


def main() -> None:
    """Hunt, or show one document."""
    parser = argparse.ArgumentParser(prog="python -m tests.grammar", description=__doc__)
    parser.add_argument("--seconds", type=float, default=0, help="how long to hunt")
    parser.add_argument("--files", type=int, default=0, help="how many files to read")
    parser.add_argument("--seed", default="porto", help="makes other files")
    parser.add_argument("--show", type=int, metavar="NUMBER", help="print a file and what is wrong")
    args = parser.parse_args()
    if args.show is not None:
        document = document_of(args.seed, args.show)
        sys.stdout.write(document.text)
        wrong = complaint(document, random.Random(args.show))
        print(f"\n{document.fouls or 'nothing is wrong with it'}\n{wrong}", file=sys.stderr)
        sys.exit(bool(wrong))
    report = hunt(
        args.seed, files=args.files or (0 if args.seconds else 1_000), seconds=args.seconds
    )
    print(f"{report.files} files, {report.read} of them to be read; fouls: {dict(report.fouls)}")
    for finding in report.findings:
        print(finding)
    sys.exit(bool(report.findings))


if __name__ == "__main__":
    main()
