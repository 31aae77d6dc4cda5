"""The repairs that evidence allows, from either end of a link. No evidence, no repair: then a question is asked.

A link has two ends, and both are asked at once. So that they do not mend the same gap twice, the order is fixed:

    1  the producer, where its code already does what the consumer needs and only its contract does not say so
    2  the consumer: a field under another name, with evidence; a field that a passing test goes without, or sends in
       the producer's type

What the producer could hand on of what it receives is only asked: it may have become stale.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from graphbus_core.contracts.check import Gap, GapKind, JsonSchema, is_field_compatible
from graphbus_core.participants.rules import method_source
from graphbus_core.participants.rules.evidence import (
    Evidence,
    EvidenceKind,
    extract_field_name,
    find_meant_field,
    find_passed,
    find_test,
    is_read_by_name,
)
from graphbus_core.participants.rules.mismatch_case import (
    Card,
    MismatchCase,
    find_method,
    find_sent_schema,
    render_annotation,
    widen_annotation,
)

ANSWERED = Evidence(EvidenceKind.ANSWER, "somebody who was asked says so")


@dataclass(frozen=True)
class Repair:
    """A diff that closes one gap, why, and what it rests on."""

    diff: tuple[Mapping[str, Any], ...]
    summary: str
    rationale: str
    rests_on: tuple[Evidence, ...]
    breaking: bool = False


def find_repair(case: MismatchCase, gap: Gap) -> Repair | None:
    """What this agent proposes for a gap of its own accord."""
    proposed = None
    if case.producer["name"] == case.me["name"]:
        proposed = repair_as_producer(case, gap)
    if proposed is None and case.consumer["name"] == case.me["name"]:
        proposed = repair_as_consumer(case, gap)
    return proposed


def list_repairs(case: MismatchCase, gap: Gap) -> list[Repair]:
    """The repairs of a gap, the best first; a later one closes the same gap where an earlier one falls.

    A field of a topic is mapped where it is delivered rather than renamed, unless an alias says that both names are
    one: whoever calls the handler with a payload of its own goes on as before. A field that another method gives is
    renamed, and mapped only where the rename cannot be followed to everybody: it falls, or a decorator may read names.
    """
    first = find_repair(case, gap)
    if first is None or case.consumer["name"] != case.me["name"] or first.diff[0]["op"] != "rename_field":
        return [first] if first is not None else []
    mapped = map_field(case, gap, str(first.diff[0]["to"]), [*first.rests_on])
    if is_read_by_name(gap, case.mismatch):
        return [mapped] if mapped is not None else []
    if mapped is None:
        return [first]
    is_declared = any(evidence.kind is EvidenceKind.ALIAS for evidence in first.rests_on)
    is_delivered = case.link["producer"].get("topic") is not None
    return [mapped, first] if is_delivered and not is_declared else [first, mapped]


# ---- the consumer


def repair_as_consumer(case: MismatchCase, gap: Gap) -> Repair | None:
    """Another name with evidence; what a passing test does without, or sends in another type."""
    if gap.kind is GapKind.MISSING:
        meant_field = find_meant_field(gap, case.mismatch, case.sent, case.taken)
        if meant_field is not None:
            return None if _is_meant_by_sibling(case, gap, meant_field[0]) else rename_field(case, gap, *meant_field)
    tests = find_test(gap, case.mismatch)
    if not tests:
        return None
    if gap.kind is GapKind.TYPE:
        return widen_type(case, gap, tests)
    return make_optional(case, gap, tests) if case.can_lack(gap.path) else None


def _is_meant_by_sibling(case: MismatchCase, gap: Gap, other: str) -> bool:
    """Whether another producer of the same method is backed as well, by a field of another name."""
    for sibling in case.list_siblings():
        for same in sibling.gaps:
            if same.path == gap.path and same.kind is GapKind.MISSING:
                meant_field = find_meant_field(same, sibling.mismatch, sibling.sent, sibling.taken)
                if meant_field is not None and meant_field[0] != other:
                    return True
    return False


def rename_field(case: MismatchCase, gap: Gap, other: str, why: list[Evidence]) -> Repair:
    """The consumer's field under the producer's name."""
    place = {"node": case.consumer["name"], "method": case.method, "side": "input", "field": gap.path}
    reasons = "; ".join(map(str, why))
    return Repair(
        ({"op": "rename_field", **place, "to": other},),
        f"Rename '{gap.path}' to '{other}' in the input of {case.consumer_label}",
        f"{case.producer_label} sends '{other}' and never '{extract_field_name(gap.path)}'. They are the same "
        f"data: {reasons}.",
        tuple(why),
        breaking=True,
    )


def map_field(case: MismatchCase, gap: Gap, other: str, why: list[Evidence]) -> Repair | None:
    """The producer's field under the consumer's own name where the link is declared, so that neither end changes."""
    end, origin = case.link["producer"], case.link.get("origin")
    if origin not in ("topic", "method") or "." in gap.path or "[" in gap.path:
        return None
    declared = {"producer": f"{end['node']}.{end['method']}"}
    if origin == "topic":
        # One that is heard by a pattern is mapped there: what does not send the field arrives as it did.
        heard = [s["topic"] for s in case.consumer.get("subscriptions", ()) if s["handler"] == case.method]
        declared = {"topic": end["topic"] if end["topic"] in heard or len(heard) != 1 else heard[0]}
    place = {"node": case.consumer["name"], "method": case.method, **declared, "field": gap.path}
    return Repair(
        ({"op": "map_field", **place, "source": other},),
        f"{'Deliver' if origin == 'topic' else 'Map'} '{other}' to {case.consumer_label} as '{gap.path}'",
        f"{case.producer_label} sends '{other}', which {case.consumer_label} calls '{gap.path}'; what calls it under "
        f"that name goes on as before.",
        tuple(why),
    )


def make_optional(case: MismatchCase, gap: Gap, why: list[Evidence]) -> Repair:
    """The consumer's field as an optional one."""
    place = {"node": case.consumer["name"], "method": case.method, "side": "input", "field": gap.path}
    return Repair(
        ({"op": "set_optional", **place, "optional": True},),
        f"Make '{gap.path}' optional in the input of {case.consumer_label}",
        f"{case.producer_label} may leave '{extract_field_name(gap.path)}' out, and {case.consumer_label} has "
        f"a default for it.",
        tuple(why),
    )


