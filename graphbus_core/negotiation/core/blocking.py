"""Run a coroutine from code that is not async, also where a loop runs already (a notebook, an async program)."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def run_blocking(main: Coroutine[Any, Any, T]) -> T:
    """The result of `main`, which the caller waits for. In a thread of its own where this one has a loop that runs.

    An interrupt cancels `main`, waits until it has ended, and is raised then.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(main)
    begun: list[tuple[asyncio.AbstractEventLoop, asyncio.Task[T]]] = []

    async def own() -> T:
        begun.append((asyncio.get_running_loop(), asyncio.ensure_future(main)))
        return await begun[0][1]

    with ThreadPoolExecutor(1, "graphbus-negotiation") as thread:
        done = thread.submit(contextvars.copy_context().run, asyncio.run, own())
        try:
            return done.result()
        except BaseException:
            if begun and not done.done():
                loop, task = begun[0]
                loop.call_soon_threadsafe(task.cancel)
            raise
