"""Questions as menus, for a terminal that can move its cursor."""

from __future__ import annotations

import re
import sys
from asyncio import sleep
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache, cached_property
from typing import Any, TypeVar

import questionary
from prompt_toolkit.application import Application
from prompt_toolkit.application.current import get_app, get_app_session
from prompt_toolkit.filters import to_filter
from prompt_toolkit.formatted_text import FormattedText, StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings, KeyBindingsBase, merge_key_bindings
from prompt_toolkit.layout import FormattedTextControl, HSplit, Layout, Window
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType
from prompt_toolkit.renderer import print_formatted_text
from prompt_toolkit.styles import Style

from porto_cli.core import signals
from porto_cli.term import spans
from porto_cli.term.keys import (
    BACK,
    BOARDS,
    HELP,
    TABLE,
    Key,
    On,
    bindings,
    explained,
    hints,
    in_brief,
    in_one,
    is_of_table,
    keys_of,
)
from porto_cli.term.prompt import (
    BACK_KEY,
    YES_OR_NO,
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
    start,
)
from porto_cli.term.screen import WIDTH, Screen, Stage, screen_of
from porto_cli.term.spans import BOLD, DIM, PLAIN, Line, folded, padded, plain, width_of, wrapped

POINTER = ">"
ESCAPE = "\x1b"
"""What begins a key that is no letter."""
DIGITS = "123456789"
"""They pick the first choices that have no letter of their own."""
SIGNS = ("●", "○"), ("*", "o")
"""How much there is and how much there could be, and the same in ASCII."""
_GAP = 2
"""Columns between a label and the note behind it."""
MOST_SIGNS = 12
"""Maximum number of signs in a row; larger numbers are shown without signs."""


