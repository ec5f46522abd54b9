"""Whole records: a reader that was written from the pages says what the program says."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("porto_cli.sealed.course")

from porto_cli.core import PortoError
from porto_cli.games import game_of
from porto_cli.games.porto.editions import DEFAULT, shipped
from porto_cli.match.match import loads
from tests import sealed_games as games
from tests.second_verifier import page, record
from tests.second_verifier.edwards import RefusedError
from tests.second_verifier.games import accepts, base64_of, raw

pytestmark = pytest.mark.long

#: A box with ten private contracts, as many as two players are dealt: a short proof.
SMALL = shipped(DEFAULT)._replace(
    name="small-box", private={"houses": (1, 2, 5), "mirror": (5,)}, artificial=True
)


def both(text: str, **options: Any) -> tuple[bool, bool]:
    """Whether the pages, and whether the program, allow a record."""

    def config(names: Any) -> Any:
        return game_of("porto").new_config(names, **options)

    return (
        accepts(RefusedError, record.check_record, text, config),
        accepts(PortoError, loads, text, games.FILE, games.BYSTANDER),
    )


OPEN = {"private_contracts": False}


@pytest.fixture(scope="module")
def plain() -> str:
    """A finished game in which nothing but the refills is sealed: it has no proofs."""
    return games.finished(2, **OPEN)


@pytest.fixture(scope="module")
def dealt() -> str:
    """A game after a few turns in which both have kept some of what they were dealt."""
    return games.played(games.stations(2, None, edition=SMALL)[-1], 5)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The proof of a shuffle, which takes seconds, is checked in other tests."""
    monkeypatch.setattr(page, "check_shuffle", lambda *_: None)


def test_a_finished_game_in_which_nothing_is_hidden(plain):
    assert both(plain, **OPEN) == (True, True)


def test_a_game_with_hidden_contracts(dealt):
    assert both(dealt, edition=SMALL) == (True, True)


@pytest.mark.parametrize("players", [2, pytest.param(3, marks=pytest.mark.slow)])
def test_a_finished_game_of_the_real_box(players):
    assert both(games.finished(players)) == (True, True)


def test_at_every_station_after_the_set_up(quick):
    text = games.set_up(3, None)
    assert both(text) == (True, True)
    for _ in range(4):
        text = games.played(text, 1)
        assert both(text) == (True, True)


def given_up(text: str, by: str, *names: str) -> str:
    return games.moved(text, lambda match: match.give_up(*names, player=by), by)


SAID = [
    (("Ana", "Bea", "Eva"), ("Rui", "Bea"), ("Rui", "Eva")),
    (("Ana", "Bea"), ("Rui", "Eva"), ("Ana", "Eva"), ("Rui", "Bea")),
    (("Ana", "Bea"), ("Eva", "Ana"), ("Rui", "Eva"), ("Rui", "Bea"), ("Ana", "Bea", "Eva")),
]


@pytest.mark.parametrize("said", SAID)
def test_who_stays_is_found_from_who_speaks(said):
    text = games.played(games.set_up(4, 0, **OPEN), 2)
    before = games.mover(text)
    for by, *names in said:
        assert games.mover(text) == before
        text = given_up(text, by, *names)
        assert both(text, **OPEN) == (True, True)
    assert games.mover(text) != before
    assert both(games.played(text, 2), **OPEN) == (True, True)


def test_who_makes_a_step_is_not_given_up():
    text = given_up(games.played(games.set_up(3, 0, **OPEN), 1), "Ana", "Rui")
    text = given_up(games.played(text, 1), "Bea", "Rui")
    assert both(text, **OPEN) == (True, True)
    again = games.played(given_up(text, "Ana", "Rui"), 2)
    assert both(again, **OPEN) == (True, True)


def test_the_last_one_plays_against_nobody():
    text = given_up(games.played(games.set_up(2, 0, **OPEN), 4), "Ana", "Rui")
    assert both(text, **OPEN) == (True, True)
    for name in ("Ana", "Rui"):
        step = {"kind": "turn", "entries": [[name, "draw red-1"]]}
        assert both(games.with_step(text, name, step), **OPEN) == (False, False)


def test_an_undo_takes_no_second_value():
    text = games.played(games.set_up(2, 0, **OPEN), 3)
    name = games.mover(text)
    for nth in (-1, -2):
        text = games.moved(
            text, lambda match, nth=nth: match.play(match.legal_moves(name)[nth], player=name), name
        )
        assert both(text, **OPEN) == (True, True)
        if nth == -1:
            text = games.moved(text, lambda match: match.undo(name), name)
            assert both(text, **OPEN) == (True, True)
    assert both(games.played(text, 2), **OPEN) == (True, True)


