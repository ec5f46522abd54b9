"""The moves of all phases: which are legal, why others are not, and what each leads to; and
passing, the move of a player who has no other (P-PASS-1). A game begins in ``state.begin``.

>>> Pass()
<Pass>
"""

from __future__ import annotations

from typing import Any, NamedTuple, Union, get_args

from porto_cli.core import InvalidMoveError, Refusals, Violation
from porto_cli.core.chance import Chance
from porto_cli.games.porto.engine.build import Build, add_builds, drawn_by_timer, legal_builds
from porto_cli.games.porto.engine.cards import (
    Claim,
    Draw,
    Keep,
    legal_claims,
    legal_draws,
    legal_keeps,
    lowest,
    may_keep,
)
from porto_cli.games.porto.engine.moves import Event, Seat, event, move
from porto_cli.games.porto.engine.state import (
    ACT,
    CONTRACTS,
    KEEP,
    OVER,
    PHASES,
    TIMER,
    Config,
    State,
    demand_phase,
    demand_seat,
)
from porto_cli.games.porto.engine.turn import end_turn

# -- A kind of moves: passing


@event
class Passed(NamedTuple):
    """A player could neither draw nor build."""

    seat: Seat

    def told(self, config: Config) -> str:
        """Return it as a sentence."""
        return f"{config.players[self.seat]} cannot draw or build, and passes."


@move("pass", ACT)
class Pass(NamedTuple):
    """Do nothing, where nothing can be done (P-PASS-1)."""

    def shown(self) -> list[str]:
        """Return its words without a table: none."""
        return []

    def text(self, state: State) -> str:
        """Return its canonical text."""
        return "pass"

    @staticmethod
    def read(words: list[str], state: State | None = None, seat: int = 0) -> Pass:
        """Return the pass of a word alone. Raises InvalidMoveError."""
        if len(words) > 1:
            raise InvalidMoveError("A pass is the single word: pass.")
        return PASS

    def is_legal(self, state: State) -> bool:
        """Return ``False``: whether nothing else can be done is seen only by a closer look."""
        return False

    def form(self) -> Refusals:
        """Return nothing: it has no form that could be wrong."""
        return iter(())

    def refusals(self, state: State, seat: int) -> Refusals:
        """Return why it is not legal."""
        player, builds = state.config.players[state.seat], len(legal_builds(state))
        if legal_draws(state):
            yield "P-PASS-1", "Pass only if nothing else is legal; a card can be drawn."
        elif state.is_waiting:
            why = f"Pass only if nothing else is legal; {player} has not seen the refill yet."
            yield "P-PASS-1", why
        elif builds:
            yield "P-PASS-1", f"A player who cannot draw must build. Legal builds: {builds}."

    def play(self, state: State, seat: int, chance: Chance | None, events: list[Event]) -> None:
        """Make it, in a state that may be changed."""
        events.append(Passed(state.seat))
        end_turn(state, chance, events)


PASS = Pass()


# -- The moves of all phases: which are legal, why others are not, and what each leads to
#
# A kind of moves is a class (in ``cards``, ``build``, and ``Pass`` above): its verb and its phases,
# its fields, its words, when it is legal, the rules that it breaks otherwise, what it does, and the
# events that it leads to. ``Move`` is the only list of them. Nothing else decides what is legal: a
# move that is listed by ``legal_moves`` breaks no rule, and one that breaks none is listed, or is
# the same choice as one that is.

Move = Union[Keep, Draw, Build, Claim, Pass]  # noqa: UP007 - evaluated at run time
_KINDS: tuple[Any, ...] = get_args(Move)
KINDS = frozenset(_KINDS)
VERBS: dict[str, Any] = {kind.verb: kind for kind in _KINDS}
"""The kinds of moves, by the words that they begin with."""
MOVES_IN = {phase: frozenset(kind for kind in _KINDS if phase in kind.phases) for phase in PHASES}
"""The kinds of moves that the player to move can make in each phase."""


def to_move(state: State) -> tuple[int, ...]:
    """Return the seats whose move the game waits for; none when it is over.

    At the end of a game with real cards, or of a sealed one, all who have not revealed their
    private contracts.
    """
    if state.phase == OVER:
        return ()
    if state.is_revealing:
        return tuple(seat for seat in range(state.config.seats) if may_keep(state, seat))
    return (state.seat,)


