"""Work in a thread that does not keep the process alive: a question that nobody answers ends with Ctrl-C."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


async def run_in_thread(work: Callable[[], T], name: str = "graphbus") -> T:
    """What `work` gives or raises. Cancelled, it goes on alone, and what it comes to is forgotten.

    Not `asyncio.to_thread`: its threads are waited for when the loop closes, and again when the interpreter ends.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def run() -> None:
        try:
            value = work()
        except BaseException as e:
            # What would end the loop, or cannot be handed through it, arrives as an ordinary fault.
            failed = e if isinstance(e, Exception) and not isinstance(e, StopIteration) else RuntimeError(repr(e))
            tell(lambda: future.set_exception(failed))
        else:
            tell(lambda: future.set_result(value))

    def tell(settle: Callable[[], None]) -> None:
        try:
            loop.call_soon_threadsafe(lambda: None if future.done() else settle())
        except RuntimeError:
            return  # the loop is closed: nobody waits any more

    threading.Thread(target=run, daemon=True, name=name).start()
    return await future
