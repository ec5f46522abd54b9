"""Messages as servers and graphical mail programs build them: signed, encrypted, with pictures."""

from __future__ import annotations

import base64
import quopri
from collections.abc import Callable

import pytest

from porto_cli.mail.inbox import games_in
from porto_cli.mail.incoming import Incoming, read_incoming
from tests.mail.test_receive_forms import PORTO, digest, flowed

HEAD = """\
Received: by mail.example.org (Postfix, from userid 1000)
\tid 4D2C61A2; Sun,  3 May 2026 20:11:00 +0200 (CEST)
DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=example.org;
 s=mail; t=1777831860; h=From:To:Subject:Content-Type:boundary=none;
 bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;
 b=dzdVyOfAKCdLXdJOc9G2q8LoXSlEniSbav+yuU4zGeeruD00lszZ
From: Joana Silva <joana@example.org>
To: ana@example.org
Subject: Re: Porto
Date: Sun, 03 May 2026 20:11:00 +0200
Message-ID: <abc@mail.example.org>
MIME-Version: 1.0
"""
ATTACHED = f"""\
Content-Type: application/octet-stream; x-mac-type="0"; name="friday.yaml"
Content-Disposition: attachment; filename="friday.yaml"
Content-Transfer-Encoding: base64

{base64.encodebytes(PORTO.encode()).decode()}"""
PLAIN = "Content-Type: text/plain; charset=utf-8\n\nYour turn!\n"
HTML = "Content-Type: text/html; charset=utf-8\n\n<p>Your turn!<img src='cid:a'></p>\n"
PICTURE = "Content-Type: image/png; name=a.png\nContent-ID: <a>\n\nxyz\n"
SIGNATURE = (
    "Content-Type: application/pgp-signature; name=signature.asc\n\n"
    "-----BEGIN PGP SIGNATURE-----\n\niQEzBAEBCAAdFiEE\n-----END PGP SIGNATURE-----\n"
)


def several(kind: str, boundary: str, *parts: str, more: str = "") -> str:
    marked = "".join(f"\n--{boundary}\n{part}" for part in parts)
    return (
        f'Content-Type: multipart/{kind};\n\tboundary="{boundary}"{more}\n\n'
        f"This is a multi-part message in MIME format.{marked}\n--{boundary}--\n"
    )


def received(part: str) -> Incoming:
    return read_incoming((HEAD + part).encode().replace(b"\n", b"\r\n"), "a message")


PROGRAMS: dict[str, str] = {
    "Thunderbird": several(
        "mixed", "------------0p9X", PLAIN.replace("utf-8", "UTF-8; format=flowed"), ATTACHED
    ),
    "Thunderbird, HTML and a picture": several(
        "mixed",
        "------------m",
        several("alternative", "------------a", PLAIN, several("related", "-----r", HTML, PICTURE)),
        ATTACHED,
    ),
    "Apple Mail": several(
        "alternative",
        "Apple-Mail=_8E6D",
        PLAIN,
        several("mixed", "Apple-Mail=_44AF", HTML, ATTACHED, HTML),
    ),
    "Apple Mail, attachments in the text": several(
        "mixed", "Apple-Mail=_1", PLAIN, ATTACHED.replace("attachment;", "inline;"), PLAIN
    ),
    "Outlook": several(
        "mixed",
        "_004_DB7P_",
        several("alternative", "_000_DB7P_", PLAIN, HTML),
        ATTACHED.replace("octet-stream", "octet-stream; x-unix-mode=0644"),
        more=";\n\ttype=\"multipart/alternative\"",
    ),
    "a signature": several(
        "signed", "=-=", several("mixed", "=--=", PLAIN, ATTACHED), SIGNATURE,
        more="; micalg=pgp-sha512;\n\tprotocol=\"application/pgp-signature\"",
    ),
    "a signature of S/MIME": several(
        "signed", "sig", several("mixed", "in", PLAIN, ATTACHED),
        "Content-Type: application/pkcs7-signature; name=smime.p7s\n\nMIIC\n",
    ),
    "a signature around the text": several(
        "signed", "s",
        "Content-Type: text/plain; charset=utf-8; format=flowed\n"
        "Content-Transfer-Encoding: quoted-printable\n\n"
        + quopri.encodestring(flowed(f"Hi!\n\n{PORTO}").encode()).decode(),
        SIGNATURE,
    ),
    "a list": several(
        "mixed", "===============1234==", several("mixed", "in", PLAIN, ATTACHED),
        "Content-Type: text/plain; charset=\"us-ascii\"\nContent-Disposition: inline\n\n____\nx\n",
    ),
    "a digest": several("digest", "d", f"\n{HEAD}{several('mixed', 'in', PLAIN, ATTACHED)}"),
    "a message that was returned": several(
        "report", "r", PLAIN,
        "Content-Type: message/delivery-status\n\nReporting-MTA: dns; a\n\nAction: failed\n",
        f"Content-Type: message/rfc822\n\n{HEAD}{several('mixed', 'in', PLAIN, ATTACHED)}",
    ),
    "a name in sections": several(
        "mixed", "n", PLAIN,
        ATTACHED.replace(
            'filename="friday.yaml"', "filename*0*=iso-8859-15''ser%E3o; filename*1=\".yaml\""
        ),
    ),
    "without its last line": several("mixed", "x", PLAIN, ATTACHED).removesuffix("\n--x--\n"),
}  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_record_is_found_in_what_mail_programs_build(program: str) -> None:
    message = received(PROGRAMS[program])
    (game,) = games_in(message).games
    assert game.match.digest == digest(PORTO)
    assert not message.unread
    assert message.sender == ("Joana Silva", "joana@example.org")


