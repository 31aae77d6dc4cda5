# pure
"""Global variables are set by a set-up function at import; the tally of the day is a local dict."""
from graphbus_core import GraphBusNode, subscribe

PLAN = """
hall: egypt cafe shop
egypt: hall greece
greece: egypt rome
rome: greece hall
cafe: hall
"""
DOORS = {}
STAY = {"hall": 5, "cafe": 25, "shop": 10}


def set_up():
    global DOORS
    doors = {}
    for line in PLAN.split("\n"):
        if ":" not in line:
            continue
        room, others = line.split(":")
        for other in others.split():
            doors.setdefault(room.strip(), []).append(other)
            if room.strip() not in doors.setdefault(other, []):
                doors[other].append(room.strip())
    DOORS = doors


set_up()


def walk(rooms):
    tally = {}
    remarks = []
    last = ""
    for room in rooms:
        if room not in DOORS:
            remarks.append("no room " + room)
            continue
        if last and room != last and room not in DOORS[last]:
            remarks.append("no door from %s to %s" % (last, room))
        tally[room] = tally.get(room, 0) + STAY.get(room, 15)
        last = room
    return tally, remarks


class VisitPlan(GraphBusNode):
    @subscribe("/Museum/Visits")
    def on_visit(self, rooms: list[str], hurry: bool) -> dict[str, object]:
        tally, remarks = walk(rooms)
        if hurry:
            for room in tally:
                tally[room] = (tally[room] + 1) // 2
        return {"minutes": sum(tally.values()), "rooms": tally, "remarks": remarks}
