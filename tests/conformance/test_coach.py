"""Coaches of any game: their answers follow from what the seat may know and from the seed."""

from __future__ import annotations

from math import isfinite
from random import Random

import pytest

from porto_cli.players.named import coach_of
from porto_cli.seam import OVER
from tests.conformance.games import every_kind, played
from tests.conformance.kinds import REGISTERED

FEW = {"width": 2, "samples": 3}


def coach_for(kind):
    coach = coach_of(kind.game)
    if coach is None:
        pytest.skip(f"{kind.game} has no coach")
    return coach


def asked(kind, seed):
    """Tables of a game, each with who is to move, and what else there is to do."""
    for ply, rnd in played(kind, seed).looked_at():
        if ply.state.phase != OVER and ply.seat in ply.game.to_move(ply.state):
            yield ply, rnd


@every_kind
def test_moves_are_judged_against_the_best_one(kind, seed):
    coach = coach_for(kind)
    for ply, rnd in asked(kind, seed):
        view = ply.game.view(ply.state, ply.seat)
        wanted = rnd.choice(ply.game.legal_moves(ply.state, ply.seat, 200))
        judged = coach.judge(view, Random(1), moves=[wanted], **FEW)
        if not judged:
            continue
        assert wanted in [one.move for one in judged]
        assert len({one.move for one in judged}) == len(judged) <= FEW["width"] + 1
        assert judged[0].behind == judged[0].error == 0
        behind = [one.behind for one in judged]
        assert behind == sorted(behind)
        for one in judged:
            assert not ply.game.violations(ply.state, one.move, ply.seat)
            assert isfinite(one.prospect.margin)
            assert 0 <= one.prospect.win <= 1
            assert one.error >= 0
            assert all(str(reason).strip() for reason in coach.merits(view, one.move).reasons)


@pytest.mark.long_for("puerto-rico-4p-buildings=random-rulebook=guide-0")
@every_kind
def test_a_coach_knows_no_more_than_the_seat(kind, seed):
    coach = coach_for(kind)
    for ply, rnd in asked(kind, seed):
        other = REGISTERED[kind.game].other_secrets(ply.state, ply.seat, rnd)
        view, hidden = (ply.game.view(state, ply.seat) for state in (ply.state, other))
        judged = coach.judge(view, Random(1), **FEW)
        assert coach.judge(hidden, Random(1), **FEW) == judged
        assert coach.prospect(hidden) == coach.prospect(view)
        for one in judged[:1]:
            assert coach.merits(hidden, one.move) == coach.merits(view, one.move)
            expected = coach.expected(view, one.move, Random(1), samples=3)
            assert coach.expected(hidden, one.move, Random(1), samples=3) == expected


@every_kind
def test_after_the_end_there_is_an_outcome_and_nothing_to_choose(kind, seed):
    coach = coach_for(kind)
    game, state = played(kind, seed).game, played(kind, seed).end.state
    if state.phase != OVER:
        return
    outcome = game.outcome(state)
    for seat, won in enumerate(outcome.won):
        view = game.view(state, seat)
        assert coach.prospect(view).win == won
        with pytest.raises(ValueError, match="no move"):
            coach.judge(view, Random(1))
