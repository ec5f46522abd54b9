"""How mail programs quote what is answered, and how people write a move above it.

Each style is answered at positions of both games, by a friend who has no program or one. What comes
of it is right or asked about; never another move, and never a refusal.
"""

from __future__ import annotations

import base64
import json
import quopri
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from functools import cache
from html import escape
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.mails import PLAYED, html_of, message_of, one_letter, plain_text
from tests.tables import _whole, text_at

pytestmark = pytest.mark.usefixtures(one_letter.__name__)

FRIEND, HOST = "friend@example.org", "host@example.org"
FILE = "g.yaml"


class Sent(NamedTuple):
    """A mail that is answered."""

    player: str
    host: str
    subject: str
    id: str
    text: str
    html: str


class Answer(NamedTuple):
    """What a mail program sends: the type of its content, its bytes, and other fields."""

    content: bytes
    kind: str = "text/plain; charset=utf-8"
    coding: str = "8bit"
    fields: tuple[tuple[str, str], ...] = ()
    answers: bool = True


Style = Callable[[str, Sent], Answer]


def plain(text: str) -> Answer:
    return Answer(text.encode())


def page(html: str) -> Answer:
    return Answer(html.encode(), "text/html; charset=utf-8")


def marked(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())


# -- What stands above the quotation


ATTRIBUTIONS = {
    "Gmail en": "On Wed, Nov 25, 2026 at 3:45 PM {host} <host@example.org> wrote:",
    "Gmail de": "Am Mi., 25. Nov. 2026 um 15:45 Uhr schrieb {host} <host@example.org>:",
    "Gmail fr": "Le mer. 25 nov. 2026 \xe0 15:45, {host} <host@example.org> a \xe9crit :",
    "Gmail es": "El mi\xe9, 25 nov 2026 a las 15:45, {host} (<host@example.org>) escribi\xf3:",
    "Gmail pt": "{host} <host@example.org> escreveu (quarta, 25/11/2026 \xe0(s) 15:45):",
    "Gmail it": "Il giorno mer 25 nov 2026 alle ore 15:45 {host} <host@example.org> ha scritto:",
    "Gmail nl": "Op wo 25 nov 2026 om 15:45 schreef {host} <host@example.org>:",
    "Gmail ko": "2026\ub144 11\uc6d4 25\uc77c (\uc218) \uc624\ud6c4 3:45, {host} "
    "<host@example.org>\ub2d8\uc774 \uc791\uc131:",
    "Gmail ja": "2026\u5e7411\u670825\u65e5(\u6c34) 15:45 {host} <host@example.org>:",
    "Gmail zh": "{host} <host@example.org> \u4e8e2026\u5e7411\u670825\u65e5\u5468\u4e09 15:45"
    "\u5199\u9053\uff1a",
    "Gmail, broken": "On Wed, Nov 25, 2026 at 3:45\u202fPM {host}\n<host@example.org> wrote:\n",
    "Apple en": "> On 25 Nov 2026, at 15:45, {host} <host@example.org> wrote:",
    "Thunderbird en": "On 11/25/26 15:45, {host} wrote:",
    "Thunderbird de": "Am 25.11.2026 um 15:45 schrieb {host}:",
    "Thunderbird ko": "2026-11-25 \uc624\ud6c4 3:45\uc5d0 {host} \uc774(\uac00) \uc4f4 \uae00:",
    "Thunderbird pl": "W dniu 25.11.2026 o 15:45, {host} pisze:",
    "Yahoo de": "Am Mittwoch, 25. November 2026 um 15:45:00 MEZ hat {host} <host@example.org> "
    "Folgendes geschrieben:\n",
    "Yahoo en": "On Wednesday, November 25, 2026 at 03:45:00 PM GMT+1, {host} "
    "<host@example.org> wrote:",
    "K-9": "Am 25. November 2026 15:45:00 MEZ schrieb {host} <host@example.org>:",
    "Proton": "On Wednesday, November 25th, 2026 at 3:45 PM, {host} <host@example.org> wrote:",
}
"""Lines of mail programs that mark what they quote, or indent it."""

