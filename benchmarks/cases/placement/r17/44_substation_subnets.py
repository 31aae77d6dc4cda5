# pure
"""Keeps nothing: the pool of free networks is cut anew from the constant for every request."""
from __future__ import annotations

import heapq
import ipaddress
from collections import ChainMap
from dataclasses import dataclass, field
from itertools import islice

from graphbus_core import GraphBusNode, subscribe

POOL = ipaddress.ip_network("10.44.0.0/20")
DEFAULTS = {"hosts": 14, "vlan": 100, "gateway": "first"}


@dataclass
class Allocator:
    free: list[tuple[int, ipaddress.IPv4Network]] = field(default_factory=list)

    def __post_init__(self) -> None:
        if not self.free:
            heapq.heappush(self.free, (-POOL.prefixlen, POOL))

    def take(self, hosts: int) -> ipaddress.IPv4Network:
        prefix = 32 - (hosts + 1).bit_length()
        rest = []
        try:
            while self.free:
                key, network = heapq.heappop(self.free)
                if network.prefixlen <= prefix:
                    chosen = next(network.subnets(new_prefix=prefix))
                    if chosen != network:
                        for piece in network.address_exclude(chosen):
                            heapq.heappush(self.free, (-piece.prefixlen, piece))
                    return chosen
                rest.append((key, network))
            raise LookupError(f"no room for {hosts} hosts")
        finally:
            for entry in rest:
                heapq.heappush(self.free, entry)


class SubstationSubnets(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._settings = ChainMap(DEFAULTS)

    @subscribe("/Sites")
    def on_site(self, name: str, segments: dict[str, int]) -> dict[str, object]:
        allocator = Allocator()
        plan: dict[str, list[str]] = {}
        for offset, (segment, hosts) in enumerate(sorted(segments.items(), key=lambda item: (-item[1], item[0]))):
            settings = self._settings.new_child()
            settings["vlan"] += offset
            if hosts > 0:
                settings["hosts"] = hosts
            try:
                network = allocator.take(settings["hosts"])
            except LookupError as problem:
                return {"site": name, "error": str(problem)}
            first = islice(network.hosts(), 2)
            plan[segment] = [str(settings["vlan"]), str(network), *map(str, first)]
        return {"site": name, "plan": plan, "left": sum(net.num_addresses for _, net in allocator.free)}
