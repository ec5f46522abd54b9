"""How Puerto Rico looks. All that is shown of a table is made from a
:func:`~porto_cli.games.puerto_rico.view.view`, which has nothing that the asking seat may not see.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from porto_cli.core.documents import document
from porto_cli.games.puerto_rico import render, score
from porto_cli.games.puerto_rico.engine.state import State
from porto_cli.games.puerto_rico.view import view
from porto_cli.paper import sentences
from porto_cli.seam import News, SoFar, Thing
from porto_cli.shown import Shown

if TYPE_CHECKING:
    from porto_cli.core.documents import CardSection
    from porto_cli.paper import Document, Node
    from porto_cli.paper.page import PaperTable, Story
    from porto_cli.scene import Pane
    from porto_cli.term.prompt import Above


class PuertoRicoShown(Shown):
    """See :class:`porto_cli.shown.Shown` for what each member means."""

    legend = (
        "On tiles and buildings ● is a colonist and ○ an empty circle; on a ship ▮ is a barrel and "
        "▯ an empty space. In front of a building is its price; ▸ means that you can pay it. "
        "Until the end, VP chips are shown to their owner only; at one keyboard, to everybody who "
        "looks at the screen in the owner's turn."
    )

    def table(self, played: SoFar, seat: int | None, last: Sequence[str]) -> Document:
        """Return the table with what is around it."""
        title, fingerprint = played.record.title, played.fingerprint
        seen = view(played.state, seat)
        return render.table(seen, title=title, fingerprint=fingerprint, last=list(last))

    def position(self, state: State, title: str) -> Document:
        """Return the table of a state, with the VP of all: a scenario has no secrets."""
        return render.table(view(state, all_chips=True), title=title)

    def in_words(self, state: State, seat: int | None) -> list[str]:
        """Return the table of a state as sentences."""
        return sentences(render.table(view(state, seat)))

    def table_json(self, played: SoFar, seat: int | None) -> dict[str, Any]:
        """Return the view, and what only the record knows."""
        seen = view(played.state, seat)
        return document(
            game=self.rules.meta.id,
            title=played.record.title,
            turn=None if seen["result"] else len(played.turns()) + 1,
            **seen,
            fingerprint=played.fingerprint,
            digest=played.digest,
        )

    def sheet(self, played: SoFar, seat: int | None, last: Sequence[str]) -> PaperTable:
        """Return the table with its pictures."""
        from porto_cli.games.puerto_rico.pages import sheet

        return sheet(played, seat, last)

    def illustrated(
        self, story: Story, played: SoFar, states: Sequence[State], seat: int | None
    ) -> Story:
        """Return a story with pictures, and what is counted in its chart."""
        from porto_cli.games.puerto_rico.pages import illustrated

        return illustrated(story, played, states, seat)

    def above(
        self, played: SoFar, seat: int | None, news: Sequence[News], last: Sequence[str]
    ) -> Above:
        """Return the table, and what is new to a reader."""
        from porto_cli.games.puerto_rico.panes import panes, spoken, title, why_over
        from porto_cli.scene import Scene, foreseen

        seen, people = view(played.state, seat), len(played.config.players)
        first = played.state.seat if seat is None else seat

        def drawn(move: str, turned: int) -> list[Pane]:
            # What is drawn face down is not known before it is taken.
            known = "" if "face-down" in move else move
            then = foreseen(self.rules, played.state, known)
            return panes(seen, view(then, seat) if then else seen, (first + turned) % people)

        said = [sentence for one in news for sentence in one.full]
        why = why_over(seen)
        return Scene(title(seen), drawn, news, lambda: [*said, *spoken(seen)], people, why)

    def result(self, state: State) -> dict[str, Any] | None:
        """Return the final scores by player."""
        result: dict[str, Any] | None = view(state)["result"]
        return result

    def standings(self, played: SoFar, seat: int | None) -> dict[str, Any]:
        """Return what each player has, as far as the seat may know."""
        return score.standings(view(played.state, seat))

    def score_rows(self, standings: Mapping[str, Any]) -> Iterable[Node]:
        """Return a column for each player."""
        return score.score_rows(standings)

    def things(self) -> dict[str, Thing]:
        """Return roles, goods, tiles and buildings, each with what it does."""
        from porto_cli.games.puerto_rico.things import things

        return things()

    def in_brief(self) -> list[CardSection]:
        """Return the buildings: price, VP, effect."""
        from porto_cli.games.puerto_rico.things import in_brief

        return [in_brief()]
