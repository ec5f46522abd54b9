"""Programs that play know no more than their seat, in any game."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from porto_cli.game import OVER, Move, Observation, View
from porto_cli.players import Observer, choose
from porto_cli.players.named import players_of
from porto_cli.testing.games import played
from porto_cli.testing.kinds import REGISTERED, Kind

LISTED = 200
"""Moves that players choose among; longer lists are cut short."""


def test_a_view_has_nothing_that_is_hidden(kind: Kind, seed: int) -> None:
    """Not even where nobody looks: the whole value is the same whatever the others hide."""
    changed = 0
    for ply, rnd in played(kind, seed).looked_at():
        for seat in (None, *range(len(kind.names))):
            other = REGISTERED[kind.game].other_secrets(ply.state, seat, rnd)
            changed += other != ply.state
            view = ply.game.view(ply.state, seat)
            assert ply.game.view(other, seat) == view
    secrets = any(
        REGISTERED[kind.game].other_secrets(ply.state, None, rnd) != ply.state
        for ply, rnd in played(kind, seed).looked_at()
    )
    assert bool(changed) == secrets


def test_what_is_dealt_anew_could_be_true(kind: Kind, seed: int) -> None:
    """It looks the same from the seat, and the seat has the same moves."""
    for ply, rnd in played(kind, seed).looked_at():
        for seat in range(len(kind.names)):
            view = ply.game.view(ply.state, seat)
            luck = Random(rnd.random())
            state = ply.game.resample(view, luck)
            assert ply.game.view(state, seat) == view
            assert ply.game.to_move(state) == ply.game.to_move(ply.state)
            assert ply.game.observe(state, seat) == ply.game.observe(ply.state, seat)
            legal = ply.game.legal_moves(ply.state, seat, LISTED)
            assert ply.game.legal_moves(state, seat, LISTED) == legal


def test_a_table_dealt_anew_can_be_played_to_its_end(kind: Kind, seed: int) -> None:
    game = played(kind, seed).game
    for ply, rnd in played(kind, seed).looked_at():
        luck = Random(rnd.random())
        state = game.resample(game.view(ply.state, ply.seat), luck)
        for _ in range(400):
            if state.phase == OVER:
                break
            seat = game.to_move(state)[0]
            move = rnd.choice(game.legal_moves(state, seat, LISTED))
            state, _ = game.apply(state, move, lambda stream, index, pile: 0, seat)
        assert state.phase == OVER or kind.endless


def test_what_is_hidden_makes_no_difference_to_a_choice(kind: Kind, seed: int) -> None:
    players = REGISTERED[kind.game].players()
    assert players.keys() == players_of(kind.game).keys()
    for ply, rnd in played(kind, seed).looked_at():
        other = REGISTERED[kind.game].other_secrets(ply.state, ply.seat, rnd)
        legal = ply.game.legal_moves(ply.state, ply.seat, LISTED)
        for player in dict.fromkeys(players.values()):  # Some have two names.
            view, hidden = (ply.game.view(state, ply.seat) for state in (ply.state, other))
            move = player(view, legal, Random(1))
            # Of a list that was cut short a player may know better moves.
            assert move in legal or len(legal) == LISTED
            assert not ply.game.violations(ply.state, move, ply.seat)
            assert ply.game.canonical_move(ply.state, move) == move
            assert player(hidden, legal, Random(1)) == move


def test_the_moves_to_choose_among_are_all_that_are_legal(kind: Kind, seed: int) -> None:
    for ply, _ in played(kind, seed).looked_at():
        if len(ply.game.legal_moves(ply.state, ply.seat, LISTED)) < LISTED:
            given: list[Move] = []

            def first(view: View, moves: Sequence[Move], luck: Random) -> Move:
                given.extend(moves)  # noqa: B023 - called before the next turn of the loop
                return moves[0]

            choose(first, ply.game, ply.state, ply.seat, Random(1))
            assert given == ply.game.legal_moves(ply.state, ply.seat)


def test_a_view_shows_what_the_table_shows(kind: Kind, seed: int) -> None:
    """So that a player can look at it with the eyes of a person."""
    for ply, _ in played(kind, seed).looked_at():
        for seat in range(len(kind.names)):
            view = ply.game.view(ply.state, seat)
            assert ply.game.observe(view.table, seat) == ply.game.observe(ply.state, seat)
            legal = ply.game.legal_moves(ply.state, seat, LISTED)
            assert ply.game.legal_moves(view.table, seat, LISTED) == legal


def test_a_player_can_be_written_with_observations_and_texts(kind: Kind, seed: int) -> None:
    for ply, rnd in played(kind, seed).looked_at():
        legal = ply.game.legal_moves(ply.state, ply.seat, LISTED)
        wanted = rnd.choice(legal)
        seen: list[Observation] = []
        text = ply.game.format_move(wanted, ply.state)

        def named(one: Observation) -> str:
            seen.append(one)  # noqa: B023 - called before the next turn of the loop
            return text  # noqa: B023

        observer = Observer(kind.game, named)
        view = ply.game.view(ply.state, ply.seat)
        assert observer(view, legal, Random(1)) == wanted
        assert seen == [ply.game.observe(ply.state, ply.seat)]
