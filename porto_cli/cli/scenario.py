"""``porto scenario`` runs scenario files, explains them, and makes one of a running game."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from functools import partial
from io import StringIO
from itertools import chain
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as Xml

import typer

from porto_cli.cli import Within, arg, opt
from porto_cli.cli.common import open_match
from porto_cli.cli.output import Output, deliver, write, write_json
from porto_cli.core import INVALID, REFUSED, FileError, cited, files, plural, usage
from porto_cli.core.characters import printable
from porto_cli.core.values import document
from porto_cli.core.yaml import InvalidFileError
from porto_cli.installed import game_of_ruling, ruling, scenario_folders
from porto_cli.pages import row, ruling_rows
from porto_cli.paper import Drawing, Gap, Node, Piece, lines, put, spans
from porto_cli.scenario import Case, Result, Scenario, load_scenario, run, scenario_text
from porto_cli.seam import State
from porto_cli.term import BOLD, Screen, remark, screen_of, show

_OF_ALL_GAMES = "R-"
"""The beginning of the ids of rulings about the record."""
_WIDEST = 100
_FEW = 24
"""The number of cases up to which each is answered, instead of only checked."""


Report = StrEnum("Report", "text json junit")
"""How the results are printed."""


class FileVerdict(NamedTuple):
    """The results of a file, and its errors: in single cases, or in all of it."""

    file: Path
    scenario: Scenario | None
    results: list[Result]
    errors: list[InvalidFileError]


def scenario(
    paths: list[Path] | None = arg(
        None,
        "[PATH]...",
        "Scenario files, or folders of them; also those that come with the games, by the "
        "names that are printed. If left out, all of these.",
    ),
    only: str = opt(
        "",
        "-k TEXT",
        "Only cases with this text in a title, or with this ruling: P-BUILD-5, P-PRIV …",
    ),
    verbose: bool = opt(False, "--verbose -v", "Show the table before and after each case."),
    explain: bool = opt(False, "--explain", "Answer many cases too, with tables and rulings."),
    report: Report = opt(Report.text, "--format", "Lines to read, JSON, or JUnit's XML."),
    output: Output = None,
    record: Path | None = opt(
        None, "--from RECORD", "Write a scenario from this game instead of running any."
    ),
    turn: int | None = opt(
        None,
        "N",
        "With --from: the table after N turns, and the turn that was played next.",
        limits=Within(0),
    ),
) -> None:
    """Run scenarios: positions, the moves made there, and the expected results.

    Up to 24 cases are answered: whether the moves are allowed, what they bring, or why they are
    refused. With more cases it only says which ones pass. Exits with 1 if a case fails, and with 3
    if a case or a file is not valid.

    With --from, a turn of a game becomes a new scenario: change its case to your question. 'porto
    help scenarios' describes the files.

    Examples:
      porto scenario
      porto scenario -k P-BUILD-5
    """
    if record:
        if paths or only or explain or verbose or report != Report.text:
            usage("--from runs no scenario; only --turn and --output can be used with it.")
        _write_excerpt(record, turn, output)
        return
    if turn is not None:
        usage("--turn belongs to --from; name the record with --from.")
    if (verbose or explain) and report != Report.text:
        usage("--verbose and --explain are for text; leave out either these or --format.")
    found = _verdicts(paths, only)
    if report == Report.text:
        verdicts = _told_at_once(found, only, output, verbose=verbose, explain=explain)
    else:
        verdicts = [*found]
        if report == Report.json:
            write_json(_json(verdicts), output)
        else:
            write(_junit(verdicts), output)
    if any(verdict.errors for verdict in verdicts):
        raise typer.Exit(INVALID)
    if not all(result.passed for result in _results(verdicts)):
        raise typer.Exit(REFUSED)


def _write_excerpt(record: Path, turn: int | None, output: Path | None) -> None:
    """Write a turn of a game as a scenario."""
    replay = open_match(record).known_to(None)
    try:
        text = scenario_text(replay, turn)
    except ValueError as error:
        usage(str(error))
    if output:
        files.create_output(output, text)
    else:
        print(text, end="")


def _verdicts(paths: list[Path] | None, only: str) -> Iterator[FileVerdict]:
    """Yield the results of each file with cases that are wanted; exits with 2 if there is none."""
    every = (_verdict(file, only) for file in _files(paths))
    found = (one for one in every if one.results or one.errors)
    first = next(found, None)
    if first is None:
        usage(
            f"No case has {cited(only)} in its title or among its rulings; try one word of the "
            "question, or the id of a ruling.",
            suggestions=["porto rules all"],
        )
    return chain([first], found)


def _told_at_once(
    found: Iterator[FileVerdict], only: str, output: Path | None, *, verbose: bool, explain: bool
) -> list[FileVerdict]:
    """Print what each file's cases lead to when they have run, then the summary; return all."""
    stream = StringIO() if output else sys.stdout
    screen = Screen() if output else screen_of()
    screen = screen._replace(width=min(_WIDEST, screen.width))
    begun = list[FileVerdict]()
    for verdict in found:
        begun.append(verdict)
        if len(_results(begun)) > _FEW:
            break
    # Whoever runs a few cases asks a question; of many, it matters which ones fail.
    is_answered = len(_results(begun)) <= _FEW
    first, last = _rulings(begun, only) if is_answered and not explain else ([], [])
    show(put(first, screen), screen, stream)
    verdicts = []
    for verdict in chain(begun, found):
        verdicts.append(verdict)
        rows = _rows(
            verdict, verbose=verbose or explain, explain=explain, answers=explain or is_answered
        )
        show(put(rows, screen), screen, stream)
        stream.flush()
        remark(*(f"{error.place}: {error.sentence}" for error in verdict.errors))
    show(put(last, screen), screen, stream)
    print("", *_summary(verdicts), sep="\n", file=stream)
    if isinstance(stream, StringIO) and output:
        deliver(stream.getvalue(), output)
    return verdicts


