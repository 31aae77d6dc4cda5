import pytest

from rota.rota import Rota


def test_release():
    rota = Rota(["mon"])
    rota.assign("mon", "ann")
    rota.release("mon", "ill")
    assert rota.open_shifts() == ["mon"]
    assert rota.assigned_before == [("mon", "ann", "ill")]


def test_assign_nobody():
    with pytest.raises(ValueError):
        Rota(["mon"]).assign("mon", None)
