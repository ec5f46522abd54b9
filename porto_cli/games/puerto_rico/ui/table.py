"""The table put together: for each medium, and above a question.

Above a question there is as much of it as fits into the rows that are left. There are several ways
to show it, the largest first, and the first that fits is taken: everything that ``porto show``
shows; without the buildings; the board of the player to move and a line for each other one; and
then of the middle of the table only what matters for the decision. Where even that is too much,
the news is shortened and the rest is cut. Whose decision it is stays in sight.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from porto_cli.core.message import Sentence, say
from porto_cli.games.puerto_rico import phrases
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
    State,
)
from porto_cli.games.puerto_rico.engine.table_view import TableView, table_view
from porto_cli.games.puerto_rico.ui.history import News
from porto_cli.games.puerto_rico.ui.nodes import (
    CELL,
    board_in_a_grid,
    board_in_chips,
    buildings,
    by_columns,
    by_cost,
    draft,
    head,
    in_words,
    middle,
    player,
    players,
)
from porto_cli.games.puerto_rico.ui.scoring import score, standings
from porto_cli.paper.document import (
    BOLD,
    DIM,
    PAGE,
    SCREEN,
    SENTENCES,
    Beside,
    Block,
    Columns,
    Document,
    Fitted,
    Gap,
    Heading,
    Labels,
    Node,
    Paragraph,
    Text,
)
from porto_cli.paper.text import lines
from porto_cli.term.screen import Screen
from porto_cli.term.spans import Line

TITLE = "Puerto Rico"
"""What a game without a title is called."""
MARGIN = 1
LABELS = Labels(column=9, roomy=56, indent=2, style=DIM)
"""The labels of what lies in the middle."""
WIDE = 110
"""Columns from which on the buildings are beside the players, always."""


def with_vp(state: State, seat: int | None = None) -> TableView:
    """Return what a seat sees of a table, and the VP chips of all."""
    seen = table_view(state, seat)
    players = zip(seen.players, state.players, strict=True)
    return seen._replace(players=tuple(view._replace(vp=player.vp) for view, player in players))


def table(
    seen: TableView,
    medium: str,
    *,
    title: str = "",
    fingerprint: str = "",
    last: Sequence[Sentence] = (),
) -> Document:
    """Return the table for a medium; ``last`` is what happened last.

    What a page shows besides, its pictures and its frame, is in :mod:`.pages`.
    """
    if medium == SCREEN:
        nodes = _on_a_screen(seen, title, fingerprint, last)
    elif medium == SENTENCES:
        nodes = _in_sentences(seen, title, fingerprint, last)
    elif medium == PAGE:
        nodes = _on_a_page(seen)
    else:
        nodes = _in_a_mail(seen)
    return Document(title or TITLE, nodes, MARGIN, LABELS)


def _on_a_screen(
    seen: TableView, title: str, fingerprint: str, last: Sequence[Sentence]
) -> list[Node]:
    """On a wide screen the buildings are at the right, on others they follow where they matter."""
    note = say("fingerprint {fingerprint}", fingerprint=fingerprint) if fingerprint else ""
    nodes = [*middle(seen).values(), *_boards(seen)]
    drafted = draft(seen) if seen.phase == DRAFT_PHASE else []
    ending: list[Node] = [Gap(), Paragraph(last, first=[(f"{say('Last:')} ", DIM)])] if last else []

    def fit(screen: Screen) -> list[Node]:
        if screen.width >= WIDE:
            right = drafted or by_columns(seen)
            return [Columns([*nodes, *ending], right, screen.width - CELL, gap=2)]
        if seen.phase in (DRAFT_PHASE, ROLE_PHASE, BUILDER_PHASE):
            return [*nodes, Gap(), *(drafted or by_cost(seen)), *ending]
        return [*nodes, *ending]

    found = [*heading(seen, title, note), Gap(), Fitted(fit)]
    return [*found, Gap(), *score(standings(seen)).nodes] if seen.phase == OVER else found


def heading(seen: TableView, title: str = "", note: Text = "") -> list[Node]:
    """Return what game it is and who decides what, a line for each sentence."""
    return [Heading(title or TITLE, 1, note), *_situation(seen)]


def _situation(seen: TableView) -> list[Node]:
    return [Paragraph([sentence], BOLD) for sentence in phrases.situation(seen)]


def _boards(seen: TableView) -> list[Node]:
    return [node for seat in range(len(seen.players)) for node in (Gap(), *player(seen, seat))]


def _in_sentences(
    seen: TableView, title: str, fingerprint: str, last: Sequence[Sentence]
) -> list[Node]:
    nodes: list[Node] = [Paragraph([title])] if title else []
    nodes.append(Paragraph(phrases.situation(seen)))
    if last:
        nodes.append(Paragraph([say("Last:"), *last]))
    parts = middle(seen)
    if seen.phase == OVER:
        del parts["roles"]
        nodes += score(standings(seen)).nodes
    nodes += parts.values()
    nodes += _boards(seen)
    nodes += draft(seen) if seen.phase == DRAFT_PHASE else in_words(seen)
    if fingerprint:
        nodes.append(Paragraph([say("Fingerprint: {fingerprint}", fingerprint=fingerprint)]))
    return nodes


def _on_a_page(seen: TableView) -> list[Node]:
    boards = (
        Block(say("Board of {player}", player=player.name), board_in_a_grid(player))
        for player in seen.players
    )
    return [
        players(seen),
        Beside([*middle(seen).values(), *boards, buildings(seen)]),
        Block(say("Where the VP come from"), score(standings(seen)).nodes),
    ]


def _in_a_mail(seen: TableView) -> list[Node]:
    signs = say("● is a colonist, ○ an empty circle. A number behind a building is its VP.")
    nodes: list[Node] = [
        *(Paragraph([sentence]) for sentence in phrases.situation(seen)),
        *middle(seen).values(),
        players(seen),
        *(board_in_chips(player) for player in seen.players),
        Paragraph([signs], DIM),
    ]
    return nodes if seen.phase == OVER else [*nodes, buildings(seen)]


# -- above a question

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

    seen: TableView
    news: tuple[News, ...] = ()

    def lines(self, screen: Screen, rows: int, most: int) -> list[Line]:
        """Return the table and what has happened, as large as fits into the rows.

        The smallest form may take ``most`` rows; what does not fit even then is left out.
        """
        found: list[Line] = []
        for nodes in self._in_full():
            found = _lines(nodes, screen)
            if len(found) <= rows:
                return found
        news = self._short_news(screen)
        for nodes in self._in_short():
            found = _lines(nodes, screen) + news
            if len(found) <= most:
                return found
        return _lines(self._least(), screen)[: max(0, most)]

    def sentences(self) -> Iterator[Sentence]:
        """Yield the news, who decides what, and what the player to move has."""
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

    def _in_full(self) -> Iterator[list[Node]]:
        """Yield the table in smaller and smaller forms, with all news."""
        seen, news = self.seen, self._news()
        if seen.phase != DRAFT_PHASE:
            yield [*table(seen, SCREEN).nodes, *news]
        top = [*heading(seen), Gap()]
        parts = middle(seen).values()
        yield [*top, *parts, *_boards(seen), *news]
        yield [*top, *parts, *self._others(), *self._own(), *news]
        yield [*top, *self._matters(), *self._others(), *self._own(), *news]

    def _in_short(self) -> Iterator[list[Node]]:
        """Yield the smallest forms, the largest first."""
        top, matters, own = heading(self.seen), self._matters(), self._own()
        yield [*top, *matters, *self._others(), *own]
        yield [*top, *matters, *own]
        yield [*_situation(self.seen), *matters, *own]
        yield self._least()

    def _least(self) -> list[Node]:
        return [*_situation(self.seen)[:1], *self._matters(), *self._own()[:1]]

    def _own(self) -> list[Node]:
        return player(self.seen, self._reader)

    @property
    def _reader(self) -> int:
        """The seat that reads: of a bystander, the player to move."""
        return (*self.seen.to_move, 0)[0] if self.seen.seat is None else self.seen.seat

    def _others(self) -> list[Node]:
        """A line or two for each other player: what is in hand, without the board."""
        seats = range(len(self.seen.players))
        return [head(self.seen, seat) for seat in seats if seat != self._reader]

    def _matters(self) -> list[Node]:
        parts = middle(self.seen)
        return [parts[name] for name in _MATTERS.get(self.seen.phase, ("people",))]

    def _news(self) -> list[Node]:
        """Return the news, behind a heading."""
        found = [one for news in self.news for one in news.full]
        return [Gap(), _told(found)] if found else []

    def _short_news(self, screen: Screen) -> list[Line]:
        """Return the news, or as many of the last sentences as fit where it is long."""
        found = _lines(self._news()[1:], screen)
        if len(found) <= SHORT_NEWS:
            return found
        sentences = [one for news in self.news for one in news.short]
        for start in range(len(sentences)):
            found = _lines([_told(sentences[start:], is_cut=start > 0)], screen)
            if len(found) <= SHORT_NEWS:
                break
        return found[:SHORT_NEWS]


def _told(sentences: Sequence[Sentence], *, is_cut: bool = False) -> Paragraph:
    """Return news behind a heading; a mark says if the beginning of it is left out."""
    heading = say("News: …") if is_cut else say("News:")
    return Paragraph(sentences, first=[(f"{heading} ", DIM)])


def _lines(nodes: Sequence[Node], screen: Screen) -> list[Line]:
    return lines(Document("", nodes, MARGIN, LABELS), screen)
