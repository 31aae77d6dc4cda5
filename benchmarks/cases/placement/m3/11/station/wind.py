from bisect import bisect_left
from operator import itemgetter

from graphbus_core import subscribe

from .base import Hysteresis, Sensor, Windowed

BEAUFORT = [(0.5, "calm"), (1.6, "light air"), (3.4, "light breeze"), (5.5, "gentle breeze"), (8.0, "moderate breeze"), (10.8, "fresh breeze"), (17.2, "near gale"), (24.5, "gale"), (999.0, "storm")]


class Anemometer(Sensor):
    quantity = "wind"
    high = 75.0

    @subscribe("/Wind/Gust")
    def gust(self, speed: float) -> dict:
        i = bisect_left(BEAUFORT, self.clamp(speed), key=itemgetter(0))
        return {"force": i, "name": BEAUFORT[i][1], "line": self.say(speed)}


class MeanWind(Windowed):
    quantity = "mean"
    high = 75.0

    @subscribe("/Wind/Mean")
    def averaged(self, speed: float) -> str:
        return self.say(self.mean(speed))


class GaleTrace(Sensor):
    """Marks which minutes of one recording were under warning."""

    @subscribe("/Wind/Recording")
    def recording(self, speeds: list[float]) -> str:
        return "".join("W" if w else "." for w in Hysteresis.along(speeds, 17.0, 12.0))
