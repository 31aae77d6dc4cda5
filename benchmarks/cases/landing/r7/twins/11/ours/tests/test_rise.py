import pytest

from ferry import tariff


@pytest.fixture
def table(monkeypatch):
    monkeypatch.setattr(tariff, "SURCHARGE", {"bike": 200, "car": 300})


def test_raise(table):
    before = tariff.quote("A", 1, ["bike"])
    tariff.raise_surcharges(10)
    assert tariff.quote("A", 1, ["bike"]) == before + 20
