"""What a user has set once for all games: ``config.yaml`` in the folder of :mod:`porto_cli.home`,
and who the user is, which ``PORTO_PLAYER`` can say as well.

The file is read strictly, like a record: what is wrong in it is told with its place. Where there
is none nothing is set, and looking for it costs next to nothing.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from porto_cli import home
from porto_cli.core.errors import FileError
from porto_cli.core.message import say

if TYPE_CHECKING:
    from porto_cli.core.schema import Reader
    from porto_cli.core.yaml import Mapping, Node

PLAYER = "PORTO_PLAYER"
"""The environment variable that says who the user is; empty, that nobody knows."""
FILE = "config.yaml"

COLORS = ("auto", "always", "never")
LANGUAGES = ("en",)
PAGES = ("auto", "light", "dark")
STARTTLS, TLS, NO_SECURITY = "starttls", "tls", "none"
PORTS = {STARTTLS: 587, TLS: 465, NO_SECURITY: 25}
"""How a connection to a mail server is made safe, and the port that is usual then."""
KEYRING = "keyring"


class Mail(NamedTuple):
    """How mail is sent. What is empty was not set.

    ``sender``            who it is from, like ``Ana <ana@example.org>`` (the key ``from``)
    ``security``          ``starttls``, ``tls``, or ``none`` for a server on this computer
    ``user``              the name to log in with; empty for no login
    ``keyring``           the password is in the system's keyring
    ``password_command``  or it is what this command prints
    """

    sender: str = ""
    server: str = ""
    port: int = PORTS[STARTTLS]
    security: str = STARTTLS
    user: str = ""
    keyring: bool = False
    password_command: str = ""


class Settings(NamedTuple):
    """What ``config.yaml`` says.

    ``me``        the names that the user has at the tables, the usual one first
    ``color``     ``--color`` where it is left out: ``auto``, ``always`` or ``never``
    ``plain``     ``--plain`` where it is left out
    ``language``  the language of messages
    ``page``      whether pages and pictures are ``light``, ``dark``, or (``auto``) as their reader
                  prefers
    """

    me: tuple[str, ...] = ()
    color: str = "auto"
    plain: bool = False
    language: str = "en"
    page: str = "auto"
    mail: Mail = Mail()


class Me(NamedTuple):
    """Who the user is.

    ``names``   the names at the tables, the usual one first; none if nobody has said
    ``source``  what says so: ``PORTO_PLAYER``, or the path of the file; empty if nothing does
    """

    names: tuple[str, ...] = ()
    source: str = ""


def me() -> Me:
    """Return who the user is: what ``PORTO_PLAYER`` says, else ``config.yaml``.

    ``PORTO_PLAYER`` that is empty says that nobody is to be assumed. Raises InvalidFileError,
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

    Names match as ``--as`` does. Of several names one that somebody has in full comes first, then
    the one that was set first. Raises InvalidFileError, FileError.
    """
    names = me().names
    return seat_among(players, names) if names else None


def seat_among(players: Sequence[str], names: Sequence[str]) -> int | None:
    """Return the seat of whoever has these names, see :func:`own_seat`."""
    from porto_cli.match.record import seat_of

    found = [(seat, name) for name in names if (seat := seat_of(players, name)) is not None]
    whole = [seat for seat, name in found if seat_of([name], players[seat]) is not None]
    return next(iter([*whole, *(seat for seat, _ in found)]), None)


def path() -> Path:
    """Return where the settings are; there need not be any. Raises FileError."""
    return home.folder() / FILE


def settings() -> Settings:
    """Return what is set; the defaults where there is no file.

    Raises InvalidFileError for a file that says what cannot be, FileError for one that cannot be
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
        raise FileError(say("{file} should hold your settings, and is no file.", file=file))
    try:
        data = file.read_bytes()
    except OSError as error:
        raise FileError(
            say("{file} cannot be read: {reason}.", file=file, reason=error.strerror)
        ) from None
    from porto_cli.core.yaml import decode

    return decode(data, str(file))


