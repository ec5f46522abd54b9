"""``porto help TOPIC`` shows the manual page of a topic, and proposes one for a word like it."""

from __future__ import annotations

import os
import shutil
import stat
import sys
from pathlib import Path

import pytest

from porto_cli.cli import help as topics
from porto_cli.cli.commands import COMMANDS
from porto_cli.games import BOX
from tests.conftest import ROOT

needs_man = pytest.mark.skipif(not shutil.which("man"), reason="needs man")


def test_every_page_about_no_command_is_a_topic() -> None:
    pages = {path.name for section in "57" for path in (ROOT / "man" / f"man{section}").iterdir()}
    assert set(topics.TOPICS.values()) == pages
    assert set(BOX) <= set(topics.TOPICS)
    assert not set(topics.TOPICS) & set(COMMANDS)


def test_the_help_of_help_names_all_topics(porto) -> None:
    helped = " ".join(porto("help", "--help").out.split())
    assert f"a topic: {', '.join(topics.TOPICS)}." in helped


@pytest.mark.long_for("porto", "puerto-rico", "scenarios")
@needs_man
@pytest.mark.parametrize("topic", topics.TOPICS)
def test_a_topic_shows_its_page(topic: str, porto) -> None:
    shown = porto("help", topic)
    assert shown.code == 0
    title = topics.TOPICS[topic].rpartition(".")[0].upper()
    assert shown.out.startswith(title)
    assert "\b" not in shown.out
    assert "\x1b" not in shown.out


@pytest.mark.long
@needs_man
@pytest.mark.parametrize("word", ["Record", "porto-record", "porto-record(5)"])
def test_a_page_can_be_named_like_a_page(word: str, porto) -> None:
    assert porto("help", word).out == porto("help", "record").out


def test_a_page_of_another_section_is_none(porto) -> None:
    assert topics.page_named("porto-record(5)") == "porto-record.5"
    assert topics.page_named("porto-record(9)") == ""
    assert porto("help", "porto-record(9)").code == 2


@pytest.mark.parametrize(
    ("command", "topics"), [("scenario", ["scenarios"]), ("rules", ["porto", "puerto-rico"])]
)
def test_a_command_with_a_page_about_its_subject_refers_to_it(command, topics, porto) -> None:
    helped = porto("help", command)
    assert helped.out == porto(command, "--help").out
    for topic in topics:
        assert f"'porto help {topic}'" in " ".join(helped.out.split())


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("recrod", "record"),
        ("puerto-ric", "puerto-rico"),
        ("configuration", "config"),
        ("seal", "sealed"),
        ("drwa", "draw"),
        ("keys", "key"),
        ("scenari", "scenario"),
    ],
)
def test_a_word_like_a_topic_or_a_command_is_understood(word: str, meant: str, porto) -> None:
    shown = porto("help", word)
    assert shown.code == 2
    assert f"did you mean {meant!r}?" in shown.err
    assert f"  porto help {meant}\n" in shown.err


def test_for_any_other_word_the_topics_are_listed(porto) -> None:
    shown = porto("help", "xyzzy")
    assert shown.code == 2
    assert ", ".join(topics.TOPICS) in shown.err
    assert "  porto rules xyzzy\n" in shown.err


def test_without_man_the_file_of_the_page_is_named(porto, monkeypatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    shown = porto("help", "record")
    assert shown.code == 4
    assert "'man' is not installed" in shown.err
    assert str(ROOT / "man" / "man5" / "porto-record.5") in shown.err


def test_a_page_that_is_not_installed_is_an_error(porto, monkeypatch) -> None:
    monkeypatch.setattr(topics, "file_of", lambda _: None)
    shown = porto("help", "record")
    assert shown.code == 4
    assert "porto-record(5) is not installed" in shown.err


@pytest.mark.skipif(os.name != "posix", reason="needs a script that can be run")
def test_a_man_that_fails_is_an_error(porto, monkeypatch, tmp_path: Path) -> None:
    program = tmp_path / "man"
    program.write_text("#!/bin/sh\nexit 3\n", "utf-8")
    program.chmod(stat.S_IRWXU)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    shown = porto("help", "record")
    assert shown.code == 4
    assert "failed with exit code 3" in shown.err


@needs_man
def test_on_a_terminal_man_takes_over(monkeypatch) -> None:
    ran: list[list[str]] = []
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(os, "execv", lambda program, words: ran.append([program, *words[1:]]))
    topics.show("porto-record.5")
    file = str(ROOT / "man" / "man5" / "porto-record.5")
    assert ran[0] == [shutil.which("man"), file]


@pytest.mark.long_for("puerto-rico-Porto")
@pytest.mark.parametrize(("game", "other"), [("porto", "Puerto Rico"), ("puerto-rico", "Porto")])
def test_all_commands_of_a_game_are_without_the_moves_of_others(
    porto, game: str, other: str
) -> None:
    whole = porto("help", "all").out
    shown = porto("help", "all", "--game", game).out
    assert f"\nMoves of {other}\n" in whole
    assert f"\nMoves of {other}\n" not in shown
    assert {*shown.splitlines()} < {*whole.splitlines()}
