"""What holds for every test: Ctrl-C is heard, the user's home is left alone, no property fails on a slow machine."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile

import pytest
from hypothesis import HealthCheck, settings

# A command that a test starts inherits this, and would never hear the SIGINT that the test sends it.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Hypothesis judges seconds, too: how long one example took, and how fast inputs are made. Under a loaded machine, under
# coverage, or with two workers, that judges the machine. pytest's own timeout ends what hangs. `too_slow` tells
# something true, though, when a strategy throws away most of what it makes. So whoever writes one asks for it, on a
# quiet machine: HYPOTHESIS_PROFILE=strict. All other health checks judge counts, not seconds, and stay on.
settings.register_profile("graphbus", deadline=None, suppress_health_check=[HealthCheck.too_slow])
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


def pytest_unconfigure(config: pytest.Config) -> None:
    """Take the folder away with everything that the tests kept there."""
    if _STATE in config.stash:
        shutil.rmtree(config.stash[_STATE], ignore_errors=True)
