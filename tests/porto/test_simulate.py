"""Simulations: the same games whatever plays them, honest about what is hidden, easy to read."""

from __future__ import annotations

import csv
import io
import json
import os
import pickle
import signal
import subprocess
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from random import Random

import pytest

from porto_cli.games.porto.engine import PRIVATE
from porto_cli.games.porto.engine.cards import Claim, Draw
from porto_cli.games.porto.engine.play import Build, apply, legal_moves
from porto_cli.games.porto.engine.state import ACT, CONTRACTS, KEEP, TIMER
from porto_cli.games.porto.engine.turn import PRIVATE_CONTRACT, SOURCES, Scored
from porto_cli.games.porto.players.candidates import greedy_player, worth
from porto_cli.games.porto.sealing import view
from porto_cli.games.porto.simulation import RULES, SIMULATION
from porto_cli.installed import ruling
from porto_cli.match.match import new_game
from porto_cli.players import random_player
from porto_cli.simulate import (
    GameResult,
    Seating,
    Start,
    Tally,
    play_game,
    simulate,
)
from tests.porto.playing import BARE, CRAMPED, Kind, plies, random_chance
from tests.shares import one_in

TWO = [greedy_player, random_player]


def group(result: GameResult, key: str, seat: int) -> Counter[str]:
    """Return the figures of a group."""
    return Counter(
        {name: number for (of, name), number in result.played[seat].figures.items() if of == key}
    )


def vp(result: GameResult, seat: int) -> int:
    """Return the VP from all sources."""
    return sum(group(result, "sources", seat).values())


def fulfilled(result: GameResult, seat: int) -> int:
    """Return how many public contracts were fulfilled in the whole game."""
    return result.played[seat].figures["", "fulfilled"]


def running(seats: int, turns: int, **options):
    """Return the match of a game that is under way."""
    names = ["Inês", "Joana", "Afonso", "Rui"][:seats]
    match = new_game(names, seed=f"run{seats}", first="Inês", **options)
    rng = Random(seats)
    while match.state.turn < turns:
        match.play(rng.choice(match.legal_moves()), player=match.state.seat)
    return match


@pytest.mark.long
def test_every_game_has_random_numbers_of_its_own_and_a_seed_repeats_them():
    start = Start("porto", Kind(2).config())
    games = list(simulate(start, TWO, 12, seed="a"))
    assert [game.number for game in games] == list(range(1, 13))
    assert len({game.scores for game in games}) > 6
    assert list(simulate(start, TWO, 12, seed="a")) == games
    assert list(simulate(start, TWO, 12, seed="b")) != games
    assert list(simulate(start, TWO, 5, seed="a")) == games[:5]


@pytest.mark.long
@pytest.mark.parametrize(
    "pool", [ThreadPoolExecutor, pytest.param(ProcessPoolExecutor, marks=pytest.mark.outside)]
)
@pytest.mark.parametrize("workers", [1, 3])
def test_the_games_are_the_same_whoever_plays_them(pool, workers):
    start = Start("porto", Kind(3).config())
    players = [greedy_player, random_player, random_player]
    alone = list(simulate(start, players, 30, seed="a"))
    with pool(workers) as executor:
        assert list(simulate(start, players, 30, seed="a", executor=executor)) == alone


def test_a_cluster_plays_the_same_games():
    distributed = pytest.importorskip("distributed")
    start = Start("porto", Kind(2).config())
    alone = list(simulate(start, TWO, 200, seed="a"))
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        assert len(client.scheduler_info()["workers"]) == 2
        executor = client.get_executor()
        assert list(simulate(start, TWO, 200, seed="a", executor=executor)) == alone
        counted = client.run(lambda dask_worker: len(dask_worker.state.log))
        assert all(counted.values()), "both workers had something to do"


