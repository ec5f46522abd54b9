"""What moves would lead to, as far as anybody at the table could know it beforehand."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from porto_cli.core.message import say
from porto_cli.core.violation import Violation
from porto_cli.games.porto.engine.conditions import to_move
from porto_cli.games.porto.engine.events import (
    PRIVATE_CONTRACT,
    Event,
    Refilled,
    Scored,
    TimerTurned,
)
from porto_cli.games.porto.engine.explain import check
from porto_cli.games.porto.engine.moves import Move
from porto_cli.games.porto.engine.play import apply
from porto_cli.games.porto.engine.state import State
from porto_cli.match.replay import IllegalMoveError


class Preview(NamedTuple):
    """What moves would lead to.

    ``events``     what would happen, less what comes up from a face-down pile, and less the
                   private contracts that the end of the game reveals
    ``phase``      the phase afterwards; ``None`` where the timer of a solo game decides
    ``to_move``    the players whose move the game would wait for; ``None`` as above
    ``certain``    nothing would come up, so that nothing is left out but the private contracts
    """

    events: tuple[Event, ...]
    phase: str | None
    to_move: tuple[str, ...] | None
    certain: bool


def preview(state: State, moves: Iterable[Move], seat: int) -> Preview:
    """Return what moves of a seat would lead to. Nothing hidden makes a difference.

    Raises IllegalMoveError for a move that is illegal, and for one that comes after two cards of
    the solo timer: nobody knows which they will be.
    """
    asked: list[str] = []

    def any_will_do(stream: str, index: int, pile: bytes, /) -> int:
        asked.append(stream)
        return 0

    events: list[Event] = []
    timer = False
    for move in moves:
        violations = check(state, move, seat) if not timer else [_nobody_knows()]
        if violations:
            raise IllegalMoveError(violations)
        state, happened = apply(state, move, any_will_do, seat)
        for event in happened:
            timer = timer or isinstance(event, TimerTurned)
            if not timer and not _is_hidden(event):
                events.append(event)
    players = state.config.players
    return Preview(
        tuple(events),
        phase=None if timer else state.phase,
        to_move=None if timer else tuple(players[waiting] for waiting in to_move(state)),
        certain=not asked,
    )


def _is_hidden(event: Event) -> bool:
    """P-DRAW-2 and P-PUBLIC-3: what comes up; P-END-2: what is revealed only then."""
    return isinstance(event, Refilled) or (
        isinstance(event, Scored) and event.kind == PRIVATE_CONTRACT
    )


def _nobody_knows() -> Violation:
    return Violation(
        "P-SOLO-2",
        say("What can be done then depends on the timer cards that this turn will turn up."),
    )
