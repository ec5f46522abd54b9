"""What the program thinks of moves, as rows: hints, and analyses of a game.

Both are dicts by the names of their JSON, see porto-json(5). The sentences about a turn are the
same in the text of an analysis and on the page of the game. What judges moves is not imported: a
page can be without an analysis, and then nothing is added.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from porto_cli.core import plural
from porto_cli.match.replay import Replay
from porto_cli.paper import (
    BOLD,
    DIM,
    PLAIN,
    Drawing,
    Gap,
    Grid,
    Heading,
    Node,
    Paragraph,
)
from porto_cli.paper.html import Html, tag
from porto_cli.paper.page import Measure, Story, round_step
from porto_cli.players import CONFIDENCE, Prospect
from porto_cli.players.analysis import MARKS, Analysis, Turn, TurningPoint
from porto_cli.players.named import coach_of
from porto_cli.seam import Turn as Told
from porto_cli.term import Line, Screen, cut

_INDENT = 3


def percent(share: float) -> str:
    """Return a chance as people read it; no estimate makes it certain."""
    if 0 < share < 0.01:
        return "under 1%"
    if 0.99 < share < 1:
        return "over 99%"
    return f"{share:.0%}"


def signed(vp: float) -> str:
    """Return VP to one decimal with a sign, except for 0."""
    rounded = round(vp, 1)
    return f"{rounded:+.1f}" if rounded else "0.0"


def _indented(sentences: Sequence[str], style: str = PLAIN) -> list[Node]:
    """Return a paragraph below a heading; nothing if there are no sentences."""
    if not sentences:
        return []
    return [Paragraph(sentences, style, first=[" " * _INDENT], indent=_INDENT)]


# -- Hints


COMPARED = "By comparison"
"""How a sentence about another move begins, among the reasons for the best one."""
STILL = "Still it is "
"""How the sentence begins that says why a move is recommended that has a risk."""
_CLOSE = 2
"""Moves that are named as about as good."""
_LONGEST = 60
"""Columns of a move that is named: a longer one, like a placement of colonists, is counted."""
_LIKELY, _UNLIKELY = 0.75, 0.1
"""The chances of winning from which on a close game is as good as won, or as lost."""
_COURSES = {
    False: ("finish {} ahead", "finish {} behind", "lose narrowly", "finish close together"),
    True: ("win by {}", "miss the goal by {}", "miss the goal narrowly", "end about at the goal"),
}
"""What a game is on course for, with others and alone: ahead, behind, lost by little, level."""


def in_brief(hint: dict[str, Any]) -> str:
    """Return a hint in a few lines: one move, why, what is about as good, what can be expected; and
    that it can be asked for again.
    """
    best = f"Hint: {hint['moves'][0]['move']} (! shows more)."
    return " ".join([best, *_recommended(hint, brief=True)])


def _recommended(hint: dict[str, Any], *, brief: bool = False) -> list[str]:
    """Say why the move that is recommended is good, which ones are close, and what to expect."""
    best = hint["moves"][0]
    if hint["only_move"]:
        return [_expected(hint)]
    # What the move itself brings, and what it brings compared with others, come first.
    reasons = best["reasons"]
    if brief:
        # A risk is not left without why it is taken.
        reasons = [*reasons[:2], *(one for one in reasons[2:3] if one.startswith(STILL))]
    # Those that are shown come first, in that order.
    listed = dict.fromkeys([*(one["move"] for one in hint["moves"]), *hint["equal"]])
    close = [move for move in listed if move in hint["equal"] and move != best["move"]]
    return [*reasons, *_about_equal(close), _expected(hint)]


def _about_equal(close: Sequence[str]) -> list[str]:
    """Say which moves are about as good, in a sentence if there are any: the names of the best of
    them, and how many more there are.
    """
    named = [move for move in close[:_CLOSE] if len(move) <= _LONGEST]
    more = len(close) - len(named)
    if more and not named:
        return [f"About as good: {plural(more, 'other move')}."]
    rest = f" and {more} more" if more else ""
    return [f"About as good: {'; '.join(named)}{rest}."] if close else []


def hint_rows(hint: dict[str, Any], *, with_commands: bool = True) -> Iterator[Node]:
    """Yield a hint: the move that is recommended and why, what is close and what to expect; the
    next moves with what is different there; maybe the commands that play them.
    """
    best, *others = hint["moves"]
    only = (
        f"{hint['player']} has only one move" if hint["only_move"] else f"Best for {hint['player']}"
    )
    yield Heading(f"{only}: {best['move']}.")
    yield Paragraph(_recommended(hint))
    if with_commands:
        yield _command(best["command"])
    for nth, one in enumerate(others, start=2):
        yield Gap()
        yield Paragraph([f"{one['move']}."], BOLD, first=[(f"{nth}. ", BOLD)], indent=_INDENT)
        equal = one["move"] in hint["equal"]
        yield from _indented([f"{distance(one['behind'], one['doubt'], equal=equal)}."])
        yield from _indented(_differences(one, best, equal=equal), DIM)
        if with_commands:
            yield _command(one["command"])
    if hint["interrupted"]:
        yield from (Gap(), Paragraph(["It was stopped before it had finished thinking."]))


def distance(behind: float, doubt: float, *, equal: bool) -> str:
    """Say how many VP a move is behind the best one, if it is not about as good also how sure that
    is.
    """
    sure = f", give or take {doubt:.1f}" if doubt else ""
    return f"{behind:.1f} VP behind the best{': about as good' if equal else sure}"


def _differences(one: dict[str, Any], best: dict[str, Any], *, equal: bool) -> list[str]:
    """Return the reasons that a move has and the best one has not; of a move without any that is
    behind, the main reason that only the best one has.
    """
    own = [reason for reason in one["reasons"] if reason not in best["reasons"]]
    missing = [
        reason
        for reason in best["reasons"]
        if reason not in one["reasons"] and not reason.startswith((COMPARED, STILL))
    ]
    if own or equal or not missing:
        return own
    return [f"True of the best move, but not of this one: {missing[0]}"]


def _expected(hint: dict[str, Any]) -> str:
    margin, alone = hint["margin"], hint["alone"]
    if alone:
        coach = coach_of(hint["game"])
        if aim := coach.aim(Prospect(margin, hint["win"])) if coach else "":
            return aim
    win, (ahead, behind, lost, level) = hint["win"], _COURSES[alone]
    where = (ahead if margin > 0 else behind).format(f"about {abs(margin):.0f} VP")
    # Who is behind on average can win more often than not, but nobody would expect it.
    if abs(margin) <= 0.5 or (margin < 0) == (win > 0.5):
        where = "win narrowly" if win >= _LIKELY else lost if win <= _UNLIKELY else level
    # Rounded it may look certain, but the game goes on.
    return f"On course to {where}; {percent(min(max(win, 0.001), 0.999))} chance of winning."


def _command(command: str) -> Node:
    """Return a command on a line that is never broken, so that it can be copied."""
    line: Line = [(" " * _INDENT + command, PLAIN)]
    return Drawing(lines=lambda screen: [line], spoken=[f"To play it: {command}"])


# -- An analysis: the biggest mistakes, how each player has played, the chances of winning


COSTLIEST = 5
"""Number of the costliest moves that are listed."""
_TALL, _LOW = 10, 5
"""Rows of a chart, where there is one, and where there is one for each player."""
_MOST_IN_WORDS = 20
"""Maximum number of places of a game at which the chances are given in words."""


def analysis_rows(
    analysis: Analysis, replay: Replay, *, every_move: bool = False
) -> Iterator[Node]:
    """Yield the analysis of a game; in sentences it has neither a table nor a chart. That it was
    stopped comes first, as nothing below holds for the rest of the game.
    """
    analysis = _without_doubtful(analysis)
    yield from _stopped(analysis)
    if analysis["turns"] or not analysis["partial"]:
        # An analysis that was stopped before its first turn says nothing about the players.
        yield from (*_costliest(analysis, replay), Gap(), *_players(analysis), Gap())
    course = _course(analysis)
    certain = _certain(analysis, course)
    charts, told = partial(_charts, analysis, course), _in_words(analysis, course)
    yield certain or Drawing(lines=charts, spoken=["The chances of winning", *told])
    yield Gap()
    if every_move:
        yield Heading("All moves")
        yield from (_listed(turn, analysis["players"]) for turn in analysis["turns"])
        yield Gap()
    yield from _indented(notes(analysis))


def _stopped(analysis: Analysis) -> list[Node]:
    """Say how much of a game an analysis covers, if it was stopped."""
    if not analysis["partial"]:
        return []
    turns, of = len(analysis["turns"]), analysis["turns_in_all"]
    said = f"Stopped: only the first {turns} of {of} turns are judged; the rest may be different."
    return [Paragraph([said], BOLD), Gap()]


def notes(analysis: Analysis) -> list[str]:
    """Say what the analysis is based on."""
    found = [
        "Chances of winning are quick estimates from what each player could see, scaled to add up "
        "to 100%; with --as NAME, that of NAME in a running game is that of 'porto hint'."
    ]
    turns, samples = analysis["turns"], analysis["samples"]
    doubt = _doubt(analysis)
    if turns:
        found.append(f"Each choice was judged as before the move, with at most {samples} playouts.")
    if doubt:
        found.append(
            f"The VP lost in a turn are accurate to about ± {doubt:.1f}, with a probability of "
            "95%; a move that lost less is not called a mistake."
        )
    if not analysis["over"]:
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
    """Return an analysis as it is told: what is lost within its accuracy has no mark."""
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


def decisive(point: TurningPoint, replay: Replay) -> str:
    """Say which turn decided a game."""
    turn = _turns(replay)[point.number]
    # Who plays sees rounds, not turns.
    when = turn.part.partition(",")[0].lower() or f"turn {point.number}"
    return (
        f"What decided it for {point.winner}: {when}, {turn.news[0].text} {point.winner}'s chance "
        f"of winning rose from {percent(point.before)} to {percent(point.after)}."
    )


def judgment(turn: Turn) -> list[str]:
    """Say what a turn lost, what would have been better, and why; of one with a mark also what the
    move itself does that the better one does not do.
    """
    objections = _main_reasons(turn["why_not"], turn["why"]) if turn["mark"] else []
    if objections:
        objections[0] = _of_itself(objections[0])
    return [_verdict(turn), *_advice(turn), *objections]


def _of_itself(reason: str) -> str:
    """Return a reason so that it is clear that it is about the move that was made."""
    if reason.startswith("It "):
        return f"The move itself {reason.removeprefix('It ').replace(' VP now', ' VP', 1)}"
    return f"After the move itself: {reason}"


def _verdict(turn: Turn) -> str:
    if turn["lost"] is None:
        return "No other choice is known."
    if turn["better"]:
        return f"Lost {turn['lost']:.1f} VP."
    return "About as good as the best." if turn["equal"] else "The best move."


def _advice(turn: Turn) -> list[str]:
    better = turn["better"]
    equal = _about_equal([move for move in turn["equal"] if move != better])
    if not better:
        return equal
    return [f"Better: {better}.", *_main_reasons(turn["why"], turn["why_not"]), *equal]


def _main_reasons(reasons: Sequence[str], others: Sequence[str]) -> list[str]:
    """Return the first and the last of the reasons that only one of two moves has: what it brings
    now, and what it leaves.
    """
    own = [reason for reason in reasons if reason not in others]
    return own if len(own) < 3 else [own[0], own[-1]]


def _costliest(analysis: Analysis, replay: Replay) -> Iterator[Node]:
    """Yield the biggest mistakes of the people, or where they made none, of the bots."""
    yield Heading("Biggest mistakes")
    bots = {replay.config.players[seat] for seat in replay.bot_seats}
    marked = [turn for turn in analysis["turns"] if turn["mark"]]
    judged = [turn for turn in marked if turn["player"] not in bots] or marked
    costliest = sorted(judged, key=lambda turn: -float(turn["lost"]))[:COSTLIEST]
    turns = _turns(replay) if costliest else {}
    for nth, turn in enumerate(costliest, start=1):
        who = turns[turn["turn"]].heading if turn["turn"] else turn["player"]
        what = f"{who}: {turn['move']} ({turn['mark']})."
        yield Paragraph([what], first=[(f"{nth}. ", DIM)], indent=_INDENT)
        yield from _indented(judgment(turn))
    if not costliest:
        yield from _indented(["No turn was clearly a mistake."])


def _turns(replay: Replay) -> dict[int, Told]:
    """Return the turns of a game by their numbers, of one in several steps the first."""
    steps = [step for step in replay.steps if not step.undone and step.takes_back is None]
    turns = (replay.game.turn(step, None, over=replay.over) for step in reversed(steps))
    return {turn.facts["turn"]: turn for turn in turns if turn.facts["turn"]}


def _listed(turn: Turn, players: Sequence[str]) -> Node:
    """Return a turn for the list of all moves: what it lost, what would have been better, luck."""
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
        "lost: average VP lost per move. luck: VP gained by what came up, on anybody's turn; not "
        f"counted in 'lost'. Moves that lost much: {least} VP."
    )
    return [
        Heading("How they played" if len(summaries) > 1 else "How it was played"),
        Grid(
            ["player", "lost", *summaries[0]["marks"], "luck"],
            [
                [[one["player"]], ["-" if one["lost"] is None else f"{one['lost']:.1f}"]]
                + [[str(count)] for count in one["marks"].values()]
                + [[signed(one["luck"])]]
                for one in summaries
            ],
            numbers=range(1, 6),
            spoken=[_summary(one) for one in summaries],
        ),
        # Sentences are for listeners, to whom columns mean nothing.
        Paragraph([about], DIM, spoken=()),
    ]


def _summary(summary: dict[str, Any]) -> str:
    """Say how one player has played."""
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
"""The chance of winning from which on a chart shows nothing, if it never was lower."""
_Course = list[tuple[int | None, Sequence[float]]]
"""The chances of all players: at the start (turn 0), and after each turn; a choice that is no turn
has no number."""


def _course(analysis: Analysis) -> _Course:
    return [(0, analysis["wins"]), *((turn["turn"], turn["wins"]) for turn in analysis["turns"])]


def _certain(analysis: Analysis, course: _Course) -> Node | None:
    """Say that a game without a doubt was always won; nothing if there was a doubt."""
    for seat, player in enumerate(analysis["players"]):
        if len(course) > 1 and min(wins[seat] for _, wins in course) >= _CERTAIN:
            return Paragraph([f"{player}'s chance of winning was never below {_CERTAIN:.0%}."])
    return None


def _in_words(analysis: Analysis, course: _Course) -> Iterator[str]:
    """Say what the chances of winning were, at up to :data:`_MOST_IN_WORDS` places."""
    players = analysis["players"]
    step, last = max(1, -(-(len(course) - 1) // _MOST_IN_WORDS)), len(course) - 1
    for nth, (turn, wins) in enumerate(course):
        if turn is not None and (nth % step == 0 or nth == last):
            when = f"After turn {turn}" if turn else "At the start"
            pairs = zip(players, wins, strict=True)
            yield f"{when}: {', '.join(f'{one} {percent(win)}' for one, win in pairs)}."


_LABEL = 5
_APART = 6
"""How many columns have to be between two numbers of a chart."""


def _charts(analysis: Analysis, course: _Course, screen: Screen) -> list[Line]:
    """Draw the chance to win of each player; for two players, one chart is enough."""
    width, players = screen.width, analysis["players"]
    shown = range(len(players)) if len(players) > 2 else range(1)
    last = next((turn for turn, _ in reversed(course) if turn), 0)
    when = f" after turn {last}" if analysis["partial"] else ""
    has_result = analysis["over"] and not analysis["partial"]
    # Each table has as many columns as fit, or each column stands for some tables.
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
    """Number the turns below a chart: each one where there is room, else every few."""
    every = round_step(len(course), room / _APART)
    axis = ""
    for nth, (turn, _) in enumerate(course):
        place = nth * columns // len(course)
        if turn and turn % every == 0 and len(axis) <= place <= room - len(str(turn)):
            axis = f"{axis:<{place}}{turn} "
    return [(f"{'turn':<{_LABEL}}{axis.rstrip()}", DIM)]


# -- What it adds to the page of a game


def judged(story: Story, analysis: Analysis) -> Story:
    """Return a story with the comments on its turns, the chances to win, and how each player has
    played.

    A choice that is no turn stands with the turn that follows, or with the last one. After the last
    turn that is judged the chances stay as they were.
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
    """Yield a paragraph about a turn that was judged; the page says who made which move, unless it
    is no turn.
    """
    if turn["lost"] is not None:
        made = [] if turn["turn"] else [f"{turn['player']}: {turn['move']}."]
        mark = [tag("b", turn["mark"]), " "] if turn["mark"] else []
        yield tag("p", *mark, " ".join([*made, *judgment(turn)]), class_="judged")
