"""A turn of a running game as a new scenario, so that an argument becomes a case.

Only what everybody at the table may see is written, and of what is face down only what came up in
the turn itself.
"""

from __future__ import annotations

from pathlib import Path

from porto_cli.core.message import say
from porto_cli.core.yaml import scalar
from porto_cli.game import DEFAULT, Game, Step
from porto_cli.match.replay import Replay, after_turn
from porto_cli.scenario.positions import entry_lines, positions_of


def scenario_text(replay: Replay, turn: int | None = None) -> str:
    """Return a scenario of the table as it was when so many turns were over; now if not said.

    Its case plays what was played next; where nothing was, it counts the legal moves. Raises
    ValueError if there were not so many turns.
    """
    game, game_id = replay.game, replay.game.meta.id
    positions = positions_of(game_id)
    earlier = replay if turn is None else after_turn(replay, turn)
    step = None if turn is None else _next_turn(replay, turn)
    state = step.before if step else positions.without_secrets(earlier.state)
    title = say(
        "{title} after {turns} turns",
        title=replay.record.title or Path(replay.record.file).name,
        turns=state.turn,
    )
    if step:
        case = [*_played(game, step), *_indented(positions.consequence_lines(step))]
    else:
        case = [f"- legal-count: {game.count_moves(state, state.seat)}"]
    lines = [
        "porto: 1",
        *([] if game_id == DEFAULT else [f"game: {game_id}"]),
        f"scenario: {scalar(str(title))}",
        *entry_lines("players", tuple(map(scalar, replay.config.players))),
        *positions.header_lines(replay.config),
        "position:",
        *_indented(positions.position_lines(state, step.events if step else ())),
        "cases:",
        *case,
    ]
    return "\n".join(lines) + "\n"


def _next_turn(replay: Replay, turn: int) -> Step | None:
    """Return the turn that was played when so many were over; a secret choice is none."""
    for step in replay.turns():
        if step.before.turn == turn and step.moves and not replay.game.is_secret(step.moves[-1]):
            return step
    return None


def _played(game: Game, step: Step) -> list[str]:
    texts = [game.format_move(move, step.before) for move in step.moves]
    return ["- play:", *(f"  - {text}" for text in texts)]


def _indented(lines: list[str]) -> list[str]:
    return [f"  {line}" for line in lines]
