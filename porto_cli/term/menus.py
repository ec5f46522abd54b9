"""Questions as menus, for a terminal that can move its cursor."""

from __future__ import annotations

import signal
import sys
from asyncio import sleep
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache, partial
from itertools import takewhile
from select import select
from typing import Any, TypeVar

import questionary
from prompt_toolkit.application import Application
from prompt_toolkit.application.current import get_app, get_app_session
from prompt_toolkit.filters import to_filter
from prompt_toolkit.formatted_text import FormattedText, StyleAndTextTuples
from prompt_toolkit.input.typeahead import store_typeahead
from prompt_toolkit.key_binding import KeyBindings, KeyBindingsBase, KeyPress, merge_key_bindings
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import FormattedTextControl, HSplit, Layout, Window
from prompt_toolkit.output import Output
from prompt_toolkit.renderer import print_formatted_text
from prompt_toolkit.selection import SelectionState
from prompt_toolkit.styles import Style

from porto_cli import term
from porto_cli.core import files
from porto_cli.term import (
    BOLD,
    DIM,
    PLAIN,
    Line,
    Screen,
    Stage,
    cut_line,
    folded,
    plain,
    screen_of,
    wrapped,
)
from porto_cli.term.controls import (
    ALL,
    BACK,
    BOARDS,
    HELP,
    TABLE,
    Control,
    Form,
    Key,
    Menu,
    On,
    bindings,
    explained,
    keys_of,
)
from porto_cli.term.prompt import (
    BACK_KEY,
    HELP_KEY,
    HINT_KEY,
    NOTHING,
    QUIT,
    Above,
    Advice,
    Asker,
    CancelledError,
    Choice,
    Fault,
    Rules,
    Sheet,
    Text,
    labeled,
    signs_of,
)
from porto_cli.term.question import Framed, question_rows

T = TypeVar("T")

NARROWEST, LOWEST = 20, 4
"""What is smaller is drawn as if it had this size, and cut by the terminal."""
ESCAPE_SECONDS = 0.1
"""How long to wait for what follows an Esc, which also begins the codes of other keys."""
LOOK_SECONDS = 0.1
"""How often to look whether Esc ends what the program is thinking about."""
_ANSWERS = (Keys.ControlM, Keys.ControlJ, HINT_KEY)
"""Keys that would answer a question which nobody has seen, or take a hint that nobody has read."""
WATCH_SECONDS = 1.0
"""How often to look whether the terminal is still there."""
STYLE = Style([("question", "bold"), ("qmark", "fg:default bold"), ("answer", "fg:default nobold")])

Draw = Callable[[Screen, int], list[Line]]
"""Draws for a screen with a number of rows."""