def legal_moves(state: State, seat: int | None = None, limit: int | None = None) -> list[Move]:
    """Return every legal move of the player to move, or of ``seat`` at any time: there are never
    too many to list, so that no ``limit`` is needed.

    Who is not to move can at most keep private contracts (P-SETUP-5). In a sealed game the move
    that nothing but a pass is left for cannot be known before what comes up is. Raises ValueError
    for an unknown phase or seat.
    """
    phase = state.phase
    if seat is not None and seat != state.seat:
        return [*legal_keeps(state, seat)] if may_keep(state, seat) else []
    if phase == ACT:
        moves: list[Move] = list(legal_draws(state))
        hand = state.hands[state.seat]
        if len(hand) > 1:
            add_builds(moves, state, hand)
        return moves or ([] if state.is_waiting else [PASS])
    if phase == CONTRACTS:
        return list(legal_claims(state))
    if phase == TIMER:
        return [*legal_builds(state)]
    if phase == KEEP:
        return [*legal_keeps(state, state.seat)]
    demand_phase(state)
    return []


def canonical_move(state: State, move: Move) -> Move:
    """Return the listed move that is the same choice as a legal one."""
    if isinstance(move, Draw) and not state.config.timer:
        return lowest(state.cards, move)
    return move


def is_legal(state: State, move: Move) -> bool:
    """Return whether the player to move may draw, build or fulfill contracts like this.

    ``False`` for a move of another kind, which may be legal, and for one that holds anything else
    than numbers: :func:`violations` looks at these more closely.
    """
    try:
        return type(move) in MOVES_IN[state.phase] and move.is_legal(state)
    except (TypeError, ValueError, LookupError):
        return False


def violations(state: State, move: Move, seat: int | None = None) -> list[Violation]:
    """Return every rule that the move of this player would break; none if it is legal.

    Raises TypeError for anything but a move, and ValueError for one with a card, contract or house
    that does not exist, and for an unknown phase or seat.
    """
    seat = state.seat if seat is None else seat
    if seat == state.seat and is_legal(state, move):
        return []
    _demand_move(move)
    rows = [*move.form()]
    if not rows:
        demand_phase(state)
        demand_seat(state, seat)
        rows = [*_refusals(state, move, seat)]
    return [Violation(rule, why) for rule, why in rows]


def _demand_move(move: Any) -> None:
    if type(move) not in KINDS:
        raise TypeError(f"{move!r} is not a move.")


def _refusals(state: State, move: Move, seat: int) -> Refusals:
    players = state.config.players
    mover, player = players[state.seat], players[seat]
    if state.phase == OVER:
        yield "P-SOLO-6" if state.config.timer else "P-END-1", "The game is over."
    elif isinstance(move, Keep):
        yield from move.refusals(state, seat)
    elif seat != state.seat:
        yield "P-SETUP-4", f"It is {mover}'s turn, not {player}'s."
    elif type(move) in MOVES_IN[state.phase]:
        yield from move.refusals(state, seat)
    elif state.phase == KEEP:
        yield "P-SETUP-5", f"{mover} must choose three private contracts to keep first."
    elif state.phase == CONTRACTS:
        yield "P-PUBLIC-2", f"{mover} has built and must first say which contracts to fulfill."
    elif state.phase == TIMER:
        yield "P-SOLO-4", f"The timer drew {drawn_by_timer(state)}: build with them first."
    else:
        yield "P-PUBLIC-1", "Public contracts are fulfilled right after building, not now."


def apply(
    state: State, move: Move, chance: Chance | None, seat: int | None = None
) -> tuple[State, list[Event]]:
    """Return the state after a legal move and what happened, ``seat`` being who moves.

    It trusts its move: ask :func:`violations` first, or take it from :func:`legal_moves`. Without a
    ``chance`` nothing comes up yet: spaces stay empty, the timer is not turned up, and
    :func:`~porto_cli.games.porto.engine.turn.turn_up` goes on from there. The state given is not
    changed in any case. Raises TypeError for anything but a move, ValueError for an unknown phase
    or seat, and whatever ``chance`` raises.
    """
    demand_phase(state)
    _demand_move(move)
    new = state.copy()
    events: list[Event] = []
    move.play(new, state.seat if seat is None else seat, chance, events)
    return new, events