class Menu(FormattedTextControl):
    """A menu that folds long lines, is narrowed by typing and reports errors.

    What is typed is the beginning of keys, else words of labels. With ``count``, exactly that many
    choices have to be marked.
    """

    def __init__(
        self,
        choices: Sequence[Choice[Any]],
        on: On = On.MENU,
        *,
        count: int | None = None,
        digits: bool = True,
        start: int = 0,
    ) -> None:
        self.on = on
        self.found = list(range(len(choices)))
        self.count = count
        self.fault: str | None = None
        self.typed = ""
        self._top = self._page = 0
        self._shown: dict[int, int] = {}
        free = iter(DIGITS if digits else "")
        self.given = [one if one.key else one._replace(key=next(free, "")) for one in choices]
        super().__init__(show_cursor=False)
        self.pointed_at = start
        self.marked: list[int] = []

    @property
    def pointed(self) -> Choice[Any] | None:
        """The choice that is pointed at; ``None`` where nothing fits what was typed."""
        return self.given[self.found[self.pointed_at]] if self.found else None

    def move(self, steps: int) -> None:
        """Point further down, or up, as far as there are choices."""
        self.fault = None
        self.pointed_at = max(0, min(len(self.found) - 1, self.pointed_at + steps))

    def step(self, steps: int) -> None:
        """Point further down, or up, and from one end to the other."""
        ends = self.pointed_at + steps not in range(len(self.found))
        self.move(-steps * len(self.found) if ends else steps)

    def page(self, pages: int) -> None:
        """Point further down, or up, by as much as is shown at once."""
        self.move(pages * self._page)

    def pick(self, key: str) -> None:
        """Mark the choice of a digit, or take its mark away."""
        keys = [choice.key for choice in self.given]
        if key in keys:
            self.pointed_at = keys.index(key)
            self.mark()

    def type(self, more: str) -> bool:
        """Narrow the choices by what was typed; return whether that chooses one of them."""
        if more.startswith(ESCAPE):
            return False
        # A blank, or a key without a sign, begins nothing.
        more = "".join(c if c.isprintable() else " " for c in more)
        if not (self.typed + more).strip():
            return False
        self._narrow(self.typed + more)
        pointed = self.pointed
        is_key = pointed is not None and pointed.key.casefold() == self.typed.casefold()
        return is_key and len(self.found) == 1 and not (pointed and pointed.confirm)

    def erase(self, letters: int = 1) -> None:
        """Take back the last of what was typed."""
        self._narrow(self.typed[:-letters])

    def _narrow(self, typed: str) -> None:
        """Leave the choices with keys that begin so, else those with all words of it."""
        self.typed, begin = typed, typed.strip().casefold()
        keys = [nth for nth, one in enumerate(self.given) if one.key.casefold().startswith(begin)]
        keys.sort(key=lambda nth: self.given[nth].key.casefold() != begin)
        words = typed.split()
        self.found = [*range(len(self.given))] if not begin else keys
        if not self.found:
            self.found = [nth for nth, one in enumerate(self.given) if matches(one, words)]
        self.pointed_at = self._top = 0

    def mark(self) -> None:
        """Mark the choice that is pointed at, or take its mark away."""
        self.fault = None
        self.marked = sorted({*self.marked} ^ {self.found[self.pointed_at]})

    def is_done(self) -> bool:
        """Return whether there is a choice, and as many as required; if not, show the error."""
        marked = len(self.marked)
        if self.count not in (None, marked):
            self.fault = f"Choose {self.count} (you have {marked})."
        return len(self.found) > 0 and not self.fault

    def answer(self) -> Any:
        """Return the value of the choice, or the values of those that are marked."""
        if self.count is None:
            return self.given[self.found[self.pointed_at]].value
        return [self.given[nth].value for nth in self.marked]

    def lines(self, screen: Screen, rows: int) -> list[Line]:
        """Draw as much of the menu as the rows hold, always with what is pointed at.

        Marks at the left edge show that there is more above or below.
        """
        below = self.below(screen.width)
        rows = max(1, rows - len(below))
        entries = [self.entry(at, screen) for at in range(len(self.found))]
        lines = [line for entry in entries for line in entry]
        first = sum(map(len, entries[: self.pointed_at]))
        end = first + sum(map(len, entries[self.pointed_at : self.pointed_at + 1]))
        self._top = min(first, max(end - rows, min(self._top, max(0, len(lines) - rows))))
        self._page = max(1, rows * len(entries) // max(1, len(lines)) - 1)
        shown = lines[self._top : self._top + rows]
        owners = [at for at, entry in enumerate(entries) for _ in entry]
        self._shown = dict(enumerate(owners[self._top : self._top + rows]))
        up, down = ("^", "v") if screen.ascii else ("↑", "↓")
        for nth, mark, more in ((0, up, self._top), (-1, down, self._top + rows < len(lines))):
            if more:
                text, style = shown[nth][0]
                shown[nth] = [(mark, PLAIN), (text[1:], style), *shown[nth][1:]]
        return [*shown, *below]

    def entry(self, at: int, screen: Screen) -> list[Line]:
        """Draw a choice: pointer, key unless the label begins with it, mark, label."""
        nth, pointed = self.found[at], at == self.pointed_at
        head = f" {POINTER if pointed else ' '} "
        if column := self._keys:
            head += f"{self.given[nth].key:<{column}} "
        if self.count is not None:
            head += "[x] " if nth in self.marked else "[ ] "
        label, note = self.given[nth].label, self.given[nth].note
        if pointed:
            label = [(text, BOLD if style in (PLAIN, DIM) else style) for text, style in label]
        column = self._before_notes(screen.width - len(head))
        if note and column:
            label = [*padded(label, column + _GAP), (note, DIM)]
        return folded([(head, BOLD if pointed else PLAIN), *label], screen.width, len(head) + 2)

    @cached_property
    def _keys(self) -> int:
        """The columns of the keys; none where all labels begin with them."""
        said = (plain(one.label).startswith(one.key) for one in self.given)
        return 0 if all(said) else max(len(one.key) for one in self.given)

    @property
    def _head(self) -> int:
        """The columns in front of a label: pointer, key, mark."""
        return 3 + (self._keys and self._keys + 1) + (0 if self.count is None else 4)

    def _before_notes(self, room: int) -> int:
        """Return the width of the widest label with a note; 0 where not all notes fit behind it."""
        noted = [(width_of(one.label), len(one.note)) for one in self.given if one.note]
        widths, notes = zip(*noted, strict=True) if noted else ((0,), (0,))
        return max(widths) if max(widths) + _GAP + max(notes) <= room else 0

    def _note(self, width: int) -> str | None:
        """Return the note of the choice that is pointed at; None if all notes stand behind their
        choices, or there are none.
        """
        if self._before_notes(width - self._head) or not any(one.note for one in self.given):
            return None
        return self.pointed.note if self.pointed else ""

    def below(self, width: int) -> list[Line]:
        """Return the lines below the choices: what is searched for, what is wrong, a note."""
        said, style = self.fault, BOLD
        if self.typed:
            found = f"{len(self.found)} left" if self.found else "nothing has all of this"
            said, style = f"Typed: {self.typed} ({found}, Esc: all)", PLAIN
        elif (
            not self.fault
            and self.on in On.MENU | On.MARKS
            and (note := self._note(width)) is not None
        ):
            return folded([("   ", PLAIN), (note, DIM)], width, 3) if note else [[]]
        return folded([("   ", PLAIN), (said, style)], width, 3) if said else []

    @property
    def most_rows(self) -> int:
        """About how many rows it needs to be seen whole: all choices, a note, what Enter does."""
        return len(self.given) + 2

    def enter(self) -> str:
        """Say what Enter does now."""
        if self.count is not None:
            left = self.count - len(self.marked)
            return f"{left} more to mark" if left > 0 else f"Enter: these {self.count}"
        if self.pointed is None:
            return "Esc: all choices"
        does = self.pointed.enter or f"Enter: {' '.join(plain(self.pointed.label).split())}"
        keys = (self.given[nth].key for nth in self.found if self.typed)
        longer = [key for key in keys if len(key) > len(self.typed.strip())]
        is_key = self.pointed.key.casefold() == self.typed.strip().casefold()
        return f"{does}; or type on: {', '.join(longer)}" if is_key and longer else does

    def signs(self) -> list[str]:
        """Return the keys of choices that are not on the screen, each with a word about it."""
        shown = set(self._shown.values())
        hidden = (self.given[nth] for at, nth in enumerate(self.found) if at not in shown)
        return [
            f"{one.key} {re.split('[ :]', plain(one.label))[0].lower()}"
            for one in hidden
            if one.key and not one.key.isalnum()
        ]

    def mouse_handler(self, mouse_event: MouseEvent) -> object:
        """Point at the line that is clicked, and take it if that was pointed at already."""
        if mouse_event.event_type is not MouseEventType.MOUSE_UP:
            return NotImplemented
        at = self._shown.get(mouse_event.position.y)
        if at is None:
            return NotImplemented
        is_again, self.pointed_at = at == self.pointed_at, at
        if self.count is not None:
            self.mark()
        elif self.on is On.MENU and (is_again or not self.given[self.found[at]].confirm):
            get_app().exit(result=self.answer())
        return None


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
            self.fault = self.sheet.spent
        self.numbers[self.pointed_at] = max(0, min(number, most, left))

    def is_done(self) -> bool:
        """Return whether the numbers are right; if not, show the error."""
        self.fault = self.sheet.fault(self.numbers)
        return self.fault is None

    def answer(self) -> list[int]:
        """Return the numbers."""
        return self.numbers

    def enter(self) -> str:
        """See :meth:`Menu.enter`."""
        return "Enter: done"

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

    most_rows = 3

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

    def enter(self) -> str:
        """See :meth:`Menu.enter`."""
        return "Enter: no" if self.on is On.CONFIRM else "Enter: done"

    def signs(self) -> list[str]:
        """See :meth:`Menu.signs`."""
        return []

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

        whole = wrapped(f"({self.done})", screen.width, style=DIM)
        room = max(1, rows - len(whole))
        fits = count <= room
        if count < room:
            whole.insert(0, [])
        self._room = max(1, rows - len(whole if fits else part(count, count)))
        self._last = max(0, count - self._room)
        self.move(0)
        shown = text[self.top : self.top + self._room]
        return [*shown, *(whole if fits else part(self.top + 1, self.top + len(shown)))]


T = TypeVar("T")

_MORE = "Enter: the rulings behind it, Esc: back to it"
"""What comes after the help with a question."""
QUESTION, LEAST_QUESTION, MOST_QUESTION = 8, 5, 14
"""Rows that a question keeps below the table, whatever is asked, on a screen of
:data:`ROWS`, on the lowest and on the highest; a longer menu scrolls."""
ROWS = 24
"""Rows from which on a question gets one of each four more."""
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
        self.advised = ""
        self.taught = False
        self._above: Above | None = None
        self._table: Text | None = None

    def put_above(self, above: Above | None, table: Text | None = None) -> None:
        """See :class:`porto_cli.term.prompt.Asker`. It is drawn with each question."""
        self._above, self._table = above, table

    def notify(self, sentence: str) -> None:
        """See :class:`porto_cli.term.prompt.Asker`. What is on the stage stays above it."""
        if self.stage is None:
            print(sentence, flush=True)
            return
        size = self.stage.output.get_size()
        screen = screen_of()._replace(width=max(NARROWEST, size.columns))
        room = max(LOWEST, size.rows) - question_rows(size.rows)
        drawn = self._above.lines(screen, room) if self._above else []
        said = wrapped(sentence, screen.width - 2)
        self.stage.clear()
        shown = FormattedText(spans.fragments([*drawn, *([(" ", PLAIN), *one] for one in said)]))
        output = self.stage.output
        print_formatted_text(output, shown, STYLE, color_depth=spans.color_depth())
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
        if back and not search and all(choice.key != BACK_KEY for choice in entries):
            entries.append(labeled("Back", BACK, BACK_KEY))
        own = {choice.key for choice in entries}
        others = [one for one in self.letters.items() if one[0] not in own and back]
        keys = keys_of(On.MENU, back=back, letters=others)
        menu = Menu(entries, digits=not search, start=start(choices, self.advised))
        chosen: T = self._ask(question, menu, keys, rules)
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
        line, keys = ErrorLine(asked, On.CONFIRM), keys_of(On.CONFIRM)
        return bool(self._ask(question, line, keys, rules or YES_OR_NO))

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
        above = self._above
        turn = getattr(above, "turn", None)
        keys = [key if turn else in_one(key) for key in keys if self._table or not is_of_table(key)]
        bound: KeyBindingsBase = bindings(keys, asked)
        title = [("? ", BOLD), (question, BOLD)]

        @cache
        def head(screen: Screen, rows: int, move: str) -> list[Line]:
            """Draw the scene, and the question below it."""
            asking = folded(title, screen.width, 2)
            if self.stage is None or above is None:
                return asking
            room = rows - question_rows(rows)
            drawn = above.lines(screen, room, move)
            # What the table leaves empty is for a list that would scroll.
            longer = len(asking) + asked.most_rows - question_rows(rows)
            while drawn and not drawn[-1] and longer > 0:
                drawn, longer = drawn[:-1], longer - 1
                room -= 1
            return [*drawn, *([Line()] * (0 < len(drawn) < room)), *asking]

        def shown(screen: Screen, rows: int) -> list[Line]:
            pointed = asked.pointed if isinstance(asked, Menu) and asked.on is On.MENU else None
            return head(screen, rows, next(iter(pointed.moves), "") if pointed else "")

        def below(screen: Screen, rows: int) -> list[Line]:
            """Draw the choices, and in the last row always what Enter does."""
            typing = isinstance(asked, ErrorLine)
            room = max(1, rows - len(shown(screen, rows)) - 1 - typing)
            lines = asked.lines(screen, room)
            blanks = [Line()] * (room - len(lines) if self.stage else 0)
            named = [*hints(keys), *asked.signs()]
            return [*lines, *blanks, last_row(asked.enter(), named, screen.width - 1)]

        def brief(screen: Screen) -> list[Line]:
            about = self.advice(rules, screen.width)[0]
            return [*about, [], *explained(keys, screen.width)]

        def full(screen: Screen) -> list[Line]:
            return [*self.advice(rules, screen.width)[1]]

        def scene() -> Window:
            """Return a new window of the scene: one keeps what it has drawn for a run."""
            control = FormattedTextControl(_drawn(shown), show_cursor=False)
            return Window(control, dont_extend_height=True)

        has_more = bool(self.advice(rules, WIDTH)[1])
        asked.text = _drawn(below)
        windows = [scene(), Window(asked, dont_extend_height=self.stage is None)]
        if isinstance(asked, ErrorLine):
            windows.insert(1, asked.window)
            bound = merge_key_bindings([asked.bindings or KeyBindings(), bound])
        while (answer := self._run(windows, bound)) in (HELP, TABLE, BOARDS):
            if answer is BOARDS and turn:
                turn()
                head.cache_clear()
                windows[0] = scene()
            elif answer is not HELP and self._table:
                self.show(self._table)
            elif self._read(brief, _MORE if has_more else DONE) and has_more:
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
            mouse_support=stage is not None,
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


def question_rows(rows: int) -> int:
    """Return how many of the rows of a screen a question keeps."""
    if rows < ROWS:
        return max(LEAST_QUESTION, min(QUESTION, rows * 3 // 8))
    return min(MOST_QUESTION, QUESTION + (rows - ROWS) // 4)


_KEPT = 2
"""Keys that are named below a question however long the rest is."""


def last_row(does: str, keys: Sequence[str], width: int) -> Line:
    """Return the row below a question: what Enter does, and at the right as many other keys as fit;
    the first one is at the edge, so that it is always in the same place.
    """

    def named(count: int) -> str:
        return ", ".join(reversed(keys[:count]))

    said = f"  {does}"
    counts = range(len(keys), _KEPT, -1)
    fits = (one for one in counts if spans.cells(f"{said}   {named(one)}") <= width)
    others = named(next(fits, _KEPT))
    said = spans.cut(said, width - len(others) - 3)
    return [*padded([(said, BOLD)], width - len(others)), (others, DIM)]


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
