"""A mail to write: who writes to whom, at which addresses; and its message in the form of mail
servers: text, HTML and record, in ASCII (RFC 5322, MIME).

Its headers are written as text and read back before it leaves: they have titles and names chosen by
others, which may look like an encoded word, or like the next header. The HTML loads nothing, and
uses nothing that mail programs strip, see :mod:`porto_cli.paper.html`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from email import message_from_bytes
from email.header import Header
from email.message import EmailMessage
from email.policy import SMTP, compat32
from email.utils import format_datetime, localtime
from functools import cached_property
from typing import TYPE_CHECKING, Self

from porto_cli.core import enumerated, refuse, usage
from porto_cli.core.characters import in_one_line, printable
from porto_cli.core.shell import word_of
from porto_cli.mail import notes
from porto_cli.mail.addresses import AddressBook, Mailbox, address_book, mailbox
from porto_cli.mail.ids import RECORD_TYPE, attachment_name, message_ids, with_contents
from porto_cli.mail.letter import (
    Letter,
    can_answer_in_words,
    decision,
    html_of,
    invitation,
    letter,
    offers_to,
    text_of,
)
from porto_cli.mail.mime import decoded_words, read_addresses, read_parameters
from porto_cli.mail.offers import turn_page
from porto_cli.match import seat_named, seats_of
from porto_cli.match.orders import was_ordered
from porto_cli.match.replay import Replay, turn_of_a_bot
from porto_cli.seam import OVER, with_level
from porto_cli.settings import settings
from porto_cli.user import own_seat, seat_of_user, seat_user_left

if TYPE_CHECKING:
    from porto_cli.sealed.chain import Beginning


@dataclass(frozen=True)
class Draft:
    """The mail that is due in a game: what was asked for, and what follows from that.

    ``game``     what it is about
    ``seat``     the writer's seat, if named
    ``whom``     players or addresses to write to instead of the next player
    ``cc``       the other players get a copy
    ``private``  it has the reader's secrets
    ``page``     the table is attached as an HTML page
    ``html``     it is HTML as well, unless one of its recipients wants text alone
    ``note``     a sentence above the news
    ``reminder`` if it is a reminder, a text that makes it differ from earlier ones
    ``unseen``   not even its writer sees it before it is sent

    The rest is worked out on demand. Raises RefusedError if it is the sender's own turn,
    WrongUsageError for an unknown player, NoAddressError, InvalidFileError, FileError.
    """

    game: Replay | Beginning
    seat: int | None = None
    whom: tuple[str, ...] = ()
    _: KW_ONLY
    cc: bool = False
    private: bool = False
    page: bool = False
    html: bool = True
    note: str | None = None
    reminder: str = ""
    unseen: bool = False

    @property
    def replay(self) -> Replay:
        """The game, which has begun."""
        assert isinstance(self.game, Replay)
        return self.game

    @property
    def players(self) -> Sequence[str]:
        """The names of the people and bots in the seats."""
        return self.replay.holders

    # -- Who writes to whom

    @cached_property
    def sender(self) -> int | None:
        """The seat of the writer: the player named, else the user, else the last to move; ``None``
        if it is nobody at the table.
        """
        replay, bots = self.replay, self.replay.bot_seats
        if self.leaver:
            return None
        if self.seat is not None:
            if self.seat in bots:
                player = with_level(self.players[self.seat], bots[self.seat])
                usage(f"{player} does not write mail.")
            return self.seat
        own = seat_of_user(replay)
        if own is not None:
            return own
        moved = who_moved(replay)
        return replay.people[0] if bots and moved is None else moved

    @cached_property
    def leaver(self) -> str:
        """The user's name, if the user is the writer but has left the game; else empty."""
        left = None if self.seat is not None else seat_user_left(self.replay)
        return "" if left is None else self.replay.config.players[left]

    @property
    def writer(self) -> str:
        """The name of the writer; empty if unknown."""
        return self.leaver if self.sender is None else self.players[self.sender]

    @cached_property
    def mailbox(self) -> Mailbox | None:
        """The writer's mailbox, if one is set."""
        return from_player(self.writer)

    @cached_property
    def readers(self) -> tuple[int, ...]:
        """The seats of the readers."""
        readers = tuple(dict.fromkeys(self._named)) or self._due()
        is_known = bool(self._named) or not self._given
        is_one = is_known and len(readers) == 1 and len(self._given) < 2 and not self.cc
        if self.private and not is_one:
            usage(
                "With --private the mail has the secrets of its reader, so it goes to one player "
                "alone. Name that player with --to, store the address with 'porto address NAME "
                "ADDRESS', and leave out --cc."
            )
        return readers

    @cached_property
    def commands(self) -> bool:
        """Whether the readers can use commands; at the end of a game, whether all of them can."""
        if not can_answer_in_words(self.game.record):
            return True
        have = [self._book.entry(self.players[seat]).program for seat in self.readers]
        if self.replay.state.phase == OVER:
            return all(have)
        return bool(self._given) or len(have) != 1 or have[0]

    @property
    def to(self) -> list[Mailbox]:
        """The addresses that it goes to."""
        return [*filter(None, self._addressees.values())]

    @property
    def copies(self) -> list[Mailbox]:
        """The addresses that get a copy."""
        return [*filter(None, self._others.values())]

    @property
    def missing(self) -> list[str]:
        """The recipients without a known address."""
        return [name for name, found in self._addressees.items() if not found]

    @property
    def left_out(self) -> list[str]:
        """The players who would get a copy, but have no known address."""
        return [name for name, found in self._others.items() if not found]

    def reached(self, to: Collection[str] | None) -> list[str]:
        """Return the readers it reaches at these addresses, by default all; a player without a
        stored address may read at one that was typed.
        """
        if to is None and not self._given:
            return [self.players[seat] for seat in self.readers]
        at = {one.address for one in self.to} if to is None else to
        known = self._mailboxes(self.readers).items()
        return [name for name, one in known if (one.address in at if one else self._given)]

    def only_to(self, addresses: Collection[str]) -> Self:
        """Return the mail to only the people who read at these addresses."""
        known = {**self._addressees, **self._others}.items()
        whom = [name for name, one in known if one and one.address in addresses]
        return replace(self, whom=tuple(whom), cc=False)

    @cached_property
    def _book(self) -> AddressBook:
        return address_book()

    @cached_property
    def _named(self) -> list[int]:
        """The seats of the players named as recipients."""
        return [self._reader(one) for one in self.whom if not self._is_an_address(one)]

    @cached_property
    def _given(self) -> list[Mailbox]:
        """The addresses named as recipients."""
        return [mailbox(one) for one in self.whom if self._is_an_address(one)]

    def _is_an_address(self, word: str) -> bool:
        """Return whether a word is an address; the names of players may have an @ as well."""
        return "@" in word and not seats_of(self.players, word)

    @cached_property
    def _addressees(self) -> dict[str, Mailbox | None]:
        """The recipients, by name, or by address where the reader is unknown."""
        players = self.readers if self._named or not self._given else ()
        return {one.address: one for one in self._given} | self._mailboxes(players)

    @cached_property
    def _others(self) -> dict[str, Mailbox | None]:
        """The players who get a copy."""
        people = self.replay.people if isinstance(self.game, Replay) else range(len(self.players))
        others = {*people} - {*self.readers, self.sender} if self.cc else ()
        if others and len(self.readers) == 1 and not self.commands:
            reader = self.players[self.readers[0]]
            usage(
                f"The mail to {reader}, who plays without the program, has what only {reader} may "
                "know, so nobody else can get a copy. Leave out --cc; to write to the others, "
                "name them with --to."
            )
        return self._mailboxes(sorted(others))

    def _mailboxes(self, seats: Iterable[int]) -> dict[str, Mailbox | None]:
        return {self.players[seat]: self._book.of(self.players[seat]) for seat in seats}

    def _due(self) -> tuple[int, ...]:
        """Return the seats that a mail is due to: those to move, or all when the game is over; no
        bots.
        """
        replay, sender = self.replay, self.sender
        if replay.state.phase == OVER:
            people = replay.people
            return tuple(seat for seat in people if seat != sender) or (people[0],)
        waiting = replay.game.to_move(replay.state)
        asked = tuple(seat for seat in decision(replay) if seat != sender)
        if asked:
            return asked
        if replay.bot_seats and not replay.people_to_move:
            refuse(*turn_of_a_bot(replay))
        others = tuple(seat for seat in waiting if seat != sender)
        if others or self._given:
            return others or waiting
        player = enumerated([self.players[seat] for seat in waiting])
        refuse(
            f"It is {player}'s turn, and this mail would come from {player}, so make the move "
            "first. To name another writer, add --as NAME; to write to somebody else, --to NAME."
        )

    def _reader(self, name: str) -> int:
        """Return the seat of a player named as a recipient; bots read no mail."""
        bots, seat = self.replay.bot_seats, seat_named(self.players, name)
        if seat in bots:
            usage(f"{with_level(self.players[seat], bots[seat])} does not get mail.")
        return seat

    # -- What it says

    @cached_property
    def mail(self) -> EmailMessage:
        """The message. In a sealed game it has what only the player to move has seen come up, if it
        is ``private`` and that player is its only reader. A mail to only a player without the
        program is always private, and has no commands.

        Raises RefusedError as well if its headers could not be written safely.
        """
        contents, html = self._contents(), self.html
        people = {"From": [self.mailbox] if self.mailbox else [], "To": self.to, "Cc": self.copies}
        for one in (*self.to, *self.copies):
            html = html and all(self._book.entry(name).html for name in self._book.at(one.address))
        if self.reminder:
            contents = contents._replace(subject=f"Reminder: {contents.subject}")
        return message(contents, self.game, people, html=html, again=self.reminder)

    @cached_property
    def notes(self) -> list[str]:
        """The sentences above the news, with those of earlier mails to these readers that could not
        be sent, as this one replaces them; not if others read it, too. Raises FileError.
        """
        names = {self.players[seat] for seat in self.readers}
        is_read_by_others = bool(self._given or self._others)
        due = () if is_read_by_others else notes.due(self.replay)
        said = (self.note, *(one.note for one in due if names <= {*one.whom}))
        return [*dict.fromkeys(filter(None, said))]

    def _contents(self) -> Letter:
        """Return the letter, with the pages that go with it."""
        is_private = self.private or not self.commands
        is_alone = len(self.readers) == 1 and not self._given and not self._others
        is_for_one = is_private and len(self.readers) == 1
        replay = self.replay.known_to(self.readers[0] if is_for_one else None)
        return letter(
            replay,
            self.readers,
            self.writer or "the sender",
            private=is_private,
            alone=is_alone and (is_private or self.unseen),
            commands=self.commands,
            address=self.mailbox.address if self.mailbox else "",
            note=" ".join(self.notes) or None,
            page=self.page,
        )