HEADS = {
    "en": "From|Sent|To|Subject",
    "de": "Von|Gesendet|An|Betreff",
    "fr": "De |Envoy\xe9 |\xc0 |Objet ",
    "es": "De|Enviado el|Para|Asunto",
    "pt-PT": "De|Enviado|Para|Assunto",
    "pt-BR": "De|Enviada em|Para|Assunto",
    "it": "Da|Inviato|A|Oggetto",
    "nl": "Van|Verzonden|Aan|Onderwerp",
    "pl": "Od|Wys\u0142ano|Do|Temat",
    "cs": "Od|Odesl\xe1no|Komu|P\u0159edm\u011bt",
    "hu": "Felad\xf3|Elk\xfcldve|C\xedmzett|T\xe1rgy",
    "sv": "Fr\xe5n|Skickat|Till|\xc4mne",
    "da": "Fra|Sendt|Til|Emne",
    "no": "Fra|Sendt|Til|Emne",
    "fi": "L\xe4hett\xe4j\xe4|L\xe4hetetty|Vastaanottaja|Aihe",
    "tr": "Kimden|G\xf6nderildi|Kime|Konu",
    "el": "\u0391\u03c0\u03cc|\u03a3\u03c4\u03ac\u03bb\u03b8\u03b7\u03ba\u03b5|"
    "\u03a0\u03c1\u03bf\u03c2|\u0398\u03ad\u03bc\u03b1",
    "ru": "\u041e\u0442|\u041e\u0442\u043f\u0440\u0430\u0432\u043b\u0435\u043d\u043e|"
    "\u041a\u043e\u043c\u0443|\u0422\u0435\u043c\u0430",
    "ja": "\u5dee\u51fa\u4eba|\u9001\u4fe1\u65e5\u6642|\u5b9b\u5148|\u4ef6\u540d",
    "ko": "\ubcf4\ub0b8 \uc0ac\ub78c|"
    "\ubcf4\ub0b8 \ub0a0\uc9dc|\ubc1b\ub294 \uc0ac\ub78c|\uc81c\ubaa9",
    "zh": "\u53d1\u4ef6\u4eba|\u53d1\u9001\u65f6\u95f4|\u6536\u4ef6\u4eba|\u4e3b\u9898",
}
"""The names in the head with which Outlook begins what it quotes without a mark."""


def head(names: str, sent: Sent, *, addresses: bool = False) -> str:
    mailbox = "{} <{}>" if addresses else "{}"
    values = (
        mailbox.format(sent.host, HOST),
        "25.11.2026 15:45",
        mailbox.format(sent.player, FRIEND),
        sent.subject,
    )
    return "\n".join(
        f"{name}: {value}" for name, value in zip(names.split("|"), values, strict=True)
    )


def below_attribution(line: str) -> Style:
    return lambda move, sent: plain(
        f"{move}\n\n{line.format(host=sent.host)}\n{marked(sent.text)}\n"
    )


def below_head(names: str, rule: str = "", *, addresses: bool = False) -> Style:
    def style(move: str, sent: Sent) -> Answer:
        above = f"{rule}\n" if rule else ""
        return plain(f"{move}\n\n{above}{head(names, sent, addresses=addresses)}\n\n{sent.text}")

    return style


def outlook_page(names: str) -> Style:
    def style(move: str, sent: Sent) -> Answer:
        lines = escape(head(names, sent)).replace("\n", "<br>")
        said = "".join(
            f"<p class=MsoNormal>{escape(line)}<o:p></o:p></p>" for line in move.split("\n")
        )
        return page(
            f"<html><body>{said}<div><div style='border:none'><p class=MsoNormal>{lines}</p></div>"
            f"</div>{sent.html}</body></html>"
        )

    return style


