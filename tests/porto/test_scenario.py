"""Scenarios: what a case demands, how it fails, and the command that runs them."""

from __future__ import annotations

import contextlib
import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

import porto_cli
from porto_cli.core.yaml import InvalidFileError, read
from porto_cli.games.porto.engine import PRIVATE_NAMES
from porto_cli.games.porto.engine.play import violations
from porto_cli.games.porto.engine.state import ACT, KEEP
from porto_cli.scenario import Result, run, scenario_of_text, scenario_text
from tests.conformance.test_casebook import files_of
from tests.shares import for_each

HEAD = """porto: 1
scenario: May I?
players: [Inês, Joana]
position:
  houses: {L4: blue 2}
  ground-tokens: {L6: 2}
  hands: {Inês: [red-2, blue-1]}
  cards: [red-1, green-1, red-1, blue-3, blue-3]
  contracts: [1-red-floor, blue-house, green+red, blue+blue]
  comes-up: [purple-1, purple-2]
cases:
"""


def results(cases: str, head: str = HEAD) -> list[Result]:
    return [run(case) for case in scenario_of_text(head + cases, "file.yaml").cases]


def result(case: str, head: str = HEAD) -> Result:
    (only,) = results(case, head)
    return only


PASSING = [
    "- play: draw red-1 green-1\n  then: {cards: [purple-1, purple-2, red-1, blue-3, blue-3]}",
    "- play: draw b3",
    "- play: [draw red-1 green-1, draw purple-1 purple-2]\n  then: {round: 2, to-move: Inês}",
    "- play: {Inês: draw red-1}",
    "- play: build red-2 blue-1 L4\n  scores: {floors: 4}",
    "- play: build blue-1 red-2 L5\n  scores: {floors: 1, neighbors: 1}\n"
    "  then: {phase: contracts}",
    "- play:\n  - build blue-1 red-2 L5\n  - contract 1-red-floor\n"
    "  scores: {floors: 1, neighbors: 1, 1-red-floor: 3, total: 5}\n"
    "  then: {scores: {Inês: 5}, fulfilled: {Inês: 1}, contracts-gone: [1-red-floor]}",
    "- play: build blue-1 red-2 L6 token R1\n"
    "  then: {roof-tokens: {R1: 2, L6: none}, ground-tokens: {L6: none}, houses: {L6: red 1}}",
    "- refuse: draw red-1 blue-3\n  because: [P-DRAW-1]",
    "- refuse: build red-2 blue-1 L5\n  because: [P-BUILD-5]",
    "- refuse: build red-3 red-2 L4\n  because: [P-BUILD-1, P-BUILD-4]",
    "- refuse: {Joana: draw red-1}\n  because: [P-SETUP-4]",
    "- play: draw red-1\n  refuse: {Inês: draw red-1}\n  because: [P-SETUP-4]",
    "- unreadable: build red-2 L4",
    "- legal-count: 41",
    "- if: {hands: {Inês: []}}\n"
    "  legal: [draw red-1, draw green-1, draw red-1 green-1, draw red-1 red-1, draw b3, "
    "draw red-1@3 green-1 red-1]",
    "- if: {scores: {Inês: 60, Joana: 60}, fulfilled: {Joana: 1}}\n"
    "  reckon: {Inês: {total: 60, place: 2}, Joana: {place: 1}}",
    "- if: {private: {Inês: [houses-blue]}, houses: {L4: blue complete}}\n"
    "  reckon: {Inês: {houses-blue: 1, total: 1}}",
    "- then: {houses: {L4: blue 2, L5: none}, deck: 43, roofs: 0, ground-floors: {blue: 2}}",
]


@for_each("case", PASSING)
def test_a_case_passes(case: str) -> None:
    assert result(case).differences == ()


