"""The values that pass between a game and the rest of the program (the *frame*); every command
loads them.

The protocol of a game is in :mod:`porto_cli.games`, and what only some games can do in
:mod:`porto_cli.abilities`.
"""

# No ``from __future__ import annotations`` here: with it Python builds a ForwardRef for every field
# of a NamedTuple, which takes longer than all the rest of this module.

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from porto_cli.term.prompt import Asker

# The values of a game as the frame passes them around. They are Any because the frame plays every
# game and does not look into them; a game names its own types as the parameters of Game.
Config = Any
"""Who plays, with which box and options: an immutable value. Every game's has what is in
:class:`porto_cli.abilities.HasPlayers`."""
Deal = Any
"""What the setup has turned up: a value."""
State = Any
"""The table between two moves: a value. Every game's has what is in
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
"""The phase of any game that has ended."""
SEAM = 3
"""The version of :class:`Game`. It grows when games written for the previous version can no longer
be played."""
UNDO = "undo"
"""The verb that takes back a turn, in every game."""
WITHOUT = "without"
"""The word with which a player of a sealed game states that another one has vanished."""
NO_DEAL = ()
"""The deal of a game whose setup turns nothing up."""
SENSIBLE = "sensible"
"""The policy that makes a choice only where every experienced player would make the same one."""


class Seats(NamedTuple):
    """The configuration of a game without options: its players."""

    players: tuple[str, ...]

    @property
    def seats(self) -> int:
        """The number of players."""
        return len(self.players)


class GameMeta(NamedTuple):
    """What is known of a game without loading it."""

    id: str
    """The name in a record and after ``--game``."""
    title: str
    players: range
    """The possible numbers of players."""
    verbs: tuple[str, ...]
    """The first words of its moves, ``undo`` included; each is a command."""
    seam: int
    """The version of :class:`Game` that it was written for, see :data:`SEAM`."""
    rules_version: int = 1
    """The version of the rules that this program plays: ``rules: 1`` in a record."""
    header_keys: tuple[str, ...] = ()
    """Header keys of its records, besides those of all games."""
    item_keys: tuple[str, ...] = ()
    """Keys of its items after the first entry, including those of the result."""
    mapping_keys: tuple[str, ...] = ()
    """Those among them whose values are mappings."""
    unordered: tuple[str, ...] = ()
    """The streams of chance whose things are in no particular order in a record."""
    rulings: tuple[str, ...] = ()
    """The beginnings of the ids of its rulings."""
    other_files: tuple[tuple[str, str], ...] = ()
    """Keys of other kinds of files of the game, each with the message if one is given in place of a
    record."""
    bots: tuple[str, ...] = ("random",)
    """Its players that can hold a seat, by their names in :attr:`Game.players`."""
    former_bots: tuple[str, ...] = ()
    """Bots that only earlier versions had; records that name them can still be read."""
    bots_version: int = 1
    """Their version: it grows with every change that makes any of them move differently. It is in
    records, so that moves of a bot of another version are not taken for fraud."""
    entry: str = ""
    """The location of the game, written like an entry point: ``package.module:OBJECT``. Games that
    are installed separately leave it out."""
    commands: str = ""
    """The location of its commands, if they can be loaded without the game."""


class View(NamedTuple):
    """What a seat may know, for programs that play: a value without anything hidden.

    It is compact and quick to make; people and scripts look at an ``Observation``.
    """

    seat: int | None
    """The seat that looks; ``None`` is a bystander."""
    table: State
    """The table with a fixed stand-in for everything that this seat may not know, so tables that
    differ only in that give equal views. :meth:`Game.resample` turns it into a possible table."""


class Secrets(NamedTuple):
    """Choices of a player that the others must not see.

    ``what``       their subject, like ``private contracts``
    ``made``       making one, like ``keeps private contracts``
    ``is_secret``  returns whether a move is such a choice
    ``movers``     returns the seats that can make one now
    ``there_are``  returns whether a player now knows anything that the others must not see
    """

    what: str
    made: str
    is_secret: Callable[[Move], bool]
    movers: Callable[[State], tuple[int, ...]]
    there_are: Callable[[State], bool]

    def whose(self, players: Sequence[str]) -> str:
        """Return the error text asking for the name of the player who makes or takes back a secret
        move.
        """
        return f"Name the player who {self.made}, or takes that back: one of {', '.join(players)}."

    def not_hidden(self) -> str:
        """Return the error text for a screen that cannot be cleared."""
        return (
            "This terminal (TERM=dumb) cannot clear its screen, so players would see each other's "
            f"{self.what}."
        )


class Advice(NamedTuple):
    """What a player can do or should know, as a sentence, and the command that does it, if any."""

    what: str
    command: str = ""

    def __str__(self) -> str:
        return f"{self.what}: {self.command}" if self.command else self.what


def told_to(players: Sequence[str], reader: int | None) -> Seats:
    """Return the players as sentences to a reader call them: the reader is ``you``."""
    return Seats(tuple("you" if seat == reader else one for seat, one in enumerate(players)))


class SealedPile(NamedTuple):
    """What is dealt face down to the players of a sealed game.

    ``things`` are all of the pile, sorted, with each copy; ``each`` is how many of them a seat
    gets. If it is empty, only what comes up is sealed.
    """

    things: bytes
    each: int


class Outcome(NamedTuple):
    """How a game has ended. All tuples have one entry for each seat."""

    places: tuple[int, ...]
    """1 is the first place."""
    scores: tuple[int, ...]
    won: tuple[bool, ...]


class Heard(NamedTuple):
    """A sentence behind a step: what a ``player`` said, or (``None``) which seat changed hands."""

    sentence: str
    player: str | None = None


class Step(NamedTuple):
    """One item of a record, played."""

    item: int
    """Its index in ``record.items``."""
    seat: int
    before: State
    after: State
    moves: tuple[Move, ...]
    events: tuple[Event, ...]
    entries: tuple[tuple[str, str], ...]
    """The item in canonical form: keys and texts."""
    undone: bool = False
    """Whether it was taken back later."""
    takes_back: int | None = None
    """For an ``undo``: the index of the step that it takes back."""
    said: tuple[Heard, ...] = ()
    """What was said after it, in a game that was opened."""


LEVEL = "level-"
"""What the names of computer players of some strength begin with."""


def with_level(player: str, bot: str | None) -> str:
    """Return a player's name, of a bot with its level: ``Rui (bot 3)``."""
    return f"{player} (bot {bot.removeprefix(LEVEL)})" if bot else player


