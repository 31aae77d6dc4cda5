# stateful
import calendar

from graphbus_core import GraphBusNode, subscribe

WEEKDAYS = {"monday": 0, "saturday": 5, "sunday": 6}


class MonthSheet(GraphBusNode):
    """Rows of a month for the duty roster."""

    @subscribe("/Roster/Month")
    def on_month(self, payload):
        start = payload.get("week_starts")
        if start in WEEKDAYS:
            calendar.setfirstweekday(WEEKDAYS[start])
        weeks = calendar.monthcalendar(payload["year"], payload["month"])
        self.publish("/Roster/Sheet", {
            "title": f"{payload['year']}-{payload['month']:02d}",
            "weeks": weeks,
        })
