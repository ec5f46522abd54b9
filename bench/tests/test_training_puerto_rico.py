"""The networks of Puerto Rico's players can be made again; here with so little time that they are
bad.
"""

from __future__ import annotations

import json
from random import Random

import pytest

from bench.training import __main__ as program
from bench.training import files
from bench.training.forms import entry_of_network, read_networks
from porto_cli.games.puerto_rico import players
from porto_cli.games.puerto_rico.engine import PLACES
from porto_cli.games.puerto_rico.players import OWN, SHARED, chances
from porto_cli.games.puerto_rico.players.appraisal import PRICES
from tests.puerto_rico.tables import play, table
from tests.shares import one_in


def shipped() -> dict:
    return json.loads(players.FILE.read_text("utf-8"))


def needs_numpy():
    """The modules that learn, if NumPy is there; otherwise the test is skipped."""
    pytest.importorskip("numpy")
    from bench.training import network, rounds, self_play

    return network, rounds, self_play


def test_what_is_written_is_read_again() -> None:
    assert files.text_of(shipped()) == players.FILE.read_text("utf-8")
    network = read_networks(players.FILE.read_text("utf-8"))["3"]
    again = read_networks(files.text_of({"3": entry_of_network(network, [{"step": "x"}])}))["3"]
    state = table(players=3, a={"full": "wharf"})
    assert chances(state, again) == chances(state, network)
    assert again.prices == network.prices


# --- learning ---------------------------------------------------------------------------------


def test_the_network_of_numpy_is_that_of_the_program() -> None:
    network, _, _ = needs_numpy()
    import numpy as np

    weights = network.beginning(4, np.random.default_rng(1))
    weights["doubt"] = np.array([0.5, 1.5])
    state = table(players=3, a={"full": "wharf", "goods": "corn 4"}, b={"doubloons": 7})
    shared, rows = players.features(state)
    _, doubt, leads = network.forward(weights, np.array([shared]), np.array([rows]))
    found, _ = network.losses(leads, doubt, np.full((1, 3), 1 / 3))
    assert chances(state, network.network(weights, PRICES)) == pytest.approx(
        found[0].tolist(), abs=2e-3
    )


