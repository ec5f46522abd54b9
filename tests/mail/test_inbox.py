"""The inbox of the settings: an IMAP mailbox on a real server, a maildir, an mbox, a folder."""

from __future__ import annotations

import imaplib
import os
import re
import ssl
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

pytest.importorskip("trustme")
if sys.platform == "win32":
    pytest.skip("Dovecot is not for Windows.", allow_module_level=True)

import porto_cli
from porto_cli.cli import receive as command
from porto_cli.core import REFUSED, TROUBLE, USAGE
from porto_cli.mail import ids as threads
from porto_cli.mail import imap
from porto_cli.mail.account import AccountError
from porto_cli.mail.ids import ABOUT
from porto_cli.match.match import Match
from porto_cli.settings import STARTTLS, Inbox, Mail
from tests.conftest import _Bytes
from tests.dovecot import SECRET, USER, Dovecot, dovecot
from tests.mail.test_receive import mail, play_on
from tests.mail.test_receive_moves import answer
from tests.mail.test_receive_on_arrival import is_soon
from tests.mails import joanas_turn, plain_text
from tests.play.test_endings import shell
from tests.processes import PORTO, dialog

pytestmark = pytest.mark.outside

OTHER = (
    b"From: Shop <shop@example.com>\r\nSubject: Your order [12]\r\nMessage-ID: <%d@example.com>\r\n"
    b"Date: Mon, 2 Nov 2026 10:00:00 +0000\r\n\r\nThank you.\r\n"
)


@pytest.fixture(scope="module")
def running() -> Iterator[Dovecot]:
    with dovecot() as server:
        yield server


@pytest.fixture
def server(running: Dovecot, monkeypatch: pytest.MonkeyPatch) -> Dovecot:
    """A server that this computer trusts, with an empty mailbox."""
    monkeypatch.setenv("SSL_CERT_FILE", str(running.folder / "ca.pem"))
    for folder in (running.box, *running.box.glob(".*")):
        for part in ("new", "cur"):
            for file in (folder / part).glob("*"):
                file.unlink()
    return running


@pytest.fixture
def game(porto, tmp_path: Path) -> Match:
    return joanas_turn(tmp_path / "friday.yaml")


Typed = Callable[..., tuple[int, str]]


