"""What the program uses of Typer beyond its documentation, one test each.

When a new version of Typer fails here, ``porto_cli/cli/parser.py`` is what has to change.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated, Any

import pytest
import typer
from typer.testing import CliRunner

from porto_cli.cli import parser
from porto_cli.cli.app import app


def made_by(function: Any, **behind: Any) -> parser.Command:
    return parser.command_of("try", parser.with_parameters(function, behind))


def run(command: parser.Command, *words: str) -> None:
    command.main(list(words), prog_name="try", standalone_mode=False)


def test_a_function_has_the_parameters_of_its_signature() -> None:
    """``__signature__`` is what Typer reads, with annotations that are objects."""
    given: dict[str, Any] = {}

    def command(
        first: Annotated[str, typer.Argument()],
        last: Annotated[int, typer.Option("--last")] = 1,
        *,
        bound: str,
        **options: Any,
    ) -> None:
        """Explain it."""
        given.update(options, first=first, last=last, bound=bound)

    more = parser.parameter("more", Annotated[str | None, typer.Option("--more")], None)
    made = made_by(partial(command, bound="here"), first=[more])
    assert [param.name for param in made.params] == ["first", "more", "last"]
    assert made.help == "Explain it."
    run(made, "x", "--more", "y")
    assert given == {"first": "x", "more": "y", "last": 1, "bound": "here"}


@pytest.mark.parametrize(("words", "typed"), [([], False), (["--last", "1"], True)])
def test_a_typed_value_differs_from_a_default(words: list[str], typed: bool) -> None:
    found = []

    def command(last: int = 1) -> None:
        found.append(parser.is_typed("last"))

    run(made_by(command), *words)
    assert found == [typed]
    assert not parser.is_typed("last"), "no command is running any more"


def test_a_file_that_cannot_be_read_is_left_to_the_command(tmp_path: Path) -> None:
    def command(file: Path) -> None:
        assert file == tmp_path / "none"

    made = made_by(command)
    assert made.params[0].type.readable is False
    run(made, str(tmp_path / "none"))


def test_an_option_without_its_value_does_not_spoil_a_completion() -> None:
    def command(first: str, last: int = 1) -> None: ...

    made = made_by(command)
    context = made.make_context("try", ["word", "--last"], resilient_parsing=True)
    assert context.params["first"] == "word"


def test_the_usage_has_required_words_without_brackets() -> None:
    usage = CliRunner().invoke(app, ["draw", "--help"]).output.splitlines()[0]
    assert usage.endswith(" draw [OPTIONS] FILE [CARD…]")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell", "pwsh"])
def test_the_shells_are_answered_by_classes_of_ours(shell: str) -> None:
    from typer._click.shell_completion import get_completion_class

    parser.register_shells()
    found = get_completion_class(shell)
    assert found is not None
    assert found.__module__ == parser.__name__
    assert found.__mro__[1].__module__.startswith("typer.")


def test_a_word_that_is_offered_keeps_its_text() -> None:
    assert [item.value for item in parser.completions(["a", "b"])] == ["a", "b"]
