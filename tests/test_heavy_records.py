"""Records that were made to take long: each command reads them in time that grows as they do."""

from __future__ import annotations

import sys
from pathlib import Path
from time import process_time

import pytest

from tests import heavy_records
from tests.heavy_records import COMMANDS, KIB, KINDS, LARGE, READ, SMALL, took, words_of

TIMES, MOST_TIMES = 4, 5
"""How many times as large the second record is, and how many times as long it may take."""


@pytest.fixture(autouse=True)
def games(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()


def seconds(porto, command: str, kind: str, size: int) -> float:
    path = Path("record.yaml")
    path.write_text(KINDS[kind].text(size), "utf-8", newline="\n")
    begun = process_time()
    done = porto(*words_of(command, path))
    taken = process_time() - begun
    # So many lines without anything are more than a message is searched for records.
    is_too_much = (command, kind) == ("receive", "empty lines") and size > 32 * KIB
    assert done.code == is_too_much, done.err
    for saved in Path("games").iterdir():
        saved.unlink()
    return taken


def test_each_command_reads_such_a_record(porto) -> None:
    for command in COMMANDS:
        assert seconds(porto, command, "orders and undos", KIB) > 0


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_four_times_as_many_lines_take_four_times_as_long(porto, kind: str) -> None:
    for command in COMMANDS:
        porto(*words_of(command, Path("none.yaml")))
        for _ in range(3):
            # What else runs on the machine makes one of two measurements longer now and then.
            small, large = (seconds(porto, command, kind, 32 * KIB * n) for n in (1, TIMES))
            if large <= small * MOST_TIMES:
                break
        else:
            pytest.fail(
                f"{command} takes {small:.2f} s, and {large:.2f} s for {TIMES} times as much"
            )


needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="asks Linux for the memory")

MEBIBYTES = 300
TIMES_READING = 12
"""How many times as long a command may take as it takes to read so many orders as YAML: 0.25
seconds on a machine of today."""


@pytest.mark.outside
@needs_linux
@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=[pytest.mark.slow] * (kind != "mixed")) for kind in KINDS]
)
def test_a_mebibyte_of_any_lines_takes_little(kind: str) -> None:
    reading = took(READ, KINDS["orders"].text(LARGE)).seconds
    for command in COMMANDS:
        small, large = (took(command, KINDS[kind].text(size)) for size in (SMALL, LARGE))
        assert large.code in ((0, 1, 3) if command == "receive" else (0,)), large.told
        assert "Traceback" not in large.told
        assert large.mebibytes < MEBIBYTES
        assert large.seconds < TIMES_READING * reading
        assert large.seconds < MOST_TIMES * small.seconds + reading / 2


# -- What is received


def with_items(count: int) -> str:
    begun = KINDS["orders"].begins()
    return begun + heavy_records.ORDER * (count - begun.count("\n- "))


@pytest.mark.long
def test_a_record_of_as_many_items_as_are_read_is_received(porto) -> None:
    Path("most.yaml").write_text(with_items(10_000), "utf-8")
    assert porto("receive", "most.yaml", "--folder", "games", "--quiet").code == 0
    assert Path("games/most.yaml").exists()


def test_a_received_record_of_far_more_items_than_any_game_has_is_refused_unchecked(
    porto, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("games/begun.yaml").write_text(with_items(20), "utf-8")
    Path("more.yaml").write_text(with_items(10_001), "utf-8")
    monkeypatch.setattr("porto_cli.match.match.followed", None)
    refused = porto("receive", "more.yaml", "--folder", "games", "--into", "games/new.yaml")
    assert refused.code == 3
    assert "more.yaml:10014:8: The record has more than 10000 turns and orders" in refused.err
    assert [path.name for path in (tmp_path / "games").iterdir()] == ["begun.yaml"]