def test_players_cannot_read_off_what_comes_up():
    asked = []

    def nosy(view, moves, rng):
        copied = Random()
        copied.setstate(rng.getstate())
        asked.append(copied.random() == rng.random())
        return rng.choice(moves)

    start = Start("porto", Kind(2).config())
    for rotate in (False, True):
        assert next(simulate(start, [nosy, nosy], 1, seed="n", rotate=rotate)).finished
    assert len(asked) > 50
    assert not any(asked)


def test_in_a_running_game_everybody_has_a_seat():
    match = running(2, 3)
    start = Start("porto", match.config, match.state)
    with pytest.raises(ValueError, match="the seats are taken"):
        next(simulate(start, TWO, 1, rotate=True))


def test_stopping_early_cancels_games_that_have_not_begun():
    begun = set()

    def noted(view, moves, rng):
        begun.add(view.table.contracts + view.table.cards if not view.table.turn else b"")
        return random_player(view, moves, rng)

    start = Start("porto", Kind(2, private=False).config())
    with ThreadPoolExecutor(1) as executor:
        games = simulate(start, [noted] * 2, 100_000, seed="a", executor=executor)
        assert next(games).number == 1
        games.close()
    assert 1 < len(begun) < 1000


def test_a_position_can_be_sent_to_another_process():
    for kind in (Kind(3), Kind(1, timer=28)):
        for ply in plies(kind, Random(1)):
            assert pickle.loads(pickle.dumps(ply.after)).contents() == ply.after.contents()


def test_the_number_of_players_has_to_fit():
    with pytest.raises(ValueError, match="3 seats"):
        next(simulate(Start("porto", Kind(3).config()), TWO, 1))


@pytest.mark.parametrize(
    "kind",
    one_in(2, [Kind(2), Kind(4), Kind(1, timer=28), Kind(3, CRAMPED), Kind(2, private=False)]),
    ids=str,
)
def test_outcomes_add_up(kind):
    game = kind.config()
    for outcome in simulate(Start("porto", game), [random_player] * game.seats, 15, seed="sum"):
        if not outcome.finished:
            continue
        places = [one.place for one in outcome.played]
        assert sorted(places) == list(range(1, game.seats + 1))
        for seat in range(game.seats):
            assert vp(outcome, seat) == outcome.scores[seat]
        best = max(outcome.scores)
        assert outcome.scores[places.index(1)] == best
        if game.timer:
            assert outcome.won == (best >= 60,)
            assert outcome.turns == game.timer // 2
        else:
            assert outcome.won == tuple(place == 1 for place in places)
        fired = sum((group(outcome, "rules", seat) for seat in range(game.seats)), Counter())
        assert set(fired) <= set(RULES)
        assert fired["P-SCORE-1"] == fired["P-BUILD-1"] > 0
        assert fired["P-BUILD-3"] + fired["P-BUILD-4"] >= fired["P-BUILD-1"]
        assert fired["P-PUBLIC-2"] == sum(fulfilled(outcome, seat) for seat in range(game.seats))
        assert fired["P-END-1"] == (not game.timer)


def test_what_is_counted_are_rulings():
    for rule in RULES:
        assert ruling(rule).id == rule
    assert {contract.kind for contract in PRIVATE} == {
        rule.removeprefix("P-PRIV-").lower() for rule in RULES if rule.startswith("P-PRIV-")
    }


def test_a_game_that_cannot_end_is_given_up(monkeypatch):
    monkeypatch.setattr("porto_cli.simulate.LONGEST", 60)
    tally = Tally(2)
    start = Start("porto", Kind(2, BARE, private=False).config())
    for outcome in simulate(start, [random_player] * 2, 4, seed="x"):
        assert not outcome.finished
        tally.add(outcome)
    assert (tally.games, tally.given_up) == (0, 4)