def test_an_undo_does_not_follow_the_last_turn(plain, quick):
    small = games.played(games.stations(2, None, edition=SMALL)[-1], 999)
    for text, options in ((plain, OPEN), (small, {"edition": SMALL})):
        last = games.unrevealed(text)
        assert both(last, **options) == (True, True)
        assert both(games.taken_back(last), **options) == (False, False)


def test_who_keeps_before_the_turn_of_another_releases_nothing(quick):
    text = games.set_up(3)
    for name in ("Bea", "Ana", "Ana"):
        text = games.moved(
            text,
            lambda match, name=name: match.play(match.legal_moves(name)[-1], player=name),
            name,
        )
    assert "release" not in games.steps_of(text)[6]["content"]
    assert both(games.played(text, 3)) == (True, True)


# Tampering with the human part


def replaced(old: str, new: str) -> Callable[[str], str]:
    def change(text: str) -> str:
        human, machine = games.human(text), games.machine(text)
        assert old in human, human
        return human.replace(old, new, 1) + machine

    return change


def without_item(text: str) -> str:
    lines = games.human(text).splitlines(keepends=True)
    at = next(i for i, line in enumerate(lines) if line.startswith("  refill:"))
    return "".join(lines[:at] + lines[at + 1 :]) + games.machine(text)


def test_the_human_part(plain):
    human = games.human(plain)
    cards = human.split("  cards: [")[1].split("]")[0].split(", ")
    first = human.split("turns:\n- ")[1].split("\n")[0]
    result = human.split("- result: {")[1].split("}")[0]
    for change in (
        replaced("cards: [" + cards[0], "cards: [" + ("red-3" if cards[0] != "red-3" else "red-1")),
        replaced("players: [Ana, Rui]", "players: [Rui, Ana]"),
        replaced(f"- {first}\n", f"- {first}\n- {first}\n"),
        replaced("tie-break: contracts-first", "tie-break: seat-first"),
        replaced(result, result.replace("Ana: ", "Ana: 1")),
        without_item,
    ):
        assert both(change(plain), **OPEN) == (False, False)
    for allowed in (
        replaced("porto: 1", "title: A day\nporto: 1"),
        replaced("turns:", "# x\nturns:"),
    ):
        assert both(allowed(plain), **OPEN) == (True, True)


# Tampering with the machine part


def test_the_machine_part_may_be_broken_in_other_lines(plain):
    lines = [line.strip() for line in games.machine(plain).splitlines()[1:]]
    data = "".join(line for line in lines if not line.startswith("#"))
    for size in (40, 71):
        wrapped = "".join(f"   {data[at : at + size]} \n" for at in range(0, len(data), size))
        assert both(f"{games.human(plain)}seals: |\n{wrapped}", **OPEN) == (True, True)
    windows = plain.replace("\n", "\r\n")
    assert both(windows, **OPEN) == (True, True)


def spelled(old: str, new: str) -> Callable[[str], str]:
    def change(text: str) -> str:
        lines = [line.strip() for line in games.machine(text).splitlines()[1:]]
        data = "".join(line for line in lines if not line.startswith("#"))
        assert old in data, data[:900]
        data = data.replace(old, new, 1)
        wrapped = "".join(f"  {data[at : at + 70]}\n" for at in range(0, len(data), 70))
        return f"{games.human(text)}seals: |\n{wrapped}"

    return change


SPELLINGS = [
    ('"format":1', '"format":1.0'),
    ('"format":1', '"format":01'),
    ('"format":1', '"format":1e0'),
    ('"format":1', '"format":true'),
    ('"format":1', '"format":2'),
    ('"format":1', '"format":1,"format":1'),
    ('"format":1', '"format":1,"zzz":1'),
    ('"players":["Ana","Rui"]', '"players":["Rui","Ana"]'),
    ('"Ana"', '"\\u0041na"'),
    ("\\u0020", "\\u0009"),
    ('{"first":0,', '[]{"first":0,'),
    ('{"first":0,', '{"first":2,'),
    ('{"first":0,', '{"first":"0",'),
    ('{"content"', ',{"content"'),
    ('{"content"', 'null{"content"'),
    ('"by":0', '"by":-0'),
    ('"by":0', '"by":1'),
    ('"height":1', '"height":2'),
    ('"kind":"join"', '"kind":"unlock"'),
    ('"kind":"join"', '"kind":"joins"'),
]


@pytest.mark.parametrize(("old", "new"), SPELLINGS)
def test_spellings(plain, old, new):
    assert both(spelled(old, new)(plain), **OPEN) == (False, False)


