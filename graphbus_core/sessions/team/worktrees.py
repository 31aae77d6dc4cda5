"""The working trees of a team, read and never written: what each seat's files differ in from what all land on.

A seat may be in the middle of an edit. So files are read as they stand, committed or not, and git is asked in a way
that takes no lock and refreshes no index.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from graphbus_core.analysis.references import read_references
from graphbus_core.analysis.symbols import TextFiles
from graphbus_core.commit.landing.repository import Repository
from graphbus_core.errors import UsageError
from graphbus_core.negotiation.team.plan import REMOVE, RENAME, Change
from graphbus_core.sessions.team.symbol_changes import compare_sources
from graphbus_core.sessions.team.usage import Usage
from graphbus_core.storage.git import run_git

MAX_FILES = 20_000  # Python files of a project
MAX_BYTES = 2_000_000  # of one file


@dataclass(frozen=True)
class Diff:
    """What a seat's files differ in. `before`, `after`: the Python files that differ; None: not there."""

    tip: str
    base: str  # the newest commit that it has in common with what all land on
    before: Mapping[str, bytes | None] = field(default_factory=dict)
    after: Mapping[str, bytes | None] = field(default_factory=dict)
    note: str = ""

    @property
    def digest(self) -> str:
        """The same for the same state of the files."""
        content = hashlib.blake2b(f"{self.tip} {self.base} {self.note}".encode(), digest_size=16)
        for path, data in sorted(self.after.items()):
            content.update(path.encode(errors="surrogateescape") + b"\0")
            content.update(b"-" if data is None else hashlib.blake2b(data, digest_size=16).digest())
        return content.hexdigest()


def list_worktrees(repository: Repository) -> dict[str, str]:
    """Path -> branch of every working tree that git knows; "" for a detached head."""
    trees: dict[str, str] = {}
    path = ""
    for row in repository.run("worktree", "list", "--porcelain", "-z").split("\0"):
        key, _, value = row.partition(" ")
        if key == "worktree":
            path = value
            trees[path] = ""
        elif key == "branch":
            trees[path] = value.removeprefix("refs/heads/")
    return trees


def find_tip(repository: Repository, branch: str) -> str | None:
    """The commit of a branch; None where it is gone."""
    try:
        return repository.run("rev-parse", "--verify", "--quiet", f"refs/heads/{branch}^{{commit}}")
    except OSError:
        return None


def read_diff(repository: Repository, worktree: Path, branch: str, onto: str, last_tip: str) -> Diff | None:
    """What a seat's branch and working tree differ in from `onto`; None where its branch is gone."""
    tip = find_tip(repository, branch)
    if tip is None:
        return None
    bases = repository.merge_bases(onto, tip)
    if not bases:
        return Diff(tip, "", note=f"its branch {branch} has nothing in common with what all land on any more")
    notes = []
    if last_tip and last_tip != tip and last_tip not in repository.merge_bases(last_tip, tip):
        notes.append(f"its branch {branch} was rewritten")
    is_there = worktree.is_dir() and list_worktrees(repository).get(str(worktree)) == branch
    if not is_there:
        notes.append(
            f"its working tree {worktree} is gone, or on another branch: what was not committed cannot be seen"
        )
    paths = list(_iter_changed(worktree if is_there else repository.root, bases[0], None if is_there else tip))
    old = repository.read_tree(bases[0])
    before = {path: repository.read_blob(old[path]) if path in old else None for path in paths}
    if is_there:
        after = {path: _read_file(worktree / path) for path in paths}
    else:
        new = repository.read_tree(tip)
        after = {path: repository.read_blob(new[path]) if path in new else None for path in paths}
    differing = [path for path in paths if before[path] != after[path]]
    return Diff(tip, bases[0], {p: before[p] for p in differing}, {p: after[p] for p in differing}, "; ".join(notes))


def _iter_changed(folder: Path, base: str, tip: str | None) -> Iterator[str]:
    ends = [base] if tip is None else [base, tip]
    out = _ask(folder, "diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", *ends, "--", "*.py", "*.pyi")
    yield from out
    if tip is None:
        yield from _ask(folder, "ls-files", "-z", "--others", "--exclude-standard", "--", "*.py", "*.pyi")


def _ask(folder: Path, *words: str) -> list[str]:
    done = run_git(folder, *words)
    if done.returncode != 0:
        raise OSError(f"git {words[0]}: {done.stderr.decode(errors='replace').strip()}")
    return [row.decode(errors="surrogateescape") for row in done.stdout.split(b"\0") if row]


def _read_file(path: Path) -> bytes | None:
    try:
        return path.read_bytes() if path.is_file() and not path.is_symlink() else None
    except OSError:
        return None


def read_python_files(worktree: Path) -> dict[str, bytes]:
    """Every Python file of a working tree, as it stands now; bounded."""
    names = _ask(worktree, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", "*.py", "*.pyi")
    if len(names) > MAX_FILES:
        raise UsageError(f"{worktree} has more than {MAX_FILES} Python files. A team needs a smaller project.")
    files = {name: _read_file(worktree / name) for name in dict.fromkeys(names)}
    return {name: data for name, data in files.items() if data is not None and len(data) <= MAX_BYTES}


def read_tree_files(repository: Repository, commit: str) -> dict[str, bytes]:
    """Every Python file of a commit."""
    tree = repository.read_tree(commit)
    return {path: repository.read_blob(blob) for path, blob in tree.items() if path.endswith((".py", ".pyi"))}


def describe_diff(
    diff: Diff,
    files: Mapping[str, bytes],
    known: Mapping[str, tuple[Change, ...]],
    worktree: Path | None = None,
) -> tuple[tuple[Change, ...], dict[str, str]]:
    """The changes of symbols that a diff makes, and what the touched definitions rely on, with the place.

    `known`: what was last seen in a file, which counts while that file does not parse. `worktree`: where they lie."""
    changes: list[Change] = []
    uses: dict[str, str] = {}
    texts = {**files, **{path: data for path, data in diff.after.items() if data is not None}}
    with Usage(texts, worktree if diff.after else None) as usage:
        for path in diff.after:
            before, after = diff.before[path] or b"", diff.after[path] or b""
            try:
                found = tuple(compare_sources(path, before, after))
            except (SyntaxError, ValueError, RecursionError):
                found = known.get(path, ())
            changes += found
            for change in found:
                name = change.symbol.rpartition("::")[2]
                for symbol, place in usage.find_reliance(path, name) if change.kind not in (REMOVE, RENAME) else ():
                    uses.setdefault(symbol, place)
            for symbol, place in _find_new_at_top(usage, path, before):
                uses.setdefault(symbol, place)
    own = {change.symbol for change in changes}
    return tuple(changes), {symbol: place for symbol, place in uses.items() if symbol not in own}


def _find_new_at_top(usage: Usage, path: str, before: bytes) -> Iterator[tuple[str, str]]:
    """What statements of the module itself rely on that they did not before."""
    references = read_references(path, TextFiles({path: before}).read_tree(path))
    old = {ast.dump(reference.node) for reference in references if not reference.scope}
    yield from (pair for use, pair in usage.find_reliance_at_top(path) if ast.dump(use.node) not in old)
