"""Class attributes and docstrings."""

from __future__ import annotations

import ast

from graphbus_core.build.confine.outcome import Refusal
from graphbus_core.build.edit.text.edit_plan import EditPlan, parse_default, parse_type, same as same_expression
from graphbus_core.build.edit.text.source import Edit, Source
from graphbus_core.build.edit.text.statements import statement_start
from graphbus_core.build.understand.keys.scope import FUNCTIONS, Function
from graphbus_core.model.operation import SetAttribute, SetDocstring
from graphbus_core.syntax import is_docstring

# Who speaks for a node, and who rules: settled before the negotiation, so it is no matter for it.
OF_THE_SEAT = frozenset({"SYSTEM_PROMPT", "IS_ARBITER", "MODEL"})


def set_attribute(plan: EditPlan, op: SetAttribute) -> bool:
    """Give a class attribute a value. Its text runs nothing: a literal, a name, or a container of these."""
    source, cls = plan.workspace.node(op.node)
    if not op.name.isidentifier():
        raise Refusal(f"{op.name!r} cannot be the name of an attribute.")
    if op.name in OF_THE_SEAT:
        raise Refusal(f"{op.name} says who speaks for {op.node}; a negotiation does not change its own seats.")
    value = parse_default(op.value)
    for node in ast.walk(value):
        if isinstance(node, ast.Name):
            plan.name(source, node.id)
    standing = [s for s in cls.body if _gives(s, op.name)]
    if len(standing) > 1:
        raise Refusal(f"{op.node}.{op.name} is given twice.", source.places(*standing))
    if standing:
        return _replace(plan, source, standing[0], op, value)
    if any(isinstance(s, FUNCTIONS) and s.name == op.name for s in cls.body):
        raise Refusal(f"{op.node}.{op.name} is a method.")
    said = f": {plan.type_text(source, op.type)}" if op.type else ""
    _insert(plan, source, cls, f"{op.name}{said} = {op.value.strip()}")
    return True


def _gives(statement: ast.stmt, name: str) -> bool:
    match statement:
        case ast.Assign(targets=[ast.Name(id=found)]) | ast.AnnAssign(target=ast.Name(id=found)):
            return found == name
        case ast.Assign(targets=targets):
            return any(isinstance(n, ast.Name) and n.id == name for t in targets for n in ast.walk(t))
    return False


def _replace(plan: EditPlan, source: Source, statement: ast.stmt, op: SetAttribute, value: ast.expr) -> bool:
    if isinstance(statement, ast.Assign) and len(statement.targets) > 1:
        raise Refusal(f"{op.name} shares its line with others.", source.places(statement))
    changed = False
    old = getattr(statement, "value", None)
    if old is None:
        end = source.span(statement)[1]
        plan.add(source, Edit(end, end, f" = {op.value.strip()}".encode()))
        changed = True
    elif not same_expression(old, value):
        plan.replace(source, old, op.value.strip())
        changed = True
    if op.type is not None:
        wanted = parse_type(op.type)
        if isinstance(statement, ast.AnnAssign):
            if not same_expression(statement.annotation, wanted):
                plan.replace(source, statement.annotation, plan.type_text(source, op.type))
                changed = True
        elif isinstance(statement, ast.Assign):
            end = source.span(statement.targets[0])[1]
            plan.add(source, Edit(end, end, f": {plan.type_text(source, op.type)}".encode()))
            changed = True
    return changed


def _insert(plan: EditPlan, source: Source, cls: ast.ClassDef, line: str) -> None:
    """Put a line below the class's docstring and attributes, above its first method."""
    first = cls.body[0]
    if not source.begins_line(statement_start(source, first)):
        raise Refusal("the class stands on one line; write its body on lines of its own.")
    newline, indent = source.newline(source.span(cls)[0]), source.indent(statement_start(source, first))
    above: ast.stmt | None = None
    for statement in cls.body:
        if not (isinstance(statement, ast.Assign | ast.AnnAssign) or (above is None and is_docstring(statement))):
            break
        above = statement
    if above is None:
        place = source.line_start(statement_start(source, first))
        plan.add(source, Edit(place, place, indent + line.encode() + newline * 2))
        return
    end = source.line_end(source.span(above)[1])
    gap = newline * (2 if is_docstring(above) else 1)
    plan.add(source, Edit(end, end, gap + indent + line.encode()))


def set_docstring(plan: EditPlan, op: SetDocstring) -> bool:
    """Give the class or a method a docstring, another one, or none."""
    holder: ast.ClassDef | Function
    if op.method:
        source, _, holder = plan.workspace.own_method(op.node, op.method)
    else:
        source, holder = plan.workspace.node(op.node)
    old = holder.body[0] if is_docstring(holder.body[0]) else None
    text = op.text.replace("\r\n", "\n").replace("\r", "\n").strip()
    if old is not None and ast.get_docstring(holder) == text:
        return False
    if not text:
        return _without(plan, source, holder, old)
    first = holder.body[0]
    if not source.begins_line(statement_start(source, first)):
        raise Refusal(f"{op.symbol} stands on one line; write its body on lines of its own.")
    newline, indent = source.newline(source.span(first)[0]), source.indent(statement_start(source, first))
    made = newline.join((indent + line.encode()) if line.strip() else b"" for line in _literal(text).split("\n"))
    if old is not None:
        start, end = source.span(old)
        plan.add(source, Edit(start, end, made[len(indent) :]))
    else:
        place = source.line_start(statement_start(source, first))
        gap = newline * (2 if isinstance(holder, ast.ClassDef) else 1)
        plan.add(source, Edit(place, place, made + gap))
    return True


def _literal(text: str) -> str:
    """A docstring's literal: what it says, in triple quotes."""
    safe = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    if safe.endswith('"'):
        safe = safe[:-1] + '\\"'
    return f'"""{safe}\n"""' if "\n" in safe else f'"""{safe}"""'


def _without(plan: EditPlan, source: Source, holder: ast.ClassDef | Function, old: ast.stmt | None) -> bool:
    if old is None:
        return False
    start, end = source.span(old)
    if len(holder.body) == 1:
        plan.add(source, Edit(start, end, b"pass"))
        return True
    following = source.line_start(statement_start(source, holder.body[1]))
    plan.add(source, Edit(source.line_start(start), following, b""))
    return True
