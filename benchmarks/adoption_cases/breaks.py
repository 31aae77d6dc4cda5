"""Breaks that are put into a project: a renamed key, a removed field, a changed return type. Each breaks somebody.

A place is only taken where the project itself relies on it, by a name that nothing else in it has: so that no break is
harmless. Which ones, is drawn from the project's name.
"""

from __future__ import annotations

import ast
import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

EACH = 10


@dataclass(frozen=True)
class Break:
    """One change: the file, its text afterwards, and what was done in words."""

    kind: str
    path: str
    text: bytes
    what: str


def breaks(root: Path, paths: list[str], seed: str) -> list[Break]:
    """Up to ten breaks of a project, the kinds in turn."""
    trees = {}
    for path in paths:
        try:
            trees[path] = ast.parse((root / path).read_bytes())
        except (SyntaxError, ValueError):
            continue
    texts = {path: (root / path).read_bytes() for path in trees}
    rng = random.Random(seed)
    found = [list(_keys(trees, texts)), list(_fields(trees, texts)), list(_returns(trees, texts))]
    for some in found:
        rng.shuffle(some)
    chosen: list[Break] = []
    while len(chosen) < EACH and any(found):
        for some in found:
            if some and len(chosen) < EACH:
                chosen.append(some.pop())
    return chosen


def _replaced(text: bytes, at: ast.AST, new: bytes) -> bytes:
    lines = text.splitlines(keepends=True)
    start = sum(map(len, lines[: at.lineno - 1])) + at.col_offset  # type: ignore[attr-defined]
    end = sum(map(len, lines[: at.end_lineno - 1])) + at.end_col_offset  # type: ignore[attr-defined]
    return text[:start] + new + text[end:]


def _keys(trees: dict[str, ast.Module], texts: dict[str, bytes]) -> Iterator[Break]:
    """A key of a dict that one function makes, and another reads in brackets."""
    made: dict[str, list[tuple[str, ast.Constant, int]]] = defaultdict(list)
    read: dict[str, set[int]] = defaultdict(set)
    for path, tree in trees.items():
        for function in (n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)):
            for at in ast.walk(function):
                match at:
                    case ast.Dict(keys=keys):
                        for key in keys:
                            if (
                                isinstance(key, ast.Constant)
                                and isinstance(key.value, str)
                                and key.value.isidentifier()
                            ):
                                made[key.value].append((path, key, id(function)))
                    case ast.Subscript(ctx=ast.Load(), slice=ast.Constant(value=str() as key)):
                        read[key].add(id(function))
    for key, places in made.items():
        if len(places) == 1 and read[key] - {places[0][2]}:
            path, at, _ = places[0]
            new = _renamed(key)
            text = _replaced(texts[path], at, f'"{new}"'.encode())
            yield Break("renamed key", path, text, f"the key {key} is {new} at {path}:{at.lineno}")


def _renamed(key: str) -> str:
    """Another name for a key, as people rename: one of six ways, by the key itself."""
    first, *rest = key.split("_")
    ways = (
        f"{key}s",
        f"new_{key}",
        first + "".join(word.title() for word in rest) if rest else f"{key}_value",
        "_".join([*rest, first]) if rest else f"the_{key}",
        key[: max(2, len(key) // 2)],
        f"{key}_info",
    )
    return ways[sum(key.encode()) % len(ways)]


def _fields(trees: dict[str, ast.Module], texts: dict[str, bytes]) -> Iterator[Break]:
    """An annotated field of a class that another file reads as an attribute or gives by name."""
    defined: Counter[str] = Counter()
    used: dict[str, set[str]] = defaultdict(set)
    for path, tree in trees.items():
        for at in ast.walk(tree):
            match at:
                case ast.ClassDef(body=body):
                    for line in body:
                        match line:
                            case ast.AnnAssign(target=ast.Name(id=name)) | ast.FunctionDef(name=name):
                                defined[name] += 1
                            case ast.Assign(targets=[ast.Name(id=name)]):
                                defined[name] += 1
                case ast.Attribute(ctx=ast.Store(), attr=attr):
                    defined[attr] += 1
                case ast.Attribute(ctx=ast.Load(), attr=attr):
                    used[attr].add(path)
    for path, tree in trees.items():
        for cls in (n for n in ast.walk(tree) if isinstance(n, ast.ClassDef) and len(n.body) > 1):
            for line in cls.body:
                if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name):
                    name = line.target.id
                    if defined[name] == 1 and used[name] - {path}:
                        what = f"the field {cls.name}.{name} is gone from {path}:{line.lineno}"
                        yield Break("removed field", path, _replaced(texts[path], line, b"pass"), what)


def _returns(trees: dict[str, ast.Module], texts: dict[str, bytes]) -> Iterator[Break]:
    """A function whose result is looked into by its callers only says whether there is one."""
    defined = Counter(
        n.name for t in trees.values() for n in ast.walk(t) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    relied = _relied_on(trees)
    for path, tree in trees.items():
        for at in ast.walk(tree):
            if not isinstance(at, ast.FunctionDef) or defined[at.name] != 1 or at.name not in relied:
                continue
            returns = [n for n in ast.walk(at) if isinstance(n, ast.Return)]
            inner = [n for n in ast.walk(at) if isinstance(n, ast.FunctionDef | ast.Lambda | ast.Yield)][1:]
            if len(returns) != 1 or inner or returns[0].value is None or at.decorator_list:
                continue
            value = ast.get_source_segment(texts[path].decode(), returns[0].value)
            if value is None:
                continue
            text = _replaced(texts[path], returns[0].value, b"bool(" + value.encode() + b")")
            if at.returns is not None:
                text = _replaced(text, at.returns, b"bool")
            yield Break("changed return type", path, text, f"{at.name} gives a bool at {path}:{at.lineno}")


def _relied_on(trees: dict[str, ast.Module]) -> set[str]:
    """Functions whose result somebody takes apart: an attribute, a key, several names."""
    found: set[str] = set()
    for tree in trees.values():
        for function in (n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)):
            names: dict[str, str] = {}
            for at in ast.walk(function):
                match at:
                    case ast.Attribute(value=ast.Call() as call) | ast.Subscript(value=ast.Call() as call):
                        found.add(_word(call))
                    case ast.Assign(targets=[ast.Tuple()], value=ast.Call() as call):
                        found.add(_word(call))
                    case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as call):
                        names[name] = _word(call)
            for at in ast.walk(function):
                match at:
                    case ast.Attribute(value=ast.Name(id=name)) if name in names:
                        found.add(names[name])
                    case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str())) if name in names:
                        found.add(names[name])
    return found - {""}


def _word(call: ast.Call) -> str:
    """What is called; a method only by a name of two words, which no library has by chance."""
    match call.func:
        case ast.Name(id=name):
            return name
        case ast.Attribute(attr=name) if "_" in name.strip("_"):
            return name
    return ""
