"""The command that receives games and moves from mail."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import typer

from porto_cli.cli import Format, arg, ask, command_line, opt
from porto_cli.cli.ask import can_ask_on_the_terminal
from porto_cli.cli.common import keys_here, next_sentences
from porto_cli.cli.completion import offer_records
from porto_cli.cli.output import tell_sent, write_json
from porto_cli.core import USAGE, FileError, PortoError, cited, usage
from porto_cli.core.chance import NothingTypedError, NotInPileError
from porto_cli.core.characters import printable
from porto_cli.core.files import STANDARD, expanded
from porto_cli.core.values import document
from porto_cli.home import demand_no_other_writer
from porto_cli.mail.copies import how_to_settle, unsettled
from porto_cli.mail.errors import AccountError
from porto_cli.mail.ids import named
from porto_cli.mail.inbox import Receiver
from porto_cli.mail.incoming import Source, open_source, source_of, standard_input
from porto_cli.mail.notes import ASKED, INBOX, TOLD, digest_of, is_change, is_first, is_news, key_of
from porto_cli.mail.posting import Posting, demand_server, send_back, send_on, would_get_it
from porto_cli.mail.receipt import MOVES, Receipt, Request, called, play
from porto_cli.match.items import stands
from porto_cli.match.match import Match
from porto_cli.match.orders import not_fitting, place_after_last_act
from porto_cli.match.record import meant
from porto_cli.match.replay import path_of
from porto_cli.match.said import heard
from porto_cli.pages import step_in_words
from porto_cli.settings import settings, settings_file
from porto_cli.term import complain, remark, tell
from porto_cli.term.prompt import Choice
from porto_cli.user import me, seat_of_user


def receive(
    message: Path | None = arg(
        None,
        "[MESSAGE]",
        "A message, a saved attachment or text, a maildir, an mbox or a folder of messages; '-' is "
        "standard input. Without it, what is piped into the command, or else the inbox of your "
        "settings.",
    ),
    folder: Path = opt(Path(), "--folder FOLDER", "Where your records are.", show_default="here"),
    into: Path | None = opt(
        None,
        "--into FILE",
        "Your copy of the game, or where to save it if you have none.",
        autocompletion=offer_records,
    ),
    sender: str | None = opt(
        None,
        "--from NAME",
        "The player who wrote the move in the message.",
    ),
    yes: bool = opt(
        False,
        "--yes -y",
        "Play a move that is written in the message, if its sender is known.",
    ),
    mine: bool = opt(
        False,
        "--mine",
        "Accept turns of yours that your copy does not have: you made them elsewhere.",
    ),
    move_to: str | None = opt(
        None,
        "--move-to FOLDER",
        "Then move what was received to this folder of the IMAP mailbox, or from a maildir to this "
        "one.",
    ),
    send: bool = opt(
        False,
        "--send",
        "Then send the game on to the next player, and tell the player who wrote the move.",
    ),
    dry_run: bool = opt(False, "--dry-run -n", "Only report what would be done."),
    quiet: bool = opt(False, "--quiet -q", "Print problems only."),
    output: Format = opt(Format.text, "--format", "Print sentences, or JSON."),
) -> None:
    """Take the game out of a message, and update your copy with it.

    The record is found wherever it is: attached or in the text, renamed, quoted, forwarded, as
    HTML. It replaces your copy only if it continues it; a version
    that differs from it, is older or is another game is refused, and both versions are kept. A game
    that you have no copy of is saved under the name of the attachment, never over another file.
    Then you see what has happened since your last turn, and what to type next.

    Players without porto can answer with a move alone, like: draw blue-3. You see how it was
    understood, and on a terminal you are asked whether to play it; --yes plays it without asking if
    the message is known to come from the player. With --send the game goes on by mail to the next
    player, and the player who wrote the move is told that it was played, and who is next.

    A message changes nothing the second time, so you can receive a whole mailbox again and again. A
    mailbox stays as it is, unless you add --move-to. Archives are not opened.

    Examples:
      porto receive friday.eml
      porto receive inbox --dry-run
    """
    path, piped = _place_of(message)
    folder = expanded(folder)
    if not folder.is_dir():
        raise FileError(f"There is no folder {folder}.")
    if send:
        _demand_to_send_on()
    text = output is Format.text
    if dry_run and text:
        remark("This is a dry run: nothing is written, whatever the report says.")
    can_ask = text and not dry_run
    can_ask = can_ask and (ask.can_ask() if piped is None else can_ask_on_the_terminal())
    request = Request(
        folder=folder,
        into=None if into is None else meant(expanded(into)),
        sender=sender,
        confirm=_are_mine if can_ask else None,
        mine=mine,
        keys=keys_here,
        dry_run=dry_run,
    )
    desk = _Desk(
        request=request,
        can_ask=can_ask,
        yes=yes,
        send=send and not dry_run,
        quiet=quiet,
        text=text,
    )
    is_inbox = path is None and not dry_run
    with _told_once(quiet=quiet and text) if is_inbox else nullcontext():
        code = desk.work(path, piped, move_to)
    raise typer.Exit(code)


def _place_of(message: Path | None) -> tuple[Path | None, bytes | None]:
    """Return where the messages are, ``None`` for the inbox of the settings, and those that were
    piped into the command. Raises FileError; exits with 2 if there are none.
    """
    path = None if message is None else expanded(message)
    is_input = str(path) == STANDARD
    if (path is None or is_input) and _may_bring_a_message():
        data = standard_input()
        # Under cron and the like it may be an empty pipe.
        if is_input or data.strip():
            return Path(STANDARD), data
    if is_input or not (path or settings().mail.inbox.name):
        usage(
            (
                "Name the message, a file, a maildir or an mbox, or pipe one into the "
                f"command. Or add your mailbox under 'mail:' in {settings_file()}, as "
                "porto-config(5) explains, like: inbox: imaps://imap.example.org"
            ),
            suggestions=[command_line("receive", "friday.eml")],
        )
    return path, None


def _may_bring_a_message() -> bool:
    """Return whether standard input is neither a terminal nor the null device."""
    if sys.stdin is None or sys.stdin.isatty():
        return False
    with suppress(OSError, ValueError):
        return not os.path.samestat(os.fstat(sys.stdin.fileno()), os.stat(os.devnull))
    return True


def _demand_to_send_on() -> None:
    """Refuse ``--send`` if nothing could be sent (exit code 2)."""
    if not me().names:
        usage(
            "--send mails games in your name, which is not set, so nothing was received. To set it "
            "for all games: porto me NAME"
        )
    demand_server(first=True)


@contextmanager
def _told_once(*, quiet: bool) -> Iterator[None]:
    """With ``quiet``, report only once why the inbox of the settings cannot be received, then just
    by the exit code until something changes: cron would mail it every few minutes.
    """
    try:
        yield
    except (AccountError, FileError) as error:
        digest = digest_of(*error.sentences, settings().mail)
        if is_change(TOLD, INBOX, digest) or not quiet:
            raise
        raise typer.Exit(error.exit_code) from error
    is_change(TOLD, INBOX, "")


def _opening(
    path: Path | None = None, piped: bytes | None = None, *, moving: bool = False
) -> AbstractContextManager[Source]:
    """Return what was piped, or a message or mailbox; by default the inbox of the settings.

    Raises AccountError, FileError, InvalidFileError.
    """
    inbox = settings().mail.inbox
    if path is None and inbox.account:
        from porto_cli.mail.imap import opened

        # The settings name the command that prints the password.
        demand_no_other_writer(settings_file())
        return opened(inbox, moving=moving)
    if piped is not None:
        source = source_of(piped)
    elif path is not None:
        source = open_source(path)
    elif Path(inbox.path).exists():
        source = open_source(Path(inbox.path))._replace(many=True)
    else:
        raise FileError(f"There is no mailbox {inbox.path}. Correct 'inbox' in {settings_file()}.")
    if moving and source.move is None:
        usage("--move-to moves messages of an IMAP mailbox or a maildir only.")
    return nullcontext(source)


class Fetched(NamedTuple):
    """News that mail has brought into the folder.

    ``problems``     sentences about what needs attention
    ``played``       the games in which answers in words, or orders, were played: nobody else has
                     those turns yet
    ``over``         the games that are now over
    ``nothing_new``  the sentence for no news, if there was none
    """

    problems: tuple[str, ...]
    played: frozenset[Path]
    over: frozenset[Path]
    nothing_new: tuple[str, ...] = ()


def fetch() -> Fetched:
    """Receive the inbox of the settings into this folder; whatever is wrong with it does not keep
    anybody from playing.
    """
    tell("Looking for mail…")
    request = Request(folder=Path(), confirm=_are_mine, keys=keys_here)
    desk = _Desk(request=request, can_ask=True)
    said: list[str] = []
    try:
        with _opening() as source:
            desk.receive(source)
    except PortoError as error:
        said += error.sentences
        remark(*said)
    news = [receipt for receipt in desk.receipts if receipt.is_news]
    for receipt in news:
        # A game still being set up cannot be opened, so this is the only place to report it.
        said += [*(() if receipt.match else receipt.report), *receipt.problems]
    changed = [(one.file, one) for one in desk.receipts if one.changed and one.match and one.file]
    played = frozenset(file for file, receipt in changed if receipt.has_moved_on)
    over = frozenset(file for file, receipt in changed if receipt.match and receipt.match.over)
    said += [_open(*each) for each in desk.conflicts]
    nothing_new = () if news else ("There is no new mail about a game.",)
    return Fetched(tuple(said), played, over, nothing_new)


@dataclass(kw_only=True)
class _Desk:
    """Receives messages, reports the results one after the other, and asks about moves.

    ``yes``   play the moves of players who are known
    ``send``  send games on in which moves were played
    ``text``  report in sentences, not as JSON
    """

    request: Request
    can_ask: bool
    yes: bool = False
    quiet: bool = False
    text: bool = True
    send: bool = False
    receipts: list[Receipt] = field(default_factory=list, init=False)
    sent_later: list[str] = field(default_factory=list, init=False)
    """Sentences about mails sent now that an earlier command could not send."""
    code: int = field(default=0, init=False)
    """The exit code for mails that could not be sent."""

    def work(self, path: Path | None, piped: bytes | None, move_to: str | None) -> int:
        """Receive all messages, report them, and send what is due; return the exit code.

        Raises PortoError after everything that can be done is done, except if nothing can be
        received.
        """
        broken: PortoError | None = None
        with _opening(path, piped, moving=move_to is not None) as source:
            try:
                self.receive(source, move_to)
            except PortoError as error:
                broken = error
        if self.receipts or not broken:
            self._close(path)
        try:
            self._send_what_is_due()
        except PortoError as error:
            broken = broken or error
        if not self.text:
            messages = [one.json() for one in self.receipts if one.code or not self.quiet]
            pairs = [{"file": str(own), "conflict": str(other)} for own, other in self.conflicts]
            found = {"messages": messages, "conflicts": pairs, "sent": self.sent_later}
            write_json(document(dry_run=self.request.dry_run, **found))
        if broken:
            raise broken
        return max((self.code, *(receipt.code for receipt in self.receipts)))

    def receive(self, source: Source, move_to: str | None = None) -> None:
        """Receive all messages, then move those without problems. Raises PortoError."""
        self.request = self.request._replace(many=source.many)
        done = []
        of_records = ((each.head.source, self._receiver.receive(each)) for each in source.envelopes)
        for name, found in chain(of_records, self._receiver.answers()):
            receipts = [self._take(receipt) for receipt in found]
            if receipts and not any(receipt.code for receipt in receipts):
                done.append(name)
        remark(*source.left_out())
        if move_to is not None and source.move and done and not self.request.dry_run:
            source.move(done, move_to)
            self._say(f"{_messages(len(done))} moved to {move_to}.")

    def _take(self, receipt: Receipt) -> Receipt:
        """Report the result of a message; messages received before are only counted."""
        if receipt.result == MOVES:
            receipt = self._with_moves(receipt)
        if self.send and receipt.has_moved_on:
            receipt = _sent_on(receipt, self._mails)
        self.receipts.append(receipt)
        if receipt.is_news or not self.request.many:
            self._say(*receipt.report)
            self._complain(receipt)
        return receipt

    def _close(self, path: Path | None) -> None:
        """Report the state of each game that has changed, once."""
        known = sum(not receipt.is_news for receipt in self.receipts)
        if self.request.many and known:
            self._say(f"{_messages(known)} skipped: your games already have what is in them.")
        if self.request.many and not self.receipts:
            self._say(f"No game messages in {path or settings().mail.inbox.name}.")
        changed = [receipt for receipt in self.receipts if receipt.match and receipt.changed]
        for receipt in {str(receipt.file): receipt for receipt in changed}.values():
            self._say(*_news_of_game(receipt, dry_run=self.request.dry_run))
        if self.text:
            new = {str(receipt.kept) for receipt in self.receipts if receipt.code}
            remark(*(_open(*each) for each in self.conflicts if str(each[1]) not in new))

    def _send_what_is_due(self) -> None:
        """Send what an earlier command could not send. Raises PortoError after everything that can
        be sent was sent and reported.
        """
        if not self.send:
            return
        just_tried = {one.file for one in self.receipts if one.has_moved_on}
        mailed, error = self._mails.later(self._receiver.copies, just_tried)
        self._say(*mailed.said)
        self.sent_later += mailed.said
        if unsent := mailed.error:
            self.code = unsent.exit_code
            files = {Path(one.game.record.file) for one in mailed.left}
            if is_news(unsent, sorted(files)) or not self.quiet:
                complain(unsent)
        if error:
            raise error

    @cached_property
    def _mails(self) -> Posting:
        return Posting()

    @cached_property
    def _receiver(self) -> Receiver:
        return Receiver(self.request)

    @cached_property
    def conflicts(self) -> list[tuple[Path, Path]]:
        """The records of the folder with a conflicting version beside them, and that version."""
        into = self.request.into
        return unsettled(into.parent if into else self.request.folder)

    def _say(self, *sentences: str) -> None:
        if self.text and not self.quiet:
            tell(*sentences)

    def _complain(self, receipt: Receipt) -> None:
        """Report what is wrong with a message, if anything."""
        message = receipt.message
        if not receipt.problems:
            return
        # A command that runs every few minutes finds the same messages again.
        key = key_of(message, *receipt.problems)
        if receipt.result == MOVES:
            # It was not refused: if it comes too late one day, that is still reported.
            key = digest_of(key)
        is_new = self.request.dry_run or is_first(TOLD, key)
        if not self.text or (self.quiet and self.request.many and not is_new):
            return
        if self.quiet:
            # A log has messages of many games.
            source = called(message)
            about = [cited(message.subject)] if message.subject else []
            about += [f"about {receipt.file}"] if receipt.file else []
            remark(f"{', '.join((source[:1].upper() + source[1:], *about))}:")
        remark(*receipt.problems)
        if receipt.answer:
            remark(f"You can send {receipt.writer} this answer:")
            for line in ["", *receipt.answer]:
                print(f"  {printable(line)}".rstrip(), file=sys.stderr)
            if self.can_ask:
                _offer_to_send_back(receipt)

    def _with_moves(self, receipt: Receipt) -> Receipt:
        """Play moves if the user confirms; without a terminal, report how to play them."""
        wanted, say = self.yes and not receipt.doubts, False
        asked = not wanted and self.can_ask
        if asked:
            self._say(*receipt.report, *receipt.doubts)
            wanted, say = _is_wanted(receipt)
            receipt = receipt._replace(report=())
        if wanted or (self.request.dry_run and not receipt.doubts):
            return self._play(receipt, say=say)
        problems = ["Nothing was played."]
        if not asked:
            problems = [
                f"Nothing was played in {receipt.copy.path}, because there was no terminal to ask "
                f"on: {', '.join(receipt.shown)}, from {receipt.writer}.",
                *(receipt.doubts or ["To play it, add: --yes"]),
            ]
            if self.quiet and receipt.doubts and receipt.commands:
                is_mailed = receipt.goes_on and settings().mail.server
                then = [f"porto mail {path_of(receipt.copy)} --send"] if is_mailed else []
                problems.append(f"To play it, type: {' && '.join((*receipt.commands, *then))}")
            if not receipt.commands:
                problems.append("The choice is a secret of the player, so it is not shown here.")
        problems = [*receipt.problems, *problems]
        return receipt.told(*receipt.commands)._replace(problems=tuple(problems))

    def _play(self, receipt: Receipt, *, say: bool) -> Receipt:
        came_up, game = None, receipt.copy.game
        if not receipt.copy.record.seed and self.can_ask:
            came_up = game.setting_up.asked_chance(ask.asker(game.meta.id), None)
        try:
            with ask.backing_out():
                return play(receipt, came_up, say=say, dry_run=self.request.dry_run)
        except (NothingTypedError, NotInPileError):
            return receipt.told(*receipt.commands)._replace(problems=(_REAL_TABLE,), code=USAGE)
        except PortoError as error:
            return receipt._replace(problems=error.sentences, code=error.exit_code)


def _messages(count: int) -> str:
    return "One message was" if count == 1 else f"{count} messages were"


def _sent_on(receipt: Receipt, mails: Posting) -> Receipt:
    """Send on a game in which moves were played; they are saved, whatever happens."""
    try:
        mailed = send_on(receipt.copy, receipt.seat, receipt.shown, mails)
        receipt = receipt.told(*mailed.said)
        if mailed.error:
            raise mailed.error
    except PortoError as error:
        return receipt._replace(problems=error.sentences, code=error.exit_code)
    return receipt


def _offer_to_send_back(receipt: Receipt) -> None:
    """Ask once whether to send back what is wrong with an answer, if that is possible."""
    match, seat = receipt.match, receipt.seat
    if match is None or seat is None:
        return
    player = match.holders[seat]
    question = f"Send {player} this answer, with the table and the moves?"
    try:
        can_be_sent = would_get_it(match, seat_of_user(match), (player,))
        if not can_be_sent or not is_first(
            ASKED, digest_of(*named(match), player, *receipt.answer)
        ):
            return
        if _chosen(match.game.meta.id, question, "Send it", "Do not send it"):
            tell_sent(send_back(match, player, receipt.answer))
    except PortoError as error:
        complain(error)


def _open(own: Path, conflict: Path) -> str:
    return (
        f"{own} and {conflict} are different versions of one game. {how_to_settle(own, conflict)}"
    )


_REAL_TABLE = (
    "Nothing was played: this game is played with real cards. Make the move on the table, then "
    "type it with what came up."
)


def _is_wanted(receipt: Receipt) -> tuple[bool, bool]:
    """Ask whether to play moves, and whether to pass on what else their writer says."""
    game = receipt.copy.game.meta.id
    question = f"Is this the move? It would be played in {receipt.copy.path}."
    wanted = _chosen(game, question, "Play it", "Do not play it")
    if not wanted or not receipt.words:
        return wanted, False
    question = f"Pass on to the others what {receipt.writer} also wrote?"
    return True, _chosen(game, question, "Yes, with the next mail", "No")


def _are_mine(copy: Match, moves: Sequence[str]) -> bool:
    player = copy.holders[seat_of_user(copy) or 0]
    question = (
        f"The record in the message has turns of {player} that {copy.path} does not have: "
        f"{', '.join(moves)}. You are {player}. Did you make them, on another computer or in an "
        "answer to a mail?"
    )
    return _chosen(copy.game.meta.id, question, "Yes, accept them", "No, do not change the file")


def _chosen(game: str, question: str, yes: str, no: str) -> bool:
    choices = [Choice([(yes, "")], True), Choice([(no, "")], False)]
    with ask.backing_out():
        return ask.asker(game).choose(question, choices, back=False)


def _news_of_game(receipt: Receipt, *, dry_run: bool) -> list[str]:
    """Report what has happened since the user's last turn, and what to type next."""
    match = receipt.copy
    seat = seat_of_user(match)
    place = receipt.before if seat is None else place_after_last_act(match, seat)
    last = len(match.steps) - 1
    new = [one for one in range(place, last + 1) if one == last or stands(match.steps[one])]
    lines: list[str] = []
    for one in ([place - 1] if place else []) + new:
        told = [step_in_words(match, one)] if one >= place else []
        lines += (f"  {line}" for line in (*told, *heard(match, one, seat)))
    if lines:
        what = "Since your last turn" if place else "What has happened"
        lines.insert(0, f"{'What is new' if seat is None else what} in {receipt.file}:")
    if not dry_run:
        lines += [] if seat is None else not_fitting(match, seat)
        lines += next_sentences(match.known, str(match.path))
        lines.append(f"Fingerprint: {match.fingerprint}")
    return lines
