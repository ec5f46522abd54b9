"""What the menu promises of a role is what comes when it is taken."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import porto_cli
from porto_cli.core.chance import first_of_pile
from porto_cli.games.puerto_rico.engine import BUILDING_PLACES, GOODS, ROLES
from porto_cli.games.puerto_rico.engine.boards import price
from porto_cli.games.puerto_rico.engine.moves import (
    PASS,
    ColonistsDealt,
    Earned,
    Produced,
    Scored,
    TakeRole,
)
from porto_cli.games.puerto_rico.engine.play import apply, legal_moves
from porto_cli.games.puerto_rico.engine.state import CRAFTSMAN_PHASE, ROLE_PHASE, State
from porto_cli.games.puerto_rico.notation import expand_move, format_move
from porto_cli.games.puerto_rico.phrases import counted
from porto_cli.term import Screen
from porto_cli.term.controls import Menu
from tests.conftest import ROOT
from tests.puerto_rico.asking import answers, offered
from tests.puerto_rico.playing import KINDS, plies
from tests.puerto_rico.tables import table
from tests.shares import one_in

RECORDS = sorted((ROOT / "records" / "puerto-rico").glob("*.yaml"))


class Taken:
    """A role that was taken: what its chooser can do then, and what follows in the whole of it."""

    def __init__(self, before: State, role: int) -> None:
        self.before = before
        self.seat = before.seat
        self.state, self.events = apply(before, TakeRole(role), first_of_pile)
        # No guest moves: the label says what comes as things are.
        while self.state.phase == CRAFTSMAN_PHASE:
            self.state, events = apply(self.state, PASS, first_of_pile)
            self.events += events
        decides = self.state.role == role and self.state.seat == self.seat
        self.can = [format_move(move) for move in legal_moves(self.state)] if decides else []

    def can_do(self, word: str) -> bool:
        return any(move.startswith(word) for move in self.can)

    def brings(self, word: str, kind: type[Any]) -> list[int]:
        """VP or doubloons of each move that begins so, without what follows by itself."""
        moves = (expand_move(move, self.state) for move in self.can if move.startswith(word))
        made = (apply(self.state, move, lambda *_: 0)[1] for move in moves)
        amount = "vp" if kind is Scored else "doubloons"
        return [
            sum(
                getattr(one, amount)
                for one in events
                if isinstance(one, kind) and one.seat == self.seat and not one.auto
            )
            for events in made
        ]

    def of(self, kind: type[Any], reason: str = "") -> list[Any]:
        """The events of a kind before anybody else's decision."""
        return [
            event
            for event in self.events
            if isinstance(event, kind) and reason in (getattr(event, "reason", ""), "")
        ]


def settler(label: str, taken: Taken) -> None:
    if taken.before.players[taken.seat].island_spaces:
        assert ("a quarry" in label) is taken.can_do("take quarry")
        assert ("a plantation" in label) is any(taken.before.row)
    else:
        assert label == "your island is full"


def mayor(label: str, taken: Taken) -> None:
    dealt = taken.of(ColonistsDealt)
    own = sum(one.colonists + one.privilege for one in dealt if one.seat == taken.seat)
    extra = sum(one.privilege for one in dealt if one.seat == taken.seat)
    assert [*map(int, re.findall(r"\d+", label))] == [own, extra][: 1 + bool(extra)]


def builder(label: str, taken: Taken) -> None:
    if not (less := re.search(r"build, (\d)", label)):
        assert not taken.can_do("build")
        return
    usual = [price(taken.before, taken.seat, place) for place in BUILDING_PLACES]
    after = taken.state.copy()
    after.seat = after.chooser = taken.seat
    now = [price(after, taken.seat, place) for place in BUILDING_PLACES]
    assert now == [max(0, cost - int(less[1])) for cost in usual]


def craftsman(label: str, taken: Taken) -> None:
    produced = {event.seat: event.goods for event in taken.of(Produced)}
    own = produced[taken.seat]
    assert ("nobody" in label) is (not any(map(any, produced.values())))
    if not any(own):
        assert "no" in label
        assert not taken.can_do("take")
        return
    barrels, _, extra = label.partition(" + ")
    several = f"{sum(own)} barrels, {sum(map(bool, own))} kinds"
    assert barrels in (several, ", ".join(counted(own, GOODS)))
    one = [event for event in taken.events if type(event).__name__ == "TookGoods"]
    assert bool(extra) is (taken.can_do("take") or bool(one))
    two = any(move.count(" ") == 2 for move in taken.can if move.startswith("take"))
    assert (extra == "2 extra") is two


def trader(label: str, taken: Taken) -> None:
    assert (label == "you have no barrels") is not any(taken.before.players[taken.seat].goods)
    best = re.search(r"(.*) for (\d+) doubloons?$", label)
    assert bool(best) is taken.can_do("sell")
    if best:
        assert taken.can_do(f"sell {best[1]}")
        assert max(taken.brings("sell", Earned)) == int(best[2])


