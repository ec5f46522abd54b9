"""Messages that were made to annoy: no traceback, nothing outside of the folder, no long wait."""

from __future__ import annotations

import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from functools import cache
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import porto_cli
from porto_cli.mail.inbox import games_in, pieces
from porto_cli.mail.incoming import Incoming, open_source, read_incoming, unflowed
from porto_cli.mail.mime import (
    charset_of,
    decoded,
    decoded_words,
    read_parameters,
    text_of_html,
)
from porto_cli.match.copies import merge
from porto_cli.match.match import loads
from tests import heavy_mails
from tests.conftest import run_porto
from tests.heavy_mails import HEAVY, MIB, mixed, plain
from tests.mails import WHOLE

GAME = porto_cli.new_game(["Inês", "Joana"], seed="tram", first="Inês").record.text


def nested(depth: int) -> bytes:
    """Return a message of multiparts within multiparts, with the record in the innermost one."""
    head = "From: a@example.org\nMIME-Version: 1.0\n"
    for level in range(depth):
        head += f"Content-Type: multipart/mixed; boundary=b{level}\n\n--b{level}\n"
    text = f"{head}Content-Type: text/plain; charset=utf-8\n\n{GAME}"
    return (text + "".join(f"\n--b{level}--\n" for level in reversed(range(depth)))).encode()


def forwarded(depth: int) -> bytes:
    """Return a message that was forwarded again and again."""
    head = "From: a@example.org\nMIME-Version: 1.0\nContent-Type: message/rfc822\n\n"
    return (head * depth + f"From: a@example.org\n\n{GAME}").encode()


def bomb() -> bytes:
    data = BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("friday.yaml", b"porto: 1\n" + b"#" * 20_000_000)
    message = EmailMessage()
    message["From"] = "a@example.org"
    message.add_attachment(data.getvalue(), "application", "zip", filename="friday.zip")
    return message.as_bytes()


def in_html(html: str) -> bytes:
    return b"From: a@example.org\nContent-Type: text/html; charset=utf-8\n\n" + html.encode()


HOSTILE = {
    "nested": nested(30),
    "nested deep": nested(400),
    "nested very deep": nested(5000),
    "forwarded": forwarded(20),
    "forwarded deep": forwarded(5000),
    "bomb": bomb(),
    "tags": in_html("<div>" * 100_000 + "porto: 1"),
    "end tags": in_html("<b>" * 150 + "</i></b><b>" * 40_000),
    "open tags": in_html("<" * 300_000),
    "open comments": in_html("<!--" * 100_000),
    "open declarations": in_html("<![" * 100_000),
    "comments in comments": in_html("<!-- <p> -- >" * 50_000 + "-->porto: 1"),
    "a declaration in the end": in_html("porto: 1<!"),
    "tags that nobody ends": in_html("<a " * 100_000),
    "values that nobody ends": in_html("<a x='" * 100_000),
    "ends that nobody ends": in_html("</a " * 100_000 + "</" * 100_000),
    "scripts": in_html("<script>" + "</scr" * 100_000),
    "titles": in_html("<title>" * 50_000 + "<textarea>" + "</" * 50_000),
    "attributes": in_html("<a " + "b=c " * 100_000),
    "quotes in tags": in_html('<a x="' * 50_000 + ">" * 100_000),
    "a reference": in_html("&#" + "9" * 500_000 + ";"),
    "references": in_html("&" * 500_000 + "&#x110000; &#0; &#xd800;"),
    "many records": b"From: a@b.c\n\n" + b"porto: 1\n" * 200_000,
    "many games": b"From: a@b.c\n\n" + GAME.encode() * 300,
    "quotes": b"From: a@b.c\n\n" + b">" * 1_000_000 + b"porto: 1\n",
    "blanks": b"From: a@b.c\n\n" + b" " * 1_000_000 + b"porto: 1\n",
    "quotes and blanks": b"From: a@b.c\n\n" + b"> " * 500_000 + b"x\n" + b" >" * 500_000,
    "brackets": GAME.replace("seed: tram", "seed: [" + "[" * 100_000).encode(),
    "one long line": b"porto: 1 " * 300_000,
    "long headers": b"Subject: " + b"=?utf-8?q?=" * 50_000 + b"\nFrom: a@b.c\n\nx",
    "many headers": b"Subject: re: re:\n" * 100_000 + b"\nx",
    "many recipients": b"From: " + b'"a" <a@b.c>, ' * 50_000 + b"\n\ndraw blue-1\n",
    "long references": b"From: a@b.c\nReferences: " + b"<a@b.c>\n " * 100_000 + b"\n\nx",
    "commas": b"From: a@b.c\n\ndraw " + b"blue-1," * 100_000,
    "attributions": b"From: a@b.c\n\n" + b"On 2026 " * 30_000 + b"\n",
    "lines of attributions": b"From: a@b.c\n\n" + b"On 2026 wrote\n" * 30_000,
    "no charset": b"From: a@b.c\nContent-Type: text/plain; charset=\xff\xfe\n\nporto: 1\n",
    "rot13": b"From: a@b.c\nContent-Type: text/plain; charset=rot13\n\ncbegb: 1 porto: 1\n",
    "base64 as charset": b"From: a@b.c\nContent-Type: text/plain; charset=base64\n\ncG9y porto: 1",
    "idna": b"From: a@b.c\nContent-Type: text/plain; charset=idna\n\nporto: 1\n",
    "no base64": b"From: a@b.c\nContent-Transfer-Encoding: base64\n\nporto: 1\nABC=D\xff\n",
    "uuencode": b"From: a@b.c\nContent-Transfer-Encoding: x-uuencode\n\nbegin 666 x\n\xff~~~~\n",
    "half a boundary": b"From: a@b.c\nContent-Type: multipart/mixed; boundary\n\n--\nporto: 1\n",
    "a boundary of blanks": b"From: a@b.c\nContent-Type: multipart/mixed; boundary=' '\n\n-- \nx\n",
    "a name in parts": b"From: a@b.c\nContent-Type: text/plain; name*0*=x'; name*9=y\n\nx",
    "dates": b"From: a@b.c\nDate: Mon, 99 Xxx 99999999999999 99:99:99 +9999999\n\nporto: 1\n",
    "a date": b"From: a@b.c\nDate: Fri, 31 Dec 9999 23:59:59 -2359\n\nporto: 1\n",
    "halves": "porto: 1\ntitle: \ud800\n".encode("utf-16", "surrogatepass"),
    "nothing but marks": b"\xff\xfe",
    "nulls": b"\0" * 100_000,
    "an mbox of nothing": b"From \n\nFrom \n\nFrom ",
    "a message of Outlook": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600,
    "a signature": b"From: a@b.c\n\n-----BEGIN PGP SIGNED MESSAGE-----\n" + b"- -" * 200_000,
}


