"""Class attributes and docstrings."""

from __future__ import annotations

import ast

from graphbus_core.analysis.scopes import FUNCTIONS, Function
from graphbus_core.editing.edit_plan import EditPlan, is_same_expression as same_expression, parse_default, parse_type
from graphbus_core.editing.source import Edit, Source
from graphbus_core.editing.statements import find_statement_start, is_same_code
from graphbus_core.editing.worktree import is_graphbus_decorator
from graphbus_core.model.edit_outcome import Refusal
from graphbus_core.model.operation import Decorate, SetAttribute, SetDocstring, Undecorate
from graphbus_core.syntax import is_docstring, last_name

# Who speaks for a node, and who rules: settled before the negotiation, so it is no matter for it.
SEAT_ATTRIBUTES = frozenset({"SYSTEM_PROMPT", "IS_ARBITER", "MODEL"})


def set_attribute(plan: EditPlan, op: SetAttribute) -> bool:
    """Give a class attribute a value. Its text runs nothing: a literal, a name, or a container of these."""
    source, cls = plan.workspace.find_node_class(op.node)
    if not op.name.isidentifier():
        raise Refusal(f"{op.name!r} cannot be the name of an attribute.")
    if op.name in SEAT_ATTRIBUTES:
        raise Refusal(f"{op.name} says who speaks for {op.node}; a negotiation does not change its own seats.")
    value = parse_default(op.value)
    for node in ast.walk(value):
        if isinstance(node, ast.Name):
            plan.resolve_name(source, node.id)
    standing = [s for s in cls.body if _is_assignment_of(s, op.name)]
    if len(standing) > 1:
        raise Refusal(f"{op.node}.{op.name} is given twice.", source.places(*standing))
    if standing:
        return _replace_attribute(plan, source, standing[0], op, value)
    if any(isinstance(s, FUNCTIONS) and s.name == op.name for s in cls.body):
        raise Refusal(f"{op.node}.{op.name} is a method.")
    annotation = f": {plan.render_type(source, op.type)}" if op.type else ""
    _insert_attribute(plan, source, cls, f"{op.name}{annotation} = {op.value.strip()}")
    return True


def _is_assignment_of(statement: ast.stmt, name: str) -> bool:
    match statement:
        case ast.Assign(targets=[ast.Name(id=found)]) | ast.AnnAssign(target=ast.Name(id=found)):
            return found == name
        case ast.Assign(targets=targets):
            return any(isinstance(n, ast.Name) and n.id == name for t in targets for n in ast.walk(t))
    return False


def _replace_attribute(plan: EditPlan, source: Source, statement: ast.stmt, op: SetAttribute, value: ast.expr) -> bool:
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
        new_type = parse_type(op.type)
        if isinstance(statement, ast.AnnAssign):
            if not same_expression(statement.annotation, new_type):
                plan.replace(source, statement.annotation, plan.render_type(source, op.type))
                changed = True
        elif isinstance(statement, ast.Assign):
            end = source.span(statement.targets[0])[1]
            plan.add(source, Edit(end, end, f": {plan.render_type(source, op.type)}".encode()))
            changed = True
    return changed


def _insert_attribute(plan: EditPlan, source: Source, cls: ast.ClassDef, line: str) -> None:
    """Put a line below the class's docstring and attributes, above its first method."""
    first = cls.body[0]
    if not source.is_line_start(find_statement_start(source, first)):
        raise Refusal("the class stands on one line; write its body on lines of its own.")
    newline, indent = source.newline(source.span(cls)[0]), source.indent(find_statement_start(source, first))
    above: ast.stmt | None = None
    for statement in cls.body:
        if not (isinstance(statement, ast.Assign | ast.AnnAssign) or (above is None and is_docstring(statement))):
            break
        above = statement
    if above is None:
        place = source.line_start(find_statement_start(source, first))
        plan.add(source, Edit(place, place, indent + line.encode() + newline * 2))
        return
    end = source.line_end(source.span(above)[1])
    gap = newline * (2 if is_docstring(above) else 1)
    plan.add(source, Edit(end, end, gap + indent + line.encode()))


def set_docstring(plan: EditPlan, op: SetDocstring) -> bool:
    """Give the class or a method a docstring, another one, or none."""
    holder: ast.ClassDef | Function
    if op.method:
        source, _, holder = plan.workspace.find_own_method(op.node, op.method)
    else:
        source, holder = plan.workspace.find_node_class(op.node)
    old = holder.body[0] if is_docstring(holder.body[0]) else None
    text = op.text.replace("\r\n", "\n").replace("\r", "\n").strip()
    if old is not None and ast.get_docstring(holder) == text:
        return False
    if not text:
        return _remove_docstring(plan, source, holder, old)
    first = holder.body[0]
    if not source.is_line_start(find_statement_start(source, first)):
        raise Refusal(f"{op.symbol} stands on one line; write its body on lines of its own.")
    newline, indent = source.newline(source.span(first)[0]), source.indent(find_statement_start(source, first))
    literal = newline.join(
        (indent + line.encode()) if line.strip() else b"" for line in _quote_docstring(text).split("\n")
    )
    if old is not None:
        start, end = source.span(old)
        plan.add(source, Edit(start, end, literal[len(indent) :]))
    else:
        place = source.line_start(find_statement_start(source, first))
        gap = newline * (2 if isinstance(holder, ast.ClassDef) else 1)
        plan.add(source, Edit(place, place, literal + gap))
    return True


