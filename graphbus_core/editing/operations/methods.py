"""Add a method, delete one that nobody uses, rename one wherever it is named."""

from __future__ import annotations

import ast
import re
import textwrap

from graphbus_core.analysis.scopes import FUNCTIONS, Function, collect_bound_names
from graphbus_core.editing import call_sites
from graphbus_core.editing.contract_records import replace_literal_text
from graphbus_core.editing.edit_plan import EditPlan
from graphbus_core.editing.source import Edit, Source
from graphbus_core.editing.statements import (
    find_block,
    find_statement_start,
    find_string_lines,
    find_whole_lines,
    indent_code,
    is_same_code,
    normalize_code,
    parse_code,
)
from graphbus_core.editing.worktree import describe_nearest, is_contract_decorator, list_methods
from graphbus_core.model.edit_outcome import Refusal
from graphbus_core.model.operation import AddMethod, DeleteMethod, EditText, RenameMethod, ReplaceBody
from graphbus_core.syntax import is_docstring

# A small change inside a long method: a text that stands in its body exactly once becomes another.


def edit_text(plan: EditPlan, op: EditText) -> bool:
    """Replace `old` by `new`. The anchor is the method and the text together, so nothing moves by a line number."""
    assert op.method is not None
    source, _, function = plan.workspace.find_own_method(op.node, op.method)
    old, new = (text.replace("\r\n", "\n").replace("\r", "\n") for text in (op.old, op.new))
    if not old.strip():
        raise Refusal("`old` is empty; give the text that is to be replaced.")
    if old == new:
        return False
    start, end = _locate_body(source, function)
    newline = source.newline(start)
    old_bytes, new_bytes = (text.replace("\n", newline.decode()).encode() for text in (old, new))
    body = source.data[start:end]
    if body.count(old_bytes) == 1:
        position = start + body.index(old_bytes)
        plan.add(
            source, Edit(position, position + len(old_bytes), _align_replacement(source, position, new_bytes, newline))
        )
        return True
    ranges = _find_lines(body, old_bytes)
    if (
        len(ranges) == 1 and not body.count(old_bytes) and not _QUOTED.search(new_bytes + old_bytes)
    ):  # the same lines, but for the indentation in front of all of them
        position, until = ranges[0]
        plan.add(
            source,
            Edit(start + position, start + until, _indent_lines(new_bytes, source.indent(start + position), newline)),
        )
        return True
    times = body.count(old_bytes) or len(ranges)
    if not times and (body.count(new_bytes) == 1 or len(_find_lines(body, new_bytes)) == 1):
        return False  # it was done already
    many = f"stands {times} times in" if times else "does not stand in"
    more = "Give more of the lines around it." if times else "Copy it as it is written, with its spaces."
    raise Refusal(f"{old!r} {many} the body of {op.symbol}. {more}", source.places(function))


def _locate_body(source: Source, function: Function) -> tuple[int, int]:
    """Where the statements of a function stand: from the start of their line, where they have one of their own."""
    first = source.span(function.body[0])[0]
    return source.line_start(first) if source.is_line_start(first) else first, source.span(function.body[-1])[1]


_QUOTED = re.compile(rb"\"{3}|'{3}")


# Models copy a line without the spaces in front of it, or with fewer, and write what replaces it as deep. What they
# mean can be told, because the anchor stands in the file: its indentation is the right one.


def _align_replacement(source: Source, position: int, new_bytes: bytes, newline: bytes) -> bytes:
    """What is put at `at`, its further lines as deep as the anchor's where they were written for the margin."""
    indent = source.indent(position)
    before = source.data[source.line_start(position) : position]
    if (
        newline not in new_bytes or before.strip() or _QUOTED.search(new_bytes)
    ):  # a text's own lines are not ours to move
        return new_bytes
    rest = new_bytes.partition(newline)[2]
    deep = [len(line) - len(line.lstrip()) for line in rest.split(newline) if line.strip()]
    if not deep or min(deep) >= len(indent):
        return new_bytes
    # The anchor began `len(before)` characters into its line; what was written before it there is not in `made`.
    return _indent_lines(new_bytes, indent, newline)[len(before) :]


def _indent_lines(new_bytes: bytes, indent: bytes, newline: bytes) -> bytes:
    """Lines with the indentation that they share taken away, and `indent` in its place."""
    lines = textwrap.dedent(new_bytes.decode()).split(newline.decode())
    return newline.join(indent + line.encode() if line.strip() else b"" for line in lines)


def _find_lines(body: bytes, old_bytes: bytes) -> list[tuple[int, int]]:
    """Where whole lines of a body are those of `wanted`, the indentation that they share apart."""
    wanted_lines = textwrap.dedent(old_bytes.decode()).strip("\r\n").split("\n")
    wanted_lines = [line.rstrip() for line in wanted_lines]
    have = body.decode().splitlines(keepends=True)
    ranges = []
    for first in range(len(have) - len(wanted_lines) + 1):
        window = have[first : first + len(wanted_lines)]
        if [line.rstrip() for line in textwrap.dedent("".join(window)).splitlines()] == wanted_lines:
            offset = len("".join(have[:first]).encode())
            until = offset + len("".join(window).encode().rstrip(b"\r\n"))
            ranges.append((offset, until))
    return ranges


