"""Flows: the project, interpreted and not run, does with its values after a rename what it did before."""

# Theory
# ------
#
# A repair by rules may add no flow (design §10). What a rename must reach is told by the text of the project (editing),
# and no reading of text sees every way: a dict that a comprehension of a test builds, a key that stands in a table.
# So the outcome is looked at and not the way: both states are interpreted, and what happens to values is laid side
# by side, with one name for the two. What was read is read, and lies there; what was given is given, and Python takes
# the call; what is compared has the fields that it is compared with; an event has the fields that it had, but for those
# of its own topic that the proposal renames; what leaves the project in another way has the names that it had.
# A difference is a place that the rename did not reach, or one that it should have left alone. Either refuses it: the
# rules then map the field where it is delivered, or ask.
#
# It needs no case, no name and no list. What nobody can tell is unknown in both states, and says nothing.

from __future__ import annotations

from collections.abc import Collection

from graphbus_core.analysis import ProjectAnalysis
from graphbus_core.analysis.evidence import collect_words
from graphbus_core.analysis.evidence.doctests import build_doctest_files, find_documented_path
from graphbus_core.analysis.execution.traces import Fact, TracingRuns, explore, find_differences
from graphbus_core.commit.gates.trial import (
    Gate,
    GateAnswer,
    Trial,
    report_not_run,
    report_refused,
    report_tested,
)
from graphbus_core.editing.contract_records import split_path
from graphbus_core.model.operation import RenameField


def ask(trial: Trial) -> GateAnswer:
    """Interpret both states; the first difference refuses."""
    renames = [op for op in trial.diff if isinstance(op, RenameField)]
    if not _is_asked(trial):
        return report_not_run("only a rename that rules agree on is run in thought")
    same = {op.field.replace("[]", "").rpartition(".")[2]: op.to for op in renames}
    words = collect_words(trial.stood.mismatches) | {*same, *(op.method for op in renames if op.method)}
    published: dict[tuple[str, str], list[tuple[tuple[str, ...], str]]] = {}
    for op in renames:
        if op.topic is not None:
            published.setdefault((op.node, op.topic), []).append((tuple(split_path(op.field)), op.to))
    root, whole = trial.project.root, trial.project.whole
    with (
        ProjectAnalysis.from_folder(root, trial.project.everyone, root=whole) as stood,
        ProjectAnalysis.from_folder(root, trial.after.everyone, root=whole, over=trial.applied.after) as changed,
    ):
        texts = {stood.prefix + p: (trial.applied.before[p], trial.applied.after[p]) for p in trial.files}
        for difference in find_differences(trace(stood, words), trace(changed, words), texts, same, published):
            return report_refused(describe(*difference))
    return report_tested("run in thought, the project does with its values what it did before")


def trace(project: ProjectAnalysis, words: Collection[str]) -> TracingRuns:
    """Everything that one state does, its doctests too."""
    agents = {(project.prefix + agent.source_file, agent.class_name): agent for agent in project.agents}
    examples = build_doctest_files(project.texts)
    return explore(project.add_texts(examples).texts if examples else project.texts, agents, words)


def describe(was: Fact | None, now: Fact | None) -> str:
    """What differs, with its place."""
    if was is None or now is None:
        fact, when, then = (was, "before the change", "after it") if was is not None else (now, "after it", "before")
        assert fact is not None
        return f"{_find_place(fact)}: {when}, {fact.says}; {then}, this is not so."
    return f"{_find_place(was)}: before, {was.says}; after it, {now.says}."


def _find_place(fact: Fact) -> str:
    return f"{find_documented_path(fact.path) or fact.path}:{fact.line}"


def _is_asked(trial: Trial) -> bool:
    return trial.rehearse and any(isinstance(op, RenameField) for op in trial.diff)


GATE = Gate("flows", ask, required=_is_asked)
