"""An analysis as text: the dearest moves, how each player has played, and the chances to win."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from porto_cli.core.message import Sentence, say
from porto_cli.players.analysis import MARKS, Analysis, Summary, Turn, signed
from porto_cli.term.spans import BOLD, DIM, PLAIN, Line, cells, cut, wrapped

DEAREST = 5
"""So many moves are told first."""
_INDENT = 3
_TALL, _LOW = 10, 5
"""Rows of a chart, where there is one, and where there is one for each player."""
_TOLD = 20
"""Most places of a game at which the chances are told in words."""


def analysis_text(
    analysis: Analysis,
    width: int,
    *,
    every_move: bool = False,
    plain: bool = False,
    ascii_only: bool = False,
) -> list[Line]:
    """Return an analysis set to a width; ``plain`` is whole sentences without a table or chart."""
    parts = [_dearest(analysis, width), _players(analysis, width, plain=plain)]
    parts.append(
        _in_words(analysis, width) if plain else _charts(analysis, width, ascii_only=ascii_only)
    )
    if every_move:
        parts.append(_all(analysis, width))
    lines = [line for part in parts for line in [*part, Line()]]
    return [*lines, *_told(notes(analysis), width)]


def notes(analysis: Analysis) -> list[Sentence]:
    """Say what the analysis rests on."""
    told = []
    errors = [turn.error for turn in analysis.turns if turn.behind]
    if errors:
        told.append(
            say(
                "Each choice was judged as before the move, by playing on {samples} times; the "
                "VP lost are uncertain by {error:.1f} on average (one standard error).",
                samples=analysis.samples,
                error=sum(errors) / len(errors),
            )
        )
    elif analysis.turns:
        told.append(
            say(
                "Each choice was judged as before the move, by playing on {samples} times.",
                samples=analysis.samples,
            )
        )
    if not analysis.is_over:
        told.append(
            say(
                "The game is running: turns of others are judged by what lies open, and what they "
                "chose in secret is left out."
            )
        )
    if analysis.is_partial:
        told.append(
            say(
                "Stopped: only the first {done} of {count} turns are judged.",
                done=len(analysis.turns),
                count=analysis.of,
            )
        )
    return told


def headline(turn: Turn, player: str) -> Sentence:
    """Say what a turn lost."""
    facts = {"player": player, "move": turn.move, "vp": turn.behind, "mark": turn.mark}
    if turn.number is None:
        return say("{player}: {move} loses {vp:.1f} VP ({mark}).", **facts)
    return say(
        "Turn {turn}, {player}: {move} loses {vp:.1f} VP ({mark}).", turn=turn.number, **facts
    )


def advice(turn: Turn) -> list[Sentence]:
    """Say what would have been better, and why; nothing if nothing was."""
    if not turn.better:
        return []
    return [say("Better: {move}.", move=turn.better), *_gist(turn.why, turn.why_not)]


def objections(turn: Turn) -> list[Sentence]:
    """Say what there is to say of a move when there was a better one, which it does not share."""
    gist = _gist(turn.why_not, turn.why)
    return [say("The move itself: {reason}", reason=gist[0]), *gist[1:]] if gist else []


def _gist(reasons: Sequence[Sentence], others: Sequence[Sentence]) -> list[Sentence]:
    """Return the first and the last of the reasons that only one of two moves has: what it brings
    now, and what it leaves.
    """
    known = set(map(str, others))
    own = [reason for reason in reasons if str(reason) not in known]
    return own if len(own) < 3 else [own[0], own[-1]]


def _dearest(analysis: Analysis, width: int) -> list[Line]:
    dearest = analysis.dearest(DEAREST)
    if not dearest:
        none = say("No move was clearly worse than the best one.")
        return [_heading(say("The dearest moves")), *_told([none], width)]
    lines = [_heading(say("The dearest moves"))]
    for nth, turn in enumerate(dearest, start=1):
        lines += wrapped(
            str(headline(turn, analysis.players[turn.seat])),
            width,
            first=[(f"{nth}. ", DIM)],
            indent=_INDENT,
        )
        lines += _told([*advice(turn), *objections(turn)], width)
    return lines


def _players(analysis: Analysis, width: int, *, plain: bool) -> list[Line]:
    summaries = analysis.summaries()
    heading = _heading(say("How they played" if len(summaries) > 1 else "How it was played"))
    if plain:
        return [heading, *_told(map(_summary, summaries), width)]
    heads = [str(say("lost")), *(mark for _, mark in MARKS), str(say("luck"))]
    sizes = [max(cells(head), size) for head, size in zip(heads, (5, 3, 3, 3, 6), strict=True)]
    room = max(4, width - _INDENT - sum(sizes) - 2 * len(sizes))
    first = min(room, max(cells(player) for player in analysis.players))
    rows = [("", heads), *((each.player, figures(each)) for each in summaries)]
    lines = [heading]
    for name, row in rows:
        name = cut(name, first)
        text = "".join(f"  {cell:>{size}}" for cell, size in zip(row, sizes, strict=True))
        blank = " " * (first - cells(name))
        lines.append([(" " * _INDENT + name + blank + text, PLAIN if name else DIM)])
    return [
        *lines,
        *_told(
            [
                say(
                    "lost: VP that a move lost on average. luck: VP that it was worth what came "
                    "up, whoever had moved; no loss contains it."
                )
            ],
            width,
        ),
    ]


def figures(summary: Summary) -> list[str]:
    """Return how one player has played as cells: VP lost a move, how many of each mark, luck."""
    lost = "-" if summary.lost is None else f"{summary.lost:.1f}"
    return [lost, *map(str, summary.marks), signed(summary.luck)]


def _summary(summary: Summary) -> Sentence:
    """Say how one player has played."""
    if summary.lost is None:
        return say(
            "{player} had nothing to choose. What came up was worth {luck} VP.",
            player=summary.player,
            luck=signed(summary.luck),
        )
    worst, bad, doubtful = summary.marks
    return say(
        "{player} lost {lost:.1f} VP a move on average, in {judged} turns: {worst} very bad moves "
        "(??), {bad} bad ones (?), {doubtful} doubtful ones (?!). What came up was worth "
        "{luck} VP.",
        player=summary.player,
        lost=summary.lost,
        judged=summary.judged,
        worst=worst,
        bad=bad,
        doubtful=doubtful,
        luck=signed(summary.luck),
    )


def _courses(analysis: Analysis) -> list[tuple[float, ...]]:
    """Return the chances to win from the setup on, one entry for each table."""
    return [analysis.wins, *(turn.wins for turn in analysis.turns)]


def _in_words(analysis: Analysis, width: int) -> list[Line]:
    courses, count = _courses(analysis), len(analysis.turns)
    step = max(1, -(-count // _TOLD))
    told = [_chances(analysis, say("At the start"), courses[0])]
    for nth, turn in enumerate(analysis.turns, start=1):
        if turn.number is not None and (nth % step == 0 or nth == count):
            told.append(_chances(analysis, say("After turn {turn}", turn=turn.number), turn.wins))
    lines = [_heading(say("The chances to win"))]
    for sentence in told:
        lines += _told([sentence], width)
    return lines


def _chances(analysis: Analysis, when: Sentence, wins: Sequence[float]) -> Sentence:
    chances = ", ".join(
        f"{player} {win:.0%}" for player, win in zip(analysis.players, wins, strict=True)
    )
    return say("{when}: {chances}.", when=when, chances=chances)


def _charts(analysis: Analysis, width: int, *, ascii_only: bool) -> list[Line]:
    """Draw the chance to win of each player; of two one is enough."""
    courses = _courses(analysis)
    shown = range(len(analysis.players)) if len(analysis.players) > 2 else range(1)
    height = _LOW if len(shown) > 1 else _TALL
    lines: list[Line] = []
    for seat in shown:
        name = cut(analysis.players[seat], width - 30)
        now = courses[-1][seat]
        heading = say("The chance of {player} to win: {win:.0%}", player=name, win=now)
        if analysis.is_over and not analysis.is_partial:
            heading = say("The chance of {player} to win", player=name)
        lines.append(_heading(heading))
        full = "#" if ascii_only else "█"
        lines += _chart([wins[seat] for wins in courses], width, height, full)
    return [*lines, *_axis(analysis, width)]


_LABEL = 6


def _place(nth: int, count: int, width: int) -> int:
    """Return the column at which the nth of so many tables begins."""
    room = width - _LABEL
    return nth * (room // count) if count <= room else nth * room // count


def _chart(chances: Sequence[float], width: int, height: int, full: str) -> list[Line]:
    count = len(chances)
    columns = [0.0] * _place(count, count, width)
    for nth, chance in enumerate(chances):
        for column in range(_place(nth, count, width), _place(nth + 1, count, width)):
            columns[column] = chance
    lines: list[Line] = []
    for row in range(height, 0, -1):
        label = {height: "100 %", height // 2: " 50 %" if height % 2 == 0 else "", 1: "  0 %"}
        text = "".join(full if chance > (row - 0.5) / height else " " for chance in columns)
        lines.append([(f"{label.get(row, ''):<{_LABEL}}", DIM), (text, PLAIN)])
    return lines


def _axis(analysis: Analysis, width: int) -> list[Line]:
    """Number the turns below a chart."""
    count = len(analysis.turns) + 1
    text, used = "", 0
    for nth, turn in enumerate(analysis.turns, start=1):
        if turn.number is None or turn.number % 10:
            continue
        place = _place(nth, count, width)
        if place >= used and place + len(str(turn.number)) <= width - _LABEL:
            text += " " * (place - len(text)) + str(turn.number)
            used = len(text) + 1
    word = str(say("turn"))
    return [[(f"{word:<{_LABEL}}{text}", DIM)]]


def _all(analysis: Analysis, width: int) -> list[Line]:
    lines = [_heading(say("All moves"))]
    for turn in analysis.turns:
        start = "" if turn.number is None else str(turn.number)
        text = f"{analysis.players[turn.seat]}: {turn.move}"
        facts = [_verdict(turn), *advice(turn)[:1]]
        if any(turn.luck):
            luck = turn.luck[turn.seat]
            facts.append(say("What came up was worth {luck} VP.", luck=signed(luck)))
        lines += wrapped(
            " ".join([f"{text}.", *map(str, facts)]),
            width,
            first=[(f"{start:>4} {turn.mark:<2} ", BOLD if turn.mark else DIM)],
            indent=8,
        )
    return lines


def _verdict(turn: Turn) -> Sentence:
    if turn.behind is None:
        return say("Forced.")
    if not turn.better:
        return say("As good as the best.")
    return say("Lost {vp:.1f} VP.", vp=turn.behind)


def _heading(sentence: Sentence) -> Line:
    return [(str(sentence), BOLD)]


def _told(sentences: Iterable[Sentence], width: int) -> list[Line]:
    text = " ".join(map(str, sentences))
    blank = [(" " * _INDENT, PLAIN)]
    return wrapped(text, width, first=blank, indent=_INDENT) if text else []
