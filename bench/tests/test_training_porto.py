"""The weights of the players can be made again; here with so little time that they are bad."""

from __future__ import annotations

import json
from functools import partial
from multiprocessing import Pool
from pathlib import Path
from random import Random

import pytest

import bench.training as training
from bench.training import __main__ as program
from bench.training import compare, evolution, files, games, prices, steps, strategy
from bench.training.forms import read_weights
from porto_cli.core.chance import seeded_chance
from porto_cli.games.porto.engine.play import apply
from porto_cli.games.porto.engine.state import ACT, OVER
from porto_cli.games.porto.game import PORTO
from porto_cli.games.porto.players import priced_player, search_player, value_player
from porto_cli.games.porto.players.candidates import after
from porto_cli.games.porto.players.evaluation import FILE, SOLO, Weights, weights_of
from porto_cli.players import choose
from tests.porto.playing import Kind

TINY = ["--generations", "2", "--candidates", "4", "--deals", "1", "--iterations", "1"]
"""Budgets that take no time."""
PROTOTYPE = Path(training.__file__).with_name("prototype-solo.json")


def needs_numpy():
    """The module of the regression, if NumPy is there; otherwise the test is skipped."""
    pytest.importorskip("numpy")
    from bench.training import regression

    return regression


def changed(weights: Weights) -> Weights:
    """Weights by which nearly everything is worth the contrary."""
    return weights._replace(
        rows=tuple(tuple(-weight for weight in row) for row in weights.rows),
        prices=weights.prices._replace(cards=(0.0, 0.0, 9.0)),
    )


# --- players by given weights -----------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("kind", [Kind(2), Kind(3), Kind(1, timer=24)], ids=str)
def test_players_go_by_the_weights_that_they_are_given(kind):
    shipped = weights_of(SOLO if kind.timer else str(kind.players))
    levels = [priced_player, value_player, partial(search_player, simulations=4)]
    others = [0] * len(levels)
    chance = seeded_chance("given")
    state = kind.begin(chance)
    while state.turn < (2 if kind.timer else 6):
        for place, level in enumerate(levels):
            plain, same, other = (
                choose(one, PORTO, state, state.seat, Random(1))
                for one in (
                    level,
                    partial(level, weights=shipped),
                    partial(level, weights=changed(shipped)),
                )
            )
            assert plain == same
            others[place] += plain != other
        state, _ = apply(state, choose(value_player, PORTO, state, state.seat, Random(1)), chance)
    assert all(others)


@pytest.mark.long
def test_the_training_plays_alone_as_level_4_does():
    weights = weights_of(SOLO)
    config = games.config_of(SOLO, 24)
    chance = seeded_chance("alone")
    state = PORTO.initial_state(config, PORTO.deal(config, chance))
    while state.phase != OVER:
        state, _ = apply(state, choose(value_player, PORTO, state, 0, Random(1)), chance)
    assert games.solo_score(weights, 24, "alone") == state.scores[0]


# --- files of weights -------------------------------------------------------------------------


def test_the_weights_of_the_program_say_where_they_come_from():
    entries = json.loads(FILE.read_text("utf-8"))
    assert all(entry["recipe"] for entry in entries.values())
    assert read_weights(FILE.read_text("utf-8")) == {key: weights_of(key) for key in entries}


def test_the_solo_weights_were_made_from_those_that_are_kept():
    start, _ = files.read(str(PROTOTYPE), SOLO)
    *_, made = json.loads(FILE.read_text("utf-8"))[SOLO]["recipe"]
    assert made["start"] == files.digest(start) != files.digest(weights_of(SOLO))
    assert PROTOTYPE.name in made["command"]
    # What a recipe tells is what the command does that it names.
    needs_numpy()
    again = steps.plan_of(steps.Task("regression", SOLO, made["seed"], Path("any.json"), {}))
    assert json.loads(json.dumps(again._asdict())) == made["plan"]


def test_a_file_is_written_as_the_one_of_the_program_is():
    text = FILE.read_text("utf-8")
    assert files.text_of(json.loads(text)) == text