def widen_type(case: MismatchCase, gap: Gap, why: list[Evidence]) -> Repair | None:
    """The consumer's field with the producer's type beside its own."""
    wider = widen_annotation(gap.consumed, gap.produced or {})
    if wider is None:
        return None
    place = {"node": case.consumer["name"], "method": case.method, "side": "input", "field": gap.path}
    return Repair(
        ({"op": "retype_field", **place, "type": wider},),
        f"Accept {wider} for '{gap.path}' in the input of {case.consumer_label}",
        f"{case.producer_label} sends another type of '{extract_field_name(gap.path)}' than "
        f"{case.consumer_label} takes; taking both breaks nobody.",
        tuple(why),
    )


# ---- the producer


@dataclass(frozen=True)
class RepairSite:
    """Where a producer could give more: the method that gives it, and the address of the field."""

    me: Card
    method: str
    function: method_source.Function | None
    address: Mapping[str, Any]
    topic: str | None

    @classmethod
    def from_case(cls, case: MismatchCase, gap: Gap) -> RepairSite | None:
        """None where the method is not known, or the field lies deeper."""
        topic, name = case.link["producer"].get("topic"), case.producer_method
        if not name or "[" in gap.path or "." in gap.path:
            return None
        end = {"topic": topic, "side": "payload"} if topic else {"method": name, "side": "output"}
        function = method_source.find_definition(case.producer.get("source", ""), name)
        return cls(case.producer, name, function, {"node": case.producer["name"], **end, "field": gap.path}, topic)

    @property
    def contract(self) -> JsonSchema:
        """The method's input contract."""
        return find_method(self.me, self.method).get("input") or {}

    @property
    def side(self) -> str:
        """The contract that the field is added to, in words."""
        name = self.me["name"]
        return f"what {name} publishes to {self.topic}" if self.topic else f"the output of {name}.{self.method}"

    def find_returned_keys(self) -> method_source.ReturnedKeys | None:
        """What the method gives every time, if its source says so plainly."""
        if self.function is None:
            return None
        types = {field: render_annotation(schema) for field, schema in self.contract.get("properties", {}).items()}
        return method_source.find_returned_keys(
            self.function, self.topic, method_source.list_input_types(self.contract, types)
        )

    def find_access(self, field: str) -> str | None:
        """How the method's code reaches a field of its input."""
        return None if self.function is None else method_source.find_access(self.function, field)


