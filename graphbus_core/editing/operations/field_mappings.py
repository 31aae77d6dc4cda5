"""A mapping at a subscription: `map={…}` and `convert={…}` of one `@subscribe(…)`, written out and taken back."""

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
    """Let the handler hear a published field under its own name. False where it does already."""
    fields = {op.field: quote_text(op.source)} if op.source != op.field else {}
    conversions = {op.field: _resolve_function(plan, op)} if op.convert else {}
    if not fields and not conversions:
        raise Refusal(
            f"{op.field!r} is published under that name; name another source, or a function that converts it."
        )

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
    call = _find_subscription(plan, op, source, function)
    text = source.text(call)
    if "#" in text:
        raise Refusal("a comment stands inside this @subscribe; it would be lost.", source.places(call))
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


def _find_subscription(plan: EditPlan, op: MapField | UnmapField, source: Source, function: Function) -> ast.Call:
    """The one `@subscribe` of the handler that hears the operation's topic, and no other topic."""
    other_topics: list[str] = []
    for decorator in function.decorator_list:
        if not isinstance(decorator, ast.Call) or not is_graphbus_decorator(decorator, "subscribe", source):
            continue
        topics = [resolve_text(plan.workspace, source, argument) or "?" for argument in decorator.args]
        if op.topic in topics:
            if len(topics) > 1 or any(k.arg is None for k in decorator.keywords):
                raise Refusal(
                    "this @subscribe names more than one topic; give each a line first.", source.places(decorator)
                )
            return decorator
        other_topics += topics
    raise Refusal(f"{op.symbol} has no @subscribe({op.topic!r}); {describe_nearest(str(op.topic), other_topics)}.")


def _read_pairs(source: Source, call: ast.Call, word: str) -> dict[str, str]:
    """Field -> what is written for it."""
    value = next((k.value for k in call.keywords if k.arg == word), ast.Dict([], []))
    keys = [literal_text(key) for key in value.keys] if isinstance(value, ast.Dict) else [None]
    if not isinstance(value, ast.Dict) or None in keys:
        raise Refusal(f"the {word} of this @subscribe is not written out.", source.places(call))
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
