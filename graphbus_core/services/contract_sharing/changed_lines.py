"""Which lines of a repository's code this checkout changes, by git.

Against the branch that counts; where that is checked out, against the commit before."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from graphbus_core.errors import ContractError
from graphbus_core.storage.git import run_git

FETCH_S = 120.0
_BASE = "refs/graphbus/base"
_HUNK = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")


@dataclass(frozen=True)
class Hunk:
    """A run of lines that changed: `count` lines from `line` stand where `before` stood."""

    line: int
    count: int
    before: bytes

    @property
    def lines(self) -> range:
        """The lines as they are numbered now."""
        return range(self.line, self.line + self.count)


def find_changes(folder: Path, *, fetch: bool = True) -> dict[str, list[Hunk]] | None:
    """What changed in each file, by its path below the folder; None where git cannot say since when.

    Files that git does not know yet are wholly new. Raises ContractError."""
    base = find_base(folder, fetch)
    if base is None:
        return None
    words = ("diff", "--unified=0", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", "--relative")
    diff = _ask(folder, *words, "--src-prefix=a/", "--dst-prefix=b/", base, "--")
    if diff is None:
        raise ContractError(f"git does not say what {folder} changed since {base[:9]}.")
    changes = _read_diff(diff)
    for name in list_python_files(folder, "--others"):
        changes[name] = [Hunk(1, (folder / name).read_bytes().count(b"\n") + 1, b"")]
    return changes


def read_before(folder: Path, names: Iterable[str]) -> dict[str, str | None]:
    """The text of files as it was before this change, as far as it is text; None for those that are new."""
    base = find_base(folder, fetch=False)
    shown = {name: _ask(folder, "show", f"{base}:./{name}") for name in names} if base is not None else {}
    return {name: None if data is None else data.decode("utf-8", "replace") for name, data in shown.items()}


def find_meant(folder: Path, name: str) -> str:
    """The commit of this change that says of a contract that what is sent is meant (`Meant: NAME` as a trailer of its
    message); "" where none does."""
    base = find_base(folder, fetch=False)
    form = "--format=%h %(trailers:key=Meant,valueonly,separator=%x20)"
    said = _ask(folder, "log", form, f"{base}..HEAD") if base is not None else b""
    lines = (line.split() for line in (said or b"").decode("utf-8", "replace").splitlines())
    return next((words[0] for words in lines if name in words[1:]), "")


def list_python_files(folder: Path, *which: str) -> list[str]:
    """The Python files below a folder that git knows, or `--others` that it does not ignore."""
    listed = _ask(folder, "ls-files", *which, "--exclude-standard", "-z") or b""
    return [name for name in listed.decode("utf-8", "surrogateescape").split("\0") if name.endswith(".py")]


def find_base(folder: Path, fetch: bool) -> str | None:
    """The commit that this checkout is a change of."""
    head = _read_commit(folder, "HEAD")
    if head is None:
        return None
    if fetch:
        # Two commits are enough for a checkout of CI that has one; a whole clone is left whole.
        shallow = _ask(folder, "rev-parse", "--is-shallow-repository") == b"true\n"
        depth = ["--depth=2"] if shallow else []
        _ask(folder, "fetch", "--quiet", "--no-tags", *depth, "origin", f"+HEAD:{_BASE}")
    counts = next(filter(None, (_read_commit(folder, ref) for ref in (_BASE, "refs/remotes/origin/HEAD"))), None)
    if counts is None or counts == head:
        return _read_commit(folder, "HEAD^")
    merged = _ask(folder, "merge-base", counts, head)
    return merged.decode().strip() if merged else counts


def _read_commit(folder: Path, ref: str) -> str | None:
    found = _ask(folder, "rev-parse", "--verify", "--quiet", f"{ref}^{{commit}}")
    return found.decode().strip() if found else None


def _ask(folder: Path, *words: str) -> bytes | None:
    try:
        done = run_git(folder, *words, timeout_s=FETCH_S)
    except OSError:
        return None
    return done.stdout if done.returncode == 0 else None


def _read_diff(diff: bytes) -> dict[str, list[Hunk]]:
    changes: dict[str, list[Hunk]] = {}
    hunks: list[Hunk] = []
    taken_out = added = 0  # lines of this hunk that are still to come
    for line in diff.splitlines(keepends=True):
        if taken_out or added:
            if line.startswith(b"-"):
                taken_out -= 1
                hunks[-1] = Hunk(hunks[-1].line, hunks[-1].count, hunks[-1].before + line[1:])
            elif line.startswith(b"+"):
                added -= 1
        elif line.startswith(b"+++ "):
            name = line[4:].rstrip(b"\r\n\t")
            hunks = []
            if name.startswith(b"b/"):
                changes[name[2:].decode("utf-8", "surrogateescape")] = hunks
        elif match := _HUNK.match(line):
            taken_out, start, added = int(match[2] or 1), int(match[3]), int(match[4] or 1)
            # Of a hunk that only takes out, git names the line before.
            hunks.append(Hunk(start if added else start + 1, added, b""))
    return changes
