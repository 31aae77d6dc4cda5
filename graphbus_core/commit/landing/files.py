"""One file that both sides changed: which road its merge takes, and what comes of it.

Python goes by structure; TOML and JSON by key; what both sides only added lines to, by union; everything else by git's
own merge of lines, which must be without a conflict. For Python, what git merges by lines is one more candidate.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from graphbus_core.editing.structural_merge import Candidate, Conflict, merge_sources
from graphbus_core.editing.structural_merge.lines import merge_lines
from graphbus_core.editing.structural_merge.promises import Promise, Promises
from graphbus_core.model.edit_outcome import Refusal

MAX_LINES = 20_000  # of a file whose lines are merged by union
_GONE = object()


@dataclass(frozen=True)
class FileMerge:
    """What became of a file: candidates, of which the first holds every promise, or why there is none."""

    path: str
    candidates: tuple[Candidate, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    broken: tuple[Promise, ...] = ()  # of the candidate that held most, where none held all
    is_sound: Callable[[Candidate], bool] = lambda candidate: True  # whether one of them holds every promise

    @property
    def sound(self) -> list[Candidate]:
        """The candidates that hold every promise."""
        return [candidate for candidate in self.candidates if self.is_sound(candidate)]


def merge_file(path: str, base: bytes, ours: bytes, theirs: bytes) -> FileMerge:
    """Merge one file that both sides changed."""
    if ours == theirs:
        return FileMerge(path, (Candidate(ours),))
    if path.endswith((".py", ".pyi")):
        return _merge_python(path, base, ours, theirs)
    if b"\0" in base + ours + theirs:
        return FileMerge(path, (), (_conflict(path, "both sides changed a file that is not text"),))
    merged = merge_by_lines(base, ours, theirs)
    if merged is None and path.endswith((".json", ".toml")):
        merged = _merge_by_key(path, base, ours, theirs)
    if merged is None:
        merged = _merge_added(base, ours, theirs)
    if merged is None:
        return FileMerge(path, (), (_conflict(path, "both sides changed the same lines"),))
    return FileMerge(path, (Candidate(merged),))


def _merge_python(path: str, base: bytes, ours: bytes, theirs: bytes) -> FileMerge:
    try:
        merged = merge_sources(base, ours, theirs, path)
    except Refusal as e:
        return FileMerge(path, (), (_conflict(path, f"{e.reason} A file that does not parse is not merged"),))
    candidates = {c.data: c for c in merged.candidates}
    if not merged.conflicts:
        lines = merge_by_lines(base, ours, theirs)
        if lines is not None:
            candidates.setdefault(lines, Candidate(lines, ordered=merged.candidates[0].ordered if candidates else ()))
    promises = Promises(base, ours, theirs, path)

    @cache
    def find_problems(candidate: Candidate) -> list[Promise]:
        try:
            return promises.find_broken(candidate.data)
        except Refusal as e:
            return [Promise("edit", "module", e.reason)]

    waiting = list(candidates.values())
    broken = []
    while waiting and find_problems(waiting[0]):  # the others are held against the promises when they are needed
        broken.append(find_problems(waiting.pop(0)))
    least = min(broken, key=len, default=[])
    told = () if waiting else tuple(least)
    return FileMerge(path, tuple(waiting), merged.conflicts, told, lambda candidate: not find_problems(candidate))


def _conflict(path: str, reason: str) -> Conflict:
    return Conflict(path, reason, 1, "", "", "")


def merge_by_lines(base: bytes, ours: bytes, theirs: bytes) -> bytes | None:
    """What git makes of it by lines; None where it finds a conflict."""
    with tempfile.TemporaryDirectory(prefix="graphbus-lines-") as folder:
        files = []
        for name, data in (("ours", ours), ("base", base), ("theirs", theirs)):
            file = Path(folder) / name
            file.write_bytes(data)
            files.append(str(file))
        done = subprocess.run(["git", "merge-file", "-p", "-q", *files], capture_output=True, check=False)
    return done.stdout if done.returncode == 0 else None


def _merge_added(base: bytes, ours: bytes, theirs: bytes) -> bytes | None:
    """Both additions, where at each place only one side rewrote lines: a changelog, a list of names."""
    try:
        three = [data.decode().splitlines(keepends=True) for data in (base, ours, theirs)]
    except UnicodeDecodeError:
        return None
    if max(map(len, three)) > MAX_LINES:
        return None
    merged = merge_lines(*three)
    return None if merged is None else "".join(merged).encode()


# ---- by key


def _merge_by_key(path: str, base: bytes, ours: bytes, theirs: bytes) -> bytes | None:
    """A table whose keys each only one side changed, written as ours is; None where that cannot be told or written."""
    read = json.loads if path.endswith(".json") else _read_toml
    try:
        values = [read(data) for data in (base or b"{}", ours, theirs)]
    except (ValueError, UnicodeDecodeError):
        return None
    merged = _merge_values(*values)
    if merged is _GONE or merged is None:
        return None
    if path.endswith(".json"):
        indent = next(
            (len(line) - len(line.lstrip()) for line in ours.decode().splitlines() if line[:1] in " \t"), None
        )
        end = "\n" if ours.endswith(b"\n") else ""
        return (json.dumps(merged, indent=indent, ensure_ascii=False) + end).encode()
    union = _merge_added(base, ours, theirs)
    return union if union is not None and _reads_as(union, merged) else None


def _read_toml(data: bytes) -> dict[str, Any]:
    return tomllib.loads(data.decode())


def _reads_as(data: bytes, value: object) -> bool:
    try:
        return _read_toml(data) == value
    except (ValueError, UnicodeDecodeError):
        return False


def _merge_values(base: Any, ours: Any, theirs: Any) -> Any:
    """Three values as one; `_GONE` where both sides changed one that has no keys."""
    if ours == theirs or theirs == base:
        return ours
    if ours == base:
        return theirs
    if not all(isinstance(v, Mapping) for v in (ours, theirs)) or not isinstance(base, Mapping | None.__class__):
        return _GONE
    merged = {}
    old = base or {}
    for key in [*ours, *(k for k in theirs if k not in ours)]:
        value = _merge_values(old.get(key), ours.get(key), theirs.get(key))
        if value is _GONE:
            return _GONE
        if not (value is None and (key not in ours or key not in theirs)):
            merged[key] = value
    return merged
