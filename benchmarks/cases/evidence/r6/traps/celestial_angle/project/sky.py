"""Points a small telescope."""
import asyncio

from graphbus_core import GraphBusNode, depends_on, schema_method

CATALOGUE = {
    "M42": ("05:35", -5.4),
    "M31": ("00:42", 41.3),
    "M13": ("16:41", 36.5),
}


class Ephemeris(GraphBusNode):
    @schema_method(input_schema={"name": str}, output_schema={"name": str, "ra": str, "dec": float})
    async def locate(self, name):
        await asyncio.sleep(0)
        ra, dec = CATALOGUE[name]
        return {"name": name, "ra": ra, "dec": dec}


class Mount(GraphBusNode):
    speed = 3.0

    def __init__(self):
        super().__init__()
        self.ra, self.dec = 0.0, 90.0
        self.trail = []

    @depends_on("Ephemeris.locate")
    @schema_method(input_schema={"ra": float, "dec": float}, output_schema={"seconds": float})
    async def slew(self, ra, dec):
        way = max(abs(ra - self.ra), abs(dec - self.dec))
        self.trail.append((ra, dec))
        self.ra, self.dec = ra, dec
        await asyncio.sleep(0)
        return {"seconds": round(way / self.speed, 1)}
