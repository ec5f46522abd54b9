"""The password for the mail server. It is asked for when a mail is sent, kept nowhere, and never
shown.
"""

from __future__ import annotations

import subprocess

from porto_cli.core.message import say
from porto_cli.core.quoting import quoted
from porto_cli.mail.errors import SendError
from porto_cli.settings import Mail

SERVICE = "porto:{server}"
"""What the keyring knows a password by, besides the name to log in with."""


def password(mail: Mail) -> str:
    """Return the password that the settings point to. Raises SendError if there is none."""
    return _from_keyring(mail) if mail.keyring else _printed_by(mail.password_command)


def _from_keyring(mail: Mail) -> str:
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError:
        raise SendError(
            say(
                "The settings say that the password is in the keyring, and the library for that "
                "is not installed; nothing was sent. To install it: pip install 'porto-cli[mail]'"
            )
        ) from None
    service = SERVICE.format(server=mail.server)
    command = f"keyring set {quoted(service)} {quoted(mail.user)}"
    try:
        found: str | None = keyring.get_password(service, mail.user)
    except KeyringError as error:
        raise SendError(
            say(
                "The keyring of this system cannot be asked ({reason}), so nothing was sent. "
                "In the settings 'password: {{command: …}}' takes a command that prints the "
                "password instead.",
                reason=type(error).__name__,
            )
        ) from None
    if not found:
        raise SendError(
            say(
                "The keyring has no password for {user} at {server}, so nothing was sent. "
                "To put it there: {command}",
                user=mail.user,
                server=mail.server,
                command=command,
            )
        )
    return found


def _printed_by(command: str) -> str:
    """Return the first line that a command of the user's own settings prints."""
    done = subprocess.run(command, shell=True, stdout=subprocess.PIPE, check=False)
    lines = done.stdout.decode("utf-8", "replace").splitlines()
    if done.returncode or not lines or not lines[0]:
        raise SendError(
            say(
                "The command under 'password' in the settings, which should print the password, "
                "ended with exit code {code}; nothing was sent. Try it in a terminal."
                if done.returncode
                else "The command under 'password' in the settings, which should print the "
                "password, printed nothing; nothing was sent. Try it in a terminal.",
                code=done.returncode,
            )
        )
    return lines[0]
