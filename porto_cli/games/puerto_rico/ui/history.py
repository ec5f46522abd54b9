"""The history of a game: its decisions, what is new to a reader, and the log.

VP chips are secret until the game is over (PR-SECRET-1): until then a history has those of the
seat that asks and of no other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from porto_cli.core.message import Sentence, say
from porto_cli.games.puerto_rico import event_text, phrases
from porto_cli.games.puerto_rico.engine.components import ROLES
from porto_cli.games.puerto_rico.engine.moves import Earned, Event, RoundBegan, Scored, TookRole
from porto_cli.games.puerto_rico.engine.state import DRAFT_PHASE, NO_ROLE, OVER
from porto_cli.games.puerto_rico.notation import UNDO, format_move
from porto_cli.games.puerto_rico.ui.scoring import Standings, score
from porto_cli.match.news import heard, ordered
from porto_cli.paper.document import (
    BOLD,
    DIM,
    PLAIN,
    SCORED,
    Document,
    Gap,
    Heading,
    Node,
    Paragraph,
)

if TYPE_CHECKING:
    from porto_cli.game import Step
    from porto_cli.match.replay import Replay


class Turn(NamedTuple):
    """A decision as a seat may see it.

    ``number``     counted from 1, without those taken back; ``None`` for an undo
    ``round``      counted from 1; 0 in the draft
    ``governor``   of the round
    ``role``       the role that is being played, ``None`` in the draft and for an undo
    ``chooser``    who has taken that role
    ``player``     whose decision it was
    ``move``       the move in the notation, or ``undo``
    ``scores``     VP that it brought the player, as far as they may be known
    ``earns``      doubloons that it brought the player
    ``events``     all that happened, as far as it may be known
    ``sentences``  the decision and its consequences
    ``automatic``  what then happened by itself, in sentences
    ``undone``     taken back later
    ``said``       what players said after it
    """

    number: int | None
    round: int
    governor: str
    role: str | None
    chooser: str | None
    player: str
    move: str
    scores: tuple[phrases.Gain, ...]
    earns: tuple[phrases.Gain, ...]
    events: tuple[Event, ...]
    sentences: tuple[Sentence, ...]
    automatic: tuple[Sentence, ...]
    undone: bool
    said: tuple[Sentence, ...] = ()

    @property
    def kind(self) -> str:
        """The verb of the move."""
        return self.move.partition(" ")[0]


def history_of(replay: Replay, seat: int | None = None) -> list[Turn]:
    """Return the history of a game as a seat, or a bystander, may see it."""
    return history(replay.steps, seat, over=replay.state.phase == OVER)


def last_turn(replay: Replay) -> Turn | None:
    """Return the last decision, or that it was taken back, as a bystander may see it."""
    last = history(replay.steps[-1:], over=replay.state.phase == OVER)
    return last[0] if last else None


def history(steps: Iterable[Step], seat: int | None = None, *, over: bool = False) -> list[Turn]:
    """Return the turns of a record's steps as a seat, or a bystander, may see them.

    With ``over``, the game has ended, so that nothing is secret.
    """
    turns = []
    count = 0
    for step in steps:
        count = count + 1 if step.takes_back is None else max(0, count - 1)
        known = [
            event
            for event in step.events
            if over or not isinstance(event, Scored) or event.seat == seat
        ]
        turns.append(_turn(step, count, known))
    return turns


def _turn(step: Step, number: int, known: Sequence[Event]) -> Turn:
    names = step.before.config.players
    undo = step.takes_back is not None
    own = [event for event in known if not event.auto]
    role, chooser = _role(step)
    return Turn(
        number=None if undo else number,
        round=0 if step.before.phase == DRAFT_PHASE else step.before.round,
        governor=names[step.before.governor],
        role=role,
        chooser=chooser,
        player=names[step.seat],
        move=UNDO if undo else format_move(step.moves[0]),
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
        events=tuple(known),
        sentences=_sentences(own, step.seat, names),
        automatic=_sentences((event for event in known if event.auto), None, names),
        undone=step.undone,
        said=step.said,
    )


def _role(step: Step) -> tuple[str | None, str | None]:
    """Return the role that is played, and by whom; taking a card begins it."""
    if step.takes_back is not None:
        return None, None
    names = step.before.config.players
    for event in step.events:
        if isinstance(event, TookRole):
            return ROLES[event.role], names[event.seat]
    if step.before.role == NO_ROLE:
        return None, None
    return ROLES[step.before.role], names[step.before.chooser]


def _sentences(
    events: Iterable[Event], mover: int | None, names: Sequence[str]
) -> tuple[Sentence, ...]:
    """Return sentences; the mover's gains, and the new round, are shown apart from them."""
    rest = [
        event
        for event in events
        if not isinstance(event, RoundBegan)
        and not (isinstance(event, (Scored, Earned)) and event.seat == mover)
    ]
    return tuple(event_text.summary(rest, names))


