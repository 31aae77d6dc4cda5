"""The contracts that decorators declare, read from source: typed dicts, classes, JSON Schemas."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from graphbus_core.build.scan.source.class_reading import ClassReading
from graphbus_core.build.scan.source.modules import Module
from graphbus_core.contracts import Contract
from graphbus_core.contracts.reading import static
from graphbus_core.contracts.reading.dialects import SHAPES, looks_like_json_schema
from graphbus_core.errors import ContractError, ScanError
from graphbus_core.model.schema import Schema
from graphbus_core.nearest import near_names
from graphbus_core.syntax import dotted

_KEYWORDS = ("input_schema", "output_schema", "description")
_SCHEMA_KEYS = frozenset(("type", "$schema", *SHAPES))


class Contracts:
    """Reads contracts in the scope of one class."""

    def __init__(self, at: ClassReading) -> None:
        self.at = at

    def declared(
        self,
        call: ast.Call,
        module: Module,
        scope: ast.ClassDef | None,
        name: str,
        sides: dict[str, Schema | None],
        hinted: list[str],
    ) -> str | None:
        """Read what a decorator writes into `sides`; those that it leaves out are put into `hinted`."""
        words: dict[str | None, ast.expr] = dict(zip(("input_schema", "output_schema"), call.args, strict=False))
        words |= {k.arg: k.value for k in call.keywords}
        # A computed argument may be anything, so nothing of the call is believed; an import tells what it is.
        if None in words or any(isinstance(a, ast.Starred) for a in call.args):
            for side in sides:
                self.at.leave_open(f"method:{name}:{side}", call, "the arguments of @schema_method are computed")
            return None
        _must_be_known(call, words, module)
        for side in sides:
            at = words.get(f"{side}_schema")
            if at is None:
                hinted.append(side)
            # `None` written out is a promise too: nothing is declared here, and no hint may fill it in.
            if at is not None and not (isinstance(at, ast.Constant) and at.value is None):
                sides[side] = self.schema(at, module, scope, f"method:{name}:{side}")
        text = self.at.names.constant(module, words.get("description"), scope)
        return text if isinstance(text, str) else None

    def schema(self, at: ast.expr, module: Module, scope: ast.ClassDef | None, slot: str) -> Schema | None:
        if isinstance(at, ast.Constant) and at.value is None:
            return None
        if isinstance(at, ast.Call) and dotted(at.func).rpartition(".")[2] == "Schema":
            fields = at.args[0] if at.args else next((k.value for k in at.keywords if k.arg == "fields"), None)
            at = fields if fields is not None else at
        written = self._written_out(at, module, scope)
        # A dict with the key `type` may be a contract with a field of that name; only one that looks like a schema is
        # read as one.
        if isinstance(written, dict) and looks_like_json_schema(written):
            read = _json_schema(written, at)
        else:
            read = static.read(
                at, self.at.names.resolver(module, scope), side="input" if slot.endswith(":input") else "output"
            )
        if isinstance(read, static.NeedsImport):
            # An import may know what source does not. What it must tell is noted, with the place that could not be
            # read.
            self.at.leave_open(slot, at, f"`{read.expression[:60]}`: {read.reason}")
            return None
        schema = read.to_json_schema()
        return Schema(schema, module.segment(at), schema.get("description"))

    def _written_out(self, at: ast.expr, module: Module, scope: ast.ClassDef | None) -> Any:
        """The value of what may be a JSON Schema: a dict, here or under a name, with a key that one would have."""
        found = self.at.names.find(module, dotted(at), scope) if isinstance(at, ast.Name | ast.Attribute) else None
        shown = found.node if found else at
        if not isinstance(shown, ast.Dict) or not any(
            isinstance(key, ast.Constant) and key.value in _SCHEMA_KEYS for key in shown.keys
        ):
            return None
        return self.at.names.constant(module, at, scope)


def _must_be_known(call: ast.Call, words: Mapping[str | None, ast.expr], module: Module) -> None:
    """A word that the decorator does not take: Python refuses it when the module is imported, and so do we, at once.

    Read past, `@schema_method(inputs=…)` would be a method that declares nothing, and nothing would be checked.
    """
    given = [str(word) for word in words]
    unknown = [word for word in given if word not in _KEYWORDS]
    if not unknown and len(call.args) <= 2:
        return
    name = dotted(call.func).rpartition(".")[2]
    near = near_names(unknown[0], _KEYWORDS) if unknown else []
    said = f"takes no {unknown[0]!r}" if unknown else f"takes two contracts, not {len(call.args)}"
    meant = f" Did you mean {near[0]!r}?" if near else ""
    raise ScanError(f"{module.path}:{call.lineno}: @{name} {said}; it takes {', '.join(_KEYWORDS)}.{meant}")


def _json_schema(written: dict[str, Any], at: ast.expr) -> Contract | static.NeedsImport:
    try:
        return Contract.from_json_schema(written)
    except ContractError as e:
        return static.NeedsImport(str(e), "", at.lineno)
