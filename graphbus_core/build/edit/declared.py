"""One field where its contract declares it: add it, remove it, give it another type, presence or name.

What the code around does with the field is not known here. Where the contract is a method's hinted parameters, the
parameter is the field: `signature` writes it, and nothing is left to write here.
"""

from __future__ import annotations

import ast

from graphbus_core.build.confine.outcome import Refusal
from graphbus_core.build.edit.records import Parameters, RecordDefinition
from graphbus_core.build.edit.text.edit_plan import EditPlan, parse_type, quoted, same
from graphbus_core.build.edit.text.groups import Group, group
from graphbus_core.build.edit.text.source import Edit, Source
from graphbus_core.build.edit.text.statements import append_field, remove_statement
from graphbus_core.build.edit.type_text import default_for, peel


def is_optional(record: RecordDefinition, name: str) -> bool:
    """Whether a field may be left out."""
    key, value = record.fields()[name]
    if isinstance(record.node, Parameters):
        return name in record.node.defaults
    if record.flavour in ("dataclass", "pydantic"):
        return isinstance(key, ast.AnnAssign) and key.value is not None
    said = peel(value)[1] if value is not None else None
    return said if said is not None else not record.total


def add(
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
    if name in record.fields():
        _, value = record.fields()[name]
        if value is not None and same(peel(value)[0], parse_type(type_text)) and is_optional(record, name) == optional:
            return False
        raise Refusal(
            f"the field {name!r} exists already, as {source.text(value) if value else '?'}; "
            "retype_field changes its type.",
            (record.place,),
        )
    if isinstance(record.node, Parameters):
        return True
    written = _declared_type(plan, record, type_text, optional, description)
    if isinstance(record.node, ast.Dict):
        whole = entries(source, record.node)
        keys = [k for k in record.node.keys if isinstance(k, ast.Constant)]
        like = source.text(keys[0])[0] if keys else '"'
        plan.add(source, *whole.insert(len(whole.items), f"{quoted(name, like)}: {written}"))
        return True
    if not name.isidentifier():
        raise Refusal(f"{name!r} cannot be a field of a class.", (record.place,))
    start = ""
    if record.flavour in ("dataclass", "pydantic") and optional:
        start = f" = {_class_default(plan, record, type_text, default)}"
    elif record.flavour == "dataclass" and _has_defaults(record.node):
        start = f" = {plan.imported(source, 'dataclasses', 'field')}(kw_only=True)"
    plan.add(source, append_field(source, record.node, f"{name}: {written}{start}"))
    return True


def _declared_type(
    plan: EditPlan, record: RecordDefinition, type_text: str, optional: bool, description: str | None
) -> str:
    """The type as the record's file writes it; a word on presence only where the record does not say it anyway."""
    said = record.flavour in ("dict", "typeddict") and optional == record.total
    word = ("NotRequired" if optional else "Required") if said else None
    return typed(plan, record.source, type_text, description, word)


def typed(plan: EditPlan, source: Source, type_text: str, description: str | None, word: str | None) -> str:
    """A type as it is written in a file, with its description and a word on presence."""
    written = plan.type_text(source, type_text)
    if description:
        written = f"{plan.name(source, 'Annotated')}[{written}, {quoted(description)}]"
    return f"{plan.name(source, word)}[{written}]" if word else written


def _has_defaults(cls: ast.ClassDef) -> bool:
    """A dataclass refuses a field without a default behind one that has it, unless the new one is keyword-only."""
    return any(isinstance(s, ast.AnnAssign) and s.value is not None for s in cls.body)


def _class_default(plan: EditPlan, record: RecordDefinition, type_text: str, default: str | None) -> str:
    given = default if default is not None else default_for(type_text)
    if given is None:
        raise Refusal(f"{type_text} has no plain default; give the operation a `default`.", (record.place,))
    if record.flavour == "dataclass" and given in ("[]", "{}", "set()"):
        maker = {"[]": "list", "{}": "dict", "set()": "set"}[given]
        return f"{plan.imported(record.source, 'dataclasses', 'field')}(default_factory={maker})"
    return given


def remove(plan: EditPlan, record: RecordDefinition, name: str) -> None:
    """Take a field out."""
    source = record.source
    key, _ = record.fields()[name]
    if isinstance(record.node, Parameters):
        return
    if isinstance(record.node, ast.Dict):
        whole = entries(source, record.node)
        plan.add(source, *whole.remove(whole.index(source.span(key)[0])))
        return
    plan.add(source, remove_statement(source, record.node.body, key))


def retype(plan: EditPlan, record: RecordDefinition, name: str, type_text: str) -> bool:
    """Write another type, leaving what it says of presence and description. False where it says so already."""
    _, value = record.fields()[name]
    if value is None:
        raise Refusal(f"the field {name!r} has no type.", (record.place,))
    inner, _, _ = peel(value)
    if same(inner, parse_type(type_text)):
        return False
    plan.replace(record.source, inner, plan.type_text(record.source, type_text))
    return True


def set_optional(plan: EditPlan, record: RecordDefinition, name: str, optional: bool, default: str | None) -> bool:
    """Say that a field may be left out, or must be there. False where it is so already."""
    source = record.source
    key, value = record.fields()[name]
    if is_optional(record, name) == optional:
        return False
    if isinstance(record.node, Parameters):
        return True
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


def rename(plan: EditPlan, record: RecordDefinition, name: str, to: str) -> None:
    """Write another name."""
    source = record.source
    key, _ = record.fields()[name]
    if to in record.fields():
        raise Refusal(f"there is a field {to!r} already.", (record.place,))
    if isinstance(record.node, Parameters):
        return
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
