"""A game at one keyboard, from its choice to its end, and what is printed after it."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, NoReturn

import typer

from porto_cli.cli import ask
from porto_cli.cli.common import find_record, refuse_to_move_for, similar_to
from porto_cli.cli.hint import about_hints
from porto_cli.cli.lobby import begin, saved_games, state_of
from porto_cli.cli.new_game_prompts import all_play_here, ask_who_sits_here
from porto_cli.cli.output import as_plain
from porto_cli.cli.rules import advice_of
from porto_cli.cli.session import Session, StoppedError
from porto_cli.core import INTERRUPTED, PortoError, usage
from porto_cli.core.files import HUNG_UP, STANDARD, TerminatedError, is_hung_up
from porto_cli.core.shell import FILE, file_word, option
from porto_cli.games import DEFAULT
from porto_cli.match import find_seat
from porto_cli.match.match import Match
from porto_cli.match.record import meant, with_suffix
from porto_cli.settings import settings
from porto_cli.term import CancelledError, Stage, can_move_the_cursor, remark, screen_of, show, tell
from porto_cli.user import only_seat, seat_of_user

if TYPE_CHECKING:
    from porto_cli.cli.receive import Fetched
    from porto_cli.term.prompt import Asker


def play_here(
    file: Path | None,
    start: Callable[[Asker], Match] | None,
    player: str | None,
    *,
    everyone: bool,
    plain: bool,
) -> None:
    """Play the game of a record, or the one that ``start`` begins, or one that is chosen; then
    others, as long as the user wants. ``player`` and ``everyone`` are what --as and --all say.

    Exits with 2 without a terminal. Raises InvalidFileError, FileError.
    """
    _demand_a_terminal(file)
    if file is not None and meant(file) != file:
        file = find_record(file)
    fetched = _fetched() if file is None and start is None else None
    session: Session | None = None
    try:
        with ExitStack() as stack:
            in_lines = as_plain(plain) or not can_move_the_cursor()
            stage = None if in_lines else stack.enter_context(Stage())
            asker = ask.asker(DEFAULT, stage, in_lines=in_lines)
            # What was imported stays; looking through it would delay the first question.
            gc.freeze()
            gc.enable()
            match = start(asker) if start else begin(asker, file, fetched)
            while True:
                session = _session(match, asker, player, everyone=everyone)
                session.has_moved = fetched is not None and match.path in fetched.played
                if in_lines and asker.stage is None and session.is_secret():
                    asker.stage = stack.enter_context(Stage())
                match = session.run()
                people = [match.players[seat] for seat in match.people]
                # It holds as long as that player sits there, too.
                player = player if player and find_seat(people, player) is not None else None
    except (CancelledError, StoppedError, EOFError):
        pass
    except (KeyboardInterrupt, TerminatedError, OSError) as stopped:
        if isinstance(stopped, OSError) and not is_hung_up():
            raise
        if session:
            with suppress(OSError):
                if session.match.over and isinstance(stopped, KeyboardInterrupt):
                    _farewell(session)
                else:
                    remark(_how_to_go_on(session))
        code = HUNG_UP if isinstance(stopped, OSError) else INTERRUPTED
        code = stopped.code if isinstance(stopped, TerminatedError) else code
        raise typer.Exit(code) from None
    if session:
        _farewell(session)
    else:
        tell("No game was started.")


def _fetched() -> Fetched | None:
    """Fetch mail, if the settings have an inbox."""
    if not settings().mail.inbox.name:
        return None
    from porto_cli.cli.receive import fetch

    return fetch()


def _session(match: Match, asker: Asker, player: str | None, *, everyone: bool) -> Session:
    """Return who plays a match here: the ``player`` of --as, ``everyone``, or by default the user
    unless all play here.

    Where the screen cannot be wiped, nobody hands over the keyboard if there are secrets (exit
    code 2).
    """
    asker.help_with = advice_of(match.game.meta.id, about_hints(match))
    session, dumb = Session(match, asker, _seat(match, player)), not can_move_the_cursor()
    if player is None and not everyone:
        ask_who_sits_here(asker, match)
    all_here = all_play_here(match) and not (dumb and session.is_secret())
    if player is None and not (everyone or all_here):
        session.sit_down_as_user(seat_of_user(match))
    if dumb and session.is_secret():
        _refuse_to_show_secrets(match)
    return session


def _seat(match: Match, name: str | None) -> int | None:
    """Return the only seat that is played here; ``None`` for all. Refuses one of no person."""
    if name is None:
        # A sealed game cannot be played for others: their keys are elsewhere.
        return only_seat(match) if match.sealed else None
    seat = match.seat_played_by(name)
    if seat not in match.people:
        refuse_to_move_for(match, seat)
    return seat


def _demand_a_terminal(file: Path | None) -> None:
    """Refuse to ask without a terminal (exit code 2)."""
    if sys.stdin.isatty() and sys.stdout.isatty() and str(file) != STANDARD:
        return
    why = "'porto play' asks questions, so it needs a terminal. Without one,"
    new = "'porto new FILE NAME…' sets up a game, for the players that you name"
    show = "'porto show FILE' shows what can be done next, and how"
    if file is None or str(file) == STANDARD:
        usage(f"{why} {new}; {show}.")
    known = meant(file) if meant(file).exists() else similar_to(file)
    if known is None:
        usage(f"{why} {new}.", suggestions=[f"porto new {file_word(str(with_suffix(file)))} NAME…"])
    other = [] if known == meant(file) else [f"There is no file {file}; did you mean {known}?"]
    usage(*other, f"{why} {show}.", suggestions=[f"porto show {file_word(str(known))}"])


def _refuse_to_show_secrets(match: Match) -> NoReturn:
    secrets = match.game.secrets
    assert secrets is not None
    usage(
        f"{secrets.not_hidden()} Play one player with --as, for example: porto play "
        f"{file_word(str(match.path))} {option('--as', match.holders[0])}"
    )


def _how_to_go_on(session: Session) -> str:
    words = ["porto play", file_word(str(session.match.path)), *_who_plays(session)]
    return f"Every finished turn is saved. To continue: {' '.join(words)}"


def _who_plays(session: Session) -> list[str]:
    """Return the option that says whose turns are played here, unless the settings do."""
    match = session.match
    if session.seat is not None:
        return [] if session.is_user else [option("--as", match.holders[session.seat])]
    with suppress(PortoError):
        if len(match.people) > 1 and seat_of_user(match) is not None:
            return [] if all_play_here(match) else ["--all"]
    return []


def _farewell(session: Session) -> None:
    """Print on the terminal's first screen how the game ended, or how to go on."""
    match = session.match
    if session.sent:
        tell(*session.sent, *_who_else_waits())
    elif match.over:
        _show_the_end(session)
    elif session.seat is None or session.seat == match.state.seat:
        tell(_how_to_go_on(session))
    else:
        name = file_word(match.path.name) if match.path else FILE
        words = ["porto mail", file_word(str(match.path)), *_who_plays(session)]
        mails = "To write the mail with it: " + " ".join([*words, "-o turn.eml"])
        if session.readers():
            mails = "To send it by mail: " + " ".join([*words, "--send"])
        tell(
            (
                f"Every finished turn is saved. Send {match.path} to {match.to_move()[0]}, "
                f"who continues with: porto play {name} {option('--as', match.to_move()[0])}"
            ),
            mails,
        )


def _who_else_waits() -> list[str]:
    """Say which games of this folder wait for the user as well, when one was sent on."""
    files = [str(one.path) for one in saved_games(Path())[0] if state_of(one) == "own"]
    if not files:
        return []
    return [f"Waiting for you: {', '.join(files)}. To continue: porto play"]


def _show_the_end(session: Session) -> None:
    """Print how the game ended, on one screen."""
    screen = screen_of()
    path = file_word(str(session.match.path))
    # The hints below, and the line of the shell.
    rows = get_terminal_size().lines - 5
    ending = session.how_it_ended()
    if session.asker.plain:
        tell(*ending.sentences())
    else:
        show([*ending._replace(fills=False).lines(screen, rows), []], screen)
    tell(
        f"To see all of the scores: porto score {path}",
        f"To see how the game went: porto log {path}",
    )
