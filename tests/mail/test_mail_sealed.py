"""Mails of sealed games: players who vanished or have yet to reveal, and what no mail can show."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from porto_cli.cli.common import keys_here
from porto_cli.cli.session import Session, StoppedError
from porto_cli.match.match import load
from tests.conftest import Result
from tests.mails import message_of, plain_text
from tests.porto.asking import Scripted
from tests.sealed.test_cli_sealed import first_move
from tests.sealed_games import NAMES, played_out, seen_by

pytestmark = pytest.mark.long

Play = Callable[..., Result]
FILE = "game.yaml"


def written(result: Result) -> tuple[str, str, str]:
    """Return the recipients of a mail, its subject, and its text."""
    assert result.code == 0, result.err
    mail = message_of(result.out)
    return str(mail["To"]), str(mail["Subject"]), plain_text(mail)


@pytest.fixture
def game(at: Play) -> Play:
    """Ana has moved, and it is Rui's turn; Bea knows where the others get mail."""
    at("Ana", "new", FILE, "Ana", "Rui", "Bea", "--secrecy", "sealed", "--first", "Ana")
    for name in ("Rui", "Bea", "Ana", "Rui"):
        assert at(name, "join", FILE, "--as", name).code == 0
    order = json.loads(at("Ana", "show", FILE, "--format", "json").out)["players"]
    assert [player["name"] for player in order] == ["Ana", "Rui", "Bea"]
    assert at("Ana", "keep", FILE, "1", "2", "3").code == 0
    assert at("Ana", *first_move(at, "Ana")).code == 0
    for name in ("Ana", "Rui"):
        at("Bea", "address", name, f"{name.lower()}@example.org")
    return at


def test_players_who_have_to_agree_get_the_mail(game: Play) -> None:
    copy = Path(FILE).read_bytes()
    assert game("Bea", "reveal", FILE, "--without", "Rui").code == 0
    mail = game("Bea", "mail", FILE, "--as", "Bea", "--format", "eml")
    to, subject, text = written(mail)
    assert to == "Ana <ana@example.org>, Rui <rui@example.org>"
    assert "continue without Rui?" in subject
    assert "Table code " in text
    assert "Ana: Bea said that Rui has vanished." in " ".join(text.split())
    assert "Rui: Bea said that you have vanished." in " ".join(text.split())
    assert "    porto reveal game.yaml --without Rui\n" in text
    assert "    porto play game.yaml --as Rui\n" in text
    # Alone, each reads only what is meant for them.
    alone = game("Bea", "mail", FILE, "--as", "Bea", "--to", "Ana", "--format", "eml")
    assert "you have vanished" not in written(alone)[2]
    assert "porto reveal game.yaml --without Rui" in written(alone)[2]
    # Ana receives it and types what the mail says.
    Path(FILE).write_bytes(copy)
    Path("mail.eml").write_text(mail.out)
    received = game("Ana", "receive", "mail.eml")
    assert received.code == 0, received.err
    assert "  Bea said that Rui has vanished.\n" in received.out
    assert not any(line != line.rstrip() for line in received.out.splitlines())
    agreed = game("Ana", "reveal", FILE, "--without", "Rui")
    assert agreed.code == 0, agreed.err
    _, subject, text = written(game("Ana", "mail", FILE, "--as", "Ana", "--format", "eml"))
    assert "Bea is to move" in subject
    assert "The game goes on without Rui." in " ".join(text.split())
    # Rui comes back, and is told of it as the reader.
    asker = Scripted(then=lambda asker, question, labels: "Stop")
    with pytest.raises(StoppedError):
        Session(load(FILE, keys_here), asker, 1).run()
    told = " ".join(" ".join(asker.seen).split())
    assert "Bea said that you have vanished." in told
    assert "Ana said that you have vanished. The game goes on without you." in told
    assert told.count("You were given up: your turns are left out") == 1
    assert "Rui was given up" not in told


