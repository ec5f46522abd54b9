"""The results of a simulation: a table of the whole, or a row for every game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from porto_cli.core.documents import FORMAT
from porto_cli.core.message import Sentence, say
from porto_cli.core.ruling import ruling
from porto_cli.games.porto.ui.scoring import SOURCES
from porto_cli.simulate.loop import RULES, Outcome, Tally, mean, quantile
from porto_cli.term.spans import BOLD, DIM, PLAIN, Line, cells, padded, wrapped

_SOURCE_HEADS = ("floors", "neighbors", "ground", "roof", "public", "private")
_LONGEST_NAME = 24
_FORMULA = tuple("=+-@＝＋－＠")
_SURE = 1.96
"""Standard errors to each side that hold a share with 95% confidence."""


def tally_text(
    tally: Tally, players: Sequence[str], width: int, *, solo: bool = False, running: bool = False
) -> list[Line]:
    """Return what came out of a simulation as lines.

    ``solo`` if they were solo games, ``running`` if they played a running game on.
    """
    if not tally.games:
        return wrapped(str(say("No game was played to its end.")), width)
    return [
        *wrapped(str(_length(tally)), width),
        [],
        *_wins(tally, players, width, solo=solo),
        [],
        *_sources(tally, players, width, running=running),
        [],
        *_rules(tally, width),
    ]


def _length(tally: Tally) -> Sentence:
    facts: dict[str, object] = {
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
            **facts,
        )
    return say("Games: {games}. Turns: {mean} on average, {least} to {most}.", **facts)


def _wins(tally: Tally, players: Sequence[str], width: int, *, solo: bool) -> list[Line]:
    heads = ["won", "±", "mean VP", "least", "25%", "median", "75%", "most"]
    rows = []
    for seat, scores in enumerate(tally.scores):
        share = tally.wins[seat] / tally.games
        doubt = _SURE * (share * (1 - share) / tally.games) ** 0.5
        rows.append(
            [
                *(f"{share:.1%}", f"{doubt:.1%}", f"{mean(scores):.1f}", min(scores)),
                *(quantile(scores, part) for part in (0.25, 0.5, 0.75)),
                max(scores),
            ]
        )
    title = (
        say("Solo games won (± at 95% confidence), and scores")
        if solo
        else say("Games won (± at 95% confidence), and scores")
    )
    return _table(str(title), players, heads, rows, width)


def _sources(tally: Tally, players: Sequence[str], width: int, *, running: bool) -> list[Line]:
    heads = [*_SOURCE_HEADS, "total"]
    rows = []
    for sources in tally.sources:
        means = [vp / tally.games for vp in sources]
        rows.append([f"{vp:.1f}" for vp in (*means, sum(means))])
    title = (
        say("Where the VP of the simulated turns came from, on average (ground and roof: tokens)")
        if running
        else say("Where the VP came from, on average (ground and roof: tokens)")
    )
    return _table(str(title), players, heads, rows, width)


def _rules(tally: Tally, width: int) -> list[Line]:
    fired = [rule for rule in RULES if tally.rules[rule]]
    rows = [
        [f"{tally.rules[rule] / tally.games:.2f}", f"{tally.games_with[rule] / tally.games:.0%}"]
        for rule in fired
    ]
    title = say("How often the rulings came up")
    lines = _table(str(title), fired, ["a game", "of games"], rows, width)
    for line, rule in zip(lines[-len(fired) :], fired, strict=True):
        line.append((f"  {ruling(rule).title}", DIM))
    return lines


def _table(
    title: str,
    names: Sequence[str],
    heads: Sequence[str],
    rows: Iterable[Sequence[Any]],
    width: int,
) -> list[Line]:
    """Set rows of figures under their heads, with a title above."""
    first = min(_LONGEST_NAME, max(map(cells, names)))
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
        lines.append([*padded([(name[:_LONGEST_NAME], PLAIN)], first), (line(row), PLAIN)])
    return lines


CSV_HEADS = (
    *("game", "turns", "finished", "player", "strategy", "place", "won", "score", "fulfilled"),
    *SOURCES,
    *RULES,
)
"""The columns of the CSV: one row for each player of each game."""


def csv_rows(
    outcome: Outcome, players: Sequence[str], strategies: Sequence[str]
) -> Iterator[list[object]]:
    """Return the rows of one game, see ``CSV_HEADS``."""
    for seat, player in enumerate(players):
        yield [
            *(outcome.number, outcome.turns, int(outcome.finished)),
            *(_no_formula(player), strategies[seat]),
            *(outcome.places[seat], int(outcome.won[seat])),
            *(outcome.scores[seat], outcome.fulfilled[seat]),
            *outcome.sources[seat],
            *(outcome.rules[seat][rule] for rule in RULES),
        ]


def _no_formula(text: str) -> str:
    """Return a text for a cell; spreadsheets compute what begins like a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def json_of(
    outcome: Outcome, players: Sequence[str], strategies: Sequence[str]
) -> dict[str, object]:
    """Return one game for a line of JSON."""
    return {
        "porto": FORMAT,
        "game": outcome.number,
        "turns": outcome.turns,
        "finished": outcome.finished,
        "players": [
            {
                "player": player,
                "strategy": strategies[seat],
                "place": outcome.places[seat],
                "won": outcome.won[seat],
                "score": outcome.scores[seat],
                "fulfilled": outcome.fulfilled[seat],
                "sources": dict(zip(SOURCES, outcome.sources[seat], strict=True)),
                "rules": {rule: count for rule in RULES if (count := outcome.rules[seat][rule])},
            }
            for seat, player in enumerate(players)
        ],
    }
