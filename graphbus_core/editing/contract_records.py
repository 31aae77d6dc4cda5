"""Where the fields of a contract are written: a dict, a named constant, a TypedDict, dataclass or pydantic class.

Finds the place that a path (`headlines[].title`) leads to. What is edited there is for `declared.py`; what the code
around does with the field is for the operations.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from graphbus_core.analysis.scopes import Function
from graphbus_core.editing.edit_plan import (
    WRAPPERS,
    EditPlan,
    exclude_none,
    find_plain_default,
    is_same_expression,
    list_type_arguments,
    parse_type,
    quote_text,
    unwrap_type,
)
from graphbus_core.editing.source import Edit, Group, Source, read_group
from graphbus_core.editing.statements import append_field, remove_statement
from graphbus_core.editing.worktree import Worktree, describe_nearest, is_contract_decorator, is_graphbus_decorator
from graphbus_core.model.edit_outcome import Refusal
from graphbus_core.model.operation import FieldOperation
from graphbus_core.syntax import called_name, last_name, list_parameters, literal_text

_LISTS = frozenset(
    ["list", "List", "Sequence", "Iterable", "Iterator", "Collection", "tuple", "Tuple", "set", "Set", "frozenset"]
)
MAX_STEPS = 60


@dataclass(frozen=True)
class RecordDefinition:
    """One place where fields are written."""

    source: Source
    node: ast.Dict | ast.ClassDef
    flavour: str  # dict | typeddict | dataclass | pydantic | parameters
    total: bool = True

    def collect_fields(self) -> dict[str, tuple[ast.AST, ast.expr | None]]:
        """Field name -> (its key or its statement, its type)."""
        if isinstance(self.node, ast.Dict):
            return {
                k.value: (k, v)
                for k, v in zip(self.node.keys, self.node.values, strict=True)
                if isinstance(k, ast.Constant) and isinstance(k.value, str)
            }
        return {
            s.target.id: (s, s.annotation)
            for s in self.node.body
            if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name)
        }

    @property
    def place(self) -> str:
        """`agents/cleaner.py:12`."""
        return f"{self.source.path}:{self.node.lineno}"


def split_path(path: str) -> list[str]:
    """`headlines[].title` -> headlines, [], title."""
    return [s for part in path.split(".") for s in re.split(r"(\[\])", part) if s]


# ---- the expression of a side


def find_declaration(work: Worktree, op: FieldOperation) -> tuple[Source, ast.expr | None, ast.expr, ast.ClassDef]:
    """The contract expression of the operation's side (None: not declared) and the decorator that holds it.

    A side that the decorator leaves to the hints is where those stand: the returned type, the type of a parameter.
    """
    if op.side == "payload":
        return _find_payload(work, op)
    assert op.method is not None
    source, cls, function = work.find_method(op.node, op.method)
    for decorator in function.decorator_list:
        if is_contract_decorator(decorator, source):
            expr = None
            if isinstance(decorator, ast.Call):
                expr = find_argument(decorator, f"{op.side}_schema", ("input", "output").index(op.side))
                none = isinstance(expr, ast.Constant) and expr.value is None
                if expr is not None:
                    return source, None if none else expr, decorator, cls
            return source, _find_hint(work, op, source, function), decorator, cls
    declared_method = work.find_agent(op.node).method(op.method)
    if op.side == "input" and (annotation := _find_payload_hint(work, op, function)) is not None:
        return source, annotation, annotation, cls
    if declared_method is not None and (place := declared_method.metadata.get("beside", {}).get(op.side)):
        raise Refusal(f"{op.symbol} has its contract at {place}, which a build does not edit. Change it there.")
    raise Refusal(
        f"{op.node}.{op.method} declares no contract that can be extended; it has no @schema_method(…).",
        source.places(function),
    )


class HintedParameters(ast.Dict):
    """The hinted parameters of a function, in the shape of a contract that is written out."""

    defaults: frozenset[str] = frozenset()  # those that may be left out


def _find_hint(work: Worktree, op: FieldOperation, source: Source, function: Function) -> ast.expr | None:
    """Where the hints of a function write one side; None where they say nothing of it."""
    declared_method = work.find_agent(op.node).method(op.method or "")
    if declared_method is None or getattr(declared_method, f"{op.side}_schema") is None:
        return None
    if op.side == "output":
        return function.returns
    if (annotation := _find_payload_hint(work, op, function)) is not None:
        return annotation
    named_parameters = [
        (a, default) for a, kind, default in list_parameters(function.args) if not kind.startswith("var_")
    ]
    hinted = [a for a, _ in named_parameters if a.annotation is not None]
    keys: list[ast.expr | None] = [ast.Constant(a.arg) for a in hinted]
    record = ast.copy_location(HintedParameters(keys, [a.annotation for a in hinted if a.annotation]), function)
    record.defaults = frozenset(a.arg for a, default in named_parameters if default is not None)
    return record


def _find_payload_hint(work: Worktree, op: FieldOperation, function: Function) -> ast.expr | None:
    """The hint of a handler's parameter, where that is the contract of the payload."""
    declared_method = work.find_agent(op.node).method(op.method or "")
    parameter = declared_method.payload_parameter if declared_method is not None else None
    return next((a.annotation for a, _, _ in list_parameters(function.args) if a.arg == parameter), None)


