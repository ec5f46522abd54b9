"""Reminders of the games in a folder that wait for another player: 'porto mail --remind'."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field
from pathlib import Path

import typer

from porto_cli.cli.ask import can_ask
from porto_cli.cli.common import DAY, is_known, open_match, time_in_words
from porto_cli.cli.output import write
from porto_cli.core import PortoError, WrongUsageError, cited, usage
from porto_cli.core.shell import option, word_of
from porto_cli.mail import addresses, notes
from porto_cli.mail.copies import parted_from
from porto_cli.mail.draft import Draft, to_be_read
from porto_cli.mail.errors import UnsentError
from porto_cli.mail.ids import message_ids
from porto_cli.mail.posting import Mailed, Posting
from porto_cli.match import find_seat
from porto_cli.match.match import Match
from porto_cli.match.record import NotReadyError, records_of
from porto_cli.term import complain, remark, tell

_SECONDS = {"h": 3600, "d": DAY, "w": 7 * DAY}


def remind_players(folder: Path, player: str | None, after: str, *, send: bool) -> None:
    """Print or send the reminders that are due in a folder of games, in a player's name.

    A reminder is due when a game has waited for the time ``after``, like ``12h``, ``3d`` or ``2w``,
    and the last reminder of this turn is as long ago. An error in one game does not stop the
    others; the exit code is that of the first error.
    """
    found = re.fullmatch(r"([1-9]\d{0,3})([hdw])", after)
    if found is None:
        usage(f"--after takes hours, days or weeks, like 12h, 3d or 2w, but got {cited(after)}.")
    if not folder.is_dir():
        usage(f"--remind takes a folder of games, and {folder} is none.")
    reminders = _Reminders(player, int(found[1]) * _SECONDS[found[2]], send)
    for path in records_of(folder):
        if parted_from(path) is None:
            reminders.remind(path)
    if left := reminders.mailed.left:
        again = f"porto mail --remind {word_of(str(folder))} --after {after} --send"
        again += f" {option('--as', player)}" if player else ""
        files = [Path(draft.game.record.file) for draft in left]
        what = "reminder" if len(files) == 1 else "reminders"
        later = f"To send the {what} for {', '.join(map(str, files))} later: {again}"
        mailed = reminders.mailed
        reminders.fail(UnsentError((*mailed.why, later), mailed.suggestions), *files)
    if reminders.code:
        raise typer.Exit(reminders.code)
    if not reminders.count and can_ask():
        remark("No reminder is due. 'porto games' says for how long each game has waited.")


@dataclass
class _Reminders:
    """Reminds players of one game after the other.

    ``wait``    the seconds that a game has to wait for a reminder
    ``count``   how many were due
    ``mailed``  the result of those that were to be sent
    ``code``    the exit code of the first error, or 0
    """

    player: str | None
    wait: int
    send: bool
    count: int = 0
    mailed: Mailed = field(default_factory=Mailed)
    code: int = 0
    posting: Posting = field(default_factory=Posting)

    def remind(self, path: Path) -> None:
        """Print or send the reminder of a game, if one is due, and report what is wrong with it."""
        try:
            draft = self._due(open_match(path))
            if draft is None:
                return
            self.count += 1
            if self.send:
                self._send(draft, path)
            else:
                write(to_be_read(draft))
        except NotReadyError:
            return
        except PortoError as error:
            self.fail(error, path)

    def fail(self, error: PortoError, *files: Path) -> None:
        """Report an error about some games, and note its exit code."""
        self.code = self.code or error.exit_code
        # Cron would repeat it: only people are told again, or after something has changed.
        if not self.send or can_ask() or notes.is_news(error, files):
            complain(error)

    def _due(self, match: Match) -> Draft | None:
        """Return the reminder that is due; ``None`` if none is. Raises PortoError."""
        seat = None if self.player is None else find_seat(match.holders, self.player)
        # In a folder there are games of others as well.
        if match.over or (self.player is not None and seat is None):
            return None
        writer = Draft(match, seat).sender
        waiting = (match.holders[one] for one in match.people_to_move if one != writer)
        readers = tuple(one for one in waiting if not (self.send and notes.is_refused(match, one)))
        now, changed = time.time(), Path(match.record.file).stat().st_mtime
        reminded = notes.noted(notes.REMINDERS).get(message_ids(match)[-1], "")
        since = max(changed, int(reminded) if reminded.isdecimal() else 0)
        if writer is None or not readers or now - since < self.wait or not is_known(now - changed):
            return None
        note = (
            f"This is a friendly reminder: {match.holders[writer]}'s copy of this game "
            f"was last changed {time_in_words(now - changed)} ago. If you have moved since then, "
            "your mail may have been lost, or the game is waiting for somebody else."
        )
        again = f"{int(now):x}"
        return Draft(match, writer, readers, note=note, reminder=again, unseen=self.send)

    def _send(self, draft: Draft, path: Path) -> None:
        if draft.missing:
            said = addresses.not_stored(draft.missing, or_name_it=False)
            how = [*map(addresses.how_to_store, draft.missing)]
            self.fail(WrongUsageError(said, how), path)
            draft = draft.only_to([one.address for one in draft.to])
        if not draft.whom:
            return
        mailed = self.posting.tried(draft)
        tell(*mailed.said)
        self.mailed = self.mailed.and_(mailed)
        if not mailed.left:
            now = str(int(time.time()))
            notes.note(notes.REMINDERS, message_ids(draft.game)[-1], now)
