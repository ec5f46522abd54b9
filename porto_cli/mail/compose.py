"""From a game to the message that is due: who writes to whom, and where they get their mail."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from email.message import EmailMessage
from typing import NamedTuple

from porto_cli.core.command_errors import refuse, usage
from porto_cli.core.message import say
from porto_cli.game import OVER
from porto_cli.mail.addresses import Mailbox, address_book, mailbox
from porto_cli.mail.letter import both, letter
from porto_cli.mail.message import message
from porto_cli.mail.vanished import decision
from porto_cli.match.bots import is_bot, last_of_people, people, titled
from porto_cli.match.bots_due import turn_of_a_bot
from porto_cli.match.record import seats_of
from porto_cli.match.replay import Replay
from porto_cli.settings import own_seat, settings


class Wish(NamedTuple):
    """What was asked for.

    ``seat``     who writes, if that was said
    ``to``       players or addresses to write to instead of who is next
    ``copies``   the other players get a copy
    ``private``  what only the reader may know is in it
    ``page``     the table is attached as a page
    """

    seat: int | None = None
    to: tuple[str, ...] = ()
    copies: bool = False
    private: bool = False
    page: bool = False


class Parcel(NamedTuple):
    """A message, and what its head does not tell.

    ``readers``  the seats that it is written for
    ``missing``  players it is for, whose addresses nobody has told
    ``left_out`` players who would get a copy, likewise
    """

    mail: EmailMessage
    readers: tuple[int, ...]
    missing: tuple[str, ...]
    left_out: tuple[str, ...]


def compose(replay: Replay, wish: Wish, date: datetime) -> Parcel:
    """Return the message that is due. What only the player to move has seen come up in a sealed
    game is in it if that player is the only reader, and ``private``.

    Raises RefusedError if it is the sender's own turn, WrongUsageError for a player that nobody
    is called, NoAddressError, InvalidFileError, FileError.
    """
    players = replay.config.players
    book = address_book()
    sender = who_writes(replay, wish)
    named = [_reader(replay, one) for one in wish.to if not is_an_address(players, one)]
    given = [mailbox(one) for one in wish.to if is_an_address(players, one)]
    readers = tuple(dict.fromkeys(named)) or _due(replay, sender, at_any_rate=bool(given))
    if wish.private and given and not named:
        usage(
            say(
                "With --private the mail says what only its reader may know, and who reads at "
                "{address} is not known; name a player with --to. 'porto address NAME ADDRESS' "
                "says where that player gets mail.",
                address=given[0].address,
            )
        )
    if wish.private and len(readers) + max(0, len(given) - 1) != 1:
        usage(
            say(
                "With --private the mail says what only one player may know, so that it can go to "
                "one player only, not to {players}; name one with --to.",
                players=both([players[seat] for seat in readers]),
            )
        )
    if wish.private and wish.copies:
        usage(
            say(
                "With --private the mail says what only its reader may know, so that nobody else "
                "can have a copy; leave out --private or --cc."
            )
        )
    written_for = readers if named or not given else ()
    found = {seat: book.of(players[seat]) for seat in range(len(players))}
    to = [*given, *(one for seat in written_for if (one := found[seat]))]
    others = [
        seat
        for seat in people(replay.record.bots, len(players))
        if wish.copies and seat not in readers and seat != sender
    ]
    replay = _readable(replay, readers, private=wish.private)
    text = letter(replay, readers, _called(replay, sender), private=wish.private)
    mail = message(
        replay,
        text,
        sender=from_player("" if sender is None else players[sender]),
        to=to,
        copies=[one for seat in others if (one := found[seat])],
        date=date,
        page=wish.page,
    )
    return Parcel(
        mail,
        readers,
        tuple(players[seat] for seat in written_for if not found[seat]),
        tuple(players[seat] for seat in others if not found[seat]),
    )


def _readable(replay: Replay, readers: Sequence[int], *, private: bool) -> Replay:
    """Return a game as the readers may know it: of a sealed game nothing that only the keys of
    this computer can tell, unless it is for their owner.
    """
    sealed = replay.sealed
    if sealed is None:
        return replay
    own = {seat for seat, by in enumerate(sealed.order) if by in sealed.secrets}
    if private and own.issuperset(readers):
        return replay.known_to(readers[0] if len(readers) == 1 else None)
    from porto_cli.match.holder import Holder
    from porto_cli.match.opened import opened

    return opened(replay.record, Holder())


def who_writes(replay: Replay, wish: Wish) -> int | None:
    """Return the seat of who writes: who was named, else the user, else who moved last."""
    bots = replay.record.bots
    if wish.seat is not None:
        if bots and wish.seat in bots.seats:
            player = replay.config.players[wish.seat]
            usage(
                say("{player} writes no mail.", player=titled(player, bots.seats[wish.seat])),
            )
        return wish.seat
    own = own_seat(replay.config.players)
    if own is not None and not is_bot(bots, own):
        return own
    place = last_of_people(bots, replay.steps)
    if bots and place < 0:
        return people(bots, len(replay.config.players))[0]
    return replay.steps[place].seat if place >= 0 else None


def _due(replay: Replay, sender: int | None, *, at_any_rate: bool) -> tuple[int, ...]:
    """Return the seats that are to be written to: who is to move, or all when the game is over.

    Nobody writes to a bot.
    """
    players, bots = replay.config.players, replay.record.bots
    if replay.state.phase == OVER:
        all_people = people(bots, len(players))
        return tuple(seat for seat in all_people if seat != sender) or (all_people[0],)
    waiting = replay.game.to_move(replay.state)
    asked = tuple(seat for seat in decision(replay) if seat != sender)
    if asked:
        return asked
    if bots and not any(seat in people(bots, len(players)) for seat in waiting):
        refuse(*turn_of_a_bot(replay))
    others = tuple(seat for seat in waiting if seat != sender)
    if others or at_any_rate:
        return others or waiting
    refuse(
        say(
            "It is the turn of {player}, who would write this mail; make the move first. "
            "If somebody else writes it, say who with --as; with --to it goes to whom you name.",
            player=both([players[seat] for seat in waiting]),
        )
    )


def is_an_address(players: Sequence[str], text: str) -> bool:
    """Tell addresses from names of players, which may have an @ in them as well."""
    return "@" in text and not seats_of(players, text)


def _reader(replay: Replay, name: str) -> int:
    """Return the seat of a player who is named and reads mail."""
    seat, bots = _seat(replay, name), replay.record.bots
    if bots and seat in bots.seats:
        usage(
            say(
                "{player} gets no mail.",
                player=titled(replay.config.players[seat], bots.seats[seat]),
            )
        )
    return seat


def _seat(replay: Replay, name: str) -> int:
    players = replay.config.players
    seats = seats_of(players, name)
    if len(seats) == 1:
        return seats[0]
    usage(
        say(
            "{name!r} is neither an address nor one player of this game; the players are "
            "{players}.",
            name=name,
            players=", ".join(players),
        )
    )


def _called(replay: Replay, sender: int | None) -> str:
    """Return what readers call who writes."""
    if sender is not None:
        return str(replay.config.players[sender])
    return str(say("who sent it"))


def from_player(name: str) -> Mailbox | None:
    """Return who the mail of a player is from: as the settings say, else as the address book does;
    the name is empty where nobody knows who sends it.
    """
    own = settings().mail.sender
    if own:
        found = mailbox(own)
        return found if found.name else Mailbox(name, found.address)
    return address_book().of(name) if name else None
