# stateful
"""The decorator remembers the last text it let through for each key and drops repetitions."""
import functools
from collections.abc import Callable

from graphbus_core import GraphBusNode, subscribe

Sender = Callable[[str, str], bool]


class once_per_change:
    """Calls the function only when the text differs from the one before."""

    def __init__(self, key: Callable[[str], str]) -> None:
        self.key = key

    def __call__(self, send: Sender) -> Sender:
        last: dict[str, str] = {}

        @functools.wraps(send)
        def guarded(target: str, text: str) -> bool:
            slot = self.key(target)
            if last.get(slot) == text:
                return False
            last[slot] = text
            return send(target, text)

        return guarded


@once_per_change(key=lambda target: target.partition("/")[0])
def forward(target: str, text: str) -> bool:
    print(f"-> {target}: {text}")
    return True


class AlarmRelay(GraphBusNode):
    @subscribe("/alarms")
    def on_alarm(self, site: str, sensor: str, level: int) -> dict[str, bool]:
        text = "critical" if level >= 8 else "warning" if level >= 4 else "ok"
        return {"forwarded": forward(f"{site}/{sensor}", text)}
