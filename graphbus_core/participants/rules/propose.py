"""What a rule negotiator proposes: repairs of its own mismatches, where one answer is clearly least breaking.

A link has two ends, and both are asked at once. So that they do not mend the same gap twice, the order is fixed:

    1  the producer, where its code already does what the consumer needs and only its contract does not say so
    2  the consumer: a field under another name; a field that it can do without
    3  the producer: a field that it receives, or that its own producer sends, and could pass on
    4  the consumer, a round later: a wider type

Each end can tell from what both see whether the other one goes first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from graphbus_core.contracts.gaps import Gap, JsonSchema, Kind, fits, gaps, resolve
from graphbus_core.participants.rules import own_source
from graphbus_core.participants.rules.words import annotation, widened

Card = Mapping[str, Any]
JOINED = "; "  # between the summaries of repairs that are proposed together
SIMILAR = 0.6  # names at least this alike are taken for two names of one thing


@dataclass(frozen=True)
class Repair:
    """A diff that closes one gap, and why."""

    diff: tuple[Mapping[str, Any], ...]
    summary: str
    rationale: str
    breaking: bool = False


def propose(about: Mapping[str, Any]) -> dict[str, Any]:
    """The repairs of this agent's mismatches as one proposal, or none. What fell once is not said again."""
    me = about["card"]
    limit = about.get("limits", {}).get("proposals_this_round", 1)
    fallen = [
        set(h["summary"].split(JOINED))
        for h in about.get("history", ())
        if h.get("role") == "proposer" and h.get("outcome") not in ("committed", "deferred")
    ]
    made: list[Repair] = []
    taken: set[str] = set()
    for mismatch in about.get("mismatches", ()):
        for repair in _repairs(about, me, mismatch):
            addresses = {_address(op) for op in repair.diff}
            if addresses & taken or {repair.summary} in fallen:
                continue
            taken |= addresses
            made.append(repair)
    if {r.summary for r in made} in fallen:  # together they fell: one by one
        made = made[:1]
    if not made or limit < 1:
        return {"proposals": []}
    return {"proposals": [_proposal(about, made)]}


def _proposal(about: Mapping[str, Any], repairs: list[Repair]) -> dict[str, Any]:
    me = about["card"]["name"]
    peers = {
        end["node"]
        for m in about.get("mismatches", ())
        for end in (m["link"]["producer"], m["link"]["consumer"])
        if end["node"] != me
    }
    return {
        "type": "breaking_change" if any(r.breaking for r in repairs) else "schema_extension",
        "intent": "align_schemas",
        "diff": [dict(op) for r in repairs for op in r.diff],
        "summary": JOINED.join(r.summary for r in repairs),
        "rationale": " ".join(dict.fromkeys(r.rationale for r in repairs)),
        "affected_agents": sorted(peers),
        "confidence": 0.9,
    }


def _repairs(about: Mapping[str, Any], me: Card, mismatch: Mapping[str, Any]) -> Iterator[Repair]:
    link = mismatch["link"]
    cards = {c["name"]: c for c in (*about.get("neighbours", ()), me)}
    producer, consumer = cards.get(link["producer"]["node"]), cards.get(link["consumer"]["node"])
    if producer is None or consumer is None:
        return
    sent, taken = _sent(producer, link["producer"]), _taken(consumer, link["consumer"])
    if sent is None or taken is None:
        return
    for gap in gaps(sent, taken):
        repair = None
        if producer["name"] == me["name"]:
            repair = _as_producer(about, me, consumer, link, gap, sent, taken)
        if repair is None and consumer["name"] == me["name"]:
            repair = _as_consumer(about, me, producer, link, gap, sent, taken)
        if repair is not None:
            yield repair


