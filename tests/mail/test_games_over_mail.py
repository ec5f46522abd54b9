"""Whole games over real mail servers: one player reads by IMAP and has cron receive, one has
procmail deliver, and one has no program at all and answers as mail programs and people do.

Nobody types what the program can do by itself: ``receive --yes --send`` plays and mails on.
"""

from __future__ import annotations

import base64
import random
import smtplib
import sys
from collections.abc import Callable, Iterator, Sequence
from email.message import EmailMessage
from itertools import cycle
from pathlib import Path

import pytest

pytest.importorskip("trustme")
pytest.importorskip("aiosmtpd")
if sys.platform == "win32":
    pytest.skip("Dovecot and procmail are not for Windows.", allow_module_level=True)

import porto_cli
from porto_cli.games.porto.editions import edition_lines
from tests.dovecot import Dovecot, dovecot
from tests.mail.test_by_mail import SMALL, chosen
from tests.mail.test_one_click import Procmail
from tests.mail.test_receive_on_arrival import is_soon, needs
from tests.mail.test_reply_styles import FILE, PLAYED_AT_ONCE, Sent, written
from tests.mails import html_of, plain_text
from tests.orders.test_orders_whole_game import ALL_ALIKE, ORDERS
from tests.post import Home, PostOffice, address_of, post_office

pytestmark = [pytest.mark.outside, pytest.mark.long, pytest.mark.timeout(600)]

GAME = "friday.yaml"
NO_ANSWER = ("no code at all",)
"""Styles by which no program could tell that a message is about a game, before it is opened."""
LONGEST = 900
"""Bytes of a line that mail servers take."""
NAMES = ("Ana", "Rui", "Zoe")


class Ana(Home):
    """Reads her mail by IMAP, has cron receive it, and types her moves in a shell."""

    def __init__(self, folder: Path, office: PostOffice, port: int, server: Dovecot) -> None:
        super().__init__(folder, "Ana", office, port)
        self.file = self.desk / GAME
        self.log = ""
        """What cron has mailed her."""
        account = server.account()
        self.port = port
        self.inbox = (
            f"  inbox: {{server: localhost, port: {server.tls_port}, user: {account.user}, "
            f"password: {{command: '{account.password_command}'}}}}\n"
        )
        self.sends_to(port)

    def sends_to(self, port: int) -> None:
        """Store at which port the server is that takes her mail."""
        (self.settings / "config.yaml").write_text(
            f"me: Ana\nmail:\n  from: Ana <{address_of('Ana')}>\n"
            f"  server: 127.0.0.1\n  port: {port}\n  security: none\n{self.inbox}"
        )

    @property
    def match(self) -> porto_cli.Match:
        """The game as it has arrived."""
        return porto_cli.load(self.file)

    def cron(self) -> str:
        """Do what cron does every few minutes, and return what it mails her."""
        said = self.porto("receive", "--yes", "--send", "--quiet", code=None)
        self.log += said
        return said

    def takes_turn(self, rng: random.Random) -> None:
        """Type moves and send them, as often as it is her turn."""
        while "Ana" in self.to_move(GAME):
            verb, *words = chosen(self.json("moves", GAME)["moves"], rng).split()
            self.porto(verb, GAME, *words, "--send")


