"""Where the fields of a contract are written: a dict, a named constant, a TypedDict, dataclass or pydantic class.

Finds the place that a path (`headlines[].title`) leads to, and edits one field there. What the code around does with
the field is not known here.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from graphbus_core.build.confine.outcome import Refusal
from graphbus_core.build.edit.text.groups import Group, group
from graphbus_core.build.edit.text.plan import Plan, parse_type, quoted, same
from graphbus_core.build.edit.text.source import Edit, Source
from graphbus_core.build.edit.text.worktree import Workspace, is_call, nearest
from graphbus_core.model.operation import FieldOperation

_LISTS = frozenset(
    ["list", "List", "Sequence", "Iterable", "Iterator", "Collection", "tuple", "Tuple", "set", "Set", "frozenset"]
)
_WRAPPERS = frozenset({"Optional", "NotRequired", "Required", "Annotated", "Final", "ReadOnly", "Union"})
MAX_STEPS = 60


@dataclass(frozen=True)
class Record:
    """One place where fields are written."""

    source: Source
    node: ast.Dict | ast.ClassDef
    flavour: str  # dict | typeddict | dataclass | pydantic
    total: bool = True

    def fields(self) -> dict[str, tuple[ast.AST, ast.expr | None]]:
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


def segments(path: str) -> list[str]:
    """`headlines[].title` -> headlines, [], title."""
    return [s for part in path.split(".") for s in re.split(r"(\[\])", part) if s]


# ---- the expression of a side


def declaration(work: Workspace, op: FieldOperation) -> tuple[Source, ast.expr | None, ast.Call, ast.ClassDef]:
    """The contract expression of the operation's side (None: not declared) and the decorator that holds it."""
    if op.side == "payload":
        return _payload(work, op)
    assert op.method is not None
    source, cls, function = work.method(op.node, op.method)
    for decorator in function.decorator_list:
        if is_call(decorator, "schema_method", source):
            if not isinstance(decorator, ast.Call):
                break
            expr = argument(decorator, f"{op.side}_schema", ("input", "output").index(op.side))
            none = isinstance(expr, ast.Constant) and expr.value is None
            return source, None if none else expr, decorator, cls
    raise Refusal(
        f"{op.node}.{op.method} declares no contract that can be extended; it has no @schema_method(…).",
        (f"{source.path}:{function.lineno}",),
    )


def _payload(work: Workspace, op: FieldOperation) -> tuple[Source, ast.expr | None, ast.Call, ast.ClassDef]:
    source, cls = work.node(op.node)
    topics: list[str] = []
    for at, owner in work.family(source, cls):
        decorated: list[ast.AST] = [
            owner,
            *(n for n in owner.body if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)),
        ]
        for target in decorated:
            for decorator in target.decorator_list:  # type: ignore[attr-defined]
                if isinstance(decorator, ast.Call) and is_call(decorator, "publishes", at):
                    topic = text_of(work, at, argument(decorator, "topic", 0), owner)
                    if topic == op.topic:
                        return at, argument(decorator, "payload", 1), decorator, owner
                    topics.append(topic or "?")
    raise Refusal(f"{op.node} declares no @publishes({op.topic!r}, …); {nearest(str(op.topic), topics)}.")


def argument(call: ast.Call, keyword: str, position: int) -> ast.expr | None:
    """An argument of a call, by keyword or position."""
    for given in call.keywords:
        if given.arg == keyword:
            return given.value
    return call.args[position] if len(call.args) > position else None


def text_of(work: Workspace, source: Source, expr: ast.expr | None, owner: ast.ClassDef | None = None) -> str | None:
    """The text that an expression is, through named constants; None where it cannot be told."""
    if isinstance(expr, ast.Constant):
        return expr.value if isinstance(expr.value, str) else None
    if isinstance(expr, ast.Attribute) and isinstance(expr.value, ast.Name) and expr.value.id in ("self", "cls"):
        expr = ast.Name(expr.attr, ast.Load())
    found = work.lookup(source, expr, owner) if expr is not None else None
    return found[1].value if found and isinstance(found[1], ast.Constant) and isinstance(found[1].value, str) else None


