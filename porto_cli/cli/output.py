"""How results are written: to standard output or a file, in color or not."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TextIO

from porto_cli.cli import is_typed, line_typed, opt
from porto_cli.core import FileError, usage
from porto_cli.core.files import STANDARD, write_output
from porto_cli.core.values import document, dumps
from porto_cli.match.replay import Replay
from porto_cli.pages import card_rows, log, score, story_html, table
from porto_cli.paper import Document, Heading, Node, described, lines, put, sentences
from porto_cli.seam import OVER
from porto_cli.term import (
    ALWAYS,
    AUTO,
    NEVER,
    WIDEST_SENTENCE,
    WIDTH,
    Line,
    Screen,
    json_line,
    remark,
    screen_of,
    show,
    tell,
    wrapped,
    writable,
)
from porto_cli.user import settings

if TYPE_CHECKING:
    from porto_cli.mail.posting import Mailed

Colors = StrEnum("Colors", "auto always never")
"""When text is in color."""

Plain = Annotated[
    bool,
    opt(
        ...,
        "--plain/--no-plain",
        "Whole sentences and no drawing, for screen readers.",
        show_default=False,
    ),
]
Color = Annotated[
    Colors, opt(..., "", "Color on terminals only (NO_COLOR is respected), always, or never.")
]


def _file(path: Path | None) -> Path | None:
    """Return the file to write; ``None``, for ``-`` too, means standard output."""
    return None if str(path) == STANDARD else path


Output = Annotated[
    Path | None,
    opt(
        ...,
        "--output -o FILE",
        "Write the result to a file; '-' is standard output.",
        callback=_file,
    ),
]


Open = Annotated[bool, opt(..., "--open", "Open the page in the browser once it is written.")]


def as_plain(plain: bool, color: str = AUTO) -> bool:
    """Return whether sentences are wanted in place of drawings: as ``--plain`` says, or if it is
    left out and color is not asked for, as the settings say.
    """
    if plain or color == ALWAYS or is_typed("plain"):
        return plain
    found = settings()
    return found is not None and found.plain


def _in_color(color: str) -> str:
    """Return the value of ``--color``, or if it is left out, of the settings."""
    found = settings() if color == AUTO and not is_typed("color") else None
    return found.color if found else color


def _lit(page: str) -> str:
    """Return a page or a picture, light or dark as the settings say."""
    from porto_cli.paper.page import in_light

    found = settings()
    return in_light(page, found.page) if found else page


def write(text: str, to: Path | None = None, stream: TextIO | None = None) -> None:
    """Write a text to a file, or to a stream, by default standard output. Raises FileError."""
    if to is None:
        stream = stream or sys.stdout
        print(writable(text.rstrip("\n"), stream), file=stream)
    else:
        deliver(text.rstrip("\n") + "\n", to)


def deliver(text: str, to: Path) -> None:
    """Write a text to a file, and print that it is written. Raises FileError."""
    before = ", in place of the file that was there" if to.is_file() else ""
    write_output(to, text)
    remark(f"{to} is written{before}.")


def write_json(thing: object, to: Path | None = None, stream: TextIO | None = None) -> None:
    """Write JSON to a file, or to a stream, by default standard output. Raises FileError."""
    write(dumps(thing) if to else json_line(thing, stream or sys.stdout), to, stream)


def tell_sent(mailed: Mailed, *, quiet: bool = False) -> None:
    """Say what was sent. Raises PortoError if anything was not."""
    if not quiet:
        tell(*mailed.said)
    if error := mailed.error:
        raise error


def answer(
    output: str, fields: Mapping[str, object], *sentences: str, stream: TextIO | None = None
) -> None:
    """Print fields as a document or the same in sentences, as ``--format`` says."""
    if output == "json":
        write_json(document(**fields), stream=stream)
    else:
        tell(*sentences, stream=stream)


# -- Reports: documents for JSON, and rows that say the same

Report = dict[str, Any]
TableFormat = StrEnum("TableFormat", "text json svg html reply")
"""The formats of a table."""
LogFormat = StrEnum("LogFormat", "text json html")
"""The formats of what happened, or would happen."""
_TEXT, _PAGES = ("text", "table"), ("svg", "html", "reply")
"""The formats with optional color, and those always in color; all others are data."""


class Display(NamedTuple):
    """How a result is shown, as ``--format``, ``--plain`` and the like say."""

    form: str
    plain: bool = False
    color: str = AUTO
    to: Path | None = None
    opened: bool = False


def display_of(
    form: str, color: str, *, plain: bool = False, to: Path | None = None, opened: bool = False
) -> Display:
    """Return how a result is shown; refuse ``--color``, ``--plain`` and ``--open`` if they would
    have no effect (exit code 2).
    """
    if opened and (form not in _PAGES or to is None):
        usage("--open is for a page in a file: add --format html -o page.html.")
    if plain and form not in _TEXT:
        usage(f"--plain is for text, not for --format {form}; leave out one of them.")
    if plain and color == ALWAYS:
        usage("Plain sentences have no colors; leave out --plain or --color.")
    if color == ALWAYS and form not in (*_TEXT, *_PAGES):
        usage(f"The output of --format {form} has no colors; leave out --color.")
    if color == NEVER and form in _PAGES:
        usage(f"The output of --format {form} always has colors; leave out --color.")
    return Display(form, plain, color, to, opened)


def write_report(
    look: Display,
    report: Callable[[], Report],
    rows: Callable[[], Document | Iterable[Node]],
    *,
    page: Callable[[], str] | None = None,
    title: str = "",
    last: Callable[[], Sequence[str]] = tuple,
    stream: TextIO | None = None,
) -> None:
    """Write a report as JSON, as a page or as text, to standard output, another stream or a file.

    Only what is written is made: the ``report``, a ``page``, or the ``rows``. Without a function
    for a page, it has the rows below a ``title``. Text ends with the ``last`` sentences, and the
    rows are turned into sentences too if that is wanted. Raises FileError.
    """
    form, plain, color, to, opened = look
    if form in _PAGES and to is None and sys.stdout.isatty() and not is_typed("to"):
        name = "table.svg" if form == "svg" else "page.html"
        remark(f"This is for a browser, not for a terminal. To write it: {line_typed()} -o {name}")
        return
    if form == "json":
        write_json(report(), to, stream)
        return
    if page and form in _PAGES:
        write(_lit(page()), to)
        if to and opened:
            _open(to)
        return
    nodes = rows()
    document = nodes if isinstance(nodes, Document) else Document("", [*nodes])
    if form in _PAGES:
        from porto_cli.paper.page import page as page_of

        write(_lit(page_of(title, [], document.nodes)), to)
        return
    below, out = last(), StringIO() if to else stream or sys.stdout
    if as_plain(plain, color):
        tell(*sentences(document), *below, stream=out)
    else:
        color = _in_color(color)
        # A file has 80 columns.
        screen = Screen(WIDTH, color == ALWAYS) if to else screen_of(out, color)
        # Some terminals begin a new line when the last column is written.
        edge = 0 if document.margin else 1
        show(lines(document, screen._replace(width=screen.width - edge)), screen, out)
        tell(*([""] if document.nodes and below else []), *below, stream=out)
    if to and isinstance(out, StringIO):
        deliver(out.getvalue(), to)


def _open(page: Path) -> None:
    """Open a page in the browser; if there is none, say where the page is."""
    import webbrowser  # It costs more than showing a table does.

    where = page.absolute().as_uri()
    try:
        is_open = webbrowser.open(where)
    except (webbrowser.Error, OSError):
        is_open = False
    if not is_open:
        remark(f"There is no browser here. The page is {where}")


def drawn(rows: Iterable[Node], *, plain: bool) -> Callable[[Screen], list[Line]]:
    """Return a function that draws rows on a screen; ``plain`` in sentences."""
    shown = [*rows]
    return in_lines(described(shown)) if plain else lambda screen: put(shown, screen)


def explain(rows: Iterable[Node]) -> None:
    """Print an explanation, no wider than is easily read even on a wide screen."""
    screen = screen_of()
    show(put(rows, screen._replace(width=min(screen.width, WIDEST_SENTENCE))), screen)


def in_lines(sentences: Iterable[str]) -> Callable[[Screen], list[Line]]:
    """Return a function that wraps sentences for a screen, each on its own lines."""
    texts = [*sentences]
    return lambda screen: [line for text in texts for line in wrapped(text, screen.width)]


# -- A finished game, and more of a game to look at


def parts_of(document: Document) -> list[int]:
    """Return the indexes where the parts after the final standings begin."""
    nodes = enumerate(document.nodes)
    return [index for index, node in nodes if index and isinstance(node, Heading)]


def show_result(replay: Replay, stream: TextIO) -> None:
    """Print how a game ended and where the VP came from, without details; in sentences if the
    settings say so.
    """
    ending = score(replay, None)
    part = ending._replace(nodes=ending.nodes[: [*parts_of(ending), None, None][1]])
    write_report(Display("text"), dict, lambda: part, stream=stream)


def whole_table(replay: Replay, seat: int | None, *, plain: bool) -> Callable[[Screen], list[Line]]:
    """Return a function that draws the table as ``seat`` may see it; ``plain`` in sentences."""
    if plain:
        return in_lines(sentences(table(replay, seat)))
    return lambda screen: lines(table(replay, seat), screen)


def to_look_at(
    replay: Replay, seat: int | None, *, plain: bool
) -> Iterator[tuple[str, Callable[[Screen], list[Line]], bool]]:
    """Yield what does not fit above a question: title, drawing, and whether its end matters most.
    Only secrets of ``seat`` are shown. First is what has the news that did not fit.
    """
    yield "The log of the game", lambda screen: lines(log(replay), Screen(screen.width)), True
    yield "The whole table", whole_table(replay, seat, plain=plain), False
    points = score(replay, seat)
    # How it ended shows the same, but for what explains it.
    if replay.state.phase != OVER or parts_of(points)[1:]:
        yield "Where the points came from", drawn(points.nodes, plain=plain), False
    if card := replay.game.shown.in_brief(replay.state):
        yield card[0].title.partition(":")[0], drawn(card_rows(card), plain=plain), False


def write_story(replay: Replay, page: Path, confirm: Callable[[str], bool]) -> list[str]:
    """Write the page of a game, after asking if it would replace a file; say what was done."""
    if page.exists() and not confirm(f"There is a file {page} already. Replace it?"):
        return [f"Nothing was written: {page} is as it was."]
    try:
        write_output(page, _lit(story_html(replay)))
    except FileError as error:
        return [error.sentence]
    return [f"The story of the game is in {page}: {page.absolute().as_uri()}"]
