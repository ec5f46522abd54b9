"""The results of a simulation: a table of the whole, or a row or JSON for every game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from porto_cli.core.documents import FORMAT
from porto_cli.core.message import Sentence, say
from porto_cli.simulate.loop import Result
from porto_cli.simulate.simulation import Group, Simulation
from porto_cli.simulate.tally import Tally, mean, quantile
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
    """Return what came out of a simulation as lines.

    ``running`` if the games went on from a running one.
    """
    if not tally.games:
        return wrapped(str(say("No game was played to its end.")), width)
    lines = [*wrapped(str(_length(tally)), width), [], *_wins(tally, players, width)]
    for group in simulation.groups:
        title = (group.title_of_running if running else None) or group.title
        lines.append([])
        if group.heads:
            lines += _by_player(tally, group, str(title), players, width)
        else:
            lines += _by_name(tally, group, str(title), width)
    return lines


def _length(tally: Tally) -> Sentence:
    fields: dict[str, object] = {
        "games": f"{tally.games:,}",
        "mean": f"{mean(tally.turns):.1f}",
        "least": min(tally.turns),
        "most": max(tally.turns),
        "given_up": f"{tally.given_up:,}",
    }
    if tally.given_up:
        return say(
            "Games: {games}. Turns: {mean} on average, {least} to {most}. Games given up because "
            "they did not end: {given_up}.",
            **fields,
        )
    return say("Games: {games}. Turns: {mean} on average, {least} to {most}.", **fields)


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
    """Set rows of figures under their heads, with a title above."""
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