def test_worth_is_what_a_move_scores_at_once():
    """The build together with the best claim that can follow."""
    for kind in (Kind(2), Kind(3, CRAMPED)):
        for ply in plies(kind, Random(3)):
            state = ply.before
            for move in ply.legal[:30]:
                if state.phase == KEEP:
                    continue
                events = list(apply(state, move, lambda *_: 0)[1])
                after = apply(state, move, lambda *_: 0)[0]
                if isinstance(move, Build) and after.phase == CONTRACTS:
                    events += apply(after, legal_moves(after)[-1], lambda *_: 0)[1]
                scored = [event for event in events if isinstance(event, Scored)]
                vp = sum(one.vp for one in scored if one.kind != PRIVATE_CONTRACT)
                assert worth(state, move) == vp


def test_greedy_takes_the_most_and_chooses_by_lot_among_equals():
    seen = Counter[type]()
    chosen = set()
    for ply in plies(Kind(2), Random(2)):
        state, moves = ply.before, ply.legal
        if state.phase not in (ACT, CONTRACTS):
            continue
        picks = {greedy_player(view(state, state.seat), moves, Random(seed)) for seed in range(12)}
        best = max(worth(state, move) for move in moves)
        assert {worth(state, pick) for pick in picks} == {best}
        chosen.add(len(picks))
        seen.update(type(pick) for pick in picks)
    assert seen.keys() >= {Build, Claim, Draw}
    assert max(chosen) > 1


def test_a_running_game_is_played_on_from_its_table():
    match = running(3, 30)
    start = Start("porto", match.state.config, match.state)
    games = list(simulate(start, [random_player] * 3, 20, seed="r"))
    for game in games:
        for seat in range(3):
            assert match.state.scores[seat] + vp(game, seat) == game.scores[seat]
            assert fulfilled(game, seat) >= match.state.fulfilled[seat]
        assert game.turns > match.state.turn
    assert len({game.scores for game in games}) > 10, "what comes up differs"


def private_scores(match, known, games=60):
    """Return which private contracts are ever worth something, by seat."""
    found = [set(), set()]
    for number in range(games):
        rng = Random(f"p/{number}")
        state = SIMULATION.redeal(match.state, known, random_chance(rng))
        for seat in range(2):
            found[seat].add(state.kept[seat])
    return found


def test_nobody_learns_the_others_private_contracts_from_a_simulation():
    match = running(2, 10)
    own, other = private_scores(match, None)
    assert len(own) > 40
    assert len(other) > 40
    own, other = private_scores(match, 0)
    assert own == {match.state.kept[0]}
    assert len(other) > 40


def test_a_game_with_real_cards_can_be_played_on():
    """Its deal is not known here, so it is dealt in the simulation; who has moved has kept."""
    *_, ply = (ply for ply in plies(Kind(2, table=True), Random(4)) if ply.after.turn < 12)
    start = Start("porto", ply.after.config, ply.after)
    for game in simulate(start, [random_player] * 2, 5, seed="t"):
        assert game.finished
        assert game.turns > 12


def test_what_waits_only_to_be_revealed_is_over():
    for ply in plies(Kind(2, table=True), Random(4)):
        state = ply.after
        if state.phase == KEEP:
            with pytest.raises(ValueError, match="have been played"):
                next(simulate(Start("porto", state.config, state), TWO, 1))
            return
    pytest.fail("no game waited for its private contracts")


def test_a_simulation_may_begin_in_any_phase():
    phases = set()
    for kind in (Kind(2), Kind(1, timer=28)):
        for ply in plies(kind, Random(9)):
            if ply.before.phase not in phases:
                phases.add(ply.before.phase)
                players = [random_player] * kind.players
                start = Start("porto", ply.before.config, ply.before)
                table = Seating(1, tuple(range(kind.players)), 1, 0)
                assert play_game(start, players, "x", table).finished
    assert phases == {KEEP, ACT, CONTRACTS, TIMER}


def test_the_tally_counts_what_the_outcomes_say():
    games = list(simulate(Start("porto", Kind(2).config()), TWO, 20, seed="tally"))
    tally = Tally(2)
    for game in games:
        tally.add(game)
    assert tally.games == 20
    assert tally.won(0).share == sum(game.played[0].place == 1 for game in games) / 20
    assert tally.won(0).share + tally.won(1).share == 1
    assert tally.scores[1] == Counter(game.scores[1] for game in games)
    assert sum(tally.figures[0]["sources", source] for source in SOURCES) == sum(
        game.scores[0] for game in games
    )
    assert tally.games_with["rules", "P-END-1"] == tally.total(("rules", "P-END-1")) == 20