def _results(verdicts: Iterable[FileVerdict]) -> list[Result]:
    """Return the results of all cases that could be run."""
    return [result for verdict in verdicts for result in verdict.results]


def _files(paths: list[Path] | None) -> Iterator[Path]:
    """Yield the scenario files of paths; those of a folder by name."""
    for path in paths or scenario_folders():
        # Unlike the methods of paths these do not raise, whatever the name.
        if os.path.isdir(path):
            found = sorted(filter(os.path.isfile, path.rglob("*.yaml")))
            if not found:
                raise FileError(f"There is no scenario (*.yaml) in the folder {path}.")
            yield from found
        elif os.path.exists(path) or str(path) == files.STANDARD:
            yield path
        elif shipped := list(_shipped(path)):
            yield from _files(shipped)
        else:
            raise FileError(f"There is no scenario file or folder {path}.")


def _shipped(path: Path) -> Iterator[Path]:
    """Yield the scenarios that come with games under a path.

    Names are as printed, like ``porto/03-build/01-two-cards.yaml``; the game can be left out.
    """
    name = path.as_posix()
    for folder, prefix in scenario_folders().items():
        for place in (folder, *sorted(filter(os.path.isdir, folder.iterdir()))):
            found = place / name.removeprefix(prefix)
            if os.path.exists(found):
                yield found


def _verdict(file: Path, only: str) -> FileVerdict:
    """Run the cases of a file. An invalid one does not keep the others from running."""
    results: list[Result] = []
    errors: list[InvalidFileError] = []
    try:
        scenario = load_scenario(file, errors)
    except InvalidFileError as error:
        return FileVerdict(file, None, [], [error])
    for case in scenario.cases:
        if _is_wanted(case, scenario, only):
            try:
                results.append(run(case))
            except InvalidFileError as error:
                errors.append(error)
    errors.sort(key=lambda error: (error.place.line, error.place.column))
    return FileVerdict(file, scenario, results, errors)


