"""What a rule negotiator asks where it has no evidence: one question a gap, with the candidates and what each would do.

The producer's end asks where it could hand a field on, which it alone can see. Else the consumer's end asks, once its
producer has had the first word. A gap is asked about once. Every candidate carries the proposal that it stands for:
whoever answers picks a name, and nothing is left to be guessed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

from graphbus_core.contracts.check import Gap, GapKind
from graphbus_core.participants.rules import repairs
from graphbus_core.participants.rules.evidence import (
    CONFIDENCE,
    Evidence,
    EvidenceKind,
    find_places,
    rank_candidates,
    rate_confidence,
)
from graphbus_core.participants.rules.mismatch_case import MismatchCase, render_annotation, split_union
from graphbus_core.participants.rules.repairs import ANSWERED, Repair, list_repairs, pass_field_on, repair_as_consumer

WITHOUT, PASS, BOTH = "without", "pass on", "consumer takes both"  # candidates that are not a field of the producer
SHOWN = 8  # candidates of one question
LONGEST = 40  # characters of a type in a sentence
KINDS = {
    "float": "a fraction",
    "int": "a whole number",
    "str": "a text",
    "bool": "true or false",
    "None": "nothing",
    "list": "a list",
    "dict": "an object",
}


@dataclass(frozen=True)
class Option:
    """A candidate: the name that an answer gives, the answer as what happens, the question where it is the only one."""

    name: str
    label: str
    asks: str
    says: str
    repair: Repair


def build_question(
    case: MismatchCase, gap: Gap, fell: str = "", fallen: Collection[frozenset[str]] = ()
) -> dict[str, Any] | None:
    """What is to be asked about a gap; None where nothing can be chosen. `fell`: what was proposed in vain.

    `fallen`: by their summaries all repairs that were, and are not offered again.
    """
    options = list(_list_options(case, gap, fallen))[:SHOWN]
    names = [option.name for option in options]
    old = _describe_old_value(case, gap)
    if not old and not options:
        return None
    listed = f"{', '.join(names[:-1])} or {names[-1]}" if len(names) > 1 else "".join(names) or f"a new '{gap.path}'"
    asks = f"What is meant: {listed}, or none of them?"
    if names == [BOTH]:
        asks = "Shall it take both from now on, or stay as it is?"
    said = (_describe_need(case, gap), old, fell and f"Proposed in vain: {fell}", _describe_places(case, gap), asks)
    return {
        "id": f"{case.link_id} {gap.path}",
        "link": case.link_id,
        "field": gap.path,
        "text": " ".join(filter(None, said)),
        "candidates": [
            {
                "name": option.name,
                "label": option.label,
                "asks": option.asks,
                "says": option.says,
                "proposal": _build_candidate_proposal(case, option.repair),
            }
            for option in options
        ],
    }


def _describe_places(case: MismatchCase, gap: Gap) -> str:
    """Where both ends stand, and what a value looks like there."""
    places = find_places(gap, case.mismatch)
    return f"Look at {'; '.join(places)}." if places else ""


def explain_nothing(case: MismatchCase, gap: Gap) -> str:
    """Why nothing is proposed for a gap and nobody can be asked, in a sentence."""
    wants = _describe_need(case, gap)
    if gap.kind is GapKind.OPTIONAL:
        return (
            f"{wants} {case.consumer_label} has no default for it, and {case.producer_label} does not give it "
            f"every time."
        )
    if gap.kind is GapKind.TYPE:
        return f"{wants} No annotation that can be written there takes both."
    return f"{wants} Nothing that is sent could be it, and {case.consumer_label} has no default for it."


def _describe_need(case: MismatchCase, gap: Gap) -> str:
    kind = _describe_type(gap.consumed)
    if gap.kind is GapKind.TYPE:
        sent = _describe_type(gap.produced or {})
        return f"{case.consumer_label} takes '{gap.path}' as {kind}, and {case.producer_label} sends it as {sent}."
    if gap.kind is GapKind.OPTIONAL:
        return f"{case.consumer_label} requires '{gap.path}', and {case.producer_label} may leave it out."
    fitting = {name for name, _ in rank_candidates(gap, case.mismatch, case.sent, case.taken)}
    other = [n for n in gap.unclaimed if n not in fitting]
    also = f" (it also sends {', '.join(map(repr, other))}, of another type)" if other else ""
    return f"{case.consumer_label} requires '{gap.path}' ({kind}), and {case.producer_label} does not send it{also}."


def _describe_type(schema: Mapping[str, Any]) -> str:
    """A type as it may stand in a sentence."""
    text = render_annotation(schema)
    return text if text is not None and len(text) <= LONGEST else str(schema.get("type") or "another type")


def _list_options(case: MismatchCase, gap: Gap, fallen: Collection[frozenset[str]]) -> Iterator[Option]:
    path, me, sender = gap.path, case.consumer_label, case.producer_label
    if gap.kind is GapKind.TYPE:
        wider = repairs.widen_type(case, gap, [ANSWERED])
        if wider is not None:
            more = _describe_added_type(gap, str(wider.diff[0]["type"]))
            asks = f"May {path} be {more}, too? No test shows that {me} can take it."
            says = f"{me} takes both types from now on; no test shows that its code can"
            yield Option(BOTH, f"{path} may be {more}, too", asks, says, wider)
        return
    if gap.kind is GapKind.MISSING:
        for other, hints in rank_candidates(gap, case.mismatch, case.sent, case.taken):
            hint = f"; for it speaks: {'; '.join(hints)}" if hints else ""
            asks = f"Is {path} in {me} the same as {other}?"
            renamed = repairs.rename_field(case, gap, other, [ANSWERED])
            mapped = repairs.map_field(case, gap, other, [ANSWERED])
            if mapped is not None and frozenset({renamed.summary}) in fallen:
                says = f"'{path}' is mapped from '{other}', which {sender} sends{hint}"
                yield Option(other, f"{path} is given {other}", asks, says, mapped)
                continue
            says = f"'{path}' becomes '{other}', which {sender} sends{hint}"
            yield Option(other, f"{path} becomes {other}", asks, says, renamed)
        if (handed := pass_field_on(case, gap, [ANSWERED])) is not None:
            label, asks = f"{sender} hands on {path}", f"Shall {sender} hand on {path}?"
            yield Option(PASS, label, asks, f"{sender} hands on the '{path}' that it receives", handed)
    if case.can_lack(path):
        asks = f"May {path} be left out? {me} has a default for it."
        says = f"'{path}' becomes optional; {me} has a default for it"
        yield Option(WITHOUT, f"{path} may be left out", asks, says, repairs.make_optional(case, gap, [ANSWERED]))


def _describe_added_type(gap: Gap, wider: str) -> str:
    """What a field may be beside what it may be now: in words where there is one for it."""
    own = render_annotation(gap.consumed)
    now = split_union(own) if own is not None else []
    added = [part for part in split_union(wider) if part not in now]
    return " or ".join(KINDS.get(part, part) for part in added or [wider])


def _describe_old_value(case: MismatchCase, gap: Gap) -> str:
    """What is to be said of a field that the producer receives round a cycle: it is shown, and never passed on."""
    if gap.kind is not GapKind.MISSING or not case.mismatch.get("in_cycle") or case.find_passable_schema(gap) is None:
        return ""
    return f"The '{gap.path}' that {case.producer_label} receives is the value of the round before."


def _build_candidate_proposal(case: MismatchCase, repair: Repair) -> Mapping[str, Any]:
    return {
        "type": "breaking_change" if repair.breaking else "schema_extension",
        "intent": "align_schemas",
        "diff": [dict(op) for op in repair.diff],
        "summary": repair.summary,
        "rationale": repair.rationale,
        "affected_agents": sorted({case.producer["name"], case.consumer["name"]} - {case.me["name"]}),
        "confidence": CONFIDENCE[EvidenceKind.ANSWER],
    }


# What a rule negotiator answers when it is asked to propose: repairs, questions, and why it says no more.


JOINED = "; "  # between the summaries of repairs that are proposed together


def propose(about: Mapping[str, Any]) -> dict[str, Any]:
    """The repairs of this agent's mismatches as one proposal, or none. What fell once is not said again.

    `questions`: what a person, a model or a script must decide. `left`: gap by gap, why nothing is proposed.
    """
    fallen = _list_fallen(about)
    chosen: list[Repair] = []
    questions: list[dict[str, Any]] = []
    gaps_left: list[dict[str, str]] = []
    for mismatch in about.get("mismatches", ()):
        case = MismatchCase.from_mismatch(about, mismatch)
        if case is None:
            continue
        candidates_of = {gap.path: list_repairs(case, gap) for gap in case.gaps}
        # Where one field of a link could not be renamed, none is: whatever reads the method's fields in a way that
        # nobody follows reads them all.
        any_fell = any(_list_renames(r) & {*chain.from_iterable(fallen)} for r in chain(*candidates_of.values()))
        for gap in case.gaps:
            candidates = candidates_of[gap.path]
            falls = [why for repair in candidates if (why := fallen.get(frozenset({repair.summary}))) is not None]
            fell = falls[0] if falls else None
            left = [repair for repair in candidates if frozenset({repair.summary}) not in fallen]
            if any_fell:
                left.sort(key=lambda repair: bool(_list_renames(repair)))
            if left:
                chosen.append(left[0])
            elif not _is_mine_to_ask(case, gap):
                gaps_left += [_report_gap(case, gap.path, f"it was proposed and fell: {fell}")] if fell else []
            elif (open_question := build_question(case, gap, fell or "", fallen)) is not None:
                questions.append(open_question)
            elif case.consumer["name"] == case.me["name"]:
                gaps_left.append(_report_gap(case, gap.path, explain_nothing(case, gap)))
    chosen = _select_disjoint(chosen)
    if frozenset(r.summary for r in chosen) in fallen:  # together they fell: one by one
        chosen = chosen[:1]
    limit = about.get("limits", {}).get("proposals_this_round", 1)
    answer: dict[str, Any] = {"proposals": [_build_proposal(about, chosen)] if chosen and limit >= 1 else []}
    return answer | ({"questions": questions} if questions else {}) | ({"left": gaps_left} if gaps_left else {})


def _list_renames(repair: Repair) -> set[str]:
    """A repair's summary, if it renames a field."""
    return {repair.summary} if any(op["op"] == "rename_field" for op in repair.diff) else set()


