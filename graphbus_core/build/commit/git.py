"""One git commit for each committed proposal, only where it was asked for (design §7).

Never another branch, never a remote, never a file that the proposal did not change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from graphbus_core.files.git import run_git

FAILED = "the git commit failed"


def is_dirty(root: Path) -> bool:
    """Whether tracked files differ from what is committed. Raises OSError where this is not a git working tree."""
    return bool(_git(root, "status", "--porcelain", "--untracked-files=no").strip())


_UNDER_WAY = {
    "MERGE_HEAD": "a merge",
    "rebase-merge": "a rebase",
    "rebase-apply": "a rebase",
    "CHERRY_PICK_HEAD": "a cherry-pick",
    "REVERT_HEAD": "a revert",
    "BISECT_LOG": "a bisection",
}


def obstacle(root: Path) -> str | None:
    """What is under way in the repository, in which a commit of ours would get lost or mixed; None where nothing is.

    Raises OSError where this is not a git working tree.
    """
    folder = Path(_git(root, "rev-parse", "--absolute-git-dir").strip())
    for name, what in _UNDER_WAY.items():
        if (folder / name).exists():
            return f"{what} is under way"
    try:
        _git(root, "symbolic-ref", "--quiet", "HEAD")
    except OSError:
        return "HEAD is detached: a commit would be on no branch"
    return None


def uncommitted(root: Path, files: Sequence[str]) -> list[str]:
    """Those of `files` that differ from what is committed, or are not tracked. Raises OSError."""
    told = _git(root, "status", "--porcelain", "-z", "--no-renames", "--", *files)
    inner = _git(root, "rev-parse", "--show-prefix").strip()
    return [line[3:].removeprefix(inner) for line in told.split("\0") if line]


def ignored(root: Path, files: Sequence[str]) -> list[str]:
    """Those of `files` that git neither tracks nor may track. Raises OSError."""
    told = run_git(root, "-c", "core.quotePath=false", "check-ignore", "--", *files)
    if told.returncode > 1:  # 1: none of them
        raise OSError(f"git check-ignore: {told.stderr.strip().decode(errors='replace')}")
    return told.stdout.decode(errors="surrogateescape").splitlines()


def commit(root: Path, files: Sequence[str], about: Mapping[str, Any]) -> str | None:
    """Commit these files alone, with trailers. None where they are committed already; raises OSError."""
    if not _git(root, "status", "--porcelain", "--", *files).strip():
        return None
    if (why := obstacle(root)) is not None:  # the gates take minutes, and people go on with their work
        raise OSError(why)
    try:
        _git(root, "add", "--", *files)
        _git(root, "commit", "--quiet", "--no-verify", "--only", "-m", message(about), "--", *files)
    except OSError:
        _git(root, "reset", "--quiet", "--", *files)  # the index is the user's: what is not committed is not staged
        raise
    return _git(root, "rev-parse", "HEAD").strip()


def message(about: Mapping[str, Any]) -> str:
    """Subject, reason and trailers."""
    pid = _line(about.get("proposal_id", ""))
    subject = _line(about.get("summary") or f"Apply proposal {pid}")[:120]
    reason = "\n".join(line.rstrip() for line in str(about.get("rationale") or "").splitlines()).strip()
    trailers = [f"Proposal: {pid}", f"Proposed-by: {_line(about.get('proposer', ''))}"]
    said = {
        e.get("agent", e.get("evaluator")): e.get("decision")
        for e in about.get("evaluations") or ()
        if isinstance(e, Mapping)
    }
    for name in about.get("evaluators") or ():
        decision = said.get(name)
        trailers.append(f"Evaluated-by: {_line(name)}{f' ({_line(decision)})' if decision else ''}")
    if about.get("consensus"):
        arbiter = about.get("arbiter")
        trailers.append(f"Decision: {_line(about['consensus'])}{f' ({_line(arbiter)})' if arbiter else ''}")
    return "\n\n".join(part for part in (subject, reason, "\n".join(trailers)) if part) + "\n"


def _line(text: Any) -> str:
    return " ".join(str(text).split())


def _git(root: Path, *args: str) -> str:
    done = run_git(root, *args)
    if done.returncode != 0:
        raise OSError(f"git {args[0]}: {(done.stderr.strip() or done.stdout.strip()).decode(errors='replace')}")
    return done.stdout.decode(errors="surrogateescape")
