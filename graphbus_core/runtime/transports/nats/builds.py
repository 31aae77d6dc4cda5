"""Which builds may share a space, and what a run tells the bus of its own.

Processes of two builds publish to and hear each other, so a change must fit both ways: what the old one sends, the new
one takes, and the other way round. A change that is proved not to fit is refused, with the payload that proves it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from graphbus_core.artifacts import ArtifactFolder
from graphbus_core.artifacts.format import digest
from graphbus_core.errors import ContractChanged
from graphbus_core.runtime.transports.nats.names import Names
from graphbus_core.runtime.transports.placement import why_in_one_place

MAX_TOLD = 5
ASKED_S = 1.0  # for the other processes to say which build they run


@dataclass(frozen=True)
class BuildContracts:
    """What a build promises, as JSON Schema: topic -> payload, `Node.method` -> input and output. None: not said."""

    digest: str
    topics: Mapping[str, Any]
    methods: Mapping[str, Mapping[str, Any]]

    def to_bytes(self) -> bytes:
        """As it stands in the bucket."""
        return json.dumps(vars(self), default=dict, sort_keys=True).encode("utf-8", "surrogatepass")

    @classmethod
    def from_bytes(cls, data: bytes) -> BuildContracts:
        """Inverse of `to_bytes`."""
        row = json.loads(data.decode("utf-8", "surrogatepass"))
        return cls(row["digest"], row["topics"], row["methods"])


@dataclass(frozen=True)
class BuildOnBus:
    """A build as the bus has to know it. `places`: handlers by durable name, with their topics; `alone`: nodes that
    keep something in themselves, and why; `keeps`: those of them whose state is stored; `beside`: its own consumers.
    """

    contracts: BuildContracts
    places: Mapping[str, str]
    alone: Mapping[str, str]
    keeps: frozenset[str]
    beside: bool = False

    @classmethod
    def of(cls, folder: ArtifactFolder, *, beside: bool = False) -> BuildOnBus:
        """Read it. Raises ArtifactError."""
        topics = {one["name"]: one["schema"]["json_schema"] if one["schema"] else None for one in folder.topics}
        methods = {f"{node}.{name}": sides for node, all_of in folder.schemas.items() for name, sides in all_of.items()}
        alone, keeps = {}, set()
        for agent in folder.agents:
            file = folder.modules[agent.module].file if agent.module in folder.modules else None
            source = folder.read(file).decode("utf-8", "surrogatepass") if file else ""
            if (why := why_in_one_place(source, agent.class_name)) is not None:
                alone[agent.name] = why
                if "get_state" in why:
                    keeps.add(agent.name)
        places = {
            f"{one.node_name}.{one.handler_name} {one.topic.name}": one.topic.name for one in folder.subscriptions
        }
        contracts = BuildContracts(digest(folder.manifest.to_bytes())[:12], topics, methods)
        return cls(contracts, places, alone, frozenset(keeps), beside)


async def join(connection: Any, js: Any, bucket: Any, names: Names, build: BuildOnBus) -> Names:
    """Take part in the space by this build; the names to use. Raises ContractChanged where it does not fit.

    Where nobody runs, and nothing waits, there is nobody to fit to.
    """
    from nats import errors
    from nats.js import errors as js_errors

    mine = build.contracts
    if build.beside:
        names = Names(names.space, mine.digest[:8])
    key = f"build.{names.generation or '0'}"
    try:
        entry = await bucket.get(key)
    except js_errors.KeyNotFoundError:
        entry = None
    if entry is not None:
        there = BuildContracts.from_bytes(entry.value)
        if there.digest != mine.digest:
            try:
                await connection.request(names.builds, b"", timeout=ASKED_S)
                met = True
            except (errors.NoRespondersError, errors.TimeoutError, TimeoutError):
                info = await js.stream_info(names.stream, subjects_filter=names.of_generation)
                met = bool(info.state.subjects)
            if met:
                refuse(there, mine)
    await bucket.put(key, mine.to_bytes())

    async def asked(request: Any) -> None:
        await connection.publish(request.reply, mine.digest.encode())

    await connection.subscribe(names.builds, cb=asked)
    return names


def breaking(old: BuildContracts, new: BuildContracts) -> list[str]:
    """What of the new build does not fit the old one, one sentence each, with a payload that proves it."""
    if old.digest == new.digest:
        return []
    return list(_topics(old, new)) + list(_methods(old, new))


def refuse(old: BuildContracts, new: BuildContracts) -> None:
    """Raise ContractChanged where the builds must not share consumers."""
    found = breaking(old, new)
    if not found:
        return
    more = f" And {len(found) - MAX_TOLD} more." if len(found) > MAX_TOLD else ""
    raise ContractChanged(
        f"{' '.join(found[:MAX_TOLD])}{more} Another build runs on this bus, or has left events there, and the two "
        f"would not understand each other. Run this one --beside it, or stop it first and let it finish its events."
    )


def _topics(old: BuildContracts, new: BuildContracts) -> Iterator[str]:
    for topic, before in old.topics.items():
        after = new.topics.get(topic, before)
        if (why := _differs(before, after)) is not None:
            yield f"The contract of {topic} changed: {why}"


def _methods(old: BuildContracts, new: BuildContracts) -> Iterator[str]:
    for name, before in old.methods.items():
        after = new.methods.get(name)
        if after is None:
            yield f"{name} is gone, and processes of the other build may call it."
            continue
        for side in ("input", "output"):
            if (why := _differs(before.get(side), after.get(side))) is not None:
                yield f"The contract of {name} ({side}) changed: {why}"


def _differs(before: Any, after: Any) -> str | None:
    """Why what one side sends is not taken by the other; None where it is, or where one side says nothing."""
    if before is None or after is None or before == after:
        return None
    from graphbus_core.contracts import Contract, check  # heavy, and only where two builds meet

    old, new = Contract(before), Contract(after)
    for sender, taker, who in (
        (old, new, "the old build sends and the new one"),
        (new, old, "the new build sends and the old one"),
    ):
        verdict = check(sender, taker)
        if verdict.compatible is False or (verdict.compatible is None and verdict.reasons):
            reason = verdict.reasons[0].message if verdict.reasons else "they do not fit"
            proof = f" {who} refuses {json.dumps(verdict.counterexample)}." if verdict.has_counterexample else ""
            return f"{reason.rstrip('.')}.{proof}"
    return None