class Zoe:
    """Has a mail program, and nothing else."""

    def __init__(self, office: PostOffice, port: int) -> None:
        self.office, self.port = office, port
        self.answered = 0

    def has_to_answer(self) -> bool:
        """Return whether there is another mail of a turn of hers."""
        return len(self.mails("Zoe")) > self.answered

    def mails(self, about: str = "") -> list[EmailMessage]:
        """Return the messages to her with some words in the subject."""
        mine = [one for one in self.office.delivered if "zoe@" in str(one["To"])]
        return [one for one in mine if about in str(one["Subject"])]

    def answers(self, mail: EmailMessage, style: str, move: str, to: str = "") -> None:
        """Answer a mail in the style of a mail program."""
        self.answered = len(self.mails("Zoe"))
        host = str(mail["From"].addresses[0].display_name)
        sent = Sent(
            "Zoe",
            host,
            str(mail["Subject"]),
            str(mail["Message-ID"]),
            plain_text(mail),
            html_of(mail),
        )
        answer = PLAYED_AT_ONCE[style](move, sent)
        if max(map(len, answer.content.split(b"\n"))) > LONGEST:
            answer = answer._replace(content=base64.encodebytes(answer.content), coding="base64")
        data = written(answer, sent)
        data = data.replace(FILE.encode(), GAME.encode()).replace(b"friend@", b"zoe@")
        data = data.replace(b"host@example.org", address_of(host).encode())
        self.posts(data, to or address_of(host))

    def posts(self, data: bytes, to: str) -> None:
        with smtplib.SMTP("127.0.0.1", self.port, timeout=20) as server:
            server.sendmail(address_of("Zoe"), [to], b"\r\n".join(data.splitlines()))


class Table:
    """The three, and their mail servers."""

    def __init__(self, ana: Ana, rui: Procmail, zoe: Zoe) -> None:
        self.ana, self.rui, self.zoe = ana, rui, zoe

    @property
    def match(self) -> porto_cli.Match:
        """The game as it is where most turns have arrived."""
        found = [porto_cli.load(path) for path in (self.ana.file, self.rui.file) if path.exists()]
        return max(found, key=lambda match: len(moves(match)))


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    needs("procmail")
    with dovecot() as server, post_office(tmp_path / "post") as (office, port):
        monkeypatch.setenv("SSL_CERT_FILE", str(server.folder / "ca.pem"))
        ana = Ana(tmp_path / "Ana", office, port, server)
        rui = Home(tmp_path / "Rui", "Rui", office, port)
        for home in (ana, rui):
            home.learns_addresses("Ana", "Rui")
            home.porto("address", "Zoe", address_of("Zoe"), "--no-program")
        shell = Procmail(rui)
        office.ways = {address_of("Ana"): server.put, address_of("Rui"): shell.delivers}
        yield Table(ana, shell, Zoe(office, port))


Until = Callable[[porto_cli.Match], bool]


def is_over(match: porto_cli.Match) -> bool:
    return bool(match.over)


def play(table: Table, rng: random.Random, *, until: Until = is_over) -> None:
    """Let everybody do what there is to do, until the game is over."""
    styles = [name for name in PLAYED_AT_ONCE if name not in NO_ANSWER]
    rng.shuffle(styles)
    for style in cycle(styles):
        while not until(match := table.match) and "Zoe" not in match.to_move():
            if "Ana" in match.to_move():
                table.ana.cron()
                table.ana.takes_turn(rng)
            else:
                table.rui.takes_turn()
        if until(match):
            return
        assert is_soon(table.zoe.has_to_answer), style
        move = chosen(match.observe("Zoe")["moves"], rng)
        mail = table.zoe.mails("Zoe")[-1]
        table.zoe.answers(mail, style, move)
        if "ana@" in str(mail["From"]):
            table.ana.cron()
        assert is_soon(lambda match=match: len(moves(table.match)) > len(moves(match))), style
        match.play(move, player="Zoe")
        made = moves(match)
        assert moves(table.match)[: len(made)] == made, (style, move)


def moves(match: porto_cli.Match) -> list[tuple[int, object]]:
    """Return who has made which moves."""
    return [(step.seat, move) for step in match.replay.steps for move in step.moves]


def check_the_end(table: Table) -> None:
    """All have the same game, Zoe is told, and no log has a word."""
    assert is_soon(lambda: bool(table.zoe.mails("the game is over")))
    assert is_soon(lambda: table.rui.match.over)
    assert is_soon(lambda: table.ana.cron() == "" and table.ana.match.over)
    assert table.ana.match.digest == table.rui.match.digest
    assert "valid, finished" in table.ana.porto("verify", GAME)
    log = table.rui.home.desk / "games.log"
    assert (table.ana.log, log.read_text("utf-8") if log.exists() else "") == ("", "")