# Replace the body of a method. Its decorators, signature and docstring stay.


def replace_body(plan: EditPlan, op: ReplaceBody) -> bool:
    """Write the new body. False where it is the old one, but for its spelling."""
    assert op.method is not None
    source, _, function = plan.workspace.find_own_method(op.node, op.method)
    text = normalize_code(op.body, "the body")
    statements = _parse_statements(text)
    keep = is_docstring(function.body[0]) and not (statements and is_docstring(statements[0]))
    old = function.body[1:] if keep else function.body
    if is_same_code(old, statements):
        return False
    start = find_statement_start(source, old[0]) if old else source.span(function.body[0])[1]
    end = source.span(function.body[-1])[1]
    newline = source.newline(start)
    if old and not source.is_line_start(start):  # `def f(self): return 1`
        indent = source.indent(source.span(function)[0]) + _detect_indent_unit(source, function)
        stripped = source.data[:start].rstrip(b" \t")
        plan.add(source, Edit(len(stripped), end, newline + indent_code(text, indent, newline)))
        return True
    if not old:
        indent = (
            source.indent(start)
            if source.is_line_start(source.span(function.body[0])[0])
            else source.indent(start) + _detect_indent_unit(source, function)
        )
        plan.add(source, Edit(start, start, newline + indent_code(text, indent, newline)))
        return True
    indent = source.data[source.line_start(start) : start].rpartition(b"\f")[2]
    plan.add(source, Edit(start, end, indent_code(text, indent, newline)[len(indent) :]))
    return True


def _parse_statements(text: str) -> list[ast.stmt]:
    strings = find_string_lines(text)
    wrapped = "\n".join(t if i in strings else f" {t}" for i, t in enumerate(text.split("\n")))
    # Inside an `async def`, for `return` and `await` are not mistakes there.
    inside = parse_code(f"async def _():\n{wrapped}", "the body")
    # A body that is indented less in a later line would end the function, and go on as code of the class.
    if len(inside.body) != 1:
        raise Refusal("the body is more than one method's body.")
    return inside.body[0].body  # type: ignore[attr-defined,no-any-return]


def _detect_indent_unit(source: Source, function: Function) -> bytes:
    return b"\t" if source.indent(source.span(function)[0]).endswith(b"\t") else b"    "


def add_method(plan: EditPlan, op: AddMethod) -> bool:
    """Put the method at the end of its class. False where it stands there already, just so."""
    source, cls = plan.workspace.find_node_class(op.node)
    text = normalize_code(op.source, "the method")
    tree = parse_code(text, "the method")
    if len(tree.body) != 1 or not isinstance(tree.body[0], FUNCTIONS) or tree.body[0].name != op.method:
        raise Refusal(f"give exactly one method named {op.method!r}, with its decorators.")
    present = [f for f in list_methods(cls) if f.name == op.method]
    if present:
        if ast.dump(present[-1]) == ast.dump(tree.body[0]):
            return False
        raise Refusal(f"{op.symbol} exists already; replace_body changes it.", source.places(present[-1]))
    _import_decorator_names(plan, source, tree.body[0])
    last = cls.body[-1]
    end = source.span(last)[1]
    newline = source.newline(end)
    first = source.span(cls.body[0])[0]
    tail = source.data[end : source.line_end(end)]
    if not source.is_line_start(find_statement_start(source, cls.body[0])):  # `class A(Node): pass`
        if source.line(first) != source.line(end) or len(cls.body) > 1:
            raise Refusal("the class stands on one line; write its body on lines of its own.", source.places(cls))
        indent = source.indent(source.span(cls)[0]) + b"    "
        line_end = source.line_end(end)
        head = Edit(len(source.data[:first].rstrip(b" \t")), first, newline + indent)
        plan.add(source, head, Edit(line_end, line_end, newline * 2 + indent_code(text, indent, newline)))
        return True
    indent = source.indent(find_statement_start(source, cls.body[0]))
    if b";" in tail.split(b"#")[0]:
        raise Refusal("the class ends in the middle of a line.", (f"{source.path}:{source.line(end)}",))
    place = source.line_end(end)
    plan.add(source, Edit(place, place, newline * 2 + indent_code(text, indent, newline)))
    return True


def _import_decorator_names(plan: EditPlan, source: Source, function: Function) -> None:
    """A decorator runs when the file is imported: a name that is missing there would break the whole file."""
    for decorator in function.decorator_list:
        if is_contract_decorator(decorator, source):
            for value in ast.walk(decorator):
                if isinstance(value, ast.Name) and isinstance(value.ctx, ast.Load):
                    plan.resolve_name(source, value.id)
        elif isinstance(decorator, ast.Name):
            plan.resolve_name(source, decorator.id)