@pytest.fixture
def typed(porto, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Typed:
    """Types ``porto receive`` at a keyboard, with an inbox in the settings."""
    monkeypatch.setattr(_Bytes, "isatty", lambda self: self is sys.stdin, raising=False)
    home = Path(f"{tmp_path}-home")
    home.mkdir(mode=0o700)

    def receive(inbox: object, *options: str) -> tuple[int, str]:
        (home / "config.yaml").write_text(f"mail: {{inbox: {inbox}}}\n", "utf-8")
        done = porto("receive", *options)
        return done.code, done.out + done.err

    return receive


def of(account: Mail, folder: str = "INBOX") -> str:
    """Return the settings of an inbox."""
    words = f"server: {account.server}, port: {account.port}, security: {account.security}"
    login = f"user: {account.user}, password: {{command: '{account.password_command}'}}"
    return f"{{{words}, {login}, folder: {folder}}}"


def wrong(account: Mail, folder: str = "INBOX", patience: float = 5) -> str:
    """Return what is said when a mailbox cannot be read."""
    with (
        pytest.raises(AccountError) as error,
        imap.opened(Inbox("", account, folder), patience=patience) as source,
    ):
        list(source.envelopes)
    return str(error.value)


# -- What is received


@pytest.mark.parametrize("security", ["tls", STARTTLS])
def test_a_turn_is_received_and_nothing_is_marked(
    server: Dovecot, typed: Typed, game: Match, security: str
) -> None:
    new = play_on(game, 1)
    server.put(OTHER % 1, mail(new), OTHER % 2)
    port = server.port if security == STARTTLS else server.tls_port
    code, said = typed(of(server.account()._replace(security=security, port=port)))
    assert (code, Path("friday.yaml").read_text("utf-8")) == (0, new.record.text), said
    assert len(server.names()) == 3
    assert not [name for name in server.names() if name.partition(":2,")[2]]


def test_only_what_may_be_about_a_game_is_fetched(
    server: Dovecot, game: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetched = []

    def uid(self: imaplib.IMAP4, *words: str) -> object:
        fetched.append(words[1])
        return imaplib.IMAP4._simple_command(self, "UID", *words)

    click = answer(game, "draw blue-1", known=False)
    coded = click.replace(b"Re: Porto", b"=?utf-8?q?Re:_=E2=80=9CInes=E2=80=9D_=5Bdeadbeef=5D?=")
    by_hand = mail(play_on(game, 1)).replace(b"Subject: Porto", b"Subject: Here it is")
    server.put(OTHER % 1, coded, OTHER % 2, by_hand, answer(game, "draw blue-2"), OTHER % 3)
    monkeypatch.setattr(imaplib.IMAP4, "uid", uid)
    with imap.opened(Inbox("", server.account())) as source:
        heads = {envelope.head.subject for envelope in source.envelopes}
        assert not fetched
    assert heads == {"Re: “Ines” [deadbeef]", "Here it is", "Re: Porto"}


def test_a_mailbox_with_nothing_of_a_game(server: Dovecot, typed: Typed, game: Match) -> None:
    assert typed(of(server.account()))[0] == 0
    server.put(*(OTHER % nth for nth in range(imap._AT_ONCE + 1)))
    code, said = typed(of(server.account()))
    assert (code, said) == (0, "No game messages in INBOX at localhost.\n")


def test_no_message_of_another_keeps_a_mailbox_from_being_read(
    server: Dovecot, game: Match
) -> None:
    """The structure of a message is one line, however long its sender has made it."""
    part = b'--b\r\nContent-Type: text/plain; name="%b"\r\n\r\nx\r\n' % (b"UID 1 " * 2000)
    head = b"From: a@b.c\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n"
    server.put(OTHER % 1, head + part * 95 + b"--b--\r\n", mail(play_on(game, 1)))
    with imap.opened(Inbox("", server.account())) as source:
        assert len([envelope.load() for envelope in source.envelopes]) == 1


def test_mails_come_in_the_order_of_their_dates(server: Dovecot, game: Match) -> None:
    dates = ["Tue, 3 Nov 2026 10:00:00 +0000", "", "Mon, 2 Nov 2026 10:00:00 +0000"]
    server.put(*(mail(play_on(game, nth), date=date) for nth, date in enumerate(dates)))
    with imap.opened(Inbox("", server.account())) as source:
        order = [envelope.head.date for envelope in source.envelopes]
    assert order[0] < order[1]
    assert order[2] == 0


@pytest.mark.parametrize("when", ["before its text", "before its head"])
def test_a_message_that_vanishes_is_left_out(
    server: Dovecot, game: Match, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    files = server.put(mail(play_on(game, 1)), mail(play_on(game, 2)))
    fetch = imaplib.IMAP4.fetch

    def vanish() -> None:
        with imaplib.IMAP4_SSL(
            "localhost", server.tls_port, ssl_context=ssl.create_default_context()
        ) as other:
            other.authenticate("PLAIN", lambda _: f"\0{USER}\0{SECRET}".encode())
            other.select("INBOX")
            other.store("1", "+FLAGS", r"\Deleted")
            other.expunge()

    def late(self: imaplib.IMAP4, *words: str) -> object:
        if when == "before its head":
            vanish()
        return fetch(self, *words)

    monkeypatch.setattr(imaplib.IMAP4, "fetch", late)
    loaded = []
    with imap.opened(Inbox("", server.account())) as source:
        for envelope in source.envelopes:
            if not loaded and when == "before its text":
                vanish()
            loaded.append(envelope.load())
    assert len([message for message in loaded if message]) == 1
    assert len(files) == 2


# -- Large messages


PHOTO = b"\r\n".join([b"/9j/4AAQSkZJRgABAQAAAQABAAD" + b"x" * 45] * 14_000)
"""A megabyte."""


def with_photo(message: bytes, *, forwards: bytes = b"") -> bytes:
    """Return a message with a photo beside what it has, and maybe one that it forwards."""
    head, _, body = message.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n").partition(b"\r\n\r\n")
    lines = re.sub(rb"\r\n[ \t]+", b" ", head).split(b"\r\n")
    kind = [line for line in lines if line.lower().startswith(b"content-")]
    rest = [line for line in lines if line not in kind and not line.startswith(b"MIME")]
    parts = [b"\r\n".join([*kind, b"", body])]
    parts += [b"Content-Type: message/rfc822\r\n\r\n" + forwards] * bool(forwards)
    photo = b'Content-Type: image/jpeg; name="a.jpg"\r\nContent-Transfer-Encoding: base64\r\n\r\n'
    parts.append(photo + PHOTO)
    inside = b"".join(b"--photo\r\n%b\r\n" % part for part in parts)
    mixed = [b"MIME-Version: 1.0", b"Content-Type: multipart/mixed; boundary=photo", b"", inside]
    return b"\r\n".join([*rest, *mixed]) + b"--photo--\r\n"


@contextmanager
def sent_by(server: Dovecot) -> Iterator[list[int]]:
    """Yield a list that has, in the end, the bytes that the server has sent, by its log."""

    def sessions() -> list[int]:
        said = (server.folder / "log").read_text()
        return [int(count) for count in re.findall(r"\bout=(\d+)", said)]

    before, found = len(sessions()), []
    yield found
    assert is_soon(lambda: len(sessions()) > before)
    found.append(sum(sessions()[before:]))


def test_photos_are_not_fetched(server: Dovecot, typed: Typed, game: Match) -> None:
    """Porto is a city as well, and postage in German."""
    text = b"From: a@b.c\r\nSubject: Fotos aus Porto %d\r\nMessage-ID: <%d@b.c>\r\n\r\nOla!\r\n"
    server.put(*(with_photo(text % (nth, nth)) for nth in range(15)))
    with sent_by(server) as sent:
        code, said = typed(of(server.account()))
    assert (code, said) == (0, "No game messages in INBOX at localhost.\n")
    assert sent[0] < len(PHOTO) / 20


def test_a_turn_beside_a_photo_is_received(server: Dovecot, typed: Typed, game: Match) -> None:
    new = play_on(game, 1)
    server.put(with_photo(mail(new)))
    with sent_by(server) as sent:
        code, said = typed(of(server.account()))
    assert (code, Path("friday.yaml").read_text("utf-8")) == (0, new.record.text), said
    assert sent[0] < len(PHOTO) / 5


@pytest.mark.parametrize("known", [True, False])
def test_an_answer_beside_a_photo_is_played(
    server: Dovecot, typed: Typed, game: Match, known: bool
) -> None:
    """It is known by its head, or, after a click, by its text."""
    move = game.text(game.legal_moves()[0])
    reference = "" if known else f"\n\n{ABOUT} {threads.reference(threads.named(game.replay))}"
    server.put(with_photo(answer(game, move + reference, known=known)))
    code, said = typed(of(server.account()), "--yes", "--dry-run")
    assert f"Joana plays: {move}" in said, (code, said)


def test_a_move_in_what_is_forwarded_beside_a_photo_is_asked_about(
    server: Dovecot, typed: Typed, game: Match
) -> None:
    move = game.text(game.legal_moves()[0])
    empty = answer(game, "Look at this!")
    server.put(with_photo(empty, forwards=answer(game, move)))
    code, said = typed(of(server.account()), "--yes")
    assert Path("friday.yaml").read_text("utf-8") == game.record.text
    assert code == REFUSED
    assert f"Joana plays: {move}." in said
    assert "forwarded this; it claims to be from Joana." in said


# -- Moving what was received


def test_what_was_received_is_moved(server: Dovecot, typed: Typed, game: Match) -> None:
    new = play_on(game, 1)
    server.put(OTHER % 1, mail(new), mail(new), answer(game, "draw rainbow"))
    code, said = typed(of(server.account()), "--move-to", "Jogos & fim/Ação")
    assert code == 1, said
    assert "2 messages were moved to Jogos & fim/Ação." in said
    assert len(server.names()) == 2
    with imap.opened(Inbox("", server.account(), "Jogos & fim/Ação")) as source:
        assert len(list(source.envelopes)) == 2


def test_a_dry_run_moves_nothing(server: Dovecot, typed: Typed, game: Match) -> None:
    server.put(mail(play_on(game, 1)))
    code, said = typed(of(server.account()), "--move-to", "Done", "--dry-run")
    assert code == 0, said
    assert len(server.names()) == 1


def test_messages_of_a_maildir_are_moved(porto, tmp_path: Path, game: Match) -> None:
    box = tmp_path / "box"
    for part in ("new", "cur"):
        (box / part).mkdir(parents=True)
    new = mail(play_on(game, 1))
    (box / "new" / "1.a").write_bytes(new)
    (box / "cur" / "2.b:2,S").write_bytes(OTHER % 1)
    done = porto("receive", "box", "--move-to", "done")
    assert done.code == 0, done.err
    assert "One message was moved to done." in done.out
    assert os.listdir("done/cur") == ["1.a"]
    assert Path("done/cur/1.a").read_bytes() == new
    assert os.listdir("box/cur") == ["2.b:2,S"]


def test_a_message_that_is_moved_replaces_none_of_the_same_name(
    porto, tmp_path: Path, game: Match
) -> None:
    for part in ("new", "cur"):
        (tmp_path / "box" / part).mkdir(parents=True)
    for nth in (1, 2):
        (tmp_path / "box" / "new" / "1.a").write_bytes(mail(play_on(game, nth)))
        assert porto("receive", "box", "--move-to", "done").code == 0
    assert sorted(os.listdir("done/cur")) == ["1.a", "1.a-1"]


def test_only_a_mailbox_can_be_cleared(porto, game: Match) -> None:
    done = porto("receive", "friday.yaml", "--move-to", "done")
    assert done.code == USAGE
    assert "an IMAP mailbox or a maildir only" in done.err


# -- What can be wrong


def test_a_wrong_password(server: Dovecot, typed: Typed, game: Match) -> None:
    code, said = typed(of(server.account("wrong guess")))
    assert code == TROUBLE
    assert "localhost does not accept the user name 'ines' with this password" in said
    assert "app password" in said
    assert "wrong guess" not in said


def test_from_cron_what_keeps_an_inbox_from_being_read_is_told_once(
    server: Dovecot, typed: Typed, game: Match, tmp_path: Path
) -> None:
    # The settings stay the same when the command prints another password.
    inbox = of(server.account("wrong guess"))
    nobody = of(server.account("wrong guess")._replace(port=9))
    for each, told in (
        (inbox, "does not accept the user name"),
        (nobody, "port 9"),
        (tmp_path / "gone", "no mailbox"),
        (nobody, "port 9"),
    ):
        code, said = typed(each, "--quiet")
        assert code == TROUBLE
        assert told in said
        assert typed(each, "--quiet") == (TROUBLE, "")
    for options in ([], ["--quiet", "--dry-run"], ["--quiet", "--format", "json"]):
        assert "port 9" in typed(nobody, *options)[1]
    server.account()
    assert typed(inbox, "--quiet") == (0, "")
    assert "port 9" in typed(nobody, "--quiet")[1], "it could be read since then"


def test_nobody_listens_there(server: Dovecot) -> None:
    assert "port 9" in wrong(server.account()._replace(port=9))
    assert "no-such.invalid does not answer" in wrong(
        server.account()._replace(server="no-such.invalid")
    )


def test_a_certificate_that_nobody_vouches_for(
    server: Dovecot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")
    for security, port in (("tls", server.tls_port), (STARTTLS, server.port)):
        said = wrong(server.account()._replace(security=security, port=port))
        assert "localhost has a certificate that is not valid" in said
        assert "the password was not sent" in said


def test_a_certificate_of_somebody_else(server: Dovecot) -> None:
    said = wrong(server.account()._replace(server="127.0.0.1"))
    assert "127.0.0.1 has a certificate that is not valid" in said


def test_ports_that_were_mixed_up(server: Dovecot) -> None:
    account = server.account()
    assert "offers no encryption that works" in wrong(account._replace(port=server.port))
    mixed = account._replace(security=STARTTLS, port=server.tls_port)
    assert "does not answer on port" in wrong(mixed, patience=0.5)


def test_there_is_no_such_folder(server: Dovecot) -> None:
    assert "does not open the folder 'Gmaes'" in wrong(server.account(), "Gmaes")


def test_an_inbox_that_is_not_there(typed: Typed, game: Match) -> None:
    code, said = typed("nowhere")
    assert code == TROUBLE
    assert "Correct 'inbox' in" in said


def test_no_inbox_is_set(porto, typed: Typed, game: Match) -> None:
    Path(os.environ["PORTO_HOME"], "config.yaml").write_text("me: Ana\n")
    done = porto("receive")
    assert done.code == USAGE
    assert "inbox: imaps://imap.example.org" in done.err


# -- Without a server


@pytest.mark.parametrize("kind", ["maildir", "mbox", "empty mbox", "folder"])
def test_an_inbox_on_this_computer(typed: Typed, tmp_path: Path, game: Match, kind: str) -> None:
    new, box = play_on(game, 1), tmp_path / "box"
    if kind == "maildir":
        for part in ("new", "cur"):
            (box / part).mkdir(parents=True)
        (box / "new" / "1.a").write_bytes(mail(new))
    elif kind == "folder":
        box.mkdir()
        (box / "one.eml").write_bytes(mail(new))
    else:
        box.write_bytes(b"From ana@b.c Mon Nov  2\n" + mail(new) if kind == "mbox" else b"")
    code, said = typed(box)
    assert code == 0, said
    expected = game if kind == "empty mbox" else new
    assert Path("friday.yaml").read_text("utf-8") == expected.record.text


# What cron and other programs give to those that they start, if there is nothing.
NOTHING = {
    "an empty pipe": "printf '' | {}",
    "a pipe with empty lines": r"printf '\n \r\n' | {}",
    "an empty file": ": >empty; {} <empty",
    "the null device": "{} </dev/null",
    "nothing at all": "{} <&-",
}


@pytest.mark.parametrize("line", NOTHING.values(), ids=NOTHING)
def test_from_cron_the_inbox_is_read(tmp_path: Path, game: Match, line: str) -> None:
    new = play_on(game, 1)
    for part in ("new", "cur"):
        (tmp_path / "box" / part).mkdir(parents=True)
    (tmp_path / "box/new/1.a").write_bytes(mail(new))
    Path(os.environ["PORTO_HOME"]).mkdir(mode=0o700)
    Path(os.environ["PORTO_HOME"], "config.yaml").write_text(f"mail: {{inbox: {tmp_path}/box}}\n")
    done = shell(line.format("$PORTO receive"), tmp_path)
    assert done.returncode == 0, done.stderr
    assert Path("friday.yaml").read_text("utf-8") == new.record.text


def test_from_cron_a_mailbox_on_a_server_is_read(
    server: Dovecot, tmp_path: Path, game: Match
) -> None:
    new = play_on(game, 1)
    server.put(OTHER % 1, mail(new))
    Path(os.environ["PORTO_HOME"]).mkdir(mode=0o700)
    inbox = of(server.account())
    Path(os.environ["PORTO_HOME"], "config.yaml").write_text(f"mail: {{inbox: {inbox}}}\n")
    done = shell("printf '' | $PORTO receive", tmp_path)
    assert done.returncode == 0, done.stderr
    assert Path("friday.yaml").read_text("utf-8") == new.record.text


def test_from_cron_an_answer_is_played_and_the_game_sent_on(
    server: Dovecot, porto, tmp_path: Path
) -> None:
    pytest.importorskip("aiosmtpd")
    from tests.post import post_office

    game, ahead = (
        porto_cli.new_game(["Bea", "Rui", "Ana"], seed="tram", first="Bea") for _ in range(2)
    )
    game.save("friday.yaml")
    ahead.play("keep 1 2 3", player="Bea")
    home = Path(os.environ["PORTO_HOME"])
    home.mkdir(mode=0o700)
    book = "Bea: {address: bea@example.org, program: false}\nRui: rui@example.org\n"
    (home / "addresses.yaml").write_text(book, "utf-8")
    moves = f"keep 1 2 3\n{ahead.text(ahead.legal_moves()[0])}"
    server.put(OTHER % 1, answer(game, moves, "Bea <bea@example.org>"))
    with post_office(tmp_path / "post") as (office, port):
        (home / "config.yaml").write_text(
            f"me: Ana\nmail:\n  from: ana@example.org\n  server: 127.0.0.1\n  port: {port}\n"
            f"  security: none\n  inbox: {of(server.account())}\n",
            "utf-8",
        )
        line = "printf '' | $PORTO receive --yes --send --quiet"
        for _ in range(2):
            done = shell(line, tmp_path)
            assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    on, told = office.delivered
    assert on["To"] == "Rui <rui@example.org>"
    (record,) = on.iter_attachments()
    assert record.get_payload(decode=True) == Path("friday.yaml").read_bytes()
    assert told["To"] == "Bea <bea@example.org>"
    assert "Rui is next" in " ".join(plain_text(told).split())


@pytest.mark.parametrize("line", NOTHING.values(), ids=NOTHING)
def test_from_cron_without_an_inbox(tmp_path: Path, game: Match, line: str) -> None:
    done = shell(line.format("$PORTO receive"), tmp_path)
    assert done.returncode == USAGE
    assert "inbox: imaps://imap.example.org" in done.stderr


def test_an_inbox_is_not_read_instead_of_an_empty_message(tmp_path: Path, game: Match) -> None:
    Path(os.environ["PORTO_HOME"]).mkdir(mode=0o700)
    for part in ("new", "cur"):
        (tmp_path / "box" / part).mkdir(parents=True)
    (tmp_path / "box/new/1.a").write_bytes(mail(play_on(game, 1)))
    Path(os.environ["PORTO_HOME"], "config.yaml").write_text(f"mail: {{inbox: {tmp_path}/box}}\n")
    done = shell("printf '' | $PORTO receive -", tmp_path)
    assert done.returncode == REFUSED
    assert "No record and no readable move was found in standard input" in done.stderr
    assert Path("friday.yaml").read_text("utf-8") == game.record.text


def test_mail_that_cannot_be_fetched_keeps_nobody_from_playing(
    server: Dovecot, typed: Typed, game: Match, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(of(server.account()._replace(port=9)))
    (problem,) = command.fetch().problems
    assert "does not answer on port 9" in str(problem)
    assert capsys.readouterr().out == "Looking for mail…\n"


def test_a_turn_by_mail_is_one_command(server: Dovecot, porto, tmp_path: Path) -> None:
    """Joana has a mailbox, and a folder for games with nothing in it yet."""
    pytest.importorskip("aiosmtpd")
    from tests.post import post_office

    (tmp_path / "inês").mkdir()
    game = joanas_turn(tmp_path / "inês" / "friday.yaml")
    server.put(OTHER % 1, mail(game, sender="Inês <ines@example.org>"))
    home, games = tmp_path / "home", tmp_path / "games"
    home.mkdir(mode=0o700)
    games.mkdir()
    (home / "addresses.yaml").write_text("Inês: ines@example.org\n", "utf-8")
    with post_office(tmp_path / "post") as (office, port):
        (home / "config.yaml").write_text(
            "me: Joana\nmail:\n  from: joana@example.org\n  server: 127.0.0.1\n"
            f"  port: {port}\n  security: none\n  inbox: {of(server.account())}\n",
            "utf-8",
        )
        answers = [
            ("Looking for mail", ""),
            ("A new game from Inês is saved as friday.yaml", ""),
            ("Joana, what will you do?", ""),
            ("help", "d\r"),
            ("Which cards will you take?", ""),
            ("help", "1\r"),
            ("It is Inês's turn.", ""),
            ("help", "\r"),
            ("Send the game by mail to Inês now?", ""),
            ("help", "y\r"),
            ("Sent to ines@example.org: Porto: Inês is to move", ""),
        ]
        code, _ = dialog([*PORTO.split(), "play"], answers, games, PORTO_HOME=str(home))
        (sent,) = office.delivered
    assert code == 0
    (record,) = sent.iter_attachments()
    assert record.get_payload(decode=True) == (games / "friday.yaml").read_bytes()
    assert not [name for name in server.names() if name.partition(":2,")[2]]
