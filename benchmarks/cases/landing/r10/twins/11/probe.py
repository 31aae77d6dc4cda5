from gateway import Gateway
from subscriptions import charge_all


def down(request):
    raise ConnectionError("unreachable")


run = charge_all(Gateway(down), {"ann": 10, "bob": 20})
assert run.postponed == ["ann", "bob"], run
