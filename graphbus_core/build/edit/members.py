"""The operations on methods, bodies and imports. Code comes as plain text and is indented here.

Each function returns False where there was nothing left to do, and raises Refusal where it cannot be done.
"""

from __future__ import annotations

import ast
import re
import sys
import tokenize
from io import StringIO

from graphbus_core.build.confine.outcome import Refusal
from graphbus_core.build.edit.followed import calls
from graphbus_core.build.edit.records import remove_statement, respell
from graphbus_core.build.edit.text.groups import group
from graphbus_core.build.edit.text.plan import Plan, import_line
from graphbus_core.build.edit.text.scope import FUNCTIONS, Function, bound
from graphbus_core.build.edit.text.source import Edit, Source, parsed
from graphbus_core.build.edit.text.worktree import functions, is_call, nearest
from graphbus_core.model.operation import (
    AddImport,
    AddMethod,
    DeleteMethod,
    Operation,
    RemoveImport,
    RenameMethod,
    ReplaceBody,
)

MAX_CODE = 200_000  # characters of one body or method


def run(plan: Plan, op: Operation, allow_external: bool) -> bool:
    """Plan one of these operations."""
    match op:
        case ReplaceBody():
            return _replace_body(plan, op)
        case AddMethod():
            return _add_method(plan, op)
        case DeleteMethod():
            return _delete_method(plan, op)
        case RenameMethod():
            return _rename_method(plan, op)
        case AddImport():
            return _add_import(plan, op, allow_external)
        case RemoveImport():
            return _remove_import(plan, op)
    raise Refusal(f"{op.op} is not known here.")


# ---- text of code


def _code(text: str, what: str) -> str:
    if len(text) > MAX_CODE:
        raise Refusal(f"{what} has {len(text):,} characters; at most {MAX_CODE:,}.")
    return text.replace("\r\n", "\n").replace("\r", "\n").strip("\n").rstrip()


def _in_strings(text: str) -> set[int]:
    """The lines (from 0) that begin inside a string: their white space is the string's own."""
    found: set[int] = set()
    opened = []
    try:
        for token in tokenize.generate_tokens(StringIO(text).readline):
            name = tokenize.tok_name[token.type]
            if name == "STRING":
                found.update(range(token.start[0], token.end[0]))
            elif name in ("FSTRING_START", "TSTRING_START"):
                opened.append(token.start[0])
            elif name in ("FSTRING_END", "TSTRING_END"):
                found.update(range(opened.pop(), token.end[0]))
    except (tokenize.TokenError, SyntaxError, IndexError):
        pass
    return found


def dedented(text: str) -> str:
    """Code without the indentation that all of its lines share; text inside of strings stays."""
    first = text.lstrip("\n")
    probe = f"if 1:\n{text}" if first[:1] in " \t" else text
    strings = {n - 1 for n in _in_strings(probe)} if probe is not text else _in_strings(text)
    lines = text.split("\n")
    counted = [t for i, t in enumerate(lines) if i not in strings and t.strip() and not t.lstrip().startswith("#")]
    margins = [t[: len(t) - len(t.lstrip(" \t"))] for t in counted]
    margin = min(margins, key=len, default="")
    return "\n".join(t if i in strings else (t.removeprefix(margin) if t.strip() else "") for i, t in enumerate(lines))


