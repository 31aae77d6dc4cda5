"""Which file of this room carries an operation out. False where there is nothing to do; Refusal where it cannot be."""

from __future__ import annotations

from graphbus_core.build.confine.outcome import Refusal
from graphbus_core.build.edit.around import attributes, decorators, definitions, new_files, nodes, texts
from graphbus_core.build.edit.text.plan import Plan
from graphbus_core.model.operation import (
    AddAgent,
    AddFile,
    Decorate,
    Define,
    EditText,
    Operation,
    RemoveAgent,
    RemoveDefinition,
    SetAttribute,
    SetDocstring,
    Undecorate,
    WriteTest,
)


def run(plan: Plan, op: Operation) -> bool:
    """Plan one of these operations."""
    match op:
        case EditText():
            return texts.edit(plan, op)
        case Define():
            return definitions.define(plan, op)
        case RemoveDefinition():
            return definitions.remove(plan, op)
        case SetAttribute():
            return attributes.set_attribute(plan, op)
        case SetDocstring():
            return attributes.set_docstring(plan, op)
        case Decorate():
            return decorators.decorate(plan, op)
        case Undecorate():
            return decorators.undecorate(plan, op)
        case AddFile():
            return new_files.add_file(plan, op)
        case WriteTest():
            return new_files.write_test(plan, op)
        case AddAgent():
            return nodes.add_agent(plan, op)
        case RemoveAgent():
            return nodes.remove_agent(plan, op)
    raise Refusal(f"{op.op} is not known here.")
