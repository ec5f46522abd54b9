"""Learning a game: how to play it, on one screen, and a guided first game that one can leave.

Both are data of the game (``lessons.toml``, see docs/adding-a-game.md); a game without has neither.
A game follows the lesson as long as it has its deal and the moves that the lesson expects, and its
record has no comment that the lesson was ended. That is all there is to know, so a lesson goes on
when its record is opened again, and one that was ended does not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from porto_cli.core.message import flowing
from porto_cli.games import GAMES
from porto_cli.installed import lessons_of
from porto_cli.match.match import Match
from porto_cli.match.replay import Replay, decisions
from porto_cli.term.screen import Screen
from porto_cli.term.spans import BOLD, Line, wrapped

ENDED = "The lesson was ended here."
"""The comment in a record whose lesson was ended before its last step."""
NEXT = "Enter alone chooses what the lesson asks for."
"""What is said to who asks for a hint."""
OTHER = (
    "The lesson asks for another move, which Enter alone chooses. To play as you like, first "
    "choose -, which ends the lesson."
)
"""What is said to who chooses another move than the one expected."""


def is_lesson(game: str, seed: object) -> bool:
    """Return whether a game with this seed is a lesson: its deal is known, and so is its play."""
    lesson = lessons_of(game).get("lesson")
    return lesson is not None and seed == lesson["seed"]


def games_taught(what: str) -> list[str]:
    """Return the games that have a table in their lessons: ``how_to_play``, or ``lesson``."""
    return [game for game in GAMES if what in lessons_of(game)]


def how_to_play(game: str, screen: Screen) -> list[Line]:
    """Return what somebody has to know who plays a game for the first time."""
    lines: list[Line] = []
    for label, text in lessons_of(game)["how_to_play"].items():
        first = [(f"{label[0].upper()}{label[1:]}  ", BOLD)]
        lines += wrapped(flowing(text), screen.width - 1, first=first, indent=2)
    return [[(f"How to play {GAMES[game].title}", BOLD)], *lines]


class Guide(NamedTuple):
    """Where a game is in its lesson: what is said now, and the moves that are expected next; none
    once the lesson is over, and neither where there is no lesson.
    """

    says: tuple[str, ...] = ()
    expected: tuple[str, ...] = ()

    def is_other_than(self, match: Match, seat: int, moves: Sequence[Any]) -> bool:
        """Return whether these moves do not begin with what is expected; a turn that is played
        again may go on beyond it.

        Raises InvalidMoveError.
        """
        player = match.players[seat]
        made = [
            match.text(match.move(one, player) if isinstance(one, str) else one)
            for one in moves[: len(self.expected)]
        ]
        return tuple(made) != self.expected[: len(made)]


def guide_of(replay: Replay, *, is_first: bool = False) -> Guide:
    """Return what is said in a game besides its table: where it is in its lesson, or what its phase
    is about when that comes for the first time; more of it if this ``is_first`` of all games.
    """
    lessons = lessons_of(replay.game.meta.id)
    if is_lesson(replay.game.meta.id, replay.record.seed):
        if f"# {ENDED}" not in replay.record.human:
            return _place(replay, lessons["lesson"])
    phase, secrets = replay.state.phase, replay.game.secrets
    with_secrets = secrets is not None and secrets.there_are(replay.state)
    meant = {"first": True, "first_with_secrets": with_secrets, "first_evening": is_first}
    says = [lessons.get(table, {}).get(phase, "") for table, there in meant.items() if there]
    if any(says) and not _has_been(replay, phase):
        return Guide((*map(flowing, filter(None, says)),))
    return Guide()


def _has_been(replay: Replay, phase: str) -> bool:
    """Return whether people decided something in a phase before, also in the middle of a turn."""
    return any(
        one.before.phase == phase
        for step in replay.steps
        if step.seat not in replay.bot_seats
        for one in decisions(replay, step)
    )


def _place(replay: Replay, lesson: Mapping[str, Any]) -> Guide:
    """Return where a game is in its lesson; nowhere if it has left it, or is past it."""
    played = [
        replay.game.format_move(one.move, one.before)
        for step in replay.steps
        if not step.undone and step.takes_back is None and step.seat not in replay.bot_seats
        for one in decisions(replay, step)
    ]
    before = ""
    for step in lesson["steps"]:
        made, played = played[: len(step["moves"])], played[len(step["moves"]) :]
        if made != step["moves"][: len(made)]:
            return Guide()
        if len(made) < len(step["moves"]):
            says = [before] * (not made) + [step["before"]]
            return Guide((*map(flowing, filter(None, says)),), (*step["moves"][len(made) :],))
        before = step["after"]
    return Guide() if played else Guide((flowing(before), flowing(lesson["end"])))
