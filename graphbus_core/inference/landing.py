"""The decorators go to the files, all or none, and come back: with the journal, records and reversal of commits.

A commit of a negotiation is proved by its gates; here nothing was negotiated, and the proof is that every file still
parses and that `infer` finds nothing new. So the record says that it is an adoption, and `undo` takes the short road.
"""

from __future__ import annotations

import ast
import hashlib
import json
import os
import time
from collections.abc import Mapping
from difflib import unified_diff
from pathlib import Path
from typing import Any

from graphbus_core.commit import reversal
from graphbus_core.commit.disk import RealDisk
from graphbus_core.commit.history import decode_base64, describe_undoable, encode_base64, list_records
from graphbus_core.commit.transaction import (
    FileChange,
    TransactionResult,
    commit_changes,
    locate_root,
    settle_output_folder,
)
from graphbus_core.errors import UsageError
from graphbus_core.inference.writing import SourceDecoration
from graphbus_core.storage.locks import hold_build_lock

MARK = "adoption"


def land(decoration: SourceDecoration, root: Path, state: Path) -> str:
    """Write what was shown; gives the id that `undo` takes. Raises UsageError where a file was edited meanwhile."""
    state = Path(os.path.abspath(state))
    text = b"".join(decoration.after[path] for path in sorted(decoration.after))
    pid = f"adopt-{hashlib.sha256(text).hexdigest()[:8]}"
    settle_output_folder(state)
    with hold_build_lock(state):
        disk = RealDisk(root, state)
        where = f"state/undo/{pid}.json"
        changes = [
            FileChange(f"project/{path}", decoration.before[path], decoration.after[path])
            for path in sorted(decoration.after)
        ]
        had = disk.read(where)
        changes.append(FileChange(where, had, json.dumps(_build_record(pid, decoration, root, state)).encode()))
        if commit_changes(disk, changes, locate_root(root, state)) is TransactionResult.SUPERSEDED:
            raise UsageError("A file was edited in the meantime, so nothing was written. Run it again.")
    return pid


def _build_record(pid: str, decoration: SourceDecoration, root: Path, state: Path) -> dict[str, Any]:
    location = locate_root(root, state)
    return {
        "proposal_id": pid,
        "proposer": "graphbus init",
        "round": None,
        "summary": f"decorate {decoration.components} components, write {decoration.records} records",
        "number": len(list((state / "undo").glob("*.json"))) + 1,
        "root_package": str(root),
        "root": location,
        "target": location,
        "include": None,
        "exclude": None,
        "diff": [],
        "files": {
            p: {"before": encode_base64(decoration.before[p]), "after": encode_base64(decoration.after[p])}
            for p in sorted(decoration.after)
        },
        "contracts": {"before": {}, "after": {}},
        "receipt": {"status": "committed", "files": sorted(decoration.after)},
        "undone": False,
        MARK: True,
    }


def is_adoption(state: Path, pid: str) -> bool:
    """Whether an id of a commit is one of these."""
    return pid.startswith("adopt-") and any(record.get(MARK) for _, record in list_records(state, pid))


def take_back(state: Path, pid: str, *, prepare: bool = False) -> dict[str, Any]:
    """Take it out of the files as they are now: its own lines and no other. Gives a receipt as `undo` shows it."""
    state = Path(os.path.abspath(state))
    settle_output_folder(state)
    with hold_build_lock(state):
        file, record = next((file, record) for file, record in list_records(state, pid) if record.get(MARK))
        if record.get("undone"):
            raise UsageError(f"{pid} was taken back already. {describe_undoable(state)}")
        root = Path(os.path.normpath(os.path.join(os.path.realpath(state), record["root"])))
        disk = RealDisk(root, state)
        changes, diff, why = _plan_changes(disk, record)
        if why:
            return _build_receipt("failed", [], "", "applies", why)
        touched = sorted(record["files"])
        if prepare:
            return _build_receipt("prepared", touched, diff)
        where = f"state/undo/{file.name}"
        marked = {**record, "undone": True, "undone_at": time.time()}
        changes.append(FileChange(where, disk.read(where), json.dumps(marked).encode()))
        if commit_changes(disk, changes, locate_root(root, state)) is TransactionResult.SUPERSEDED:
            return _build_receipt("failed", [], "", "write", "a file was edited in the meantime; the edit stands.")
    return _build_receipt("committed", touched, diff)


def _plan_changes(disk: RealDisk, record: Mapping[str, Any]) -> tuple[list[FileChange], str, str]:
    """What each file becomes, the diff in words, and why it cannot be done."""
    changes: list[FileChange] = []
    parts: list[str] = []
    for path, texts in record["files"].items():
        now = disk.read(f"project/{path}")
        back = (
            reversal.revert_text(decode_base64(texts["before"]), decode_base64(texts["after"]), now)
            if now is not None
            else None
        )
        if now is None or back is None:
            return [], "", f"{path} was changed since, where this commit changed it."
        try:
            ast.parse(back)
        except SyntaxError:
            return [], "", f"{path} would not parse any more: something written since rests on it."
        changes.append(FileChange(f"project/{path}", now, back))
        old, new = (text.decode("utf-8", "replace").splitlines(True) for text in (now, back))
        parts.append("".join(unified_diff(old, new, f"a/{path}", f"b/{path}")))
    return changes, "".join(parts), ""


def _build_receipt(status: str, files: list[str], diff: str, gate: str = "", reason: str = "") -> dict[str, Any]:
    return {
        "status": status,
        "files": files,
        "unified_diff": diff,
        "gate": gate,
        "reason": reason,
        "notes": [],
    }
