"""The results of a simulation: its report, its games, and the file from which it is resumed.

The first two are JSON, see porto-json(5): tables are made from the report, CSV from the games.

The file consists of lines of JSON. The first one says what is played; each other one is a game as
in the report, with a digest of the code of those players that do not come with the program. Lines
are only added; one that was cut off at the end is removed first. Lines that are not needed, such as
games of other players, stay for later.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, TypeVar

from porto_cli import simulate as limits
from porto_cli.abilities import Figure, Group, Simulation
from porto_cli.core import FileError
from porto_cli.core.files import held, readable
from porto_cli.core.values import FORMAT, document, dumps
from porto_cli.core.yaml import InvalidFileError, Place
from porto_cli.paper import Gap, Grid, Heading, Node, Paragraph
from porto_cli.simulate import (
    Frequency,
    GameResult,
    Seating,
    SeatResult,
    Start,
    Tally,
    games_of,
    simulation_of,
)

if TYPE_CHECKING:
    from porto_cli.players.named import NamedPlayer

T = TypeVar("T")

LONGEST_NAME = 24
_MOST_ACROSS = 5
"""Maximum number of columns, one for each player, in one part of the table of all against all."""
_FORMULA = tuple("=+-@＝＋－＠")


def simulation_rows(report: dict[str, Any], simulation: Simulation) -> Iterator[Node]:
    """Yield the report of a simulation, see porto-json(5), as tables."""
    turns, found = report["turns"], ["No game was played to its end."]
    if turns:
        found = [
            f"Games: {report['games']:,}. Turns: {turns['mean']:.1f} on average, "
            f"{turns['least']} to {turns['most']}."
        ]
    if many := report["given_up"]:
        # The limit comes first: it is what the reader wants to know.
        games = "game" if many == 1 else "games"
        found.append(f"Given up after {limits.LONGEST:,} turns, and not counted: {many:,} {games}.")
    yield Paragraph(found)
    if not turns:
        return
    yield from _wins(report["players"])
    if len(report["players"]) > report["seats"]:
        yield from _crossed(report["players"])
    for group in simulation.groups:
        title = (group.title_of_running if report["position"] else None) or group.title
        if group.heads:
            rows = [
                [one["player"], *(f"{mean:.1f}" for mean in (*means, sum(means)))]
                for one in report["players"]
                for means in [one["figures"][group.key].values()]
            ]
            yield from _table(title, [*group.heads, "total"], rows)
        else:
            yield from _by_name(title, group, report["figures"][group.key])


def _wins(players: Sequence[dict[str, Any]]) -> Iterator[Node]:
    solo = "Solo games" if len(players) == 1 else "Games"
    heads = ["won", "95%", "mean VP", "least", "25%", "median", "75%", "most"]
    rows = []
    for one in players:
        won, score = one["won"], one["score"]
        row = [""] * len(heads)
        if won:
            interval = f"{100 * won['low']:.1f}–{won['high']:.1%}"
            average, *others = score.values()
            row = [f"{won['share']:.1%}", interval, f"{average:.1f}", *map(str, others)]
        rows.append([one["player"], *row])
    yield from _table(f"{solo} won (with 95% confidence intervals), and scores", heads, rows)


def _crossed(players: Sequence[dict[str, Any]]) -> Iterator[Node]:
    """Yield a table with a column for each player, in parts if there are many of them."""
    title = "How often each row's player was ahead of the players numbered above, in %"
    parts = -(-len(players) // _MOST_ACROSS)
    size = -(-len(players) // parts)
    for first in range(0, len(players), size):
        columns = players[first : first + size]
        rows, spoken = [], []
        for one in players:
            shares = {other["player"]: other["ahead"]["share"] for other in one["against"]}
            met = [(name, shares.get(name)) for name in (other["player"] for other in columns)]
            cells = ("-" if share is None else f"{100 * share:.1f}" for _, share in met)
            rows.append([one["player"], *cells])
            ahead = ", ".join(
                f"of {name} in {share:.1%}" for name, share in met if share is not None
            )
            spoken += [f"{one['player']} was ahead {ahead}."] if ahead else []
        heads = [str(first + nth) for nth in range(1, len(columns) + 1)]
        yield from _table("" if first else title, heads, rows, spoken)


def _by_name(title: str, group: Group, figures: dict[str, Any]) -> Iterator[Node]:
    rows = [
        [name, f"{one['mean']:.2f}", f"{one['share']:.0%}"]
        + ([group.explain(name)] if group.explain else [])
        for name, one in figures.items()
        if one["mean"]
    ]
    heads = ["a game", "of games", *([""] if group.explain else [])]
    yield from _table(title, heads, rows)


def _table(
    title: str, heads: Sequence[str], rows: Sequence[Sequence[str]], spoken: Sequence[str] = ()
) -> Iterator[Node]:
    """Yield a table with a title; nothing without rows."""
    if not rows:
        return
    yield Gap()
    if title:
        yield Heading(title)
    cells = []
    for name, *row in rows:
        # A long name is a file, and its end says more.
        short = name if len(name) <= LONGEST_NAME else f"…{name[1 - LONGEST_NAME :]}"
        cells.append([[text] for text in (short, *row)])
    # A column without a head has explanations.
    numbers = [nth for nth, head in enumerate(heads, start=1) if head]
    yield Grid(["", *heads], cells, numbers, spoken=spoken or None)


def counted(simulation: Simulation) -> list[Figure]:
    """Return the figures of all groups, in order."""
    return [(group.key, name) for group in simulation.groups for name in group.names]


_OF_A_GAME = ("game", "turns", "finished")
_OF_A_PLAYER = ("player", "strategy", "place", "won", "score")


def csv_heads(simulation: Simulation) -> list[str]:
    """Return the columns of the CSV, which has one row for each player of each game."""
    names = [name for _, name in counted(simulation)]
    figures = (
        name if names.count(name) == 1 else f"{group}:{name}" for group, name in counted(simulation)
    )
    return [*_OF_A_GAME, *_OF_A_PLAYER, *simulation.extras, *figures]


def csv_rows(game: dict[str, Any], simulation: Simulation) -> Iterator[list[object]]:
    """Yield the rows of a game, which is given as in a line of JSON; see :func:`csv_heads`."""
    for one in game["players"]:
        facts = [game[key] for key in _OF_A_GAME]
        facts += [one[key] for key in (*_OF_A_PLAYER, *simulation.extras)]
        figures = (one[group].get(name, 0) for group, name in counted(simulation))
        yield [*map(_csv_cell, facts), *figures]


def _csv_cell(fact: Any) -> object:
    """Return a fact for a cell. Spreadsheets would evaluate a text that begins like a formula, so
    it is quoted.
    """
    if isinstance(fact, str):
        return f"'{fact}" if fact.startswith(_FORMULA) else fact
    return int(fact)


Key = tuple[tuple[tuple[str, str | None], ...], int, int]
"""What determines a game, besides what is the same for all of a simulation: the strategies with
the digests of their code, the deal, and the seat of the first one.
"""


class Study(NamedTuple):
    """The games of a simulation, and who plays them."""

    start: Start
    strategies: Sequence[NamedPlayer]
    players: Sequence[str]
    """The names of the players."""
    deals: int
    played: Mapping[str, Any]
    """What determines the games besides the strategies."""

    @property
    def games(self) -> int:
        """The number of games."""
        seats, rotate = self.played["seats"], self.played["rotate"]
        return games_of(len(self.strategies), seats, self.deals, rotate=rotate)

    @property
    def simulation(self) -> Simulation:
        """What the game counts."""
        return simulation_of(self.start.game_id)

    def key(self, game: Seating | GameResult) -> Key:
        """Return what determines a game."""
        turned = game.turned if isinstance(game, Seating) else game.played[0].seat
        own = (self.strategies[player] for player in game.players)
        return tuple((one.name, one.digest) for one in own), game.deal, turned

    def line(self, result: GameResult) -> dict[str, Any]:
        """Return a game for a line of JSON; figures of groups without heads are left out if 0."""
        played = zip(result.players, result.played, strict=True)
        return document(
            game=result.number,
            deal=result.deal,
            turns=result.turns,
            finished=result.finished,
            players=[
                {
                    "player": self.players[player],
                    "strategy": self.strategies[player].name,
                    **({"code": digest} if (digest := self.strategies[player].digest) else {}),
                    "seat": one.seat + 1,
                    "place": one.place,
                    "won": one.won,
                    "score": one.score,
                    **{name: one.figures["", name] for name in self.simulation.extras},
                    **{
                        group.key: {
                            name: number
                            for name in group.names
                            if (number := one.figures[group.key, name]) or group.heads
                        }
                        for group in self.simulation.groups
                    },
                }
                for player, one in played
            ],
        )

    def report(self, tally: Tally) -> dict[str, Any]:
        """Return the results of all games as a document."""

        def of_player(nth: int, scores: Counter[int]) -> dict[str, object]:
            games, figures = scores.total(), tally.figures[nth]
            return {
                "player": self.players[nth],
                "strategy": self.strategies[nth].name,
                "games": games,
                "won": _share_json(tally.won(nth)) if games else None,
                "score": _spread(scores),
                "figures": _grouped(self.simulation, lambda one: figures[one] / (games or 1)),
                "against": [
                    {"player": opponent, "games": share.games, "ahead": _share_json(share)}
                    for other, opponent in enumerate(self.players)
                    if (share := tally.ahead(nth, other))
                ],
            }

        def of_all(figure: Figure) -> dict[str, float]:
            games = tally.games or 1
            return {"mean": tally.total(figure) / games, "share": tally.games_with[figure] / games}

        return document(
            **self.played,
            complete=tally.games + tally.given_up == self.games,
            deals=tally.deals,
            games=tally.games,
            given_up=tally.given_up,
            turns=_spread(tally.turns),
            players=[of_player(nth, scores) for nth, scores in enumerate(tally.scores)],
            figures=_grouped(self.simulation, of_all),
        )


def _grouped(simulation: Simulation, value: Callable[[Figure], T]) -> dict[str, dict[str, T]]:
    """Return a value for each figure, by group and name."""
    return {
        group.key: {name: value((group.key, name)) for name in group.names}
        for group in simulation.groups
    }


def _share_json(one: Frequency) -> dict[str, float]:
    return {"share": one.share, "low": one.low, "high": one.high}


def _spread(values: Counter[int]) -> dict[str, float] | None:
    """Return the mean, extremes and quartiles of counted values."""
    if not values:
        return None
    ordered = sorted(values.elements())
    # The smallest value that a quarter, a half, three quarters of the values do not exceed.
    quarter, half, three = (ordered[(len(ordered) * part + 3) // 4 - 1] for part in (1, 2, 3))
    return {
        "mean": sum(ordered) / len(ordered),
        "least": ordered[0],
        "quarter": quarter,
        "median": half,
        "three_quarters": three,
        "most": ordered[-1],
    }


# -- The file from which a simulation is resumed


_FILE = "simulation"
"""The kind of file, in its first line."""
_NO_GAME = (
    "This line is not a game of a simulation. Remove it to continue; the game will be played again."
)
_NO_SIMULATION = "This is not the file of a simulation; name another one, or a new one."
_LONGEST = 1 << 20
"""Maximum number of bytes of a line; the first one can contain an edition."""
_MOST = 1 << 40
"""The largest number accepted in a line; no game comes near it."""
_FACTS = ("player", "strategy", "code", "seat", "place", "won", "score")
"""The keys of a player in a line, besides figures."""


class Saved(NamedTuple):
    """The contents of the file of a simulation."""

    about: Mapping[str, Any]
    """What is played, without the strategies and the number of games."""
    games: Mapping[Key, GameResult]
    size: int
    """The number of bytes up to the end of the last whole line."""
    torn: bool
    """Whether a cut-off line follows."""


def read_saved(path: Path) -> Saved | None:
    """Return the contents of the file of a simulation; ``None`` if it does not exist or is empty.

    Raises FileError, and InvalidFileError if it is not the file of a simulation.
    """
    if not os.path.exists(path):
        return None
    if not os.path.isfile(path):
        what = "a folder" if os.path.isdir(path) else "not a regular file"
        raise FileError(f"{path} is {what}; name another one.")
    with readable(path), path.open("rb") as file:
        return _read(file, str(path))


def _read(file: BinaryIO, name: str) -> Saved | None:
    about: dict[str, Any] | None = None
    games: dict[Key, GameResult] = {}
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
            sentence = _NO_GAME if about else _NO_SIMULATION
            raise InvalidFileError(Place(name, number, 1), sentence) from None
        size += len(line)
    return Saved(about, games, size, False) if about else None


def _about(thing: dict[str, Any]) -> dict[str, Any]:
    if (thing.pop("porto"), thing.pop("file")) != (FORMAT, _FILE):
        raise ValueError
    _checked(thing["seed"], str)
    return thing


def _game(thing: dict[str, Any]) -> tuple[Key, GameResult]:
    players = thing["players"]
    played = tuple(
        SeatResult(
            _checked(one["seat"], int) - 1,
            _checked(one["place"], int),
            _checked(one["score"], int),
            _checked(one["won"], bool),
            _figures(one),
        )
        for one in players
    )
    if sorted(one.seat for one in played) != list(range(len(players))) or thing["deal"] < 1:
        raise ValueError
    result = GameResult(
        number=_checked(thing["game"], int),
        deal=_checked(thing["deal"], int),
        players=tuple(range(len(players))),
        played=played,
        turns=_checked(thing["turns"], int),
        finished=_checked(thing["finished"], bool),
    )
    strategies = tuple((one["strategy"], one.get("code")) for one in players)
    return (strategies, result.deal, played[0].seat), result


def _figures(of_player: dict[str, Any]) -> Counter[Figure]:
    found: Counter[Figure] = Counter()
    for key, value in of_player.items():
        if isinstance(value, dict):
            found.update({(key, name): _checked(number, int) for name, number in value.items()})
        elif key not in _FACTS:
            found["", key] = _checked(value, int)
    return found


def _checked(thing: object, kind: type[T]) -> T:
    """Return a value of a line. Raises ValueError if it has the wrong type or is out of range."""
    if type(thing) is not kind or (isinstance(thing, int) and abs(thing) > _MOST):
        raise ValueError
    return thing


@contextmanager
def appended(
    path: Path, saved: Saved | None, about: Mapping[str, Any]
) -> Iterator[Callable[[object], None]]:
    """Open a file to add lines to it, after removing a cut-off line; yield the function that adds
    one.

    A new file begins with the line about what is played. Each line is written immediately, and
    earlier ones stay whatever happens. If two programs add to a file at once, the worst that
    happens is that they play some games twice, with the same results. Raises FileError.
    """
    with _written(path):
        # Unbuffered: a line is written when it is added, and nothing is left to write later.
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
