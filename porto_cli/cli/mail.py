"""The command that writes, and sends, the mail to the next player, or a reminder."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Any

import typer

from porto_cli.cli import AsPlayer, RecordFile, Say, is_typed, opt
from porto_cli.cli.common import find_record, keys_here, open_match, save
from porto_cli.cli.completion import offer_players
from porto_cli.cli.output import Output, deliver, tell_sent, write
from porto_cli.cli.remind import remind_players
from porto_cli.core import PortoError, enumerated, usage
from porto_cli.core.characters import printable
from porto_cli.core.files import STANDARD
from porto_cli.mail import addresses
from porto_cli.mail.draft import Draft, Invitation, attached_to, head_of, to_be_read
from porto_cli.mail.posting import Mailed, note_sent, posted
from porto_cli.match import seat_named
from porto_cli.match.match import Match
from porto_cli.match.record import NotReadyError
from porto_cli.match.replay import Replay
from porto_cli.match.said import Said, one_line
from porto_cli.settings import settings
from porto_cli.term import remark

MailFormat = StrEnum("MailFormat", "text eml")
"""How a message is printed."""


def mail(
    ctx: typer.Context,
    file: RecordFile,
    player: AsPlayer = None,
    to: list[str] | None = opt(
        None,
        "--to WHOM",
        "A player or an address to write to instead of the next player; can be repeated.",
        autocompletion=offer_players,
    ),
    copies: bool = opt(False, "--cc", "Send the other players a copy, too."),
    private: bool = opt(
        False, "--private", "Include the secrets of the reader, for someone without porto."
    ),
    no_html: bool = opt(False, "--no-html", "Write it as text alone."),
    page: bool = opt(False, "--page", "Attach the table as an HTML page, too, to click a move on."),
    say_words: Say = None,
    send: bool = opt(False, "--send", "Send it with the mail server in your settings."),
    dry_run: bool = opt(False, "--dry-run", "Only show sender, recipients and attachments."),
    output: MailFormat | None = opt(
        None,
        "--format",
        "Print its text (default on a terminal), or the whole message for programs.",
    ),
    to_file: Output = None,
    remind: bool = opt(
        False,
        "--remind",
        "FILE is a folder: remind the players whose turn it is in its games.",
    ),
    after: str = opt(
        "3d",
        "TIME",
        "How long a game has to wait for a reminder: hours, days or weeks, like 12h or 2w.",
    ),
) -> None:
    """Write the mail to the next player.

    It reports what has happened since the reader's last turn, shows the table as plain text and as
    HTML, explains how to answer, and has the record attached. When the game is over it goes to all
    others. No player's secrets are in it, unless you ask for the reader's with --private, or the
    reader plays without the program ('porto address NAME --no-program').

    On a terminal its text is printed, to be copied into a mail; in a pipe the whole message, for
    programs like sendmail. --output saves it for a mail program to open and send (with --format eml
    for programs like sendmail, too), --send sends it.

    'porto mail --remind FOLDER --after 2d' writes a reminder in each game of a folder that has
    waited that long for another player; with --send for cron.

    Examples:
      porto mail friday.yaml
      porto mail friday.yaml --output turn.eml
      porto mail --remind . --after 5d --send
    """
    if remind or is_typed("after"):
        _demand_a_reminder(ctx, remind=remind)
        remind_players(file, player, after, send=send)
        return
    if send and (to_file or output):
        usage("--send sends the mail instead of printing it; leave out the other option.")
    if to_file and output is MailFormat.text:
        usage("--output saves the whole message, not its text alone; leave out --format.")
    draft = _draft(
        find_record(file),
        player,
        whom=tuple(to or ()),
        cc=copies,
        private=private,
        page=page,
        html=not no_html,
        unseen=send,
    )
    said = None if say_words is None else _say(draft, say_words)
    message = draft.mail
    if said and not dry_run:
        save(said)
    if dry_run:
        _show_envelope(draft)
    elif send:
        _send(draft, is_saved=said is not None)
    elif to_file:
        if output is None:
            # As several mail programs agree: open it to be sent, not to be read.
            message["X-Unsent"] = "1"
        deliver(message.as_bytes().decode("ascii"), to_file)
        note_sent(draft)
    elif output is MailFormat.text or (output is None and sys.stdout.isatty()):
        write(to_be_read(draft))
        if output is None:
            remark(_HOW_TO_WRITE_IT, *([_HOW_TO_SEND_IT] if settings().mail.server else ()))
    else:
        sys.stdout.write(message.as_bytes().decode("ascii"))
        sys.stdout.flush()
        note_sent(draft)
    remark(*_before_its_turn(draft), *addresses.not_stored([*draft.missing, *draft.left_out]))
    if draft.game.chain is not None:
        remark(*addresses.without_the_program([draft.players[seat] for seat in draft.readers]))


_OF_REMINDERS = ("file", "player", "remind", "after", "send")
_HOW_TO_WRITE_IT = (
    "This is only the text. To write the whole mail to a file, with the attachments, add: "
    "--output turn.eml"
)
_HOW_TO_SEND_IT = "To send it, add: --send"


def _demand_a_reminder(ctx: typer.Context, *, remind: bool) -> None:
    """Refuse options of other mails with ``--remind``, and its own without it (exit code 2)."""
    others = (one for one in ctx.command.params if one.name not in _OF_REMINDERS)
    wrong = [one.opts[0] for one in others if is_typed(str(one.name))]
    if not remind:
        wrong.append("--after")
    if wrong:
        usage(f"--remind takes only FOLDER, --after, --as and --send; leave out {wrong[0]}.")


def _draft(file: Path, player: str | None, **asked: Any) -> Draft:
    """Return the mail about a game, or one still being set up, as ``asked`` for; see
    :class:`~porto_cli.mail.draft.Draft`. Raises PortoError.
    """
    try:
        match = open_match(file)
    except NotReadyError as error:
        from porto_cli.sealed.chain import read_setup

        begun = read_setup(error.record, keys_here(False))
        seat = None if player is None else seat_named(begun.chain.players, player)
        return Invitation(begun, seat, **asked)
    return Draft(match, None if player is None else match.seat_played_by(player), **asked)


def _say(draft: Draft, typed: str) -> Match:
    """Note the words of a mail's writer in the game, and return it, to be saved."""
    match = draft.game
    if not isinstance(match, Match):
        usage("--say is for games that have begun; this one is still being set up.")
    if str(match.path) == STANDARD:
        usage("--say is kept in the record's file, so it cannot go with standard input.")
    if not draft.writer:
        usage("It is not known who says that; add --as NAME.")
    match.note(Said(0, draft.writer, one_line(typed)).comment)
    return match


def _send(draft: Draft, *, is_saved: bool) -> None:
    try:
        mailed = posted(draft)
    except PortoError as error:
        if not is_saved:
            raise
        # The record has the words of --say by now, so the command to send it leaves them out.
        mailed = Mailed.failed(draft, error)
    tell_sent(mailed)


def _before_its_turn(draft: Draft) -> list[str]:
    """Say that the writer is to move before the readers of a mail can, if that is so."""
    waiting = draft.game.game.to_move(draft.game.state) if isinstance(draft.game, Replay) else ()
    if draft.sender not in waiting or {*waiting} & {*draft.readers}:
        return []
    readers = enumerated([draft.players[seat] for seat in draft.readers])
    return [f"It is still {draft.writer}'s turn; until it is over, {readers} can only look on."]


def _show_envelope(draft: Draft) -> None:
    how = settings().mail
    lines = head_of(draft.mail)
    if how.server:
        login = f"user {how.user}" if how.user else "without logging in"
        lines.append(f"Via: {how.server}, port {how.port}, security {how.security}, {login}")
    lines += [*attached_to(draft.mail), "Nothing was sent."]
    write("\n".join(map(printable, lines)))
