"""A sealed game that nobody can play yet, and how far it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from porto_cli.core.errors import REFUSED, PortoError
from porto_cli.core.message import Sentence, say
from porto_cli.core.quoting import option
from porto_cli.match.command_lines import word_of

if TYPE_CHECKING:
    from porto_cli.match.record import Record


class NotReadyError(PortoError):
    """A sealed game that is still being set up, with where it stands.

    ``record`` is its record, where that was read.
    """

    exit_code = REFUSED

    def __init__(
        self, file: str, done: int, hops: int, player: str, record: Record | None = None
    ) -> None:
        super().__init__(file, done, hops, player)
        self.record = record
        self.file = file
        self.done = done
        self.hops = hops
        self.player = player

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """How far it is, and who is next."""
        return (
            say(
                "{file} is still being set up: it was at {done} of {hops} stations. Send it to "
                "{player}, who goes on with 'porto join'.",
                file=self.file,
                done=self.done,
                hops=self.hops,
                player=self.player,
            ),
        )

    @property
    def suggestions(self) -> tuple[str, ...]:
        """What the next player types."""
        return (f"porto join {word_of(self.file)} {option('--as', self.player)}",)

    def as_json(self) -> dict[str, object]:
        """Return how far it is, for documents."""
        return {"done": self.done, "stations": self.hops, "next": self.player}
