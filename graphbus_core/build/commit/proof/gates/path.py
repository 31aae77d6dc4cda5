"""Path: the door lets each changed file through."""

from __future__ import annotations

from graphbus_core.build.commit import git
from graphbus_core.build.commit.proof.gate_ends import Said, proved, refused
from graphbus_core.build.commit.proof.trial import Gate, Trial


def ask(trial: Trial) -> Said:
    """No link on the way, no file that decides how code is found or tested, none that its owner has shut; and, where
    git is to commit, none with lines that its owner has not committed."""
    for path in trial.files:
        made = path in trial.applied.created
        if (why := trial.door.refuse_making(path) if made else trial.door.refuse_writing(path)) is not None:
            return refused(why)
    if trial.config.git_commit and not trial.config.dry_run and (why := _in_git(trial)) is not None:
        return refused(why)
    return proved()


def _in_git(trial: Trial) -> str | None:
    """Why a git commit of these files would take more along than the change; None where it would not."""
    try:
        if (obstacle := git.obstacle(trial.project.root)) is not None:
            return f"--git cannot make its commit: {obstacle}."
        mine = git.uncommitted(trial.project.root, trial.files)
        if out := git.ignored(trial.project.root, trial.files):
            return f"{', '.join(out)}: git ignores it, so --git can make no commit of it. Track it, or leave --git out."
    except OSError as e:
        return f"--git cannot make its commit: {e}."
    if not mine:
        return None
    return (
        f"{', '.join(mine)}: there are lines that you have not committed, and a commit of --git would take them along. "
        "Commit or stash them first."
    )


GATE = Gate("path", ask)
