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

from graphbus_core.analysis.scan import Project
from graphbus_core.commit.gates.receipt import ReceiptJson
from graphbus_core.commit.gates.trial import collect_contracts
from graphbus_core.commit.transaction import locate_root
from graphbus_core.config import BuildConfig
from graphbus_core.errors import UnknownCommit, UsageError
from graphbus_core.logs.build_history import find_dry_run
from graphbus_core.model.edit_outcome import Edited
from graphbus_core.model.operation import Operation, parse_operations
from graphbus_core.text import join_few

SHOWN = 20  # ids in one message
PROPOSAL_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")


class DamagedRecord(UsageError):
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
        parse_operations(record["diff"])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, UsageError) as e:
        raise DamagedRecord(
            f"The record {file} is damaged ({type(e).__name__}: {e}), so its commit cannot be taken back. Take it "
            "from a backup, or take the change back by hand or by git."
        ) from None
    return dict(record)


def find_record_file(state: Path, pid: str, root: str) -> Path:
    """Where the record of a proposal lies, or is to lie; `root`: the project as seen from the output folder.

    The same start gives the same ids, also to two projects that share an output folder: the second one's record has a
    name of its own. A record of an older version says no project, and is taken for this one's.
    """
    file = state / "undo" / f"{pid}.json"
    try:
        record = read_record(file)
    except DamagedRecord:
        record = None
    if record is None or record.get("root", root) == root:
        return file
    return file.with_name(f"{pid}.{hashlib.sha256(root.encode()).hexdigest()[:8]}.json")


def list_records(state: Path, pid: str | None = None) -> list[tuple[Path, dict[str, Any]]]:
    """The records that are whole, of one proposal or of all; those of a proposal in every project."""
    matches = []
    for file in sorted((state / "undo").glob("*.json")):
        if pid is None or file.name == f"{pid}.json" or file.name.startswith(f"{pid}."):
            try:
                record = read_record(file)
            except DamagedRecord:
                if file.name == f"{pid}.json":
                    raise
                continue
            if record is not None and pid in (None, record["proposal_id"]):
                matches.append((file, record))
    return matches


def find_newest_record(state: Path, pid: str, root: str) -> tuple[Path, dict[str, Any] | None]:
    """A project's record of a proposal and where it lies; None with where it is to lie. Of several with this id it is
    the newest that can be taken back. Raises Damaged.
    """
    ours = [entry for entry in list_records(state, pid) if entry[1].get("root", root) == root]
    if not ours:
        return find_record_file(state, pid, root), None
    return max(ours, key=lambda entry: (not entry[1].get("undone"), entry[1]["number"]))


def describe_undoable(state: Path) -> str:
    """The proposals that can be taken back, in words, the newest first."""
    open_ = [(record["number"], record["proposal_id"]) for _, record in list_records(state) if not record.get("undone")]
    names = list(dict.fromkeys(pid for _, pid in sorted(open_, reverse=True)))
    return f"Those that can be taken back: {join_few(names, SHOWN)}." if names else "There is none to take back."


