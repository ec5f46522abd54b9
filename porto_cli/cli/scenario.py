"""``porto scenario``: runs scenario files, explains them, and makes one of a running game."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from enum import StrEnum
from io import StringIO
from pathlib import Path
from typing import Annotated, NamedTuple, TextIO

import typer

from porto_cli.cli.common import open_game
from porto_cli.cli.output import Output, deliver
from porto_cli.core import files
from porto_cli.core.command_errors import usage
from porto_cli.core.errors import INVALID, REFUSED, FileError
from porto_cli.core.message import Sentence, say
from porto_cli.core.printable import printable
from porto_cli.core.yaml import InvalidFileError
from porto_cli.game import State
from porto_cli.rulings import game_of_ruling
from porto_cli.scenario.runner import Case, Result, Scenario, load_scenario, run, shipped_folder
from porto_cli.term.screen import screen_of
from porto_cli.term.tell import remark
from porto_cli.ui import ui_of

_OF_ALL_GAMES = "R-"
"""How the ids of those rulings begin that are about the record."""
_WIDEST, _NARROWEST = 100, 40
_BESIDE = 34
"""Columns of what is expected, when it stands beside what is."""


class Report(StrEnum):
    """How the results are printed."""

    text = "text"
    json = "json"
    junit = "junit"


class Verdict(NamedTuple):
    """What came of a file: its results, or why it is not a scenario."""

    file: Path
    scenario: Scenario | None
    results: list[Result]
    error: InvalidFileError | None


def scenario(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[PATH]...",
            help="Scenario files, or folders of them. Without one: all that ship with porto.",
            show_default=False,
        ),
    ] = None,
    only: Annotated[
        str,
        typer.Option(
            "-k",
            metavar="TEXT",
            help="Only cases with this in a title, or with this ruling: P-BUILD-5, P-PRIV …",
        ),
    ] = "",
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Show the table before and after each case.")
    ] = False,
    explain: Annotated[
        bool,
        typer.Option("--explain", help="Show the tables, what happened, and the rulings."),
    ] = False,
    report: Annotated[
        Report, typer.Option("--format", help="Lines to read, JSON, or JUnit's XML.")
    ] = Report.text,
    output: Output = None,
    record: Annotated[
        Path | None,
        typer.Option(
            "--from", metavar="RECORD", help="Write a scenario of this game instead of running."
        ),
    ] = None,
    turn: Annotated[
        int | None,
        typer.Option(
            min=0,
            metavar="N",
            help="With --from: the table after N turns, and the turn played next.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Run scenarios: positions, what is done there, and what must follow.

    Exits with 1 if a case fails and with 3 if a file is not a scenario.

    With --from, a turn of a game becomes a new scenario: change its case to your question.
    """
    if record:
        if paths or only or explain or verbose or report != Report.text:
            usage(say("With --from nothing is run: only --turn and --output belong to it."))
        _write_excerpt(record, turn, output)
        return
    if turn is not None:
        usage(say("--turn belongs to --from: name the record that the turn is from."))
    if (verbose or explain) and report != Report.text:
        usage(say("--verbose and --explain are for text; leave them out, or --format."))
    stream = StringIO() if output or report != Report.text else sys.stdout
    printer = _Printer(stream, verbose=verbose or explain, explain=explain)
    verdicts = []
    for file in _files(paths):
        verdict = _verdict(file, only)
        if verdict.results or verdict.error:
            verdicts.append(verdict)
            if report == Report.text:
                printer.show(verdict)
    if not verdicts:
        usage(say("No case has {only!r} in its title or among its rulings.", only=only))
    if report == Report.text:
        print(file=stream)
        print(_summary(verdicts), file=stream)
    elif report == Report.json:
        print(_json(verdicts), file=stream)
    else:
        print(_junit(verdicts), file=stream)
    if isinstance(stream, StringIO):
        _deliver(stream.getvalue(), output)
    if any(verdict.error for verdict in verdicts):
        raise typer.Exit(INVALID)
    if not all(result.passed for verdict in verdicts for result in verdict.results):
        raise typer.Exit(REFUSED)


def _write_excerpt(record: Path, turn: int | None, output: Path | None) -> None:
    from porto_cli.scenario.excerpt import scenario_text

    replay = open_game(record).known_to(None)
    try:
        text = scenario_text(replay, turn)
    except ValueError as error:
        usage(say("{why}", why=str(error)))
    if output:
        files.create_output(output, text)
    else:
        print(text, end="")


def _deliver(text: str, output: Path | None) -> None:
    if output:
        deliver(text, output)
    else:
        print(text, end="")


