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
from typing import NoReturn

from porto_cli.core.message import TROUBLE, SentenceError, quoted, shown
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


class Talk:
    """A conversation with the server of an account, and the sentence if it fails: what is wrong,
    what has happened, what to do.

    ``outcome`` is what the conversation has brought so far, as a clause.
    """

    error: type[AccountError] = AccountError
    does: str
    """What a server does on its port."""
    keys: str
    """What to check in the settings."""
    ports: str
    """Which ports are usual, and how they go with encryption."""

    def __init__(self, how: Mail, patience: float, outcome: str) -> None:
        self.how = how
        self.answers = Answers(patience)
        self.outcome = outcome
        self.secret = ""
        """It appears in no sentence, even if the server repeats it."""
        self.is_logging_in = False

    def reason(self, answer: object, code: int = -1) -> str:
        """Return an answer of the server in one line, with its code if it has one."""
        text = answer.decode("utf-8", "replace") if isinstance(answer, bytes) else str(answer)
        text = f"{code} {text}" if code >= 0 else text
        return without_secret(text, self.secret)[:_LONGEST_REASON].rstrip(" .")

    def fail(self, what: str, advice: str = "") -> NoReturn:
        """Raise an error that says what the server did, and what to do."""
        sentence = f"{self.how.server} {what}; {self.outcome}. {advice}"
        raise self.error(sentence.rstrip()) from None

    def fail_to_log_in(self, reason: str, *, for_now: bool) -> NoReturn:
        """Raise an error that says that the server refuses the user, maybe only now."""
        if for_now:
            self.fail(f"does not allow logging in now ({reason})", "Try again in a few minutes.")
        self.fail(
            f"does not accept the user name {shown(self.how.user)} with this password ({reason})",
            "Correct 'user' or 'password' in the settings. Many providers require a separate "
            "password for programs, an app password, which you create on their web pages.",
        )

    def fail_unencrypted(self, why: str) -> NoReturn:
        """Raise an error that says why the connection cannot be encrypted."""
        what = f"{why} on port {self.how.port}, so the password was not sent"
        self.fail(what, f"Ask its provider which port to use. {self.ports}")

    def fail_as_closed(self) -> NoReturn:
        """Raise an error that says that the server has ended the conversation."""
        self.fail("closed the connection", f"Try again later, and check {self.keys}.")

    def fail_by(self, error: Exception) -> NoReturn:
        """Raise an error for one that is not the library's own."""
        port = self.how.port
        ask = f"Ask its provider which port to use. {self.ports}"
        match error:
            case EndlessError():
                self.fail(
                    "keeps sending without coming to an end, so the connection was closed",
                    f"Check {self.keys}.",
                )
            case ssl.SSLCertVerificationError():
                reason = str(error.verify_message).rstrip(".")
                self.fail(
                    f"has a certificate that is not valid ({reason}), so it may be another "
                    "computer, and the password was not sent",
                    f"Check that {self.keys} has the name that the provider gives, and that the "
                    "clock of this computer is right.",
                )
            case TimeoutError():
                self.fail(
                    f"does not answer on port {port} within {round(self.answers.patience)} seconds",
                    f"Check the network connection, and {self.keys}.",
                )
            case ssl.SSLError():
                begins = error.reason not in _NOT_BEGUN_WITH_TLS
                why = f"cannot encrypt the connection ({error.reason or error})"
                self.fail_unencrypted(why if begins else "does not begin with encryption")
            case ConnectionRefusedError():
                self.fail(f"does not {self.does} on port {port}", ask)
            case UnicodeEncodeError() if self.is_logging_in:
                # The libraries support no other letters in a name or password.
                self.fail(
                    "cannot be sent a user name or a password with letters outside ASCII",
                    "Use a password without them, such as an app password, which many providers "
                    "offer.",
                )
            case socket.gaierror() | ValueError():
                self.fail(
                    "was not found, or this computer has no network connection",
                    f"Correct {self.keys}, or try again later.",
                )
        broken = getattr(error, "strerror", None) or error
        self.fail(f"cannot be reached ({broken})", "Try again later.")


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