def _as_consumer(
    about: Mapping[str, Any], me: Card, producer: Card, link: Any, gap: Gap, sent: JsonSchema, taken: JsonSchema
) -> Repair | None:
    method = link["consumer"]["method"]
    source = _end(link["producer"])
    place = {"node": me["name"], "method": method, "side": "input", "field": gap.path}
    name = _last(gap.path)
    is_late = about["round"] > 1 or _rounds(about) <= 1  # the producer had the first word
    if gap.kind is Kind.MISSING:
        other = _same_name(gap, sent, taken)
        if other is None and not _can_lack(me, method, gap.path):
            other = _only_one_left(gap, sent, taken, is_late)
        if other is not None:
            return Repair(
                ({"op": "rename_field", **place, "to": other},),
                f"Rename '{gap.path}' to '{other}' in the input of {me['name']}.{method}",
                f"{source} sends '{other}' and never '{name}'; it is the same data under the name its producer uses.",
                breaking=True,
            )
    if gap.kind in (Kind.MISSING, Kind.OPTIONAL) and _can_lack(me, method, gap.path):
        return Repair(
            ({"op": "set_optional", **place, "optional": True},),
            f"Make '{gap.path}' optional in the input of {me['name']}.{method}",
            f"{source} may leave '{name}' out, and {me['name']}.{method} has a default for it.",
        )
    if gap.kind is Kind.TYPE and gap.produced is not None and is_late:
        wider = widened(gap.consumed, gap.produced)
        if wider is not None:
            return Repair(
                ({"op": "retype_field", **place, "type": wider},),
                f"Accept {wider} for '{gap.path}' in the input of {me['name']}.{method}",
                f"{source} sends another type of '{name}' than {me['name']}.{method} takes; taking both breaks nobody.",
            )
    return None


def _as_producer(
    about: Mapping[str, Any], me: Card, consumer: Card, link: Any, gap: Gap, sent: JsonSchema, taken: JsonSchema
) -> Repair | None:
    topic = link["producer"].get("topic")
    source = me.get("source", "")
    name = own_source.publisher(source, topic) if topic else link["producer"]["method"]
    if not name or "[" in gap.path or "." in gap.path:
        return None
    end = {"topic": topic, "side": "payload"} if topic else {"method": name, "side": "output"}
    at = _Place(me, name, own_source.method(source, name), {"node": me["name"], **end, "field": gap.path}, topic)
    user = _end(link["consumer"])
    wanted = annotation(gap.consumed)
    given = at.given()
    if given is not None and gap.path in given.always:
        kind = given.types.get(gap.path)
        if gap.kind is Kind.OPTIONAL:
            return Repair(
                ({"op": "set_optional", **at.address, "optional": False},),
                f"Promise '{gap.path}' in {at.side}",
                f"{me['name']}.{name} gives '{gap.path}' every time, and {user} needs it.",
            )
        if gap.kind is Kind.MISSING and (kind or wanted) is not None:
            return Repair(
                ({"op": "add_field", **at.address, "type": kind or wanted},),
                f"Declare '{gap.path}' in {at.side}",
                f"{me['name']}.{name} gives '{gap.path}' every time already; only its contract does not say so.",
            )
        if gap.kind is Kind.TYPE and kind is not None and kind == wanted:
            return Repair(
                ({"op": "retype_field", **at.address, "type": kind},),
                f"Declare '{gap.path}' as {kind} in {at.side}",
                f"What {me['name']}.{name} gives as '{gap.path}' is a {kind}; its contract says otherwise.",
                breaking=True,
            )
    if gap.kind is not Kind.MISSING or _consumer_goes_first(consumer, link, gap, sent, taken):
        return None
    return _pass_on(about, at, gap, taken, user)


@dataclass(frozen=True)
class _Place:
    """Where a producer could give more: the method that gives it, and the address of the field."""

    me: Card
    method: str
    function: own_source.Function | None
    address: Mapping[str, Any]
    topic: str | None

    @property
    def contract(self) -> JsonSchema:
        """The method's input contract."""
        return _method(self.me, self.method).get("input") or {}

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


def _pass_on(about: Mapping[str, Any], at: _Place, gap: Gap, taken: JsonSchema, user: str) -> Repair | None:
    name, method, whose = gap.path, at.method, at.me["name"]
    received = at.contract.get("properties", {}).get(name)
    wanted, expression = annotation(gap.consumed), at.reach(name)
    if expression is None or at.given() is None:
        return None
    if received is not None:
        kind = annotation(received)
        if kind is None or name not in at.contract.get("required", ()):
            return None
        if not fits(received, at.contract, gap.consumed, taken):
            return None
        return Repair(
            ({"op": "add_field", **at.address, "type": kind, "default": expression},),
            f"Pass '{name}' on in {at.side}",
            f"{user} needs '{name}'; {whose}.{method} receives it and can hand it on unchanged.",
        )
    if wanted is None or not _upstream_sends(about, at.me, method, name, gap.consumed, taken):
        return None
    take = {"op": "add_field", "node": whose, "method": method, "side": "input", "field": name, "type": wanted}
    return Repair(
        (take, {"op": "add_field", **at.address, "type": wanted, "default": expression}),
        f"Take '{name}' in {whose}.{method} and pass it on",
        f"{user} needs '{name}', which stands upstream of {whose}; passing it through changes nothing else.",
    )


