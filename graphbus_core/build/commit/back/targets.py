"""Which project a committed proposal is taken back in. Knows records and folders, nothing of gates or edits."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from graphbus_core.build.commit.back.history import PROPOSAL_ID, known, records
from graphbus_core.errors import UsageError
from graphbus_core.stores.builds.dry_runs import dry_run_of


def undo_target(output_dir: str, proposal_id: str, root: str | None = None) -> dict[str, Any]:
    """Which project a commit belongs to, as settings of a build. Raises UsageError where there is no such commit.

    A record names its project as seen from the output folder, so a copy, or a project that was moved, means itself.
    `root`: a folder of the project that is meant, where several share the output folder.
    """
    state = Path(os.path.abspath(output_dir))
    found = [record for _, record in records(state, proposal_id)] if PROPOSAL_ID.fullmatch(proposal_id) else []
    if not found:
        if dry := dry_run_of(Path(output_dir), proposal_id):
            raise UsageError(f"{proposal_id} was agreed in a dry run ({dry}), which changed nothing: nothing to undo.")
        raise UsageError(
            f"{proposal_id} is not among the commits of {output_dir}. {known(state)} "
            "Run from the folder where the build was run, or give --output-dir."
        )
    open_ = [record for record in found if not record.get("undone")] or found
    # Of one project the newest alone: it is the one that is taken back first.
    open_ = list({r.get("root"): r for r in sorted(open_, key=lambda record: int(record["number"]))}.values())
    if root is not None:
        open_ = [record for record in open_ if _is_at(record, state, Path(root))]
        if not open_:
            raise UsageError(f"{proposal_id} is not a commit to the project at {root}.")
    if len(open_) > 1:
        starts = [_start(record, state, None) for record in open_]
        places = sorted(min(one, os.path.relpath(one), key=len) for one in starts)
        raise UsageError(
            f"{proposal_id} was committed to {len(open_)} projects that share {output_dir}. Say which one is meant: "
            + "; ".join(f"graphbus undo {proposal_id} --root {one}" for one in places)
            + "."
        )
    record = open_[0]
    whole = record.get("whole_project")
    return {
        "root_package": _start(record, state, root),
        "include_modules": record.get("include"),
        "exclude_modules": record.get("exclude"),
        "whole_project": os.path.normpath(os.path.join(os.path.realpath(state), whole)) if whole else None,
    }


def _is_at(record: Mapping[str, Any], state: Path, root: Path) -> bool:
    if "root" not in record:
        return True  # an older version did not say, and the user does
    given = os.path.realpath(root)
    return given in {os.path.realpath(state / record[name]) for name in ("root", "target") if name in record}


def _start(record: Mapping[str, Any], state: Path, root: str | None) -> str:
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
    here = os.path.realpath(state.parent)  # written by an older version: an absolute path
    if os.path.isabs(package) and not Path(os.path.realpath(package)).is_relative_to(here):
        raise UsageError(
            f"{pid} was committed to {package}, which is not the project here ({here}). If it is, moved or copied, say "
            f"which folder to take it back in: graphbus undo {pid} --root FOLDER."
        )
    return package
