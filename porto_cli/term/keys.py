"""The keys of all questions: one table, of which bindings, help and hints are made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import Flag, auto
from functools import partial
from typing import Any, NamedTuple

from prompt_toolkit.buffer import Buffer
from prompt_toolkit.filters import Condition
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

from porto_cli.core.message import Sentence, say
from porto_cli.term.spans import BOLD, Line, wrapped


class On(Flag):
    """Kinds of questions."""

    MENU = auto()
    SEARCH = auto()
    MARKS = auto()
    FORM = auto()
    TEXT = auto()
    CONFIRM = auto()
    READING = auto()


UNTYPED = On.MENU | On.MARKS | On.FORM
LISTS = UNTYPED | On.SEARCH
QUESTIONS = LISTS | On.TEXT | On.CONFIRM
BACK, HELP = "back", "help"
"""The answers of the keys that leave a question without one."""

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
    told: Sentence | None = None
    """The help: what the keys of this name do."""
    hint: Sentence | None = None
    """The same in two words, behind the question."""


def _exit(answer: object) -> Callable[[Asked, KeyPressEvent], object]:
    return lambda _, event: event.app.exit(result=answer)


def _raise(error: type[BaseException]) -> Callable[[Asked, KeyPressEvent], object]:
    return lambda _, event: event.app.exit(exception=error())


_BEFORE = say("choose at once what they stand before")
_LEAVES = say("leaves at any time: every turn is saved when it is played")
KEYS = (
    Key(LISTS, "up c-p", lambda it, _: it.step(-1)),
    Key(LISTS, "down c-n", lambda it, _: it.step(1), "Up, Down", say("point at another line")),
    Key(UNTYPED, "k", lambda it, _: it.step(-1)),
    Key(UNTYPED, "j", lambda it, _: it.step(1)),
    Key(LISTS, "pageup", lambda it, _: it.page(-1)),
    Key(LISTS, "pagedown", lambda it, _: it.page(1), "PageUp, PageDown", say("turn the pages")),
    Key(LISTS, "home", lambda it, _: it.move(-it.choice_count)),
    Key(LISTS, "end", lambda it, _: it.move(it.choice_count), "Home, End", say("go to the ends")),
    Key(On.MENU, "<any>", lambda it, event: it.pick(event.data), "1 to 9, letters", _BEFORE),
    Key(On.MARKS, "<any>", lambda it, event: it.pick(event.data), "1 to 9", say("mark")),
    Key(On.MARKS, "space", lambda it, _: it.mark(), "Space", say("marks"), say("Space marks")),
    Key(On.SEARCH, "<any> <bracketed-paste>", lambda it, event: it.type(it.typed + event.data)),
    Key(On.SEARCH, "backspace", lambda it, _: it.type(it.typed[:-1])),
    Key(On.SEARCH, "c-u", lambda it, _: it.type("")),
    Key(On.SEARCH, "", None, "any text", say("searches for words, in any order")),
    Key(On.FORM, "left - h", lambda it, _: it.add(-1)),
    Key(On.FORM, "right + = l", lambda it, _: it.add(1)),
    Key(
        On.FORM,
        "",
        None,
        "Left, Right",
        say("change a number"),
        say("Left and right change a number"),
    ),
    Key(On.FORM, "tab", lambda it, _: it.step(1)),
    Key(On.FORM, "0 1 2 3 4 5 6 7 8 9", lambda it, event: it.put(int(event.data))),
    Key(On.FORM, "", None, "0 to 9", say("set a number")),
    Key(On.MENU | On.SEARCH, "enter", lambda it, _: it.is_done(), "Enter", say("chooses")),
    Key(On.MARKS | On.FORM, "enter", lambda it, _: it.is_done()),
    Key(On.MARKS | On.FORM, "", None, "Enter", say("confirms"), say("Enter confirms")),
    Key(On.CONFIRM, "", None, "y", say("says yes"), say("y yes")),
    Key(On.CONFIRM, "", None, "n, Enter", say("say no"), say("Enter no")),
    Key(On.READING, "pagedown space f", lambda it, _: it.page(1)),
    Key(On.READING, "pageup b", lambda it, _: it.page(-1)),
    Key(On.READING, "down j", lambda it, _: it.move(1)),
    Key(On.READING, "up k", lambda it, _: it.move(-1)),
    Key(On.READING, "home g", lambda it, _: it.start()),
    Key(On.READING, "end G", lambda it, _: it.end()),
    Key(On.READING, "enter", lambda it, _: it.go_on()),
    Key(On.READING, "q", _exit(BACK)),
    Key(QUESTIONS, "?", _exit(HELP), "?", say("shows the rules and the keys"), say("? help")),
    Key(~On(0), "escape", _exit(BACK), "Esc", say("goes back"), say("Esc back")),
    Key(~On(0), "c-c <sigint>", _raise(KeyboardInterrupt), "Ctrl-C", _LEAVES),
    Key(~On(0), "c-d", _raise(EOFError)),
)


def keys_of(on: On, *, back: bool = True, helps: bool = True) -> list[Key]:
    """Return the keys of a kind of question, with a way back or without, with help or without."""
    without = {name for name, there in (("Esc", back), ("?", helps)) if not there}
    return [key for key in KEYS if on in key.on and key.name not in without]


def bindings(keys: Iterable[Key], asked: Asked) -> KeyBindings:
    """Return the bindings of keys, which change what is asked."""
    made = KeyBindings()
    # In a text a question mark is a letter, unless it is the first one.
    is_meant = Condition(lambda: not isinstance(asked, Buffer) or not asked.text)
    for key in keys:
        for name in key.keys.split():
            # Only what no other key means is just any key.
            add = made.add(name, eager=name != "<any>", filter=name != "?" or is_meant)
            add(partial(_press, key, asked))
    return made


def _press(key: Key, asked: Asked, event: KeyPressEvent) -> None:
    if key.does and key.does(asked, event):
        event.app.exit()


def hint(keys: Iterable[Key]) -> Sentence | str:
    """Return what stands behind a question."""
    hints = ", ".join(str(key.hint) for key in keys if key.hint)
    return say("({keys})", keys=hints) if hints else ""


def explained(keys: Sequence[Key], width: int) -> list[Line]:
    """Return the help with keys."""
    indent = max(len(key.name) for key in keys) + 2
    lines: list[Line] = []
    for key in keys:
        if key.told:
            lines += wrapped(str(key.told), width, first=[(key.name, BOLD)], indent=indent)
    return lines