@dataclass(frozen=True)
class Invitation(Draft):
    """The mail to the next player to join or unlock a sealed game that is still being set up.

    Raises RefusedError if that is the writer, WrongUsageError for options that make no sense yet.
    """

    @property
    def begun(self) -> Beginning:
        """The game."""
        assert not isinstance(self.game, Replay)
        return self.game

    @property
    def players(self) -> Sequence[str]:
        """The names of the players."""
        return self.begun.chain.players

    @cached_property
    def sender(self) -> int:
        """The seat of the writer: the player named, else the user, else the last to take part."""
        sender = self.seat if self.seat is not None else own_seat(self.players)
        return self.begun.chain.steps[-1].by if sender is None else sender

    @cached_property
    def readers(self) -> tuple[int, ...]:
        """The seat of the reader."""
        by = self.begun.next
        assert by is not None
        if self.private or self.page:
            usage(
                "The game is still being set up, so there is no table to show. Leave out "
                "--private and --page."
            )
        if self.sender == by and not self.whom:
            refuse(
                f"{self.players[by]} has to join before writing this mail.",
                suggestions=[f"porto join {word_of(self.begun.record.file)}"],
            )
        return (by,)

    @property
    def _named(self) -> list[int]:
        """Nobody: only one player can be next, whoever is named."""
        return []

    def _contents(self) -> Letter:
        (by,) = self.readers
        return invitation(self.begun, by, self.writer)


