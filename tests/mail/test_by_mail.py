"""Whole games by mail: real messages, a real server, and nothing but commands."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest

from porto_cli.games.porto.editions import edition_lines
from porto_cli.games.porto.engine import Edition
from tests.mails import clicked, html_of
from tests.pages import Page
from tests.porto.playing import BOX
from tests.post import Home, PostOffice, post_office

pytestmark = [pytest.mark.outside, pytest.mark.long, pytest.mark.timeout(300)]

GAME = "friday.yaml"


@pytest.fixture
def office(tmp_path: Path) -> Iterator[tuple[PostOffice, int]]:
    with post_office(tmp_path / "post") as found:
        yield found


def homes(tmp_path: Path, office: tuple[PostOffice, int], *names: str) -> dict[str, Home]:
    """Furnish homes of people who know each other's addresses."""
    made = {name: Home(tmp_path / name, name, *office) for name in names}
    for home in made.values():
        home.learns_addresses(*(name for name in names if name != home.name))
    return made


SMALL = Edition(
    name="small",
    heights=bytes([1, 2] * 7),
    cards_per_value=BOX.cards_per_value,
    ground_floors=BOX.ground_floors,
    upper_floors=BOX.upper_floors,
    tokens=BOX.tokens,
    public=BOX.public,
    private=BOX.private,
    artificial=True,
)
"""Low houses, so that a game takes some ten rounds, and tiles and cards enough for all of them."""


def small_box(home: Home) -> str:
    """Put the box of low houses on a desk."""
    (home.desk / "small.yaml").write_text("\n".join(edition_lines(SMALL)) + "\n")
    return "small.yaml"


def chosen(moves: list[dict[str, object]], rng: random.Random) -> str:
    """Choose a move: a build where there is one, so that the game comes to its end."""
    texts = [str(move["move"]) for move in moves]
    builds = [text for text in texts if text.startswith(("build", "contract"))]
    return rng.choice(builds or texts)


def take_turn(home: Home, rng: random.Random) -> None:
    """Make moves as long as it is the turn of who lives here."""
    while home.name in home.to_move(GAME):
        verb, *words = chosen(home.json("moves", GAME)["moves"], rng).split()
        home.porto(verb, GAME, *words)


def test_one_of_three_has_no_program_and_answers_in_words_or_by_clicks(
    tmp_path: Path, office: tuple[PostOffice, int]
) -> None:
    rng = random.Random(7)
    people = homes(tmp_path, office, "Ana", "Rui")
    for home in people.values():
        home.porto("address", "Bea", "bea@example.org", "--no-program")
    bea = Friend("Bea", office)
    box = small_box(people["Ana"])
    people["Ana"].porto("new", GAME, "Ana", "Bea", "Rui", "--edition", box, "--first", "Ana")
    at = people["Ana"]
    while at.to_move(GAME):
        if at.to_move(GAME)[0] == "Bea":
            at.porto("mail", GAME, "--send")
            if rng.random() < 0.5:
                bea.clicks(rng)
            else:
                bea.answers(chosen(at.json("moves", GAME, "--as", "Bea")["moves"], rng))
            at.receive()
            continue
        take_turn(at, rng)
        waiting = at.to_move(GAME)
        if waiting and waiting[0] != "Bea":
            at.porto("mail", GAME, "--send")
            at = people[waiting[0]]
            at.receive()
    at.porto("mail", GAME, "--send")
    for home in people.values():
        home.receive()
        assert "valid, finished" in home.porto("verify", GAME)
    assert len({home.json("verify", GAME)["files"][0]["digest"] for home in people.values()}) == 1
    result = bea.reads()
    assert "the game is over" in result["Subject"]
    assert "WHERE THE VP CAME FROM" in bea.text_of(result)
    subjects = [str(mail["Subject"]) for mail in office[0].delivered]
    assert all(re.match(r"(Re: )?Porto: ", subject) for subject in subjects), subjects


def test_four_who_do_not_trust_each_other(tmp_path: Path, office: tuple[PostOffice, int]) -> None:
    rng = random.Random(11)
    names = ("Ana", "Rui", "Bea", "Zé")
    people = homes(tmp_path, office, *names)
    box = small_box(people["Ana"])
    result = people["Ana"].porto("new", GAME, *names, "--edition", box, "--secrecy", "sealed")
    assert "Rui" in result
    stations = [*names[1:], *names[:-1]]
    at = people["Ana"]
    for name in stations:
        at.porto("mail", GAME, "--send")
        at = people[name]
        at.receive()
        at.porto("join", GAME)
    while waiting := at.to_move(GAME):
        if at.name not in waiting:
            at.porto("mail", GAME, "--send", "--to", waiting[0])
            at = people[waiting[0]]
            at.receive()
        elif at.is_revealing(GAME):
            at.porto("reveal", GAME)
        else:
            see_only_the_own_contracts(at)
            take_turn(at, rng)
    at.porto("mail", GAME, "--send")
    for home in people.values():
        home.receive()
    result = {home.porto("verify", GAME) for home in people.values()}
    assert len(result) == 1, result
    assert "finished" in result.pop()


def see_only_the_own_contracts(home: Home) -> None:
    """Look at the table: what others hold is not known here, whoever one says to be."""
    for name in ("Ana", "Rui", "Bea", "Zé"):
        for player in home.json("show", GAME, "--as", name)["players"]:
            known = player["name"] == home.name == name
            assert (player["private"] is not None) == known, player


class Friend:
    """Somebody who only has a mail program, which quotes what it answers."""

    def __init__(self, name: str, office: tuple[PostOffice, int]) -> None:
        self.name = name
        self.office, self.port = office

    def reads(self) -> EmailMessage:
        """Return the message that came last."""
        mine = [one for one in self.office.delivered if f"{self.name} <" in str(one["To"])]
        return mine[-1]

    @staticmethod
    def text_of(mail: EmailMessage) -> str:
        body = mail.get_body(("plain",))
        assert body is not None
        return str(body.get_content())

    def answers(self, words: str) -> None:
        """Answer the last message with some words above what it said."""
        mail = self.reads()
        quoted = "".join(f"> {line}\n" for line in self.text_of(mail).splitlines())
        text = f"Hi!\n\n{words}\n\nBye, {self.name}\n\nOn Sunday Ana wrote:\n{quoted}"
        self.sends(mail["From"], f"Re: {mail['Subject']}", text, mail["Message-ID"])

    def clicks(self, rng: random.Random) -> None:
        """Click a move of the last message, one that builds if there is one, and send the mail that
        this begins: a new one, which answers none.
        """
        links = [clicked(str(link["href"])) for link in Page(html_of(self.reads())).all("a")]
        builds = [link for link in links if link[1]["body"].startswith(("build", "contract"))]
        address, fields = rng.choice(builds or links)
        self.sends(address, fields["subject"], fields["body"].replace("\r\n", "\n"))

    def sends(self, to: str, subject: str, text: str, answered: str = "") -> None:
        """Send a mail."""
        import smtplib

        answer = EmailMessage()
        answer["From"] = f"{self.name} <{self.name.lower()}@example.org>"
        answer["To"] = to
        answer["Subject"] = subject
        if answered:
            answer["In-Reply-To"] = answered
        answer.set_content(text)
        with smtplib.SMTP("127.0.0.1", self.port, timeout=20) as server:
            server.send_message(answer)
