"""The command that analyzes, with the coach of Porto."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from random import Random

import pytest

import porto_cli
from porto_cli.cli import batch, hint
from porto_cli.games.porto.engine.cards import Draw
from porto_cli.games.porto.players import PLAYERS
from porto_cli.games.porto.players.candidates import worth
from porto_cli.match.match import Match, new_game
from porto_cli.match.replay import Replay
from porto_cli.players import analysis, choose
from porto_cli.players.analysis import Analysis, analysis_of, answer, questions
from porto_cli.seam import OVER
from tests.conftest import ROOT
from tests.documents import validated
from tests.pages import Page
from tests.porto.coaching import ShortSighted
from tests.shares import one_in

FEW = ("--samples", 4, "-j", 1)


def played(turns: int, level: str = "level-3") -> Match:
    """Return a game of two after so many turns, or all of it."""
    return _played(turns, level)


@cache
def _played(turns: int, level: str) -> Replay:
    match, rng = new_game(["Inês", "Joana"], seed="tram", first="Inês"), Random(1)
    while not match.over and match.state.turn < turns:
        seat = match.state.seat
        match.play(choose(PLAYERS[level], match.game, match.state, seat, rng), player=seat)
    return match.replay


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Less effort where no command says how much."""
    monkeypatch.setattr(analysis, "SAMPLES", 4)


@pytest.fixture
def running(porto, tmp_path: Path) -> Path:
    played(8).save(tmp_path / "game.yaml")
    return tmp_path / "game.yaml"


@pytest.fixture
def finished(porto) -> Path:
    return ROOT / "records" / "porto" / "two-players.yaml"


# --- what it says of moves


@pytest.mark.long
def test_a_blunder_gets_two_question_marks_and_the_better_move() -> None:
    """In the last round Inês draws, although a build would score a lot; no card counts anymore."""
    match, rng = new_game(["Inês", "Joana"], seed="port", first="Inês"), Random(1)
    thrown_away = ""
    while not match.over:
        state, seat = match.state, match.state.seat
        move = choose(PLAYERS["level-3"], match.game, state, seat, rng)
        last = state.end_round and state.round > state.end_round
        if last and seat == 0 and worth(state, move) >= 10:
            thrown_away = match.text(move)
            move = next(move for move in match.legal_moves() if isinstance(move, Draw))
        match.play(move, player=seat)
    assert thrown_away
    course = questions(match.replay)
    place = max(nth for nth, asked in enumerate(course.turns) if asked.seat == 0)
    found = [
        # Nobody asks about the other turns.
        answer(one if one.turn == place else one._replace(view=None), 100)
        for one in course.questions
    ]
    turn = analysis_of(course, found)["turns"][place]
    assert turn["mark"] == "??"
    assert turn["better"] == thrown_away
    assert turn["lost"] is not None
    assert turn["lost"] >= 10
    assert "VP now" in turn["why"][0]


@pytest.mark.long
def test_level_4_loses_less_than_level_1() -> None:
    lost = []
    for level in ("level-4", "greedy"):
        course = questions(played(12, level).replay, 0)
        found = analysis_of(course, [answer(one, 24) for one in course.questions])
        lost.append(sum(turn["lost"] or 0 for turn in found["turns"]))
    assert lost[0] < lost[1]


# --- the command


