"""The command that checks records."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from porto_cli import api
from porto_cli.cli import complete
from porto_cli.cli.common import Format
from porto_cli.errors import INVALID, TROUBLE, FileError
from porto_cli.rules.sentence import Sentence, say
from porto_cli.yamltext import InvalidFileError


def verify(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE…",
            help="Records; '-' is standard input.",
            autocompletion=complete.records,
        ),
    ],
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print only what is wrong.")] = False,
    output: Annotated[
        Format, typer.Option("--format", help="Print a line for each file, or JSON.")
    ] = Format.text,
) -> None:
    """Replay records and check every move, every card that came up and the result.

    Exits with 3 if a record is not valid and with 4 if a file cannot be read.
    """
    code = 0
    reports: list[dict[str, object]] = []
    for file in files:
        report: dict[str, object] = {"file": str(file), "valid": False}
        reports.append(report)
        try:
            match = api.load(file)
        except InvalidFileError as error:
            code = max(code, INVALID)
            report |= {
                "line": error.place.line,
                "column": error.place.column,
                "error": str(error.sentence),
            }
            _tell(output, f"{error.place}: {error.sentence}", error=True)
            continue
        except FileError as error:
            code = max(code, TROUBLE)
            report["error"] = str(error.sentence)
            _tell(output, error.sentence, error=True)
            continue
        report |= {
            "valid": True,
            "turns": match.state.turn,
            "phase": match.state.phase,
            "fingerprint": match.fingerprint,
        }
        if not quiet:
            _tell(output, _good(file, match))
    if output == Format.json:
        from porto_cli.cli.output import write_json
        from porto_cli.render.json import document

        write_json(document(files=reports))
    raise typer.Exit(code)


def _good(file: Path, match: api.Match) -> Sentence:
    if match.over:
        return say(
            "{file}: valid, finished after {turns} turns, fingerprint {fingerprint}.",
            file=file,
            turns=match.state.turn,
            fingerprint=match.fingerprint,
        )
    return say(
        "{file}: valid, {turns} turns so far, fingerprint {fingerprint}.",
        file=file,
        turns=match.state.turn,
        fingerprint=match.fingerprint,
    )


def _tell(output: Format, line: object, *, error: bool = False) -> None:
    if output == Format.text:
        typer.echo(str(line), err=error)
