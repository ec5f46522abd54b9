"""A second program, written from porto-record(5) alone, agrees with what the records say.

It uses nothing of the first one: if these tests fail, either the page or the program has changed,
and games of before would no longer replay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha256
from itertools import combinations
from pathlib import Path

import pytest
import yaml

RECORDS = sorted((Path(__file__).parents[2] / "records" / "porto").glob("*.yaml"))
COLORS = ("blue", "green", "purple", "red", "yellow")
HOUSES = [f"{side}{n}" for side in "LR" for n in range(1, 8)]
LEFT_OUT = {4: (), 3: ("L1", "R7"), 2: ("L1", "L2", "R6", "R7"), 1: ("L1", "L2", "R6", "R7")}

CARDS = sorted(
    f"{color}-{value}"
    for color in COLORS
    for value, count in ((1, 4), (2, 4), (3, 2))
    for _ in range(count)
)
PUBLIC = sorted(
    [f"{color}{suffix}" for color in COLORS for suffix in ("-house", f"+{color}")]
    + [f"1-{color}-floor" for color in COLORS]
    + [f"{count}-{color}-floors" for color in COLORS for count in (2, 3)]
    + ["+".join(pair) for pair in combinations(COLORS, 2)]
)
PRIVATE = sorted(
    [f"{kind}-{color}" for kind in ("houses", "mirror", "ends") for color in COLORS]
    + [f"pairs-{'+'.join(pair)}" for pair in combinations(COLORS, 2)]
    + [f"trios-{'+'.join(trio)}" for trio in combinations(COLORS, 3)]
    + ["palette", "side"] * 2
)


def take(pile: list, seed: str, stream: str, index: int):
    """Choose one thing of a sorted pile and take it out."""
    attempt = 0
    while True:
        digest = sha256(f"porto/1/{seed}/{stream}/{index}/{attempt}".encode()).digest()
        x = int.from_bytes(digest[:2], "big")
        if x < 65536 // len(pile) * len(pile):
            return pile.pop(x % len(pile))
        attempt += 1


class Table:
    """The piles of a game, as far as chance needs them."""

    def __init__(self, seed: str, players: int, timer: int) -> None:
        self.seed = seed
        tokens = [1] * 5 + [2] * 4 + [3] * 3 + [4] * 2
        houses = [house for house in HOUSES if house not in LEFT_OUT[players]]
        self.tokens = {house: take(tokens, seed, "tokens", nth) for nth, house in enumerate(houses)}
        self.face_down, self.contracts_left = list(CARDS), list(PUBLIC)
        self.cards = [take(self.face_down, seed, "cards", nth) for nth in range(5)]
        self.contracts = [take(self.contracts_left, seed, "contracts", nth) for nth in range(4)]
        private = list(PRIVATE)
        self.private = [
            [take(private, seed, "private", 5 * seat + nth) for nth in range(5)]
            for seat in range(players)
        ]
        self.came_up = 5
        self.contracts_came_up = 4
        self.timer_left, self.timer_index = timer, 0
        self.timer_pile: list[str] = []
        self.discards: list[str] = []

    def refill(self) -> tuple[list[str], list[str]]:
        cards, contracts = [], []
        for space in range(5):
            if self.cards[space]:
                continue
            if len(self.face_down) == (0 if self.timer_pile else self.timer_left):
                if not self.discards:
                    break
                if self.timer_left and not self.timer_pile:
                    self.timer_pile = self.face_down
                self.face_down, self.discards = sorted(self.discards), []
            self.cards[space] = take(self.face_down, self.seed, "cards", self.came_up)
            self.came_up += 1
            cards.append(self.cards[space])
        for space in range(4):
            if not self.contracts[space] and self.contracts_left:
                self.contracts[space] = take(
                    self.contracts_left, self.seed, "contracts", self.contracts_came_up
                )
                self.contracts_came_up += 1
                contracts.append(self.contracts[space])
        return cards, contracts

    def turn_up_timer(self) -> list[str]:
        turned = []
        for _ in range(2):
            pile = self.timer_pile or self.face_down
            turned.append(take(pile, self.seed, "timer", self.timer_index))
            self.timer_index += 1
            self.timer_left -= 1
        first, both = int(turned[0][-1]), int(turned[0][-1]) + int(turned[1][-1])
        for position in (first, both):
            if position <= 5 and self.cards[position - 1]:
                self.discards.append(self.cards[position - 1])
                self.cards[position - 1] = ""
            if position <= 4:
                self.contracts[position - 1] = ""
        return turned

    def draw(self, words: list[str]) -> None:
        for word in sorted(words, key=lambda word: "@" not in word):
            card, _, space = word.partition("@")
            self.cards[int(space) - 1 if space else self.cards.index(card)] = ""


def taken_back(items: list[dict]) -> Iterator[dict]:
    """Return the items that stand."""
    stand: list[dict] = []
    for item in items:
        first = next(iter(item.values()))
        if first == "undo":
            stand.pop()
        elif "result" not in item:
            stand.append(item)
    return iter(stand)


def load(path: Path) -> dict:
    return yaml.load(path.read_text("utf-8"), Loader=yaml.BaseLoader)


OPEN = [path for path in RECORDS if load(path).get("secrecy", "open") == "open"]


def test_there_are_records_to_try_it_on():
    timers = [load(path)["options"].get("timer") for path in OPEN]
    assert len(OPEN) > 4
    assert any(timers)
    assert len(PUBLIC) == 35
    assert len(PRIVATE) == 39


@pytest.mark.parametrize("path", OPEN, ids=lambda path: path.stem)
def test_chance_gives_what_came_up(path: Path) -> None:
    record = load(path)
    players = record["players"]
    table = Table(record["seed"], len(players), int(record["options"].get("timer", 0)))
    setup = record["setup"]
    assert {house: int(value) for house, value in setup["tokens"].items()} == table.tokens
    assert setup["cards"] == table.cards
    assert setup["contracts"] == table.contracts
    kept = {player: table.private[seat] for seat, player in enumerate(players)}
    for item in taken_back(record["turns"]):
        (player, move), *_ = item.items()
        verb, *words = move.split()
        if verb == "keep":
            kept[player] = sorted(kept[player][int(word) - 1] for word in words)
            continue
        if verb == "draw":
            table.draw(words)
        elif verb == "build":
            table.discards += words[:2]
        for name in item.get("contract", "none").split():
            if name != "none":
                table.contracts[table.contracts.index(name)] = ""
        cards, contracts = table.refill()
        assert item.get("refill", "").split() == cards, (item, path)
        assert item.get("refill-contracts", "").split() == contracts, (item, path)
        if table.timer_left:
            turned = table.turn_up_timer()
            assert item["timer"].split() == turned
            table.discards += turned
            if table.timer_left:
                cards, contracts = table.refill()
                assert item.get("timer-refill", "").split() == cards
                assert item.get("timer-refill-contracts", "").split() == contracts
    result = record["turns"][-1]
    revealed = {player: names.split() for player, names in result.get("private", {}).items()}
    assert revealed == (kept if revealed else {})


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_the_fingerprint_is_that_of_the_canonical_form(path: Path) -> None:
    """The records are as the program writes them, so leaving out is all that there is to do."""
    text = path.read_text("utf-8")
    before, _, result = text.partition("\n- result:")
    lines = [
        re.sub(r"\s+# .*", "", line)
        for line in before.splitlines()
        if not line.startswith(("#", "title:"))
    ]
    fingerprint = sha256("\n".join(lines).encode()).hexdigest()[:8]
    assert result.split()[-1] == fingerprint


def rows_of(table: Table) -> str:
    cards = ", ".join(card or "none" for card in table.cards)
    contracts = ", ".join(contract or "none" for contract in table.contracts)
    return f"{{cards: [{cards}], contracts: [{contracts}]}}"


@pytest.mark.parametrize("players", [1, 2, 4])
def test_what_a_scenario_leaves_open_is_dealt_by_its_own_seed(players, porto, tmp_path):
    table = Table("scenario", players, 28 if players == 1 else 0)
    before = rows_of(table)
    card = next(card for card in table.cards if table.cards.count(card) == 1)
    table.draw([card])
    table.refill()
    turned = f"turned: [{', '.join(table.turn_up_timer())}]" if players == 1 else "turned: []"
    (tmp_path / "question.yaml").write_text(
        "porto: 1\n"
        "scenario: What lies there?\n"
        f"players: [{', '.join('ABCD'[:players])}]\n"
        "cases:\n"
        f"- then: {before}\n"
        f"- play: draw {card}\n"
        f"  then: {rows_of(table)}\n"
        f"- play: draw {card}\n"
        f"  then: {{{turned}}}\n",
    )
    result = porto("scenario", "question.yaml")
    assert result.code == 0, result.out
