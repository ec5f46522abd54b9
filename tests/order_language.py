"""The items of a record, and the language of orders, read by porto-record(5) and porto-order(1)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import yaml

SCOPES = ("once", "round", "always")
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

POLICY_KINDS = {
    "only": ("act", "contract"),
    "sensible": ("contract", "mayor", "craftsman"),
    "most": ("store",),
}
POLICIES = POLICY_KINDS.keys()


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
class Condition:
    """FACT at least N, FACT at most N, or PLAYER plays WORD..."""

    subject: str
    relation: str
    number: int = 0
    words: frozenset[str] = frozenset()


@dataclass
class Choice:
    """A pick and its conditions."""

    pick: str
    text: str
    words: frozenset[str] = frozenset()
    but: frozenset[str] = frozenset()
    conditions: list[Condition] = field(default_factory=list)


@dataclass
class Order:
    """An order as it stands."""

    kind: str
    scope: str
    choices: list[Choice]
    given: int
    round: int
    occasion: object = None


END = re.compile(r"\s+if\s+|\s*,\s*else\s+|$", re.IGNORECASE)
NEXT = re.compile(r"\s+and\s+|\s*,\s*else\s+|$", re.IGNORECASE)
FACT = re.compile(
    r"(?P<fact>[^\s,]+)\s+(?:at\s+(?P<way>least|most)\s+(?P<number>\d+)|is\s+(?P<there>there|gone))",
    re.IGNORECASE,
)


def parse(
    text: str, players: Sequence[str], kinds: dict[str, tuple[str, ...]]
) -> tuple[str, str, list[Choice]] | str | None:
    """ORDERS: ``None`` for none, a kind for its none, else (scope, kind, choices)."""
    rest = re.sub(r"\s+", " ", text).strip()
    words = rest.split(" ")
    if words[0].casefold() == "none" and len(words) == 1:
        return None
    scope = "once"
    if words[0].casefold() in SCOPES:
        scope, rest = words[0].casefold(), rest.partition(" ")[2]
    kind, _, rest = rest.partition(" ")
    kind = kind.rstrip(":").casefold()
    if kind not in kinds and kind != "turn":
        raise ValueError(f"no kind of decision: {kind}")
    if rest.casefold() == "none":
        return kind
    choices, at = [], 0
    while True:
        match = END.search(rest, at)
        assert match
        choice = pick_of(rest[at : match.start()], kinds.get(kind, ()))
        separator, at = match.group().strip().casefold(), match.end()
        while separator in ("if", "and"):
            condition, at = condition_at(rest, at, players)
            choice.conditions.append(condition)
            match = NEXT.match(rest, at)
            if match is None:
                raise ValueError(f"what does {rest[at:]!r} say?")
            separator, at = match.group().strip().casefold(), match.end()
        choices.append(choice)
        if not separator:
            return scope, kind, choices


def pick_of(text: str, verbs: Sequence[str]) -> Choice:
    """A pick without its conditions."""
    words = text.casefold().split(" ")
    if words[0] in ("any", "most-vp"):
        at = words.index("but") if "but" in words else len(words)
        return Choice(words[0], text, frozenset(words[1:at]), frozenset(words[at + 1 :]))
    if len(words) == 1 and words[0] in POLICIES:
        return Choice("policy", words[0])
    return Choice("move", text if words[0] in verbs else f"? {text}")


def condition_at(text: str, at: int, players: Sequence[str]) -> tuple[Condition, int]:
    """The condition that begins there, and where it ends."""
    for name in sorted(players, key=len, reverse=True):
        plain = re.sub(r"\s+", " ", name)
        if text[at : at + len(plain)].casefold() == plain.casefold() and re.match(
            r"\s+plays\s", text[at + len(plain) :], re.IGNORECASE
        ):
            begin = at + len(plain) + len(" plays ")
            end = NEXT.search(text, begin)
            assert end
            said = frozenset(text[begin : end.start()].casefold().split())
            return Condition(name, "plays", words=said), end.start()
    match = FACT.match(text, at)
    if not match:
        raise ValueError(f"no condition: {text[at:]!r}")
    fact = match["fact"].casefold()
    there = (match["there"] or "").casefold()
    if there:
        return Condition(
            fact, "least" if there == "there" else "most", there == "there"
        ), match.end()
    return Condition(fact, match["way"].casefold(), int(match["number"])), match.end()


def with_colors(words: Sequence[str]) -> frozenset[str]:
    """The words of a move, with what stands before the hyphen and number of those that have one."""
    parts = [word.rpartition("-") for word in words]
    return frozenset(words) | {
        name for name, _, number in parts if name.isalpha() and number.isdigit()
    }
