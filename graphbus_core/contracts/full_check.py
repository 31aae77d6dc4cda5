"""Why a producer does not fit: the counterexample's violations, in words, each with its field path."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from graphbus_core.contracts.inclusion import sampling
from graphbus_core.contracts.inclusion.solver import Decision, decide
from graphbus_core.contracts.parsing import contract
from graphbus_core.contracts.parsing.field_paths import list_field_paths
from graphbus_core.contracts.parsing.type_forms import FORMATS, annotation, render_short
from graphbus_core.contracts.validation import judge
from graphbus_core.contracts.validation.formats import fill_in_examples
from graphbus_core.contracts.verdict import FITS, NOTHING, Inconclusive, Reason, Verdict
from graphbus_core.text import shorten

MAX_REASONS = 20
_KINDS = {
    "required": "missing_field",
    "dependentRequired": "missing_field",
    "type": "type",
    "enum": "value",
    "const": "value",
    "minimum": "bound",
    "maximum": "bound",
    "exclusiveMinimum": "bound",
    "exclusiveMaximum": "bound",
    "multipleOf": "bound",
    "minLength": "length",
    "maxLength": "length",
    "pattern": "pattern",
    "format": "format",
    "additionalProperties": "extra_field",
    "unevaluatedProperties": "extra_field",
    "propertyNames": "extra_field",
    "items": "items",
    "uniqueItems": "items",
    "contains": "items",
    "minContains": "items",
    "maxContains": "items",
    "unevaluatedItems": "items",
    "minItems": "count",
    "maxItems": "count",
    "minProperties": "count",
    "maxProperties": "count",
}


def explain_errors(producer: Any, errors: Iterable[Any], value: Any) -> tuple[Reason, ...]:
    """What the judge's errors about a counterexample say, one reason for each field that does not fit."""
    reasons_by_place: dict[tuple[str, str], Reason] = {}
    try:
        for error in errors:
            for reason in _explain_error(producer, error):
                reasons_by_place.setdefault((reason.kind, reason.path), reason)
            if len(reasons_by_place) >= MAX_REASONS:
                break
    except Exception:  # the judge may stumble over what it cannot read; the verdict stands without its words
        return (Reason("combination", "", f"the consumer rejects {render_short(value)}"),)
    return tuple(reasons_by_place.values()) or (
        Reason("combination", "", f"the consumer rejects {render_short(value)}"),
    )


def _explain_error(producer: Any, error: Any) -> list[Reason]:
    path, keyword = render_field_path(error.absolute_path), str(error.validator)
    kind = _KINDS.get(keyword, "combination")
    if keyword == "required" and isinstance(error.instance, dict):
        missing = [n for n in error.validator_value if n not in error.instance]
        return [_explain_missing(producer, path, str(n)) for n in missing if error.message.startswith(repr(n))]
    sent_text = _describe_value(error.instance)
    wanted_type = _find_wanted_type(error)
    if wanted_type is not None:
        return [Reason("type", path, f"{_name_place(path)} may be {sent_text}; the consumer takes {wanted_type}")]
    if keyword == "type":
        return [
            Reason(kind, path, f"{_name_place(path)} may be {sent_text}; the consumer takes {annotation(error.schema)}")
        ]
    if kind == "value":
        return [
            Reason(
                kind, path, f"{_name_place(path)} may be {sent_text}, which is none of the values the consumer takes"
            )
        ]
    if kind in ("bound", "length", "pattern", "count", "format"):
        limit = f"{keyword} {render_short(error.validator_value)}"
        return [Reason(kind, path, f"{_name_place(path)} may be {sent_text}; the consumer wants {limit}")]
    message = shorten(error.message, 200)
    return [Reason(kind, path, f"{_name_place(path)}: {message}")]


def _describe_value(value: Any) -> str:
    """What the producer may send, as people name it."""
    kind = contract.read_tag(value)
    return render_short(value) if kind is None else f"a {FORMATS.get(kind, kind)}"


