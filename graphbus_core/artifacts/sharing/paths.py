"""Files: those of a temporary folder go with the event; any other outlives it."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeGuard

from graphbus_core.artifacts.sharing import library
from graphbus_core.artifacts.sharing.values import Immutable, Site, Value

if TYPE_CHECKING:
    from graphbus_core.artifacts.sharing.engine import Engine

TEMPORARY = "a temporary folder"
PARENT = "(parent)"  # the field of a path that holds a folder in which it is, however deep
FILE_NAME = Immutable("file name")  # `path.name`: without a folder, though it may be `..`


def is_temporary(value: Value) -> bool:
    """Whether it can only be a path in a temporary folder."""
    return bool(value) and all(
        isinstance(a, Site) and a.kind == "path" and a.made_by.startswith(TEMPORARY) and not a.lasting for a in value
    )


def join_path(engine: Engine, values: list[Value], nodes: Sequence[ast.AST], node: ast.AST) -> Value:
    """`Path(a, b)`, `a / b`: in the temporary folder where the first is, and the others cannot lead out of it."""
    is_inside = bool(values) and len(values) == len(nodes) and is_temporary(values[0])
    if is_inside and len(values) == 1:
        return values[0]
    is_folder = is_inside and all(isinstance(a, Site) and a.made_by == TEMPORARY for a in values[0])
    steps = list(zip(values[1:], nodes[1:], strict=False))
    named = [value == frozenset((FILE_NAME,)) for value, _ in steps]
    if is_folder and (all(_stays_inside(engine, part) for _, part in steps) or named == [True]):
        path = engine.make((node, "inside", any(named)), "path")
        path.made_by = f"{TEMPORARY}, last part" if any(named) else TEMPORARY
        engine.put(path, values[0], PARENT)
    else:
        path = engine.make((node, "path"), "path")
    return frozenset((path,))


def find_beside(engine: Engine, site: Site, name: str, node: ast.AST) -> Value | None:
    """The paths that a method gives: this one stands for any that leads nowhere else than it does."""
    if name in ("resolve", "absolute"):
        return frozenset((site,))
    arguments = node.args if isinstance(node, ast.Call) and not node.keywords else []
    is_certain = len(arguments) == 1 and _stays_inside(engine, arguments[0])
    elsewhere = engine.make((node, "elsewhere"), "path")
    if name in library.PATH_BESIDE:  # a suffix holds no slash
        is_inner = PARENT in site.fields and (is_certain or (name == "with_suffix" and len(arguments) == 1))
        return frozenset((site if is_inner else elsewhere,))
    if name in library.PATH_LISTING:
        path = site if name == "iterdir" or is_certain else elsewhere
        return frozenset((engine.make(node, "iterator", frozenset((path,))),))
    return frozenset((elsewhere,)) if name in ("relative_to", "expanduser", "joinpath") else None


def _stays_inside(engine: Engine, node: ast.AST) -> bool:
    """Whether this part of a path, as the source says it, leads no way up and is not absolute."""
    if isinstance(node, ast.JoinedStr) and node not in engine.open_texts:  # it is filled with numbers alone
        text = "".join(str(part.value) if isinstance(part, ast.Constant) else "0" for part in node.values)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        text = node.value
    else:
        return False
    parts = text.replace("\\", "/").split("/")
    return bool(parts[0]) and ".." not in parts and ":" not in text


def says_all(node: ast.AST, arguments: Sequence[Value], rest: Value) -> TypeGuard[ast.Call]:
    """Whether the source of this call says what is called is given: no star does, and nobody else calls it, as `map`
    or a `partial` would."""
    return isinstance(node, ast.Call) and len(node.args) == len(arguments) and not rest


def reads_only(node: ast.AST, arguments: Sequence[Value], rest: Value, position: int = 0) -> bool:
    """Whether a file is opened to be read, as far as the source says."""
    if not says_all(node, arguments, rest):
        return False
    named = [k.value for k in node.keywords if k.arg == "mode"]
    mode = named[0] if named else node.args[position] if len(node.args) > position else None
    return mode is None or (isinstance(mode, ast.Constant) and mode.value in library.READING_MODES)


__all__ = ["FILE_NAME", "PARENT", "TEMPORARY", "find_beside", "is_temporary", "join_path", "reads_only", "says_all"]
