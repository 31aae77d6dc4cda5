"""What holds for every test: Ctrl-C is not ignored, and no property test fails because the machine is slow."""

from __future__ import annotations

import signal

from hypothesis import HealthCheck, settings

# A command that a test starts inherits this, and would never hear the SIGINT that the test sends it.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Hypothesis judges seconds, too: how long one example took, and how fast inputs are made. Under a loaded machine, under
# coverage, or with two workers, that judges the machine. pytest's own timeout ends what hangs.
settings.register_profile("graphbus", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("graphbus")
