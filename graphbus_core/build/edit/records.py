"""Where the fields of a contract are written: a dict, a named constant, a TypedDict, dataclass or pydantic class.

Finds the place that a path (`headlines[].title`) leads to. What is edited there is for `declared.py`; what the code
around does with the field is for the operations.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from graphbus_core.build.confine.outcome import Refusal
from graphbus_core.build.edit.text.source import Source
from graphbus_core.build.edit.text.worktree import Worktree, is_call, is_contract, nearest
from graphbus_core.build.edit.type_text import WRAPPERS, unwrapped, without_none
from graphbus_core.build.understand.keys.scope import Function
from graphbus_core.model.operation import FieldOperation
from graphbus_core.syntax import called_name, last_name, literal_text, parameters

_LISTS = frozenset(
    ["list", "List", "Sequence", "Iterable", "Iterator", "Collection", "tuple", "Tuple", "set", "Set", "frozenset"]
)
MAX_STEPS = 60


@dataclass(frozen=True)
class RecordDefinition:
    """One place where fields are written."""

    source: Source
    node: ast.Dict | ast.ClassDef
    flavour: str  # dict | typeddict | dataclass | pydantic | parameters
    total: bool = True

    def fields(self) -> dict[str, tuple[ast.AST, ast.expr | None]]:
        """Field name -> (its key or its statement, its type)."""
        if isinstance(self.node, ast.Dict):
            return {
                k.value: (k, v)
                for k, v in zip(self.node.keys, self.node.values, strict=True)
                if isinstance(k, ast.Constant) and isinstance(k.value, str)
            }
        return {
            s.target.id: (s, s.annotation)
            for s in self.node.body
            if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name)
        }

    @property
    def place(self) -> str:
        """`agents/cleaner.py:12`."""
        return f"{self.source.path}:{self.node.lineno}"


def segments(path: str) -> list[str]:
    """`headlines[].title` -> headlines, [], title."""
    return [s for part in path.split(".") for s in re.split(r"(\[\])", part) if s]


# ---- the expression of a side


def declaration(work: Worktree, op: FieldOperation) -> tuple[Source, ast.expr | None, ast.expr, ast.ClassDef]:
    """The contract expression of the operation's side (None: not declared) and the decorator that holds it.

    A side that the decorator leaves to the hints is where those stand: the returned type, the type of a parameter.
    """
    if op.side == "payload":
        return _payload(work, op)
    assert op.method is not None
    source, cls, function = work.method(op.node, op.method)
    for decorator in function.decorator_list:
        if is_contract(decorator, source):
            expr = None
            if isinstance(decorator, ast.Call):
                expr = argument(decorator, f"{op.side}_schema", ("input", "output").index(op.side))
                none = isinstance(expr, ast.Constant) and expr.value is None
                if expr is not None:
                    return source, None if none else expr, decorator, cls
            return source, _hint(work, op, source, function), decorator, cls
    known = work.agent(op.node).method(op.method)
    if known is not None and (place := known.metadata.get("beside", {}).get(op.side)):
        raise Refusal(f"{op.symbol} has its contract at {place}, which a build does not edit. Change it there.")
    raise Refusal(
        f"{op.node}.{op.method} declares no contract that can be extended; it has no @schema_method(…).",
        source.places(function),
    )


class Parameters(ast.Dict):
    """The hinted parameters of a function, in the shape of a contract that is written out."""

    defaults: frozenset[str] = frozenset()  # those that may be left out


def _hint(work: Worktree, op: FieldOperation, source: Source, function: Function) -> ast.expr | None:
    """Where the hints of a function write one side; None where they say nothing of it."""
    known = work.agent(op.node).method(op.method or "")
    if known is None or getattr(known, f"{op.side}_schema") is None:
        return None
    if op.side == "output":
        return function.returns
    named = [(a, default) for a, kind, default in parameters(function.args) if not kind.startswith("var_")]
    hinted = [a for a, _ in named if a.annotation is not None]
    keys: list[ast.expr | None] = [ast.Constant(a.arg) for a in hinted]
    made = ast.copy_location(Parameters(keys, [a.annotation for a in hinted if a.annotation]), function)
    made.defaults = frozenset(a.arg for a, default in named if default is not None)
    return made


def _payload(work: Worktree, op: FieldOperation) -> tuple[Source, ast.expr | None, ast.expr, ast.ClassDef]:
    source, cls = work.node(op.node)
    topics: list[str] = []
    for at, owner in work.family(source, cls):
        decorated: list[ast.AST] = [
            owner,
            *(n for n in owner.body if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)),
        ]
        for target in decorated:
            for decorator in target.decorator_list:  # type: ignore[attr-defined]
                if isinstance(decorator, ast.Call) and is_call(decorator, "publishes", at):
                    topic = text_of(work, at, argument(decorator, "topic", 0), owner)
                    if topic == op.topic:
                        return at, argument(decorator, "payload", 1), decorator, owner
                    topics.append(topic or "?")
    raise Refusal(f"{op.node} declares no @publishes({op.topic!r}, …); {nearest(str(op.topic), topics)}.")


def argument(call: ast.Call, keyword: str, position: int) -> ast.expr | None:
    """An argument of a call, by keyword or position."""
    for given in call.keywords:
        if given.arg == keyword:
            return given.value
    return call.args[position] if len(call.args) > position else None


def text_of(work: Worktree, source: Source, expr: ast.expr | None, owner: ast.ClassDef | None = None) -> str | None:
    """The text that an expression is, through named constants; None where it cannot be told."""
    if isinstance(expr, ast.Constant):
        return expr.value if isinstance(expr.value, str) else None
    if isinstance(expr, ast.Attribute) and isinstance(expr.value, ast.Name) and expr.value.id in ("self", "cls"):
        expr = ast.Name(expr.attr, ast.Load())
    found = work.lookup(source, expr, owner) if expr is not None else None
    return literal_text(found[1]) if found else None


# ---- the record that a path leads to


def find(
    work: Worktree, source: Source, expr: ast.AST, path: list[str], owner: ast.ClassDef | None = None
) -> RecordDefinition:
    """The record whose field is the last segment of `path`. Refusal names the nearest fields."""
    at, node = source, expr
    for i, segment in enumerate(path[:-1]):
        if segment == "[]":
            at, node = _element(work, at, node, owner)
        else:
            record = _record(work, at, node, owner)
            holder, (_, value) = having(work, record, segment)
            if value is None:
                raise Refusal(f"{record.place}: the field {segment!r} has no type.")
            at, node = holder.source, value
        if i > MAX_STEPS:
            raise Refusal("the path is too deep.")
    return _record(work, at, node, owner)


def having(
    work: Worktree, record: RecordDefinition, name: str
) -> tuple[RecordDefinition, tuple[ast.AST, ast.expr | None]]:
    """The record that writes `name` itself: this one, one that it spreads (`**BASE`) or a base class."""
    own = record.fields()
    if name in own:
        return record, own[name]
    known = list(own)
    for other in _parents(work, record):
        try:
            return having(work, other, name)
        except Refusal:
            known += list(other.fields())
    raise Refusal(f"there is no field {name!r}; {nearest(name, known)}.", (record.place,))


def _parents(work: Worktree, record: RecordDefinition) -> list[RecordDefinition]:
    exprs: list[ast.AST] = []
    if isinstance(record.node, ast.Dict):
        exprs = [v for k, v in zip(record.node.keys, record.node.values, strict=True) if k is None]
    else:
        exprs = [b for b in record.node.bases if work.lookup(record.source, b)]
    return [_record(work, record.source, e, None) for e in exprs]


def _record(
    work: Worktree, source: Source, expr: ast.AST, owner: ast.ClassDef | None, steps: int = 0
) -> RecordDefinition:
    here = f"{source.path}:{getattr(expr, 'lineno', 0)}"
    if steps > MAX_STEPS:
        raise Refusal("this contract is nested too deeply.", (here,))
    match expr:
        case ast.Dict():
            if _is_json_schema(expr):
                raise Refusal(
                    "this contract is written as a JSON Schema; it is not edited. Write it with types.", (here,)
                )
            return RecordDefinition(source, expr, "parameters" if isinstance(expr, Parameters) else "dict")
        case ast.ClassDef():
            flavour, total = _flavour(work, source, expr)
            return RecordDefinition(source, expr, flavour, total)
        case ast.Call(func=func, args=[_, ast.Dict() as written, *_]) if last_name(func) == "TypedDict":
            said = argument(expr, "total", 9)
            return RecordDefinition(
                source, written, "dict", not (isinstance(said, ast.Constant) and said.value is False)
            )
        case ast.Constant(value=str() as text) if text.isidentifier():
            return _record(work, source, ast.Name(text, ast.Load()), owner, steps + 1)
        case ast.Subscript(value=value) if last_name(value) in WRAPPERS:
            parts = unwrapped(expr)
            inside = _one_shape(parts, here) if last_name(value) == "Union" else parts[0]
            return _record(work, source, inside, owner, steps + 1)
        case ast.BinOp(op=ast.BitOr()):
            return _record(work, source, _one_shape([expr.left, expr.right], here), owner, steps + 1)
        case ast.Name() | ast.Attribute():
            found = work.lookup(source, expr, owner)
            if found:
                return _record(work, found[0], found[1], None, steps + 1)
    raise Refusal("no fields are written here that could be edited.", (here,))


def _one_shape(sides: list[ast.expr], here: str) -> ast.expr:
    """The side of a union that has fields. With two of them nobody knows which one an operation means."""
    shapes = without_none(sides)
    if len(shapes) != 1:
        raise Refusal("this union has more than one shape.", (here,))
    return shapes[0]


def _is_json_schema(expr: ast.Dict) -> bool:
    """A contract may well have fields named `type` and `items`: only a value that is a type's name tells."""
    names = {k.value for k in expr.keys if isinstance(k, ast.Constant)}
    if "type" not in names or not names & {"properties", "items", "anyOf", "$ref"}:
        return False
    for key, value in zip(expr.keys, expr.values, strict=True):
        if isinstance(key, ast.Constant) and key.value == "type":
            return isinstance(value, ast.Constant) and value.value in ("object", "array")
    return False