# A case that fails, what was asked, what should be, what is.
FAILING = [
    ("- play: draw blue-3 red-1", "play draw blue-3 red-1", "it is legal", "P-DRAW-1: "),
    ("- play: build red-2 blue-1 L4\n  scores: {floors: 3}", "scores floors", "3", "4"),
    ("- play: build red-2 blue-1 L4\n  scores: {}", "scores floors", "0", "4"),
    ("- play: build red-2 blue-1 L4\n  scores: {total: 5}", "scores total", "5", "4"),
    (
        "- play: build red-2 blue-1 L4\n  scores: {floors: 4, roof-token: 1}",
        "scores roof-token",
        "1",
        "0",
    ),
    ("- play: draw b3\n  then: {hands: {Inês: [b3]}}", "hands Inês", "[blue-3]", "[blue-1, "),
    ("- play: draw b3\n  then: {to-move: Inês}", "to-move", "Inês", "Joana"),
    ("- play: draw b3\n  then: {houses: {L5: red 1}}", "houses L5", "red 1", "none"),
    ("- play: draw b3\n  then: {deck: 43}", "deck", "43", "42"),
    (
        "- refuse: build red-2 blue-1 L4\n  because: [P-BUILD-2]",
        "refuse build red-2 blue-1 L4",
        "P-BUILD-2",
        "it is legal",
    ),
    (
        "- refuse: build red-3 red-2 L4\n  because: [P-BUILD-4]",
        "refuse build red-3 red-2 L4",
        "P-BUILD-4",
        "P-BUILD-1 P-BUILD-4",
    ),
    ("- unreadable: draw red-1", "unreadable draw red-1", "no move at all", "a move"),
    ("- legal-count: 3", "legal-count", "3", "41"),
    ("- legal: [draw red-1]\n  if: {hands: {Inês: []}}", "legal, but not listed", "none", "draw b"),
    ("- legal: [draw blue-3 red-1]", "listed, but not legal", "none", "draw red-1 blue-3"),
    ("- reckon: {Inês: {side: 5}}", "reckon Inês side", "5", "not kept"),
    ("- reckon: {Inês: {place: 1}}", "reckon Inês place", "1", "2"),
]


@for_each(("case", "what", "expected", "actual"), FAILING)
def test_a_case_fails_and_says_why(case: str, what: str, expected: str, actual: str) -> None:
    differences = result(case).differences
    found = {difference.what: difference for difference in differences}
    assert what in found, differences
    assert found[what].expected == expected
    assert found[what].actual.startswith(actual)


# A file that is no scenario: its cases, the line of the mistake, and the message.
MISTAKES = [
    ("- play: draw blue-4", 12, "There is no card 'blue-4'"),
    ("- refuse: draw blue-4\n  because: [P-DRAW-1]", 12, "There is no card 'blue-4'"),
    ("- play: undo", 12, "Undo is not a move of the rules"),
    ("- title: Only a title", 12, "A case has one of the keys play, scores"),
    (
        "- refuse: draw blue-3",
        12,
        "'refuse' and 'because' go together",
    ),
    ("- refuse: draw blue-3\n  because: [P-DRAW-9]", 13, "There is no ruling 'P-DRAW-9'"),
    ("- play: draw blue-3\n  cites: [DRAW]", 13, "There is no ruling 'DRAW'"),
    ("- play: {Afonso: draw blue-3}", 12, "There is no player 'Afonso'"),
    ("- plays: draw blue-3", 12, "The key 'plays' is unknown here"),
    ("- play: draw blue-3\n  scores: {luck: 3}", 13, "'luck' is not a reason to score"),
    ("- play: draw blue-3\n  then: {comes-up: [red-1]}", 13, "'comes-up' is unknown here"),
    ("- if: {houses: {L4: blue 9}}\n  legal-count: 1", 12, "L4 has room for 5 floors"),
    ("- turn: 3\n  legal-count: 1", 12, "Only a scenario with a 'record' has turns to name."),
    ("- play: draw b3\n  if: {comes-up: [red-3, red-3, red-3]}", 13, "More red-3 come up (3)"),
    ("  []", 12, "There should be at least one case."),
]


@for_each(("case", "line", "message"), MISTAKES)
def test_a_mistake_in_a_file_is_shown_where_it_stands(case: str, line: int, message: str) -> None:
    with pytest.raises(InvalidFileError) as caught:
        results(case)
    assert message in str(caught.value)
    assert caught.value.place.line == line


def test_what_comes_up_has_to_be_there_when_it_does() -> None:
    head = HEAD.replace("comes-up: [purple-1, purple-2]", "deck: 0\n  comes-up: [red-2, red-2]")
    head = head.replace("[red-2, blue-1]", "[red-2, red-2, red-2, blue-1]")
    with pytest.raises(InvalidFileError) as caught:
        result("- play: draw red-1 green-1", head)
    assert "red-2 cannot come up when draw red-1 green-1 is played" in str(caught.value)
    assert caught.value.place.line == 11