# ---- the record that a path leads to


def find(work: Workspace, source: Source, expr: ast.AST, path: list[str], owner: ast.ClassDef | None = None) -> Record:
    """The record whose field is the last segment of `path`. Refusal names the nearest fields."""
    at, node = source, expr
    for i, segment in enumerate(path[:-1]):
        if segment == "[]":
            at, node = _element(work, at, node, owner)
        else:
            record = _record(work, at, node, owner)
            holder, (_, value) = having(work, record, segment)
            if value is None:
                raise Refusal(f"{record.place}: the field {segment!r} has no type.")
            at, node = holder.source, value
        if i > MAX_STEPS:
            raise Refusal("the path is too deep.")
    return _record(work, at, node, owner)


def having(work: Workspace, record: Record, name: str) -> tuple[Record, tuple[ast.AST, ast.expr | None]]:
    """The record that writes `name` itself: this one, one that it spreads (`**BASE`) or a base class."""
    own = record.fields()
    if name in own:
        return record, own[name]
    known = list(own)
    for other in _parents(work, record):
        try:
            return having(work, other, name)
        except Refusal:
            known += list(other.fields())
    raise Refusal(f"there is no field {name!r}; {nearest(name, known)}.", (record.place,))


def _parents(work: Workspace, record: Record) -> list[Record]:
    exprs: list[ast.AST] = []
    if isinstance(record.node, ast.Dict):
        exprs = [v for k, v in zip(record.node.keys, record.node.values, strict=True) if k is None]
    else:
        exprs = [b for b in record.node.bases if work.lookup(record.source, b)]
    return [_record(work, record.source, e, None) for e in exprs]


def _record(work: Workspace, source: Source, expr: ast.AST, owner: ast.ClassDef | None, steps: int = 0) -> Record:
    here = f"{source.path}:{getattr(expr, 'lineno', 0)}"
    if steps > MAX_STEPS:
        raise Refusal("this contract is nested too deeply.", (here,))
    match expr:
        case ast.Dict():
            names = {k.value for k in expr.keys if isinstance(k, ast.Constant)}
            if "type" in names and names & {"properties", "items", "anyOf", "$ref"} and _is_json_schema(expr):
                raise Refusal(
                    "this contract is written as a JSON Schema; it is not edited. Write it with types.", (here,)
                )
            return Record(source, expr, "dict")
        case ast.ClassDef():
            flavour, total = _flavour(work, source, expr)
            return Record(source, expr, flavour, total)
        case ast.Call(func=func) if (
            _last(func) == "TypedDict" and len(expr.args) > 1 and isinstance(expr.args[1], ast.Dict)
        ):
            said = argument(expr, "total", 9)
            return Record(source, expr.args[1], "dict", not (isinstance(said, ast.Constant) and said.value is False))
        case ast.Constant(value=str() as text) if text.isidentifier():
            return _record(work, source, ast.Name(text, ast.Load()), owner, steps + 1)
        case ast.Subscript(value=value, slice=inner) if _last(value) in _WRAPPERS:
            parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
            if _last(value) == "Union":
                parts = [p for p in parts if not _is_none(p)]
                if len(parts) != 1:
                    raise Refusal("this union has more than one shape.", (here,))
            return _record(work, source, parts[0], owner, steps + 1)
        case ast.BinOp(op=ast.BitOr()):
            sides = [s for s in (expr.left, expr.right) if not _is_none(s)]
            if len(sides) == 1:
                return _record(work, source, sides[0], owner, steps + 1)
            raise Refusal("this union has more than one shape.", (here,))
        case ast.Name() | ast.Attribute():
            found = work.lookup(source, expr, owner)
            if found:
                return _record(work, found[0], found[1], None, steps + 1)
    raise Refusal("no fields are written here that could be edited.", (here,))


def _is_json_schema(expr: ast.Dict) -> bool:
    for key, value in zip(expr.keys, expr.values, strict=True):
        if isinstance(key, ast.Constant) and key.value == "type":
            return isinstance(value, ast.Constant) and value.value in ("object", "array")
    return False


