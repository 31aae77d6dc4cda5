"""Add an import that the project knows, or remove one that nothing uses."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Sequence

from graphbus_core.analysis.scopes import collect_bound_names
from graphbus_core.editing import call_sites
from graphbus_core.editing.edit_plan import EditPlan
from graphbus_core.editing.import_statements import Import, is_known_module
from graphbus_core.editing.source import Edit, Source, read_group
from graphbus_core.editing.statements import parse_code, remove_statement
from graphbus_core.model.edit_outcome import Refusal
from graphbus_core.model.operation import AddImport, RemoveImport


def _parse_import(text: str) -> ast.Import | ast.ImportFrom:
    tree = parse_code(text.strip(), "the import")
    if len(tree.body) != 1 or not isinstance(tree.body[0], ast.Import | ast.ImportFrom):
        raise Refusal(f"{text!r} is not one import statement.")
    if any(a.name == "*" for a in tree.body[0].names):
        raise Refusal("`import *` hides what a file uses; name what is wanted.")
    if "\n" in text.strip() or "#" in text or ";" in text:
        raise Refusal("write the import on one line.")
    return tree.body[0]


def _list_aliases(node: ast.Import | ast.ImportFrom) -> set[tuple[str | None, int, str, str | None]]:
    module, level = (node.module, node.level) if isinstance(node, ast.ImportFrom) else (None, -1)
    return {(module, level, a.name, a.asname) for a in node.names}


def add_import(plan: EditPlan, op: AddImport, allow_external: bool) -> bool:
    """Write the import where a formatter would. False where the file imports all of it already."""
    source, _ = plan.workspace.find_node_class(op.node)
    statement = _parse_import(op.statement)
    present = [n for n in source.tree.body if isinstance(n, ast.Import | ast.ImportFrom)]
    if _list_aliases(statement) <= {a for n in present for a in _list_aliases(n)}:
        return False
    if not allow_external:
        _refuse_unknown_module(plan, statement)
    for name in collect_bound_names(source.tree.body) & _list_bound_names(statement):
        existing = next((n for n in present if name in _list_bound_names(n)), None)
        # `import os.path` beside `import os` binds the same module again; everything else would hide something.
        if existing is None or isinstance(statement, ast.ImportFrom) or isinstance(existing, ast.ImportFrom):
            raise Refusal(f"{source.path} has something named {name!r} already.")
    plan.add_import_statement(source, statement, op.statement.strip())
    return True


def _list_bound_names(node: ast.Import | ast.ImportFrom) -> set[str]:
    """The names that an import binds."""
    return {a.asname or a.name.partition(".")[0] for a in node.names}


def _refuse_unknown_module(plan: EditPlan, statement: ast.Import | ast.ImportFrom) -> None:
    """Refuse a module from outside: a negotiation does not add dependencies on its own."""
    if isinstance(statement, ast.ImportFrom):
        modules = [statement.module or ""] if not statement.level else []
    else:
        modules = [a.name for a in statement.names]
    for module in modules:
        top = module.partition(".")[0]
        if top and not _is_project_module(plan, module, top):
            raise Refusal(
                f"{top!r} is neither of the standard library nor of this project nor imported by it; "
                "new dependencies are off (allow_external_dependencies)."
            )


def _is_project_module(plan: EditPlan, name: str, top: str) -> bool:
    stem = name.replace(".", "/")
    # Any folder may be an import root here: a path that ends so is taken for the module.
    files = (f"/{stem}.py", f"/{stem}/__init__.py")
    paths = plan.workspace.paths
    others = (plan.workspace.read_source(path) for path in paths)
    trees = (other.tree for other in others if top.encode() in other.data)
    return is_known_module(top, lambda: any(f"/{path}".endswith(files) for path in paths), trees)


def remove_import(plan: EditPlan, op: RemoveImport) -> bool:
    """Take the import, or the names of it, away. False, with a note, where there is no such import."""
    source, _ = plan.workspace.find_node_class(op.node)
    statement = _parse_import(op.statement)
    present = [n for n in source.tree.body if isinstance(n, ast.Import | ast.ImportFrom)]
    holders = [n for n in present if _list_aliases(statement) <= _list_aliases(n)]
    if not holders:
        plan.notes.append(f"{source.path} has no `{op.statement.strip()}`")
        return False
    names = _list_bound_names(statement)
    used = _find_import_uses(plan, source, names)
    if used:
        raise Refusal(f"{', '.join(sorted(names))} is still used.", tuple(dict.fromkeys(used)))
    holder = holders[0]
    if _list_aliases(holder) == _list_aliases(statement):
        plan.add(source, _include_blank_line(source, holder, remove_statement(source, source.tree.body, holder)))
        return True
    plan.add(source, *remove_names(source, holder, {(w.name, w.asname) for w in statement.names}))
    return True


def remove_names(
    source: Source, holder: ast.Import | ast.ImportFrom, gone: Collection[tuple[str, str | None]]
) -> list[Edit]:
    """The edits that take some of its names, not all, out of an import."""
    start, end = source.span(holder)
    first, last = source.span(holder.names[0])[0], source.span(holder.names[-1])[1]
    if source.data[start:end].endswith(b")"):
        whole = read_group(source, source.data.rindex(b"(", start, first), end)
        edits = [e for i, a in enumerate(holder.names) if (a.name, a.asname) in gone for e in whole.remove(i)]
        if len(gone) > 1 and len({e.start for e in edits}) != len(edits):
            raise Refusal("take these names out one by one.", source.places(holder))
        return edits
    text = ", ".join(source.text(a) for a in holder.names if (a.name, a.asname) not in gone)
    return [Edit(first, last, text.encode())]


def _include_blank_line(source: Source, holder: ast.stmt, line: Edit) -> Edit:
    """The last import of a group goes with one blank line beside it: so adding it and taking it away are inverse."""
    start, end, data, body = line.start, line.end, source.data, source.tree.body
    if line.new or start != source.line_start(start) or end != source.next_line(end - 1):
        return line  # it shares its line with others
    index, above, below = body.index(holder), source.line_start(max(0, start - 1)), source.next_line(end)
    follows, leads = (any(isinstance(n, Import) for n in some) for some in (body[:index][-1:], body[index + 1 :][:1]))
    open_above = start > 0 and not data[above:start].strip()
    open_below = below > end and not data[end:below].strip()
    if open_below and (open_above or (leads and not follows)):
        return Edit(start, below, b"")
    # Code that touched the imports before touches them again.
    return Edit(above, end, b"") if open_above and follows and not leads and not open_below else line


def _find_import_uses(plan: EditPlan, source: Source, names: set[str]) -> list[str]:
    """Where names that a file imports are used: in it, in its annotations' text and `__all__`, and by other files."""
    spoken = re.compile(r"(?<![\w.])(?:" + "|".join(map(re.escape, sorted(names))) + r")(?!\w)")
    used = [n.lineno for n in ast.walk(source.tree) if isinstance(n, ast.Name) and n.id in names]
    used += [
        n.lineno
        for node in ast.walk(source.tree)
        for text in find_textual_references(node)
        for n in ast.walk(text)
        if isinstance(n, ast.Constant) and isinstance(n.value, str) and spoken.search(n.value)
    ]
    places = [f"{source.path}:{n}" for n in sorted(set(used))]
    return [*places, *find_external_uses(plan, source, names)]


