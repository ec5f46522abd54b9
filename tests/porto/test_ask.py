"""A command with parts missing asks for them on a terminal, and names them elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import porto_cli
from porto_cli.cli import ask
from porto_cli.games.porto.engine import CARDS, PRIVATE_NAMES
from porto_cli.games.porto.game import PORTO
from porto_cli.term.prompt import found_by, labeled
from tests.conftest import ROOT
from tests.porto.asking import BACK, Scripted
from tests.porto.test_play import cut

RECORDS = ROOT / "records" / "porto"


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Make it a terminal where somebody answers; returns who does."""

    def answers(*given: Any) -> Scripted:
        asker = Scripted(*given)
        monkeypatch.setattr(ask, "can_ask", lambda: True)
        monkeypatch.setattr(ask, "asker", lambda game: asker)
        return asker

    return answers


def last_entries(path: Path) -> list[tuple[str, str]]:
    return list(porto_cli.load(path).record.items[-1].entries)


@pytest.mark.parametrize(
    ("command", "missing", "proposed"),
    [
        (
            "keep new.yaml --as Inês",
            "three of your five private contracts",
            "keep new.yaml 1 2 3 --as Inês",
        ),
        ("draw two.yaml", "one to three face-up cards", "draw two.yaml green-2"),
        ("build two.yaml", "how many floors", "build two.yaml blue-2 blue-1 R2"),
        (
            "build two.yaml b1",
            "the color card is missing; write blue-2",
            "build two.yaml blue-1 blue-2 R2",
        ),
        (
            "build two.yaml b2 b1",
            "After 'build b2 b1', the house is missing; write one of: R2, ",
            "build two.yaml blue-2 blue-1 R2",
        ),
        ("build two.yaml L3 b2", "There is no card 'L3'", ""),
        (
            "build two.yaml b1 b2 L3 token",
            "the house is missing; write R4.",
            "build two.yaml blue-1 blue-2 L3 token R4",
        ),
        ("contract claim.yaml", "public contracts that", "contract claim.yaml purple+yellow"),
        ("new other.yaml", "Name 1 to 4 players", ""),
    ],
)
def test_without_a_terminal_what_is_missing_is_named_and_how_it_could_go_on(
    porto: Any, tmp_path: Path, command: str, missing: str, proposed: str
) -> None:
    porto("new", "new.yaml", "Inês", "Joana", "--first", "Inês")
    cut("two-players.yaml", 40, tmp_path / "two.yaml")
    match = cut("three-players.yaml", 7, tmp_path / "claim.yaml")
    match.play("build purple-2 yellow-1 L4 token L6")
    match.save()
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    result = porto(*command.split())
    assert (result.code, result.out) == (2, "")
    assert missing in result.err
    if proposed:
        assert f"  porto {proposed}\n" in result.err
        assert porto(*proposed.split(), "--dry-run").code == 0
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.parametrize(
    ("command", "ruling", "proposed"),
    [
        ("draw new.yaml", "P-SETUP-5", "keep new.yaml 1 2 3 --as Inês"),
        ("build claim.yaml red-3", "P-PUBLIC-2", "contract claim.yaml purple+yellow"),
        ("contract two.yaml", "P-PUBLIC-1", "draw two.yaml green-2"),
        ("pass two.yaml", "P-PASS-1", "draw two.yaml green-2"),
    ],
)
def test_what_it_is_not_the_time_for_is_refused_with_what_is_legal_instead(
    porto: Any, tmp_path: Path, command: str, ruling: str, proposed: str
) -> None:
    porto("new", "new.yaml", "Inês", "Joana", "--first", "Inês")
    cut("two-players.yaml", 40, tmp_path / "two.yaml")
    match = cut("three-players.yaml", 7, tmp_path / "claim.yaml")
    match.play("build purple-2 yellow-1 L4 token L6")
    match.save()
    result = porto(*command.split())
    lines = result.err.splitlines()
    refused = lines.pop(lines[0].startswith("It is "))
    assert (result.code, refused.partition(":")[0]) == (1, ruling)
    # Whose turn it is is told unless the refusal says what this player has to do.
    mover = porto_cli.load(tmp_path / command.split()[1]).to_move()[0]
    assert (lines[0] == f"It is {mover}'s turn.") is (mover not in refused)
    assert f"  porto {proposed}\n" in result.err
    assert porto(*proposed.split(), "--dry-run").code == 0


