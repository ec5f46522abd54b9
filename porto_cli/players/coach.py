"""What a game can say about moves before and after they are made: for hints, and to look back.

A coach sees what the player sees who is asked for, never the table: it cannot tell what others
hide, nor what will come up. Each game that has one has it as ``Game.coach``.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from porto_cli.core.message import Sentence
from porto_cli.game import Move, View, game_of

if TYPE_CHECKING:
    from typing import Protocol
else:
    Protocol = object


class Prospect(NamedTuple):
    """How a game can be expected to end for one player.

    ``margin``  VP ahead of the others; of a game played alone, VP above those that win it
    ``win``     the chance to win, 0 to 1
    """

    margin: float
    win: float


class Judgment(NamedTuple):
    """What a move can be expected to lead to.

    ``behind``  how many VP of margin it is worse than the best of the moves judged with it, 0 for
                the best one
    ``error``   the standard error of ``behind``, in VP: both were tried with the same luck
    """

    move: Move
    prospect: Prospect
    behind: float
    error: float


class InterruptedThoughtError(KeyboardInterrupt):
    """Ctrl-C while moves were judged, and how they were judged until then."""

    def __init__(self, so_far: list[Judgment]) -> None:
        super().__init__()
        self.so_far = so_far


class Coach(Protocol):
    """Somebody who judges moves of one game."""

    equal: float
    """Moves are about equal that are no more VP than that behind."""

    def judge(
        self,
        view: View,
        luck: Random,
        *,
        moves: Sequence[Move] = (),
        width: int = 8,
        samples: int | None = None,
        seconds: float | None = None,
    ) -> list[Judgment]:
        """Judge the ``width`` moves that look best and those given; the best one comes first.

        The player whose view it is has to be to move. ``samples`` says how often is played on in
        all, without it so often that it takes about a second; with ``seconds`` that goes on for so
        long instead. Of the source of luck only ``random()`` is used. Ctrl-C may raise
        InterruptedThoughtError. Raises ValueError where there is nothing to choose: the game is
        over, or the seat is not to move. The answer is empty where it is not known what there is to
        choose.
        """

    def prospect(self, view: View) -> Prospect:
        """Return at a glance how the game can be expected to end for who looks."""

    def expected(self, view: View, move: Move, luck: Random, *, samples: int = 50) -> Prospect:
        """Return the mean of :meth:`prospect` after a move, over what may come up behind it.

        What then does come up was luck as far as the prospect differs from that.
        """

    def reasons(self, view: View, move: Move) -> list[Sentence]:
        """Return why a move may be good or bad, the most important reason first: what it scores
        now, what it keeps, and what it leaves to the others.
        """


def coach_of(game_id: str) -> Coach | None:
    """Return who judges moves of a game; ``None`` if nobody does."""
    return game_of(game_id).coach
