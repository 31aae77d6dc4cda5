"""What holds for every test: Ctrl-C is not ignored, as it is under a shell that started us in the background."""

from __future__ import annotations

import signal

# A command that a test starts inherits this, and would never hear the SIGINT that the test sends it.
signal.signal(signal.SIGINT, signal.default_int_handler)
