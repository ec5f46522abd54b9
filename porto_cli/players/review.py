"""An analysis for people: the biggest mistakes, how each player has played, the chances of winning,
which turn decided the game; and the page of a game with all of that.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
from random import Random
from time import monotonic
from typing import Any

from porto_cli.core import enumerated, plural
from porto_cli.match.replay import Replay
from porto_cli.paper import BOLD, DIM, PLAIN, Drawing, Gap, Grid, Heading, Node, Paragraph
from porto_cli.paper.html import Html, tag
from porto_cli.paper.page import Measure, Story, round_step
from porto_cli.players import CONFIDENCE, Coach, agreed
from porto_cli.players.analysis import (
    FEWEST,
    MARKS,
    Analysis,
    Question,
    Turn,
    TurnToJudge,
    questions,
)
from porto_cli.players.hint import INDENT, indented, judgment, percent, speaking
from porto_cli.players.named import coach_of
from porto_cli.seam import Turn as Told
from porto_cli.term import Line, Screen, cut


def signed(vp: float) -> str:
    """Return VP to one decimal with a sign, except for 0."""
    rounded = round(vp, 1)
    return f"{rounded:+.1f}" if rounded else "0.0"


_PATIENT = 60.0
"""Seconds after which the search for the turn that decided the game is given up."""
COSTLIEST = 5
"""The most mistakes that are listed."""
_TALL, _LOW = 10, 5
"""Rows of a single chart, and of one for each player."""
_MOST_IN_WORDS = 20
"""The most turns at which the chances are given in words."""


def analysis_rows(
    analysis: Analysis, replay: Replay, *, every_move: bool = False
) -> Iterator[Node]:
    """Yield the analysis of a game; in sentences it has neither a table nor a chart. If it was
    stopped, that comes first, as the rest says nothing about the end of the game.
    """
    analysis = _without_doubtful(analysis)
    yield from _stopped(analysis)
    if analysis["turns"] or not analysis["partial"]:
        # An analysis that was stopped before its first turn says nothing about the players.
        yield from (*_costliest(analysis, replay), Gap(), *_players(analysis), Gap())
    yield _chances(analysis)
    yield Gap()
    if every_move:
        yield Heading("All moves")
        yield from (_listed(turn, analysis["players"]) for turn in analysis["turns"])
        yield Gap()
    yield from indented(notes(analysis))


def _stopped(analysis: Analysis) -> list[Node]:
    """Return how much of a game an analysis covers, if it was stopped."""
    if not analysis["partial"]:
        return []
    turns, of = len(analysis["turns"]), analysis["turns_in_all"]
    said = f"Stopped: only the first {turns} of {of} turns are judged; the rest may be different."
    return [Paragraph([said], BOLD), Gap()]


def _so_far(analysis: Analysis) -> str:
    """Return which turns something is said of that is not said of the whole game."""
    return f" in the first {plural(len(analysis['turns']), 'turn')}" if analysis["partial"] else ""


def notes(analysis: Analysis) -> list[str]:
    """Return sentences on what the analysis is based on."""
    found = [
        "Chances of winning are quick estimates from what each player could see, scaled to add up "
        "to 100%."
    ]
    turns, samples = analysis["turns"], analysis["samples"]
    doubt = _doubt(analysis)
    if turns:
        found.append(
            "Each choice was judged by what could be known before the move, by playing on from it "
            f"up to {samples:,} times."
        )
    if doubt:
        found.append(
            f"The VP lost in a turn are estimates, usually right to within {doubt:.1f} VP; a "
            "move that lost less is not called a mistake."
        )
    if not analysis["over"]:
        found.append(
            "The game is running: turns of others are judged by what is open, and what they chose "
            "in secret is left out. With --as NAME, NAME's chance of winning is the one that "
            "'porto hint' shows."
        )
    return found


def _doubt(analysis: Analysis) -> float:
    """Return the half width of the 95 % confidence interval of what a turn lost, on average."""
    errors = [turn["error"] or 0.0 for turn in analysis["turns"] if turn["lost"]]
    return round(CONFIDENCE * sum(errors) / len(errors), 1) if errors else 0.0


def _without_doubtful(analysis: Analysis) -> Analysis:
    """Return an analysis without the marks of turns that lost less than its accuracy."""
    doubt = _doubt(analysis)
    turns: list[Turn] = [
        turn if (turn["lost"] or 0.0) >= doubt else {**turn, "mark": None}
        for turn in analysis["turns"]
    ]
    marked = Counter((turn["player"], turn["mark"]) for turn in turns)
    summaries = [
        one | {"marks": {mark: marked[one["player"], mark] for mark in one["marks"]}}
        for one in analysis["summaries"]
    ]
    return {**analysis, "turns": turns, "summaries": summaries}


def _costliest(analysis: Analysis, replay: Replay) -> Iterator[Node]:
    """Yield the biggest mistakes of the people, or of the bots if the people made none."""
    yield Heading(f"Biggest mistakes{_so_far(analysis)}")
    bots = {replay.config.players[seat] for seat in replay.bot_seats}
    marked = [turn for turn in analysis["turns"] if turn["mark"]]
    judged = [turn for turn in marked if turn["player"] not in bots] or marked
    costliest = sorted(judged, key=lambda turn: -float(turn["lost"]))[:COSTLIEST]
    turns = _turns(replay) if costliest else {}
    for nth, turn in enumerate(costliest, start=1):
        heading = turns[turn["turn"]].heading if turn["turn"] else turn["player"]
        mistake = f"{heading}: {turn['move']} ({turn['mark']})."
        yield Paragraph([mistake], first=[(f"{nth}. ", DIM)], indent=INDENT)
        yield from indented(judgment(turn))
    if bots.issuperset(turn["player"] for turn in costliest):
        none = f"turn{_so_far(analysis)} was clearly a mistake."
        said = f"Only bots made these; no other {none}" if costliest else f"No {none}"
        small = "Small differences between moves add up, but they do not show here."
        yield from indented([said, what_decided(replay, _PATIENT) or small])


def _turns(replay: Replay) -> dict[int, Told]:
    """Return the turns of a game by their numbers: the first step of each."""
    steps = [step for step in replay.steps if not step.undone and step.takes_back is None]
    turns = (replay.game.turn(step, None, over=replay.over) for step in reversed(steps))
    return {turn.facts["turn"]: turn for turn in turns if turn.facts["turn"]}


def _listed(turn: Turn, players: Sequence[str]) -> Node:
    """Return a turn for the list of all moves: what it lost, the better move, and its luck."""
    facts = [f"{turn['player']}: {turn['move']}.", *judgment(turn)[: 2 if turn["better"] else 1]]
    if any(turn["luck"]):
        luck = turn["luck"][players.index(turn["player"])]
        facts.append(f"What came up was worth {signed(luck)} VP to them.")
    number, mark = turn["turn"] or "", turn["mark"] or ""
    return Paragraph(facts, first=[(f"{number:>4} {mark:<2} ", BOLD if mark else DIM)], indent=8)


def _players(analysis: Analysis) -> list[Node]:
    """Return how each player has played."""
    summaries = analysis["summaries"]
    least = ", ".join(f"{mark} at least {vp:g}" for vp, mark in MARKS)
    about = (
        "lost: average VP lost per move; only moves that clearly were not the best count, so many "
        "small losses do not show. luck: VP gained by what came up, on anybody's turn; not counted "
        f"in 'lost'. Moves that lost much: {least} VP."
    )
    return [
        Heading(f"How {'they' if len(summaries) > 1 else 'it was'} played{_so_far(analysis)}"),
        Grid(
            ["player", "lost", *summaries[0]["marks"], "luck"],
            [
                [[one["player"]], ["-" if one["lost"] is None else f"{one['lost']:.1f}"]]
                + [[str(count)] for count in one["marks"].values()]
                + [[signed(one["luck"])]]
                for one in summaries
            ],
            numbers=range(1, 6),
            spoken=[*map(_played, summaries)],
        ),
        # Sentences are for listeners, to whom columns mean nothing.
        Paragraph([about], DIM, spoken=()),
    ]


def _played(summary: dict[str, Any]) -> str:
    """Return a sentence on how one player has played."""
    player = summary["player"]
    luck = f"What came up was worth {signed(summary['luck'])} VP to them."
    if summary["lost"] is None:
        return f"{player} had nothing to choose. {luck}"
    worst, bad, doubtful = summary["marks"].values()
    return (
        f"{player} lost {summary['lost']:.1f} VP a move on average, in {summary['judged']} turns: "
        f"{worst} very bad moves (??), {bad} bad ones (?), {doubtful} doubtful ones (?!). {luck}"
    )


_CERTAIN = 0.97
"""A chance of winning that never was lower is said in words: a chart would show nothing."""
_Course = list[tuple[int | None, Sequence[float]]]
"""The chances of all players at the start (turn 0) and after each turn; a choice outside the turns
has no number."""


def _chances(analysis: Analysis) -> Node:
    """Return the chances of winning from the start to the end, as charts and in words, or a
    sentence if a player was always certain to win.
    """
    course: _Course = [(0, analysis["wins"])]
    course += ((turn["turn"], turn["wins"]) for turn in analysis["turns"])
    for seat, player in enumerate(analysis["players"]):
        if len(course) > 1 and min(wins[seat] for _, wins in course) >= _CERTAIN:
            never = f"{player}'s chance of winning was never below {_CERTAIN:.0%}"
            return Paragraph([f"{never}{_so_far(analysis)}."])
    spoken = ["The chances of winning", *_in_words(analysis["players"], course)]
    return Drawing(lines=partial(_charts, analysis, course), spoken=spoken)


def _in_words(players: Sequence[str], course: _Course) -> Iterator[str]:
    """Yield the chances of winning as sentences, for at most about ``_MOST_IN_WORDS`` turns."""
    step, last = max(1, -(-(len(course) - 1) // _MOST_IN_WORDS)), len(course) - 1
    for nth, (turn, wins) in enumerate(course):
        if turn is not None and (nth % step == 0 or nth == last):
            when = f"After turn {turn}" if turn else "At the start"
            pairs = zip(players, wins, strict=True)
            yield f"{when}: {', '.join(f'{one} {percent(win)}' for one, win in pairs)}."


_LABEL = 5
_APART = 6
"""The least number of columns from one number of a chart to the next."""


def _charts(analysis: Analysis, course: _Course, screen: Screen) -> list[Line]:
    """Draw the chances of winning of each player; for two players, one chart is enough."""
    width, players = screen.width, analysis["players"]
    shown = range(len(players)) if len(players) > 2 else range(1)
    last = next((turn for turn, _ in reversed(course) if turn), 0)
    when = f" after turn {last}" if analysis["partial"] else ""
    has_result = analysis["over"] and not analysis["partial"]
    # Each table gets as many columns as fit, or one column stands for several tables.
    room = width - _LABEL
    columns = room - room % len(course) if len(course) <= room else room
    tables = [((column + 1) * len(course) - 1) // columns for column in range(columns)]
    full, height = "#" if screen.ascii else "█", _LOW if len(shown) > 1 else _TALL
    lines: list[Line] = []
    for seat in shown:
        chances = [course[nth][1][seat] for nth in tables]
        now = "" if has_result else f"{when}: {percent(course[-1][1][seat])}"
        lines.append([(f"Chance of winning: {cut(players[seat], width - 40)}{now}", BOLD)])
        label = {height: "100%", 1: "  0%"} | ({height // 2: " 50%"} if height % 2 == 0 else {})
        for row in range(height, 0, -1):
            text = "".join(full if one > (row - 0.5) / height else " " for one in chances)
            lines.append([(f"{label.get(row, ''):<{_LABEL}}", DIM), (text, PLAIN)])
    return [*lines, _axis(course, columns, room)]


def _axis(course: _Course, columns: int, room: int) -> Line:
    """Return the turn numbers below a chart: all of them if there is room, else every few."""
    every = round_step(len(course), room / _APART)
    axis = ""
    for nth, (turn, _) in enumerate(course):
        place = nth * columns // len(course)
        if turn and turn % every == 0 and len(axis) <= place <= room - len(str(turn)):
            axis = f"{axis:<{place}}{turn} "
    return [(f"{'turn':<{_LABEL}}{axis.rstrip()}", DIM)]


LEAST_RISE = 0.1
"""The smallest rise of a chance of winning that counts as decisive."""
NEARLY = 2 / 3
"""The winner's greatest rise is named if it is more than this share of the greatest rise in any
turn, which may have been a rival's."""


