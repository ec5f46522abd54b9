"""Accounts on mail servers, for sending and for reading: passwords, and why there is no connection.

The password is asked for when it is needed, stored nowhere, and never shown.
"""

from __future__ import annotations

import re
import socket
import ssl
import subprocess
from base64 import b64encode

from porto_cli.core.characters import quoted
from porto_cli.core.message import TROUBLE, SentenceError
from porto_cli.mail.mime import bytes_of_base64
from porto_cli.settings import Mail


class AccountError(SentenceError):
    """A mail server that could not be used: why, what has happened, and what to do."""

    exit_code = TROUBLE


PATIENCE = 30.0
"""Seconds to wait for each answer of a server."""
_NOT_BEGUN_WITH_TLS = {
    "WRONG_VERSION_NUMBER",
    "UNEXPECTED_EOF_WHILE_READING",
    "RECORD_LAYER_FAILURE",
}
"""The reasons of OpenSSL when a server does not begin with encryption."""


class EndlessError(Exception):
    """A server that keeps sending."""


def why_not_connected(error: OSError) -> tuple[str, str]:
    """Return in a word why there is no connection, or none any more, and the system's reason."""
    match error:
        case ssl.SSLCertVerificationError():
            return "certificate", str(error.verify_message).rstrip(".")
        case TimeoutError():
            return "silent", ""
        case ssl.SSLError():
            begun = error.reason not in _NOT_BEGUN_WITH_TLS
            return "not encrypted" if begun else "no TLS", str(error.reason or error)
        case socket.gaierror():
            return "no server", ""
        case ConnectionRefusedError():
            return "closed port", ""
    return "no connection", str(error.strerror or error)


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
