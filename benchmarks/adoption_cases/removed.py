"""A removed field: of a dataclass, a model, a TypedDict, an enum, or one that `self.x = …` puts there."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator

from benchmarks.adoption_cases.places import Part, Place, Read

# A base from elsewhere may have the field, or answer for any. These have no fields of their own.
PLAIN = {"object", "ABC", "Protocol", "Generic", "BaseModel", "NamedTuple", "TypedDict", "Enum", "Exception"}


def removed_fields(read: Read, rng: random.Random) -> Iterator[Place]:
    """Fields that nothing else in the project is called as, and that somebody else reads."""
    for path, tree in read.trees.items():
        for cls in (n for n in ast.walk(tree) if isinstance(n, ast.ClassDef)):
            if not _plain(read, cls, 0):
                continue
            for name, statements in _fields(cls).items():
                if read.words[name]["stored"] + read.words[name]["defined"] != len(statements):
                    continue
                if not _readers(read, cls, name, statements):
                    continue
                what = f"the field {cls.name}.{name} is gone from {path}:{statements[0].lineno}"
                yield Place("removed field", path, what, tuple((one, _left(one)) for one in statements))


def _left(at: ast.stmt) -> str:
    return "pass" if isinstance(at, ast.AnnAssign) or not isinstance(at.value, ast.Call) else ast.unparse(at.value)  # type: ignore[attr-defined]


def _plain(read: Read, cls: ast.ClassDef, depth: int) -> bool:
    """Whether all that a class has is written in the project."""
    if depth > 8 or any(k.arg == "metaclass" for k in cls.keywords):
        return False
    if any(isinstance(n, ast.FunctionDef) and n.name in ("__getattr__", "__getattribute__") for n in cls.body):
        return False
    if "setattr(" in ast.unparse(cls) or "__dict__" in ast.unparse(cls):
        return False
    for base in cls.bases:
        word = ast.unparse(base).partition("[")[0].rpartition(".")[2]
        if word in PLAIN:
            continue
        own = [n for t in read.trees.values() for n in ast.walk(t) if isinstance(n, ast.ClassDef) and n.name == word]
        if len(own) != 1 or not _plain(read, own[0], depth + 1):
            return False
    return True


def _fields(cls: ast.ClassDef) -> dict[str, list[ast.stmt]]:
    """Field -> each statement that makes it, where all of them are whole statements."""
    found: dict[str, list[ast.stmt]] = {}
    for line in cls.body:
        match line:
            case ast.AnnAssign(target=ast.Name(id=name)) | ast.Assign(targets=[ast.Name(id=name)]):
                if not name.startswith("__") and name not in ("Meta", "Config"):
                    found.setdefault(name, []).append(line)
    for function in (n for n in cls.body if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)):
        for line in ast.walk(function):
            match line:
                case (
                    ast.Assign(targets=[ast.Attribute(value=ast.Name(id="self"), attr=name)])
                    | ast.AnnAssign(target=ast.Attribute(value=ast.Name(id="self"), attr=name))
                ):
                    found.setdefault(name, []).append(line)
    return found


def _readers(read: Read, cls: ast.ClassDef, name: str, statements: list[ast.stmt]) -> list[Part]:
    """Functions that read it: by `self` in another method, by the class's name, or as a name of two words."""
    found = []
    for part in read.parts:
        lines = range(part.node.lineno, (part.node.end_lineno or 0) + 1)
        if part.cls is cls and any(one.lineno in lines for one in statements):
            continue
        if {"hasattr", "getattr", "AttributeError"} & part.words:
            continue
        for at in part.nodes:
            match at:
                case ast.Attribute(ctx=ast.Load(), value=ast.Name(id="self"), attr=word) if word == name:
                    found += [part] if part.cls is cls else []
                case ast.Attribute(ctx=ast.Load(), value=base, attr=word) if word == name:
                    known = ast.unparse(base) == cls.name or "_" in name.strip("_")
                    found += [part] if known else []
                case ast.Subscript(ctx=ast.Load(), slice=ast.Constant(value=word)) if word == name:
                    typed = any(ast.unparse(b).endswith("TypedDict") for b in cls.bases)
                    found += [part] if typed and "_" in name else []
    return found
