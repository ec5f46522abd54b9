"""A mail that could not be sent: the move is saved, and the mail is not forgotten."""

from __future__ import annotations

import mailbox
import os
import re
import shlex
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

from porto_cli.core import TROUBLE
from tests.conftest import Result
from tests.mails import begun, plain_text
from tests.processes import PORTO, dialog

pytest.importorskip("pexpect")
pytest.importorskip("aiosmtpd")

from tests.post import PostOffice, post_office

pytestmark = [
    pytest.mark.outside,
    pytest.mark.skipif(sys.platform == "win32", reason="There are no pseudo-terminals."),
]


@pytest.fixture
def home(porto, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Somebody who mails games, whose server is down; a game of Inês, Joana and Rui."""
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    monkeypatch.setenv("PORTO_HOME", str(home))
    with socket.create_server(("127.0.0.1", 0)) as nobody:
        tell(home, nobody.getsockname()[1])
    begun(tmp_path / "friday.yaml", "Inês", "Joana", "Rui")
    for name in ("Joana", "Rui", "Zoe"):
        assert porto("address", name, f"{name.lower()}@example.org").code == 0
    return home


def tell(home: Path, port: int) -> None:
    """Store which server takes the mails of Joana."""
    mail = f"{{from: joana@example.org, server: 127.0.0.1, security: none, port: {port}}}"
    (home / "config.yaml").write_text(f"me: Joana\nmail: {mail}\n", "utf-8")


class Server(NamedTuple):
    """The server that is down when a test begins."""

    home: Path
    port: int
    office: PostOffice

    @property
    def delivered(self) -> list[EmailMessage]:
        """What it has delivered."""
        return self.office.delivered

    def comes_back(self) -> None:
        tell(self.home, self.port)


@pytest.fixture
def server(home: Path, tmp_path: Path) -> Iterator[Server]:
    with post_office(tmp_path / "post") as (office, port):
        yield Server(home, port, office)


def later(done: Result) -> list[list[str]]:
    """Return the commands that are said to send what could not be sent."""
    assert done.code == TROUBLE, done.err
    found = re.search(r"The game is saved. To send the mails? later: (.*)", done.err)
    assert found, done.err
    return [shlex.split(one)[1:] for one in found[1].split("; ")]


def joana_moves(porto, *options: str) -> Result:
    assert porto("keep", "friday.yaml", "1", "2", "3").code == 0
    return porto("draw", "friday.yaml", "blue-1", *options)


def test_the_command_that_is_shown_sends_the_move_when_the_server_is_back(
    porto, server: Server
) -> None:
    (command,) = later(joana_moves(porto, "--send"))
    assert command == ["mail", "friday.yaml", "--send"]
    server.comes_back()
    assert porto(*command).code == 0
    (mail,) = server.delivered
    assert mail["To"] == "Rui <rui@example.org>"
    (record,) = mail.iter_attachments()
    assert (
        record.get_payload(decode=True).replace(b"\r\n", b"\n") == Path("friday.yaml").read_bytes()
    )


@pytest.mark.parametrize("has_moved", [False, True])
def test_all_mails_that_are_due_are_named(porto, server: Server, has_moved: bool) -> None:
    """Who takes over a seat needs the game, and so does who is next, unless I am."""
    if has_moved:
        joana_moves(porto)
    commands = later(porto("seat", "friday.yaml", "Inês", "--to", "Zoe", "--send"))
    server.comes_back()
    assert [porto(*command).code for command in commands] == [0] * (1 + has_moved)
    to = ["Zoe <zoe@example.org>", "Rui <rui@example.org>"]
    assert [mail["To"] for mail in server.delivered] == to[: 1 + has_moved]


def test_words_are_not_said_twice(porto, server: Server) -> None:
    said = ["mail", "friday.yaml", "--say", "Well played", "--to", "Rui", "--cc", "--send"]
    (command,) = later(porto(*said))
    server.comes_back()
    assert porto(*command).code == 0
    assert Path("friday.yaml").read_text("utf-8").count("Well played") == 1
    assert [plain_text(mail).count("Well played") for mail in server.delivered] == [1]
    assert server.delivered[0]["To"] == "Rui <rui@example.org>"


# -- What cron does then: porto receive --send, again and again


@pytest.fixture
def cron(porto, tmp_path: Path) -> Callable[[], Result]:
    """Return what cron runs, with a mailbox that is empty."""
    mailbox.Maildir(tmp_path / "box")
    return partial(porto, "receive", tmp_path / "box", "--yes", "--send", "--quiet")


def is_quiet(done: Result) -> bool:
    return (done.code, done.out, done.err) == (0, "", "")


def test_who_is_refused_for_now_is_tried_at_each_run(porto, server: Server, cron) -> None:
    server.comes_back()
    server.office.refused["rui@example.org"] = "450 4.2.0 Greylisted"
    assert "in a few minutes" in joana_moves(porto, "--send").err
    done = cron()
    assert done.code == TROUBLE
    assert "does not deliver to rui@example.org (450 4.2.0 Greylisted) now" in done.err
    server.office.refused.clear()
    for _ in range(2):
        assert is_quiet(cron())
        assert server.office.asked == ["rui@example.org"] * 3


@pytest.mark.parametrize("answer", ["552 5.2.2 Over quota", "452 4.2.2 Mailbox full"])
def test_a_full_mailbox_is_called_so_and_tried_at_each_run(
    porto, server: Server, cron, answer: str
) -> None:
    server.comes_back()
    server.office.refused["rui@example.org"] = answer
    joana_moves(porto, "--send")
    done = cron()
    assert done.code == TROUBLE
    assert f"does not deliver to rui@example.org ({answer}) now; nothing was sent" in done.err
    assert "The mailbox of Rui is full. Try again when there is room in it." in done.err
    assert "Correct the address" not in done.err
    assert "in a few minutes" not in done.err
    server.office.refused.clear()
    assert is_quiet(cron())
    assert [mail["To"] for mail in server.delivered] == ["Rui <rui@example.org>"]


def test_a_mail_that_is_not_taken_now_keeps_no_other_from_its_reader(
    porto, server: Server, cron
) -> None:
    porto("new", "monday.yaml", "Joana", "Zoe", "--seed", "port", "--first", "Joana")
    for file, card in (("friday.yaml", "blue-1"), ("monday.yaml", "purple-1")):
        porto("keep", file, "1", "2", "3")
        later(porto("draw", file, card, "--send"))
    server.comes_back()
    server.office.deferred.add("rui@example.org")
    done = cron()
    assert "451 4.7.0 Content deferred; nothing was sent" in done.err
    assert "The game is saved. To send the mail later: porto mail friday.yaml" in done.err
    assert [mail["To"] for mail in server.delivered] == ["Zoe <zoe@example.org>"]
    server.office.deferred.clear()
    assert is_quiet(cron())
    assert [mail["To"] for mail in server.delivered[1:]] == ["Rui <rui@example.org>"]


def test_what_a_server_leaves_open_is_sent_again(porto, server: Server, cron) -> None:
    server.comes_back()
    server.office.hangs_up = True
    assert "closed the connection" in joana_moves(porto, "--send").err
    server.office.hangs_up = False
    for _ in range(2):
        assert is_quiet(cron())
        assert len(server.delivered) == 1


def test_who_has_no_address_is_told_once_and_gets_the_mail_when_there_is_one(
    porto, server: Server, cron
) -> None:
    server.comes_back()
    porto("address", "Rui", "--remove")
    assert "No e-mail address is stored for Rui." in joana_moves(porto, "--send").err
    for _ in range(2):
        assert is_quiet(cron())
    porto("address", "Rui", "rui@example.org")
    for _ in range(2):
        assert is_quiet(cron())
        assert len(server.delivered) == 1


def test_a_server_that_fails_is_asked_once_for_all_games_and_told_of_once(
    porto, server: Server, cron
) -> None:
    porto("new", "monday.yaml", "Joana", "Rui", "--seed", "port", "--first", "Joana")
    for file, card in (("friday.yaml", "blue-1"), ("monday.yaml", "purple-1")):
        porto("keep", file, "1", "2", "3")
        later(porto("draw", file, card, "--send"))
    server.comes_back()
    server.office.hangs_up = True
    done = cron()
    assert done.code == TROUBLE
    assert done.err.count("closed the connection") == 1
    for file in ("friday.yaml", "monday.yaml"):
        assert f"porto mail {file} --to Rui --send" in done.err
    assert len(server.office.asked) == 1
    done = cron()
    assert (done.code, done.out, done.err) == (TROUBLE, "", "")
    assert len(server.office.asked) == 2, "it may be back"
    assert "closed the connection" in porto("receive", "box", "--send").err, "people see it again"


def test_of_two_that_run_at_once_one_sends(porto, server: Server, cron) -> None:
    later(joana_moves(porto, "--send"))
    server.comes_back()
    words = ["receive", "box", "--send", "--quiet"]
    both = [subprocess.Popen([*PORTO.split(), *words]) for _ in range(2)]
    assert [one.wait(60) for one in both] == [0, 0]
    assert len(server.delivered) == 1


def test_an_invitation_that_is_refused_says_which_command_sends_it(porto, server: Server) -> None:
    server.comes_back()
    server.office.refused["rui@example.org"] = "550 No such user here"
    porto("new", "sealed.yaml", "Joana", "Rui", "--secrecy", "sealed")
    done = porto("mail", "sealed.yaml", "--to", "rui@example.org", "--to", "zoe@b.c", "--send")
    assert later(done) == [["mail", "sealed.yaml", "--to", "rui@example.org", "--send"]]
    assert len(server.delivered) == 1


def test_a_reminder_to_who_is_refused_is_tried_once(porto, server: Server) -> None:
    joana_moves(porto)
    age = 9 * 86400
    now = os.stat("friday.yaml").st_mtime
    os.utime("friday.yaml", (now - age, now - age))
    server.comes_back()
    server.office.refused["rui@example.org"] = "550 No such user here"
    remind = partial(porto, "mail", "--remind", ".", "--send")
    done = remind()
    assert done.code == TROUBLE
    assert "Correct the address with 'porto address Rui ADDRESS'." in done.err
    assert is_quiet(remind())
    porto("address", "Rui", "rui@example.com")
    assert remind().code == 0
    assert len(server.delivered) == 1


# -- At a terminal


def at_a_terminal(words: list[str], answers: list[tuple[str, str]]) -> str:
    """Type a command at a terminal, answer its questions, and return what it has shown."""
    _, shown = dialog([*PORTO.split(), *words], answers)
    return " ".join(shown.split())


def play(*answers: tuple[str, str]) -> str:
    """Play the game; each answer is what the question has, and the keys typed at its prompt."""
    prompts = [one for question, keys in answers for one in ((question, ""), ("help", keys))]
    return at_a_terminal(["play", "friday.yaml"], prompts)


def test_who_plays_on_is_offered_to_send_what_was_not_sent(porto, server: Server) -> None:
    later(joana_moves(porto, "--send"))
    stopped = play(("friday.yaml has not been mailed yet.", ".\r"))
    assert "has not been mailed yet. @ Send the game by mail to Rui . Stop" in stopped
    assert "To send it by mail: porto mail friday.yaml --send" in stopped
    server.comes_back()
    sent = play(("friday.yaml has not been mailed yet.", "@\r"), ("by mail to Rui now?", "y\r"))
    assert "Sent to rui@example.org" in sent
    assert [mail["To"] for mail in server.delivered] == ["Rui <rui@example.org>"]
    assert "not been mailed" not in play(("Send friday.yaml to Rui.", ".\r"))


def test_a_mail_at_a_terminal_is_read_and_says_how_it_leaves(home: Path) -> None:
    shown = at_a_terminal(["mail", "friday.yaml", "--to", "Rui", "--page"], [])
    assert "Subject: Porto" in shown
    assert "THE TABLE" in shown
    assert "Attached: friday.yaml (application/yaml, " in shown
    assert "base64" not in shown
    assert (
        "To write the whole mail to a file, with the attachments, add: --output turn.eml" in shown
    )
    assert "To send it, add: --send" in shown


def test_a_mail_that_is_redirected_is_only_the_mail(porto, home: Path) -> None:
    done = porto("mail", "friday.yaml", "--to", "Rui")
    assert done.out.startswith("MIME-Version: 1.0") or done.out.startswith("From: ")
    assert "--output" not in done.out + done.err
