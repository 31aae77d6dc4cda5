"""The repairs that evidence allows, from either end of a link. No evidence, no repair: then `open_questions` asks.

A link has two ends, and both are asked at once. So that they do not mend the same gap twice, the order is fixed:

    1  the producer, where its code already does what the consumer needs and only its contract does not say so
    2  the consumer: a field under another name, with evidence; a field that it can do without
    3  the producer: a field that it receives, or that its own producer sends, and could pass on
    4  the consumer, a round later: a wider type, where its body takes it

Each end can tell from what both see whether the other one goes first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from graphbus_core.contracts.gaps import Gap, JsonSchema, Kind, fits
from graphbus_core.participants.rules import names, own_source, takes
from graphbus_core.participants.rules.annotations import annotation, widened
from graphbus_core.participants.rules.evidence import Evidence, EvidenceKind, candidates, last, meant
from graphbus_core.participants.rules.mismatch import Card, Case, method_of, sent_by


@dataclass(frozen=True)
class Repair:
    """A diff that closes one gap, why, and what it rests on."""

    diff: tuple[Mapping[str, Any], ...]
    summary: str
    rationale: str
    rests_on: tuple[Evidence, ...]
    breaking: bool = False


def repair(case: Case, gap: Gap) -> Repair | None:
    """What this agent proposes for a gap of its own accord."""
    found = None
    if case.producer["name"] == case.me["name"]:
        found = as_producer(case, gap)
    if found is None and case.consumer["name"] == case.me["name"]:
        found = as_consumer(case, gap)
    return found


# ---- the consumer


def as_consumer(case: Case, gap: Gap) -> Repair | None:
    """Another name with evidence; a default where nothing sent could be meant; a wider type that the body takes."""
    if gap.kind is Kind.MISSING and (found := meant(gap, case.mismatch, case.sent, case.taken)) is not None:
        return None if _meant_beside(case, gap, found[0]) else rename(case, gap, *found)
    if goes_without(case, gap):
        return do_without(case, gap)
    if gap.kind is Kind.TYPE and gap.produced is not None and case.is_late and why_not_wider(case, gap) is None:
        return widen(case, gap)
    return None


def _meant_beside(case: Case, gap: Gap, other: str) -> bool:
    """Whether another producer of the same method is backed as well, by a field of another name."""
    for one in case.beside():
        for same in one.gaps:
            if same.path == gap.path and same.kind is Kind.MISSING:
                found = meant(same, one.mismatch, one.sent, one.taken)
                if found is not None and found[0] != other:
                    return True
    return False


def goes_without(case: Case, gap: Gap) -> bool:
    """Whether a default is all that can be meant: where a field is sent that could be it, a default hides the loss."""
    if gap.kind not in (Kind.MISSING, Kind.OPTIONAL) or not case.can_lack(gap.path):
        return False
    return gap.kind is Kind.OPTIONAL or not candidates(gap, case.sent, case.taken)


def rename(case: Case, gap: Gap, other: str, why: list[Evidence]) -> Repair:
    """The consumer's field under the producer's name."""
    place = {"node": case.consumer["name"], "method": case.method, "side": "input", "field": gap.path}
    told = "; ".join(map(str, why))
    return Repair(
        ({"op": "rename_field", **place, "to": other},),
        f"Rename '{gap.path}' to '{other}' in the input of {case.user}",
        f"{case.source} sends '{other}' and never '{last(gap.path)}'. They are the same data: {told}.",
        tuple(why),
        breaking=True,
    )


def do_without(case: Case, gap: Gap) -> Repair:
    """The consumer's field as an optional one."""
    place = {"node": case.consumer["name"], "method": case.method, "side": "input", "field": gap.path}
    return Repair(
        ({"op": "set_optional", **place, "optional": True},),
        f"Make '{gap.path}' optional in the input of {case.user}",
        f"{case.source} may leave '{last(gap.path)}' out, and {case.user} has a default for it.",
        (Evidence(EvidenceKind.DEFAULT, f"{case.user} has a default for '{gap.path}'"),),
    )


