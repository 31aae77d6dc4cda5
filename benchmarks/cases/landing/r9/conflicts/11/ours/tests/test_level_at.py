import pytest

from tides.series import Series


@pytest.fixture
def series():
    series = Series()
    for time, level in [(10, 1.0), (20, 2.0), (30, 1.4)]:
        series.add(time, level)
    return series


@pytest.mark.parametrize("time, level", [(10, 1.0), (19.9, 1.0), (20, 2.0), (99, 1.4)])
def test_level_at(series, time, level):
    assert series.level_at(time) == level


def test_too_early(series):
    with pytest.raises(LookupError):
        series.level_at(9)
