"""The command that checks records."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from porto_cli.cli import complete
from porto_cli.cli.common import Format, find_record, ui_for
from porto_cli.cli.keys_here import keys_here
from porto_cli.core.errors import INVALID, REFUSED, TROUBLE, FileError
from porto_cli.core.files import STANDARD, read_text
from porto_cli.core.message import Sentence, say
from porto_cli.core.yaml import InvalidFileError
from porto_cli.match.match import Match, load
from porto_cli.match.not_ready import NotReadyError
from porto_cli.match.record import OPEN, SEALED, TABLE
from porto_cli.match.replay import Replay
from porto_cli.term.tell import tell

SIGNED = "signed"
"""A game with a seed whose turns are signed."""

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
    SIGNED: say(
        "Not proven for a signed game: that nobody tried seeds until one suited, or looked at what "
        "the seed will bring; that a key is that of the player it is named after, unless you have "
        "compared keys; that the last turns are not missing, unless you have compared table codes."
    ),
    SEALED: say(
        "Not proven for a sealed game: that players did not tell each other what they hold; that "
        "the one who moved and the next one did not foresee together what came up; that nobody "
        "quit because of what came up, and what a player who quits has kept; that no key file was "
        "stolen, and a key is that of the player it is named after, unless you have compared keys; "
        "that the last turns are not missing, unless you have compared table codes. It does not "
        "withstand quantum computers, and nobody independent has examined how it works."
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
    proof: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Where to write the proof, if two copies show that somebody signed two versions "
            "of a step.",
            show_default=False,
        ),
    ] = None,
    bots: Annotated[
        bool,
        typer.Option(
            "--bots", help="Make the moves of all bots anew, and say which are not theirs."
        ),
    ] = False,
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

    Of signed and sealed games it tells who signed, what is proven, and the table code: players who
    read out the same one have the same game. Given several copies of such a game, it finds who has
    signed two versions of a step; the proof that it writes can be checked with this command, too.
    It also finds who has taken back an answered turn, or made one turn in two ways.

    With --bots the moves of bots are made anew: each follows from the record, so that one which was
    changed is found. Those of the best players take some time.

    Exits with 1 if copies show that somebody did one of these, with 3 if a record is not valid or a
    bot would have moved otherwise, and with 4 if a file cannot be read.
    """
    code = 0
    reports: list[dict[str, object]] = []
    kinds: set[str] = set()
    copies: list[Replay] = []
    for file in files:
        report: dict[str, object] = {"file": str(file), "valid": False}
        reports.append(report)
        try:
            if _is_proof(file):
                report |= _proven(file, output, quiet=quiet)
                continue
            match = load(find_record(file), keys_here)
        except NotReadyError as error:
            from porto_cli.cli.sealing import terms, warnings

            report |= {"valid": True, "secrecy": SEALED, "setup": error.as_json()}
            if not quiet:
                _tell(output, error)
            if error.record:
                report["terms"] = list(map(str, terms(error.record)))
                report["warnings"] = list(map(str, warnings(error.record)))
                for sentence in warnings(error.record):
                    _tell(output, sentence)
            continue
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
            "not_proven": str(NOT_PROVEN[_kind(match)]),
        }
        kinds.add(_kind(match))
        if not quiet:
            _tell(output, _good(file, match))
        if bots or match.record.bots is not None:
            from porto_cli.cli import verify_bots

            checked = verify_bots.check(match, file, wanted=bots)
            report |= checked.report
            if checked.report.get("bots_differ"):
                code = max(code, INVALID)
            for sentence in () if quiet else checked.told:
                _tell(output, sentence)
            for sentence in checked.wrong:
                _tell(output, sentence, error=True)
        if match.replay.chain is not None:
            from porto_cli.cli import signatures

            copies.append(match.replay)
            report |= signatures.report(match.replay)
            for sentence in () if quiet else signatures.sentences(match.replay):
                _tell(output, sentence)
    if copies[1:]:
        from porto_cli.cli import signatures

        for sentence in signatures.two_versions(copies, proof):
            code = max(code, REFUSED)
            reports[-1].setdefault("two_versions", str(sentence))
            _tell(output, sentence, error=True)
        for key, sentence in signatures.contradictions(copies):
            code = max(code, REFUSED)
            reports[-1].setdefault(key, str(sentence))
            _tell(output, sentence, error=True)
    if not quiet:
        for kind in sorted(kinds):
            _tell(output, NOT_PROVEN[kind])
    if output == Format.json:
        from porto_cli.cli.output import write_json
        from porto_cli.core.documents import document

        wanted = [
            report
            for report in reports
            if not (quiet and report["valid"] and not report.get("bots_differ"))
        ]
        write_json(document(files=wanted))
    raise typer.Exit(code)


def _kind(match: Match) -> str:
    return SIGNED if match.record.signed else match.record.secrecy


def _is_proof(file: Path) -> bool:
    """Tell whether a file is no record but the proof that a step has two versions."""
    if str(file) == STANDARD or not file.is_file():
        return False
    text = read_text(file)
    return "porto-proof:" in text[:4000] and "seals:" not in text


def _proven(file: Path, output: Format, *, quiet: bool) -> dict[str, object]:
    """Check a proof and tell what it proves. Raises InvalidFileError, FileError."""
    from porto_cli.cli import signatures

    sentence = signatures.proven(read_text(file), str(file))
    if not quiet:
        _tell(output, sentence)
    return {"valid": True, "two_versions": str(sentence)}


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
        tell(line, stream=sys.stderr if error else sys.stdout)
