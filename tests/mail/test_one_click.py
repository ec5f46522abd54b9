"""Whole games by mail among three people with real programs: one reads by IMAP and types ``porto
play``, one has procmail and a shell, one has a browser, nothing else, and clicks.
"""

from __future__ import annotations

import smtplib
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest

import porto_cli
from porto_cli.games.porto.editions import edition_lines
from tests.browser import Ask, ask, chromium, flags, needs_chromium, profile
from tests.dovecot import Dovecot, dovecot
from tests.mail.test_by_mail import SMALL
from tests.mail.test_receive_on_arrival import SCRIPT, delivering, is_soon, needs, receiving, run
from tests.porto.test_play_terminal import DOWN, ENTER, Terminal, pexpect
from tests.post import Home, PostOffice, address_of, post_office

__all__ = ["ask", "chromium", "flags", "profile"]

pytestmark = [pytest.mark.outside, pytest.mark.long, pytest.mark.timeout(600), needs_chromium]

GAME = "friday.yaml"
MARK_THREE = f" {DOWN} {DOWN} "
STOP = "."
CLICK = """
  var opened;
  page.addEventListener("click", function (event) {
    opened = new URL(event.target.closest("a").href);
    event.preventDefault();
  });
  page.querySelector('a[href^="mailto:"]').click();
  var fields = Object.fromEntries(opened.searchParams);
  return {to: decodeURIComponent(opened.pathname), subject: fields.subject, body: fields.body};
"""
"""Clicks the first move, and returns the mail that a mail program would begin."""


class Ines:
    """Reads her mail by IMAP, and types ``porto play``, nothing else."""

    def __init__(self, home: Home, server: Dovecot, port: int) -> None:
        self.home = home
        account = server.account()
        (home.settings / "config.yaml").write_text(
            f"me: Ines\n"
            f"mail:\n"
            f"  from: Ines <{address_of('Ines')}>\n"
            f"  server: 127.0.0.1\n  port: {port}\n  security: none\n"
            f"  inbox: {{server: localhost, port: {server.tls_port}, user: {account.user}, "
            f"password: {{command: '{account.password_command}'}}}}\n"
        )
        self.environment = {
            "PORTO_HOME": str(home.settings),
            "SSL_CERT_FILE": str(server.folder / "ca.pem"),
        }

    def takes_turn(self) -> str:
        """Type one command, and take the first choice of all that is asked; return the questions.

        What is chosen first after a turn is to send it, which has to be confirmed with a key.
        """
        terminal = Terminal(self.home.desk, "play", **self.environment)
        shown = ""
        try:
            while True:
                question = terminal.question(pexpect.EOF)
                shown += question
                if terminal.child.after is pexpect.EOF:
                    return shown
                if "choose 3 contracts" in question:
                    terminal.type(MARK_THREE)
                if "Play again" in question:
                    terminal.type(STOP)
                else:
                    terminal.type("y" + ENTER if "Enter: No" in question else ENTER)
        finally:
            terminal.child.close()


class Procmail:
    """Has her mail delivered by procmail, which plays what friends answer and sends the games on,
    and types moves in a shell.
    """

    def __init__(self, home: Home) -> None:
        self.home = home
        self.file = home.desk / "games" / GAME
        script = SCRIPT.replace("receive --quiet", "receive --yes --send --quiet")
        assert script != SCRIPT
        receiving(home.desk, home.settings, script)
        self.command = delivering("procmail", home.desk)

    def delivers(self, data: bytes) -> None:
        """Give a message to procmail, as a mail server does."""
        assert run(self.command, self.home.desk, data) == 0

    @property
    def match(self) -> porto_cli.Match:
        """The game as it has arrived."""
        return porto_cli.load(self.file)

    def takes_turn(self) -> None:
        """Type a move and send it at once, as often as it is the player's turn; procmail takes its
        time.
        """
        assert is_soon(self._is_to_move)
        while self._is_to_move():
            verb, *words = self.home.json("moves", self.file)["moves"][0]["move"].split()
            self.home.porto(verb, self.file, *words, "--send")

    def _is_to_move(self) -> bool:
        return self.file.exists() and self.home.name in self.home.to_move(str(self.file))


