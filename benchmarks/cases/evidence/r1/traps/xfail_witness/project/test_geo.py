import pytest
from geo import Gps, Map


@pytest.mark.xfail(strict=True, reason="swapped axis")
def test_pin_hamburg():
    assert Map().pin(lon=Gps().where()["lat"]) == {"tile_x": 18}
