"""The story of a game: decision by decision, what it brought and what then went by itself.

VP chips are secret until the game is over (PR-SECRET-1): before that the story tells those of
the seat that asks, and nobody else's.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from porto_cli.core.message import Sentence
from porto_cli.game import Step as PlayedStep
from porto_cli.games.puerto_rico import event_text, phrases
from porto_cli.games.puerto_rico.engine.components import ROLES
from porto_cli.games.puerto_rico.engine.events import Earned, Event, RoundBegan, Scored, TookRole
from porto_cli.games.puerto_rico.engine.state import DRAFT_PHASE, NO_ROLE, OVER, State
from porto_cli.games.puerto_rico.notation import UNDO as UNDO
from porto_cli.games.puerto_rico.notation import format_move

if TYPE_CHECKING:
    from porto_cli.match.replay import Replay


class Step(NamedTuple):
    """An item of a record, replayed: what stood before it, who did what, what came of it.

    ``move`` is in the notation, or ``undo``; ``undone`` tells that it was taken back later.
    """

    before: State
    seat: int
    move: str
    events: Sequence[Event]
    undone: bool = False


class Turn(NamedTuple):
    """A decision as people see it.

    ``number``    counted from 1, without those taken back; ``None`` for an undo
    ``round``     counted from 1; 0 in the draft
    ``governor``  of the round
    ``role``      the role that is being played, ``None`` in the draft and for an undo
    ``chooser``   who has taken that role
    ``player``    whose decision it was
    ``kind``      the verb of the move
    ``move``      the move in the notation
    ``scores``    VP that it brought the player, as far as they may be told
    ``earns``     doubloons that it brought the player
    ``happened``  the events by name, as :func:`event_text.as_dict` gives them
    ``told``      the decision and its consequences as sentences
    ``auto``      what then went by itself, as sentences
    ``undone``    taken back later
    """

    number: int | None
    round: int
    governor: str
    role: str | None
    chooser: str | None
    player: str
    kind: str
    move: str
    scores: tuple[phrases.Gain, ...]
    earns: tuple[phrases.Gain, ...]
    happened: tuple[dict[str, object], ...]
    told: tuple[Sentence, ...]
    auto: tuple[Sentence, ...]
    undone: bool


def story(replay: Replay, seat: int | None = None) -> list[Turn]:
    """Return the story of a game as a seat, or anybody, may see it."""
    return history(steps_of(replay), seat, over=replay.state.phase == OVER)


def last_turn(replay: Replay, seat: int | None = None) -> Turn | None:
    """Return the last decision, or that it was taken back, as a seat or anybody may see it."""
    last = [_step(step) for step in replay.steps[-1:]]
    told = history(last, seat, over=replay.state.phase == OVER)
    return told[0] if told else None


def steps_of(replay: Replay) -> list[Step]:
    """Return the items of a record as the story tells them."""
    return [_step(step) for step in replay.steps]


def _step(step: PlayedStep) -> Step:
    """Return an item of a record as the story tells it."""
    undo = step.takes_back is not None
    return Step(
        before=step.before,
        seat=step.seat,
        move=UNDO if undo else format_move(step.moves[0]),
        events=step.events,
        undone=step.undone,
    )


def history(steps: Iterable[Step], seat: int | None = None, *, over: bool = False) -> list[Turn]:
    """Return the story as a seat, or anybody, may see it; ``over`` tells that nothing is secret."""
    turns = []
    count = 0
    for step in steps:
        if step.move == UNDO:
            count = max(0, count - 1)
        else:
            count += 1
        turns.append(_turn(step, count, seat, over))
    return turns


def _turn(step: Step, number: int, asking: int | None, over: bool) -> Turn:
    names = step.before.config.players
    known = [
        event
        for event in step.events
        if over or not isinstance(event, Scored) or event.seat == asking
    ]
    undo = step.move == UNDO
    own = [event for event in known if not event.auto]
    role, chooser = _role(step)
    return Turn(
        number=None if undo else number,
        round=0 if step.before.phase == DRAFT_PHASE else step.before.round,
        governor=names[step.before.governor],
        role=role,
        chooser=chooser,
        player=names[step.seat],
        kind=step.move.partition(" ")[0],
        move=step.move,
        scores=tuple(
            (event.reason, event.vp)
            for event in own
            if isinstance(event, Scored) and event.seat == step.seat
        ),
        earns=tuple(
            (event.reason, event.doubloons)
            for event in own
            if isinstance(event, Earned) and event.seat == step.seat
        ),
        happened=tuple(event_text.as_dict(event, names) for event in known),
        told=_told(own, step.seat, names),
        auto=_told((event for event in known if event.auto), None, names),
        undone=step.undone,
    )


def _role(step: Step) -> tuple[str | None, str | None]:
    """Return the role that is played, and by whom; taking a card begins it."""
    if step.move == UNDO:
        return None, None
    names = step.before.config.players
    for event in step.events:
        if isinstance(event, TookRole):
            return ROLES[event.role], names[event.seat]
    if step.before.role == NO_ROLE:
        return None, None
    return ROLES[step.before.role], names[step.before.chooser]


def _told(events: Iterable[Event], mover: int | None, names: Sequence[str]) -> tuple[Sentence, ...]:
    """Return sentences; what the mover gets, and the new round, are told apart from them."""
    told = [
        event
        for event in events
        if not isinstance(event, RoundBegan)
        and not (isinstance(event, (Scored, Earned)) and event.seat == mover)
    ]
    return tuple(event_text.story(told, names))
