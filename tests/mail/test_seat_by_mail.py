"""Seats that change hands by mail: each player at a computer with settings, keys and records."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

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

    def copied(self, name: str) -> None:
        """Give everybody the copy of a player."""
        text = (self[name].desk / FILE).read_text()
        for one in PLAYERS:
            (self[one].desk / FILE).write_text(text)

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


def begun(table: Table) -> None:
    words = ("--seed", "tram", "--first", "Ana", "-q")
    table["Ana"].porto("new", FILE, *PLAYERS, *words)
    for name in PLAYERS:
        table.copied("Ana")
        table[name].porto("keep", FILE, "1", "2", "3")
        table.copied(name)
    table["Ana"].porto("draw", FILE, "green-3")
    table.copied("Ana")


@pytest.mark.long
def test_who_leaves_an_open_game_writes_in_their_own_name(table: Table) -> None:
    begun(table)
    table["Rui"].porto("seat", FILE, "--to", "Zoe", "--send")
    [mail] = table.office.delivered
    assert (mail["From"], mail["To"]) == ("Rui <rui@example.org>", "Zoe <zoe@example.org>")
    table["Rui"].porto("mail", FILE, "--to", "Zoe", "--say", "Have fun!", "--send")
    body = table.office.delivered[-1].get_body(("plain",))
    assert "Rui says: \u201cHave fun!\u201d" in body.get_content()
    table["Zoe"].receive()
    table["Zoe"].porto("draw", FILE, "red-2", "--say", "Thanks, Rui!")
    assert "# Zoe says: Thanks, Rui!" in (table["Zoe"].desk / FILE).read_text()
    assert "Zoe says: \u201cThanks, Rui!\u201d" in table["Zoe"].porto("log", FILE)


def test_who_takes_a_seat_gets_the_game_also_if_another_player_is_to_move(table: Table) -> None:
    begun(table)
    table["Eva"].porto("seat", FILE, "--to", "Zoe", "--send")
    newcomer, mover = table.office.delivered
    assert [mail["To"] for mail in (newcomer, mover)] == [
        "Zoe <zoe@example.org>",
        "Rui <rui@example.org>",
    ]
    assert newcomer["From"] == "Eva <eva@example.org>"
    text = " ".join(str(newcomer.get_body(("plain",))).split())
    assert "Zoe, this is the state of the game; Rui is to move. Zoe plays for Eva" in text
    table["Zoe"].receive()
    assert table["Zoe"].to_move(FILE) == ["Rui"]


@pytest.mark.long
def test_nothing_is_sent_in_a_dry_run(table: Table) -> None:
    begun(table)
    table["Rui"].porto("seat", FILE, "--out", "--send", "--dry-run", code=2)
    assert not table.to()
