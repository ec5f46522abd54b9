"""An analysis for readers: as text, as what it adds to the page of a game, and as JSON.

What judges moves is not imported: a page can be without an analysis, and then nothing is added.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from porto_cli.core.documents import document
from porto_cli.core.message import say
from porto_cli.paper.document import (
    BOLD,
    DIM,
    PLAIN,
    Document,
    Drawing,
    Gap,
    Grid,
    Heading,
    Node,
    Paragraph,
    joined_text,
)
from porto_cli.paper.markup import Html, tag
from porto_cli.paper.story import Measure, Story
from porto_cli.term.screen import Screen
from porto_cli.term.spans import Line, cut

if TYPE_CHECKING:
    from porto_cli.players.analysis import Analysis, Summary, Turn, TurningPoint
    from porto_cli.players.coach import Prospect

# -- Text: the costliest moves, how each player has played, and the chances to win


COSTLIEST = 5
"""Number of the costliest moves that are listed."""
_INDENT = 3
_TALL, _LOW = 10, 5
"""Rows of a chart, where there is one, and where there is one for each player."""
_MOST_IN_WORDS = 20
"""Maximum number of places of a game at which the chances are given in words."""


def analysis_document(analysis: Analysis, *, every_move: bool = False) -> Document:
    """Return an analysis as a document; in sentences it has neither a table nor a chart."""
    parts: list[Sequence[Node]] = [[_chances_to_win(analysis)]]
    if analysis.turns or not analysis.is_partial:
        # An analysis that was stopped before its first turn says nothing about the players.
        parts = [_costliest(analysis), _players(analysis), *parts]
    if every_move:
        parts.append(_all(analysis))
    nodes = [node for part in parts for node in [*part, Gap()]]
    return Document("", [*nodes, *_indented(notes(analysis))])


def notes(analysis: Analysis) -> list[str]:
    """Say what the analysis is based on."""
    found = [
        (
            "Chances to win are quick estimates from what each player could see, scaled to "
            "add up to 100 %; they are the same as in 'porto hint'."
        )
    ]
    doubts = [turn.doubt for turn in analysis.turns if turn.behind]
    if doubts:
        found.append(
            f"Each choice was judged as before the move, with at most {analysis.samples} "
            "playouts. The VP lost in a turn are accurate to about ± "
            f"{sum(doubts) / len(doubts):.1f}, with a probability of 95 %; moves that "
            "differ by less are about equal, and count as nothing lost."
        )
    elif analysis.turns:
        found.append(
            f"Each choice was judged as before the move, with at most {analysis.samples} playouts."
        )
    if not analysis.is_over:
        found.append(
            "The game is running: turns of others are judged by what is open, and what "
            "they chose in secret is left out."
        )
    if analysis.is_partial:
        found.append(
            f"Stopped: only the first {len(analysis.turns)} of {analysis.of} turns are judged."
        )
    return found


def decisive(point: TurningPoint, players: Sequence[str]) -> str:
    """Say which turn decided a game."""
    turn = point.turn
    return (
        f"What decided it: turn {turn.number}, {players[turn.seat]}: {turn.move}. The chance "
        f"of {players[point.winner]} to win rose from {point.before:.0%} to "
        f"{point.after:.0%}."
    )


def headline(turn: Turn, player: str) -> str:
    """Say what a turn lost."""
    facts = {"player": player, "move": turn.move, "vp": turn.behind, "mark": turn.mark}
    if turn.number is None:
        return say("{player}: {move} loses {vp:.1f} VP ({mark}).", **facts)
    return say(
        "Turn {turn}, {player}: {move} loses {vp:.1f} VP ({mark}).", turn=turn.number, **facts
    )


def advice(turn: Turn) -> list[str]:
    """Say what would have been better, and why, and which moves are about equal."""
    if not turn.better:
        return [f"About equal: {_list(turn.equal)}."] if turn.equal else []
    found = [f"Better: {turn.better}.", *_main_reasons(turn.why, turn.why_not)]
    if turn.equal:
        others = [move for move in turn.equal if move != turn.better]
        found.append(f"About equal to that: {_list(others)}.")
    return found


def _list(moves: Sequence[str]) -> str:
    return "; ".join(moves)


def objections(turn: Turn) -> list[str]:
    """Say what a move does, for better or worse, that a better one does not do."""
    reasons = _main_reasons(turn.why_not, turn.why)
    return [f"The move itself: {reasons[0]}", *reasons[1:]] if reasons else []


def _main_reasons(reasons: Sequence[str], others: Sequence[str]) -> list[str]:
    """Return the first and the last of the reasons that only one of two moves has: what it brings
    now, and what it leaves.
    """
    known = set(map(str, others))
    own = [reason for reason in reasons if str(reason) not in known]
    return own if len(own) < 3 else [own[0], own[-1]]


def _costliest(analysis: Analysis) -> list[Node]:
    nodes: list[Node] = [Heading("The costliest moves")]
    for nth, turn in enumerate(analysis.costliest(COSTLIEST), start=1):
        what = headline(turn, analysis.players[turn.seat])
        nodes.append(Paragraph([what], first=[(f"{nth}. ", DIM)], indent=_INDENT))
        nodes += _indented([*advice(turn), *objections(turn)])
    return nodes if len(nodes) > 1 else [*nodes, *_indented([_NO_MISTAKE])]


_NO_MISTAKE = "No move was clearly worse than the best one."


def _players(analysis: Analysis) -> list[Node]:
    summaries = analysis.summaries()
    grid = Grid(
        ["", "lost", *summaries[0].marks, "luck"],
        [[[one.player], *([figure] for figure in figures(one))] for one in summaries],
        numbers=range(1, 6),
        spoken=[_summary(one) for one in summaries],
        least=(5, 3, 3, 3, 6),
        shortest=4,
        indent=_INDENT,
    )
    about = (
        "lost: average VP lost per move. luck: VP gained by what came up, on anybody's turn; "
        "not counted in 'lost'."
    )
    heading = say("How they played" if len(summaries) > 1 else "How it was played")
    # Sentences are for listeners, to whom columns mean nothing.
    return [Heading(heading), grid, *(node._replace(spoken=()) for node in _indented([about]))]


def figures(summary: Summary) -> list[str]:
    """Return how one player has played as cells: VP lost a move, how many of each mark, luck."""
    lost = "-" if summary.lost is None else f"{summary.lost:.1f}"
    return [lost, *map(str, summary.marks.values()), signed(summary.luck)]


def signed(vp: float) -> str:
    """Return VP to one decimal with a sign, except for 0."""
    rounded = round(vp, 1)
    return f"{rounded:+.1f}" if rounded else "0.0"


def _summary(summary: Summary) -> str:
    """Say how one player has played."""
    if summary.lost is None:
        return (
            f"{summary.player} had nothing to choose. What came up was worth "
            f"{signed(summary.luck)} VP to them."
        )
    worst, bad, doubtful = summary.marks.values()
    return (
        f"{summary.player} lost {summary.lost:.1f} VP a move on average, in {summary.judged} "
        f"turns: {worst} very bad moves (??), {bad} bad ones (?), {doubtful} doubtful ones "
        f"(?!). What came up was worth {signed(summary.luck)} VP to them."
    )


def _courses(analysis: Analysis) -> list[tuple[float, ...]]:
    """Return the chances to win from the setup on, one entry for each table."""
    return [analysis.wins, *(turn.wins for turn in analysis.turns)]


def _chances_to_win(analysis: Analysis) -> Drawing:
    """Return the chances as charts, and in words."""
    return Drawing(
        lines=lambda screen: _charts(analysis, screen),
        spoken=["The chances to win", *_in_words(analysis)],
    )


def _in_words(analysis: Analysis) -> Iterator[str]:
    count = len(analysis.turns)
    step = max(1, -(-count // _MOST_IN_WORDS))
    yield _chances(analysis, "At the start", analysis.wins)
    for nth, turn in enumerate(analysis.turns, start=1):
        if turn.number is not None and (nth % step == 0 or nth == count):
            yield _chances(analysis, f"After turn {turn.number}", turn.wins)


def _chances(analysis: Analysis, when: str, wins: Sequence[float]) -> str:
    chances = ", ".join(
        f"{player} {win:.0%}" for player, win in zip(analysis.players, wins, strict=True)
    )
    return f"{when}: {chances}."


def _charts(analysis: Analysis, screen: Screen) -> list[Line]:
    """Draw the chance to win of each player; for two players, one chart is enough."""
    width, full = screen.width, "#" if screen.ascii else "█"
    courses = _courses(analysis)
    shown = range(len(analysis.players)) if len(analysis.players) > 2 else range(1)
    height = _LOW if len(shown) > 1 else _TALL
    lines: list[Line] = []
    for seat in shown:
        name = cut(analysis.players[seat], width - 30)
        now = courses[-1][seat]
        heading = f"The chance of {name} to win: {now:.0%}"
        if analysis.is_over and not analysis.is_partial:
            heading = f"The chance of {name} to win"
        lines.append([(str(heading), BOLD)])
        lines += _chart([wins[seat] for wins in courses], width, height, full)
    return [*lines, *_axis(analysis, width)]


_LABEL = 6


def _place(nth: int, count: int, width: int) -> int:
    """Return the column at which the nth table of a course begins."""
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
    word = "turn"
    return [[(f"{word:<{_LABEL}}{text}", DIM)]]


def _all(analysis: Analysis) -> list[Node]:
    nodes: list[Node] = [Heading("All moves")]
    for turn in analysis.turns:
        start = "" if turn.number is None else str(turn.number)
        move = f"{analysis.players[turn.seat]}: {turn.move}."
        facts = [move, _verdict(turn)]
        if turn.better:
            facts += advice(turn)[:1]
        if any(turn.luck):
            luck = turn.luck[turn.seat]
            facts.append(f"What came up was worth {signed(luck)} VP to them.")
        mark = (f"{start:>4} {turn.mark:<2} ", BOLD if turn.mark else DIM)
        nodes.append(Paragraph(facts, first=[mark], indent=8))
    return nodes


def _verdict(turn: Turn) -> str:
    if turn.behind is None:
        return "Forced."
    if not turn.better:
        return "About equal to the best one." if turn.equal else "The best one."
    return f"Lost {turn.behind:.1f} VP."


def _indented(sentences: Sequence[str]) -> list[Paragraph]:
    """Return a paragraph below a heading; nothing if there are no sentences."""
    return [Paragraph(sentences, first=[" " * _INDENT], indent=_INDENT)] if sentences else []


# -- Pages


def judged(story: Story, analysis: Analysis) -> Story:
    """Return a story with the comments on its turns, the chances to win, and how each player has
    played.
    """
    turns = _by_turn(analysis)
    chances = _percent(analysis, len(story.frames))
    frames = [
        frame._replace(
            body=[*frame.body, *_judgments(analysis, turns.get(number, ()))],
            numbers=[*frame.numbers, chances[number]],
        )
        for number, frame in enumerate(story.frames)
    ]
    return story._replace(
        frames=frames,
        measures=[*story.measures, Measure("Chance to win in %")],
        below=[*_figures_of_players(analysis), *story.below],
    )


def _by_turn(analysis: Analysis) -> dict[int, list[Turn]]:
    """Return what is judged with each turn, by its number: the turn itself, and before it choices
    that are no turns. Those after the last turn are judged with it.
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


