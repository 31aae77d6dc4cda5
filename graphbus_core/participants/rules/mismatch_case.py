"""One mismatch as a rule negotiator sees it: both ends, their contracts, the gaps between them, and what is known."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from graphbus_core import contracts
from graphbus_core.contracts.check import Gap, JsonSchema, find_gaps, follow_references, is_field_compatible
from graphbus_core.model.graph import Link, narrow_to_link
from graphbus_core.participants.rules import method_source
from graphbus_core.syntax import STANDARD_TYPES

# Field types as annotations that a rule negotiator may write into a source file.


WRITABLE = frozenset({"str", "int", "float", "bool", "bytes", "list", "dict", "None", *STANDARD_TYPES})


def render_annotation(schema: JsonSchema) -> str | None:
    """The annotation for a field's schema, or None where it needs a name that no edit imports by itself."""
    text = contracts.annotation(dict(schema))
    names = {n.id for n in ast.walk(ast.parse(text, mode="eval")) if isinstance(n, ast.Name)}
    return text if names <= WRITABLE else None


def widen_annotation(consumed: JsonSchema, produced: JsonSchema) -> str | None:
    """An annotation that takes both, the consumer's own first; None where it cannot be written.

    Of a few literal values it is their whole type: a file may not have imported the word `Literal`.
    """
    mine, theirs = (render_annotation(schema) or _find_literal_type(schema) for schema in (consumed, produced))
    if mine is None or theirs is None:
        return None
    parts = [*split_union(mine), *split_union(theirs)]
    if "float" in parts:
        parts = [p for p in parts if p != "int"]  # an integer is a number
    return " | ".join(dict.fromkeys(parts))


def _find_literal_type(schema: JsonSchema) -> str | None:
    """The one builtin type that all the values of a Literal have."""
    values = schema["const"] if "const" in schema else schema.get("enum", ())
    kinds = {type(value) for value in (values if isinstance(values, list | tuple) else [values])}
    return kinds.pop().__name__ if len(kinds) == 1 and kinds <= {str, int, bool} else None


def split_union(text: str) -> list[str]:
    """The members of a union, those inside of brackets left where they are."""
    todo, members = [ast.parse(text, mode="eval").body], list[str]()
    while todo:
        match todo.pop():
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                todo += [right, left]
            case one:
                members.append(ast.unparse(one))
    return members


Card = Mapping[str, Any]


@dataclass(frozen=True)
class MismatchCase:
    """What is asked, of whom, and how one mismatch stands. `sent` and `taken` are the contracts at its two ends."""

    about: Mapping[str, Any]
    mismatch: Mapping[str, Any]
    me: Card
    producer: Card
    consumer: Card
    sent: JsonSchema
    taken: JsonSchema

    @classmethod
    def from_mismatch(cls, about: Mapping[str, Any], mismatch: Mapping[str, Any]) -> MismatchCase | None:
        """None where an end, or its contract, is not shown."""
        me, link = about["card"], mismatch["link"]
        cards = {c["name"]: c for c in (*about.get("neighbours", ()), me)}
        producer, consumer = cards.get(link["producer"]["node"]), cards.get(link["consumer"]["node"])
        if producer is None or consumer is None:
            return None
        sent, accepted = find_sent_schema(producer, link["producer"]), find_taken_schema(consumer, link["consumer"])
        if sent is None or accepted is None:
            return None
        typed_link = Link.from_dict(link)
        if typed_link.beside and not typed_link.feeds:  # another producer of a join, or the caller, gives the rest
            accepted = (narrow_to_link(typed_link, sent, accepted) or (sent, accepted))[1]
        if typed_link.mapping is not None:  # what is mapped is no gap
            sent, accepted = narrow_to_link(typed_link, sent, accepted) or (sent, accepted)
        return cls(about, mismatch, me, producer, consumer, sent, accepted)

    @cached_property
    def gaps(self) -> tuple[Gap, ...]:
        """Every field that does not fit."""
        return find_gaps(self.sent, self.taken)

    @property
    def link(self) -> Mapping[str, Any]:
        """The link, as a dictionary."""
        return dict(self.mismatch["link"])

    @property
    def link_id(self) -> str:
        """The link's name."""
        return f"{_render_end(self.link['producer'])} => {_render_end(self.link['consumer'])}"

    @property
    def producer_label(self) -> str:
        """The producer's end, in words."""
        end = self.link["producer"]
        return f"{end['node']}.{end['method']}" if end.get("method") else f"{end['node']} on {end['topic']}"

    @property
    def consumer_label(self) -> str:
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
        parameters = find_method(self.consumer, self.method).get("parameters", ())
        if "." not in path and any(p["name"] == path and p.get("default") is not None for p in parameters):
            return True
        function = method_source.find_definition(self.consumer.get("source", ""), self.method)
        return function is not None and method_source.may_lack(function, path)

    def find_passable_schema(self, gap: Gap) -> JsonSchema | None:
        """The schema of a field that the producer receives under this very name, where it could hand it on."""
        method = self.producer_method
        if not method or "[" in gap.path or "." in gap.path:
            return None
        contract = find_method(self.producer, method).get("input") or {}
        received = contract.get("properties", {}).get(gap.path)
        if received is None or gap.path not in contract.get("required", ()) or render_annotation(received) is None:
            return None
        return received if is_field_compatible(received, contract, gap.consumed, self.taken) else None

    def list_siblings(self) -> Iterator[MismatchCase]:
        """The mismatches of the other producers that feed the same method."""
        for other in self.about.get("mismatches", ()):
            if other is not self.mismatch and other["link"]["consumer"] == self.link["consumer"]:
                case = MismatchCase.from_mismatch(self.about, other)
                if case is not None:
                    yield case

    @cached_property
    def producer_method(self) -> str | None:
        """The producer's method; of a topic the one that publishes it, which only its own source tells."""
        end = self.link["producer"]
        if end.get("topic"):
            return method_source.find_publisher(self.producer.get("source", ""), end["topic"])
        return str(end["method"])


def find_sent_schema(card: Card, end: Mapping[str, Any]) -> JsonSchema | None:
    """What an end of a link sends."""
    if end.get("topic"):
        schema = next((t.get("payload") for t in card.get("topics", ()) if t["topic"] == end["topic"]), None)
    else:
        schema = find_method(card, end["method"]).get("output")
    return None if schema is None else follow_references(schema, schema)


def find_taken_schema(card: Card, end: Mapping[str, Any]) -> JsonSchema | None:
    """What an end of a link takes."""
    schema = find_method(card, end["method"]).get("input")
    return None if schema is None else follow_references(schema, schema)


def find_method(card: Card, name: str) -> Mapping[str, Any]:
    """A method as its card shows it."""
    return next((m for m in card.get("methods", ()) if m["name"] == name), {})


def _render_end(end: Mapping[str, Any]) -> str:
    return f"{end['node']}.{end['method']}" if end.get("method") else f"{end['node']} -> {end['topic']}"
