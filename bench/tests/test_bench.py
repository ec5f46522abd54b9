"""The benchmark works, and measures what it says; how fast things are is not for a test."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import porto_cli
from bench import growth, measure, orders, ours, startup
from bench.order_writer import Plan
from tests.conftest import ROOT

pytestmark = pytest.mark.outside


def test_random_games_are_played_to_their_ends() -> None:
    assert ours.playouts(1, 2) >= 2 * 14
    assert ours.playouts(2, 1) > 60
    assert ours.puerto_rico_playouts(5, 1) > 150


def test_replays_are_of_whole_games() -> None:
    record = ours.random_record(2, "whole")
    assert porto_cli.loads(record.text).over


def test_contenders_take_turns() -> None:
    order: list[str] = []

    def work(name: str) -> int:
        order.append(name)
        return sum(range(20_000))

    rates = measure.take_turns(
        [measure.Contender("a", lambda: work("a")), measure.Contender("b", lambda: work("b"))], 3
    )
    assert order == ["a", "b"] * 4
    assert [len(each.rates) for each in rates] == [3, 3]


def test_memory_grows_with_the_turns_and_no_faster() -> None:
    short, long = growth.measure((100, 1_000))
    assert long.bytes_a_turn < 1.5 * short.bytes_a_turn


def test_the_record_for_start_up_is_long_and_waits_for_a_draw() -> None:
    match = porto_cli.loads(startup._long_record())
    assert len(match.record.items) >= startup.TURNS
    assert any(match.text(move).startswith("draw ") for move in match.legal_moves())


def test_an_unknown_part_is_reported() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bench", "nonsense"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 2
    assert "no such part: nonsense" in done.stderr


def test_hand_overs_without_orders_are_changes_of_the_player() -> None:
    played = orders.play("puerto-rico", 3, "deal-1", orders.mind_of("puerto-rico"), None)
    seats = [step.seat for step in porto_cli.loads(played.record).replay.steps]
    assert played.hand_overs == sum(map(int.__ne__, seats, seats[1:]))
    assert not played.ordered


@pytest.mark.parametrize("game", ["porto", "puerto-rico"])
def test_orders_that_are_written_spare_hand_overs_and_decide_as_their_player(game: str) -> None:
    report = orders.measure(game, 3, ["deal-1"], orders.mind_of(game), Plan(playouts=4))
    assert report.hand_overs[0] < report.without[0]
    assert report.agreement > 0.5
    (played,) = report.games
    assert porto_cli.loads(played.record).over
    assert played.record.count("# ordered") == played.ordered.total()
    assert len(played.wrong) == played.ordered.total() - played.agreed.total()
    assert all(f": order {text}" in played.record for text in played.orders)


ENDLESS = [sys.executable, "-c", "import time; print('? help', flush=True); time.sleep(60)"]
DEAF = """
import signal, time
signal.signal(signal.SIGHUP, signal.SIG_IGN)
try:
    print("? help", flush=True)
finally:
    time.sleep(60)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
@pytest.mark.parametrize(
    ("program", "said"),
    [
        (measure.to_its_end(ENDLESS, 0.5), "has not ended in 0.5 s"),
        (measure.to_its_prompt(ENDLESS, b"never shown", 0.5), "help"),
        (
            measure.to_its_prompt([sys.executable, "-c", DEAF], b"help", 0.5),
            "has not ended with its terminal",
        ),
    ],
)
def test_a_process_that_does_not_end_is_stopped_and_reported(
    program: measure.Program, said: str
) -> None:
    with pytest.raises(RuntimeError, match=said):
        program(dict(os.environ))


def test_a_part_that_takes_too_long_ends_the_benchmark() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bench", "growth", "--minutes", "0.0001"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
        timeout=60,
    )
    assert done.returncode == 1
    assert "Timeout" in done.stderr
    assert "growth.py" in done.stderr
