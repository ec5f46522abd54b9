"""A turn of a running game of Porto as a scenario: what came up in it, and what it led to.

Only what everybody at the table may see is told: no private contracts.
"""

from __future__ import annotations

from collections.abc import Sequence

from porto_cli.core.yaml import scalar
from porto_cli.game import Step
from porto_cli.games.porto.editions import DEFAULT, edition_lines, shipped
from porto_cli.games.porto.engine.events import (
    PRIVATE_CONTRACT,
    Event,
    Refilled,
    Scored,
    TimerTurned,
)
from porto_cli.games.porto.engine.state import ACT, KEEP, TIMERS, Config, State
from porto_cli.games.porto.header import TIE_BREAKS
from porto_cli.games.porto.notation import card_names
from porto_cli.games.porto.position.fields import listed
from porto_cli.games.porto.position.position import position_lines
from porto_cli.scenario.positions import entry_lines


def without_secrets(state: State) -> State:
    """Return a table at which nobody keeps private contracts: which ones is a secret."""
    if state.phase != KEEP or state.is_revealing:
        return state
    state = state.copy()
    state.phase = ACT
    return state


def header_lines(config: Config) -> list[str]:
    """Return the lines of edition and options, where they are not the usual ones."""
    lines = []
    if config.edition != shipped(DEFAULT):
        lines += ["edition:", *(f"  {line}" for line in edition_lines(config.edition))]
    options = {}
    if config.seat_first:
        options["tie-break"] = TIE_BREAKS[1]
    if config.timer and config.timer != TIMERS[0]:
        options["timer"] = str(config.timer)
    return lines + (entry_lines("options", options) if options else [])


def public_lines(state: State, events: Sequence[Event]) -> list[str]:
    """Return the lines of a position; what came up in the events comes up next."""
    return position_lines(state, scripts=_what_came_up(state, events))


def _what_came_up(state: State, events: Sequence[Event]) -> dict[str, bytes]:
    cards = contracts = timer = b""
    for event in events:
        if isinstance(event, TimerTurned):
            timer += event.turned
        elif isinstance(event, Refilled) and event.row == "cards":
            cards += event.came_up
        elif isinstance(event, Refilled):
            contracts += event.came_up
    rest = bytearray(state.timer_deck)
    for card in timer if rest else b"":
        rest.remove(card)
    return {"comes-up": cards, "contracts-come-up": contracts, "timer": timer + rest}


def consequence_lines(step: Step) -> list[str]:
    """Return what a turn scored, and what hand and score it left its player with."""
    player = scalar(step.before.config.players[step.seat])
    scores = {
        event.contract or event.kind: event.vp
        for event in step.events
        if isinstance(event, Scored) and event.kind != PRIVATE_CONTRACT
    }
    lines = entry_lines("scores", {reason: str(vp) for reason, vp in scores.items()})
    lines += ["then:", f"  hands: {{{player}: {listed(card_names(step.after.hands[step.seat]))}}}"]
    if scores:
        lines.append(
            f"  scores: {{{player}: {step.before.scores[step.seat] + sum(scores.values())}}}"
        )
    return lines
