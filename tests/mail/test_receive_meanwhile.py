"""Mailboxes that others write into while they are read: mail servers and mail programs.

What is missed for that is taken the next time; nothing is lost, and nothing breaks.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

import porto_cli
from porto_cli.mail import incoming
from porto_cli.match.match import Match
from tests.mail.test_receive import as_maildir, as_mbox, dated, versions

Meanwhile = Callable[[], object]


@pytest.fixture
def game() -> Match:
    return porto_cli.new_game(["Ana", "Rui"], seed="tram", first="Ana", title="Friday")


@pytest.fixture
def meanwhile(monkeypatch: pytest.MonkeyPatch) -> Callable[[Meanwhile], None]:
    """Let something happen once a first message has been read."""

    def happen(what: Meanwhile) -> None:
        waiting = [what]
        read = incoming.read_incoming

        def then(*args: object, **named: object) -> object:
            found = read(*args, **named)
            if waiting:
                waiting.pop()()
            return found

        monkeypatch.setattr(incoming, "read_incoming", then)

    return happen


@pytest.fixture
def received(porto, tmp_path: Path) -> Callable[[Path], int]:
    """Receive a mailbox that is written into, then once more in peace; return the first exit code.

    The second time brings the newest version, if the first one has not.
    """

    def receive(box: Path) -> int:
        (tmp_path / "games").mkdir()
        first = porto("receive", box, "--folder", "games")
        second = porto("receive", box, "--folder", "games")
        assert "Traceback" not in first.err + second.err
        assert second.code == 0, second.err
        return first.code

    return receive


def saved() -> str:
    (path,) = Path("games").iterdir()
    return path.read_text("utf-8")


def test_messages_of_a_maildir_are_moved_and_marked(
    game: Match, meanwhile, received, tmp_path: Path
) -> None:
    box = as_maildir(tmp_path / "box", dated(game))

    def look_through() -> None:
        for nth, path in enumerate(sorted((box / "new").iterdir())):
            path.rename(box / "cur" / f"{path.name}:2,{'S' if nth % 2 else ''}")

    meanwhile(look_through)
    assert received(box) == 0
    assert saved() == versions(game)[-1].record.text


def test_messages_of_a_maildir_are_deleted(
    game: Match, meanwhile, received, tmp_path: Path
) -> None:
    *old, newest = dated(game)
    box = as_maildir(tmp_path / "box", old)

    def tidy_up() -> None:
        for path in (box / "new").iterdir():
            path.unlink()
        as_maildir(box, [newest])

    meanwhile(tidy_up)
    assert received(box) == 0
    assert saved() == versions(game)[-1].record.text


def test_a_maildir_is_deleted(game: Match, meanwhile, porto, tmp_path: Path) -> None:
    box = as_maildir(tmp_path / "box", dated(game))

    def remove() -> None:
        for path in [*box.rglob("*")][::-1]:
            path.unlink() if path.is_file() else path.rmdir()
        box.rmdir()

    meanwhile(remove)
    done = porto("receive", box)
    assert "Traceback" not in done.err
    assert done.code in (0, 4)


@pytest.mark.long_for("5", "20", "5000", "None")
@pytest.mark.parametrize("bytes_of_it", [None, 5000, 400, 20, 5])
def test_a_message_is_appended_to_an_mbox(
    game: Match, meanwhile, porto, tmp_path: Path, bytes_of_it: int | None
) -> None:
    """Also when only a part of it has arrived by now: the rest follows later."""
    *old, newest = dated(game)
    whole = as_mbox(tmp_path / "whole", [*old, newest]).read_bytes()
    box = as_mbox(tmp_path / "box", old)
    begun = box.stat().st_size
    end = None if bytes_of_it is None else begun + bytes_of_it

    def deliver() -> None:
        with box.open("ab") as file:
            file.write(whole[begun:end])

    meanwhile(deliver)
    (tmp_path / "games").mkdir()
    assert porto("receive", box, "--folder", "games").code == 0
    in_part = porto("receive", box, "--folder", "games")
    assert "Traceback" not in in_part.err
    box.write_bytes(whole)
    assert porto("receive", box, "--folder", "games").code == 0
    assert saved() == versions(game)[-1].record.text


@pytest.mark.parametrize("in_place", [True, False])
@pytest.mark.parametrize("left", [1, 3])
def test_an_mbox_is_rewritten_with_fewer_messages(
    game: Match, meanwhile, received, tmp_path: Path, left: int, in_place: bool
) -> None:
    """Some programs write into the file, others put a new one in its place."""
    messages = dated(game)
    box = as_mbox(tmp_path / "box", messages)
    fewer = as_mbox(tmp_path / "fewer", messages[len(messages) - left :]).read_bytes()

    def expunge() -> None:
        if in_place:
            box.write_bytes(fewer)
        else:
            (tmp_path / "fewer").replace(box)

    meanwhile(expunge)
    assert received(box) in (0, 3)
    assert saved() == versions(game)[-1].record.text


def test_an_mbox_is_deleted(game: Match, meanwhile, porto, tmp_path: Path) -> None:
    box = as_mbox(tmp_path / "box", dated(game))
    meanwhile(lambda: os.unlink(box))
    done = porto("receive", box)
    assert "Traceback" not in done.err
    assert done.code in (0, 4)


@pytest.mark.long
def test_an_mbox_that_begins_with_a_large_message(game: Match, received, tmp_path: Path) -> None:
    photo = b"From: Rui <rui@example.org>\nSubject: photo\n\n" + b"ab" * 35 * 70_000
    box = as_mbox(tmp_path / "box", [photo, *dated(game)])
    assert received(box) == 0
    assert saved() == versions(game)[-1].record.text


def test_a_message_is_moved_while_a_maildir_is_listed(
    game: Match, porto, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    box = as_maildir(tmp_path / "box", dated(game)[-1:])
    listdir = os.listdir
    waiting = [True]

    def listed(folder):
        found = listdir(folder)
        if waiting and Path(folder).parent == box:
            waiting.pop()
            for name in listdir(box / "new"):
                (box / "new" / name).rename(box / "cur" / f"{name}:2,S")
        return found

    monkeypatch.setattr(os, "listdir", listed)
    done = porto("receive", box)
    assert done.code == 0
    assert "no message" not in done.out
