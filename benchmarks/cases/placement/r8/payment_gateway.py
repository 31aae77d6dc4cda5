# stateful
"""Keeps a failure count in a closure; after three failures in a row the breaker answers instead."""
from collections.abc import Callable
from functools import wraps

from graphbus_core import GraphBusNode, subscribe


class GatewayError(Exception):
    pass


class Open(Exception):
    pass


def breaker(limit: int) -> Callable[[Callable[..., str]], Callable[..., str]]:
    def decorate(func: Callable[..., str]) -> Callable[..., str]:
        failures = 0

        @wraps(func)
        def guarded(*args: object, **kwargs: object) -> str:
            nonlocal failures
            if failures >= limit:
                raise Open(func.__name__)
            try:
                result = func(*args, **kwargs)
            except GatewayError:
                failures += 1
                raise
            failures = 0
            return result

        return guarded
    return decorate


def luhn_ok(card: str) -> bool:
    digits = [int(c) for c in reversed(card)]
    odd = sum(digits[0::2])
    even = sum(sum(divmod(2 * d, 10)) for d in digits[1::2])
    return (odd + even) % 10 == 0


@breaker(limit=3)
def authorise(card: str, cents: int) -> str:
    if not luhn_ok(card):
        raise GatewayError("card refused")
    return f"{card[-4:]}-{cents:08d}"


class PaymentGateway(GraphBusNode):
    @subscribe("/Payments/Authorise")
    def on_authorise(self, card: str, cents: int) -> dict[str, str]:
        try:
            return {"status": "ok", "ref": authorise(card, cents)}
        except GatewayError as exc:
            return {"status": "refused", "ref": str(exc)}
        except Open as exc:
            return {"status": "unavailable", "ref": str(exc)}
