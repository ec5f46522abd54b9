"""The table and the news above a question: as much of them as fits into the rows that are left.

There are several ways to show it, the largest first, and the first that fits is taken: all that
``porto show`` shows; the houses drawn, and the rest in few lines; the houses as two tables beside
each other. Where even the tables leave too little room for a question, one thing after the other
is shortened, and then left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from porto_cli.core.message import Sentence, say
from porto_cli.games.porto.engine.components import KEPT
from porto_cli.games.porto.engine.state import CONTRACTS, TIMER
from porto_cli.games.porto.event_text import KEEP, turn_of
from porto_cli.games.porto.observation import LATER, NEVER, NOW, Player, Private, Table
from porto_cli.games.porto.ui import houses, phrases
from porto_cli.games.porto.ui.houses import PAINTS, TO_BE_MET, Size, room_beside, tables
from porto_cli.games.porto.ui.table import table_document
from porto_cli.games.porto.ui.turn_prompts import chip
from porto_cli.match.news import heard, is_ordered, ordered
from porto_cli.match.replay import Replay
from porto_cli.paper.document import SCREEN
from porto_cli.paper.text import lines
from porto_cli.term.screen import Screen
from porto_cli.term.spans import (
    BOLD,
    DIM,
    PLAIN,
    Line,
    Span,
    beside,
    cells,
    cut,
    flow,
    folded,
    padded,
    width_of,
    wrapped,
)

MARGIN = 1
HEAD = 11
"""Columns of the headings at the left, and of the players' names if they are short."""
GAP = 2
"""Columns between two things beside each other."""
DRAWN_FROM = 19
"""Rows from which on houses are drawn: with fewer they would come and go from turn to turn."""
LARGE_CELLS, SMALL_CELLS = (14, 12, 10, 8), (10, 8, 6)
"""Columns that a house can be drawn in, with the sides below or beside each other."""
_MARKS = {NOW: ("●", "*"), LATER: ("○", "o"), NEVER: ("×", "x")}


class News(NamedTuple):
    """Something that has happened: in full, and where there is little room."""

    full: tuple[Sentence, ...]
    short: tuple[Sentence, ...]


def news_for(replay: Replay, reader: int) -> tuple[News, ...]:
    """Return what has happened since the last turn of a reader, turn by turn, and what was said.

    The reader's own turn is left out, unless it is the last thing that has happened; what orders
    did is news to their owner.
    """
    new: list[int] = []
    own: list[Sentence] = []
    for place, step in reversed(list(enumerate(replay.steps))):
        if step.undone or step.takes_back is not None:
            continue
        if step.seat != reader or is_ordered(replay, place):
            new.insert(0, place)
        elif turn_of(step).kind != KEEP:
            own = heard(replay, place, reader)
            break
    end = len(replay.steps) - 1
    last = replay.steps[end] if replay.steps else None
    if last is not None and last.takes_back is not None:
        new.append(end)
    if last is not None and last.seat == reader and end not in new:
        if not new or replay.state.phase in (CONTRACTS, TIMER):
            new, own = [end], []
    before = [News(tuple(own), tuple(own))] if own else []
    return (*before, *(_news(replay, place, reader) for place in new))


def _news(replay: Replay, place: int, reader: int) -> News:
    """Return a turn as news. What the solo timer did is new even to the player."""
    step = replay.steps[place]
    turn = turn_of(step)
    done, timer = phrases.own_and_timer(turn)
    scored = phrases.scored(turn)
    if scored:
        done.append(scored)
    by_order = ordered(replay, place)
    more = (*by_order, *heard(replay, place, reader))
    own = step.seat == reader and not by_order
    full = (*timer, *done, *more) if own else (*done, *timer, *more)
    return News(full, (*timer, phrases.in_a_line(turn), *more))


IN_FULL, LINE_BY_LINE, TOGETHER, NOT_AT_ALL = "in full", "line by line", "together", "not at all"


