# stateful
"""Crates are sent off by the pallet."""

import asyncio

from graphbus_core import GraphBusNode, subscribe


class Pallet(GraphBusNode):
    SIZE = 2

    def __init__(self):
        super().__init__()
        self.crates = asyncio.Queue()

    @subscribe("/Crate/Filled")
    async def on_filled(self, payload):
        await self.crates.put(payload["crate"])
        if self.crates.qsize() == self.SIZE:
            self.publish("/Pallet/Full", {"crates": [self.crates.get_nowait() for _ in range(self.SIZE)]})
