"""Where a method's declared contract, its signature and what it really returns disagree; each finding with a fix.

Calls on the bus are by name (seed 002 §2.3), so every field of an input is a parameter. Only what is certain from the
text is reported: `return {"a": …}` with literal keys is read, any other return is not judged. Fixes change the
contract, since the code is what runs.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from graphbus_core.contracts.check import check
from graphbus_core.contracts.parsing import static
from graphbus_core.contracts.parsing.contract import Contract
from graphbus_core.contracts.parsing.type_forms import annotation
from graphbus_core.model.operation import AddField, FieldOperation, RemoveField, RetypeField, SetOptional
from graphbus_core.model.schema import Parameter, SchemaMethod

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One disagreement. `fix` is the contract operation that ends it, or None where only the code can be changed."""

    kind: str
    method: str
    message: str
    lineno: int
    fix: FieldOperation | None = None

    def to_dict(self) -> dict[str, Any]:
        """JSON form."""
        fix = self.fix.to_dict() if self.fix else None
        return {"kind": self.kind, "method": self.method, "message": self.message, "lineno": self.lineno, "fix": fix}


def lint(
    node: str,
    method: SchemaMethod,
    function: Function | None = None,
    resolve: static.Resolve = static.no_names,
    *,
    handles: bool = False,
) -> tuple[Disagreement, ...]:
    """The findings of one method of `node`. `function` is its definition; without it the returns are not judged.

    `handles`: it is subscribed to a topic, so its contract may be that of the events.
    """
    linter = _MethodLinter(node, method, resolve)
    parameters = () if handles and _is_event_handler(method) else linter.check_parameters()
    return (*parameters, *(linter.check_returns(function) if function is not None else ()))


def _is_event_handler(method: SchemaMethod) -> bool:
    """Whether it is written as a handler: it takes nothing, the payload, the event, or topic and payload.

    None of these has a field's name; where one has, the method is called by name as well, and is judged so. Where a
    hint is the contract, there is nothing that could disagree.
    """
    if method.payload_parameter is not None:
        return True
    declared = method.input_schema.fields if method.input_schema is not None else {}
    needed = [p for p in method.parameters if p.default is None and not p.kind.startswith("var_")]
    if any(p.name in declared for p in method.parameters) or not all(p.kind.startswith("positional") for p in needed):
        return False
    return len(needed) < 2 or (len(needed) == 2 and (needed[0].name == "topic" or needed[0].annotation == "str"))


