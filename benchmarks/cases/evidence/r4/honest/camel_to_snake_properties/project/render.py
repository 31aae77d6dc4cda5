from device import Device
from view import View


def main():
    d = Device().load("x")
    return View().tile(indoorTemperature=d["indoor_temperature"], setPoint=d["set_point"], isAlive=d["is_alive"])


print(main()["html"])