def who_moved(replay: Replay) -> int | None:
    """Return the seat of the last person to move, orders aside; ``None`` if nobody has."""
    places = reversed(replay.past().of_people)
    chosen = (place for place in places if not was_ordered(replay, place))
    return next((replay.steps[place].seat for place in chosen), None)


def from_player(name: str) -> Mailbox | None:
    """Return the mailbox that a player sends from: by the settings, else by the address book.

    ``name`` is empty if the sender is unknown.
    """
    own = settings().mail.sender
    if own:
        found = mailbox(own)
        return found if found.name else Mailbox(name, found.address)
    return address_book().of(name) if name else None


# -- As mail servers take it

_AS_READ = SMTP.clone(refold_source="none")
"""Keeps headers as they are: what was checked is what is sent."""
_WIDTH = 78
"""Characters of a line, as RFC 5322 recommends."""
_LONGEST_WORD = 60
"""Characters of a word, encoded or not, so that it fits after the name of any header."""
_PLAIN_TEXT = re.compile(rf"(?!.*=\?)[!-~]{{1,{_LONGEST_WORD}}}(?: [!-~]{{1,{_LONGEST_WORD}}})*")
"""Words that need no encoding in a header, and fit in its lines."""
_PLAIN_NAME = re.compile(r"[A-Za-z0-9]{1,30}(?:[ -][A-Za-z0-9]{1,30})*")
"""A name that cannot be taken for anything else."""


