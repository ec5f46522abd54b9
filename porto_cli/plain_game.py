"""The defaults of :class:`porto_cli.game.Game`: an open game without setup, options or secrets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from porto_cli.core.message import say
from porto_cli.core.violation import Violation
from porto_cli.core.yaml import flow, scalar

if TYPE_CHECKING:
    from porto_cli.commands import Commands
    from porto_cli.game import Game, GameMeta, Move, State

R_TURN, R_LEGAL = "R-TURN", "R-LEGAL"
"""The rulings of ``rulings_plain.toml``, for games that give no reasons of their own."""


class Seats(NamedTuple):
    """The configuration of a game without options."""

    players: tuple[str, ...]

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.players)


class Option(NamedTuple):
    """A legal move, as an observation has it."""

    move: str


class Seen(NamedTuple):
    """What a seat may see and do."""

    seat: int | None
    to_move: tuple[str, ...]
    table: tuple[str, ...]
    """The table as lines of text."""
    moves: tuple[Option, ...]
    """What the seat can do now; what is to be done, for a bystander."""


# The game and its values are any game's here, and the options of none are accepted.
def new_config(players: Sequence[str], **options: Any) -> Any:
    """Return the configuration of a game without options. Raises ValueError if there are any."""
    if options:
        raise ValueError(f"The game has no options, and was given {', '.join(sorted(options))}.")
    return Seats(tuple(players))


def violations(game: Game, state: State, move: Move, seat: int) -> list[Violation]:
    """Return that a move is not among the legal ones, or not the turn of the seat."""
    try:
        text = game.format_move(move, state)
    except AttributeError as error:
        raise TypeError(f"{move!r} is not a move.") from error
    if seat not in game.to_move(state):
        waiting = ", ".join(state.config.players[one] for one in game.to_move(state))
        if not waiting:
            return [Violation(R_TURN, say("The game is over."))]
        return [Violation(R_TURN, say("It is the turn of {players}.", players=waiting))]
    legal = game.legal_moves(state, seat)
    if game.canonical_move(state, move) in legal:
        return []
    return [
        Violation(
            R_LEGAL,
            say(
                "{move!r} is not one of the {count} legal moves.",
                move=text,
                count=len(legal),
            ),
        )
    ]


def result_entries(game: Game, state: State) -> list[tuple[str, str]]:
    """Return the scores of all players, first place first."""
    outcome = game.outcome(state)
    if outcome is None:
        return []
    players = state.config.players
    order = sorted(range(len(players)), key=lambda seat: outcome.places[seat])
    return [("result", flow({scalar(players[one]): str(outcome.scores[one]) for one in order}))]


def observe(game: Game, state: State, seat: int | None) -> Seen:
    """Return the table as text, and the moves of a seat; of who is to move, for a bystander."""
    to_move = game.to_move(state)
    mover = state.seat if seat is None else seat
    moves = game.legal_moves(state, mover) if mover in to_move else []
    return Seen(
        seat,
        tuple(state.config.players[one] for one in to_move),
        tuple(game.table(state, seat)),
        tuple(Option(game.format_move(move, state)) for move in moves),
    )


def commands(meta: GameMeta) -> Commands:
    """Return what the verbs of a game take: any words."""
    from porto_cli.commands import Commands, Verb, Word
    from porto_cli.match.undoing import UNDO

    words = (Word("WORD…", "The words of the move; see 'porto moves'.", many=True),)
    verbs = {
        verb: Verb(str(say("Make the move {verb!r}.", verb=verb)), words)
        for verb in meta.verbs
        if verb != UNDO
    }
    undo = Verb(
        """Take back your last turn, as long as nobody else has moved.

        The record keeps both the turn and the undo.
        """
    )
    return Commands(
        {**verbs, UNDO: undo},
        str(
            say(
                "{least} to {most} players.",
                least=meta.players.start,
                most=meta.players.stop - 1,
            )
        ),
    )