def _files(paths: list[Path] | None) -> Iterator[Path]:
    """Return the scenario files of paths, folders in the order of their names."""
    for path in paths or [shipped_folder()]:
        # Unlike the methods of paths these do not raise, whatever the name.
        if os.path.isdir(path):
            found = sorted(filter(os.path.isfile, path.rglob("*.yaml")))
            if not found:
                raise FileError(
                    say("There is no scenario (*.yaml) in the folder {folder}.", folder=path)
                )
            yield from found
        elif os.path.exists(path) or str(path) == files.STANDARD:
            yield path
        else:
            raise FileError(say("There is no scenario file and no folder {path}.", path=path))


def _verdict(file: Path, only: str) -> Verdict:
    results: list[Result] = []
    scenario = None
    try:
        scenario = load_scenario(file)
        results += (run(case) for case in scenario.cases if _is_wanted(case, scenario, only))
    except InvalidFileError as error:
        return Verdict(file, scenario, results, error)
    return Verdict(file, scenario, results, None)


def _is_wanted(case: Case, scenario: Scenario, only: str) -> bool:
    """Tell whether a title has the text, or a ruling's id begins with it."""
    if game_of_ruling(only) or only.upper().startswith(_OF_ALL_GAMES):
        return any(cited.startswith(only.upper()) for cited in case.cites)
    return only.casefold() in f"{scenario.title}\n{case.title}".casefold()


def _summary(verdicts: list[Verdict]) -> Sentence:
    results = [result for verdict in verdicts for result in verdict.results]
    failed = sum(not result.passed for result in results)
    invalid = sum(bool(verdict.error) for verdict in verdicts)
    if invalid:
        return say(
            "Cases: {cases}, failed: {failed}, files that are no scenarios: {invalid}.",
            cases=len(results),
            failed=failed,
            invalid=invalid,
        )
    if failed:
        return say("Cases: {cases}, failed: {failed}.", cases=len(results), failed=failed)
    return say("Cases: {cases}, all as they should be.", cases=len(results))


class _Printer:
    """Prints verdicts as lines to read."""

    def __init__(self, stream: TextIO, *, verbose: bool, explain: bool) -> None:
        self.stream = stream
        self.verbose = verbose
        self.explain = explain
        self.color = stream is sys.stdout and screen_of(stream).color
        self.width = _width()

    def show(self, verdict: Verdict) -> None:
        """Print a file's cases, one a line, and more if it was asked for."""
        if verdict.scenario:
            self._line(printable(f"{_short(verdict.file)}  {verdict.scenario.title}"))
            self._explanation(verdict.scenario.why, "  ")
        shown = None
        for result in verdict.results:
            case = result.case
            self._case(result, verdict.scenario)
            if self.verbose and case.start.state != shown:
                self._line("")
                self._table(case, case.start.state, say("Before"))
                shown = case.start.state
            if self.explain:
                self._story(result)
            if self.verbose and case.moves:
                self._table(case, result.after, say("After"))
        if self.explain:
            self._rulings(verdict)
        if verdict.error:
            self.stream.flush()
            remark(f"{verdict.error.place}: {verdict.error.sentence}")

    def _case(self, result: Result, scenario: Scenario | None) -> None:
        case = result.case
        own_title = scenario is None or case.title != scenario.title
        line = case.title if own_title else case.summary
        self._line(f"  {self._word(result.passed)}  {printable(line)}")
        if own_title and self.verbose:
            self._line(f"        {printable(case.summary)}")
        if not result.passed:
            self._differences(result)
        self._explanation(case.why, "        ")

    def _differences(self, result: Result) -> None:
        """Print what is expected beside what is, or above it where that is too long."""
        if max(len(one.expected) for one in result.differences) >= _BESIDE:
            for what, expected, actual in result.differences:
                self._line(f"        {what}")
                self._text(expected, "          should be  ", " " * 21)
                self._text(actual, "          is         ", " " * 21)
            return
        column = max(len(one.what) for one in result.differences) + 2
        self._line(f"        {'':{column}}{'should be':{_BESIDE}}is")
        for what, expected, actual in result.differences:
            self._line(f"        {what:{column}}{expected:{_BESIDE}}{actual}")

    def _story(self, result: Result) -> None:
        case = result.case
        ui = ui_of(case.game.meta.id)
        story = [
            *ui.events_text(result.events, case.start.state.config),
            *result.remarks,
            *(
                sentence
                for expectation in case.expectations
                for sentence in ui.explanation(expectation, result.after)
            ),
        ]
        for sentence in story:
            self._text(str(sentence), "  - ", "    ")
        self._line("")

    def _rulings(self, verdict: Verdict) -> None:
        from porto_cli.rulings import ruling

        cites = dict.fromkeys(one for result in verdict.results for one in result.case.cites)
        for rule in map(ruling, cites):
            self._text(rule.title, f"  {rule.id}  ", " " * (len(rule.id) + 4))
            self._text(rule.text, "    ")
            self._text(rule.note, "    ")
            self._line("")

    def _explanation(self, why: str, margin: str) -> None:
        if self.explain:
            self._text(why, margin)

    def _table(self, case: Case, state: State, title: Sentence) -> None:
        from porto_cli.term.paint import show
        from porto_cli.term.screen import Screen

        screen = screen_of(self.stream) if self.stream is sys.stdout else Screen()
        show(ui_of(case.game.meta.id).position_text(state, str(title), screen), screen, self.stream)
        self._line("")

    def _text(self, text: str, first: str, others: str | None = None) -> None:
        import textwrap

        if text:
            self._line(
                textwrap.fill(
                    text,
                    self.width,
                    initial_indent=first,
                    subsequent_indent=first if others is None else others,
                    break_on_hyphens=False,
                )
            )

    def _word(self, passed: bool) -> str:
        word = "ok  " if passed else "FAIL"
        if not self.color:
            return word
        return typer.style(word, fg="green" if passed else "red", bold=not passed)

    def _line(self, line: str) -> None:
        print(line, file=self.stream)