def test_where_a_table_does_not_fit_there_are_sentences(porto, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "44")
    words = ("simulate", "greedy", "random", "2", "--seats", 2, "-n", 1, "-j", 1, "--seed", "tram")
    lines = porto(*words).out.splitlines()
    assert all(len(line) <= 44 for line in lines)
    assert any(line.startswith("random 2: won 0.0%, ") for line in lines)


@pytest.mark.long_for("simulate random greedy 2 --seats 2 -n 1 -j 1")
@pytest.mark.parametrize(
    "words", ["simulate random random -n 3 -j 1", "simulate random greedy 2 --seats 2 -n 1 -j 1"]
)
def test_a_long_job_in_a_pipe_says_how_far_it_is(porto, monkeypatch, words):
    """A line a minute, on standard error; here every minute is over at once."""
    assert " are done." not in porto(*words.split()).err
    monkeypatch.setattr("porto_cli.cli.batch.LINE_EVERY", 0)
    result = porto(*words.split())
    count = 6 if "--seats" in words else 3
    assert result.err.splitlines()[:2] == [f"1 of {count} are done.", f"2 of {count} are done."]


def test_csv_has_a_row_for_each_player_of_each_game(porto):
    result = porto(
        *("simulate", "greedy", "random", "random", "-n", 7, "-j", 1, "--seed", "s"),
        *("--format", "csv"),
    )
    assert result.code == 0
    rows = list(csv.DictReader(io.StringIO(result.out)))
    assert len(rows) == 21
    for row in rows:
        assert sum(int(row[source]) for source in SOURCES) == int(row["score"])
        assert (row["place"] == "1") == (row["won"] == "1")
        assert int(row["P-BUILD-1"]) == int(row["P-SCORE-1"])
    assert rows[0]["player"] == "greedy 1"
    assert "Seed: s" in result.err


def test_a_name_is_no_formula_for_a_spreadsheet(porto, tmp_path):
    names = ["=1+1", "+1", "-1", "@SUM(A1)"]
    new_game(names, seed="s", first=names[0]).save(tmp_path / "run.yaml")
    args = ("simulate", "random", "--from", "run.yaml", "-n", 1, "-j", 1, "--format")
    rows = csv.DictReader(io.StringIO(porto(*args, "csv").out))
    assert [row["player"] for row in rows] == [f"'{name}" for name in names]
    players = json.loads(porto(*args, "jsonl").out)["players"]
    assert [player["player"] for player in players] == names


@pytest.mark.outside
@pytest.mark.timeout(60)
@pytest.mark.parametrize("workers", [3, 5000, 10**20])
def test_more_workers_than_there_is_work_for(porto, workers):
    args = ("simulate", "random", "random", "-n", 3, "--seed", "s")
    result = porto(*args, "-j", workers)
    assert (result.code, result.err) == (0, "")
    assert result.out == porto(*args, "-j", 1).out


@pytest.mark.parametrize("games", [1, 2, 7, 12])
def test_scores_spread_as_those_of_all_games(porto, games):
    """A quarter, a half and three quarters of the games have at most the score that is said."""
    words = ("simulate", "greedy", "random", "-n", games, "--seed", "spread", "-j", 1, "--format")
    lines = [json.loads(line) for line in porto(*words, "jsonl").out.splitlines()]
    for nth, player in enumerate(json.loads(porto(*words, "json").out)["players"]):
        scores = sorted(game["players"][nth]["score"] for game in lines)
        spread = player["score"]
        assert (spread["least"], spread["most"]) == (scores[0], scores[-1])
        assert spread["mean"] == pytest.approx(sum(scores) / games)
        for key, share in (("quarter", 0.25), ("median", 0.5), ("three_quarters", 0.75)):
            at_most = [
                one for one in scores if sum(each <= one for each in scores) >= share * games
            ]
            assert spread[key] == at_most[0]


