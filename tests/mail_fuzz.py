"""Throws messages at ``porto receive`` and looks at how it takes them.

    python -m tests.mail_fuzz [--inputs N] [--seconds S] [--seed TEXT] [--jobs N]
    python -m tests.mail_fuzz --show NUMBER [--seed TEXT]

Some messages are genuine, and only changed as mail programs and servers change them: encoded anew,
quoted, renamed, forwarded, signed. Their record has to be found. Others are trees of parts with
broken boundaries, charsets, heads, and answers in words. Whatever it is, the command has to end
within a few seconds with a documented exit code and something to say, without a traceback, without
much memory, with nothing on the terminal that steers it; the local copy is as it was or goes on,
and nothing is written elsewhere. Number and seed make an input; ``--show`` prints it and what came
of it.
"""

from __future__ import annotations

import base64
import mailbox
import quopri
import random
import re
import shutil
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from porto_cli.mail.inbox import games_in
from porto_cli.mail.incoming import read_incoming
from porto_cli.match.copies import Verdict, compare
from porto_cli.match.match import loads
from porto_cli.match.replay import Replay
from tests import fuzz
from tests.conftest import Result, run_porto
from tests.fuzz import STEERING, damage_bytes, damage_lines
from tests.mail.test_receive_forms import BEGUN, LETTERS, attached, crlf
from tests.mails import message_id

MODULE = "tests.mail_fuzz"
CODES = {0, 1, 2, 3, 4}
KNOWN = "ana@example.org"
"""Where a player of the local copy gets mail."""


class Input(NamedTuple):
    """A message and what there is before it comes."""

    command: str
    """How it is called in a report."""
    data: bytes
    copy: str
    """The local copy of a game; empty if there is none."""
    genuine: str = ""
    """The record that it has to be found to hold."""
    in_a_mailbox: bool = False


@cache
def replay_of(text: str) -> Replay:
    return loads(text).replay


# --- genuine messages, as others hand them on -------------------------------------------------


def _body_of(message: bytes) -> bytes:
    """Return a message without what is its own: a part, to be put into another one."""
    head, _, body = message.replace(b"\r\n", b"\n").partition(b"\n\n")
    fields = re.split(rb"\n(?![ \t])", head)
    kept = [each for each in fields if each.lower().startswith(b"content-")]
    return b"\n".join(kept) + b"\n\n" + body


def _around(kind: str, boundary: str, *parts: bytes) -> bytes:
    mark = f"--{boundary.strip(chr(34))}".encode()
    head = f"From: rui@example.org\nMIME-Version: 1.0\nContent-Type: {kind}; boundary={boundary}\n"
    return b"\n".join([head.encode(), *(mark + b"\n" + part for part in parts), mark + b"--\n"])


def forwarded(data: bytes, rnd: random.Random) -> bytes:
    inner = b"Content-Type: message/rfc822\n\n" + data.replace(b"\r\n", b"\n")
    return _around("multipart/mixed", f"fw{rnd.randrange(99)}", b"\nSee below.", inner)


def signed(data: bytes, rnd: random.Random) -> bytes:
    kind = "multipart/signed; protocol=application/pgp-signature; micalg=pgp-sha512"
    signature = b"Content-Type: application/pgp-signature\n\n-----BEGIN PGP SIGNATURE-----\n"
    return _around(kind, f'"=_sig {rnd.randrange(99)}"', _body_of(data), signature)


def with_a_footer(data: bytes, rnd: random.Random) -> bytes:
    footer = b"Content-Type: text/plain\n\n____\nlist mailing list\nlist@example.org\n"
    return _around("multipart/mixed", f"===={rnd.randrange(99)}==", _body_of(data), footer)


def with_pictures(data: bytes, rnd: random.Random) -> bytes:
    picture = b"Content-Type: image/png; name=a.png\nContent-Transfer-Encoding: base64\n\n"
    picture += base64.encodebytes(rnd.randbytes(300))
    return _around("multipart/related", "Apple-Mail=_0", _body_of(data), picture)


