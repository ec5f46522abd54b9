"""An inbox on a server that is hostile or broken: reading it comes to an end, without taking the
memory of the computer, and a message that cannot be read keeps no other from being received.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from porto_cli.core import TROUBLE
from porto_cli.mail import imap
from porto_cli.mail.account import AccountError
from porto_cli.match.match import Match
from porto_cli.settings import NO_SECURITY, STARTTLS, Inbox, Mail
from tests.conftest import ROOT
from tests.hostile_imap import (
    ENDLESS,
    HEAD,
    Answer,
    HostileServer,
    done,
    drip,
    hostile,
    literal,
    told,
)
from tests.mail.test_receive import mail, play_on
from tests.mails import joanas_turn

pytestmark = pytest.mark.outside

MEMORY = 200 * 1024
"""KiB that the program may take, whatever the server sends."""
SCRIPT = """
import atexit, pathlib, sys
from porto_cli.__main__ import main

def tell_peak():
    status = pathlib.Path("/proc/self/status")
    lines = status.read_text().splitlines() if status.exists() else []
    (peak,) = [line.split()[1] for line in lines if line.startswith("VmHWM:")] or ["0"]
    pathlib.Path("peak").write_text(peak)

atexit.register(tell_peak)
main()
"""


@pytest.fixture
def game(porto, tmp_path: Path) -> Match:
    return joanas_turn(tmp_path / "friday.yaml")


def receive(server: HostileServer, security: str = NO_SECURITY) -> tuple[int, str, str]:
    """Type ``porto receive`` with an inbox at a server; return the exit code and what was said.

    Whatever happens, there is no traceback, and the memory is enough.
    """
    home = Path(os.environ["PORTO_HOME"])
    home.mkdir(mode=0o700)
    (home / "config.yaml").write_text(
        f"mail: {{inbox: {{server: 127.0.0.1, port: {server.port}, security: {security}, "
        "user: ines, password: {command: 'echo secret'}}}\n",
        "utf-8",
    )
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, "receive"],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
    assert "Traceback" not in done.stderr
    assert int(Path("peak").read_text()) < MEMORY
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("answers", ENDLESS.values(), ids=ENDLESS)
def test_a_server_that_sends_without_end(game: Match, answers: dict[str, Answer]) -> None:
    with hostile(answers) as server:
        code, _, said = receive(server)
    assert code == TROUBLE
    is_open = {"EXAMINE"} <= {*server.commands} and "EXAMINE" not in answers
    outcome = "what it had delivered by then is saved" if is_open else "no mail was fetched"
    assert said == (
        "127.0.0.1 keeps sending without coming to an end, so the connection was closed; "
        f"{outcome}. Check 'inbox' in the settings ('imaps://' goes with port 993, 'imap://' with "
        "port 143).\n"
    )
    assert "LOGOUT" not in server.commands


def test_a_server_that_sends_without_end_before_it_is_known_who_it_is(game: Match) -> None:
    with hostile(ENDLESS["lines instead of capabilities"]) as server:
        code, _, said = receive(server, STARTTLS)
    assert (code, server.commands) == (TROUBLE, ["CAPABILITY"])
    assert "keeps sending without coming to an end" in said


@pytest.mark.parametrize(
    "answers",
    [
        {"": lambda _: drip(b"* OK ")},
        {"EXAMINE": lambda _: drip(b"* OK ")},
        {"FETCH": lambda _: drip(literal(60_000))},
        {"AUTHENTICATE": lambda _: drip(b"", b"+ AAAA\r\n")},
    ],
    ids=["a greeting", "a folder", "a head", "a login"],
)
def test_a_server_that_sends_a_byte_now_and_then(answers: dict[str, Answer]) -> None:
    with hostile(answers) as server:
        how = Mail(server="127.0.0.1", port=server.port, security=NO_SECURITY, user="ines")
        account = how._replace(password_command="echo secret")
        with (
            pytest.raises(AccountError, match="keeps sending without coming to an end"),
            imap.opened(Inbox("", account), patience=0.2) as source,
        ):
            list(source.envelopes)


def whole_of(number: int, game: Match) -> bytes:
    """Return what a server tells if all of a message with a record is asked for."""
    text = mail(game)
    return b"* %d FETCH (UID %d BODY[] {%d}\r\n%b)\r\n" % (number, number, len(text), text)


# What is too long of one message; it is written when it is sent, as it takes much memory.
LONG: dict[str, Callable[[], bytes]] = {
    "a head": lambda: told(
        1, b"Subject: Porto\r\nReferences: " + b"<a@b.c>\r\n " * 9000 + b"\r\n\r\n"
    ),
    "a head of 60 MB": lambda: told(1, b"Subject: " + b"x" * 60_000_000 + b"\r\n\r\n"),
    "a structure": lambda: told(1, structure=b'("' + b"BODY[" * 100_000 + b'")'),
    "quotation marks": lambda: told(1, structure=b'"\\' * 1_000_000),
    "brackets": lambda: told(1, structure=b"(" * 1_000_000 + b")" * 1_000_000),
}


@pytest.mark.parametrize("long", LONG.values(), ids=LONG)
def test_a_message_that_is_too_long_keeps_no_other_away(
    game: Match, long: Callable[[], bytes]
) -> None:
    new = play_on(game, 1)
    head = b"Message-ID: <b@example.org>\r\nSubject: Porto\r\n\r\n"
    answers: dict[str, Answer] = {
        "FETCH": lambda tag: [long(), told(2, head, b'("text" "yaml")'), long(), done(tag)],
        "UID": lambda tag: [whole_of(2, new), done(tag)],
    }
    with hostile(answers) as server:
        code, _, said = receive(server)
    assert (code, Path("friday.yaml").read_text("utf-8")) == (0, new.record.text)
    assert said == (
        "Skipped 2 messages of INBOX at 127.0.0.1, with headers or lists of attachments longer "
        "than any mail program writes.\n"
    )
    assert server.commands[-1] == "LOGOUT"


# Lines that are short enough to be kept, but would be searched without end.
SLOW = {
    "quotation marks": told(1, structure=b'"\\' * 100_000),
    "fields": told(1, structure=b"BODY[" * 40_000),
    "names": b"* 1 FETCH (" + b"{1}\r\nx" * 40_000 + b")\r\n",
}


@pytest.mark.parametrize("slow", SLOW.values(), ids=SLOW)
def test_what_is_told_of_a_message_is_searched_once(game: Match, slow: bytes) -> None:
    with hostile({"FETCH": lambda tag: [slow * 3, done(tag)]}) as server:
        code, out, _ = receive(server)
    assert code == 0
    assert "No game messages" in out


def test_many_messages_that_answer_many_others(game: Match) -> None:
    answered = b"\r\n ".join(b"<%012x.%024x@porto.invalid>" % (nth, nth) for nth in range(350))
    head = b"Subject: Porto %b\r\nReferences: %b\r\n\r\n" % (b"x" * 2000, answered)

    def heads(tag: bytes) -> Iterable[bytes]:
        first = 1 + 1000 * (server.commands.count("FETCH") - 1)
        return [*(told(nth, head) for nth in range(first, first + 1000)), done(tag)]

    answers: dict[str, Answer] = {
        "EXAMINE": lambda tag: [b"* 4000 EXISTS\r\n", done(tag)],
        "FETCH": heads,
        "UID": lambda tag: [done(tag)],
    }
    with hostile(answers) as server:
        code, *_ = receive(server)
    assert code == 0
    assert server.commands.count("FETCH") == 4


def test_a_message_as_large_as_any_may_be(game: Match) -> None:
    body = HEAD + b"draw blue-1\r\n" * 5_000_000
    whole = body[: 64 * 1024 * 1024]
    answers: dict[str, Answer] = {
        "UID": lambda tag: [
            b"* 1 FETCH (UID 1 BODY[] {%d}\r\n" % len(whole),
            whole,
            b")\r\n",
            done(tag),
        ],
    }
    with hostile(answers) as server:
        code, *_ = receive(server)
    assert code == 0


@pytest.mark.parametrize(
    ("command", "answer", "code", "said"),
    [
        ("AUTHENTICATE", b"NO " + b"y" * 3_000_000, TROUBLE, "does not accept the user name"),
        ("", b"BYE \x1b]0;x\x07", TROUBLE, "does not answer on port"),
        ("EXAMINE", b"NO \x1b[31m no", TROUBLE, "does not open the folder 'INBOX'"),
        ("FETCH", b"NO \x1b[31m no", TROUBLE, "does not deliver the mail"),
        ("FETCH", b"nonsense", TROUBLE, "closed the connection"),
        ("LOGOUT", b"NO never", 0, ""),
        # What a server says counts, also where the password in it is not shown.
        ("AUTHENTICATE", b"NO [UNAVAILABLE]secret", TROUBLE, "does not allow logging in now (…)"),
        ("UID", b"NO [EXPUNGEISSUED]secret", 0, ""),
        ("CAPABILITY", b"\r\n* CAPABILITY IMAP4rev1 \xff", TROUBLE, "closed the connection"),
    ],
    # The name of a test is in the environment of what it starts, which has a limit.
    ids=[
        "a long no",
        "bye",
        "no folder",
        "no mail",
        "nonsense",
        "no goodbye",
        "not now",
        "gone",
        "8 bits",
    ],
)
def test_a_server_that_refuses(
    game: Match, command: str, answer: bytes, code: int, said: str
) -> None:
    with hostile({command: lambda tag: [tag + b" " + answer + b"\r\n"]}) as server:
        was, _, err = receive(server)
    assert was == code
    assert said in err
    assert "\x1b" not in err
    assert len(err) < 1500


def test_names_of_attachments_are_no_facts_of_a_message(game: Match) -> None:
    """Whoever sends a message can call an attachment anything; a server may give its length."""
    new = play_on(game, 1)
    names = rb'("name" "UID 7 \" UID 8" "x" {17}' + b"\r\nUID 9 friday.yaml"
    structure = b'("text" "plain" ' + names + b') NIL NIL "7bit" 9 1)'
    told_of = told(5, structure=structure)
    answers: dict[str, Answer] = {
        "FETCH": lambda tag: [told_of, done(tag)],
        "UID": lambda tag: [whole_of(5, new), done(tag)],
    }
    with hostile(answers) as server:
        code, _, said = receive(server)
        (asked,) = [line for line in server.lines if b"UID FETCH" in line]
    assert (code, Path("friday.yaml").read_text("utf-8")) == (0, new.record.text), said
    assert b"UID FETCH 5 " in asked


@pytest.mark.parametrize(
    "count", [b"99999999999999999999999", b"-5", b"0"], ids=["too many", "fewer than none", "none"]
)
def test_a_server_that_miscounts(game: Match, count: bytes) -> None:
    answers: dict[str, Answer] = {
        "EXAMINE": lambda tag: [b"* %b EXISTS\r\n" % count, done(tag)],
        "UID": lambda tag: [done(tag)],
    }
    with hostile(answers) as server:
        assert receive(server)[0] == 0