class Menus(Asker):
    """Asks on a stage, below a scene; without a stage, in the line where the cursor is.

    What is drawn depends on nothing but the size of the terminal and the control that the keys
    change, so that it is drawn anew when the size changes.
    """

    def __init__(self, advice: Advice, stage: Stage | None = None) -> None:
        self.help_with = advice
        self.stage = stage
        self.keys = "Arrows point, Enter takes, ? explains."
        self._above: Above | None = None
        self._table: Text | None = None
        self._renders = 0

    def put_above(self, above: Above | None, table: Text | None = None) -> None:
        """See :class:`porto_cli.term.prompt.Asker`. It is drawn with each question."""
        self._above, self._table = above, table

    def notify(self, sentence: str) -> None:
        """See :class:`porto_cli.term.prompt.Asker`. What is on the stage stays above it."""
        if self.stage is None:
            print(sentence, flush=True)
            return
        screen, rows = _sized(self.stage.output)
        drawn = self._above.lines(screen, rows - question_rows(rows)) if self._above else []
        said = wrapped(sentence, screen.width - 2)
        self.stage.clear()
        # The last line is for a bar that shows the progress.
        lines = [*drawn, *([(" ", PLAIN), *one] for one in said), []]
        shown = FormattedText(term.fragments(lines))
        output = self.stage.output
        print_formatted_text(output, shown, STYLE, color_depth=term.color_depth())
        output.flush()

    @contextmanager
    def thinking(self) -> Iterator[list[KeyPress]]:
        """See :class:`porto_cli.term.prompt.Asker`. Without a thread that waits for keys: processes
        may be made by copying this one.
        """
        typed, keys = get_app_session().input, list[KeyPress]()

        def read() -> None:
            if not typed.closed and select([typed.fileno()], [], [], 0)[0]:
                keys.extend([*typed.read_keys(), *typed.flush_keys()])

        def look(*_: object) -> None:
            read()
            if any(one.key in (Keys.Escape, Keys.ControlC) for one in keys):
                keys.clear()
                signal.raise_signal(signal.SIGINT)

        if sys.platform == "win32":
            yield keys
            return
        with typed.raw_mode():
            before = signal.signal(signal.SIGALRM, look)
            alarm = signal.setitimer(signal.ITIMER_REAL, LOOK_SECONDS, LOOK_SECONDS)
            try:
                yield keys
            finally:
                signal.setitimer(signal.ITIMER_REAL, *alarm)
                signal.signal(signal.SIGALRM, before)
                read()
                store_typeahead(typed, [*takewhile(lambda one: one.key not in _ANSWERS, keys)])

    def clear(self) -> None:
        """See :class:`porto_cli.term.prompt.Asker`."""
        self._above = self._table = None
        if self.stage:
            self.stage.clear()

    def choose(
        self,
        question: str,
        choices: Sequence[Choice[T]],
        *,
        rules: Rules = (),
        back: bool = True,
        search: bool = False,
        most: int = 1,
    ) -> T:
        """See :class:`porto_cli.term.prompt.Asker`."""
        entries: list[Choice[Any]] = list(choices)
        if back and not search and all(choice.key != BACK_KEY for choice in entries):
            entries.append(labeled("Back", BACK, BACK_KEY))
        keys = [choice.key for choice in entries]
        menu = Menu(entries, digits=not search, beside=self.beside(keys) if back else ())
        chosen: T = self._ask(question, menu, rules, keys, back=back)
        return chosen

    def distribute(self, question: str, sheet: Sheet, *, rules: Rules = ()) -> list[int]:
        """See :class:`porto_cli.term.prompt.Asker`."""
        return list(self._ask(question, Form(sheet), rules))

    def write(
        self, question: str, fault: Fault, default: str = "", *, rules: Rules = (), does: str = ""
    ) -> str:
        """See :class:`porto_cli.term.prompt.Asker`. What is typed replaces what was refused and
        the default, unless that is the beginning of it: typed already, or with a blank at its end.
        """
        is_begun = default == self.typed or default.endswith(" ")

        def check(text: str) -> bool | str:
            if found := fault(_one_line(text)):
                asked.select()
            return found or True

        text = questionary.text(">", default, check, qmark="", validate_while_typing=False)
        asked = ErrorLine(text, does)
        if not is_begun:
            asked.select()
        return _one_line(self._ask(question, asked, rules))

    def show(self, text: Text, at_end: bool = False, more: Mapping[str, Text] = NOTHING) -> None:
        """See :class:`porto_cli.term.prompt.Asker`. What is too long comes in pages."""
        if self.stage is None:
            screen = screen_of()
            inner = screen._replace(width=screen.width - 1)
            pages = [text, *more.values()]
            term.show([line for page in pages for line in (*page(inner), [])][:-1], screen)
            sys.stdout.flush()
            return
        named = [*more]
        reader = Reader(text, at_end=at_end, more=next(iter(named), ""))
        reader.text = _drawn(reader.lines)
        keys = keys_of(On.READING, helps=bool(more))
        if self._run([Window(reader)], bindings(keys, reader)) is HELP and more:
            self.show(more[named[0]], more={name: more[name] for name in named[1:]})

    def _ask(
        self,
        question: str,
        asked: Control,
        rules: Rules,
        own: Sequence[str] = (),
        *,
        back: bool = True,
    ) -> Any:
        """Ask below the scene until there is an answer; show the help on request, and do what
        signs of the menu before say that are not its ``own``.

        Raises CancelledError, what signs raise.
        """
        is_text = asked.on is On.TEXT
        given = asked.given if isinstance(asked, Menu) else []
        keys = partial(
            keys_of,
            asked.on,
            back=back,
            helps=bool(rules) or not is_text,
            table=self._table is not None,
            quits=any(one.key == BACK_KEY and plain(one.label) == QUIT for one in given),
            own=signs_of(given),
            others=self.beside(own) if back and not is_text else (),
        )
        stage = self.stage
        above = self._above if stage else None
        framed = Framed(question, asked, keys, above, is_staged=stage is not None)
        asked.text = _drawn(framed.choices)
        table_above = FormattedTextControl(_drawn(framed.scene), show_cursor=False)
        windows = [Window(table_above, dont_extend_height=True)]
        windows.append(Window(asked, dont_extend_height=stage is None))
        bound: KeyBindingsBase = bindings(keys(boards=True), asked)
        if isinstance(asked, ErrorLine):
            windows.insert(1, asked.window)
            bound = merge_key_bindings([asked.bindings or KeyBindings(), bound])
        besides = (HELP, TABLE, BOARDS, *self.signs.values())
        while (answer := self._run(windows, bound)) in besides:
            self.typed = asked.typed
            boards = stage is not None and framed.has_boards(*_sized(stage.output))
            if isinstance(answer, Choice):
                answer.value()
            elif answer is BOARDS and boards:
                framed.turn()
            elif answer is not HELP and self._table:
                self.show(self._table)
            else:
                self._explain(rules, keys(boards=boards))
        self.typed = asked.typed
        if answer is BACK:
            raise CancelledError
        return answer

    def _explain(self, rules: Rules, keys: Sequence[Key]) -> None:
        """Show what a question is about, and its keys; with more of it another key away."""

        def page(nth: int, screen: Screen) -> Sequence[Line]:
            return self.help_with(rules, screen.width)[nth]

        pages = {"what the signs mean": partial(page, 1), "the rulings": partial(page, 2)}
        more: dict[str, Text] = {name: text for name, text in pages.items() if text(screen_of())}
        named = [key for key in keys if key.name != HELP_KEY or more]
        self.show(lambda screen: [*page(0, screen), [], *explained(named, screen.width)], more=more)

    def _run(self, windows: Sequence[Window], bound: KeyBindingsBase) -> Any:
        """Show what is drawn, and let the keys change it, until one of them has an answer."""
        stage = self.stage
        app: Application[Any] = Application(
            layout=Layout(HSplit(windows)),
            key_bindings=bound,
            style=STYLE,
            color_depth=term.color_depth(),
            erase_when_done=True,
            full_screen=stage is not None,
            mouse_support=stage is not None,
            output=stage.output if stage else get_app_session().output,
            include_default_pygments_style=False,
        )
        app.ttimeoutlen = ESCAPE_SECONDS
        # Windows keep what they have drawn by this number: what is shown again is drawn again.
        app.render_counter = self._renders
        try:
            return answer_of(app)
        finally:
            self._renders = app.render_counter


