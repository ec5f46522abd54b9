"""A record is found in a message that has it as it is, or quoted; it is never made another one."""

from __future__ import annotations

import base64
import quopri
import textwrap
from collections.abc import Callable
from email import policy
from email.message import EmailMessage
from functools import cache
from html import escape
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import porto_cli
from porto_cli.mail.inbox import Contents, games_in, pieces
from porto_cli.mail.incoming import read_incoming
from porto_cli.match.match import Match
from tests.shares import one_in

RECORDS = sorted((Path(__file__).parents[2] / "records").glob("*/*.yaml"))


def begun(path: Path, turns: int) -> str:
    """Return the beginning of a finished game."""
    text = path.read_text("utf-8")
    if "# the end" in text:
        raise AssertionError
    lines = text.splitlines()
    start = lines.index("turns:") + 1
    ends = [nth for nth in range(start, len(lines)) if lines[nth].startswith("- ")]
    return "\n".join(lines[: ends[min(turns, len(ends) - 2)]]) + "\n"


BEGUN = {f"{path.parent.name}/{path.name}": begun(path, 14) for path in RECORDS}
PORTO = BEGUN["porto/three-players.yaml"]
PUERTO_RICO = BEGUN["puerto-rico/five-players-random.yaml"]
BOTH = pytest.mark.parametrize("text", [PORTO, PUERTO_RICO], ids=["porto", "puerto-rico"])


def named(case: tuple[str | None, ...]) -> str:
    """Return the name of one of many combinations."""
    return ", ".join(str(part) for part in case)


@cache
def digest(text: str) -> str:
    return porto_cli.loads(text).digest


def found(data: bytes, name: str = "") -> Contents:
    return games_in(read_incoming(data, "a message", name))


def the_game(data: bytes, name: str = "") -> Match:
    contents = found(data, name)
    assert not contents.error, contents.error
    (one,) = contents.games
    return one.match


HEAD = """\
From: Joana Silva <joana@example.org>
To: ana@example.org
Subject: Re: Porto
Date: Sun, 03 May 2026 20:11:00 +0200
Message-ID: <abc@mail.example.org>
MIME-Version: 1.0
"""


def with_head(kind: str, body: str | bytes, more: str = "") -> bytes:
    """Return a message of one part; the body is as it goes over the wire."""
    data = body.encode() if isinstance(body, str) else body
    return f"{HEAD}Content-Type: {kind}\n{more}\n".encode() + data


def crlf(text: str | bytes) -> bytes:
    data = text.encode() if isinstance(text, str) else text
    return data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


def attached(text: str | bytes, kind: str, name: str | None, how: str = "base64") -> bytes:
    data = text.encode() if isinstance(text, str) else text
    coded = {
        "base64": base64.encodebytes,
        "quoted-printable": lambda data: quopri.encodestring(data),
        "8bit": bytes,
    }[how](data)
    file = f'; filename="{name}"' if name else ""
    return (
        (
            f"{HEAD}Content-Type: multipart/mixed; boundary=XX\n\nmultipart\n--XX\n"
            "Content-Type: text/plain; charset=utf-8\n\nHere you are!\n\n-- \nJoana\n--XX\n"
            f"Content-Type: {kind}\nContent-Transfer-Encoding: {how}\n"
            f"Content-Disposition: attachment{file}\n\n"
        ).encode()
        + coded
        + b"\n--XX--\n"
    )


# -- Attached


ATTACHED = product(
    ("porto/three-players.yaml", "puerto-rico/five-players-random.yaml"),
    ("base64", "quoted-printable", "8bit"),
    (
        "application/octet-stream",
        "application/yaml",
        "text/plain; charset=us-ascii",
        "text/plain; charset=iso-8859-1",
        "text/x-yaml; charset=utf-8",
        "application/x-yaml; name*=utf-8''fr%C3%A9d%20eric.yaml",
        "nonsense",
        "text/plain; charset=no-such-charset",
        "application/pdf",
    ),
    ("friday.yaml", "friday(1).yaml", "friday.yaml.txt", "friday", None),
)


@pytest.mark.parametrize("case", one_in(7, ATTACHED), ids=named)
def test_attached_as_whatever(case: tuple[str, str, str, str | None]) -> None:
    path, how, kind, name = case
    game = the_game(attached(BEGUN[path], kind, name, how))
    assert game.digest == digest(BEGUN[path])
    assert game.record.text == BEGUN[path]


