"""Tournaments: pairings, what counts, and files that go on whatever stopped them."""

from __future__ import annotations

import csv
import io
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from porto_cli.game import BOX, game_of
from porto_cli.players import random_player
from porto_cli.players.named import players_of
from porto_cli.simulate.report import standings_text
from porto_cli.simulate.simulation import Start
from porto_cli.simulate.tournament import (
    PlayedGame,
    Setup,
    TournamentGame,
    games_left,
    is_table,
    pairings,
    play_game,
    play_games,
    read_saved,
    schedule,
    standings,
)
from porto_cli.term.spans import plain
from tests.conftest import run_porto
from tests.documents import validated

NAMES = ["greedy", "level-3", "random"]


def start(seats: int, game: str = "porto") -> Start:
    return Start(game, game_of(game).new_config([f"Player {seat}" for seat in range(seats)]))


# -- Pairings


def test_two_seats_are_a_round_robin() -> None:
    assert pairings("cab", 2) == [[("a", "b")], [("a", "c")], [("b", "c")]]
    games = list(schedule("cab", 2, 5))
    assert len(set(games)) == len(games) == 3 * 5 * 2
    assert games == list(schedule("abc", 2, 5)), "the order of the players makes no difference"


def test_at_larger_tables_one_plays_against_the_others_and_the_other_way_around() -> None:
    assert pairings("ab", 3) == [[("a", "b", "b"), ("b", "a", "a")]]
    assert pairings("ab", 5) == [[("a", "b", "b", "b", "b"), ("b", "a", "a", "a", "a")]]
    games = list(schedule("abc", 4, 5))
    assert len(set(games)) == len(games) == 3 * 5 * 2 * 4


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_a_tournament_can_be_stopped_after_any_deal(seats: int) -> None:
    """All pairings get on evenly, and each deal is played from all seats at once."""
    short, whole = list(schedule("abc", seats, 3)), list(schedule("abc", seats, 7))
    assert whole[: len(short)] == short
    for table in {game.players for game in whole}:
        mine = [(game.deal, game.seat) for game in whole if game.players == table]
        assert mine == [(deal, seat) for deal in range(1, 8) for seat in range(1, seats + 1)]
        assert is_table(table)


def test_nobody_plays_alone_or_at_another_table() -> None:
    with pytest.raises(ValueError, match="two or more seats"):
        list(schedule("ab", 1, 1))
    for players in (("b", "a"), ("a", "a"), ("a", "b", "a"), ("a", "b", "c"), ("a", "a", "b", "b")):
        assert not is_table(players)


def test_every_seat_is_taken_in_turn_with_the_same_deal() -> None:
    seated: list[str] = []
    begun = []

    def noted(name: str) -> Any:
        def play(view: Any, moves: Sequence[Any], rng: random.Random) -> Any:
            if view.table.phase == "keep":
                seated.append(name)
                if view.seat == 0:
                    begun.append((view.table.cards, view.table.contracts, view.table.dealt[0]))
            return random_player(view, moves, rng)

        return play

    players = {"a": noted("a"), "b": noted("b"), "c": noted("c")}
    games = list(schedule("abc", 3, 1))
    for _ in play_games(start(3), players, "r", games):
        pass
    tables = ["".join(seated[first : first + 3]) for first in range(0, len(seated), 3)]
    assert tables[:6] == ["abb", "bab", "bba", "baa", "aba", "aab"]
    assert Counter(tables).most_common(1)[0][1] == 1
    assert len(set(begun)) == 1, "all pairings play the same deals"


# -- The same games whoever plays them