def with_more_of_a_head(data: bytes, rnd: random.Random) -> bytes:
    more = [
        b"Received: from a.example (a.example [192.0.2.1])\n\tby b.example; Fri, 1 May 2026\n",
        b"DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=example.org;\n\th=from:to;"
        b" bh=abc=;\n b=x/y+z==\n",
        b"X-Spam-Report: \n *  0.0 Content-Type: multipart/mixed; boundary=none\n",
        b"List-Unsubscribe: <mailto:a@b.c>\nPrecedence: list\n",
        b"Subject: =?utf-8?B?SsOj?=\n =?utf-8?Q?o?=\n",
    ]
    return b"".join(rnd.sample(more, rnd.randint(1, len(more)))) + data


def in_an_mbox(data: bytes, rnd: random.Random) -> bytes:
    body = re.sub(rb"(?m)^(>*From )", rb">\1", data.replace(b"\r\n", b"\n"))
    return b"From rui@example.org Fri May  1 20:11:00 2026\n" + body


TRANSPORTS: list[Callable[[bytes, random.Random], bytes]] = [
    forwarded,
    signed,
    with_a_footer,
    with_pictures,
    with_more_of_a_head,
    lambda data, rnd: crlf(data),
    lambda data, rnd: data.replace(b"\r\n", b"\n"),
]
KINDS = ["application/yaml", "application/octet-stream", "text/plain", "text/x-yaml", "nonsense"]
NAMES = ["friday.yaml", "friday (1).yaml", "ATT00001.bin", "friday.yaml.txt", None]
INLINE = sorted(LETTERS.keys() - {"as file", "page", "pasted", "procmail"})


def genuine(rnd: random.Random) -> tuple[bytes, str]:
    """Return a message with a game, as it may come, and the game."""
    text = BEGUN[rnd.choice(sorted(BEGUN))]
    if rnd.random() < 0.5:
        charset = rnd.choice(["", "; charset=utf-8", "; charset=iso-8859-1", "; charset=us-ascii"])
        how = rnd.choice(["base64", "quoted-printable", "8bit"])
        data = attached(text, rnd.choice(KINDS) + charset, rnd.choice(NAMES), how)
    else:
        data = LETTERS[rnd.choice(INLINE)](text)
    for transport in rnd.choices(TRANSPORTS, k=rnd.choice((0, 1, 2, 3, 4))):
        data = transport(data, rnd)
    return in_an_mbox(data, rnd) if rnd.random() < 0.1 else data, text


# --- messages of anybody ----------------------------------------------------------------------

CHARSETS = ["utf-8", "latin-1", "utf-16", "utf-16-le", "utf-7", "iso-2022-jp", "hz", "gb18030"]
CHARSETS += [
    "punycode",
    "idna",
    "rot13",
    "unicode_escape",
    "base64",
    "x" * 50,
    "",
    "\xff",
    "utf-8*en",
]
CODINGS = ["base64", "quoted-printable", "7bit", "8bit", "binary", "x-uuencode", "nonsense", ""]
TYPES = ["text/plain", "text/html", "message/rfc822", "multipart/mixed", "multipart/alternative"]
TYPES += ["multipart/digest", "multipart/signed", "message/delivery-status", "message/partial"]
TYPES += ["application/pgp-encrypted", "application/pkcs7-mime", "application/zip", "text", "/"]
TYPES += ["multipart/encrypted", "application/ms-tnef", "image/png", "text/calendar", ""]
STRANGE = ["\x1b]0;title\x07", "\x9b2J", "\u202e", "=?utf-8?q?=1B[2J?=", "=?utf-8?b?G1sySg==?="]
STRANGE += ["=?utf-8?q?a=0D=0ABcc:_b?=", "../../evil.yaml", "/etc/passwd", "C:\\evil.yaml", "\0"]
STRANGE += ["con.yaml", ".hidden", "-rf.yaml", "a" * 300, '"', "\\", "<a@b.c>", "((((", "=?x?q?"]
FIELDS = ["Subject", "From", "To", "Date", "Message-ID", "References", "In-Reply-To", "Sender"]
FIELDS += [
    "Content-Disposition",
    "Content-Type",
    "Content-Transfer-Encoding",
    "X-A",
    "MIME-Version",
]


def _some(rnd: random.Random, *others: str) -> str:
    return rnd.choice([*STRANGE, *others])


