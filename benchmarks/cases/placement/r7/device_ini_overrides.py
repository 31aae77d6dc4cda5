# stateful
"""One ConfigParser reads every snippet, so options of an earlier device remain set for a later one."""
import configparser

from graphbus_core import GraphBusNode, subscribe

FACTORY = """
[radio]
channel = 11
power = 20

[sampling]
interval = 60
burst = no
"""

LIMITS = {"channel": (1, 13), "power": (0, 30)}


def clamp(name: str, value: int) -> int:
    low, high = LIMITS[name]
    return max(low, min(high, value))


class DeviceProvisioning(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._parser = configparser.ConfigParser()
        self._parser.read_string(FACTORY)

    def _effective(self) -> dict[str, object]:
        radio = self._parser["radio"]
        sampling = self._parser["sampling"]
        return {
            "channel": clamp("channel", radio.getint("channel")),
            "power": clamp("power", radio.getint("power")),
            "interval": sampling.getint("interval"),
            "burst": sampling.getboolean("burst"),
        }

    @subscribe("/devices/hello")
    def on_hello(self, serial: str, overrides: str) -> dict[str, object]:
        try:
            self._parser.read_string(overrides, source=serial)
        except configparser.Error as problem:
            return {"serial": serial, "error": type(problem).__name__}
        return {"serial": serial, **self._effective()}
