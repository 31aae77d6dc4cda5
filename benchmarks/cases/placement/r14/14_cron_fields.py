# pure
"""Expands the expression in the event, with constant bounds."""
from graphbus_core import GraphBusNode, subscribe

_FIELDS = (
    ("minute", 0, 59),
    ("hour", 0, 23),
    ("day", 1, 31),
    ("month", 1, 12),
    ("weekday", 0, 6),
)
_MACROS = {"@hourly": "0 * * * *", "@daily": "0 0 * * *", "@weekly": "0 0 * * 0"}


def expand(text: str, low: int, high: int) -> list[int]:
    chosen: set[int] = set()
    for part in text.split(","):
        span, _, step_text = part.partition("/")
        step = int(step_text) if step_text else 1
        if span == "*":
            first, last = low, high
        elif "-" in span:
            first, last = map(int, span.split("-", 1))
        else:
            first = int(span)
            last = high if step_text else first
        if step < 1 or not low <= first <= last <= high:
            raise ValueError(f"{part!r} is not within {low}-{high}")
        chosen.update(range(first, last + 1, step))
    return sorted(chosen)


class CronReader(GraphBusNode):
    @subscribe("/Schedule/Edited")
    def on_event(self, job: str, expression: str) -> dict[str, object]:
        parts = _MACROS.get(expression, expression).split()
        if len(parts) != len(_FIELDS):
            return {"job": job, "error": f"{len(_FIELDS)} fields expected"}
        schedule: dict[str, list[int]] = {}
        for (name, low, high), part in zip(_FIELDS, parts, strict=True):
            try:
                schedule[name] = expand(part, low, high)
            except ValueError as error:
                return {"job": job, "error": f"{name}: {error}"}
        return {"job": job, "schedule": schedule}
