"""How a game looks: its table, its score, its pages, and what is shown above a question.

All media are made from one *view*: a mapping of what a seat may see, by the names of ``porto show
--format json``. So no medium can show what another one hides. A game derives a class from
:class:`Shown` and overrides what it does better than lines of text. :mod:`porto_cli.pages` builds
on this what all games have in common.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from porto_cli.core import InvalidMoveError
from porto_cli.core.chance import first_of_pile
from porto_cli.core.values import document
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
from porto_cli.seam import OVER, CardSection, News, State, Thing, with_level

if TYPE_CHECKING:
    from porto_cli.abilities import SoFar
    from porto_cli.paper.html import Picture
    from porto_cli.paper.page import PaperTable, Story
    from porto_cli.rules import Rules
    from porto_cli.term.prompt import Above


Seen = dict[str, Any]
MARGIN = 1
"""Blank columns to the left of a table."""
TOTAL = "total"
"""The name of the sum of VP."""


class Ranked(NamedTuple):
    """A player in the standings: the place if it is known, the name, the VP by source (``None`` if
    secret), and all of this as a sentence.
    """

    place: int | None
    name: str
    vp: Mapping[str, int | None]
    spoken: str


def ranked(players: Sequence[Ranked]) -> Grid:
    """Return a table of where the players' VP come from, with a row for each player."""
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
    """Return VP as text, ``?`` for secret ones."""
    return "?" if vp is None else str(vp)


def called(seen: Mapping[str, Any], player: str) -> str:
    """Return a player's name as the table shows it, see :func:`porto_cli.seam.with_level`."""
    return with_level(player, seen.get("bots", {}).get(player))


