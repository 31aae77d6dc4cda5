"""What was committed: one record a commit in `.graphbus/undo/`, which tells that it happened and takes it back."""

from __future__ import annotations

import base64
import json
import os
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from graphbus_core.build.commit import gates
from graphbus_core.build.commit.outcome import Applied
from graphbus_core.build.commit.receipts import Receipt
from graphbus_core.build.scan import Project
from graphbus_core.config import BuildConfig
from graphbus_core.errors import UsageError
from graphbus_core.model.operation import Operation, operations

PROPOSAL_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")


class CommitHistory:
    """The records below `state/undo`. `project` gives the project as it stands."""

    def __init__(self, state: Path, config: BuildConfig, project: Callable[[], Project]) -> None:
        self.state, self.config, self.project = state, config, project

    def record(
        self, about: Mapping[str, Any], diff: Sequence[Operation], applied: Applied, receipt: Receipt, trial: Project
    ) -> dict[str, Any]:
        """What to keep of a commit, so that it can be told to have happened, and be taken back."""
        old, new = gates.slots(self.project().agents), gates.slots(trial.agents)
        moved = [k for k in sorted({*old, *new}) if old.get(k) != new.get(k)]
        touched = [k for k in sorted({*old, *new}) if k in moved or any(op.node == k[0] for op in diff)]
        return {
            "proposal_id": about["proposal_id"],
            "proposer": about.get("proposer", ""),
            "round": about.get("round"),
            "summary": about.get("summary", ""),
            "number": len(list((self.state / "undo").glob("*.json"))) + 1,
            "root_package": os.path.abspath(self.config.root_package)
            if os.path.exists(self.config.root_package)
            else self.config.root_package,
            "include": self.config.include_modules,
            "exclude": self.config.exclude_modules,
            "diff": [op.to_dict() for op in diff],
            "files": {
                p: {"before": b64(applied.before[p]), "after": b64(applied.after[p])} for p in sorted(applied.after)
            },
            "contracts": {
                "before": {"|".join(k): old[k] for k in touched if k in old},
                "after": {"|".join(k): new[k] for k in touched if k in new},
            },
            "receipt": receipt,
            "undone": False,
        }

    def find(self, pid: str) -> dict[str, Any] | None:
        """The record of a commit, or None."""
        if not PROPOSAL_ID.fullmatch(pid):
            return None
        data = read_bytes(self.state / "undo" / f"{pid}.json")
        try:
            return dict(json.loads(data)) if data is not None else None
        except ValueError:
            return None

    def done(self, pid: str, about: Mapping[str, Any]) -> Receipt | None:
        """The receipt of this very commit, where the files show that it happened."""
        record = self.find(pid)
        if record is None or record.get("undone"):
            return None
        try:
            asked = [op.to_dict() for op in operations(about["diff"])]
        except (UsageError, KeyError, TypeError, AttributeError):
            return None
        if asked != record["diff"]:
            return None
        if all(read_bytes(self.project().root / p) == unb64(t["after"]) for p, t in record["files"].items()):
            return dict(record["receipt"])
        return None

    def later(self, record: Mapping[str, Any], path: str) -> str:
        """Which later commits stand on this file, in words; empty where there are none."""
        later = []
        for file in sorted((self.state / "undo").glob("*.json")):
            other = self.find(file.name.removesuffix(".json"))
            if other and not other["undone"] and other["number"] > record["number"] and path in other["files"]:
                later.append(other["proposal_id"])
        return f"; take back {', '.join(later)} first" if later else ""


def read_bytes(path: Path) -> bytes | None:
    """A file's bytes, or None where there is no such file."""
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None


def b64(data: bytes) -> str:
    """Bytes as text."""
    return base64.b64encode(data).decode()


def unb64(text: str) -> bytes:
    """Inverse of `b64`."""
    return base64.b64decode(text)
