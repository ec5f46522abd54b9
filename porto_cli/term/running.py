"""Ask a question of questionary until it is answered, a signal ends it, or its terminal is gone."""

from __future__ import annotations

from asyncio import sleep
from contextlib import suppress
from typing import Any

from questionary import Question

from porto_cli.core import signals

WATCH_SECONDS = 1.0
"""How often to look whether the terminal is still there."""


def answer_to(question: Question) -> Any:
    """Return what a question is answered. Raises KeyboardInterrupt, EOFError, TerminatedError."""
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