def _find_payload(work: Worktree, op: FieldOperation) -> tuple[Source, ast.expr | None, ast.expr, ast.ClassDef]:
    source, cls = work.find_node_class(op.node)
    topics: list[str] = []
    for owner_source, owner in work.iter_family(source, cls):
        decorated: list[ast.AST] = [
            owner,
            *(n for n in owner.body if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)),
        ]
        for target in decorated:
            for decorator in target.decorator_list:  # type: ignore[attr-defined]
                if isinstance(decorator, ast.Call) and is_graphbus_decorator(decorator, "publishes", owner_source):
                    topic = resolve_text(work, owner_source, find_argument(decorator, "topic", 0), owner)
                    if topic == op.topic:
                        return owner_source, find_argument(decorator, "payload", 1), decorator, owner
                    topics.append(topic or "?")
    raise Refusal(f"{op.node} declares no @publishes({op.topic!r}, …); {describe_nearest(str(op.topic), topics)}.")


def find_argument(call: ast.Call, keyword: str, position: int) -> ast.expr | None:
    """An argument of a call, by keyword or position."""
    for call_keyword in call.keywords:
        if call_keyword.arg == keyword:
            return call_keyword.value
    return call.args[position] if len(call.args) > position else None


def resolve_text(
    work: Worktree, source: Source, expr: ast.expr | None, owner: ast.ClassDef | None = None
) -> str | None:
    """The text that an expression is, through named constants; None where it cannot be told."""
    if isinstance(expr, ast.Constant):
        return expr.value if isinstance(expr.value, str) else None
    if isinstance(expr, ast.Attribute) and isinstance(expr.value, ast.Name) and expr.value.id in ("self", "cls"):
        expr = ast.Name(expr.attr, ast.Load())
    definition = work.resolve_definition(source, expr, owner) if expr is not None else None
    return literal_text(definition[1]) if definition else None


# ---- the record that a path leads to


def find_record(
    work: Worktree, source: Source, expr: ast.AST, path: list[str], owner: ast.ClassDef | None = None
) -> RecordDefinition:
    """The record whose field is the last segment of `path`. Refusal names the nearest fields."""
    current_source, node = source, expr
    for i, segment in enumerate(path[:-1]):
        if segment == "[]":
            current_source, node = _resolve_element(work, current_source, node, owner)
        else:
            record = _resolve_record(work, current_source, node, owner)
            holder, (_, value) = find_field(work, record, segment)
            if value is None:
                raise Refusal(f"{record.place}: the field {segment!r} has no type.")
            current_source, node = holder.source, value
        if i > MAX_STEPS:
            raise Refusal("the path is too deep.")
    return _resolve_record(work, current_source, node, owner)


def find_field(
    work: Worktree, record: RecordDefinition, name: str
) -> tuple[RecordDefinition, tuple[ast.AST, ast.expr | None]]:
    """The record that writes `name` itself: this one, one that it spreads (`**BASE`) or a base class."""
    own = record.collect_fields()
    if name in own:
        return record, own[name]
    known_names = list(own)
    for other in _find_parent_records(work, record):
        try:
            return find_field(work, other, name)
        except Refusal:
            known_names += list(other.collect_fields())
    raise Refusal(f"there is no field {name!r}; {describe_nearest(name, known_names)}.", (record.place,))


