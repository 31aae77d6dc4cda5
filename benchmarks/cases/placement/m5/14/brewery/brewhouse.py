from __future__ import annotations

from graphbus_core import subscribe

from .base import BrewNode, QuietNode, config, setting


class Mash(BrewNode):
    @subscribe("/Brew/Mash")
    def on_mash(self, malt: float, litres: float) -> str:
        ratio = litres / malt
        if ratio < 2.5:
            self.remark("thick mash")
        return self.reply(wort=round(litres - malt * setting("mash", "loss"), 2), ratio=round(ratio, 2))


class Boil(QuietNode):
    @subscribe("/Brew/Boil")
    def on_boil(self, litres: float) -> str:
        left = litres * (1 - setting("boil", "evaporation")) ** setting("boil", "hours")
        if left < 10:
            self.remark("small batch")
        return self.reply(left=round(left, 3))


class BoilTimer(QuietNode):
    @subscribe("/Brew/BoilTime")
    def on_hours(self, hours: float) -> str:
        config["boil"]["hours"] = str(hours)
        return self.reply(set=True)