def _element(
    work: Worktree, source: Source, expr: ast.AST, owner: ast.ClassDef | None, steps: int = 0
) -> tuple[Source, ast.AST]:
    here = f"{source.path}:{getattr(expr, 'lineno', 0)}"
    if steps <= MAX_STEPS:
        match expr:
            case ast.List(elts=[one]):
                return source, one
            case ast.Subscript(value=value) if last_name(value) in _LISTS:
                return source, unwrapped(expr)[0]
            case ast.Subscript(value=value) if last_name(value) in WRAPPERS and (
                sides := without_none(unwrapped(expr))
            ):
                return _element(work, source, sides[0], owner, steps + 1)
            case ast.BinOp(op=ast.BitOr()):
                sides = without_none([expr.left, expr.right])
                if len(sides) == 1:
                    return _element(work, source, sides[0], owner, steps + 1)
            case ast.Name() | ast.Attribute():
                found = work.lookup(source, expr, owner)
                if found:
                    return _element(work, found[0], found[1], None, steps + 1)
    raise Refusal("there is no list of objects here.", (here,))


def _flavour(work: Worktree, source: Source, cls: ast.ClassDef, steps: int = 0) -> tuple[str, bool]:
    if any(called_name(d) == "dataclass" for d in cls.decorator_list):
        return "dataclass", True
    total = not any(
        k.arg == "total" and isinstance(k.value, ast.Constant) and k.value.value is False for k in cls.keywords
    )
    for base in cls.bases:
        if last_name(base) == "TypedDict":
            return "typeddict", total
        if last_name(base) in ("BaseModel", "RootModel"):
            return "pydantic", True
        found = work.lookup(source, base)
        if found and isinstance(found[1], ast.ClassDef) and steps < MAX_STEPS:
            flavour, _ = _flavour(work, found[0], found[1], steps + 1)
            return flavour, total
    raise Refusal(f"the class {cls.name} is not a TypedDict, dataclass or pydantic model.", source.places(cls))
