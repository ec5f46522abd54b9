"""How completions are handed to the shells.

Typer does that as well, but renders each explanation with rich, which takes longer than all the
rest, and leaves names with blanks to fall apart in bash.
"""

from __future__ import annotations

import os
from typing import Any

from typer._click.shell_completion import add_completion_class
from typer._completion_classes import BashComplete, FishComplete, PowerShellComplete, ZshComplete
from typer._completion_shared import _completion_scripts

_QUOTED_IN_BASH = frozenset(" \t\"'\\$`&|;<>()*?[]#~!{}")

_ZSH_SCRIPT = """
#compdef %(prog_name)s

%(complete_func)s() {
  eval $(env _TYPER_COMPLETE_ARGS="${words[1,$CURRENT]}" %(autocomplete_var)s=complete_zsh \\
    %(prog_name)s)
}

compdef %(complete_func)s %(prog_name)s

if [[ $funcstack[1] == _%(prog_name)s ]]; then
  %(complete_func)s "$@"
fi
"""
"""Typer's script, and an answer to the very Tab at which zsh loads it from the user's folder."""


class Bash(BashComplete):
    """Bash takes a word as it is to stand on the line; it closes an open quote itself."""

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the words before the one to complete. Bash makes three of ``--as=Inês``."""
        args, incomplete = super().get_completion_args()
        return (args[:-1] if args[-1:] == ["="] else args), incomplete

    def format_completion(self, item: Any) -> str:
        """Return a word with what the shell would read otherwise behind a backslash."""
        word = str(item.value)
        if self._in_quotes():
            return word
        return "".join(f"\\{letter}" if letter in _QUOTED_IN_BASH else letter for letter in word)

    def _in_quotes(self) -> bool:
        words = os.environ["COMP_WORDS"].split("\n")
        position = int(os.environ["COMP_CWORD"])
        return position < len(words) and words[position].startswith(("'", '"'))


class Zsh(ZshComplete):
    """Zsh takes words and explanations as the arguments of its own ``_arguments``."""

    source_template = _ZSH_SCRIPT

    def format_completion(self, item: Any) -> str:
        """Return a word, with its explanation behind a colon."""
        word = f'"{_zsh(str(item.value))}"'
        return f'{word}:"{_zsh(item.help)}"' if item.help else word


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


def _zsh(text: str) -> str:
    """Escape a text for ``_describe``, within double quotes, within single quotes."""
    text = text.replace("\\", "\\\\").replace(":", "\\:")
    text = "".join(f"\\{letter}" if letter in '\\"$`' else letter for letter in text)
    return text.replace("'", "'\\''")


def register_shells() -> None:
    """Let these classes answer the shells."""
    _completion_scripts["zsh"] = _ZSH_SCRIPT
    for name, shell in (
        ("bash", Bash),
        ("zsh", Zsh),
        ("fish", Fish),
        ("powershell", PowerShell),
        ("pwsh", PowerShell),
    ):
        add_completion_class(shell, name)