def delete_method(plan: EditPlan, op: DeleteMethod) -> bool:
    """Take the method away. False, with a note, where it is gone; Refusal where anybody speaks of it."""
    assert op.method is not None
    source, cls = plan.workspace.find_node_class(op.node)
    own = [f for f in list_methods(cls) if f.name == op.method]
    if not own:
        known_names = [f.name for f in list_methods(cls)]
        plan.notes.append(f"{op.node} has no method {op.method!r}; {describe_nearest(op.method, known_names)}")
        return False
    used = _find_mentions(plan, op.node, op.method)
    if used:
        raise Refusal(f"{op.symbol} is still used.", tuple(dict.fromkeys(place for _, _, place, _ in used)))
    for function in own:
        block = find_block(cls, function)
        start, end = find_statement_start(source, function), source.span(function)[1]
        if len(block) == 1:
            plan.add(source, Edit(start, end, b"pass"))
            continue
        index = next(i for i, s in enumerate(block) if s is function)
        if index == len(block) - 1:  # with the blank lines above, so that adding and deleting are inverse
            above = source.line_end(source.span(block[index - 1])[1])
            if not source.data[above : source.line_start(start)].strip():
                plan.add(source, Edit(above, source.line_end(end), b""))
                continue
        plan.add(source, Edit(*find_whole_lines(source, function), b""))
    return True


def _find_mentions(plan: EditPlan, node: str, method: str) -> list[tuple[Source, ast.AST, str, bool]]:
    """Where a method is named: (file, node, place, certain). What is known to be something else is not listed."""
    work = plan.workspace
    mentions: list[tuple[Source, ast.AST, str, bool]] = []
    for site in call_sites.find_method_calls(work, node, method):
        if not site.named:
            mentions.append((site.source, site.call.func, site.place, site.certain))
            continue
        # a name that is looked up (`T = "Cleaner.clean"`) is found below, where it is written
        texts = [a for a in site.call.args[: site.shift] if isinstance(a, ast.Constant) and a.value == method]
        split = [a for a in site.call.args[: site.shift] if not isinstance(a, ast.Constant)]
        mentions += [(site.source, a, site.place, True) for a in texts]
        mentions += [(site.source, a, site.place, False) for a in split if not texts and site.shift > 1]
    for reference in call_sites.find_references(work, node, method):
        whole = isinstance(reference.node, ast.Attribute)
        mentions.append((reference.source, reference.node, reference.place, reference.certain and whole))
    for place in call_sites.find_embedded_calls(work, method):
        mentions.append(
            (plan.workspace.find_node_class(node)[0], plan.workspace.find_node_class(node)[1], place, False)
        )
    mentions += [
        (reference.source, reference.node, reference.place, True)
        for reference in call_sites.find_qualified_texts(work, node, method)
    ]
    mentioned_ids = {id(node) for _, node, _, _ in mentions}
    mentions += [
        (reference.source, reference.node, reference.place, False)
        for reference in call_sites.find_looked_up_names(work, method)
        if id(reference.node) not in mentioned_ids
    ]
    return mentions


def rename_method(plan: EditPlan, op: RenameMethod) -> bool:
    """Rename the method wherever it is named. False where it has its new name already."""
    assert op.method is not None
    source, cls = plan.workspace.find_node_class(op.node)
    names = [f.name for f in list_methods(cls)]
    if (op.method not in names and op.to in names) or op.to == op.method:
        return False
    _refuse_rename(plan, op, source, cls)
    mentions = _find_mentions(plan, op.node, op.method)
    doubtful = [place for _, _, place, certain in mentions if not certain]
    if doubtful:
        raise Refusal(f"it cannot be told whether this is {op.symbol}.", tuple(dict.fromkeys(doubtful)))
    for function in (f for f in list_methods(cls) if f.name == op.method):
        start = source.span(function)[0]
        name_token = next(t for t in source.iter_tokens(start, source.span(function.body[0])[0]) if t.text == op.method)
        plan.add(source, Edit(name_token.start, name_token.end, op.to.encode()))
    for where, node, _, _ in mentions:
        _rename_mention(plan, where, node, op)
    return True


def _refuse_rename(plan: EditPlan, op: RenameMethod, source: Source, cls: ast.ClassDef) -> None:
    plan.workspace.find_own_method(op.node, str(op.method))
    if not op.to.isidentifier():
        raise Refusal(f"{op.to!r} cannot be the name of a method.")
    family = plan.workspace.iter_family(source, cls)
    if op.to in collect_bound_names(cls.body) or any(op.to in {f.name for f in list_methods(c)} for _, c in family):
        raise Refusal(f"{op.node} has something named {op.to!r} already.", source.places(cls))


def _rename_mention(plan: EditPlan, where: Source, node: ast.AST, op: RenameMethod) -> None:
    if isinstance(node, ast.Attribute):
        end = where.span(node)[1]
        plan.add(where, Edit(end - len(str(op.method).encode()), end, op.to.encode()))
    elif isinstance(node, ast.Constant):
        text = str(node.value).removesuffix(str(op.method)) + op.to
        plan.replace(where, node, replace_literal_text(where, node, text))
