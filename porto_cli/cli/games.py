"""The command that lists the games of a folder: whose turn it is in each, and who has won.

Its files are read in several processes. Each becomes an entry in the document of ``porto games
--format json``, see porto-json(5).
"""

from __future__ import annotations

import os
import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import NoReturn

import typer

from porto_cli.cli import Format, FormatOption, arg, opt
from porto_cli.cli.batch import MOST_WORKERS, worked_out
from porto_cli.cli.common import is_known, time_in_words
from porto_cli.cli.output import Color, Colors, Plain, Report, display_of, write_report
from porto_cli.core import INTERRUPTED, FileError, PortoError, enumerated, plural
from porto_cli.core.characters import printable
from porto_cli.core.files import readable
from porto_cli.core.shell import file_word
from porto_cli.core.values import document
from porto_cli.core.yaml import DamagedFileError, InvalidFileError
from porto_cli.games import GAMES
from porto_cli.installed import is_lesson
from porto_cli.mail.copies import conflicts_of, parted_from
from porto_cli.match.match import Match, load
from porto_cli.match.orders import not_fitting
from porto_cli.match.record import RECORD, NotReadyError, kind_of
from porto_cli.paper import BOLD, PLAIN, Gap, Heading, Node, Paragraph
from porto_cli.seam import with_level
from porto_cli.term import remark
from porto_cli.user import me, own_seat, seat_of_user

_LATEST = 253402300799
"""The last second of the year 9999."""


def files_of(paths: Iterable[Path], *, recursive: bool) -> Iterator[str]:
    """Yield the files of folders, each folder's in order; a path may be a file itself.

    Hidden files are left out, and those that are not regular. Raises FileError for a folder that
    does not exist or cannot be read.
    """
    for path in paths:
        if os.path.isfile(path):
            yield str(path)
            continue
        if not os.path.exists(path):
            raise FileError(f"There is no folder {path}.")
        # It does not follow links, through which a walk could go in circles.
        for folder, below, names in os.walk(path, onerror=_fail):
            below[:] = sorted(_visible(below)) if recursive else []
            found = (str(Path(folder, name)) for name in sorted(_visible(names)))
            yield from filter(os.path.isfile, found)


def _visible(names: Iterable[str]) -> Iterator[str]:
    return (name for name in names if not name.startswith("."))


def _fail(error: OSError) -> NoReturn:
    raise FileError(f"{error.filename} cannot be read: {error.strerror}.") from None


def survey(file: str) -> Report | None:
    """Return a game as an entry of the list, except that ``changed`` is in seconds since 1970.

    For a record that cannot be read, the entry has its ``error``; it is empty for another version
    of a game, which is listed with the game, and ``None`` for a file that does not even begin like
    a record.
    """
    path = Path(file)
    if kind_of(path) != RECORD:
        if os.access(path, os.R_OK):
            return None
        return {"file": file, "error": f"{file} cannot be read."}
    if parted_from(path) is not None:
        return {}
    try:
        with readable(file):
            # A file can be dated to a year that no calendar has.
            changed = min(max(path.stat().st_mtime, 0), _LATEST)
        match = load(path)
    except NotReadyError as error:
        record, players, digest = error.record, error.record.config.players, error.digest
        own = own_seat(players)
        waiting: Sequence[int] = [players.index(error.player)]
        more: Report = {"setup": error.as_json()}
    except PortoError as error:
        return {"file": file, "error": str(error)}
    else:
        record, players, digest = match.record, match.players, match.digest
        own, waiting = seat_of_user(match), match.game.to_move(match.state)
        more = _as_far(match, own, path)
    return {
        "file": file,
        "game": record.game.meta.id,
        "title": record.title,
        "players": players,
        "over": False,
        "round": 0,
        "turn": 0,
        "to_move": [players[seat] for seat in waiting],
        "mine": own in waiting,
        "changed": changed,
        "scores": [None] * len(players),
        "places": None,
        "won": None,
        "digest": digest,
    } | more


def _as_far(match: Match, own: int | None, path: Path) -> Report:
    """Return the progress of a game for its entry; ``own`` is the user's seat."""
    game, state = match.game, match.state
    glance, outcome = game.glance(state, own), game.outcome(state)
    found: Report = {"over": match.over, "round": glance.round, "turn": int(state.turn)}
    found["scores"] = glance.scores
    if outcome:
        found |= {"places": outcome.places, "won": outcome.won}
    held = zip(match.players, match.holders, strict=True)
    others = {
        "lesson": is_lesson(game.meta.id, match.record.seed),
        "bots": match.bots,
        "conflicts": list(map(str, conflicts_of(path))),
        "holders": {player: name for player, name in held if player != name},
        "stopped": [] if own is None else not_fitting(match, own),
    }
    return found | {key: value for key, value in others.items() if value}


