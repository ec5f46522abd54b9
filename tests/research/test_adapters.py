"""Both adapters play the game of the record, hide what is hidden, and know who has won.

The tests of the libraries notice little of that.
"""

from __future__ import annotations

import sys
from importlib import import_module
from random import Random

import pytest

from porto_cli.core.chance import seeded_chance
from tests.research.drivers import DRIVERS
from tests.research.games import GAMES, NUMBERS, TABLES, Researched, Table
from tests.shares import one_in

every_adapter = pytest.mark.parametrize("adapter", DRIVERS)


@every_adapter
@pytest.mark.parametrize("table", one_in(2, TABLES), ids=str)
def test_a_game_is_that_of_the_record_with_its_seed(adapter: str, table: Table) -> None:
    """With all its moves and nothing else, to its end."""
    game, players, options = table
    played = DRIVERS[adapter](table, "tram")
    for state, move in game.plies(players, "tram", **options):
        assert not played.over
        assert played.node.table == state
        assert played.player == state.seat
        assert played.returns() == [0] * players
        before = played.node.table
        actions = game.tree.encode(move)
        while played.node.table is before and not played.over:
            assert played.legal() == played.node.legal
            played.play(actions[len(played.node.begun)])
        end = game.tree.game.apply(state, move, seeded_chance("tram"), state.seat)[0]
    assert played.over
    assert played.node.table == end
    places = game.tree.game.outcome(end).places
    assert [won > 0 for won in played.returns()] == [place == 1 for place in places]
    assert sum(played.returns()) == pytest.approx(0)


def look_at_secrets(adapter: str, table: Table) -> None:
    """Who looks sees the same, whatever the others hide."""
    game, players, _ = table
    shown, rng, played, differ = DRIVERS[adapter](table, "tram"), Random(1), 0, 0
    # Until everybody hides something.
    while played < 60 or any(p.vp == 0 for p in getattr(shown.node.table, "players", ())):
        shown.play(rng.choice(shown.legal()))
        played += 1
    node = shown.node
    for seat in range(players):
        shown.node = node
        seen = shown.seen(seat)
        shown.node = game.otherwise(node, seat, rng)
        differ += shown.node.table != node.table
        assert shown.seen(seat) == seen
    assert differ


@every_adapter
@pytest.mark.parametrize("table", NUMBERS, ids=str)
def test_what_others_hide_is_hidden(adapter: str, table: Table) -> None:
    if str(table) == "puerto-rico-2":
        pytest.skip("Of two players who knows the pool knows the chips of the other one.")
    look_at_secrets(adapter, table)


@every_adapter
@pytest.mark.parametrize("game", GAMES.values(), ids=str)
def test_the_test_of_what_is_hidden_notices_a_leak(adapter, game: Researched, monkeypatch) -> None:
    monkeypatch.setattr(game.tree, "observed", lambda node, seat: repr(node.table.contents()))
    with pytest.raises(AssertionError):
        look_at_secrets(adapter, Table(game, 3, {}))


@pytest.mark.parametrize(
    ("module", "missing"), [("openspiel", "pyspiel"), ("pettingzoo", "pettingzoo")]
)
def test_what_is_missing_is_said(module: str, missing: str, monkeypatch) -> None:
    name = f"porto_cli.research.{module}"
    monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(ModuleNotFoundError, match=r"is not installed; 'pip install \w+") as caught:
        import_module(name)
    assert caught.value.name == missing