def of_html(quotation: str) -> Style:
    def style(move: str, sent: Sent) -> Answer:
        lines = "".join(f"<div>{escape(line)}</div>" for line in move.split("\n"))
        return page(lines + quotation.format(host=sent.host, html=sent.html))

    return style


def above(text: str, *, below: str = "") -> Style:
    """A move with other words, above a quotation with marks."""

    def style(move: str, sent: Sent) -> Answer:
        line = f"On 11/25/26 15:45, {sent.host} wrote:"
        said = text.format(move=move, name=sent.player, host=sent.host)
        return plain(f"{said}\n\n{line}\n{marked(sent.text)}\n{below}")

    return style


def encoded(charset: str, coding: str = "base64") -> Style:
    def style(move: str, sent: Sent) -> Answer:
        kept = sent.text.encode("ascii", "replace").decode()
        data = f"{move}\n\n{head(HEADS['en'], sent)}\n\n{kept}".encode(charset, "replace")
        data = base64.encodebytes(data) if coding == "base64" else quopri.encodestring(data)
        return Answer(data, f'text/plain; charset="{charset}"', coding)

    return style


def flowed(move: str, sent: Sent) -> Answer:
    quoted = "\n".join(f"> {line} " for line in sent.text.splitlines())
    text = f"{move} \n\nOn 11/25/26 15:45, {sent.host} wrote:\n{quoted}\n-- \n{sent.player}\n"
    return Answer(text.encode(), "text/plain; charset=utf-8; format=flowed")


def both(move: str, sent: Sent) -> Answer:
    """Text and HTML, as most programs send them."""
    mail = EmailMessage()
    mail.set_content(below_head(HEADS["de"], "_" * 32)(move, sent).content.decode())
    mail.add_alternative(outlook_page(HEADS["de"])(move, sent).content.decode(), subtype="html")
    return Answer(mail.as_bytes().partition(b"\n\n")[2], str(mail["Content-Type"]), "7bit")


def clicked(move: str, sent: Sent, *, before: str = "", below: str = "") -> Answer:
    game, state = sent.id.strip("<>").partition("@")[0].split(".")[:2]
    about = f"Game and turn: porto-{game}.{state}"
    return plain(f"{before}{move}\n\n{about}\n{below}")._replace(answers=False)


def percent(move: str, sent: Sent) -> Answer:
    text = clicked(move, sent).content.decode()
    for sign, code in (("%", "%25"), (" ", "%20"), (":", "%3A"), ("\n", "%0D%0A")):
        text = text.replace(sign, code)
    return plain(text)._replace(answers=False)


def command(move: str, sent: Sent) -> Answer:
    lines = (f"porto {one.replace(' ', f' {FILE} ', 1)}" for one in move.split("\n"))
    return below_head(HEADS["en"])("\n".join(lines), sent)


def changed(change: Callable[[str], str], style: Style | None = None) -> Style:
    """A move of which each line is written otherwise."""
    written = style or above("{move}")
    return lambda move, sent: written("\n".join(map(change, move.split("\n"))), sent)


