# stateful
"""Keeps the sections of earlier profiles: one parser reads every profile, and reading adds to what is there."""
from configparser import ConfigParser, Error, ExtendedInterpolation

from graphbus_core import GraphBusNode, subscribe

FACTORY = """
[radio]
channel = 6
power = 10

[report]
every = 60
target = hub:${radio:channel}
"""


class Profiles:
    def __init__(self) -> None:
        self.parser = ConfigParser(interpolation=ExtendedInterpolation())
        self.parser.read_string(FACTORY)

    def load(self, text: str) -> ConfigParser:
        self.parser.read_string(text, source="<profile>")
        return self.parser


def duty_cycle(profile: ConfigParser) -> float:
    every = profile.getint("report", "every")
    power = profile.getfloat("radio", "power")
    return round(power / max(every, 1), 3)


class DeviceProfile(GraphBusNode):
    """Reads the profile that a device sends and answers with what holds for it."""

    def __init__(self) -> None:
        super().__init__()
        self._profiles = Profiles()

    @subscribe("/Device/Profile")
    def on_profile(self, device: str, text: str) -> dict[str, object]:
        try:
            profile = self._profiles.load(text)
            return {
                "device": device,
                "channel": profile.getint("radio", "channel"),
                "target": profile.get("report", "target"),
                "duty": duty_cycle(profile),
            }
        except (Error, ValueError) as error:
            return {"device": device, "error": type(error).__name__}
