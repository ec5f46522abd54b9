"""How people set up a game: what they type and are asked, and what is said of it then."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from porto_cli.core.chance import TypedChance
from porto_cli.core.message import plural
from porto_cli.seam import NO_DEAL, Config, Deal

if TYPE_CHECKING:
    from porto_cli.abilities import SoFar
    from porto_cli.term.prompt import Asker


class NewGame:
    """How people set up a game. What is on a real table has the names of the options for it."""

    def new_options(self, typed: Mapping[str, Any], players: Sequence[str]) -> dict[str, Any]:
        """Return the options of a configuration from those that were typed.

        Raises WrongUsageError, FileError, InvalidFileError.
        """
        return {name: str(value) for name, value in typed.items()}

    def option_questions(self) -> Mapping[str, Callable[[Asker, Sequence[str]], Any]]:
        """Return the prompts of the setup, by option.

        Each returns the value, or ``None`` if there is nothing to ask.
        """
        return {}

    def player_count(self, count: int) -> str:
        """Return the name of a game with a number of players."""
        return plural(count, "player")

    def setup_questions(self) -> Mapping[str, Callable[[Asker, Config], str]]:
        """Return the prompts for what is on a real table, by option."""
        return {}

    def setup_missing(self, flags: Sequence[str], players: Sequence[str]) -> str:
        """Say what has to be typed of a real table."""
        return f"Say what lies on the table, with {', '.join(flags)}."

    def read_setup(self, config: Config, texts: Mapping[str, str]) -> Deal:
        """Return what lies on a real table. Raises InvalidMoveError, WrongUsageError."""
        return NO_DEAL

    def what_was_set_up(self, match: SoFar, title: str, file: str) -> list[str]:
        """Say which game was set up in a file, and what its seed does not hide. ``title`` is what
        the game is called.
        """
        players = match.config.players
        count, first = len(players), players[0]
        return [f"A game of {title} with {count} players is set up in {file}; {first} is first."]

    def asked_chance(self, asker: Asker, typed: TypedChance | None) -> TypedChance:
        """Return a chance that asks what came up on a real table, unless it was typed."""
        return typed or TypedChance()