def _is_wanted(case: Case, scenario: Scenario, only: str) -> bool:
    """Return whether a title contains the text, or a cited ruling's id begins with it."""
    if game_of_ruling(only) or only.upper().startswith(_OF_ALL_GAMES):
        return any(one.startswith(only.upper()) for one in case.cites)
    return only.casefold() in f"{scenario.title}\n{case.title}".casefold()


def _summary(verdicts: list[FileVerdict]) -> list[str]:
    """Return how many cases have passed, in a sentence; before it those of many that failed."""
    results = _results(verdicts)
    failed = [
        f"  {_short(verdict.file)}, line {result.case.place.line}: {result.case.title}"
        for verdict in verdicts
        for result in verdict.results
        if not result.passed
    ]
    invalid = sum(len(verdict.errors) for verdict in verdicts if verdict.scenario)
    unread = sum(not verdict.scenario for verdict in verdicts)
    cases = plural(len(results) + invalid, "case")
    if not (failed or invalid or unread):
        return [f"{cases} passed." if len(results) == 1 else f"All {cases} passed."]
    told = [f"{len(failed) or 'None'} of {cases} failed"]
    told += [f"{invalid} {'is' if invalid == 1 else 'are'} invalid"] * bool(invalid)
    told += [f"{plural(unread, 'file')} cannot be read"] * bool(unread)
    return [
        *(["Failed:", *failed] if failed and len(results) > _FEW else []),
        f"{'; '.join(told)}.",
    ]


def _rows(verdict: FileVerdict, *, verbose: bool, explain: bool, answers: bool) -> Iterator[Node]:
    """Yield a file's cases, one per line, and more if that was asked for: ``answers`` are what the
    moves of a case bring, or why they are refused.
    """
    scenario, seen, width = verdict.scenario, None, 9 if answers else 6
    margin = " " * (width + 2)
    if scenario:
        yield _line(f"{_short(verdict.file)}  {scenario.title}")
        yield from _why(scenario.why, "  ") if answers else ()
    for result in verdict.results:
        case, start = result.case, result.case.start.state
        own_title = scenario is None or case.title != scenario.title
        passed = _answer(case) if answers else "ok"
        word = (passed, "green") if result.passed else ("FAIL", f"{BOLD} red")
        title = case.title if own_title else case.summary
        yield _line("  ", word, f"{' ' * (width - len(word[0]))}{title}")
        if own_title and (_answer(case) != "ok" if answers else verbose):
            yield _line(f"{margin}{case.summary.removeprefix('refuse ').removeprefix('play ')}")
        yield from (row(margin, line) for line in _differences(result))
        yield from _why(case.why, margin) if answers else ()
        if verbose and start != seen:
            yield from (Gap(), _table(case, start, "Before"), Gap())
            seen = start
        if answers and (told := _told(result)):
            yield row(margin, " ".join(told))
        if verbose and case.moves:
            yield from (Gap(), _table(case, result.after, "After"), Gap())
    cites = dict.fromkeys(one for result in verdict.results for one in result.case.cites)
    for rule in map(ruling, cites if explain else ()):
        yield from (*ruling_rows(rule), Gap())


def _line(*pieces: Piece) -> Node:
    """Return a line that is never wrapped, as programs look for it."""
    return Drawing(lambda _: [spans(pieces)])


def _table(case: Case, state: State, title: str) -> Node:
    return Drawing(partial(lines, case.game.shown.position(state, title)))


def _why(text: str, margin: str) -> list[Node]:
    return [row(margin, text)] if text else []


def _differences(result: Result) -> list[str]:
    """Return the differences from what was expected, in words; none for a case that passed."""
    return [f"{what}: expected {one}, got {two}" for what, one, two in result.differences]


