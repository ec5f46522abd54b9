"""``porto mail --remind``: who gets a reminder, when, and what it says."""

from __future__ import annotations

import os
from email.message import EmailMessage
from pathlib import Path

import pytest

from porto_cli import home
from porto_cli.cli import remind
from porto_cli.mail.incoming import read_incoming
from porto_cli.match.match import load, new_game
from tests.mails import joanas_turn, no_server, plain_text, posted

DAY = 86400


@pytest.fixture
def turn(porto, tmp_path: Path) -> Path:
    """A game in which Joana has been to move for four days, at the computer of Inês."""
    path = tmp_path / "friday.yaml"
    joanas_turn(path)
    porto("me", "Inês")
    porto("address", "Joana", "joana@example.org")
    aged(path, 4 * DAY)
    return path


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[EmailMessage]:
    """The mails that a server takes."""
    return posted(monkeypatch)


def aged(path: Path, age: float) -> None:
    now = path.stat().st_mtime
    os.utime(path, (now - age, now - age))


def nothing(done) -> bool:
    return (done.code, done.out, done.err) == (0, "", "")


def test_on_a_terminal_it_says_that_none_is_due(porto, turn: Path, monkeypatch) -> None:
    monkeypatch.setattr(remind, "can_ask", lambda: True)
    assert "No reminder is due." in porto("mail", "--remind", ".", "--after", "5d").err
    assert porto("mail", "--remind", ".").err == ""


def test_it_says_for_how_long_and_whose_turn_it_is(porto, turn: Path) -> None:
    done = porto("mail", "--remind", ".")
    assert done.code == 0, done.err
    text = " ".join(done.out.split())
    assert "To: Joana <joana@example.org> Subject: Reminder: Porto: Joana is to move" in text
    assert "Joana, it is your turn. This is a friendly reminder: Inês's copy" in text
    assert "was last changed 4 days ago. If you have moved since then" in text
    assert "Attached: friday.yaml" in text


def test_without_a_reason_it_is_silent(porto, turn: Path) -> None:
    assert nothing(porto("mail", "--remind", ".", "--after", "5d"))
    assert nothing(porto("mail", "--remind", ".", "--after", "1w"))
    porto("me", "Joana")
    assert nothing(porto("mail", "--remind", "."))
    assert nothing(porto("mail", "--remind", ".", "--as", "Zé"))


@pytest.mark.parametrize("after", ["3h", "4d", "96h"])
def test_the_time_can_be_chosen(porto, turn: Path, after: str) -> None:
    assert "Reminder" in porto("mail", "--remind", ".", "--after", after).out


@pytest.mark.parametrize("after", ["", "3", "d", "0d", "-3d", "3 d", "3m", "99999d", "٣d"])
def test_another_time_is_refused(porto, turn: Path, after: str) -> None:
    done = porto("mail", "--remind", ".", "--after", after)
    assert (done.code, done.out) == (2, "")
    assert "like 12h, 3d or 2w" in done.err


def test_a_reminder_is_sent_once_in_the_time_and_again_after_it(porto, turn, sent) -> None:
    assert "Sent to joana@example.org: Reminder: " in porto("mail", "--remind", ".", "--send").out
    assert nothing(porto("mail", "--remind", ".", "--send"))
    assert nothing(porto("mail", "--remind", "."))
    assert len(sent) == 1
    path = home.folder() / "reminders.txt"
    table, seconds = path.read_text().split()
    path.write_text(f"{table} {int(seconds) - 3 * DAY - 1}\n")
    assert porto("mail", "--remind", ".", "--send").out
    assert len(sent) == 2
    assert len(path.read_text().splitlines()) == 1


@pytest.mark.long
def test_a_printed_reminder_does_not_count_as_sent(porto, turn: Path, sent) -> None:
    assert porto("mail", "--remind", ".").out == porto("mail", "--remind", ".").out
    assert not (home.folder() / "reminders.txt").exists()
    assert porto("mail", "--remind", ".", "--send").out


@pytest.mark.long
def test_another_turn_has_a_reminder_of_its_own(porto, turn: Path, sent) -> None:
    porto("mail", "--remind", ".", "--send")
    match = load(turn)
    for _ in range(2):
        seat = match.game.to_move(match.state)[0]
        match.play(match.legal_moves(seat)[0], player=seat)
    match.save()
    assert match.to_move() == ["Joana"]
    assert nothing(porto("mail", "--remind", ".", "--send"))
    aged(turn, 4 * DAY)
    assert porto("mail", "--remind", ".", "--send").out
    assert len(sent) == 2


@pytest.mark.long
def test_a_reminder_is_read_as_a_mail_of_its_table(porto, turn: Path, sent) -> None:
    porto("mail", "--remind", ".", "--send")
    mail = sent[0]
    plain = read_incoming(porto("mail", "friday.yaml", "--format", "eml").out.encode(), "a mail")
    message = read_incoming(mail.as_bytes(), "a message")
    assert message.is_ours
    assert (message.own_id, message.answers) == (plain.own_id, plain.answers)
    assert mail["Message-ID"].encode() not in porto("mail", "friday.yaml").out.encode()
    assert "it is your turn" in plain_text(mail)


