"""Pages that need nothing from elsewhere: the table, and a whole game; the table as one picture.

On the page of a game every decision can be read, and with a script be stepped through; a chart has
what each player earned over the rounds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from porto_cli.core.message import Sentence, say
from porto_cli.games.puerto_rico.engine.components import BUILDING_VP, buildings_in
from porto_cli.games.puerto_rico.engine.moves import Earned
from porto_cli.games.puerto_rico.engine.state import OVER
from porto_cli.games.puerto_rico.render import TITLE, render, situation, table, winners
from porto_cli.games.puerto_rico.score import score_rows, standings
from porto_cli.games.puerto_rico.ui.board import WIDTH, board, definitions
from porto_cli.games.puerto_rico.ui.middle import harbor, market, roles
from porto_cli.games.puerto_rico.ui.table_view import TableView, table_view
from porto_cli.history import paragraphs, turn_of
from porto_cli.paper.document import (
    BOLD,
    STRIKE,
    Beside,
    Chunk,
    Drawing,
    Grid,
    Heading,
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
from porto_cli.paper.markup import Html, Picture, escaped, label, tag, width_of
from porto_cli.paper.text import sentences
from porto_cli.ui import ui_of
from porto_cli.ui_values import Turn

if TYPE_CHECKING:
    from porto_cli.game import Step
    from porto_cli.players.analysis import Analysis


class Panel(NamedTuple):
    """A picture and what it shows."""

    picture: Picture
    name: Sentence

    @property
    def drawing(self) -> Drawing:
        """The panel as a part of a page."""
        return Drawing(picture=lambda: self.picture, name=self.name)


def middle_panels(seen: TableView, before: TableView | None = None) -> tuple[Panel, Panel, Panel]:
    """Return what lies in the middle: roles and plantations, the harbor, the buildings.

    What is new since ``before`` is dotted.
    """
    return (
        Panel(roles(seen), say("Roles and plantations")),
        Panel(
            harbor(seen, before),
            say("Cargo ships, colonist ship, trading house and supplies"),
        ),
        Panel(market(seen), say("Buildings that are left")),
    )


def board_panels(seen: TableView, before: TableView | None = None) -> tuple[Panel, ...]:
    """Return the boards of the players in seat order."""
    return tuple(
        Panel(board(seen, seat, before), say("Island and city of {player}", player=player.name))
        for seat, player in enumerate(seen.players)
    )


def panels(seen: TableView, before: TableView | None = None) -> tuple[Panel, ...]:
    """Return all panels in the order in which they are read."""
    first, second, last = middle_panels(seen, before)
    return first, second, *board_panels(seen, before), last


GAP = 14
Columns = tuple[Sequence[Panel], Sequence[Panel]]
_FULL_WIDTH = 2 * WIDTH + 3 * GAP
_TITLE_Y, _LINE = 44, 26
_MOST = 3
"""Lines of the heading that a text may take; the description has all of it."""


def svg(
    seen: TableView,
    *,
    title: str = "",
    fingerprint: str = "",
    last: Sequence[Sentence] = (),
) -> str:
    """Return the table as a well-formed SVG document with a title and a description.

    It follows the light or dark colors that the reader prefers. ``last`` is what happened
    last.
    """
    heading, top = _picture_heading(seen, title or TITLE, last)
    placed, height = _placed(seen, top)
    words = table(seen.shown, title=title, fingerprint=fingerprint, last=last)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_FULL_WIDTH} {height}" '
        f'width="{_FULL_WIDTH}" height="{height}" role="img" aria-labelledby="t d">'
        f'<title id="t">{escaped(title or TITLE)}</title>'
        f'<desc id="d">{escaped(" ".join(sentences(words)))}</desc>{definitions()}'
        f'<rect class="paper" width="{_FULL_WIDTH}" height="{height}"/>{heading}{placed}</svg>\n'
    )


def _picture_heading(seen: TableView, title: str, last: Sequence[Sentence]) -> tuple[str, int]:
    """Return title, situation and what happened last, and where what follows can begin."""
    room = _FULL_WIDTH - 2 * GAP
    drawn = label(GAP, _TITLE_Y, title, "serif b", 32, width=room, smallest=20)
    y = _TITLE_Y + 4
    for shown, style, size in ((situation(seen.shown), "b", 19), (last, "", 16)):
        for line in _lines(" ".join(map(str, shown)), size, room):
            y += _LINE
            drawn += label(GAP, y, line, style, size, width=room, smallest=size * 0.9)
    return drawn, y + 16


def _lines(text: str, size: float, room: float) -> list[str]:
    """Return a text in lines; what is too much for them stays in the last one, to be cut."""
    lines: list[str] = []
    for word in text.split():
        if lines and (len(lines) == _MOST or width_of(f"{lines[-1]} {word}", size) <= room):
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _placed(seen: TableView, top: int) -> tuple[str, int]:
    """Return the panels in two columns, and where the longer one ends."""
    columns = _columns(*middle_panels(seen), board_panels(seen))
    drawn = ""
    for nth, column in enumerate(columns):
        y = top
        for panel in column:
            x = GAP + nth * (WIDTH + GAP)
            drawn += f'<g transform="translate({x} {y})">{panel.picture.drawn()}</g>'
            y += panel.picture.height + GAP
    return drawn, top + max(map(_height, columns))


def _columns(roles: Panel, harbor: Panel, market: Panel, players: Sequence[Panel]) -> Columns:
    """Return the shortest two columns: the table at the left, the first players at the right."""
    layouts = []
    for number in range(len(players), 0, -1):
        left, right = [roles, harbor, *players[number:]], [*players[:number]]
        layouts += [([*left, market], right), (left, [*right, market])]
    return min(layouts, key=lambda columns: max(map(_height, columns)))


def _height(column: Sequence[Panel]) -> int:
    return sum(panel.picture.height + GAP for panel in column)


# -- pages


def moving_panels(tables: Sequence[TableView]) -> Html:
    """Return the panels of all tables of a game, for a page that steps through it."""
    frames = [panels(now, before) for now, before in zip(tables, [None, *tables], strict=False)]
    moved = [moving([panel.picture for panel in each]) for each in zip(*frames, strict=True)]
    drawn = [inline(*one, panel.name) for one, panel in zip(moved, frames[-1], strict=True)]
    return tag("figure", *drawn, class_="pictures")


def html(
    seen: TableView,
    *,
    title: str = "",
    fingerprint: str = "",
    last: Sequence[Sentence] = (),
) -> str:
    """Return the table as an HTML document that works without scripts and without a network."""
    header: list[Node] = [Paragraph([sentence], BOLD) for sentence in situation(seen.shown)]
    if last:
        header.append(Paragraph(last))
    pictures = Beside([panel.drawing for panel in panels(seen)])
    return page(
        title or TITLE,
        header,
        [pictures, *render(seen.shown), *score_rows(standings(seen.shown))],
        footer(fingerprint),
        style=style_sheet(),
        shapes=definitions(),
    )


def footer(fingerprint: str) -> list[Node]:
    """Return what is at the foot of a page."""
    text = say("Fingerprint of the game: {hash}", hash=fingerprint)
    return [Paragraph([text])] if fingerprint else []


def style_sheet(*names: str) -> str:
    """Return the style sheet of these pages, and those with these names after it."""
    folder = Path(__file__).parent
    return "".join((folder / name).read_text("utf-8") for name in ("pages.css", *names))


CHART_WIDTH = 520
LEFT, RIGHT = 40, 388
"""Where the lines are drawn; to their right are the names."""
TOP = 34
PLOT_HEIGHT = 130
PLOT_PITCH = PLOT_HEIGHT + 54
NAME_HEIGHT = 19
_LINES = 5
"""Lines of the grid at most, without the lowest."""
_DASHES = ("", "9 5", "2 5", "14 4 3 4", "6 3 2 3")
_SHAPES = (
    "M-5-5h10v10h-10z",
    "M0-7l7 7l-7 7l-7-7z",
    "M0-6l6 11h-12z",
    "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0z",
    "M0 6l-6-11h12z",
)


class Measure(NamedTuple):
    """Something that is counted: for each seat its number in each frame, ``None`` if secret."""

    title: Sentence
    note: Sentence | None
    seats: tuple[tuple[int, ...] | None, ...]


def bottom(measures: int) -> int:
    """Return where the lowest of the plots ends."""
    return TOP + PLOT_PITCH * (measures - 1) + PLOT_HEIGHT


def chart(
    names: Sequence[str], measures: Sequence[Measure], frames: int, rounds: Sequence[int]
) -> Picture:
    """Draw a plot for each measure, one below the other; ``rounds`` are the frames they begin."""
    across = axis(frames, LEFT, RIGHT)
    height = bottom(len(measures)) + 44
    pieces = {"paper": f'<rect class="paper" width="{CHART_WIDTH}" height="{height}"/>'}
    for nth, measure in enumerate(measures):
        pieces[f"plot-{nth}"] = _plot(names, measure, across, TOP + PLOT_PITCH * nth)
    pieces["rounds"] = _round_lines(across, rounds, bottom(len(measures)))
    return Picture(CHART_WIDTH, height, pieces)


def _plot(names: Sequence[str], measure: Measure, across: Axis, top: int) -> str:
    known = {seat: line for seat, line in enumerate(measure.seats) if line is not None}
    most = max((max(line) for line in known.values()), default=0)
    step = round_step(most, _LINES)
    highest = max(step * -(-most // step), step)
    low = top + PLOT_HEIGHT

    def height(number: int) -> float:
        return low - PLOT_HEIGHT * number / highest

    parts = [label(LEFT, top - 12, measure.title, "b", 16)]
    parts += [
        f'<path class="line" d="M{LEFT} {height(mark):.1f}H{RIGHT}"/>'
        + label(LEFT - 7, height(mark) + 4.5, mark, "soft end", 13)
        for mark in range(0, highest + 1, step)
    ]
    ends = apart([height(line[-1]) for line in known.values()], low, NAME_HEIGHT)
    parts += [
        _line(seat, line, names[seat], end, across, height)
        for (seat, line), end in zip(known.items(), ends, strict=True)
    ]
    if measure.note:
        parts.append(label(LEFT, low + 17, measure.note, "soft", 13, width=CHART_WIDTH - LEFT - 4))
    return "".join(parts)


def _line(
    seat: int,
    line: Sequence[int],
    name: str,
    end: float,
    across: Axis,
    height: Callable[[int], float],
) -> str:
    """The line of a player; only the frames in which it turns are given."""
    points = " ".join(
        f"{across.at(frame):.1f},{height(number):.1f}"
        for frame, number in enumerate(line)
        if not 0 < frame < len(line) - 1 or not line[frame - 1] == number == line[frame + 1]
    )
    last = height(line[-1])
    return (
        f'<g class="player-{seat}"><polyline points="{points}" stroke-width="2.5" '
        f'stroke-dasharray="{_DASHES[seat]}" stroke-linejoin="round" fill="none"/>'
        f'<path d="M{RIGHT + 2} {last:.1f}L{RIGHT + 12} {end:.1f}"/>'
        f'<path transform="translate({RIGHT + 20} {end:.1f})" d="{_SHAPES[seat]}"/></g>'
        + label(RIGHT + 31, end + 5, f"{line[-1]} {name}", "b", 14, width=CHART_WIDTH - RIGHT - 34)
    )


def _round_lines(across: Axis, rounds: Sequence[int], low: int) -> str:
    """The numbers of the rounds where they begin, as many as there is room for."""
    step = round_step(len(rounds), (RIGHT - LEFT) / 22)
    marks = "".join(
        f'<path class="line" d="M{across.at(frame):.1f} {low}v6"/>'
        + label(across.at(frame), low + 21, number, "soft mid", 13)
        for number, frame in enumerate(rounds, start=1)
        if (number - 1) % step == 0
    )
    return marks + label((LEFT + RIGHT) / 2, low + 39, say("round"), "soft mid", 13)


def log_html(
    steps: Sequence[Step],
    seen: TableView,
    *,
    title: str = "",
    fingerprint: str = "",
    since: int = 0,
    analysis: Analysis | None = None,
) -> str:
    """Return a game as an HTML document that works without a network.

    ``steps`` are all items of the record, ``seen`` is the table now; its seat is who reads. The
    page opens at the first of ``steps[since:]`` that was not taken back, or at the end. With an
    analysis each turn is judged, and there are the chances to win.
    """
    from porto_cli.players import analysis_report

    frames = frames_of(steps, seen)
    result = winners(seen.shown) if seen.phase == OVER else None
    body = [
        moving_panels([frame.seen for frame in frames]),
        tag(
            "div",
            *controls(),
            turn_by_turn(_articles(frames, analysis_report.judgments_of(analysis, len(frames)))),
            class_="side",
        ),
        tag(
            "section",
            tag("h2", say("What each player earned")),
            *_chart(frames, analysis),
            *analysis_report.summary_of(analysis),
            tag("h2", say("Where the VP come from")),
            *_written(score_rows(standings(seen.shown))),
            class_="course",
        ),
    ]
    return stepping_page(
        title or TITLE,
        [Paragraph([game_summary(seen.config.players, len(frames) - 1, result)])],
        body,
        footer(fingerprint),
        style=style_sheet("log.css") + analysis_report.style_of(analysis),
        shapes=definitions(),
        start=_start(steps, since),
    )


def _written(nodes: Iterable[Node]) -> list[Html]:
    return PageWriter().nodes(nodes)


def _start(steps: Sequence[Step], since: int) -> int | None:
    """Return the frame of the first decision from a step on that was not taken back."""
    if not since:
        return None
    return 1 + sum(step.takes_back is None and not step.undone for step in steps[:since])


def _articles(frames: Sequence[Frame], judged: Sequence[Sequence[Html]]) -> Iterator[Html]:
    for number, frame in enumerate(frames):
        content = [*_written(_of_frame(frame)), *judged[number]]
        yield from article(f"turn-{number}", _heading(frame), content)


def _heading(frame: Frame) -> str:
    return frame.turn.heading if frame.turn else "The setup"


def _of_frame(frame: Frame) -> Iterator[Node]:
    if frame.turn is None:
        yield Paragraph([say("The table before the first turn.")])
    for turn in frame.turns:
        if turn.facts["undone"]:
            undone = (joined_text(turn.done), STRIKE)
            yield Paragraph(["Taken back."], first=[undone, " "])
            yield from (Paragraph([words], BOLD) for words in turn.said)
        else:
            yield from paragraphs(turn)
    if frame.seen.phase == OVER:
        yield Paragraph([winners(frame.seen.shown)], BOLD)


# -- the chart


def _chart(frames: Sequence[Frame], analysis: Analysis | None) -> list[Html]:
    names = frames[-1].seen.config.players
    measures = [*_measures(frames), *_chances(analysis, len(frames))]
    rounds = _rounds(frames)
    return figure(
        chart(names, measures, len(frames), list(rounds.values())),
        axis(len(frames), LEFT, RIGHT),
        TOP,
        bottom(len(measures)),
        say("The numbers at the end of each round"),
        _written(_numbers(names, measures, rounds, len(frames))),
    )


def _measures(frames: Sequence[Frame]) -> list[Measure]:
    """Return VP chips as far as they may be known, VP of buildings, and doubloons earned."""
    seats = range(len(frames[-1].seen.players))
    chips = [_chips(frames, seat) for seat in seats]
    secret = say("The VP chips of others are secret until the game is over.")
    return [
        Measure(say("VP chips"), secret if None in chips else None, tuple(chips)),
        Measure(
            say("VP of buildings"),
            None,
            tuple(tuple(frame.buildings[seat] for frame in frames) for seat in seats),
        ),
        Measure(
            say("Doubloons earned, without those of the setup"),
            None,
            tuple(tuple(frame.earned[seat] for frame in frames) for seat in seats),
        ),
    ]


def _chances(analysis: Analysis | None, frames: int) -> list[Measure]:
    """Return how likely each player was to win."""
    if analysis is None:
        return []
    from porto_cli.players.analysis_report import chances

    seats = zip(*chances(analysis, frames), strict=True)
    whole = tuple(tuple(round(100 * win) for win in wins) for wins in seats)
    return [Measure(say("Chance to win in %"), None, whole)]


def _chips(frames: Sequence[Frame], seat: int) -> tuple[int, ...] | None:
    numbers = [frame.seen.players[seat].vp for frame in frames]
    known = tuple(number for number in numbers if number is not None)
    return known if len(known) == len(numbers) else None


def _rounds(frames: Sequence[Frame]) -> dict[int, int]:
    """Return for each round the frame from which it starts."""
    begins: dict[int, int] = {}
    for number, frame in enumerate(frames):
        if frame.turn and frame.turn.facts["round"]:
            begins.setdefault(frame.turn.facts["round"], number - 1)
    return begins


def _numbers(
    names: Sequence[str], measures: Sequence[Measure], rounds: dict[int, int], frames: int
) -> Iterator[Node]:
    """Yield the numbers of the chart in grids."""
    ends = [*list(rounds.values())[1:], frames - 1]
    for measure in measures:
        rows: list[list[Chunk]] = [
            [
                [str(number)],
                *([say("secret") if line is None else str(line[end])] for line in measure.seats),
            ]
            for number, end in zip(rounds, ends, strict=False)
        ]
        yield Heading(measure.title, 3)
        yield Grid((say("round"), *names), rows, numbers=range(1, 1 + len(names)))


# -- the frames


class Frame(NamedTuple):
    """The table after a decision, and what the record holds since the frame before.

    ``turns`` has the decision that was kept, and around it what was taken back; it is empty for
    the table as it was set up. ``earned`` are the doubloons that each player got so far, without
    those of the setup.
    """

    seen: TableView
    turns: tuple[Turn, ...]
    earned: tuple[int, ...]

    @property
    def turn(self) -> Turn | None:
        """The decision that was kept and led to this table; ``None`` for the setup."""
        return next((turn for turn in self.turns if _stands(turn)), None)

    @property
    def buildings(self) -> tuple[int, ...]:
        """The printed VP of the buildings of each player."""
        return tuple(
            sum(BUILDING_VP[place] for place in buildings_in(player.city))
            for player in self.seen.players
        )


def frames_of(steps: Sequence[Step], seen: TableView) -> list[Frame]:
    """Return the frames of a game from the setup to ``seen``, the table now, as its seat sees it.

    ``steps`` are all items of the record, those that were taken back included. After the end
    nothing is secret any more, so that all frames show all VP chips.
    """
    over = seen.phase == OVER
    tables = [table_view(step.before, seen.seat, all_chips=over) for step in steps]
    tables.append(seen)
    ui = ui_of("puerto-rico")
    turns = [turn_of(ui, step, seen.seat, over=over) for step in steps]
    earned = (0,) * len(seen.players)
    frames = [Frame(tables[0], (), earned)]
    between: list[Turn] = []
    for step, turn, after in zip(steps, turns, tables[1:], strict=True):
        between.append(turn)
        if not _stands(turn):
            continue
        earned = _with_gains(earned, step)
        frames.append(Frame(after, tuple(between), earned))
        between = []
    frames[-1] = frames[-1]._replace(seen=seen, turns=(*frames[-1].turns, *between))
    return frames


def _stands(turn: Turn) -> bool:
    return turn.facts["turn"] is not None and not turn.facts["undone"]


def _with_gains(earned: tuple[int, ...], step: Step) -> tuple[int, ...]:
    """Add the doubloons that a step brought; what was paid is not subtracted."""
    more = list(earned)
    for event in step.events:
        if isinstance(event, Earned) and event.doubloons > 0:
            more[event.seat] += event.doubloons
    return tuple(more)
