"""Random games of every kind: whatever is legal keeps the table whole.

What is listed, what is refused and what a move's text is are laws of every game
(:mod:`porto_cli.testing.laws`).

A failure names the kind of game and the seed; ``plies(kind, Random(seed))`` plays it again.
"""

from __future__ import annotations

import random
from operator import is_

import pytest

from porto_cli.games.puerto_rico.engine import (
    BIT,
    BUILDING_PLACES,
    CITY_SPACES,
    FOREST,
    GOODS,
    ISLAND_SPACES,
    NO_GOOD,
    QUARRY,
    counts_of,
)
from porto_cli.games.puerto_rico.engine.effects import final_scores
from porto_cli.games.puerto_rico.engine.moves import (
    PASS,
    Choose,
    Earned,
    Ended,
    LoadSmallWharf,
    MoveGuest,
    Scored,
    Store,
    TakeRole,
)
from porto_cli.games.puerto_rico.engine.play import (
    apply,
    count_moves,
    forced_move,
)
from porto_cli.games.puerto_rico.engine.state import OVER, PHASES, ROLE_PHASE, State
from porto_cli.games.puerto_rico.game import PUERTO_RICO
from porto_cli.games.puerto_rico.notation import format_move
from porto_cli.games.puerto_rico.view import view
from tests.puerto_rico.playing import KINDS, Ply, plies
from tests.shares import one_in

MOST_ROUNDS = 45
GAMES = 1
"""Games of each kind."""


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: "-".join(map(str, kind)))
def test_many_random_games(kind):
    for seed in range(GAMES, 8):
        test_a_random_game(kind, seed)


@pytest.mark.parametrize("seed", range(GAMES))
@pytest.mark.parametrize("kind", one_in(25, KINDS), ids=lambda kind: "-".join(map(str, kind)))
def test_a_random_game(kind, seed):
    rnd = random.Random(seed)
    ended = False
    for ply in plies(kind, rnd):
        look(ply)
        ended = type(ply.events[-1]) is Ended
        last = ply.after
    assert ended
    assert last.phase == OVER
    assert last.end_triggered
    assert last.round <= MOST_ROUNDS
    outcome = PUERTO_RICO.outcome(last)
    assert outcome is not None
    assert outcome.scores == tuple(one.total for one in final_scores(last))


def look(ply: Ply) -> None:
    """Everything that holds at any ply."""
    before, after = ply.before, ply.after
    assert before.phase in PHASES
    whole(after)
    follows(ply)
    if after.phase not in (OVER, ROLE_PHASE):
        assert count_moves(after) > 1
        assert forced_move(after) is None
    nothing_hidden_is_shown(after)


def whole(state: State) -> None:
    """Nothing is lost, and nothing comes from nowhere."""
    config = state.config
    players = state.players
    colonists = state.supply + state.ship + sum(player.people for player in players)
    assert colonists == config.box.colonists + config.box.ship
    barrels = bytearray(state.goods_supply)
    for player in players:
        for good, number in enumerate(player.goods):
            barrels[good] += number
    for good, number in zip(state.cargo_goods, state.cargo_barrels, strict=True):
        assert (good == NO_GOOD) == (number == 0)
        if number:
            barrels[good] += number
    for good in state.trading_house:
        barrels[good] += 1
    assert bytes(barrels) == config.barrels
    tiles = list(map(sum, zip(counts_of(state.stack), state.row, state.discards, strict=True)))
    quarries = state.quarries
    for player in players:
        quarries += player.island[QUARRY]
        for tile in range(len(GOODS)):
            tiles[tile] += player.island[tile] + player.island[FOREST + tile]
    assert bytes(tiles) == config.plantations
    assert quarries == config.quarries
    assert state.stack == bytes(sorted(state.stack, key=GOODS.__getitem__))
    assert state.vp_pool == max(0, config.box.vp - sum(player.vp for player in players))
    for place in BUILDING_PLACES:
        owned = sum(1 for player in players if player.city & BIT[place])
        assert state.copies[place] + owned in (0, config.copies[place])
        assert bool(state.on_offer & BIT[place]) == bool(state.copies[place])
    for player in players:
        assert player.doubloons >= 0
        assert player.vp >= 0
        assert 0 <= player.island_spaces <= ISLAND_SPACES
        assert 0 <= player.city_spaces <= CITY_SPACES
        assert all(map(int.__le__, player.colonists, player.circles))
        fresh = player.copy()
        fresh.survey()
        assert fresh == player
    carried = [good for good in state.cargo_goods if good != NO_GOOD]
    assert len(set(carried)) == len(carried)


def follows(ply: Ply) -> None:
    """The events tell what changed, and which moves made themselves."""
    seats = range(ply.before.config.seats)
    for seat in seats:
        vp = sum(e.vp for e in ply.events if isinstance(e, Scored) and e.seat == seat)
        paid = sum(e.doubloons for e in ply.events if isinstance(e, Earned) and e.seat == seat)
        one, other = ply.before.players[seat], ply.after.players[seat]
        assert other.vp - one.vp == vp
        assert other.doubloons - one.doubloons == paid
    assert not ply.events[0].auto
    autos = [event.auto for event in ply.events]
    assert autos == sorted(autos)
    entries = PUERTO_RICO.chance_entries(ply.before, ply.events)
    keys = [key for key, _ in entries]
    assert keys in ([], ["tile"], ["tiles"], ["tile", "tiles"])
    drawn = ply.after.tiles_drawn - ply.before.tiles_drawn
    assert bool(drawn) == bool(entries)


def nothing_hidden_is_shown(state: State) -> None:
    for seat in (None, *range(state.config.seats)):
        seen = view(state, seat)
        vp = [player["vp"] for player in seen["players"]]
        if state.phase == OVER:
            assert vp == [player.vp for player in state.players]
        else:
            assert [other for other, chips in enumerate(vp) if chips is not None] == (
                [] if seat is None else [seat]
            )
        assert seen["vp_pool"] == state.vp_pool


# -- states as values


def test_a_copy_has_players_of_its_own():
    state = next(plies((3, "base", "printed"), random.Random(1))).after
    copy = state.copy()
    assert copy == state
    assert copy.turn == state.turn
    assert not any(map(is_, copy.players, state.players))
    assert copy.players is not state.players


# -- moves as values


def test_what_is_no_move_has_no_text():
    for thing in (None, "pass", ("load", 1, 5), Ended()):
        with pytest.raises(TypeError, match="is not a move"):
            format_move(thing)


def test_a_move_of_another_phase_or_seat_is_a_value_error():
    ply = next(plies((3, "base", "printed"), random.Random(1)))
    with pytest.raises(ValueError, match="phase role"):
        apply(ply.before, PASS, lambda *_: 0)
    with pytest.raises(ValueError, match="seat 2"):
        apply(ply.before, TakeRole(0), lambda *_: 0, seat=2)


def test_moves_of_the_same_facts_are_different_moves_if_their_kinds_differ():
    alike = [LoadSmallWharf(bytes(5)), Store(bytes(5)), MoveGuest(1), Choose(1), TakeRole(1)]
    assert len({*alike, *alike}) == len(alike)
    assert MoveGuest(1) not in [Choose(1), (1,), 1]
    assert PASS
    assert PASS != ()
