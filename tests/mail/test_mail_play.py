"""At the keyboard: when a turn is over that goes on elsewhere, it can be sent at once."""

from __future__ import annotations

import os
from contextlib import suppress
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

import porto_cli
from porto_cli.cli.lobby import begin
from porto_cli.cli.receive import Fetched
from porto_cli.cli.session import Session, StoppedError
from porto_cli.core import TROUBLE, USAGE
from porto_cli.match.match import new_game
from tests.mails import PLAYED, no_server, posted
from tests.porto.asking import Scripted
from tests.porto.playing import CRAMPED
from tests.tables import table_at


@pytest.fixture
def outbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[EmailMessage]:
    """What was sent, by somebody whose settings and addresses say how."""
    monkeypatch.setenv("PORTO_HOME", str(tmp_path))
    (tmp_path / "config.yaml").write_text("mail: {server: localhost, from: ana@b.c}\n", "utf-8")
    addresses = "Inês: ines@b.c\nJoana: joana@b.c\nRui: rui@b.c\nAfonso: afonso@b.c\n"
    (tmp_path / "addresses.yaml").write_text(addresses, "utf-8")
    return posted(monkeypatch)


def two(path: Path) -> porto_cli.Match:
    """Return a game in which the turn of Inês is over."""
    match = new_game(["Inês", "Joana"], seed="tram", first="Inês", edition=CRAMPED)
    match.play("keep 1 2 5", player="Inês")
    match.play(match.observe("Inês")["moves"][0]["move"])
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


def test_who_has_kept_is_offered_no_contracts_while_another_keeps(
    outbox: Any, tmp_path: Path
) -> None:
    menus: list[list[str]] = []
    asker = Scripted(then=lambda asker, question, labels: menus.append(labels) or "Stop")
    play(two(tmp_path / "friday.yaml"), asker, 0)
    assert not [label for menu in menus for label in menu if "private contract" in label]


@pytest.mark.long
def test_no_key_pressed_once_too_often_sends_a_mail(outbox: Any, tmp_path: Path) -> None:
    """Enter takes the first choice; a mail cannot be taken back."""
    session = play(two(tmp_path / "sunday.yaml"), Scripted(), None)
    assert session.match.over
    assert outbox == []


def test_after_a_turn_sending_comes_first_and_is_asked_about(outbox: Any, tmp_path: Path) -> None:
    match = two(tmp_path / "friday.yaml")
    menus: list[list[str]] = []

    def answer(asker: Scripted, question: str, labels: list[str]) -> str | None:
        if "It is Inês's turn" in question:
            menus.append(labels)
            return "Stop" if len(menus) == 2 else None
        return None

    asker = Scripted(then=answer)
    asker.unsure = True
    play(match, asker, 1)
    assert menus[0][0] == "Send the game by mail to Inês"
    # It has chosen that, and not confirmed it.
    assert outbox == []


def looked_at(path: Path, seat: int) -> tuple[str, str]:
    """Return the question and the first choice of a player who only looks at a game again."""
    found: list[tuple[str, str]] = []

    def answer(asker: Scripted, question: str, labels: list[str]) -> str:
        found.append((question, labels[0]))
        return "Stop"

    play(porto_cli.load(path), Scripted(then=answer), seat)
    return found[0]


def after_joanas_turn(path: Path) -> porto_cli.Match:
    match = two(path)
    match.play("keep 1 2 3", player="Joana")
    match.play(match.observe("Joana")["moves"][0]["move"])
    match.save()
    return match


@pytest.mark.parametrize("by", [["--send"], ["--output", "turn.eml"], ["--format", "eml"]])
def test_a_turn_that_was_never_mailed_is_offered_first_until_it_is(
    porto, outbox: Any, tmp_path: Path, by: list[str]
) -> None:
    path = tmp_path / "friday.yaml"
    after_joanas_turn(path)
    question, first = looked_at(path, 1)
    assert question == f"It is Inês's turn. {path} has not been mailed yet."
    assert first == "Send the game by mail to Inês"
    assert porto("mail", "friday.yaml", *by).code == 0
    question, first = looked_at(path, 1)
    assert question == f"It is Inês's turn. Send {path} to Inês."
    assert first.startswith("Stop")


