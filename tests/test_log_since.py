"""The story since a turn: what others did since one's own last turn, or after a turn by number."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import porto_cli
from porto_cli import settings
from porto_cli.match.match import Match
from tests.conftest import ROOT
from tests.documents import validated


@pytest.fixture
def game(porto, tmp_path: Path) -> Path:
    """Ana and Rui have kept and drawn once; it is Ana's turn."""
    match = porto_cli.new_game(["Ana", "Rui"], seed="tram", first="Ana")
    for player in ("Ana", "Rui"):
        match.play("keep 1 2 3", player=player)
        draw(match)
    path = tmp_path / "game.yaml"
    match.save(path)
    return path


def draw(match: Match) -> None:
    match.play(next(move for move in match.legal_moves() if match.text(move).startswith("draw")))


def story(porto, *words: object) -> dict[str, object]:
    return validated("log", porto("log", *words, "--format", "json").out)


def kinds(told) -> list[tuple[str, str]]:
    return [(turn["player"], turn["kind"]) for turn in told["turns"]]


def test_without_a_name_it_is_since_the_last_turn_of_who_is_to_move(porto, game: Path) -> None:
    told = story(porto, game, "--since", "last")
    assert told["since"] == {"player": "Ana", "turn": 1}
    assert kinds(told) == [("Rui", "keep"), ("Rui", "draw")]
    text = porto("log", game, "--since", "last").out
    assert text.startswith("What happened since the last turn of Ana, who is to move:\n")


def test_with_a_name_it_is_since_the_own_last_turn(porto, game: Path, monkeypatch) -> None:
    monkeypatch.setenv(settings.PLAYER, "Rui")
    assert story(porto, game, "--since", "last")["turns"] == []
    text = porto("log", game, "--since", "last").out
    assert text.startswith("Nothing has happened since the last turn of Rui.\n\nAna is to move")
    assert story(porto, game, "--since", "LAST", "--as", "Ana")["since"]["player"] == "Ana"


def test_since_a_turn(porto, game: Path) -> None:
    assert kinds(story(porto, game, "--since", 1)) == [("Rui", "keep"), ("Rui", "draw")]
    assert story(porto, game, "--since", 2)["turns"] == []
    assert story(porto, game, "--since", 0)["turns"] == story(porto, game)["turns"]
    assert porto("log", game, "--since", 1).out.startswith("What happened after turn 1:\n")
    assert "since" not in story(porto, game)


def test_who_has_not_moved_is_told_everything(porto, tmp_path: Path) -> None:
    match = porto_cli.new_game(["Ana", "Rui"], seed="tram", first="Ana")
    match.save(tmp_path / "new.yaml")
    assert porto("log", "new.yaml", "--since", "last").out.startswith("Nothing has happened yet.\n")
    match.play("keep 1 2 3", player="Ana")
    match.save()
    text = porto("log", "new.yaml", "--since", "last", "--as", "Rui").out
    assert text.startswith("Rui has not moved yet. What happened so far:\n")
    assert "Ana has chosen three private contracts." in text


def test_what_was_taken_back_is_told_as_such(porto, game: Path) -> None:
    match = porto_cli.load(game)
    match.undo("Rui")
    match.save()
    told = story(porto, game, "--since", "last", "--as", "Ana")
    assert [turn["undone"] for turn in told["turns"]] == [False, True, False]
    assert "(Taken back.)" in porto("log", game, "--since", 1).out


@pytest.mark.parametrize("turn", ["3", "-1", "first", "", "1.0", "²", "9" * 5000])
def test_a_turn_that_there_is_not(porto, game: Path, turn: str) -> None:
    told = porto("log", game, f"--since={turn}")
    assert (told.code, told.out) == (2, "")
    assert "from 0 to 2, or 'last'" in told.err


def test_as_needs_the_last_turn(porto, game: Path) -> None:
    assert porto("log", game, "--as", "Ana").code == 2
    assert porto("log", game, "--as", "Ana", "--since", 1).code == 2
    assert porto("log", game, "--as", "Zoé", "--since", "last").code == 2


def test_when_it_is_over_somebody_has_to_be_named(porto) -> None:
    over = ROOT / "records/porto/two-players.yaml"
    told = porto("log", over, "--since", "last")
    assert told.code == 2
    assert f"porto log {over} --since last --as Joana" in told.err
    assert "The reckoning" in porto("log", over, "--since", "last", "--as", "Joana").out


@pytest.mark.parametrize("name", ["porto/two-players", "puerto-rico/three-players-guide"])
def test_a_page_opens_at_the_first_turn_since(porto, name: str) -> None:
    record = ROOT / f"records/{name}.yaml"
    whole = porto("log", record, "--format", "html").out
    page = porto("log", record, "--format", "html", "--since", 30).out
    assert re.findall('<article id="(.*?)"', page) == re.findall('<article id="(.*?)"', whole)
    assert "found < 0 ? last : found" in whole
    assert "found < 0 ? 31 : found" in page
    assert porto("log", record, "--format", "html", "--since", 0).out == whole


@pytest.mark.parametrize("name", ["porto/three-players", "puerto-rico/four-players-draft"])
def test_all_since_a_turn_is_the_end_of_all(porto, name: str) -> None:
    record = ROOT / f"records/{name}.yaml"
    whole = story(porto, record)
    count = len(porto_cli.load(record).replay.turns())
    for turn in (1, 10, 40):
        assert porto_cli.load(record).state.turn <= count
        rest = story(porto, record, "--since", turn)["turns"]
        assert whole["turns"][-len(rest) :] == rest
        numbers = [one["turn"] for one in rest if one["turn"] is not None]
        assert numbers[0] == turn + 1


def test_errors_are_json_where_json_is_asked_for(porto, game: Path) -> None:
    told = porto("log", game, "--since", 7, "--format", "json")
    assert json.loads(told.err)["exit"] == 2
