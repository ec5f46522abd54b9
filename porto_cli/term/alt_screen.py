"""The screen that a game is played on: the terminal's second one, gone without a trace at the end.

What stands on it never scrolls out of it, so that nobody can find another player's secrets by
scrolling back.
"""

from __future__ import annotations

import os
import sys
from contextlib import nullcontext, suppress
from types import TracebackType
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from prompt_toolkit.output import Output


def can_move_the_cursor() -> bool:
    """Tell whether menus can be drawn; terminals that cannot say so in ``TERM``."""
    unknown = "" if sys.platform == "win32" else "dumb"
    return os.environ.get("TERM", unknown) not in ("dumb", "unknown")


class Stage:
    """The second screen of the terminal, from ``with`` to its end."""

    def __enter__(self) -> Stage:
        self._output.enter_alternate_screen()
        self.clear()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # Of a terminal that is gone there is nothing to restore, and why it ends matters more.
        with suppress(OSError) if error else nullcontext():
            self.clear()
            self._output.quit_alternate_screen()
            self._output.flush()

    def clear(self) -> None:
        """Wipe the screen.

        From the top downwards: a terminal that is told to erase all of its screen at once may
        keep the old contents for scrolling back.
        """
        self._output.cursor_goto(0, 0)
        self._output.erase_down()
        self._output.flush()

    @property
    def output(self) -> Output:
        """The terminal, for programs that would enter its second screen by themselves."""
        return cast("Output", _Entered(self))

    @property
    def _output(self) -> Output:
        from prompt_toolkit.application.current import get_app_session

        return get_app_session().output


class _Entered:
    """The terminal as long as the stage is there: nobody else enters or leaves its screens."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage

    def enter_alternate_screen(self) -> None:
        self._stage.clear()

    def quit_alternate_screen(self) -> None:
        pass

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stage._output, name)
