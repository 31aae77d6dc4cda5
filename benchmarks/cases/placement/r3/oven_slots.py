# stateful
import asyncio

from graphbus_core import GraphBusNode, subscribe


class OvenSlots(GraphBusNode):
    """Two trays fit into the oven, a third one has to wait outside."""

    def __init__(self, trays: int = 2):
        super().__init__()
        self._trays = asyncio.Semaphore(trays)

    @subscribe("/Bakery/TrayReady")
    async def on_ready(self, payload):
        if self._trays.locked():
            self.publish("/Oven/Full", {"tray": payload["tray"]})
            return
        await self._trays.acquire()
        self.publish("/Oven/Loaded", {"tray": payload["tray"]})

    @subscribe("/Bakery/TrayBaked")
    async def on_baked(self, payload):
        self._trays.release()
        self.publish("/Oven/Emptied", {"tray": payload["tray"]})
