"""What a game adds to the command line, as data: verbs, their words, options; and what was typed.

A game has it as ``Game.commands``. That of a game of the box is in a module that imports nothing
else, because every call of a command reads it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from porto_cli.game import BOX, at, game_of

if TYPE_CHECKING:
    from porto_cli.match.match import Match
    from porto_cli.term.prompt import Asker


class Option(NamedTuple):
    """An option of a command that belongs to a game."""

    name: str
    """As Python spells it: ``refill_contracts`` is ``--refill-contracts``."""
    help: str
    metavar: str = ""
    many: bool = False
    """It can be repeated."""
    choices: tuple[str, ...] = ()
    """The only values, if there are only a few."""
    default: str | int | bool | None = None
    """Also determines the type: an option with a Boolean default takes no value."""
    completion: str = ""
    """What the game offers when the Tab key is pressed, see ``Ui.complete``."""
    files: bool = False
    """A file will do as well."""
    stream: str = ""
    """The stream of chance that it reports on a real table: one thing, or (``many``) any number.
    Its flag is the key that a record has for the same."""
    thing: str = ""
    """How one of these things is called: ``CARD``."""
    only_with: tuple[str, str] | None = None
    """Another option and the value that it must have; otherwise this one does not apply."""

    def is_needed(self, options: Mapping[str, object]) -> bool:
        """Return whether the option applies, given the values of the other ones."""
        return self.only_with is None or options.get(self.only_with[0]) == self.only_with[1]

    @property
    def flag(self) -> str:
        """The option as it is typed."""
        return f"--{self.name.replace('_', '-')}"


class Verb(NamedTuple):
    """A command that makes a move."""

    help: str
    words: str = ""
    """What can follow after the record, like ``CARD…``; nothing if the verb is a whole move."""
    about: str = ""
    """What these words are."""
    options: tuple[Option, ...] = ()
    """Its own options, besides those of all moves."""
    example: str | None = None
    """What can be typed behind the record, in a real game; ``None`` for no example."""


class Commands(NamedTuple):
    """What a game adds to the command line."""

    verbs: Mapping[str, Verb]
    players: str
    """How many players there can be, for the help of ``porto new``."""
    new: tuple[Option, ...] = ()
    """Options of ``porto new`` that configure the game."""
    setup: tuple[Option, ...] = ()
    """Options of ``porto new`` that describe what lies on a real table."""
    moves: tuple[Option, ...] = ()
    """Options of ``porto moves``, which narrow the list."""
    help: Mapping[str, str] = {}
    """Paragraphs that the game adds to the help of other commands, by their names."""
    synonyms: Mapping[str, str] = {}
    """What people call some of the verbs elsewhere."""
    example: str = ""
    """A move, to show what moves look like."""
    rules: Mapping[str, tuple[str, ...]] = {}
    """Rulings about questions that every game asks: ``players``, ``first``, ``table`` (is it a
    real one?), ``secret`` (who are you?)."""

    def options_of(self, command: str) -> tuple[Option, ...]:
        """Return the options that the game adds to a command, by its name."""
        if command in self.verbs:
            return self.verbs[command].options
        added = {"new": (*self.new, *self.setup), "simulate": self.new, "moves": self.moves}
        return added.get(command, ())

    def help_of(self, command: str) -> str:
        """Return what the game adds to the help of a command; may be empty."""
        if command in self.verbs:
            return self.verbs[command].help
        return "\n\n".join(
            filter(None, (self.players * (command == "new"), self.help.get(command)))
        )

    def rules_about(self, question: str) -> tuple[str, ...]:
        """Return the rulings about one of those questions; none if the game names none."""
        return tuple(self.rules.get(question, ()))


class Command(NamedTuple):
    """A command that makes a move, as far as it was typed."""

    match: Match
    verb: str
    words: list[str]
    """The words of the move without its verb."""
    options: Mapping[str, Any]
    """The options of the verb that were typed."""
    seat: int | None
    """Who was named by ``--as``."""
    asker: Callable[[], Asker] | None
    """Returns the prompt for missing parts; ``None`` without a terminal to ask on."""
    dry_run: bool
    proposed: Callable[[Iterable[str]], list[str]] = list
    """Returns the commands for moves of who moves."""

    @property
    def mover(self) -> int:
        """The seat that is meant: who was named, else who is to move."""
        seat: int = self.match.state.seat
        return seat if self.seat is None else self.seat


def commands_of(game_id: str) -> Commands:
    """Return what a game adds to the command line. Raises KeyError if there is none."""
    if game_id not in BOX:
        return game_of(game_id).commands
    # The games of the box add to many commands, which do not load the games for that.
    commands: Commands = at(BOX[game_id].commands)
    return commands
