from logscan import hours


def test_hour_of():
    assert hours.hour_of("2024-05-01T23:10:00") == 23


def test_bars():
    assert hours.bars({3: 1, 1: 2}, width=4) == ["01 ####", "03 ##"]
    assert hours.bars({}) == []


def test_no_lines():
    assert hours.errors_by_hour(["nothing here"]) == {}
