"""What the menu promises of a role is what comes when it is taken."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import porto_cli
from porto_cli.games.puerto_rico.engine.builder import price
from porto_cli.games.puerto_rico.engine.components import BUILDING_PLACES, ROLES
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
from porto_cli.games.puerto_rico.phrases import goods
from tests.conftest import ROOT
from tests.puerto_rico.asking import offered
from tests.puerto_rico.playing import KINDS, plies
from tests.puerto_rico.tables import table
from tests.shares import one_in

RECORDS = sorted((ROOT / "records" / "puerto-rico").glob("*.yaml"))


class Taken:
    """A role that was taken: what its chooser can do then, and what follows in the whole of it."""

    def __init__(self, before: State, role: int) -> None:
        self.before = before
        self.seat = before.seat
        self.state, self.events = apply(before, TakeRole(role), lambda stream, index, pile: 0)
        # No guest moves: the label says what comes as things are.
        while self.state.phase == CRAFTSMAN_PHASE:
            self.state, events = apply(self.state, PASS, lambda stream, index, pile: 0)
            self.events += events
        decides = self.state.role == role and self.state.seat == self.seat
        self.can = [format_move(move) for move in legal_moves(self.state)] if decides else []

    def can_do(self, word: str) -> bool:
        return any(move.startswith(word) for move in self.can)

    def others_do(self, kind: str) -> bool:
        """Whether anybody sells or loads when the chooser passes, if asked at all."""
        for seat in range(self.before.config.seats):
            if seat == self.seat or not any(self.before.players[seat].goods):
                continue
            state = self.before.copy()
            state.seat = seat
            role = {"sell": "trader", "load": "captain"}[kind]
            after, events = apply(state, TakeRole(ROLES.index(role)), lambda stream, index, pile: 0)
            moves = [format_move(move) for move in legal_moves(after)]
            if after.seat == seat and any(move.startswith(kind) for move in moves):
                return True
            if any(type(event).__name__ in ("Sold", "Loaded") for event in events):
                return True
        return False

    def of(self, kind: type[Any], reason: str = "") -> list[Any]:
        """The events of a kind before anybody else's decision."""
        return [
            event
            for event in self.events
            if isinstance(event, kind) and reason in (getattr(event, "reason", ""), "")
        ]


def settler(label: str, taken: Taken) -> None:
    assert ("you may take a quarry" in label) is taken.can_do("take quarry")
    assert ("your island is full" in label) is (not taken.before.players[taken.seat].island_spaces)
    if "full" not in label and "quarry is left" in label:
        assert taken.before.quarries == 0
    if "while they last" not in label and "full" not in label:
        assert sum(taken.before.row) >= taken.before.config.seats


def mayor(label: str, taken: Taken) -> None:
    ship, more = map(int, re.findall(r"\d+", label))
    dealt = taken.of(ColonistsDealt)
    assert ship == sum(event.colonists for event in dealt)
    assert [more] == [event.privilege for event in dealt if event.seat == taken.seat] or not more
    if not label.startswith("only"):
        got = {event.seat for event in dealt if event.colonists}
        assert got == set(range(taken.before.config.seats))


def builder(label: str, taken: Taken) -> None:
    if "your city is full" in label:
        assert not taken.can_do("build")
        return
    less = int(re.search(r"you pay (\d)", label)[1])
    usual = [price(taken.before, taken.seat, place) for place in BUILDING_PLACES]
    after = taken.state.copy()
    after.seat = after.chooser = taken.seat
    now = [price(after, taken.seat, place) for place in BUILDING_PLACES]
    assert now == [max(0, cost - less) for cost in usual]