class _MethodLinter:
    def __init__(self, node: str, method: SchemaMethod, resolve: static.Resolve) -> None:
        self.node, self.method, self.resolve = node, method, resolve

    def _build_disagreement(
        self, kind: str, message: str, fix: FieldOperation | None = None, lineno: int = 0
    ) -> Disagreement:
        name = f"{self.node}.{self.method.name}"
        return Disagreement(kind, name, f"{name}: {message}", lineno or self.method.lineno, fix)

    def _build_address(self, side: str, field: str) -> dict[str, Any]:
        return {"node": self.node, "method": self.method.name, "side": side, "field": field}

    # ---- the input against the signature

    def check_parameters(self) -> Iterator[Disagreement]:
        declared = self.method.input_schema
        if declared is None or "properties" not in declared.json_schema:
            return
        fields, required = declared.fields, declared.required
        named_parameters = {p.name: p for p in self.method.parameters if not p.kind.startswith("var_")}
        anything = any(p.kind == "var_keyword" for p in self.method.parameters)
        for name, parameter in named_parameters.items():
            if name in fields:
                yield from self._check_parameter(parameter, fields[name], name in required)
            elif parameter.default is None:
                kind = parameter.annotation or "Any"
                yield self._build_disagreement(
                    "parameter_without_field",
                    f"the parameter {name} has no default and is not in the input contract, so every call by the "
                    f"contract fails; declare {name}: {kind}",
                    AddField(**self._build_address("input", name), type=kind),
                )
        for name in fields:
            if name not in named_parameters and not anything:
                yield self._build_disagreement(
                    "field_without_parameter",
                    f"the input contract has {name}, the method has no such parameter, so a payload with it fails; "
                    f"remove {name} from the contract, or add the parameter",
                    RemoveField(**self._build_address("input", name)),
                )

    def _check_parameter(
        self, parameter: Parameter, field: Mapping[str, Any], required: bool
    ) -> Iterator[Disagreement]:
        name = parameter.name
        if parameter.kind == "positional_only":
            yield self._build_disagreement(
                "positional_only", f"the parameter {name} is positional-only, but calls on the bus are by name"
            )
        if not required and parameter.default is None:
            yield self._build_disagreement(
                "optional_field_required_parameter",
                f"the input contract may leave {name} out, the parameter has no default; make the field required, "
                f"or give the parameter a default",
                SetOptional(**self._build_address("input", name), optional=False),
            )
        if parameter.annotation is None:
            return
        read = static.read_text(parameter.annotation, self.resolve)
        if isinstance(read, Contract) and check(Contract(field), read).compatible is False:
            yield self._build_disagreement(
                "parameter_type",
                f"the input contract says {name}: {annotation(dict(field))}, the signature says {parameter.annotation}",
                RetypeField(**self._build_address("input", name), type=parameter.annotation),
            )

    # ---- the output against the returns

    def check_returns(self, function: Function) -> Iterator[Disagreement]:
        declared = self.method.output_schema
        if declared is None or "properties" not in declared.json_schema:
            return
        returned, complete = _find_returns(function)
        if not returned:
            return
        fields, required = declared.fields, declared.required
        for name in fields:
            without = [literal_return for literal_return in returned if name not in literal_return.fields]
            if name not in required or not without:
                continue
            never = complete and len(without) == len(returned)
            fix: FieldOperation = SetOptional(**self._build_address("output", name), optional=True)
            if never:
                fix = RemoveField(**self._build_address("output", name))
            yield self._build_disagreement(
                "missing_returned_field",
                f"the output contract promises {name}, {'no return' if never else 'this return does not'} "
                f"{'gives' if never else 'give'} it; {'remove it' if never else 'make it optional'}, or return it",
                fix,
                without[0].lineno,
            )
        reported: set[str] = set()
        for literal_return in returned:
            for name, value in literal_return.fields.items():
                if name not in fields and name not in reported:
                    reported.add(name)
                    yield self._report_undeclared(name, value, returned, complete, literal_return.lineno)
                elif name in fields:
                    yield from self._check_constant(name, value, fields[name])

    def _report_undeclared(
        self, name: str, value: ast.expr, returned: list[_Return], complete: bool, line: int
    ) -> Disagreement:
        always = complete and all(name in other.fields for other in returned)
        kind = _infer_type(value)
        return self._build_disagreement(
            "undeclared_returned_field",
            f"returns {name}, which the output contract does not declare; declare {name}: {kind}",
            AddField(**self._build_address("output", name), type=kind, optional=not always),
            line,
        )

    def _check_constant(self, name: str, value: ast.expr, field: Mapping[str, Any]) -> Iterator[Disagreement]:
        if not isinstance(value, ast.Constant) or not isinstance(value.value, str | int | float | bool | None):
            return
        if check({"enum": [value.value]}, Contract(field).opened).compatible is False:
            yield self._build_disagreement(
                "returned_type",
                f"returns {name} = {value.value!r}, the output contract says {annotation(dict(field))}",
                RetypeField(
                    **self._build_address("output", name), type=f"{annotation(dict(field))} | {_infer_type(value)}"
                ),
                value.lineno,
            )


@dataclass(frozen=True, slots=True)
class _Return:
    fields: dict[str, ast.expr]
    lineno: int


def _find_returns(function: Function) -> tuple[list[_Return], bool]:
    """The literal returns of a function, and whether there are no others."""
    literal_returns: list[_Return] = []
    complete = True
    stack: list[ast.AST] = list(reversed(function.body))
    while stack:
        node = stack.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            continue
        if isinstance(node, ast.Return):
            fields = _read_literal_dict(node.value)
            if fields is None:
                complete = False
            else:
                literal_returns.append(_Return(fields, node.lineno))
        elif isinstance(node, ast.Yield | ast.YieldFrom):
            return [], False
        stack.extend(reversed(list(ast.iter_child_nodes(node))))
    return literal_returns, complete


def _read_literal_dict(value: ast.expr | None) -> dict[str, ast.expr] | None:
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "dict":
        if value.args or any(k.arg is None for k in value.keywords):
            return None
        return {str(k.arg): k.value for k in value.keywords}
    if not isinstance(value, ast.Dict):
        return None
    fields: dict[str, ast.expr] = {}
    for key, item in zip(value.keys, value.values, strict=True):
        if not isinstance(key, ast.Constant) or not isinstance(key.value, str):
            return None
        fields[key.value] = item
    return fields


def _infer_type(value: ast.expr) -> str:
    """The type of an expression as far as its form tells."""
    if isinstance(value, ast.Constant):
        return {"NoneType": "None"}.get(type(value.value).__name__, type(value.value).__name__)
    if isinstance(value, ast.JoinedStr):
        return "str"
    if isinstance(value, ast.Compare) or (isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.Not)):
        return "bool"
    if isinstance(value, ast.List | ast.ListComp):
        return "list"
    if isinstance(value, ast.Dict | ast.DictComp):
        return "dict"
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
        word = value.func.id
        call_types = {"len": "int", "sorted": "list", "sum": "float", "round": "float", "any": "bool", "all": "bool"}
        return call_types.get(word, word if word in ("str", "int", "float", "bool", "list", "dict") else "Any")
    return "Any"