def _upstream_sends(about: Mapping[str, Any], me: Card, method: str, name: str, wanted: JsonSchema, root: Any) -> bool:
    """Whether everything that feeds this method sends the field, always, in a type that fits."""
    feeds = [
        link
        for link in about.get("links", ())
        if link["consumer"]["node"] == me["name"] and link["consumer"]["method"] == method
    ]
    cards = {c["name"]: c for c in about.get("neighbours", ())}
    for link in feeds:
        card = cards.get(link["producer"]["node"])
        sent = _sent(card, link["producer"]) if card else None
        if sent is None or name not in sent.get("required", ()):
            return False
        if not fits(sent["properties"][name], sent, wanted, root):
            return False
    return bool(feeds)


def _consumer_goes_first(consumer: Card, link: Any, gap: Gap, sent: JsonSchema, taken: JsonSchema) -> bool:
    """What the producer can see of the consumer's own way out: another name, or a default."""
    method = link["consumer"]["method"]
    return _same_name(gap, sent, taken) is not None or _default(consumer, method, gap.path)


def _same_name(gap: Gap, sent: JsonSchema, taken: JsonSchema) -> str | None:
    """The producer's field that is this one under a name much like it, and fits."""
    name = _last(gap.path)
    near = [(_alike(name, g), g) for g, schema in gap.unclaimed.items() if fits(schema, sent, gap.consumed, taken)]
    near = sorted((one for one in near if one[0] >= SIMILAR), key=lambda one: (-one[0], one[1]))
    if not near or (len(near) > 1 and near[1][0] == near[0][0]):
        return None
    likeness, other = near[0]
    return None if any(_alike(u, other) > likeness for u in gap.unmet if u != name) else other


def _only_one_left(gap: Gap, sent: JsonSchema, taken: JsonSchema, is_late: bool) -> str | None:
    """The producer's field that must be meant, whatever its name: nothing else is left on either side that fits.

    A bare text or number fits too much to be sure of where the producer has other fields left, or may yet pass on
    the one that is asked for.
    """
    fitting = [g for g, schema in gap.unclaimed.items() if fits(schema, sent, gap.consumed, taken)]
    if len(fitting) != 1 or len(gap.unmet) != 1:
        return None
    is_telling = resolve(gap.consumed, taken).get("type") in ("array", "object")
    return fitting[0] if is_telling or (is_late and len(gap.unclaimed) == 1) else None


def _alike(a: str, b: str) -> float:
    """How alike two names are, 0 to 1: by their words where they share one, else by their letters."""
    left, right = set(_words(a)), set(_words(b))
    shared = len(left & right) / min(len(left), len(right)) if left and right else 0.0
    return max(shared * 0.95, SequenceMatcher(None, a.lower(), b.lower()).ratio())


def _words(name: str) -> list[str]:
    spaced = "".join(f"_{c.lower()}" if c.isupper() else c for c in name)
    return [w.rstrip("s") or w for w in spaced.split("_") if w]


def _can_lack(me: Card, method: str, path: str) -> bool:
    if "[" in path or path.count(".") > 1:
        return False
    if "." not in path and _default(me, method, path):
        return True
    function = own_source.method(me.get("source", ""), method)
    return function is not None and own_source.may_lack(function, path)


def _default(card: Card, method: str, field: str) -> bool:
    parameters = _method(card, method).get("parameters", ())
    return any(p["name"] == field and p.get("default") is not None for p in parameters)


def _sent(card: Card, end: Mapping[str, Any]) -> JsonSchema | None:
    if end.get("topic"):
        schema = next((t.get("payload") for t in card.get("topics", ()) if t["topic"] == end["topic"]), None)
    else:
        schema = _method(card, end["method"]).get("output")
    return None if schema is None else resolve(schema, schema)


def _taken(card: Card, end: Mapping[str, Any]) -> JsonSchema | None:
    schema = _method(card, end["method"]).get("input")
    return None if schema is None else resolve(schema, schema)


def _method(card: Card, name: str) -> Mapping[str, Any]:
    return next((m for m in card.get("methods", ()) if m["name"] == name), {})


def _rounds(about: Mapping[str, Any]) -> int:
    return int(about.get("limits", {}).get("rounds", 1))


def _end(end: Mapping[str, Any]) -> str:
    return f"{end['node']}.{end['method']}" if end.get("method") else f"{end['node']} on {end['topic']}"


def _last(path: str) -> str:
    return path.replace("[]", "").rsplit(".", 1)[-1]


def _address(op: Mapping[str, Any]) -> str:
    return f"{op['node']}.{op.get('method')}.{op.get('side')}.{op.get('field')}"
