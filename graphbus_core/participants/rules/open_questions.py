"""What a rule negotiator asks where it has no evidence: one question a gap, with the candidates and what each would do.

Only the consumer's end asks, once its producer has had the first word, so that a gap is asked about once. Every
candidate carries the proposal that it stands for: whoever answers picks a name, and nothing is left to be guessed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from graphbus_core.contracts.gaps import Gap, Kind
from graphbus_core.participants.rules import repairs
from graphbus_core.participants.rules.annotations import annotation
from graphbus_core.participants.rules.evidence import CONFIDENCE, Evidence, EvidenceKind, backing, candidates
from graphbus_core.participants.rules.mismatch import Case, method_of
from graphbus_core.participants.rules.repairs import Repair

WITHOUT, PASS, BOTH = "without", "pass on", "both types"  # candidates that are not a field of the producer
SHOWN = 8  # candidates of one question
LONGEST = 40  # characters of a type in a sentence


def question(case: Case, gap: Gap) -> dict[str, Any] | None:
    """What is to be asked about a gap; None where there is nothing to choose from."""
    options = list(_options(case, gap))[:SHOWN]
    names = [name for name, _, _ in options]
    if old := _old_value(case, gap):
        wants = f"{_wants(case, gap)} {old}"
    elif options:
        wants = _wants(case, gap)
    else:
        return None
    listed = f"{', '.join(names[:-1])} or {names[-1]}" if len(names) > 1 else "".join(names) or f"a new '{gap.path}'"
    return {
        "id": f"{case.link_id} {gap.path}",
        "link": case.link_id,
        "field": gap.path,
        "text": f"{wants} What is meant: {listed}, or none of them?",
        "candidates": [{"name": name, "says": says, "proposal": _proposal(case, one)} for name, says, one in options],
    }


def why_nothing(case: Case, gap: Gap) -> str:
    """Why nothing is proposed for a gap and nobody can be asked, in a sentence."""
    wants = _wants(case, gap)
    if gap.kind is Kind.OPTIONAL:
        return f"{wants} {case.user} has no default for it, and {case.source} does not give it every time."
    if gap.kind is Kind.TYPE:
        return f"{wants} They cannot be brought together: {repairs.why_not_wider(case, gap)}."
    return f"{wants} Nothing that is sent could be it, and {case.user} has no default for it."


def _wants(case: Case, gap: Gap) -> str:
    kind = _short(gap.consumed)
    if gap.kind is Kind.TYPE:
        sent = _short(gap.produced or {})
        return f"{case.user} takes '{gap.path}' as {kind}, and {case.source} sends it as {sent}."
    if gap.kind is Kind.OPTIONAL:
        return f"{case.user} requires '{gap.path}', and {case.source} may leave it out."
    other = [n for n in gap.unclaimed if n not in candidates(gap, case.sent, case.taken)]
    also = f" (it also sends {', '.join(map(repr, other))}, of another type)" if other else ""
    return f"{case.user} requires '{gap.path}' ({kind}), and {case.source} does not send it{also}."


def _short(schema: Mapping[str, Any]) -> str:
    """A type as it may stand in a sentence."""
    text = annotation(schema)
    return text if text is not None and len(text) <= LONGEST else str(schema.get("type") or "another type")


def _options(case: Case, gap: Gap) -> Iterator[tuple[str, str, Repair]]:
    if gap.kind is Kind.TYPE:
        wider = repairs.widen(case, gap)
        why = repairs.why_not_wider(case, gap)
        if wider is not None and why is not None:
            yield BOTH, f"{case.user} takes both types from now on; it is not proved that it can: {why}", wider
        return
    if gap.kind is Kind.MISSING:
        for other in candidates(gap, case.sent, case.taken):
            told = backing(gap, other, case.mismatch, case.sent, case.taken)
            hint = f"; for it speaks: {'; '.join(map(str, told))}" if told else ""
            says = f"'{gap.path}' becomes '{other}', which {case.source} sends{hint}"
            yield other, says, repairs.rename(case, gap, other, told or [_ANSWERED])
        if (handed := _handed_on(case, gap)) is not None:
            yield PASS, f"{case.source} hands on the '{gap.path}' that it receives", handed
    if case.can_lack(gap.path):
        yield WITHOUT, f"'{gap.path}' becomes optional; {case.user} has a default for it", repairs.do_without(case, gap)


def _old_value(case: Case, gap: Gap) -> str:
    """What is to be said of a field that the producer receives round a cycle: it is shown, and never passed on."""
    if gap.kind is not Kind.MISSING or not case.mismatch.get("in_cycle") or case.could_pass(gap) is None:
        return ""
    return f"The '{gap.path}' that {case.source} receives is the value of the round before."


_ANSWERED = Evidence(EvidenceKind.ANSWER, "somebody who was asked says so")


def _handed_on(case: Case, gap: Gap) -> Repair | None:
    """What the producer could hand on. Never round a cycle: it would be the value of the round before."""
    received = None if case.mismatch.get("in_cycle") else case.could_pass(gap)
    topic, method = case.link["producer"].get("topic"), case.producing
    if received is None or topic or method is None:
        return None
    names = [p["name"] for p in method_of(case.producer, method).get("parameters", ())]
    expression = gap.path if gap.path in names else f'{names[0]}["{gap.path}"]' if len(names) == 1 else None
    if expression is None:
        return None
    place = {"node": case.producer["name"], "method": method, "side": "output", "field": gap.path}
    return Repair(
        ({"op": "add_field", **place, "type": annotation(received), "default": expression},),
        f"Pass '{gap.path}' on in the output of {case.source}",
        f"{case.user} needs '{gap.path}'; {case.source} receives it.",
        (_ANSWERED,),
    )


def _proposal(case: Case, one: Repair) -> Mapping[str, Any]:
    return {
        "type": "breaking_change" if one.breaking else "schema_extension",
        "intent": "align_schemas",
        "diff": [dict(op) for op in one.diff],
        "summary": one.summary,
        "rationale": one.rationale,
        "affected_agents": sorted({case.producer["name"], case.consumer["name"]} - {case.me["name"]}),
        "confidence": CONFIDENCE[EvidenceKind.ANSWER],
    }
