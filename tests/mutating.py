"""The small changes that `tests.mutations` makes: each could change a verdict, a written byte, or what is refused.

Words are left out, and so is everything in a message that is raised: hundreds of mutants that no test should hold.
Left out too is what runs at import (constants, decorators, defaults), which a fork cannot run again.
"""

from __future__ import annotations

import ast
import copy
import types
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
NAMES = {"any": "all", "all": "any", "min": "max", "max": "min"}
Step = tuple[str, int | None]  # a field of a node, and the place in it where it is a list


@dataclass(frozen=True)
class Mutant:
    """One change in one function of a file."""

    file: str
    source: str
    function: str
    path: tuple[Step, ...]
    number: int
    before: str
    after: str
    line: int
    within: str  # the statement, where `before` alone says little
    nth: int = 1  # of those of its file that are told in the same words

    def __str__(self) -> str:
        """As it is listed: without line numbers, which the next edit would change."""
        told = f"`{self.function}`: `{self.before}` → `{self.after}`"
        told = f"{told} in `{self.within}`" if self.within else told
        return told if self.nth == 1 else f"{told} (no. {self.nth})"

    def compiled(self, name: str) -> types.CodeType:
        """The whole file with the change in it."""
        tree = ast.parse(self.source)
        parent: ast.AST = tree
        for where, at in self.path[:-1]:
            parent = getattr(parent, where) if at is None else getattr(parent, where)[at]
        where, at = self.path[-1]
        node = getattr(parent, where) if at is None else getattr(parent, where)[at]
        changed = ast.copy_location(list(_changes(node, where))[self.number], node)
        if at is None:
            setattr(parent, where, changed)
        else:
            getattr(parent, where)[at] = changed
        return compile(ast.fix_missing_locations(tree), name, "exec", dont_inherit=True)


def mutants(file: str, source: str) -> Iterator[Mutant]:
    """Every mutant of a file, in the order of its lines."""
    tree = ast.parse(source)
    told = Counter[str]()
    for function, path in _functions(tree, "", ()):
        for one in _within(file, source, _at(tree, path), function, path, (0, "")):
            told[str(one)] += 1
            yield replace(one, nth=told[str(one)])


def codes(code: types.CodeType, function: str) -> Iterator[types.CodeType]:
    """The code of a function and of all that it defines."""
    for one in code.co_consts:
        if isinstance(one, types.CodeType):
            if one.co_qualname == function or one.co_qualname.startswith(f"{function}.<locals>"):
                yield one
            yield from codes(one, function)


def _functions(node: ast.AST, name: str, path: tuple[Step, ...]) -> Iterator[tuple[str, tuple[Step, ...]]]:
    """Functions and methods, not what is defined within them; also those under an `if` or a `try` of the module."""
    for where, at, child in _children(node):
        here = (*path, (where, at))
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{name}{child.name}", here
        elif isinstance(child, ast.ClassDef):
            yield from _functions(child, f"{name}{child.name}.", here)
        elif isinstance(child, ast.stmt | ast.ExceptHandler):
            yield from _functions(child, name, here)


def _within(
    file: str, source: str, node: ast.AST, function: str, path: tuple[Step, ...], statement: tuple[int, str]
) -> Iterator[Mutant]:
    for where, at, child in _children(node):
        if _is_left_out(node, where, at, child):
            continue
        own = statement
        if isinstance(child, ast.stmt):  # a statement is reached where its first line is
            own = (child.lineno, ast.unparse(child).partition("\n")[0])
        elif isinstance(child, ast.ExceptHandler):
            own = (child.body[0].lineno, "")
        here = (*path, (where, at))
        for number, changed in enumerate(_changes(child, where)):
            before, after = _shown(child, where), _shown(changed, where)
            within = _short(own[1]) if len(before) < 25 and not isinstance(child, ast.stmt) else ""
            yield Mutant(file, source, function, here, number, before, after, own[0], within)
        yield from _within(file, source, child, function, here, own)


def _is_left_out(node: ast.AST, where: str, at: int | None, child: ast.AST) -> bool:
    if where in ("annotation", "returns", "decorator_list", "args", "type_params") and not isinstance(node, ast.Call):
        return True
    if isinstance(node, ast.Raise) or isinstance(child, ast.JoinedStr | ast.Assert | ast.Import | ast.ImportFrom):
        return True
    return isinstance(node, ast.Call) and where == "args" and getattr(node.func, "id", "") == "cast"


def _changes(node: ast.AST, where: str) -> Iterator[ast.AST]:
    """What may stand in place of a node, given the field that it stands in."""
    if where == "test" and not isinstance(node, ast.Constant):
        yield from (ast.Constant(True), ast.Constant(False))
    elif where == "ifs":
        yield ast.Constant(True)
    match node:
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int() | float() as value):
            yield ast.Constant(value + 1)
        case ast.UnaryOp(op=ast.Not(), operand=operand) if where != "test":
            yield operand
        case ast.BoolOp(op=op, values=values):
            yield ast.BoolOp(SWAPPED[type(op)](), values)  # type: ignore[arg-type]
            for at in range(len(values)):
                rest = values[:at] + values[at + 1 :]
                yield ast.BoolOp(op, rest) if len(rest) > 1 else rest[0]
        case ast.Compare(ops=ops):
            for at, op in enumerate(ops):
                yield _with(node, ops=[*ops[:at], SWAPPED[type(op)](), *ops[at + 1 :]])
        case ast.BinOp(op=op) | ast.AugAssign(op=op) if type(op) in SWAPPED:
            yield _with(node, op=SWAPPED[type(op)]())
        case ast.Call(func=ast.Name(id=name)) if name in NAMES:
            yield _with(node, func=ast.copy_location(ast.Name(NAMES[name], ast.Load()), node))
        case ast.Expr(value=ast.Call() | ast.Await()) | ast.Raise() | ast.Continue() | ast.Break():
            yield ast.Pass()
        case ast.Return() if where in ("body", "orelse"):
            yield from (ast.Pass(), ast.Return(ast.Constant(None))) if node.value and not _is_none(node.value) else ()
        case ast.ExceptHandler(body=[ast.Raise(), *_]):
            return
        case ast.ExceptHandler():
            yield _with(node, body=[ast.copy_location(ast.Raise(), node.body[0])])


def _with(node: ast.AST, **fields: object) -> ast.AST:
    made = copy.copy(node)
    for name, value in fields.items():
        setattr(made, name, value)
    return made


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _children(node: ast.AST) -> Iterator[tuple[str, int | None, ast.AST]]:
    for where, value in ast.iter_fields(node):
        if isinstance(value, ast.AST):
            yield where, None, value
        elif isinstance(value, list):
            yield from ((where, at, one) for at, one in enumerate(value) if isinstance(one, ast.AST))


def _at(tree: ast.AST, path: tuple[Step, ...]) -> ast.AST:
    for where, at in path:
        tree = getattr(tree, where) if at is None else getattr(tree, where)[at]
    return tree


def _shown(node: ast.AST, where: str) -> str:
    """On one line, and short: what surrounds it is told by the function's name."""
    located = ast.fix_missing_locations(copy.deepcopy(node))
    text = " ".join(ast.unparse(located).split())
    text = f"{'if' if where in ('test', 'ifs') else ''} {text}".strip()
    return _short(text)


def _short(text: str) -> str:
    return text if len(text) <= 110 else f"{text[:70]} … {text[-35:]}"
