"""The values that a game and the rest of the program (the *frame*) hand each other; every command
loads them.

:mod:`porto_cli.games` has the protocol of a game itself. :mod:`porto_cli.abilities` has what
only some games can do.
"""

# No ``from __future__ import annotations`` here: with it Python builds a ForwardRef for every field
# of a NamedTuple, which takes longer than all the rest of this module.

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from porto_cli.term.prompt import Asker

# The values of a game as the frame passes them around. They are Any because it plays every game
# and looks into none of these; a game itself names its own types as the parameters of Game.
Config = Any
"""Who plays, with which box, by which options: a value that never changes. What is known of every
game's is :class:`porto_cli.abilities.HasPlayers`."""
Deal = Any
"""What the setup has turned up: a value."""
State = Any
"""The table between two moves: a value. What is known of every game's is
:class:`porto_cli.abilities.Table`."""
Move = Any
"""A move: hashable plain data."""
Event = Any
"""Something that happened: a value."""
Observation = dict[str, Any]
"""What a seat may see, by the names of ``porto show --format json``. ``moves`` are its legal moves
as ``porto moves --format json`` has them, each with its text as ``move``.
"""

OVER = "over"
"""The phase of a game that has ended, whichever it is."""
SEAM = 3
"""The version of :class:`Game`. It grows when a game that was written for the one before could no
longer be played."""
UNDO = "undo"
"""The verb of every game that takes back a turn."""
WITHOUT = "without"
"""The word with which a player of a sealed game states that another one has vanished."""
NO_DEAL = ()
"""The deal of a game in which the setup turns nothing up."""
SENSIBLE = "sensible"
"""The word for what every experienced player would choose alike, and for nothing else."""


class Seats(NamedTuple):
    """The configuration of a game without options: who plays."""

    players: tuple[str, ...]

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.players)


class GameMeta(NamedTuple):
    """What is known of a game without loading it."""

    id: str
    """The name in a record and after ``--game``."""
    title: str
    players: range
    """How many can play."""
    verbs: tuple[str, ...]
    """What its moves begin with; each is a command. ``undo`` is one of them."""
    seam: int
    """The version of :class:`Game` that it was written for, see :data:`SEAM`."""
    rules_version: int = 1
    """The version of the rules that this program plays: ``rules: 1`` in a record."""
    header_keys: tuple[str, ...] = ()
    """Keys that the head of its records may have besides those of all games."""
    item_keys: tuple[str, ...] = ()
    """What a turn may go on with in a record, and what comes with its result."""
    mapping_keys: tuple[str, ...] = ()
    """Those among them whose values are mappings."""
    unordered: tuple[str, ...] = ()
    """The streams of chance whose things a record has in any order."""
    rulings: tuple[str, ...] = ()
    """How the ids of its rulings begin."""
    other_files: tuple[tuple[str, str], ...] = ()
    """Keys of other files of the game, and the message for such a file in place of a record."""
    bots: tuple[str, ...] = ("random",)
    """Its players that can hold a seat in a game, by their names in :attr:`Game.players`."""
    former_bots: tuple[str, ...] = ()
    """Those of former versions, which are gone: records that name them are read all the same."""
    bots_version: int = 1
    """Their version: it grows with every change after which one of them makes another move
    somewhere. Records have it, so that a player of another version is not taken for a fraud."""
    entry: str = ""
    """Where the game is, as an entry point is written: ``package.module:OBJECT``. Games that are
    installed separately leave it out."""
    commands: str = ""
    """Where its commands are, if they can be loaded without the game."""


class View(NamedTuple):
    """What a seat may know, as a program plays by it: a value without anything that is hidden.

    It is compact and quick to make; what a person or a script looks at is an ``Observation``.
    """

    seat: int | None
    """Who looks; ``None`` is a bystander."""
    table: State
    """The table, with one fixed stand-in for everything this seat may not know, so that tables that
    differ only there give equal views. :meth:`Game.resample` makes of it a table that could be
    true."""


