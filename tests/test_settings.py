"""The settings of a user: read strictly, and errors name their place."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from platformdirs import user_config_path

from porto_cli import home, settings, user
from porto_cli.core import FileError
from porto_cli.core.yaml import InvalidFileError
from porto_cli.settings import NO_SECURITY, STARTTLS, TLS, Inbox, Mail, Settings
from tests.shares import for_each


@pytest.fixture
def config(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv(home.VARIABLE, str(tmp_path))
    return tmp_path / home.SETTINGS


def read(text: str) -> Settings:
    return settings.read(text, "config.yaml")


ALL = """\
# mine
me: [Ana, Aninha]
color: never
plain: true
page: dark
mail:
  from: Ana <ana@example.org>
  server: smtp.example.org
  port: 465
  security: tls
  user: ana
  password:
    command: pass show mail
players: {mine: players/mine.py:choose}
"""


def test_everything_can_be_set(config: Path) -> None:
    config.write_text(ALL, "utf-8")
    assert settings.settings() == Settings(
        me=("Ana", "Aninha"),
        color="never",
        plain=True,
        page="dark",
        mail=Mail(
            sender="Ana <ana@example.org>",
            server="smtp.example.org",
            port=465,
            security="tls",
            user="ana",
            password_command="pass show mail",
        ),
        players={"mine": f"{config.parent / 'players' / 'mine.py'}:choose"},
    )


def test_the_file_may_come_from_windows(config: Path) -> None:
    config.write_bytes(b"\xef\xbb\xbf" + ALL.replace("\n", "\r\n").encode())
    assert settings.settings() == settings.read(ALL, str(config))


def test_keys_of_older_versions_are_ignored() -> None:
    assert read("me: Ana\norders: [most, sensible]\n") == Settings(me=("Ana",))
    assert read("me: Ana\nlanguage: en\n") == Settings(me=("Ana",))
    assert read("orders: {any: thing}\n") == Settings()


@pytest.mark.parametrize("text", ["", "\n", "# me: Ana\n\n  # color: always\n", "\ufeff# mine\n"])
def test_a_file_without_a_word_sets_nothing(text: str) -> None:
    assert read(text) == Settings()


def test_without_a_file_or_a_folder_nothing_is_set(config: Path) -> None:
    assert settings.settings() == Settings()
    config.parent.rmdir()
    assert settings.settings() == Settings()


@pytest.mark.parametrize(
    ("security", "port"), [("starttls", 587), ("tls", 465), ("none", 25)], ids=str
)
def test_the_port_goes_by_the_security_unless_it_is_set(security: str, port: int) -> None:
    text = f"mail:\n  security: {security}\n  server: localhost\n"
    assert read(text).mail.port == port
    assert read(text + "  port: 2525\n").mail.port == 2525


@for_each("server", ["localhost", "127.0.0.1", "127.1.2.3", "'::1'", "'[::1]'"])
def test_a_server_on_this_computer_needs_no_security(server: str) -> None:
    assert read(f"mail: {{server: {server}, security: none}}").mail.security == "none"


@for_each(
    ("text", "place", "told"),
    [
        ("my: Ana", "1:1", "'my' is unknown here; the keys are me, color"),
        ("me: Ana\nme: Rui", "2:1", "Duplicate key"),
        ("me: []", "1:5", "a name, or a list of names"),
        ("me: ''", "1:5", "visible character"),
        ("me: result", "1:5", "a special meaning"),
        ("me: [Ana, Ana]", "1:11", "a second time"),
        ("me: {name: Ana}", "1:5", "a single text"),
        ("color: red", "1:8", "one of auto, always, never, not 'red'"),
        ("plain: yes", "1:8", "one of true, false, not 'yes'"),
        ("page: black", "1:7", "one of auto, light, dark"),
        ("{me: Ana}", "1:1", "one below the other"),
        ("- Ana", "1:1", "like: me: Ana"),
        ("Ana", "1:1", "like: me: Ana"),
        ("mail: ana@example.org", "1:7", "keys with values"),
        ("mail:\n  to: Rui", "2:3", "'to' is unknown here; the keys are from, server"),
        ("mail:\n  from: Ana", "2:9", "address, like Ana <ana@example.org>, not 'Ana'"),
        ("mail:\n  port: 0", "2:9", "from 1 to 65535"),
        ("mail:\n  server: my server", "2:11", "without blanks"),
        ("mail:\n  security: ssl", "2:13", "one of starttls, tls, none"),
        ("mail:\n  security: none", "2:13", "a server on this computer"),
        (
            "mail:\n  server: mail.example.org\n  security: none",
            "3:13",
            "a server on this computer",
        ),
        ("mail:\n  password: keyring", "2:13", "'user' beside it"),
        ("players: mine.py:choose", "1:10", "keys with values"),
        ("players: {mine: mine.py}", "1:17", "like: mine: ~/players.py:choose"),
        ("players: {mine: mine.py:a b}", "1:17", "a file and a function"),
        ("players: {mine: 'os:system'}", "1:17", "a file and a function"),
        ("players: {'my own': mine.py:choose}", "1:11", "a word of letters, digits"),
        ("players: {5: mine.py:choose}", "1:11", "a word of letters, digits"),
        ("mail:\n  user: ana\n  password: {file: x}", "3:14", "'file' is unknown here"),
        ("mail:\n  user: ana\n  password: {command: ''}", "3:23", "a command"),
    ],
)
def test_what_cannot_be_is_refused_with_its_place(text: str, place: str, told: str) -> None:
    with pytest.raises(InvalidFileError) as refused:
        read(text)
    assert str(refused.value).startswith(f"config.yaml:{place}: ")
    assert told in str(refused.value)
    assert refused.value.exit_code == 3


def test_a_password_in_the_file_is_refused_and_not_repeated() -> None:
    with pytest.raises(InvalidFileError) as refused:
        read("mail:\n  user: ana\n  password: correct-horse")
    assert "does not belong in a file" in str(refused.value)
    assert "correct-horse" not in str(refused.value)


def test_a_password_can_be_in_the_keyring() -> None:
    assert read("mail: {user: ana, password: keyring}").mail.password_command == ""


def test_a_folder_in_its_place_is_told(config: Path) -> None:
    config.mkdir()
    with pytest.raises(FileError, match=r"config\.yaml"):
        settings.settings()


# -- Who am I?


def test_the_variable_wins_over_the_file_and_empty_it_switches_off(
    config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert user.me() == ((), "")
    config.write_text("me: Ana\n", "utf-8")
    assert user.me() == (("Ana",), str(config))
    monkeypatch.setenv(user.PLAYER, " Rui ")
    assert user.me() == (("Rui",), user.PLAYER)
    monkeypatch.setenv(user.PLAYER, "")
    assert user.me() == ((), user.PLAYER)
    assert user.own_seat(["Ana", "Rui"]) is None


@for_each(
    ("names", "players", "seat"),
    [
        (["Ana"], ["Rui", "Ana"], 1),
        (["ana"], ["Rui", "Ana"], 1),
        (["Ines"], ["Rui", "Inês"], 1),
        (["Ana"], ["Rui", "Ana Maria"], 1),
        (["Ana"], ["Rui", "Joana"], None),
        (["Ana"], ["Anabela", "Anastácia"], None),
        (["Ana"], ["Anabela", "Ana"], 1),
        (["Ana", "Aninha"], ["Rui", "Aninha"], 1),
        (["Ana", "Aninha"], ["Aninha", "Anabela"], 0),
        (["Ana", "Aninha"], ["Aninha", "Ana"], 1),
        ([], ["Ana"], None),
    ],
)
def test_a_name_matches_as_it_does_behind_as(
    names: list[str], players: list[str], seat: int | None
) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(user, "me", lambda: user.Me(tuple(names)))
        assert user.own_seat(players) == seat


# -- The folder


ENVIRONMENTS: list[dict[str, str | None]] = [
    {"HOME": "/home/ana", "XDG_CONFIG_HOME": None},
    {"HOME": "/home/ana/", "XDG_CONFIG_HOME": None},
    {"HOME": "/home/ana", "XDG_CONFIG_HOME": ""},
    {"HOME": "/home/ana", "XDG_CONFIG_HOME": "/etc/ana"},
    {"HOME": "/home/ana", "XDG_CONFIG_HOME": "/etc/ana//"},
    {"HOME": "/home/ana", "XDG_CONFIG_HOME": "settings"},
    {"HOME": "/home/ana", "XDG_CONFIG_HOME": "~/settings"},
    {"HOME": "/home/ana", "XDG_CONFIG_HOME": " "},
    {"HOME": "/home/Ana Sá", "XDG_CONFIG_HOME": None},
    {"HOME": "/", "XDG_CONFIG_HOME": None},
    {"HOME": None, "XDG_CONFIG_HOME": "/etc/ana"},
    {"HOME": None, "XDG_CONFIG_HOME": None},
    {"HOME": "here", "XDG_CONFIG_HOME": None},
    {"HOME": "", "XDG_CONFIG_HOME": None},
]


@pytest.mark.skipif(sys.platform != "linux", reason="the short way is for Linux")
@pytest.mark.parametrize("environment", ENVIRONMENTS, ids=str)
def test_the_short_way_to_the_folder_leads_where_the_library_leads(
    environment: dict[str, str | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(home.VARIABLE, raising=False)
    for name, value in environment.items():
        if value is None:
            monkeypatch.delenv(name, raising=False)
        else:
            monkeypatch.setenv(name, value)
    assert home.folder() == user_config_path("porto", appauthor=False)


@pytest.mark.skipif(sys.platform != "linux", reason="the short way is for Linux")
def test_an_ordinary_environment_takes_the_short_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(home.VARIABLE, raising=False)
    monkeypatch.setenv("HOME", "/home/ana")
    monkeypatch.setattr(home, "_by_the_library", lambda: pytest.fail("the library was asked"))
    for folder in (None, "/etc/ana"):
        monkeypatch.setenv("XDG_CONFIG_HOME", folder or "")
        assert home.folder() == Path(folder or "/home/ana/.config", "porto")


def test_a_home_that_nobody_knows_sets_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere(*_: object, **__: object) -> Path:
        raise RuntimeError

    monkeypatch.delenv(home.VARIABLE, raising=False)
    monkeypatch.setattr(home, "_on_linux", lambda: None)
    monkeypatch.setattr("platformdirs.user_config_path", nowhere)
    with pytest.raises(FileError, match=home.VARIABLE):
        home.folder()
    assert settings.settings() == Settings()


@pytest.mark.skipif(
    sys.platform == "win32" or not hasattr(os, "geteuid") or os.geteuid() == 0,
    reason="the superuser may look everywhere",
)
def test_a_folder_that_must_not_be_looked_into_sets_nothing(config: Path) -> None:
    config.write_text("me: Ana\n", "utf-8")
    config.parent.chmod(0)
    try:
        assert settings.settings() == Settings()
    finally:
        config.parent.chmod(0o700)


# -- The inbox


LOGIN = "user: ana, password: keyring"
ANA = Mail(user="ana", password_command="")


def with_inbox(text: str) -> str:
    return f"mail: {{{LOGIN}, inbox: {text if text.startswith('{') else repr(text)}}}"


@for_each(
    ("text", "server", "port", "security", "folder"),
    [
        ("imaps://imap.test", "imap.test", 993, TLS, "INBOX"),
        ("imaps://imap.test:1993/Games/2026", "imap.test", 1993, TLS, "Games/2026"),
        ("imap://imap.test", "imap.test", 143, STARTTLS, "INBOX"),
        ("imap://imap.test/", "imap.test", 143, STARTTLS, "INBOX"),
        ("{server: imap.test}", "imap.test", 993, TLS, "INBOX"),
        ("{server: localhost, security: none}", "localhost", 143, NO_SECURITY, "INBOX"),
        ("{server: a, port: 1, folder: Ação}", "a", 1, TLS, "Ação"),
    ],
)
def test_an_inbox_on_a_server(text, server, port, security, folder) -> None:
    found = settings.read(with_inbox(text), "c")
    account = ANA._replace(server=server, port=port, security=security)
    assert found.mail.inbox == Inbox("", account, folder)


def test_another_login_for_reading_than_for_sending() -> None:
    text = f"mail: {{{LOGIN}, inbox: {{server: a, user: rui, password: {{command: pass rui}}}}}}"
    account = settings.read(text, "c").mail.inbox.account
    assert account
    assert (account.user, account.password_command) == ("rui", "pass rui")


def test_an_inbox_on_this_computer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for text, place in (("~/Mail", tmp_path / "Mail"), ("box", tmp_path / "settings" / "box")):
        found = settings.read(
            f"mail: {{inbox: {text}}}", str(tmp_path / "settings" / "config.yaml")
        )
        assert found.mail.inbox == Inbox(str(place))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("imaps://ana@imap.test", "like imaps://imap.example.org"),
        ("imaps://imap.test:0", "like imaps://imap.example.org"),
        ("https://imap.test", "like imaps://imap.example.org"),
        ("{server: imap.test, security: none}", "'security: none' is only for a server on this"),
    ],
)
def test_an_inbox_that_cannot_be_one(text: str, said: str) -> None:
    with pytest.raises(InvalidFileError, match=said):
        settings.read(with_inbox(text), "c")


def test_a_server_wants_a_login() -> None:
    with pytest.raises(InvalidFileError, match="set 'user' and 'password'"):
        settings.read("mail: {user: ana, inbox: 'imaps://imap.test'}", "c")
