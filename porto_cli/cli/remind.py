"""The command that reminds players whose turn it is."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from porto_cli import home
from porto_cli.cli import complete
from porto_cli.cli.ask import can_ask
from porto_cli.cli.common import find_record, open_match, seat_of
from porto_cli.cli.games import DAY, is_known, time_in_words
from porto_cli.cli.mail import now_here, send_parcel, to_be_read
from porto_cli.cli.output import write
from porto_cli.cli.parser import AsPlayer
from porto_cli.core.files import STANDARD
from porto_cli.core.message import PortoError, say, usage
from porto_cli.keys import private
from porto_cli.mail.compose import Parcel, Wish, compose, who_writes
from porto_cli.mail.threads import message_ids
from porto_cli.match.arrival import parted_from
from porto_cli.match.match import Match
from porto_cli.match.not_ready import NotReadyError
from porto_cli.match.record_files import records_of
from porto_cli.match.seats import seat_of as find_seat
from porto_cli.term.tell import remark

_FILE = "reminders.txt"
"""A file in the user's own folder: the ids of tables, and when a reminder was sent, in seconds
since 1970. If it is lost, a reminder is sent once more."""
_MOST = 500
_LINE = re.compile(r"(<\S+>) (\d+)")
_SECONDS = {"h": 3600, "d": DAY, "w": 7 * DAY}


def remind(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="FILE…",
            help="The records; those of this folder if left out.",
            show_default=False,
            autocompletion=complete.records,
        ),
    ] = None,
    player: AsPlayer = None,
    after: Annotated[
        str,
        typer.Option(
            metavar="TIME",
            help="How long a game has to wait: hours, days or weeks, like 12h or 2w.",
        ),
    ] = "3d",
    send: Annotated[
        bool, typer.Option("--send", help="Send them with the mail server in your settings.")
    ] = False,
) -> None:
    """Write a friendly reminder to the players whose turn it is.

    It is the mail of 'porto mail' with a sentence that says how long ago your copy of the game was
    changed. A reminder is due when that is at least the time of --after, and as long ago as the
    last reminder that was sent in this turn. If none is due, a script prints nothing. Nothing in a
    game ever happens because time has passed.
    """
    found = re.fullmatch(r"([1-9]\d{0,3})([hdw])", after)
    if found is None:
        usage(
            say(
                "--after takes hours, days or weeks, like 12h, 3d or 2w, but got {after!r}.",
                after=after,
            )
        )
    if files and Path(STANDARD) in files:
        usage(say("The time is that of a file, so a reminder cannot be about standard input."))
    wait, failed, written = int(found[1]) * _SECONDS[found[2]], 0, 0
    for path in files or [one for one in records_of(Path()) if parted_from(one) is None]:
        try:
            match = open_match(find_record(path))
            seat = None
            if player is not None:
                # In a folder there are games of others as well.
                seat = (
                    seat_of(match.replay, player)
                    if files
                    else find_seat(match.replay.holders, player)
                )
                if seat is None:
                    continue
            parcel = _due(match, seat, wait, unseen=send)
            if parcel is None:
                continue
            written += 1
            if send:
                send_parcel(parcel, match.replay)
                _remember(message_ids(match.replay)[-1])
            else:
                write(to_be_read(parcel))
        except NotReadyError:
            continue
        except PortoError as error:
            remark(*error.sentences, *(f"  {command}" for command in error.suggestions))
            failed = failed or error.exit_code
    if failed:
        raise typer.Exit(failed)
    if not written and can_ask():
        remark(say("No reminder is due. 'porto games' says for how long each game has waited."))


def _due(match: Match, seat: int | None, wait: int, *, unseen: bool) -> Parcel | None:
    """Return the reminder that is due; ``None`` if none is. Raises what :func:`compose` raises."""
    replay, path = match.replay, match.path
    assert path is not None
    if match.over:
        return None
    writer = who_writes(replay, Wish(seat))
    waiting = [one for one in match.game.to_move(match.state) if one in match.people]
    readers = [match.replay.holders[one] for one in waiting if one != writer]
    now, changed = time.time(), path.stat().st_mtime
    since = max(changed, _reminded().get(message_ids(replay)[-1], 0))
    if writer is None or not readers or now - since < wait or not is_known(now - changed):
        return None
    note = say(
        "This is a friendly reminder: {sender}'s copy of this game was last changed {time} ago. If "
        "you have moved since then, your mail may be lost, or the game waits for somebody else.",
        sender=match.replay.holders[writer],
        time=time_in_words(now - changed),
    )
    wish = Wish(writer, tuple(readers), note=note, subject="Reminder: {subject}")
    return compose(replay, wish._replace(again=f"{int(now):x}", unseen=unseen), now_here())


def _reminded() -> Mapping[str, int]:
    """Return when a reminder was last sent, by the id of the table."""
    text, _ = private.read(home.folder() / _FILE)
    return {id_: int(seconds) for id_, seconds in _LINE.findall(text or "")}


def _remember(table: str) -> None:
    """Note that a reminder was sent. Raises FileError."""
    private.home_ready()
    path = home.folder() / _FILE
    text, _ = private.read(path)
    lines = [line for line in (text or "").splitlines() if not line.startswith(table)]
    lines = [*lines, f"{table} {int(time.time())}"][-_MOST:]
    private.write(path, "".join(f"{line}\n" for line in lines), text)