class Shown:
    """How a game looks to a ``seat``, or to a bystander (``None``). By default the view has the
    table as lines of text, and only these are shown.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    # -- The table: what a game overrides, for all media.

    def view(self, state: State, seat: int | None, *, is_open: bool = False) -> Seen:
        """Return what a seat, or (``None``) a bystander, may see; everything if ``is_open``. Its
        ``result`` has the players of a finished game, first place first; ``None`` before the end.
        """
        outcome, players = self.rules.outcome(state), state.config.players
        result = None
        if outcome:
            rows = zip(outcome.places, players, outcome.scores, outcome.won, strict=True)
            result = [
                {"name": name, "place": place, "score": score, "won": won}
                for place, name, score, won in sorted(rows, key=lambda row: row[0])
            ]
        return {
            "phase": state.phase,
            "turn": None if outcome else state.turn + 1,
            "to_move": [players[one] for one in self.rules.to_move(state)],
            "players": [{"name": name} for name in players],
            "table": self.rules.table(state, seat),
            "result": result,
        }

    def seen(self, played: SoFar, seat: int | None) -> Seen:
        """Return the view of a game, including what only its record knows."""
        return self.view(played.state, seat)

    def situation(self, view: Seen, /) -> list[str]:
        """Return sentences about whose turn it is, or that the game is over, and what else to know,
        unless the rows say it.
        """
        return []

    def rows(self, view: Seen, /) -> Iterable[Node]:
        """Return the table row by row."""
        return [TypedLines(view["table"])]

    def pictures(self, view: Seen, before: Seen | None) -> Sequence[Picture]:
        """Return the table as pictures; what is new since ``before`` is marked."""
        return ()

    def shapes(self) -> str:
        """Return the shapes that the pictures use, see :func:`porto_cli.paper.page.shapes_in`."""
        return ""

    def illustrated(self, story: Story, played: SoFar, states: Sequence[State]) -> Story:
        """Return a story with the table in each of its frames, as everybody may see it, pictures,
        and the numbers of the chart. ``states`` are the states of the frames.
        """
        frames = zip(story.frames, states, strict=True)
        return story._replace(
            frames=[
                frame._replace(body=[*frame.body, *self.rows(self.view(state, None))])
                for frame, state in frames
            ]
        )

    panes: Any = None
    """The module with what is shown above a question: ``title``, ``panes`` (of a view, the view
    after a move, and the seat to show), ``spoken`` and ``why_over``. Without it the table is shown
    in sentences."""
    has_boards = False
    """Whether players have boards that do not all fit on a low screen."""

    def after(self, state: State, text: str) -> State | None:
        """Return the state after a legal move, and after more moves of the same turn on further
        lines; ``None`` if a line is not a whole move. What is drawn is arbitrary.
        """
        rules, (first, _, more) = self.rules, text.partition("\n")
        for seat in rules.to_move(state) if first else ():
            with suppress(InvalidMoveError):
                move = rules.parse_move(first, state, seat)
                if not rules.violations(state, move, seat):
                    left = rules.apply(state, move, first_of_pile, seat)[0]
                    return self.after(left, more) if more else left
        return None

    def foreseen(self, state: State, move: str, seat: int | None) -> Seen:
        """Return the view after a move that is not made yet; empty if it is not known."""
        then = self.after(state, move)
        return self.view(then, seat) if then else {}

    def preview(self, state: State, seen: Seen, then: Seen, move: str) -> Sequence[str]:
        """Return a few words about what a move would change and bring, in several lengths, the
        longest first; possibly none.
        """
        return ()

    # -- The table: what follows from this; no game overrides these.

    def document(
        self,
        view: Seen,
        *,
        title: str = "",
        last: Sequence[str] = (),
        fingerprint: str = "",
    ) -> Document:
        """Return the table of a view, with what surrounds it; ``last`` is the last turn."""
        nodes: list[Node] = [Paragraph([sentence], BOLD) for sentence in self.situation(view)]
        nodes += self.rows(view)
        if last:
            nodes.append(Block("Last turn", [Paragraph(last)]))
        if fingerprint:
            nodes.append(Paragraph([f"Fingerprint: {fingerprint}"], DIM))
        return Document(title or self.rules.meta.title, nodes, MARGIN)

    def seen_by_people(self, played: SoFar, seat: int | None) -> Seen:
        """Return the view with the players that are bots, see :func:`called`."""
        bots = {played.config.players[seat]: bot for seat, bot in played.bot_seats.items()}
        return {**self.seen(played, seat), "bots": bots}

    def table(self, played: SoFar, seat: int | None, last: Sequence[str]) -> Document:
        """Return the table as a document, for all media; ``last`` is the last turn."""
        title, fingerprint = played.record.title, played.fingerprint
        seen = self.seen_by_people(played, seat)
        return self.document(seen, title=title, last=last, fingerprint=fingerprint)

    def position(self, state: State, title: str) -> Document:
        """Return the table of a scenario, which has no secrets."""
        return self.document(self.view(state, None, is_open=True), title=title)

    def in_words(self, state: State, seat: int | None) -> list[str]:
        """Return the table of a state as sentences."""
        return sentences(self.document(self.view(state, seat)))

    def table_json(self, played: SoFar, seat: int | None) -> dict[str, Any]:
        """Return the view as a document, with the title, fingerprint and digest of the record."""
        checksums = {"fingerprint": played.fingerprint, "digest": played.digest}
        seen = {"title": played.record.title, **self.seen(played, seat), **checksums}
        return document(game=self.rules.meta.id, **seen)

    def new_to(self, played: SoFar, reader: int) -> Seen:
        """Return what the table above a question marks as new to a reader, for the ``panes``."""
        return {}

    def above(
        self,
        played: SoFar,
        seat: int | None,
        reader: int,
        news: Sequence[News],
        last: Sequence[str],
    ) -> Above:
        """Return what is shown above a question: the table as ``seat`` may see it, and what is new
        to the ``reader``, who is asked.
        """
        panes, state = self.panes, played.state
        seen = {**self.seen_by_people(played, seat), **self.new_to(played, reader)}
        if panes is None:
            from porto_cli.term.prompt import Told

            return Told(last, Told(sentences(self.document(seen))))
        from porto_cli.scene import Scene

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
        """Return the contents of the page and the picture of the table; in a finished game they
        begin with how it ended.
        """
        from porto_cli.paper.page import PaperTable

        seen, step = self.seen(played, seat), played.last_step()
        is_over = played.state.phase == OVER
        before = step.before if step else played.opening
        headline = self.situation(seen)
        if is_over:
            headline = [self.rules.how_it_ended(played), *headline[1:]]
        pictures = self.pictures(seen, self.view(before, seat, is_open=is_over))
        return PaperTable(headline, last, pictures, [*self.rows(seen)], self.shapes())

    # -- The score.

    def result(self, state: State) -> Any:
        """Return the ``result`` of the view: how a game has ended, ``None`` before the end."""
        return self.view(state, None)["result"]

    def standings(self, played: SoFar, seat: int | None) -> dict[str, Any]:
        """Return who is ahead and why, by the names of ``porto score --format json``."""
        ranked = self.result(played.state)
        names = [{"name": name} for name in played.config.players]
        return {"over": ranked is not None, "players": names if ranked is None else ranked}

    def standing_rows(self, played: SoFar, seat: int | None) -> Iterable[Node]:
        """Return the standings as rows, as far as a seat may know them. What explains them further
        is below headings, each ``about`` a player.
        """
        standings = self.standings(played, seat)
        if not standings["over"]:
            return [Paragraph(["The game goes on; nothing is counted before its end."])]
        players = standings["players"]
        return [Paragraph([f"{one['place']}. {one['name']}: {one['score']}"]) for one in players]

    def explanation(self, players: Sequence[str], state: State) -> list[str]:
        """Return how the final scores of players were computed, if that needs explaining."""
        return []

    # -- What is in the box.

    def things(self) -> dict[str, Thing]:
        """Return the things in the box that can be looked up by ``porto rules``, by name: all that
        one may need to know to play.
        """
        return {}

    def in_brief(self, state: State | None = None) -> list[CardSection]:
        """Return what the card of ``porto rules`` shows besides the contents of ``rulings.toml``;
        with a ``state`` only for what is in its game.
        """
        return []
