import sys

from bus import Bus
from customs import Customs
from ferry import Ferry


def bus_day():
    return Customs().check(Bus().stop())["desks"]


def ferry_day():
    return Customs().check(Ferry().arrive())["desks"]


if __name__ == "__main__":
    print(bus_day() if len(sys.argv) < 9 else ferry_day())
