"""What changed between two versions of a contract, line by line, and whom each line breaks.

The law, under one reading: where the versions fit on a side, no line breaks it; where they do not, at least one line
does, and a payload proves it; where that was not decided, nothing is claimed. What breaks only together is one line.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from graphbus_core.contracts.change import ways
from graphbus_core.contracts.change.joint import Difference, Walk
from graphbus_core.contracts.change.kinds import (
    INPUT,
    OUTPUT,
    AnnotationChanged,
    BranchAdded,
    BranchRemoved,
    Change,
    FieldAdded,
    FieldRemoved,
    FieldRetyped,
    MadeOptional,
    MadeRequired,
    Redescribed,
    Together,
    Undecided,
)
from graphbus_core.contracts.change.pair import Pair
from graphbus_core.contracts.change.proving import FITS, Answer, Prover
from graphbus_core.contracts.change.view import View
from graphbus_core.contracts.reading.contract import Contract
from graphbus_core.contracts.reading.walk import Place, pointer_text, same
from graphbus_core.contracts.reading.wording import annotation, short
from graphbus_core.contracts.values.verdict import NOTHING
from graphbus_core.shown import few, shortened

SIDES = (INPUT, OUTPUT)
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
) -> Compared:
    """Both versions under one reading (`strict`, `link`, `lenient`): list and verdicts. Raises ContractError."""
    ways.known(reading)
    raw = tuple(
        (v if isinstance(v, Contract) else Contract.from_json_schema(v, dialect=dialect)).to_json_schema()
        for v in (old, new)
    )
    if same(*raw):
        return Compared(reading, (), dict.fromkeys(SIDES, FITS))
    pair = Pair(*raw)
    walk = Walk(pair)
    found = list(walk.run())
    prover = Prover(pair, (raw[0], raw[1]), reading)
    verdicts = {side: prover.whole(side) for side in SIDES}
    lines = [_line(one, _answers(one, number, prover, verdicts)) for number, one in enumerate(found)]
    # A payload that proves a line proves the whole, also where the whole by itself was given up.
    for side in SIDES:
        if verdicts[side].breaks is None:
            proof = next((line.payloads[side] for line in lines if side in line.payloads), NOTHING)
            verdicts[side] = verdicts[side] if proof is NOTHING else Answer(True, proof)
    kept = [line for line in lines if line is not None and not _says_nothing(line)]
    return Compared(reading, (*kept, *_rest(kept, verdicts)), verdicts)


def _answers(one: Difference, number: int, prover: Prover, verdicts: Mapping[str, Answer]) -> dict[str, Answer]:
    """What a line does to each side. Where the whole fits, no line breaks."""
    if one.kind == "annotation":
        return {}
    asked = [side for side in SIDES if verdicts[side].breaks is not False]
    if number >= MAX_PROVED:
        return {side: Answer(None, why="too many lines to prove each") for side in asked}
    return {side: prover.line(one, side) for side in asked}


def _rest(lines: list[Change], verdicts: Mapping[str, Answer]) -> Iterator[Change]:
    """What breaks together, and what was not decided."""
    told = frozenset().union(*(line.breaks for line in lines))
    missed = [side for side in SIDES if verdicts[side].breaks and side not in told]
    if missed:
        proofs = {side: verdicts[side].payload for side in missed if verdicts[side].payload is not NOTHING}
        yield Together(path="", breaks=frozenset(missed), payloads=proofs)
    unsure = [side for side in SIDES if verdicts[side].breaks is None]
    if unsure:
        yield Undecided(path="", uncertain=frozenset(unsure), reason=verdicts[unsure[0]].why)


def _says_nothing(line: Change) -> bool:
    """Another spelling of the same: no words differ, and nothing breaks."""
    return isinstance(line, FieldRetyped) and not line.may_break and line.before == line.after


def _line(one: Difference, answers: Mapping[str, Answer]) -> Change:
    said: dict[str, Any] = {
        "path": one.path,
        "breaks": frozenset(side for side, a in answers.items() if a.breaks),
        "uncertain": frozenset(side for side, a in answers.items() if a.breaks is None),
        "payloads": {side: a.payload for side, a in answers.items() if a.breaks and a.payload is not NOTHING},
        "pointers": (_pointer(one.before), _pointer(one.after)),
    }
    if one.kind == "added":
        return FieldAdded(**said, after=_of_field(one.new, one), required=one.name in one.new.required)
    if one.kind == "removed":
        return FieldRemoved(**said, before=_of_field(one.old, one), required=one.name in one.old.required)
    if one.kind == "required":
        return MadeRequired(**said)
    if one.kind == "optional":
        return MadeOptional(**said)
    if one.kind == "annotation":
        return _annotation(one, said)
    if one.kind == "branch":
        index, come = int(one.name[1:]), one.name[0] == "+"
        key = one.aspect[1][0]
        text = _words((one.new if come else one.old).own(key)[0][0][index])
        return BranchAdded(**said, after=text) if come else BranchRemoved(**said, before=text)
    if one.kind == "retyped" and one.aspect[1] == ("enum",):
        said["gone"], said["come"] = _enumerated(one.old, one.new)
    return FieldRetyped(**said, before=_type(one.old, one), after=_type(one.new, one))


def _enumerated(old: View, new: View) -> tuple[str, str]:
    """The values that an enumeration lost and got, each list in words. Both empty where either lists nothing."""
    lists = [[v for v, _ in view.own("enum")][:1] for view in (old, new)]
    if not all(lists):
        return "", ""
    # As JSON: 1 and true are two values there, and lists may be among them.
    was, now = ({json.dumps(v, sort_keys=True): v for v in found[0]} for found in lists)
    return _some([v for k, v in was.items() if k not in now]), _some([v for k, v in now.items() if k not in was])


def _some(values: list[Any]) -> str:
    return few([short(v, 30) for v in values], MAX_VALUES)


def _annotation(one: Difference, said: dict[str, Any]) -> Change:
    was, now = ([v for v, _ in view.own(one.name)][:1] for view in (one.old, one.new))
    before, after = (None if not values else values[0] for values in (was, now))
    if one.name == "description":
        return Redescribed(**said, before=before, after=after)
    texts = [None if not values else short(values[0]) for values in (was, now)]
    return AnnotationChanged(**said, before=texts[0], after=texts[1], keyword=one.name)


def _of_field(view: View, one: Difference) -> str:
    if one.aspect[0] == "pattern":
        return _words(view.one(view.patterns[one.aspect[1]]))
    return _words(view.one(view.fields[one.name]))


def _type(view: View, one: Difference) -> str:
    """What a value may be, of this place; where only bounds differ, those alone."""
    keys = [k for k in one.aspect[1] if k not in ("properties", "required", "patternProperties")]
    if keys and not {"type", "enum", "const", "format", "anyOf", "oneOf", "x-python-type"} & set(keys):
        said = [f"{key} {short(value)}" for key in keys for value, _ in view.own(key)]
        return ", ".join(said) or f"no {keys[0]}"
    return _words({k: v for layer, _ in reversed(view.layers) for k, v in layer.items()})


def _words(schema: Any) -> str:
    text = annotation(schema)
    if text == "Any" and isinstance(schema, dict) and schema:
        needed = schema.get("required")
        text = f"what has {', '.join(map(str, needed))}" if isinstance(needed, list) and needed else short(schema)
    return shortened(text, MAX_WORDS)


def _pointer(place: Place) -> str:
    if place and place[0] == "$ref":  # a target that stands where no keyword does
        return str(place[1]).removeprefix("#") + pointer_text(place[2:])
    return pointer_text(place)
