# stateful
"""The forecast function closes over a dict with the smoothed delay of every line."""
from collections.abc import Callable

from graphbus_core import GraphBusNode, subscribe


def pipe(*steps: Callable) -> Callable:
    def run(value):
        for step in steps:
            value = step(value)
        return value

    return run


def smoother(weight: float, keyed_by: str) -> Callable[[dict], dict]:
    levels: dict[str, float] = {}

    def step(message: dict) -> dict:
        key = message[keyed_by]
        fresh = float(message["delay"])
        level = levels.get(key, fresh)
        level += weight * (fresh - level)
        levels[key] = level
        return {**message, "expected": round(level, 1)}

    return step


def clip(low: int, high: int) -> Callable[[dict], dict]:
    return lambda message: {**message, "delay": min(max(message["delay"], low), high)}


def wording(message: dict) -> dict:
    minutes = message["expected"]
    text = "on time" if minutes < 3 else f"about {5 * round(minutes / 5) or 5} minutes late"
    return {**message, "text": text}


forecast = pipe(clip(-2, 180), smoother(0.4, "line"), wording)


class DelayForecast(GraphBusNode):
    @subscribe("/Rail/Delays")
    def on_delay(self, line: str, station: str, delay: int) -> dict[str, object]:
        return forecast({"line": line, "station": station, "delay": delay})
