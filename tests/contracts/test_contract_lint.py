"""Signature, schema and literal returns that disagree are found, each with a fix; what agrees is left alone."""

from __future__ import annotations

import ast
from typing import Any, NotRequired

import pytest

from graphbus_core.contracts import Contract, apply_operation, lint, method_changes, signature_changes
from graphbus_core.model.schema import Parameter, Schema, SchemaMethod


def method(source: str, given: Any = None, back: Any = None) -> tuple[SchemaMethod, ast.FunctionDef]:
    """A method from its source and its two contracts."""
    function = ast.parse(source).body[0]
    assert isinstance(function, ast.FunctionDef)
    args = function.args
    plain = [(a, "positional_or_keyword") for a in args.args]
    plain += [(a, "keyword_only") for a in args.kwonlyargs]
    defaults = [None] * (len(args.args) - len(args.defaults)) + [*args.defaults, *args.kw_defaults]
    parameters = [
        Parameter(a.arg, k, a.annotation and ast.unparse(a.annotation), d and ast.unparse(d))
        for (a, k), d in zip(plain, defaults, strict=True)
    ][1:]
    if args.kwarg:
        parameters.append(Parameter(args.kwarg.arg, "var_keyword"))
    sides = [Schema(Contract.from_annotations(s).to_json_schema()) if s is not None else None for s in (given, back)]
    return SchemaMethod(function.name, *sides, parameters=tuple(parameters)), function


AGREES = [
    ("def m(self, sku: str, qty: int = 1): return {'ok': True}", {"sku": str, "qty": NotRequired[int]}, {"ok": bool}),
    ("def m(self, **payload): return {'ok': True}", {"sku": str}, {"ok": bool}),
    ("def m(self, sku): return self.other()", {"sku": str}, {"ok": bool}),
    ("def m(self, qty: float): return {'a': 1, **self.rest}", {"qty": int}, {"a": int, "b": int}),
    ("def m(self):\n def inner(): return {'x': 1}\n return {'a': inner()}", None, {"a": dict}),
]


@pytest.mark.parametrize("first", ["return {'a': 1}", "return other()", "yield 1"])
def test_a_field_that_some_returns_lack_is_optional(first: str) -> None:
    """Of a return that cannot be read nobody knows; a generator returns no output at all."""
    made, function = method(f"def m(self):\n if self.x: {first}\n return {{'a': 1, 'b': 1}}", None, {"a": int})
    fixes = [one.fix for one in lint("N", made, function)]
    assert [getattr(fix, "optional", None) for fix in fixes] == ([] if first == "yield 1" else [True])


@pytest.mark.parametrize(("source", "given", "back"), AGREES)
def test_what_agrees_is_left_alone(source: str, given: Any, back: Any) -> None:
    """No finding where contract and code can both be right."""
    made, function = method(source, given, back)
    assert lint("N", made, function) == ()


DISAGREES = [
    ("def m(self, sku, qty): ...", {"sku": str}, None, "parameter_without_field", "input"),
    ("def m(self, sku): ...", {"sku": str, "qty": int}, None, "field_without_parameter", "input"),
    ("def m(self, qty: int): ...", {"qty": NotRequired[int]}, None, "optional_field_required_parameter", "input"),
    ("def m(self, qty: int): ...", {"qty": str}, None, "parameter_type", "input"),
    ("def m(self): return {'a': 1}", None, {"a": int, "b": int}, "missing_returned_field", "output"),
    ("def m(self): return {'a': 1, 'b': 2}", None, {"a": int}, "undeclared_returned_field", "output"),
    ("def m(self): return {'a': 'x'}", None, {"a": int}, "returned_type", "output"),
    ("def m(self):\n if self.x: return {'a': 1, 'b': 1}\n return {'a': 1}", None, {"a": int, "b": int}, None, "output"),
]


@pytest.mark.parametrize(("source", "given", "back", "kind", "side"), DISAGREES)
def test_what_disagrees_is_found_and_its_fix_ends_it(source: str, given: Any, back: Any, kind: str, side: str) -> None:
    """Applying the fix to the contract leaves nothing to find."""
    made, function = method(source, given, back)
    (found,) = lint("N", made, function)
    assert found.kind == (kind or "missing_returned_field")
    assert found.fix is not None
    schema = made.input_schema if side == "input" else made.output_schema
    assert schema is not None
    mended = Schema(apply_operation(schema.json_schema, found.fix))
    sides = (mended, None) if side == "input" else (None, mended)
    assert lint("N", SchemaMethod("m", *sides, parameters=made.parameters), function) == ()


def test_signature_changes_say_what_breaks_calls() -> None:
    """Calls are by name: a new parameter without a default, a lost default and a removed parameter break them."""
    old, _ = method("def m(self, a, b=1, c=2, d=3): ...")
    new, _ = method("def m(self, a=0, *, b, c=4, e, f=1): ...")
    found = {(c.kind, c.path): bool(c.breaks) for c in signature_changes(old.parameters, new.parameters)}
    assert found == {
        ("parameter_made_optional", "a"): False,
        ("parameter_kind_changed", "b"): False,
        ("parameter_made_required", "b"): True,
        ("parameter_kind_changed", "c"): False,
        ("default_changed", "c"): False,
        ("parameter_removed", "d"): True,
        ("parameter_added", "e"): True,
        ("parameter_added", "f"): False,
    }


def test_what_takes_anything_has_no_name_to_break() -> None:
    """`*args` is not a parameter of a call by name; `**more` takes what is gone; `/` takes nothing by name."""
    old = [Parameter("a", "positional_or_keyword"), Parameter("b", "positional_or_keyword")]
    new = [Parameter("a", "positional_only"), Parameter("args", "var_positional"), Parameter("more", "var_keyword")]
    found = [(c.kind, c.path, bool(c.breaks)) for c in signature_changes(old, new)]
    assert found == [("parameter_kind_changed", "a", True), ("parameter_removed", "b", False)]
    assert [(c.path, bool(c.breaks)) for c in signature_changes(new, old)] == [("a", False), ("b", True)]


def test_a_side_that_is_declared_or_no_longer() -> None:
    """It is told which way; a side that never was is nothing, and what one side says is not said of the other."""
    none, given = SchemaMethod("m"), method("def m(self): ...", None, {"a": int})[0]
    assert [(c.path, c.before, c.after) for c in method_changes(none, given)] == [
        ("output", "not declared", "declared")
    ]
    assert [(c.path, c.before, c.after) for c in method_changes(given, none)] == [
        ("output", "declared", "not declared")
    ]


def test_a_method_breaks_only_on_the_side_where_it_changed() -> None:
    """An input that widens breaks nobody; the same change of an output does."""
    old, _ = method("def m(self, a): ...", {"a": int}, {"a": int})
    new, _ = method("def m(self, a): ...", {"a": float}, {"a": float})
    assert [(c.path, c.breaking) for c in method_changes(old, new)] == [("input.a", False), ("output.a", True)]