class Cal:
    """Has a browser and a mail program in it, and nothing else."""

    def __init__(self, post: PostOffice, port: int, ask: Ask) -> None:
        self.post, self.port, self.ask = post, port, ask

    def mails(self, about: str) -> list[EmailMessage]:
        """Return the messages with some words in the subject."""
        mine = [one for one in self.post.delivered if "Cal <" in str(one["To"])]
        return [one for one in mine if about in str(one["Subject"])]

    def takes_turn(self, digest: str) -> str:
        """Click the first move in the mail with this state of the game, once it is there, press
        Send, and return where that goes.
        """
        about = f"[{digest[:8]}]"
        assert is_soon(lambda: bool(self.mails(about)))
        page = self.mails(about)[-1].get_body(("html",))
        assert page is not None
        begun = self.ask(page.get_content(), CLICK, 320)
        answer = EmailMessage()
        answer["From"] = f"Cal <{address_of('Cal')}>"
        answer["To"] = begun["to"]
        answer["Subject"] = begun["subject"]
        answer.set_content(begun["body"])
        with smtplib.SMTP("127.0.0.1", self.port, timeout=20) as server:
            server.send_message(answer)
        return str(begun["to"])


@pytest.fixture
def people(tmp_path: Path, ask: Ask) -> Iterator[tuple[Ines, Procmail, Cal]]:
    needs("procmail")
    with dovecot() as server, post_office(tmp_path / "post") as (post, port):
        homes = [Home(tmp_path / name, name, post, port) for name in ("Ines", "Bea")]
        for home in homes:
            home.learns_addresses("Ines", "Bea")
            home.porto("address", "Cal", address_of("Cal"), "--no-program")
        ines, bea = Ines(homes[0], server, port), Procmail(homes[1])
        post.ways = {address_of("Ines"): server.put, address_of("Bea"): bea.delivers}
        yield ines, bea, Cal(post, port, ask)


def newest(*homes: Home) -> porto_cli.Match:
    """Return the game as it is where most turns have arrived."""
    found = [
        porto_cli.load(path)
        for home in homes
        for path in (home.desk / GAME, home.desk / "games" / GAME)
        if path.exists()
    ]
    return max(found, key=lambda match: len(match.record.items))


def play(ines: Ines, bea: Procmail, cal: Cal, *, until: Callable[[porto_cli.Match], bool]) -> None:
    """Let everybody do what there is to do: one command, one command a move, or one click."""
    while not until(match := newest(ines.home, bea.home)):
        (who,) = match.to_move()
        if who == "Cal":
            if cal.takes_turn(match.digest) == address_of("Bea"):
                assert is_soon(lambda: len(newest(bea.home).record.items) > len(match.record.items))
            else:
                ines.takes_turn()
        elif who == "Ines":
            ines.takes_turn()
        else:
            bea.takes_turn()
        after = newest(ines.home, bea.home)
        assert len(after.record.items) > len(match.record.items)
        assert who not in after.to_move() or after.game.meta.id == "puerto-rico"


def test_a_game_of_porto(people: tuple[Ines, Procmail, Cal]) -> None:
    ines, bea, cal = people
    box = ines.home.desk / "small.yaml"
    box.write_text("\n".join(edition_lines(SMALL)) + "\n")
    ines.home.porto("new", GAME, "Ines", "Cal", "Bea", "--edition", box.name, "--first", "Ines")
    box.unlink()
    play(ines, bea, cal, until=lambda match: match.over)
    assert "The game is over" in ines.takes_turn()
    assert is_soon(lambda: bool(cal.mails("the game is over")))
    ends = [porto_cli.load(path) for path in (ines.home.desk / GAME, bea.file)]
    assert ends[0].digest == ends[1].digest


def test_three_rounds_of_puerto_rico(people: tuple[Ines, Procmail, Cal]) -> None:
    ines, bea, cal = people
    names = ("Ines", "Cal", "Bea")
    ines.home.porto("new", GAME, *names, "--game", "puerto-rico", "--first", "Ines")
    play(ines, bea, cal, until=lambda match: match.state.round > 3)
