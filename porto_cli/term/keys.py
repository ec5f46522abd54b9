"""The keys of all questions: one table, of which bindings, help and hints are made."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from enum import Enum, Flag
from functools import partial
from typing import Any, NamedTuple

from prompt_toolkit.filters import Condition
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

from porto_cli.term.prompt import HELP_KEY, TABLE_KEY, Choice, sign_in_brief
from porto_cli.term.spans import BOLD, Line, wrapped

On = Flag("On", "MENU FORM TEXT READING")
"""Kinds of questions."""
BELOW = On.MENU | On.FORM
MOVED = BELOW | On.READING
QUESTIONS = ~On.READING
DIGITS = " ".join("0123456789")
ALL = sys.maxsize
"""More lines than there can be: up to an end."""


Left = Enum("Left", "BACK HELP TABLE BOARDS")
"""The results of the keys that leave a question without an answer; those of letters are their
choices.
"""
BACK, HELP, TABLE, BOARDS = Left

Asked = Any
"""What the keys change: a menu, a form, a text that is typed or read."""


class Key(NamedTuple):
    """What some keys do in some kinds of questions."""

    on: On
    keys: str
    """In the words of prompt_toolkit."""
    does: Callable[[Asked, KeyPressEvent], object] | None
    """Returns True if that answers the question. None where questionary has the key."""
    name: str = ""
    meaning: str | None = None
    """In the help: what the keys of this name do."""
    hint: str | None = None
    """The same in two words, below the question."""


def _exit(answer: object) -> Callable[[Asked, KeyPressEvent], object]:
    return lambda _, event: event.app.exit(result=answer)


def _raise(error: Callable[[], BaseException]) -> Callable[[Asked, KeyPressEvent], object]:
    return lambda _, event: event.app.exit(exception=error())


def _all_or_back(asked: Asked, event: KeyPressEvent) -> None:
    """Take back what was typed, or else go back."""
    if asked.typed:
        asked.erase(ALL)
    else:
        event.app.exit(result=BACK)


_TAB = "Tab"
_AGAIN = "again: what the signs mean, and the rulings"
_FARTHER = "move; PageUp, PageDown, Home, End farther"
_LEAVE = "leaves: each turn is saved when it is played"
_CHANGE = "change a number"
_CHANGE_HINT = "Left, Right change it"
KEYS = (
    Key(MOVED, "up c-p", lambda it, _: it.step(-1)),
    Key(MOVED, "down c-n", lambda it, _: it.step(1), "Up, Down", _FARTHER),
    Key(MOVED & ~On.MENU, "k", lambda it, _: it.step(-1)),
    Key(MOVED & ~On.MENU, "j", lambda it, _: it.step(1)),
    Key(MOVED, "pageup", lambda it, _: it.page(-1)),
    Key(MOVED, "pagedown", lambda it, _: it.page(1)),
    Key(MOVED, "home", lambda it, _: it.move(-ALL)),
    Key(MOVED, "end", lambda it, _: it.move(ALL)),
    Key(On.MENU, "<any> <bracketed-paste>", lambda it, event: it.type(event.data)),
    Key(On.MENU, "", None, "key in front", "chooses at once, or shows it on the table"),
    Key(On.MENU, "", None, "other text", "leaves only the lines with these words"),
    Key(On.MENU, "backspace", lambda it, _: it.erase()),
    Key(On.MENU, "c-u", lambda it, _: it.erase(ALL)),
    Key(On.FORM, "left -", lambda it, _: it.add(-1)),
    Key(On.FORM, "right +", lambda it, _: it.add(1), "Left, Right", _CHANGE, _CHANGE_HINT),
    Key(On.FORM, DIGITS, lambda it, event: it.put(int(event.data)), "0 to 9", "set a number"),
    # A line feed is what becomes of Enter before the program listens.
    Key(MOVED, "enter c-j", lambda it, _: it.is_done()),
    Key(On.MENU, "", None, "Enter", "chooses"),
    Key(On.FORM, "", None, "Enter", "confirms"),
    Key(On.READING, "space f", lambda it, _: it.page(1)),
    Key(On.READING, "b", lambda it, _: it.page(-1)),
    Key(On.READING, "g", lambda it, _: it.move(-ALL)),
    Key(On.READING, "G", lambda it, _: it.move(ALL)),
    Key(On.READING, "q", _exit(BACK)),
    Key(~On(0), "?", _exit(HELP), HELP_KEY, _AGAIN, "? help"),
    Key(~On.MENU, "escape", _exit(BACK), "Esc", "goes back", "Esc back"),
    Key(On.MENU, "escape", _all_or_back, "Esc", "goes back", "Esc back"),
    Key(BELOW, "tab", _exit(BOARDS), _TAB, "shows boards that are not in sight", "Tab table"),
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
    letters: Iterable[Choice[Any]] = (),
) -> list[Key]:
    """Return the keys of a kind of question, with a way back, help and a table or without.

    Besides these are keys that do what their choices say: those of the menu before the question
    (``letters``), unless they mean something else here.
    """
    there = {"Esc": back, HELP_KEY: helps, _TAB: table, TABLE_KEY: table}
    without = {name for name in there if not there[name]}
    meant = {name for key in KEYS if on in key.on for name in key.keys.split()}
    clears = [] if back else [Key(On.MENU, "escape", lambda it, _: it.erase(ALL))]
    return [
        *(
            Key(on, one.key, _exit(one), meaning=sign_in_brief(one))
            for one in letters
            if one.key not in meant
        ),
        *(key for key in KEYS if on in key.on and key.name not in without),
        *(key for key in clears if on in key.on),
    ]


def bindings(keys: Iterable[Key], asked: Asked) -> KeyBindings:
    """Return the bindings of keys, which change what is asked."""
    made = KeyBindings()
    # Signs are letters of a text, unless they are the first one.
    is_meant = Condition(lambda: not asked.typed)
    for key in keys:
        for name in key.keys.split():
            # Only what no other key means is just any key.
            is_sign = len(name) == 1 and asked.on in On.MENU | On.TEXT
            add = made.add(name, eager=name != "<any>", filter=is_meant if is_sign else True)
            add(partial(_press, key, asked))
    return made


def _press(key: Key, asked: Asked, event: KeyPressEvent) -> None:
    if key.does and key.does(asked, event):
        event.app.exit(result=asked.answer())


def hints(keys: Iterable[Key]) -> list[str]:
    """Return the keys to name below a question: first the one for help, then as they come."""
    named = [key for key in keys if key.hint]
    return [str(key.hint) for key in sorted(named, key=lambda key: key.name != HELP_KEY)]


def explained(keys: Sequence[Key], width: int) -> list[Line]:
    """Return the help with keys; all signs of the menu before are one row."""
    rows = [(key.name, key.meaning) for key in keys if key.name and key.meaning]
    signs = [key.meaning for key in keys if not key.name and key.meaning]
    rows += [("signs", ", ".join(signs))] * bool(signs)
    indent = max(len(name) for name, _ in rows) + 2
    lines: list[Line] = []
    for name, meaning in rows:
        lines += wrapped(meaning, width, first=[(name, BOLD)], indent=indent)
    return lines
