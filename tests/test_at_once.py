"""Many at once: no move is lost or made twice, and each gets a correct answer, with locks that
work, and as far as it goes without.
"""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import porto_cli
from porto_cli.core import FileError, files
from tests.conftest import ROOT, Result

if sys.platform == "win32":
    pytest.skip("Locks and processes are those of POSIX.", allow_module_level=True)

from tests.faults import Call, Calls, watching

pytestmark = pytest.mark.outside

PLAYER = """
import sys
from pathlib import Path
import porto_cli
from porto_cli.core import files
path, turns, locks = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
if locks == "unlocked":
    files._try_lock = lambda handle: True
tried = 0
while tried < 400:
    match = porto_cli.load(path)
    if match.over or match.state.turn >= turns:
        break
    tried += 1
    match.play(match.legal_moves()[tried % 2])
    try:
        match.save()
    except porto_cli.core.FileError as error:
        print("told", match.fingerprint, str(error).replace("\\n", " "))
    else:
        print("made", match.fingerprint)
"""
"""Plays whoever is to move, as fast as it can, and says which positions it has made."""


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "game.yaml"
    porto_cli.new_game(["Inês", "Joana"], seed="tram", private_contracts=False).save(path)
    return path


def play_at_once(path: Path, players: int, turns: int, locks: str) -> list[list[str]]:
    """Let so many processes play until the game has so many turns; return what they said."""
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", PLAYER, str(path), str(turns), locks],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(players)
    ]
    said = []
    for process in processes:
        out, err = process.communicate(timeout=120)
        assert not process.returncode, err
        said += [line.split(maxsplit=2) for line in out.splitlines()]
    return said


def positions(path: Path) -> list[str]:
    """Return the fingerprint after each turn of a record."""
    text = path.read_text("utf-8")
    lines = text.splitlines(keepends=True)
    ends = [number for number, line in enumerate(lines) if line.startswith("- ")]
    ends = [*ends[1:], len(lines)]
    return [porto_cli.loads("".join(lines[:end])).fingerprint for end in ends]


@pytest.mark.parametrize("players", [4, pytest.param(12, marks=pytest.mark.slow)])
def test_with_locks_everything_that_was_made_is_there_once(game: Path, players: int) -> None:
    said = play_at_once(game, players, 30, "locked")
    made = [words[1] for words in said if words[0] == "made"]
    output = [words for words in said if words[0] == "told"]
    assert sorted(made) == sorted(positions(game))
    assert len(made) == porto_cli.load(game).state.turn == 30
    assert all("changed by another program" in words[2] for words in output)
    assert [one.name for one in game.parent.iterdir()] == ["game.yaml"]


@pytest.mark.parametrize("players", [4, pytest.param(12, marks=pytest.mark.slow)])
def test_without_locks_the_game_survives(game: Path, players: int) -> None:
    """A move can be overwritten only in the instant between a comparison and a rename; but no
    record is ever mixed, and who was told that nothing was written has nothing in it.
    """
    said = play_at_once(game, players, 30, "unlocked")
    made = {words[1] for words in said if words[0] == "made"}
    there = positions(game)
    assert len(there) == porto_cli.load(game).state.turn == 30
    assert len(set(there)) == 30
    assert set(there) <= made
    assert [one.name for one in game.parent.iterdir()] == ["game.yaml"]


@pytest.mark.parametrize("count", [4, pytest.param(60, marks=pytest.mark.slow)])
def test_commands_at_once(game: Path, count: int) -> None:
    """Each wants another move; the exit codes say which one was made."""
    match = porto_cli.load(game)
    moves = [match.text(move).split() for move in match.legal_moves()][:count]
    moves += moves[: count - len(moves)]
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", "porto_cli", words[0], str(game), *words[1:]],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for words in moves
    ]
    ends = [(process.communicate(timeout=120), process.returncode) for process in processes]
    made = sum(code == 0 for _, code in ends)
    assert porto_cli.load(game).state.turn == made >= 1
    for (out, err), code in ends:
        assert code in (0, 1, 4)
        assert bool(out) == (code == 0)
        assert bool(err) == (code != 0)