def captain(label: str, taken: Taken) -> None:
    assert (label == "you have no barrels") is not any(taken.before.players[taken.seat].goods)
    # Where there is no choice all is loaded at once.
    loaded = sum(event.vp for event in taken.of(Scored) if event.seat == taken.seat)
    best = re.search(r"load .* for (at least )?(\d+) VP$", label)
    assert bool(best) is bool(taken.can_do("load") or loaded)
    if best:
        gains = taken.brings("load", Scored) or [loaded]
        # More than what is loaded first comes only where the label says so.
        assert int(best[2]) == max(gains) or (best[1] and int(best[2]) < loaded and not taken.can)


def prospector(label: str, taken: Taken) -> None:
    gains = {event.seat: event.doubloons for event in taken.of(Earned, "prospector")}
    assert gains == {taken.seat: int(re.match(r"(\d) doubloon", label)[1])}


PROMISES: dict[str, Callable[[str, Taken], None]] = {
    "settler": settler,
    "mayor": mayor,
    "builder": builder,
    "craftsman": craftsman,
    "trader": trader,
    "captain": captain,
    "prospector": prospector,
}


def kept(state: State) -> Iterator[str]:
    """Check each label at a table; yield what is promised, without numbers."""
    menu = Menu(answers(state), digits=False)
    for at, answer in enumerate(offered(state)):
        # What a lighthouse brings as well, and where a guest goes, can be longer.
        assert len(menu.entry(at, Screen(60))) == 1 or "(" in answer or "guest" in answer
        found = re.fullmatch(
            r"([a-z]+)(-2)?: (.*?)(?: \+(\d+) doubloons?)?(?:,? \d+ doubloons? \(.*\))?", answer
        )
        if not found:
            continue
        role, second, label, on_card = found.groups()
        lying = int(on_card or 0)
        taken = Taken(state, ROLES.index(role + (second or "")))
        assert sum(one.doubloons for one in taken.of(Earned, "role")) == lying
        PROMISES[role](label, taken)
        yield role + ": " + re.sub(r"\d+ [a-z]+(, | and )?|\d", "#", label)


@pytest.mark.long
@pytest.mark.long_for(
    "four-players-draft", "real-table", "three-players-guide", "five-players-random"
)
@pytest.mark.parametrize("record", RECORDS, ids=lambda path: path.stem)
def test_every_role_of_a_record_keeps_what_its_label_promises(record: Path) -> None:
    checked = [
        label
        for step in porto_cli.load(record).replay.steps
        if step.before.phase == ROLE_PHASE
        for label in kept(step.before)
    ]
    assert len(checked) > 50
    assert "craftsman: nobody produces" in checked


@pytest.mark.long_for("(5, 'draft', 'printed')", "(2, 'base', 'printed')", "(4, 'draft', 'guide')")
@pytest.mark.parametrize("kind", one_in(5, KINDS), ids=str)
def test_every_role_of_random_games_keeps_what_its_label_promises(
    kind: tuple[int, str, str],
) -> None:
    rnd = random.Random(f"labels {kind}")
    checked = [
        label
        for ply in plies(kind, rnd)
        if ply.before.phase == ROLE_PHASE
        for label in kept(ply.before)
    ]
    assert len(set(checked)) > 8


def test_labels_at_tables_where_something_is_used_up() -> None:
    """PR-SETTLER-2, PR-SETTLER-3, PR-MAYOR-1, PR-CRAFTSMAN-4, PR-TRADER-2, PR-CAPTAIN-3."""
    state = table(
        3,
        quarries=0,
        row="corn",
        supply=0,
        ship=1,
        a={"island": "corn 2", "colonists": "corn 2", "goods": "corn", "doubloons": 0},
        goods_supply="corn 2",
    )
    found = dict(one.split(": ", 1) for one in offered(state) if ": " in one)
    for _ in kept(state):
        pass
    assert found["settler"] == "a plantation"
    assert found["mayor"] == "1 colonist"
    assert found["craftsman"] == "2 corn"
    assert found["trader"] == "corn for 1 doubloon"


def test_that_nobody_produces_is_told_before_and_after(porto: Any) -> None:
    porto("new", "g.yaml", "Ann", "Bob", "Cy", "--game", "puerto-rico", "--first", "Ann")
    before = porto_cli.load("g.yaml").state
    assert "craftsman: nobody produces" in offered(before)
    told = porto("role", "g.yaml", "craftsman")
    assert told.code == 0
    assert told.out.splitlines()[:2] == ["Ann took the craftsman.", "Nobody produced anything."]
    assert "Nobody produced anything." in porto("log", "g.yaml").out
    assert "Nobody" not in Path("g.yaml").read_text(encoding="utf-8")


def test_what_is_produced_is_told(porto: Any) -> None:
    porto("new", "g.yaml", "Ann", "Bob", "--game", "puerto-rico", "--first", "Ann")
    for words in ("role mayor", "role craftsman"):
        verb, *rest = words.split()
        told = porto(verb, "g.yaml", *rest)
    assert told.code == 0, told.err
    assert " produced " in told.out
    assert "Nobody" not in told.out
