"""A committed proposal as a change that takes it back: its diff inverted, its text out of the files of today."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graphbus_core.build.commit.back import undo
from graphbus_core.build.commit.back.history import CommitHistory, unb64
from graphbus_core.build.commit.proof.slots import Slot, slots
from graphbus_core.build.confine.door import FileDoor
from graphbus_core.build.confine.outcome import Edited, Refusal, Refused
from graphbus_core.build.edit.applicator import DiffApplicator
from graphbus_core.build.edit.reach import Reach
from graphbus_core.build.scan import Project
from graphbus_core.model.operation import Operation, RenameField, RenameMethod, operations


@dataclass(frozen=True)
class Inverse:
    """The change; `known`: the contracts that it must restore."""

    diff: Sequence[Operation]
    applied: Edited
    known: Mapping[Slot, Any]


@dataclass(frozen=True)
class NotTaken:
    """Why it cannot be taken back, and which gate says so."""

    gate: str
    why: str


def take_back(
    record: Mapping[str, Any], project: Project, door: FileDoor, history: CommitHistory, reach: Reach
) -> Inverse | NotTaken:
    """What undoes the commit of `record` in the project as it stands."""
    before: dict[str, bytes] = {}
    after: dict[str, bytes] = {}
    removed = frozenset(path for path, texts in record["files"].items() if texts.get("created"))
    for path, texts in record["files"].items():
        now = door.read(path)
        if now is None:
            return NotTaken("path", door.refuse(path) or f"{path} cannot be read.")
        if path in removed:
            if now != unb64(texts["after"]):
                return NotTaken(
                    "applies", f"{path} was made by this commit and changed since{history.later(record, path)}."
                )
            before[path], after[path] = now, b""
            continue
        back = undo.reverse(unb64(texts["before"]), unb64(texts["after"]), now)
        if back is None:
            later = history.later(record, path)
            return NotTaken("applies", f"{path} was changed since, where this commit changed it{later}.")
        before[path], after[path] = now, back
    was, stood = (
        {(k.split("|")[0], k.split("|")[1], k.split("|")[2]): v for k, v in record["contracts"][side].items()}
        for side in ("before", "after")
    )
    now_declared = slots(project.agents)
    changed = {p: t for p, t in after.items() if t != before[p]}
    # Only contracts that nobody has changed since must come out as they were.
    known = {k: v for k, v in was.items() if k in now_declared and k in stood and now_declared[k] == stood[k]}
    inverse = tuple(undo.inverse(operations(record["diff"]), was))
    if (why := _used_since(inverse, record, project, door, reach)) is not None:
        return NotTaken("applies", why)
    return Inverse(inverse, Edited({p: before[p] for p in changed}, changed, removed=removed), known)


def _used_since(
    inverse: Sequence[Operation], record: Mapping[str, Any], project: Project, door: FileDoor, reach: Reach
) -> str | None:
    """Who speaks of a name that the commit gave, in files that it did not change; None where nobody does.

    Its text goes back where the commit put it. Code that was written since, elsewhere, would go on with the new name.
    """
    for path in made_by(record):
        if users := [one for one in reach.importing(path) if one.removeprefix(reach.prefix) not in record["files"]]:
            return f"{path} was made by this commit, and {', '.join(users)} imports it by now; change that first."
    try:
        reach.refuse(inverse)
    except Refusal as e:
        return f"{e.reason} ({', '.join(e.lines)})"
    names = [op for op in inverse if isinstance(op, RenameField | RenameMethod)]
    found = DiffApplicator(door.read, project.agents, reach.editable).apply(names) if names else None
    if isinstance(found, Edited) and (more := sorted(found.after.keys() - record["files"].keys())):
        return f"what this commit renamed is used in {', '.join(more)} by now; change that first."
    if isinstance(found, Refused):
        places = [line for line in found.lines if line.rpartition(":")[0] not in record["files"]]
        if places:
            return f"what this commit renamed may be used elsewhere by now ({', '.join(places)}); change that first."
    return None


def made_by(record: Mapping[str, Any]) -> list[str]:
    """The files that a commit made; git may not track them yet."""
    return [path for path, texts in record["files"].items() if texts.get("created")]


def about_undoing(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """What the effect of taking a commit back is about."""
    pid = record["proposal_id"]
    return {
        "proposal_id": pid,
        "proposer": record.get("proposer", ""),
        "summary": f"Undo {pid}: {record.get('summary', '')}".rstrip(": "),
        "diff": record["diff"],
    }