def _is_mine_to_ask(case: MismatchCase, gap: Gap) -> bool:
    """The consumer asks once its producer has had its say; the producer, at once, where it alone sees a way."""
    if case.consumer["name"] == case.me["name"]:
        return case.is_late
    return repair_as_consumer(case, gap) is None and pass_field_on(case, gap, [ANSWERED]) is not None


def _list_fallen(about: Mapping[str, Any]) -> dict[frozenset[str], str]:
    """The repairs that were refused together, with the reason. One whose ground only moved is not among them."""
    return {
        frozenset(h["summary"].split(JOINED)): f"{h['summary']} ({h.get('why') or h['outcome']})."
        for h in about.get("history", ())
        if h.get("role") == "proposer" and h.get("outcome") not in ("committed", "deferred", "superseded")
    }


def _select_disjoint(candidates: list[Repair]) -> list[Repair]:
    """Repairs that touch no field twice, the first of those that do."""
    selected: list[Repair] = []
    used: set[str] = set()
    for repair in candidates:
        addresses = {_make_address(op) for op in repair.diff}
        if not addresses & used:
            used |= addresses
            selected.append(repair)
    return selected


def _report_gap(case: MismatchCase, field: str, why: str) -> dict[str, str]:
    return {"link": case.link_id, "field": field, "why": why}


