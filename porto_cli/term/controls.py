"""What is below a question: menus, forms, texts; and the keys of questions and of what is read."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from enum import Enum, Flag
from functools import cached_property, partial
from itertools import chain
from typing import Any, NamedTuple

from prompt_toolkit.application.current import get_app
from prompt_toolkit.filters import Condition
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import FormattedTextControl
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType

from porto_cli.core import cited, enumerated, plural
from porto_cli.core.characters import in_one_line
from porto_cli.term import (
    BOLD,
    DIM,
    PLAIN,
    Line,
    Screen,
    beside,
    folded,
    padded,
    plain,
    width_of,
    wrapped,
)
from porto_cli.term.prompt import (
    HELP_KEY,
    TABLE_KEY,
    Choice,
    Sheet,
    found_by,
    is_named,
    labeled,
    sign_in_brief,
)

# -- The keys of all questions: one table, of which bindings, help and hints are made

On = Flag("On", "MENU FORM TEXT READING")
"""Kinds of questions."""
BELOW = On.MENU | On.FORM
MOVED = BELOW | On.READING
QUESTIONS = ~On.READING
DIGIT_KEYS = " ".join("0123456789")
ALL = sys.maxsize
"""More lines than there can be: up to an end."""

Left = Enum("Left", "BACK HELP TABLE BOARDS")
"""The results of the keys that leave a question without an answer; signs have their choices."""
BACK, HELP, TABLE, BOARDS = Left

Asked = Any
"""What the keys change: a menu, a form, a text that is typed or read."""
Does = Callable[[Asked, KeyPressEvent], object]


class Key(NamedTuple):
    """What some keys do in some kinds of questions."""

    on: On
    keys: str
    """In the words of prompt_toolkit."""
    does: Does | None
    """Returns True if that answers the question. None where questionary has the key."""
    name: str = ""
    meaning: str | None = None
    """In the help: what the keys of this name do."""
    hint: str | None = None
    """The same in two words, below the question."""


def _exit(answer: object) -> Does:
    return lambda _, event: event.app.exit(result=answer)


def _raise(error: type[BaseException]) -> Does:
    return lambda _, event: event.app.exit(exception=error)


def _all_or(otherwise: Does) -> Does:
    """Take back what was typed, or do something else where that is nothing."""
    return lambda it, event: it.erase(ALL) if it.typed else otherwise(it, event)


_BOARDS, _TABLE = "Tab boards", "Tab table"
_AGAIN = "again: signs; once more: the rulings"
_FARTHER = "move; PageUp, PageDown, Home, End move farther"
_LEAVE = "leaves: each turn is saved when it is played"
_CHANGE = "change a number, as - and + do"
_CHANGE_HINT = "-/+ change it"
KEYS = (
    Key(MOVED, "up c-p", lambda it, _: it.step(-1)),
    Key(MOVED, "down c-n", lambda it, _: it.step(1), "Up, Down", _FARTHER),
    Key(MOVED, "pageup", lambda it, _: it.page(-1)),
    Key(MOVED, "pagedown", lambda it, _: it.page(1)),
    Key(MOVED, "home", lambda it, _: it.move(-ALL)),
    Key(MOVED, "end", lambda it, _: it.move(ALL)),
    Key(BELOW, "<any> <bracketed-paste>", lambda it, event: it.type(event.data)),
    Key(On.MENU, "", None, "letters", "point (or click) at a line: its key, or its words"),
    Key(BELOW, "backspace", lambda it, _: it.erase()),
    Key(On.FORM, "left -", lambda it, _: it.add(-1)),
    Key(On.FORM, "right +", lambda it, _: it.add(1), "Left, Right", _CHANGE, _CHANGE_HINT),
    Key(On.FORM, DIGIT_KEYS, lambda it, event: it.put(int(event.data)), "0 to 9", "set a number"),
    # A line feed is what becomes of Enter before the program listens.
    Key(MOVED, "enter c-j", lambda it, _: it.is_done()),
    Key(On.MENU, "", None, "Enter", "chooses (or click again); signs like ! act at once"),
    Key(On.FORM, "", None, "Enter", "confirms"),
    Key(On.READING, "space", lambda it, _: it.page(1)),
    Key(On.READING, "b", lambda it, _: it.page(-1)),
    Key(On.READING, "q tab c-o", _exit(BACK)),
    Key(~On(0), "?", _exit(HELP), HELP_KEY, _AGAIN, "? help"),
    Key(~On(0), "escape", _all_or(_exit(BACK)), "Esc", "goes back", "Esc back"),
    # A text of one line has nothing to search in, no pages, and no control signs.
    Key(On.TEXT, "c-r c-s pageup pagedown c-v c-q c-z", lambda *_: None),
    Key(On.MENU, "c-u", lambda it, _: it.erase(ALL)),
    Key(BELOW, "tab", _exit(BOARDS), "Tab", "shows the boards of the next player", _BOARDS),
    Key(BELOW, "tab c-o", _exit(TABLE), "Tab", f"shows the whole table, like {TABLE_KEY}", _TABLE),
    Key(QUESTIONS, "c-o", _exit(TABLE), TABLE_KEY, "shows the whole table"),
    Key(~On(0), "c-c <sigint>", _raise(KeyboardInterrupt), "Ctrl-C", _LEAVE),
    Key(~On(0), "c-d", _raise(EOFError)),
)


def keys_of(
    on: On,
    *,
    back: bool = True,
    helps: bool = True,
    table: bool = True,
    boards: bool = True,
    quits: bool = False,
    own: Iterable[Choice[Any]] = (),
    others: Iterable[Choice[Any]] = (),
) -> list[Key]:
    """Return the keys of a kind of question, with a way back, help and a table or without, which
    may have the ``boards`` of one player after the other; and where the way back ``quits``.

    Besides these are signs that do what their choices say: those of the question's ``own`` choices,
    and those of the menu before it (``others``), unless they mean something else here.
    """
    there = {HELP_KEY: helps, _BOARDS: table and boards, _TABLE: table and not boards}
    there |= {TABLE_KEY: table and (boards or on is On.TEXT)}
    esc: dict[str, Any] = {"does": _all_or(lambda it, _: it.stay()), "meaning": None, "hint": None}
    if back or quits:
        esc = {"meaning": "quits", "hint": "Esc quit"} if quits else {}
    keys = [key._replace(**esc if key.name == "Esc" else {}) for key in KEYS if on in key.on]
    meant = {name for key in keys for name in key.keys.split()}
    signs = [(one, sign_in_brief(one), one.value) for one in own]
    signs += [(one, sign_in_brief(one), one) for one in others if one.key not in meant]
    return [
        *(key for key in keys if there.get(key.name, True) and there.get(key.hint or "", True)),
        *(Key(on, one.key, _exit(does), "signs", brief, brief) for one, brief, does in signs),
    ]


def bindings(keys: Iterable[Key], asked: Asked) -> KeyBindings:
    """Return the bindings of keys, which change what is asked."""
    made = KeyBindings()
    for key in keys:
        for name in key.keys.split():
            # Only what no other key means is just any key.
            is_meant = Condition(partial(asked.means, name))
            made.add(name, eager=name != "<any>", filter=is_meant)(partial(_press, key, asked))
    return made


def _press(key: Key, asked: Asked, event: KeyPressEvent) -> None:
    if key.does and key.does(asked, event):
        event.app.exit(result=asked.answer())


def hints(keys: Iterable[Key]) -> list[str]:
    """Return the keys to name below a question, first what is missed most."""
    weight = {name: nth for nth, name in enumerate(WEIGHT)}
    named = [key.hint for key in keys if key.hint]
    return sorted(named, key=lambda hint: weight.get(hint.split()[0], len(weight)))


def explained(keys: Sequence[Key], width: int) -> list[Line]:
    """Return the help with keys, those of one name in a row."""
    rows: dict[str, str] = {}
    for key in keys:
        if key.name and key.meaning:
            rows[key.name] = ", ".join(filter(None, [rows.get(key.name), key.meaning]))
    indent = max(map(len, rows)) + 2
    lines: list[Line] = []
    for name, text in rows.items():
        lines += wrapped(text, width, first=[(name, BOLD)], indent=indent)
    return lines


# -- What is below a question, or is read: menus, forms, texts
#
# They draw themselves as lines, and the keys above change them; who asks with them is
# :mod:`porto_cli.term.menus`.

POINTER = ">"
ESCAPE = "\x1b"
"""What begins a key that is no letter."""
BELOW_CHOICES = ("?", "!", "Esc", "-/+")
"""Keys that are named in the last row, behind what Enter does; all others are behind the question.
"""
WEIGHT = (*BELOW_CHOICES, "Tab", "<", "=", ".", ":", ">")
"""Keys by how much who learns would miss them: those at the end are the first that give way."""
DIGITS = "123456789"
"""They pick the first choices that have no letter of their own."""
SIGNS = ("●", "○"), ("*", "o")
"""How much there is and how much there could be, and the same in ASCII."""
_NOT_HERE = {"!": "There is no hint for this question."}
"""What is said of keys that do nothing here, and something elsewhere."""
_NUMBERS = len(" > ") + len(" 12 / 12 ")
"""Columns of the pointer and the numbers of a form."""
_NOTE_ROWS = 2
"""Rows of a note below the choices, as far as it can be said in fewer words."""
_GAP = 2
"""Columns between a label and the note behind it."""
MOST_SIGNS = 12
"""Maximum number of signs in a row; larger numbers are shown without signs."""


class Control(FormattedTextControl):
    """What is below a question, or is read: it draws itself, and keys change it.

    ``on``  the kind of question
    """

    on = On.READING
    shows_moves = False
    """Whether the table can show what is pointed at."""
    typed = ""
    """What was typed so far."""

    def __init__(self) -> None:
        super().__init__(show_cursor=False)

    def lines(self, screen: Screen, rows: int) -> list[Line]:
        """Draw as much of it as the rows hold."""
        raise NotImplementedError

    def most_rows(self, width: int) -> int:
        """Return about how many rows it needs to be seen whole: all choices, the longest note, what
        Enter does.
        """
        return 3

    def enter(self) -> str:
        """Say what Enter does now."""
        return "Enter: done"

    def means(self, key: str) -> bool:
        """Return whether a key does something by itself now, and is no letter of a text."""
        return True

    def move(self, steps: int) -> None:
        """Go on by lines or choices, where there are any."""

    def mouse_handler(self, mouse_event: MouseEvent) -> object:
        """Let the wheel do what the arrows do."""
        wheel = {MouseEventType.SCROLL_UP: -1, MouseEventType.SCROLL_DOWN: 1}
        if mouse_event.event_type not in wheel:
            return NotImplemented
        self.move(wheel[mouse_event.event_type])
        return None

    def move_shown(self) -> str:
        """Return the move that the table shows, or nothing."""
        return ""


class Menu(Control):
    """A menu that folds long lines, is narrowed by typing and reports errors.

    What is typed is the beginning of keys, else words of labels.
    """

    on = On.MENU

    def __init__(
        self,
        choices: Sequence[Choice[Any]],
        *,
        digits: bool = True,
        beside: Sequence[Choice[Any]] = (),
    ) -> None:
        self.beside = [*beside, labeled("Help", None, HELP_KEY)]
        """Signs that can be chosen here, too, and are not in the list."""
        self.shows_moves = any(one.moves for one in choices)
        self._listed = [nth for nth, one in enumerate(choices) if not one.hidden]
        self.found = self._listed
        self.fault: str | None = None
        self._top = self._page = self.pointed_at = 0
        self._clicked: int | None = None
        """The choice that was clicked last, unless a key pointed at another one since."""
        self._owners: Sequence[range] = ()
        """The choices in each row, beside each other."""
        self._width = self.for_two = ALL
        """Columns of each, and of a screen with room for two beside each other."""
        free = iter(DIGITS if digits else "")
        # What leads to moves has the words of the table, and what Enter does is said of it.
        self.given = [
            one if one.key or one.enter else one._replace(key=next(free, "")) for one in choices
        ]
        super().__init__()

    @property
    def _seen(self) -> Sequence[int]:
        """The choices in the list: what begins none of them takes none away."""
        return self.found or self._listed

    @property
    def _is_key(self) -> bool:
        """What was typed is a single key that begins nothing."""
        return not self.found and len(self.typed.strip()) == 1

    @property
    def pointed(self) -> Choice[Any] | None:
        """The choice that is pointed at, also after a key that begins nothing; ``None`` where
        nothing fits the words that were typed.
        """
        points = self.found or self._is_key
        return self.given[self._seen[self.pointed_at]] if points else None

    def move(self, steps: int) -> None:
        """Point further down, or up, as far as there are choices; to the first one after words that
        begin none.
        """
        if not self.found:
            self._narrow("")
        self.fault = self._clicked = None
        self.pointed_at = max(0, min(len(self.found) - 1, self.pointed_at + steps))

    def step(self, steps: int) -> None:
        """Point further down, or up, and from one end to the other."""
        steps = steps if self.pointed else 0
        ends = self.pointed_at + steps not in range(len(self._seen))
        self.move(-steps * len(self._seen) if ends else steps)

    def page(self, pages: int) -> None:
        """Point further down, or up, by as much as is shown at once."""
        self.move(pages * self._page)

    def type(self, more: str) -> None:
        """Narrow the choices by what was typed. Nothing that is typed chooses: so the rest of a
        word never lands on the next question, however fast it comes.
        """
        if more.startswith(ESCAPE):
            return
        # A blank, or a key without a sign, begins nothing.
        more = "".join(c if c.isprintable() else " " for c in more)
        # After a key that begins nothing, another one may begin anew; a sign goes on with none.
        anew = [more] * self._is_key
        for typed in (*anew, *[self.typed + more] * (more.isalnum() or not anew)):
            if typed.strip():
                self._narrow(typed)
            if self.found:
                break

    def stay(self) -> None:
        """Say that there is no way back from here, and which sign undoes a turn, whosever it is."""
        instead = "; < is undo" * any(one.key == "<" for one in self.given)
        self.fault = f"Esc: nothing to go back to{instead}."

    def means(self, key: str) -> bool:
        """A sign is a letter only within a word of a choice, like ``sugar-mill``."""
        if len(key) > 1 or not self.typed:
            return True
        goes_on = re.compile(re.escape(self.typed + key) + r"\w", re.IGNORECASE)
        return not any(
            goes_on.search(text)
            for one in map(self.given.__getitem__, self.found)
            for text in (plain(one.label), one.also, *one.moves)
        )

    def erase(self, letters: int = 1) -> None:
        """Take back the last of what was typed."""
        self._narrow(self.typed[:-letters])

    def _narrow(self, typed: str) -> None:
        """Leave the choices with keys that begin so, else those with all words of it. A key that
        begins nothing moves the pointer neither when it is typed nor when it is taken back.
        """
        was_key = self._is_key
        self.fault = self._clicked = None
        self.typed, begin = typed, typed.strip().casefold()
        if not begin:
            self.found = self._listed
            if not was_key:
                self.pointed_at = self._top = 0
            return
        # Spaces of cards are typed in any order, and may stand apart; then they are no words.
        row = "".join(begin.replace(",", " ").split())
        is_row, is_apart = len(row) > 1 and row.isdigit(), row != begin
        begin = row if is_row else begin
        keys = [(nth, key.casefold()) for nth, one in enumerate(self.given) for key in one.keys]
        found = [nth for nth, key in keys if key.startswith(begin)]
        if is_row and not found:
            found = [nth for nth, key in keys if key.isdigit() and not Counter(row) - Counter(key)]
        if not (found or (is_row and is_apart)):
            found = found_by(self.given, typed)
        whole = {
            nth for nth, key in keys if key == begin or (is_row and sorted(key) == sorted(row))
        }
        found = [nth for nth in found if nth in self._listed] or found
        # Other spaces of equal cards are a whole key, too, but not that one.
        exact = {nth for nth in whole if self.given[nth].key.casefold() == begin}
        self.found = sorted({*found}, key=lambda nth: (nth not in exact, nth not in whole, nth))
        if not self._is_key:
            self.pointed_at = self._top = 0

    def is_done(self) -> bool:
        """Return whether there is a choice; words that begin none are taken back."""
        is_chosen = self.pointed is not None
        self.move(0)
        return is_chosen

    def answer(self) -> Any:
        """Return the value of the choice, for which what was typed is used up."""
        self.typed = ""
        return self.given[self._seen[self.pointed_at]].value

    def lines(self, screen: Screen, rows: int) -> list[Line]:
        """Draw as much of the menu as the rows hold, always with what is pointed at.

        Marks at the left edge show that there is more above or below, and how many choices below
        that are no signs, which are named beside the question.
        """
        # What was pasted may be long; a choice stays in sight.
        below = self.below(screen.width)[: max(0, rows - 1)]
        # Two rows are for what is below; what is wrong changes no columns.
        across = 2 if screen.width >= self.for_two and len(self._seen) > rows - 2 else 1
        rows, self._width = max(1, rows - len(below)), screen.width // across
        column = screen._replace(width=self._width)
        entries = [self.entry(at, column) for at in range(len(self._seen))]
        places, each = range(len(entries)), max(1, -(-len(entries) // across))
        lines = [line for entry in entries for line in entry]
        lines = beside(lines[:each], lines[each:], self._width) if across > 1 else lines
        at = self.pointed_at % each
        first = sum(map(len, entries[:at]))
        end = first + sum(map(len, entries[at : at + 1]))
        self._top = min(first, max(end - rows, min(self._top, max(0, len(lines) - rows))))
        self._page = max(1, rows * len(entries) // max(1, len(lines)) - 1)
        shown = lines[self._top : self._top + rows]
        owners = [places[at::each] for at in places[:each] for _ in entries[at]]
        self._owners = owners[self._top : self._top + rows]
        after = {*chain(*owners[self._top + rows :])}.difference(*self._owners)
        left = sum(not self.given[self._seen[at]].is_sign for at in after)
        count = f"{left} more"
        room = screen.width - len(count) - _GAP
        if left and width_of(shown[-1]) < room:
            shown[-1] = [*padded(shown[-1], room + 1), (count, DIM)]
        up, down = ("^", "v") if screen.ascii else ("↑", "↓")
        for nth, mark, more in ((0, up, self._top), (-1, down, self._top + rows < len(lines))):
            if more:
                text, style = shown[nth][0]
                shown[nth] = [(mark, PLAIN), (text[1:], style), *shown[nth][1:]]
        return [*shown, *below]

    def entry(self, at: int, screen: Screen) -> list[Line]:
        """Draw a choice with what is in front of it, and its note where there is room."""
        nth, pointed = self._seen[at], bool(self.pointed) and at == self.pointed_at
        head, label = self._head(nth, pointed), self.given[nth].label
        if pointed:
            label = [(text, BOLD if style in (PLAIN, DIM) else style) for text, style in label]
        if beside := self._beside(nth, screen.width):
            label = [*padded(label, self._before_notes), (beside, DIM)]
        return folded([(head, BOLD if pointed else PLAIN), *label], screen.width, len(head) + 2)

    def _head(self, nth: int, pointed: bool = False) -> str:
        """Return what is in front of a label: pointer, and its key unless it begins with that."""
        head, choice = f" {POINTER if pointed else ' '} ", self.given[nth]
        if is_named(choice) or not self._keys:
            return head
        # The sign that looks like the pointer is no second one, and moves no column.
        is_like_it = choice.key == POINTER
        key = "" if is_like_it else choice.key
        return f"{head}{key:<{self._keys}} {f'({POINTER}) ' if is_like_it else ''}"

    @cached_property
    def _keys(self) -> int:
        """The columns of the keys that are no words of labels."""
        listed = (self.given[nth] for nth in self._listed)
        keys = (len(one.key) for one in listed if not is_named(one))
        return max(keys, default=0)

    @cached_property
    def _before_notes(self) -> int:
        """The columns of the labels in front of notes."""
        listed = (self.given[nth] for nth in self._listed)
        noted = (width_of(one.label) for one in listed if one.about[0])
        return _GAP + max(noted, default=0)

    def _beside(self, nth: int, width: int) -> str:
        """Return what there is room for behind the label of a choice of what is said about it."""
        room = width - len(self._head(nth)) - self._before_notes
        choice = self.given[nth]
        ways = choice.short or choice.about
        if choice.brings and not self._all_fit(width):
            ways = ways[-1:]
        return next((one for one in ways if len(one) <= room), "")

    def _all_fit(self, width: int) -> bool:
        """Return whether all notes fit behind what the choices bring. If not, none stands there, so
        that all lines have one form.
        """
        both = [nth for nth in self._listed if self.given[nth].brings and self.given[nth].note]
        before = max((len(self._head(nth)) for nth in both), default=0) + self._before_notes
        return all(before + len(self.given[nth].about[0]) <= width for nth in both)

    def below(self, width: int) -> list[Line]:
        """Return the lines below the choices: what is wrong, or what is searched for, and the note
        of what is pointed at, where there is no room for it behind its choice.
        """
        if self.fault:
            return _indented(self.fault, width, BOLD)
        lines: list[Line] = []
        if self.typed:
            left = f"Typed: {self.typed} ({plural(len(self.found), 'choice')})."
            left += " Enter takes it, Esc shows all." if len(self.found) == 1 else " Esc shows all."
            lines = _indented(left if self.found else self._nothing_begins(), width)
        if not (below := self._below(width)):
            return lines
        pointed = self.found[self.pointed_at] if self.found else None
        return [*lines, *(_note(below[pointed], width) if pointed in below else [[]])]

    def _nothing_begins(self) -> str:
        """Say that no choice begins with what was typed; and which signs do."""
        typed = self.typed.strip()
        signs = (sign_in_brief(self.beside[at]) for at in found_by(self.beside, typed))
        but = enumerated(sign.replace(" ", " is ", 1) for sign in signs)
        meant = f", but {but}" if but else ""
        if self._is_key:
            return _NOT_HERE.get(typed, f"{cited(typed)} does nothing here{meant}.")
        return f"Nothing here begins with {cited(typed)}{meant}; Backspace takes it back."

    def _below(self, width: int) -> dict[int | None, Choice[Any]]:
        """Return the choices of which not all stands behind their labels, by their places."""
        found = {nth: self.given[nth] for nth in self.found}
        return {nth: one for nth, one in found.items() if self._beside(nth, width) != one.about[0]}

    def most_rows(self, width: int) -> int:
        """See :class:`Control`."""
        notes = (len(_note(one, width)) for one in self._below(width).values())
        return len(self._listed) + 1 + max(notes, default=0)

    def enter(self) -> str:
        """See :class:`Control`."""
        if self.pointed is None:
            return "Enter: choose again"
        return self.pointed.enter or f"Enter: {' '.join(plain(self.pointed.label).split())}"

    def move_shown(self) -> str:
        """See :class:`Control`."""
        return next(iter(self.pointed.moves), "") if self.pointed else ""

    def mouse_handler(self, mouse_event: MouseEvent) -> object:
        """Point at the line that is clicked; take it if the click before was on it, too."""
        row = mouse_event.position.y
        if mouse_event.event_type is not MouseEventType.MOUSE_UP or row >= len(self._owners):
            return super().mouse_handler(mouse_event)
        there = self._owners[row]
        at = there[min(mouse_event.position.x // self._width, len(there) - 1)]
        if self.on is On.MENU and at == self._clicked:
            get_app().exit(result=self.answer())
        else:
            self.move(at - self.pointed_at)
            self._clicked = at
        return None


class Form(Menu):
    """The numbers of a sheet, one row of it pointed at."""

    on = On.FORM

    def __init__(self, sheet: Sheet) -> None:
        super().__init__([Choice(share.label, None) for share in sheet.shares], digits=False)
        self.sheet, self.shows_moves = sheet, True
        self.for_two = 2 * (max(width_of(share.label) for share in sheet.shares) + _NUMBERS)
        self.numbers = [share.number for share in sheet.shares]

    def add(self, more: int) -> None:
        """Change the number that is pointed at, or show why that is impossible."""
        self.put(self.numbers[self.pointed_at] + more)

    def put(self, number: int) -> None:
        """Set the number that is pointed at, as far as there is enough for it."""
        self.fault = None if number >= 0 else "There is none here to take away."
        most = self.sheet.shares[self.pointed_at].most
        left = self.sheet.total - sum(self.numbers) + self.numbers[self.pointed_at]
        if number > min(most, left):
            fits = f"The most that fits here is {most}."
            self.fault = fits if most <= left else self.sheet.spent
        self.numbers[self.pointed_at] = max(0, min(number, most, left))

    def type(self, more: str) -> None:
        """Take the hint, or say that what was typed is not a number."""
        typed = "" if more.startswith(ESCAPE) else in_one_line(more)
        if self.sheet.is_hint(typed):
            self.numbers, self.fault = [*self.sheet.hinted], None
        elif typed:
            self.fault = f"{cited(typed)} isn't a number; type 0 to 9, or Left and Right."

    def erase(self, letters: int = 1) -> None:
        """Take back what was refused, else what was done to the number that is pointed at."""
        if self.fault:
            self.fault = None
        else:
            self.put(self.sheet.shares[self.pointed_at].number)

    def is_done(self) -> bool:
        """Return whether the numbers are right; if not, say so."""
        self.fault = self.sheet.fault(self.numbers)
        return self.fault is None

    def answer(self) -> list[int]:
        """Return the numbers."""
        return self.numbers

    def enter(self) -> str:
        """See :class:`Control`."""
        return "Enter: not yet" if self.sheet.fault(self.numbers) else "Enter: done"

    def move_shown(self) -> str:
        """See :class:`Control`."""
        return self.sheet.move(self.numbers)

    def entry(self, at: int, screen: Screen) -> list[Line]:
        """Draw a row: pointer, label, number and bound, signs."""
        share, number, pointed = self.sheet.shares[at], self.numbers[at], at == self.pointed_at
        labels = min(screen.width, self.for_two // 2) - _NUMBERS
        style = BOLD if pointed else PLAIN
        line: Line = [
            (f" {POINTER if pointed else ' '} ", style),
            *padded(share.label, labels),
            (f" {number:>2} / {share.most:<2} ", style),
        ]
        there, not_there = SIGNS[screen.ascii]
        most = max(one.most for one in self.sheet.shares)
        if most <= min(MOST_SIGNS, screen.width - width_of(line)):
            line += [(there * number, style), (not_there * (share.most - number), DIM)]
        return [line]

    def most_rows(self, width: int) -> int:
        """See :class:`Control`."""
        return -(-len(self.numbers) // (2 if width >= self.for_two else 1)) + 3

    def below(self, width: int) -> list[Line]:
        """Return the lines below the rows: the state of the sheet, and what is wrong."""
        return [*_indented(self.sheet.says(self.numbers), width), *super().below(width)]


def _note(choice: Choice[Any], width: int) -> list[Line]:
    """Return all about a choice below all of them, where it has to say which one it is about; what
    it brings alone, where that would take too many rows.
    """
    which = choice.key or plain(choice.label).strip().partition("  ")[0]
    ways = [_indented(f"{which}: {about}", width, DIM) for about in choice.about if about]
    return next((lines for lines in ways if len(lines) <= _NOTE_ROWS), ways[-1] if ways else [[]])


def _indented(text: str, width: int, style: str = PLAIN) -> list[Line]:
    """Set a sentence below the choices; an empty one takes a line, too."""
    return folded([("   ", PLAIN), (text, style)], width, 3) if text else [[]]
