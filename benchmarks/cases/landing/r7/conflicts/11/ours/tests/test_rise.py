import pytest

from ferry import tariff


@pytest.fixture
def table(monkeypatch):
    monkeypatch.setattr(tariff, "TARIFF", {"A": 200, "B": 300})


def test_raise(table):
    before = tariff.quote("A", 1)
    tariff.raise_tariff(10)
    assert tariff.quote("A", 1) == before + 20