class ErrorLine(Control):
    """The error below a text that questionary asks for in one line."""

    on = On.TEXT

    def __init__(self, question: questionary.Question, does: str = "") -> None:
        super().__init__()
        self.does = does
        self.bindings = question.application.key_bindings
        self.window = question.application.layout.current_window
        self.window.dont_extend_height = to_filter(True)
        self.buffer = question.application.current_buffer

    def select(self) -> None:
        """Select the text as Shift does: letters replace it, arrows keep it."""
        self.buffer.selection_state = SelectionState(0)
        self.buffer.selection_state.enter_shift_mode()

    def means(self, key: str) -> bool:
        """Signs are letters of a text, unless they are the first one."""
        return len(key) > 1 or not self.buffer.text

    def enter(self) -> str:
        """See :class:`Control`."""
        does = self.does if self.buffer.text.strip() else "go back"
        return f"Enter: {does if self.does else 'go on'}"

    def lines(self, screen: Screen, rows: int) -> list[Line]:
        """Return what is wrong with what was typed."""
        fault = self.buffer.validation_error
        return folded([(fault.message, BOLD)], screen.width) if fault else []


class Reader(Control):
    """A long text, shown as much at a time as the screen holds."""

    def __init__(self, text: Text, *, at_end: bool = False, more: str = "") -> None:
        super().__init__()
        self.more = f", {HELP_KEY} {more}" if more else ""
        """What the key of help shows after this."""
        self.laid_out = cache(text)
        self.top, self._last = ALL * at_end, 0
        self._room = 1

    def move(self, lines: int) -> None:
        """Go on by some lines, or back."""
        self.top = max(0, min(self._last, self.top + lines))

    step = move

    def page(self, pages: int) -> None:
        """Go on by a screen, or back; one line of the screen before stays in sight."""
        self.move(pages * max(1, self._room - 1))

    def is_done(self) -> bool:
        """Go on by a screen; return whether there was no more."""
        ended = self.top == self._last
        self.page(1)
        return ended

    def answer(self) -> None:
        """Nothing is asked."""

    def lines(self, screen: Screen, rows: int) -> list[Line]:
        """Return what the screen shows of the text, and below it which part that is."""
        self._room = max(1, rows - 1)
        text = fitted(self.laid_out(screen), self._room)
        count = len(text)
        self._last = max(0, count - self._room)
        self.move(0)
        shown = list(text[self.top : self.top + self._room])
        last = self.top + len(shown)
        where = f"Enter or Esc: done{self.more}"
        if self._last:
            ways = "Space on, b back" if last < count else "b back"
            where = f"{self.top + 1} to {last} of {count}: {ways}, Esc done{self.more}"
        elif last < self._room:
            shown.append([])
        return [*shown, cut_line([(f"({where})", DIM)], screen.width)]