def _find_parent_records(work: Worktree, record: RecordDefinition) -> list[RecordDefinition]:
    exprs: list[ast.AST] = []
    if isinstance(record.node, ast.Dict):
        exprs = [v for k, v in zip(record.node.keys, record.node.values, strict=True) if k is None]
    else:
        exprs = [b for b in record.node.bases if work.resolve_definition(record.source, b)]
    return [_resolve_record(work, record.source, e, None) for e in exprs]


def _resolve_record(
    work: Worktree, source: Source, expr: ast.AST, owner: ast.ClassDef | None, steps: int = 0
) -> RecordDefinition:
    place = f"{source.path}:{getattr(expr, 'lineno', 0)}"
    if steps > MAX_STEPS:
        raise Refusal("this contract is nested too deeply.", (place,))
    match expr:
        case ast.Dict():
            if _is_json_schema(expr):
                raise Refusal(
                    "this contract is written as a JSON Schema; it is not edited. Write it with types.", (place,)
                )
            return RecordDefinition(source, expr, "parameters" if isinstance(expr, HintedParameters) else "dict")
        case ast.ClassDef():
            flavour, total = _detect_flavour(work, source, expr)
            return RecordDefinition(source, expr, flavour, total)
        case ast.Call(func=func, args=[_, ast.Dict() as written, *_]) if last_name(func) == "TypedDict":
            total_argument = find_argument(expr, "total", 9)
            return RecordDefinition(
                source,
                written,
                "dict",
                not (isinstance(total_argument, ast.Constant) and total_argument.value is False),
            )
        case ast.Constant(value=str() as text) if text.isidentifier():
            return _resolve_record(work, source, ast.Name(text, ast.Load()), owner, steps + 1)
        case ast.Subscript(value=value) if last_name(value) in WRAPPERS:
            parts = list_type_arguments(expr)
            inside = _select_shape(parts, place) if last_name(value) == "Union" else parts[0]
            return _resolve_record(work, source, inside, owner, steps + 1)
        case ast.BinOp(op=ast.BitOr()):
            return _resolve_record(work, source, _select_shape([expr.left, expr.right], place), owner, steps + 1)
        case ast.Name() | ast.Attribute():
            definition = work.resolve_definition(source, expr, owner)
            if definition:
                return _resolve_record(work, definition[0], definition[1], None, steps + 1)
    raise Refusal("no fields are written here that could be edited.", (place,))


def _select_shape(sides: list[ast.expr], place: str) -> ast.expr:
    """The side of a union that has fields. With two of them nobody knows which one an operation means."""
    shapes = exclude_none(sides)
    if len(shapes) != 1:
        raise Refusal("this union has more than one shape.", (place,))
    return shapes[0]


def _is_json_schema(expr: ast.Dict) -> bool:
    """A contract may well have fields named `type` and `items`: only a value that is a type's name tells."""
    names = {k.value for k in expr.keys if isinstance(k, ast.Constant)}
    if "type" not in names or not names & {"properties", "items", "anyOf", "$ref"}:
        return False
    for key, value in zip(expr.keys, expr.values, strict=True):
        if isinstance(key, ast.Constant) and key.value == "type":
            return isinstance(value, ast.Constant) and value.value in ("object", "array")
    return False


def _resolve_element(
    work: Worktree, source: Source, expr: ast.AST, owner: ast.ClassDef | None, steps: int = 0
) -> tuple[Source, ast.AST]:
    place = f"{source.path}:{getattr(expr, 'lineno', 0)}"
    if steps <= MAX_STEPS:
        match expr:
            case ast.List(elts=[one]):
                return source, one
            case ast.Subscript(value=value) if last_name(value) in _LISTS:
                return source, list_type_arguments(expr)[0]
            case ast.Subscript(value=value) if last_name(value) in WRAPPERS and (
                sides := exclude_none(list_type_arguments(expr))
            ):
                return _resolve_element(work, source, sides[0], owner, steps + 1)
            case ast.BinOp(op=ast.BitOr()):
                sides = exclude_none([expr.left, expr.right])
                if len(sides) == 1:
                    return _resolve_element(work, source, sides[0], owner, steps + 1)
            case ast.Name() | ast.Attribute():
                definition = work.resolve_definition(source, expr, owner)
                if definition:
                    return _resolve_element(work, definition[0], definition[1], None, steps + 1)
    raise Refusal("there is no list of objects here.", (place,))