# -- what is new to a reader


class News(NamedTuple):
    """Something that has happened: in full, and where there is little room."""

    full: tuple[Sentence, ...]
    short: tuple[Sentence, ...]


def news_for(replay: Replay, reader: int) -> tuple[News, ...]:
    """Return what has happened since a reader decided, decision by decision, and what was said.

    Readers know what they have chosen themselves, but not what their orders chose, and what then
    happened by itself (PR-AUTO-1). What others have taken back has not happened.
    """
    turns = history_of(replay, reader)
    name = replay.config.players[reader]
    found: list[News] = []
    for place, turn in reversed(list(enumerate(turns))):
        stands = not turn.undone and turn.kind != UNDO
        by_order = ordered(replay, place) if stands else []
        own = turn.player == name and not by_order
        if not own and (turn.undone or (turn.kind == UNDO and turn is not turns[-1])):
            continue
        news = news_of(turn, own=own)
        more = (*by_order, *heard(replay, place, reader))
        if news.full or more:
            found.append(News((*news.full, *more), (*news.short, *more)))
        if own and stands:
            break
    return tuple(reversed(found))


def news_of(turn: Turn, *, own: bool = False) -> News:
    """Return a decision, what it brought, and what then happened by itself.

    The decision itself is left out for the player who made it (``own``).
    """
    if turn.kind == UNDO:
        taken_back = say("{player} takes back the last move.", player=turn.player)
        return News((taken_back,), (taken_back,))
    gains = phrases.brought(turn.scores, turn.earns)
    brought = (say("{player} gets {gains}.", player=turn.player, gains=gains),) if gains else ()
    if own:
        rest = (*turn.sentences[1:], *turn.automatic)
        return News((*brought, *rest), rest)
    in_a_line = say("{player}: {move}.", player=turn.player, move=turn.move)
    return News((*turn.sentences, *brought, *turn.automatic), (in_a_line, *turn.automatic))


# -- as a document

_COLUMN = 6
"""Columns of the number of a turn."""


def log(turns: Sequence[Turn], standings: Standings) -> Document:
    """Return the history by rounds; that of a finished game ends with the score."""
    nodes: list[Node] = []
    shown_round: int | None = None
    for turn in turns:
        if turn.round != shown_round and turn.kind != UNDO:
            shown_round = turn.round
            nodes += [Gap()] if nodes else []
            nodes.append(Heading(_round(turn)))
        number = f"{turn.number or '':>4}  "
        for paragraph in (*paragraphs(turn), *said(turn)):
            nodes.append(replace(paragraph, first=[(number, DIM)], indent=_COLUMN))
            number = " " * _COLUMN
    if standings.over:
        nodes += [Gap(), Heading(say("Final scores")), *score(standings).nodes]
    return Document("", nodes)


def _round(turn: Turn) -> Sentence:
    if not turn.round:
        return say("The draft")
    return say("Round {round}, {player} is governor", round=turn.round, player=turn.governor)


def said(turn: Turn) -> Iterator[Paragraph]:
    """Yield what players said after a turn."""
    for one in turn.said:
        yield Paragraph([one], BOLD)


def paragraphs(turn: Turn) -> Iterator[Paragraph]:
    """Yield what the player did, what that brought, and what then happened by itself."""
    if turn.kind == UNDO:
        yield Paragraph([say("{player} takes back the last move.", player=turn.player)])
        return
    sentences, rest = list(turn.sentences), list[Sentence]()
    if turn.undone:
        sentences.append(say("(Taken back.)"))
    if turn.kind == "role":
        sentences, rest = sentences[:1], sentences[1:]
    yield Paragraph(sentences, DIM if turn.undone else BOLD if turn.kind == "role" else PLAIN)
    gains = phrases.brought(turn.scores, turn.earns)
    if gains:
        yield Paragraph([f"{gains}."], DIM if turn.undone else SCORED)
    if rest:
        yield Paragraph(rest, DIM if turn.undone else PLAIN)
    if turn.automatic:
        yield Paragraph(turn.automatic, DIM)
