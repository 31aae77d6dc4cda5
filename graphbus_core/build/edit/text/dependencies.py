"""Which modules a changed file imports that it did not import before: `allow_external_dependencies` (seed 002 §2.10).

An import is a statement at any depth, or a call that imports (`__import__`, `importlib.import_module`, …) with its name
written out; `exec` and `eval` of a written-out text are read as code. Such a call whose name is only known when it runs
is named as what it is. It reads what is written: code that sets out to hide an import is the sandbox's business.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from graphbus_core.origin import is_provided

_CALLS = frozenset({"__import__", "import_module", "run_module"})  # by whatever name of a module they are reached
_CODE = frozenset({"exec", "eval"})  # only as the builtins that they are
_DEPTH = 4  # exec in an exec in an exec


@dataclass
class Imports:
    """What a source imports: top-level names with the line of the first, and the calls that cannot be read ahead."""

    names: dict[str, int] = field(default_factory=dict)
    unread: Counter[str] = field(default_factory=Counter)  # source of the call
    lines: dict[str, int] = field(default_factory=dict)  # of those calls


def imports_of(tree: ast.AST, depth: int = 0) -> Imports:
    """Every import of a source, wherever it stands."""
    found = Imports()
    aliases = _aliases(tree)
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        match node:
            case ast.Import():
                _note(found, node, (alias.name for alias in node.names))
            case ast.ImportFrom(level=0):
                _note(found, node, [node.module or ""])
            case ast.Call() if (what := _what(node.func, aliases)) is not None:
                _called(found, node, what, depth)
            case ast.Name(ctx=ast.Load()) | ast.Attribute(ctx=ast.Load()) if (
                id(node) not in called and _what(node, aliases) in _CALLS
            ):
                _unread(found, node)  # handed on: what it will be called with, nobody can say
    return found


def _aliases(tree: ast.AST) -> dict[str, str]:
    """Names that stand for a function that imports."""
    made = {name: name for name in ("__import__", *_CODE)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            made |= {a.asname or a.name: a.name for a in node.names if a.name in _CALLS}
    return made


def _what(function: ast.expr, aliases: Mapping[str, str]) -> str | None:
    match function:
        case ast.Name(id=name):
            return aliases.get(name)
        case ast.Attribute(attr=name) if name in _CALLS:
            return name
        case ast.Attribute(value=ast.Name(id="builtins"), attr=name) if name in _CODE:
            return name
    return None


def _called(found: Imports, call: ast.Call, what: str, depth: int) -> None:
    given = call.args[0] if call.args else next((k.value for k in call.keywords if k.arg in ("name", "mod_name")), None)
    if not isinstance(given, ast.Constant) or not isinstance(given.value, str | bytes):
        return _unread(found, call)
    if what not in _CODE:
        name = str(given.value)
        return _note(found, call, [] if name.startswith(".") else [name])
    if depth >= _DEPTH:
        return _unread(found, call)
    try:
        inner = imports_of(ast.parse(given.value), depth + 1)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None  # it fails when it runs
    _note(found, call, inner.names)
    for text in inner.unread:
        found.unread[text] += 1
        found.lines.setdefault(text, call.lineno)
    return None


def _note(found: Imports, node: ast.stmt | ast.expr, names: Iterable[str]) -> None:
    for name in names:
        if top := name.partition(".")[0]:
            found.names.setdefault(top, node.lineno)


def _unread(found: Imports, node: ast.expr) -> None:
    text = ast.unparse(node)
    found.unread[text] += 1
    found.lines.setdefault(text, node.lineno)


def is_known(name: str, own: Callable[[], bool], trees: Iterable[ast.AST]) -> bool:
    """Whether a top-level module is of the standard library, of the project (`own`), or imported by one of its files.

    `trees` are parsed as far as they are looked at.
    """
    return is_provided(name) or own() or any(name in imports_of(tree).names for tree in trees)


def new_dependencies(
    before: Mapping[str, bytes], after: Mapping[str, bytes], known: Callable[[str], bool]
) -> str | None:
    """Why the changed files may not land where new dependencies are off; None where they bring none.

    `known`: whether a top-level name is of the standard library, of the project, or imported by it already.
    """
    strangers: dict[str, str] = {}
    unread: list[str] = []
    for path in sorted(after):
        try:
            then, now = (imports_of(ast.parse(text)) if text else Imports() for text in (before.get(path), after[path]))
        except (SyntaxError, ValueError):
            continue  # `parses` says so, or it could not be read before either
        for name, line in now.names.items():
            if name not in then.names and not known(name):
                strangers.setdefault(name, f"{name} ({path}:{line})")
        unread += [f"`{text[:80]}` ({path}:{now.lines[text]})" for text in now.unread - then.unread]
    off = "new dependencies are off (allow_external_dependencies, --allow-imports)"
    if strangers:
        return (
            f"it imports {', '.join(strangers.values())}, which is neither of the standard library nor of this project "
            f"nor imported by it; {off}."
        )
    if unread:
        return (
            f"what {', '.join(unread)} imports is only known when it runs, and {off}. Write out the name of the module."
        )
    return None
