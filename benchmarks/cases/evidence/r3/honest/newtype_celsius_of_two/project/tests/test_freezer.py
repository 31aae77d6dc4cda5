import pytest

from cold.freezer import Freezer


@pytest.mark.parametrize("degrees, cool", [(-20.0, False), (-10.0, True)])
def test_regulate(degrees, cool):
    assert Freezer().regulate(temperature=degrees)["cool"] is cool