@pytest.mark.long
def test_the_chart_of_a_game_has_as_many_columns_for_each_turn(
    porto, finished: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first ones are of the setup; each fifth turn has its number below it."""
    analysis = json.loads(porto("analyze", finished, *FEW, "--format", "json").out)
    # Two columns for each, and nearly three.
    width = LABEL + 3 * (len(analysis["turns"]) + 1) - 1
    monkeypatch.setenv("COLUMNS", str(width))
    lines = porto("analyze", finished, *FEW).out.splitlines()
    axis = next(line for line in lines if line.startswith("turn "))
    numbers = [turn["turn"] for turn in analysis["turns"]]
    fives = [number for number in numbers if number and number % 5 == 0]
    assert axis.split()[1:] == [str(number) for number in fives]
    chart = lines[lines.index(axis) - 10 : lines.index(axis)]
    assert chart[0].startswith("100%")
    columns = 2
    for number in fives:
        place = LABEL + columns * (numbers.index(number) + 1)
        assert axis[place:].startswith(str(number))
        win = analysis["turns"][numbers.index(number)]["wins"][0]
        filled = [row.ljust(width)[place : place + columns] for row in chart]
        height = sum(part == "█" * columns for part in filled)
        assert height + sum(not part.strip() for part in filled) == len(chart)
        assert abs(height - 10 * win) <= 0.5


LABEL = 5
"""Columns in front of a chart: 100%, 50%, 0%."""


@pytest.mark.long
def test_a_finished_game_as_text(porto, finished: Path, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    result = porto("analyze", finished, *FEW)
    assert (result.code, result.err) == (0, "")
    lines = result.out.splitlines()
    assert max(map(len, lines)) <= 60
    for heading in ("Biggest mistakes", "How they played", "Chance of winning: Joana"):
        assert heading in lines
    assert "All moves" not in lines
    every = porto("analyze", finished, *FEW, "--all")
    assert every.out.count("\n") > result.out.count("\n") + 44


@pytest.mark.outside
def test_the_number_of_workers_makes_no_difference(porto, running: Path) -> None:
    alone = porto("analyze", running, *FEW, "--format", "json")
    together = porto("analyze", running, "--samples", 4, "-j", 2, "--format", "json")
    assert alone == together
    assert porto("analyze", running, "--samples", 5, "-j", 1, "--format", "json") != alone


@pytest.mark.parametrize("name", one_in(8, sorted((ROOT / "records" / "porto").glob("*.yaml"))))
def test_every_record_has_an_analysis(porto, name: Path) -> None:
    result = porto("analyze", name, "--samples", 1, "-j", 1, "--format", "json")
    found = validated("analysis", result.out)
    assert result.code == 0
    assert (found["over"], found["partial"]) == (True, False)
    for turn in found["turns"]:
        assert (turn["lost"] is None) == (turn["error"] is None)
        assert len(turn["luck"]) == len(turn["wins"]) == len(found["players"])
    wins = found["turns"][-1]["wins"]
    winner = porto("score", name, "--format", "json")
    first = json.loads(winner.out)["players"][0]["name"]
    if len(found["players"]) > 1:
        assert wins[found["players"].index(first)] == 1


@pytest.mark.long
def test_who_looks_at_a_running_game_sees_what_they_may_know(porto, running: Path) -> None:
    result = {
        looker: validated(
            "analysis", porto("analyze", running, *FEW, *as_, "--format", "json").out
        )["turns"]
        for looker, as_ in (("", ()), ("Inês", ("--as", "Inês")), ("Joana", ("--as", "joana")))
    }
    keeps = {
        looker: [turn["player"] for turn in turns if turn["turn"] is None]
        for looker, turns in result.items()
    }
    assert keeps == {"": [], "Inês": ["Inês"], "Joana": ["Joana"]}
    text = porto("analyze", running, *FEW).out
    assert "as 'porto hint' shows them" in " ".join(text.split())
    assert "as what is open" not in text
    assert "by what is open" in " ".join(text.split())


def test_of_a_running_solo_game_nothing_is_said_of_others(porto) -> None:
    match = new_game(["Ana"], seed="tram", private_contracts=False)
    match.play(match.legal_moves()[0])
    match.save("solo.yaml")
    text = porto("analyze", "solo.yaml", *FEW).out
    assert "as 'porto hint' shows them." in " ".join(text.split())
    assert "others" not in text


def test_a_game_without_a_coach_is_refused(porto, monkeypatch) -> None:
    monkeypatch.setattr(hint, "coach_of", lambda game_id: None)
    porto("new", "sunday.yaml", "Ana", "Rui", "--game", "puerto-rico", "--seed", "x")
    for command in (
        ("analyze", "sunday.yaml"),
        ("log", "sunday.yaml", "--format", "html", "--analyze"),
    ):
        result = porto(*command)
        assert (result.code, result.out) == (1, "")
        assert "Games of Puerto Rico cannot be analyzed yet" in result.err


def test_where_there_are_no_hints_a_game_is_analyzed_after_its_end(porto, monkeypatch) -> None:
    for module in (analysis, hint):
        monkeypatch.setattr(module, "coach_of", lambda game_id: ShortSighted())
    porto("new", "game.yaml", "Ana", "--seed", "x", "--hints", "none", "-q")
    for command in (("analyze",), ("log", "--format", "html", "--analyze")):
        result = porto(command[0], "game.yaml", *command[1:])
        assert (result.code, result.out) == (1, "")
        assert "without hints" in result.err
    match = porto_cli.load("game.yaml")
    while not match.over:
        match.play(match.legal_moves()[0], player=0)
    match.save("game.yaml")
    assert porto("analyze", "game.yaml", *FEW).code == 0


def test_a_game_that_has_not_begun(porto, quick) -> None:
    porto("new", "game.yaml", "Ana", "Rui", "--seed", "x", "-q")
    assert porto("analyze", "game.yaml", *FEW).code == 0
    assert porto("log", "game.yaml", "--format", "html", "--analyze").code == 0
    found = validated("analysis", porto("analyze", "game.yaml", "--format", "json").out)
    assert found["turns"] == []


def test_in_words_there_is_no_drawing(porto, finished: Path) -> None:
    output = porto("analyze", finished, *FEW, "--plain").out
    assert "█" not in output
    assert "Joana lost" in output


# --- stopped


@contextmanager
def pressed_soon(count: int, what: str) -> Iterator[Callable[[int], None]]:
    def step(done: int) -> None:
        if done == 10:
            raise KeyboardInterrupt

    yield step


@pytest.mark.outside
def test_ctrl_c_leaves_what_is_ready(porto, finished: Path, monkeypatch, quick) -> None:
    monkeypatch.setattr(batch, "progress", pressed_soon)
    whole = ("analyze", finished, *FEW)
    result = porto(*whole)
    assert result.code == 130
    assert result.out.startswith("Stopped: only the first")
    for heading in ("Biggest mistakes", "How they played"):
        assert re.search(rf"^{heading} in the first \d+ turns$", result.out, re.MULTILINE)
    assert re.search(r"Chance of winning: \w+ after turn \d+: \d+%", result.out)
    axis = next(line for line in result.out.splitlines() if line.startswith("turn "))
    assert axis.split()[:4] == ["turn", "1", "2", "3"]
    found = validated("analysis", porto(*whole, "--format", "json").out)
    assert found["partial"]
    assert 0 < len(found["turns"]) <= 10
    page = porto("log", finished, "--format", "html", "--analyze")
    assert page.code == 130
    assert "Stopped: only the first" in Page(page.out).text


@pytest.mark.outside
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("workers", [1, 2])
def test_a_real_ctrl_c_ends_it_soon(finished: Path, workers: int) -> None:
    command = [sys.executable, "-m", "porto_cli", "analyze", str(finished), "-j", str(workers)]
    started = subprocess.Popen(
        [*command, "--samples", "50000"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        text=True,
        start_new_session=True,
    )
    time.sleep(4)
    os.killpg(started.pid, signal.SIGINT)
    out, err = started.communicate(timeout=120)
    assert started.returncode == 130
    assert "Stopped: only the first" in " ".join(out.split())
    assert "Traceback" not in err


# --- the page


@pytest.mark.long
def test_the_page_tells_marks_better_moves_and_chances(porto, finished: Path, quick) -> None:
    plain = porto("log", finished, "--format", "html")
    result = porto("log", finished, "--format", "html", "--analyze")
    assert result.code == 0
    page = Page(result.out)
    assert "How they played" in page.text
    assert ">Chance of winning in %<" in result.out
    assert re.search(r"Lost \d+\.\d VP\.", page.text)
    assert "Better: " in page.text
    before = Page(plain.out)
    for word in ("How they played", "Chance of winning", "Better: ", 'class="judged"'):
        assert word in result.out
        assert word not in plain.out
    assert len(page.text) > len(before.text)


def test_on_the_page_as_well_one_can_say_how_often_is_played_on(
    porto, finished: Path, quick
) -> None:
    page = porto("log", finished, "--format", "html", "--analyze", *FEW[:2])
    assert page.code == 0
    assert f"by playing on from it up to {FEW[1]} times" in Page(page.out).text
    assert "--as NAME" not in Page(page.out).text
    assert porto("log", finished, "--format", "html", *FEW[:2]).code == 2


def test_an_analysis_is_no_part_of_text_and_documents(porto, finished: Path) -> None:
    for form in ("text", "json"):
        result = porto("log", finished, "--format", form, "--analyze")
        assert result.code == 2
        assert "porto analyze" in result.err


@pytest.mark.long
def test_a_page_to_be_passed_on_tells_nothing_by_itself(
    porto, running: Path, monkeypatch, quick
) -> None:
    nobody = porto("log", running, "--format", "html", "--analyze").out
    monkeypatch.setenv("PORTO_PLAYER", "Inês")
    assert porto("log", running, "--format", "html", "--analyze").out == nobody
    own = porto("log", running, "--format", "html", "--analyze", "--as", "Inês").out
    assert "Inês: keep" in Page(own).text
    assert "Inês: keep" not in Page(nobody).text


# --- sealed games


@pytest.mark.long
def test_of_a_sealed_game_is_judged_what_the_keys_know() -> None:
    from tests.sealed_games import BYSTANDER, moved, seen_by, set_up

    text = set_up(2)
    for _ in range(8):
        text = moved(
            text, lambda match: match.play(match.legal_moves()[0], player=match.state.seat)
        )
    own = seen_by(text, "Ana")
    found = judged(own, 0)
    assert [turn["player"] for turn in found["turns"] if turn["turn"] is None] == ["Ana"]
    stranger = judged(porto_cli.loads(text, keys=BYSTANDER), None)
    assert [turn["turn"] for turn in stranger["turns"]] == [
        turn["turn"] for turn in found["turns"] if turn["turn"] is not None
    ]
    assert any(turn["lost"] for turn in stranger["turns"])


def judged(match: Match, looker: int | None) -> Analysis:
    assert match.state.phase != OVER
    course = questions(match.replay, looker)
    return analysis_of(course, [answer(one, 16) for one in course.questions])


@pytest.mark.long
def test_the_biggest_mistakes_are_those_of_people_with_the_round(porto) -> None:
    match = porto_cli.new_game(
        ["Ana", "Rui"], seed="tram", first="Ana", bots={"Rui": "random"}, private_contracts=False
    )
    for _ in range(12):
        porto_cli.play_bots(match)
        match.play(match.legal_moves()[-1], player="Ana")
    porto_cli.play_bots(match)
    match.save("game.yaml")
    text = porto("analyze", "game.yaml", *FEW).out
    assert text.startswith("Your biggest mistakes\n")
    mistakes = re.findall(r"^\d\. (.+?): (\w+)", text, re.MULTILINE)
    assert mistakes
    assert all(re.fullmatch(r"Turn \d+, round \d+", one) for one, _ in mistakes)
    assert {word for _, word in mistakes} <= {"build", "draw", "pass"}, "no names"
    other = porto("analyze", "game.yaml", *FEW, "--all").out.partition("All moves")[2]
    assert re.search(r"\?!? +Rui", other), "the bot made mistakes, too"