class CommitHistory:
    """The records below `state/undo`. `project` gives the project as it stands."""

    def __init__(self, state: Path, config: BuildConfig, project: Callable[[], Project]) -> None:
        self.state, self.config, self.project = state, config, project

    def build_record(
        self, about: Mapping[str, Any], diff: Sequence[Operation], applied: Edited, receipt: ReceiptJson, trial: Project
    ) -> dict[str, Any]:
        """What to keep of a commit, so that it can be told to have happened, and be taken back."""
        old, new = collect_contracts(self.project().agents), collect_contracts(trial.agents)
        moved = [k for k in sorted({*old, *new}) if old.get(k) != new.get(k)]
        root_package = self.config.root_package
        target = {"target": locate_root(Path(root_package), self.state)} if os.path.exists(root_package) else {}
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
            **({"whole_project": locate_root(Path(whole), self.state)} if (whole := self.config.whole_project) else {}),
            "include": self.config.include_modules,
            "exclude": self.config.exclude_modules,
            "diff": [op.to_dict() for op in diff],
            "files": {
                p: {
                    "before": encode_base64(applied.before[p]),
                    "after": encode_base64(applied.after[p]),
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

    def find_record(self, pid: str) -> dict[str, Any] | None:
        """The record of a commit, or None: of several with this id, the newest that can be taken back."""
        try:
            return find_newest_record(self.state, pid, self.root)[1] if PROPOSAL_ID.fullmatch(pid) else None
        except DamagedRecord:
            return None

    @property
    def root(self) -> str:
        """The project as seen from the output folder."""
        return locate_root(self.project().root, self.state)

    def choose_record_file(self, pid: str, diff: Sequence[Operation] = ()) -> Path:
        """Where this project's record of a proposal lies, or is to lie. `diff`: that of a commit that is to be kept.

        An id is short and comes from where its build started, so two builds may give the same one to two proposals.
        The record of one that can be taken back is kept beside the new one.
        """
        try:
            file, record = find_newest_record(self.state, pid, self.root)
        except DamagedRecord:
            return find_record_file(self.state, pid, self.root)
        if not record or record.get("undone") or not diff or record["diff"] == [op.to_dict() for op in diff]:
            return file
        names = (file.with_name(f"{pid}.{n}.json") for n in count(record["number"] + 1))
        return next(name for name in names if not name.exists())

    def find_receipt(self, pid: str, about: Mapping[str, Any]) -> ReceiptJson | None:
        """The receipt of this very commit, where the files show that it happened."""
        record = self.find_record(pid)
        if record is None or record.get("undone"):
            return None
        try:
            proposed_diff = [op.to_dict() for op in parse_operations(about["diff"])]
        except (UsageError, KeyError, TypeError, AttributeError):
            return None
        if proposed_diff != record["diff"]:
            return None
        if all(read_bytes(self.project().root / p) == decode_base64(t["after"]) for p, t in record["files"].items()):
            return dict(record["receipt"])
        return None

    def describe_later_commits(self, record: Mapping[str, Any], path: str) -> str:
        """Which later commits stand on this file, in words; empty where there are none."""
        later = []
        for _, other in list_records(self.state):
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


def encode_base64(data: bytes) -> str:
    """Bytes as text."""
    return base64.b64encode(data).decode()


def decode_base64(text: str) -> bytes:
    """Inverse of `encode_base64`."""
    return base64.b64decode(text)


# Which project a committed proposal is taken back in. Knows records and folders, nothing of gates or edits.


def find_undo_target(output_dir: str, proposal_id: str, root: str | None = None) -> dict[str, Any]:
    """Which project a commit belongs to, as settings of a build. Raises UnknownCommit where there is no such.

    A record names its project as seen from the output folder, so a copy, or a project that was moved, means itself.
    `root`: a folder of the project that is meant, where several share the output folder.
    """
    state = Path(os.path.abspath(output_dir))
    candidates = (
        [record for _, record in list_records(state, proposal_id)] if PROPOSAL_ID.fullmatch(proposal_id) else []
    )
    if not candidates:
        if dry := find_dry_run(Path(output_dir), proposal_id):
            raise UsageError(f"{proposal_id} was agreed in a dry run ({dry}), which changed nothing: nothing to undo.")
        raise UnknownCommit(
            f"{proposal_id} is not among the commits of {output_dir}. {describe_undoable(state)} "
            "Run from the folder where the build was run, or give --output-dir."
        )
    open_ = [record for record in candidates if not record.get("undone")] or candidates
    # Of one project the newest alone: it is the one that is taken back first.
    open_ = list({r.get("root"): r for r in sorted(open_, key=lambda record: int(record["number"]))}.values())
    if root is not None:
        open_ = [record for record in open_ if _is_at_root(record, state, Path(root))]
        if not open_:
            raise UsageError(f"{proposal_id} is not a commit to the project at {root}.")
    if len(open_) > 1:
        starts = [_find_start(record, state, None) for record in open_]
        places = sorted(min(path, os.path.relpath(path), key=len) for path in starts)
        raise UsageError(
            f"{proposal_id} was committed to {len(open_)} projects that share {output_dir}. Say which one is meant: "
            + "; ".join(f"graphbus undo {proposal_id} --root {path}" for path in places)
            + "."
        )
    record = open_[0]
    whole = record.get("whole_project")
    return {
        "root_package": _find_start(record, state, root),
        "include_modules": record.get("include"),
        "exclude_modules": record.get("exclude"),
        "whole_project": os.path.normpath(os.path.join(os.path.realpath(state), whole)) if whole else None,
    }


def _is_at_root(record: Mapping[str, Any], state: Path, root: Path) -> bool:
    if "root" not in record:
        return True  # an older version did not say, and the user does
    real_root = os.path.realpath(root)
    return real_root in {os.path.realpath(state / record[name]) for name in ("root", "target") if name in record}


def _find_start(record: Mapping[str, Any], state: Path, root: str | None) -> str:
    """What to scan. Raises UsageError where the project is not where the record says."""
    pid, package = record["proposal_id"], str(record["root_package"])
    if "target" in record:
        target = os.path.normpath(os.path.join(os.path.realpath(state), record["target"]))
        if not os.path.exists(target):
            raise UsageError(
                f"{pid} was committed to {target}, seen from {state}, and nothing is there now. Put the project "
                "and its output folder back beside each other."
            )
        return target
    if "root" in record:
        return package  # a dotted name
    if root is not None:
        return root
    project_folder = os.path.realpath(state.parent)  # written by an older version: an absolute path
    if os.path.isabs(package) and not Path(os.path.realpath(package)).is_relative_to(project_folder):
        raise UsageError(
            f"{pid} was committed to {package}, which is not the project here ({project_folder}). If it is, "
            f"moved or copied, say "
            f"which folder to take it back in: graphbus undo {pid} --root FOLDER."
        )
    return package
