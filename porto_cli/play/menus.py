"""Questions as menus, for a terminal that can move its cursor."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final, TypeVar

from porto_cli.play.advice import advice
from porto_cli.play.asking import Above, CancelledError, Choice, Fault
from porto_cli.play.scene import scene
from porto_cli.play.stage import Stage
from porto_cli.render import paint
from porto_cli.render.palette import PAINTS, TOKEN
from porto_cli.render.screen import screen_of
from porto_cli.render.spans import Line, cells, plain
from porto_cli.rules.sentence import Sentence, say

if TYPE_CHECKING:
    from prompt_toolkit.application import Application
    from prompt_toolkit.key_binding import KeyPressEvent
    from prompt_toolkit.layout import Window
    from questionary import Question
    from questionary.prompts.common import InquirerControl

T = TypeVar("T")

POINTER = ">"
ROOMY_MENU, LEAST_MENU = 9, 6
"""Rows that are kept free for a menu, whatever its length, so that what stands above stays in its
place from one question to the next; a longer one scrolls. Only a brief scene may take more."""
SEARCH_ROWS = 2
"""Rows below a menu that show what is searched for."""
PAGE = 8
"""How far the page keys move."""
LEAST_PAGE = 5
ROWS_TO_TURN_A_PAGE = 4
ESCAPE_SECONDS = 0.1
"""How long to wait for what follows an Esc, which also begins the codes of other keys."""

_BACK: Final = object()
_HELP: Final = object()


class Menus:
    """Asks on a stage, below a scene; without a stage, in the line where the cursor is."""

    def __init__(self, stage: Stage | None = None) -> None:
        self.stage = stage
        self._above: Above | Sequence[Line] | None = None

    def put_above(self, above: Above | None) -> None:
        """See :class:`porto_cli.play.asking.Asker`. It is drawn with each question."""
        self._above = above

    def wipe(self) -> None:
        """See :class:`porto_cli.play.asking.Asker`."""
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
        """See :class:`porto_cli.play.asking.Asker`."""
        import questionary

        entries: list[Choice[Any]] = list(choices)
        if back:
            entries.append(Choice([(str(say("Back")), "")], _BACK))
        rules = tuple(rules)
        while True:
            hint = _hint(back, search)
            rows = self._set_the_scene(question, hint) - (SEARCH_ROWS if search else 0)
            asked = questionary.select(
                str(question),
                [
                    questionary.Choice(_title(entry.label, search), value=nth)
                    for nth, entry in enumerate(entries)
                ],
                pointer=POINTER,
                instruction=hint,
                use_jk_keys=not search,
                use_search_filter=search,
                **_look(),
            )
            _fit(asked.application, rows, [entry.label for entry in entries])
            _add_keys(asked.application, back=back, search=search)
            answer = self._ask(asked, rules)
            if answer is not None:
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
        """See :class:`porto_cli.play.asking.Asker`."""
        import questionary

        if screen_of().ascii:
            return self._choose_together(question, choices, count, rules)

        def judge(marked: list[str]) -> bool | str:
            if len(marked) == count:
                return True
            return str(say("Mark {count} of them, not {marked}.", count=count, marked=len(marked)))

        rules = tuple(rules)
        while True:
            hint = str(say("(Space marks, Enter confirms, ? help, Esc back)"))
            rows = self._set_the_scene(question, hint)
            asked = questionary.checkbox(
                str(question),
                [
                    questionary.Choice(_title(choice.label), value=nth)
                    for nth, choice in enumerate(choices)
                ],
                validate=judge,
                pointer=POINTER,
                instruction=hint,
                **_look(),
            )
            _fit(asked.application, rows, [choice.label for choice in choices])
            _add_keys(asked.application)
            answer = self._ask(asked, rules)
            if answer is not None:
                return [choices[nth].value for nth in answer]

    def _choose_together(
        self, question: Sentence, choices: Sequence[Choice[T]], count: int, rules: Iterable[str]
    ) -> list[T]:
        """The circles that mark a choice are not in every alphabet."""
        together = [
            Choice(_joined(some), [choice.value for choice in some])
            for some in combinations(choices, count)
        ]
        return self.choose(question, together, rules=rules)

    def write(
        self,
        question: Sentence,
        fault: Fault,
        default: str = "",
        *,
        rules: Iterable[str] = (),
    ) -> str:
        """See :class:`porto_cli.play.asking.Asker`."""
        import questionary
        from prompt_toolkit.key_binding import KeyBindings

        def judge(text: str) -> bool | str:
            wrong = fault(text.strip())
            return True if wrong is None else str(wrong)

        keys = KeyBindings()
        keys.add("escape", eager=True)(lambda event: event.app.exit(result=_BACK))
        hint = str(say("(Esc back)"))
        self._set_the_scene(question, hint)
        asked = questionary.text(
            str(question),
            default,
            validate=judge,
            instruction=hint,
            key_bindings=keys,
            validate_while_typing=False,
            **_look(),
        )
        asked.application.ttimeoutlen = ESCAPE_SECONDS
        answer = asked.unsafe_ask()
        if answer is _BACK:
            raise CancelledError
        return str(answer).strip()

    def show(self, lines: Sequence[Line]) -> None:
        """See :class:`porto_cli.play.asking.Asker`. What is too long comes in pages."""
        if self.stage is None:
            paint.show(lines, screen_of())
            sys.stdout.flush()
            return
        room = max(LEAST_PAGE, self.stage.rows - ROWS_TO_TURN_A_PAGE)
        pages = [lines[start : start + room] for start in range(0, len(lines), room)]
        with suppress(CancelledError):
            for number, page in enumerate(pages, start=1):
                self._turn(page, number, len(pages))

    def _turn(self, page: Sequence[Line], number: int, pages: int) -> None:
        """Show a page until it has been read; raises CancelledError when that is enough."""
        above, self._above = self._above, page
        on = [Choice([(str(say("Read on")), "")], None)] if number < pages else []
        try:
            self.choose(say("Page {number} of {pages}", number=number, pages=pages), on)
        finally:
            self._above = above

    def _ask(self, asked: Question, rules: tuple[str, ...]) -> Any:
        """Return the answer, or None if help was asked for and given, or raise CancelledError."""
        answer = asked.unsafe_ask()
        if answer is _BACK:
            raise CancelledError
        if answer is not _HELP:
            return answer
        self.show(advice(rules, screen_of().width - 1))
        return None

    def _set_the_scene(self, question: Sentence, hint: str) -> int:
        """Clear the stage and draw what stands above the question, as large as there is room.

        Returns the rows that are left for a menu.
        """
        if self.stage is None:
            return shutil.get_terminal_size().lines - 2
        screen = self.stage.screen
        asking = -(-cells(f"? {question} {hint}") // screen.width)
        left = self.stage.rows - asking - 1
        lines: Sequence[Line] = []
        if isinstance(self._above, Above):
            lines = scene(self._above, screen, left - ROOMY_MENU, left - LEAST_MENU)
        elif self._above is not None:
            lines = self._above
        gap: list[Line] = [[]] if lines and len(lines) < left - LEAST_MENU else []
        self.stage.draw([*lines, *gap])
        return left - len(lines) - len(gap)


def _hint(back: bool, search: bool) -> str:
    if search:
        return str(say("(type a part of it; ? help, Esc back)"))
    return str(say("(? help, Esc back)") if back else say("(? help)"))


def _joined(choices: Iterable[Choice[Any]]) -> Line:
    return [(", ".join(plain(choice.label[:1]).rstrip(":") for choice in choices), "")]


def _title(label: Line, search: bool = False) -> Any:
    """Return a label as questionary takes it; where it searches it needs a plain text."""
    if search or all(style == "" for _, style in label):
        return plain(label)
    return [(_STYLES.get(style, ""), text) for text, style in label]


_STYLES = {"bold": "bold", "dim": "", "token": f"bold {TOKEN}"}
_STYLES |= {f"card:{color}": f"bold {paint.ink} bg:{paint.fill}" for color, paint in PAINTS.items()}


def _look() -> dict[str, Any]:
    """Return what all questions have in common: they leave no trace, and have true colors.

    That is said by ``COLORTERM``, which prompt_toolkit leaves aside; its approximation of 256
    colors turns red into brown.
    """
    from prompt_toolkit.output import ColorDepth
    from prompt_toolkit.styles import Style

    depth = ColorDepth.from_env()
    if depth is None and os.environ.get("COLORTERM") in ("truecolor", "24bit"):
        depth = ColorDepth.TRUE_COLOR
    classes = [("qmark", "bold"), ("pointer", "bold"), ("instruction", ""), ("answer", "bold")]
    return {"style": Style(classes), "color_depth": depth, "erase_when_done": True}


def _menu_of(app: Application[Any]) -> tuple[Window, InquirerControl]:
    """Return the part of the screen that a menu is shown in, and the menu."""
    from questionary.prompts.common import InquirerControl

    return next(
        (window, window.content)
        for window in app.layout.find_all_windows()
        if isinstance(window.content, InquirerControl)
    )


def _fit(app: Application[Any], rows: int, labels: Sequence[Line]) -> None:
    """Let a menu that is longer than the rows that are left scroll, and show that it does."""
    rows = max(LEAST_MENU - 1, rows)
    if sum(1 + plain(label).count("\n") for label in labels) <= rows:
        return
    from prompt_toolkit.layout import Dimension, ScrollbarMargin

    window, _ = _menu_of(app)
    window.height = Dimension(max=rows)
    window.right_margins = [ScrollbarMargin(display_arrows=True)]


def _add_keys(app: Application[Any], back: bool = True, search: bool = False) -> None:
    """Add to a menu: ``?`` for help, Esc to go back, larger steps through a long one."""
    from prompt_toolkit.key_binding import KeyBindings

    keys = app.key_bindings
    assert isinstance(keys, KeyBindings)
    _, control = _menu_of(app)

    def move(steps: int) -> None:
        control.pointed_at = max(0, min(control.choice_count - 1, control.pointed_at + steps))

    def confirm(event: KeyPressEvent) -> None:
        """Take no answer while nothing holds the text that is searched for."""
        chosen = control.get_pointed_at()
        if not control.search_filter or control.found_in_search:
            event.app.exit(result=chosen.value)

    if search:
        keys.add("enter", eager=True)(confirm)
    keys.add("?", eager=True)(lambda event: event.app.exit(result=_HELP))
    # Ctrl-C is a key here; the signal of that name, from elsewhere, is to do the same.
    keys.add("<sigint>", eager=True)(lambda event: event.app.exit(exception=KeyboardInterrupt()))
    keys.add("pagedown", eager=True)(lambda event: move(PAGE))
    keys.add("pageup", eager=True)(lambda event: move(-PAGE))
    keys.add("home", eager=True)(lambda event: move(-control.choice_count))
    keys.add("end", eager=True)(lambda event: move(control.choice_count))
    if back:
        keys.add("escape", eager=True)(lambda event: event.app.exit(result=_BACK))
    else:
        keys.add("escape", eager=True)(lambda event: None)
    app.ttimeoutlen = ESCAPE_SECONDS