def test_who_is_not_to_move_is_told_to_write_to_the_others(at: Play) -> None:
    at("Ana", "new", FILE, "Ana", "Bea", "Rui", "--secrecy", "sealed", "--first", "Ana")
    for name in ("Bea", "Rui", "Ana", "Bea"):
        assert at(name, "join", FILE, "--as", name).code == 0
    assert at("Bea", "reveal", FILE, "--without", "Rui").code == 0
    for name in ("Ana", "Rui"):
        at("Bea", "address", name, f"{name.lower()}@example.org")

    def mail_to(name: str) -> str:
        mail = at("Bea", "mail", FILE, "--as", "Bea", "--to", name, "--format", "eml")
        return written(mail)[2]

    to_rui = mail_to("Rui")
    assert "if it is not your turn, write to the others." in " ".join(to_rui.split())
    assert "HOW TO ANSWER" not in to_rui
    to_ana = " ".join(mail_to("Ana").split())
    assert "Do you want to continue without Rui?" in to_ana
    assert "if you do not, do nothing: porto reveal game.yaml --without Rui" in to_ana


def test_a_player_who_has_not_vanished_writes_to_those_who_were_asked(game: Play) -> None:
    game("Bea", "reveal", FILE, "--without", "Rui")
    for name in ("Ana", "Bea"):
        game("Rui", "address", name, f"{name.lower()}@example.org")
    assert game("Rui", "keep", FILE, "1", "2", "3").code == 0
    assert game("Rui", *first_move(game, "Rui")).code == 0
    to, subject, _ = written(game("Rui", "mail", FILE, "--as", "Rui", "--format", "eml"))
    assert to == "Bea <bea@example.org>"
    assert "Bea is to move" in subject


def test_a_private_mail_does_not_claim_to_show_what_only_the_reader_knows(game: Play) -> None:
    mail = game("Bea", "mail", FILE, "--as", "Bea", "--to", "Rui", "--private", "--format", "eml")
    _, _, text = written(mail)
    assert "This mail also shows" not in text
    assert "porto show game.yaml --as Rui" in text


def test_all_who_have_still_to_reveal_get_the_command(porto, monkeypatch) -> None:
    text = played_out(3)
    Path(FILE).write_text(text)
    match = seen_by(text, "Ana")
    assert match.state.is_revealing
    left = match.to_move()
    assert len(left) == 2
    done = next(name for name in NAMES[:3] if name not in left)
    for name in left:
        porto("address", name, f"{name.lower()}@example.org")
    to, _, result = written(porto("mail", FILE, "--as", done, "--format", "eml"))
    assert all(f"{name} <" in to for name in left)
    assert f"with their own key: {', '.join(left)}." in " ".join(result.split())
    assert "    porto reveal game.yaml\n" in result
    assert "Send the record to" not in result


def test_a_signed_turn_that_was_never_mailed_is_offered_first(game: Play, tmp_path: Path) -> None:
    settings = "me: Ana\nmail: {server: localhost, from: ana@example.org}\n"
    (tmp_path / "homes" / "Ana" / "config.yaml").write_text(settings, "utf-8")
    game("Ana", "address", "Rui", "rui@example.org")

    def first() -> str:
        """Return the first choice of Ana, who only looks at the game again."""
        found: list[str] = []
        asker = Scripted(then=lambda asker, question, labels: found.extend(labels) or "Stop")
        with pytest.raises(StoppedError):
            Session(load(FILE, keys_here), asker, 0).run()
        return found[0]

    assert first() == "Send the game by mail to Rui"
    assert game("Ana", "mail", FILE, "--output", "turn.eml").code == 0
    assert first().startswith("Stop")


def test_no_orders_are_offered(game: Play) -> None:
    mail = game("Bea", "mail", FILE, "--as", "Bea", "--to", "Rui", "--format", "eml")
    text = written(mail)[2]
    assert "porto play game.yaml" in text
    assert "porto order" not in text


def test_a_move_in_words_is_none_where_each_player_signs(game: Play) -> None:
    sent = message_of(game("Ana", "mail", FILE, "--to", "Rui", "--format", "eml").out)
    head = f"From: rui@example.org\nSubject: Re: x\nIn-Reply-To: {sent['Message-ID']}"
    Path("a.eml").write_text(f"{head}\n\ndraw red-1\n", "utf-8")
    done = game("Bea", "receive", "a.eml", "--yes")
    assert done.code == 1
    assert f"In {FILE} every move is signed with its player's key" in done.err
