# stateful
"""Reads every partner's settings text into the same ConfigParser, so options of earlier texts shine through."""
from configparser import ConfigParser, Error

from graphbus_core import GraphBusNode, subscribe

FACTORY = """
[feed]
delimiter = ;
charset = utf-8
header = yes

[limits]
rows = 5000
"""


def parser() -> ConfigParser:
    config = ConfigParser(interpolation=None)
    config.read_string(FACTORY)
    return config


def summary(config: ConfigParser) -> dict[str, object]:
    return {
        "delimiter": config.get("feed", "delimiter"),
        "charset": config.get("feed", "charset"),
        "header": config.getboolean("feed", "header"),
        "rows": config.getint("limits", "rows"),
        "skip": config.getint("feed", "skip", fallback=0),
    }


class FeedSettings(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._parser = parser()

    @subscribe("/Partner/Settings")
    def on_settings(self, partner: str, text: str) -> dict[str, object]:
        try:
            self._parser.read_string(text, source=partner)
            return {"partner": partner, **summary(self._parser)}
        except (Error, ValueError) as problem:
            return {"partner": partner, "error": type(problem).__name__}
