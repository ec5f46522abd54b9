"""What a mail server can say: messages claim no more than is known, and show no password."""

from __future__ import annotations

import base64
import socket
import ssl
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import repeat

import pytest

from porto_cli.mail import account as sending
from porto_cli.mail.account import HIDDEN, DeferredMailError, RefusedMailError, SendError, Sent
from porto_cli.settings import NO_SECURITY, Mail
from tests.mails import message_of

pytestmark = pytest.mark.outside

SECRET = "correct  horse-pass.word/battery+9"
HANG_UP = b""
MAIL = "From: ines@example.org\r\nTo: joana@example.org, rui@example.org\r\n\r\nHello\r\n"

Says = bytes | Iterable[bytes]
"""An answer; without end, if it is given in pieces that do not end."""

USUAL: dict[str, Says] = {
    "": b"220 mail.test\r\n",
    "EHLO": b"250-mail.test\r\n250 AUTH PLAIN LOGIN\r\n",
    "AUTH": b"235 Welcome\r\n",
    "MAIL": b"250 OK\r\n",
    "RCPT": b"250 OK\r\n",
    "DATA": b"354 Go on\r\n",
    ".": b"250 OK\r\n",
    "RSET": b"250 OK\r\n",
    "QUIT": b"221 Bye\r\n",
}
"""What a server says to each command; to the connection (""), and behind the content (".")."""


@contextmanager
def server(says: dict[str, Says]) -> Iterator[int]:
    """Run a server that says what it is given, and return its port."""
    says = {**USUAL, **says}

    def converse(connection: socket.socket) -> None:
        with connection, connection.makefile("rb") as lines, suppress(OSError):
            command = ""
            while True:
                answer = says.get(command, b"502 What?\r\n")
                if answer == HANG_UP:
                    return
                for piece in [answer] if isinstance(answer, bytes) else answer:
                    connection.sendall(piece)
                in_content = command == "DATA" and answer == USUAL["DATA"]
                for line in lines:
                    command = line.split()[0].decode().upper() if line.split() else ""
                    if not in_content or line == b".\r\n":
                        break
                else:
                    return
                if command == "RCPT" and b"rui" in line and "RCPT RUI" in says:
                    command = "RCPT RUI"

    def serve() -> None:
        with suppress(OSError):
            converse(listener.accept()[0])

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield listener.getsockname()[1]
    thread.join(5)


def sent(says: dict[str, Says], *, log_in: bool = True, patience: float = 5) -> Sent:
    with server(says) as port:
        how = Mail("ines@example.org", "127.0.0.1", port, NO_SECURITY)
        if log_in:
            command = f'"{sys.executable}" -c "print({SECRET!r})"'
            how = how._replace(user="ines", password_command=command)
        return sending.send(message_of(MAIL), how, patience)


def told(says: dict[str, Says], *, log_in: bool = False, patience: float = 5) -> str:
    """Return why a mail goes to nobody."""
    try:
        done = sent(says, log_in=log_in, patience=patience)
    except SendError as error:
        return error.sentence
    assert not done.to
    return done.who_lacks_it(lambda address: ["Rui"] if "rui" in address else [])


def test_it_is_sent() -> None:
    assert sent({}).to == ("joana@example.org", "rui@example.org")


# -- Not now, and not at all


@pytest.mark.parametrize("command", ["", "MAIL", "DATA", "."])
def test_a_server_that_does_not_take_it_now(command: str) -> None:
    said = told({command: b"451 4.7.1 Greylisted\r\n"})
    assert "does not accept the mail now and answered: 451 4.7.1 Greylisted" in said
    assert "nothing was sent. Try again in a few minutes" in said
    assert "settings" not in said


@pytest.mark.parametrize("command", ["DATA", "."])
def test_a_server_that_does_not_take_it_at_all(command: str) -> None:
    with pytest.raises(RefusedMailError) as error:
        sent({command: b"554 5.7.1 Spam\r\n"})
    assert "did not accept the mail and answered: 554 5.7.1 Spam" in error.value.sentence
    assert "Ask its provider why." in error.value.sentence


