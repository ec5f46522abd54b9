"""Nobody is told what is hidden, in any game."""

from __future__ import annotations

import random

from porto_cli.game import State
from porto_cli.match.match import Match
from porto_cli.match.preview import preview
from porto_cli.testing.games import played
from porto_cli.testing.kinds import REGISTERED, Kind
from porto_cli.ui import ui_of

PREVIEWED = 6
"""Moves that are previewed at each place."""


def test_an_observation_does_not_depend_on_what_is_hidden(kind: Kind, seed: int) -> None:
    """Now, and in the turns that led there."""
    for ply, rnd in played(kind, seed).looked_at():
        steps = ply.before.turns()
        for seat in (None, *range(len(kind.names))):
            seen = ply.game.observe(ply.state, seat, steps)
            assert Match(ply.before).observe(seat) == seen
            other = otherwise(kind, ply.state, seat, rnd)
            others = [
                step._replace(
                    before=otherwise(kind, step.before, seat, rnd),
                    after=otherwise(kind, step.after, seat, rnd),
                )
                for step in steps[-5:]
            ]
            assert ply.game.observe(other, seat, [*steps[:-5], *others]) == seen


def test_a_glance_does_not_depend_on_what_is_hidden(kind: Kind, seed: int) -> None:
    """The scores in a list of games are those that the seat may know; at the end all are."""
    ui = ui_of(kind.game)
    for ply, rnd in played(kind, seed).looked_at():
        for seat in (None, *range(len(kind.names))):
            seen = ui.glance(ply.before, seat)
            other = ply.before._replace(state=otherwise(kind, ply.state, seat, rnd))
            assert ui.glance(other, seat) == seen
            assert len(seen.scores) == len(kind.names)
        outcome = ply.game.outcome(ply.after.state)
        if outcome:
            assert ui.glance(ply.after, None).scores == outcome.scores


def test_a_preview_does_not_depend_on_what_is_hidden(kind: Kind, seed: int) -> None:
    """The last moves of a game are looked at as well, which reveal what was kept secret."""
    for ply, rnd in played(kind, seed).looked_at():
        game, state, seat = ply.game, ply.state, ply.seat
        other = otherwise(kind, state, seat, rnd)
        listed = game.legal_moves(other, seat, 60)
        assert listed == game.legal_moves(state, seat, 60)
        for move in (ply.move, *rnd.sample(listed, min(PREVIEWED, len(listed)))):
            foreseen = preview(game, state, [move], seat)
            assert preview(game, other, [move], seat) == foreseen
            assert not any(map(game.is_hidden, foreseen.events))


def test_a_preview_foresees_what_can_be_foreseen(kind: Kind, seed: int) -> None:
    """It leaves out what comes up and what is revealed, and nothing else."""
    for ply, _ in played(kind, seed).looked_at():
        happened = []
        for event in ply.events:
            if ply.game.stops_foresight(event):
                break
            happened.append(event)
        foreseen = preview(ply.game, ply.state, [ply.move], ply.seat)
        assert list(foreseen.events) == [e for e in happened if not ply.game.is_hidden(e)]
        if foreseen.phase is not None:
            assert foreseen.phase == ply.after.state.phase
            names = ply.after.config.players
            assert foreseen.to_move == tuple(names[s] for s in ply.game.to_move(ply.after.state))


def otherwise(kind: Kind, state: State, seat: int | None, rnd: random.Random) -> State:
    """Return a table that differs in all that is hidden from a seat."""
    return REGISTERED[kind.game].otherwise(state, seat, rnd)
