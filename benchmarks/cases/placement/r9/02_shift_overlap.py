# pure
"""Merges the shifts in one event."""
from graphbus_core import GraphBusNode, subscribe

DAY = 24 * 60
BREAKS = ((9 * 60, 45), (6 * 60, 30))


def minutes(clock: str) -> int:
    hour, _, minute = clock.partition(":")
    value = int(hour) * 60 + int(minute or 0)
    if not 0 <= value <= DAY:
        raise ValueError(clock)
    return value


def clock(value: int) -> str:
    return f"{value // 60 % 24:02d}:{value % 60:02d}"


def span(text: str) -> tuple[int, int]:
    start, end = (minutes(part.strip()) for part in text.split("-"))
    return (start, end) if end > start else (start, end + DAY)


def merge(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged


def pause(length: int) -> int:
    return next((rest for limit, rest in BREAKS if length > limit), 0)


class ShiftOverlap(GraphBusNode):
    @subscribe("/Shifts/Day")
    def on_day(self, worker: str, shifts: list[str]) -> dict[str, object]:
        try:
            blocks = merge([span(text) for text in shifts])
        except ValueError as problem:
            return {"worker": worker, "error": f"cannot read {problem}"}
        worked = sum(end - start for start, end in blocks)
        paid = sum(end - start - pause(end - start) for start, end in blocks)
        return {
            "worker": worker,
            "blocks": [f"{clock(start)}-{clock(end)}" for start, end in blocks],
            "worked": worked,
            "paid": paid,
        }
