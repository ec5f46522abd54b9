"""How what is offered is handed to the shells, where Typer's own answers would not do.

Typer lets rich draw each explanation, which takes longer than all the rest, and leaves names with
blanks to fall apart in bash. It has no public way to answer otherwise: this module is all that uses
private parts of it, and ``tests/test_typer.py`` says which.
"""

from __future__ import annotations

import os
from typing import Any

from typer import _completion_shared as shared
from typer._click.shell_completion import add_completion_class
from typer._completion_classes import BashComplete, FishComplete, PowerShellComplete, ZshComplete

_QUOTED_IN_BASH = frozenset(" \t\"'\\$`&|;<>()*?[]#~!{}")
_QUOTED_IN_ZSH = {'"': '\\"', "$": "\\$", "`": "\\`", "\\": "\\" * 4, ":": "\\\\:", "'": "'\\''"}

_ZSH_SCRIPT = f"""{shared.COMPLETION_SCRIPT_ZSH}
if [[ $funcstack[1] == _%(prog_name)s ]]; then
  %(complete_func)s "$@"
fi
"""
"""Typer's script, which also answers the Tab at which zsh loads it from the user's folder."""


class Bash(BashComplete):
    """Bash takes a word as it is to stand on the line; it closes an open quote itself."""

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the words before the one to complete. Bash makes three of ``--as=Inês``."""
        args, incomplete = super().get_completion_args()
        return (args[:-1] if args[-1:] == ["="] else args), incomplete

    def format_completion(self, item: Any) -> str:
        """Return a word with what the shell would read otherwise behind a backslash."""
        words, position = os.environ["COMP_WORDS"].split("\n"), int(os.environ["COMP_CWORD"])
        if position < len(words) and words[position].startswith(("'", '"')):
            return str(item.value)
        return "".join(f"\\{one}" if one in _QUOTED_IN_BASH else one for one in str(item.value))


class Zsh(ZshComplete):
    """Zsh takes words, with explanations behind colons, as arguments of its own ``_arguments``."""

    source_template = _ZSH_SCRIPT

    def format_completion(self, item: Any) -> str:
        """Return a word, within double quotes, within single quotes."""
        parts = [str(item.value), item.help] if item.help else [str(item.value)]
        return ":".join(
            f'"{"".join(_QUOTED_IN_ZSH.get(letter, letter) for letter in part)}"' for part in parts
        )


class Fish(FishComplete):
    """Fish takes a word and its explanation with a tab between them."""

    def format_completion(self, item: Any) -> str:
        """Return a line for a word."""
        return f"{item.value}\t{' '.join(item.help.split())}" if item.help else str(item.value)


class PowerShell(PowerShellComplete):
    """PowerShell takes a word and its explanation with three colons between them."""

    def format_completion(self, item: Any) -> str:
        """Return a line for a word."""
        return f"{item.value}:::{item.help or ' '}"


SHELLS: dict[str, type] = {
    "bash": Bash,
    "zsh": Zsh,
    "fish": Fish,
    "powershell": PowerShell,
    "pwsh": PowerShell,
}


def register_shells() -> None:
    """Let these classes answer the shells."""
    shared._completion_scripts["zsh"] = _ZSH_SCRIPT
    for name, shell in SHELLS.items():
        add_completion_class(shell, name)