@pytest.mark.parametrize("command", ["DATA", "."])
def test_a_mailbox_that_is_full_when_the_mail_comes(command: str) -> None:
    with pytest.raises(DeferredMailError) as error:
        sent({command: b"552 5.2.2 Over quota\r\n"})
    assert "A mailbox is full. Try again when there is room in it." in error.value.sentence


def test_nobody_can_log_in_now() -> None:
    said = told({"AUTH": b"454 4.7.0 Overloaded\r\n"}, log_in=True)
    assert "does not allow logging in now (454 4.7.0 Overloaded)" in said
    assert "password" not in said


def test_readers_that_are_not_accepted_now() -> None:
    said = told({"RCPT": b"450 4.2.0 Greylisted\r\n"})
    assert "does not deliver to joana@example.org (450 4.2.0 Greylisted); rui@example.org" in said
    assert "now; nothing was sent. Try again in a few minutes" in said
    assert "porto address" not in said


def test_one_reader_is_not_accepted_now_and_one_not_at_all() -> None:
    said = told({"RCPT": b"450 Later\r\n", "RCPT RUI": b"550 Nobody here\r\n"})
    assert "does not deliver to rui@example.org (550 Nobody here)" in said
    assert "and not now to joana@example.org (450 Later); nothing was sent" in said
    assert (
        "Correct the address with 'porto address Rui ADDRESS'. Try again in a few minutes" in said
    )


def test_a_server_that_goes_away_at_one_reader_has_refused_the_others_for_now() -> None:
    said = told({"RCPT RUI": b"421 4.3.2 Shutting down\r\n"})
    assert "not deliver to joana@example.org (421 4.3.2 Shutting down); rui@example.org" in said
    assert "now; nothing was sent" in said


def test_what_a_reader_is_refused_for_is_known_whatever_is_hidden() -> None:
    answer = b"552 5.2.2=" + NAKED + b"\r\n"
    assert [*sent({"RCPT RUI": answer}).deferred] == ["rui@example.org"]
    said = told({"RCPT": answer}, log_in=True)
    assert "battery" not in said
    assert "The mailbox of joana@example.org and Rui is full. Try again when there is room" in said
    assert "in a few minutes" not in said


def test_of_two_readers_one_gets_it_later() -> None:
    done = sent({"RCPT RUI": b"451 Later\r\n"})
    assert done == Sent(("joana@example.org",), {}, {"rui@example.org": "451 Later"})


# -- Whether it is on its way


@pytest.mark.parametrize(
    "answer",
    [
        *(b"garbage\r\n", b"\r\n", b"251 Well\r\n", b"354 More?\r\n", HANG_UP),
        *(repeat(b"250-" + b"x" * 70 + b"\r\n"), repeat(b"x" * 1000)),
    ],
)
def test_what_is_no_answer_to_the_mail_may_mean_anything(answer: Says) -> None:
    said = told({".": answer})
    assert "the mail may or may not be on its way" in said
    assert "othing was sent" not in said


@pytest.mark.parametrize("command", ["MAIL", "RCPT", "DATA"])
@pytest.mark.parametrize("is_silent", [False, True])
def test_who_fails_before_the_mail_has_not_got_it(command: str, is_silent: bool) -> None:
    said = told({command: [b"250-", *waiting()] if is_silent else HANG_UP}, patience=0.2)
    assert "closed the connection" in said or is_silent
    assert "nothing was sent" in said
    assert "on its way" not in said


