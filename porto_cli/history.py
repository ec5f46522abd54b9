"""What happened in a game, turn by turn: the log, its JSON, and what is new to a player.

A game tells of each step what it was (:meth:`porto_cli.ui.Ui.turn`); that a turn was taken back,
what players said after it and what their orders did is told of all games in the same way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from porto_cli.game import OVER, Step
from porto_cli.match.replay import Replay
from porto_cli.match.said import heard, ordered
from porto_cli.paper.document import BOLD, DIM, SCORED, Document, Heading, Node, Paragraph

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, Protocol

    from porto_cli.ui_values import Turn

    class Teller(Protocol):
        """What a game has to tell, see :class:`porto_cli.ui.Ui`."""

        def turn(self, step: Step, seat: int | None, *, over: bool) -> Turn:
            """Return a step as a seat may know it."""

        def standings(self, replay: Replay, seat: int | None) -> dict[str, Any]:
            """Return who is ahead and why."""

        def score_rows(self, standings: Mapping[str, Any]) -> Iterable[Node]:
            """Return standings as rows."""


def turns(ui: Teller, replay: Replay, seat: int | None = None, since: int = 0) -> list[Turn]:
    """Return ``replay.steps[since:]`` as a seat, or (``None``) a bystander, may know them."""
    over = replay.state.phase == OVER
    return [turn_of(ui, step, seat, over=over) for step in replay.steps[since:]]


def turn_of(ui: Teller, step: Step, seat: int | None = None, *, over: bool = False) -> Turn:
    """Return a step as a seat may know it; ``over`` means that the game has ended."""
    turn = ui.turn(step, seat, over=over)
    if step.takes_back is not None:
        player = step.before.config.players[step.seat]
        turn = turn._replace(part="", done=(f"{player} takes back the last move.",))
    return turn._replace(said=step.said)


def paragraphs(turn: Turn) -> Iterator[Paragraph]:
    """Yield what the player did, what that brought, what happened then, and what was said."""
    undone = bool(turn.facts["undone"])
    done = [*turn.done, "(Taken back.)"] if undone else turn.done
    words: Sequence[str]
    for words, style in ((done, turn.style), (turn.brought, SCORED), (turn.then, DIM)):
        if words:
            yield Paragraph(words, DIM if undone else style)
    for word in turn.said:
        yield Paragraph([word], BOLD)


_COLUMN = 6
"""Columns of the number of a turn."""


def log(ui: Teller, replay: Replay, since: int = 0) -> Document:
    """Return the history of a game, or that of ``replay.steps[since:]``; that of a finished game
    ends with the score.
    """
    nodes: list[Node] = []
    part = ""
    for turn in turns(ui, replay, since=since):
        if turn.part and turn.part != part:
            part = turn.part
            nodes.append(Heading(part))
        first = f"{turn.facts['turn'] or '':>4}  "
        for words in paragraphs(turn):
            nodes.append(Paragraph(words.sentences, words.style, [(first, DIM)], _COLUMN))
            first = " " * _COLUMN
    if replay.state.phase == OVER:
        rows = ui.score_rows(ui.standings(replay, None))
        nodes += [Heading("Final scores"), *rows]
    return Document("", nodes)


# -- What is new to a player


class News(NamedTuple):
    """Something that has happened: in full, and where there is little room."""

    full: tuple[str, ...]
    short: tuple[str, ...]


def news(ui: Teller, replay: Replay, reader: int) -> tuple[News, ...]:
    """Return what has happened since the last turn of a reader, turn by turn, and what was said.

    Readers know what they did themselves, but neither what came of it nor what their orders did.
    What others took back has not happened.
    """
    items: list[News] = []
    over, last = replay.state.phase == OVER, len(replay.steps) - 1
    for place, step in reversed(list(enumerate(replay.steps))):
        undo = step.takes_back is not None
        if step.undone or (undo and place < last):
            continue
        turn = turn_of(ui, step, reader, over=over)
        by_order = [] if undo else ordered(replay, place)
        own = step.seat == reader and not by_order and not undo
        more = (*by_order, *heard(replay, place, reader))
        told = turn._replace(done=turn.done[1:]) if own else turn
        short = told.done if own or undo else (turn.in_short,)
        new = News((*told.sentences, *more), (*short, *told.then, *more))
        if new.full:
            items.append(new)
        if own and turn.facts["turn"] is not None:
            break
    return tuple(reversed(items))