class _Board(NamedTuple):
    """The houses, drawn or as tables, and whether the public contracts are beside them."""

    lines: list[Line]
    contracts: bool = False


class _Brevity(NamedTuple):
    """How much is said of what is not the houses."""

    news: int | None
    """Rows of the news at most; None for all of them in full."""
    private: str
    """How the private contracts are shown: see the constants."""
    players: bool = True
    """A line for each player."""


FULL, SHORTER = _Brevity(None, IN_FULL), _Brevity(2, LINE_BY_LINE)
SHORTEST = (
    _Brevity(1, LINE_BY_LINE),
    _Brevity(1, TOGETHER),
    _Brevity(1, TOGETHER, players=False),
    _Brevity(1, NOT_AT_ALL, players=False),
    _Brevity(0, NOT_AT_ALL, players=False),
)
"""One thing after the other is given up."""


class BoardPanel(NamedTuple):
    """The table, and what has happened. What is new to who reads it comes first."""

    table: Table
    news: tuple[News, ...] = ()

    def lines(self, screen: Screen, rows: int, most: int) -> list[Line]:
        """Return the table and what has happened, as large as fits into the rows.

        The least that there is may take ``most`` rows; what does not fit even then is left out. To
        a bystander room is kept for what the player will see, so that all stays in its place.
        """
        table, news = self
        panel = _Panel(screen)
        found: list[Line] = []
        hidden = KEPT * any(player.private is None for player in table.players)
        for found in panel.ways(table, news, drawn=rows >= DRAWN_FROM):
            if len(found) + hidden * (table.seat is None) <= rows:
                return found
        for brevity in SHORTEST:
            found = panel.put(table, panel.tables(table), news, brevity)
            if len(found) <= most:
                return found
        return found[: max(0, most)]

    def sentences(self) -> Iterator[Sentence]:
        """Return the news, the situation, and what the reader's private contracts bring."""
        for news in self.news:
            yield from news.full
        yield from phrases.situation(self.table)
        for player in self.table.players:
            if not player.choosing:
                for one in player.private or ():
                    yield say("{name}: {worth}", name=one.name, worth=phrases.worth_now(one))


def _with_margin(lines: Iterable[Line]) -> list[Line]:
    return [[(" " * MARGIN, PLAIN), *line] if line else [] for line in lines]


