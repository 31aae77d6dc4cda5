"""A new key is put into what the code makes: a literal, a constructor, a result that is extended."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Sequence
from dataclasses import dataclass

from graphbus_core.analysis import scopes
from graphbus_core.analysis.keys import KeyTrace, KeyTracer
from graphbus_core.analysis.scopes import Function
from graphbus_core.editing import signature
from graphbus_core.editing.contract_records import RecordDefinition
from graphbus_core.editing.edit_plan import find_plain_default, parse_default, quote_text
from graphbus_core.editing.operations.field_change import FieldChange
from graphbus_core.editing.source import Edit, Source, find_group, read_group
from graphbus_core.editing.worktree import describe_nearest
from graphbus_core.model.edit_outcome import Refusal


@dataclass(frozen=True)
class NewKey:
    """What is put in: a key, the text of its value, and under which condition it is given (None: always)."""

    name: str
    text: str
    condition: str | None

    def render_entry(self, like: str = '"') -> str:
        """As an entry of a dict, quoted as its neighbours are."""
        key = quote_text(self.name, like)
        return f"{key}: {self.text}" if self.condition is None else self._render_spread(key)

    def render_keyword(self) -> str:
        """As an argument of a constructor."""
        return f"{self.name}={self.text}" if self.condition is None else self._render_spread(quote_text(self.name, '"'))

    def _render_spread(self, key: str) -> str:
        return f"**({{{key}: {self.text}}} if {self.condition} else {{}})"


@dataclass(frozen=True)
class ResultShape:
    """How a result takes a new key: the class that it is made of, whether it is a dict, whether its own key wins."""

    named: str | None
    dictlike: bool
    careful: bool


def add_key_to_results(
    change: FieldChange, type_text: str, optional: bool, default: str | None, record: RecordDefinition | None
) -> None:
    """Put the new key into what the code makes."""
    value_text = default
    if value_text is None:
        if optional:
            return
        value_text = find_plain_default(type_text)
    target = ResultShape(
        named=record.node.name if record is not None and isinstance(record.node, ast.ClassDef) else None,
        dictlike=record is None or record.flavour in ("dict", "typeddict"),
        careful=default is None,  # a value of our own making never replaces one that is there
    )
    for source, function, values, trace in change.find_makers(record):
        if value_text is None and values:
            raise Refusal(
                f"{type_text} has no plain value to begin with; give the operation a `default`.",
                source.places(function),
            )
        if value_text is None:
            continue
        entry = NewKey(change.name, *_choose_value(change, source, function, value_text, optional, values))
        if len(change.path) > 1:
            change.refuse_doubt(source, KeyTrace(unknown=trace.unknown))
            for literal in trace.literals:
                _add_to_literal(change, source, literal, entry)
        else:
            _add_to_values(change, source, function, values, trace, entry, target)


def _add_to_values(
    change: FieldChange,
    source: Source,
    function: Function,
    values: Sequence[ast.expr],
    trace: KeyTrace,
    entry: NewKey,
    target: ResultShape,
) -> None:
    if any(isinstance(n, ast.Yield | ast.YieldFrom) for n in trace.unknown):
        change.refuse_doubt(source, trace)
    for value in values:
        alone = KeyTrace()
        KeyTracer(function).make(value, change.path, alone)
        if isinstance(value, ast.Name) and alone.keys and not alone.unknown:
            continue  # it is given already
        _add_to_expression(change, source, value, entry, target)


def _add_to_expression(change: FieldChange, source: Source, expr: ast.expr, entry: NewKey, target: ResultShape) -> None:
    match expr:
        case ast.IfExp():
            _add_to_expression(change, source, expr.body, entry, target)
            _add_to_expression(change, source, expr.orelse, entry, target)
        case ast.Constant(value=None):
            pass
        case ast.Dict():
            _add_to_literal(change, source, expr, entry)
        case ast.Call(func=ast.Name(id=name), args=[]) if name in ("dict", target.named):
            _add_to_literal(change, source, expr, entry)
        case ast.Call(func=ast.Attribute(attr=name), args=[]) if name == target.named:
            _add_to_literal(change, source, expr, entry)
        case _ if target.dictlike:
            _extend_expression(change, source, expr, entry, target.careful)
        case _:
            raise Refusal("this result cannot be extended with certainty.", source.places(expr))


def _extend_expression(change: FieldChange, source: Source, expr: ast.expr, entry: NewKey, careful: bool) -> None:
    """`{**result, "x": 0}`; careful: `{"x": 0, **result}`, so that a key which is there keeps its value."""
    # `**` binds tighter than these: what is spread would be another expression than the one that stands there.
    if isinstance(expr, ast.BoolOp | ast.Lambda | ast.NamedExpr | ast.Compare | ast.Tuple | ast.Await):
        raise Refusal("this result cannot be extended with certainty.", source.places(expr))
    start, end = source.span(expr)
    if careful:
        change.plan.add(source, Edit(start, start, f"{{{entry.render_entry()}, **".encode()), Edit(end, end, b"}"))
    else:
        change.plan.add(source, Edit(start, start, b"{**"), Edit(end, end, f", {entry.render_entry()}}}".encode()))


def _add_to_literal(change: FieldChange, source: Source, literal: ast.AST, entry: NewKey) -> None:
    start, end = source.span(literal)
    if isinstance(literal, ast.Dict):
        keys = [k for k in literal.keys if isinstance(k, ast.Constant)]
        if any(k.value == entry.name for k in keys):
            return
        whole = read_group(source, start, end)
        like = source.text(keys[0]) if keys else '"'
        change.plan.add(source, *whole.insert(len(whole.items), entry.render_entry(like[0])))
        return
    assert isinstance(literal, ast.Call)
    if any(k.arg == entry.name for k in literal.keywords):
        return
    whole = find_group(source, source.span(literal.func)[1], end)
    change.plan.add(source, *whole.insert(len(whole.items), entry.render_keyword()))


def _choose_value(
    change: FieldChange,
    source: Source,
    function: Function,
    default: str,
    optional: bool,
    places: Sequence[ast.expr] = (),
) -> tuple[str, str | None]:
    """The value of the new key, and the condition under which it is given (None: always)."""
    tree, text = parse_default(default), default.strip()
    if isinstance(tree, ast.Name) and change.op.side != "input":
        handed = _hand_on_input(change, source, function, tree.id, text, optional)
        if handed is not None:
            return handed
    if default == getattr(change.op, "default", None):
        _refuse_unbound_names(source, function, tree, default, places)
    _refuse_unknown_names(source, function, tree, text)
    if isinstance(tree, ast.Constant) and tree.value in {p.arg for p in scopes.list_parameters(function.args)}:
        # A bare word for a text field was read as a text before anybody knew the parameters.
        raise Refusal(
            f"the default is the text {text}, and a parameter has that name. Say in replace_body which is meant.",
            source.places(function),
        )
    return text, None


def _hand_on_input(
    change: FieldChange, source: Source, function: Function, name: str, text: str, optional: bool
) -> tuple[str, str | None] | None:
    """A default that is one of the method's own inputs: handed on where it was given. None: it is not an input."""
    sig = signature.read_signature(source, function, change.list_fields())
    param = sig.find_parameter(name)
    if param is not None:
        parameter_default = sig.find_default(param)
        absent = optional and isinstance(parameter_default, ast.Constant) and parameter_default.value is None
        return (text, f"{text} is not None" if absent else None) if optional else None
    if sig.mapping is not None and name in change.list_fields():
        key = quote_text(name)
        return f"{sig.mapping}[{key}]", f"{key} in {sig.mapping}" if optional else None
    return None