def _judgments(analysis: Analysis, turns: Sequence[Turn]) -> Iterator[Html]:
    """Yield a paragraph for each turn that was judged."""
    for turn in turns:
        if turn.behind is None:
            continue
        sentences = [_judgment(turn, analysis.players[turn.seat]), *advice(turn)]
        if turn.mark:
            sentences += objections(turn)
        mark = [tag("b", turn.mark), " "] if turn.mark else []
        yield tag("p", *mark, joined_text(sentences), class_="judged")


def _judgment(turn: Turn, player: str) -> str:
    if turn.number is None:
        facts = {"player": player, "move": turn.move, "vp": turn.behind}
        if turn.better:
            return say("{player}: {move} lost {vp:.1f} VP.", **facts)
        return say("{player}: {move} was as good as the best choice.", **facts)
    if turn.better:
        return f"The move lost {turn.behind:.1f} VP."
    if turn.equal:
        return "No other move is clearly better."
    return "It was the best move."


def _percent(analysis: Analysis, frames: int) -> list[list[int | None]]:
    """Return the chances to win in each frame: the setup, then turn after turn.

    After the last turn that is judged they stay as they were.
    """
    found = [analysis.wins]
    for turn in analysis.turns:
        if turn.number is not None:
            found += [found[-1]] * (turn.number - len(found)) + [turn.wins]
    found = [*found, *[found[-1]] * (frames - len(found))][:frames]
    return [[round(100 * win) for win in wins] for wins in found]


