"""Messages that were made to take long are read within limits, or not at all, which is said."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from porto_cli.mail import mime, threads
from porto_cli.mail.heads import charset_of, decoded, decoded_words
from porto_cli.mail.incoming import read_incoming
from porto_cli.mail.mime import Message, TooMuchError, read_parameters
from porto_cli.mail.records_in import games_in
from porto_cli.mail.restore import Effort, candidates
from porto_cli.match.match import loads
from tests import heavy_mails
from tests.heavy_mails import HEAVY, MIB, mixed, plain
from tests.mails import WHOLE

needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="asks Linux for the memory")

SECONDS, MEBIBYTES = 20, 400
"""What a message may take. The time is four times what it takes on a machine of today."""


@pytest.mark.slow
@needs_linux
@pytest.mark.parametrize("name", HEAVY)
def test_a_heavy_message_takes_little(name: str) -> None:
    took = heavy_mails.received(HEAVY[name]())
    assert took.code in (0, 1, 3), took.told
    assert took.told.strip()
    assert "Traceback" not in took.told
    assert took.seconds < SECONDS
    assert took.mebibytes < MEBIBYTES


# -- The limits, one by one


def unread(data: bytes) -> str:
    message = read_incoming(data, "m")
    sentences = (*message.unread, *games_in(message).unread)
    assert sentences
    return " ".join(map(str, sentences))


LEFT_ALONE: dict[str, tuple[Callable[[], bytes], str]] = {
    "a large head": (
        lambda: b"From: a@b.c\n" + b"X-A: b\n" * 160_000 + b"\nx",
        "The head of the message is larger than 1024 KiB",
    ),
    "large heads of parts": (
        lambda: mixed(*[b"X-A: b\n" * 10_000 + b"\nx"] * 20),
        "The head of the message is larger than 1024 KiB",
    ),
    "many parts": (lambda: mixed(*[b"\nx"] * 1000), "It has more parts than any message"),
    "many marks": (
        lambda: mixed(b"\n" + b"--xy\n" * 20_000),
        "It has more parts than any message",
    ),
    "deep": (lambda: heavy_mails.nested(60, b"x"), "within more than 40 other messages or parts"),
    "a large part": (lambda: plain(b"a\n" * 5 * MIB), "is larger than 8 MiB"),
    "much text": (
        lambda: mixed(*[b"\n" + b"a\n" * 2 * MIB] * 5),
        "It has more than 12 MiB of text",
    ),
    "much HTML": (
        lambda: mixed(*[b"Content-Type: text/html\n\n" + b"a\n" * (MIB // 3)] * 5),
        "It has more than 1 MiB of HTML",
    ),
    "many records": (
        lambda: plain((heavy_mails.game().encode() + b"# \n" * 100_000) * 5),
        "not all of it was looked into; a record has 1024 KiB at most",
    ),
}


@pytest.mark.parametrize("case", LEFT_ALONE)
def test_what_is_not_looked_into_is_said(case: str) -> None:
    make, sentence = LEFT_ALONE[case]
    assert sentence in unread(make())


def test_what_stands_before_the_limit_is_read() -> None:
    game = heavy_mails.game().encode()
    for more in ([b"\nx"] * 600, [b"Content-Type: text/plain\n\n" + b"a\n" * 5 * MIB]):
        message = read_incoming(mixed(b"\n" + game, *more), "m")
        assert message.unread
        assert games_in(message).games


def test_a_record_that_is_cut_off_by_a_limit_is_none() -> None:
    """Else the beginning of a game would be taken for all of it."""
    game = WHOLE["porto"].read_bytes()
    contents = games_in(read_incoming(plain(game + b"# a\n" * MIB), "m"))
    assert not contents.games
    assert contents.unread


CODECS = ["punycode", "idna", "unicode_escape", "raw_unicode_escape", "rot13", "base64", "hex"]
CODECS += [
    "zlib",
    "bz2",
    "undefined",
    "quopri",
    "uu",
    "mbcs",
    "oem",
    "__init__",
    "aliases",
    "x" * 99,
]


@pytest.mark.parametrize("codec", [*CODECS, "\0", "../../x", "utf-8\n", "", "é"])
def test_only_charsets_of_mail_are_decoded(codec: str) -> None:
    assert charset_of(codec) == ""
    assert decoded(b"abc", codec) is None
    assert decoded_words(f"=?{codec or 'x-none'}?q?abc-def?=").endswith(("abc-def", "?="))


@pytest.mark.parametrize(
    "name", ["UTF-8", "us-ascii", "ISO-8859-15", "Windows-1252", "ISO-2022-JP", "gb2312", "KOI8-R"]
)
def test_charsets_of_mail_are_decoded(name: str) -> None:
    assert decoded(b"abc", name) == "abc"
    assert decoded_words(f"=?{name}*en?Q?a=62c?=") == "abc"


def test_a_header_of_parameters_is_read_up_to_a_limit() -> None:
    _, found = read_parameters("text/plain" + "".join(f"; a{n}=b" for n in range(100_000)))
    assert 0 < len(found) <= 100
    assert read_parameters("text/plain" + ";" * 200_000) == ("text/plain", {})


def test_bytes_are_searched_so_often_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    data = heavy_mails.nested(30, b"x" * 100_000)
    assert list(Message(data).leaves())
    monkeypatch.setattr(mime, "MOST_SCANNED", 20 * len(data))
    with pytest.raises(TooMuchError):
        list(Message(data).leaves())


def test_effort_is_used_up_by_many_texts_and_by_many_lines() -> None:
    game = heavy_mails.game()
    effort = Effort(2 * len(game))
    assert not list(candidates(game + "# \n" * 1000, effort))
    assert effort.was_too_little
    effort = Effort(100 * len(game))
    assert list(candidates(game, effort))
    assert not effort.was_too_little


def test_effort_is_used_up_by_records_that_take_long() -> None:
    effort = Effort(100 * len(heavy_mails.game()), seconds=-1)
    assert not list(candidates(heavy_mails.game(), effort))
    assert effort.was_too_little


def test_states_are_worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who answers an unknown state is answered after one walk through the game, not one a step."""
    replay = loads(WHOLE["porto"].read_text("utf-8")).replay
    states = threads.states_of(replay)
    assert states == [threads.state_at(replay, count) for count in range(len(replay.steps) + 1)]
    read: list[object] = []
    steps = [Counted(step.entries, read) for step in replay.steps]
    assert threads.states_of(replay._replace(steps=tuple(steps))) == states
    assert len(read) == len(steps)