PLAYED_AT_ONCE: dict[str, Style] = {
    **{f"{name}, marked": below_attribution(line) for name, line in ATTRIBUTIONS.items()},
    **{
        f"Outlook {language}": below_head(names, addresses=language in ("en", "ko", "de"))
        for language, names in HEADS.items()
    },
    **{f"Outlook {language} as HTML": outlook_page(HEADS[language]) for language in ("en", "pl")},
    "Outlook for a telephone": below_head(HEADS["en"], "Get Outlook for iOS\n" + "_" * 32),
    "Samsung": below_head(HEADS["en"], "-------- Original message --------", addresses=True),
    "Samsung ko": below_head(HEADS["ko"], "-------- \uc6d0\ubcf8 \uc774\uba54\uc77c --------"),
    "Naver": below_head(HEADS["en"], "-----Original Message-----", addresses=True),
    "GMX": below_head("Gesendet|Von|An|Betreff", addresses=True),
    "QQ": below_head(HEADS["zh"], "-" * 18 + " \u539f\u59cb\u90ae\u4ef6 " + "-" * 18),
    "our mail without any mark": lambda move, sent: plain(f"{move}\n\n{sent.text}"),
    "our mail as HTML without any mark": lambda move, sent: page(
        f"<p>{move}</p>{sent.html}".replace("\n", "<br>", move.count("\n"))
    ),
    "Gmail as HTML": of_html(
        '<br><div class="gmail_quote"><div class="gmail_attr">On Wed, Nov 25, 2026 at 3:45 PM '
        "{host} &lt;<a>host@example.org</a>&gt; wrote:<br></div><blockquote>{html}</blockquote>"
    ),
    "Apple as HTML": of_html(
        "<br><blockquote type=cite><div>On 25 Nov 2026, at 15:45, {host} "
        "&lt;host@example.org&gt; wrote:</div>{html}</blockquote>"
    ),
    "Naver as HTML": of_html(
        "<p>-----Original Message-----<br><b>From:</b> {host} &lt;host@example.org&gt;<br>"
        "<b>To:</b> friend@example.org<br><b>Sent:</b> 2026-11-25 15:45<br></p>{html}"
    ),
    "text and HTML": both,
    "format=flowed": flowed,
    "UTF-16": encoded("utf-16"),
    "UTF-8 as base64": encoded("utf-8"),
    "cp949": encoded("cp949"),
    "ISO-2022-JP": encoded("iso-2022-jp"),
    "Windows-1252, quoted-printable": encoded("cp1252", "quoted-printable"),
    "a link clicked": clicked,
    "a link clicked, with a signature": lambda move, sent: clicked(
        move, sent, below=f"\nSent from my iPhone\n-- \n{sent.player}\nCEO"
    ),
    "a body left encoded": percent,
    "a command of the mail": command,
    "no code at all": lambda move, sent: plain(move)._replace(answers=False),
    "greetings": above("Hi {host},\n\n{move}\n\nCheers,\n{name}"),
    "Portuguese greetings": above("Ol\xe1!\n\n{move}\n\nBeijinhos,\n{name}"),
    "a telephone": above("{move}\n\nVon meinem iPhone gesendet"),
    "a signature": above("{move}\n\n-- \n{name}\nACME Corp., sugar and corn"),
    "a disclaimer": above(
        "{move}\n\n{name}\n\nIf you are not the intended recipient of this mail, please delete it."
    ),
    "a disclaimer below a rule": above(
        "{move}\n\n____\nDiese Nachricht ist vertraulich. Wenn Sie nicht der Empf\xe4nger sind, "
        "l\xf6schen Sie sie bitte."
    ),
    "below what is quoted": lambda move, sent: plain(
        f"On 11/25/26 15:45, {sent.host} wrote:\n{marked(sent.text)}\n\n{move}\n"
    ),
    "capitals": changed(str.capitalize),
    "curly quotes": changed(lambda move: f"\u201c{move}\u201d"),
    "guillemets": changed(lambda move: f"\xab{move}\xbb"),
    "an ellipsis": changed(lambda move: f"{move}\u2026"),
    "a full stop": changed(lambda move: f"{move}."),
    "bold": changed(lambda move: f"*{move}*"),
    "a list": changed(lambda move: f"- {move}"),
    "no-break blanks": changed(lambda move: move.replace(" ", "\xa0")),
    "typographic hyphens": changed(lambda move: move.replace("-", "\u2011")),
    "dashes": changed(lambda move: move.replace("-", "\u2014")),
    "a telephone's blank at the end": changed(lambda move: f"{move} ", below_head(HEADS["en"])),
}
"""Ways to answer with a move and with nothing else that matters."""

