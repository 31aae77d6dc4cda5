from graphbus_core import GraphBusNode, subscribe

from fleet import pick
from roads import way


class DispatchNode(GraphBusNode):
    @subscribe("/Dispatch")
    def on_load(self, goal: str, kg: int) -> dict:
        van = pick(kg)
        if van is None:
            return {"van": None, "reason": "too heavy"}
        km, _ = way("depot", goal)
        return {"van": van.plate, "minutes": van.minutes(km)}
