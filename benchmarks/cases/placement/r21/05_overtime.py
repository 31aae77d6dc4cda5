# stateful
"""Keeps a holiday rate in a global dict when the calculation stops before the rate is put back."""
from graphbus_core import GraphBusNode, subscribe

RATES = {"normal": 1.0, "overtime": 1.25, "night": 1.4, "sunday": 1.5}
HOLIDAY = {"normal": 2.0, "overtime": 2.25}
WAGE = {"mason": 24.10, "helper": 17.65, "foreman": 29.80}


def split_hours(hours):
    if hours > 13:
        raise ValueError("more than 13 hours")
    normal = min(hours, 8.0)
    return normal, hours - normal


def pay(trade, hours, night):
    normal, over = split_hours(hours)
    sum_ = normal * RATES["normal"] + over * RATES["overtime"]
    if night:
        sum_ = max(sum_, hours * RATES["night"])
    return round(sum_ * WAGE[trade], 2)


def holiday_pay(trade, hours, night):
    saved = {}
    for k in HOLIDAY:
        saved[k] = RATES[k]
        RATES[k] = HOLIDAY[k]
    amount = pay(trade, hours, night)
    RATES.update(saved)
    return amount


class OvertimeNode(GraphBusNode):
    @subscribe("/Site/DayBooked")
    def on_day(self, worker: str, trade: str, hours: float, night: bool, holiday: bool) -> dict[str, object]:
        if trade not in WAGE:
            return {"worker": worker, "error": "trade?"}
        try:
            if holiday:
                amount = holiday_pay(trade, hours, night)
            else:
                amount = pay(trade, hours, night)
        except ValueError as e:
            return {"worker": worker, "error": str(e)}
        return {"worker": worker, "amount": amount}
