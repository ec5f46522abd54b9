"""What a player is offered in a turn at the keyboard."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from porto_cli.core.message import say
from porto_cli.game_ui import Entry, Offer
from porto_cli.games.puerto_rico.engine.state import BUILDER_PHASE, MAYOR_PHASE, State
from porto_cli.games.puerto_rico.ui.answers import Answer, ask, question_of
from porto_cli.term.prompt import Asker


def offer(state: State, asker: Asker) -> Offer:
    """Return the question of a turn, and what can be answered.

    What has many answers, or is a form, is asked at once; what else there is to do comes up for
    who backs out of it.
    """
    question = question_of(state)
    if state.phase == MAYOR_PHASE:
        return Offer(
            question.sentence, [_entry(question.answers[0], asker)], question.rules, at_once=True
        )
    if state.phase == BUILDER_PHASE:
        build = Entry(say("Build, or build nothing"), lambda: [ask(asker, question)])
        return Offer(question.sentence, [build], question.rules, at_once=True)
    entries = [_entry(answer, asker) for answer in question.answers]
    return Offer(question.sentence, entries, question.rules)


def _entry(answer: Answer, asker: Asker) -> Entry:
    moves: Callable[[], Sequence[str]] = lambda: [answer.move(asker)]  # noqa: E731
    return Entry(answer.label, moves)
