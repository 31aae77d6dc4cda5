"""`DiffApplicator`: a structured diff applied to sources in memory (seed 000, "Under the hood").

Safe: it splices, parses again after every operation, and touches nothing on disk. Reversible: `Edited` holds what each
file was. Proving that the result keeps the project's contracts is for the gates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from graphbus_core.editing.edit_plan import EditPlan
from graphbus_core.editing.operations import (
    field_mappings,
    fields,
    imports,
    methods,
    methods as bodies,
    methods as texts,
    modules,
    node_metadata,
)
from graphbus_core.editing.scope import EditScope
from graphbus_core.editing.worktree import TypeCheckerClient, Worktree
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.edit_outcome import Edited, Outcome, Refusal, Refused, Unchanged
from graphbus_core.model.operation import (
    AddAgent,
    AddField,
    AddFile,
    AddImport,
    AddMethod,
    Decorate,
    Define,
    DeleteMethod,
    EditText,
    FieldOperation,
    MapField,
    Operation,
    RemoveAgent,
    RemoveDefinition,
    RemoveImport,
    RenameMethod,
    ReplaceBody,
    SetAttribute,
    SetDocstring,
    Undecorate,
    UnmapField,
    WriteTest,
)

MAX_OPERATIONS = 200  # of one diff


class DiffApplicator:
    """Applies diffs. `read(path)` gives a project file's bytes, or None for a path that is not one."""

    def __init__(
        self,
        read: Callable[[str], bytes | None],
        agents: Iterable[AgentDefinition],
        paths: Iterable[str] = (),
        *,
        reach: EditScope | None = None,
        allow_external_dependencies: bool = False,
        checker: TypeCheckerClient | None = None,
    ) -> None:
        self._read, self._agents, self._paths = read, tuple(agents), tuple(paths)
        self._reach, self._checker = reach, checker
        self._allow_external = allow_external_dependencies

    def apply(self, diff: Sequence[Operation]) -> Outcome:
        """The files after the diff, or why it is refused. Operations go one after the other; all or none.

        Where that is refused, they are tried once more in the order in which each finds the code that was shown.
        """
        if len(diff) > MAX_OPERATIONS:
            return Refused(f"the diff has {len(diff)} operations; at most {MAX_OPERATIONS} are taken at once.")
        outcome = self._apply_in_order(diff)
        if isinstance(outcome, Refused) and (as_shown := sorted(diff, key=_rank_operation)) != list(diff):
            again = self._apply_in_order(as_shown)
            return outcome if isinstance(again, Refused) else again
        return outcome

    def _apply_in_order(self, diff: Sequence[Operation]) -> Outcome:
        work = Worktree(self._read, self._agents, self._paths, self._checker)
        unchanged: list[Operation] = []
        notes: list[str] = []
        for op in diff:
            plan = EditPlan(work)
            try:
                if not _plan_operation(plan, op, diff, self._allow_external):
                    unchanged.append(op)
                else:
                    work.apply_edits(plan.edits)
            except Refusal as e:
                return Refused(f"{op.op} on {_format_address(op)}: {e.reason}", e.lines, op)
            except RecursionError:
                return Refused(f"{op.op} on {_format_address(op)}: the source is nested too deeply.", (), op)
            notes += plan.notes
        changed = work.collect_changes()
        if not changed:
            return Unchanged(tuple(notes))
        if self._reach is not None:
            try:
                self._reach.refuse_unreachable_uses(op for op in diff if op not in unchanged)
            except Refusal as e:
                return Refused(e.reason, e.lines)
        return Edited(
            {path: before for path, (before, _) in changed.items()},
            {path: after for path, (_, after) in changed.items()},
            tuple(unchanged),
            tuple(notes),
            frozenset(work.created & changed.keys()),
        )


# Whoever writes a diff copies the anchors of its edits from the code that was shown. An operation on an output follows
# its field into that very text, and the anchor is gone; so edits go before it. A new parameter must be there before an
# edit or a body speaks of it, else its name is taken "for something else"; so those go first of all.
def _rank_operation(op: Operation) -> int:
    if isinstance(op, AddField) and op.side == "input":
        return 0
    return 1 if isinstance(op, EditText) else 2


# Who carries an operation out. Each plans its edits: False where there is nothing to do, Refusal where it cannot.
_BY_KIND: dict[type[Operation], Callable[[EditPlan, Any], bool]] = {
    ReplaceBody: bodies.replace_body,
    AddMethod: methods.add_method,
    DeleteMethod: methods.delete_method,
    RenameMethod: methods.rename_method,
    RemoveImport: imports.remove_import,
    EditText: texts.edit_text,
    Define: modules.add_definition,
    RemoveDefinition: modules.remove_definition,
    SetAttribute: node_metadata.set_attribute,
    SetDocstring: node_metadata.set_docstring,
    Decorate: node_metadata.add_decorator,
    Undecorate: node_metadata.remove_decorator,
    MapField: field_mappings.add_mapping,
    UnmapField: field_mappings.remove_mapping,
    AddFile: modules.add_file,
    WriteTest: modules.write_test,
    AddAgent: modules.add_agent,
    RemoveAgent: modules.remove_agent,
}


def _plan_operation(plan: EditPlan, op: Operation, diff: Sequence[Operation], allow_external: bool) -> bool:
    """Plan one operation. False where there is nothing to do; raises Refusal."""
    if isinstance(op, FieldOperation):
        return fields.plan_field_operation(plan, op, diff)
    if isinstance(op, AddImport):
        return imports.add_import(plan, op, allow_external)
    return _BY_KIND[type(op)](plan, op)


def _format_address(op: Operation) -> str:
    return op.address if isinstance(op, FieldOperation) else op.symbol
