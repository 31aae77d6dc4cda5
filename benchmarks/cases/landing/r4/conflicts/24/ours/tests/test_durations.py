import pytest
from durations import minutes, show


def test_round_trip():
    assert minutes("1d 2h") == 600
    assert show(600) == "1d 2h"
    assert show(0) == "0m"
    with pytest.raises(ValueError):
        minutes("soon")
