"""Nobody is said to have signed a step that a stranger has made in the name of that player."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from porto_cli.sealed.forms import to_text
from porto_cli.sealed.steps import Head
from tests.sealed_games import (
    chain_of,
    identity,
    new_journals,
    played,
    set_up,
    signed_game,
    stations,
    steps_of,
    with_steps,
)

pytestmark = pytest.mark.long

OPEN = {"private_contracts": False}
STRANGER = identity("Mallory")
KEY = to_text(STRANGER.public)
HASH = to_text(bytes(32))

FORGED: dict[str, dict[str, object]] = {
    "a turn": {"kind": "turn", "entries": [["Ana", "pass"]]},
    "a turn of another player": {"kind": "turn", "entries": [["Rui", "pass"]]},
    "a turn without entries": {"kind": "turn"},
    "a turn with no entries": {"kind": "turn", "entries": []},
    "a turn with odd entries": {"kind": "turn", "entries": [["Ana"]]},
    "a turn with more": {"kind": "turn", "entries": [["Ana", "pass"]], "also": 1},
    "a turn with a release": {"kind": "turn", "entries": [["Ana", "pass"]], "release": HASH},
    "a turn with no release": {"kind": "turn", "entries": [["Ana", "pass"]], "release": "x"},
    "a commitment": {"kind": "turn", "entries": [["Ana", "keep sealed"]], "commitment": HASH},
    "an undo": {"kind": "turn", "entries": [["Ana", "undo"]]},
    "no kind": {},
    "a kind that is no text": {"kind": 7},
    "an unknown kind": {"kind": "dance"},
    "a second join": {"kind": "join", "key": KEY},
    "a second join of a set-up": {"kind": "join", "setup": {"key": KEY}},
    "a join with no key": {"kind": "join", "key": "x"},
    "a join with nothing": {"kind": "join"},
    "an unlock": {"kind": "unlock", "setup": {}},
    "an unlock with nothing": {"kind": "unlock"},
    "a seed": {"kind": "reveal", "seed": HASH},
    "no seed": {"kind": "reveal"},
    "a vanished player": {"kind": "gone", "without": [1], "entries": [["Ana", "without Rui"]]},
    "nobody vanished": {"kind": "gone", "without": [], "entries": [["Ana", "without "]]},
    "another rule": {
        "kind": "gone", "without": [1], "entries": [["Ana", "without Rui"]], "rule": 9,
    },
}  # fmt: skip


@pytest.fixture(autouse=True)
def _journals() -> None:
    new_journals()


def forged(text: str, content: dict[str, object], by: int = 0) -> str:
    """Return a record with a step at its end that a stranger has signed for a player."""
    step = chain_of(text).head.sign(STRANGER, {"by": by, **content})
    return with_steps(text, [*steps_of(text), step.to_json()])


def accuses(told: str, name: str = "Ana") -> bool:
    """Tell whether a sentence says that a player has signed something that is not good."""
    return bool(
        re.search(rf"signed by {name}|{name} has signed|signature of {name}|by {name}\)", told)
    )


def demand_nobody_is_accused(porto: Callable, text: str, *, joins: bool = False) -> None:
    file = Path("game.yaml")
    file.write_text(text, "utf-8")
    desk = Path("desk")
    desk.mkdir(exist_ok=True)
    commands: list[tuple[str, ...]] = [
        ("show", "game.yaml"),
        ("verify", "game.yaml"),
        ("receive", "game.yaml", "--folder", "desk"),
    ]
    if joins:
        commands.append(("join", "game.yaml", "--as", "Rui"))
    for words in commands:
        told = porto(*words)
        assert told.code != 0, (words, told.out)
        assert "Traceback" not in told.err
        assert not accuses(told.out + told.err), told.out + told.err


@pytest.mark.parametrize("what", FORGED)
def test_in_a_sealed_game(porto, what: str) -> None:
    text = played(set_up(2, 0, **OPEN), 2)
    demand_nobody_is_accused(porto, forged(text, FORGED[what]))


@pytest.mark.parametrize("what", FORGED)
def test_in_a_set_up(porto, what: str) -> None:
    text = stations(3, 0, **OPEN)[0]
    demand_nobody_is_accused(porto, forged(text, FORGED[what]), joins=True)


@pytest.mark.parametrize("what", FORGED)
def test_in_a_signed_game(porto, what: str) -> None:
    text = played(signed_game(), 4)
    demand_nobody_is_accused(porto, forged(text, FORGED[what]))


@pytest.mark.parametrize("what", [what for what in FORGED if what != "a second join"])
def test_of_a_player_who_has_not_joined(porto, what: str) -> None:
    text = forged(stations(3, 0, **OPEN)[0], FORGED[what], by=1)
    file = Path("game.yaml")
    file.write_text(text, "utf-8")
    told = porto("verify", "game.yaml")
    assert told.code == 3
    assert not accuses(told.out + told.err, "Rui")


def test_a_join_that_is_refused_is_nobodys(porto) -> None:
    """It is well signed, with the key that it names itself."""
    texts = stations(3, 0, **OPEN)
    chain, steps = chain_of(texts[1]), steps_of(texts[1])
    setup = {**chain.steps[1].content["setup"], "key": KEY}
    for wrong in ({}, {"tip": chain.steps[0].content["setup"]["tip"]}, {"nonce": "x"}, {"more": 1}):
        content = {"by": 1, "kind": "join", "setup": {**setup, **wrong}}
        step = Head(chain.game, 1, chain.steps[1].previous).sign(STRANGER, content)
        Path("game.yaml").write_text(with_steps(texts[0], [steps[0], step.to_json()]), "utf-8")
        told = porto("verify", "game.yaml")
        assert told.code == (3 if wrong else 0)
        assert not accuses(told.out + told.err, "Rui")


def test_who_has_really_signed_what_cannot_be_is_named(porto) -> None:
    text = played(set_up(2, 0, **OPEN), 2)
    for content in (FORGED["a turn without entries"], FORGED["an unknown kind"]):
        step = chain_of(text).head.sign(identity("Ana"), {"by": 0, **content})
        Path("game.yaml").write_text(with_steps(text, [*steps_of(text), step.to_json()]), "utf-8")
        assert "signed by Ana" in porto("verify", "game.yaml").err