GONE = "gone"
"""The name of a step of a sealed game after which the others go on without players who have
vanished."""


IDLE, SEEN, DONE, SCORED, MATTERS = range(5)
"""How important a sentence of the news is to its reader, in every game: it changes nothing, or only
where the table shows it; the table shows it as well; it says what others did; what it brought or
cost somebody; it marks the turn, like a role that was taken, or happened to the reader.
"""


class Short(NamedTuple):
    """A sentence for where there is little room, with its importance. It may begin with ``who`` it
    is about; sentences about one player can then be joined.
    """

    text: str
    weight: int
    who: str = ""


class Turn(NamedTuple):
    """A step of a record, described for a reader.

    ``facts``    the step by the names of ``porto log --format json``: in every game ``turn``, its
                 number, or ``None`` if it is not a turn by the rules; ``player``; ``moves``, or
                 ``move``; ``undone``; ``events``. If the end of the game brings VP, also
                 ``standing``: the VP of all seats without these
    ``part``     the part of the game, a heading of the log: ``Round 3``; may be empty
    ``heading``  the turn as a heading of the story page: ``Turn 12, round 3: Ana``
    ``done``     what its player did, in sentences
    ``gains``    what that brought the player, in sentences; possibly none
    ``then``     what happened by itself afterward, in sentences
    ``style``    the style of ``done`` in the log
    ``said``     what players said after it
    ``short``    what happened, for where there is little room; if empty, the moves are shown
    ``drawn``    whether luck decided a part of ``done``, which is then news even to its player
    """

    facts: dict[str, Any]
    part: str = ""
    heading: str = ""
    done: Sequence[str] = ()
    gains: Sequence[str] = ()
    then: Sequence[str] = ()
    style: str = ""
    said: tuple[str, ...] = ()
    short: Sequence[Short] = ()
    drawn: bool = False

    @property
    def moves(self) -> list[str]:
        """The moves in the notation, as far as everybody may know them."""
        facts = self.facts
        return [facts["move"]] if "move" in facts else facts["moves"]

    @property
    def sentences(self) -> list[str]:
        """The whole turn, except what was said after it."""
        return [*self.done, *self.gains, *self.then]

    @property
    def news(self) -> list[Short]:
        """What happened, for where there is little room."""
        player = self.facts["player"]
        return [*self.short] or [Short(f"{player}: {', '.join(self.moves)}.", DONE, player)]


class Glance(NamedTuple):
    """The state of a game in a few numbers, as far as a seat may know them."""

    round: int
    """Counted from 1; 0 before the first one."""
    scores: tuple[int | None, ...]
    """The VP of each seat so far; ``None`` where only the player may know them all."""


class MoveOffer(NamedTuple):
    """A move, or all moves of a turn, that the reader of a mail can choose.

    ``label``  what a person reads, like ``red-2 and yellow-1``
    ``moves``  canonical texts, in the order in which they are played
    ``note``   its score or cost, like ``5 VP``; may be empty
    """

    label: str
    moves: tuple[str, ...]
    note: str = ""


class MoveGroup(NamedTuple):
    """Moves of one kind, the best-scoring first.

    ``more``  how to write the moves that are not listed; may be empty
    """

    title: str
    offers: tuple[MoveOffer, ...]
    more: str = ""


class Thing(NamedTuple):
    """Something in the box that can be looked up: a building, a good, a role."""

    facts: tuple[str, ...]
    """What it is and does, in sentences."""
    rules: tuple[str, ...]
    """The ids of its rulings."""


