"""The laboratory: ``porto scenario`` settles rules questions, ``porto simulate`` compares bots."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import closing, nullcontext
from enum import StrEnum
from functools import partial
from io import StringIO
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree as Xml

import typer

from porto_cli.cli import GameOption, Seed, Within, Workers, arg, opt, typed_options
from porto_cli.cli.batch import processes_for, worked_out
from porto_cli.cli.common import open_match, viewer_of
from porto_cli.cli.completion import Word, beginning
from porto_cli.cli.output import (
    Color,
    Colors,
    Display,
    Output,
    deliver,
    display_of,
    write,
    write_json,
    write_report,
)
from porto_cli.core import INTERRUPTED, INVALID, REFUSED, FileError, files, refuse, shown, usage
from porto_cli.core.chance import new_seed
from porto_cli.core.characters import printable
from porto_cli.core.files import STANDARD, expanded
from porto_cli.core.values import document, dumps
from porto_cli.core.yaml import InvalidFileError
from porto_cli.games import DEFAULT, GAMES, game_of
from porto_cli.installed import game_of_ruling, ruling, scenario_folders
from porto_cli.match.replay import Replay
from porto_cli.pages import row, ruling_rows
from porto_cli.paper import Drawing, Gap, Node, Piece, lines, put, spans
from porto_cli.players.named import NamedPlayer, player_named, players_of
from porto_cli.scenario import Case, Result, Scenario, load_scenario, run, scenario_text
from porto_cli.seam import State
from porto_cli.simulate import GameResult, Seating, Start, Tally, simulation_of
from porto_cli.simulate import simulate as play_games
from porto_cli.simulate.report import (
    Saved,
    Study,
    appended,
    csv_heads,
    csv_rows,
    read_saved,
    simulation_rows,
)
from porto_cli.term import BOLD, Screen, remark, screen_of, show

# -- ``porto scenario``: runs scenario files, explains them, and makes one of a running game

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
    stream = StringIO() if output else sys.stdout
    screen = Screen() if output else screen_of()
    screen = screen._replace(width=min(_WIDEST, screen.width))
    every = (_verdict(file, only) for file in _files(paths))
    found = (one for one in every if one.results or one.errors)
    verdicts = []
    # Whoever runs a few cases asks a question; of many, it matters which ones fail.
    begun, cases = list[FileVerdict](), 0
    while cases <= _FEW and (verdict := next(found, None)):
        begun.append(verdict)
        cases += len(verdict.results)
    answers = explain or cases <= _FEW
    are_told = answers and not explain and report == Report.text
    first, last = _rulings(begun, only) if are_told else ([], [])
    show(put(first, screen), screen, stream)
    for verdict in chain(begun, found):
        verdicts.append(verdict)
        if report == Report.text:
            rows = _rows(verdict, verbose=verbose or explain, explain=explain, answers=answers)
            show(put(rows, screen), screen, stream)
            stream.flush()
            remark(*(f"{error.place}: {error.sentence}" for error in verdict.errors))
    if not verdicts:
        usage(
            f"No case has {shown(only)} in its title or among its rulings; try one word of the "
            "question, or the id of a ruling.",
            suggestions=["porto rules all"],
        )
    results = [result for verdict in verdicts for result in verdict.results]
    if report == Report.json:
        write_json(_json(verdicts, results), output)
    elif report == Report.junit:
        write(_junit(verdicts), output)
    else:
        show(put(last, screen), screen, stream)
        print(f"\n{_summary(verdicts, results)}", file=stream)
        if isinstance(stream, StringIO) and output:
            deliver(stream.getvalue(), output)
    if any(verdict.errors for verdict in verdicts):
        raise typer.Exit(INVALID)
    if not all(result.passed for result in results):
        raise typer.Exit(REFUSED)


def _write_excerpt(record: Path, turn: int | None, output: Path | None) -> None:
    replay = open_match(record).known_to(None)
    try:
        text = scenario_text(replay, turn)
    except ValueError as error:
        usage(str(error))
    if output:
        files.create_output(output, text)
    else:
        print(text, end="")


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
        return any(cited.startswith(only.upper()) for cited in case.cites)
    return only.casefold() in f"{scenario.title}\n{case.title}".casefold()


def _summary(verdicts: list[FileVerdict], results: list[Result]) -> str:
    wrong = sum(len(verdict.errors) for verdict in verdicts if verdict.scenario)
    counts = {
        "failed": sum(not result.passed for result in results),
        "invalid": wrong,
        "files that are not scenarios": sum(not verdict.scenario for verdict in verdicts),
    }
    if not any(counts.values()):
        return f"Cases: {len(results)}, all passed."
    told = [f"{what}: {count}" for what, count in counts.items() if count or what == "failed"]
    return f"Cases: {len(results) + wrong}, {', '.join(told)}."


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
    results = (result for verdict in verdicts for result in verdict.results)
    cited = list(dict.fromkeys(one for result in results for one in result.case.cites))
    asked = [one for one in cited if only and one.startswith(only.upper())]
    if asked or not cited:
        return [node for one in asked for node in (*ruling_rows(ruling(one)), Gap())], []
    return [], [
        *(Gap(), row("Rulings: ", ", ".join(cited))),
        _line(f"To read one: porto rules {cited[0]}"),
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


def _json(verdicts: list[FileVerdict], results: list[Result]) -> dict[str, object]:
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


# -- The command that plays many games and reports the results

Results = StrEnum("Results", "table csv json jsonl")
"""How the results are printed."""


def _offer_strategies(ctx: typer.Context, incomplete: str) -> list[Word]:
    """Offer the computer players of the game."""
    game = str(ctx.params.get("game") or DEFAULT).lower()
    return beginning(incomplete, players_of(game) if game in GAMES else ())


def simulate(
    ctx: typer.Context,
    strategies: list[str] | None = arg(
        None,
        "STRATEGY…",
        "How each seat plays: 'random', 'greedy', 'level-1' to 'level-5', or '1' to '5', "
        "in Puerto Rico also 'priced'; 'level-5:100' "
        "runs 100 playouts before each move; 'mine.py:choose' runs the function 'choose' of "
        "your file mine.py. With --seats there can be more of them than seats; with --from one "
        "is enough for all.",
        autocompletion=_offer_strategies,
    ),
    games: int = opt(1000, "--games -n N", "How many games.", limits=Within(1)),
    record: Path | None = opt(
        None, "--from FILE", "Continue the game of this record; '-' is standard input."
    ),
    player: str | None = opt(None, "--as NAME", "With --from: the player whose secrets are known."),
    rotate: bool = opt(
        False,
        "--rotate",
        "Play each deal once with every player in every seat: N deals, results by player.",
    ),
    seats: int | None = opt(
        None,
        "N",
        "Round robin at tables for N: every N of the strategies play each deal from every seat.",
        limits=Within(1),
    ),
    seed: Seed = None,
    save: Path | None = opt(
        None, "FILE", "Write each game into this file when it ends, and resume from it."
    ),
    workers: Workers = None,
    game: GameOption = None,
    output: Results = opt(
        Results.table,
        "--format",
        "All games as tables or as a document, or a row or line for each of them.",
    ),
    color: Color = Colors.auto,
) -> None:
    """Play many games at once and report who won, how, and where the VP came from.

    'random' makes any legal move, 'greedy' the one that scores most at once. 'level-1' to 'level-5'
    play better and better; the best ones are slow. A running game is continued from what a
    bystander knows: face-down components come up in random order, and what players hide is dealt
    again at random, except for what the player of --as knows.

    With --seats 2, any number of strategies play against each other, every two of them from both
    seats of each deal. With --save, the same command resumes what was stopped; strategies and games
    can be added.

    Examples:
      porto simulate greedy random --games 20
      porto simulate greedy level-2 level-3 --seats 2 --games 10
    """
    look, rotate = display_of(output, color), rotate or seats is not None
    typed, position = typed_options(ctx, game or DEFAULT), None
    if str(save) == STANDARD:
        usage("--save needs a file that can be read again; '-' cannot.")
    if record is None:
        if player is not None:
            usage("--as is for running games: name the record with --from.")
        start, named, players = _new_game(game or DEFAULT, strategies or [], seats, typed)
    else:
        if game or typed or rotate:
            usage(
                "With --from the record says which game it is, and everybody has a seat; leave out "
                "the options of new games."
            )
        replay = open_match(record)
        start, named, players = _running_game(replay, strategies or [], player)
        position = replay.digest
    game_id = start.game_id
    save = None if save is None else expanded(save)
    saved = None if save is None else read_saved(save)
    seed = seed or (saved.about["seed"] if saved else new_seed())
    if printable(seed) != seed:
        usage(f"--seed takes printable text, but got {shown(seed)}.")
    played = {
        "game": game_id,
        "rules": GAMES[game_id].rules_version,
        "bots_version": GAMES[game_id].bots_version,
        "options": list(game_of(game_id).config_lines(start.config)),
        "seats": len(start.config.players),
        "rotate": rotate,
        "seed": seed,
        "position": position,
        "as": None if start.known is None else players[start.known],
    }
    if saved:
        _demand_the_same(saved, played, save)
        if saved.torn:
            remark(f"The last line of {save} was cut off; it is ignored.")
    study = Study(start, named, players, games, played)
    processes = processes_for(workers, study.games)
    with closing(_results(study, processes, save, saved)) as results:
        if output in (Results.csv, Results.jsonl):
            done = _write_games(results, study, output)
        else:
            done = _write(results, study, look)
    if done < study.games:
        kept = "" if save is None else f", which are in {save}; the same command resumes"
        remark(f"Stopped after {done:,} of {study.games:,} games{kept}.")
        raise typer.Exit(INTERRUPTED)


_Table = tuple[Start, list[NamedPlayer], tuple[str, ...]]
"""The start of games, the strategies, and the names of the players who follow them."""


def _new_game(game_id: str, words: list[str], seats: int | None, typed: dict[str, Any]) -> _Table:
    """Return the start of new games: for a number of seats, or one for each strategy."""
    named = [player_named(word, game_id) for word in words]
    players = tuple(f"{one.name} {number}" for number, one in enumerate(named, start=1))
    meta = GAMES[game_id]
    least, most = meta.players.start, meta.players.stop - 1
    if seats is None and len(players) not in meta.players:
        counts = f"Name {least} to {most} strategies, or more with --seats"
        usage(f"{counts}, like: porto simulate greedy random")
    if seats is not None and seats not in meta.players:
        usage(f"A game of {meta.title} has {least} to {most} seats.")
    if len(players) < (seats or 0):
        usage(f"A table for {seats} needs at least {seats} strategies; one may be repeated.")
    names = players[:seats]
    options = game_of(game_id).setting_up.new_options(typed, names)
    try:
        config = game_of(game_id).new_config(names, **options)
    except ValueError as error:
        usage(f"{error}")
    return Start(game_id, config), named, players


def _running_game(replay: Replay, words: list[str], player: str | None) -> _Table:
    """Return a running game as a start, as the --as player knows it; one strategy is for all."""
    game_id, players = replay.game.meta.id, replay.config.players
    named = [player_named(word, game_id) for word in words]
    if simulation_of(game_id).is_played_out(replay.state):
        refuse("All turns of this game have been played.")
    named = named * len(players) if len(named) == 1 else named
    if len(named) != len(players):
        usage(f"Name one strategy for all players, or one for each of {', '.join(players)}.")
    viewer = viewer_of(replay, player)
    return Start(game_id, replay.config, replay.known_to(viewer).state, viewer), named, players


def _demand_the_same(saved: Saved, played: dict[str, Any], file: Path | None) -> None:
    """Refuse to resume a simulation that differs from the file's (exit code 2)."""
    found = [
        f"{key}: {dumps(saved.about.get(key))} in the file, {dumps(fact)} here."
        for key, fact in played.items()
        if saved.about.get(key) != fact
    ]
    if found:
        usage(
            f"{file} has another simulation, so nothing was played:",
            *found,
            "Name another file, or play the same. Strategies and games can be added.",
        )


