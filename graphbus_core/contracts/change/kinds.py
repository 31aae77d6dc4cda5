"""The kinds of changes between two versions of a contract, in words.

A producer's output narrows safely; a consumer's input widens safely. So a change breaks on the *output* side where the
new contract may send what the old one did not, and on the *input* side where the new contract rejects what the old one
took.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from graphbus_core.model.word import word_of

INPUT, OUTPUT = "input", "output"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One difference. `breaks` names the sides (`input`, `output`) on which it breaks a peer that relied on the old.

    `uncertain` names the sides on which the proof gave up: nothing is claimed there, and who must be sure counts them
    (`may_break`). `payloads` has what proves each side that breaks; a side without one is not proven by itself.
    `pointers` are the places in the old and in the new document.
    """

    kind: ClassVar[str] = "change"
    # Its sentence, and a form of it that breaks nobody. `{where}` is the path, or the contract itself.
    says: ClassVar[str] = "{where} changed"
    suggests: ClassVar[str | None] = None
    path: str
    before: str | None = None
    after: str | None = None
    breaks: frozenset[str] = frozenset()
    uncertain: frozenset[str] = frozenset()
    payloads: Mapping[str, Any] = field(default_factory=dict, hash=False)
    pointers: tuple[str, str] = ("", "")

    def __init_subclass__(cls) -> None:
        cls.kind = word_of(cls)

    @property
    def message(self) -> str:
        """One sentence for a person."""
        return self._worded(self.says)

    @property
    def suggestion(self) -> str | None:
        """A form of this change that breaks nobody, or None where there is none or none is needed."""
        return None if self.suggests is None else self._worded(self.suggests)

    def _worded(self, text: str) -> str:
        where = self.path or "the contract"
        return text.format(where=where, path=self.path, before=self.before, after=self.after)

    @property
    def breaking(self) -> bool:
        """Whether it breaks on either side, or may."""
        return bool(self.may_break)

    # Who must be sure counts what nobody could decide as a break. What is printed as proven is `breaks` alone.
    @property
    def may_break(self) -> frozenset[str]:
        """The sides on which it breaks, and those on which that was not decided."""
        return self.breaks | self.uncertain

    def to_dict(self) -> dict[str, Any]:
        """JSON form."""
        return {
            "kind": self.kind,
            "path": self.path,
            "before": self.before,
            "after": self.after,
            "breaks": sorted(self.breaks),
            "uncertain": sorted(self.uncertain),
            "payloads": dict(self.payloads),
            "pointers": list(self.pointers),
            "message": self.message,
            # A suggestion only where it breaks. Beside a harmless change it would read as an order.
            "suggestion": self.suggestion if self.breaks else None,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldAdded(Change):
    """A field that was not there. Required, it breaks an input: old producers do not send it."""

    suggests: ClassVar[str | None] = "add {path} as NotRequired[{after}]"
    required: bool = True

    @property
    def message(self) -> str:
        return f"{self.path} was added ({'required' if self.required else 'optional'}, {self.after})"


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldRemoved(Change):
    """A field that is gone. If it was required, it breaks an output: old consumers wait for it."""

    suggests: ClassVar[str | None] = "keep {path} until its consumers have made it optional"
    required: bool = True

    @property
    def message(self) -> str:
        return f"{self.path} was removed (it was {'required' if self.required else 'optional'}, {self.before})"


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldRetyped(Change):
    """A field with another type or other limits. Wider breaks an output, narrower an input, different both.

    `gone` and `come` are the values that an enumeration lost and got, in words; empty where no enumeration changed.
    """

    gone: str = ""
    come: str = ""

    @property
    def message(self) -> str:
        if self.gone or self.come:
            said = [f"{values} {verb}" for values, verb in ((self.gone, "gone"), (self.come, "new")) if values]
            return f"the values of {self.path or 'the contract'} changed: {', '.join(said)}"
        how = {
            # By the side that it breaks: narrower harms who sends to it, wider harms who reads from it, and both is
            # another type.
            frozenset(): "changed" if self.uncertain else "keeps its meaning",
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

    says: ClassVar[str] = "{path} became required"
    suggests: ClassVar[str | None] = "leave {path} optional, with a default"


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeOptional(Change):
    """A required field that may now be missing. It breaks an output."""

    says: ClassVar[str] = "{path} became optional"
    suggests: ClassVar[str | None] = "keep sending {path} always"


@dataclass(frozen=True, slots=True, kw_only=True)
class Redescribed(Change):
    """Another description; no value is taken or refused for it."""

    says: ClassVar[str] = "{where} is described differently"


@dataclass(frozen=True, slots=True, kw_only=True)
class BranchAdded(Change):
    """A further alternative of a union. It breaks an output: old consumers do not know it."""

    says: ClassVar[str] = "{where} may also be {after}"
    suggests: ClassVar[str | None] = "send {after} only once every consumer of {where} takes it"


@dataclass(frozen=True, slots=True, kw_only=True)
class BranchRemoved(Change):
    """An alternative of a union that is gone. It breaks an input."""

    says: ClassVar[str] = "{where} may no longer be {before}"
    suggests: ClassVar[str | None] = "go on taking {before} until nobody sends it"


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotationChanged(Change):
    """Another default, title, example or deprecation; no value is taken or refused for it."""

    keyword: str = ""

    @property
    def message(self) -> str:
        where = self.path or "the contract"
        if self.keyword == "deprecated":
            return f"{where} is {'deprecated now' if self.after == 'true' else 'no longer deprecated'}"
        if self.before is None or self.after is None:
            return f"{where} has {'a' if self.before is None else 'no'} {self.keyword} now"
        return f"the {self.keyword} of {where} changed from {self.before} to {self.after}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Together(Change):
    """What no line breaks by itself: several changes, or the further fields of an object, break it together."""

    @property
    def message(self) -> str:
        return f"the changes break the {' and the '.join(sorted(self.breaks))} together, none of them by itself"


@dataclass(frozen=True, slots=True, kw_only=True)
class Undecided(Change):
    """Whether the versions fit on a side was not decided; nothing is claimed."""

    reason: str = ""

    @property
    def message(self) -> str:
        return f"whether the {' and the '.join(sorted(self.uncertain))} still fits was not decided: {self.reason}"