def _detect_flavour(work: Worktree, source: Source, cls: ast.ClassDef, steps: int = 0) -> tuple[str, bool]:
    if any(called_name(d) == "dataclass" for d in cls.decorator_list):
        return "dataclass", True
    total = not any(
        k.arg == "total" and isinstance(k.value, ast.Constant) and k.value.value is False for k in cls.keywords
    )
    for base in cls.bases:
        if last_name(base) == "TypedDict":
            return "typeddict", total
        if last_name(base) in ("BaseModel", "RootModel"):
            return "pydantic", True
        definition = work.resolve_definition(source, base)
        if definition and isinstance(definition[1], ast.ClassDef) and steps < MAX_STEPS:
            flavour, _ = _detect_flavour(work, definition[0], definition[1], steps + 1)
            return flavour, total
    raise Refusal(f"the class {cls.name} is not a TypedDict, dataclass or pydantic model.", source.places(cls))


# One field where its contract declares it: add it, remove it, give it another type, presence or name.
#
# What the code around does with the field is not known here. Where the contract is a method's hinted parameters, the
# parameter is the field: `signature` writes it, and nothing is left to write here.


def is_field_optional(record: RecordDefinition, name: str) -> bool:
    """Whether a field may be left out."""
    key, value = record.collect_fields()[name]
    if isinstance(record.node, HintedParameters):
        return name in record.node.defaults
    if record.flavour in ("dataclass", "pydantic"):
        return isinstance(key, ast.AnnAssign) and key.value is not None
    marked_optional = unwrap_type(value)[1] if value is not None else None
    return marked_optional if marked_optional is not None else not record.total


def write_field(
    plan: EditPlan,
    record: RecordDefinition,
    name: str,
    type_text: str,
    optional: bool,
    description: str | None,
    default: str | None,
) -> bool:
    """Write a new field. False where it is there already, just so; Refusal where it is there differently."""
    source = record.source
    if name in record.collect_fields():
        _, value = record.collect_fields()[name]
        if (
            value is not None
            and is_same_expression(unwrap_type(value)[0], parse_type(type_text))
            and is_field_optional(record, name) == optional
        ):
            return False
        raise Refusal(
            f"the field {name!r} exists already, as {source.text(value) if value else '?'}; "
            "retype_field changes its type.",
            (record.place,),
        )
    if isinstance(record.node, HintedParameters):
        return True
    written_type = _render_declared_type(plan, record, type_text, optional, description)
    if isinstance(record.node, ast.Dict):
        whole = read_dict_entries(source, record.node)
        keys = [k for k in record.node.keys if isinstance(k, ast.Constant)]
        like = source.text(keys[0])[0] if keys else '"'
        plan.add(source, *whole.insert(len(whole.items), f"{quote_text(name, like)}: {written_type}"))
        return True
    if not name.isidentifier():
        raise Refusal(f"{name!r} cannot be a field of a class.", (record.place,))
    start = ""
    if record.flavour in ("dataclass", "pydantic") and optional:
        start = f" = {_render_class_default(plan, record, type_text, default)}"
    elif record.flavour == "dataclass" and _has_defaults(record.node):
        start = f" = {plan.ensure_import(source, 'dataclasses', 'field')}(kw_only=True)"
    plan.add(source, append_field(source, record.node, f"{name}: {written_type}{start}"))
    return True


def _render_declared_type(
    plan: EditPlan, record: RecordDefinition, type_text: str, optional: bool, description: str | None
) -> str:
    """The type as the record's file writes it; a word on presence only where the record does not say it anyway."""
    needs_marker = record.flavour in ("dict", "typeddict") and optional == record.total
    word = ("NotRequired" if optional else "Required") if needs_marker else None
    return render_type(plan, record.source, type_text, description, word)


def render_type(plan: EditPlan, source: Source, type_text: str, description: str | None, word: str | None) -> str:
    """A type as it is written in a file, with its description and a word on presence."""
    written_type = plan.render_type(source, type_text)
    if description:
        written_type = f"{plan.resolve_name(source, 'Annotated')}[{written_type}, {quote_text(description)}]"
    return f"{plan.resolve_name(source, word)}[{written_type}]" if word else written_type


def _has_defaults(cls: ast.ClassDef) -> bool:
    """A dataclass refuses a field without a default behind one that has it, unless the new one is keyword-only."""
    return any(isinstance(s, ast.AnnAssign) and s.value is not None for s in cls.body)


