"""What nothing in the package uses, by vulture; tests do not count as users."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from tests.structure.house import ROOT

ALLOWLIST = Path(__file__).with_name("used_from_outside.py")
# Commands, routes and pages are called by the libraries that the decorator hands them to.
DECORATORS = "@app.*,@*.command*,@*.callback*,@*.get,@*.post,@*.exception_handler,@*.middleware*"


@cache
def vulture() -> list[str]:
    """The lines that vulture prints about the package."""
    command = [
        sys.executable,
        "-m",
        "vulture",
        "graphbus_core",
        "examples",
        "benchmarks",
        "--exclude",
        "benchmarks/cases",
    ]
    done = subprocess.run(
        [*command, "--ignore-decorators", DECORATORS], cwd=ROOT, capture_output=True, text=True, timeout=300
    )
    if done.returncode not in (0, 3):
        raise RuntimeError(f"vulture could not look: {done.stderr.strip()}")
    return [line for line in done.stdout.splitlines() if line.startswith("graphbus_core/")]


def allowed() -> list[str]:
    """The names of the allowlist, as they stand there."""
    return re.findall(r"^_\.(\w+)", ALLOWLIST.read_text("utf-8"), re.MULTILINE)


def unused_names(lines: Iterable[str]) -> set[str]:
    """The names in those lines."""
    return {m[1] for line in lines if (m := re.search(r"unused \w+ '(\w+)'", line))}
