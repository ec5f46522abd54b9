"""A whole game of Puerto Rico by mail among three people with orders: real messages, by SMTP and
IMAP, and nothing but commands.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from email.message import EmailMessage
from itertools import pairwise
from pathlib import Path

import pytest

import porto_cli
from tests.conftest import _Bytes
from tests.dovecot import Dovecot, dovecot
from tests.post import Home, PostOffice, address_of, post_office

pytestmark = [pytest.mark.outside, pytest.mark.long, pytest.mark.timeout(600)]

GAME = "sunday.yaml"
NAMES = ("Ana", "Bob", "Cal")
ORDERS = {
    "Ana": [
        "always role role settler, else role builder, else role mayor, else most-vp",
        "always settler take quarry, else take corn, else most-vp",
        "always builder build small-market, else build small-indigo-plant, else pass",
        "always trader most-vp, else pass",
    ],
    "Bob": [
        "always settler take coffee, else take tobacco, else take corn, else most-vp",
        "always builder build coffee-roaster, else build tobacco-storage, else pass",
        "always trader sell coffee, else sell tobacco, else pass",
    ],
    "Cal": [
        "always settler take sugar, else take indigo, else most-vp",
        "always builder build sugar-mill, else build indigo-plant, else pass",
        "always trader sell sugar, else pass",
    ],
}
ALL_ALIKE = [
    "always captain most-vp",
    "always store sensible",
    "always mayor sensible, else place first quarry corn sugar small-market indigo",
    "always craftsman sensible, else most-vp",
]


class Reader(Home):
    """Somebody who reads mail by IMAP."""

    def __init__(self, folder: Path, name: str, office: PostOffice, port: int, box: Dovecot):
        super().__init__(folder, name, office, port)
        account = box.account()
        (self.settings / "config.yaml").write_text(
            f"me: {name}\n"
            f"mail:\n"
            f"  from: {name} <{address_of(name)}>\n"
            f"  server: 127.0.0.1\n  port: {port}\n  security: none\n"
            f"  inbox: {{server: localhost, port: {box.tls_port}, user: {account.user}, "
            f"password: {{command: '{account.password_command}'}}}}\n"
        )
        office.ways[address_of(name)] = box.put
        self.learns_addresses(*(other for other in NAMES if other != name))

    def receive(self) -> str:
        return self.porto("receive", "--yes")

    @property
    def match(self) -> porto_cli.Match:
        return porto_cli.load(self.desk / GAME)

    def orders(self, *texts: str) -> None:
        """Give orders, and send them with the last one."""
        for text in texts[:-1]:
            self.porto("order", GAME, *text.split())
        self.porto("order", GAME, *texts[-1].split(), "--send")

    def decides(self, rng: random.Random) -> None:
        """Make moves until somebody else has to decide, and send the game."""
        while self.match.to_move() == [self.name]:
            moves = self.json("moves", GAME)["moves"]
            verb, *words = str(rng.choice(moves)["move"]).split()
            self.porto(verb, GAME, *words, "--send")


@pytest.fixture
def people(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[PostOffice, dict[str, Reader]]]:
    with ExitStack() as stack:
        office, port = stack.enter_context(post_office(tmp_path / "post"))
        boxes = {name: stack.enter_context(dovecot()) for name in NAMES}
        trusted = tmp_path / "authorities.pem"
        trusted.write_bytes(b"".join(box.authority.cert_pem.bytes() for box in boxes.values()))
        monkeypatch.setenv("SSL_CERT_FILE", str(trusted))
        # Somebody sits at the keyboard: no message is piped into the command.
        monkeypatch.setattr(_Bytes, "isatty", lambda self: self is sys.stdin, raising=False)
        yield (
            office,
            {name: Reader(tmp_path / name, name, office, port, box) for name, box in boxes.items()},
        )


def text_of(mail: EmailMessage) -> str:
    """Return all that people read of a message: its text, plain and as HTML."""
    parts = [mail.get_body(("plain",)), mail.get_body(("html",))]
    return "\n".join(str(part.get_content()) for part in parts if part is not None)


def test_a_game_with_orders_takes_less_than_half_of_the_mails(
    people: tuple[PostOffice, dict[str, Reader]],
) -> None:
    office, homes = people
    rng = random.Random(5)
    ana = homes["Ana"]
    ana.porto("new", GAME, *NAMES, "--game", "puerto-rico", "--seed", "ponce", "--first", "Ana")
    # The game lies at Ana's: the orders of the others cross with her first move.
    ana.porto("mail", GAME, "--send", "--to", "Bob", "--cc")
    ana.orders(*ORDERS["Ana"], *ALL_ALIKE)
    ana.decides(rng)
    for name in ("Bob", "Cal"):
        homes[name].receive()
        homes[name].orders(*ORDERS[name], *ALL_ALIKE)
    first_mails = len(office.delivered)
    for home in homes.values():
        home.receive()
    while not (at := newest(homes)).match.over:
        (name,) = at.match.to_move()
        homes[name].receive()
        assert homes[name].match.to_move() == [name]
        homes[name].decides(rng)
    for home in homes.values():
        home.receive()
        assert "valid, finished" in home.porto("verify", GAME)
    assert len({home.match.digest for home in homes.values()}) == 1

    seats = [step.seat for step in ana.match.replay.steps]
    without = sum(one != other for one, other in pairwise(seats))
    mails = office.delivered[first_mails:]
    assert len(mails) < without / 2, (len(mails), without)
    to_ana = [mail["Subject"] for mail in mails if "Ana <" in f"{mail['To']}, {mail['Cc']}"]
    assert all("the game is over" in subject for subject in to_ana), "she has nothing to decide"
    for mail in office.delivered:
        check_that_orders_are_the_readers(mail)


def newest(homes: dict[str, Reader]) -> Reader:
    return max(homes.values(), key=lambda home: len(home.match.replay.steps))


def check_that_orders_are_the_readers(mail: EmailMessage) -> None:
    """No order is in what people read of a mail, unless nobody but its player gets it."""
    text, readers = text_of(mail), f"{mail['To']}, {mail['Cc'] or ''}"
    alone = readers.count("@") == 1
    assert alone or "Your order for" not in text
    for name, texts in ORDERS.items():
        if not alone or f"{name} <" not in readers:
            for order in texts:
                _, _, choices = order.split(" ", 2)
                assert choices not in text
