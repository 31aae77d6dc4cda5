import sys

from dialer import Dialer
from resolver import Resolver


def reach(name):
    found = Resolver().resolve(name)
    try:
        digits = str(int(found["current"]))
    except ValueError:
        return Dialer().dial(name=name, number=found["last_known"])
    return Dialer().dial(name=name, number=digits)


for name in sys.argv[1:] or ["ann", "zed"]:
    print(reach(name)["dialled"])
