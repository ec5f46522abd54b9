"""What happened since a turn: since one's own last one, or after a turn by its number."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import porto_cli
from porto_cli import user
from porto_cli.core.shell import quoted
from porto_cli.match.items import standing
from porto_cli.match.match import Match
from porto_cli.match.replay import Replay, place_after_last_turn, place_after_turn
from porto_cli.seam import Step
from tests.conftest import ROOT
from tests.documents import validated
from tests.shares import one_in

INES, JOANA = 0, 1


@pytest.fixture
def match() -> Match:
    """Both have kept, and each has drawn once; it is the turn of Inês."""
    match = porto_cli.new_game(["Inês", "Joana"], seed="tram", first="Inês")
    match.play("keep 1 2 3", player=INES)
    draw(match)
    match.play("keep 1 2 3", player=JOANA)
    draw(match)
    return match


def draw(match: Match) -> None:
    match.play(next(move for move in match.legal_moves() if match.text(move).startswith("draw")))


def since_last_turn(match: Match, seat: int) -> tuple[Step, ...]:
    """Return what happened since the last turn of a seat, as it is in the record."""
    return match.steps[place_after_last_turn(match, seat) :]


def listed(match: Match, seat: int) -> list[tuple[str, str]]:
    return [
        (match.players[step.seat], step.entries[0][1].split()[0])
        for step in since_last_turn(match, seat)
    ]


def test_what_others_did_since_my_last_turn(match: Match) -> None:
    assert listed(match, INES) == [("Joana", "keep"), ("Joana", "draw")]
    assert listed(match, JOANA) == []


def test_a_player_who_has_never_moved_gets_everything() -> None:
    match = porto_cli.new_game(["Inês", "Joana"], seed="tram", first="Inês")
    assert listed(match, JOANA) == []
    match.play("keep 1 2 3", player=INES)
    draw(match)
    assert listed(match, JOANA) == [("Inês", "keep"), ("Inês", "draw")]


def test_keeping_contracts_is_no_turn() -> None:
    match = porto_cli.new_game(["Inês", "Joana"], seed="tram", first="Inês")
    match.play("keep 1 2 3", player=INES)
    draw(match)
    match.play("keep 1 2 3", player=JOANA)
    assert listed(match, JOANA) == [("Inês", "keep"), ("Inês", "draw"), ("Joana", "keep")]
    assert listed(match, INES) == [("Joana", "keep")]


def test_an_undone_turn_of_others_is_listed_but_does_not_stand(match: Match) -> None:
    match.undo(JOANA)
    draw(match)
    assert listed(match, INES) == [
        ("Joana", "keep"),
        ("Joana", "draw"),
        ("Joana", "undo"),
        ("Joana", "draw"),
    ]
    kinds = [step.entries[0][1].split()[0] for step in standing(since_last_turn(match, INES))]
    assert kinds == ["keep", "draw"]


def test_a_turn_that_i_took_back_is_not_my_last_one(match: Match) -> None:
    draw(match)
    assert listed(match, INES) == []
    match.undo(INES)
    assert listed(match, INES) == [
        ("Joana", "keep"),
        ("Joana", "draw"),
        ("Inês", "draw"),
        ("Inês", "undo"),
    ]


def test_a_player_who_took_back_the_only_turn_gets_everything() -> None:
    match = porto_cli.new_game(["Inês", "Joana"], seed="tram", first="Inês")
    match.play("keep 1 2 3", player=INES)
    match.undo(INES)
    assert listed(match, INES) == [("Inês", "keep"), ("Inês", "undo")]


def since_turn(replay: Replay, turn: int) -> tuple[Step, ...]:
    return replay.steps[place_after_turn(replay, turn) :]


def test_since_a_turn_by_its_number(match: Match) -> None:
    steps = match.replay.steps
    assert since_turn(match.replay, 0) == steps
    assert since_turn(match.replay, 1) == steps[2:]
    assert since_turn(match.replay, 2) == ()
    with pytest.raises(ValueError, match="no turn 3"):
        since_turn(match.replay, 3)


def test_the_number_of_a_turn_is_that_of_the_one_that_stands(match: Match) -> None:
    match.undo(JOANA)
    draw(match)
    assert since_turn(match.replay, 2) == ()
    assert [step.undone for step in since_turn(match.replay, 1)] == [False, True, False, False]


def test_every_decision_of_puerto_rico_is_a_turn() -> None:
    match = porto_cli.new_game(["Inês", "Joana", "Rui"], game="puerto-rico", seed="tram")
    for _ in range(8):
        match.play(match.legal_moves()[0])
    for number in range(match.state.turn + 1):
        rest = since_turn(match.replay, number)
        assert len(rest) == match.state.turn - number
    seat = match.replay.steps[-2].seat
    if match.replay.steps[-1].seat != seat:
        assert since_last_turn(match, seat) == match.steps[-1:]


# --- what porto log --since prints ------------------------------------------------------------


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


def story(porto, *words: object) -> dict[str, object]:
    return validated("log", porto("log", *words, "--format", "json").out)


def kinds(history) -> list[tuple[str, str]]:
    return [(turn["player"], turn["kind"]) for turn in history["turns"]]


def test_without_a_name_it_is_since_the_last_turn_of_who_is_to_move(porto, game: Path) -> None:
    result = story(porto, game, "--since", "last")
    assert result["since"] == {"player": "Ana", "turn": 1}
    assert kinds(result) == [("Rui", "keep"), ("Rui", "draw")]
    text = porto("log", game, "--since", "last").out
    assert text.startswith("What happened since the last turn of Ana, whose turn it is:\n")


def test_with_a_name_it_is_since_the_own_last_turn(porto, game: Path, monkeypatch) -> None:
    monkeypatch.setenv(user.PLAYER, "Rui")
    assert story(porto, game, "--since", "last")["turns"] == []
    text = porto("log", game, "--since", "last").out
    assert text.startswith("Nothing has happened since the last turn of Rui.\n\nIt is Ana's turn")
    assert story(porto, game, "--since", "LAST", "--as", "Ana")["since"]["player"] == "Ana"


def test_since_a_turn(porto, game: Path) -> None:
    assert kinds(story(porto, game, "--since", 1)) == [("Rui", "keep"), ("Rui", "draw")]
    assert story(porto, game, "--since", 2)["turns"] == []
    assert story(porto, game, "--since", 0)["turns"] == story(porto, game)["turns"]
    assert porto("log", game, "--since", 1).out.startswith("What happened after turn 1:\n")
    assert "since" not in story(porto, game)


def test_a_player_who_has_not_moved_sees_everything(porto, tmp_path: Path) -> None:
    match = porto_cli.new_game(["Ana", "Rui"], seed="tram", first="Ana")
    match.save(tmp_path / "new.yaml")
    text = porto("log", "new.yaml", "--since", "last").out
    assert text.startswith("Nothing has happened so far (Ana has not moved yet).\n")
    match.play("keep 1 2 3", player="Ana")
    match.save()
    text = porto("log", "new.yaml", "--since", "last", "--as", "Rui").out
    assert text.startswith("What happened so far (Rui has not moved yet):\n")
    assert "Ana chose three private contracts." in text


def test_an_undone_turn_is_marked(porto, game: Path) -> None:
    match = porto_cli.load(game)
    match.undo("Rui")
    match.save()
    result = story(porto, game, "--since", "last", "--as", "Ana")
    assert [turn["undone"] for turn in result["turns"]] == [False, True, False]
    assert "(Taken back.)" in porto("log", game, "--since", 1).out


@pytest.mark.parametrize("turn", ["3", "-1", "first", "", "1.0", "²", "9" * 5000])
def test_an_unknown_turn_is_refused(porto, game: Path, turn: str) -> None:
    result = porto("log", game, f"--since={turn}")
    assert (result.code, result.out) == (2, "")
    assert "from 0 to 2, or 'last'" in result.err


def test_as_needs_the_last_turn(porto, game: Path) -> None:
    assert porto("log", game, "--as", "Ana").code == 2
    assert porto("log", game, "--as", "Ana", "--since", 1).code == 2
    assert porto("log", game, "--as", "Zoé", "--since", "last").code == 2


def test_when_it_is_over_somebody_has_to_be_named(porto) -> None:
    over = ROOT / "records/porto/two-players.yaml"
    result = porto("log", over, "--since", "last")
    assert result.code == 2
    assert f"porto log {quoted(str(over))} --since last --as Joana" in result.err
    assert "Final scores" in porto("log", over, "--since", "last", "--as", "Joana").out


@pytest.mark.long
@pytest.mark.parametrize(
    "name", one_in(2, ["porto/two-players", "puerto-rico/three-players-guide"])
)
def test_a_page_opens_at_the_first_turn_since(porto, name: str) -> None:
    record = ROOT / f"records/{name}.yaml"
    whole = porto("log", record, "--format", "html").out
    page = porto("log", record, "--format", "html", "--since", 30).out
    assert re.findall('<article id="(.*?)"', page) == re.findall('<article id="(.*?)"', whole)
    assert "found < 0 ? last : found" in whole
    assert "found < 0 ? 31 : found" in page
    assert porto("log", record, "--format", "html", "--since", 0).out == whole


@pytest.mark.long_for("puerto-rico/four-players-draft")
@pytest.mark.parametrize("name", ["porto/three-players", "puerto-rico/four-players-draft"])
def test_all_since_a_turn_is_the_end_of_all(porto, name: str) -> None:
    record = ROOT / f"records/{name}.yaml"
    whole = story(porto, record)
    for turn in (1, 10, 40):
        rest = story(porto, record, "--since", turn)["turns"]
        assert whole["turns"][-len(rest) :] == rest
        numbers = [one["turn"] for one in rest if one["turn"] is not None]
        assert numbers[0] == turn + 1


def test_errors_are_json_where_json_is_asked_for(porto, game: Path) -> None:
    result = porto("log", game, "--since", 7, "--format", "json")
    assert json.loads(result.err)["exit"] == 2


def test_the_log_of_a_game_that_has_just_begun_says_so(porto, tmp_path) -> None:
    porto("new", tmp_path / "new.yaml", "Ana", "--seed", "tram")
    assert porto("log", tmp_path / "new.yaml").out.startswith("Nothing has happened yet.")
