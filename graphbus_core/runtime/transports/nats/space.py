"""What things are called in NATS: subjects of topics and calls, names of streams, consumers and buckets. Pure.

    SPACE.e.Order.Created      an event of /Order/Created          stream SPACE
    SPACE.e.0+keys.CONSUMER.3  an event for one handler, in a part of its keys   stream SPACE
    SPACE.d.CONSUMER.LETTER    a dead letter                       stream SPACE-dead
    SPACE.a.CONSUMER.EVENT     attempts that began     stream SPACE-attempts
    SPACE.o.CONSUMER.PROCESS.N outcomes of events that are still stored   stream SPACE-outcomes
    SPACE.p.c, SPACE.p.d       what was confirmed, and what is done     no stream
    SPACE.w.CONSUMER           what a process has at hand     no stream
    SPACE.c.Inventory          calls of the node Inventory         no stream: request and reply
    SPACE.r.CONSUMER           a dead letter to be handled again   no stream

A word of a topic is a token of the subject. What a token may not hold (`.`, `*`, `>`, `%`) is written as `%2E`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from typing import Any

from graphbus_core.artifacts import ArtifactFolder
from graphbus_core.artifacts.placement import analyze_build
from graphbus_core.errors import ConfigError, ContractChanged
from graphbus_core.runtime.reload.compatibility import BuildContracts, find_breaking_changes

DEFAULT_SPACE = "graphbus"
PARTS = 8  # of the keys of a handler. Another number would give keys to other parts, while events wait in the old ones
_PART = re.compile(r"-key\d+of\d+$")
_UNSAFE_IN_TOKEN = re.compile(r"[^!-$&-)+\-/-=?-~]")  # what a token may not hold; `/` ends a word before it gets here
_UNSAFE_IN_NAME = re.compile(r"[^A-Za-z0-9_-]+")


@dataclass(frozen=True)
class SpaceNames:
    """The names of one space: runs of the same space on one server share topics, calls and consumers.

    `generation` is a part of the subjects of events and calls where builds that do not fit run beside each other.
    """

    space: str = DEFAULT_SPACE
    generation: str = ""

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[A-Za-z0-9_-]{1,60}", self.space):
            raise ConfigError(
                f"The space {self.space!r} of the bus is not a name: use letters, digits, `-` and `_`, "
                f"as in nats://localhost:4222/shop."
            )

    @property
    def stream(self) -> str:
        """The stream of events."""
        return self.space

    @property
    def dead_stream(self) -> str:
        """The stream of dead letters."""
        return f"{self.space}-dead"

    @property
    def attempt_stream(self) -> str:
        """The stream of attempts that began at events which came again."""
        return f"{self.space}-attempts"

    @property
    def attempts(self) -> str:
        """Every count of attempts."""
        return f"{self.space}.a.>"

    @property
    def outcome_stream(self) -> str:
        """The stream of outcomes of events that are still stored."""
        return f"{self.space}-outcomes"

    @property
    def outcomes(self) -> str:
        """Every record of outcomes."""
        return f"{self.space}.o.>"

    @property
    def work_prefix(self) -> str:
        """What begins the subjects on which processes tell what they have at hand."""
        return f"{self.space}.w"

    @property
    def bucket(self) -> str:
        """The key-value bucket of leases, states and builds."""
        return f"{self.space}-nodes"

    @property
    def events(self) -> str:
        """Every event of every generation."""
        return f"{self.space}.e.>"

    @property
    def dead_letters(self) -> str:
        """Every dead letter."""
        return f"{self.space}.d.>"

    @property
    def generation_events(self) -> str:
        """Every event of this generation."""
        return f"{self.space}.e.{self._generation}.>"

    def is_of_generation(self, subject: str) -> bool:
        """Whether an event of that subject is one of this generation, in a part of a handler's keys or not."""
        return subject.startswith((f"{self.space}.e.{self._generation}.", f"{self.space}.e.{self._generation}+keys."))

    @property
    def builds(self) -> str:
        """Where a process asks who else runs."""
        return f"{self.space}.b.{self._generation}"

    @property
    def _generation(self) -> str:
        return self.generation or "0"

    def build_topic_subject(self, topic: str) -> str:
        """The subject of a topic. One topic has one subject, and the other way round."""
        return f"{self.space}.e.{self._generation}.{_encode_topic(topic)}"

    def build_pattern_subject(self, pattern: str) -> str:
        """A subject that covers every topic of a pattern, and may cover more: who hears by it looks again.

        `**` also stands for no word at all, which NATS cannot say: so `/Order/**` hears one level higher.
        """
        tokens: list[str] = []
        for word in pattern.split("/")[1:] if pattern.startswith("/") else ["**"]:
            if word == "**":
                return ".".join([self.space, "e", self._generation, *tokens[:-1], ">"])
            tokens.append("*" if "*" in word else _encode_token(word))
        return ".".join([self.space, "e", self._generation, *tokens])

    def build_call_subject(self, node: str) -> str:
        """Where calls of a node go."""
        return f"{self.space}.c.{self._generation}.{_encode_token(node)}"

    def build_consumer_name(self, durable: str) -> str:
        """The durable consumer of a handler. The digest tells handlers apart whose plain names are the same."""
        digest = blake2b(durable.encode("utf-8", "surrogatepass"), digest_size=5).hexdigest()
        plain = _UNSAFE_IN_NAME.sub("-", durable).strip("-")[:60]
        return f"{plain}-{digest}{f'-{self.generation}' if self.generation else ''}"

    @staticmethod
    def build_part_name(consumer: str, part: int) -> str:
        """The consumer of a part of a handler's keys, by the handler's own."""
        return f"{consumer}-key{part}of{PARTS}"

    @staticmethod
    def strip_part(consumer: str) -> str:
        """The handler's own consumer, by that of a part of its keys."""
        return _PART.sub("", consumer)

    def strip_part_from_id(self, subject: str, message_id: str) -> str:
        """The id of an event, by that of its message, which ends with the consumer's name in a part of its keys."""
        if not subject.startswith(f"{self.space}.e.{self._generation}+keys."):
            return message_id
        return message_id.removesuffix(f" {subject.split('.')[-2]}")

    def build_part_subject(self, consumer: str, part: int) -> str:
        """Where events for one handler go that are in a part of its keys."""
        return f"{self.space}.e.{self._generation}+keys.{consumer}.{part}"

    def build_node_key(self, node: str) -> str:
        """What ends the keys of a node's lease and state. Builds beside each other have holders, and states, of their
        own: neither must wait for the other, or take what it cannot read.
        """
        digest = blake2b(node.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
        plain = "".join(c if c.isascii() and c.isalnum() else "_" for c in node)
        return f"{digest}.{plain}{f'.{self.generation}' if self.generation else ''}"

    def build_letter_subject(self, durable: str, event_id: str) -> str:
        """The subject of a dead letter. An event is there once for each handler, however often it is put there."""
        digest = blake2b(f"{len(durable)}:{durable}{event_id}".encode("utf-8", "surrogatepass"), digest_size=10)
        return f"{self.space}.d.{self.build_consumer_name(durable)}.{digest.hexdigest()}"

    def build_attempt_prefix(self, consumer: str) -> str:
        """What begins the subjects of a consumer's attempts."""
        return f"{self.space}.a.{consumer}"

    def build_outcome_prefix(self, consumer: str) -> str:
        """What begins the subjects of a consumer's outcomes."""
        return f"{self.space}.o.{consumer}"

    def build_retry_subject(self, consumer: str) -> str:
        """Where a dead letter goes that is to be handled once more."""
        return f"{self.space}.r.{consumer}"


@lru_cache(maxsize=4_096)
def _encode_topic(topic: str) -> str:
    return ".".join(map(_encode_token, topic.split("/")[1:]))


def _encode_token(word: str) -> str:
    return _UNSAFE_IN_TOKEN.sub(lambda match: "".join(f"%{byte:02X}" for byte in match.group().encode()), word) or "%"


# Which builds may share a space, and what a run tells the bus of its own.
#
# Processes of two builds publish to and hear each other, so a change must fit both ways: what the old one sends, the
# new one takes, and the other way round. A change that is proved not to fit is refused, with the payload that proves
# it.


MAX_SHOWN_BREAKS = 5
PRESENCE_TIMEOUT_S = 1.0  # for the other processes to say which build they run


@dataclass(frozen=True)
class SharedBuild:
    """A build as the bus has to know it. `places`: handlers by durable name, with their topics; `alone`: nodes that
    keep something in themselves, and why; `keeps`: those of them whose state is stored; `beside`: its own consumers.
    """

    contracts: BuildContracts
    places: Mapping[str, str]
    alone: Mapping[str, str]
    keeps: frozenset[str]
    beside: bool = False
    ordered: frozenset[str] = frozenset()  # durable names whose events come one at a time
    groups: Mapping[str, str] = field(default_factory=dict)  # by node: those with one name run in the same process

    @classmethod
    def from_folder(cls, folder: ArtifactFolder, *, beside: bool = False) -> SharedBuild:
        """Read it. Raises ArtifactError."""
        exclusive_nodes = analyze_build(folder)
        alone = {name: reason.why for name, reason in exclusive_nodes.items()}
        keeps = frozenset(name for name, reason in exclusive_nodes.items() if reason.stored)
        places = {
            f"{reason.node_name}.{reason.handler_name} {reason.topic.name}": reason.topic.name
            for reason in folder.subscriptions
        }
        keyed = {(agent.name, method) for agent in folder.agents for method in agent.metadata.get("order_keys", ())}
        ordered = frozenset(
            f"{s.node_name}.{s.handler_name} {s.topic.name}"
            for s in folder.subscriptions
            if (s.node_name, s.handler_name) in keyed
        )
        groups = {name: reason.group for name, reason in exclusive_nodes.items() if reason.group}
        return cls(BuildContracts.from_folder(folder), places, alone, keeps, beside, ordered, groups)


async def join_space(connection: Any, js: Any, bucket: Any, names: SpaceNames, build: SharedBuild) -> SpaceNames:
    """Take part in the space by this build; the names to use. Raises ContractChanged where it does not fit.

    Where nobody runs, and nothing waits, there is nobody to fit to.
    """
    from nats import errors
    from nats.js import errors as js_errors

    mine = build.contracts
    if build.beside:
        names = SpaceNames(names.space, mine.digest[:8])
    try:
        entry = await bucket.get(_build_key(names))
    except js_errors.KeyNotFoundError:
        entry = None
    if entry is not None:
        running_contracts = BuildContracts.from_bytes(entry.value)
        if running_contracts.digest != mine.digest:
            try:
                await connection.request(names.builds, b"", timeout=PRESENCE_TIMEOUT_S)
                met = True
            except (errors.NoRespondersError, errors.TimeoutError, TimeoutError):
                info = await js.stream_info(names.stream, subjects_filter=names.events)
                met = any(map(names.is_of_generation, info.state.subjects or ()))
            if met:
                refuse_breaking(running_contracts, mine)
    await publish_build(bucket, names, build)

    async def reply_with_build(request: Any) -> None:
        # That somebody is there is what is asked; by which build, stands in the bucket.
        await connection.publish(request.reply, mine.digest.encode())

    await connection.subscribe(names.builds, cb=reply_with_build)
    return names


def _build_key(names: SpaceNames) -> str:
    return f"build.{names.generation or '0'}"


def build_seen_key(consumer: str) -> str:
    """Where it is written down how a consumer was seen last."""
    return f"seen.{consumer}"


async def publish_build(bucket: Any, names: SpaceNames, build: SharedBuild) -> None:
    """Keep what this build promises: whoever joins is held against it. And which handlers it has."""
    await bucket.put(_build_key(names), build.contracts.to_bytes())
    await bucket.put(f"places.{names.generation or '0'}", json.dumps(dict(build.places)).encode())


def refuse_breaking(old: BuildContracts, new: BuildContracts) -> None:
    """Raise ContractChanged where the builds must not share consumers."""
    breaks = find_breaking_changes(old, new)
    if not breaks:
        return
    more = f" And {len(breaks) - MAX_SHOWN_BREAKS} more." if len(breaks) > MAX_SHOWN_BREAKS else ""
    raise ContractChanged(
        f"{' '.join(breaks[:MAX_SHOWN_BREAKS])}{more} Another build runs on this bus, or has left events "
        f"there, and the two "
        f"would not understand each other. Run this one --beside it, or stop it first and let it finish its events."
    )


def explain_restart(old: SharedBuild, new: SharedBuild, local_nodes: Collection[str]) -> str | None:
    """Why a process that runs these nodes cannot take the new build without a restart, or None."""
    for name in sorted(local_nodes):
        if (name in old.alone) != (name in new.alone) or (name in old.keeps) != (name in new.keeps):
            now = new.alone.get(name)
            return f"{name} " + (f"runs in one place from now on: {now}." if now else "is shared from now on.")
        if old.groups.get(name) != new.groups.get(name):
            return f"{name} shares an object with other nodes than before, and runs in the same process as these."
    return None
