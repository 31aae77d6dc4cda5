"""Whether a mapping stands on what is sent and taken: fields that are there, and conversions that take what comes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from graphbus_core.analysis.links.finder import list_sent_schemas
from graphbus_core.contracts import Contract, Reason, Verdict, check
from graphbus_core.contracts.parsing.type_forms import annotation
from graphbus_core.contracts.verdict import NOTHING
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.field_mapping import FieldMapping
from graphbus_core.model.graph import Link
from graphbus_core.suggestions import suggest_names


def check_mapping(
    link: Link, mapping: FieldMapping, agents: Mapping[str, AgentDefinition], verdict: Verdict
) -> Verdict:
    """A verdict on what a mapping delivers, with what is wrong with the mapping itself, and the payload as sent."""
    reasons = list(dict.fromkeys(_find_reasons(link, mapping, agents)))
    paths = {reason.path for reason in reasons}
    rest = [reason for reason in verdict.reasons if reason.path not in paths]
    delivered = verdict.counterexample
    sent = mapping.restore(delivered) if mapping.can_restore(delivered) else NOTHING
    return replace(
        verdict,
        compatible=False if reasons else verdict.compatible,
        reasons=(*reasons, *rest),
        counterexample=sent,
    )


def _find_reasons(link: Link, mapping: FieldMapping, agents: Mapping[str, AgentDefinition]) -> Iterator[Reason]:
    consumer = agents[link.consumer.node].method(link.consumer.method or "")
    taken = consumer.input_schema.fields if consumer is not None and consumer.input_schema is not None else {}
    for field in dict.fromkeys([*mapping.fields, *mapping.conversions]):
        if taken and field not in taken:
            yield Reason(
                "mapped_field",
                field,
                f"{field} is mapped, and is not a field of {link.consumer}{_suggest_near(field, taken)}",
            )
    for schema in list_sent_schemas(link, agents):
        sent = mapping.list_sent(schema.json_schema) if schema is not None else None
        if sent is None:
            continue
        for field in dict.fromkeys([*mapping.fields, *mapping.conversions]):
            source = mapping.find_source(field)
            if source not in sent:
                text = f"{field} is mapped from {source}, which the producer does not send{_suggest_near(source, sent)}"
                yield Reason("mapped_field", field, text)
        for field, conversion in mapping.conversions.items():
            source = mapping.find_source(field)
            takes = Contract(conversion.takes)
            for field_schema in sent.get(source, ()):
                if check(Contract(field_schema), takes).compatible is not True:
                    text = (
                        f"{field} is made by {conversion.function}, which takes {annotation(conversion.takes)}; the "
                        f"producer sends {source} as {annotation(field_schema)}"
                    )
                    yield Reason("mapped_field", field, text)


def _suggest_near(name: str, names: Mapping[str, object]) -> str:
    nearest = suggest_names(name, list(names), sure=True)
    return f" (did you mean {nearest[0]}?)" if nearest else ""
