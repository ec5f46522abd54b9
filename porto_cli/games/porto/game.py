"""Porto behind the seam, see :class:`porto_cli.game.Game`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from porto_cli.core.message import Violation, shown
from porto_cli.game import Game, Glance, Outcome, Step, Turn, View
from porto_cli.games.porto import META, record_keys
from porto_cli.games.porto.commands import COMMANDS
from porto_cli.games.porto.editions import is_shipped
from porto_cli.games.porto.engine.build import Build
from porto_cli.games.porto.engine.build import outcome as built_by
from porto_cli.games.porto.engine.claim import CLAIM_NONE, Claim
from porto_cli.games.porto.engine.events import (
    PRIVATE_CONTRACT,
    Event,
    Refilled,
    Scored,
    TimerTurned,
    scored_in,
)
from porto_cli.games.porto.engine.keep import Keep, may_keep
from porto_cli.games.porto.engine.play import (
    Move,
    apply,
    canonical_move,
    check,
    legal_moves,
    to_move,
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
from porto_cli.games.porto.events import event_json, turn
from porto_cli.games.porto.notation import format_move, parse_move
from porto_cli.match.items import IllegalMoveError

if TYPE_CHECKING:
    from random import Random

    from porto_cli.abilities import Orders, Sealing, SoFar
    from porto_cli.fields import Positions
    from porto_cli.games.porto.shown import PortoShown
    from porto_cli.language import Language
    from porto_cli.players import Coach, Players
    from porto_cli.setting_up import NewGame
    from porto_cli.simulate import Simulation

_FOLLOW_UPS = {CONTRACTS: ("contract", "contract"), TIMER: ("timer-build", "build")}
"""The phases in which a turn waits for another decision: the key that it goes on with, and the
verb of the move that this stands for."""


class PrivateContracts:
    """The secrets of Porto: which private contracts a player has (P-SETUP-5)."""

    def is_secret(self, move: Move) -> bool:
        """P-SETUP-5: which private contracts a player keeps is a secret."""
        return isinstance(move, Keep)

    def secret_movers(self, state: State) -> tuple[int, ...]:
        """Return who can still keep private contracts (P-SETUP-5)."""
        return tuple(seat for seat in range(state.config.seats) if may_keep(state, seat))

    def whose_secret(self, players: Sequence[str]) -> str:
        """Return that whoever keeps private contracts, or takes that back, has to be named."""
        return (
            "Name the player who keeps private contracts, or takes that back: one of "
            f"{', '.join(players)}."
        )

    def who_takes_back(self, players: Sequence[str]) -> str:
        """Return how to name the player who takes back a choice of private contracts."""
        return (
            "The last choice was one of private contracts. Use --as to name who takes it "
            f"back; the players are {', '.join(players)}."
        )

    def there_are(self, state: State) -> bool:
        """Return whether private contracts were dealt."""
        return bool(state.dealt)

    def not_hidden(self) -> str:
        """Return that a screen that cannot be cleared would show private contracts."""
        return (
            "This terminal (TERM=dumb) cannot clear its screen, so players would see each other's "
            "private contracts."
        )


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
            return (
                f"Without {player}, no turn would be left and the game would end; it has to be "
                "played to its end."
            )
        return None

    def without(self, state: State, seats: frozenset[int]) -> State:
        """Return a table on which the turns of exactly these seats are left out."""
        return leave_out(state, seats)


class Porto(Game[Config, State, Move, Event]):
    """The game. See :class:`porto_cli.game.Game` for what each member means."""

    meta = META
    commands = COMMANDS
    initial_state = staticmethod(begin)

    to_move = staticmethod(to_move)

    def legal_moves(self, state: State, seat: int, limit: int | None = None) -> list[Move]:
        """Return all legal moves: there are never too many to list."""
        return legal_moves(state, seat)

    violations = staticmethod(check)

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

    chance_entries = staticmethod(record_keys.chance_entries)
    read_chance = staticmethod(record_keys.read_chance)
    chance_fault = staticmethod(record_keys.chance_fault)

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

    result_entries = staticmethod(record_keys.result_entries)

    def observe(self, state: State, seat: int | None, steps: Sequence[Step] = ()) -> dict[str, Any]:
        """Return what a seat may see and do."""
        from porto_cli.games.porto.options import observe

        return observe(state, seat, steps)

    def view(self, state: State, seat: int | None) -> View:
        """Return what a seat may know, without the private contracts of the others."""
        from porto_cli.games.porto.hidden_information import view

        return view(state, seat)

    def resample(self, view: View, rng: Random) -> State:
        """Return a random state consistent with the view (determinization)."""
        from porto_cli.games.porto.hidden_information import resample

        return resample(view, rng)

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
        if not isinstance(build, Build) or check(state, build, seat):
            return moves
        if met_by(built_by(state, build), state.contracts):
            return moves
        if moves[1] == CLAIM_NONE:
            return moves[:1]
        raise IllegalMoveError(
            [Violation("P-PUBLIC-1", "This build meets none of the face-up public contracts.")]
        )

    def describe(self, event: Event, config: Config) -> str:
        """Return an event as a sentence."""
        return event.told(config)

    def definitions(self) -> dict[str, dict[str, Any]]:
        """Return the documents that declare themselves: the table, events, kinds of moves."""
        from porto_cli.games.porto.schema import own_definitions

        return own_definitions()

    def events_json(self, events: Sequence[Event], config: Config) -> list[dict[str, Any]]:
        """Return what happened, for documents."""
        return [event_json(event, config) for event in events]

    def turn(self, step: Step, seat: int | None, *, over: bool) -> Turn:
        """Return a turn, without which private contracts are kept."""
        return turn(step)

    def how_it_ended(self, played: SoFar) -> str:
        """Say who has won, and by how much."""
        from porto_cli.games.porto.render import how_it_ended
        from porto_cli.games.porto.view import standings

        return how_it_ended(standings(played))

    def glance(self, state: State, seat: int | None) -> Glance:
        """Return the round and the scores; private contracts count at the end (P-END-2)."""
        return Glance(state.round, tuple(state.scores))

    def facts(self, config: Config) -> tuple[dict[str, Any], str | None]:
        """Return the edition, and say so if it is none of those that come with the program."""
        name, own = config.edition.name, not is_shipped(config.edition)
        remark = f"with an edition of its own, {shown(name)}" if own else None
        return {"edition": name, "own_edition": own}, remark

    def terms(self, config: Config) -> tuple[list[str], list[str]]:
        """Return edition and options, and a warning of an edition that passes for another."""
        from porto_cli.games.porto.new_game import terms, warnings

        return terms(config), warnings(config)

    def table(self, state: State, seat: int | None) -> list[str]:
        """Return the table as sentences."""
        return self.shown.in_words(state, seat)

    options = setup = record_keys
    """The edition, private contracts, what decides a tie, the timer; tokens and both rows."""
    secrets = PrivateContracts()
    leaving = LeftOut()

    @cached_property
    def sealing(self) -> Sealing[Config, State, Move, Event]:
        """Private contracts, and what comes up."""
        from porto_cli.games.porto import hidden_information

        return hidden_information

    @cached_property
    def orders(self) -> Orders:
        """What players can order ahead."""
        from porto_cli.games.porto.orders import ORDERS

        return ORDERS

    @cached_property
    def positions(self) -> Positions:
        """Positions of scenarios."""
        from porto_cli.games.porto import position

        return position

    @cached_property
    def coach(self) -> Coach:
        """Judges moves."""
        from porto_cli.games.porto.coach import COACH

        return COACH

    @cached_property
    def players(self) -> Players:
        """The players that are programs."""
        from porto_cli.games.porto.players import ALL

        return ALL

    @cached_property
    def simulation(self) -> Simulation:
        """What is counted in many games."""
        from porto_cli.games.porto.simulation import SIMULATION

        return SIMULATION

    @cached_property
    def words(self) -> Language:
        """Its moves as people read and type them."""
        from porto_cli.games.porto.words import PortoWords

        return PortoWords(self)

    @cached_property
    def shown(self) -> PortoShown:
        """How it looks."""
        from porto_cli.games.porto.shown import PortoShown

        return PortoShown(self)

    @cached_property
    def setting_up(self) -> NewGame:
        """How people set it up."""
        from porto_cli.games.porto.new_game import PortoSettingUp

        return PortoSettingUp()


PORTO = Porto()
