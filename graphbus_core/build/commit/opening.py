"""What must be so before the first commit: a settled folder, a clean working tree for `--git`, a copy for a dry run."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack, suppress
from hashlib import sha256
from pathlib import Path

from graphbus_core.build.commit import git
from graphbus_core.build.confine.outcome import Refusal
from graphbus_core.build.confine.sandbox import Protection
from graphbus_core.build.confine.scratch import copy_tree
from graphbus_core.build.scan import Project
from graphbus_core.config import BuildConfig
from graphbus_core.errors import UsageError
from graphbus_core.files.private import private_folder
from graphbus_core.files.whole import put_whole
from graphbus_core.negotiation.proposal.weighed.digests import ABSENT, symbol_digest


def copy_for_dry_run(stack: ExitStack, project: Project, state: Path) -> tuple[Project, Path]:
    """A copy of the project that lives as long as `stack`, and the output folder beside it. Raises UsageError."""
    try:
        folder = stack.enter_context(private_folder("dry-run"))
        copy_tree(project.root, folder / "project", state, project.files)
    except Refusal as e:
        raise UsageError(f"A dry run needs a copy, and {e.reason}") from None
    except OSError as e:
        raise UsageError(
            f"A dry run needs a copy, and none could be made: {e}. Make room in the folder for temporary files, or "
            "set TMPDIR to another."
        ) from None
    state = folder / "state"
    state.mkdir()
    return project.again(folder / "project"), state


def check_git(project: Project, config: BuildConfig) -> None:
    """Raises UsageError where `--git` cannot make its commits."""
    try:
        dirty, obstacle = git.is_dirty(project.root), git.obstacle(project.root)
    except OSError as e:
        raise UsageError(f"--git needs a git working tree at {project.root}: {e}") from None
    if obstacle is not None:
        raise UsageError(
            f"--git makes a commit for each proposal, and {obstacle}. End it or switch to a branch, then build again. "
            "Or leave --git out."
        )
    if dirty and not config.allow_dirty:
        raise UsageError(
            "--git makes one commit for each proposal, and the working tree has changes that are not committed. "
            "Commit or stash them, or say --allow-dirty."
        )


def moved(project: Project, base: Mapping[str, str]) -> list[str]:
    """The symbols that are no longer what a proposal rests on."""
    agents = {a.name: a for a in project.everyone}
    found = []
    for symbol, digest in base.items():
        name = symbol.partition(" -> ")[0]
        while name and name not in agents:
            name = name.rpartition(".")[0]
        if (symbol_digest(agents[name], symbol) if name else ABSENT) != digest:
            found.append(symbol)
    return found


def confined(state: Path, by: Protection) -> str:
    """What confines unreviewed code: the whole paragraph where a project hears it first or it changed, else a line."""
    mark, digest = state / "confined", sha256(str(by).encode()).hexdigest()
    with suppress(OSError):  # nothing rests on it
        if mark.is_file() and mark.read_text("ascii", "replace") == digest:
            return f"Unreviewed code runs confined by {by.kind}."
        put_whole(mark, digest.encode())
    return f"Unreviewed code runs confined by {by}"
