"""Pictures and pages: of the table, and of a whole game.

The table is a picture, or a page of pictures, words and tables. A whole game is a page on which
every turn can be read, with a script to be stepped through, and a chart of the scores over the
rounds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from porto_cli.core.message import say
from porto_cli.games.porto.observation import Table, table, table_of
from porto_cli.games.porto.render import document, render, situation
from porto_cli.games.porto.score import Standings, counted, how_it_ended, notes, sources, standings
from porto_cli.games.porto.ui import phrases
from porto_cli.games.porto.ui.board import board
from porto_cli.games.porto.ui.scene import definitions, scene, track_of
from porto_cli.history import paragraphs, turns
from porto_cli.match.replay import Replay
from porto_cli.paper.document import (
    BOLD,
    DIM,
    PLAIN,
    STRIKE,
    Beside,
    Block,
    Drawing,
    Flow,
    Grid,
    Heading,
    Items,
    Node,
    Paragraph,
    joined_text,
)
from porto_cli.paper.html import (
    Axis,
    PageWriter,
    apart,
    article,
    axis,
    controls,
    figure,
    game_summary,
    inline,
    moving,
    page,
    round_step,
    stepping_page,
    turn_by_turn,
)
from porto_cli.paper.markup import Html, Picture, escaped, label, tag
from porto_cli.paper.text import sentences
from porto_cli.players.analysis_report import judgments_of, style_of, summary_of
from porto_cli.ui import ui_of
from porto_cli.ui_values import Turn

if TYPE_CHECKING:
    from porto_cli.players.analysis import Analysis

HOUSES = say("The houses along the river and the score track")
BOARD = say("Face-up cards, public contracts, supplies, hands")


def table_page(table: Table, standings: Standings, seen: dict[str, Any]) -> str:
    """Return the table as an HTML document that works without scripts and without a network.

    ``standings`` and what is ``seen`` are those of the same table and the same seat.
    """
    return page(
        table.title or phrases.GAME,
        [Paragraph([how_it_ended(standings)], BOLD)] if standings["over"] else [],
        [
            Beside(
                [
                    Drawing(picture=lambda: scene(table), name=HOUSES),
                    Drawing(picture=lambda: board(table), name=BOARD),
                    *render(seen),
                ]
            ),
            Block("Where the VP came from", [sources(standings)]),
        ],
        shapes=definitions(),
    )


def fingerprint(table: Table) -> Paragraph:
    """Return the fingerprint, for the foot of a page."""
    return Paragraph([say("Fingerprint of the game: {hash}", hash=table.fingerprint)])


def svg(table: Table, standings: Standings, seen: dict[str, Any]) -> str:
    """Return the table as a well-formed SVG document with a title and a description.

    It follows the light or dark colors that the reader prefers. ``standings`` and what is
    ``seen`` are those of the same table and the same seat.
    """
    above, below = scene(table, heading=_heading_lines(table, standings, seen)), board(table)
    scale = above.width / below.width
    height = above.height + round(below.height * scale)
    text = sentences(document(seen))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {above.width} {height}" '
        f'width="{above.width}" height="{height}" role="img" aria-labelledby="t d">'
        f'<title id="t">{escaped(table.title or phrases.GAME)}</title>'
        f'<desc id="d">{escaped(" ".join(text))}</desc>'
        f"{definitions()}{above.drawn()}"
        f'<g transform="translate(0 {above.height}) scale({scale:.4f})">{below.drawn()}</g></svg>\n'
    )


def _heading_lines(table: Table, standings: Standings, seen: dict[str, Any]) -> list[str]:
    """Return title, situation, and the last turn in the notation: its sentences are too long."""
    text = situation(seen)[:1]
    if standings["over"]:
        text = [how_it_ended(standings)]
    lines = [table.title or phrases.GAME, " ".join(map(str, text))]
    if table.last:
        lines.append(table.last.in_short)
    return lines


WIDTH, HEIGHT = 800, 350
LEFT, RIGHT, TOP, BOTTOM = 46, 640, 24, 300
"""Where the lines are drawn; to their right stand the names."""
NAME_HEIGHT = 24
_CHANCES_TOP, CHANCES_BOTTOM, _WHOLE = 396, 546, 560
"""Where the chances to win are drawn below that, and how high the picture is then."""
_DASHES = ("", "9 5", "2 6", "14 4 3 4")
_SHAPES = (
    "M-6-6h12v12h-12z",
    "M0-8l8 8l-8 8l-8-8z",
    "M0-8l8 14h-16z",
    "M-6 0a6 6 0 1 0 12 0a6 6 0 1 0-12 0z",
)


def chart(names: Sequence[str], scores: Sequence[Sequence[int]], played: int) -> Picture:
    """Draw the score of each player after each turn.

    ``scores`` has those of all players for each frame, from the setup on; ``played`` of the
    frames are turns, what follows them is the end.
    """
    most = max(max(row) for row in scores)
    top = max(10, -(-most // 10) * 10)
    across = axis(len(scores), LEFT, RIGHT)

    def height(vp: int) -> float:
        return BOTTOM - (BOTTOM - TOP) * vp / top

    pieces = {"grid": _grid(top, height), "rounds": _rounds(across, played, len(names))}
    ends = apart([height(vp) for vp in scores[-1]], BOTTOM, NAME_HEIGHT)
    for seat, name in enumerate(names):
        heights = [height(row[seat]) for row in scores]
        pieces[f"line-{seat}"] = _line(
            seat, heights, ends[seat], across, f"{scores[-1][seat]} {name}"
        )
    return Picture(WIDTH, HEIGHT, pieces)


def with_chances(
    picture: Picture, names: Sequence[str], chances: Sequence[Sequence[float]]
) -> Picture:
    """Draw below a chart how likely each player was to win, frame by frame."""
    across = axis(len(chances), LEFT, RIGHT)
    pieces = dict(picture.pieces)
    pieces["chances"] = label(LEFT, _CHANCES_TOP - 16, say("Chance to win"), "b", 18) + "".join(
        f'<path class="line" d="M{LEFT} {_chance(part / 4):.1f}H{RIGHT}"/>'
        + label(LEFT - 8, _chance(part / 4) + 6, f"{25 * part}%", "soft end", 14)
        for part in range(0, 5, 2)
    )
    ends = apart([_chance(win) for win in chances[-1]], CHANCES_BOTTOM, NAME_HEIGHT)
    for seat, name in enumerate(names):
        heights = [_chance(wins[seat]) for wins in chances]
        pieces[f"chance-{seat}"] = _line(
            seat, heights, ends[seat], across, f"{chances[-1][seat]:.0%} {name}"
        )
    return picture._replace(height=_WHOLE, pieces=pieces)


def _chance(win: float) -> float:
    """Return how high a chance to win is drawn."""
    return CHANCES_BOTTOM - (CHANCES_BOTTOM - _CHANCES_TOP) * win


def _line(seat: int, heights: Sequence[float], end: float, across: Axis, text: str) -> str:
    """Draw the line of a player, to a text at its end."""
    points = " ".join(f"{across.at(frame):.1f},{y:.1f}" for frame, y in enumerate(heights))
    return (
        f'<g class="player-{seat}"><polyline points="{points}" stroke-width="3" '
        f'stroke-dasharray="{_DASHES[seat]}" stroke-linejoin="round" fill="none"/>'
        f'<path d="M{RIGHT + 2} {heights[-1]:.1f}L{RIGHT + 16} {end:.1f}"/>'
        f'<path transform="translate({RIGHT + 24} {end:.1f})" d="{_SHAPES[seat]}"/></g>'
        + label(RIGHT + 38, end + 6, text, "b", 18, width=118)
    )


def _grid(top: int, height: Callable[[int], float]) -> str:
    step = 10 if top <= 80 else 20
    return "".join(
        f'<path class="line" d="M{LEFT} {height(vp):.1f}H{RIGHT}"/>'
        + label(LEFT - 8, height(vp) + 6, vp, "soft end", 16)
        for vp in range(0, top + 1, step)
    )


def _rounds(across: Axis, played: int, seats: int) -> str:
    """Numbers of rounds below the turn that each of them ends with."""
    rounds = played // seats
    step = round_step(rounds, 14)
    marks = "".join(
        label(across.at(number * seats), BOTTOM + 22, number, "soft mid", 16)
        for number in range(0, rounds + 1, step)
    )
    return marks + label((LEFT + RIGHT) / 2, HEIGHT - 4, "round", "soft mid", 16)


_LAYOUT = Path(__file__).with_name("log.css")


class Frame(NamedTuple):
    """The table after a turn, and what the record holds since the frame before.

    ``turns`` has the turn itself, and around it the private contracts kept and whatever was
    taken back; it is empty for the table as it was set up.
    """

    table: Table
    turns: tuple[Turn, ...]

    @property
    def turn(self) -> Turn | None:
        """The turn that was not taken back and led to this table; ``None`` for setup and end."""
        for turn in self.turns:
            if _stands(turn):
                return turn
        return None


class Frames(NamedTuple):
    """The frames of a game from the setup on; ``over`` is the last one with what it reveals."""

    title: str
    players: tuple[str, ...]
    frames: tuple[Frame, ...]
    over: Frame | None
    """After the end: the private contracts are scored."""
    standings: Standings

    @property
    def scores(self) -> tuple[tuple[int, ...], ...]:
        """The score of each player in each frame, that of the end included."""
        tables = [frame.table for frame in (*self.frames, *([self.over] if self.over else []))]
        return tuple(tuple(player.score for player in table.players) for table in tables)


def frames_of(replay: Replay, seat: int | None = None) -> Frames:
    """Return a game as a seat, or (``None``) a bystander, may see it.

    What is seen of an earlier table is what the seat could see then.
    """
    between: list[list[Turn]] = [[]]
    for turn in turns(ui_of("porto"), replay):
        between[-1].append(turn)
        if _stands(turn):
            between.append([])
    *played, rest = between
    now = table(replay, seat)
    tables = [*_tables(replay, seat, now.title)[: len(played)], now]
    steps = [[], *played]
    result = standings(replay, seat)
    over = None
    if result["over"]:
        over = Frame(tables[-1], tuple(rest))
        tables[-1] = _unrevealed(tables[-1], tables[-2], played[-1][-1])
    else:
        steps[-1] += rest
    return Frames(
        title=replay.record.title,
        players=replay.record.config.players,
        frames=tuple(Frame(seen, tuple(some)) for seen, some in zip(tables, steps, strict=True)),
        over=over,
        standings=result,
    )


def _stands(turn: Turn) -> bool:
    return turn.facts["turn"] is not None and not turn.facts["undone"]


def _tables(replay: Replay, seat: int | None, title: str) -> list[Table]:
    """Return the table of the setup, and those after each turn that was not taken back."""
    tables = [table_of(replay.opening, seat, title=title)]
    for step in replay.turns():
        # A turn of the rules, or one that ended because its player was given up.
        if step.after.turn > step.before.turn and (step.moves or step.before.built):
            tables.append(table_of(step.after, seat, title=title, last=step))
    return tables


def _unrevealed(after: Table, before: Table, last: Turn) -> Table:
    """Return the table of the last turn as it is until the private contracts are turned up."""
    players = (
        new._replace(score=score, private=old.private)
        for new, old, score in zip(
            after.players, before.players, last.facts["standing"], strict=True
        )
    )
    return after._replace(players=tuple(players))


def log_html(
    replay: Replay,
    seat: int | None = None,
    *,
    since: int = 0,
    analysis: Analysis | None = None,
) -> str:
    """Return the game as an HTML document that works without a network.

    Private contracts are shown as far as ``seat`` may see them, or (``None``) anyone. The page
    opens at the first turn of ``replay.steps[since:]`` that was not taken back, or at the end. With
    an analysis each turn is judged, and there are the chances to win.
    """
    shown = frames_of(replay, seat)
    frames = [*shown.frames, *([shown.over] if shown.over else [])]
    tables = [frame.table for frame in frames]
    result = how_it_ended(shown.standings) if shown.over else None
    track = track_of(*tables)
    houses = moving([scene(table, track) for table in tables])
    rest = moving([board(table) for table in tables])
    body = [
        tag("figure", inline(*houses, HOUSES), inline(*rest, BOARD), class_="pictures"),
        *controls(),
        turn_by_turn(_articles(shown, analysis)),
        tag(
            "section",
            tag("h2", say("The scores over the rounds")),
            *_chart(shown, analysis),
            *summary_of(analysis),
            *_where_from(shown.standings),
            class_="course",
        ),
    ]
    return stepping_page(
        shown.title or phrases.GAME,
        [Paragraph([game_summary(shown.players, len(shown.frames) - 1, result)])],
        body,
        [fingerprint(tables[-1])],
        style=_LAYOUT.read_text("utf-8") + style_of(analysis),
        shapes=definitions(),
        start=1 + replay.steps[since - 1].after.turn if since else None,
    )


def _articles(shown: Frames, analysis: Analysis | None) -> Iterator[Html]:
    judged = judgments_of(analysis, len(shown.frames))
    write = PageWriter().nodes
    for number, frame in enumerate(shown.frames):
        content = [*write(_turns(frame, shown.players)), *judged[number]]
        heading = frame.turn.heading if frame.turn else "The setup"
        yield from article(f"turn-{number}", heading, content)
    if shown.over:
        yield from article("end", say("The end"), write(_end(shown.over, shown.standings)))


def _turns(frame: Frame, players: Sequence[str]) -> Iterator[Node]:
    if frame.turn is None:
        yield Paragraph([say("The table before the first turn.")])
    for turn in frame.turns:
        yield from _turn(turn)
    if frame.turn:
        scores = zip(players, frame.turn.facts["standing"], strict=True)
        mover = frame.turn.facts["player"]
        yield Flow([[(f"{name} {vp}", BOLD if name == mover else DIM)] for name, vp in scores])


def _turn(turn: Turn) -> Iterator[Node]:
    if not turn.facts["undone"]:
        yield from paragraphs(turn)
        return
    yield Paragraph(["Taken back."], first=[(joined_text(turn.done), STRIKE), (" ", PLAIN)])
    for words in turn.said:
        yield Paragraph([words], BOLD)


def _end(over: Frame, standings: Standings) -> Iterator[Node]:
    for turn in over.turns:
        yield from _turn(turn)
    yield Paragraph([how_it_ended(standings)], BOLD)
    yield from notes(standings)
    if standings["private_counted"]:
        sums = {
            player["name"]: sum(contract["vp"] for contract in player["private"])
            for player in standings["players"]
            if player["private"]
        }
        scored = (f"{name} scores {vp} VP for private contracts." for name, vp in sums.items())
        yield Items([Paragraph([sentence]) for sentence in scored])


def _where_from(standings: Standings) -> Iterator[Html]:
    write = PageWriter().nodes
    yield from write([Heading(say("Where the VP came from")), sources(standings)])
    private = (
        tag(
            "section",
            tag("h3", f"Private contracts of {player['name']}"),
            *write(node for contract in player["private"] for node in counted(contract)),
        )
        for player in standings["players"]
        if player["private"]
    )
    yield tag("div", *private, class_="words")


def _chart(shown: Frames, analysis: Analysis | None) -> list[Html]:
    scores = shown.scores
    picture = chart(shown.players, scores, len(shown.frames) - 1)
    across = axis(len(scores), LEFT, RIGHT)
    write = PageWriter().grid
    if analysis is None:
        summary = say("The scores after each round")
        return figure(picture, across, TOP, BOTTOM, summary, write(_numbers(shown)))
    from porto_cli.players.analysis_report import chances

    wins = chances(analysis, len(scores))
    return figure(
        with_chances(picture, shown.players, wins),
        across,
        TOP,
        CHANCES_BOTTOM,
        say("The scores and the chances to win after each round"),
        write(_numbers(shown, wins)),
    )


def _numbers(shown: Frames, wins: Sequence[Sequence[float]] = ()) -> Grid:
    """Return the numbers of the chart as a table."""
    names = [*shown.players]
    if wins:
        names += [str(say("{player} to win", player=name)) for name in shown.players]
    seats = len(shown.players)
    rows = [[str(score) for score in row] for row in shown.scores]
    if wins:
        chances = ([f"{win:.0%}" for win in row] for row in wins)
        rows = [[*row, *more] for row, more in zip(rows, chances, strict=True)]
    rounds = [(str(at // seats), rows[at]) for at in range(seats, len(shown.frames), seats)]
    if shown.over:
        rounds.append((str(say("the end")), rows[-1]))
    return Grid(
        [say("round"), *names],
        [[[number], *([cell] for cell in row)] for number, row in rounds],
        numbers=range(1, len(names) + 1),
    )
