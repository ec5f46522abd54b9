"""Round robins and intervals of simulations, and files from which simulations go on."""

from __future__ import annotations

import csv
import io
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import porto_cli
from porto_cli.games import BOX, game_of
from porto_cli.players import random_player
from porto_cli.players.named import players_of
from porto_cli.simulate import BLOCKS, GameResult, SeatResult, Start, Tally, simulate
from tests.conftest import run_porto
from tests.documents import validated


def start(seats: int, game: str = "porto") -> Start:
    return Start(game, game_of(game).new_config([f"Player {seat}" for seat in range(seats)]))


# -- Who plays whom


def test_every_table_is_played_from_every_seat_with_the_same_deals() -> None:
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

    players = [noted(name) for name in "abcd"]
    results = list(simulate(start(3), players, 2, seed="r", rotate=True))
    tables = ["".join(seated[first : first + 3]) for first in range(0, len(seated), 3)]
    of_a_deal = [
        *("abc", "cab", "bca", "abd", "dab", "bda", "acd", "dac", "cda", "bcd", "dbc", "cdb")
    ]
    assert tables == of_a_deal * 2
    assert [result.number for result in results] == list(range(1, 25))
    assert [result.deal for result in results] == [1] * 12 + [2] * 12
    assert len(set(begun[:12])) == len(set(begun[12:])) == 1, "all tables have the same deals"
    for table, result in zip(tables, results, strict=True):
        at_their_seats = {
            result.played[nth].seat: "abcd"[one] for nth, one in enumerate(result.players)
        }
        assert "".join(at_their_seats[seat] for seat in range(3)) == table


@pytest.mark.long
def test_a_game_does_not_depend_on_who_else_takes_part() -> None:
    named = players_of("porto")
    few = simulate(start(2), [named["greedy"], random_player], 2, seed="x", rotate=True)
    players = [named["level-3"], named["greedy"], random_player]
    more = simulate(start(2), players, 3, seed="x", rotate=True)
    again = [one._replace(number=0, players=(0, 1)) for one in more if one.players == (1, 2)]
    assert again[:4] == [one._replace(number=0) for one in few]


@pytest.mark.long
def test_the_command_plays_a_round_robin(porto) -> None:
    words = ("simulate", "greedy", "random", "2", "--seats", 2, "-n", 3, "--seed", "a", "-j", 1)
    done = porto(*words)
    assert (done.code, done.err) == (0, "")
    assert "Games: 18." in done.out
    head, *rows = done.out[done.out.index("How often each row") :].splitlines()[1:5]
    assert head.split() == ["1", "2", "3"]
    assert [row.split()[:3] for row in rows] == [
        *(["greedy", "1", "-"], ["random", "2", "0.0"], ["level-2", "3", "100.0"])
    ]
    assert porto(*words) == done, "intervals follow from the seed as well"
    found = validated("simulate", porto(*words, "--format", "json").out)
    assert (found["deals"], found["games"], found["seats"], found["rotate"]) == (3, 18, 2, True)
    assert [one["games"] for one in found["players"]] == [12, 12, 12]
    best = found["players"][2]
    assert (best["player"], best["strategy"], best["won"]["share"]) == ("level-2 3", "level-2", 1)
    assert sum(best["figures"]["sources"].values()) == pytest.approx(best["score"]["mean"])
    assert [(one["player"], one["games"]) for one in best["against"]] == [
        *(("greedy 1", 6), ("random 2", 6))
    ]
    lines = [json.loads(line) for line in porto(*words, "--format", "jsonl").out.splitlines()]
    assert len(lines) == 18
    assert {tuple(one["player"] for one in line["players"]) for line in lines} == {
        *(("greedy 1", "random 2"), ("greedy 1", "level-2 3"), ("random 2", "level-2 3"))
    }
    rows = list(csv.DictReader(io.StringIO(porto(*words, "--format", "csv").out)))
    assert [row["player"] for row in rows[:4]] == ["greedy 1", "random 2"] * 2


def test_seats_for_everybody_are_a_rotation(porto) -> None:
    words = ("simulate", "greedy", "random", "-n", 2, "--seed", "a", "-j", 1)
    assert porto(*words, "--seats", 2) == porto(*words, "--rotate")


def test_alone_all_strategies_have_the_same_deals(porto) -> None:
    words = ("--seats", 1, "-n", 2, "--seed", "a", "-j", 1, "--format", "json")
    found = validated("simulate", porto("simulate", "greedy", "2", *words).out)
    assert (found["games"], found["seats"]) == (4, 1)
    assert [one["against"] for one in found["players"]] == [[], []]


