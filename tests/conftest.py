"""What holds for every test: Ctrl-C is heard, a hang ends, and no property test fails because the machine is slow."""

from __future__ import annotations

import signal
from collections.abc import Generator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# A command that a test starts inherits this, and would never hear the SIGINT that the test sends it.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Hypothesis judges seconds, too: how long one example took, and how fast inputs are made. Under a loaded machine, under
# coverage, or with two workers, that judges the machine. pytest's own timeout ends what hangs.
settings.register_profile("graphbus", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("graphbus")

AGAIN_S = 30


@pytest.hookimpl(wrapper=True)
def pytest_timeout_set_timer(item: pytest.Item, settings: Any) -> Generator[None, Any, Any]:
    """A timeout rings again until the test has ended.

    Once is not enough: `Popen.__exit__` then waits without end for the process, and asyncio swallows what is raised
    inside a callback. One such test held a whole run for an hour, and nothing said which.
    """
    done = yield
    if settings.method == "signal" and settings.timeout:
        signal.setitimer(signal.ITIMER_REAL, settings.timeout, AGAIN_S)
    return done
