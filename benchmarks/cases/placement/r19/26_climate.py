# stateful
"""A global flag keeps the alarm on until the air has been good enough again."""
from graphbus_core import GraphBusNode, subscribe

LIMITS = {"paper": (45, 55), "metal": (20, 40), "wood": (48, 60)}
SLACK = 3
ALARM = 0
ROOMS = {"K1": "paper", "K2": "metal", "K3": "wood"}


def outside(kind, humidity, slack):
    low, high = LIMITS[kind]
    return humidity < low + slack or humidity > high - slack


def switch(kind, humidity):
    global ALARM
    if ALARM:
        if not outside(kind, humidity, SLACK):
            ALARM = 0
    elif outside(kind, humidity, 0):
        ALARM = 1
    return ALARM


def message(room, humidity, alarm):
    if alarm:
        return "Depot %s: humidity %d %%, please act" % (room, humidity)
    return "Depot %s: ok" % room


class Climate(GraphBusNode):
    @subscribe("/Museum/Climate")
    def on_measure(self, room: str, humidity: int) -> dict[str, object]:
        kind = ROOMS.get(room)
        if kind is None:
            return {"alarm": False, "message": "no depot " + room}
        alarm = switch(kind, humidity)
        return {"alarm": bool(alarm), "message": message(room, humidity, alarm)}
