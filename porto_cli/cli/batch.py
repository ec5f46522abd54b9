"""Shared by commands that go through many games: processes, a progress bar, and Ctrl-C, which stops
with the results so far.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from contextlib import closing, contextmanager, suppress
from multiprocessing import active_children, parent_process
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

from porto_cli.core import FileError
from porto_cli.core.files import ENDING, held
from porto_cli.term import HEIGHT, remark, screen_of

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

T = TypeVar("T")

MOST_WORKERS = 61
"""The most processes: Windows cannot wait for more."""
_REFRESH = 0.1
"""Seconds between two updates of the progress bar."""
LINE_EVERY = 60
"""Seconds between two lines of progress where there is no bar."""


def processes_for(wanted: int | None, pieces: int) -> int:
    """Return the number of processes for a number of pieces, by default one for each core."""
    return max(1, min(wanted or os.cpu_count() or 1, MOST_WORKERS, pieces))


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Delay Ctrl-C until the end of ``with``, so that its block is never left half done."""
    pressed: list[bool] = []
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, lambda *_: pressed.append(True))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if pressed:
        raise KeyboardInterrupt


def worked_out(
    pieces: int,
    processes: int,
    work: Callable[[Executor | None], Generator[T, None, None]],
    what: str = "games",
) -> Generator[T, None, None]:
    """Yield the results of work in a number of pieces, with a progress bar that says ``what`` these
    are, until Ctrl-C.

    ``work`` gets the processes, see :func:`workers`, and yields one result after the other.
    """
    with (
        suppress(KeyboardInterrupt),
        workers(processes) as executor,
        progress(pieces, what) as step,
        closing(work(executor)) as results,
    ):
        for done, result in enumerate(results, start=1):
            with uninterrupted():
                yield result
            step(done)


@contextmanager
def workers(count: int) -> Iterator[Executor | None]:
    """Yield worker processes, ``None`` for a single one; an exception ends them at once.

    Raises FileError if one of them exits, or is killed from outside.
    """
    if count == 1:
        yield None
        return
    executor = _Workers(count, initializer=_follow_the_first_process)
    try:
        # Signals wait until each process knows what to do with them.
        with held():
            executor.submit(int)
        yield executor
    except BaseException as reason:
        # Their work may take minutes more, and is no longer needed.
        executor.kill()
        if isinstance(reason, BrokenExecutor):
            raise FileError(
                "A worker process ended before its work was done: it was killed, perhaps "
                "because memory ran out, or the code of a player ended it. Fewer "
                "processes (--workers) take less memory."
            ) from None
        raise
    finally:
        executor.shutdown()


class _Workers(ProcessPoolExecutor):
    """Processes that can be killed at any time.

    When a process vanishes, the library sets an exception on all futures, and its own thread fails
    at one that was cancelled. So no future can be cancelled: stopping kills the processes.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._unfinished: set[Future[Any]] = set()

    def submit(self, *args: Any, **kwargs: Any) -> Future[Any]:
        """Call a function in one of the processes."""
        future = super().submit(*args, **kwargs)
        future.cancel = lambda: False  # type: ignore[method-assign]
        self._unfinished.add(future)
        future.add_done_callback(self._unfinished.remove)
        return future

    def kill(self) -> None:
        """End all processes at once."""
        # A signal may have come while this thread held the locks of results that it waits for. The
        # library's thread would wait for them forever, and the shutdown for that thread.
        for future in list(self._unfinished):
            future._waiters.clear()
            while future._condition._is_owned():  # type: ignore[attr-defined]
                future._condition.release()
        for process in active_children():
            process.kill()
        # One may have written half of a result. The library waits for the rest as long as any
        # process, this one included, has the pipe open for writing.
        self._result_queue._writer.close()  # type: ignore[attr-defined]


def _follow_the_first_process() -> None:
    """Leave signals to the first process, and end when it ends, however that happens.

    A terminal may send signals like Ctrl-C to all its processes; only the first one has to act.
    """
    for number in ENDING:
        signal.signal(number, signal.SIG_IGN)
    Thread(target=_end_with, args=[parent_process()], daemon=True).start()


def _end_with(parent: BaseProcess | None) -> None:
    """Exit as soon as a process ends, whatever is in progress."""
    if parent is not None:
        parent.join()
        os._exit(1)


@contextmanager
def progress(count: int, what: str = "games") -> Iterator[Callable[[int], None]]:
    """Yield a function that takes the number done, and says of ``what``. On a terminal it moves a
    bar on standard error, elsewhere it prints a line there about once a minute.
    """
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield _now_and_then(LINE_EVERY, lambda done: remark(f"{done:,} of {count:,} are done."))
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    # Without a thread of its own: processes are made by copying this one.
    bar = Progress(
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(f"{what}, about"),
        TimeRemainingColumn(compact=True),
        TextColumn("left"),
        console=Console(stderr=True, width=screen_of(sys.stderr).width, height=HEIGHT),
        auto_refresh=False,
        transient=True,
    )
    with bar:
        task = bar.add_task("", total=count)
        yield _now_and_then(_REFRESH, lambda done: bar.update(task, completed=done, refresh=True))


def _now_and_then(seconds: float, show: Callable[[int], None]) -> Callable[[int], None]:
    """Return a function that shows the number done, at most once in a number of seconds."""
    shown = monotonic()

    def step(done: int) -> None:
        nonlocal shown
        now = monotonic()
        if now - shown >= seconds:
            shown = now
            show(done)

    return step
