"""A whole game turn by turn, for its page: the same for every game, but for its pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from porto_cli.game import OVER
from porto_cli.history import paragraphs, turns
from porto_cli.match.replay import Replay
from porto_cli.paper.document import BOLD, Node, Paragraph
from porto_cli.paper.story import Frame, Story, story_page

if TYPE_CHECKING:
    from porto_cli.players.analysis import Analysis
    from porto_cli.ui import Ui


def story_html(ui: Ui, replay: Replay, since: int = 0, analysis: Analysis | None = None) -> str:
    """Return a game as a page, which opens at the first of ``replay.steps[since:]`` that was not
    taken back. With an analysis each turn is judged.
    """
    told = story(ui, replay)
    if analysis is not None:
        from porto_cli.players.analysis_report import judged

        told = judged(told, analysis)
    return story_page(told, since)


def story(ui: Ui, replay: Replay, seat: int | None = None) -> Story:
    """Return a game as a seat, or (``None``) a bystander, may see it.

    There is a frame for each turn that was not taken back, and one more after the end. What is no
    turn is told with the turn that follows, or with the last one.
    """
    over = replay.state.phase == OVER
    result = ui.how_it_ended(replay) if over else ""
    body: list[Node] = [Paragraph(["The table before the first turn."])]
    frames = [Frame("The setup", body, -1)]
    body = []
    for place, turn in enumerate(turns(ui, replay, seat)):
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
        title=replay.record.title or ui.game.meta.title,
        players=replay.config.players,
        frames=frames,
        result=result,
        below=ui.score_below(replay, seat),
        fingerprint=replay.fingerprint,
    )
    places = (frame.place for frame in frames[:-1])
    states = [replay.opening if place < 0 else replay.steps[place].after for place in places]
    return ui.illustrated(told, replay, [*states, replay.state], seat)
