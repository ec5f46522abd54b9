"""The command that checks records, and the moves of bots in them."""

from __future__ import annotations

import sys
from itertools import combinations
from pathlib import Path
from typing import Annotated, NamedTuple, TextIO

import typer

from porto_cli.cli import complete
from porto_cli.cli.common import find_record, keys_here
from porto_cli.cli.parameters import Format
from porto_cli.core.message import INVALID, REFUSED, TROUBLE, FileError, plural, shown
from porto_cli.core.yaml import InvalidFileError
from porto_cli.match.match import Match, load
from porto_cli.match.not_ready import NotReadyError
from porto_cli.match.record import OPEN, SEALED, TABLE
from porto_cli.match.replay import Replay
from porto_cli.match.seats import titled
from porto_cli.term.tell import tell

NOT_PROVEN = {
    OPEN: (
        "Not proven for a game with 'secrecy: open': that the seed was not picked from "
        "several, and, unless the players have compared digests, that no choices were "
        "rewritten together with everything that follows from them, and no undone turns "
        "deleted."
    ),
    TABLE: (
        "Not proven for a game with 'secrecy: table': that what was typed in really came up "
        "on the table, and, unless the players have compared digests, that no turns were "
        "rewritten or deleted later."
    ),
    SEALED: (
        "Not proven for a sealed game: that players did not tell each other what they hold; "
        "that a player and the next one did not work out together what would come up; that "
        "no player quit because of what came up, and what a player who quits has kept; that "
        "no key file was stolen, and that each key belongs to the player it is named after, "
        "unless you have compared keys; that the last turns are not missing, unless you have "
        "compared table codes. The method does not withstand quantum computers, and no "
        "independent expert has reviewed it."
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
    bots: Annotated[
        bool,
        typer.Option("--bots", help="Recompute all moves of bots, and report those that differ."),
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print only what is wrong.")] = False,
    output: Annotated[
        Format, typer.Option("--format", help="Print a line for each file, or JSON.")
    ] = Format.text,
) -> None:
    """Replay records and check every move, everything that came up, and the result.

    For each record it prints the source of chance, a custom edition, and the digest: the same
    digest means the same game. The fingerprint that other commands print is its beginning, a
    checksum against accidents only: it is possible to make another game with the same fingerprint.
    The last lines say what is not proven.

    For sealed games it prints who signed, what is proven, and the table code: players who read the
    same code to each other have the same game. Given several copies of such a game, it finds
    players who have signed two versions of a step, taken back an answered turn, or made one turn in
    two ways.

    With --bots the moves of bots are recomputed. They follow from the record, so changed ones are
    found. This takes some time with the best players.

    Exits with 1 if copies show that a player has done any of this, with 3 if a record is not valid
    or a bot would have moved differently, and with 4 if a file cannot be read.
    """
    code = 0
    checked = []
    for file in files:
        one = _check(file, bots=bots)
        checked.append(one)
        code = max(code, one.code)
        _print(output, *(() if quiet else one.sentences), *one.warnings)
        _print(output, *one.wrong, stream=sys.stderr)
    copies = [one.replay for one in checked if one.replay and one.replay.chain is not None]
    if copies[1:]:
        from porto_cli.match.forks import contradiction

        for first, second in combinations(copies, 2):
            found = contradiction(first, second, first.record.file, second.record.file)
            if found:
                code = max(code, REFUSED)
                checked[-1].report.setdefault(found[0], found[1])
                _print(output, found[1], stream=sys.stderr)
    kinds = {one.replay.record.secrecy for one in checked if one.replay}
    _print(output, *(() if quiet else (NOT_PROVEN[kind] for kind in sorted(kinds))))
    if output == Format.json:
        from porto_cli.cli.output import write_json
        from porto_cli.core.documents import document

        reports = [
            one.report
            for one in checked
            if not (quiet and one.report["valid"] and not one.report.get("bots_differ"))
        ]
        write_json(document(files=reports))
    raise typer.Exit(code)


def _print(output: Format, *lines: str, stream: TextIO | None = None) -> None:
    if output == Format.text:
        tell(*lines, stream=stream)


class Checked(NamedTuple):
    """The result of checking a file, or the bots in it.

    ``report``     for the document
    ``sentences``  on standard output, unless only what is wrong is wanted
    ``warnings``   on standard output in any case
    ``wrong``      on standard error
    ``code``       the exit code
    ``replay``     the game, if the record is valid
    """

    report: dict[str, object]
    sentences: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()
    code: int = 0
    replay: Replay | None = None


def _check(file: Path, *, bots: bool) -> Checked:
    """Check a record, and if it is wanted the moves of its bots."""
    report: dict[str, object] = {"file": str(file), "valid": False}
    try:
        match = load(find_record(file), keys_here)
    except NotReadyError as error:
        report |= {"valid": True, "secrecy": SEALED, "setup": error.as_json()}
        if not error.record:
            return Checked(report, error.sentences)
        from porto_cli.cli.join import terms, warnings

        of_it = warnings(error.record)
        report |= {"terms": [*terms(error.record)], "warnings": [*of_it]}
        return Checked(report, error.sentences, tuple(of_it))
    except InvalidFileError as error:
        report |= {
            "line": error.place.line,
            "column": error.place.column,
            "error": error.sentence,
        }
        return Checked(report, wrong=(f"{error.place}: {error.sentence}",), code=INVALID)
    except FileError as error:
        report["error"] = error.sentence
        return Checked(report, wrong=(error.sentence,), code=TROUBLE)
    report |= {
        "valid": True,
        "turns": match.state.turn,
        "phase": match.state.phase,
        "fingerprint": match.fingerprint,
        "digest": match.digest,
        "secrecy": match.record.secrecy,
        **match.game.facts(match.config)[0],
        "not_proven": NOT_PROVEN[match.record.secrecy],
    }
    good = Checked(report, (_good(file, match),), replay=match.replay)
    if bots or match.replay.bot_versions:
        of_bots = check_bots(match, file, wanted=bots)
        good = good._replace(
            report=report | of_bots.report,
            sentences=(*good.sentences, *of_bots.sentences),
            wrong=of_bots.wrong,
            code=of_bots.code,
        )
    if match.replay.chain is not None:
        from porto_cli.cli import join

        good = good._replace(
            report=good.report | join.signatures_json(match.replay),
            sentences=(*good.sentences, *join.signatures_text(match.replay)),
        )
    return good


def _good(file: Path, match: Match) -> str:
    _, unusual = match.game.facts(match.config)
    turns = plural(match.state.turn, "turn")
    played = f"finished after {turns}" if match.over else f"{turns} so far"
    secrecy = f"secrecy {match.record.secrecy}"
    facts = [played, secrecy, *([] if unusual is None else [unusual]), f"digest {match.digest}"]
    return f"{file}: valid, {', '.join(facts)}."


def check_bots(match: Match, file: Path, *, wanted: bool) -> Checked:
    """Make the moves of all bots again, if that is ``wanted``, and report those that differ.

    If the record was made with another version of the players, they cannot be compared.
    """
    replay, version = match.replay, match.game.meta.bots_version
    versions = replay.bot_versions
    if not versions:
        return Checked({"bots": {}}, (f"{file}: it has no bots.",))
    players = [match.players[seat] for seat in versions]
    report: dict[str, object] = {
        "bots": match.bots,
        "bots_version": min(min(one) for one in versions.values()),
    }
    if not wanted:
        sentence = f"{file}: to check the moves of its bots ({', '.join(players)}), add --bots."
        return Checked(report, (sentence,))
    others = set().union(*versions.values()) - {version}
    if others:
        sentence = (
            f"{file}: its bots are of version {min(others)}, but this program has version "
            f"{version}, so their moves cannot be checked."
        )
        return Checked(report | {"bots_checked": 0, "bots_differ": []}, (sentence,))
    from porto_cli.cli.batch import progress
    from porto_cli.players.bots import decisions, expected

    every = list(decisions(match.replay))
    gone = {one.bot for one in every} & set(match.game.meta.former_bots)
    if gone:
        sentence = (
            f"{file}: this program no longer has the player {', '.join(sorted(gone))}, so "
            "the moves of its bots cannot be checked."
        )
        return Checked(report | {"bots_checked": 0, "bots_differ": []}, (sentence,))
    differ: list[dict[str, object]] = []
    wrong = []
    with progress(len(every)) as step:
        for done, one in enumerate(every, start=1):
            instead = expected(match.replay, one)
            step(done)
            if instead is None:
                continue
            place = match.record.place(match.replay.steps[one.place].item)
            secret = match.game.is_secret(one.move) and not match.over
            moves = [match.game.format_move(each, one.state) for each in (one.move, instead)]
            made, right = [text.split()[0] if secret else text for text in moves]
            player = match.players[one.seat]
            differ.append({"line": place.line, "player": player, "move": made, "right": right})
            chose = (
                "would choose differently here"
                if secret
                else f"has {shown(made)} here, but would play {shown(right)}"
            )
            wrong.append(f"{place}: {titled(player, one.bot)} {chose}.")
    report |= {"bots_checked": len(every), "bots_differ": differ}
    if wrong:
        wrong.append(
            f"{file}: {len(differ)} of {len(every)} decisions of bots are not what they "
            "would have chosen. Either they were changed, or made by a porto with other "
            "players."
        )
        return Checked(report, wrong=tuple(wrong), code=INVALID)
    sentence = f"{file}: all {len(every)} decisions of bots are genuine."
    return Checked(report, (sentence,))
