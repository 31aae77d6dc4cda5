"""What a repair may rest on, and how sure each kind of evidence makes it. Nothing here is a guess.

What the program and people say of a pair of fields is ruled on where it is found (`analysis.evidence.rule`) and stands
with each mismatch. A shared type, a likeness of names, a default, a description: none of these is evidence. They put
the choices of a question in order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from graphbus_core.contracts.check import Gap, JsonSchema, is_field_compatible
from graphbus_core.participants.rules.name_matching import is_mentioned, measure_likeness


class EvidenceKind(StrEnum):
    """A kind of evidence, by the word that stands in the log."""

    FLOW = "flow"  # a call in the project carries this value there
    TEST = "test"  # a test that was there before, and passes, carries it there
    ALIAS = "alias"  # Annotated[str, Alias("qty")]
    PASSED = "passed"  # the program hands it round the producer, which could hand it on
    CODE = "code"  # the code does it already; only the contract does not say so
    ANSWER = "answer"  # somebody was asked, and said so


# The one table of confidence. A number says how often this kind of evidence was seen to be right, in tenths.
CONFIDENCE: Mapping[EvidenceKind, float] = {
    EvidenceKind.ANSWER: 1.0,
    EvidenceKind.CODE: 0.95,
    EvidenceKind.FLOW: 0.95,
    EvidenceKind.ALIAS: 0.95,
    EvidenceKind.PASSED: 0.9,
    EvidenceKind.TEST: 0.9,
}


@dataclass(frozen=True)
class Evidence:
    """One reason to believe that two fields are one. `says`: in words; `where`: file:line, or nothing."""

    kind: EvidenceKind
    says: str
    where: str = ""

    def __str__(self) -> str:
        return f"{self.says} ({self.where})" if self.where else self.says


def rank_candidates(
    gap: Gap, mismatch: Mapping[str, Any], sent: JsonSchema, accepted: JsonSchema
) -> list[tuple[str, list[str]]]:
    """The producer's fields that could fill the gap by their type, the likeliest first, with what speaks for each."""
    name = extract_field_name(gap.path)
    candidates = [
        (other, list_hints(gap, other, mismatch))
        for other, schema in gap.unclaimed.items()
        if is_field_compatible(schema, sent, gap.consumed, accepted)
    ]
    return sorted(candidates, key=lambda c: (-len(c[1]), -measure_likeness(name, c[0]), c[0]))


def list_hints(gap: Gap, other: str, mismatch: Mapping[str, Any]) -> list[str]:
    """What speaks for a field of the producer and backs no repair: what nearly sufficed, a description, a docstring."""
    name = extract_field_name(gap.path)
    hints = [f"{e['says']} ({e['where']})" for e in _iter_entries(gap, other, mismatch) if e["kind"] not in _PLACES]
    if is_mentioned(other, gap.consumed.get("description")):
        hints.append(f"the description of '{name}' speaks of '{other}'")
    if is_mentioned(name, gap.unclaimed[other].get("description")):
        hints.append(f"the description of '{other}' speaks of '{name}'")
    return hints


def find_meant_field(
    gap: Gap, mismatch: Mapping[str, Any], sent: JsonSchema, accepted: JsonSchema
) -> tuple[str, list[Evidence]] | None:
    """The one field of the producer that is meant, with its evidence; None where nothing or more than one is backed."""
    backed = {
        other: evidence
        for other, _ in rank_candidates(gap, mismatch, sent, accepted)
        if (evidence := find_evidence(gap, other, mismatch))
    }
    if len(backed) != 1:
        return None
    ((other, evidence),) = backed.items()
    path = _join_sent(gap, other)
    claimed = {e["taken"] for e in mismatch.get("evidence", ()) if e["sent"] == path and e["kind"] in _BACKING}
    return (other, evidence) if claimed == {gap.path} else None


def find_evidence(gap: Gap, other: str, mismatch: Mapping[str, Any]) -> list[Evidence]:
    """All evidence that the producer's field `other` is the one that this gap asks for."""
    return [
        Evidence(EvidenceKind(item["kind"]), item["says"], item.get("where", ""))
        for item in _iter_entries(gap, other, mismatch)
        if item["kind"] in _BACKING
    ]


def find_test(gap: Gap, mismatch: Mapping[str, Any]) -> list[Evidence]:
    """Passing tests that send what this producer sends under the field's own name, or go without it."""
    return [
        Evidence(EvidenceKind.TEST, item["says"], item.get("where", ""))
        for item in mismatch.get("evidence", ())
        if item["kind"] == EvidenceKind.TEST and item["sent"] == item["taken"] == gap.path
    ]


def find_passed(gap: Gap, mismatch: Mapping[str, Any]) -> list[Evidence]:
    """Calls that hand the consumer, round this producer, what the producer's own feeder gives under this name."""
    return [
        Evidence(EvidenceKind.PASSED, item["says"], item.get("where", ""))
        for item in mismatch.get("evidence", ())
        if item["kind"] == EvidenceKind.PASSED and item["taken"] == gap.path
    ]


def find_places(gap: Gap, mismatch: Mapping[str, Any]) -> list[str]:
    """Where each end of a gap stands, with a value that is seen there."""
    entries = [e for e in mismatch.get("evidence", ()) if e["taken"] == gap.path and e["kind"] in _PLACES]
    samples: dict[tuple[str, str], list[str]] = {}
    for entry in sorted(entries, key=lambda e: e["kind"] != _PLACES[0]):
        who, _, sample = entry["says"].partition(" gives ")
        samples.setdefault((entry["where"], who), []).extend([sample] if sample else [])
    return [f"{where} ({who}{' gives ' * bool(some)}{', '.join(some)})" for (where, who), some in samples.items()]


def is_read_by_name(gap: Gap, mismatch: Mapping[str, Any]) -> bool:
    """Whether code that nobody follows may read the field by its name, so that no rename reaches it."""
    return any(e["taken"] == gap.path and e["kind"] == "by name" for e in mismatch.get("evidence", ()))


_PLACES = ("consumer", "producer")  # entries that say where an end stands, and back nothing
_BACKING = frozenset({EvidenceKind.FLOW, EvidenceKind.TEST, EvidenceKind.ALIAS})


def _iter_entries(gap: Gap, other: str, mismatch: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    path = _join_sent(gap, other)
    return [e for e in mismatch.get("evidence", ()) if e["taken"] == gap.path and e["sent"] == path]


def _join_sent(gap: Gap, other: str) -> str:
    return gap.path[: len(gap.path) - len(extract_field_name(gap.path))] + other


def rate_confidence(evidence: Sequence[Evidence]) -> float:
    """That of the strongest."""
    return max(CONFIDENCE[item.kind] for item in evidence)


def extract_field_name(path: str) -> str:
    """The field's own name, without the way to it."""
    return path.replace("[]", "").rsplit(".", 1)[-1]
