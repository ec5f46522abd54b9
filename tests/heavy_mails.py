"""Messages that were made to take long, or much memory, and how long and how much they take.

    python -m tests.heavy_mails [NAME…]

Each goes through ``porto receive`` in a process of its own.
``tests/mail/test_receive_hostile.py`` holds what comes out against generous limits.
"""

from __future__ import annotations

import base64
import os
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import porto_cli
from tests.costs import Took, measured, taken
from tests.growing import FAMILIES

MIB = 1024 * 1024
LARGE = 60 * MIB
HEAD = b"From: a@example.org\nMIME-Version: 1.0\n"


def game() -> str:
    return porto_cli.new_game(["Ana", "Bob"], seed="tram", first="Ana").record.text


def plain(body: bytes, kind: bytes = b"text/plain; charset=utf-8", more: bytes = b"") -> bytes:
    return HEAD + b"Content-Type: " + kind + b"\n" + more + b"\n" + body


def mixed(*parts: bytes) -> bytes:
    kind = b"Content-Type: multipart/mixed; boundary=x\n"
    return HEAD + kind + b"".join(b"\n--x\n" + part for part in parts) + b"\n--x--\n"


def record(family: str, size: int) -> bytes:
    return FAMILIES[family][1](size).encode()


def file(name: str, data: bytes) -> bytes:
    head = f'Content-Type: application/yaml; name="{name}"\nContent-Transfer-Encoding: base64\n\n'
    return head.encode() + base64.encodebytes(data)


def nested(depth: int, body: bytes) -> bytes:
    heads = b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (nth, nth)
        for nth in range(depth)
    )
    ends = b"".join(b"\n--b%d--\n" % nth for nth in reversed(range(depth)))
    return HEAD + heads + b"Content-Type: text/plain\n\n" + body + ends


def coded(how: bytes, body: bytes, kind: bytes = b"text/plain") -> bytes:
    return plain(body, kind, b"Content-Transfer-Encoding: " + how + b"\n")