def widen(case: Case, gap: Gap) -> Repair | None:
    """The consumer's field with the producer's type beside its own."""
    wider = widened(gap.consumed, gap.produced or {})
    if wider is None:
        return None
    place = {"node": case.consumer["name"], "method": case.method, "side": "input", "field": gap.path}
    return Repair(
        ({"op": "retype_field", **place, "type": wider},),
        f"Accept {wider} for '{gap.path}' in the input of {case.user}",
        f"{case.source} sends another type of '{last(gap.path)}' than {case.user} takes; taking both breaks nobody.",
        (Evidence(EvidenceKind.BODY, f"every use of '{gap.path}' in {case.user} takes {wider}"),),
    )


def why_not_wider(case: Case, gap: Gap) -> str | None:
    """Why the consumer cannot take the producer's type beside its own; None where its body does."""
    wider, mine = widened(gap.consumed, gap.produced or {}), annotation(gap.consumed)
    if wider is None or mine is None:
        return "the wider type cannot be written there"
    function = own_source.method(case.consumer.get("source", ""), case.method)
    if function is None:
        return f"the source of {case.user} is not shown"
    heads = list(takes.parts(wider))
    if len(heads) > len(
        set(heads)
    ):  # `list[int] | list[int | None]`: a use of the container says nothing of what is in it
        return f"what is inside of '{gap.path}' would be of another type"
    own = frozenset(takes.parts(mine))
    return takes.cannot_take(function, gap.path, own, frozenset(takes.parts(wider)) - own)


# ---- the producer


@dataclass(frozen=True)
class RepairSite:
    """Where a producer could give more: the method that gives it, and the address of the field."""

    me: Card
    method: str
    function: own_source.Function | None
    address: Mapping[str, Any]
    topic: str | None

    @classmethod
    def of(cls, case: Case, gap: Gap) -> RepairSite | None:
        """None where the method is not known, or the field lies deeper."""
        topic, name = case.link["producer"].get("topic"), case.producing
        if not name or "[" in gap.path or "." in gap.path:
            return None
        end = {"topic": topic, "side": "payload"} if topic else {"method": name, "side": "output"}
        function = own_source.method(case.producer.get("source", ""), name)
        return cls(case.producer, name, function, {"node": case.producer["name"], **end, "field": gap.path}, topic)

    @property
    def contract(self) -> JsonSchema:
        """The method's input contract."""
        return method_of(self.me, self.method).get("input") or {}

    @property
    def side(self) -> str:
        """The contract that the field is added to, in words."""
        name = self.me["name"]
        return f"what {name} publishes to {self.topic}" if self.topic else f"the output of {name}.{self.method}"

    def given(self) -> own_source.Returned | None:
        """What the method gives every time, if its source says so plainly."""
        if self.function is None:
            return None
        types = {field: annotation(schema) for field, schema in self.contract.get("properties", {}).items()}
        return own_source.given(self.function, self.topic, own_source.input_types(self.contract, types))

    def reach(self, field: str) -> str | None:
        """How the method's code reaches a field of its input."""
        return None if self.function is None else own_source.reach(self.function, field)


def as_producer(case: Case, gap: Gap) -> Repair | None:
    """What the code gives already; else a field that is received under this name and can be handed on."""
    at = RepairSite.of(case, gap)
    if at is None:
        return None
    given = at.given()
    if given is not None and gap.path in given.always and (found := _declare(case, gap, at, given)) is not None:
        return found
    if gap.kind is not Kind.MISSING or why_not_passed(case, gap) is not None:
        return None
    return pass_on(case, gap, at)


