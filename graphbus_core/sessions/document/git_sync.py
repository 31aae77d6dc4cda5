"""A negotiation whose directory lies in a git repository that several machines share (issue 19, part 7).

The lock of one machine says nothing to another: there, whoever pushes first is first. So every operation pulls before
it looks, and what it recorded stands only when its push went through. Refused, everything is put back as it was: also
what an agent has written in its files and not handed over yet.

The commit is made beside the user's index and branch, of this folder alone. Nothing of theirs is committed,
and a push that is refused leaves no commit behind.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from graphbus_core.errors import UsageError
from graphbus_core.storage.atomic_files import write_atomic
from graphbus_core.storage.git import run_git

MARK = "git"  # in the hidden folder: this negotiation is shared through git, whoever runs the next command
TIMEOUT_S = 60


class PushRejected(UsageError):
    """Somebody else pushed first: what was done here does not stand."""


@dataclass(frozen=True)
class FolderSnapshot:
    """Every file of the folder, as it was before an operation."""

    files: Mapping[Path, tuple[bytes, int]]


class Clone:
    """One machine's clone of the repository in which `root` lies."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.top = Path(self._run_git("rev-parse", "--show-toplevel").strip())
        self.inside = os.path.relpath(os.path.realpath(root), os.path.realpath(self.top))

    def pull(self) -> list[str]:
        """Bring in what others pushed. Returns files of ours that stood in the way, and where they are kept.

        Raises UsageError where the branch has no upstream, or has commits that were not pushed."""
        upstream = self._find_upstream()
        remote, _, branch = upstream.partition("/")
        self._run_git("fetch", "-q", remote, branch)
        local_head, remote_head = (
            self._run_git("rev-parse", "HEAD").strip(),
            self._run_git("rev-parse", upstream).strip(),
        )
        if local_head == remote_head:
            return []
        if not self._is_ancestor(local_head, remote_head):
            raise UsageError(
                f"{self.top} has commits that are not in {upstream}. Push them first, or use a clone of its own."
            )
        moved_aside = self._set_aside_conflicts(local_head, remote_head)
        self._run_git("merge", "-q", "--ff-only", remote_head)
        return moved_aside

    def _set_aside_conflicts(self, local_head: str, remote_head: str) -> list[str]:
        """What was changed here and by others is theirs to decide: ours is kept beside it."""
        changed = set(
            self._run_git("diff", "--name-only", "-z", local_head, remote_head, "--", self.inside).split("\0")
        )
        status = self._run_git("status", "--porcelain", "-z", "-uall", "--", self.inside).split("\0")
        moved_aside = []
        for line in filter(None, status):
            name = line[3:]
            if name not in changed:
                continue
            path = self.top / name
            if path.exists():
                aside = self.root / ".graphbus" / "aside" / f"mine-{local_head[:8]}-{path.name}"
                aside.parent.mkdir(parents=True, exist_ok=True)
                write_atomic(aside, path.read_bytes())
                moved_aside.append(f"{path.relative_to(self.root)} was changed by others, too: yours is in {aside}")
            if line.startswith("??"):
                path.unlink()
            else:
                self._run_git("checkout", "-q", "HEAD", "--", name)
        return moved_aside

    def take_snapshot(self) -> FolderSnapshot:
        """Everything as it stands, to come back to."""
        files = {}
        for folder, folders, names in os.walk(self.root):
            folders[:] = [f for f in folders if f != ".git"]
            for name in names:
                path = Path(folder) / name
                if path.is_file() and not path.is_symlink():
                    files[path] = (path.read_bytes(), path.stat().st_mode & 0o777)
        return FolderSnapshot(files)

    def restore(self, before: FolderSnapshot) -> None:
        """As it stood before. The lock is left alone: it is held."""
        lock = self.root / ".graphbus" / "lock"
        for path, (data, mode) in before.files.items():
            if path != lock and (not path.exists() or path.read_bytes() != data):
                path.parent.mkdir(parents=True, exist_ok=True)
                write_atomic(path, data)
                path.chmod(mode)
        for path in self.take_snapshot().files.keys() - before.files.keys() - {lock}:
            path.unlink()

    def publish(self, message: str) -> None:
        """Commit the folder and push it. Raises Lost where somebody was first, UsageError where it did not get there;
        then nothing was committed."""
        upstream = self._find_upstream()
        remote, _, branch = upstream.partition("/")
        head = self._run_git("rev-parse", "HEAD").strip()
        with tempfile.TemporaryDirectory() as folder:
            index = Path(folder) / "index"
            self._run_git("read-tree", head, index=index)
            self._run_git("add", "-A", "--", self.inside, index=index)
            tree = self._run_git("write-tree", index=index).strip()
        if tree == self._run_git("rev-parse", f"{head}^{{tree}}").strip():
            return
        user_email = self._call_git("config", "user.email")[1].strip()
        who = [] if user_email else ["-c", "user.name=graphbus", "-c", "user.email=graphbus@localhost"]
        commit = self._run_git(*who, "commit-tree", tree, "-p", head, "-m", message).strip()
        returncode, _, why = self._call_git("push", "-q", remote, f"{commit}:refs/heads/{branch}")
        if returncode:
            if any("rejected" in line or "fetch first" in line or "cannot lock ref" in line for line in why):
                raise PushRejected(
                    "Somebody else pushed first, so this does not stand. Nothing of yours is lost: run it again."
                )
            raise UsageError(f"Nothing was done: the push did not get through ({why[-1]}). Run it again.")
        self._run_git("update-ref", "-m", message, "HEAD", commit, head)
        self._run_git("update-ref", f"refs/remotes/{upstream}", commit)
        self._run_git("reset", "-q", "--", self.inside)

    def _find_upstream(self) -> str:
        returncode, upstream, _ = self._call_git("rev-parse", "--abbrev-ref", "@{upstream}")
        if returncode:
            raise UsageError(
                f"{self.top} is on a branch without an upstream: push it once with `git push -u origin BRANCH`."
            )
        return upstream.strip()

    def _is_ancestor(self, ancestor: str, descendant: str) -> bool:
        return self._call_git("merge-base", "--is-ancestor", ancestor, descendant)[0] == 0

    def _run_git(self, *words: str, index: Path | None = None) -> str:
        returncode, printed, why = self._call_git(*words, index=index)
        if returncode:
            raise UsageError(f"git {words[0]} failed in {self.root}: {why[-1]}. --git needs a clone with an upstream.")
        return printed

    def _call_git(self, *words: str, index: Path | None = None) -> tuple[int, str, list[str]]:
        """How git ended, what it printed, and the lines in which it says why."""
        where = self.root if self.root.is_dir() else self.root.parent
        try:
            process = run_git(getattr(self, "top", where), *words, timeout_s=TIMEOUT_S, index=index)
        except FileNotFoundError:
            raise UsageError("--git needs git on the PATH, and it is not there.") from None
        except OSError as e:
            raise UsageError(f"{e}. Nothing was done; run it again.") from None
        why = process.stderr.decode("utf-8", "replace").strip().splitlines()
        return process.returncode, os.fsdecode(process.stdout), why or ["git said nothing"]


def share(root: Path) -> None:
    """Have everybody who works in this directory pull and push. Raises UsageError where it is in no clone, or was
    opened without git."""
    root.parent.mkdir(parents=True, exist_ok=True)
    clone = Clone(root)
    clone.pull()
    mark = root / ".graphbus" / MARK
    if mark.exists():
        return
    if (root / ".graphbus").exists() or (root / "meta.md").exists():
        raise UsageError(f"{root} was opened without --git. Go on without it there, or open another directory.")
    mark.parent.mkdir(parents=True)
    write_atomic(mark, b"Shared through git: every command here pulls first, and pushes what it records.\n")
