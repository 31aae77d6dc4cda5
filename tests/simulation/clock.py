"""An event loop whose clock jumps: sleeping costs nothing, and the same program always sleeps in the same order."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class _Jumping(selectors.SelectSelector):
    """Never waits; moves the clock on instead."""

    now = 0.0

    def select(self, timeout=None):
        if timeout is None:
            raise RuntimeError("everybody waits for somebody: the negotiation hangs")
        self.now += max(0.0, timeout)
        return super().select(0)


class JumpingLoop(asyncio.SelectorEventLoop):
    """Virtual time in seconds, from 0."""

    def __init__(self) -> None:
        self._jumping = _Jumping()
        super().__init__(self._jumping)

    def time(self) -> float:
        return self._jumping.now


def run(main: Coroutine[Any, Any, T]) -> T:
    """`asyncio.run` in virtual time."""
    loop = JumpingLoop()
    try:
        return loop.run_until_complete(main)
    finally:
        loop.close()
