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

from porto_cli.cli.rules import with_labels
from porto_cli.cli.wording import as_said
from porto_cli.core import enumerated, flowing
from porto_cli.games import GAMES
from porto_cli.installed import is_lesson, lessons_of
from porto_cli.match.match import Match
from porto_cli.match.replay import Decision, Replay, decisions
from porto_cli.pages import news
from porto_cli.scene import joined
from porto_cli.seam import SEEN, Step
from porto_cli.term import BOLD, Line, Screen, text_of
from porto_cli.words import Option, groups, score_of

ENDED = "The lesson was ended here."
"""The comment in a record whose lesson was ended before its last step."""
FINISHED = "The lesson was finished here."
"""The comment in one that goes on after its last step: an undo of that leads into it again."""
_IN_A_MENU = "Just press Enter until it is done. (The key - ends the lesson.)"
_IN_A_FORM = "That is filled in: press Enter. (Esc, then the key -, ends the lesson.)"
"""How to follow a lesson, or to leave it: in a form the minus takes a colonist away."""


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

    def again(self, replay: Replay, chosen: Sequence[Option] = (), move: str = "") -> str:
        """Return what the lesson wants, and why, to a player who asks for a hint or has ``chosen``
        one of other moves, or such a ``move``, which is named: in short, so that the table stays as
        it is. Enter alone leads there now, see :attr:`Asker.taught`.
        """
        options = replay.game.words.options(replay.state, replay.state.seat, asking=True)
        say = as_said(replay, options)
        chosen = chosen or [one for one in options if one.can_be(move)][:1]
        named = _in_brief(chosen, say(move or chosen[0].move)) if chosen else ""
        other = f"{named}? Another time. " if named else ""
        enter = _IN_A_FORM if options[0].form else _IN_A_MENU
        ways = [say(one).split() for one in (*self.expected[:1], *self.others)]
        same = [at[0] for at in takewhile(lambda at: len({*at}) == 1, zip(*ways, strict=False))]
        ends = enumerated((" ".join(way[len(same) :]) for way in ways), "or")
        return f"{other}In this lesson, {' '.join((*same, ends)).strip()}. {self.why} {enter}"

    def leads_to(self, options: Iterable[Option]) -> bool:
        """Return whether one of these options can be a move that is expected."""
        welcome = (*self.expected[:1], *self.others)
        return any(any(map(one.can_be, welcome)) for one in options)

    def other_than(self, match: Match, seat: int, moves: Sequence[Any]) -> str:
        """Return the first of these moves if they do not begin with what is expected; a turn that
        is played again may go on beyond it.

        Raises InvalidMoveError.
        """
        player = match.players[seat]
        made = [
            match.text(match.move(one, player) if isinstance(one, str) else one)
            for one in moves[: len(self.expected)]
        ]
        is_other = tuple(made) != self.expected[: len(made)] and made[0] not in self.others
        return made[0] if is_other else ""


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


def _in_brief(chosen: Sequence[Option], said: str) -> str:
    """Return what was chosen, ``said`` if it is one move, and what that would do."""
    one, is_one = chosen[0], len(chosen) == 1
    differ = (at for at in range(1, len(one.parts)) if len(groups(chosen, at)) > 1)
    part = one.part(next(differ, len(one.parts)) - 1)
    label, *cells = re.split(r": |  +", text_of(part.label).strip())
    untold = [one for one in cells if one not in said]
    does = ", ".join(filter(None, [*untold, score_of(chosen), text_of(one.note) * is_one]))
    what = said if is_one else label
    return f"{what[0].upper()}{what[1:]}{f' ({does})' if does and not one.form else ''}"


def _meanwhile(replay: Replay) -> str:
    """Return what others decided since the last move of who decides now, without its price."""
    new = (one for turn in news(replay, replay.state.seat) for one in turn.short)
    told = joined(one for one in new if one.weight > SEEN and one.who in replay.config.players)
    return re.sub(r" (for|with) .*?(?=[.,]| and )", "", " ".join(told))


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
            left, why = (*step["moves"][len(made) :],), flowing(step.get("why", ""))
            return Guide((*filter(None, says),), left, (*others,), why, step.get("find", False))
        before = others.get(made[0], step["after"])
    ends = (*map(flowing, (before, *lesson["end"])),)
    is_past = played or f"# {FINISHED}" in replay.record.human
    return Guide() if is_past else Guide(ends, is_done=True)
