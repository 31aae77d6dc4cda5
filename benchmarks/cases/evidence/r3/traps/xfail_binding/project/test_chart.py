import pytest

from chart import Chart
from lab import Lab


@pytest.mark.parametrize("value, zone", [(60.0, "low"), (99.0, "normal"), (200.0, "high")])
def test_zones(value, zone):
    assert Chart().plot(mg_dl=value)["zone"] == zone


@pytest.mark.xfail(strict=True, reason="the new lab sends mmol/l")
def test_new_lab():
    assert Chart().plot(mg_dl=Lab().analyse("glucose 5.5")["mmol"])["zone"] == "normal"
