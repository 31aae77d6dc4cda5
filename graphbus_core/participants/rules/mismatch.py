"""One mismatch as a rule negotiator sees it: both ends, their contracts, the gaps between them, and what is known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from graphbus_core.contracts.gaps import Gap, JsonSchema, fits, gaps, resolve
from graphbus_core.model.feeding import met
from graphbus_core.model.graph import Link
from graphbus_core.participants.rules import own_source
from graphbus_core.participants.rules.annotations import annotation

Card = Mapping[str, Any]


@dataclass(frozen=True)
class Case:
    """What is asked, of whom, and how one mismatch stands. `sent` and `taken` are the contracts at its two ends."""

    about: Mapping[str, Any]
    mismatch: Mapping[str, Any]
    me: Card
    producer: Card
    consumer: Card
    sent: JsonSchema
    taken: JsonSchema

    @classmethod
    def of(cls, about: Mapping[str, Any], mismatch: Mapping[str, Any]) -> Case | None:
        """None where an end, or its contract, is not shown."""
        me, link = about["card"], mismatch["link"]
        cards = {c["name"]: c for c in (*about.get("neighbours", ()), me)}
        producer, consumer = cards.get(link["producer"]["node"]), cards.get(link["consumer"]["node"])
        if producer is None or consumer is None:
            return None
        sent, taken = sent_by(producer, link["producer"]), taken_by(consumer, link["consumer"])
        if sent is None or taken is None:
            return None
        at = Link.from_dict(link)
        if at.beside and not at.feeds:  # another producer of a join, or the caller, gives the rest
            taken = (met(at, sent, taken) or (sent, taken))[1]
        return cls(about, mismatch, me, producer, consumer, sent, taken)

    @cached_property
    def gaps(self) -> tuple[Gap, ...]:
        """Every field that does not fit."""
        return gaps(self.sent, self.taken)

    @property
    def link(self) -> Mapping[str, Any]:
        """The link, as a dictionary."""
        return dict(self.mismatch["link"])

    @property
    def link_id(self) -> str:
        """The link's name."""
        return f"{_name(self.link['producer'])} => {_name(self.link['consumer'])}"

    @property
    def source(self) -> str:
        """The producer's end, in words."""
        end = self.link["producer"]
        return f"{end['node']}.{end['method']}" if end.get("method") else f"{end['node']} on {end['topic']}"

    @property
    def user(self) -> str:
        """The consumer's end, in words."""
        return f"{self.consumer['name']}.{self.method}"

    @property
    def method(self) -> str:
        """The consumer's method."""
        return str(self.link["consumer"]["method"])

    @property
    def is_late(self) -> bool:
        """Whether the producer has had the first word."""
        return int(self.about["round"]) > 1 or int(self.about.get("limits", {}).get("rounds", 1)) <= 1

    def can_lack(self, path: str) -> bool:
        """Whether the consumer's code has a default for a field, as far as this agent can see."""
        if "[" in path or path.count(".") > 1:
            return False
        parameters = method_of(self.consumer, self.method).get("parameters", ())
        if "." not in path and any(p["name"] == path and p.get("default") is not None for p in parameters):
            return True
        function = own_source.method(self.consumer.get("source", ""), self.method)
        return function is not None and own_source.may_lack(function, path)

    def could_pass(self, gap: Gap) -> JsonSchema | None:
        """The schema of a field that the producer receives under this very name, where it could hand it on."""
        method = self.producing
        if not method or "[" in gap.path or "." in gap.path:
            return None
        contract = method_of(self.producer, method).get("input") or {}
        received = contract.get("properties", {}).get(gap.path)
        if received is None or gap.path not in contract.get("required", ()) or annotation(received) is None:
            return None
        return received if fits(received, contract, gap.consumed, self.taken) else None

    def beside(self) -> Iterator[Case]:
        """The mismatches of the other producers that feed the same method."""
        for other in self.about.get("mismatches", ()):
            if other is not self.mismatch and other["link"]["consumer"] == self.link["consumer"]:
                case = Case.of(self.about, other)
                if case is not None:
                    yield case

    def makes_of(self, field: str) -> bool:
        """Whether the producer makes something new of a field that it receives, so that the old one may be stale."""
        function = own_source.method(self.producer.get("source", ""), self.producing or "")
        return function is not None and own_source.makes_of(function, field)

    @cached_property
    def producing(self) -> str | None:
        """The producer's method; of a topic the one that publishes it, which only its own source tells."""
        end = self.link["producer"]
        if end.get("topic"):
            return own_source.publisher(self.producer.get("source", ""), end["topic"])
        return str(end["method"])


def sent_by(card: Card, end: Mapping[str, Any]) -> JsonSchema | None:
    """What an end of a link sends."""
    if end.get("topic"):
        schema = next((t.get("payload") for t in card.get("topics", ()) if t["topic"] == end["topic"]), None)
    else:
        schema = method_of(card, end["method"]).get("output")
    return None if schema is None else resolve(schema, schema)


def taken_by(card: Card, end: Mapping[str, Any]) -> JsonSchema | None:
    """What an end of a link takes."""
    schema = method_of(card, end["method"]).get("input")
    return None if schema is None else resolve(schema, schema)


def method_of(card: Card, name: str) -> Mapping[str, Any]:
    """A method as its card shows it."""
    return next((m for m in card.get("methods", ()) if m["name"] == name), {})


def _name(end: Mapping[str, Any]) -> str:
    return f"{end['node']}.{end['method']}" if end.get("method") else f"{end['node']} -> {end['topic']}"
