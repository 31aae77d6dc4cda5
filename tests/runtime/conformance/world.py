"""Where the suite runs: runtimes of node classes, all on one transport."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from graphbus_core.config import RuntimeConfig
from graphbus_core.node_base import GraphBusNode
from graphbus_core.runtime.executor import RuntimeExecutor
from graphbus_core.runtime.transports.port import Transport
from graphbus_core.testing.harness import ClassExecutor

LONG_S = 20.0  # a bound against a hang, and no measure of speed


class World:
    """One transport's. For another one: override `transport`, and `dead_letters` where they are kept elsewhere."""

    spread = True  # whether groups of nodes run in runtimes of their own

    def transport(self) -> Transport | None:
        """A new end of the transport, for one more runtime."""
        raise NotImplementedError

    def dead_letters(self, runtimes: Sequence[RuntimeExecutor]) -> list[tuple[str, dict[str, Any]]]:
        """(name of the handler, payload) of everything that was given up."""
        raise NotImplementedError

    def close(self) -> None:
        """The test is over."""

    def made(
        self,
        classes: Sequence[type[GraphBusNode]],
        *groups: set[str],
        checks: str = "enforce",
        middleware: Sequence[Any] = (),
        **settings: Any,
    ) -> list[RuntimeExecutor]:
        """Runtimes that are still to be started, one for each group of nodes; without groups one for all."""
        if not self.spread:
            groups = (set().union(*groups),) if groups else ()
        return [
            ClassExecutor(
                classes,
                checks,
                config=RuntimeConfig(**{"stop_timeout_s": 10.0, **settings}),
                nodes=group or None,
                transport=self.transport(),
                middleware=middleware,
            )
            for group in groups or (set(),)
        ]

    @contextlib.contextmanager
    def running(self, *given: Any, **settings: Any) -> Iterator[list[RuntimeExecutor]]:
        """`made`, and started."""
        runtimes = self.made(*given, **settings)
        with contextlib.ExitStack() as stack:
            for runtime in runtimes:
                stack.enter_context(runtime)
            yield list(runtimes)


def until(true: Callable[[], Any], seen: Callable[[], Any] = lambda: "") -> None:
    """Wait until something is true; `seen` is what to show where it does not come true."""
    end = time.monotonic() + LONG_S
    while not true():
        assert time.monotonic() < end, f"it did not come true within {LONG_S:g} s {seen()}"
        time.sleep(0.005)