def test_an_artificial_file_may_hold_what_cannot_be() -> None:
    head = HEAD.replace("players:", "artificial: true\nplayers:")
    assert result("- if: {houses: {L5: blue 2}}\n  then: {houses: {L5: blue 2}}", head).passed


def test_changes_of_a_case_leave_the_other_cases_alone() -> None:
    first, second = results(
        "- if: {houses: {L4: none, L5: blue 1}}\n  then: {houses: {L4: none, L5: blue 1}}\n"
        "- then: {houses: {L4: blue 2, L5: none}}"
    )
    assert first.passed
    assert second.passed


RECORD = """porto: 1
rules: 1
title: At a real table
players: [Inês, Joana]
options: {private-contracts: false}
secrecy: table
setup:
  tokens: {L3: 1, L4: 1, L5: 1, L6: 1, L7: 1, R1: 2, R2: 2, R3: 2, R4: 2, R5: 3}
  cards: [blue-1, red-2, blue-3, green-1, green-1]
  contracts: [1-blue-floor, blue+red, green-house, 1-red-floor]
turns:
- Inês: draw blue-1 red-2
  refill: yellow-1 yellow-1
- Joana: draw blue-3
  refill: red-3
- Inês: build blue-1 red-2 L4 token L4
  contract: 1-red-floor
  refill-contracts: 2-red-floors
- Joana: draw red-3
  refill: purple-1
- Joana: undo
"""
ASKED = """cases:
- turn: 0
  then: {cards: [blue-1, red-2, blue-3, green-1, green-1], deck: 45}
- turn: 2
  then: {cards: [yellow-1, yellow-1, red-3, green-1, green-1], to-move: Inês}
- turn: 3
  then: {scores: {Inês: 5}, roof-tokens: {L4: 1}}
- then: {scores: {Inês: 5}, hands: {Joana: [blue-3]}, to-move: Joana}
- refuse: {Inês: undo}
  because: [R-UNDO]
- refuse: draw red-3 green-1
  because: [P-DRAW-1]
"""