def _element(
    work: Workspace, source: Source, expr: ast.AST, owner: ast.ClassDef | None, steps: int = 0
) -> tuple[Source, ast.AST]:
    here = f"{source.path}:{getattr(expr, 'lineno', 0)}"
    if steps <= MAX_STEPS:
        match expr:
            case ast.List(elts=[one]):
                return source, one
            case ast.Subscript(value=value, slice=inner) if _last(value) in _LISTS:
                return source, inner.elts[0] if isinstance(inner, ast.Tuple) else inner
            case ast.Subscript(value=value, slice=inner) if _last(value) in _WRAPPERS:
                parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
                parts = [p for p in parts if not _is_none(p)]
                return _element(work, source, parts[0], owner, steps + 1)
            case ast.BinOp(op=ast.BitOr()):
                sides = [s for s in (expr.left, expr.right) if not _is_none(s)]
                if len(sides) == 1:
                    return _element(work, source, sides[0], owner, steps + 1)
            case ast.Name() | ast.Attribute():
                found = work.lookup(source, expr, owner)
                if found:
                    return _element(work, found[0], found[1], None, steps + 1)
    raise Refusal("there is no list of objects here.", (here,))


def _flavour(work: Workspace, source: Source, cls: ast.ClassDef, steps: int = 0) -> tuple[str, bool]:
    if any(_last(d.func if isinstance(d, ast.Call) else d) == "dataclass" for d in cls.decorator_list):
        return "dataclass", True
    total = not any(
        k.arg == "total" and isinstance(k.value, ast.Constant) and k.value.value is False for k in cls.keywords
    )
    for base in cls.bases:
        if _last(base) == "TypedDict":
            return "typeddict", total
        if _last(base) in ("BaseModel", "RootModel"):
            return "pydantic", True
        found = work.lookup(source, base)
        if found and isinstance(found[1], ast.ClassDef) and steps < MAX_STEPS:
            flavour, _ = _flavour(work, found[0], found[1], steps + 1)
            return flavour, total
    raise Refusal(
        f"the class {cls.name} is no TypedDict, dataclass or pydantic model.", (f"{source.path}:{cls.lineno}",)
    )


def _last(expr: ast.AST) -> str:
    match expr:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def _is_none(expr: ast.AST) -> bool:
    return isinstance(expr, ast.Constant) and expr.value is None


# ---- one field


def peel(value: ast.expr) -> tuple[ast.expr, bool | None, ast.Subscript | None]:
    """The plain type inside `Annotated[NotRequired[T], …]`, what it says of presence, and the node that says it."""
    said, by = None, None
    while isinstance(value, ast.Subscript) and _last(value.value) in ("NotRequired", "Required", "Annotated"):
        word = _last(value.value)
        if word != "Annotated":
            said, by = word == "NotRequired", value
        value = value.slice.elts[0] if isinstance(value.slice, ast.Tuple) else value.slice
    return value, said, by


def is_optional(record: Record, name: str) -> bool:
    """Whether a field may be left out."""
    key, value = record.fields()[name]
    if record.flavour in ("dataclass", "pydantic"):
        return isinstance(key, ast.AnnAssign) and key.value is not None
    said = peel(value)[1] if value is not None else None
    return said if said is not None else not record.total


def default_for(type_text: str) -> str | None:
    """The plain value that a type starts from; None where there is no obvious one."""
    tree = parse_type(type_text)
    tree = peel(tree)[0]
    if isinstance(tree, ast.Subscript):
        tree = tree.value if _last(tree.value) not in ("Literal", "Optional", "Union") else tree
    plain = {"str": '""', "int": "0", "float": "0.0", "bool": "False", "bytes": 'b""', "Any": "None", "object": "None"}
    made = {"list": "[]", "List": "[]", "dict": "{}", "Dict": "{}", "set": "set()", "tuple": "()", "Sequence": "()"}
    if isinstance(tree, ast.Dict):
        return "{}"
    if isinstance(tree, ast.List):
        return "[]"
    if accepts_none(tree):
        return "None"
    return {**plain, **made}.get(_last(tree))