class _Panel:
    """Puts a table together for one screen."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self.width = screen.width - 2 * MARGIN
        self.ascii = screen.ascii
        self.times, self.more = ("x", "...") if screen.ascii else ("×", "…")

    def ways(self, table: Table, news: Sequence[News], *, drawn: bool) -> Iterator[list[Line]]:
        """Return the table in all ways in which nothing but words is shortened."""
        text = _with_margin(self.news(news, None))
        yield [*lines(table_document(table._replace(last=None), SCREEN), self.screen), *text]
        drawings = [*self.large(table), *self.small(table)] if drawn else []
        for board in (*map(_Board, drawings), self.tables(table)):
            for brevity in (FULL, SHORTER):
                yield self.put(table, board, news, brevity)

    def put(
        self, table: Table, board: _Board, news: Sequence[News], brevity: _Brevity
    ) -> list[Line]:
        """Return everything, one below the other."""
        situation = [*phrases.situation(table)[:1], *_ending(table), *phrases.sealed(table)]
        lines = wrapped(" ".join(map(str, situation)), self.width, style=BOLD)
        lines += [*board.lines, *self.cards(table)]
        if not board.contracts:
            lines += self.block(say("Contracts"), self.contracts(table), gap=2)
        lines += self.players(table) if brevity.players else self.players_together(table)
        lines += self.private(table, brevity.private)
        return _with_margin([*lines, *self.news(news, brevity.news)])

    def large(self, table: Table) -> Iterator[list[Line]]:
        """Draw the two sides below each other."""
        most = max(map(len, table.sides))
        for cell in LARGE_CELLS:
            if cell * most <= self.width:
                left, right = self.fronts(table, cell)
                yield [*left, *right]

    def small(self, table: Table) -> Iterator[list[Line]]:
        """Draw the two sides beside each other."""
        for cell in SMALL_CELLS:
            left, right = self.fronts(table, cell)
            first = cell * len(table.sides[0]) + GAP
            if first + cell * len(table.sides[1]) <= self.width:
                rows = max(len(left), len(right))
                yield beside(_lowered(left, rows), _lowered(right, rows), first)

    def fronts(self, table: Table, cell: int) -> tuple[list[Line], list[Line]]:
        """Draw each of the two sides."""
        left, right = table.sides
        size = Size(cell, 1)
        return houses.fronts(left, size, self.ascii), houses.fronts(right, size, self.ascii)

    def tables(self, table: Table) -> _Board:
        """Return the two sides as tables, and the contracts beside them if there is room."""
        lines = tables(table, self.width, self.ascii)
        contracts = self.contracts(table)
        room = room_beside(self.width)
        if max(map(width_of, contracts), default=0) > room:
            return _Board(lines)
        panel: list[Line] = [[(str(say("Contracts")), BOLD)], *contracts]
        return _Board(beside(lines, panel, self.width - room), contracts=True)

    def block(self, label: Sentence, chunks: Iterable[Line], gap: int = 1) -> list[Line]:
        """Set things behind a heading, on as many lines as they need."""
        return flow(chunks, self.width, first=_head(label), indent=HEAD, gap=gap)

    def cards(self, table: Table) -> list[Line]:
        """Return the face-up cards, with the numbers of their spaces if there is room."""
        cards: list[Line] = [
            [chip(card) if card else (f" {say('empty')} ", DIM)] for card in table.cards
        ]
        numbered = [[(f"{space} ", DIM), *card] for space, card in enumerate(cards, start=1)]
        lines = self.block(say("Cards"), numbered)
        return lines if len(lines) == 1 else self.block(say("Cards"), cards, gap=0)

    def contracts(self, table: Table) -> list[Line]:
        """Return each of the public contracts: whether it can be met, its name, its VP."""
        return [
            [
                (f"{_MARKS[one.chance][self.ascii]} ", TO_BE_MET if one.chance == NOW else PLAIN),
                (one.name, DIM if one.chance == NEVER else PLAIN),
                (f" {one.vp}", PLAIN),
            ]
            for one in table.contracts
            if one
        ]

    def players(self, table: Table) -> list[Line]:
        """Return a line for each player: name, score, hand; who is to move is bold."""
        scores = [str(say("{vp} VP", vp=player.score)) for player in table.players]
        hands = max(width_of(self.codes(player)) for player in table.players)
        longest = 1 + max(cells(player.name) for player in table.players)
        column = max(HEAD, min(longest, self.width - max(map(len, scores)) - GAP - hands))
        lines = []
        for player, score in zip(table.players, scores, strict=True):
            style = BOLD if player.name in table.to_move else PLAIN
            name = padded([(cut(player.name, column - 1, self.more), style)], column)
            line: Line = [*name, (f"{score:>6}{' ' * GAP}", style)]
            lines.append([*line, *self.hand(player, self.width - width_of(line))])
        return lines

    def players_together(self, table: Table) -> list[Line]:
        """Return the players one behind the other, where there are no lines for each."""
        chunks: list[Line] = []
        for player in table.players:
            score = str(say("{player} {vp} VP", player=player.name, vp=player.score))
            style = BOLD if player.name in table.to_move else PLAIN
            chunks.append([(score, style), (" ", PLAIN), *self.codes(player)])
        return self.block(say("Players"), chunks, gap=2)

    def hand(self, player: Player, width: int) -> Line:
        """Return a hand on one line: card by card, kind by kind, or as letters."""
        if not player.hand:
            return [(f" {say('no cards')}", DIM)]
        line: Line = []
        for line in (_chips(player), self.kinds(player), self.codes(player)):
            if width_of(line) <= width:
                return line
        return self.cut(line, width)

    def kinds(self, player: Player) -> Line:
        """Return each kind of card once."""
        return _spaced(
            chip(f"{card} {self.times}{count}" if count > 1 else card)
            for card, count in Counter(player.hand).items()
        )

    def codes(self, player: Player) -> Line:
        """Return each kind of card as the letter of its color and its value."""
        return _spaced(
            (
                f"{PAINTS[card.partition('-')[0]].letter}{card[-1]}"
                + (f"{self.times}{count}" if count > 1 else ""),
                PAINTS[card.partition("-")[0]].chip,
            )
            for card, count in Counter(player.hand).items()
        )

    def private(self, table: Table, how: str) -> list[Line]:
        """Return what the private contracts bring and still can.

        Those that have to be chosen from are choices by themselves.
        """
        own = [
            one for player in table.players if not player.choosing for one in player.private or ()
        ]
        if how == NOT_AT_ALL or not own:
            return []
        if how == TOGETHER:
            return self.block(say("Private"), ([(_brief(one), PLAIN)] for one in own), gap=2)
        lines: list[Line] = []
        for one in own:
            head = _head(say("Private")) if not lines else [(" " * HEAD, PLAIN)]
            line: Line = [*head, (f"{one.name}  ", BOLD), (str(phrases.worth_now(one)), PLAIN)]
            lines += (
                folded(line, self.width, HEAD + 2)
                if how == IN_FULL
                else [self.cut(line, self.width)]
            )
        return lines

    def news(self, news: Sequence[News], rows: int | None) -> list[Line]:
        """Return what has happened, in a number of rows; a mark shows that there is more."""
        if not news or rows == 0:
            return []
        full = self.paragraph([sentence for one in news for sentence in one.full])
        if rows is None or len(full) <= rows:
            return full
        short = self.paragraph([sentence for one in news for sentence in one.short])
        if len(short) <= rows:
            return short
        return [*short[: rows - 1], self.marked(short[rows - 1])]

    def cut(self, line: Line, width: int) -> Line:
        """Return a line that fits: whole, or cut behind a word with a mark that says so."""
        return line if width_of(line) <= width else self.marked(line, width)

    def marked(self, line: Line, width: int | None = None) -> Line:
        """Return as much of a line as fits before a mark that says that it goes on."""
        room = (self.width if width is None else width) - 1 - cells(self.more)
        return [*folded(line, room)[0], (f" {self.more}", PLAIN)]

    def paragraph(self, sentences: Sequence[Sentence]) -> list[Line]:
        """Set sentences one behind the other."""
        text = " ".join(map(str, sentences))
        return wrapped(text, self.width, first=_head(say("News")), indent=HEAD)


def _lowered(lines: list[Line], rows: int) -> list[Line]:
    """Return a drawing at the bottom of a number of rows."""
    blank: list[Line] = [[]]
    return blank * (rows - len(lines)) + lines


def _head(label: Sentence) -> Line:
    return [(f"{label!s:{HEAD}}", BOLD)]


def _chips(player: Player) -> Line:
    return _spaced(chip(card) for card in player.hand)


def _spaced(cards: Iterable[Span]) -> Line:
    return [span for card in cards for span in (card, (" ", PLAIN))][:-1]


def _brief(one: Private) -> str:
    most = one.progress.most if one.progress else one.vp
    if most == one.vp:
        return str(say("{name} {vp} VP", name=one.name, vp=one.vp))
    return str(say("{name} {vp} of {most} VP", name=one.name, vp=one.vp, most=most))


def _ending(table: Table) -> list[Sentence]:
    """Say how far it is to the end; of a solo game the number of the turn says it."""
    if table.last_round is not None:
        return [say("The game ends after round {round}.", round=table.last_round)]
    if table.roofs_to_end is None:
        return []
    return [say("Roofs to go: {left}.", left=table.roofs_to_end - table.roofs)]