def _results(
    study: Study, processes: int, save: Path | None, saved: Saved | None
) -> Generator[GameResult, None, None]:
    """Play the games until Ctrl-C; games that are in the file are taken from there."""
    ready = saved.games if saved else {}

    def known(table: Seating) -> GameResult | None:
        found = ready.get(study.key(table))
        return found and found._replace(number=table.number, players=table.players)

    def play(executor: Executor | None) -> Generator[GameResult, None, None]:
        return play_games(
            study.start,
            [one.player for one in study.strategies],
            study.deals,
            seed=study.played["seed"],
            executor=executor,
            rotate=study.played["rotate"],
            known=known,
        )

    with nullcontext() if save is None else appended(save, saved, study.played) as add:
        for result in worked_out(study.games, processes, play):
            if add and study.key(result) not in ready:
                add(study.line(result))
            yield result


def _write(results: Iterable[GameResult], study: Study, look: Display) -> int:
    """Write the report of all games, and return their number."""
    seed = study.played["seed"]
    tally = Tally(len(study.players), results, seed=seed)
    report = study.report(tally)
    rows = partial(simulation_rows, report, simulation=study.simulation)
    write_report(look, lambda: report, rows, last=lambda: [f"Seed: {seed}"])
    return tally.games + tally.given_up


def _write_games(results: Iterable[GameResult], study: Study, output: Results) -> int:
    """Write each game as soon as it is over: a line of JSON, or a row of CSV for each player.

    Returns their number.
    """
    from csv import writer

    table = writer(sys.stdout, lineterminator="\n")
    if output is Results.csv:
        table.writerow(csv_heads(study.simulation))
    done = 0
    for result in results:
        game = study.line(result)
        if output is Results.csv:
            table.writerows(csv_rows(game, study.simulation))
        else:
            print(dumps(game))
        done += 1
    remark(f"Seed: {study.played['seed']}")
    return done
