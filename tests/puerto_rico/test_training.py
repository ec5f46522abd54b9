"""The weights of `search` can be made again; here with so little time that they are bad."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from bench.training import __main__ as program
from bench.training import files
from porto_cli.games.puerto_rico.game import PUERTO_RICO
from porto_cli.games.puerto_rico.players import search
from porto_cli.games.puerto_rico.players.search import (
    BASES,
    FILE,
    NAMES,
    PLAYERS,
    entry_of,
    read_weights,
    weights_of,
)
from porto_cli.players import choose
from tests.puerto_rico.tables import table

TINY = ["--roots", "1", "--games", "1"]
"""A budget that takes no time."""
STEPS = [{"step": "by hand"}]


def needs_numpy():
    """The module of the regression, if NumPy is there; otherwise the test is skipped."""
    pytest.importorskip("numpy")
    from bench.training import puerto_rico

    return puerto_rico


def run(*args: object) -> int:
    return program.main(["puerto-rico-search", *(str(arg) for arg in args)])


def random_rows(rng: Random) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(rng.gauss(0, 1) for _ in range(BASES)) for _ in NAMES)


# --- files of weights -------------------------------------------------------------------------


def shipped() -> dict:
    return json.loads(FILE.read_text("utf-8"))


def test_the_program_says_how_its_weights_came_about() -> None:
    for players, entry in shipped().items():
        (step,) = entry["recipe"]
        assert step["step"] == "scratch scripts"
        assert "seed" in step["text"]
        assert ("0.05" in step["text"]) == (players == "3")


def test_what_is_written_is_read_again(tmp_path) -> None:
    rows = weights_of(4)
    text = files.text_of({"4": entry_of(rows, STEPS)})
    assert read_weights(text) == {"4": rows}
    assert files.text_of(shipped()) == FILE.read_text("utf-8")


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (lambda all_: all_.update({"6": all_.pop("5")}), "'6'"),
        (lambda all_: all_["3"].pop("recipe"), "recipe"),
        (lambda all_: all_["3"].update(recipe=[]), "recipe"),
        (lambda all_: all_["3"].update(recipe=[{"seed": "s"}]), "recipe"),
        (lambda all_: all_["3"].update(recipe="by hand"), "recipe"),
        (lambda all_: all_["3"].pop("wharf"), "wharf"),
        (lambda all_: all_["3"].update(warf=[0, 0, 0]), "warf"),
        (lambda all_: all_["3"].update(wharf=[0, 0]), "wharf"),
        (lambda all_: all_["3"].update(wharf=[0, 0, "0"]), "wharf"),
        (lambda all_: all_["3"].update(wharf=[0, 0, True]), "wharf"),
        (lambda all_: all_["3"].update(wharf=[0, 0, float("nan")]), "wharf"),
        (lambda all_: all_["3"].update(wharf=7), "wharf"),
        (lambda all_: all_.update({"3": 7}), "'3'"),
    ],
)
def test_a_file_of_another_form_is_refused(change, named) -> None:
    entries = shipped()
    change(entries)
    with pytest.raises(ValueError, match=named):
        read_weights(json.dumps(entries))


@pytest.mark.parametrize("text", ["", "[]", "{}", "{", "7"])
def test_an_invalid_file_of_weights_is_refused(text) -> None:
    with pytest.raises(ValueError, match=r"JSON|object"):
        read_weights(text)


def test_weights_are_adopted_where_there_are_some(tmp_path, monkeypatch, capsys) -> None:
    into, new = tmp_path / "weights.json", tmp_path / "new.json"
    into.write_text(FILE.read_text("utf-8"), "utf-8")
    # Before the file is another one: the weights are kept when they are first read.
    shipped = {players: weights_of(int(players)) for players in "345"}
    rows = random_rows(Random(1))
    new.write_text(json.dumps({"2": entry_of(rows, STEPS)}), "utf-8")
    monkeypatch.setattr(program.puerto_rico, "FILE", into)
    adopt = ["adopt", "--game", "puerto-rico-search", str(new)]
    assert program.main(adopt) == 0
    assert "'2'" in capsys.readouterr().out
    found = read_weights(into.read_text("utf-8"))
    assert found["2"] == tuple(tuple(float(f"{one:.6g}") for one in row) for row in rows)
    assert {players: found[players] for players in "345"} == shipped
    # Those of the other game are not taken, in neither direction.
    before = into.read_text("utf-8")
    new.write_text(files.FILE.read_text("utf-8"), "utf-8")
    assert program.main(adopt) == 2
    with pytest.raises(files.RefusedError, match=r"weights\.json"):
        files.adopt(FILE, into)
    assert into.read_text("utf-8") == before


# --- the regression ---------------------------------------------------------------------------


@pytest.mark.parametrize("among_branches", [True, False])
def test_the_regression_finds_the_weights_that_scores_were_made_by(among_branches) -> None:
    """What all players have in common goes out; what each has in all branches, among branches."""
    puerto_rico = needs_numpy()
    rng = Random(3)
    truth = random_rows(rng)
    flat = [weight for row in truth for weight in row]

    def tables(bias: list[float]):
        for _ in range(8):
            common, found = rng.gauss(0, 20), []
            for seat in range(3):
                numbers = [rng.gauss(0, 1 + place % 5) for place in range(len(flat))]
                to_come = sum(a * b for a, b in zip(flat, numbers, strict=True))
                found.append([to_come + common + bias[seat], *numbers])
            yield found

    sums = puerto_rico.no_sums()
    for _ in range(150):
        bias = [rng.gauss(0, 20) if among_branches else 0.0 for _ in range(3)]
        sums = sums.plus(puerto_rico.summed(list(tables(bias)), among_branches=among_branches))
    assert (sums.seen, sums.done) == (150 * 8 * 3, 150)
    plan = puerto_rico.Plan(ridge=0.1)
    none = puerto_rico.no_sums()
    found = puerto_rico.fitted(*((sums, none) if among_branches else (none, sums)), plan)
    for row, known in zip(found, truth, strict=True):
        assert row == pytest.approx(known, abs=0.01)
    # A strong ridge keeps weights small, but not their signs from showing.
    weak = puerto_rico.fitted(sums, none, plan._replace(ridge=1e5))
    assert all(abs(a) < abs(b) for a, b in zip(sum(weak, ()), flat, strict=True) if abs(b) > 0.1)


def test_whole_games_count_by_their_weight() -> None:
    puerto_rico = needs_numpy()
    rng = Random(4)

    def made_by(weight: float):
        numbers = [[rng.gauss(0, 1) for _ in range(puerto_rico.SIZE)] for _ in range(1500)]
        seen = [[[weight * one[0], *one], [0.0] * len([0, *one])] for one in numbers]
        return puerto_rico.summed(seen, among_branches=False)

    one, three, none = made_by(1.0), made_by(3.0), puerto_rico.no_sums()

    def first(branches, games, weight: float) -> float:
        plan = puerto_rico.Plan(weight=weight, ridge=1e-6)
        return puerto_rico.fitted(branches, games, plan)[0][0]

    assert first(one, three, 0.0) == pytest.approx(1)
    assert first(one, three, 1.0) == pytest.approx(2, abs=0.1)
    assert first(one, three, 0.05) == pytest.approx((1 + 0.05 * 3) / 1.05, abs=0.05)
    assert first(one, three, 1e6) == pytest.approx(3, abs=0.01)
    # Alone they count fully, whatever the weight: here the ridge would show a difference.
    plans = [puerto_rico.Plan(weight=weight) for weight in (0.05, 1.0)]
    assert puerto_rico.fitted(none, three, plans[0]) == puerto_rico.fitted(none, three, plans[1])


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a_game_tells_what_was_still_to_come(seats) -> None:
    puerto_rico = needs_numpy()
    tables = puerto_rico.whole(seats, "tells", 0)
    assert len(tables) > 20
    assert {len(one) for one in tables} == {seats}
    means = [sum(row[0] for row in one) / seats for one in tables]
    assert means[0] > 15 > means[-1] + 5
    # The last table looked at is one before the end: at most a few VP are to come.
    assert max(row[0] for row in tables[-1]) < 20
    assert {len(row) for one in tables for row in one} == {1 + len(NAMES) * BASES}
    assert puerto_rico.whole(seats, "tells", 0) == tables != puerto_rico.whole(seats, "tells", 1)


def test_branches_go_on_from_one_table_and_differ() -> None:
    puerto_rico = needs_numpy()
    tables = puerto_rico.branched(3, "branch", 0)
    assert 1 < len(tables) <= puerto_rico.BRANCHES * puerto_rico.TABLES
    assert len({json.dumps(one) for one in tables}) > puerto_rico.BRANCHES
    sums = puerto_rico.summed(tables, among_branches=True)
    # What all have in common says nothing: the constant least of all.
    assert abs(sums.products[0]).max() < 1e-9
    assert sums.products.diagonal().max() > 1


# --- whole runs -------------------------------------------------------------------------------


@pytest.mark.parametrize("players", PLAYERS)
def test_one_command_makes_weights_that_search_plays_by(
    players, tmp_path, monkeypatch, capsys
) -> None:
    needs_numpy()
    out = tmp_path / "mine.json"
    assert run("--players", players, "--out", out, "--seed", "s", *TINY) == 0
    assert capsys.readouterr().out.count("1 of 1") == 2
    (found,) = read_weights(out.read_text("utf-8")).values()
    assert any(map(any, found))
    (step,) = json.loads(out.read_text("utf-8"))[players]["recipe"]
    assert step["seed"] == "s"
    assert step["command"] == f"python -m bench.training puerto-rico-search --players {players}"
    assert step["plan"] == {"roots": 1, "games": 1, "weight": 0.05, "ridge": 1000}
    state = table(players=int(players))
    shipped = search.values(state)
    monkeypatch.setattr(search, "weights_of", {int(players): found}.__getitem__)
    assert search.values(state) != shipped
    move = choose(search.search_player, PUERTO_RICO, state, state.seat, Random(1))
    assert not PUERTO_RICO.violations(state, move, state.seat)


def test_the_same_seed_makes_the_same_file(tmp_path, monkeypatch) -> None:
    """Wherever games are played, whether the run was stopped, and not by another seed."""
    puerto_rico = needs_numpy()
    monkeypatch.setattr(puerto_rico, "BATCH", 2)
    names = ("whole", "again", "spread", "parts", "other")
    whole, again, workers, parts, other = (tmp_path / f"{name}.json" for name in names)
    budget = ["--roots", 2, "--games", 3]
    for out in (whole, again):
        assert run("--out", out, *budget) == 0
    assert run("--out", workers, *budget, "--workers", 2) == 0
    for games in (1, 2, 3):
        assert run("--out", parts, "--roots", min(2, games), "--games", games) == 0
    text = whole.read_text("utf-8")
    assert [out.read_text("utf-8") for out in (again, workers, parts)] == [text] * 3
    assert run("--out", other, *budget, "--seed", "other") == 0
    numbers = [read_weights(out.read_text("utf-8")) for out in (whole, other)]
    assert numbers[0] != numbers[1]


def test_another_weight_needs_no_game_again(tmp_path, monkeypatch, capsys) -> None:
    puerto_rico = needs_numpy()
    out = tmp_path / "mine.json"
    assert run("--out", out, *TINY) == 0
    before = read_weights(out.read_text("utf-8"))
    monkeypatch.setattr(puerto_rico, "_played", None)
    capsys.readouterr()
    assert run("--out", out, *TINY, "--weight", "1") == 0
    assert capsys.readouterr().out.count("\n") == 1
    assert read_weights(out.read_text("utf-8")) != before


def test_it_is_stopped_by_ctrl_c_and_keeps_what_is_done(tmp_path, monkeypatch, capsys) -> None:
    puerto_rico = needs_numpy()
    monkeypatch.setattr(puerto_rico, "BATCH", 1)
    out, whole = tmp_path / "mine.json", puerto_rico.whole

    def stop_at_the_second(seats, seed, number):
        if number:
            raise KeyboardInterrupt
        return whole(seats, seed, number)

    budget = ["--roots", 0, "--games", 2]
    monkeypatch.setattr(puerto_rico, "whole", stop_at_the_second)
    assert run("--out", out, *budget) == 130
    assert "goes on" in capsys.readouterr().err
    assert not out.exists()
    monkeypatch.setattr(puerto_rico, "whole", whole)
    assert run("--out", out, *budget) == 0
    said = capsys.readouterr().out
    assert "2 of 2" in said
    assert "1 of 2" not in said


def test_a_run_is_not_continued_with_other_settings(tmp_path, capsys) -> None:
    needs_numpy()
    out = tmp_path / "mine.json"
    assert run("--out", out, *TINY) == 0
    before = out.read_text("utf-8")
    assert run("--out", out, *TINY, "--seed", "other") == 2
    assert "'other'" in capsys.readouterr().err
    assert run("--out", out, *TINY, "--players", 2) == 2
    assert "'2'" in capsys.readouterr().err
    assert run("--out", out, "--roots", 0, "--games", 1) == 2
    assert "more than 0 roots" in capsys.readouterr().err
    kept = tmp_path / "mine.puerto-rico.json"
    data = json.loads(kept.read_text("utf-8"))
    for broken in ("[]", json.dumps({**data, "progress": {"roots": [1]}})):
        kept.write_text(broken, "utf-8")
        assert run("--out", out, *TINY) == 2
        assert "no file that a step has kept" in capsys.readouterr().err
    assert out.read_text("utf-8") == before


def test_a_missing_folder_is_named_before_any_game(tmp_path, monkeypatch, capsys) -> None:
    puerto_rico = needs_numpy()
    monkeypatch.setattr(puerto_rico, "_played", None)
    assert run("--out", tmp_path / "none" / "mine.json") == 2
    assert "none" in capsys.readouterr().err


def test_without_any_games_there_is_nothing_to_learn_from(tmp_path, capsys) -> None:
    needs_numpy()
    assert run("--out", tmp_path / "mine.json", "--roots", 0, "--games", 0) == 2
    assert "nothing to learn" in capsys.readouterr().err


def test_without_numpy_a_run_does_not_begin(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.setattr(program, "find_spec", lambda name: None)
    assert run("--out", tmp_path / "mine.json") == 2
    assert "'.[training]'" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "asked",
    [
        ["--players", "6"],
        ["--players", "solo"],
        ["--roots", "-1"],
        ["--weight", "-0.1"],
        ["--weight", "nan"],
        ["--weight", "inf"],
        ["--generations", "3"],
    ],
)
def test_impossible_budgets_are_refused(asked, capsys) -> None:
    with pytest.raises(SystemExit) as refused:
        run(*asked)
    assert refused.value.code == 2
    assert "usage" in capsys.readouterr().err


def test_the_documents_name_the_command() -> None:
    text = (Path(__file__).parents[2] / "docs" / "measurements" / "players.md").read_text("utf-8")
    assert "python -m bench.training puerto-rico-search --players 3" in text
    assert "python -m bench.training puerto-rico --players 3" in text
    assert "adopt --game puerto-rico " in text
