"""How every command that changes a game ends: it writes the record, then says what was done, how to
let others know, and what comes next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple, TextIO

from porto_cli.cli import Format, ask
from porto_cli.cli.common import bot_sentences, by_itself_json, next_sentences, report_stream, save
from porto_cli.core import PortoError, enumerated, usage
from porto_cli.core.files import STANDARD
from porto_cli.core.shell import command
from porto_cli.home import ADDRESSES, has
from porto_cli.match.match import Match
from porto_cli.match.replay import path_of
from porto_cli.match.seats import BotTurn
from porto_cli.next_step import move_bots
from porto_cli.seam import UNDO
from porto_cli.term import tell

WHAT_IF = "This would happen:"
"""What comes before sentences about moves that are not made."""
Fields = Callable[[Match], Mapping[str, object]]
"""Returns the orders, or who plays the seats, of a game for a document."""


class Manner(NamedTuple):
    """How a game is changed, and how that is reported.

    ``send``   whether to send the game to the next player afterward
    ``words``  what the player says to the others
    """

    dry_run: bool = False
    quiet: bool = False
    output: Format = Format.text
    send: bool = False
    words: str | None = None


def checked(manner: Manner, verb: str, file: Path) -> Manner:
    """Return a manner that can be carried out; refuse ``--send`` if nothing could be sent then, and
    ``--say`` without words (exit code 2).
    """
    if manner.send:
        _demand_to_send(verb, file, dry_run=manner.dry_run)
    if manner.words is None:
        return manner
    from porto_cli.match.said import one_line

    return manner._replace(words=one_line(manner.words))


def _demand_to_send(verb: str, file: Path, *, dry_run: bool) -> None:
    if verb == UNDO:
        usage(
            "After an undo it is the turn of the same player, so --send has nobody to "
            "send to. To tell another player: porto mail FILE --send --to NAME"
        )
    if dry_run or str(file) == STANDARD:
        usage(
            "--send sends the game when the move is saved in its file, so it cannot go "
            "with --dry-run or with a record on standard input."
        )
    from porto_cli.mail.posting import demand_server

    demand_server(first=True)


def end(
    match: Match,
    manner: Manner,
    lines: Iterable[str],
    fields: Callable[[], Mapping[str, object]] = dict,
    *,
    turns: Sequence[BotTurn] = (),
    first: int = 0,
    mail: Sequence[str] | None = None,
    writer: int | None = None,
    newcomer: int | None = None,
) -> None:
    """Write the record first, so that no failure to print can lose a move; then report, and send
    the game if wanted.

    ``lines`` say what was done, ``fields`` the same for a document. ``turns`` are the moves of bots
    and orders; the first ``first`` of them came before the player's move, the rest after it.
    ``mail`` says how to let the others know; by default, how to mail the game to the next player.
    ``writer`` is the seat of the sender, if known; whoever takes over the seat ``newcomer`` is sent
    the game as well.
    """
    if not manner.dry_run:
        save(match)
    is_quiet, stream = manner.quiet or manner.output is Format.json, report_stream(match.path)
    if not is_quiet:
        later = [turn for turn in turns[first:] if turn.moves != (UNDO,)]
        earlier = bot_sentences(match, turns[:first])
        heading = [WHAT_IF] if manner.dry_run else []
        tell(*heading, *earlier, *lines, *bot_sentences(match, later), stream=stream)
        _say_what_is_next(match, manner, mail, stream)
    elif not manner.quiet:
        from porto_cli.cli.output import answer

        by_itself = by_itself_json(match, turns) if match.goes_on_by_itself else {}
        answer(manner.output, {**fields(), **by_itself}, stream=stream)
    if manner.send:
        from porto_cli.cli.output import tell_sent
        from porto_cli.mail.posting import send_turn

        tell_sent(send_turn(match, writer, newcomer), quiet=is_quiet)


def _say_what_is_next(
    match: Match, manner: Manner, mail: Sequence[str] | None, stream: TextIO
) -> None:
    """Say what comes next, or after a dry run that nothing was written; see :func:`end`."""
    if manner.dry_run:
        tell("Nothing was written: this was a dry run.", stream=stream)
        return
    is_shown = match.over and stream.isatty()
    if is_shown:
        from porto_cli.cli.output import show_result

        show_result(match, stream)
    if mail is None:
        mail = [] if manner.send else _how_to_mail(match)
    following = next_sentences(match, result=not is_shown)
    tell(*following, *mail, f"Fingerprint: {match.fingerprint}", stream=stream)


def _how_to_mail(match: Match, *, news: bool = False, writer: int | None = None) -> list[str]:
    """Say how to mail a move to the next player, or ``news`` from a ``writer`` to the others, if
    the user has their addresses.

    For users without an address book, a move loads nothing for this.
    """
    if str(match.path) == STANDARD or not (news or (match.people[1:] and has(ADDRESSES))):
        return []
    from porto_cli.mail.draft import Draft

    with suppress(PortoError):
        draft = Draft(match, writer)
        if draft.readers if news else draft.to:
            names = enumerated([match.holders[seat] for seat in draft.readers])
            what = "The others need this copy" if news else f"To mail it to {names}"
            return [f"{what}: {command('mail', path_of(match))}"]
    return []


# -- What is not a move: orders, and who plays a seat


def show_declared(match: Match, lines: Iterable[str], fields: Fields, output: Format) -> None:
    """Print the orders, or who plays the seats, in sentences or as a document."""
    from porto_cli.cli.output import answer

    answer(output, _now(match, fields), *lines, stream=report_stream(match.path))


def declare(
    match: Match,
    after: Match,
    lines: Sequence[str],
    fields: Fields,
    manner: Manner,
    *,
    writer: int | None,
    newcomer: int | None = None,
    is_for_later: bool = False,
    question: str = "",
) -> None:
    """Write a game with a new item that is not a turn, say what follows, and send it if wanted.

    ``lines`` say what the item means; ``fields`` returns all such items. On a terminal the
    ``question``, if there is one, is asked first. ``writer`` is the seat of the player who lets the
    others know, if known; if that ``is_for_later``, the next turn will do it. Whoever takes over
    the seat ``newcomer`` is sent the game as well.
    """
    tells = not manner.quiet and manner.output is Format.text
    if tells and question and not manner.dry_run and ask.can_ask():
        tell(*lines, stream=report_stream(match.path))
        lines = []
        with ask.backing_out():
            if not ask.asker(match.game.meta.id).confirm(question):
                tell("Nothing was written.", stream=report_stream(match.path))
                return
    match.become(after)
    turns = [] if manner.dry_run else move_bots(match)
    is_told = manner.dry_run or manner.send or is_for_later
    mail = [] if is_told else _how_to_mail(match, news=True, writer=writer)
    now = partial(_now, match, fields)
    end(match, manner, lines, now, turns=turns, mail=mail, writer=writer, newcomer=newcomer)


def _now(match: Match, fields: Fields) -> dict[str, object]:
    """Return the fields of a document: what is declared, who is to move, and the fingerprint."""
    game, now = match.game.meta.id, match.fingerprint
    return {"game": game, **fields(match), "to_move": match.to_move(), "fingerprint": now}
