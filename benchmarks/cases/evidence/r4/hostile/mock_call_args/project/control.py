from sensor import Sensor
from vent import Vent


def tick(vent: Vent, room: str):
    return vent.set_speed(co2=Sensor().poll(room)["ppm"])
