"""What was committed: one record a commit in `.graphbus/undo/`, which tells that it happened and takes it back."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any

from graphbus_core.build.commit.land.settling import place
from graphbus_core.build.commit.proof.receipt import Told
from graphbus_core.build.commit.proof.slots import slots
from graphbus_core.build.confine.outcome import Edited
from graphbus_core.build.scan import Project
from graphbus_core.config import BuildConfig
from graphbus_core.errors import UsageError
from graphbus_core.model.operation import Operation, operations
from graphbus_core.shown import few

SHOWN = 20  # ids in one message
PROPOSAL_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")


class Damaged(UsageError):
    """A record that cannot be believed."""


def read_record(file: Path) -> dict[str, Any] | None:
    """A record of a commit, or None where there is none. Raises Damaged for one that is not one."""
    data = read_bytes(file)
    if data is None:
        return None
    try:
        record = json.loads(data)
        texts = [record["files"][path][side] for path in record["files"] for side in ("before", "after")]
        for text in texts:
            base64.b64decode(text, validate=True)
        sides = [record["contracts"][side] for side in ("before", "after")]
        kinds: tuple[tuple[Any, type], ...] = (
            (record["proposal_id"], str),
            (record["root_package"], str),
            (record["diff"], list),
            (record.get("whole_project", ""), str),
            (record["number"], int),
            *((side, dict) for side in sides),
            *((record[name], str) for name in ("root", "target") if name in record),
            *((record[name], list) for name in ("include", "exclude") if record.get(name) is not None),
        )
        if not texts or not all(isinstance(value, kind) for value, kind in kinds):
            raise ValueError("a part of it has another form")
        if not all(len(key.split("|")) == 3 for side in sides for key in side):
            raise ValueError("its contracts have another form")
        operations(record["diff"])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, UsageError) as e:
        raise Damaged(
            f"The record {file} is damaged ({type(e).__name__}: {e}), so its commit cannot be taken back. Take it "
            "from a backup, or take the change back by hand or by git."
        ) from None
    return dict(record)


def record_file(state: Path, pid: str, root: str) -> Path:
    """Where the record of a proposal lies, or is to lie; `root`: the project as seen from the output folder.

    The same start gives the same ids, also to two projects that share an output folder: the second one's record has a
    name of its own. A record of an older version says no project, and is taken for this one's.
    """
    file = state / "undo" / f"{pid}.json"
    try:
        record = read_record(file)
    except Damaged:
        record = None
    if record is None or record.get("root", root) == root:
        return file
    return file.with_name(f"{pid}.{hashlib.sha256(root.encode()).hexdigest()[:8]}.json")


def records(state: Path, pid: str | None = None) -> list[tuple[Path, dict[str, Any]]]:
    """The records that are whole, of one proposal or of all; those of a proposal in every project."""
    found = []
    for file in sorted((state / "undo").glob("*.json")):
        if pid is None or file.name == f"{pid}.json" or file.name.startswith(f"{pid}."):
            try:
                record = read_record(file)
            except Damaged:
                if file.name == f"{pid}.json":
                    raise
                continue
            if record is not None and pid in (None, record["proposal_id"]):
                found.append((file, record))
    return found


def newest(state: Path, pid: str, root: str) -> tuple[Path, dict[str, Any] | None]:
    """A project's record of a proposal and where it lies; None with where it is to lie. Of several with this id it is
    the newest that can be taken back. Raises Damaged.
    """
    ours = [one for one in records(state, pid) if one[1].get("root", root) == root]
    if not ours:
        return record_file(state, pid, root), None
    return max(ours, key=lambda one: (not one[1].get("undone"), one[1]["number"]))


def known(state: Path) -> str:
    """The proposals that can be taken back, in words, the newest first."""
    open_ = [(record["number"], record["proposal_id"]) for _, record in records(state) if not record.get("undone")]
    names = list(dict.fromkeys(pid for _, pid in sorted(open_, reverse=True)))
    return f"Those that can be taken back: {few(names, SHOWN)}." if names else "There is none to take back."


class CommitHistory:
    """The records below `state/undo`. `project` gives the project as it stands."""

    def __init__(self, state: Path, config: BuildConfig, project: Callable[[], Project]) -> None:
        self.state, self.config, self.project = state, config, project

    def record(
        self, about: Mapping[str, Any], diff: Sequence[Operation], applied: Edited, receipt: Told, trial: Project
    ) -> dict[str, Any]:
        """What to keep of a commit, so that it can be told to have happened, and be taken back."""
        old, new = slots(self.project().agents), slots(trial.agents)
        moved = [k for k in sorted({*old, *new}) if old.get(k) != new.get(k)]
        given = self.config.root_package
        target = {"target": place(Path(given), self.state)} if os.path.exists(given) else {}
        touched = [k for k in sorted({*old, *new}) if k in moved or any(op.node == k[0] for op in diff)]
        return {
            "proposal_id": about["proposal_id"],
            "proposer": about.get("proposer", ""),
            "round": about.get("round"),
            "summary": about.get("summary", ""),
            "number": len(list((self.state / "undo").glob("*.json"))) + 1,
            "root_package": self.config.root_package,
            "root": self.root,
            **target,
            **({"whole_project": place(Path(whole), self.state)} if (whole := self.config.whole_project) else {}),
            "include": self.config.include_modules,
            "exclude": self.config.exclude_modules,
            "diff": [op.to_dict() for op in diff],
            "files": {
                p: {
                    "before": b64(applied.before[p]),
                    "after": b64(applied.after[p]),
                    **({"created": True} if p in applied.created else {}),
                }
                for p in sorted(applied.after)
            },
            "contracts": {
                "before": {"|".join(k): old[k] for k in touched if k in old},
                "after": {"|".join(k): new[k] for k in touched if k in new},
            },
            "receipt": receipt,
            "undone": False,
        }

    def find(self, pid: str) -> dict[str, Any] | None:
        """The record of a commit, or None: of several with this id, the newest that can be taken back."""
        try:
            return newest(self.state, pid, self.root)[1] if PROPOSAL_ID.fullmatch(pid) else None
        except Damaged:
            return None

    @property
    def root(self) -> str:
        """The project as seen from the output folder."""
        return place(self.project().root, self.state)

    def file(self, pid: str, diff: Sequence[Operation] = ()) -> Path:
        """Where this project's record of a proposal lies, or is to lie. `diff`: that of a commit that is to be kept.

        An id is short and comes from where its build started, so two builds may give the same one to two proposals.
        The record of one that can be taken back is kept beside the new one.
        """
        try:
            file, record = newest(self.state, pid, self.root)
        except Damaged:
            return record_file(self.state, pid, self.root)
        if not record or record.get("undone") or not diff or record["diff"] == [op.to_dict() for op in diff]:
            return file
        names = (file.with_name(f"{pid}.{n}.json") for n in count(record["number"] + 1))
        return next(name for name in names if not name.exists())

    def done(self, pid: str, about: Mapping[str, Any]) -> Told | None:
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
        for _, other in records(self.state):
            ours = other.get("root", self.root) == self.root
            if ours and not other.get("undone") and other["number"] > record["number"] and path in other["files"]:
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