def _render_class_default(plan: EditPlan, record: RecordDefinition, type_text: str, default: str | None) -> str:
    value = default if default is not None else find_plain_default(type_text)
    if value is None:
        raise Refusal(f"{type_text} has no plain default; give the operation a `default`.", (record.place,))
    if record.flavour == "dataclass" and value in ("[]", "{}", "set()"):
        maker = {"[]": "list", "{}": "dict", "set()": "set"}[value]
        return f"{plan.ensure_import(record.source, 'dataclasses', 'field')}(default_factory={maker})"
    return value


def erase_field(plan: EditPlan, record: RecordDefinition, name: str) -> None:
    """Take a field out."""
    source = record.source
    key, _ = record.collect_fields()[name]
    if isinstance(record.node, HintedParameters):
        return
    if isinstance(record.node, ast.Dict):
        whole = read_dict_entries(source, record.node)
        plan.add(source, *whole.remove(whole.find_item(source.span(key)[0])))
        return
    plan.add(source, remove_statement(source, record.node.body, key))


def write_field_type(plan: EditPlan, record: RecordDefinition, name: str, type_text: str) -> bool:
    """Write another type, leaving what it says of presence and description. False where it says so already."""
    _, value = record.collect_fields()[name]
    if value is None:
        raise Refusal(f"the field {name!r} has no type.", (record.place,))
    inner, _, _ = unwrap_type(value)
    if is_same_expression(inner, parse_type(type_text)):
        return False
    plan.replace(record.source, inner, plan.render_type(record.source, type_text))
    return True


def write_presence(plan: EditPlan, record: RecordDefinition, name: str, optional: bool, default: str | None) -> bool:
    """Say that a field may be left out, or must be there. False where it is so already."""
    source = record.source
    key, value = record.collect_fields()[name]
    if is_field_optional(record, name) == optional:
        return False
    if isinstance(record.node, HintedParameters):
        return True
    if isinstance(key, ast.AnnAssign) and record.flavour in ("dataclass", "pydantic"):
        _, end = source.span(key.annotation)
        if optional:
            statements = record.node.body if isinstance(record.node, ast.ClassDef) else []
            later = statements[statements.index(key) + 1 :]
            default_text = _render_class_default(plan, record, source.text(unwrap_type(key.annotation)[0]), default)
            if record.flavour == "dataclass" and any(isinstance(s, ast.AnnAssign) and s.value is None for s in later):
                word = plan.ensure_import(source, "dataclasses", "field")
                default_text = (
                    f"{word}(default={default_text}, kw_only=True)"
                    if not default_text.startswith(word)
                    else f"{default_text[:-1]}, kw_only=True)"
                )
            close = source.span(key)[1]
            plan.add(source, Edit(close, close, f" = {default_text}".encode()))
        else:
            plan.add(source, Edit(end, source.span(key)[1], b""))
        return True
    assert value is not None
    _, marked_optional, by = unwrap_type(value)
    if by is not None and marked_optional is not None:
        if optional == (not record.total):  # what the record says anyway: the word goes
            (start, end), (first, last) = source.span(by), source.span(by.slice)
            plan.add(source, Edit(start, first, b""), Edit(last, end, b""))
            return True
        plan.replace(source, by.value, plan.resolve_name(source, "NotRequired" if optional else "Required"))
        return True
    start, end = source.span(value)
    word = plan.resolve_name(source, "NotRequired" if optional else "Required")
    plan.add(source, Edit(start, start, f"{word}[".encode()), Edit(end, end, b"]"))
    return True


def write_field_name(plan: EditPlan, record: RecordDefinition, name: str, to: str) -> None:
    """Write another name."""
    source = record.source
    key, _ = record.collect_fields()[name]
    if to in record.collect_fields():
        raise Refusal(f"there is a field {to!r} already.", (record.place,))
    if isinstance(record.node, HintedParameters):
        return
    if isinstance(key, ast.AnnAssign):
        if not to.isidentifier():
            raise Refusal(f"{to!r} cannot be a field of a class.", (record.place,))
        plan.replace(source, key.target, to)
    else:
        plan.replace(source, key, replace_literal_text(source, key, to))


def replace_literal_text(source: Source, literal: ast.AST, text: str) -> str:
    """A string literal with other text and the quotes that it has."""
    original = source.text(literal)
    return quote_text(text, '"' if original.lstrip("rRuUbBfF").startswith('"') else "'")


def read_dict_entries(source: Source, node: ast.Dict) -> Group:
    """The entries of a dict literal."""
    start, end = source.span(node)
    return read_group(source, start, end)
