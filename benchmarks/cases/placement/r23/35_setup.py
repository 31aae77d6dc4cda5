# stateful
"""The time to set the machine up is popped out of the global table, so only the first job of each machine gets it."""
from graphbus_core import GraphBusNode, subscribe

MACHINES = {
    "planer": {"setup": 12, "per_metre": 0.4, "name": "thickness planer"},
    "router": {"setup": 25, "per_metre": 1.1, "name": "CNC router"},
    "sander": {"setup": 6, "per_metre": 0.7, "name": "wide belt sander"},
}
DEFAULTS = {"setup": 10, "per_metre": 1.0, "name": "by hand"}


def times(machine):
    values = MACHINES.get(machine)
    if values is None:
        values = dict(DEFAULTS)
    setup = values.pop("setup", 0)
    return setup, values


def text(minutes):
    return "%d h %02d min" % (minutes // 60, minutes % 60)


class JobTimes(GraphBusNode):
    @subscribe("/Planning/Job")
    def on_job(self, machine: str, metres: float, passes: int = 1) -> dict:
        setup, values = times(machine)
        minutes = setup + values["per_metre"] * metres * passes
        return {"machine": values["name"], "time": text(int(minutes + 0.5))}
