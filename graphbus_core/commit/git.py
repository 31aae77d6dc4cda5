"""One git commit for each committed proposal, only where it was asked for (design §7).

Never another branch, never a remote, never a file that the proposal did not change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from graphbus_core.storage.git import run_git

FAILED = "the git commit failed"


def is_dirty(root: Path) -> bool:
    """Whether tracked files differ from what is committed. Raises OSError where this is not a git working tree."""
    return bool(_run_git(root, "status", "--porcelain", "--untracked-files=no").strip())


_UNDER_WAY = {
    "MERGE_HEAD": "a merge",
    "rebase-merge": "a rebase",
    "rebase-apply": "a rebase",
    "CHERRY_PICK_HEAD": "a cherry-pick",
    "REVERT_HEAD": "a revert",
    "BISECT_LOG": "a bisection",
}


def find_obstacle(root: Path) -> str | None:
    """What is under way in the repository, in which a commit of ours would get lost or mixed; None where nothing is.

    Raises OSError where this is not a git working tree.
    """
    folder = Path(_run_git(root, "rev-parse", "--absolute-git-dir").strip())
    for name, what in _UNDER_WAY.items():
        if (folder / name).exists():
            return f"{what} is under way"
    try:
        _run_git(root, "symbolic-ref", "--quiet", "HEAD")
    except OSError:
        return "HEAD is detached: a commit would be on no branch"
    return None


def list_uncommitted(root: Path, files: Sequence[str]) -> list[str]:
    """Those of `files` that differ from what is committed, or are not tracked. Raises OSError."""
    status_output = _run_git(root, "status", "--porcelain", "-z", "--no-renames", "--", *files)
    inner = _run_git(root, "rev-parse", "--show-prefix").strip()
    return [line[3:].removeprefix(inner) for line in status_output.split("\0") if line]


def list_ignored(root: Path, files: Sequence[str]) -> list[str]:
    """Those of `files` that git neither tracks nor may track. Raises OSError."""
    result = run_git(root, "-c", "core.quotePath=false", "check-ignore", "--", *files)
    if result.returncode > 1:  # 1: none of them
        raise OSError(f"git check-ignore: {result.stderr.strip().decode(errors='replace')}")
    return result.stdout.decode(errors="surrogateescape").splitlines()


def commit_files(root: Path, files: Sequence[str], about: Mapping[str, Any]) -> str | None:
    """Commit these files alone, with trailers. None where they are committed already; raises OSError."""
    if not _run_git(root, "status", "--porcelain", "--", *files).strip():
        return None
    if (why := find_obstacle(root)) is not None:  # the gates take minutes, and people go on with their work
        raise OSError(why)
    try:
        _run_git(root, "add", "--", *files)
        _run_git(root, "commit", "--quiet", "--no-verify", "--only", "-m", build_message(about), "--", *files)
    except OSError:
        _run_git(root, "reset", "--quiet", "--", *files)  # the index is the user's: what is not committed is not staged
        raise
    return _run_git(root, "rev-parse", "HEAD").strip()


def build_message(about: Mapping[str, Any]) -> str:
    """Subject, reason and trailers."""
    pid = _flatten(about.get("proposal_id", ""))
    subject = _flatten(about.get("summary") or f"Apply proposal {pid}")[:120]
    reason = "\n".join(line.rstrip() for line in str(about.get("rationale") or "").splitlines()).strip()
    trailers = [f"Proposal: {pid}", f"Proposed-by: {_flatten(about.get('proposer', ''))}"]
    decisions = {
        e.get("agent", e.get("evaluator")): e.get("decision")
        for e in about.get("evaluations") or ()
        if isinstance(e, Mapping)
    }
    for name in about.get("evaluators") or ():
        decision = decisions.get(name)
        trailers.append(f"Evaluated-by: {_flatten(name)}{f' ({_flatten(decision)})' if decision else ''}")
    if about.get("consensus"):
        arbiter = about.get("arbiter")
        trailers.append(f"Decision: {_flatten(about['consensus'])}{f' ({_flatten(arbiter)})' if arbiter else ''}")
    return "\n\n".join(part for part in (subject, reason, "\n".join(trailers)) if part) + "\n"


def _flatten(text: Any) -> str:
    return " ".join(str(text).split())


def _run_git(root: Path, *args: str) -> str:
    result = run_git(root, *args)
    if result.returncode != 0:
        raise OSError(f"git {args[0]}: {(result.stderr.strip() or result.stdout.strip()).decode(errors='replace')}")
    return result.stdout.decode(errors="surrogateescape")