def broken(path: str, value: object) -> str:
    """The weights of the program with something else at a place, or without it."""
    entries = json.loads(FILE.read_text("utf-8"))
    *way, last = path.split(".")
    at = entries
    for key in way:
        at = at[int(key) if isinstance(at, list) else key]
    if value is None:
        del at[last]
    else:
        at[int(last) if isinstance(at, list) else last] = value
    return json.dumps(entries)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("5", {}, "none for '5'"),
        ("2.recipe", None, "'recipe'"),
        ("2.more", 1, "2 has to be an object with"),
        ("2.completion_80", [], "2 has to be an object with"),
        ("2.recipe", [], "'recipe'"),
        ("2.recipe.0", {"text": "by hand"}, "'recipe'"),
        ("2.features.3", "fourth_pair", r"2.features.3 has to be 'third_pair'"),
        ("2.phases", [], r"2.phases has to be a list of 7"),
        ("3.V.6", [1.0], r"3.V.6 has to be a list of 40"),
        ("3.V.6.0", "1", r"3.V.6.0 has to be a number"),
        ("3.V.6.0", True, r"3.V.6.0 has to be a number"),
        ("3.V.6.0", float("nan"), r"3.V.6.0 has to be a number"),
        ("solo.V", [], r"solo.V has to be a list of 13"),
        ("4.completion", [], r"4.completion has to be a list of 11"),
        ("solo.completion_80.0", [], r"solo.completion_80.0 has to be a list of 8"),
        ("2.keep.palette", None, r"2.keep has to be an object"),
        ("2.keep.palette", "much", r"2.keep.palette has to be a number"),
        ("2.pi.cv", [1, 2], r"2.pi.cv has to be a list of 3"),
        ("2.pi.end", None, r"2.pi has to be an object"),
    ],
)
def test_a_file_of_another_form_is_refused_and_says_why(path, value, message):
    with pytest.raises(ValueError, match=message):
        read_weights(broken(path, value))


@pytest.mark.parametrize("text", ["", "[]", "{}", "{", "7", '{"2": 7}'])
def test_an_invalid_file_of_weights_is_refused(text):
    with pytest.raises(ValueError, match=r"JSON|object"):
        read_weights(text)


def test_weights_are_adopted_where_there_are_some(tmp_path):
    into, new = tmp_path / "weights.json", tmp_path / "new.json"
    into.write_text(FILE.read_text("utf-8"), "utf-8")
    files.write(new, "3", changed(weights_of("3")), [{"step": "by hand"}])
    assert files.adopt(new, into) == ["3"]
    found = read_weights(into.read_text("utf-8"))
    assert found == {**read_weights(FILE.read_text("utf-8")), "3": changed(weights_of("3"))}
    new.write_text("{}", "utf-8")
    with pytest.raises(files.RefusedError, match=r"new\.json"):
        files.adopt(new, into)


# --- the strategy -----------------------------------------------------------------------------

GOAL = (3.0, -2.0, 0.0, 1.0, 5.0)


def nearness(candidates, generation, means):
    """Luck is the same for all candidates of a generation, and more than what is to be found."""
    noise = 100 * Random(generation).random()
    return [noise - sum((a - b) ** 2 for a, b in zip(one, GOAL, strict=True)) for one in candidates]


@pytest.mark.parametrize(
    "plan",
    [
        strategy.Plan(14, 1, 60, step=0.7, decay=0.975, elite=(5, 4, 3, 2, 1)),
        strategy.Plan(16, 1, 60, step=0.7, decay=0.96, elite=(1,) * 5, pairs=False),
        strategy.Plan(32, 1, 60, step=1.0, decay=0.96, rate=0.8),
    ],
)
def test_the_strategy_finds_what_is_better(plan):
    progress = strategy.begin((0.0,) * len(GOAL))
    for _ in range(plan.generations):
        progress = strategy.advance(progress, plan, nearness, "seed")
    assert progress.generation == plan.generations
    assert progress.mean == pytest.approx(GOAL, abs=0.5)


def test_candidates_are_mirrored_or_one_is_the_mean():
    drawn = []

    def keep(candidates, generation, means):
        drawn.append(candidates)
        return [0.0] * len(candidates)

    start = strategy.begin((1.0, 2.0))
    strategy.advance(start, strategy.Plan(4, 1, 1, 0.5, 1.0, (1,)), keep, "s")
    strategy.advance(start, strategy.Plan(3, 1, 1, 0.5, 1.0, (1,), pairs=False), keep, "s")
    mirrored, around = drawn
    for one, other in zip(mirrored[:2], mirrored[2:], strict=True):
        assert [(a + b) / 2 for a, b in zip(one, other, strict=True)] == pytest.approx([1.0, 2.0])
    assert around[0] == (1.0, 2.0)
    assert around[1] != around[2]