@pytest.mark.parametrize("mailed", [False, True])
def test_without_a_file_a_game_that_was_never_mailed_is_to_be_sent(
    porto, outbox: Any, tmp_path: Path, monkeypatch: Any, mailed: bool
) -> None:
    monkeypatch.setenv("PORTO_PLAYER", "Joana")
    after_joanas_turn(tmp_path / "friday.yaml")
    if mailed:
        assert porto("mail", "friday.yaml", "--send").code == 0
    asker = Scripted("friday.yaml")
    assert begin(asker, None).path == Path("friday.yaml")
    assert ("to be sent to Inês (friday.yaml)" in asker.seen[0]) != mailed


def test_the_turn_of_another_is_not_mine_to_send(outbox: Any, tmp_path: Path) -> None:
    path = tmp_path / "friday.yaml"
    after_joanas_turn(path)
    match = porto_cli.load(path)
    match.play(match.observe("Inês")["moves"][0]["move"])
    match.save()
    assert looked_at(path, 0)[1] == "Send the game by mail to Joana"
    match = porto_cli.load(path)
    match.play(match.observe("Joana")["moves"][0]["move"])
    match.save()
    assert looked_at(path, 0)[1] != "Send the game by mail to Joana"


def test_an_order_that_was_never_mailed_is_offered_first(
    porto, outbox: Any, tmp_path: Path
) -> None:
    path = tmp_path / "friday.yaml"
    after_joanas_turn(path)
    assert porto("mail", "friday.yaml", "--send").code == 0
    assert porto("order", "friday.yaml", "act", "draw", "blue-1", "--as", "Joana").code == 0
    assert looked_at(path, 1)[1] == "Send the game by mail to Inês"


def test_a_turn_that_the_program_of_another_made_by_an_order_is_not_mine_to_send(
    porto, outbox: Any, tmp_path: Path
) -> None:
    path = tmp_path / "friday.yaml"
    after_joanas_turn(path)
    moves = porto_cli.load(path).observe("Inês")["moves"]
    draws = [one["move"].split()[1] for one in moves if one["move"].startswith("draw ")]
    assert porto("order", "friday.yaml", "draw", draws[1], "--as", "Joana").code == 0
    assert porto("draw", "friday.yaml", draws[0], "--as", "Inês").code == 0
    assert porto_cli.load(path).to_move() == ["Inês"], "the order was carried out"
    assert looked_at(path, 1)[1] != "Send the game by mail to Inês"


# -- A move that is sent


def drawn(match: porto_cli.Match) -> list[str]:
    """Return the words of a command that makes Joana's turn and sends it."""
    match.play("keep 1 2 3", player="Joana")
    match.save()
    words = match.observe("Joana")["moves"][0]["move"].split()
    return [words[0], "friday.yaml", *words[1:], "--send"]


def test_a_move_is_sent(porto, outbox: Any, tmp_path: Path) -> None:
    done = porto(*drawn(two(tmp_path / "friday.yaml")))
    assert done.code == 0, done.err
    assert "Sent to ines@b.c: Porto: Inês is to move" in done.out
    (mail,) = outbox
    (record,) = mail.iter_attachments()
    assert record.get_payload(decode=True) == Path("friday.yaml").read_bytes()


def test_a_move_that_cannot_be_sent_is_saved(
    porto, outbox: Any, tmp_path: Path, monkeypatch: Any
) -> None:
    no_server(monkeypatch)
    match = two(tmp_path / "friday.yaml")
    done = porto(*drawn(match))
    assert done.code == TROUBLE
    assert "There is no connection; nothing was sent." in done.err
    later = "To send the mail later: porto mail friday.yaml --as Joana --send"
    assert f"The game is saved. {later}" in done.err
    assert len(porto_cli.load(tmp_path / "friday.yaml").replay.steps) == len(match.replay.steps) + 1


