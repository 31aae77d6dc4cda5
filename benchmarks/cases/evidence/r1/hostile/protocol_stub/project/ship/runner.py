from ship.nodes import Sonar
from ship.ports import Steers


def once(pilot: Steers) -> str:
    return pilot.steer(depth=Sonar().ping()["depth_m"])["order"]
