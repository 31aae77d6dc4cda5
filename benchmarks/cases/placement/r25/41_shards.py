# stateful
"""Keeps the position in an endless cycle of targets."""
from functools import partial
from itertools import chain, cycle, repeat

from graphbus_core import GraphBusNode, subscribe

WEIGHTS = (("alpha", 3), ("beta", 2), ("gamma", 1))


def weighted(weights):
    return chain.from_iterable(repeat(name, n) for name, n in weights)


def is_pinned(key: str) -> bool:
    return key.startswith("tenant:")


def pinned(key: str, names) -> str:
    return names[sum(map(ord, key)) % len(names)]


def route(key, *, names, spread):
    return pinned(key, names) if is_pinned(key) else spread()


choose = partial(
    route,
    names=[name for name, _ in WEIGHTS],
    spread=partial(next, cycle(weighted(WEIGHTS))),
)


class Router(GraphBusNode):
    @subscribe("/route/request")
    def on_request(self, key: str) -> dict[str, str]:
        return {"key": key, "shard": choose(key)}