def _refuse_unknown_names(source: Source, function: Function, tree: ast.expr, text: str) -> None:
    """Refuse a default that names what neither the function, nor its module, nor Python knows."""
    known_names = {p.arg for p in scopes.list_parameters(function.args)} | scopes.collect_bound_names(function.body)
    known_names |= scopes.collect_bound_names(source.tree.body)
    names = [n for n in ast.walk(tree) if isinstance(n, ast.Name)]
    local = {n.id for n in names if isinstance(n.ctx, ast.Store)}  # a comprehension's own variable
    for node in names:
        if node.id not in known_names and node.id not in local and not hasattr(builtins, node.id):
            raise Refusal(
                f"the default {text!r} uses {node.id!r}, which is not known here; "
                f"{describe_nearest(node.id, known_names)}.",
                source.places(function),
            )


def _refuse_unbound_names(
    source: Source, function: Function, tree: ast.expr, default: str, places: Sequence[ast.expr]
) -> None:
    """Refuse a default that names a local which may not be bound where the value is made."""
    own = scopes.collect_bound_names(function.body) - {p.arg for p in scopes.list_parameters(function.args)}
    for name in {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)} & own:
        first = min((p.lineno for p in places), default=0)
        before = [s for s in function.body if (s.end_lineno or s.lineno) < first]
        plain = [s for s in before if not isinstance(s, ast.If | ast.For | ast.While | ast.Try | ast.Match)]
        if name not in scopes.collect_bound_names(plain):
            raise Refusal(
                f"the default {default!r} uses {name!r}, which may not be bound here yet.", source.places(*places[:1])
            )
