# pure
from datetime import date, timedelta

from graphbus_core import GraphBusNode, subscribe


class ShiftPlanner(GraphBusNode):
    @subscribe("/Day/Asked")
    def on(self, payload):
        day = date.fromisoformat(payload["day"])
        while day.weekday() >= 5:
            day += timedelta(days=1)
        self.publish("/Shift/Planned", {"day": day.isoformat()})