ASKED: dict[str, Style] = {
    "a remark": above("{move}\n\nNice game so far!"),
    "a remark above": above("It rains here.\n\n{move}"),
    "a question": changed(lambda move: f"{move}?"),
    "a second thought": above("{move}\n\nNo, wait."),
    "a second thought below a rule": above("{move}\n____\n\nNo, wait."),
    "a second thought in a P.S.": above("{move}\n\nPS: stop\nPPS: I mean it"),
    "a second thought below the quotation": above("{move}", below="\nNo, wait.\n"),
    "a signature of the trade": above("{move}\n\n{name} Silva\n5 Sugar Street\n+351 123"),
    "a sentence": above("I want to {move}"),
    "the same twice": above("{move}\n\n{move}"),
}
"""Ways that are shown to the host, who is asked whether the move is meant."""


# -- Where they are answered


POSITIONS = {"porto": (3, 12, 25, 33, 41, 50, 58, 63, 66, 70), "puerto-rico": range(7, 280, 29)}


def positions() -> list[tuple[str, int]]:
    return [(game, items) for game, found in POSITIONS.items() for items in found]


@cache
def next_move(game: str, items: int) -> tuple[str, str]:
    """Return who moves next in a record, and what, line by line."""
    record = _whole(PLAYED[game])
    (player, first), *more = record.items[items].entries
    moves = [first, *(f"{key} {text}" for key, text in more if key == "contract")]
    return player, "\n".join(moves)


class Table(NamedTuple):
    """A position, and the mail about it that was sent to who is to move."""

    sent: Sent
    move: str


def table(porto, game: str, items: int, *, program: bool = False) -> Table:
    """Write the game of the host, and return the mail to who is to move, and the move."""
    player, move = next_move(game, items)
    host = next(one for one in _whole(PLAYED[game]).config.players if one != player)
    Path(FILE).write_text(text_at(PLAYED[game], items), "utf-8")
    porto("me", host)
    porto("address", player, FRIEND, "--program" if program else "--no-program")
    porto("address", host, HOST)
    mail = message_of(porto("mail", FILE, "--format", "eml", "--to", player).out)
    sent = Sent(
        player, host, str(mail["Subject"]), str(mail["Message-ID"]), plain_text(mail), html_of(mail)
    )
    return Table(sent, move)


def written(answer: Answer, sent: Sent) -> bytes:
    """Return an answer as it arrives."""
    mail = EmailMessage()
    mail["From"] = f"{sent.player} <{FRIEND}>"
    mail["To"] = f"{sent.host} <{HOST}>"
    mail["Subject"] = "Re: " + (sent.subject if answer.answers else "the game")
    mail["Date"] = "Thu, 26 Nov 2026 08:00:00 +0000"
    mail["Message-ID"] = "<answer@mail.example.org>"
    if answer.answers:
        mail["In-Reply-To"] = sent.id
    for name, value in answer.fields:
        mail[name] = value
    mail["MIME-Version"] = "1.0"
    mail["Content-Type"] = answer.kind
    mail["Content-Transfer-Encoding"] = answer.coding
    return mail.as_bytes().partition(b"\n\n")[0] + b"\n\n" + answer.content


def outcome(porto, answer: Answer, at: Table) -> str:
    """Return what comes of an answer: right, wrong, asked, refused or nothing."""
    done = porto(
        "receive", "--yes", "--dry-run", "--format", "json", stdin=written(answer, at.sent)
    )
    messages = json.loads(done.out)["messages"]
    if not messages or messages[0]["result"] == "nothing":
        return "nothing"
    (one,) = messages
    if one["result"] != "moves":
        return f"refused: {one['sentences']}"
    wanted = at.move.replace("\n", ", ")
    verb = wanted.partition(" ")[0]
    is_meant = ", ".join(one["moves"]) in (wanted, verb)
    if done.code:
        return "asked" if is_meant else f"asked for another move: {one['moves']}"
    return "right" if is_meant else f"wrong: {one['moves']}"


