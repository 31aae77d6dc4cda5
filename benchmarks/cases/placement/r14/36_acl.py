# pure
"""The networks are read once from constants and never change."""
import ipaddress
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from graphbus_core import GraphBusNode, subscribe

_POLICY = """
10.0.0.0/8      allow
10.66.0.0/16    deny
192.168.4.0/24  allow
2001:db8::/32   allow
"""

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class Rule(NamedTuple):
    network: Network
    verdict: str


def read_rules(lines: Iterable[str]) -> tuple[Rule, ...]:
    parts = (line.split() for line in lines if line.strip())
    rules = (Rule(ipaddress.ip_network(network), verdict) for network, verdict in parts)
    return tuple(sorted(rules, key=lambda rule: rule.network.prefixlen, reverse=True))


_RULES = read_rules(_POLICY.splitlines())


@lru_cache(maxsize=4096)
def verdict(address: str) -> str:
    ip = ipaddress.ip_address(address)
    return next((rule.verdict for rule in _RULES if ip in rule.network), "deny")


class AccessControl(GraphBusNode):
    @subscribe("/Connection/Attempt")
    def on_event(self, address: str, port: int) -> dict[str, object]:
        try:
            answer = verdict(address)
        except ValueError:
            answer = "malformed"
        return {"address": address, "port": port, "verdict": answer}