def _quote_docstring(text: str) -> str:
    """A docstring's literal: what it says, in triple quotes."""
    safe = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    if safe.endswith('"'):
        safe = safe[:-1] + '\\"'
    return f'"""{safe}\n"""' if "\n" in safe else f'"""{safe}"""'


def _remove_docstring(plan: EditPlan, source: Source, holder: ast.ClassDef | Function, old: ast.stmt | None) -> bool:
    if old is None:
        return False
    start, end = source.span(old)
    if len(holder.body) == 1:
        plan.add(source, Edit(start, end, b"pass"))
        return True
    following = source.line_start(find_statement_start(source, holder.body[1]))
    plan.add(source, Edit(source.line_start(start), following, b""))
    return True


# `@publishes`, `@subscribe` and `@depends_on`: what a node tells the bus and the build of itself.


DECORATOR_NAMES = ("publishes", "subscribe", "depends_on")
_PLAIN = (
    *(ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.BinOp, ast.BitOr, ast.Tuple, ast.List, ast.Dict),
    *(ast.keyword, ast.expr_context, ast.UnaryOp, ast.USub),
)


def add_decorator(plan: EditPlan, op: Decorate) -> bool:
    """Put a decorator above the others of the class or the method, and import what it needs."""
    source, holder = _find_holder(plan, op)
    call, name = parse_decorator(op.decorator)
    if name == "subscribe" and not op.method:
        raise Refusal("@subscribe stands on a method: name the handler.")
    if any(_is_same_decorator(item, call, name, source) for item in holder.decorator_list):
        return False
    local_name = plan.ensure_import(source, "graphbus_core", name)
    for value in [*call.args, *(k.value for k in call.keywords)]:
        for node in ast.walk(value):
            if isinstance(node, ast.Name):
                plan.resolve_name(source, node.id)
    place = source.line_start(find_statement_start(source, holder))
    indent, newline = source.indent(find_statement_start(source, holder)), source.newline(place)
    arguments = ", ".join(ast.unparse(item) for item in [*call.args, *call.keywords])
    plan.add(source, Edit(place, place, indent + f"@{local_name}({_use_double_quotes(arguments)})".encode() + newline))
    return True


def remove_decorator(plan: EditPlan, op: Undecorate) -> bool:
    """Take one decorator off, with its line."""
    source, holder = _find_holder(plan, op)
    call, name = parse_decorator(op.decorator)
    matching = [decorator for decorator in holder.decorator_list if _is_same_decorator(decorator, call, name, source)]
    if not matching:
        similar = [
            f"@{source.text(decorator)}"
            for decorator in holder.decorator_list
            if is_graphbus_decorator(decorator, name, source)
        ]
        plan.notes.append(f"{op.symbol} has no such decorator; there is {', '.join(similar) or f'no @{name}'}")
        return False
    position = source.data.rindex(b"@", 0, source.span(matching[0])[0])
    plan.add(source, Edit(source.line_start(position), source.next_line(source.span(matching[0])[1]), b""))
    return True


def parse_decorator(text: str) -> tuple[ast.Call, str]:
    """The call of a decorator's text, and which of the known ones it is. Raises Refusal."""
    try:
        call = ast.parse(text.strip().removeprefix("@"), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise Refusal(f"{text!r} is not a decorator.") from None
    if not isinstance(call, ast.Call):
        raise Refusal(f"{text!r}: give the decorator with its arguments, as @subscribe('/Order/Created').")
    name = last_name(call.func)
    if name not in DECORATOR_NAMES:
        raise Refusal(
            f"{text!r}: only {', '.join(f'@{known_name}' for known_name in DECORATOR_NAMES)} are put on and taken off."
        )
    for value in [*call.args, *call.keywords]:
        for node in ast.walk(value):
            if not isinstance(node, _PLAIN):
                raise Refusal(f"{text!r} does more than name topics, nodes and types: {type(node).__name__}.")
    return call, name


def parse_decorator_texts(text: str) -> tuple[str, tuple[str, ...]]:
    """Which decorator a text is, and the texts among its arguments: topics or nodes."""
    call, name = parse_decorator(text)
    return name, tuple(a.value for a in call.args if isinstance(a, ast.Constant) and isinstance(a.value, str))


def _find_holder(plan: EditPlan, op: Decorate | Undecorate) -> tuple[Source, ast.ClassDef | Function]:
    if not op.method:
        return plan.workspace.find_node_class(op.node)
    source, _, function = plan.workspace.find_own_method(op.node, op.method)
    return source, function


def _is_same_decorator(decorator: ast.expr, call: ast.Call, name: str, source: Source) -> bool:
    if not isinstance(decorator, ast.Call) or not is_graphbus_decorator(decorator, name, source):
        return False
    return is_same_code(call.args, decorator.args) and is_same_code(call.keywords, decorator.keywords)


def _use_double_quotes(arguments: str) -> str:
    """With the double quotes that formatters write, where that changes nothing."""
    return arguments.replace("'", '"') if '"' not in arguments and "\\" not in arguments else arguments
