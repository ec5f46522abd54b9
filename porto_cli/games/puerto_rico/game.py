"""Puerto Rico behind the seam, see :class:`porto_cli.game.Game`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from porto_cli.game import OVER, Game, Glance, Outcome, Step, View
from porto_cli.games.puerto_rico import META, phrases, record_keys
from porto_cli.games.puerto_rico.commands import COMMANDS
from porto_cli.games.puerto_rico.engine.house_rules import HOUSE_RULES
from porto_cli.games.puerto_rico.engine.moves import Event, Move, Place, come_up
from porto_cli.games.puerto_rico.engine.play import apply, count_moves, legal_moves, violations
from porto_cli.games.puerto_rico.engine.setup import begin
from porto_cli.games.puerto_rico.engine.state import DRAFT_PHASE, Config, State, to_move
from porto_cli.games.puerto_rico.events import describe, event_json, remark, summary, turn
from porto_cli.games.puerto_rico.notation import expand_move, format_move

if TYPE_CHECKING:
    from random import Random

    from porto_cli.abilities import Options, Orders, Setup, SoFar
    from porto_cli.fields import Positions
    from porto_cli.games.puerto_rico.shown import PuertoRicoShown
    from porto_cli.language import Language
    from porto_cli.players import Coach, Players
    from porto_cli.setting_up import NewGame
    from porto_cli.simulate import Simulation


def view(state: State, seat: int | None) -> View:
    """Return what a seat, or (``None``) a bystander, may know.

    The VP chips of the others are spread evenly over them, until the game is over.
    """
    if state.phase == OVER:
        return View(seat, state)
    others = _others(state, seat)
    each, left = divmod(_hidden(state, others), len(others))
    return View(
        seat, _with_chips(state, others, [each + (nth < left) for nth in range(len(others))])
    )


def resample(view: View, rng: Random) -> State:
    """Return a random state consistent with the view: others have other VP chips."""
    table: State = view.table
    if table.phase == OVER:
        return table
    others = _others(table, view.seat)
    chips = [0] * len(others)
    for _ in range(_hidden(table, others)):
        chips[int(rng.random() * len(others))] += 1
    return _with_chips(table, others, chips)


def _others(state: State, seat: int | None) -> list[int]:
    return [other for other in range(state.config.seats) if other != seat]


def _hidden(state: State, others: list[int]) -> int:
    return sum(state.players[other].vp for other in others)


def _with_chips(state: State, seats: list[int], chips: list[int]) -> State:
    new = state.copy()
    for seat, vp in zip(seats, chips, strict=True):
        new.players[seat].vp = vp
    return new


class PuertoRico(Game[Config, State, Move, Event]):
    """The game. See :class:`porto_cli.game.Game` for what each member means."""

    meta = META
    commands = COMMANDS
    initial_state = staticmethod(begin)

    to_move = staticmethod(to_move)
    legal_moves = staticmethod(legal_moves)
    count_moves = staticmethod(count_moves)
    violations = staticmethod(violations)

    apply = staticmethod(apply)

    parse_move = staticmethod(expand_move)

    def format_move(self, move: Move, state: State) -> str:
        """Return a move as canonical text, which needs no table."""
        return format_move(move)

    def in_short(self, step: Step) -> str:
        """Return a step as a move; a placement by the number of colonists."""
        move: Move | None = step.moves[0] if step.moves else None
        if isinstance(move, Place) and any(move.colonists):
            return f"place {phrases.colonists(sum(move.colonists))}"
        return super().in_short(step)

    chance_entries = staticmethod(record_keys.chance_entries)
    read_chance = staticmethod(record_keys.read_chance)
    chance_fault = staticmethod(record_keys.chance_fault)

    def remark(self, events: Sequence[Event], config: Config) -> str:
        """Return what a move brought, and what then went by itself."""
        return remark(events, config.players)

    def outcome(self, state: State) -> Outcome | None:
        """Return places and VP of a game that is over."""
        from porto_cli.games.puerto_rico.view import standing

        return standing(state) if state.phase == OVER else None

    result_entries = staticmethod(record_keys.result_entries)

    def observe(self, state: State, seat: int | None, steps: Sequence[Step] = ()) -> dict[str, Any]:
        """Return what a seat may see (PR-SECRET-1), and its moves."""
        from porto_cli.games.puerto_rico.options import observe

        return observe(state, seat)

    view = staticmethod(view)
    resample = staticmethod(resample)

    def is_hidden(self, event: Event) -> bool:
        """What comes up from the stack."""
        return any(come_up([event]))

    def describe(self, event: Event, config: Config) -> str:
        """Return an event as a sentence."""
        return describe(event, config.players)

    def events_text(self, events: Sequence[Event], config: Config) -> list[str]:
        """Return what happened, including what happened by itself."""
        return summary(events, config.players)

    def definitions(self) -> dict[str, dict[str, Any]]:
        """Return what declares itself: the table, options, the names of things."""
        from porto_cli.games.puerto_rico.schema import own_definitions

        return own_definitions()

    def events_json(self, events: Sequence[Event], config: Config) -> list[dict[str, Any]]:
        """Return what happened, for documents."""
        return [event_json(event, config.players) for event in events]

    turn = staticmethod(turn)

    def how_it_ended(self, played: SoFar) -> str:
        """Say who has won."""
        from porto_cli.games.puerto_rico.render import winners
        from porto_cli.games.puerto_rico.view import view

        return winners(view(played.state))

    def glance(self, state: State, seat: int | None) -> Glance:
        """Return the round and what each player has, as far as the seat may know (PR-SECRET-1)."""
        from porto_cli.games.puerto_rico.view import view

        scores = [player["score"]["total"] for player in view(state, seat)["players"]]
        return Glance(0 if state.phase == DRAFT_PHASE else state.round, tuple(scores))

    def facts(self, config: Config) -> tuple[dict[str, Any], str | None]:
        """Return the options, and a sentence where they are not the usual ones."""
        options = config.options
        unusual = [
            rule.unusual.format(options[rule.name])
            for rule in HOUSE_RULES
            if options[rule.name] != rule.usual
        ]
        return dict(options), ", ".join(unusual) or None

    def terms(self, config: Config) -> tuple[list[str], list[str]]:
        """Return the options; there is nothing to warn of."""
        said = (f"{name.capitalize()}: {value}." for name, value in config.options.items())
        return [" ".join(said)], []

    def table(self, state: State, seat: int | None) -> list[str]:
        """Return the table as sentences."""
        return self.shown.in_words(state, seat)

    @cached_property
    def options(self) -> Options[Config]:
        """Which buildings are in the game, and whose rules."""
        return record_keys

    @cached_property
    def setup(self) -> Setup[Config]:
        """The face-up plantations, and random buildings."""
        return record_keys

    @cached_property
    def orders(self) -> Orders:
        """What players can order ahead."""
        from porto_cli.games.puerto_rico.orders import ORDERS

        return ORDERS

    @cached_property
    def positions(self) -> Positions:
        """Positions of scenarios."""
        from porto_cli.games.puerto_rico import position

        return position

    @cached_property
    def coach(self) -> Coach:
        """Judges moves."""
        from porto_cli.games.puerto_rico.coach import COACH

        return COACH

    @cached_property
    def players(self) -> Players:
        """The players that are programs."""
        from porto_cli.games.puerto_rico.players import ALL

        return ALL

    @cached_property
    def simulation(self) -> Simulation:
        """What is counted in many games."""
        from porto_cli.games.puerto_rico.simulation import SIMULATION

        return SIMULATION

    @cached_property
    def words(self) -> Language:
        """Its moves as people read and type them."""
        from porto_cli.games.puerto_rico.words import PuertoRicoWords

        return PuertoRicoWords(self)

    @cached_property
    def shown(self) -> PuertoRicoShown:
        """How it looks."""
        from porto_cli.games.puerto_rico.shown import PuertoRicoShown

        return PuertoRicoShown(self)

    @cached_property
    def setting_up(self) -> NewGame:
        """How people set it up."""
        from porto_cli.games.puerto_rico.new_game import PuertoRicoSettingUp

        return PuertoRicoSettingUp()


PUERTO_RICO = PuertoRico()
