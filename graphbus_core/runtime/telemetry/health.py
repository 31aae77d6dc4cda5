"""Health and readiness of a running build, as a supervisor or a load balancer asks for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from graphbus_core.runtime.kept.keeping import Keeping
from graphbus_core.runtime.message_bus import MessageBus


class Looked(Protocol):
    """What is looked at: a `RuntimeExecutor`."""

    broken: dict[str, str]
    bus: MessageBus | None
    keeping: Keeping | None

    @property
    def is_running(self) -> bool: ...


@dataclass(frozen=True)
class Health:
    """`live`: it works, and a restart would mend nothing. `ready`: it may be given work. `reasons` say why not."""

    live: bool
    ready: bool
    reasons: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {"live": self.live, "ready": self.ready, "reasons": list(self.reasons)}


def health_of(executor: Looked) -> Health:
    """Look at a runtime; it takes microseconds and waits for nothing."""
    if not executor.is_running:
        return Health(False, False, ("the runtime is not started, or it is stopped",))
    reasons = [f"the node {name} was left out: {why}" for name, why in executor.broken.items()]
    bus = executor.bus
    live = True
    if bus is not None:
        waiting = sum(bus.waiting().values())
        if waiting >= bus.queue_limit:
            reasons.append(f"{waiting} deliveries wait, and {bus.queue_limit} is the bound of a queue")
        if bus.dead_letters.unstored:
            reasons.append(f"{bus.dead_letters.unstored} dead letters could not be written to {bus.dead_letters.file}")
    if executor.keeping is not None and (why := executor.keeping.wrong()) is not None:
        reasons.append(why)
        live = False
    return Health(live, not reasons, tuple(reasons))