@pytest.mark.long_for("puerto-rico-5")
@pytest.mark.parametrize(("game", "seats"), [("porto", 3), ("puerto-rico", 5)])
def test_tables_for_more(porto, game: str, seats: int) -> None:
    words = ("--game", game, "--seats", seats, "-n", 1, "-j", 1, "--format", "json")
    found = validated("simulate", porto("simulate", *["random"] * (seats + 1), *words).out)
    assert found["games"] == (seats + 1) * seats


@pytest.mark.long
@pytest.mark.parametrize("width", [60, 80, 160])
def test_many_players_with_long_names_fit(
    porto, monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    file = Path("a folder with a long name/mine.py")
    file.parent.mkdir()
    file.write_text(
        "".join(f"def player_{nth}(view, moves, rng):\n    return moves[0]\n" for nth in range(6)),
        "utf-8",
    )
    names = [f"{file}:player_{nth}" for nth in range(6)]
    out = porto("simulate", *names, "--seats", 2, "-n", 1, "-j", 1, "--seed", "s").out
    text = out[out.index("How often each row") : out.index("Where the VP")].splitlines()
    assert all(len(line) < width for line in text)
    for number in range(1, 7):
        assert sum(f":player_{number - 1} {number} " in line for line in text) >= 1


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        (("greedy",) * 5, 2, "Name 1 to 4 strategies, or more with --seats"),
        (("greedy", "random", "--seats", 5), 2, "A game of Porto has 1 to 4 seats."),
        (("greedy", "random", "--seats", 3), 2, "needs at least 3 strategies"),
        (("greedy", "--seats", 2, "--from", "x.yaml"), 2, "everybody has a seat"),
        (("greedy", "random", "--save", "-"), 2, "needs a file that can be read again"),
        (("greedy", "random", "--save", "."), 4, "is a folder"),
        (("greedy", "random", "--save", "no/cup.jsonl"), 4, "cannot be written"),
        (("greedy", "random", "--save", "/dev/null"), 4, "is not a regular file"),
        (("greedy", "no.py:choose"), 4, "no.py"),
        (("greedy", "random", "--format", "json", "--color", "always"), 2, "no colors"),
        (("greedy", "random", "--seed", "\udcff"), 2, "--seed takes printable text"),
    ],
)
def test_what_cannot_be_played_is_refused(porto, args: Any, code: int, words: str) -> None:
    done = porto("simulate", *args, "-n", 1, "-j", 1)
    assert (done.code, done.out) == (code, "")
    assert words in done.err


def test_who_types_tournament_is_told_what_to_type(porto) -> None:
    done = porto("tournament", "greedy", "random")
    assert done.code == 2
    assert "porto simulate greedy level-2 level-3 --seats 2" in done.err


# -- On a cluster


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


@pytest.mark.long
def test_the_games_are_the_same_on_a_cluster() -> None:
    players = [players_of("porto")[name] for name in ("greedy", "level-3", "random")]
    alone = list(simulate(start(2), players, 2, seed="c", rotate=True))
    with Cluster() as cluster:
        there = list(simulate(start(2), players, 2, seed="c", rotate=True, executor=cluster))
    assert cluster.asked == len(alone) == 12
    assert there == alone


# -- How far a share may be off


def ended(deal: int, *won: bool, players: Sequence[int] = (0, 1)) -> GameResult:
    """Return a game of which only who won, and so was ahead, is of interest."""
    played = tuple(
        SeatResult(seat, 1 if one else 2, 7, one, Counter()) for seat, one in enumerate(won)
    )
    return GameResult(0, deal, tuple(players), played, turns=40, finished=True)


@pytest.mark.long
def test_an_interval_follows_from_the_deals() -> None:
    """Games of a deal share their luck: eight games of four deals tell less than eight deals."""
    deals = range(1, 41)
    split = Tally(2, (ended(deal, seat, not seat) for deal in deals for seat in (True, False)))
    paired = Tally(
        2, (ended(deal, *[deal % 2 == 0, deal % 2 == 1]) for deal in deals for _ in "ab")
    )
    assert split.won(0).share == paired.won(0).share == 0.5
    assert split.won(0).high - split.won(0).low < 0.15
    assert 0.25 < paired.won(0).high - paired.won(0).low < 0.35
    rng = random.Random(1)
    toss = ((deal, rng.random() < 0.5) for deal in range(1, 10 * BLOCKS))
    more = Tally(2, (ended(deal, won, not won) for deal, won in toss))
    assert 0.02 < more.won(0).high - more.won(0).low < 0.04


