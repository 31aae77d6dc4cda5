from sensors.peaks import peaks
from sensors.readings import load_readings

LINES = ['{"sensor": "a", "at": 1, "value": 3.0}', "{broken", '{"sensor": "b", "at": 1, "value": -2.0}',
         '{"sensor": "a", "at": 2, "value": 5.5}']


def test_load():
    assert [reading["at"] for reading in load_readings(LINES, "a")] == [1, 2]


def test_peaks():
    assert peaks(LINES) == {"a": 5.5, "b": -2.0}
