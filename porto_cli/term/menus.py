"""Questions as menus, for a terminal that can move its cursor."""

from __future__ import annotations

import sys
from asyncio import sleep
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import Any, TypeVar

import questionary
from prompt_toolkit.application import Application
from prompt_toolkit.application.current import get_app, get_app_session
from prompt_toolkit.filters import to_filter
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings, KeyBindingsBase, merge_key_bindings
from prompt_toolkit.layout import FormattedTextControl, HSplit, Layout, Window
from prompt_toolkit.styles import Style
from questionary.prompts.common import InquirerControl

from porto_cli.core import signals
from porto_cli.term import spans
from porto_cli.term.keys import (
    BACK,
    HELP,
    TABLE,
    TABLE_KEYS,
    Key,
    On,
    bindings,
    explained,
    hint,
    in_brief,
    keys_of,
)
from porto_cli.term.prompt import (
    BACK_KEY,
    Above,
    Advice,
    CancelledError,
    Choice,
    Fault,
    Rules,
    Sheet,
    Text,
    labeled,
    matches,
)
from porto_cli.term.screen import Screen, Stage, screen_of
from porto_cli.term.spans import BOLD, DIM, PLAIN, Line, folded, padded, plain, width_of, wrapped

POINTER = ">"
DIGITS = "123456789"
"""They pick the first choices that have no letter of their own."""
SIGNS = ("●", "○"), ("*", "o")
"""How much there is and how much there could be, and the same in ASCII."""
_GAP = 2
"""Columns between a label and the note behind it."""
_HEAD = 5
"""Columns before a label."""
MOST_SIGNS = 12
"""Maximum number of signs in a row; larger numbers are shown without signs."""