def test_json_lines_have_the_same_figures(porto):
    args = ("simulate", "random", "random", "-n", 5, "-j", 1, "--seed", "s", "--format")
    lines = porto(*args, "jsonl").out.splitlines()
    games = [json.loads(line) for line in lines]
    rows = list(csv.DictReader(io.StringIO(porto(*args, "csv").out)))
    assert [game["game"] for game in games] == [1, 2, 3, 4, 5]
    flat = [player for game in games for player in game["players"]]
    for row, player in zip(rows, flat, strict=True):
        assert int(row["score"]) == player["score"]
        assert {rule: int(row[rule]) for rule in player["rules"]} == player["rules"]


@pytest.mark.long
def test_a_running_record_is_simulated_with_its_players(porto, tmp_path):
    match = running(3, 12)
    match.save(tmp_path / "run.yaml")
    text = (tmp_path / "run.yaml").read_text("utf-8")
    args = ("simulate", "random", "--from", "run.yaml", "-n", 10, "-j", 1, "--seed", "x")
    result = porto(*args, "--as", "joana")
    assert result.code == 0
    assert all(name in result.out for name in ("Inês", "Joana", "Afonso"))
    assert "Where the VP of the simulated turns came from" in result.out
    assert (tmp_path / "run.yaml").read_text("utf-8") == text
    piped = porto("simulate", "random", "--from", "-", "-n", 10, "-j", 1, "--seed", "x", stdin=text)
    assert piped.out == porto(*args).out


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        ((), 2, "like: porto simulate greedy random"),
        (("clever",), 2, "there are random, greedy, level-1, level-2"),
        (("random",) * 5, 2, "1 to 4 strategies"),
        (("random", "--as", "Inês"), 2, "--from"),
        (("random", "--timer", 27), 2, "28, 26 or 24"),
        (("random", "-n", 0), 2, "--games"),
        (("random", "--from", "none.yaml"), 4, "none.yaml"),
        (("random", "--from", "run.yaml", "--as", "Rui"), 2, "Inês, Joana, Afonso"),
        (("random", "random", "--from", "run.yaml"), 2, "or one for each of"),
        (("random", "--from", "run.yaml", "--rotate"), 2, "everybody has a seat"),
        (("random", "--from", "run.yaml", "--first-game"), 2, "leave out"),
    ],
)
def test_what_cannot_be_simulated_is_refused(porto, tmp_path, args, code, words):
    running(3, 3).save(tmp_path / "run.yaml")
    result = porto("simulate", *args)
    assert result.code == code
    assert words in result.err
    assert not result.out


def test_a_game_that_is_over_is_refused(porto, tmp_path):
    match = new_game(["Ana"], seed="x")
    while not match.over:
        match.play(match.legal_moves()[0], player=match.state.seat)
    match.save(tmp_path / "over.yaml")
    result = porto("simulate", "random", "--from", "over.yaml")
    assert result.code == 1
    assert "have been played" in result.err


@pytest.mark.outside
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_gives_the_result_so_far(workers):
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "porto_cli", "simulate", "random", "random"),
            *("-n", "1000000", "-j", workers, "--format", "csv"),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    head = [process.stdout.readline() for _ in range(3)]
    os.killpg(process.pid, signal.SIGINT)
    # Not communicate(): it would leave out what readline() has read ahead.
    out, err = process.stdout.read(), process.stderr.read()
    assert process.wait(timeout=60) == 130
    assert head[0].startswith("game,turns,")
    rows = (head[1] + head[2] + out).splitlines()
    assert len(rows) % 2 == 0
    done = int(rows[-1].split(",")[0])
    assert f"Stopped after {done:,} of 1,000,000 games." in err
    assert "Traceback" not in err