ENCODED: dict[str, Callable[[str], bytes]] = {
    "mark": lambda text: b"\xef\xbb\xbf" + text.encode(),
    "utf-16": lambda text: text.encode("utf-16"),
    "utf-16-be": lambda text: b"\xfe\xff" + text.encode("utf-16-be"),
    "twice": lambda text: text.encode().decode("latin-1").encode(),
    "crlf": crlf,
    "mark and crlf": lambda text: crlf(b"\xef\xbb\xbf" + text.encode()),
    "cr": lambda text: text.replace("\n", "\r").encode(),
}


@pytest.mark.parametrize("case", one_in(3, product(BEGUN, ENCODED)), ids=named)
def test_attached_in_another_encoding(case: tuple[str, str]) -> None:
    text = BEGUN[case[0]]
    data = ENCODED[case[1]](text)
    assert the_game(attached(data, "application/octet-stream", "g.yaml")).digest == digest(text)
    assert the_game(data, "g.yaml").digest == digest(text), "saved as a file"


def test_several_attachments_are_several_games_and_pictures_are_left_alone() -> None:
    message = EmailMessage()
    message["From"] = "joana@example.org"
    message.set_content("two games")
    message.add_attachment(b"\x89PNG porto: 1\n", "image", "png", filename="a.png")
    message.add_attachment(PORTO.encode(), "text", "plain", filename="a.yaml")
    message.add_attachment(b"\0\1\2porto: 1", "application", "octet-stream", filename="b.bin")
    message.add_attachment(PUERTO_RICO.encode(), "text", "plain", filename="c.yaml")
    games = found(message.as_bytes()).games
    assert [game.name for game in games] == ["a.yaml", "c.yaml"]


def test_of_several_versions_of_a_game_the_one_that_goes_furthest_counts() -> None:
    path = RECORDS[[path.name for path in RECORDS].index("three-players.yaml")]
    message = EmailMessage()
    message.set_content("\n".join(f"> {line}" for line in begun(path, 5).splitlines()))
    message["Subject"] = "x"
    message.add_attachment(begun(path, 3).encode(), "text", "plain", filename="b.yaml")
    message.add_attachment(PORTO.encode(), "text", "plain", filename="a.yaml")
    message.add_attachment(begun(path, 4).encode(), "text", "plain", filename="c.yaml")
    assert the_game(message.as_bytes()).digest == digest(PORTO)


@BOTH
def test_a_forwarded_message(text: str) -> None:
    inner = EmailMessage()
    inner["Subject"] = "friday"
    inner["From"] = "rui@example.org"
    inner.set_content("as you wanted")
    inner.add_attachment(text.encode(), "application", "octet-stream", filename="friday.yaml")
    outer = EmailMessage()
    outer["From"] = "joana@example.org"
    outer.set_content("Look what Rui wrote.")
    outer.add_attachment(inner)
    assert the_game(outer.as_bytes()).digest == digest(text)


def test_an_archive_is_not_opened_and_it_is_said() -> None:
    message = read_incoming(attached(b"PK\x03\x04 porto: 1", "application/zip", "g.zip"), "m")
    assert "not opened" in str(message.unread[0])
    winmail = read_incoming(attached(b"\x78\x9f\x3e\x22", "application/ms-tnef", "w.dat"), "m")
    assert "Outlook" in str(winmail.unread[0])


# -- In the text, as programs write it


def flowed(text: str, *, delete: bool = False, width: int = 66) -> str:
    """Return a text as Thunderbird and Apple Mail send it (RFC 3676)."""
    lines = []
    for line in text.splitlines():
        if line == "-- ":
            lines.append(line)
            continue
        pieces = [line.rstrip()]
        while len(pieces[-1]) > width and " " in pieces[-1].lstrip(" ")[:width]:
            cut = pieces[-1].rindex(" ", 0, width)
            pieces[-1:] = [pieces[-1][: cut + 1] + (" " if delete else ""), pieces[-1][cut + 1 :]]
        for piece in pieces:
            stuffed = piece.startswith((" ", ">", "From "))
            lines.append(f" {piece}" if stuffed else piece)
    return "\n".join(lines) + "\n"


