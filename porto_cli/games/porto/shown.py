"""How Porto looks: every view of the table is made of one mapping, see
:mod:`porto_cli.games.porto.view`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from porto_cli.core.documents import document
from porto_cli.games.porto import score
from porto_cli.games.porto.commands import META
from porto_cli.games.porto.engine.state import OVER, State
from porto_cli.games.porto.render import document as drawn
from porto_cli.games.porto.render import render
from porto_cli.games.porto.view import result, table, view
from porto_cli.paper import described
from porto_cli.seam import News, SoFar
from porto_cli.shown import Shown

if TYPE_CHECKING:
    from porto_cli.paper import Document, Node
    from porto_cli.paper.page import PaperTable, Story
    from porto_cli.scene import Pane
    from porto_cli.term.prompt import Above


class PortoShown(Shown):
    """See :class:`porto_cli.shown.Shown` for what each member means."""

    legend = (
        "+Y+ are floors that the move which you point at would build. Where houses are listed, "
        "Y2/5 has 2 of 5 yellow floors, (3) is a token of 3 VP on the ground floor space, /3\\ one "
        "on the roof space, ▲ a roof, and 2-Y-floors or 2Y are two yellow floors. "
        "In front of a public contract, ● says that it can be met this turn, ○ that it could be "
        "later, × that it no longer can."
    )

    def table(self, played: SoFar, seat: int | None, last: Sequence[str]) -> Document:
        """Return the table, with the last turn as the view has it."""
        return drawn(table(played, seat))

    def position(self, state: State, title: str) -> Document:
        """Return the table of a state."""
        return drawn({"title": title, **view(state, None)})

    def in_words(self, state: State, seat: int | None) -> list[str]:
        """Return the table of a state as sentences."""
        return [*described(render(view(state, seat)))]

    def table_json(self, played: SoFar, seat: int | None) -> dict[str, Any]:
        """Return the view, and what only the record knows."""
        return document(game=META.id, **table(played, seat))

    def sheet(self, played: SoFar, seat: int | None, last: Sequence[str]) -> PaperTable:
        """Return the table with its pictures."""
        from porto_cli.games.porto.pages import sheet

        return sheet(played, seat)

    def illustrated(
        self, story: Story, played: SoFar, states: Sequence[State], seat: int | None
    ) -> Story:
        """Return a story with pictures, and what is counted in its chart."""
        from porto_cli.games.porto.pages import illustrated

        return illustrated(story, states, seat)

    def above(
        self, played: SoFar, seat: int | None, news: Sequence[News], last: Sequence[str]
    ) -> Above:
        """Return the table, and what is new to a reader."""
        from porto_cli.games.porto.panes import panes, spoken, title, why_over
        from porto_cli.scene import Scene, foreseen

        seen = table(played, seat)

        def drawn(move: str, turned: int) -> list[Pane]:
            then = foreseen(self.rules, played.state, move)
            return panes(seen, view(then, foresight=False)["houses"] if then else seen["houses"])

        said = [sentence for one in news for sentence in one.full]
        return Scene(title(seen), drawn, news, lambda: [*said, *spoken(seen)], why=why_over(seen))

    def result(self, state: State) -> dict[str, Any] | None:
        """Return the ranking, with private contracts and what broke ties."""
        return {**result(state)} if state.phase == OVER else None

    def standings(self, played: SoFar, seat: int | None) -> dict[str, Any]:
        """Return who is ahead and where the VP came from."""
        return score.standings(played, seat)

    def score_rows(self, standings: Mapping[str, Any]) -> Iterable[Node]:
        """Return the sources of VP as a table, and what private contracts count."""
        return score.score_rows(standings)

    def explanation(self, players: Sequence[str], state: State) -> list[str]:
        """Say what the private contracts of players are worth, house by house."""
        kept = [
            (player, score.count_contract(state, contract))
            for player in players
            for contract in state.kept[state.config.players.index(player)]
        ]
        return [
            f"{one['contract']} of {player}, as of now: {one['vp']} VP. "
            + " ".join(score.houses_counted(one))
            for player, one in kept
        ]
