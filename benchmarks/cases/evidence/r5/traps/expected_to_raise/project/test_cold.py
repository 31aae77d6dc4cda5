import pytest

from cold import Freezer, Thermo


def test_wrong_scale_is_noticed():
    room = Thermo().read("room")
    with pytest.raises(ValueError):
        Freezer().set(celsius=room["fahrenheit"])
