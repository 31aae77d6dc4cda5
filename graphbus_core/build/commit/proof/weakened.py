"""Whether a change makes a test say less than before: fewer assertions, a skip, a looser comparison, a test gone.

A test that a change is carried through keeps its assertions. One that is made to pass by saying less is no longer the
witness that its author meant, and only a person agrees to that. From the text alone; nothing runs.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from graphbus_core.build.edit.reach import is_test_file

_SKIPS = frozenset({"skip", "skipif", "skipIf", "skipUnless", "xfail", "importorskip", "SkipTest", "expectedFailure"})
_EXACT = frozenset({"assertEqual", "assertIs", "assertListEqual", "assertDictEqual", "assertCountEqual"})


@dataclass
class _Said:
    """What one test says: how often it checks, how often exactly, how often it may be left out."""

    checks: int = 0
    exact: int = 0
    skips: int = 0
    ways_out: int = 0  # `or` in a check, a check that is always true, a tolerance, an error that is swallowed


def weakened(before: Mapping[str, bytes], after: Mapping[str, bytes], created: Collection[str] = ()) -> list[str]:
    """Each test that says less than before, with what it lost, as `tests/test_x.py::test_y: 1 check fewer`."""
    found: list[str] = []
    for path in sorted(after):
        if path in created or not (is_test_file(path) or path.startswith("tests/")):
            continue
        old, new = _tests(before[path]), _tests(after[path])
        for name, was in old.items():
            lost = ["it is gone"] if name not in new else list(_lost(was, new[name]))
            if lost:
                found.append(f"{path}::{name}: {', '.join(lost)}")
    return found


def _lost(was: _Said, now: _Said) -> Iterator[str]:
    if now.checks < was.checks:
        yield f"{was.checks - now.checks} check{'s' * (was.checks - now.checks != 1)} fewer"
    elif now.exact < was.exact:
        yield "a looser comparison"
    if now.skips > was.skips:
        yield "it may be skipped"
    if now.ways_out > was.ways_out:
        yield "a check with a way out"


def _tests(data: bytes) -> dict[str, _Said]:
    """Every test function of a file, by its name with its class; helpers that check count as tests of their own."""
    try:
        tree = ast.parse(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    module_skips = sum(_is_skip(n) for s in tree.body if isinstance(s, ast.Assign | ast.Expr) for n in ast.walk(s))
    return {name: _said(node, module_skips) for name, node in _functions(tree.body, "")}


def _functions(body: list[ast.stmt], outer: str) -> Iterator[tuple[str, ast.AST]]:
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            said = _said(node, 0)
            if node.name.startswith("test") or said.checks:
                yield f"{outer}{node.name}", node
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node.body, f"{outer}{node.name}::")


def _said(function: ast.AST, skips: int) -> _Said:
    said = _Said(skips=skips)
    for node in ast.walk(function):
        said.skips += _is_skip(node)
        match node:
            case ast.Assert(test=test):
                said.checks += 1
                said.exact += _exact(test)
                said.ways_out += _way_out(test)
            case ast.Call(func=ast.Attribute(attr=name)) if name == "raises" or name.startswith("assert"):
                said.checks += 1
                said.exact += name in _EXACT
            case ast.Try(handlers=handlers, body=body):
                caught = any(isinstance(n, ast.Assert) for s in body for n in ast.walk(s)) and bool(handlers)
                said.ways_out += caught
            case ast.Return():
                said.ways_out += 1  # a test that ends before its last check
    return said


def _exact(test: ast.expr) -> bool:
    return any(isinstance(op, ast.Eq | ast.Is) for n in ast.walk(test) if isinstance(n, ast.Compare) for op in n.ops)


def _way_out(test: ast.expr) -> int:
    outs = sum(isinstance(n, ast.BoolOp) and isinstance(n.op, ast.Or) for n in ast.walk(test))
    outs += sum(isinstance(n, ast.Call) and ast.unparse(n.func).rpartition(".")[2] == "approx" for n in ast.walk(test))
    return outs + isinstance(test, ast.Constant)


def _is_skip(node: ast.AST) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr in _SKIPS
    return isinstance(node, ast.Name) and node.id in _SKIPS
