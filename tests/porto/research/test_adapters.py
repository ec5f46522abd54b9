"""Both adapters play the game of the record, hide what is hidden, and know who has won.

The tests of the libraries notice little of that: each check here is also shown to notice what it is
for, by changing it on purpose.
"""

from __future__ import annotations

import sys
from collections import Counter
from typing import Any

import pytest

import porto_cli
from porto_cli.game import Outcome, View
from porto_cli.games.porto.game import Porto
from porto_cli.games.porto.research import tree
from porto_cli.research import ListedMoves, TreeNode
from tests.conftest import ROOT
from tests.porto.research import checks
from tests.porto.research.drivers import DRIVERS, Driver

every_adapter = pytest.mark.parametrize("adapter", DRIVERS)
every_number = pytest.mark.parametrize("players", [2, 3, 4])


@every_adapter
@every_number
def test_a_game_is_that_of_the_record_with_its_seed(adapter: str, players: int) -> None:
    checks.same_game(DRIVERS[adapter], players, "tram")


@every_adapter
@every_number
def test_private_contracts_of_others_are_hidden(adapter: str, players: int) -> None:
    for seed in ("tram", "foz"):
        checks.nothing_leaks(DRIVERS[adapter], players, seed)


@every_adapter
@every_number
@pytest.mark.parametrize("seat_first", [False, True])
def test_who_wins_is_first(adapter: str, players: int, seat_first: bool) -> None:
    for seed in ("tram", "foz"):
        checks.winner_wins(DRIVERS[adapter], players, seed, seat_first)


@every_adapter
@pytest.mark.parametrize("name", ["two-players", "three-players", "four-players-seat-first"])
def test_a_record_is_played_to_its_end(adapter: str, name: str) -> None:
    match = porto_cli.load(ROOT / "records" / "porto" / f"{name}.yaml")
    config = match.record.config
    game: Driver = DRIVERS[adapter](
        config.seats,
        match.record.seed,
        private_contracts=config.private_contracts,
        seat_first=config.seat_first,
    )
    for node, action in tree.line_of(match.replay):
        if node.pile is None:
            assert game.table == node.table
            assert action in game.legal()
            game.play(action)
    assert game.over
    assert game.table == match.state
    places = match.game.outcome(match.state).places
    assert [won == 1 for won in game.returns()] == [place == 1 for place in places]


def peeking(game: Any, state: Any, seat: Any) -> View:
    """Return what the game's ``view`` does when it hides nothing."""
    return View(seat, state)


def fewer(following: Any) -> Any:
    """Leave out the last build where there are several."""

    def fewer_following(listed: Any, begun: tuple[int, ...]) -> list[int]:
        found: list[int] = following(listed, begun)
        builds = [action for action in found if action in tree.kinds[-1].actions]
        return found[:-1] if len(builds) > 1 else found

    return fewer_following


def first_and_last_swapped(outcome: Any) -> Any:
    def swapped(self: Porto, state: Any) -> Outcome | None:
        found = outcome(self, state)
        if found is None:
            return None
        last = len(found.places)
        other = {1: last, last: 1}
        places = tuple(other.get(place, place) for place in found.places)
        return found._replace(places=places)

    return swapped


class TestEachCheckNoticesWhatItIsFor:
    @every_adapter
    def test_contracts_that_leak(self, adapter: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(Porto, "view", peeking)
        with pytest.raises(AssertionError):
            checks.nothing_leaks(DRIVERS[adapter], 3, "tram")

    def test_contracts_that_leak_through_what_is_remembered(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
        monkeypatch.setattr(tree, "owner", lambda node: None)
        with pytest.raises(AssertionError):
            checks.nothing_leaks(DRIVERS["openspiel"], 3, "tram")

    @every_adapter
    def test_builds_that_are_missing(self, adapter: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(ListedMoves, "following", fewer(ListedMoves.following))
        with pytest.raises(AssertionError):
            checks.same_game(DRIVERS[adapter], 2, "tram")

    @every_adapter
    def test_a_winner_that_is_another(self, adapter: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(Porto, "outcome", first_and_last_swapped(Porto.outcome))
        with pytest.raises(AssertionError):
            checks.winner_wins(DRIVERS[adapter], 3, "tram")

    @every_adapter
    def test_chances_that_are_wrong(self, adapter: str, monkeypatch: pytest.MonkeyPatch) -> None:
        """Every kind of card as likely: a pile with one of each in the place of the pile."""
        check = checks.same_game if adapter == "pettingzoo" else likely
        turned_up = tree.by_seed

        def by_seed(seed: str) -> Any:
            chance = turned_up(seed)
            return lambda stream, index, pile: pile.index(
                (kinds := sorted(set(pile)))[chance(stream, index, bytes(kinds))]
            )

        def outcomes(node: TreeNode) -> list[tuple[int, float]]:
            kinds = sorted(set(node.pile.things)) if node.pile else []
            return [(kind, 1 / len(kinds)) for kind in kinds]

        monkeypatch.setattr(tree, "by_seed", by_seed)
        monkeypatch.setattr(tree, "outcomes", outcomes)
        with pytest.raises(AssertionError):
            check(DRIVERS[adapter], 2, "tram")


def likely(make: Any, players: int, seed: str) -> None:
    """Each outcome is as likely as its share of the pile, of which the box says what is in it."""
    state = make(players, seed).game.new_initial_state()
    tokens = Counter({1: 5, 2: 4, 3: 3, 4: 2})
    while state.node.pile.stream == "tokens":
        assert dict(state.chance_outcomes()) == {
            value: pytest.approx(count / tokens.total()) for value, count in tokens.items() if count
        }
        action = state.chance_outcomes()[-1][0]
        state.apply_action(action)
        tokens[action] -= 1
    cards = Counter({card: (4, 4, 2)[card % 3] for card in range(15)})
    assert dict(state.chance_outcomes()) == {
        card: pytest.approx(count / cards.total()) for card, count in cards.items()
    }


def test_openspiel_knows_how_likely_what_comes_up_is() -> None:
    likely(DRIVERS["openspiel"], 2, "tram")


@pytest.mark.parametrize(
    ("module", "missing"), [("openspiel", "pyspiel"), ("pettingzoo", "pettingzoo")]
)
def test_what_is_missing_is_said(
    module: str, missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from importlib import import_module

    name = f"porto_cli.research.{module}"
    monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(ModuleNotFoundError, match=r"is not installed; 'pip install \w+") as caught:
        import_module(name)
    assert caught.value.name == missing
