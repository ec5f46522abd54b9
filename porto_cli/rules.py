"""The rules of a game as the rest of the program sees them: its moves, its record, who may know
what, and descriptions of what happened.

This is the part of the protocol :class:`porto_cli.games.Game` on which a game's words, look and
players are built.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from porto_cli.core import Violation, cited, yaml
from porto_cli.core.chance import Chance, NothingTypedError, NotInPileError, Stream
from porto_cli.core.yaml import flow, scalar
from porto_cli.kinds import as_yaml
from porto_cli.seam import (
    GONE,
    NO_DEAL,
    TAKES_BACK,
    UNDO,
    Commands,
    Deal,
    GameMeta,
    Glance,
    Observation,
    Outcome,
    SealedPile,
    Seats,
    Secrets,
    Step,
    Turn,
    Verb,
    View,
)

if TYPE_CHECKING:
    from random import Random

    from typing_extensions import TypeVar

    from porto_cli.abilities import (
        HasPlayers,
        Leaving,
        Orders,
        Sealing,
        Setup,
        SoFar,
        Table,
    )

    # Without parameters, Game stands for any game: the frame does not look into its values.
    ConfigT = TypeVar("ConfigT", bound=HasPlayers, default=Any)
    StateT = TypeVar("StateT", bound=Table, default=Any)
    MoveT = TypeVar("MoveT", default=Any)
    EventT = TypeVar("EventT", default=Any)
else:
    from typing import TypeVar

    ConfigT = TypeVar("ConfigT")
    StateT = TypeVar("StateT")
    MoveT = TypeVar("MoveT")
    EventT = TypeVar("EventT")

R_TURN, R_LEGAL = "R-TURN", "R-LEGAL"
"""The rulings of ``rulings_plain.toml``, for games that give no reasons of their own."""


class Rules(Protocol[ConfigT, StateT, MoveT, EventT]):
    """The rules of a game. Every method is pure; the ten abstract members are required.

    Where a method takes a ``seat``, this is the player who moves or looks.
    """

    # -- What every game has.

    @property
    @abstractmethod
    def meta(self) -> GameMeta:
        """What is known of the game without loading it. A class sets it as an attribute."""

    @abstractmethod
    def initial_state(self, config: ConfigT, deal: Deal, /) -> StateT:
        """Return the table before the first move, with a ``deal`` of :attr:`setup`."""

    @abstractmethod
    def to_move(self, state: StateT) -> tuple[int, ...]:
        """Return the seats that the game is waiting for; none when it is over."""

    @abstractmethod
    def legal_moves(self, state: StateT, seat: int, limit: int | None = None) -> list[MoveT]:
        """Return the legal moves of a seat. Beyond ``limit`` the list may be cut short."""

    @abstractmethod
    def apply(
        self, state: StateT, move: MoveT, chance: Chance, seat: int
    ) -> tuple[StateT, list[EventT]]:
        """Make a legal move, and everything after it that leaves no choice."""

    @abstractmethod
    def outcome(self, state: StateT) -> Outcome | None:
        """Return how the game has ended; ``None`` while it goes on."""

    @abstractmethod
    def format_move(self, move: MoveT, state: StateT) -> str:
        """Return a move as canonical text, which begins with one of the verbs."""

    @abstractmethod
    def parse_move(self, text: str, state: StateT, seat: int) -> MoveT:
        """Return the move of a text. Raises InvalidMoveError."""

    @abstractmethod
    def describe(self, event: EventT, config: ConfigT) -> str:
        """Return a sentence about what happened."""

    @abstractmethod
    def table(self, state: StateT, seat: int | None) -> list[str]:
        """Return the table as lines of text, as a seat, or (``None``) a bystander, may see it."""

    # -- Moves: what has a default.

    def count_moves(self, state: StateT, seat: int) -> int:
        """Return how many legal moves a seat has. Games with millions of them override this."""
        return len(self.legal_moves(state, seat))

    def violations(self, state: StateT, move: MoveT, seat: int) -> list[Violation]:
        """Return every rule that a move would break; none if it is legal.

        Raises TypeError or ValueError for anything but a move.
        """
        try:
            text = self.format_move(move, state)
        except AttributeError as error:
            raise TypeError(f"{move!r} is not a move.") from error
        if seat not in self.to_move(state):
            waiting = ", ".join(state.config.players[one] for one in self.to_move(state))
            whose = f"It is the turn of {waiting}." if waiting else "The game is over."
            return [Violation(R_TURN, whose)]
        legal = self.legal_moves(state, seat)
        if self.canonical_move(state, move) in legal:
            return []
        return [Violation(R_LEGAL, f"{cited(text)} is not one of the {len(legal)} legal moves.")]

    def canonical_move(self, state: StateT, move: MoveT) -> MoveT:
        """Return the move that stands for the same choice in the list of legal moves."""
        return move

    def read_move(self, text: str, state: StateT, seat: int) -> tuple[MoveT, str, list[Violation]]:
        """Return the move of a text, its canonical text, and every rule that it would break.

        This combines :meth:`parse_move`, :meth:`format_move` and :meth:`violations`; a game can
        override it to be faster for legal moves in canonical words. Raises InvalidMoveError.
        """
        move = self.parse_move(text, state, seat)
        return move, self.format_move(move, state), self.violations(state, move, seat)

    def turn_moves(self, state: StateT, moves: list[MoveT], seat: int) -> list[MoveT]:
        """Return the moves of one turn without those that go without saying.

        Raises IllegalMoveError for a move that makes no sense after those before it.
        """
        return moves

    # -- The record: what has a default.

    def new_config(self, players: Sequence[str], **options: Any) -> ConfigT:
        """Return a new game's configuration. Raises ValueError for invalid options."""
        if options:
            given = ", ".join(sorted(options))
            raise ValueError(f"The game has no options, but was given {given}.")
        config: Any = Seats(tuple(players))  # every game without options has this type
        return config  # type: ignore[no-any-return]

    def read_config(self, root: yaml.Node, players: tuple[str, ...]) -> ConfigT:
        """Return the configuration from the game's own keys. Raises InvalidFileError."""
        return self.new_config(players)

    def config_lines(self, config: ConfigT) -> list[str]:
        """Return the canonical lines of a header between ``players`` and ``secrecy``."""
        return []

    def follow_up(self, state: StateT) -> tuple[str, str] | None:
        """Return the key of the next entry of an item, and the verb that its text leaves out.

        ``None`` unless the turn is waiting for another decision of the same player.
        """
        return None

    def continues(self, state: StateT, move: MoveT, seat: int) -> bool:
        """Return whether a move is the decision that a turn waits for, see :meth:`follow_up`."""
        return False

    streams: Mapping[str, Stream] = {}
    """What can come up, by the names of the streams of chance."""

    def chance_entries(self, before: StateT, events: Iterable[EventT]) -> list[tuple[str, str]]:
        """Return what came up after a decision, as entries of an item."""
        return []

    def read_chance(self, key: str, text: str) -> tuple[str, bytes] | None:
        """Return the stream of an entry and what came up; ``None`` for other kinds of entries.

        Raises InvalidMoveError.
        """
        for name, stream in self.streams.items():
            if read := stream.entries.get(key):
                return name, read(text)
        return None

    def chance_fault(self, error: NothingTypedError | NotInPileError) -> str:
        """Return a sentence about what an item lacks, or has wrong, of what came up."""
        stream = self.streams.get(error.stream)
        if stream is None:
            return "The turn does not say what came up, or what it says cannot have come up."
        if isinstance(error, NotInPileError):
            return f"{stream.names[error.thing]} cannot come up: {stream.gone}."
        return f"The turn has to say {stream.missing}."

    def remark(self, events: Sequence[EventT], config: ConfigT) -> str:
        """Return the comment for a move, about what it brought; may be empty."""
        return ""

    def result_entries(self, state: StateT) -> list[tuple[str, str]]:
        """Return the entries of the item that ends a game, without the fingerprint: by default the
        scores of all players, first place first.
        """
        outcome = self.outcome(state)
        if outcome is None:
            return []
        players = state.config.players
        order = sorted(range(len(players)), key=lambda seat: outcome.places[seat])
        scores = {scalar(players[one]): str(outcome.scores[one]) for one in order}
        return [("result", flow(scores))]

    # -- What may be known: what has a default.

    def observe(self, state: StateT, seat: int | None, steps: Sequence[Step] = ()) -> Observation:
        """Return what a seat, or (``None``) a bystander, may see and do.

        ``steps`` are those that were not taken back.
        """
        players, to_move = state.config.players, self.to_move(state)
        moves = self.legal_moves(state, seat) if seat in to_move else []
        return {
            "player": None if seat is None else players[seat],
            "to_move": [players[mover] for mover in to_move],
            "table": [*self.table(state, seat)],
            "count": len(moves),
            "moves": [{"move": self.format_move(move, state), "vp": 0} for move in moves],
        }

    def view(self, state: StateT, seat: int | None) -> View:
        """Return what a seat, or (``None``) a bystander, may know, for programs that play.

        Views of tables that differ only in what is hidden are equal.
        """
        return View(seat, state)

    def resample(self, view: View, rng: Random) -> StateT:
        """Return a random state that is consistent with a view (determinization).

        From the same seat, the result has the same view. Only ``random()`` of ``rng`` is used.
        """
        state: StateT = view.table
        return state

    def is_hidden(self, event: EventT) -> bool:
        """Return whether an event reveals something that no player could foresee."""
        return False

    def stops_foresight(self, event: EventT) -> Violation | None:
        """Return why nothing after an event can be foreseen; ``None`` if something can."""
        return None

    # -- What is told: what has a default.

    def events_text(self, events: Sequence[EventT], config: ConfigT) -> list[str]:
        """Return sentences about what happened."""
        return [self.describe(event, config) for event in events]

    def definitions(self) -> dict[str, dict[str, Any]]:
        """Return definitions of its JSON documents, besides those of its ``schema.json``."""
        return {}

    def events_json(self, events: Sequence[EventT], config: ConfigT) -> list[dict[str, Any]]:
        """Return what happened, for documents."""
        return [self.event_json(event, config) for event in events]

    def event_json(self, event: EventT, config: ConfigT) -> dict[str, Any]:
        """Return an event, for documents."""
        return {"told": self.describe(event, config)}

    def turn(self, step: Step, seat: int | None, *, over: bool) -> Turn:
        """Return a step as a seat, or (``None``) a bystander, may know it; with ``over`` the game
        has ended, and nothing is secret. Comments of players, and which step an undo takes back,
        are added by :mod:`porto_cli.pages`.
        """
        config, undo = step.before.config, step.takes_back is not None
        player, number = config.players[step.seat], step.after.turn
        facts = {
            "turn": None if undo else number,
            "player": player,
            "moves": [UNDO] if undo else [self.in_short(step)],
            "undone": step.undone,
            "events": self.events_json(step.events, config),
        }
        done = tuple(self.events_text(step.events, config))
        return Turn(facts, heading=f"Turn {number}: {player}", done=done)

    def in_short(self, step: Step) -> str:
        """Return a step as a move that everybody may know."""
        if not step.moves:
            return GONE
        move = step.moves[0]
        text = self.format_move(move, step.before)
        return text.split()[0] if self.is_secret(move) else text

    def in_short_words(self, step: Step) -> str:
        """Return the same for people: of a secret move what its verb does."""
        short = self.in_short(step)
        verb = self.commands.verbs.get(short)
        return verb.does if verb and verb.secret and verb.does else short

    def does(self, state: StateT, verb: str) -> str:
        """Return what moves with a verb do now, as it follows ``To``."""
        return self.commands.verbs[verb].does or verb

    def example(self, state: StateT, moves: Sequence[MoveT]) -> MoveT:
        """Return one of some legal moves as an example: one that most players would make. By
        default the first that is more than a verb, such as a pass.
        """
        return next((one for one in moves if " " in self.format_move(one, state)), moves[0])

    def how_it_ended(self, played: SoFar) -> str:
        """Return a sentence about who won a finished game."""
        outcome = self.outcome(played.state)
        rows = zip(played.config.players, outcome.won, strict=True) if outcome else ()
        winners = [name for name, won in rows if won]
        if not winners:
            return "The game is over."
        return f"The game is over. Won by: {', '.join(winners)}."

    def decided(self, played: SoFar) -> str:
        """Return what decided a finished game, if it was not a turn; may be empty."""
        return ""

    def glance(self, state: StateT, seat: int | None) -> Glance:
        """Return the state of a game in a few numbers."""
        outcome = self.outcome(state)
        return Glance(0, outcome.scores if outcome else (0,) * len(state.config.players))

    def facts(self, config: ConfigT) -> tuple[dict[str, Any], str | None]:
        """Return what ``porto verify`` reports about a game: for its document, and as part of a
        sentence; ``None`` if nothing is unusual.
        """
        return {}, None

    def terms(self, config: ConfigT) -> tuple[list[str], list[str]]:
        """Return sentences about the box and options of a game, for players who have not joined it
        yet, and warnings about anything in it that could pass for something else.

        By default the sentences are the lines of the options in a record.
        """
        lines = self.config_lines(config)
        return [f"Options: {'; '.join(lines)}."] if lines else [], []

    @property
    def commands(self) -> Commands:
        """What the game adds to the command line; by default its verbs take any words."""
        about, players = "The words of the move; see 'porto moves'.", self.meta.players
        verbs = {
            verb: Verb(f"Make the move {cited(verb)}.", "WORD…", about)
            for verb in self.meta.verbs
            if verb != UNDO
        }
        verbs[UNDO] = TAKES_BACK._replace(example=None)
        return Commands(verbs, f"{players.start} to {players.stop - 1} players.")

    # -- Abilities: what only some games have.

    setup: Setup[ConfigT] | None = None
    """What is turned up before the first move, and recorded."""
    secrets: Secrets | None = None
    """Choices of a player that the others must not see."""
    sealing: Sealing[ConfigT, StateT, MoveT, EventT] | None = None
    """Sealed games, in which no computer knows what is hidden."""
    orders: Orders | None = None
    """What players can order ahead."""
    leaving: Leaving[StateT] | None = None
    """How a game goes on when nobody plays a seat anymore; ``None`` if it cannot."""

    # -- What follows from the abilities; no game overrides these.

    def deal(self, config: ConfigT, chance: Chance) -> Deal:
        """Return what is turned up in the setup."""
        return self.setup.deal(config, chance) if self.setup else NO_DEAL

    @property
    def sealed(self) -> Sealing[ConfigT, StateT, MoveT, EventT]:
        """The same as :attr:`sealing`. Raises ValueError for a game without sealed games."""
        if self.sealing is None:
            raise ValueError(f"{self.meta.title} has no sealed games.")
        return self.sealing

    def deal_fault(self, config: ConfigT, recorded: Deal, dealt: Deal) -> str | None:
        """Return where a recorded deal differs from that of its seed; ``None`` if it does not."""
        if self.setup is None:
            return None
        was = self.setup.deal_values(config, recorded)
        right = self.setup.deal_values(config, dealt)
        for key, value in right.items():
            if was[key] != value:
                text = as_yaml(self.setup.deal_kinds(config)[key].write(value, config))
                return (
                    f"This is not what the seed of the game deals: the seed or the {key} were "
                    f"changed. With this seed the {key} would be {text}."
                )
        return None

    def sealed_pile(self, config: ConfigT) -> SealedPile | str:
        """Return what is dealt face down to the players, or why a game cannot be sealed."""
        if self.sealing is not None:
            return self.sealing.sealed_pile(config)
        return f"{self.meta.title} cannot be sealed: nobody is dealt anything in secret."

    def thing_name(self, stream: str, thing: int) -> str:
        """Return the name of something that can come up."""
        known = self.streams.get(stream)
        return known.names[thing] if known else str(thing)

    def is_same(self, state: StateT, one: MoveT, other: MoveT) -> bool:
        """Return whether two moves are the same choice."""
        return bool(self.canonical_move(state, one) == self.canonical_move(state, other))

    def is_secret(self, move: MoveT) -> bool:
        """Return whether only the mover may know a move; the mover then has to be named."""
        return self.secrets is not None and self.secrets.is_secret(move)

    def has_secrets(self, state: StateT) -> bool:
        """Return whether players see something now that others must not see."""
        return self.secrets is not None and self.secrets.there_are(state)

    def secret_movers(self, state: StateT) -> tuple[int, ...]:
        """Return the seats that can make a secret move now."""
        return self.secrets.movers(state) if self.secrets else ()

    def whose_secret(self, players: Sequence[str]) -> str:
        """Return the error text asking for the name of the player who makes or takes back a secret
        move. Raises ValueError for a game without any.
        """
        if self.secrets is None:
            raise ValueError(f"{self.meta.title} has no secret moves.")
        return self.secrets.whose(players)
