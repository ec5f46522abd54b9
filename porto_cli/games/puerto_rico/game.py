"""Puerto Rico behind the seam, see :class:`porto_cli.games.Game`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from porto_cli.games import PackagedGame
from porto_cli.games.puerto_rico import META, phrases
from porto_cli.games.puerto_rico.engine import HOUSE_RULES
from porto_cli.games.puerto_rico.engine.moves import Event, Move, Place, come_up
from porto_cli.games.puerto_rico.engine.play import (
    apply,
    begin,
    count_moves,
    legal_moves,
    violations,
)
from porto_cli.games.puerto_rico.engine.state import Config, State, to_move
from porto_cli.games.puerto_rico.events import describe, event_json, remark, summary, turn
from porto_cli.games.puerto_rico.notation import expand_move, format_move
from porto_cli.seam import OVER, Outcome, Step, View, later

if TYPE_CHECKING:
    from random import Random


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


class PuertoRico(PackagedGame[Config, State, Move, Event]):
    """The game. See :class:`porto_cli.games.Game` for what each member means."""

    meta = META
    initial_state = staticmethod(begin)

    to_move = staticmethod(to_move)
    legal_moves = staticmethod(legal_moves)
    count_moves = staticmethod(count_moves)
    violations = staticmethod(violations)

    apply = staticmethod(apply)

    parse_move = staticmethod(expand_move)

    format_move = staticmethod(format_move)

    def in_short(self, step: Step) -> str:
        """Return a step as a move; a placement by the number of colonists."""
        move: Move | None = step.moves[0] if step.moves else None
        if isinstance(move, Place) and any(move.colonists):
            return f"place {phrases.colonists(sum(move.colonists))}"
        return super().in_short(step)

    remark = staticmethod(remark)

    def outcome(self, state: State) -> Outcome | None:
        """Return places and VP of a game that is over."""
        from porto_cli.games.puerto_rico.view import standing

        return standing(state) if state.phase == OVER else None

    view = staticmethod(view)
    resample = staticmethod(resample)

    def is_hidden(self, event: Event) -> bool:
        """What comes up from the stack."""
        return any(come_up([event]))

    describe = staticmethod(describe)
    events_text = staticmethod(summary)
    event_json = staticmethod(event_json)
    turn = staticmethod(turn)

    glance = later(".view:glance")
    how_it_ended = later(".shown:how_it_ended")

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


PUERTO_RICO = PuertoRico()
