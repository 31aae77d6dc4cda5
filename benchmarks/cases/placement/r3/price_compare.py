# pure
import asyncio

from graphbus_core import GraphBusNode, subscribe

SHOPS = {"alpha": 1.00, "beta": 0.97, "gamma": 1.04}


class PriceCompare(GraphBusNode):
    """Asks three (simulated) shops at the same time."""

    async def ask(self, shop, cents, offers, lock):
        await asyncio.sleep(0)
        async with lock:
            offers.append((round(cents * SHOPS[shop]), shop))

    @subscribe("/Product/Wanted")
    async def on_wanted(self, payload):
        offers, lock = [], asyncio.Lock()
        await asyncio.gather(*(self.ask(s, payload["cents"], offers, lock) for s in SHOPS))
        offers.sort()
        cents, shop = offers[0]
        self.publish("/Product/BestOffer", {"shop": shop, "cents": cents, "asked": len(offers)})
