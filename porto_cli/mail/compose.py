"""From a game to the message that is due: who writes to whom, at which addresses.

Of a sealed game that is still being set up, that is an invitation to the next player.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from email.message import EmailMessage
from functools import partial
from typing import NamedTuple

from porto_cli.core.message import enumerated, refuse, shown, usage, word_of
from porto_cli.game import OVER
from porto_cli.mail.addresses import (
    HTML,
    PROGRAM,
    AddressBook,
    Mailbox,
    address_book,
    mailbox,
)
from porto_cli.mail.letter import (
    Letter,
    can_answer_in_words,
    decision,
    invitation,
    letter,
    page_name,
    rules_name,
)
from porto_cli.mail.message import message
from porto_cli.mail.threads import attachment_name, message_ids, signed_ids
from porto_cli.mail.turn_page import turn_page
from porto_cli.match.names import seats_of
from porto_cli.match.ordered import was_ordered
from porto_cli.match.replay import Replay, last_of_people, turn_of_a_bot
from porto_cli.match.seats import titled
from porto_cli.pages import table_html
from porto_cli.sealed.setup import Beginning
from porto_cli.settings import own_seat, settings


class Wish(NamedTuple):
    """What the user asked for.

    ``seat``     who writes, if named
    ``to``       players or addresses to write to instead of who is next
    ``copies``   the other players get a copy
    ``private``  the secrets of the reader are in it
    ``page``     the table is attached as an HTML page
    ``html``     it is HTML as well, unless one of its recipients wants text alone
    ``note``     a sentence above the news
    ``prefix``   what stands before its subject
    ``again``    what tells it from another one that says the same
    ``unseen``   not even its writer sees it before it is sent
    ``writer``   the name of who writes, if that is somebody who has left
    """

    seat: int | None = None
    to: tuple[str, ...] = ()
    copies: bool = False
    private: bool = False
    page: bool = False
    html: bool = True
    note: str | None = None
    prefix: str = ""
    again: str = ""
    unseen: bool = False
    writer: str = ""


class Parcel(NamedTuple):
    """A message, and what is not in its head.

    ``readers``  the seats that it is written for
    ``missing``  recipients whose addresses are not known
    ``left_out`` players who would get a copy, but whose addresses are not known
    """

    mail: EmailMessage
    readers: tuple[int, ...]
    missing: tuple[str, ...]
    left_out: tuple[str, ...]


class Addressed(NamedTuple):
    """Who writes to whom.

    ``sender``    the seat of the writer, if that is known
    ``writer``    the mailbox that the mail is from, if one is set
    ``commands``  whether commands are of use to the readers
    ``html``      whether none of the recipients wants text alone
    ``alone``     whether the one reader is the only recipient
    ``missing``, ``left_out``  see :class:`Parcel`
    """

    sender: int | None
    writer: Mailbox | None
    readers: tuple[int, ...]
    to: tuple[Mailbox, ...]
    copies: tuple[Mailbox, ...]
    commands: bool
    html: bool
    alone: bool
    missing: tuple[str, ...]
    left_out: tuple[str, ...]


def addressed(replay: Replay, wish: Wish) -> Addressed:
    """Return who the message that is due is from, and whom it goes to.

    Raises RefusedError if it is the sender's own turn, WrongUsageError for an unknown player,
    NoAddressError, InvalidFileError, FileError.
    """
    players = replay.holders
    book = address_book()
    sender = who_writes(replay, wish)
    named = [_reader(replay, one) for one in wish.to if not is_an_address(players, one)]
    given = [mailbox(one) for one in wish.to if is_an_address(players, one)]
    readers = tuple(dict.fromkeys(named)) or _due(replay, sender, at_any_rate=bool(given))
    if wish.private and given and not named:
        usage(
            "With --private the mail has the secrets of its reader, and it is not known "
            f"which player reads at {given[0].address}. Name the player with --to, and "
            "store the address with: porto address NAME ADDRESS"
        )
    if wish.private and len(readers) + max(0, len(given) - 1) != 1:
        usage(
            "With --private the mail has the secrets of one player, so it cannot go to "
            f"{enumerated([players[seat] for seat in readers])}. Name one player with --to."
        )
    if wish.private and wish.copies:
        usage(
            "With --private the mail has the secrets of its reader, so nobody else can "
            "get a copy. Leave out --private or --cc."
        )
    written_for = readers if named or not given else ()
    commands = (
        bool(given)
        or len(written_for) != 1
        or book.has(players[written_for[0]], PROGRAM)
        or not can_answer_in_words(replay.record)
    )
    found = {seat: book.of(players[seat]) for seat in range(len(players))}
    to = [*given, *(one for seat in written_for if (one := found[seat]))]
    others = [
        seat for seat in replay.people if wish.copies and seat not in readers and seat != sender
    ]
    if others and not commands:
        reader = players[readers[0]]
        usage(
            f"The mail to {players[readers[0]]}, who plays without the program, has what "
            f"only {reader} may know, so nobody else can get a copy. Leave out --cc; to "
            "write to the others, name them with --to."
        )
    copies = tuple(one for seat in others if (one := found[seat]))
    return Addressed(
        sender,
        from_player(wish.writer if sender is None else players[sender]),
        readers,
        tuple(to),
        copies,
        commands,
        _all_read_html(book, [*to, *copies]),
        len(readers) == 1 and not given and not others,
        tuple(players[seat] for seat in written_for if not found[seat]),
        tuple(players[seat] for seat in others if not found[seat]),
    )


def compose(replay: Replay, wish: Wish, date: datetime) -> Parcel:
    """Return the message that is due. What only the player to move has seen come up in a sealed
    game is in it if that player is the only reader, and ``private``. A mail to nobody but a player
    without the program always is private, and has no commands.

    Raises what :func:`addressed` and :func:`message` raise.
    """
    whom = addressed(replay, wish)
    private = wish.private or not whom.commands
    replay = _readable(replay, whom.readers, private=private)
    write = partial(
        letter,
        replay,
        whom.readers,
        wish.writer or ("the sender" if whom.sender is None else replay.holders[whom.sender]),
        private=private,
        alone=whom.alone and (private or wish.unseen),
        commands=whom.commands,
        address=whom.writer.address if whom.writer else "",
        note=wish.note,
    )
    contents = write()
    pages = _pages(replay, whom, contents, wish)
    contents = write(attached=[*pages]) if pages else contents
    mail = message(
        contents._replace(subject=f"{wish.prefix}{contents.subject}"),
        replay.record,
        message_ids(replay),
        sender=whom.writer,
        to=whom.to,
        copies=whom.copies,
        date=date,
        pages=pages,
        html=wish.html and whom.html,
        again=wish.again,
    )
    return Parcel(mail, whom.readers, whom.missing, whom.left_out)


def _pages(replay: Replay, whom: Addressed, contents: Letter, wish: Wish) -> dict[str, str]:
    """Return the pages that go with a letter, by their names: the table on which its reader can
    click a move if it is an answer, and the rules for who does not have the program, until the
    first move.
    """
    pages = {}
    if not whom.commands and not any(step.seat in whom.readers for step in replay.turns()):
        pages[rules_name(replay)] = _rules_sheet(replay)
    if wish.page:
        offers, (seat, *_) = contents.offers, whom.readers
        pages[page_name(replay, with_moves=offers is not None)] = (
            turn_page(replay, seat, offers, attachment_name(replay.record))
            if offers
            else table_html(replay, contents.seat)
        )
    return pages


def _rules_sheet(replay: Replay) -> str:
    """Return the rules of a game on one page, as ``porto rules`` has them."""
    from porto_cli.installed import rulings_of
    from porto_cli.paper import BOLD, Heading, Items, Node, Paragraph
    from porto_cli.paper.page import page

    meta = replay.game.meta
    body: list[Node] = []
    for section in (*rulings_of(meta.id).card(), *replay.game.shown.in_brief()):
        lines = [Paragraph([text], first=[(f"{label}: ", BOLD)]) for label, text in section.lines]
        body += [Heading(section.title), Items(lines)]
    return page(meta.title, [], body)


def _all_read_html(book: AddressBook, recipients: Sequence[Mailbox]) -> bool:
    """Return whether none of the recipients, by their addresses, wants text alone."""
    names = [name for one in recipients for name in book.at(one.address)]
    return all(book.has(name, HTML) for name in names)


def _readable(replay: Replay, readers: Sequence[int], *, private: bool) -> Replay:
    """Return a game as the readers may know it: of a sealed game nothing that takes the keys of
    this computer, unless it is for their owner.
    """
    sealed = replay.sealed
    if sealed is None:
        return replay
    own = {seat for seat, by in enumerate(sealed.order) if by in sealed.secrets}
    if private and own.issuperset(readers):
        return replay.known_to(readers[0] if len(readers) == 1 else None)
    from porto_cli.match.match import opened
    from porto_cli.sealed.holder import KeyHolder

    return opened(replay.record, KeyHolder())


def who_writes(replay: Replay, wish: Wish) -> int | None:
    """Return the seat of the writer: who was named, else the user, else who moved last; ``None``
    if it is nobody at the table.
    """
    bots = replay.bot_seats
    if wish.writer:
        return None
    if wish.seat is not None:
        if wish.seat in bots:
            player = replay.holders[wish.seat]
            usage(f"{titled(player, bots[wish.seat])} does not write mail.")
        return wish.seat
    own = own_seat(replay.holders, replay.players)
    if own is not None and own not in bots:
        return own
    place = last_of_people(replay)
    while place >= 0 and was_ordered(replay, place):
        place = last_of_people(replay, place)
    if bots and place < 0:
        return replay.people[0]
    return replay.steps[place].seat if place >= 0 else None


def _due(replay: Replay, sender: int | None, *, at_any_rate: bool) -> tuple[int, ...]:
    """Return the seats of the readers: who is to move, or all when the game is over; no bots."""
    players, bots = replay.holders, replay.bot_seats
    if replay.state.phase == OVER:
        all_people = replay.people
        return tuple(seat for seat in all_people if seat != sender) or (all_people[0],)
    waiting = replay.game.to_move(replay.state)
    asked = tuple(seat for seat in decision(replay) if seat != sender)
    if asked:
        return asked
    if bots and not any(seat in replay.people for seat in waiting):
        refuse(*turn_of_a_bot(replay))
    others = tuple(seat for seat in waiting if seat != sender)
    if others or at_any_rate:
        return others or waiting
    player = enumerated([players[seat] for seat in waiting])
    refuse(
        f"It is the turn of {player}, who would write this mail, so make the move first. "
        "To name another writer, add --as NAME; to write to somebody else, --to NAME."
    )


def is_an_address(players: Sequence[str], word: str) -> bool:
    """Return whether a word is an address; the names of players may have an @ as well."""
    return "@" in word and not seats_of(players, word)


def _reader(replay: Replay, name: str) -> int:
    """Return the seat of a player who is named and reads mail."""
    players, bots = replay.holders, replay.bot_seats
    seats = seats_of(players, name)
    if len(seats) != 1:
        usage(
            f"{shown(name)} is neither an e-mail address nor the name of one player; the "
            f"players are {', '.join(players)}."
        )
    if seats[0] in bots:
        usage(f"{titled(players[seats[0]], bots[seats[0]])} does not get mail.")
    return seats[0]


def from_player(name: str) -> Mailbox | None:
    """Return who the mail of a player is from: by the settings, else by the address book.

    The name is empty if the sender is not known.
    """
    own = settings().mail.sender
    if own:
        found = mailbox(own)
        return found if found.name else Mailbox(name, found.address)
    return address_book().of(name) if name else None


def invite(begun: Beginning, wish: Wish, date: datetime) -> Parcel:
    """Return the message to the player who is next to join or to unlock.

    Raises RefusedError if that is the writer, WrongUsageError for a wish that makes no sense yet,
    NoAddressError, InvalidFileError, FileError.
    """
    players = begun.chain.players
    by = begun.next
    assert by is not None
    if wish.private or wish.page:
        usage(
            "The game is still being set up, so there is no table to show. Leave out "
            "--private and --page."
        )
    sender = wish.seat if wish.seat is not None else own_seat(players)
    sender = begun.chain.steps[-1].by if sender is None else sender
    if sender == by and not wish.to:
        refuse(
            f"{players[by]} has to join before writing this mail.",
            suggestions=[f"porto join {word_of(begun.record.file)}"],
        )
    book = address_book()
    given = [mailbox(one) for one in wish.to if is_an_address(players, one)]
    found = book.of(players[by])
    to = given or ([found] if found else [])
    others = [name for nth, name in enumerate(players) if wish.copies and nth not in (by, sender)]
    copies = [one for name in others if (one := book.of(name))]
    mail = message(
        invitation(begun, by, players[sender]),
        begun.record,
        signed_ids(begun.chain),
        sender=from_player(players[sender]),
        to=to,
        copies=copies,
        date=date,
        html=wish.html and _all_read_html(book, [*to, *copies]),
    )
    missing = () if to else (players[by],)
    return Parcel(mail, (by,), missing, tuple(name for name in others if not book.of(name)))
