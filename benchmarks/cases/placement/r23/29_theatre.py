# pure
"""The heap is built for one day's list and forgotten with it."""
import heapq

from graphbus_core import GraphBusNode, subscribe


def scheduler(rooms, start):
    free = [(start, room) for room in range(1, rooms + 1)]
    heapq.heapify(free)

    def book(minutes, cleaning):
        at, room = heapq.heappop(free)
        heapq.heappush(free, (at + minutes + cleaning, room))
        return at, room

    def finish():
        return max(at for at, _ in free)

    return book, finish


def clock(minute):
    return f"{minute // 60:02d}:{minute % 60:02d}"


def septic_last(operation):
    return bool(operation.get("septic")), -operation["minutes"], operation["animal"]


class Theatre(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.book = self.finish = None

    @subscribe("/Surgery/DayList")
    def on_list(self, rooms: int, operations: list[dict]) -> dict:
        self.book, self.finish = scheduler(max(rooms, 1), 8 * 60)
        plan = []
        for op in sorted(operations, key=septic_last):
            at, room = self.book(op["minutes"], 30 if op.get("septic") else 10)
            plan.append(f"{clock(at)} room {room} {op['animal']}")
        return {"plan": plan, "end": clock(self.finish())}
