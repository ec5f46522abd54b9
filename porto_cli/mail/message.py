"""A message as mail servers take it: text, HTML and record, in ASCII (RFC 5322, MIME).

A head that is written here is never parsed on the way: the email package of the standard library
decodes encoded words in whatever a header is set to, so that a title or a name could end a line and
begin another one. Nothing in the HTML is loaded from elsewhere or attached, and what mail programs
strip is not used, see :mod:`porto_cli.paper.html`.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from email import message_from_bytes
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP, Policy, compat32
from typing import NoReturn

from porto_cli.core.message import refuse, say
from porto_cli.mail.addresses import Mailbox
from porto_cli.mail.letter import Kind, Letter, Moves, Part
from porto_cli.mail.mime import decoded_words, read_addresses, read_parameters
from porto_cli.mail.offers import in_words
from porto_cli.mail.threads import RECORD_TYPE, attachment_name, message_ids, signed_ids
from porto_cli.match.replay import Replay
from porto_cli.match.sealed_setup import Beginning
from porto_cli.paper.document import DIM, PLAIN, Paragraph, Typed
from porto_cli.paper.html import GROUND, INK, PAPER, RULE, mail
from porto_cli.paper.markup import escaped, tag
from porto_cli.term.screen import Screen
from porto_cli.term.spans import plain, wrapped
from porto_cli.ui import ui_of
from porto_cli.ui_values import MoveOffer


def style(**declarations: object) -> str:
    """Return the attribute with these declarations: ``font_size="13px"``."""
    written = (f"{name.replace('_', '-')}:{value}" for name, value in declarations.items())
    return f'style="{";".join(written)}"'


def paragraph(text: str, *, soft: bool = False) -> str:
    """Return a paragraph; ``soft`` if it matters less."""
    return mail([Paragraph([text], DIM if soft else PLAIN)])


def as_typed(text: str) -> str:
    """Return a text in which every blank counts, like a table that is drawn with letters."""
    return mail([Typed(text.split("\n"))])


QUOTED, BASE64 = "quoted-printable", "base64"
"""How texts and files are encoded, so that no server breaks a line or changes a letter."""


def message(
    game: Replay | Beginning,
    letter: Letter,
    *,
    sender: Mailbox | None,
    to: Sequence[Mailbox],
    copies: Sequence[Mailbox] = (),
    date: datetime,
    page: bool = False,
    html: bool = True,
) -> EmailMessage:
    """Return a letter as text and as HTML, with the record attached.

    Sender and recipients may be left open, to be filled in by a mail program. ``page`` attaches the
    table as a page, too, where its reader can click a move; a game that is still being set up has
    none. Without ``html`` it is text.
    """
    replay = game if isinstance(game, Replay) else None
    mail = EmailMessage(policy=SMTP)
    if sender:
        mail["From"] = _people("From", [sender])
    if to:
        mail["To"] = _people("To", to)
    if copies:
        mail["Cc"] = _people("Cc", copies)
    mail["Subject"] = Field.of_text("Subject", letter.subject)
    mail["Date"] = date
    *before, own = message_ids(game) if isinstance(game, Replay) else signed_ids(game.chain)
    if letter.again:
        before, own = [*before, own], own.replace("@", f".{letter.again}@")
    mail["Message-ID"] = Field.of_ids("Message-ID", [own])
    if before:
        mail["In-Reply-To"] = Field.of_ids("In-Reply-To", before[-1:])
        mail["References"] = Field.of_ids("References", before)
    mail.set_content(text_body(letter, replay, every_move=not html), cte=QUOTED)
    if html:
        mail.add_alternative(html_body(letter, replay), subtype="html", cte=QUOTED)
    name = attachment_name(game.record)
    attach(mail, game.record.text.encode(), RECORD_TYPE, name)
    if page and replay is not None:
        shown = _page(letter, replay)
        attach(mail, shown.encode(), ("text", "html"), f"{name.rpartition('.')[0]}.html")
    return mail


def _page(letter: Letter, replay: Replay) -> str:
    """Return the table as a page, on which its reader can click a move if it is an answer."""
    if letter.moves is None:
        return ui_of(replay.game.meta.id).table_html(replay, letter.seat)
    from porto_cli.mail.turn_page import turn_page

    (seat,) = replay.game.to_move(replay.state)
    return turn_page(
        replay,
        seat,
        letter.moves.groups,
        letter.moves.reply,
        private=letter.seat is not None,
        file=attachment_name(replay.record),
    )


def attach(mail: EmailMessage, data: bytes, kind: tuple[str, str], name: str) -> None:
    """Attach a file to a message; one of text is in UTF-8."""
    mail.add_attachment(
        data,
        maintype=kind[0],
        subtype=kind[1],
        headers=[Field.of_attachment(name)],
        params={"charset": "utf-8"} if kind[0] == "text" else None,
        cte=BASE64,
    )


def _people(name: str, people: Sequence[Mailbox]) -> Field:
    return Field.of_addresses(name, [_address(one) for one in people])


def _address(one: Mailbox) -> Address:
    local, _, domain = one.address.rpartition("@")
    return Address(one_line(one.name), username=local, domain=domain)


def on_the_wire(mail: EmailMessage) -> bytes:
    """Return the bytes of a message.

    Its head is read back and compared with what was meant. Raises RefusedError if there is any
    difference: the mail could go to somebody who was not named.
    """
    data = mail.as_bytes()
    for part, found in zip(mail.walk(), _parts_of(data), strict=True):
        if [name for name, _ in found] != part.keys():
            _refuse(", ".join(part.keys()))
        for name, (_, raw) in zip(part.keys(), found, strict=True):
            if not _says(raw, part[name]):
                _refuse(name)
    return data


def _parts_of(data: bytes) -> list[list[tuple[str, str]]]:
    """Return the heads of all parts of a message, as they go over the wire."""
    found = message_from_bytes(data, policy=compat32)
    return [[(name, str(value)) for name, value in part.items()] for part in found.walk()]


def _says(raw: str, meant: object) -> bool:
    """Return whether a header that goes over the wire is what was meant."""
    if not isinstance(meant, Field):
        # The others contain no text of users.
        return raw.isascii()
    text = raw.replace("\r\n", "")
    if meant.file:
        return read_parameters(text) == ("attachment", {"filename": meant.file})
    if meant.addresses:
        people = [(one.display_name, one.addr_spec) for one in meant.addresses]
        return read_addresses(text) == people
    return decoded_words(text) == meant


def _refuse(name: str) -> NoReturn:
    refuse(
        f"The head of this mail would not be what was meant ({name}), so the mail was "
        "not written. Please report this, with the record."
    )


# -- Text and HTML


WIDTH = 60
"""Columns. Quoted in an answer, each line has two more, and still fits the screen."""


def text_body(letter: Letter, replay: Replay | None, *, every_move: bool = False) -> str:
    """Return the text of a message. Commands stay in one line, however long, to be copied.

    Only a letter without a table can do without a game. ``every_move`` lists all the moves on
    offer, also if they are many.
    """
    lines: list[str] = []
    before: Kind | None = None
    table: list[str] = []
    score: list[str] = []
    if replay is not None:
        ui = ui_of(replay.game.meta.id)
        table = [plain(line) for line in ui.table_text(replay, letter.seat, Screen(WIDTH))]
        if any(part.kind is Kind.SCORE for part in letter.parts):
            score = _score(replay, letter.seat, WIDTH)
    for part in letter.parts:
        together = part.kind == before and part.kind in (Kind.ITEM, Kind.COMMAND)
        if lines and before is not Kind.HEADING and not together and part.kind != Kind.COMMAND:
            lines.append("")
        if part.kind is Kind.HEADING:
            lines.append(part.text.upper())
        elif part.kind is Kind.ITEM:
            lines += [
                plain(line) for line in wrapped(part.text, WIDTH, first=[("- ", "")], indent=2)
            ]
        elif part.kind is Kind.COMMAND:
            lines.append(f"    {part.text}")
        elif part.kind is Kind.MOVES and letter.moves:
            lines += _moves_text(letter.moves, every_move=every_move)
        elif part.kind is Kind.TABLE:
            lines += table
        elif part.kind is Kind.SCORE:
            if _words(score) <= _words(table):
                # Some games show it in the table when the game is over.
                lines.pop()
            else:
                lines += [part.text.upper(), *score]
        else:
            lines += _wrapped(part.text)
        before = part.kind
    return "\n".join(lines) + "\n"


_EXAMPLES = 3
"""Moves in words where they are too many to be listed."""


def _moves_text(moves: Moves, *, every_move: bool) -> list[str]:
    """Return the moves that can be answered, in words to copy."""
    lines = _wrapped(moves.write)
    if not every_move and not moves.are_few:
        best = [f"    {in_words(group.offers[0])}" for group in moves.groups[:_EXAMPLES]]
        more = [line for group in moves.groups if group.more for line in _wrapped(group.more)]
        return [*lines, *_wrapped("For example:"), *best, *more]
    for group in moves.groups:
        lines += ["", *_wrapped(group.title)]
        lines += [f"    {in_words(offer)}" for offer in group.offers]
        lines += _wrapped(group.more)
    return lines


def _wrapped(text: str) -> list[str]:
    return [plain(line) for line in wrapped(text, WIDTH)] if text else []


def _words(lines: Iterable[str]) -> set[str]:
    """Return lines without the blanks that align them."""
    return {" ".join(line.split()) for line in lines if line.strip()}


_SCORE_WIDTH = 72


def html_body(letter: Letter, replay: Replay | None) -> str:
    """Return the HTML of a message. Only a letter without a table can do without a game."""
    body = "\n".join(_html_part(part, letter, replay) for part in letter.parts)
    around = style(
        margin="0", padding="0", background_color=GROUND, color=INK, color_scheme="light only"
    )
    sheet = style(
        background_color=PAPER,
        color=INK,
        padding="16px",
        font_family="system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif",
        font_size="15px",
        line_height="1.45",
        text_align="left",
    )
    width = style(width="100%", max_width="600px", border_collapse="collapse")
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        # Some programs that would turn the colors around let them be then.
        '<meta name="color-scheme" content="light only">'
        '<meta name="supported-color-schemes" content="light only">'
        f"<title>{escaped(letter.subject)}</title></head>\n"
        f'<body bgcolor="{GROUND}" {around}>\n'
        f'<table role="presentation" align="center" cellspacing="0" cellpadding="0" {width}>'
        f'<tr><td bgcolor="{PAPER}" {sheet}>\n{body}\n</td></tr></table>\n</body></html>\n'
    )


def _html_part(part: Part, letter: Letter, replay: Replay | None) -> str:
    if part.kind is Kind.HEADING:
        return _heading(part.text)
    if part.kind is Kind.ITEM:
        look = style(margin="4px 0 4px 1em", text_indent="-0.8em", color=INK)
        return f"<p {look}>• {escaped(part.text)}</p>"
    if part.kind is Kind.COMMAND:
        return as_typed(part.text)
    if part.kind is Kind.MOVES and letter.moves:
        return _moves_html(letter.moves)
    if part.kind is Kind.TABLE and replay is not None:
        return ui_of(replay.game.meta.id).table_mail_html(replay, letter.seat)
    if part.kind is Kind.SCORE and replay is not None:
        score = _score(replay, letter.seat, _SCORE_WIDTH)
        return _heading(part.text) + "\n" + as_typed("\n".join(score))
    return paragraph(part.text)


def _score(replay: Replay, seat: int | None, width: int) -> list[str]:
    """Return where the VP came from; how the game ended is told elsewhere."""
    from porto_cli.paper.text import put

    ui = ui_of(replay.game.meta.id)
    rows = ui.score_rows(ui.standings(replay, seat))
    return [plain(line) for line in put(rows, Screen(width))]


def _heading(text: str) -> str:
    look = style(font_size="18px", line_height="1.3", margin="22px 0 6px", color=INK)
    return f"<h2 {look}>{escaped(text)}</h2>"


def _moves_html(moves: Moves) -> str:
    """Return the moves that can be answered, as links that begin a mail."""
    lines = [paragraph(moves.click)]
    for group in moves.groups:
        lines.append(tag("p", tag("b", group.title), style=_TITLE))
        lines += [_link(offer, moves.reply.link(offer.moves)) for offer in group.offers]
        if group.more:
            lines.append(paragraph(group.more, soft=True))
    return "\n".join(lines)


def _link(offer: MoveOffer, target: str) -> str:
    """Return a link as large as a finger, short ones beside each other; where styles are dropped
    blanks keep them apart.
    """
    is_short = not offer.note and len(offer.label) <= _SHORT
    label = offer.label if not offer.note else say("{label} ({note})", **offer._asdict())
    link = tag("a", label, href=target, style=f"display:{_DISPLAY[is_short]};{_BUTTON}")
    return f"{link}&nbsp; " if is_short else tag("div", link)


_SHORT = 26
_DISPLAY = {True: "inline-block", False: "block"}
_BUTTON = (
    f"margin:0 2px 8px 0;padding:10px 12px;border:1px solid {RULE};border-radius:6px;"
    f"background-color:{GROUND};color:{INK};text-decoration:none"
)
_TITLE = f"margin:14px 0 6px;color:{INK}"


# -- The lines of a head

_WIDTH = 78
"""Characters of a line, as RFC 5322 recommends."""
_LONGEST_WORD = 60
"""Characters of a word, encoded or not, so that it fits after the name of any header."""
_ATOM = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+")
_QUOTABLE = re.compile(r"[ -~]+")
_FILE_NAME = re.compile(r"[A-Za-z0-9 !#$&'()+,./;=@^_{}~-]+")
_BEGINS_A_WORD = "=?"


class Field(str):
    """A line of a head whose text is written literally, whatever it looks like.

    It is the text; the email package calls :meth:`fold` for what goes over the wire. A value that
    has a name is stored by the package's policies as it is.
    """

    name: str
    addresses: tuple[Address, ...] = ()
    content_disposition: str | None = None
    """What the email package reads to know whether a part is an attachment."""
    file: str = ""
    """The name of an attachment."""
    defects: tuple[Exception, ...] = ()
    _pieces: Sequence[str]

    @classmethod
    def of_text(cls, name: str, text: str) -> Field:
        """Return a header of text, like the subject, in one line."""
        text = one_line(text)
        return cls._made(name, text, list(_pieces_of(text)))

    @classmethod
    def of_addresses(cls, name: str, addresses: Sequence[Address]) -> Field:
        """Return a header of people, like To. Their names are in one line."""
        pieces: list[str] = []
        for nth, one in enumerate(addresses, start=1):
            end = "," if nth < len(addresses) else ""
            pieces += _phrase(one.display_name)
            spec = f"<{one.addr_spec}>" if one.display_name else one.addr_spec
            pieces.append(f"{spec}{end}")
        field = cls._made(name, ", ".join(map(str, addresses)), pieces)
        field.addresses = tuple(addresses)
        return field

    @classmethod
    def of_ids(cls, name: str, ids: Sequence[str]) -> Field:
        """Return a header of Message-IDs."""
        return cls._made(name, " ".join(ids), ids)

    @classmethod
    def of_attachment(cls, file: str) -> Field:
        """Return the header of a part that is saved as a file of this name."""
        file = one_line(file)
        pieces = ["attachment;", *_file_name(file)]
        field = cls._made("Content-Disposition", " ".join(pieces), pieces)
        field.content_disposition = "attachment"
        field.file = file
        return field

    @classmethod
    def _made(cls, name: str, text: str, pieces: Sequence[str]) -> Field:
        field = cls(text)
        field.name = name
        field._pieces = pieces
        return field

    def fold(self, *, policy: Policy) -> str:
        """Return the header as it goes over the wire, in lines."""
        lines = [f"{self.name}:"]
        for piece in self._pieces:
            if len(lines[-1]) + 1 + len(piece) > _WIDTH and lines[-1] != f"{self.name}:":
                lines.append("")
            lines[-1] += f" {piece}"
        return policy.linesep.join([*lines, ""])


def one_line(text: str) -> str:
    """Return a text in one line, without control characters."""
    return "".join(letter if letter.isprintable() else " " for letter in text).strip()


def _is_plain(word: str) -> bool:
    return word.isascii() and len(word) <= _LONGEST_WORD and _BEGINS_A_WORD not in word


def _pieces_of(text: str) -> Iterator[str]:
    """Return the words of a text, encoded where they have to be (RFC 2047)."""
    words = text.split(" ")
    if "" in words:
        # Blanks are kept in an encoded word only.
        yield from _encoded_words(text)
        return
    run: list[str] = []
    for word in words:
        if not _is_plain(word):
            run.append(word)
            continue
        yield from _encoded_words(" ".join(run))
        run.clear()
        yield word
    yield from _encoded_words(" ".join(run))


def _encoded_words(text: str) -> Iterator[str]:
    """Return a text in encoded words; blanks between these do not count."""
    quoted = sum(map(len, map(_quoted_letter, text)))
    use_base64 = quoted > 2 * len(text.encode())
    piece, size = "", 0.0
    for letter in text:
        more = len(letter.encode()) * 4 / 3 if use_base64 else len(_quoted_letter(letter))
        if size + more > _LONGEST_WORD - len("=?utf-8?b?==?="):
            yield _encoded_word(piece, use_base64=use_base64)
            piece, size = "", 0.0
        piece += letter
        size += more
    if piece:
        yield _encoded_word(piece, use_base64=use_base64)


def _encoded_word(text: str, *, use_base64: bool) -> str:
    if use_base64:
        return f"=?utf-8?b?{b64encode(text.encode()).decode()}?="
    return f"=?utf-8?q?{''.join(map(_quoted_letter, text))}?="


def _quoted_letter(letter: str) -> str:
    """Return a letter in the Q encoding, which can be used in a name as well."""
    if letter == " ":
        return "_"
    if letter.isascii() and letter.isalnum():
        return letter
    return "".join(f"={byte:02X}" for byte in letter.encode())


def _phrase(name: str) -> Iterator[str]:
    """Return the name before an address."""
    if not name:
        return
    if not _QUOTABLE.fullmatch(name) or _BEGINS_A_WORD in name or len(name) > _LONGEST_WORD:
        yield from _encoded_words(name)
    elif all(map(_ATOM.fullmatch, name.split(" "))):
        yield from name.split(" ")
    else:
        yield _quoted(name)


def _quoted(text: str) -> str:
    return '"{}"'.format(text.replace("\\", "\\\\").replace('"', '\\"'))


def _file_name(name: str) -> Iterator[str]:
    if _FILE_NAME.fullmatch(name) and _BEGINS_A_WORD not in name and len(name) <= _LONGEST_WORD:
        yield f'filename="{name}"'
        return
    # RFC 2231, in sections if it is long.
    bytes_ = [
        chr(byte) if chr(byte).isascii() and chr(byte).isalnum() else f"%{byte:02X}"
        for byte in name.encode()
    ]
    size = 16
    sections = ["".join(bytes_[nth : nth + size]) for nth in range(0, len(bytes_), size)]
    if len(sections) == 1:
        yield f"filename*=utf-8''{sections[0]}"
        return
    for nth, section in enumerate(sections):
        charset, end = "" if nth else "utf-8''", "" if nth == len(sections) - 1 else ";"
        yield f"filename*{nth}*={charset}{section}{end}"