def test_a_few_deals_that_were_all_won_prove_little() -> None:
    for deals, least, most in ((1, 0, 0), (3, 0.2, 0.5), (100, 0.94, 0.98)):
        share = Tally(2, (ended(deal, True, False) for deal in range(1, deals + 1))).won(0)
        assert (share.share, share.high) == (1, 1)
        assert least <= share.low <= most


@pytest.mark.long
def test_an_interval_holds_the_truth_as_often_as_it_says() -> None:
    rng = random.Random(1)
    held = 0
    for nth in range(60):
        games = (
            ended(deal, won, not won)
            for deal in range(1, 61)
            for luck in [rng.random()]
            for won in [luck < 0.7, (luck if rng.random() < 0.5 else rng.random()) < 0.7]
        )
        share = Tally(2, games, seed=str(nth)).won(0)
        held += share.low <= 0.7 <= share.high
    assert held >= 53


def test_who_is_ahead_is_counted_for_both_and_a_shared_place_is_half() -> None:
    games = [ended(1, True, False), ended(1, True, False), ended(2, False, False)]
    tally = Tally(3, [*games, ended(2, False, True), ended(2, True, False, players=(2, 0))])
    one, other = tally.ahead(0, 1), tally.ahead(1, 0)
    assert one
    assert other
    assert (one.share, other.share, one.games, other.games) == (2.5 / 4, 1.5 / 4, 4, 4)
    assert (one.low, one.high) == (1 - other.high, 1 - other.low)
    assert tally.ahead(1, 2) is None
    assert tally.won(0).games == 5
    with pytest.raises(ValueError, match="No game"):
        Tally(2).won(0)


# -- Files


CUP = ("simulate", "greedy", "2", "random", "--seats", 2, "-n", 3, "--seed", "tram", "-j", 1)


def lines(file: str = "cup.jsonl") -> list[str]:
    return Path(file).read_text("utf-8").splitlines(keepends=True)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """The file of a whole simulation, and how its tables look."""
    file = tmp_path_factory.mktemp("cup") / "whole.jsonl"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", "80")
        done = run_porto(*CUP, "--save", file)
    assert (done.code, done.err) == (0, "")
    return file.read_text("utf-8"), done.out


@pytest.fixture
def saved(porto, whole: tuple[str, str]) -> Any:
    """The same command, with the file of all its games in whole.jsonl, and how its tables look."""
    text, tables = whole
    Path("whole.jsonl").write_text(text, "utf-8")

    def again(*args: Any) -> Any:
        return porto(*CUP, "--save", "cup.jsonl", *args)

    again.tables = tables  # type: ignore[attr-defined]
    return again


@pytest.mark.long
def test_a_file_has_a_line_for_what_is_played_and_one_for_each_game(saved) -> None:
    head, *games = lines("whole.jsonl")
    facts = json.loads(head)
    assert (facts["file"], facts["game"], facts["seed"]) == ("simulation", "porto", "tram")
    assert "".join(games) == saved("--format", "jsonl").out


@pytest.mark.long
@pytest.mark.parametrize("kept", [1, 2, 8, 18, 19])
@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=pytest.mark.outside)])
def test_what_was_stopped_goes_on_to_the_same_tables(saved, kept: int, workers: int) -> None:
    Path("cup.jsonl").write_text("".join(lines("whole.jsonl")[:kept]), "utf-8")
    done = saved("-j", workers)
    assert (done.code, done.err, done.out) == (0, "", saved.tables)
    assert lines() == lines("whole.jsonl")
    assert saved().out == done.out
    assert len(lines()) == 19


def test_the_seed_is_taken_from_the_file(porto) -> None:
    words = ("simulate", "greedy", "random", "-n", 2, "-j", 1, "--save", "cup.jsonl")
    assert porto(*words).out == porto(*words).out


