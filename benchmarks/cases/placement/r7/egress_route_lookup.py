# pure
"""The routing table is built by the constructor from constants and only read afterwards."""
import ipaddress
from dataclasses import dataclass
from operator import attrgetter

from graphbus_core import GraphBusNode, subscribe

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

CONFIG = """
# network          gateway     metric
0.0.0.0/0          wan0        100
10.0.0.0/8         core        10
10.20.0.0/16       lab         10
10.20.30.0/24      bench       5
192.168.0.0/16     office      20
2001:db8::/32      wan6        50
2001:db8:aa::/48   lab         10
"""


@dataclass(frozen=True)
class Route:
    network: Network
    gateway: str
    metric: int

    @property
    def prefix(self) -> int:
        return self.network.prefixlen


def read_table(text: str) -> list[Route]:
    routes = []
    for raw in text.splitlines():
        fields = raw.partition("#")[0].split()
        if fields:
            network, gateway, metric = fields
            routes.append(Route(ipaddress.ip_network(network), gateway, int(metric)))
    return sorted(routes, key=attrgetter("prefix"), reverse=True)


class Egress(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._routes = read_table(CONFIG)

    def _match(self, address: Address) -> Route | None:
        for route in self._routes:
            if address.version == route.network.version and address in route.network:
                return route
        return None

    @subscribe("/net/packet")
    def on_packet(self, destination: str, size: int) -> dict[str, object]:
        try:
            address = ipaddress.ip_address(destination)
        except ValueError:
            return {"destination": destination, "action": "drop", "why": "malformed"}
        route = self._match(address)
        if route is None or address.is_multicast:
            return {"destination": str(address), "action": "drop", "why": "no route"}
        mtu = 1280 if address.version == 6 else 1500
        return {
            "destination": str(address),
            "action": "forward",
            "via": route.gateway,
            "fragments": -(-size // (mtu - 40)),
            "cost": route.metric * max(1, size // 1024),
        }
