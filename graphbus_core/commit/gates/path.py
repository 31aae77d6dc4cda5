"""Path: the door lets each changed file through."""

from __future__ import annotations

from graphbus_core.commit import git
from graphbus_core.commit.gates.trial import Gate, GateAnswer, Trial, report_proved, report_refused


def ask(trial: Trial) -> GateAnswer:
    """No link on the way, no file that decides how code is found or tested, none that its owner has shut; and, where
    git is to commit, none with lines that its owner has not committed."""
    for path in trial.files:
        is_created = path in trial.applied.created
        if (
            why := trial.door.explain_creation_refusal(path) if is_created else trial.door.explain_write_refusal(path)
        ) is not None:
            return report_refused(why)
    if trial.config.git_commit and not trial.config.dry_run and (why := _explain_git_obstacle(trial)) is not None:
        return report_refused(why)
    return report_proved()


def _explain_git_obstacle(trial: Trial) -> str | None:
    """Why a git commit of these files would take more along than the change; None where it would not."""
    try:
        if (obstacle := git.find_obstacle(trial.project.root)) is not None:
            return f"--git cannot make its commit: {obstacle}."
        mine = git.list_uncommitted(trial.project.root, trial.files)
        if out := git.list_ignored(trial.project.root, trial.files):
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
