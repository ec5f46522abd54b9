"""The casebook: every case is as it should be, and every ruling has its cases."""

from __future__ import annotations

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from porto_cli.core.yaml import read
from porto_cli.games.porto.engine import explain
from porto_cli.games.porto.position.expectations import Reckoned
from porto_cli.rulings import ruling, rulings_of
from porto_cli.scenario.expectations import Refused
from porto_cli.scenario.positions import Played
from porto_cli.scenario.runner import Case, Scenario, load_scenario, run, shipped_folder

FILES = sorted((shipped_folder() / "porto").rglob("*.yaml"))

SILENT = [
    "P-SETUP-1",
    "P-DRAW-1",
    "P-DRAW-2",
    "P-DRAW-3",
    "P-DRAW-4",
    "P-PASS-1",
    "P-BUILD-5",
    "P-TOKEN-2",
    "P-PUBLIC-1",
    "P-PUBLIC-3",
    "P-RANK-2",
    "P-PRIV-ENDS",
    "P-SOLO-1",
    "P-SOLO-5",
]
"""Rulings that settle what the rulebooks leave open or contradict (P-SETUP-1: the heights)."""

BEYOND_NOTATION = {
    "A face-up card can be taken only once.",
    "Space {space} is empty.",
    "{player} has to keep before the own first turn.",
    "This box has no {contract}.",
    "{player}'s deal is not known here: keep by name.",
}
"""Refusals that no text of a move leads to where the program deals: only programs that make
moves themselves, real tables, and boxes without some contracts meet them."""

OF_SEALED_GAMES = {
    "A player may pass only if nothing else is legal; what comes up for {player} is not known yet.",
    "The last turn is over: {player} reveals the {kept} private contracts that were kept, by their "
    "names.",
    "The private contracts of {player} are sealed: only who has the key of {player} can choose "
    "three of them.",
    "This game is not sealed: {player} says which three are kept.",
    "What comes up in space {space} is not known yet; {player} sees it first.",
    "{contract} is not among the private contracts that {player} has kept.",
    "{player} has already revealed the private contracts kept.",
    "{player} has kept {kept} private contracts, not {count}.",
    "{player} was given up: the others play on without {player}.",
}
"""Refusals at sealed tables: no position of a scenario is one. See test_sealed.py."""


@cache
def casebook() -> list[Scenario]:
    return [load_scenario(file) for file in FILES]


def cases() -> list[Case]:
    return [case for scenario in casebook() for case in scenario.cases]


def refusals(case: Case) -> list[Refused]:
    return [one for one in case.expectations if isinstance(one, Refused)]


def plays(case: Case) -> bool:
    """Tell whether something happens in a case, or is reckoned or compared."""
    return bool(case.moves) or len(case.expectations) > len(refusals(case))


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_every_case_is_as_it_should_be(file: Path) -> None:
    for case in load_scenario(file).cases:
        assert run(case).differences == (), f"{case.place}: {case.title}"


def test_there_are_enough_cases() -> None:
    assert len(cases()) >= 250


@pytest.mark.parametrize("rule", [one.id for one in rulings_of("porto").all()])
def test_every_ruling_has_a_case_that_plays(rule: str) -> None:
    assert any(rule in case.cites and plays(case) for case in cases())


def violations() -> list[tuple[str, str]]:
    """Return the id and the sentence of every refusal that the rules can give."""
    found = []
    tree = ast.parse(Path(explain.__file__).read_text("utf-8"))
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Violation"):
            continue
        rule, sentence = node.args
        templates = [
            text.value
            for call in ast.walk(sentence)
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "say"
            for text in ast.walk(call.args[0])
            if isinstance(text, ast.Constant)
        ]
        ids = [part.value for part in ast.walk(rule) if isinstance(part, ast.Constant)]
        found += [(id_, template) for id_ in ids or ["P-END-1"] for template in templates]
    return found


SEALED_ONLY = {"P-DRAW-2", "P-END-2"}
"""Rulings that forbid something at sealed tables alone."""
FORBIDDING = {rule for rule, _ in violations()} - SEALED_ONLY | {"R-UNDO"}


@pytest.mark.parametrize("rule", sorted(FORBIDDING))
def test_every_ruling_that_forbids_something_has_a_case_that_refuses(rule: str) -> None:
    assert any(refused.because == (rule,) for case in cases() for refused in refusals(case)), (
        f"no case is refused because of {rule} alone"
    )


def test_every_refusal_is_given_in_some_case() -> None:
    given: set[str] = set()
    for case in cases():
        result = run(case)
        assert result.passed
        played = Played(case.game, case.start, result.after, result.events)
        for refused in refusals(case):
            if refused.move.text != "undo":
                given |= {one.sentence.template for one in refused.violations(played)}
    templates = {text for _, text in violations()}
    assert len(templates) > 40
    assert templates - given == BEYOND_NOTATION | OF_SEALED_GAMES


@pytest.mark.parametrize("rule", SILENT)
def test_what_the_rulebooks_leave_open_is_shown_and_said(rule: str) -> None:
    assert re.search(r"\b(Ruled|Inferred) here: ", ruling(rule).note)
    assert any(
        rule in case.cites and "rulebook" in f"{scenario.why} {case.why}".lower()
        for scenario in casebook()
        for case in scenario.cases
    )


def test_titles_tell_the_cases_apart() -> None:
    titles = Counter((case.place.file, case.title) for case in cases())
    assert [title for title, times in titles.items() if times > 1] == []
    assert len({scenario.title for scenario in casebook()}) == len(FILES)


def test_every_file_says_why() -> None:
    assert [scenario.file for scenario in casebook() if not scenario.why] == []


def test_kinds_of_private_contracts_are_all_reckoned() -> None:
    reckoned = {
        name.partition("-")[0]
        for case in cases()
        for expectation in case.expectations
        if isinstance(expectation, Reckoned)
        for expected in expectation.players.values()
        for name in expected
    }
    assert reckoned >= {"houses", "pairs", "trios", "mirror", "ends", "palette", "side"}


def test_files_are_short_enough_to_be_read() -> None:
    for file in FILES:
        lines = file.read_text("utf-8").splitlines()
        assert len(lines) <= 110, file
        assert max(map(len, lines)) <= 102, file
        assert read(file.read_text("utf-8"), str(file)).entries["porto"]
