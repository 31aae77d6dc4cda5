# stateful
"""A primed coroutine folds each split into its running average."""
from functools import wraps

from graphbus_core import GraphBusNode, subscribe


def primed(gen):
    @wraps(gen)
    def start(*args, **kwargs):
        co = gen(*args, **kwargs)
        next(co)
        return co
    return start


@primed
def smoother(weight):
    level = None
    out = None
    while True:
        value = yield out
        level = value if level is None else level + weight * (value - level)
        out = level


def watts(split):
    return 2.80 / (split / 500) ** 3


def clock(seconds):
    m, s = divmod(seconds, 60)
    return f"{int(m)}:{s:04.1f}"


class Ergometer(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.pace = smoother(0.3)

    @subscribe("/erg/stroke")
    def on_stroke(self, split: float, rate: int) -> dict:
        level = self.pace.send(split)
        return {
            "split": clock(split),
            "steady": clock(level),
            "watts": round(watts(split)),
            "per_stroke": round(watts(split) * 60 / rate),
        }