def _group(one: Report) -> int:
    """Return the part of the list a game belongs to: first games that wait for the user, then games
    that wait for others, then finished ones.
    """
    return 2 if one["over"] else 0 if one["mine"] else 1


def _rank(one: Report) -> tuple[int, float, str]:
    """Return a game's sorting key: the longest wait first, but the newest finished one first."""
    return _group(one), -one["changed"] if one["over"] else one["changed"], one["file"]


def _tallies(found: Iterable[Report]) -> list[Report]:
    """Return wins and average scores in finished games, by game, the most wins first.

    A game with several copies counts once, and a lesson not at all. A bot is counted apart from
    people of its name and from bots of other levels.
    """
    finished = {one["digest"]: one for one in found if one["over"] and "lesson" not in one}
    results: dict[tuple[str, bool, str, str], list[tuple[int, bool]]] = {}
    for one in finished.values():
        for player, score, won in zip(one["players"], one["scores"], one["won"], strict=True):
            name = one.get("holders", {}).get(player, player)
            bot = one.get("bots", {}).get(player, "")
            key = one["game"], len(one["players"]) == 1, name, bot
            results.setdefault(key, []).append((score or 0, won))
    tallies = [
        {
            "game": game,
            "alone": alone,
            "player": player,
            "games": len(each),
            "wins": sum(won for _, won in each),
            "average": round(sum(score for score, _ in each) / len(each), 2),
            **({"bot": bot} if bot else {}),
        }
        for (game, alone, player, bot), each in results.items()
    ]
    return sorted(
        tallies,
        key=lambda one: (one["game"], one["alone"], -one["wins"], -one["average"], one["player"]),
    )


_INDENT = 4


def games_rows(report: Report, where: str, *, known: bool) -> Iterator[Node]:
    """Yield the games of a folder, in order, grouped by whom they wait for, and then the players.

    ``where`` is the folder in words; ``known`` says whether the user's name is known.
    """
    now = time.time()
    if not report["games"]:
        yield Paragraph([f"There are no games in {where}."])
    headings = ("Waiting for you", "Waiting for others" if known else "Running", "Finished")
    for index, (rank, group) in enumerate(groupby(report["games"], _group)):
        if index:
            yield Gap()
        yield Heading(headings[rank])
        for one in group:
            file = printable(one["file"])
            style = BOLD if one["mine"] else PLAIN
            yield Paragraph([file], style, first=["  "], indent=2, spoken=())
            about = [*([f"{one['title']}."] if one["title"] else []), *_sentences(one, now)]
            spoken = [f"{file}: {' '.join(about)}"]
            yield Paragraph(about, first=[" " * _INDENT], indent=_INDENT, spoken=spoken)
    for (game, alone), tallies in groupby(
        report["players"], lambda one: (one["game"], one["alone"])
    ):
        yield Gap()
        yield Heading(f"Finished games of {GAMES[game].title}{', alone' if alone else ''}")
        for one in tallies:
            result = (
                f"won {one['wins']} of {one['games']} games, {one['average']:.1f} VP on average"
            )
            if one["games"] == 1:
                result = f"{'won' if one['wins'] else 'lost'} with {one['average']:g} VP"
            name = with_level(one["player"], one.get("bot"))
            yield Paragraph([f"{name}: {result}."], first=["  "], indent=2)


def _sentences(one: Report, now: float) -> Iterator[str]:
    """Yield sentences about the state of a game."""
    changed = datetime.fromisoformat(one["changed"])
    title, age = GAMES[one["game"]].title, now - changed.timestamp()
    game = f"Lesson of {title}" if "lesson" in one else title
    if one["over"]:
        winners = [name for name, won in zip(one["players"], one["won"], strict=True) if won]
        yield f"{game}, won by {', '.join(winners)}." if winners else f"{game}, lost."
        yield _scores(one)
        if is_known(age):
            yield f"Last changed {changed.astimezone():%Y-%m-%d}."
    else:
        yield _stand(one, game)
        yield _waiting(one, time_in_words(age) if is_known(age) else "")
        yield _scores(one)
    if "setup" in one and one["mine"]:
        yield f"To continue: porto join {file_word(one['file'])}"
    yield from one.get("stopped", ())
    for conflict in one.get("conflicts", ()):
        yield f"{conflict} is another version of it; choose one of them."


