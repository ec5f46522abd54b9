"""The table above a question of ``porto play``, as large as fits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from porto_cli.games.puerto_rico.render import (
    MARGIN,
    TITLE,
    board,
    buildings,
    goal,
    hand,
    middle,
    situation,
)
from porto_cli.history import News
from porto_cli.paper.document import BOLD, DIM, Document, Heading, Node, Paragraph
from porto_cli.paper.text import described, lines
from porto_cli.term.screen import Screen
from porto_cli.term.spans import Line

SHORT_NEWS = 2
"""Rows of news where there is little room."""

_MATTERS = {
    "role": ("Roles", "Tiles", "Ships", "Sold"),
    "settler": ("Tiles",),
    "library": ("Tiles",),
    "mayor": ("Ships",),
    "craftsman": ("Supply",),
    "privilege": ("Supply",),
    "trader": ("Sold",),
    "captain": ("Ships",),
    "store": ("Ships",),
}
"""What of the middle of the table a decision is about."""


class BoardPanel(NamedTuple):
    """The table, and what has happened since the reader's last decision."""

    seen: dict[str, Any]
    news: tuple[News, ...] = ()

    def lines(self, screen: Screen, rows: int, most: int) -> list[Line]:
        """Return the table and what has happened, as large as fits into the rows.

        The smallest form may take ``most`` rows; what does not fit even then is left out.
        """
        forms = list(self._forms())
        found: list[Line] = []
        for news, some, room in (
            (self._news(screen), forms[:-1], rows),
            (self._short_news(screen), forms, most),
        ):
            for nodes in some:
                found = _lines(nodes, screen) + news
                if len(found) <= room:
                    return found
        return found[: max(0, most)]

    def sentences(self) -> Iterator[str]:
        """Yield the news, who decides what, and what the player to move has."""
        for news in self.news:
            yield from news.full
        yield from filter(None, (*situation(self.seen), goal(self.seen)))
        for player in self.seen["players"]:
            if player["name"] in self.seen["to_move"]:
                yield from described([hand(self.seen, player)])

    def _forms(self) -> Iterator[list[Node]]:
        """Yield the table in smaller and smaller forms.

        First the buildings give way, then the boards of others, then what the decision is not
        about, then what others have in hand.
        """
        seen = self.seen
        title = Heading(goal(seen) or TITLE, 1)
        top: list[Node] = [title, *(Paragraph([one], BOLD) for one in situation(seen))]
        rows = middle(seen)
        matters = [rows[label] for label in _MATTERS.get(seen["phase"], ())]
        reader = seen["player"] or (*seen["to_move"], seen["governor"])[0]
        boards, hands, own = list[Node](), list[Node](), list[Node]()
        for player in seen["players"]:
            boards += board(seen, player)
            if player["name"] == reader:
                own += board(seen, player)
            else:
                hands.append(hand(seen, player))
        yield [*top, *rows.values(), *boards, *buildings(seen)]
        yield [*top, *rows.values(), *boards]
        yield [*top, *rows.values(), *hands, *own]
        yield [*top, *matters, *hands, *own]
        yield [*top[1:], *matters, *own]

    def _news(self, screen: Screen) -> list[Line]:
        return _told([one for news in self.news for one in news.full], screen)

    def _short_news(self, screen: Screen) -> list[Line]:
        """Return the news, or as many of the last sentences as fit where they are long."""
        found = self._news(screen)
        sentences = [one for news in self.news for one in news.short]
        for start in range(len(sentences)):
            if len(found) <= SHORT_NEWS:
                break
            found = _told(sentences[start:], screen, "News: … " if start else "News: ")
        return found[:SHORT_NEWS]


def _told(sentences: Sequence[str], screen: Screen, heading: str = "News: ") -> list[Line]:
    nodes = [Paragraph(sentences, first=[(heading, DIM)])] if sentences else []
    return _lines(nodes, screen)


def _lines(nodes: Sequence[Node], screen: Screen) -> list[Line]:
    return lines(Document("", nodes, MARGIN), screen)
