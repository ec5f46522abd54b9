"""Seats that change hands by mail: each player at a computer with settings, keys and records."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import porto_cli
from porto_cli.match.match import Match
from tests.post import Home, PostOffice, post_office

FILE = "friday.yaml"
PLAYERS = ("Ana", "Rui", "Eva")
"""They play; Zoe is a friend."""


class Table:
    """Who plays, and a friend, with a mail server."""

    def __init__(self, folder: Path, office: PostOffice, port: int) -> None:
        self.office = office
        self.homes = {name: Home(folder / name, name, office, port) for name in (*PLAYERS, "Zoe")}
        for home in self.homes.values():
            home.learns_addresses(*self.homes)

    def __getitem__(self, name: str) -> Home:
        return self.homes[name]

    def key(self, name: str) -> str:
        self[name].porto("key", "new")
        return str(self[name].json("key")["public"])

    def copied(self, name: str) -> None:
        """Give everybody the copy of a player."""
        text = (self[name].desk / FILE).read_text()
        for one in PLAYERS:
            (self[one].desk / FILE).write_text(text)

    def match(self, name: str) -> Match:
        return porto_cli.load(self[name].desk / FILE)

    def to(self) -> list[str]:
        """Return whom the mails since the last look went to."""
        found = [str(mail["To"]) for mail in self.office.delivered]
        self.office.delivered.clear()
        return found


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """A game of three in which it is Rui's turn; everybody has the record."""
    with post_office(tmp_path / "office") as (office, port):
        yield Table(tmp_path, office, port)


def begun(table: Table, *options: str) -> None:
    words = ("--seed", "tram", "--first", "Ana", *options, "-q")
    table["Ana"].porto("new", FILE, *PLAYERS, *words)
    for name in PLAYERS:
        table.copied("Ana")
        table[name].porto("keep", FILE, "1", "2", "3")
        table.copied(name)
    table["Ana"].porto("draw", FILE, "green-3")
    table.copied("Ana")


def test_a_signed_seat_is_handed_over_by_mail(table: Table) -> None:
    begun(table, "--signed")
    key = table.key("Zoe")
    done = table["Rui"].porto("seat", FILE, "--to", "Zoe", "--key", key, "--send")
    assert "Zoe plays for Rui." in done
    assert table.to() == ["Zoe <zoe@example.org>"]
    assert "Rui: played by Zoe since turn 2." in table["Zoe"].receive()
    table["Zoe"].porto("draw", FILE, "red-2", "--send")
    assert table.to() == ["Eva <eva@example.org>"]
    table["Eva"].receive()
    table["Eva"].porto("draw", FILE, _first_draw(table, "Eva"), "--send")
    assert "Proven: Rui signed that from turn 2 on Zoe plays for Rui." in table["Eva"].porto(
        "verify", FILE
    )
    refused = table["Rui"].porto("draw", FILE, "red-2", code=1)
    assert "Zoe plays for Rui." in refused


def _first_draw(table: Table, name: str) -> str:
    match = table.match(name)
    return match.text(match.legal_moves()[0]).split()[1]


@pytest.mark.long
def test_who_has_to_agree_gets_the_mail(table: Table) -> None:
    begun(table, "--signed")
    key = table.key("Zoe")
    words = ("seat", FILE, "Rui", "--to", "Zoe", "--key", key, "--send")
    done = " ".join(table["Ana"].porto(*words).split())
    assert "Zoe plays on for Rui when these players have said so, too: Eva." in done
    assert table.to() == ["Eva <eva@example.org>"]
    asked = " ".join(table["Eva"].receive().split())
    assert f"porto seat {FILE} Rui --to Zoe --key {key}" in asked
    table["Eva"].porto(*words)
    assert table.to() == ["Zoe <zoe@example.org>"]
    table["Zoe"].receive()
    assert table["Zoe"].json("games")["games"][0]["mine"]
    table["Zoe"].porto("draw", FILE, "red-2")


@pytest.mark.long
def test_a_seat_handed_over_while_another_player_moves_stays_handed_over(table: Table) -> None:
    """Eva moves while Rui leaves, and signs that move again."""
    begun(table, "--signed")
    table["Rui"].porto("draw", FILE, "red-2")
    table.copied("Rui")
    table["Rui"].porto("seat", FILE, "--to", "Zoe", "--key", table.key("Zoe"), "--send")
    table["Eva"].porto("draw", FILE, _first_draw(table, "Eva"), "--send")
    assert table.to() == ["Eva <eva@example.org>", "Ana <ana@example.org>"]
    assert "signed again" in table["Eva"].receive()
    table["Eva"].porto("mail", FILE, "--send")
    table["Ana"].receive()
    for name in ("Ana", "Eva"):
        match = table.match(name)
        assert match.replay.holders == ("Ana", "Zoe", "Eva")
        assert match.to_move() == ["Ana"]


def test_who_leaves_an_open_game_writes_in_their_own_name(table: Table) -> None:
    begun(table)
    table["Rui"].porto("seat", FILE, "--to", "Zoe", "--send")
    [mail] = table.office.delivered
    assert (mail["From"], mail["To"]) == ("Rui <rui@example.org>", "Zoe <zoe@example.org>")
    table["Zoe"].receive()
    table["Zoe"].porto("draw", FILE, "red-2", "--say", "Thanks, Rui!")
    assert "# Zoe says: Thanks, Rui!" in (table["Zoe"].desk / FILE).read_text()
    assert "Zoe says: Thanks, Rui!" in table["Zoe"].porto("log", FILE)


def test_nothing_is_sent_in_a_dry_run(table: Table) -> None:
    begun(table)
    table["Rui"].porto("seat", FILE, "--out", "--send", "--dry-run", code=2)
    assert not table.to()
