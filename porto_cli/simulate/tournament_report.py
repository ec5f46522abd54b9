"""What came out of a tournament: as tables, as rows of CSV, or as a document."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from porto_cli.core.documents import document
from porto_cli.core.message import Sentence, say
from porto_cli.simulate.elo import Rating
from porto_cli.simulate.report import LONGEST_NAME, no_formula, table
from porto_cli.simulate.tournament import Against, Standings
from porto_cli.simulate.tournament_file import Setup
from porto_cli.term.spans import Line, cells, wrapped

CSV_HEADS = (
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
        return wrapped(str(say("No deal was played to its end by any pairing.")), width)
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
            "At least, at most: won, or lost, everything against those with a rating. With this "
            "one the chance of that was 5%."
        )
    if Rating(None, None, None) in ratings:
        yield say("?: not compared yet with those who have a rating.")
    if standings.given_up:
        yield say(
            "Games given up because they did not end, which do not count: {games}.",
            games=f"{standings.given_up:,}",
        )
    if standings.waiting:
        yield say(
            "Games of deals that are not played from all seats yet, which do not count: {games}.",
            games=f"{standings.waiting:,}",
        )


def csv_rows(standings: Standings) -> Iterator[list[object]]:
    """Return a row for each player and opponent, see :data:`CSV_HEADS`."""
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
    """Return what came out as a document. ``complete`` if no game is left to play."""
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
