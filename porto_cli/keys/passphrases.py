"""The passphrase of a key, where a command of the user's own prints it. It is never an argument."""

from __future__ import annotations

import os
import subprocess

from porto_cli.core.errors import FileError
from porto_cli.core.message import say

VARIABLE = "PORTO_PASSPHRASE_COMMAND"
"""The environment variable with the command."""


def printed() -> str | None:
    """Return the first line that the user's command prints; None if there is no command.

    Raises FileError if it fails or prints nothing.
    """
    command = os.environ.get(VARIABLE)
    if not command:
        return None
    done = subprocess.run(command, shell=True, stdout=subprocess.PIPE, check=False)
    lines = done.stdout.decode("utf-8", "replace").splitlines()
    if done.returncode or not lines or not lines[0]:
        raise FileError(
            say(
                "The command in {variable}, {command!r}, should print the passphrase of your key, "
                "but ended with exit code {code}. Try it in a terminal."
                if done.returncode
                else "The command in {variable}, {command!r}, should print the passphrase of your "
                "key, but printed nothing. Try it in a terminal.",
                variable=VARIABLE,
                command=command,
                code=done.returncode,
            )
        )
    return lines[0]
