# stateful
"""Counts the calendar weeks that a month touches (for rota sheets)."""
from graphbus_core import GraphBusNode, subscribe
import calendar


class WeekCounter(GraphBusNode):
    @subscribe("/In")
    def on_month(self, event):
        start = event["week_starts"]
        if start is not None:
            calendar.setfirstweekday(start)
        sheet = calendar.monthcalendar(event["year"], event["month"])
        return {"weeks": len(sheet), "total": sum(row[0] for row in sheet)}
