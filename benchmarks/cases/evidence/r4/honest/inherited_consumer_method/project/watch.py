from alarm import LoudAlarm
from thermo import Thermo


def watch():
    if (seen := Thermo().read("t1"))["pressure"] > 0:
        return LoudAlarm().check(temperature_k=seen["kelvin"])["text"]


if __name__ == "__main__":
    print(watch())
