"""An analysis as parts of the page that goes through a game, see :mod:`porto_cli.term.stepping`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from porto_cli.core.message import Sentence, say
from porto_cli.players.analysis import MARKS, Analysis, Turn
from porto_cli.players.analysis_text import advice, figures, notes, objections
from porto_cli.term.page import grid, row
from porto_cli.term.svg import escaped

STYLE = """.judged{border-left:.3rem solid var(--line);padding-left:.6rem}
.judged b{color:var(--accent)}
"""
"""What a page with an analysis looks like besides."""


def by_turn(analysis: Analysis) -> dict[int, list[Turn]]:
    """Return what there is to tell with each turn, by its number: the turn itself, and before it
    choices that are no turns. Behind the last turn they are told with it.
    """
    found: dict[int, list[Turn]] = {}
    waiting: list[Turn] = []
    last = 0
    for turn in analysis.turns:
        waiting.append(turn)
        if turn.number is not None:
            last = turn.number
            found.setdefault(last, []).extend(waiting)
            waiting = []
    if waiting:
        found.setdefault(last, []).extend(waiting)
    return found


def judgments(analysis: Analysis, turns: Iterable[Turn]) -> Iterator[str]:
    """Yield a paragraph for each turn that was judged."""
    for turn in turns:
        if turn.behind is None:
            continue
        told = [_verdict(turn, analysis.players[turn.seat]), *advice(turn)]
        if turn.mark:
            told += objections(turn)
        mark = f"<b>{escaped(turn.mark)}</b> " if turn.mark else ""
        yield f'<p class="judged">{mark}{escaped(" ".join(map(str, told)))}</p>'


def _verdict(turn: Turn, player: str) -> Sentence:
    if turn.number is None:
        facts = {"player": player, "move": turn.move, "vp": turn.behind}
        if turn.better:
            return say("{player}: {move} lost {vp:.1f} VP.", **facts)
        return say("{player}: {move} was as good as the best choice.", **facts)
    if turn.better:
        return say("The move lost {vp:.1f} VP.", vp=turn.behind)
    return say("The move was as good as the best one.")


def chances(analysis: Analysis, frames: int) -> list[tuple[float, ...]]:
    """Return the chances to win in each of so many frames: the setup, then turn after turn.

    After the last turn that is judged they stay as they were.
    """
    found = [analysis.wins]
    for turn in analysis.turns:
        if turn.number is not None:
            found += [found[-1]] * (turn.number - len(found)) + [turn.wins]
    return [*found, *[found[-1]] * (frames - len(found))][:frames]


def players(analysis: Analysis) -> list[str]:
    """Return how each player has played, and what that rests on."""
    heads = [say("player"), say("VP lost a move"), *(mark for _, mark in MARKS), say("luck in VP")]
    rows = []
    for one in analysis.summaries():
        numbers = (f'<td class="n">{cell}</td>' for cell in figures(one))
        rows.append(row(f'<th scope="row">{escaped(one.player)}</th>', *numbers))
    told = [
        say(
            "Luck is what came up, whoever had moved; no loss contains it. Chances to win are as "
            "each player sees them at a glance, made to add up, and means of a round."
        ),
        *notes(analysis),
    ]
    return [
        f"<h2>{say('How they played')}</h2>",
        *grid(map(escaped, heads), rows),
        f'<p class="soft">{escaped(" ".join(map(str, told)))}</p>',
    ]