def test_to_nobody_no_mail_is_sent(porto, outbox: Any, tmp_path: Path) -> None:
    two(tmp_path / "friday.yaml")
    done = porto("keep", "friday.yaml", "1", "2", "3", "--as", "Joana", "--send")
    assert (done.code, outbox) == (0, [])
    assert "It is the turn of Joana, so no mail was sent." in done.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["undo", "friday.yaml", "--send"], "After an undo"),
        (["keep", "friday.yaml", "1", "2", "3", "--send", "--dry-run"], "cannot go with --dry-run"),
        (["keep", "-", "1", "2", "3", "--send"], "a record on standard input"),
    ],
)
def test_what_cannot_be_sent_is_not_done(
    porto, outbox: Any, tmp_path: Path, words: list[str], said: str
) -> None:
    match = two(tmp_path / "friday.yaml")
    done = porto(*words)
    assert done.code == USAGE
    assert said in done.err
    assert porto_cli.load(tmp_path / "friday.yaml").digest == match.digest


def test_without_a_server_no_move_is_made(porto, tmp_path: Path, monkeypatch: Any) -> None:
    match = two(tmp_path / "friday.yaml")
    done = porto(*drawn(match))
    assert done.code == USAGE
    assert "No mail server is set" in done.err
    assert "Nothing was written." in done.err
    assert porto_cli.load(tmp_path / "friday.yaml").digest == match.digest


# -- The game that waits


@pytest.mark.parametrize(
    ("me", "fetched", "problem", "asked"),
    [
        ("Joana", True, False, False),
        ("Joana", True, True, True),
        ("Joana", False, False, True),
        ("Inês", True, False, True),
    ],
)
def test_the_game_that_waits_is_opened_when_mail_was_fetched(
    porto, tmp_path: Path, monkeypatch: Any, me: str, fetched: bool, problem: bool, asked: bool
) -> None:
    monkeypatch.setenv("PORTO_PLAYER", me)
    two(tmp_path / "friday.yaml")
    after_joanas_turn(tmp_path / "sunday.yaml")
    os.utime(tmp_path / "friday.yaml", (1, 1))
    asker = Scripted()
    problems = ("There is no connection.",) if problem else ()
    mail = Fetched(problems, frozenset(), frozenset()) if fetched else None
    if me == "Inês":
        (tmp_path / "sunday.yaml").unlink()
    begin(asker, None, mail)
    assert bool(asker.questions) == asked
    assert not problem or "There is no connection." in asker.seen[0]
    if fetched and me == "Joana":
        assert begin(asker, None, mail).path == Path("friday.yaml")


def test_a_game_that_was_answered_in_words_waits_to_be_sent_on(
    outbox: Any, tmp_path: Path, monkeypatch: Any
) -> None:
    """Nobody else has that turn yet, so the first choice is to send it; an end is shown as well."""
    monkeypatch.chdir(tmp_path)
    match = after_joanas_turn(tmp_path / "friday.yaml")
    here = Path("friday.yaml")
    found = begin(Scripted(), None, Fetched((), frozenset({here}), frozenset()))
    assert found.path == here
    session = Session(found, asker := Scripted("Send the game by mail to Inês"), 1)
    session.has_moved = True
    with suppress(StoppedError):
        session.run()
    assert [mail["To"] for mail in outbox] == ["Inês <ines@b.c>"]
    assert asker.questions
    while not match.over:
        match.play(match.observe(match.to_move()[0])["moves"][0]["move"])
    match.save()
    assert begin(Scripted(), None, Fetched((), frozenset(), frozenset({here}))).over


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
    no_server(monkeypatch)
    match = two(tmp_path / "friday.yaml")
    asker = Scripted("Send the game by mail", "Stop")
    session = play(match, asker, 0)
    assert any("There is no connection" in text for text in asker.seen)
    assert session.sent == ()
    assert porto_cli.load(tmp_path / "friday.yaml").digest == match.digest


@pytest.mark.long
def test_the_end_of_a_game_is_sent_to_all(outbox: Any, tmp_path: Path) -> None:
    match = table_at(PLAYED["porto"], -2, tmp_path / "friday.yaml")

    def answer(asker: Scripted, question: str, labels: list[str]) -> Any:
        return "Send the game" if "do now?" in question else None

    session = play(match, Scripted(then=answer), match.state.seat)
    assert session.match.over
    (mail,) = outbox
    assert len(mail["To"].addresses) == len(match.players) - 1
    assert "the game is over" in mail["Subject"]
