"""The terminal: how wide it is and what it can show, lines of styled text, and sentences set in
lines. Questions are in the modules of this package.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext, suppress
from functools import cache
from itertools import zip_longest
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO, cast

from porto_cli.core import PortoError
from porto_cli.core.characters import printable, without_accents
from porto_cli.core.values import dumps

if TYPE_CHECKING:
    from prompt_toolkit.formatted_text import StyleAndTextTuples
    from prompt_toolkit.output import ColorDepth, Output

# -- What the output can show: how wide it is, whether in color, and in which alphabet

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
    return Screen(width_of_stream(stream), _in_color(stream, color), not can_write(DRAWN, stream))


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


def width_of_stream(stream: TextIO) -> int:
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


class CancelledError(Exception):
    """The player wants to go back to the question before."""


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


# -- Lines of styled text: what a terminal shows, before anybody knows whether it has colors
#
# A line is a list of spans, a span a text and a style in the words of rich, like
# ``bold #ffffff on #3675cf``. They are the arguments of ``rich.text.Text.assemble``, and rich
# prints them where there are colors. Without colors the texts alone are printed, so a text has to
# say by itself whatever its style says.
#
# Where a line ends is decided here and not by rich: that breaks at any blank, but chunks stay
# whole; and importing its texts, tables and console would take a quarter of what showing a game
# takes, also in a pipe, where other programs read it. Even what measures letters is imported for
# letters that need it only.

Span = tuple[str, str]
Line = list[Span]

PLAIN, BOLD, DIM, TITLE = "", "bold", "dim", "bold underline"
SCORED = "#2e9e5b"
ON = " on "
"""In a style: a text on a color of its own. Such a chip stays together, blanks and all."""


def cells(text: str) -> int:
    """Return how many columns a text takes: two for each wide letter, none for an accent."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def width_of(line: Line) -> int:
    """Return how many columns a line takes."""
    return sum(cells(text) for text, _ in line)


def text_of(line: Line) -> str:
    """Return a line without its styles."""
    return "".join(text for text, _ in line)


def plain(line: Line) -> str:
    """Return a line without its styles, and without blanks at its end."""
    return text_of(line).rstrip()


def padded(line: Line, width: int) -> Line:
    """Return a line with blanks up to a width."""
    return [*line, (" " * (width - width_of(line)), PLAIN)]