def message(
    letter: Letter,
    game: Replay | Beginning,
    people: Mapping[str, Sequence[Mailbox]],
    *,
    html: bool = True,
    again: str = "",
) -> EmailMessage:
    """Return a letter about a game as text and as HTML, with the record and its pages attached.

    ``people`` are the senders and recipients by header; a mail program fills in missing ones.
    Without ``html`` it is text alone. ``again`` makes it differ from an equal one. Raises
    RefusedError if its headers could not be written safely: it could go to somebody else.
    """
    mail, record, ids = EmailMessage(policy=SMTP), game.record, message_ids(game)
    name, date = attachment_name(record), localtime().replace(microsecond=0)
    text, hypertext = text_of(letter, every_move=not html), html_of(letter) if html else ""
    mail.set_content(text, cte="quoted-printable")
    if html:
        mail.add_alternative(hypertext, subtype="html", cte="quoted-printable")
    kind, subtype = RECORD_TYPE
    mail.add_attachment(record.text.encode(), maintype=kind, subtype=subtype, filename=name)
    pages = {file: page() for file, page in letter.pages.items()}
    for file, content in pages.items():
        mail.add_attachment(content, subtype="html", cte="base64", filename=file)

    # An equal message has the same id; all messages answer the first id.
    said = (letter.subject, text, hypertext, record.text, *pages.values(), again)
    own = with_contents(ids[-1], *said)
    meant: dict[str, str | list[Mailbox]] = {
        name: [Mailbox(in_one_line(one.name), one.address) for one in some]
        for name, some in people.items()
        if some
    }
    meant |= {"Subject": in_one_line(letter.subject), "Date": format_datetime(date)}
    meant |= {"Message-ID": own, "In-Reply-To": ids[0], "References": ids[0]}
    head = "".join(_line(name, value) for name, value in meant.items())
    back = message_from_bytes(head.encode("ascii") + mail.as_bytes(), policy=_AS_READ)
    assert isinstance(back, EmailMessage)
    _demand(back.as_bytes(), meant, name)
    return back


