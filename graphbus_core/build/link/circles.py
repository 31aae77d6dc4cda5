"""Imports that go round in a circle and break: read from the text, statement by statement, as `import` would run it.

A circle alone breaks nothing. It breaks where a name is wanted from a module that has not come to it yet, from
whichever module of the circle one begins; only that is told. What stands under a condition or in a `try` is believed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from graphbus_core.build.scan import Project
from graphbus_core.build.scan.source.namespaces import absolute
from graphbus_core.model.graph import circles_of

# Each beginning is a run over the circle, so the work grows with its square.
MOST = 60  # modules of one circle that are begun with; of a larger one nothing is said


@dataclass(frozen=True)
class Broken:
    """An import that fails: where it stands, and what it wants of whom. `circle`: the modules that go round."""

    path: str
    line: int
    wanted: str
    module: str
    circle: tuple[str, ...]

    def __str__(self) -> str:
        way = " -> ".join((*self.circle, self.circle[0]))
        return f"imports go round ({way}): {self.module} has no '{self.wanted}' yet"


def broken_imports(project: Project) -> Iterator[Broken]:
    """One for each circle that breaks, wherever one begins."""
    paths = {r.name: path for path, r in project.cache.readings.items() if path in project.files}
    imports = {
        r.name: [m for one in r.imports for m in _with_above(one) if m in paths and m != r.name]
        for path, r in project.cache.readings.items()
        if path in project.files
    }
    trees: dict[str, ast.Module] = {}
    for circle in circles_of(imports):
        if len(circle) > MOST:
            continue
        found = []
        # From each in turn: a circle that works from one beginning may break from another, and the first import
        # decides in life.
        for name in sorted(circle):
            run = _Run(project, paths, trees)
            try:
                run.load(name)
            except _Stuck as e:
                found.append(e)
                continue
            # It works from this beginning, so a program can start. That is not a fault yet.
            break
        else:
            first = found[0]
            yield Broken(first.path, first.line, first.wanted, first.module, tuple(first.way))


class _Stuck(Exception):
    def __init__(self, path: str, line: int, wanted: str, module: str, way: list[str]) -> None:
        super().__init__(wanted)
        self.path, self.line, self.wanted, self.module, self.way = path, line, wanted, module, way


class _Run:
    """One start of the interpreter."""

    def __init__(self, project: Project, paths: Mapping[str, str], trees: dict[str, ast.Module]) -> None:
        self.project, self.paths, self.trees = project, paths, trees
        self.bound: dict[str, set[str]] = {}
        self.loading: list[str] = []

    def load(self, name: str) -> None:
        # Packages first: importing `a.b` runs the `__init__` of `a`, where the circle is usually closed.
        for one in _with_above(name):
            if one in self.paths and one not in self.bound:
                self.bound[one] = set()
                self.loading.append(one)
                self._body(one, self._tree(one).body, sure=True)
                self.loading.remove(one)

    def _tree(self, name: str) -> ast.Module:
        if name not in self.trees:
            try:
                self.trees[name] = ast.parse((self.project.root / self.paths[name]).read_bytes())
            except (OSError, SyntaxError, ValueError):
                # A file that does not parse is told elsewhere (GB401); here it binds nothing.
                self.trees[name] = ast.Module([], [])
        return self.trees[name]

    def _body(self, name: str, body: Iterable[ast.stmt], sure: bool) -> None:
        bound = self.bound[name]
        for at in body:
            match at:
                case ast.Import(names=names):
                    for alias in names:
                        self.load(alias.name)
                        bound.add(alias.asname or alias.name.partition(".")[0])
                case ast.ImportFrom():
                    try:
                        self._from(name, at)
                    except _Stuck:
                        # Under a condition or in a `try` its author reckoned with it.
                        if sure:
                            raise
                case ast.FunctionDef(name=made) | ast.AsyncFunctionDef(name=made) | ast.ClassDef(name=made):
                    bound.add(made)
                case ast.If(test=test) if ast.unparse(test).endswith("TYPE_CHECKING"):
                    self._body(name, at.orelse, sure)
                case _:
                    bound |= {n.id for n in ast.walk(at) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
                    for inner in ("body", "handlers", "orelse", "finalbody"):
                        for one in getattr(at, inner, ()):
                            self._body(name, one.body if isinstance(one, ast.ExceptHandler) else [one], sure=False)

    def _from(self, name: str, at: ast.ImportFrom) -> None:
        path = self.paths[name]
        package = name if path.endswith("__init__.py") else name.rpartition(".")[0]
        base = absolute(at, package)
        self.load(base)
        for alias in at.names:
            inner = f"{base}.{alias.name}"
            if inner in self.paths:
                self.load(inner)
            elif base in self.loading and not self.bound[base] & {alias.name, "__getattr__"} and alias.name != "*":
                # `__getattr__` of a module may make any name, and `*` takes what there is.
                way = self.loading[self.loading.index(base) :]
                raise _Stuck(path, at.lineno, alias.name, base, way)
            self.bound[name].add(alias.asname or alias.name)


def _with_above(name: str) -> list[str]:
    """`a.b.c` -> a, a.b, a.b.c: what importing it runs, in order."""
    parts = name.split(".")
    return [".".join(parts[: i + 1]) for i in range(len(parts))]