class Counted:
    """A step that notes when it is read."""

    def __init__(self, entries: object, read: list[object]) -> None:
        self._entries = entries
        self._read = read

    @property
    def entries(self) -> object:
        self._read.append(self)
        return self._entries


# -- What people send goes on working


@pytest.mark.long
def test_a_record_beside_large_pictures_is_found() -> None:
    message = read_incoming(HEAVY["a picture"](), "m")
    assert not message.unread
    assert len(games_in(message).games) == 1


# -- Mailboxes


def test_an_mbox_that_grows_or_vanishes_while_it_is_read(porto, tmp_path: Path) -> None:
    from porto_cli.mail.sources import open_source

    game = heavy_mails.game().encode()
    one = b"From a@b.c Fri May  1 20:11:00 2026\nFrom: a@b.c\n\n" + game + b"\n"
    box = tmp_path / "mbox"
    box.write_bytes(one * 3)
    messages = iter(open_source(box).messages)
    assert next(messages).parts
    with box.open("ab") as file:
        file.write(one)
    assert next(messages).parts
    box.write_bytes(b"")
    assert len(list(messages)) <= 1, "what was read ahead"
    box.unlink()
    assert porto("receive", "mbox").code == 4


def test_a_message_of_a_maildir_that_is_seen_meanwhile(tmp_path: Path) -> None:
    from porto_cli.mail.sources import open_source

    for folder in ("cur", "new", "tmp"):
        (tmp_path / folder).mkdir()
    for name in ("1", "2", "3"):
        (tmp_path / "new" / name).write_bytes(b"From: a@b.c\n\nporto " + name.encode())
    messages = iter(open_source(tmp_path).messages)
    first = next(messages)
    (tmp_path / "new" / "2").rename(tmp_path / "cur" / "2:2,S")
    (tmp_path / "new" / "3").unlink()
    assert [message.body for message in (first, *messages)] == ["porto 1", "porto 2"]


def test_text_in_an_mbox_does_not_divide_a_message(porto, tmp_path: Path) -> None:
    """By the stuffing before From, by what follows it, or by the length that was said."""
    from porto_cli.mail.sources import open_source

    envelope = b"From a@b.c Fri May  1 20:11:00 2026\n"
    stuffed = b"Subject: 1\n\nporto\n\n>From here on\n>>From there\n"
    unstuffed = b"Subject: 2\n\nporto\n\nFrom here on we play.\n"
    body = b"porto\n\n" + envelope + b"Subject: x\n\n"
    counted = b"Subject: 3\nContent-Length: %d\n\n" % len(body) + body
    wrong = b"Subject: 4\nContent-Length: 100000\n\nporto\n"
    parts = (stuffed, unstuffed, counted, wrong, wrong)
    (tmp_path / "mbox").write_bytes(b"\n".join(envelope + part for part in parts))
    messages = list(open_source(tmp_path / "mbox").messages)
    assert [message.subject for message in messages] == ["1", "2", "3", "4", "4"]
    assert "From here on\n>From there" in messages[0].body
    assert "From here on we play." in messages[1].body
    assert "Subject: x" in messages[2].body