def changed(text: str, height: int, change: Callable[[Any], object]) -> str:
    """The record up to a step, without a result, with that step changed and signed again."""
    return games.resigned(text, height, change)


def is_refused(text: str, height: int, change: Callable[[Any], object], **options: Any) -> None:
    """Both refuse a step that is changed and well signed, for itself: the human part fits."""
    unchanged = changed(text, height, lambda content: None)
    for allowed, edit in ((True, lambda content: None), (False, change)):
        tampered = changed(unchanged, height, edit)
        config = lambda names: game_of("porto").new_config(names, **options)  # noqa: E731
        assert accepts(RefusedError, record.play, tampered, config) is allowed
    assert not accepts(PortoError, loads, tampered, games.FILE, games.BYSTANDER)


def turns(text: str) -> list[tuple[int, Any]]:
    """Heights and contents of the turns."""
    steps: list[Any] = games.steps_of(text)
    return [(s["height"], s["content"]) for s in steps if s["content"]["kind"] == "turn"]


def test_releases(plain):
    heights = [height for height, content in turns(plain) if "release" in content]
    third, last = heights[2], heights[-1]
    release = copy.deepcopy(dict(turns(plain))[third]["release"])
    for change in (
        lambda content: content.pop("release"),
        lambda content: content.update(release=base64_of(bytes(32))),
        lambda content: content.update(release=base64_of(raw(content["release"])[:31])),
        lambda content: content.update(release=content["release"].rstrip("=")),
        lambda content: content.update(release=dict(turns(plain))[last]["release"]),
    ):
        is_refused(plain, third, change, **OPEN)
    is_refused(plain, heights[0] - 1, lambda content: content.update(release=release), **OPEN)
    is_refused(plain, last, lambda content: content.update(release=release), **OPEN)


def test_what_a_turn_says(plain):
    # A build could really go on with a contract.
    draws = [
        height for height, content in turns(plain) if content["entries"][0][1].startswith("draw")
    ]
    height = draws[2]
    for change in (
        lambda content: content["entries"].append(["contract", "none"]),
        lambda content: content["entries"].append(["refill", "red-1"]),
        lambda content: content.update(entries=[]),
        lambda content: content.update(entries=[[content["entries"][0][0], "pass"]]),
        lambda content: content.update(entries=[[content["entries"][0][0], "undo"]]),
        lambda content: content.update(entries=[["Eva", content["entries"][0][1]]]),
        lambda content: content.update(commitment=base64_of(bytes(32))),
        lambda content: content.update(kind="reveal"),
        lambda content: content.update(kind="keep"),
        lambda content: content.update(more="x"),
    ):
        is_refused(plain, height, change, **OPEN)


def test_the_seed_at_the_end(plain):
    steps: list[Any] = games.steps_of(plain)
    reveals = [s for s in steps if s["content"]["kind"] == "reveal"]
    assert len(reveals) == 2
    other = reveals[0]["content"]["seed"]
    for change in (
        lambda content: content.update(seed=other),
        lambda content: content.update(seed=base64_of(bytes(32))),
        lambda content: content.pop("seed"),
        lambda content: content.update(entries=[["Ana", "keep palette side side"]]),
    ):
        is_refused(plain, reveals[1]["height"], change, **OPEN)


def test_what_was_kept(dealt, quick):
    height = next(height for height, content in turns(dealt) if "commitment" in content)
    for change in (
        lambda content: content.pop("commitment"),
        lambda content: content.update(commitment=base64_of(bytes(31))),
        lambda content: content.update(commitment=5),
    ):
        is_refused(dealt, height, change, edition=SMALL)


@pytest.fixture(scope="module")
def ended() -> str:
    """A game of the small box to which both seeds belong."""
    text = games.played(games.stations(2, None, edition=SMALL)[-1], 999)
    for name in games.NAMES[:2]:
        if games.seen_by(text, name).cannot_reveal(name) is None:
            text = games.moved(text, lambda match, name=name: match.reveal(name), name)
    return text


def test_what_is_revealed(ended, quick):
    assert both(ended, edition=SMALL) == (True, True)
    steps: list[Any] = games.steps_of(ended)
    last = steps[-1]
    name, text = last["content"]["entries"][0]
    words = text.split()[1:]
    other = next(s for s in steps[:-1] if s["content"]["kind"] == "reveal")["content"]["entries"][0]
    dealt_to_other = other[1].split()[1]
    for kept in (
        sorted([*words[:2], dealt_to_other]),
        words[:2],
        [words[0], words[0], words[1]],
        words[::-1],
    ):
        entries = [[name, " ".join(["keep", *kept])]]
        is_refused(
            ended,
            last["height"],
            lambda content, entries=entries: content.update(entries=entries),
            edition=SMALL,
        )
