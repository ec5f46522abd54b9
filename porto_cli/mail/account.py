"""Accounts on mail servers, for sending and for reading: passwords, limits for what a server sends,
and what to say if something goes wrong.

The password is asked for when it is needed, stored nowhere, and never shown.
"""

from __future__ import annotations

import re
import socket
import ssl
import subprocess
import time
from base64 import b64encode
from io import BufferedReader
from typing import NamedTuple, NoReturn

from porto_cli.core.characters import quoted
from porto_cli.core.message import TROUBLE, SentenceError, shown
from porto_cli.mail.mime import bytes_of_base64
from porto_cli.settings import Mail


class AccountError(SentenceError):
    """A mail server that could not be used: why, what has happened, and what to do."""

    exit_code = TROUBLE


PATIENCE = 30.0
"""Seconds to wait for each answer of a server."""
_PATIENCES = 10
"""The time for an answer, as a multiple of that for each part of it."""
_SLOWEST = 4096
"""Bytes a second of an answer that may take longer."""
_NOT_BEGUN_WITH_TLS = {
    "WRONG_VERSION_NUMBER",
    "UNEXPECTED_EOF_WHILE_READING",
    "RECORD_LAYER_FAILURE",
}
"""The reasons of OpenSSL when a server does not begin with encryption."""
_LONGEST_REASON = 500


class EndlessError(Exception):
    """A server that keeps sending."""


class Answers:
    """What a server sends, with limits: the libraries would keep all of it, for any time, and
    somebody between can send in the server's name until encryption has begun.
    """

    def __init__(self, patience: float) -> None:
        self.patience = patience
        self._sock: socket.socket | None = None
        self._stream: BufferedReader | None = None
        self.expect(0)

    def expect(self, most: int, seconds: float | None = None) -> None:
        """Allow a number of bytes from now on, and a time: some for free, more for what comes."""
        self._left = most
        self._ends = time.monotonic() + (seconds or _PATIENCES * self.patience)

    def seconds(self) -> float:
        """Return how long to wait for the next bytes. Raises EndlessError."""
        left = self._ends - time.monotonic()
        if left <= 0 or self._left < 0:
            raise EndlessError
        return min(self.patience, left)

    def fits(self, size: int) -> bool:
        """Return whether so many bytes may still come."""
        return size <= self._left

    def next(self, sock: socket.socket, most: int, *, of_a_line: bool = False) -> bytes:
        """Return the next bytes, as soon as there are any; nothing if there will be none.

        Raises EndlessError, OSError.
        """
        if self._sock is not sock:
            # Encryption has begun: nobody can vouch for what came before, so that is not read.
            self._sock, self._stream = sock, sock.makefile("rb")
        assert self._stream
        sock.settimeout(self.seconds())
        try:
            waiting = self._stream.peek(1)[:most]
        except TimeoutError:
            self.seconds()
            raise
        stop = waiting.find(b"\n") + 1 if of_a_line else 0
        piece = self._stream.read(stop or len(waiting))
        self._left -= len(piece)
        self._ends += len(piece) / _SLOWEST
        return piece

    def close(self) -> None:
        """Close what was read from; the socket is closed elsewhere."""
        if self._stream:
            self._stream.close()


class Errand(NamedTuple):
    """What a server is asked to do, in the words of sentences.

    ``does``    what it does on its port
    ``keys``    what to check in the settings
    ``ports``   the usual ports, and how they go with encryption
    """

    does: str
    keys: str
    ports: tuple[int, int]
    encrypted: tuple[str, str]


