"""What things are called in NATS: subjects of topics and calls, names of streams, consumers and buckets. Pure.

    SPACE.e.Order.Created      an event of /Order/Created          stream SPACE
    SPACE.d.CONSUMER.LETTER    a dead letter                       stream SPACE-dead
    SPACE.c.Inventory          calls of the node Inventory         no stream: request and reply
    SPACE.r.CONSUMER           a dead letter to be handled again   no stream

A word of a topic is a token of the subject. What a token may not hold (`.`, `*`, `>`, `%`) is written as `%2E`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import blake2b

from graphbus_core.errors import ConfigError

DEFAULT_SPACE = "graphbus"
_TOKEN = re.compile(r"[^!-$&-)+\-/-=?-~]")  # what a token may not hold; `/` ends a word before it gets here
_PLAIN = re.compile(r"[^A-Za-z0-9_-]+")


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
    def bucket(self) -> str:
        """The key-value bucket of leases, states and builds."""
        return f"{self.space}-nodes"

    @property
    def events(self) -> str:
        """Every event of every generation."""
        return f"{self.space}.e.>"

    @property
    def dead(self) -> str:
        """Every dead letter."""
        return f"{self.space}.d.>"

    @property
    def of_generation(self) -> str:
        """Every event of this generation."""
        return f"{self.space}.e.{self._generation}.>"

    @property
    def builds(self) -> str:
        """Where a process asks who else runs."""
        return f"{self.space}.b.{self._generation}"

    @property
    def _generation(self) -> str:
        return self.generation or "0"

    def of_topic(self, topic: str) -> str:
        """The subject of a topic. One topic has one subject, and the other way round."""
        return f"{self.space}.e.{self._generation}.{'.'.join(map(_token, topic.split('/')[1:]))}"

    def of_pattern(self, pattern: str) -> str:
        """A subject that covers every topic of a pattern, and may cover more: who hears by it looks again.

        `**` also stands for no word at all, which NATS cannot say: so `/Order/**` hears one level higher.
        """
        tokens: list[str] = []
        for word in pattern.split("/")[1:] if pattern.startswith("/") else ["**"]:
            if word == "**":
                return ".".join([self.space, "e", self._generation, *tokens[:-1], ">"])
            tokens.append("*" if "*" in word else _token(word))
        return ".".join([self.space, "e", self._generation, *tokens])

    def of_calls(self, node: str) -> str:
        """Where calls of a node go."""
        return f"{self.space}.c.{self._generation}.{_token(node)}"

    def consumer(self, durable: str) -> str:
        """The durable consumer of a handler. The digest tells handlers apart whose plain names are the same."""
        digest = blake2b(durable.encode("utf-8", "surrogatepass"), digest_size=5).hexdigest()
        plain = _PLAIN.sub("-", durable).strip("-")[:60]
        return f"{plain}-{digest}{f'-{self.generation}' if self.generation else ''}"

    def place(self, node: str) -> str:
        """What ends the keys of a node's lease and state. Builds beside each other have holders, and states, of their
        own: neither must wait for the other, or take what it cannot read.
        """
        digest = blake2b(node.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
        plain = "".join(c if c.isascii() and c.isalnum() else "_" for c in node)
        return f"{digest}.{plain}{f'.{self.generation}' if self.generation else ''}"

    def letter(self, durable: str, event_id: str) -> str:
        """The subject of a dead letter. An event is there once for each handler, however often it is put there."""
        digest = blake2b(f"{len(durable)}:{durable}{event_id}".encode("utf-8", "surrogatepass"), digest_size=10)
        return f"{self.space}.d.{self.consumer(durable)}.{digest.hexdigest()}"

    def again(self, consumer: str) -> str:
        """Where a dead letter goes that is to be handled once more."""
        return f"{self.space}.r.{consumer}"


def _token(word: str) -> str:
    return _TOKEN.sub(lambda found: "".join(f"%{byte:02X}" for byte in found.group().encode()), word) or "%"