def wrapped(text: str, width: int) -> str:
    """Return a text with hard line ends, as webmail sends plain text."""
    lines: list[str] = []
    for line in text.splitlines():
        lines += textwrap.wrap(
            line, width, break_long_words=False, break_on_hyphens=False, drop_whitespace=True
        ) or [""]
    return "\n".join(lines) + "\n"


def quoted(text: str, mark: str = "> ") -> str:
    return "".join(f"{mark}{line}".rstrip() + "\n" for line in text.splitlines())


SIGNED = "\n-- \nJoana Silva\nTel: 123\nporto-fan: yes\n"
BEFORE = "Hi Ana,\n\nhere is the game:\n\n"
LETTERS: dict[str, Callable[[str], bytes]] = {
    "thunderbird": lambda text: with_head(
        "text/plain; charset=UTF-8; format=flowed",
        quopri.encodestring(flowed(BEFORE + text + SIGNED).encode()),
        "Content-Transfer-Encoding: quoted-printable\n",
    ),
    "apple mail": lambda text: with_head(
        "text/plain; charset=utf-8; format=flowed; delsp=yes",
        flowed(BEFORE + text + SIGNED, delete=True),
        "Content-Transfer-Encoding: 8bit\n",
    ),
    "mutt": lambda text: with_head("text/plain; charset=utf-8", BEFORE + text + SIGNED),
    "quoted": lambda text: with_head(
        "text/plain; charset=utf-8",
        "Done!\n\nOn Sun, May 3, 2026 at 8:11 PM Ana <ana@example.org> wrote:\n\n" + quoted(text),
    ),
    "quoted twice": lambda text: with_head(
        "text/plain; charset=utf-8",
        "Am 3.5.2026 um 20:11 schrieb Ana:\n" + quoted("Hallo\n" + quoted(text) + "> -- \n> A"),
    ),
    "quoted tightly": lambda text: with_head(
        "text/plain; charset=utf-8", quoted(quoted(text, ">"), ">")
    ),
    "indented": lambda text: with_head(
        "text/plain; charset=utf-8", BEFORE + textwrap.indent(text, "    ") + "\nJoana\n"
    ),
    "outlook, plain": lambda text: with_head(
        "text/plain; charset=utf-8",
        crlf(
            "Done.\n\n-----Original Message-----\nFrom: Ana <ana@example.org>\n"
            "Sent: Sunday, May 3, 2026\nTo: Joana\nSubject: Porto\n\n" + text.replace("  ", "\xa0 ")
        ),
    ),
    "pre": lambda text: with_head(
        "text/html; charset=utf-8",
        f"<html><body><p>Hi</p><pre>{escape(text)}</pre><p>Joana</p></body></html>",
    ),
    "gmail": lambda text: with_head(
        "text/html; charset=utf-8",
        '<div dir="ltr">Hi Ana<br><br>'
        + "".join(
            f"<div>{escape(line).replace('  ', '&nbsp; ') or '<br>'}</div>"
            for line in text.splitlines()
        )
        + '<br clear="all"><div class="gmail_signature">-- <br>Joana</div></div>',
    ),
    "outlook": lambda text: with_head(
        'text/html; charset="utf-8"',
        quopri.encodestring(
            (
                "<html><head><style>p.MsoNormal {margin:0cm}</style></head><body lang=DE>"
                "<div class=WordSection1>"
                + "".join(
                    f"<p class=MsoNormal>{escape(line).replace('  ', '&nbsp; ')}<o:p></o:p></p>\n"
                    for line in text.splitlines()
                )
                + "</div></body></html>"
            ).encode()
        ),
        "Content-Transfer-Encoding: quoted-printable\n",
    ),
    "gmail, quoted": lambda text: with_head(
        "text/html; charset=utf-8",
        '<div dir="ltr">Done</div><br><div class="gmail_quote"><div dir="ltr">On Sun wrote:<br>'
        '</div><blockquote class="gmail_quote">'
        + "<br>".join(escape(line).replace("  ", "\xa0 ") for line in text.splitlines())
        + "</blockquote></div>",
    ),
    "apple mail, rich": lambda text: with_head(
        "text/html; charset=utf-8",
        '<html><body style="overflow-wrap: break-word;">'
        + "".join(
            '<div><span style="white-space: pre-wrap">' + escape(line) + "</span></div>"
            for line in text.splitlines()
        )
        + "</body></html>",
    ),
    "invisible characters": lambda text: with_head(
        "text/plain; charset=utf-8",
        "\ufeff" + "\n".join("\u200b" + line for line in text.splitlines()),
    ),
    "as file": lambda text: text.encode(),
    "pasted": lambda text: (BEFORE + quoted(text) + "\nJoana").encode(),
    "page": lambda text: f"<!DOCTYPE html><html><pre>{escape(text)}</pre></html>".encode(),
    "procmail": lambda text: (
        b"From joana@example.org Sun May  3 20:11:00 2026\n"
        + with_head("text/plain; charset=utf-8", BEFORE + text)
    ),
}
CHANGED: dict[str, Callable[[str], bytes]] = {
    "gmx": lambda text: with_head(
        "text/plain; charset=utf-8", wrapped(f"{BEFORE}{text}\n\nViele Grüße\nJoana\n", 60)
    ),
    "quoted and broken": lambda text: with_head(
        "text/plain; charset=utf-8", "Ana schrieb:\n" + broken(quoted(text), 70)
    ),
    "outlook, lists": lambda text: with_head(
        "text/plain; charset=utf-8",
        "\n".join(
            f"•       {line[2:]}" if line.startswith("- ") else line.strip()
            for line in text.splitlines()
        ),
    ),
    "blanks lost": lambda text: with_head(
        "text/html; charset=utf-8",
        "<div>" + "<br>\n".join(escape(line) for line in text.splitlines()) + "</div>",
    ),
}
"""Letters in which the lines of a record are not what they were."""