class Menu(InquirerControl):
    """A menu of questionary that folds long lines, searches word by word and reports errors.

    In a search, digits are text. With ``count``, exactly that many choices have to be marked.
    """

    def __init__(
        self, choices: Sequence[Choice[Any]], on: On = On.MENU, *, count: int | None = None
    ) -> None:
        self.on = on
        self.given = choices
        self.found = list(range(len(choices)))
        self.count = count
        self.fault: str | None = None
        self._top = self._page = 0
        free = iter(DIGITS if on is not On.SEARCH else "")
        super().__init__(
            [
                questionary.Choice(one.label, nth, shortcut_key=one.key or next(free, False))
                for nth, one in enumerate(choices)
            ],
            show_cursor=False,
        )

    @property
    def typed(self) -> str:
        """What is searched for."""
        return self.search_filter or ""

    @property
    def filtered_choices(self) -> list[questionary.Choice]:
        """The choices that have every word that was typed; questionary looks for one text."""
        return [self.choices[nth] for nth in self.found]

    def move(self, steps: int) -> None:
        """Point further down, or up, as far as there are choices."""
        self.fault = None
        self.pointed_at = max(0, min(self.choice_count - 1, self.pointed_at + steps))

    def step(self, steps: int) -> None:
        """Point further down, or up, and from one end to the other."""
        ends = self.pointed_at + steps not in range(self.choice_count)
        self.move(-steps * self.choice_count if ends else steps)

    def page(self, pages: int) -> None:
        """Point further down, or up, by as much as is shown at once."""
        self.move(pages * self._page)

    def pick(self, key: str) -> bool:
        """Point at the choice of a digit or letter, and mark it; return whether it is chosen."""
        keys = [choice.shortcut_key for choice in self.choices]
        if key in keys:
            self.pointed_at = keys.index(key)
            self.mark()
        return key in keys and self.count is None

    def type(self, typed: str) -> None:
        """Search for a text: every word of it, in any order."""
        self.search_filter = "".join(c if c.isprintable() else " " for c in typed)
        words = self.typed.split()
        self.found = [nth for nth, one in enumerate(self.given) if matches(one, words)]
        self.pointed_at = self._top = 0

    def mark(self) -> None:
        """Mark the choice that is pointed at, or take its mark away."""
        self.fault = None
        self.selected_options = sorted({*self.selected_options} ^ {self.found[self.pointed_at]})

    def is_done(self) -> bool:
        """Return whether there is a choice, and as many as required; if not, show the error."""
        marked = len(self.selected_options)
        if self.count not in (None, marked):
            self.fault = f"Mark {self.count} of them, not {marked}."
        return self.choice_count > 0 and not self.fault

    def answer(self) -> Any:
        """Return the value of the choice, or the values of those that are marked."""
        if self.count is None:
            return self.given[self.found[self.pointed_at]].value
        return [self.given[nth].value for nth in self.selected_options]

    def lines(self, screen: Screen, rows: int) -> list[Line]:
        """Draw as much of the menu as the rows hold, always with what is pointed at.

        Marks at the left edge show that there is more above or below.
        """
        below = self.below(screen.width)
        rows = max(1, rows - len(below))
        entries = [self.entry(at, screen) for at in range(self.choice_count)]
        lines = [line for entry in entries for line in entry]
        first = sum(map(len, entries[: self.pointed_at]))
        end = first + sum(map(len, entries[self.pointed_at : self.pointed_at + 1]))
        self._top = min(first, max(end - rows, min(self._top, max(0, len(lines) - rows))))
        self._page = max(1, rows * len(entries) // max(1, len(lines)) - 1)
        shown = lines[self._top : self._top + rows]
        up, down = ("^", "v") if screen.ascii else ("↑", "↓")
        for nth, mark, more in ((0, up, self._top), (-1, down, self._top + rows < len(lines))):
            if more:
                text, style = shown[nth][0]
                shown[nth] = [(mark, PLAIN), (text[1:], style), *shown[nth][1:]]
        return [*shown, *below]

    def entry(self, at: int, screen: Screen) -> list[Line]:
        """Draw a choice: pointer, digit or letter, mark, label."""
        nth, pointed = self.found[at], at == self.pointed_at
        head = f" {POINTER if pointed else ' '} "
        if self.on is not On.SEARCH:
            head += f"{self.choices[nth].shortcut_key or ' '} "
        if self.count is not None:
            head += "[x] " if nth in self.selected_options else "[ ] "
        label, note = self.given[nth].label, self.given[nth].note
        if pointed:
            label = [(text, BOLD if style in (PLAIN, DIM) else style) for text, style in label]
        column = self._before_notes(screen.width - len(head))
        if note and width_of(label) <= column:
            label = [*padded(label, column + _GAP), (note, DIM)]
        return folded([(head, BOLD if pointed else PLAIN), *label], screen.width, len(head) + 2)

    def _before_notes(self, room: int) -> int:
        """Return the width of the widest label behind which notes stand, all in one column."""
        noted = [(width_of(one.label), len(one.note)) for one in self.given if one.note]
        fitting = (
            column
            for column, _ in noted
            if all(column + _GAP + note <= room for label, note in noted if label <= column)
        )
        return max(fitting, default=0)

    def _note(self, width: int) -> str | None:
        """Return the note of the choice that is pointed at, if it does not stand behind it; None if
        all notes stand behind their choices.
        """
        column = self._before_notes(width - _HEAD)
        apart = [one.note and width_of(one.label) > column for one in self.given]
        if not any(apart):
            return None
        return self.given[self.pointed_at].note if apart[self.pointed_at] else ""

    def below(self, width: int) -> list[Line]:
        """Return the lines below the choices: what is searched for, what is wrong, a note."""
        said, style = self.fault, BOLD
        if self.on is On.MENU and (note := self._note(width)) is not None:
            return folded([("   ", PLAIN), (note, DIM)], width, 3) if note else [[]]
        if self.on is On.SEARCH and not self.typed:
            said, style = "Search: type some words of it.", DIM
        elif self.on is On.SEARCH and self.choice_count:
            said = f"Search: {self.typed} (found: {self.choice_count})"
            style = PLAIN
        elif self.on is On.SEARCH:
            said = f"Search: {self.typed} (nothing has all of these words)"
        return folded([("   ", PLAIN), (said, style)], width, 3) if said else []


class Form(Menu):
    """The numbers of a sheet, one row of it pointed at."""

    def __init__(self, sheet: Sheet) -> None:
        super().__init__([Choice(share.label, None) for share in sheet.shares], On.FORM)
        self.sheet = sheet
        self.numbers = [share.number for share in sheet.shares]

    def add(self, more: int) -> None:
        """Change the number that is pointed at, or show why that is impossible."""
        self.put(self.numbers[self.pointed_at] + more)

    def put(self, number: int) -> None:
        """Set the number that is pointed at, as far as there is enough for it."""
        self.fault = None
        most = self.sheet.shares[self.pointed_at].most
        left = self.sheet.total - sum(self.numbers) + self.numbers[self.pointed_at]
        if number > most:
            self.fault = f"There is no room for more than {most} here."
        elif number > left:
            self.fault = "Nothing is left for it; first take something away elsewhere."
        self.numbers[self.pointed_at] = max(0, min(number, most, left))

    def is_done(self) -> bool:
        """Return whether the numbers are right; if not, show the error."""
        self.fault = self.sheet.fault(self.numbers)
        return self.fault is None

    def answer(self) -> list[int]:
        """Return the numbers."""
        return self.numbers

    def entry(self, at: int, screen: Screen) -> list[Line]:
        """Draw a row: pointer, label, number and bound, signs."""
        share, number, pointed = self.sheet.shares[at], self.numbers[at], at == self.pointed_at
        labels = min(screen.width // 2, max(width_of(share.label) for share in self.sheet.shares))
        style = BOLD if pointed else PLAIN
        line: Line = [
            (f" {POINTER if pointed else ' '} ", style),
            *padded(share.label, labels),
            (f" {number:>2} / {share.most:<2} ", style),
        ]
        there, not_there = SIGNS[screen.ascii]
        if share.most <= min(MOST_SIGNS, screen.width - width_of(line)):
            line += [(there * number, style), (not_there * (share.most - number), DIM)]
        return [line]

    def below(self, width: int) -> list[Line]:
        """Return the lines below the rows: the state of the sheet, and what is wrong."""
        standing = [("   ", PLAIN), (self.sheet.standing(self.numbers), PLAIN)]
        return [*folded(standing, width, 3), *super().below(width)]


class ErrorLine(FormattedTextControl):
    """The error below a text, or a yes or no, that questionary asks for in one line."""

    def __init__(self, question: questionary.Question, on: On) -> None:
        super().__init__(show_cursor=False)
        self.on = on
        self.bindings = question.application.key_bindings
        self.window = question.application.layout.current_window
        self.window.dont_extend_height = to_filter(True)
        self.buffer = question.application.current_buffer

    @property
    def typed(self) -> str:
        """What was typed so far."""
        return self.buffer.text

    def lines(self, screen: Screen, rows: int) -> list[Line]:
        """Return what is wrong with what was typed."""
        fault = self.buffer.validation_error
        return folded([(fault.message, BOLD)], screen.width) if fault else []


DONE = "Enter or Esc: done"


class Reader(FormattedTextControl):
    """A long text, shown as much at a time as the screen holds."""

    on = On.READING

    def __init__(self, text: Text, done: str = DONE) -> None:
        super().__init__(show_cursor=False)
        self.laid_out, self.done = cache(text), done
        self.top = self._last = 0
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
        text = self.laid_out(screen)
        count = len(text)

        def part(first: int, last: int) -> list[Line]:
            where = f"Lines {first} to {last} of {count} (Space on, b back, Home, End, Esc done)"
            return wrapped(where, screen.width, style=DIM)

        whole = [[], *wrapped(f"({self.done})", screen.width, style=DIM)]
        fits = count <= max(1, rows - len(whole))
        self._room = max(1, rows - len(whole if fits else part(count, count)))
        self._last = max(0, count - self._room)
        self.move(0)
        shown = text[self.top : self.top + self._room]
        return [*shown, *(whole if fits else part(self.top + 1, self.top + len(shown)))]


T = TypeVar("T")

_MORE = "Enter: the rulings behind this question, Esc: back to it"
"""What comes after the help with a question."""
ROOMY_MENU, LEAST_MENU = 6, 5
"""Rows that are kept free for a menu, whatever its length, so that what is above it keeps its
place from one question to the next; a longer menu scrolls. Only a brief scene may take more."""
NARROWEST, LOWEST = 20, 4
"""What is smaller is drawn as if it had this size, and cut by the terminal."""
ESCAPE_SECONDS = 0.1
"""How long to wait for what follows an Esc, which also begins the codes of other keys."""
WATCH_SECONDS = 1.0
"""How often to look whether the terminal is still there."""
STYLE = Style([("question", "bold"), ("qmark", "fg:default bold"), ("answer", "fg:default nobold")])

Draw = Callable[[Screen, int], list[Line]]
"""Draws for a screen with a number of rows."""


class Menus:
    """Asks on a stage, below a scene; without a stage, in the line where the cursor is.

    What is drawn depends on nothing but the size of the terminal and the control that the keys
    change, so that it is drawn anew when the size changes.
    """

    def __init__(self, advice: Advice, stage: Stage | None = None) -> None:
        self.advice = advice
        self.stage = stage
        self.plain = False
        self.keys = in_brief(keys_of(On.MENU))
        self.letters: Mapping[str, object] = {}
        self._above: Above | None = None
        self._table: Text | None = None

    def put_above(self, above: Above | None, table: Text | None = None) -> None:
        """See :class:`porto_cli.term.prompt.Asker`. It is drawn with each question."""
        self._above, self._table = above, table

    def notify(self, sentence: str) -> None:
        """See :class:`porto_cli.term.prompt.Asker`. Before each question the stage is cleared."""
        if self.stage is None:
            print(sentence, flush=True)
            return
        output = self.stage.output
        for line in wrapped(sentence, screen_of().width - 1):
            output.write(f" {plain(line)}\r\n")
        output.flush()

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
    ) -> T:
        """See :class:`porto_cli.term.prompt.Asker`."""
        entries: list[Choice[Any]] = list(choices)
        if back and all(choice.key != BACK_KEY for choice in entries):
            entries.append(labeled("Back", BACK, BACK_KEY))
        on = On.SEARCH if search else On.MENU
        own = {choice.key for choice in entries}
        others = [one for one in self.letters.items() if one[0] not in own and back and not search]
        keys = keys_of(on, back=back, letters=others)
        chosen: T = self._ask(question, Menu(entries, on), keys, rules)
        return chosen

    def choose_several(
        self, question: str, choices: Sequence[Choice[T]], count: int, *, rules: Rules = ()
    ) -> list[T]:
        """See :class:`porto_cli.term.prompt.Asker`."""
        menu, letters = Menu(choices, On.MARKS, count=count), self.letters.items()
        return list(self._ask(question, menu, keys_of(On.MARKS, letters=letters), rules))

    def distribute(self, question: str, sheet: Sheet, *, rules: Rules = ()) -> list[int]:
        """See :class:`porto_cli.term.prompt.Asker`."""
        keys = keys_of(On.FORM, letters=self.letters.items())
        return list(self._ask(question, Form(sheet), keys, rules))

    def write(self, question: str, fault: Fault, default: str = "", *, rules: Rules = ()) -> str:
        """See :class:`porto_cli.term.prompt.Asker`."""

        def check(text: str) -> bool | str:
            found = fault(_one_line(text))
            return found or True

        asked = questionary.text(">", default, check, qmark="", validate_while_typing=False)
        keys = keys_of(On.TEXT, helps=bool(rules))
        return _one_line(self._ask(question, ErrorLine(asked, On.TEXT), keys, rules))

    def confirm(self, question: str, *, rules: Rules = ()) -> bool:
        """See :class:`porto_cli.term.prompt.Asker`."""
        asked = questionary.confirm(">", default=False, qmark="", instruction="")
        return bool(self._ask(question, ErrorLine(asked, On.CONFIRM), keys_of(On.CONFIRM), rules))

    def show(self, text: Text) -> None:
        """See :class:`porto_cli.term.prompt.Asker`. What is too long comes in pages."""
        self._read(text)

    def _read(self, text: Text, done: str = DONE) -> bool:
        """Show something to read; return whether it was read on to its end, not left before."""
        if self.stage is None:
            screen = screen_of()
            spans.show(text(screen._replace(width=screen.width - 1)), screen)
            sys.stdout.flush()
            return True
        reader = Reader(text, done)
        reader.text = _drawn(reader.lines)
        return self._run([Window(reader)], bindings(keys_of(On.READING), reader)) is not BACK

    def _ask(self, question: str, asked: Menu | ErrorLine, keys: list[Key], rules: Rules) -> Any:
        """Ask below the scene until there is an answer, and show the help on request.

        Raises CancelledError.
        """
        keys = [key for key in keys if self._table or key.name not in TABLE_KEYS]
        bound: KeyBindingsBase = bindings(keys, asked)
        title = [("? ", BOLD), (question, BOLD), (f" {hint(keys)}", PLAIN)]

        @cache
        def head(screen: Screen, rows: int) -> list[Line]:
            """Draw the scene, as large as there is room, a gap, and the question."""
            asking = folded(title, screen.width, 2)
            if self.stage is None or self._above is None:
                return asking
            left = rows - len(asking)
            above = self._above.lines(screen, left - 1 - ROOMY_MENU, left - LEAST_MENU)
            return [*above, *([[]] if above and len(above) < left - LEAST_MENU else []), *asking]

        def below(screen: Screen, rows: int) -> list[Line]:
            return asked.lines(screen, max(1, rows - len(head(screen, rows))))

        def brief(screen: Screen) -> list[Line]:
            about = self.advice(rules, screen.width)[0]
            return [*about, [], *explained(keys, screen.width)]

        def full(screen: Screen) -> list[Line]:
            return [*self.advice(rules, screen.width)[1]]

        asked.text = _drawn(below)
        windows = [
            Window(FormattedTextControl(_drawn(head), show_cursor=False), dont_extend_height=True),
            Window(asked, dont_extend_height=self.stage is None),
        ]
        if isinstance(asked, ErrorLine):
            windows.insert(1, asked.window)
            bound = merge_key_bindings([asked.bindings or KeyBindings(), bound])
        while (answer := self._run(windows, bound)) in (HELP, TABLE):
            if answer is TABLE and self._table:
                self.show(self._table)
            elif self._read(brief, _MORE):
                self._read(full)
        if answer is BACK:
            raise CancelledError
        return answer

    def _run(self, windows: Sequence[Window], bound: KeyBindingsBase) -> Any:
        """Show what is drawn, and let the keys change it, until one of them has an answer."""
        stage = self.stage
        app: Application[Any] = Application(
            layout=Layout(HSplit(windows)),
            key_bindings=bound,
            style=STYLE,
            color_depth=spans.color_depth(),
            erase_when_done=True,
            full_screen=stage is not None,
            output=stage.output if stage else get_app_session().output,
            include_default_pygments_style=False,
        )
        app.ttimeoutlen = ESCAPE_SECONDS
        return answer_to(questionary.Question(app))


def answer_to(question: questionary.Question) -> Any:
    """Return the answer to a question, which ends with a signal, or when its terminal is gone.

    Raises KeyboardInterrupt, EOFError, TerminatedError.
    """
    app = question.application

    def end(error: BaseException) -> None:
        if app.future and not app.future.done():
            app.exit(exception=error)

    def wake() -> None:
        if app.loop:
            app.loop.call_soon_threadsafe(end, EOFError())

    async def watch() -> None:
        while not (signals.received() or signals.is_hung_up()):
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
        with signals.handed_over(wake):
            return question.unsafe_ask()
    except Exception:
        signals.raise_if_hung_up()
        raise
    finally:
        # Not every version of prompt_toolkit does that when a signal ends it.
        with suppress(OSError):
            app.output.show_cursor()
            app.output.flush()


def _one_line(text: str) -> str:
    """Return what was typed or pasted as one line."""
    return " ".join(text.splitlines()).strip()


def _drawn(draw: Draw) -> Callable[[], StyleAndTextTuples]:
    """Return what draws a part of the screen for the size that the terminal has now."""

    def fragments() -> StyleAndTextTuples:
        size = get_app().output.get_size()
        screen = screen_of()._replace(width=max(NARROWEST, size.columns))
        return spans.fragments(draw(screen, max(LOWEST, size.rows)))

    return fragments
