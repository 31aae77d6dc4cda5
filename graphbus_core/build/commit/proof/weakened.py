"""Whether a change makes a test say less than before: fewer assertions, a skip, a looser comparison, a test gone.

A test that a change is carried through keeps its assertions. One that is made to pass by saying less is no longer the
witness that its author meant, and only a person agrees to that. From the text alone; nothing runs.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from graphbus_core.build.edit.reach import is_test_file

_SKIPS = frozenset({"skip", "skipif", "skipIf", "skipUnless", "xfail", "importorskip", "SkipTest", "expectedFailure"})
_COLLECTION = frozenset({"__test__", "collect_ignore", "collect_ignore_glob", "pytest_ignore_collect"})
_COLLECTION |= {"pytest_collection_modifyitems", "pytest_runtest_setup", "pytest_pycollect_makeitem", "pytest_plugins"}
_HARMLESS = frozenset({"parametrize", "asyncio", "anyio"})  # what a test may wear and still says as much
SKIPPED = "its tests may be skipped"
LEFT_OUT = "its tests may be left out of a run"
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
        for name, was in old.tests.items():
            lost = ["it is gone"] if name not in new.tests else list(_lost(was, new.tests[name]))
            if lost:
                found.append(f"{path}::{name}: {', '.join(lost)}")
        found += [f"{path}: {why}" for why, count in new.around.items() if count > old.around[why]]
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


@dataclass
class _File:
    """The tests of a file by name, and what stands around them that may leave every one of them out, how often."""

    tests: dict[str, _Said]
    around: Counter[str]


def _tests(data: bytes) -> _File:
    """Every test function with its class; helpers that check count as tests of their own."""
    try:
        tree = ast.parse(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return _File({}, Counter())
    inside = dict(_functions(tree.body, ""))
    counted = {id(node) for node, _ in inside.values()}
    around: Counter[str] = Counter()
    # What is not a test's own counts: a mark on the module or a class, a fixture, a set-up, a bare call, a condition.
    waiting: list[ast.AST] = [tree]
    while waiting:
        at = waiting.pop()
        if id(at) not in counted:
            around[SKIPPED] += _is_skip(at)
            around[LEFT_OUT] += _is_left_out(at, inside)
            waiting += ast.iter_child_nodes(at)
    return _File({name: said for name, (_, said) in inside.items()}, around)


def _functions(body: list[ast.stmt], outer: str) -> Iterator[tuple[str, tuple[ast.AST, _Said]]]:
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            said = _said(node)
            if node.name.startswith("test") or said.checks:
                yield f"{outer}{node.name}", (node, said)
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node.body, f"{outer}{node.name}::")


def _said(function: ast.AST) -> _Said:
    said = _Said(skips=sum(_word(d) not in _HARMLESS for d in getattr(function, "decorator_list", ())))
    for node in ast.walk(function):
        said.skips += _is_skip(node)
        match node:
            case ast.Assert(test=test):
                said.checks += 1
                said.exact += _exact(test)
                said.ways_out += _way_out(test)
            case ast.Call(func=ast.Attribute(attr="parametrize"), args=[_, ast.List(elts=rows) | ast.Tuple(elts=rows)]):
                said.checks += len(rows) - 1  # a test without one has one case
            case ast.Call(func=ast.Attribute(attr=name)) if name == "raises" or name.startswith("assert"):
                said.checks += 1
                said.exact += name in _EXACT
            case _:
                said.ways_out += _is_way_around(node)
    return said


def _is_way_around(node: ast.AST) -> bool:
    """Whether a check in it may not be reached, or fail unseen: an early end, a condition, an error that is caught."""
    match node:
        case ast.Return():
            return True
        case ast.Try(handlers=[_, *_], body=body) | ast.If(body=body) | ast.While(body=body) | ast.For(body=body):
            return any(isinstance(inner, ast.Assert) for statement in body for inner in ast.walk(statement))
    return False


def _exact(test: ast.expr) -> bool:
    return any(isinstance(op, ast.Eq | ast.Is) for n in ast.walk(test) if isinstance(n, ast.Compare) for op in n.ops)


def _way_out(test: ast.expr) -> int:
    outs = sum(isinstance(n, ast.BoolOp) and isinstance(n.op, ast.Or) for n in ast.walk(test))
    outs += sum(isinstance(n, ast.Call) and ast.unparse(n.func).rpartition(".")[2] == "approx" for n in ast.walk(test))
    outs += sum(isinstance(n, ast.Compare) and _is_idle(n) for n in ast.walk(test))
    return outs + isinstance(test, ast.Constant)


def _is_idle(at: ast.Compare) -> bool:
    """Whether a comparison says nothing of the program: of literals alone, or of something with itself."""
    sides = [at.left, *at.comparators]
    spoken = any(isinstance(n, ast.Name | ast.Call) for side in sides for n in ast.walk(side))
    return not spoken or len({ast.dump(side) for side in sides}) == 1


def _word(at: ast.expr) -> str:
    return ast.unparse(at.func if isinstance(at, ast.Call) else at).rpartition(".")[2]


def _is_skip(node: ast.AST) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr in _SKIPS
    return isinstance(node, ast.Name) and node.id in _SKIPS


def _is_left_out(node: ast.AST, tests: Collection[str]) -> bool:
    """What decides which tests there are: `__test__ = False`, `collect_ignore = […]`, a hook, `test_x = None`."""
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.Attribute(attr=name, ctx=ast.Store() | ast.Del()):
            return name in _COLLECTION or any(name == test.rpartition("::")[2] for test in tests)
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            return name in _COLLECTION
        case ast.Call(func=ast.Attribute(attr="exit") | ast.Name(id="exit" | "_exit" | "quit")):
            return True
    return False
