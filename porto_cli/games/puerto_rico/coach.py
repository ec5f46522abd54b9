"""The coach of Puerto Rico: plays on from moves as ``search`` does, and says where that leads.

It plays on for longer than ``search``, which knows what speaks for a move besides. Every move that
is judged is played on from equally often and with the same luck, so that what differs is the move.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from porto_cli.core.chance import Chance
from porto_cli.core.message import Sentence
from porto_cli.game import View
from porto_cli.games.puerto_rico.engine.generate import legal_moves
from porto_cli.games.puerto_rico.engine.moves import Choose, Move
from porto_cli.games.puerto_rico.engine.play import apply
from porto_cli.games.puerto_rico.engine.state import DRAFT_PHASE, OVER, State
from porto_cli.games.puerto_rico.players.priced import LISTED
from porto_cli.games.puerto_rico.players.prices import DRAFT
from porto_cli.games.puerto_rico.players.prospects import prospect_of, settled
from porto_cli.games.puerto_rico.players.search import promising, searching
from porto_cli.games.puerto_rico.reasons import reasons_of
from porto_cli.players import seat_of, seed_of
from porto_cli.players.coach import Coach, Judgment, Prospect
from porto_cli.players.trials import over_chances, tried

SPAN = 12
"""For so many roles is played on. Of 37 decisions what looked best after one role of each player
was 1.0 VP worse in whole games than what was best there, after so many roles 0.6 VP; with so few
that is a hint, not a proof."""
SAMPLES = {2: 600, 3: 450, 4: 340, 5: 280}
"""How often is played on in about a second, by the number of players."""


class PuertoRicoCoach:
    """Judges moves of Puerto Rico, see :class:`~porto_cli.players.coach.Coach`.

    Of placements of colonists, of which there can be millions, some few good ones are judged, and
    those that are given.
    """

    equal = 0.5

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
        """Judge the moves that look best, and those given.

        Without ``samples`` it plays on so often that it takes about a second. Buildings chosen for
        the game are there for everybody: they are taken to be equal.
        """
        state: State = view.table
        seat = seat_of(view)
        if state.phase == OVER or seat != state.seat:
            raise ValueError(f"The seat {seat} has no move to choose.")
        legal = legal_moves(state, seat, LISTED)
        if state.phase == DRAFT_PHASE:
            return _judge_choices(legal, moves, width, self.prospect(view))
        look = promising(view, legal, luck, width)
        judged = list(dict.fromkeys([*look, *moves]))
        ahead = replace(searching(state, 0), span=SPAN)
        leaf = ahead.leaves(view, judged, seed_of(luck))
        return tried(
            judged,
            lambda place, nth: prospect_of(leaf(place, nth), seat),
            samples=samples or SAMPLES[state.config.seats],
            seconds=seconds,
        )

    def prospect(self, view: View) -> Prospect:
        """Return at a glance how the game can be expected to end; at its end how it has ended.

        While a role is played it is looked at as if everybody did what looks best.
        """
        state: State = view.table
        seat = seat_of(view)
        return prospect_of(settled(state), seat)

    def expected(self, view: View, move: Move, luck: Random, *, samples: int = 50) -> Prospect:
        """Return the mean of :meth:`prospect` after a move, over what may come up behind it."""
        state: State = view.table
        seat = seat_of(view)

        def look(chance: Chance) -> tuple[Prospect, bool]:
            asked = _Asked(chance)
            after, _ = apply(state, move, asked)
            return prospect_of(settled(after), seat), asked.times > 0

        return over_chances(look, luck, samples)

    def reasons(self, view: View, move: Move) -> list[Sentence]:
        """Return why a move may be good or bad, the most important reason first."""
        seat_of(view)  # Who looks on is refused.
        return reasons_of(view.table, move)


COACH: Coach = PuertoRicoCoach()


class _Asked:
    """A chance that knows how often it was asked."""

    def __init__(self, chance: Chance) -> None:
        self.chance = chance
        self.times = 0

    def __call__(self, stream: str, index: int, pile: bytes, /) -> int:
        self.times += 1
        return self.chance(stream, index, pile)


def _judge_choices(
    legal: Sequence[Move], moves: Sequence[Move], width: int, prospect: Prospect
) -> list[Judgment]:
    """Return the choices of a building for the game, those first that programs use most."""

    def use(move: Move) -> int:
        return DRAFT.get(move.building, -1) if isinstance(move, Choose) else -1

    ordered = sorted(legal, key=use, reverse=True)
    judged = dict.fromkeys([*ordered[:width], *moves])
    return [Judgment(move, prospect, 0.0, 0.0) for move in sorted(judged, key=use, reverse=True)]
