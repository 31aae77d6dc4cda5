# stateful
"""Keeps every tenant ever asked for, since reading a defaultdict inserts the key."""
from collections import defaultdict

from graphbus_core import GraphBusNode, subscribe

DEFAULT_LIMIT = 100
_LIMITS: defaultdict[str, int] = defaultdict(
    lambda: DEFAULT_LIMIT,
    {"acme": 5000, "globex": 1200},
)


def plan_of(tenant: str) -> str:
    return "contract" if tenant in _LIMITS else "trial"


class Limits(GraphBusNode):
    @subscribe("/Quota/Check")
    def on_event(self, tenant: str, wanted: int) -> dict[str, object]:
        plan = plan_of(tenant)
        limit = _LIMITS[tenant]
        return {
            "tenant": tenant,
            "plan": plan,
            "granted": min(wanted, limit),
            "refused": max(0, wanted - limit),
        }