def _width() -> int:
    import shutil

    return max(_NARROWEST, min(_WIDEST, shutil.get_terminal_size().columns))


def _short(file: Path) -> str:
    """Name a file of the casebook by its place in it, any other as it was named."""
    folder = shipped_folder()
    return file.relative_to(folder).as_posix() if file.is_relative_to(folder) else str(file)


def _json(verdicts: list[Verdict]) -> str:
    from porto_cli.core.documents import FORMAT, dumps

    results = [result for verdict in verdicts for result in verdict.results]
    return dumps(
        {
            "porto": FORMAT,
            "cases": len(results),
            "failed": sum(not result.passed for result in results),
            "files": [
                {
                    "file": str(verdict.file),
                    "scenario": verdict.scenario.title if verdict.scenario else None,
                    "error": {
                        "line": verdict.error.place.line,
                        "column": verdict.error.place.column,
                        "message": str(verdict.error.sentence),
                    }
                    if verdict.error
                    else None,
                    "cases": [
                        {
                            "line": result.case.place.line,
                            "title": result.case.title,
                            "asks": result.case.summary,
                            "cites": list(result.case.cites),
                            "passed": result.passed,
                            "differences": [
                                difference._asdict() for difference in result.differences
                            ],
                        }
                        for result in verdict.results
                    ],
                }
                for verdict in verdicts
            ],
        }
    )


def _junit(verdicts: list[Verdict]) -> str:
    """Return JUnit's XML: a suite for each file, a test case for each case.

    It is in ASCII, so that it is what its first line says wherever it is written to.
    """
    from xml.etree import ElementTree as Xml

    root = Xml.Element("testsuites", name="porto scenario")
    for verdict in verdicts:
        suite = Xml.SubElement(
            root,
            "testsuite",
            name=_short(verdict.file),
            tests=str(len(verdict.results) + bool(verdict.error)),
            failures=str(sum(not result.passed for result in verdict.results)),
            errors=str(int(bool(verdict.error))),
        )
        for result in verdict.results:
            case = Xml.SubElement(
                suite,
                "testcase",
                classname=_short(verdict.file),
                name=f"{result.case.title} [{result.case.summary}]",
                file=str(verdict.file),
                line=str(result.case.place.line),
            )
            if not result.passed:
                lines = [
                    f"{what}: should be {one}, is {two}" for what, one, two in result.differences
                ]
                Xml.SubElement(case, "failure", message=lines[0]).text = "\n".join(lines)
        if verdict.error:
            case = Xml.SubElement(
                suite, "testcase", classname=_short(verdict.file), name="is a scenario"
            )
            Xml.SubElement(case, "error", message=str(verdict.error))
    for element in root.iter():
        # There are characters that XML has no way to write.
        element.attrib = {key: printable(value) for key, value in element.attrib.items()}
        element.text = "\n".join(map(printable, (element.text or "").split("\n")))
    Xml.indent(root)
    text: bytes = Xml.tostring(root, encoding="us-ascii", xml_declaration=True)
    return text.decode()
