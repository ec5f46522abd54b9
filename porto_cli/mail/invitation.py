"""The mail with a sealed game that is still being set up: it asks the next player to take part."""

from __future__ import annotations

from datetime import datetime

from porto_cli.core.command_errors import refuse, usage
from porto_cli.core.message import Sentence, say
from porto_cli.core.quoting import option
from porto_cli.mail.addresses import address_book, mailbox
from porto_cli.mail.compose import Parcel, Wish, from_player, is_an_address
from porto_cli.mail.html import html
from porto_cli.mail.letter import Kind, Letter, Part, both, game_and_title
from porto_cli.mail.message import envelope
from porto_cli.mail.text import text
from porto_cli.mail.threads import attachment_name, signed_ids
from porto_cli.match.command_lines import word_of
from porto_cli.match.sealed_setup import Beginning
from porto_cli.settings import own_seat


def invite(begun: Beginning, wish: Wish, date: datetime) -> Parcel:
    """Return the message to who is next to join or to unlock.

    Raises RefusedError if that is who writes, WrongUsageError for a wish that makes no sense yet,
    NoAddressError, InvalidFileError, FileError.
    """
    players = begun.chain.players
    by = begun.next
    assert by is not None
    if wish.private or wish.page:
        usage(
            say(
                "The game is still being set up, so that there is no table to be shown; leave out "
                "--private and --page."
            )
        )
    sender = wish.seat if wish.seat is not None else own_seat(players)
    sender = begun.chain.steps[-1].by if sender is None else sender
    if sender == by and not wish.to:
        refuse(
            say("It is {player}'s turn, who would write this mail: to join.", player=players[by]),
            suggestions=[f"porto join {word_of(begun.record.file)}"],
        )
    book = address_book()
    given = [mailbox(one) for one in wish.to if is_an_address(players, one)]
    found = book.of(players[by])
    to = given or ([found] if found else [])
    others = [name for nth, name in enumerate(players) if wish.copies and nth not in (by, sender)]
    told = letter(begun, by, players[sender])
    mail = envelope(
        told.subject,
        text(told, None),
        html(told, None),
        begun.record,
        signed_ids(begun.chain),
        sender=from_player(players[sender]),
        to=to,
        copies=[one for name in others if (one := book.of(name))],
        date=date,
    )
    missing = () if to else (players[by],)
    return Parcel(mail, (by,), missing, tuple(name for name in others if not book.of(name)))


def letter(begun: Beginning, by: int, sender: str) -> Letter:
    """Return what the mail says to who is next."""
    players = begun.chain.players
    reader = players[by]
    name = attachment_name(begun.record)
    facts: dict[str, object] = {
        "game": game_and_title(begun.record),
        "reader": reader,
        "sender": sender,
        "players": both([one for one in players if one not in (reader, sender)]),
        "others": both([one for one in players if one != reader]),
        "done": begun.done,
        "stations": begun.hops,
        "file": name,
    }
    subject = say("{game}: {reader} is to join, station {next} of {stations}", **facts,
                  next=begun.done + 1)  # fmt: skip
    join = f"porto join {word_of(name)} {option('--as', reader)}"
    first = by >= len(begun.setup.joins)
    invited = _INVITED if len(players) > 2 else _INVITED_ALONE
    parts = [
        _text(invited if first else _AGAIN, facts),
        Part(Kind.HEADING, str(say("What can be done now"))),
        _text(_SAVE, facts),
        Part(Kind.COMMAND, join),
        _text("Then this writes the mail to whoever is next:", facts),
        Part(Kind.COMMAND, f"porto mail {word_of(name)}"),
        Part(Kind.HEADING, str(say("What that is"))),
        _text(_SEALED, facts),
        _text(_STATIONS, facts),
    ]
    return Letter(str(subject), tuple(parts), None)


def _text(template: str, facts: dict[str, object]) -> Part:
    sentence: Sentence = say(template, **facts)
    return Part(Kind.TEXT, str(sentence))


_INVITED = "{reader}, {sender} asks you to a sealed game of {game}, with {players}."
_INVITED_ALONE = "{reader}, {sender} asks you to a sealed game of {game}."
_AGAIN = "{reader}, the sealed game with {others} comes to you once more before it begins."
_SAVE = (
    "Save the attached file {file}, over the one that you may have of this game (or give this mail "
    "to 'porto receive'), and type this command in its folder:"
)
_SEALED = (
    "In a sealed game nobody can see what others hold, or what will come up, and nobody can choose "
    "it: what would be on a server is in the file, locked with everybody's keys. Your key is made "
    "when you join, and stays on your computer. 'man porto-sealed' tells what is proven, and what "
    "is not."
)
_STATIONS = (
    "The file goes around the table before the first turn: it was at {done} of {stations} stations."
)