def indented(text: str, indent: bytes, newline: bytes) -> bytes:
    """Code at an indentation, with the file's line ends; tabs where the file has tabs."""
    strings = _in_strings(text)
    tabs = b"\t" in indent
    out = []
    for i, line in enumerate(text.split("\n")):
        if i in strings or not line.strip():
            out.append(line.encode() if i in strings else b"")
            continue
        bare = line.lstrip(" ")
        lead = len(line) - len(bare)
        inner = b"\t" * (lead // 4) + b" " * (lead % 4) if tabs and lead % 4 == 0 else b" " * lead
        out.append(indent + inner + bare.encode())
    return newline.join(out)


def _parsed(text: str, what: str) -> ast.Module:
    try:
        return parsed(text)
    except SyntaxError as e:
        raise Refusal(f"{what} does not parse: line {e.lineno}: {e.msg}.") from None
    except (ValueError, RecursionError, MemoryError) as e:
        raise Refusal(f"{what} does not parse: {e}.") from None


# ---- bodies


def _replace_body(plan: Plan, op: ReplaceBody) -> bool:
    assert op.method is not None
    source, owner, function = plan.workspace.method(op.node, op.method)
    _, cls = plan.workspace.node(op.node)
    if owner is not cls:
        raise Refusal(
            f"{op.symbol} is inherited from {owner.name}; its body is that class's.",
            (f"{source.path}:{function.lineno}",),
        )
    text = dedented(_code(op.body, "the body"))
    if not text.strip():
        raise Refusal("the body is empty; write `pass` for a method that does nothing.")
    strings = _in_strings(text)
    wrapped = "\n".join(t if i in strings else f" {t}" for i, t in enumerate(text.split("\n")))
    inside = _parsed(f"async def _():\n{wrapped}", "the body")
    if len(inside.body) != 1:
        raise Refusal("the body is more than one method's body.")
    statements = inside.body[0].body  # type: ignore[attr-defined]
    doc = _is_doc(function.body[0])
    keep = doc and not (statements and _is_doc(statements[0]))
    old = function.body[1:] if keep else function.body
    if [ast.dump(s) for s in old] == [ast.dump(s) for s in statements]:
        return False
    start = _statement_start(source, old[0]) if old else source.span(function.body[0])[1]
    end = source.span(function.body[-1])[1]
    newline = source.newline(start)
    if old and not source.begins_line(start):  # `def f(self): return 1`
        indent = source.indent(source.span(function)[0]) + _unit(source, function)
        stripped = source.data[:start].rstrip(b" \t")
        plan.add(source, Edit(len(stripped), end, newline + indented(text, indent, newline)))
        return True
    if not old:
        indent = (
            source.indent(start)
            if source.begins_line(source.span(function.body[0])[0])
            else source.indent(start) + _unit(source, function)
        )
        plan.add(source, Edit(start, start, newline + indented(text, indent, newline)))
        return True
    indent = source.data[source.line_start(start) : start].rpartition(b"\f")[2]
    plan.add(source, Edit(start, end, indented(text, indent, newline)[len(indent) :]))
    return True


def _is_doc(statement: ast.stmt) -> bool:
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def _statement_start(source: Source, statement: ast.stmt) -> int:
    """Where a statement begins, its decorators (and their `@`) with it."""
    decorators = getattr(statement, "decorator_list", [])
    if not decorators:
        return source.span(statement)[0]
    at = source.span(decorators[0])[0]
    return source.data.rindex(b"@", 0, at)


def _unit(source: Source, function: Function) -> bytes:
    return b"\t" if source.indent(source.span(function)[0]).endswith(b"\t") else b"    "


# ---- methods


def _add_method(plan: Plan, op: AddMethod) -> bool:
    source, cls = plan.workspace.node(op.node)
    text = dedented(_code(op.source, "the method"))
    tree = _parsed(text, "the method")
    if len(tree.body) != 1 or not isinstance(tree.body[0], FUNCTIONS) or tree.body[0].name != op.method:
        raise Refusal(f"give exactly one method named {op.method!r}, with its decorators.")
    present = [f for f in functions(cls) if f.name == op.method]
    if present:
        if ast.dump(present[-1]) == ast.dump(tree.body[0]):
            return False
        raise Refusal(f"{op.symbol} exists already; replace_body changes it.", (f"{source.path}:{present[-1].lineno}",))
    for decorator in tree.body[0].decorator_list:
        if is_call(decorator, "schema_method", source):
            for value in ast.walk(decorator):
                if isinstance(value, ast.Name) and isinstance(value.ctx, ast.Load):
                    plan.name(source, value.id)
        elif isinstance(decorator, ast.Name):
            plan.name(source, decorator.id)
    last = cls.body[-1]
    end = source.span(last)[1]
    newline = source.newline(end)
    first = source.span(cls.body[0])[0]
    tail = source.data[end : source.line_end(end)]
    if not source.begins_line(_statement_start(source, cls.body[0])):  # `class A(Node): pass`
        if source.line(first) != source.line(end) or len(cls.body) > 1:
            raise Refusal(
                "the class stands on one line; write its body on lines of its own.", (f"{source.path}:{cls.lineno}",)
            )
        indent = source.indent(source.span(cls)[0]) + b"    "
        line_end = source.line_end(end)
        head = Edit(len(source.data[:first].rstrip(b" \t")), first, newline + indent)
        plan.add(source, head, Edit(line_end, line_end, newline * 2 + indented(text, indent, newline)))
        return True
    indent = source.indent(_statement_start(source, cls.body[0]))
    if b";" in tail.split(b"#")[0]:
        raise Refusal("the class ends in the middle of a line.", (f"{source.path}:{source.line(end)}",))
    place = source.line_end(end)
    plan.add(source, Edit(place, place, newline * 2 + indented(text, indent, newline)))
    return True


def _block_of(cls: ast.ClassDef, function: ast.AST) -> list[ast.stmt]:
    for owner in ast.walk(cls):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(owner, name, None)
            if isinstance(block, list) and any(s is function for s in block):
                return block
    raise Refusal("the method was not found in its class.")


def _delete_method(plan: Plan, op: DeleteMethod) -> bool:
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
        block = _block_of(cls, function)
        start, end = _statement_start(source, function), source.span(function)[1]
        if len(block) == 1:
            plan.add(source, Edit(start, end, b"pass"))
            continue
        index = next(i for i, s in enumerate(block) if s is function)
        if index == len(block) - 1:  # with the blank lines above, so that adding and deleting are inverse
            previous = source.span(block[index - 1])[1]
            gap = source.data[source.line_end(previous) : source.line_start(start)]
            if not gap.strip():
                cut = source.line_end(previous)
                plan.add(source, Edit(cut, source.line_end(end), b""))
                continue
        following = source.next_line(end)
        while following < len(source.data) and not source.data[following : source.line_end(following)].strip():
            step = source.next_line(following)
            if step == following:
                break
            following = step
        plan.add(source, Edit(source.line_start(start), following, b""))
    return True


def _mentions(plan: Plan, node: str, method: str) -> list[tuple[Source, ast.AST, str, bool]]:
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
    for source in calls.sources(work):
        if f"{node}.{method}".encode() in source.data:
            found += [
                (source, n, f"{source.path}:{n.lineno}", True)
                for n in ast.walk(source.tree)
                if isinstance(n, ast.Constant) and n.value == f"{node}.{method}"
            ]
    return found


def _rename_method(plan: Plan, op: RenameMethod) -> bool:
    assert op.method is not None
    source, cls = plan.workspace.node(op.node)
    names = [f.name for f in functions(cls)]
    if (op.method not in names and op.to in names) or op.to == op.method:
        return False
    at, owner, _ = plan.workspace.method(op.node, op.method)
    if owner is not cls:
        raise Refusal(f"{op.symbol} is inherited from {owner.name}; rename it there.", (f"{at.path}:{owner.lineno}",))
    if not op.to.isidentifier():
        raise Refusal(f"{op.to!r} cannot be the name of a method.")
    if op.to in bound(cls.body) or any(
        op.to in {f.name for f in functions(c)} for _, c in plan.workspace.family(source, cls)
    ):
        raise Refusal(f"{op.node} has something named {op.to!r} already.", (f"{source.path}:{cls.lineno}",))
    mentions = _mentions(plan, op.node, op.method)
    doubtful = [place for _, _, place, certain in mentions if not certain]
    if doubtful:
        raise Refusal(f"it cannot be told whether this is {op.symbol}.", tuple(dict.fromkeys(doubtful)))
    for function in (f for f in functions(cls) if f.name == op.method):
        start = source.span(function)[0]
        found = next(t for t in source.tokens(start, source.span(function.body[0])[0]) if t.text == op.method)
        plan.add(source, Edit(found.start, found.end, op.to.encode()))
    for where, node, _, _ in mentions:
        if isinstance(node, ast.Attribute):
            end = where.span(node)[1]
            plan.add(where, Edit(end - len(op.method.encode()), end, op.to.encode()))
        elif isinstance(node, ast.Constant):
            text = f"{op.node}.{op.to}" if "." in str(node.value) else op.to
            plan.replace(where, node, respell(where, node, text))
    return True


# ---- imports


def _statement(text: str) -> ast.Import | ast.ImportFrom:
    tree = _parsed(text.strip(), "the import")
    if len(tree.body) != 1 or not isinstance(tree.body[0], ast.Import | ast.ImportFrom):
        raise Refusal(f"{text!r} is not one import statement.")
    if any(a.name == "*" for a in tree.body[0].names):
        raise Refusal("`import *` hides what a file uses; name what is wanted.")
    if "\n" in text.strip() or "#" in text or ";" in text:
        raise Refusal("write the import on one line.")
    return tree.body[0]


def _aliases(node: ast.Import | ast.ImportFrom) -> set[tuple[str | None, int, str, str | None]]:
    module, level = (node.module, node.level) if isinstance(node, ast.ImportFrom) else (None, -1)
    return {(module, level, a.name, a.asname) for a in node.names}


def _add_import(plan: Plan, op: AddImport, allow_external: bool) -> bool:
    source, _ = plan.workspace.node(op.node)
    wanted = _statement(op.statement)
    present = [n for n in source.tree.body if isinstance(n, ast.Import | ast.ImportFrom)]
    have = {a for n in present for a in _aliases(n)}
    if _aliases(wanted) <= have:
        return False
    module = wanted.module or "" if isinstance(wanted, ast.ImportFrom) else wanted.names[0].name
    if isinstance(wanted, ast.ImportFrom) and wanted.level:
        module = ""
    for name in [module] if isinstance(wanted, ast.ImportFrom) else [a.name for a in wanted.names]:
        top = name.partition(".")[0]
        if top and not allow_external and not _known_module(plan, source, name, top):
            raise Refusal(
                f"{top!r} is neither of the standard library nor of this project nor imported by it; "
                "new dependencies are off (allow_external_dependencies)."
            )
    for node in bound(source.tree.body) & {a.asname or a.name.partition(".")[0] for a in wanted.names}:
        taken = next((n for n in present if node in {a.asname or a.name.partition(".")[0] for a in n.names}), None)
        if taken is None or isinstance(wanted, ast.ImportFrom) or isinstance(taken, ast.ImportFrom):
            raise Refusal(f"{source.path} has something named {node!r} already.")
    plan.add(source, import_line(source, op.statement.strip(), last=True))
    return True


def _known_module(plan: Plan, source: Source, name: str, top: str) -> bool:
    if top in sys.stdlib_module_names or top == "graphbus_core":
        return True
    stem = name.replace(".", "/")
    paths = plan.workspace.paths
    if any(
        p in (f"{stem}.py", f"{stem}/__init__.py") or p.endswith((f"/{stem}.py", f"/{stem}/__init__.py")) for p in paths
    ):
        return True
    for path in paths:
        other = plan.workspace.source(path)
        if top.encode() not in other.data:
            continue
        for node in ast.walk(other.tree):
            if isinstance(node, ast.Import) and any(a.name.partition(".")[0] == top for a in node.names):
                return True
            if isinstance(node, ast.ImportFrom) and not node.level and (node.module or "").partition(".")[0] == top:
                return True
    return False


def _remove_import(plan: Plan, op: RemoveImport) -> bool:
    source, _ = plan.workspace.node(op.node)
    wanted = _statement(op.statement)
    present = [n for n in source.tree.body if isinstance(n, ast.Import | ast.ImportFrom)]
    holders = [n for n in present if _aliases(wanted) <= _aliases(n)]
    if not holders:
        plan.notes.append(f"{source.path} has no `{op.statement.strip()}`")
        return False
    names = {a.asname or a.name.partition(".")[0] for a in wanted.names}
    used = _uses_of(plan, source, names)
    if used:
        raise Refusal(f"{', '.join(sorted(names))} is still used.", tuple(dict.fromkeys(used)))
    holder = holders[0]
    if _aliases(holder) == _aliases(wanted):
        plan.add(source, remove_statement(source, source.tree.body, holder))
        return True
    gone = {(w.name, w.asname) for w in wanted.names}
    start, end = source.span(holder)
    first, last = source.span(holder.names[0])[0], source.span(holder.names[-1])[1]
    if source.data[start:end].endswith(b")"):
        whole = group(source, source.data.rindex(b"(", start, first), end)
        edits = [e for i, a in enumerate(holder.names) if (a.name, a.asname) in gone for e in whole.remove(i)]
        if len(gone) > 1 and len({e.start for e in edits}) != len(edits):
            raise Refusal("take these names out one by one.", (f"{source.path}:{holder.lineno}",))
        plan.add(source, *edits)
        return True
    text = ", ".join(source.text(a) for a in holder.names if (a.name, a.asname) not in gone)
    plan.add(source, Edit(first, last, text.encode()))
    return True


def _uses_of(plan: Plan, source: Source, names: set[str]) -> list[str]:
    """Where names that a file imports are used: in it, in its annotations' text and `__all__`, and by other files."""
    spoken = re.compile(r"(?<![\w.])(?:" + "|".join(map(re.escape, sorted(names))) + r")(?!\w)")
    used = []
    for node in ast.walk(source.tree):
        texts: list[ast.AST] = []
        match node:
            case ast.Name(id=name) if name in names:
                used.append(node.lineno)
            case ast.arg(annotation=ast.expr() as said) | ast.AnnAssign(annotation=said):
                texts = [said]
            case ast.FunctionDef(returns=ast.expr() as said) | ast.AsyncFunctionDef(returns=ast.expr() as said):
                texts = [said]
            case ast.Assign(targets=[ast.Name(id="__all__")], value=value):
                texts = [value]
            case ast.Call(func=ast.Name(id="cast" | "TypeVar" | "NewType"), args=args):
                texts = list(args)
        used += [
            n.lineno
            for text in texts
            for n in ast.walk(text)
            if isinstance(n, ast.Constant) and isinstance(n.value, str) and spoken.search(n.value)
        ]
    places = [f"{source.path}:{n}" for n in sorted(set(used))]
    for other in calls.sources(plan.workspace):
        if other is source or not any(n.encode() in other.data for n in names):
            continue
        for node in ast.walk(other.tree):
            match node:
                case ast.ImportFrom(module=base, level=level, names=found) if names & {a.name for a in found}:
                    if plan.workspace.imported(other, base or "", level) is source:
                        places.append(f"{other.path}:{node.lineno}")
                case ast.Attribute(value=value, attr=attr) if attr in names:
                    if plan.workspace.module_of(other, value) is source:
                        places.append(f"{other.path}:{node.lineno}")
    return places