@pytest.mark.parametrize("command", ["AUTH", "MAIL", "RCPT", "DATA"])
def test_encryption_that_fails_later_says_nothing_of_the_password(
    command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads = sending.Answers.readinto

    def broken(self: sending.Answers, buffer: bytearray) -> int:
        size = reads(self, buffer)
        if b"BROKEN" in bytes(buffer[:size]):
            raise ssl.SSLError(1, "[SSL: BAD_RECORD_MAC] bad record mac")
        return size

    monkeypatch.setattr(sending.Answers, "readinto", broken)
    said = told({command: b"250 BROKEN\r\n"}, log_in=True)
    assert "127.0.0.1 closed the connection; nothing was sent. Try again later" in said
    assert "password" not in said


def test_a_server_that_takes_no_more_of_a_large_mail(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has as long for each piece as for an answer, not the time of a whole conversation."""
    large = MAIL + ("x" * 70 + "\r\n") * 200_000
    monkeypatch.setattr(sys.modules[__name__], "MAIL", large)
    said = told({"DATA": slow_to_read()}, patience=0.5)
    assert "the mail may or may not be on its way" in said


def slow_to_read() -> Iterator[bytes]:
    """Ask for a mail, and read none of it for a while."""
    yield b"354 Go on\r\n"
    time.sleep(3)


def waiting() -> Iterator[bytes]:
    """Say nothing for a while."""
    time.sleep(1)
    yield b""


# -- The password


NAKED = SECRET.encode()
SPOKEN = {
    "as it is": NAKED,
    "in base64": base64.b64encode(NAKED),
    "in base64 for URLs": base64.urlsafe_b64encode(NAKED),
    "as it was sent": base64.b64encode(b"\0ines\0" + NAKED),
    "in hexadecimal": NAKED.hex().encode(),
    "as in an address of the web": b"correct%20%20horse-pass.word%2Fbattery%2B9",
    "with all its signs as in one": b"correct%20%20horse%2Dpass%2Eword%2Fbattery%2B9",
    "shouted": NAKED.upper(),
    "in two lines": NAKED.replace(b"  ", b"\r\n550-"),
}


@pytest.mark.parametrize("command", ["AUTH", "MAIL", "RCPT", "RCPT RUI", "DATA", "."])
@pytest.mark.parametrize("how", SPOKEN)
def test_no_answer_shows_the_password(command: str, how: str) -> None:
    says: dict[str, Says] = {command: b"550-You said\r\n550-" + SPOKEN[how] + b"\r\n550 so.\r\n"}
    if command == "RCPT RUI":
        said = sent(says).refused["rui@example.org"]
    else:
        said = told(says, log_in=True)
    assert HIDDEN in said
    assert "You said" in said
    assert "so" in said
    shown = said.lower()
    for form in SPOKEN.values():
        assert form.decode().lower() not in shown
    assert "battery" not in shown


# -- Answers without end


def forever(piece: bytes, pause: float = 0) -> Iterator[bytes]:
    while True:
        time.sleep(pause)
        yield piece


@pytest.mark.parametrize("command", ["", "EHLO", "MAIL", "RCPT", "DATA"])
@pytest.mark.parametrize("piece", [b"250-" + b"x" * 70 + b"\r\n", b"x" * 1000, b"250-\r\n" * 99])
def test_an_answer_without_end(command: str, piece: bytes) -> None:
    said = told({command: forever(piece)})
    assert "keeps sending" in said
    assert "nothing was sent" in said


@pytest.mark.parametrize("command", ["", "EHLO", "MAIL"])
def test_an_answer_letter_by_letter(command: str) -> None:
    """Each read is in time, and all of them together are not."""
    said = told({command: forever(b"2", pause=0.05)}, patience=0.2)
    assert "keeps sending" in said


def test_a_farewell_without_end_does_not_unsend() -> None:
    assert not sent({"QUIT": forever(b"x" * 1000)}).lacking


@pytest.mark.parametrize("command", ["EHLO", "AUTH"])
def test_an_answer_of_nonsense(command: str) -> None:
    nonsense = b"334 \xff=\xff\r\n" if command == "AUTH" else b"250-\xff\r\n250 AUTH \xff\r\n"
    said = told({command: nonsense}, log_in=True)
    assert "nothing was sent" in said.lower()
    assert "network" not in said


def test_a_challenge_that_is_no_base64() -> None:
    says: dict[str, Says] = {"EHLO": b"250-mail.test\r\n250 AUTH CRAM-MD5\r\n"}
    said = told({**says, "AUTH": b"334 abcde\r\n"}, log_in=True)
    assert "127.0.0.1 closed the connection; nothing was sent. Try again later" in said


def test_an_answer_cannot_steer_the_screen() -> None:
    assert "\x1b" not in told({"DATA": b"554 \x1b]0;x\x07\xc2\x9b2J\r\n"})
