"""A turn of a running game as a new scenario, so that an argument becomes a case.

Only what everybody at the table may see is written: no private contracts, and of what is face
down only what came up in the turn itself.
"""

from __future__ import annotations

from pathlib import Path

from porto_cli.core.message import say
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
from porto_cli.games.porto.engine.generate import legal_moves
from porto_cli.games.porto.engine.moves import Keep
from porto_cli.games.porto.engine.state import ACT, KEEP, TIMERS, Config, State
from porto_cli.games.porto.header import TIE_BREAKS
from porto_cli.games.porto.notation import NONE, card_names
from porto_cli.games.porto.position.fields import listed
from porto_cli.games.porto.position.position import entry_lines, position_lines
from porto_cli.match.replay import Replay, after_turn


def scenario_text(replay: Replay, turn: int | None = None) -> str:
    """Return a scenario of the table as it was when so many turns were over; now if not said.

    Its case plays what was played next; where nothing was, it counts the legal moves. Raises
    ValueError if there were not so many turns.
    """
    earlier = replay if turn is None else after_turn(replay, turn)
    step = None if turn is None else _next_turn(replay, turn)
    state = step.before if step else _open_to_all(earlier.state)
    events = step.events if step else ()
    lines = [
        "porto: 1",
        "scenario: "
        + scalar(
            str(
                say(
                    "{title} after {turns} turns",
                    title=replay.record.title or Path(replay.record.file).name,
                    turns=state.turn,
                )
            )
        ),
        *entry_lines("players", tuple(map(scalar, state.config.players))),
        *_game_lines(state.config),
        "position:",
        *(f"  {line}" for line in position_lines(state, scripts=_what_came_up(state, events))),
        "cases:",
        *(_played(step) if step else _to_play(state)),
    ]
    return "\n".join(lines) + "\n"


def _open_to_all(state: State) -> State:
    """Return a table without secrets: what can be kept is one, what follows it is not."""
    if state.phase != KEEP or not state.dealt:
        return state
    state = state.copy()
    state.phase = ACT
    return state


def _next_turn(replay: Replay, turn: int) -> Step | None:
    """Return the turn that was played when so many were over; keeping contracts is none."""
    for step in replay.turns():
        if step.before.turn == turn and not isinstance(step.moves[-1], Keep):
            return step
    return None


def _game_lines(config: Config) -> list[str]:
    lines = []
    if config.edition != shipped(DEFAULT):
        lines += ["edition:", *(f"  {line}" for line in edition_lines(config.edition))]
    options = {}
    if config.seat_first:
        options["tie-break"] = TIE_BREAKS[1]
    if config.timer and config.timer != TIMERS[0]:
        options["timer"] = str(config.timer)
    return lines + (entry_lines("options", options) if options else [])


def _what_came_up(state: State, events: tuple[Event, ...]) -> dict[str, bytes]:
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


def _played(step: Step) -> list[str]:
    """Return the lines of the case that plays a turn."""
    player = step.before.config.players[step.seat]
    (_, first), *others = step.entries
    texts = [first]
    for key, text in others:
        if key == "contract":
            texts.append(f"contract {text}")
        elif key == "timer-build" and text != NONE:
            texts.append(f"build {text}")
    scores = _scores(step.events)
    then = {"hands": {player: listed(card_names(step.after.hands[step.seat]))}}
    if scores:
        then["scores"] = {player: str(step.before.scores[step.seat] + sum(scores.values()))}
    return [
        "- play:",
        *(f"  - {text}" for text in texts),
        *(
            f"  {line}"
            for line in entry_lines("scores", {reason: str(vp) for reason, vp in scores.items()})
        ),
        "  then:",
        *(f"    {line}" for key, text in then.items() for line in entry_lines(key, text)),
    ]


def _scores(events: tuple[Event, ...]) -> dict[str, int]:
    """Return what a turn scored, by reason; private contracts are not part of it."""
    return {
        event.contract or event.kind: event.vp
        for event in events
        if isinstance(event, Scored) and event.kind != PRIVATE_CONTRACT
    }


def _to_play(state: State) -> list[str]:
    return [f"- legal-count: {len(legal_moves(state))}"]