def _find_wanted_type(error: Any) -> str | None:
    """The type that the consumer takes, where the error is about a type that is text in JSON only."""
    if error.validator != "pattern" or contract.MARK not in str(error.validator_value):
        return None
    pattern = str(error.validator_value)
    if pattern.startswith("^(?!"):
        return "str"
    name = pattern[2:].partition(":")[0].replace("\\", "")
    return FORMATS.get(name, name)


def _explain_missing(producer: Any, path: str, name: str) -> Reason:
    full = f"{path}.{name}" if path else name
    declared = isinstance(producer, dict) and full in list_field_paths(producer)
    if declared:
        return Reason("optional_field", full, f"{full} is required by the consumer; the producer may leave it out")
    return Reason("missing_field", full, f"{full} is required by the consumer; the producer does not send it")


def _name_place(path: str) -> str:
    return path or "the payload"


def render_field_path(parts: Any) -> str:
    """`headlines[].title` from the parts of a path into a value."""
    text = ""
    for part in parts:
        text += "[]" if isinstance(part, int) else (f".{part}" if text else str(part))
    return text


# What two schemas come to that a glance did not settle: it is decided, and the counterexample is shown to a judge.
#
# The structural decision (`inclusion`) answers; the judge reads the schemas on its own and confirms what is shown. Only
# where the decision gives up does a bounded, seeded search try to refute.


_VALUES_TRIED = 8  # that the decision offers the judge, where it is of another mind about the first
_MUTE = 5  # values about which the judge cannot say anything, after which it is not asked again
_SEARCHED = 300  # values tried where the decision gave up


def decide_fully(
    a: Any, draft_a: int, b: Any, draft_b: int, counted: frozenset[str], steps: int, *, marked: bool
) -> Verdict:
    """Whether every value that `a` accepts is accepted by `b`. `counted`: formats that are checked; `marked`: the two
    carry the marks of Python types, which no counterexample shows. Raises ContractError for what is not a schema.
    """
    decision = decide(a, draft_a, b, draft_b, formats=counted, steps=steps)
    if decision.within:
        return FITS

    judge_errors: list[Any] = []  # the judge's errors about the value that it confirmed
    mute = 0  # how often the judge could not say

    def confirm_counterexample(value: Any) -> bool:
        nonlocal mute
        accepted = judge.is_accepted(a, value, draft_a, counted) if mute < _MUTE else None
        errors = judge.list_errors(b, value, draft_b, counted) if accepted else None
        if accepted is None or (accepted and errors is None):
            mute += 1
        judge_errors[:] = errors or ()
        return bool(judge_errors)

    if decision.within is None:
        too_deep = decision.reason is not None and decision.reason.kind == "depth"  # the judge would stumble, too
        value = NOTHING if too_deep else sampling.search(a, b, confirm_counterexample, tries=_SEARCHED)
        if value is NOTHING:
            return Verdict(None, (_explain_giving_up(decision.reason),))
    else:
        value = _find_counterexample(decision, a, b, confirm_counterexample)
    if value is not NOTHING:
        before, value = value, fill_in_examples(a, value, confirm_counterexample)
        if value is not before or not judge_errors:
            confirm_counterexample(value)  # the reasons are of what is shown
    why = explain_errors(a, judge_errors, decision.value if value is NOTHING else value)
    return Verdict(False, why, contract.restore_samples(value) if marked else value)


def _find_counterexample(decision: Decision, a: Any, b: Any, refutes: Callable[[Any], bool]) -> Any:
    """A counterexample that the judge confirms; NOTHING where it reads the schemas differently (its own limits)."""
    for value in decision.find_values(_VALUES_TRIED):
        if refutes(value):
            return value
    return sampling.search(a, b, refutes, tries=_SEARCHED)


def _explain_giving_up(reason: Inconclusive | None) -> Reason:
    if reason is None:
        return Reason("undecided", "", "it was not decided")
    return Reason(reason.kind, "", reason.message)