def game_lines(line: bytes, size: int) -> bytes:
    """Return a record with so many bytes of a line in it."""
    return plain(game().encode() + line * (size // len(line)))


HEAVY: dict[str, Callable[[], bytes]] = {
    "semicolons": lambda: plain(b"x", b"text/plain" + b";" * 200_000),
    "semicolons and blanks": lambda: plain(b"x", b"text/plain" + b"; " * 4_000_000),
    "parameters": lambda: plain(b"x", b"text/plain" + b"; a*0*=b" * 1_000_000),
    "quotes": lambda: plain(b"x", b"text/plain; a=" + b'"' * 1_000_000),
    "punycode": lambda: plain(b"porto: 1\xff-" + b"a" * 800_000, b"text/plain; charset=punycode"),
    "punycode in a name": lambda: plain(
        b"x", b"text/plain; name*=punycode''" + b"%ff-" + b"a" * 900_000
    ),
    "punycode in the subject": lambda: (
        b"Subject: " + b"=?punycode?q?" + b"a" * 900_000 + b"?=\n" + plain(b"x")
    ),
    "idna": lambda: plain(b"a." * 400_000, b"text/plain; charset=idna"),
    "unicode_escape": lambda: plain(b"\\u0041" * 400_000, b"text/plain; charset=unicode_escape"),
    "headers": lambda: b"X-A: b\n" * (LARGE // 7) + plain(b"x"),
    "a long header": lambda: b"Subject: " + b"a " * (LARGE // 2) + b"\n" + plain(b"x"),
    "lines of a header": lambda: b"Subject: a\n" + b" b\n" * (LARGE // 3) + plain(b"x"),
    "headers in parts": lambda: mixed(*[b"X-A: b\n" * 20_000 + b"\nporto: 1\n"] * 400),
    "encoded words": lambda: b"Subject: " + b"=?utf-8?q?=41?= " * 60_000 + b"\n" + plain(b"x"),
    "half encoded words": lambda: b"Subject: " + b"=?a?q?" * 150_000 + b"\n" + plain(b"x"),
    "references": lambda: b"References: " + b"<a@b.c>\n " * 1_000_000 + b"\n" + plain(b"x"),
    "our references": lambda: (
        b"References: " + b"<0123456789ab.0123456789abcdef01234567@porto.invalid>\n " * 18_000
        + b"\n" + plain(b"draw blue-1\n")
    ),
    "addresses": lambda: b"From: " + b"((" * 400_000 + b"\n" + plain(b"x"),
    "a date": lambda: b"Date: " + b"1 " * 400_000 + b"\n" + plain(b"x"),
    "short lines": lambda: plain(b"\n" * LARGE),
    "short lines of text": lambda: plain(b"a\n" * (LARGE // 2)),
    "returns": lambda: HEAD.replace(b"\n", b"\r") + b"\r" * LARGE,
    "one line": lambda: plain(b"porto: 1 " * (LARGE // 9)),
    "unquoted beginnings": lambda: plain(b"porto: x\n" * 800_000),
    "beginnings": lambda: plain(b"porto: 1\n" * 800_000),
    "comments before": lambda: plain((b"# a\n" * 20_000 + b"porto: 1\n") * 40),
    "nested": lambda: nested(200, b"x"),
    "nested and large": lambda: nested(39, b"a\n" * (LARGE // 2)),
    "nested in the same": lambda: (
        HEAD + b"Content-Type: multipart/mixed; boundary=b\n\n--b\n" * 100_000
    ),
    "parts": lambda: mixed(*[b"\nporto: 1"] * 1_000_000),
    "marks": lambda: mixed(b"\n" + b"--xy\n" * (LARGE // 5)),
    "marks in lines": lambda: mixed(b"\n" + b"--x" * (LARGE // 3)),
    "forwarded": lambda: b"Content-Type: message/rfc822\n\n" * 1_000_000,
    "digest": lambda: HEAD
    + b"Content-Type: multipart/digest; boundary=x\n"
    + b"\n--x\n\nSubject: a\n\nporto: 1\n" * 400_000,
    "texts": lambda: mixed(*[b"\n" + b"a b c d e f\n" * 600_000] * 8),
    "texts of letters": lambda: mixed(
        *[b"Content-Type: text/plain; charset=latin-1\n\n" + b"\xe9 porto: x\n" * 60_000] * 60
    ),
    "text of another plane": lambda: plain("🂡porto".encode() * (7 * MIB // 9)),
    "flowed": lambda: plain(b"a \n" * 2_000_000, b"text/plain; format=flowed"),
    "records": lambda: mixed(*[file("a.yaml", record("turns taken back", 40_000))] * 20),
    "different records": lambda: mixed(
        *[
            file("a.yaml", record("turns taken back", 8_000).replace(b"seed: ", b"seed: a%d" % n))
            for n in range(20)
        ]
    ),
    "a record of comments": lambda: plain(record("comments", 1_000_000)),
    "a record of passes": lambda: plain(record("passes", 40_000)),
    "a long record": lambda: plain(record("turns taken back", 15_000)),
    "a quoted record": lambda: plain(
        b"".join(b"> " + line for line in record("turns taken back", 8_000).splitlines(True))
    ),
    "records that are none": lambda: plain(
        (game().encode() + b"- Ana: draw blue-9\n" + b"x\n" * 1000) * 20
    ),
    "seals": lambda: plain(game().encode() + b"seals: |\n" + b"  a\n" * 1_000_000),
    "a record and blank lines": lambda: game_lines(b"\n", 7 * MIB),
    "a record and brackets": lambda: game_lines(b"- [[[[[[\n", 3 * MIB),
    "a record and quotes": lambda: game_lines(b"> > > > |\n", 3 * MIB),
    "tags": lambda: plain(b"<div>" * 200_000, b"text/html"),
    "quotations in HTML": lambda: plain(
        b"<blockquote>" * 199 + b"<br>" * 250_000, b"text/html"
    ),
    "list items": lambda: plain(b"<li>" * 260_000, b"text/html"),
    "styles": lambda: plain(b"<p style='" + b"white-space" * 90_000 + b"'>", b"text/html"),
    "styles of tags": lambda: plain(
        b"<p style='" + b"white-space " * 150 + b"'>" * 400, b"text/html"
    ),
    "entities": lambda: plain(b"&lt" * 340_000, b"text/html"),
    "large HTML": lambda: plain(b"<p>porto" * (LARGE // 8), b"text/html"),
    "HTML parts": lambda: mixed(*[b"Content-Type: text/html\n\n" + b"<b>a" * 250_000] * 40),
    "base64": lambda: coded(b"base64", b"cG9ydG86IDEK\n" * (LARGE // 13)),
    "base64 of one letter": lambda: coded(b"base64", b"c\n" * (LARGE // 2)),
    "base64 and noise": lambda: coded(b"base64", b"\xff" * 8 * MIB + b"cG9yd"),
    "quoted-printable": lambda: coded(b"quoted-printable", b"=70" * (24 * MIB // 3)),
    "soft line breaks": lambda: coded(b"quoted-printable", b"=\n" * (LARGE // 2)),
    "uuencode": lambda: coded(b"x-uuencode", b"begin 644 a\n" + b'!8@``\n' * (LARGE // 6)),
    "uuencode without begin": lambda: coded(b"x-uuencode", b"a\n" * (LARGE // 2)),
    "a picture": lambda: mixed(
        b"\n" + game().encode(),
        b"Content-Type: image/jpeg\nContent-Transfer-Encoding: base64\n\n"
        + base64.encodebytes(os.urandom(40 * MIB)),
    ),
    "words": lambda: plain(b"On 2026 " * 1_000 + b"\n" + b"draw " * 1_500),
    "attributions": lambda: plain(b"On a 2026\n" * 800),
    "blanks in words": lambda: plain(b"a." + b" \"')" * 2_000),
    "a signature": lambda: plain(b"-----BEGIN PGP SIGNED MESSAGE-----\n" + b"> " * 3_000_000),
    "nulls": lambda: b"\0" * LARGE,
    "a text file": lambda: b"porto\n" * (LARGE // 6),
    "a file of HTML": lambda: b"<html>" + b"<p>porto" * (LARGE // 8),
    "an mbox": lambda: b"From a\nFrom: b\n\nporto\n\n" * 100_000,
    "an mbox of From": lambda: b"From a\nFrom: b\n\n" + b"\nFrom " * (LARGE // 6),
}  # fmt: skip
"""What makes a message of each kind."""


def received(data: bytes, *words: str, patience: float = 120) -> Took:
    """Receive a message in a process of its own, in an empty folder. Not for Windows."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "message.eml"
        path.write_bytes(data)
        (Path(folder) / "games").mkdir()
        return taken("tests.heavy_mails", "--receive", str(path), *words, patience=patience)


def _receive(path: Path, words: list[str]) -> None:
    from porto_cli.cli.app import run

    folder = path.parent / "games"
    run(["receive", str(path), "--folder", str(folder), "--yes", *words])


def main(words: list[str]) -> None:
    """Print what each message takes."""
    if words[:1] == ["--receive"]:
        measured(partial(_receive, Path(words[1]), words[2:]))
        return
    for name, make in HEAVY.items():
        if not words or name in words:
            data = make()
            took = received(data)
            output = " ".join(took.told.split())[-150:]
            print(
                f"{name:26} {len(data) / MIB:6.1f} MiB {took.seconds:6.1f} s "
                f"{took.mebibytes:5} MiB {took.code}  {output}",
                flush=True,
            )


if __name__ == "__main__":
    main(sys.argv[1:])