def cut(text: str, width: int, mark: str = "…") -> str:
    """Return a text that fits: whole, or cut with a mark that says so, behind a whole word unless
    that is too long for half of the width.
    """
    if cells(text) <= width:
        return text
    from rich.cells import set_cell_size

    found = set_cell_size(text, max(0, width - cells(mark)))
    words = found if text[len(found) :].startswith(" ") else found.rpartition(" ")[0]
    return (words if len(words) >= len(found) // 2 else found).rstrip() + mark


def cut_line(line: Line, width: int) -> Line:
    """Return a line that fits: whole, or cut as a text is, see :func:`cut`."""
    whole = text_of(line)
    if cells(whole) <= width:
        return line
    kept, found = len(cut(whole, width)) - 1, Line()
    for text, style in line:
        found.append((text[:kept], style))
        kept -= len(found[-1][0])
    *others, (text, style) = joined(found) or [("", PLAIN)]
    return [*others, (f"{text}…", style)]


def flow(
    chunks: Iterable[Line],
    width: int,
    *,
    first: Line | None = None,
    indent: int = 0,
    gap: int = 1,
    between: str = PLAIN,
) -> list[Line]:
    """Set chunks one behind the other, on as many lines as they need.

    A chunk is never broken. The first line begins with ``first``, all others with ``indent``
    blanks. ``between`` is the style of the blanks between two chunks.
    """
    blanks: Line = [(" " * gap, between)]
    words = ((blanks if nth else [], chunk) for nth, chunk in enumerate(filter(None, chunks)))
    return _set(words, width, padded(first or [], indent), indent)


def wrapped(
    text: str, width: int, *, first: Line | None = None, indent: int = 0, style: str = PLAIN
) -> list[Line]:
    """Set a text word by word, see :func:`flow`; a word that is too long is broken."""
    parts = (part for word in text.split() for part in _broken(word, width - indent))
    chunks = ([(part, style)] for part in parts)
    return flow(chunks, width, first=first, indent=indent, between=style)


def folded(line: Line, width: int, indent: int = 0) -> list[Line]:
    """Set a line on as many lines as it needs, broken between words; chips are never broken.

    Blanks inside of a line stay as they are, so that columns stay columns where they fit.
    """
    if width_of(line) <= width:
        return [line]
    return _set(_words_of(line, width - indent), width, [], indent)


def _set(words: Iterable[tuple[Line, Line]], width: int, line: Line, indent: int) -> list[Line]:
    """Set words one behind the other, each with the blanks before it unless it begins a line."""
    lines = [line]
    used = width_of(line)
    least = min(used, indent)
    for blanks, word in words:
        gap, size = width_of(blanks), width_of(word)
        if used > least and used + gap + size > width:
            line = [(" " * indent, PLAIN), *word]
            lines.append(line)
            used = indent + size
        else:
            line += [*blanks, *word]
            used += gap + size
    # A log can have very many lines: a span for each word would take several times the memory.
    return [joined(line) for line in lines]


_WORDS = re.compile(r" +|\(?[\d.]+ VP[^ ]*|[^ ]+")
"""A number of VP is one word."""


def _words_of(line: Line, room: int) -> Iterator[tuple[Line, Line]]:
    """Yield the words of a line, which may change their style, each behind the blanks before it.

    Words that are too long are broken, into letters if need be.
    """
    blanks, word = Line(), Line()
    for text, style in line:
        for piece in [text] if ON in style else _WORDS.findall(text):
            if not piece.strip() and ON not in style:
                if word:
                    yield blanks, word
                    blanks, word = [], []
                blanks.append((piece, style))
                continue
            for part in _broken(piece, room):
                if word and width_of(word) + cells(part) > room:
                    yield blanks, word
                    blanks, word = [], []
                word.append((part, style))
    if word:
        yield blanks, word


def _broken(word: str, room: int) -> list[str]:
    """Return a word in pieces that fit, each of at least one letter, however narrow it is."""
    if cells(word) <= room:
        return [word]
    from rich.cells import chop_cells

    return chop_cells(word, max(room, 1))


def joined(line: Line) -> Line:
    """Return a line with neighboring spans of one style made one."""
    spans: Line = []
    for text, style in line:
        if spans and style == spans[-1][1]:
            spans[-1] = (spans[-1][0] + text, style)
        elif text:
            spans.append((text, style))
    return spans


def beside(left: Sequence[Line], right: Sequence[Line], width: int) -> list[Line]:
    """Set two blocks beside each other; the right one begins at column ``width``."""
    rows = zip_longest(left, right, fillvalue=Line())
    return [[*padded(one, width), *other] for one, other in rows]


def show(lines: Iterable[Line], screen: Screen, stream: TextIO | None = None) -> None:
    """Print lines to a stream, standard output if not said."""
    stream = stream or sys.stdout
    if not screen.color:
        stream.write("".join(f"{_shown(plain(line), stream)}\n" for line in lines))
        return
    from rich.console import Console
    from rich.text import Text

    # Colors were asked for, so there are some even where TERM says that there are none. Without a
    # size of its own rich takes COLUMNS and LINES for numbers, whatever they are.
    console = Console(
        file=stream,
        color_system="standard" if os.environ.get("TERM") in DUMB else "auto",
        force_terminal=True,
        no_color=False,
        width=screen.width,
        height=HEIGHT,
    )
    shown = [
        Text.assemble(*((_shown(text, stream), style) for text, style in joined(line)))
        for line in lines
    ]
    if shown:
        console.print(*shown, sep="\n", soft_wrap=True)


def fragments(lines: Iterable[Line]) -> StyleAndTextTuples:
    """Return lines as prompt_toolkit takes them."""
    found: StyleAndTextTuples = [
        fragment
        for line in lines
        for fragment in (
            *((_words(style), _shown(text, sys.stdout)) for text, style in joined(line)),
            ("", "\n"),
        )
    ]
    return found[:-1]


def _shown(text: str, stream: TextIO) -> str:
    """Return a text as a stream can show it; nothing in it steers a terminal."""
    return writable(printable(text), stream)


@cache
def _words(style: str) -> str:
    """Return a style in the words of prompt_toolkit."""
    from prompt_toolkit.styles import Attrs

    known = (word for word in style.split() if word != "dim" or "dim" in Attrs._fields)
    return " ".join(known).replace(" on ", " bg:")


def color_depth() -> ColorDepth | None:
    """Return how many colors prompt_toolkit may use, None for what it finds by itself.

    True colors are said by ``COLORTERM``, which it leaves aside; its approximation of 256 colors
    turns red into brown.
    """
    from prompt_toolkit.output import ColorDepth

    if not screen_of().color:
        return ColorDepth.DEPTH_1_BIT
    depth = ColorDepth.from_env()
    if depth is None and os.environ.get("COLORTERM") in ("truecolor", "24bit"):
        depth = ColorDepth.DEPTH_24_BIT
    return depth


# -- Sentences as a person reads them: on a terminal broken between words, commands left whole
#
# In a pipe or a file each sentence stays one line, which is what programs look for.

WIDEST_SENTENCE = 80
"""Columns of what explains something, even on a wide screen: longer lines are hard to read."""
PROGRAM = "porto"
_CHUNKS = rf"'{PROGRAM}\b[^']*'\S*|\S+"
"""Words, and commands in quotes as one."""


def tell(*sentences: str, stream: TextIO | None = None) -> None:
    """Print sentences, each on lines of its own; on standard output if not said otherwise."""
    stream = stream or sys.stdout
    for sentence in sentences:
        print(writable("\n".join(lines_of(sentence, stream)), stream), file=stream)


def remark(*sentences: str) -> None:
    """Print sentences on standard error: what is said besides what a command was asked for."""
    tell(*sentences, stream=sys.stderr)


def complain(error: PortoError) -> None:
    """Print an error that ends nothing on standard error, and the commands that would be right."""
    remark(*error.sentences, *(f"  {command}" for command in error.suggestions))


def lines_of(text: str, stream: TextIO) -> list[str]:
    """Return a text as it is printed on a stream. What would steer a terminal is escaped."""
    if not stream.isatty():
        return [printable(text)]
    return broken(printable(text), width_of_stream(stream))


def json_line(thing: object, stream: TextIO) -> str:
    """Return a document as a line of JSON for a stream, with escapes where its encoding lacks a
    character.
    """
    line = dumps(thing)
    return line if can_write(line, stream) else dumps(thing, ascii_only=True)


def broken(text: str, width: int) -> list[str]:
    """Return a line as lines of a width, where it is wider.

    It is broken between words, and as far indented as it was. A command behind a colon stays whole,
    if need be on a line of its own, so that it can be copied; so does one in quotes.
    """
    words = text.lstrip()
    if cells(text) <= width or words.startswith(f"{PROGRAM} "):
        return [text]
    blanks = text[: -len(words)]
    prose, colon, command = words.rpartition(f": {PROGRAM} ")
    chunks = ([(chunk, PLAIN)] for chunk in re.findall(_CHUNKS, f"{prose}:" if colon else words))
    found = flow(chunks, width, first=[(blanks, PLAIN)], indent=len(blanks))
    lines = [plain(line) for line in found]
    if colon:
        command = f"{PROGRAM} {command}"
        if cells(lines[-1]) + 1 + cells(command) <= width:
            lines[-1] += f" {command}"
        else:
            lines.append(f"{blanks}  {command}")
    return lines