class CardSection(NamedTuple):
    """A section of the reference card: its heading, and lines of a label and a text."""

    title: str
    lines: tuple[tuple[str, str], ...]


class News(NamedTuple):
    """Something that has happened: in full, and short for where there is little room. The least
    important sentences are left out first, the oldest before the others.
    """

    full: tuple[str, ...]
    short: tuple[Short, ...]


# -- What is loaded only when it is used


def at(entry: str) -> Any:
    """Import and return what an entry point names: ``package.module:NAME``, or a whole module."""
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
    """Return ``__getattr__``, ``__dir__`` and ``__all__`` for a package, given the names that each
    of its modules exports. A module is imported when one of its names is first used.
    """
    of = {name: module for module, names in modules.items() for name in names.split()}

    def get(name: str) -> Any:
        if name not in of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return at(f"{package}.{of[name]}:{name}")

    return get, lambda: sorted({*vars(at(package)), *of}), sorted(of)


# -- What a game adds to the command line, as data: its verbs, their words, its options
#
# A command that does not play a game loads nothing else of it.


class CommandOption(NamedTuple):
    """An option that a game adds to a command."""

    name: str
    """Spelled as in Python: ``refill_contracts`` is ``--refill-contracts``."""
    help: str
    metavar: str = ""
    many: bool = False
    """It can be repeated."""
    choices: tuple[str, ...] = ()
    """The only values, if there are only a few."""
    default: str | int | bool | None = None
    """Also determines the type: an option with a Boolean default takes no value."""
    completion: str = ""
    """What the Tab key completes, see ``Language.complete``."""
    files: bool = False
    """Whether the value can also be a file."""
    stream: str = ""
    """The stream of chance that it reports on a real table: one thing, or (``many``) any number.
    The flag has the name of the key in a record."""
    thing: str = ""
    """The word for one of these things: ``CARD``."""
    is_word: bool = False
    """It adds to the move the word of its name and its value; if the word is a verb, it adds
    another move of the same turn."""
    only_with: tuple[str, str] | None = None
    """Another option and the value that it must have for this one to apply."""

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
    """What can follow the record, like ``CARD…``; empty if the verb is a whole move."""
    about: str = ""
    """The help for these words."""
    options: tuple[CommandOption, ...] = ()
    """Its own options, besides those of all moves."""
    example: str | None = None
    """What can be typed after the record, in a real game; ``None`` for no example."""
    does: str = ""
    """What a player does with it, in a few words: ``take a role``; by default the verb."""
    secret: bool = False
    """Its choice is secret, so the player has to be named."""

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
    """The possible numbers of players, for the help of ``porto new``."""
    new: tuple[CommandOption, ...] = ()
    """Options of ``porto new`` that configure the game."""
    setup: tuple[CommandOption, ...] = ()
    """Options of ``porto new`` that describe what lies on a real table."""
    moves: tuple[CommandOption, ...] = ()
    """Options of ``porto moves``, which narrow the list."""
    help: Mapping[str, str] = {}
    """Paragraphs that the game adds to the help of other commands, by command."""
    synonyms: Mapping[str, str] = {}
    """The verbs by other words that people may type for them."""
    rules: Mapping[str, tuple[str, ...]] = {}
    """Rulings about questions that every game asks: ``players``, ``first``, ``table`` (is it a
    real one?), ``secret`` (who are you?)."""

    def options_of(self, command: str) -> tuple[CommandOption, ...]:
        """Return the options that the game adds to a command."""
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
        """Return the rulings about a question, see :attr:`rules`; possibly none."""
        return tuple(self.rules.get(question, ()))


# -- What was typed of a command that makes a move


class Typed(NamedTuple):
    """The part of a command that is typed when the Tab key is pressed."""

    state: State | None
    """The table of its record; ``None`` without a readable record."""
    verb: str
    words: list[str]
    """The words of the move, in lower case."""
    options: Mapping[str, Any]
    seat: int
    """The seat whose move it is."""
    named: bool
    """Whether ``--as`` names that seat."""


class Command(NamedTuple):
    """A command that makes a move, as far as it was typed."""

    state: State
    """The table of its record."""
    path: str
    """The record's file as typed in commands."""
    verb: str
    words: list[str]
    """The words of the move without its verb."""
    options: Mapping[str, Any]
    """The options of the verb that were typed."""
    seat: int | None
    """The seat named by ``--as``."""
    asker: Callable[[], "Asker"] | None
    """Returns the prompt for missing parts; ``None`` without a terminal."""
    choose: Callable[["Asker", Sequence[Any]], list[str]]
    """Asks for one of several moves, each an ``Option``; returns the moves of the turn."""
    dry_run: bool
    proposed: Callable[[Iterable[str]], list[str]] = list
    """Returns the commands for moves of the mover."""

    @property
    def mover(self) -> int:
        """The seat that was named, by default the seat to move."""
        seat: int = self.state.seat
        return seat if self.seat is None else self.seat