def test_a_whole_record_can_be_asked_after_each_turn(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(RECORD, "utf-8")
    head = "porto: 1\nscenario: A game\nrecord: game.yaml\n"
    file = str(tmp_path / "asked.yaml")
    found = [run(case) for case in scenario_of_text(head + ASKED, file).cases]
    assert [one.differences for one in found] == [()] * 6


def test_a_record_can_stand_in_the_scenario_itself() -> None:
    inside = "\n  ".join(RECORD.splitlines())
    head = f"porto: 1\nscenario: A game\nrecord:\n  {inside}\n"
    assert all(one.passed for one in results(ASKED, head))
    with pytest.raises(InvalidFileError) as caught:
        results("cases:\n- turn: 4\n  legal-count: 1\n", head)
    assert "There is no turn 4" in str(caught.value)


def test_the_middle_of_a_turn_becomes_a_scenario() -> None:
    match = porto_cli.new_game(["Inês", "Joana"], seed="middle", private_contracts=False)
    while match.state.phase != "contracts":
        builds = [move for move in match.legal_moves() if match.text(move).startswith("build")]
        match.play((builds or match.legal_moves())[0], player=match.state.seat)
    text = scenario_text(match.replay)
    assert "built: build " in text
    (case,) = scenario_of_text(text, "middle.yaml").cases
    assert run(case).passed


def test_before_keeping_a_scenario_asks_for_what_comes_after_it() -> None:
    """The deal is secret, so the table is the one on which the first turn is played."""
    match = porto_cli.new_game(["Inês", "Joana"], seed="keep")
    assert match.state.phase == KEEP
    text = scenario_text(match.replay)
    (case,) = scenario_of_text(text, "excerpt.yaml").cases
    first = match.state.config.players[0]
    match.play("keep 1 2 3", player=first)
    assert case.start.state.phase == ACT
    assert text.endswith(f"- legal-count: {len(match.legal_moves())}\n")


def test_no_private_contract_is_written_into_a_scenario() -> None:
    match = porto_cli.new_game(["Inês", "Joana"], seed="secret")
    for player in ("Inês", "Joana"):
        match.play("keep 1 2 3", player=player)
    kept = [PRIVATE_NAMES[one] for kept in match.state.kept for one in kept]
    text = scenario_text(match.replay)
    assert len(kept) == 6
    assert not any(name in text for name in kept)
    assert "secret" not in text


# The command ----------------------------------------------------------------------------------


@pytest.fixture
def asked(porto, tmp_path: Path):
    """Write a scenario file and run the command on it."""

    def ask(cases: str, *args: object):
        (tmp_path / "asked.yaml").write_text(HEAD + cases, "utf-8")
        return porto("scenario", "asked.yaml", *args)

    return ask


GOOD = "- play: draw b3\n- title: Two threes?\n  refuse: draw b3 b3\n  because: [P-DRAW-1]\n"
BAD = "- play: build red-2 blue-1 L4\n  scores: {floors: 3}\n"


def test_a_few_cases_are_answered_and_0_where_all_pass(asked) -> None:
    result = asked(GOOD)
    assert result.code == 0
    assert result.err == ""
    assert result.out.splitlines() == [
        "asked.yaml  May I?",
        "  allowed  play draw b3",
        "           Inês drew blue-3. New face-up cards: purple-1.",
        "  refused  Two threes?",
        "           draw b3 b3",
        "           P-DRAW-1: A draw may add up to at most 3; these cards add up to 6.",
        "",
        "Rulings: P-DRAW-1",
        "To read one: porto rules P-DRAW-1",
        "",
        "All 2 cases passed.",
    ]


def test_many_cases_have_one_line_each(asked) -> None:
    result = asked(GOOD * 13)
    assert result.code == 0
    assert result.out.splitlines() == [
        "asked.yaml  May I?",
        *["  ok    play draw b3", "  ok    Two threes?"] * 13,
        "",
        "All 26 cases passed.",
    ]


def test_a_question_about_a_ruling_begins_with_the_ruling(porto) -> None:
    result = porto("scenario", "-k", "P-PASS-1")
    assert "\n  refused  I do not like any of the cards\n           pass\n" in result.out
    assert "\n           P-PASS-1: Inês may pass only if nothing else is legal; " in result.out
    assert "\n  allowed  I cannot build with one card, but I can draw\n" in result.out
    assert "\n           Legal: pass.\n" in result.out
    ruling = "P-PASS-1  Passing, only if nothing else is legal\n  A turn is a draw or a build."
    assert result.out.startswith(ruling)
    assert "draw blue-3" in porto("scenario", "-k", "P-PASS-1", "--explain").out
    assert "0). The game is over. P-END-1: " in porto("scenario", "-k", "P-END-1").out


def test_a_failing_case_shows_what_should_be_and_what_is_and_ends_with_1(asked) -> None:
    result = asked(GOOD + BAD)
    assert result.code == 1
    lines = result.out.splitlines()
    assert "  FAIL     play build red-2 blue-1 L4" in lines
    assert "           scores floors: expected 3, got 4" in lines
    assert lines[-1] == "1 of 3 cases failed."


def test_of_many_cases_those_that_failed_are_named_at_the_end(asked) -> None:
    lines = asked(GOOD * 13 + BAD).out.splitlines()
    assert lines[-3] == "Failed:"
    assert re.fullmatch(r"  asked.yaml, line \d+: May I\?", lines[-2])
    assert lines[-1] == "1 of 27 cases failed."


def test_a_mistake_in_a_file_ends_with_3_and_the_other_files_still_run(
    porto, tmp_path: Path
) -> None:
    (tmp_path / "a.yaml").write_text(HEAD + "- play: draw blue-9\n", "utf-8")
    (tmp_path / "b.yaml").write_text(HEAD + GOOD, "utf-8")
    result = porto("scenario", ".")
    assert result.code == 3
    assert result.err.startswith("a.yaml:12:9: There is no card 'blue-9'")
    assert "  refused  Two threes?" in result.out
    assert result.out.splitlines()[-1] == "None of 3 cases failed; 1 is invalid."


def test_a_mistake_in_a_case_does_not_keep_the_others_from_running(asked) -> None:
    wrong = "- play: draw blue-9\n- paly: draw b3\n"
    result = asked(GOOD + wrong + BAD)
    assert result.code == 3
    marks = [line.split()[0] for line in result.out.splitlines() if re.match("  \\S", line)]
    assert marks == ["allowed", "refused", "FAIL"]
    assert [line.split(": ")[0] for line in result.err.splitlines()] == [
        "asked.yaml:16:9",
        "asked.yaml:17:3",
    ]
    assert result.out.splitlines()[-1] == "1 of 5 cases failed; 2 are invalid."


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        (["nowhere.yaml"], 4, "There is no scenario file or folder nowhere.yaml."),
        (["-k", "zebra"], 2, "No case has 'zebra' in its title or among its rulings; try one word"),
        (["--turn", "3"], 2, "--turn belongs to --from"),
        (["--from", "x.yaml", "-k", "y"], 2, "--from runs no scenario"),
    ],
)
def test_wrong_usage_is_reported(porto, args: list[str], code: int, message: str) -> None:
    result = porto("scenario", *args)
    assert result.code == code
    assert message in result.err


