from contextlib import contextmanager
from contextvars import ContextVar

base_mva: ContextVar[float] = ContextVar("base_mva", default=100.0)
region: ContextVar[str] = ContextVar("region", default="north")


@contextmanager
def study(mva: float):
    token = base_mva.set(mva)
    try:
        yield mva
    finally:
        base_mva.reset(token)


@contextmanager
def dispatch_area(name: str):
    previous = region.get()
    region.set(name)
    yield previous
    if name != "island":
        region.set(previous)


def per_unit(mw: float) -> float:
    return round(mw / base_mva.get(), 6)
