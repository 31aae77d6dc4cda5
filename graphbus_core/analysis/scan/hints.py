"""What hints declare where a decorator leaves a side out, read from source; `graphbus_core.type_hints` reads live ones.

Source is enough here, or the side stays undeclared: for a hint alone nothing is imported.
"""

from __future__ import annotations

import ast
from typing import Any

from graphbus_core import syntax
from graphbus_core.analysis.scan.modules import Module
from graphbus_core.analysis.scan.names import MAX_STEPS, NameKind, NameResolver
from graphbus_core.contracts.parsing import static
from graphbus_core.model.handler_form import Form, HandlerForm, HandlerParameter, Hint, choose_form
from graphbus_core.model.schema import Schema
from graphbus_core.syntax import dotted_name
from graphbus_core.text import shorten

Function = ast.FunctionDef | ast.AsyncFunctionDef
SAYS_NOTHING = ("array", "null", "object")


class HintReader:
    """Reads the hints of functions as contracts."""

    def __init__(self, names: NameResolver) -> None:
        self.names = names

    def read_side(self, side: str, function: Function, module: Module, scope: ast.ClassDef | None) -> Schema | None:
        """One side; None where the hints do not say it."""
        annotation = _build_input_dict(function) if side == "input" else function.returns
        schema = self._read_type(annotation, side, module, scope) if annotation is not None else None
        # `-> dict` or `-> None` says nothing that could break. As a contract it would make every reader of a field a
        # finding.
        if schema is None or (side == "output" and is_vague(schema)):
            return None
        source = (
            module.extract_segment(function.returns)
            if side == "output" and function.returns is not None
            else _render_parameters(function, module)
        )
        return Schema(schema, source, schema.get("description"))

    def read_payload(
        self, function: Function, module: Module, scope: ast.ClassDef | None, open_parts: list[str]
    ) -> tuple[str, Schema] | None:
        """Of a handler the parameter that takes the payload, and what its hint says of it; None where no hint does.

        What cannot be read of the hint is open, and is added to `open_parts` with the reason.
        """
        choice = self.choose_form(function, module, scope)
        annotation = next((a.annotation for a, _ in list_parameters(function) if a.arg == choice.payload), None)
        hint = self._classify(annotation, module, scope)
        if choice.payload is None or annotation is None or hint in (Hint.NONE, Hint.EVENT):
            return None
        unread: list[static.NeedsImport] = []
        schema = self._read_type(annotation, "input", module, scope, unread)
        open_parts += dict.fromkeys(f"`{shorten(part.expression, 60)}`: {part.reason}" for part in unread)
        if schema is None or is_vague(schema, ("null", "object")):
            return None
        return choice.payload, Schema(schema, module.extract_segment(annotation), schema.get("description"))

    def choose_form(self, function: Function, module: Module, scope: ast.ClassDef | None) -> HandlerForm:
        """What the function is called with as a handler."""
        bound = not any(dotted_name(d) == "staticmethod" for d in function.decorator_list)
        parameters = [
            HandlerParameter(
                a.arg,
                kind,
                default is None,
                self._classify(a.annotation, module, scope),
                _read_last_word(a.annotation) == "str",
            )
            for a, kind, default in syntax.list_parameters(function.args, bound)
        ]
        return choose_form(parameters, alone=Form.PAYLOAD)

    def _classify(self, annotation: ast.AST | None, module: Module, scope: ast.ClassDef | None, depth: int = 0) -> Hint:
        """What an annotation speaks of; a dict is not told from other data, which a node's handler need not."""
        if annotation is None:
            return Hint.NONE
        for node in ast.walk(_parse_text(annotation)):
            name = dotted_name(node) if isinstance(node, ast.Name | ast.Attribute) else ""
            if name and self._is_event(name, module, scope, depth):
                return Hint.EVENT
        return Hint.NONE if _read_last_word(annotation) in ("Any", "object") else Hint.OTHER

    def _is_event(self, name: str, module: Module, scope: ast.ClassDef | None, depth: int) -> bool:
        resolution = self.names.find(module, name, scope)
        if resolution is None:
            return name.rpartition(".")[2] == "Event"
        if resolution.kind is NameKind.EXTERNAL:
            return resolution.graphbus == "Event"
        if resolution.module is None or depth > MAX_STEPS:
            return False
        if resolution.kind is NameKind.CLASS:
            bases = self.names.find_bases(resolution)
            return any(base is not None and base.graphbus == "Event" for base in bases)
        is_alias = resolution.kind is NameKind.VALUE
        return is_alias and self._classify(resolution.node, resolution.module, None, depth + 1) is Hint.EVENT

    def _read_type(
        self,
        annotation: ast.expr,
        side: str,
        module: Module,
        scope: ast.ClassDef | None,
        open_parts: list[static.NeedsImport] | None = None,
    ) -> dict[str, Any] | None:
        read = static.read(annotation, self.names.build_resolver(module, scope), side=side, open_parts=open_parts)
        # For hints alone nothing is imported: a project that never asked for contracts must not be run by a scan.
        if isinstance(read, static.NeedsImport):
            if open_parts is not None:
                open_parts[:] = [read]
            return None
        return read.to_json_schema()


def is_vague(schema: dict[str, object], nothing: tuple[str, ...] = SAYS_NOTHING) -> bool:
    """Whether a schema says nothing of what is inside: any object, any list, null, anything. `nothing`: the types that
    say nothing here; of a payload, which is an object, a list says a lot."""
    kinds = schema.get("type", ())
    words = [kinds] if isinstance(kinds, str) else kinds
    assert isinstance(words, list | tuple)
    return set(schema) <= {"type", "description", "uniqueItems"} and all(word in nothing for word in words)


def list_parameters(function: Function) -> list[tuple[ast.arg, ast.expr | None]]:
    """Parameters that a call can name, with their defaults; `self` left out."""
    bound = not any(dotted_name(d) == "staticmethod" for d in function.decorator_list)
    return [(a, d) for a, kind, d in syntax.list_parameters(function.args, bound) if not kind.startswith("var_")]


def _build_input_dict(function: Function) -> ast.Dict | None:
    """The parameters as a contract in the form of a dict, as an author would have written it."""
    named_parameters = list_parameters(function)
    beyond = {id(a) for a in function.args.posonlyargs}
    # A parameter that no call can name has no field, and a contract without it would be half of one.
    if any(id(a) in beyond for a, _ in named_parameters) or not any(
        a.annotation is not None for a, _ in named_parameters
    ):
        return None
    if any(_read_last_word(a.annotation) == "Event" for a, _ in named_parameters):
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


def _read_last_word(annotation: ast.AST | None) -> str:
    return dotted_name(_parse_text(annotation)).rpartition(".")[2] if annotation is not None else ""


def _parse_text(annotation: ast.AST) -> ast.AST:
    """An annotation in quotes, as the expression that it is."""
    if not isinstance(annotation, ast.Constant) or not isinstance(annotation.value, str):
        return annotation
    try:
        return ast.parse(annotation.value.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError):
        return annotation


def _render_parameters(function: Function, module: Module) -> str:
    """`{sku: str, qty: int = 1}`: the parameters as they stand, for whoever is shown the contract."""
    rows = []
    for arg, default in list_parameters(function):
        hint = f": {module.extract_segment(arg.annotation)}" if arg.annotation is not None else ""
        rows.append(f"{arg.arg}{hint}" + (f" = {module.extract_segment(default)}" if default is not None else ""))
    return "{" + ", ".join(rows) + "}"
