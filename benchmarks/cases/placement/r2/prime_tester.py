# pure
from functools import lru_cache

from graphbus_core import GraphBusNode, subscribe


@lru_cache(maxsize=256)
def is_prime(number):
    return number > 1 and all(number % divisor for divisor in range(2, int(number**0.5) + 1))


class PrimeTester(GraphBusNode):
    @subscribe("/Number/Asked")
    def on(self, payload):
        self.publish("/Number/Told", {"prime": is_prime(payload["n"])})
