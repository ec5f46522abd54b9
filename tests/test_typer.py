"""What the program uses of Typer beyond its documentation.

When a new version of Typer fails here, ``porto_cli/cli/app.py`` is what has to change for the
shells, ``cli/commands.py`` and ``cli/help.py`` for the others.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
import typer

from porto_cli.cli import running
from porto_cli.cli.app import SHELLS, app, register_shells
from tests.shares import for_each


@for_each("shell", SHELLS)
def test_the_shells_are_answered_by_classes_that_are_known(shell: str) -> None:
    """Typer looks for the class of a shell by its name, and calls what these classes override.
    Its own ones ask a function for the explanation, which is drawn by rich otherwise.
    """
    from typer import _completion_classes
    from typer._click.shell_completion import get_completion_class

    assert callable(_completion_classes._sanitize_help_text)
    register_shells()
    found = get_completion_class(shell)
    assert found is SHELLS[shell]
    typers = next(one for one in found.__mro__ if one.__module__ == "typer._completion_classes")
    assert {*vars(found)} - {"__doc__", "__module__", "__parameters__"} <= {
        name for one in typers.__mro__ for name in vars(one)
    } | {"__abstractmethods__", "_abc_impl"}


def test_the_script_of_zsh_is_the_one_of_typer_and_completes_at_once(porto: Any) -> None:
    from typer._completion_shared import COMPLETION_SCRIPT_ZSH

    shown = porto("--show-completion", "zsh").out
    filled = COMPLETION_SCRIPT_ZSH.replace("%(prog_name)s", "porto").strip()
    assert shown.startswith(filled.split("\n", 1)[0])
    assert '_porto_completion "$@"' in shown


@pytest.mark.parametrize("typed", ["draw g.yaml --as", "draw --foo g.yaml", "draw"])
def test_an_error_of_the_parser_says_in_which_command_it_is(typed: str) -> None:
    """``wrong_usage`` reads the field ``option_name`` of errors."""
    program = typer.main.get_command(app)
    with pytest.raises(typer.TyperException) as raised:
        program.main(typed.split(), prog_name="porto", standalone_mode=False)
    error: Any = raised.value
    assert running().command_path == f"porto {typed.split()[0]}"
    assert getattr(error, "option_name", None) in (None, "--as", "--foo")
    assert isinstance(error, typer.BadParameter) == (typed == "draw")


@pytest.mark.parametrize("command", ["show", "verify", "receive", "play", "new", "join"])
def test_a_file_that_cannot_be_read_is_left_to_the_command(
    porto: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    """Typer would refuse it as wrong usage (exit code 2)."""
    (tmp_path / "g.yaml").write_text("porto: 1\n", "utf-8")
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert "is not readable" not in porto(command, "g.yaml").err


def test_the_usage_has_required_words_without_brackets(porto: Any) -> None:
    for command, words in (("draw", "FILE [CARD…]"), ("pass", "FILE")):
        usage = porto(command, "--help").out.splitlines()[0]
        assert usage.endswith(f" {command} [OPTIONS] {words}")
