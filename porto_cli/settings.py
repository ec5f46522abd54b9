"""The settings of the user: ``config.yaml`` in the folder of :mod:`porto_cli.home`.

Who the user is can also be set by ``PORTO_PLAYER``. The file is read strictly, like a record, with
positioned errors. It need not exist, and checking for it costs next to nothing.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from porto_cli import home
from porto_cli.core.message import FileError, shown

if TYPE_CHECKING:
    from porto_cli.core.yaml import Node

PLAYER = "PORTO_PLAYER"
"""The environment variable that names the user; if it is empty, no user is assumed."""
FILE = "config.yaml"

COLORS = ("auto", "always", "never")
LANGUAGES = ("en",)
PAGES = ("auto", "light", "dark")
STARTTLS, TLS, NO_SECURITY = "starttls", "tls", "none"
PORTS = {STARTTLS: 587, TLS: 465, NO_SECURITY: 25}
"""How a connection to a mail server is made safe, and the port that is usual then."""
INBOX_PORTS = {STARTTLS: 143, TLS: 993, NO_SECURITY: 143}
"""The same for a mailbox that is read by IMAP."""
KEYRING = "keyring"


class Inbox(NamedTuple):
    """Where mail is read. What is empty was not set.

    ``path``     a maildir, an mbox or a folder of messages
    ``account``  or a server to log in to by IMAP, and ``folder``, its folder there
    """

    path: str = ""
    account: Mail | None = None
    folder: str = "INBOX"

    @property
    def name(self) -> str:
        """Its name in sentences; nothing if none is set."""
        if self.account:
            return f"{self.folder} at {self.account.server}"
        return self.path


class Mail(NamedTuple):
    """How mail is sent. What is empty was not set.

    ``sender``            who it is from, like ``Ana <ana@example.org>`` (the key ``from``)
    ``security``          ``starttls``, ``tls``, or ``none`` for a server on this computer
    ``user``              the name to log in with; empty for no login
    ``keyring``           the password is in the system's keyring
    ``password_command``  or it is what this command prints
    ``inbox``             where mail is read
    """

    sender: str = ""
    server: str = ""
    port: int = PORTS[STARTTLS]
    security: str = STARTTLS
    user: str = ""
    keyring: bool = False
    password_command: str = ""
    inbox: Inbox = Inbox()

    @property
    def has_password(self) -> bool:
        """Whether it is known where the password is."""
        return self.keyring or bool(self.password_command)


class Settings(NamedTuple):
    """The contents of ``config.yaml``.

    ``me``        the names that the user has at the tables, the usual one first
    ``color``     ``--color`` where it is left out: ``auto``, ``always`` or ``never``
    ``plain``     ``--plain`` where it is left out
    ``language``  the language of messages
    ``page``      whether pages and pictures are ``light``, ``dark``, or (``auto``) as their reader
                  prefers
    ``players``   players that the user has written: ``FILE.py:FUNCTION``, with the whole path, by
                  the names that records call them
    """

    me: tuple[str, ...] = ()
    color: str = "auto"
    plain: bool = False
    language: str = "en"
    page: str = "auto"
    mail: Mail = Mail()
    players: Mapping[str, str] = MappingProxyType({})


class Me(NamedTuple):
    """Who the user is.

    ``names``   the names at the tables, the usual one first; none if the user is unknown
    ``source``  where that is set: ``PORTO_PLAYER``, or the path of the file; empty if nowhere
    """

    names: tuple[str, ...] = ()
    source: str = ""


def me() -> Me:
    """Return who the user is: by ``PORTO_PLAYER``, else by ``config.yaml``.

    If ``PORTO_PLAYER`` is empty, no user is assumed. Raises InvalidFileError,
    FileError.
    """
    named = os.environ.get(PLAYER)
    if named is not None:
        return Me((named.strip(),) if named.strip() else (), PLAYER)
    names = settings().me
    return Me(names, str(path()) if names else "")


def own_seat(players: Sequence[str]) -> int | None:
    """Return the seat of the user among the players of a game; ``None`` if the user is not known,
    or does not play, or the name could mean several of them.

    Names match as ``--as`` does. Of several names one that is the full name of a player comes
    first, then the one that was set first. Raises InvalidFileError, FileError.
    """
    names = me().names
    return seat_among(players, names) if names else None


def seat_among(players: Sequence[str], names: Sequence[str]) -> int | None:
    """Return the seat of the player with these names, see :func:`own_seat`."""
    from porto_cli.match.seats import seat_of

    found = [(seat, name) for name in names if (seat := seat_of(players, name)) is not None]
    whole = [seat for seat, name in found if seat_of([name], players[seat]) is not None]
    return next(iter([*whole, *(seat for seat, _ in found)]), None)


def path() -> Path:
    """Return where the settings are; there need not be any. Raises FileError."""
    return home.folder() / FILE


def settings() -> Settings:
    """Return what is set; the defaults where there is no file.

    Raises InvalidFileError for a file with invalid contents, FileError for one that cannot be
    read.
    """
    try:
        file = path()
    except FileError:
        return Settings()
    text = text_of(file)
    return Settings() if text is None else read(text, str(file))


def text_of(file: Path) -> str | None:
    """Return the text of a file of settings; ``None`` if there is none, or none to be seen.

    Raises FileError for one that cannot be read, InvalidFileError for one that is not UTF-8.
    """
    try:
        status = os.stat(file)
    except OSError:
        return None
    if not stat.S_ISREG(status.st_mode):
        raise FileError(f"{file}, which should hold your settings, is not a regular file.")
    try:
        data = file.read_bytes()
    except OSError as error:
        raise FileError(f"{file} cannot be read: {error.strerror}.") from None
    from porto_cli.core.yaml import decode

    return decode(data, str(file))


@lru_cache(maxsize=1)
def read(text: str, file: str) -> Settings:
    """Return the settings of a text; ``file`` names it in errors. Raises InvalidFileError."""
    from porto_cli.core import yaml

    if is_blank(text):
        return Settings()
    root = yaml.read(
        text,
        file,
        wanted="The file should hold keys with values, one below the other, like: me: Ana",
    )
    # Development versions after 0.2.0 had 'orders', for all games.
    former = ("orders",) if "orders" in root else ()
    entries = root.mapping((), (*Settings._fields, *former))
    if not root.block:
        root.fail("The keys have to be on lines of their own, one below the other.")
    readers: dict[str, Callable[[Node], Any]] = {
        "me": _names,
        "color": lambda node: node.one_of(COLORS),
        "plain": lambda node: node.flag(),
        "language": lambda node: node.one_of(LANGUAGES),
        "page": lambda node: node.one_of(PAGES),
        "mail": _mail,
        "players": _players,
    }
    return Settings(**{key: readers[key](entries[key]) for key in readers if key in entries})


def is_blank(text: str) -> bool:
    """Return whether a text has comments and empty lines only."""
    lines = (line.strip() for line in text.removeprefix("\ufeff").splitlines())
    return all(not line or line.startswith("#") for line in lines)


def _texts(node: Node) -> list[tuple[str, Node]]:
    """Return the texts of a list, or a single one, with their places."""
    items = node.items() if isinstance(node.value, list) else [node]
    return [(item.text(), item) for item in items]


def _names(node: Node) -> tuple[str, ...]:
    from porto_cli.match.seats import name_fault

    texts = _texts(node)
    if not texts:
        node.fail("Under 'me' there should be a name, like: me: Ana")
    names: list[str] = []
    for name, place in texts:
        fault = name_fault(name)
        if fault:
            place.fail(fault)
        if name in names:
            place.fail(f"The name {shown(name)} is repeated here.")
        names.append(name)
    return tuple(names)


def _players(node: Node) -> dict[str, str]:
    """Read the players that the user has written. A path is one from the folder of the settings."""
    found = {}
    for name, value in node.mapping().items():
        if not name.replace("-", "").replace("_", "").isalnum() or name.isdigit():
            node.keys[name].fail(
                f"The name {shown(name)} of a player should be a word of letters, digits and '-'."
            )
        source, _, function = value.text().rpartition(":")
        if not source.endswith(".py") or not function.isidentifier():
            value.fail(
                f"Under {shown(name)} there should be a file and a function in it, like: "
                f"{name}: ~/players.py:choose"
            )
        place = os.path.join(os.path.dirname(node.file), os.path.expanduser(source))
        found[name] = f"{os.path.abspath(place)}:{function}"
    return found


_ACCOUNT = ("server", "port", "security", "user", "password")
_MAIL = ("from", *_ACCOUNT, "inbox")
_INBOX = (*_ACCOUNT, "folder")
_SERVER = re.compile(
    r"(?P<scheme>imaps?)://(?P<server>[^\s/:@]+)(?::(?P<port>\d{1,5}))?(?:/(?P<folder>.*))?"
)


def _mail(node: Node) -> Mail:
    entries = node.mapping((), _MAIL)
    found = _account(node, Mail(), PORTS)
    if "from" in entries:
        found = found._replace(sender=_address(entries["from"]))
    if "inbox" in entries:
        found = found._replace(inbox=_inbox(entries["inbox"], found))
    return found


def _account(node: Node, found: Mail, ports: Mapping[str, int]) -> Mail:
    """Read how to reach a server, and who logs in there."""
    entries = node.mapping()
    if "server" in entries:
        found = found._replace(server=_word(entries["server"]))
    if "security" in entries:
        security = entries["security"].one_of(PORTS)
        if security == NO_SECURITY and not is_loopback(found.server):
            entries["security"].fail(
                "'security: none' is for a server on this computer, like localhost: "
                "everybody between you and another one could read the password. Write "
                "'starttls' or 'tls'."
            )
        found = found._replace(security=security, port=ports[security])
    if "port" in entries:
        found = found._replace(port=entries["port"].number(least=1, most=65535))
    if "user" in entries:
        found = found._replace(user=_word(entries["user"]))
    if "password" in entries:
        if not found.user:
            node.keys["password"].fail(
                "A password needs the key 'user' beside it: the name to log in with."
            )
        found = _with_password(found, entries["password"])
    return found


def _inbox(node: Node, sending: Mail) -> Inbox:
    """Read where mail is read; who logs in there is, if not said, who sends."""
    account = sending._replace(sender="", security=TLS, port=INBOX_PORTS[TLS])
    folder = Inbox().folder
    if node.is_mapping:
        node.mapping(("server",), _INBOX)
        account = _account(node, account, INBOX_PORTS)
        if "folder" in node:
            folder = node["folder"].title()
    else:
        text = node.title()
        if "://" not in text:
            place = os.path.join(os.path.dirname(node.file), os.path.expanduser(text))
            return Inbox(path=os.path.abspath(place))
        url = _SERVER.fullmatch(text)
        if not url or not 0 < int(url["port"] or 1) <= 65535:
            node.fail(
                "Under 'inbox' there should be a server, like imaps://imap.example.org or "
                "imaps://imap.example.org:993/INBOX, or the path of a maildir, an mbox or "
                f"a folder, not {shown(text)}."
            )
        security = TLS if url["scheme"] == "imaps" else STARTTLS
        port = int(url["port"] or INBOX_PORTS[security])
        account = account._replace(server=url["server"], port=port, security=security)
        folder = url["folder"] or folder
    if not account.user or not account.has_password:
        node.fail(
            "To read this mailbox there should be 'user' and 'password' beside "
            "'inbox', as for sending, or below it."
        )
    return Inbox(account=account, folder=folder)


def _with_password(found: Mail, node: Node) -> Mail:
    """Read where the password is. A text that could be one is not repeated."""
    if node.value == KEYRING:
        return found._replace(keyring=True, password_command="")
    if not node.is_mapping:
        node.fail(
            "Under 'password' there should be 'keyring', or 'command:' with a command "
            "that prints the password; the password itself does not belong in a file."
        )
    command = node.mapping(("command",), ())["command"].text()
    if not command.strip():
        node["command"].fail("Under 'command' there should be a command.")
    return found._replace(keyring=False, password_command=command)


def _address(node: Node) -> str:
    text = node.title().strip()
    name, _, host = text.rpartition("@")
    if not name or not host:
        node.fail(
            "Under 'from' there should be an address, like 'Ana <ana@example.org>', "
            f"not {shown(text)}."
        )
    return text


def _word(node: Node) -> str:
    text = node.title()
    if not text or text.split() != [text]:
        node.fail(
            f"Under {shown(node.name)} there should be a name without blanks, not {shown(text)}."
        )
    return text


def is_loopback(server: str) -> bool:
    """Return whether a server is on this computer, so that the connection cannot be tapped."""
    if server.lower() == "localhost":
        return True
    from ipaddress import ip_address

    try:
        return ip_address(server.strip("[]")).is_loopback
    except ValueError:
        return False


# -- Writing who the user is


_HEAD = "# Settings of porto; porto-config(5) has all keys."


def write_me(names: Sequence[str]) -> tuple[str, ...]:
    """Write the names under ``me``, or take the key out if there are none.

    Returns what was fixed, and a warning if a power cut could undo it. Raises InvalidFileError for
    a file that cannot be read as settings, FileError for one that cannot be read or written.
    """
    from porto_cli.core.yaml import InvalidFileError
    from porto_cli.keys.private import write_own

    file = path()
    text = text_of(file)
    before = read(text or "", str(file))
    wanted = before._replace(me=tuple(names))
    if before == wanted:
        return ()
    changed = with_me(f"{_HEAD}\n" if text is None else text, names)
    try:
        same = read(changed, str(file)) == wanted
    except InvalidFileError:
        same = False
    if not same:
        raise FileError(
            f"The key 'me' in {file} is written in a way that this command cannot "
            "change; change it with an editor."
        )
    return write_own(file, changed)


def with_me(text: str, names: Sequence[str]) -> str:
    """Return the text of valid settings with other names under ``me``; without any the key goes.

    Comments among the names are moved above them.
    """
    from porto_cli.core.yaml_edit import entry_of, with_entry, without_entry

    entry = entry_of(text, "me")
    line = f"me: {_value(names)}"
    if entry is None:
        return _appended(text, line) if names else text
    return with_entry(text, entry, line) if names else without_entry(text, entry)


def _appended(text: str, line: str) -> str:
    from porto_cli.core.yaml import newline_of
    from porto_cli.core.yaml_edit import nodes_of

    root, newline = nodes_of(text), newline_of(text)
    indent = " " * root.start_mark.column if root else ""
    if text and not text.endswith("\n"):
        text += newline
    return f"{text}{indent}{line}{newline}"


def _value(names: Sequence[str]) -> str:
    from porto_cli.core.yaml import scalar

    written = [scalar(name) for name in names]
    return written[0] if len(written) == 1 else f"[{', '.join(written)}]"
