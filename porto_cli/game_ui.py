"""How a game is shown and asked about: what its interface has to offer to the commands.

A game's interface is one object with the methods of :class:`GameUi`, apart from the game itself,
which can be played without a screen. Each method imports what it needs when it is called.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from porto_cli.game import Config, Deal, Event, Move, State, Step

if TYPE_CHECKING:
    from typing import Protocol

    from porto_cli.commands import Command
    from porto_cli.core.chance import TypedChance
    from porto_cli.core.message import Sentence
    from porto_cli.match.match import Match
    from porto_cli.match.replay import Replay
    from porto_cli.players.analysis import Analysis
    from porto_cli.scenario.positions import Expectation
    from porto_cli.term.prompt import Above, Asker
    from porto_cli.term.screen import Screen
    from porto_cli.term.spans import Line
else:
    # Only the type checker looks at a protocol, and every command would pay for making one.
    Protocol = object


class MoveList(NamedTuple):
    """Legal moves, as far as they were asked for."""

    shown: int
    first: str | None
    """The first of them, as text."""
    text: Callable[[int], list[Line]]
    """Sets them to a width."""
    json: Callable[[], dict[str, object]]


class Typed(NamedTuple):
    """What was typed of a command when the Tab key is pressed."""

    match: Match | None
    """The game of its record, if it has one that can be read."""
    verb: str
    words: list[str]
    """Words of the move, in lower case."""
    options: Mapping[str, Any]
    seat: int
    """Who is going to move."""
    named: bool
    """Whether ``--as`` says that."""


Completion = str | tuple[str, str]
"""A word that can follow, maybe with a line that explains it."""


class Entry(NamedTuple):
    """Something that a player can do: ``moves`` asks what is still open, and returns texts."""

    label: Sentence
    moves: Callable[[], Sequence[str]]


class Offer(NamedTuple):
    """What a player whose turn it is can do now."""

    question: Sentence
    entries: list[Entry]
    rules: tuple[str, ...]
    at_once: bool = False
    """The first entry asks questions of its own, and what else there is to do is needed only by
    who backs out of them."""


class Glance(NamedTuple):
    """How a game stands, in a few numbers, as the seat that looks may know it."""

    round: int
    """Counted from 1; 0 before the first one."""
    scores: tuple[int | None, ...]
    """The VP of each seat so far; ``None`` where nobody but its player may know them all."""


class Secrets(NamedTuple):
    """What players keep from each other, in games in which they do."""

    there_are: Callable[[State], bool]
    """Tells whether there is any for now."""
    not_hidden: Callable[[], Sentence]
    """Says that a screen that cannot be cleared would show them."""
    who_takes_back: Callable[[Sequence[str]], Sentence]
    """Says that who takes back a secret choice has to be named."""


class GameUi(Protocol):
    """The interface of a game. ``seat`` is who looks, ``None`` a bystander."""

    # What is shown.

    def table_text(self, replay: Replay, seat: int | None, screen: Screen) -> list[Line]:
        """Return the table for a screen."""

    def table_sentences(self, replay: Replay, seat: int | None) -> list[str]:
        """Return the table in whole sentences, line by line."""

    def table_json(self, replay: Replay, seat: int | None) -> dict[str, object]:
        """Return the table as a document."""

    def table_svg(self, replay: Replay, seat: int | None) -> str:
        """Return the table as a picture."""

    def table_html(self, replay: Replay, seat: int | None) -> str:
        """Return the table as a page."""

    def table_mail_html(self, replay: Replay, seat: int | None) -> str:
        """Return the table as HTML for the middle of a mail, of pieces that mail programs leave
        as they are (see :mod:`porto_cli.term.inline_html`).

        A game without a drawing of its own returns ``as_typed`` of its text.
        """

    def glance(self, replay: Replay, seat: int | None) -> Glance:
        """Return how a game stands, in a few numbers."""

    def log_text(self, replay: Replay, width: int, since: int = 0) -> list[Line]:
        """Return the story of a game, or that of ``replay.steps[since:]``."""

    def log_json(self, replay: Replay, since: int = 0) -> dict[str, object]:
        """Return the story of a game, or that of ``replay.steps[since:]``, as a document."""

    def log_html(self, replay: Replay, since: int = 0, analysis: Analysis | None = None) -> str:
        """Return the story of a game as a page, which opens at the first of
        ``replay.steps[since:]`` that stands. With an analysis each turn is judged.
        """

    def score_text(
        self, replay: Replay, seat: int | None, width: int, *, plain: bool = False
    ) -> list[Line]:
        """Return who is ahead and why; ``plain`` is without a table."""

    def score_json(self, replay: Replay, seat: int | None) -> dict[str, object]:
        """Return the standings as a document."""

    def moves(self, replay: Replay, seat: int | None, options: Mapping[str, Any]) -> MoveList:
        """Return the legal moves that fit the options of ``porto moves``.

        Raises InvalidMoveError.
        """

    def what_next(
        self, replay: Replay, file: str | None = None, user: int | None = None
    ) -> list[Sentence]:
        """Say who can do what now, with the commands to type.

        ``file`` is how the commands call the record, if not as it was read; ``user`` the seat of
        who types them, if that is known: for others they name the player.
        """

    def events_text(self, events: Iterable[Event], config: Config) -> list[Sentence]:
        """Say what happened."""

    def events_json(self, events: Iterable[Event], config: Config) -> list[dict[str, object]]:
        """Return what happened, for documents."""

    def in_short(self, step: Step) -> str:
        """Return a step as a move that everybody may know."""

    def last_turn(self, replay: Replay) -> list[Sentence]:
        """Say what the last turn was and what it scored."""

    def facts(self, config: Config) -> tuple[dict[str, object], Sentence | None]:
        """Return what ``porto verify`` tells of a game: for its document, and as part of a
        sentence if there is something unusual.
        """

    def terms(self, config: Config) -> tuple[list[Sentence], list[Sentence]]:
        """Say by what box and options a game is played, to who has not joined it yet; and warn of
        what passes for something else.
        """

    # Scenarios.

    def position_text(self, state: State, title: str, screen: Screen) -> list[Line]:
        """Return the table of a state that no record led to."""

    def explanation(self, expectation: Expectation, state: State) -> list[Sentence]:
        """Return how what a case of a scenario expects is worked out, if there is more to say."""

    # Commands that make moves.

    def is_a_word(self, word: str) -> bool:
        """Tell whether a word belongs into a move, so that it is hardly a file."""

    def read_command(self, command: Command) -> tuple[int, list[str]]:
        """Return whose move a command makes, and the moves of the turn as texts.

        What is missing is asked for; without anybody to ask, it is said what is missing. Raises
        InvalidMoveError, WrongUsageError, RefusedError, CancelledError.
        """

    def nearest_moves(self, state: State, move: Move, seat: int) -> list[Move]:
        """Return a few legal moves that are most like one that is not."""

    def complete(self, what: str, typed: Typed) -> Iterable[Completion]:
        """Return what can follow: the next word of the move of a verb, or a value of an option,
        whose ``completion`` is ``what``. Raises InvalidMoveError.
        """

    def thing_name(self, stream: str, thing: int) -> str:
        """Return the name of a thing that can come up."""

    def asked_chance(self, asker: Asker, typed: TypedChance | None) -> TypedChance:
        """Return a chance that asks what came up on a real table, if nobody has typed it."""

    # A new game. What is on a real table has the names of the options for it.

    def new_options(self, typed: Mapping[str, Any], players: Sequence[str]) -> dict[str, Any]:
        """Return the options of a configuration from those that were typed.

        Raises WrongUsageError, FileError, InvalidFileError.
        """

    def option_questions(self) -> dict[str, Callable[[Asker, Sequence[str]], Any]]:
        """Return what asks the players for the options of a configuration.

        Each returns the value, or ``None`` if there is nothing to ask.
        """

    def player_count(self, count: int) -> Sentence:
        """Return what a game of so many players is called."""

    def setup_questions(self) -> dict[str, Callable[[Asker, Config], str]]:
        """Return what asks what lies on a real table."""

    def setup_missing(self, flags: Sequence[str], players: Sequence[str]) -> Sentence:
        """Say what has to be typed of a real table."""

    def read_setup(self, config: Config, texts: Mapping[str, str]) -> Deal:
        """Return what lies on a real table. Raises InvalidMoveError, WrongUsageError."""

    def new_game(self, match: Match, file: str) -> list[Sentence]:
        """Say which game was set up in a file, and what its seed does not hide."""

    # Playing at one keyboard.

    @property
    def legend(self) -> Sentence:
        """What the signs on the screen mean, as part of the help with every question."""

    @property
    def secrets(self) -> Secrets | None:
        """What players keep from each other, if they do."""

    def above(self, replay: Replay, seat: int | None, reader: int) -> Above:
        """Return the table as ``seat`` may see it, and what is new to ``reader``."""

    def offer(self, match: Match, seat: int, asker: Asker) -> Offer:
        """Return what a player whose turn it is can do."""

    def meanwhile(self, match: Match, seat: int, asker: Asker) -> list[Entry]:
        """Return what a player can do who waits for others."""