class Secrets(NamedTuple):
    """Choices of a player that the others must not see.

    ``what``       what they are about, like ``private contracts``
    ``made``       what a player does who makes one, like ``keeps private contracts``
    ``is_secret``  returns whether a move is one
    ``movers``     returns the seats that can make one now
    ``there_are``  returns whether a player now knows anything that the others must not see
    """

    what: str
    made: str
    is_secret: Callable[[Move], bool]
    movers: Callable[[State], tuple[int, ...]]
    there_are: Callable[[State], bool]

    def whose(self, players: Sequence[str]) -> str:
        """Return that the player who makes or takes back a secret move has to be named."""
        return f"Name the player who {self.made}, or takes that back: one of {', '.join(players)}."

    def not_hidden(self) -> str:
        """Return that a screen that cannot be cleared would show it."""
        return (
            "This terminal (TERM=dumb) cannot clear its screen, so players would see each other's "
            f"{self.what}."
        )


class SealedPile(NamedTuple):
    """What of a sealed game is dealt to each player alone.

    ``things`` are all of it, sorted, with each copy; ``each`` is how many of them a seat gets.
    Without any only what comes up is sealed.
    """

    things: bytes
    each: int


class Outcome(NamedTuple):
    """How a game has ended. All tuples have one entry for each seat."""

    places: tuple[int, ...]
    """1 is the first place."""
    scores: tuple[int, ...]
    won: tuple[bool, ...]


class Step(NamedTuple):
    """One item of a record, played."""

    item: int
    """Its place in ``record.items``."""
    seat: int
    before: State
    after: State
    moves: tuple[Move, ...]
    events: tuple[Event, ...]
    entries: tuple[tuple[str, str], ...]
    """The item as this program would write it: keys and texts."""
    undone: bool = False
    """Taken back later."""
    takes_back: int | None = None
    """For an ``undo``: the number of the step that it takes back."""
    said: tuple[str, ...] = ()
    """What players said after it, in a game that was opened."""


GONE = "gone"
"""What a step of a sealed game is called after which the others go on without players who have
vanished."""


SEEN, DONE, SCORED, MATTERS = range(4)
"""What a sentence of the news weighs for its reader, in every game: what the table shows as well;
what others did; what it brought or cost somebody; what says which turn it is, like a role that was
taken, and what happened to the reader.
"""


class Short(NamedTuple):
    """A sentence where there is little room, with its weight; it may begin with ``who`` it is
    about, so that what one player did is told in one sentence.
    """

    text: str
    weight: int
    who: str = ""


class Turn(NamedTuple):
    """A step of a record, as it is told to somebody.

    ``facts``    the step by the names of ``porto log --format json``: in every game ``turn``, its
                 number, or ``None`` for what is no turn of the rules; ``player``; ``moves``, or
                 ``move``; ``undone``; ``events``
    ``part``     the part of the game, a heading of the log: ``Round 3``; may be empty
    ``heading``  the turn as a heading of the story page: ``Turn 12, round 3: Ana``
    ``done``     what its player did, in sentences
    ``gains``    what that brought the player: ``4 VP: floors 3, neighbors 1``; may be empty
    ``then``     what happened by itself afterwards, in sentences
    ``style``    how ``done`` is set in the log
    ``said``     what players said after it
    ``short``    what happened where there is little room: first the move without its VP; if there
                 is nothing, the moves say it
    ``drawn``    whether luck has decided a part of ``done``, so that its player did not know it
    """

    facts: dict[str, Any]
    part: str = ""
    heading: str = ""
    done: tuple[str, ...] = ()
    gains: str = ""
    then: tuple[str, ...] = ()
    style: str = ""
    said: tuple[str, ...] = ()
    short: Sequence[Short] = ()
    drawn: bool = False

    @property
    def moves(self) -> list[str]:
        """Its moves in the notation, as far as everybody may know them."""
        facts = self.facts
        return [facts["move"]] if "move" in facts else facts["moves"]

    @property
    def brought(self) -> list[str]:
        """What it brought its player, as a sentence, if anything."""
        return [f"{self.gains}."] if self.gains else []

    @property
    def sentences(self) -> list[str]:
        """The whole turn, without what was said after it."""
        return [*self.done, *self.brought, *self.then]

    @property
    def news(self) -> list[Short]:
        """What happened where there is little room, the move with its VP."""
        vp = sum(number for _, number in self.facts.get("scores", ()))
        player = self.facts["player"]
        moved = Short(f"{player}: {', '.join(self.moves)}.", DONE, player)
        first, *others = self.short or [moved]
        text = f"{first.text.removesuffix('.')} for {vp} VP." if vp else first.text
        return [first._replace(text=text), *others]


class Glance(NamedTuple):
    """The state of a game in a few numbers, as far as a seat may know them."""

    round: int
    """Counted from 1; 0 before the first one."""
    scores: tuple[int | None, ...]
    """The VP of each seat so far; ``None`` where only the player may know them all."""