def repair_as_producer(case: MismatchCase, gap: Gap) -> Repair | None:
    """What the code gives already; what it could hand on, where the program hands the same round it today."""
    site = RepairSite.from_case(case, gap)
    if site is None:
        return None
    if (passed := find_passed(gap, case.mismatch)) and (handed := pass_field_on(case, gap, passed)) is not None:
        return handed
    returned = site.find_returned_keys()
    if returned is None or gap.path not in returned.always:
        return None
    return _declare_field(case, gap, site, returned)


def _declare_field(
    case: MismatchCase, gap: Gap, site: RepairSite, returned: method_source.ReturnedKeys
) -> Repair | None:
    """A contract that says what the code does."""
    kind, wanted_type, who = (
        returned.types.get(gap.path),
        render_annotation(gap.consumed),
        f"{site.me['name']}.{site.method}",
    )
    evidence = (Evidence(EvidenceKind.CODE, f"{who} gives '{gap.path}' every time"),)
    if gap.kind is GapKind.OPTIONAL:
        return Repair(
            ({"op": "set_optional", **site.address, "optional": False},),
            f"Promise '{gap.path}' in {site.side}",
            f"{who} gives '{gap.path}' every time, and {case.consumer_label} needs it.",
            evidence,
        )
    if gap.kind is GapKind.MISSING and (kind or wanted_type) is not None:
        return Repair(
            ({"op": "add_field", **site.address, "type": kind or wanted_type},),
            f"Declare '{gap.path}' in {site.side}",
            f"{who} gives '{gap.path}' every time already; only its contract does not say so.",
            evidence,
        )
    if gap.kind is GapKind.TYPE and kind is not None and kind == wanted_type:
        return Repair(
            ({"op": "retype_field", **site.address, "type": kind},),
            f"Declare '{gap.path}' as {kind} in {site.side}",
            f"What {who} gives as '{gap.path}' is a {kind}; its contract says otherwise.",
            evidence,
            breaking=True,
        )
    return None


def pass_field_on(case: MismatchCase, gap: Gap, why: list[Evidence]) -> Repair | None:
    """Hand on what the producer receives; or take it from upstream first, where everything that feeds it sends it.

    By itself it is only asked: what was received a stage before may be stale, or another's. Round a cycle it would be
    the value of the round before, and is not even offered.
    """
    site = None if case.mismatch.get("in_cycle") else RepairSite.from_case(case, gap)
    if site is None or gap.kind is not GapKind.MISSING:
        return None
    name, whose = gap.path, f"{site.me['name']}.{site.method}"
    wanted_type, expression = render_annotation(gap.consumed), site.find_access(name)
    if expression is None or site.find_returned_keys() is None:
        return None
    received = site.contract.get("properties", {}).get(name)
    if received is not None:
        if case.find_passable_schema(gap) is None:
            return None
        return Repair(
            ({"op": "add_field", **site.address, "type": render_annotation(received), "default": expression},),
            f"Pass '{name}' on in {site.side}",
            f"{case.consumer_label} needs '{name}'; {whose} receives it and can hand it on unchanged.",
            tuple(why),
        )
    if wanted_type is None or not _is_sent_upstream(case, site, name, gap.consumed):
        return None
    take = {
        "op": "add_field",
        "node": site.me["name"],
        "method": site.method,
        "side": "input",
        "field": name,
        "type": wanted_type,
    }
    return Repair(
        (take, {"op": "add_field", **site.address, "type": wanted_type, "default": expression}),
        f"Take '{name}' in {whose} and pass it on",
        f"{case.consumer_label} needs '{name}', which stands upstream of {site.me['name']}. Passing it on "
        f"changes nothing else.",
        tuple(why),
    )


def _is_sent_upstream(case: MismatchCase, site: RepairSite, name: str, wanted_schema: JsonSchema) -> bool:
    """Whether everything that feeds this method sends the field, always, in a type that fits."""
    feeds = [
        link
        for link in case.about.get("links", ())
        if link["consumer"]["node"] == site.me["name"] and link["consumer"]["method"] == site.method
    ]
    cards = {c["name"]: c for c in case.about.get("neighbours", ())}
    for link in feeds:
        card = cards.get(link["producer"]["node"])
        sent = find_sent_schema(card, link["producer"]) if card else None
        if sent is None or name not in sent.get("required", ()):
            return False
        if not is_field_compatible(sent["properties"][name], sent, wanted_schema, case.taken):
            return False
    return bool(feeds)
