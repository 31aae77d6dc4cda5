"""Whether a test says that a call is right. A passing test may as well show that it fails, or never run it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from graphbus_core.syntax import called_name

_FAILING = frozenset(
    """raises warns deprecated_call suppress assertRaises assertRaisesRegex assertWarns assertWarnsRegex
    assertNotEqual assertFalse assertIsNone assertNotIn assertIsNot""".split()  # noqa: SIM905
)
_UNHELD = frozenset({"xfail", "skip", "skipif", "expectedFailure", "skipIf", "skipUnless"})
_HOLDING = frozenset({"assertEqual", "assertIs", "assertTrue", "assertDictEqual", "assertIn", "assertAlmostEqual"})
Function = ast.FunctionDef | ast.AsyncFunctionDef


def vouches(content: bytes, line: int) -> bool:
    """Whether the call that stands in `line` of a test file must work, and give what is expected, for it to pass.

    So it stands in no lambda, in no block that waits for an error, in no test that is skipped or expected to fail; and
    an assertion that wants equality is about what it gives. What is not seen to be so does not count.
    """
    try:
        tree = ast.parse(content)
    except (SyntaxError, ValueError):
        return False
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    calls = [n for n in ast.walk(tree) if isinstance(n, ast.Call) and n.lineno == line]
    if not calls or _is_unheld(tree.body):
        return False
    return all(_is_held(parents, call) for call in _outermost(calls, parents))


def _outermost(calls: list[ast.Call], parents: dict[ast.AST, ast.AST]) -> Iterator[ast.Call]:
    """The calls of a line that stand in no other one of it, but for calls that only check."""
    for call in calls:
        inside = [
            up for up in _above(parents, call) if up in calls and called_name(up) not in _HOLDING | {"run", "float"}
        ]
        if not inside and called_name(call) not in _HOLDING:
            yield call


def _is_held(parents: dict[ast.AST, ast.AST], call: ast.Call) -> bool:
    names: set[str] = set()
    held = False
    for up in _above(parents, call):
        match up:
            case ast.Lambda() | ast.Try() | ast.TryStar():
                return False
            case ast.With(items=items) | ast.AsyncWith(items=items):
                if any(called_name(one.context_expr) in _FAILING for one in items):
                    return False
            case ast.Call():
                if called_name(up) in _FAILING:
                    return False
                held |= called_name(up) in _HOLDING
            case ast.Assert(test=test):
                held |= _is_equality(test)
            case ast.Assign(targets=targets):
                names |= {n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)}
            case (
                ast.FunctionDef(decorator_list=marks)
                | ast.AsyncFunctionDef(decorator_list=marks)
                | ast.ClassDef(decorator_list=marks)
            ):
                if any(called_name(mark) in _UNHELD for mark in marks) or _is_unheld(up.body):
                    return False
                if isinstance(up, Function) and names:
                    held |= _is_asserted(up, names)
    return held


def _is_asserted(function: Function, names: set[str]) -> bool:
    """Whether what a name holds is held to be equal to something in the function, and nowhere to differ."""
    held = False
    for node in ast.walk(function):
        if isinstance(node, ast.Assert) and _speaks_of(node.test, names):
            if not _is_equality(node.test):
                return False
            held = True
        elif isinstance(node, ast.Call) and _speaks_of(node, names):
            if called_name(node) in _FAILING:
                return False
            held |= called_name(node) in _HOLDING
    return held


def _speaks_of(node: ast.expr, names: set[str]) -> bool:
    return any(isinstance(n, ast.Name) and n.id in names for n in ast.walk(node))


def _is_equality(test: ast.expr) -> bool:
    match test:
        case ast.Compare(ops=ops):
            return all(isinstance(op, ast.Eq | ast.Is | ast.In) for op in ops)
        case ast.BoolOp(op=ast.And(), values=values):
            return all(_is_equality(value) for value in values)
    return False


def _is_unheld(body: list[ast.stmt]) -> bool:
    """A file, class or function that is skipped or expected to fail as a whole: `pytestmark = …`, `pytest.skip()`."""
    for node in body:
        match node:
            case ast.Assign(targets=[ast.Name(id="pytestmark")], value=value):
                return any(called_name(n) in _UNHELD for n in ast.walk(value) if isinstance(n, ast.expr))
            case ast.Expr(value=ast.Call() as call) if called_name(call) in _UNHELD | {"importorskip"}:
                return True
    return False


def _above(parents: dict[ast.AST, ast.AST], node: ast.AST) -> Iterator[ast.AST]:
    while (node := parents.get(node)) is not None:  # type: ignore[assignment]
        yield node
