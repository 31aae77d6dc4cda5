# pure
import logging
from datetime import date, datetime, timedelta

from graphbus_core import GraphBusNode, subscribe

log = logging.getLogger(__name__)
log.addHandler(logging.NullHandler())

HOLIDAYS = {date(2025, 12, 25), date(2025, 12, 26), date(2026, 1, 1)}


def working_days(day, count):
    while count:
        day += timedelta(days=1)
        if day.weekday() < 5 and day not in HOLIDAYS:
            count -= 1
            yield day


class DeliveryDate(GraphBusNode):
    @subscribe("/Order/Paid")
    def on_paid(self, payload):
        paid = datetime.strptime(payload["paid"], "%d.%m.%Y %H:%M")
        days = 1 if payload.get("express") else 3
        if paid.hour >= 15:
            log.info("order %s came late, a day more", payload["order"])
            days += 1
        *_, due = working_days(paid.date(), days)
        log.debug("due %s", due)
        self.publish("/Order/Due", {"order": payload["order"], "due": due.isoformat()})