# -- The headers


def _line(name: str, value: str | Sequence[Mailbox]) -> str:
    """Return a header, folded where it is long."""
    end = SMTP.linesep
    if not isinstance(value, str):
        text = Header(", ".join(map(_person, value)), "us-ascii", _WIDTH, name).encode(linesep=end)
    elif name == "Subject":
        charset = "us-ascii" if _PLAIN_TEXT.fullmatch(value) else "utf-8"
        text = Header(value, charset, _WIDTH, name).encode(linesep=end)
    else:
        # A date or an id, which is never broken or encoded.
        text = value
    return f"{name}: {text}{end}"


def _person(one: Mailbox) -> str:
    """Return a mailbox; a name of more than letters is encoded, so that it has no syntax."""
    if not one.name:
        return one.address
    name = one.name
    if not _PLAIN_NAME.fullmatch(name):
        name = Header(name, "utf-8", _LONGEST_WORD).encode(linesep="")
    return f"{name} <{one.address}>"


def _demand(data: bytes, meant: Mapping[str, str | Sequence[Mailbox]], file: str) -> None:
    """Read a message back, as receivers do, and refuse it if it is not what was meant."""
    found = message_from_bytes(data, policy=compat32)
    modern = message_from_bytes(data, policy=_AS_READ)
    if sorted(found.keys()) != sorted([*meant, "MIME-Version", "Content-Type"]):
        _refuse(", ".join(meant))
    for name, value in meant.items():
        raw = str(found[name]).replace("\r\n", "")
        if isinstance(value, str):
            is_right = (decoded_words(raw) if name == "Subject" else raw) == value
        else:
            addresses = [one.addr_spec for one in modern[name].addresses]
            is_right = read_addresses(raw) == value and addresses == [one[1] for one in value]
        if not is_right:
            _refuse(name)
    part, *_ = (one for one in found.walk() if one.get_content_disposition() == "attachment")
    named = read_parameters(part["Content-Disposition"].replace("\r\n", ""))
    if named != ("attachment", {"filename": file}):
        _refuse("Content-Disposition")


def _refuse(name: str) -> None:
    refuse(
        f"The headers of this mail could not be written safely ({name}), so it was not written. "
        "Please report this, with the record."
    )


# -- As people read it

_HEAD = ("From", "To", "Cc", "Subject", "Message-ID", "In-Reply-To")
"""The headers of a message that are shown; the first four are those that people fill in."""


def to_be_read(draft: Draft) -> str:
    """Return a mail for people: the headers they fill in, its text, its attachments."""
    body = draft.mail.get_body(("plain",))
    assert body is not None
    text = body.get_content().replace("\r\n", "\n").split("\n")
    lines = [*head_of(draft.mail, 4), "", *text, *attached_to(draft.mail)]
    return "\n".join(map(printable, lines))


def head_of(mail: EmailMessage, most: int = len(_HEAD)) -> list[str]:
    """Return the first headers of a message that are shown."""
    return [f"{name}: {mail[name]}" for name in _HEAD[:most] if mail[name] is not None]


def attached_to(mail: EmailMessage) -> list[str]:
    """Return what is attached to a message."""
    return [
        (
            f"Attached: {part.get_filename()} ({part.get_content_type()}, "
            f"{len(part.get_payload(decode=True))} bytes)"
        )
        for part in mail.iter_attachments()
    ]


def reply_page(replay: Replay, whose: int | None) -> str:
    """Return the page on which a player makes a move: ``whose``, by default the player to move."""
    seat = replay.state.seat if whose is None else whose
    own = seat_of_user(replay)
    # Readers who write to themselves fill in the address of whoever plays their moves.
    sender = None if own == seat else from_player("" if own is None else replay.holders[own])
    address = sender.address if sender else ""
    offers = offers_to(replay, seat, address=address, private=whose is not None)
    return turn_page(replay, seat, offers)
