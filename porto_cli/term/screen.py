"""What the output can show: how wide it is, whether in color, and in which alphabet."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO, cast

from porto_cli.core.message import without_accents

if TYPE_CHECKING:
    from prompt_toolkit.output import Output


DUMB = ("dumb", "unknown")
"""What ``TERM`` says of a terminal that knows neither colors nor a cursor."""
AUTO, ALWAYS, NEVER = "auto", "always", "never"
WIDTH = 80
"""Columns where their number is unknown."""
HEIGHT = 25
"""Lines where they make no difference."""
NARROWEST, WIDEST = 44, 240
"""Between these widths nothing is wider than the screen."""
DRAWN = "│┋╱▔╲▟█▙▯▮≈▒═·━●○×"
"""What an alphabet must have for the drawings; otherwise they are made of ASCII."""


class Screen(NamedTuple):
    """Where something will be shown."""

    width: int = WIDTH
    color: bool = False
    ascii: bool = False


def screen_of(stream: TextIO | None = None, color: str = AUTO) -> Screen:
    """Return what a stream (standard output if not said) can show.

    ``color`` is what ``--color`` says: ``always``, ``never``, or ``auto``, which goes by the
    environment (``NO_COLOR``, ``FORCE_COLOR``, ``TERM=dumb``) and by whether it is a terminal.
    """
    stream = stream or sys.stdout
    return Screen(width_of(stream), _in_color(stream, color), not can_write(DRAWN, stream))


def writable(text: str, stream: TextIO) -> str:
    """Return a text in the alphabet of a stream: ``Ines`` where it knows no ``ê``."""
    if can_write(text, stream):
        return text
    return without_accents(text).encode(stream.encoding, "replace").decode(stream.encoding)


def can_write(text: str, stream: TextIO) -> bool:
    """Return whether the alphabet of a stream has all letters of a text."""
    try:
        text.encode(getattr(stream, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def width_of(stream: TextIO) -> int:
    """Return how many columns a stream has: ``COLUMNS`` if it is a number, else what the terminal
    says, else 80.
    """
    columns = os.environ.get("COLUMNS", "")
    width = int(columns) if columns.isascii() and columns.isdigit() and len(columns) < 6 else 0
    if not width and stream.isatty():
        try:
            width = os.get_terminal_size(stream.fileno()).columns
        except OSError:
            width = 0
    return min(max(width or WIDTH, NARROWEST), WIDEST)


def _in_color(stream: TextIO, color: str) -> bool:
    if color != AUTO:
        return color == ALWAYS
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "0") not in ("", "0", "false"):
        return True
    return os.environ.get("TERM") not in DUMB and stream.isatty()


def can_move_the_cursor() -> bool:
    """Return whether menus can be drawn; terminals that cannot say so in ``TERM``."""
    unknown = "" if sys.platform == "win32" else DUMB[0]
    return os.environ.get("TERM", unknown) not in DUMB


def drop_typed() -> None:
    """Forget what was typed and not read yet: it was not meant for what is asked next."""
    if sys.platform == "win32":
        import msvcrt

        while msvcrt.kbhit():
            msvcrt.getwch()
    else:
        import termios

        # Of standard input that is no terminal nothing was typed.
        with suppress(termios.error, OSError, ValueError):
            termios.tcflush(sys.stdin, termios.TCIFLUSH)


@contextmanager
def typed_is_kept() -> Iterator[None]:
    """Keep what is typed meanwhile for the next question, unseen; Ctrl-C interrupts."""
    try:
        import termios

        before = termios.tcgetattr(sys.stdin)
    except (ImportError, OSError, ValueError):
        # Windows keeps it by itself, and of standard input that is no terminal nothing is typed.
        yield
        return
    except termios.error:
        yield
        return
    quiet = list(before)
    # Enter stays what it is, and nothing waits for it.
    quiet[0] &= ~termios.ICRNL
    quiet[3] &= ~(termios.ECHO | termios.ICANON)
    termios.tcsetattr(sys.stdin, termios.TCSANOW, quiet)
    try:
        yield
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSANOW, before)


class Stage:
    """The second screen of the terminal, from ``with`` to its end."""

    def __enter__(self) -> Stage:
        self._output.enter_alternate_screen()
        self.clear()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # Of a terminal that is gone there is nothing to restore, and why it ends matters more.
        with suppress(OSError) if error else nullcontext():
            self.clear()
            self._output.quit_alternate_screen()
            self._output.flush()

    def clear(self) -> None:
        """Wipe the screen.

        From the top downwards: a terminal that has to erase all of its screen at once may
        keep the old contents for scrolling back.
        """
        self._output.cursor_goto(0, 0)
        self._output.erase_down()
        self._output.flush()

    @property
    def output(self) -> Output:
        """The terminal, for programs that would enter its second screen by themselves."""
        return cast("Output", _Entered(self))

    @property
    def _output(self) -> Output:
        from prompt_toolkit.application.current import get_app_session

        return get_app_session().output


class _Entered:
    """The terminal while the stage is in use: only the stage enters and leaves its screens."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage

    def enter_alternate_screen(self) -> None:
        self._stage.clear()

    def quit_alternate_screen(self) -> None:
        pass

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stage._output, name)
