"""How a game ended: who won, where the VP came from, why it ended and what decided it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from typing import NamedTuple

from porto_cli.cli.output import parts_of
from porto_cli.core import enumerated
from porto_cli.match.replay import Replay, last_mover
from porto_cli.pages import above, score
from porto_cli.paper import Document, Heading, Node, Paragraph, put, sentences
from porto_cli.players.review import deeds, what_decided
from porto_cli.players.telling import to_you
from porto_cli.scene import NOTES, Pane, PaneForm, Scene, drawn, fit, joined
from porto_cli.seam import News
from porto_cli.term import DIM, PLAIN, Line, Screen

_NARROW = 60
"""Columns up to which a margin would cost a table."""
_SHEET, _WHY, _NAMED, _BLANKS, _DETAILS = -2, -1, 199, 200, 300
"""Ranks before and behind those of what was built, see :class:`~porto_cli.scene.PaneForm`."""
_REST = "Where the points came from, in full: press =, 3, Enter."
"""What shows the details that have no room, see ``to_look_at``."""


class Finale(NamedTuple):
    """How a game ended, above what can be done then: see :class:`porto_cli.term.prompt.Above`.

    Who has won is always seen, and as much of the rest as there is room for: why the game ended
    (``why``), where the VP came from, what decided it (``course``), what was built, notes, and the
    details, the ``reader``'s own first. Above a question (``fills``) what is left out is named, and
    the rows that the question does not need are for these.
    """

    document: Document
    why: Sequence[str] = ()
    course: Sequence[str] = ()
    table: Scene | None = None
    reader: str = ""
    fills: bool = True

    def lines(self, screen: Screen, rows: int, move: str = "", wanted: int = 0) -> list[Line]:
        """Return as much as fits into the rows, at least who has won."""
        margin = int(screen.width > _NARROW)
        inner = screen._replace(width=screen.width - 2 * margin)

        def form(rank: int, *nodes: Node, above: int = 0) -> PaneForm:
            lines = [*[Line()] * above, *put(nodes, inner)]
            return PaneForm(rank, len(lines), lambda screen: lines)

        nodes = self.document.nodes
        first, *ends = [*parts_of(self.document), len(nodes)]
        parts = nodes[first + 1 : ends[0]]
        details = [nodes[start:end] for start, end in pairwise(ends)]
        details.sort(key=lambda part: getattr(part[0], "about", "") != self.reader)

        def detailed(count: int) -> PaneForm:
            rest = [Paragraph([_REST], DIM)] * (self.fills and count < len(details))
            shown = chain(*details[:count], rest)
            return form(_DETAILS if count else _NAMED, *shown, above=int(count > 0))

        def told(said: Sequence[str], rank: int) -> Pane:
            first, both = [*filter(None, said[:1])], [*filter(None, said)]
            ranked = (_WHY, first), (rank, both)
            return [form(rank, Paragraph(one)) for rank, one in ranked if one]

        blank = [form(_BLANKS, above=1)]
        panes: list[Pane] = [
            told(self.why, _WHY),
            blank,
            *([form(NOTES + nth if nth else _SHEET, one)] for nth, one in enumerate(parts)),
            blank if any(self.course) else [],
            told(self.course, NOTES),
            [*map(detailed, range(len(details) + 1))] if details else [],
            blank,
            *(self.table.built if self.table else ()),
        ]
        won = put(nodes[:1], inner)[: max(1, rows)]
        found = [*won, *drawn(fit(panes, rows - len(won), inner), inner)]
        while not found[-1]:
            found.pop()
        return [[(" " * margin, PLAIN), *line] if line else line for line in found]

    def sentences(self) -> Iterator[str]:
        """Return who has won, why, where the VP came from, without the details, and what decided
        it.
        """
        end = [*parts_of(self.document), None, None][1]
        won, *where = sentences(self.document._replace(nodes=self.document.nodes[:end]))
        return filter(None, (won, *self.why, *where, *self.course))


_LATELY = 4
"""Maximum number of things that are told of those that happened since somebody's last turn."""


def _in_short(news: Sequence[News]) -> str:
    """Return the last moves that brought VP."""
    short = [one for each in news for one in each.short if one.who and " VP" in one.text]
    before = ["…"] if len(short) > _LATELY else []
    return " ".join([*before, *joined(short[-_LATELY:])])


def finale_of(replay: Replay, compared: str = "", seat: int | None = None) -> Finale:
    """Return how a game ended and why, how its result is ``compared`` with others, what decided it,
    and what brought VP in the last turn of a seat, by default of who moved last, or since then:
    bots may have ended it. Who is the only one to read it is spoken to.
    """
    reader = (last_mover(replay) if seat is None else seat) or 0
    seen, game = above(replay, None, reader), replay.game
    player = replay.config.players[reader]
    table = seen if isinstance(seen, Scene) else None
    last, when = replay.turns()[-1], "Since your last turn: "
    lately = _in_short(table.news) if table else ""
    if last.seat == reader:
        did = enumerated([one for one in deeds(replay, last, player) if " VP" in one])
        lately, when = f"{player} {did}." if did else "", "In the last turn "
    decided = game.decided(replay) or what_decided(replay)
    lately = "" if decided.endswith(lately) else f"{when}{lately}"
    told = [game.how_it_ended(replay), table.why if table else "", decided, lately]
    if seat is not None or replay.people == [reader]:
        told = to_you(player, told)
    won, why, decided, lately = told
    document = Document("", [Heading(won), *score(replay, None).nodes[1:]])
    return Finale(document, (why, compared), (decided, lately), table, player)
