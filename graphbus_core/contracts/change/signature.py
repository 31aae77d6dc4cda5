"""Signatures as part of the promise: what changed in how a method is called, and its two contracts with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from graphbus_core.contracts.change.changes import changes
from graphbus_core.contracts.change.kinds import INPUT, OUTPUT, Change, Together, Undecided
from graphbus_core.model.schema import Parameter, SchemaMethod

# `*args` and `**kwargs` have no name that a caller could pass.
VARIADIC = ("var_positional", "var_keyword")


@dataclass(frozen=True, slots=True, kw_only=True)
class ParameterAdded(Change):
    """A parameter that was not there. Without a default, it breaks every call."""

    suggests: ClassVar[str | None] = "give {path} a default"

    @property
    def message(self) -> str:
        return f"parameter {self.path} was added ({'without' if self.breaks else 'with'} a default)"


@dataclass(frozen=True, slots=True, kw_only=True)
class ParameterRemoved(Change):
    """A parameter that is gone. Who passes it fails."""

    says: ClassVar[str] = "parameter {path} was removed"
    suggests: ClassVar[str | None] = "keep {path} with a default, and ignore it"


@dataclass(frozen=True, slots=True, kw_only=True)
class ParameterMadeRequired(Change):
    """A default that is gone. Who relied on it fails."""

    says: ClassVar[str] = "parameter {path} lost its default {before}"
    suggests: ClassVar[str | None] = "keep the default {before}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ParameterMadeOptional(Change):
    """A parameter that has a default now."""

    says: ClassVar[str] = "parameter {path} got the default {after}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ParameterKindChanged(Change):
    """A parameter that is passed in another way. Calls on the bus are by name: only `/` breaks them."""

    says: ClassVar[str] = "parameter {path} changed from {before} to {after}"
    suggests: ClassVar[str | None] = "leave {path} {before}"


@dataclass(frozen=True, slots=True, kw_only=True)
class DefaultChanged(Change):
    """Another default. No call fails for it; what it does may differ."""

    says: ClassVar[str] = "the default of parameter {path} changed from {before} to {after}"


def signature_changes(old: Sequence[Parameter], new: Sequence[Parameter]) -> tuple[Change, ...]:
    """What changed for who calls the method by name, in the order of the parameters."""
    return tuple(_changes(old, new))


def _changes(old: Sequence[Parameter], new: Sequence[Parameter]) -> Iterator[Change]:
    before = {p.name: p for p in old if p.kind not in VARIADIC}
    after = {p.name: p for p in new if p.kind not in VARIADIC}
    # With `**kwargs` a call that still passes the old name goes through.
    anything = any(p.kind == "var_keyword" for p in new)
    broken = frozenset([INPUT])
    for name in dict.fromkeys([*before, *after]):
        was, now = before.get(name), after.get(name)
        if was is None and now is not None:
            yield ParameterAdded(path=name, after=now.annotation, breaks=broken if now.default is None else frozenset())
        elif now is None and was is not None:
            yield ParameterRemoved(path=name, before=was.annotation, breaks=frozenset() if anything else broken)
        elif was is not None and now is not None:
            yield from _of_one(was, now)


def _of_one(was: Parameter, now: Parameter) -> Iterator[Change]:
    name, broken = was.name, frozenset([INPUT])
    if was.default is not None and now.default is None:
        yield ParameterMadeRequired(path=name, before=was.default, breaks=broken)
    elif was.default is None and now.default is not None:
        yield ParameterMadeOptional(path=name, after=now.default)
    elif was.default != now.default:
        yield DefaultChanged(path=name, before=was.default, after=now.default)
    if was.kind != now.kind:
        # Calls on the bus are by name, so only what can no longer be passed by name breaks them.
        breaks = broken if now.kind == "positional_only" else frozenset()
        yield ParameterKindChanged(path=name, before=was.kind, after=now.kind, breaks=breaks)


def method_changes(old: SchemaMethod, new: SchemaMethod, *, reading: str = "link") -> tuple[Change, ...]:
    """Everything that changed in the promise of a method: `input.`, `output.` and parameters.

    `breaks` of a contract change names only the side that it stands on: an input that widens breaks nobody.
    """
    found: list[Change] = []
    for side, was, now in (
        (INPUT, old.input_schema, new.input_schema),
        (OUTPUT, old.output_schema, new.output_schema),
    ):
        if was is None or now is None:
            if was is not now:
                gone = now is None
                found.append(ContractDeclared(path=side, before=_declared(not gone), after=_declared(gone)))
            continue
        for change in changes(was.json_schema, now.json_schema, reading=reading):
            here = f"{side}.{change.path}" if change.path else side
            payloads = {s: p for s, p in change.payloads.items() if s == side}
            mine: dict[str, Any] = {
                "breaks": change.breaks & {side},
                "uncertain": change.uncertain & {side},
                "payloads": payloads,
            }
            # It speaks of the other side of the method, which is judged by its own contract.
            if isinstance(change, Together | Undecided) and not (mine["breaks"] or mine["uncertain"]):
                continue  # it speaks of the other side alone
            found.append(replace(change, path=here, **mine))
    return (*found, *signature_changes(old.parameters, new.parameters))


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractDeclared(Change):
    """A side of a method that is declared now and was not, or the other way round. Nothing could be checked before."""

    says: ClassVar[str] = "the {path} contract was {before} and is {after}"


def _declared(missing: bool) -> str:
    return "not declared" if missing else "declared"
