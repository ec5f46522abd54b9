"""People in homes of their own, and a post office between them: a real mail server on loopback.

Each home has its own settings, keys, records and mailbox. What people do is typed as commands.
"""

from __future__ import annotations

import json
import mailbox
import os
import socket
from collections.abc import Callable, Iterator
from contextlib import chdir, contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller

from tests.conftest import run_porto


def local_part(name: str) -> str:
    return name.lower().replace("é", "e")


def address_of(name: str) -> str:
    return f"{local_part(name)}@example.org"


class PostOffice:
    """Puts what the server is given into the mailbox of each addressee, and keeps a copy.

    ``ways`` delivers the mail of an address in another way; ``refused`` has what is said to some
    addresses instead, and who was ``asked`` for; ``deferred`` has those whose mails it takes later.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        self.delivered: list[EmailMessage] = []
        self.ways: dict[str, Callable[[bytes], object]] = {}
        self.refused: dict[str, str] = {}
        self.asked: list[str] = []
        self.deferred: set[str] = set()
        self.hangs_up = False
        """Whether it closes the connection instead of saying what it does with an address."""

    def box(self, name: str) -> Path:
        return self.folder / name

    async def handle_RCPT(  # noqa: N802
        self, server: Any, session: Any, envelope: Any, address: str, options: Any
    ) -> str:
        self.asked.append(address)
        if self.hangs_up:
            session.loop.call_soon(server.transport.close)
        if address not in self.refused:
            envelope.rcpt_tos.append(address)
        return self.refused.get(address, "250 OK")

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        if self.deferred & {*envelope.rcpt_tos}:
            return "451 4.7.0 Content deferred"
        message = message_from_bytes(envelope.content, policy=policy.default)
        assert isinstance(message, EmailMessage)
        self.delivered.append(message)
        for address in envelope.rcpt_tos:
            box = mailbox.Maildir(self.box(address.partition("@")[0]), create=True)
            box.add(envelope.content)
            if address in self.ways:
                self.ways[address](envelope.content)
        return "250 OK"


@contextmanager
def post_office(folder: Path) -> Iterator[tuple[PostOffice, int]]:
    """Run a mail server on a free port of the loopback interface."""
    office = PostOffice(folder)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    controller = Controller(office, hostname="127.0.0.1", port=port)
    controller.start()
    try:
        yield office, port
    finally:
        controller.stop()


class Home:
    """A player's computer: a folder of records, settings and keys, and a mailbox."""

    def __init__(self, folder: Path, name: str, office: PostOffice, port: int) -> None:
        self.name = name
        self.desk = folder / "desk"
        self.desk.mkdir(parents=True)
        self.settings = folder / "settings"
        self.settings.mkdir(mode=0o700)
        self.mailbox = office.box(local_part(name))
        mailbox.Maildir(self.mailbox, create=True)
        (self.settings / "config.yaml").write_text(
            f"me: {name}\n"
            f"mail: {{from: '{name} <{address_of(name)}>', server: 127.0.0.1, port: {port}, "
            "security: none}\n"
        )

    def porto(self, *words: object, code: int | None = 0) -> str:
        """Type a command, demand its exit code if that matters, and return what it prints."""
        before = os.environ.copy()
        os.environ["PORTO_HOME"] = str(self.settings)
        os.environ.pop("PORTO_PLAYER", None)
        try:
            with chdir(self.desk):
                done = run_porto(*words)
        finally:
            os.environ.clear()
            os.environ.update(before)
        command = f"{self.name}: porto {' '.join(map(str, words))}"
        assert code in (None, done.code), f"{command}\n{done.out}{done.err}"
        return done.out + done.err

    def json(self, *words: object) -> Any:
        return json.loads(self.porto(*words, "--format", "json"))

    def receive(self) -> str:
        """Receive all that is in the mailbox, and clear it away."""
        result = self.porto("receive", self.mailbox, "--yes")
        mailbox.Maildir(self.mailbox).clear()
        return result

    def is_revealing(self, file: str) -> bool:
        """Return whether a sealed game waits for what its players kept."""
        return bool(self.json("show", file)["sealed"]["revealing"])

    def to_move(self, file: str) -> list[str]:
        """Return the players a game waits for."""
        return [str(name) for name in self.json("show", file)["to_move"]]

    def learns_addresses(self, *names: str) -> None:
        for name in names:
            self.porto("address", name, address_of(name))
