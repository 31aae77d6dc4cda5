"""What holds for every test: Ctrl-C is heard, the user's home is left alone, no property fails on a slow machine.

And each test is of one tier, by what its module uses: see `_read_tier`.
"""

from __future__ import annotations

import gc
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Generator

import pytest
from hypothesis import HealthCheck, settings

from graphbus_core.sandbox import runner
from tests import forking

# A command that a test starts inherits this, and would never hear the SIGINT that the test sends it.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Hypothesis judges seconds, too: how long one example took, and how fast inputs are made. Under a loaded machine, under
# coverage, or with two workers, that judges the machine. pytest's own timeout ends what hangs. `too_slow` tells
# something true, though, when a strategy throws away most of what it makes. So whoever writes one asks for it, on a
# quiet machine: HYPOTHESIS_PROFILE=strict. All other health checks judge counts, not seconds, and stay on.
#
# The inputs are the same in each run, so what turns red was turned red by the change at hand. Who wants to find more
# asks for it: HYPOTHESIS_PROFILE=search tries a thousand others each time (for some tests, with `-k`; it takes long).
settings.register_profile("graphbus", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("search", settings.get_profile("graphbus"), derandomize=False, max_examples=1000)
settings.register_profile("strict", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or "graphbus")

_STATE = pytest.StashKey[str]()


def pytest_configure(config: pytest.Config) -> None:
    """Seats and the machine's key go to a folder of this run: those in the home are the user's own.

    Set before collection and for the whole process, so that every command that a test starts has it, and each worker
    of xdist (which inherits it): a key that one made is there for the next.
    """
    if not hasattr(config, "workerinput"):
        config.stash[_STATE] = os.environ["XDG_STATE_HOME"] = tempfile.mkdtemp(prefix="graphbus-tests-")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Nothing of what is collected is garbage: nobody looks for any meanwhile."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


@pytest.hookimpl(tryfirst=True)  # before `-m` is obeyed
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark each test with its tier."""
    for item in items:
        item.add_marker(_read_tier(item))


def pytest_collection_finish() -> None:
    """Ten thousand tests and all that they import stay to the end: no collection needs to look through them again."""
    gc.freeze()


def _read_tier(item: pytest.Item) -> str:
    """What a test needs beside Python: `browser_nats`, `processes` where it starts some, else `in_process`."""
    names = vars(getattr(item, "module", None) or object)
    fixtures = getattr(item, "fixturenames", ())
    if "browser" in fixtures or "needs_nats" in names or "NatsServer" in names:
        return "browser_nats"
    runs = any(any(value is one for one in (subprocess, runner, forking)) for value in names.values())
    return "processes" if runs or "serve" in fixtures else "in_process"


def pytest_unconfigure(config: pytest.Config) -> None:
    """Take the folder away with everything that the tests kept there."""
    if _STATE in config.stash:
        shutil.rmtree(config.stash[_STATE], ignore_errors=True)