SLOWEST = (
    "tags",
    "end tags",
    "open tags",
    "attributions",
    "blanks",
    "ends that nobody ends",
    "lines of attributions",
    "many records",
    "nested deep",
    "open declarations",
    "quotes in tags",
    "tags that nobody ends",
    "values that nobody ends",
    "a signature",
    "many headers",
    "quotes and blanks",
    "scripts",
)
"""They take most of the time of all, and are read like the others of their kind."""


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(data, id=name, marks=[pytest.mark.long] * (name in SLOWEST))
        for name, data in HOSTILE.items()
    ],
)
def test_hostile_messages_are_answered_in_time(porto, tmp_path: Path, data: bytes) -> None:
    begun = time.monotonic()
    done = porto("receive", "--yes", stdin=data)
    assert done.code in (0, 1, 3, 4), done.err
    assert done.out + done.err
    assert time.monotonic() - begun < 20, "nobody waits for ever"
    assert all(path.suffix == ".yaml" for path in tmp_path.iterdir())


def test_what_is_nested_as_people_nest_is_found() -> None:
    for data in (nested(30), forwarded(20)):
        assert games_in(read_incoming(data, "m")).games


@pytest.mark.long
def test_an_archive_stays_closed(porto, tmp_path: Path) -> None:
    done = porto("receive", stdin=bomb())
    assert done.code == 1
    assert "not opened" in done.err
    assert not list(tmp_path.iterdir())


def test_a_message_that_is_too_large(porto, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("porto_cli.mail.incoming.LARGEST_MESSAGE", 1000)
    (tmp_path / "m.eml").write_bytes(b"From: a@b.c\n\n" + b"x" * 1000)
    for done in (porto("receive", "m.eml"), porto("receive", stdin=b"x" * 1001)):
        assert done.code == 4
        assert "is larger than" in done.err


PIECES = st.sampled_from(
    [
        *(
            b"From: a@b.c\n",
            b"Content-Type: ",
            b"multipart/mixed; boundary=x\n",
            b"--x\n",
            b"--x--",
        ),
        *(
            b"text/html",
            b"message/rfc822",
            b"text/plain; format=flowed; delsp=yes; charset=",
            b"\n",
        ),
        *(b"utf-7", b"utf-16", b"Content-Transfer-Encoding: base64\n", b"quoted-printable", b"=\n"),
        *(b"> ", b"porto: 1\n", b"turns:\n", b"- In\xc3\xaas: draw", b"<pre>", b"&nbsp;", b"\n\n"),
        *(b"Subject: =?utf-8?b?", b"?=", b"filename*=utf-8''%", b"From ", b"\xff", b"\0", b"-- \n"),
        *(GAME.encode(), GAME.replace("\n", "\n> ").encode(), b"draw blue-1", b"PK\x03\x04"),
    ]
)
BYTES = st.one_of(st.binary(max_size=300), st.lists(PIECES, max_size=12).map(b"".join))


def check(data: bytes) -> None:
    message = read_incoming(data, "m", "friday.yaml")
    games_in(message)
    text = data.decode("latin-1")
    assert all([*piece.readings()] for piece in pieces(text))
    unflowed(text, delete_spaces=True)
    text_of_html(text)


@given(BYTES)
def test_any_bytes_are_a_message(data: bytes) -> None:
    check(data)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "friday.yaml").write_text(GAME, "utf-8")
    return tmp_path


