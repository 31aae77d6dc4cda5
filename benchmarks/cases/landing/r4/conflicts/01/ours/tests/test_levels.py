import alerts
import levels


def test_warn_low():
    alerts.OUTBOX.clear()
    assert levels.warn_low({"nut": (1, 5), "bolt": (9, 5)}, ["kim"]) == ["nut"]
    assert alerts.OUTBOX[0]["via"] == "mail"


def test_reorder():
    assert levels.reorder_amounts({"nut": (1, 5)}) == {"nut": 9}
