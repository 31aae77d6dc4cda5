from typing import Generator


def exponential(alpha: float) -> Generator[float | None, float, None]:
    value = None
    while True:
        sample = yield value
        value = sample if value is None else value + alpha * (sample - value)


_running: dict[str, Generator] = {}


def smooth(sensor: str, sample: float, alpha: float = 0.25) -> float:
    if sensor not in _running:
        _running[sensor] = exponential(alpha)
        next(_running[sensor])
    return _running[sensor].send(sample)


def smooth_all(samples: list[float], alpha: float = 0.25) -> list[float]:
    """The smoothed form of one closed series."""
    gen = exponential(alpha)
    next(gen)
    return [gen.send(s) for s in samples]


class BaselineMixin:
    """Compares readings with the first one of the same sensor."""

    def offset(self, sensor: str, value: float) -> float:
        base = self.__dict__.setdefault("_baseline", {})
        return value - base.setdefault(sensor, value)
