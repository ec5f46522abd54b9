"""Messages that were made to annoy: no traceback, nothing outside of the folder, no long wait."""

from __future__ import annotations

import time
import zipfile
from email.message import EmailMessage
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import porto_cli
from porto_cli.mail.html_text import text_of_html
from porto_cli.mail.incoming import read_incoming
from porto_cli.mail.records_in import MOST_EFFORT, games_in
from porto_cli.mail.restore import Effort, candidates, unflowed
from tests.conftest import run_porto

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


@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE)
def test_what_annoys_is_answered_in_time(porto, tmp_path: Path, data: bytes) -> None:
    begun = time.monotonic()
    done = porto("receive", "--yes", stdin=data)
    assert done.code in (0, 1, 3, 4), done.err
    assert done.out + done.err
    assert time.monotonic() - begun < 20, "nobody waits for ever"
    assert all(path.suffix == ".yaml" for path in tmp_path.iterdir())


def test_what_is_nested_as_people_nest_is_found() -> None:
    for data in (nested(30), forwarded(20)):
        assert games_in(read_incoming(data, "m")).games


def test_an_archive_stays_closed(porto, tmp_path: Path) -> None:
    done = porto("receive", stdin=bomb())
    assert done.code == 1
    assert "not opened" in done.err
    assert not list(tmp_path.iterdir())


def test_a_message_that_is_too_large(porto, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("porto_cli.mail.sources.LARGEST_MESSAGE", 1000)
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
    list(candidates(text, Effort(MOST_EFFORT)))
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
