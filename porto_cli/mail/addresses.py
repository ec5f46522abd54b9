"""The e-mail addresses of players: ``addresses.yaml`` in the folder of :mod:`porto_cli.home`.

Addresses are private to the user, so they are in no record, which goes around the table. The file
is read strictly, like a record; each line has a player's name and an address, and maybe what the
player does without.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from porto_cli import home
from porto_cli.core import USAGE, PortoError, SentenceError, cited, enumerated
from porto_cli.core.shell import quoted
from porto_cli.core.yaml import Node, scalar, with_entry
from porto_cli.home import write_own
from porto_cli.kinds import FLAG, Kind, Plain, as_yaml, by, read_all
from porto_cli.match import is_called, seats_of
from porto_cli.settings import NAME

_HEAD = "# Where 'porto mail' sends to; 'porto address' lists and changes it.\n"
_ONE_A_LINE = (
    "Each line has one player with an address, like: Rui: rui@example.org; or like: Rui: "
    "{address: rui@example.org, program: false, html: false}"
)
_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_ADDRESS = re.compile(
    rf"(?=.{{1,254}}\Z)(?=.{{1,64}}@)(?!.*=\?){_ATOM}(?:\.{_ATOM})*@{_LABEL}(?:\.{_LABEL})*"
)
"""At most as long as mail servers must accept (RFC 5321), and without the start of an encoded word,
which some programs would decode."""
_WITH_NAME = re.compile(
    r'\s*(?:"(?P<quoted>[^"\\]*)"|(?P<name>[^<>"]*?))\s*<(?P<address>[^<>]*)>\s*'
)


class NoAddressError(SentenceError, ValueError):
    """A text that is not an e-mail address."""

    exit_code = USAGE


class Mailbox(NamedTuple):
    """A sender or recipient: a name, which may be empty, and an address, in ASCII."""

    name: str
    address: str


def mailbox(text: str) -> Mailbox:
    """Return the mailbox of ``rui@example.org`` or ``Rui <rui@example.org>``.

    A domain in other letters is converted to the form of servers. Raises NoAddressError, also for
    anything that could start another header.
    """
    found = _WITH_NAME.fullmatch(text) if text.isprintable() else None
    name, address = "", text
    if found:
        name = found["quoted"] if found["quoted"] is not None else found["name"].strip()
        address = found["address"]
    local, _, domain = address.partition("@")
    if domain and not local.isascii():
        raise NoAddressError(
            f"The address {cited(text)} has letters other than a to z before the @, and "
            "many mail servers do not deliver to such addresses. Use another address."
        )
    try:
        ascii_address = f"{local}@{domain.encode('idna').decode('ascii')}"
    except UnicodeError:
        ascii_address = ""
    if not _ADDRESS.fullmatch(ascii_address):
        raise NoAddressError(
            f"{cited(text)} is not an e-mail address; one looks like rui@example.org."
        )
    return Mailbox(name, ascii_address)


class Entry(NamedTuple):
    """A player's address, as it was typed, and what mail to the player can have."""

    address: str
    program: bool = True
    """Whether the player has this program; otherwise mail has no commands."""
    html: bool = True
    """Whether mail to the player has HTML besides its text."""