class Talk:
    """A conversation with the server of an account, and the sentence if it fails.

    ``outcome`` is what that has brought so far, as a clause.
    """

    def __init__(self, how: Mail, patience: float, errand: Errand, outcome: str) -> None:
        self.how = how
        self.answers = Answers(patience)
        self.errand = errand
        self.outcome = outcome
        self.secret = ""
        """It appears in no sentence, even if the server repeats it."""

    def reason(self, answer: object, code: int = -1) -> str:
        """Return an answer of the server in one line, with its code if it has one."""
        text = answer.decode("utf-8", "replace") if isinstance(answer, bytes) else str(answer)
        text = f"{code} {text}" if code >= 0 else text
        return without_secret(text, self.secret)[:_LONGEST_REASON].rstrip(" .")

    def fail(self, sentence: str) -> NoReturn:
        """Raise an AccountError with a sentence."""
        raise AccountError(sentence) from None

    def fail_with(self, kind: str, reason: str = "") -> NoReturn:
        """Raise an AccountError of a kind: what is wrong, what has happened, what to do."""
        server, port, errand, outcome = self.how.server, self.how.port, self.errand, self.outcome
        tls, starttls = errand.ports
        ask = f"Ask its provider which port to use, usually {tls} or {starttls}."
        sentences = {
            "wrong password": (
                f"{server} does not accept the user name {shown(self.how.user)} with this password "
                f"({reason}); {outcome}. Correct 'user' or 'password' in the settings. Many "
                "providers require a separate password for programs, an app password, which you "
                "create on their web pages."
            ),
            "no login now": (
                f"{server} does not allow logging in now ({reason}); {outcome}. Try again in a few "
                "minutes."
            ),
            "letters": (
                f"The user name or the password for {server} contains letters outside ASCII, with "
                f"which this program cannot log in; {outcome}. Use a password without them, such "
                "as an app password, which many providers offer."
            ),
            "no starttls": (
                f"{server} does not offer encryption on port {port}, so the password was not sent, "
                f"and {outcome}. {ask} Port {tls} goes with {errand.encrypted[0]}."
            ),
            "hung up": (
                f"{server} closed the connection; {outcome}. Try again later, and check "
                f"{errand.keys} in the settings."
            ),
            "endless": (
                f"{server} keeps sending without coming to an end, so the connection was closed; "
                f"{outcome}. Check {errand.keys} in the settings."
            ),
            "silent": (
                f"{server} does not answer on port {port} within {round(self.answers.patience)} "
                f"seconds; {outcome}. Check the network connection, and {errand.keys} in the "
                "settings."
            ),
            "certificate": (
                f"The certificate of {server} is not valid ({reason}), so it may be another "
                f"computer; the password was not sent, and {outcome}. Check that the server in the "
                "settings has the name that the provider gives, and that the clock of this "
                "computer is right."
            ),
            "no TLS": (
                f"{server} does not begin with encryption on port {port}; {outcome}. Port {tls} "
                f"goes with {errand.encrypted[0]}, port {starttls} with {errand.encrypted[1]}."
            ),
            "not encrypted": (
                f"The connection to {server} cannot be encrypted ({reason}), so the password was "
                f"not sent, and {outcome}. {ask}"
            ),
            "no server": (
                f"There is no server {server}, or this computer has no network connection; "
                f"{outcome}. Correct {errand.keys} in the settings, or try again later."
            ),
            "closed port": f"{server} does not {errand.does} on port {port}; {outcome}. {ask}",
            "no connection": (
                f"There is no connection to {server} ({reason}); {outcome}. Try again later."
            ),
        }
        self.fail(sentences[kind])

    def fail_to_connect(self, error: OSError) -> NoReturn:
        """Raise an AccountError that says why there is no connection, or none any more."""
        match error:
            case ssl.SSLCertVerificationError():
                self.fail_with("certificate", str(error.verify_message).rstrip("."))
            case TimeoutError():
                self.fail_with("silent")
            case ssl.SSLError():
                begun = error.reason not in _NOT_BEGUN_WITH_TLS
                self.fail_with("not encrypted" if begun else "no TLS", str(error.reason or error))
            case socket.gaierror():
                self.fail_with("no server")
            case ConnectionRefusedError():
                self.fail_with("closed port")
        self.fail_with("no connection", str(error.strerror or error))


HIDDEN = "…"
_OTHER_BASE64 = str.maketrans("-_", "+/")


def password(mail: Mail) -> str:
    """Return the password that the settings point to. Raises AccountError if there is none."""
    return _printed_by(mail.password_command) if mail.password_command else _from_keyring(mail)


def _from_keyring(mail: Mail) -> str:
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError:
        raise AccountError(
            "According to the settings the password is in the keyring, but the library "
            "for that is not installed. To install it: pip install keyring"
        ) from None
    # Its user is the name to log in with.
    service = f"porto:{mail.server}"
    command = f"keyring set {quoted(service)} {quoted(mail.user)}"
    try:
        found: str | None = keyring.get_password(service, mail.user)
    except KeyringError as error:
        raise AccountError(
            f"The keyring of this system cannot be used ({type(error).__name__}). "
            "Instead you can set 'password: {command: …}' in the settings, with a "
            "command that prints the password."
        ) from None
    if not found:
        raise AccountError(
            f"The keyring has no password for {mail.user} at {mail.server}. To store it: {command}"
        )
    return found


def _printed_by(command: str) -> str:
    """Return the first line that a command of the user's own settings prints."""
    done = subprocess.run(command, shell=True, stdout=subprocess.PIPE, check=False)
    lines = done.stdout.decode("utf-8", "replace").splitlines()
    if done.returncode or not lines or not lines[0]:
        code = done.returncode
        what = f"failed with exit code {code}" if code else "printed nothing"
        raise AccountError(
            "The command under 'password' in the settings, which should print the password, "
            f"{what}. Try it in a terminal."
        )
    return lines[0]


def _percent(letter: re.Match[str]) -> str:
    """Return a letter percent-encoded."""
    return "".join(f"%{byte:02X}" for byte in letter[0].encode("utf-8", "surrogateescape"))


def without_secret(text: str, secret: str) -> str:
    """Return a text in one line, without a password, in whatever way that is encoded.

    A server may repeat it in an answer, which is shown on the screen.
    """
    if not secret:
        return " ".join(text.split())
    data = secret.encode("utf-8", "surrogateescape")
    forms = {secret, " ".join(secret.split()), b64encode(data).decode().rstrip("=")}
    forms |= {data.hex(), re.sub(r"[^A-Za-z0-9]", _percent, secret)}
    ways = "|".join(re.escape(form) for form in sorted(forms, key=len, reverse=True) if form)

    def shown(run: re.Match[str]) -> str:
        """Return a run of letters that may be Base64; what a login sends has the name as well."""
        letters = run[0].translate(_OTHER_BASE64).encode()
        decoded = (bytes_of_base64(letters[nth:]) for nth in range(min(4, len(letters))))
        return HIDDEN if any(data in one for one in decoded) else run[0]

    def hidden(some: str) -> str:
        return re.sub(ways, HIDDEN, some, flags=re.IGNORECASE)

    return re.sub(r"[A-Za-z0-9+/_-]{3,}", shown, hidden(" ".join(hidden(text).split())))
