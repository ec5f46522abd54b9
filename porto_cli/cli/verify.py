"""The command that checks records, and the moves of bots in them."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import typer

from porto_cli.cli import Format, FormatOption, arg, opt
from porto_cli.cli.common import opened
from porto_cli.cli.completion import offer_records
from porto_cli.core import INVALID, REFUSED, FileError, cited, plural
from porto_cli.core.values import document
from porto_cli.core.yaml import InvalidFileError
from porto_cli.match.match import Match
from porto_cli.match.record import OPEN, SEALED, TABLE, NotReadyError
from porto_cli.match.replay import Replay
from porto_cli.seam import with_level
from porto_cli.term import json_line, tell

if TYPE_CHECKING:
    from porto_cli.players.named import BotMove

NOT_PROVEN = {
    OPEN: (
        "Not proven for a game with 'secrecy: open': that the seed was not picked from "
        "several, and, unless the players have compared whole fingerprints, that no choices "
        "were rewritten together with everything that follows from them, and no undone turns "
        "deleted."
    ),
    TABLE: (
        "Not proven for a game with 'secrecy: table': that what was typed in really came up "
        "on the table, and, unless the players have compared whole fingerprints, that no turns "
        "were rewritten or deleted later."
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


IN_ORDER = {
    OPEN: "every move follows the rules, and all that came up is what the seed decides",
    TABLE: "every move follows the rules; what came up on the table was typed in",
    SEALED: "every step is signed, and all that is known of it follows the rules",
}
"""What is checked of a valid record, in a gamer's words."""


def verify(
    files: list[Path] = arg(
        ..., "FILE…", "Records; '-' is standard input.", autocompletion=offer_records
    ),
    bots: bool = opt(False, "--bots", "Recompute all moves of bots, and report those that differ."),
    quiet: bool = opt(False, "--quiet -q", "Print only what is wrong."),
    output: FormatOption = Format.text,
) -> None:
    """Replay records and check every move, everything that came up, and the result.

    For each record it prints the source of chance, a custom edition, and the whole fingerprint: the
    same one means the same game. Other commands print its beginning, a checksum against accidents
    only: it is possible to make another game with the same beginning. The last lines say what is
    not proven.

    For sealed games it prints who signed, what is proven, and the table code: players who read the
    same code to each other have the same game. Given several copies of such a game, it finds
    players who have signed two versions of a step, taken back an answered turn, or made one turn in
    two ways.

    With --bots the moves of bots are recomputed. They follow from the record, so changed ones are
    found. Those of a player or version that is no longer known cannot be checked, and are named.
    This takes some time with the best players.

    Exits with 1 if copies show that a player has done any of this, with 3 if a record is not valid
    or a bot would have moved differently, and with 4 if a file cannot be read.

    Examples:
      porto verify --bots friday.yaml
      porto verify mine.yaml theirs.yaml
    """
    checked = []
    for file in files:
        one = _check(file, bots=bots)
        checked.append(one)
        _print(output, *(() if quiet else one.sentences), *one.warnings)
        _print(output, *one.wrong, stream=sys.stderr)
    code = max(one.code for one in checked)
    replays = [one.replay for one in checked if one.replay]
    for first, second in combinations((one for one in replays if one.chain is not None), 2):
        from porto_cli.sealed.copies import contradiction

        found = contradiction(first, second, first.record.file, second.record.file)
        if found:
            code = max(code, REFUSED)
            checked[-1].report.setdefault(found[0], str(found[1]))
            _print(output, found[1], stream=sys.stderr)
    kinds = {one.record.secrecy for one in replays}
    _print(output, *(() if quiet else (NOT_PROVEN[kind] for kind in sorted(kinds))))
    if output == Format.json:
        reports = [one.report for one in checked if one.wrong or not quiet]
        print(json_line(document(files=reports), sys.stdout))
    raise typer.Exit(code)


def _print(output: Format, *lines: str, stream: TextIO | None = None) -> None:
    if output == Format.text:
        tell(*lines, stream=stream)


@dataclass
class Checked:
    """The result of checking a file.

    ``report``     for the document
    ``sentences``  on standard output, unless only what is wrong is wanted
    ``warnings``   on standard output in any case
    ``wrong``      on standard error
    ``code``       the exit code
    ``replay``     the game, if the record is valid
    """

    report: dict[str, object]
    sentences: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    code: int = 0
    replay: Replay | None = None

    def fail(self, code: int, *sentences: str) -> None:
        """Note what is wrong, and its exit code."""
        self.code, self.wrong = code, [*sentences]


