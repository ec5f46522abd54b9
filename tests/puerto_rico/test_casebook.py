"""The casebook: every case is as it should be, and every ruling has its cases."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import porto_cli
from porto_cli.core.yaml import InvalidFileError
from porto_cli.games.puerto_rico.engine.components import BUILDINGS, ROLES
from porto_cli.games.puerto_rico.engine.state import PHASES
from porto_cli.games.puerto_rico.position.expectations import (
    EARN_REASONS,
    RECKON_NAMES,
    SCORE_REASONS,
)
from porto_cli.rulings import rulings_of
from porto_cli.scenario.expectations import Refused
from porto_cli.scenario.positions import Played
from porto_cli.scenario.runner import (
    Case,
    Scenario,
    load_scenario,
    run,
    scenario_of_text,
    shipped_folder,
)

PACKAGE = Path(porto_cli.__file__).parent / "games" / "puerto_rico"
FILES = sorted((shipped_folder() / "puerto-rico").rglob("*.yaml"))
EXAMPLES = "00-examples"
RULINGS = {rule: one for rule, one in rulings_of("puerto-rico").by_id.items() if rule != "R-UNDO"}
ID = re.compile(r"PR-[A-Z]+(-[A-Z]+)*(-[0-9])?")

OPEN = [
    "PR-SETUP-1",
    "PR-SETUP-2",
    "PR-SETUP-6",
    "PR-RANDOM-1",
    "PR-OPTIONAL-1",
    "PR-SETTLER-4",
    "PR-MAYOR-4",
    "PR-CAPTAIN-3",
    "PR-STORE-2",
    "PR-B-HOSPICE",
    "PR-B-FACTORY",
    "PR-B-HARBOR",
    "PR-B-FOREST-HOUSE",
    "PR-B-BLACK-MARKET",
    "PR-B-LIBRARY",
    "PR-END-3",
    "PR-SCORE-4",
    "PR-RANK-1",
    "PR-GUIDE-1",
    "PR-GUIDE-2",
    "PR-GUIDE-3",
]
"""Rulings that settle what the rulebooks leave open or contradict, or what the guide says."""


@cache
def casebook() -> list[tuple[Path, Scenario]]:
    return [(file, load_scenario(file)) for file in FILES]


def cases() -> Iterator[tuple[Scenario, Case]]:
    for _, scenario in casebook():
        for case in scenario.cases:
            yield scenario, case


def plays(case: Case) -> bool:
    """Tell whether something happens in a case, or is listed, reckoned or compared."""
    return bool(case.moves) or len(case.expectations) > len(refusals(case))


def refusals(case: Case) -> list[Refused]:
    return [one for one in case.expectations if isinstance(one, Refused)]


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_every_case_is_as_it_should_be(file: Path) -> None:
    for case in load_scenario(file).cases:
        assert run(case).differences == (), case.title


def test_there_are_enough_cases() -> None:
    assert sum(1 for _ in cases()) >= 500


@pytest.mark.parametrize("rule", RULINGS)
def test_every_ruling_has_a_case_that_plays(rule: str) -> None:
    assert any(rule in case.cites and plays(case) for _, case in cases())


def test_every_ruling_that_is_cited_is_one() -> None:
    assert {rule for _, case in cases() for rule in case.cites} <= set(RULINGS)


def constants(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def forbidding() -> list[str]:
    """Return the rulings that the engine gives as the reason of a refusal."""
    engine = (PACKAGE / "engine").glob("*.py")
    return sorted({text for path in engine for text in constants(path) if ID.fullmatch(text)})


@pytest.mark.parametrize("rule", forbidding())
def test_every_ruling_that_forbids_something_has_a_case_that_refuses(rule: str) -> None:
    assert any(one.because == (rule,) for _, case in cases() for one in refusals(case))


def test_the_rulings_that_forbid_are_found() -> None:
    assert len(forbidding()) > 35


BEYOND_NOTATION = {"No colonist comes with the {role}."}
"""Refusals that no text of a move leads to."""


def sentences() -> set[str]:
    """Return the templates of all sentences that the engine can say."""
    found = set()
    for path in (PACKAGE / "engine").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "say":
                first = node.args[0]
                if isinstance(first, ast.Constant):
                    found.add(first.value)
    return found


def test_every_refusal_is_given_in_some_case() -> None:
    given = set()
    for _, case in cases():
        result = run(case)
        played = Played(case.game, case.start, result.after, result.events)
        for refused in refusals(case):
            given |= {violation.sentence.template for violation in refused.violations(played)}
    assert len(sentences()) > 60
    assert sentences() - given == BEYOND_NOTATION


@pytest.mark.parametrize("rule", OPEN)
def test_what_the_rulebooks_leave_open_is_shown_and_said(rule: str) -> None:
    assert RULINGS[rule].note
    assert any(
        rule in case.cites and re.search("rulebook|guide|printed", f"{scenario.why} {case.why}")
        for scenario, case in cases()
    )


def test_every_building_role_and_phase_has_its_cases() -> None:
    words = set(re.findall(r"[a-z0-9-]+", " ".join(file.read_text("utf-8") for file in FILES)))
    assert {building.name for building in BUILDINGS} <= words
    assert {*ROLES, *PHASES} <= words
    assert {*SCORE_REASONS, *EARN_REASONS, *RECKON_NAMES} <= words


def test_every_number_of_players_and_every_option_has_its_cases() -> None:
    configs = [case.start.state.config for _, case in cases()]
    assert {config.seats for config in configs} == {2, 3, 4, 5}
    assert {config.buildings for config in configs} == {"base", "draft", "random"}
    assert {config.rulebook for config in configs} == {"printed", "guide"}


def test_every_way_to_end_has_its_cases() -> None:
    ends = {reason for _, case in cases() for reason in run(case).after.end_triggered}
    assert ends == {"colonists", "city", "vp"}


def test_titles_tell_the_cases_apart() -> None:
    for file, scenario in casebook():
        if file.parent.name == EXAMPLES:
            continue
        titles = Counter(case.title for case in scenario.cases)
        assert [title for title, times in titles.items() if times > 1] == [], file
    assert len({scenario.title for _, scenario in casebook()}) == len(FILES)


def test_every_file_says_why() -> None:
    assert [
        file.stem
        for file, scenario in casebook()
        if not scenario.why and file.parent.name != EXAMPLES
    ] == []


def test_files_are_short_enough_to_be_read() -> None:
    for file in FILES:
        lines = file.read_text("utf-8").splitlines()
        assert len(lines) <= 110, file
        assert file.parent.name == EXAMPLES or max(map(len, lines)) <= 102, file


# -- that the cases are compared

HEAD = """porto: 1
game: puerto-rico
scenario: A sale
players: [Inês, Joana]
position: {phase: trader, goods: {Inês: coffee}}
cases:
"""

WRONG = [
    ("- play: sell corn", "play sell corn: it is legal, not PR-TRADER-1"),
    ("- play: sell coffee\n  scores: {Inês: {shipping: 1}}", "scores Inês shipping: 1, not 0"),
    ("- play: sell coffee\n  earns: {Inês: {sale: 4}}", "earns Inês trader: 0, not 1"),
    ("- play: sell coffee\n  earns: {Inês: {sale: 4, trader: 1, role: 1}}", "role: 1, not 0"),
    ("- play: sell coffee\n  earns: {}", "earns Inês sale: 0, not 4"),
    ("- play: sell coffee\n  then: {goods: {Inês: coffee}}", "goods Inês: coffee, not none"),
    ("- then: {to-move: Joana}", "to-move: Joana, not Inês"),
    ("- legal: [pass]", "legal, but not listed: none, not sell coffee"),
    ("- legal: [pass, sell coffee, sell corn]", "listed, but not legal: none, not sell corn"),
    ("- legal-count: 3", "legal-count: 3, not 2"),
    ("- legal-count: 123456789", "legal-count: 123456789, not 2"),
    ("- refuse: pass\n  because: [PR-TURN-1]", "refuse pass: PR-TURN-1, not it is legal"),
    ("- refuse: sell corn\n  because: [PR-TRADER-1, PR-TRADER-2]", "TRADER-2, not PR-TRADER-1"),
    ("- unreadable: sell corn", "unreadable sell corn: no move at all, not a move"),
    ("- reckon: {Inês: {total: 1}}", "reckon Inês total: 1, not 0"),
    ("- reckon: {Inês: {residence: 4}}", "reckon Inês residence: 4, not 0"),
]


@pytest.mark.parametrize(("case", "difference"), WRONG)
def test_a_case_that_is_wrong_is_found_out(case: str, difference: str) -> None:
    (wrong,) = scenario_of_text(f"{HEAD}{case}\n", "wrong.yaml").cases
    found = "\n".join(f"{what}: {one}, not {other}" for what, one, other in run(wrong).differences)
    assert difference in found


UNREADABLE = [
    (
        "- {legal: [pass], if: {phase: mayor, ship: 0, goods: {Inês: none}, san-juan: {Inês: 8}, "
        "island: {Inês: corn indigo sugar tobacco quarry 2}, "
        "city: {Inês: sugar-mill tobacco-storage coffee-roaster}}}",
        "legal moves, too many to be listed: ask for their number with 'legal-count'",
    ),
    ("- legal-count: 1234567890", "a whole number from 0 to 999999999"),
    ("- played: pass", "The key 'played' is unknown here"),
    ("- play: pas", "'pas' is not a move"),
    ("- {play: pass, scores: {Rita: {shipping: 1}}}", "The key 'Rita' is unknown here"),
    ("- {play: pass, scores: {Inês: {sale: 1}}}", "The key 'sale' is unknown here"),
    ("- {play: pass, earns: {Inês: {sale: many}}}", "a whole number, like 3 or -2"),
    ("- {play: pass, earns: {Inês: {sale: --1}}}", "a whole number, like 3 or -2"),
    ("- {play: pass, earns: [4]}", "there should be keys with values"),
    ("- {play: pass, then: {comes-up: [corn]}}", "The key 'comes-up' is unknown here"),
    ("- reckon: {Inês: {small-market: 1}}", "The key 'small-market' is unknown here"),
    ("- {play: pass, if: {goods: {Inês: [corn]}}}", "a single text"),
    (
        "- {play: [take face-down], if: {phase: settler, city: {Inês: hacienda}, "
        "colonists: {Inês: hacienda}, tiles: corn 3, comes-up: [corn, corn, corn, corn]}}",
        "Of corn 3 lie face down",
    ),
    (
        "- {play: take corn, if: {phase: settler, to-move: Joana, goods: {Inês: none}, "
        "island: {Inês: indigo, Joana: coffee 4}, tiles: corn sugar, tile-discards: "
        "corn 6 indigo 8 sugar 7 tobacco 6, comes-up: [coffee, coffee]}}",
        "coffee cannot come up when take corn is played: it does not lie face down.",
    ),
]


@pytest.mark.parametrize(("case", "message"), UNREADABLE)
def test_a_case_that_cannot_be_read_is_an_error(case: str, message: str) -> None:
    with pytest.raises(InvalidFileError, match=re.escape(message)):
        run(scenario_of_text(f"{HEAD}{case}\n", "wrong.yaml").cases[0])
