"""What hints declare where a decorator leaves a side out, read from source; `graphbus_core.type_hints` reads live ones.

Source is enough here, or the side stays undeclared: for a hint alone nothing is imported.
"""

from __future__ import annotations

import ast

from graphbus_core import syntax
from graphbus_core.analysis.scan.modules import Module
from graphbus_core.analysis.scan.names import NameResolver
from graphbus_core.contracts.parsing import static
from graphbus_core.model.schema import Schema
from graphbus_core.syntax import dotted_name

Function = ast.FunctionDef | ast.AsyncFunctionDef
SAYS_NOTHING = ("array", "null", "object")


class HintReader:
    """Reads the hints of functions as contracts."""

    def __init__(self, names: NameResolver) -> None:
        self.names = names

    def read_side(
        self, side: str, function: Function, module: Module, scope: ast.ClassDef | None, *, handler: bool
    ) -> Schema | None:
        """One side; None where the hints do not say it."""
        annotation = _build_input_dict(function, handler) if side == "input" else function.returns
        if annotation is None:
            return None
        read = static.read(annotation, self.names.build_resolver(module, scope), side=side)
        # For hints alone nothing is imported: a project that never asked for contracts must not be run by a scan.
        if isinstance(read, static.NeedsImport):
            return None
        schema = read.to_json_schema()
        # `-> dict` or `-> None` says nothing that could break. As a contract it would make every reader of a field a
        # finding.
        if side == "output" and is_vague(schema):
            return None
        source = (
            module.extract_segment(function.returns)
            if side == "output" and function.returns is not None
            else _render_parameters(function, module)
        )
        return Schema(schema, source, schema.get("description"))


def is_vague(schema: dict[str, object]) -> bool:
    """Whether a schema says nothing of what is inside: any object, any list, null, anything."""
    kinds = schema.get("type", ())
    words = [kinds] if isinstance(kinds, str) else kinds
    assert isinstance(words, list | tuple)
    return set(schema) <= {"type", "description", "uniqueItems"} and all(word in SAYS_NOTHING for word in words)


def list_parameters(function: Function) -> list[tuple[ast.arg, ast.expr | None]]:
    """Parameters that a call can name, with their defaults; `self` left out."""
    bound = not any(dotted_name(d) == "staticmethod" for d in function.decorator_list)
    return [(a, d) for a, kind, d in syntax.list_parameters(function.args, bound) if not kind.startswith("var_")]


def _build_input_dict(function: Function, handler: bool) -> ast.Dict | None:
    """The parameters as a contract in the form of a dict, as an author would have written it."""
    named_parameters = list_parameters(function)
    beyond = {id(a) for a in function.args.posonlyargs}
    # A parameter that no call can name has no field, and a contract without it would be half of one.
    if any(id(a) in beyond for a, _ in named_parameters) or not any(
        a.annotation is not None for a, _ in named_parameters
    ):
        return None
    # A handler is given an event or one payload; its parameters are not fields.
    if any(_read_last_word(a.annotation) == "Event" for a, _ in named_parameters) or (
        handler and len(named_parameters) != 1
    ):
        return None
    keys: list[ast.expr | None] = [ast.Constant(a.arg) for a, _ in named_parameters]
    input_dict = ast.Dict(keys, [_build_field(a.annotation, default) for a, default in named_parameters])
    return ast.fix_missing_locations(ast.copy_location(input_dict, function))


def _build_field(annotation: ast.expr | None, default: ast.expr | None) -> ast.expr:
    hint: ast.expr = ast.Constant("object") if annotation is None else annotation
    if default is None:
        return hint
    if isinstance(default, ast.Constant) and default.value is None:
        hint = ast.BinOp(hint, ast.BitOr(), ast.Constant(None))
    return ast.Subscript(ast.Name("NotRequired", ast.Load()), hint, ast.Load())


def _read_last_word(annotation: ast.expr | None) -> str:
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        return annotation.value.rpartition(".")[2]
    return dotted_name(annotation).rpartition(".")[2]


def _render_parameters(function: Function, module: Module) -> str:
    """`{sku: str, qty: int = 1}`: the parameters as they stand, for whoever is shown the contract."""
    rows = []
    for arg, default in list_parameters(function):
        hint = f": {module.extract_segment(arg.annotation)}" if arg.annotation is not None else ""
        rows.append(f"{arg.arg}{hint}" + (f" = {module.extract_segment(default)}" if default is not None else ""))
    return "{" + ", ".join(rows) + "}"
