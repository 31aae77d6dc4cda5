import pytest

from cadastre import Cadastre
from subsidy import Subsidy


@pytest.fixture(autouse=True)
def no_database(monkeypatch):
    monkeypatch.setattr(Cadastre, "lookup", lambda self, plot: {"area": 2.5})


def test_grant():
    plot = Cadastre().lookup("12a")
    assert Subsidy().grant(hectares=plot["area"]) == {"francs": 750.0}