def toy_games(count: int):
    """Games of two tables in which who has more doubloons wins by ten times as many VP."""
    _, _, self_play = needs_numpy()
    import numpy as np

    rng = np.random.default_rng(1)
    own = np.zeros((count, 2, len(OWN)))
    own[:, :, OWN.index("doubloons")] = rng.random((count // 2, 2)).repeat(2, axis=0)
    rich = own[:, :, OWN.index("doubloons")]
    won = (rich == rich.max(axis=1, keepdims=True)).astype(float)
    return self_play.Games(
        np.zeros((count, len(SHARED))),
        own,
        10 * rich,
        won,
        np.arange(count) // 2,
        np.zeros((count // 2, 2, len(self_play.SCALES))),
    )


def test_it_learns_who_wins() -> None:
    network, _, _ = needs_numpy()
    fit = network.Fit(units=2, epochs=30, batch=50, passes=1)
    games = toy_games(1000)
    weights, loss = network.learned(games, fit)
    assert loss < 0.3
    _, doubt, leads = network.forward(weights, games.shared, games.own)
    chance, _ = network.losses(leads, doubt, games.won)
    assert ((chance > 0.5) == (games.won > 0.5)).mean() > 0.95


def test_aims_are_what_comes_next() -> None:
    """All of it is kept: how the game ended. Nothing: what is expected at the next table."""
    network, _, _ = needs_numpy()
    import numpy as np

    games = toy_games(20)
    weights = network.beginning(2, np.random.default_rng(2))
    _, doubt, leads = network.forward(weights, games.shared, games.own)
    chance, _ = network.losses(leads, doubt, games.won)
    kept, expected = (network.smoothed(weights, games, keep) for keep in (1.0, 0.0))
    assert np.allclose(kept.won, games.won)
    assert np.allclose(kept.vps, games.vps - games.vps.mean(axis=1, keepdims=True))
    assert np.allclose(expected.won[0::2], chance[1::2])
    assert np.allclose(expected.vps[0::2], leads[1::2], atol=1e-5)
    assert np.allclose(expected.won[1::2], games.won[1::2])


@pytest.mark.parametrize("seats", one_in(2, [2, 3, 4, 5]))
def test_a_game_tells_who_won(seats: int) -> None:
    _, _, self_play = needs_numpy()
    found = self_play.game(seats, 0.5, None, "tells", 1)
    count = len(found.of)
    assert count > 20
    assert found.shared.shape == (count, len(SHARED))
    assert found.own.shape == (count, seats, len(OWN))
    assert found.off.shape == (1, seats, len(self_play.SCALES))
    assert (found.won.sum(axis=1) == 1).all()
    best = found.vps[0] == found.vps[0].max()
    assert set(found.won[0][~best]) <= {0}


def test_prices_move_to_where_they_win() -> None:
    """Who takes a doubloon for more, and the wharf for less, wins; nothing else matters."""
    needs_numpy()
    import numpy as np

    from bench.training.price_regression import improved

    games = toy_games(6000)
    names = (*players.PRICED, *PLACES)
    rng = np.random.default_rng(1)
    off = rng.normal(size=(3000, 2, len(names)))
    strength = off[:, :, names.index("doubloon")] - off[:, :, names.index("wharf")]
    strength += rng.normal(size=(3000, 2))
    vps = (30 + strength).repeat(2, axis=0)
    won = (vps == vps.max(axis=1, keepdims=True)).astype(float)
    found = improved(games._replace(vps=vps, won=won, off=off), PRICES)
    assert found.doubloon > 1.5 * PRICES.doubloon
    assert found.besides[PLACES.index("wharf")] < -3
    others = set(range(len(PLACES))) - {PLACES.index("wharf")}
    assert max(abs(found.besides[place]) for place in others) < 1
    even = games._replace(vps=np.full((6000, 2), 30.0), won=np.full((6000, 2), 0.5), off=off)
    assert improved(even, PRICES) == PRICES


def test_who_is_off_plays_by_other_prices() -> None:
    _, _, self_play = needs_numpy()
    off = [0.0] * len(self_play.SCALES)
    assert self_play.moved(PRICES, off) == PRICES
    off[players.PRICED.index("doubloon")] = off[len(players.PRICED) + PLACES.index("wharf")] = 1.0
    found = self_play.moved(PRICES, off)
    assert found.doubloon == pytest.approx(PRICES.doubloon * 1.35, abs=0.01)
    assert found.besides[PLACES.index("wharf")] == 1
    settling = play(table(players=3, a={"doubloons": 9}, to_move=0), "role builder").state
    off[len(players.PRICED) + PLACES.index("wharf")] = 20.0
    dear = self_play.choice(settling, Random(1), self_play.moved(PRICES, off), None)
    assert str(dear) == "build wharf"


TINY = ["--first", 6, "--games", 3, "--rounds", 2, "--deals", 2]


def run(*args: object) -> int:
    return program.main(["puerto-rico", *(str(arg) for arg in args)])


def test_one_command_makes_a_network_that_can_be_adopted(tmp_path, monkeypatch, capsys) -> None:
    needs_numpy()
    out, into = tmp_path / "mine.json", tmp_path / "value.json"
    assert run("--players", 2, "--out", out, "--seed", "s", *TINY) == 0
    assert "6 of 6 games" in capsys.readouterr().out
    entry = json.loads(out.read_text("utf-8"))["2"]
    assert entry["recipe"][0]["plan"]["first"] == 6
    found = chances(table(players=2), read_networks(out.read_text("utf-8"))["2"])
    assert sum(found) == pytest.approx(1)
    into.write_text(players.FILE.read_text("utf-8"), "utf-8")
    monkeypatch.setattr(players, "FILE", into)
    assert program.main(["adopt", "--game", "puerto-rico", str(out)]) == 0
    assert json.loads(into.read_text("utf-8"))["2"] == entry


def test_a_run_goes_on_from_a_network_that_there_is(tmp_path, capsys) -> None:
    """It plays no first round; and keeps how that network came about, even if it does not win."""
    needs_numpy()
    out = tmp_path / "mine.json"
    assert run("--players", 2, "--out", out, "--start", "shipped", *TINY) == 0
    assert "round 0" not in capsys.readouterr().out
    recipe = shipped()["2"]["recipe"]
    assert json.loads(out.read_text("utf-8"))["2"]["recipe"][: len(recipe)] == recipe
    wrong = tmp_path / "wrong.json"
    wrong.write_text("{}")
    assert run("--players", 2, "--out", out, "--start", wrong, *TINY) == 2
    assert "wrong.json" in capsys.readouterr().err


def test_the_same_command_goes_on_and_plays_nothing_again(tmp_path, monkeypatch) -> None:
    _, rounds, _ = needs_numpy()
    out = tmp_path / "mine.json"
    command = ["--players", 2, "--out", out, *TINY]
    assert run(*command) == 0
    before = out.read_text("utf-8")
    out.unlink()
    monkeypatch.setattr(rounds, "game", None)
    assert run(*command) == 0
    assert out.read_text("utf-8") == before


def test_a_run_is_not_continued_with_other_settings(tmp_path, capsys) -> None:
    needs_numpy()
    out = tmp_path / "mine.json"
    assert run("--players", 2, "--out", out, *TINY, "--rounds", 1) == 0
    assert run("--players", 2, "--out", out, *TINY, "--rounds", 1, "--seed", "other") == 2
    assert "'other'" in capsys.readouterr().err


def test_a_round_that_does_not_win_changes_nothing(tmp_path, monkeypatch) -> None:
    _, rounds, _ = needs_numpy()
    even = rounds.mean_of([0.5, 0.5])
    monkeypatch.setattr(rounds, "_won", lambda *args: even)
    for count in (1, 2):
        out = tmp_path / f"{count}.json"
        assert run("--players", 2, "--out", out, *TINY, "--rounds", count) == 0
    one, two = (
        json.loads((tmp_path / f"{count}.json").read_text("utf-8"))["2"] for count in (1, 2)
    )
    assert one["own"] == two["own"]


def test_a_round_that_has_only_learned_to_beat_itself_is_not_kept() -> None:
    _, rounds, _ = needs_numpy()
    mean = rounds.Mean
    assert rounds.clearly_less(mean(0.78, 0.06), mean(0.93, 0.05))
    assert not rounds.clearly_less(mean(0.85, 0.07), mean(0.93, 0.05))
