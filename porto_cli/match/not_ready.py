"""The error for a sealed game that is still being set up, with its progress."""

from __future__ import annotations

from porto_cli.core.characters import option, word_of
from porto_cli.core.message import REFUSED, PortoError
from porto_cli.match.record import Record


class NotReadyError(PortoError):
    """A sealed game that is still being set up, with its progress.

    ``record`` is its record, if that was read, and ``digest`` the hash of its last signed step.
    """

    exit_code = REFUSED

    def __init__(
        self,
        file: str,
        done: int,
        hops: int,
        player: str,
        record: Record | None = None,
        digest: str = "",
    ) -> None:
        super().__init__(file, done, hops, player)
        self.record = record
        self.digest = digest
        self.file = file
        self.done = done
        self.hops = hops
        self.player = player

    @property
    def sentences(self) -> tuple[str, ...]:
        """Its progress, and who is next."""
        return (
            (
                f"{self.file} is still being set up: step {self.done} of {self.hops} is "
                f"complete. Send it to {self.player}, who continues with: porto join "
                f"{word_of(self.file)} {option('--as', self.player)}"
            ),
        )

    def as_json(self) -> dict[str, object]:
        """Return the progress, for documents."""
        return {"done": self.done, "stations": self.hops, "next": self.player}
