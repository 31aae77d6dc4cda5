"""What changed between two versions of a contract, line by line, and whom each line breaks.

The law, under one reading: where the versions fit on a side, no line breaks it; where they do not, at least one line
does, and a payload proves it; where that was not decided, nothing is claimed. What breaks only together is one line.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, ClassVar

from graphbus_core.contracts.diff.proof import FITS, Answer, Prover
from graphbus_core.contracts.diff.versions import SchemaView, VersionPair
from graphbus_core.contracts.diff.walk import Around, Difference, VersionWalk
from graphbus_core.contracts.parsing import contract
from graphbus_core.contracts.parsing.contract import Contract
from graphbus_core.contracts.parsing.json_schema import Place, is_same_json, render_pointer
from graphbus_core.contracts.parsing.type_forms import annotation, render_short
from graphbus_core.contracts.parsing.unions import read_unions, unwrap_branch
from graphbus_core.contracts.verdict import NOTHING
from graphbus_core.model.schema import Parameter, SchemaMethod
from graphbus_core.text import join_few, shorten

# The kinds of changes between two versions of a contract, in words.
#
# A producer's output narrows safely; a consumer's input widens safely. So a change breaks on the *output* side where
# the new contract may send what the old one did not, and on the *input* side where the new contract rejects what the
# old
# one took.


INPUT, OUTPUT = "input", "output"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One difference. `breaks` names the sides (`input`, `output`) on which it breaks a peer that relied on the old.

    `uncertain` names the sides on which the proof gave up: nothing is claimed there, and who must be sure counts them
    (`may_break`); `doubts` says why, by side. `payloads` has what proves each side that breaks; a side without one is
    not proven by itself. `pointers` are the places in the old and in the new document.
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
    doubts: Mapping[str, str] = field(default_factory=dict, hash=False)
    payloads: Mapping[str, Any] = field(default_factory=dict, hash=False)
    pointers: tuple[str, str] = ("", "")

    def __init_subclass__(cls, *, kind: str | None = None) -> None:
        if kind is not None:
            cls.kind = kind
        elif "kind" not in vars(cls):  # `slots` makes every class a second time from its own names
            raise TypeError(f'{cls.__name__} says no kind: write `class {cls.__name__}(…, kind="…")`.')

    @property
    def message(self) -> str:
        """One sentence for a person."""
        return self._format_text(self.says)

    @property
    def suggestion(self) -> str | None:
        """A form of this change that breaks nobody, or None where there is none or none is needed."""
        return None if self.suggests is None else self._format_text(self.suggests)

    def _format_text(self, text: str) -> str:
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
class FieldAdded(Change, kind="field_added"):
    """A field that was not there. Required, it breaks an input: old producers do not send it."""

    suggests: ClassVar[str | None] = "add {path} as NotRequired[{after}]"
    required: bool = True

    @property
    def message(self) -> str:
        return f"{self.path} was added ({'required' if self.required else 'optional'}, {self.after})"


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldRemoved(Change, kind="field_removed"):
    """A field that is gone. If it was required, it breaks an output: old consumers wait for it."""

    suggests: ClassVar[str | None] = "keep {path} until its consumers have made it optional"
    required: bool = True

    @property
    def message(self) -> str:
        return f"{self.path} was removed (it was {'required' if self.required else 'optional'}, {self.before})"


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldRetyped(Change, kind="field_retyped"):
    """A field with another type or other limits. Wider breaks an output, narrower an input, different both.

    `gone` and `come` are the values that an enumeration lost and got, in words; empty where no enumeration changed.
    """

    gone: str = ""
    come: str = ""

    @property
    def message(self) -> str:
        if self.gone or self.come:
            sentences = [f"{values} {verb}" for values, verb in ((self.gone, "gone"), (self.come, "new")) if values]
            return f"the values of {self.path or 'the contract'} changed: {', '.join(sentences)}"
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
class MadeRequired(Change, kind="made_required"):
    """An optional field that must now be there. It breaks an input."""

    says: ClassVar[str] = "{path} became required"
    suggests: ClassVar[str | None] = "leave {path} optional, with a default"


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeOptional(Change, kind="made_optional"):
    """A required field that may now be missing. It breaks an output."""

    says: ClassVar[str] = "{path} became optional"
    suggests: ClassVar[str | None] = "keep sending {path} always"


@dataclass(frozen=True, slots=True, kw_only=True)
class Redescribed(Change, kind="redescribed"):
    """Another description; no value is taken or refused for it."""

    says: ClassVar[str] = "{where} is described differently"


@dataclass(frozen=True, slots=True, kw_only=True)
class BranchAdded(Change, kind="branch_added"):
    """A further alternative of a union. It breaks an output: old consumers do not know it."""

    says: ClassVar[str] = "{where} may also be {after}"
    suggests: ClassVar[str | None] = "send {after} only once every consumer of {where} takes it"


@dataclass(frozen=True, slots=True, kw_only=True)
class BranchRemoved(Change, kind="branch_removed"):
    """An alternative of a union that is gone. It breaks an input."""

    says: ClassVar[str] = "{where} may no longer be {before}"
    suggests: ClassVar[str | None] = "go on taking {before} until nobody sends it"


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotationChanged(Change, kind="annotation_changed"):
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
class Together(Change, kind="together"):
    """What no line breaks by itself: several changes, or the further fields of an object, break it together."""

    @property
    def message(self) -> str:
        return f"the changes break the {' and the '.join(sorted(self.breaks))} together, none of them by itself"


@dataclass(frozen=True, slots=True, kw_only=True)
class Undecided(Change, kind="undecided"):
    """Whether the versions fit on a side was not decided; nothing is claimed."""

    reason: str = ""

    @property
    def message(self) -> str:
        return f"whether the {' and the '.join(sorted(self.uncertain))} still fits was not decided: {self.reason}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unsatisfiable(Change, kind="unsatisfiable"):
    """No value fulfils a place that changed: nothing is sent there, so that nothing shows what the change breaks."""

    reason: str = ""

    @property
    def message(self) -> str:
        if self.uncertain == {INPUT}:
            return f"{self.path or 'the contract'} could be nothing before, so no change of it is judged: {self.reason}"
        return f"{self.path or 'the contract'} can be nothing: {self.reason}"


SIDES = (INPUT, OUTPUT)
MAX_EMPTY = 50  # places that are told to be empty
MAX_WORDS = 80  # letters of a type that a line shows
MAX_VALUES = 5  # values of an enumeration that a line names
MAX_PROVED = 400  # lines that are asked for a proof


@dataclass(frozen=True, slots=True)
class Compared:
    """`verdicts` says of each side whether the new version fits who relied on the old; `lines` say what changed."""

    reading: str
    lines: tuple[Change, ...]
    verdicts: Mapping[str, Answer]

    def fits(self, side: str) -> bool | None:
        """Whether the versions fit on a side: True and False are proven."""
        breaks = self.verdicts[side].breaks
        return None if breaks is None else not breaks


def changes(
    old: Contract | Mapping[str, Any], new: Contract | Mapping[str, Any], *, reading: str = "link"
) -> tuple[Change, ...]:
    """Every change from `old` to `new`, outermost first, in the order of the fields. Raises ContractError."""
    return compare(old, new, reading=reading).lines


def compare(
    old: Contract | Mapping[str, Any] | bool,
    new: Contract | Mapping[str, Any] | bool,
    *,
    reading: str = "link",
    dialect: str | int | None = None,
    registry: Any = None,
) -> Compared:
    """Both versions under one reading (`strict`, `link`, `lenient`): list and verdicts. Raises ContractError.

    On a link of Contracts a date does not fit a text, as in one process; plain schemas describe JSON, where it does.
    `registry` (of `referencing`) says what references to other documents mean, in both versions.
    """
    if registry is not None:
        from graphbus_core.contracts.parsing.registry_references import bring_in

        old, new = bring_in(old, registry), bring_in(new, registry)
    contract.check_reading(reading)
    raw = tuple(
        (v if isinstance(v, Contract) else Contract.from_json_schema(v, dialect=dialect)).to_json_schema()
        for v in (old, new)
    )
    if is_same_json(*raw):
        return Compared(reading, (), dict.fromkeys(SIDES, FITS))
    if reading == "link":
        raw = tuple(map(read_unions, raw))
    pair = VersionPair(*raw)
    walk = VersionWalk(pair)
    differences = list(walk.run())
    live = isinstance(old, Contract) or isinstance(new, Contract)
    prover = Prover(pair, (raw[0], raw[1]), reading, live=live)
    verdicts = {side: prover.prove_whole(side) for side in SIDES}
    lines = [
        _build_change(difference, _prove_sides(difference, number, prover, verdicts))
        for number, difference in enumerate(differences)
    ]
    # A payload that proves a line proves the whole, also where the whole by itself was given up.
    for side in SIDES:
        if verdicts[side].breaks is None:
            proof = next((line.payloads[side] for line in lines if side in line.payloads), NOTHING)
            verdicts[side] = verdicts[side] if proof is NOTHING else Answer(True, proof)
    changed_lines = [line for line in lines if line is not None and not _is_respelling(line)]
    changed_lines += _find_empty_places(differences, lines, prover)
    return Compared(reading, (*changed_lines, *_derive_remaining_changes(changed_lines, verdicts)), verdicts)


def _prove_sides(
    difference: Difference, number: int, prover: Prover, verdicts: Mapping[str, Answer]
) -> dict[str, Answer]:
    """What a line does to each side. Where the whole fits, no line breaks."""
    if difference.kind == "annotation":
        return {}
    open_sides = [side for side in SIDES if verdicts[side].breaks is not False]
    if number >= MAX_PROVED:
        return {side: Answer(None, why="too many lines to prove each") for side in open_sides}
    return {side: prover.prove_difference(difference, side) for side in open_sides}


def _find_empty_places(differences: list[Difference], lines: list[Change], prover: Prover) -> list[Change]:
    """Places that differ and where nothing can be sent: in the old version by who sends, in the new by who answers."""
    empty: dict[tuple[str, str], Unsatisfiable] = {}
    explain = prover.explain_emptiness
    for difference, line in zip(differences[:MAX_PROVED], lines, strict=False):
        for places, sides in _list_sent(difference, line):
            # The innermost alone: what holds a part that can be nothing often can be nothing for that reason.
            told = ((p, why) for p, schema in places if len(empty) < MAX_EMPTY and (why := explain(schema)))
            for path, why in islice(told, 1):
                before = empty.get((path, why))
                sides |= before.uncertain if before is not None else frozenset()
                found = Unsatisfiable(path=path, uncertain=sides, pointers=line.pointers, reason=why)
                empty[path, why] = found
    return list(empty.values())


def _list_sent(difference: Difference, line: Change) -> Iterator[tuple[list[tuple[str, Any]], frozenset[str]]]:
    """What may be empty at a difference: places, innermost first, with the sides that would pass for it."""
    if difference.kind == "annotation":
        return
    for side, view in ((INPUT, difference.old), (OUTPUT, difference.new)):
        if side not in line.payloads:  # a payload of the place shows that there is one
            outer = [(a.path, a.old if side == INPUT else a.new) for a in _list_around(difference.around)]
            yield [(_find_view_path(difference), view.schema), *outer], frozenset({side})
    what = difference.aspect[1]
    if difference.kind == "added" and difference.aspect[0] == "field":
        yield [(difference.path, difference.new.merge_parts(difference.new.fields[what]))], frozenset()
    if difference.kind == "branch" and difference.name[0] == "+":
        yield [(f"{difference.path}<{difference.name[1:]}>", what[1])], frozenset()


def _list_around(around: Around | None) -> Iterator[Around]:
    while around is not None:
        yield around
        around = around.outer


def _find_view_path(difference: Difference) -> str:
    """The path of the schemas that differ, which of a field that came or went is the object around it."""
    is_inner = difference.kind in ("added", "removed", "required", "optional")
    return difference.path.removesuffix(difference.name).removesuffix(".") if is_inner else difference.path


def _derive_remaining_changes(lines: list[Change], verdicts: Mapping[str, Answer]) -> Iterator[Change]:
    """What breaks together, and what was not decided."""
    broken_sides = frozenset().union(*(line.breaks for line in lines))
    missed = [side for side in SIDES if verdicts[side].breaks and side not in broken_sides]
    if missed:
        proofs = {side: verdicts[side].payload for side in missed if verdicts[side].payload is not NOTHING}
        yield Together(path="", breaks=frozenset(missed), payloads=proofs)
    unsure = [side for side in SIDES if verdicts[side].breaks is None]
    if unsure:
        yield Undecided(path="", uncertain=frozenset(unsure), reason=verdicts[unsure[0]].why)


def _is_respelling(line: Change) -> bool:
    """Another spelling of the same: no words differ, and nothing breaks."""
    return isinstance(line, FieldRetyped) and not line.may_break and line.before == line.after


def _build_change(difference: Difference, answers: Mapping[str, Answer]) -> Change:
    arguments: dict[str, Any] = {
        "path": difference.path,
        "breaks": frozenset(side for side, a in answers.items() if a.breaks),
        "uncertain": frozenset(side for side, a in answers.items() if a.breaks is None),
        "doubts": {side: a.why for side, a in answers.items() if a.breaks is None},
        "payloads": {side: a.payload for side, a in answers.items() if a.breaks and a.payload is not NOTHING},
        "pointers": (_locate_change(difference.before), _locate_change(difference.after)),
    }
    if difference.kind == "added":
        return FieldAdded(
            **arguments,
            after=_describe_field(difference.new, difference),
            required=difference.name in difference.new.required,
        )
    if difference.kind == "removed":
        return FieldRemoved(
            **arguments,
            before=_describe_field(difference.old, difference),
            required=difference.name in difference.old.required,
        )
    if difference.kind == "required":
        return MadeRequired(**arguments)
    if difference.kind == "optional":
        return MadeOptional(**arguments)
    if difference.kind == "annotation":
        return _build_annotation_change(difference, arguments)
    if difference.kind == "branch":
        index, come = int(difference.name[1:]), difference.name[0] == "+"
        key = difference.aspect[1][0]
        text = _describe_schema(
            unwrap_branch((difference.new if come else difference.old).find_values(key)[0][0][index])
        )
        return BranchAdded(**arguments, after=text) if come else BranchRemoved(**arguments, before=text)
    if difference.kind == "retyped" and difference.aspect[1] == ("enum",):
        arguments["gone"], arguments["come"] = _describe_enum_changes(difference.old, difference.new)
    return FieldRetyped(
        **arguments, before=_describe_type(difference.old, difference), after=_describe_type(difference.new, difference)
    )


def _describe_enum_changes(old: SchemaView, new: SchemaView) -> tuple[str, str]:
    """The values that an enumeration lost and got, each list in words. Both empty where either lists nothing."""
    lists = [[v for v, _ in view.find_values("enum")][:1] for view in (old, new)]
    if not all(lists):
        return "", ""
    # As JSON: 1 and true are two values there, and lists may be among them.
    was, now = ({json.dumps(v, sort_keys=True): v for v in values[0]} for values in lists)
    return _list_values([v for k, v in was.items() if k not in now]), _list_values(
        [v for k, v in now.items() if k not in was]
    )


def _list_values(values: list[Any]) -> str:
    return join_few([render_short(v, 30) for v in values], MAX_VALUES)


def _build_annotation_change(difference: Difference, arguments: dict[str, Any]) -> Change:
    was, now = ([v for v, _ in view.find_values(difference.name)][:1] for view in (difference.old, difference.new))
    before, after = (None if not values else values[0] for values in (was, now))
    if difference.name == "description":
        return Redescribed(**arguments, before=before, after=after)
    texts = [None if not values else render_short(values[0]) for values in (was, now)]
    return AnnotationChanged(**arguments, before=texts[0], after=texts[1], keyword=difference.name)


def _describe_field(view: SchemaView, difference: Difference) -> str:
    if difference.aspect[0] == "pattern":
        return _describe_schema(view.merge_parts(view.patterns[difference.aspect[1]]))
    return _describe_schema(view.merge_parts(view.fields[difference.name]))


def _describe_type(view: SchemaView, difference: Difference) -> str:
    """What a value may be, of this place; where only bounds differ, those alone."""
    keys = [k for k in difference.aspect[1] if k not in ("properties", "required", "patternProperties")]
    if keys and not {"type", "enum", "const", "format", "anyOf", "oneOf", "x-python-type"} & set(keys):
        bounds = [f"{key} {render_short(value)}" for key in keys for value, _ in view.find_values(key)]
        return ", ".join(bounds) or f"no {keys[0]}"
    return _describe_schema({k: v for layer, _ in reversed(view.layers) for k, v in layer.items()})


def _describe_schema(schema: Any) -> str:
    text = annotation(schema)
    if text == "Any" and isinstance(schema, dict) and schema:
        needed = schema.get("required")
        text = (
            f"what has {', '.join(map(str, needed))}" if isinstance(needed, list) and needed else render_short(schema)
        )
    return shorten(text, MAX_WORDS)


def _locate_change(place: Place) -> str:
    if place and place[0] == "$ref":  # a target that stands where no keyword does
        return str(place[1]).removeprefix("#") + render_pointer(place[2:])
    return render_pointer(place)


# Signatures as part of the promise: what changed in how a method is called, and its two contracts with it.


# `*args` and `**kwargs` have no name that a caller could pass.
VARIADIC = ("var_positional", "var_keyword")


@dataclass(frozen=True, slots=True, kw_only=True)
class ParameterAdded(Change, kind="parameter_added"):
    """A parameter that was not there. Without a default, it breaks every call."""

    suggests: ClassVar[str | None] = "give {path} a default"

    @property
    def message(self) -> str:
        return f"parameter {self.path} was added ({'without' if self.breaks else 'with'} a default)"


@dataclass(frozen=True, slots=True, kw_only=True)
class ParameterRemoved(Change, kind="parameter_removed"):
    """A parameter that is gone. Who passes it fails."""

    says: ClassVar[str] = "parameter {path} was removed"
    suggests: ClassVar[str | None] = "keep {path} with a default, and ignore it"


@dataclass(frozen=True, slots=True, kw_only=True)
class ParameterMadeRequired(Change, kind="parameter_made_required"):
    """A default that is gone. Who relied on it fails."""

    says: ClassVar[str] = "parameter {path} lost its default {before}"
    suggests: ClassVar[str | None] = "keep the default {before}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ParameterMadeOptional(Change, kind="parameter_made_optional"):
    """A parameter that has a default now."""

    says: ClassVar[str] = "parameter {path} got the default {after}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ParameterKindChanged(Change, kind="parameter_kind_changed"):
    """A parameter that is passed in another way. Calls on the bus are by name: only `/` breaks them."""

    says: ClassVar[str] = "parameter {path} changed from {before} to {after}"
    suggests: ClassVar[str | None] = "leave {path} {before}"


@dataclass(frozen=True, slots=True, kw_only=True)
class DefaultChanged(Change, kind="default_changed"):
    """Another default. No call fails for it; what it does may differ."""

    says: ClassVar[str] = "the default of parameter {path} changed from {before} to {after}"


def signature_changes(old: Sequence[Parameter], new: Sequence[Parameter]) -> tuple[Change, ...]:
    """What changed for who calls the method by name, in the order of the parameters."""
    return tuple(_compare_parameters(old, new))


def _compare_parameters(old: Sequence[Parameter], new: Sequence[Parameter]) -> Iterator[Change]:
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
            yield from _compare_parameter(was, now)


def _compare_parameter(was: Parameter, now: Parameter) -> Iterator[Change]:
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
    found_changes: list[Change] = []
    for side, was, now in (
        (INPUT, old.input_schema, new.input_schema),
        (OUTPUT, old.output_schema, new.output_schema),
    ):
        if was is None or now is None:
            if was is not now:
                gone = now is None
                found_changes.append(
                    ContractDeclared(
                        path=side, before=_describe_declaration(not gone), after=_describe_declaration(gone)
                    )
                )
            continue
        for change in changes(was.json_schema, now.json_schema, reading=reading):
            path = f"{side}.{change.path}" if change.path else side
            payloads = {s: p for s, p in change.payloads.items() if s == side}
            mine: dict[str, Any] = {
                "breaks": change.breaks & {side},
                "uncertain": change.uncertain & {side},
                "payloads": payloads,
            }
            # It speaks of the other side of the method, which is judged by its own contract.
            if isinstance(change, Together | Undecided) and not (mine["breaks"] or mine["uncertain"]):
                continue  # it speaks of the other side alone
            found_changes.append(replace(change, path=path, **mine))
    return (*found_changes, *signature_changes(old.parameters, new.parameters))


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractDeclared(Change, kind="contract_declared"):
    """A side of a method that is declared now and was not, or the other way round. Nothing could be checked before."""

    says: ClassVar[str] = "the {path} contract was {before} and is {after}"


def _describe_declaration(missing: bool) -> str:
    return "not declared" if missing else "declared"