@settings(suppress_health_check=list(HealthCheck))
@given(data=BYTES)
def test_any_bytes_can_be_received(folder: Path, data: bytes) -> None:
    done = run_porto("receive", "-n", "--yes", stdin=data)
    assert done.code in (0, 1, 2, 3, 4), done.err
    assert "Traceback" not in done.err
    assert [path.name for path in folder.iterdir()] == ["friday.yaml"]
    assert (folder / "friday.yaml").read_text("utf-8") == GAME


@pytest.mark.slow
@settings(max_examples=20_000, suppress_health_check=list(HealthCheck))
@given(data=st.one_of(BYTES, st.binary(max_size=5000), st.lists(PIECES).map(b"".join)))
def test_any_bytes_for_long(data: bytes) -> None:
    check(data)


# --- messages that are too large --------------------------------------------------------------


needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="asks Linux for the memory")

TIMES, MEBIBYTES = 400, 400
"""What a message may take: how many times as long as a short one, and how much memory. An mbox of
100,000 messages takes some 220 times as long.
"""


@cache
def of_a_short_message() -> float:
    """Return what a short message takes, in processor seconds."""
    return heavy_mails.received(b"From: a@b.c\nTo: d@e.f\n\nporto\n").seconds


@pytest.mark.slow
@needs_linux
@pytest.mark.parametrize("name", HEAVY)
def test_a_heavy_message_takes_little(name: str) -> None:
    took = heavy_mails.received(HEAVY[name]())
    assert took.code in (0, 1, 3, 4), took.told
    assert took.told.strip()
    assert "Traceback" not in took.told
    assert took.seconds < TIMES * of_a_short_message()
    assert took.mebibytes < MEBIBYTES


# -- The limits, one by one


def unread(data: bytes) -> str:
    message = read_incoming(data, "m")
    sentences = (*message.unread, *games_in(message).unread)
    assert sentences
    return " ".join(map(str, sentences))


