"""The casebook of every game: each case passes, and every ruling has its cases."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

import porto_cli
from porto_cli.core.yaml import read
from porto_cli.installed import ruling, rulings_of, shipped_folder
from porto_cli.scenario import Case, Scenario, load_scenario, run

EXAMPLES = "00-examples"
"""Examples of the rulebooks: they stand as they were printed."""


class Casebook(NamedTuple):
    """What has to be known of the casebook of a game."""

    cases: int
    """At least so many."""
    open: tuple[str, ...]
    """Rulings that settle what the rulebooks leave open or contradict, or what the guide says."""
    note: str
    """What the note of such a ruling says."""
    why: str
    """What a case of it names."""
    forbidding: frozenset[str] = frozenset()
    """Rulings that forbid something, besides those that the engine names where it refuses."""
    never: frozenset[str] = frozenset()
    """Of those that it names, the ones that forbid something at sealed tables alone."""
    beyond_notation: frozenset[str] = frozenset()
    """Refusals that no text of a move leads to where the program deals: only programs that make
    moves themselves, real tables, and boxes without some contracts meet them."""
    sealed: frozenset[str] = frozenset()
    """Refusals at sealed tables: no position of a scenario is one. See porto/test_sealed.py."""


CASEBOOKS = {
    "porto": Casebook(
        cases=250,
        open=(
            *("P-SETUP-1", "P-DRAW-1", "P-DRAW-2", "P-DRAW-3", "P-DRAW-4", "P-PASS-1"),
            *("P-BUILD-5", "P-TOKEN-2", "P-PUBLIC-1", "P-PUBLIC-3", "P-RANK-2", "P-PRIV-ENDS"),
            *("P-SOLO-1", "P-SOLO-5"),
        ),
        note=r"\b(Ruled|Inferred) here: ",
        why="rulebook",
        forbidding=frozenset({"P-END-1", "R-UNDO"}),
        never=frozenset({"P-DRAW-2", "P-END-2"}),
        beyond_notation=frozenset(
            {
                "A face-up card can be taken only once.",
                "Space {} is empty.",
                "There is no {} {}; {} 1 to {}.",
                "Name the {}s in ascending order.",
                "{} had to keep private contracts before their own first turn.",
                "This box has no {}.",
                "{}'s hand is unknown here; name the contracts to keep.",
            }
        ),
        sealed=frozenset(
            {
                "{} has not seen the refill yet; pass only if nothing else is legal.",
                "The last turn is over: {} must name the {} private contracts kept.",
                "{}'s private contracts are sealed: only {}'s key can choose three.",
                "This game is not sealed, so {} must name three contracts.",
                "Space {} is still empty; {} sees the refill first.",
                "{} has already revealed the private contracts.",
                "{} kept {} private contracts, not {}.",
                "{} was given up: the others play on without {}.",
            }
        ),
    ),
    "puerto-rico": Casebook(
        cases=500,
        open=(
            *("PR-SETUP-1", "PR-SETUP-2", "PR-SETUP-6", "PR-RANDOM-1", "PR-OPTIONAL-1"),
            *("PR-SETTLER-4", "PR-MAYOR-4", "PR-CAPTAIN-3", "PR-STORE-2", "PR-B-HOSPICE"),
            *("PR-B-FACTORY", "PR-B-HARBOR", "PR-B-FOREST-HOUSE", "PR-B-BLACK-MARKET"),
            *("PR-B-LIBRARY", "PR-END-3", "PR-SCORE-4", "PR-RANK-1"),
            *("PR-GUIDE-1", "PR-GUIDE-2", "PR-GUIDE-3"),
        ),
        note=".",
        why="rulebook|guide|printed",
        forbidding=frozenset(
            {
                *("PR-CAPTAIN-3", "PR-OPTIONAL-1", "PR-BUILDER-4", "PR-B-GUEST-HOUSE"),
                *("PR-B-HOSPICE", "PR-B-UNIVERSITY", "PR-B-BLACK-MARKET"),
            }
        ),
        beyond_notation=frozenset(
            {"The {} card brings no colonist.", "This game has no guest houses."}
        ),
    ),
}


def files_of(game: str) -> list[Path]:
    return sorted((shipped_folder() / game).rglob("*.yaml"))


@cache
def casebook(game: str) -> list[tuple[Path, Scenario]]:
    return [(file, load_scenario(file)) for file in files_of(game)]


def cases(game: str) -> Iterator[tuple[Scenario, Case]]:
    for _, scenario in casebook(game):
        for case in scenario.cases:
            yield scenario, case


def plays(case: Case) -> bool:
    """Return whether something happens in a case, or is listed, reckoned or compared."""
    return bool(case.moves) or len(case.expectations) > (case.refused is not None)


def rulings(game: str) -> list[str]:
    own = [one.id for one in rulings_of(game).all()]
    return own if game == "porto" else [rule for rule in own if rule != "R-UNDO"]


@cache
def refused_in_the_code(game: str) -> tuple[set[str], set[str]]:
    """Return the rulings and the sentences by which the engine of a game refuses a move.

    They are the rows of functions that yield refusals; a sentence has ``{}`` for what it names.
    """
    engine = Path(porto_cli.__file__).parent / "games" / game.replace("-", "_") / "engine"
    ids, sentences = set(), set()
    trees = {path: ast.parse(path.read_text("utf-8")) for path in engine.glob("*.py")}
    said_by = {
        node.name: [node.body[-1].value]
        for tree in trees.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        and isinstance(node.body[-1], ast.Return)
        and isinstance(node.body[-1].value, ast.JoinedStr)
    }
    for path, tree in trees.items():
        for function in ast.walk(tree):
            if getattr(getattr(function, "returns", None), "id", "") != "Refusals":
                continue
            names: dict[str, list[ast.expr]] = {**said_by}
            for node in ast.walk(function):
                if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                    names.setdefault(node.targets[0].id, []).append(node.value)
            for node in ast.walk(function):
                if isinstance(node, ast.Yield) and isinstance(node.value, ast.Tuple):
                    rule, why = node.value.elts
                    ids.update(texts(rule, names))
                    said = set(texts(why, names))
                    assert said, f"{path.name}, line {node.lineno}: this sentence is not found"
                    sentences |= said
    return ids, sentences


def texts(node: ast.expr, names: dict[str, list[ast.expr]]) -> Iterator[str]:
    """Return the text of a constant or an f-string, and each that a name or a choice can be, or
    that a method returns.
    """
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        for value in names.get(node.func.attr, []):
            yield from texts(value, {})
    elif isinstance(node, ast.Name):
        for value in names.get(node.id, []):
            yield from texts(value, {})
    elif isinstance(node, ast.IfExp):
        yield from (*texts(node.body, names), *texts(node.orelse, names))
    elif isinstance(node, ast.JoinedStr):
        yield "".join(
            str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values
        )
    elif isinstance(node, ast.Constant):
        yield str(node.value)


def forbidding(game: str) -> set[str]:
    known = CASEBOOKS[game]
    return refused_in_the_code(game)[0] - known.never | known.forbidding


every_game = pytest.mark.parametrize("game", CASEBOOKS)


@pytest.mark.parametrize(
    "folder",
    dict.fromkeys(file.parent for game in CASEBOOKS for file in files_of(game)),
    ids=lambda folder: f"{folder.parent.name}/{folder.name}",
)
def test_every_case_passes(folder: Path) -> None:
    for file in sorted(folder.glob("*.yaml")):
        for case in load_scenario(file).cases:
            assert run(case).differences == (), f"{case.place}: {case.title}"


@pytest.mark.long
@every_game
def test_there_are_enough_cases(game: str) -> None:
    assert sum(1 for _ in cases(game)) >= CASEBOOKS[game].cases


@every_game
def test_every_ruling_has_a_case_that_plays(game: str) -> None:
    cited = {rule for _, case in cases(game) if plays(case) for rule in case.cites}
    assert set(rulings(game)) - cited == set()


@every_game
def test_every_ruling_that_is_cited_is_one(game: str) -> None:
    assert {rule for _, case in cases(game) for rule in case.cites} <= set(rulings(game))


@every_game
def test_every_ruling_that_forbids_something_has_a_case_that_refuses(game: str) -> None:
    """Because of it alone."""
    alone = {case.because for _, case in cases(game)}
    assert [rule for rule in forbidding(game) if (rule,) not in alone] == []


@every_game
def test_every_refusal_is_given_in_some_case(game: str) -> None:
    given: set[str] = set()
    for _, case in cases(game):
        result = run(case)
        assert result.passed
        if case.refused and case.refused.text != "undo":
            move, state = case.refused.parse(case.game, result.after), result.after
            broken = case.game.violations(state, move, case.refused.seat(state))
            given |= {str(one.sentence) for one in broken}
    _, sentences = refused_in_the_code(game)
    assert len(sentences) > 40
    never = {
        sentence
        for sentence in sentences
        if not any(re.fullmatch(re.escape(sentence).replace(r"\{\}", ".+"), one) for one in given)
    }
    assert never == CASEBOOKS[game].beyond_notation | CASEBOOKS[game].sealed


@every_game
def test_what_the_rulebooks_leave_open_is_shown_and_said(game: str) -> None:
    known = CASEBOOKS[game]
    shown = {
        rule
        for scenario, case in cases(game)
        if re.search(known.why, f"{scenario.why} {case.why}", re.IGNORECASE)
        for rule in case.cites
    }
    for rule in known.open:
        assert re.search(known.note, ruling(rule).note), rule
        assert rule in shown, rule


@every_game
def test_titles_tell_the_cases_apart(game: str) -> None:
    for file, scenario in casebook(game):
        titles = Counter(case.title for case in scenario.cases)
        twice = [title for title, times in titles.items() if times > 1]
        assert twice == [] or file.parent.name == EXAMPLES, file
    assert len({scenario.title for _, scenario in casebook(game)}) == len(files_of(game))


@every_game
def test_every_file_says_why_and_is_short_enough_to_be_read(game: str) -> None:
    for file, scenario in casebook(game):
        text = file.read_text("utf-8")
        lines = text.splitlines()
        assert len(lines) <= 110, file
        assert read(text, str(file))["porto"]
        if file.parent.name != EXAMPLES:
            assert scenario.why, file
            assert max(map(len, lines)) <= 102, file
