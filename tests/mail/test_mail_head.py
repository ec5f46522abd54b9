"""The head of a mail says what it should and nothing else, whatever names and titles look like."""

from __future__ import annotations

import email
import email.header
import email.utils
from email.policy import compat32
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from porto_cli.core import RefusedError
from porto_cli.core.characters import in_one_line
from porto_cli.core.yaml import scalar
from porto_cli.mail import draft
from porto_cli.mail.addresses import Mailbox, NoAddressError, mailbox
from porto_cli.mail.ids import attachment_name, message_ids
from porto_cli.mail.letter import Letter
from porto_cli.mail.mime import decoded_words, read_addresses, read_parameters
from porto_cli.match.match import new_game
from porto_cli.match.replay import Replay
from tests.conftest import run_porto
from tests.fuzz import STEERING

EVIL = "=?utf-8?q?x=0D=0ABcc:=20evil@example.org?="
NASTY = [
    EVIL,
    "=?utf-8?q?x=0D=0A=0D=0AHello?=",
    "=?utf-8?q?x=0A=0AHello?=",
    "=?utf-8?b?eA0KQmNjOiBldmlsQGV4YW1wbGUub3Jn?=",
    "=?utf-8?q?=1B]0;title=07?=",
    "=?utf-16?b?AAoAQgBjAGMAOg==?=",
    "=?utf-7?q?+AAoAQgBjAGM-?=",
    "=?punycode?q?abc-def?= =?x?q?y?=",
    "=?rot13?q?Opp:?=",
    "=?utf-8?q?a?= =?utf-8?q?b?=",
    "=?utf-8?Q?unended",
    "a =? b ?= c",
    'a", <evil@example.org>, "b',
    "(comment) a; b=c: d, e\\",
    "x" * 3000,
    "ł🂡" * 700,
    "a b " * 300,
    "  two  blanks  ",
    "\u202eevil\u2066",
    "日本語のタイトル、とても長い" * 8,
    "",
]
"""Texts that mail programs could take for more than text."""
PIECES = st.sampled_from([*NASTY, "\r\n", "\n", "\r", "\0", "\x1b[2J", "\u2028", "Bcc: a@b.c", "_"])
TEXTS = st.one_of(
    st.text(max_size=200), st.lists(PIECES, max_size=4).map("".join), st.sampled_from(NASTY)
)


def head_of(data: bytes) -> list[tuple[str, str]]:
    """Return the head of a message as the standard library reads it, undecoded."""
    assert data.isascii()
    assert data.count(b"\n") == data.count(b"\r\n") == data.count(b"\r")
    return email.message_from_bytes(data, policy=compat32).items()


def unfolded(raw: str) -> str:
    return raw.replace("\r\n", "")


def text_of(raw: str) -> str:
    """Return what the standard library makes of a header."""
    return str(email.header.make_header(email.header.decode_header(unfolded(raw))))


NAMES = [
    *("From", "To", "Subject", "Date", "Message-ID", "In-Reply-To", "References"),
    *("MIME-Version", "Content-Type"),
]


@cache
def replay() -> Replay:
    return new_game(["Ana", "Bea"], seed="tram").replay


def mail_with(subject: str, sender: str, reader: str, file: str = "game.yaml") -> bytes:
    """A mail from Ana to Bea and Ana, with these words in its head."""
    ana, bea = Mailbox(sender, "ana@example.org"), Mailbox(reader, "bea@example.org")
    game = replay()._replace(record=replay().record._replace(file=file))
    people = {"From": [ana], "To": [bea, ana], "Cc": []}
    return draft.message(Letter(subject, ()), game, people).as_bytes()


@pytest.mark.long
@given(subject=TEXTS, sender=TEXTS, reader=TEXTS)
@example(subject=EVIL, sender=EVIL, reader=EVIL)
def test_any_text_is_read_back_as_it_was_meant(subject: str, sender: str, reader: str) -> None:
    data = mail_with(subject, sender, reader)
    found = head_of(data)
    assert sorted(name for name, _ in found) == sorted(NAMES)
    head = dict(found)
    assert max(map(len, data.split(b"\r\n"))) <= 78
    assert head["References"] == head["In-Reply-To"] == message_ids(replay())[0]
    assert head["Message-ID"].startswith(message_ids(replay())[-1].partition("@")[0])
    assert decoded_words(unfolded(head["Subject"])) == in_one_line(subject)
    assert read_addresses(unfolded(head["To"])) == [
        (in_one_line(reader), "bea@example.org"),
        (in_one_line(sender), "ana@example.org"),
    ]
    # Others read it so as well; blanks at the ends and in rows are theirs to keep or not.
    assert text_of(head["Subject"]).split() == in_one_line(subject).split()
    people = email.utils.getaddresses([unfolded(head["To"])])
    assert [address for _, address in people] == ["bea@example.org", "ana@example.org"]
    assert text_of(people[0][0]).split() == in_one_line(reader).split()


