from declarer import Declarer
from topology import Topology


def arguments(exchange):
    return dict(name=exchange["name"], type=exchange["exchange_type"])


declarer = Declarer()
for name in ("logs", "jobs"):
    print(declarer.declare(**arguments(Topology().describe(name)))["command"])
print(declarer.log)