def what_decided(replay: Replay, seconds: float) -> str:
    """Return which turn of the winner decided a finished game: the one in which the winner's chance
    rose most, and whether most of that was luck.

    Empty without a coach or a single winner, if no turn of the winner stands out, or if it takes
    longer than ``seconds``. It is also empty if a rival's turn decided the game: that would need a
    reason, and no move is judged. The chances are those of an analysis, which are too rough to use
    in the first half of a game. The last turn does not count: after it there are no chances, only
    the result.
    """
    outcome, coach = replay.game.outcome(replay.state), coach_of(replay.game.meta.id)
    if outcome is None or sum(outcome.won) != 1 or coach is None:
        return ""
    end, course = monotonic() + seconds, questions(replay)
    after = {one.turn: one.after for one in course.questions}
    turns = [(one, after[at]) for at, one in enumerate(course.turns) if one.number]
    middle, winner = (len(turns) - 1) // 2, outcome.won.index(True)
    chances: list[float] = []
    for seen in [course.opening, *(seen for _, seen in turns)][middle:-1]:
        if monotonic() > end:
            return ""
        chances.append(agreed([*map(coach.prospect, seen)])[winner].win)
    rises = [
        (then - before, before, then, asked)
        for (asked, _), (before, then) in zip(turns[middle:], pairwise(chances), strict=False)
    ]
    own = (one for one in rises if one[-1].seat == winner)
    best = max(own, key=lambda one: one[0], default=None)
    if best is None or best[0] <= max(LEAST_RISE, NEARLY * max(rise for rise, *_ in rises)):
        return ""
    rise, before, then, asked = best
    made = [one for one in course.questions if course.turns[one.turn] is asked]
    rng = Random(f"{made[-1].seed}/came-up")
    mean = [coach.expected(view, made[-1].move, rng, samples=FEWEST) for view in made[-1].before]
    is_luck = mean and agreed(mean)[winner].win - before < rise / 2
    rose = f"{course.players[winner]}'s chance of winning rose from {percent(before)}"
    rose += f" to {percent(then)}{', mostly by what came up' if is_luck else ''}."
    return f"{_decisive(replay, asked, made[0], coach)} {rose}"