def craftsman(label: str, taken: Taken) -> None:
    produced = {event.seat: event.goods for event in taken.of(Produced)}
    if "nobody" in label:
        assert not any(map(any, produced.values()))
        assert not taken.can_do("take")
    elif "the others produce" in label:
        assert not any(produced[taken.seat])
        assert any(map(any, produced.values()))
    else:
        assert re.search(f"you {goods(produced[taken.seat])}(;| plus)", label)
        one = [event for event in taken.events if type(event).__name__ == "TookGoods"]
        assert ("plus" in label) is (taken.can_do("take") or bool(one))
        two = any(move.count(" ") == 2 for move in taken.can if move.startswith("take"))
        assert ("two barrels" in label) is two


def trader(label: str, taken: Taken) -> None:
    assert ("you get" in label) is taken.can_do("sell")
    if not taken.can_do("sell"):
        assert ("nobody" in label) is (not taken.others_do("sell"))
        assert ("you have no barrels" not in label) or not any(
            taken.before.players[taken.seat].goods
        )
        return
    sell = next(move for move in taken.can if move.startswith("sell"))
    _, events = apply(taken.state, expand_move(sell, taken.state), lambda *_: 0)
    got = [
        event.doubloons
        for event in events
        if isinstance(event, Earned) and event.reason == "trader"
    ]
    assert got == [int(re.search(r"you get (\d)", label)[1])]


def captain(label: str, taken: Taken) -> None:
    loaded = [event for event in taken.of(Scored, "captain") if event.seat == taken.seat]
    if not taken.can_do("load") and not loaded:
        assert "you get" not in label
        assert ("nobody" in label) is (not taken.others_do("load"))
        assert ("you have no barrels" not in label) or not any(
            taken.before.players[taken.seat].goods
        )
        return
    promised = int(re.search(r"you get (\d) extra VP", label)[1])
    assert ("if you load" in label) is ("pass" in taken.can)
    if not loaded:
        load = next(move for move in taken.can if move.startswith("load"))
        _, events = apply(taken.state, expand_move(load, taken.state), lambda *_: 0)
        loaded = [one for one in events if isinstance(one, Scored) and one.reason == "captain"]
    assert [event.vp for event in loaded] == [promised]


def prospector(label: str, taken: Taken) -> None:
    gains = {event.seat: event.doubloons for event in taken.of(Earned, "prospector")}
    assert gains == {taken.seat: int(re.search(r"you get (\d)", label)[1])}


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
    for answer in offered(state):
        found = re.fullmatch(
            r"([a-z]+)(-2)?: (.*?)(?: (\d+) doubloons? on it)?(?:,? \d+ doubloons? \(.*\))?", answer
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
    assert "craftsman: nobody produces anything now" in checked


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
    assert len(set(checked)) > 10


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
    assert found["settler"] == "tiles while they last; no quarry is left"
    assert found["mayor"] == "only 1 colonist for all to share, 0 extra for you"
    assert found["craftsman"] == "all produce, you 2 corn; no extra barrel is left"
    assert found["trader"] == "all may sell; you get 1 extra doubloon"


def test_that_nobody_produces_is_told_before_and_after(porto: Any) -> None:
    porto("new", "g.yaml", "Ann", "Bob", "Cy", "--game", "puerto-rico", "--first", "Ann")
    before = porto_cli.load("g.yaml").state
    assert "craftsman: nobody produces anything now" in offered(before)
    told = porto("role", "g.yaml", "craftsman")
    assert told.code == 0
    assert told.out.splitlines()[:2] == ["Ann takes the craftsman.", "Nobody produces anything."]
    assert "Nobody produces anything." in porto("log", "g.yaml").out
    assert "Nobody" not in Path("g.yaml").read_text(encoding="utf-8")


def test_what_is_produced_is_told(porto: Any) -> None:
    porto("new", "g.yaml", "Ann", "Bob", "--game", "puerto-rico", "--first", "Ann")
    for words in ("role mayor", "role craftsman"):
        verb, *rest = words.split()
        told = porto(verb, "g.yaml", *rest)
    assert told.code == 0, told.err
    assert "Produced" in told.out or "produces" in told.out
    assert "Nobody" not in told.out