class Cluster(Executor):
    """Stands in for a cluster: futures that end in another order than they were asked for."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(3)
        self.asked = 0

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.asked += 1
        asked = self.asked

        def late() -> Any:
            time.sleep(0.02 * (asked % 3))
            return fn(*args, **kwargs)

        return self._pool.submit(late)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._pool.shutdown(wait, cancel_futures=cancel_futures)


def test_the_games_are_the_same_on_a_cluster() -> None:
    games = list(schedule(NAMES, 2, 2))
    players = players_of("porto")
    alone = list(play_games(start(2), players, "c", games))
    assert [one.game for one in alone] == games
    with Cluster() as cluster:
        there = list(play_games(start(2), players, "c", games, executor=cluster, ahead=4))
    assert cluster.asked == len(games)
    assert sorted(there) == sorted(alone)
    assert standings(NAMES, 2, there) == standings(NAMES, 2, alone)


def test_the_games_are_the_same_on_a_cluster_of_dask() -> None:
    distributed = pytest.importorskip("distributed")
    games = list(schedule(NAMES, 2, 2))
    players = players_of("porto")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        there = play_games(start(2), players, "c", games, executor=client.get_executor())
        assert sorted(there) == sorted(play_games(start(2), players, "c", games))


def test_what_is_left_to_play_is_what_has_no_result() -> None:
    games = list(schedule("abc", 2, 3))
    assert games_left("abc", 2, 3, games) == {}
    assert games_left("abc", 2, 3, games[:-3]) == {("a", "c"): 1, ("b", "c"): 2}
    assert games_left("ab", 3, 10**9, []) == dict.fromkeys(pairings("ab", 3)[0], 3 * 10**9)
    assert games_left("ab", 2, 1, games) == {}


def test_stopping_cancels_games_that_have_not_begun() -> None:
    with ThreadPoolExecutor(1) as executor:
        games = schedule(NAMES, 2, 100_000)
        results = play_games(start(2), players_of("porto"), "s", games, executor=executor)
        next(results)
        results.close()


def test_a_game_does_not_depend_on_who_else_plays_in_the_tournament() -> None:
    game = TournamentGame(("greedy", "random"), 3, 2)
    assert game in schedule(NAMES, 2, 3)
    assert game in schedule(["greedy", "random"], 2, 9)
    players = players_of("porto")
    one = play_game(start(2), players, "x", game)
    assert one == play_game(start(2), players, "x", game)
    assert one != play_game(start(2), players, "y", game)


# -- What counts


def ended(
    players: Sequence[str], deal: int, seat: int, scores: Sequence[int], **facts: Any
) -> PlayedGame:
    """Return a game in which places follow from scores, which may be shared."""
    places = tuple(1 + sum(other > score for other in scores) for score in scores)
    game = TournamentGame(tuple(players), deal, seat)
    return PlayedGame(game, 40, places, tuple(scores), facts.get("finished", True))


def test_shares_and_margins_are_counted_for_both() -> None:
    games = [
        ended("ab", 1, 1, (30, 20)),
        ended("ab", 1, 2, (25, 20)),
        ended("ab", 2, 1, (30, 20)),
        ended("ab", 2, 2, (20, 25)),
    ]
    found = standings(["b", "a"], 2, games)
    one, other = found.against["a", "b"], found.against["b", "a"]
    assert (one.deals, one.games, one.share, one.margin) == (2, 4, 0.75, 5)
    assert (other.deals, other.games, other.share, other.margin) == (2, 4, 0.25, -5)
    assert one.share_doubt == other.share_doubt == pytest.approx(1.96 * (0.5**2 * 2) ** 0.5 / 4)
    assert [player.player for player in found.players] == ["a", "b"]
    assert (found.games, found.deals, found.given_up, found.waiting) == (4, 2, 0, 0)


def test_only_deals_count_that_were_played_from_all_seats() -> None:
    games = [ended("ab", 1, 1, (30, 20)), ended("ab", 1, 2, (30, 20)), ended("ab", 2, 1, (1, 2))]
    found = standings("ab", 2, games)
    assert (found.games, found.waiting, found.against["a", "b"].share) == (2, 1, 1)


def test_a_game_that_was_given_up_counts_for_nothing() -> None:
    games = [ended("ab", 1, 1, (30, 20)), ended("ab", 1, 2, (1, 9), finished=False)]
    found = standings("ab", 2, games)
    assert (found.games, found.given_up, found.against["a", "b"].share) == (1, 1, 1)
    nothing = standings("ab", 2, [one._replace(finished=False) for one in games])
    assert (nothing.games, nothing.given_up, nothing.against) == (0, 2, {})


def test_at_larger_tables_places_are_compared_with_each_other_player() -> None:
    """One of a is second among b, ahead of one and behind the other; one of b is last among a."""
    games = [
        *(ended("abb", 1, seat, (20, 10, 30)) for seat in (1, 2, 3)),
        *(ended("baa", 1, seat, (5, 10, 40)) for seat in (1, 2, 3)),
    ]
    found = standings("ab", 3, games)
    assert (found.games, found.waiting) == (6, 0)
    assert (found.against["a", "b"].share, found.against["a", "b"].margin) == (0.75, 10)
    half = standings("ab", 3, games[:3])
    assert (half.games, half.waiting) == (0, 3)


def test_a_shared_place_is_half_for_both() -> None:
    games = [ended("abb", 1, seat, (20, 20, 10)) for seat in (1, 2, 3)]
    games += [ended("baa", 1, seat, (5, 5, 5)) for seat in (1, 2, 3)]
    assert standings("ab", 3, games).against["a", "b"].share == (3 * 1.5 + 3 * 1) / 12


@pytest.mark.long
def test_a_stronger_player_is_rated_higher_in_both_games() -> None:
    for game, seats in (("porto", 3), ("puerto-rico", 3)):
        names = ["greedy", "random"]
        games = schedule(names, seats, 3)
        played = list(play_games(start(seats, game), players_of(game), "t", games))
        found = standings(names, seats, played)
        assert [one.player for one in found.players] == ["greedy", "random"]


def test_the_best_come_first_and_those_beyond_stand_at_the_ends() -> None:
    games = []
    for deal in range(1, 9):
        for seat in (1, 2):
            games += [ended(pair, deal, seat, (9, 1)) for pair in ("ab", "ac", "bd", "cd", "ad")]
            games.append(ended("bc", deal, seat, (9, 1) if deal % 4 else (1, 9)))
    found = standings("dcba", 2, games)
    assert [one.player for one in found.players] == ["a", "b", "c", "d"]
    a, b, c, d = (one.rating for one in found.players)
    assert a.elo is None
    assert a.low is not None
    assert b.elo is not None
    assert c.elo is not None
    assert b.elo > c.elo
    assert d.high is not None


# -- The command


CUP = ("tournament", "greedy", "2", "random", "--deals", 3, "--seed", "tram", "-j", 1)


@pytest.mark.long
def test_the_table_fits_and_says_what_is_meant(porto, monkeypatch: pytest.MonkeyPatch) -> None:
    for width in ("60", "80"):
        monkeypatch.setenv("COLUMNS", width)
        done = porto(*CUP)
        assert (done.code, done.err) == (0, "")
        assert all(len(line) <= int(width) for line in done.out.splitlines())
        for word in ("1 level-2", "3 random", "at most", "won %", "Games: 18. Deals: 3", "tram"):
            assert word in done.out


@pytest.mark.parametrize("width", [44, 59, 79, 159])
def test_many_players_with_long_names_fit(width: int) -> None:
    names = [f"a folder with a long name/mine.py:player_{nth}" for nth in range(12)]
    rnd = random.Random(width)
    played = []
    for game in schedule(names, 2, 3):
        scores = (rnd.randrange(100), 100 + rnd.randrange(50))
        played.append(ended(game.players, game.deal, game.seat, scores))
    setup = Setup("porto", 1, "1", (), 2, "s", 3, dict.fromkeys(names))
    result = standings(names, 2, played)
    text = [plain(line) for line in standings_text(result, setup, None, width)]
    assert all(len(line) <= width for line in text)
    for number in range(1, 13):
        # In the first table once, in the other two as often as they are parted.
        of_one = [line for line in text if line.startswith(f"{number:>2} …")]
        assert len(of_one) >= (5 if width < 100 else 3)
        assert len({line.split()[1] for line in of_one}) == 1
    heads = [line.split() for line in text if line[:8].isspace()]
    assert [word for head in heads for word in head][-24:] == [*map(str, range(1, 13))] * 2


def test_a_shell_offers_the_players_of_the_game() -> None:
    from porto_cli.cli.complete import computer_players, strategies

    def offered(offer: Any, word: str, **typed: Any) -> list[str]:
        return offer(SimpleNamespace(params=typed), word)

    assert offered(computer_players, "lev", players=["level-4"]) == [
        *("level-1", "level-2", "level-3", "level-5")
    ]
    assert offered(strategies, "G") == ["Greedy"]
    assert "priced" in offered(computer_players, "", game="puerto-rico")
    assert offered(strategies, "", game="chess") == []


def test_an_anchor_is_zero(porto) -> None:
    done = porto(*CUP, "--anchor", "greedy", "--format", "json")
    found = validated("tournament", done.out)
    (greedy,) = (one for one in found["players"] if one["player"] == "greedy")
    assert (found["anchor"], greedy["elo"], greedy["low"], greedy["high"]) == ("greedy", 0, 0, 0)
    assert "greedy is 0" in porto(*CUP, "--anchor", "GREEDY").out
    assert porto(*CUP, "--anchor", "2", "--format", "json").out.count('"anchor": "level-2"') == 1


def test_json_and_csv_tell_the_same(porto) -> None:
    found = validated("tournament", porto(*CUP, "--format", "json").out)
    assert found["complete"]
    assert (found["seed"], found["seats"], found["games"]) == ("tram", 2, 18)
    done = porto(*CUP, "--format", "csv")
    assert done.err == "Seed: tram\n"
    rows = list(csv.DictReader(io.StringIO(done.out)))
    flat = [(one["player"], other) for one in found["players"] for other in one["against"]]
    assert len(rows) == len(flat) == 6
    for row, (player, other) in zip(rows, flat, strict=True):
        assert (row["player"], row["opponent"]) == (player, other["opponent"])
        assert float(row["share"]) == pytest.approx(other["share"], abs=1e-4)
        assert float(row["margin"]) == pytest.approx(other["margin"], abs=0.01)
        assert (int(row["deals"]), int(row["games"])) == (other["deals"], other["games"])


@pytest.mark.parametrize("seats", [3, 4])
def test_tables_for_more(porto, seats: int) -> None:
    done = porto(
        *("tournament", "greedy", "random", "--seats", seats, "-n", 1, "-j", 1),
        *("--format", "json", "--seed", "s"),
    )
    found = validated("tournament", done.out)
    assert found["games"] == 2 * seats


@pytest.mark.long
def test_puerto_rico_has_tables_for_five(porto) -> None:
    words = ("--game", "puerto-rico", "--seats", 5, "-n", 1, "-j", 1)
    done = porto("tournament", "greedy", "random", *words)
    assert done.code == 0
    assert "Games: 10. Deals: 1" in done.out
    assert "with 4 of another one" in done.out


@pytest.mark.long
def test_code_of_the_user_plays(porto) -> None:
    Path("mine.py").write_text("def choose(seen):\n    return seen.moves[0].move\n", "utf-8")
    done = porto("tournament", "mine.py:choose", "random", "-n", 2, "-j", 1, "--seed", "x")
    assert (done.code, done.err) == (0, "")
    assert "mine.py:choose" in done.out
    simulated = porto("simulate", "mine.py:choose", "5:2", "-n", 1, "-j", 1, "--format", "csv")
    assert {row["strategy"] for row in csv.DictReader(io.StringIO(simulated.out))} == {
        *("mine.py:choose", "level-5:2")
    }


@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=pytest.mark.outside)])
def test_code_that_fails_is_reported_and_loses_no_game(porto, workers: int) -> None:
    Path("mine.py").write_text(
        "played = 0\ndef whole(view, moves, rng):\n    global played\n    played += 1\n"
        "    return moves[0] if played < 200 else 1 / 0\n",
        "utf-8",
    )
    done = porto("tournament", "mine.py:whole", "random", "-j", workers, "--save", "cup.jsonl")
    assert (done.code, done.out) == (3, "")
    assert "mine.py:whole has failed in line 5: ZeroDivisionError" in done.err
    saved = read_saved(Path("cup.jsonl"))
    assert saved
    assert saved.played


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        ((), 2, "two players or more"),
        (("greedy",), 2, "two players or more"),
        (("greedy", "GREEDY"), 2, "greedy was named twice"),
        (("4", "level-4"), 2, "level-4 was named twice"),
        (("greedy", "clever"), 2, "there are random, greedy"),
        (("greedy", "random", "--seats", 5), 2, "has 2 to 4 seats"),
        (("greedy", "random", "--timer", 24), 2, "--timer"),
        (("greedy", "random", "--anchor", "4"), 2, "level-4 of --anchor does not play"),
        (("greedy", "random", "--save", "-"), 2, "which '-' is not"),
        (("greedy", "random", "--save", "."), 4, "is a folder"),
        (("greedy", "random", "--save", "no/cup.jsonl"), 4, "cannot be written"),
        (("greedy", "random", "--save", "/dev/null"), 4, "is not a regular file"),
        (("greedy", "no.py:choose"), 4, "no.py"),
        (("greedy", "random", "--format", "json", "--color", "always"), 2, "no colors"),
    ],
)
def test_what_cannot_be_played_is_refused(porto, args: Any, code: int, words: str) -> None:
    done = porto("tournament", *args, "-n", 1, "-j", 1)
    assert (done.code, done.out) == (code, "")
    assert words in done.err


def test_one_player_alone_is_sent_to_simulate(porto) -> None:
    done = porto("tournament", "greedy", "random", "--seats", 1)
    assert done.code == 2
    assert "porto simulate" in done.err


# -- Files


def lines(file: str = "cup.jsonl") -> list[str]:
    return Path(file).read_text("utf-8").splitlines(keepends=True)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """The file of a whole tournament, and how its table looks."""
    file = tmp_path_factory.mktemp("cup") / "whole.jsonl"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", "80")
        done = run_porto(*CUP, "--save", file)
    assert (done.code, done.err) == (0, "")
    return file.read_text("utf-8"), done.out


@pytest.fixture
def saved(porto, whole: tuple[str, str]) -> Any:
    """The program, with a whole tournament in whole.jsonl, and how its table looks."""
    text, table = whole
    Path("whole.jsonl").write_text(text, "utf-8")

    def again(*args: Any) -> Any:
        return porto("tournament", "--save", "cup.jsonl", "-j", 1, *args)

    again.table = table  # type: ignore[attr-defined]
    return again


@pytest.mark.long
def test_a_file_has_a_line_for_the_setup_and_one_for_each_game(saved) -> None:
    head, *games = map(json.loads, lines("whole.jsonl"))
    assert (head["porto"], head["tournament"], head["seed"]) == (1, "porto", "tram")
    assert list(head["players"]) == ["greedy", "level-2", "random"]
    assert len(games) == 18
    assert games[1].keys() == {
        *("players", "deal", "seat", "turns", "places", "scores", "finished")
    }


@pytest.mark.long_for("1", "2")
@pytest.mark.parametrize("kept", [1, 2, 8, 18, 19])
def test_what_was_stopped_goes_on_to_the_same_table(saved, kept: int) -> None:
    Path("cup.jsonl").write_text("".join(lines("whole.jsonl")[:kept]), "utf-8")
    before = lines()
    done = saved()
    assert (done.code, done.err, done.out) == (0, "", saved.table)
    assert lines()[:kept] == before, "lines are only added"
    assert sorted(lines()) == sorted(lines("whole.jsonl"))
    assert saved().out == done.out
    assert len(lines()) == 19


@pytest.mark.parametrize("cut", [1, 5, 60])
def test_a_last_line_that_was_cut_off_is_played_again(saved, cut: int) -> None:
    text = "".join(lines("whole.jsonl")[:9])
    Path("cup.jsonl").write_text(text[: -1 - cut], "utf-8")
    done = saved()
    assert (done.code, done.out) == (0, saved.table)
    assert "The last line of cup.jsonl was cut off" in done.err
    assert sorted(lines()) == sorted(lines("whole.jsonl"))


@pytest.mark.parametrize("rest", [b"", b"\x00\x00\x00", b"\xc3", b'{"players": ["gre'])
def test_rubbish_at_the_end_is_a_line_that_was_cut_off(saved, rest: bytes) -> None:
    text = "".join(lines("whole.jsonl")[:9]).encode()
    Path("cup.jsonl").write_bytes(text + rest)
    done = saved()
    assert (done.code, done.out, bool(done.err)) == (0, saved.table, bool(rest))
    assert sorted(lines()) == sorted(lines("whole.jsonl"))


def test_an_editor_may_have_been_there(saved) -> None:
    """Other line ends, an empty line, a mark at the beginning, no line end at the last line."""
    text = "\ufeff" + "".join(lines("whole.jsonl")[:9]).replace("\n", "\r\n") + "\r\n"
    Path("cup.jsonl").write_text(text.rstrip(), "utf-8", newline="")
    done = saved()
    assert (done.code, done.err, done.out) == (0, "", saved.table)
    assert saved().out == saved.table


@pytest.mark.long
def test_more_players_and_deals_can_be_added(saved, porto) -> None:
    Path("cup.jsonl").write_text("".join(lines("whole.jsonl")), "utf-8")
    done = saved("level-3", "--deals", 4)
    assert (done.code, done.err) == (0, "")
    whole = porto(
        *("tournament", "level-3", "random", "2", "greedy", "-n", 4, "--seed", "tram", "-j", 1)
    )
    assert done.out == whole.out
    assert lines()[:19] == lines("whole.jsonl")
    assert len(lines()) == 19 + 1 + 6 * 4 * 2 - 18
    fewer = saved("--deals", 2)
    assert fewer.out == whole.out, "what was played counts"


def test_what_is_left_out_is_taken_from_the_file(porto) -> None:
    words = ("--seats", 3, "--first-game", "--tie-break", "seat-first", "-n", 1, "-j", 1)
    first = porto("tournament", "greedy", "random", *words, "--save", "cup.jsonl")
    again = porto("tournament", "--save", "cup.jsonl", "-j", 1)
    assert (again.code, again.out) == (0, first.out)
    again = porto("tournament", "greedy", "random", *words, "--save", "cup.jsonl")
    assert (again.code, again.out) == (0, first.out)


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--seed", "other"), "Seed: tram in the file, other here."),
        (("--seats", 3), "Seats: 2 in the file, 3 here."),
        (("--first-game",), "private-contracts: false"),
        (("--game", "puerto-rico", "greedy"), "Game: porto in the file, puerto-rico here."),
    ],
)
def test_another_tournament_is_not_mixed_with_that_of_the_file(saved, args: Any, said: str) -> None:
    Path("cup.jsonl").write_text("".join(lines("whole.jsonl")[:9]), "utf-8")
    before = Path("cup.jsonl").read_bytes()
    done = saved(*args)
    assert (done.code, done.out) == (2, "")
    assert "cup.jsonl has another tournament, so nothing was played:" in done.err
    assert said in done.err
    assert Path("cup.jsonl").read_bytes() == before


def test_another_version_of_the_players_or_of_the_code_is_another_player(
    saved, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("mine.py").write_text("def whole(view, moves, rng):\n    return moves[0]\n", "utf-8")
    assert saved("mine.py:whole", "random", "-n", 1).code == 0
    Path("mine.py").write_text("def whole(view, moves, rng):\n    return moves[-1]\n", "utf-8")
    done = saved("mine.py:whole")
    assert done.code == 2
    assert "Player mine.py:whole: the code differs from that of the file." in done.err
    newer = BOX["porto"]._replace(bots_version=99)
    monkeypatch.setitem(BOX, "porto", newer)
    assert "Version of the players: 1 in the file, 99 here." in saved().err


def test_code_that_a_file_names_is_not_run(saved) -> None:
    """A file may come from somebody else."""
    Path("evil.py").write_text("open('harm', 'w')\n", "utf-8")
    text = lines("whole.jsonl")[0].replace('"random"', '"evil.py:choose"')
    Path("cup.jsonl").write_text(text, "utf-8")
    done = saved()
    assert done.code == 2
    assert "evil.py:choose still has games to play. It runs code of yours" in done.err
    assert not Path("harm").exists()


def test_results_of_code_can_be_looked_at_without_it(saved) -> None:
    Path("mine.py").write_text("def whole(view, moves, rng):\n    return moves[0]\n", "utf-8")
    first = saved("mine.py:whole", "random", "-n", 1, "--seed", "x")
    Path("mine.py").unlink()
    assert saved("--format", "json").code == 0
    assert saved().out == first.out


@pytest.mark.parametrize(
    ("line", "change", "said"),
    [
        (1, lambda text: "# Porto game record\n", "1:1: This is not a tournament file"),
        (1, lambda text: "{}\n", "1:1: This is not a tournament file"),
        (1, lambda text: re.sub(r'"players": .*}', '"players": []}', text), "not a tournament"),
        (1, lambda text: "[]\n", "1:1: This is not a tournament file"),
        (1, lambda text: text.replace('"porto": 1', '"porto": 2'), "not a tournament file"),
        (1, lambda text: text.replace("greedy", "gr\\u001b[31medy"), "not a tournament file"),
        (4, lambda text: "nothing\n", "4:1: This line is not a game"),
        (4, lambda text: "[" * 100_000 + "\n", "4:1: This line is not a game"),
        (4, lambda text: text.replace('"seat": 1', '"seat": 3'), "4:1: This line is not a game"),
        (4, lambda text: text.replace('"deal": 1', '"deal": 0'), "4:1: This line is not a game"),
        (4, lambda text: text.replace('"deal": 1', '"deal": true'), "4:1: This line is not a game"),
        (4, lambda text: text.replace("greedy", "level-3"), "4:1: This line is not a game"),
        (4, lambda text: text.replace("true", "1"), "4:1: This line is not a game"),
        (
            4,
            lambda text: re.sub(r'"(greedy|random)", "(.*?)"', r'"\2", "\1"', text),
            "4:1: This line is not a game",
        ),
    ],
)
def test_a_file_that_is_not_valid_is_left_as_it_is(
    saved, line: int, change: Any, said: str
) -> None:
    text = lines("whole.jsonl")
    changed = change(text[line - 1])
    assert changed != text[line - 1]
    text[line - 1] = changed
    Path("cup.jsonl").write_text("".join(text), "utf-8")
    before = Path("cup.jsonl").read_bytes()
    done = saved()
    assert (done.code, done.out) == (3, "")
    assert said in done.err
    assert Path("cup.jsonl").read_bytes() == before


def test_another_file_is_never_cut(porto) -> None:
    """Not even one whose only line has no end."""
    Path("notes.txt").write_text("milk, eggs", "utf-8")
    done = porto("tournament", "greedy", "random", "--save", "notes.txt")
    assert done.code == 3
    assert Path("notes.txt").read_text("utf-8") == "milk, eggs"


@pytest.mark.long
def test_an_empty_file_is_a_new_one(porto) -> None:
    Path("cup.jsonl").touch()
    assert porto(*CUP, "--save", "cup.jsonl").code == 0
    assert len(lines()) == 19


def test_a_full_disk_is_reported(porto, monkeypatch: pytest.MonkeyPatch) -> None:
    from porto_cli.simulate import tournament

    def full(self: Any, line: str) -> None:
        raise tournament._cannot_write(Path("cup.jsonl"), OSError(28, "No space left"))

    monkeypatch.setattr(tournament.Appended, "add", full)
    done = porto(*CUP, "--save", "cup.jsonl")
    assert done.code == 4
    assert "No space left. The games in it are kept; the same command continues." in done.err


@pytest.mark.outside
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.parametrize("end", ["SIGINT", "SIGTERM", "SIGHUP", "SIGKILL"])
def test_a_tournament_that_was_stopped_or_killed_goes_on(porto, workers: str, end: str) -> None:
    words = ("tournament", "greedy", "level-2", "random", "-n", "15", "--seed", "k")
    whole = porto(*words, "-j", 2)
    with subprocess.Popen(
        [sys.executable, "-m", "porto_cli", *words, "-j", workers, "--save", "cup.jsonl"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        while not Path("cup.jsonl").exists() or len(lines()) < 12:
            time.sleep(0.02)
        os.killpg(process.pid, signal.Signals[end])
        out, err = process.communicate(timeout=60)
    assert "Traceback" not in err
    played = len(lines()) - 1
    assert 11 <= played < 90
    if end == "SIGINT":
        assert process.returncode == 130
        assert "Games: " in out
        assert (
            f"Stopped after {played} of 90 games, which are in cup.jsonl; the same command resumes."
            in err
        )
    done = porto(*words, "-j", 2, "--save", "cup.jsonl")
    assert done.code == 0
    assert done.out == whole.out
    assert len(lines()) == 91


@pytest.mark.outside
def test_a_process_that_dies_is_reported(porto) -> None:
    code = "import os\ndef whole(view, moves, rng):\n    os._exit(1)\n"
    Path("dies.py").write_text(code, "utf-8")
    done = porto("tournament", "dies.py:whole", "random", "-j", 2, "--save", "cup.jsonl")
    assert (done.code, done.out) == (4, "")
    assert "A worker process ended before its games did" in done.err


@pytest.mark.outside
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.timeout(60)
def test_ctrl_c_waits_for_no_slow_player(porto) -> None:
    Path("slow.py").write_text(
        "from time import sleep\ndef whole(view, moves, rng):\n    sleep(600)\n", "utf-8"
    )
    for workers in ("1", "2"):
        with subprocess.Popen(
            [
                *(sys.executable, "-m", "porto_cli", "tournament", "slow.py:whole", "random"),
                *("-j", workers, "--save", f"cup-{workers}.jsonl"),
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        ) as process:
            while not Path(f"cup-{workers}.jsonl").exists():
                time.sleep(0.02)
            time.sleep(0.5)
            os.killpg(process.pid, signal.SIGINT)
            out, err = process.communicate(timeout=20)
        assert process.returncode == 130, err
        assert "No deal was played" in out
        assert "Stopped after 0 of 200 games" in err
