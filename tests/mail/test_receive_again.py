"""``porto receive`` with a mailbox that was received before: messages are known by their ids."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from porto_cli.mail import inbox
from porto_cli.mail.draft import Draft
from porto_cli.match.match import Match, loads
from tests.mail.test_receive_moves import answer
from tests.mails import beginning, message_id
from tests.sealed_games import BYSTANDER, played, set_up

NAME = "friday.yaml"


def sent(match: Match) -> bytes:
    """Return the mail that its last player sends."""
    by = match.replay.steps[-1].seat
    others = [player for seat, player in enumerate(match.players) if seat != by]
    mail = Draft(match, by, (others[0],)).mail
    del mail["Date"]
    mail["Date"] = datetime(2026, 5, 1, 20, len(match.replay.steps), tzinfo=UTC)
    return mail.as_bytes()


def cut(match: Match, items: int) -> str:
    """Return the text of a record without its last items."""
    lines = match.record.text.splitlines(keepends=True)
    return "".join(lines[: match.record.place(len(match.record.items) - items).line - 1])


def versions(kind: str) -> list[Match]:
    """Return a game as it was after some of its turns, each further than the one before."""
    if kind == "sealed":
        text = set_up(which="again")
        texts = [text := played(text, 1) for _ in range(3)]
        return [loads(text, NAME, BYSTANDER) for text in texts]
    return [beginning(kind, items, NAME) for items in (4, 5, 7)]


GAMES = pytest.mark.parametrize(
    "kind", ["porto", "puerto-rico", pytest.param("sealed", marks=pytest.mark.long)]
)


@pytest.fixture
def box(tmp_path: Path) -> Path:
    (tmp_path / "games").mkdir()
    for part in ("new", "cur", "tmp"):
        (tmp_path / "box" / part).mkdir(parents=True)
    return tmp_path / "box"


def put(box: Path, *messages: bytes) -> None:
    for message in messages:
        (box / "new" / str(len(os.listdir(box / "new")))).write_bytes(message)


@pytest.fixture
def receive(porto, box: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., object]:
    """Receive the mailbox; with ``reads`` count the messages that are read beyond their heads."""
    read: list[object] = []
    games_in = inbox.games_in

    def counted(message: inbox.Incoming) -> inbox.Contents:
        read.append(message)
        return games_in(message)

    monkeypatch.setattr(inbox, "games_in", counted)

    def run(*words: object, reads: int | None = None):
        read.clear()
        done = porto("receive", box, "--folder", "games", *words)
        assert reads is None or len(read) == reads
        return done

    return run


@pytest.mark.long
@GAMES
def test_what_was_received_before_is_not_read_again(kind: str, box: Path, receive) -> None:
    put(box, *map(sent, versions(kind)))
    assert receive(reads=3).code == 0
    done = receive(reads=0)
    assert (done.code, done.err) == (0, "")
    assert done.out == "3 messages were skipped: your games already have what is in them.\n"


@pytest.mark.long
@GAMES
def test_the_report_is_that_of_a_message_that_is_read(
    kind: str, box: Path, receive, monkeypatch
) -> None:
    put(box, *map(sent, versions(kind)))
    receive()

    def report() -> list[dict[str, object]]:
        found = json.loads(receive("--format", "json").out)["messages"]
        return [{key: each[key] for key in each if key != "sentences"} for each in found]

    brief = report()
    monkeypatch.setattr(inbox.Receiver, "received_before", lambda receiver, head: None)
    assert brief == report()
    assert [each["result"] for each in brief] == ["older", "older", "same"]


@pytest.mark.long_for("porto")
@GAMES
def test_a_new_message_among_old_ones_is_read(kind: str, box: Path, receive) -> None:
    old, *_, new = versions(kind)
    put(box, sent(old))
    receive()
    put(box, sent(new))
    assert "One message was skipped: your games" in receive(reads=1).out
    assert (box.parent / "games" / NAME).read_text("utf-8") == new.record.text


@pytest.mark.long
def test_a_copy_that_was_set_back_gets_the_turns_again(box: Path, receive) -> None:
    matches = versions("porto")
    put(box, *map(sent, matches))
    receive()
    copy = box.parent / "games" / NAME
    copy.write_text(matches[0].record.text, "utf-8")
    receive(reads=2)
    assert copy.read_text("utf-8") == matches[-1].record.text


@pytest.mark.long
def test_a_copy_that_changes_while_a_mailbox_is_read_is_read_again(
    box: Path, receive, monkeypatch
) -> None:
    matches = versions("porto")
    put(box, *map(sent, matches))
    receive()
    copy = box.parent / "games" / NAME
    before = inbox.Receiver.received_before

    def set_back(receiver: inbox.Receiver, head: inbox.Incoming) -> object:
        found = before(receiver, head)
        copy.write_text(matches[0].record.text, "utf-8")
        return found

    monkeypatch.setattr(inbox.Receiver, "received_before", set_back)
    receive(reads=2)


@pytest.mark.long
def test_a_record_cut_off_on_its_way_is_reported_until_its_turns_are_here(
    box: Path, receive
) -> None:
    *_, match = versions("porto")
    short = loads(cut(match, 2), NAME)
    ids = [message_id(one.replay).partition("@")[0].encode() for one in (short, match)]
    put(box, sent(short).replace(*ids))
    for _ in range(2):
        done = receive(reads=1)
        assert done.code == 1
        assert "it was cut off on the way" in done.err
    put(box, sent(match))
    assert receive(reads=2).code == 1
    assert (receive(reads=0).code, receive().err) == (0, "")


@pytest.mark.long
def test_a_conflict_is_reported_until_it_is_settled(box: Path, receive) -> None:
    *_, match = versions("porto")
    own = loads(cut(match, 1), NAME)
    moves = [move for move in own.legal_moves() if own.text(move) not in match.record.text]
    own.play(moves[0])
    (box.parent / "games" / NAME).write_text(own.record.text, "utf-8")
    put(box, sent(match))
    assert receive().code == 1
    for _ in range(2):
        done = receive()
        assert "are different versions of one game" in done.err
        assert "One message was skipped" in done.out


@pytest.mark.long
def test_an_answer_in_words_is_proposed_until_it_is_played(box: Path, receive) -> None:
    *_, match = versions("porto")
    put(
        box,
        sent(match),
        answer(match, match.text(match.legal_moves()[0]), f"{match.to_move()[0]} <a@example.org>"),
    )
    for _ in range(2):
        assert "because there was no terminal to ask" in receive().err
    assert "One message was skipped" in receive(reads=1).out
    assert receive("--yes", reads=1).code == 0
    assert (
        receive("--yes", reads=1).out
        == "2 messages were skipped: your games already have what is in them.\n"
    )


@pytest.mark.long
def test_a_message_alone_is_always_read(box: Path, receive, porto) -> None:
    *_, match = versions("porto")
    put(box, sent(match))
    receive()
    done = porto("receive", "--folder", "games", stdin=sent(match))
    assert "already has everything in" in done.out


def test_the_copy_that_is_named_counts(box: Path, receive, porto) -> None:
    first, *_, last = versions("porto")
    (box.parent / "games" / NAME).write_text(last.record.text, "utf-8")
    other = box.parent / "other.yaml"
    other.write_text(first.record.text, "utf-8")
    put(box, sent(last))
    receive("--into", other, reads=1)
    assert other.read_text("utf-8") == last.record.text
    receive("--into", other, reads=0)
