"""An analysis for people: the biggest mistakes, how each player has played, the chances of winning;
from which round on the winner led; and the page of a game with all of that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby, pairwise
from typing import Any

from porto_cli.core import enumerated, plural
from porto_cli.match.replay import Replay
from porto_cli.paper import BOLD, DIM, PLAIN, Drawing, Gap, Grid, Heading, Node, Paragraph
from porto_cli.paper.html import Html, tag
from porto_cli.paper.page import Measure, Story, round_step
from porto_cli.players import CONFIDENCE
from porto_cli.players.analysis import (
    MARKS,
    Analysis,
    Turn,
)
from porto_cli.players.telling import INDENT, indented, judgment, percent, to_you
from porto_cli.seam import Step
from porto_cli.term import Line, Screen, cut


def signed(vp: float) -> str:
    """Return VP to one decimal with a sign, except for 0."""
    rounded = round(vp, 1)
    return f"{rounded:+.1f}" if rounded else "0.0"


COSTLIEST, FEW = 5, 3
"""The most mistakes that are listed; the most of bots, and the most good turns."""
_RISE = 0.05
"""The least rise of a chance of winning that is told of."""
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
    others = analysis["players"][1:]
    scaled = ", scaled to add up to 100%" if others else ""
    found = [
        "Chances of winning are quick estimates from what each player could see, as 'porto hint' "
        f"shows them{scaled}."
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
    if others and not analysis["over"]:
        found.append(
            "The game is running: turns of others are judged by what is open, and what they chose "
            "in secret is left out."
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
    """Yield the biggest mistakes of the people, or if they made none those of the bots, and the
    turns that raised the chances of the people most. A single person is spoken to.
    """
    names = replay.config.players
    own, so_far = [names[seat] for seat in replay.people], _so_far(analysis)
    reader = own[0] if len(own) == 1 else ""
    to_reader = partial(to_you, reader) if reader else list[str]
    listed = partial(_numbered, replay, reader)
    costliest = sorted(analysis["turns"], key=lambda turn: -(turn["lost"] or 0))
    judged = [(turn, to_reader(judgment(turn))) for turn in costliest if turn["mark"]]
    of_people = [one for one in judged if one[0]["player"] in own]
    worst = "biggest mistakes" if of_people else "mistakes"
    yield Heading(f"{f'Your {worst}' if reader else worst.capitalize()}{so_far}")
    yield from listed(of_people[:COSTLIEST])
    if not of_people:
        small = "Small differences between moves add up, but they do not show here."
        whose = "yours" if reader else enumerated(own, "or")
        course = "" if analysis["partial"] else what_decided(replay)
        said = [f"No turn of {whose}{so_far} was clearly a mistake.", course or small]
        if not any(turn["player"] in own for turn in costliest):
            said = [f"{reader} has not moved yet." if reader else "Nobody has moved yet."]
        yield from indented(to_reader(said))
        yield from [Heading(f"Biggest mistakes of the bots{so_far}")] * bool(judged)
        yield from listed(judged[:FEW])
    if rises := _rises(analysis, own):
        yield Heading(f"{'Your best' if reader else 'Best'} turns{so_far}")
        yield from listed(rises)


def _rises(analysis: Analysis, players: Sequence[str]) -> list[tuple[Turn, list[str]]]:
    """Return the turns that raised the chances of these players most, with what each is worth."""
    turns, found = analysis["turns"], list[tuple[float, Turn, list[str]]]()
    chances = pairwise([analysis["wins"], *(one["wins"] for one in turns)])
    for turn, (before, after) in zip(turns, chances, strict=True):
        seat = analysis["players"].index(turn["player"])
        was, now = before[seat], after[seat]
        said = f"The chance of winning rose from {percent(was)} to {percent(now)}."
        if turn["player"] in players and not turn["mark"]:
            found.append((now - was, turn, [said]))
    found.sort(key=lambda one: -one[0])
    return [(turn, said) for rise, turn, said in found[:FEW] if rise >= _RISE]


def _numbered(
    replay: Replay, reader: str, turns: Iterable[tuple[Turn, Sequence[str]]]
) -> Iterator[Node]:
    """Yield turns in this order, each with what is said of it; those of the reader unnamed."""
    steps = (replay.game.turn(step, None, over=replay.over) for step in reversed(replay.turns()))
    # A turn of several steps has the heading of the first.
    headings = {told.facts["turn"]: told.heading for told in steps}
    for nth, (turn, said) in enumerate(turns, start=1):
        heading = headings[turn["turn"]] if turn["turn"] else turn["player"]
        made = f"{heading.removesuffix(f': {reader}')}: {turn['move']}."
        yield Paragraph([made], first=[(f"{nth}. ", DIM)], indent=INDENT)
        yield from indented(said)


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
    lost = {
        mark: f"{vp:g} to {most:g}" if most else f"at least {vp:g}"
        for (vp, mark), most in zip(MARKS, (0.0, *(vp for vp, _ in MARKS[:-1])), strict=True)
        if any(one["marks"][mark] for one in summaries)
    }
    about = [
        "lost: VP given away in a turn by not making the best move, on average. Differences too "
        "small to be sure of are left out.",
        *(f"{mark}: turns that gave away {vp} VP." for mark, vp in lost.items()),
        "luck: VP that what came up was worth, above (+) or below (-) the average. It is no part "
        "of 'lost'.",
    ]
    return [
        Heading(f"How {'they' if len(summaries) > 1 else 'it was'} played{_so_far(analysis)}"),
        Grid(
            ["player", "lost", *lost, "luck"],
            [
                [[one["player"]], ["-" if one["lost"] is None else f"{one['lost']:.1f}"]]
                + [[str(one["marks"][mark])] for mark in lost]
                + [[signed(one["luck"])]]
                for one in summaries
            ],
            numbers=range(1, 3 + len(lost)),
            spoken=[*map(_played, summaries)],
        ),
        # Sentences are for listeners, to whom columns mean nothing.
        *(Paragraph([one], DIM, spoken=()) for one in about),
    ]


def _played(summary: dict[str, Any]) -> str:
    """Return a sentence on how one player has played."""
    player = summary["player"]
    luck = f"What came up was worth {signed(summary['luck'])} VP to them."
    if summary["lost"] is None:
        return f"{player} had nothing to choose. {luck}"
    kinds = zip(("very bad", "bad", "doubtful"), summary["marks"].items(), strict=True)
    told = [f"{plural(count, f'{kind} turn')} ({mark})" for kind, (mark, count) in kinds if count]
    lost = f"{summary['lost']:.1f} VP a turn on average, in {plural(summary['judged'], 'turn')}"
    return f"{player} lost {lost}{': ' if told else ''}{enumerated(told)}. {luck}"


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


_EARLY = 1 / 3
"""The share of the rounds in which a lead is not told of that was lost later."""


def what_decided(replay: Replay) -> str:
    """Return from which round on the winner of a finished game was ahead of all others after each
    round, without what only the end of the game brings; then, unless that was early, who was ahead
    before, and which of the winner's moves brought the VP.

    Empty without rounds or a single winner, alone, and if a tie was broken.
    """
    game, players, outcome = replay.game, replay.config.players, replay.game.outcome(replay.state)
    if outcome is None or sum(outcome.won) != 1 or not players[1:]:
        return ""

    def round_of(step: Step) -> int:
        return game.glance(step.before, None).round

    def standing(step: Step) -> list[int]:
        """What is secret while a game goes on, each seat knows of itself; but what the end brings
        is no turn's.
        """
        vps = (game.glance(step.after, seat).scores[seat] or 0 for seat in range(len(players)))
        return game.turn(step, None, over=True).facts.get("standing") or [*vps]

    winner = outcome.won.index(True)
    name, rounds = players[winner], [[*some] for _, some in groupby(replay.turns(), round_of)]
    ends = [standing(steps[-1]) for steps in rounds]
    leads = [vps[winner] - max(vps[:winner] + vps[winner + 1 :]) for vps in ends]
    start = max((nth for nth, lead in enumerate(leads, start=1) if lead <= 0), default=0)
    if start == len(leads) or not leads[1:]:
        return ""
    number = round_of(rounds[start][0])
    if start < len(leads) * _EARLY:
        return f"{name} led from round {number} on, by up to {max(leads[start:])} VP."
    acts, before, behind = list[str](), ends[start - 1], -leads[start - 1]
    vps = [before[winner], *(standing(step)[winner] for step in rounds[start])]
    for step, (had, has) in zip(rounds[start], pairwise(vps), strict=True):
        if vp := has - had:
            did = deeds(replay, step, name)
            acts += [one for one in did if " VP" in one] or [f"{enumerated(did)} ({vp} VP)"]
    ahead = enumerated([one for one, vp in zip(players, before, strict=True) if vp == max(before)])
    was = f"{ahead} led by {behind} VP" if behind else "There was a tie for the lead"
    took = f"In round {number} {name} took the lead for good: {name} {enumerated(acts)}."
    return f"{was} after round {number - 1}. {took}"


def deeds(replay: Replay, step: Step, player: str) -> list[str]:
    """Return what a player did in a step of a finished game, in few words without the name."""
    news = replay.game.turn(step, None, over=True).news
    return [one.text.removeprefix(player).strip(" :.") for one in news if one.who == player]


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
