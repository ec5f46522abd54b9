"""Doing comparisons side by side, for as long as there is time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from threading import Lock

from tests.same.program import stop

Job = Callable[[], None]


def work(
    jobs: Iterator[Job],
    failed: Callable[[Exception], None],
    *,
    workers: int,
    least: int,
    seconds: float,
) -> None:
    """Do at least so many jobs, and more of them until the time is up or there are no more.

    A job fails if a version answers in a way in which nothing can be compared.
    """
    until = time.monotonic() + seconds
    lock, numbers = Lock(), count()

    def worker() -> None:
        while True:
            with lock:
                enough = next(numbers) >= least and time.monotonic() >= until
                job = None if enough else next(jobs, None)
            if job is None:
                return
            try:
                job()
            except Exception as error:
                failed(error)

    with ThreadPoolExecutor(workers) as pool:
        started = [pool.submit(worker) for _ in range(workers)]
        try:
            for done in started:
                done.result()
        except BaseException:
            stop()
            raise