def test_shifts_change_the_weights_of_their_features_by_phase():
    weights = weights_of("2")
    shifts = evolution.SHIFTS
    assert shifts.size == 27
    moved = shifts.apply(weights, (1.0, *(0.0,) * 26))
    more = [new[1] - old[1] for new, old in zip(moved.rows, weights.rows, strict=True)]
    assert more == pytest.approx([0.05, 0.05, 0.045, 0.035, 0.015, 0, 0])
    assert [row[2:] for row in moved.rows] == [row[2:] for row in weights.rows]
    assert shifts.apply(weights, (0.0,) * 27) == weights
    alone = evolution.SOLO_SHIFTS.apply(weights_of(SOLO), (0.0, 1.0, *(0.0,) * 48))
    more = [new[1] - old[1] for new, old in zip(alone.rows, weights_of(SOLO).rows, strict=True)]
    assert more == pytest.approx([0.08 * left / 12 for left in range(13)])


def test_margins_are_those_of_the_first_player_from_each_seat():
    better, worse = priced_player, partial(priced_player, weights=changed(weights_of("2")))
    found = games.margins([better, worse], "m", range(3, 5))
    assert len(found) == 4
    assert all(margin > 0 for margin in found)
    other = games.margins([worse, better], "m", range(3, 5))
    # Of two, what one leads by is what the other is behind; from seat to seat the deal stays.
    assert sorted(-margin for margin in other) == sorted(found)


@pytest.mark.long
def test_prices_do_better_against_worse_ones():
    start = weights_of("2")
    plan = prices.PLAN._replace(deals=3)
    good = prices.numbers_of(start.prices)
    bad = prices.numbers_of(changed(start).prices)
    found = prices.fitness_of("2", start, plan, "p")([good, bad], 9, [bad] * 2 + [good] * 8)
    assert found[0] > 5
    # The opponent is the one of eight generations ago.
    assert found[1] == pytest.approx(0, abs=3)


@pytest.mark.long
def test_shifts_do_worse_that_value_the_contrary():
    start = weights_of("2")
    plan = evolution.PLAN._replace(deals=2)
    nothing, contrary = (0.0,) * 27, (-40.0,) * 27
    found = evolution.fitness_of("2", start, plan, "e")([nothing, contrary], 0, [nothing])
    assert found[0] > 0 > found[1]


def test_prices_are_numbers_and_back():
    for players in games.PLAYERS:
        known = weights_of(players).prices
        found = prices.prices_of(prices.numbers_of(known))
        assert found.cards == pytest.approx(known.cards)
        assert found.gaps == pytest.approx(known.gaps)
        assert found[2:] == pytest.approx(known[2:])


# --- regression -------------------------------------------------------------------------------


def test_regression_recovers_the_weights_that_games_were_made_by():
    regression = needs_numpy()
    rng = Random(5)
    sums = regression.Sums(3, 4, 1, 8)
    truth = [[rng.gauss(0, 2) for _ in range(4)] for _ in range(3)]
    for _ in range(6_000):
        row = int(3 * rng.random())
        numbers = [1.0, *(rng.gauss(0, 3) for _ in range(3))]
        to_come = sum(w * f for w, f in zip(truth[row], numbers, strict=True))
        sums.see(row, numbers, to_come + rng.gauss(0, 1))
    for found, known in zip(regression.solve(sums, ridge=5.0), truth, strict=True):
        assert found == pytest.approx(known, abs=0.1)


@pytest.mark.parametrize(("players", "tables"), [(SOLO, range(1, 28)), ("2", range(30, 200))])
def test_a_game_tells_what_was_still_to_come(players, tables):
    regression = needs_numpy()
    weights = weights_of(players)
    sums = regression.gather(players, weights, regression.by_noisy_price, "tells", (24,), range(2))
    assert sums.games == 2
    constants = sums.products[:, 0, 0]
    assert constants.sum() / 2 in tables
    # The mean of what was still to be scored gets less from phase to phase.
    to_come = sums.targets[:, 0] / constants.clip(1)
    if players == SOLO:
        to_come = to_come[:11][::-1]
    assert to_come[0] > to_come[3] + 5 > 5
    seen, done = sums.houses
    assert (done <= seen).all()
    assert (done[:, 0] == seen[:, 0]).all()
    completion = regression.completion_of(sums, weights.completion)
    assert all(row[0] == 1 and all(0 <= chance <= 1 for chance in row) for row in completion)