def find_textual_references(node: ast.AST) -> Sequence[ast.AST]:
    """Where a text may name what is imported: a quoted annotation, `__all__`, `cast("T", x)`."""
    match node:
        case ast.arg(annotation=ast.expr() as said) | ast.AnnAssign(annotation=said):
            return [said]
        case ast.FunctionDef(returns=ast.expr() as said) | ast.AsyncFunctionDef(returns=ast.expr() as said):
            return [said]
        case ast.Assign(targets=[ast.Name(id="__all__")], value=value):
            return [value]
        case ast.Call(func=ast.Name(id="cast" | "TypeVar" | "NewType"), args=args):
            return args
    return []


def find_external_uses(plan: EditPlan, source: Source, names: set[str]) -> Iterator[str]:
    """Where other files take one of the names from this one: `from .source import name`, `source.name`."""
    for other in call_sites.iter_sources(plan.workspace):
        if other is source or not any(n.encode() in other.data for n in names):
            continue
        for node in ast.walk(other.tree):
            module = None
            match node:
                case ast.ImportFrom(module=base, level=level, names=found) if names & {a.name for a in found}:
                    module = plan.workspace.find_imported_module(other, base or "", level)
                case ast.Attribute(value=value, attr=attr) if attr in names:
                    module = plan.workspace.resolve_module(other, value)
            if module is source:
                yield from other.places(node)
