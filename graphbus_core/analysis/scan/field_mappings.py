"""The mapping of a `@subscribe(…, map={…}, convert={…})`, read from source.

What cannot be read is an error with its line: a mapping that is half known would deliver half a payload.
"""

from __future__ import annotations

import ast
from typing import Any

from graphbus_core import syntax
from graphbus_core.analysis.scan.modules import Module
from graphbus_core.analysis.scan.names import NameKind, NameResolver, Resolution
from graphbus_core.contracts.parsing import static
from graphbus_core.errors import ScanError
from graphbus_core.model.field_mapping import Conversion, FieldMapping
from graphbus_core.syntax import dotted_name

MAPPING_WORDS = ("map", "convert")


class MappingReader:
    """Reads mappings in the scope of a class."""

    def __init__(self, names: NameResolver) -> None:
        self.names = names

    def read(self, call: ast.Call, module: Module, scope: ast.ClassDef | None) -> FieldMapping | None:
        """The mapping of a decorator; None where it has none. Raises ScanError."""
        words = {k.arg: k.value for k in call.keywords}
        place = f"{module.path}:{call.lineno}"
        fields = self._read_fields(words.get("map"), module, scope, place)
        converted = words.get("convert", ast.Dict([], []))
        if not isinstance(converted, ast.Dict):
            raise ScanError(f"{place}: write the conversions out: convert={{'cents': to_cents}}.")
        conversions: dict[str, Conversion] = {}
        for key, value in zip(converted.keys, converted.values, strict=True):
            field = self.names.evaluate(module, key, scope)
            if not isinstance(field, str):
                raise ScanError(f"{place}: write the conversions out: convert={{'cents': to_cents}}.")
            resolution = self.names.find(module, dotted_name(value), scope)
            conversions[field] = self.read_conversion(resolution, ast.unparse(value), field, place)
        return FieldMapping(fields, conversions) or None

    def _read_fields(
        self, node: ast.expr | None, module: Module, scope: ast.ClassDef | None, place: str
    ) -> dict[str, str]:
        value: Any = self.names.evaluate(module, node, scope) if node is not None else {}
        if not isinstance(value, dict) or not all(isinstance(n, str) and n for pair in value.items() for n in pair):
            raise ScanError(f"{place}: write the mapping out: map={{'field': 'published_field'}}.")
        return value

    def read_conversion(self, resolution: Resolution | None, text: str, field: str, place: str) -> Conversion:
        """What a function takes and gives, by its hints. Raises ScanError where it is not an annotated function of a
        module of the project, with one parameter."""
        function = resolution.node if resolution is not None and resolution.kind is NameKind.FUNCTION else None
        refusal = f"{place}: convert of {field}: {text} "
        if not isinstance(function, ast.FunctionDef) or resolution is None or resolution.module is None:
            raise ScanError(f"{refusal}is not a function of a module of this project. Write one: def {text}(x: …) -> …")
        parameters = syntax.list_parameters(function.args)
        required = [a for a, kind, default in parameters if default is None and not kind.startswith("var_")]
        if (
            resolution.owner is not None
            or function.decorator_list
            or len(required) != 1
            or parameters[0][0] is not required[0]
        ):
            raise ScanError(f"{refusal}must be a plain function of a module, with one parameter.")
        sides = {}
        for side, hint in (("takes", required[0].annotation), ("gives", function.returns)):
            read = static.read(hint, self.names.build_resolver(resolution.module)) if hint is not None else None
            if read is None or isinstance(read, static.NeedsImport):
                raise ScanError(f"{refusal}must say what it {side}, in a hint that can be read from source.")
            sides[side] = read.to_json_schema()
        return Conversion(f"{resolution.module.name}:{resolution.name}", **sides)
