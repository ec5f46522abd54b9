"""Learning a game: how to play it, on one screen, and a guided first game that one can leave.

Both are data of the game (``lessons.toml``, see docs/adding-a-game.md); a game without has
neither. A game follows the lesson as long as it has its deal and the moves that the lesson
expects, and its record has no comment that the lesson was ended. That is all there is to know, so
a lesson goes on when its record is opened again, and one that was ended does not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any, NamedTuple

from porto_cli.asking import joined, said_as
from porto_cli.cli.rules import with_labels
from porto_cli.core import flowing
from porto_cli.games import GAMES
from porto_cli.installed import lessons_of
from porto_cli.match.match import Match
from porto_cli.match.replay import Decision, Replay, decisions
from porto_cli.pages import news
from porto_cli.seam import SEEN, Step
from porto_cli.term import BOLD, PLAIN, Line, Screen, text_of
from porto_cli.words import Option, Part, groups, score_of

ENDED = "The lesson was ended here."
"""The comment in a record whose lesson was ended before its last step."""
FINISHED = "The lesson was finished here."
"""The comment in a record that goes on after the last step: before that there is the lesson still,
for who takes a step back.
"""
_PRICE = re.compile(r" (for|with) .*")
"""What is left out of what others did, so that it takes little room."""


def is_lesson(game: str, seed: object) -> bool:
    """Return whether a game with this seed is a lesson: its deal is known, and so is its play."""
    lesson = lessons_of(game).get("lesson")
    return lesson is not None and seed == lesson["seed"]


def games_taught(what: str) -> list[str]:
    """Return the games that have a table in their lessons: ``how_to_play``, or ``lesson``."""
    return [game for game in GAMES if what in lessons_of(game)]


def how_to_play(game: str, screen: Screen) -> list[Line]:
    """Return what somebody has to know who plays a game for the first time."""
    texts = lessons_of(game)["how_to_play"]
    lines = with_labels(
        {f"{word[0].upper()}{word[1:]}": texts[word] for word in texts}, screen.width - 1
    )
    return [[(f"How to play {GAMES[game].title}", BOLD)], *lines]


class Guide(NamedTuple):
    """Where a game is in its lesson: what is said now, and the moves that are expected next; none
    once the lesson is over, and neither where there is no lesson. Where the player decides, other
    moves are as welcome (``others``). ``why`` says what the expected ones are good for. Where the
    player is to find the choice (``finds``), no menu begins with it. ``is_done``: what is said is
    the end of a lesson.
    """

    says: tuple[str, ...] = ()
    expected: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    why: str = ""
    finds: bool = False
    is_done: bool = False

    def again(self, replay: Replay, chosen: Sequence[Option] = ()) -> str:
        """Return what the lesson wants, and why, to a player who asks for a hint or has ``chosen``
        one of other moves, which is named: in short, so that the table stays as it is. Enter alone
        leads there now, see :attr:`Asker.taught`.
        """
        state = replay.state
        options = replay.game.words.options(state, state.seat, asking=True)
        say = as_said(replay, options)
        other = f"{_in_brief(chosen, say)}? Not yet. " if chosen else ""
        # In a form the minus takes a colonist away.
        enter, leave = "Just press Enter until it is done", "-"
        if options[0].form:
            enter, leave = "That is filled in: press Enter", "Esc and -"
        wants = f"{other}In this lesson, {say(self.expected[0])}. {self.why}"
        return f"{wants} {enter}, or {leave} to play as you like."

    def leads_to(self, options: Iterable[Option]) -> bool:
        """Return whether one of these options can be a move that is expected."""
        welcome = (*self.expected[:1], *self.others)
        return any(any(map(one.can_be, welcome)) for one in options)

    def other_than(self, match: Match, seat: int, moves: Sequence[Any]) -> list[Option]:
        """Return the first of these moves if they do not begin with what is expected; a turn that
        is played again may go on beyond it.

        Raises InvalidMoveError.
        """
        player = match.players[seat]
        made = [
            match.text(match.move(one, player) if isinstance(one, str) else one)
            for one in moves[: len(self.expected)]
        ]
        if tuple(made) == self.expected[: len(made)] or made[0] in self.others:
            return []
        options = match.game.words.options(match.state, seat, asking=True)
        named = (one._replace(move=made[0]) for one in options if one.can_be(made[0]))
        return [next(named, Option(made[0], (Part("", [(made[0], PLAIN)]),)))]


def guide_of(replay: Replay, *, is_new: Callable[[], bool] = bool) -> Guide:
    """Return what is said in a game besides its table: where it is in its lesson; or to a player
    who ``is_new``, which phases went by without a decision, and what comes for the first time.
    """
    game, phase, guide = replay.game.meta.id, replay.state.phase, Guide()
    lessons = lessons_of(game)
    if is_lesson(game, replay.record.seed) and f"# {ENDED}" not in replay.record.human:
        guide = _place(replay, lessons["lesson"])
    if guide.says or not is_new():
        return guide
    first, went_by, forced = (lessons.get(key, {}) for key in ("first", "went_by", "forced"))
    seat, player = replay.state.seat, replay.config.players[replay.state.seat]
    since = [*takewhile(lambda step: step.seat != seat, replay.steps[::-1])][::-1]
    moves = (replay.game.format_move(one.move, one.before) for one in _decided(replay, since))
    events = replay.game.events_json([one for step in since for one in step.events], replay.config)
    own = {one.get("event", "") for one in events if one.get("player") == player}
    past = (move for move in dict.fromkeys(moves) if not move.endswith(phase))
    told = [went_by[move] for move in past if move in went_by and forced.get(move) not in own]
    by_people = (step for step in replay.steps if step.seat not in replay.bot_seats)
    if phase in first and all(one.before.phase != phase for one in _decided(replay, by_people)):
        told.append(first[phase])
    return Guide((*map(flowing, told),))


def _decided(replay: Replay, steps: Iterable[Step]) -> Iterator[Decision]:
    """Yield what was decided in some steps, also in the middle of a turn."""
    return (one for step in steps for one in decisions(replay, step))


def as_said(replay: Replay, options: Sequence[Option]) -> Callable[[str], str]:
    """Return what says a move of this position as the menu of these options does."""
    lessons = lessons_of(replay.game.meta.id)
    ways = {**lessons.get("moves", {}), **lessons.get("things", {})}
    return lambda move: said_as(options, move, ways)


def _in_brief(chosen: Sequence[Option], say: Callable[[str], str]) -> str:
    """Return what was chosen, as far as these moves do not differ, and what that would do."""
    one, is_one = chosen[0], len(chosen) == 1
    differ = (at for at in range(1, len(one.parts)) if len(groups(chosen, at)) > 1)
    part = one.part(next(differ, len(one.parts)) - 1)
    label, _, does = " ".join(text_of(part.label).split()).partition(": ")
    details = [text_of(one.note), f"{part.note[:1].lower()}{part.note[1:].rstrip('.')}"]
    brings = [does, score_of(chosen), *details * (is_one and not one.form)]
    what = say(one.move) if is_one else label
    told = f"{what[0].upper()}{what[1:]}", ", ".join(filter(None, brings))
    return ": ".join(filter(None, told))


def _meanwhile(replay: Replay) -> str:
    """Return what others decided since the last move of who decides now, without its price."""
    seat, players = replay.state.seat, replay.config.players
    others = {*players} - {players[seat]}
    return " ".join(
        joined(
            one._replace(text=_PRICE.sub(".", one.text))
            for turn in news(replay, seat)
            for one in turn.short
            if one.who in others and one.weight > SEEN
        )
    )


def _place(replay: Replay, lesson: Mapping[str, Any]) -> Guide:
    """Return where a game is in its lesson; nowhere if it has left it, or is past it."""
    standing = (step for step in replay.steps if not step.undone and step.takes_back is None)
    by_people = (step for step in standing if step.seat not in replay.bot_seats)
    played = [replay.game.format_move(one.move, one.before) for one in _decided(replay, by_people)]
    before = ""
    for step in lesson["steps"]:
        made, played = played[: len(step["moves"])], played[len(step["moves"]) :]
        others = step.get("or", {})
        if made != step["moves"][: len(made)] and made[0] not in others:
            return Guide()
        if len(made) < len(step["moves"]):
            begin = lesson.get("begin", "") if step is lesson["steps"][0] else ""
            past = "" if made else flowing(f"{before} {_meanwhile(replay)}")
            says = (past, flowing(f"{begin} {step['before']}"))
            left, why = step["moves"][len(made) :], flowing(step.get("why", ""))
            finds = step.get("find", False)
            return Guide((*filter(None, says),), (*left,), (*others,), why, finds)
        before = others.get(made[0], step["after"])
    ends = (*map(flowing, (before, *lesson["end"])),)
    is_past = played or f"# {FINISHED}" in replay.record.human
    return Guide() if is_past else Guide(ends, is_done=True)
