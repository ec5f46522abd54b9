"""Questions as menus, for a terminal that can move its cursor."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any, Final, TypeVar

from porto_cli.core import signals
from porto_cli.core.message import Sentence, say
from porto_cli.term import paint
from porto_cli.term.alt_screen import Stage
from porto_cli.term.form import Form
from porto_cli.term.menu import LAST_DIGIT, Menu
from porto_cli.term.pager import Pager
from porto_cli.term.prompt import Above, Advice, CancelledError, Choice, Fault, Sheet, Text
from porto_cli.term.screen import Screen, screen_of, writable
from porto_cli.term.spans import BOLD, PLAIN, Line, folded, joined, plain, wrapped

if TYPE_CHECKING:
    from prompt_toolkit.application import Application
    from prompt_toolkit.formatted_text import StyleAndTextTuples
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
    from prompt_toolkit.layout import AnyContainer

T = TypeVar("T")

ROOMY_MENU, LEAST_MENU = 6, 5
"""Rows that are kept free for a menu, whatever its length, so that what stands above stays in its
place from one question to the next; a longer one scrolls. Only a brief scene may take more."""
NARROWEST, LOWEST = 20, 4
"""What is smaller is drawn as if it had this size, and cut by the terminal."""
ESCAPE_SECONDS = 0.1
"""How long to wait for what follows an Esc, which also begins the codes of other keys."""
WATCH_SECONDS = 1.0
"""How often to look whether the terminal is still there."""

_BACK: Final = object()
_HELP: Final = object()

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
            entries.append(Choice([(str(say("Back")), PLAIN)], _BACK))
        menu = Menu(entries, search=search)
        hint = say("(? help, Esc back)") if back else say("(? help)")
        answer = self._ask(question, hint, menu, _menu_keys(menu, back), rules)
        chosen: T = entries[answer].value
        if chosen is _BACK:
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
        hint = say("(Space marks, Enter confirms, ? help, Esc back)")
        self._ask(question, hint, menu, _menu_keys(menu, True), rules)
        return [choices[nth].value for nth in sorted(menu.marked)]

    def distribute(
        self, question: Sentence, sheet: Sheet, *, rules: Iterable[str] = ()
    ) -> list[int]:
        """See :class:`porto_cli.term.prompt.Asker`."""
        form = Form(sheet)
        hint = say("(Left and right change a number, Enter confirms, ? help, Esc back)")
        self._ask(question, hint, form, _form_keys(form), rules)
        return form.numbers

    def _ask(
        self,
        question: Sentence,
        hint: Sentence,
        menu: Menu | Form,
        keys: KeyBindings,
        rules: Iterable[str],
    ) -> int:
        """Return which choice was made. Raises CancelledError."""
        rules = tuple(rules)
        above_a_menu = cache(self._above_a_menu)

        def draw(screen: Screen, rows: int) -> list[Line]:
            asking = _question(question, hint, screen.width)
            above = above_a_menu(screen, rows - len(asking))
            left = rows - len(asking) - len(above)
            entries = menu.lines(screen.width, max(1, left), ascii_only=screen.ascii)
            return [*above, *asking, *entries]

        while True:
            answer = self._run(draw, keys)
            if answer is _BACK:
                raise CancelledError
            if answer is not _HELP:
                return int(answer)
            self.show(lambda screen: self.advice(rules, screen.width))

    def write(
        self,
        question: Sentence,
        fault: Fault,
        default: str = "",
        *,
        rules: Iterable[str] = (),
    ) -> str:
        """See :class:`porto_cli.term.prompt.Asker`."""
        from prompt_toolkit.buffer import Buffer
        from prompt_toolkit.document import Document
        from prompt_toolkit.filters import Condition
        from prompt_toolkit.layout import BufferControl, HSplit, VSplit, Window

        wrong: list[Sentence] = []
        buffer = Buffer(document=Document(default), multiline=False)
        buffer.on_text_changed += lambda _: wrong.clear()

        rules = tuple(rules)
        hint = say("(? help, Esc back)") if rules else say("(Esc back)")

        def above(screen: Screen, rows: int) -> list[Line]:
            asking = _question(question, hint, screen.width)
            return [*self._above_a_menu(screen, rows - len(asking)), *asking]

        def below(screen: Screen, rows: int) -> list[Line]:
            return [line for one in wrong for line in folded([(str(one), BOLD)], screen.width)]

        def confirm(event: KeyPressEvent) -> None:
            text = _typed(buffer.text)
            found = fault(text)
            if found:
                wrong[:] = [found]
            else:
                event.app.exit(result=text)

        keys = _keys(back=True)
        keys.add("enter", eager=True)(confirm)
        if rules:
            nothing_typed = Condition(lambda: not buffer.text)
            keys.add("?", filter=nothing_typed, eager=True)(_help)
        field = VSplit(
            [
                Window(_control(lambda *_: [[(" > ", BOLD)]]), width=3, height=1),
                Window(BufferControl(buffer), height=1),
            ]
        )
        top = Window(_control(above), dont_extend_height=True)
        while True:
            answer = self._run(below, keys, lambda rest: HSplit([top, field, rest]))
            if answer is _BACK:
                raise CancelledError
            if answer is not _HELP:
                return str(answer)
            self.show(lambda screen: self.advice(rules, screen.width))

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
        self._run(
            lambda screen, rows: pager.lines(laid(screen), screen.width, rows), _pager_keys(pager)
        )

    def _above_a_menu(self, screen: Screen, left: int) -> list[Line]:
        """Return what stands above the question, as large as there is room, and a gap."""
        if self.stage is None or self._above is None:
            return []
        lines = self._above.lines(screen, left - 1 - ROOMY_MENU, left - LEAST_MENU)
        return [*lines, []] if lines and len(lines) < left - LEAST_MENU else lines

    def _run(
        self,
        draw: Draw,
        keys: KeyBindings,
        around: Callable[[Any], AnyContainer] = lambda drawn: drawn,
    ) -> Any:
        """Show what is drawn, and let the keys change it, until one of them has an answer."""
        from prompt_toolkit.application import Application
        from prompt_toolkit.application.current import get_app_session
        from prompt_toolkit.layout import Layout, Window
        from prompt_toolkit.styles import Style

        stage = self.stage
        app: Application[Any] = Application(
            layout=Layout(around(Window(_control(draw), dont_extend_height=stage is None))),
            key_bindings=keys,
            style=Style([]),
            color_depth=_color_depth(),
            erase_when_done=True,
            full_screen=stage is not None,
            output=stage.output if stage else get_app_session().output,
            include_default_pygments_style=False,
        )
        app.ttimeoutlen = ESCAPE_SECONDS
        try:
            return _run_to_its_end(app)
        finally:
            # Not every version of prompt_toolkit does that when a signal ends it.
            with suppress(OSError):
                app.output.show_cursor()
                app.output.flush()


def _run_to_its_end(app: Application[Any]) -> Any:
    """Run an application until it has an answer, a signal ends it, or its terminal is gone."""

    def end(error: BaseException) -> None:
        if app.future and not app.future.done():
            app.exit(exception=error)

    def wake() -> None:
        if app.loop:
            app.loop.call_soon_threadsafe(end, EOFError())

    async def watch() -> None:
        from asyncio import sleep

        while not (signals.is_received() or signals.is_hung_up(app.input.fileno())):
            await sleep(WATCH_SECONDS)
        end(EOFError())

    def start() -> None:
        assert app.loop is not None
        # By default an error in the loop would ask for a key, and wait for it.
        app.loop.set_exception_handler(
            lambda loop, context: end(context.get("exception") or RuntimeError(context["message"]))
        )
        if sys.platform != "win32":
            app.create_background_task(watch())

    app.pre_run_callables.append(start)
    try:
        with signals.handed_over(wake):
            return app.run()
    except Exception:
        signals.raise_if_hung_up(app.input.fileno())
        raise


def _question(question: Sentence, hint: Sentence, width: int) -> list[Line]:
    return folded([("? ", BOLD), (str(question), BOLD), (f" {hint}", PLAIN)], width, 2)


def _typed(text: str) -> str:
    """Return what was typed or pasted as one line."""
    return " ".join(text.splitlines()).strip()


def _control(draw: Draw) -> Any:
    """Return a part of the screen that is drawn for the size that the terminal has now."""
    from prompt_toolkit.layout import FormattedTextControl

    def fragments() -> StyleAndTextTuples:
        from prompt_toolkit.application.current import get_app

        size = get_app().output.get_size()
        screen = screen_of()._replace(width=max(NARROWEST, size.columns))
        return _fragments(draw(screen, max(LOWEST, size.rows)))

    return FormattedTextControl(fragments, show_cursor=False)


def _fragments(lines: Iterable[Line]) -> StyleAndTextTuples:
    """Return lines as prompt_toolkit takes them."""
    found: StyleAndTextTuples = []
    for nth, line in enumerate(lines):
        if nth:
            found.append(("", "\n"))
        found += [(_style(style), writable(text, sys.stdout)) for text, style in joined(line)]
    return found


@cache
def _style(words: str) -> str:
    """Return a style in the words of prompt_toolkit."""
    from prompt_toolkit.styles import Attrs

    known = (word for word in words.split() if word != "dim" or "dim" in Attrs._fields)
    return " ".join(known).replace(" on ", " bg:")


def _color_depth() -> Any:
    """Return how many colors there are.

    True colors are said by ``COLORTERM``, which prompt_toolkit leaves aside; its approximation of
    256 colors turns red into brown.
    """
    from prompt_toolkit.output import ColorDepth

    if not screen_of().color:
        return ColorDepth.DEPTH_1_BIT
    depth = ColorDepth.from_env()
    if depth is None and os.environ.get("COLORTERM") in ("truecolor", "24bit"):
        depth = ColorDepth.DEPTH_24_BIT
    return depth


def _keys(*, back: bool) -> KeyBindings:
    """Return the keys that leave a question."""
    from prompt_toolkit.key_binding import KeyBindings

    keys = KeyBindings()

    def leave(event: KeyPressEvent) -> None:
        if back:
            event.app.exit(result=_BACK)

    for key in ("c-c", "<sigint>"):
        keys.add(key, eager=True)(lambda event: event.app.exit(exception=KeyboardInterrupt()))
    keys.add("c-d", eager=True)(lambda event: event.app.exit(exception=EOFError()))
    keys.add("escape", eager=True)(leave)
    return keys


def _menu_keys(menu: Menu, back: bool) -> KeyBindings:
    """Return the keys of a menu: moving, choosing, marking, searching, help."""
    from prompt_toolkit.keys import Keys

    keys = _keys(back=back)

    def choose(event: KeyPressEvent) -> None:
        if menu.chosen is not None and menu.is_done():
            event.app.exit(result=menu.chosen)

    def pick(event: KeyPressEvent) -> None:
        if not menu.pick(int(event.data)):
            return
        if menu.count is None:
            choose(event)
        else:
            menu.mark()

    moves = {"down": 1, "c-n": 1, "up": -1, "c-p": -1}
    if menu.search:
        keys.add(Keys.Any)(lambda event: menu.type(menu.typed + event.data))
        keys.add(Keys.BracketedPaste)(lambda event: menu.type(menu.typed + _typed(event.data)))
        keys.add("backspace", eager=True)(lambda event: menu.type(menu.typed[:-1]))
        keys.add("c-u", eager=True)(lambda event: menu.type(""))
    else:
        moves |= {"j": 1, "k": -1}
        for digit in range(1, LAST_DIGIT + 1):
            keys.add(str(digit), eager=True)(pick)
    for key, steps in moves.items():
        keys.add(key, eager=True)(lambda _, steps=steps: menu.move(steps, around=True))
    keys.add("pagedown", eager=True)(lambda _: menu.page(1))
    keys.add("pageup", eager=True)(lambda _: menu.page(-1))
    keys.add("home", eager=True)(lambda _: menu.move(-len(menu.choices)))
    keys.add("end", eager=True)(lambda _: menu.move(len(menu.choices)))
    if menu.count is not None:
        keys.add(" ", eager=True)(lambda _: menu.mark())
    keys.add("enter", eager=True)(choose)
    keys.add("?", eager=True)(_help)
    return keys


def _form_keys(form: Form) -> KeyBindings:
    """Return the keys of a form: moving, changing a number, help."""
    keys = _keys(back=True)
    for key, rows in {"down": 1, "c-n": 1, "j": 1, "tab": 1, "up": -1, "c-p": -1, "k": -1}.items():
        keys.add(key, eager=True)(lambda _, rows=rows: form.move(rows, around=True))
    changes = {"right": 1, "+": 1, "=": 1, "l": 1, "left": -1, "-": -1, "h": -1}
    for key, more in changes.items():
        keys.add(key, eager=True)(lambda _, more=more: form.add(more))
    for digit in range(10):
        keys.add(str(digit), eager=True)(lambda event: form.put(int(event.data)))
    keys.add("pagedown", eager=True)(lambda _: form.page(1))
    keys.add("pageup", eager=True)(lambda _: form.page(-1))
    keys.add("home", eager=True)(lambda _: form.move(-len(form.numbers)))
    keys.add("end", eager=True)(lambda _: form.move(len(form.numbers)))

    def confirm(event: KeyPressEvent) -> None:
        if form.is_done():
            event.app.exit(result=0)

    keys.add("enter", eager=True)(confirm)
    keys.add("?", eager=True)(_help)
    return keys


def _help(event: KeyPressEvent) -> None:
    event.app.exit(result=_HELP)


def _pager_keys(pager: Pager) -> KeyBindings:
    """Return the keys of a long text; they are those of the pagers that people know."""
    keys = _keys(back=True)
    actions: dict[Callable[[], None], tuple[str, ...]] = {
        lambda: pager.page(1): (" ", "f", "pagedown"),
        lambda: pager.page(-1): ("b", "pageup"),
        lambda: pager.move(1): ("down", "j"),
        lambda: pager.move(-1): ("up", "k"),
        pager.start: ("home", "g"),
        pager.end: ("end", "G"),
    }
    for action, names in actions.items():
        for name in names:
            keys.add(name, eager=True)(lambda _, action=action: action())

    def on(event: KeyPressEvent) -> None:
        if pager.at_the_end:
            event.app.exit(result=None)
        pager.page(1)

    keys.add("enter", eager=True)(on)
    keys.add("q", eager=True)(lambda event: event.app.exit(result=None))
    return keys