def _check(file: Path, *, bots: bool) -> Checked:
    """Check a record, and with ``bots`` their moves."""
    checked = Checked({"file": str(file), "valid": False})
    try:
        match = opened(file)
    except NotReadyError as error:
        from porto_cli.cli.join import terms, warnings

        checked.report |= {"valid": True, "secrecy": SEALED, "setup": error.as_json()}
        checked.sentences += error.sentences
        checked.warnings += warnings(error.record)
        checked.report |= {"terms": terms(error.record), "warnings": checked.warnings}
        return checked
    except (InvalidFileError, FileError) as error:
        if isinstance(error, InvalidFileError):
            checked.report |= {"line": error.place.line, "column": error.place.column}
        checked.report["error"] = error.sentence
        checked.fail(error.exit_code, *error.sentences)
        return checked
    state, secrecy = match.state, match.record.secrecy
    facts, unusual = match.game.facts(match.config)
    checked.replay = match.replay
    checked.report |= {
        "valid": True,
        "turns": state.turn,
        "phase": state.phase,
        "fingerprint": match.fingerprint,
        "digest": match.digest,
        "secrecy": secrecy,
        **facts,
        "not_proven": NOT_PROVEN[secrecy],
    }
    turns = plural(state.turn, "turn")
    played = f"finished after {turns}" if match.over else f"{turns} so far"
    said = [
        f"secrecy {secrecy}",
        *([unusual] if unusual else []),
        f"whole fingerprint {match.digest}",
    ]
    checked.sentences.append(f"{file}: valid, {played}: {IN_ORDER[secrecy]}; {', '.join(said)}.")
    if bots or match.bot_versions:
        _check_bots(checked, match, file, wanted=bots)
    if match.chain is not None:
        from porto_cli.cli import join

        signatures = join.signatures_json(match)
        checked.report |= signatures
        checked.sentences += join.signatures_text(signatures)
    return checked


def _check_bots(checked: Checked, match: Match, file: Path, *, wanted: bool) -> None:
    """Make the moves of all bots again, if ``wanted``, and report those that differ.

    The moves of a different version of the bots, or of a bot that is gone, cannot be compared.
    """
    meta, record = match.game.meta, match.record
    versions = match.bot_versions
    checked.report["bots"] = match.bots
    if not versions:
        checked.sentences.append(f"{file}: it has no bots.")
        return
    checked.report["bots_version"] = min(min(one) for one in versions.values())
    if not wanted:
        bots = ", ".join(match.players[seat] for seat in versions)
        checked.sentences.append(f"{file}: to check the moves of its bots ({bots}), add --bots.")
        return
    from porto_cli.cli.batch import progress
    from porto_cli.players.named import bot_decisions, expected

    known: list[BotMove] = []
    unknown: dict[str, None] = {}
    for one in bot_decisions(match):
        if one.version == meta.bots_version and one.bot not in meta.former_bots:
            known.append(one)
            continue
        age = "newer than this porto" if one.version > meta.bots_version else "no longer known"
        why = f"its version {one.version} is {age}"
        player = with_level(match.players[one.seat], one.bot)
        unknown[f"{file}: the moves of {player} cannot be checked: {why}."] = None
    differ: list[dict[str, object]] = []
    wrong: list[str] = []
    with progress(len(known)) as step:
        for done, one in enumerate(known, start=1):
            instead, player = expected(match, one), match.players[one.seat]
            step(done)
            if instead is None:
                continue
            place = record.place(match.steps[one.place].item)
            secret = match.game.is_secret(one.move) and not match.over
            moves = [match.game.format_move(each, one.state) for each in (one.move, instead)]
            made, right = [text.split()[0] if secret else text for text in moves]
            differ.append({"line": place.line, "player": player, "move": made, "right": right})
            chose = f"has {cited(made)} here, but would play {cited(right)}"
            chose = "would choose differently here" if secret else chose
            wrong.append(f"{place}: {with_level(player, one.bot)} {chose}.")
    checked.report |= {"bots_checked": len(known), "bots_differ": differ}
    checked.sentences += unknown
    if wrong:
        why = "Either they were changed, or made by a porto with other players."
        count = f"{len(differ)} of {len(known)} decisions of bots"
        checked.fail(INVALID, *wrong, f"{file}: {count} are not what they would have chosen. {why}")
    elif known or not unknown:
        which = "the other" if unknown else "all"
        checked.sentences.append(f"{file}: {which} {len(known)} decisions of bots are genuine.")
