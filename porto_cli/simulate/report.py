"""The results of a simulation or a tournament: tables, rows of CSV, and JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from porto_cli.core.documents import FORMAT, document
from porto_cli.core.message import Sentence, say
from porto_cli.simulate import simulation as limits
from porto_cli.simulate.elo import Rating
from porto_cli.simulate.simulation import Group, Result, Simulation, Tally, mean, quantile
from porto_cli.simulate.tournament import Against, Setup, Standings
from porto_cli.term.spans import BOLD, DIM, PLAIN, Line, cells, padded, wrapped

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
        return _said([say("No game was played to its end."), *given_up], width)
    lines = [*_said([_length(tally), *given_up], width), [], *_wins(tally, players, width)]
    for group in simulation.groups:
        title = (group.title_of_running if running else None) or group.title
        lines.append([])
        if group.heads:
            lines += _by_player(tally, group, str(title), players, width)
        else:
            lines += _by_name(tally, group, str(title), width)
    return lines


def _length(tally: Tally) -> Sentence:
    return say(
        "Games: {games}. Turns: {mean} on average, {least} to {most}.",
        games=f"{tally.games:,}",
        mean=f"{mean(tally.turns):.1f}",
        least=min(tally.turns),
        most=max(tally.turns),
    )


def _given_up(count: int) -> Sentence:
    """Say why games are missing: whoever reads it looks for the limit, not for the games."""
    return say(
        "Given up after {most:,} turns, and not counted: {count:,} {games}.",
        most=limits.LONGEST,
        count=count,
        games=say("game") if count == 1 else say("games"),
    )


def _said(sentences: Iterable[Sentence], width: int) -> list[Line]:
    """Set sentences one behind the other."""
    return wrapped(" ".join(map(str, sentences)), width)


def _wins(tally: Tally, players: Sequence[str], width: int) -> list[Line]:
    heads = ["won", "±", "mean VP", "least", "25%", "median", "75%", "most"]
    rows = []
    for seat, scores in enumerate(tally.scores):
        share, doubt = tally.share(seat)
        rows.append(
            [
                *(f"{share:.1%}", f"{doubt:.1%}", f"{mean(scores):.1f}", min(scores)),
                *(quantile(scores, part) for part in (0.25, 0.5, 0.75)),
                max(scores),
            ]
        )
    title = (
        say("Solo games won (± at 95% confidence), and scores")
        if len(players) == 1
        else say("Games won (± at 95% confidence), and scores")
    )
    return table(str(title), players, heads, rows, width)


def _by_player(
    tally: Tally, group: Group, title: str, players: Sequence[str], width: int
) -> list[Line]:
    rows = []
    for figures in tally.figures:
        means = [figures[group.key, name] / tally.games for name in group.names]
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
        lines.append([*padded([(name[:LONGEST_NAME], PLAIN)], first), (line(row), PLAIN)])
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
    result: Result, players: Sequence[str], strategies: Sequence[str], simulation: Simulation
) -> Iterator[list[object]]:
    """Return the rows of one game, see :func:`csv_heads`."""
    for seat, player in enumerate(players):
        figures = result.figures[seat]
        yield [
            *(result.number, result.turns, int(result.finished)),
            *(no_formula(player), strategies[seat]),
            *(result.places[seat], int(result.won[seat]), result.scores[seat]),
            *(figures["", name] for name in simulation.extras),
            *(figures[group.key, name] for group in simulation.groups for name in group.names),
        ]


def no_formula(text: str) -> str:
    """Return a text for a cell; spreadsheets compute what begins like a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def json_of(
    result: Result, players: Sequence[str], strategies: Sequence[str], simulation: Simulation
) -> dict[str, object]:
    """Return one game for a line of JSON; a figure that only comes up at times is left out if 0."""
    return {
        "porto": FORMAT,
        "game": result.number,
        "turns": result.turns,
        "finished": result.finished,
        "players": [
            {
                "player": player,
                "strategy": strategies[seat],
                "place": result.places[seat],
                "won": result.won[seat],
                "score": result.scores[seat],
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
            for seat, (player, figures) in enumerate(zip(players, result.figures, strict=True))
        ],
    }


STANDINGS_HEADS = (
    *("player", "elo", "elo low", "elo high", "opponent", "deals", "games"),
    *("share", "share ±", "margin", "margin ±"),
)
"""The columns of the CSV, which has a row for each player and opponent."""
NARROW = 55
"""Columns of a screen that has no place for how many games each has played."""
SHORTEST_NAME = 8
"""Columns for a name and its number, however narrow the screen is."""


def standings_text(
    standings: Standings, setup: Setup, anchor: str | None, width: int
) -> list[Line]:
    """Return the tables of a tournament as lines."""
    if not standings.games:
        given_up = [_given_up(standings.given_up)] * (standings.given_up > 0)
        return _said([say("No deal was played to its end by any pairing."), *given_up], width)
    heads, rows = _columns(standings, setup.seats, anchor, width)
    sizes = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    room = min(LONGEST_NAME, max(SHORTEST_NAME, width - sum(sizes) - len(sizes)))
    names = _numbered([one.player for one in standings.players], room)
    lines = [*table(str(_title(anchor)), names, heads, rows, width), []]
    shares = (
        say("Games won, in %: each row against those with the numbers above")
        if setup.seats == 2
        else say("How often ahead, in %: each row of those with the numbers above")
    )
    lines += _crossed(standings, str(shares), names, lambda one: f"{one.share:.1%}"[:-1], width)
    margins = say("VP ahead, on average: each row of those with the numbers above")
    lines += [[], *_crossed(standings, str(margins), names, lambda one: _signed(one.margin), width)]
    lines.append([])
    for sentence in _remarks(standings, setup):
        lines += wrapped(str(sentence), width)
    return lines


def _numbered(players: Sequence[str], room: int) -> list[str]:
    """Return names with their numbers; of long ones, which are files, the end."""
    size = len(str(len(players)))
    most = room - size - 1
    short = [name if cells(name) <= most else f"…{name[1 - most :]}" for name in players]
    return [f"{number:>{size}} {name}" for number, name in enumerate(short, start=1)]


def _title(anchor: str | None) -> Sentence:
    if anchor is None:
        return say("Elo (± at 95% confidence; 0 on average), and means against all others")
    return say(
        "Elo (± at 95% confidence; {anchor} is 0), and means against all others", anchor=anchor
    )


def _columns(
    standings: Standings, seats: int, anchor: str | None, width: int
) -> tuple[list[str], list[list[str]]]:
    """Return the heads and the rows of the first table, with less of it for narrow screens."""
    heads = ["Elo", "±", "won %" if seats == 2 else "ahead %", "VP ahead", "games"]
    rows = [
        [
            _elo(one.rating),
            "" if one.player == anchor else _doubt(one.rating),
            f"{one.share:.1%}"[:-1] if one.games else "",
            _signed(one.margin) if one.games else "",
            f"{one.games:,}",
        ]
        for one in standings.players
    ]
    if width < NARROW:
        heads, rows = heads[:-1], [row[:-1] for row in rows]
    return heads, rows


def _elo(rating: Rating) -> str:
    if rating.elo is not None:
        return f"{round(rating.elo):+d}" if round(rating.elo) else "0"
    if rating.low is not None:
        return str(say("at least {elo:+d}", elo=int(rating.low)))
    if rating.high is not None:
        return str(say("at most {elo:+d}", elo=int(rating.high)))
    return "?"


def _doubt(rating: Rating) -> str:
    if rating.elo is None:
        return ""
    return "?" if rating.high is None else str(round(rating.high - rating.elo))


def _signed(number: float) -> str:
    return f"{number:+.1f}"


def _crossed(
    standings: Standings,
    title: str,
    names: Sequence[str],
    cell: Callable[[Against], str],
    width: int,
) -> list[Line]:
    """Return a table with a column for each player, in parts where the screen is narrow."""
    players = [one.player for one in standings.players]
    rows = [
        [
            "-" if one == other else cell(found) if found else ""
            for other in players
            for found in [standings.against.get((one, other))]
        ]
        for one in players
    ]
    size = max(len(text) for row in rows for text in row) + 1
    many = max(1, (width - max(map(cells, names))) // size)
    lines: list[Line] = []
    for first in range(0, len(players), many):
        columns = range(first, min(first + many, len(players)))
        heads = [str(number + 1) for number in columns]
        part = [[row[number] for number in columns] for row in rows]
        some = table(title, names, heads, part, width)
        lines += some if not first else [[], *some[len(wrapped(title, width)) :]]
    return lines


def _remarks(standings: Standings, setup: Setup) -> Iterator[Sentence]:
    yield say(
        "Games: {games}. Deals: {deals}, each from every seat.",
        games=f"{standings.games:,}",
        deals=f"{standings.deals:,}",
    )
    if setup.seats > 2:
        yield say(
            "One player sits at a table with {others} of another one; 'ahead' is by places, of "
            "each of these.",
            others=setup.seats - 1,
        )
    ratings = [one.rating for one in standings.players]
    if any(rating.elo is None and rating != Rating(None, None, None) for rating in ratings):
        yield say(
            "At least, at most: won, or lost, everything against those with a rating. At this "
            "rating, such a result has a 5% chance."
        )
    if Rating(None, None, None) in ratings:
        yield say("?: not compared yet with those who have a rating.")
    if standings.given_up:
        yield _given_up(standings.given_up)
    if standings.waiting:
        yield say(
            "Games of deals that are not played from all seats yet, which do not count: {games}.",
            games=f"{standings.waiting:,}",
        )


def standings_rows(standings: Standings) -> Iterator[list[object]]:
    """Return a row for each player and opponent, see :data:`STANDINGS_HEADS`."""
    for one in standings.players:
        for other in standings.players:
            found = standings.against.get((one.player, other.player))
            if found:
                yield [
                    no_formula(one.player),
                    *("" if number is None else round(number, 1) for number in one.rating),
                    no_formula(other.player),
                    *(found.deals, found.games),
                    *(round(found.share, 4), round(found.share_doubt, 4)),
                    *(round(found.margin, 2), round(found.margin_doubt, 2)),
                ]


def standings_json(
    standings: Standings, setup: Setup, anchor: str | None, *, complete: bool
) -> dict[str, object]:
    """Return the result as a document. ``complete`` if no game is left to play."""
    return document(
        game=setup.game,
        options=list(setup.options),
        seats=setup.seats,
        seed=setup.seed,
        bots_version=setup.bots_version,
        anchor=anchor,
        complete=complete,
        deals=standings.deals,
        games=standings.games,
        given_up=standings.given_up,
        waiting=standings.waiting,
        players=[
            {
                "player": one.player,
                **one.rating._asdict(),
                "games": one.games,
                "share": one.share if one.games else None,
                "margin": one.margin if one.games else None,
                "against": [
                    {name: fact for name, fact in found._asdict().items() if name != "player"}
                    for other in standings.players
                    if (found := standings.against.get((one.player, other.player)))
                ],
            }
            for one in standings.players
        ],
    )
