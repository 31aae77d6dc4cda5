# pure
"""Keeps nothing: the blank form is copied before it is filled."""
from graphbus_core import GraphBusNode, subscribe

BLANK = {
    "guest": "",
    "nights": 1,
    "room": "single",
    "extras": [],
    "total": 0,
}

NIGHTLY = {"single": 70, "double": 95, "suite": 180}
EXTRAS = {"breakfast": 12, "parking": 9, "late": 25}


def new_form():
    form = dict(BLANK)
    form["extras"] = list(BLANK["extras"])
    return form


def fill(form, guest, nights, guests):
    form["guest"] = guest.strip().title()
    if nights > 1:
        form["nights"] = nights
    if guests == 2:
        form["room"] = "double"
    elif guests > 2:
        form["room"] = "suite"


def add_extras(form, wanted):
    for name in wanted:
        if name in EXTRAS and name not in form["extras"]:
            form["extras"].append(name)


def add_up(form):
    night = NIGHTLY[form["room"]]
    for name in form["extras"]:
        if name != "late":
            night += EXTRAS[name]
    form["total"] = night * form["nights"] + ("late" in form["extras"]) * EXTRAS["late"]


class Bookings(GraphBusNode):
    @subscribe("/hotel/request")
    def on_request(self, guest: str, nights: int, guests: int, wanted: list[str]) -> dict:
        form = new_form()
        fill(form, guest, nights, guests)
        add_extras(form, wanted)
        add_up(form)
        return form
