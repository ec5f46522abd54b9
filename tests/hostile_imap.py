"""IMAP servers that send more than anybody can keep, or other than they were asked for."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import count, repeat
from time import sleep

Answer = Callable[[bytes], Iterable[bytes]]
"""What a server sends for a command, whose tag is given."""

HEAD = b"From: Rui <rui@example.org>\r\nSubject: Porto\r\nMessage-ID: <a@example.org>\r\n\r\n"
PIECE = b"x" * 65536
STILL_HERE = b"* OK still here\r\n" * 4000


def told(nth: int, content: bytes = HEAD, structure: bytes = b'("text" "plain")') -> bytes:
    """Return what a server tells of a message, with its head."""
    facts = b"UID %d RFC822.SIZE 1000 BODYSTRUCTURE %b" % (nth, structure)
    fields = b"MESSAGE-ID IN-REPLY-TO REFERENCES SUBJECT DATE FROM"
    before = b"* %d FETCH (%b BODY[HEADER.FIELDS (%b)] {%d}\r\n" % (
        nth,
        facts,
        fields,
        len(content),
    )
    return before + content + b")\r\n"


def drip(beginning: bytes, piece: bytes = b"x") -> Iterator[bytes]:
    """Send a little now and then, without end."""
    yield beginning
    while True:
        yield piece
        sleep(0.05)


class HostileServer:
    """A server on a port of this computer that answers some commands in ways of its own.

    ``answers`` are by command; that to ``""`` is the greeting, and ``FETCH`` is for heads, ``UID``
    for whole messages.
    """

    def __init__(self, answers: dict[str, Answer]) -> None:
        self.answers = {
            "": lambda _: [b"* OK ready\r\n"],
            "CAPABILITY": lambda tag: [b"* CAPABILITY IMAP4rev1 AUTH=PLAIN\r\n", done(tag)],
            "EXAMINE": lambda tag: [b"* 3 EXISTS\r\n", done(tag)],
            "FETCH": lambda tag: [told(1), done(tag)],
            "UID": lambda tag: [
                b"* 1 FETCH (UID 1 BODY[] {%d}\r\n" % len(HEAD),
                HEAD,
                b")\r\n",
                done(tag),
            ],
            **answers,
        }
        self.commands: list[str] = []
        self.lines: list[bytes] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]

    def serve(self) -> None:
        """Talk to one program after the other until the server is closed."""
        with suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                with connection, suppress(OSError):
                    self._talk(connection)

    def _talk(self, connection: socket.socket) -> None:
        lines = connection.makefile("rb")

        def answer(command: str, tag: bytes) -> None:
            for piece in self.answers.get(command, lambda tag: [done(tag)])(tag):
                connection.sendall(piece)

        answer("", b"*")
        for line in lines:
            tag, command, *_ = line.split()
            self.commands.append(command.decode())
            self.lines.append(line)
            if command == b"AUTHENTICATE":
                connection.sendall(b"+ \r\n")
                lines.readline()
            answer(command.decode(), tag)

    def close(self) -> None:
        """Let nobody connect anymore."""
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()


def done(tag: bytes) -> bytes:
    """Return that a command was carried out."""
    return tag + b" OK done\r\n"


def after(beginning: bytes, endless: Iterable[bytes]) -> Answer:
    """Return an answer that begins in one way and goes on in another."""

    def answer(_: bytes) -> Iterator[bytes]:
        yield beginning
        yield from endless

    return answer


def literal(size: int) -> bytes:
    """Return the beginning of what is told of a message whose head has a size."""
    return told(1, b"")[: -len(b"{0}\r\n)\r\n")] + b"{%d}\r\n" % size


@contextmanager
def hostile(answers: dict[str, Answer]) -> Iterator[HostileServer]:
    """Run a server that answers some commands as it likes."""
    server = HostileServer(answers)
    threading.Thread(target=server.serve, daemon=True).start()
    try:
        yield server
    finally:
        server.close()


ENDLESS: dict[str, dict[str, Answer]] = {
    "a greeting without a line's end": {"": after(b"* OK ", repeat(PIECE))},
    "lines before the greeting is answered": {"": after(b"", repeat(STILL_HERE))},
    "lines instead of capabilities": {"CAPABILITY": after(b"", repeat(STILL_HERE))},
    "lines instead of a folder": {"EXAMINE": after(b"", repeat(STILL_HERE))},
    "flags of messages": {"FETCH": after(b"", repeat(b"* 1 FETCH (FLAGS ())\r\n" * 4000))},
    "heads that nobody asked for": {
        "FETCH": after(b"", (told(nth) * 200 for nth in count(1))),
    },
    "heads of 60 MB": {
        "FETCH": after(b"", (literal(960 * len(PIECE)) + PIECE * 960 + b")\r\n" for _ in count())),
    },
    "names of parts": {"FETCH": after(b"* 1 FETCH (", repeat(b"{1}\r\nx" * 9000))},
    "a structure": {"FETCH": after(b"* 1 FETCH (BODYSTRUCTURE ", repeat(PIECE))},
    "a head of 100 GB": {"FETCH": after(literal(10**11), repeat(PIECE))},
    "a message of 100 GB": {"UID": after(b"* 1 FETCH (UID 1 BODY[] {%d}\r\n" % 10**11, [])},
    "lines instead of a message": {"UID": after(b"", repeat(STILL_HERE))},
}
"""Servers that send without end, by what they send."""
