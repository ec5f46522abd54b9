"""The command that lists the games of a folder: whose turn it is in which game, and who has won.

Its files are read in several processes, so what is found in one is plain data.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from porto_cli.cli.batch import MOST_WORKERS, interruptible, progress, workers
from porto_cli.cli.common import refuse_idle_looks, ui_for
from porto_cli.cli.output import (
    Color,
    Colors,
    Plain,
    as_plain,
    show_lines,
    write_json,
    write_sentences,
)
from porto_cli.cli.parser import Format
from porto_cli.core.characters import file_word, printable
from porto_cli.core.documents import document
from porto_cli.core.message import INTERRUPTED, FileError, PortoError, say, usage
from porto_cli.game import GAMES
from porto_cli.match.arrival import conflicts_of, parted_from
from porto_cli.match.match import load
from porto_cli.match.not_ready import NotReadyError
from porto_cli.match.record_files import RECORD, kind_of
from porto_cli.match.seats import titled
from porto_cli.settings import me, seat_among
from porto_cli.term.spans import BOLD, DIM, PLAIN, Line, wrapped
from porto_cli.term.tell import remark

_LATEST = 253402300799
"""The last second of the year 9999."""


class Found(NamedTuple):
    """A record. Tuples have an entry for each player.

    ``to_move``  the names of those whose move the game waits for
    ``mine``     the user is one of them
    ``changed``  when the file was written, in seconds since 1970
    ``scores``   VP as far as the user may know them
    ``places``   of a finished game; 1 is the first
    ``bots``     the players that are programs, and which
    ``conflicts``  files with other versions of it, of which none has been chosen yet
    ``setup``    of a sealed game that is still being set up: how many steps of it are complete,
                 and of how many
    ``holders``  who plays for players that have left
    """

    file: str
    game: str
    title: str
    players: tuple[str, ...]
    over: bool
    round: int
    turn: int
    to_move: tuple[str, ...]
    mine: bool
    changed: float
    scores: tuple[int | None, ...]
    places: tuple[int, ...] | None
    won: tuple[bool, ...] | None
    digest: str
    bots: dict[str, str]
    conflicts: tuple[str, ...] = ()
    setup: tuple[int, int] | None = None
    holders: dict[str, str] | None = None


class Conflict(NamedTuple):
    """A file with another version of a game, which is listed with the game."""

    file: str


class Skipped(NamedTuple):
    """A file that should be a record and cannot be read as one, and why."""

    file: str
    error: str


class Tally(NamedTuple):
    """The results of a player in the finished games of a kind; ``alone`` in those for one.

    A ``bot`` is counted apart from people of its name and from bots of other levels.
    """

    game: str
    alone: bool
    player: str
    games: int
    wins: int
    average: float
    bot: str = ""


def files_of(paths: Iterable[Path], *, recursive: bool) -> Iterator[str]:
    """Return the files of some folders, those of each in order; a path may be a file itself.

    Hidden files are left out, and those that are not regular. Raises FileError for a folder that
    does not exist or cannot be read.
    """
    for path in paths:
        if os.path.isfile(path):
            yield str(path)
        elif not os.path.exists(path):
            raise FileError(f"There is no folder {path}.")
        else:
            yield from _files_in(path, recursive=recursive)


def _files_in(folder: Path, *, recursive: bool) -> Iterator[str]:
    try:
        with os.scandir(folder) as entries:
            found = sorted(
                (entry for entry in entries if not entry.name.startswith(".")),
                key=lambda entry: entry.name,
            )
    except OSError as error:
        raise FileError(f"{folder} cannot be read: {error.strerror}.") from None
    yield from (str(folder / entry.name) for entry in found if entry.is_file())
    if recursive:
        for entry in found:
            # Through links a walk could go in circles.
            if entry.is_dir(follow_symlinks=False):
                yield from _files_in(folder / entry.name, recursive=True)


def survey(file: str, names: Sequence[str] = ()) -> Found | Conflict | Skipped | None:
    """Return what a file is; ``None`` if it does not even begin like a record.

    ``names`` are those of the user.
    """
    path = Path(file)
    if kind_of(path) != RECORD:
        if os.access(path, os.R_OK):
            return None
        return Skipped(file, f"{file} cannot be read.")
    if parted_from(path) is not None:
        return Conflict(file)
    try:
        # A file can be dated to a year that no calendar has.
        changed = min(max(path.stat().st_mtime, 0), _LATEST)
    except OSError as error:
        reason: str = f"{file} cannot be read: {error.strerror}."
        return Skipped(file, str(reason))
    try:
        match = load(path)
    except NotReadyError as error:
        return _being_set_up(error, changed, names)
    except PortoError as error:
        return Skipped(file, str(error))
    held = match.replay.holders
    own = seat_among(held, names)
    glance = ui_for(match).glance(match.replay, own)
    waiting = match.game.to_move(match.state)
    outcome = match.game.outcome(match.state)
    return Found(
        file=file,
        game=match.game.meta.id,
        title=match.record.title,
        players=match.players,
        over=match.over,
        round=glance.round,
        turn=int(match.state.turn),
        to_move=tuple(match.players[seat] for seat in waiting),
        mine=own in waiting,
        changed=changed,
        scores=glance.scores,
        places=outcome.places if outcome else None,
        won=outcome.won if outcome else None,
        digest=match.digest,
        bots=match.bots,
        conflicts=tuple(map(str, conflicts_of(path))),
        holders={
            player: name for player, name in zip(match.players, held, strict=True) if player != name
        },
    )


def _being_set_up(error: NotReadyError, changed: float, names: Sequence[str]) -> Found:
    """Return a sealed game that waits for a player to join, or to unlock."""
    record = error.record
    assert record is not None
    players = record.config.players
    own = seat_among(players, names)
    return Found(
        file=error.file,
        game=record.game.meta.id,
        title=record.title,
        players=players,
        over=False,
        round=0,
        turn=0,
        to_move=(error.player,),
        mine=own is not None and players[own] == error.player,
        changed=changed,
        scores=(None,) * len(players),
        places=None,
        won=None,
        digest=error.digest,
        bots={},
        setup=(error.done, error.hops),
    )


def ordered(found: Iterable[Found]) -> list[Found]:
    """Return games in the order of the list: those that wait for the user, then those that wait for
    others, the longest wait first; then the finished ones, the last one first.
    """

    def rank(one: Found) -> tuple[int, float, str]:
        if one.over:
            return 2, -one.changed, one.file
        return 0 if one.mine else 1, one.changed, one.file

    return sorted(found, key=rank)


def tallies(found: Iterable[Found]) -> list[Tally]:
    """Return wins and average scores in finished games, by game, the most wins first.

    A game of which there are several copies counts once.
    """
    finished = {one.digest: one for one in found if one.over}
    scores: dict[tuple[str, bool, str, str], list[int]] = {}
    wins: dict[tuple[str, bool, str, str], int] = {}
    for one in finished.values():
        for player, score, won in zip(one.players, one.scores, one.won or (), strict=True):
            name = (one.holders or {}).get(player, player)
            key = one.game, len(one.players) == 1, name, one.bots.get(player, "")
            scores.setdefault(key, []).append(score or 0)
            wins[key] = wins.get(key, 0) + won
    results = [
        Tally(*key[:3], len(each), wins[key], round(sum(each) / len(each), 2), key[3])
        for key, each in scores.items()
    ]
    return sorted(
        results, key=lambda one: (one.game, one.alone, -one.wins, -one.average, one.player)
    )


_INDENT = 4


def games_text(
    games: Sequence[Found], players: Sequence[Tally], now: float, width: int, *, known: bool
) -> list[Line]:
    """Return the games, in order, by what they wait for, and then the players.

    ``known``: the user's name is known.
    """
    lines: list[Line] = []
    for heading, group in groupby(games, lambda one: _heading(one, known)):
        lines += [[]] if lines else []
        lines += wrapped(str(heading), width, style=BOLD)
        for one in group:
            style = BOLD if one.mine else PLAIN
            lines += wrapped(
                printable(one.file), width, first=[("  ", PLAIN)], indent=2, style=style
            )
            if one.title:
                lines += _below([one.title], width, DIM)
            lines += _below(_sentences(one, now), width, PLAIN)
    for (game, alone), row in groupby(players, lambda one: (one.game, one.alone)):
        lines += [[]] if lines else []
        text = "Finished games of {game} for one player" if alone else "Finished games of {game}"
        lines += wrapped(str(say(text, game=GAMES[game].title)), width, style=BOLD)
        for each in row:
            lines += wrapped(str(_result(each, _RESULT)), width, first=[("  ", PLAIN)], indent=2)
    return lines


def games_sentences(games: Sequence[Found], players: Sequence[Tally], now: float) -> list[str]:
    """Return the same in whole sentences, line by line."""
    lines = []
    for one in games:
        about = " ".join(map(str, _sentences(one, now)))
        text = "{file}: {title}. {about}" if one.title else "{file}: {about}"
        lines.append(str(say(text, file=one.file, title=one.title, about=about)))
    lines += [str(_result(each, _RESULT_IN_WORDS[each.alone])) for each in players]
    return lines


def _below(texts: Iterable[object], width: int, style: str) -> list[Line]:
    text = " ".join(map(str, texts))
    blanks: Line = [(" " * _INDENT, PLAIN)]
    return wrapped(text, width, first=blanks, indent=_INDENT, style=style)


def _heading(one: Found, known: bool) -> str:
    if one.over:
        return "Finished"
    if one.mine:
        return "Waiting for you"
    return "Waiting for others" if known else "Running"


def _sentences(one: Found, now: float) -> list[str]:
    """Describe the state of a game."""
    about = _ended(one, now) if one.over else [_stand(one), _waiting(one, now), _scores(one)]
    if one.setup and one.mine:
        command = f"porto join {file_word(one.file)}"
        about.append(f"To continue: {command}")
    return about + [
        f"{conflict} is another version of it; choose one of them." for conflict in one.conflicts
    ]


def _stand(one: Found) -> str:
    if one.setup:
        return (
            f"{GAMES[one.game].title}, sealed: step {one.setup[0]} of {one.setup[1]} of the "
            "setup is complete."
        )
    text = "{game}, round {round}." if one.round else "{game}, before the first round."
    return say(text, game=GAMES[one.game].title, round=one.round)


def _waiting(one: Found, now: float) -> str:
    """Say whose turn it is, and if that is known, for how long."""
    whose = "you" if one.mine and not one.to_move[1:] else min(len(one.to_move), 2)
    unknown, known = _WAITING[whose]
    age = now - one.changed
    waiting = ", ".join((one.holders or {}).get(name, name) for name in one.to_move)
    facts = {"players": waiting, "time": time_in_words(age)}
    return say(known if is_known(age) else unknown, **facts)


_WAITING = {
    0: ("The time of its last change is not known.", "Last changed {time} ago."),
    1: ("It is {players}'s turn.", "It is {players}'s turn, for {time}."),
    2: ("{players} are to move.", "{players} are to move, for {time}."),
    "you": ("It is your turn.", "It is your turn, for {time}."),
}
"""Whose turn it is: of how many players, or yours; without and with the time."""


def is_known(seconds: float) -> bool:
    """Return whether a time since a file was changed can be true: the clock of this computer, or of
    one where the file was before, may be wrong.
    """
    return -DAY <= seconds <= _LONGEST


def _scores(one: Found) -> str:
    """List the players with their scores, as far as they may be known."""
    seats: Iterable[int] = range(len(one.players))
    if one.places:
        seats = sorted(seats, key=one.places.__getitem__)
    scores = ", ".join(str(_score(one, seat)) for seat in seats)
    return f"{scores}."


def _score(one: Found, seat: int) -> str:
    player, vp = one.players[seat], one.scores[seat]
    text = "{player}" if vp is None else "{player} {vp} VP"
    other = (one.holders or {}).get(player)
    name = f"{player} (played by {other})" if other else _name(player, one.bots.get(player, ""))
    return say(text, player=name, vp=vp)


def _name(player: str, bot: str) -> str:
    """Return a player, with the level of one that is a bot."""
    return str(titled(player, bot)) if bot else player


def _ended(one: Found, now: float) -> list[str]:
    game = GAMES[one.game].title
    winners = [name for name, won in zip(one.players, one.won or (), strict=True) if won]
    result = f"{game}, won by {', '.join(winners)}." if winners else f"{game}, lost."
    if not is_known(now - one.changed):
        return [result, _scores(one)]
    date = time.strftime("%Y-%m-%d", time.localtime(one.changed))
    return [result, _scores(one), f"Last changed {date}."]


DAY = 86400
"""In seconds."""
_LONGEST = 20 * 365 * DAY
_UNITS: tuple[tuple[int, str, Callable[[int], str]], ...] = (
    (DAY, "1 day", lambda count: f"{count} days"),
    (3600, "1 hour", lambda count: f"{count} hours"),
    (60, "1 minute", lambda count: f"{count} minutes"),
)


def time_in_words(seconds: float) -> str:
    """Return a time in its largest unit. A wrong clock can make it negative."""
    for size, one, many in _UNITS:
        if seconds >= size:
            count = int(seconds // size)
            return one if count == 1 else many(count)
    return "less than a minute"


def _result(one: Tally, text: str) -> str:
    return say(
        text,
        player=_name(one.player, one.bot),
        wins=one.wins,
        games=one.games,
        game=GAMES[one.game].title,
        average=one.average,
    )


_RESULT = "{player}: {wins} of {games} won, {average:.1f} VP on average"
_RESULT_IN_WORDS = {
    True: "Alone, {player} has won {wins} of {games} finished games of {game}, with {average:.1f} "
    "VP on average.",
    False: "{player} has won {wins} of {games} finished games of {game}, with {average:.1f} VP on "
    "average.",
}
"""The results of a player, alone or not."""


_FEW = 32
"""Up to this number, files are read faster in one process."""
_CHUNK = 8
"""Files that a process is given at once."""


def games(
    folders: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="FOLDER…",
            help="Where the records are; this folder if left out. Records can be given as well.",
            show_default=False,
        ),
    ] = None,
    recursive: Annotated[
        bool, typer.Option("--recursive", "-r", help="Include subfolders.")
    ] = False,
    output: Annotated[
        Format, typer.Option("--format", help="Text, or JSON for programs.")
    ] = Format.text,
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
    """
    refuse_idle_looks(output, color, plain=plain)
    if plain and color == Colors.always:
        usage("Plain sentences have no colors; leave out --plain or --color.")
    names = me().names
    files = list(dict.fromkeys(files_of(folders or [Path()], recursive=recursive)))
    found: list[Found] = []
    skipped: list[Skipped] = []
    done = others = 0
    count = min(os.cpu_count() or 1, MOST_WORKERS) if len(files) > _FEW else 1
    with suppress(KeyboardInterrupt), workers(count) as executor, progress(len(files)) as step:
        look = partial(survey, names=names)
        results = executor.map(look, files, chunksize=_CHUNK) if executor else map(look, files)
        with interruptible(results) as looked:
            for result in looked:
                done += 1
                step(done)
                if isinstance(result, Found):
                    found.append(result)
                elif isinstance(result, Skipped):
                    skipped.append(result)
                elif result is None:
                    others += 1
    complete = done == len(files)
    if output is Format.json:
        write_json(
            document(
                games=[_as_dict(one) | {"changed": _date(one.changed)} for one in ordered(found)],
                players=[_as_dict(one) for one in tallies(found)],
                skipped=[one._asdict() for one in skipped],
                others=others,
                complete=complete,
            )
        )
    else:
        plain = as_plain(plain, color)
        _print_text(found, folders, color, known=bool(names), plain=plain)
        _report_skipped(skipped, others)
    if not complete:
        remark(f"Stopped after {done} of {len(files)} files.")
        raise typer.Exit(INTERRUPTED)