def _build_proposal(about: Mapping[str, Any], chosen: list[Repair]) -> dict[str, Any]:
    me = about["card"]["name"]
    peers = {
        end["node"]
        for m in about.get("mismatches", ())
        for end in (m["link"]["producer"], m["link"]["consumer"])
        if end["node"] != me
    }
    sure = min(rate_confidence(r.rests_on) for r in chosen)  # a chain is as sure as its weakest part
    return {
        "type": "breaking_change" if any(r.breaking for r in chosen) else "schema_extension",
        "intent": "align_schemas",
        "diff": [dict(op) for r in chosen for op in r.diff],
        "summary": JOINED.join(r.summary for r in chosen),
        "rationale": " ".join(dict.fromkeys(r.rationale for r in chosen)) + _describe_evidence(chosen, sure),
        "affected_agents": sorted(peers),
        "confidence": sure,
    }


def _describe_evidence(chosen: list[Repair], sure: float) -> str:
    """Which evidence, and what it is worth."""
    evidence: dict[Evidence, None] = {e: None for r in chosen for e in r.rests_on}
    return f" Evidence ({sure:g}): {'; '.join(f'{e.kind}: {e}' for e in evidence)}."


def _make_address(op: Mapping[str, Any]) -> str:
    return f"{op['node']}.{op.get('method')}.{op.get('side')}.{op.get('field')}"
