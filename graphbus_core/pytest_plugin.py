"""The pytest plugin: two fixtures. It imports nothing of ours until one of them is used."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest


@pytest.fixture(name="graphbus_running")
def graphbus_running() -> Iterator[Callable[..., Any]]:
    """`app = graphbus_running([Shop], provide={…})`: a runtime that is stopped when the test ends."""
    from graphbus_core.testing.harness import running

    with ExitStack() as stack:

        def start(agents: Any, **settings: Any) -> Any:
            return stack.enter_context(running(agents, **settings))

        yield start


@pytest.fixture(name="graphbus_sample")
def graphbus_sample() -> Callable[[Any], Any]:
    """`graphbus_sample({"sku": str})`: a value that fits a contract."""
    from graphbus_core.testing.samples import sample

    return sample
