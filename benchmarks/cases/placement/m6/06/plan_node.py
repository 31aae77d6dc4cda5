import heapq
from collections import defaultdict

from graphbus_core import GraphBusNode, subscribe

from rooms import Room, smallest_for
from timegrid import OPENING, Span, to_clock


class PlanNode(GraphBusNode):
    """Orders the tasks of a day so that each comes after what it needs."""

    def _ordered(self, tasks: dict[str, int], needs: list[list[str]]) -> list[str]:
        waiting = {name: 0 for name in tasks}
        followers: dict[str, list[str]] = defaultdict(list)
        for before, after in needs:
            if before in waiting and after in waiting:
                followers[before].append(after)
                waiting[after] += 1
        ready = [(-tasks[n], n) for n, count in waiting.items() if not count]
        heapq.heapify(ready)
        order = []
        while ready:
            _, name = heapq.heappop(ready)
            order.append(name)
            for follower in followers[name]:
                waiting[follower] -= 1
                if waiting[follower] == 0:
                    heapq.heappush(ready, (-tasks[follower], follower))
        return order

    @subscribe("/Plan")
    def on_day(self, tasks: dict[str, int], needs: list[list[str]], people: int) -> dict:
        order = self._ordered(tasks, needs)
        clock, closing = OPENING["weekday"]
        plan = {}
        for name in order:
            span = Span(clock, clock + tasks[name])
            plan[name] = str(span)
            clock = -(-span.end // Room.step) * Room.step
        room = smallest_for(people)
        return {
            "plan": plan,
            "ends": to_clock(clock),
            "late": clock > closing,
            "loops": sorted(set(tasks) - set(order)),
            "room": room.name if room else None,
        }