def _print_text(
    found: list[Found], folders: list[Path] | None, color: str, *, known: bool, plain: bool
) -> None:
    listed, players, now = ordered(found), tallies(found), time.time()
    if not found:
        here = folders in (None, [], [Path()])
        where = "this folder" if here else ", ".join(map(str, folders or ()))
        write_sentences([f"There are no games in {where}."])
    elif plain:
        write_sentences(games_sentences(listed, players, now))
    else:
        show_lines(
            lambda screen: games_text(listed, players, now, screen.width - 1, known=known),
            [],
            color,
        )


def _report_skipped(skipped: list[Skipped], others: int) -> None:
    """Say on standard error what is not in the list, and why."""
    if skipped:
        heading = f"{len(skipped)} records were skipped:"
        remark("1 record was skipped:" if len(skipped) == 1 else heading)
    for one in skipped:
        remark(f"  {one.error}")
    if others:
        left = f"{others} other files are not records."
        remark("1 other file is not a record." if others == 1 else left)


def _as_dict(one: Found | Tally) -> dict[str, object]:
    """Return it for a document, with bots and conflicts if there are any."""
    optional = ("bot", "bots", "conflicts", "setup", "holders")
    keys = one._asdict()
    if isinstance(one, Found) and one.setup:
        done, stations = one.setup
        keys["setup"] = {"done": done, "stations": stations, "next": one.to_move[0]}
    return {key: value for key, value in keys.items() if value or key not in optional}


def _date(seconds: float) -> str:
    """Return a moment in UTC, as JSON Schema has it."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))
