"""Read the package as text and measure it: rooms, files, functions, imports. Nothing of it is run.

A room is a folder of the package. Its files are counted without `__init__.py`, which is the door and not a part; its
lines are counted with it. Imports come in three kinds, told apart because they cost differently:

* `load`: at the top of a module, run when the module is loaded. A circle of these can fail at start.
* `typing`: below `if TYPE_CHECKING:`, never run.
* `late`: inside a function, run when it is called.

A file that imports a name from a package imports that package's `__init__`, unless the name is a module of it. The
packages above a module, which Python also loads, are not counted: every door would make a circle with its own room.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from graphbus_core.gc_control import pause_garbage_collection

ROOT = Path(__file__).resolve().parent.parent.parent
PACKAGE = "graphbus_core"
MAX_FILE_LINES, MAX_FUNCTION_LINES, MAX_COMPLEXITY = 1000, 60, 15

KINDS = ("load", "typing", "late")


@dataclass(frozen=True)
class Import:
    """`source` imports `target`; both are module names. `kind` is one of KINDS, `line` where it stands."""

    source: str
    target: str
    kind: str
    line: int


class House:
    """The files of one package below `root`, each parsed once."""

    def __init__(self, root: Path = ROOT, package: str = PACKAGE) -> None:
        self.root, self.package = root, package
        self.files = sorted(path for path in (root / package).rglob("*.py") if "__pycache__" not in path.parts)
        self.text = {path: path.read_text("utf-8") for path in self.files}
        with pause_garbage_collection():
            self.tree = {path: ast.parse(text) for path, text in self.text.items()}
        self.module = {path: self._module(path) for path in self.files}
        self._names = set(self.module.values())

    def _module(self, path: Path) -> str:
        parts = path.relative_to(self.root).with_suffix("").parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    def where(self, path: Path) -> str:
        """The path as people write it: from the root of the repository, with slashes."""
        return path.relative_to(self.root).as_posix()

    def lines(self) -> dict[str, int]:
        """How many lines each file has."""
        return {self.where(path): len(text.splitlines()) for path, text in self.text.items()}

    def room_files(self) -> dict[str, int]:
        """How many files each room has, its door not counted."""
        found: dict[str, int] = {}
        for path in self.files:
            found[self.where(path.parent)] = found.get(self.where(path.parent), 0) + (path.name != "__init__.py")
        return found

    def lone_importers(self) -> dict[str, str]:
        """The files that exactly one other file imports, with that file. A package's door does not count as either."""
        importers: dict[str, set[str]] = {}
        doors = {self.module[path] for path in self.files if path.name == "__init__.py"}
        for edge in self.imports():
            if not {edge.source, edge.target} & doors:
                importers.setdefault(edge.target, set()).add(edge.source)
        return {target: next(iter(sources)) for target, sources in importers.items() if len(sources) == 1}

    def function_lines(self) -> dict[str, int]:
        """How many lines each function has, from `def` to its end, as `file::Class.function`."""
        found: dict[str, int] = {}
        for path, tree in self.tree.items():
            for name, node in _functions(tree):
                key = f"{self.where(path)}::{name}"
                found[key] = max(found.get(key, 0), (node.end_lineno or node.lineno) - node.lineno + 1)
        return found

    def complexity(self) -> dict[str, int]:
        """The functions that ruff's C901 finds above MAX_COMPLEXITY, as `file::Class.function`; a `noqa` hides none."""
        command = [
            sys.executable,
            "-m",
            "ruff",
            "check",
            "--isolated",
            "--ignore-noqa",
            "--select",
            "C901",
            "--output-format=json",
        ]
        command += ["--config", f"lint.mccabe.max-complexity={MAX_COMPLEXITY}", str(self.root / self.package)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        if done.returncode not in (0, 1):
            raise RuntimeError(f"ruff could not look for complexity: {done.stderr.strip()}")
        starts = {
            (path, node.lineno): f"{self.where(path)}::{name}"
            for path, tree in self.tree.items()
            for name, node in _functions(tree)
        }
        found: dict[str, int] = {}
        for row in json.loads(done.stdout):
            number = int(row["message"].rsplit("(", 1)[1].split(">")[0])
            key = starts[Path(row["filename"]), row["location"]["row"]]
            found[key] = max(found.get(key, 0), number)
        return found

    def imports(self) -> list[Import]:
        """Each import of one file of the package by another."""
        return [edge for path in self.files for edge in self._of(path)]

    def _of(self, path: Path) -> Iterator[Import]:
        source = self.module[path]
        here = source if path.name == "__init__.py" else source.rpartition(".")[0]
        for node, kind in _statements(self.tree[path].body, "load"):
            for target in self._targets(node, here):
                if target != source:
                    yield Import(source, target, kind, node.lineno)

    def _targets(self, node: ast.Import | ast.ImportFrom, here: str) -> Iterator[str]:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in self._names)
            return
        base = node.module or ""
        if node.level:
            above = here.split(".")[: len(here.split(".")) - node.level + 1]
            base = ".".join([*above, *([node.module] if node.module else [])])
        for alias in node.names:
            for name in (f"{base}.{alias.name}", base):
                if name in self._names:
                    yield name
                    break


@cache
def read_house() -> House:
    """The package as it stands, read and parsed once by a process."""
    return House()


def walk_statements(node: ast.AST) -> Iterator[ast.AST]:
    """A node and every statement below it. Expressions, nine nodes of ten, hold no statement and are passed over."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += [child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.expr)]


def circles(edges: Iterable[Import], kinds: Iterable[str]) -> list[list[str]]:
    """The sets of modules that can reach each other over imports of these kinds (Tarjan), each sorted."""
    wanted = set(kinds)
    graph: dict[str, set[str]] = {}
    for edge in edges:
        if edge.kind in wanted:
            graph.setdefault(edge.source, set()).add(edge.target)
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(name: str) -> None:
        order[name] = low[name] = len(order)
        stack.append(name)
        for target in sorted(graph.get(name, ())):
            if target not in order:
                visit(target)
                low[name] = min(low[name], low[target])
            elif target in stack:
                low[name] = min(low[name], order[target])
        if low[name] == order[name]:
            cut = stack.index(name)
            if len(stack) - cut > 1:
                found.append(sorted(stack[cut:]))
            del stack[cut:]

    # A chain of imports is as deep as the house is high, far below Python's limit.
    for name in sorted(graph):
        if name not in order:
            visit(name)
    return sorted(found)


def _functions(tree: ast.AST, prefix: str = "") -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield prefix + node.name, node
            yield from _functions(node, f"{prefix}{node.name}.")
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node, f"{prefix}{node.name}.")
        elif not isinstance(node, ast.expr):
            yield from _functions(node, prefix)


def _statements(body: Iterable[ast.AST], kind: str) -> Iterator[tuple[ast.Import | ast.ImportFrom, str]]:
    for node in body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node, kind
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _statements(node.body, "typing" if kind == "typing" else "late")
        elif isinstance(node, ast.If) and _is_typing(node.test):
            yield from _statements(node.body, "typing")
            yield from _statements(node.orelse, kind)
        elif not isinstance(node, ast.expr):
            yield from _statements(ast.iter_child_nodes(node), kind)


def _is_typing(test: ast.expr) -> bool:
    return (isinstance(test, ast.Name) and test.id == "TYPE_CHECKING") or (
        isinstance(test, ast.Attribute) and test.attr == "TYPE_CHECKING"
    )