def _figures_of_players(analysis: Analysis) -> Iterator[Node]:
    """Yield how each player has played, and what that is based on."""
    summaries = analysis.summaries()
    yield Heading("How they played")
    yield Grid(
        ["player", "VP lost a move", *summaries[0].marks, "luck in VP"],
        [[[one.player], *([cell] for cell in figures(one))] for one in summaries],
        numbers=range(1, 6),
    )
    luck = "Luck is what came up, on anybody's turn; it is not counted as lost."
    yield Paragraph([luck, *notes(analysis)], DIM)


# -- JSON, see porto-json(5)


_DIGITS = 3
"""Digits of VP and chances; more would suggest a precision that no sample has."""


def analysis_json(analysis: Analysis, game_id: str) -> dict[str, object]:
    """Return an analysis as a document. Players stand in turn order."""
    return document(
        game=game_id,
        players=list(analysis.players),
        over=analysis.is_over,
        partial=analysis.is_partial,
        samples=analysis.samples,
        summaries=[_summary_json(one) for one in analysis.summaries()],
        wins=_rounded(analysis.wins),
        turns=[_turn_json(one, analysis) for one in analysis.turns],
    )


def _summary_json(summary: Summary) -> dict[str, object]:
    return {
        "player": summary.player,
        "judged": summary.judged,
        "lost": None if summary.lost is None else round(summary.lost, _DIGITS),
        "marks": summary.marks,
        "luck": round(summary.luck, _DIGITS),
    }


def _turn_json(turn: Turn, analysis: Analysis) -> dict[str, object]:
    judged = turn.behind is not None
    return {
        "turn": turn.number,
        "player": analysis.players[turn.seat],
        "move": turn.move,
        "before": _prospect_json(turn.before),
        "after": _prospect_json(turn.after),
        "lost": None if turn.behind is None else round(turn.behind, _DIGITS),
        "error": round(turn.error, _DIGITS) if judged else None,
        "mark": turn.mark or None,
        "better": turn.better or None,
        "equal": list(turn.equal),
        "why": [str(one) for one in turn.why],
        "why_not": [str(one) for one in turn.why_not],
        "luck": _rounded(turn.luck),
        "wins": _rounded(turn.wins),
    }


def _prospect_json(prospect: Prospect) -> dict[str, float]:
    return {"margin": round(prospect.margin, _DIGITS), "win": round(prospect.win, _DIGITS)}


def _rounded(numbers: tuple[float, ...]) -> list[float]:
    return [round(number, _DIGITS) for number in numbers]