def _declare(case: Case, gap: Gap, at: RepairSite, given: own_source.Returned) -> Repair | None:
    """A contract that says what the code does."""
    kind, wanted, who = given.types.get(gap.path), annotation(gap.consumed), f"{at.me['name']}.{at.method}"
    seen = (Evidence(EvidenceKind.CODE, f"{who} gives '{gap.path}' every time"),)
    if gap.kind is Kind.OPTIONAL:
        return Repair(
            ({"op": "set_optional", **at.address, "optional": False},),
            f"Promise '{gap.path}' in {at.side}",
            f"{who} gives '{gap.path}' every time, and {case.user} needs it.",
            seen,
        )
    if gap.kind is Kind.MISSING and (kind or wanted) is not None:
        return Repair(
            ({"op": "add_field", **at.address, "type": kind or wanted},),
            f"Declare '{gap.path}' in {at.side}",
            f"{who} gives '{gap.path}' every time already; only its contract does not say so.",
            seen,
        )
    if gap.kind is Kind.TYPE and kind is not None and kind == wanted:
        return Repair(
            ({"op": "retype_field", **at.address, "type": kind},),
            f"Declare '{gap.path}' as {kind} in {at.side}",
            f"What {who} gives as '{gap.path}' is a {kind}; its contract says otherwise.",
            seen,
            breaking=True,
        )
    return None


def why_not_passed(case: Case, gap: Gap) -> str | None:
    """Why the producer does not hand on what it receives under this name, of its own accord; None where it does.

    The same name one stage earlier is evidence only where nothing else could be meant, and where the name keeps its
    meaning from stage to stage. Round a cycle it would be the value of the round before.
    """
    if case.mismatch.get("in_cycle"):
        return "the two feed each other, so what the producer received is the value of the round before"
    if meant(gap, case.mismatch, case.sent, case.taken) is not None:
        return "the consumer goes by another name"
    if rivals := candidates(gap, case.sent, case.taken):
        return f"{case.source} also sends {', '.join(map(repr, rivals))}, which could be meant"
    if case.makes_of(gap.path):
        return f"{case.source} makes something of the '{gap.path}' that it receives, and the new one may be meant"
    if names.is_bare(last(gap.path)):
        return f"'{gap.path}' speaks of whoever sends it, and the one that was received may be another"
    parameters = method_of(case.consumer, case.method).get("parameters", ())
    if any(p["name"] == gap.path and p.get("default") is not None for p in parameters):
        return "the consumer has a default for it"
    return None


def pass_on(case: Case, gap: Gap, at: RepairSite) -> Repair | None:
    """Hand on what is received; or take it from upstream first, where everything that feeds this method sends it."""
    name, whose = gap.path, f"{at.me['name']}.{at.method}"
    wanted, expression = annotation(gap.consumed), at.reach(name)
    if expression is None or at.given() is None:
        return None
    seen = (Evidence(EvidenceKind.PASSED, f"{whose} receives '{name}' and leaves it as it is"),)
    received = at.contract.get("properties", {}).get(name)
    if received is not None:
        if case.could_pass(gap) is None:
            return None
        return Repair(
            ({"op": "add_field", **at.address, "type": annotation(received), "default": expression},),
            f"Pass '{name}' on in {at.side}",
            f"{case.user} needs '{name}'; {whose} receives it and can hand it on unchanged.",
            seen,
        )
    if wanted is None or not _upstream_sends(case, at, name, gap.consumed):
        return None
    take = {
        "op": "add_field",
        "node": at.me["name"],
        "method": at.method,
        "side": "input",
        "field": name,
        "type": wanted,
    }
    return Repair(
        (take, {"op": "add_field", **at.address, "type": wanted, "default": expression}),
        f"Take '{name}' in {whose} and pass it on",
        f"{case.user} needs '{name}', which stands upstream of {at.me['name']}. Passing it on changes nothing else.",
        (Evidence(EvidenceKind.PASSED, f"everything that feeds {whose} sends '{name}'"),),
    )


def _upstream_sends(case: Case, at: RepairSite, name: str, wanted: JsonSchema) -> bool:
    """Whether everything that feeds this method sends the field, always, in a type that fits."""
    feeds = [
        link
        for link in case.about.get("links", ())
        if link["consumer"]["node"] == at.me["name"] and link["consumer"]["method"] == at.method
    ]
    cards = {c["name"]: c for c in case.about.get("neighbours", ())}
    for link in feeds:
        card = cards.get(link["producer"]["node"])
        sent = sent_by(card, link["producer"]) if card else None
        if sent is None or name not in sent.get("required", ()):
            return False
        if not fits(sent["properties"][name], sent, wanted, case.taken):
            return False
    return bool(feeds)
