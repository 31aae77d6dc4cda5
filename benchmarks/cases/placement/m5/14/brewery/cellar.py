from __future__ import annotations

from graphbus_core import subscribe

from .base import QuietNode, setting

STRAINS = {"ale": (15, 24, 0.75), "lager": (7, 13, 0.78), "saison": (20, 35, 0.88)}


class Fermenter(QuietNode):
    @subscribe("/Cellar/Plan")
    def on_plan(self, strain: str, celsius: float, gravity: float) -> str:
        low, high, attenuation = STRAINS.get(strain, STRAINS["ale"])
        if not low <= celsius <= high:
            self.remark(f"{strain} at {celsius}")
            attenuation *= setting("mash", "loss")
        final = 1 + (gravity - 1) * (1 - attenuation)
        return self.reply(final=round(final, 4), abv=round((gravity - final) * 131.25, 2))
