"""What commands share that go through many games: their options, processes, a progress bar, and
Ctrl-C that ends them with what is ready.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import active_children
from typing import Annotated

import typer

from porto_cli.core.signals import release
from porto_cli.term.screen import HEIGHT, screen_of

MOST_WORKERS = 61
"""Windows waits for no more processes, and more would have nothing to do: so many chunks of games
are on their way at once (``CHUNKS_AHEAD``)."""
_REFRESH = 0.1
"""Seconds between two looks of the progress bar."""

Seed = Annotated[
    str | None,
    typer.Option(
        metavar="TEXT",
        help="The same seed plays the same games; random if left out.",
        show_default=False,
    ),
]
Workers = Annotated[
    int | None,
    typer.Option(
        "--workers",
        "-j",
        metavar="N",
        min=1,
        help="Processes to work in, 61 at most; as many as there are cores if left out.",
        show_default=False,
    ),
]


def processes_for(wanted: int | None, pieces: int) -> int:
    """Return in how many processes to work at so many pieces; ``None`` is one for each core."""
    return max(1, min(wanted or os.cpu_count() or 1, MOST_WORKERS, pieces))


@contextmanager
def ctrl_c() -> Iterator[Callable[[], bool]]:
    """Yield what tells whether Ctrl-C was pressed; pressed again it interrupts as usual."""
    pressed = False

    def press(*_: object) -> None:
        nonlocal pressed
        pressed = True
        signal.signal(signal.SIGINT, before)

    before = signal.signal(signal.SIGINT, press)
    try:
        yield lambda: pressed
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def workers(count: int) -> Iterator[Executor | None]:
    """Yield processes to play in; none for one worker. What stops the work ends them at once."""
    if count == 1:
        yield None
        return
    executor = ProcessPoolExecutor(count, initializer=_leave_interrupts)
    try:
        yield executor
    except BaseException:
        # What they have begun may take minutes, and nobody waits for it any more.
        for process in active_children():
            process.terminate()
        raise
    finally:
        executor.shutdown(cancel_futures=True)


def _leave_interrupts() -> None:
    """Ctrl-C goes to every process of the terminal; only the first one has to act on it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    release()


@contextmanager
def progress(count: int) -> Iterator[Callable[[int], None]]:
    """Yield what to tell how many are done; on a terminal it moves a bar on standard error."""
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield lambda done: None
        return
    from time import monotonic

    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    # Without a thread of its own: processes are made by copying this one.
    bar = Progress(
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True, width=screen_of(sys.stderr).width, height=HEIGHT),
        auto_refresh=False,
        transient=True,
    )
    with bar:
        task = bar.add_task("", total=count)
        shown = 0.0

        def step(done: int) -> None:
            nonlocal shown
            now = monotonic()
            if now - shown > _REFRESH:
                shown = now
                bar.update(task, completed=done, refresh=True)

        yield step
