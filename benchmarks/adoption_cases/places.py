"""The text of a project, as the planter reads it: who defines a name, who uses it, and how a piece is replaced."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Break:
    """One change: the file, its text afterwards, and what was done in words."""

    kind: str
    path: str
    text: bytes
    what: str


@dataclass(frozen=True)
class Place:
    """Where a break can be put: the pieces of a file, each with what is written there instead."""

    kind: str
    path: str
    what: str
    pieces: tuple[tuple[ast.AST, str], ...]


@dataclass
class Part:
    """A function, with the class whose body holds it, or none."""

    path: str
    node: FunctionNode
    cls: ast.ClassDef | None
    nodes: list[ast.AST] = field(default_factory=list)

    @cached_property
    def words(self) -> set[str]:
        """Every name, attribute, text and keyword in it."""
        return {word for at in self.nodes for word in words_of(at)}


class Read:
    """A project's files."""

    def __init__(self, root: Path, paths: list[str]) -> None:
        self.texts: dict[str, bytes] = {}
        self.trees: dict[str, ast.Module] = {}
        for path in paths:
            try:
                self.texts[path] = (root / path).read_bytes()
                self.trees[path] = ast.parse(self.texts[path])
            except (SyntaxError, ValueError):
                self.texts.pop(path, None)
        self.parts = [part for path, tree in self.trees.items() for part in _parts(path, tree, None)]
        self.parts += [_module(path, tree) for path, tree in self.trees.items()]
        self.functions = Counter(part.node.name for part in self.parts)
        self.words: dict[str, Counter[str]] = defaultdict(Counter)  # word -> how it is used -> how often
        for tree in self.trees.values():
            for at in ast.walk(tree):
                for word in words_of(at):
                    self.words[word][_use(at)] += 1

    def broken(self, place: Place) -> Break:
        """The text of a file with pieces of it written anew."""
        text = self.texts[place.path]
        lines = text.splitlines(keepends=True)
        for at, new in sorted(place.pieces, key=lambda p: (-p[0].lineno, -p[0].col_offset)):  # type: ignore[attr-defined]
            start = sum(map(len, lines[: at.lineno - 1])) + at.col_offset  # type: ignore[attr-defined]
            end = sum(map(len, lines[: at.end_lineno - 1])) + at.end_col_offset  # type: ignore[attr-defined]
            text = text[:start] + new.encode() + text[end:]
        ast.parse(text)
        return Break(place.kind, place.path, text, place.what)


def _parts(path: str, at: ast.AST, cls: ast.ClassDef | None) -> Iterator[Part]:
    for child in ast.iter_child_nodes(at):
        if isinstance(child, FunctionNode):
            yield Part(path, child, cls, list(ast.walk(child)))
            yield from _parts(path, child, None)
        elif isinstance(child, ast.ClassDef):
            yield from _parts(path, child, child)
        else:
            yield from _parts(path, child, cls)


def _module(path: str, tree: ast.Module) -> Part:
    """What a module does when it is imported, as a function without callers."""
    found: list[ast.AST] = []
    waiting: list[ast.AST] = list(tree.body)
    while waiting:
        at = waiting.pop()
        if not isinstance(at, FunctionNode):
            found.append(at)
            waiting.extend(ast.iter_child_nodes(at))
    node = ast.parse("def _(): ...").body[0]
    assert isinstance(node, ast.FunctionDef)
    node.name, node.body, node.lineno = "<module>", [], 0
    return Part(path, node, None, found)


def words_of(at: ast.AST) -> list[str]:
    """The names that a node says."""
    match at:
        case ast.Name(id=word) | ast.Attribute(attr=word) | ast.arg(arg=word) | ast.keyword(arg=str() as word):
            return [word]
        case ast.FunctionDef(name=word) | ast.AsyncFunctionDef(name=word) | ast.ClassDef(name=word):
            return [word]
        case ast.Constant(value=str() as word) if len(word) < 80:
            return [word]
        case ast.alias(name=word):
            return [word.rpartition(".")[2]]
    return []


def _use(at: ast.AST) -> str:
    match at:
        case ast.Attribute(ctx=ast.Store()) | ast.Name(ctx=ast.Store()):
            return "stored"
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return "defined"
        case _:
            return type(at).__name__


def called(call: ast.Call) -> str:
    """What a call names: `f(…)`, `self.f(…)`, `x.f(…)`."""
    match call.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def awaited(at: ast.expr) -> ast.expr:
    """Without `await`."""
    return at.value if isinstance(at, ast.Await) else at


def bound_once(part: Part) -> dict[str, ast.expr]:
    """Local name -> what it is bound to, where that happens once."""
    number = Counter(a.arg for a in part.nodes if isinstance(a, ast.arg))
    number.update(n.id for n in part.nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
    found = {}
    for at in part.nodes:
        match at:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if number[name] == 1:
                found[name] = awaited(value)
    return found
