# stateful
"""Keeps, in the closure of a decorator, how many messages each recipient had."""
import functools
from collections import Counter
from collections.abc import Callable
from typing import Any, TypeVar

from graphbus_core import GraphBusNode, subscribe

F = TypeVar("F", bound=Callable[..., dict[str, Any]])

GSM_LIMIT = 160
CONCAT_LIMIT = 153


def guarded(limit: int, key: str) -> Callable[[F], F]:
    """Refuse what would annoy people."""

    def decorate(func: F) -> F:
        tally: Counter[str] = Counter()

        @functools.wraps(func)
        def inner(*args: Any, **kwargs: Any) -> dict[str, Any]:
            who = kwargs[key]
            tally[who] += 1
            if tally[who] > limit:
                return {"to": who, "sent": False, "reason": "limit"}
            return func(*args, **kwargs)

        return inner  # type: ignore[return-value]

    return decorate


def segments(text: str) -> int:
    if len(text) <= GSM_LIMIT:
        return 1
    return -(-len(text) // CONCAT_LIMIT)


@guarded(limit=3, key="to")
def render(*, to: str, text: str) -> dict[str, Any]:
    return {"to": to, "sent": True, "segments": segments(text)}


class SmsGateway(GraphBusNode):
    @subscribe("/sms/out")
    def on_message(self, to: str, text: str) -> dict[str, Any]:
        number = to.replace(" ", "").replace("-", "")
        if not number.startswith("+"):
            number = "+49" + number.lstrip("0")
        return render(to=number, text=text.strip())
