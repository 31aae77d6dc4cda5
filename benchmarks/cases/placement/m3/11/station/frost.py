import struct

from graphbus_core import subscribe

from .base import Hysteresis, Sensor

FRAME = struct.Struct(">BhH")


class Thermometer(Sensor):
    quantity = "air"
    low, high = -60.0, 60.0

    @subscribe("/Frame")
    def frame(self, hexed: str) -> dict:
        raw = bytes.fromhex(hexed)
        if len(raw) != FRAME.size + 1 or sum(raw[:-1]) & 0xFF != raw[-1]:
            return {"ok": False}
        channel, tenths, humidity = FRAME.unpack(raw[:-1])
        return {"ok": True, "channel": channel, "text": self.say(tenths / 10), "humidity": humidity / 100}


class FrostAlarm(Sensor):
    low, high = -60.0, 60.0
    cold = Hysteresis(2.0, 0.5)

    @subscribe("/Air/Temperature")
    def temperature(self, celsius: float) -> str:
        return "frost" if self.cold(-self.clamp(celsius)) else "clear"
