from lock import Lock
from tide import Tide


def keep():
    tide = Tide().now()
    return Lock().decide(level=tide["height"])["gate"]


if __name__ == "__main__":
    print(keep())
