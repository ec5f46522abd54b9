"""The story of a game: turn by turn what happened, and where each VP came from."""

from __future__ import annotations

from typing import NamedTuple

from porto_cli.core.message import Sentence
from porto_cli.game import Step
from porto_cli.games.porto import event_text
from porto_cli.games.porto.engine.events import PRIVATE_CONTRACT, Event, Score, Scored
from porto_cli.games.porto.engine.moves import Build, Draw, Keep
from porto_cli.match.replay import Replay

KEEP, DRAW, BUILD, PASS, UNDO = "keep", "draw", "build", "pass", "undo"
"""The kinds of turns, called like the commands."""
GONE = "gone"
"""Not a turn either: the others go on without players who have vanished."""


class Turn(NamedTuple):
    """A turn, or what stands in the record like one: keeping private contracts, an undo, and in a
    sealed game that players are given up.

    ``number``     counted from 1; ``None`` for what is no turn of the rules
    ``round``      counted from 1
    ``player``     whose turn it was
    ``kind``       ``keep``, ``draw``, ``build``, ``pass``, ``undo`` or ``gone``
    ``moves``      what was said, in the notation; never which private contracts are kept
    ``happened``   the events by name, as :func:`~.event_text.as_dict` gives them
    ``sentences``  the same events as sentences
    ``scores``     VP and what for; the private contracts are no part of a turn
    ``standing``   the score of each seat after the turn, without private contracts
    ``undone``     taken back later
    """

    number: int | None
    round: int
    player: str
    kind: str
    moves: tuple[str, ...]
    happened: tuple[dict[str, object], ...]
    sentences: tuple[Sentence, ...]
    scores: tuple[Score, ...]
    standing: tuple[int, ...]
    undone: bool

    @property
    def vp(self) -> int:
        """What the turn scored."""
        return sum(score.vp for score in self.scores)


def story(replay: Replay) -> list[Turn]:
    """Return all turns of a game in the order of the record, those taken back included."""
    return [turn_of(step) for step in replay.steps]


def turn_of(step: Step) -> Turn:
    """Return a step as the turn that people see."""
    table = step.before.config
    kind = _kind(step)
    events = [event for event in step.events if not _at_the_end(event)]
    standing = list(step.after.scores)
    for event in step.events:
        if isinstance(event, Scored) and _at_the_end(event):
            standing[event.seat] -= event.vp
    before = step.before
    return Turn(
        number=before.turn + 1 if kind in (DRAW, BUILD, PASS) else None,
        round=before.round,
        player=table.players[step.seat],
        kind=kind,
        moves=_moves(step, kind),
        happened=tuple(event_text.as_dict(event, table) for event in events),
        sentences=tuple(event_text.sentences(events, table)),
        scores=tuple(event.score for event in events if isinstance(event, Scored)),
        standing=tuple(standing),
        undone=step.undone,
    )


def _at_the_end(event: Event) -> bool:
    return isinstance(event, Scored) and event.kind == PRIVATE_CONTRACT


def _kind(step: Step) -> str:
    if step.takes_back is not None:
        return UNDO
    if not step.moves:
        return GONE
    move = step.moves[0]
    if isinstance(move, Keep):
        return KEEP
    if isinstance(move, Draw):
        return DRAW
    return BUILD if isinstance(move, Build) else PASS


def _moves(step: Step, kind: str) -> tuple[str, ...]:
    """Return the decisions among the entries; which contracts are kept is nobody's business."""
    if kind == KEEP:
        return (KEEP,)
    if kind == GONE:
        return (GONE,)
    first, *more = step.entries
    verbs = {"contract": "contract", "timer-build": "build"}
    return (
        first[1],
        *(f"{verbs[key]} {text}" for key, text in more if key in verbs and text != "none"),
    )