def accepts_none(tree: ast.AST) -> bool:
    """Whether None is a value of a type, as far as its text tells."""
    match tree:
        case ast.Constant(value=None):
            return True
        case ast.Name(id="Any" | "object") | ast.Attribute(attr="Any"):
            return True
        case ast.BinOp(op=ast.BitOr()):
            return accepts_none(tree.left) or accepts_none(tree.right)
        case ast.Subscript(value=value, slice=inner) if _last(value) == "Optional":
            return True
        case ast.Subscript(value=value, slice=inner) if _last(value) in ("Union", "Literal"):
            return any(accepts_none(p) for p in (inner.elts if isinstance(inner, ast.Tuple) else [inner]))
    return False


def add(
    plan: Plan, record: Record, name: str, type_text: str, optional: bool, description: str | None, default: str | None
) -> bool:
    """Write a new field. False where it is there already, just so; Refusal where it is there differently."""
    source = record.source
    if name in record.fields():
        _, value = record.fields()[name]
        if value is not None and same(peel(value)[0], parse_type(type_text)) and is_optional(record, name) == optional:
            return False
        raise Refusal(
            f"the field {name!r} exists already, as {source.text(value) if value else '?'}; "
            "retype_field changes its type.",
            (record.place,),
        )
    written = plan.type_text(source, type_text)
    if description:
        written = f"{plan.name(source, 'Annotated')}[{written}, {quoted(description)}]"
    if record.flavour in ("dict", "typeddict"):
        if optional and record.total:
            written = f"{plan.name(source, 'NotRequired')}[{written}]"
        elif not optional and not record.total:
            written = f"{plan.name(source, 'Required')}[{written}]"
    if isinstance(record.node, ast.Dict):
        whole = entries(source, record.node)
        keys = [k for k in record.node.keys if isinstance(k, ast.Constant)]
        like = source.text(keys[0])[0] if keys else '"'
        plan.add(source, *whole.insert(len(whole.items), f"{quoted(name, like)}: {written}"))
        return True
    if not name.isidentifier():
        raise Refusal(f"{name!r} cannot be a field of a class.", (record.place,))
    value_text = ""
    if record.flavour in ("dataclass", "pydantic") and optional:
        value_text = f" = {_class_default(plan, record, type_text, default)}"
    elif record.flavour == "dataclass" and any(
        isinstance(s, ast.AnnAssign) and s.value is not None for s in record.node.body
    ):
        value_text = f" = {plan.imported(source, 'dataclasses', 'field')}(kw_only=True)"
    plan.add(source, append_statement(source, record.node, f"{name}: {written}{value_text}"))
    return True


def _class_default(plan: Plan, record: Record, type_text: str, default: str | None) -> str:
    given = default if default is not None else default_for(type_text)
    if given is None:
        raise Refusal(f"{type_text} has no plain default; give the operation a `default`.", (record.place,))
    if record.flavour == "dataclass" and given in ("[]", "{}", "set()"):
        maker = {"[]": "list", "{}": "dict", "set()": "set"}[given]
        return f"{plan.imported(record.source, 'dataclasses', 'field')}(default_factory={maker})"
    return given


def append_statement(source: Source, cls: ast.ClassDef, text: str) -> Edit:
    """Put a line after the fields of a class."""
    fields = [s for s in cls.body if isinstance(s, ast.AnnAssign)]
    docs = [s for s in cls.body[:1] if isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant)]
    after = (fields or docs or cls.body)[-1] if fields or docs else cls.body[-1]
    start, end = source.span(after)
    if not source.begins_line(start) or b";" in source.data[end : source.line_end(end)].split(b"#")[0]:
        return Edit(end, end, f"; {text}".encode())
    line_end = source.line_end(end)
    return Edit(line_end, line_end, source.newline(end) + source.indent(start) + text.encode())


def remove(plan: Plan, record: Record, name: str) -> None:
    """Take a field out."""
    source = record.source
    key, _ = record.fields()[name]
    if isinstance(record.node, ast.Dict):
        whole = entries(source, record.node)
        plan.add(source, *whole.remove(whole.index(source.span(key)[0])))
        return
    plan.add(source, remove_statement(source, record.node.body, key))


