"""Sealed games that are still being set up, as they come in: there is no table yet."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from porto_cli.core import files
from porto_cli.core.chance import sha256
from porto_cli.core.message import Sentence, say
from porto_cli.core.quoting import option
from porto_cli.mail.receiving import create_free, keep_beside, name_of, text_to_save
from porto_cli.mail.records_in import FoundSetup
from porto_cli.match.arrival import Verdict
from porto_cli.match.command_lines import word_of
from porto_cli.match.record import Record, load
from porto_cli.match.sealed_copies import compare_steps, nearest_copy
from porto_cli.match.sealed_setup import read_setup
from porto_cli.match.seals import spelled
from porto_cli.settings import own_seat


class ReceivedSetup(NamedTuple):
    """What was done with a game in set-up, or (in a dry run) would be."""

    verdict: Verdict
    file: Path
    """The local copy, or where it was saved."""
    kept: Path | None = None
    """Where a version is that parts from the local copy."""
    step: int = 0
    """The first step that the two have otherwise."""
    was_known: bool = False
    """It parts from the local copy, and lies beside it already."""


def receive_setup(
    found: FoundSetup, folder: Path, into: Path | None, *, dry_run: bool
) -> ReceivedSetup:
    """Receive a game in set-up. Raises FileError, and InvalidFileError for ``into``."""
    text = text_to_save(found.record)
    copy = nearest_copy(found.record, folder, into)
    if copy:
        verdict, step, path, own = copy
        if verdict is Verdict.FORK:
            return _keep_beside(found.record, path, step, dry_run=dry_run)
        if not dry_run and verdict is Verdict.CONTINUES:
            files.replace(path, text, was=own.text)
            files.note(say("The game was received: {file} has it.", file=path))
        return ReceivedSetup(verdict, path, None, step)
    path = into or create_free(folder, name_of(found.record, found.name), text, dry_run=dry_run)
    if not dry_run:
        if into:
            files.create(path, text)
        files.note(say("The game was received: {file} has it.", file=path))
    return ReceivedSetup(Verdict.NEW, path)


def _keep_beside(game: Record, path: Path, step: int, *, dry_run: bool) -> ReceivedSetup:
    """Put a version that parts from the local copy beside it, once."""

    def relation(kept: Path) -> Verdict:
        return compare_steps(load(files.read_text(kept), str(kept)), game)[0]

    assert game.seals is not None
    version = sha256("".join(map(spelled, game.seals.steps)).encode()).hexdigest()
    text = text_to_save(game)
    kept, was_known = keep_beside(path, text, version, relation, dry_run=dry_run)
    verdict = Verdict.FORK if kept else Verdict.SETTLED
    return ReceivedSetup(verdict, path, kept, step, was_known)


def how_far_is(game: Record, file: Path) -> Sentence:
    """Say how far a set-up is, and what to type or whom to send it to."""
    begun = read_setup(game)
    assert begun.next is not None
    players = begun.chain.players
    player, is_own = players[begun.next], own_seat(players) == begun.next
    # Who has joined is known by the key.
    is_known = is_own or begun.setup.next_to_join is None
    named = [] if is_known else [option("--as", player)]
    facts: dict[str, object] = {
        "done": begun.done,
        "stations": begun.hops,
        "player": player,
        "command": " ".join(["porto join", word_of(str(file)), *named]),
    }
    if is_own:
        return say(
            "It is being set up, at station {next} of {stations}, and you are next: {command}",
            next=begun.done + 1,
            **facts,
        )
    return say(
        "It is being set up, and was at {done} of {stations} stations; next is {player}, who types "
        "{command}.",
        **facts,
    )
