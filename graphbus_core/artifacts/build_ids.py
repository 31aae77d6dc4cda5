"""The id of a build: the second in which it begins, with a number where that second is taken (seed 000)."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

from graphbus_core.artifacts.folder import BUILD_SUMMARY


def create_build_id(output: Path, now: datetime | None = None) -> str:
    """`build-2026-02-20-153042`, longer where a negotiation or the build that lies in `output` has that second."""
    base = (now or datetime.now(UTC)).strftime("build-%Y-%m-%d-%H%M%S")
    # Of builds without a negotiation the last alone is on record: those of its second before it had lower numbers.
    match = re.fullmatch(rf"{base}(?:-(\d+))?", _read_last_id(output))
    taken = int(match[1] or 1) if match is not None else 0
    ids = (base if number == 1 else f"{base}-{number}" for number in count(taken + 1))
    return next(free for free in ids if not (output / "negotiations" / f"{free}.jsonl").exists())


def _read_last_id(output: Path) -> str:
    """The id of the build that lies there; empty where there is none, or its summary cannot be read."""
    try:
        summary: Any = json.loads((output / BUILD_SUMMARY).read_bytes())
    except (OSError, ValueError):
        return ""
    return str(summary.get("build_id", "")) if isinstance(summary, dict) else ""
