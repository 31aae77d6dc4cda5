"""Limits: how many files may change, which are protected, no new dependency, and no test that says less."""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any

from graphbus_core.analysis.scan import Project
from graphbus_core.analysis.scan.modules import ModuleTable
from graphbus_core.commit.gates.pytest_suite import find_weakened_tests
from graphbus_core.commit.gates.trial import Gate, GateAnswer, Trial, report_proved, report_refused
from graphbus_core.editing.import_statements import explain_new_dependencies, is_known_module
from graphbus_core.editing.scope import MAX_FOLLOWED, is_test_file
from graphbus_core.negotiation.proposal.config import find_protecting_pattern


def ask(trial: Trial) -> GateAnswer:
    """The bounds of the negotiation, then what the changed files import."""
    owners = {a.source_file for a in trial.project.agents}
    root = trial.project.root
    changed = [p for p in trial.limits.get("files_changed") or () if p in owners or not (root / p).is_file()]
    why = (
        explain_protected(trial.files, trial.limits)
        or explain_exceeded_limit(
            [path for path in trial.files if path in owners or path in trial.applied.created],
            {**trial.limits, "files_changed": changed},
        )
        or explain_followed_too_far(trial.files, owners)
    )
    if why is None and not trial.limits.get("allow_external_dependencies"):
        why = _explain_new_imports(trial)
    if why is not None:
        return report_refused(why)
    lost = find_weakened_tests(trial.applied.before, trial.applied.after, trial.applied.created)
    if lost and not trial.limits.get("a_person_approves"):
        return report_refused(
            f"a test would say less: {'; '.join(lost)}. Leave its checks as they are; only a person agrees to less, so "
            "build with --approve where that is meant."
        )
    return report_proved(f"asks a person: {'; '.join(lost)}" if lost else "", {"weakened": lost} if lost else {})


GATE = Gate("limits", ask)


def _explain_new_imports(trial: Trial) -> str | None:
    """Which import the project did not have before; a test may import the tool that runs it."""
    tests = {path for path in trial.files if is_test_file(path)}
    for is_allowed, paths in ((_is_known_to_tests, tests), (_is_known_to_project, set(trial.files) - tests)):
        before, after = ({p: d for p, d in side.items() if p in paths} for side in _split_sides(trial))
        if (why := explain_new_dependencies(before, after, partial(is_allowed, trial.project))) is not None:
            return why
    return None


def _split_sides(trial: Trial) -> tuple[Mapping[str, bytes], Mapping[str, bytes]]:
    return trial.applied.before, trial.applied.after


def _is_known_to_tests(project: Project, name: str) -> bool:
    """As `_is_known_to_project`, and the tool that runs the tests."""
    return name == "pytest" or _is_known_to_project(project, name)


def explain_protected(files: Sequence[str], bounds: Mapping[str, Any]) -> str | None:
    """Which file nobody may change, in words; None where there is none."""
    for path in files:
        if (pattern := find_protecting_pattern(bounds.get("protected_files") or (), path)) is not None:
            return f"{path} is protected (protected_files has {pattern!r})."
    return None


def explain_exceeded_limit(files: Sequence[str], bounds: Mapping[str, Any]) -> str | None:
    """Which bound these files are over, in words; None where they keep all."""
    most = bounds.get("max_file_changes_per_commit")
    if most is not None and len(files) > most:
        return f"it changes {len(files)} files ({', '.join(files)}); a commit may change {most}. Make it smaller."
    total = bounds.get("max_total_file_changes")
    all_files = {*files, *(bounds.get("files_changed") or ())}
    if total is not None and len(all_files) > total:
        return f"with it this build would change {len(all_files)} files; at most {total} are allowed."
    return None


def explain_followed_too_far(files: Sequence[str], owners: Collection[str]) -> str | None:
    """Whether a change is followed into more files that hold no agent than it may be."""
    only = [path for path in files if path not in owners]
    if len(only) <= MAX_FOLLOWED:
        return None
    return (
        f"it would be followed into {len(only)} files that hold no agent; at most {MAX_FOLLOWED} are changed at once."
    )


def _is_known_to_project(project: Project, name: str) -> bool:
    table = ModuleTable(project.layout)
    trees = (ast.parse(text) for text in project.sources.values() if name.encode() in text)
    return is_known_module(
        name, lambda: table.find_path(name) is not None or table.find_folder(name) is not None, trees
    )