LEFT_ALONE: dict[str, tuple[Callable[[], bytes], str]] = {
    "a large head": (
        lambda: b"From: a@b.c\n" + b"X-A: b\n" * 40_000 + b"\nx",
        "The headers of the message are larger than 256 KiB",
    ),
    "a header of parameters": (
        lambda: plain(b"x", b"text/plain" + b"; a=b" * 2000),
        "The headers of the message are larger than 256 KiB",
    ),
    "large heads of parts": (
        lambda: mixed(*[b"X-A: b\n" * 20_000 + b"\nx"] * 100),
        "It has far more parts or lines than an ordinary message",
    ),
    "many parts": (
        lambda: mixed(*[b"\nx"] * 1000),
        "It has far more parts or lines than an ordinary message",
    ),
    "many marks": (
        lambda: mixed(b"\n" + b"--xy\n" * 20_000),
        "It has far more parts or lines than an ordinary message",
    ),
    "many lines": (
        lambda: plain(b"a\n" * (7 * MIB // 2)),
        "It has far more parts or lines than an ordinary message",
    ),
    "deep": (lambda: heavy_mails.nested(60, b"x"), "nested more than 40 levels deep"),
    "a large part": (lambda: plain(b"a\n" * 5 * MIB), "A part of it is larger than 8 MiB"),
    "much text": (
        lambda: mixed(*[b"\n" + b"a b c d e f g h i j\n" * 140_000] * 5),
        "It has more than 12 MiB of text",
    ),
    "much HTML": (
        lambda: mixed(*[b"Content-Type: text/html\n\n" + b"a b\n" * (MIB // 6)] * 5),
        "or 1 MiB of HTML; the rest was not read",
    ),
    "many records": (
        lambda: plain((heavy_mails.game().encode() + b"# \n" * 100_000) * 5),
        "not all of it was read; a record has 1024 KiB at most",
    ),
}


@pytest.mark.parametrize(
    "case",
    # Five large records take longer than all other cases.
    [
        pytest.param(case, marks=[pytest.mark.long] * (case == "many records"))
        for case in LEFT_ALONE
    ],
)
@pytest.mark.long_for("large heads of parts", "many lines", "much text")
def test_what_is_not_looked_into_is_said(case: str) -> None:
    make, sentence = LEFT_ALONE[case]
    assert sentence in unread(make())


@pytest.mark.long
def test_everything_before_the_limit_is_read() -> None:
    game = heavy_mails.game().encode()
    for more in ([b"\nx"] * 600, [b"Content-Type: text/plain\n\n" + b"a " * 5 * MIB]):
        message = read_incoming(mixed(b"\n" + game, *more), "m")
        assert message.unread
        assert games_in(message).games


@pytest.mark.long
def test_a_record_that_is_cut_off_by_a_limit_is_none() -> None:
    """Else the beginning of a game would be taken for all of it."""
    game = WHOLE["porto"].read_bytes()
    message = read_incoming(plain(game + b"# a\n" * 3 * MIB), "m")
    assert not games_in(message).games
    assert message.unread


CODECS = ["punycode", "idna", "unicode_escape", "raw_unicode_escape", "rot13", "base64", "hex"]
CODECS += ["zlib", "bz2", "undefined", "quopri", "uu", "mbcs", "oem", "__init__", "aliases"]


@pytest.mark.parametrize("codec", [*CODECS, "x" * 99, "\0", "../../x", "utf-8\n", "", "é"])
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
    assert 0 < len(found) <= 2000
    assert read_parameters("text/plain" + ";" * 200_000)[0] == "text/plain"


def test_a_record_with_too_many_lines_is_left_alone_and_it_is_said() -> None:
    for more, is_read in (("", True), ("# \n" * 150_000, False)):
        text = heavy_mails.game() + more
        contents = games_in(read_incoming(plain(text.encode()), "m"))
        assert (bool(contents.games), bool(contents.unread)) == (is_read, not is_read)


# -- What people send goes on working


@pytest.mark.long
def test_a_record_beside_large_pictures_is_found() -> None:
    message = read_incoming(HEAVY["a picture"](), "m")
    assert not message.unread
    assert len(games_in(message).games) == 1


# -- Mailboxes


def messages_of(path: Path) -> Iterator[Incoming]:
    found = (envelope.load() for envelope in open_source(path).envelopes)
    return (message for message in found if message)


def test_an_mbox_that_grows_or_vanishes_while_it_is_read(porto, tmp_path: Path) -> None:
    game = heavy_mails.game().encode()
    one = b"From a@b.c Fri May  1 20:11:00 2026\nFrom: a@b.c\n\n" + game + b"\n"
    box = tmp_path / "mbox"
    box.write_bytes(one * 3)
    messages = messages_of(box)
    assert next(messages).parts
    with box.open("ab") as file:
        file.write(one)
    assert next(messages).parts
    box.write_bytes(b"")
    assert len(list(messages)) <= 1, "what was read ahead"
    box.unlink()
    assert porto("receive", "mbox").code == 4


def test_a_message_of_a_maildir_read_by_another_program(tmp_path: Path) -> None:
    for folder in ("cur", "new", "tmp"):
        (tmp_path / folder).mkdir()
    for name in ("1", "2", "3"):
        (tmp_path / "new" / name).write_bytes(b"From: a@b.c\n\nporto " + name.encode())
    messages = messages_of(tmp_path)
    first = next(messages)
    (tmp_path / "new" / "2").rename(tmp_path / "cur" / "2:2,S")
    (tmp_path / "new" / "3").unlink()
    assert [message.body for message in (first, *messages)] == ["porto 1", "porto 2"]


def test_text_in_an_mbox_does_not_divide_a_message(porto, tmp_path: Path) -> None:
    """By the stuffing before From, or by what follows it."""
    envelope = b"From a@b.c Fri May  1 20:11:00 2026\n"
    stuffed = b"Subject: 1\n\nporto\n\n>From here on\n>>From there\n"
    unstuffed = b"Subject: 2\n\nporto\n\nFrom here on we play.\n"
    counted = b"Subject: 3\nContent-Length: 100000\n\nporto\n"
    parts = (stuffed, unstuffed, counted, counted)
    (tmp_path / "mbox").write_bytes(b"\n".join(envelope + part for part in parts))
    messages = list(messages_of(tmp_path / "mbox"))
    assert [message.subject for message in messages] == ["1", "2", "3", "3"]
    assert "From here on\n>From there" in messages[0].body
    assert "From here on we play." in messages[1].body


def test_a_record_with_very_many_orders_is_not_merged() -> None:
    """Merging takes long for each item; what no real game has is put beside the local copy."""
    match = porto_cli.new_game(["Ana", "Rui"], seed="tram", first="Ana")
    own = loads(match.record.text + "- Rui: order act any\n").replay
    few, many = (loads(match.record.text + "- Ana: order none\n" * n).replay for n in (50, 2001))
    assert merge(own, few) is not None
    assert merge(own, many) is None
