"""What a piece of Python's syntax tree tells by itself: its name, its last word, what it calls, what stands in it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

# Types of the standard library that a contract knows, and where an edit imports each from.
STANDARD_TYPES = {
    **dict.fromkeys(("datetime", "date", "timedelta"), "datetime"),
    "Decimal": "decimal",
    "UUID": "uuid",
    "Path": "pathlib",
}


def dotted_name(node: ast.AST | None) -> str:
    """`a.b.c` for a name or a chain of attributes, else nothing."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        head = dotted_name(node.value)
        return f"{head}.{node.attr}" if head else ""
    return ""


def last_name(node: ast.AST | None) -> str:
    """`Optional` of `typing.Optional`; nothing of what is not a name."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def is_name(node: ast.AST, name: str) -> bool:
    """Whether it is this very name."""
    return isinstance(node, ast.Name) and node.id == name


def literal_text(node: ast.AST | None) -> str | None:
    """What a text in quotes says; None for anything else."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def is_docstring(statement: ast.stmt) -> bool:
    """Whether a statement is a text alone, as a docstring is."""
    return isinstance(statement, ast.Expr) and literal_text(statement.value) is not None


def called_name(node: ast.AST) -> str:
    """The last name of what is called or named: `pytest.mark.xfail(…)` -> `xfail`."""
    return called_name(node.func) if isinstance(node, ast.Call) else last_name(node)


def walk_body(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Every node of a body in its order, without those of functions and classes that are defined in it."""
    waiting = list(reversed([*body]))
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            waiting.extend(reversed(list(ast.iter_child_nodes(node))))


def list_nodes(body: Iterable[ast.AST]) -> list[ast.AST]:
    """Every node of a body, those of inner functions and classes too, breadth first as `ast.walk`, at a third of its
    cost; operators and contexts (`ast.Load`), which no reader asks for, are left out."""
    nodes = [*body]
    for node in nodes:  # grows while it is read
        for field in node._fields:
            value = getattr(node, field, None)
            if value.__class__ is list:
                nodes += [item for item in value if isinstance(item, ast.AST)]
            elif isinstance(value, ast.AST) and value._fields:
                nodes.append(value)
    return nodes


def list_imported_names(statement: ast.Import | ast.ImportFrom, package: str) -> list[str]:
    """Modules that it may load, seen from `package`: `from a import b` needs `a`, and may mean `a.b`."""
    if isinstance(statement, ast.Import):
        return [alias.name for alias in statement.names]
    base = resolve_module(statement.level, statement.module or "", package)
    parts = [alias.name for alias in statement.names if alias.name != "*"]
    return [name for name in (base, *(f"{base}.{part}" if base else part for part in parts)) if name]


def resolve_module(level: int, module: str, package: str) -> str:
    """The dotted name of a module that stands behind so many dots, seen from `package`."""
    if not level:
        return module
    parts = package.split(".") if package else []
    return ".".join([*parts[: len(parts) - level + 1], *filter(None, [module])])


def list_parameters(args: ast.arguments, bound: bool = False) -> list[tuple[ast.arg, str, ast.expr | None]]:
    """Each parameter as written, with its kind (as `inspect` says it) and its default; `bound`: without `self`."""
    positional = [*args.posonlyargs, *args.args]
    kinds = ["positional_only"] * len(args.posonlyargs) + ["positional_or_keyword"] * len(args.args)
    defaults = [None] * (len(positional) - len(args.defaults)) + args.defaults
    rows = list(zip(positional, kinds, defaults, strict=True))[1 if bound else 0 :]
    rows += [(args.vararg, "var_positional", None)] if args.vararg else []
    rows += [(a, "keyword_only", d) for a, d in zip(args.kwonlyargs, args.kw_defaults, strict=True)]
    rows += [(args.kwarg, "var_keyword", None)] if args.kwarg else []
    return rows
