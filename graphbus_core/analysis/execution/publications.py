"""Publications: where a component sends an event of its own, and what is in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphbus_core.analysis.execution import contents
from graphbus_core.analysis.execution.state import (
    MISSING,
    NOTHING_KNOWN,
    Arguments,
    Bound,
    Publication,
    Ref,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from graphbus_core.analysis.execution.interpreter import Interpreter

PUBLISHING = frozenset({"publish", "apublish"})
SENT = frozenset({"topic", "payload"})  # the parameters of both


def publish(run: Interpreter, args: Arguments) -> None:
    """`self.publish("/Topic", payload)`."""
    topic = contents.read_const(args.positions[0]) if args.positions else MISSING
    payload = args.positions[1] if len(args.positions) > 1 else args.keywords.get("payload", NOTHING_KNOWN)
    content = run.store.inside(payload) if isinstance(payload, Ref) else None
    run.publishing.append((str(topic), payload, content))


def find_publication(run: Interpreter, word: str, receiver: Value, args: Arguments) -> Publication | None:
    """The event that `self.publish("/Topic", payload)` or `self.bus.publish(…)` sends, where the component says that it
    publishes this topic; None for any other call, which hands its values to code that nobody knows."""
    if word not in PUBLISHING or args.rest is not None or args.spreads or len(args.positions) > len(SENT):
        return None
    given = {**dict(zip(("topic", "payload"), args.positions, strict=False)), **args.keywords}
    if given.keys() != SENT:
        return None
    topic = contents.read_const(given["topic"])
    if isinstance(receiver, Bound) and isinstance(bus := receiver.function, Unknown) and bus.name.endswith(".bus"):
        receiver = receiver.receiver
    thing = run.store.things[receiver.number] if isinstance(receiver, Ref) else None
    if thing is None or thing.kind != "instance":
        return None
    for number in contents.list_lineage(run, thing.cls):
        cls = run.store.things[number]
        agent = run.components.get((cls.path, cls.name))
        if agent is not None and any(publication.topic.name == topic for publication in agent.publications):
            return Publication(agent.name, str(topic), given["payload"])
    return None
