"""The command that checks records."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from porto_cli.cli import complete
from porto_cli.cli.common import Format, find_record, ui_for
from porto_cli.core.errors import INVALID, TROUBLE, FileError
from porto_cli.core.message import Sentence, say
from porto_cli.core.yaml import InvalidFileError
from porto_cli.match.match import Match, load
from porto_cli.match.record import OPEN, TABLE

NOT_PROVEN = {
    OPEN: say(
        "Not proven for a game with 'secrecy: open': that nobody tried seeds until one suited, or, "
        "unless the players have compared digests, rewrote choices together with all that follows "
        "from them, or deleted what was taken back."
    ),
    TABLE: say(
        "Not proven for a game with 'secrecy: table': that what was typed in came up on the table, "
        "and, unless the players have compared digests, that nobody rewrote or deleted turns since."
    ),
}
"""What a valid record does not prove, for each kind of secrecy."""


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

    For each record it prints where chance comes from, an edition of its own, and the digest:
    whoever has the same digest has the same game. The fingerprint that other commands print is its
    beginning, a checksum against accidents: a game with the same one can be made on purpose. At the
    end it says what cannot be proven.

    Exits with 3 if a record is not valid and with 4 if a file cannot be read.
    """
    code = 0
    reports: list[dict[str, object]] = []
    kinds: set[str] = set()
    for file in files:
        report: dict[str, object] = {"file": str(file), "valid": False}
        reports.append(report)
        try:
            match = load(find_record(file))
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
            "digest": match.digest,
            "secrecy": match.record.secrecy,
            **ui_for(match).facts(match.config)[0],
            "not_proven": str(NOT_PROVEN[match.record.secrecy]),
        }
        kinds.add(match.record.secrecy)
        if not quiet:
            _tell(output, _good(file, match))
    if not quiet:
        for kind in sorted(kinds):
            _tell(output, NOT_PROVEN[kind])
    if output == Format.json:
        from porto_cli.cli.output import write_json
        from porto_cli.core.documents import document

        wanted = [report for report in reports if not (quiet and report["valid"])]
        write_json(document(files=wanted))
    raise typer.Exit(code)


def _good(file: Path, match: Match) -> Sentence:
    _, unusual = ui_for(match).facts(match.config)
    return say(
        _GOOD[match.over, unusual is not None],
        file=file,
        turns=match.state.turn,
        secrecy=match.record.secrecy,
        unusual=unusual,
        digest=match.digest,
    )


_GOOD = {
    (True, False): "{file}: valid, finished after {turns} turns, secrecy {secrecy}, "
    "digest {digest}.",
    (True, True): "{file}: valid, finished after {turns} turns, secrecy {secrecy}, {unusual}, "
    "digest {digest}.",
    (False, False): "{file}: valid, {turns} turns so far, secrecy {secrecy}, digest {digest}.",
    (False, True): "{file}: valid, {turns} turns so far, secrecy {secrecy}, {unusual}, "
    "digest {digest}.",
}
"""What is said of a valid record: whether it is finished, and whether its game is unusual."""


def _tell(output: Format, line: object, *, error: bool = False) -> None:
    if output == Format.text:
        typer.echo(str(line), err=error)