@pytest.mark.parametrize("count", [3, pytest.param(20, marks=pytest.mark.slow)])
def test_new_games_at_once(tmp_path: Path, count: int) -> None:
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", "porto_cli", "new", "game.yaml", f"Inês {nth}", "Joana"],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for nth in range(count)
    ]
    for process in processes:
        process.communicate(timeout=120)
    codes = [process.returncode for process in processes]
    assert sorted(codes) == [0] + [4] * (count - 1)
    assert f"Inês {codes.index(0)}" in porto_cli.load(tmp_path / "game.yaml").players


# -- Without locks, moment by moment


@pytest.fixture
def unlocked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_try_lock", lambda handle: True)


def saves(path: Path, nth: int) -> tuple[porto_cli.Match, Callable[[], object]]:
    """Return a game with a move that is not saved yet, and what saves it."""
    match = porto_cli.load(path)
    match.play(match.legal_moves()[nth])
    return match, match.save


BEFORE_THE_COMPARISON = [Call("open", 1), Call("open", 3), Call("fsync", 1), Call("close", 1)]
AFTER_THE_RENAME = [Call("open", 4), Call("fsync", 2), Call("close", 2)]


@pytest.mark.parametrize("call", BEFORE_THE_COMPARISON, ids=str)
def test_who_comes_second_is_told(game: Path, unlocked: None, call: Call) -> None:
    (_, save_mine), (theirs, save_theirs) = saves(game, 0), saves(game, 1)
    calls = Calls(call, before=save_theirs)
    with watching(calls), pytest.raises(FileError, match="changed by another program"):
        save_mine()
    assert game.read_text("utf-8") == theirs.record.text
    assert [one.name for one in game.parent.iterdir()] == ["game.yaml"]


@pytest.mark.parametrize("call", AFTER_THE_RENAME, ids=str)
def test_who_is_overtaken_is_told(game: Path, unlocked: None, call: Call) -> None:
    """The other one has compared before, and renames now."""
    (_, save_mine), (theirs, _) = saves(game, 0), saves(game, 1)
    late = game.with_name("late")
    late.write_text(theirs.record.text, "utf-8")
    calls = Calls(call, before=lambda: os.replace(late, game))
    with watching(calls), pytest.raises(FileError, match="at the same moment"):
        save_mine()
    assert game.read_text("utf-8") == theirs.record.text


@pytest.mark.parametrize("call", AFTER_THE_RENAME, ids=str)
def test_who_is_followed_is_not_overtaken(game: Path, unlocked: None, call: Call) -> None:
    mine, save_mine = saves(game, 0)

    def answer() -> None:
        match = porto_cli.load(game)
        match.play(match.legal_moves()[0])
        match.save()

    with watching(Calls(call, before=answer)):
        save_mine()
    assert game.read_text("utf-8").startswith(mine.record.text)
    assert porto_cli.load(game).state.turn == 2


def test_a_record_moved_away_by_another_program_is_no_fault(game: Path) -> None:
    _, save = saves(game, 0)
    away = game.with_name("away.yaml")
    with watching(Calls(Call("fsync", 2), before=lambda: os.rename(game, away))):
        save()
    assert porto_cli.load(away).state.turn == 1


# -- Orders


@pytest.fixture
def sunday(tmp_path: Path) -> Path:
    """A game in which Ana takes the first role; face up are coffee, corn, indigo and tobacco."""
    path = tmp_path / "sunday.yaml"
    names = ["Ana", "Bea", "João"]
    porto_cli.new_game(names, game="puerto-rico", seed="yauco", first="Ana").save(path)
    return path


