"""Links whose contracts do not fit (conflict type 1 of seed 000), each with the payload that proves it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from graphbus_core.build.link.links import contracts_of
from graphbus_core.contracts import Contract, Verdict, check
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.graph import Link, Mismatch

KEPT_VERDICTS = 20_000  # checks are pure, and the gates of a commit ask the same ones again


def check_links(
    agents: Sequence[AgentDefinition], links: Sequence[Link]
) -> tuple[tuple[Mismatch, ...], tuple[Link, ...]]:
    """The mismatches, and the links that could not be checked because a side has no contract."""
    by_name = {agent.name: agent for agent in agents}
    texts: dict[int, str] = {}  # id of a JSON Schema -> its text; the agents keep the schemas alive
    mismatches: list[Mismatch] = []
    unchecked: list[Link] = []
    for link in links:
        pairs = contracts_of(link, by_name)
        if any(sent is None or taken is None for sent, taken in pairs):
            unchecked.append(link)
        for sent, taken in pairs:
            if sent is None or taken is None:
                continue
            verdict = _verdict(_text(sent.json_schema, texts), _text(taken.json_schema, texts))
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


def _text(schema: Mapping[str, Any], texts: dict[int, str]) -> str:
    text = texts.get(id(schema))
    if text is None:
        text = texts[id(schema)] = json.dumps(schema)
    return text


@lru_cache(maxsize=KEPT_VERDICTS)
def _verdict(producer: str, consumer: str) -> Verdict:
    return check(Contract(json.loads(producer)), Contract(json.loads(consumer)))
