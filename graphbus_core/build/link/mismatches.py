"""Links whose contracts do not fit (conflict type 1 of seed 000), each with the payload that proves it."""

from __future__ import annotations

import marshal
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from graphbus_core.build.link.links import contracts_of
from graphbus_core.contracts import Contract, Reason, Verdict, check
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.graph import Link, Mismatch
from graphbus_core.model.schema import Schema

KEPT_VERDICTS = 20_000  # checks are pure, and the gates of a commit ask the same ones again
# By content and not by link: hundreds of links share a few contracts.
_VERDICTS: dict[tuple[bytes, bytes], Verdict] = {}


def check_links(
    agents: Sequence[AgentDefinition], links: Sequence[Link]
) -> tuple[tuple[Mismatch, ...], tuple[Link, ...]]:
    """The mismatches, and the links that could not be checked because a side has no contract."""
    by_name = {agent.name: agent for agent in agents}
    keys: dict[int, bytes] = {}  # id of a JSON Schema -> its bytes; the agents keep the schemas alive
    mismatches: list[Mismatch] = []
    unchecked: list[Link] = []
    for link in links:
        pairs = contracts_of(link, by_name)
        # Its own code feeds such a method, so nothing is missing where no contract is declared.
        if not link.own and any(sent is None or taken is None for sent, taken in pairs):
            unchecked.append(link)
        for sent, taken in pairs:
            if sent is None or taken is None:
                continue
            verdict = _verdict(sent, taken, keys)
            if verdict.compatible is not True:
                # A counterexample shows one way to fail. Who repairs wants to know all of them at once.
                further = [r for r in _by_field(sent, taken, keys) if r.path not in {k.path for k in verdict.reasons}]
                mismatches.append(mismatch_of(link, replace(verdict, reasons=(*verdict.reasons, *further))))
                break  # one proof a link is enough
    return tuple(mismatches), tuple(unchecked)


def mismatch_of(link: Link, verdict: Verdict) -> Mismatch:
    """A verdict that is not a yes, as the nouns say it."""
    return Mismatch(
        link=link,
        compatible=verdict.compatible,
        reasons=tuple(reason.message for reason in verdict.reasons),
        paths=tuple(dict.fromkeys(reason.path for reason in verdict.reasons if reason.path)),
        counterexample=verdict.counterexample if verdict.has_counterexample else None,
    )


def _by_field(sent: Schema, taken: Schema, keys: dict[int, bytes]) -> Iterator[Reason]:
    """What does not fit, field by field: one counterexample seldom shows every reason."""
    for name, wanted in taken.fields.items():
        if name not in sent.fields:
            if name in taken.required:
                text = f"{name} is required by the consumer; the producer does not send it"
                yield Reason("missing_field", name, text)
            continue
        if name in taken.required and name not in sent.required:
            text = f"{name} is required by the consumer; the producer may leave it out"
            yield Reason("optional_field", name, text)
        verdict = _verdict(_field(sent, sent.fields[name]), _field(taken, wanted), keys)
        if verdict.compatible is not True:
            for reason in verdict.reasons:
                yield _under(name, reason)


def _field(whole: Schema, field: Mapping[str, Any]) -> Schema:
    # A field's own schema refers to definitions of the whole, so they go with it.
    definitions = whole.json_schema.get("$defs")
    return Schema({**field, "$defs": definitions} if definitions else field)


def _under(name: str, reason: Reason) -> Reason:
    """A reason about a field's value, as a reason about the payload."""
    if not reason.path:
        return Reason(reason.kind, name, reason.message.replace("the payload", name, 1))
    path = f"{name}{reason.path}" if reason.path.startswith("[") else f"{name}.{reason.path}"
    return Reason(reason.kind, path, reason.message.replace(reason.path, path, 1))


def _key(schema: Mapping[str, Any], keys: dict[int, bytes]) -> bytes:
    key = keys.get(id(schema))
    if key is None:
        key = keys[id(schema)] = marshal.dumps(dict(schema), 2)  # quicker than JSON; version 2 knows no references
    return key


def _verdict(sent: Schema, taken: Schema, keys: dict[int, bytes]) -> Verdict:
    pair = _key(sent.json_schema, keys), _key(taken.json_schema, keys)
    verdict = _VERDICTS.get(pair)
    if verdict is None:
        verdict = check(Contract(sent.json_schema), Contract(taken.json_schema))
        # Emptied and not aged: a build asks the same questions in rounds, and the next one fills it with what it
        # needs.
        if len(_VERDICTS) >= KEPT_VERDICTS:
            _VERDICTS.clear()
        _VERDICTS[pair] = verdict
    return verdict
