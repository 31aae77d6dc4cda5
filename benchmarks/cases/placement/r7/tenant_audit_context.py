# stateful
"""The context variable is set when an event names a tenant and never reset, so later events without one inherit it."""
import re
from contextvars import ContextVar
from dataclasses import dataclass

from graphbus_core import GraphBusNode, subscribe


@dataclass(frozen=True)
class Tenant:
    name: str
    region: str


NOBODY = Tenant("-", "eu")
current: ContextVar[Tenant] = ContextVar("current", default=NOBODY)

BUCKETS = {"eu": "audit-fra", "us": "audit-iad", "ap": "audit-sin"}


SECRET = re.compile(r"(?<=[?&])(token|key|password)=[^&]*")
IDENTIFIER = re.compile(r"/(?:\d+|[0-9a-f]{8}-[0-9a-f-]{27})(?=/|$)")
RISK = {"GET": 0, "HEAD": 0, "POST": 1, "PUT": 1, "PATCH": 1, "DELETE": 3}
CRITICAL_PREFIXES = ("/admin", "/billing", "/keys")


def redact(path: str) -> str:
    route, mark, query = path.partition("?")
    route = IDENTIFIER.sub("/:id", route.rstrip("/")) or "/"
    return route + SECRET.sub(r"\1=***", mark + query)


def risk(verb: str, path: str) -> int:
    points = RISK.get(verb, 2)
    if path.startswith(CRITICAL_PREFIXES):
        points += 2
    return min(points, 4)


def enter(header: str) -> None:
    name, _, region = header.partition("@")
    current.set(Tenant(name, region or "eu"))


def record(action: str) -> dict[str, str]:
    tenant = current.get()
    return {"tenant": tenant.name, "bucket": BUCKETS.get(tenant.region, "audit-misc"), "action": action}


class Audit(GraphBusNode):
    @subscribe("/audit")
    def on_action(self, header: str, verb: str, path: str) -> dict[str, str]:
        if header:
            enter(header)
        verb = verb.upper()
        entry = record(f"{verb} {redact(path)}")
        entry["risk"] = "low medium elevated high severe".split()[risk(verb, path)]
        return entry
