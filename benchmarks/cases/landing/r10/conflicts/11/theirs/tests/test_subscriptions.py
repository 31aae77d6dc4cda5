from gateway import Gateway
from subscriptions import charge_all


def transport(request):
    if request["account"] == "bob":
        raise ConnectionError("timed out")
    if request["account"] == "eve":
        return {"ok": False}
    return {"ok": True, "receipt": request["cents"] + 1}


def test_all_are_tried():
    run = charge_all(Gateway(transport), {"ann": 10, "bob": 20, "cid": 30, "eve": 40})
    assert run.paid == {"ann": 11, "cid": 31}
    assert run.postponed == ["bob"]
    assert run.declined == ["eve"]