def test_draw(porto: Any, asked: Any, tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    cut("two-players.yaml", 40, path)
    asker = asked("green-2   yellow-1")
    assert porto("draw", path).code == 0
    assert last_entries(path)[0] == ("Joana", "draw green-2 yellow-1")
    assert asker.questions == ["Which cards will you take?"]


@pytest.mark.parametrize("given", [[], ["b2"], ["b2", "b1"]])
def test_build_asks_for_what_was_not_typed(
    porto: Any, asked: Any, tmp_path: Path, given: list[str]
) -> None:
    path = tmp_path / "game.yaml"
    cut("two-players.yaml", 40, path)
    asked(*(["R2", "blue-2   blue-1"][: 1 + (not given)]))
    assert porto("build", path, *given).code == 0
    assert last_entries(path)[0] == ("Joana", "build blue-2 blue-1 R2")


def test_build_asks_for_the_token_and_the_contracts(porto: Any, asked: Any, tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    cut("three-players.yaml", 7, path)
    asker = asked("L6", "purple+yellow")
    assert porto("build", path, "purple-2", "yellow-1", "L4").code == 0
    assert last_entries(path)[:2] == [
        ("Afonso", "build purple-2 yellow-1 L4 token L6"),
        ("contract", "purple+yellow"),
    ]
    assert len(asker.questions) == 2


def test_a_build_that_says_all_asks_nothing(porto: Any, asked: Any, tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    cut("three-players.yaml", 7, path)
    asker = asked()
    words = ["purple-2", "yellow-1", "L4", "--token", "L6", "--contract", "none"]
    assert porto("build", path, *words).code == 0
    assert last_entries(path)[1] == ("contract", "none")
    assert not asker.questions


def test_a_dry_run_does_not_ask_for_contracts(porto: Any, asked: Any, tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    cut("three-players.yaml", 7, path)
    asker = asked()
    words = ["purple-2", "yellow-1", "L4", "--token", "L6", "--dry-run"]
    assert porto("build", path, *words).code == 0
    assert not asker.questions


def test_an_illegal_build_is_refused_and_not_asked_about(
    porto: Any, asked: Any, tmp_path: Path
) -> None:
    path = tmp_path / "game.yaml"
    cut("two-players.yaml", 40, path)
    asker = asked()
    result = porto("build", path, "red-3", "red-2", "L3")
    assert result.code == 1
    assert "P-BUILD-1: " in result.err
    result = porto("build", path, "red-3")
    assert result.code == 1
    assert "the color card is missing, but no color card is possible now" in result.err
    result = porto("build", path, "wood-3")
    assert result.code == 2
    assert "There is no card 'wood-3'" in result.err
    assert not asker.questions


def test_what_is_not_to_be_done_now_is_refused_and_not_asked_about(
    porto: Any, asked: Any, tmp_path: Path
) -> None:
    path = tmp_path / "game.yaml"
    cut("two-players.yaml", 40, path)
    asker = asked()
    for command, ruling in (
        (["contract", path], "P-PUBLIC-1"),
        (["keep", path], "P-SETUP-5"),
        (["draw", path, "--as", "Inês"], "P-SETUP-4"),
        (["build", path, "--as", "Inês"], "P-SETUP-4"),
    ):
        result = porto(*command)
        told = [line.partition(":")[0] for line in result.err.splitlines()]
        assert (result.code, told[told[0].startswith("It is ")]) == (1, ruling)
    assert not asker.questions


def test_contract(porto: Any, asked: Any, tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    match = cut("three-players.yaml", 7, path)
    match.play("build purple-2 yellow-1 L4 token L6")
    match.save()
    asked("none of them")
    assert porto("contract", path).code == 0
    assert last_entries(path)[1] == ("contract", "none")


def test_keep_asks_who_keeps_and_what(porto: Any, asked: Any, tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    porto("new", path, "Inês", "Joana", "Rui", "--first", "Inês", "--seed", "douro")
    asked(None)
    assert porto("keep", path).code == 0
    assert last_entries(path) == [("Inês", "keep 1 2 3")]
    asker = asked("Rui", None)
    assert porto("keep", path).code == 0
    assert last_entries(path) == [("Rui", "keep 1 2 3")]
    assert asker.questions[0] == "Who are you?"
    deal = [PRIVATE_NAMES[card] for card in porto_cli.load(path).state.dealt[2]]
    assert all(name in asker.seen[-1] for name in deal)


def test_what_came_up_on_a_real_table(porto: Any, asked: Any, tmp_path: Path) -> None:
    """What is typed is taken, only the rest is asked for."""
    whole = porto_cli.load(RECORDS / "real-table.yaml").record
    number = next(n for n, item in enumerate(whole.items) if len(item.entries[0][1].split()) == 3)
    (_, move), (_, refill) = whole.items[number].entries
    first, second = refill.split()
    path = tmp_path / "game.yaml"
    cut("real-table.yaml", number, path)
    asker = asked(second)
    assert porto("draw", path, *move.split()[1:], "--refill", first).code == 0
    assert porto_cli.load(path).record.items[number].entries == whole.items[number].entries
    assert len(asker.questions) == 1


@pytest.mark.parametrize(
    ("typed", "found"), [("s", [2]), ("e", [2]), ("p", [0]), ("w", [1]), ("story", [1]), ("l", [])]
)
def test_one_letter_finds_how_a_line_begins_before_words_within_one(
    typed: str, found: list[int]
) -> None:
    choices = [
        labeled("Play again: the same players, a new deal", 0, "1"),
        labeled("Write the story: sunday.html", 1, "2"),
        labeled("Stop: the game is saved in sunday.yaml", 2, ".", "quit exit"),
    ]
    assert found_by(choices, typed) == found


def test_cards_that_come_up_are_found_by_their_short_names() -> None:
    """``p1`` as well as ``b1``."""
    found: dict[str, list[int]] = {}

    class Searched(Scripted):
        def choose(self, question: Any, choices: Any, **more: Any) -> Any:
            assert more["search"]
            for name in CARDS:
                short = f"{name[0]}{name[-1]}"
                found[short] = [choices[nth].value for nth in found_by(choices, short)]
            return choices[0].value

    PORTO.setting_up.asked_chance(Searched(), None)("cards", 0, bytes(range(len(CARDS))))
    assert list(found.values()) == [[card] for card in range(len(CARDS))]


def test_new_asks_who_plays(porto: Any, asked: Any, tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    asked("2", "Inês", "Joana")
    assert porto("new", path, "--first", "joana").code == 0
    assert porto_cli.load(path).players == ("Joana", "Inês")


def test_new_asks_what_lies_on_the_real_table(porto: Any, asked: Any, tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    asker = asked(
        *("1 2 3", "1 2 3 1 2 3 1 2 1 9", "1 2 3 1 2 3 1 2 1 4"),
        *("blue-1 red-9", "b1 r2 g3 y1 p1"),
        *("blue+red", "blue+red, 1-blue-floor green+green red-house"),
    )
    result = porto("new", path, "Inês", "Joana", "--secrecy", "table")
    assert result.code == 0, result.err
    match = porto_cli.load(path)
    assert match.record.secrecy == "table"
    assert list(match.state.ground_tokens[2:7]) == [1, 2, 3, 1, 2]
    assert len(asker.questions) == 7


@pytest.mark.parametrize("command", ["draw", "build", "keep"])
def test_who_backs_out_has_done_nothing(
    porto: Any, asked: Any, tmp_path: Path, command: str
) -> None:
    path = tmp_path / "game.yaml"
    if command == "keep":
        porto("new", path, "Inês", "Joana")
    else:
        cut("two-players.yaml", 40, path)
    before = path.read_text("utf-8")
    asked(BACK)
    result = porto(command, path)
    assert (result.code, result.out, result.err) == (130, "", "Nothing was done.\n")
    assert path.read_text("utf-8") == before