def test_former_games_count_less_with_each_iteration():
    regression = needs_numpy()
    plan = regression.SOLO_PLAN._replace(games=2)
    first = regression.advance(regression.begin(weights_of(SOLO)), SOLO, plan, "former")
    second = regression.advance(first, SOLO, plan, "former")
    alone = regression.advance(first, SOLO, plan._replace(decay=0.0), "former")
    former = second.sums.products - alone.sums.products
    assert former == pytest.approx(plan.decay * first.sums.products)
    assert second.weights.rows != alone.weights.rows


def test_who_has_not_chosen_private_contracts_is_left_out():
    regression = needs_numpy()
    weights = weights_of("2")
    seen = []
    for state, move in games.play(
        games.config_of("2"), regression.by_noisy_price, weights, "chosen", Random(1)
    ):
        if move is not None and state.phase == ACT:
            table = after(state, move)
            seen.append([seat for seat, *_ in regression.seen_by_all(table, state.kept, weights)])
    assert seen[0] == [0]
    assert seen[1:-1] == [[0, 1]] * (len(seen) - 2)
    assert seen[-1] == []


def test_private_contracts_are_no_part_of_a_solo_score_but_of_others():
    assert not games.config_of(SOLO, 24).private_contracts
    assert games.config_of("2").private_contracts


# --- whole runs -------------------------------------------------------------------------------


def run(*args: object) -> int:
    return program.main([str(arg) for arg in args])


def test_one_command_makes_weights_that_can_be_used(tmp_path, capsys):
    needs_numpy()
    out = tmp_path / "mine.json"
    assert run("all", "--players", SOLO, "--out", out, "--games", 2, "--seed", "s", *TINY) == 0
    said = capsys.readouterr().out
    assert [line.split(":")[0] for line in said.splitlines()[:-1]] == [
        *["prices"] * 2,
        *["regression"] * 2,
        *["evolution"] * 2,
    ]
    (found,) = read_weights(out.read_text("utf-8")).values()
    assert any(map(any, found.rows))
    recipe = json.loads(out.read_text("utf-8"))[SOLO]["recipe"]
    assert [step["step"] for step in recipe] == ["start", *steps.STEPS]
    assert recipe[3]["seed"] == "s"
    assert recipe[3]["plan"]["generations"] == 2
    assert 0 < games.solo_score(found, 24, "any") < 100
    # What is done is not done again.
    assert run("all", "--players", SOLO, "--out", out, "--games", 2, "--seed", "s", *TINY) == 0
    assert capsys.readouterr().out.count("\n") == 1
    assert run("compare", "shipped", out, "--players", SOLO, "--deals", 2) == 0
    assert capsys.readouterr().out.startswith("timer 28: old 100.0 %")


@pytest.mark.long
def test_weights_for_two_are_made_as_well(tmp_path):
    needs_numpy()
    out = tmp_path / "two.json"
    assert run("all", "--out", out, "--games", 1, *TINY, "--generations", 1, "--candidates", 2) == 0
    (found,) = read_weights(out.read_text("utf-8")).values()
    assert found.completion != weights_of("2").completion
    assert found.keep != weights_of("2").keep


@pytest.mark.parametrize(
    ("step", "length"),
    [("prices", "--generations"), ("regression", "--iterations"), ("evolution", "--generations")],
)
def test_a_run_that_was_stopped_ends_as_at_one_stroke(tmp_path, step, length):
    needs_numpy()
    whole, parts = tmp_path / "whole.json", tmp_path / "parts.json"
    budget = ["--players", SOLO, "--candidates", 2, "--deals", 1]
    if step == "regression":
        budget = ["--players", SOLO, "--games", 2]
    assert run(step, "--out", whole, *budget, length, 3) == 0
    for done in (1, 2, 3):
        assert run(step, "--out", parts, *budget, length, done) == 0
    assert parts.read_text("utf-8") == whole.read_text("utf-8")
    assert json.loads(whole.read_text("utf-8"))[SOLO]["recipe"][-1]["plan"][length[2:]] == 3


@pytest.mark.long
def test_it_is_stopped_by_ctrl_c_and_keeps_what_is_done(tmp_path, monkeypatch, capsys):
    out = tmp_path / "mine.json"
    advance = strategy.advance

    def stop_after_one(progress, *more):
        if progress.generation:
            raise KeyboardInterrupt
        return advance(progress, *more)

    monkeypatch.setattr(strategy, "advance", stop_after_one)
    budget = ["--players", SOLO, "--generations", 3, "--candidates", 4, "--deals", 1]
    assert run("evolution", "--out", out, *budget) == 130
    assert "goes on" in capsys.readouterr().err
    recipe = json.loads(out.read_text("utf-8"))[SOLO]["recipe"]
    assert recipe[-1]["plan"]["generations"] == 1


