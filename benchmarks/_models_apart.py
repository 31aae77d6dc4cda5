"""The scripted server in a process of its own, as a provider is: what it costs is not on the table's account.

python benchmarks/_models_apart.py SECONDS     # prints its port, and ends when its input does
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from _scripted_table import ACCEPT, extend, slowly

from graphbus_core.testing import ModelServer, Script

WAIT_S = 30


@dataclass(frozen=True)
class Apart:
    """Where it listens."""

    anthropic_url: str


@contextmanager
def served_apart(delay_s: float) -> Iterator[Apart]:
    """A server on which everybody proposes and accepts, `delay_s` after being asked."""
    line = [sys.executable, str(Path(__file__).resolve()), str(delay_s)]
    process = subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield Apart(f"http://127.0.0.1:{int(process.stdout.readline())}")
    finally:
        process.stdin.close()
        try:
            process.wait(WAIT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(WAIT_S)
        process.stdout.close()


def main() -> None:
    """Serve until whoever started it goes."""
    delay_s = float(sys.argv[1])
    lines = {("*", "propose"): slowly(extend, delay_s), ("*", "evaluate"): slowly(ACCEPT, delay_s)}
    with ModelServer(Script(lines)) as server:
        print(server.port, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
