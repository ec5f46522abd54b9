"""Games that go around by mail, and their messages as a program that receives them reads them."""

from __future__ import annotations

from email import message_from_bytes, message_from_string
from email.message import EmailMessage
from email.policy import SMTP
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from porto_cli.mail import posting, reply
from porto_cli.mail.account import SendError, Sent, recipients
from porto_cli.mail.draft import Draft, message
from porto_cli.mail.ids import id_of, stations
from porto_cli.mail.letter import Letter, letter, offers_to
from porto_cli.match.match import Match, loads, new_game
from porto_cli.match.replay import Replay
from porto_cli.seam import MoveGroup
from tests.conftest import ROOT
from tests.tables import text_at

PLAYED = {"porto": "porto/three-players", "puerto-rico": "puerto-rico/five-players-random"}
WHOLE = {game: ROOT / "records" / f"{name}.yaml" for game, name in PLAYED.items()}
"""A finished game of each kind."""


def message_of(text: str | bytes) -> EmailMessage:
    read = message_from_bytes if isinstance(text, bytes) else message_from_string
    found = read(text, policy=SMTP)
    assert isinstance(found, EmailMessage)
    assert not found.defects
    return found


def plain_text(mail: EmailMessage) -> str:
    return str(mail.get_body(("plain",)).get_content()).replace("\r\n", "\n")


def html_of(mail: EmailMessage) -> str:
    return str(mail.get_body(("html",)).get_content())


def mail_of(replay: Replay, contents: Letter) -> EmailMessage:
    """Return a letter about a game as a mail to nobody in particular."""
    return message(contents, replay, {})


def mail_to(replay: Replay, *readers: int, sender: str = "Ana", **how: Any) -> EmailMessage:
    """Return the mail to some seats."""
    return mail_of(replay, letter(replay, readers, sender, **how))


def groups(replay: Replay, seat: int, *, private: bool) -> tuple[MoveGroup, ...]:
    """Return the moves that a mail offers a seat."""
    return offers_to(replay, seat, private=private).groups


def clicked(link: str) -> tuple[str, dict[str, str]]:
    """Return the address of a link and its fields, as a mail program reads them (RFC 6068)."""
    address, _, query = link.removeprefix("mailto:").partition("?")
    fields = (pair.split("=", 1) for pair in query.split("&"))
    return unquote(address), {name.lower(): unquote(text) for name, text in fields}


@cache
def beginning(game: str, items: int, name: str = "friday.yaml") -> Match:
    """Return a game as it was after so many items of its record."""
    return _beginning(game, items, name)


@cache
def _beginning(game: str, items: int, name: str) -> Replay:
    return loads(text_at(PLAYED[game], items), name).replay


def joanas_turn(path: Path) -> Match:
    """Return a game of Inês and Joana, saved: both have kept, and Joana is to move."""
    match = new_game(["Inês", "Joana"], seed="tram", first="Inês")
    match.play("keep 1 2 5", player="Inês")
    match.play("draw green-3")
    match.play("keep 1 2 4", player="Joana")
    match.save(path)
    return match


def begun(path: Path, *players: str, title: str = "Friday night") -> Match:
    """Return a game that the first player has set up and begun, saved."""
    match = new_game(players, seed="tram", first=players[0], title=title)
    match.play("keep 1 2 5", player=players[0])
    match.play(match.observe(players[0])["moves"][0]["move"])
    match.save(path)
    return match


def message_id(replay: Replay, count: int | None = None) -> str:
    """Return the id of a game's message after a number of items, by default all."""
    return id_of(stations(replay)[-1 if count is None else count].named)


def posted(monkeypatch: pytest.MonkeyPatch) -> list[EmailMessage]:
    """Return what commands send from now on, in place of a server that takes all of it."""
    sent: list[EmailMessage] = []

    def post(draft: Draft) -> Sent:
        sent.append(draft.mail)
        return Sent(recipients(draft.mail), {}, {})

    monkeypatch.setattr(posting, "post", post)
    return sent


def no_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no mail be sent from now on."""

    def post(_: Draft) -> Sent:
        raise SendError("There is no connection; nothing was sent.")

    monkeypatch.setattr(posting, "post", post)


_SENT: dict[tuple[str, int, int], frozenset[str]] = {}


@pytest.fixture
def one_letter(monkeypatch: pytest.MonkeyPatch) -> None:
    """Write out once the mail about a table that answers are answers to.

    It is a function of record and reader, as another test holds; it takes two thirds of the time in
    which an answer is read.
    """
    plain = reply._lines_sent

    def lines_sent(seen: Replay, seat: int) -> frozenset[str]:
        key = (seen.record.text, len(seen.steps), seat)
        if key not in _SENT:
            _SENT[key] = plain(seen, seat)
        return _SENT[key]

    monkeypatch.setattr(reply, "_lines_sent", lines_sent)
