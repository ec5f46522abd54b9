"""What a game adds to the command line, as data: its verbs, their words, its options.

A command loads only this of a game that it does not play.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class CommandOption(NamedTuple):
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
    """What the game offers when the Tab key is pressed, see ``Language.complete``."""
    files: bool = False
    """A file will do as well."""
    stream: str = ""
    """The stream of chance that it reports on a real table: one thing, or (``many``) any number.
    Its flag is the key that a record has for the same."""
    thing: str = ""
    """How one of these things is called: ``CARD``."""
    is_word: bool = False
    """It stands for the word of its name in a move, and what follows that; if that is a verb, for
    another move of the same turn."""
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
    options: tuple[CommandOption, ...] = ()
    """Its own options, besides those of all moves."""
    example: str | None = None
    """What can be typed behind the record, in a real game; ``None`` for no example."""
    does: str = ""
    """What a player can do with it, in a few words: ``take a role``; by default the verb."""
    secret: bool = False
    """What it chooses is secret, so who makes its move has to be named."""

    @property
    def example_words(self) -> list[str]:
        """The words of the move in its example, without the verb and without options."""
        return (self.example or "").partition(" --")[0].split()


class Commands(NamedTuple):
    """What a game adds to the command line."""

    verbs: Mapping[str, Verb]
    players: str
    """How many players there can be, for the help of ``porto new``."""
    new: tuple[CommandOption, ...] = ()
    """Options of ``porto new`` that configure the game."""
    setup: tuple[CommandOption, ...] = ()
    """Options of ``porto new`` that describe what lies on a real table."""
    moves: tuple[CommandOption, ...] = ()
    """Options of ``porto moves``, which narrow the list."""
    help: Mapping[str, str] = {}
    """Paragraphs that the game adds to the help of other commands, by their names."""
    synonyms: Mapping[str, str] = {}
    """What people call some of the verbs elsewhere."""
    rules: Mapping[str, tuple[str, ...]] = {}
    """Rulings about questions that every game asks: ``players``, ``first``, ``table`` (is it a
    real one?), ``secret`` (who are you?)."""

    def options_of(self, command: str) -> tuple[CommandOption, ...]:
        """Return the options that the game adds to a command, by its name."""
        if command in self.verbs:
            return self.verbs[command].options
        of_verbs = (option for verb in self.verbs.values() for option in verb.options)
        added = {
            "new": (*self.new, *self.setup),
            "simulate": self.new,
            "moves": self.moves,
            "move": (*dict.fromkeys(of_verbs),),
        }
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
