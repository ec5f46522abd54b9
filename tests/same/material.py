"""Records and scenarios to compare with: those of the project, cut short or damaged at random."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import yaml

WORDS = (
    "red-1", "none", "undo", "Inês", "Joana", "{", "}", "[", "]", ": ", "#", "- ", "'", '"', "\t",
    "&a ", "*a", "!!str ", "? ", "|\n", "|-\n    x", "\u200e", "\u00a0", "\r", "\u2028", "---\n",
    "...\n", "%YAML 1.1\n", "0", "-1", " ", "\n", "b1", "r1", "BLUE-1", "corn", "2", ">", "a: b",
    ", ", "\ufeff", "\x85", "Rui", "pass", "keep 1 2 3", "token", "settler", "quarry", "\x00",
)  # fmt: skip
"""What is put into records at random: words of the games, and what is special in YAML."""
ITEM = re.compile(r"^- ([^:\n]+): ([^#\n]+)$", re.MULTILINE)
"""A turn of a record: the player and the move; names with a colon are not needed here."""
CHANGEABLE = re.compile(
    r"(?<=[ :])(\d+)(?=[,}\s])|P-BUILD-\d|PR-CAPTAIN-\d|none|(?<=refuse: )|(?<=unreadable: )"
)
"""What is changed in scenarios: numbers, rulings, and what is refused."""


@dataclass(frozen=True)
class Game:
    """A record of the project."""

    name: str
    text: str

    @property
    def header(self) -> dict[str, Any]:
        """What it says before the turns."""
        found: dict[str, Any] = yaml.safe_load(self.text.split("\nturns:")[0])
        return found

    @property
    def players(self) -> list[str]:
        """The players in turn order."""
        return list(self.header["players"])

    @property
    def kind(self) -> str:
        """The game that is played."""
        return str(self.header.get("game", "porto"))

    @property
    def items(self) -> list[int]:
        """The lines at which the items of the record begin, and its end."""
        lines = self.text.split("\n")
        found = [number for number, line in enumerate(lines) if line.startswith("- ")]
        return [*found, len(lines)]

    @property
    def length(self) -> int:
        """The number of items, the result included."""
        return len(self.items) - 1

    def cut(self, items: int) -> str:
        """The record as it was after so many items."""
        return "\n".join(self.text.split("\n")[: self.items[items]]).rstrip("\n") + "\n"

    def moves(self, start: int, number: int) -> list[str]:
        """Some of its moves as they are written: those after so many items."""
        lines = [line.partition("#")[0].rstrip() for line in self.text.split("\n")]
        found = []
        for first, after in pairwise(self.items[start : start + number + 1]):
            # Contracts that a build fulfills have a line of their own.
            claims = [line.strip() for line in lines[first:after] if line.startswith("  contract:")]
            move = lines[first].partition(": ")[2]
            found.append(" ".join([move, *(claim.replace(":", "") for claim in claims)]))
        return found


def damaged(text: str, rng: random.Random) -> bytes:
    """A record with one random change to its bytes, lines or words, or with a move too many."""
    lines, words = text.split("\n"), text.split(" ")
    at, line, word = (rng.randrange(len(parts)) for parts in (text, lines, words))
    match rng.randrange(9):
        case 0:
            text = text[:at] + rng.choice(WORDS) + text[at:]
        case 1:
            text = text[:at] + text[at + rng.randint(1, 3) :]
        case 2:
            text = "\n".join(lines[:line] + lines[line + 1 :])
        case 3:
            text = "\n".join(lines[: line + 1] + lines[line:])
        case 4:
            other = rng.randrange(len(lines))
            lines[line], lines[other] = lines[other], lines[line]
            text = "\n".join(lines)
        case 5:
            words[word] = rng.choice(WORDS)
            text = " ".join(words)
        case 6:
            text = text[:at]
        case 7 if items := ITEM.findall(text):
            player, _ = rng.choice(items)
            move = rng.choice(["undo", rng.choice(items)[1]])
            text = f"{text.rstrip()}\n- {player}: {move}\n"
        case _:
            raw = bytearray(text.encode())
            raw[rng.randrange(len(raw))] = rng.randrange(256)
            return bytes(raw)
    return text.encode()


def changed_scenario(text: str, rng: random.Random) -> str | None:
    """A scenario with one random change, or None if there is nothing to change."""
    start = text.find("players:")
    start = start if start >= 0 else text.index("cases:")
    places = [(start + one.start(), start + one.end()) for one in CHANGEABLE.finditer(text[start:])]
    if not places:
        return None
    begin, end = rng.choice(places)
    word = text[begin:end]
    put = str(int(word) + 1) if word.isdigit() else {"none": "3", "": "x"}.get(word, "P-BUILD-1")
    return text[:begin] + put + text[end:]