class AddressBook(NamedTuple):
    """The addresses of players, by their names."""

    text: str
    """The file as it is; empty if there is none."""
    entries: Mapping[str, Entry] = {}

    def entry(self, player: str) -> Entry:
        """Return the entry of a player; a stranger's has no address."""
        return self.entries.get(self.name_of(player) or "", Entry(""))

    def name_of(self, player: str) -> str | None:
        """Return a player's name in this book: case and accents do not matter, but a longer name is
        a different one.
        """
        if player in self.entries:
            return player
        found = [name for name in self.entries if is_called(name, player)]
        return found[0] if len(found) == 1 else None

    def of(self, player: str) -> Mailbox | None:
        """Return the mailbox of a player, or None if no address is stored."""
        address = self.entry(player).address
        return Mailbox(player, mailbox(address).address) if address else None

    def at(self, address: str) -> list[str]:
        """Return the names of all players with an address."""
        wanted = address.casefold()
        return [
            name
            for name, entry in self.entries.items()
            if wanted and mailbox(entry.address).address.casefold() == wanted
        ]

    def sender(self, name: str, address: str) -> str:
        """Return the name to show for a sender, or nothing if the one in the message will do.

        A sender with only an address is shown by name; if the name in the message does not belong
        to this address, or belongs to another one, the address is shown as well.
        """
        owners = self.at(address)
        called_so = [entry for entry in self.entries if _is_called(entry, name)]
        if not name:
            return " / ".join(owners)
        if address and owners + called_so and not set(owners) & set(called_so):
            return f"{name} <{address}>"
        return ""

    def with_entry(self, name: str, entry: Entry) -> str:
        """Return the text of the file with an entry, in place of an old one of that name."""
        facts = {key: fact for key, fact in entry._asdict().items() if fact is not True}
        value: Plain = facts if facts.keys() - {"address"} else entry.address
        line = f"{scalar(name)}: {as_yaml(value)}"
        return with_entry(self.text or _HEAD, self.name_of(name) or name, line)

    def without(self, name: str) -> str:
        """Return the text of the file without the entry of a name that it has."""
        return with_entry(self.text, name, "")


def _is_called(entry: str, name: str) -> bool:
    """Return whether the name in a message may be a player's in the address book."""
    if not name:
        return False
    is_a_word = any(is_called(entry, word) for word in name.split())
    return is_a_word or bool(seats_of([entry], name) or seats_of([name], entry))


def path() -> Path:
    """Return the path of the file, which may not exist. Raises FileError."""
    return home.folder() / home.ADDRESSES


def address_book() -> AddressBook:
    """Return the addresses; none where there is no file. Raises FileError, InvalidFileError."""
    return read_book(home.text_of(path()) or "", str(path()))


@lru_cache(maxsize=1)
def read_book(text: str, file: str) -> AddressBook:
    """Return the addresses of a text; ``file`` names it in errors. Raises InvalidFileError."""
    root = home.mapping_of(text, file, _ONE_A_LINE)
    if root is None:
        return AddressBook(text)
    return AddressBook(text, by(NAME, Kind(_entry)).read(root, None))


def _entry(node: Node, _: object) -> Entry:
    """Read an entry: an address, maybe with what the player does without."""
    if node.is_mapping:
        kinds = {"address": _OF_ENTRY, "program": FLAG, "html": FLAG}
        return Entry(**read_all(kinds, node, required=["address"]))
    return Entry(_OF_ENTRY.read(node, None))


def _address(node: Node, _: object) -> str:
    try:
        mailbox(node.text())
    except NoAddressError as error:
        node.fail(error.sentence)
    return node.text()


_OF_ENTRY = Kind(_address)


def save(text: str) -> None:
    """Write the file, and its folder if need be, for the user alone. Raises FileError."""
    file = path()
    read_book(text, str(file))
    write_own(file, text)


def not_stored(players: Sequence[str], *, or_name_it: bool = True) -> list[str]:
    """Return what to do about players without a known address; nothing if there are none."""
    if not players:
        return []
    other = ", or name it for this mail with '--to name@example.org'" if or_name_it else ""
    return [
        f"No e-mail address is stored for {', '.join(players)}. Store it for all games with "
        f"'{how_to_store(players[0])}'{other}."
    ]


def without_the_program(players: Sequence[str]) -> list[str]:
    """Warn if players of a game in which everybody signs do not have the program, according to the
    address book. One that cannot be read keeps nobody from playing.
    """
    without: list[str] = []
    with suppress(PortoError):
        book = address_book()
        without = [player for player in players if not book.entry(player).program]
    if not without:
        return []
    return [
        "Every player signs in this game, which takes the program; according to the address book "
        f"{enumerated(without)} {'do' if without[1:] else 'does'} not have it. If that has "
        "changed: porto address NAME --program"
    ]


def how_to_store(player: str) -> str:
    """Return the command that stores an address."""
    return f"porto address {quoted(player)} ADDRESS"
