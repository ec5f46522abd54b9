"""Sending for real, to a server on this computer that does what servers do."""

from __future__ import annotations

import socket
import ssl
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from porto_cli.cli import output
from porto_cli.core import REFUSED, TROUBLE, UNREPORTED
from porto_cli.mail import account as sending
from porto_cli.mail.account import AccountError, SendError, password
from porto_cli.settings import NO_SECURITY, STARTTLS, TLS, Mail
from tests.mail.test_mail_server_says import HANG_UP, server
from tests.mails import begun, message_of

pytest.importorskip("aiosmtpd")
pytest.importorskip("trustme")

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult
from trustme import CA

pytestmark = [
    pytest.mark.outside,
    pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS"),
]

SECRET = "correct horse battery"


class Post:
    """What a server does with mail: it keeps it, except for what a test makes it refuse."""

    def __init__(self) -> None:
        self.boxes: list[tuple[str, list[str], bytes]] = []
        self.refused: set[str] = set()
        self.refused_sender = ""
        self.logins: list[tuple[str, str]] = []

    def authenticate(self, server, session, envelope, mechanism, data) -> AuthResult:
        self.logins.append((data.login.decode(), data.password.decode()))
        return AuthResult(success=data.password.decode() == SECRET, handled=False)

    async def handle_MAIL(self, server, session, envelope, address, options) -> str:  # noqa: N802
        if address == self.refused_sender:
            return "553 5.7.1 Not your address"
        envelope.mail_from = address
        return "250 OK"

    async def handle_RCPT(self, server, session, envelope, address, options) -> str:  # noqa: N802
        if address in self.refused:
            return "550 5.1.1 No such user here"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope) -> str:  # noqa: N802
        self.boxes.append((envelope.mail_from, envelope.rcpt_tos, envelope.content))
        return "250 OK"


class Server(Controller):
    """A server of one security, on a free port."""

    def __init__(self, post: Post, security: str, context: ssl.SSLContext | None) -> None:
        self.options: dict[str, Any] = {"hostname": "mail.test"}
        if security != NO_SECURITY:
            self.options |= {"authenticator": post.authenticate, "auth_required": True}
        if security == STARTTLS:
            self.options |= {"tls_context": context, "require_starttls": True}
        if security == TLS:
            self.options |= {"auth_require_tls": False}
        over_tls = context if security == TLS else None
        super().__init__(post, hostname="127.0.0.1", port=free_port(), ssl_context=over_tls)

    def factory(self) -> SMTP:
        return SMTP(self.handler, **self.options)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


@pytest.fixture(scope="module")
def authority() -> CA:
    return CA()


@pytest.fixture
def post() -> Post:
    return Post()


Start = Callable[..., Mail]


