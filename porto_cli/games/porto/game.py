"""Porto behind the seam, see :class:`porto_cli.games.Game`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from porto_cli.core import Violation, shown
from porto_cli.games import PackagedGame
from porto_cli.games.porto import META
from porto_cli.games.porto.engine.build import Build, as_built
from porto_cli.games.porto.engine.cards import CLAIM_NONE, Claim, Keep, may_keep
from porto_cli.games.porto.engine.moves import (
    PRIVATE_CONTRACT,
    Event,
    Refilled,
    Scored,
    TimerTurned,
    scored_in,
)
from porto_cli.games.porto.engine.play import (
    Move,
    apply,
    canonical_move,
    legal_moves,
    to_move,
    violations,
)
from porto_cli.games.porto.engine.scoring import LOST, level, met_by, places
from porto_cli.games.porto.engine.state import (
    ACT,
    CONTRACTS,
    OVER,
    TIMER,
    Config,
    State,
    begin,
)
from porto_cli.games.porto.engine.turn import leave_out
from porto_cli.games.porto.notation import event_json, format_move, parse_move, turn
from porto_cli.games.porto.record_keys import is_shipped
from porto_cli.match.items import IllegalMoveError
from porto_cli.seam import Glance, Outcome, Secrets, later

if TYPE_CHECKING:
    from porto_cli.abilities import Sealing

_FOLLOW_UPS = {CONTRACTS: ("contract", "contract"), TIMER: ("timer-build", "build")}
"""The phases in which a turn waits for another decision: the key that it goes on with, and the
verb of the move that this stands for."""


class LeftOut:
    """How Porto goes on when nobody plays a seat: its turns are left out."""

    def fault(self, state: State, seat: int) -> str | None:
        """Return why a seat cannot be left out in the middle of its turn, or at the end."""
        player = state.config.players[seat]
        if state.phase == CONTRACTS and state.seat == seat:
            return (
                f"{player} has built and must say which contracts that fulfills before leaving: "
                "'contract none' fulfills none."
            )
        without = leave_out(state, state.out | {seat})
        if state.is_revealing or without.is_played_out:
            return f"Without {player} the game would end; it has to be played to its end."
        return None

    without = staticmethod(leave_out)


class Porto(PackagedGame[Config, State, Move, Event]):
    """The game. See :class:`porto_cli.games.Game` for what each member means."""

    meta = META
    initial_state = staticmethod(begin)

    to_move = staticmethod(to_move)

    legal_moves = staticmethod(legal_moves)

    violations = staticmethod(violations)

    apply = staticmethod(apply)

    canonical_move = staticmethod(canonical_move)
    parse_move = staticmethod(parse_move)
    format_move = staticmethod(format_move)

    def follow_up(self, state: State) -> tuple[str, str] | None:
        """A build waits for the choice of public contracts, two cards of the timer for a build."""
        return _FOLLOW_UPS.get(state.phase)

    def continues(self, state: State, move: Move, seat: int) -> bool:
        """Private contracts may be kept while a turn waits; that is an item of its own."""
        return state.phase in _FOLLOW_UPS and state.seat == seat and not isinstance(move, Keep)

    def remark(self, events: Sequence[Event], config: Config) -> str:
        """Return where the VP of a build came from."""
        scores = scored_in(events)
        if not scores:
            return ""
        parts = ", ".join(f"{score.contract or score.kind} {score.vp}" for score in scores)
        return f"{parts}: {sum(score.vp for score in scores)} VP"

    def outcome(self, state: State) -> Outcome | None:
        """Return places and scores (P-RANK-1, P-RANK-2); a solo game can be lost (P-SOLO-6)."""
        if state.phase != OVER:
            return None
        lost = bool(state.config.timer) and level(state) == LOST
        won = tuple(place == 1 and not lost for place in places(state))
        return Outcome(places(state), state.scores, won)

    view = later(".hidden_information:view")
    resample = later(".hidden_information:resample")

    def is_hidden(self, event: Event) -> bool:
        """P-DRAW-2 and P-PUBLIC-3: what comes up; P-END-2: what is revealed only then."""
        return isinstance(event, Refilled) or (
            isinstance(event, Scored) and event.kind == PRIVATE_CONTRACT
        )

    def stops_foresight(self, event: Event) -> Violation | None:
        """P-SOLO-2: the two cards of the timer are unknown before they are turned up."""
        if not isinstance(event, TimerTurned):
            return None
        return Violation(
            "P-SOLO-2",
            "What can be done then depends on the timer cards that this turn will turn up.",
        )

    def turn_moves(self, state: State, moves: list[Move], seat: int) -> list[Move]:
        """P-PUBLIC-1: behind a build that meets no public contract there is nothing to choose.

        'contract none' is left out, anything else stays, to be refused.
        """
        if len(moves) != 2 or not isinstance(moves[1], Claim) or state.phase != ACT:
            return moves
        build = moves[0]
        if not isinstance(build, Build) or violations(state, build, seat):
            return moves
        if met_by(as_built(state, build), state.contracts):
            return moves
        if moves[1] == CLAIM_NONE:
            return moves[:1]
        raise IllegalMoveError(
            [Violation("P-PUBLIC-1", "This build meets none of the face-up public contracts.")]
        )

    def describe(self, event: Event, config: Config) -> str:
        """Return an event as a sentence."""
        return event.told(config)

    event_json = staticmethod(event_json)
    turn = staticmethod(turn)

    def glance(self, state: State, seat: int | None) -> Glance:
        """Return the round and the scores; private contracts count at the end (P-END-2)."""
        return Glance(state.round, tuple(state.scores))

    def facts(self, config: Config) -> tuple[dict[str, Any], str | None]:
        """Return the edition, and say so if it is none of those that come with the program."""
        name, own = config.edition.name, not is_shipped(config.edition)
        remark = f"with an edition of its own, {shown(name)}" if own else None
        return {"edition": name, "own_edition": own}, remark

    how_it_ended = later(".shown:how_it_ended")
    decided = later(".shown:decided")
    terms = later(".new_game:terms")

    secrets = Secrets(
        "private contracts",
        "keeps private contracts",
        is_secret=lambda move: isinstance(move, Keep),
        movers=lambda state: tuple(
            seat for seat in range(state.config.seats) if may_keep(state, seat)
        ),
        there_are=lambda state: bool(state.dealt),
    )
    """P-SETUP-5: which private contracts a player has."""
    leaving = LeftOut()
    sealing: Sealing[Config, State, Move, Event] = later(".hidden_information")


PORTO = Porto()
