"""What looks for faults would find some: in growing files, in messages."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests import fuzz, growing, mail_fuzz
from tests.conftest import Result
from tests.shares import one_in


def test_time_that_grows_too_fast_is_found(monkeypatch) -> None:
    sizes = []

    def squared(command: str, text: str, times: int) -> float:
        sizes.append(len(text))
        return (len(text) / 1_000_000) ** 2

    monkeypatch.setattr(growing, "_seconds", squared)
    assert "times as much" in growing.growth("a long comment", "verify -")
    assert sizes[1] > 3 * sizes[0]
    monkeypatch.setattr(growing, "_seconds", lambda command, text, times: len(text) / 1_000_000)
    assert not growing.growth("a long comment", "verify -")


@pytest.mark.long_for("passes")
@pytest.mark.parametrize("family", one_in(2, growing.FAMILIES))
def test_every_growing_file_is_read_by_every_command(family: str) -> None:
    """How long it takes is measured where there is time for it."""
    _, text, commands = growing.FAMILIES[family]
    for command in commands:
        growing._seconds(command, text(3), 1)


# --- messages ---------------------------------------------------------------------------------


needs_unix = pytest.mark.skipif(sys.platform == "win32", reason="no alarms, no limits of memory")


@needs_unix
@pytest.mark.parametrize("start", one_in(8, (40, 0, 10, 20, 30, 50, 60, 70)))
def test_messages_of_all_kinds_are_received(start: int) -> None:
    for number in range(start, start + 10):
        wrong, _ = mail_fuzz.complaint(mail_fuzz.input_of("porto", number))
        assert not wrong, mail_fuzz.show("porto", number)


@needs_unix
@pytest.mark.slow
def test_as_many_messages_as_a_minute_allows() -> None:
    report = fuzz.hunt("douro", 100_000, jobs=2, seconds=60, module=mail_fuzz.MODULE)
    result = list(fuzz.sentences(report, "douro", mail_fuzz.MODULE))
    assert not report["findings"], "\n".join(["", *result])
    assert report["memory"] < fuzz.MEMORY


def test_every_kind_of_message_is_made() -> None:
    made = [mail_fuzz.input_of("kinds", number) for number in range(60)]
    assert len({given.command for given in made}) == 4
    assert {bool(given.copy) for given in made} == {True, False}
    assert {given.in_a_mailbox for given in made} == {True, False}
    assert made[7] == mail_fuzz.input_of("kinds", 7), "a number makes the same input again"


GAME = mail_fuzz.BEGUN["porto/three-players.yaml"]
GENUINE = mail_fuzz.Input("receive", b"From: a@b.c\n\nHello\n", GAME, GAME)


@needs_unix
@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        (Result(70, "", "Oh."), "exit code 70"),
        (Result(1, "", "Traceback (most recent call last):"), "a traceback"),
        (Result(1, "", "from \x1b[2J"), "steers the terminal"),
        (Result(1, "", ""), "not a word"),
        (Result(1, "", "There is no record."), "its record is not found"),
    ],
)
def test_what_is_complained_about(monkeypatch, answer: Result, complaint: str) -> None:
    """A hunt that finds nothing is worth something only if it would find something."""
    monkeypatch.setattr(mail_fuzz, "run_porto", lambda *args, stdin: answer)
    assert complaint in mail_fuzz.complaint(GENUINE)[0]


@needs_unix
def test_what_is_written_elsewhere_is_found(monkeypatch) -> None:
    def write(*args: str, stdin: bytes) -> Result:
        (Path(args[-1]).parent / "evil.yaml").write_text("x")
        return Result(1, "", "Oh.")

    monkeypatch.setattr(mail_fuzz, "run_porto", write)
    assert "written elsewhere" in mail_fuzz.complaint(GENUINE)[0]
