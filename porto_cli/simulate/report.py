"""The results of a simulation: tables, rows of CSV and JSON, and the file from which it goes on.

The file has lines of JSON: the first one says what is played, and each other one is a game as in
the report, with a digest of the code of those players that do not come with the program. Lines are
only added. One that was cut off at the end is no game, and is removed before another one is added.
What is not wanted, such as games of other players, stays for the next time.
"""

from __future__ import annotations

import json
import os
import stat
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from porto_cli.core.documents import FORMAT, document, dumps
from porto_cli.core.message import FileError, say
from porto_cli.core.signals import held
from porto_cli.core.yaml import InvalidFileError, Place
from porto_cli.simulate import simulation as limits
from porto_cli.simulate.simulation import (
    Figure,
    Frequency,
    Group,
    Result,
    Seating,
    Simulation,
    Tally,
    mean,
    quantile,
)
from porto_cli.term.spans import BOLD, DIM, PLAIN, Line, cells, padded, wrapped

if TYPE_CHECKING:
    from porto_cli.players.named import NamedPlayer

LONGEST_NAME = 24
_FORMULA = tuple("=+-@＝＋－＠")


def tally_text(
    tally: Tally,
    players: Sequence[str],
    simulation: Simulation,
    width: int,
    *,
    running: bool = False,
) -> list[Line]:
    """Return the results of a simulation as lines.

    ``running`` if the games went on from a running one.
    """
    given_up = [_given_up(tally.given_up)] * (tally.given_up > 0)
    if not tally.games:
        return _said(["No game was played to its end.", *given_up], width)
    lines = [*_said([_length(tally), *given_up], width), [], *_wins(tally, players, width)]
    if tally.is_round_robin:
        lines += [[], *_crossed(tally, players, width)]
    for group in simulation.groups:
        title = (group.title_of_running if running else None) or group.title
        lines.append([])
        if group.heads:
            lines += _by_player(tally, group, str(title), players, width)
        else:
            lines += _by_name(tally, group, str(title), width)
    return lines


def _length(tally: Tally) -> str:
    return say(
        "Games: {games}. Turns: {mean} on average, {least} to {most}.",
        games=f"{tally.games:,}",
        mean=f"{mean(tally.turns):.1f}",
        least=min(tally.turns),
        most=max(tally.turns),
    )


def _given_up(count: int) -> str:
    """Say why games are missing: whoever reads it looks for the limit, not for the games."""
    games = "game" if count == 1 else "games"
    return f"Given up after {limits.LONGEST:,} turns, and not counted: {count:,} {games}."


def _said(sentences: Iterable[str], width: int) -> list[Line]:
    """Set sentences one behind the other."""
    return wrapped(" ".join(map(str, sentences)), width)


def _wins(tally: Tally, players: Sequence[str], width: int) -> list[Line]:
    heads = ["won", "95%", "mean VP", "least", "25%", "median", "75%", "most"]
    rows: list[list[object]] = []
    for player, scores in enumerate(tally.scores):
        if not scores:
            rows.append([""] * len(heads))
            continue
        won = tally.won(player)
        rows.append(
            [
                *(f"{won.share:.1%}", f"{100 * won.low:.1f}–{won.high:.1%}"),
                *(f"{mean(scores):.1f}", min(scores)),
                *(quantile(scores, part) for part in (0.25, 0.5, 0.75)),
                max(scores),
            ]
        )
    title = (
        "Solo games won (with the interval at 95% confidence), and scores"
        if len(players) == 1
        else "Games won (with the interval at 95% confidence), and scores"
    )
    return table(str(title), players, heads, rows, width)