class MoveOffer(NamedTuple):
    """A move, or all moves of a turn, that somebody who has only a mail can choose.

    ``label``  what a person reads, like ``red-2 and yellow-1``
    ``moves``  canonical words, in the order in which they are played
    ``note``   what it scores or costs, like ``5 VP``; may be empty
    """

    label: str
    moves: tuple[str, ...]
    note: str = ""


class MoveGroup(NamedTuple):
    """Moves of one kind, the best-scoring first.

    ``more``  how to write the others in words; may be empty
    """

    title: str
    offers: tuple[MoveOffer, ...]
    more: str = ""


class Thing(NamedTuple):
    """Something in the box that can be looked up: a building, a good, a role."""

    facts: tuple[str, ...]
    """What it is and does, in whole sentences."""
    rules: tuple[str, ...]
    """The ids of its rulings."""


class CardSection(NamedTuple):
    """A section of the reference card: its heading, and lines of a label and a text."""

    title: str
    lines: tuple[tuple[str, str], ...]


class News(NamedTuple):
    """Something that has happened: in full, and where there is little room. What
    weighs least gives way first, the oldest of it before the rest.
    """

    full: tuple[str, ...]
    short: tuple[Short, ...]


# -- What is loaded only when it is used


def at(entry: str) -> Any:
    """Import what an entry point names: ``package.module:NAME``, or a whole module."""
    module, _, name = entry.partition(":")
    found = import_module(module)
    return getattr(found, name) if name else found


def later(entry: str, *, made: bool = False) -> Any:
    """Return a class attribute that imports what an entry point names at its first use, and keeps
    it. With ``made`` that is called with the object, and the result is kept.

    A function found there is *not* bound: it takes the same arguments as in its module. An entry
    point that begins with a dot is in the package of the game, also in a part of a game, which has
    its game as ``rules``.
    """

    def load(instance: Any) -> Any:
        game = getattr(instance, "rules", instance)
        package = game.meta.entry.rpartition(".")[0] if entry[0] == "." else ""
        found = at(package + entry)
        return found(instance) if made else found

    return cached_property(load)


Exported = tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]


def exported(package: str, modules: Mapping[str, str]) -> Exported:
    """Return ``__getattr__``, ``__dir__`` and ``__all__`` of a package by the names that each of
    its modules adds to its interface. A module is imported when one of its names is used.
    """
    of = {name: module for module, names in modules.items() for name in names.split()}

    def get(name: str) -> Any:
        if name not in of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return at(f"{package}.{of[name]}:{name}")

    return get, lambda: sorted({*vars(at(package)), *of}), sorted(of)


# -- What a game adds to the command line, as data: its verbs, their words, its options
#
# A command loads only this of a game that it does not play.


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


TAKES_BACK = Verb(
    """Take back your last turn, as long as no one else has moved.

    The record keeps both the turn and the undo.
    """,
    example="",
)
"""The verb ``undo``."""
EXTENDED = ("new", "simulate", "moves", "move")
"""The commands to which a game can add options, besides its verbs."""


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


# -- What was typed of a command that makes a move


class Typed(NamedTuple):
    """What was typed of a command when the Tab key is pressed."""

    state: State | None
    """The table of its record, if it has one that can be read."""
    verb: str
    words: list[str]
    """Words of the move, in lower case."""
    options: Mapping[str, Any]
    seat: int
    """Who is going to move."""
    named: bool
    """Whether ``--as`` says that."""


class Command(NamedTuple):
    """A command that makes a move, as far as it was typed."""

    state: State
    """The table of its record."""
    path: str
    """How commands call the record."""
    verb: str
    words: list[str]
    """The words of the move without its verb."""
    options: Mapping[str, Any]
    """The options of the verb that were typed."""
    seat: int | None
    """Who was named by ``--as``."""
    asker: Callable[[], "Asker"] | None
    """Returns the prompt for missing parts; ``None`` without a terminal to ask on."""
    choose: Callable[["Asker", Sequence[Any]], list[str]]
    """Asks for one of some moves, each an ``Option``; returns those of the turn."""
    dry_run: bool
    proposed: Callable[[Iterable[str]], list[str]] = list
    """Returns the commands for moves of who moves."""

    @property
    def mover(self) -> int:
        """The seat that is meant: who was named, else who is to move."""
        seat: int = self.state.seat
        return seat if self.seat is None else self.seat
