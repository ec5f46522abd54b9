"""At the keyboard: when a turn is over that goes on elsewhere, it can be sent at once."""

from __future__ import annotations

from contextlib import suppress
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

import porto_cli
from porto_cli.cli import mail as command
from porto_cli.cli.session import Session, StoppedError
from porto_cli.core.message import say
from porto_cli.mail.compose import Parcel
from porto_cli.mail.send import SendError, Sent, recipients
from porto_cli.match.match import new_game
from tests.mails import WHOLE
from tests.porto.asking import Scripted
from tests.porto.playing import CRAMPED


@pytest.fixture
def outbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[EmailMessage]:
    """What was sent, by somebody whose settings and addresses say how."""
    monkeypatch.setenv("PORTO_HOME", str(tmp_path))
    (tmp_path / "config.yaml").write_text("mail: {server: localhost, from: ana@b.c}\n", "utf-8")
    addresses = "Inês: ines@b.c\nJoana: joana@b.c\nRui: rui@b.c\nAfonso: afonso@b.c\n"
    (tmp_path / "addresses.yaml").write_text(addresses, "utf-8")
    sent: list[EmailMessage] = []

    def post(parcel: Parcel) -> Sent:
        sent.append(parcel.mail)
        return Sent(recipients(parcel.mail), {}, {})

    monkeypatch.setattr(command, "post", post)
    return sent


def two(path: Path) -> porto_cli.Match:
    """Return a game in which the turn of Inês is over."""
    match = new_game(["Inês", "Joana"], seed="tram", first="Inês", edition=CRAMPED)
    match.play("keep 1 2 5", player="Inês")
    match.play(match.observe("Inês").moves[0].move)
    match.save(path)
    return match


def play(match: porto_cli.Match, asker: Scripted, seat: int | None) -> Session:
    session = Session(match, asker, seat)
    with suppress(StoppedError):
        session.run()
    return session


def test_who_has_moved_sends_the_game_to_who_is_next(outbox: Any, tmp_path: Path) -> None:
    session = play(two(tmp_path / "friday.yaml"), Scripted("Send the game by mail to Joana"), 0)
    (mail,) = outbox
    assert mail["To"] == "Joana <joana@b.c>"
    assert str(session.sent[0]).startswith("Sent to joana@b.c: Porto: Joana is to move")


def test_an_old_copy_is_not_sent(outbox: Any, tmp_path: Path) -> None:
    """The file was replaced, as 'porto receive' does it, while the question was waiting."""
    match = two(tmp_path / "friday.yaml")
    other = porto_cli.load(tmp_path / "friday.yaml")
    other.play("keep 1 2 3", player="Joana")
    other.save()
    asker = Scripted("Send the game by mail to Joana", None, "Stop")
    session = play(match, asker, 0)
    assert outbox == []
    assert session.match.fingerprint == other.fingerprint


def test_no_key_pressed_once_too_often_sends_a_mail(outbox: Any, tmp_path: Path) -> None:
    """Enter takes the first choice; a mail cannot be taken back."""
    play(two(tmp_path / "friday.yaml"), Scripted(), 0)
    session = play(two(tmp_path / "sunday.yaml"), Scripted(), None)
    assert session.match.over
    assert outbox == []


def test_players_who_play_elsewhere_are_sent_the_game_instead_of_the_keyboard(
    outbox: Any, tmp_path: Path
) -> None:
    asker = Scripted("Send the game by mail to Joana")
    play(two(tmp_path / "friday.yaml"), asker, None)
    assert "Hand the keyboard to Joana" in asker.questions[0]
    assert [mail["To"] for mail in outbox] == ["Joana <joana@b.c>"]


@pytest.mark.parametrize("lacking", ["config.yaml", "addresses.yaml"])
def test_nothing_is_offered_that_cannot_be_done(outbox, tmp_path: Path, lacking: str) -> None:
    (tmp_path / lacking).write_text("# nothing\n", "utf-8")
    labels: list[str] = []

    def answer(asker: Scripted, question: str, choices: list[str]) -> str:
        labels.extend(choices)
        return "Stop"

    play(two(tmp_path / "friday.yaml"), Scripted(then=answer), 0)
    assert labels
    assert not [label for label in labels if "mail" in label]


def test_a_mail_that_cannot_be_sent_is_reported_and_the_turn_stands(
    outbox: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def post(parcel: Parcel) -> Sent:
        raise SendError(say("There is no connection; nothing was sent."))

    monkeypatch.setattr(command, "post", post)
    match = two(tmp_path / "friday.yaml")
    asker = Scripted("Send the game by mail", "Stop")
    session = play(match, asker, 0)
    assert any("There is no connection" in text for text in asker.seen)
    assert session.sent == ()
    assert porto_cli.load(tmp_path / "friday.yaml").digest == match.digest


def test_the_end_of_a_game_is_sent_to_all(outbox: Any, tmp_path: Path) -> None:
    whole = porto_cli.load(WHOLE["porto"]).record
    lines = whole.text.splitlines(keepends=True)
    text = "".join(lines[: whole.place(len(whole.items) - 2).line - 1])
    (tmp_path / "friday.yaml").write_text(text, "utf-8")
    match = porto_cli.load(tmp_path / "friday.yaml")

    def answer(asker: Scripted, question: str, labels: list[str]) -> Any:
        return "Send the game" if "do now?" in question else None

    session = play(match, Scripted(then=answer), match.state.seat)
    assert session.match.over
    (mail,) = outbox
    assert len(mail["To"].addresses) == len(match.players) - 1
    assert "the game is over" in mail["Subject"]
