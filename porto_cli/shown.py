"""How a game looks: its table, its score, its pages, and what stands above a question.

A game derives a class from :class:`Shown` and overrides what it does better than lines of text, or
from :class:`Viewed`, if it has a view of its table of which all media are made. What all games have
in common is made of it in :mod:`porto_cli.pages`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from porto_cli.core import document
from porto_cli.paper import (
    BOLD,
    DIM,
    PLAIN,
    Block,
    Chunk,
    Document,
    Grid,
    Node,
    Paragraph,
    TypedLines,
    sentences,
)
from porto_cli.seam import OVER, CardSection, News, State, Thing

if TYPE_CHECKING:
    from porto_cli.abilities import SoFar
    from porto_cli.paper.html import Picture
    from porto_cli.paper.page import PaperTable, Story
    from porto_cli.rules import Rules
    from porto_cli.term.prompt import Above


TOTAL = "total"
"""What the sum of VP is called."""


class Ranked(NamedTuple):
    """A player of the standings: the place if it is known, the name, the VP by their sources,
    ``None`` for what is secret, and the same as a sentence.
    """

    place: int | None
    name: str
    vp: Mapping[str, int | None]
    spoken: str


def ranked(players: Sequence[Ranked]) -> Grid:
    """Return where the VP of players come from, a row for each."""
    return Grid(
        ["", *players[0].vp],
        [
            [[f"{place}. " if place else "", (name, BOLD)], *(_number(*one) for one in vp.items())]
            for place, name, vp, _ in players
        ],
        range(1, 1 + len(players[0].vp)),
        [one.spoken for one in players],
    )


def _number(source: str, vp: int | None) -> Chunk:
    return [(shown_vp(vp), BOLD if source == TOTAL else PLAIN)]


def shown_vp(vp: int | None) -> str:
    """Return VP, or what stands for those that are secret."""
    return "?" if vp is None else str(vp)


class Shown:
    """How a game looks. ``seat`` is who looks, ``None`` a bystander."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    # -- The table.

    def table(self, played: SoFar, seat: int | None, last: Sequence[str]) -> Document:
        """Return the table as a document, for all media. ``last`` says what the last turn was."""
        return self._lines(played.record.title, played.state, seat)

    def position(self, state: State, title: str) -> Document:
        """Return the table of a state that no record led to, in which nothing is secret."""
        return self._lines(title, state, None)

    def _lines(self, title: str, state: State, seat: int | None) -> Document:
        game = self.rules.meta.title
        lines = TypedLines(self.rules.table(state, seat))
        return Document(f"{game}, {title}" if title else game, [lines])

    def table_json(self, played: SoFar, seat: int | None) -> dict[str, Any]:
        """Return the table by the names of ``porto show --format json``."""
        state, players = played.state, played.config.players
        outcome = self.rules.outcome(state)
        return document(
            game=self.rules.meta.id,
            title=played.record.title,
            phase=state.phase,
            turn=None if outcome else state.turn + 1,
            to_move=[players[one] for one in self.rules.to_move(state)],
            players=[{"name": name} for name in players],
            table=self.rules.table(state, seat),
            fingerprint=played.fingerprint,
            digest=played.digest,
            result=self.result(state),
        )

    def sheet(self, played: SoFar, seat: int | None, last: Sequence[str]) -> PaperTable:
        """Return what is on the page and in the picture of the table; by default its text."""
        from porto_cli.paper.page import PaperTable

        return PaperTable(rows=self.table(played, seat, last).nodes)

    def illustrated(
        self, story: Story, played: SoFar, states: Sequence[State], seat: int | None
    ) -> Story:
        """Return a story with the table in each of its frames, as a seat may see it: with pictures,
        and with what the chart counts. ``states`` are those of the frames.
        """
        frames = zip(story.frames, states, strict=True)
        return story._replace(
            frames=[
                frame._replace(body=[*frame.body, TypedLines(self.rules.table(state, seat))])
                for frame, state in frames
            ]
        )

    def above(
        self, played: SoFar, seat: int | None, news: Sequence[News], last: Sequence[str]
    ) -> Above:
        """Return what stands above a question: the table as ``seat`` may see it, and what is new
        to who is asked.
        """
        from porto_cli.term.prompt import Told

        return Told(last, Told([*sentences(self.table(played, seat, last))]))

    # -- The score.

    def result(self, state: State) -> Any:
        """Return how a game has ended, as documents have it, the first place first; ``None`` while
        it goes on.
        """
        outcome = self.rules.outcome(state)
        if outcome is None:
            return None
        rows = zip(outcome.places, state.config.players, outcome.scores, outcome.won, strict=True)
        return [
            {"name": name, "place": place, "score": score, "won": won}
            for place, name, score, won in sorted(rows, key=lambda row: row[0])
        ]

    def standings(self, played: SoFar, seat: int | None) -> dict[str, Any]:
        """Return who is ahead and why, by the names of ``porto score --format json``."""
        ranked = self.result(played.state)
        names = [{"name": name} for name in played.config.players]
        return {"over": ranked is not None, "players": names if ranked is None else ranked}

    def score_rows(self, standings: Mapping[str, Any]) -> Iterable[Node]:
        """Return standings as rows."""
        if not standings["over"]:
            return [Paragraph(["The game goes on; nothing is counted before its end."])]
        players = standings["players"]
        return [Paragraph([f"{one['place']}. {one['name']}: {one['score']}"]) for one in players]

    def explanation(self, players: Sequence[str], state: State) -> list[str]:
        """Return how the final scores of players are worked out, if there is more to say."""
        return []

    # -- What is in the box.

    def things(self) -> dict[str, Thing]:
        """Return what in the box can be looked up by ``porto rules``, by name; nothing else has to
        be known to play.
        """
        return {}

    def in_brief(self, state: State | None = None) -> list[CardSection]:
        """Return what ``porto rules`` shows in brief, besides what ``rulings.toml`` has for it; of
        a ``state`` only what is in its game.
        """
        return []