@lru_cache(maxsize=1)
def read(text: str, file: str) -> Settings:
    """Return the settings of a text; ``file`` names it in errors. Raises InvalidFileError."""
    from porto_cli.core import yaml
    from porto_cli.core.schema import Reader

    if says_nothing(text):
        return Settings()
    root = yaml.read(
        text,
        file,
        wanted=say("The file should hold keys with values, one below the other, like: me: Ana"),
    )
    reader = Reader(file)
    reader.keys(root, (), Settings._fields)
    if not root.block:
        reader.fail(root, say("The keys have to stand one below the other."))
    entries = root.entries
    found = Settings()
    if "me" in entries:
        found = found._replace(me=_names(entries["me"], reader))
    if "color" in entries:
        found = found._replace(color=reader.one_of(entries["color"], "color", COLORS))
    if "plain" in entries:
        found = found._replace(plain=reader.flag(entries["plain"], "plain"))
    if "language" in entries:
        found = found._replace(language=reader.one_of(entries["language"], "language", LANGUAGES))
    if "page" in entries:
        found = found._replace(page=reader.one_of(entries["page"], "page", PAGES))
    if "mail" in entries:
        found = found._replace(mail=_mail(reader.mapping(entries["mail"], "mail"), reader))
    return found


def says_nothing(text: str) -> bool:
    """Tell whether a text has comments and empty lines only."""
    lines = (line.strip() for line in text.removeprefix("\ufeff").splitlines())
    return all(not line or line.startswith("#") for line in lines)


def _names(node: Node, reader: Reader) -> tuple[str, ...]:
    from porto_cli.core.yaml import Sequence as List
    from porto_cli.match.record import name_fault

    texts = (
        reader.texts(node, "me") if isinstance(node, List) else [(reader.text(node, "me"), node)]
    )
    if not texts:
        reader.fail(node, say("Under 'me' there should be a name, like: me: Ana"))
    names: list[str] = []
    for name, place in texts:
        fault = name_fault(name)
        if fault:
            reader.fail(place, fault)
        if name in names:
            reader.fail(place, say("The name {name!r} stands here a second time.", name=name))
        names.append(name)
    return tuple(names)


_MAIL = ("from", "server", "port", "security", "user", "password")


def _mail(node: Mapping, reader: Reader) -> Mail:
    reader.keys(node, (), _MAIL)
    entries = node.entries
    found = Mail()
    if "from" in entries:
        found = found._replace(sender=_address(entries["from"], reader))
    if "server" in entries:
        found = found._replace(server=_word(entries["server"], "server", reader))
    if "security" in entries:
        security = reader.one_of(entries["security"], "security", PORTS)
        if security == NO_SECURITY and not is_loopback(found.server):
            reader.fail(
                entries["security"],
                say(
                    "'security: none' is for a server on this computer, like localhost: everybody "
                    "between you and another one could read the password. Write 'starttls' or "
                    "'tls'."
                ),
            )
        found = found._replace(security=security, port=PORTS[security])
    if "port" in entries:
        found = found._replace(port=reader.number(entries["port"], "port", least=1, most=65535))
    if "user" in entries:
        found = found._replace(user=_word(entries["user"], "user", reader))
    if "password" in entries:
        if not found.user:
            reader.fail(
                node.keys["password"],
                say("A password needs the key 'user' beside it: the name to log in with."),
            )
        found = _with_password(found, entries["password"], reader)
    return found


def _with_password(found: Mail, node: Node, reader: Reader) -> Mail:
    """Read where the password is. A text that could be one is not repeated."""
    from porto_cli.core.yaml import Mapping, Scalar

    if isinstance(node, Scalar) and node.text == KEYRING:
        return found._replace(keyring=True)
    if not isinstance(node, Mapping):
        reader.fail(
            node,
            say(
                "Under 'password' there should be 'keyring', or 'command:' with a command that "
                "prints the password; the password itself does not belong into a file."
            ),
        )
    reader.keys(node, ("command",))
    command = reader.text(node.entries["command"], "command")
    if not command.strip():
        reader.fail(node.entries["command"], say("Under 'command' there should be a command."))
    return found._replace(password_command=command)


def _address(node: Node, reader: Reader) -> str:
    text = reader.title(node, "from").strip()
    name, _, host = text.rpartition("@")
    if not name or not host:
        reader.fail(
            node,
            say(
                "Under 'from' there should be an address, like 'Ana <ana@example.org>', not "
                "{text!r}.",
                text=text,
            ),
        )
    return text


def _word(node: Node, key: str, reader: Reader) -> str:
    text = reader.title(node, key)
    if not text or text.split() != [text]:
        reader.fail(
            node,
            say(
                "Under {key!r} there should be a name without blanks, not {text!r}.",
                key=key,
                text=text,
            ),
        )
    return text


def is_loopback(server: str) -> bool:
    """Tell whether a server is on this computer, so that nobody listens on the way to it."""
    if server.lower() == "localhost":
        return True
    from ipaddress import ip_address

    try:
        return ip_address(server.strip("[]")).is_loopback
    except ValueError:
        return False
