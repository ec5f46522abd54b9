"""When a move in words is played without a question: what ties a message to a player.

Anybody can write a mail, with any name in it. So ``--yes`` plays a move only if the sender is
known, or has the mail that the message answers; and never a move of the user's own.
"""

from __future__ import annotations

from porto_cli.core.message import Sentence, say
from porto_cli.core.quoting import option, quoted
from porto_cli.mail.addresses import AddressBook, address_book
from porto_cli.mail.incoming import Incoming
from porto_cli.match.match import Match
from porto_cli.settings import own_seat


def doubts(message: Incoming, match: Match, seat: int, *, answers_last: bool) -> list[Sentence]:
    """Return why the sender alone is no reason to play a move for a seat; nothing if there is none.

    ``answers_last`` says that the message answers the last mail of the game by its id. Raises
    InvalidFileError, FileError (of the address book or the settings).
    """
    player, address = match.players[seat], message.sender[1]
    facts: dict[str, object] = {
        "player": player,
        "address": address,
        "command": f"porto address {quoted(player)} {quoted(address)}",
        "option": option("--from", player),
    }
    if seat == own_seat(match.players):
        return [say(_OWN, **facts)]
    if not address:
        return [say(_NO_SENDER, **facts)]
    book = address_book()
    if seat in seats_at(book, match, address):
        return []
    known = book.of(player)
    if known:
        return [say(_OTHER_ADDRESS, **facts, known=known.address)]
    others = seats_at(book, match, address)
    if others:
        return [say(_OF_ANOTHER, **facts, other=match.players[min(others)])]
    return [] if answers_last else [say(_UNKNOWN, **facts)]


def seats_at(book: AddressBook, match: Match, address: str) -> set[int]:
    """Return the seats of the people who get their mail at an address."""
    names = book.at(address)
    return {seat for seat in match.people if book.name_of(match.players[seat]) in names}


_OWN = (
    "It would be a move of {player}, and you are {player}: --yes does not play it. If you have "
    "written the message yourself, add: {option}"
)
_NO_SENDER = (
    "Nothing says who has written it, so --yes is not enough to play it. If it was {player}, add: "
    "{option}"
)
_OTHER_ADDRESS = (
    "It is from {address}, but your address book has {known} for {player}, so --yes is not enough "
    "to play it. For this message alone, add: {option}. If the address of {player} has changed: "
    "{command}"
)
_OF_ANOTHER = (
    "It is from {address}, which is the address of {other} in your address book, so --yes is not "
    "enough to play a move of {player}. If {player} has written it, add: {option}"
)
_UNKNOWN = (
    "Nothing shows that {address} is the address of {player}: your address book does not have it, "
    "and the message does not answer the last mail of this game. So --yes is not enough to play "
    "it. For this message alone, add: {option}. To store the address: {command}"
)
