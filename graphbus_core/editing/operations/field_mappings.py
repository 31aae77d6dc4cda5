"""A mapping: `map={…}` and `convert={…}` of one `@subscribe(…)` or `@depends_on(…)`, written out and taken back."""

from __future__ import annotations

import ast
from collections.abc import Callable

from graphbus_core.analysis.scopes import Function
from graphbus_core.editing.contract_records import resolve_text
from graphbus_core.editing.edit_plan import EditPlan, quote_text
from graphbus_core.editing.source import Source
from graphbus_core.editing.worktree import describe_nearest, is_graphbus_decorator
from graphbus_core.model.edit_outcome import Refusal
from graphbus_core.model.operation import MapField, UnmapField
from graphbus_core.syntax import dotted_name, literal_text

_WORDS = ("map", "convert")


def add_mapping(plan: EditPlan, op: MapField) -> bool:
    """Let the method take a field of the producer under its own name. False where it does already."""
    if op.convert and op.topic is None:
        raise Refusal("a producer's field is converted where it is handed over; only what is published can be, here.")
    fields = {op.field: quote_text(op.source)} if op.source != op.field else {}
    conversions = {op.field: _resolve_function(plan, op)} if op.convert else {}
    if not fields and not conversions:
        raise Refusal(f"{op.field!r} is sent under that name; name another source, or a function that converts it.")

    def change(written: dict[str, dict[str, str]]) -> dict[str, dict[str, str]]:
        kept = {word: {k: v for k, v in pairs.items() if k != op.field} for word, pairs in written.items()}
        return {"map": kept["map"] | fields, "convert": kept["convert"] | conversions}

    return _rewrite(plan, op, change)


def remove_mapping(plan: EditPlan, op: UnmapField) -> bool:
    """Take the mapping of one field back. False where there is none."""
    return _rewrite(
        plan, op, lambda written: {w: {k: v for k, v in p.items() if k != op.field} for w, p in written.items()}
    )


def _rewrite(
    plan: EditPlan,
    op: MapField | UnmapField,
    change: Callable[[dict[str, dict[str, str]]], dict[str, dict[str, str]]],
) -> bool:
    source, _, function = plan.workspace.find_own_method(op.node, op.method or "")
    call = _find_decorator(plan, op, source, function)
    text = source.text(call)
    if "#" in text:
        raise Refusal(f"a comment stands inside this @{op.decorator[0]}; it would be lost.", source.places(call))
    written = {word: _read_pairs(source, call, word) for word in _WORDS}
    changed = change(written)
    if changed == written:
        return False
    arguments = [source.text(a) for a in call.args]
    arguments += [f"{k.arg}={source.text(k.value)}" for k in call.keywords if k.arg not in _WORDS]
    for word in _WORDS:
        if changed[word]:
            pairs = ", ".join(f"{quote_text(field)}: {value}" for field, value in changed[word].items())
            arguments.append(f"{word}={{{pairs}}}")
    plan.replace(source, call, f"{source.text(call.func)}({', '.join(arguments)})")
    return True


def _find_decorator(plan: EditPlan, op: MapField | UnmapField, source: Source, function: Function) -> ast.Call:
    """The one decorator of the method that names the operation's topic or producer, and no other."""
    word, wanted = op.decorator
    others: list[str] = []
    for decorator in function.decorator_list:
        if not isinstance(decorator, ast.Call) or not is_graphbus_decorator(decorator, word, source):
            continue
        names = [resolve_text(plan.workspace, source, argument) or "?" for argument in decorator.args]
        if wanted in names:
            if len(names) > 1 or any(k.arg is None for k in decorator.keywords):
                raise Refusal(f"this @{word} names more than one; give each a line first.", source.places(decorator))
            return decorator
        others += names
    raise Refusal(f"{op.symbol} has no @{word}({wanted!r}); {describe_nearest(wanted, others)}.")


def _read_pairs(source: Source, call: ast.Call, word: str) -> dict[str, str]:
    """Field -> what is written for it."""
    value = next((k.value for k in call.keywords if k.arg == word), ast.Dict([], []))
    keys = [literal_text(key) for key in value.keys] if isinstance(value, ast.Dict) else [None]
    if not isinstance(value, ast.Dict) or None in keys:
        raise Refusal(f"the {word} of this decorator is not written out.", source.places(call))
    return {str(key): source.text(v) for key, v in zip(keys, value.values, strict=True)}


def _resolve_function(plan: EditPlan, op: MapField) -> str:
    """The name of a conversion, as the handler's file knows it."""
    source, _, _ = plan.workspace.find_own_method(op.node, op.method or "")
    try:
        node = ast.parse(op.convert or "", mode="eval").body
    except (SyntaxError, ValueError):
        node = ast.Constant(None)
    name = dotted_name(node)
    statements = source.tree.body
    bound = {node.name for node in statements if isinstance(node, ast.FunctionDef)}
    bound |= {a.asname or a.name for node in statements if isinstance(node, ast.ImportFrom) for a in node.names}
    # What it takes and gives is read by the scan of the changed sources, which refuses all else.
    if name not in bound:
        raise Refusal(f"{op.convert!r} is not a function that {source.path} knows; `define` or `add_import` it first.")
    return name
