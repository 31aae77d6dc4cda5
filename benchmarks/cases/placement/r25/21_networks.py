# pure
"""Keeps the table of networks, read once and only looked at afterwards."""
import bisect
import ipaddress
from configparser import ConfigParser
from functools import lru_cache

from graphbus_core import GraphBusNode, subscribe

CONFIG = """
[zones]
office  = 10.1.0.0/16
lab     = 10.1.64.0/20
vpn     = 172.16.8.0/22
printer = 10.1.64.16/28
"""


def load(text: str):
    parser = ConfigParser()
    parser.read_string(text)
    table: list[tuple[int, str, ipaddress.IPv4Network]] = []
    for name, cidr in parser["zones"].items():
        net = ipaddress.ip_network(cidr)
        # longest prefix first
        bisect.insort(table, (-net.prefixlen, name, net))
    return table


class ZoneFinder(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        table = load(CONFIG)

        @lru_cache(maxsize=256)
        def find(ip: str) -> str | None:
            address = ipaddress.ip_address(ip)
            return next((name for _, name, net in table if address in net), None)

        self.find = find

    @subscribe("/net/connection")
    def on_connection(self, ip: str, port: int) -> dict[str, object]:
        try:
            zone = self.find(ip)
        except ValueError as err:
            return {"error": str(err)}
        return {"zone": zone or "outside", "allow": zone is not None and (port == 443 or zone == "lab")}
