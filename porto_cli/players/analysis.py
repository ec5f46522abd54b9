"""How well a game was played: every choice, judged by what was known when it was made.

A move is judged by its player's view before the move, which contains neither what others hide nor
what came up afterward. What did come up is luck, and is reported separately.

The analysis depends only on the record and the number of samples, not on where or in what order the
answers are computed.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterable, Sequence
from functools import partial
from math import sqrt
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from porto_cli.core.values import document
from porto_cli.games import Game, game_of
from porto_cli.match.replay import Replay, decisions
from porto_cli.players import Against, Coach, Prospect, agreed, as_listed, seat_of, seen_by_all
from porto_cli.players.hint import recommended, speaking
from porto_cli.players.named import coach_of
from porto_cli.seam import OVER, Move, Step, View

if TYPE_CHECKING:
    from concurrent.futures import Executor

SAMPLES = 500
"""The number of trials for each decision where neither the caller nor the coach names one."""
FEWEST, SHARE = 8, 4
"""What may come up is sampled at least ``FEWEST`` times, and once for each ``SHARE`` samples."""
MARKS = ((7.0, "??"), (4.0, "?"), (2.0, "?!"))
"""The marks, and the VP that a turn has to lose to get each of them."""


class Question(NamedTuple):
    """A question to a coach about one decision, with nothing but what players could see.

    ``turn``    the index of its turn in the analysis
    ``seed``    the seed of the answer
    ``move``    the move that was made
    ``view``    what the player saw before it; ``None`` if there was no choice
    ``before``  what each seat saw before it; empty if nothing came up
    ``after``   what each seat saw after it and after what came up
    """

    game_id: str
    turn: int
    seed: str
    move: Move
    view: View | None
    before: tuple[View, ...]
    after: tuple[View, ...]


class Answer(NamedTuple):
    """The coach's judgment of one decision.

    ``behind``     how many VP it was worse than the best move, 0 if they are about equal; ``None``
                   if it was not judged
    ``error``      the standard error of ``behind``
    ``said``       its entries in the document: which move would have been ``better``, ``why``, and
                   the reasons for and against the move itself (``why_not``), unless they are about
                   as good; and the moves that are about ``equal`` to the best one, as a hint names
                   them, in the order of ``porto moves``
    ``luck``       how many VP what came up was worth to each seat
    ``prospects``  how each seat can expect the game to end afterward
    """

    turn: int
    behind: float | None
    error: float
    said: dict[str, Any]
    luck: tuple[float, ...]
    prospects: tuple[Prospect, ...]


_NOTHING_SAID: dict[str, Any] = {"better": None, "equal": (), "why": (), "why_not": ()}


class TurnToJudge(NamedTuple):
    """A turn to be judged.

    ``number``  its number in the game, from 1; ``None`` for a choice outside the turns, such as
                that of private contracts
    ``step``    the index of its first step in the replay
    ``moves``   its decisions, as texts
    """

    number: int | None
    step: int
    seat: int
    moves: tuple[str, ...]


class Inquiry(NamedTuple):
    """The questions about a game, one for each decision, and its turns.

    ``looker``   the seat that looks at a running game; ``None`` for a bystander or a finished game
    ``opening``  what each seat saw before the first turn
    """

    game: Game
    players: tuple[str, ...]
    is_over: bool
    looker: int | None
    opening: tuple[View, ...]
    turns: tuple[TurnToJudge, ...]
    questions: tuple[Question, ...]


Analysis = dict[str, Any]
"""A game, judged turn by turn: the document of ``porto analyze --format json``, see porto-json(5).
If the analysis was stopped, ``turns_in_all`` is more than the number of ``turns``.
"""
Turn = dict[str, Any]
"""A turn of an analysis in the document."""
_DIGITS = 3
"""Digits of VP and chances; more would suggest a precision that no sample has."""


def mark_of(behind: float) -> str:
    """Return the mark of a turn that lost this many VP, if any."""
    return next((mark for least, mark in MARKS if behind >= least), "")


def questions(replay: Replay, looker: int | None = None) -> Inquiry:
    """Return the questions about a game, turn by turn, without turns that were taken back.

    Once a game is over everything is public, and each turn is judged by what its player knew.
    While it runs, that holds only for the turns of the ``looker``. Those of the others are judged
    by what is public, and their secret choices are left out.
    """
    game, config = replay.game, replay.config
    is_over = replay.state.phase == OVER
    seen = partial(seen_by_all, game, lookers=range(len(config.players)) if is_over else (looker,))

    turns: list[TurnToJudge] = []
    asked: list[Question] = []
    for index, step in enumerate(replay.steps):
        if step.undone or step.takes_back is not None or not step.moves:
            continue
        secret = any(map(game.is_secret, step.moves))
        if secret and not (is_over or step.seat == looker):
            continue
        parts = decisions(replay, step)
        free = [len(game.legal_moves(part.before, step.seat, 2)) > 1 for part in parts]
        if secret and not any(free):
            # It reveals at the end what was chosen long before.
            continue
        at = _goes_on(game, turns, step)
        if at is None:
            at = len(turns)
            number = None if secret else step.before.turn + 1
            turns.append(TurnToJudge(number, index, step.seat, ()))
        for part, has_choice in zip(parts, free, strict=True):
            text = game.format_move(part.move, part.before)
            turns[at] = turns[at]._replace(moves=(*turns[at].moves, text))
            nth = len(turns[at].moves)
            # What comes up at the very end makes no difference.
            came_up = part.after.phase != OVER and game.chance_entries(part.before, part.events)
            asked.append(
                Question(
                    game.meta.id,
                    at,
                    # Not made from the game's seed, from which everything hidden follows.
                    f"analysis/{game.meta.id}/{at}/{nth}",
                    part.move,
                    seen(part.before)[step.seat] if has_choice else None,
                    seen(part.before) if came_up else (),
                    seen(part.after),
                )
            )
    if is_over and asked:
        # After the last turn nothing comes up; what is revealed then is part of the result.
        asked[-1] = asked[-1]._replace(before=(), after=seen(replay.state))
    opening, sure = seen(replay.opening), None if is_over else looker
    return Inquiry(game, config.players, is_over, sure, opening, tuple(turns), tuple(asked))


def _goes_on(game: Game, turns: Sequence[TurnToJudge], step: Step) -> int | None:
    """Return the index of the turn that a step completes; others may have moved in between."""
    if game.follow_up(step.before) is None or step.before.seat != step.seat:
        return None
    if any(map(game.is_secret, step.moves)):
        return None
    own = (
        at
        for at in range(len(turns) - 1, -1, -1)
        if turns[at].seat == step.seat and turns[at].number is not None
    )
    return next(own, None)


def answers(
    questions: Sequence[Question], samples: int = SAMPLES, executor: Executor | None = None
) -> Generator[Answer, None, None]:
    """Yield the answer to each question, in order.

    An ``executor`` computes them elsewhere. To stop early, close the iterator, which cancels the
    answers that have not begun.
    """
    run = map if executor is None else executor.map
    yield from run(partial(answer, samples=samples), questions)


def _coach(game_id: str) -> Coach:
    coach = coach_of(game_id)
    assert coach is not None, f"{game_id} has no coach"
    return coach


def answer(question: Question, samples: int = SAMPLES) -> Answer:
    """Judge one decision."""
    coach = _coach(question.game_id)
    prospects = tuple(map(coach.prospect, question.after))
    luck = [0.0] * len(prospects)
    often = max(FEWEST, samples // SHARE)
    for seat, view in enumerate(question.before):
        rng = Random(f"{question.seed}/came-up")
        expected = coach.expected(view, question.move, rng, samples=often)
        luck[seat] = prospects[seat].margin - expected.margin
    found = Answer(question.turn, None, 0.0, _NOTHING_SAID, tuple(luck), prospects)
    return found if question.view is None else _judged(coach, question, samples, found)


def _judged(coach: Coach, question: Question, samples: int, found: Answer) -> Answer:
    view, game = question.view, game_of(question.game_id)
    assert view is not None
    move = game.canonical_move(view.table, question.move)
    judged = coach.judge(view, Random(question.seed), moves=[move], samples=samples)
    own = next((one for one in judged if one.move == move), None)
    if own is None:
        # The choices are unknown, so it cannot be judged.
        return found
    said, (equal, merits) = dict(_NOTHING_SAID), recommended(coach, view, judged)
    best = move if own.about_equal else equal[0]
    if equal != [best]:
        listed = as_listed(game, view.table, seat_of(view), equal)
        said["equal"] = tuple(game.format_move(one, view.table) for one in listed)
    if own.about_equal:
        return found._replace(behind=0.0, error=own.whole_error, said=said)
    said["better"] = game.format_move(best, view.table)
    why, own_reasons = merits[best].reasons, merits[move].reasons
    # What speaks against both is no reason for either.
    said["why_not"] = [one for one in own_reasons if not (isinstance(one, Against) and one in why)]
    said["why"] = speaking(why) or why
    return found._replace(behind=own.behind, error=own.whole_error, said=said)


def analysis_of(course: Inquiry, answers: Iterable[Answer], samples: int = SAMPLES) -> Analysis:
    """Return the analysis of a game from the answers to its questions, in order.

    It ends before the first turn with an unanswered question.
    """
    coach = _coach(course.game.meta.id)
    of_turns: list[list[Answer]] = [[] for _ in course.turns]
    for one in answers:
        of_turns[one.turn].append(one)
    before = agreed([*map(coach.prospect, course.opening)], course.looker)
    chances = [[one.win for one in before]]
    turns: list[Turn] = []
    for asked, given in zip(course.turns, of_turns, strict=True):
        if len(given) < len(asked.moves):
            break
        player = course.players[asked.seat]
        after = agreed(given[-1].prospects, course.looker)
        turns.append(_turn(player, asked, given, before[asked.seat], after[asked.seat]))
        before = after
        if asked.number is None:
            # A choice outside the turns belongs to the table at which it was made.
            chances.pop()
        chances.append([one.win for one in before])
    place = 0
    for turn in turns:
        place += turn["turn"] is not None
        turn["wins"] = chances[place]
    found: Analysis = _rounded(
        document(
            game=course.game.meta.id,
            players=course.players,
            over=course.is_over,
            partial=len(turns) < len(course.turns),
            samples=samples,
            summaries=[_summary(turns, seat, name) for seat, name in enumerate(course.players)],
            wins=chances[0],
            turns=turns,
            turns_in_all=len(course.turns),
        )
    )
    return found


def _rounded(thing: Any) -> Any:
    """Return a document as it is in JSON, with its numbers rounded."""
    return json.loads(json.dumps(thing), parse_float=lambda text: round(float(text), _DIGITS))


def _summary(turns: Sequence[Turn], seat: int, player: str) -> dict[str, Any]:
    """Return how one player has played."""
    own = [turn for turn in turns if turn["player"] == player]
    lost = [turn["lost"] for turn in own if turn["lost"] is not None]
    return {
        "player": player,
        "judged": len(lost),
        "lost": sum(lost) / len(lost) if lost else None,
        "marks": {mark: sum(turn["mark"] == mark for turn in own) for _, mark in MARKS},
        "luck": sum(turn["luck"][seat] for turn in turns),
    }


def _turn(
    player: str, asked: TurnToJudge, given: Sequence[Answer], before: Prospect, after: Prospect
) -> Turn:
    """Return a judged turn, still without the chances of winning after it."""
    judged = [one for one in given if one.behind is not None]
    behind = sum(one.behind or 0.0 for one in judged) if judged else None
    # Of several decisions, the one that lost most is reported, or else one with about equal moves.
    told = max(given, key=lambda one: (one.behind or 0.0, bool(one.said["equal"])))
    return {
        "turn": asked.number,
        "player": player,
        "move": "; ".join(asked.moves),
        "before": before.document(),
        "after": after.document(),
        "lost": behind,
        "error": sqrt(sum(one.error**2 for one in judged)) if judged else None,
        "mark": (behind is not None and mark_of(behind)) or None,
        **told.said,
        "luck": tuple(map(sum, zip(*(one.luck for one in given), strict=True))),
    }