@pytest.mark.long
def test_a_run_is_not_continued_with_other_settings(tmp_path, capsys):
    out = tmp_path / "mine.json"
    budget = ["--players", SOLO, "--generations", 1, "--candidates", 4]
    assert run("evolution", "--out", out, *budget, "--deals", 1) == 0
    before = out.read_text("utf-8")
    assert run("evolution", "--out", out, *budget, "--deals", 2) == 2
    assert "--out" in capsys.readouterr().err
    assert run("evolution", "--out", out, *budget, "--deals", 1, "--seed", "other") == 2
    assert "'other'" in capsys.readouterr().err
    assert out.read_text("utf-8") == before
    (tmp_path / "mine.evolution.json").write_text("[]", "utf-8")
    assert run("evolution", "--out", out, *budget, "--deals", 1) == 2


def test_a_missing_file_is_named(tmp_path, capsys):
    assert run("evolution", "--start", tmp_path / "none.json") == 2
    assert "none.json" in capsys.readouterr().err
    files.write(tmp_path / "three.json", "3", weights_of("3"), [{"step": "by hand"}])
    assert run("evolution", "--start", tmp_path / "three.json") == 2
    assert "'2'" in capsys.readouterr().err


@pytest.mark.parametrize(
    "asked",
    [
        ["evolution", "--candidates", "1"],
        ["prices", "--workers", "none"],
        ["prices", "--games", "3"],
        ["all", "--players", "5"],
        [],
    ],
)
def test_impossible_budgets_are_refused(asked, capsys):
    with pytest.raises(SystemExit) as refused:
        run(*asked)
    assert refused.value.code == 2
    assert "usage" in capsys.readouterr().err


def test_a_missing_folder_is_named(tmp_path, capsys):
    out = tmp_path / "none" / "mine.json"
    assert run("evolution", "--players", SOLO, "--generations", 1, "--out", out) == 2
    assert "none" in capsys.readouterr().err


def test_without_numpy_a_run_does_not_begin(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(program, "find_spec", lambda name: None)
    assert run("all", "--out", tmp_path / "mine.json") == 2
    assert "'.[training]'" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_where_games_are_played_makes_no_difference(monkeypatch):
    regression = needs_numpy()
    monkeypatch.setattr(regression, "BATCH", 4)
    plan = strategy.Plan(4, 2, 1, step=1.0, decay=1.0, rate=1.0)
    start = weights_of(SOLO)
    candidates = [(one,) * evolution.SOLO_SHIFTS.size for one in (0.0, 0.2, -0.2)]
    few = regression.SOLO_PLAN._replace(games=11)
    progress = regression.begin(files.knows_nothing(SOLO))
    with Pool(2) as pool:
        here, there = (
            evolution.fitness_of(SOLO, start, plan, "where", where)(candidates, 0, ())
            for where in (None, pool)
        )
        assert here == there
        assert len(set(here)) > 1
        found = [
            regression.advance(progress, SOLO, few, "where", where).weights
            for where in (None, pool)
        ]
        assert found[0] == found[1]


# --- comparing --------------------------------------------------------------------------------


def test_a_mean_has_its_doubt():
    assert compare.mean_of([1.0, 1.0]) == (1.0, 0.0)
    mean, doubt = compare.mean_of([0.0, 1.0] * 50)
    assert mean == 0.5
    assert doubt == pytest.approx(1.96 * 0.5 / 10, rel=0.01)


@pytest.mark.long
def test_better_prices_win_more():
    old = changed(weights_of("2"))
    (line,) = compare.compared(
        "2", old, weights_of("2"), level=3, against=None, deals=4, seed="c", pool=None
    )
    assert line.startswith("new against 1 of old: 100.0 %")
    (line,) = compare.compared(
        "3",
        weights_of("3"),
        weights_of("3"),
        level=3,
        against="greedy",
        deals=2,
        seed="c",
        pool=None,
    )
    assert "difference 0.0 % ± 0.0, 2 deals" in line


def test_the_documents_name_every_step():
    text = (Path(__file__).parents[2] / "docs" / "measurements" / "players.md").read_text("utf-8")
    assert "python -m bench.training all --players 2" in text
    for step in (*steps.STEPS, "compare", "adopt"):
        assert step in text