def _text(rnd: random.Random) -> str:
    """Return what a part may say."""
    game = BEGUN[rnd.choice(sorted(BEGUN))]
    lines = game.splitlines(keepends=True)
    pieces = [
        game,
        "".join(f"> {line}" for line in lines),
        "".join(rnd.sample(lines, len(lines) // 2)),
        "porto: 1\n",
        "turns:\n",
        "draw blue-1\n",
        f"<html><pre>{game}</pre>",
        "<blockquote>porto: 1<br>",
        "-----BEGIN PGP SIGNED MESSAGE-----\n\n- - a\n",
        *(f"{each}\n" for each in STRANGE),
    ]
    return "".join(rnd.choices(pieces, k=rnd.randint(1, 4)))


def _head(rnd: random.Random, kind: str, boundary: str) -> bytes:
    named = rnd.choice(["name", "filename", "name*", "filename*0*", "filename*", "boundary", "a"])
    value = _some(rnd, "a.yaml", "utf-8''a%1b.yaml", "punycode''a-b")
    mark = rnd.choice(["", '"', "'"])
    lines = [
        f"Content-Type: {kind}; charset={rnd.choice(CHARSETS)}; boundary={mark}{boundary}{mark}",
        f"Content-Transfer-Encoding: {rnd.choice(CODINGS)}",
        f'Content-Disposition: attachment; {named}="{value}"',
        *(f"{rnd.choice(FIELDS)}: {_some(rnd, 'a', KNOWN)}" for _ in range(rnd.randrange(4))),
        *(f" {_some(rnd)}" for _ in range(rnd.randrange(2))),
    ]
    kept = [line for line in lines if rnd.random() < 0.7] or lines
    return "\n".join(kept).encode("utf-8", "replace") + b"\n"


def tree(rnd: random.Random, depth: int = 0) -> bytes:
    """Return a part, with parts in it or not, as no mail program would write it."""
    boundary = rnd.choice(["b", f"b{depth}", " ", "b b", "", "-", "--", "b" * 80])
    several = depth < 4 and rnd.random() < 0.6
    kind = rnd.choice(TYPES[2:8] if several else TYPES)
    head = _head(rnd, kind, boundary)
    if several:
        marks = [f"--{boundary}", f"--{boundary}--", f"--{boundary} \t", f"--{boundary}x", "--"]
        body = b""
        for _ in range(rnd.randint(1, 4)):
            mark = marks[0] if rnd.random() < 0.8 else rnd.choice(marks)
            body += b"\n" + mark.encode() + b"\n" + tree(rnd, depth + 1)
        body += rnd.choice([b"", f"\n--{boundary}--\n".encode()])
    else:
        charset = rnd.choice(CHARSETS[:8])
        body = _text(rnd).encode(charset, "replace")
        how = rnd.random()
        if how < 0.3:
            body = base64.encodebytes(body)
        elif how < 0.5:
            body = quopri.encodestring(body)
    return head + rnd.choice([b"\n", b"\n", b"\r\n", b""]) + body


def words(rnd: random.Random, text: str) -> bytes:
    """Return an answer in words to a message of a game."""
    replay = replay_of(text)
    game, state = replay.game, replay.state
    seat = game.to_move(state)[0]
    moves = [game.format_move(move, state) for move in game.legal_moves(state, seat, 20)]
    move = rnd.choice(moves)
    said = [
        move,
        move.title(),
        f"I {move}.",
        f"Hi, {move}!",
        f"> {move}",
        f"{move} or not?",
        "undo",
    ]
    said += [f"{move}\n{rnd.choice(moves)}", f"<b>{move}</b>", f"{move} {_some(rnd)}", _some(rnd)]
    said += [
        "On 1 May 2026 Rui wrote:\n> a\n",
        "-- \nJoana",
        "",
        "From: a\nDate: b\n",
        "draw 9" * 99,
    ]
    lines = "\n".join(rnd.choices(said, k=rnd.randint(1, 5)))
    sender = rnd.choice([f"Ana <{KNOWN}>", "Evil <evil@example.org>", _some(rnd), ""])
    head = f"From: {sender}\nSubject: {rnd.choice(['Re: ', ''])}{_some(rnd, 'Porto')}\n"
    if rnd.random() < 0.7:
        count = rnd.randrange(len(replay.steps) + 1)
        head += f"In-Reply-To: {message_id(replay, rnd.choice([None, count]))}\n"
    data = f"{head}Content-Type: text/plain; charset=utf-8\n\n{lines}\n".encode("utf-8", "replace")
    return damage_bytes(data, rnd) if rnd.random() < 0.3 else data


def input_of(seed: str, number: int) -> Input:
    """Make an input; the same numbers make the same one."""
    rnd = random.Random(f"{seed}/{number}")
    copy = BEGUN[rnd.choice(sorted(BEGUN))]
    in_a_mailbox = rnd.random() < 0.2
    match rnd.randrange(4):
        case 0:
            data, text = genuine(rnd)
            return Input("receive (genuine)", data, rnd.choice(["", text]), text, in_a_mailbox)
        case 1:
            data, _ = genuine(rnd)
            for _ in range(rnd.randint(1, 4)):
                data = rnd.choice([damage_bytes, damage_lines])(data, rnd)
            return Input("receive (damaged)", data, copy, "", in_a_mailbox)
        case 2:
            return Input("receive (words)", words(rnd, copy), copy, "", in_a_mailbox)
        case _:
            head = b"From: a@example.org\nMIME-Version: 1.0\n" if rnd.random() < 0.8 else b""
            return Input("receive (tree)", head + tree(rnd), copy, "", in_a_mailbox)


# --- what comes of it -------------------------------------------------------------------------


def complaint(given: Input) -> tuple[str, Result]:
    """Receive a message; return what is wrong with what comes of it, or nothing."""
    with tempfile.TemporaryDirectory() as folder:
        room = Path(folder)
        games = room / "games"
        games.mkdir()
        copy = games / "friday.yaml"
        if given.copy:
            copy.write_text(given.copy, "utf-8")
        where, stdin = "-", given.data
        if given.in_a_mailbox:
            box = mailbox.Maildir(room / "box", create=True)
            with open(room / "box" / "new" / "1", "wb") as file:
                file.write(given.data)
            where, stdin = str(room / "box"), b""
            box.close()
        wrong, result = fuzz.in_time(
            lambda: run_porto("receive", where, "--yes", "--folder", str(games), stdin=stdin)
        )
        shutil.rmtree(room / "box", ignore_errors=True)
        return wrong or _complaint_about(given, result, room), result


def _complaint_about(given: Input, result: Result, room: Path) -> str:
    shown = result.out + result.err
    if result.code not in CODES:
        return f"exit code {result.code}"
    if "Traceback" in shown:
        return "a traceback"
    steering = STEERING.search(shown)
    if steering:
        return f"it steers the terminal with {steering[0]!r}"
    if not shown.strip():
        return "not a word"
    return _written(given, room) or _found(given, result)


def _written(given: Input, room: Path) -> str:
    """Return what is wrong with the files that there are now."""
    if [path.name for path in room.iterdir()] != ["games"]:
        return f"something was written elsewhere: {list(room.iterdir())}"
    for path in (room / "games").iterdir():
        if not re.fullmatch(r"[^.\-/\\\0-\x1f][^/\\\0-\x1f]*\.ya?ml(\.~\d+~)?", path.name):
            return f"a file is called {path.name!r}"
    if given.copy:
        now = (room / "games" / "friday.yaml").read_text("utf-8")
        relation = compare(replay_of(given.copy), loads(now).replay).relation
        if relation not in (Verdict.SAME, Verdict.CONTINUES):
            return f"the local copy is now {relation}"
        from_unknown_sender = b"evil@example.org" in given.data and b"-Reply-To" not in given.data
        if from_unknown_sender and given.in_a_mailbox and now != given.copy:
            return "what an unknown sender wrote was played"
    return ""


def _found(given: Input, result: Result) -> str:
    """Return what is wrong if there is a record to be found."""
    if not given.genuine:
        return ""
    games = games_in(read_incoming(given.data, "message")).games
    if [game.match.digest for game in games] != [replay_of(given.genuine).digest]:
        return "its record is not found"
    # Words that a broken quotation leaves over are no reason to refuse a game that is new.
    return "its record is refused" if result.code and not given.copy else ""


def show(seed: str, number: int) -> str:
    """Return an input and what comes of it."""
    given = input_of(seed, number)
    wrong, result = complaint(given)
    return "\n".join(
        [
            given.data.decode("utf-8", "backslashreplace"),
            f"--- {given.command}{', in a mailbox' if given.in_a_mailbox else ''}",
            f"--- exit code {result.code}",
            result.out,
            result.err,
            f"--- {wrong or 'as it should be'}",
        ]
    )


MAILS = fuzz.Kind(MODULE, input_of, complaint, show)

if __name__ == "__main__":
    sys.exit(fuzz.main(None, MAILS, __doc__))
