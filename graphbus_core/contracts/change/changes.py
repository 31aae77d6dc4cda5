"""What changed between two versions of a contract, change by change, and for whom each breaks.

A producer's output narrows safely; a consumer's input widens safely. So a change breaks on the *output* side where the
new contract may send what the old one did not, and on the *input* side where the new contract rejects what the old one
took. Both are decided by `check`, so a change is judged by the same proof as a link.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from graphbus_core.contracts.check import check
from graphbus_core.contracts.reading.contract import Contract, _same
from graphbus_core.contracts.reading.wording import annotation

INPUT, OUTPUT = "input", "output"
MAX_DEPTH = 20
_SILENT = ("description", "title", "examples", "default", "deprecated")


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One difference. `breaks` names the sides (`input`, `output`) on which it breaks a peer that relied on the old.

    `uncertain` names the sides on which the proof gave up; they count as breaking.
    """

    kind: ClassVar[str] = "change"
    path: str
    before: str | None = None
    after: str | None = None
    breaks: frozenset[str] = frozenset()
    uncertain: frozenset[str] = frozenset()

    @property
    def message(self) -> str:
        """One sentence for a person."""
        return f"{self.path or 'the contract'} changed"

    @property
    def suggestion(self) -> str | None:
        """A form of this change that breaks nobody, or None where there is none or none is needed."""
        return None

    @property
    def breaking(self) -> bool:
        """Whether it breaks on either side."""
        return bool(self.breaks)

    def to_dict(self) -> dict[str, Any]:
        """JSON form."""
        return {
            "kind": self.kind,
            "path": self.path,
            "before": self.before,
            "after": self.after,
            "breaks": sorted(self.breaks),
            "message": self.message,
            "suggestion": self.suggestion if self.breaks else None,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldAdded(Change):
    """A field that was not there. Required, it breaks an input: old producers do not send it."""

    kind: ClassVar[str] = "field_added"
    required: bool = True

    @property
    def message(self) -> str:
        return f"{self.path} was added ({'required' if self.required else 'optional'}, {self.after})"

    @property
    def suggestion(self) -> str | None:
        return f"add {self.path} as NotRequired[{self.after}]"


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldRemoved(Change):
    """A field that is gone. If it was required, it breaks an output: old consumers wait for it."""

    kind: ClassVar[str] = "field_removed"
    required: bool = True

    @property
    def message(self) -> str:
        return f"{self.path} was removed (it was {'required' if self.required else 'optional'}, {self.before})"

    @property
    def suggestion(self) -> str | None:
        return f"keep {self.path} until its consumers have made it optional"


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldRetyped(Change):
    """A field with another type or other limits. Wider breaks an output, narrower an input, different both."""

    kind: ClassVar[str] = "field_retyped"

    @property
    def message(self) -> str:
        how = {
            frozenset(): "keeps its meaning",
            frozenset({INPUT}): "became narrower",
            frozenset({OUTPUT}): "became wider",
        }.get(self.breaks, "became something else")
        return f"{self.path or 'the contract'} {how}: {self.before} → {self.after}"

    @property
    def suggestion(self) -> str | None:
        name = self.path or "the contract"
        if self.breaks == {INPUT}:
            return f"keep {name} as {self.before} on the input; narrow it on outputs only"
        if self.breaks == {OUTPUT}:
            return f"keep {name} as {self.before} on the output; widen it on inputs only"
        return f"add a new optional field of type {self.after} beside {name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeRequired(Change):
    """An optional field that must now be there. It breaks an input."""

    kind: ClassVar[str] = "made_required"

    @property
    def message(self) -> str:
        return f"{self.path} became required"

    @property
    def suggestion(self) -> str | None:
        return f"leave {self.path} optional, with a default"


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeOptional(Change):
    """A required field that may now be missing. It breaks an output."""

    kind: ClassVar[str] = "made_optional"

    @property
    def message(self) -> str:
        return f"{self.path} became optional"

    @property
    def suggestion(self) -> str | None:
        return f"keep sending {self.path} always"


@dataclass(frozen=True, slots=True, kw_only=True)
class Redescribed(Change):
    """Another description; no value is taken or refused for it."""

    kind: ClassVar[str] = "redescribed"

    @property
    def message(self) -> str:
        return f"{self.path or 'the contract'} is described differently"


def changes(old: Contract | Mapping[str, Any], new: Contract | Mapping[str, Any]) -> tuple[Change, ...]:
    """Every change from `old` to `new`, outermost first, in the order of the fields."""
    before = old if isinstance(old, Contract) else Contract.from_json_schema(old)
    after = new if isinstance(new, Contract) else Contract.from_json_schema(new)
    documents = (before.to_json_schema(), after.to_json_schema())
    found = tuple(_changes(*documents, "", documents, 0))
    return found if _same(*documents) else (*found, *_together(before, after, found))


def _together(before: Contract, after: Contract, found: tuple[Change, ...]) -> Iterator[Change]:
    """What no field says by itself: a field that goes where further fields are allowed becomes one of those."""
    told = frozenset().union(*(c.breaks for c in found))
    sides = ((INPUT, before, after), (OUTPUT, after, before))
    missed = [side for side, sent, taken in sides if side not in told and check(sent, taken).compatible is False]
    if missed:
        texts = (annotation(before.to_json_schema()), annotation(after.to_json_schema()))
        yield FieldRetyped(path="", before=texts[0], after=texts[1], breaks=frozenset(missed))


def _changes(old: Any, new: Any, path: str, documents: tuple[Any, Any], depth: int) -> Iterator[Change]:
    if _same(_bare(old), _bare(new)) and _same(documents[0].get("$defs"), documents[1].get("$defs")):
        if _said(old) != _said(new):
            yield Redescribed(path=path, before=_said(old), after=_said(new))
        return
    old_fields, new_fields = _fields(old), _fields(new)
    if old_fields is not None and new_fields is not None and depth < MAX_DEPTH:
        yield from _field_changes(old, new, old_fields, new_fields, path, documents, depth)
        rest = (_bare(old, "properties", "required"), _bare(new, "properties", "required"))
        if not _same(*rest):
            yield from _retyped(old, new, path, documents)
        return
    inner = (_items(old), _items(new))
    if (
        inner[0] is not None
        and inner[1] is not None
        and depth < MAX_DEPTH
        and _same(_bare(old, "items"), _bare(new, "items"))
    ):
        yield from _changes(*inner, f"{path}[]", documents, depth + 1)
        return
    yield from _retyped(old, new, path, documents)


def _field_changes(
    old: Any,
    new: Any,
    old_fields: Mapping[str, Any],
    new_fields: Mapping[str, Any],
    path: str,
    documents: tuple[Any, Any],
    depth: int,
) -> Iterator[Change]:
    needed_before, needed_after = _required(old), _required(new)
    for name in dict.fromkeys([*old_fields, *new_fields]):
        here = f"{path}.{name}" if path else name
        if name not in new_fields:
            required = name in needed_before
            gone = required and name not in needed_after
            yield FieldRemoved(
                path=here,
                before=annotation(old_fields[name]),
                required=required,
                breaks=frozenset([OUTPUT] if gone else []),
            )
            continue
        if name not in old_fields:
            required = name in needed_after
            yield FieldAdded(
                path=here,
                after=annotation(new_fields[name]),
                required=required,
                breaks=frozenset([INPUT] if required and name not in needed_before else []),
            )
            continue
        if name in needed_after and name not in needed_before:
            yield MadeRequired(path=here, breaks=frozenset([INPUT]))
        if name in needed_before and name not in needed_after:
            yield MadeOptional(path=here, breaks=frozenset([OUTPUT]))
        yield from _changes(old_fields[name], new_fields[name], here, documents, depth + 1)
    # A name may be required that no field declares: whoever closes the object can then send nothing at all.
    here = f"{path}." if path else ""
    for name in sorted(needed_after - needed_before - set(new_fields)):
        yield MadeRequired(path=here + name, breaks=frozenset([INPUT]))
    for name in sorted(needed_before - needed_after - set(old_fields)):
        yield MadeOptional(path=here + name, breaks=frozenset([OUTPUT]))


def _retyped(old: Any, new: Any, path: str, documents: tuple[Any, Any]) -> Iterator[Change]:
    before, after = _whole(old, documents[0]), _whole(new, documents[1])
    taken, sent = check(before, after).compatible, check(after, before).compatible
    breaks = [INPUT] * (taken is not True) + [OUTPUT] * (sent is not True)
    uncertain = [INPUT] * (taken is None) + [OUTPUT] * (sent is None)
    texts = (annotation(old), annotation(new))
    if taken and sent and texts[0] == texts[1]:
        return
    yield FieldRetyped(
        path=path, before=texts[0], after=texts[1], breaks=frozenset(breaks), uncertain=frozenset(uncertain)
    )


def _whole(schema: Any, document: Any) -> Contract:
    """A part of a contract as a contract of its own, with the definitions that it refers to."""
    if not isinstance(schema, dict):
        return Contract(schema if isinstance(schema, bool) else {})
    definitions = document.get("$defs")
    return Contract({**schema, "$defs": definitions} if definitions and schema is not document else schema)


def _fields(schema: Any) -> Mapping[str, Any] | None:
    if not isinstance(schema, dict) or "properties" not in schema:
        return None
    fields = schema["properties"]
    return fields if isinstance(fields, dict) else None


def _required(schema: Mapping[str, Any]) -> set[str]:
    names = schema.get("required", ())
    return {n for n in names if isinstance(n, str)} if isinstance(names, list | tuple) else set()


def _items(schema: Any) -> Any:
    return schema.get("items") if isinstance(schema, dict) and isinstance(schema.get("items"), dict) else None


def _bare(schema: Any, *without: str) -> Any:
    if not isinstance(schema, dict):
        return schema
    return {k: v for k, v in schema.items() if k not in _SILENT and k not in without and k != "$defs"}


def _said(schema: Any) -> str | None:
    return schema.get("description") if isinstance(schema, dict) else None