@pytest.mark.parametrize("kind", ["text/html", "application/octet-stream; name=page.html"])
def test_much_html_takes_no_record_behind_it_away(kind: str) -> None:
    much = HTML.replace("text/html", kind)
    much = much.replace("Your turn!", "Your turn! " * (2**20 // 11 - 10))
    message = received(several("mixed", "x", much, ATTACHED))
    assert [game.match.digest for game in games_in(message).games] == [digest(PORTO)]


@pytest.mark.parametrize("program", [name for name in PROGRAMS if "Mail" in name or "Out" in name])
def test_what_was_written_is_found_once(program: str) -> None:
    assert received(PROGRAMS[program]).body.split() in (["Your", "turn!"], ["Your", "turn!"] * 2)


def test_the_name_of_an_attachment_in_sections() -> None:
    assert games_in(received(PROGRAMS["a name in sections"])).games[0].name == "serão.yaml"


PGP = "-----BEGIN PGP MESSAGE-----\n\nhQEMA\n=abcd\n-----END PGP MESSAGE-----\n"
UNREAD: dict[str, tuple[str, str]] = {
    "PGP/MIME": (
        several(
            "encrypted", "e", "Content-Type: application/pgp-encrypted\n\nVersion: 1\n",
            f"Content-Type: application/octet-stream; name=encrypted.asc\n\n{PGP}",
        ),
        "is encrypted, an archive, or",
    ),
    "PGP in the text": (f"Content-Type: text/plain\n\n{PGP}", "is encrypted, an archive, or"),
    "S/MIME": (
        "Content-Type: application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m\n\nMIIC\n",
        "is encrypted, an archive, or",
    ),
    "S/MIME, signed": (
        "Content-Type: application/pkcs7-mime; smime-type=signed-data; name=smime.p7m\n\nMIIC\n",
        "smime.p7m is encrypted, an archive, or",
    ),
    "Outlook": (
        several(
            "mixed", "o", PLAIN,
            "Content-Type: application/ms-tnef; name=winmail.dat\n"
            "Content-Transfer-Encoding: base64\n\neJ8+IgAAAAA=\n",
        ),
        "winmail.dat is encrypted, an archive, or",
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", UNREAD)
def test_what_cannot_be_read_is_said(kind: str) -> None:
    part, sentence = UNREAD[kind]
    (result,) = received(part).unread
    assert sentence in str(result)


ENCODED: dict[str, Callable[[str], bytes]] = {
    "in UTF-8, not encoded": lambda name: name.encode(),
    "in Latin-1, not encoded": lambda name: name.encode("latin-1"),
    "in one word": lambda name: f"=?utf-8?b?{base64.b64encode(name.encode()).decode()}?=".encode(),
    "a letter in two words": lambda name: b" ".join(
        b"=?UTF-8?Q?%s?=" % b"".join(b"=%02X" % byte for byte in half)
        for half in (name.encode()[:3], name.encode()[3:])
    ),
    "with a language": lambda name: b"=?iso-8859-1*pt?q?In=EAs?=",
    "in quotes": lambda name: b'"=?iso-8859-1?q?In=EAs?="',
}


@pytest.mark.parametrize("how", ENCODED)
def test_the_name_of_a_sender(how: str) -> None:
    head = b"From: " + ENCODED[how]("Inês") + b" <ines@example.org>\nSubject: a\n\nHello\n"
    assert read_incoming(head, "m").sender == ("Inês", "ines@example.org")


def test_a_long_thread_names_the_message_that_it_answers() -> None:
    """Where nothing else says so, it is the last one of many."""
    ours = "<0123456789ab.0123456789abcdef01234567@porto.invalid>"
    others = "".join(f"\n <{nth:060}@example.org>" for nth in range(100))
    message = read_incoming(f"From: a@b.c\nReferences:{others}\n {ours}\n\nx\n".encode(), "m")
    assert [named.game for named in message.answers] == ["0123456789ab"]


def test_a_line_of_the_text_names_the_message_that_a_click_answers() -> None:
    line = "Game and turn: porto-0123456789ab.0123456789abcdef01234567"
    message = read_incoming(f"From: a@b.c\n\ndraw blue-3\n\n{line}\n".encode(), "m")
    assert [named.game for named in message.answers] == ["0123456789ab"]
    quoted = read_incoming(f"From: a@b.c\n\nHello\n\n> {line}\n".encode(), "m")
    assert not quoted.answers


def test_invisible_characters_hide_no_record_from_who_looks_for_moves() -> None:
    """Else the turns of a record that is known would be taken for an answer in words."""
    text = "".join(f"\u200b{line}" for line in PORTO.splitlines(keepends=True))
    message = received(f"Content-Type: text/plain; charset=utf-8\n\nHi\n{text}")
    assert "\u200b" not in message.body
    assert message.body.startswith("Hi\n# Porto game record")