@pytest.mark.long_for('{"players": ["gre')
@pytest.mark.parametrize("rest", [b"\x00\x00\x00", b"\xc3", b'{"players": ["gre', b"{}"])
def test_a_last_line_that_was_cut_off_is_played_again(saved, rest: bytes) -> None:
    text = "".join(lines("whole.jsonl")[:9]).encode()
    Path("cup.jsonl").write_bytes(text + rest)
    done = saved()
    assert (done.code, done.out) == (0, saved.tables)
    assert "The last line of cup.jsonl was cut off" in done.err
    assert lines() == lines("whole.jsonl")


def test_an_editor_may_have_been_there(saved) -> None:
    """Other line ends, an empty line, a mark at the beginning."""
    text = "\ufeff" + "".join(lines("whole.jsonl")[:9]).replace("\n", "\r\n") + "\r\n"
    Path("cup.jsonl").write_text(text, "utf-8", newline="")
    done = saved()
    assert (done.code, done.err, done.out) == (0, "", saved.tables)


@pytest.mark.long
def test_more_strategies_and_games_can_be_added(saved, porto) -> None:
    Path("cup.jsonl").write_text("".join(lines("whole.jsonl")), "utf-8")
    words = ("simulate", "greedy", "2", "3", "random", "--seats", 2, "-n", 4, "-j", 1)
    done = porto(*words, "--save", "cup.jsonl")
    assert (done.code, done.err) == (0, "")
    assert done.out == porto(*words, "--seed", "tram").out
    assert lines()[:19] == lines("whole.jsonl"), "lines are only added"
    assert len(lines()) == 1 + 6 * 4 * 2
    assert saved().out == saved.tables, "what is not wanted stays out"


@pytest.mark.long
def test_code_that_changed_is_another_player(saved, porto) -> None:
    mine = ("simulate", "mine.py:whole", "random", "-n", 2, "-j", 1, "--save", "mine.jsonl")
    Path("mine.py").write_text("def whole(view, moves, rng):\n    return moves[0]\n", "utf-8")
    assert porto(*mine).code == 0
    Path("mine.py").write_text("def whole(view, moves, rng):\n    return moves[-1]\n", "utf-8")
    changed = porto(*mine)
    head, *games = lines("mine.jsonl")
    assert len(games) == 4, "the games were played again"
    seed = json.loads(head)["seed"]
    assert changed.out == porto(*mine[:-2], "--seed", seed).out
    assert porto(*mine).out == changed.out
    assert len(lines("mine.jsonl")) == 5
    for line in games:
        validated("simulation", line)


def test_a_running_game_is_played_on_from_a_file_as_well(porto) -> None:
    game = porto_cli.new_game(["Ana", "Rui"], seed="tram", first="Ana")
    for player in ("Ana", "Rui"):
        game.play("keep 1 2 3", player=player)
    game.save("game.yaml")
    words = ("simulate", "random", "--from", "game.yaml", "--as", "Ana", "-n", 2, "-j", 1)
    first = porto(*words, "--save", "cup.jsonl")
    assert (first.code, len(lines())) == (0, 3)
    assert porto(*words, "--save", "cup.jsonl").out == first.out
    game.play(game.observe("Ana")["moves"][0]["move"], player="Ana")
    game.save("game.yaml")
    done = porto(*words, "--save", "cup.jsonl")
    assert (done.code, "position: " in done.err) == (2, True)


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--seed", "other"), 'seed: "tram" in the file, "other" here.'),
        (("--seats", 3), "seats: 2 in the file, 3 here."),
        (("--first-game",), "private-contracts: false"),
        (("--game", "puerto-rico"), 'game: "porto" in the file, "puerto-rico" here.'),
    ],
)
def test_another_simulation_is_not_mixed_with_that_of_the_file(saved, args: Any, said: str) -> None:
    Path("cup.jsonl").write_text("".join(lines("whole.jsonl")[:9]), "utf-8")
    before = Path("cup.jsonl").read_bytes()
    done = saved(*args)
    assert (done.code, done.out) == (2, "")
    assert "cup.jsonl has another simulation, so nothing was played:" in done.err
    assert said in done.err
    assert Path("cup.jsonl").read_bytes() == before