def orders_of(path: Path) -> list[str]:
    return [one.entries[0][1] for one in porto_cli.load(path).replay.declarations]


@pytest.mark.parametrize("count", [2, pytest.param(20, marks=pytest.mark.slow)])
def test_orders_at_once(sunday: Path, count: int) -> None:
    processes = [
        subprocess.Popen(
            [
                *(sys.executable, "-m", "porto_cli", "order", sunday, "captain", "load", "corn"),
                *("if", "Ana", "plays", str(nth), "--as", ("Bea", "João")[nth % 2]),
            ],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for nth in range(count)
    ]
    ends = [(process.communicate(timeout=120), process.returncode) for process in processes]
    given = [nth for nth, (_, code) in enumerate(ends) if code == 0]
    assert sorted(orders_of(sunday)) == sorted(
        f"order captain load corn if Ana plays {nth}" for nth in given
    )
    assert given
    for (out, err), code in ends:
        assert code in (0, 4)
        assert ("Fingerprint" in out) == (code == 0)
        assert bool(err) == (code != 0)


def with_moves(path: Path) -> Path:
    """Return the same game, from Ana, who has moved."""
    match = porto_cli.load(path)
    match.play("role settler")
    match.play("take quarry")
    there = path.with_name("from-ana.txt")
    match.save(there)
    return there


def ordered(path: Path, text: str = "settler coffee") -> None:
    match = porto_cli.load(path)
    match.order(text, "Bea")
    match.save()


@pytest.mark.parametrize("call", BEFORE_THE_COMPARISON, ids=str)
def test_an_order_during_a_receipt_is_not_lost(
    sunday: Path, unlocked: None, porto: Callable[..., Result], call: Call
) -> None:
    there = with_moves(sunday)
    with watching(Calls(call, before=lambda: ordered(sunday))):
        done = porto("receive", there, "--into", sunday)
    assert done.code == 4
    assert "changed by another program" in done.err
    assert orders_of(sunday) == ["order settler take coffee"]
    done = porto("receive", there, "--into", sunday)
    assert "Bea (ordered): take coffee" in done.out
    assert porto_cli.load(sunday).to_move() == ["João"]


def test_an_order_that_a_receipt_overtakes_is_not_given(
    sunday: Path, unlocked: None, porto: Callable[..., Result]
) -> None:
    there = with_moves(sunday)
    call = BEFORE_THE_COMPARISON[-1]
    with watching(Calls(call, before=lambda: porto("receive", there, "--into", sunday))):
        done = porto("order", sunday, "settler", "coffee", "--as", "Bea")
    assert done.code == 4
    assert "changed by another program" in done.err
    assert orders_of(sunday) == []
    assert porto_cli.load(sunday).to_move() == ["Bea"]
    assert porto("order", sunday, "settler", "coffee", "--as", "Bea").code == 0
    assert porto_cli.load(sunday).to_move() == ["João"]


def test_a_receipt_that_fails_anywhere_loses_nothing(
    sunday: Path, porto: Callable[..., Result]
) -> None:
    """The version, the own order and what the order decides are there together, or not yet."""
    there = with_moves(sunday)
    ordered(sunday)
    before = sunday.read_text("utf-8")
    with watching(Calls()) as calls:
        assert porto("receive", there, "--into", sunday).code == 0
    after = sunday.read_text("utf-8")
    assert "- Bea: take coffee  # ordered" in after

    def fail() -> None:
        raise OSError(errno.EIO, "Input/output error")

    for call in dict.fromkeys(calls.made):
        sunday.write_text(before, "utf-8")
        # A file that fails to be closed is closed.
        when = "after" if call.name == "close" else "before"
        with watching(Calls(call, **{when: fail})):
            porto("receive", there, "--into", sunday)
        assert sunday.read_text("utf-8") in (before, after), call
        again = porto("receive", there, "--into", sunday)
        assert sunday.read_text("utf-8") == after, (call, again)