def broken(text: str, width: int) -> str:
    """Return quoted lines with hard ends whose rest stands there without a mark."""
    lines: list[str] = []
    for line in text.splitlines():
        while len(line) > width and " " in line[20:width]:
            cut = line.rindex(" ", 0, width)
            lines.append(line[:cut])
            line = line[cut + 1 :]
        lines.append(line)
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("case", one_in(5, product(BEGUN, LETTERS)), ids=named)
def test_in_the_text_of_a_message(case: tuple[str, str]) -> None:
    text, program = BEGUN[case[0]], LETTERS[case[1]]
    assert the_game(program(text)).digest == digest(text)


@pytest.mark.parametrize("case", one_in(5, product(BEGUN, CHANGED)), ids=named)
def test_lines_that_were_changed_are_asked_for_as_an_attachment(case: tuple[str, str]) -> None:
    """Unless nothing that matters was changed in them."""
    text, program = BEGUN[case[0]], CHANGED[case[1]]
    contents = found(program(text))
    assert [game.match.digest for game in contents.games] in ([], [digest(text)])
    assert bool(contents.games) != bool(contents.error)


@pytest.mark.long
@pytest.mark.parametrize("mark", ["", "> "])
@pytest.mark.parametrize("path", one_in(5, BEGUN), ids=str)
def test_a_line_that_was_broken_never_makes_another_game(path: str, mark: str) -> None:
    """Neither the last one, whose rest could be taken for a signature."""
    *lines, last = BEGUN[path].splitlines()
    last = last.partition("  #")[0]
    whole = digest("\n".join([*lines, last]) + "\n")
    for nth in (place for place, sign in enumerate(last) if sign == " "):
        broken_off = [f"{mark}{last[:nth]}", last[nth + 1 :]]
        text = "\n".join([*(f"{mark}{line}" for line in lines), *broken_off])
        games = found(with_head("text/plain; charset=utf-8", f"{BEFORE}{text}\n\nJoana\n")).games
        assert [game.match.digest for game in games] in ([], [whole])


@pytest.mark.parametrize("program", ["thunderbird", "mutt", "pre", "quoted", "apple mail"])
def test_what_people_wrote_into_a_record_comes_through(program: str) -> None:
    text = PORTO.replace("turns:\n", "turns:\n# our third game\n")
    assert the_game(LETTERS[program](text)).record.text == text