def test_another_version_of_the_players_is_another_simulation(
    saved, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("cup.jsonl").write_text("".join(lines("whole.jsonl")[:9]), "utf-8")
    monkeypatch.setitem(BOX, "porto", BOX["porto"]._replace(bots_version=99))
    assert "bots_version: 1 in the file, 99 here." in saved().err


def test_code_that_a_file_names_is_not_run(saved) -> None:
    """A file may come from somebody else."""
    Path("evil.py").write_text("open('harm', 'w')\n", "utf-8")
    text = "".join(lines("whole.jsonl")[:9]).replace('"random"', '"evil.py:choose"')
    Path("cup.jsonl").write_text(text, "utf-8")
    assert saved().out == saved.tables
    assert not Path("harm").exists()


def of_a_game(text: str, key: str, value: object) -> str:
    """Return the line of a game in which the first player has another value."""
    thing = json.loads(text)
    thing["players"][0][key] = value
    return json.dumps(thing) + "\n"


@pytest.mark.parametrize(
    ("line", "change", "said"),
    [
        (1, lambda text: "# Porto game record\n", "1:1: This is not the file of a simulation"),
        (1, lambda text: "{}\n", "1:1: This is not the file of a simulation"),
        (1, lambda text: "[]\n", "1:1: This is not the file of a simulation"),
        (1, lambda text: text.replace('"porto": 1', '"porto": 2'), "not the file of a simulation"),
        (1, lambda text: text.replace('"tram"', "7"), "not the file of a simulation"),
        (4, lambda text: "nothing\n", "4:1: This line is not a game"),
        (4, lambda text: "7\n", "4:1: This line is not a game"),
        (4, lambda text: "[" * 100_000 + "\n", "4:1: This line is not a game"),
        (4, lambda text: of_a_game(text, "seat", 3), "4:1: This line is not a game"),
        (4, lambda text: of_a_game(text, "won", 1), "4:1: This line is not a game"),
        (4, lambda text: of_a_game(text, "strategy", []), "4:1: This line is not a game"),
        (4, lambda text: of_a_game(text, "rules", {"x": "y"}), "4:1: This line is not a game"),
        (4, lambda text: of_a_game(text, "rules", "x"), "4:1: This line is not a game"),
        (4, lambda text: of_a_game(text, "score", 10**400), "4:1: This line is not a game"),
        (4, lambda text: json.dumps(json.loads(text) | {"players": []}) + "\n", "4:1: This line"),
        (4, lambda text: text.replace('"deal": 1', '"deal": 0'), "4:1: This line is not a game"),
        (4, lambda text: text.replace('"deal": 1', '"deal": true'), "4:1: This line is not a game"),
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
    assert porto("simulate", "greedy", "random", "--save", "notes.txt").code == 3
    assert Path("notes.txt").read_text("utf-8") == "milk, eggs"


@pytest.mark.long
def test_an_empty_file_is_a_new_one(porto) -> None:
    Path("cup.jsonl").touch()
    assert porto(*CUP, "--save", "cup.jsonl").code == 0
    assert len(lines()) == 19


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full")
def test_a_full_disk_is_reported(porto, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = Path.open
    monkeypatch.setattr(
        Path,
        "open",
        lambda self, mode="r", **more: opened(
            Path("/dev/full") if mode == "ab" else self, mode, **more
        ),
    )
    done = porto(*CUP, "--save", "cup.jsonl")
    assert done.code == 4
    assert "No space left on device. The games in it are kept; the same command" in done.err


@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=pytest.mark.outside)])
def test_code_that_fails_is_reported_and_the_games_before_stay(porto, workers: int) -> None:
    Path("mine.py").write_text(
        "played = 0\ndef whole(view, moves, rng):\n    global played\n    played += 1\n"
        "    return moves[0] if played < 200 else 1 / 0\n",
        "utf-8",
    )
    done = porto(
        *("simulate", "mine.py:whole", "random", "-n", 100, "-j", workers, "--save", "cup.jsonl")
    )
    assert (done.code, done.out) == (3, "")
    assert "mine.py:whole has failed in line 5: ZeroDivisionError" in done.err
    assert len(lines()) > 1


@pytest.mark.outside
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.parametrize("end", ["SIGINT", "SIGTERM", "SIGHUP", "SIGKILL"])
def test_a_simulation_that_was_stopped_or_killed_goes_on(porto, workers: str, end: str) -> None:
    words = ("simulate", "greedy", "level-2", "random", "--seats", "2", "-n", "15", "--seed", "k")
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
    done = porto("simulate", "dies.py:whole", "random", "-j", 2, "--save", "cup.jsonl")
    assert (done.code, done.out) == (4, "")
    assert "A worker process ended before its work was done" in done.err


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
                *(sys.executable, "-m", "porto_cli", "simulate", "slow.py:whole", "random"),
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
        assert "No game was played" in out
        assert "Stopped after 0 of 1,000 games" in err
