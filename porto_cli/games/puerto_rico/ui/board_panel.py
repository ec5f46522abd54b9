"""The table as it stands above a question: as much of it as fits into the rows that are left.

There are several ways to show it, the largest first, and the first that fits is taken: everything
that ``porto show`` shows; without the buildings; the board of the player to move and a line for
each other one; and then of the middle of the table only what matters for the decision. Where
even that is too much, the news is shortened and the rest is cut.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from porto_cli.core.message import Sentence, say
from porto_cli.games.puerto_rico import phrases
from porto_cli.games.puerto_rico.engine.observation import Observation
from porto_cli.games.puerto_rico.engine.state import (
    BUILDER_PHASE,
    CAPTAIN_PHASE,
    CRAFTSMAN_PHASE,
    DRAFT_PHASE,
    LIBRARY_PHASE,
    MAYOR_PHASE,
    OVER,
    PRIVILEGE_PHASE,
    ROLE_PHASE,
    SETTLER_PHASE,
    STORE_PHASE,
    TRADER_PHASE,
)
from porto_cli.games.puerto_rico.ui import table_text
from porto_cli.games.puerto_rico.ui.news import News
from porto_cli.games.puerto_rico.ui.table_text import MARGIN, Marks
from porto_cli.term.screen import Screen
from porto_cli.term.spans import DIM, PLAIN, Line, wrapped

SHORT_NEWS = 2
"""Rows of news where there is little room."""

_MATTERS = {
    DRAFT_PHASE: (),
    ROLE_PHASE: ("roles", "tiles", "people", "ships", "house"),
    SETTLER_PHASE: ("tiles",),
    LIBRARY_PHASE: ("tiles",),
    MAYOR_PHASE: ("people",),
    BUILDER_PHASE: (),
    CRAFTSMAN_PHASE: ("supply",),
    PRIVILEGE_PHASE: ("supply",),
    TRADER_PHASE: ("house",),
    CAPTAIN_PHASE: ("ships",),
    STORE_PHASE: ("ships",),
}
"""What of the middle of the table a decision is about; nothing else is as important."""


class BoardPanel(NamedTuple):
    """The table, and what has happened since the reader's last decision."""

    seen: Observation
    news: tuple[News, ...] = ()

    def lines(self, screen: Screen, rows: int, most: int) -> list[Line]:
        """Return the table and what has happened, as large as fits into the rows.

        The least that there is may take ``most`` rows; what does not fit even then is left out.
        """
        panel = _Panel(self.seen, self.news, screen)
        found: list[Line] = []
        for found in panel.ways():
            if len(found) <= rows:
                return found
        for found in panel.short_ways():
            if len(found) <= most:
                return found
        return found[: max(0, most)]

    def sentences(self) -> Iterator[Sentence]:
        """Tell the news, who decides what, and what the player to move has."""
        for news in self.news:
            yield from news.full
        yield from phrases.situation(self.seen)
        if self.seen.phase == OVER:
            return
        player = self.seen.players[self.seen.to_move[0]]
        yield say(
            "{player} has {doubloons} and {goods}.",
            player=player.name,
            doubloons=phrases.doubloons(player.doubloons),
            goods=phrases.goods(player.goods),
        )


class _Panel:
    """Puts a table together for one screen."""

    def __init__(self, seen: Observation, news: Sequence[News], screen: Screen) -> None:
        self.seen = seen
        self.news = news
        self.screen = screen
        self.marks = Marks(screen)
        self.width = screen.width - 2 * MARGIN
        self.reader = seen.seat if seen.seat is not None else (*seen.to_move, 0)[0]

    def ways(self) -> Iterator[list[Line]]:
        """Return the table in smaller and smaller ways, with all news."""
        told = self._margin(self._told())
        if self.seen.phase != DRAFT_PHASE:
            yield [*table_text.text(self.seen, self.screen), *told]
        heading = table_text.heading(self.seen, self.width)
        middle = table_text.middle(self.seen, self.marks, self.width)
        yield self._margin([*heading, *middle, *self._boards(range(len(self.seen.players)))]) + told
        yield self._margin([*heading, *middle, *self._others(), *self._own()]) + told
        yield self._margin([*heading, *self._matters(), *self._others(), *self._own()]) + told

    def short_ways(self) -> Iterator[list[Line]]:
        """Return the least that there is of the table, with little news."""
        heading = table_text.heading(self.seen, self.width)[:-1]
        told = self._told()
        if len(told) > SHORT_NEWS:
            told = self._told(short=True)[-SHORT_NEWS:]
        matters, own = self._matters(), self._own()
        yield self._margin([*heading, *matters, *self._others(), *own, *told])
        yield self._margin([*heading, *matters, *own, *told])
        yield self._margin([*matters, *own, *told])
        yield self._margin([*matters, *own[:1], *told])
        yield self._margin([*matters, *own[:1]])

    def _boards(self, seats: range) -> list[Line]:
        return [
            line
            for seat in seats
            for line in ([], *table_text.player(self.seen, seat, self.marks, self.width))
        ]

    def _own(self) -> list[Line]:
        return table_text.player(self.seen, self.reader, self.marks, self.width)

    def _others(self) -> list[Line]:
        """A line or two for each other player: what is in hand, without the board."""
        return [
            line
            for seat in range(len(self.seen.players))
            if seat != self.reader
            for line in table_text.head(self.seen, seat, self.marks, self.width)
        ]

    def _matters(self) -> list[Line]:
        only = _MATTERS.get(self.seen.phase, ("people",))
        return table_text.middle(self.seen, self.marks, self.width, only)

    def _told(self, *, short: bool = False) -> list[Line]:
        """Return the news, behind a heading."""
        told = [one for news in self.news for one in (news.short if short else news.full)]
        if not told:
            return []
        heading = f"{say('News:')} "
        text = " ".join(map(str, told))
        lines = wrapped(text, self.width, first=[(heading, DIM)], style=PLAIN)
        return lines if short else [[], *lines]

    def _margin(self, lines: Sequence[Line]) -> list[Line]:
        return [[(" " * MARGIN, PLAIN), *line] if line else [] for line in lines]
