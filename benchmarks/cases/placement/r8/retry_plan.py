# pure
"""Keeps nothing: the counter in the closure is made anew for each event's simulation."""
from collections.abc import Callable
from dataclasses import dataclass

from graphbus_core import GraphBusNode, subscribe


class Unavailable(Exception):
    pass


@dataclass(frozen=True)
class Policy:
    attempts: int
    base_ms: int
    cap_ms: int

    def wait(self, attempt: int) -> int:
        return min(self.cap_ms, self.base_ms * 2 ** attempt)


POLICIES = {"eager": Policy(5, 10, 100), "calm": Policy(3, 500, 4000)}


def flaky(outcomes: str) -> Callable[[], str]:
    calls = 0

    def call() -> str:
        nonlocal calls
        calls += 1
        if calls > len(outcomes) or outcomes[calls - 1] != "+":
            raise Unavailable(f"call {calls}")
        return f"answered at call {calls}"

    return call


def attempt_all(call: Callable[[], str], policy: Policy) -> tuple[str | None, int]:
    waited = 0
    for attempt in range(policy.attempts):
        try:
            return call(), waited
        except Unavailable:
            waited += policy.wait(attempt)
    return None, waited


class RetryPlan(GraphBusNode):
    """Shows what a retry policy would have done with a recorded outage."""

    @subscribe("/Outages/Replay")
    def on_replay(self, policy: str, outcomes: str) -> dict[str, object]:
        chosen = POLICIES.get(policy, POLICIES["calm"])
        answer, waited = attempt_all(flaky(outcomes), chosen)
        return {"policy": policy, "answer": answer, "waited_ms": waited}