@pytest.mark.long
def test_a_reminder_that_is_received_changes_nothing(porto, turn: Path, sent) -> None:
    porto("mail", "--remind", ".", "--send")
    before = turn.read_bytes()
    porto("me", "Joana")
    done = porto("receive", stdin=sent[0].as_bytes())
    assert done.code == 0, done.err
    assert turn.read_bytes() == before


def test_one_game_that_fails_does_not_keep_others_from_reminders(porto, turn, sent, tmp_path):
    (tmp_path / "broken.yaml").write_text("porto: 1\nrules: 1\n")
    done = porto("mail", "--remind", ".", "--send")
    assert done.code == 3
    assert "broken.yaml" in done.err
    assert len(sent) == 1


@pytest.mark.parametrize("file", ["-", "friday.yaml", "nowhere"])
def test_it_takes_a_folder(porto, turn: Path, file: str) -> None:
    done = porto("mail", "--remind", file, stdin=turn.read_bytes())
    assert (done.code, done.out) == (2, "")
    assert f"--remind takes a folder of games, and {file} is none." in done.err


def test_another_folder_can_be_named(porto, turn: Path, tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    turn.rename(tmp_path / "games" / "friday.yaml")
    assert nothing(porto("mail", "--remind", "."))
    assert "To: Joana" in porto("mail", "--remind", "games").out


@pytest.mark.parametrize("words", [("--cc",), ("--to", "Joana"), ("--say", "hi"), ("--dry-run",)])
def test_a_reminder_takes_no_other_options(porto, turn: Path, words: tuple[str, ...]) -> None:
    done = porto("mail", "--remind", ".", *words)
    assert (done.code, done.out) == (2, "")
    assert f"leave out {words[0]}." in done.err


def test_a_mail_is_not_after_a_time(porto, turn: Path) -> None:
    done = porto("mail", "friday.yaml", "--after", "3d")
    assert done.code == 2
    assert "leave out --after" in done.err


@pytest.mark.parametrize("word", ["remind", "nudge"])
def test_the_command_of_before_says_what_to_type(porto, turn: Path, word: str) -> None:
    done = porto(word, "--send")
    assert done.code == 2
    assert done.proposed == ["porto mail --remind ."]


def test_a_missing_address_is_told_to_cron_once_and_keeps_no_other_from_a_reminder(
    porto, turn: Path, sent
) -> None:
    monday = turn.with_name("monday.yaml")
    new_game(["Inês", "Rui"], seed="tram", first="Rui").save(monday)
    aged(monday, 4 * DAY)
    cron = ("mail", "--remind", ".", "--send")
    done = porto(*cron)
    assert done.code == 2
    assert done.err.count("No e-mail address is stored for Rui.") == 1
    assert done.proposed == ["porto address Rui ADDRESS"]
    assert "--to" not in done.err, "a reminder takes no address"
    assert [mail["To"] for mail in sent] == ["Joana <joana@example.org>"]
    assert porto(*cron).err == ""
    aged(monday, DAY)
    assert "for Rui" in porto(*cron).err, "the game has changed"
    porto("address", "Rui", "rui@example.org")
    assert porto(*cron).code == 0
    assert [mail["To"] for mail in sent][1:] == ["Rui <rui@example.org>"]


def test_reminders_that_a_server_does_not_take_are_told_once_with_what_sends_them(
    porto, turn: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new_game(["Inês", "Joana"], seed="tram", first="Joana").save("sunday.yaml")
    aged(Path("sunday.yaml"), 4 * DAY)
    with monkeypatch.context() as patch:
        no_server(patch)
        done = porto("mail", "--remind", ".", "--after", "2d", "--as", "Inês", "--send")
        assert done.code == 4
        assert done.err.count("There is no connection; nothing was sent.") == 1
        again = "porto mail --remind . --after 2d --send --as Inês"
        assert f"To send the reminders for sunday.yaml, friday.yaml later: {again}" in done.err
        done = porto(*again.split()[1:])
        assert (done.code, done.out, done.err) == (4, "", "")
    sent = posted(monkeypatch)
    assert porto(*again.split()[1:]).code == 0
    assert ["Reminder" in mail["Subject"] for mail in sent] == [True, True]


def test_a_game_that_is_over_or_waits_for_nobody_else_is_left_alone(porto, turn, tmp_path) -> None:
    turn.unlink()
    new_game(["Inês"], seed="tram").save(tmp_path / "solo.yaml")
    new_game(["Joana", "Inês"], seed="tram", first="Inês").save(tmp_path / "mine.yaml")
    match = new_game(["Inês", "Rui"], seed="tram", bots={"Rui": "greedy"}, first="Rui")
    match.save(tmp_path / "bots.yaml")
    for path in tmp_path.glob("*.yaml"):
        aged(path, 9 * DAY)
    done = porto("mail", "--remind", ".")
    assert (done.code, done.err) == (0, "")
    # Both can keep contracts at any time.
    assert done.out.count("Subject: Reminder: ") <= 1
    assert "Rui" not in done.out


def test_a_damaged_note_of_reminders_only_reminds_once_more(porto, turn: Path, sent) -> None:
    porto("mail", "--remind", ".", "--send")
    path = home.folder() / "reminders.txt"
    path.write_text(f"{path.read_text().split()[0]} yesterday\n\nx\n")
    done = porto("mail", "--remind", ".", "--send")
    assert (done.code, len(sent)) == (0, 2), done.err
