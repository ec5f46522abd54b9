"""The items of a record, and the language of orders, read by porto-record(5) and porto-order(1)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import yaml

VERBS = {
    "porto": {"act": ("draw", "build", "pass"), "contract": ("contract",)},
    "puerto-rico": {
        "draft": ("choose",),
        "role": ("role",),
        "settler": ("take", "pass"),
        "library": ("take", "pass"),
        "mayor": ("place",),
        "builder": ("build", "pass"),
        "guest": ("guest", "pass"),
        "craftsman": ("take", "pass"),
        "trader": ("sell", "pass"),
        "captain": ("load", "pass"),
        "store": ("store",),
    },
}
"""KINDS OF DECISIONS, each with the first words of its moves."""

SENSIBLE = {"contract": "sensible", "mayor": "sensible", "craftsman": "sensible", "store": "most"}
"""The kinds of decisions with a policy, and its word in a record."""


# Reading


@dataclass
class Item:
    """An item of the turns: its keys with their values, and the comments in their lines."""

    line: int
    entries: list[tuple[str, str, str]]

    @property
    def player(self) -> str:
        """The first key."""
        return self.entries[0][0]

    @property
    def text(self) -> str:
        """The value of the first key."""
        return self.entries[0][1]

    def moves(self) -> Iterator[tuple[str, str]]:
        """The moves, with their comments: a build can have contracts, and one for the timer."""
        for nth, (key, value, comment) in enumerate(self.entries):
            if nth == 0:
                yield value, comment
            elif key == "contract":
                yield f"contract {value}", comment
            elif key == "timer-build" and value != "none":
                yield f"build {value}", comment


def items_of(text: str) -> list[Item]:
    """The items of the turns of a record."""
    root = yaml.compose(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    lines = text.split("\n")
    turns = next(value for key, value in root.value if key.value == "turns")
    found = []
    for node in turns.value if isinstance(turns, yaml.SequenceNode) else ():
        entries = [
            (
                key.value,
                value.value if isinstance(value, yaml.ScalarNode) else "",
                comment_of(lines[value.end_mark.line], value.end_mark.column)
                if isinstance(value, yaml.ScalarNode) and value.end_mark.line < len(lines)
                else "",
            )
            for key, value in node.value
        ]
        found.append(Item(node.start_mark.line + 1, entries))
    return found


def comment_of(line: str, column: int) -> str:
    """The comment behind a value."""
    rest = line[column:].strip()
    return rest[1:].strip() if rest.startswith("#") else ""


def without_items(text: str, unwanted: Callable[[Item], bool]) -> str:
    """A record without some of its items; each of them has lines of its own."""
    lines = text.split("\n")
    items = items_of(text)
    gone: set[int] = set()
    for place, item in enumerate(items):
        if unwanted(item):
            after = items[place + 1].line if place + 1 < len(items) else len(lines) + 1
            gone.update(
                nth
                for nth in range(item.line, after)
                if nth == item.line or lines[nth - 1].startswith("  ")
            )
    return "\n".join(line for nth, line in enumerate(lines, 1) if nth not in gone)


def is_order(item: Item) -> bool:
    """Whether an item orders something."""
    return item.text.split(" ")[0] == "order"


# The language


@dataclass
class Choice:
    """A move or a policy, and whose move with which words it waits for."""

    text: str
    player: str = ""
    words: frozenset[str] = frozenset()


@dataclass
class Order:
    """An order as it stands; without choices it takes back that of its kind."""

    kind: str
    always: bool
    choices: list[Choice]
    given: int = 0
    occasion: object = None
    then: Order | None = None

    @property
    def kinds(self) -> set[str]:
        """The kinds of decisions that it names."""
        return {self.kind} | (self.then.kinds if self.then else set())


def parse(text: str, players: Sequence[str], kinds: dict[str, tuple[str, ...]]) -> Order:
    """ORDERS, in the form of records."""
    first, _, rest = text.partition(" ")
    always = first == "always"
    kind, _, said = (rest if always else text).partition(" ")
    if not said:
        assert kind == "none"
        return Order("", always, [])
    assert kind in kinds
    if said == "none":
        return Order(kind, always, [])
    plain = {re.sub(r"\s+", " ", name): name for name in players}
    names = "|".join(map(re.escape, sorted(plain, key=len, reverse=True)))
    parts = [Order(kind, always, [])]
    while said:
        found = re.fullmatch(
            rf"(?P<text>.+?)(?: if (?P<name>{names}) plays (?P<words>.+?))?"
            r"(?:, (?P<joint>else|then) (?P<rest>.+))?",
            said,
        )
        assert found
        words = frozenset((found["words"] or "").casefold().split())
        parts[-1].choices.append(Choice(found["text"], plain.get(found["name"], ""), words))
        said = found["rest"] or ""
        if found["joint"] == "then":
            kind, _, said = said.partition(" ")
            assert kind in kinds
            assert said
            assert not always
            parts.append(Order(kind, False, []))
    for one, other in pairwise(parts):
        one.then = other
    return parts[0]


def with_colors(words: Sequence[str]) -> frozenset[str]:
    """The words of a move, with what stands before the hyphen and number of those that have one."""
    parts = [word.rpartition("-") for word in words]
    return frozenset(words) | {
        name for name, _, number in parts if name.isalpha() and number.isdigit()
    }