def fitted(text: Sequence[Line], rows: int) -> list[Line]:
    """Return a text without its last blank lines where it has so many rows then, else whole."""
    found = [*text]
    while len(found) > rows and [] in found:
        del found[-1 - found[::-1].index([])]
    return found if len(found) <= rows else [*text]


def answer_of(app: Application[Any]) -> Any:
    """Return the answer to a question, which ends with a signal, or when its terminal is gone.

    Raises KeyboardInterrupt, EOFError, TerminatedError.
    """

    def end(error: BaseException) -> None:
        if app.future and not app.future.done():
            app.exit(exception=error)

    def wake() -> None:
        if app.loop:
            app.loop.call_soon_threadsafe(end, EOFError())

    async def watch() -> None:
        while not (files.received() or files.is_hung_up()):
            await sleep(WATCH_SECONDS)
        end(EOFError())

    def start() -> None:
        assert app.loop is not None
        # By default an error in the loop would ask for a key, and wait for it.
        app.loop.set_exception_handler(
            lambda loop, context: end(context.get("exception") or RuntimeError(context["message"]))
        )
        app.create_background_task(watch())

    app.pre_run_callables.append(start)
    try:
        with files.handed_over(wake):
            return app.run()
    except Exception:
        files.raise_if_hung_up()
        raise
    finally:
        # Not every version of prompt_toolkit does that when a signal ends it.
        with suppress(OSError):
            app.output.show_cursor()
            app.output.flush()


def _one_line(text: str) -> str:
    """Return what was typed or pasted as one line."""
    return " ".join(text.splitlines()).strip()


def _sized(output: Output) -> tuple[Screen, int]:
    """Return the screen of a terminal as wide as it is now, and its rows."""
    size = output.get_size()
    screen = screen_of()._replace(width=max(NARROWEST, size.columns))
    return screen, max(LOWEST, size.rows)


def _drawn(draw: Draw) -> Callable[[], StyleAndTextTuples]:
    """Return what draws a part of the screen for the size that the terminal has now."""

    def fragments() -> StyleAndTextTuples:
        screen, rows = _sized(get_app().output)
        return term.fragments(term.cut_line(line, screen.width) for line in draw(screen, rows))

    return fragments
