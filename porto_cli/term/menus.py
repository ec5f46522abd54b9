"""Questions as menus, for a terminal that can move its cursor."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any, TypeVar

import questionary
from prompt_toolkit.application import Application
from prompt_toolkit.application.current import get_app, get_app_session
from prompt_toolkit.filters import to_filter
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings, merge_key_bindings
from prompt_toolkit.layout import AnyContainer, FormattedTextControl, HSplit, Layout, Window
from prompt_toolkit.output.defaults import create_output
from prompt_toolkit.styles import Style

from porto_cli.core.message import Sentence, say
from porto_cli.term import paint
from porto_cli.term.alt_screen import Stage
from porto_cli.term.form import Form
from porto_cli.term.keys import BACK, HELP, Key, On, bindings, explained, hint, keys_of
from porto_cli.term.menu import Menu
from porto_cli.term.pager import Pager
from porto_cli.term.prompt import (
    BACK_KEY,
    Above,
    Advice,
    CancelledError,
    Choice,
    Fault,
    Sheet,
    Text,
)
from porto_cli.term.running import answer_to
from porto_cli.term.screen import Screen, screen_of
from porto_cli.term.spans import BOLD, PLAIN, Line, folded, plain, wrapped

T = TypeVar("T")

ROOMY_MENU, LEAST_MENU = 6, 5
"""Rows that are kept free for a menu, whatever its length, so that what stands above stays in its
place from one question to the next; a longer one scrolls. Only a brief scene may take more."""
NARROWEST, LOWEST = 20, 4
"""What is smaller is drawn as if it had this size, and cut by the terminal."""
ESCAPE_SECONDS = 0.1
"""How long to wait for what follows an Esc, which also begins the codes of other keys."""
STYLE = Style([("question", "bold"), ("qmark", "fg:default bold"), ("answer", "fg:default nobold")])

Draw = Callable[[Screen, int], list[Line]]
"""Draws for a screen with so many rows."""


class Menus:
    """Asks on a stage, below a scene; without a stage, in the line where the cursor is.

    What is drawn depends on nothing but the size of the terminal and the model that the keys
    change, so that it is drawn anew when the size changes.
    """

    def __init__(self, advice: Advice, stage: Stage | None = None) -> None:
        self.advice = advice
        self.stage = stage
        self.plain = False
        self._above: Above | None = None

    def put_above(self, above: Above | None) -> None:
        """See :class:`porto_cli.term.prompt.Asker`. It is drawn with each question."""
        self._above = above

    def tell(self, sentence: Sentence) -> None:
        """See :class:`porto_cli.term.prompt.Asker`. Before each question the stage is cleared."""
        if self.stage is None:
            print(sentence, flush=True)
            return
        output = self.stage.output
        for line in wrapped(str(sentence), screen_of().width - 1):
            output.write(f" {plain(line)}\r\n")
        output.flush()

    def wipe(self) -> None:
        """See :class:`porto_cli.term.prompt.Asker`."""
        self._above = None
        if self.stage:
            self.stage.clear()

    def choose(
        self,
        question: Sentence,
        choices: Sequence[Choice[T]],
        *,
        rules: Iterable[str] = (),
        back: bool = True,
        search: bool = False,
    ) -> T:
        """See :class:`porto_cli.term.prompt.Asker`."""
        entries: list[Choice[Any]] = list(choices)
        if back:
            entries.append(Choice([(str(say("Back")), PLAIN)], BACK, key=BACK_KEY))
        menu = Menu(entries, search=search)
        self._ask(question, menu, rules, back=back)
        assert menu.chosen is not None
        chosen: T = entries[menu.chosen].value
        if chosen is BACK:
            raise CancelledError
        return chosen

    def choose_several(
        self,
        question: Sentence,
        choices: Sequence[Choice[T]],
        count: int,
        *,
        rules: Iterable[str] = (),
    ) -> list[T]:
        """See :class:`porto_cli.term.prompt.Asker`."""
        menu = Menu(choices, count=count)
        self._ask(question, menu, rules)
        return [choices[nth].value for nth in menu.selected_options]

    def distribute(
        self, question: Sentence, sheet: Sheet, *, rules: Iterable[str] = ()
    ) -> list[int]:
        """See :class:`porto_cli.term.prompt.Asker`."""
        form = Form(sheet)
        self._ask(question, form, rules)
        return form.numbers

    def write(
        self,
        question: Sentence,
        fault: Fault,
        default: str = "",
        *,
        rules: Iterable[str] = (),
    ) -> str:
        """See :class:`porto_cli.term.prompt.Asker`."""

        def check(text: str) -> bool | str:
            found = fault(_typed(text))
            return str(found) if found else True

        rules = tuple(rules)
        asked = questionary.text(">", default, check, qmark="", validate_while_typing=False)
        return _typed(self._ask_in_a_line(question, asked, On.TEXT, rules, helps=bool(rules)))

    def confirm(self, question: Sentence, *, rules: Iterable[str] = ()) -> bool:
        """See :class:`porto_cli.term.prompt.Asker`."""
        asked = questionary.confirm(">", default=False, qmark="", instruction="")
        return bool(self._ask_in_a_line(question, asked, On.CONFIRM, rules))

    def secret(self, question: Sentence) -> str:
        """See :class:`porto_cli.term.prompt.Asker`. Standard output may be elsewhere."""
        asked = questionary.password(
            str(question),
            style=STYLE,
            color_depth=paint.color_depth(),
            output=create_output(sys.stderr),
        )
        return str(answer_to(asked))

    def show(self, text: Text) -> None:
        """See :class:`porto_cli.term.prompt.Asker`. What is too long comes in pages."""
        if self.stage is None:
            screen = screen_of()
            lines = text(screen._replace(width=screen.width - 1))
            paint.show(lines, screen)
            sys.stdout.flush()
            return
        pager = Pager()
        laid = cache(text)
        drawn = _drawn(lambda screen, rows: pager.lines(laid(screen), screen.width, rows))
        self._run(Window(drawn), bindings(keys_of(On.READING), pager))

    def _ask(
        self, question: Sentence, menu: Menu, rules: Iterable[str], *, back: bool = True
    ) -> None:
        """Ask until a menu or form has an answer. Raises CancelledError."""
        keys = keys_of(menu.on, back=back)
        asking = self._asking(question, keys)

        def draw(screen: Screen, rows: int) -> list[Line]:
            above = asking(screen, rows)
            left = max(1, rows - len(above))
            return [*above, *menu.lines(screen.width, left, ascii_only=screen.ascii)]

        menu.text = _drawn(draw).text
        body = Window(menu, dont_extend_height=self.stage is None)
        self._answer(lambda: self._run(body, bindings(keys, menu)), keys, rules)

    def _ask_in_a_line(
        self,
        question: Sentence,
        asked: questionary.Question,
        on: On,
        rules: Iterable[str],
        *,
        helps: bool = True,
    ) -> Any:
        """Ask a question that questionary asks in one line, below the scene and above its fault."""
        keys = keys_of(on, helps=helps)
        field = asked.application.layout
        line, buffer = field.current_window, field.current_buffer
        line.dont_extend_height = to_filter(True)
        asking = self._asking(question, keys)

        def wrong(screen: Screen, rows: int) -> list[Line]:
            found = buffer.validation_error if buffer else None
            return folded([(found.message, BOLD)], screen.width) if found else []

        body = HSplit(
            [
                Window(_drawn(asking), dont_extend_height=True),
                line,
                Window(_drawn(wrong), dont_extend_height=self.stage is None),
            ]
        )
        theirs = asked.application.key_bindings or KeyBindings()
        both = merge_key_bindings([theirs, bindings(keys, buffer)])
        return self._answer(lambda: self._run(body, both), keys, rules)

    def _answer(self, run: Callable[[], Any], keys: Sequence[Key], rules: Iterable[str]) -> Any:
        """Run a question until it has an answer, with as much help as is wanted."""
        rules = tuple(rules)

        def advice(screen: Screen) -> list[Line]:
            return [*self.advice(rules, screen.width), [], *explained(keys, screen.width)]

        while (answer := run()) is HELP:
            self.show(advice)
        if answer is BACK:
            raise CancelledError
        return answer

    def _asking(self, question: Sentence, keys: Sequence[Key]) -> Draw:
        """Return what draws a question, below the scene: as large as there is room, and a gap."""

        @cache
        def draw(screen: Screen, rows: int) -> list[Line]:
            hinted = [("? ", BOLD), (str(question), BOLD), (f" {hint(keys)}", PLAIN)]
            asking = folded(hinted, screen.width, 2)
            if self.stage is None or self._above is None:
                return asking
            left = rows - len(asking)
            above = self._above.lines(screen, left - 1 - ROOMY_MENU, left - LEAST_MENU)
            return [*above, *([[]] if above and len(above) < left - LEAST_MENU else []), *asking]

        return draw

    def _run(self, body: AnyContainer, keys: Any) -> Any:
        """Show what is drawn, and let the keys change it, until one of them has an answer."""
        stage = self.stage
        app: Application[Any] = Application(
            layout=Layout(body),
            key_bindings=keys,
            style=STYLE,
            color_depth=paint.color_depth(),
            erase_when_done=True,
            full_screen=stage is not None,
            output=stage.output if stage else get_app_session().output,
            include_default_pygments_style=False,
        )
        app.ttimeoutlen = ESCAPE_SECONDS
        return answer_to(questionary.Question(app))


def _typed(text: str) -> str:
    """Return what was typed or pasted as one line."""
    return " ".join(text.splitlines()).strip()


def _drawn(draw: Draw) -> FormattedTextControl:
    """Return a part of the screen that is drawn for the size that the terminal has now."""

    def fragments() -> StyleAndTextTuples:
        size = get_app().output.get_size()
        screen = screen_of()._replace(width=max(NARROWEST, size.columns))
        return paint.fragments(draw(screen, max(LOWEST, size.rows)))

    return FormattedTextControl(fragments, show_cursor=False)
