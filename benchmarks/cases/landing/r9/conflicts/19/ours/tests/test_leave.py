import pytest

from rota.leave import hand_over
from rota.rota import Rota


@pytest.fixture
def rota():
    rota = Rota(["mon", "tue", "wed"])
    rota.assign("mon", "ann")
    rota.assign("wed", "ann")
    return rota


def test_everything_is_covered(rota):
    assert hand_over(rota, "ann", {"mon": "bob", "wed": "cem"}) == []
    assert rota.who("mon") == "bob"


def test_some_shifts_become_open(rota):
    assert hand_over(rota, "ann", {"mon": "bob"}) == ["wed"]
    assert rota.open_shifts() == ["tue", "wed"]


def test_not_for_themselves(rota):
    with pytest.raises(ValueError):
        hand_over(rota, "ann", {"mon": "ann"})
