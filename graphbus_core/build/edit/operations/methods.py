"""Add a method, delete one that nobody uses, rename one wherever it is spoken of."""

from __future__ import annotations

import ast

from graphbus_core.build.confine.outcome import Refusal
from graphbus_core.build.edit.declared import respell
from graphbus_core.build.edit.followed import calls, code_in_text
from graphbus_core.build.edit.text.code import code, indented, parsed_code
from graphbus_core.build.edit.text.edit_plan import EditPlan
from graphbus_core.build.edit.text.source import Edit, Source
from graphbus_core.build.edit.text.statements import block_of, statement_start, whole_lines
from graphbus_core.build.edit.text.worktree import functions, is_contract, nearest
from graphbus_core.build.understand.keys.scope import FUNCTIONS, Function, bound
from graphbus_core.model.operation import AddMethod, DeleteMethod, RenameMethod


def add(plan: EditPlan, op: AddMethod) -> bool:
    """Put the method at the end of its class. False where it stands there already, just so."""
    source, cls = plan.workspace.node(op.node)
    text = code(op.source, "the method")
    tree = parsed_code(text, "the method")
    if len(tree.body) != 1 or not isinstance(tree.body[0], FUNCTIONS) or tree.body[0].name != op.method:
        raise Refusal(f"give exactly one method named {op.method!r}, with its decorators.")
    present = [f for f in functions(cls) if f.name == op.method]
    if present:
        if ast.dump(present[-1]) == ast.dump(tree.body[0]):
            return False
        raise Refusal(f"{op.symbol} exists already; replace_body changes it.", source.places(present[-1]))
    _import_names(plan, source, tree.body[0])
    last = cls.body[-1]
    end = source.span(last)[1]
    newline = source.newline(end)
    first = source.span(cls.body[0])[0]
    tail = source.data[end : source.line_end(end)]
    if not source.begins_line(statement_start(source, cls.body[0])):  # `class A(Node): pass`
        if source.line(first) != source.line(end) or len(cls.body) > 1:
            raise Refusal("the class stands on one line; write its body on lines of its own.", source.places(cls))
        indent = source.indent(source.span(cls)[0]) + b"    "
        line_end = source.line_end(end)
        head = Edit(len(source.data[:first].rstrip(b" \t")), first, newline + indent)
        plan.add(source, head, Edit(line_end, line_end, newline * 2 + indented(text, indent, newline)))
        return True
    indent = source.indent(statement_start(source, cls.body[0]))
    if b";" in tail.split(b"#")[0]:
        raise Refusal("the class ends in the middle of a line.", (f"{source.path}:{source.line(end)}",))
    place = source.line_end(end)
    plan.add(source, Edit(place, place, newline * 2 + indented(text, indent, newline)))
    return True


def _import_names(plan: EditPlan, source: Source, function: Function) -> None:
    """A decorator runs when the file is imported: a name that is missing there would break the whole file."""
    for decorator in function.decorator_list:
        if is_contract(decorator, source):
            for value in ast.walk(decorator):
                if isinstance(value, ast.Name) and isinstance(value.ctx, ast.Load):
                    plan.name(source, value.id)
        elif isinstance(decorator, ast.Name):
            plan.name(source, decorator.id)


def delete(plan: EditPlan, op: DeleteMethod) -> bool:
    """Take the method away. False, with a note, where it is gone; Refusal where anybody speaks of it."""
    assert op.method is not None
    source, cls = plan.workspace.node(op.node)
    own = [f for f in functions(cls) if f.name == op.method]
    if not own:
        known = [f.name for f in functions(cls)]
        plan.notes.append(f"{op.node} has no method {op.method!r}; {nearest(op.method, known)}")
        return False
    used = _mentions(plan, op.node, op.method)
    if used:
        raise Refusal(f"{op.symbol} is still used.", tuple(dict.fromkeys(place for _, _, place, _ in used)))
    for function in own:
        block = block_of(cls, function)
        start, end = statement_start(source, function), source.span(function)[1]
        if len(block) == 1:
            plan.add(source, Edit(start, end, b"pass"))
            continue
        index = next(i for i, s in enumerate(block) if s is function)
        if index == len(block) - 1:  # with the blank lines above, so that adding and deleting are inverse
            above = source.line_end(source.span(block[index - 1])[1])
            if not source.data[above : source.line_start(start)].strip():
                plan.add(source, Edit(above, source.line_end(end), b""))
                continue
        plan.add(source, Edit(*whole_lines(source, function), b""))
    return True


