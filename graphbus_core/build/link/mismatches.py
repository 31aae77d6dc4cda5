"""Links whose contracts do not fit (conflict type 1 of seed 000), each with the payload that proves it."""

from __future__ import annotations

import marshal
from collections.abc import Mapping, Sequence
from typing import Any

from graphbus_core.build.link.links import contracts_of
from graphbus_core.contracts import Contract, Verdict, check
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.graph import Link, Mismatch
from graphbus_core.model.schema import Schema

KEPT_VERDICTS = 20_000  # checks are pure, and the gates of a commit ask the same ones again
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
        if any(sent is None or taken is None for sent, taken in pairs):
            unchecked.append(link)
        for sent, taken in pairs:
            if sent is None or taken is None:
                continue
            verdict = _verdict(sent, taken, keys)
            if verdict.compatible is not True:
                mismatches.append(mismatch_of(link, verdict))
                break  # one proof a link is enough
    return tuple(mismatches), tuple(unchecked)


def mismatch_of(link: Link, verdict: Verdict) -> Mismatch:
    """A verdict that is no yes, as the nouns say it."""
    return Mismatch(
        link=link,
        compatible=verdict.compatible,
        reasons=tuple(reason.message for reason in verdict.reasons),
        paths=tuple(dict.fromkeys(reason.path for reason in verdict.reasons if reason.path)),
        counterexample=verdict.counterexample if verdict.has_counterexample else None,
    )


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
        if len(_VERDICTS) >= KEPT_VERDICTS:
            _VERDICTS.clear()
        _VERDICTS[pair] = verdict
    return verdict
