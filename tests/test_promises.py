"""Everything that the program can do is written down in tests/same/promises.md, with a verdict."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.conftest import ROOT

PROMISES = ROOT / "tests" / "same" / "promises.md"
OF_MANY = "Options that many commands have"
VERDICTS = ("kept", "smaller", "gone")
OPTION = re.compile(r"(?<!\S)--?[a-zA-Z][a-z-]*")


def sections() -> dict[str, list[str]]:
    """Return the lines below each heading."""
    found: dict[str, list[str]] = {}
    for part in PROMISES.read_text("utf-8").split("\n## ")[1:]:
        heading, _, body = part.partition("\n")
        found[heading] = [line for line in body.splitlines() if line]
    return found


SECTIONS = sections()


def promised(heading: str, *, without: str = "") -> set[str]:
    """Return the options that are named in backticks below a heading."""
    lines = [line for line in SECTIONS.get(heading, ()) if not line.startswith(f"- {without}:")]
    named = " ".join(name for line in lines for name in re.findall(r"`([^`]*)`", line))
    return set(OPTION.findall(named))


@pytest.fixture
def commands(porto: Any) -> set[str]:
    """The commands of the program."""
    listed = porto("help", "all").out.partition("Options without")[0]
    return set(re.findall(r"^ {2}([a-z]+)(?= |$)", listed, re.MULTILINE))


def options(porto: Any, *command: str) -> set[str]:
    """Return the options that the help of a command lists."""
    listed = porto(*command, "--help").out
    rows = re.findall(r"^ {2}(-.*?)(?: {2}|$)", listed, re.MULTILINE)
    return {option for row in rows for option in OPTION.findall(row)}


def test_each_line_has_a_verdict() -> None:
    lines = [line for lines in SECTIONS.values() for line in lines]
    assert len(lines) > 200
    for line in lines:
        assert line.startswith(tuple(f"- {verdict}: " for verdict in VERDICTS)), line


@pytest.mark.long
def test_every_command_and_option_is_named(porto: Any, commands: set[str]) -> None:
    assert len(commands) > 20
    for command in [*sorted(commands), ""]:
        heading = f"porto {command}".strip()
        assert heading in SECTIONS
        named = promised(heading, without="gone") | promised(OF_MANY)
        assert options(porto, *command.split()) <= named, heading


@pytest.mark.long
def test_what_is_named_is_there_unless_it_is_gone(porto: Any, commands: set[str]) -> None:
    for heading, lines in SECTIONS.items():
        command = heading.removeprefix("porto ")
        if not heading.startswith("porto "):
            continue
        if command in commands:
            there = options(porto, command)
            assert promised(heading, without="gone") - promised(OF_MANY) <= there, heading
        else:
            assert all(line.startswith(("- gone: ", "- smaller: ")) for line in lines), heading