def outcomes(
    porto, styles: dict[str, Style], found: list[tuple[str, int]]
) -> Iterator[tuple[str, str]]:
    for nth, (game, items) in enumerate(found):
        at = table(porto, game, items, program=nth % 3 == 2)
        for name, style in styles.items():
            yield f"{name}, {game} after {items}", outcome(porto, style(at.move, at.sent), at)


def unlike(wanted: tuple[str, ...], found: Iterator[tuple[str, str]]) -> dict[str, str]:
    return {name: result for name, result in found if result not in wanted}


SAMPLE = [("porto", 25), ("puerto-rico", 65)]


def test_there_are_as_many_styles_as_mail_programs() -> None:
    assert len(PLAYED_AT_ONCE) >= 60
    assert all(len(found) == 10 for found in POSITIONS.values())


def test_an_answer_is_understood_however_it_quotes(porto) -> None:
    """Each style at one of the tables; the long runs try all at all."""
    for nth, place in enumerate(SAMPLE):
        styles = dict([*PLAYED_AT_ONCE.items()][nth::2])
        assert unlike(("right",), outcomes(porto, styles, [place])) == {}


def test_an_answer_with_other_words_is_asked_about(porto) -> None:
    assert unlike(("asked",), outcomes(porto, ASKED, SAMPLE)) == {}


@pytest.mark.long
@pytest.mark.parametrize("position", positions())
def test_an_answer_is_understood_at_every_table(porto, position: tuple[str, int]) -> None:
    assert unlike(("right",), outcomes(porto, PLAYED_AT_ONCE, [position])) == {}
    assert unlike(("asked",), outcomes(porto, ASKED, [position])) == {}


# -- Answers without a move


TALK = (
    "Thanks!",
    "I am on holiday until Monday.",
    "Nice game. Who is winning?",
    "Let me think about it.",
    "Sorry for the delay, I will answer tomorrow.",
    "{name}",
    "Ol\xe1 {host}, tudo bem?",
    "What does that mean:",
    "",
    "Wait for me, please.",
)
BARE: dict[str, Style] = {
    "text": lambda move, sent: plain(f"{move}\n\n{sent.text}"),
    "HTML": lambda move, sent: page(f"<p>{escape(move)}</p>{sent.html}"),
    "text in one paragraph": lambda move, sent: plain(f"{move}\n{sent.text}"),
    "wrapped anew": lambda move, sent: plain(f"{move}\n\n{rewrapped(sent.text)}"),
    "HTML with a head": outlook_page(HEADS["hu"]),
}


def rewrapped(text: str) -> str:
    """Return a text as programs lay it out that join the lines of a paragraph."""
    return "\n\n".join(
        part if part.startswith(" ") else " ".join(part.split("\n")) for part in text.split("\n\n")
    )


def played_without_a_move(
    porto, found: list[tuple[str, int]], share: int = 1
) -> Iterator[tuple[str, str]]:
    """Say each of the words, or every so many of them, above each mail of ours."""
    for nth, (game, items) in enumerate(found):
        at = table(porto, game, items, program=nth % 2 == 1)
        for name, style in BARE.items():
            for talk in TALK[nth % share :: share]:
                said = talk.format(name=at.sent.player, host=at.sent.host)
                result = outcome(porto, style(said, at.sent), at._replace(move="none"))
                yield f"{talk} above {name}, {game} after {items}", result.partition(":")[0]


def test_nothing_of_our_own_mail_is_played(porto) -> None:
    found = played_without_a_move(porto, SAMPLE, share=2)
    assert unlike(("nothing", "refused"), found) == {}


@pytest.mark.long
@pytest.mark.parametrize("position", positions())
def test_nothing_of_our_own_mail_is_played_at_any_table(porto, position) -> None:
    found = played_without_a_move(porto, [position])
    assert unlike(("nothing", "refused"), found) == {}
