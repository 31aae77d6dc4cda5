# stateful
"""Keeps the level of a logger, set by one event and asked by another for how much to write."""
import logging

from graphbus_core import GraphBusNode, subscribe

log = logging.getLogger("site.diary")
log.addHandler(logging.NullHandler())
log.propagate = False
log.setLevel("INFO")

WEATHER = {"rain": logging.WARNING, "frost": logging.WARNING, "storm": logging.ERROR}
LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")


def severity(weather, accidents):
    if accidents:
        return logging.CRITICAL
    return WEATHER.get(weather, logging.INFO)


def entry(weather, crew, accidents):
    level = severity(weather, accidents)
    if not log.isEnabledFor(level):
        return None
    text = "%s: %d men, %s" % (logging.getLevelName(level), crew, weather)
    if accidents:
        text += ", ACCIDENTS %d" % accidents
    log.log(level, text)
    return text


class DiaryNode(GraphBusNode):
    @subscribe("/Site/DiaryDetail")
    def on_detail(self, level: str) -> dict[str, object]:
        level = level.upper()
        if level not in LEVELS:
            return {"accepted": False}
        log.setLevel(level)
        return {"accepted": True}

    @subscribe("/Site/DiaryLine")
    def on_line(self, weather: str, crew: int, accidents: int) -> dict[str, object]:
        text = entry(weather, crew, accidents)
        return {"written": text is not None, "text": text or ""}