def _stand(one: Report, game: str) -> str:
    if "setup" in one:
        done, steps = one["setup"]["done"], one["setup"]["stations"]
        return f"{game}, sealed: step {done} of {steps} of the setup is complete."
    if one["round"]:
        # Alone, a round is a turn, and that is what the table calls it.
        unit = "turn" if len(one["players"]) == 1 else "round"
        return f"{game}, {unit} {one['round']}."
    turns = one["turn"]
    return f"{game}, {plural(turns, 'turn')} played." if turns else f"{game}, not begun."


def _waiting(one: Report, age: str) -> str:
    """Return whose turn it is, and for how long if that is known."""
    waiting = [one.get("holders", {}).get(name, name) for name in one["to_move"]]
    whose = "your" if one["mine"] else f"{enumerated(waiting)}'s"
    return f"It has been {whose} turn for {age}." if age else f"It is {whose} turn."


def _scores(one: Report) -> str:
    """Return the players with their scores, once there are any that the user may know."""
    seats: Iterable[int] = range(len(one["players"]))
    if one["places"]:
        seats = sorted(seats, key=one["places"].__getitem__)
    return f"{', '.join(_score(one, seat) for seat in seats)}."


def _score(one: Report, seat: int) -> str:
    player, vp = one["players"][seat], one["scores"][seat]
    other = one.get("holders", {}).get(player)
    bot = one.get("bots", {}).get(player, "")
    name = f"{player} (played by {other})" if other else with_level(player, bot)
    return name if vp is None else f"{name} {vp} VP"


_FEW = 32
"""The number of files up to which one process is faster."""
_CHUNK = 8
"""Files that a process is given at once."""


def games(
    folders: list[Path] | None = arg(
        None,
        "FOLDER…",
        "Where the records are; this folder if left out. Records can be given as well.",
    ),
    recursive: bool = opt(False, "--recursive -r", "Include subfolders."),
    output: FormatOption = Format.text,
    plain: Plain = False,
    color: Color = Colors.auto,
) -> None:
    """List the games of a folder: whose turn it is and for how long, and who has won.

    Those that wait for you come first, if 'porto me' says who you are. Waiting time is counted from
    the last change of the file. The last lines are the wins and average scores of each player in
    the finished games. Before the end of a game, the scores leave out what players keep secret.

    A sealed game that is still being set up waits for the player who is to join next. Another
    version that 'porto receive' has saved beside a record is listed with the game. Files
    that are not records are counted; a record that is not valid is skipped, and a message says what
    is wrong with it.

    Examples:
      porto games
    """
    look = display_of(output, color, plain=plain)
    files = list(dict.fromkeys(files_of(folders or [Path()], recursive=recursive)))
    count = min(os.cpu_count() or 1, MOST_WORKERS) if len(files) > _FEW else 1

    def read(executor: Executor | None) -> Generator[Report | None, None, None]:
        yield from (
            executor.map(survey, files, chunksize=_CHUNK) if executor else map(survey, files)
        )

    found = [*worked_out(len(files), count, read, "files")]
    complete, others = len(found) == len(files), found.count(None)
    listed = sorted((one for one in found if one and "game" in one), key=_rank)
    for one in listed:
        one["changed"] = time.strftime(_DATE, time.gmtime(one["changed"]))
    skipped = [one for one in found if one and "error" in one]
    report = document(
        games=listed,
        players=_tallies(listed),
        skipped=skipped,
        others=others,
        complete=complete,
    )
    here = folders in (None, [], [Path()])
    where = "this folder" if here else ", ".join(map(str, folders or ()))
    write_report(look, lambda: report, lambda: games_rows(report, where, known=bool(me().names)))
    if output is Format.text:
        _report_skipped(skipped, others)
    if not complete:
        remark(f"Stopped after {len(found)} of {len(files)} files.")
        raise typer.Exit(INTERRUPTED)


_DATE = "%Y-%m-%dT%H:%M:%SZ"
"""A moment in UTC, as JSON Schema has it."""


def _report_skipped(skipped: Sequence[Report], others: int) -> None:
    """Report on standard error what is not in the list, and why; what can be done about damaged
    files is the same for all.
    """
    if skipped:
        undo, cure = InvalidFileError.cure, DamagedFileError.cure
        errors = [f"  {one['error']}" for one in skipped]
        told = [one.removesuffix(undo).removesuffix(cure).rstrip() for one in errors]
        remark(f"Skipped {plural(len(skipped), 'record')}:", *told, *[cure] * (told != errors))
    if others:
        remark(f"Not games: {plural(others, 'other file')} here.")