def test_a_game_of_porto(table: Table) -> None:
    box = table.ana.desk / "small.yaml"
    box.write_text("\n".join(edition_lines(SMALL)) + "\n")
    table.ana.porto("new", GAME, *NAMES, "--edition", box.name, "--first", "Ana", "--seed", "tram")
    box.unlink()
    play(table, random.Random(1))
    check_the_end(table)


def give_orders(home: Home, file: Path, own: Sequence[str]) -> None:
    """Give orders, and send the game when the last one is given."""
    *orders, last = (*own, *ALL_ALIKE)
    for order in orders:
        home.porto("order", file, *order.split())
    home.porto("order", file, *last.split(), "--send")


def test_a_game_of_puerto_rico(table: Table) -> None:
    """Ana and Rui have ordered most of what they do, so that they have little to type."""
    table.ana.porto("new", GAME, *NAMES, "--game", "puerto-rico", "--first", "Ana", "--seed", "x")
    play(table, random.Random(1), until=lambda _: table.rui.file.exists())
    give_orders(table.ana, table.ana.file, ORDERS["Ana"])
    give_orders(table.rui.home, table.rui.file, ORDERS["Bob"])
    play(table, random.Random(2))
    check_the_end(table)


def test_second_thoughts_and_a_server_that_is_down(table: Table) -> None:
    """Ana does nothing but read what cron mails her."""
    ana, zoe = table.ana, table.zoe
    ana.porto("new", GAME, "Zoe", "Ana", "Rui", "--game", "puerto-rico", "--first", "Zoe")
    ana.porto("mail", GAME, "--send")
    begun = zoe.mails()[-1]

    def answered(mail: EmailMessage, text: str) -> str:
        zoe.answers(mail, "Gmail fr, marked", text)
        return ana.cron()

    # A correction that comes before the first answer is read.
    zoe.answers(begun, "Outlook ja", "role settler")
    assert answered(begun, "role builder") == ""
    assert answered(zoe.mails()[-1], "build small-market") == ""
    assert [ana.match.text(move) for _, move in moves(ana.match)] == [
        "role builder",
        "build small-market",
    ]

    # Words take nothing back; what to do instead is told, and told once.
    told = zoe.mails()[-1]
    assert "answer with the word undo before Ana moves" in " ".join(plain_text(told).split())
    said = answered(told, "Take that back, please!")
    assert "To take your last move back, answer with the word: undo" in said
    assert ana.cron() == ""
    assert answered(told, "undo") == ""
    assert ana.to_move(GAME) == ["Zoe"]

    # An answer to the first mail changes nothing anymore.
    said = answered(begun, "role mayor")
    again = "Zoe has answered the same turn again, with role mayor; friday.yaml has role builder."
    assert again in said
    assert ana.to_move(GAME) == ["Zoe"]

    # What has other words with it is not played without a question.
    said = answered(zoe.mails()[-1], "build small-market\n\nI hope that is not silly?")
    assert "To play it, type: porto build friday.yaml small-market --as Zoe" in said
    assert ana.to_move(GAME) == ["Zoe"]

    # The server of Ana is down when the move is played.
    ana.sends_to(1)
    before = len(zoe.mails())
    assert "To send the mail later: " in answered(zoe.mails()[-1], "build small-market")
    assert ana.to_move(GAME) == ["Ana"]
    ana.sends_to(ana.port)
    for _ in range(2):
        assert ana.cron() == ""
        assert len(zoe.mails()) == before + 1
    assert "Your move was played: build small-market" in plain_text(zoe.mails()[-1])

    # Then Ana has moved, and it is too late.
    ana.porto("pass", GAME, "--send")
    said = answered(zoe.mails()[-1], "undo")
    assert "Your undo came too late: others have moved since then" in said
    assert ana.cron() == ""