@pytest.mark.parametrize("path", ["porto/03-build", "03-build", "porto/03-build/01-two-cards.yaml"])
def test_shipped_scenarios_can_be_named_as_they_are_printed(porto, path: str) -> None:
    result = porto("scenario", path, "-v")
    assert result.code == 0
    assert result.out.startswith("porto/03-build/")


def test_a_name_that_both_games_have_means_the_files_of_both(porto) -> None:
    out = porto("scenario", "01-setup").out
    assert "\nporto/01-setup/" in f"\n{out}"
    assert "\npuerto-rico/01-setup/" in out


@pytest.mark.parametrize("only", ["two THREES", "P-DRAW-1", "p-draw-1"])
def test_cases_are_chosen_by_title_or_ruling(asked, only: str) -> None:
    result = asked(GOOD, "-k", only)
    assert result.code == 0
    assert result.out.splitlines()[-1] == "1 case passed."


def test_explain_shows_tables_story_and_ruling(asked) -> None:
    cases = "- play: build red-2 blue-1 L4\n  why: Both floors fit.\n  cites: [P-SCORE-1]\n"
    result = asked(cases, "--explain")
    assert result.code == 0
    out = " ".join(result.out.split())
    assert "Both floors fit." in out
    assert out.index("Before") < out.index("Inês played red-2 and blue-1") < out.index("After")
    assert porto_cli.installed.ruling("P-SCORE-1").text[:40] in out
    assert "\x1b" not in result.out


def test_json_for_programs(asked) -> None:
    result = asked(GOOD + BAD, "--format", "json")
    assert result.code == 1
    report = json.loads(result.out)
    assert (report["cases"], report["failed"]) == (3, 1)
    (file,) = report["files"]
    assert [case["passed"] for case in file["cases"]] == [True, True, False]
    assert file["cases"][1] == {
        "line": 13,
        "title": "Two threes?",
        "asks": "refuse draw b3 b3",
        "cites": ["P-DRAW-1"],
        "passed": True,
        "differences": [],
    }
    assert {"what": "scores floors", "expected": "3", "actual": "4"} in file["cases"][2][
        "differences"
    ]


def test_junit_for_build_servers(asked, tmp_path: Path) -> None:
    result = asked(GOOD + BAD, "--format", "junit", "-o", "report.xml")
    assert (result.code, result.out) == (1, "")
    root = ElementTree.parse(tmp_path / "report.xml").getroot()
    (suite,) = root
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("3", "1", "0")
    assert [len(case) for case in suite] == [0, 0, 1]
    assert "scores floors: expected 3, got 4" in (suite[2][0].text or "")


def test_a_turn_of_a_game_becomes_a_file_that_runs(porto, tmp_path: Path) -> None:
    assert porto("new", "game.yaml", "Inês", "Joana", "--seed", "x", "--first-game").code == 0
    match = porto_cli.load(tmp_path / "game.yaml")
    for _ in range(6):
        match.play(match.legal_moves()[-1], player=match.state.seat)
    match.save()
    assert porto("scenario", "--from", "game.yaml", "--turn", 4, "-o", "argument.yaml").code == 0
    assert porto("scenario", "argument.yaml").code == 0
    again = porto("scenario", "--from", "game.yaml", "--turn", 4, "-o", "argument.yaml")
    assert again.code == 4
    shown = porto("scenario", "--from", "game.yaml")
    assert shown.code == 0
    assert "legal-count: " in shown.out
    assert porto("scenario", "--from", "game.yaml", "--turn", 99).code == 2