@pytest.mark.long
@given(st.data())
def test_a_record_survives_any_two_manglings(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from([PORTO, PUERTO_RICO]))
    mangle: dict[str, Callable[[str], str]] = {
        "quoted": quoted,
        "tight": lambda text: quoted(text, ">"),
        "indented": lambda text: textwrap.indent(text, "  "),
        "nbsp": lambda text: text.replace("  ", " \xa0"),
        "crlf": lambda text: text.replace("\n", "\r\n"),
        "mark": lambda text: "\ufeff" + text,
        "trailing blanks": lambda text: "".join(f"{line}  \n" for line in text.splitlines()),
        "before": lambda text: f"Hello!\n\n{text}",
        "behind": lambda text: f"{text}\n\nSee you\n-- \nJoana\n",
        "empty lines": lambda text: text.replace("\n- ", "\n\n- "),
    }
    steps = data.draw(st.lists(st.sampled_from(sorted(mangle)), max_size=2, unique=True))
    mangled = text
    for step in steps:
        mangled = mangle[step](mangled)
    message = EmailMessage(policy=policy.SMTP)
    message["From"] = "joana@example.org"
    how = data.draw(st.sampled_from(["base64", "quoted-printable", "8bit", "none"]))
    if how == "none":
        assert the_game(mangled.encode()).digest == digest(text)
        return
    message.set_content(mangled, cte=how)
    assert the_game(message.as_bytes()).digest == digest(text)


# -- What is no record, or not all of it


def test_a_turn_that_got_lost_is_never_overlooked() -> None:
    """Whatever line or word is missing: the record is refused, or it says that it goes on."""
    lines = PORTO.splitlines()
    start = lines.index("turns:") + 1
    for nth in range(start, len(lines) - 1):
        torn = [*lines[:nth], *lines[nth + 1 :]]
        contents = found("\n".join(torn).encode())
        assert not contents.games or contents.games[0].match.digest == digest(PORTO), lines[nth]


def test_words_between_the_turns_do_not_hide_the_turns_behind_them() -> None:
    lines = PORTO.splitlines()
    nth = next(nth for nth in range(len(lines) - 4, 0, -1) if lines[nth].startswith("- "))
    lines[nth:nth] = ["", "here I was lucky!", ""]
    contents = found("\n".join(lines).encode())
    assert not contents.games
    assert contents.error
    assert "between the turns" in str(contents.error)


def test_a_message_without_a_record() -> None:
    assert found(with_head("text/plain", "see you on friday in porto: 1 p.m.\n")) == Contents()
    assert found(b"") == Contents()
    assert found(b"\0\1\2") == Contents()


def test_a_pasted_record_that_was_wrapped_is_asked_for_as_an_attachment(porto) -> None:
    done = porto("receive", stdin=CHANGED["gmx"](PORTO))
    assert done.code == 3
    assert "Mail programs wrap and change text: ask for the record as an attachment" in done.err


def test_a_record_that_is_not_valid_says_where() -> None:
    broken_record = PORTO.replace("seed: ", "seed: x")
    error = found(attached(broken_record, "text/plain", "friday.yaml")).error
    assert error
    assert error.place.file == "friday.yaml"
    assert error.place.line > 5


# -- The part of the program at the end of a record


def as_sealed(text: str) -> str:
    """Return a record with a machine part of the form that sealed and signed games have."""
    data = '{"format":1,"game":"porto","nonce":"' + "0123456789abcdef" * 20 + '"}'
    lines = "\n".join(f"  {data[nth : nth + 74]}" for nth in range(0, len(data), 74))
    return f"{text}seals: |\n  # This part is for porto.\n{lines}\n"


@pytest.mark.parametrize("program", sorted(LETTERS.keys() - {"as file"}))
def test_the_machine_part_comes_along(program: str) -> None:
    """Blanks and line breaks in it mean nothing; no other character may be lost."""
    text = as_sealed(PORTO)

    def essence(some: str) -> str:
        return "".join(some.partition("seals: |")[2].split())

    message = read_incoming(LETTERS[program](text), "m")
    texts = [
        reading
        for part in message.parts
        for piece in pieces(part.text)
        for reading, _ in piece.readings()
        if "seals: |" in reading
    ]
    assert essence(text) in map(essence, texts)
    good = [some for some in texts if essence(some) == essence(text)]
    assert any(
        all(line.startswith("  ") for line in some.partition("seals: |\n")[2].splitlines() if line)
        for some in good
    )


def test_a_mail_that_was_forwarded_without_its_record_is_explained(porto, tmp_path: Path) -> None:
    head = "From: Ana <ana@example.org>\nSubject: Fwd: Porto: Rui is to move, turn 13 [1079bb9a]\n"
    (tmp_path / "f.eml").write_text(f"{head}\nFYI\n\n> Rui, it is your turn.\n", "utf-8")
    done = porto("receive", "f.eml")
    assert done.code == 1
    assert "the message from Ana is about the game [1079bb9a], but has neither" in done.err
