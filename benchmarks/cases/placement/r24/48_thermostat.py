# stateful
"""Within the dead band the answer is the last switch position, kept as an attribute of a function."""
from graphbus_core import GraphBusNode, subscribe

SETPOINT = {"hall": 20.0, "attic": 19.5}
BAND = 0.5


def heating(room, error):
    if error > BAND:
        heating.on[room] = True
    elif error < -BAND:
        heating.on[room] = False
    return heating.on.get(room, False)


heating.on = {}


def valve(error):
    """Opening in percent, proportional up to two degrees."""
    return max(0, min(100, round(50 * error)))


class Thermostat(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.setpoint = dict(SETPOINT)

    def _error(self, room, celsius):
        return self.setpoint.get(room, 20.0) - celsius

    @subscribe("/house/temperature")
    def on_temperature(self, room: str, celsius: float) -> dict:
        error = self._error(room, celsius)
        burning = heating(room, error)
        return {
            "room": room,
            "burner": "on" if burning else "off",
            "valve": valve(error) if burning else 0,
        }
