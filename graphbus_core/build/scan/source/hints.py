"""What a function's hints declare where its decorator leaves a side out: source; `graphbus_core.hinted` does it live.

Source is enough here, or the side stays undeclared: for a hint alone nothing is imported.
"""

from __future__ import annotations

import ast

from graphbus_core import syntax
from graphbus_core.build.scan.source.modules import Module
from graphbus_core.build.scan.source.names import Names
from graphbus_core.contracts.reading import static
from graphbus_core.model.schema import Schema
from graphbus_core.syntax import dotted

Function = ast.FunctionDef | ast.AsyncFunctionDef
SAYS_NOTHING = ("array", "null", "object")


class HintReader:
    """Reads the hints of functions as contracts."""

    def __init__(self, names: Names) -> None:
        self.names = names

    def side(
        self, side: str, at: Function, module: Module, scope: ast.ClassDef | None, *, handler: bool
    ) -> Schema | None:
        """One side; None where the hints do not say it."""
        written = _taken(at, handler) if side == "input" else at.returns
        if written is None:
            return None
        read = static.read(written, self.names.resolver(module, scope), side=side)
        # For hints alone nothing is imported: a project that never asked for contracts must not be run by a scan.
        if isinstance(read, static.NeedsImport):
            return None
        schema = read.to_json_schema()
        # `-> dict` or `-> None` says nothing that could break. As a contract it would make every reader of a field a
        # finding.
        if side == "output" and vague(schema):
            return None
        source = module.segment(at.returns) if side == "output" and at.returns is not None else _text(at, module)
        return Schema(schema, source, schema.get("description"))


def vague(schema: dict[str, object]) -> bool:
    """Whether a schema says nothing of what is inside: any object, any list, null, anything."""
    kinds = schema.get("type", ())
    words = [kinds] if isinstance(kinds, str) else kinds
    assert isinstance(words, list | tuple)
    return set(schema) <= {"type", "description", "uniqueItems"} and all(one in SAYS_NOTHING for one in words)


def parameters(at: Function) -> list[tuple[ast.arg, ast.expr | None]]:
    """Parameters that a call can name, with their defaults; `self` left out."""
    bound = not any(dotted(d) == "staticmethod" for d in at.decorator_list)
    return [(a, d) for a, kind, d in syntax.parameters(at.args, bound) if not kind.startswith("var_")]


def _taken(at: Function, handler: bool) -> ast.Dict | None:
    """The parameters as a contract in the form of a dict, as an author would have written it."""
    named = parameters(at)
    beyond = {id(a) for a in at.args.posonlyargs}
    # A parameter that no call can name has no field, and a contract without it would be half of one.
    if any(id(a) in beyond for a, _ in named) or not any(a.annotation is not None for a, _ in named):
        return None
    # A handler is given an event or one payload; its parameters are not fields.
    if any(_word(a.annotation) == "Event" for a, _ in named) or (handler and len(named) != 1):
        return None
    keys: list[ast.expr | None] = [ast.Constant(a.arg) for a, _ in named]
    made = ast.Dict(keys, [_field(a.annotation, default) for a, default in named])
    return ast.fix_missing_locations(ast.copy_location(made, at))


def _field(annotation: ast.expr | None, default: ast.expr | None) -> ast.expr:
    hint: ast.expr = ast.Constant("object") if annotation is None else annotation
    if default is None:
        return hint
    if isinstance(default, ast.Constant) and default.value is None:
        hint = ast.BinOp(hint, ast.BitOr(), ast.Constant(None))
    return ast.Subscript(ast.Name("NotRequired", ast.Load()), hint, ast.Load())


def _word(at: ast.expr | None) -> str:
    if isinstance(at, ast.Constant) and isinstance(at.value, str):
        return at.value.rpartition(".")[2]
    return dotted(at).rpartition(".")[2]


def _text(at: Function, module: Module) -> str:
    """`{sku: str, qty: int = 1}`: the parameters as they stand, for whoever is shown the contract."""
    rows = []
    for arg, default in parameters(at):
        hint = f": {module.segment(arg.annotation)}" if arg.annotation is not None else ""
        rows.append(f"{arg.arg}{hint}" + (f" = {module.segment(default)}" if default is not None else ""))
    return "{" + ", ".join(rows) + "}"
