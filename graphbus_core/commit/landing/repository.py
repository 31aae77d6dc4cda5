"""The git repository that a landing happens in: refs, trees and blobs, read and written by plumbing alone.

Nothing here touches the user's index or working tree but `advance`, which stands in its own module.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from graphbus_core.commit import git
from graphbus_core.errors import UsageError
from graphbus_core.storage.git import run_git

HOOK_S = 300.0
TREE_S = 120.0  # of a command that reads or writes a whole tree
KEPT_TREES = 8
_NAME = re.compile(r"[0-9a-f]{40,64}")  # of what never changes
SUBMODULE, LINK = "160000", "120000"


@dataclass(frozen=True)
class Blob:
    """A file in a tree: its mode, and the name of its content."""

    mode: str
    sha: str


Tree = dict[str, Blob]


class Repository:
    """A working tree and the repository behind it. Raises UsageError for what it cannot stand on, OSError else."""

    def __init__(self, folder: Path) -> None:
        self._trees: dict[str, Tree] = {}
        try:
            self.root = Path(self._run_at(folder, "rev-parse", "--show-toplevel"))
            self.common = Path(self._run_at(folder, "rev-parse", "--path-format=absolute", "--git-common-dir"))
            self.git_dir = Path(self._run_at(folder, "rev-parse", "--absolute-git-dir"))
        except OSError:
            raise UsageError(
                f"{folder} is not in a working tree of git. `graphbus land` lands branches there."
            ) from None

    @staticmethod
    def _run_at(folder: Path, *words: str) -> str:
        return _check(run_git(folder, *words), words).decode(errors="surrogateescape").strip()

    def run(self, *words: str, index: Path | None = None, timeout_s: float = TREE_S) -> str:
        """What a command prints. Raises OSError with what git says."""
        done = run_git(self.root, *words, index=index, timeout_s=timeout_s)
        return _check(done, words).decode(errors="surrogateescape").strip()

    # ---- what stands

    def find_obstacle(self, *, dirty: bool = True) -> str | None:
        """Why nothing can be landed here now, in a sentence; None where nothing stands in the way."""
        if self.run("rev-parse", "--is-bare-repository") == "true":
            return "This repository has no working tree."
        if self.run("rev-parse", "--is-shallow-repository") == "true":
            return "This clone is shallow: where two branches began may lie beyond it. `git fetch --unshallow` helps."
        why = git.find_obstacle(self.root)
        if why is not None:
            return f"Nothing was landed: {why}. End that, or check out a branch."
        if dirty and self.run("status", "--porcelain", "--untracked-files=no"):
            return "Tracked files differ from what is committed. Commit or stash them, then land."
        return None

    def resolve(self, name: str) -> str:
        """The commit of a branch or any other name. Raises UsageError."""
        try:
            return self.run("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
        except OSError:
            raise UsageError(f"There is no branch or commit {name!r} here. `git branch --all` lists them.") from None

    def head_ref(self) -> str:
        """`refs/heads/main`. Raises OSError where HEAD is detached."""
        return self.run("symbolic-ref", "--quiet", "HEAD")

    def merge_bases(self, ours: str, theirs: str) -> list[str]:
        """The newest commits that both stand on; none where the two have no common past."""
        done = run_git(self.root, "merge-base", "--all", ours, theirs)
        return done.stdout.decode().split() if done.returncode == 0 else []

    def read_tree(self, commit: str) -> Tree:
        """Every file of a commit, or of a tree."""
        if commit not in self._trees:
            done = run_git(self.root, "ls-tree", "-r", "-z", "--full-tree", commit, timeout_s=TREE_S)
            tree: Tree = {}
            for row in _check(done, ("ls-tree",)).split(b"\0"):
                if row:
                    about, _, path = row.partition(b"\t")
                    mode, _, sha = about.decode().split()
                    tree[path.decode(errors="surrogateescape")] = Blob(mode, sha)
            if not _NAME.fullmatch(commit):
                return tree  # a branch moves
            self._trees = {**dict([*self._trees.items()][1 - KEPT_TREES :]), commit: tree}
        return {**self._trees[commit]}

    def read_blob(self, blob: Blob | None) -> bytes:
        """A file's content; nothing of one that is not there."""
        if blob is None:
            return b""
        return _check(run_git(self.root, "cat-file", "blob", blob.sha), ("cat-file",))

    def export(self, tree: str, target: Path) -> None:
        """Write a tree to an empty folder, as a checkout would: with the files that an archive leaves out, and without
        git's own. For everybody to read, whoever runs there. Uses `target` with `.index` behind it as scratch."""
        index = target.with_name(f"{target.name}.index")
        try:
            self.run("read-tree", tree, index=index)
            words = ("checkout-index", "--all", "--quiet", "--ignore-skip-worktree-bits", f"--prefix={target}/")
            _check(run_git(self.root, *words, timeout_s=TREE_S, index=index, umask=0o022), words)
        finally:
            index.unlink(missing_ok=True)

    # ---- what is written

    def write_blob(self, data: bytes) -> str:
        """Store a content; gives its name."""
        done = subprocess.run(
            ["git", "-C", str(self.root), "hash-object", "-w", "--stdin"], input=data, capture_output=True, check=False
        )
        return _check(done, ("hash-object",)).decode().strip()

    def write_tree(self, commit: str, changes: Mapping[str, Blob | None], scratch: Path) -> str:
        """The tree of a commit with some files changed (None: the file goes); gives its name."""
        with suppress(FileNotFoundError):
            scratch.unlink()
        self.run("read-tree", commit, index=scratch)
        rows = "".join(
            f"{blob.mode} {blob.sha}\t{path}\0" if blob else f"0 {'0' * 40}\t{path}\0"
            for path, blob in sorted(changes.items())
        )
        environment = {**os.environ, "GIT_INDEX_FILE": str(scratch)}
        done = subprocess.run(
            ["git", "-C", str(self.root), "update-index", "-z", "--index-info"],
            input=rows.encode(errors="surrogateescape"),
            capture_output=True,
            env=environment,
            check=False,
        )
        _check(done, ("update-index",))
        return self.run("write-tree", index=scratch)

    def write_commit(self, tree: str, parents: Sequence[str], message: str, message_file: Path) -> str:
        """A commit of a tree, signed where the user's settings say so. Hooks may change its message, or refuse it."""
        message_file.write_text(message)
        self._run_hook("commit-msg", str(message_file))
        signs = run_git(self.root, "config", "--type=bool", "commit.gpgSign").stdout.strip() == b"true"
        words = ["commit-tree", *(["-S"] if signs else []), "-F", str(message_file)]
        for parent in parents:
            words += ["-p", parent]
        return self.run(*words, tree)

    def run_merge_hook(self, index: Path) -> None:
        """Ask the hook that git asks before a merge is committed. Raises OSError where it refuses."""
        self._run_hook("pre-merge-commit", index=index)

    def _run_hook(self, name: str, *words: str, index: Path | None = None) -> None:
        environment = {**os.environ, **({"GIT_INDEX_FILE": str(index)} if index else {})}
        done = subprocess.run(
            ["git", "-C", str(self.root), "hook", "run", "--ignore-missing", name, *(["--", *words] if words else [])],
            capture_output=True,
            env=environment,
            stdin=subprocess.DEVNULL,
            timeout=HOOK_S,
            check=False,
        )
        if done.returncode != 0:
            said = (done.stderr or done.stdout).decode(errors="replace").strip()
            raise OSError(f"the hook {name} refuses: {said[:500] or f'it ended with {done.returncode}'}")


def _check(done: subprocess.CompletedProcess[bytes], words: Sequence[str]) -> bytes:
    if done.returncode != 0:
        raise OSError(f"git {words[0]}: {(done.stderr.strip() or done.stdout.strip()).decode(errors='replace')}")
    return done.stdout