def _crossed(tally: Tally, players: Sequence[str], width: int) -> list[Line]:
    """Return a table with a column for each player, in parts where the screen is narrow."""
    title = "How often ahead, in %: each row of those whose numbers stand above"
    everybody = range(len(players))
    shares = [[tally.ahead(one, other) for other in everybody] for one in everybody]
    rows = [[f"{100 * one.share:.1f}" if one else "-" for one in row] for row in shares]
    size = max(len(text) for row in rows for text in row) + 1
    many = max(1, (width - min(LONGEST_NAME, max(map(cells, players)))) // size)
    lines: list[Line] = []
    for first in range(0, len(players), many):
        heads = [str(nth + 1) for nth in everybody[first : first + many]]
        part = table(title, players, heads, [row[first : first + many] for row in rows], width)
        lines += part if not first else [[], *part[len(wrapped(title, width)) :]]
    return lines


def _by_player(
    tally: Tally, group: Group, title: str, players: Sequence[str], width: int
) -> list[Line]:
    rows = []
    for figures, scores in zip(tally.figures, tally.scores, strict=True):
        games = scores.total() or 1
        means = [figures[group.key, name] / games for name in group.names]
        rows.append([f"{number:.1f}" for number in (*means, sum(means))])
    return table(title, players, [*group.heads, "total"], rows, width)


def _by_name(tally: Tally, group: Group, title: str, width: int) -> list[Line]:
    totals = {name: tally.total((group.key, name)) for name in group.names}
    names = [name for name, total in totals.items() if total]
    if not names:
        return []
    rows = [
        [
            f"{totals[name] / tally.games:.2f}",
            f"{tally.games_with[group.key, name] / tally.games:.0%}",
        ]
        for name in names
    ]
    lines = table(title, names, ["a game", "of games"], rows, width)
    if group.explain:
        for line, name in zip(lines[-len(names) :], names, strict=True):
            line.append((f"  {group.explain(name)}", DIM))
    return lines


def table(
    title: str,
    names: Sequence[str],
    heads: Sequence[str],
    rows: Iterable[Sequence[Any]],
    width: int,
) -> list[Line]:
    """Return rows of figures below their headings, with a title above."""
    first = min(LONGEST_NAME, max(map(cells, names)))
    cut = [[str(cell) for cell in row] for row in rows]
    sizes = [max(map(len, column)) for column in zip(heads, *cut, strict=True)]
    gap = 2 if first + sum(sizes) + 2 * len(sizes) <= width else 1

    def line(cells_of_row: Sequence[str]) -> str:
        return "".join(
            f"{cell:>{size + gap}}" for cell, size in zip(cells_of_row, sizes, strict=True)
        )

    lines: list[Line] = [*wrapped(title, width, style=BOLD)]
    lines.append([(" " * first, PLAIN), (line(heads), DIM)])
    for name, row in zip(names, cut, strict=True):
        # Of a long name, which is a file, the end says more.
        short = name if cells(name) <= first else f"…{name[1 - first :]}"
        lines.append([*padded([(short, PLAIN)], first), (line(row), PLAIN)])
    return lines


def csv_heads(simulation: Simulation) -> list[str]:
    """Return the columns of the CSV, which has one row for each player of each game."""
    names = [name for group in simulation.groups for name in group.names]
    return [
        *("game", "turns", "finished", "player", "strategy", "place", "won", "score"),
        *simulation.extras,
        *(
            name if names.count(name) == 1 else f"{group.key}:{name}"
            for group in simulation.groups
            for name in group.names
        ),
    ]


def csv_rows(
    result: Result,
    players: Sequence[str],
    strategies: Sequence[NamedPlayer],
    simulation: Simulation,
) -> Iterator[list[object]]:
    """Return the rows of one game, see :func:`csv_heads`."""
    for nth, player in enumerate(result.players):
        figures = result.figures[nth]
        yield [
            *(result.number, result.turns, int(result.finished)),
            *(no_formula(players[player]), strategies[player].name),
            *(result.places[nth], int(result.won[nth]), result.scores[nth]),
            *(figures["", name] for name in simulation.extras),
            *(figures[group.key, name] for group in simulation.groups for name in group.names),
        ]


def no_formula(text: str) -> str:
    """Return a text for a cell; spreadsheets compute what begins like a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def json_of(
    result: Result,
    players: Sequence[str],
    strategies: Sequence[NamedPlayer],
    simulation: Simulation,
) -> dict[str, object]:
    """Return one game for a line of JSON; a figure that only comes up at times is left out if 0."""
    return document(
        game=result.number,
        deal=result.deal,
        turns=result.turns,
        finished=result.finished,
        players=[
            {
                "player": players[player],
                "strategy": strategies[player].name,
                **({"code": digest} if (digest := strategies[player].digest) else {}),
                "seat": result.seats[nth] + 1,
                "place": result.places[nth],
                "won": result.won[nth],
                "score": result.scores[nth],
                **{name: figures["", name] for name in simulation.extras},
                **{
                    group.key: {
                        name: number
                        for name in group.names
                        if (number := figures[group.key, name]) or group.heads
                    }
                    for group in simulation.groups
                },
            }
            for nth, (player, figures) in enumerate(
                zip(result.players, result.figures, strict=True)
            )
        ],
    )


def tally_json(
    tally: Tally, players: Sequence[str], strategies: Sequence[NamedPlayer], simulation: Simulation
) -> dict[str, object]:
    """Return the results of a simulation for a document."""
    return {
        "deals": tally.deals,
        "games": tally.games,
        "given_up": tally.given_up,
        "turns": _spread(tally.turns),
        "players": [
            {
                "player": player,
                "strategy": strategies[nth].name,
                "games": scores.total(),
                "won": _share_json(tally.won(nth)) if scores else None,
                "score": _spread(scores),
                "figures": {
                    group.key: {
                        name: tally.figures[nth][group.key, name] / (scores.total() or 1)
                        for name in group.names
                    }
                    for group in simulation.groups
                },
                "against": [
                    {"player": opponent, "games": share.games, "ahead": _share_json(share)}
                    for other, opponent in enumerate(players)
                    if (share := tally.ahead(nth, other))
                ],
            }
            for nth, (player, scores) in enumerate(zip(players, tally.scores, strict=True))
        ],
    }


def _share_json(one: Frequency) -> dict[str, float]:
    return {"share": one.share, "low": one.low, "high": one.high}


def _spread(values: Counter[int]) -> dict[str, float] | None:
    """Return the mean of counted values, and how they spread."""
    if not values:
        return None
    return {
        "mean": mean(values),
        "least": min(values),
        "quarter": quantile(values, 0.25),
        "median": quantile(values, 0.5),
        "three_quarters": quantile(values, 0.75),
        "most": max(values),
    }


# -- The file from which a simulation goes on


_FILE = "simulation"
"""What the first line says that the file is."""
_LONGEST = 1 << 20
"""Bytes of a line; an edition is part of the first one."""
_MOST = 1 << 40
"""A number of a line, which no game comes near."""
_FACTS = ("player", "strategy", "code", "seat", "place", "won", "score")
"""What a line tells of a player beside figures."""

Key = tuple[tuple[tuple[str, str | None], ...], int, int]
"""What a game follows from beside the first line: the strategies with the digests of their code,
the deal, and where the first one sits.
"""


class Saved(NamedTuple):
    """The contents of the file of a simulation."""

    about: Mapping[str, Any]
    """What is played, but for the strategies and the number of games."""
    games: Mapping[Key, Result]
    size: int
    """Bytes up to the end of the last whole line."""
    torn: bool
    """Whether a line is cut off behind it."""


def key_of(game: Seating | Result, strategies: Sequence[NamedPlayer]) -> Key:
    """Return what a game follows from."""
    turned = game.turned if isinstance(game, Seating) else game.seats[0]
    own = (strategies[player] for player in game.players)
    return tuple((one.name, one.digest) for one in own), game.deal, turned


def read_saved(path: Path) -> Saved | None:
    """Return the contents of the file of a simulation; ``None`` if there is none, or an empty one.

    Raises FileError, and InvalidFileError for what is no such file.
    """
    try:
        with path.open("rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise FileError(f"{path} is not a regular file; name another one.")
            return _read(file, str(path))
    except FileNotFoundError:
        return None
    except IsADirectoryError:
        raise FileError(f"{path} is a folder; name a file in it.") from None
    except OSError as error:
        raise FileError(f"{path} cannot be read: {error.strerror}.") from None


def _read(file: BinaryIO, name: str) -> Saved | None:
    about: dict[str, Any] | None = None
    games: dict[Key, Result] = {}
    size = 0
    for number, line in enumerate(iter(partial(file.readline, _LONGEST), b""), start=1):
        if about and not line.endswith(b"\n") and len(line) < _LONGEST:
            return Saved(about, games, size, True)
        try:
            text = line.decode("utf-8-sig").strip()
            if about and text:
                key, result = _game(json.loads(text))
                games[key] = result
            elif text:
                about = _about(json.loads(text))
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            sentence = (
                (
                    "This line is not a game of a simulation. Remove the line to continue; "
                    "the game is played again."
                )
                if about
                else (
                    "This is not the file of a simulation; name another one, or one that "
                    "does not exist yet."
                )
            )
            raise InvalidFileError(Place(name, number, 1), sentence) from None
        size += len(line)
    return Saved(about, games, size, False) if about else None


def _about(thing: dict[str, Any]) -> dict[str, Any]:
    if (thing.pop("porto"), thing.pop("file")) != (FORMAT, _FILE):
        raise ValueError
    if not isinstance(thing["seed"], str):
        raise ValueError
    return thing


def _game(thing: dict[str, Any]) -> tuple[Key, Result]:
    players = thing["players"]
    figures = tuple(map(_figures, players))
    seats = tuple(_number(one["seat"]) - 1 for one in players)
    if sorted(seats) != list(range(len(players))) or thing["deal"] < 1:
        raise ValueError
    result = Result(
        number=_number(thing["game"]),
        deal=_number(thing["deal"]),
        players=tuple(range(len(players))),
        seats=seats,
        turns=_number(thing["turns"]),
        places=tuple(_number(one["place"]) for one in players),
        scores=tuple(_number(one["score"]) for one in players),
        won=tuple(_flag(one["won"]) for one in players),
        figures=figures,
        finished=_flag(thing["finished"]),
    )
    strategies = tuple((one["strategy"], one.get("code")) for one in players)
    return (strategies, result.deal, seats[0]), result


def _figures(of_player: dict[str, Any]) -> Counter[Figure]:
    found: Counter[Figure] = Counter()
    for key, value in of_player.items():
        if isinstance(value, dict):
            found.update({(key, name): _number(number) for name, number in value.items()})
        elif key not in _FACTS:
            found["", key] = _number(value)
    return found


def _number(thing: object) -> int:
    if type(thing) is not int or abs(thing) > _MOST:
        raise ValueError
    return thing


def _flag(thing: object) -> bool:
    if not isinstance(thing, bool):
        raise ValueError
    return thing


@contextmanager
def appended(
    path: Path, saved: Saved | None, about: Mapping[str, Any]
) -> Iterator[Callable[[object], None]]:
    """Open a file to add lines to it, without what is cut off at its end; yield what adds one.

    A new file gets the line with what is played. Each line is written at once, and what was added
    before stays, whatever happens. Two programs that add to a file at once play some games twice,
    with the same result; no more than that. Raises FileError.
    """
    with _written(path):
        # Without a buffer: a line is written when it is added, and nothing is left to be written.
        file = path.open("ab", buffering=0)

    def add(thing: object) -> None:
        data = dumps(thing).encode() + b"\n"
        with _written(path), held():
            while data:
                data = data[file.write(data) :]

    with file:
        if saved is None:
            add(document(file=_FILE, **about))
        elif saved.torn:
            with _written(path):
                file.truncate(saved.size)
        yield add


@contextmanager
def _written(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise FileError(
            f"{path} cannot be written: {error.strerror}. The games in it are kept; the "
            "same command continues."
        ) from None