def _rulings(verdicts: Sequence[FileVerdict], only: str) -> tuple[list[Node], list[Node]]:
    """Return the rulings that were asked for, which answer before any case does; or else, to come
    last, the ids of all that the cases cite.
    """
    ids = list(dict.fromkeys(one for result in _results(verdicts) for one in result.case.cites))
    asked = [one for one in ids if only and one.startswith(only.upper())]
    if asked or not ids:
        return [node for one in asked for node in (*ruling_rows(ruling(one)), Gap())], []
    return [], [
        *(Gap(), row("Rulings: ", ", ".join(ids))),
        _line(f"To read one: porto rules {ids[0]}"),
    ]


def _answer(case: Case) -> str:
    """Return what a case that has passed says of its moves, in a word."""
    if case.refused or "unreadable" in case.expectations:
        return "refused"
    return "allowed" if case.moves else "ok"


def _told(result: Result) -> list[str]:
    """Return sentences about what the moves of a case brought, or why they are refused."""
    case = result.case
    return [
        *case.game.events_text(result.events, case.start.state.config),
        *result.remarks,
        *case.game.shown.explanation(case.reckons, result.after),
    ]


def _short(file: Path) -> str:
    """Return a file's name: one that comes with a game by its place there, any other as typed."""
    for folder, prefix in scenario_folders().items():
        if file.is_relative_to(folder):
            return f"{prefix}{file.relative_to(folder).as_posix()}"
    return str(file)


def _json(verdicts: list[FileVerdict]) -> dict[str, object]:
    results = _results(verdicts)
    return document(
        cases=len(results),
        failed=sum(not result.passed for result in results),
        files=[
            {
                "file": str(verdict.file),
                "scenario": verdict.scenario.title if verdict.scenario else None,
                "error": next(map(_error, verdict.errors), None),
                "cases": [*map(_case, verdict.results)],
            }
            for verdict in verdicts
        ],
    )


def _case(result: Result) -> dict[str, object]:
    case = result.case
    return {
        "line": case.place.line,
        "title": case.title,
        "asks": case.summary,
        "cites": list(case.cites),
        "passed": result.passed,
        "differences": [one._asdict() for one in result.differences],
    }


def _error(error: InvalidFileError) -> dict[str, object]:
    place = error.place
    return {"line": place.line, "column": place.column, "message": error.sentence}


def _junit(verdicts: list[FileVerdict]) -> str:
    """Return JUnit's XML: a suite for each file, a test case for each case.

    It is in ASCII, so that the encoding in its first line is right wherever it is written.
    """
    root = Xml.Element("testsuites", name="porto scenario")
    for verdict in verdicts:
        file = _short(verdict.file)
        suite = Xml.SubElement(root, "testsuite", name=file)
        for result in verdict.results:
            name = f"{result.case.title} [{result.case.summary}]"
            place = {"file": str(verdict.file), "line": str(result.case.place.line)}
            case = Xml.SubElement(suite, "testcase", {"classname": file, "name": name, **place})
            if lines := _differences(result):
                Xml.SubElement(case, "failure", message=lines[0]).text = "\n".join(lines)
        for error in verdict.errors:
            name = "is valid" if verdict.scenario else "is a scenario"
            case = Xml.SubElement(suite, "testcase", classname=file, name=name)
            Xml.SubElement(case, "error", message=str(error))
        counted = {"tests": "testcase", "failures": "*/failure", "errors": "*/error"}
        for key, path in counted.items():
            suite.set(key, str(len(suite.findall(path))))
    for element in root.iter():
        # XML cannot represent all characters.
        element.attrib = {key: printable(value) for key, value in element.attrib.items()}
        element.text = "\n".join(map(printable, (element.text or "").split("\n")))
    Xml.indent(root)
    text: bytes = Xml.tostring(root, encoding="us-ascii", xml_declaration=True)
    return text.decode()