def test_refusals_are_checked_as_the_engine_checks_them() -> None:
    refused = result("- refuse: draw red-1 blue-3\n  because: [P-DRAW-1]")
    start = refused.case.start.state
    move = porto_cli.games.porto.notation.parse_move("draw red-1 blue-3", start)
    assert refused.remarks == tuple(map(str, violations(start, move)))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("game: chess", "does not know the game 'chess'; it plays porto"),
        ("options: {buildings: draft}", "'buildings' is unknown"),
        ("game: porto", ""),
    ],
)
def test_a_file_says_which_game_it_is(line: str, words: str) -> None:
    text = HEAD.replace("players:", f"{line}\nplayers:") + "- legal-count: 1\n"
    if words:
        with pytest.raises(InvalidFileError, match=words):
            scenario_of_text(text, "file.yaml")
    else:
        assert scenario_of_text(text, "file.yaml").cases


def test_a_record_says_itself_which_game_it_is() -> None:
    text = "porto: 1\nscenario: x\ngame: porto\nrecord: x.yaml\ncases: [{legal-count: 1}]\n"
    with pytest.raises(InvalidFileError, match="has no 'game': the record has it"):
        scenario_of_text(text, "file.yaml")


def test_a_case_has_no_key_of_another_game() -> None:
    with pytest.raises(InvalidFileError, match="'earns' is unknown here"):
        scenario_of_text(f"{HEAD}- earns: {{}}\n", "file.yaml")


# -- Which record a scenario may name

_NAMES = "porto: 1\nscenario: A game\nrecord: {name}\n"


@pytest.mark.parametrize("name", ["game.yaml", "games/game.yaml", "games/../game.yaml"])
def test_a_scenario_may_name_a_record_in_its_folder_or_below(porto, name: str) -> None:
    folder = Path("scenarios", "games")
    folder.mkdir(parents=True)
    (folder.parent / name).write_text(RECORD, "utf-8")
    Path("scenarios", "case.yaml").write_text(_NAMES.format(name=name) + ASKED, "utf-8")
    assert porto("scenario", "scenarios/case.yaml").code == 0
    assert porto("scenario", Path("scenarios/case.yaml").absolute()).code == 0
    with contextlib.chdir("scenarios"):
        assert porto("scenario", "case.yaml").code == 0


@pytest.mark.parametrize("name", ["../private.yaml", "{here}/private.yaml", "link.yaml", "in/x"])
def test_a_record_elsewhere_is_refused_without_quoting_it(porto, tmp_path: Path, name: str) -> None:
    """Whoever runs a scenario of somebody else shows nothing of the own files by that."""
    Path("private.yaml").write_text("secret: of mine\n", "utf-8")
    folder = Path("scenarios")
    folder.mkdir()
    (folder / "link.yaml").symlink_to("../private.yaml")
    (folder / "in").symlink_to("..")
    name = name.format(here=tmp_path).replace("in/x", "in/private.yaml")
    (folder / "case.yaml").write_text(_NAMES.format(name=name) + ASKED, "utf-8")
    done = porto("scenario", folder / "case.yaml")
    assert done.code == 3
    assert "scenarios/case.yaml:3:9: " in done.err + done.out
    assert "folder of the scenario or below it" in done.err + done.out
    assert "secret" not in done.err + done.out


def test_kinds_of_private_contracts_are_all_reckoned() -> None:
    reckoned = {
        name.partition("-")[0]
        for file in files_of("porto")
        for case in read(file.read_text("utf-8"), str(file))["cases"].items()
        if "reckon" in case
        for expected in case["reckon"].mapping().values()
        for name in expected.keys
    }
    assert reckoned >= {"houses", "pairs", "trios", "mirror", "ends", "palette", "side"}


def test_nobody_keeps_two_of_a_contract_that_was_dealt_once(porto, tmp_path: Path) -> None:
    """P-SETUP-5: the box has two palettes, but only one of them was dealt to Inês."""
    dealt = "palette, side, ends-blue, ends-red, mirror-red"
    text = f"""porto: 1
scenario: Two palettes?
players: [Inês, Joana]
position:
  dealt: {{Inês: [{dealt}]}}
  private: {{Inês: [palette, palette, side]}}
cases:
- play: draw green-1
"""
    (tmp_path / "two.yaml").write_text(text, "utf-8")
    judged = porto("scenario", tmp_path / "two.yaml")
    assert judged.code == 3
    assert "Inês was dealt only 1 palette." in judged.err + judged.out
