"""What is shown of a game as a whole, to be written anywhere: its table, its score, and its page,
which is the same for every game, but for its pictures.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from porto_cli.core.documents import document
from porto_cli.game import OVER
from porto_cli.history import last_turn, paragraphs, turns
from porto_cli.match.replay import Replay
from porto_cli.paper.document import BOLD, Document, Heading, Node, Paragraph
from porto_cli.paper.text import sentences

if TYPE_CHECKING:
    from porto_cli.paper.story import Story
    from porto_cli.players.analysis import Analysis


def table(replay: Replay, seat: int | None) -> Document:
    """Return the table as a seat, or (``None``) a bystander, may see it."""
    return replay.game.shown.table(replay, seat, last_turn(replay))


def table_svg(replay: Replay, seat: int | None) -> str:
    """Return the table as a picture."""
    from porto_cli.paper.page import table_picture

    sheet = replay.game.shown.sheet(replay, seat, last_turn(replay))
    return table_picture(_title(replay), sheet, sentences(table(replay, seat)))


def table_html(replay: Replay, seat: int | None) -> str:
    """Return the table as a page."""
    from porto_cli.paper.page import table_page

    sheet = replay.game.shown.sheet(replay, seat, last_turn(replay))
    return table_page(_title(replay), sheet, _standings(replay, seat), replay.fingerprint)


def score(replay: Replay, seat: int | None) -> Document:
    """Return who is ahead and why. That of a finished game begins with how it ended, and has where
    the VP came from below a heading.
    """
    shown = replay.game.shown
    rows = shown.score_rows(shown.standings(replay, seat))
    if replay.state.phase == OVER:
        ended = replay.game.how_it_ended(replay)
        rows = [Heading(ended), Heading("Final scores"), *rows]
    return Document("", [*rows])


def score_json(replay: Replay, seat: int | None) -> dict[str, Any]:
    """Return the standings as a document."""
    return document(game=replay.game.meta.id, **replay.game.shown.standings(replay, seat))


def _standings(replay: Replay, seat: int | None) -> list[Node]:
    """Return who is ahead and why, for the end of a page."""
    shown = replay.game.shown
    return [Heading("Standings"), *shown.score_rows(shown.standings(replay, seat))]


def _title(replay: Replay) -> str:
    return replay.record.title or replay.game.meta.title


def story_html(replay: Replay, since: int = 0, analysis: Analysis | None = None) -> str:
    """Return a game as a page, which opens at the first of ``replay.steps[since:]`` that was not
    taken back. With an analysis each turn is judged.
    """
    from porto_cli.paper.story import story_page

    told = story(replay)
    if analysis is not None:
        from porto_cli.players.analysis_report import judged

        told = judged(told, analysis)
    return story_page(told, since)


def story(replay: Replay, seat: int | None = None) -> Story:
    """Return a game as a seat, or (``None``) a bystander, may see it.

    There is a frame for each turn that was not taken back, and one more after the end. What is no
    turn is told with the turn that follows, or with the last one.
    """
    from porto_cli.paper.story import Frame, Story

    over = replay.state.phase == OVER
    result = replay.game.how_it_ended(replay) if over else ""
    body: list[Node] = [Paragraph(["The table before the first turn."])]
    frames = [Frame("The setup", body, -1)]
    body = []
    for place, turn in enumerate(turns(replay, seat)):
        body += paragraphs(turn)
        if turn.facts["turn"] is not None and not turn.facts["undone"]:
            frames.append(Frame(turn.heading, body, place, turn.facts.get("round")))
            body = []
    if over:
        body.append(Paragraph([result], BOLD))
        frames.append(Frame("The end", body, len(replay.steps), anchor="end"))
    else:
        frames[-1] = frames[-1]._replace(body=[*frames[-1].body, *body])
    told = Story(
        title=_title(replay),
        players=replay.config.players,
        frames=frames,
        result=result,
        below=_standings(replay, seat),
        fingerprint=replay.fingerprint,
    )
    places = (frame.place for frame in frames[:-1])
    states = [replay.opening if place < 0 else replay.steps[place].after for place in places]
    return replay.game.shown.illustrated(told, replay, [*states, replay.state], seat)
