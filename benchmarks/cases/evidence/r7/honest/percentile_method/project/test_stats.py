import pytest
from settings import Settings
from stats import Stats


@pytest.mark.parametrize(("section", "p50"), [("report", 2), ("alarm", 3)])
def test_settings_rule(section, p50):
    rule = Settings().section(section)["method"]
    assert Stats().percentile(interpolation=rule)["p50"] == p50


def test_linear():
    assert Stats().percentile("linear") == {"p50": 2.5}
