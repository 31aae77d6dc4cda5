"""What the gates that run code share: where imports start in a copy, and what a run said last."""

from __future__ import annotations

from pathlib import Path

from graphbus_core.build.confine import sandbox
from graphbus_core.build.scan import Project

TAIL = 15  # lines of a command's output that a reason shows


def import_path(scratch: Path, project: Project) -> list[str]:
    """Where imports start, in the copy."""
    return [str(scratch / base) for base in project.layout.import_roots]


def last_line(ran: sandbox.Ran) -> str:
    """Why a run failed, in a line."""
    if ran.stopped:
        return f"it was stopped: too much {ran.stopped}, after {ran.seconds:.0f} s"
    lines = [line for line in ran.output.strip().splitlines() if line.strip()]
    return lines[-1][:500] if lines else f"the interpreter ended with {ran.returncode}"


def tail(ran: sandbox.Ran) -> str:
    """The end of what a run printed."""
    return "\n".join(ran.output.rstrip().splitlines()[-TAIL:])
