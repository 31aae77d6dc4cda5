import pytest

from rota.rota import Rota
from rota.text import as_text


def test_assign():
    rota = Rota(["mon", "tue"])
    rota.assign("mon", "ann")
    assert rota.shifts_of("ann") == ["mon"]
    assert rota.open_shifts() == ["tue"]
    assert as_text(rota, ["mon", "tue"]) == "mon      ann\ntue      -"


def test_no_such_shift():
    with pytest.raises(LookupError):
        Rota(["mon"]).assign("sun", "ann")
