"""Threads in which a transport's sync handlers run, made as they are needed.

Not `concurrent.futures`: its threads are waited for when Python ends, and a handler that hangs would keep it alive.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent import futures
from typing import Any

Job = tuple[Callable[[], Any], futures.Future[Any]]


class Workers:
    """At most `limit` threads; further work waits until one of them is free."""

    def __init__(self, limit: int = 64) -> None:
        self._limit = limit
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._threads = 0
        self._idle = 0  # threads that wait for a job, less the jobs that wait for a thread

    def run(self, work: Callable[[], Any]) -> futures.Future[Any]:
        """Run `work` in one of the threads."""
        done: futures.Future[Any] = futures.Future()
        with self._lock:
            self._idle -= 1
            if self._idle < 0 and self._threads < self._limit:
                self._threads += 1
                self._idle += 1
                threading.Thread(target=self._work, name="graphbus-handler", daemon=True).start()
        self._jobs.put((work, done))
        return done

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            work, done = job
            if done.set_running_or_notify_cancel():
                try:
                    result = work()
                except BaseException as error:
                    done.set_exception(error)
                else:
                    done.set_result(result)
            with self._lock:
                self._idle += 1

    def close(self) -> None:
        """End the threads that have nothing to do; one that hangs is left alone."""
        with self._lock:
            threads, self._threads = self._threads, 0
        for _ in range(threads):
            self._jobs.put(None)
