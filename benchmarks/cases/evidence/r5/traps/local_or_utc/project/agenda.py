"""Reminders.

>>> from datetime import datetime, timedelta
>>> booked = Booking().make("dentist")
>>> local = datetime.fromisoformat(booked["starts_at"])
>>> utc = local - timedelta(hours=booked["utc_offset"])
>>> Reminder().schedule(starts_utc=utc.isoformat())["cron"]
'30 7'
"""

from graphbus_core import GraphBusNode, depends_on, schema_method


class Booking(GraphBusNode):
    @schema_method(input_schema={"what": str}, output_schema={"starts_at": str, "utc_offset": int})
    def make(self, what):
        return {"starts_at": "2024-07-01T09:30:00", "utc_offset": 2}


class Reminder(GraphBusNode):
    @depends_on("Booking.make")
    @schema_method(input_schema={"starts_utc": str}, output_schema={"cron": str})
    def schedule(self, starts_utc):
        hour, minute = starts_utc.split("T")[1].split(":")[:2]
        return {"cron": f"{int(minute)} {int(hour)}"}