@pytest.mark.long
@given(name=TEXTS.filter(lambda text: "porto.yaml" not in text))
@example(name=EVIL)
@example(name="ł🂡" * 40)
def test_any_file_is_attached_by_its_name(name: str) -> None:
    """As far as any system can save it."""
    wanted = attachment_name(replay().record._replace(file=f"{name}.yaml"))
    data = mail_with("Hello", "Ana", "Bea", f"{name}.yaml")
    part = email.message_from_bytes(data, policy=compat32).get_payload()[1]
    assert part.get_filename() == wanted
    assert read_parameters(unfolded(part["Content-Disposition"]))[1] == {"filename": wanted}
    kinds = ["Content-Type", "Content-Disposition", "Content-Transfer-Encoding", "MIME-Version"]
    assert sorted(part.keys()) == sorted(kinds)


def test_a_head_that_says_anything_else_does_not_leave(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever may be wrong with how it is written."""
    written = draft._line

    def line(name: str, value: Any) -> str:
        return (
            f"Subject: {value}\r\n".replace("|", "\r\n")
            if name == "Subject"
            else written(name, value)
        )

    monkeypatch.setattr(draft, "_line", line)
    with pytest.raises(RefusedError, match="could not be written safely"):
        mail_with("Hello|Bcc: evil@example.org", "Ana", "Bea")
    with pytest.raises(RefusedError, match=r"could not be written safely \(Subject\)"):
        mail_with("=?utf-8?q?Hello?=", "Ana", "Bea")
    assert mail_with("Hello", "Ana", "Bea")


@pytest.mark.parametrize("local", ["=?utf-8?q?x=0D=0ABcc?=", "a=?b"])
def test_an_address_is_never_an_encoded_word(local: str) -> None:
    with pytest.raises(NoAddressError):
        mailbox(f"{local}@example.org")


# -- The commands


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("PORTO_HOME", str(home))
    monkeypatch.chdir(tmp_path)
    return home


ALLOWED = st.text(
    st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=30
)
TITLES = st.one_of(st.sampled_from(NASTY[:15]), ALLOWED)
EVIL_NAME = "=?utf-8?q?x=0D=0ABcc:_a@b.c?="
PLAYERS = st.one_of(st.sampled_from([EVIL_NAME, NASTY[4], 'Jo", <evil@example.org>']), ALLOWED)


@pytest.mark.long
@settings(max_examples=10)
@given(title=TITLES, player=PLAYERS, sender=PLAYERS, file=st.sampled_from([EVIL, "a b", "é=?"]))
@example(title=EVIL, player=EVIL_NAME, sender=EVIL, file=EVIL)
@example(title=NASTY[1], player=NASTY[4], sender=NASTY[1], file="a")
@example(title=NASTY[4], player="Zé", sender="Ana", file="a")
def test_no_command_writes_another_head(
    home: Path, title: str, player: str, sender: str, file: str
) -> None:
    """Titles, players, files, addresses and settings of others are text, on every way out."""
    try:
        match = new_game(["Ana", player], seed="tram", first="Ana", title=title)
    except ValueError:
        return  # No record has such a name.
    match.play("keep 1 2 3", player="Ana")
    match.play(match.legal_moves()[0])
    path = home.parent / "".join(each if each not in '/\\:?*"<>|' else "-" for each in file)
    path = path.with_name(f"{path.name}.yaml")
    match.save(path)
    if '"' in sender or "<" in sender or ">" in sender or "\\" in sender:
        sender = "Ana"
    (home / "config.yaml").write_text(
        f"mail:\n  from: {scalar(f'{sender} <ana@example.org>')}\n", "utf-8"
    )
    (home / "addresses.yaml").write_text(f"{scalar(player)}: bea@example.org\n", "utf-8")
    printed = run_porto("mail", path.name, "--to", player, "--format", "eml")
    assert printed.code == 0, printed.err
    saved = home.parent / "turn.eml"
    saved.unlink(missing_ok=True)
    assert run_porto("mail", path.name, "--to", player, "-o", saved).code == 0
    for data, names in [
        (printed.out.encode(), NAMES),
        (saved.read_bytes(), [*NAMES, "X-Unsent"]),
    ]:
        found = head_of(data)
        assert sorted(name for name, _ in found) == sorted(names)
        head = dict(found)
        assert title[:20].strip() in decoded_words(unfolded(head["Subject"]))
        assert read_addresses(unfolded(head["To"])) == [(match.players[1], "bea@example.org")]
        assert read_addresses(unfolded(head["From"])) == [(sender.strip(), "ana@example.org")]
    for words in (["--format", "text"], ["--dry-run"]):
        shown = run_porto("mail", path.name, "--to", player, *words)
        assert shown.code == 0, shown.err
        assert not STEERING.search(shown.out + shown.err)
        lines = shown.out.split("\n")
        assert not [line for line in lines if line.startswith("Bcc")]
        (subject,) = [line for line in lines if line.startswith("Subject: ")]
        assert title[:20].strip() in subject
    path.unlink()