def _decisive(replay: Replay, asked: TurnToJudge, made: Question, coach: Coach) -> str:
    """Return which turn decided a game, what was done in it, and why that is good, where the VP do
    not say it. ``made`` is the first decision of the turn.
    """
    number, players, turns = asked.number or 0, replay.config.players, _turns(replay)
    name, turn = players[asked.seat], turns[number]
    # A role is followed by what it was taken for.
    then = turns.get(number + 1)
    told = [turn, then] if then and turn.part and then.part == turn.part else [turn]
    news = [one.text for each in told if each.facts["player"] == name for one in each.news]
    acts = [text[len(name) + 1 :].strip(".") for text in news if text.startswith(f"{name} ")]
    did = f"{name} {enumerated(acts)}." if acts else news[0]
    if len(acts) == 1 and " VP" not in did and made.view:
        # What the player got has been told.
        why = speaking(coach.reasons(made.view, made.move)[:1])
        is_new = not any(one.startswith(f"{name} ") or _repeats(one, did) for one in why)
        did = " ".join([did, *why]) if is_new else did
    when = turn.part.partition(",")[0] or f"Turn {number}"
    return f"{when} decided it: {did}"


def _repeats(reason: str, did: str) -> bool:
    """Return whether all amounts of a reason have been told with what was done."""
    amounts = re.findall(r"\d+ [\w-]+", reason)
    return bool(amounts) and all(one in did for one in amounts)


