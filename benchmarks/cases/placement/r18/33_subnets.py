# pure
"""Keeps networks already parsed, by their full text; a parsed network is the same object to every question."""
from __future__ import annotations

import ipaddress
from collections.abc import Iterator

from graphbus_core import GraphBusNode, subscribe

Network = ipaddress.IPv4Network
ROLES = [("10.20.0.0/16", "campus"), ("10.20.64.0/18", "labs"), ("10.0.0.0/8", "corporate"), ("192.168.0.0/16", "home")]


class NetworkCache:
    def __init__(self) -> None:
        self._parsed: dict[str, Network] = {}

    def __call__(self, text: str) -> Network:
        found = self._parsed.get(text)
        if found is None:
            found = self._parsed[text] = ipaddress.ip_network(text, strict=False)
        return found


network = NetworkCache()


def role(block: Network) -> str:
    matches = [(network(text).prefixlen, name) for text, name in ROLES if block.subnet_of(network(text))]
    return max(matches, default=(0, "public"))[1]


def carve(block: Network, sizes: list[int]) -> Iterator[tuple[int, Network | None]]:
    free = [block]
    for hosts in sorted(sizes, reverse=True):
        prefix = 32 - (hosts + 1).bit_length()
        spot = next((net for net in sorted(free, key=lambda n: (-n.prefixlen, n)) if net.prefixlen <= prefix), None)
        if spot is None:
            yield hosts, None
            continue
        free.remove(spot)
        piece = next(spot.subnets(new_prefix=prefix))
        free.extend(spot.address_exclude(piece) if piece != spot else ())
        yield hosts, piece


class AddressPlan(GraphBusNode):
    @subscribe("/Network/Plan")
    def on_plan(self, block: str, sizes: list[int]) -> dict[str, object]:
        try:
            whole = network(block.strip())
        except ValueError as problem:
            return {"error": str(problem)}
        plan = [(hosts, str(piece) if piece else "no room") for hosts, piece in carve(whole, [s for s in sizes if s > 0])]
        return {"role": role(whole), "plan": [f"{hosts}: {text}" for hosts, text in plan], "size": whole.num_addresses}

    @subscribe("/Network/Locate")
    def on_locate(self, address: str, blocks: list[str]) -> dict[str, object]:
        inside = [net for net in map(network, blocks) if ipaddress.ip_address(address) in net]
        best = max(inside, key=lambda net: net.prefixlen, default=None)
        return {"address": address, "block": str(best) if best else None, "roles": sorted({role(net) for net in inside})}