def remove_statement(source: Source, block: list[ast.stmt], node: ast.AST) -> Edit:
    """Take a statement out of its block, with its line; `pass` where it was the last one."""
    start, end = source.span(node)
    if len(block) == 1:
        return Edit(start, end, b"pass")
    before = source.data[source.line_start(start) : start]
    rest = source.data[end : source.line_end(end)]
    if not before.strip(b" \t\f") and b";" not in rest.split(b"#")[0]:
        if source.line_end(end) == len(source.data):  # the last line, without a line end: take the one before
            previous = source.line_start(start)
            cut = previous - len(source.newline(previous - 1)) if previous else 0
            return Edit(cut, len(source.data), b"")
        return Edit(source.line_start(start), source.next_line(end), b"")
    index = next(i for i, s in enumerate(block) if s is node)
    if index + 1 < len(block) and source.line(source.span(block[index + 1])[0]) == source.line(end):
        return Edit(start, source.span(block[index + 1])[0], b"")
    return Edit(source.span(block[index - 1])[1], end, b"")


def retype(plan: Plan, record: Record, name: str, type_text: str) -> bool:
    """Write another type, leaving what it says of presence and description. False where it says so already."""
    _, value = record.fields()[name]
    if value is None:
        raise Refusal(f"the field {name!r} has no type.", (record.place,))
    inner, _, _ = peel(value)
    if same(inner, parse_type(type_text)):
        return False
    plan.replace(record.source, inner, plan.type_text(record.source, type_text))
    return True


def set_optional(plan: Plan, record: Record, name: str, optional: bool, default: str | None) -> bool:
    """Say that a field may be left out, or must be there. False where it is so already."""
    source = record.source
    key, value = record.fields()[name]
    if is_optional(record, name) == optional:
        return False
    if isinstance(key, ast.AnnAssign) and record.flavour in ("dataclass", "pydantic"):
        _, end = source.span(key.annotation)
        if optional:
            statements = record.node.body if isinstance(record.node, ast.ClassDef) else []
            later = statements[statements.index(key) + 1 :]
            given = _class_default(plan, record, source.text(peel(key.annotation)[0]), default)
            if record.flavour == "dataclass" and any(isinstance(s, ast.AnnAssign) and s.value is None for s in later):
                word = plan.imported(source, "dataclasses", "field")
                given = (
                    f"{word}(default={given}, kw_only=True)"
                    if not given.startswith(word)
                    else f"{given[:-1]}, kw_only=True)"
                )
            close = source.span(key)[1]
            plan.add(source, Edit(close, close, f" = {given}".encode()))
        else:
            plan.add(source, Edit(end, source.span(key)[1], b""))
        return True
    assert value is not None
    _, said, by = peel(value)
    if by is not None and said is not None:
        if optional == (not record.total):  # what the record says anyway: the word goes
            (start, end), (first, last) = source.span(by), source.span(by.slice)
            plan.add(source, Edit(start, first, b""), Edit(last, end, b""))
            return True
        plan.replace(source, by.value, plan.name(source, "NotRequired" if optional else "Required"))
        return True
    start, end = source.span(value)
    word = plan.name(source, "NotRequired" if optional else "Required")
    plan.add(source, Edit(start, start, f"{word}[".encode()), Edit(end, end, b"]"))
    return True


def rename(plan: Plan, record: Record, name: str, to: str) -> None:
    """Write another name."""
    source = record.source
    key, _ = record.fields()[name]
    if to in record.fields():
        raise Refusal(f"there is a field {to!r} already.", (record.place,))
    if isinstance(key, ast.AnnAssign):
        if not to.isidentifier():
            raise Refusal(f"{to!r} cannot be a field of a class.", (record.place,))
        plan.replace(source, key.target, to)
    else:
        plan.replace(source, key, respell(source, key, to))


def respell(source: Source, literal: ast.AST, text: str) -> str:
    """A string literal with other text and the quotes that it has."""
    written = source.text(literal)
    return quoted(text, '"' if written.lstrip("rRuUbBfF").startswith('"') else "'")


def entries(source: Source, node: ast.Dict) -> Group:
    """The entries of a dict literal."""
    start, end = source.span(node)
    return group(source, start, end)