def _mentions(plan: EditPlan, node: str, method: str) -> list[tuple[Source, ast.AST, str, bool]]:
    """Where a method is spoken of: (file, node, place, certain). What is known to be something else is not listed."""
    work = plan.workspace
    found: list[tuple[Source, ast.AST, str, bool]] = []
    for site in calls.of_method(work, node, method):
        if not site.named:
            found.append((site.source, site.call.func, site.place, site.certain))
            continue
        # a name that is looked up (`T = "Cleaner.clean"`) is found below, where it is written
        texts = [a for a in site.call.args[: site.shift] if isinstance(a, ast.Constant) and a.value == method]
        split = [a for a in site.call.args[: site.shift] if not isinstance(a, ast.Constant)]
        found += [(site.source, a, site.place, True) for a in texts]
        found += [(site.source, a, site.place, False) for a in split if not texts and site.shift > 1]
    for one in calls.references(work, node, method):
        whole = isinstance(one.node, ast.Attribute)
        found.append((one.source, one.node, one.place, one.certain and whole))
    for place in code_in_text.speaking(work, method):
        found.append((plan.workspace.node(node)[0], plan.workspace.node(node)[1], place, False))
    found += [(one.source, one.node, one.place, True) for one in calls.in_text(work, node, method)]
    told = {id(node) for _, node, _, _ in found}
    found += [
        (one.source, one.node, one.place, False) for one in calls.by_word(work, method) if id(one.node) not in told
    ]
    return found


def rename(plan: EditPlan, op: RenameMethod) -> bool:
    """Rename the method wherever it is spoken of. False where it has its new name already."""
    assert op.method is not None
    source, cls = plan.workspace.node(op.node)
    names = [f.name for f in functions(cls)]
    if (op.method not in names and op.to in names) or op.to == op.method:
        return False
    _refuse_rename(plan, op, source, cls)
    mentions = _mentions(plan, op.node, op.method)
    doubtful = [place for _, _, place, certain in mentions if not certain]
    if doubtful:
        raise Refusal(f"it cannot be told whether this is {op.symbol}.", tuple(dict.fromkeys(doubtful)))
    for function in (f for f in functions(cls) if f.name == op.method):
        start = source.span(function)[0]
        found = next(t for t in source.tokens(start, source.span(function.body[0])[0]) if t.text == op.method)
        plan.add(source, Edit(found.start, found.end, op.to.encode()))
    for where, node, _, _ in mentions:
        _respell(plan, where, node, op)
    return True


def _refuse_rename(plan: EditPlan, op: RenameMethod, source: Source, cls: ast.ClassDef) -> None:
    plan.workspace.own_method(op.node, str(op.method))
    if not op.to.isidentifier():
        raise Refusal(f"{op.to!r} cannot be the name of a method.")
    family = plan.workspace.family(source, cls)
    if op.to in bound(cls.body) or any(op.to in {f.name for f in functions(c)} for _, c in family):
        raise Refusal(f"{op.node} has something named {op.to!r} already.", source.places(cls))


def _respell(plan: EditPlan, where: Source, node: ast.AST, op: RenameMethod) -> None:
    if isinstance(node, ast.Attribute):
        end = where.span(node)[1]
        plan.add(where, Edit(end - len(str(op.method).encode()), end, op.to.encode()))
    elif isinstance(node, ast.Constant):
        text = str(node.value).removesuffix(str(op.method)) + op.to
        plan.replace(where, node, respell(where, node, text))