View = dict[str, Any]
MARGIN = 1
"""Columns at the left of a table."""


class Viewed(Shown):
    """How a game looks whose tables are all made of a *view*: a mapping of what a seat may see, by
    the names of ``porto show --format json``. So no medium can show what another one hides.
    """

    @abstractmethod
    def view(self, state: State, seat: int | None, *, is_open: bool = False) -> View:
        """Return what a seat, or (``None``) a bystander, may see; all of it if ``is_open``."""

    @abstractmethod
    def situation(self, view: View, /) -> list[str]:
        """Return in sentences whose turn it is, or that the game is over, and what to know then."""

    @abstractmethod
    def rows(self, view: View, /) -> Iterable[Node]:
        """Return the table row by row."""

    def below(self, view: View, /) -> Iterable[Node]:
        """Return what is below the rows of a table that has no pictures."""
        return ()

    @abstractmethod
    def pictures(self, view: View, before: View | None) -> Sequence[Picture]:
        """Return the table as it looks; what is new since ``before`` is marked."""

    @abstractmethod
    def shapes(self) -> str:
        """Return what the pictures use, see :func:`porto_cli.paper.page.shapes_in`."""

    def seen(self, played: SoFar, seat: int | None) -> View:
        """Return the view of a game, with what only its record knows."""
        return self.view(played.state, seat)

    def result(self, state: State) -> Any:
        """Return how a game has ended, which its view has under that name."""
        return self.view(state, None)["result"]

    def document(
        self,
        view: View,
        *,
        title: str = "",
        last: Sequence[str] = (),
        fingerprint: str = "",
    ) -> Document:
        """Return the table of a view, with what is around it: ``last`` is what happened last."""
        nodes: list[Node] = [Paragraph([sentence], BOLD) for sentence in self.situation(view)]
        nodes += [*self.rows(view), *self.below(view)]
        if last:
            nodes.append(Block("Last turn", [Paragraph(last)]))
        if fingerprint:
            nodes.append(Paragraph([f"Fingerprint: {fingerprint}"], DIM))
        return Document(title or self.rules.meta.title, nodes, MARGIN)

    def table(self, played: SoFar, seat: int | None, last: Sequence[str]) -> Document:
        """Return the table with what is around it."""
        title, fingerprint = played.record.title, played.fingerprint
        seen = self.seen(played, seat)
        return self.document(seen, title=title, last=last, fingerprint=fingerprint)

    def position(self, state: State, title: str) -> Document:
        """Return the table of a state, of which all is known: a scenario has no secrets."""
        return self.document(self.view(state, None, is_open=True), title=title)

    def in_words(self, state: State, seat: int | None) -> list[str]:
        """Return the table of a state as sentences."""
        return sentences(self.document(self.view(state, seat)))

    def table_json(self, played: SoFar, seat: int | None) -> dict[str, Any]:
        """Return the view, and what only the record knows."""
        around = {"fingerprint": played.fingerprint, "digest": played.digest}
        seen = {"title": played.record.title, **self.seen(played, seat), **around}
        return document(game=self.rules.meta.id, **seen)

    panes: Any
    """The module with what stands above a question: ``title``, ``panes`` of a view, of the one
    after a move, and of who sits somewhere, ``spoken`` and ``why_over``."""
    has_boards = False
    """Whether players have boards that are not all shown on a low screen."""

    def foreseen(self, state: State, move: str, seat: int | None) -> View:
        """Return the view after a move that is not made yet; empty where it is not known."""
        then = self.rules.foreseen(state, move)
        return self.view(then, seat) if then else {}

    def preview(self, state: State, seen: View, then: View, move: str) -> Sequence[str]:
        """Return ways to say what a move would change and bring in a few words, the longest first;
        there may be none.
        """
        return ()

    def above(
        self, played: SoFar, seat: int | None, news: Sequence[News], last: Sequence[str]
    ) -> Above:
        """Return the table, and what is new to a reader."""
        from porto_cli.asking import Scene

        panes, seen, state = self.panes, self.seen(played, seat), played.state
        people, first = len(seen["players"]), state.seat if seat is None else seat
        ahead = cache(lambda move: self.foreseen(state, move, seat) or seen)
        return Scene(
            panes.title(seen),
            lambda move, turned: panes.panes(seen, ahead(move), (first + turned) % people),
            news,
            lambda: panes.spoken(seen),
            people * self.has_boards,
            panes.why_over(seen),
            lambda move: self.preview(state, seen, ahead(move), move),
        )

    def sheet(self, played: SoFar, seat: int | None, last: Sequence[str]) -> PaperTable:
        """Return the table with its pictures; after the end it begins with how it ended."""
        from porto_cli.paper.page import PaperTable

        seen, step = self.seen(played, seat), played.last_step()
        is_over = played.state.phase == OVER
        before = step.before if step else played.opening
        headline = self.situation(seen)
        if is_over:
            headline[0] = self.rules.how_it_ended(played)
        pictures = self.pictures(seen, self.view(before, seat, is_open=is_over))
        return PaperTable(headline, last, pictures, [*self.rows(seen)], self.shapes())
