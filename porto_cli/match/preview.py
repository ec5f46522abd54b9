"""What moves would lead to, as far as anybody at the table could know it beforehand."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from porto_cli.core.violation import Violation
from porto_cli.game import Event, Game, Move, State
from porto_cli.match.replay import IllegalMoveError


class Preview(NamedTuple):
    """What moves would lead to.

    ``events``     what would happen, less what nobody at the table could foresee
    ``phase``      the phase afterwards; ``None`` where something unknown decides
    ``to_move``    the players whose move the game would wait for; ``None`` as above
    ``certain``    nothing would come up, so that nothing is left out but what stays a secret
    """

    events: tuple[Event, ...]
    phase: str | None
    to_move: tuple[str, ...] | None
    certain: bool


def preview(game: Game, state: State, moves: Iterable[Move], seat: int) -> Preview:
    """Return what moves of a seat would lead to. Nothing hidden makes a difference.

    Raises IllegalMoveError for a move that is illegal, and for one that comes after something that
    nobody knows.
    """
    asked: list[str] = []

    def any_will_do(stream: str, index: int, pile: bytes, /) -> int:
        asked.append(stream)
        return 0

    events: list[Event] = []
    unknown: Violation | None = None
    for move in moves:
        violations = [unknown] if unknown else game.violations(state, move, seat)
        if violations:
            raise IllegalMoveError(violations)
        state, happened = game.apply(state, move, any_will_do, seat)
        for event in happened:
            unknown = unknown or game.stops_foresight(event)
            if not unknown and not game.is_hidden(event):
                events.append(event)
    players = state.config.players
    return Preview(
        tuple(events),
        phase=None if unknown else state.phase,
        to_move=None if unknown else tuple(players[other] for other in game.to_move(state)),
        certain=not asked,
    )