# -- What it adds to the page of a game


def judged(story: Story, analysis: Analysis) -> Story:
    """Return a story with comments on its turns, the chances of winning, and how each player has
    played.

    A choice outside the turns is shown with the next turn, or with the last one. After the last
    judged turn the chances stay as they were.
    """
    analysis = _without_doubtful(analysis)
    turns, last = analysis["turns"], len(story.frames)
    comments: dict[int, list[Html]] = {}
    chances: list[Sequence[float]] = [analysis["wins"]] * last
    place = max((turn["turn"] or 0 for turn in turns), default=0)
    for turn in reversed(turns):
        if turn["turn"] is not None:
            place = turn["turn"]
            chances[place:last] = [turn["wins"]] * (last - place)
            last = place
        comments[place] = [*_comment(turn), *comments.get(place, ())]
    frames = [
        frame._replace(
            body=[*frame.body, *comments.get(number, ())],
            numbers=[*frame.numbers, [round(100 * win) for win in chances[number]]],
        )
        for number, frame in enumerate(story.frames)
    ]
    return story._replace(
        frames=frames,
        measures=[*story.measures, Measure("Chance of winning in %")],
        below=[
            *_stopped(analysis),
            *_players(analysis),
            Paragraph(notes(analysis), DIM),
            *story.below,
        ],
    )


def _comment(turn: Turn) -> Iterator[Html]:
    """Yield a paragraph about a judged turn. Only for a choice outside the turns does it name the
    player and the move; for others the page does so.
    """
    if turn["lost"] is not None:
        made = [] if turn["turn"] else [f"{turn['player']}: {turn['move']}."]
        mark = [tag("b", turn["mark"]), " "] if turn["mark"] else []
        yield tag("p", *mark, " ".join([*made, *judgment(turn)]), class_="judged")
