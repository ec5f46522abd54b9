"""The settings of the user: ``config.yaml`` in the folder of :mod:`porto_cli.home`.

The file is read strictly, like a record, with positioned errors. It need not exist; commands that
can do without it ask :mod:`porto_cli.user`, which loads this module only if the file exists.

:data:`KEYS` is the table of all keys, from which their reading, the errors about them, and the
types and defaults in porto-config(5) follow.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from ipaddress import ip_address
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

from porto_cli import home
from porto_cli.core import FileError, cited, enumerated
from porto_cli.core.yaml import InvalidFileError, Node, with_entry
from porto_cli.home import write_own
from porto_cli.kinds import FLAG, Kind, as_yaml, by, many, number, word
from porto_cli.match import name_fault

STARTTLS, TLS, NO_SECURITY = "starttls", "tls", "none"
PORTS = {STARTTLS: 587, TLS: 465, NO_SECURITY: 25}
"""The ways to secure the connection to a mail server, each with its usual port."""
INBOX_PORTS = {STARTTLS: 143, TLS: 993, NO_SECURITY: 143}
"""The same for reading a mailbox by IMAP."""
KEYRING = "keyring"


class Inbox(NamedTuple):
    """Where mail is read. Empty attributes are not set.

    ``path``     a maildir, an mbox or a folder of messages
    ``account``  alternatively a server to log in to by IMAP, and ``folder``, the folder there
    """

    path: str = ""
    account: Mail | None = None
    folder: str = "INBOX"

    @property
    def name(self) -> str:
        """The name of the mailbox in sentences; empty if none is set."""
        if self.account:
            return f"{self.folder} at {self.account.server}"
        return self.path


class Mail(NamedTuple):
    """How mail is sent. Empty attributes are not set.

    ``sender``            the sender, like ``Ana <ana@example.org>`` (the key ``from``)
    ``port``              the port of the server, by default the usual one
    ``security``          ``starttls``, ``tls``, or ``none`` for a server on this computer
    ``user``              the name to log in with; empty for no login
    ``password_command``  the command that prints the password; empty if the system's keyring has
                          it, ``None`` if neither is set
    ``inbox``             where mail is read
    """

    sender: str = ""
    server: str = ""
    port: int = 0
    security: str = STARTTLS
    user: str = ""
    password_command: str | None = None
    inbox: Inbox = Inbox()


class Settings(NamedTuple):
    """The contents of ``config.yaml``.

    ``me``        the user's names as a player, the usual one first
    ``color``     the default of ``--color``: ``auto``, ``always`` or ``never``
    ``plain``     the default of ``--plain``
    ``page``      whether pages and pictures are ``light``, ``dark``, or (``auto``) as their reader
                  prefers
    ``players``   programs by the user that play: ``FILE.py:FUNCTION``, with the whole path, by
                  their names in records
    """

    me: tuple[str, ...] = ()
    color: str = "auto"
    plain: bool = False
    page: str = "auto"
    mail: Mail = Mail()
    players: Mapping[str, str] = MappingProxyType({})


# -- Reading


def settings_file() -> Path:
    """Return the file of the settings, which need not exist. Raises FileError."""
    return home.folder() / home.SETTINGS


def settings() -> Settings:
    """Return the settings; the defaults if there is no file.

    Raises InvalidFileError for a file with invalid contents, FileError for one that cannot be
    read.
    """
    try:
        file = settings_file()
    except FileError:
        return Settings()
    return read(home.text_of(file) or "", str(file))


@lru_cache(maxsize=1)
def read(text: str, file: str) -> Settings:
    """Return the settings of a text; ``file`` names it in errors. Raises InvalidFileError."""
    root = home.mapping_of(
        text, file, "The file should hold keys with values, one below the other, like: me: Ana"
    )
    if root is None:
        return Settings()
    # Version 0.2.0 had 'language', which could only be English; later development versions had
    # 'orders', for all games.
    for gone in ("language", "orders"):
        root.keys.pop(gone, None)
    root.mapping((), KEYS)
    return _with_keys(Settings(), KEYS, root)


class Setting(NamedTuple):
    """A key of the settings.

    ``read``    returns the value of a node, given what was read before it in the same mapping;
                ``None`` if the value is not as wanted
    ``wanted``  the possible values, in words
    ``unset``   the effect of leaving it out, in words; empty if the default is a possible value
    ``field``   the attribute that it sets, by default of the same name
    ``keys``    the keys below it
    """

    read: Callable[[Node, Any], Any]
    wanted: str
    unset: str = ""
    field: str = ""
    keys: Mapping[str, Setting] = MappingProxyType({})


_Values = TypeVar("_Values", Settings, Mail, Inbox)


def _with_keys(values: _Values, keys: Mapping[str, Setting], node: Node) -> _Values:
    """Return values, replaced where a mapping sets them. Raises InvalidFileError."""
    for name, key in keys.items():
        field = key.field or name
        if name in node and field in values._fields:
            value = key.read(node[name], values)
            if value is None:
                text = node[name].value
                found = f", not {cited(text)}" if isinstance(text, str) else ""
                node[name].fail(f"Under {cited(name)} there should be {key.wanted}{found}.")
            values = values._replace(**{field: value})
    return values


def _name(node: Node, _: object) -> str:
    fault = name_fault(node.text())
    if fault:
        node.fail(fault)
    return node.text()


NAME = Kind(_name)
"""The name of a player."""
_NAMES = many(NAME, tuple, once=True)


def _me(node: Node, _: object) -> tuple[str, ...] | None:
    return (_NAMES.read(node, _) or None) if isinstance(node.value, list) else (_name(node, _),)


def _player(node: Node, _: object) -> str:
    name = node.text()
    if not name.replace("-", "").replace("_", "").isalnum() or name.isdigit():
        node.fail(
            f"The name {cited(name)} of a player should be a word of letters, digits and '-'."
        )
    return name


def _function(node: Node, _: object) -> str:
    source, _, function = node.text().rpartition(":")
    if not source.endswith(".py") or not function.isidentifier():
        node.fail(
            f"Under {cited(node.name)} there should be a file and a function in it, like: "
            f"{node.name}: ~/players.py:choose"
        )
    return f"{_whole_path(source, node)}:{function}"


def _whole_path(text: str, node: Node) -> str:
    """Return the absolute path of one that may be relative to the folder of the settings."""
    return os.path.abspath(os.path.join(os.path.dirname(node.file), os.path.expanduser(text)))


def _address(node: Node, _: object) -> str | None:
    name, _, host = node.title().strip().rpartition("@")
    return f"{name}@{host}" if name and host else None


def _word(node: Node, _: object) -> str | None:
    text = node.title()
    return text if text.split() == [text] else None


def _security(node: Node, account: Mail) -> str:
    security = node.one_of(PORTS)
    if security == NO_SECURITY and not is_loopback(account.server):
        node.fail(
            "'security: none' is only for a server on this computer, like localhost: "
            "otherwise everybody between you and the server could read the password. Write "
            "'starttls' or 'tls'."
        )
    return security


def is_loopback(server: str) -> bool:
    """Return whether a server is on this computer, so that the connection cannot be tapped."""
    if server.lower() == "localhost":
        return True
    try:
        return ip_address(server.strip("[]")).is_loopback
    except ValueError:
        return False


def _password(node: Node, account: Mail) -> str | None:
    """Return where the password is. Errors never quote the value, which could be a password."""
    if not account.user:
        node.fail("A password needs the key 'user' beside it: the name to log in with.")
    if node.is_mapping:
        node.mapping(("command",), ())
        return _with_keys(account, _PASSWORD, node).password_command
    if node.value != KEYRING:
        node.fail(f"Under 'password' there should be {_PASSWORD_WANTED}.")
    return ""


def _command(node: Node, _: object) -> str | None:
    return node.text() if node.text().strip() else None


def _mail(node: Node, _: object) -> Mail:
    node.mapping((), _MAIL)
    return _with_port(_with_keys(Mail(), _MAIL, node), PORTS)


def _with_port(account: Mail, ports: Mapping[str, int]) -> Mail:
    return account if account.port else account._replace(port=ports[account.security])


_SERVER = re.compile(
    r"(?P<scheme>imaps?)://(?P<server>[^\s/:@]+)(?::(?P<port>\d{1,5}))?(?:/(?P<folder>.*))?"
)


def _inbox(node: Node, sending: Mail) -> Inbox | None:
    """Return where mail is read, by default with the login for sending; ``None`` if the value is
    not as wanted.
    """
    account, folder = sending._replace(sender="", security=TLS, port=0), Inbox().folder
    if node.is_mapping:
        node.mapping(("server",), _INBOX)
        account = _with_keys(account, _INBOX, node)
        folder = _with_keys(Inbox(), _INBOX, node).folder
    elif "://" not in node.title():
        return Inbox(_whole_path(node.title(), node))
    else:
        url = _SERVER.fullmatch(node.title())
        if not url or not 0 < int(url["port"] or 1) <= _LARGEST_PORT:
            return None
        security = TLS if url["scheme"] == "imaps" else STARTTLS
        account = account._replace(
            server=url["server"], port=int(url["port"] or 0), security=security
        )
        folder = url["folder"] or folder
    if not account.user or account.password_command is None:
        node.fail(
            "To read this mailbox, set 'user' and 'password', either beside 'inbox' as for sending "
            "or below it."
        )
    return Inbox(account=_with_port(account, INBOX_PORTS), folder=folder)


# -- The table of the keys


def _one_of(*words: str) -> Setting:
    return Setting(word(*words).read, enumerated([f"'{one}'" for one in words], "or"))


_LARGEST_PORT = 65535
_PASSWORD_WANTED = (
    f"'{KEYRING}', or 'command:' with a command that prints the password; the password itself does "
    "not belong in a file"
)
_PASSWORD = {"command": Setting(_command, "a command", "none", "password_command")}
_ACCOUNT = {
    "server": Setting(
        _word, "a host name or an address, without blanks", "none; required to send mail"
    ),
    "port": Setting(
        number(1, _LARGEST_PORT).read,
        f"a whole number from 1 to {_LARGEST_PORT}",
        enumerated([f"{port} with 'security: {security}'" for security, port in PORTS.items()]),
    ),
    "security": _one_of(*PORTS)._replace(read=_security),
    "user": Setting(_word, "a name without blanks", "no login"),
    "password": Setting(
        _password,
        _PASSWORD_WANTED,
        "no login",
        "password_command",
        _PASSWORD,
    ),
}
_FOLDER = {"folder": Setting(lambda node, _: node.title(), "a text")}
_INBOX = _ACCOUNT | _FOLDER
_MAIL = {
    "from": Setting(
        _address,
        "an e-mail address, like Ana <ana@example.org>",
        "the address of the sender in addresses.yaml",
        "sender",
    ),
    **_ACCOUNT,
    "inbox": Setting(
        _inbox,
        "a server, like imaps://imap.example.org or imaps://imap.example.org:993/INBOX, or the "
        "path of a maildir, an mbox or a folder",
        "no mailbox",
        keys=_FOLDER,
    ),
}
KEYS: Mapping[str, Setting] = {
    "me": Setting(_me, "a name, or a list of names", "no name"),
    "color": _one_of("auto", "always", "never"),
    "plain": Setting(FLAG.read, "'true' or 'false'"),
    "page": _one_of("auto", "light", "dark"),
    "mail": Setting(_mail, "keys with values", "no mail server", keys=_MAIL),
    "players": Setting(
        by(Kind(_player), Kind(_function)).read, "names with functions", "no players"
    ),
}
"""All keys. A key may depend on those before it: ``security: none`` on the server, the password on
the user."""


def all_keys(keys: Mapping[str, Setting] = KEYS, within: str = "") -> Iterator[tuple[str, Setting]]:
    """Yield all keys with their settings; a key in a mapping is named like ``mail: port``."""
    for name, key in keys.items():
        yield within + name, key
        yield from all_keys(key.keys, f"{within}{name}: ")


# -- Writing who the user is


_HEAD = "# Settings of porto; porto-config(5) has all keys.\n"


def write_me(names: Sequence[str]) -> None:
    """Write the names under ``me``, or remove the key if there are none.

    Raises InvalidFileError for invalid settings, FileError for a file that cannot be read or
    written.
    """
    file = settings_file()
    text = home.text_of(file)
    before = read(text or "", str(file))
    wanted = before._replace(me=tuple(names))
    if before == wanted:
        return
    written = names[0] if len(names) == 1 else tuple(names)
    changed = with_entry(
        _HEAD if text is None else text, "me", f"me: {as_yaml(written)}" if names else ""
    )
    with suppress(InvalidFileError):
        if read(changed, str(file)) == wanted:
            write_own(file, changed)
            return
    raise FileError(
        f"The key 'me' in {file} is written in a way that this command cannot "
        "change; use an editor to change it."
    )