@pytest.fixture
def start(
    post: Post, authority: CA, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Iterator[Start]:
    """Start a server that this computer trusts, and return the settings for it."""
    servers: list[Server] = []
    trusted = tmp_path / "ca.pem"
    authority.cert_pem.write_to_path(trusted)
    monkeypatch.setenv("SSL_CERT_FILE", str(trusted))

    def begin(security: str, name: str = "localhost", secret: str = SECRET) -> Mail:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        authority.issue_cert(name).configure_cert(context)
        one = Server(post, security, context)
        one.start()
        servers.append(one)
        script = tmp_path / "secret.py"
        script.write_text(f"print({secret!r})\n")
        login = security != NO_SECURITY
        return Mail(
            sender="Inês <ines@example.org>",
            server="localhost",
            port=one.port,
            security=security,
            user="ines" if login else "",
            password_command=f'"{sys.executable}" "{script}"' if login else "",
        )

    yield begin
    for one in servers:
        one.stop()


@pytest.fixture
def turn(porto, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game whose first turn is over, and a home with addresses."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("PORTO_HOME", str(home))
    begun(tmp_path / "friday.yaml", "Inês", "Joana", "Rui")
    porto("address", "Joana", "joana@example.org")
    porto("address", "Rui", "rui@example.org")
    return home


def tell(home: Path, mail: Mail) -> None:
    lines = ["mail:", f"  from: {mail.sender}", f"  server: {mail.server}", f"  port: {mail.port}"]
    lines.append(f"  security: {mail.security}")
    if mail.user:
        lines += [f"  user: {mail.user}", f"  password: {{command: '{mail.password_command}'}}"]
    (home / "config.yaml").write_text("\n".join(lines) + "\n", "utf-8")


@pytest.mark.parametrize("security", [STARTTLS, TLS, NO_SECURITY])
def test_a_turn_is_sent(porto, turn: Path, post: Post, start: Start, security: str) -> None:
    tell(turn, start(security))
    done = porto("mail", "friday.yaml", "--send", "--cc")
    assert done.code == 0, done.err
    ((sender, to, content),) = post.boxes
    assert (sender, to) == ("ines@example.org", ["joana@example.org", "rui@example.org"])
    mail = message_of(content)
    assert f"Message-ID: {mail['Message-ID']}" in done.out
    assert f"Sent to joana@example.org, rui@example.org: {mail['Subject']}" in done.out
    (record,) = mail.iter_attachments()
    assert record.get_payload(decode=True) == Path("friday.yaml").read_bytes()
    assert SECRET.encode() not in content
    assert SECRET not in done.out + done.err
    assert post.logins == ([] if security == NO_SECURITY else [("ines", SECRET)])


def test_what_is_sent_is_what_is_printed(porto, turn: Path, post: Post, start: Start) -> None:
    tell(turn, start(NO_SECURITY))
    assert porto("mail", "friday.yaml", "--send").code == 0
    printed, ((_, _, content),) = message_of(porto("mail", "friday.yaml").out), post.boxes
    arrived = message_of(content)
    for part, other in zip(printed.walk(), arrived.walk(), strict=True):
        assert part.get_content_type() == other.get_content_type()
        assert part.get_payload(decode=True) == other.get_payload(decode=True)
    assert printed["Message-ID"] == arrived["Message-ID"]


def refused(porto) -> str:
    """Send a turn, which fails, and return what is said of that."""
    done = porto("mail", "friday.yaml", "--send")
    assert (done.code, done.out) == (TROUBLE, "")
    return str(done.err)


@pytest.mark.parametrize("security", [STARTTLS, TLS])
def test_a_wrong_password(porto, turn: Path, post: Post, start: Start, security: str) -> None:
    tell(turn, start(security, secret="wrong guess"))
    said = refused(porto)
    assert "does not accept the user name 'ines' with this password" in said
    assert "nothing was sent" in said
    assert "app password" in said
    assert "wrong guess" not in said
    assert not post.boxes


def test_a_password_that_the_library_cannot_send(porto, turn, post, start: Start) -> None:
    tell(turn, start(STARTTLS, secret="pässword"))
    said = refused(porto)
    assert "letters outside ASCII" in said
    assert "pässword" not in said


def test_a_report_that_cannot_be_printed_does_not_unsend(
    porto, turn, post: Post, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    tell(turn, start(NO_SECURITY))
    monkeypatch.setattr(output, "tell", full)
    done = porto("mail", "friday.yaml", "--send")
    assert done.code == UNREPORTED
    assert "The mail is sent, with the Message-ID <" in done.err
    assert len(post.boxes) == 1


@pytest.mark.long
def test_what_only_some_have_cannot_be_taken_back(porto, turn, post: Post, start: Start) -> None:
    made = porto("new", "sealed.yaml", "Inês", "Rui", "--secrecy", "sealed", "--first", "Inês")
    assert made.code == 0, made.err
    for name in ("Rui", "Inês"):
        assert porto("join", "sealed.yaml", "--as", name).code == 0
    assert porto("keep", "sealed.yaml", "1", "2", "3", "--as", "Inês").code == 0
    tell(turn, start(NO_SECURITY))
    post.refused = {"rui@example.org"}
    sent = porto("mail", "sealed.yaml", "--send", "--to", "joana@example.org", "--to", "Rui")
    assert sent.code == TROUBLE
    assert len(post.boxes) == 1, sent.err
    done = porto("undo", "sealed.yaml", "--as", "Inês")
    assert done.code == REFUSED
    assert "The record was sent with this turn in it" in done.err


def test_a_sender_who_is_refused(porto, turn: Path, post: Post, start: Start) -> None:
    tell(turn, start(NO_SECURITY))
    post.refused_sender = "ines@example.org"
    said = "does not accept mail from ines@example.org (553 5.7.1 Not your address)"
    assert said in refused(porto)


@pytest.mark.parametrize("security", [STARTTLS, TLS])
@pytest.mark.parametrize("name", ["elsewhere.example", "localhost"])
def test_a_certificate_of_somebody_else_or_that_nobody_vouches_for(
    porto, turn, post, start: Start, tmp_path, security: str, name: str
) -> None:
    tell(turn, start(security, name=name))
    if name == "localhost":
        CA().cert_pem.write_to_path(tmp_path / "ca.pem")
    assert "localhost has a certificate that is not valid" in refused(porto)
    assert not post.logins


def test_a_server_without_encryption_gets_no_password(porto, turn, post, start: Start) -> None:
    plain, how = start(NO_SECURITY), start(STARTTLS)
    tell(turn, how._replace(port=plain.port))
    assert "does not offer encryption" in refused(porto)
    tell(turn, how._replace(port=plain.port, security=TLS))
    assert "offers no encryption that works (" in refused(porto)
    assert not post.boxes


def test_a_server_that_is_silent() -> None:
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        how = Mail("a@b.c", "127.0.0.1", deaf.getsockname()[1], NO_SECURITY)
        with pytest.raises(SendError, match="does not answer on port"):
            sending.send(message_of("To: d@b.c\r\n\r\n"), how, patience=0.2)


@pytest.mark.parametrize("security", [NO_SECURITY, STARTTLS, TLS])
def test_a_server_that_hangs_up_at_once(security: str) -> None:
    with server({"": HANG_UP}) as port:
        how = Mail("a@b.c", "127.0.0.1", port, security)
        with pytest.raises(SendError, match="nothing was sent"):
            sending.send(message_of("To: d@b.c\r\n\r\n"), how)


def test_nobody_listens_there() -> None:
    how = Mail("a@b.c", "127.0.0.1", free_port(), NO_SECURITY)
    with pytest.raises(SendError, match="does not answer on port"):
        sending.send(message_of("To: d@b.c\r\n\r\n"), how)


def test_there_is_no_such_server() -> None:
    how = Mail("a@b.c", "no-such-server.invalid", 587, STARTTLS)
    with pytest.raises(SendError, match=r"no-such-server\.invalid does not answer on port 587"):
        sending.send(message_of("To: d@b.c\r\n\r\n"), how)


# -- The password


def of_command(code: str) -> Mail:
    return Mail(user="ines", server="s", password_command=f'"{sys.executable}" -c "{code}"')


def test_the_first_line_that_a_command_prints_is_the_password() -> None:
    assert password(of_command("print('a b '); print('more')")) == "a b "


@pytest.mark.parametrize("code", ["", "print()", "print('x'); raise SystemExit(3)"])
def test_a_command_that_prints_no_password(code: str) -> None:
    with pytest.raises(AccountError, match="in a terminal") as error:
        password(of_command(code))
    assert "print the password" in str(error.value)


class Ring:
    """A keyring, as the library has it."""

    def __init__(self, **known: str) -> None:
        self.known = known

    def get_password(self, service: str, user: str) -> str | None:
        return self.known.get(user) if service == "porto:mail.test" else None


def test_the_keyring_is_asked_if_it_can_be(monkeypatch: pytest.MonkeyPatch) -> None:
    keyring = pytest.importorskip("keyring")
    monkeypatch.setattr(keyring, "get_password", Ring(ines=SECRET).get_password)
    how = Mail(server="mail.test", user="ines", password_command="")
    assert password(how) == SECRET
    with pytest.raises(AccountError, match=r"keyring set porto:mail\.test rui"):
        password(how._replace(user="rui"))

    def locked(*_: str) -> str:
        raise keyring.errors.KeyringLocked

    monkeypatch.setattr(keyring, "get_password", locked)
    with pytest.raises(AccountError, match=r"cannot be used \(KeyringLocked\)"):
        password(how)


def test_the_library_of_the_keyring_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "keyring", None)
    with pytest.raises(AccountError, match="pip install keyring"):
        password(Mail(server="mail.test", user="ines", password_command=""))
